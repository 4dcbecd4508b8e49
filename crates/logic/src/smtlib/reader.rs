//! Reads text into expressions: atoms and lists, in one flat store, so that no depth of nesting needs a deep stack.

use super::{ParseError, Place};

/// An expression in a [`Reader`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Expr(usize);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// A symbol, without the bars of a quoted one.
    Symbol(String),
    /// A keyword such as `:named`.
    Keyword(String),
    /// Decimal digits.
    Number(String),
    /// The digits after `#x`.
    Hex(String),
    /// The digits after `#b`.
    Binary(String),
    /// A string literal or another constant with no meaning here.
    Text(String),
    List(Vec<Expr>),
}

#[derive(Debug, Default)]
pub(super) struct Reader {
    nodes: Vec<(Shape, Place)>,
}

impl Reader {
    /// All expressions of the text.
    pub fn read(text: &str) -> Result<(Reader, Vec<Expr>), ParseError> {
        let mut reader = Reader::default();
        let mut cursor = Cursor { rest: text, place: Place { line: 1, column: 1 } };
        let mut open: Vec<(Place, Vec<Expr>)> = Vec::new();
        let mut top = Vec::new();
        loop {
            cursor.skip_blanks();
            let place = cursor.place;
            let done = match cursor.peek() {
                None => break,
                Some('(') => {
                    cursor.bump();
                    open.push((place, Vec::new()));
                    continue;
                }
                Some(')') => {
                    cursor.bump();
                    let Some((start, items)) = open.pop() else {
                        return Err(place.error("a closing parenthesis without an opening one"));
                    };
                    reader.push(Shape::List(items), start)
                }
                Some(_) => {
                    let atom = cursor.atom()?;
                    reader.push(atom, place)
                }
            };
            match open.last_mut() {
                Some((_, items)) => items.push(done),
                None => top.push(done),
            }
        }
        match open.pop() {
            Some((start, _)) => Err(start.error("this parenthesis is never closed")),
            None => Ok((reader, top)),
        }
    }

    fn push(&mut self, shape: Shape, place: Place) -> Expr {
        self.nodes.push((shape, place));
        Expr(self.nodes.len() - 1)
    }

    pub fn shape(&self, expr: Expr) -> &Shape {
        &self.nodes[expr.0].0
    }

    pub fn place(&self, expr: Expr) -> Place {
        self.nodes[expr.0].1
    }

    pub fn list(&self, expr: Expr) -> Option<&[Expr]> {
        match self.shape(expr) {
            Shape::List(items) => Some(items),
            _ => None,
        }
    }

    pub fn symbol(&self, expr: Expr) -> Option<&str> {
        match self.shape(expr) {
            Shape::Symbol(name) => Some(name),
            _ => None,
        }
    }

    pub fn number(&self, expr: Expr) -> Option<u32> {
        match self.shape(expr) {
            Shape::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }
}

struct Cursor<'a> {
    rest: &'a str,
    place: Place,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.rest = &self.rest[next.len_utf8()..];
        if next == '\n' {
            self.place = Place { line: self.place.line.saturating_add(1), column: 1 };
        } else {
            self.place.column = self.place.column.saturating_add(1);
        }
        Some(next)
    }

    fn skip_blanks(&mut self) {
        while let Some(next) = self.peek() {
            if next == ';' {
                while self.peek().is_some_and(|next| next != '\n') {
                    self.bump();
                }
            } else if next.is_whitespace() {
                self.bump();
            } else {
                break;
            }
        }
    }

    fn until(&mut self, end: char, what: &str) -> Result<String, ParseError> {
        let place = self.place;
        self.bump();
        let mut text = String::new();
        loop {
            match self.bump() {
                Some(next) if next == end => return Ok(text),
                Some(next) => text.push(next),
                None => return Err(place.error(format!("this {what} is never closed"))),
            }
        }
    }

    fn atom(&mut self) -> Result<Shape, ParseError> {
        let place = self.place;
        match self.peek() {
            Some('|') => return Ok(Shape::Symbol(self.until('|', "quoted symbol")?)),
            Some('"') => {
                let mut text = self.until('"', "string")?;
                while self.peek() == Some('"') {
                    text.push('"');
                    text.push_str(&self.until('"', "string")?);
                }
                return Ok(Shape::Text(text));
            }
            _ => {}
        }
        let mut word = String::new();
        while let Some(next) = self.peek().filter(|next| !next.is_whitespace() && !"()|\";".contains(*next)) {
            word.push(next);
            self.bump();
        }
        if let Some(digits) = word.strip_prefix("#x") {
            let right = !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_hexdigit());
            return if right {
                Ok(Shape::Hex(digits.to_string()))
            } else {
                Err(place.error("hexadecimal digits follow `#x`"))
            };
        }
        if let Some(digits) = word.strip_prefix("#b") {
            let right = !digits.is_empty() && digits.chars().all(|digit| matches!(digit, '0' | '1'));
            return if right {
                Ok(Shape::Binary(digits.to_string()))
            } else {
                Err(place.error("binary digits follow `#b`"))
            };
        }
        if word.starts_with(':') {
            return Ok(Shape::Keyword(word));
        }
        if word.chars().all(|digit| digit.is_ascii_digit()) {
            return Ok(Shape::Number(word));
        }
        if word.starts_with(|first: char| first.is_ascii_digit()) {
            return Ok(Shape::Text(word));
        }
        Ok(Shape::Symbol(word))
    }
}
