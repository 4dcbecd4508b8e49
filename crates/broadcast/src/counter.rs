//! Counter abstraction: the search for a given number of threads, with equal threads counted instead of told apart.
//!
//! A configuration is kept as a row of numbers: the shared variables, then local states by number, each with its count.
//! What a local state can do is computed once for each valuation of the shared variables, and what a step makes of
//! a passive local state once for each step. A notification distributes the threads of each passive local state over its outcomes, so
//! that n equal threads with k outcomes have as many results as there are multisets, not k to the n.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::configuration::{Configuration, initial_configurations, multisets};
use crate::path::{Path, Taken};
use crate::program::{Constraint, Statement};
use crate::state::{Instance, LocalState, Stopped};
use crate::step::{Change, Step, every_tuple, fails, steps};
use crate::valid::System;

/// What a search found.
#[derive(Clone, Debug)]
pub enum Counted {
    /// No assertion can fail.
    Safe(CountProof),
    /// One can, by a shortest run.
    Unsafe(Path),
}

/// All configurations that can be reached: closed under steps, without an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountProof {
    /// How many threads it is about.
    pub instance: Instance,
    /// The configurations.
    pub configurations: Vec<Configuration>,
    /// Whether executions that start more threads than the instance allows have been left out.
    pub is_cut: bool,
}

/// Searches all configurations of so many threads. `go_on` is asked at every configuration.
pub fn search(system: &System, instance: &Instance, go_on: &mut dyn FnMut() -> bool) -> Result<Counted, Stopped> {
    let mut search = Search { system, most: instance.most, locals: IndexSet::default(), moves: FxHashMap::default() };
    let mut known: IndexMap<Row, Option<(usize, u32)>, FxBuildHasher> = IndexMap::default();
    for initial in initial_configurations(system, instance) {
        known.insert(search.row(&initial), None);
    }
    let mut is_cut = false;
    let mut next = 0;
    while let Some((row, _)) = known.get_index(next) {
        if !go_on() {
            return Err(Stopped);
        }
        let row = row.clone();
        if let Some(failing) = search.failing(&row) {
            let mut rows = vec![(row, None)];
            let mut at = next;
            while let Some((_, Some((parent, active)))) = known.get_index(at) {
                at = *parent;
                let row = known.get_index(at).expect("a parent is known").0.clone();
                rows.push((row, Some(*active)));
            }
            rows.reverse();
            return Ok(Counted::Unsafe(search.path(&rows, failing)));
        }
        is_cut |= search.successors(&row, &mut |active, successor, _| {
            known.entry(successor).or_insert(Some((next, active)));
        });
        next += 1;
    }
    let configurations = known.keys().map(|row| search.configuration(row)).collect();
    Ok(Counted::Safe(CountProof { instance: *instance, configurations, is_cut }))
}

/// The runs of one step by a thread in a local state, each with the configuration that it leads to.
pub fn successors(system: &System, configuration: &Configuration, active: LocalState) -> Vec<Taken> {
    let mut search = Search { system, most: u32::MAX, locals: IndexSet::default(), moves: FxHashMap::default() };
    let row = search.row(configuration);
    let Some(active) = search.locals.get_index_of(&active) else { return Vec::new() };
    search.steps_of(&row, active as u32)
}

/// A configuration: the shared variables in two halves, then local states by number with their counts, by number.
type Row = Box<[u32]>;

/// The numbers of local states before and after, and how many threads change so.
type Changes = [((u32, u32), u32)];

/// A step, and what it makes of passive local states as far as that has been asked.
struct Move<'s> {
    step: Step<'s>,
    active: u32,
    started: Option<u32>,
    passive: FxHashMap<u32, Rc<[u32]>>,
}

struct Search<'s> {
    system: &'s System,
    most: u32,
    locals: IndexSet<LocalState, FxBuildHasher>,
    moves: FxHashMap<(u64, u32), Vec<Move<'s>>>,
}

fn shared_of(row: &[u32]) -> u64 {
    u64::from(row[0]) | u64::from(row[1]) << 32
}

