//! The template of an `asm` statement as instructions of x86 in AT&T syntax.

use super::Refused;

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// `%0`, `%[name]`, perhaps with a size: `%b0`.
    Slot(usize, Option<u32>),
    /// `%%eax`: the register, and how many of its bits.
    Register(char, u32),
    /// `$1`
    Immediate(i128),
    /// `8(%0)`, `(%%rax)`
    Memory(Base, i128),
}

/// What the address of an operand in memory begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Slot(usize),
    Register(char),
    /// `%%esp`, `%%rsp`
    Stack,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Nothing,
    Fence,
    LoadFence,
    StoreFence,
    Move,
    /// From so many bits.
    MoveExtended(u32),
    Exchange,
    ExchangeAdd,
    CompareExchange,
    Compare,
    Test,
    Arithmetic(Arithmetic),
    Bit(Bit),
    SubtractBorrow,
    Set(Condition),
    ReadTime,
    /// `stos`: so many bytes of the register a are stored where D points to, once or c times.
    StoreString,
}

/// Instructions that compute one value from one or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    And,
    Or,
    Xor,
    Increment,
    Decrement,
    Negate,
    Not,
}

/// What becomes of a bit that is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bit {
    Keep,
    Set,
    Reset,
    Complement,
}

/// A condition on the flags: which, and whether it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub flag: Flag,
    pub is_negated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    Zero,
    Carry,
    Sign,
    Overflow,
    /// Sign differs from overflow.
    Less,
    LessOrEqual,
    BelowOrEqual,
}

impl Condition {
    /// The condition of a name: `e`, `nz`, `ae`.
    pub fn named(name: &str) -> Option<Condition> {
        let plain = |flag| Some(Condition { flag, is_negated: false });
        let negated = |flag| Some(Condition { flag, is_negated: true });
        match name {
            "e" | "z" => plain(Flag::Zero),
            "ne" | "nz" => negated(Flag::Zero),
            "c" | "b" | "nae" => plain(Flag::Carry),
            "nc" | "nb" | "ae" => negated(Flag::Carry),
            "s" => plain(Flag::Sign),
            "ns" => negated(Flag::Sign),
            "o" => plain(Flag::Overflow),
            "no" => negated(Flag::Overflow),
            "l" | "nge" => plain(Flag::Less),
            "nl" | "ge" => negated(Flag::Less),
            "le" | "ng" => plain(Flag::LessOrEqual),
            "nle" | "g" => negated(Flag::LessOrEqual),
            "be" | "na" => plain(Flag::BelowOrEqual),
            "nbe" | "a" => negated(Flag::BelowOrEqual),
            _ => None,
        }
    }
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    pub operation: Operation,
    pub is_locked: bool,
    /// `rep`
    pub is_repeated: bool,
    /// How many bits its suffix says.
    pub bits: Option<u32>,
    /// The operands, the source first.
    pub operands: Vec<Operand>,
    /// As it was written.
    pub text: String,
}

/// The instructions of a template whose operands have these names.
pub(super) fn parse(template: &str, names: &[Option<&str>]) -> Result<Vec<Instruction>, Refused> {
    if template.contains(['{', '|', '}']) {
        return Err("templates in two dialects".to_owned());
    }
    let mut instructions: Vec<Instruction> = Vec::new();
    let (mut is_locked, mut is_repeated) = (false, false);
    for line in without_comments(template).lines() {
        let line = line.split('#').next().unwrap_or_default();
        for statement in line.split(';') {
            let mut text = statement.trim();
            for (prefix, flag) in [("lock", &mut is_locked), ("rep", &mut is_repeated)] {
                let rest = text.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
                if let Some(rest) = rest {
                    if std::mem::replace(flag, true) {
                        return Err(format!("`{text}`"));
                    }
                    text = rest.trim();
                }
            }
            if text.is_empty() {
                continue;
            }
            let is_locked = std::mem::take(&mut is_locked);
            let refused = || format!("`{text}`");
            let mut instruction = instruction(text, is_locked, names).ok_or_else(refused)?;
            instruction.is_repeated = std::mem::take(&mut is_repeated);
            // `rep; nop` is `pause`.
            if instruction.is_repeated && !matches!(instruction.operation, Operation::Nothing | Operation::StoreString)
            {
                return Err(refused());
            }
            instructions.push(instruction);
        }
    }
    if is_locked || is_repeated {
        return Err("a prefix without its instruction".to_owned());
    }
    Ok(instructions)
}

fn without_comments(template: &str) -> String {
    let mut rest = template;
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once("/*") {
        text.push_str(before);
        text.push(' ');
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    text + rest
}

fn instruction(text: &str, is_locked: bool, names: &[Option<&str>]) -> Option<Instruction> {
    let (mnemonic, operands) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    let (operation, bits, count) = operation(mnemonic)?;
    let operands: Vec<Operand> = match operands.trim() {
        "" => Vec::new(),
        operands => split(operands).into_iter().map(|text| operand(text.trim(), names)).collect::<Option<_>>()?,
    };
    let text = text.to_owned();
    (operands.len() == count).then_some(Instruction { operation, is_locked, is_repeated: false, bits, operands, text })
}

/// The operands, at the commas outside of parentheses.
fn split(operands: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0);
    for (at, character) in operands.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&operands[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&operands[from..]);
    parts
}

