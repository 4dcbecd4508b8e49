//! The registers and flags while the instructions of an `asm` statement are carried out: expressions over what was there
//! before. Memory is accessed as the instructions say, in their order.

use super::instruction::{Arithmetic, Base, Bit, Condition, Flag, Instruction, Operand, Operation};
use super::{ATOMIC, Refused, SHOWN};
use crate::lower::builder::FunctionBuilder;
use selvedge_program::{Action, Atomicity, BinaryOp, Callee, Display, Expr, MemoryOrder, UnaryOp};

/// Something in memory.
#[derive(Clone, Debug)]
pub(super) struct Located {
    pub address: Expr,
    pub align: u32,
}

/// Where an operand of the statement is.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// In the register of that number, with so many bits by its type.
    Register(usize, u32),
    /// In memory, with so many bits by its type, or 0.
    Memory(Located, u32),
    /// A constant.
    Value(Expr),
    /// An output that is a flag.
    Flag(Condition),
}

/// A machine register: its letter, if it was asked for by one, and what is known to be in its low bits.
#[derive(Clone, Debug)]
struct Register {
    letter: Option<char>,
    value: Option<Expr>,
}

/// What the last instruction that sets flags computed of them.
#[derive(Clone, Debug, Default)]
struct Flags {
    zero: Option<Expr>,
    carry: Option<Expr>,
    sign: Option<Expr>,
    overflow: Option<Expr>,
}

/// Where an instruction's operand is.
enum Target {
    Register(usize),
    Memory(Located),
    Value(Expr),
}

/// The state of the machine.
#[derive(Debug)]
pub(super) struct Machine {
    width: u32,
    registers: Vec<Register>,
    slots: Vec<Slot>,
    /// Registers of outputs that may be those of inputs, too.
    shared: Vec<usize>,
    /// Whether one of them was written.
    is_shared_written: bool,
    flags: Flags,
}

type Done<T> = Result<T, Refused>;

impl Machine {
    /// A machine with registers of a width, for a statement without operands yet.
    pub fn new(width: u32) -> Machine {
        Machine {
            width,
            registers: Vec::new(),
            slots: Vec::new(),
            shared: Vec::new(),
            is_shared_written: false,
            flags: Flags::default(),
        }
    }

    /// The next operand; an output that is written before all inputs are read needs a register of its own.
    pub fn add(&mut self, slot: Slot, is_apart: bool) {
        if let Slot::Register(register, _) = &slot
            && !is_apart
        {
            self.shared.push(*register);
        }
        self.slots.push(slot);
    }

    /// An operand in a register.
    pub fn register(&mut self, letter: Option<char>, bits: u32, value: Option<Expr>) -> Slot {
        let known = letter.and_then(|letter| self.lettered(letter));
        let register = known.unwrap_or_else(|| {
            self.registers.push(Register { letter, value: None });
            self.registers.len() - 1
        });
        if value.is_some() {
            self.registers[register].value = value;
        }
        Slot::Register(register, bits)
    }

    /// An input in the place of an output.
    pub fn same_as(&mut self, other: usize, bits: u32, value: Expr) -> Done<Slot> {
        match self.slots.get(other) {
            Some(Slot::Register(register, _)) => {
                let register = *register;
                self.registers[register].value = Some(value);
                Ok(Slot::Register(register, bits))
            }
            _ => Err("an input in the place of an output in memory".to_owned()),
        }
    }

    fn lettered(&self, letter: char) -> Option<usize> {
        self.registers.iter().position(|register| register.letter == Some(letter))
    }

    fn lettered_or_new(&mut self, letter: char) -> usize {
        self.lettered(letter).unwrap_or_else(|| {
            self.registers.push(Register { letter: Some(letter), value: None });
            self.registers.len() - 1
        })
    }

