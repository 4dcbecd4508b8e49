//! The abstract states of all threads, and the steps between them: per template and place, conjunctions of predicates.
//!
//! A state also says which templates have not been started: their threads cannot be met in it. Other threads move
//! only where the next step of the thread touches something that they can touch; its other steps could as well be
//! taken before.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_abstraction::{Abstraction, Cube, PredicateId, PredicateSet, Said, StepKey, Stop};
use selvedge_logic::Term;
use selvedge_program::{CheckId, EdgeId, FunctionId, RegisterId};
use selvedge_symbolic::effect::Touched;
use selvedge_symbolic::threads::{Arc, ArcKind, NodeId, Unfolded, Who};
use selvedge_symbolic::{CellKey, Note, Predicate, Tag, Tally, Trouble};

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
    /// What is known of shared cells.
    said: Rc<Said>,
    /// The predicates that are known.
    known: Rc<PredicateSet>,
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
    /// The predicates that it affects.
    affected: Rc<PredicateSet>,
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
    /// The predicates that are looked at; all others are left out.
    tracked: PredicateSet,
    at: FxHashMap<(usize, NodeId), Vec<StateId>>,
    affected: FxHashMap<(Who, StepKey), Rc<PredicateSet>>,
    /// How much is looked at.
    width: Width,
    ground: Rc<Ground>,
    scopes: FxHashMap<(usize, NodeId), Rc<Vec<PredicateId>>>,
    interferences: Vec<Interference>,
    known_steps: FxHashSet<(usize, StepKey, Rc<Cube>, Templates)>,
    pending: BinaryHeap<Reverse<(u32, StateId)>>,
    /// Of these there may be several threads.
    pub many: Templates,
    pub alarms: Vec<Alarm>,
    /// Objects of which it is known how they stand: races on them are not looked for.
    pub left_out: FxHashSet<Tag>,
    /// Whether it is looked where the program may be undefined.
    pub notices_undefined: bool,
    /// At edges where something may be wrong, the registers of which it is not if the one that stands for its site is
    /// what they point to.
    pub witnesses: FxHashMap<(FunctionId, EdgeId), Vec<RegisterId>>,
}

/// With more states than this at one place, they are joined.
const MOST_STATES: usize = 24;

/// How many pairs of accesses that may race are told of for one object: one is enough to refine, but another may be
/// the one that has a schedule.
const MOST_RACES: usize = 4;

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

/// What is the same in all explorations, by template.
#[derive(Debug)]
pub struct Ground {
    /// The cells that the threads of a template look at or change.
    looks_at: Vec<FxHashSet<CellKey>>,
    /// In which order the places of a template are looked at: what comes before a place first.
    orders: Vec<Vec<u32>>,
    /// At which places other threads may move.
    visible: Vec<Vec<bool>>,
}

impl Ground {
    pub fn of(on: &mut Abstraction<'_, '_>) -> Ground {
        let templates = 0..on.view.universe.templates.len();
        let looks_at = templates.clone().map(|template| looks_at(on, template)).collect();
        let orders = on.view.universe.templates.iter().map(|(_, unfolded)| order(unfolded)).collect();
        let mut visible_in = |template: usize| {
            let nodes = on.view.universe.unfolded(template).nodes.len() as u32;
            (0..nodes).map(|node| on.view.is_visible(template, NodeId(node))).collect()
        };
        let visible = templates.map(&mut visible_in).collect();
        Ground { looks_at, orders, visible }
    }

    /// How many places all threads have.
    pub fn places(&self) -> usize {
        self.orders.iter().map(Vec::len).sum()
    }
}

impl<'a, 'p, 'b> Space<'a, 'p, 'b> {
    /// Nothing has been explored yet; of all predicates, these will be looked at.
    pub fn new(
        on: &'a mut Abstraction<'p, 'b>,
        environment: Environment,
        tracked: PredicateSet,
        (ground, width): (Rc<Ground>, Width),
    ) -> Self {
        Space {
            on,
            environment,
            states: Vec::new(),
            tracked,
            at: FxHashMap::default(),
            affected: FxHashMap::default(),
            width,
            ground,
            scopes: FxHashMap::default(),
            interferences: Vec::new(),
            known_steps: FxHashSet::default(),
            pending: BinaryHeap::new(),
            many: 0,
            alarms: Vec::new(),
            left_out: FxHashSet::default(),
            notices_undefined: true,
            witnesses: FxHashMap::default(),
        }
    }

