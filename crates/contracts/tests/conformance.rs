//! Threads that conform to abstract threads, and threads that do not, at the right line.

mod common;

use std::path::PathBuf;

use common::{compile, contract, contracted, example, function, judged, outcome, stored, thread};
use selvedge_contracts::conform::explain::explain;
use selvedge_contracts::conform::{Failed, Failure, Outcome};
use selvedge_symbolic::Relation;

fn conforms(file: PathBuf, spec: PathBuf) {
    let (program, _, contract) = contracted(&file, &spec, &[]);
    let found = judged(&program, &contract);
    assert!(found.is_proved(), "{found:?}");
}

/// The failure of one thread, while all others conform.
fn fails(file: PathBuf, spec: PathBuf, macros: &[&str], name: &str) -> (Failure, String) {
    let (program, spec, contract) = contracted(&file, &spec, macros);
    let found = judged(&program, &contract);
    let mut failure = None;
    for (thread, _, outcome) in &found.threads {
        match outcome {
            Outcome::Fails(found) if program.function(*thread).name == name => failure = Some((**found).clone()),
            outcome => assert_eq!(*outcome, Outcome::Conforms, "{}", program.function(*thread).name),
        }
    }
    let said = explain(&program, &spec, (function(&program, name), outcome(&program, &found, name)));
    (failure.expect("a failure"), said.expect("something to say").message)
}

/// The line of the last step.
fn line(failure: &Failure) -> u32 {
    failure.steps.last().map_or(0, |step| step.span.line)
}

#[test]
fn figure_2_conforms_to_figure_3() {
    conforms(stored("figures.c"), stored("figures.threads"));
    conforms(example("contracts/positive.c"), example("contracts/positive.threads"));
}

#[test]
fn the_variant_that_begins_with_minus_one_does_not() {
    let (failure, message) = fails(stored("figures.c"), stored("figures.threads"), &["FIRST=-1"], "a");
    assert_eq!((&failure.wrong, line(&failure)), (&Failed::Unmatched, 24));
    let last = failure.steps.last().expect("a step");
    assert_eq!((last.before.as_slice(), last.after.as_slice()), (&[0][..], &[][..]));
    assert_eq!(last.values[0].1 as i32, -1, "{failure:?}");
    assert_eq!(message, "no abstract step of `a` does what this step does");
}

#[test]
fn the_bluetooth_driver_conforms() {
    conforms(example("bluetooth.c"), example("contracts/bluetooth.threads"));
}

#[test]
fn its_broken_twins_do_not() {
    let spec = || example("contracts/bluetooth.threads");
    let (failure, message) = fails(example("bluetooth_bug.c"), spec(), &[], "pnp_add");
    assert_eq!(line(&failure), 40, "{failure:?}");
    assert_eq!(message, "the assertion `!stopped` can fail where no abstract state of `pnp_add` goes wrong");
    let (failure, _) = fails(example("bluetooth_bug2.c"), spec(), &[], "pnp_add");
    assert_eq!((&failure.wrong, line(&failure)), (&Failed::Unmatched, 15), "{failure:?}");
}

#[test]
fn the_battery_driver_conforms() {
    conforms(stored("battery.c"), example("contracts/battery.threads"));
}

#[test]
fn threads_that_are_created_and_joined_conform() {
    conforms(example("counter.c"), example("contracts/counter.threads"));
}

#[test]
fn its_mistakes_are_found_where_they_are() {
    for (bug, thread, wrong) in [("BUG=1", "unload", 43), ("BUG=2", "worker", 66), ("BUG=3", "worker", 70)] {
        let (failure, _) = fails(stored("battery.c"), example("contracts/battery.threads"), &[bug], thread);
        assert_eq!((&failure.wrong, line(&failure)), (&Failed::Unmatched, wrong), "{bug}: {failure:?}");
    }
    let (failure, _) = fails(stored("battery.c"), example("contracts/battery.threads"), &["BUG=4"], "worker");
    assert!(matches!(failure.wrong, Failed::Assertion(_)) && line(&failure) == 73, "{failure:?}");
}

