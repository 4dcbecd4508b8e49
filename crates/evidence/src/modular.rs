//! Thread-modular proofs, and their checker.
//!
//! A proof says for every place of every thread what may hold there: a disjunction of conjunctions of predicates over
//! the shared cells and the thread's own registers, each with the templates of which no thread has been started. It
//! is checked like a proof by Owicki and Gries: what is said holds at the beginning, every step of a thread keeps it,
//! so does every step of any other thread from where that one may be, and nothing that is claimed not to happen is
//! possible where it is said to be. The number of threads does not matter.
//!
//! The checker knows the program, its symbolic semantics and the solver, and nothing of the engine that found the
//! proof.

mod claims;
pub mod obligations;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use selvedge_analysis::AbstractObject;
use selvedge_logic::Term;
use selvedge_program::{Budget, CheckId, EdgeId, Exhausted, FunctionId, Program, RegisterId, Span, Undefined};
use selvedge_symbolic::threads::{Arc, ArcKind, Moved, NodeId, Thing, Universe, View, Who};
use selvedge_symbolic::{CellKey, Predicate, Tag, Trouble};
use thiserror::Error;

pub use claims::{Claim, Claims};
use obligations::{Answers, Asked, At, Question};
pub use text::Unreadable;

/// What may hold at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Possible {
    /// No thread of these has been started.
    pub unstarted: BTreeSet<FunctionId>,
    /// Each of these holds, or does not.
    pub literals: Vec<(Predicate, bool)>,
}

/// A proof: for every place that is reached, what may hold there.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ModularProof {
    /// By the function that the thread runs, and the number of the place.
    pub places: BTreeMap<(FunctionId, u32), Vec<Possible>>,
    /// Where something goes wrong at an edge, the one allocation that stands for all of its site is what this
    /// register points to. (It may be chosen when the error is known; so whatever the register, the proof holds.)
    pub witnesses: BTreeMap<(FunctionId, EdgeId), RegisterId>,
}

impl ModularProof {
    /// How many conjunctions it has.
    pub fn conjunctions(&self) -> usize {
        self.places.values().map(Vec::len).sum()
    }
}

/// What a proof is to show.
pub struct Shown<'a> {
    pub assertions: &'a dyn Fn(CheckId) -> bool,
    pub races: &'a dyn Fn(AbstractObject) -> bool,
    pub undefined: &'a dyn Fn(Undefined) -> bool,
}

impl std::fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shown").finish_non_exhaustive()
    }
}

/// Why a proof does not count.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("the threads of the program cannot be unfolded")]
    Unfolding,
    #[error("it speaks of something that is not in the program")]
    Foreign,
    #[error("what is said of the first place does not hold initially")]
    Initially,
    #[error("a step of `{0}` does not keep what is said")]
    Step(String),
    #[error("a step of `{0}` starts a thread in a state that is not said to be possible")]
    Start(String),
    #[error("a step of `{other}` changes what is said of `{thread}`")]
    Interference { thread: String, other: String },
    #[error("what is not modelled is not excluded: {0}")]
    Unsupported(String),
    #[error("an assertion may fail")]
    Assertion(CheckId),
    #[error("undefined behaviour is not excluded")]
    Undefined,
    #[error("a race is not excluded")]
    Race(AbstractObject),
    #[error("there was no time to check it: {0}")]
    Exhausted(Exhausted),
    #[error("internal error: {0}")]
    Internal(String),
}

impl From<selvedge_logic::Error> for Refusal {
    fn from(error: selvedge_logic::Error) -> Self {
        Refusal::Internal(error.to_string())
    }
}

/// What the object behind a tag is called.
pub fn abstracted(universe: &Universe<'_>, tag: Tag) -> Option<AbstractObject> {
    Some(match universe.thing(tag)? {
        Thing::Static(id) | Thing::ThreadLocal(id) => AbstractObject::Static(id),
        Thing::Frame(function, slot) => AbstractObject::Frame(function, slot),
        Thing::Site(site) | Thing::One(site) => AbstractObject::Site(site),
        Thing::Thread => AbstractObject::Thread,
        Thing::Function(function) => AbstractObject::Function(function),
    })
}

/// Checks a proof.
///
/// # Errors
/// When it does not show what it is to show, or the budget is used up.
pub fn certify(program: &Program, proof: &ModularProof, shown: &Shown<'_>, budget: &Budget) -> Result<(), Refusal> {
    check(program, proof, shown, budget, &mut Asked::new(budget))
}

