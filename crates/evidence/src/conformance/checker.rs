//! The checker of conformance proofs: every path of a thread from its beginning, and from every head of a loop with what is
//! said of it, to the next head is walked by itself, with the abstract states that match beside it. On each, no step may be
//! unmatched, no assertion of the program may fail, and at its end one of the things must be so that are said of the head.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_logic::{Answer, Cancellation, Limits, Questions, Term};
use selvedge_program::{Budget, FunctionId, Program};
use selvedge_symbolic::threads::along::cells_of;
use selvedge_symbolic::threads::{Along, Arc, ArcKind, NodeId, Slot, Universe, View};
use selvedge_symbolic::threads::{Moved, Who};
use selvedge_symbolic::{CellKey, Predicate, Root, Trouble, Variable, Word};

use super::{
    AbstractThread, ConformanceProof, Contract, Lived, Lives, MOST_STATES, Place, Possible, Refusal, States, poll,
    proviso,
};

/// More paths than this are not walked from one head.
const MOST_PATHS: usize = 50_000;

type Words = BTreeMap<Variable, Word>;

/// Checks that a proof shows that the threads of a program conform to a contract, as far as nothing happens that is among its
/// doubts.
///
/// # Errors
/// When it does not, or the budget is used up.
pub fn certify(
    program: &Program,
    contract: &Contract,
    proof: &ConformanceProof,
    budget: &Budget,
) -> Result<(), Refusal> {
    if let Some(message) = proviso(program) {
        return Err(Refusal::Proviso(message.to_owned()));
    }
    fits(program, contract, proof)?;
    let universe =
        Universe::open(program, &contract.shared, || budget.exhausted().is_none()).map_err(|_| Refusal::Unfolding)?;
    let mut view = View::new(universe.ok_or_else(|| Refusal::Exhausted(budget.stopped_by()))?);
    let mut shared = Vec::new();
    for &variable in &contract.shared {
        let key = view.key(variable).ok_or(Refusal::Foreign)?;
        view.cell(key).ok_or(Refusal::Foreign)?;
        shared.push((variable, key));
    }
    let functions: Vec<FunctionId> = view.universe.templates.iter().map(|(function, _)| *function).collect();
    if !contract.threads.iter().all(|thread| functions.contains(&thread.function)) {
        return Err(Refusal::Foreign);
    }
    if is_started(&view, functions[0]) {
        return Err(Refusal::MainTwice);
    }
    let lives = Lives::of(program, contract);
    for (template, function) in functions.into_iter().enumerate() {
        let (to, is_written) = contract.thread(function);
        let said = proof.threads.get(&function).cloned().unwrap_or_default();
        let solver = Questions::keeping(
            Limits {
                deadline: budget.deadline,
                cancellation: Some(Cancellation::from_flag(budget.cancel.clone())),
                conflicts: None,
            },
            20_000,
        );
        let is_alone = template == 0 && (!is_written || to.creates());
        let view = &mut view;
        let mut checker = Checker {
            view,
            template,
            contract,
            lives: &lives,
            to,
            shared: &shared,
            said: &said,
            proof,
            budget,
            solver,
            paths: 0,
        };
        checker.check(is_alone)?;
    }
    Ok(())
}

/// Whether everything that is spoken of is there.
fn fits(program: &Program, contract: &Contract, proof: &ConformanceProof) -> Result<(), Refusal> {
    let is_static = |variable: &Variable| {
        matches!(
            variable,
            Variable::Cell { object: Root::Static(_), .. } | Variable::Ghost { object: Root::Static(_), .. }
        )
    };
    let mut is_fine = contract.shared.iter().all(is_static);
    let is_shared = |variable: &Variable| contract.shared.contains(variable);
    let mut functions = BTreeSet::new();
    let says = |predicate: &Predicate| predicate.fits(program) && predicate.variables().iter().all(is_shared);
    is_fine &= says(&contract.initially);
    for thread in &contract.threads {
        let states = thread.assertions.len();
        is_fine &= functions.insert(thread.function) && (1..=MOST_STATES).contains(&states);
        is_fine &= thread.names.len() == states && thread.initial.iter().all(|state| *state < states);
        is_fine &= thread.assertions.iter().all(says);
        let relations = thread.edges.iter().map(|edge| &edge.relation).chain(&thread.environment);
        is_fine &= relations.into_iter().all(|relation| relation.variables().iter().all(|(of, _)| is_shared(of)));
        is_fine &= thread.edges.iter().all(|edge| edge.from < states && edge.to < states);
    }
    let mut possible = proof.threads.values().flat_map(BTreeMap::values).flatten();
    is_fine &= possible.all(|possible| possible.literals.iter().all(|(predicate, _)| predicate.fits(program)));
    if is_fine { Ok(()) } else { Err(Refusal::Foreign) }
}