fn threads_of(row: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    row[2..].chunks_exact(2).map(|pair| (pair[0], pair[1]))
}

fn row_of(shared: u64, mut threads: Vec<(u32, u32)>) -> Row {
    threads.sort_unstable();
    let mut row = vec![shared as u32, (shared >> 32) as u32];
    for (local, count) in threads {
        match row.len() {
            length if length > 2 && row[length - 2] == local => row[length - 1] += count,
            _ => row.extend([local, count]),
        }
    }
    row.into()
}

impl<'s> Search<'s> {
    fn number(&mut self, local: LocalState) -> u32 {
        self.locals.insert_full(local).0 as u32
    }

    fn local(&self, number: u32) -> LocalState {
        self.locals[number as usize]
    }

    fn row(&mut self, configuration: &Configuration) -> Row {
        let threads = configuration.threads.iter().map(|(local, count)| (self.number(*local), *count)).collect();
        row_of(configuration.shared, threads)
    }

    fn configuration(&self, row: &[u32]) -> Configuration {
        Configuration::new(shared_of(row), threads_of(row).map(|(local, count)| (self.local(local), count)))
    }

    /// The local states of which a thread may take a step: the one inside an atomic section, if there is one.
    fn scheduled(&self, row: &[u32]) -> Vec<u32> {
        let inside = threads_of(row).find(|(local, _)| self.system.is_inside(self.local(*local)));
        inside.map_or_else(|| threads_of(row).map(|(local, _)| local).collect(), |(local, _)| vec![local])
    }

    /// A thread whose assertion can fail.
    fn failing(&self, row: &[u32]) -> Option<LocalState> {
        let scheduled = self.scheduled(row).into_iter().map(|local| self.local(local));
        let mut asserting = scheduled.filter_map(|local| match self.system.statement(local) {
            Some(Statement::Assert(assertion)) => Some((local, assertion)),
            _ => None,
        });
        let failing = asserting.find(|(active, assertion)| {
            let others = threads_of(row).map(|(local, count)| {
                let local = self.local(local);
                ((local, local), count - u32::from(local == *active))
            });
            !every_tuple(&assertion.passive, &others.collect::<Vec<_>>(), &mut |passive| {
                let passive: Vec<LocalState> = passive.iter().map(|(local, _)| *local).collect();
                !fails(assertion, shared_of(row), *active, &passive)
            })
        });
        failing.map(|(active, _)| active)
    }

    /// Calls a function for every step, with the number of the active local state, the configuration after it and what
    /// passive threads do. Says whether a thread would have been started that is one too many.
    fn successors(&mut self, row: &[u32], found: &mut dyn FnMut(u32, Row, &Changes)) -> bool {
        let mut is_cut = false;
        for active in self.scheduled(row) {
            is_cut |= self.moves_of(row, active, &mut |_, successor, changes| found(active, successor, changes));
        }
        is_cut
    }

