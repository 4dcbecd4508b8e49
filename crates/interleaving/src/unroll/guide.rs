//! Walking given paths instead of all of them: one straight line per thread, nothing to join and nothing to bound.
//!
//! A walk along a path never asks whether it can be walked. What each step needs (its guard holds, nothing is
//! undefined, the call goes where the path says) is kept beside the step as a [`Need`] and not in the path condition,
//! which is *true* all along: so every subset of the needs is a question of its own, and a contradiction can be blamed
//! on steps.

use selvedge_evidence::Subject;
use selvedge_logic::Term;
use selvedge_program::{Action, Budget, Edge, EdgeId, Exhausted, Expr, FunctionId, LocationId, Program};

use selvedge_symbolic::{Machine, Trouble};

use super::claims::{Asked, Claim};
use super::path::{Arc, Paths};
use super::round::{Round, racing_cells};
use super::run::Run;
use super::state::{Section, State};
use super::walk::{Next, Walker};
use super::{Bounds, Unroller};
use crate::skeleton::{CellId, EventId, Moment, MomentPlace, SectionPlace, Skeleton, ThreadId};

/// A step of a path: an edge of the function that the thread is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    pub function: FunctionId,
    pub edge: EdgeId,
}

/// What is looked at where a path ends.
#[derive(Clone, Debug, Default)]
pub enum Then {
    #[default]
    Nothing,
    /// Which accesses the thread is about to make.
    Accesses,
    /// How this step fails.
    Fails(Step),
    /// Whether this holds of the thread's registers.
    Holds(Expr),
}

/// The way of one thread.
#[derive(Clone, Debug)]
pub struct Way {
    /// The function that the thread begins with; `None` if it is whatever its start says.
    pub function: Option<FunctionId>,
    pub steps: Vec<Step>,
    /// For each step that starts a thread, the thread of that thread.
    pub children: Vec<(usize, ThreadId)>,
    pub then: Then,
}

/// What a step needs to be taken.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    pub thread: ThreadId,
    pub step: usize,
    pub condition: Term,
}

/// Something that is not modelled, met by a step (or at the end of a path) under a condition.
#[derive(Clone, Debug)]
pub struct Unmodelled {
    pub thread: ThreadId,
    pub step: usize,
    pub when: Term,
    pub what: String,
}

/// How a path ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ending {
    /// How many stops lie on the path.
    pub stops: u32,
    /// The step that ends the thread.
    pub last: Option<usize>,
    /// The step that ends the process.
    pub exit: Option<usize>,
    /// The step that begins the atomic section in which the path ends, and the section's event.
    pub section: Option<(usize, EventId)>,
}

/// Everything that the walker must know and finds out while it follows paths.
#[derive(Debug, Default)]
pub(super) struct Guide {
    ways: Vec<Way>,
    /// How many steps of the thread that is being walked have been taken.
    position: usize,
    /// Whether the walker looks at what comes after a path.
    at_end: bool,
    began: Option<usize>,
    found: Found,
}

#[derive(Debug, Default)]
struct Found {
    needs: Vec<Need>,
    unmodelled: Vec<Unmodelled>,
    endings: Vec<Ending>,
    condition: Option<Term>,
    malformed: Option<String>,
    walked: Vec<bool>,
    /// How many paths were walked to their ends.
    ended: usize,
}

/// Paths that have been walked.
#[derive(Debug)]
pub struct Walked {
    pub skeleton: Skeleton,
    pub paths: Paths,
    /// In the order of threads and steps; those that always hold are left out.
    pub needs: Vec<Need>,
    pub unmodelled: Vec<Unmodelled>,
    /// By thread.
    pub endings: Vec<Ending>,
    /// What must hold at the end of a path.
    pub condition: Option<Term>,
    /// Whether all paths were walked to their ends. If not, some need never holds.
    pub is_complete: bool,
    /// The ways in which the step after a path fails.
    pub failures: Vec<Asked>,
    /// The cells on which the threads at the ends of paths may race.
    pub racing: Vec<CellId>,
    /// Selectors for the needs: symbols that occur nowhere else.
    pub selectors: Vec<Term>,
    /// For what is not modelled, a symbol that makes it be met.
    pub meets: Vec<Term>,
}

