//! The types of predicates' expressions: C's integers by width and sign, truth values, pointers.

use selvedge_program::{Display, Expr, GhostField, Program};

use super::Variable;
use crate::cell::Note;
use crate::tally::TALLY_WIDTH;

/// What the bits of an expression mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// In bits; 1 for a truth value.
    pub width: u32,
    /// Whether the highest bit is a sign. Pointers and truth values have none.
    pub signed: bool,
}

impl Type {
    /// A truth value.
    pub const TRUTH: Type = Type { width: 1, signed: false };
    /// What narrower numbers are computed in.
    pub const INT: Type = Type { width: 32, signed: true };

    /// An unsigned type.
    pub fn unsigned(width: u32) -> Type {
        Type { width, signed: false }
    }

    /// C's integer promotion.
    pub fn promoted(self) -> Type {
        if self.width < Type::INT.width { Type::INT } else { self }
    }

    /// C's usual arithmetic conversions, without promotion.
    pub fn common(self, other: Type) -> Type {
        match self.width.cmp(&other.width) {
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Equal => Type { width: self.width, signed: self.signed && other.signed },
        }
    }

    /// Whether a number is one of the type's values.
    pub fn holds(self, number: i128) -> bool {
        let (low, high) = match (self.signed, self.width) {
            (true, 128..) => return true,
            (true, width) => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
            (false, 127..) => (0, i128::MAX),
            (false, width) => (0, (1_i128 << width) - 1),
        };
        (low..=high).contains(&number)
    }

    /// A value of another type as one of this: its own sign decides how it is widened.
    pub fn convert(self, from: Type, value: Expr) -> Expr {
        if self == Type::TRUTH && from != Type::TRUTH {
            return value.is_true();
        }
        if from.signed { value.resize_signed(self.width) } else { value.resize_unsigned(self.width) }
    }
}

/// The type of a variable.
pub fn of_variable(program: &Program, variable: Variable) -> Type {
    let shown = |display: Option<Display>| matches!(display, Some(Display::Signed));
    match variable {
        Variable::Register(function, register) => {
            let register = program.function(function).register(register);
            Type { width: register.width, signed: register.width > 1 && shown(Some(register.display)) }
        }
        Variable::Cell { object, offset, size } => {
            Type { width: size * 8, signed: shown(object.shape(program).display(offset, size)) }
        }
        Variable::Ghost { field, .. } | Variable::OwnGhost(field) => of_ghost(program, field),
        Variable::Note(Note::Born | Note::Escaped, _) => Type::TRUTH,
        Variable::Note(Note::Maker | Note::Taker, _)
        | Variable::Address(_)
        | Variable::Unjoined
        | Variable::Changer { .. } => Type::unsigned(program.pointer_width()),
        Variable::Tally { .. } => Type::unsigned(TALLY_WIDTH),
        Variable::Alive(_) | Variable::Determinate { .. } => Type::TRUTH,
    }
}

fn of_ghost(program: &Program, field: GhostField) -> Type {
    Type::unsigned(field.width(program.data_model))
}
