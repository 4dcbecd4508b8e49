//! Whether a predicate speaks of a program: it may come from a file, or be about another one.

use selvedge_program::{Base, Expr, Program};

use super::exact::{has_binary, has_conversion, has_unary};
use super::{Predicate, Variable};
use crate::cell::Note;
use crate::tally::TALLY_WIDTH;

impl Predicate {
    /// Whether everything that it names is in the program, and as wide as it says.
    pub fn fits(&self, program: &Program) -> bool {
        self.expr_fits(program, &self.condition)
    }

    fn expr_fits(&self, program: &Program, expr: &Expr) -> bool {
        match expr {
            Expr::Constant(_) => true,
            Expr::Register(place, width) => {
                self.variables.get(place.index()).is_some_and(|variable| variable_fits(program, *variable, *width))
            }
            Expr::Address(base, width) => base_fits(program, *base) && *width == program.pointer_width(),
            Expr::Unary(op, operand) => {
                has_unary(*op, operand.width(), program.pointer_width()) && self.expr_fits(program, operand)
            }
            Expr::Convert(conversion, width, operand) => {
                has_conversion(*conversion, operand.width(), *width) && self.expr_fits(program, operand)
            }
            Expr::Binary(op, left, right) => {
                has_binary(*op, left.width(), right.width())
                    && self.expr_fits(program, left)
                    && self.expr_fits(program, right)
            }
            Expr::IfThenElse(condition, then, otherwise) => {
                condition.width() == 1
                    && then.width() == otherwise.width()
                    && [condition, then, otherwise].into_iter().all(|part| self.expr_fits(program, part))
            }
        }
    }
}

fn base_fits(program: &Program, base: Base) -> bool {
    match base {
        Base::Object(object) => object.index() < program.objects.len(),
        Base::Function(function) => function.index() < program.functions.len(),
        Base::SelfThread => true,
        Base::Frame(_) => false,
    }
}

fn variable_fits(program: &Program, variable: Variable, width: u32) -> bool {
    match variable {
        Variable::Register(function, register) => {
            let function = program.functions.get(function.index());
            let register = function.and_then(|function| function.registers.get(register.index()));
            register.is_some_and(|register| register.width == width)
        }
        Variable::Cell { object, offset, size } | Variable::Determinate { object, offset, size } => {
            let ends = offset.checked_add(u64::from(size));
            let is_within = object.size(program).zip(ends).is_some_and(|(whole, ends)| ends <= whole);
            let is_bit = matches!(variable, Variable::Determinate { .. });
            is_within && (1..=16).contains(&size) && width == if is_bit { 1 } else { size * 8 }
        }
        Variable::Ghost { object, .. } | Variable::Changer { object, .. } => {
            object.size(program).is_some() && (1..=64).contains(&width)
        }
        Variable::Tally { object, .. } => object.size(program).is_some() && width == TALLY_WIDTH,
        Variable::Alive(object) => object.size(program).is_some() && width == 1,
        Variable::Note(note, object) => {
            let is_thread = matches!(note, Note::Maker | Note::Taker);
            object.size(program).is_some() && width == if is_thread { program.pointer_width() } else { 1 }
        }
        Variable::Address(object) => object.size(program).is_some() && width == program.pointer_width(),
        Variable::Unjoined => width == program.pointer_width(),
        Variable::OwnGhost(_) => (1..=64).contains(&width),
    }
}
