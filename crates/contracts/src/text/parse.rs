//! Reading a specification:
//!
//! ```text
//! specification = { "shared" [ type ] place [ "=" value ] { "," place [ "=" value ] } ";"
//!                 | ( "initially" | "invariant" ) condition ";" | thread | modular }
//! thread  = ( "thread" | "threads" ) name "{" { [ "initial" ] "state" name "{" { item } "}" | environment } "}"
//! item    = "assert" condition ";" | "to" name [ ":" label ] ";"
//! label   = part { "," part } [ "," frame ] | frame | "create" name | "join" [ name ]
//! part    = relation | ( "acquire" | "release" ) "(" place ")" | "hand_over" "(" place "," value "," value ")"
//! frame   = "unchanged" [ "except" place { "," place } ]
//! environment = "environment" label ";"
//! modular = "modular" ( "thread" | "threads" ) name
//!           "{" { ( "requires" | "invariant" | "ensures" ) condition ";" | "step" label ";" | environment } "}"
//! ```
//! What is wrong is told and skipped, so that all mistakes are found at once.

use selvedge_program::{Diagnostic, Span};

use super::lexer::{Lexed, Token};
use super::tree::*;
use crate::spec::Instances;

/// Something is wrong, and has been told.
struct Wrong;

type Read<T> = Result<T, Wrong>;

/// Words that begin something, and are no names of states.
pub const KEYWORDS: [&str; 18] = [
    "shared",
    "initially",
    "invariant",
    "thread",
    "threads",
    "modular",
    "initial",
    "state",
    "assert",
    "to",
    "environment",
    "requires",
    "step",
    "ensures",
    "unchanged",
    "except",
    "acquire",
    "release",
];

/// The tree of a text, and what is wrong with it.
pub fn parse(text: &str, lexed: Lexed) -> (Tree, Vec<Diagnostic>) {
    let Lexed { tokens, comments, diagnostics } = lexed;
    let mut blanked: Vec<u8> = text.as_bytes().to_vec();
    for comment in comments {
        blanked[comment.start..comment.end].fill(b' ');
    }
    let text = String::from_utf8(blanked).unwrap_or_default();
    let mut reader = Reader { text, tokens, next: 0, diagnostics };
    let mut tree = Tree::default();
    while !reader.is_at_end() {
        if reader.top(&mut tree).is_err() {
            reader.skip();
        }
    }
    (tree, reader.diagnostics)
}

