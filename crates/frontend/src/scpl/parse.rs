//! Reading a program. A statement that is wrong is told and skipped, so that all mistakes are found at once.

use selvedge_program::{BinaryOp, Diagnostic, FileId, Span};

use super::error;
use super::lexer::{Token, lex};
use super::tree::*;

/// Statements and expressions are nested at most so deep: whoever looks at them recurses.
const DEEPEST: u32 = 200;

/// Expressions have at most so many operators, which may make a tree as deep.
const MOST_OPERATORS: u32 = 500;

/// Something is wrong, and has been told.
struct Wrong;

type Read<T> = Result<T, Wrong>;

/// Words that are no names.
const KEYWORDS: [&str; 14] = [
    "shared", "local", "int", "bool", "assume", "assert", "goto", "if", "else", "while", "skip", "atomic", "end",
    "then",
];

pub fn parse(file: FileId, text: &str) -> (Tree, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let tokens = lex(file, text, &mut diagnostics);
    let mut reader = Reader { tokens, next: 0, diagnostics, depth: 0, operators: 0 };
    let mut tree = Tree::default();
    while reader.sees_declaration() {
        let known = tree.variables.len();
        if reader.declaration(&mut tree.variables).is_err() {
            tree.variables.truncate(known);
            reader.skip_statement();
        }
    }
    while !reader.is_at_end() {
        if reader.sees("}") {
            reader.wrong::<()>("there is no block to end here").ok();
            reader.next += 1;
            continue;
        }
        match reader.statement() {
            Ok(statement) => tree.body.push(statement),
            Err(Wrong) => reader.skip_statement(),
        }
    }
    (tree, reader.diagnostics)
}

struct Reader {
    tokens: Vec<Token>,
    next: usize,
    diagnostics: Vec<Diagnostic>,
    depth: u32,
    operators: u32,
}

