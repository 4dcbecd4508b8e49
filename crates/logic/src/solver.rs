//! The solver the rest of the system talks to: terms in, answers, models and cores out.
//!
//! Nothing is ever taken back. What should hold for one question only is passed as an assumption; what should hold
//! under a condition is added as an implication. So everything learned in one question serves all later ones, and a
//! term becomes gates and clauses once, however often it is asked about.

mod core;
mod memo;
mod model;
mod order;
mod questions;
mod statistics;

use std::time::Instant;

pub use model::Model;
pub use questions::Questions;
pub use statistics::Statistics;

use self::order::Order;
use crate::circuit::{Blaster, Clauses, Graph, Wire};
use crate::error::{Error, Result};
use crate::sat::{Answer, Cadical, Limits, Lit, Sat, Unknown};
use crate::terms::{Op, Sort, Term, Terms};
use memo::{Memo, Recalled};

/// What the last question left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Last {
    Nothing,
    /// The backend holds a satisfying assignment.
    Satisfied,
    /// Known to be satisfiable from an earlier assignment, with its number; the backend does not hold one.
    Recalled(usize),
    /// With the failed assumptions.
    Refuted(Vec<Lit>),
}

/// An incremental solver for terms of one [`Terms`] store.
///
/// ```
/// use selvedge_logic::{Answer, Solver, Sort, Terms};
///
/// # fn main() -> selvedge_logic::Result<()> {
/// let (mut terms, mut solver) = (Terms::new(), Solver::new());
/// let x = terms.symbol("x", Sort::Bits(32));
/// let five = terms.bits(32, 5);
/// let square = terms.mul(x, x);
/// let nine = terms.bits(32, 9);
/// let (is_root, small) = (terms.equal(square, nine), terms.ult(x, five));
/// solver.add(&terms, is_root)?;
/// assert_eq!(solver.check(&terms, &[small])?, Answer::Satisfiable);
/// assert_eq!(solver.model(&terms)?.value(&terms, x)?.unsigned(), 3);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Solver {
    graph: Graph,
    blaster: Blaster,
    clauses: Clauses,
    sat: Box<dyn Sat>,
    order: Option<Order>,
    limits: Limits,
    statistics: Statistics,
    store: Option<u64>,
    memo: Option<Memo>,
    last: Last,
    assumed: Vec<Lit>,
    assumed_terms: Vec<Term>,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// A solver on the embedded backend.
    pub fn new() -> Self {
        Self::on(Box::new(Cadical::new()))
    }

    /// A solver on the embedded backend for very many small questions.
    pub fn for_small_questions() -> Self {
        Self::on(Box::new(Cadical::for_small_questions()))
    }

    /// A solver on the embedded backend that can prove its unsatisfiable answers, at some cost.
    pub fn with_proofs() -> Self {
        Self::on(Box::new(Cadical::with_proof()))
    }

    /// A solver on another backend.
    pub fn on(sat: Box<dyn Sat>) -> Self {
        let memo = sat.recorder().is_none().then(Memo::default);
        Solver {
            graph: Graph::new(),
            blaster: Blaster::new(),
            clauses: Clauses::new(),
            sat,
            order: None,
            limits: Limits::default(),
            statistics: Statistics::default(),
            store: None,
            memo,
            last: Last::Nothing,
            assumed: Vec::new(),
            assumed_terms: Vec::new(),
        }
    }

    /// Every question goes to the backend, even when an earlier model or core already answers it.
    pub fn without_memory(mut self) -> Self {
        self.memo = None;
        self
    }

    /// Limits of the questions to come.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Makes a term hold from now on.
    pub fn add(&mut self, terms: &Terms, term: Term) -> Result<()> {
        self.adopt_condition(terms, term)?;
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            match terms.op(term) {
                Op::And => pending.extend(terms.operands(term)),
                _ => {
                    let clause = self.disjuncts(terms, term)?;
                    self.add_clause(&clause);
                }
            }
        }
        Ok(())
    }

    /// The literals of a disjunction.
    fn disjuncts(&mut self, terms: &Terms, term: Term) -> Result<Vec<Lit>> {
        let mut clause = Vec::new();
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            match terms.op(term) {
                Op::Or => pending.extend(terms.operands(term)),
                _ => clause.push(self.literal(terms, term)?),
            }
        }
        Ok(clause)
    }

    /// Makes a disjunction of literals hold from now on.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.changed();
        self.sat.add_clause(clause);
    }

    /// From now on two terms are the same whenever the literal is true. Two clauses a bit, and no gates: where many
    /// such equations compete, most of which never hold, that is much smaller than a literal for each equation.
    pub fn add_equal_when(&mut self, terms: &Terms, condition: Lit, a: Term, b: Term) -> Result<()> {
        for term in [a, b] {
            self.adopt(terms, term)?;
        }
        if terms.sort(a) != terms.sort(b) {
            return Err(Error::Expected { expected: terms.sort(a), given: terms.sort(b) });
        }
        let left = self.blaster.word(terms, &mut self.graph, a).to_vec();
        let right = self.blaster.word(terms, &mut self.graph, b).to_vec();
        for (x, y) in left.into_iter().zip(right) {
            if x == y {
                continue;
            }
            let (x, y) = (self.wire(x), self.wire(y));
            self.add_clause(&[!condition, !x, y]);
            self.add_clause(&[!condition, x, !y]);
        }
        Ok(())
    }

    /// A fresh literal, free to be true or false.
    pub fn new_literal(&mut self) -> Lit {
        self.sat.new_variable()
    }

    /// The literal that is true exactly when the term is. The same term always has the same literal.
    pub fn literal(&mut self, terms: &Terms, term: Term) -> Result<Lit> {
        self.adopt_condition(terms, term)?;
        let wire = match self.blaster.word(terms, &mut self.graph, term) {
            [wire] => *wire,
            _ => Wire::FALSE,
        };
        Ok(self.wire(wire))
    }

    /// The literal that is true exactly when the wire is.
    fn wire(&mut self, wire: Wire) -> Lit {
        if let Some(literal) = self.clauses.known(wire) {
            return literal;
        }
        if matches!(self.last, Last::Satisfied) {
            // The backend's assignment is lost when clauses are added.
            self.last = Last::Nothing;
        }
        self.clauses.literal(&self.graph, self.sat.as_mut(), wire)
    }

    /// Can everything added so far and all assumptions hold together?
    pub fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer> {
        let mut literals = std::mem::take(&mut self.assumed);
        literals.clear();
        for &assumption in assumptions {
            literals.push(self.literal(terms, assumption)?);
        }
        let answer = self.check_literals(&literals);
        self.assumed = literals;
        self.assumed_terms.clear();
        self.assumed_terms.extend_from_slice(assumptions);
        answer
    }

    /// [`Self::check`] with assumptions given as literals.
    pub fn check_literals(&mut self, assumptions: &[Lit]) -> Result<Answer> {
        let start = Instant::now();
        self.assumed.clear();
        self.assumed.extend_from_slice(assumptions);
        self.assumed_terms.clear();
        self.statistics.queries += 1;
        let answer = match self.memo.as_mut().and_then(|memo| memo.recall(assumptions)) {
            Some(Recalled::Satisfiable(number)) => {
                self.statistics.recalled += 1;
                self.last = Last::Recalled(number);
                Answer::Satisfiable
            }
            Some(Recalled::Core(core)) => {
                self.statistics.recalled += 1;
                self.last = Last::Refuted(core);
                Answer::Unsatisfiable
            }
            None => self.ask(assumptions)?,
        };
        match answer {
            Answer::Satisfiable => self.statistics.satisfiable += 1,
            Answer::Unsatisfiable => self.statistics.unsatisfiable += 1,
            Answer::Unknown(_) => self.statistics.unknown += 1,
        }
        self.statistics.time += start.elapsed();
        Ok(answer)
    }

    /// Asks the backend.
    fn ask(&mut self, assumptions: &[Lit]) -> Result<Answer> {
        self.last = Last::Nothing;
        let answer = self.sat.solve(assumptions, &self.limits);
        match answer {
            Answer::Satisfiable => {
                self.last = Last::Satisfied;
                if let Some(memo) = &mut self.memo {
                    memo.remember_model(self.sat.as_mut());
                }
            }
            Answer::Unsatisfiable => {
                let core: Vec<Lit> = assumptions.iter().copied().filter(|&lit| self.sat.failed(lit)).collect();
                if let Some(memo) = &mut self.memo {
                    memo.remember_core(&core);
                }
                self.last = Last::Refuted(core);
            }
            Answer::Unknown(Unknown::Failed) => {
                return Err(Error::Backend(self.sat.failure().unwrap_or_default()));
            }
            Answer::Unknown(_) => {}
        }
        Ok(answer)
    }

    /// The value of a literal in the last satisfying assignment.
    pub fn value(&mut self, literal: Lit) -> Result<bool> {
        self.materialise()?;
        Ok(self.sat.value(literal))
    }

    /// The last satisfying assignment, for the symbols that have been used so far; others do not matter.
    pub fn model(&mut self, terms: &Terms) -> Result<Model> {
        self.materialise()?;
        let mut model = Model::default();
        for symbol in terms.symbols() {
            let Some(word) = self.blaster.symbol(symbol) else { continue };
            let mut bits = 0;
            for (place, &wire) in word.iter().enumerate() {
                let set = self.clauses.known(wire).is_some_and(|literal| self.sat.value(literal));
                bits |= u128::from(set) << place;
            }
            model.set(symbol, bits);
        }
        Ok(model)
    }

    /// An assignment for which the last answer is right: an earlier one, if that is why it is known, and then not the one
    /// that [`Self::value`] reads.
    fn some_model(&mut self, terms: &Terms) -> Result<Model> {
        if let (Last::Recalled(number), Some(memo)) = (&self.last, &self.memo)
            && let Some(model) = memo.symbols(*number)
        {
            return Ok(model.clone());
        }
        let model = self.model(terms)?;
        if let Some(memo) = &mut self.memo {
            memo.remember_symbols(&model);
        }
        Ok(model)
    }

    /// Makes the backend hold the assignment that the last answer speaks of.
    fn materialise(&mut self) -> Result<()> {
        match self.last {
            Last::Satisfied => Ok(()),
            Last::Recalled(_) => {
                let assumptions = self.assumed.clone();
                match self.ask(&assumptions)? {
                    Answer::Satisfiable => Ok(()),
                    _ => Err(Error::NoModel),
                }
            }
            _ => Err(Error::NoModel),
        }
    }

    /// The proof of the last unsatisfiable answer, for [`crate::proof::check`].
    pub fn proof(&self) -> Result<String> {
        let recorder = self.sat.recorder().ok_or(Error::NoProof)?;
        if !matches!(self.last, Last::Refuted(_)) {
            return Err(Error::NoCore);
        }
        let assumptions: Vec<i32> = self.assumed.iter().map(|literal| literal.dimacs()).collect();
        recorder.borrow().proof(&assumptions).ok_or(Error::NoProof)
    }

    /// How many gates the circuits of all terms so far have.
    pub fn gates(&self) -> usize {
        self.graph.len()
    }

    pub fn statistics(&self) -> Statistics {
        let effort = self.sat.effort();
        Statistics {
            conflicts: effort.conflicts,
            decisions: effort.decisions,
            propagations: effort.propagations,
            gates: self.graph.len() as u64,
            clauses: self.clauses.count(),
            ..self.statistics
        }
    }

    /// Clauses are coming that earlier assignments may not satisfy.
    fn changed(&mut self) {
        self.last = Last::Nothing;
        if let Some(memo) = &mut self.memo {
            memo.forget_models();
        }
    }

    /// The term belongs to the same store as all others.
    fn adopt(&mut self, terms: &Terms, term: Term) -> Result<()> {
        terms.require(term)?;
        match *self.store.get_or_insert(terms.store()) == terms.store() {
            true => Ok(()),
            false => Err(Error::Foreign),
        }
    }

    /// The same, and it can be true or false.
    fn adopt_condition(&mut self, terms: &Terms, term: Term) -> Result<()> {
        self.adopt(terms, term)?;
        match terms.sort(term) {
            Sort::Bool => Ok(()),
            given => Err(Error::Expected { expected: Sort::Bool, given }),
        }
    }
}