struct Reader {
    /// With blanks for comments.
    text: String,
    tokens: Vec<Token>,
    next: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Reader {
    fn token(&self) -> &Token {
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn sees(&self, text: &str) -> bool {
        self.token().text == text
    }

    fn sees_call(&self, name: &str) -> bool {
        self.sees(name) && self.tokens.get(self.next + 1).is_some_and(|token| token.text == "(")
    }

    fn is_at_end(&self) -> bool {
        self.token().text.is_empty()
    }

    fn takes(&mut self, text: &str) -> bool {
        let is_there = self.sees(text);
        self.next += usize::from(is_there);
        is_there
    }

    fn unexpected<T>(&mut self, expected: &str) -> Read<T> {
        let found =
            if self.is_at_end() { "the end of the file".to_owned() } else { format!("`{}`", self.token().text) };
        let message = format!("expected {expected}, found {found}");
        self.diagnostics.push(Diagnostic::error(self.token().span, message));
        Err(Wrong)
    }

    fn expect(&mut self, text: &str) -> Read<()> {
        if self.takes(text) { Ok(()) } else { self.unexpected(&format!("`{text}`")) }
    }

    fn name(&mut self, what: &str) -> Read<Name> {
        let token = self.token();
        let is_name = token.is_word() && !token.text.starts_with(|c: char| c.is_ascii_digit());
        if !is_name || KEYWORDS.contains(&token.text.as_str()) {
            return self.unexpected(what);
        }
        let name = Name { text: token.text.clone(), span: token.span };
        self.next += 1;
        Ok(name)
    }

    /// The name of a function: any word, as the program may use those that mean something here.
    fn function(&mut self) -> Read<Name> {
        let token = self.token();
        if !token.is_word() || token.text.starts_with(|c: char| c.is_ascii_digit()) {
            return self.unexpected("the name of a thread function");
        }
        let name = Name { text: token.text.clone(), span: token.span };
        self.next += 1;
        Ok(name)
    }

    /// From the first token of something to the last one that has been read.
    fn since(&self, first: Span) -> Span {
        let last = self.tokens[self.next.saturating_sub(1)].span;
        let length = if last.line == first.line { last.end.column - first.column } else { first.length };
        Span { length, end: last.end, ..first }
    }

    /// To what may be the next statement, or the end of what this one is in.
    fn skip(&mut self) {
        let mut open = 0_u32;
        while !self.is_at_end() {
            match self.token().text.as_str() {
                ";" if open == 0 => {
                    self.next += 1;
                    return;
                }
                "{" => open += 1,
                "}" if open <= 1 => {
                    self.next += 1;
                    return;
                }
                "}" => open -= 1,
                _ => {}
            }
            self.next += 1;
        }
    }

    /// The tokens up to one of these signs that is in no parentheses. At least one.
    fn piece(&mut self, what: &str, ends: &[&str]) -> Read<Piece> {
        let first = self.next;
        let mut open = 0_u32;
        while !self.is_at_end() {
            match self.token().text.as_str() {
                "(" | "[" => open += 1,
                ")" | "]" if open > 0 => open -= 1,
                sign if ["{", "}", ";"].contains(&sign) || open == 0 && ends.contains(&sign) => break,
                _ => {}
            }
            self.next += 1;
        }
        if self.next == first {
            return self.unexpected(what);
        }
        let (start, end) = (self.tokens[first].start, self.tokens[self.next - 1].end());
        let tokens = self.tokens[first..self.next].iter();
        let tokens = tokens.map(|token| (self.text[start..token.start].chars().count(), token.span)).collect();
        let span = self.since(self.tokens[first].span);
        Ok(Piece { text: self.text[start..end].to_owned(), tokens, span })
    }

    fn top(&mut self, tree: &mut Tree) -> Read<()> {
        match self.token().text.as_str() {
            "shared" => self.declaration(&mut tree.declared),
            "initially" => self.condition().map(|piece| tree.initially.push(piece)),
            "invariant" => self.condition().map(|piece| tree.invariants.push(piece)),
            "thread" | "threads" => self.thread().map(|thread| tree.threads.push(thread)),
            "modular" => self.modular().map(|thread| tree.threads.push(thread)),
            _ => self.unexpected("`shared`, `initially`, `invariant`, `thread`, `threads` or `modular`"),
        }
    }

    /// A keyword, a condition and a semicolon.
    fn condition(&mut self) -> Read<Piece> {
        self.next += 1;
        let piece = self.piece("a condition", &[])?;
        self.expect(";")?;
        Ok(piece)
    }

    fn declaration(&mut self, declared: &mut Vec<Declared>) -> Read<()> {
        self.next += 1;
        let kind = self.kind();
        loop {
            let place = self.piece("a variable", &[",", "="])?;
            let initial = if self.takes("=") { Some(self.piece("a value", &[","])?) } else { None };
            declared.push(Declared { kind: kind.clone(), place, initial });
            if !self.takes(",") {
                return self.expect(";");
            }
        }
    }

    /// The words before a variable, and stars.
    fn kind(&mut self) -> Option<Name> {
        let first = self.next;
        let is_part = |token: &Token| token.is_word() || token.text == "*";
        // The last word before a sign is the variable's.
        while is_part(self.token()) && self.tokens.get(self.next + 1).is_some_and(is_part)
            || self.next > first && self.sees("*")
        {
            self.next += 1;
        }
        if self.next == first {
            return None;
        }
        let words: Vec<&str> = self.tokens[first..self.next].iter().map(|token| token.text.as_str()).collect();
        Some(Name { text: words.join(" "), span: self.since(self.tokens[first].span) })
    }

    /// `thread f {`, `threads f {`.
    fn heading(&mut self) -> Read<(Name, Instances)> {
        let instances = if self.takes("threads") {
            Instances::Any
        } else {
            self.expect("thread")?;
            Instances::Exactly(1)
        };
        let name = self.function()?;
        self.expect("{")?;
        Ok((name, instances))
    }

    fn thread(&mut self) -> Read<ThreadTree> {
        let told = self.diagnostics.len();
        let (name, instances) = self.heading()?;
        let (mut states, mut environment) = (Vec::new(), Vec::new());
        while !self.takes("}") {
            let read = match self.token().text.as_str() {
                "state" | "initial" => self.state().map(|state| states.push(state)),
                "environment" => self.labelled().map(|label| environment.push(label)),
                _ => self.unexpected("`state`, `initial`, `environment` or `}`"),
            };
            self.go_on(read)?;
        }
        Ok(ThreadTree {
            name,
            instances,
            body: Body::Machine(states),
            environment,
            is_whole: self.diagnostics.len() == told,
        })
    }

    fn modular(&mut self) -> Read<ThreadTree> {
        self.next += 1;
        let told = self.diagnostics.len();
        let (name, instances) = self.heading()?;
        let mut environment = Vec::new();
        let (mut requires, mut invariants, mut steps, mut ensures) = (vec![], vec![], vec![], vec![]);
        while !self.takes("}") {
            let read = match self.token().text.as_str() {
                "requires" => self.condition().map(|piece| requires.push(piece)),
                "invariant" => self.condition().map(|piece| invariants.push(piece)),
                "ensures" => self.condition().map(|piece| ensures.push(piece)),
                "step" => self.labelled().map(|label| steps.push(label)),
                "environment" => self.labelled().map(|label| environment.push(label)),
                _ => self.unexpected("`requires`, `invariant`, `step`, `ensures`, `environment` or `}`"),
            };
            self.go_on(read)?;
        }
        let body = Body::Modular { requires, invariants, steps, ensures };
        Ok(ThreadTree { name, instances, body, environment, is_whole: self.diagnostics.len() == told })
    }

    /// After something wrong in braces: at the next statement in them.
    fn go_on(&mut self, read: Read<()>) -> Read<()> {
        if read.is_ok() {
            return Ok(());
        }
        while !self.is_at_end() && !self.sees("}") && !self.takes(";") {
            if self.sees("{") {
                self.skip();
                return Ok(());
            }
            self.next += 1;
        }
        if self.is_at_end() { Err(Wrong) } else { Ok(()) }
    }

    fn state(&mut self) -> Read<StateTree> {
        let is_initial = self.takes("initial");
        self.expect("state")?;
        let name = self.name("the name of a state")?;
        self.expect("{")?;
        let (mut assertions, mut edges) = (Vec::new(), Vec::new());
        while !self.takes("}") {
            let read = match self.token().text.as_str() {
                "assert" => self.condition().map(|piece| assertions.push(piece)),
                "to" => self.edge().map(|edge| edges.push(edge)),
                _ => self.unexpected("`assert`, `to` or `}`"),
            };
            self.go_on(read)?;
        }
        Ok(StateTree { name, is_initial, assertions, edges })
    }

    fn edge(&mut self) -> Read<EdgeTree> {
        let first = self.token().span;
        self.next += 1;
        let target = self.name("the name of a state")?;
        let mut label = if self.takes(":") {
            self.label()?
        } else {
            Label { parts: Vec::new(), frame: None, life: None, span: first }
        };
        label.span = self.since(first);
        self.expect(";")?;
        Ok(EdgeTree { target, label })
    }

    /// A keyword, a label and a semicolon.
    fn labelled(&mut self) -> Read<Label> {
        self.next += 1;
        let label = self.label()?;
        self.expect(";")?;
        Ok(label)
    }

    fn label(&mut self) -> Read<Label> {
        let first = self.token().span;
        if let Some(life) = self.life()? {
            return Ok(Label { parts: Vec::new(), frame: None, life: Some(life), span: self.since(first) });
        }
        let (mut parts, mut frame) = (Vec::new(), None);
        loop {
            if self.sees("unchanged") {
                frame = Some(self.frame()?);
                break;
            }
            parts.push(self.part()?);
            if !self.takes(",") {
                break;
            }
        }
        Ok(Label { parts, frame, life: None, span: self.since(first) })
    }

    /// `create f`, `join f`, `join`: where a sign follows, the word is a variable's name.
    fn life(&mut self) -> Read<Option<LifeTree>> {
        let next = self.tokens.get(self.next + 1);
        let names = next.is_some_and(Token::is_word);
        if self.sees("create") && names {
            self.next += 1;
            return Ok(Some(LifeTree::Create(self.function()?)));
        }
        if self.sees("join") && (names || next.is_some_and(|token| token.text == ";")) {
            self.next += 1;
            let name = if names { Some(self.function()?) } else { None };
            return Ok(Some(LifeTree::Join(name)));
        }
        Ok(None)
    }

    fn part(&mut self) -> Read<Part> {
        let is_acquire = self.sees_call("acquire");
        if is_acquire || self.sees_call("release") {
            self.next += 2;
            let place = self.piece("a lock", &[")", ","])?;
            self.expect(")")?;
            return Ok(if is_acquire { Part::Acquire(place) } else { Part::Release(place) });
        }
        if self.sees_call("hand_over") {
            self.next += 2;
            let what = self.piece("a variable", &[")", ","])?;
            self.expect(",")?;
            let from = self.piece("a value", &[")", ","])?;
            self.expect(",")?;
            let to = self.piece("a value", &[")", ","])?;
            self.expect(")")?;
            return Ok(Part::HandOver { what, from, to });
        }
        Ok(Part::Relation(self.piece("a relation between the values before and after the step", &[","])?))
    }

    fn frame(&mut self) -> Read<Frame> {
        let first = self.token().span;
        self.next += 1;
        let mut except = Vec::new();
        if self.takes("except") {
            loop {
                except.push(self.piece("a variable", &[","])?);
                if !self.takes(",") {
                    break;
                }
            }
        }
        Ok(Frame { except, span: self.since(first) })
    }
}
