//! From a skeleton to clauses, without the axioms: how far each thread has come, what that needs, and the order that
//! goes with it.
//!
//! The meaning of `passed`, `at` and `pending` is given in [`crate::skeleton`]. A thread that is cut before a stop
//! stands there (`passed(k-1) ∧ ¬passed(k) ⇒ reach(k)`), so `at(k)` is `passed(k-1) ∧ ¬passed(k)`.
//!
//! Two moments of the whole program are events of their own, each used only under the condition that makes it matter:
//! - *stillness*: some thread stands inside a section; what has happened in all others comes before, its section after.
//!   A thread that stands before the first stop of a section may as well be in front of it; unless a goal is about that
//!   stop, it does not count.
//! - *finality*: some stop is pending; everything that has happened comes before, the event of every pending stop
//!   after. (A pending stop inside a section shares the section's event; stillness orders it.)
//!
//! Both are told only where each thread is cut: earlier events of the thread follow by its own order.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_logic::{Event, Lit, Model, Solver, Term};
use selvedge_program::{Budget, Exhausted};

use crate::error::Result;
use crate::layout::Layout;
use crate::links::Source;
use crate::locks::{BlockId, Locks};
use crate::skeleton::{CellId, EventId, MomentPlace, ReadId, SectionPlace, Skeleton, StopId, ThreadId, WriteId};
use crate::skeleton::{Goal, Moment};
use crate::truth::Truth;

/// A moment of the whole program that is an event.
#[derive(Debug)]
struct Landmark {
    event: Event,
    /// What makes it matter: for stillness, that a thread stands inside a section, for each thread; for finality, that
    /// a stop is pending, one for all.
    reasons: Vec<Lit>,
}

/// The clauses of one skeleton in one solver, built on demand.
#[derive(Debug)]
pub(crate) struct Encoding {
    pub solver: Solver,
    pub layout: Rc<Layout>,
    events: Vec<Event>,
    passed: Vec<Lit>,
    alive: Vec<Truth>,
    done: Vec<Option<Truth>>,
    at: Vec<Option<Truth>>,
    /// For each thread, by place in the chain: some stop at this place or later is reached and passed.
    gone: Vec<Option<Vec<Truth>>>,
    pending: Vec<Option<Lit>>,
    /// Stops that have become pending since this was last looked at.
    pub new_pending: Vec<StopId>,
    stillness: Option<Landmark>,
    /// For each thread, true whenever another stands inside a section of which something has happened. Empty if there
    /// are no sections.
    held_up: Vec<Lit>,
    /// For each thread, true whenever it stands so.
    open: Vec<Lit>,
    finality: Option<Landmark>,
    pub links: FxHashMap<(ReadId, Source), Lit>,
    /// For pairs of events, the smaller first, whether it is before the other.
    orders: FxHashMap<(EventId, EventId), Lit>,
    pub locks: Rc<Locks>,
    /// For pairs of blocks of one lock, the smaller first, whether it is before the other.
    pub blocks: FxHashMap<(BlockId, BlockId), Lit>,
    /// For each lock, who holds it in the end.
    pub holders: FxHashMap<CellId, Vec<Truth>>,
    /// Bytes that clauses and edges take, roughly.
    weight: u64,
    budget: Budget,
    /// Whether no limit has been reached while clauses were added. From then on nothing is added and no condition has
    /// a literal.
    in_budget: std::result::Result<(), Exhausted>,
    until_look: u32,
}

/// How many clauses are added between two looks at the budget.
const CLAUSES_PER_LOOK: u32 = 1024;

impl Encoding {
    /// The clauses that every question needs; [`Error::Exhausted`] if a limit is reached on the way, then or later.
    pub fn new(
        skeleton: &mut Skeleton,
        layout: Rc<Layout>,
        locks: Rc<Locks>,
        mut solver: Solver,
        budget: &Budget,
    ) -> Result<Self> {
        let events = (0..skeleton.events).map(|_| solver.new_event()).collect();
        let passed = skeleton.stops.iter().map(|_| solver.new_literal()).collect();
        let mut encoding = Encoding {
            solver,
            layout,
            events,
            passed,
            alive: vec![Truth::Always; skeleton.threads.len()],
            done: vec![None; skeleton.writes.len()],
            at: vec![None; skeleton.stops.len()],
            gone: vec![None; skeleton.threads.len()],
            pending: vec![None; skeleton.stops.len()],
            new_pending: Vec::new(),
            stillness: None,
            held_up: Vec::new(),
            open: Vec::new(),
            finality: None,
            links: FxHashMap::default(),
            locks,
            blocks: FxHashMap::default(),
            holders: FxHashMap::default(),
            orders: FxHashMap::default(),
            weight: 0,
            budget: budget.clone(),
            in_budget: Ok(()),
            until_look: CLAUSES_PER_LOOK,
        };
        for &fact in &skeleton.facts {
            encoding.solver.add(&skeleton.terms, fact)?;
        }
        for number in 0..skeleton.threads.len() {
            encoding.start(skeleton, ThreadId::new(number))?;
        }
        for number in 0..skeleton.threads.len() {
            encoding.chain(skeleton, ThreadId::new(number))?;
        }
        encoding.sections(skeleton)?;
        encoding.goes_on()?;
        Ok(encoding)
    }

