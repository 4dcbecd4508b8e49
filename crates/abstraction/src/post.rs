//! What is known after a step: Cartesian abstraction, one predicate at a time.
//!
//! Of what is known before a step, an answer depends only on what speaks, directly or through other predicates, of
//! the variables that the step and the question speak of. So every question is asked with these alone, and its answer
//! is remembered: for other states that know the same of them, and for later iterations.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::{Op, Term};
use selvedge_program::{EdgeId, FunctionId, RegisterId};
use selvedge_symbolic::CellKey;
use selvedge_symbolic::threads::view::Named;
use selvedge_symbolic::threads::{Local, Moved, View, Who};

use crate::meeting::{Meeting, Said};
use crate::predicates::{PredicateId, PredicateSet, Predicates, StepKey};
use crate::prover::{Prover, Stop};

/// What is known of some predicates, in the order of their numbers.
pub type Cube = Vec<(PredicateId, bool)>;

/// Which side of a step is looked at, where what comes of it is better known by sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Side {
    /// Which side of its choice it takes, if it has one: see [`Moved::forks`].
    pub fork: Option<bool>,
    /// Whether a predicate holds after it.
    pub told: Option<(PredicateId, bool)>,
}

/// A question, with what is known of what it depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Question {
    /// Whether the thread can take a step.
    Step(StepKey, Side),
    /// A predicate after its own step.
    After(StepKey, Side, PredicateId),
    /// A predicate of the thread that a step starts.
    Started(StepKey, PredicateId),
    /// Whether another thread can take a step.
    Other(StepKey),
    /// A predicate after a step of another thread.
    AfterOther(StepKey, PredicateId),
    /// Whether what is known of a predicate stays so after a step of another thread, wherever that is.
    Stays(StepKey, PredicateId, bool),
    /// Whether a condition can hold.
    When(Term),
    /// Whether two threads can meet in two conditions.
    Meet(Term, Term),
}

/// Predicates with the terms that they speak of, the solver, and all answers so far.
#[derive(Debug)]
pub struct Abstraction<'p, 'b> {
    pub view: View<'p>,
    pub predicates: Predicates,
    pub prover: Prover<'b>,
    known: FxHashMap<(Question, Cube, Cube), Option<bool>>,
    /// Answers that follow from less: whatever else is known, where this is known the answer is that.
    reasons: FxHashMap<Question, Vec<(Cube, Cube, bool)>>,
    /// What terms speak of.
    speaks_of: FxHashMap<Term, Vec<Named>>,
    steps: FxHashMap<(Who, StepKey), Vec<Named>>,
    pub(crate) meeting: Meeting,
}

impl<'p, 'b> Abstraction<'p, 'b> {
    pub fn new(view: View<'p>, prover: Prover<'b>) -> Self {
        Abstraction {
            view,
            predicates: Predicates::default(),
            prover,
            known: FxHashMap::default(),
            reasons: FxHashMap::default(),
            speaks_of: FxHashMap::default(),
            steps: FxHashMap::default(),
            meeting: Meeting::default(),
        }
    }

    /// The literals of a conjunction, as conditions on a thread.
    pub fn literals(&mut self, cube: &[(PredicateId, bool)], who: Who) -> Vec<Term> {
        let mut literals = Vec::with_capacity(cube.len() + 4);
        for &(id, truth) in cube {
            let term = self.predicates.term(id, who);
            literals.push(if truth { term } else { self.view.builder.not(term) });
        }
        literals
    }

