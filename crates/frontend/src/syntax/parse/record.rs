//! `struct`, `union` and `enum` specifiers.

use super::declarator::DeclaratorKind;
use super::{Parsed, Parser};
use crate::syntax::ast::{
    Attribute, Declarator, EnumSpecifier, Enumerator, Expr, ExprKind, Identifier, IntegerSuffix, MemberDeclaration,
    MemberDeclarator, RecordKind, RecordSpecifier, Span,
};
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// `struct tag { … }`; a packing that `#pragma pack` imposes becomes an attribute `pragma_pack(n)` of ours.
    pub(super) fn record_specifier(&mut self) -> Parsed<RecordSpecifier> {
        let start = self.here();
        let kind = if self.bump().kind == TokenKind::Union { RecordKind::Union } else { RecordKind::Struct };
        let mut attributes = self.attributes()?;
        let tag = self.tag()?;
        let members = if self.at(TokenKind::LeftBrace) {
            let open = self.here();
            let members = self.members()?;
            attributes.extend(self.attributes()?);
            if let Some(alignment) = self.text.pack_at(open.start) {
                let pack = self.pack_attribute(alignment, open);
                attributes.push(pack);
            }
            Some(members)
        } else if tag.is_none() {
            return Err(self.expected("'{' or a tag"));
        } else {
            None
        };
        Ok(RecordSpecifier { kind, tag, members, attributes, span: self.since(start) })
    }

    fn pack_attribute(&mut self, alignment: u32, span: Span) -> Attribute {
        let kind =
            ExprKind::Integer { value: u128::from(alignment), suffix: IntegerSuffix::default(), is_decimal: true };
        let mut attribute = self.marker_attribute("pragma_pack", span);
        attribute.arguments.push(Expr { kind, span });
        attribute
    }

    fn tag(&mut self) -> Parsed<Option<Identifier>> {
        if self.at(TokenKind::Identifier) { self.identifier().map(Some) } else { Ok(None) }
    }

    fn members(&mut self) -> Parsed<Vec<MemberDeclaration>> {
        let open = self.expect(TokenKind::LeftBrace)?;
        self.enter()?;
        let mut members = Vec::new();
        while !matches!(self.token().kind, TokenKind::RightBrace | TokenKind::End) {
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            members.extend(self.item_or_skip(Self::member_declaration));
        }
        self.leave();
        self.close(TokenKind::RightBrace, open)?;
        Ok(members)
    }

    fn member_declaration(&mut self) -> Parsed<MemberDeclaration> {
        let start = self.here();
        while self.eat(TokenKind::Extension) {}
        if matches!(self.kind(), TokenKind::HardStaticAssert | TokenKind::StaticAssert) {
            return self.static_assert().map(MemberDeclaration::StaticAssert);
        }
        self.enter()?;
        let before = self.consumed;
        let specifiers = self.specifiers(Vec::new())?;
        if self.consumed == before {
            return Err(self.expected("member declaration"));
        }
        let mut declarators = Vec::with_capacity(1);
        if !self.at(TokenKind::Semicolon) && !self.at(TokenKind::RightBrace) {
            loop {
                declarators.push(self.member_declarator()?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        self.leave();
        if !self.at(TokenKind::RightBrace) {
            self.semicolon("member declaration")?;
        }
        Ok(MemberDeclaration::Members { specifiers, declarators, span: self.since(start) })
    }

    fn member_declarator(&mut self) -> Parsed<MemberDeclarator> {
        let attributes = self.attributes()?;
        let mut declarator = if self.at(TokenKind::Colon) {
            Declarator { span: self.here(), ..Declarator::default() }
        } else {
            self.declarator(DeclaratorKind::Named)?
        };
        declarator.attributes.extend(attributes);
        let bits = if self.eat(TokenKind::Colon) { Some(self.constant_expression()?) } else { None };
        declarator.attributes.extend(self.attributes()?);
        Ok(MemberDeclarator { declarator, bits })
    }

    /// `enum tag : type { … }`
    pub(super) fn enum_specifier(&mut self) -> Parsed<EnumSpecifier> {
        let start = self.here();
        self.bump();
        let mut attributes = self.attributes()?;
        let tag = self.tag()?;
        self.enter()?;
        let has_underlying = self.at(TokenKind::Colon) && super::specifier::starts_type(self.peek_kind(1));
        let underlying = if has_underlying {
            self.bump();
            Some(self.underlying_type()?)
        } else {
            None
        };
        let enumerators = if self.at(TokenKind::LeftBrace) {
            let enumerators = self.enumerators()?;
            attributes.extend(self.attributes()?);
            Some(enumerators)
        } else if tag.is_none() {
            return Err(self.expected("'{' or a tag"));
        } else {
            None
        };
        self.leave();
        Ok(EnumSpecifier { tag, underlying, enumerators, attributes, span: self.since(start) })
    }

    /// Only specifiers: what follows the type of an `enum` is its `{` or the declarator.
    fn underlying_type(&mut self) -> Parsed<crate::syntax::ast::TypeName> {
        let start = self.here();
        let specifiers = self.specifiers(Vec::new())?;
        let span = self.since(start);
        let declarator = Declarator { span: Span { start: span.end, end: span.end }, ..Declarator::default() };
        Ok(crate::syntax::ast::TypeName { specifiers, declarator, span })
    }

    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        let open = self.expect(TokenKind::LeftBrace)?;
        let mut enumerators = Vec::new();
        while !self.at(TokenKind::RightBrace) {
            let name = self.identifier()?;
            self.attributes()?;
            let value = if self.eat(TokenKind::Assign) { Some(self.constant_expression()?) } else { None };
            self.scopes.declare(name.name, TokenKind::Identifier);
            enumerators.push(Enumerator { name, value });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RightBrace, open)?;
        Ok(enumerators)
    }
}
