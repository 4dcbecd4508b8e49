//! The engine against `explicit` on generated finite programs: never a proof where `explicit` finds an error, every
//! violation replayed and found by `explicit` too, every proof accepted by the checker.
//!
//! `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default, and prints how often there was a
//! proof.

use selvedge_cartesian::step::Wrong;
use selvedge_cartesian::{Found, Options, analyse};
use selvedge_evidence::{Replicas, Subject, Task};
use selvedge_explicit::explore;
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_generate::concurrent::{Shape, program_of};
use selvedge_generate::seeds;
use selvedge_generate::shrink::smallest;
use selvedge_program::trace::replay;
use selvedge_program::{Budget, Program, Property, Quiet};
use std::collections::BTreeSet;

/// What the engine answers.
const PROPERTIES: [Property; 3] = [Property::Assertion, Property::Race, Property::Memory];

fn shape(seed: u64) -> Shape {
    let pick = |options: &[u32], salt: u64| {
        options[((seed.wrapping_mul(0x9e37_79b9) >> salt) % options.len() as u64) as usize]
    };
    Shape {
        threads: pick(&[2, 2, 3], 3),
        plain: pick(&[1, 2], 5),
        atomic: pick(&[0, 1, 2], 7),
        mutexes: pick(&[0, 1, 2], 9),
        conditions: pick(&[0, 0, 0, 1], 11),
        statements: pick(&[1, 2, 3], 13),
        rounds: pick(&[0, 2], 15),
        careless: pick(&[0, 0, 10, 50], 17),
        sections: pick(&[0, 0, 0, 40], 19),
    }
}

fn compile(seed: u64, text: &str, folder: &std::path::Path) -> Result<Program, String> {
    let path = folder.join(format!("{seed}.c"));
    std::fs::write(&path, text).expect("the temporary folder is writable");
    let source = Source { path, preprocess: Default::default() };
    let compiled = compile_sources(&[source], &CompileOptions::default());
    Ok(compiled.map_err(|error| error.to_string())?.program)
}

/// What is wrong with the findings, given what there is to be found.
fn complaint(program: &Program, findings: &Found, (violated, whole): &(BTreeSet<Subject>, bool)) -> Option<String> {
    let mine: BTreeSet<Subject> = findings.violations.iter().map(|violation| violation.subject).collect();
    let open: BTreeSet<Subject> = findings.open.iter().filter_map(Wrong::subject).collect();
    for violation in &findings.violations {
        if let Err(error) = replay(program, &violation.trace) {
            return Some(format!("{:?} is not replayed: {error}", violation.subject));
        }
    }
    if *whole && let Some(wrong) = mine.difference(violated).next() {
        return Some(format!("{wrong:?} is no violation"));
    }
    if findings.is_complete()
        && let Some(missed) = violated.iter().find(|subject| !mine.contains(subject) && !open.contains(subject))
    {
        return Some(format!("{missed:?} is called safe"));
    }
    None
}

/// What `explicit` finds, and whether that is all.
fn oracle(program: &Program) -> (BTreeSet<Subject>, bool) {
    let options = selvedge_explicit::Options {
        task: Task::about(&PROPERTIES),
        max_states: 100_000,
        ..selvedge_explicit::Options::default()
    };
    let oracle = explore(program, &options, &Budget::unlimited(), &mut Quiet).expect("no internal error");
    (oracle.violations.iter().map(|violation| violation.subject).collect(), oracle.is_complete())
}

/// The smallest program that is found for which what is said with these options is wrong.
fn smallest_wrong(text: &str, compiled: impl Fn(&str) -> Result<Program, String>, options: &Options) -> String {
    smallest(text, 1000, |text| {
        compiled(text).is_ok_and(|program| {
            let findings = analyse(&program, options, &Budget::unlimited(), &mut Quiet);
            complaint(&program, &findings, &oracle(&program)).is_some()
        })
    })
}

#[derive(Default, Debug)]
struct Tally {
    programs: u32,
    safe: u32,
    proved: u32,
    proved_by_inference: u32,
    unsafe_programs: u32,
    refuted: u32,
    too_large: u32,
}