/// Why paths were not walked.
#[derive(Debug)]
pub enum NotWalked {
    Exhausted(Exhausted),
    /// What is given is not a path.
    Malformed(String),
}

impl From<Exhausted> for NotWalked {
    fn from(limit: Exhausted) -> Self {
        NotWalked::Exhausted(limit)
    }
}

/// Walks along paths; thread 0 is the main thread's.
pub fn follow(program: &Program, ways: Vec<Way>, bounds: &Bounds, budget: &Budget) -> Result<Walked, NotWalked> {
    let mut unroller = Unroller::new(program, bounds);
    unroller.guide = Some(Guide { ways, ..Guide::default() });
    loop {
        budget.check()?;
        let mut round = Round::new(program);
        if let Some(guide) = &mut unroller.guide {
            let threads = guide.ways.len();
            guide.found =
                Found { endings: vec![Ending::default(); threads], walked: vec![false; threads], ..Found::default() };
        }
        unroller.run(&mut round, budget)?;
        if !unroller.knowledge.learn(&round.origins) {
            return unroller.finish_walk(round, budget);
        }
    }
}

impl Guide {
    pub fn threads(&self) -> usize {
        self.ways.len()
    }

    pub fn begin_thread(&mut self, thread: ThreadId) {
        self.position = 0;
        self.at_end = false;
        self.began = None;
        if let Some(walked) = self.found.walked.get_mut(thread.index()) {
            *walked = true;
        }
    }

    pub fn position(&self) -> u32 {
        self.position as u32
    }

    fn way(&self, thread: ThreadId) -> Option<&Way> {
        self.ways.get(thread.index())
    }

    /// Whether the walk is on a path: what happens there is not looked for.
    pub fn on_path(&self) -> bool {
        !self.at_end
    }

    /// The thread that the step being taken starts, and its function. `None` at the end of a path, where nothing is
    /// started.
    pub fn child(&self, thread: ThreadId) -> Option<(ThreadId, Option<FunctionId>)> {
        let step = self.position.checked_sub(1).filter(|_| self.on_path())?;
        let child = self.way(thread)?.children.iter().find(|(place, _)| *place == step)?.1;
        Some((child, self.way(child)?.function))
    }

    /// Where the call being made goes: the function of the next step; `None` if the path does not say.
    pub fn callee(&self, thread: ThreadId) -> Option<FunctionId> {
        let way = self.way(thread).filter(|_| self.on_path())?;
        match (way.steps.get(self.position), &way.then) {
            (Some(next), _) => Some(next.function),
            (None, Then::Fails(next)) => Some(next.function),
            (None, _) => None,
        }
    }

    fn ending(&mut self, thread: ThreadId) -> Option<&mut Ending> {
        self.found.endings.get_mut(thread.index())
    }

    fn malformed(&mut self, what: String) {
        self.found.malformed.get_or_insert(what);
    }
}

impl Unroller<'_> {
    fn finish_walk(&mut self, mut round: Round, budget: &Budget) -> Result<Walked, NotWalked> {
        let Found { mut needs, unmodelled, endings, condition, malformed, walked, ended } =
            self.guide.take().map(|guide| guide.found).unwrap_or_default();
        let never_started = walked.iter().position(|walked| !walked);
        let stuck = needs.iter().any(|need| round.builder.is(need.condition, false));
        if let Some(what) = malformed {
            return Err(NotWalked::Malformed(what));
        }
        if let (Some(thread), false) = (never_started, stuck) {
            return Err(NotWalked::Malformed(format!("no step starts the thread of path {thread}")));
        }
        needs.retain(|need| !round.builder.is(need.condition, true));
        needs.sort_by_key(|need| (need.thread, need.step));
        let racing: Vec<CellId> = racing_cells(&round).into_iter().map(|(cell, _)| cell).collect();
        let failures: Vec<Asked> = std::mem::take(&mut round.claims).into_asked();
        let (mut facts, mut selectors, mut meets) = (Vec::new(), Vec::new(), Vec::new());
        for need in &needs {
            selectors.push(round.builder.selector(need.condition, &mut facts));
        }
        for unmodelled in &unmodelled {
            meets.push(round.builder.selector(unmodelled.when, &mut facts));
        }
        facts.extend(condition);
        let mut roots = facts.clone();
        for asked in &failures {
            if let crate::skeleton::Goal::Moments(moments) = &asked.goal {
                roots.extend(moments.iter().map(|moment| moment.condition));
            }
        }
        let (skeleton, paths) = self.skeleton(round, facts, Vec::new(), roots, budget)?;
        Ok(Walked {
            skeleton,
            paths,
            needs,
            unmodelled,
            endings,
            condition,
            is_complete: ended == walked.len(),
            failures,
            racing,
            selectors,
            meets,
        })
    }
}

