//! The recursive-descent parser. It never fails: it gives a tree and the errors, and goes on after an error at the next
//! statement or declaration.
//!
//! A parsing function gives [`Failed`] when it has reported an error and does not know how to go on; blocks, member
//! lists and the translation unit catch that and skip. The depth of the tree is counted while it is built: `depth` is
//! the level of the node being parsed, `reached` the deepest level below it so far. A left operand is parsed before it
//! is known how deep it will stand, so wrapping it makes all that was reached sink by one level.

mod asm;
mod attribute;
mod declaration;
mod declarator;
mod expression;
mod initializer;
mod primary;
mod record;
mod recovery;
mod scope;
mod specifier;
mod statement;

use super::ast::{Attribute, External, Identifier, MAX_DEPTH, Span, TranslationUnit};
use super::error::{Errors, SyntaxError};
use super::lexer::{Lexer, Position};
use super::source::SourceText;
use super::symbol::{Interner, Symbol};
use super::token::{Token, TokenKind};
use scope::Scopes;

/// A bound on the tokens of a translation unit: what a hostile input can make us store stays within the memory of a
/// small machine.
const MAX_TOKENS: usize = 16 << 20;

/// How many tokens the parser looks at beyond the current one.
const LOOKAHEAD: usize = 2;

/// An error has been reported; the caller cannot go on either.
#[derive(Clone, Copy, Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

/// Parses a preprocessed file. Gives whatever could be understood of it, and what could not, in the order of the text.
pub fn parse(text: &SourceText, interner: &mut Interner) -> (TranslationUnit, Vec<SyntaxError>) {
    let mut parser = Parser::new(text, interner);
    let unit = parser.translation_unit();
    (unit, parser.errors.finish())
}

struct Parser<'a> {
    text: &'a SourceText,
    lexer: Lexer<'a>,
    interner: &'a mut Interner,
    errors: Errors,
    scopes: Scopes,
    /// The current token and those after it; the first `buffered` are valid.
    window: [Token; LOOKAHEAD + 1],
    buffered: usize,
    /// Where the lexer stood before each token of the window.
    positions: [Position; LOOKAHEAD + 1],
    consumed: usize,
    /// The last token taken.
    last: Span,
    depth: usize,
    reached: usize,
    trial: Trial,
}

/// Whether the parser tries something that it may take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trial {
    No,
    Running,
}

impl<'a> Parser<'a> {
    fn new(text: &'a SourceText, interner: &'a mut Interner) -> Self {
        let mut lexer = Lexer::new(text.bytes(), interner);
        let mut errors = Errors::default();
        let scopes = Scopes::new(interner);
        let start = lexer.position();
        let first = lexer.next(interner, &mut errors);
        Self {
            text,
            lexer,
            interner,
            errors,
            scopes,
            window: [first; LOOKAHEAD + 1],
            buffered: 1,
            positions: [start; LOOKAHEAD + 1],
            consumed: 0,
            last: Span::default(),
            depth: 0,
            reached: 0,
            trial: Trial::No,
        }
    }

    fn translation_unit(&mut self) -> TranslationUnit {
        let mut items: Vec<External> = Vec::new();
        while !self.at(TokenKind::End) {
            let start = self.consumed;
            self.depth = 0;
            self.reached = 0;
            self.scopes.leave_to(0);
            match self.external() {
                Ok(item) => items.extend(item),
                Err(Failed) => self.skip_to_declaration(start),
            }
        }
        TranslationUnit { items }
    }

    /// The current token.
    fn token(&self) -> Token {
        self.window[0]
    }

    /// Where the current token stands.
    fn here(&self) -> Span {
        self.window[0].span
    }

    /// What the current token is in the current scope.
    fn kind(&self) -> TokenKind {
        self.meaning(self.window[0])
    }

    fn meaning(&self, token: Token) -> TokenKind {
        match token {
            Token { kind: TokenKind::Identifier, name: Some(name), .. } => self.scopes.meaning(name),
            _ => token.kind,
        }
    }

    /// The token `ahead` tokens after the current one.
    fn peek(&mut self, ahead: usize) -> Token {
        let ahead = ahead.min(LOOKAHEAD);
        while self.buffered <= ahead {
            self.positions[self.buffered] = self.lexer.position();
            self.window[self.buffered] = self.lexer.next(self.interner, &mut self.errors);
            self.buffered += 1;
        }
        self.window[ahead]
    }

    /// What the token `ahead` tokens after the current one is in the current scope.
    fn peek_kind(&mut self, ahead: usize) -> TokenKind {
        let token = self.peek(ahead);
        self.meaning(token)
    }

    /// Whether the current token is of a kind, as the lexer sees it.
    fn at(&self, kind: TokenKind) -> bool {
        self.window[0].kind == kind
    }

