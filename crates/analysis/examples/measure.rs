//! Time and memory of the facts of one program: `bench/facts/run.sh` feeds it.
//!
//! `measure NAME [FLAG…] FILE…` prints one row of the table in `bench/facts/README.md`.

use selvedge_analysis::Facts;
use selvedge_frontend::compile::{CompileOptions, compile};
use selvedge_program::{Budget, Exhausted};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Nothing is waited for longer than this.
const LIMIT: Duration = Duration::from_secs(120);

/// The most memory that the process has occupied, in MiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let (flags, files): (Vec<String>, Vec<String>) = arguments.partition(|argument| argument.starts_with('-'));
    let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let text = |file: &PathBuf| std::fs::read_to_string(file).unwrap_or_default();
    let lines: usize = files.iter().map(|file| text(file).lines().count()).sum();
    let mut options = CompileOptions::default();
    options.preprocess.extra = flags;
    let begin = Instant::now();
    let program = match compile(&files, &options) {
        Ok(compiled) => compiled.program,
        Err(error) => {
            eprintln!("{name}: {error}");
            return ExitCode::from(1);
        }
    };
    let front_end = begin.elapsed();
    let edges: usize = program.functions.iter().map(|function| function.edges.len()).sum();
    let before = peak();
    let mut times = Vec::new();
    let mut begin = Instant::now();
    let mut lap = || {
        times.push(format!("{:.2}", begin.elapsed().as_secs_f64()));
        begin = Instant::now();
    };
    let facts = Facts::new(Arc::new(program), Budget::unlimited().with_time(LIMIT));
    let stages: [&dyn Fn() -> Result<(), Exhausted>; 9] = [
        &|| facts.points_to().map(drop),
        &|| facts.threads().map(drop),
        &|| facts.parallel().map(drop),
        &|| facts.sharing().map(drop),
        &|| facts.conflicts().map(drop),
        &|| facts.locksets().map(drop),
        &|| facts.reach().map(drop),
        &|| facts.cells().map(drop),
        &|| facts.visible().map(drop),
    ];
    for stage in stages {
        if let Err(limit) = stage() {
            eprintln!("{name}: {limit}");
            return ExitCode::from(3);
        }
        lap();
    }
    let times = times.join(" | ");
    println!("| {name} | {lines} | {edges} | {:.2} | {times} | {} |", front_end.as_secs_f64(), peak() - before);
    ExitCode::SUCCESS
}
