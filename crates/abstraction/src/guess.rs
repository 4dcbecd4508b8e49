//! Assignments that are guessed: most conditions that can hold together do so under one that is easily found, and then
//! the solver need not be asked. One begins with all symbols zero, or as a question before has left them, and is
//! mended condition by condition: what a condition wants of its parts is passed down to a symbol. What is found is evaluated, so
//! that a yes is always right; a no means nothing.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use selvedge_logic::{Assignment, Op, Sort, Term, Terms};

/// How many assignments that were right before are tried.
const RECENT: usize = 6;

/// How often one goes through the conditions to mend an assignment.
const ROUNDS: usize = 3;

/// Conditions with more parts than this are left to the solver, and how deep wishes are passed down.
const LARGEST: usize = 400;
const DEEPEST: u32 = 40;

/// Assignments that were right before, the last one first.
#[derive(Debug, Default)]
pub struct Guesses {
    recent: VecDeque<Assignment>,
}

impl Guesses {
    /// Whether an assignment is found under which all of these hold.
    pub fn hold(&mut self, terms: &Terms, conditions: &[Term]) -> bool {
        if !is_small(terms, conditions) {
            return false;
        }
        if let Some(place) = self.recent.iter().position(|assignment| all_hold(terms, conditions, assignment)) {
            self.recent.swap(0, place);
            return true;
        }
        let begin = [Some(Assignment::new()), self.recent.front().cloned()];
        for assignment in begin.into_iter().flatten() {
            let mut guess = Guess { terms, assignment };
            for _ in 0..ROUNDS {
                for condition in conditions {
                    guess.make(*condition, 1, DEEPEST);
                }
                if all_hold(terms, conditions, &guess.assignment) {
                    self.recent.push_front(guess.assignment);
                    self.recent.truncate(RECENT);
                    return true;
                }
            }
        }
        false
    }
}

fn all_hold(terms: &Terms, conditions: &[Term], assignment: &Assignment) -> bool {
    let values = terms.evaluate_all(conditions, assignment);
    values.is_ok_and(|values| values.iter().all(|value| value.is_true()))
}

fn is_small(terms: &Terms, conditions: &[Term]) -> bool {
    let mut seen = FxHashSet::default();
    let mut pending = conditions.to_vec();
    while let Some(term) = pending.pop() {
        if seen.insert(term) {
            pending.extend(terms.operands(term));
        }
        if seen.len() > LARGEST {
            return false;
        }
    }
    true
}

struct Guess<'t> {
    terms: &'t Terms,
    assignment: Assignment,
}

