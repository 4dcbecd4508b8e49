//! The abstract states of all threads, and the steps between them: per template and place, conjunctions of predicates.
//!
//! A state also says which templates have not been started: their threads cannot be met in it. Other threads move
//! only where the next step of the thread touches something that they can touch; its other steps could as well be
//! taken before.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_abstraction::{Abstraction, Cube, PredicateId, StepKey, Stop};
use selvedge_logic::Term;
use selvedge_program::{CheckId, EdgeId, FunctionId, RegisterId};
use selvedge_symbolic::effect::Touched;
use selvedge_symbolic::threads::{Arc, ArcKind, Moved, NodeId, Who};
use selvedge_symbolic::{Tag, Trouble};

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

/// What a thread is to expect of the steps of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Environment {
    /// Each step from the states in which it was found to be taken, with its effect (the paper's relation g).
    #[default]
    Relation,
    /// From these states anything is written to what it writes (the paper's havoc map).
    Havoc,
    /// The step from any state, wherever that thread is, with its effect (the paper's Algorithm B).
    Anywhere,
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
    pub on: &'a mut Abstraction<'p, 'b>,
    environment: Environment,
    pub states: Vec<State>,
    at: FxHashMap<(usize, NodeId), Vec<StateId>>,
    scopes: FxHashMap<(usize, NodeId), Rc<Vec<PredicateId>>>,
    interferences: Vec<Interference>,
    known_steps: FxHashSet<(usize, StepKey, Rc<Cube>, Templates)>,
    pending: VecDeque<StateId>,
    /// Of these there may be several threads.
    pub many: Templates,
    pub alarms: Vec<Alarm>,
    /// At edges where something may be wrong, the registers of which it is not if the one that stands for its site is
    /// what they point to.
    pub witnesses: FxHashMap<(FunctionId, EdgeId), Vec<RegisterId>>,
}

/// With more states than this at one place, they are joined.
const MOST_STATES: usize = 24;

/// How many pairs of accesses that may race are told of for one object: one is enough to refine, but another may be
/// the one that has a schedule.
const MOST_RACES: usize = 4;