/// Checks a proof with the help of somebody who answers questions.
fn check(
    program: &Program,
    proof: &ModularProof,
    shown: &Shown<'_>,
    budget: &Budget,
    answers: &mut dyn Answers,
) -> Result<(), Refusal> {
    let exhausted = || Refusal::Exhausted(budget.exhausted().unwrap_or(Exhausted::Cancelled));
    let universe = Universe::of(program, || budget.exhausted().is_none()).map_err(|_| Refusal::Unfolding)?;
    let view = View::new(universe.ok_or_else(exhausted)?);
    let mut literals = proof.places.values().flatten().flat_map(|possible| &possible.literals);
    if !literals.all(|(predicate, _)| predicate.fits(program)) {
        return Err(Refusal::Foreign);
    }
    let is_place = |(entry, node): &(FunctionId, u32)| {
        let template = view.universe.template_of(*entry);
        template.is_some_and(|template| (*node as usize) < view.universe.unfolded(template).nodes.len())
    };
    if !proof.places.keys().all(is_place) {
        return Err(Refusal::Foreign);
    }
    let mut checker = Checker { view, answers, proof, many: BTreeSet::new(), places: Vec::new() };
    checker.read();
    checker.initially()?;
    checker.steps(shown)?;
    checker.interference()?;
    checker.races(shown)
}

/// A conjunction at a place, with its terms.
#[derive(Clone, Debug)]
struct Place {
    template: usize,
    node: NodeId,
    possible: Possible,
    own: Vec<Term>,
    other: Vec<Term>,
}

