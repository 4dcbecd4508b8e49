//! Inline assembly: nothing but barriers and hints to the processor, which do nothing where memory is sequentially
//! consistent.

use super::function::FunctionLowering;
use crate::hir::{Expr, Place};
use selvedge_program::{Action, MemoryOrder};

/// Instructions that only order memory accesses or pass the time.
const BARRIERS: [&str; 8] = ["mfence", "lfence", "sfence", "pause", "rep", "nop", "yield", "rep;nop"];

impl<'h> FunctionLowering<'_, 'h> {
    /// An `asm` statement.
    pub fn asm(&mut self, template: &str, outputs: &'h [Place], inputs: &'h [Expr]) {
        let words: Vec<&str> = template.split([' ', '\t', '\n', ';']).filter(|word| !word.is_empty()).collect();
        if !outputs.is_empty() || !words.iter().all(|word| BARRIERS.contains(word)) {
            self.builder.unsupported("inline assembly (`asm`)");
            return;
        }
        for input in inputs {
            self.effect(input);
        }
        for order in words.iter().filter_map(|word| fence(word)) {
            self.builder.emit(Action::Fence(order));
        }
        if !words.is_empty() {
            let message = "memory is sequentially consistent: fence instructions have nothing to add";
            self.builder.program.add_caveat(self.builder.span, message);
        }
    }
}

/// What an instruction orders, if it is a fence.
fn fence(instruction: &str) -> Option<MemoryOrder> {
    match instruction {
        "mfence" => Some(MemoryOrder::SequentiallyConsistent),
        "lfence" => Some(MemoryOrder::Acquire),
        "sfence" => Some(MemoryOrder::Release),
        _ => None,
    }
}
