//! Going on after an error, and trying what may not work.

use super::specifier::starts_declaration;
use super::{Failed, LOOKAHEAD, Parsed, Parser, Trial};
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// Skips to where the next declaration at file scope may begin. `start` is the count of tokens before the failed
    /// one.
    pub(super) fn skip_to_declaration(&mut self, start: usize) {
        let mut open = 0usize;
        loop {
            let kind = self.kind();
            match kind {
                TokenKind::End => return,
                TokenKind::LeftBrace => open += 1,
                TokenKind::RightBrace if open <= 1 => {
                    self.bump();
                    return;
                }
                TokenKind::RightBrace => open -= 1,
                TokenKind::Semicolon if open == 0 => {
                    self.bump();
                    return;
                }
                _ if open == 0 && self.consumed > start && starts_declaration(kind) && self.is_first_on_line() => {
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips to where the next statement, declaration or member of the innermost braces may begin; a closing brace
    /// stays.
    pub(super) fn skip_to_item(&mut self, start: usize) {
        let mut open = 0usize;
        loop {
            let kind = self.kind();
            match kind {
                TokenKind::End => return,
                TokenKind::LeftBrace => open += 1,
                TokenKind::RightBrace if open == 0 => return,
                TokenKind::RightBrace => {
                    open -= 1;
                    if open == 0 {
                        self.bump();
                        return;
                    }
                }
                TokenKind::Semicolon if open == 0 => {
                    self.bump();
                    return;
                }
                _ if open == 0 && self.consumed > start && self.may_start_item(kind) => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// Statement keywords stand nowhere else; a type may also be that of a parameter or cast, unless it begins a line.
    fn may_start_item(&self, kind: TokenKind) -> bool {
        use TokenKind::{Break, Case, Continue, Default, Do, For, Goto, If, Return, Switch, While};
        matches!(kind, Break | Case | Continue | Default | Do | For | Goto | If | Return | Switch | While)
            || starts_declaration(kind) && self.is_first_on_line()
    }

    /// Whether only blanks (not too many) stand before the current token on its line.
    fn is_first_on_line(&self) -> bool {
        let start = self.here().start as usize;
        let before = self.text.bytes().get(start.saturating_sub(200)..start).unwrap_or_default();
        let blanks = before.iter().rev().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
        blanks == start || before.iter().rev().nth(blanks) == Some(&b'\n')
    }

    /// Skips what is in balance, up to a closing bracket that was not opened here, or a comma outside brackets; neither
    /// is taken.
    pub(super) fn skip_balanced(&mut self) -> Parsed<()> {
        let mut open: Vec<TokenKind> = Vec::new();
        loop {
            let closing = match self.token().kind {
                TokenKind::LeftParen => TokenKind::RightParen,
                TokenKind::LeftBracket => TokenKind::RightBracket,
                TokenKind::LeftBrace => TokenKind::RightBrace,
                kind @ (TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace) => match open.pop() {
                    None => return Ok(()),
                    Some(expected) if expected == kind => {
                        self.bump();
                        continue;
                    }
                    Some(expected) => return Err(self.expected(expected.describe())),
                },
                TokenKind::Comma if open.is_empty() => return Ok(()),
                TokenKind::End => return Err(self.expected("')'")),
                _ => {
                    self.bump();
                    continue;
                }
            };
            open.push(closing);
            self.bump();
        }
    }

    /// Parses something that may turn out not to be there: then everything is as before, and nothing is reported.
    /// Trials do not nest, so that no text is parsed more than twice.
    pub(super) fn attempt<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Option<T> {
        if self.trial == Trial::Running {
            return None;
        }
        let (errors, scopes, depth, reached) = (self.errors.count(), self.scopes.depth(), self.depth, self.reached);
        let (position, last, consumed) = (self.positions[0], self.last, self.consumed);
        self.trial = Trial::Running;
        self.scopes.enter();
        let result = parse(self);
        self.scopes.leave_to(scopes);
        self.trial = Trial::No;
        match result {
            Ok(value) if self.errors.count() == errors => Some(value),
            _ => {
                self.errors.forget_after(errors);
                self.lexer.go_to(position);
                self.window[0] = self.lexer.next(self.interner, &mut self.errors);
                self.buffered = 1;
                self.positions = [position; LOOKAHEAD + 1];
                (self.depth, self.reached, self.last, self.consumed) = (depth, reached, last, consumed);
                None
            }
        }
    }

    /// Parses an item of a list in braces; after an error skips to the next, leaving scopes and levels as they were.
    pub(super) fn item_or_skip<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Option<T> {
        let (start, scopes, depth, reached) = (self.consumed, self.scopes.depth(), self.depth, self.reached);
        match parse(self) {
            Ok(item) => Some(item),
            Err(Failed) => {
                self.scopes.leave_to(scopes);
                (self.depth, self.reached) = (depth, reached);
                self.skip_to_item(start);
                None
            }
        }
    }
}
