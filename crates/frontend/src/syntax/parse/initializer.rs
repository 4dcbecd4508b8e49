//! Initialisers, with designators old and new.

use super::{Parsed, Parser};
use crate::syntax::ast::{Designator, Initializer, InitializerItem};
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// An expression or a list in braces.
    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        self.enter()?;
        let initializer = if self.at(TokenKind::LeftBrace) {
            let start = self.here();
            let items = self.initializer_list()?;
            Initializer::List(items, self.since(start))
        } else {
            Initializer::Expr(self.assignment()?)
        };
        self.leave();
        Ok(initializer)
    }

    /// `{ … }`
    pub(super) fn initializer_list(&mut self) -> Parsed<Vec<InitializerItem>> {
        let open = self.expect(TokenKind::LeftBrace)?;
        let mut items = Vec::new();
        while !self.at(TokenKind::RightBrace) {
            items.push(self.initializer_item()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RightBrace, open)?;
        Ok(items)
    }

    fn initializer_item(&mut self) -> Parsed<InitializerItem> {
        self.enter()?;
        let mut designators = Vec::new();
        if self.at(TokenKind::Identifier) && self.peek(1).kind == TokenKind::Colon {
            designators.push(Designator::Member(self.identifier()?));
            self.bump();
        } else {
            while matches!(self.token().kind, TokenKind::Dot | TokenKind::LeftBracket) {
                let designator = self.designator()?;
                designators.push(designator);
            }
            let is_old_index = matches!(designators.as_slice(), [Designator::Index(_) | Designator::Range(..)]);
            if !designators.is_empty() && !self.eat(TokenKind::Assign) && !is_old_index {
                return Err(self.expected("'='"));
            }
        }
        let value = self.initializer()?;
        self.leave();
        Ok(InitializerItem { designators, value })
    }

    /// `.name`, `[index]` or `[first ... last]`
    pub(super) fn designator(&mut self) -> Parsed<Designator> {
        if self.eat(TokenKind::Dot) {
            return Ok(Designator::Member(self.identifier()?));
        }
        let open = self.expect(TokenKind::LeftBracket)?;
        let first = self.expression()?;
        let last = if self.eat(TokenKind::Ellipsis) { Some(self.expression()?) } else { None };
        self.close(TokenKind::RightBracket, open)?;
        Ok(match last {
            Some(last) => Designator::Range(first, last),
            None => Designator::Index(first),
        })
    }
}