    /// An error once a limit has been reached.
    pub fn goes_on(&self) -> Result<()> {
        Ok(self.in_budget?)
    }

    fn look_at_budget(&mut self, kept: u64) {
        self.until_look -= 1;
        if self.until_look == 0 {
            self.until_look = CLAUSES_PER_LOOK;
            self.in_budget = self.in_budget.and_then(|()| self.budget.check_with(kept));
        }
    }

    /// Bytes kept, roughly.
    pub fn memory(&self, skeleton: &Skeleton) -> u64 {
        let statistics = self.solver.statistics();
        self.weight + 64 * (statistics.gates + statistics.clauses) + 160 * skeleton.terms.len() as u64
    }

    pub fn clause(&mut self, literals: &[Truth]) {
        let mut clause = Vec::with_capacity(literals.len());
        for &literal in literals {
            match literal {
                Truth::Always => return,
                Truth::Never => {}
                Truth::When(literal) => clause.push(literal),
            }
        }
        self.weight += 24 + 8 * clause.len() as u64;
        self.look_at_budget(self.weight);
        if self.in_budget.is_ok() {
            self.solver.add_clause(&clause);
        }
    }

    /// All of the premises make the conclusion true.
    pub fn implies(&mut self, premises: &[Truth], conclusion: Truth) {
        let mut clause: Vec<Truth> = premises.iter().map(|&premise| !premise).collect();
        clause.push(conclusion);
        self.clause(&clause);
    }

    /// The two terms are the same while the literal is true.
    pub fn equal_when(&mut self, skeleton: &Skeleton, condition: Lit, a: Term, b: Term) -> Result<()> {
        self.weight += 64 * u64::from(skeleton.terms.sort(a).width());
        Ok(self.solver.add_equal_when(&skeleton.terms, condition, a, b)?)
    }

    pub fn term(&mut self, skeleton: &Skeleton, term: Term) -> Result<Truth> {
        self.goes_on()?;
        Ok(match skeleton.terms.constant_value(term) {
            Some(value) if value.is_true() => Truth::Always,
            Some(_) => Truth::Never,
            None => Truth::When(self.solver.literal(&skeleton.terms, term)?),
        })
    }

    /// Exactly when all of them hold.
    pub fn all(&mut self, conditions: &[Truth]) -> Truth {
        let mut open: Vec<Truth> = Vec::with_capacity(conditions.len());
        for &condition in conditions {
            match condition {
                Truth::Never => return Truth::Never,
                Truth::Always => {}
                Truth::When(_) if open.contains(&condition) => {}
                Truth::When(_) => open.push(condition),
            }
        }
        match open[..] {
            [] => Truth::Always,
            [only] => only,
            _ => {
                let all = Truth::When(self.solver.new_literal());
                open.iter().for_each(|&condition| self.implies(&[all], condition));
                self.implies(&open, all);
                all
            }
        }
    }

    /// Exactly when one of them holds.
    pub fn any(&mut self, conditions: &[Truth]) -> Truth {
        let negated: Vec<Truth> = conditions.iter().map(|&condition| !condition).collect();
        !self.all(&negated)
    }

    pub fn passed(&self, stop: StopId) -> Truth {
        Truth::When(self.passed[stop.index()])
    }

    pub fn alive(&self, thread: ThreadId) -> Truth {
        self.alive[thread.index()]
    }

    /// The whole chain is passed, by a thread that has started.
    pub fn finished_chain(&self, skeleton: &Skeleton, thread: ThreadId) -> Truth {
        skeleton.thread(thread).stops.last().map_or(self.alive(thread), |&stop| self.passed(stop))
    }

