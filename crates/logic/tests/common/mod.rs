//! What the tests share: random formulas as SMT-LIB text, and the meaning of every
//! function of QF_BV on mathematical integers, written without the crate's code.

#![allow(dead_code)]

use selvedge_generate::random::Random;

fn one_of(random: &mut Random, names: &[&'static str]) -> &'static str {
    names[random.index(names.len())]
}

pub const UNARY: &[&str] = &["bvnot", "bvneg"];
pub const BINARY: &[&str] = &[
    "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv",
    "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr",
];
pub const COMPARISONS: &[&str] =
    &["=", "distinct", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"];
pub const OVERFLOWS: &[&str] = &["bvuaddo", "bvsaddo", "bvusubo", "bvssubo", "bvumulo", "bvsmulo", "bvsdivo"];

fn signed(value: i128, width: u32) -> i128 {
    if value >= 1 << (width - 1) { value - (1 << width) } else { value }
}

fn wrapped(value: i128, width: u32) -> i128 {
    value.rem_euclid(1 << width)
}

/// Truncating division of mathematical integers with SMT-LIB's values for a zero divisor.
fn quotient(a: i128, b: i128) -> i128 {
    let magnitude = a.abs().checked_div(b.abs());
    match magnitude {
        None => {
            if a < 0 {
                1
            } else {
                -1
            }
        }
        Some(magnitude) if (a < 0) != (b < 0) => -magnitude,
        Some(magnitude) => magnitude,
    }
}

/// The meaning of a function on numbers below 2^width, for widths up to 60; truth values are 0 and 1.
pub fn meaning(name: &str, width: u32, a: i128, b: i128) -> i128 {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let smallest = -(1i128 << (width - 1));
    let out = |value: i128| value < smallest || value >= -smallest;
    let flag = i128::from;
    let bitwise = |f: fn(i128, i128) -> i128| (0..width).map(|i| f(a >> i & 1, b >> i & 1) << i).sum::<i128>();
    let value = match name {
        "bvnot" => bitwise(|x, _| 1 - x),
        "bvneg" => -a,
        "bvand" => bitwise(|x, y| x * y),
        "bvor" => bitwise(|x, y| (x + y).min(1)),
        "bvxor" => bitwise(|x, y| (x + y) % 2),
        "bvnand" => bitwise(|x, y| 1 - x * y),
        "bvnor" => bitwise(|x, y| 1 - (x + y).min(1)),
        "bvxnor" => bitwise(|x, y| 1 - (x + y) % 2),
        "bvadd" => a + b,
        "bvsub" => a - b,
        "bvmul" => a * b,
        "bvudiv" => {
            if b == 0 {
                -1
            } else {
                a / b
            }
        }
        "bvurem" => {
            if b == 0 {
                a
            } else {
                a % b
            }
        }
        "bvsdiv" => quotient(sa, sb),
        "bvsrem" => {
            if sb == 0 {
                sa
            } else {
                sa - sb * quotient(sa, sb)
            }
        }
        "bvsmod" => {
            if sb == 0 {
                sa
            } else {
                sa - sb * sa.div_euclid(sb) + if sb < 0 && sa.rem_euclid(sb) != 0 { sb } else { 0 }
            }
        }
        "bvshl" => {
            if b >= i128::from(width) {
                0
            } else {
                a << b
            }
        }
        "bvlshr" => {
            if b >= i128::from(width) {
                0
            } else {
                a >> b
            }
        }
        "bvashr" => sa >> b.min(i128::from(width)),
        "=" => flag(a == b),
        "distinct" => flag(a != b),
        "bvult" => flag(a < b),
        "bvule" => flag(a <= b),
        "bvugt" => flag(a > b),
        "bvuge" => flag(a >= b),
        "bvslt" => flag(sa < sb),
        "bvsle" => flag(sa <= sb),
        "bvsgt" => flag(sa > sb),
        "bvsge" => flag(sa >= sb),
        "bvcomp" => flag(a == b),
        "bvnego" => flag(sa == smallest),
        "bvuaddo" => flag(a + b >= 1 << width),
        "bvsaddo" => flag(out(sa + sb)),
        "bvusubo" => flag(a < b),
        "bvssubo" => flag(out(sa - sb)),
        "bvumulo" => flag(a * b >= 1 << width),
        "bvsmulo" => flag(out(sa * sb)),
        "bvsdivo" => flag(sb != 0 && out(quotient(sa, sb))),
        _ => panic!("no meaning for {name}"),
    };
    wrapped(value, width)
}

/// A random expression, kept as a tree for evaluation and printed as text for solvers.
#[derive(Debug, Clone)]
pub enum Tree {
    Variable(usize, u32),
    Bool(usize),
    Constant(i128, u32),
    Truth(bool),
    Function(&'static str, u32, Vec<Tree>),
    /// Name, indices, width of the operand.
    Indexed(&'static str, Vec<u32>, u32, Box<Tree>),
    Concat(Box<Tree>, u32, Box<Tree>),
    Ite(Box<Tree>, Box<Tree>, Box<Tree>),
    Connective(&'static str, Vec<Tree>),
}

pub struct Shape {
    /// Widths that may occur; variables exist at each of them.
    pub widths: Vec<u32>,
    pub variables: usize,
    pub booleans: usize,
}

impl Shape {
    pub fn declarations(&self) -> String {
        let mut text = String::new();
        for width in &self.widths {
            for number in 0..self.variables {
                text += &format!("(declare-const v{number}w{width} (_ BitVec {width}))\n");
            }
        }
        for number in 0..self.booleans {
            text += &format!("(declare-const p{number} Bool)\n");
        }
        text
    }

    pub fn word(&self, random: &mut Random, width: u32, depth: u32) -> Tree {
        if depth == 0 || random.index(8) == 0 {
            return if random.index(3) == 0 {
                self.constant(random, width)
            } else {
                Tree::Variable(random.index(self.variables), width)
            };
        }
        match random.index(12) {
            0 => Tree::Function(one_of(random, UNARY), width, vec![self.word(random, width, depth - 1)]),
            1 => {
                let c = self.formula(random, depth - 1);
                let (a, b) = (self.word(random, width, depth - 1), self.word(random, width, depth - 1));
                Tree::Ite(Box::new(c), Box::new(a), Box::new(b))
            }
            2 => {
                let name = *random.pick(&["rotate_left", "rotate_right"]);
                let by = random.index(width as usize + 3) as u32;
                Tree::Indexed(name, vec![by], width, Box::new(self.word(random, width, depth - 1)))
            }
            3 | 4 => self.reshaped(random, width, depth),
            _ => {
                let operands = vec![self.word(random, width, depth - 1), self.word(random, width, depth - 1)];
                Tree::Function(one_of(random, BINARY), width, operands)
            }
        }
    }

    fn constant(&self, random: &mut Random, width: u32) -> Tree {
        let largest = (1i128 << width) - 1;
        let value = match random.index(6) {
            0 => 0,
            1 => 1,
            2 => largest,
            3 => largest / 2 + random.index(2) as i128,
            4 => 1 << random.index(width as usize),
            _ => i128::from(random.word()),
        };
        Tree::Constant(value & largest, width)
    }

    fn reshaped(&self, random: &mut Random, width: u32, depth: u32) -> Tree {
        let other = *random.pick(&self.widths);
        let inner = self.word(random, other, depth - 1);
        if other > width {
            let low = random.index((other - width) as usize + 1) as u32;
            return Tree::Indexed("extract", vec![low + width - 1, low], other, Box::new(inner));
        }
        if other < width && random.index(3) == 0 {
            let rest = self.word(random, width - other, (depth - 1).min(1));
            // A width that has no variables of its own: only constants and functions of them.
            return match self.widths.contains(&(width - other)) {
                true => Tree::Concat(Box::new(inner), width - other, Box::new(rest)),
                false => Tree::Indexed("zero_extend", vec![width - other], other, Box::new(inner)),
            };
        }
        let name = *random.pick(&["zero_extend", "sign_extend"]);
        Tree::Indexed(name, vec![width - other], other, Box::new(inner))
    }

    pub fn formula(&self, random: &mut Random, depth: u32) -> Tree {
        if depth == 0 || random.index(10) == 0 {
            return match random.index(8) {
                0 => Tree::Truth(random.index(2) == 1),
                _ => Tree::Bool(random.index(self.booleans)),
            };
        }
        match random.index(10) {
            0 => Tree::Connective("not", vec![self.formula(random, depth - 1)]),
            1 | 2 => {
                let name = *random.pick(&["and", "or", "xor", "=>", "="]);
                Tree::Connective(name, vec![self.formula(random, depth - 1), self.formula(random, depth - 1)])
            }
            3 => {
                let (c, a, b) =
                    (self.formula(random, depth - 1), self.formula(random, depth - 1), self.formula(random, depth - 1));
                Tree::Ite(Box::new(c), Box::new(a), Box::new(b))
            }
            4 => {
                let width = *random.pick(&self.widths);
                let operands = vec![self.word(random, width, depth - 1), self.word(random, width, depth - 1)];
                Tree::Function(one_of(random, OVERFLOWS), width, operands)
            }
            _ => {
                let width = *random.pick(&self.widths);
                let operands = vec![self.word(random, width, depth - 1), self.word(random, width, depth - 1)];
                Tree::Function(one_of(random, COMPARISONS), width, operands)
            }
        }
    }
}

impl Tree {
    pub fn text(&self) -> String {
        let join = |operands: &[Tree]| operands.iter().map(Tree::text).collect::<Vec<_>>().join(" ");
        match self {
            Tree::Variable(number, width) => format!("v{number}w{width}"),
            Tree::Bool(number) => format!("p{number}"),
            Tree::Constant(value, width) => format!("(_ bv{value} {width})"),
            Tree::Truth(value) => value.to_string(),
            Tree::Function(name, _, operands) => format!("({name} {})", join(operands)),
            Tree::Indexed(name, indices, _, inner) => {
                let indices = indices.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
                format!("((_ {name} {indices}) {})", inner.text())
            }
            Tree::Concat(a, _, b) => format!("(concat {} {})", a.text(), b.text()),
            Tree::Ite(c, a, b) => format!("(ite {} {} {})", c.text(), a.text(), b.text()),
            Tree::Connective(name, operands) => format!("({name} {})", join(operands)),
        }
    }

    /// The value, given values for variables by number and width, and for truth variables by number.
    pub fn value(&self, word: &dyn Fn(usize, u32) -> i128, truth: &dyn Fn(usize) -> bool) -> i128 {
        let of = |tree: &Tree| tree.value(word, truth);
        match self {
            Tree::Variable(number, width) => word(*number, *width),
            Tree::Bool(number) => i128::from(truth(*number)),
            Tree::Constant(value, _) => *value,
            Tree::Truth(value) => i128::from(*value),
            Tree::Function(name, width, operands) => {
                meaning(name, *width, of(&operands[0]), operands.get(1).map_or(0, of))
            }
            Tree::Concat(a, low, b) => (of(a) << low) + of(b),
            Tree::Ite(c, a, b) => {
                if of(c) == 1 {
                    of(a)
                } else {
                    of(b)
                }
            }
            Tree::Indexed(name, indices, width, inner) => {
                let value = of(inner);
                match *name {
                    "extract" => wrapped(value >> indices[1], indices[0] - indices[1] + 1),
                    "zero_extend" => value,
                    "sign_extend" => wrapped(signed(value, *width), width + indices[0]),
                    _ => {
                        let by = if *name == "rotate_left" {
                            indices[0] % width
                        } else {
                            (width - indices[0] % width) % width
                        };
                        wrapped(value << by, *width) + (value >> (width - by))
                    }
                }
            }
            Tree::Connective(name, operands) => {
                let (a, b) = (of(&operands[0]), operands.get(1).map_or(0, of));
                i128::from(match *name {
                    "not" => a == 0,
                    "and" => a + b == 2,
                    "or" => a + b > 0,
                    "xor" => a != b,
                    "=>" => a <= b,
                    "=" => a == b,
                    _ => panic!("no meaning for {name}"),
                })
            }
        }
    }
}
