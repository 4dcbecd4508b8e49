//! The paper's figures as C programs (`tests/programs/interference/`): their outcomes by this engine alone, in all
//! modes, and what the paper says about the abstractions that suffice.

use std::collections::BTreeSet;
use std::path::Path;

use selvedge_evidence::{AtomicLines, Certificate, Notebook, Subject, Task};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_interference::{Options, check};
use selvedge_interleaving::skeleton::{CellId, Goal};
use selvedge_interleaving::unroll::claims::Claim;
use selvedge_interleaving::unroll::{Bounds, Unrolled, unroll};
use selvedge_interleaving::{GoalId, Mode, Outcome, RefineOptions, Refiner, Statistics};
use selvedge_program::{Budget, FileId, Program, Property, Quiet, Undefined};

fn program(name: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/interference").join(name);
    let source = Source { path, preprocess: Default::default() };
    compile_sources(&[source], &CompileOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}")).program
}

/// What is violated of a property, in every mode, and nothing else of it: the rest is proved by refutations that can be
/// followed.
fn violated(name: &str, options: &Options) -> BTreeSet<Subject> {
    let program = program(name);
    let mut said: Vec<BTreeSet<Subject>> = Vec::new();
    for mode in Mode::ALL {
        let notebook = Notebook::new();
        let options = Options { mode, ..options.clone() };
        let answer = check(&program, &options, &Budget::unlimited(), &mut Quiet, &notebook).unwrap();
        assert!(answer.is_complete(), "{name}, {mode}: {:?}", answer.gaps);
        let noted = notebook.noted();
        assert!(!noted.proofs.is_empty(), "{name}, {mode}: the rest is proved");
        for (_, certificate) in &noted.proofs {
            let Certificate::Refutation { proof, .. } = certificate else { panic!("{name}, {mode}: {certificate:?}") };
            selvedge_logic::proof::check(proof).unwrap();
        }
        said.push(noted.violations.iter().map(|violation| violation.subject).collect());
    }
    assert!(said.iter().all(|subjects| *subjects == said[0]), "{name}: {said:?}");
    said.swap_remove(0)
}

fn only(property: Property) -> Options {
    Options { task: Task::about(&[property]), ..Options::default() }
}

/// Asks for one kind of goals; how it comes out, what it took, and the cells of R.
fn refine(name: &str, mode: Mode, wanted: impl Fn(&Claim, &Program) -> bool) -> (Outcome, Statistics, Vec<CellId>) {
    let program = program(name);
    let unrolled = unroll(&program, &Bounds::default(), &Budget::unlimited()).unwrap();
    let Unrolled { mut skeleton, asked, .. } = unrolled;
    let goals: Vec<GoalId> =
        (0..asked.len()).filter(|&goal| wanted(&asked[goal].claim, &program)).map(GoalId::new).collect();
    assert!(!goals.is_empty(), "{name}: there is such a goal");
    let mut refiner = Refiner::new(&mut skeleton, RefineOptions { mode }).unwrap();
    let outcome = refiner.ask(&goals, &Budget::unlimited(), &mut Quiet).unwrap();
    let cells = refiner.readings().map(|(read, _)| refiner.skeleton().read(read).cell).collect();
    (outcome, refiner.statistics(), cells)
}

#[test]
fn the_final_assertion_can_fail() {
    assert_eq!(violated("exchanged.c", &only(Property::Assertion)).len(), 1);
    assert!(violated("exchanged_holds.c", &only(Property::Assertion)).is_empty());
}

#[test]
fn the_locks_alone_exclude_a_race() {
    assert!(violated("locks_alone.c", &only(Property::Race)).is_empty());
    assert_eq!(violated("locks_alone_bug.c", &only(Property::Race)).len(), 1);
    for mode in [Mode::Over, Mode::Mixed] {
        let program = program("locks_alone.c");
        let unrolled = unroll(&program, &Bounds::default(), &Budget::unlimited()).unwrap();
        let (outcome, _, cells) = refine(
            "locks_alone.c",
            mode,
            |claim, program| matches!(claim, Claim::Violation(Subject::Race(object)) if object.is_named(program, "z")),
        );
        assert!(matches!(outcome, Outcome::Refuted(_)), "{mode}");
        let data = |cell: &&CellId| !unrolled.skeleton.cell(**cell).synchronisation;
        assert!(!unrolled.skeleton.reads.iter().all(|read| unrolled.skeleton.cell(read.cell).synchronisation));
        assert_eq!(cells.iter().find(data), None, "{mode}: no read of x, y or z is in R");
    }
}

#[test]
fn the_double_unlock_is_found_in_a_serial_execution() {
    let twice = |subject: &Subject| matches!(subject, Subject::Memory(_, _, Undefined::UnlockNotHeld));
    let found = violated("double_unlock.c", &only(Property::Memory));
    assert!(found.len() == 1 && found.iter().all(twice), "{found:?}");
    assert!(violated("double_unlock_fixed.c", &only(Property::Memory)).is_empty());
    for mode in [Mode::Under, Mode::Mixed] {
        let (outcome, statistics, _) = refine("double_unlock.c", mode, |claim, _| {
            matches!(claim, Claim::Violation(Subject::Memory(_, _, Undefined::UnlockNotHeld)))
        });
        assert!(matches!(outcome, Outcome::Execution(_)), "{mode}");
        assert_eq!(statistics.widened, 0, "{mode}: no read has to see another thread");
    }
}

#[test]
fn the_null_dereference_needs_interference() {
    let null = |subject: &Subject| matches!(subject, Subject::Memory(_, _, Undefined::NullDereference));
    let found = violated("null_dereference.c", &only(Property::Memory));
    assert!(found.len() == 1 && found.iter().all(null), "{found:?}");
    assert!(violated("null_dereference_locked.c", &only(Property::Memory)).is_empty());
    let (outcome, statistics, _) = refine("null_dereference.c", Mode::Under, |claim, _| {
        matches!(claim, Claim::Violation(Subject::Memory(_, _, Undefined::NullDereference)))
    });
    assert!(matches!(outcome, Outcome::Execution(_)));
    assert!(statistics.widened > 0, "no serial execution is wrong");
}

/// The test on one line and the use on the next are to be atomic: which they are under the lock only.
#[test]
fn the_null_dereference_is_an_atomicity_violation() {
    let asked = |first, second| Options {
        task: Task {
            atomic: vec![AtomicLines { file: FileId(0), first, second }],
            ..Task::about(&[Property::Atomicity])
        },
        ..Options::default()
    };
    assert_eq!(violated("null_dereference.c", &asked(12, 13)).len(), 1);
    assert!(violated("null_dereference_locked.c", &asked(12, 13)).is_empty());
}

#[test]
fn inconsistent_matches_of_two_pairs_are_refuted() {
    let all = Options::default();
    assert!(violated("two_pairs.c", &all).is_empty());
    assert_eq!(violated("two_pairs_bug.c", &all).len(), 1);
    let assertion = |claim: &Claim, _: &Program| matches!(claim, Claim::Violation(Subject::Assertion(_)));
    for mode in [Mode::Over, Mode::Mixed] {
        let (outcome, statistics, _) = refine("two_pairs.c", mode, assertion);
        assert!(matches!(outcome, Outcome::Refuted(_)), "{mode}");
        assert!(statistics.size.blocks > 0, "{mode}: the lemma about lock blocks orders the pairs");
    }
    let skeleton = unroll(&program("two_pairs.c"), &Bounds::default(), &Budget::unlimited()).unwrap().skeleton;
    assert!(skeleton.goals.iter().any(|goal| matches!(goal, Goal::Deadlock)));
}
