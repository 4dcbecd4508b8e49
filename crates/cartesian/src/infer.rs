//! Exception sets from spurious errors.
//!
//! An error in the fixpoint that no execution shows is there because products have lost which local states go together. The
//! tuples that executions do reach are known (all of them, or many), so where the loss happened the exception set can be made from
//! those: reached states in the exception set never add anything spurious. The loss is looked for backwards: first at the shared state
//! of the error, then at the shared states whose sets have sent something there, and so on.
//!
//! The reached tuples are generalised before they are kept: to products, all of whose tuples are reached; and with
//! interchangeable threads, from the tuples of a few threads to "one thread in …, all others in …" for any number.

use std::collections::{BTreeMap, BTreeSet};

use crate::bitset::BitSet;
use crate::domain::{Component, Count, Fixpoint, Group, Position, Product, Shared, normalise};
use crate::split::IDLE;
use crate::tuples::{Reached, Tuple};

/// With more tuples than this at one shared state, they are kept as they are.
const MOST_EXAMPLES: usize = 1500;
/// Products with more tuples than this are not tried.
const MOST_TUPLES: usize = 5000;

/// The reached tuples by shared state.
#[derive(Debug)]
pub struct Examples {
    by_shared: BTreeMap<Shared, BTreeSet<Vec<Vec<u32>>>>,
}

impl Examples {
    /// Of a search.
    pub fn of(reached: &Reached) -> Examples {
        let mut by_shared: BTreeMap<Shared, BTreeSet<Vec<Vec<u32>>>> = BTreeMap::new();
        for Tuple { shared, locals } in &reached.tuples {
            by_shared.entry(*shared).or_default().insert(locals.clone());
        }
        Examples { by_shared }
    }

    /// The shared states that are reached.
    pub fn places(&self) -> impl Iterator<Item = Shared> + '_ {
        self.by_shared.keys().copied()
    }

    /// Products that contain all reached tuples of a shared state and, with as many threads as the search had, nothing else.
    pub fn cover(&self, shared: Shared, components: &[Component]) -> Vec<Product> {
        let empty = BTreeSet::new();
        let tuples = self.by_shared.get(&shared).unwrap_or(&empty);
        let mut products = Vec::new();
        if tuples.len() > MOST_EXAMPLES {
            products.extend(tuples.iter().map(|tuple| tuple.iter().map(|threads| apart(threads)).collect()));
        } else {
            let mut cover = Cover { tuples, components, left: tuples.clone() };
            while let Some(tuple) = cover.left.first().cloned() {
                products.push(cover.grow(&tuple));
            }
        }
        let shape: Vec<Count> = components.iter().map(|component| component.count).collect();
        products.retain_mut(|product: &mut Product| normalise(product, &shape));
        products
    }
}

struct Cover<'a> {
    tuples: &'a BTreeSet<Vec<Vec<u32>>>,
    components: &'a [Component],
    left: BTreeSet<Vec<Vec<u32>>>,
}