/// What a mnemonic means: operation, bits of its suffix, and the number of operands.
fn operation(mnemonic: &str) -> Option<(Operation, Option<u32>, usize)> {
    let plain = |operation| Some((operation, None, 0));
    match mnemonic {
        // No instruction here sets the direction of strings, which is forward for all that C calls.
        "nop" | "pause" | "cld" => return plain(Operation::Nothing),
        "mfence" => return plain(Operation::Fence),
        "lfence" => return plain(Operation::LoadFence),
        "sfence" => return plain(Operation::StoreFence),
        "rdtsc" => return plain(Operation::ReadTime),
        "movzbl" => return Some((Operation::MoveExtended(8), Some(32), 2)),
        "movzbq" => return Some((Operation::MoveExtended(8), Some(64), 2)),
        "movzwl" => return Some((Operation::MoveExtended(16), Some(32), 2)),
        _ => {}
    }
    let named = |text: &str| Condition::named(text).or_else(|| Condition::named(text.strip_suffix('b')?));
    if let Some(condition) = mnemonic.strip_prefix("set").and_then(named) {
        return Some((Operation::Set(condition), Some(8), 1));
    }
    let sized = mnemonic.split_at_checked(mnemonic.len().wrapping_sub(1));
    let bits = |suffix: &str| Some([("b", 8), ("w", 16), ("l", 32), ("q", 64)].iter().find(|(s, _)| *s == suffix)?.1);
    if let Some((operation, count)) = unsized_operation(mnemonic) {
        return Some((operation, None, count));
    }
    let (base, suffix) = sized?;
    let (operation, count) = unsized_operation(base)?;
    Some((operation, Some(bits(suffix)?), count))
}

fn unsized_operation(mnemonic: &str) -> Option<(Operation, usize)> {
    Some(match mnemonic {
        "mov" => (Operation::Move, 2),
        "xchg" => (Operation::Exchange, 2),
        "xadd" => (Operation::ExchangeAdd, 2),
        "cmpxchg" => (Operation::CompareExchange, 2),
        "cmp" => (Operation::Compare, 2),
        "test" => (Operation::Test, 2),
        "add" => (Operation::Arithmetic(Arithmetic::Add), 2),
        "sub" => (Operation::Arithmetic(Arithmetic::Subtract), 2),
        "and" => (Operation::Arithmetic(Arithmetic::And), 2),
        "or" => (Operation::Arithmetic(Arithmetic::Or), 2),
        "xor" => (Operation::Arithmetic(Arithmetic::Xor), 2),
        "inc" => (Operation::Arithmetic(Arithmetic::Increment), 1),
        "dec" => (Operation::Arithmetic(Arithmetic::Decrement), 1),
        "neg" => (Operation::Arithmetic(Arithmetic::Negate), 1),
        "not" => (Operation::Arithmetic(Arithmetic::Not), 1),
        "bt" => (Operation::Bit(Bit::Keep), 2),
        "bts" => (Operation::Bit(Bit::Set), 2),
        "btr" => (Operation::Bit(Bit::Reset), 2),
        "btc" => (Operation::Bit(Bit::Complement), 2),
        "sbb" => (Operation::SubtractBorrow, 2),
        "stos" => (Operation::StoreString, 0),
        _ => return None,
    })
}

fn operand(text: &str, names: &[Option<&str>]) -> Option<Operand> {
    if let Some(number) = text.strip_prefix('$') {
        return integer(number).map(Operand::Immediate);
    }
    if let Some((displacement, rest)) = text.split_once('(') {
        let displacement = if displacement.trim().is_empty() { 0 } else { integer(displacement.trim())? };
        let base = rest.strip_suffix(')')?.trim();
        let base = match base {
            "%%esp" | "%%rsp" => Base::Stack,
            base => match operand(base, names)? {
                Operand::Slot(slot, None) => Base::Slot(slot),
                Operand::Register(register, _) => Base::Register(register),
                _ => return None,
            },
        };
        return Some(Operand::Memory(base, displacement));
    }
    let rest = text.strip_prefix('%')?;
    if let Some(register) = rest.strip_prefix('%') {
        return register_named(register).map(|(register, bits)| Operand::Register(register, bits));
    }
    let modifier = |letter| match letter {
        'b' => Some(8),
        'w' => Some(16),
        'k' => Some(32),
        'q' => Some(64),
        _ => None,
    };
    let (bits, rest) = match rest.chars().next()? {
        letter if letter.is_ascii_alphabetic() => (Some(modifier(letter)?), &rest[1..]),
        _ => (None, rest),
    };
    let slot = match rest.strip_prefix('[') {
        Some(name) => {
            let name = name.strip_suffix(']')?;
            names.iter().position(|known| *known == Some(name))?
        }
        None => rest.parse().ok().filter(|slot| *slot < names.len())?,
    };
    Some(Operand::Slot(slot, bits))
}

fn integer(text: &str) -> Option<i128> {
    let (is_negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16),
        None if digits.starts_with('0') && digits.len() > 1 => i64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    let value = i128::from(value.ok()?);
    Some(if is_negative { -value } else { value })
}

/// A register's letter among the constraints, and how many of its bits a name means.
fn register_named(name: &str) -> Option<(char, u32)> {
    let names = [
        ('a', ["al", "ax", "eax", "rax"]),
        ('b', ["bl", "bx", "ebx", "rbx"]),
        ('c', ["cl", "cx", "ecx", "rcx"]),
        ('d', ["dl", "dx", "edx", "rdx"]),
        ('S', ["sil", "si", "esi", "rsi"]),
        ('D', ["dil", "di", "edi", "rdi"]),
    ];
    names.iter().find_map(|(letter, names)| {
        let position = names.iter().position(|known| *known == name)?;
        Some((*letter, 8 << position))
    })
}