    /// What an output in a register or flag is in the end; nothing if no instruction wrote it.
    pub fn result(&mut self, slot: usize, bits: u32) -> Done<Option<Expr>> {
        match self.slots[slot].clone() {
            Slot::Flag(condition) => Ok(Some(self.condition(condition)?.resize_unsigned(bits))),
            Slot::Register(register, _) if self.registers[register].value.is_none() => Ok(None),
            Slot::Register(register, _) => self.low_bits(register, bits).map(Some),
            Slot::Memory(..) | Slot::Value(_) => Ok(None),
        }
    }

    fn low_bits(&self, register: usize, bits: u32) -> Done<Expr> {
        match &self.registers[register].value {
            Some(value) if value.width() >= bits => Ok(value.clone().resize_unsigned(bits)),
            _ => Err("more bits of a register than were written".to_owned()),
        }
    }

    /// Carries out an instruction.
    pub fn run(&mut self, function: &mut FunctionBuilder<'_>, instruction: &Instruction) -> Done<()> {
        self.step(function, instruction).map_err(|why| match why.is_empty() {
            true => format!("`{}`", instruction.text),
            false => format!("`{}` ({why})", instruction.text),
        })
    }

    fn step(&mut self, function: &mut FunctionBuilder<'_>, instruction: &Instruction) -> Done<()> {
        let operands = &instruction.operands;
        if self.is_fence(instruction) {
            function.emit(Action::Fence(MemoryOrder::SequentiallyConsistent));
            return Ok(());
        }
        let is_in_memory = operands.last().is_some_and(|operand| self.is_memory(operand));
        if instruction.is_locked && !(is_in_memory && can_be_locked(instruction.operation)) {
            return Err(String::new());
        }
        match instruction.operation {
            Operation::Nothing => {}
            Operation::Fence => drop(function.emit(Action::Fence(MemoryOrder::SequentiallyConsistent))),
            Operation::LoadFence => drop(function.emit(Action::Fence(MemoryOrder::Acquire))),
            Operation::StoreFence => drop(function.emit(Action::Fence(MemoryOrder::Release))),
            Operation::ReadTime => {
                for letter in ['a', 'd'] {
                    let value = function.havoc(32, SHOWN);
                    let register = self.lettered_or_new(letter);
                    self.write_register(register, value)?;
                }
            }
            Operation::Move => {
                let bits = self.bits(instruction)?;
                let value = self.read(function, &operands[0], bits, ATOMIC)?;
                self.write(function, &operands[1], value, ATOMIC)?;
            }
            Operation::MoveExtended(from) => {
                let bits = self.bits(instruction)?;
                let value = self.read(function, &operands[0], from, ATOMIC)?;
                self.write(function, &operands[1], value.resize_unsigned(bits), ATOMIC)?;
            }
            Operation::Set(condition) => {
                let value = self.condition(condition)?.resize_unsigned(8);
                self.write(function, &operands[0], value, ATOMIC)?;
            }
            Operation::Compare | Operation::Test => {
                let bits = self.bits(instruction)?;
                let right = self.read(function, &operands[0], bits, Atomicity::Plain)?;
                let left = self.read(function, &operands[1], bits, Atomicity::Plain)?;
                let op = if instruction.operation == Operation::Test { BinaryOp::And } else { BinaryOp::Subtract };
                let result = function.hold(Expr::binary(op, left.clone(), right.clone()), SHOWN);
                self.set_flags(op, &left, &right, &result);
            }
            Operation::StoreString => self.store_string(function, instruction)?,
            Operation::Arithmetic(operation) => self.arithmetic(function, instruction, operation)?,
            Operation::Exchange | Operation::ExchangeAdd => self.exchange(function, instruction)?,
            Operation::CompareExchange => self.compare_exchange(function, instruction)?,
            Operation::Bit(bit) => self.bit(function, instruction, bit)?,
            Operation::SubtractBorrow => {
                if operands[0] != operands[1] || is_in_memory {
                    return Err(String::new());
                }
                let bits = self.bits(instruction)?;
                let carry = self.flags.carry.clone().ok_or_else(unknown_flag)?;
                let value = Expr::unary(UnaryOp::Negate, carry.clone().resize_unsigned(bits));
                self.write(function, &operands[1], value, ATOMIC)?;
                let zero = Some(carry.clone().not());
                self.flags =
                    Flags { zero, sign: Some(carry.clone()), carry: Some(carry), overflow: Some(Expr::falsehood()) };
            }
        }
        Ok(())
    }

