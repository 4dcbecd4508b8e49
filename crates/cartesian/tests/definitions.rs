//! Every operation against its definition, by enumeration of all tuples of small random systems; and components of
//! interchangeable threads against the same threads told apart.

use selvedge_cartesian::domain::{Component, Count, ExceptionSet, Group, Kept, Product, Shared, solve};
use selvedge_cartesian::table::Table;
use selvedge_generate::random::Random;
use selvedge_program::bitset::BitSet;
use std::collections::BTreeSet;

const LOCALS: u32 = 3;
const SHARED: u32 = 3;

/// Draws sets and products.
struct Draw(Random);

impl Draw {
    fn below(&mut self, bound: u32) -> u32 {
        self.0.below(u64::from(bound)) as u32
    }

    fn set(&mut self) -> BitSet {
        let bits = 1 + self.below((1 << LOCALS) - 1);
        (0..LOCALS).filter(|local| bits >> local & 1 == 1).collect()
    }

    fn product(&mut self, threads: usize) -> Vec<BitSet> {
        (0..threads).map(|_| self.set()).collect()
    }
}

type Tuple = Vec<u32>;

fn singles(sets: &[BitSet]) -> Product {
    sets.iter().map(|set| Group { slots: vec![set.clone()], rest: BitSet::new() }).collect()
}

fn all_tuples(threads: usize) -> Vec<Tuple> {
    let mut tuples = vec![Vec::new()];
    for _ in 0..threads {
        let extend = |tuple: &Tuple| {
            (0..LOCALS).map(|local| tuple.iter().copied().chain([local]).collect::<Tuple>()).collect::<Vec<_>>()
        };
        tuples = tuples.iter().flat_map(extend).collect();
    }
    tuples
}

fn contains(sets: &[BitSet], tuple: &Tuple) -> bool {
    sets.iter().zip(tuple).all(|(set, local)| set.contains(*local))
}

fn abstraction(tuples: &BTreeSet<Tuple>, threads: usize) -> Vec<BitSet> {
    (0..threads).map(|thread| tuples.iter().map(|tuple| tuple[thread]).collect()).collect()
}

#[test]
fn inclusion_and_difference_are_exact() {
    for seed in 0..3000 {
        let mut random = Draw(Random::new(seed));
        let threads = 2 + random.below(2) as usize;
        let shape = vec![Count::Exactly(1); threads];
        let parts: Vec<Vec<BitSet>> = (0..1 + random.below(4)).map(|_| random.product(threads)).collect();
        let exceptions = ExceptionSet::new(parts.iter().map(|part| singles(part)), &shape);
        let is_exception = |tuple: &Tuple| parts.iter().any(|part| contains(part, tuple));
        let product = random.product(threads);
        let tuples: Vec<Tuple> = all_tuples(threads).into_iter().filter(|tuple| contains(&product, tuple)).collect();
        // Prop. 7.
        assert_eq!(exceptions.includes(&singles(&product), &shape), tuples.iter().all(is_exception), "seed {seed}");
        // Prop. 8.
        let left: BTreeSet<Tuple> = tuples.into_iter().filter(|tuple| !is_exception(tuple)).collect();
        let expected = (!left.is_empty()).then(|| singles(&abstraction(&left, threads)));
        assert_eq!(exceptions.without(&singles(&product), &shape), expected, "seed {seed}");
        // The antichain is of products that are not within each other, and every product within the union is within
        // one.
        let products = exceptions.products();
        for (position, one) in products.iter().enumerate() {
            for other in &products[position + 1..] {
                let within = |a: &Product, b: &Product| a.iter().zip(b).all(|(a, b)| a.slots[0].is_subset(&b.slots[0]));
                assert!(!within(one, other) && !within(other, one), "seed {seed}");
            }
        }
    }
}

/// The least fixpoint by the paper's definition: λY. α_cart(α_E(init ∪ post(γ_E(γ_cart(Y))))).
fn definition(
    table: &Table,
    parts: &[Vec<Vec<BitSet>>],
    initial: &BTreeSet<(u32, Tuple)>,
    threads: usize,
) -> Vec<Vec<BitSet>> {
    let is_exception = |shared: u32, tuple: &Tuple| parts[shared as usize].iter().any(|part| contains(part, tuple));
    let mut sets = vec![vec![BitSet::new(); threads]; SHARED as usize];
    loop {
        let mut states: BTreeSet<(u32, Tuple)> = initial.clone();
        for shared in 0..SHARED {
            for tuple in all_tuples(threads) {
                if !contains(&sets[shared as usize], &tuple) && !is_exception(shared, &tuple) {
                    continue;
                }
                for thread in 0..threads {
                    for ((_, _), (target, after)) in
                        table.moves[thread].iter().filter(|(before, _)| *before == (shared, tuple[thread]))
                    {
                        let mut next = tuple.clone();
                        next[thread] = *after;
                        states.insert((*target, next));
                    }
                }
            }
        }
        states.retain(|(shared, tuple)| !is_exception(*shared, tuple));
        let next: Vec<Vec<BitSet>> = (0..SHARED)
            .map(|shared| {
                let here = states.iter().filter(|(at, _)| *at == shared).map(|(_, tuple)| tuple.clone()).collect();
                abstraction(&here, threads)
            })
            .collect();
        if next == sets {
            return sets;
        }
        sets = next;
    }
}

fn random_moves(random: &mut Draw) -> Vec<((u32, u32), (u32, u32))> {
    (0..2 + random.below(4))
        .map(|_| ((random.below(SHARED), random.below(LOCALS)), (random.below(SHARED), random.below(LOCALS))))
        .collect()
}

