//! The broken twins of the programs of paper 004's Table 1: each is unsafe with the number of threads that its text
//! states (`// THREADS: n`, besides `main`), and with no smaller number. That fewer threads do no harm is proved, by
//! this engine or the plainest search; the violation is found by this engine alone.

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::{Impatient, proof_of, told_within};
use selvedge_analysis::Facts;
use selvedge_evidence::{Counterexample, Task};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_program::{Budget, Program, Property, Quiet};
use selvedge_symmetric::{Options, check};

/// Those for any number of equal threads.
const PARAMETRIC: [&str; 14] = [
    "inc_lock_no_lock",
    "inc_cas_two_steps",
    "inc_dec_lock_late",
    "inc_dec_cas_late",
    "test_and_set_if",
    "ticket_too_many",
    "random_lock_early",
    "random_cas_above",
    "max_lock_no_lock",
    "max_cas_seen_late",
    "max_local_lock_no_lock",
    "max_local_cas_exchanged",
    "mixed_second",
    "spin_early",
];

/// Those for a few threads.
const FIXED: [&str; 10] = [
    "dekker_late",
    "peterson_order",
    "szymanski_no_door",
    "readers_writer_late",
    "time_varying_order",
    "lamport_no_look",
    "qrcu_2_no_wait",
    "qrcu_3_no_wait",
    "created_early",
    "scull_no_lock",
];

/// The text of a broken program, and the number of threads that it states.
fn stated(name: &str) -> (String, usize) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/programs/symmetric/{name}_bug.c"));
    let text = std::fs::read_to_string(file).expect("it is there");
    let number = text.lines().find_map(|line| line.strip_prefix("// THREADS: ")?.parse().ok());
    (text, number.unwrap_or_else(|| panic!("{name} states how many threads it takes")))
}

fn compiled(folder: &Path, text: &str) -> Program {
    let path = folder.join("program.c");
    std::fs::write(&path, text).expect("the folder is writable");
    let source = Source { path, preprocess: Default::default() };
    compile_sources(&[source], &CompileOptions::default()).unwrap_or_else(|error| panic!("{error}\n{text}")).program
}

/// The engine alone has a schedule along which an assertion fails.
fn is_found(program: &Program) -> bool {
    let budget = Budget::unlimited();
    let impatient = Impatient::with(&budget);
    let facts = Facts::new(Arc::new(program.clone()), Budget::unlimited());
    let options = Options { properties: vec![Property::Assertion], ..Options::default() };
    check(&facts, &options, &budget, &mut Quiet, &impatient).expect("the engine makes no mistake");
    let noted = impatient.notebook.noted();
    for violation in &noted.violations {
        Counterexample::new(program, violation.clone()).unwrap_or_else(|error| panic!("{error}"));
    }
    !noted.violations.is_empty()
}

/// Somebody proves that no assertion fails.
fn is_proved(program: &Program) -> bool {
    let task = Task::about(&[Property::Assertion]);
    let options = selvedge_explicit::Options { task, max_states: 20_000, ..selvedge_explicit::Options::default() };
    let found =
        selvedge_explicit::explore(program, &options, &Budget::unlimited(), &mut Quiet).expect("no internal error");
    assert!(found.violations.is_empty(), "{:?}", found.violations);
    if found.is_complete() {
        return true;
    }
    let (noted, _) = told_within(program, &[Property::Assertion], &Budget::unlimited());
    assert!(noted.violations.is_empty(), "{:?}", noted.violations);
    proof_of(&noted, Property::Assertion).is_some()
}

#[test]
fn equal_threads_are_found_with_the_smallest_number() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for name in PARAMETRIC {
        let (text, number) = stated(name);
        let (before, main) = text.split_once("int main").expect("it has a `main`");
        let with = |threads: usize| {
            let main = main.replacen("for (;;)", &format!("for (int i = 0; i < {threads}; i++)"), 1);
            compiled(folder.path(), &format!("{before}int main{main}"))
        };
        for fewer in 0..number {
            assert!(is_proved(&with(fewer)), "{name}: {fewer} threads");
        }
        assert!(is_found(&with(number)), "{name}: {number} threads");
    }
}

/// Which of the threads there are matters, so all sets of them are looked at.
#[test]
fn different_threads_are_found_with_the_smallest_number() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for name in FIXED {
        let (text, number) = stated(name);
        let (before, main) = text.split_once("int main").expect("it has a `main`");
        let starts = main.matches("pthread_create(").count();
        let with = |threads: &dyn Fn(usize) -> bool| {
            let mut start = 0;
            let lines = main.lines().filter(|line| {
                let is_start = line.contains("pthread_create(");
                start += usize::from(is_start);
                !is_start || threads(start - 1)
            });
            let main: Vec<&str> = lines.collect();
            compiled(folder.path(), &format!("{before}int main{}", main.join("\n")))
        };
        let mut is_somewhere = false;
        for set in 0..1_usize << starts {
            let program = with(&|thread| set & (1 << thread) != 0);
            match set.count_ones() as usize {
                few if few < number => assert!(is_proved(&program), "{name}: threads {set:b}"),
                few if few == number && !is_somewhere => is_somewhere = is_found(&program),
                _ => {}
            }
        }
        assert!(is_somewhere, "{name}: {number} threads");
    }
}
