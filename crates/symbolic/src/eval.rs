//! Expressions over symbolic registers: the symbolic counterpart of the concrete semantics' `eval` and `pointers`, case
//! by case.
//!
//! What can go wrong on the way is collected with the condition under which it does; the value given back counts only
//! where nothing does.

mod floats;
mod pointers;

use selvedge_logic::Term;
use selvedge_program::{Base, BinaryOp, Bits, Conversion, Expr, RegisterId, UnaryOp, Undefined};

use crate::builder::Builder;
use crate::entity::{Entity, Life};
use crate::opaque::{Application, Operation};
use crate::word::{Tag, Word};

/// Why a step does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    Undefined(Undefined),
    /// Something that is not modelled, in words.
    Unsupported(String),
}

/// What registers and addresses mean to an expression.
pub trait Names {
    /// A register's value; `None` if it holds bytes that are no single word, or nothing.
    fn register(&self, register: RegisterId) -> Option<Word>;
    /// An address constant; `None` if there are too many objects.
    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word>;
    /// What an object is; `None` for tags that are not an object's.
    fn entity(&self, tag: Tag) -> Option<Entity>;
    /// What is known of an object's life.
    fn life(&self, tag: Tag) -> Life;
    /// Whether the tag stands for several objects.
    fn is_several(&self, _tag: Tag) -> bool {
        false
    }
}

/// An evaluation under way.
pub struct Eval<'a> {
    pub builder: &'a mut Builder,
    pub names: &'a mut dyn Names,
    pub pointer_width: u32,
    pub troubles: &'a mut Vec<(Term, Trouble)>,
}

impl std::fmt::Debug for Eval<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Eval").field("troubles", &self.troubles).finish_non_exhaustive()
    }
}

