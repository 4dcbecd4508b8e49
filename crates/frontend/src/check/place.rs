//! Places (lvalues), and how they become values (C11 6.3.2.1).

use super::Checker;
use crate::hir::{Expr, ExprKind, FunctionId, Place, PlaceKind, Statement, StatementKind};
use crate::syntax::ast::{self, Span};
use crate::types::{ArrayLength, Qualified, Type, TypeId, Types, VlaId};

/// What an expression denotes before it is used as a value.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// A value.
    Value(Expr),
    /// A place.
    Place(Place),
    /// A function.
    Function(FunctionId, Span),
}

/// The value of what was in error.
pub(super) fn error_value(span: Span) -> Expr {
    Expr { kind: ExprKind::Integer(0), ty: Types::ERROR, span }
}

/// The place of what was in error.
pub(super) fn error_place(span: Span) -> Place {
    let kind = PlaceKind::Temporary(Box::new(error_value(span)));
    Place { kind, ty: Types::ERROR.into(), bits: None, span }
}

impl Checker<'_> {
    /// The value of an expression: arrays and functions decay to pointers.
    pub(super) fn value(&mut self, expr: &ast::Expr) -> Expr {
        let operand = self.operand(expr);
        self.decay(operand)
    }

    /// What an expression that is not evaluated denotes.
    pub(super) fn unevaluated(&mut self, expr: &ast::Expr) -> Operand {
        let mark = self.lengths.len();
        let operand = self.operand(expr);
        self.lengths.truncate(mark);
        operand
    }

    /// What an operand is as a value.
    pub(super) fn decay(&mut self, operand: Operand) -> Expr {
        match operand {
            Operand::Value(value) => value,
            Operand::Function(id, span) => {
                let ty = self.types.pointer_to(self.unit.functions[id.index()].ty);
                Expr { kind: ExprKind::FunctionAddress(id), ty, span }
            }
            Operand::Place(place) => self.load(place),
        }
    }

    /// The value at a place; an array's is the address of its first element.
    pub(super) fn load(&mut self, mut place: Place) -> Expr {
        let span = place.span;
        match *self.types.get(place.ty.ty) {
            Type::Array { element, .. } => {
                let ty = self.types.pointer_to(element);
                self.needs_memory(&place);
                match place.kind {
                    PlaceKind::Deref(pointer) => self.retype(*pointer, ty),
                    _ => Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span },
                }
            }
            Type::Function(_) => {
                let ty = self.types.pointer_to(place.ty);
                match place.kind {
                    PlaceKind::Deref(pointer) => self.retype(*pointer, ty),
                    _ => error_value(span),
                }
            }
            Type::Error => error_value(span),
            Type::Record(id) if self.types.record(id).definition.is_none() => {
                let message = format!("the type `{}` is incomplete here", self.type_name(place.ty.ty));
                self.error(span, message);
                error_value(span)
            }
            _ => {
                // A temporary's value is just the value.
                if let PlaceKind::Temporary(value) = place.kind {
                    if value.ty == place.ty.ty {
                        return *value;
                    }
                    place.kind = PlaceKind::Temporary(value);
                }
                let ty = place.ty.ty;
                Expr { kind: ExprKind::Load(Box::new(place)), ty, span }
            }
        }
    }

    /// A pointer as a pointer of another type, the same address.
    pub(super) fn retype(&mut self, pointer: Expr, ty: TypeId) -> Expr {
        self.convert(pointer, ty)
    }

    /// The address of a place, which is marked as needing memory.
    pub(super) fn address_of(&mut self, place: Place, span: Span) -> Expr {
        if place.ty.ty == Types::ERROR {
            return error_value(span);
        }
        if place.bits.is_some() {
            self.error(span, "the address of a bit-field cannot be taken");
            return error_value(span);
        }
        self.needs_memory(&place);
        let ty = self.types.pointer_to(place.ty);
        match place.kind {
            PlaceKind::Deref(pointer) => {
                let pointer = self.retype(*pointer, ty);
                Expr { span, ..pointer }
            }
            _ => Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span },
        }
    }

    /// Notes that the local a place belongs to must live in memory.
    pub(super) fn needs_memory(&mut self, place: &Place) {
        let mut place = place;
        loop {
            match &place.kind {
                PlaceKind::Local(id) | PlaceKind::CompoundLiteral(id, _) => {
                    self.local_mut(*id, |local| local.needs_memory = true);
                    return;
                }
                PlaceKind::Member { base, .. } | PlaceKind::After(_, base) => place = base,
                PlaceKind::Global(_) | PlaceKind::Deref(_) | PlaceKind::Temporary(_) => return,
            }
        }
    }

    /// What a pointer points to.
    pub(super) fn dereference(&mut self, pointer: Expr, span: Span) -> Operand {
        let target = match *self.types.get(pointer.ty) {
            Type::Error => return Operand::Place(error_place(span)),
            Type::Pointer(target) => target,
            _ => {
                let message = format!("a value of type `{}` cannot be dereferenced", self.type_name(pointer.ty));
                self.error(span, message);
                return Operand::Place(error_place(span));
            }
        };
        if let (Type::Function(_), ExprKind::FunctionAddress(id)) = (self.types.get(target.ty), &pointer.kind) {
            return Operand::Function(*id, span);
        }
        match pointer.kind {
            ExprKind::AddressOf(place) if place.ty == target => Operand::Place(Place { span, ..*place }),
            kind => {
                let pointer = Expr { kind, ..pointer };
                Operand::Place(Place { kind: PlaceKind::Deref(Box::new(pointer)), ty: target, bits: None, span })
            }
        }
    }

    /// Reports a place that cannot be assigned to. True if it can.
    pub(super) fn check_modifiable(&mut self, place: &Place) -> bool {
        let message = match self.types.get(place.ty.ty) {
            Type::Error => return false,
            Type::Array { .. } => "an array cannot be assigned to".to_owned(),
            Type::Function(_) => "a function cannot be assigned to".to_owned(),
            Type::Void => "a place of type `void` cannot be assigned to".to_owned(),
            _ if place.ty.qualifiers.is_const => "what is `const` cannot be changed".to_owned(),
            _ if is_temporary(place) => "a value that is no variable cannot be assigned to".to_owned(),
            _ if self.types.size(place.ty.ty).is_none() => {
                format!("the type `{}` is incomplete here", self.type_name(place.ty.ty))
            }
            _ => return true,
        };
        self.error(place.span, message);
        false
    }

    /// An expression as a place, or an error that it is none.
    pub(super) fn place(&mut self, expr: &ast::Expr, doing: &str) -> Place {
        match self.operand(expr) {
            Operand::Place(place) => place,
            Operand::Value(value) if value.ty == Types::ERROR => error_place(expr.span),
            Operand::Value(_) | Operand::Function(..) => {
                self.error(expr.span, format!("{doing} needs a variable or another place in memory"));
                error_place(expr.span)
            }
        }
    }

    /// A value after the variable lengths met since `mark` are evaluated.
    pub(super) fn after_lengths(&mut self, mark: usize, value: Expr) -> Expr {
        if self.lengths.len() <= mark {
            return value;
        }
        let span = value.span;
        let mut statements = Vec::new();
        self.flush_lengths(mark, span, &mut statements);
        let block = Statement { kind: StatementKind::Block(statements), span };
        let ty = value.ty;
        let value = (ty != Types::VOID).then(|| Box::new(value));
        Expr { kind: ExprKind::StatementExpr(Box::new(block), value), ty, span }
    }

    /// The variable lengths of an array type, from the outermost.
    pub(super) fn lengths_of(&self, ty: TypeId) -> (TypeId, u64, Vec<VlaId>) {
        let mut known = 1_u64;
        let mut lengths = Vec::new();
        let mut ty = ty;
        while let Type::Array { element, length } = self.types.get(ty) {
            match length {
                ArrayLength::Known(length) => known = known.saturating_mul(*length),
                ArrayLength::Variable(id) => lengths.push(*id),
                ArrayLength::Unknown => known = 0,
            }
            ty = element.ty;
        }
        (ty, known, lengths)
    }

    /// A place with a type, for something that has a name.
    pub(super) fn named_place(&self, kind: PlaceKind, ty: Qualified, span: Span) -> Operand {
        Operand::Place(Place { kind, ty, bits: None, span })
    }
}

fn is_temporary(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Temporary(_) => true,
        PlaceKind::Member { base, .. } | PlaceKind::After(_, base) => is_temporary(base),
        _ => false,
    }
}
