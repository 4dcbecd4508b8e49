//! What can be asked of types: `sizeof`, `_Alignof`, `offsetof`, `_Generic`, `__builtin_types_compatible_p`.

use super::Checker;
use super::place::{Operand, error_value};
use crate::hir::{Expr, ExprKind, Place, PlaceKind};
use crate::syntax::ast::{self, Designator, Span, TypeName, TypeOrExpr};
use crate::types::{Qualified, Type, Types};

impl Checker<'_> {
    pub(super) fn sizeof(&mut self, what: &TypeOrExpr, span: Span) -> Expr {
        let mark = self.lengths.len();
        let ty = match what {
            TypeOrExpr::Type(name) => self.type_of_name(name),
            TypeOrExpr::Expr(expr) => {
                let operand = self.unevaluated(expr);
                if let Operand::Place(Place { bits: Some(_), .. }) = operand {
                    self.error(span, "`sizeof` cannot be applied to a bit-field");
                }
                self.operand_type(&operand)
            }
        };
        if ty.ty == Types::ERROR {
            return error_value(span);
        }
        self.note_odd_size(ty.ty, span);
        let size_type = self.types.size_type();
        let Some(size) = self.size_of(ty.ty) else {
            let message = format!("the type `{}` is incomplete here", self.type_name(ty.ty));
            self.error(span, message);
            return error_value(span);
        };
        let kind = match size.lengths.is_empty() {
            true => ExprKind::Integer(i128::from(size.bytes)),
            false => ExprKind::SizeOf(size),
        };
        let value = Expr { kind, ty: size_type, span };
        self.after_lengths(mark, value)
    }

    /// The alignment of a type as gcc tells it there. Of an object it is the one that gcc prefers, whichever keyword
    /// asks.
    pub(super) fn alignof(&mut self, what: &TypeOrExpr, of_type: fn(&Types, Qualified) -> u32, span: Span) -> Expr {
        let mark = self.lengths.len();
        let (ty, asked) = match what {
            TypeOrExpr::Type(name) => {
                let base = self.base_type(&name.specifiers, super::specifier::TagUse::Mention);
                let asked = base.attributes.align.or(base.align).filter(|_| name.declarator.derived.is_empty());
                (self.derive(&base, &name.declarator), asked)
            }
            TypeOrExpr::Expr(expr) => {
                let operand = self.unevaluated(expr);
                let ty = self.operand_type(&operand);
                let is_member = matches!(operand, Operand::Place(Place { kind: PlaceKind::Member { .. }, .. }));
                let own = if is_member { self.types.member_align(ty) } else { self.types.preferred_align(ty) };
                (ty, Some(self.asked_align(&operand).unwrap_or(own)))
            }
        };
        self.lengths.truncate(mark);
        let align = asked.unwrap_or_else(|| of_type(self.types, ty));
        Expr { kind: ExprKind::Integer(i128::from(align)), ty: self.types.size_type(), span }
    }

    /// The alignment asked for in the declaration of what an operand names.
    fn asked_align(&self, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Place(Place { kind: PlaceKind::Global(id), .. }) => self.unit.globals[id.index()].align,
            Operand::Place(Place { kind: PlaceKind::Local(id), .. }) => self
                .function
                .as_ref()
                .and_then(|function| function.locals.get(id.index()))
                .and_then(|local| local.align),
            _ => None,
        }
    }

    /// `__builtin_offsetof(type, path)`: the address of the part of an object at address 0.
    pub(super) fn offsetof(&mut self, name: &TypeName, path: &[Designator], span: Span) -> Expr {
        let mark = self.lengths.len();
        let mut ty = self.type_of_name(name);
        self.lengths.truncate(mark);
        let size_type = self.types.size_type();
        let mut offset = Expr { kind: ExprKind::Integer(0), ty: size_type, span };
        for designator in path {
            let Some((part, step)) = self.offset_step(ty, designator, span) else { return error_value(span) };
            ty = part;
            offset = self.binary(ast::BinaryOperator::Add, offset, step, span);
        }
        match self.integer_constant(&offset) {
            Some(number) => Expr { kind: ExprKind::Integer(number), ty: size_type, span },
            None => offset,
        }
    }

    fn offset_step(&mut self, ty: Qualified, designator: &Designator, span: Span) -> Option<(Qualified, Expr)> {
        let size_type = self.types.size_type();
        let number = |value: u64| Expr { kind: ExprKind::Integer(i128::from(value)), ty: size_type, span };
        match designator {
            Designator::Member(name) => {
                let Type::Record(id) = *self.types.get(ty.ty) else {
                    if ty.ty != Types::ERROR {
                        let message = format!("`{}` has no members", self.type_name(ty.ty));
                        self.error(name.span, message);
                    }
                    return None;
                };
                match self.member_named(id, name.name) {
                    Some(member) if member.bits.is_none() => Some((member.ty, number(member.offset))),
                    Some(_) => {
                        self.error(name.span, "a bit-field has no offset in bytes");
                        None
                    }
                    None => {
                        let message = format!("`{}` has no member `{}`", self.type_name(ty.ty), self.spell(name.name));
                        self.error(name.span, message);
                        None
                    }
                }
            }
            Designator::Index(index) => {
                let Some(element) = self.types.element(ty.ty) else {
                    self.error(index.span, "only an array has elements");
                    return None;
                };
                let index = self.value(index);
                let size = self.types.size(element.ty)?;
                let index = self.convert(index, size_type);
                Some((element, self.binary(ast::BinaryOperator::Multiply, index, number(size), span)))
            }
            Designator::Range(first, _) => {
                self.error(first.span, "a range is not possible here");
                None
            }
        }
    }

    /// `_Generic`: the association whose type fits the value of the control (C11 6.5.1.1, DR 481). Only that one is
    /// checked.
    pub(super) fn generic(
        &mut self,
        control: &ast::Expr,
        associations: &[(Option<TypeName>, ast::Expr)],
        span: Span,
    ) -> Operand {
        let operand = self.unevaluated(control);
        let ty = self.decay(operand).ty;
        if ty == Types::ERROR {
            return Operand::Value(error_value(span));
        }
        let mark = self.lengths.len();
        let mut chosen = None;
        for (name, expr) in associations {
            let fits = match name {
                Some(name) => {
                    let candidate = self.type_of_name(name);
                    candidate.qualifiers.standard() == Default::default() && self.types.compatible(candidate.ty, ty)
                }
                None => false,
            };
            if fits && chosen.is_none() {
                chosen = Some(expr);
            }
        }
        self.lengths.truncate(mark);
        let default = associations.iter().find(|(name, _)| name.is_none()).map(|(_, expr)| expr);
        match chosen.or(default) {
            Some(expr) => self.operand(expr),
            None => {
                let message = format!("no association of `_Generic` fits the type `{}`", self.type_name(ty));
                self.error(control.span, message);
                Operand::Value(error_value(span))
            }
        }
    }

    /// `__builtin_choose_expr`: only the chosen expression is checked.
    pub(super) fn choose(&mut self, condition: &ast::Expr, yes: &ast::Expr, no: &ast::Expr) -> Operand {
        let operand = self.unevaluated(condition);
        let value = self.decay(operand);
        match self.integer_constant(&value) {
            Some(number) => self.operand(if number != 0 { yes } else { no }),
            None => {
                if value.ty != Types::ERROR {
                    self.error(condition.span, "the condition of `__builtin_choose_expr` must be an integer constant");
                }
                Operand::Value(error_value(condition.span))
            }
        }
    }

    pub(super) fn types_compatible(&mut self, left: &TypeName, right: &TypeName, span: Span) -> Expr {
        let mark = self.lengths.len();
        let left = self.type_of_name(left);
        let right = self.type_of_name(right);
        self.lengths.truncate(mark);
        let are = self.types.compatible(left.ty, right.ty);
        Expr { kind: ExprKind::Integer(i128::from(are)), ty: Types::INT, span }
    }
}
