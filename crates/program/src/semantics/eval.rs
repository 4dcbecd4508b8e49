//! Evaluation of expressions: registers and addresses to values, operators by [`fold`](crate::fold) on numbers and by
//! [`pointers`] where a pointer takes part.

use crate::semantics::outcome::Outcome;
use crate::semantics::pointers;
use crate::semantics::state::{Frame, State};
use crate::semantics::value::{Instance, Value};
use crate::{Base, Bits, Expr, ObjectKind, Program, RegisterId, ThreadIndex};

/// Where an expression is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator<'a> {
    pub(super) program: &'a Program,
    pub(super) state: &'a State,
    pub(super) thread: ThreadIndex,
    frame: Option<&'a Frame>,
    /// Registers that an atomic update has assigned so far, the latest last.
    pending: &'a [(RegisterId, Value)],
}

impl<'a> Evaluator<'a> {
    /// The running activation of a thread.
    pub fn of_thread(program: &'a Program, state: &'a State, thread: ThreadIndex) -> Self {
        Self { program, state, thread, frame: state.frame(thread), pending: &[] }
    }

    /// No activation: for initial values, which only name static objects and functions.
    pub(super) fn of_constants(program: &'a Program, state: &'a State) -> Self {
        Self { program, state, thread: ThreadIndex(0), frame: None, pending: &[] }
    }

    /// The same, with registers that are about to be assigned.
    pub(super) fn with_pending(self, pending: &'a [(RegisterId, Value)]) -> Self {
        Self { pending, ..self }
    }

    /// The value of an expression.
    pub fn eval(&self, expr: &Expr) -> Result<Value, Outcome> {
        match expr {
            Expr::Constant(bits) => Ok(Value::Bits(*bits)),
            Expr::Register(register, _) => self.register(*register).cloned(),
            Expr::Address(base, _) => self.address(*base),
            Expr::Unary(op, operand) => match self.eval(operand)? {
                Value::Bits(bits) => Ok(Value::Bits(op.apply(bits))),
                value => pointers::unary(self, *op, &value),
            },
            Expr::Binary(op, first, second) => match (self.eval(first)?, self.eval(second)?) {
                (Value::Bits(left), Value::Bits(right)) => {
                    op.apply(left, right).map(Value::Bits).map_err(Outcome::undefined)
                }
                (left, right) => pointers::binary(self, *op, first.width(), (&left, &right)),
            },
            Expr::Convert(conversion, width, operand) => match self.eval(operand)? {
                Value::Bits(bits) => conversion.apply(*width, bits).map(Value::Bits).map_err(Outcome::undefined),
                value => pointers::convert(self, *conversion, *width, value),
            },
            Expr::IfThenElse(condition, then, otherwise) => {
                let branch = if self.holds(condition)? { then } else { otherwise };
                self.eval(branch)
            }
        }
    }

    /// The truth of a condition of width 1.
    pub fn holds(&self, condition: &Expr) -> Result<bool, Outcome> {
        match self.eval(condition)? {
            Value::Bits(bits) => Ok(!bits.is_zero()),
            value => Err(pointers::unsupported(self, &value)),
        }
    }

    /// The value of an expression that must be a number.
    pub(super) fn number(&self, expr: &Expr) -> Result<Bits, Outcome> {
        match self.eval(expr)? {
            Value::Bits(bits) => Ok(bits),
            value => Err(pointers::unsupported(self, &value)),
        }
    }

    fn register(&self, register: RegisterId) -> Result<&'a Value, Outcome> {
        if let Some((_, value)) = self.pending.iter().rev().find(|(pending, _)| *pending == register) {
            return Ok(value);
        }
        self.frame
            .and_then(|frame| frame.registers.get(register.index())?.as_ref())
            .ok_or_else(|| Outcome::internal(format!("{register} is read before it is assigned")))
    }

    fn address(&self, base: Base) -> Result<Value, Outcome> {
        let instance = match base {
            Base::Object(object) => match self.program.objects.get(object.index()).map(|object| object.kind) {
                Some(ObjectKind::ThreadLocal) => Instance::ThreadLocal(object, self.thread),
                Some(ObjectKind::Global | ObjectKind::Constant) => Instance::Static(object),
                None => return Err(Outcome::internal(format!("there is no {object}"))),
            },
            Base::Frame(object) => {
                let frame = self.frame.ok_or_else(|| Outcome::internal("a local outside of a function"))?;
                frame.local(self.thread, object)
            }
            Base::Function(function) => Instance::Function(function),
            Base::SelfThread => Instance::Thread(self.thread),
        };
        Ok(Value::to_start_of(instance))
    }
}
