//! Configurations: states up to the order of threads, as numbers of threads in each occupied local state.

use crate::state::{Instance, LocalState, State, initial_locals, initial_shared};
use crate::valid::System;

/// The shared variables and how many threads are in which local state. Sorted, every number at least 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Configuration {
    /// The shared variables.
    pub shared: u64,
    /// The occupied local states and their numbers of threads.
    pub threads: Vec<(LocalState, u32)>,
}

impl Configuration {
    /// Of threads in any order.
    pub fn new(shared: u64, threads: impl IntoIterator<Item = (LocalState, u32)>) -> Self {
        let mut threads: Vec<(LocalState, u32)> = threads.into_iter().filter(|(_, count)| *count > 0).collect();
        threads.sort_unstable();
        threads.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        Configuration { shared, threads }
    }

    /// How many threads there are.
    pub fn size(&self) -> u32 {
        self.threads.iter().map(|(_, count)| count).sum()
    }

    /// How many threads are in a local state.
    pub fn count(&self, local: LocalState) -> u32 {
        self.threads.binary_search_by_key(&local, |(known, _)| *known).map_or(0, |place| self.threads[place].1)
    }

    /// Without one thread in a local state; none if there is no such thread.
    pub fn without(&self, local: LocalState) -> Option<Self> {
        let place = self.threads.binary_search_by_key(&local, |(known, _)| *known).ok()?;
        let mut found = self.clone();
        found.threads[place].1 -= 1;
        if found.threads[place].1 == 0 {
            found.threads.remove(place);
        }
        Some(found)
    }

    /// Whether this has at least the threads of another, with the same shared variables.
    pub fn covers(&self, other: &Configuration) -> bool {
        self.shared == other.shared && other.threads.iter().all(|(local, count)| self.count(*local) >= *count)
    }

    /// A state with these threads.
    pub fn state(&self) -> State {
        let threads = self.threads.iter().flat_map(|(local, count)| std::iter::repeat_n(*local, *count as usize));
        State { shared: self.shared, threads: threads.collect() }
    }
}

/// All multisets of a size over some things, as numbers of each.
pub fn multisets(things: usize, size: u32) -> Vec<Vec<u32>> {
    match things {
        0 if size == 0 => vec![Vec::new()],
        0 => Vec::new(),
        1 => vec![vec![size]],
        _ => {
            let with = |first: u32| {
                multisets(things - 1, size - first).into_iter().map(move |rest| [vec![first], rest].concat())
            };
            (0..=size).rev().flat_map(with).collect()
        }
    }
}

/// All configurations at the start.
pub fn initial_configurations(system: &System, instance: &Instance) -> Vec<Configuration> {
    let program = system.program();
    let mut crowds: Vec<Vec<(LocalState, u32)>> = vec![Vec::new()];
    for (id, template) in program.numbered() {
        let locals = initial_locals(program, id);
        let counts = multisets(locals.len(), instance.count(template.threads));
        let add = |crowd: &Vec<(LocalState, u32)>, counts: &Vec<u32>| {
            let more = locals.iter().copied().zip(counts.iter().copied());
            crowd.iter().copied().chain(more).collect::<Vec<_>>()
        };
        crowds = crowds.iter().flat_map(|crowd| counts.iter().map(|counts| add(crowd, counts))).collect();
    }
    let shared = initial_shared(program);
    shared
        .into_iter()
        .flat_map(|shared| crowds.iter().map(move |crowd| Configuration::new(shared, crowd.iter().copied())))
        .collect()
}
