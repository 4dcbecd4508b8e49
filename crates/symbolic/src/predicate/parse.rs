//! Reading predicates.
//!
//! ```text
//! condition   = operators of C by their precedence, ?: included
//! operand     = ( "!" | "-" | "~" ) operand | "(" condition ")" | number | "true" | "false" | "null" | "self"
//!             | place | "&" place | field "(" place ")" | field "(" "self" ")" | name "(" condition, … ")"
//!             | tally "(" place ")" | tally "(" field "(" place ")" ")"
//! place       = ( object | function "::" local ) ( "." member | "[" number "]" )* | function "::" register
//!             | "bytes" "(" object "," number "," number ")"
//! ```
//! A `field` is one of the library's ghost fields (`owner`, `readers`, `value`, …), a `name` an operator that converts
//! nothing (`add`, `ult`, `zext`, …; see `exact`), a `tally` what proofs keep of a counter (`added`, `taken`,
//! `all_added`, `all_taken`). Addresses count bytes: `&a + 4` is four bytes on. The function of a register may be left
//! out where no other has a variable of that name, and no object has it.

use selvedge_program::{
    Base, Expr, FrameObjectId, FunctionId, GhostField, ObjectId, Program, RegisterId, Shape, SiteId,
};

use super::exact::{BINARY, CONVERSIONS, UNARY, has_binary, has_conversion, has_unary};
use super::infix::{self, OPERATORS, Typed};
use super::tokens::{SyntaxError, Token, bits, literal, tokens};
use super::types::{self, Type};
use super::{Moment, Predicate, Relation, Root, Timed, Variable, names};
use crate::cell::{Note, Tally};

/// Deeper nesting is refused: reading recurses.
const DEEPEST: usize = 200;

/// More operators are refused: they may make a tree as deep as there are operators, and whoever looks at it recurses.
const MOST_OPERATORS: usize = 1000;

pub fn parse(program: &Program, text: &str) -> Result<Predicate, SyntaxError> {
    let (condition, variables) = condition(program, text, Primes::Refused)?;
    let variables: Vec<Variable> = variables.into_iter().map(|(variable, _)| variable).collect();
    Ok(Predicate::new(&condition, &variables))
}

pub fn parse_relation(program: &Program, text: &str) -> Result<Relation, SyntaxError> {
    let (condition, variables) = condition(program, text, Primes::Allowed)?;
    Ok(Relation::new(&condition, &variables))
}

fn condition(program: &Program, text: &str, primes: Primes) -> Result<(Expr, Vec<Timed>), SyntaxError> {
    whole(program, text, |reader| {
        reader.primes = primes;
        let condition = reader.expression()?.condition();
        Ok((condition, std::mem::take(&mut reader.variables)))
    })
}

/// Reads one variable: `balance`, `queue.head`, `owner(m)`.
pub fn read_variable(program: &Program, text: &str) -> Result<Variable, SyntaxError> {
    whole(program, text, |reader| {
        let read = reader.operand()?;
        match read.expr {
            Expr::Register(register, _) if read.literal.is_none() => Ok(reader.variables[register.index()].0),
            _ => Err(reader.wrong_before("this is no variable")),
        }
    })
}

/// Reads a part of an object: where it is, and its shape.
pub fn read_part(program: &Program, text: &str) -> Result<(Root, u64, Shape), SyntaxError> {
    whole(program, text, |reader| reader.place())
}

/// Reads a function as predicates name it.
pub fn read_function(program: &Program, text: &str) -> Result<FunctionId, SyntaxError> {
    whole(program, text, |reader| reader.function())
}

/// Reads a register of a function as predicates name it: `worker::i`, `worker::#5`.
pub fn read_register(program: &Program, text: &str) -> Result<(FunctionId, RegisterId), SyntaxError> {
    whole(program, text, |reader| {
        let function = reader.function()?;
        reader.expect("::")?;
        Ok((function, reader.register(function)?))
    })
}

/// Reads an object as predicates name it.
pub fn read_root(program: &Program, text: &str) -> Result<Root, SyntaxError> {
    whole(program, text, |reader| reader.root())
}

/// Reads a text of which nothing may remain.
fn whole<T>(
    program: &Program,
    text: &str,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, SyntaxError>,
) -> Result<T, SyntaxError> {
    let tokens = tokens(text)?;
    let end = text.chars().count() + 1;
    let mut reader = Reader {
        program,
        tokens,
        next: 0,
        end,
        variables: Vec::new(),
        primes: Primes::Refused,
        depth: 0,
        operators: 0,
    };
    let value = read(&mut reader)?;
    match reader.tokens.get(reader.next) {
        None => Ok(value),
        Some(token) => Err(reader.wrong(format!("`{}` is not expected here", token.text))),
    }
}