#[test]
fn the_fixpoint_is_that_of_the_definition() {
    for seed in 0..1500 {
        let mut random = Draw(Random::new(seed + 10_000));
        let threads = 2 + random.below(2) as usize;
        let shape = vec![Count::Exactly(1); threads];
        let parts: Vec<Vec<Vec<BitSet>>> =
            (0..SHARED).map(|_| (0..random.below(3)).map(|_| random.product(threads)).collect()).collect();
        let start: Tuple = (0..threads).map(|_| random.below(LOCALS)).collect();
        let mut table = Table {
            components: vec![Component { class: 0, count: Count::Exactly(1) }; threads],
            initial: vec![(Shared(0), start.iter().map(|local| Group::all(BitSet::of(*local))).collect())],
            moves: (0..threads).map(|_| random_moves(&mut random)).collect(),
            exceptions: parts
                .iter()
                .map(|parts| ExceptionSet::new(parts.iter().map(|part| singles(part)), &shape))
                .collect(),
        };
        // The paper's exceptions count whether or not their shared state is ever reached.
        for shared in 1..SHARED {
            table.initial.push((Shared(shared), vec![Group::all(BitSet::new()); threads]));
        }
        let expected = definition(&table, &parts, &BTreeSet::from([(0, start)]), threads);
        let Ok(fixpoint) = solve(&mut table, Kept::All, |_, _| Ok(()));
        for (shared, expected) in expected.iter().enumerate() {
            assert_eq!(&fixpoint.nodes[shared].sets, expected, "seed {seed}, shared state {shared}");
        }
    }
}

/// The same threads told apart: every way to give the slots of a group to threads.
fn expand(group: &Group, threads: usize) -> Vec<Vec<BitSet>> {
    fn place(slots: &[BitSet], row: &mut Vec<Option<BitSet>>, rest: &BitSet, found: &mut Vec<Vec<BitSet>>) {
        let Some((slot, others)) = slots.split_first() else {
            found.push(row.iter().map(|set| set.clone().unwrap_or_else(|| rest.clone())).collect());
            return;
        };
        for thread in 0..row.len() {
            if row[thread].is_none() {
                row[thread] = Some(slot.clone());
                place(others, row, rest, found);
                row[thread] = None;
            }
        }
    }
    let mut found = Vec::new();
    place(&group.slots, &mut vec![None; threads], &group.rest, &mut found);
    found
}

fn random_group(random: &mut Draw) -> Group {
    let slots = (0..random.below(3)).map(|_| random.set()).collect();
    Group { slots, rest: random.set() }
}

#[test]
fn interchangeable_threads_give_what_threads_told_apart_give() {
    for seed in 0..150 {
        let mut random = Draw(Random::new(seed + 20_000));
        let threads = 2 + random.below(3) as usize;
        let groups: Vec<Vec<Group>> = (0..SHARED)
            .map(|_| {
                (0..random.below(3))
                    .map(|_| random_group(&mut random))
                    .filter(|group| group.slots.len() <= threads)
                    .collect()
            })
            .collect();
        let start = random.below(LOCALS);
        let moves = random_moves(&mut random);
        let many = [Count::Exactly(threads as u64)];
        let apart = vec![Count::Exactly(1); threads];
        let empty = |components: usize| {
            (1..SHARED).map(move |shared| (Shared(shared), vec![Group::all(BitSet::new()); components]))
        };
        let first = |components: usize| (Shared(0), vec![Group::all(BitSet::of(start)); components]);
        let mut symmetric = Table {
            components: vec![Component { class: 0, count: many[0] }],
            initial: std::iter::once(first(1)).chain(empty(1)).collect(),
            moves: vec![moves.clone()],
            exceptions: groups
                .iter()
                .map(|groups| ExceptionSet::new(groups.iter().map(|group| vec![group.clone()]), &many))
                .collect(),
        };
        let mut distinct = Table {
            components: vec![Component { class: 0, count: Count::Exactly(1) }; threads],
            initial: std::iter::once(first(threads)).chain(empty(threads)).collect(),
            moves: vec![moves; threads],
            exceptions: groups
                .iter()
                .map(|groups| {
                    let products = groups.iter().flat_map(|group| expand(group, threads));
                    ExceptionSet::new(products.map(|row| singles(&row)), &apart)
                })
                .collect(),
        };
        let parts: Vec<Vec<Vec<BitSet>>> =
            groups.iter().map(|groups| groups.iter().flat_map(|group| expand(group, threads)).collect()).collect();
        let exact = definition(&distinct, &parts, &BTreeSet::from([(0, vec![start; threads])]), threads);
        // Told apart, threads can have more exceptions than are closed under consensus; that costs precision.
        let is_closed = parts.iter().all(|parts| parts.len() <= 16)
            && distinct.exceptions.iter().all(|exceptions| exceptions.products().len() <= 64);
        let Ok(symmetric) = solve(&mut symmetric, Kept::All, |_, _| Ok(()));
        let Ok(distinct) = solve(&mut distinct, Kept::All, |_, _| Ok(()));
        for (shared, exact) in exact.iter().enumerate() {
            let at = format!("seed {seed}, {threads} threads, shared state {shared}");
            assert_eq!(vec![symmetric.nodes[shared].sets[0].clone(); threads], *exact, "{at}");
            let found = &distinct.nodes[shared].sets;
            assert!(exact.iter().zip(found).all(|(exact, found)| exact.is_subset(found)), "{at}");
            assert!(!is_closed || found == exact, "{at}: {found:?}, not {exact:?}");
        }
    }
}
