//! The paper's table on C programs (`bench/interference/`): full instantiation against `over`, `under` and `mixed`.
//!
//! `cargo run --release -p selvedge-interference --example table -- [SECONDS [NAME [THREADS TURNS BOUND]]]`: the limit
//! for each program and mode (60 if not given), a part of the names of the programs to run, and other parameters for
//! them. Times are for link sets, instances and solver; the unrolling is the same for all modes. All goals of one
//! property are asked at once, and the first execution that shows one is an answer.

use std::path::Path;
use std::time::{Duration, Instant};

use selvedge_evidence::Subject;
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_frontend::preprocess::{Macro, Options};
use selvedge_interleaving::unroll::claims::Claim;
use selvedge_interleaving::unroll::{Bounds, unroll};
use selvedge_interleaving::{Error, GoalId, Mode, Outcome, RefineOptions, Refiner, Size, Statistics};
use selvedge_program::{Budget, Program, Quiet};

/// A program with its parameters, and what it is asked.
#[derive(Clone, Copy)]
struct Task {
    file: &'static str,
    threads: u32,
    turns: u32,
    /// How often loops go round whose end is not known.
    unwind: u32,
    asked: Asked,
    seeded: Seeded,
}

#[derive(Clone, Copy)]
enum Asked {
    Assertion,
    Race,
    Deadlock,
}

/// Whether a mistake is put into the program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seeded {
    Bug,
    Nothing,
}

/// How large the solver's data may become.
const MEMORY: u64 = 4 << 30;

const fn task(file: &'static str, size: [u32; 3], asked: Asked, seeded: Seeded) -> Task {
    Task { file, threads: size[0], turns: size[1], unwind: size[2], asked, seeded }
}

use Asked::{Assertion, Deadlock, Race};
use Seeded::{Bug, Nothing};

/// Threads, turns of each, and the bound on other loops: as large as some mode finishes within seconds, with up to 16
/// threads and 2,000 shared accesses.
const TASKS: [Task; 28] = [
    task("accounts", [14, 10, 1], Race, Nothing),
    task("accounts", [14, 10, 1], Race, Bug),
    task("bluetooth", [5, 1, 1], Assertion, Nothing),
    task("bluetooth", [14, 4, 1], Assertion, Bug),
    task("cache", [5, 2, 1], Assertion, Nothing),
    task("cache", [8, 2, 1], Assertion, Bug),
    task("log", [5, 1, 2], Race, Nothing),
    task("log", [8, 3, 1], Race, Bug),
    task("nested", [10, 10, 1], Race, Nothing),
    task("nested", [10, 10, 1], Race, Bug),
    task("once", [11, 4, 1], Race, Nothing),
    task("once", [14, 6, 1], Race, Bug),
    task("phases", [4, 2, 1], Race, Nothing),
    task("phases", [4, 2, 1], Race, Bug),
    task("philosophers", [15, 12, 1], Deadlock, Nothing),
    task("philosophers", [15, 12, 1], Deadlock, Bug),
    task("pipeline", [13, 6, 1], Race, Nothing),
    task("pipeline", [13, 6, 1], Race, Bug),
    task("queue", [6, 1, 1], Assertion, Nothing),
    task("queue", [8, 2, 1], Assertion, Bug),
    task("ring", [4, 2, 1], Assertion, Nothing),
    task("ring", [8, 3, 1], Assertion, Bug),
    task("sequence", [10, 6, 1], Assertion, Nothing),
    task("sequence", [10, 6, 1], Assertion, Bug),
    task("ticket", [4, 2, 1], Race, Nothing),
    task("ticket", [12, 3, 1], Race, Bug),
    task("token", [15, 4, 1], Race, Nothing),
    task("token", [15, 4, 1], Race, Bug),
];

/// One program in one mode.
struct Cell {
    answer: Option<&'static str>,
    time: Duration,
    statistics: Statistics,
}

fn program(task: &Task) -> Result<Program, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/interference");
    let mut macros = vec![Macro::Define(format!("N={}", task.threads)), Macro::Define(format!("K={}", task.turns))];
    if task.seeded == Bug {
        macros.push(Macro::Define("BUG".to_owned()));
    }
    let preprocess = Options { macros, ..Options::default() };
    let source = Source { path: folder.join(format!("{}.c", task.file)), preprocess };
    let compiled = compile_sources(&[source], &CompileOptions::default()).map_err(|error| error.to_string())?;
    Ok(compiled.program)
}

fn solve(program: &Program, task: &Task, mode: Mode, limit: Duration) -> Result<Cell, String> {
    let bounds = Bounds { unwind: task.unwind, ..Bounds::default() };
    let mut unrolled = unroll(program, &bounds, &Budget::unlimited()).map_err(|exhausted| exhausted.to_string())?;
    let wanted = |claim: &Claim| match task.asked {
        Assertion => matches!(claim, Claim::Violation(Subject::Assertion(_))),
        Race => matches!(claim, Claim::Violation(Subject::Race(_))),
        Deadlock => matches!(claim, Claim::Violation(Subject::Deadlock)),
    };
    let goals: Vec<GoalId> =
        (0..unrolled.asked.len()).filter(|&goal| wanted(&unrolled.asked[goal].claim)).map(GoalId::new).collect();
    let start = Instant::now();
    let budget = Budget::unlimited().with_memory(MEMORY).with_time(limit);
    let mut refiner = match Refiner::within(&mut unrolled.skeleton, RefineOptions { mode }, &budget) {
        Ok(refiner) => refiner,
        Err(Error::Exhausted(_)) => {
            return Ok(Cell { answer: None, time: start.elapsed(), statistics: Statistics::default() });
        }
        Err(error) => return Err(error.to_string()),
    };
    let answer = match refiner.ask(&goals, &budget, &mut Quiet) {
        Ok(Outcome::Execution(_)) => Some("bug"),
        Ok(Outcome::Refuted(_)) => Some("proof"),
        Ok(Outcome::Unmodelled(_)) | Err(Error::Exhausted(_)) => None,
        Err(error) => return Err(error.to_string()),
    };
    let time = start.elapsed();
    Ok(Cell { answer, time, statistics: refiner.statistics() })
}

