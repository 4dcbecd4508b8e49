//! C programs under every combination of reductions: the examples, and random ones.

mod common;

use selvedge_explicit::{Exploration, Gap, Options, Reductions, explore};
use selvedge_frontend::compile::{CompileOptions, compile};
use selvedge_program::{Budget, Program, Quiet};
use std::path::Path;

fn compiled(path: &Path) -> Program {
    match compile(&[path.to_owned()], &CompileOptions::default()) {
        Ok(compiled) => compiled.program,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn reductions_agree_on_the_examples() {
    let files = selvedge_generate::stored::c_files("examples");
    assert!(files.len() > 20);
    for file in files {
        let program = compiled(&file);
        let reduced = common::go(&program, Reductions::ALL);
        let found = common::summary(&reduced);
        for reductions in Reductions::combinations() {
            let Some(other) = within(&program, reductions, 30_000) else { continue };
            assert_eq!(common::summary(&other), found, "{} {reductions:?}", file.display());
            assert!(reduced.statistics.states <= other.statistics.states, "{} {reductions:?}", file.display());
        }
    }
}

/// How many programs: `SELVEDGE_PROGRAMS` or a few.
fn programs() -> u64 {
    std::env::var("SELVEDGE_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(40)
}

/// Explores, or gives up after so many states.
fn within(program: &Program, reductions: Reductions, max_states: u64) -> Option<Exploration> {
    let options = Options { reductions, max_states, ..Options::default() };
    let exploration = explore(program, &options, &Budget::unlimited(), &mut Quiet).expect("no internal error");
    (!exploration.gaps.iter().any(|cut| matches!(cut, Gap::States(_)))).then_some(exploration)
}

#[test]
fn reductions_agree_on_random_programs() {
    let directory = tempfile::tempdir().expect("a directory for the programs");
    let (mut compared, mut violated) = (0, 0);
    for seed in 0..programs() {
        let path = directory.path().join(format!("{seed}.c"));
        std::fs::write(&path, selvedge_generate::concurrent::program(seed)).expect("writes");
        let program = compiled(&path);
        std::fs::remove_file(&path).expect("removes");
        let Some(reduced) = within(&program, Reductions::ALL, 1_000) else { continue };
        let expected = common::summary(&reduced);
        assert!(expected.1.is_empty(), "seed {seed}: {:?}", expected.1);
        violated += u64::from(!expected.0.is_empty());
        for reductions in Reductions::combinations() {
            if let Some(other) = within(&program, reductions, 4_000) {
                compared += 1;
                assert_eq!(common::summary(&other), expected, "seed {seed} {reductions:?}");
            }
        }
    }
    assert!(compared > programs() && violated > 0, "{compared} compared, {violated} violated");
}