impl Guess<'_> {
    fn value(&self, term: Term) -> u128 {
        self.terms.evaluate(term, &self.assignment).map_or(0, |value| value.unsigned())
    }

    fn sort(&self, term: Term) -> Sort {
        self.terms.sort(term)
    }

    /// Changes symbols so that a term gets a value, if a way is seen to do that.
    fn make(&mut self, term: Term, wanted: u128, depth: u32) -> bool {
        if self.value(term) == wanted {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let down = depth - 1;
        let operands = self.terms.operands(term);
        let (a, b) = (operands.first().copied(), operands.get(1).copied());
        let mask = self.sort(term).mask();
        match (self.terms.op(term), a, b) {
            (Op::Symbol(symbol), ..) => {
                self.assignment.set(symbol, wanted);
                true
            }
            (Op::Not, Some(a), _) => self.make(a, wanted ^ 1, down),
            (Op::And, Some(a), Some(b)) => self.both_or_one((a, b), wanted, wanted == 1, down),
            (Op::Or, Some(a), Some(b)) => self.both_or_one((a, b), wanted, wanted == 0, down),
            (Op::Ite, Some(which), Some(then)) => {
                let otherwise = operands[2];
                let is_then = self.value(which);
                let (chosen, other) = if is_then == 1 { (then, otherwise) } else { (otherwise, then) };
                self.make(chosen, wanted, down) || self.make(other, wanted, down) && self.make(which, is_then ^ 1, down)
            }
            (Op::Equal, Some(a), Some(b)) if wanted == 1 => {
                let (mine, theirs) = (self.value(a), self.value(b));
                self.make(a, theirs, down) || self.make(b, mine, down)
            }
            (Op::Equal, Some(a), Some(b)) => {
                let other = self.value(a) ^ 1;
                self.make(a, other, down) || self.make(b, other, down)
            }
            (Op::ULt | Op::ULe | Op::SLt | Op::SLe, Some(a), Some(b)) => self.compare(term, (a, b), wanted, down),
            (Op::BitNot, Some(a), _) => self.make(a, !wanted & mask, down),
            (Op::Neg, Some(a), _) => self.make(a, wanted.wrapping_neg() & mask, down),
            (Op::Add, Some(a), Some(b)) => {
                let (mine, theirs) = (self.value(a), self.value(b));
                self.make(a, wanted.wrapping_sub(theirs) & mask, down)
                    || self.make(b, wanted.wrapping_sub(mine) & mask, down)
            }
            (Op::BitXor, Some(a), Some(b)) => {
                let (mine, theirs) = (self.value(a), self.value(b));
                self.make(a, wanted ^ theirs, down) || self.make(b, wanted ^ mine, down)
            }
            (Op::BitAnd, Some(a), Some(b)) => {
                let (mine, theirs) = (self.value(a), self.value(b));
                wanted & !theirs == 0 && self.make(a, wanted | mine & !theirs, down)
                    || wanted & !mine == 0 && self.make(b, wanted | theirs & !mine, down)
            }
            (Op::BitOr, Some(a), Some(b)) => {
                let (mine, theirs) = (self.value(a), self.value(b));
                theirs & !wanted == 0 && self.make(a, wanted & !theirs, down)
                    || mine & !wanted == 0 && self.make(b, wanted & !mine, down)
            }
            (Op::Concat, Some(a), Some(b)) => {
                let low = self.sort(b);
                self.make(a, wanted >> low.width(), down) && self.make(b, wanted & low.mask(), down)
            }
            (Op::Extract { low, .. }, Some(a), _) => {
                let kept = self.value(a) & !(mask << low);
                self.make(a, kept | wanted << low, down)
            }
            (Op::ZeroExtend(_) | Op::SignExtend(_), Some(a), _) => {
                let narrow = wanted & self.sort(a).mask();
                // What does not fit is found out by evaluating.
                self.make(a, narrow, down) && self.value(term) == wanted
            }
            _ => false,
        }
    }

    /// Both parts are to have a value, or one of them.
    fn both_or_one(&mut self, (a, b): (Term, Term), wanted: u128, both: bool, depth: u32) -> bool {
        if both {
            self.make(a, wanted, depth) && self.make(b, wanted, depth)
        } else {
            self.make(a, wanted, depth) || self.make(b, wanted, depth)
        }
    }

    /// One part is made just as much less than the other as it takes, or the other just as much greater.
    fn compare(&mut self, term: Term, (a, b): (Term, Term), wanted: u128, depth: u32) -> bool {
        let is_strict = matches!(self.terms.op(term), Op::ULt | Op::SLt);
        let mask = self.sort(a).mask();
        let (mine, theirs) = (self.value(a), self.value(b));
        // To be equal is enough, or there is to be one in between.
        let apart = u128::from((wanted == 1) == is_strict);
        let (for_a, for_b) = if wanted == 1 {
            (theirs.wrapping_sub(apart), mine.wrapping_add(apart))
        } else {
            (theirs.wrapping_add(apart), mine.wrapping_sub(apart))
        };
        self.make(a, for_a & mask, depth) && self.value(term) == wanted
            || self.make(b, for_b & mask, depth) && self.value(term) == wanted
    }
}

#[cfg(test)]
mod tests {
    use super::Guesses;
    use selvedge_logic::{Answer, Solver, Sort, Terms};

    /// What is guessed can hold, and easy conditions are guessed.
    #[test]
    fn guesses_are_right() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let (two, ten) = (terms.bits(32, 2), terms.bits(32, 10));
        let sum = terms.add(x, two);
        let is_ten = terms.equal(sum, ten);
        let is_less = terms.ult(x, y);
        let is_not = terms.not(is_less);
        let is_signed = terms.slt(y, x);
        let cases = [vec![is_ten, is_less], vec![is_ten, is_not], vec![is_less, is_signed], vec![is_less, is_not]];
        let guessed: Vec<bool> = cases.iter().map(|case| Guesses::default().hold(&terms, case)).collect();
        assert_eq!(guessed[..2], [true, true]);
        for (case, guessed) in cases.iter().zip(guessed) {
            let answer = Solver::for_small_questions().check(&terms, case).expect("is asked well");
            assert!(!guessed || answer == Answer::Satisfiable, "{case:?}");
        }
    }
}