    fn start(&mut self, skeleton: &Skeleton, thread: ThreadId) -> Result<()> {
        let Some(parent) = skeleton.thread(thread).parent else { return Ok(()) };
        let reach = self.term(skeleton, skeleton.stop(parent.spawn).reach)?;
        let started = self.term(skeleton, parent.started)?;
        self.alive[thread.index()] = self.all(&[self.passed(parent.spawn), reach, started]);
        let spawn = skeleton.stop(parent.spawn).event;
        if let Some(&first) = self.layout.events_of_thread[thread.index()].first() {
            self.solver.add_before(self.events[spawn.index()], self.events[first.index()])?;
        }
        Ok(())
    }

    fn chain(&mut self, skeleton: &Skeleton, thread: ThreadId) -> Result<()> {
        let mut before = self.alive(thread);
        for &id in &skeleton.thread(thread).stops {
            let stop = skeleton.stop(id);
            let passed = self.passed(id);
            let reach = self.term(skeleton, stop.reach)?;
            let proceeds = self.term(skeleton, stop.proceeds)?;
            self.implies(&[passed], before);
            self.implies(&[before, !passed], reach);
            self.implies(&[passed, reach], proceeds);
            before = passed;
        }
        let layout = Rc::clone(&self.layout);
        for pair in layout.events_of_thread[thread.index()].windows(2) {
            self.solver.add_before(self.events[pair[0].index()], self.events[pair[1].index()])?;
            self.weight += 64;
        }
        Ok(())
    }

    /// The thread stands before this stop.
    pub fn at(&mut self, skeleton: &Skeleton, id: StopId) -> Truth {
        if let Some(known) = self.at[id.index()] {
            return known;
        }
        let before = self.before_in_chain(skeleton, id);
        let at = self.all(&[before, !self.passed(id)]);
        self.at[id.index()] = Some(at);
        at
    }

    /// The stop before this one is passed; for the first, the thread has started.
    fn before_in_chain(&self, skeleton: &Skeleton, id: StopId) -> Truth {
        let stop = skeleton.stop(id);
        match (stop.position as usize).checked_sub(1) {
            Some(place) => self.passed(skeleton.thread(stop.thread).stops[place]),
            None => self.alive(stop.thread),
        }
    }

    /// Some stop of the thread after this place (`None`: any stop) is reached and passed.
    pub fn beyond(&mut self, skeleton: &Skeleton, thread: ThreadId, after: Option<StopId>) -> Result<Truth> {
        let from = after.map_or(0, |stop| skeleton.stop(stop).position as usize + 1);
        if self.gone[thread.index()].is_none() {
            let stops = &skeleton.thread(thread).stops;
            let mut gone = vec![Truth::Never; stops.len() + 1];
            for (place, &id) in stops.iter().enumerate().rev() {
                let reach = self.term(skeleton, skeleton.stop(id).reach)?;
                let here = self.all(&[self.passed(id), reach]);
                gone[place] = self.any(&[gone[place + 1], here]);
            }
            self.gone[thread.index()] = Some(gone);
        }
        let known = self.gone[thread.index()].as_ref().and_then(|gone| gone.get(from));
        Ok(known.copied().unwrap_or(Truth::Never))
    }

    /// The write has happened.
    pub fn done(&mut self, skeleton: &Skeleton, id: WriteId) -> Result<Truth> {
        if let Some(known) = self.done[id.index()] {
            return Ok(known);
        }
        let write = skeleton.write(id);
        let enabled = self.term(skeleton, write.enabled)?;
        let done = self.all(&[enabled, self.passed(write.stop)]);
        self.done[id.index()] = Some(done);
        Ok(done)
    }

    /// The first event is before the second, in every execution or when a literal is true; when it is false, the second
    /// is before the first. (A literal for each direction, false meaning nothing, was measured: more conflicts, and
    /// more models that are no executions.)
    ///
    /// Where both lie inside blocks of one lock, that is so if both happen: what does not happen has no place in the
    /// order.
    pub fn before(&mut self, skeleton: &Skeleton, a: EventId, b: EventId) -> Result<Truth> {
        if let Some(settled) = self.settled(a, b) {
            return Ok(settled);
        }
        if let Some((a, b)) = self.locks.around(a, b) {
            return self.block_before(skeleton, a, b);
        }
        self.weight += 128;
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        let literal = match self.orders.get(&(low, high)) {
            Some(&known) => known,
            None => {
                let literal = self.solver.new_literal();
                self.solver.add_edge(literal, self.events[low.index()], self.events[high.index()])?;
                self.solver.add_edge(!literal, self.events[high.index()], self.events[low.index()])?;
                self.orders.insert((low, high), literal);
                literal
            }
        };
        Ok(Truth::When(if a < b { literal } else { !literal }))
    }

