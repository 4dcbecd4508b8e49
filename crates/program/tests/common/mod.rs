//! What several test files need.
#![allow(dead_code, reason = "every test file uses its own part")]

use selvedge_program::assemble::{Assembly, Code};
use selvedge_program::run::{LowestFirst, RunEnd, RunResult, run};
use selvedge_program::semantics::{Outcome, State, Value};
use selvedge_program::{Program, Undefined};

/// The program with one function.
pub fn main_only(mut assembly: Assembly, code: impl FnOnce(&mut Code)) -> Program {
    assembly.function("main", Some(32), code);
    assembly.finish()
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
