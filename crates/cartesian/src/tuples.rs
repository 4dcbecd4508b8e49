//! States of a system one by one: every thread in one local state. The search among them for real executions.
//!
//! A tuple has, for every component, the local states of its threads in order. Where a component has any number of
//! threads, the search is among tuples of a few; what it reaches is real all the same, since threads may always stay
//! idle.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;

use crate::domain::{Count, Move, Shared};
use crate::program::{At, GivenUp, ProgramSystem};
use crate::split::IDLE;

/// A state: a shared state, and the local states of the threads of every component, sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tuple {
    /// The shared state.
    pub shared: Shared,
    /// By component.
    pub locals: Vec<Vec<u32>>,
}

/// One move of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Who moved from where.
    pub at: At,
    /// The move.
    pub made: Move,
}

/// The tuples that are reached.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// In the order of discovery.
    pub tuples: Vec<Tuple>,
    numbers: FxHashMap<Tuple, usize>,
    parents: Vec<Option<(usize, Taken)>>,
    /// Whether these are all.
    pub is_complete: bool,
}

impl Reached {
    /// The moves that lead to a tuple, from the first, and where they begin.
    pub fn path(&self, number: usize) -> (&Tuple, Vec<Taken>) {
        let mut path = Vec::new();
        let mut here = number;
        while let Some((parent, taken)) = &self.parents[here] {
            path.push(taken.clone());
            here = *parent;
        }
        path.reverse();
        (&self.tuples[here], path)
    }

    fn meet(&mut self, tuple: Tuple, parent: Option<(usize, Taken)>) -> Option<usize> {
        if self.numbers.contains_key(&tuple) {
            return None;
        }
        let number = self.tuples.len();
        self.numbers.insert(tuple.clone(), number);
        self.tuples.push(tuple);
        self.parents.push(parent);
        Some(number)
    }
}

/// The tuple after a move; `None` if it would start a thread and there is none to start.
pub fn after(tuple: &Tuple, at: At, made: &Move, components: usize) -> Option<Tuple> {
    let mut locals: Vec<Vec<u32>> = vec![Vec::new(); components];
    for (component, threads) in tuple.locals.iter().enumerate() {
        let mut staying = threads.clone();
        if component == at.component {
            let mover = staying.iter().position(|local| *local == at.local)?;
            staying.remove(mover);
        }
        if !staying.is_empty() {
            locals[made.carry.of(component)].append(&mut staying);
        }
    }
    if let Some(start) = made.start {
        if let Some((pool, idle)) = start.pool {
            let waiting = locals[pool].iter().position(|local| *local == idle)?;
            locals[pool].remove(waiting);
        }
        locals[start.component].push(start.local);
    }
    locals[made.component].push(made.local);
    locals.iter_mut().for_each(|threads| threads.sort_unstable());
    Some(Tuple { shared: made.target, locals })
}

/// Reaches tuples breadth first, up to a limit, with so many threads in components of any number. `visit` is shown
/// every new tuple; it ends the search by answering `false`.
pub fn reach(
    system: &mut ProgramSystem<'_, '_>,
    crowd: usize,
    limit: usize,
    poll: &mut dyn FnMut() -> Result<(), GivenUp>,
    visit: &mut dyn FnMut(&mut ProgramSystem<'_, '_>, &Reached, usize) -> bool,
) -> Result<Reached, GivenUp> {
    let mut reached = Reached { is_complete: true, ..Reached::default() };
    let mut queue = VecDeque::new();
    for (shared, local) in system.starts()? {
        let components = system.components_of(shared);
        let locals = components.iter().enumerate().map(|(component, facts)| match facts.count {
            _ if component == 0 => vec![local],
            Count::Exactly(count) => vec![IDLE; usize::try_from(count).unwrap_or(crowd).min(crowd)],
            Count::Unbounded => vec![IDLE; crowd],
        });
        let tuple = Tuple { shared, locals: locals.collect() };
        if let Some(number) = reached.meet(tuple, None) {
            if !visit(system, &reached, number) {
                reached.is_complete = false;
                return Ok(reached);
            }
            queue.push_back(number);
        }
    }
    while let Some(number) = queue.pop_front() {
        poll()?;
        let tuple = reached.tuples[number].clone();
        for (component, threads) in tuple.locals.iter().enumerate() {
            for (position, local) in threads.iter().enumerate() {
                if position > 0 && threads[position - 1] == *local {
                    continue;
                }
                let at = At { shared: tuple.shared, component, local: *local };
                let moves = match system.moves_of(at) {
                    Ok(moves) => moves.to_vec(),
                    Err(GivenUp::TooMany) => {
                        reached.is_complete = false;
                        return Ok(reached);
                    }
                    Err(stop) => return Err(stop),
                };
                for made in moves {
                    let components = system.components_of(made.target).len();
                    let Some(next) = after(&tuple, at, &made, components) else { continue };
                    if let Some(new) = reached.meet(next, Some((number, Taken { at, made }))) {
                        if !visit(system, &reached, new) || reached.tuples.len() >= limit {
                            reached.is_complete = false;
                            return Ok(reached);
                        }
                        queue.push_back(new);
                    }
                }
            }
        }
    }
    Ok(reached)
}
