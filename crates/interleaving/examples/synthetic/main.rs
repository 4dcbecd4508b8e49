//! The paper's table on synthetic skeletons: for each program and mode the answer, the time, the size of the
//! abstraction.
//!
//! `cargo run --release -p selvedge-interference --example synthetic -- [SECONDS [NAME [MODE]]]`: the limit for each
//! program and mode (10 if not given), a part of the names of the programs to run, and the mode to run them in.

#[allow(dead_code)]
#[path = "../../tests/common/build.rs"]
mod build;
mod programs;

use std::time::{Duration, Instant};

use selvedge_interleaving::skeleton::Skeleton;
use selvedge_interleaving::{Error, GoalId, Mode, Outcome, RefineOptions, Refiner, Statistics};
use selvedge_program::{Budget, Quiet};

struct Measured {
    answer: &'static str,
    time: Duration,
    statistics: Statistics,
}

fn solve(make: &dyn Fn() -> Skeleton, mode: Mode, limit: Duration) -> selvedge_interleaving::Result<Measured> {
    let mut skeleton = make();
    let goals: Vec<GoalId> = (0..skeleton.goals.len()).map(GoalId::new).collect();
    let start = Instant::now();
    let mut refiner = Refiner::new(&mut skeleton, RefineOptions { mode })?;
    let budget = Budget::unlimited().with_time(limit);
    let answer = match refiner.ask(&goals, &budget, &mut Quiet) {
        Ok(Outcome::Execution(_)) => "bug",
        Ok(Outcome::Refuted(_)) => "proof",
        Ok(Outcome::Unmodelled(_)) | Err(Error::Exhausted(_)) => "-",
        Err(error) => return Err(error),
    };
    Ok(Measured { answer, time: start.elapsed(), statistics: refiner.statistics() })
}

fn main() -> selvedge_interleaving::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10);
    let name = arguments.next().unwrap_or_default();
    let mode_name = arguments.next().unwrap_or_default();
    println!(
        "{:<22} {:>4} {:>5} {:>5} {:>6} | {:<5} {:>5} {:>8} {:>8} {:>6} {:>9} abstraction",
        "program", "thr", "reads", "wr", "links", "mode", "", "seconds", "solver", "iter", "conflicts"
    );
    for program in programs::all().into_iter().filter(|program| program.name.contains(&name)) {
        for mode in [Mode::Mixed, Mode::Over, Mode::Under, Mode::Full] {
            if !mode.to_string().contains(&mode_name) {
                continue;
            }
            let Measured { answer, time, statistics } = solve(&program.make, mode, Duration::from_secs(seconds))?;
            println!(
                "{:<22} {:>4} {:>5} {:>5} {:>6.1} | {:<5} {:>5} {:>8.3} {:>8.3} {:>6} {:>9} {}",
                program.name,
                statistics.threads,
                statistics.reads,
                statistics.writes,
                statistics.mean_links,
                mode,
                answer,
                time.as_secs_f64(),
                statistics.solver.as_secs_f64(),
                statistics.iterations,
                statistics.conflicts,
                statistics.size
            );
        }
    }
    Ok(())
}