/// The literals of a conjunction, as `term` tells what a predicate is.
fn terms(
    view: &mut View<'_>,
    possible: &Possible,
    mut term: impl FnMut(&mut View<'_>, &Predicate) -> Term,
) -> Vec<Term> {
    let mut terms = Vec::with_capacity(possible.literals.len());
    for (predicate, truth) in &possible.literals {
        let holds = term(view, predicate);
        terms.push(if *truth { holds } else { view.builder.not(holds) });
    }
    terms
}

struct Checker<'a, 'p> {
    view: View<'p>,
    answers: &'a mut dyn Answers,
    proof: &'a ModularProof,
    /// Of these there may be several threads.
    many: BTreeSet<FunctionId>,
    places: Vec<Place>,
}

impl Checker<'_, '_> {
    fn can_hold(&mut self, question: &Question, conditions: &[Term]) -> Result<bool, Refusal> {
        self.answers.can_hold(&self.view.builder.terms, question, conditions)
    }

    /// A thread at a place that takes a step.
    fn step(&self, place: &Place, arc: Arc) -> At {
        let function = self.view.universe.unfolded(place.template).get(place.node).function;
        let span = self.view.universe.program.function(function).edge(arc.edge).span;
        At { thread: self.entry(place.template), place: place.node.0, span }
    }

    /// A thread at a place.
    fn standing(&self, place: &Place) -> At {
        let next = self.arcs(place.template, place.node).first().map(|arc| self.step(place, *arc));
        next.unwrap_or(At { thread: self.entry(place.template), place: place.node.0, span: Span::NOWHERE })
    }

    fn entry(&self, template: usize) -> FunctionId {
        self.view.universe.templates[template].0
    }

    fn name(&self, template: usize) -> String {
        self.view.universe.program.function(self.entry(template)).name.clone()
    }

    fn said(&self, template: usize, node: NodeId) -> Vec<Possible> {
        self.proof.places.get(&(self.entry(template), node.0)).cloned().unwrap_or_default()
    }

    fn read(&mut self) {
        for template in 0..self.view.universe.templates.len() {
            for node in (0..self.view.universe.unfolded(template).nodes.len()).map(|node| NodeId(node as u32)) {
                for possible in self.said(template, node) {
                    let view = &mut self.view;
                    let own = terms(view, &possible, |view, predicate| view.holds(predicate, Who::Own));
                    let other = terms(view, &possible, |view, predicate| view.holds(predicate, Who::Other));
                    self.places.push(Place { template, node, possible, own, other });
                }
            }
        }
    }

    /// Whether conditions imply one of what is said of a place, as `term` tells what a predicate is.
    fn implies(
        &mut self,
        asked: &Question,
        conditions: &[Term],
        said: &[Possible],
        unstarted: &BTreeSet<FunctionId>,
        mut term: impl FnMut(&mut View<'_>, &Predicate) -> Term,
    ) -> Result<bool, Refusal> {
        let mut question = conditions.to_vec();
        for possible in said.iter().filter(|possible| possible.unstarted.is_subset(unstarted)) {
            let mut all = self.view.builder.yes;
            for literal in terms(&mut self.view, possible, &mut term) {
                all = self.view.builder.and(all, literal);
            }
            question.push(self.view.builder.not(all));
        }
        Ok(!self.can_hold(asked, &question)?)
    }

    fn initially(&mut self) -> Result<(), Refusal> {
        let said = self.said(0, self.view.universe.unfolded(0).first());
        let unstarted: BTreeSet<FunctionId> =
            self.view.universe.templates[1..].iter().map(|(entry, _)| *entry).collect();
        let literals = said.iter().flat_map(|possible| &possible.literals);
        let conditions = self.view.begins(literals.map(|(predicate, _)| predicate));
        let now = |view: &mut View<'_>, predicate: &Predicate| view.holds(predicate, Who::Own);
        let holds = self.implies(&Question::Initially, &conditions, &said, &unstarted, now)?;
        if holds { Ok(()) } else { Err(Refusal::Initially) }
    }

    fn arcs(&self, template: usize, node: NodeId) -> Vec<Arc> {
        let unfolded = self.view.universe.unfolded(template);
        unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc)).collect()
    }

    fn moved(&mut self, who: Who, template: usize, arc: Arc) -> std::rc::Rc<Moved> {
        let function = self.view.universe.unfolded(template).get(arc.source).function;
        self.view.moved(who, function, arc.edge, arc.kind)
    }

    /// Every step of every thread keeps what is said, and does nothing that is claimed not to happen.
    fn steps(&mut self, shown: &Shown<'_>) -> Result<(), Refusal> {
        for place in self.places.clone() {
            for arc in self.arcs(place.template, place.node) {
                let moved = self.moved(Who::Own, place.template, arc);
                self.errors(&place, arc, &moved, shown)?;
                let at = self.step(&place, arc);
                let mut conditions = place.own.clone();
                conditions.push(moved.enabled);
                let mut unstarted = place.possible.unstarted.clone();
                if let ArcKind::Spawn(entry) = arc.kind {
                    if !unstarted.remove(&entry) && self.can_hold(&Question::Several(at, entry), &conditions)? {
                        self.many.insert(entry);
                    }
                    self.starts(at, entry, &moved, &conditions, &unstarted)?;
                }
                let Some(target) = arc.target else { continue };
                let said = self.said(place.template, target);
                let after = |view: &mut View<'_>, predicate: &Predicate| {
                    view.holds_after(predicate, Who::Own, &moved, Who::Own)
                };
                if !self.implies(&Question::Step(at), &conditions, &said, &unstarted, after)? {
                    return Err(Refusal::Step(self.name(place.template)));
                }
            }
        }
        Ok(())
    }

    fn errors(&mut self, place: &Place, arc: Arc, moved: &Moved, shown: &Shown<'_>) -> Result<(), Refusal> {
        let function = self.view.universe.unfolded(place.template).get(arc.source).function;
        let at = self.step(place, arc);
        let mut known = place.own.clone();
        if let Some(register) = self.proof.witnesses.get(&(function, arc.edge)) {
            if register.index() >= self.view.universe.program.function(function).registers.len() {
                return Err(Refusal::Foreign);
            }
            known.extend(self.view.points_to_one((function, *register)));
        }
        for (when, trouble) in &moved.troubles {
            let is_claimed = match trouble {
                Trouble::Undefined(undefined) => (shown.undefined)(*undefined),
                Trouble::Unsupported(_) => true,
            };
            let mut conditions = known.clone();
            conditions.push(*when);
            let question = match trouble {
                Trouble::Undefined(undefined) => Question::Undefined(at, *undefined),
                Trouble::Unsupported(what) => Question::Unsupported(at, what.clone()),
            };
            if is_claimed && self.can_hold(&question, &conditions)? {
                return Err(match trouble {
                    Trouble::Undefined(_) => Refusal::Undefined,
                    Trouble::Unsupported(what) => Refusal::Unsupported(what.clone()),
                });
            }
        }
        for (when, check) in &moved.violations {
            let mut conditions = known.clone();
            conditions.push(*when);
            let question = Question::Assertion(at, *check);
            if (shown.assertions)(*check) && self.can_hold(&question, &conditions)? {
                return Err(Refusal::Assertion(*check));
            }
        }
        Ok(())
    }

    fn starts(
        &mut self,
        at: At,
        entry: FunctionId,
        moved: &Moved,
        conditions: &[Term],
        unstarted: &BTreeSet<FunctionId>,
    ) -> Result<(), Refusal> {
        let Some(template) = self.view.universe.template_of(entry) else { return Err(Refusal::Unfolding) };
        let said = self.said(template, self.view.universe.unfolded(template).first());
        let mut conditions = conditions.to_vec();
        conditions.push(self.view.two_threads(Who::Own, Who::Started));
        let after =
            |view: &mut View<'_>, predicate: &Predicate| view.holds_after(predicate, Who::Started, moved, Who::Own);
        if self.implies(&Question::Starts(at, entry), &conditions, &said, unstarted, after)? {
            Ok(())
        } else {
            Err(Refusal::Start(self.view.universe.program.function(at.thread).name.clone()))
        }
    }

    /// Whether threads at two places can be there together.
    fn can_meet(&self, one: &Place, other: &Place) -> bool {
        let (a, b) = (self.entry(one.template), self.entry(other.template));
        let is_apart = one.possible.unstarted.contains(&b) || other.possible.unstarted.contains(&a);
        !is_apart && (a != b || self.many.contains(&a))
    }

    /// No step of another thread changes what is said where others may move.
    fn interference(&mut self) -> Result<(), Refusal> {
        let places = self.places.clone();
        for place in &places {
            if !self.view.is_visible(place.template, place.node) {
                continue;
            }
            let said = self.said(place.template, place.node);
            let variables = place.possible.literals.iter().flat_map(|(predicate, _)| predicate.variables().to_vec());
            let variables: BTreeSet<_> = variables.collect();
            let cells: BTreeSet<CellKey> =
                variables.into_iter().filter_map(|variable| self.view.key(variable)).collect();
            for other in places.iter().filter(|other| self.can_meet(place, other)).cloned().collect::<Vec<_>>() {
                for arc in self.arcs(other.template, other.node) {
                    let moved = self.moved(Who::Other, other.template, arc);
                    let mut unstarted = place.possible.unstarted.clone();
                    let starts = matches!(arc.kind, ArcKind::Spawn(entry) if unstarted.remove(&entry));
                    if !starts && !cells.iter().any(|key| moved.cells.contains_key(key)) {
                        continue;
                    }
                    let mut conditions = place.own.clone();
                    conditions.extend(&other.other);
                    conditions.push(self.view.two_threads(Who::Own, Who::Other));
                    conditions.push(moved.enabled);
                    let after = |view: &mut View<'_>, predicate: &Predicate| {
                        view.holds_after(predicate, Who::Own, &moved, Who::Other)
                    };
                    let question =
                        Question::Interference { thread: self.standing(place), other: self.step(&other, arc) };
                    if !self.implies(&question, &conditions, &said, &unstarted, after)? {
                        let (thread, other) = (self.name(place.template), self.name(other.template));
                        return Err(Refusal::Interference { thread, other });
                    }
                }
            }
        }
        Ok(())
    }

    /// No two threads are ever about to touch the same, of what is claimed.
    fn races(&mut self, shown: &Shown<'_>) -> Result<(), Refusal> {
        let places = self.places.clone();
        for (first, place) in places.iter().enumerate() {
            let mut mine = self.view.touches(place.template, place.node, Who::Own);
            mine.retain(|(_, touched)| {
                let object = touched.cell.object();
                !self.view.universe.is_private(object)
                    && abstracted(&self.view.universe, object).is_none_or(|object| (shown.races)(object))
            });
            if mine.is_empty() {
                continue;
            }
            for other in &places[first..] {
                if !self.can_meet(place, other) {
                    continue;
                }
                for (_, their) in self.view.touches(other.template, other.node, Who::Other) {
                    for (_, touch) in &mine {
                        if !touch.cell.overlaps(their.cell) || !touch.mode.races_with(their.mode) {
                            continue;
                        }
                        let mut conditions = place.own.clone();
                        conditions.extend(&other.other);
                        conditions.push(self.view.two_threads(Who::Own, Who::Other));
                        conditions.extend([touch.when, their.when]);
                        let object = abstracted(&self.view.universe, touch.cell.object());
                        let (first, second) = (self.standing(place), self.standing(other));
                        if self.can_hold(&Question::Race { object, first, second }, &conditions)? {
                            return Err(object.map_or(Refusal::Undefined, Refusal::Race));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
