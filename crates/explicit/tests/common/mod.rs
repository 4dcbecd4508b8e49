//! What several test files need.
#![allow(dead_code, reason = "every test file uses its own part")]

pub mod generate;
pub mod oracle;

use selvedge_explicit::{Cut, Exploration, Options, Reductions, Subject, explore};
use selvedge_program::assemble::{Assembly, Code};
use selvedge_program::{Budget, Expr, FunctionId, Program, Quiet};
use std::collections::BTreeSet;

/// A 32-bit constant.
pub fn int(value: u128) -> Expr {
    Expr::constant(32, value)
}

/// The null pointer.
pub fn null() -> Expr {
    Expr::constant(64, 0)
}

/// A well-formed program.
pub fn finish(assembly: Assembly) -> Program {
    if let Err(problems) = assembly.program.validate() {
        panic!("{}", problems.join("\n"));
    }
    assembly.program
}

/// `main` starts so many workers, joins them all and does the rest.
pub fn with_workers(
    assembly: &mut Assembly,
    workers: usize,
    code: impl FnOnce(&mut Code),
    rest: impl FnOnce(&mut Code),
) {
    assembly.function("main", Some(32), |main| {
        let threads: Vec<_> = (0..workers).map(|index| main.register(&format!("t{index}"), 64)).collect();
        for thread in &threads {
            main.spawn(*thread, FunctionId(1), null());
        }
        for thread in &threads {
            main.join(*thread);
        }
        rest(main);
        main.ret(int(0));
    });
    assembly.function("worker", Some(64), |worker| {
        worker.parameter("arg", 64);
        code(worker);
        worker.ret(null());
    });
}

/// Explores with the default options but these reductions.
#[track_caller]
pub fn go(program: &Program, reductions: Reductions) -> Exploration {
    let options = Options { reductions, ..Options::default() };
    explore(program, &options, &Budget::unlimited(), &mut Quiet).expect("no internal error")
}

/// What is violated, and what is cut off.
pub fn summary(exploration: &Exploration) -> (BTreeSet<Subject>, Vec<Cut>) {
    (exploration.violations.iter().map(|violation| violation.subject).collect(), exploration.cuts.clone())
}

/// Explores with every combination of reductions, checks that they agree, and gives the plain result and the most reduced.
#[track_caller]
pub fn agreed(program: &Program) -> (Exploration, Exploration) {
    let plain = go(program, Reductions::NONE);
    let expected = summary(&plain);
    for reductions in Reductions::combinations() {
        let reduced = go(program, reductions);
        assert_eq!(summary(&reduced), expected, "{reductions:?}");
        assert!(reduced.statistics.states <= plain.statistics.states, "{reductions:?}");
    }
    (plain, go(program, Reductions::ALL))
}
