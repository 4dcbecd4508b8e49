//! What several test files need.
#![allow(dead_code, reason = "every test file uses its own part")]

use selvedge_program::assemble::{Assembly, Code};
use selvedge_program::run::{LowestFirst, RunEnd, RunResult, run};
use selvedge_program::semantics::{Outcome, State, Value};
use selvedge_program::{Program, Undefined};

/// A small generator of numbers, the same in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A number that is often at an edge: small, all ones, a power of two.
    pub fn wide(&mut self) -> u128 {
        match self.below(5) {
            0 => u128::from(self.below(4)),
            1 => u128::MAX - u128::from(self.below(4)),
            2 => 1 << self.below(128),
            3 => (1 << self.below(128)) - 1,
            _ => u128::from(self.next()) << 64 | u128::from(self.next()),
        }
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }
}

/// A well-formed program.
pub fn finish(assembly: Assembly) -> Program {
    if let Err(problems) = assembly.program.validate() {
        panic!("{}", problems.join("\n"));
    }
    assembly.program
}

/// The program with one function.
pub fn main_only(mut assembly: Assembly, code: impl FnOnce(&mut Code)) -> Program {
    assembly.function("main", Some(32), code);
    finish(assembly)
}

/// Runs a program whose threads need not spin.
pub fn go(program: &Program) -> RunResult {
    run(program, &mut LowestFirst, 1_000_000)
}

/// The status a program exits with.
#[track_caller]
pub fn status(program: &Program) -> i128 {
    match go(program).end {
        RunEnd::Exit(status) => status.as_signed(),
        end => panic!("{end:?}"),
    }
}

/// What is undefined about a program's run.
#[track_caller]
pub fn undefined(program: &Program) -> Undefined {
    match go(program).end {
        RunEnd::Outcome { outcome: Outcome::Undefined(undefined, _), .. } => undefined,
        end => panic!("{end:?}"),
    }
}

/// What is unsupported about a program's run.
#[track_caller]
pub fn unsupported(program: &Program) -> String {
    match go(program).end {
        RunEnd::Outcome { outcome: Outcome::Unsupported(what), .. } => what,
        end => panic!("{end:?}"),
    }
}

/// The value of a register of thread 0.
pub fn register(state: &State, position: usize) -> Option<Value> {
    state.frame(selvedge_program::ThreadIndex(0))?.registers.get(position)?.clone()
}
