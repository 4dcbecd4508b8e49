//! Inline assembly of x86, in AT&T syntax: what libraries of atomics are made of. The template is read into instructions
//! ([`instruction`]), and these are carried out one after the other on what the operands hold ([`machine`]).
//!
//! A locked instruction, and `xchg` on memory, is one atomic update. A `mov` from or to memory is an atomic access, as
//! those who write it in assembly mean it. Any other instruction on memory is a plain read and then a plain write, which
//! others can come between. Whatever is not known (jumps, other instructions, other operands) is unsupported.

mod instruction;
mod machine;

use super::function::FunctionLowering;
use super::place::Spot;
use super::values::{display, width};
use crate::hir::{AsmOperand, Expr as Typed, ExprKind, Place};
use instruction::{Condition, Operation};
use machine::{Located, Machine, Slot};
use selvedge_program::{Atomicity, Display, Expr};

/// What a constraint asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Class {
    Register,
    /// `a`, `b`, `c`, `d`, `S`, `D`.
    Fixed(char),
    /// `A`: `a` or `d`, or both where the value does not fit one.
    Pair,
    Memory,
    Immediate,
    /// The operand of that number.
    SameAs(usize),
    /// `=@cc…`
    Flag(Condition),
}

impl Class {
    fn of(constraint: &str) -> Option<Class> {
        let letters = constraint.trim_start_matches(['=', '+', '&', '%', ' ']);
        if let Some(condition) = letters.strip_prefix("@cc") {
            return Condition::named(condition).map(Class::Flag);
        }
        if letters == "A" {
            return Some(Class::Pair);
        }
        if let Ok(number) = letters.parse() {
            return Some(Class::SameAs(number));
        }
        let has = |some: &str| letters.contains(|letter| some.contains(letter));
        let known = "rqQRglmoVineZIJKLMNabcdSD,& ";
        let mut fixed = letters.chars().filter(|letter| "abcdSD".contains(*letter));
        match (fixed.next(), fixed.next()) {
            _ if letters.is_empty() || letters.contains(|letter| !known.contains(letter)) => None,
            _ if has("rqQRgl") => Some(Class::Register),
            (Some(letter), None) => Some(Class::Fixed(letter)),
            (Some(_), Some(_)) => None,
            _ if has("moV") => Some(Class::Memory),
            _ => Some(Class::Immediate),
        }
    }
}

/// Why a statement is not modelled.
type Refused = String;