/// Whether a thread is started with a function.
fn is_started(view: &View<'_>, function: FunctionId) -> bool {
    let all = 0..view.universe.templates.len();
    all.into_iter().any(|template| {
        let arcs = &view.universe.unfolded(template).arcs;
        arcs.iter().any(|arc| arc.kind == ArcKind::Spawn(function))
    })
}

/// A thread on a path.
#[derive(Clone)]
struct Walk {
    place: Place,
    /// What must be so for the path to be taken.
    conditions: Vec<Term>,
    along: Along,
    matching: Vec<Term>,
    /// What the shared variables were when the atomic section began that the thread is in.
    section: Option<Words>,
    /// What they were after its last step that had to do with them.
    last: Option<Words>,
    /// The places on the path, in which it must not come back to one of which nothing is said.
    passed: BTreeSet<Place>,
}

struct Checker<'a, 'p> {
    view: &'a mut View<'p>,
    template: usize,
    contract: &'a Contract,
    lives: &'a Lives,
    to: AbstractThread,
    shared: &'a [(Variable, CellKey)],
    said: &'a BTreeMap<Place, Vec<Possible>>,
    proof: &'a ConformanceProof,
    budget: &'a Budget,
    solver: Questions,
    paths: usize,
}

impl Checker<'_, '_> {
    fn can_hold(&mut self, conditions: &[Term]) -> Result<bool, Refusal> {
        poll(self.budget)?;
        if conditions.contains(&self.view.builder.no) {
            return Ok(false);
        }
        match self.solver.check(&self.view.builder.terms, conditions)? {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Unknown(_) => Err(Refusal::Exhausted(self.budget.stopped_by())),
        }
    }

    fn check(&mut self, is_alone: bool) -> Result<(), Refusal> {
        let nodes = self.view.universe.unfolded(self.template).nodes.len();
        if !self.said.keys().all(|place| (place.node as usize) < nodes) {
            return Err(Refusal::Foreign);
        }
        let first = self.begin(is_alone)?;
        if self.said.contains_key(&first.place) {
            self.arrive(first, None)?;
        } else {
            self.walk(first)?;
        }
        for (place, all) in self.said {
            if place.is_alone && !is_alone {
                return Err(Refusal::Foreign);
            }
            let node = self.view.universe.unfolded(self.template).get(NodeId(place.node));
            if node.sections > 0 && !place.is_alone {
                return Err(Refusal::Foreign);
            }
            for possible in all {
                let walk = self.resume(*place, possible)?;
                self.walk(walk)?;
            }
        }
        Ok(())
    }