impl Eval<'_> {
    /// The value of an expression that is evaluated under a condition.
    pub fn word(&mut self, expr: &Expr, when: Term) -> Word {
        match expr {
            Expr::Constant(bits) => self.builder.number(bits.width(), bits.unsigned()),
            Expr::Register(register, width) => match self.names.register(*register) {
                Some(word) => word,
                None => {
                    self.unsupported(when, "arithmetic on parts of a pointer or on an indeterminate value");
                    self.builder.number(*width, 0)
                }
            },
            Expr::Address(base, width) => match self.names.base(self.builder, *base, *width) {
                Some(word) => word,
                None => {
                    self.unsupported(when, "too many objects");
                    self.builder.number(*width, 0)
                }
            },
            Expr::Unary(op, operand) => {
                let operand = self.word(operand, when);
                self.unary(*op, operand, when)
            }
            Expr::Binary(op, left, right) => {
                let left = self.word(left, when);
                let right = self.word(right, when);
                self.binary(*op, left, right, when)
            }
            Expr::Convert(conversion, width, operand) => {
                let operand = self.word(operand, when);
                self.convert(*conversion, *width, operand, when)
            }
            Expr::IfThenElse(condition, then, otherwise) => {
                let condition = self.truth(condition, when);
                let (if_true, if_false) = (self.builder.and(when, condition), self.builder.and_not(when, condition));
                let then = self.word(then, if_true);
                let otherwise = self.word(otherwise, if_false);
                self.builder.choose(condition, then, otherwise)
            }
        }
    }

    /// The truth of a condition of width 1.
    pub fn truth(&mut self, expr: &Expr, when: Term) -> Term {
        let word = self.word(expr, when);
        self.number_only(word, when);
        self.builder.truth(word.bits)
    }

    /// The value of an expression that must be a number.
    pub fn number(&mut self, expr: &Expr, when: Term) -> Term {
        let word = self.word(expr, when);
        self.number_only(word, when);
        word.bits
    }

    fn trouble(&mut self, when: Term, trouble: Trouble) {
        if !self.builder.is(when, false) {
            self.troubles.push((when, trouble));
        }
    }

    fn unsupported(&mut self, when: Term, what: &str) {
        self.trouble(when, Trouble::Unsupported(what.to_owned()));
    }

    fn undefined_if(&mut self, when: Term, condition: Term, undefined: Undefined) {
        let when = self.builder.and(when, condition);
        self.trouble(when, Trouble::Undefined(undefined));
    }

    /// What is no number is not modelled here.
    fn number_only(&mut self, word: Word, when: Term) {
        if self.builder.is_number(word) {
            return;
        }
        let number = self.builder.has_tag(word, Tag::NUMBER);
        let other = self.builder.and_not(when, number);
        self.unsupported(other, "a value that depends on a numeric address or on indeterminate bytes");
    }

    fn unary(&mut self, op: UnaryOp, operand: Word, when: Term) -> Word {
        let bits = match op {
            UnaryOp::StartOf => {
                self.determinate(operand, when);
                let zero = self.builder.terms.bits(self.builder.width(operand.bits), 0);
                return Word { tag: operand.tag, bits: zero };
            }
            UnaryOp::IsWithin => return self.is_within(operand, when),
            UnaryOp::Negate => self.builder.terms.neg(operand.bits),
            UnaryOp::Not => self.builder.terms.bit_not(operand.bits),
            UnaryOp::FloatNegate(_) => {
                let width = self.builder.width(operand.bits);
                let sign = self.builder.terms.bits(width, 1 << (width - 1));
                self.builder.terms.bit_xor(operand.bits, sign)
            }
        };
        self.number_only(operand, when);
        self.builder.plain(bits)
    }

    fn binary(&mut self, op: BinaryOp, left: Word, right: Word, when: Term) -> Word {
        if self.builder.is_number(left) && self.builder.is_number(right) {
            return self.numbers(op, left.bits, right.bits, when);
        }
        // Only what is as wide as an address is computed with like one.
        let is_address = self.builder.width(left.bits) == self.pointer_width;
        match op {
            BinaryOp::Equal => {
                self.determinate(left, when);
                self.determinate(right, when);
                let same = self.same(left, right);
                self.truth_word(same)
            }
            BinaryOp::Add if is_address => self.add(left, right, when),
            BinaryOp::Subtract if is_address => self.subtract(left, right, when),
            BinaryOp::LessUnsigned | BinaryOp::LessSigned if is_address => self.less(op, left, right, when),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::RemainderUnsigned if is_address => {
                self.low_bits(op, left, right, when)
            }
            _ => {
                self.number_only(left, when);
                self.number_only(right, when);
                self.numbers(op, left.bits, right.bits, when)
            }
        }
    }

    /// Indeterminate bytes can only be moved.
    fn determinate(&mut self, word: Word, when: Term) {
        let indeterminate = self.builder.has_tag(word, Tag::INDETERMINATE);
        let wrong = self.builder.and(when, indeterminate);
        self.unsupported(wrong, "arithmetic on an indeterminate value");
    }

    fn truth_word(&mut self, truth: Term) -> Word {
        let bit = self.builder.bit(truth);
        self.builder.plain(bit)
    }

    fn numbers(&mut self, op: BinaryOp, left: Term, right: Term, when: Term) -> Word {
        let width = self.builder.width(left);
        match op {
            BinaryOp::DivideUnsigned | BinaryOp::RemainderUnsigned => self.check_divisor(right, when),
            BinaryOp::DivideSigned | BinaryOp::RemainderSigned => {
                self.check_divisor(right, when);
                let smallest = self.builder.terms.bits(width, Bits::smallest(width).unsigned());
                let minus_one = self.builder.terms.bits(width, Bits::ones(width).unsigned());
                let a = self.builder.terms.equal(left, smallest);
                let b = self.builder.terms.equal(right, minus_one);
                let overflows = self.builder.and(a, b);
                self.undefined_if(when, overflows, Undefined::DivisionOverflow);
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRightUnsigned | BinaryOp::ShiftRightSigned => {
                let limit = self.builder.terms.bits(width, u128::from(width) & Bits::ones(width).unsigned());
                let too_far = self.builder.terms.ule(limit, right);
                self.undefined_if(when, too_far, Undefined::ShiftTooFar);
            }
            _ => {}
        }
        let terms = &mut self.builder.terms;
        let bits = match op {
            BinaryOp::Add => terms.add(left, right),
            BinaryOp::Subtract => terms.sub(left, right),
            BinaryOp::Multiply => terms.mul(left, right),
            BinaryOp::DivideUnsigned => terms.udiv(left, right),
            BinaryOp::DivideSigned => terms.sdiv(left, right),
            BinaryOp::RemainderUnsigned => terms.urem(left, right),
            BinaryOp::RemainderSigned => terms.srem(left, right),
            BinaryOp::And => terms.bit_and(left, right),
            BinaryOp::Or => terms.bit_or(left, right),
            BinaryOp::Xor => terms.bit_xor(left, right),
            BinaryOp::ShiftLeft => terms.shl(left, right),
            BinaryOp::ShiftRightUnsigned => terms.lshr(left, right),
            BinaryOp::ShiftRightSigned => terms.ashr(left, right),
            BinaryOp::Equal => {
                let truth = terms.equal(left, right);
                return self.truth_word(truth);
            }
            BinaryOp::LessUnsigned => {
                let truth = terms.ult(left, right);
                return self.truth_word(truth);
            }
            BinaryOp::LessSigned => {
                let truth = terms.slt(left, right);
                return self.truth_word(truth);
            }
            BinaryOp::FloatAdd(_)
            | BinaryOp::FloatSubtract(_)
            | BinaryOp::FloatMultiply(_)
            | BinaryOp::FloatDivide(_)
            | BinaryOp::FloatEqual(_)
            | BinaryOp::FloatLess(_)
            | BinaryOp::FloatLessEqual(_) => return self.floats(op, left, right),
        };
        self.builder.plain(bits)
    }

    fn check_divisor(&mut self, divisor: Term, when: Term) {
        let zero = self.builder.terms.bits(self.builder.width(divisor), 0);
        let is_zero = self.builder.terms.equal(divisor, zero);
        self.undefined_if(when, is_zero, Undefined::DivisionByZero);
    }

    fn convert(&mut self, conversion: Conversion, width: u32, operand: Word, when: Term) -> Word {
        let keeps = matches!(conversion, Conversion::ZeroExtend | Conversion::Truncate) && width >= self.pointer_width;
        if keeps {
            self.determinate(operand, when);
        } else {
            self.number_only(operand, when);
        }
        let terms = &mut self.builder.terms;
        let bits = match conversion {
            Conversion::ZeroExtend => terms.zero_extend(width, operand.bits),
            Conversion::SignExtend => terms.sign_extend(width, operand.bits),
            Conversion::Truncate => terms.extract(width - 1, 0, operand.bits),
            _ => {
                let from = self.builder.width(operand.bits);
                if let Some(value) = self.builder.constant(operand.bits) {
                    match conversion.apply(width, Bits::new(from, value)) {
                        Ok(bits) => return self.builder.number(width, bits.unsigned()),
                        Err(undefined) => {
                            let yes = self.builder.yes;
                            self.undefined_if(when, yes, undefined);
                        }
                    }
                } else {
                    let operation = Operation::Convert(conversion, width);
                    let application = Application { operation, left: operand.bits, right: operand.bits };
                    let opaque = self.builder.opaque(application, width);
                    self.undefined_if(when, opaque.undefined, Undefined::FloatOutOfRange);
                    return self.builder.plain(opaque.result);
                }
                return self.builder.number(width, 0);
            }
        };
        let tag = if keeps { operand.tag } else { self.builder.tag(Tag::NUMBER) };
        Word { tag, bits }
    }
}
