//! Executions of small skeletons by enumeration: one step of one thread at a time, every interleaving, every value of
//! what is free. Shares nothing with the engine but the evaluation of terms.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_interleaving::skeleton::{
    CellId, EventId, Goal, Interference, Moment, MomentPlace, ReadId, SectionPlace, Site, Skeleton, Stop, StopId,
    ThreadId, WriteId,
};
use selvedge_interleaving::{Execution, GoalId};
use selvedge_logic::{Assignment, Op, SymbolId, Term};
use selvedge_program::{AccessKind, AccessMode, Atomicity};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// For each thread, the stops it has passed.
    passed: Vec<Vec<StopId>>,
    memory: Vec<u128>,
    values: BTreeMap<u32, u128>,
    /// The stops of atomicity goals, as they happened.
    history: Vec<StopId>,
}

pub struct Oracle<'a> {
    skeleton: &'a Skeleton,
    symbols: BTreeMap<u32, SymbolId>,
    remembered: Vec<StopId>,
}

enum Access {
    Read(ReadId),
    Write(WriteId),
}

impl<'a> Oracle<'a> {
    pub fn new(skeleton: &'a Skeleton) -> Self {
        let symbols = skeleton.terms.symbols().map(|symbol| (symbol.index() as u32, symbol)).collect();
        let remembered = skeleton
            .goals
            .iter()
            .flat_map(|goal| match goal {
                Goal::Atomicity(interferences) => &interferences[..],
                _ => &[],
            })
            .flat_map(|interference| [interference.first, interference.between, interference.second])
            .map(|site| skeleton.site(site).stop)
            .collect();
        Oracle { skeleton, symbols, remembered }
    }

    fn bits(&self, state: &State, term: Term) -> u128 {
        let mut assignment = Assignment::new();
        for (number, &bits) in &state.values {
            assignment.set(self.symbols[number], bits);
        }
        self.skeleton.terms.evaluate(term, &assignment).unwrap().unsigned()
    }

    fn is_true(&self, state: &State, term: Term) -> bool {
        self.bits(state, term) == 1
    }

    fn symbol(&self, term: Term) -> SymbolId {
        match self.skeleton.terms.op(term) {
            Op::Symbol(symbol) => symbol,
            _ => panic!("a read's value is a symbol"),
        }
    }

    /// The free symbols: all that are no reads.
    fn inputs(&self) -> Vec<SymbolId> {
        let reads: BTreeSet<u32> =
            self.skeleton.reads.iter().map(|read| self.symbol(read.value.bits).index() as u32).collect();
        self.symbols.iter().filter(|(number, _)| !reads.contains(number)).map(|(_, &symbol)| symbol).collect()
    }

    fn initial(&self, inputs: BTreeMap<u32, u128>) -> State {
        let passed = vec![Vec::new(); self.skeleton.threads.len()];
        let mut state = State { passed, memory: Vec::new(), values: inputs, history: Vec::new() };
        state.memory = self.skeleton.cells.iter().map(|cell| self.bits(&state, cell.initial.bits)).collect();
        state
    }

    fn alive(&self, state: &State, thread: ThreadId) -> bool {
        match self.skeleton.thread(thread).parent {
            None => true,
            Some(parent) => {
                let starter = self.skeleton.stop(parent.spawn).thread;
                state.passed[starter.index()].contains(&parent.spawn) && self.is_true(state, parent.started)
            }
        }
    }

    /// The stop before which the thread stands.
    fn standing(&self, state: &State, thread: ThreadId) -> Option<StopId> {
        if !self.alive(state, thread) {
            return None;
        }
        let passed = &state.passed[thread.index()];
        let from = passed.last().map_or(0, |&stop| self.skeleton.stop(stop).position as usize + 1);
        let stops = &self.skeleton.thread(thread).stops[from..];
        stops.iter().copied().find(|&stop| self.is_true(state, self.skeleton.stop(stop).reach))
    }