    fn begin(&mut self, is_alone: bool) -> Result<Walk, Refusal> {
        let entry = self.view.universe.templates[self.template].0;
        let along = match self.template {
            0 => Along::begins(self.view),
            _ => Along::starts(self.view, entry).ok_or(Refusal::Foreign)?,
        };
        let node = self.view.universe.unfolded(self.template).first().0;
        let mut walk = Walk {
            place: Place { node, is_alone },
            conditions: Vec::new(),
            along,
            matching: self.bits(&self.to.initial),
            section: None,
            last: None,
            passed: BTreeSet::new(),
        };
        if self.template == 0 && !is_alone {
            // A contract of the first thread holds from the beginning of the program.
            let words = self.words(&mut walk.along)?;
            let holds = self.view.holds_of(&self.contract.initially, &words);
            let wrong = self.view.builder.not(holds);
            if self.can_hold(&[wrong])? {
                return Err(Refusal::Initially);
            }
        }
        if self.to.environment.is_some() {
            let mut first = Along::named();
            first.interrupted();
            let words = self.words(&mut first)?;
            // What others have done before a thread is created, its abstract thread does not know.
            if !self.contract.is_created(entry) {
                walk.conditions.push(self.view.holds_of(&self.contract.initially, &words));
            }
            walk.last = Some(words);
        }
        Ok(walk)
    }

    /// A thread at a head of which something is said.
    fn resume(&mut self, place: Place, possible: &Possible) -> Result<Walk, Refusal> {
        let mut conditions = Vec::new();
        for (predicate, truth) in &possible.literals {
            self.is_meant(place, predicate)?;
            let term = self.view.holds(predicate, Who::Own);
            if term != self.view.holds(predicate, Who::Own) {
                return Err(Refusal::Foreign);
            }
            conditions.push(if *truth { term } else { self.view.builder.not(term) });
        }
        if !possible.states.iter().all(|state| *state < self.to.assertions.len()) {
            return Err(Refusal::Foreign);
        }
        Ok(Walk {
            place,
            conditions,
            along: Along::named(),
            matching: self.bits(&possible.states),
            section: None,
            last: None,
            passed: BTreeSet::new(),
        })
    }

    /// Whether a predicate speaks of what stays as it is at a place: where others may move, of the thread's own alone.
    fn is_meant(&mut self, place: Place, predicate: &Predicate) -> Result<(), Refusal> {
        for &variable in predicate.variables() {
            match self.view.slot(variable) {
                Some(Slot::Own(_)) => {}
                Some(Slot::Shared(_)) if place.is_alone => {}
                None if matches!(variable, Variable::Address(_)) => {}
                Some(Slot::Shared(_)) | None => return Err(Refusal::Foreign),
            }
        }
        let term = self.view.holds(predicate, Who::Own);
        if !place.is_alone && !self.view.cells_in(&[term]).is_empty() {
            return Err(Refusal::Foreign);
        }
        Ok(())
    }

    fn bits(&self, states: &States) -> Vec<Term> {
        let builder = &self.view.builder;
        let bit = |state: usize| if states.contains(&state) { builder.yes } else { builder.no };
        (0..self.to.assertions.len()).map(bit).collect()
    }

    fn words(&mut self, along: &mut Along) -> Result<Words, Refusal> {
        let mut words = Words::new();
        for (variable, key) in self.shared {
            words.insert(*variable, along.cell(self.view, *key)?.ok_or(Refusal::Foreign)?);
        }
        Ok(words)
    }

    /// All paths from here to the next heads.
    fn walk(&mut self, from: Walk) -> Result<(), Refusal> {
        self.paths = 0;
        let mut pending = vec![from];
        while let Some(walk) = pending.pop() {
            self.paths += 1;
            if self.paths > MOST_PATHS {
                return Err(Refusal::Paths);
            }
            let unfolded = self.view.universe.unfolded(self.template);
            let arcs: Vec<Arc> =
                unfolded.outgoing(NodeId(walk.place.node)).iter().map(|arc| unfolded.arc(*arc)).collect();
            for arc in arcs {
                let Some(next) = self.step(walk.clone(), arc)? else { continue };
                if self.said.contains_key(&next.place) {
                    self.arrive(next, Some((&walk, arc)))?;
                } else {
                    pending.push(next);
                }
            }
        }
        Ok(())
    }

    fn named(&self, walk: &Walk, arc: Arc) -> (String, String) {
        let program = self.view.universe.program;
        let node = self.view.universe.unfolded(self.template).get(NodeId(walk.place.node));
        let span = program.function(node.function).edge(arc.edge).span;
        (program.function(self.to.function).name.clone(), program.place(span))
    }

