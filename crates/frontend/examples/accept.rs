//! How much of a body of C the front end accepts, and how fast: `bench/frontend.sh` feeds it.
//!
//! Standard input has one file per line, with its compiler flags before it. Prints one row of the table in
//! `docs/frontend.md`; files that are not accepted go to standard error with their first message, and make the exit
//! status 1. Time is that of lexing, parsing and type checking, not of the system's preprocessor.

use selvedge_frontend::check::check;
use selvedge_frontend::preprocess::{Headers, Options, preprocess};
use selvedge_frontend::stack::on_big_stack;
use selvedge_frontend::syntax::{Interner, SourceText, parse};
use selvedge_frontend::types::Types;
use selvedge_program::{DataModel, Severity, Sources};
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Totals {
    files: usize,
    accepted: usize,
    lines: usize,
    time: Duration,
}

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_else(|| "input".to_owned());
    let Ok(headers) = Headers::install() else {
        eprintln!("cannot write the headers to a temporary folder");
        return ExitCode::from(2);
    };
    let mut totals = Totals::default();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let Some(file) = words.pop() else { continue };
        let flags = words.iter().map(|word| (*word).to_owned()).collect();
        totals.files += 1;
        match examine(&PathBuf::from(file), flags, &headers, &mut totals) {
            Ok(()) => totals.accepted += 1,
            Err(message) => eprintln!("{file}: {message}"),
        }
    }
    let per_100_000 = totals.time.as_secs_f64() * 100_000.0 / totals.lines.max(1) as f64;
    println!("| {name} | {} | {} | {} | {per_100_000:.2} |", totals.files, totals.accepted, totals.lines);
    ExitCode::from(u8::from(totals.accepted != totals.files))
}

fn examine(file: &Path, flags: Vec<String>, headers: &Headers, totals: &mut Totals) -> Result<(), String> {
    let options = Options { extra: flags, ..Options::default() };
    let preprocessed = preprocess(file, &options, headers).map_err(|error| error.to_string())?;
    totals.lines += preprocessed.text.iter().filter(|byte| **byte == b'\n').count();
    let (outcome, time) = on_big_stack(|| {
        let start = Instant::now();
        let outcome = front_end(&file.to_string_lossy(), preprocessed.text);
        (outcome, start.elapsed())
    });
    totals.time += time;
    outcome
}

/// Lexes, parses and checks; the first error if there is one.
fn front_end(name: &str, text: Vec<u8>) -> Result<(), String> {
    let mut sources = Sources::default();
    let source = SourceText::new(name, text, &mut sources).map_err(|error| error.to_string())?;
    let mut names = Interner::default();
    let (unit, errors) = parse(&source, &mut names);
    if let Some(error) = errors.first() {
        let place = source.resolve(error.span);
        return Err(format!("{}:{}: {}", sources.name(place.file), place.line, error.message));
    }
    let mut types = Types::new(DataModel::Lp64);
    let (_, messages) = check(&unit, &mut names, &mut types);
    match messages.iter().find(|message| message.severity == Severity::Error) {
        Some(message) => {
            let place = source.resolve(message.span);
            Err(format!("{}:{}: {}", sources.name(place.file), place.line, message.message))
        }
        None => Ok(()),
    }
}
