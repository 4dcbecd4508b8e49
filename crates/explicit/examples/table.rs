//! States and CPU time of the explicit engine with and without each reduction, on `bench/explicit`, for growing n,
//! beside SPIN on models of the same programs where `spin` and a C compiler are installed; then how fast each of them
//! goes.
//!
//! `cargo run --release -p selvedge-explicit --example table [n]`

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use selvedge_explicit::{Options, Reductions, explore};
use selvedge_frontend::compile::{CompileOptions, compile};
use selvedge_program::{Budget, Program, Quiet};

/// What one run took.
#[derive(Clone, Copy)]
struct Run {
    states: u64,
    transitions: u64,
    /// Steps from one memory access to the next. SPIN's transitions are that.
    steps: u64,
    /// On the processor.
    seconds: f64,
}

/// `None` where it did not finish in time.
type Cell = Option<Run>;

const LIMIT: Duration = Duration::from_secs(120);

/// Runs that take longer are not repeated.
const SHORT: f64 = 10.0;

/// The programs, and how far n goes: to where SPIN has tens of millions of states.
const PROGRAMS: [(&str, u32); 2] = [("lock", 8), ("bluetooth", 6)];

/// How often a run is repeated to see how fast it goes; the fastest counts.
const REPETITIONS: usize = 3;

fn main() {
    let asked = std::env::args().nth(1).and_then(|count| count.parse().ok());
    let columns = [
        ("all", Reductions::ALL),
        ("no symmetry", Reductions { symmetry: false, ..Reductions::ALL }),
        ("no partial order", Reductions { partial_order: false, ..Reductions::ALL }),
        ("no fusion", Reductions { fusion: false, ..Reductions::ALL }),
        ("none", Reductions::NONE),
    ];
    for (name, most) in PROGRAMS {
        println!("\n{name}: states and CPU seconds");
        print!("{:>2}", "n");
        columns.iter().for_each(|(title, _)| print!(" {title:>21}"));
        println!(" {:>21}", "SPIN");
        let mut finished: Vec<u32> = vec![0; columns.len() + 1];
        let mut largest: Vec<Option<u32>> = vec![None; columns.len() + 1];
        let mut last = (None, None);
        for n in 1..=asked.unwrap_or(most) {
            print!("{n:>2}");
            let program = compiled(name, n);
            // What did not finish in time for a smaller n is not tried again.
            let is_worth_it = |position: usize| finished[position] == n - 1;
            let mut row: Vec<Cell> = Vec::new();
            for (position, (_, reductions)) in columns.iter().enumerate() {
                row.push(shown(if is_worth_it(position) { ours(&program, *reductions) } else { None }));
            }
            row.push(shown(if is_worth_it(columns.len()) { spin(name, n) } else { None }));
            println!();
            for (position, run) in row.iter().enumerate().filter_map(|(position, cell)| Some((position, (*cell)?))) {
                finished[position] = n;
                if run.seconds < SHORT {
                    largest[position] = Some(n);
                }
            }
            if let (Some(first), Some(spin)) = (row[0], row[columns.len()]) {
                last = (Some((n, first)), Some(spin));
            }
        }
        if let (Some((n, ours)), Some(spin)) = last {
            println!(
                "n = {n}: SPIN stores {:.0} states for each of ours with all reductions, and takes {:.0} times as long",
                spin.states as f64 / ours.states as f64,
                spin.seconds / ours.seconds
            );
        }
        println!("\n{name}: how fast, at the largest n that takes less than {SHORT} seconds, in thousands a second");
        println!("{:>18} {:>2} {:>12} {:>12} {:>13} {:>12}", "", "n", "stored", "states", "transitions", "steps");
        for (position, n) in largest.iter().enumerate() {
            let Some(n) = *n else { continue };
            let again = || match columns.get(position) {
                Some((_, reductions)) => ours(&compiled(name, n), *reductions),
                None => spin(name, n),
            };
            let title = columns.get(position).map_or("SPIN", |(title, _)| title);
            show_speed(title, n, (0..REPETITIONS).filter_map(|_| again()));
        }
    }
}