    fn moves_of(&mut self, row: &[u32], active: u32, found: &mut dyn FnMut(&Move<'s>, Row, &Changes)) -> bool {
        let shared = shared_of(row);
        let mut moves = match self.moves.remove(&(shared, active)) {
            Some(moves) => moves,
            None => self.moves(shared, active),
        };
        let mut others: Vec<(u32, u32)> = threads_of(row).collect();
        if let Some(place) = others.iter().position(|(local, _)| *local == active) {
            others[place].1 -= 1;
        }
        others.retain(|(_, count)| *count > 0);
        let size: u64 = 1 + others.iter().map(|(_, count)| u64::from(*count)).sum::<u64>();
        let mut is_cut = false;
        for taken in &mut moves {
            if taken.started.is_some() && size >= u64::from(self.most) {
                is_cut = true;
            } else if !taken.step.concerns_passive() {
                let mut threads = others.clone();
                threads.push((taken.active, 1));
                threads.extend(taken.started.map(|started| (started, 1)));
                found(taken, row_of(taken.step.shared.1, threads), &[]);
            } else {
                self.distribute(taken, &others, &mut Vec::new(), found);
            }
        }
        self.moves.insert((shared, active), moves);
        is_cut
    }

    fn moves(&mut self, shared: u64, active: u32) -> Vec<Move<'s>> {
        let steps = steps(self.system, shared, self.local(active));
        let number = |step: Step<'s>| Move {
            step,
            active: self.number(step.active.1),
            started: step.started.map(|local| self.number(local)),
            passive: FxHashMap::default(),
        };
        steps.into_iter().map(number).collect()
    }

    /// What can become of a passive local state, by numbers.
    fn passive(&mut self, taken: &mut Move<'s>, local: u32) -> Rc<[u32]> {
        if let Some(known) = taken.passive.get(&local) {
            return known.clone();
        }
        let outcomes = taken.step.passive(self.local(local));
        let outcomes: Rc<[u32]> = outcomes.into_iter().map(|outcome| self.number(outcome)).collect();
        taken.passive.insert(local, outcomes.clone());
        outcomes
    }

    /// Distributes the threads of each passive local state over its outcomes, after those that have been done.
    fn distribute(
        &mut self,
        taken: &mut Move<'s>,
        others: &[(u32, u32)],
        done: &mut Vec<((u32, u32), u32)>,
        found: &mut dyn FnMut(&Move<'s>, Row, &Changes),
    ) {
        let Some(((local, count), rest)) = others.split_first() else {
            let mut threads: Vec<(u32, u32)> = done.iter().map(|((_, to), count)| (*to, *count)).collect();
            threads.push((taken.active, 1));
            threads.extend(taken.started.map(|started| (started, 1)));
            found(taken, row_of(taken.step.shared.1, threads), done);
            return;
        };
        let outcomes = self.passive(taken, *local);
        for counts in multisets(outcomes.len(), *count) {
            let kept = done.len();
            let changes = outcomes.iter().zip(counts).filter(|(_, count)| *count > 0);
            done.extend(changes.map(|(outcome, count)| ((*local, *outcome), count)));
            // A universal constraint that fails of some threads fails of more.
            if taken.step.joint().all(|constraint| self.holds(&taken.step, constraint, done)) {
                self.distribute(taken, rest, done, found);
            }
            done.truncate(kept);
        }
    }

    fn holds(&self, step: &Step<'s>, constraint: &Constraint, changes: &Changes) -> bool {
        let threads: Vec<(Change, u32)> = self.changes(changes);
        every_tuple(&constraint.passive, &threads, &mut |passive| step.meets(constraint, passive))
    }

    fn changes(&self, changes: &Changes) -> Vec<(Change, u32)> {
        changes.iter().map(|((from, to), count)| ((self.local(*from), self.local(*to)), *count)).collect()
    }

    fn steps_of(&mut self, row: &[u32], active: u32) -> Vec<Taken> {
        if !self.scheduled(row).contains(&active) {
            return Vec::new();
        }
        let mut found = Vec::new();
        self.moves_of(row, active, &mut |taken, after, changes| found.push((taken.step, after, changes.to_vec())));
        let mut described = Vec::new();
        for (step, after, changes) in found {
            let mut passive = self.changes(&changes);
            passive.retain(|((from, to), _)| from != to);
            let after = self.configuration(&after);
            described.push(Taken { active: step.active, passive, started: step.started, after });
        }
        described
    }

    /// A run through configurations, each with the local state that moves next.
    fn path(&mut self, rows: &[(Row, Option<u32>)], failing: LocalState) -> Path {
        let mut taken = Vec::new();
        for pair in rows.windows(2) {
            let active = pair[0].1.expect("every configuration but the last has a next one");
            let after = self.configuration(&pair[1].0);
            let step = self.steps_of(&pair[0].0, active).into_iter().find(|step| step.after == after);
            taken.push(step.expect("a successor is found again"));
        }
        Path { initial: self.configuration(&rows[0].0), steps: taken, failing }
    }
}
