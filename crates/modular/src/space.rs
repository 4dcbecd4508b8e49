//! The abstract states of all threads, and the steps between them: per template and place, conjunctions of predicates.
//!
//! A state also says which templates have not been started: their threads cannot be met in it. Other threads move
//! only where the next step of the thread touches something that they can touch; its other steps could as well be
//! taken before.

mod others;
mod races;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_abstraction::{Abstraction, Cube, PredicateId, PredicateSet, Said, Side, StepKey, Stop};
use selvedge_logic::Term;
use selvedge_program::{AtomicStep, CheckId, EdgeId, FunctionId, RegisterId};
use selvedge_symbolic::threads::{Arc, ArcKind, Local, NodeId, Universe, Who};
use selvedge_symbolic::{Predicate, Tag, Trouble};

use crate::ground::Ground;
use others::{Interference, Unstable};

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

/// What is known in some states, however many these are.
#[derive(Debug)]
struct Knowledge {
    /// The same number, the same knowledge.
    number: u32,
    cube: Rc<Cube>,
    /// What is known of shared cells.
    said: Rc<Said>,
    /// The predicates that are known to hold, and those that are known not to.
    holds: PredicateSet,
    fails: PredicateSet,
}

/// The predicates that are looked at at some places.
#[derive(Debug)]
struct Scope {
    number: u32,
    predicates: Vec<PredicateId>,
}

/// What a step of a thread leads to, from what is known: what may be wrong, each under a condition, and what is known
/// afterwards, of each side of the step that can be taken.
#[derive(Debug, Default)]
struct Outcome {
    wrong: Vec<(Term, Problem)>,
    can_step: bool,
    after: Vec<Rc<Knowledge>>,
}

#[derive(Clone, Debug)]
pub struct State {
    pub template: usize,
    pub node: NodeId,
    pub cube: Rc<Cube>,
    known: Rc<Knowledge>,
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

/// When what threads expect of others gets more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weakening {
    /// As soon as a step is found to be taken, it is expected.
    #[default]
    AtOnce,
    /// When all is reached that can be under what is expected, and that is no error: the paper's inner iterations.
    InRounds,
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
    pub weakening: Weakening,
    pub states: Vec<State>,
    /// The predicates that are looked at; all others are left out.
    tracked: PredicateSet,
    at: FxHashMap<(usize, NodeId), Vec<StateId>>,
    affected: FxHashMap<(Who, StepKey), Rc<PredicateSet>>,
    /// How much is looked at.
    width: Width,
    ground: Rc<Ground>,
    /// What of all that is found to be known is kept.
    pub trimming: Trimming,
    /// Of the tracked predicates, those that a template may look at.
    looked_at: Vec<Option<Rc<Vec<PredicateId>>>>,
    scopes: FxHashMap<(usize, NodeId), Rc<Scope>>,
    scope_numbers: FxHashMap<Vec<PredicateId>, Rc<Scope>>,
    knowledge: FxHashMap<Rc<Cube>, Rc<Knowledge>>,
    /// What steps lead to from what is known, to places where some predicates are looked at.
    outcomes: FxHashMap<(StepKey, u32, u32), Rc<Outcome>>,
    /// The same of steps of others, from what is known to them.
    interfered: FxHashMap<(StepKey, u32, u32, u32), Option<Rc<Knowledge>>>,
    unstable: FxHashMap<StepKey, Rc<Unstable>>,
    /// Whether two threads that know this can meet in two conditions.
    meetings: FxHashMap<(u32, Term, u32, Term), bool>,
    interferences: Vec<Interference>,
    /// How many of these are expected: the environment assumptions, as far as they have been weakened.
    expected: usize,
    /// How often they were weakened: the paper's inner iterations.
    pub updates: u64,
    known_steps: FxHashSet<(usize, StepKey, u32, Templates)>,
    pending: BinaryHeap<Reverse<(u32, StateId)>>,
    /// Of these there may be several threads.
    pub many: Templates,
    pub alarms: Vec<Alarm>,
    /// Objects of which it is known how they stand: races on them are not looked for.
    pub left_out: FxHashSet<Tag>,
    /// Whether it is looked where the program may be undefined, and where assertions may fail.
    pub notices_undefined: bool,
    pub notices_violations: bool,
    /// At edges where something may be wrong, the registers of which it is not if the one that stands for its site is
    /// what they point to.
    pub witnesses: FxHashMap<(FunctionId, EdgeId), Vec<RegisterId>>,
}