#[test]
fn never_safe_where_explicit_finds_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut tally = Tally::default();
    for seed in seeds(0..60) {
        let text = program_of(seed, shape(seed));
        let compiled = |text: &str| compile(seed, text, folder.path());
        let program = compiled(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let expected = oracle(&program);
        let mut results = Vec::new();
        for infer in [false, true] {
            let options = Options { infer, search: 10_000, max_moves: 5_000, ..Options::default() };
            let findings = analyse(&program, &options, &Budget::unlimited(), &mut Quiet);
            if let Some(complaint) = complaint(&program, &findings, &expected) {
                let small = smallest_wrong(&text, compiled, &options);
                panic!("seed {seed}, inference {infer}: {complaint}\n{text}\nshrunk:\n{small}");
            }
            if std::env::var("SELVEDGE_SHOW").is_ok() {
                println!("seed {seed} {infer}: {:?}", findings.statistics);
            }
            let is_settled = findings.proof.is_some() && findings.open.is_empty();
            results.push(findings);
            if is_settled {
                break;
            }
        }
        tally.programs += 1;
        if !expected.1 {
            tally.too_large += 1;
            continue;
        }
        let is_proof =
            |findings: &Found| findings.is_complete() && findings.open.is_empty() && findings.violations.is_empty();
        if expected.0.is_empty() {
            tally.safe += 1;
            tally.proved += u32::from(is_proof(&results[0]));
            let last = &results[results.len() - 1];
            tally.proved_by_inference += u32::from(is_proof(last));
            if !is_proof(last) && std::env::var("SELVEDGE_SHOW").is_ok() {
                println!("seed {seed}: open {:?}, obstacles {:?} {:?}", last.open, last.obstacles, last.statistics);
            }
        } else {
            tally.unsafe_programs += 1;
            tally.refuted += u32::from(results.iter().any(|findings| !findings.violations.is_empty()));
            let last = &results[results.len() - 1];
            if last.violations.is_empty() && std::env::var("SELVEDGE_SHOW").is_ok() {
                println!("seed {seed}: not refuted, obstacles {:?} {:?}", last.obstacles, last.statistics);
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.refuted > 0 && tally.proved > 0, "there is something to compare: {tally:?}");
}

#[test]
fn the_examples_get_the_verdicts_of_explicit() {
    let mut files = selvedge_generate::stored::c_files("examples");
    // The programs beside specifications have more states than either engine goes through.
    files.retain(|file| !file.components().any(|part| part.as_os_str() == "contracts"));
    assert!(files.len() > 20);
    for file in files {
        let source = Source { path: file.clone(), preprocess: Default::default() };
        let compiled = compile_sources(&[source], &CompileOptions::default());
        let program = compiled.unwrap_or_else(|error| panic!("{error}")).program;
        let exact_options =
            selvedge_explicit::Options { task: Task::about(&PROPERTIES), ..selvedge_explicit::Options::default() };
        let oracle = explore(&program, &exact_options, &Budget::unlimited(), &mut Quiet).expect("no internal error");
        let violated: BTreeSet<Subject> = oracle.violations.iter().map(|violation| violation.subject).collect();
        let expected = (violated, oracle.is_complete());
        let options = Options { search: 50_000, ..Options::default() };
        let findings = analyse(&program, &options, &Budget::unlimited(), &mut Quiet);
        assert_eq!(complaint(&program, &findings, &expected), None, "{}", file.display());
        let violated = expected.0;
        let mine: BTreeSet<Subject> = findings.violations.iter().map(|violation| violation.subject).collect();
        assert_eq!(mine, violated, "{}", file.display());
        assert_eq!(
            findings.proof.is_some() && findings.open.is_empty(),
            violated.is_empty() || findings.is_complete(),
            "{}",
            file.display()
        );
    }
}

/// The same program with all threads running the first one's function, and nobody joining them.
fn replicated(seed: u64) -> String {
    let shape = Shape { threads: 2 + (seed % 2) as u32, conditions: 0, ..shape(seed) };
    let text =
        program_of(seed, shape).replace("0, thread2, 0)", "0, thread1, 0)").replace("0, thread3, 0)", "0, thread1, 0)");
    text.lines().filter(|line| !line.contains("pthread_join")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn interchangeable_threads_are_never_safe_where_explicit_finds_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (mut proved, mut refuted, mut programs) = (0, 0, 0);
    for seed in seeds(0..60) {
        let text = replicated(seed);
        let compiled = |text: &str| compile(seed, text, folder.path());
        let program = compiled(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let expected = oracle(&program);
        programs += 1;
        for replicas in [Replicas::Any, Replicas::AtMost(3)] {
            let options = Options {
                task: Task { threads: replicas, ..Task::about(&PROPERTIES) },
                search: 5_000,
                max_moves: 5_000,
                ..Options::default()
            };
            let findings = analyse(&program, &options, &Budget::unlimited(), &mut Quiet);
            if let Some(complaint) = complaint(&program, &findings, &expected) {
                let small = smallest_wrong(&text, compiled, &options);
                panic!("seed {seed}, {replicas:?}: {complaint}\n{text}\nshrunk:\n{small}");
            }
            if replicas == Replicas::Any {
                proved +=
                    u32::from(findings.proof.is_some() && findings.open.is_empty() && findings.violations.is_empty());
                refuted += u32::from(!findings.violations.is_empty());
            }
        }
    }
    println!("{programs} programs with interchangeable threads: {proved} proved for any number, {refuted} refuted");
    assert!(proved > 0 && refuted > 0, "there is something to compare");
}
