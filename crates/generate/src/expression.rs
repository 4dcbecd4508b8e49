//! Random integer expressions: every type, every operator, side effects where they are sequenced.
//!
//! Each production knows its C type. Divisors are kept from 0 and -1, shift amounts within the
//! promoted width, left shifts on unsigned or small operands, conversions from floating types in
//! range. What is left is defined, up to signed overflow.

use std::fmt::Write;

use crate::PRELUDE;
use crate::integer::Integer;
use crate::random::Random;
use crate::scope::{Access, Form, Function, InScope, Variable};
use crate::statement::{Body, declare_function};

/// The text of an expression, ready to be an operand, and its type.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub text: String,
    pub ty: Integer,
}

fn typed(text: String, ty: Integer) -> Expression {
    Expression { text, ty }
}

#[derive(Debug)]
pub(crate) struct Generator<'r> {
    pub random: &'r mut Random,
    pub scope: InScope,
    fresh: u32,
}

impl<'r> Generator<'r> {
    pub fn new(random: &'r mut Random) -> Self {
        Generator { random, scope: InScope::default(), fresh: 0 }
    }

    /// A number that no name of this program has yet.
    pub fn fresh(&mut self) -> u32 {
        self.fresh += 1;
        self.fresh
    }

    /// A constant expression, fit for a static initialiser.
    pub fn constant(&mut self, depth: u32) -> Expression {
        if depth == 0 {
            return self.literal();
        }
        match self.random.below(10) {
            0..=3 => self.arithmetic(depth, Access::NONE, Self::constant_operand),
            4 => self.shift(depth, Access::NONE, Self::constant_operand),
            5 => self.comparison(depth, Access::NONE, Self::constant_operand),
            6 => self.conditional(depth, Access::NONE, Self::constant_operand),
            7 => self.unary(depth, Access::NONE, Self::constant_operand),
            8 => self.division(depth, Access::NONE, Self::constant_operand),
            _ => self.cast(depth, Access::NONE, Self::constant_operand),
        }
    }

    fn constant_operand(&mut self, depth: u32, _: Access) -> Expression {
        self.constant(depth)
    }

    pub fn expression(&mut self, depth: u32, access: Access) -> Expression {
        if depth == 0 {
            return self.atom(access);
        }
        let operand = Self::shallower;
        match self.random.below(100) {
            0..=27 => self.arithmetic(depth, access, operand),
            28..=33 => self.division(depth, access, operand),
            34..=41 => self.shift(depth, access, operand),
            42..=50 => self.comparison(depth, access, operand),
            51..=57 => self.logical(depth, access),
            58..=64 => self.conditional(depth, access, operand),
            65..=68 => self.comma(depth, access),
            69..=76 => self.cast(depth, access, operand),
            77..=82 => self.unary(depth, access, operand),
            83..=91 => self.assignment(depth, access),
            92..=95 => self.call(depth, access),
            96 => self.chain(access),
            97 => self.builtin(depth, access),
            98 => self.through_floating(depth, access),
            _ => self.statement_expression(depth, access),
        }
    }

    /// A sub-expression, now and then less deep than it might be.
    fn shallower(&mut self, depth: u32, access: Access) -> Expression {
        let depth = if self.random.chance(25) { 0 } else { depth };
        self.expression(depth, access)
    }

    fn literal(&mut self) -> Expression {
        if self.random.chance(5) {
            let name = *self.random.pick(&["P0", "P1", "P2", "N0", "N1", "N2"]);
            return typed(name.into(), Integer::Int);
        }
        let ty = Integer::any(self.random);
        typed(ty.literal(self.random), ty)
    }

    fn atom(&mut self, access: Access) -> Expression {
        if self.random.chance(25) {
            return self.literal();
        }
        match self.scope.readable(access, self.random) {
            Some(variable) => self.read(&variable, access),
            None => self.literal(),
        }
    }

    fn read(&mut self, variable: &Variable, access: Access) -> Expression {
        let place = self.place(variable, access.pure());
        match variable.form {
            // gcc keeps the type of a bit-field through some operators; an explicit conversion
            // makes every compiler agree.
            Form::BitField(_) if self.random.chance(50) => {
                typed(format!("({}){place}", variable.ty.name()), variable.ty)
            }
            Form::BitField(_) => typed(format!("(+{place})"), variable.value_type()),
            _ => typed(place, variable.ty),
        }
    }

