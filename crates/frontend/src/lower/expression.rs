//! Expressions: their values as pure expressions over registers, their effects as edges, from left to right.
//!
//! A value may mention registers of locals, so whoever lets other expressions assign to locals before using it holds it
//! in a register of its own first. Structs and unions have no values: theirs is the address where they are, to be
//! copied at once.

use super::bounds::Reach;
use super::effects::{self, Child};
use super::function::FunctionLowering;
use super::operator::{self, Typed as Operand};
use super::place::Spot;
use super::shape::shape;
use super::values::{display, floating, width};
use crate::hir::{Direction, Expr as Typed, ExprKind, Size, UnaryOperator};
use crate::types::{Type, TypeId, Types};
use selvedge_program::{BinaryOp, Display, Expr, Interpretation, RegisterId, SiteId, UnaryOp};

/// A value deeper than this goes to a register, so that no expression of the program is deep.
const DEEPEST: u32 = 40;

impl<'h> FunctionLowering<'_, 'h> {
    /// The value of a scalar expression, or the address of a struct or union.
    pub fn value(&mut self, expr: &'h Typed) -> Expr {
        self.at(expr.span, |this| this.value_here(expr))
    }

    /// The same, on account of the current piece of source.
    pub fn value_here(&mut self, expr: &'h Typed) -> Expr {
        let value = self.raw_value(expr);
        debug_assert_eq!(value.width(), width(self.types(), expr.ty), "{:?}", expr.kind);
        self.bounded(value, display(self.types(), expr.ty))
    }

    /// A value that is not deep.
    pub fn bounded(&mut self, value: Expr, shown: Display) -> Expr {
        if is_deeper(&value, DEEPEST) { self.builder.hold(value, shown) } else { value }
    }

    fn raw_value(&mut self, expr: &'h Typed) -> Expr {
        let types = self.types();
        let own_width = width(types, expr.ty);
        match &expr.kind {
            ExprKind::Integer(value) if types.is_float(expr.ty) => self.float(expr.ty, *value as f64),
            ExprKind::Integer(value) => Expr::signed(own_width, *value),
            ExprKind::Float(value) => self.float(expr.ty, *value),
            ExprKind::Load(place) if types.is_aggregate(expr.ty) => self.address_of(place),
            ExprKind::Load(place) => {
                let spot = self.spot(place);
                self.read(&spot, place.ty.ty)
            }
            ExprKind::AddressOf(place) => self.address_of(place),
            ExprKind::FunctionAddress(function) => {
                let entity = self.whole.links.function(self.unit, *function);
                self.whole.function_address(self.builder.program, entity)
            }
            ExprKind::LabelAddress(label) => Expr::signed(own_width, label.address()),
            ExprKind::Convert(operand) => self.convert(operand, expr.ty),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr.ty),
            ExprKind::Binary(op, ..) if operator::is_comparison(*op) => self.condition(expr).resize_unsigned(own_width),
            ExprKind::Logical(..) => self.condition(expr).resize_unsigned(own_width),
            ExprKind::Binary(op, left, right) => {
                let (left_value, right_value) = self.operands(left, right);
                let right = Operand { value: right_value, ty: right.ty };
                let left = Operand { value: left_value, ty: left.ty };
                self.require_fitting(*op, &left, &right);
                let result = operator::arithmetic(types, *op, left, right);
                self.or_zero(result, expr.ty)
            }
            ExprKind::PointerOffset { .. } => self.moved_pointer(expr, Reach::Address),
            ExprKind::PointerDifference { left, right, element } => {
                let (left, right) = self.operands(left, right);
                let bytes = Expr::binary(BinaryOp::Subtract, left, right);
                let size = self.size(element);
                let elements = if is_one(&size) { bytes } else { Expr::binary(BinaryOp::DivideSigned, bytes, size) };
                elements.resize_signed(own_width)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(expr.ty, [condition, then, otherwise])
            }
            ExprKind::ConditionalOmitted(condition, otherwise) => {
                self.conditional_omitted(expr.ty, condition, otherwise)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.value(second)
            }
            ExprKind::Assign(place, value) => self.assign(place, value),
            ExprKind::CompoundAssign { .. } | ExprKind::Increment { .. } => self.update(expr),
            ExprKind::Call { callee, arguments } => self.call(expr, callee, arguments, None),
            ExprKind::Builtin(name, arguments) => self.builtin(expr, *name, arguments),
            ExprKind::StatementExpr(statement, value) => {
                self.statements_of(statement);
                match value {
                    Some(value) => self.value(value),
                    None => Expr::constant(own_width, 0),
                }
            }
            ExprKind::VaArg(list) => self.next_argument(list, expr.ty),
            ExprKind::SizeOf(size) => self.size(size).resize_unsigned(own_width),
            ExprKind::Unsupported(what) => {
                self.builder.unsupported(what.clone());
                Expr::constant(own_width, 0)
            }
        }
    }

    /// Evaluates an expression into a register of its width.
    pub fn value_into(&mut self, expr: &'h Typed, target: RegisterId) {
        let types = self.types();
        match &expr.kind {
            ExprKind::Load(place) if !types.is_aggregate(expr.ty) => {
                let spot = self.spot(place);
                self.at(expr.span, |this| match &spot {
                    Spot::Memory(memory) if memory.bits.is_none() => this.read_into(memory, target),
                    spot => {
                        let value = this.read(spot, place.ty.ty);
                        this.builder.assign(target, value);
                    }
                });
            }
            ExprKind::Call { callee, arguments } if !types.is_aggregate(expr.ty) => {
                self.at(expr.span, |this| {
                    let value = this.call(expr, callee, arguments, Some(target));
                    if value != this.builder.value(target) {
                        this.builder.assign(target, value);
                    }
                });
            }
            _ => {
                let value = self.value(expr);
                self.at(expr.span, |this| this.builder.assign(target, value));
            }
        }
    }

    /// Evaluates an expression for its effect.
    pub fn effect(&mut self, expr: &'h Typed) {
        self.at(expr.span, |this| this.effect_here(expr));
    }

    fn effect_here(&mut self, expr: &'h Typed) {
        match &expr.kind {
            // Saying that a variable is not used is no use of it.
            _ if effects::is_discarded_variable(expr) && self.looking() == Interpretation::Determinate => {}
            ExprKind::Convert(operand) if expr.ty == Types::VOID => self.effect(operand),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.effect(second);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional_effect(condition, then, Some(otherwise));
            }
            ExprKind::StatementExpr(statement, value) => {
                self.statements_of(statement);
                if let Some(value) = value {
                    self.effect(value);
                }
            }
            ExprKind::Increment { .. } | ExprKind::CompoundAssign { .. } => self.update_effect(expr),
            ExprKind::Call { callee, arguments } => self.call_effect(expr, callee, arguments),
            ExprKind::Load(place) if expr.ty == Types::VOID => {
                self.spot(place);
            }
            _ => {
                let value = self.value_here(expr);
                if !value.is_always_defined() {
                    self.builder.hold(value, display(self.types(), expr.ty));
                }
            }
        }
    }

    /// Two operands, left to right.
    pub fn operands(&mut self, left: &'h Typed, right: &'h Typed) -> (Expr, Expr) {
        self.require_sequenced(&[Child::Expr(left), Child::Expr(right)], None);
        let left_value = self.value(left);
        let left_value = self.held_before(left_value, left.ty, effects::assigns(right));
        (left_value, self.value(right))
    }

    /// A value that stays what it is though locals may be assigned to.
    pub fn held_before(&mut self, value: Expr, ty: TypeId, assigned: bool) -> Expr {
        if assigned { self.builder.hold(value, display(self.types(), ty)) } else { value }
    }

    /// The result of a computation of a type; zero after an `Unsupported` edge.
    pub fn or_zero(&mut self, result: Result<Expr, operator::NotComputed>, ty: TypeId) -> Expr {
        let width = width(self.types(), ty);
        self.computed(result, width).unwrap_or_else(|| Expr::constant(width, 0))
    }

    fn float(&mut self, ty: TypeId, value: f64) -> Expr {
        match floating(self.types(), ty, value) {
            Some(value) => value,
            None => self.or_zero(Err(operator::EXTENDED), ty),
        }
    }

    fn convert(&mut self, operand: &'h Typed, to: TypeId) -> Expr {
        let types = self.types();
        if to == Types::VOID {
            self.effect(operand);
            return Expr::constant(width(types, to), 0);
        }
        if matches!(types.get(to), Type::Bool) {
            return self.condition(operand).resize_unsigned(width(types, to));
        }
        let sites = self.builder.program.sites.len();
        let value = self.value(operand);
        self.name_memory(sites, to);
        if types.is_aggregate(operand.ty) && types.is_aggregate(to) {
            return value;
        }
        self.or_zero(operator::convert(types, value, operand.ty, to), to)
    }

    /// Memory that is allocated on the way to a pointer is taken to be what that points to.
    fn name_memory(&mut self, first_site: usize, to: TypeId) {
        let (types, names) = (self.types(), self.whole.names());
        let Type::Pointer(target) = types.get(to) else { return };
        let Some(size) = types.size(target.ty).filter(|size| *size > 0) else { return };
        let shape = shape(types, names, target.ty);
        for site in (first_site..self.builder.program.sites.len()).map(SiteId::new) {
            self.builder.program.allocated.entry(site).or_insert_with(|| (shape.clone(), size));
        }
    }

    fn unary(&mut self, op: UnaryOperator, operand: &'h Typed, ty: TypeId) -> Expr {
        match op {
            UnaryOperator::Not => self.condition(operand).not().resize_unsigned(width(self.types(), ty)),
            UnaryOperator::BitNot => Expr::unary(UnaryOp::Not, self.value(operand)),
            UnaryOperator::Minus => {
                let value = self.value(operand);
                self.require_negatable(&value, operand.ty);
                self.or_zero(operator::negate(self.types(), value, operand.ty), ty)
            }
        }
    }

    /// A pointer moved by some elements.
    pub fn offset(&mut self, pointer: Expr, index: Operand, element: &Size, direction: Direction) -> Expr {
        let index = self.wide_index(index);
        let size = self.size(element);
        let bytes = if is_one(&size) { index } else { Expr::binary(BinaryOp::Multiply, index, size) };
        let op = match direction {
            Direction::Forward => BinaryOp::Add,
            Direction::Backward => BinaryOp::Subtract,
        };
        Expr::binary(op, pointer, bytes)
    }

    /// An index in pointer width.
    fn wide_index(&self, index: Operand) -> Expr {
        let pointer_width = self.builder.pointer_width();
        if self.types().is_signed(index.ty) {
            index.value.resize_signed(pointer_width)
        } else {
            index.value.resize_unsigned(pointer_width)
        }
    }

    /// The value of a `PointerOffset`.
    pub fn moved_pointer(&mut self, expr: &'h Typed, reach: Reach) -> Expr {
        let ExprKind::PointerOffset { pointer, index, element, direction } = &expr.kind else {
            return self.value(expr);
        };
        self.require_sequenced(&[Child::Expr(pointer), Child::Expr(index)], None);
        let start = if reach == Reach::Address { self.value(pointer) } else { self.accessed_from(pointer) };
        let start = self.held_before(start, pointer.ty, effects::assigns(index));
        let index_value = self.value(index);
        let index = Operand { value: index_value, ty: index.ty };
        let wide = self.wide_index(index.clone());
        self.require_within(pointer, &wide, *direction, reach);
        let moved = self.offset(start, index, element, *direction);
        if reach != Reach::Address {
            return moved;
        }
        let moved = self.reusable(moved, Display::Pointer);
        self.require_in_object(pointer, &wide, *direction, &moved);
        moved
    }

    /// A size in bytes, of pointer width.
    pub fn size(&mut self, size: &Size) -> Expr {
        let pointer_width = self.builder.pointer_width();
        let mut product = Expr::constant(pointer_width, u128::from(size.bytes));
        for length in &size.lengths {
            let length = match self.lengths.get(length) {
                Some(register) => self.builder.value(*register),
                None => {
                    self.builder.unsupported("the size of an array whose declaration is not reached");
                    self.builder.null()
                }
            };
            product = if is_one(&product) { length } else { Expr::binary(BinaryOp::Multiply, product, length) };
        }
        product
    }
}

fn is_one(value: &Expr) -> bool {
    matches!(value, Expr::Constant(bits) if bits.unsigned() == 1)
}

/// Whether an expression is deeper than some levels.
fn is_deeper(value: &Expr, levels: u32) -> bool {
    let Some(levels) = levels.checked_sub(1) else { return true };
    match value {
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => false,
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => is_deeper(operand, levels),
        Expr::Binary(_, left, right) => is_deeper(left, levels) || is_deeper(right, levels),
        Expr::IfThenElse(condition, then, otherwise) => {
            is_deeper(condition, levels) || is_deeper(then, levels) || is_deeper(otherwise, levels)
        }
    }
}