    /// A step of a path; nothing if it cannot be taken or ends the thread.
    fn step(&mut self, mut walk: Walk, arc: Arc) -> Result<Option<Walk>, Refusal> {
        let unfolded = self.view.universe.unfolded(self.template);
        let node = unfolded.get(NodeId(walk.place.node));
        let sections = arc.target.map_or(0, |target| unfolded.get(target).sections);
        let moved = self.view.moved(Who::Own, node.function, arc.edge, arc.kind);
        let (name, line) = self.named(&walk, arc);
        let program = self.view.universe.program;
        let mut lived = self.lives.of_step(program, self.contract, self.to.function, (node.function, arc));
        match &lived {
            Lived::Creates(_) if node.sections > 0 => return Err(Refusal::Unmatched(name, line)),
            // Of a section only what it does to the shared variables counts.
            Lived::Joins(_) if node.sections > 0 => lived = Lived::Nothing,
            Lived::Joins(joined) if !joined.is_settled && !self.proof.doubts.contains(&(node.function, arc.edge)) => {
                return Err(Refusal::Undefined(name, line));
            }
            Lived::Nothing | Lived::Creates(_) | Lived::Joins(_) | Lived::Ends => {}
        }
        let others_move = !walk.place.is_alone && node.sections == 0;
        if others_move {
            walk.along.interrupted();
        }
        let mut before = None;
        if others_move && (sections > 0 || lived != Lived::Nothing || self.has_to_do(&moved)) {
            let words = self.words(&mut walk.along)?;
            self.nothing_wrong(&mut walk, &words);
            before = Some(words);
        }
        let starts = matches!(arc.kind, ArcKind::Spawn(_));
        if walk.place.is_alone && starts {
            let words = self.words(&mut walk.along)?;
            let holds = self.view.holds_of(&self.contract.initially, &words);
            let mut wrong = walk.conditions.clone();
            wrong.push(self.view.builder.not(holds));
            if node.sections > 0 || self.can_hold(&wrong)? {
                return Err(Refusal::Initially);
            }
            walk.matching = self.bits(&self.to.initial);
            before = matches!(lived, Lived::Creates(_)).then_some(words);
        }
        let passed = walk.along.take(self.view, &moved)?;
        for (when, trouble) in &passed.troubles {
            let doubt = match trouble {
                Trouble::Undefined(_) => self.proof.doubts.contains(&(node.function, arc.edge)),
                Trouble::Unsupported(_) => false,
            };
            if !doubt && self.can_hold_with(&walk, *when)? {
                return Err(match trouble {
                    Trouble::Undefined(_) => Refusal::Undefined(name, line),
                    Trouble::Unsupported(what) => Refusal::Unsupported(format!("{what}, at {line}")),
                });
            }
        }
        for (when, _) in &passed.violations {
            if self.can_hold_with(&walk, *when)? {
                return Err(Refusal::Assertion(name, line));
            }
        }
        if !self.view.builder.is(passed.enabled, true) {
            walk.conditions.push(passed.enabled);
            if !self.can_hold(&walk.conditions.clone())? {
                return Ok(None);
            }
        }
        if others_move && sections > 0 {
            walk.section = before.take();
        } else if !walk.place.is_alone && node.sections > 0 && sections == 0 {
            before = Some(walk.section.take().ok_or(Refusal::Foreign)?);
        }
        if let Some(before) = before {
            let after = self.words(&mut walk.along)?;
            walk.matching = self.matching(&walk.matching, &before, &after, &lived);
            let mut unmatched = walk.conditions.clone();
            for bit in &walk.matching {
                unmatched.push(self.view.builder.not(*bit));
            }
            if self.can_hold(&unmatched)? {
                return Err(match lived {
                    Lived::Ends => Refusal::End(name, line),
                    Lived::Nothing | Lived::Creates(_) | Lived::Joins(_) => Refusal::Unmatched(name, line),
                });
            }
            walk.last = self.to.environment.is_some().then_some(after);
        }
        let Some(target) = arc.target else { return Ok(None) };
        walk.passed.insert(walk.place);
        walk.place = Place { node: target.0, is_alone: walk.place.is_alone && !starts };
        if walk.passed.contains(&walk.place) && !self.said.contains_key(&walk.place) {
            // Nothing needs to be said where no path leads.
            return if self.can_hold(&walk.conditions.clone())? { Err(Refusal::Unsaid(name)) } else { Ok(None) };
        }
        Ok(Some(walk))
    }