    /// Whether conditions imply a term, or its negation; `None` if neither.
    pub fn decide(&mut self, conditions: &[Term], term: Term) -> Result<Option<bool>, Stop> {
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

    /// Whether a thread that knows this can take a step.
    pub fn can_step(&mut self, step: StepKey, side: Side, cube: &Cube) -> Result<bool, Stop> {
        let moved = self.view.moved(Who::Own, step.0, step.1, step.2);
        let taken = self.taken(step, &moved, side);
        if self.view.builder.is(taken, true) || self.view.builder.is(taken, false) {
            return Ok(self.view.builder.is(taken, true));
        }
        let named = self.of_terms(&[taken]);
        let own = self.relevant(named, cube, &Vec::new()).0;
        self.ask(Question::Step(step, side), own, Vec::new(), |this, conditions| {
            conditions.push(taken);
            Ok(Some(this.prover.can_hold(&this.view.builder.terms, conditions)?))
        })
        .map(|can| can == Some(true))
    }

    /// That a step is taken, on a side.
    fn taken(&mut self, step: StepKey, moved: &Moved, side: Side) -> Term {
        let taken = match (moved.forks.first(), side.fork) {
            (Some(fork), Some(true)) => self.view.builder.and(moved.enabled, *fork),
            (Some(fork), Some(false)) => self.view.builder.and_not(moved.enabled, *fork),
            _ => moved.enabled,
        };
        let Some((predicate, truth)) = side.told else { return taken };
        let holds = self.predicates.after(&mut self.view, predicate, Who::Own, moved, Who::Own, step);
        if truth { self.view.builder.and(taken, holds) } else { self.view.builder.and_not(taken, holds) }
    }

    /// What is known of some predicates after a step of the thread; which of them the step affects, `affected` says.
    pub fn after_step(
        &mut self,
        (step, side): (StepKey, Side),
        cube: &Cube,
        scope: &[PredicateId],
        affected: &PredicateSet,
    ) -> Result<Cube, Stop> {
        let moved = self.view.moved(Who::Own, step.0, step.1, step.2);
        let taken = self.taken(step, &moved, side);
        let is_certain = self.view.builder.is(taken, true);
        // What the condition of the step tells something about.
        let mut told: Option<FxHashSet<Named>> = None;
        let mut after = Cube::with_capacity(cube.len());
        let mut known = cube.iter().peekable();
        for &predicate in scope {
            while known.next_if(|(other, _)| *other < predicate).is_some() {}
            let before = known.next_if(|(other, _)| *other == predicate).map(|(_, truth)| *truth);
            let is_affected = affected.contains(predicate);
            // Nothing new has come to be known.
            if !is_affected && (before.is_some() || is_certain) {
                after.extend(before.map(|truth| (predicate, truth)));
                continue;
            }
            if !is_affected {
                let told = match &mut told {
                    Some(told) => told,
                    None => told.insert(self.connected(&[taken], cube)),
                };
                if !self.of_predicate(predicate, Who::Own).iter().any(|name| told.contains(name)) {
                    continue;
                }
            }
            let mut named = self.of_terms(&[taken]);
            named.extend(self.of_step(Who::Own, step));
            named.extend(self.of_predicate(predicate, Who::Own));
            let own = self.relevant(named, cube, &Vec::new()).0;
            let found = self.ask(Question::After(step, side, predicate), own, Vec::new(), |this, conditions| {
                conditions.push(taken);
                let term = this.predicates.after(&mut this.view, predicate, Who::Own, &moved, Who::Own, step);
                this.decide(conditions, term)
            })?;
            after.extend(found.map(|truth| (predicate, truth)));
        }
        Ok(after)
    }

    /// The predicates that a step of a thread affects: those of the thread itself, or of any other one.
    pub fn affected(&mut self, step: StepKey, by: Who) -> PredicateSet {
        let moved = self.view.moved(by, step.0, step.1, step.2);
        let is_local = |id: PredicateId| {
            let is_moved = |local: Local| moved.locals.contains_key(&local) || moved.forgotten.contains(&local);
            by == Who::Own && self.predicates.decided_by(id).any(is_moved)
        };
        PredicateSet::of(self.predicates.all().filter(|id| self.is_changed(*id, &moved) || is_local(*id)))
    }

    /// What is known of a predicate of the thread that a step starts.
    pub fn started(&mut self, step: StepKey, cube: &Cube, predicate: PredicateId) -> Result<Option<bool>, Stop> {
        let moved = self.view.moved(Who::Own, step.0, step.1, step.2);
        let mut named = self.of_step(Who::Own, step);
        named.extend(self.of_predicate(predicate, Who::Own));
        let own = self.relevant(named, cube, &Vec::new()).0;
        self.ask(Question::Started(step, predicate), own, Vec::new(), |this, conditions| {
            conditions.push(moved.enabled);
            conditions.push(this.view.two_threads(Who::Own, Who::Started));
            let term = this.predicates.after(&mut this.view, predicate, Who::Started, &moved, Who::Own, step);
            this.decide(conditions, term)
        })
    }

    /// Whether another thread that knows this of itself can take a step, beside one that knows that.
    pub fn can_interfere(
        &mut self,
        step: StepKey,
        (own, mine): (&Cube, &Said),
        (other, theirs): (&Cube, &Said),
    ) -> Result<bool, Stop> {
        if !self.may_meet(mine, theirs)? {
            return Ok(false);
        }
        let moved = self.view.moved(Who::Other, step.0, step.1, step.2);
        let is_plain = mine.is_plain && theirs.is_plain;
        if is_plain && self.view.builder.is(moved.enabled, true) {
            return Ok(true);
        }
        let mut named = self.of_terms(&[moved.enabled]);
        if !is_plain {
            // Who is who matters wherever both know something of the same.
            named.extend(self.both(own, other));
        }
        let (own, other) = self.relevant(named, own, other);
        self.ask(Question::Other(step), own, other, |this, conditions| {
            conditions.push(moved.enabled);
            let apart = this.view.two_threads_where(Who::Own, Who::Other, conditions);
            conditions.push(apart);
            Ok(Some(this.prover.can_hold(&this.view.builder.terms, conditions)?))
        })
        .map(|can| can == Some(true))
    }

    /// What is known of a predicate after a step of another thread.
    pub fn after_other(
        &mut self,
        step: StepKey,
        own: &Cube,
        other: &Cube,
        predicate: PredicateId,
    ) -> Result<Option<bool>, Stop> {
        let moved = self.view.moved(Who::Other, step.0, step.1, step.2);
        if !self.is_changed(predicate, &moved) {
            // What the other one knows of the shared state holds for both.
            let theirs = if self.predicates.is_shared(predicate) { other } else { own };
            let known = own.iter().chain(theirs).find(|(known, _)| *known == predicate);
            return Ok(known.map(|(_, truth)| *truth));
        }
        let mut named = self.of_step(Who::Other, step);
        named.extend(self.of_predicate(predicate, Who::Own));
        let (own, other) = self.relevant(named, own, other);
        self.ask(Question::AfterOther(step, predicate), own, other, |this, conditions| {
            let term = this.predicates.after(&mut this.view, predicate, Who::Own, &moved, Who::Other, step);
            conditions.extend([moved.enabled, term]);
            let apart = this.view.two_threads_where(Who::Own, Who::Other, conditions);
            conditions.pop();
            conditions.push(apart);
            this.decide(conditions, term)
        })
    }

    /// Whether what is known of a predicate stays so after a step of another thread, wherever that is.
    pub fn is_stable(&mut self, step: StepKey, (predicate, truth): (PredicateId, bool)) -> Result<bool, Stop> {
        let moved = self.view.moved(Who::Other, step.0, step.1, step.2);
        let question = Question::Stays(step, predicate, truth);
        let stays = self.ask(question, vec![(predicate, truth)], Vec::new(), |this, conditions| {
            let term = this.predicates.after(&mut this.view, predicate, Who::Own, &moved, Who::Other, step);
            let differs = if truth { this.view.builder.not(term) } else { term };
            if this.view.builder.is(differs, false) {
                return Ok(Some(true));
            }
            conditions.extend([moved.enabled, differs]);
            let apart = this.view.two_threads_where(Who::Own, Who::Other, conditions);
            conditions.push(apart);
            Ok(Some(!this.prover.can_hold(&this.view.builder.terms, conditions)?))
        })?;
        Ok(stays == Some(true))
    }

    /// Whether a condition can hold where this is known.
    pub fn can_hold(&mut self, when: Term, cube: &Cube) -> Result<bool, Stop> {
        if self.view.builder.is(when, false) {
            return Ok(false);
        }
        let named = self.of_terms(&[when]);
        let own = self.relevant(named, cube, &Vec::new()).0;
        self.ask(Question::When(when), own, Vec::new(), |this, conditions| {
            conditions.push(when);
            Ok(Some(this.prover.can_hold(&this.view.builder.terms, conditions)?))
        })
        .map(|can| can == Some(true))
    }

    /// Whether two threads that know this can meet, each in its condition.
    pub fn can_meet(
        &mut self,
        (when, own): (Term, &Rc<Cube>),
        (their, other): (Term, &Rc<Cube>),
    ) -> Result<bool, Stop> {
        let (mine, theirs) = (self.said(own), self.said(other));
        if !self.may_meet(&mine, &theirs)? {
            return Ok(false);
        }
        let mut named = self.of_terms(&[when, their]);
        if !mine.is_plain || !theirs.is_plain {
            named.extend(self.both(own, other));
        }
        let (own, other) = self.relevant(named, own, other);
        self.ask(Question::Meet(when, their), own, other, |this, conditions| {
            conditions.extend([when, their]);
            let apart = this.view.two_threads_where(Who::Own, Who::Other, conditions);
            conditions.push(apart);
            Ok(Some(this.prover.can_hold(&this.view.builder.terms, conditions)?))
        })
        .map(|can| can == Some(true))
    }

    /// The registers that are live before an edge and may point to allocations for which others stand.
    pub fn pointers_at(&mut self, (function, edge): (FunctionId, EdgeId)) -> Vec<RegisterId> {
        let universe = &self.view.universe;
        let location = universe.program.function(function).edge(edge).source;
        let live = self.predicates.live_at(universe.program, function, location);
        let is_pointer = |register: &RegisterId| {
            universe.register((function, *register)).tags().any(|tag| universe.is_represented(tag))
        };
        live.into_iter().filter(is_pointer).collect()
    }

    /// Whether a step changes a shared cell that a predicate speaks of.
    pub fn is_changed(&self, predicate: PredicateId, moved: &Moved) -> bool {
        self.predicates.cells(predicate).iter().any(|key| moved.cells.contains_key(key))
    }

    fn ask(
        &mut self,
        question: Question,
        own: Cube,
        other: Cube,
        answer: impl FnOnce(&mut Self, &mut Vec<Term>) -> Result<Option<bool>, Stop>,
    ) -> Result<Option<bool>, Stop> {
        let key = (question, own, other);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let follows = |(mine, theirs, _): &&(Cube, Cube, bool)| is_part(mine, &key.1) && is_part(theirs, &key.2);
        if let Some((_, _, known)) = self.reasons.get(&key.0).into_iter().flatten().find(follows) {
            return Ok(Some(*known));
        }
        let (mine, theirs) = (self.literals(&key.1, Who::Own), self.literals(&key.2, Who::Other));
        let mut conditions = mine.clone();
        conditions.extend(&theirs);
        let asked = self.prover.asked();
        let found = answer(self, &mut conditions)?;
        if let (Some(truth), Some(core)) = (found, self.prover.last_core(asked)) {
            let needed = |cube: &Cube, terms: &[Term]| -> Cube {
                cube.iter().zip(terms).filter(|(_, term)| core.contains(term)).map(|(literal, _)| *literal).collect()
            };
            let reason = (needed(&key.1, &mine), needed(&key.2, &theirs), truth);
            self.reasons.entry(key.0.clone()).or_default().push(reason);
        }
        self.known.insert(key, found);
        Ok(found)
    }

    /// What terms speak of.
    fn of_terms(&mut self, terms: &[Term]) -> BTreeSet<Named> {
        let mut all = BTreeSet::new();
        for &term in terms {
            if let Some(known) = self.speaks_of.get(&term) {
                all.extend(known.iter().copied());
                continue;
            }
            let symbols = symbols(&self.view, term);
            let named: BTreeSet<Named> = symbols.into_iter().filter_map(|symbol| self.view.named(symbol)).collect();
            self.speaks_of.insert(term, named.iter().copied().collect());
            all.extend(named);
        }
        all
    }

    /// What a step speaks of: its condition, and what it makes of things.
    fn of_step(&mut self, who: Who, step: StepKey) -> Vec<Named> {
        if let Some(known) = self.steps.get(&(who, step)) {
            return known.clone();
        }
        let moved = self.view.moved(who, step.0, step.1, step.2);
        let words = moved.locals.values().chain(moved.cells.values()).chain(moved.passed.values());
        let mut terms: Vec<Term> = words.flat_map(|word| [word.tag, word.bits]).collect();
        terms.push(moved.enabled);
        let named: Vec<Named> = self.of_terms(&terms).into_iter().collect();
        self.steps.insert((who, step), named.clone());
        named
    }

    pub(crate) fn of_predicate(&self, predicate: PredicateId, who: Who) -> Vec<Named> {
        let locals = self.predicates.decided_by(predicate).map(|local| Named::Local(who, local));
        let cells = self.predicates.cells(predicate).iter().map(|key| Named::Cell(*key));
        locals.chain(cells).collect()
    }

    /// The shared cells that both conjunctions speak of.
    fn both(&self, own: &Cube, other: &Cube) -> Vec<Named> {
        let cells = |cube: &Cube| {
            cube.iter().flat_map(|(id, _)| self.predicates.cells(*id).iter().copied()).collect::<FxHashSet<CellKey>>()
        };
        let theirs = cells(other);
        let mut both: Vec<Named> = cells(own).into_iter().filter(|key| theirs.contains(key)).map(Named::Cell).collect();
        both.push(Named::Cell(CellKey::Unjoined));
        both
    }

    /// What some conditions speak of, directly or through what is known.
    fn connected(&mut self, conditions: &[Term], cube: &Cube) -> FxHashSet<Named> {
        let mut reached: FxHashSet<Named> = self.of_terms(conditions).into_iter().collect();
        self.close(&mut reached, cube, &Vec::new());
        reached
    }

    /// Adds what is connected with what is there; which literals of both take part.
    fn close(&self, reached: &mut FxHashSet<Named>, own: &Cube, other: &Cube) -> (Vec<bool>, Vec<bool>) {
        let (mut mine, mut theirs) = (vec![false; own.len()], vec![false; other.len()]);
        loop {
            let mut grown = false;
            for (who, cube, taken) in [(Who::Own, own, &mut mine), (Who::Other, other, &mut theirs)] {
                for (place, (id, _)) in cube.iter().enumerate() {
                    if !taken[place] {
                        let names = self.of_predicate(*id, who);
                        if names.iter().any(|name| reached.contains(name)) {
                            taken[place] = true;
                            grown = true;
                            reached.extend(names);
                        }
                    }
                }
            }
            if !grown {
                return (mine, theirs);
            }
        }
    }

    /// The literals on which an answer about these variables can depend.
    fn relevant(&self, named: impl IntoIterator<Item = Named>, own: &Cube, other: &Cube) -> (Cube, Cube) {
        let mut reached: FxHashSet<Named> = named.into_iter().collect();
        let (mine, theirs) = self.close(&mut reached, own, other);
        let keep = |cube: &Cube, taken: Vec<bool>| {
            cube.iter().zip(taken).filter(|(_, taken)| *taken).map(|(literal, _)| *literal).collect()
        };
        (keep(own, mine), keep(other, theirs))
    }
}

/// Whether all literals of a conjunction are in another; both are in the order of predicates.
fn is_part(part: &Cube, whole: &Cube) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|literal| whole.any(|other| other == literal))
}

/// The symbols of a term.
fn symbols(view: &View<'_>, root: Term) -> Vec<Term> {
    let terms = &view.builder.terms;
    let mut seen = FxHashSet::default();
    let mut pending = vec![root];
    let mut found = Vec::new();
    while let Some(term) = pending.pop() {
        if seen.insert(term) {
            match terms.op(term) {
                Op::Symbol(_) => found.push(term),
                _ => pending.extend(terms.operands(term)),
            }
        }
    }
    found
}