impl<'a, 'p, 'b> Space<'a, 'p, 'b> {
    pub fn new(on: &'a mut Abstraction<'p, 'b>, environment: Environment) -> Self {
        Space {
            on,
            environment,
            states: Vec::new(),
            at: FxHashMap::default(),
            scopes: FxHashMap::default(),
            interferences: Vec::new(),
            known_steps: FxHashSet::default(),
            pending: VecDeque::new(),
            many: 0,
            alarms: Vec::new(),
            witnesses: FxHashMap::default(),
        }
    }

    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.0 as usize]
    }

    /// How many steps of threads others are to expect.
    pub fn environment_steps(&self) -> usize {
        self.interferences.len()
    }

    /// Explores everything.
    pub fn explore(&mut self) -> Result<(), Stop> {
        self.start()?;
        while let Some(id) = self.pending.pop_front() {
            self.on.prover.poll()?;
            if self.state(id).is_covered {
                continue;
            }
            self.expand(id)?;
        }
        let is_excused = |alarm: &Alarm| {
            let witnesses = self.witnesses.get(&(alarm.step.0, alarm.step.1));
            witnesses.is_some_and(|registers| !registers.is_empty())
        };
        self.alarms.retain(|alarm| !is_excused(alarm));
        self.find_races()
    }

    fn start(&mut self) -> Result<(), Stop> {
        let templates = self.on.view.universe.templates.len();
        let node = self.on.view.universe.unfolded(0).first();
        let scope = self.scope(0, node);
        let unstarted = if templates >= MOST_TEMPLATES { u64::MAX } else { (1 << templates) - 1 } & !1;
        let first = self.on.view.begins(scope.iter().map(|id| self.on.predicates.get(*id)));
        let mut cube = Cube::new();
        for &id in scope.iter() {
            let term = self.on.predicates.term(id, Who::Own);
            if let Some(truth) = self.on.decide(&first, term)? {
                cube.push((id, truth));
            }
        }
        self.add(State { template: 0, node, cube: Rc::new(cube), unstarted, origin: Origin::Start, is_covered: false });
        Ok(())
    }

    fn scope(&mut self, template: usize, node: NodeId) -> Rc<Vec<PredicateId>> {
        if let Some(scope) = self.scopes.get(&(template, node)) {
            return Rc::clone(scope);
        }
        let universe = &self.on.view.universe;
        let scope = Rc::new(self.on.predicates.in_scope(universe, universe.unfolded(template), node));
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

    fn expand(&mut self, id: StateId) -> Result<(), Stop> {
        let State { template, node, .. } = self.state(id).clone();
        let arcs: Vec<Arc> = {
            let unfolded = self.on.view.universe.unfolded(template);
            unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc)).collect()
        };
        let function = self.on.view.universe.unfolded(template).get(node).function;
        for arc in arcs {
            self.on.prover.poll()?;
            self.step(id, arc, (function, arc.edge, arc.kind))?;
        }
        if self.on.view.is_visible(template, node) {
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
    fn step(&mut self, id: StateId, arc: Arc, step: StepKey) -> Result<(), Stop> {
        let moved = self.on.view.moved(Who::Own, step.0, step.1, step.2);
        for (when, trouble) in &moved.troubles {
            self.alarm(id, step, *when, Problem::Trouble(trouble.clone()))?;
        }
        for (when, check) in &moved.violations {
            self.alarm(id, step, *when, Problem::Violation(*check))?;
        }
        let State { template, cube, mut unstarted, .. } = self.state(id).clone();
        if !self.on.can_step(step, None, &cube)? {
            return Ok(());
        }
        let starts = match arc.kind {
            ArcKind::Spawn(entry) => self.on.view.universe.template_of(entry),
            _ => None,
        };
        if let Some(started) = starts {
            if unstarted & (1 << started) == 0 {
                self.make_many(started)?;
            }
            unstarted &= !(1 << started);
        }
        if let Some(target) = arc.target {
            let scope = self.scope(template, target);
            let sides = if moved.forks.is_empty() { vec![None] } else { vec![Some(true), Some(false)] };
            for side in sides {
                if side.is_some() && !self.on.can_step(step, side, &cube)? {
                    continue;
                }
                let cube = self.each(&scope, |on, predicate| on.after_step((step, side), &cube, predicate))?;
                let origin = Origin::Own(id, step);
                self.add(State { template, node: target, cube, unstarted, origin, is_covered: false });
            }
        }
        if let Some(template) = starts {
            let node = self.on.view.universe.unfolded(template).first();
            let scope = self.scope(template, node);
            let cube = self.each(&scope, |on, predicate| on.started(step, &cube, predicate))?;
            let origin = Origin::Started(id, step);
            self.add(State { template, node, cube, unstarted, origin, is_covered: false });
        }
        if !moved.cells.is_empty() || starts.is_some() {
            self.add_interference(id, step, starts)?;
        }
        Ok(())
    }

    /// What is known of each predicate of a scope.
    fn each(
        &mut self,
        scope: &[PredicateId],
        mut known: impl FnMut(&mut Abstraction<'p, 'b>, PredicateId) -> Result<Option<bool>, Stop>,
    ) -> Result<Rc<Cube>, Stop> {
        let mut cube = Cube::new();
        for &predicate in scope {
            if let Some(truth) = known(self.on, predicate)? {
                cube.push((predicate, truth));
            }
        }
        Ok(Rc::new(cube))
    }

    fn alarm(&mut self, state: StateId, step: StepKey, when: Term, problem: Problem) -> Result<(), Stop> {
        let cube = Rc::clone(&self.state(state).cube);
        if !self.on.can_hold(when, &cube)? {
            return Ok(());
        }
        let edge = (step.0, step.1);
        let mut candidates = match self.witnesses.get(&edge) {
            Some(left) => left.clone(),
            None => self.on.pointers_at(edge),
        };
        if let Problem::Trouble(_) = problem {
            candidates.retain(|register| self.on.view.says_which(edge, *register));
        }
        self.alarms.push(Alarm { state, step, problem, when });
        let mut left = Vec::new();
        for register in candidates {
            if let Some(points) = self.on.view.points_to_one((step.0, register)) {
                let both = self.on.view.builder.and(when, points);
                if !self.on.can_hold(both, &cube)? {
                    left.push(register);
                }
            }
        }
        self.witnesses.insert(edge, left);
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
        let moved = self.on.view.moved(Who::Other, step.0, step.1, step.2);
        self.interferences.push(Interference { source, step, moved, starts });
        self.interfere_everywhere(self.interferences.len() - 1, None)
    }

    fn interfere_everywhere(&mut self, place: usize, only: Option<usize>) -> Result<(), Stop> {
        for id in 0..self.states.len() {
            let State { template, node, is_covered, .. } = self.states[id];
            if !is_covered && only.is_none_or(|only| only == template) && self.on.view.is_visible(template, node) {
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
        let touched = state.cube.iter().any(|(predicate, _)| self.on.is_changed(*predicate, &moved));
        let started = starts.map_or(0, |template| 1 << template);
        if !touched && state.unstarted & started == 0 {
            return Ok(());
        }
        let theirs = match self.environment {
            Environment::Relation | Environment::Havoc => other.cube,
            Environment::Anywhere => Rc::default(),
        };
        if !self.on.can_interfere(step, &state.cube, &theirs)? {
            return Ok(());
        }
        let scope = self.scope(state.template, state.node);
        let is_lost = self.environment == Environment::Havoc;
        let cube = self.each(&scope, |on, predicate| {
            if is_lost && on.is_changed(predicate, &moved) {
                return Ok(None);
            }
            on.after_other(step, &state.cube, &theirs, predicate)
        })?;
        let origin = Origin::Other(id, source, step);
        self.add(State { cube, unstarted: state.unstarted & !started, origin, ..state });
        Ok(())
    }

    /// The accesses that a thread may be about to make.
    fn touches(&mut self, id: StateId, who: Who) -> Vec<(StepKey, Touched)> {
        let State { template, node, .. } = *self.state(id);
        self.on.view.touches(template, node, who)
    }

    /// Two threads about to touch the same.
    fn find_races(&mut self) -> Result<(), Stop> {
        let mut standing = Vec::new();
        for id in (0..self.states.len()).map(|id| StateId(id as u32)) {
            if !self.state(id).is_covered {
                let mut touches = self.touches(id, Who::Own);
                touches.retain(|(_, touched)| !self.on.view.universe.is_private(touched.cell.object()));
                if !touches.is_empty() {
                    standing.push((id, touches));
                }
            }
        }
        let mut found: FxHashMap<Tag, usize> = FxHashMap::default();
        for (first, (one, mine)) in standing.iter().enumerate() {
            for (other, _) in &standing[first..] {
                self.on.prover.poll()?;
                if !self.can_meet(self.state(*one), self.state(*other)) {
                    continue;
                }
                let theirs = self.touches(*other, Who::Other);
                for (step, touch) in mine {
                    for (their_step, their) in &theirs {
                        let races = touch.cell.overlaps(their.cell) && touch.mode.races_with(their.mode);
                        let is_known = found.get(&touch.cell.object()).is_some_and(|known| *known >= MOST_RACES);
                        if races && !is_known && self.meet_at(*one, touch, *other, their)? {
                            let problem = Problem::Race(touch.cell.object(), *other, *their_step);
                            self.alarms.push(Alarm { state: *one, step: *step, problem, when: touch.when });
                            *found.entry(touch.cell.object()).or_default() += 1;
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
        self.on.can_meet((touch.when, &a), (their.when, &b))
    }
}

/// Whether a state says no more than another, at the same place.
fn covers(weak: &State, strong: &State) -> bool {
    weak.unstarted & !strong.unstarted == 0 && weak.cube.iter().all(|literal| strong.cube.contains(literal))
}
