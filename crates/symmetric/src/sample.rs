//! Assignments that were found, with what they make of conditions. Most questions of a search are much like earlier
//! ones, and an assignment that was found for one of these often satisfies the next one, which then needs no solver.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_evidence::symmetric::moves::At;
use selvedge_logic::{Error, Model, Term, Terms, Value};
use selvedge_symbolic::threads::Who;

/// How many are kept for the same threads.
const MOST: usize = 24;

/// An assignment.
#[derive(Debug)]
pub struct Sample {
    pub model: Model,
    /// What it makes of conditions that were looked at.
    truths: RefCell<FxHashMap<Term, bool>>,
}

impl Sample {
    pub fn new(model: Model) -> Sample {
        Sample { model, truths: RefCell::default() }
    }

    /// Whether a condition holds.
    ///
    /// # Errors
    /// Only for mistakes of ours.
    pub fn satisfies(&self, terms: &Terms, condition: Term) -> Result<bool, Error> {
        if let Some(truth) = self.truths.borrow().get(&condition) {
            return Ok(*truth);
        }
        let truth = self.model.satisfies(terms, condition)?;
        self.truths.borrow_mut().insert(condition, truth);
        Ok(truth)
    }

    /// The value of a term.
    ///
    /// # Errors
    /// Only for mistakes of ours.
    pub fn value(&self, terms: &Terms, term: Term) -> Result<Value, Error> {
        self.model.value(terms, term)
    }
}

/// Those of late, by the threads that are there.
#[derive(Debug, Default)]
pub struct Samples {
    by_threads: FxHashMap<Vec<(Who, At)>, VecDeque<Rc<Sample>>>,
}

impl Samples {
    /// One that satisfies conditions.
    ///
    /// # Errors
    /// Only for mistakes of ours.
    pub fn find(&self, terms: &Terms, conditions: &[Term], there: &[(Who, At)]) -> Result<Option<Rc<Sample>>, Error> {
        for sample in self.by_threads.get(there).into_iter().flatten() {
            let mut is_one = true;
            // What was added last is what earlier ones are not likely to satisfy.
            for condition in conditions.iter().rev() {
                is_one = is_one && sample.satisfies(terms, *condition)?;
                if !is_one {
                    break;
                }
            }
            if is_one {
                return Ok(Some(Rc::clone(sample)));
            }
        }
        Ok(None)
    }

    /// One more.
    pub fn keep(&mut self, there: &[(Who, At)], sample: Rc<Sample>) {
        let kept = self.by_threads.entry(there.to_vec()).or_default();
        kept.truncate(MOST - 1);
        kept.push_front(sample);
    }
}
