//! Explores C files and prints what was found and what it took: `explore [fusion|partial-order|symmetry|none|all]…
//! [-Dflag] FILE…` runs every file under each of the named sets of reductions.

use std::path::PathBuf;
use std::time::Duration;

use selvedge_explicit::{Options, Reductions, explore};
use selvedge_frontend::compile::{CompileOptions, compile};
use selvedge_program::{Budget, Quiet};

fn main() {
    let mut options = CompileOptions::default();
    let (mut sets, mut files, mut seconds) = (Vec::new(), Vec::new(), 60);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "all" => sets.push(Reductions::ALL),
            "none" => sets.push(Reductions::NONE),
            "fusion" => sets.push(Reductions { fusion: true, ..Reductions::NONE }),
            "partial-order" => sets.push(Reductions { partial_order: true, ..Reductions::NONE }),
            "symmetry" => sets.push(Reductions { symmetry: true, ..Reductions::NONE }),
            "no-symmetry" => sets.push(Reductions { symmetry: false, ..Reductions::ALL }),
            _ if argument.starts_with("-D") => options.preprocess.extra.push(argument),
            _ if argument.starts_with("-t") => seconds = argument[2..].parse().unwrap_or(seconds),
            _ => files.push(PathBuf::from(argument)),
        }
    }
    if sets.is_empty() {
        sets.push(Reductions::ALL);
    }
    for file in files {
        let compiled = match compile(std::slice::from_ref(&file), &options) {
            Ok(compiled) => compiled,
            Err(error) => {
                println!("{}: {error}", file.display());
                continue;
            }
        };
        for reductions in &sets {
            let options = Options { reductions: *reductions, ..Options::default() };
            let budget = Budget::unlimited().with_time(Duration::from_secs(seconds)).with_memory(8 << 30);
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match explore(&compiled.program, &options, &budget, &mut Quiet) {
                Ok(exploration) => show(&name, &compiled.program, &exploration),
                Err(error) => println!("{name}: {error}"),
            }
        }
    }
}

fn show(name: &str, program: &selvedge_program::Program, exploration: &selvedge_explicit::Exploration) {
    let statistics = &exploration.statistics;
    println!(
        "{name:28} {:>9} states {:>9} transitions {:>10} steps {:>7.2} s {:>8.0} states/s {:>5} MiB{}",
        statistics.states,
        statistics.transitions,
        statistics.steps,
        statistics.time.as_secs_f64(),
        statistics.states_per_second(),
        statistics.memory >> 20,
        if exploration.is_complete() { "" } else { " incomplete" },
    );
    for violation in &exploration.violations {
        println!("    {:?} in {} steps", violation.subject, violation.trace.steps.len());
    }
    for cut in &exploration.gaps {
        let line = cut.span().map_or(0, |span| span.line);
        println!("    line {line}: {}", cut.message(program));
    }
}
