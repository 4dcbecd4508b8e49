//! The symbolic semantics against the concrete one, whose twin it is: random steps and short paths of random
//! executions, told in terms over a state in which everything is a symbol that might be something else, under the
//! assignment that the concrete state gives.
//!
//! Where the twin goes on it must say what the semantics says, and where the semantics does not go on, neither must the
//! twin; only *not modelled* is always allowed, and counted.
//!
//! `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default; run with `--nocapture` to see
//! the counts.

mod after;
mod before;
mod bytes;
mod control;
mod handmade;
mod inputs;
mod objects;
mod predicates;
mod scramble;
mod sources;
mod splits;
mod tally;
mod touches;
mod twins;
mod walks;

use handmade::Kind;
use selvedge_generate::random::Random;
use selvedge_generate::{GENERATORS, seeds};
use selvedge_program::{DataModel, Program};
use std::ops::Range;
use tally::Tally;
use walks::{Plan, compare_predicates, compare_steps};

/// Goes through programs that are made of random parts.
fn on_random_programs(
    kind: Kind,
    default: Range<u64>,
    compare: fn(&str, &Program, Plan, &mut Random, &mut Tally),
) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds(default) {
        for data_model in [DataModel::Lp64, DataModel::Ilp32] {
            let mut random = Random::new(seed);
            let program = handmade::program(data_model, kind, &mut random);
            let name = format!("program {seed} for {data_model}");
            let plan = Plan { steps: 300, often: 60, scramble: 100 };
            compare(&name, &program, plan, &mut random, &mut tally);
        }
    }
    tally
}

#[test]
fn random_actions_mean_the_same() {
    let tally = on_random_programs(Kind::Actions, 0..320, compare_steps);
    tally.agree(6);
    tally.demand_actions(50);
}

#[test]
fn random_expressions_mean_the_same() {
    let tally = on_random_programs(Kind::Expressions, 0..80, compare_steps);
    tally.agree(6);
    tally.demand_operators(50);
}

#[test]
fn random_predicates_mean_the_same() {
    let tally = on_random_programs(Kind::Actions, 0..60, compare_predicates);
    tally.agree(2);
    tally.demand_operators(50);
}

/// Both data models, as the front end calls them.
const MODELS: [selvedge_frontend::preprocess::DataModel; 2] =
    [selvedge_frontend::preprocess::DataModel::Lp64, selvedge_frontend::preprocess::DataModel::Ilp32];

#[test]
fn annotated_programs_mean_the_same() {
    let mut tally = Tally::default();
    let files = sources::annotated();
    for seed in seeds(0..120) {
        let mut random = Random::new(seed);
        // Far apart, so that a few seeds see all folders.
        let file = &files[(seed as usize * 61) % files.len()];
        for model in MODELS {
            let Some(program) = sources::compile_file(file, model, &mut random) else { continue };
            let name = format!("{} for {model:?}, seed {seed}", file.display());
            for scramble in [0, 15] {
                compare_steps(&name, &program, Plan { steps: 250, often: 30, scramble }, &mut random, &mut tally);
            }
        }
    }
    tally.agree(6);
}

#[test]
fn generated_programs_mean_the_same() {
    let mut tally = Tally::default();
    let folder = tempfile::tempdir().expect("a temporary folder");
    for seed in seeds(0..90) {
        let mut random = Random::new(seed);
        let (kind, generator) = GENERATORS[seed as usize % GENERATORS.len()];
        for model in MODELS {
            let Some(program) = sources::generated(generator, seed, model, folder.path()) else { continue };
            let name = format!("{kind} {seed} for {model:?}");
            for scramble in [0, 15] {
                compare_steps(&name, &program, Plan { steps: 300, often: 30, scramble }, &mut random, &mut tally);
            }
        }
    }
    tally.agree(6);
}
