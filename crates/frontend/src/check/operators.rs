//! Operators on numbers: prefix, infix, increment, compound assignment (C11 6.5.3 to 6.5.16).

use super::Checker;
use super::place::{Operand, error_value};
use crate::hir::{Expr, ExprKind, Place, UnaryOperator};
use crate::syntax::ast::{self, BinaryOperator, IncrementOperator, Span};
use crate::types::{Integer, Type, TypeId, Types};

impl Checker<'_> {
    /// A prefix operator (`*` is a place).
    pub(super) fn unary(&mut self, op: ast::UnaryOperator, inner: &ast::Expr, span: Span) -> Expr {
        match op {
            ast::UnaryOperator::AddressOf => self.address(inner, span),
            ast::UnaryOperator::Not => {
                let value = self.condition(inner);
                if value.ty == Types::ERROR {
                    return error_value(span);
                }
                Expr { kind: ExprKind::Unary(UnaryOperator::Not, Box::new(value)), ty: Types::INT, span }
            }
            ast::UnaryOperator::Real | ast::UnaryOperator::Imaginary => {
                let part = self.complex_part(op, inner, span);
                self.decay(part)
            }
            ast::UnaryOperator::Plus | ast::UnaryOperator::Minus | ast::UnaryOperator::BitNot => {
                let value = self.value(inner);
                self.arithmetic_unary(op, value, span)
            }
            ast::UnaryOperator::Dereference => {
                let pointer = self.value(inner);
                let operand = self.dereference(pointer, span);
                self.decay(operand)
            }
        }
    }

    fn address(&mut self, inner: &ast::Expr, span: Span) -> Expr {
        match self.operand(inner) {
            Operand::Place(place) => {
                if let crate::hir::PlaceKind::Temporary(_) = place.kind {
                    if place.ty.ty != Types::ERROR {
                        self.error(span, "the address of a value that is no variable cannot be taken");
                    }
                    return error_value(span);
                }
                self.address_of(place, span)
            }
            function @ Operand::Function(..) => Expr { span, ..self.decay(function) },
            Operand::Value(value) => {
                if value.ty != Types::ERROR {
                    self.error(span, "the address of a value that is no variable cannot be taken");
                }
                error_value(span)
            }
        }
    }

    fn arithmetic_unary(&mut self, op: ast::UnaryOperator, value: Expr, span: Span) -> Expr {
        let ty = value.ty;
        if ty == Types::ERROR {
            return error_value(span);
        }
        if self.is_exotic(ty) {
            return Expr { kind: ExprKind::Unsupported(self.exotic_arithmetic(ty)), ty, span };
        }
        let fits = match op {
            ast::UnaryOperator::BitNot => self.types.is_integer(ty),
            _ => self.types.is_arithmetic(ty),
        };
        if !fits {
            let message = format!("the operator cannot be applied to a `{}`", self.type_name(ty));
            self.error(span, message);
            return error_value(span);
        }
        let value = self.promote(value);
        let ty = value.ty;
        let op = match op {
            ast::UnaryOperator::Minus => UnaryOperator::Minus,
            ast::UnaryOperator::BitNot => UnaryOperator::BitNot,
            _ => return Expr { span, ..value },
        };
        let folded = match (op, &value.kind) {
            (UnaryOperator::Minus, ExprKind::Integer(number)) => self.exact(number.wrapping_neg(), ty),
            (UnaryOperator::Minus, ExprKind::Float(number)) => Some(ExprKind::Float(-number)),
            (UnaryOperator::BitNot, ExprKind::Integer(number)) => {
                let integer = self.types.as_integer(ty);
                integer.map(|integer| ExprKind::Integer(integer.wrap(!number, self.types.data_model)))
            }
            _ => None,
        };
        let kind = folded.unwrap_or_else(|| ExprKind::Unary(op, Box::new(value)));
        Expr { kind, ty, span }
    }

    /// `__real__` and `__imag__`, which are places where their operand is one.
    pub(super) fn complex_part(&mut self, op: ast::UnaryOperator, inner: &ast::Expr, span: Span) -> Operand {
        let operand = self.operand(inner);
        let ty = self.operand_type(&operand).ty;
        match *self.types.get(ty) {
            Type::Complex(part) => {
                let part = self.types.intern(Type::Float(part));
                self.unsupported_place("complex arithmetic", part, span)
            }
            _ if op == ast::UnaryOperator::Real || ty == Types::ERROR => operand,
            _ => {
                let value = self.decay(operand);
                let zero = Expr { kind: ExprKind::Integer(0), ty: Types::INT, span };
                let zero = self.convert(zero, ty);
                Operand::Value(Expr { kind: ExprKind::Comma(Box::new(value), Box::new(zero)), ty, span })
            }
        }
    }

    /// An infix operator.
    pub(super) fn binary(&mut self, op: BinaryOperator, left: Expr, right: Expr, span: Span) -> Expr {
        use BinaryOperator::*;
        if left.ty == Types::ERROR || right.ty == Types::ERROR {
            return error_value(span);
        }
        let has_pointer = self.types.is_pointer(left.ty) || self.types.is_pointer(right.ty);
        match op {
            Add | Subtract if has_pointer => self.pointer_arithmetic(op, left, right, span),
            Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual if has_pointer => {
                self.pointer_comparison(op, left, right, span)
            }
            _ => self.arithmetic(op, left, right, span),
        }
    }

    fn arithmetic(&mut self, op: BinaryOperator, left: Expr, right: Expr, span: Span) -> Expr {
        use BinaryOperator::*;
        if let Some(ty) = self.exotic_operands(left.ty, right.ty) {
            let what = self.exotic_arithmetic(ty);
            let is_vector = matches!(self.types.get(ty), Type::Vector { .. });
            let ty = if is_comparison(op) && !is_vector { Types::INT } else { ty };
            return Expr { kind: ExprKind::Unsupported(what), ty, span };
        }
        let fits = |ty: TypeId| match op {
            Remainder | ShiftLeft | ShiftRight | BitAnd | BitXor | BitOr => self.types.is_integer(ty),
            _ => self.types.is_arithmetic(ty),
        };
        if !fits(left.ty) || !fits(right.ty) {
            return self.wrong_operands(op, &left, &right, span);
        }
        if let ShiftLeft | ShiftRight = op {
            let (left, right) = (self.promote(left), self.promote(right));
            let ty = left.ty;
            let folded = self.folded(op, &left, &right, ty);
            let kind = folded.unwrap_or_else(|| ExprKind::Binary(op, Box::new(left), Box::new(right)));
            return Expr { kind, ty, span };
        }
        let common = self.types.usual_conversions(self.promoted(&left), self.promoted(&right));
        let left = self.convert(left, common);
        let right = self.convert(right, common);
        let ty = if is_comparison(op) { Types::INT } else { common };
        let folded = self.folded(op, &left, &right, ty);
        let kind = folded.unwrap_or_else(|| ExprKind::Binary(op, Box::new(left), Box::new(right)));
        Expr { kind, ty, span }
    }

    /// A result as a literal; for a signed type only if it did not overflow, which is the lowering's to see.
    fn exact(&self, number: i128, ty: TypeId) -> Option<ExprKind> {
        let integer = self.types.as_integer(ty)?;
        let wrapped = integer.wrap(number, self.types.data_model);
        let is_exact = wrapped == number && integer != Integer::Int128;
        (is_exact || !integer.is_signed()).then_some(ExprKind::Integer(wrapped))
    }

    /// Two literals combined, unless the result is undefined.
    fn folded(&self, op: BinaryOperator, left: &Expr, right: &Expr, ty: TypeId) -> Option<ExprKind> {
        use BinaryOperator::*;
        let (ExprKind::Integer(a), ExprKind::Integer(b)) = (&left.kind, &right.kind) else { return None };
        let (a, b) = (*a, *b);
        match op {
            Multiply => a.checked_mul(b).and_then(|number| self.exact(number, ty)),
            Add => a.checked_add(b).and_then(|number| self.exact(number, ty)),
            Subtract => a.checked_sub(b).and_then(|number| self.exact(number, ty)),
            ShiftLeft | ShiftRight if !(0..i128::from(self.width(left.ty))).contains(&b) => None,
            ShiftLeft if self.types.is_signed(ty) => {
                let exact = a.checked_mul(1_i128.checked_shl(b as u32)?)?;
                self.exact(exact, ty).filter(|_| a >= 0)
            }
            Divide | Remainder if a == -1 || b == -1 => None,
            _ => self.fold_integers(op, a, b, left.ty).map(ExprKind::Integer),
        }
    }

    /// The type of an operation with a complex, vector or other operand that we do not compute with.
    fn exotic_operands(&self, left: TypeId, right: TypeId) -> Option<TypeId> {
        let is_vector = |ty| matches!(self.types.get(ty), Type::Vector { .. });
        let number = |ty| is_vector(ty) || self.types.is_arithmetic(ty);
        if !number(left) || !number(right) || !(self.is_exotic(left) || self.is_exotic(right)) {
            return None;
        }
        match (is_vector(left), is_vector(right)) {
            (true, _) => Some(left),
            (_, true) => Some(right),
            _ => Some(self.types.usual_conversions(left, right)),
        }
    }

    pub(super) fn wrong_operands(&mut self, op: BinaryOperator, left: &Expr, right: &Expr, span: Span) -> Expr {
        let message = format!(
            "the operator `{}` cannot be applied to `{}` and `{}`",
            spelling(op),
            self.type_name(left.ty),
            self.type_name(right.ty)
        );
        self.error(span, message);
        error_value(span)
    }

    /// `++` and `--`.
    pub(super) fn increment(&mut self, op: IncrementOperator, inner: &ast::Expr, span: Span) -> Expr {
        let place = self.place(inner, "an increment");
        if !self.check_modifiable(&place) {
            return error_value(span);
        }
        let ty = place.ty.ty;
        if self.is_exotic(ty) {
            return Expr { kind: ExprKind::Unsupported(self.exotic_arithmetic(ty)), ty, span };
        }
        let element = match self.types.pointee(ty) {
            Some(target) => match self.element_size(target.ty, span) {
                Some(size) => Some(size),
                None => return error_value(span),
            },
            None if self.types.is_arithmetic(ty) => None,
            None => {
                let message = format!("a `{}` cannot be incremented", self.type_name(ty));
                self.error(span, message);
                return error_value(span);
            }
        };
        Expr { kind: ExprKind::Increment { op, place: Box::new(place), element }, ty, span }
    }

    /// `left op= right`
    pub(super) fn compound_assignment(
        &mut self,
        op: BinaryOperator,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        let place = self.place(left, "an assignment");
        let operand = self.value(right);
        if !self.check_modifiable(&place) || operand.ty == Types::ERROR {
            return error_value(span);
        }
        if let Some(target) = self.types.pointee(place.ty.ty) {
            let is_move = matches!(op, BinaryOperator::Add | BinaryOperator::Subtract);
            if is_move && self.types.is_integer(operand.ty) {
                let Some(element) = self.element_size(target.ty, span) else { return error_value(span) };
                let operand = self.index_value(operand);
                return compound(op, place, operand, None, Some(element), span);
            }
        }
        let stored = Expr { kind: ExprKind::Integer(1), ty: place.ty.ty, span: place.span };
        if let Some(ty) = self.exotic_operands(stored.ty, operand.ty) {
            let kind = ExprKind::Unsupported(self.exotic_arithmetic(ty));
            return Expr { kind, ty: place.ty.ty, span };
        }
        let compute = match place.bits {
            Some(bits) => self.types.promote_bits(place.ty.ty, bits.width),
            None => self.types.promote(place.ty.ty),
        };
        let integers_only = !matches!(
            op,
            BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Add | BinaryOperator::Subtract
        );
        let fits = |ty: TypeId| match integers_only {
            true => self.types.is_integer(ty),
            false => self.types.is_arithmetic(ty),
        };
        if !fits(place.ty.ty) || !fits(operand.ty) {
            return self.wrong_operands(op, &stored, &operand, span);
        }
        if let BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight = op {
            let operand = self.promote(operand);
            return compound(op, place, operand, Some(compute), None, span);
        }
        let common = self.types.usual_conversions(compute, self.promoted(&operand));
        let operand = self.convert(operand, common);
        compound(op, place, operand, Some(common), None, span)
    }
}

fn compound(
    op: BinaryOperator,
    place: Place,
    operand: Expr,
    compute: Option<TypeId>,
    element: Option<crate::hir::Size>,
    span: Span,
) -> Expr {
    let ty = place.ty.ty;
    let (place, operand) = (Box::new(place), Box::new(operand));
    let kind = ExprKind::CompoundAssign { place, op, operand, compute: compute.unwrap_or(ty), element };
    Expr { kind, ty, span }
}

pub(super) fn is_comparison(op: BinaryOperator) -> bool {
    use BinaryOperator::*;
    matches!(op, Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual)
}

/// An operator as written.
pub(super) fn spelling(op: BinaryOperator) -> &'static str {
    use BinaryOperator::*;
    match op {
        Multiply => "*",
        Divide => "/",
        Remainder => "%",
        Add => "+",
        Subtract => "-",
        ShiftLeft => "<<",
        ShiftRight => ">>",
        Less => "<",
        Greater => ">",
        LessEqual => "<=",
        GreaterEqual => ">=",
        Equal => "==",
        NotEqual => "!=",
        BitAnd => "&",
        BitXor => "^",
        BitOr => "|",
    }
}
