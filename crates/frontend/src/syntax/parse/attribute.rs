//! `__attribute__((…))` and `[[…]]`.

use super::{Parsed, Parser};
use crate::syntax::ast::{Attribute, Expr, ExprKind};
use crate::syntax::symbol::Symbol;
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// Whether attributes begin here.
    pub(super) fn at_attribute(&mut self) -> bool {
        match self.token().kind {
            TokenKind::Attribute => true,
            TokenKind::LeftBracket => self.peek(1).kind == TokenKind::LeftBracket,
            _ => false,
        }
    }

    /// All attributes that stand here, perhaps none.
    pub(super) fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.at_attribute() {
            let open = self.here();
            if self.eat(TokenKind::Attribute) {
                self.expect(TokenKind::LeftParen)?;
                self.expect(TokenKind::LeftParen)?;
                self.attribute_list(TokenKind::RightParen, &mut attributes)?;
                self.close(TokenKind::RightParen, open)?;
                self.close(TokenKind::RightParen, open)?;
            } else {
                self.bump();
                self.bump();
                self.attribute_list(TokenKind::RightBracket, &mut attributes)?;
                self.close(TokenKind::RightBracket, open)?;
                self.close(TokenKind::RightBracket, open)?;
            }
        }
        Ok(attributes)
    }

    fn attribute_list(&mut self, closing: TokenKind, attributes: &mut Vec<Attribute>) -> Parsed<()> {
        while !self.at(closing) {
            if self.eat(TokenKind::Comma) {
                continue;
            }
            let attribute = self.attribute()?;
            attributes.push(attribute);
            if !self.at(closing) && !self.at(TokenKind::Comma) {
                return Err(self.expected("',' or the end of the attributes"));
            }
        }
        Ok(())
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let start = self.here();
        let mut name = self.attribute_name()?;
        if self.at(TokenKind::Colon) && self.peek(1).kind == TokenKind::Colon {
            self.bump();
            self.bump();
            let own = self.attribute_name()?;
            let space = self.interner.name(name);
            name = if space == "gnu" { own } else { self.intern(&format!("{space}::{}", self.interner.name(own))) };
        }
        let mut arguments = Vec::new();
        if self.at(TokenKind::LeftParen) {
            let open = self.here();
            self.bump();
            self.enter()?;
            self.attribute_arguments(&mut arguments)?;
            self.leave();
            self.close(TokenKind::RightParen, open)?;
        }
        Ok(Attribute { name, arguments, span: self.since(start) })
    }

    /// A word, keyword or not, without the underscores around it.
    fn attribute_name(&mut self) -> Parsed<Symbol> {
        let Some(name) = self.token().name else {
            return Err(self.expected("attribute name"));
        };
        self.bump();
        let spelling = self.interner.name(name);
        let bare = spelling.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).map(str::to_owned);
        Ok(bare.map_or(name, |bare| self.intern(&bare)))
    }

    /// Keeps the arguments that are expressions; skips types and whatever else an attribute may take.
    fn attribute_arguments(&mut self, arguments: &mut Vec<Expr>) -> Parsed<()> {
        while !self.at(TokenKind::RightParen) {
            let is_alone = matches!(self.peek(1).kind, TokenKind::Comma | TokenKind::RightParen);
            let token = self.token();
            match token.name {
                Some(name) if is_alone && token.kind == TokenKind::Identifier => {
                    self.bump();
                    arguments.push(Expr { kind: ExprKind::Identifier(name), span: token.span });
                }
                _ => match self.attempt(Self::attribute_argument) {
                    Some(argument) => arguments.push(argument),
                    None => self.skip_balanced()?,
                },
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(())
    }

    fn attribute_argument(&mut self) -> Parsed<Expr> {
        let argument = self.assignment()?;
        if matches!(self.token().kind, TokenKind::Comma | TokenKind::RightParen) {
            return Ok(argument);
        }
        Err(self.expected("','"))
    }
}
