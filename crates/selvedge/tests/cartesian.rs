//! The engine `cartesian` through the library: verdicts with their evidence.

use selvedge::cartesian_engine::{Options, Replicas};
use selvedge::check_cartesian;
use selvedge::evidence::{Certificate, Verdict};
use selvedge::frontend::compile::{CompileOptions, compile};
use selvedge::program::{Budget, Program, Property, Quiet, Region};
use std::path::Path;

fn program(file: &str, label: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/cartesian").join(file);
    let mut program = compile(&[path], &CompileOptions::default()).unwrap_or_else(|error| panic!("{error}")).program;
    program.make_exclusive(&[Region::parse(label)], label).expect("there is such a label");
    program
}

fn verdicts(program: &Program, options: &Options) -> Vec<Verdict> {
    let checked = check_cartesian(program, options, &Budget::unlimited(), &mut Quiet);
    let (judgement, _) = checked.expect("no internal error");
    judgement.checks.into_iter().map(|check| check.verdict).collect()
}

#[test]
fn a_proof_has_a_cartesian_certificate() {
    let verdicts = verdicts(&program("peterson.c", "D"), &Options::default());
    assert!(!verdicts.is_empty());
    assert!(verdicts.iter().all(|verdict| matches!(verdict, Verdict::Safe(Certificate::Cartesian(_)))), "{verdicts:?}");
}

#[test]
fn a_false_alarm_is_unknown_and_a_bound_is_bounded() {
    let plain = Options { infer: false, ..Options::default() };
    assert!(verdicts(&program("peterson.c", "D"), &plain).iter().any(|verdict| verdict.word() == "unknown"));
    let two = Options { replicas: Replicas::AtMost(2), ..Options::default() };
    assert!(verdicts(&program("sections.c", "critical1"), &two).iter().all(|verdict| verdict.word() == "bounded"));
}

#[test]
fn deadlocks_are_not_claimed() {
    let options = Options { properties: vec![Property::Deadlock], ..Options::default() };
    let verdicts = verdicts(&program("owned.c", "critical"), &options);
    assert_eq!(verdicts.iter().map(Verdict::word).collect::<Vec<_>>(), ["unknown"]);
}

#[test]
fn any_number_needs_a_function_that_is_started_more_than_once() {
    let any = Options { replicas: Replicas::Any, ..Options::default() };
    assert!(verdicts(&program("peterson.c", "D"), &any).iter().all(|verdict| verdict.word() == "unknown"));
}
