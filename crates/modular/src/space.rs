//! The abstract states of all threads, and the steps between them: per template and place, conjunctions of predicates.
//!
//! A state also says which templates have not been started: their threads cannot be met in it. Other threads move only where the next step
//! of the thread touches something that they can touch; its other steps could as well be taken before.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::Term;
use selvedge_program::CheckId;
use selvedge_symbolic::effect::Touched;
use selvedge_symbolic::threads::{Arc, ArcKind, Moved, NodeId, View, Who};
use selvedge_symbolic::{Tag, Trouble};

use crate::predicates::{PredicateId, Predicates, StepKey};
use crate::prover::{Prover, Stop};

/// What is known of some predicates, in the order of their numbers.
pub type Cube = Vec<(PredicateId, bool)>;

/// A set of templates.
pub type Templates = u64;

/// With more templates than this the engine does not apply.
pub const MOST_TEMPLATES: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

/// How a state was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The program begins.
    Start,
    /// By a step of the thread itself.
    Own(StateId, StepKey),
    /// By a step that another thread takes in a state of its own.
    Other(StateId, StateId, StepKey),
    /// The thread was started by a step that another one took.
    Started(StateId, StepKey),
}

#[derive(Clone, Debug)]
pub struct State {
    pub template: usize,
    pub node: NodeId,
    pub cube: Rc<Cube>,
    /// No thread of these has been started.
    pub unstarted: Templates,
    pub origin: Origin,
    /// Another state says less, and stands for it.
    pub is_covered: bool,
}

/// Something that a thread can do to what others see.
#[derive(Clone, Debug)]
struct Interference {
    source: StateId,
    step: StepKey,
    moved: Rc<Moved>,
    starts: Option<usize>,
}

/// What may be wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    Violation(CheckId),
    Trouble(Trouble),
    /// On this object, with this step of another thread.
    Race(Tag, StateId, StepKey),
}

/// Where something may be wrong: in a state, at a step.
#[derive(Clone, Debug)]
pub struct Alarm {
    pub state: StateId,
    pub step: StepKey,
    pub problem: Problem,
    /// The condition, as the thread's own.
    pub when: Term,
}

#[derive(Debug)]
pub struct Space<'a, 'p, 'b> {
    pub view: &'a mut View<'p>,
    pub predicates: &'a mut Predicates,
    pub prover: &'a mut Prover<'b>,
    pub states: Vec<State>,
    at: FxHashMap<(usize, NodeId), Vec<StateId>>,
    scopes: FxHashMap<(usize, NodeId), Rc<Vec<PredicateId>>>,
    interferences: Vec<Interference>,
    known_steps: FxHashSet<(usize, StepKey, Rc<Cube>, Templates)>,
    pending: VecDeque<StateId>,
    /// Of these there may be several threads.
    pub many: Templates,
    pub alarms: Vec<Alarm>,
}

/// With more states than this at one place, they are joined.
const MOST_STATES: usize = 24;

