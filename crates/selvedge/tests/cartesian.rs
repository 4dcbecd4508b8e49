//! The engine `cartesian` as one of the portfolio: verdicts with their evidence.

use selvedge::cartesian::ExceptionSets;
use selvedge::evidence::engine::from_fn;
use selvedge::evidence::{Answer, CartesianProof, Certificate, Engine, Figure, Replicas, Scope, Task, Verdict};
use selvedge::frontend::compile::{CompileOptions, compile};
use selvedge::program::{Budget, Program, Property, Quiet, Region};
use selvedge::{CheckOptions, Checked, EngineName, check, check_with};
use std::path::Path;
use std::sync::Arc;

fn program(file: &str, label: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/cartesian").join(file);
    let mut program = compile(&[path], &CompileOptions::default()).unwrap_or_else(|error| panic!("{error}")).program;
    program.make_exclusive(&[Region::parse(label)], label).expect("there is such a label");
    program
}

/// What the engine answers.
const PROPERTIES: [Property; 3] = [Property::Assertion, Property::Race, Property::Memory];

fn named(engine: &str) -> EngineName {
    EngineName::of(engine).expect("there is such an engine")
}

fn with_threads(threads: Replicas) -> CheckOptions {
    CheckOptions { task: Task { threads, ..Task::about(&PROPERTIES) }, ..alone() }
}

fn alone() -> CheckOptions {
    CheckOptions { task: Task::about(&PROPERTIES), engines: vec![named("cartesian")], ..CheckOptions::default() }
}

fn run(program: &Program, options: &CheckOptions) -> Checked {
    check(program, options, &Budget::unlimited(), &mut Quiet)
}

fn verdicts(program: &Program, options: &CheckOptions) -> Vec<Verdict> {
    let checked = run(program, options);
    assert_eq!(checked.mistakes, []);
    checked.judgement.checks.into_iter().map(|check| check.verdict).collect()
}

#[test]
fn a_proof_has_a_cartesian_certificate() {
    let verdicts = verdicts(&program("peterson.c", "D"), &alone());
    assert!(!verdicts.is_empty());
    assert!(verdicts.iter().all(|verdict| matches!(verdict, Verdict::Safe(Certificate::Cartesian(_)))), "{verdicts:?}");
}

#[test]
fn a_false_alarm_is_unknown_and_a_bound_is_bounded() {
    let plain = CheckOptions { exception_sets: ExceptionSets { infer: false, ..ExceptionSets::default() }, ..alone() };
    let found = verdicts(&program("peterson.c", "D"), &plain);
    // What no alarm is about is proved all the same.
    assert!(found.iter().any(|verdict| verdict.word() == "unknown"), "{found:?}");
    assert!(found.iter().any(|verdict| verdict.word() == "safe"), "{found:?}");
    let two = with_threads(Replicas::AtMost(2));
    let found = verdicts(&program("sections.c", "critical1"), &two);
    assert!(!found.is_empty() && found.iter().all(|verdict| verdict.word() == "bounded"), "{found:?}");
}

#[test]
fn exception_sets_that_were_printed_prove_it_again() {
    let program = program("sections.c", "critical1");
    let any = with_threads(Replicas::Any);
    let inferred = run(&program, &any);
    assert_eq!(inferred.judgement.word(), "safe");
    let found = inferred.statistics[0].figures.iter().find_map(|(name, figure)| match figure {
        Figure::Words(text) if *name == "exception_sets" => Some(text.clone()),
        _ => None,
    });
    let given = |described: &str| CheckOptions {
        exception_sets: ExceptionSets { described: described.to_owned(), infer: false },
        ..any.clone()
    };
    let found = found.expect("there are some");
    assert_eq!(run(&program, &given(&found)).judgement.word(), "safe");
    assert_eq!(run(&program, &given("")).judgement.word(), "unknown");
    let misspelt = verdicts(&program, &given("when nowhere == 1:\n"));
    assert!(misspelt.iter().all(|verdict| verdict.word() == "unknown"), "{misspelt:?}");
}

#[test]
fn deadlocks_are_not_claimed() {
    let options = CheckOptions { task: Task::about(&[Property::Deadlock]), ..alone() };
    let verdicts = verdicts(&program("owned.c", "critical"), &options);
    assert_eq!(verdicts.iter().map(Verdict::word).collect::<Vec<_>>(), ["unknown"]);
}

#[test]
fn any_number_is_for_this_engine_alone() {
    let any = CheckOptions { engines: EngineName::all().collect(), ..with_threads(Replicas::Any) };
    let program = program("peterson.c", "D");
    // No function of it is started more than once.
    assert!(verdicts(&program, &any).iter().all(|verdict| verdict.word() == "unknown"));
    for name in [named("explicit"), named("interference")] {
        let without = CheckOptions { engines: vec![name], ..any.clone() };
        assert!(verdicts(&program, &without).iter().all(|verdict| verdict.word() == "unknown"));
        assert_eq!(name.with(&any).properties(), []);
    }
}

/// Claims to have proved everything it is asked.
fn claimant(properties: Vec<Property>, proof: Arc<CartesianProof>) -> Box<dyn Engine> {
    from_fn("claimant", properties, move |_, _, _, findings| {
        findings.proved(&Scope::Rest, Certificate::Cartesian(proof.clone()));
        Ok(Answer::default())
    })
}

#[test]
fn what_the_checker_does_not_accept_does_not_count() {
    let program = program("peterson.c", "D");
    let proof = verdicts(&program, &alone()).into_iter().find_map(|verdict| match verdict {
        Verdict::Safe(Certificate::Cartesian(proof)) => Some(proof),
        _ => None,
    });
    let proof = proof.expect("it is proved");
    let try_it = |properties: Vec<Property>, proof: &Arc<CartesianProof>| {
        let options = CheckOptions { task: Task::about(&properties), ..alone() };
        let engines = vec![claimant(properties, proof.clone())];
        let checked = check_with(&program, engines, &options, &Budget::unlimited(), &mut Quiet);
        (checked.judgement.word(), checked.mistakes.len())
    };
    assert_eq!(try_it(PROPERTIES.to_vec(), &proof), ("safe", 0));
    assert_eq!(try_it(vec![Property::Race, Property::Deadlock], &proof), ("unknown", 1));
    let bounded = Arc::new(CartesianProof { bound: Some(2), ..(*proof).clone() });
    assert_eq!(try_it(PROPERTIES.to_vec(), &bounded), ("unknown", 1));
    let mut less = (*proof).clone();
    less.shared.iter_mut().for_each(Vec::clear);
    assert_eq!(try_it(PROPERTIES.to_vec(), &Arc::new(less)), ("unknown", 1));
}
