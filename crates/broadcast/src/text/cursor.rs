//! What both dialects read in the same way: names, lists, expressions.

use super::lexer::{Token, lex};
use super::tree::{ExprKind, ExprTree, Name};
use super::{Position, SyntaxError};
use crate::expr::Operator;

/// Expressions are nested at most so deep, so that no text exhausts the stack.
const MOST_NESTED: u32 = 200;

/// As many operands have one operator between them at most, for the same reason.
const MOST_OPERANDS: u32 = 1000;

/// The passive thread in the dialect of SLAM's heirs, where `x$` is its copy of `x`.
pub const PASSIVE: &str = "$";

pub struct Cursor {
    tokens: Vec<(Position, Token)>,
    next: usize,
    depth: u32,
}

impl Cursor {
    pub fn new(text: &str) -> Result<Self, SyntaxError> {
        Ok(Cursor { tokens: lex(text)?, next: 0, depth: 0 })
    }

    pub fn at(&self) -> Position {
        self.tokens[self.next].0
    }

    fn ahead(&self, distance: usize) -> &Token {
        &self.tokens[(self.next + distance).min(self.tokens.len() - 1)].1
    }

    pub fn is_at_end(&self) -> bool {
        *self.ahead(0) == Token::End
    }

    pub fn sees(&self, text: &str) -> bool {
        self.sees_ahead(0, text)
    }

    pub fn sees_ahead(&self, distance: usize, text: &str) -> bool {
        match self.ahead(distance) {
            Token::Word(word) => word == text,
            Token::Sign(sign) => *sign == text,
            Token::End => false,
        }
    }

    /// Takes a word or sign if it is next.
    pub fn accept(&mut self, text: &str) -> bool {
        let is_next = self.sees(text);
        self.next += usize::from(is_next);
        is_next
    }

    pub fn accept_any(&mut self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.accept(text))
    }

    pub fn expect(&mut self, text: &str) -> Result<(), SyntaxError> {
        if self.accept(text) { Ok(()) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    pub fn unexpected(&self, wanted: &str) -> SyntaxError {
        SyntaxError::new(self.at(), format!("expected {wanted}, found {}", self.ahead(0)))
    }

    pub fn sees_word(&self) -> bool {
        matches!(self.ahead(0), Token::Word(_))
    }

    pub fn name(&mut self, what: &str) -> Result<Name, SyntaxError> {
        let at = self.at();
        match self.ahead(0) {
            Token::Word(word) => {
                let text = word.clone();
                self.next += 1;
                Ok(Name { text, at })
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// One or more, with commas between.
    pub fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T, SyntaxError>) -> Result<Vec<T>, SyntaxError> {
        let mut found = vec![one(self)?];
        while self.accept(",") {
            found.push(one(self)?);
        }
        Ok(found)
    }

    /// The labels before a statement.
    pub fn labels(&mut self) -> Result<Vec<Name>, SyntaxError> {
        let mut found = Vec::new();
        while self.sees_word() && self.sees_ahead(1, ":") {
            found.push(self.name("a label")?);
            self.next += 1;
        }
        Ok(found)
    }

    pub fn expr(&mut self) -> Result<ExprTree, SyntaxError> {
        let at = self.at();
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(SyntaxError::new(at, "this expression is nested too deep"));
        }
        let condition = self.binary(0)?;
        let found = if self.accept("?") {
            let then = self.expr()?;
            self.expect(":")?;
            let otherwise = self.expr()?;
            ExprTree { at, kind: ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)) }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(found)
    }

    /// Operators from the loosest; `=>` is right-associative, the others left-associative.
    fn binary(&mut self, level: usize) -> Result<ExprTree, SyntaxError> {
        const LEVELS: [&[(&str, Operator)]; 4] = [
            &[("=>", Operator::Implies)],
            &[("|", Operator::Or), ("||", Operator::Or)],
            &[("&", Operator::And), ("&&", Operator::And)],
            &[("==", Operator::Equal), ("=", Operator::Equal), ("!=", Operator::Differ), ("^", Operator::Differ)],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let at = self.at();
        let mut left = self.binary(level + 1)?;
        let mut operands = 1;
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.accept(sign)) {
            let right = match operator {
                Operator::Implies => self.expr()?,
                _ => self.binary(level + 1)?,
            };
            operands += 1;
            if operands > MOST_OPERANDS {
                return Err(SyntaxError::new(at, "this expression has too many operands"));
            }
            left = ExprTree { at, kind: ExprKind::Binary(*operator, Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<ExprTree, SyntaxError> {
        let at = self.at();
        let mut negations = 0;
        while self.accept_any(&["!", "~"]) {
            negations += 1;
            if negations > MOST_NESTED {
                return Err(SyntaxError::new(at, "this expression is nested too deep"));
            }
        }
        let mut found = self.primary()?;
        for _ in 0..negations {
            found = ExprTree { at, kind: ExprKind::Not(Box::new(found)) };
        }
        Ok(found)
    }

    fn primary(&mut self) -> Result<ExprTree, SyntaxError> {
        let at = self.at();
        let kind = if self.accept("(") {
            let inner = self.expr()?;
            self.expect(")")?;
            return Ok(inner);
        } else if self.accept("*") {
            ExprKind::Choice
        } else if self.accept_any(&["0", "F", "false"]) {
            ExprKind::Constant(false)
        } else if self.accept_any(&["1", "T", "true"]) {
            ExprKind::Constant(true)
        } else if self.sees_ahead(1, "[") && self.accept_any(&["schoose", "choose"]) {
            self.expect("[")?;
            let one = self.expr()?;
            self.expect(",")?;
            let zero = self.expr()?;
            self.expect("]")?;
            ExprKind::Schoose(Box::new(one), Box::new(zero))
        } else {
            self.variable()?
        };
        Ok(ExprTree { at, kind })
    }

    /// `x`, `p.x`, `x$`, each also with `'` before or after it; `p@label`.
    fn variable(&mut self) -> Result<ExprKind, SyntaxError> {
        let mut is_primed = self.accept("'");
        let first = self.name("an expression")?;
        if self.accept("@") {
            return Ok(ExprKind::At(first, self.name("a label")?));
        }
        let (index, name) = if self.accept(".") {
            (Some(first), self.name("a variable")?)
        } else if self.accept(PASSIVE) {
            (Some(Name { text: PASSIVE.to_string(), at: first.at }), first)
        } else {
            (None, first)
        };
        is_primed |= self.accept("'");
        Ok(ExprKind::Variable { index, name, is_primed })
    }
}
