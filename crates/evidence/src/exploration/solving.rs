//! Questions about the numbers of a family: whether a condition can hold, and for which numbers. Only what of the path
//! condition speaks of the same symbols is asked with, and what was asked once is remembered: families are named so
//! that the same question comes up again and again.

use super::Stopped;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::{Answer, Assignment, Cancellation, Limits, Questions, SymbolId, Term, Terms, Unknown};
use selvedge_program::{Budget, Exhausted};
use std::rc::Rc;

/// A question that takes more conflicts is given up.
const CONFLICTS: u32 = 20_000;

/// With more gates than this, a solver is given up for a new one.
const GATES: usize = 20_000;

/// Values of some symbols under which conditions hold; `None` if there are none.
type Found = Option<Rc<[(SymbolId, u128)]>>;

/// Who answers.
#[derive(Debug)]
pub struct Solving {
    questions: Questions,
    known: FxHashMap<Box<[Term]>, Found>,
    symbols: FxHashMap<Term, Rc<[SymbolId]>>,
    /// How many questions may be asked.
    most: usize,
    asked: usize,
}

impl Solving {
    /// So many questions, within a budget.
    pub fn new(most: usize, budget: &Budget) -> Self {
        let limits = Limits {
            deadline: budget.deadline,
            cancellation: Some(Cancellation::from_flag(budget.cancel.clone())),
            conflicts: Some(CONFLICTS),
        };
        Solving {
            questions: Questions::keeping(limits, GATES),
            known: FxHashMap::default(),
            symbols: FxHashMap::default(),
            most,
            asked: 0,
        }
    }

    /// The symbols of a term.
    pub fn symbols(&mut self, terms: &Terms, term: Term) -> Rc<[SymbolId]> {
        let found = self.symbols.entry(term).or_insert_with(|| terms.symbols_of(&[term]).into());
        Rc::clone(found)
    }

    /// Those of some conditions that speak of these symbols, or of symbols that others of them relate to these.
    pub fn about(&mut self, terms: &Terms, conditions: &[Term], symbols: &mut FxHashSet<SymbolId>) -> Vec<Term> {
        let mut left: Vec<(Term, Rc<[SymbolId]>)> =
            conditions.iter().map(|condition| (*condition, self.symbols(terms, *condition))).collect();
        let mut found = Vec::new();
        loop {
            let before = found.len();
            left.retain(|(condition, own)| {
                let is_about = own.iter().any(|symbol| symbols.contains(symbol));
                if is_about {
                    symbols.extend(own.iter().copied());
                    found.push(*condition);
                }
                !is_about
            });
            if found.len() == before {
                return found;
            }
        }
    }

    /// An assignment under which a path condition and more conditions hold, if there is one; a sample satisfies the path
    /// condition.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn model(
        &mut self,
        terms: &Terms,
        path: &[Term],
        sample: &Assignment,
        conditions: &[Term],
    ) -> Result<Option<Assignment>, Stopped> {
        let holds = |condition: &Term| terms.evaluate(*condition, sample).is_ok_and(|value| value.is_true());
        if conditions.iter().all(holds) {
            return Ok(Some(sample.clone()));
        }
        let is_never = |condition: &Term| terms.constant_value(*condition).is_some_and(|value| !value.is_true());
        if conditions.iter().any(is_never) {
            return Ok(None);
        }
        let mut symbols = FxHashSet::default();
        for condition in conditions {
            symbols.extend(self.symbols(terms, *condition).iter().copied());
        }
        let mut asked = self.about(terms, path, &mut symbols);
        asked.extend_from_slice(conditions);
        asked.sort_unstable();
        asked.dedup();
        let found = match self.known.get(asked.as_slice()) {
            Some(found) => found.clone(),
            None => self.ask(terms, &asked, &symbols)?,
        };
        Ok(found.map(|values| {
            let mut assignment = sample.clone();
            values.iter().for_each(|(symbol, value)| assignment.set(*symbol, *value));
            assignment
        }))
    }

    /// Counts work as questions.
    ///
    /// # Errors
    /// When there were too many.
    pub fn spend(&mut self, questions: usize) -> Result<(), Stopped> {
        self.asked += questions;
        if self.asked > self.most { Err(Stopped::Questions(self.most)) } else { Ok(()) }
    }

    fn ask(&mut self, terms: &Terms, asked: &[Term], symbols: &FxHashSet<SymbolId>) -> Result<Found, Stopped> {
        self.spend(1)?;
        let failed = |error: selvedge_logic::Error| Stopped::Unsupported(error.to_string());
        let found = match self.questions.check(terms, asked).map_err(failed)? {
            Answer::Unsatisfiable => None,
            Answer::Satisfiable => {
                let model = self.questions.model(terms).map_err(failed)?;
                let mut symbols: Vec<SymbolId> = symbols.iter().copied().collect();
                symbols.sort_unstable();
                let value = |symbol: SymbolId| (symbol, model.assignment().get(symbol).unwrap_or(0));
                Some(symbols.into_iter().map(value).collect())
            }
            Answer::Unknown(Unknown::Deadline) => return Err(Stopped::Budget(Exhausted::Time)),
            Answer::Unknown(Unknown::Cancelled) => return Err(Stopped::Budget(Exhausted::Cancelled)),
            Answer::Unknown(_) => return Err(Stopped::Hard),
        };
        self.known.insert(asked.into(), found.clone());
        Ok(found)
    }
}
