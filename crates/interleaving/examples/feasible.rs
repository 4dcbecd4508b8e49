//! How long a question about paths takes: random programs, paths of several runs mixed, every mode.
//!
//! Times are of the processor, where the system tells them, so that they mean something on a busy machine.

#[path = "../tests/common/paths.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod paths;

use std::time::{Duration, Instant};

use paths::{Run, compile, mixed, record};
use selvedge_generate::random::Random;
use selvedge_interleaving::{End, Feasibility, Feasible, Mode, Question};
use selvedge_program::{Budget, Program};

/// How long this thread has run.
fn now(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split_whitespace().next().and_then(|field| field.parse().ok()));
    told.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn questions(program: &Program, seed: u64) -> Vec<Question> {
    let mut random = Random::new(seed);
    let runs: Vec<Run> = (0..4).map(|_| record(program, 150, |able| *random.pick(able))).collect();
    let question = |random: &mut Random| {
        let paths = mixed(&runs, random);
        let end = if paths.len() > 2 && random.chance(50) { End::Race(1, 2) } else { End::Nothing };
        Question { paths, end }
    };
    let all = (0..40).map(|_| question(&mut random));
    let steps = |question: &Question| -> usize { question.paths.iter().map(|path| path.steps.len()).sum() };
    all.filter(|question| (10..=160).contains(&steps(question))).collect()
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let programs: Vec<(Program, Vec<Question>)> = (0..12)
        .map(|seed| {
            let program = compile(folder.path(), "random", &selvedge_generate::concurrent::program(seed));
            let questions = questions(&program, seed);
            (program, questions)
        })
        .collect();
    let start = Instant::now();
    for mode in Mode::ALL {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for (program, questions) in &programs {
            let mut feasibility = Feasibility::new(program).with_mode(mode);
            for question in questions {
                let before = now(start);
                let answer = feasibility.ask(question, &Budget::unlimited());
                let time = now(start).saturating_sub(before);
                match answer {
                    Ok(Feasible::Yes(_)) => yes.push(time),
                    Ok(Feasible::No { .. }) => no.push(time),
                    Ok(Feasible::Unknown(_)) => {}
                    Err(error) => println!("{error}"),
                }
            }
        }
        print!("{mode:>6}:");
        for (name, mut times) in [("yes", yes), ("no", no)] {
            times.sort_unstable();
            let micros = |time: Duration| time.as_micros();
            let total: Duration = times.iter().sum();
            let median = times.get(times.len() / 2).copied().unwrap_or_default();
            let most = times.last().copied().unwrap_or_default();
            let mean = total / times.len().max(1) as u32;
            print!(
                "  {name} {} times, mean {} µs, median {} µs, most {} µs;",
                times.len(),
                micros(mean),
                micros(median),
                micros(most)
            );
        }
        println!();
    }
}
