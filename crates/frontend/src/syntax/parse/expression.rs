//! Expressions built from operators.
//!
//! Left-associative operators are read in a loop by precedence; each turn wraps what was read so far.

use super::specifier::starts_type;
use super::{Parsed, Parser};
use crate::syntax::ast::{
    BinaryOperator, Expr, ExprKind, IncrementOperator, LogicalOperator, Span, TypeOrExpr, UnaryOperator,
};
use crate::syntax::token::TokenKind;

/// An infix operator other than assignment, comma and `?:`.
#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOperator),
    Logical(LogicalOperator),
}

/// The operator that a token is, and how strongly it binds.
fn infix(kind: TokenKind) -> Option<(u8, Infix)> {
    use BinaryOperator::*;
    let (strength, operator) = match kind {
        TokenKind::Star => (10, Multiply),
        TokenKind::Slash => (10, Divide),
        TokenKind::Percent => (10, Remainder),
        TokenKind::Plus => (9, Add),
        TokenKind::Minus => (9, Subtract),
        TokenKind::ShiftLeft => (8, BinaryOperator::ShiftLeft),
        TokenKind::ShiftRight => (8, BinaryOperator::ShiftRight),
        TokenKind::Less => (7, BinaryOperator::Less),
        TokenKind::Greater => (7, BinaryOperator::Greater),
        TokenKind::LessEqual => (7, BinaryOperator::LessEqual),
        TokenKind::GreaterEqual => (7, BinaryOperator::GreaterEqual),
        TokenKind::EqualEqual => (6, Equal),
        TokenKind::NotEqual => (6, BinaryOperator::NotEqual),
        TokenKind::Ampersand => (5, BitAnd),
        TokenKind::Caret => (4, BitXor),
        TokenKind::Bar => (3, BitOr),
        TokenKind::AndAnd => return Some((2, Infix::Logical(LogicalOperator::And))),
        TokenKind::OrOr => return Some((1, Infix::Logical(LogicalOperator::Or))),
        _ => return None,
    };
    Some((strength, Infix::Binary(operator)))
}