impl<'h> FunctionLowering<'_, 'h> {
    /// An `asm` statement.
    pub fn asm(&mut self, template: &str, outputs: &'h [AsmOperand<Place>], inputs: &'h [AsmOperand<Typed>]) {
        if let Err(why) = self.assemble(template, outputs, inputs) {
            self.builder.unsupported(format!("inline assembly (`asm`): {why}"));
        }
    }

    fn assemble(
        &mut self,
        template: &str,
        outputs: &'h [AsmOperand<Place>],
        inputs: &'h [AsmOperand<Typed>],
    ) -> Result<(), Refused> {
        let names: Vec<Option<&str>> = (outputs.iter().map(|output| output.name.as_deref()))
            .chain(inputs.iter().map(|input| input.name.as_deref()))
            .collect();
        let instructions = instruction::parse(template, &names)?;
        let mut machine = Machine::new(self.builder.pointer_width());
        let mut spots = Vec::new();
        for output in outputs {
            let class = Class::of(&output.constraint).ok_or_else(|| constraint(&output.constraint))?;
            let ty = output.operand.ty.ty;
            let spot = self.spot(&output.operand);
            let spot = self.hold_spot(spot);
            let is_value = self.is_operand(ty);
            if !is_value && class != Class::Memory {
                return Err("an operand that is no number".to_owned());
            }
            let bits = if is_value { width(self.types(), ty) } else { 0 };
            let old = match output.constraint.contains('+') && class != Class::Memory {
                true => Some(self.read_held(&spot, ty)),
                false => None,
            };
            let is_early = output.constraint.contains('&') || output.constraint.contains('+');
            let slot = match &class {
                Class::Register => machine.register(None, bits, old),
                Class::Fixed(letter) => machine.register(Some(*letter), bits, old),
                Class::Memory => self.in_memory(&spot, bits)?,
                Class::Flag(condition) => Slot::Flag(*condition),
                // Whichever it is, it is some part of the time.
                Class::Pair if instructions.iter().all(|one| one.operation == Operation::ReadTime) => {
                    machine.register(Some('a'), bits, old)
                }
                Class::Immediate | Class::SameAs(_) | Class::Pair => return Err(constraint(&output.constraint)),
            };
            machine.add(slot, is_early);
            spots.push((spot, ty, class));
        }
        for input in inputs {
            let slot = self.input(&mut machine, input, outputs.len())?;
            machine.add(slot, true);
        }
        for instruction in &instructions {
            machine.run(&mut self.builder, instruction)?;
        }
        for (position, (spot, ty, class)) in spots.into_iter().enumerate() {
            if class == Class::Memory {
                continue;
            }
            let bits = width(self.types(), ty);
            let value = match machine.result(position, bits)? {
                Some(value) => self.builder.hold(value, display(self.types(), ty)),
                None => self.builder.havoc(bits, display(self.types(), ty)),
            };
            self.write(&spot, ty, value);
        }
        if !instructions.is_empty() {
            let message = "memory is sequentially consistent, also for inline assembly: fence instructions have nothing to \
                           add";
            self.builder.program.add_caveat(self.builder.span, message);
        }
        Ok(())
    }

    /// An input, where it is when the instructions begin.
    fn input(&mut self, machine: &mut Machine, input: &'h AsmOperand<Typed>, outputs: usize) -> Result<Slot, Refused> {
        let class = Class::of(&input.constraint).ok_or_else(|| constraint(&input.constraint))?;
        let ty = input.operand.ty;
        if let (Class::Memory, ExprKind::Load(place)) = (&class, &input.operand.kind) {
            let spot = self.spot(place);
            if matches!(spot, Spot::Memory(_)) {
                let bits = if self.is_operand(ty) { width(self.types(), ty) } else { 0 };
                let spot = self.hold_spot(spot);
                return self.in_memory(&spot, bits);
            }
        }
        if !self.is_operand(ty) {
            return Err("an operand that is no number".to_owned());
        }
        let bits = width(self.types(), ty);
        let value = self.value(&input.operand);
        let value = self.builder.hold(value, display(self.types(), ty));
        Ok(match class {
            Class::Register | Class::Memory => machine.register(None, bits, Some(value)),
            Class::Fixed(letter) => machine.register(Some(letter), bits, Some(value)),
            Class::Immediate => Slot::Value(value),
            Class::SameAs(other) if other < outputs => machine.same_as(other, bits, value)?,
            Class::SameAs(_) | Class::Flag(_) | Class::Pair => return Err(constraint(&input.constraint)),
        })
    }

    /// Whether a value of a type fits a register.
    fn is_operand(&self, ty: crate::types::TypeId) -> bool {
        let types = self.types();
        let is_number = types.is_integer(ty) || types.is_pointer(ty);
        is_number && width(types, ty) <= self.builder.pointer_width()
    }

    fn read_held(&mut self, spot: &Spot, ty: crate::types::TypeId) -> Expr {
        let value = self.read(spot, ty);
        self.builder.hold(value, display(self.types(), ty))
    }

    fn in_memory(&mut self, spot: &Spot, bits: u32) -> Result<Slot, Refused> {
        match spot {
            Spot::Memory(spot) if spot.bits.is_none() => {
                let located = Located { address: spot.address.clone(), align: spot.align };
                Ok(Slot::Memory(located, bits))
            }
            _ => Err("a bit-field as an operand in memory".to_owned()),
        }
    }
}

fn constraint(text: &str) -> Refused {
    format!("the constraint \"{text}\"")
}

/// How instructions access memory: one that is written for it is atomic.
const ATOMIC: Atomicity = Atomicity::SEQUENTIAL;
/// How values of registers are shown.
const SHOWN: Display = Display::Unsigned;