impl Cover<'_> {
    /// A product around a tuple, as large as adding one local state after the other makes it.
    fn grow(&mut self, tuple: &Vec<Vec<u32>>) -> Product {
        let mut product: Product =
            tuple.iter().enumerate().map(|(component, threads)| self.seed(component, threads)).collect();
        let mut all = self.expand(&product, tuple).unwrap_or_default();
        if all.is_empty() || !all.iter().all(|tuple| self.tuples.contains(tuple)) {
            product = tuple.iter().map(|threads| apart(threads)).collect();
            all = vec![tuple.clone()];
        }
        for component in 0..product.len() {
            let candidates: BTreeSet<u32> =
                self.tuples.iter().flat_map(|tuple| tuple[component].iter().copied()).collect();
            for position in product[component].positions() {
                // Nothing is known of threads beyond those of the example.
                if position == Position::Rest && product[component].slots.len() >= tuple[component].len() {
                    continue;
                }
                for local in &candidates {
                    if product[component].at(position).contains(*local) {
                        continue;
                    }
                    let mut larger = product.clone();
                    match position {
                        Position::Slot(slot) => larger[component].slots[slot].insert(*local),
                        Position::Rest => larger[component].rest.insert(*local),
                    };
                    if let Some(tuples) = self.expand(&larger, tuple)
                        && tuples.iter().all(|tuple| self.tuples.contains(tuple))
                    {
                        product = larger;
                        all = tuples;
                    }
                }
            }
        }
        self.left.remove(tuple);
        for tuple in &all {
            self.left.remove(tuple);
        }
        product
    }

    /// The group to begin with: where there are many threads, the most general one that is about right.
    fn seed(&self, component: usize, threads: &[u32]) -> Group {
        let many = matches!(self.components[component].count, Count::Unbounded | Count::Exactly(2..));
        if !many || threads.len() < 2 {
            return apart(threads);
        }
        // Whoever is not idle is told apart; the idle stand for all the others.
        let busy: Vec<BitSet> =
            threads.iter().filter(|local| **local != IDLE).map(|local| BitSet::of(*local)).collect();
        if busy.len() == threads.len() {
            one_and_others(threads)
        } else {
            Group { slots: busy, rest: BitSet::of(IDLE) }
        }
    }

    /// All tuples of a product with as many threads as the example has; `None` if there are too many.
    fn expand(&self, product: &Product, example: &[Vec<u32>]) -> Option<Vec<Vec<Vec<u32>>>> {
        let mut found: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
        for (group, threads) in product.iter().zip(example) {
            let rows = rows(group, threads.len())?;
            if found.len() * rows.len() > MOST_TUPLES {
                return None;
            }
            let extend = |tuple: &Vec<Vec<u32>>| {
                rows.iter().map(|row| tuple.iter().cloned().chain([row.clone()]).collect()).collect::<Vec<_>>()
            };
            found = found.iter().flat_map(extend).collect();
        }
        Some(found)
    }
}

/// Every thread by itself; others, if there can be any, idle.
fn apart(threads: &[u32]) -> Group {
    Group { slots: threads.iter().map(|local| BitSet::of(*local)).collect(), rest: BitSet::of(IDLE) }
}

/// The last thread by itself, and all others in the local states of the rest.
fn one_and_others(threads: &[u32]) -> Group {
    let (last, others) = threads.split_last().map_or((IDLE, threads), |(last, others)| (*last, others));
    Group { slots: vec![BitSet::of(last)], rest: others.iter().copied().collect() }
}

/// The sorted rows of local states that so many threads of a group can have.
fn rows(group: &Group, threads: usize) -> Option<Vec<Vec<u32>>> {
    let mut found: BTreeSet<Vec<u32>> = BTreeSet::from([Vec::new()]);
    for position in 0..threads {
        let set = group.slots.get(position).unwrap_or(&group.rest);
        let mut next = BTreeSet::new();
        for row in &found {
            for local in set.iter() {
                let mut row = row.clone();
                row.insert(row.partition_point(|other| *other < local), local);
                next.insert(row);
            }
        }
        found = next;
        if found.len() > MOST_TUPLES {
            return None;
        }
    }
    Some(found.into_iter().collect())
}

/// Where exceptions are to be added next: of the shared states with errors, and of those whose sets lead there, the nearest at
/// which there are none yet.
pub fn next_places(fixpoint: &Fixpoint, errors: &BTreeSet<Shared>, exact: &BTreeSet<Shared>) -> BTreeSet<Shared> {
    let mut seen = errors.clone();
    let mut level: Vec<Shared> = errors.iter().copied().collect();
    while !level.is_empty() {
        let found: BTreeSet<Shared> = level.iter().copied().filter(|shared| !exact.contains(shared)).collect();
        if !found.is_empty() {
            return found;
        }
        let sources = level.iter().flat_map(|shared| &fixpoint.nodes[shared.0 as usize].sources);
        level = sources.copied().filter(|source| seen.insert(*source)).collect();
    }
    BTreeSet::new()
}