impl<'p> Walker<'_, 'p> {
    /// Takes the next step of the path, or looks at what comes after it.
    pub(super) fn visit_on_path(mut self, state: State) {
        let thread = self.round.thread;
        let Some(guide) = &mut self.unroller.guide else { return };
        let position = guide.position;
        let Some(way) = guide.ways.get(thread.index()) else { return };
        match way.steps.get(position).copied() {
            Some(step) => {
                guide.position += 1;
                if let Some(edge) = self.edge_of(&state, step) {
                    self.take_step(state, step, edge, position);
                }
            }
            None => {
                let then = way.then.clone();
                guide.at_end = true;
                self.end_path(state, &then, position)
            }
        }
    }

    /// The edge of a step, if it leaves where the thread is.
    fn edge_of(&mut self, state: &State, step: Step) -> Option<&'p Edge> {
        let program = self.unroller.program;
        let top = state.top()?;
        let function = program.functions.get(step.function.index()).filter(|_| top.function == step.function);
        let edge = function.and_then(|function| function.edges.get(step.edge.index()));
        let edge = edge.filter(|edge| edge.source == top.location);
        if edge.is_none() {
            let (here, place) = (program.function(top.function).name.clone(), top.location);
            let thread = self.round.thread.0;
            if let Some(guide) = &mut self.unroller.guide {
                guide.malformed(format!(
                    "path {thread} stands at {place} of `{here}`, which {} does not leave",
                    step.edge
                ));
            }
        }
        edge
    }

    fn take_step(mut self, state: State, step: Step, edge: &'p Edge, position: usize) {
        self.here.edge = step.edge;
        let before = state.section;
        let nexts = self.take(state, edge);
        let thread = self.round.thread;
        self.note_unmodelled(position);
        let mut condition = self.here.ok;
        let ends = matches!(edge.action, Action::Exit { .. } | Action::Return { .. } | Action::ThreadExit { .. });
        let mut nexts = nexts.into_iter();
        match nexts.next() {
            Some((next, starts)) => {
                let (mut state, target) = match next {
                    Next::Along(state, target) => (state, Some(target)),
                    Next::Placed(state) => (state, None),
                };
                condition = self.round.builder.and(condition, state.guard);
                state.guard = self.round.builder.yes;
                self.note_section(before, state.section, position);
                self.go_on(state, target, starts);
            }
            None if ends => {
                self.end_process(position, before);
                self.check_last(position);
            }
            // The path goes where the step never does.
            None => condition = self.round.builder.no,
        }
        if let Some(guide) = &mut self.unroller.guide {
            guide.found.needs.push(Need { thread, step: position, condition });
        }
    }

    fn go_on(&mut self, mut state: State, target: Option<LocationId>, starts: Option<ThreadId>) {
        if let (Some(target), Some(top)) = (target, state.top_mut()) {
            top.location = target;
        }
        let passes = self.round.builder.yes;
        let target = if state.activations.is_empty() {
            let position = self.unroller.guide.as_ref().map_or(0, |guide| guide.position);
            self.note_stops();
            self.check_last(position.saturating_sub(1));
            None
        } else {
            Some(self.unroller.push(self.round, state))
        };
        let arc = Arc { edge: self.here.edge, passes, target, choices: self.here.choices.clone(), starts };
        self.round.nodes[self.here.node.index()].arcs.push(arc);
    }

    /// A step that ends the process.
    fn end_process(&mut self, position: usize, section: Option<Section>) {
        let passes = self.round.builder.yes;
        let arc = Arc { edge: self.here.edge, passes, target: None, choices: self.here.choices.clone(), starts: None };
        self.round.nodes[self.here.node.index()].arcs.push(arc);
        self.note_stops();
        self.note_standing_section(section);
        let thread = self.round.thread;
        if let Some(ending) = self.unroller.guide.as_mut().and_then(|guide| guide.ending(thread)) {
            ending.exit = Some(position);
        }
    }

    /// After this step there is no other.
    fn check_last(&mut self, position: usize) {
        let thread = self.round.thread;
        let Some(guide) = &mut self.unroller.guide else { return };
        let Some(way) = guide.ways.get(thread.index()) else { return };
        if way.steps.len() > position + 1 || matches!(way.then, Then::Holds(_)) {
            guide.malformed(format!("path {} goes on after the end of its thread", thread.0));
        }
        if let Some(ending) = guide.ending(thread) {
            ending.last = Some(position);
        }
    }

    fn note_section(&mut self, before: Option<Section>, after: Option<Section>, position: usize) {
        if let (None, Some(_), Some(guide)) = (before, after, &mut self.unroller.guide) {
            guide.began = Some(position);
        }
    }

    fn note_stops(&mut self) {
        let thread = self.round.thread;
        let stops = self.round.threads.get(&thread).map_or(0, |thread| thread.stops.len());
        let Some(guide) = &mut self.unroller.guide else { return };
        guide.found.ended += 1;
        if let Some(ending) = guide.ending(thread) {
            ending.stops = stops as u32;
        }
    }

    /// The path ends inside a section: whatever others do comes before it.
    fn note_standing_section(&mut self, section: Option<Section>) {
        let Some(section) = section else { return };
        let (thread, last) = (self.round.thread, self.round.last_stop());
        let begun = last.is_some_and(|stop| self.round.stops[stop.index()].event == section.event);
        let condition = self.round.builder.yes;
        if let (true, Some(described)) = (begun, self.round.threads.get_mut(&thread)) {
            let place = MomentPlace::After(last, SectionPlace::Inside);
            described.abandoned.push(Moment { thread, place, condition });
        }
        if let Some(guide) = &mut self.unroller.guide {
            let began = guide.began.unwrap_or(0);
            if let Some(ending) = guide.ending(thread) {
                ending.section = Some((began, section.event));
            }
        }
    }

    fn note_unmodelled(&mut self, step: usize) {
        let thread = self.round.thread;
        for (when, trouble, ..) in &self.here.troubles {
            let (Trouble::Unsupported(what), Some(guide)) = (trouble, &mut self.unroller.guide) else { continue };
            guide.found.unmodelled.push(Unmodelled { thread, step, when: *when, what: what.clone() });
        }
    }

    fn end_path(mut self, mut state: State, then: &Then, position: usize) {
        self.note_stops();
        self.note_standing_section(state.section);
        match then {
            Then::Nothing => {}
            Then::Accesses => self.look_at_accesses(&state),
            Then::Fails(step) => {
                let Some(edge) = self.edge_of(&state, *step) else { return };
                self.here.edge = step.edge;
                self.take(state, edge);
                self.undefined_end(*step);
            }
            Then::Holds(condition) => {
                let yes = self.round.builder.yes;
                let mut run = Run { walker: &mut self, state: &mut state };
                let holds = run.evaluate(|eval| eval.truth(condition, yes));
                let holds = self.round.builder.and(self.here.ok, holds);
                if let Some(guide) = &mut self.unroller.guide {
                    guide.found.condition = Some(holds);
                }
            }
        }
        self.note_unmodelled(position);
    }

    fn look_at_accesses(&mut self, state: &State) {
        let Some(top) = state.top() else { return };
        let function = self.unroller.program.function(top.function);
        for &edge in &function.location(top.location).outgoing {
            let definition = function.edge(edge);
            let action = &definition.action;
            if matches!(action, Action::Atomic(_)) || !action.touches().is_empty() {
                self.here.edge = edge;
                self.here.ok = self.round.builder.yes;
                self.here.choices.clear();
                self.take(state.clone(), definition);
            }
        }
    }

    /// The ways in which the step after the path is undefined.
    fn undefined_end(&mut self, step: Step) {
        let place = self.moment_place();
        for (when, trouble, edge, choices) in self.here.troubles.clone() {
            if let Trouble::Undefined(undefined) = trouble {
                self.moment(
                    Claim::Violation(Subject::Memory(step.function, edge, undefined)),
                    when,
                    place,
                    edge,
                    choices,
                );
            }
        }
    }
}
