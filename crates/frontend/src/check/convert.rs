//! Conversions: made explicit, and judged where C has an opinion (C11 6.3, 6.5.16.1).

use super::Checker;
use super::place::error_value;
use crate::hir::{self, Expr, ExprKind, InitializerItem, InitializerValue, Place, PlaceKind};
use crate::syntax::ast::{Qualifiers, Span};
use crate::types::{Float, Qualified, Type, TypeId, Types};

/// What a value is converted for, as messages say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Assign,
    Initialize,
    Return,
    /// As the argument with this number, from 1.
    Argument(usize),
}

impl Purpose {
    fn words(self) -> String {
        match self {
            Purpose::Assign => "assigning".to_owned(),
            Purpose::Initialize => "initialising".to_owned(),
            Purpose::Return => "returning".to_owned(),
            Purpose::Argument(number) => format!("passing argument {number}"),
        }
    }
}

impl Checker<'_> {
    /// A value converted to a scalar type (or `void`), without asking whether C would do so by itself.
    pub(super) fn convert(&mut self, value: Expr, ty: TypeId) -> Expr {
        if value.ty == ty {
            return value;
        }
        let span = value.span;
        if value.ty == Types::ERROR || ty == Types::ERROR {
            return error_value(span);
        }
        if ty != Types::VOID && (self.is_exotic(value.ty) || self.is_exotic(ty)) {
            let what = self.exotic_arithmetic(if self.is_exotic(ty) { ty } else { value.ty });
            return Expr { kind: ExprKind::Unsupported(what), ty, span };
        }
        match value.kind {
            ExprKind::Integer(number) => match self.fold_conversion(hir::Constant::Integer(number), value.ty, ty) {
                Some(constant) => constant_value(constant, ty, span),
                None => self.converted(value, ty),
            },
            ExprKind::Float(number) => match self.fold_conversion(hir::Constant::Float(number), value.ty, ty) {
                Some(constant) => constant_value(constant, ty, span),
                None => self.converted(value, ty),
            },
            _ => self.converted(value, ty),
        }
    }

    fn converted(&self, value: Expr, ty: TypeId) -> Expr {
        let span = value.span;
        Expr { kind: ExprKind::Convert(Box::new(value)), ty, span }
    }

    /// Types with arithmetic that we do not compute: complex numbers, vectors, `_Float128`, `_Float16`.
    pub(super) fn is_exotic(&self, ty: TypeId) -> bool {
        matches!(
            self.types.get(ty),
            Type::Complex(_) | Type::Vector { .. } | Type::Float(Float::Float128 | Float::Other)
        )
    }

    pub(super) fn exotic_arithmetic(&self, ty: TypeId) -> String {
        match self.types.get(ty) {
            Type::Complex(_) => "complex arithmetic".to_owned(),
            Type::Vector { .. } => "vector arithmetic".to_owned(),
            _ => format!("arithmetic in `{}`", self.type_name(ty)),
        }
    }

    /// The type a value gets by the integer promotions.
    pub(super) fn promoted(&self, value: &Expr) -> TypeId {
        match self.bit_width(value) {
            Some(width) => self.types.promote_bits(value.ty, width),
            None => self.types.promote(value.ty),
        }
    }

    /// The width of the bit-field a value comes from.
    fn bit_width(&self, value: &Expr) -> Option<u32> {
        match &value.kind {
            ExprKind::Load(place) | ExprKind::Assign(place, _) => place.bits.map(|bits| bits.width),
            ExprKind::CompoundAssign { place, .. } | ExprKind::Increment { place, .. } => {
                place.bits.map(|bits| bits.width)
            }
            ExprKind::Comma(_, last) => self.bit_width(last),
            _ => None,
        }
    }

    /// A cast between scalars. One of a bit-field to its own type counts: the value is of that type then, whatever the
    /// field's width would promote it to.
    pub(super) fn cast_scalar(&mut self, value: Expr, ty: TypeId) -> Expr {
        if value.ty == ty && self.bit_width(&value).is_some() {
            self.converted(value, ty)
        } else {
            self.convert(value, ty)
        }
    }

    /// The integer promotions.
    pub(super) fn promote(&mut self, value: Expr) -> Expr {
        let ty = self.promoted(&value);
        self.convert(value, ty)
    }

    /// What the default argument promotions make of a type.
    pub(super) fn default_promoted(&self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::Float(Float::Float) => Types::DOUBLE,
            _ => self.types.promote(ty),
        }
    }

    /// The default argument promotions.
    pub(super) fn promote_argument(&mut self, value: Expr) -> Expr {
        match self.types.get(value.ty) {
            Type::Float(Float::Float) => self.convert(value, Types::DOUBLE),
            _ if self.types.is_integer(value.ty) => self.promote(value),
            _ => value,
        }
    }

    /// A value converted as if by assignment; what C forbids is an error, what compilers warn about a warning.
    pub(super) fn assign_convert(&mut self, value: Expr, ty: TypeId, purpose: Purpose) -> Expr {
        if value.ty == ty || value.ty == Types::ERROR || ty == Types::ERROR {
            return if ty == Types::ERROR { error_value(value.span) } else { value };
        }
        let (from, to) = (self.types.get(value.ty), self.types.get(ty));
        match (from, to) {
            (Type::Pointer(from), Type::Pointer(to)) => {
                let (from, to) = (*from, *to);
                if !self.is_null_constant(&value) {
                    self.judge_pointers(from, to, &value, ty, purpose);
                }
                self.convert(value, ty)
            }
            (Type::Pointer(_), Type::Bool) => self.convert(value, ty),
            (_, Type::Pointer(_)) if self.types.is_integer(value.ty) => {
                if !self.is_null_constant(&value) {
                    self.warn_conversion("makes a pointer from an integer without a cast", &value, ty, purpose);
                }
                self.convert(value, ty)
            }
            (Type::Pointer(_), _) if self.types.is_integer(ty) => {
                self.warn_conversion("makes an integer from a pointer without a cast", &value, ty, purpose);
                self.convert(value, ty)
            }
            (Type::Vector { size: m, .. }, Type::Vector { size: n, .. }) if m == n => self.convert(value, ty),
            _ if self.types.is_arithmetic(value.ty) && self.types.is_arithmetic(ty) => self.convert(value, ty),
            _ if self.types.is_aggregate(ty) && self.types.compatible(value.ty, ty) => value,
            _ => match self.transparent_argument(value, ty, purpose) {
                Ok(value) => value,
                Err(value) => self.refuse_conversion(&value, ty, purpose),
            },
        }
    }

    fn warn_conversion(&mut self, what: &str, value: &Expr, ty: TypeId, purpose: Purpose) {
        let (from, to) = (self.type_name(value.ty), self.type_name(ty));
        self.warn(value.span, format!("{} {what} (`{to}` from `{from}`)", purpose.words()));
    }

    fn refuse_conversion(&mut self, value: &Expr, ty: TypeId, purpose: Purpose) -> Expr {
        if let ExprKind::Unsupported(what) = &value.kind {
            return Expr { kind: ExprKind::Unsupported(what.clone()), ty, span: value.span };
        }
        let (from, to) = (self.type_name(value.ty), self.type_name(ty));
        let message = match self.types.get(value.ty) {
            Type::Void => format!("{} needs a value of type `{to}`, but this has none", purpose.words()),
            _ => format!("{} needs a value of type `{to}`, but this has type `{from}`", purpose.words()),
        };
        self.error(value.span, message);
        error_value(value.span)
    }

    fn judge_pointers(&mut self, from: Qualified, to: Qualified, value: &Expr, ty: TypeId, purpose: Purpose) {
        let is_void = |ty: TypeId| matches!(self.types.get(ty), Type::Void);
        let goes = is_void(from.ty) || is_void(to.ty) || self.compatible_targets(from.ty, to.ty);
        if !goes {
            self.warn_conversion("is done from an incompatible pointer type", value, ty, purpose);
        } else if loses(from.qualifiers, to.qualifiers) {
            self.warn_conversion("discards a qualifier of what is pointed to", value, ty, purpose);
        }
    }

    /// Whether pointers to these go together without a warning: compatible types, or integers that differ in sign only.
    pub(super) fn compatible_targets(&self, from: TypeId, to: TypeId) -> bool {
        let integer = |ty| match self.types.get(ty) {
            Type::Integer(_) | Type::Enum(_) => self.types.as_integer(ty),
            _ => None,
        };
        let differ_in_sign = match (integer(from), integer(to)) {
            (Some(a), Some(b)) => a.to_unsigned() == b.to_unsigned(),
            _ => false,
        };
        let differ_in_qualifiers = match (self.types.get(from), self.types.get(to)) {
            (Type::Array { element: a, .. }, Type::Array { element: b, .. }) => self.compatible_targets(a.ty, b.ty),
            _ => false,
        };
        differ_in_sign || differ_in_qualifiers || self.types.compatible(from, to)
    }

    /// An argument for a parameter of a transparent union's type becomes a union with that member.
    fn transparent_argument(&mut self, value: Expr, ty: TypeId, purpose: Purpose) -> Result<Expr, Expr> {
        let (Purpose::Argument(_), Type::Record(id)) = (purpose, self.types.get(ty)) else { return Err(value) };
        if !self.transparent.contains(id) {
            return Err(value);
        }
        let fields: Vec<Qualified> = self.types.fields(ty).unwrap_or_default().iter().map(|field| field.ty).collect();
        let is_null = self.is_null_constant(&value);
        let fits = |checker: &Self, field: &Qualified| {
            checker.types.compatible(field.ty, value.ty)
                || match (checker.types.pointee(field.ty), checker.types.pointee(value.ty)) {
                    (Some(a), Some(b)) => [a.ty, b.ty].contains(&Types::VOID) || checker.compatible_targets(a.ty, b.ty),
                    (Some(_), None) => is_null,
                    _ => false,
                }
        };
        match fields.into_iter().find(|field| fits(self, field)) {
            Some(field) => {
                let value = self.convert(value, field.ty);
                Ok(self.union_of(value, field, ty))
            }
            None => Err(value),
        }
    }

    /// A union value with a value for one of its members.
    pub(super) fn union_of(&mut self, value: Expr, field: Qualified, ty: TypeId) -> Expr {
        let span = value.span;
        let local = self.new_local(None, ty.into(), span);
        let item = InitializerItem { offset: 0, ty: field, bits: None, value: InitializerValue::Expr(value) };
        let initializer = hir::Initializer { zero_rest: true, items: vec![item] };
        let kind = PlaceKind::CompoundLiteral(local, Box::new(initializer));
        self.load(Place { kind, ty: ty.into(), bits: None, span })
    }

    /// Whether a value is a null pointer constant: the integer constant 0, or that cast to `void *`.
    pub(super) fn is_null_constant(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Integer(number) => {
                *number == 0 && (self.types.is_integer(value.ty) || value.ty == Types::VOID_POINTER)
            }
            _ if self.types.is_integer(value.ty) => self.integer_constant(value) == Some(0),
            ExprKind::Convert(inner) if value.ty == Types::VOID_POINTER => {
                self.types.is_integer(inner.ty) && self.integer_constant(inner) == Some(0)
            }
            _ => false,
        }
    }

    /// Reports a value that is no scalar where one is needed (a condition, an operand of `!`).
    pub(super) fn check_scalar(&mut self, value: &Expr) -> bool {
        if value.ty == Types::ERROR {
            return false;
        }
        if !self.types.is_scalar(value.ty) {
            let message = format!("a number or pointer is needed, but this has type `{}`", self.type_name(value.ty));
            self.error(value.span, message);
            return false;
        }
        true
    }

    /// A condition: any scalar.
    pub(super) fn condition(&mut self, expr: &crate::syntax::ast::Expr) -> Expr {
        let value = self.value(expr);
        self.scalar_condition(value)
    }

    pub(super) fn scalar_condition(&mut self, value: Expr) -> Expr {
        if !self.check_scalar(&value) {
            return error_value(value.span);
        }
        if self.is_exotic(value.ty) {
            return Expr {
                kind: ExprKind::Unsupported(self.exotic_arithmetic(value.ty)),
                ty: Types::INT,
                span: value.span,
            };
        }
        value
    }
}

fn loses(from: Qualifiers, to: Qualifiers) -> bool {
    from.is_const && !to.is_const || from.is_volatile && !to.is_volatile
}

/// A constant as a literal of its type.
pub(super) fn constant_value(constant: hir::Constant, ty: TypeId, span: Span) -> Expr {
    let kind = match constant {
        hir::Constant::Integer(number) => ExprKind::Integer(number),
        hir::Constant::Float(number) => ExprKind::Float(number),
        hir::Constant::Address(..) | hir::Constant::Bytes(_) => return error_value(span),
    };
    Expr { kind, ty, span }
}
