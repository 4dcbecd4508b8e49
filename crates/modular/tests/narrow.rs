//! Programs looked at as if they were large: first which locks are held, all at once, then each check by its slice. What
//! is proved so is certified, and what is not is neither wrong nor a mistake of the engine's.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use selvedge_analysis::Facts;
use selvedge_evidence::modular::Claims;
use selvedge_evidence::{Certificate, Counterexample, Notebook, Noted, Scope, Subject};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources, compile_text};
use selvedge_generate::{GENERATORS, seeds};
use selvedge_modular::{Options, check};
use selvedge_program::{Budget, Program, Property, Quiet};

fn compile(name: &str) -> Program {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/modular").join(name);
    let source = Source { path, preprocess: Default::default() };
    compile_sources(&[source], &CompileOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}")).program
}

/// What the engine tells of a program that it takes for a large one.
fn told(program: &Program, properties: &[Property], budget: &Budget) -> Noted {
    let notebook = Notebook::new();
    let facts = Facts::new(Arc::new(program.clone()), Budget::unlimited());
    let options = Options { properties: properties.to_vec(), large: 0, ..Options::default() };
    check(&facts, &options, budget, &mut Quiet, &notebook).expect("the engine makes no mistake");
    notebook.noted()
}

/// That everything told has evidence.
fn has_evidence(name: &str, program: &Program, noted: &Noted) {
    for (scope, certificate) in &noted.proofs {
        let Certificate::Modular(proof) = certificate else { continue };
        let claims = Claims::of(scope).unwrap_or_else(|| panic!("{name}: {scope:?}"));
        let certified = claims.certify(program, proof, &Budget::unlimited());
        assert!(certified.is_ok(), "{name}: {scope:?}: {certified:?}");
    }
    for violation in &noted.violations {
        assert!(Counterexample::new(program, violation.clone()).is_ok(), "{name}: {:?}", violation.subject);
    }
}

#[test]
fn what_locks_decide_is_proved_at_once() {
    for name in ["bank.c", "simple.c", "spin_lock.c", "state_variable.c", "test_and_set.c", "two_locks.c"] {
        let program = compile(name);
        let noted = told(&program, &[Property::Race], &Budget::unlimited());
        has_evidence(name, &program, &noted);
        assert!(noted.has_proved(Property::Race), "{name}");
    }
}

#[test]
fn races_are_found_with_schedules() {
    for name in ["bank_no_lock_bug.c", "spin_lock_unlocked_bug.c", "simple_bug.c", "two_locks_no_lock_bug.c"] {
        let program = compile(name);
        let noted = told(&program, &[Property::Race], &Budget::unlimited());
        has_evidence(name, &program, &noted);
        let is_race = |subject: &Subject| matches!(subject, Subject::Race(_));
        assert!(noted.violations.iter().any(|violation| is_race(&violation.subject)), "{name}");
        let is_whole = |(scope, _): &(Scope, Certificate)| scope.is_all_of(Property::Race);
        assert!(!noted.proofs.iter().any(is_whole), "{name}");
    }
}

/// Random programs; `SELVEDGE_SEEDS=FIRST..LAST` asks for other ones than the few that run by default.
#[test]
fn what_is_told_of_random_programs_has_evidence() {
    for (kind, generate) in GENERATORS {
        for seed in seeds(0..3) {
            let text = generate(seed);
            if text.contains("#include") {
                continue;
            }
            let name = format!("{kind}-{seed}.c");
            let Ok(compiled) = compile_text(&name, &text, &CompileOptions::default()) else { continue };
            let budget = Budget::unlimited().with_time(Duration::from_millis(500));
            let noted = told(&compiled.program, &[Property::Assertion, Property::Race], &budget);
            has_evidence(&name, &compiled.program, &noted);
        }
    }
}