/// A program with one thread beside `main`, whose body is given.
fn one_thread(globals: &str, body: &str, main: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
         int __VERIFIER_nondet_int(void);\nvoid __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n\
         {globals}\nvoid *f(void *unused)\n{{\n{body}\nreturn unused;\n}}\n\
         int main(void)\n{{\n{main}\n}}\n"
    )
}

const START: &str = "pthread_t t; pthread_create(&t, 0, f, 0); return 0;";

#[test]
fn who_is_not_named_leaves_the_shared_variables_alone() {
    let late = "pthread_t t; pthread_create(&t, 0, f, 0); g = 5; return 0;";
    let early = "pthread_t t; g = 5; pthread_create(&t, 0, f, 0); return 0;";
    for (main, initially, wrong) in [
        (START, "g == 0", None),
        (early, "g == 5", None),
        (late, "g == 0", Some(Failed::Unmatched)),
        (early, "g == 0", Some(Failed::Initially)),
        (START, "g == 5", Some(Failed::Initially)),
    ] {
        let program = compile(&one_thread("atomic_int g;", "g = 1;", main));
        let f = thread(&program, "f", &[("start", ""), ("end", "")], &[("start", "end", "g' == 1")]);
        let found = judged(&program, &contract(&program, &["g"], initially, vec![f]));
        assert_eq!(*outcome(&program, &found, "f"), Outcome::Conforms);
        match (outcome(&program, &found, "main"), wrong) {
            (Outcome::Conforms, None) => {}
            (Outcome::Fails(failure), Some(wrong)) => assert_eq!(failure.wrong, wrong, "{main}"),
            (outcome, wrong) => panic!("{main} {initially}: {outcome:?}, {wrong:?}"),
        }
    }
}

#[test]
fn main_by_a_contract_of_its_own() {
    let late = "pthread_t t; pthread_create(&t, 0, f, 0); g = 5; return 0;";
    let program = compile(&one_thread("atomic_int g;", "", late));
    for (relation, is_proved) in [("g' == 5", true), ("g' == 4", false)] {
        let main = thread(&program, "main", &[("start", ""), ("end", "")], &[("start", "end", relation)]);
        let found = judged(&program, &contract(&program, &["g"], "g == 0", vec![main.clone()]));
        assert_eq!(found.is_proved(), is_proved, "{found:?}");
        // It holds from the beginning of the program, where g is 0.
        let found = judged(&program, &contract(&program, &["g"], "g == 1", vec![main]));
        assert!(
            matches!(outcome(&program, &found, "main"), Outcome::Fails(failure) if failure.wrong == Failed::Initially)
        );
    }
}

#[test]
fn others_may_do_what_the_assertions_allow() {
    // What is read may have changed since it was written.
    let program = compile(&one_thread("atomic_int g;", "g = 1; int x = g; assert(x == 1);", START));
    for (assertion, is_proved) in [("", false), ("g == 1", true), ("g >= 1", false)] {
        let f = thread(&program, "f", &[("start", ""), ("end", assertion)], &[("start", "end", "g' == 1")]);
        let found = judged(&program, &contract(&program, &["g"], "g == 0", vec![f]));
        assert_eq!(found.is_proved(), is_proved, "{assertion}: {found:?}");
    }
}

#[test]
fn an_atomic_section_is_one_step() {
    let body = "__VERIFIER_atomic_begin(); g = 1; g = g + 1; if (g != 2) g = 7; __VERIFIER_atomic_end();";
    let program = compile(&one_thread("int g;", body, START));
    for (relation, is_proved) in [("g' == 2", true), ("g' == 1 || g' == g + 1", false), ("g == 0 && g' == 2", false)] {
        let f = thread(&program, "f", &[("start", ""), ("end", "")], &[("start", "end", relation)]);
        let found = judged(&program, &contract(&program, &["g"], "g == 0", vec![f]));
        assert_eq!(found.is_proved(), is_proved, "{relation}: {found:?}");
    }
}

