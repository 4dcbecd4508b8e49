//! Executions, run step by step: a memory of cells, the stops in the order of the events, every condition evaluated
//! with the values that the reads really see. Nothing here knows of axioms or of the solver, so what passes is real
//! whatever the abstraction left out.
//!
//! A model of an abstraction gives the order and how far each thread has come; the values of its reads may be wrong. If
//! the threads take the same way with the right values, and the goal holds there, the wrong values did not matter. If
//! they do not, the conditions that come out differently say which reads did matter.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::{Assignment, Evaluation, Op, Term};
use selvedge_program::AccessMode;

use selvedge_symbolic::Word;

use crate::atomicity;
use crate::error::Result;
use crate::layout::{Access, Layout};
use crate::skeleton::GoalId;
use crate::skeleton::{
    CellId, EventId, Goal, Interference, Moment, MomentPlace, ReadId, SectionPlace, Skeleton, Stop, StopId, ThreadId,
    WriteId, choices_for,
};

/// An execution, up to where each thread stands.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The goals, of those asked for, that hold at its end.
    pub goals: Vec<GoalId>,
    /// The stops that were passed on the way, in order.
    pub happened: Vec<StopId>,
    /// For each thread, the stop before which it stands; `None` if it has not started or has no stop left.
    pub standing: Vec<Option<StopId>>,
    /// The stops whose reads were made in the final memory, because a goal is about them.
    pub pending: Vec<StopId>,
    /// The values of all symbols.
    pub values: Assignment,
}

/// What a model says about an execution.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub order: Vec<EventId>,
    /// For each thread, how many stops of its chain are passed.
    pub frontiers: Vec<usize>,
    pub pending: Vec<StopId>,
    pub values: Assignment,
}

/// What comes of running a course.
#[derive(Debug)]
pub(crate) enum Ran {
    Execution(Box<Execution>),
    /// With the values that the reads really see it is not an execution, or none of the goals holds. The reads that
    /// make a difference.
    Differently(FxHashSet<ReadId>),
}

/// Runs a course; in the end the assumptions must hold, and one of the goals.
pub(crate) fn run(
    skeleton: &Skeleton,
    layout: &Layout,
    course: &Course,
    asked: &[GoalId],
    assumed: &[Term],
) -> Result<Ran> {
    let mut run = Run::new(skeleton, layout, course)?;
    if !run.all_events()? || !run.stand()? || !run.sections_are_whole()? {
        return Ok(Ran::Differently(run.relevant()?));
    }
    let mut goals = Vec::new();
    for &goal in asked {
        let Some(described) = skeleton.goals.get(goal.index()) else { continue };
        let holds = run.holds(described)?;
        if holds && !run.contradiction {
            goals.push(goal);
        }
        run.contradiction = false;
    }
    if goals.is_empty() || !run.all_hold(&skeleton.facts)? || !run.all_hold(assumed)? {
        return Ok(Ran::Differently(run.relevant()?));
    }
    let values = run.all_values()?;
    let pending = (0..skeleton.stops.len()).map(StopId::new).filter(|stop| run.pending[stop.index()]).collect();
    let execution = Execution { goals, happened: run.happened, standing: run.standing, pending, values };
    Ok(Ran::Execution(Box::new(execution)))
}

type Bits = (u128, u128);

struct Run<'a> {
    skeleton: &'a Skeleton,
    layout: &'a Layout,
    course: &'a Course,
    evaluation: Evaluation,
    /// What the model says.
    claimed: Evaluation,
    memory: Vec<Bits>,
    /// For each cell, the last write to it.
    last: Vec<Option<WriteId>>,
    /// For each read that was made, where its value comes from.
    origins: FxHashMap<ReadId, Option<WriteId>>,
    /// Conditions that come out differently than the model says.
    differences: Vec<Term>,
    happened: Vec<StopId>,
    /// For each stop, when it happened.
    moments: Vec<Option<usize>>,
    alive: Vec<bool>,
    standing: Vec<Option<StopId>>,
    /// Stops whose reads have been made in the final memory.
    pending: Vec<bool>,
    /// A symbol was needed before it got its value, and the value is another.
    contradiction: bool,
    /// Terms of which all operations have been computed.
    computed: FxHashSet<Term>,
}