    fn can_hold_with(&mut self, walk: &Walk, when: Term) -> Result<bool, Refusal> {
        let mut conditions = walk.conditions.clone();
        conditions.push(when);
        self.can_hold(&conditions)
    }

    /// Whether a step reads or writes a shared variable, or may go wrong.
    fn has_to_do(&mut self, moved: &Moved) -> bool {
        let no = self.view.builder.no;
        let conditions = moved.troubles.iter().map(|(when, _)| *when);
        if conditions.chain(moved.violations.iter().map(|(when, _)| *when)).any(|when| when != no) {
            return true;
        }
        let cells = cells_of(self.view, moved);
        self.shared.iter().any(|(_, key)| cells.contains(key))
    }

    /// That no matching state is wrong, and others did what they may.
    fn nothing_wrong(&mut self, walk: &mut Walk, words: &Words) {
        for (state, matches) in walk.matching.iter().enumerate() {
            let holds = self.view.holds_of(&self.to.assertions[state], words);
            let unmatched = self.view.builder.not(*matches);
            walk.conditions.push(self.view.builder.or(unmatched, holds));
        }
        if let (Some(environment), Some(last)) = (&self.to.environment, &walk.last) {
            walk.conditions.push(self.view.relates(environment, last, words));
        }
    }

    /// The states that match after a step.
    fn matching(&mut self, matching: &[Term], before: &Words, after: &Words, lived: &Lived) -> Vec<Term> {
        let builder = &self.view.builder;
        let mut idle = if lived.allows(self.contract, None) { builder.yes } else { builder.no };
        let ends = self.to.ends();
        for (variable, _) in self.shared {
            let same = self.view.builder.same(before[variable], after[variable]);
            idle = self.view.builder.and(idle, same);
        }
        let mut next = Vec::new();
        for (state, matches) in matching.iter().enumerate() {
            let mut arrives = self.view.builder.and(*matches, idle);
            let edges = self.to.edges.iter().filter(|edge| edge.to == state);
            for edge in edges.filter(|edge| lived.allows(self.contract, edge.life)) {
                let relates = self.view.relates(&edge.relation, before, after);
                let taken = self.view.builder.and(matching[edge.from], relates);
                arrives = self.view.builder.or(arrives, taken);
            }
            if *lived == Lived::Ends && !ends.contains(&state) {
                arrives = self.view.builder.no;
            }
            next.push(arrives);
        }
        next
    }

    /// At a head: one of the things that are said of it must be so.
    fn arrive(&mut self, mut walk: Walk, by: Option<(&Walk, Arc)>) -> Result<(), Refusal> {
        let mut question = walk.conditions.clone();
        for possible in self.said.get(&walk.place).into_iter().flatten() {
            let mut is_so = self.view.builder.yes;
            if !walk.place.is_alone {
                for (state, bit) in walk.matching.iter().enumerate() {
                    // Fewer states than match assume less and match less.
                    if possible.states.contains(&state) {
                        is_so = self.view.builder.and(is_so, *bit);
                    }
                }
            }
            for (predicate, truth) in &possible.literals {
                let holds = walk.along.holds(self.view, predicate)?;
                let literal = if *truth { holds } else { self.view.builder.not(holds) };
                is_so = self.view.builder.and(is_so, literal);
            }
            question.push(self.view.builder.not(is_so));
        }
        if self.can_hold(&question)? {
            let (name, line) = by.map(|(walk, arc)| self.named(walk, arc)).unwrap_or_default();
            return Err(Refusal::Step(name, line));
        }
        Ok(())
    }
}