    /// Takes the current token.
    fn bump(&mut self) -> Token {
        let token = self.window[0];
        if token.kind == TokenKind::End {
            return token;
        }
        self.peek(1);
        self.window.copy_within(1..self.buffered, 0);
        self.positions.copy_within(1..self.buffered, 0);
        self.buffered -= 1;
        self.last = token.span;
        self.consumed += 1;
        if self.errors.is_full() {
            self.stop();
        } else if self.consumed > MAX_TOKENS {
            self.errors.report(self.here(), "the translation unit is too long");
            self.errors.give_up(self.here(), "the rest of the file is not parsed");
            self.stop();
        }
        token
    }

    /// Makes the current token the last one.
    fn stop(&mut self) {
        self.lexer.stop();
        let end = self.last.end;
        self.window[0] = Token { kind: TokenKind::End, span: Span { start: end, end }, name: None };
        self.buffered = 1;
    }

    /// Takes the current token if it is of a kind.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let is_there = self.at(kind);
        if is_there {
            self.bump();
        }
        is_there
    }

    /// Takes a token that must come, or reports that it was expected.
    fn expect(&mut self, kind: TokenKind) -> Parsed<Span> {
        if self.eat(kind) { Ok(self.last) } else { Err(self.expected(kind.describe())) }
    }

    /// Takes a closing bracket, or reports that it was expected and where the opening one stands.
    fn close(&mut self, kind: TokenKind, open: Span) -> Parsed<Span> {
        if self.eat(kind) {
            return Ok(self.last);
        }
        let message = format!("expected {} before {}", kind.describe(), self.describe_token());
        let opening = String::from_utf8_lossy(self.text.slice(open)).into_owned();
        self.errors.report_with(self.here(), message, vec![(open, format!("to match this '{opening}'"))]);
        Err(Failed)
    }

    /// Takes the semicolon that ends `what`, or reports that it is missing, right after what was taken last.
    fn semicolon(&mut self, what: &str) -> Parsed<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        let place = Span { start: self.last.end, end: self.last.end + 1 };
        self.errors.report(place, format!("expected ';' after {what}"));
        Err(Failed)
    }

    /// Takes an identifier, typedef names and soft keywords included.
    fn identifier(&mut self) -> Parsed<Identifier> {
        match self.token() {
            Token { kind: TokenKind::Identifier, name: Some(name), span } => {
                self.bump();
                Ok(Identifier { name, span })
            }
            _ => Err(self.expected("identifier")),
        }
    }

    /// Reports that something else was expected here.
    fn expected(&mut self, what: &str) -> Failed {
        let message = format!("expected {what} before {}", self.describe_token());
        self.fail(self.here(), message)
    }

    fn fail(&mut self, span: Span, message: impl Into<String>) -> Failed {
        self.errors.report(span, message);
        Failed
    }

    /// The current token as written, for messages.
    fn describe_token(&self) -> String {
        let token = self.token();
        match token.kind {
            TokenKind::End => "end of input".into(),
            TokenKind::String | TokenKind::Character | TokenKind::Stray => token.kind.describe().into(),
            _ => {
                let text = String::from_utf8_lossy(self.text.slice(token.span));
                let shown: String = text.chars().take(60).collect();
                format!("'{shown}'")
            }
        }
    }

    /// From a place to the last token taken.
    fn since(&self, start: Span) -> Span {
        start.to(self.last)
    }

    /// Goes one level down in the tree.
    fn enter(&mut self) -> Parsed<()> {
        self.descend_to(self.depth + 1)
    }

    /// Goes to a level of the tree.
    fn descend_to(&mut self, depth: usize) -> Parsed<()> {
        self.depth = depth;
        self.reached = self.reached.max(depth);
        self.check_depth()
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// What was built since `reached` was last set sinks by one level, into a node around it.
    fn sink(&mut self) -> Parsed<()> {
        self.reached += 1;
        self.check_depth()
    }

    fn check_depth(&mut self) -> Parsed<()> {
        if self.reached >= MAX_DEPTH {
            return Err(self.fail(self.here(), "nested too deeply"));
        }
        Ok(())
    }

    /// Begins to count the levels of a node that may be wrapped; gives what [`Self::end_node`] needs.
    fn begin_node(&mut self) -> usize {
        std::mem::replace(&mut self.reached, self.depth)
    }

    fn end_node(&mut self, outer: usize) {
        self.reached = self.reached.max(outer);
    }

    fn intern(&mut self, name: &str) -> Symbol {
        self.interner.intern(name)
    }

    /// An attribute of our own making.
    fn marker_attribute(&mut self, name: &str, span: Span) -> Attribute {
        Attribute { name: self.intern(name), arguments: Vec::new(), span }
    }
}