    /// The lvalue of a variable; an array gets an index within its bounds.
    pub fn place(&mut self, variable: &Variable, access: Access) -> String {
        let Form::Array(log) = variable.form else {
            return variable.text.clone();
        };
        let mask = (1u32 << log) - 1;
        let index = match self.random.below(4) {
            0 => format!("{}", self.random.below(u64::from(mask) + 1)),
            _ => format!("{} & {mask}", self.atom_outside(variable.group, access).text),
        };
        match self.random.below(6) {
            0 => format!("(*({} + ({index})))", variable.text),
            1 => format!("({index})[{}]", variable.text),
            _ => format!("{}[{index}]", variable.text),
        }
    }

    /// A scalar atom that is not itself an array element.
    fn atom_outside(&mut self, group: u32, access: Access) -> Expression {
        let access = Access { read: access.read & !(1 << group), write: 0 };
        match self.scope.readable(access, self.random) {
            Some(v) if v.form == Form::Scalar => typed(v.text, v.ty),
            _ => typed(Integer::Int.literal(self.random), Integer::Int),
        }
    }

    fn arithmetic(&mut self, depth: u32, access: Access, operand: Operand<'r>) -> Expression {
        let (left, right) = access.split(self.random);
        let (a, b) = (operand(self, depth - 1, left), operand(self, depth - 1, right));
        let operator = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
        typed(format!("({} {operator} {})", a.text, b.text), a.ty.common(b.ty))
    }

    fn division(&mut self, depth: u32, access: Access, operand: Operand<'r>) -> Expression {
        let a = operand(self, depth - 1, access.pure());
        let b = operand(self, depth.saturating_sub(2), access.pure());
        let operator = self.random.pick(&["/", "%"]);
        let ty = a.ty.common(b.ty);
        let text = match self.random.below(3) {
            0 => format!("({} {operator} (({} & 15) + 1))", a.text, b.text),
            1 => format!("({} {operator} -(({} & 7) + 2))", a.text, b.text),
            _ => format!("({1} == 0 || {1} == -1 ? {0} : {0} {operator} {1})", a.text, b.text),
        };
        typed(text, ty)
    }

    fn shift(&mut self, depth: u32, access: Access, operand: Operand<'r>) -> Expression {
        let (left, right) = access.split(self.random);
        let (a, amount) = (operand(self, depth - 1, left), operand(self, depth - 1, right));
        let ty = a.ty.promoted();
        let mask = ty.bits() - 1;
        if self.random.chance(50) {
            return typed(format!("({} >> ({} & {mask}))", a.text, amount.text), ty);
        }
        if self.random.chance(30) {
            return typed(format!("(({} & 255) << ({} & 15))", a.text, amount.text), ty);
        }
        let unsigned = ty.unsigned();
        typed(format!("(({}){} << ({} & {mask}))", unsigned.name(), a.text, amount.text), unsigned)
    }

    fn comparison(&mut self, depth: u32, access: Access, operand: Operand<'r>) -> Expression {
        let (left, right) = access.split(self.random);
        let (a, b) = (operand(self, depth - 1, left), operand(self, depth - 1, right));
        let operator = self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
        typed(format!("({} {operator} {})", a.text, b.text), Integer::Int)
    }

    fn logical(&mut self, depth: u32, access: Access) -> Expression {
        let (a, b) = (self.shallower(depth - 1, access), self.shallower(depth - 1, access));
        let operator = self.random.pick(&["&&", "||"]);
        typed(format!("({} {operator} {})", a.text, b.text), Integer::Int)
    }

    fn conditional(&mut self, depth: u32, access: Access, operand: Operand<'r>) -> Expression {
        let (a, b) = (operand(self, depth - 1, access), operand(self, depth - 1, access));
        if self.random.chance(20) {
            return typed(format!("({} ?: {})", a.text, b.text), a.ty.common(b.ty));
        }
        let c = operand(self, depth - 1, access);
        typed(format!("({} ? {} : {})", c.text, a.text, b.text), a.ty.common(b.ty))
    }