impl<'a, 'p, 'b> Space<'a, 'p, 'b> {
    pub fn new(view: &'a mut View<'p>, predicates: &'a mut Predicates, prover: &'a mut Prover<'b>) -> Self {
        Space {
            view,
            predicates,
            prover,
            states: Vec::new(),
            at: FxHashMap::default(),
            scopes: FxHashMap::default(),
            interferences: Vec::new(),
            known_steps: FxHashSet::default(),
            pending: VecDeque::new(),
            many: 0,
            alarms: Vec::new(),
        }
    }

    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.0 as usize]
    }

    /// Explores everything.
    pub fn explore(&mut self) -> Result<(), Stop> {
        self.start()?;
        while let Some(id) = self.pending.pop_front() {
            self.prover.poll()?;
            if self.state(id).is_covered {
                continue;
            }
            self.expand(id)?;
        }
        self.find_races()
    }

    fn start(&mut self) -> Result<(), Stop> {
        let templates = self.view.universe.templates.len();
        let node = self.view.universe.unfolded(0).first();
        let scope = self.scope(0, node);
        let unstarted = if templates >= MOST_TEMPLATES { u64::MAX } else { (1 << templates) - 1 } & !1;
        let first = self.view.begins(scope.iter().map(|id| self.predicates.get(*id)));
        let mut cube = Cube::new();
        for &id in scope.iter() {
            let term = self.predicates.term(id, Who::Own);
            if let Some(truth) = self.decide(&first, term)? {
                cube.push((id, truth));
            }
        }
        self.add(State { template: 0, node, cube: Rc::new(cube), unstarted, origin: Origin::Start, is_covered: false });
        Ok(())
    }

    /// Whether conditions imply a term, or its negation; `None` if neither.
    fn decide(&mut self, conditions: &[Term], term: Term) -> Result<Option<bool>, Stop> {
        let builder = &mut self.view.builder;
        if builder.is(term, true) || builder.is(term, false) {
            return Ok(Some(builder.is(term, true)));
        }
        let negated = builder.not(term);
        let mut question = conditions.to_vec();
        question.push(negated);
        if !self.prover.can_hold(&self.view.builder.terms, &question)? {
            return Ok(Some(true));
        }
        question.pop();
        question.push(term);
        if !self.prover.can_hold(&self.view.builder.terms, &question)? {
            return Ok(Some(false));
        }
        Ok(None)
    }

    fn scope(&mut self, template: usize, node: NodeId) -> Rc<Vec<PredicateId>> {
        if let Some(scope) = self.scopes.get(&(template, node)) {
            return Rc::clone(scope);
        }
        let universe = &self.view.universe;
        let scope = Rc::new(self.predicates.in_scope(universe, universe.unfolded(template), node));
        self.scopes.insert((template, node), Rc::clone(&scope));
        scope
    }

    /// Adds a state unless another one stands for it.
    fn add(&mut self, mut state: State) -> Option<StateId> {
        let place = self.at.entry((state.template, state.node)).or_default();
        place.retain(|id| !self.states[id.0 as usize].is_covered);
        if place.iter().any(|id| covers(&self.states[id.0 as usize], &state)) {
            return None;
        }
        if place.len() >= MOST_STATES {
            for id in place.iter() {
                let other = &self.states[id.0 as usize];
                let joined = state.cube.iter().filter(|literal| other.cube.contains(literal)).copied().collect();
                state.cube = Rc::new(joined);
                state.unstarted &= other.unstarted;
            }
        }
        for id in place.iter() {
            let other = &mut self.states[id.0 as usize];
            other.is_covered = covers(&state, other);
        }
        let id = StateId(self.states.len() as u32);
        place.push(id);
        self.states.push(state);
        self.pending.push_back(id);
        Some(id)
    }

    pub fn literals(&mut self, cube: &Cube, who: Who) -> Vec<Term> {
        let mut literals = Vec::with_capacity(cube.len() + 4);
        for &(id, truth) in cube {
            let term = self.predicates.term(id, who);
            literals.push(if truth { term } else { self.view.builder.not(term) });
        }
        literals
    }

    fn expand(&mut self, id: StateId) -> Result<(), Stop> {
        let State { template, node, cube, .. } = self.state(id).clone();
        let arcs: Vec<Arc> = {
            let unfolded = self.view.universe.unfolded(template);
            unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc)).collect()
        };
        let function = self.view.universe.unfolded(template).get(node).function;
        let literals = self.literals(&cube, Who::Own);
        for arc in arcs {
            self.prover.poll()?;
            self.step(id, arc, (function, arc.edge, arc.kind), &literals)?;
        }
        if self.view.is_visible(template, node) {
            for place in 0..self.interferences.len() {
                self.interfere(id, place)?;
                if self.state(id).is_covered {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Takes a step of the thread itself.
    fn step(&mut self, id: StateId, arc: Arc, step: StepKey, literals: &[Term]) -> Result<(), Stop> {
        let moved = self.view.moved(Who::Own, step.0, step.1, step.2);
        for (when, trouble) in &moved.troubles {
            self.alarm(id, step, literals, *when, Problem::Trouble(trouble.clone()))?;
        }
        for (when, check) in &moved.violations {
            self.alarm(id, step, literals, *when, Problem::Violation(*check))?;
        }
        let mut conditions = literals.to_vec();
        conditions.push(moved.enabled);
        if self.view.builder.is(moved.enabled, false) {
            return Ok(());
        }
        if !self.view.builder.is(moved.enabled, true) && !self.prover.can_hold(&self.view.builder.terms, &conditions)? {
            return Ok(());
        }
        let State { template, cube, mut unstarted, .. } = self.state(id).clone();
        let starts = match arc.kind {
            ArcKind::Spawn(entry) => self.view.universe.template_of(entry),
            _ => None,
        };
        if let Some(started) = starts {
            if unstarted & (1 << started) == 0 {
                self.make_many(started)?;
            }
            unstarted &= !(1 << started);
        }
        if let Some(target) = arc.target {
            let cube = self.successor(template, target, &cube, &moved, step, &conditions)?;
            let origin = Origin::Own(id, step);
            self.add(State { template, node: target, cube: Rc::new(cube), unstarted, origin, is_covered: false });
        }
        if let Some(started) = starts {
            self.start_thread(id, started, unstarted, &moved, step, &conditions)?;
        }
        if !moved.cells.is_empty() || starts.is_some() {
            self.add_interference(id, step, starts)?;
        }
        Ok(())
    }

    fn alarm(
        &mut self,
        state: StateId,
        step: StepKey,
        literals: &[Term],
        when: Term,
        problem: Problem,
    ) -> Result<(), Stop> {
        let mut conditions = literals.to_vec();
        conditions.push(when);
        if self.prover.can_hold(&self.view.builder.terms, &conditions)? {
            self.alarms.push(Alarm { state, step, problem, when });
        }
        Ok(())
    }

    /// The predicates at the end of a step of the thread.
    fn successor(
        &mut self,
        template: usize,
        target: NodeId,
        cube: &Cube,
        moved: &Moved,
        step: StepKey,
        conditions: &[Term],
    ) -> Result<Cube, Stop> {
        let scope = self.scope(template, target);
        let mut successor = Cube::new();
        for &id in scope.iter() {
            let known = cube.iter().find(|(other, _)| *other == id).map(|(_, truth)| *truth);
            let is_changed = self.predicates.cells(id).iter().any(|key| moved.cells.contains_key(key))
                || self
                    .predicates
                    .locals(id)
                    .iter()
                    .any(|register| moved.locals.contains_key(register) || moved.forgotten.contains(register));
            let truth = match known {
                Some(truth) if !is_changed => Some(truth),
                // Nothing new has come to be known.
                None if !is_changed && self.view.builder.is(moved.enabled, true) => None,
                _ => {
                    let term = self.predicates.after(self.view, id, Who::Own, moved, Who::Own, step);
                    self.decide(conditions, term)?
                }
            };
            if let Some(truth) = truth {
                successor.push((id, truth));
            }
        }
        Ok(successor)
    }

    fn start_thread(
        &mut self,
        by: StateId,
        template: usize,
        unstarted: Templates,
        moved: &Moved,
        step: StepKey,
        conditions: &[Term],
    ) -> Result<(), Stop> {
        let node = self.view.universe.unfolded(template).first();
        let scope = self.scope(template, node);
        let mut conditions = conditions.to_vec();
        conditions.push(self.view.two_threads(Who::Own, Who::Started));
        let mut cube = Cube::new();
        for &id in scope.iter() {
            let term = self.predicates.after(self.view, id, Who::Started, moved, Who::Own, step);
            if let Some(truth) = self.decide(&conditions, term)? {
                cube.push((id, truth));
            }
        }
        let origin = Origin::Started(by, step);
        self.add(State { template, node, cube: Rc::new(cube), unstarted, origin, is_covered: false });
        Ok(())
    }

    fn make_many(&mut self, template: usize) -> Result<(), Stop> {
        if self.many & (1 << template) != 0 {
            return Ok(());
        }
        self.many |= 1 << template;
        // From now on its threads meet each other.
        for place in 0..self.interferences.len() {
            if self.state(self.interferences[place].source).template == template {
                self.interfere_everywhere(place, Some(template))?;
            }
        }
        Ok(())
    }

    fn add_interference(&mut self, source: StateId, step: StepKey, starts: Option<usize>) -> Result<(), Stop> {
        let State { template, cube, unstarted, .. } = self.state(source).clone();
        if !self.known_steps.insert((template, step, cube, unstarted)) {
            return Ok(());
        }
        let moved = self.view.moved(Who::Other, step.0, step.1, step.2);
        self.interferences.push(Interference { source, step, moved, starts });
        self.interfere_everywhere(self.interferences.len() - 1, None)
    }

    fn interfere_everywhere(&mut self, place: usize, only: Option<usize>) -> Result<(), Stop> {
        for id in 0..self.states.len() {
            let State { template, node, is_covered, .. } = self.states[id];
            if !is_covered
                && only.is_none_or(|only| only == template)
                && self.view.is_visible(template, node)
            {
                self.interfere(StateId(id as u32), place)?;
            }
        }
        Ok(())
    }

    /// Whether threads in these states can be there together.
    fn can_meet(&self, one: &State, other: &State) -> bool {
        let of = |template: usize| 1_u64 << template;
        let is_apart = one.unstarted & of(other.template) != 0 || other.unstarted & of(one.template) != 0;
        !is_apart && (one.template != other.template || self.many & of(one.template) != 0)
    }

    /// Lets another thread take a step while the thread stands.
    fn interfere(&mut self, id: StateId, place: usize) -> Result<(), Stop> {
        let Interference { source, step, moved, starts } = self.interferences[place].clone();
        let (state, other) = (self.state(id).clone(), self.state(source).clone());
        if !self.can_meet(&state, &other) {
            return Ok(());
        }
        let is_touched = |id: &PredicateId, predicates: &Predicates| {
            predicates.cells(*id).iter().any(|key| moved.cells.contains_key(key))
        };
        let touched = state.cube.iter().any(|(id, _)| is_touched(id, self.predicates));
        let started = starts.map_or(0, |template| 1 << template);
        if !touched && state.unstarted & started == 0 {
            return Ok(());
        }
        let mut conditions = self.literals(&state.cube, Who::Own);
        conditions.extend(self.literals(&other.cube, Who::Other));
        conditions.push(self.view.two_threads(Who::Own, Who::Other));
        conditions.push(moved.enabled);
        if !self.prover.can_hold(&self.view.builder.terms, &conditions)? {
            return Ok(());
        }
        let mut cube = Cube::new();
        let scope = self.scope(state.template, state.node);
        for &predicate in scope.iter() {
            let truth = if is_touched(&predicate, self.predicates) {
                let term = self.predicates.after(self.view, predicate, Who::Own, &moved, Who::Other, step);
                self.decide(&conditions, term)?
            } else {
                // What the other one knows of the shared state holds for both.
                let theirs = if self.predicates.is_shared(predicate) { &*other.cube } else { &*state.cube };
                let known = state.cube.iter().chain(theirs).find(|(known, _)| *known == predicate);
                known.map(|(_, truth)| *truth)
            };
            if let Some(truth) = truth {
                cube.push((predicate, truth));
            }
        }
        let origin = Origin::Other(id, source, step);
        self.add(State { cube: Rc::new(cube), unstarted: state.unstarted & !started, origin, ..state });
        Ok(())
    }

    /// The accesses that a thread may be about to make.
    fn touches(&mut self, id: StateId, who: Who) -> Vec<(StepKey, Touched)> {
        let State { template, node, .. } = *self.state(id);
        self.view.touches(template, node, who)
    }

    /// Two threads about to touch the same.
    fn find_races(&mut self) -> Result<(), Stop> {
        let mut standing = Vec::new();
        for id in (0..self.states.len()).map(|id| StateId(id as u32)) {
            if !self.state(id).is_covered {
                let mut touches = self.touches(id, Who::Own);
                touches.retain(|(_, touched)| !self.view.universe.is_private(touched.cell.object()));
                if !touches.is_empty() {
                    standing.push((id, touches));
                }
            }
        }
        let mut found: FxHashSet<Tag> = FxHashSet::default();
        for (first, (one, mine)) in standing.iter().enumerate() {
            for (other, _) in &standing[first..] {
                self.prover.poll()?;
                if !self.can_meet(self.state(*one), self.state(*other)) {
                    continue;
                }
                let theirs = self.touches(*other, Who::Other);
                for (step, touch) in mine {
                    for (their_step, their) in &theirs {
                        let races = touch.cell.overlaps(their.cell) && touch.mode.races_with(their.mode);
                        if races && !found.contains(&touch.cell.object()) && self.meet_at(*one, touch, *other, their)? {
                            let problem = Problem::Race(touch.cell.object(), *other, *their_step);
                            self.alarms.push(Alarm { state: *one, step: *step, problem, when: touch.when });
                            found.insert(touch.cell.object());
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether two threads can be about to make these accesses.
    fn meet_at(&mut self, one: StateId, touch: &Touched, other: StateId, their: &Touched) -> Result<bool, Stop> {
        let (a, b) = (self.state(one).cube.clone(), self.state(other).cube.clone());
        let mut conditions = self.literals(&a, Who::Own);
        conditions.extend(self.literals(&b, Who::Other));
        conditions.push(self.view.two_threads(Who::Own, Who::Other));
        conditions.extend([touch.when, their.when]);
        self.prover.can_hold(&self.view.builder.terms, &conditions)
    }
}

/// Whether a state says no more than another, at the same place.
fn covers(weak: &State, strong: &State) -> bool {
    weak.unstarted & !strong.unstarted == 0 && weak.cube.iter().all(|literal| strong.cube.contains(literal))
}
