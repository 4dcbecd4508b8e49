//! Generated programs of equal threads: one, two and three of them against `explicit`, any number against `cartesian`.
//! No proof where the other one has a violation, no violation where the other one knows that there is none, every
//! violation replayed and every proof checked; and what is proved for any number is not violated by one, two or three.
//!
//! `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default, of which each makes four
//! programs; `SELVEDGE_TIME=1000` for so many milliseconds per program. How many are decided is printed.

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use common::{ASKED, checked, proof_of, told_within};
use selvedge_evidence::{Counterexample, Subject, Task};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_generate::equal::with_threads;
use selvedge_generate::seeds;
use selvedge_generate::shrink::smallest;
use selvedge_program::{Budget, Program, Property, Quiet};

/// How long an engine may take for one program, in milliseconds.
const TIME: u64 = 300;

fn budget() -> Budget {
    let asked = std::env::var("SELVEDGE_TIME").ok().and_then(|time| time.parse().ok());
    Budget::unlimited().with_time(Duration::from_millis(asked.unwrap_or(TIME)))
}

fn compile(text: &str, folder: &Path) -> Result<Program, String> {
    let path = folder.join("program.c");
    std::fs::write(&path, text).expect("the temporary folder is writable");
    let source = Source { path, preprocess: Default::default() };
    Ok(compile_sources(&[source], &CompileOptions::default()).map_err(|error| error.to_string())?.program)
}

/// What somebody says of a program.
#[derive(Debug, Default)]
struct Said {
    proved: BTreeSet<Property>,
    violated: BTreeSet<Subject>,
}

impl Said {
    fn violates(&self, property: Property) -> bool {
        self.violated.iter().any(|subject| subject.property() == property)
    }

    fn is_decided(&self, property: Property) -> bool {
        self.proved.contains(&property) || self.violates(property)
    }
}

/// What the engine says: every violation is replayed, and every proof of all of a property checked.
fn by_symmetric(program: &Program) -> Result<Said, String> {
    let mut said = Said::default();
    let (noted, _) = told_within(program, &ASKED, &budget());
    for violation in &noted.violations {
        Counterexample::new(program, violation.clone()).map_err(|error| format!("not replayed: {error}"))?;
        said.violated.insert(violation.subject);
    }
    for property in ASKED {
        if let Some(proof) = proof_of(&noted, property) {
            checked(program, &proof, property).map_err(|refusal| format!("{property:?} is not proved: {refusal}"))?;
            said.proved.insert(property);
        }
    }
    Ok(said)
}

/// What `explicit` says of a given number of threads.
fn by_explicit(program: &Program) -> Said {
    let task = Task::about(&ASKED);
    let options = selvedge_explicit::Options { task, max_states: 100_000, ..selvedge_explicit::Options::default() };
    let found = selvedge_explicit::explore(program, &options, &budget(), &mut Quiet).expect("no internal error");
    let violated: BTreeSet<Subject> = found.violations.iter().map(|violation| violation.subject).collect();
    let is_proved = |property: &Property| found.is_complete() && !violated.iter().any(|s| s.property() == *property);
    Said { proved: ASKED.into_iter().filter(is_proved).collect(), violated }
}

/// What `cartesian` says of any number of threads.
fn by_cartesian(program: &Program) -> Said {
    let task = Task::about(&ASKED);
    let options = selvedge_cartesian::Options { task, search: 5_000, max_moves: 5_000, ..Default::default() };
    let found = selvedge_cartesian::analyse(program, &options, &budget(), &mut Quiet);
    let violated: BTreeSet<Subject> = found.violations.iter().map(|violation| violation.subject).collect();
    let open: BTreeSet<Property> = found.open.iter().filter_map(|open| open.subject()).map(Subject::property).collect();
    let is_proved = |property: &Property| {
        found.is_complete() && !open.contains(property) && !violated.iter().any(|s| s.property() == *property)
    };
    Said { proved: ASKED.into_iter().filter(is_proved).collect(), violated }
}

/// What is wrong with what two of them say.
fn disagreement(one: &Said, other: &Said) -> Option<String> {
    let contradicts = |property: &Property| {
        (one.proved.contains(property) && other.violates(*property))
            || (one.violates(*property) && other.proved.contains(property))
    };
    ASKED.into_iter().find(contradicts).map(|property| format!("{property:?}: {one:?}, but {other:?}"))
}

/// What the engine says of a text, with so many threads or any number, and what is wrong with it.
fn compared(text: &str, threads: Option<u32>, folder: &Path) -> Result<(Said, Said), String> {
    let program = compile(text, folder)?;
    let said = by_symmetric(&program)?;
    let other = if threads.is_some() { by_explicit(&program) } else { by_cartesian(&program) };
    match disagreement(&said, &other) {
        Some(disagreement) => Err(disagreement),
        None => Ok((said, other)),
    }
}

#[derive(Debug, Default)]
struct Tally {
    programs: u32,
    proved: u32,
    refuted: u32,
    /// Properties that the other one decided, and those that both did.
    by_other: u32,
    by_both: u32,
}

#[test]
fn equal_threads_are_as_the_others_say() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut tallies: [Tally; 4] = Default::default();
    for seed in seeds(0..10) {
        let mut for_any = Said::default();
        for (threads, tally) in [None, Some(1), Some(2), Some(3)].into_iter().zip(&mut tallies) {
            let text = with_threads(seed, threads);
            let (said, other) = compared(&text, threads, folder.path()).unwrap_or_else(|wrong| {
                let small = smallest(&text, 300, |text| {
                    compile(text, folder.path()).is_ok() && compared(text, threads, folder.path()).is_err()
                });
                panic!("seed {seed}, threads {threads:?}: {wrong}\n{text}\nshrunk:\n{small}");
            });
            tally.programs += 1;
            for property in ASKED {
                let is_wrong = for_any.proved.contains(&property) && other.violates(property);
                assert!(
                    !is_wrong,
                    "seed {seed}: {property:?} is proved for any number but not for {threads:?}\n{text}"
                );
                tally.proved += u32::from(said.proved.contains(&property));
                tally.refuted += u32::from(said.violates(property));
                tally.by_other += u32::from(other.is_decided(property));
                tally.by_both += u32::from(other.is_decided(property) && said.is_decided(property));
            }
            if threads.is_none() {
                for_any = said;
            }
        }
    }
    for (threads, tally) in ["any", "1", "2", "3"].into_iter().zip(&tallies) {
        println!("threads {threads}: {tally:?}, properties {}", tally.programs * ASKED.len() as u32);
    }
    assert!(tallies.iter().all(|tally| tally.proved > 0), "there is something to compare: {tallies:?}");
}
