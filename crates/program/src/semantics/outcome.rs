//! How a step can fail to be a step, and what it may ask for.

use crate::semantics::state::State;
use crate::semantics::value::{Instance, Value};
use crate::{Bits, CheckId, GhostField, Program, Register, ThreadIndex, Undefined};

/// What an undefined access was after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Culprit {
    /// The address.
    pub address: Value,
    /// How many bytes; 0 for a ghost field, or where bytes are not what matters.
    pub size: u64,
    /// The ghost field, if it was one.
    pub field: Option<GhostField>,
}

/// Why a step leads to no state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The program breaks an assertion.
    AssertionFailed(CheckId),
    /// The program does something undefined, perhaps to the culprit.
    Undefined(Undefined, Option<Box<Culprit>>),
    /// The program does something we do not model, named here.
    Unsupported(String),
    /// The step cannot be taken now. The state is unchanged.
    Disabled,
    /// The step needs an answer that the chooser did not have.
    NeedsChoice(Question),
    /// The program is not well-formed, or an answer was not admissible.
    Internal(String),
}

impl Outcome {
    pub(super) fn undefined(undefined: Undefined) -> Self {
        Outcome::Undefined(undefined, None)
    }

    pub(super) fn bad_access(undefined: Undefined, address: &Value, size: u64) -> Self {
        Outcome::Undefined(undefined, Some(Box::new(Culprit { address: address.clone(), size, field: None })))
    }

    pub(super) fn bad_ghost(undefined: Undefined, address: &Value, field: GhostField) -> Self {
        let culprit = Culprit { address: address.clone(), size: 0, field: Some(field) };
        Outcome::Undefined(undefined, Some(Box::new(culprit)))
    }

    pub(super) fn internal(message: impl Into<String>) -> Self {
        Outcome::Internal(message.into())
    }
}

/// A choice that a step leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// A number that agrees with `known` wherever `free` is 0.
    Number {
        /// The bits that are given; 0 elsewhere.
        known: Bits,
        /// The bits that can be anything.
        free: Bits,
    },
    /// Any number of a pointer's width, or an address that happens to be there ([`State::is_address`]).
    Address {
        /// The width.
        width: u32,
    },
    /// One of these threads, answered by a pointer to its object.
    Thread(Vec<ThreadIndex>),
}

impl Question {
    /// Any number of a width.
    pub fn any(width: u32) -> Self {
        Question::Number { known: Bits::new(width, 0), free: Bits::ones(width) }
    }

    /// Any value of a register's width: where it may be an address, addresses are among them.
    pub fn any_for(register: &Register) -> Self {
        if register.may_be_address {
            Question::Address { width: register.width }
        } else {
            Question::any(register.width)
        }
    }

    /// Whether an answer is one of those the question allows in a state.
    pub fn admits(&self, answer: &Value, program: &Program, state: &State) -> bool {
        match (self, answer) {
            (Question::Number { known, free }, Value::Bits(bits)) => {
                bits.width() == known.width() && bits.unsigned() & !free.unsigned() == known.unsigned()
            }
            (Question::Address { width }, Value::Bits(bits)) => bits.width() == *width,
            (Question::Address { .. }, Value::Pointer(pointer)) => state.is_address(program, *pointer),
            (Question::Thread(threads), Value::Pointer(pointer)) => {
                pointer.offset == 0 && matches!(pointer.object, Instance::Thread(thread) if threads.contains(&thread))
            }
            _ => false,
        }
    }

    /// All answers, numbers in ascending order, or how many bits are free where there are more numbers than so many.
    /// Addresses are not counted up.
    pub fn answers(&self, most: u128) -> Result<Vec<Value>, u32> {
        match self {
            Question::Thread(threads) => {
                Ok(threads.iter().map(|thread| Value::to_start_of(Instance::Thread(*thread))).collect())
            }
            Question::Address { width } => Err(*width),
            Question::Number { known, free } => {
                let mask = free.unsigned();
                let bits = mask.count_ones();
                if 1u128.checked_shl(bits).is_none_or(|count| count > most) {
                    return Err(bits);
                }
                let next = |subset: &u128| Some(subset.wrapping_sub(mask) & mask).filter(|subset| *subset != 0);
                let subsets = std::iter::successors(Some(0), next);
                Ok(subsets.map(|subset| Value::bits(known.width(), known.unsigned() | subset)).collect())
            }
        }
    }

    /// The plainest answer: free bits are 0, and the first thread is taken.
    pub fn plainest(&self) -> Value {
        match self {
            Question::Number { known, .. } => Value::Bits(*known),
            Question::Address { width } => Value::bits(*width, 0),
            Question::Thread(threads) => {
                Value::to_start_of(Instance::Thread(threads.first().copied().unwrap_or(ThreadIndex(0))))
            }
        }
    }
}

/// Who answers what a step leaves open.
pub trait Chooser {
    /// An answer, or `None` to have the step fail with [`Outcome::NeedsChoice`].
    fn choose(&mut self, question: &Question) -> Option<Value>;
}

/// Answers every question with [`Question::plainest`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Plainest;

impl Chooser for Plainest {
    fn choose(&mut self, question: &Question) -> Option<Value> {
        Some(question.plainest())
    }
}

/// Gives prepared answers in order, then none.
#[derive(Clone, Debug)]
pub struct Answers<'a>(pub std::slice::Iter<'a, Value>);

impl<'a> Answers<'a> {
    /// These answers in order.
    pub fn new(answers: &'a [Value]) -> Self {
        Self(answers.iter())
    }
}

impl Chooser for Answers<'_> {
    fn choose(&mut self, _question: &Question) -> Option<Value> {
        self.0.next().cloned()
    }
}
