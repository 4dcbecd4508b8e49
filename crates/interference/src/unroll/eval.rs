//! Expressions over symbolic registers: the symbolic counterpart of the concrete semantics' `eval` and `pointers`, case by case.
//!
//! What can go wrong on the way is collected with the condition under which it does; the value given back counts only where nothing
//! does.

use selvedge_logic::{Result, Term};
use selvedge_program::semantics::pointers::NULL_PAGE;
use selvedge_program::{BinaryOp, Bits, Conversion, Expr, FloatFormat, Program, UnaryOp, Undefined};

use super::objects::{Object, Objects, Tag};
use super::value::Builder;
use crate::opaque::{Application, Operation};
use crate::skeleton::Word;

/// Why a step does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    Undefined(Undefined),
    /// Something that this engine does not model, in words.
    Unsupported(String),
}

/// What is known of an object's life where an expression is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It is alive.
    Lasts,
    /// It is alive if this bit is set.
    Is(Word),
    /// Others may have ended it.
    Unknown,
}

/// What registers and addresses mean to an expression.
pub trait Names {
    /// A register's value; `None` if it holds bytes that are no single word, or nothing.
    fn register(&self, register: selvedge_program::RegisterId) -> Option<Word>;
    /// What an address constant points to.
    fn base(&self, base: selvedge_program::Base) -> Object;
    /// What is known of an object's life.
    fn life(&self, object: Object, tag: Tag) -> Life;
}

/// An evaluation under way.
pub struct Eval<'a> {
    pub builder: &'a mut Builder,
    pub objects: &'a mut Objects,
    pub program: &'a Program,
    pub troubles: &'a mut Vec<(Term, Trouble)>,
}

