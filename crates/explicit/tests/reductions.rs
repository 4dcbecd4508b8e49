//! Reductions do not change what is found: random programs under every combination of them, against a plain exploration
//! of whole states.

mod common;

use common::generate::program;
use common::{go, oracle, summary};
use selvedge_explicit::Reductions;

/// How many programs: `SELVEDGE_PROGRAMS` or a few hundred.
fn programs() -> u64 {
    std::env::var("SELVEDGE_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(300)
}

#[test]
fn reductions_agree_with_whole_states() {
    let (mut compared, mut violated) = (0, 0);
    for seed in 0..programs() {
        let program = program(seed);
        let Some((expected, unsupported)) = oracle::violations(&program, 4_000) else { continue };
        compared += 1;
        violated += usize::from(!expected.is_empty());
        for reductions in Reductions::combinations() {
            let exploration = go(&program, reductions);
            let (found, gaps) = summary(&exploration);
            let context = || format!("seed {seed} {reductions:?}\n{}", selvedge_program::text::program(&program));
            assert_eq!(found, expected, "{}", context());
            assert_eq!(!gaps.is_empty(), unsupported, "{}", context());
        }
    }
    assert!(compared * 2 > programs() && violated > 0, "{compared} compared, {violated} violated");
}
