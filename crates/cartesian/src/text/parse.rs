//! Reading descriptions of exception sets.

use selvedge_program::{Display, FunctionId, LocationId, ObjectId, ObjectKind, Program, Shape};
use thiserror::Error;

use super::spots::{Comparison, Operator, Place, Spot};
use super::{Block, Clause, Condition, Described, Quantity, Who};

/// What is wrong with a description.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct SyntaxError {
    /// The line of the description, from 1.
    pub line: usize,
    /// What.
    pub message: String,
}

/// Reads a description for a program.
///
/// # Errors
/// For what is not in the form, and for names that the program does not have.
pub fn parse(program: &Program, text: &str) -> Result<Described, SyntaxError> {
    let mut blocks: Vec<Block> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let wrong = |message: String| SyntaxError { line: index + 1, message };
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let mut reader = Reader { program, tokens: tokens(line).map_err(wrong)?, next: 0 };
        if reader.takes("when") {
            let conditions = reader.conditions().map_err(wrong)?;
            blocks.push(Block { conditions, products: Vec::new() });
        } else {
            let product = reader.product().map_err(wrong)?;
            let block =
                blocks.last_mut().ok_or_else(|| wrong("a product must stand under a line `when …:`".to_owned()))?;
            block.products.push(product);
        }
        reader.end().map_err(wrong)?;
    }
    Ok(Described::new(blocks))
}

fn tokens(line: &str) -> Result<Vec<String>, String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
            continue;
        } else if is_word(first) || first == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            1 + rest[1..].find(|c| !is_word(c)).unwrap_or(rest.len() - 1)
        } else if ["==", "!=", "<=", ">="].iter().any(|operator| rest.starts_with(operator)) {
            2
        } else if "<>{}|;:,.[]".contains(first) {
            1
        } else {
            return Err(format!("`{first}` has no meaning here"));
        };
        found.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    Ok(found)
}