    fn accesses(&self, stop: StopId) -> Vec<Access> {
        let mut found = Vec::new();
        for (number, read) in self.skeleton.reads.iter().enumerate().filter(|(_, read)| read.stop == stop) {
            found.push((read.rank, Access::Read(ReadId::new(number))));
        }
        for (number, write) in self.skeleton.writes.iter().enumerate().filter(|(_, write)| write.stop == stop) {
            found.push((write.rank, Access::Write(WriteId::new(number))));
        }
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, access)| access).collect()
    }

    fn access(&self, state: &mut State, stop: StopId, writes: bool) {
        for access in self.accesses(stop) {
            match access {
                Access::Read(read) => {
                    let read = self.skeleton.read(read);
                    if self.is_true(state, read.enabled) {
                        let value = state.memory[read.cell.index()];
                        state.values.insert(self.symbol(read.value.bits).index() as u32, value);
                    }
                }
                Access::Write(write) if writes => {
                    let write = self.skeleton.write(write);
                    if self.is_true(state, write.enabled) {
                        state.memory[write.cell.index()] = self.bits(state, write.value.bits);
                    }
                }
                Access::Write(_) => {}
            }
        }
    }

    /// The thread stands in a section of which something has happened. (One of which nothing has may as well begin
    /// later.)
    fn in_section(&self, state: &State, thread: ThreadId) -> bool {
        let passed =
            |event: EventId| state.passed[thread.index()].iter().any(|&stop| self.skeleton.stop(stop).event == event);
        if let Some(stop) = self.standing(state, thread) {
            let stop = self.skeleton.stop(stop);
            return stop.section == SectionPlace::Inside && passed(stop.event);
        }
        let goals = self.skeleton.goals.iter().flat_map(|goal| match goal {
            Goal::Moments(moments) => moments.clone(),
            _ => Vec::new(),
        });
        goals.chain(self.skeleton.thread(thread).abandoned.iter().copied()).any(|moment| {
            let begun = match moment.place {
                MomentPlace::After(Some(stop), SectionPlace::Inside) => passed(self.skeleton.stop(stop).event),
                _ => false,
            };
            moment.thread == thread && begun && self.moment(state, &moment)
        })
    }

    /// No other thread stands in a section.
    fn can_move(&self, state: &State, thread: ThreadId) -> bool {
        let mut others = (0..self.skeleton.threads.len()).map(ThreadId::new).filter(|&other| other != thread);
        others.all(|other| !self.in_section(state, other))
    }

    /// One step of one thread, if it can make one.
    fn step(&self, state: &State, thread: ThreadId) -> Option<State> {
        if !self.can_move(state, thread) {
            return None;
        }
        let id = self.standing(state, thread)?;
        let mut next = state.clone();
        self.access(&mut next, id, true);
        if !self.is_true(&next, self.skeleton.stop(id).proceeds) {
            return None;
        }
        next.passed[thread.index()].push(id);
        if self.remembered.contains(&id) {
            next.history.push(id);
        }
        Some(next)
    }

    fn pending(&self, state: &State, stop: StopId) -> Option<State> {
        if self.standing(state, self.skeleton.stop(stop).thread) != Some(stop) {
            return None;
        }
        let mut seen = state.clone();
        self.access(&mut seen, stop, false);
        Some(seen)
    }

    /// The thread has come past all stops up to this one.
    fn has_passed(&self, state: &State, thread: ThreadId, stop: Option<StopId>) -> bool {
        let from = stop.map_or(0, |stop| self.skeleton.stop(stop).position as usize + 1);
        let next = match self.standing(state, thread) {
            Some(next) => self.skeleton.stop(next).position as usize,
            None => self.skeleton.thread(thread).stops.len(),
        };
        self.alive(state, thread) && next >= from
    }

    fn moment(&self, state: &State, moment: &Moment) -> bool {
        match moment.place {
            MomentPlace::After(stop, _) => {
                let from = stop.map_or(0, |stop| self.skeleton.stop(stop).position + 1);
                let last = state.passed[moment.thread.index()].last();
                self.has_passed(state, moment.thread, stop)
                    && last.is_none_or(|&last| self.skeleton.stop(last).position < from)
                    && self.is_true(state, moment.condition)
            }
            MomentPlace::Before(stop) => {
                self.pending(state, stop).is_some_and(|seen| self.is_true(&seen, moment.condition))
            }
        }
    }

    pub fn holds(&self, state: &State, goal: &Goal) -> bool {
        match goal {
            Goal::Moments(moments) => {
                moments.iter().any(|moment| self.moment(state, moment) && self.can_move(state, moment.thread))
            }
            Goal::Race(cells) => cells.iter().any(|&cell| self.race(state, cell)),
            Goal::Deadlock => self.deadlock(state),
            Goal::Atomicity(interferences) => interferences.iter().any(|&three| self.atomicity(state, three)),
            Goal::Walked { .. } => panic!("no random skeleton has such a goal"),
        }
    }

    fn race(&self, state: &State, cell: CellId) -> bool {
        let mut accesses: Vec<(ThreadId, AccessMode)> = Vec::new();
        for site in self.skeleton.sites.iter().filter(|site| site.cell == cell) {
            let Stop { thread, section, .. } = *self.skeleton.stop(site.stop);
            if section == SectionPlace::Inside && !self.can_move(state, thread) {
                continue;
            }
            if self.pending(state, site.stop).is_some_and(|seen| self.is_true(&seen, site.condition)) {
                accesses.push((thread, site.mode));
            }
        }
        accesses.iter().any(|(thread, first)| {
            accesses.iter().any(|(other, second)| {
                let is_plain = first.atomicity == Atomicity::Plain || second.atomicity == Atomicity::Plain;
                thread != other && first.kind == AccessKind::Write && is_plain
            })
        })
    }

    fn deadlock(&self, state: &State) -> bool {
        let threads: Vec<ThreadId> = (0..self.skeleton.threads.len()).map(ThreadId::new).collect();
        let blocked = |thread: ThreadId| {
            let stop = self.standing(state, thread)?;
            let seen = self.pending(state, stop)?;
            self.is_true(&seen, self.skeleton.stop(stop).blocked).then_some(stop)
        };
        let inside = threads.iter().any(|&thread| {
            blocked(thread).is_some_and(|stop| self.skeleton.stop(stop).section == SectionPlace::Inside)
                && self.can_move(state, thread)
        });
        threads.iter().any(|&thread| blocked(thread).is_some())
            && threads.iter().all(|&thread| {
                let ended =
                    self.standing(state, thread).is_none() && self.is_true(state, self.skeleton.thread(thread).ended);
                !self.alive(state, thread)
                    || ended
                    || blocked(thread).is_some()
                    || (inside && !self.abandoned(state, thread))
            })
    }

    fn abandoned(&self, state: &State, thread: ThreadId) -> bool {
        self.skeleton.thread(thread).abandoned.iter().any(|moment| match moment.place {
            MomentPlace::After(stop, _) => {
                self.has_passed(state, thread, stop) && self.is_true(state, moment.condition)
            }
            MomentPlace::Before(_) => self.moment(state, moment),
        })
    }

    fn atomicity(&self, state: &State, Interference { first, between, second }: Interference) -> bool {
        let [first, between, second] = [first, between, second].map(|site| self.skeleton.site(site));
        let when = |site: &Site| state.history.iter().position(|&stop| stop == site.stop);
        let [Some(before), Some(interrupted), Some(after)] = [first, between, second].map(when) else {
            return false;
        };
        let made = |site: &Site| self.is_true(state, site.made);
        let Stop { thread, position: from, .. } = *self.skeleton.stop(first.stop);
        let to = self.skeleton.stop(second.stop).position;
        let touched_again = self.skeleton.sites.iter().any(|site| {
            let own = site.stop == first.stop && site.access == first.access && made(site);
            own && self.skeleton.sites.iter().any(|again| {
                let stop = self.skeleton.stop(again.stop);
                let inside = stop.thread == thread && from < stop.position && stop.position < to
                    || again.stop == first.stop && again.access > first.access
                    || again.stop == second.stop && again.access < second.access;
                inside && again.cell == site.cell && state.passed[thread.index()].contains(&again.stop) && made(again)
            })
        });
        before < interrupted && interrupted < after && [first, between, second].into_iter().all(made) && !touched_again
    }

    fn facts_hold(&self, state: &State) -> bool {
        self.skeleton.facts.iter().all(|&fact| self.is_true(state, fact))
    }

    /// For each goal, whether some execution ends in it. `None`: too many states.
    pub fn reachable(&self, limit: usize) -> Option<Vec<bool>> {
        let inputs = self.inputs();
        let mut choices = vec![BTreeMap::new()];
        for &input in &inputs {
            let size = 1u128 << self.skeleton.terms.symbol_sort(input).width();
            choices = choices
                .into_iter()
                .flat_map(|choice| {
                    (0..size).map(move |value| {
                        let mut more = choice.clone();
                        more.insert(input.index() as u32, value);
                        more
                    })
                })
                .collect();
        }
        let mut waiting: Vec<State> =
            choices.into_iter().map(|inputs| self.initial(inputs)).filter(|state| self.facts_hold(state)).collect();
        let mut seen: BTreeSet<State> = waiting.iter().cloned().collect();
        let mut reached = vec![false; self.skeleton.goals.len()];
        while let Some(state) = waiting.pop() {
            for (reached, goal) in reached.iter_mut().zip(&self.skeleton.goals) {
                *reached = *reached || self.holds(&state, goal);
            }
            for thread in 0..self.skeleton.threads.len() {
                if let Some(next) = self.step(&state, ThreadId::new(thread))
                    && seen.insert(next.clone())
                {
                    waiting.push(next);
                }
            }
            if seen.len() > limit {
                return None;
            }
        }
        Some(reached)
    }

    /// Follows an execution step by step; panics where it is none, or where it claims something that does not hold.
    pub fn follow(&self, execution: &Execution) {
        let input = |symbol: SymbolId| execution.values.get(symbol).unwrap_or(0);
        let inputs = self.inputs().into_iter().map(|symbol| (symbol.index() as u32, input(symbol))).collect();
        let mut state = self.initial(inputs);
        assert!(self.facts_hold(&state), "the facts hold");
        for &stop in &execution.happened {
            let thread = self.skeleton.stop(stop).thread;
            assert_eq!(self.standing(&state, thread), Some(stop), "the thread stands there");
            state = self.step(&state, thread).expect("the thread can go on");
        }
        for thread in 0..self.skeleton.threads.len() {
            assert_eq!(
                self.standing(&state, ThreadId::new(thread)),
                execution.standing[thread],
                "all threads stand there"
            );
        }
        for (&number, &value) in &state.values {
            assert_eq!(input(self.symbols[&number]), value, "the reads see these values");
        }
        let mut seen = state.clone();
        for &stop in &execution.pending {
            seen = self.pending(&seen, stop).expect("the thread stands before its pending stop");
        }
        for (&number, &value) in &seen.values {
            assert_eq!(input(self.symbols[&number]), value, "the pending reads see these values");
        }
        assert!(!execution.goals.is_empty());
        for goal in &execution.goals {
            assert!(self.holds(&state, &self.skeleton.goals[goal.index()]), "{goal:?} holds");
        }
    }
}

/// All goals of a skeleton.
pub fn all_goals(skeleton: &Skeleton) -> Vec<GoalId> {
    (0..skeleton.goals.len()).map(GoalId::new).collect()
}