/// An exploration may end when it has come to this.
pub enum Sought<'s> {
    /// A race on one of these objects.
    Race(&'s dyn Fn(&Universe<'_>, Tag) -> bool),
    /// One of these alarms.
    Other(&'s dyn Fn(&Space<'_, '_, '_>, &Alarm) -> bool),
}

impl std::fmt::Debug for Sought<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Sought::Race(_) => "Race",
            Sought::Other(_) => "Other",
        })
    }
}

/// How far an exploration went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Everything is covered by what was found.
    Whole,
    /// To what was sought.
    Part,
}

/// With more states than this at one place, they are joined.
const MOST_STATES: usize = 24;

/// How much is looked at in an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Everything.
    Whole,
    /// In a large program: of shared cells, those that a thread has to do with itself.
    Narrow,
}

impl Width {
    /// How often predicates are added.
    pub fn most_rounds(self) -> u64 {
        match self {
            Width::Whole => 40,
            Width::Narrow => 10,
        }
    }
}

/// What need not be kept of what is found to be known. To know less is always right.
#[derive(Clone, Debug, Default)]
pub struct Trimming {
    /// Of these only where they hold: that a lock is not one's own is of no use to most.
    pub holding_only: PredicateSet,
    /// What is said of a word, only by who owns it: with the predicate that says so.
    pub of_owner: FxHashMap<PredicateId, PredicateId>,
}

impl Trimming {
    fn trim(&self, cube: &mut Cube) {
        cube.retain(|(id, truth)| *truth || !self.holding_only.contains(*id));
        if !self.of_owner.is_empty() {
            let owned: Vec<PredicateId> = cube.iter().filter(|(_, truth)| *truth).map(|(id, _)| *id).collect();
            cube.retain(|(id, _)| self.of_owner.get(id).is_none_or(|owner| owned.binary_search(owner).is_ok()));
        }
    }
}

impl<'a, 'p, 'b> Space<'a, 'p, 'b> {
    /// Nothing has been explored yet; of all predicates, these will be looked at.
    pub fn new(
        on: &'a mut Abstraction<'p, 'b>,
        (environment, weakening): (Environment, Weakening),
        tracked: PredicateSet,
        (ground, width): (Rc<Ground>, Width),
    ) -> Self {
        Space {
            on,
            environment,
            weakening,
            states: Vec::new(),
            tracked,
            at: FxHashMap::default(),
            affected: FxHashMap::default(),
            width,
            ground,
            trimming: Trimming::default(),
            looked_at: Vec::new(),
            scopes: FxHashMap::default(),
            scope_numbers: FxHashMap::default(),
            knowledge: FxHashMap::default(),
            outcomes: FxHashMap::default(),
            interfered: FxHashMap::default(),
            unstable: FxHashMap::default(),
            meetings: FxHashMap::default(),
            interferences: Vec::new(),
            expected: 0,
            updates: 0,
            known_steps: FxHashSet::default(),
            pending: BinaryHeap::new(),
            many: 0,
            alarms: Vec::new(),
            left_out: FxHashSet::default(),
            notices_undefined: true,
            notices_violations: true,
            witnesses: FxHashMap::default(),
        }
    }

