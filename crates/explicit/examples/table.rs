//! States and time of the explicit engine with and without each reduction, on `bench/explicit`, for n = 1…6, beside SPIN on
//! models of the same programs where `spin` and a C compiler are installed.
//!
//! `cargo run --release -p selvedge-explicit --example table [n]`

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use selvedge_explicit::{Options, Reductions, explore};
use selvedge_frontend::compile::{CompileOptions, compile};
use selvedge_program::{Budget, Program, Quiet};

/// What one run took; `None` where it did not finish in time.
type Cell = Option<(u64, f64)>;

const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    let most = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(6);
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/explicit");
    let columns = [
        ("all", Reductions::ALL),
        ("no symmetry", Reductions { symmetry: false, ..Reductions::ALL }),
        ("no partial order", Reductions { partial_order: false, ..Reductions::ALL }),
        ("no fusion", Reductions { fusion: false, ..Reductions::ALL }),
        ("none", Reductions::NONE),
    ];
    for name in ["lock", "bluetooth"] {
        println!("\n{name}: states and seconds");
        print!("{:>2}", "n");
        columns.iter().for_each(|(title, _)| print!(" {title:>21}"));
        println!(" {:>21}", "SPIN");
        let mut fastest = 0f64;
        for n in 1..=most {
            print!("{n:>2}");
            let program = compiled(&directory.join(format!("{name}.c")), n);
            for (_, reductions) in &columns {
                let cell = ours(&program, *reductions);
                if let Some((states, seconds)) = cell
                    && states > 10_000
                {
                    fastest = fastest.max(states as f64 / seconds);
                }
                show(cell);
            }
            show(spin(&directory.join(format!("{name}.pml")), n));
            println!();
        }
        println!("at best {fastest:.0} stored states a second");
    }
}

fn show(cell: Cell) {
    match cell {
        Some((states, seconds)) => print!(" {states:>12} {seconds:>8.2}"),
        None => print!(" {:>21}", "-"),
    }
}

fn compiled(path: &Path, n: u32) -> Program {
    let mut options = CompileOptions::default();
    options.preprocess.extra.push(format!("-DN={n}"));
    match compile(&[path.to_owned()], &options) {
        Ok(compiled) => compiled.program,
        Err(error) => panic!("{error}"),
    }
}

fn ours(program: &Program, reductions: Reductions) -> Cell {
    let options = Options { reductions, ..Options::default() };
    let budget = Budget::unlimited().with_time(LIMIT).with_memory(12 << 30);
    let exploration = explore(program, &options, &budget, &mut Quiet).ok()?;
    assert!(exploration.violations.is_empty());
    let statistics = exploration.statistics;
    exploration.is_complete().then_some((statistics.states, statistics.time.as_secs_f64()))
}

/// SPIN's exhaustive search, compiled and run as its manual says, with its partial-order reduction.
fn spin(model: &Path, n: u32) -> Cell {
    let directory = std::env::temp_dir().join(format!("selvedge-spin-{}", std::process::id()));
    std::fs::create_dir_all(&directory).ok()?;
    let cell = run_spin(model, n, &directory);
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
    let begin = Instant::now();
    let seconds = LIMIT.as_secs().to_string();
    let run =
        Command::new("timeout").args([seconds.as_str(), "./pan", "-m1000000"]).current_dir(directory).output().ok()?;
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let line = text.lines().find(|line| line.contains("states, stored"))?;
    let states = line.split_whitespace().next()?.parse::<f64>().ok()? as u64;
    assert!(text.contains("errors: 0"), "{text}");
    run.status.success().then(|| (states, begin.elapsed().as_secs_f64()))
}
