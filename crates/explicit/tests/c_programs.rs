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
    agree_on_random_programs(selvedge_generate::concurrent::program, 0..programs());
}

/// Threads that start, join and detach each other, by handles that may be any.
#[test]
fn reductions_agree_on_random_threads() {
    agree_on_random_programs(selvedge_generate::threads::program, 1130..1130 + programs());
}

fn agree_on_random_programs(text: impl Fn(u64) -> String, seeds: std::ops::Range<u64>) {
    let (mut compared, mut violated) = (0, 0);
    for seed in seeds.clone() {
        let program = compiled_text(&text(seed));
        let Some(reduced) = within(&program, Reductions::ALL, 1_000) else { continue };
        let expected = common::summary(&reduced);
        violated += u64::from(!expected.0.is_empty());
        for reductions in Reductions::combinations() {
            if let Some(other) = within(&program, reductions, 4_000) {
                compared += 1;
                assert_eq!(common::summary(&other), expected, "seed {seed} {reductions:?}");
            }
        }
    }
    let count = seeds.end - seeds.start;
    assert!(compared > count && violated > 0, "{compared} compared, {violated} violated");
}

fn compiled_text(text: &str) -> Program {
    let directory = tempfile::tempdir().expect("a directory for the program");
    let path = directory.path().join("test.c");
    std::fs::write(&path, text).expect("writes");
    compiled(&path)
}

/// Which addresses a value out of nothing may be depends on what the others have made, and ended, by then.
#[test]
fn reductions_agree_on_guessed_addresses() {
    let programs = [
        "void *done(void *a) { return 0; }
         void *guess(void *a) { pthread_t any; pthread_join(any, 0); return 0; }
         int main(void) { pthread_t one, other; pthread_create(&one, 0, guess, 0);
             pthread_create(&other, 0, done, 0); pthread_join(other, 0); return 0; }",
        "char *held; int x;
         void *guess(void *a) { char *any = __VERIFIER_nondet_pointer(); if (any && any == held) *any = 1; return 0; }
         int main(void) { pthread_t one; pthread_create(&one, 0, guess, 0);
             char *p = malloc(1); *p = 2; held = p; x = *p; free(p); return 0; }",
        "char *held;
         void inner(void) { char local = 2; held = &local; held = 0; }
         void *guess(void *a) { char *any = __VERIFIER_nondet_pointer(); if (any && any == held) *any = 1; return 0; }
         int main(void) { pthread_t one; pthread_create(&one, 0, guess, 0); inner(); return 0; }",
    ];
    for text in programs {
        let program = compiled_text(&format!("{GUESSES}{text}"));
        let found = common::summary(&common::go(&program, Reductions::ALL));
        assert!(!found.0.is_empty(), "{text}");
        for reductions in Reductions::combinations() {
            assert_eq!(common::summary(&common::go(&program, reductions)), found, "{reductions:?}: {text}");
        }
    }
}

const GUESSES: &str = "typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void *malloc(unsigned long);
void free(void *);
void *__VERIFIER_nondet_pointer(void);
";
