//! What several test files need.
#![allow(dead_code, reason = "every test file uses its own part")]

pub mod generate;
pub mod oracle;

use selvedge_explicit::{Exploration, Gap, Options, Reductions, Subject, explore};
use selvedge_program::{Budget, Expr, Program, Quiet};
use std::collections::BTreeSet;

/// A 32-bit constant.
pub fn int(value: u128) -> Expr {
    Expr::constant(32, value)
}

/// The null pointer.
pub fn null() -> Expr {
    Expr::constant(64, 0)
}

/// Explores with the default options but these reductions.
#[track_caller]
pub fn go(program: &Program, reductions: Reductions) -> Exploration {
    let options = Options { reductions, ..Options::default() };
    explore(program, &options, &Budget::unlimited(), &mut Quiet).expect("no internal error")
}

/// What is violated, and what is cut off.
pub fn summary(exploration: &Exploration) -> (BTreeSet<Subject>, Vec<Gap>) {
    (exploration.violations.iter().map(|violation| violation.subject).collect(), exploration.gaps.clone())
}

/// Explores with every combination of reductions, checks that they agree, and gives the plain result and the most
/// reduced.
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