#[test]
fn what_is_done_in_two_steps_is_not_one() {
    let program = compile(&one_thread("atomic_int g;", "g = g + 1;", START));
    let edges = [("start", "end", "g' == g + 1")];
    let f = thread(&program, "f", &[("start", ""), ("end", "")], &edges);
    let found = judged(&program, &contract(&program, &["g"], "g == 0", vec![f]));
    assert!(matches!(outcome(&program, &found, "f"), Outcome::Fails(_)), "{found:?}");
    let program = compile(&one_thread("atomic_int g;", "atomic_fetch_add(&g, 1);", START));
    let f = thread(&program, "f", &[("start", ""), ("end", "")], &edges);
    let found = judged(&program, &contract(&program, &["g"], "g == 0", vec![f]));
    assert!(found.is_proved(), "{found:?}");
}

#[test]
fn an_environment_is_what_others_may_do() {
    // The thread-modular form: others only raise the number.
    let body = "int x = g; int y = g; assert(y >= x);";
    let main = "g = 3; g = 0; pthread_t t; pthread_create(&t, 0, f, 0); return 0;";
    let program = compile(&one_thread("atomic_int g;", body, main));
    let mut f = thread(&program, "f", &[("only", "")], &[]);
    for (environment, is_proved) in [(None, false), (Some("g' >= g"), true), (Some("g' <= g"), false)] {
        f.environment = environment.map(|text| Relation::parse(&program, text).expect("a relation"));
        let found = judged(&program, &contract(&program, &["g"], "g == 0", vec![f.clone()]));
        assert_eq!(found.is_proved(), is_proved, "{environment:?}: {found:?}");
    }
}

#[test]
fn loops_need_invariants_that_are_found() {
    let body = "int x = 0; for (int i = 0; i < 3; i++) { if (g) x = 2; else x = 1; g = x; } if (x) g = x;";
    let program = compile(&one_thread("atomic_int g;", body, START));
    for (relation, is_proved) in [("g' == 1 || g' == 2", true), ("g' == 1", false)] {
        let f = thread(&program, "f", &[("only", "")], &[("only", "only", relation)]);
        let found = judged(&program, &contract(&program, &["g"], "g == 0", vec![f]));
        assert_eq!(found.is_proved(), is_proved, "{relation}: {found:?}");
    }
}

#[test]
fn what_cannot_be_judged_is_unknown() {
    let unknown = |program: &selvedge_program::Program, name: &str, words: &str| {
        let f = thread(program, name, &[("only", "")], &[("only", "only", "g' == 1")]);
        let found = judged(program, &contract(program, &["g"], "g == 0", vec![f]));
        let Outcome::Unknown(unknown) = outcome(program, &found, name) else { panic!("{found:?}") };
        assert!(unknown.reason.contains(words), "{unknown:?}");
    };
    let asm =
        compile(&one_thread("atomic_int g;", "int x; __asm__ (\"in %1, %0\" : \"=r\" (x) : \"r\" (g)); g = x;", START));
    unknown(&asm, "f", "");
    let loops = "__VERIFIER_atomic_begin(); while (g < 3) g = g + 1; __VERIFIER_atomic_end();";
    unknown(&compile(&one_thread("int g;", loops, START)), "f", "a loop within an atomic section");
    let calls = "int fac(int n) { return n < 2 ? 1 : n * fac(n - 1); } int g;";
    unknown(&compile(&one_thread(calls, "g = fac(1);", START)), "f", "calls itself");
    let other = "int g; int h(int x) { g = x; return x; }";
    unknown(&compile(&one_thread(other, "h(1);", START)), "h", "no thread of the program");
}
