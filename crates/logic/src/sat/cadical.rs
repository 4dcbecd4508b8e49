//! The embedded solver: CaDiCaL through `cadical-sys`. No other module knows its types.
//!
//! Edges that are handled here: a panic in a callback would abort the process, so callbacks catch it, keep the message
//! and stop the search; the solver owns its callbacks, so their state is shared; clauses that a theory adds during
//! search may only mention observed variables, so a theory's literals are observed before it can use them. Variable
//! addition is off, so that every derived clause follows from the clauses before it and proofs need no other rule.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use cadical_sys::{CaDiCal, ExternalPropagator, ProofTracer, Status, Terminator};

use super::{Answer, Effort, Limits, Lit, Sat, SharedTheory, Unknown};
use crate::proof::Recorder;

/// What the callbacks share with their owner.
#[derive(Debug, Default)]
struct Shared {
    limits: RefCell<Limits>,
    reached: Cell<Option<Unknown>>,
    /// Calls left until the clock is read again.
    patience: Cell<u32>,
    failure: RefCell<Option<String>>,
}

impl Shared {
    /// Runs a callback's work; after a failure, or on one, gives the harmless answer.
    fn guarded<T>(&self, harmless: T, work: impl FnOnce() -> T) -> T {
        if self.reached.get() == Some(Unknown::Failed) {
            return harmless;
        }
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(result) => result,
            Err(payload) => {
                let message = payload
                    .downcast_ref::<&str>()
                    .map(|message| message.to_string())
                    .or_else(|| payload.downcast_ref::<String>().cloned())
                    .unwrap_or_else(|| "a callback panicked".to_string());
                if let Ok(mut failure) = self.failure.try_borrow_mut() {
                    failure.get_or_insert(message);
                }
                self.reached.set(Some(Unknown::Failed));
                harmless
            }
        }
    }
}

/// CaDiCaL, with defaults for many small related questions.
pub struct Cadical {
    solver: CaDiCal,
    variables: i32,
    shared: Rc<Shared>,
    theory_connected: bool,
    /// By variable.
    observed: Vec<bool>,
    /// Variables up to this one were there in an earlier call.
    simplified: i32,
    recorder: Option<Rc<RefCell<Recorder>>>,
}

impl std::fmt::Debug for Cadical {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cadical").field("variables", &self.variables).finish_non_exhaustive()
    }
}

impl Default for Cadical {
    fn default() -> Self {
        Self::new()
    }
}

impl Cadical {
    pub fn new() -> Self {
        Self::configured(None)
    }

    /// A solver that records a proof of everything it derives.
    pub fn with_proof() -> Self {
        Self::configured(Some(Rc::new(RefCell::new(Recorder::default()))))
    }

    /// A solver for very many small questions: the formula is not simplified between them, which would take longer
    /// than answering.
    pub fn for_small_questions() -> Self {
        let mut cadical = Self::configured(None);
        cadical.solver.set("inprocessing", 0);
        cadical
    }

    fn configured(recorder: Option<Rc<RefCell<Recorder>>>) -> Self {
        let mut solver = CaDiCal::new();
        // Lucky phases and local search look at every clause of the formula in every call: too much for small
        // questions.
        for (option, value) in [("factor", 0), ("lucky", 0), ("walk", 0), ("phase", 0), ("chrono", 0)] {
            solver.set(option, value);
        }
        if let Some(recorder) = &recorder {
            solver.connect_proof_tracer1(Tracer(Rc::clone(recorder)), true, false);
        }
        let shared = Rc::new(Shared::default());
        solver.connect_terminator(AtLimit(Rc::clone(&shared)));
        Cadical { solver, variables: 0, shared, theory_connected: false, observed: Vec::new(), simplified: 0, recorder }
    }

    fn prepare(&mut self, limits: &Limits) {
        if self.shared.reached.get() != Some(Unknown::Failed) {
            self.shared.reached.set(None);
        }
        self.shared.patience.set(0);
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().begin();
        }
        *self.shared.limits.borrow_mut() = limits.clone();
        if let Some(conflicts) = limits.conflicts {
            self.solver.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
        }
    }
}

impl Sat for Cadical {
    fn new_variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::from_dimacs(self.variables)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        match *clause {
            [a] => self.solver.clause1(a.dimacs()),
            [a, b] => self.solver.clause2(a.dimacs(), b.dimacs()),
            [a, b, c] => self.solver.clause3(a.dimacs(), b.dimacs(), c.dimacs()),
            _ => {
                for literal in clause {
                    self.solver.add(literal.dimacs());
                }
                self.solver.add(0);
            }
        }
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer {
        if let Some(reason) = limits.reached() {
            return Answer::Unknown(reason);
        }
        self.prepare(limits);
        for literal in assumptions {
            self.solver.assume(literal.dimacs());
        }
        self.simplified = self.variables;
        let status = self.solver.solve();
        if self.shared.reached.get() == Some(Unknown::Failed) {
            return Answer::Unknown(Unknown::Failed);
        }
        match status {
            Status::SATISFIABLE => Answer::Satisfiable,
            Status::UNSATISFIABLE => {
                if self.recorder.is_some() {
                    self.solver.conclude();
                }
                Answer::Unsatisfiable
            }
            Status::UNKNOWN => Answer::Unknown(self.shared.reached.get().unwrap_or(Unknown::Conflicts)),
        }
    }

    fn value(&mut self, literal: Lit) -> bool {
        self.solver.val(literal.dimacs()) == literal.dimacs()
    }

    fn failed(&mut self, assumption: Lit) -> bool {
        self.solver.failed(assumption.dimacs())
    }

