//! Prints the program of a seed: `cargo run -p selvedge-generate --example print -- layout 7`.
//! With a directory and two numbers, writes all programs of a range of seeds:
//! `… -- layout 0 100 DIRECTORY`.

use std::process::ExitCode;

use selvedge_generate::GENERATORS;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = |(kind, _): &&(&str, _)| arguments.first().is_some_and(|argument| argument == kind);
    let Some((_, program)) = GENERATORS.iter().find(asked) else {
        eprintln!("usage: print {} SEED [END DIRECTORY]", GENERATORS.map(|(kind, _)| kind).join("|"));
        return ExitCode::FAILURE;
    };
    let number = |at: usize| arguments.get(at).and_then(|a| a.parse::<u64>().ok());
    match (number(1), number(2), arguments.get(3)) {
        (Some(start), Some(end), Some(directory)) => {
            for seed in start..end {
                let path = format!("{directory}/{}{seed}.c", arguments[0]);
                if let Err(error) = std::fs::write(&path, program(seed)) {
                    eprintln!("{path}: {error}");
                    return ExitCode::FAILURE;
                }
            }
        }
        (seed, _, _) => print!("{}", program(seed.unwrap_or(0))),
    }
    ExitCode::SUCCESS
}