    /// A locked change of nothing on the stack.
    fn is_fence(&self, instruction: &Instruction) -> bool {
        let changes_nothing = matches!(
            instruction.operation,
            Operation::Arithmetic(Arithmetic::Add | Arithmetic::Or | Arithmetic::Subtract | Arithmetic::Xor)
        );
        instruction.is_locked
            && changes_nothing
            && matches!(instruction.operands[..], [Operand::Immediate(0), Operand::Memory(Base::Stack, _)])
    }

    fn is_memory(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Slot(slot, _) => matches!(self.slots.get(*slot), Some(Slot::Memory(..))),
            Operand::Memory(..) => true,
            Operand::Register(..) | Operand::Immediate(_) => false,
        }
    }

    /// How many bits an instruction works on: by its suffix, or by its registers, or by the types of its operands.
    fn bits(&self, instruction: &Instruction) -> Done<u32> {
        let of_register = |operand: &Operand| match operand {
            Operand::Register(_, bits) => Some(*bits),
            Operand::Slot(slot, bits) => match self.slots.get(*slot) {
                Some(Slot::Register(_, declared)) => bits.or(Some(*declared)),
                _ => None,
            },
            Operand::Immediate(_) | Operand::Memory(..) => None,
        };
        let of_memory = |operand: &Operand| match operand {
            Operand::Slot(slot, _) => match self.slots.get(*slot) {
                Some(Slot::Memory(_, bits)) if *bits > 0 => Some(*bits),
                _ => None,
            },
            _ => None,
        };
        let by_register = instruction.operands.iter().find_map(of_register);
        let bits = instruction.bits.or(by_register).or_else(|| instruction.operands.iter().find_map(of_memory));
        bits.filter(|bits| *bits <= self.width).ok_or_else(|| "of unknown size".to_owned())
    }

    /// Where an operand is. What is not to share its register with an output must not be read any more once that is
    /// written.
    fn target(&self, operand: &Operand, bits: u32) -> Done<Target> {
        Ok(match operand {
            Operand::Immediate(number) => Target::Value(Expr::signed(bits, *number)),
            Operand::Register(letter, named) => {
                if *named != bits {
                    return Err("a register of another size".to_owned());
                }
                Target::Register(self.lettered(*letter).ok_or_else(|| "a register without a value".to_owned())?)
            }
            Operand::Slot(slot, _) => match self.slots.get(*slot) {
                Some(Slot::Register(register, _)) => Target::Register(*register),
                Some(Slot::Memory(located, _)) => Target::Memory(located.clone()),
                Some(Slot::Value(value)) => Target::Value(value.clone().resize_signed(bits)),
                Some(Slot::Flag(_)) | None => return Err(String::new()),
            },
            Operand::Memory(base, displacement) => {
                let register = match base {
                    Base::Slot(slot) => match self.slots.get(*slot) {
                        Some(Slot::Register(register, _)) => *register,
                        _ => return Err(String::new()),
                    },
                    Base::Register(letter) => self.lettered(*letter).ok_or_else(String::new)?,
                    Base::Stack => return Err("the stack".to_owned()),
                };
                self.require_apart(register)?;
                let address = self.low_bits(register, self.width)?;
                let offset = Expr::signed(self.width, *displacement);
                let address = if *displacement == 0 { address } else { Expr::binary(BinaryOp::Add, address, offset) };
                Target::Memory(Located { address, align: 1 })
            }
        })
    }

    fn require_apart(&self, register: usize) -> Done<()> {
        if self.is_shared_written && !self.shared.contains(&register) && self.registers[register].letter.is_none() {
            return Err("an input that may share its register with an output that is written before".to_owned());
        }
        Ok(())
    }

    fn read(
        &self,
        function: &mut FunctionBuilder<'_>,
        operand: &Operand,
        bits: u32,
        atomicity: Atomicity,
    ) -> Done<Expr> {
        match self.target(operand, bits)? {
            Target::Value(value) => Ok(value),
            Target::Register(register) => {
                self.require_apart(register)?;
                self.low_bits(register, bits)
            }
            Target::Memory(at) => Ok(function.load(at.address, bits / 8, at.align.min(bits / 8), atomicity, SHOWN)),
        }
    }

    fn write(
        &mut self,
        function: &mut FunctionBuilder<'_>,
        operand: &Operand,
        value: Expr,
        atomicity: Atomicity,
    ) -> Done<()> {
        match self.target_to_write(operand, value.width())? {
            Target::Value(_) => Err(String::new()),
            Target::Register(register) => {
                let value = function.hold(value, SHOWN);
                self.write_register(register, value)
            }
            Target::Memory(at) => {
                let align = at.align.min(value.width() / 8);
                function.store(at.address, align, value, atomicity);
                Ok(())
            }
        }
    }

    fn target_to_write(&mut self, operand: &Operand, bits: u32) -> Done<Target> {
        if let Operand::Register(letter, _) = operand {
            self.lettered_or_new(*letter);
        }
        self.target(operand, bits)
    }

    /// Writes the low bits of a register. Of 64 bits, those above 32 become 0, those above 8 and 16 stay.
    fn write_register(&mut self, register: usize, value: Expr) -> Done<()> {
        self.is_shared_written |= self.shared.contains(&register);
        let bits = value.width();
        let old = self.registers[register].value.take();
        self.registers[register].value = Some(match old {
            _ if bits >= 32 => value.resize_unsigned(self.width.max(bits)),
            Some(old) if old.width() > bits => {
                let kept = Expr::constant(old.width(), u128::MAX << bits);
                let kept = Expr::binary(BinaryOp::And, old.clone(), kept);
                Expr::binary(BinaryOp::Or, kept, value.resize_unsigned(old.width()))
            }
            _ => value,
        });
        Ok(())
    }

    fn condition(&self, condition: Condition) -> Done<Expr> {
        let known = |flag: &Option<Expr>| flag.clone().ok_or_else(unknown_flag);
        let differ = |left: Expr, right: Expr| Expr::equal(left, right).not();
        let flags = &self.flags;
        let holds = match condition.flag {
            Flag::Zero => known(&flags.zero)?,
            Flag::Carry => known(&flags.carry)?,
            Flag::Sign => known(&flags.sign)?,
            Flag::Overflow => known(&flags.overflow)?,
            Flag::Less => differ(known(&flags.sign)?, known(&flags.overflow)?),
            Flag::LessOrEqual => known(&flags.zero)?.or(differ(known(&flags.sign)?, known(&flags.overflow)?)),
            Flag::BelowOrEqual => known(&flags.zero)?.or(known(&flags.carry)?),
        };
        Ok(if condition.is_negated { holds.not() } else { holds })
    }

    /// The flags after `left op right`.
    fn set_flags(&mut self, op: BinaryOp, left: &Expr, right: &Expr, result: &Expr) {
        let width = result.width();
        let negative = |value: &Expr| Expr::binary(BinaryOp::LessSigned, value.clone(), Expr::constant(width, 0));
        let differ = |a: &Expr, b: &Expr| Expr::binary(BinaryOp::Xor, a.clone(), b.clone());
        let (carry, overflow) = match op {
            BinaryOp::Add => {
                let carry = Expr::binary(BinaryOp::LessUnsigned, result.clone(), left.clone());
                let overflow = Expr::binary(BinaryOp::And, differ(left, result), differ(right, result));
                (carry, negative(&overflow))
            }
            BinaryOp::Subtract => {
                let carry = Expr::binary(BinaryOp::LessUnsigned, left.clone(), right.clone());
                let overflow = Expr::binary(BinaryOp::And, differ(left, right), differ(left, result));
                (carry, negative(&overflow))
            }
            _ => (Expr::falsehood(), Expr::falsehood()),
        };
        self.flags = Flags {
            zero: Some(match op {
                // Of addresses only the comparison is known.
                BinaryOp::Subtract => Expr::equal(left.clone(), right.clone()),
                _ => result.clone().is_true().not(),
            }),
            carry: Some(carry),
            sign: Some(negative(result)),
            overflow: Some(overflow),
        };
    }

    /// Reads an operand and writes what is made of it; gives the old value and the new one.
    fn modify(
        &mut self,
        function: &mut FunctionBuilder<'_>,
        operand: &Operand,
        (bits, is_atomic): (u32, bool),
        change: impl FnOnce(&Expr) -> Expr,
    ) -> Done<(Expr, Expr)> {
        match self.target(operand, bits)? {
            Target::Value(_) => Err(String::new()),
            Target::Register(register) => {
                let old = self.low_bits(register, bits)?;
                let new = function.hold(change(&old), SHOWN);
                self.write_register(register, new.clone())?;
                Ok((old, new))
            }
            Target::Memory(at) => Ok(modify_memory(function, &at, (bits, is_atomic), change)),
        }
    }

    fn arithmetic(
        &mut self,
        function: &mut FunctionBuilder<'_>,
        instruction: &Instruction,
        operation: Arithmetic,
    ) -> Done<()> {
        let bits = self.bits(instruction)?;
        let (one, zero) = (Expr::constant(bits, 1), Expr::constant(bits, 0));
        let (op, given) = match operation {
            Arithmetic::Add => (BinaryOp::Add, None),
            Arithmetic::Subtract => (BinaryOp::Subtract, None),
            Arithmetic::And => (BinaryOp::And, None),
            Arithmetic::Or => (BinaryOp::Or, None),
            Arithmetic::Xor => (BinaryOp::Xor, None),
            Arithmetic::Increment => (BinaryOp::Add, Some(one)),
            Arithmetic::Decrement => (BinaryOp::Subtract, Some(one)),
            Arithmetic::Negate => (BinaryOp::Subtract, Some(zero.clone())),
            Arithmetic::Not => (BinaryOp::Xor, Some(Expr::constant(bits, u128::MAX))),
        };
        let (target, other) = match (&instruction.operands[..], given) {
            ([target], Some(other)) => (target, other),
            ([source, target], None) => {
                // `xor %0, %0` needs no value before it.
                if operation == Arithmetic::Xor && source == target && !self.is_memory(target) {
                    self.write(function, target, zero.clone(), ATOMIC)?;
                    self.set_flags(BinaryOp::Xor, &zero, &zero, &zero);
                    return Ok(());
                }
                (target, self.read(function, source, bits, Atomicity::Plain)?)
            }
            _ => return Err(String::new()),
        };
        let is_negation = operation == Arithmetic::Negate;
        let compute = |old: &Expr| match is_negation {
            true => Expr::binary(op, other.clone(), old.clone()),
            false => Expr::binary(op, old.clone(), other.clone()),
        };
        let (old, new) = self.modify(function, target, (bits, instruction.is_locked), compute)?;
        let carry = self.flags.carry.clone();
        match operation {
            Arithmetic::Not => return Ok(()),
            Arithmetic::Negate => self.set_flags(op, &zero, &old, &new),
            _ => self.set_flags(op, &old, &other, &new),
        }
        if matches!(operation, Arithmetic::Increment | Arithmetic::Decrement) {
            self.flags.carry = carry;
        }
        Ok(())
    }

    /// `xchg` and `xadd`.
    fn exchange(&mut self, function: &mut FunctionBuilder<'_>, instruction: &Instruction) -> Done<()> {
        let bits = self.bits(instruction)?;
        let [first, second] = &instruction.operands[..] else { return Err(String::new()) };
        let adds = instruction.operation == Operation::ExchangeAdd;
        let (source, target) = if !adds && self.is_memory(first) { (second, first) } else { (first, second) };
        let Target::Register(register) = self.target(source, bits)? else { return Err(String::new()) };
        let given = self.low_bits(register, bits)?;
        let is_atomic = instruction.is_locked || !adds;
        let change = |old: &Expr| match adds {
            true => Expr::binary(BinaryOp::Add, old.clone(), given.clone()),
            false => given.clone(),
        };
        let (old, new) = self.modify(function, target, (bits, is_atomic), change)?;
        self.write_register(register, old.clone())?;
        if adds {
            self.set_flags(BinaryOp::Add, &old, &given, &new);
        }
        Ok(())
    }

    fn compare_exchange(&mut self, function: &mut FunctionBuilder<'_>, instruction: &Instruction) -> Done<()> {
        let bits = self.bits(instruction)?;
        let [source, target] = &instruction.operands[..] else { return Err(String::new()) };
        let given = self.read(function, source, bits, ATOMIC)?;
        let accumulator = self.lettered('a').ok_or_else(|| "the register a without a value".to_owned())?;
        let expected = self.low_bits(accumulator, bits)?;
        let change =
            |old: &Expr| Expr::if_then_else(Expr::equal(old.clone(), expected.clone()), given.clone(), old.clone());
        let (old, _) = self.modify(function, target, (bits, instruction.is_locked), change)?;
        let equal = function.hold(Expr::equal(old.clone(), expected), Display::Bool);
        self.write_register(accumulator, old)?;
        self.flags = Flags { zero: Some(equal), ..Flags::default() };
        Ok(())
    }

    /// `stos`, perhaps with `rep`: of an output that is too narrow for the address behind the last element nothing is
    /// known.
    fn store_string(&mut self, function: &mut FunctionBuilder<'_>, instruction: &Instruction) -> Done<()> {
        let bits = instruction.bits.ok_or_else(|| "of unknown size".to_owned())?;
        let (width, each) = (self.width, Expr::constant(self.width, u128::from(bits / 8)));
        let given = |letter: char| self.lettered(letter).ok_or_else(|| "a register without a value".to_owned());
        let target = given('D')?;
        let value = match &self.registers[given('a')?].value {
            // However small a number that is not negative was written as, the rest of the register is 0 in practice.
            Some(Expr::Constant(number)) if number.as_signed() >= 0 => Expr::constant(width, number.unsigned()),
            _ => self.low_bits(given('a')?, bits)?.resize_unsigned(width),
        };
        let count = match instruction.is_repeated {
            true => self.low_bits(given('c')?, width)?,
            false => Expr::constant(width, 1),
        };
        let address = self.low_bits(target, width)?;
        let end = Expr::binary(BinaryOp::Multiply, count.clone(), each.clone());
        let end = function.hold(Expr::binary(BinaryOp::Add, address.clone(), end), Display::Pointer);
        let callee = Callee::Direct(function.program.c_model("__selvedge_store_string"));
        function.emit(Action::Call { target: None, callee, arguments: vec![address, value, count, each] });
        self.write_register(target, end)?;
        if self.slots.iter().any(|slot| matches!(slot, Slot::Register(at, bits) if *at == target && *bits < width)) {
            self.registers[target].value = None;
        }
        if instruction.is_repeated {
            let counter = self.lettered_or_new('c');
            self.write_register(counter, Expr::constant(width, 0))?;
        }
        Ok(())
    }

    /// `bt` and its relatives: a bit behind an address may lie in a word before or after it.
    fn bit(&mut self, function: &mut FunctionBuilder<'_>, instruction: &Instruction, bit: Bit) -> Done<()> {
        let bits = self.bits(instruction)?;
        let [source, target] = &instruction.operands[..] else { return Err(String::new()) };
        if bits < 32 {
            return Err(String::new());
        }
        let number = self.read(function, source, bits, ATOMIC)?;
        let within = Expr::binary(BinaryOp::And, number.clone(), Expr::constant(bits, u128::from(bits - 1)));
        let mask = Expr::binary(BinaryOp::ShiftLeft, Expr::constant(bits, 1), within);
        let mask = function.hold(mask, SHOWN);
        let change = |old: &Expr| match bit {
            Bit::Keep => old.clone(),
            Bit::Set => Expr::binary(BinaryOp::Or, old.clone(), mask.clone()),
            Bit::Reset => Expr::binary(BinaryOp::And, old.clone(), Expr::unary(UnaryOp::Not, mask.clone())),
            Bit::Complement => Expr::binary(BinaryOp::Xor, old.clone(), mask.clone()),
        };
        let mode = (bits, instruction.is_locked);
        let old = match self.target(target, bits)? {
            Target::Memory(at) => {
                let is_immediate = matches!(source, Operand::Immediate(_));
                let at = if is_immediate { at } else { word_of(&at, &number, self.width) };
                match bit {
                    Bit::Keep => function.load(at.address, bits / 8, at.align.min(bits / 8), Atomicity::Plain, SHOWN),
                    _ => modify_memory(function, &at, mode, change).0,
                }
            }
            Target::Register(register) if bit == Bit::Keep => self.low_bits(register, bits)?,
            _ => self.modify(function, target, mode, change)?.0,
        };
        let carry = function.hold(Expr::binary(BinaryOp::And, old, mask).is_true(), Display::Bool);
        self.flags = Flags { carry: Some(carry), ..Flags::default() };
        Ok(())
    }
}

