//! Exception sets from spurious errors.
//!
//! An error in the fixpoint that no execution shows is there because products have lost which local states go together.
//! The tuples that executions do reach are known (all of them, or many), so where the loss happened the exception set
//! can be made from those: reached states in the exception set never add anything spurious. The loss is looked for
//! backwards: first at the shared state of the error, then at the shared states whose sets have sent something there,
//! and so on.
//!
//! The reached tuples are generalised before they are kept: to products, all of whose tuples are reached; and with
//! interchangeable threads, from the tuples of a few threads to "one thread in …, all others in …" for any number.

use selvedge_program::bitset::BitSet;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::domain::{Component, Count, Fixpoint, Group, Position, Product, Shared, normalise};
use crate::split::IDLE;
use crate::tuples::{Reached, Tuple};

/// No more products than this are made for one shared state.
const MOST_PRODUCTS: usize = 400;
/// Products with more tuples than this are not tried.
const MOST_TUPLES: usize = 5000;

/// The local states of the threads of every component, each component's sorted.
type Locals = Vec<Vec<u32>>;

/// The reached tuples by shared state.
#[derive(Debug)]
pub struct Examples {
    by_shared: BTreeMap<Shared, FxHashSet<Locals>>,
}

impl Examples {
    /// Of a search.
    pub fn of(reached: &Reached) -> Examples {
        let mut by_shared: BTreeMap<Shared, FxHashSet<Locals>> = BTreeMap::new();
        for Tuple { shared, locals } in &reached.tuples {
            by_shared.entry(*shared).or_default().insert(locals.clone());
        }
        Examples { by_shared }
    }

    /// The shared states that are reached.
    pub fn places(&self) -> impl Iterator<Item = Shared> + '_ {
        self.by_shared.keys().copied()
    }

    /// Products that contain the reached tuples of a shared state and, with as many threads as the search had, nothing
    /// else.
    pub fn cover(&self, shared: Shared, components: &[Component]) -> Vec<Product> {
        let Some(tuples) = self.by_shared.get(&shared) else { return Vec::new() };
        let candidates = (0..components.len()).map(|component| {
            let locals: BTreeSet<u32> = tuples.iter().flat_map(|tuple| tuple[component].iter().copied()).collect();
            locals.into_iter().collect()
        });
        let cover = Cover { tuples, components, candidates: candidates.collect() };
        let mut left: Vec<&Locals> = tuples.iter().collect();
        left.sort();
        let mut products = Vec::new();
        while let Some(tuple) = left.first()
            && products.len() < MOST_PRODUCTS
        {
            let product = cover.grow(tuple);
            left.retain(|tuple| !contains(&product, tuple));
            products.push(product);
        }
        let shape: Vec<Count> = components.iter().map(|component| component.count).collect();
        products.retain_mut(|product: &mut Product| normalise(product, &shape));
        products
    }
}

struct Cover<'a> {
    tuples: &'a FxHashSet<Locals>,
    components: &'a [Component],
    /// The local states that come up, by component.
    candidates: Vec<Vec<u32>>,
}