    fn comma(&mut self, depth: u32, access: Access) -> Expression {
        let (a, b) = (self.shallower(depth - 1, access), self.shallower(depth - 1, access));
        typed(format!("({}, {})", a.text, b.text), b.ty)
    }

    fn cast(&mut self, depth: u32, access: Access, operand: Operand<'r>) -> Expression {
        let a = operand(self, depth - 1, access);
        let ty = Integer::any(self.random);
        typed(format!("(({}){})", ty.name(), a.text), ty)
    }

    fn unary(&mut self, depth: u32, access: Access, operand: Operand<'r>) -> Expression {
        let a = operand(self, depth - 1, access);
        match self.random.below(4) {
            0 => typed(format!("(-{})", a.text), a.ty.promoted()),
            1 => typed(format!("(~{})", a.text), a.ty.promoted()),
            2 => typed(format!("(+{})", a.text), a.ty.promoted()),
            _ => typed(format!("(!{})", a.text), Integer::Int),
        }
    }

    /// `=`, a compound assignment, `++` or `--`, as an expression.
    pub fn assignment(&mut self, depth: u32, access: Access) -> Expression {
        let Some(variable) = self.scope.writable(access, self.random) else {
            return self.atom(access);
        };
        let text = self.assignment_to(&variable, depth.saturating_sub(1), access);
        match variable.form {
            Form::BitField(_) => typed(format!("(({})({text}))", variable.ty.name()), variable.ty),
            _ => typed(format!("({text})"), variable.ty),
        }
    }

    pub fn assignment_to(&mut self, variable: &Variable, depth: u32, access: Access) -> String {
        let access = access.without_write(variable.group);
        // The index must not depend on what the right side changes.
        let (left, right) =
            if matches!(variable.form, Form::Array(_)) { (access.pure(), access.pure()) } else { (access, access) };
        let place = self.place(variable, left);
        match self.random.below(10) {
            0 => format!("{place}++"),
            1 => format!("--{place}"),
            2..=4 => self.compound(variable, &place, depth, right),
            _ => format!("{place} = {}", self.expression(depth, right).text),
        }
    }

    fn compound(&mut self, variable: &Variable, place: &str, depth: u32, access: Access) -> String {
        let value = self.expression(depth, access).text;
        let promoted = variable.value_type().promoted();
        let small = !variable.ty.is_signed() && variable.ty.bits() <= 16;
        match self.random.below(10) {
            0 => format!("{place} /= ({value} & 15) + 1"),
            1 => format!("{place} %= ({value} & 31) + 1"),
            2 => format!("{place} >>= {value} & {}", promoted.bits() - 1),
            3 if small => format!("{place} <<= {value} & 15"),
            3 if !promoted.is_signed() => format!("{place} <<= {value} & {}", promoted.bits() - 1),
            _ => format!("{place} {}= {value}", self.random.pick(&["+", "-", "*", "&", "|", "^"])),
        }
    }

    fn call(&mut self, depth: u32, access: Access) -> Expression {
        if self.scope.functions.is_empty() {
            return self.cast(depth, access, Self::shallower);
        }
        let function: Function = self.random.pick(&self.scope.functions).clone();
        let mut rest = access;
        let mut arguments = Vec::new();
        for position in 0..function.parameters.len() {
            let (here, later) = rest.split(self.random);
            rest = later;
            // What earlier arguments write, later ones neither read nor write, and the reverse.
            let here = Access { read: here.read & !later.write, write: here.write };
            let text = self.shallower(depth - 1, here).text;
            let bounded = function.recursive && position == 0;
            arguments.push(if bounded { format!("{text} & 3") } else { text });
        }
        typed(format!("{}({})", function.name, arguments.join(", ")), function.result)
    }

    /// Operands without parentheses, so that precedence decides; a cast makes the type known.
    fn chain(&mut self, access: Access) -> Expression {
        let mut text = self.atom(access.pure()).text;
        for _ in 0..self.random.between(2, 5) {
            let operator = *self.random.pick(&["+", "-", "*", "&", "|", "^", "<", ">", "==", "!=", "&&", "||"]);
            let _ = write!(text, " {operator} {}", self.atom(access.pure()).text);
        }
        typed(format!("(long)({text})"), Integer::Long)
    }