/// Whether `x'`, the value after a step, has a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Primes {
    Allowed,
    Refused,
}

struct Reader<'a> {
    program: &'a Program,
    tokens: Vec<Token>,
    next: usize,
    /// The column behind the text.
    end: usize,
    variables: Vec<Timed>,
    primes: Primes,
    depth: usize,
    /// How many operators between two operands have been read.
    operators: usize,
}

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.next).map_or("", |token| &token.text)
    }

    fn wrong(&self, message: impl Into<String>) -> SyntaxError {
        let column = self.tokens.get(self.next).map_or(self.end, |token| token.column);
        SyntaxError { column, message: message.into() }
    }

    /// Something wrong with what has just been read.
    fn wrong_before(&self, message: impl Into<String>) -> SyntaxError {
        let before = self.next.checked_sub(1).and_then(|at| self.tokens.get(at));
        SyntaxError { column: before.map_or(1, |token| token.column), message: message.into() }
    }

    fn takes(&mut self, text: &str) -> bool {
        let taken = self.peek() == text;
        self.next += usize::from(taken);
        taken
    }

    fn expect(&mut self, text: &str) -> Result<(), SyntaxError> {
        if self.takes(text) { Ok(()) } else { Err(self.wrong(format!("`{text}` is expected here"))) }
    }

    fn word(&mut self, what: &str) -> Result<String, SyntaxError> {
        let word = self.peek().to_owned();
        if word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            self.next += 1;
            return Ok(word);
        }
        Err(self.wrong(format!("{what} is expected here")))
    }

    fn number(&mut self) -> Result<u64, SyntaxError> {
        match literal(self.peek()).and_then(|number| u64::try_from(number).ok()) {
            Some(number) => {
                self.next += 1;
                Ok(number)
            }
            None => Err(self.wrong("a number is expected here")),
        }
    }

    fn expression(&mut self) -> Result<Typed, SyntaxError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong("this is nested too deeply"));
        }
        let condition = self.operators(1)?;
        let value = if self.takes("?") {
            let then = self.operators(1)?;
            self.expect(":")?;
            let otherwise = self.operators(1)?;
            infix::chosen(condition, then, otherwise)
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Operators that bind at least so tightly.
    fn operators(&mut self, loosest: u32) -> Result<Typed, SyntaxError> {
        let mut left = self.operand()?;
        loop {
            let sign = self.peek();
            let Some((_, binds, operator)) = OPERATORS.iter().find(|(written, ..)| *written == sign) else {
                return Ok(left);
            };
            if *binds < loosest {
                return Ok(left);
            }
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                return Err(self.wrong(format!("there are more than {MOST_OPERATORS} operators")));
            }
            self.next += 1;
            let right = self.operators(binds + 1)?;
            left = operator.apply(left, right);
        }
    }

    fn operand(&mut self) -> Result<Typed, SyntaxError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong("this is nested too deeply"));
        }
        let operand = match self.peek() {
            "!" => {
                self.next += 1;
                Typed::truth(self.operand()?.condition().not())
            }
            "-" => {
                self.next += 1;
                infix::negated(self.operand()?)
            }
            "~" => {
                self.next += 1;
                infix::complemented(self.operand()?)
            }
            "(" => {
                self.next += 1;
                let inner = self.expression()?;
                self.expect(")")?;
                inner
            }
            "&" => {
                self.next += 1;
                self.address()?
            }
            "" => return Err(self.wrong("an operand is expected here")),
            text => match literal(text) {
                Some(number) => {
                    self.next += 1;
                    Typed::literal(number)
                }
                None => {
                    let named = self.named()?;
                    self.primed(named)?
                }
            },
        };
        self.depth -= 1;
        Ok(operand)
    }

    /// A variable after the step, if a prime follows.
    fn primed(&mut self, named: Typed) -> Result<Typed, SyntaxError> {
        if self.primes == Primes::Refused || self.peek() != "'" {
            return Ok(named);
        }
        let Expr::Register(register, _) = named.expr else {
            return Err(self.wrong("only a variable has a value after the step"));
        };
        self.next += 1;
        let (variable, _) = self.variables[register.index()];
        Ok(self.timed((variable, Moment::After)))
    }

    /// What begins with a name.
    fn named(&mut self) -> Result<Typed, SyntaxError> {
        let pointer = self.program.pointer_width();
        let is_call = self.tokens.get(self.next + 1).is_some_and(|token| token.text == "(");
        match self.peek() {
            "true" | "false" => {
                let truth = if self.peek() == "true" { Expr::truth() } else { Expr::falsehood() };
                self.next += 1;
                Ok(Typed::truth(truth))
            }
            "null" => {
                self.next += 1;
                Ok(Typed::new(Expr::constant(pointer, 0), Type::unsigned(pointer)))
            }
            "self" => {
                self.next += 1;
                Ok(Typed::new(Expr::address(Base::SelfThread, pointer), Type::unsigned(pointer)))
            }
            "bytes" if is_call => {
                let (object, offset, shape) = self.place()?;
                self.cell(object, offset, &shape)
            }
            _ if is_call => self.call(),
            _ => self.variable_or_cell(),
        }
    }

    fn variable_or_cell(&mut self) -> Result<Typed, SyntaxError> {
        if self.is_in_function() {
            let at = self.next;
            let function = self.function()?;
            self.expect("::")?;
            if self.peek() != "@" && names::find_local(self.program, function, self.peek()).is_none() {
                let register = self.register(function)?;
                return Ok(self.variable(Variable::Register(function, register)));
            }
            self.next = at;
        } else if let Some((function, register)) = names::find_variable(self.program, self.peek()) {
            self.next += 1;
            return Ok(self.variable(Variable::Register(function, register)));
        }
        let (object, offset, shape) = self.place()?;
        self.cell(object, offset, &shape)
    }

    /// Whether something of a function comes next: `f::x`, `@f3::x`.
    fn is_in_function(&self) -> bool {
        let is_next = |at: usize| self.tokens.get(self.next + at).is_some_and(|token| token.text == "::");
        is_next(1) || self.peek() == "@" && is_next(2)
    }

    fn variable(&mut self, variable: Variable) -> Typed {
        self.timed((variable, Moment::Before))
    }

    fn timed(&mut self, timed: Timed) -> Typed {
        let of = types::of_variable(self.program, timed.0);
        let position = match self.variables.iter().position(|known| *known == timed) {
            Some(position) => position,
            None => {
                self.variables.push(timed);
                self.variables.len() - 1
            }
        };
        Typed::new(Expr::register(RegisterId::new(position), of.width), of)
    }

    fn cell(&mut self, object: Root, offset: u64, shape: &Shape) -> Result<Typed, SyntaxError> {
        match shape {
            _ if names::is_float(shape) => Err(self.wrong_before("a floating-point number cannot be spoken of")),
            Shape::Scalar { size, .. } if (1..=16).contains(size) => {
                Ok(self.variable(Variable::Cell { object, offset, size: *size }))
            }
            Shape::Record(_) => Err(self.wrong_before("this is a struct or union: name a member")),
            Shape::Array { .. } => Err(self.wrong_before("this is an array: name an element")),
            Shape::Scalar { .. } | Shape::Opaque => Err(self.wrong_before("this has no value to speak of")),
        }
    }

    /// `&x.y[3]` and `&f`.
    fn address(&mut self) -> Result<Typed, SyntaxError> {
        let pointer = self.program.pointer_width();
        let function = match self.peek() {
            "@" if self.tokens.get(self.next + 1).is_some_and(|token| token.text.starts_with('f')) => {
                Some(self.function()?)
            }
            name => {
                let is_object = names::find_object(self.program, name).is_some();
                let found = names::find_function(self.program, name).filter(|_| !is_object);
                let is_static = self.tokens.get(self.next + 1).is_some_and(|token| token.text == ".");
                let found = found.filter(|_| !is_static);
                self.next += usize::from(found.is_some());
                found
            }
        };
        let address = match function {
            Some(function) => Expr::address(Base::Function(function), pointer),
            None => {
                let (Root::Static(object), offset, _) = self.place()? else {
                    return Err(self.wrong_before("the address of a local variable cannot be spoken of"));
                };
                Expr::address(Base::Object(object), pointer).plus(offset)
            }
        };
        Ok(Typed::new(address, Type::unsigned(pointer)))
    }

    fn function(&mut self) -> Result<FunctionId, SyntaxError> {
        if self.takes("@") {
            let id = self.word("a function such as `@f3`")?;
            let index = id.strip_prefix('f').and_then(|index| index.parse().ok());
            return match index.filter(|index| *index < self.program.functions.len()) {
                Some(index) => Ok(FunctionId::new(index)),
                None => Err(self.wrong_before("there is no such function")),
            };
        }
        let name = self.word("a function")?;
        let found = names::find_function(self.program, &name);
        found.ok_or_else(|| self.wrong_before(format!("there is no function `{name}`, or more than one")))
    }

    fn register(&mut self, function: FunctionId) -> Result<RegisterId, SyntaxError> {
        if self.takes("#") {
            let index = self.number()? as usize;
            let is_there = index < self.program.function(function).registers.len();
            return if is_there {
                Ok(RegisterId::new(index))
            } else {
                Err(self.wrong_before("there is no such register"))
            };
        }
        let name = self.word("a local variable")?;
        let found = names::find_register(self.program, function, &name);
        let of = &self.program.function(function).name;
        found.ok_or_else(|| {
            self.wrong_before(format!("`{of}` has no variable `{name}` in a register, or more than one (then `#5`)"))
        })
    }

    /// The object that a place is in.
    fn root(&mut self) -> Result<Root, SyntaxError> {
        if self.peek() == "@"
            && let Some(token) = self.tokens.get(self.next + 1)
            && let Some(index) = token.text.strip_prefix("site").and_then(|index| index.parse().ok())
        {
            self.next += 2;
            let is_there = index < self.program.sites.len();
            return if is_there {
                Ok(Root::One(SiteId::new(index)))
            } else {
                Err(self.wrong_before("there is no such site"))
            };
        }
        if !self.is_in_function() {
            return Ok(Root::Static(self.object()?));
        }
        let function = self.function()?;
        self.expect("::")?;
        if self.takes("@") {
            let index = self.number()? as usize;
            let is_there = index < self.program.function(function).frame.len();
            let local = is_there.then(|| Root::Local(function, FrameObjectId::new(index)));
            return local.ok_or_else(|| self.wrong_before("there is no such local variable"));
        }
        let name = self.word("a local variable")?;
        let found = names::find_local(self.program, function, &name).map(|slot| Root::Local(function, slot));
        found.ok_or_else(|| self.wrong_before(format!("there is no variable `{name}` in memory, or more than one")))
    }

    fn object(&mut self) -> Result<ObjectId, SyntaxError> {
        if self.takes("@") {
            let index = self.number()? as usize;
            let is_there = index < self.program.objects.len();
            return if is_there { Ok(ObjectId::new(index)) } else { Err(self.wrong_before("there is no such object")) };
        }
        let name = self.word("a variable")?;
        if let Some(object) = names::find_object(self.program, &name) {
            return Ok(object);
        }
        if self.peek() == "."
            && let Some(own) = self.tokens.get(self.next + 1)
            && let Some(object) = names::find_object(self.program, &format!("{name}.{}", own.text))
        {
            self.next += 2;
            return Ok(object);
        }
        let hint = if names::find_function(self.program, &name).is_some() { ", only a function" } else { "" };
        Err(self.wrong_before(format!("there is no variable `{name}`, or more than one{hint}")))
    }

    /// An object and a part of it.
    fn place(&mut self) -> Result<(Root, u64, Shape), SyntaxError> {
        if self.takes("bytes") {
            self.expect("(")?;
            let object = self.root()?;
            self.expect(",")?;
            let offset = self.number()?;
            self.expect(",")?;
            let size = self.number()?;
            self.expect(")")?;
            let end = offset.checked_add(size);
            if size > 16 || end.zip(object.size(self.program)).is_none_or(|(end, whole)| end > whole) {
                return Err(self.wrong_before("the object does not have these bytes"));
            }
            let display = selvedge_program::Display::Unsigned;
            return Ok((object, offset, Shape::Scalar { size: size as u32, display }));
        }
        let object = self.root()?;
        let mut shape = object.shape(self.program);
        let mut offset = 0;
        loop {
            let step = if self.takes(".") {
                let name = self.word("a member")?;
                names::member(shape, &name).ok_or_else(|| self.wrong_before(format!("there is no member `{name}`")))?
            } else if self.takes("[") {
                let index = self.number()?;
                let step = names::element(shape, index);
                let step = step.ok_or_else(|| self.wrong_before("there is no such element"))?;
                self.expect("]")?;
                step
            } else {
                return Ok((object, offset, shape.clone()));
            };
            offset = step.0.checked_add(offset).ok_or_else(|| self.wrong_before("there is no such element"))?;
            shape = step.1;
        }
    }

    /// A ghost field, or an operator under its own name.
    fn call(&mut self) -> Result<Typed, SyntaxError> {
        let at = self.next;
        let name = self.word("a name")?;
        self.expect("(")?;
        let value = if name == "unjoined" {
            self.variable(Variable::Unjoined)
        } else if name == "changer" {
            let (object, offset, _) = self.place()?;
            self.variable(Variable::Changer { object, offset })
        } else if let Some(tally) = Tally::ALL.into_iter().find(|tally| names::tally_name(*tally) == name) {
            let (object, offset, field) = self.counter()?;
            self.variable(Variable::Tally { object, offset, field, tally })
        } else if let Some(note) =
            [Note::Born, Note::Escaped, Note::Maker, Note::Taker].into_iter().find(|n| names::note_name(*n) == name)
        {
            let object = self.root()?;
            self.variable(Variable::Note(note, object))
        } else if name == "address" {
            let object = self.root()?;
            self.variable(Variable::Address(object))
        } else if name == "alive" {
            let object = self.root()?;
            self.variable(Variable::Alive(object))
        } else if name == "determinate" {
            let (object, offset, shape) = self.place()?;
            let Shape::Scalar { size, .. } = shape else {
                return Err(self.wrong_before("this has no value to speak of"));
            };
            self.variable(Variable::Determinate { object, offset, size })
        } else if let Some(field) = GhostField::ALL.into_iter().find(|field| field.name() == name) {
            self.ghost(field)?
        } else if let Some((_, op)) = BINARY.iter().find(|(named, _)| *named == name) {
            let left = self.expression()?;
            self.expect(",")?;
            let right = self.expression()?;
            if left.of.width != right.of.width {
                return Err(self.wrong("the operands must have one width"));
            }
            if !has_binary(*op, left.of.width, right.of.width) {
                return Err(self.wrong(format!("`{name}` is not there for {} bits", left.of.width)));
            }
            let value = Expr::binary(*op, left.expr, right.expr);
            let of = Type::unsigned(value.width());
            Typed::new(value, of)
        } else if let Some((_, op)) = UNARY.iter().find(|(named, _)| *named == name) {
            let operand = self.expression()?;
            if !has_unary(*op, operand.of.width, self.program.pointer_width()) {
                return Err(self.wrong(format!("`{name}` is not there for {} bits", operand.of.width)));
            }
            let value = Expr::unary(*op, operand.expr);
            let of = Type::unsigned(value.width());
            Typed::new(value, of)
        } else if let Some((_, conversion)) = CONVERSIONS.iter().find(|(named, _)| *named == name) {
            let width = self.width()?;
            let operand = self.expression()?;
            if !has_conversion(*conversion, operand.of.width, width) {
                return Err(self.wrong(format!("a value of {} bits is not converted so", operand.of.width)));
            }
            Typed::new(Expr::convert(*conversion, width, operand.expr), Type::unsigned(width))
        } else if name == "bits" {
            let width = self.width()?;
            let number = bits(self.peek()).filter(|number| number >> (width - 1) <= 1);
            let number = number.ok_or_else(|| self.wrong(format!("a number of {width} bits is expected here")))?;
            self.next += 1;
            Typed::new(Expr::constant(width, number), Type::unsigned(width))
        } else if name == "ite" {
            let condition = self.expression()?.condition();
            self.expect(",")?;
            let then = self.expression()?;
            self.expect(",")?;
            let otherwise = self.expression()?;
            if then.of.width != otherwise.of.width {
                return Err(self.wrong("both must have one width"));
            }
            Typed::new(Expr::if_then_else(condition, then.expr, otherwise.expr), Type::unsigned(then.of.width))
        } else {
            self.next = at;
            return Err(self.wrong(format!("`{name}` is neither a ghost field nor an operator")));
        };
        self.expect(")")?;
        Ok(value)
    }

    /// A width and a comma.
    fn width(&mut self) -> Result<u32, SyntaxError> {
        let width = self.number()?;
        if !(1..=128).contains(&width) {
            return Err(self.wrong_before("a width is from 1 to 128"));
        }
        self.expect(",")?;
        Ok(width as u32)
    }

    /// A place, or a ghost field of one.
    fn counter(&mut self) -> Result<(Root, u64, Option<GhostField>), SyntaxError> {
        let is_call = self.tokens.get(self.next + 1).is_some_and(|token| token.text == "(");
        let field = GhostField::ALL.into_iter().find(|field| is_call && field.name() == self.peek());
        if field.is_some() {
            self.next += 2;
        }
        let (object, offset, _) = self.place()?;
        if field.is_some() {
            self.expect(")")?;
        }
        Ok((object, offset, field))
    }

    fn ghost(&mut self, field: GhostField) -> Result<Typed, SyntaxError> {
        if self.takes("self") {
            return Ok(self.variable(Variable::OwnGhost(field)));
        }
        let (object, offset, _) = self.place()?;
        Ok(self.variable(Variable::Ghost { object, offset, field }))
    }
}