impl Cover<'_> {
    /// A product around a tuple, as large as adding one local state after the other makes it.
    fn grow(&self, tuple: &Locals) -> Product {
        let mut product = self.seed(tuple);
        for component in 0..product.len() {
            for position in product[component].positions() {
                // Nothing is known of threads beyond those of the example.
                let told_apart = product[component].slots.len();
                if position == Position::Rest && told_apart >= tuple[component].len() {
                    continue;
                }
                for local in &self.candidates[component] {
                    if product[component].at(position).contains(*local) {
                        continue;
                    }
                    // What would be new: the tuples with a thread at that position in that state.
                    let mut new = product.clone();
                    let mut larger = product.clone();
                    match position {
                        Position::Slot(slot) => {
                            new[component].slots[slot] = BitSet::of(*local);
                            larger[component].slots[slot].insert(*local);
                        }
                        Position::Rest => {
                            new[component].slots.push(BitSet::of(*local));
                            new[component].rest.insert(*local);
                            larger[component].rest.insert(*local);
                        }
                    }
                    if self.is_reached(&new, tuple) {
                        product = larger;
                    }
                }
            }
        }
        product
    }

    /// The product to begin with: where there are interchangeable threads, the most general one that fits the examples.
    fn seed(&self, tuple: &Locals) -> Product {
        let mut seeds: Vec<Product> = vec![Vec::new()];
        for (component, threads) in tuple.iter().enumerate() {
            let groups = self.groups(component, threads);
            let extend = |product: &Product| {
                groups.iter().map(|group| product.iter().cloned().chain([group.clone()]).collect()).collect::<Vec<_>>()
            };
            seeds = seeds.iter().flat_map(extend).collect();
        }
        let apart = || tuple.iter().map(|threads| apart(threads)).collect();
        seeds.into_iter().find(|seed| self.is_reached(seed, tuple)).unwrap_or_else(apart)
    }

    /// The groups around the threads of one component, the most general first: all alike; one by itself, the others
    /// alike; whoever is not idle by itself. "Alike" is said only of sets of which two threads were seen in any two
    /// states.
    fn groups(&self, component: usize, threads: &[u32]) -> Vec<Group> {
        let many = matches!(self.components[component].count, Count::Unbounded | Count::Exactly(2..));
        let mut found = Vec::new();
        if many && threads.len() >= 2 {
            found.push(Group::all(threads.iter().copied().collect()));
        }
        if many && threads.len() >= 3 {
            for one in (0..threads.len()).rev() {
                let others = threads.iter().enumerate().filter(|(other, _)| *other != one).map(|(_, local)| *local);
                found.push(Group::one(BitSet::of(threads[one]), others.collect()));
            }
        }
        if many && threads.contains(&IDLE) {
            let busy = threads.iter().filter(|local| **local != IDLE);
            found.push(Group { slots: busy.map(|local| BitSet::of(*local)).collect(), rest: BitSet::of(IDLE) });
        }
        found.push(apart(threads));
        found
    }

    /// Whether all tuples of a product with as many threads as the example has are reached.
    fn is_reached(&self, product: &Product, example: &Locals) -> bool {
        let mut found: Vec<Locals> = vec![Vec::new()];
        for (group, threads) in product.iter().zip(example) {
            let Some(rows) = rows(group, threads.len()) else { return false };
            if found.len() * rows.len() > MOST_TUPLES {
                return false;
            }
            let extend = |tuple: &Locals| {
                rows.iter().map(|row| tuple.iter().cloned().chain([row.clone()]).collect()).collect::<Vec<_>>()
            };
            found = found.iter().flat_map(extend).collect();
        }
        found.iter().all(|tuple| self.tuples.contains(tuple))
    }
}

/// Every thread by itself; others, if there can be any, idle.
fn apart(threads: &[u32]) -> Group {
    Group { slots: threads.iter().map(|local| BitSet::of(*local)).collect(), rest: BitSet::of(IDLE) }
}

/// Whether a tuple is in a product.
fn contains(product: &Product, tuple: &Locals) -> bool {
    fn place(slots: &[BitSet], rest: &BitSet, threads: &mut Vec<u32>) -> bool {
        let Some((slot, others)) = slots.split_first() else {
            return threads.iter().all(|local| rest.contains(*local));
        };
        for index in 0..threads.len() {
            if slot.contains(threads[index]) {
                let local = threads.remove(index);
                let found = place(others, rest, threads);
                threads.insert(index, local);
                if found {
                    return true;
                }
            }
        }
        false
    }
    product.iter().zip(tuple).all(|(group, threads)| place(&group.slots, &group.rest, &mut threads.clone()))
}

/// The sorted rows of local states that so many threads of a group can have; `None` if there are too many.
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

/// Where exceptions are to be added next: of the shared states with errors, and of those whose sets lead there, the
/// nearest at which there are none yet.
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
