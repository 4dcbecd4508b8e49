//! Statements and blocks.

use super::declaration::Declared;
use super::{Parsed, Parser};
use crate::syntax::ast::{Block, BlockItem, Expr, ForInit, Identifier, Statement, StatementKind};
use crate::syntax::token::TokenKind;

/// Where a statement is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// After a label, where a declaration or the end of the block may stand as well (C23).
    AfterLabel,
    /// Anywhere else.
    Plain,
}

impl Parser<'_> {
    /// `{ … }` with a scope of its own.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.scopes.enter();
        let block = self.block_in_scope()?;
        self.scopes.leave();
        Ok(block)
    }

    /// `{ … }` in the current scope, which already holds the parameters of a function.
    pub(super) fn block_in_scope(&mut self) -> Parsed<Block> {
        let open = self.expect(TokenKind::LeftBrace)?;
        let mut block = Block::default();
        while self.eat(TokenKind::Label) {
            self.local_labels(&mut block.local_labels)?;
        }
        self.enter()?;
        while !matches!(self.token().kind, TokenKind::RightBrace | TokenKind::End) {
            block.items.extend(self.item_or_skip(Self::block_item));
        }
        self.leave();
        block.items.shrink_to_fit();
        self.close(TokenKind::RightBrace, open)?;
        block.span = self.since(open);
        Ok(block)
    }

    fn local_labels(&mut self, labels: &mut Vec<Identifier>) -> Parsed<()> {
        loop {
            labels.push(self.identifier()?);
            if !self.eat(TokenKind::Comma) {
                return self.semicolon("label declaration");
            }
        }
    }

    fn is_label(&mut self) -> bool {
        self.at(TokenKind::Identifier) && self.peek(1).kind == TokenKind::Colon
    }

    fn block_item(&mut self) -> Parsed<BlockItem> {
        while self.eat(TokenKind::Extension) {}
        if self.is_label() {
            return self.statement().map(BlockItem::Statement);
        }
        let start = self.here();
        let attributes = self.attributes()?;
        if !attributes.is_empty() && self.eat(TokenKind::Semicolon) {
            return Ok(BlockItem::Statement(Statement { kind: StatementKind::Empty, span: self.since(start) }));
        }
        let is_unknown_type = self.kind() == TokenKind::Identifier
            && matches!(self.peek_kind(1), TokenKind::Identifier | TokenKind::TypedefName);
        if !self.at_declaration() && !is_unknown_type {
            return self.statement().map(BlockItem::Statement);
        }
        Ok(match self.declaration(attributes)? {
            Declared::Declaration(declaration) => BlockItem::Declaration(declaration),
            Declared::Function(function) => BlockItem::NestedFunction(Box::new(function)),
        })
    }

    /// A statement.
    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        self.statement_at(Place::Plain)
    }

    fn statement_at(&mut self, place: Place) -> Parsed<Statement> {
        self.enter()?;
        let start = self.here();
        let kind = if self.is_label() { self.label()? } else { self.unlabelled(place)? };
        self.leave();
        Ok(Statement { kind, span: self.since(start) })
    }

    fn label(&mut self) -> Parsed<StatementKind> {
        let label = self.identifier()?;
        self.expect(TokenKind::Colon)?;
        let attributes = self.attributes()?;
        let statement = self.statement_at(Place::AfterLabel)?;
        Ok(StatementKind::Label(label, attributes, Box::new(statement)))
    }

    fn unlabelled(&mut self, place: Place) -> Parsed<StatementKind> {
        let attributes = self.attributes()?;
        match self.kind() {
            TokenKind::LeftBrace => self.block().map(StatementKind::Block),
            TokenKind::Semicolon => {
                self.bump();
                Ok(StatementKind::Empty)
            }
            TokenKind::If => self.if_statement(),
            TokenKind::Switch => {
                self.bump();
                let value = self.parenthesized(Self::expression)?;
                Ok(StatementKind::Switch(value, Box::new(self.statement()?)))
            }
            TokenKind::While => {
                self.bump();
                let condition = self.parenthesized(Self::expression)?;
                Ok(StatementKind::While(condition, Box::new(self.statement()?)))
            }
            TokenKind::Do => self.do_while(),
            TokenKind::For => self.for_statement(),
            TokenKind::Case => self.case(),
            TokenKind::Default => {
                self.bump();
                self.expect(TokenKind::Colon)?;
                Ok(StatementKind::Default(Box::new(self.statement_at(Place::AfterLabel)?)))
            }
            TokenKind::Goto | TokenKind::Break | TokenKind::Continue | TokenKind::Return => self.jump(),
            TokenKind::Asm | TokenKind::HardAsm => {
                let asm = self.asm()?;
                self.semicolon("asm")?;
                Ok(StatementKind::Asm(asm))
            }
            TokenKind::RightBrace if place == Place::AfterLabel => Ok(StatementKind::Empty),
            _ if place == Place::AfterLabel && self.at_declaration() => match self.declaration(attributes)? {
                Declared::Declaration(declaration) => Ok(StatementKind::Declaration(Box::new(declaration))),
                Declared::Function(function) => Err(self.misplaced_function(&function)),
            },
            TokenKind::Else => Err(self.fail(self.here(), "'else' without a previous 'if'")),
            _ => {
                let value = self.expression()?;
                self.semicolon("expression")?;
                Ok(StatementKind::Expr(value))
            }
        }
    }

    fn if_statement(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let condition = self.parenthesized(Self::expression)?;
        let then = Box::new(self.statement()?);
        let otherwise = if self.eat(TokenKind::Else) { Some(Box::new(self.statement()?)) } else { None };
        Ok(StatementKind::If(condition, then, otherwise))
    }

    fn do_while(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let body = Box::new(self.statement()?);
        self.expect(TokenKind::While)?;
        let condition = self.parenthesized(Self::expression)?;
        self.semicolon("do-while statement")?;
        Ok(StatementKind::DoWhile(body, condition))
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let open = self.expect(TokenKind::LeftParen)?;
        self.scopes.enter();
        while self.eat(TokenKind::Extension) {}
        let init = if self.eat(TokenKind::Semicolon) {
            None
        } else if self.at_declaration() || self.at_attribute() {
            self.plain_declaration().map(|declaration| Some(ForInit::Declaration(Box::new(declaration))))?
        } else {
            let value = self.expression()?;
            self.semicolon("expression")?;
            Some(ForInit::Expr(value))
        };
        let condition = self.optional_expression(TokenKind::Semicolon)?;
        self.semicolon("condition of 'for'")?;
        let step = self.optional_expression(TokenKind::RightParen)?;
        self.close(TokenKind::RightParen, open)?;
        let body = Box::new(self.statement()?);
        self.scopes.leave();
        Ok(StatementKind::For(init, condition, step, body))
    }

    fn optional_expression(&mut self, end: TokenKind) -> Parsed<Option<Expr>> {
        if self.at(end) { Ok(None) } else { self.expression().map(Some) }
    }

    fn case(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let first = self.constant_expression()?;
        let last = if self.eat(TokenKind::Ellipsis) { Some(self.constant_expression()?) } else { None };
        self.expect(TokenKind::Colon)?;
        Ok(StatementKind::Case(first, last, Box::new(self.statement_at(Place::AfterLabel)?)))
    }

    fn jump(&mut self) -> Parsed<StatementKind> {
        let (kind, what) = match self.bump().kind {
            TokenKind::Break => (StatementKind::Break, "'break'"),
            TokenKind::Continue => (StatementKind::Continue, "'continue'"),
            TokenKind::Goto if self.eat(TokenKind::Star) => (StatementKind::ComputedGoto(self.expression()?), "'goto'"),
            TokenKind::Goto => (StatementKind::Goto(self.identifier()?), "'goto'"),
            _ => (StatementKind::Return(self.optional_expression(TokenKind::Semicolon)?), "'return'"),
        };
        self.semicolon(what)?;
        Ok(kind)
    }
}
