//! Answers to the questions of a step: all of them, one run of the step after the other.

use selvedge_program::semantics::{Chooser, Question, Value};

/// What could not be enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    /// How many bits are free.
    pub bits: u32,
    /// Whether some answers were tried.
    pub sampled: bool,
}

/// Runs through all answers: a counter with a digit for every question, the last counting fastest. Later questions may
/// depend on earlier answers.
#[derive(Debug, Default)]
pub struct Enumeration {
    digits: Vec<(Vec<Value>, usize)>,
    asked: usize,
    max_choices: usize,
    /// What the first question may be answered with, where that is known from elsewhere.
    pub suggestion: Option<Vec<Value>>,
    /// A question that could not be enumerated, if there was one.
    pub too_many: Option<TooMany>,
}

impl Enumeration {
    /// All answers to every question that has at most so many.
    pub fn new(max_choices: usize) -> Self {
        Self { max_choices, ..Self::default() }
    }

    /// Before each run of the step.
    pub fn begin(&mut self) {
        self.asked = 0;
    }

    /// The answers of the last run.
    pub fn answers(&self) -> Vec<Value> {
        self.digits[..self.asked].iter().map(|(values, digit)| values[*digit].clone()).collect()
    }

    /// Moves on to the next answers; `false` if there are none.
    pub fn advance(&mut self) -> bool {
        self.digits.truncate(self.asked);
        while let Some((values, digit)) = self.digits.last_mut() {
            *digit += 1;
            if *digit < values.len() {
                return true;
            }
            self.digits.pop();
        }
        false
    }

    fn enumerate(&mut self, question: &Question) -> Option<Vec<Value>> {
        if self.asked == 0 && !matches!(question, Question::Thread(_)) && self.suggestion.is_some() {
            return self.suggestion.take();
        }
        match question.answers(self.max_choices as u128) {
            Ok(all) => Some(all),
            Err(bits) => {
                self.too_many = Some(TooMany { bits, sampled: false });
                None
            }
        }
    }
}

impl Chooser for Enumeration {
    fn choose(&mut self, question: &Question) -> Option<Value> {
        if self.asked == self.digits.len() {
            let values = self.enumerate(question).filter(|values| !values.is_empty())?;
            self.digits.push((values, 0));
        }
        let (values, digit) = &self.digits[self.asked];
        self.asked += 1;
        Some(values[*digit].clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_program::Bits;

    #[test]
    fn all_combinations_come_up_once() {
        let mut enumeration = Enumeration::new(256);
        let question = Question::Number { known: Bits::new(8, 0b1000), free: Bits::new(8, 0b0101) };
        let mut seen = Vec::new();
        loop {
            enumeration.begin();
            let first = enumeration.choose(&question).expect("few answers");
            // Only one of the first answers leads to a second question.
            if first == Value::bits(8, 0b1001) {
                enumeration.choose(&Question::any(1)).expect("few answers");
            }
            seen.push(enumeration.answers());
            if !enumeration.advance() {
                break;
            }
        }
        let number = |value| Value::bits(8, value);
        let expected = [
            vec![number(0b1000)],
            vec![number(0b1001), Value::bits(1, 0)],
            vec![number(0b1001), Value::bits(1, 1)],
            vec![number(0b1100)],
            vec![number(0b1101)],
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn large_questions_are_refused() {
        let mut enumeration = Enumeration::new(256);
        assert_eq!(enumeration.choose(&Question::any(32)), None);
        assert_eq!(enumeration.too_many, Some(TooMany { bits: 32, sampled: false }));
    }
}