/// `1234567` as `1.2M`.
fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{}k", count / 1000),
        _ => format!("{:.1}M", count as f64 / 1e6),
    }
}

/// `a/b/c`: links of the reads in R, pairs with Π2, triples with Π3; pairs of ordered lock blocks after a plus sign.
fn abc(size: Size) -> String {
    let blocks = if size.blocks > 0 { format!("+{}", short(size.blocks)) } else { String::new() };
    format!("{}/{}/{}{blocks}", short(size.links), short(size.pairs), short(size.triples))
}

fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    match (ratios.len(), ratios.get(ratios.len() / 2)) {
        (0, _) | (_, None) => f64::NAN,
        (count, Some(upper)) if count % 2 == 0 => (ratios[count / 2 - 1] + upper) / 2.0,
        (_, Some(middle)) => *middle,
    }
}

/// The modes in the order of the columns; the first is what the others are compared with.
const MODES: [Mode; 4] = [Mode::Full, Mode::Over, Mode::Under, Mode::Mixed];

fn row(task: &Task, cells: &[Cell]) -> String {
    let answers: Vec<&str> = cells.iter().filter_map(|cell| cell.answer).collect();
    let expected = if task.seeded == Bug { "bug" } else { "proof" };
    let answer = match answers.first() {
        None => "-",
        Some(answer) if answers.iter().any(|other| other != answer) => "CONTRADICTION",
        Some(answer) if *answer != expected => "UNEXPECTED",
        Some(answer) => answer,
    };
    let figures = cells.last().map(|cell| cell.statistics).unwrap_or_default();
    let mut line = format!(
        "{:<13} {:>3} {:<5} {:>5} {:>5} {:>5.1} | {:<22}",
        task.file,
        figures.threads,
        answer,
        figures.reads,
        figures.writes,
        figures.mean_links,
        abc(figures.full),
    );
    for cell in cells {
        let time = cell.answer.map_or("-".to_owned(), |_| format!("{:.2}", cell.time.as_secs_f64()));
        line.push_str(&format!(" {time:>7}"));
        if cell.statistics.size != Size::default() || cell.answer.is_some() {
            line.push_str(&format!(" {:<22} {:>4}", abc(cell.statistics.size), cell.statistics.iterations));
        } else {
            line.push_str(&format!(" {:<22} {:>4}", "", ""));
        }
    }
    line
}

/// What comes out on the whole: how `mode` compares with full instantiation.
fn comparison(mode: Mode, what: &str, rows: &[&Vec<Cell>], column: usize) -> String {
    let (mut sizes, mut times) = (Vec::new(), Vec::new());
    let (mut solved, mut alone, mut lost) = (0, 0, 0);
    for row in rows {
        let (full, cell) = (&row[0], &row[column]);
        solved += usize::from(cell.answer.is_some());
        alone += usize::from(cell.answer.is_some() && full.answer.is_none());
        lost += usize::from(cell.answer.is_none() && full.answer.is_some());
        if cell.answer.is_some() {
            sizes.push(cell.statistics.full.total() as f64 / cell.statistics.size.total().max(1) as f64);
        }
        if cell.answer.is_some() || full.answer.is_some() {
            times.push(full.time.as_secs_f64() / cell.time.as_secs_f64().max(1e-6));
        }
    }
    format!(
        "{mode:<5} {what:<6} {:>2} programs: solved {solved}, of which full did not {alone} (full did and it did not {lost}); on the median \
         {:.1} times smaller and {:.1} times faster than full",
        rows.len(),
        median(sizes),
        median(times),
    )
}

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let limit = Duration::from_secs(arguments.next().and_then(|text| text.parse().ok()).unwrap_or(60));
    let name = arguments.next().unwrap_or_default();
    let given: Vec<u32> = arguments.filter_map(|text| text.parse().ok()).collect();
    print!("{:<13} {:>3} {:<5} {:>5} {:>5} {:>5} | {:<22}", "program", "thr", "", "reads", "wr", "links", "full size");
    MODES.iter().for_each(|mode| print!(" {mode:>7} {:<22} {:>4}", "size a/b/c", "iter"));
    println!();
    let mut rows = Vec::new();
    for mut task in TASKS.into_iter().filter(|task| task.file.contains(&name)) {
        if let [threads, turns, unwind] = given[..] {
            (task.threads, task.turns, task.unwind) = (threads, turns, unwind);
        }
        let program = program(&task)?;
        let cells = MODES.map(|mode| solve(&program, &task, mode, limit));
        let cells = cells.into_iter().collect::<Result<Vec<Cell>, String>>()?;
        println!("{}", row(&task, &cells).trim_end());
        rows.push((task.seeded, cells));
    }
    println!();
    for (column, mode) in MODES.into_iter().enumerate().skip(1) {
        for (what, seeded) in [("all", None), ("bugs", Some(Bug)), ("proofs", Some(Nothing))] {
            let chosen = rows.iter().filter(|(own, _)| seeded.is_none_or(|seeded| seeded == *own));
            let chosen: Vec<&Vec<Cell>> = chosen.map(|(_, cells)| cells).collect();
            println!("{}", comparison(mode, what, &chosen, column));
        }
    }
    Ok(())
}
