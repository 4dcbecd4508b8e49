//! Expressions: names, assignments, conditionals, casts, compound literals; the rest is in the files beside this one.

use super::Checker;
use super::convert::Purpose;
use super::members::temporary;
use super::place::{Operand, error_value};
use super::scope::Entity;
use crate::hir::{Expr, ExprKind, FunctionId, Linkage, Place, PlaceKind, Statement, StatementKind};
use crate::syntax::ast::{self, BlockItem, InitializerItem, Span, TypeName};
use crate::syntax::symbol::Symbol;
use crate::types::{Qualified, Type, TypeId, Types};

impl Checker<'_> {
    /// What an expression denotes.
    pub(super) fn operand(&mut self, expr: &ast::Expr) -> Operand {
        use ast::ExprKind::*;
        let span = expr.span;
        let value = match &expr.kind {
            Identifier(name) => return self.identifier(*name, span),
            String(units, encoding) => return self.string_literal(units, *encoding, span),
            Parenthesized(inner) => return self.operand(inner),
            Index(base, index) => return self.index(base, index, span),
            Member(base, name) => return self.member_access(base, *name, span),
            Arrow(base, name) => return self.arrow_access(base, *name, span),
            Unary(ast::UnaryOperator::Dereference, inner) => {
                let pointer = self.value(inner);
                return self.dereference(pointer, span);
            }
            Unary(op @ (ast::UnaryOperator::Real | ast::UnaryOperator::Imaginary), inner) => {
                return self.complex_part(*op, inner, span);
            }
            CompoundLiteral(name, items) => return self.compound_literal(name, items, span),
            Generic(control, associations) => return self.generic(control, associations, span),
            ChooseExpr(condition, yes, no) => return self.choose(condition, yes, no),
            Integer { value, suffix, is_decimal } => self.integer_literal(*value, *suffix, *is_decimal, span),
            Float(value, suffix) => self.float_literal(*value, *suffix, span),
            Character(value, encoding) => self.character_literal(*value, *encoding, span),
            Call(callee, arguments) => self.call(callee, arguments, span),
            Increment(op, inner) => self.increment(*op, inner, span),
            Unary(op, inner) => self.unary(*op, inner, span),
            LabelAddress(label) => self.label_address(*label, span),
            Binary(op, left, right) => {
                let left = self.value(left);
                let right = self.value(right);
                self.binary(*op, left, right, span)
            }
            Logical(op, left, right) => {
                let left = Box::new(self.condition(left));
                let right = Box::new(self.condition(right));
                Expr { kind: ExprKind::Logical(*op, left, right), ty: Types::INT, span }
            }
            Conditional(condition, yes, no) => self.conditional(condition, yes.as_deref(), no, span),
            Assign(None, left, right) => self.assignment(left, right, span),
            Assign(Some(op), left, right) => self.compound_assignment(*op, left, right, span),
            Comma(first, last) => self.comma(first, last, span),
            Cast(name, inner) => self.cast(name, inner, span),
            Sizeof(what) => self.sizeof(what, span),
            Alignof(what) => self.alignof(what, Types::member_align, span),
            PreferredAlignof(what) => self.alignof(what, Types::preferred_align, span),
            StatementExpr(block) => self.statement_expression(block, span),
            VaArg(list, name) => self.va_arg(list, name, span),
            Offsetof(name, path) => self.offsetof(name, path, span),
            TypesCompatible(left, right) => self.types_compatible(left, right, span),
        };
        Operand::Value(value)
    }

    fn identifier(&mut self, name: Symbol, span: Span) -> Operand {
        match self.scopes.get(name).map(|binding| binding.entity) {
            Some(Entity::Local(id)) => self.named_place(PlaceKind::Local(id), self.local_type(id), span),
            Some(Entity::Global(id)) => self.named_place(PlaceKind::Global(id), self.unit.globals[id.index()].ty, span),
            Some(Entity::Function(id)) => Operand::Function(id, span),
            Some(Entity::Enumerator { value, ty }) => Operand::Value(Expr { kind: ExprKind::Integer(value), ty, span }),
            Some(Entity::Parameter(ty)) => self.named_place(PlaceKind::Local(crate::hir::LocalId(u32::MAX)), ty, span),
            Some(Entity::Nested(ty)) => {
                let ty = self.types.pointer_to(ty);
                let kind = ExprKind::Unsupported("a nested function".to_owned());
                Operand::Value(Expr { kind, ty, span })
            }
            Some(Entity::Typedef { .. }) => {
                let message = format!("`{}` is a type, not a value", self.spell(name));
                self.error(span, message);
                Operand::Value(error_value(span))
            }
            None => self.undeclared_identifier(name, span),
        }
    }

    fn undeclared_identifier(&mut self, name: Symbol, span: Span) -> Operand {
        let in_function = self.function.is_some();
        if in_function && matches!(self.spell(name), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            return self.function_name(span);
        }
        if let Some(id) = self.library_builtin(name, span) {
            return Operand::Function(id, span);
        }
        if self.undeclared.insert(name) {
            let message = format!("`{}` is not declared", self.spell(name));
            self.error(span, message);
        }
        Operand::Value(error_value(span))
    }

    fn comma(&mut self, first: &ast::Expr, last: &ast::Expr, span: Span) -> Expr {
        let first = self.value(first);
        let last = self.value(last);
        let ty = last.ty;
        Expr { kind: ExprKind::Comma(Box::new(first), Box::new(last)), ty, span }
    }

    fn assignment(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        let place = self.place(left, "an assignment");
        let value = self.value(right);
        if !self.check_modifiable(&place) {
            return error_value(span);
        }
        let ty = place.ty.ty;
        let value = self.assign_convert(value, ty, Purpose::Assign);
        Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span }
    }

    fn conditional(&mut self, condition: &ast::Expr, yes: Option<&ast::Expr>, no: &ast::Expr, span: Span) -> Expr {
        let condition = self.condition(condition);
        let Some(yes) = yes else {
            let no = self.value(no);
            let Some(ty) = self.conditional_type(&condition, &no, span) else { return error_value(span) };
            let no = self.branch(no, ty);
            return Expr { kind: ExprKind::ConditionalOmitted(Box::new(condition), Box::new(no)), ty, span };
        };
        let yes = self.value(yes);
        let no = self.value(no);
        let Some(ty) = self.conditional_type(&yes, &no, span) else { return error_value(span) };
        let (yes, no) = (self.branch(yes, ty), self.branch(no, ty));
        Expr { kind: ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)), ty, span }
    }

    fn branch(&mut self, value: Expr, ty: TypeId) -> Expr {
        if self.types.is_aggregate(ty) { value } else { self.convert(value, ty) }
    }

    /// The type of a conditional (C11 6.5.15); `None` after a message, or if something in it was in error.
    fn conditional_type(&mut self, yes: &Expr, no: &Expr, span: Span) -> Option<TypeId> {
        if yes.ty == Types::ERROR || no.ty == Types::ERROR {
            return None;
        }
        if self.types.is_arithmetic(yes.ty) && self.types.is_arithmetic(no.ty) {
            if yes.ty == no.ty && !self.types.is_integer(yes.ty) {
                return Some(yes.ty);
            }
            return Some(self.types.usual_conversions(self.promoted(yes), self.promoted(no)));
        }
        match (self.types.get(yes.ty), self.types.get(no.ty)) {
            (Type::Pointer(a), Type::Pointer(b)) => {
                let (a, b) = (*a, *b);
                Some(self.common_pointer(yes, no, a, b, span))
            }
            (Type::Pointer(_), _) if self.types.is_integer(no.ty) => {
                self.warn_mixed(no, span);
                Some(yes.ty)
            }
            (_, Type::Pointer(_)) if self.types.is_integer(yes.ty) => {
                self.warn_mixed(yes, span);
                Some(no.ty)
            }
            (Type::Void, _) | (_, Type::Void) => Some(Types::VOID),
            _ if yes.ty == no.ty || self.types.compatible(yes.ty, no.ty) => Some(yes.ty),
            _ => {
                let message = format!(
                    "the alternatives have types that do not go together: `{}` and `{}`",
                    self.type_name(yes.ty),
                    self.type_name(no.ty)
                );
                self.error(span, message);
                None
            }
        }
    }

    fn warn_mixed(&mut self, integer: &Expr, span: Span) {
        if !self.is_null_constant(integer) {
            self.warn(span, "the alternatives are a pointer and an integer");
        }
    }

    fn common_pointer(&mut self, yes: &Expr, no: &Expr, a: Qualified, b: Qualified, span: Span) -> TypeId {
        if yes.ty == no.ty {
            return yes.ty;
        }
        let qualifiers = a.qualifiers.with(b.qualifiers);
        let ty = if self.is_null_constant(yes) {
            return no.ty;
        } else if self.is_null_constant(no) {
            return yes.ty;
        } else if a.ty == Types::VOID || b.ty == Types::VOID {
            Types::VOID
        } else if self.compatible_targets(a.ty, b.ty) {
            self.types.composite(a.ty, b.ty)
        } else {
            self.warn(span, "the alternatives are pointers to different types");
            Types::VOID
        };
        self.types.pointer_to(Qualified { ty, qualifiers })
    }

    fn cast(&mut self, name: &TypeName, inner: &ast::Expr, span: Span) -> Expr {
        let mark = self.lengths.len();
        let ty = self.type_of_name(name).ty;
        let value = self.value(inner);
        let value = self.cast_value(value, ty, span);
        self.after_lengths(mark, Expr { span, ..value })
    }

    fn cast_value(&mut self, value: Expr, ty: TypeId, span: Span) -> Expr {
        if value.ty == Types::ERROR || ty == Types::ERROR {
            return error_value(span);
        }
        if ty == Types::VOID {
            return self.convert(value, ty);
        }
        let scalar = |checker: &Self, ty: TypeId| {
            checker.types.is_scalar(ty) || matches!(checker.types.get(ty), Type::Vector { .. })
        };
        if scalar(self, value.ty) && scalar(self, ty) {
            let mixes =
                self.types.is_pointer(ty) && !self.types.is_integer(value.ty) && !self.types.is_pointer(value.ty)
                    || self.types.is_pointer(value.ty) && !self.types.is_integer(ty) && !self.types.is_pointer(ty);
            if !mixes {
                return self.cast_scalar(value, ty);
            }
        }
        if let Type::Record(_) = self.types.get(ty)
            && self.types.compatible(ty, value.ty)
        {
            return value;
        }
        if let Some(field) = self.union_member(ty, value.ty) {
            return self.union_of(value, field, ty);
        }
        let message = format!("a `{}` cannot be cast to `{}`", self.type_name(value.ty), self.type_name(ty));
        self.error(span, message);
        error_value(span)
    }

    /// The member of a union that a value of a type can be, for GNU's cast to a union.
    fn union_member(&self, union: TypeId, ty: TypeId) -> Option<Qualified> {
        let Type::Record(id) = self.types.get(union) else { return None };
        let is_union = self.types.record(*id).kind == ast::RecordKind::Union;
        let mut fields = self.types.fields(union).filter(|_| is_union)?.iter();
        fields.find(|field| self.types.compatible(field.ty.ty, ty)).map(|field| field.ty)
    }

    fn compound_literal(&mut self, name: &TypeName, items: &[InitializerItem], span: Span) -> Operand {
        let mark = self.lengths.len();
        let ty = self.type_of_name(name);
        if self.lengths.len() > mark || self.is_variable(ty.ty) && self.types.element(ty.ty).is_some() {
            self.lengths.truncate(mark);
            self.error(span, "a compound literal cannot have a variable length");
            return Operand::Value(error_value(span));
        }
        if self.function.is_none() || self.scopes.is_file_scope() {
            let (complete, initial) = self.static_list(ty, items, span);
            let ty = Qualified { ty: complete, ..ty };
            let id = self.new_global(None, ty, Linkage::Internal, span);
            let global = &mut self.unit.globals[id.index()];
            global.is_defined = true;
            global.is_initialized = true;
            global.initial = initial;
            return Operand::Place(Place { kind: PlaceKind::Global(id), ty, bits: None, span });
        }
        let (complete, initializer) = self.automatic_list(ty, items, span);
        let ty = Qualified { ty: complete, ..ty };
        let local = self.new_local(None, ty, span);
        let kind = PlaceKind::CompoundLiteral(local, Box::new(initializer));
        Operand::Place(Place { kind, ty, bits: None, span })
    }

    fn statement_expression(&mut self, block: &ast::Block, span: Span) -> Expr {
        if self.function.is_none() {
            self.error(span, "a statement expression is only possible inside a function");
            return error_value(span);
        }
        let outer = self.enter_block(block);
        let mut statements = Vec::new();
        let (last, others) = match block.items.split_last() {
            Some((BlockItem::Statement(last), others)) => (Some(last), others),
            _ => (None, block.items.as_slice()),
        };
        for item in others {
            self.block_item(item, &mut statements);
        }
        let value = last.and_then(|last| self.last_value(last, &mut statements));
        self.leave_block(outer);
        let statement = Statement { kind: StatementKind::Block(statements), span: block.span };
        let ty = value.as_ref().map_or(Types::VOID, |value| value.ty);
        let value = match value {
            Some(value) if ty == Types::VOID => {
                let effect = Statement { span: value.span, kind: StatementKind::Expr(value) };
                let both = Statement { kind: StatementKind::Block(vec![statement, effect]), span };
                return Expr { kind: ExprKind::StatementExpr(Box::new(both), None), ty, span };
            }
            value => value.map(Box::new),
        };
        Expr { kind: ExprKind::StatementExpr(Box::new(statement), value), ty, span }
    }

    /// The value of a statement expression's last statement, if it is an expression, perhaps behind labels.
    fn last_value(&mut self, statement: &ast::Statement, out: &mut Vec<Statement>) -> Option<Expr> {
        match &statement.kind {
            ast::StatementKind::Expr(expr) => Some(self.value(expr)),
            ast::StatementKind::Label(name, _, inner) => {
                self.define_label(*name, out);
                self.last_value(inner, out)
            }
            _ => {
                self.statement(statement, out);
                None
            }
        }
    }

    fn va_arg(&mut self, list: &ast::Expr, name: &TypeName, span: Span) -> Expr {
        let mark = self.lengths.len();
        let ty = self.type_of_name(name).ty;
        self.lengths.truncate(mark);
        let list = self.va_list_address(list);
        if list.ty == Types::ERROR || ty == Types::ERROR {
            return error_value(span);
        }
        if self.types.size(ty).is_none() || self.types.element(ty).is_some() {
            let message = format!("`va_arg` cannot give a `{}`", self.type_name(ty));
            self.error(span, message);
            return error_value(span);
        }
        Expr { kind: ExprKind::VaArg(Box::new(list)), ty, span }
    }

    /// The address of a `va_list`: of its only element where it is an array, of the pointer itself where it is one.
    pub(super) fn va_list_address(&mut self, list: &ast::Expr) -> Expr {
        let va_list = self.va_list_type();
        let place = match self.operand(list) {
            Operand::Place(place) => place,
            Operand::Value(value) => temporary(value),
            Operand::Function(_, span) => {
                self.error(span, "a `va_list` is needed here");
                return error_value(span);
            }
        };
        let span = place.span;
        if place.ty.ty == Types::ERROR {
            return error_value(span);
        }
        let address = match self.types.element(va_list) {
            Some(element) => {
                let value = self.load(place);
                let wanted = self.types.pointer_to(element);
                (self.types.compatible(value.ty, wanted)).then_some(value)
            }
            None if self.types.compatible(place.ty.ty, va_list) => Some(self.address_of(place, span)),
            None => None,
        };
        match address {
            Some(address) => address,
            None => {
                self.error(span, "a `va_list` is needed here");
                error_value(span)
            }
        }
    }

    /// The function a callee names directly.
    pub(super) fn direct_callee(value: &Expr) -> Option<FunctionId> {
        match value.kind {
            ExprKind::FunctionAddress(id) => Some(id),
            _ => None,
        }
    }
}