impl<'a> Run<'a> {
    fn new(skeleton: &'a Skeleton, layout: &'a Layout, course: &'a Course) -> Result<Self> {
        let mut run = Run {
            skeleton,
            layout,
            course,
            evaluation: Evaluation::new(),
            claimed: Evaluation::new(),
            memory: Vec::with_capacity(skeleton.cells.len()),
            last: vec![None; skeleton.cells.len()],
            origins: FxHashMap::default(),
            differences: Vec::new(),
            happened: Vec::new(),
            moments: vec![None; skeleton.stops.len()],
            alive: skeleton.threads.iter().map(|thread| thread.parent.is_none()).collect(),
            standing: vec![None; skeleton.threads.len()],
            pending: vec![false; skeleton.stops.len()],
            contradiction: false,
            computed: FxHashSet::default(),
        };
        for cell in &skeleton.cells {
            let initial = run.word(cell.initial)?;
            run.memory.push(initial);
        }
        Ok(run)
    }

    fn bits(&mut self, term: Term) -> Result<u128> {
        if !self.skeleton.opaque.is_empty() {
            self.compute(term)?;
        }
        Ok(self.evaluation.value(&self.skeleton.terms, term, &self.course.values)?.unsigned())
    }

    /// Gives the operations that a term depends on the results that they have.
    fn compute(&mut self, term: Term) -> Result<()> {
        let terms = &self.skeleton.terms;
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            if !self.computed.insert(term) {
                continue;
            }
            pending.extend(terms.operands(term));
            let Op::Symbol(symbol) = terms.op(term) else { continue };
            let Some(&number) = self.layout.opaque_of_symbol.get(&symbol) else { continue };
            let opaque = self.skeleton.opaque[number];
            let (left, right) = (self.bits(opaque.application.left)?, self.bits(opaque.application.right)?);
            let (result, undefined) = opaque.values(terms, left, right);
            self.contradiction |= !self.evaluation.fix(terms, opaque.result, result)?;
            self.contradiction |= !self.evaluation.fix(terms, opaque.undefined, undefined)?;
        }
        Ok(())
    }

    fn claimed_bits(&mut self, term: Term) -> Result<u128> {
        Ok(self.claimed.value(&self.skeleton.terms, term, &self.course.values)?.unsigned())
    }

    /// The truth of a condition; it is noted down if it is not what the model says.
    fn is_true(&mut self, term: Term) -> Result<bool> {
        let holds = self.bits(term)? == 1;
        if holds != (self.claimed_bits(term)? == 1) {
            self.differences.push(term);
        }
        Ok(holds)
    }

    fn word(&mut self, word: Word) -> Result<Bits> {
        Ok((self.bits(word.tag)?, self.bits(word.bits)?))
    }

    /// Lets the reads and writes of a stop happen, or only its reads.
    fn make_accesses(&mut self, stop: StopId, writes: bool) -> Result<()> {
        for &access in &self.layout.accesses[stop.index()] {
            match access {
                Access::Read(id) => {
                    let read = self.skeleton.read(id);
                    if self.is_true(read.enabled)? {
                        let (tag, bits) = self.memory[read.cell.index()];
                        self.origins.insert(id, self.last[read.cell.index()]);
                        self.give(read.value.tag, tag)?;
                        self.give(read.value.bits, bits)?;
                    }
                }
                Access::Write(id) if writes => {
                    let write = self.skeleton.write(id);
                    if self.is_true(write.enabled)? {
                        self.memory[write.cell.index()] = self.word(write.value)?;
                        self.last[write.cell.index()] = Some(id);
                    }
                }
                Access::Write(_) => {}
            }
        }
        Ok(())
    }

    /// A read sees a value.
    fn give(&mut self, term: Term, value: u128) -> Result<()> {
        let terms = &self.skeleton.terms;
        let agrees = match terms.op(term) {
            Op::Symbol(_) => self.evaluation.fix(terms, term, value)?,
            _ => match choices_for(terms, term, value) {
                Some(choices) => {
                    let mut agrees = true;
                    for (choice, taken) in choices {
                        agrees &= self.evaluation.fix(terms, choice, u128::from(taken))?;
                    }
                    agrees
                }
                None => self.bits(term)? == value,
            },
        };
        self.contradiction |= !agrees;
        Ok(())
    }

    /// Every stop that the course passes and that is on the way: its thread is alive, its guards hold.
    fn all_events(&mut self) -> Result<bool> {
        let (skeleton, layout, course) = (self.skeleton, self.layout, self.course);
        let mut children: Vec<Vec<(ThreadId, Term)>> = vec![Vec::new(); skeleton.stops.len()];
        for (number, thread) in skeleton.threads.iter().enumerate() {
            if let Some(parent) = thread.parent {
                children[parent.spawn.index()].push((ThreadId::new(number), parent.started));
            }
        }
        for &event in &course.order {
            for &id in &layout.stops_of_event[event.index()] {
                let stop = skeleton.stop(id);
                if stop.position as usize >= course.frontiers[stop.thread.index()] || !self.is_true(stop.reach)? {
                    continue;
                }
                if !self.alive[stop.thread.index()] {
                    return Ok(false);
                }
                self.make_accesses(id, true)?;
                if self.contradiction || !self.is_true(stop.proceeds)? {
                    return Ok(false);
                }
                self.moments[id.index()] = Some(self.happened.len());
                self.happened.push(id);
                for &(child, started) in &children[id.index()] {
                    self.alive[child.index()] = self.is_true(started)?;
                }
            }
        }
        Ok(self.chains_are_in_order())
    }

    /// The stops of each thread happened in the order of its chain.
    fn chains_are_in_order(&self) -> bool {
        self.skeleton.threads.iter().all(|thread| {
            let times = thread.stops.iter().filter_map(|stop| self.moments[stop.index()]);
            times.is_sorted()
        })
    }

    /// Where each thread stands.
    fn stand(&mut self) -> Result<bool> {
        for (number, thread) in self.skeleton.threads.iter().enumerate() {
            if !self.alive[number] {
                continue;
            }
            for &id in &thread.stops[self.course.frontiers[number].min(thread.stops.len())..] {
                if self.is_true(self.skeleton.stop(id).reach)? {
                    self.standing[number] = Some(id);
                    break;
                }
            }
        }
        Ok(!self.contradiction)
    }

    /// The threads that stand inside sections.
    fn inside(&mut self) -> Result<Vec<(ThreadId, EventId)>> {
        let skeleton = self.skeleton;
        let mut sections: Vec<(ThreadId, EventId)> = Vec::new();
        for &id in self.standing.iter().flatten() {
            let stop = skeleton.stop(id);
            if stop.section == SectionPlace::Inside {
                sections.push((stop.thread, stop.event));
            }
        }
        let goals = skeleton.goals.iter().flat_map(|goal| match goal {
            Goal::Moments(moments) => &moments[..],
            _ => &[],
        });
        for moment in goals.chain(skeleton.threads.iter().flat_map(|thread| &thread.abandoned)) {
            if let MomentPlace::After(Some(stop), SectionPlace::Inside) = moment.place
                && self.moment_holds(moment)?
            {
                sections.push((moment.thread, skeleton.stop(stop).event));
            }
        }
        Ok(sections)
    }

    /// No other thread stands inside a section of which something has happened.
    fn can_move(&mut self, thread: ThreadId) -> Result<bool> {
        let inside = self.inside()?;
        let begun = |event: EventId| {
            self.layout.stops_of_event[event.index()].iter().any(|stop| self.moments[stop.index()].is_some())
        };
        Ok(inside.into_iter().all(|(other, event)| other == thread || !begun(event)))
    }

    /// Nothing happened in other threads after the section in which a thread stands.
    fn sections_are_whole(&mut self) -> Result<bool> {
        let skeleton = self.skeleton;
        Ok(self.inside()?.into_iter().all(|(thread, event)| {
            let own = self.layout.stops_of_event[event.index()].iter();
            // A section of which nothing has happened yet begins now, after everything else.
            let last = own.filter_map(|stop| self.moments[stop.index()]).max().unwrap_or(self.happened.len());
            self.happened[last..].iter().all(|&stop| skeleton.stop(stop).thread == thread)
        }))
    }

    /// The place in the chain before which the thread stands.
    fn position(&self, thread: ThreadId) -> usize {
        match self.standing[thread.index()] {
            Some(stop) => self.skeleton.stop(stop).position as usize,
            None if self.alive[thread.index()] => self.skeleton.thread(thread).stops.len(),
            None => 0,
        }
    }

    fn moment_holds(&mut self, moment: &Moment) -> Result<bool> {
        match moment.place {
            MomentPlace::After(stop, _) => {
                let from = stop.map_or(0, |stop| self.skeleton.stop(stop).position as usize + 1);
                let position = self.position(moment.thread);
                let stops = &self.skeleton.thread(moment.thread).stops;
                if !self.alive[moment.thread.index()] || position < from {
                    return Ok(false);
                }
                let beyond = stops[from..position].iter().any(|stop| self.moments[stop.index()].is_some());
                Ok(!beyond && self.is_true(moment.condition)?)
            }
            MomentPlace::Before(stop) => Ok(self.make_pending(stop)? && self.is_true(moment.condition)?),
        }
    }

    /// Makes the reads of a stop in the final memory, if its thread stands there.
    fn make_pending(&mut self, stop: StopId) -> Result<bool> {
        if self.standing[self.skeleton.stop(stop).thread.index()] != Some(stop) {
            return Ok(false);
        }
        if !self.pending[stop.index()] {
            self.pending[stop.index()] = true;
            self.make_accesses(stop, false)?;
        }
        Ok(true)
    }

    fn holds(&mut self, goal: &Goal) -> Result<bool> {
        match goal {
            Goal::Moments(moments) => {
                for moment in moments {
                    if self.moment_holds(moment)? && self.can_move(moment.thread)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Goal::Race(cells) => self.race(cells),
            Goal::Deadlock => self.deadlock(),
            Goal::Atomicity(interferences) => {
                for &interference in interferences {
                    if self.atomicity(interference)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Goal::Walked { passed, end } => {
                let all = passed.iter().all(|&(thread, count)| self.has_walked(thread, count));
                Ok(all && end.as_deref().map_or(Ok(true), |end| self.holds(end))?)
            }
        }
    }

    /// The thread has passed the first stops of its chain, and stands before the next one.
    fn has_walked(&self, thread: ThreadId, count: u32) -> bool {
        let stops = &self.skeleton.thread(thread).stops;
        let (done, rest) = stops.split_at((count as usize).min(stops.len()));
        self.alive[thread.index()]
            && done.iter().all(|stop| self.moments[stop.index()].is_some())
            && rest.iter().all(|stop| self.moments[stop.index()].is_none())
    }

    fn race(&mut self, cells: &[CellId]) -> Result<bool> {
        let mut accesses: Vec<(CellId, ThreadId, AccessMode)> = Vec::new();
        for stop in self.standing.clone().into_iter().flatten() {
            let Stop { thread, section, .. } = *self.skeleton.stop(stop);
            if section == SectionPlace::Inside && !self.can_move(thread)? {
                continue;
            }
            for &number in &self.layout.sites_of_stop[stop.index()] {
                let site = self.skeleton.sites[number as usize];
                if !cells.contains(&site.cell) || (site.needs_pending && !self.make_pending(stop)?) {
                    continue;
                }
                if self.is_true(site.condition)? {
                    accesses.push((site.cell, thread, site.mode));
                }
            }
        }
        Ok(accesses.iter().enumerate().any(|(number, (cell, thread, mode))| {
            accesses[..number].iter().any(|(other_cell, other_thread, other)| {
                cell == other_cell && thread != other_thread && mode.races_with(*other)
            })
        }))
    }

    fn deadlock(&mut self) -> Result<bool> {
        let (mut someone, mut inside) = (false, false);
        let mut blocked = vec![false; self.skeleton.threads.len()];
        for stop in self.standing.clone().into_iter().flatten() {
            let described = self.skeleton.stop(stop);
            let never = self.skeleton.terms.constant_value(described.blocked).is_some_and(|value| !value.is_true());
            if !never && self.make_pending(stop)? && self.is_true(described.blocked)? {
                blocked[described.thread.index()] = true;
                someone = true;
                inside |= described.section == SectionPlace::Inside && self.can_move(described.thread)?;
            }
        }
        if !someone {
            return Ok(false);
        }
        for (number, thread) in self.skeleton.threads.iter().enumerate() {
            if !self.alive[number] || blocked[number] {
                continue;
            }
            let ended = self.standing[number].is_none() && self.is_true(thread.ended)?;
            if !ended && (!inside || self.abandoned(ThreadId::new(number))?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn abandoned(&mut self, thread: ThreadId) -> Result<bool> {
        for moment in &self.skeleton.thread(thread).abandoned {
            let there = match moment.place {
                MomentPlace::After(stop, _) => {
                    let from = stop.map_or(0, |stop| self.skeleton.stop(stop).position as usize + 1);
                    self.position(thread) >= from
                }
                MomentPlace::Before(stop) => self.make_pending(stop)?,
            };
            if there && self.is_true(moment.condition)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn atomicity(&mut self, interference: Interference) -> Result<bool> {
        let (skeleton, layout) = (self.skeleton, self.layout);
        if !atomicity::is_in_order(skeleton, interference, |stop| self.moments[stop.index()]) {
            return Ok(false);
        }
        let Interference { first, between, second } = interference;
        for site in [first, between, second] {
            if !self.is_true(skeleton.site(site).made)? {
                return Ok(false);
            }
        }
        for (touched, again) in atomicity::touched_again(skeleton, layout, first, second) {
            if self.is_true(skeleton.site(touched).made)? && self.is_true(skeleton.site(again).made)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn all_hold(&mut self, conditions: &[Term]) -> Result<bool> {
        for &condition in conditions {
            if !self.is_true(condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The reads whose values are not what the model says and which make a difference: those in conditions that come
    /// out differently, and those in the values of the writes that they see.
    fn relevant(&mut self) -> Result<FxHashSet<ReadId>> {
        let (skeleton, layout) = (self.skeleton, self.layout);
        let mut found = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut pending = skeleton.terms.symbols_of(&self.differences);
        while let Some(symbol) = pending.pop() {
            if let Some(&opaque) = layout.opaque_of_symbol.get(&symbol)
                && seen.insert(opaque)
            {
                let application = skeleton.opaque[opaque].application;
                pending.extend(skeleton.terms.symbols_of(&[application.left, application.right]));
            }
            let Some(&read) = layout.read_of_symbol.get(&symbol) else { continue };
            let Word { tag, bits } = skeleton.read(read).value;
            let differs = self.bits(tag)? != self.claimed_bits(tag)? || self.bits(bits)? != self.claimed_bits(bits)?;
            if differs
                && found.insert(read)
                && let Some(&Some(write)) = self.origins.get(&read)
            {
                let value = skeleton.write(write).value;
                pending.extend(skeleton.terms.symbols_of(&[value.tag, value.bits]));
            }
        }
        Ok(found)
    }

    /// The values of all symbols: of the reads that were made, what they saw.
    fn all_values(&mut self) -> Result<Assignment> {
        let mut values = self.course.values.clone();
        let terms = &self.skeleton.terms;
        for opaque in &self.skeleton.opaque {
            for term in [opaque.result, opaque.undefined] {
                if let Op::Symbol(symbol) = terms.op(term) {
                    let bits = self.bits(term)?;
                    values.set(symbol, bits);
                }
            }
        }
        for read in &self.skeleton.reads {
            for term in terms.post_order(&[read.value.tag, read.value.bits]) {
                if let Op::Symbol(symbol) = terms.op(term) {
                    let bits = self.bits(term)?;
                    values.set(symbol, bits);
                }
            }
        }
        Ok(values)
    }
}
