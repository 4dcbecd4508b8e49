//! The model against the machine: every program of `tests/native` is compiled by the system's C compiler and by us;
//! both run, and must print the same and end with the same status.

use selvedge_frontend::compile::{CompileOptions, compile};
use selvedge_program::run::{RoundRobin, RunEnd, run};
use selvedge_program::semantics::Outcome;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Programs that use something we do not model, with what we say about it. One that begins to work must leave this
/// list.
const KNOWN_GAPS: &[(&str, &str)] = &[
    ("constructor_attribute", "the constructor or destructor function"),
    ("long_double_basic", "long double arithmetic"),
    ("sprintf_snprintf", "`%f` in a format of `snprintf`"),
];

/// How long a turn of a thread is, so that programs that spin come to an end.
const TURN: u32 = 500;
const MOST_STEPS: u64 = 20_000_000;

/// How many random programs of each kind are tried; `SELVEDGE_SEEDS` asks for another number.
const SEEDS: u64 = 12;

/// A kind of random programs, by seed.
type Generator = fn(u64) -> String;

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
        .status()
        .expect("there is a C compiler");
    assert!(compiled.success(), "{} does not compile natively", source.display());
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

fn programs() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/native");
    let entries = std::fs::read_dir(directory).expect("tests/native exists");
    let mut programs: Vec<PathBuf> = entries
        .map(|entry| entry.expect("tests/native can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    programs.sort();
    programs
}

/// What is wrong with one program, if anything.
fn compare(source: &Path, directory: &Path) -> Option<String> {
    let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let gap = KNOWN_GAPS.iter().find(|(program, _)| *program == name).map(|(_, reason)| *reason);
    let expected = natively(source, directory);
    match (in_the_model(source), gap) {
        (Ok(found), None) if found == expected => None,
        (Ok(found), None) => Some(format!("{name}: natively {expected}\nin the model {found}")),
        (Err(problem), None) => Some(format!("{name}: {problem}")),
        (Ok(_), Some(_)) => Some(format!("{name}: works now, and must leave the list of gaps")),
        (Err(problem), Some(reason)) if problem.contains(reason) => None,
        (Err(problem), Some(reason)) => Some(format!("{name}: is expected to say `{reason}`, but says {problem}")),
    }
}

/// What is wrong with each program that differs, in their order; the machine's cores share the work.
fn compare_all(sources: &[PathBuf], directory: &Path) -> Vec<String> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut problems = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(source) = sources.get(index) else { return problems };
            problems.extend(compare(source, directory).map(|problem| (index, problem)));
        }
    };
    let mut problems: Vec<(usize, String)> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        running.into_iter().flat_map(|worker| worker.join().expect("a comparison does not panic")).collect()
    });
    problems.sort();
    problems.into_iter().map(|(_, problem)| problem).collect()
}

#[test]
fn native_programs_agree() {
    let directory = tempfile::tempdir().expect("a directory for binaries");
    let only = std::env::var("SELVEDGE_NATIVE").ok();
    let programs: Vec<PathBuf> = programs()
        .into_iter()
        .filter(|path| only.as_ref().is_none_or(|only| path.to_string_lossy().contains(only.as_str())))
        .collect();
    let problems = compare_all(&programs, directory.path());
    println!("{} programs, {} agree", programs.len(), programs.len() - problems.len());
    assert!(
        problems.is_empty(),
        "{} of {} programs differ:\n{}",
        problems.len(),
        programs.len(),
        problems.join("\n\n")
    );
}

#[test]
fn generated_programs_agree() {
    let directory = tempfile::tempdir().expect("a directory for binaries");
    let seeds = std::env::var("SELVEDGE_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(SEEDS);
    let kinds: [(&str, Generator); 3] = [
        ("expression", selvedge_generate::expression::program),
        ("layout", selvedge_generate::layout::program),
        ("sequential", selvedge_generate::sequential::program),
    ];
    let mut sources = Vec::new();
    for (kind, generate) in kinds {
        for seed in 0..seeds {
            let source = directory.path().join(format!("{kind}_{seed}.c"));
            std::fs::write(&source, generate(seed)).expect("the directory can be written");
            sources.push(source);
        }
    }
    let problems = compare_all(&sources, directory.path());
    let total = sources.len();
    println!("{total} programs, {} agree", total - problems.len());
    assert!(problems.is_empty(), "{} of {total} programs differ:\n{}", problems.len(), problems.join("\n\n"));
}

/// Racy programs have no one behaviour to compare, but every one of them is modelled completely.
#[test]
fn concurrent_programs_run() {
    let directory = tempfile::tempdir().expect("a directory for sources");
    for seed in 0..2 * SEEDS {
        let source = directory.path().join(format!("concurrent_{seed}.c"));
        std::fs::write(&source, selvedge_generate::concurrent::program(seed)).expect("the directory can be written");
        let compiled = compile(std::slice::from_ref(&source), &CompileOptions::default())
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(compiled.program.validate(), Ok(()), "seed {seed}");
        let result = run(&compiled.program, &mut RoundRobin::new(3), MOST_STEPS);
        let is_modelled = match &result.end {
            RunEnd::Outcome { outcome, .. } => matches!(outcome, Outcome::AssertionFailed(_) | Outcome::Undefined(..)),
            RunEnd::Exit(_) | RunEnd::Deadlock | RunEnd::Abandoned => true,
            RunEnd::StepLimit => false,
        };
        assert!(is_modelled, "seed {seed}: {:?}", result.end);
    }
}