    /// How many steps of threads others are to expect.
    pub fn environment_steps(&self) -> usize {
        self.interferences.len()
    }

    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.0 as usize]
    }

    /// Whether a predicate could be looked at that is not.
    pub fn is_new(&mut self, predicate: &Predicate) -> bool {
        self.on.predicates.is_new(&mut self.on.view, predicate, &self.tracked)
    }

    /// Explores everything.
    pub fn explore(&mut self) -> Result<(), Stop> {
        self.start()?;
        while let Some(Reverse((_, id))) = self.pending.pop() {
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
        self.add((0, node), cube, unstarted, Origin::Start);
        Ok(())
    }

    fn scope(&mut self, template: usize, node: NodeId) -> Rc<Vec<PredicateId>> {
        if let Some(scope) = self.scopes.get(&(template, node)) {
            return Rc::clone(scope);
        }
        let universe = &self.on.view.universe;
        let mut scope = self.on.predicates.in_scope(universe, universe.unfolded(template), node);
        let looks_at = &self.ground.looks_at[template];
        scope.retain(|id| {
            let is_looked_at = self.on.predicates.cells(*id).iter().all(|key| looks_at.contains(key));
            self.tracked.contains(*id) && (is_looked_at || self.width == Width::Whole)
        });
        let scope = Rc::new(scope);
        self.scopes.insert((template, node), Rc::clone(&scope));
        scope
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
    fn add(&mut self, (template, node): (usize, NodeId), mut cube: Cube, mut unstarted: Templates, origin: Origin) {
        let place = self.at.entry((template, node)).or_default();
        place.retain(|id| !self.states[id.0 as usize].is_covered);
        let covers =
            |weak: (&Cube, Templates), strong: (&Cube, Templates)| weak.1 & !strong.1 == 0 && is_part(weak.0, strong.0);
        let states = &self.states;
        let said = |id: &StateId| (&*states[id.0 as usize].cube, states[id.0 as usize].unstarted);
        if place.iter().any(|id| covers(said(id), (&cube, unstarted))) {
            return;
        }
        if place.len() >= MOST_STATES {
            for (other, not) in place.iter().map(said) {
                cube.retain(|literal| other.binary_search(literal).is_ok());
                unstarted &= not;
            }
        }
        let covered: Vec<StateId> = place.iter().filter(|id| covers((&cube, unstarted), said(id))).copied().collect();
        let id = StateId(self.states.len() as u32);
        place.push(id);
        for covered in covered {
            self.states[covered.0 as usize].is_covered = true;
        }
        let cube = Rc::new(cube);
        let said = self.on.said(&cube);
        let known = Rc::new(PredicateSet::of(cube.iter().map(|(id, _)| *id)));
        self.states.push(State { template, node, cube, said, known, unstarted, origin, is_covered: false });
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
        let affected = self.affected(Who::Own, step);
        let is_noticed = |trouble: &Trouble| self.notices_undefined || matches!(trouble, Trouble::Unsupported(_));
        let troubles: Vec<_> = moved.troubles.iter().filter(|(_, trouble)| is_noticed(trouble)).collect();
        for (when, trouble) in troubles {
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
                let cube = self.on.after_step((step, side), &cube, &scope, &affected)?;
                self.add((template, target), cube, unstarted, Origin::Own(id, step));
            }
        }
        if let Some(template) = starts {
            let node = self.on.view.universe.unfolded(template).first();
            let scope = self.scope(template, node);
            let cube = self.each(&scope, |on, predicate| on.started(step, &cube, predicate))?;
            self.add((template, node), cube, unstarted, Origin::Started(id, step));
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
    ) -> Result<Cube, Stop> {
        let mut cube = Cube::new();
        for &predicate in scope {
            if let Some(truth) = known(self.on, predicate)? {
                cube.push((predicate, truth));
            }
        }
        Ok(cube)
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
        let affected = self.affected(Who::Other, step);
        if starts.is_none() && !affected.meets(&self.tracked) {
            return Ok(());
        }
        let State { template, cube, unstarted, .. } = self.state(source).clone();
        if !self.known_steps.insert((template, step, cube, unstarted)) {
            return Ok(());
        }
        self.interferences.push(Interference { source, step, affected, starts });
        self.interfere_everywhere(self.interferences.len() - 1, None)
    }

    fn interfere_everywhere(&mut self, place: usize, only: Option<usize>) -> Result<(), Stop> {
        for id in 0..self.states.len() {
            let State { template, node, is_covered, .. } = self.states[id];
            let is_meant = !is_covered && only.is_none_or(|only| only == template);
            if is_meant && self.is_concerned(StateId(id as u32), place) && self.is_visible(template, node) {
                self.interfere(StateId(id as u32), place)?;
            }
        }
        Ok(())
    }

    /// Whether a step of another thread may change what is known in a state.
    fn is_concerned(&self, id: StateId, place: usize) -> bool {
        let (state, interference) = (self.state(id), &self.interferences[place]);
        let starts = interference.starts.is_some_and(|template| state.unstarted & (1 << template) != 0);
        (starts || state.known.meets(&interference.affected)) && !self.state(interference.source).is_covered
    }

    /// Whether threads in these states can be there together.
    fn can_meet(&self, one: &State, other: &State) -> bool {
        let of = |template: usize| 1_u64 << template;
        let is_apart = one.unstarted & of(other.template) != 0 || other.unstarted & of(one.template) != 0;
        !is_apart && (one.template != other.template || self.many & of(one.template) != 0)
    }

    /// Lets another thread take a step while the thread stands. What takes a step in a state that another one stands
    /// for takes it there, too.
    fn interfere(&mut self, id: StateId, place: usize) -> Result<(), Stop> {
        if !self.is_concerned(id, place) {
            return Ok(());
        }
        let Interference { source, step, starts, .. } = self.interferences[place].clone();
        let (state, other) = (self.state(id).clone(), self.state(source).clone());
        let (theirs, said) = match self.environment {
            Environment::Relation | Environment::Havoc => (other.cube.clone(), other.said.clone()),
            Environment::Anywhere => (Rc::default(), self.on.said(&Rc::default())),
        };
        let can_step = self.can_meet(&state, &other)
            && self.on.can_interfere(step, (&state.cube, &state.said), (&theirs, &said))?;
        if !can_step {
            return Ok(());
        }
        let scope = self.scope(state.template, state.node);
        let is_lost = self.environment == Environment::Havoc;
        let affected = self.affected(Who::Other, step);
        let cube = self.each(&scope, |on, predicate| {
            if is_lost && affected.contains(predicate) {
                return Ok(None);
            }
            on.after_other(step, &state.cube, &theirs, predicate)
        })?;
        let started = starts.map_or(0, |template| 1 << template);
        self.add((state.template, state.node), cube, state.unstarted & !started, Origin::Other(id, source, step));
        Ok(())
    }

    /// The accesses that a thread may be about to make.
    fn touches(&mut self, id: StateId, who: Who) -> Vec<(StepKey, Touched)> {
        let State { template, node, .. } = *self.state(id);
        self.on.view.touches(template, node, who)
    }

    /// Two threads about to touch the same.
    fn find_races(&mut self) -> Result<(), Stop> {
        let mut own: BTreeMap<Tag, Vec<(StateId, StepKey, Touched)>> = BTreeMap::new();
        let mut others: BTreeMap<Tag, Vec<(StateId, StepKey, Touched)>> = BTreeMap::new();
        for id in (0..self.states.len()).map(|id| StateId(id as u32)) {
            if !self.state(id).is_covered {
                for (who, all) in [(Who::Own, &mut own), (Who::Other, &mut others)] {
                    for (step, touched) in self.touches(id, who) {
                        all.entry(touched.cell.object()).or_default().push((id, step, touched));
                    }
                }
            }
        }
        own.retain(|object, _| !self.on.view.universe.is_private(*object) && !self.left_out.contains(object));
        for (object, mine) in own {
            self.on.prover.poll()?;
            let theirs = others.remove(&object).unwrap_or_default();
            self.find_races_on(object, &mine, &theirs)?;
        }
        Ok(())
    }

    /// One of those accesses that threads make who know the same.
    fn one_of_each(&self, accesses: &[(StateId, StepKey, Touched)]) -> Vec<(StateId, StepKey, Touched)> {
        let mut seen = FxHashSet::default();
        let mut is_new = |(id, step, touched): &&(StateId, StepKey, Touched)| {
            let State { template, cube, unstarted, .. } = self.state(*id);
            seen.insert((*template, Rc::clone(cube), *unstarted, *step, touched.cell, touched.when, touched.mode))
        };
        accesses.iter().filter(|access| is_new(access)).copied().collect()
    }

    /// The first pairs of accesses to an object that may race.
    fn find_races_on(
        &mut self,
        object: Tag,
        mine: &[(StateId, StepKey, Touched)],
        theirs: &[(StateId, StepKey, Touched)],
    ) -> Result<(), Stop> {
        let mut left = MOST_RACES;
        let (mine, theirs) = (self.one_of_each(mine), self.one_of_each(theirs));
        for (one, step, touch) in &mine {
            for (other, their_step, their) in theirs.iter().filter(|(other, ..)| other >= one) {
                let races = touch.cell.overlaps(their.cell) && touch.mode.races_with(their.mode);
                if !races || !self.can_meet(self.state(*one), self.state(*other)) {
                    continue;
                }
                let (a, b) = (self.state(*one).cube.clone(), self.state(*other).cube.clone());
                if self.on.can_meet((touch.when, &a), (their.when, &b))? {
                    let problem = Problem::Race(object, *other, *their_step);
                    self.alarms.push(Alarm { state: *one, step: *step, problem, when: touch.when });
                    left -= 1;
                    if left == 0 {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether all literals of a conjunction are in another; both are in the order of predicates.
fn is_part(part: &Cube, whole: &Cube) -> bool {
    let mut whole = whole.iter();
    part.len() <= whole.len() && part.iter().all(|literal| whole.any(|other| other == literal))
}

/// The cells that the threads of a template look at or change.
fn looks_at(on: &mut Abstraction<'_, '_>, template: usize) -> FxHashSet<CellKey> {
    let unfolded = on.view.universe.unfolded(template);
    let steps = unfolded.arcs.iter().map(|arc| (unfolded.get(arc.source).function, arc.edge, arc.kind));
    let steps: FxHashSet<StepKey> = steps.collect();
    let mut cells = FxHashSet::default();
    for (function, edge, kind) in steps {
        let moved = on.view.moved(Who::Own, function, edge, kind);
        cells.extend(moved.cells.keys());
        cells.extend(moved.touched.iter().map(|touched| touched.cell));
    }
    let counters: FxHashSet<CellKey> = on.view.universe.counters().filter(|key| cells.contains(key)).collect();
    cells.extend(counters.iter().flat_map(|key| Tally::ALL.into_iter().filter_map(|tally| key.tally(tally))));
    // Of what has a life and a maker, all is of interest to who has to do with any of it.
    let objects: FxHashSet<Tag> = cells.iter().map(|key| key.object()).collect();
    for object in objects {
        cells.extend([CellKey::Alive(object)]);
        cells.extend([Note::Born, Note::Escaped, Note::Maker].map(|note| CellKey::Note(note, object)));
    }
    cells.insert(CellKey::Unjoined);
    cells
}

/// For each place, how many come before it if those that lead to a place come first, but for loops.
fn order(unfolded: &Unfolded) -> Vec<u32> {
    let mut order = vec![u32::MAX; unfolded.nodes.len()];
    let mut seen = vec![false; unfolded.nodes.len()];
    let mut next = unfolded.nodes.len() as u32;
    let mut pending = vec![(unfolded.first(), 0)];
    seen[unfolded.first().0 as usize] = true;
    while let Some((node, arc)) = pending.pop() {
        match unfolded.outgoing(node).get(arc) {
            Some(leaving) => {
                pending.push((node, arc + 1));
                if let Some(target) = unfolded.arc(*leaving).target
                    && !std::mem::replace(&mut seen[target.0 as usize], true)
                {
                    pending.push((target, 0));
                }
            }
            None => {
                next -= 1;
                order[node.0 as usize] = next;
            }
        }
    }
    order
}