/// The assignment operator that a token is: `Some(None)` for `=`.
fn assignment_operator(kind: TokenKind) -> Option<Option<BinaryOperator>> {
    use BinaryOperator::*;
    Some(match kind {
        TokenKind::Assign => None,
        TokenKind::StarAssign => Some(Multiply),
        TokenKind::SlashAssign => Some(Divide),
        TokenKind::PercentAssign => Some(Remainder),
        TokenKind::PlusAssign => Some(Add),
        TokenKind::MinusAssign => Some(Subtract),
        TokenKind::ShiftLeftAssign => Some(ShiftLeft),
        TokenKind::ShiftRightAssign => Some(ShiftRight),
        TokenKind::AmpersandAssign => Some(BitAnd),
        TokenKind::CaretAssign => Some(BitXor),
        TokenKind::BarAssign => Some(BitOr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// A full expression, commas included.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let outer = self.begin_node();
        let mut left = self.assignment()?;
        while self.eat(TokenKind::Comma) {
            let right = self.operand(Self::assignment)?;
            left = join(left, right, ExprKind::Comma);
        }
        self.end_node(outer);
        Ok(left)
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        let outer = self.begin_node();
        let mut left = self.conditional()?;
        if let Some(operator) = assignment_operator(self.token().kind) {
            self.bump();
            let right = self.operand(Self::assignment)?;
            left = join(left, right, |left, right| ExprKind::Assign(operator, left, right));
        }
        self.end_node(outer);
        Ok(left)
    }

    /// An expression without commas and assignments.
    pub(super) fn constant_expression(&mut self) -> Parsed<Expr> {
        self.conditional()
    }

    /// Reads the right operand of an operator whose left operand has been read.
    fn operand(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<Expr>) -> Parsed<Expr> {
        self.sink()?;
        self.enter()?;
        let operand = parse(self)?;
        self.leave();
        Ok(operand)
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let outer = self.begin_node();
        let condition = self.binary(0)?;
        if !self.eat(TokenKind::Question) {
            self.end_node(outer);
            return Ok(condition);
        }
        let (then, otherwise) = {
            self.sink()?;
            self.enter()?;
            let then = if self.at(TokenKind::Colon) { None } else { Some(Box::new(self.expression()?)) };
            self.expect(TokenKind::Colon)?;
            let otherwise = self.conditional()?;
            self.leave();
            (then, Box::new(otherwise))
        };
        self.end_node(outer);
        let span = condition.span.to(otherwise.span);
        Ok(Expr { kind: ExprKind::Conditional(Box::new(condition), then, otherwise), span })
    }

    /// Operands joined by operators that bind more strongly than `weakest`.
    fn binary(&mut self, weakest: u8) -> Parsed<Expr> {
        let outer = self.begin_node();
        let mut left = self.cast()?;
        while let Some((strength, operator)) = infix(self.token().kind).filter(|(strength, _)| *strength > weakest) {
            self.bump();
            let right = self.operand(|parser| parser.binary(strength))?;
            left = join(left, right, |left, right| match operator {
                Infix::Binary(operator) => ExprKind::Binary(operator, left, right),
                Infix::Logical(operator) => ExprKind::Logical(operator, left, right),
            });
        }
        self.end_node(outer);
        Ok(left)
    }

    /// A cast, or what binds more strongly. One level of the tree.
    pub(super) fn cast(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let start = self.here();
        let expression = if self.at(TokenKind::LeftParen) && starts_type(self.peek_kind(1)) {
            let name = self.parenthesized(Self::type_name)?;
            if self.at(TokenKind::LeftBrace) {
                self.compound_literal(name, start)?
            } else {
                let operand = self.cast()?;
                let span = self.since(start);
                Expr { kind: ExprKind::Cast(Box::new(name), Box::new(operand)), span }
            }
        } else {
            self.unary(start)?
        };
        self.leave();
        Ok(expression)
    }

    fn unary(&mut self, start: Span) -> Parsed<Expr> {
        let operator = match self.kind() {
            TokenKind::Plus => UnaryOperator::Plus,
            TokenKind::Minus => UnaryOperator::Minus,
            TokenKind::Tilde => UnaryOperator::BitNot,
            TokenKind::Exclamation => UnaryOperator::Not,
            TokenKind::Star => UnaryOperator::Dereference,
            TokenKind::Ampersand => UnaryOperator::AddressOf,
            TokenKind::Real => UnaryOperator::Real,
            TokenKind::Imaginary => UnaryOperator::Imaginary,
            TokenKind::PlusPlus => return self.increment(IncrementOperator::PreIncrement, start),
            TokenKind::MinusMinus => return self.increment(IncrementOperator::PreDecrement, start),
            TokenKind::Extension => {
                self.bump();
                return self.cast();
            }
            TokenKind::AndAnd => {
                self.bump();
                let label = self.identifier()?;
                return Ok(Expr { kind: ExprKind::LabelAddress(label), span: self.since(start) });
            }
            TokenKind::Sizeof => return self.sizeof(ExprKind::Sizeof),
            TokenKind::Alignof | TokenKind::SoftAlignof => return self.sizeof(ExprKind::Alignof),
            TokenKind::PreferredAlignof => return self.sizeof(ExprKind::PreferredAlignof),
            _ => return self.postfix(),
        };
        self.bump();
        let operand = self.cast()?;
        Ok(Expr { kind: ExprKind::Unary(operator, Box::new(operand)), span: self.since(start) })
    }

    fn increment(&mut self, operator: IncrementOperator, start: Span) -> Parsed<Expr> {
        self.bump();
        let operand = self.cast()?;
        Ok(Expr { kind: ExprKind::Increment(operator, Box::new(operand)), span: self.since(start) })
    }

    /// `sizeof` or `_Alignof`: of a type in parentheses, unless that begins a compound literal, or of an expression.
    fn sizeof(&mut self, make: fn(TypeOrExpr) -> ExprKind) -> Parsed<Expr> {
        let start = self.here();
        self.bump();
        let open = self.here();
        self.enter()?;
        let operand = if self.at(TokenKind::LeftParen) && starts_type(self.peek_kind(1)) {
            let name = self.parenthesized(Self::type_name)?;
            if self.at(TokenKind::LeftBrace) {
                TypeOrExpr::Expr(Box::new(self.compound_literal(name, open)?))
            } else {
                TypeOrExpr::Type(Box::new(name))
            }
        } else {
            TypeOrExpr::Expr(Box::new(self.unary(open)?))
        };
        self.leave();
        Ok(Expr { kind: make(operand), span: self.since(start) })
    }
}

/// The expression that joins two operands.
fn join(left: Expr, right: Expr, make: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: make(Box::new(left), Box::new(right)), span }
}
