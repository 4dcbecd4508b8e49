//! The engine against `explicit` on random concurrent C programs: the same violations, in every mode, or an honest gap.
//!
//! `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use selvedge_evidence::{Certificate, Notebook, Subject, Task, Unwind};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_generate::seeds;
use selvedge_generate::shrink::smallest;
use selvedge_interference::{Mode, Options, check};
use selvedge_program::{Budget, Program, Quiet};

/// Programs with more states are left out: the engines are compared on many small programs.
const STATES: u64 = 2_000;

/// How many programs are tried to show a smaller one on which they differ.
const ATTEMPTS: usize = 1000;

/// What an engine says: the violations, and whether there are no others.
type Said = (BTreeSet<Subject>, bool);

fn explicit(program: &Program) -> Said {
    let options = selvedge_explicit::Options { max_states: STATES, ..Default::default() };
    let exploration = selvedge_explicit::explore(program, &options, &Budget::unlimited(), &mut Quiet);
    let exploration = exploration.expect("the explicit engine makes no mistakes");
    let violated = exploration.violations.iter().map(|violation| violation.subject).collect();
    (violated, exploration.is_complete())
}

fn interference(program: &Program, mode: Mode, seed: u64) -> Said {
    let notebook = Notebook::new();
    let options = Options { task: Task { unwind: Unwind::Exactly(3), ..Task::default() }, mode };
    let answer = check(program, &options, &Budget::unlimited(), &mut Quiet, &notebook);
    let answer = answer.unwrap_or_else(|error| panic!("seed {seed}, {mode}: {error}"));
    let noted = notebook.noted();
    for (_, certificate) in &noted.proofs {
        let Certificate::Refutation { proof, .. } = certificate else { panic!("seed {seed}: {certificate:?}") };
        selvedge_logic::proof::check(proof).unwrap_or_else(|error| panic!("seed {seed}, {mode}: {error}"));
    }
    assert!(noted.proofs.is_empty() || answer.is_complete(), "seed {seed}, {mode}: {:?}", answer.gaps);
    (noted.violations.iter().map(|violation| violation.subject).collect(), !noted.proofs.is_empty())
}

fn compile(seed: u64, text: &str, folder: &std::path::Path) -> Result<Program, String> {
    let path = folder.join(format!("{seed}.c"));
    std::fs::write(&path, text).expect("the temporary folder is writable");
    let source = Source { path, preprocess: Default::default() };
    let compiled = compile_sources(&[source], &CompileOptions::default());
    Ok(compiled.map_err(|error| error.to_string())?.program)
}

/// `None` if they agree as far as they go; whether all answers were whole.
fn compare(seed: u64, program: &Program) -> (Option<String>, bool) {
    let (expected, whole) = explicit(program);
    if !whole {
        return (None, false);
    }
    let mut all_whole = true;
    for mode in Mode::ALL {
        let (found, covered) = interference(program, mode, seed);
        all_whole &= covered;
        let wrong = !found.is_subset(&expected) || covered && !expected.is_subset(&found);
        if wrong {
            return (Some(format!("seed {seed}, {mode}: {found:?} ({covered}), not {expected:?}")), false);
        }
    }
    (None, all_whole)
}

#[test]
fn all_modes_agree_with_the_explicit_engine() {
    compare_all(seeds(0..40), selvedge_generate::concurrent::program);
}

#[test]
fn all_modes_agree_on_atomic_sections() {
    compare_all(seeds(0..60), selvedge_generate::concurrent::with_sections);
}

fn compare_all(seeds: Range<u64>, program: fn(u64) -> String) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let next = AtomicU64::new(seeds.start);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if !seeds.contains(&seed) {
                        break;
                    }
                    let text = program(seed);
                    let compiled = compile(seed, &text, folder.path());
                    let compiled = compiled.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                    let mut result = compare(seed, &compiled);
                    if let Some(difference) = &mut result.0 {
                        let differs = |text: &str| {
                            compile(seed, text, folder.path()).is_ok_and(|program| compare(seed, &program).0.is_some())
                        };
                        *difference += &format!("\n{}", smallest(&text, ATTEMPTS, differs));
                        println!("{difference}");
                    }
                    results.lock().expect("no thread panics").push(result);
                }
            });
        }
    });
    let results = results.into_inner().expect("no thread panics");
    let differences: Vec<&str> = results.iter().filter_map(|(difference, _)| difference.as_deref()).collect();
    let whole = results.iter().filter(|(_, whole)| *whole).count();
    println!("{whole} of {} programs answered in full by everyone", results.len());
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(whole * 4 >= results.len(), "too many programs are left open");
}