/// The word behind an address in which the bit of a number lies.
fn word_of(at: &Located, number: &Expr, width: u32) -> Located {
    let bits = number.width();
    let shift = Expr::constant(bits, u128::from(bits.trailing_zeros()));
    let index = Expr::binary(BinaryOp::ShiftRightSigned, number.clone(), shift).resize_signed(width);
    let offset = Expr::binary(BinaryOp::Multiply, index, Expr::constant(width, u128::from(bits / 8)));
    Located { address: Expr::binary(BinaryOp::Add, at.address.clone(), offset), align: at.align }
}

fn can_be_locked(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Arithmetic(_)
            | Operation::Exchange
            | Operation::ExchangeAdd
            | Operation::CompareExchange
            | Operation::Bit(Bit::Set | Bit::Reset | Bit::Complement)
    )
}

fn unknown_flag() -> Refused {
    "a flag of which nothing is known".to_owned()
}

/// Changes something in memory, in one step or in two that others can come between; gives the old value and the new.
fn modify_memory(
    function: &mut FunctionBuilder<'_>,
    at: &Located,
    (bits, is_atomic): (u32, bool),
    change: impl FnOnce(&Expr) -> Expr,
) -> (Expr, Expr) {
    let (size, align) = (bits / 8, at.align.min(bits / 8));
    if !is_atomic {
        let old = function.load(at.address.clone(), size, align, Atomicity::Plain, SHOWN);
        let new = function.hold(change(&old), SHOWN);
        function.store(at.address.clone(), align, new.clone(), Atomicity::Plain);
        return (old, new);
    }
    let target = function.temporary(bits, SHOWN);
    let result = function.value(target);
    let mut update = function.atomic();
    let old = update.read(at.address.clone(), size, align, SHOWN);
    update.step(selvedge_program::AtomicStep::Let { target, value: change(&old) });
    update.write_when(Expr::truth(), at.address.clone(), align, result.clone());
    update.commit();
    (old, result)
}