    /// How many steps of threads others expect.
    pub fn expected_steps(&self) -> usize {
        self.expected
    }

    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.0 as usize]
    }

    /// How many steps a place is from where the thread begins.
    pub fn depth(&self, template: usize, node: NodeId) -> u32 {
        self.ground.depths[template][node.0 as usize]
    }

    /// The predicates that are looked at.
    pub fn tracked(&self) -> &PredicateSet {
        &self.tracked
    }

    /// Whether a predicate could be looked at that is not.
    pub fn is_new(&mut self, predicate: &Predicate) -> bool {
        self.on.predicates.is_new(&mut self.on.view, predicate, &self.tracked)
    }

    /// Explores everything, under environment assumptions that are empty at first and weakened until each thread's steps are
    /// among what the others expect. Where that is done in rounds and an alarm is sought, it ends after the first
    /// round in which there is one: then the assumptions may be too strong still, and nothing is proved.
    pub fn explore(&mut self, sought: Option<Sought<'_>>) -> Result<Extent, Stop> {
        self.start()?;
        loop {
            while let Some(Reverse((_, id))) = self.pending.pop() {
                self.on.prover.poll()?;
                if !self.state(id).is_covered {
                    self.expand(id)?;
                }
            }
            if self.expected == self.interferences.len() {
                break;
            }
            if let Some(sought) = &sought
                && self.environment != Environment::Anywhere
                && self.is_found(sought)?
            {
                return Ok(Extent::Part);
            }
            self.weaken()?;
        }
        let alarms = std::mem::take(&mut self.alarms);
        self.alarms = alarms.into_iter().filter(|alarm| !self.is_excused(alarm)).collect();
        self.find_races(|_, _| true)?;
        Ok(Extent::Whole)
    }

    /// Whether it is known of the allocation that stands for its site that nothing is wrong with it.
    fn is_excused(&self, alarm: &Alarm) -> bool {
        let witnesses = self.witnesses.get(&(alarm.step.0, alarm.step.1));
        witnesses.is_some_and(|registers| !registers.is_empty())
    }

    /// Whether there is an alarm that is sought. If so, only such are kept.
    fn is_found(&mut self, sought: &Sought<'_>) -> Result<bool, Stop> {
        let found = match sought {
            Sought::Race(is_meant) => {
                let before = self.alarms.len();
                self.find_races(is_meant)?;
                self.alarms.split_off(before)
            }
            Sought::Other(is_meant) => {
                let alarms = self.alarms.iter().filter(|alarm| is_meant(self, alarm) && !self.is_excused(alarm));
                alarms.cloned().collect()
            }
        };
        if !found.is_empty() {
            self.alarms = found.clone();
        }
        Ok(!found.is_empty())
    }

    /// From here on, all steps are expected that threads were found to take.
    fn weaken(&mut self) -> Result<(), Stop> {
        self.updates += 1;
        let (from, to) = (self.expected, self.interferences.len());
        self.expected = to;
        (from..to).try_for_each(|place| self.interfere_everywhere(place, None))
    }

    fn start(&mut self) -> Result<(), Stop> {
        let templates = self.on.view.universe.templates.len();
        let node = self.on.view.universe.unfolded(0).first();
        let scope = self.scope(0, node);
        let unstarted = if templates >= MOST_TEMPLATES { u64::MAX } else { (1 << templates) - 1 } & !1;
        let first = self.on.view.begins(scope.predicates.iter().map(|id| self.on.predicates.get(*id)));
        let mut cube = Cube::new();
        for &id in &scope.predicates {
            let term = self.on.predicates.term(id, Who::Own);
            if let Some(truth) = self.on.decide(&first, term)? {
                cube.push((id, truth));
            }
        }
        let known = self.know(cube);
        self.add((0, node), known, unstarted, Origin::Start);
        Ok(())
    }

    fn scope(&mut self, template: usize, node: NodeId) -> Rc<Scope> {
        if let Some(scope) = self.scopes.get(&(template, node)) {
            return Rc::clone(scope);
        }
        let looked_at = self.looked_at(template);
        let universe = &self.on.view.universe;
        let predicates = self.on.predicates.among(&looked_at, universe, universe.unfolded(template), node);
        let number = self.scope_numbers.len() as u32;
        let new = || Rc::new(Scope { number, predicates: predicates.clone() });
        let scope = Rc::clone(self.scope_numbers.entry(predicates.clone()).or_insert_with(new));
        self.scopes.insert((template, node), Rc::clone(&scope));
        scope
    }

    /// Of the tracked predicates, those that a template may look at.
    fn looked_at(&mut self, template: usize) -> Rc<Vec<PredicateId>> {
        if self.looked_at.len() <= template {
            self.looked_at.resize(template + 1, None);
        }
        if let Some(looked_at) = &self.looked_at[template] {
            return Rc::clone(looked_at);
        }
        let looks_at = &self.ground.looks_at[template];
        let is_looked_at = |id: &PredicateId| self.on.predicates.cells(*id).iter().all(|key| looks_at.contains(key));
        let all = self.tracked.iter().filter(|id| self.width == Width::Whole || is_looked_at(id));
        let looked_at = Rc::new(all.collect::<Vec<_>>());
        self.looked_at[template] = Some(Rc::clone(&looked_at));
        looked_at
    }

    /// A conjunction, less what is not kept of it.
    fn know(&mut self, mut cube: Cube) -> Rc<Knowledge> {
        self.trimming.trim(&mut cube);
        if let Some(known) = self.knowledge.get(&cube) {
            return Rc::clone(known);
        }
        let cube = Rc::new(cube);
        let number = self.knowledge.len() as u32;
        let said = self.on.said(&cube);
        let of = |truth: bool| PredicateSet::of(cube.iter().filter(|literal| literal.1 == truth).map(|(id, _)| *id));
        let known = Rc::new(Knowledge { number, said, holds: of(true), fails: of(false), cube: Rc::clone(&cube) });
        self.knowledge.insert(cube, Rc::clone(&known));
        known
    }

    /// Whether other threads may move where a thread stands.
    fn is_visible(&self, template: usize, node: NodeId) -> bool {
        self.ground.visible[template][node.0 as usize]
    }

    /// The predicates that a step affects.
    fn affected(&mut self, by: Who, step: StepKey) -> Rc<PredicateSet> {
        if let Some(affected) = self.affected.get(&(by, step)) {
            return Rc::clone(affected);
        }
        let affected = Rc::new(self.on.affected(step, by));
        self.affected.insert((by, step), Rc::clone(&affected));
        affected
    }

    /// Adds a state unless another one stands for it.
    fn add(
        &mut self,
        (template, node): (usize, NodeId),
        mut known: Rc<Knowledge>,
        mut unstarted: Templates,
        origin: Origin,
    ) {
        let place = self.at.entry((template, node)).or_default();
        place.retain(|id| !self.states[id.0 as usize].is_covered);
        type Stated<'s> = (&'s Rc<Cube>, Templates);
        let covers = |weak: Stated<'_>, strong: Stated<'_>| {
            weak.1 & !strong.1 == 0 && (Rc::ptr_eq(weak.0, strong.0) || is_part(weak.0, strong.0))
        };
        let states = &self.states;
        let said = |id: &StateId| (&states[id.0 as usize].cube, states[id.0 as usize].unstarted);
        if place.iter().any(|id| covers(said(id), (&known.cube, unstarted))) {
            return;
        }
        if place.len() >= MOST_STATES {
            let mut cube = (*known.cube).clone();
            for (other, not) in place.iter().map(said) {
                cube.retain(|literal| other.binary_search(literal).is_ok());
                unstarted &= not;
            }
            known = self.know(cube);
        }
        let states = &self.states;
        let said = |id: &StateId| (&states[id.0 as usize].cube, states[id.0 as usize].unstarted);
        let place = self.at.entry((template, node)).or_default();
        let covered = place.iter().filter(|id| covers((&known.cube, unstarted), said(id)));
        let covered: Vec<StateId> = covered.copied().collect();
        let id = StateId(self.states.len() as u32);
        place.push(id);
        for covered in covered {
            self.states[covered.0 as usize].is_covered = true;
        }
        let cube = Rc::clone(&known.cube);
        self.states.push(State { template, node, cube, known, unstarted, origin, is_covered: false });
        self.pending.push(Reverse((self.ground.orders[template][node.0 as usize], id)));
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
        if self.is_visible(template, node) {
            for place in 0..self.expected {
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
        let State { template, known, mut unstarted, .. } = self.state(id).clone();
        let outcome = self.outcome(template, &known, arc, step)?;
        for (when, problem) in &outcome.wrong {
            self.alarms.push(Alarm { state: id, step, problem: problem.clone(), when: *when });
        }
        if !outcome.can_step {
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
            for known in &outcome.after {
                self.add((template, target), Rc::clone(known), unstarted, Origin::Own(id, step));
            }
        }
        if let Some(template) = starts {
            let node = self.on.view.universe.unfolded(template).first();
            let scope = self.scope(template, node);
            let cube = self.each(&scope, |on, predicate| on.started(step, &known.cube, predicate))?;
            let known = self.know(cube);
            self.add((template, node), known, unstarted, Origin::Started(id, step));
        }
        let moved = self.on.view.moved(Who::Own, step.0, step.1, step.2);
        if !moved.cells.is_empty() || starts.is_some() {
            self.add_interference(id, step, starts)?;
        }
        Ok(())
    }

    /// What a step of a thread leads to.
    fn outcome(
        &mut self,
        template: usize,
        known: &Rc<Knowledge>,
        arc: Arc,
        step: StepKey,
    ) -> Result<Rc<Outcome>, Stop> {
        let scope = arc.target.map(|target| self.scope(template, target));
        let key = (step, known.number, scope.as_ref().map_or(u32::MAX, |scope| scope.number));
        if let Some(outcome) = self.outcomes.get(&key) {
            return Ok(Rc::clone(outcome));
        }
        let moved = self.on.view.moved(Who::Own, step.0, step.1, step.2);
        let cube = &known.cube;
        let mut outcome = Outcome::default();
        let is_noticed = |trouble: &Trouble| self.notices_undefined || matches!(trouble, Trouble::Unsupported(_));
        let troubles = moved.troubles.iter().filter(|(_, trouble)| is_noticed(trouble));
        let troubles = troubles.map(|(when, trouble)| (*when, Problem::Trouble(trouble.clone())));
        let violations = moved.violations.iter().filter(|_| self.notices_violations);
        let violations = violations.map(|(when, check)| (*when, Problem::Violation(*check)));
        for (when, problem) in troubles.chain(violations).collect::<Vec<_>>() {
            if self.is_alarm(cube, step, when, &problem)? {
                outcome.wrong.push((when, problem));
            }
        }
        outcome.can_step = self.on.can_step(step, Side::default(), cube)?;
        if let Some(scope) = scope.filter(|_| outcome.can_step) {
            let affected = self.affected(Who::Own, step);
            let told = self.told_by_read(step, &scope);
            let forks = if moved.forks.is_empty() { vec![None] } else { vec![Some(true), Some(false)] };
            let mut sides: Vec<Side> = forks.into_iter().map(|fork| Side { fork, told: None }).rev().collect();
            while let Some(side) = sides.pop() {
                if side != Side::default() && !self.on.can_step(step, side, cube)? {
                    continue;
                }
                let after = self.on.after_step((step, side), cube, &scope.predicates, &affected)?;
                let is_open = |told: &PredicateId| after.binary_search_by_key(told, |(id, _)| *id).is_err();
                match told.filter(|told| side.told.is_none() && is_open(told)) {
                    Some(told) => sides.extend([false, true].map(|truth| Side { told: Some((told, truth)), ..side })),
                    None => outcome.after.push(self.know(after)),
                }
            }
        }
        let outcome = Rc::new(outcome);
        self.outcomes.insert(key, Rc::clone(&outcome));
        Ok(outcome)
    }

    /// A predicate that says what an update has read, and so what it has made of it. It is looked at by itself: then it
    /// is known together with what the update has written.
    fn told_by_read(&self, (function, edge, _): StepKey, scope: &Scope) -> Option<PredicateId> {
        let steps = self.on.view.universe.program.function(function).edge(edge).action.steps();
        if !steps.iter().any(|step| matches!(step, AtomicStep::Write { .. })) {
            return None;
        }
        let is_read = |local: &Local| {
            let is_target = |register: RegisterId| *local == Local::Register(function, register);
            steps.iter().any(|step| matches!(step, AtomicStep::Read { target, .. } if is_target(*target)))
        };
        let predicates = &self.on.predicates;
        let mut told = scope.predicates.iter().copied().filter(|id| {
            let locals = predicates.locals(*id);
            predicates.cells(*id).is_empty() && !locals.is_empty() && locals.iter().all(is_read)
        });
        told.next()
    }

    /// What is known of each predicate of a scope.
    fn each(
        &mut self,
        scope: &Scope,
        mut known: impl FnMut(&mut Abstraction<'p, 'b>, PredicateId) -> Result<Option<bool>, Stop>,
    ) -> Result<Cube, Stop> {
        let mut cube = Cube::new();
        for &predicate in &scope.predicates {
            if let Some(truth) = known(self.on, predicate)? {
                cube.push((predicate, truth));
            }
        }
        Ok(cube)
    }

    /// Whether something may be wrong with a step where this is known.
    fn is_alarm(&mut self, cube: &Cube, step: StepKey, when: Term, problem: &Problem) -> Result<bool, Stop> {
        if !self.on.can_hold(when, cube)? {
            return Ok(false);
        }
        let edge = (step.0, step.1);
        let mut candidates = match self.witnesses.get(&edge) {
            Some(left) => left.clone(),
            None => self.on.pointers_at(edge),
        };
        if let Problem::Trouble(_) = problem {
            candidates.retain(|register| self.on.view.says_which(edge, *register));
        }
        let mut left = Vec::new();
        for register in candidates {
            if let Some(points) = self.on.view.points_to_one((step.0, register)) {
                let both = self.on.view.builder.and(when, points);
                if !self.on.can_hold(both, cube)? {
                    left.push(register);
                }
            }
        }
        self.witnesses.insert(edge, left);
        Ok(true)
    }
}

/// Whether all literals of a conjunction are in another; both are in the order of predicates.
fn is_part(part: &Cube, whole: &Cube) -> bool {
    let mut whole = whole.iter();
    part.len() <= whole.len() && part.iter().all(|literal| whole.any(|other| other == literal))
}
