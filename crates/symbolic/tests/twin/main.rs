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

use before::Telling;
use handmade::Kind;
use objects::Objects;
use selvedge_generate::random::Random;
use selvedge_generate::{GENERATORS, seeds};
use selvedge_program::assemble::{Assembly, plain};
use selvedge_program::semantics::{Semantics, Value};
use selvedge_program::{
    Base, BinaryOp, Conversion, DataModel, EdgeId, Expr, InitialValue, ObjectKind, Program, Shape, ThreadIndex,
};
use std::ops::Range;
use tally::Tally;
use twins::Path;
use walks::{Plan, compare_predicates, compare_steps};

/// Whether the default seeds run, which must see everything; those that are asked for may be few.
fn all_seeds() -> bool {
    std::env::var_os("SELVEDGE_SEEDS").is_none()
}

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
    if all_seeds() {
        tally.demand_actions(50);
    }
}

#[test]
fn random_expressions_mean_the_same() {
    let tally = on_random_programs(Kind::Expressions, 0..80, compare_steps);
    tally.agree(6);
    if all_seeds() {
        tally.demand_operators(50);
    }
}

#[test]
fn random_predicates_mean_the_same() {
    let tally = on_random_programs(Kind::Actions, 0..60, compare_predicates);
    tally.agree(2);
    if all_seeds() {
        tally.demand_operators(50);
    }
}

/// Both data models, as the front end calls them.
const MODELS: [selvedge_frontend::preprocess::DataModel; 2] =
    [selvedge_frontend::preprocess::DataModel::Lp64, selvedge_frontend::preprocess::DataModel::Ilp32];

#[test]
fn annotated_programs_mean_the_same() {
    let mut tally = Tally::default();
    let (mut tried, mut compiled) = (0, 0);
    let files = selvedge_generate::stored::c_files("tests/programs");
    for seed in seeds(0..120) {
        let mut random = Random::new(seed);
        // Far apart, so that a few seeds see all folders.
        let file = &files[(seed as usize * 61) % files.len()];
        for model in MODELS {
            tried += 1;
            let Some(program) = sources::compile_file(file, model, &mut random) else { continue };
            compiled += 1;
            let name = format!("{} for {model:?}, seed {seed}", file.display());
            for scramble in [0, 15] {
                compare_steps(&name, &program, Plan { steps: 250, often: 30, scramble }, &mut random, &mut tally);
            }
        }
    }
    tally.agree(6);
    // Some are made for one data model only.
    assert!(compiled * 10 >= tried * 8, "{compiled} of {tried} compiled");
    eprintln!("{compiled} of {tried} compiled");
}

#[test]
fn generated_programs_mean_the_same() {
    let mut tally = Tally::default();
    let (mut tried, mut compiled) = (0, 0);
    let folder = tempfile::tempdir().expect("a temporary folder");
    for seed in seeds(0..90) {
        let mut random = Random::new(seed);
        let (kind, generator) = GENERATORS[seed as usize % GENERATORS.len()];
        for model in MODELS {
            tried += 1;
            let Some(program) = sources::generated(generator, seed, model, folder.path()) else { continue };
            compiled += 1;
            let name = format!("{kind} {seed} for {model:?}");
            for scramble in [0, 15] {
                compare_steps(&name, &program, Plan { steps: 300, often: 30, scramble }, &mut random, &mut tally);
            }
        }
    }
    tally.agree(6);
    // Some are made for one data model only.
    assert!(compiled * 10 >= tried * 8, "{compiled} of {tried} compiled");
    eprintln!("{compiled} of {tried} compiled");
}

#[test]
fn an_index_may_wrap_at_the_width_of_addresses() {
    let mut assembly = Assembly::new();
    assembly.program.data_model = DataModel::Ilp32;
    let array = assembly.object("array", ObjectKind::Global, 16, 4, Shape::Opaque);
    let initial = InitialValue { offset: 0, size: 8, value: Expr::constant(64, 0x0807_0605_0403_0201) };
    assembly.program.objects[array.index()].initial.push(initial);
    assembly.function("main", Some(32), |main| {
        let index = main.register("index", 16);
        let byte = main.register("byte", 8);
        let wide = Expr::convert(Conversion::ZeroExtend, 32, index.into());
        let scaled = Expr::binary(BinaryOp::Multiply, wide, Expr::constant(32, 0x1_0001));
        // With the largest index, the product is one less than null.
        let offset = Expr::binary(BinaryOp::Add, scaled, Expr::constant(32, 4));
        let address = Expr::binary(BinaryOp::Add, Expr::address(Base::Object(array), 32), offset);
        main.load(byte, plain(address, 1));
        main.ret(Expr::constant(32, 0));
    });
    let program = assembly.program;
    let semantics = Semantics::new(&program);
    let state = semantics.initial().expect("the program starts");
    let values = vec![Some(Value::bits(16, 0xffff)), Some(Value::bits(8, 0))];
    let state = scramble::with_registers(&state, ThreadIndex(0), values);
    let objects = Objects::of(&program, &state);
    let (thread, first, telling) = (ThreadIndex(0), EdgeId(0), Telling::Whole);
    let (semantics, objects, state) = (&semantics, &objects, &state);
    let mut tally = Tally::default();
    for seed in 0..50 {
        let path = Path { semantics, objects, state, thread, first, length: 1, telling, seed };
        path.compare(&mut tally).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
    }
    assert_eq!(tally.outcomes["goes on"], 50);
}