impl Eval<'_> {
    /// The value of an expression that is evaluated under a condition.
    pub fn word(&mut self, names: &dyn Names, expr: &Expr, when: Term) -> Result<Word> {
        match expr {
            Expr::Constant(bits) => Ok(self.builder.number(bits.width(), bits.unsigned())),
            Expr::Register(register, width) => match names.register(*register) {
                Some(word) => Ok(word),
                None => {
                    self.unsupported(when, "arithmetic on parts of a pointer or on an indeterminate value");
                    Ok(self.builder.number(*width, 0))
                }
            },
            Expr::Address(base, width) => match self.objects.tag(names.base(*base)) {
                Some(tag) => Ok(self.builder.pointer(tag, *width)),
                None => {
                    self.unsupported(when, "too many objects");
                    Ok(self.builder.number(*width, 0))
                }
            },
            Expr::Unary(op, operand) => {
                let operand = self.word(names, operand, when)?;
                Ok(self.unary(names, *op, operand, when))
            }
            Expr::Binary(op, left, right) => {
                let left = self.word(names, left, when)?;
                let right = self.word(names, right, when)?;
                Ok(self.binary(*op, left, right, when))
            }
            Expr::Convert(conversion, width, operand) => {
                let operand = self.word(names, operand, when)?;
                Ok(self.convert(*conversion, *width, operand, when))
            }
            Expr::IfThenElse(condition, then, otherwise) => {
                let condition = self.truth(names, condition, when)?;
                let (if_true, if_false) = (self.builder.and(when, condition), self.builder.and_not(when, condition));
                let then = self.word(names, then, if_true)?;
                let otherwise = self.word(names, otherwise, if_false)?;
                Ok(self.builder.choose(condition, then, otherwise))
            }
        }
    }

    /// The truth of a condition of width 1.
    pub fn truth(&mut self, names: &dyn Names, expr: &Expr, when: Term) -> Result<Term> {
        let word = self.word(names, expr, when)?;
        self.number_only(word, when);
        Ok(self.builder.truth(word.bits))
    }

    /// The value of an expression that must be a number.
    pub fn number(&mut self, names: &dyn Names, expr: &Expr, when: Term) -> Result<Term> {
        let word = self.word(names, expr, when)?;
        self.number_only(word, when);
        Ok(word.bits)
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

    fn unary(&mut self, names: &dyn Names, op: UnaryOp, operand: Word, when: Term) -> Word {
        let bits = match op {
            UnaryOp::StartOf => {
                self.determinate(operand, when);
                let zero = self.builder.terms.bits(self.builder.width(operand.bits), 0);
                return Word { tag: operand.tag, bits: zero };
            }
            UnaryOp::IsWithin => return self.is_within(names, operand, when),
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

    /// Whether an address lies in its object or just past its end.
    fn is_within(&mut self, names: &dyn Names, address: Word, when: Term) -> Word {
        self.determinate(address, when);
        let width = self.builder.width(address.bits);
        let mut outside = self.builder.no;
        for tag in self.builder.tags(address) {
            let Some(object) = self.objects.object(tag) else { continue };
            let meant = self.builder.has_tag(address, tag);
            let extent = self.objects.extent(self.program, tag).map(|(extent, _)| extent);
            let size = extent.map_or(0, |extent| extent.most);
            if extent.is_some_and(|extent| !extent.is_exact) {
                let wrong = self.builder.and(when, meant);
                self.unsupported(wrong, "the bounds of an object whose size is chosen");
            }
            let end = self.builder.terms.bits(width, u128::from(size));
            let beyond = self.builder.terms.ult(end, address.bits);
            let beyond = self.builder.and(meant, beyond);
            outside = self.builder.or(outside, beyond);
            let open = match names.life(object, tag) {
                Life::Lasts => continue,
                Life::Is(word) => {
                    let alive = self.builder.truth(word.bits);
                    self.builder.and_not(meant, alive)
                }
                Life::Unknown => beyond,
            };
            let wrong = self.builder.and(when, open);
            self.unsupported(wrong, "the bounds of an object whose life may have ended");
        }
        let within = self.builder.not(outside);
        self.truth_word(within)
    }

    fn binary(&mut self, op: BinaryOp, left: Word, right: Word, when: Term) -> Word {
        if self.builder.is_number(left) && self.builder.is_number(right) {
            return self.numbers(op, left.bits, right.bits, when);
        }
        match op {
            BinaryOp::Equal => {
                self.determinate(left, when);
                self.determinate(right, when);
                let same = self.builder.same(left, right);
                self.truth_word(same)
            }
            BinaryOp::Add => self.add(left, right, when),
            BinaryOp::Subtract => self.subtract(left, right, when),
            BinaryOp::LessUnsigned | BinaryOp::LessSigned => self.less(op, left, right, when),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::RemainderUnsigned => {
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

    /// Whether a value is a pointer; complains about what is neither pointer nor number.
    fn is_pointer(&mut self, word: Word, when: Term) -> Term {
        self.determinate(word, when);
        let number = self.builder.has_tag(word, Tag::NUMBER);
        self.builder.not(number)
    }

    fn add(&mut self, left: Word, right: Word, when: Term) -> Word {
        let (l, r) = (self.is_pointer(left, when), self.is_pointer(right, when));
        let both = self.builder.and(l, r);
        let wrong = self.builder.and(when, both);
        self.unsupported(wrong, "a sum of two addresses");
        let tag = self.builder.terms.ite(l, left.tag, right.tag);
        Word { tag, bits: self.builder.terms.add(left.bits, right.bits) }
    }

    fn subtract(&mut self, left: Word, right: Word, when: Term) -> Word {
        self.determinate(left, when);
        let r = self.is_pointer(right, when);
        let same = self.builder.terms.equal(left.tag, right.tag);
        let apart = self.builder.and_not(r, same);
        let wrong = self.builder.and(when, apart);
        self.unsupported(wrong, "a value that depends on the numeric addresses of two objects");
        let number = self.builder.tag(Tag::NUMBER);
        let tag = self.builder.terms.ite(r, number, left.tag);
        Word { tag, bits: self.builder.terms.sub(left.bits, right.bits) }
    }

    /// Pointers into one object compare by offset, as signed numbers; a pointer and a small or very large number compare too.
    fn less(&mut self, op: BinaryOp, left: Word, right: Word, when: Term) -> Word {
        let (l, r) = (self.is_pointer(left, when), self.is_pointer(right, when));
        let same = self.builder.terms.equal(left.tag, right.tag);
        let apart = {
            let both = self.builder.and(l, r);
            self.builder.and_not(both, same)
        };
        let wrong = self.builder.and(when, apart);
        self.unsupported(wrong, "a comparison that depends on the numeric addresses of two objects");
        let numbers = match op {
            BinaryOp::LessUnsigned => self.builder.terms.ult(left.bits, right.bits),
            _ => self.builder.terms.slt(left.bits, right.bits),
        };
        let offsets = self.builder.terms.slt(left.bits, right.bits);
        let mut less = self.builder.terms.ite(l, offsets, numbers);
        let mixed = {
            let either = self.builder.or(l, r);
            self.builder.and_not(either, same)
        };
        if !self.builder.is(mixed, false) {
            // A pointer lies above the first page and below the last.
            let number = self.builder.terms.ite(l, right.bits, left.bits);
            let width = self.builder.width(number);
            let page = self.builder.terms.bits(width, NULL_PAGE);
            let top = self.builder.terms.bits(width, Bits::ones(width).unsigned() - NULL_PAGE);
            let (low, high) = (self.builder.terms.ult(number, page), self.builder.terms.ult(top, number));
            let known = match op {
                BinaryOp::LessUnsigned => self.builder.or(low, high),
                _ => self.builder.no,
            };
            let one = self.builder.and_not(mixed, apart);
            let unknown = self.builder.and_not(one, known);
            let wrong = self.builder.and(when, unknown);
            self.unsupported(wrong, "a comparison of an address with a number");
            let verdict = self.builder.terms.ite(l, high, low);
            less = self.builder.terms.ite(one, verdict, less);
        }
        self.truth_word(less)
    }

    /// Operations with a constant that touch only the bits below the alignment of every object that is meant.
    fn low_bits(&mut self, op: BinaryOp, left: Word, right: Word, when: Term) -> Word {
        let (pointer, number) = if self.builder.is_number(right) || op == BinaryOp::RemainderUnsigned {
            (left, right)
        } else {
            (right, left)
        };
        let is_pointer = self.is_pointer(pointer, when);
        self.number_only(number, when);
        let tags = self.builder.tags(pointer);
        let objects = tags.iter().filter(|tag| tag.0 > Tag::INDETERMINATE.0);
        let align = objects.map(|tag| self.objects.alignment(self.program, *tag)).min().unwrap_or(1);
        let width = self.builder.width(number.bits);
        let constant = self.builder.constant(number.bits);
        let mask = u128::from(align - 1);
        let high = Bits::ones(width).unsigned() & !mask;
        let keeps = match (op, constant) {
            (BinaryOp::And, Some(number)) if number & high == high => Some(true),
            (BinaryOp::And, Some(number)) if number & high == 0 => Some(false),
            (BinaryOp::Or | BinaryOp::Xor, Some(number)) if number & high == 0 => Some(true),
            (BinaryOp::RemainderUnsigned, Some(number)) if number.is_power_of_two() && number <= u128::from(align) => {
                Some(false)
            }
            _ => None,
        };
        let Some(keeps) = keeps else {
            let wrong = self.builder.and(when, is_pointer);
            self.unsupported(wrong, "a value that depends on a numeric address");
            return self.numbers(op, left.bits, right.bits, when);
        };
        let word = self.numbers(op, left.bits, right.bits, when);
        let tag = if keeps { pointer.tag } else { word.tag };
        Word { tag, bits: word.bits }
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

    /// Floating-point numbers are computed where they are constants, and compared; other results are opaque.
    fn floats(&mut self, op: BinaryOp, left: Term, right: Term) -> Word {
        let width = self.builder.width(left);
        let constants = (self.builder.constant(left), self.builder.constant(right));
        if let (Some(left), Some(right)) = constants
            && let Ok(bits) = op.apply(Bits::new(width, left), Bits::new(width, right))
        {
            return self.builder.number(bits.width(), bits.unsigned());
        }
        let truth = match op {
            BinaryOp::FloatEqual(format) => self.float_equal(format, left, right),
            BinaryOp::FloatLess(format) => self.float_less(format, left, right),
            BinaryOp::FloatLessEqual(format) => {
                let (less, equal) = (self.float_less(format, left, right), self.float_equal(format, left, right));
                self.builder.or(less, equal)
            }
            _ => {
                let application = Application { operation: Operation::Binary(op), left, right };
                let bits = self.builder.opaque(application, width).result;
                return self.builder.plain(bits);
            }
        };
        self.truth_word(truth)
    }

    /// The bits without the sign; whether these are a zero; whether they are a number.
    fn magnitude(
        &mut self,
        format: FloatFormat,
        float: Term,
    ) -> (selvedge_logic::Term, selvedge_logic::Term, selvedge_logic::Term) {
        let (width, infinity) = match format {
            FloatFormat::F32 => (32, u128::from(f32::INFINITY.to_bits())),
            FloatFormat::F64 => (64, u128::from(f64::INFINITY.to_bits())),
        };
        let terms = &mut self.builder.terms;
        let (zero, infinity) = (terms.bits(width - 1, 0), terms.bits(width - 1, infinity));
        let magnitude = terms.extract(width - 2, 0, float);
        let is_zero = terms.equal(magnitude, zero);
        let is_number = terms.ule(magnitude, infinity);
        (magnitude, is_zero, is_number)
    }

    fn float_equal(&mut self, format: FloatFormat, left: Term, right: Term) -> Term {
        let ((_, left_zero, left_number), (_, right_zero, _)) =
            (self.magnitude(format, left), self.magnitude(format, right));
        let same = self.builder.terms.equal(left, right);
        let same = self.builder.and(same, left_number);
        let zeros = self.builder.and(left_zero, right_zero);
        self.builder.or(same, zeros)
    }

    fn float_less(&mut self, format: FloatFormat, left: Term, right: Term) -> Term {
        let (l, left_zero, left_number) = self.magnitude(format, left);
        let (r, right_zero, right_number) = self.magnitude(format, right);
        let sign = self.builder.width(left) - 1;
        let (left_sign, right_sign) =
            (self.builder.terms.extract(sign, sign, left), self.builder.terms.extract(sign, sign, right));
        let (left_negative, right_negative) = (self.builder.truth(left_sign), self.builder.truth(right_sign));
        let (smaller, larger) = (self.builder.terms.ult(l, r), self.builder.terms.ult(r, l));
        let if_positive = self.builder.and_not(smaller, right_negative);
        let if_negative = {
            let positive = self.builder.not(right_negative);
            self.builder.or(larger, positive)
        };
        let less = self.builder.terms.ite(left_negative, if_negative, if_positive);
        let zeros = self.builder.and(left_zero, right_zero);
        let numbers = self.builder.and(left_number, right_number);
        let numbers = self.builder.and_not(numbers, zeros);
        self.builder.and(numbers, less)
    }

    fn convert(&mut self, conversion: Conversion, width: u32, operand: Word, when: Term) -> Word {
        let keeps = matches!(conversion, Conversion::ZeroExtend | Conversion::Truncate)
            && width >= self.program.pointer_width();
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