impl Reader {
    fn token(&self) -> &Token {
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn ahead(&self, by: usize) -> &str {
        self.tokens.get(self.next + by).map_or("", |token| &token.text)
    }

    fn sees(&self, text: &str) -> bool {
        self.token().text == text
    }

    fn is_at_end(&self) -> bool {
        self.token().text.is_empty()
    }

    fn takes(&mut self, text: &str) -> bool {
        let is_there = self.sees(text);
        self.next += usize::from(is_there);
        is_there
    }

    fn wrong<T>(&mut self, message: impl Into<String>) -> Read<T> {
        let span = self.token().span;
        self.diagnostics.push(error(span, message));
        Err(Wrong)
    }

    fn unexpected<T>(&mut self, expected: &str) -> Read<T> {
        let found =
            if self.is_at_end() { "the end of the file".to_owned() } else { format!("`{}`", self.token().text) };
        self.wrong(format!("expected {expected}, found {found}"))
    }

    fn expect(&mut self, text: &str) -> Read<()> {
        if self.takes(text) { Ok(()) } else { self.unexpected(&format!("`{text}`")) }
    }

    /// From the first token of something to the last one that has been read.
    fn since(&self, first: Span) -> Span {
        let last = self.tokens[self.next.saturating_sub(1)].span;
        let length = if last.line == first.line { last.end.column - first.column } else { first.length };
        Span { length, end: last.end, ..first }
    }

    /// To what may be the next statement.
    fn skip_statement(&mut self) {
        let mut open = 0_u32;
        while !self.is_at_end() {
            match self.token().text.as_str() {
                ";" if open == 0 => {
                    self.next += 1;
                    return;
                }
                "}" if open == 0 => return,
                "{" => open += 1,
                "}" => {
                    open -= 1;
                    if open == 0 {
                        self.next += 1;
                        return;
                    }
                }
                _ => {}
            }
            self.next += 1;
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEEPEST {
            return self.wrong("this is nested too deep");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// `shared …` or `local …`, with the number 0 that Section 2 of the paper puts before it.
    fn sees_declaration(&self) -> bool {
        let is_declared = |word: &str| word == "shared" || word == "local";
        is_declared(self.ahead(0)) || self.sees("0") && self.ahead(1) == ":" && is_declared(self.ahead(2))
    }

    fn declaration(&mut self, variables: &mut Vec<Declared>) -> Read<()> {
        if self.takes("0") {
            self.expect(":")?;
        }
        let owner = if self.takes("shared") { Owner::Shared } else { Owner::Local };
        if owner == Owner::Local {
            self.expect("local")?;
        }
        let kind = if !self.takes("int") && self.takes("bool") { Type::Bool } else { Type::Int };
        loop {
            let name = self.name("a variable")?;
            if !self.takes("=") {
                return self.wrong(format!("`{}` needs an initial value", name.text));
            }
            let span = self.token().span;
            let initial = self.literal()?;
            if kind == Type::Bool && !(0..=1).contains(&initial) {
                self.diagnostics.push(error(span, "a `bool` is 0 or 1"));
            }
            variables.push(Declared { owner, kind, name, initial });
            if !self.takes(",") {
                break;
            }
        }
        self.expect(";")
    }

    fn is_number(text: &str) -> bool {
        text.starts_with(|c: char| c.is_ascii_digit())
    }

    fn name(&mut self, what: &str) -> Read<Name> {
        let Token { text, span } = self.token().clone();
        let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !is_name || KEYWORDS.contains(&text.as_str()) {
            return self.unexpected(what);
        }
        self.next += 1;
        Ok(Name { text, span })
    }

    /// A number or a name, as labels are.
    fn label(&mut self) -> Read<Name> {
        let Token { text, span } = self.token().clone();
        if Self::is_number(&text) || text == "end" {
            self.next += 1;
            return Ok(Name { text, span });
        }
        self.name("a label")
    }

    fn literal(&mut self) -> Read<i32> {
        let is_negative = self.takes("-");
        self.number(is_negative)
    }

    fn number(&mut self, is_negative: bool) -> Read<i32> {
        if !Self::is_number(&self.token().text) {
            return self.unexpected("a number");
        }
        let magnitude: Option<i64> = self.token().text.parse().ok();
        let value = magnitude.map(|magnitude| if is_negative { -magnitude } else { magnitude });
        match value.and_then(|value| i32::try_from(value).ok()) {
            Some(value) => {
                self.next += 1;
                Ok(value)
            }
            None => self.wrong("this is no number that has room in 32 bits"),
        }
    }

    fn statement(&mut self) -> Read<Statement> {
        let mut labels = Vec::new();
        while self.ahead(1) == ":" {
            labels.push(self.label()?);
            self.expect(":")?;
        }
        let first = self.token().span;
        let kind = match self.token().text.as_str() {
            "if" => return self.conditional(labels, first),
            "while" => {
                self.next += 1;
                let condition = self.condition()?;
                let span = self.since(first);
                let body = self.block()?;
                return Ok(Statement { labels, span, kind: Kind::While(condition, body) });
            }
            "atomic" => {
                self.next += 1;
                let span = self.since(first);
                let body = self.block()?;
                return Ok(Statement { labels, span, kind: Kind::Atomic(body) });
            }
            "skip" => {
                self.next += 1;
                Kind::Skip
            }
            "assume" => {
                self.next += 1;
                Kind::Assume(self.whole_expr()?)
            }
            "assert" => {
                self.next += 1;
                Kind::Assert(self.whole_expr()?)
            }
            "goto" => {
                self.next += 1;
                let mut targets = vec![self.label()?];
                while self.takes(",") {
                    targets.push(self.label()?);
                }
                Kind::Goto(targets)
            }
            _ => {
                let name = self.name("a statement")?;
                if !self.takes("=") && !self.takes(":=") {
                    return self.unexpected("`=`");
                }
                Kind::Assign(name, self.value()?)
            }
        };
        let span = self.since(first);
        self.expect(";")?;
        Ok(Statement { labels, span, kind })
    }

    fn conditional(&mut self, labels: Vec<Name>, first: Span) -> Read<Statement> {
        self.expect("if")?;
        let condition = self.condition()?;
        let span = self.since(first);
        let then = self.block()?;
        let otherwise = if self.takes("else") {
            if self.sees("if") {
                let first = self.token().span;
                vec![self.deeper(|reader| reader.conditional(Vec::new(), first))?]
            } else {
                self.block()?
            }
        } else {
            Vec::new()
        };
        Ok(Statement { labels, span, kind: Kind::If(condition, then, otherwise) })
    }

    /// `{ … }`; what is wrong in it is told here.
    fn block(&mut self) -> Read<Vec<Statement>> {
        self.expect("{")?;
        self.deeper(|reader| {
            let mut body = Vec::new();
            while !reader.takes("}") {
                if reader.is_at_end() {
                    return reader.unexpected("`}`");
                }
                match reader.statement() {
                    Ok(statement) => body.push(statement),
                    Err(Wrong) => reader.skip_statement(),
                }
            }
            Ok(body)
        })
    }

    /// `(e)` or `(*)`.
    fn condition(&mut self) -> Read<Value> {
        self.expect("(")?;
        let value = self.value()?;
        self.expect(")")?;
        Ok(value)
    }

    fn value(&mut self) -> Read<Value> {
        if self.takes("*") { Ok(Value::Any) } else { Ok(Value::Of(self.whole_expr()?)) }
    }

    fn whole_expr(&mut self) -> Read<Expr> {
        self.operators = 0;
        self.expr(1)
    }

    /// Operators that bind at least so tightly.
    fn expr(&mut self, loosest: u32) -> Read<Expr> {
        let mut left = self.deeper(Self::operand)?;
        while let Some((binds, operator)) = operator(&self.token().text).filter(|(binds, _)| *binds >= loosest) {
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                return self.wrong(format!("there are more than {MOST_OPERATORS} operators"));
            }
            self.next += 1;
            let right = self.deeper(|reader| reader.expr(binds + 1))?;
            let span = self.since(left.span);
            left = Expr { span, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    fn operand(&mut self) -> Read<Expr> {
        let first = self.token().span;
        let kind = if self.takes("(") {
            let inner = self.deeper(|reader| reader.expr(1))?;
            self.expect(")")?;
            inner.kind
        } else if self.takes("!") {
            ExprKind::Not(Box::new(self.deeper(Self::operand)?))
        } else if self.takes("-") {
            if Self::is_number(&self.token().text) {
                ExprKind::Number(self.number(true)?)
            } else {
                ExprKind::Negate(Box::new(self.deeper(Self::operand)?))
            }
        } else if Self::is_number(&self.token().text) {
            ExprKind::Number(self.number(false)?)
        } else {
            ExprKind::Variable(self.name("an expression")?.text)
        };
        Ok(Expr { span: self.since(first), kind })
    }
}

/// How tightly an operator binds, as in C.
fn operator(sign: &str) -> Option<(u32, Operator)> {
    Some(match sign {
        "||" => (1, Operator::Or),
        "&&" => (2, Operator::And),
        "==" => (3, Operator::Equal),
        "!=" => (3, Operator::Differ),
        "<" => (4, Operator::Less),
        "<=" => (4, Operator::LessEqual),
        ">" => (4, Operator::Greater),
        ">=" => (4, Operator::GreaterEqual),
        "+" => (5, Operator::Arithmetic(BinaryOp::Add)),
        "-" => (5, Operator::Arithmetic(BinaryOp::Subtract)),
        "*" => (6, Operator::Arithmetic(BinaryOp::Multiply)),
        "/" => (6, Operator::Arithmetic(BinaryOp::DivideSigned)),
        "%" => (6, Operator::Arithmetic(BinaryOp::RemainderSigned)),
        _ => return None,
    })
}
