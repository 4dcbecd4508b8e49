//! Types from declarators: pointers, arrays, functions (C11 6.7.6).

use super::Checker;
use super::scope::Entity;
use super::specifier::{Base, TagUse};
use crate::hir;
use crate::syntax::ast::{
    ArraySize, Declarator, Derived, Expr, Identifier, Parameter, Parameters, Qualifiers, Span, TypeSpecifier,
};
use crate::types::{ArrayLength, FunctionType, Qualified, Type, TypeId, Types};

/// Objects larger than this are refused, as compilers do.
const MAX_SIZE: u64 = i64::MAX as u64;

impl Checker<'_> {
    /// The type that a declarator makes of a base type. Lengths that are not constant are left pending.
    pub(super) fn derive(&mut self, base: &Base, declarator: &Declarator) -> Qualified {
        self.derive_all(base.ty, &declarator.derived, declarator.span)
    }

    pub(super) fn derive_all(&mut self, base: Qualified, derived: &[Derived], span: Span) -> Qualified {
        let mut ty = base;
        for derivation in derived.iter().rev() {
            ty = self.derive_one(ty, derivation, span);
        }
        ty
    }

    fn derive_one(&mut self, ty: Qualified, derivation: &Derived, span: Span) -> Qualified {
        match derivation {
            Derived::Pointer(qualifiers, _) => Qualified { ty: self.types.pointer_to(ty), qualifiers: *qualifiers },
            Derived::Array { size, .. } => self.array_type(ty, size, span).into(),
            Derived::Function(parameters) => {
                let parameters = match parameters {
                    Parameters::Prototype { parameters, is_variadic } => {
                        Some((self.prototype(parameters), *is_variadic))
                    }
                    Parameters::Unspecified | Parameters::Identifiers(_) => None,
                };
                self.function_type(ty, parameters, span).into()
            }
        }
    }

    /// The type of functions with a result and, if a prototype tells, parameters.
    pub(super) fn function_type(
        &mut self,
        result: Qualified,
        parameters: Option<(Vec<Qualified>, bool)>,
        span: Span,
    ) -> TypeId {
        match self.types.get(result.ty) {
            Type::Function(_) => self.error(span, "a function cannot return a function"),
            Type::Array { .. } => self.error(span, "a function cannot return an array"),
            _ => {}
        }
        let result = Qualified::from(result.ty);
        let has_prototype = parameters.is_some();
        let (parameters, is_variadic) = parameters.unwrap_or_default();
        self.types.intern(Type::Function(FunctionType { result, parameters, is_variadic, has_prototype }))
    }

    /// The parameters' types of a prototype that has no body.
    fn prototype(&mut self, parameters: &[Parameter]) -> Vec<Qualified> {
        let mark = self.lengths.len();
        self.scopes.push();
        let mut types = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            let ty = self.parameter_type(parameter);
            if let Some(name) = parameter.declarator.name {
                self.scopes.bind(name.name, Entity::Parameter(ty), name.span);
            }
            types.push(ty);
        }
        self.scopes.pop();
        self.lengths.truncate(mark);
        types
    }

    /// The adjusted type of a parameter: arrays and functions become pointers.
    pub(super) fn parameter_type(&mut self, parameter: &Parameter) -> Qualified {
        let Parameter { specifiers, declarator } = parameter;
        if let TypeSpecifier::Auto = specifiers.type_specifier {
            self.error(specifiers.span, "`__auto_type` is not allowed for a parameter");
        }
        let base = self.base_type(specifiers, TagUse::Mention);
        self.adjusted_parameter(&base, declarator)
    }

    /// As [`Self::parameter_type`], from the declarator.
    pub(super) fn adjusted_parameter(&mut self, base: &Base, declarator: &Declarator) -> Qualified {
        let attributes = self.attributes(&declarator.attributes);
        if let Some(Derived::Array { size, qualifiers }) = declarator.derived.first() {
            let element = self.derive_all(base.ty, &declarator.derived[1..], declarator.span);
            self.check_element(element, declarator.span);
            if let ArraySize::Expr(size) = size {
                self.unevaluated(size);
            }
            return Qualified { ty: self.types.pointer_to(element), qualifiers: *qualifiers };
        }
        let ty = self.derive(base, declarator);
        let ty = Qualified { ty: self.type_with_attributes(ty.ty, &attributes, declarator.span), ..ty };
        match self.types.get(ty.ty) {
            Type::Array { element, .. } => {
                let element = *element;
                self.types.pointer_to(element).into()
            }
            Type::Function(_) => self.types.pointer_to(ty).into(),
            Type::Void => {
                self.error(declarator.span, "a parameter cannot have type `void`");
                Types::ERROR.into()
            }
            _ => ty,
        }
    }

    fn array_type(&mut self, element: Qualified, size: &ArraySize, span: Span) -> TypeId {
        if !self.check_element(element, span) {
            return Types::ERROR;
        }
        let length = match size {
            ArraySize::Unspecified => ArrayLength::Unknown,
            ArraySize::Star => ArrayLength::Variable(self.types.new_vla()),
            ArraySize::Expr(size) => match self.array_length(size) {
                Some(length) => length,
                None => return Types::ERROR,
            },
        };
        if let ArrayLength::Known(length) = length {
            let bytes = self.types.size(element.ty).unwrap_or(1).checked_mul(length);
            if bytes.is_none_or(|bytes| bytes > MAX_SIZE) {
                self.error(span, "the array is too large");
                return Types::ERROR;
            }
        }
        self.types.intern(Type::Array { element, length })
    }

    fn check_element(&mut self, element: Qualified, span: Span) -> bool {
        let wrong = match self.types.get(element.ty) {
            Type::Error => return false,
            Type::Void => "of `void`".to_owned(),
            Type::Function(_) => "of functions".to_owned(),
            Type::Array { length: ArrayLength::Unknown, .. } => "of arrays of unknown length".to_owned(),
            Type::Record(id) if self.types.record(*id).definition.is_none() => {
                format!("of the incomplete type `{}`", self.type_name(element.ty))
            }
            _ => return true,
        };
        self.error(span, format!("an array {wrong} is not possible"));
        false
    }

    fn array_length(&mut self, size: &Expr) -> Option<ArrayLength> {
        let value = self.value(size);
        if value.ty == Types::ERROR {
            return None;
        }
        if !self.types.is_integer(value.ty) {
            let message = format!("the length of an array must be an integer, not `{}`", self.type_name(value.ty));
            self.error(size.span, message);
            return None;
        }
        match self.integer_constant(&value) {
            Some(length) => match u64::try_from(length) {
                Ok(length) => Some(ArrayLength::Known(length)),
                Err(_) => {
                    self.error_of_size(size.span, "the length of an array cannot be negative");
                    None
                }
            },
            None if self.scopes.is_file_scope() => match self.initializer_constant(&value) {
                Some(hir::Constant::Integer(length)) if length >= 0 => Some(ArrayLength::Known(length as u64)),
                _ => {
                    self.error(size.span, "the length of an array at file scope must be constant");
                    None
                }
            },
            None => {
                let id = self.types.new_vla();
                let size_type = self.types.size_type();
                let length = self.convert(value, size_type);
                self.lengths.push((id, length));
                Some(ArrayLength::Variable(id))
            }
        }
    }

    /// The name of a declarator, or an error that there is none.
    pub(super) fn declared_name(&mut self, declarator: &Declarator) -> Option<Identifier> {
        if declarator.name.is_none() {
            self.error(declarator.span, "a name is missing in the declaration");
        }
        declarator.name
    }

    /// Whether a type depends on lengths known only when the program runs.
    pub(super) fn is_variable(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array { length: ArrayLength::Variable(_), .. } => true,
            Type::Array { element, .. } => self.is_variable(element.ty),
            Type::Pointer(target) => self.is_variable(target.ty),
            _ => false,
        }
    }
}

/// Qualifiers that belong to an access through a place, not to the place's own declaration.
pub(super) fn inherited(qualifiers: Qualifiers) -> Qualifiers {
    Qualifiers { is_restrict: false, is_atomic: false, ..qualifiers }
}
