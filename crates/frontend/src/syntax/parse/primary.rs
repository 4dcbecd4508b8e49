//! Primary and postfix expressions, literals, and the builtins that take types.

use super::{Parsed, Parser};
use crate::syntax::ast::{
    BuiltinType, Declarator, Derived, Designator, Encoding, Expr, ExprKind, IncrementOperator, IntegerSuffix,
    Qualifiers, Span, Specifiers, TypeName, TypeOrExpr, TypeSpecifier,
};
use crate::syntax::token::TokenKind;
use crate::syntax::{literal, number};

impl Parser<'_> {
    /// A primary expression with what is applied to it.
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let outer = self.begin_node();
        let primary = self.primary()?;
        let result = self.postfix_operators(primary)?;
        self.end_node(outer);
        Ok(result)
    }

    fn postfix_operators(&mut self, mut left: Expr) -> Parsed<Expr> {
        let start = left.span;
        loop {
            let open = self.here();
            let kind = match self.token().kind {
                TokenKind::LeftBracket => {
                    self.bump();
                    self.sink()?;
                    let index = self.expression()?;
                    self.close(TokenKind::RightBracket, open)?;
                    ExprKind::Index(Box::new(left), Box::new(index))
                }
                TokenKind::LeftParen => {
                    self.bump();
                    self.sink()?;
                    let arguments = self.arguments(&left)?;
                    self.close(TokenKind::RightParen, open)?;
                    ExprKind::Call(Box::new(left), arguments)
                }
                TokenKind::Dot => {
                    self.bump();
                    self.sink()?;
                    ExprKind::Member(Box::new(left), self.identifier()?)
                }
                TokenKind::Arrow => {
                    self.bump();
                    self.sink()?;
                    ExprKind::Arrow(Box::new(left), self.identifier()?)
                }
                TokenKind::PlusPlus | TokenKind::MinusMinus => {
                    let is_increment = self.bump().kind == TokenKind::PlusPlus;
                    self.sink()?;
                    let (up, down) = (IncrementOperator::PostIncrement, IncrementOperator::PostDecrement);
                    ExprKind::Increment(if is_increment { up } else { down }, Box::new(left))
                }
                _ => return Ok(left),
            };
            left = Expr { kind, span: self.since(start) };
        }
    }

    /// The arguments of a call. A builtin may take a type where a function takes a value: it is given as its size, so
    /// that nobody takes it for a value of that type.
    fn arguments(&mut self, callee: &Expr) -> Parsed<Vec<Expr>> {
        let is_builtin = match callee.kind {
            ExprKind::Identifier(name) => self.interner.name(name).starts_with("__builtin_"),
            _ => false,
        };
        let mut arguments = Vec::new();
        if self.at(TokenKind::RightParen) {
            return Ok(arguments);
        }
        loop {
            if is_builtin && self.at_type() {
                let name = self.type_name()?;
                let span = name.span;
                arguments.push(Expr { kind: ExprKind::Sizeof(TypeOrExpr::Type(Box::new(name))), span });
            } else {
                arguments.push(self.assignment()?);
            }
            if !self.eat(TokenKind::Comma) {
                return Ok(arguments);
            }
        }
    }

    /// `(type){ … }` after the type, with what is applied to it.
    pub(super) fn compound_literal(&mut self, name: TypeName, start: Span) -> Parsed<Expr> {
        let outer = self.begin_node();
        let items = self.initializer_list()?;
        let span = self.since(start);
        let literal = Expr { kind: ExprKind::CompoundLiteral(Box::new(name), items), span };
        let result = self.postfix_operators(literal)?;
        self.end_node(outer);
        Ok(result)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.token();
        let kind = match self.kind() {
            TokenKind::Identifier => {
                self.bump();
                token.name.map(ExprKind::Identifier).ok_or(super::Failed)?
            }
            TokenKind::Number => self.number(),
            TokenKind::Character => self.character(),
            TokenKind::String => return Ok(self.string_literal()),
            TokenKind::LeftParen if self.peek(1).kind == TokenKind::LeftBrace => {
                self.bump();
                let block = self.block()?;
                self.close(TokenKind::RightParen, token.span)?;
                ExprKind::StatementExpr(block)
            }
            TokenKind::LeftParen => {
                self.bump();
                let inner = self.expression()?;
                self.close(TokenKind::RightParen, token.span)?;
                ExprKind::Parenthesized(Box::new(inner))
            }
            TokenKind::True => self.constant_of_type(TypeSpecifier::Builtin(BuiltinType::Bool), 1),
            TokenKind::False => self.constant_of_type(TypeSpecifier::Builtin(BuiltinType::Bool), 0),
            TokenKind::Nullptr => self.constant_of_type(TypeSpecifier::Builtin(BuiltinType::Void), 0),
            TokenKind::Generic => self.generic()?,
            TokenKind::VaArg => self.builtin(|parser| {
                let list = parser.assignment()?;
                parser.expect(TokenKind::Comma)?;
                Ok(ExprKind::VaArg(Box::new(list), Box::new(parser.type_name()?)))
            })?,
            TokenKind::Offsetof => self.builtin(Self::offsetof)?,
            TokenKind::TypesCompatible => self.builtin(|parser| {
                let first = Box::new(parser.type_name()?);
                parser.expect(TokenKind::Comma)?;
                Ok(ExprKind::TypesCompatible(first, Box::new(parser.type_name()?)))
            })?,
            TokenKind::ChooseExpr => self.builtin(|parser| {
                let condition = Box::new(parser.assignment()?);
                parser.expect(TokenKind::Comma)?;
                let then = Box::new(parser.assignment()?);
                parser.expect(TokenKind::Comma)?;
                Ok(ExprKind::ChooseExpr(condition, then, Box::new(parser.assignment()?)))
            })?,
            _ => return Err(self.expected("expression")),
        };
        Ok(Expr { kind, span: self.since(token.span) })
    }

    /// A builtin with its arguments in parentheses.
    fn builtin(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<ExprKind>) -> Parsed<ExprKind> {
        self.bump();
        self.parenthesized(parse)
    }

    fn generic(&mut self) -> Parsed<ExprKind> {
        self.builtin(|parser| {
            let control = Box::new(parser.assignment()?);
            let mut choices = Vec::new();
            while parser.eat(TokenKind::Comma) {
                let name = if parser.eat(TokenKind::Default) { None } else { Some(parser.type_name()?) };
                parser.expect(TokenKind::Colon)?;
                choices.push((name, parser.assignment()?));
            }
            Ok(ExprKind::Generic(control, choices))
        })
    }

    /// `type, a.b[3]->c`
    fn offsetof(&mut self) -> Parsed<ExprKind> {
        let name = Box::new(self.type_name()?);
        self.expect(TokenKind::Comma)?;
        let mut path = vec![Designator::Member(self.identifier()?)];
        loop {
            match self.token().kind {
                TokenKind::Dot | TokenKind::LeftBracket => path.push(self.designator()?),
                TokenKind::Arrow => {
                    let span = self.bump().span;
                    path.push(Designator::Index(Expr { kind: integer(0), span }));
                    path.push(Designator::Member(self.identifier()?));
                }
                _ => return Ok(ExprKind::Offsetof(name, path)),
            }
        }
    }

    /// C23 `true`, `false` and `nullptr`, as casts of a number to `_Bool` or `void *`.
    fn constant_of_type(&mut self, type_specifier: TypeSpecifier, value: u128) -> ExprKind {
        let span = self.bump().span;
        let is_pointer = matches!(type_specifier, TypeSpecifier::Builtin(BuiltinType::Void));
        let pointer = || Derived::Pointer(Qualifiers::default(), Vec::new());
        let derived = if is_pointer { vec![pointer()] } else { Vec::new() };
        let specifiers = Specifiers {
            storage: None,
            is_thread_local: false,
            is_inline: false,
            is_noreturn: false,
            is_constexpr: false,
            type_specifier,
            qualifiers: Qualifiers::default(),
            alignments: Vec::new(),
            attributes: Vec::new(),
            span,
        };
        let declarator = Declarator { derived, span, ..Declarator::default() };
        let name = TypeName { specifiers, declarator, span };
        ExprKind::Cast(Box::new(name), Box::new(Expr { kind: integer(value), span }))
    }

    fn number(&mut self) -> ExprKind {
        let span = self.bump().span;
        number::number(self.text.slice(span)).unwrap_or_else(|message| {
            self.errors.report(span, message);
            integer(0)
        })
    }

    fn character(&mut self) -> ExprKind {
        let span = self.bump().span;
        match literal::character(self.text.slice(span)) {
            Ok((value, encoding)) => ExprKind::Character(value, encoding),
            Err(error) => {
                self.report_literal(span, error);
                ExprKind::Character(0, Encoding::Plain)
            }
        }
    }

    /// Adjacent string literals, joined; one prefix holds for all.
    pub(super) fn string_literal(&mut self) -> Expr {
        let start = self.here();
        let mut pieces = Vec::new();
        let mut encoding = Encoding::Plain;
        while self.at(TokenKind::String) {
            let span = self.bump().span;
            let (own, prefix) = literal::encoding(self.text.slice(span));
            if self.text.slice(span).get(prefix) == Some(&b'R') && self.text.is_spliced(span) {
                self.errors.report(span, "a raw string with a backslash at the end of a line is not supported");
            }
            if encoding != Encoding::Plain && own != Encoding::Plain && own != encoding {
                self.errors.report(span, "string literals with different prefixes cannot be joined");
            } else if own != Encoding::Plain {
                encoding = own;
            }
            pieces.push(span);
        }
        let mut units = Vec::new();
        for span in pieces {
            if let Err(error) = literal::string(self.text.slice(span), encoding, &mut units) {
                self.report_literal(span, error);
            }
        }
        Expr { kind: ExprKind::String(units, encoding), span: self.since(start) }
    }

    fn report_literal(&mut self, literal: Span, error: literal::LiteralError) {
        let start = literal.start + error.offset as u32;
        self.errors.report(Span { start, end: literal.end.max(start + 1) }, error.message);
    }
}

fn integer(value: u128) -> ExprKind {
    ExprKind::Integer { value, suffix: IntegerSuffix::default(), is_decimal: true }
}