fn show_speed(title: &str, n: u32, runs: impl Iterator<Item = Run>) {
    let Some(run) = runs.min_by(|a, b| a.seconds.total_cmp(&b.seconds)) else { return };
    let rate = |count: u64| count as f64 / run.seconds / 1000.0;
    let (states, transitions, steps) = (rate(run.states), rate(run.transitions), rate(run.steps));
    println!("{title:>18} {n:>2} {:>12} {states:>12.0} {transitions:>13.0} {steps:>12.0}", run.states);
}

fn shown(cell: Cell) -> Cell {
    match cell {
        Some(run) => print!(" {:>12} {:>8.2}", run.states, run.seconds),
        None => print!(" {:>21}", "-"),
    }
    cell
}

fn source(name: &str, extension: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/explicit").join(format!("{name}.{extension}"))
}

fn compiled(name: &str, n: u32) -> Program {
    let mut options = CompileOptions::default();
    options.preprocess.extra.push(format!("-DN={n}"));
    match compile(&[source(name, "c")], &options) {
        Ok(compiled) => compiled.program,
        Err(error) => panic!("{error}"),
    }
}

/// The time that this process has spent on the processor, or the time of day where the system does not tell.
fn cpu_seconds(begin: Instant) -> f64 {
    let spent = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begin.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn ours(program: &Program, reductions: Reductions) -> Cell {
    let options = Options { reductions, ..Options::default() };
    let budget = Budget::unlimited().with_time(LIMIT).with_memory(12 << 30);
    let day = Instant::now();
    let begin = cpu_seconds(day);
    let exploration = explore(program, &options, &budget, &mut Quiet).ok()?;
    let seconds = cpu_seconds(day) - begin;
    assert!(exploration.violations.is_empty());
    let statistics = exploration.statistics;
    exploration.is_complete().then_some(Run {
        states: statistics.states,
        transitions: statistics.transitions,
        steps: statistics.steps,
        seconds,
    })
}

/// SPIN's exhaustive search, compiled and run as its manual says, with its partial-order reduction.
fn spin(name: &str, n: u32) -> Cell {
    let directory = std::env::temp_dir().join(format!("selvedge-spin-{}", std::process::id()));
    std::fs::create_dir_all(&directory).ok()?;
    let cell = run_spin(&source(name, "pml"), n, &directory);
    let _ = std::fs::remove_dir_all(&directory);
    cell
}

fn run_spin(model: &Path, n: u32, directory: &Path) -> Cell {
    let model: PathBuf = model.canonicalize().ok()?;
    let made =
        Command::new("spin").arg(format!("-DN={n}")).arg("-a").arg(&model).current_dir(directory).output().ok()?;
    let flags = ["-O2", "-DSAFETY", "-DMEMLIM=12000", "-w", "-o", "pan", "pan.c"];
    let compiled = Command::new("cc").args(flags).current_dir(directory).output().ok()?;
    if !made.status.success() || !compiled.status.success() {
        return None;
    }
    // The shell's `times` tells what its children have spent on the processor.
    let script = format!("ulimit -t {}; ./pan -m1000000; status=$?; times; exit $status", LIMIT.as_secs());
    let run = Command::new("sh").args(["-c", &script]).current_dir(directory).output().ok()?;
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let count = |what: &str| {
        let line = text.lines().find(|line| line.contains(what))?;
        Some(line.split_whitespace().next()?.parse::<f64>().ok()? as u64)
    };
    let (states, transitions) = (count("states, stored")?, count("transitions (=")?);
    assert!(text.contains("errors: 0"), "{text}");
    let seconds = text.lines().last()?.split_whitespace().map(minutes_and_seconds).sum::<Option<f64>>()?;
    run.status.success().then_some(Run { states, transitions, steps: transitions, seconds })
}

/// The seconds of a time like `1m2.34s`.
fn minutes_and_seconds(text: &str) -> Option<f64> {
    let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
    Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
}
