//! Declarators: a name, or none, and the pointers, arrays and functions around it.

use super::specifier::starts_type;
use super::{Parsed, Parser};
use crate::syntax::ast::{
    ArraySize, Attribute, Declarator, Derived, Parameter, Parameters, Qualifiers, Span, Specifiers, TypeSpecifier,
};
use crate::syntax::token::TokenKind;

/// Whether a declarator has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeclaratorKind {
    /// It must: a variable, function, member.
    Named,
    /// It cannot: a type name.
    Abstract,
    /// It may: a parameter.
    Either,
}

impl Parser<'_> {
    /// A declarator, without what may follow it (`asm("name")`, attributes, bits, initialiser).
    pub(super) fn declarator(&mut self, kind: DeclaratorKind) -> Parsed<Declarator> {
        let base = self.depth;
        let start = self.here();
        let before = self.consumed;
        let mut attributes = if self.at_attribute() { self.attributes()? } else { Vec::new() };
        let mut pointers = Vec::new();
        while self.eat(TokenKind::Star) {
            self.enter()?;
            let (qualifiers, pointer_attributes) = self.pointer_qualifiers()?;
            pointers.push(Derived::Pointer(qualifiers, pointer_attributes));
        }
        let mut declarator = self.direct_declarator(kind, base)?;
        pointers.reverse();
        declarator.derived.extend(pointers);
        self.descend_to(base + declarator.derived.len())?;
        self.depth = base;
        attributes.append(&mut declarator.attributes);
        declarator.attributes = attributes;
        declarator.span =
            if self.consumed > before { self.since(start) } else { Span { start: start.start, end: start.start } };
        Ok(declarator)
    }

    fn pointer_qualifiers(&mut self) -> Parsed<(Qualifiers, Vec<Attribute>)> {
        let mut qualifiers = Qualifiers::default();
        let mut attributes = Vec::new();
        loop {
            if self.at_attribute() {
                attributes.extend(self.attributes()?);
            } else if !self.qualifier(&mut qualifiers) {
                return Ok((qualifiers, attributes));
            }
        }
    }

    /// The name or a declarator in parentheses, then arrays and functions. Levels count from `base`, where the
    /// declarator stands.
    fn direct_declarator(&mut self, kind: DeclaratorKind, base: usize) -> Parsed<Declarator> {
        let mut declarator = Declarator::default();
        if self.at(TokenKind::Identifier) && kind != DeclaratorKind::Abstract {
            declarator.name = Some(self.identifier()?);
            declarator.attributes = self.standard_attributes()?;
        } else if self.at(TokenKind::LeftParen) {
            let open = self.here();
            if kind == DeclaratorKind::Named || self.is_nested_declarator(kind) {
                self.bump();
                self.enter()?;
                declarator = self.declarator(kind)?;
                self.close(TokenKind::RightParen, open)?;
            } else if self.peek(1).kind == TokenKind::Attribute {
                self.bump();
                let attributes = self.attributes()?;
                self.descend_to(base + 1)?;
                if self.at(TokenKind::RightParen) || starts_type(self.kind()) || self.at_declaration() {
                    let parameters = self.parameters(attributes)?;
                    declarator.derived.push(Derived::Function(parameters));
                } else {
                    declarator = self.declarator(kind)?;
                    declarator.attributes.extend(attributes);
                }
                self.close(TokenKind::RightParen, open)?;
            }
        } else if kind == DeclaratorKind::Named {
            return Err(self.expected("identifier or '('"));
        }
        self.declarator_suffixes(&mut declarator, base)?;
        Ok(declarator)
    }

    /// Whether the parenthesis here opens a declarator, not a parameter list.
    fn is_nested_declarator(&mut self, kind: DeclaratorKind) -> bool {
        match self.peek_kind(1) {
            TokenKind::Star | TokenKind::LeftParen => true,
            TokenKind::LeftBracket => self.peek(2).kind != TokenKind::LeftBracket,
            TokenKind::Identifier => kind == DeclaratorKind::Either,
            _ => false,
        }
    }

    fn declarator_suffixes(&mut self, declarator: &mut Declarator, base: usize) -> Parsed<()> {
        loop {
            let open = self.here();
            self.descend_to(base + declarator.derived.len() + 1)?;
            if self.at(TokenKind::LeftParen) {
                self.bump();
                let parameters = self.parameters(Vec::new())?;
                self.close(TokenKind::RightParen, open)?;
                declarator.derived.push(Derived::Function(parameters));
            } else if self.at_standard_attribute() {
                declarator.attributes.extend(self.standard_attributes()?);
            } else if self.eat(TokenKind::LeftBracket) {
                let array = self.array()?;
                self.close(TokenKind::RightBracket, open)?;
                declarator.derived.push(array);
            } else {
                return Ok(());
            }
        }
    }

    fn at_standard_attribute(&mut self) -> bool {
        self.at(TokenKind::LeftBracket) && self.peek(1).kind == TokenKind::LeftBracket
    }

    fn standard_attributes(&mut self) -> Parsed<Vec<Attribute>> {
        if self.at_standard_attribute() { self.attributes() } else { Ok(Vec::new()) }
    }

    /// What stands between the brackets: `static`, qualifiers, a size or `*`.
    fn array(&mut self) -> Parsed<Derived> {
        let mut qualifiers = Qualifiers::default();
        while self.eat(TokenKind::Static) || self.qualifier(&mut qualifiers) {}
        let size = if self.at(TokenKind::RightBracket) {
            ArraySize::Unspecified
        } else if self.at(TokenKind::Star) && self.peek(1).kind == TokenKind::RightBracket {
            self.bump();
            ArraySize::Star
        } else {
            ArraySize::Expr(Box::new(self.assignment()?))
        };
        Ok(Derived::Array { size, qualifiers })
    }

    /// What stands between the parentheses of a function declarator. `leading` are attributes of the first parameter.
    fn parameters(&mut self, leading: Vec<Attribute>) -> Parsed<Parameters> {
        if self.at(TokenKind::RightParen) {
            return Ok(Parameters::Unspecified);
        }
        if self.at(TokenKind::Void) && self.peek(1).kind == TokenKind::RightParen {
            self.bump();
            return Ok(Parameters::Prototype { parameters: Vec::new(), is_variadic: false });
        }
        let is_alone = matches!(self.peek(1).kind, TokenKind::Comma | TokenKind::RightParen);
        if self.kind() == TokenKind::Identifier && is_alone && leading.is_empty() {
            return self.identifier_list();
        }
        self.scopes.enter();
        let prototype = self.prototype(leading)?;
        self.scopes.leave();
        Ok(prototype)
    }

    fn identifier_list(&mut self) -> Parsed<Parameters> {
        let mut names = Vec::new();
        loop {
            names.push(self.identifier()?);
            if !self.eat(TokenKind::Comma) {
                return Ok(Parameters::Identifiers(names));
            }
        }
    }

    fn prototype(&mut self, mut leading: Vec<Attribute>) -> Parsed<Parameters> {
        let mut parameters = Vec::new();
        loop {
            if self.eat(TokenKind::Ellipsis) {
                return Ok(Parameters::Prototype { parameters, is_variadic: true });
            }
            let parameter = self.parameter(std::mem::take(&mut leading))?;
            if let Some(name) = parameter.declarator.name {
                self.scopes.declare(name.name, TokenKind::Identifier);
            }
            parameters.push(parameter);
            if self.eat(TokenKind::Semicolon) {
                // GNU: forward declarations of the parameters that follow.
                parameters.clear();
            } else if !self.eat(TokenKind::Comma) {
                return Ok(Parameters::Prototype { parameters, is_variadic: false });
            }
        }
    }

    fn parameter(&mut self, leading: Vec<Attribute>) -> Parsed<Parameter> {
        let before = self.consumed;
        let specifiers = self.specifiers(leading)?;
        if self.consumed == before && specifiers.attributes.is_empty() {
            return Err(self.missing_parameter_type(&specifiers));
        }
        self.enter()?;
        let mut declarator = self.declarator(DeclaratorKind::Either)?;
        self.leave();
        declarator.attributes.extend(self.attributes()?);
        Ok(Parameter { specifiers, declarator })
    }

    fn missing_parameter_type(&mut self, specifiers: &Specifiers) -> super::Failed {
        debug_assert!(matches!(specifiers.type_specifier, TypeSpecifier::ImplicitInt));
        if self.at(TokenKind::Identifier) {
            let message = format!("unknown type name {}", self.describe_token());
            return self.fail(self.here(), message);
        }
        self.expected("parameter declaration")
    }
}