struct Reader<'p> {
    program: &'p Program,
    tokens: Vec<String>,
    next: usize,
}

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.next).map_or("", String::as_str)
    }

    fn take(&mut self) -> String {
        let token = self.peek().to_owned();
        self.next += 1;
        token
    }

    fn takes(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.takes(token) { Ok(()) } else { Err(self.surprise(&format!("`{token}`"))) }
    }

    fn surprise(&self, expected: &str) -> String {
        match self.peek() {
            "" => format!("expected {expected} at the end of the line"),
            found => format!("expected {expected}, found `{found}`"),
        }
    }

    fn end(&self) -> Result<(), String> {
        if self.next >= self.tokens.len() { Ok(()) } else { Err(self.surprise("the end of the line")) }
    }

    fn number(&mut self) -> Result<i128, String> {
        let expected = self.surprise("a number");
        self.take().parse().map_err(|_| expected)
    }

    fn comparison(&mut self) -> Result<Comparison, String> {
        let operator = match self.peek() {
            "==" => Operator::Equal,
            "!=" => Operator::Unequal,
            "<" => Operator::Less,
            "<=" => Operator::LessOrEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterOrEqual,
            _ => return Err(self.surprise("a comparison such as `==`")),
        };
        self.next += 1;
        Ok(Comparison { operator, number: self.number()? })
    }

    fn conditions(&mut self) -> Result<Vec<Condition>, String> {
        let mut found = Vec::new();
        if !self.takes("always") {
            loop {
                found.push(self.condition()?);
                if !self.takes("and") {
                    break;
                }
            }
        }
        self.expect(":")?;
        Ok(found)
    }

    fn condition(&mut self) -> Result<Condition, String> {
        let name = self.take();
        let is_global = |object: &selvedge_program::Object| object.name == name && object.kind == ObjectKind::Global;
        let object = self.program.objects.iter().position(is_global);
        let object = object.ok_or_else(|| format!("the program has no shared variable `{name}`"))?;
        let definition = &self.program.objects[object];
        let (mut shape, mut offset) = (&definition.shape, 0);
        loop {
            if self.takes(".") {
                let member = self.take();
                let Shape::Record(members) = shape else { return Err(format!("`{name}` has no members")) };
                let found = members.iter().find(|found| found.name == member);
                let found = found.ok_or_else(|| format!("`{name}` has no member `{member}`"))?;
                (shape, offset) = (&found.shape, offset + found.offset);
            } else if self.takes("[") {
                let index = u64::try_from(self.number()?).map_err(|_| "a negative index".to_owned())?;
                self.expect("]")?;
                let Shape::Array { element, stride, length } = shape else {
                    return Err(format!("`{name}` is no array"));
                };
                if *length > 0 && index >= *length {
                    return Err(format!("`{name}` has only {length} elements"));
                }
                (shape, offset) = (element, offset + stride * index);
            } else {
                break;
            }
        }
        let object = ObjectId::new(object);
        match self.peek() {
            "held" | "free" => Ok(Condition::Held(object, offset, self.take() == "held")),
            _ => {
                let Shape::Scalar { size, display } = shape else {
                    return Err(format!(
                        "`{name}` is no number here; name a member or an element, or say `held` or `free` of a lock"
                    ));
                };
                let (size, signed) = (*size, *display == Display::Signed);
                Ok(Condition::Variable { object, offset, size, signed, comparison: self.comparison()? })
            }
        }
    }

    fn product(&mut self) -> Result<Vec<Clause>, String> {
        let mut clauses = vec![self.clause()?];
        while self.takes(";") {
            clauses.push(self.clause()?);
        }
        Ok(clauses)
    }

    fn clause(&mut self) -> Result<Clause, String> {
        let quantity = match self.peek() {
            "thread" => {
                self.next += 1;
                let thread = usize::try_from(self.number()?).map_err(|_| "a negative thread".to_owned())?;
                return self.spots(Who::Thread(thread));
            }
            "every" => Quantity::Every,
            "one" => Quantity::One,
            "others" | "other" => Quantity::Others,
            "exactly" => {
                self.next += 1;
                if self.peek() != "one" {
                    return Err(self.surprise("`one`"));
                }
                Quantity::ExactlyOne
            }
            "at" => {
                self.next += 1;
                self.expect("most")?;
                if self.peek() != "one" {
                    return Err(self.surprise("`one`"));
                }
                Quantity::AtMostOne
            }
            _ => return Err(self.surprise("`exactly one`, `at most one`, `one`, `others`, `every` or `thread`")),
        };
        self.next += 1;
        let name = self.take();
        let function = self.program.functions.iter().position(|function| function.name == name);
        let function = function.ok_or_else(|| format!("the program has no function `{name}`"))?;
        self.spots(Who::Running(FunctionId::new(function), quantity))
    }

    fn spots(&mut self, who: Who) -> Result<Clause, String> {
        let is_at = !self.takes("not");
        let mut spots = Vec::new();
        if self.takes("in") {
            self.expect("{")?;
            loop {
                spots.push(self.spot()?);
                if !self.takes("|") {
                    break;
                }
            }
            self.expect("}")?;
        } else {
            self.expect("at")?;
            spots.push(self.spot()?);
        }
        Ok(Clause { who, is_at, spots })
    }

    fn spot(&mut self) -> Result<Spot, String> {
        let place = match self.take().as_str() {
            "line" => Place::Line(u32::try_from(self.number()?).map_err(|_| "no such line".to_owned())?),
            "location" => self.location()?,
            "idle" => Place::Idle,
            "anywhere" => Place::Anywhere,
            label => {
                let has_label = |location: &selvedge_program::Location| location.label.as_deref() == Some(label);
                if !self.program.functions.iter().any(|function| function.locations.iter().any(has_label)) {
                    return Err(format!("the program has no label `{label}`"));
                }
                Place::Label(label.to_owned())
            }
        };
        let mut locals = Vec::new();
        if self.takes("with") {
            loop {
                let name = self.take();
                let has_local = |function: &selvedge_program::Function| {
                    function.registers.iter().any(|register| register.name.as_ref() == Some(&name))
                };
                if !self.program.functions.iter().any(has_local) {
                    return Err(format!("no function has a local variable `{name}` whose address is not taken"));
                }
                locals.push((name, self.comparison()?));
                if !self.takes("and") {
                    break;
                }
            }
        }
        Ok(Spot { place, locals })
    }

    /// `NUMBER of FUNCTION`.
    fn location(&mut self) -> Result<Place, String> {
        let number = usize::try_from(self.number()?).map_err(|_| "no such location".to_owned())?;
        self.expect("of")?;
        let name = self.take();
        let function = self.program.functions.iter().position(|function| function.name == name);
        let function = FunctionId::new(function.ok_or_else(|| format!("the program has no function `{name}`"))?);
        if number >= self.program.function(function).locations.len() {
            return Err(format!("`{name}` has no location {number}"));
        }
        Ok(Place::Location(function, LocationId::new(number)))
    }
}