    /// While this is true, the first event is before the second; while it is not, nothing is said.
    pub fn edge(&mut self, a: EventId, b: EventId) -> Result<Truth> {
        if let Some(settled) = self.settled(a, b) {
            return Ok(settled);
        }
        self.weight += 64;
        Ok(self.solver.before(self.events[a.index()], self.events[b.index()])?.into())
    }

    /// Whether one event is before another, if that is so in every execution, or never.
    fn settled(&self, a: EventId, b: EventId) -> Option<Truth> {
        if a == b || self.layout.precedes(b, a) {
            return Some(Truth::Never);
        }
        self.layout.precedes(a, b).then_some(Truth::Always)
    }

    /// Threads that stand inside sections hold up all others.
    fn sections(&mut self, skeleton: &Skeleton) -> Result<()> {
        let layout = Rc::clone(&self.layout);
        // For each stop, whether something of its section has happened, up to it.
        let mut begun: Vec<Truth> = vec![Truth::Never; skeleton.stops.len()];
        for stops in &layout.stops_of_event {
            let is_section = stops.iter().any(|&stop| skeleton.stop(stop).section == SectionPlace::Inside);
            let mut so_far = Truth::Never;
            for &id in stops.iter().filter(|_| is_section) {
                let stop = skeleton.stop(id);
                if stop.section == SectionPlace::Inside {
                    let at = self.at(skeleton, id);
                    self.hold_up(skeleton, &[at, so_far], stop.thread, stop.event)?;
                    self.stays_open(&[at, so_far], stop.thread);
                }
                let reach = self.term(skeleton, stop.reach)?;
                let here = self.all(&[self.passed(id), reach]);
                so_far = self.any(&[so_far, here]);
                begun[id.index()] = so_far;
            }
        }
        let moments = skeleton.goals.iter().flat_map(|goal| match goal {
            Goal::Moments(moments) => &moments[..],
            _ => &[],
        });
        let moments: Vec<Moment> =
            moments.chain(skeleton.threads.iter().flat_map(|thread| &thread.abandoned)).copied().collect();
        for moment in moments {
            // A path may end inside a section.
            if let MomentPlace::After(Some(stop), SectionPlace::Inside) = moment.place {
                let condition = self.term(skeleton, moment.condition)?;
                let beyond = self.beyond(skeleton, moment.thread, Some(stop))?;
                let premises = [self.passed(stop), condition, !beyond, begun[stop.index()]];
                self.hold_up(skeleton, &premises, moment.thread, skeleton.stop(stop).event)?;
                self.stays_open(&premises, moment.thread);
            }
        }
        Ok(())
    }

    /// Under these premises the thread stands inside the section of this event.
    pub fn hold_up(
        &mut self,
        skeleton: &Skeleton,
        premises: &[Truth],
        thread: ThreadId,
        section: EventId,
    ) -> Result<()> {
        if premises.contains(&Truth::Never) {
            return Ok(());
        }
        if self.stillness.is_none() {
            let event = self.solver.new_event();
            let reasons: Vec<Lit> = skeleton.threads.iter().map(|_| self.solver.new_literal()).collect();
            for number in 0..reasons.len() {
                let others = self.solver.new_literal();
                for (_, &reason) in reasons.iter().enumerate().filter(|&(other, _)| other != number) {
                    self.implies(&[reason.into()], others.into());
                }
                self.happens_before(skeleton, ThreadId::new(number), others, event)?;
            }
            self.open = skeleton.threads.iter().map(|_| self.solver.new_literal()).collect();
            self.held_up = skeleton.threads.iter().map(|_| self.solver.new_literal()).collect();
            for one in 0..skeleton.threads.len() {
                for other in (0..skeleton.threads.len()).filter(|&other| other != one) {
                    self.implies(&[self.open[one].into()], self.held_up[other].into());
                }
            }
            self.stillness = Some(Landmark { event, reasons });
        }
        let Some(landmark) = &self.stillness else { return Ok(()) };
        let reason = landmark.reasons[thread.index()];
        let edge = self.solver.before(landmark.event, self.events[section.index()])?;
        self.weight += 64;
        self.implies(premises, edge.into());
        self.implies(premises, reason.into());
        Ok(())
    }

