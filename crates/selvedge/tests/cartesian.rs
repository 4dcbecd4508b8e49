//! The engine `cartesian` as one of the portfolio: verdicts with their evidence.

use selvedge::analysis::Facts;
use selvedge::cartesian::Replicas;
use selvedge::evidence::{Answer, CartesianProof, Certificate, Figure, Findings, InternalError, Scope, Verdict};
use selvedge::frontend::compile::{CompileOptions, compile};
use selvedge::program::{Budget, Program, Progress, Property, Quiet, Region};
use selvedge::{CheckOptions, Checked, Engine, EngineName, check, check_with};
use std::path::Path;
use std::sync::Arc;

fn program(file: &str, label: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/cartesian").join(file);
    let mut program = compile(&[path], &CompileOptions::default()).unwrap_or_else(|error| panic!("{error}")).program;
    program.make_exclusive(&[Region::parse(label)], label).expect("there is such a label");
    program
}

fn alone() -> CheckOptions {
    let properties = vec![Property::Assertion, Property::Race, Property::Memory];
    CheckOptions { properties, engines: vec![EngineName::Cartesian], ..CheckOptions::default() }
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
    let plain = CheckOptions { infer: false, ..alone() };
    let found = verdicts(&program("peterson.c", "D"), &plain);
    // What no alarm is about is proved all the same.
    assert!(found.iter().any(|verdict| verdict.word() == "unknown"), "{found:?}");
    assert!(found.iter().any(|verdict| verdict.word() == "safe"), "{found:?}");
    let two = CheckOptions { threads: Replicas::AtMost(2), ..alone() };
    let found = verdicts(&program("sections.c", "critical1"), &two);
    assert!(!found.is_empty() && found.iter().all(|verdict| verdict.word() == "bounded"), "{found:?}");
}

#[test]
fn exception_sets_that_were_printed_prove_it_again() {
    let program = program("sections.c", "critical1");
    let any = CheckOptions { threads: Replicas::Any, ..alone() };
    let inferred = run(&program, &any);
    assert_eq!(inferred.judgement.word(), "safe");
    let found = inferred.statistics[0].figures.iter().find_map(|(name, figure)| match figure {
        Figure::Words(text) if *name == "exception_sets" => Some(text.clone()),
        _ => None,
    });
    let given = |exceptions| CheckOptions { infer: false, exceptions, ..any.clone() };
    assert!(found.is_some());
    assert_eq!(run(&program, &given(found)).judgement.word(), "safe");
    assert_eq!(run(&program, &given(None)).judgement.word(), "unknown");
    let misspelt = verdicts(&program, &given(Some("when nowhere == 1:\n".to_owned())));
    assert!(misspelt.iter().all(|verdict| verdict.word() == "unknown"), "{misspelt:?}");
}

#[test]
fn deadlocks_are_not_claimed() {
    let options = CheckOptions { properties: vec![Property::Deadlock], ..alone() };
    let verdicts = verdicts(&program("owned.c", "critical"), &options);
    assert_eq!(verdicts.iter().map(Verdict::word).collect::<Vec<_>>(), ["unknown"]);
}

#[test]
fn any_number_is_for_this_engine_alone() {
    let any = CheckOptions { threads: Replicas::Any, engines: EngineName::ALL.to_vec(), ..alone() };
    let program = program("peterson.c", "D");
    // No function of it is started more than once.
    assert!(verdicts(&program, &any).iter().all(|verdict| verdict.word() == "unknown"));
    for name in [EngineName::Explicit, EngineName::Interference] {
        let without = CheckOptions { engines: vec![name], ..any.clone() };
        assert!(verdicts(&program, &without).iter().all(|verdict| verdict.word() == "unknown"));
        assert_eq!(name.with(&any).properties(), []);
    }
}

/// Claims to have proved everything it is asked.
struct Claimant {
    properties: Vec<Property>,
    proof: Arc<CartesianProof>,
}

impl Engine for Claimant {
    fn name(&self) -> &'static str {
        "claimant"
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn check(
        &self,
        _facts: &Facts,
        _budget: &Budget,
        _progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError> {
        findings.proved(&Scope::Rest, Certificate::Cartesian(self.proof.clone()));
        Ok(Answer::default())
    }
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
        let options = CheckOptions { properties: properties.clone(), ..alone() };
        let engines: Vec<Box<dyn Engine>> = vec![Box::new(Claimant { properties, proof: proof.clone() })];
        let checked = check_with(&program, engines, &options, &Budget::unlimited(), &mut Quiet);
        (checked.judgement.word(), checked.mistakes.len())
    };
    assert_eq!(try_it(alone().properties, &proof), ("safe", 0));
    assert_eq!(try_it(vec![Property::Race, Property::Deadlock], &proof), ("unknown", 1));
    let bounded = Arc::new(CartesianProof { bound: Some(2), ..(*proof).clone() });
    assert_eq!(try_it(alone().properties, &bounded), ("unknown", 1));
    let mut less = (*proof).clone();
    less.shared.iter_mut().for_each(|shared| shared.products.clear());
    assert_eq!(try_it(alone().properties, &Arc::new(less)), ("unknown", 1));
}