    fn builtin(&mut self, depth: u32, access: Access) -> Expression {
        let a = self.shallower(depth - 1, access);
        match self.random.below(5) {
            0 => typed(format!("sizeof({})", a.text), Integer::UnsignedLong),
            1 => typed(format!("__builtin_popcount({})", a.text), Integer::Int),
            2 => typed(format!("__builtin_ctzl({} | 64)", a.text), Integer::Int),
            3 => typed(format!("__builtin_expect({}, 0)", a.text), Integer::Long),
            _ => typed(format!("__builtin_bswap32({})", a.text), Integer::Unsigned),
        }
    }

    fn through_floating(&mut self, depth: u32, access: Access) -> Expression {
        let a = self.shallower(depth - 1, access);
        let factor = self.random.pick(&["0.5", "-1.25", "3.0f", "1e3", "0.1"]);
        let floating = self.random.pick(&["double", "float"]);
        typed(format!("(long)(({floating})(short){} * {factor})", a.text), Integer::Long)
    }

    fn statement_expression(&mut self, depth: u32, access: Access) -> Expression {
        let name = format!("t{}", self.fresh());
        let (a, b) = (self.shallower(depth - 1, access), self.shallower(depth - 1, access));
        let ty = Integer::any(self.random);
        let operator = self.random.pick(&["+", "-", "^", "|"]);
        let declaration = if self.random.chance(30) { "__typeof__".into() } else { String::new() };
        let declaration =
            if declaration.is_empty() { ty.name().into() } else { format!("{declaration}(({})0)", ty.name()) };
        let text = format!("({{ {declaration} {name} = {}; {name} {operator}= {}; {name}; }})", a.text, b.text);
        typed(text, ty)
    }
}

type Operand<'r> = fn(&mut Generator<'r>, u32, Access) -> Expression;

/// A program of assignments and printed expressions over variables of every integer type.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xe000_0000_0000_0000);
    let mut generator = Generator::new(&mut random);
    let mut text = String::from(PRELUDE);
    declare_globals(&mut generator, &mut text);
    for _ in 0..generator.random.between(1, 3) {
        declare_function(&mut generator, &mut text);
    }
    text.push_str("int main(void) {\n");
    let mut body = Body::new(&mut generator);
    body.declare_locals(6);
    for _ in 0..24 {
        body.assign_or_print(4);
    }
    text.push_str(&body.finish());
    text.push_str("    return 0;\n}\n");
    text
}

/// Global variables with constant initialisers, and a struct of bit-fields.
pub(crate) fn declare_globals(generator: &mut Generator<'_>, text: &mut String) {
    for _ in 0..generator.random.between(3, 6) {
        let name = format!("g{}", generator.fresh());
        let ty = Integer::any(generator.random);
        let value = generator.constant(2).text;
        let storage = *generator.random.pick(&["", "static ", "static volatile "]);
        let _ = writeln!(text, "{storage}{} {name} = {value};", ty.name());
        generator.scope.add(&name, ty, Form::Scalar);
    }
    for _ in 0..generator.random.between(1, 2) {
        let name = format!("a{}", generator.fresh());
        let ty = Integer::any(generator.random);
        let log = generator.random.between(1, 3) as u32;
        let values: Vec<String> =
            (0..generator.random.between(1, 1 << log)).map(|_| generator.constant(1).text).collect();
        let _ = writeln!(text, "static {} {name}[{}] = {{{}}};", ty.name(), 1 << log, values.join(", "));
        generator.scope.add(&name, ty, Form::Array(log));
    }
    let name = format!("b{}", generator.fresh());
    let mut fields = String::new();
    for field in 0..generator.random.between(2, 4) {
        let ty =
            *generator.random.pick(&[Integer::Int, Integer::Unsigned, Integer::UnsignedShort, Integer::SignedChar]);
        let bits = generator.random.between(1, u64::from(ty.bits())) as u32;
        let _ = write!(fields, " {} f{field} : {bits};", ty.name());
        generator.scope.add(&format!("{name}.f{field}"), ty, Form::BitField(bits));
    }
    let _ = writeln!(text, "static struct {{{fields} }} {name};");
}
