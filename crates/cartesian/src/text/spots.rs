//! Places where a thread can be, as users name them.

use selvedge_program::semantics::{Frame, Part, Value};
use selvedge_program::{Display, FunctionId, LocationId, Program};

/// How a value compares to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The operator.
    pub operator: Operator,
    /// The number.
    pub number: i128,
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// Whether a value compares so.
    pub fn holds(self, value: i128) -> bool {
        match self.operator {
            Operator::Equal => value == self.number,
            Operator::Unequal => value != self.number,
            Operator::Less => value < self.number,
            Operator::LessOrEqual => value <= self.number,
            Operator::Greater => value > self.number,
            Operator::GreaterOrEqual => value >= self.number,
        }
    }
}

/// Where in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// At a C label.
    Label(String),
    /// At a line.
    Line(u32),
    /// At a location of a function's automaton, as `selvedge dump` numbers them.
    Location(FunctionId, LocationId),
    /// Not running: not yet started, or finished.
    Idle,
    /// Anywhere.
    Anywhere,
}

/// A place, and conditions on local variables there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Where.
    pub place: Place,
    /// Local variables, and how they compare.
    pub locals: Vec<(String, Comparison)>,
}

impl Spot {
    /// Whether a thread with this part is there. A thread in a function that was called from the place is there too.
    pub fn matches(&self, program: &Program, part: &Part) -> bool {
        let frames = &part.thread.frames;
        let is_there = match &self.place {
            Place::Anywhere => true,
            Place::Idle => frames.is_empty(),
            Place::Label(label) => frames
                .iter()
                .any(|frame| program.function(frame.function).location(frame.location).label.as_ref() == Some(label)),
            Place::Line(line) => frames.iter().any(|frame| lines(program, frame).any(|other| other == *line)),
            Place::Location(function, location) => {
                frames.last().is_some_and(|frame| frame.function == *function && frame.location == *location)
            }
        };
        is_there
            && self.locals.iter().all(|(name, comparison)| {
                frames
                    .iter()
                    .rev()
                    .find_map(|frame| local(program, frame, name))
                    .is_some_and(|value| comparison.holds(value))
            })
    }
}

/// The lines that a frame is about to run.
pub fn lines(program: &Program, frame: &Frame) -> impl Iterator<Item = u32> {
    let function = program.function(frame.function);
    function.location(frame.location).outgoing.iter().map(|edge| function.edge(*edge).span.line)
}

/// The number that a local variable of a frame holds.
fn local(program: &Program, frame: &Frame, name: &str) -> Option<i128> {
    let registers = &program.function(frame.function).registers;
    let (register, value) =
        registers.iter().zip(&frame.registers).find(|(register, _)| register.name.as_deref() == Some(name))?;
    number(value.as_ref()?, register.display)
}

/// A value as the number that people see.
pub fn number(value: &Value, display: Display) -> Option<i128> {
    let bits = value.as_bits()?;
    match display {
        Display::Signed => Some(bits.as_signed()),
        _ => i128::try_from(bits.unsigned()).ok(),
    }
}