    /// Under these premises the thread stands inside a section of which something has happened.
    fn stays_open(&mut self, premises: &[Truth], thread: ThreadId) {
        if let Some(&open) = self.open.get(thread.index()) {
            self.implies(premises, open.into());
        }
    }

    /// No other thread stands inside a section of which something has happened. (One of which nothing has may as well
    /// begin later.)
    pub fn can_move(&self, thread: ThreadId) -> Truth {
        self.held_up.get(thread.index()).map_or(Truth::Always, |&held_up| Truth::When(!held_up))
    }

    /// While the literal is true, what has happened in the thread comes before the event.
    fn happens_before(&mut self, skeleton: &Skeleton, thread: ThreadId, holds: Lit, event: Event) -> Result<()> {
        let layout = Rc::clone(&self.layout);
        let stops = &skeleton.thread(thread).stops;
        // A thread that is started inside a section has passed what is not on its way while the section goes on, and
        // nothing else.
        let spawn = skeleton.thread(thread).parent.map(|parent| skeleton.stop(parent.spawn).event);
        let in_section = spawn.is_some_and(|event| layout.stops_of_event[event.index()].len() > 1);
        let moved = if in_section { self.beyond(skeleton, thread, None)? } else { Truth::Always };
        for (place, &id) in stops.iter().enumerate() {
            let next = stops.get(place + 1).map_or(Truth::Never, |&next| self.passed(next));
            let edge = self.solver.before(self.events[layout.latest[id.index()].index()], event)?;
            self.weight += 64;
            self.clause(&[!Truth::When(holds), !moved, !self.passed(id), next, edge.into()]);
        }
        Ok(())
    }

    /// The stop's reads are made in the final memory.
    pub fn pending(&mut self, skeleton: &Skeleton, id: StopId) -> Result<Truth> {
        if let Some(known) = self.pending[id.index()] {
            return Ok(known.into());
        }
        let pending = self.solver.new_literal();
        self.pending[id.index()] = Some(pending);
        self.new_pending.push(id);
        let at = self.at(skeleton, id);
        self.implies(&[pending.into()], at);
        let stop = skeleton.stop(id);
        if stop.section == SectionPlace::Inside {
            self.hold_up(skeleton, &[pending.into()], stop.thread, stop.event)?;
        } else {
            if self.finality.is_none() {
                let event = self.solver.new_event();
                let reason = self.solver.new_literal();
                for number in 0..skeleton.threads.len() {
                    self.happens_before(skeleton, ThreadId::new(number), reason, event)?;
                }
                self.finality = Some(Landmark { event, reasons: vec![reason] });
            }
            let Some(Landmark { event, reasons }) = &self.finality else { return Ok(pending.into()) };
            let reasons = reasons.clone();
            let edge = self.solver.before(*event, self.events[skeleton.stop(id).event.index()])?;
            self.implies(&[pending.into()], edge.into());
            for reason in reasons {
                self.implies(&[pending.into()], reason.into());
            }
        }
        Ok(pending.into())
    }

    /// For each thread, how many stops of its chain are passed in the last model.
    pub fn frontiers(&mut self, skeleton: &Skeleton) -> Result<Vec<usize>> {
        let mut frontiers = Vec::with_capacity(skeleton.threads.len());
        for thread in &skeleton.threads {
            // Closed downwards, so the place can be searched for.
            let (mut low, mut high) = (0, thread.stops.len());
            while low < high {
                let middle = usize::midpoint(low, high);
                match self.solver.value(self.passed[thread.stops[middle].index()])? {
                    true => low = middle + 1,
                    false => high = middle,
                }
            }
            frontiers.push(low);
        }
        Ok(frontiers)
    }

    /// The stops that are pending in the last model.
    pub fn pending_stops(&mut self) -> Result<Vec<StopId>> {
        let mut found = Vec::new();
        for number in 0..self.pending.len() {
            if let Some(literal) = self.pending[number]
                && self.solver.value(literal)?
            {
                found.push(StopId::new(number));
            }
        }
        Ok(found)
    }

    /// The skeleton's events in an order that agrees with the last model.
    pub fn linearisation(&mut self) -> Result<Vec<EventId>> {
        // The skeleton's events are the solver's first, in the same order.
        let count = self.events.len();
        let order = self.solver.linearisation()?;
        Ok(order.into_iter().map(Event::index).filter(|&event| event < count).map(EventId::new).collect())
    }

    pub fn model(&mut self, skeleton: &Skeleton) -> Result<Model> {
        Ok(self.solver.model(&skeleton.terms)?)
    }
}