    fn connect(&mut self, theory: SharedTheory) {
        let propagator = Propagator { theory, shared: Rc::clone(&self.shared), clause: Vec::new() };
        self.solver.connect_external_propagator(propagator);
        self.theory_connected = true;
    }

    fn observe(&mut self, literal: Lit) -> Lit {
        let number = literal.dimacs().unsigned_abs() as usize;
        if !self.theory_connected || self.observed.get(number) == Some(&true) {
            return literal;
        }
        // A variable that was there in an earlier call may have been eliminated, and then must not be observed.
        let (literal, number) = if literal.dimacs().abs() > self.simplified {
            (literal, number)
        } else {
            let stand_in = self.new_variable();
            self.add_clause(&[!literal, stand_in]);
            (stand_in, self.variables as usize)
        };
        if self.observed.len() <= number {
            self.observed.resize(number + 1, false);
        }
        self.observed[number] = true;
        self.solver.add_observed_var(literal.dimacs().abs());
        literal
    }

    fn effort(&self) -> Effort {
        let number = |name| u64::try_from(self.solver.get_statistic_value(name)).unwrap_or(0);
        Effort { conflicts: number("conflicts"), decisions: number("decisions"), propagations: number("propagations") }
    }

    fn recorder(&self) -> Option<Rc<RefCell<Recorder>>> {
        self.recorder.clone()
    }

    fn failure(&self) -> Option<String> {
        self.shared.failure.borrow().clone()
    }
}

/// Stops the search when a limit is reached. The clock is read every so many calls only.
struct AtLimit(Rc<Shared>);

const CALLS_PER_CLOCK: u32 = 64;

impl Terminator for AtLimit {
    fn terminated(&mut self) -> bool {
        if self.0.reached.get().is_some() {
            return true;
        }
        let left = self.0.patience.get();
        if left > 0 {
            self.0.patience.set(left - 1);
            return false;
        }
        self.0.patience.set(CALLS_PER_CLOCK);
        let reached = self.0.limits.try_borrow().ok().and_then(|limits| limits.reached());
        self.0.reached.set(reached);
        reached.is_some()
    }
}

/// Hands the solver's notifications to the theory, and the theory's clauses to the solver literal by literal.
struct Propagator {
    theory: SharedTheory,
    shared: Rc<Shared>,
    /// The rest of the clause being handed over, last literal first, a closing zero at the bottom; empty between
    /// clauses.
    clause: Vec<i32>,
}

impl Propagator {
    fn next_literal(&mut self) -> i32 {
        self.clause.pop().unwrap_or(0)
    }

    fn begin(&mut self, clause: &[Lit]) {
        self.clause.clear();
        self.clause.push(0);
        self.clause.extend(clause.iter().rev().map(|literal| literal.dimacs()));
    }
}

impl ExternalPropagator for Propagator {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, literals: &[i32]) {
        self.shared.guarded((), || {
            let mut theory = self.theory.borrow_mut();
            literals.iter().for_each(|&literal| theory.assign(Lit::from_dimacs(literal)));
        });
    }

    fn notify_new_decision_level(&mut self) {
        self.shared.guarded((), || self.theory.borrow_mut().push());
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        self.shared.guarded((), || self.theory.borrow_mut().pop_to(new_level));
    }

    fn cb_check_found_model(&mut self, _model: &[i32]) -> bool {
        let lemma = self.shared.guarded(None, || self.theory.borrow_mut().lemma());
        match lemma {
            Some(lemma) => {
                self.begin(&lemma);
                false
            }
            None => true,
        }
    }

    fn cb_propagate(&mut self) -> i32 {
        self.shared.guarded(0, || self.theory.borrow_mut().propagate().map_or(0, Lit::dimacs))
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        if self.clause.is_empty() {
            let literal = Lit::from_dimacs(propagated);
            let reason = self.shared.guarded(vec![literal], || self.theory.borrow_mut().reason(literal));
            self.begin(&reason);
        }
        self.next_literal()
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = true;
        if !self.clause.is_empty() {
            return true;
        }
        match self.shared.guarded(None, || self.theory.borrow_mut().lemma()) {
            Some(lemma) => {
                self.begin(&lemma);
                true
            }
            None => false,
        }
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.next_literal()
    }
}

/// Writes down what the solver derives.
struct Tracer(Rc<RefCell<Recorder>>);

impl Tracer {
    fn record(&self, work: impl FnOnce(&mut Recorder)) {
        if let Ok(mut recorder) = self.0.try_borrow_mut() {
            work(&mut recorder);
        }
    }
}

impl ProofTracer for Tracer {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], restored: bool) {
        if !restored {
            self.record(|recorder| recorder.given(id, clause));
        }
    }

    fn add_derived_clause(&mut self, id: i64, _: bool, _witness: i32, clause: &[i32], antecedents: &[i64]) {
        self.record(|recorder| recorder.derived(id, clause, antecedents));
    }

    fn delete_clause(&mut self, id: i64, _redundant: bool, _clause: &[i32]) {
        self.record(|recorder| recorder.deleted(id));
    }

    fn weaken_minus(&mut self, id: i64, _clause: &[i32]) {
        self.record(|recorder| recorder.kept(id));
    }

    fn strengthen(&mut self, _id: i64) {}

    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}

    fn add_assumption(&mut self, _literal: i32) {}

    fn add_constraint(&mut self, _clause: &[i32]) {}

    fn reset_assumptions(&mut self) {}

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.record(|recorder| recorder.derived(id, clause, antecedents));
    }

    fn conclude_sat(&mut self, _conclusion: i32, _model: &[i32]) {}

    fn conclude_unsat(&mut self, _conclusion: i32, clauses: &[i64]) {
        self.record(|recorder| recorder.concluded(clauses));
    }

    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}
