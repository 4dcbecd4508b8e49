//! The model against the machine: every program of `tests/native` is compiled by the system's C compiler and by us;
//! both run, and must print the same and end with the same status.

use libtest_mimic::{Failed, Trial};
use selvedge_frontend::compile::{CompileOptions, compile};
use selvedge_generate::{Generator, stored};
use selvedge_program::run::{RoundRobin, RunEnd, run};
use selvedge_program::semantics::Outcome;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Programs that use something we do not model, with what we say about it. One that begins to work must leave this
/// list.
const KNOWN_GAPS: &[(&str, &str)] = &[
    ("long_double_basic", "a conversion of a long double to an integer"),
    ("sprintf_snprintf", "a conversion in a format, of whose text only the length is known roughly"),
];

/// How long a turn of a thread is, so that programs that spin come to an end.
const TURN: u32 = 500;
const MOST_STEPS: u64 = 20_000_000;

/// How many random programs of each kind are tried; `SELVEDGE_SEEDS=FIRST..LAST` asks for others.
const SEEDS: u64 = 12;

/// What a program did.
#[derive(PartialEq, Eq)]
struct Behaviour {
    status: i32,
    output: Vec<u8>,
}

impl std::fmt::Display for Behaviour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "status {}, output:\n{}", self.status, String::from_utf8_lossy(&self.output))
    }
}

fn natively(source: &Path, directory: &Path) -> Behaviour {
    let binary = directory.join(source.file_stem().expect("a C file has a name"));
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let compiled = Command::new(compiler)
        .args(["-std=gnu11", "-w", "-O0", "-fwrapv", "-pthread", "-o"])
        .arg(&binary)
        .arg(source)
        .arg("-lm")
        .output()
        .expect("there is a C compiler");
    assert!(compiled.status.success(), "not native C:\n{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&binary).output().expect("the compiled program runs");
    let status = output.status.code().unwrap_or(134);
    Behaviour { status, output: output.stdout }
}

/// Our run, or what stopped us.
fn in_the_model(source: &Path) -> Result<Behaviour, String> {
    let compiled = compile(&[source.to_owned()], &CompileOptions::default()).map_err(|error| error.to_string())?;
    compiled.program.validate().map_err(|problems| problems.join("\n"))?;
    let result = run(&compiled.program, &mut RoundRobin::new(TURN), MOST_STEPS);
    match result.end {
        RunEnd::Exit(status) => Ok(Behaviour { status: (status.unsigned() & 0xff) as i32, output: result.output }),
        RunEnd::Outcome { thread, edge, outcome } => {
            let printed = String::from_utf8_lossy(&result.output).into_owned();
            Err(format!("{thread} at {edge}: {outcome:?}\nafter printing:\n{printed}"))
        }
        end => Err(format!("{end:?} after {} steps", result.steps)),
    }
}

/// A program must do the same in both, or fail in the way that is known.
fn compare(source: &Path, directory: &Path) -> Result<(), Failed> {
    let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let gap = KNOWN_GAPS.iter().find(|(program, _)| *program == name).map(|(_, reason)| *reason);
    let expected = natively(source, directory);
    match (in_the_model(source), gap) {
        (Ok(found), None) if found == expected => Ok(()),
        (Ok(found), None) => Err(format!("natively {expected}\nin the model {found}").into()),
        (Err(problem), None) => Err(problem.into()),
        (Ok(_), Some(_)) => Err("works now, and must leave the list of gaps".into()),
        (Err(problem), Some(reason)) if problem.contains(reason) => Ok(()),
        (Err(problem), Some(reason)) => Err(format!("is expected to say `{reason}`, but says {problem}").into()),
    }
}

/// The programs that are stored.
fn stored_programs(directory: &Path) -> impl Iterator<Item = Trial> {
    stored::c_files("tests/native").into_iter().map(|source| {
        let directory = directory.to_owned();
        Trial::test(stored::name(&source), move || compare(&source, &directory))
    })
}

/// Random programs that have one behaviour.
fn generated_programs(directory: &Path) -> impl Iterator<Item = Trial> {
    let kinds: [(&str, Generator); 3] = [
        ("expression", selvedge_generate::expression::program),
        ("layout", selvedge_generate::layout::program),
        ("sequential", selvedge_generate::sequential::program),
    ];
    let all = kinds.into_iter().flat_map(|kind| selvedge_generate::seeds(0..SEEDS).map(move |seed| (kind, seed)));
    all.map(|((kind, generate), seed)| {
        let directory = directory.to_owned();
        Trial::test(format!("generated/{kind}_{seed}.c"), move || {
            let source = directory.join(format!("{kind}_{seed}.c"));
            std::fs::write(&source, generate(seed))?;
            compare(&source, &directory)
        })
    })
}

/// Racy programs have no one behaviour to compare, but every one of them is modelled completely.
fn concurrent_programs(directory: &Path) -> impl Iterator<Item = Trial> {
    selvedge_generate::seeds(0..2 * SEEDS).map(|seed| {
        let source = directory.join(format!("concurrent_{seed}.c"));
        Trial::test(format!("generated/concurrent_{seed}.c"), move || {
            std::fs::write(&source, selvedge_generate::concurrent::program(seed))?;
            let program = compile(&[source], &CompileOptions::default())?.program;
            program.validate().map_err(|problems| problems.join("\n"))?;
            let result = run(&program, &mut RoundRobin::new(3), MOST_STEPS);
            match &result.end {
                RunEnd::Outcome { outcome: Outcome::AssertionFailed(_) | Outcome::Undefined(..), .. }
                | RunEnd::Exit(_)
                | RunEnd::Deadlock
                | RunEnd::Abandoned => Ok(()),
                RunEnd::Outcome { .. } | RunEnd::StepLimit => Err(format!("{:?}", result.end).into()),
            }
        })
    })
}

fn main() -> ExitCode {
    let directory = tempfile::tempdir().expect("a directory for sources and binaries");
    let folder = directory.path();
    let tests = stored_programs(folder).chain(generated_programs(folder)).chain(concurrent_programs(folder));
    stored::run(tests)
}
