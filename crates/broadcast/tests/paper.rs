//! The programs and statements of the paper's Section 2, and small protocols whose answers are known.

use selvedge_broadcast::check::{check_any, check_counted};
use selvedge_broadcast::counter::{self, Counted};
use selvedge_broadcast::coverability::{self, Answer};
use selvedge_broadcast::{Instance, System, plain, text};

fn system(source: &str) -> System {
    let program = text::parse(source).unwrap_or_else(|error| panic!("{}", error.show("test", source)));
    System::new(program).unwrap()
}

/// That no assertion fails for any number of threads, with a proof that is accepted, and none for one to four.
fn check_safe(source: &str) {
    let system = system(source);
    match coverability::search(&system, &mut || true).unwrap().answer {
        Answer::Safe(proof) => assert_eq!(check_any(&system, &proof), Ok(())),
        other => panic!("{other:?}"),
    }
    check_safe_counted(&system);
}

/// That no assertion fails for one to four threads, with proofs that are accepted.
fn check_safe_counted(system: &System) {
    for many in 1..=4 {
        match counter::search(system, &Instance::of(many), &mut || true).unwrap() {
            Counted::Safe(proof) => assert_eq!(check_counted(system, &proof), Ok(())),
            Counted::Unsafe(path) => panic!("{path:?}"),
        }
    }
}

/// That an assertion fails with this number of threads in all, by a run that plain semantics accepts, and not with fewer.
fn check_unsafe(source: &str, threads: usize) {
    let system = system(source);
    match coverability::search(&system, &mut || true).unwrap().answer {
        Answer::Unsafe(path) => {
            let trace = path.trace();
            assert!(plain::accepts(&system, &trace));
            assert_eq!(trace.states.last().unwrap().threads.len(), threads);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_unsound_abstractions_miss_the_errors() {
    check_safe("0: local bool b = 1; 1: assert b; 2: b = b ? * : 1;");
    check_safe(
        "0: shared bool b = 1; shared bool t = 0;
         1: if (*) { 2: if (t) { 3: assert !b; } }
         4: b = 0; 5: t = 1;",
    );
}

#[test]
fn a_notification_finds_the_error() {
    check_unsafe("local b = 1; 1: assert b; 2: a.b := b ? * : 1 notify p {p.b := p.b ? * : 1};", 2);
}

#[test]
fn the_second_statement_is_more_precise_than_the_first() {
    let program = |constraint: &str| format!("local b = 1; 1: havoc {{all(b)}} constrain {constraint}; 2: assert a.b;");
    check_unsafe(&program("a.b'"), 2);
    // As printed, it says nothing where there is no passive thread, not even of the active one (Fig. 3).
    check_unsafe(&program("∀p ≠ a. a.b' ∧ (a.b ∧ p.b ⇒ p.b') ∧ (a.b ⊕ p.b ⇒ ¬p.b')"), 1);
    check_safe(&program("a.b' constrain ∀p ≠ a. (a.b ∧ p.b ⇒ p.b') ∧ (a.b ⊕ p.b ⇒ ¬p.b')"));
}

#[test]
fn the_fourth_statement_is_more_precise_than_the_third() {
    let program = |constraint: &str| {
        format!(
            "thread holder[1] {{ local b = 1, c = 1; }}
             thread reader[n] {{ local b = 0, c = 1; 1: havoc {{a.b, a.c}} constrain {constraint}; 2: assert a.c; }}"
        )
    };
    check_unsafe(&program("a.b' ∧ (a.b ∧ a.c ⇒ a.c')"), 2);
    let precise = system(&program("∀≠ {a, p: holder}. a.b' ∧ (((a.b ∧ a.c) ∨ (p.b ∧ p.c)) ⇒ a.c')"));
    check_safe_counted(&precise);
    // The holder is always there, which the over-approximation for any number of readers does not use.
    let covered = coverability::search(&precise, &mut || true).unwrap();
    assert!(matches!(covered.answer, Answer::Blocked(..)) && !covered.is_exact);
}

#[test]
fn a_constraint_on_two_passive_threads() {
    // A third thread is needed for the constraint to say anything, and then it forbids the step.
    check_unsafe("local b = 0; 1: havoc {a.b}; 2: assume forall {a, p, q}. p.b != q.b; 3: assert 0;", 1);
    check_safe("local b = 0; 1: assert forall {a, p, q}. !(p.b & q.b); 2: end;");
    check_unsafe("local b = 0; 1: b := 1; 2: assert forall {a, p, q}. !(a.b & p.b & q.b & p@2);", 3);
}

#[test]
fn a_path_that_a_passive_thread_forbids_is_told() {
    // `main` forbids the step and is always there.
    let system = system(
        "thread main[1] { local m = 1; }
         thread worker[n] { 1: assume forall {a, p: main}. !p.m; 2: assert 0; }",
    );
    let covered = coverability::search(&system, &mut || true).unwrap();
    assert!(!covered.is_exact);
    match covered.answer {
        Answer::Blocked(steps, blocked) => assert_eq!((steps.len(), blocked), (1, 0)),
        other => panic!("{other:?}"),
    }
    assert!(matches!(counter::search(&system, &Instance::of(3), &mut || true), Ok(Counted::Safe(_))));
}

#[test]
fn started_threads_and_atomic_sections() {
    let program = |begin: &str, end: &str| {
        format!(
            "shared lock = 0, busy = 0;
             thread main[1] {{ 1: start worker; 2: goto 1, end; }}
             thread worker[0] {{ {begin} assume !lock; lock := 1; {end} assert !busy; busy := 1; busy := 0; lock := 0; }}"
        )
    };
    let safe = system(&program("atomic_begin;", "atomic_end;"));
    match coverability::search(&safe, &mut || true).unwrap().answer {
        Answer::Safe(proof) => assert_eq!(check_any(&safe, &proof), Ok(())),
        other => panic!("{other:?}"),
    }
    // With a limit to the threads, the answer says that executions have been left out.
    match counter::search(&safe, &Instance { many: 0, most: 4 }, &mut || true).unwrap() {
        Counted::Safe(proof) => assert!(proof.is_cut && check_counted(&safe, &proof).is_ok()),
        Counted::Unsafe(path) => panic!("{path:?}"),
    }
    check_unsafe(&program("", ""), 3);
}

#[test]
fn a_search_stops_when_told_to() {
    let system = system("local b; 1: havoc {all(b)}; 2: goto 1;");
    assert!(counter::search(&system, &Instance::of(3), &mut || false).is_err());
    assert!(coverability::search(&system, &mut || false).is_err());
    assert!(plain::search(&system, &Instance::of(3), &mut || false).is_err());
}

#[test]
fn configurations_of_a_lock_grow_polynomially() {
    let system = system(
        "shared lock = 0, busy = 0;
         1: lock := 1 constrain !lock; 2: assert !busy; 3: busy := 1; 4: busy := 0; 5: lock := 0;",
    );
    // k threads are done and at most one of the others is between 2 and 5: with none there, n + 1; with one, 4n.
    for many in [1, 2, 8, 64] {
        match counter::search(&system, &Instance::of(many), &mut || true).unwrap() {
            Counted::Safe(proof) => assert_eq!(proof.configurations.len() as u32, 5 * many + 1),
            Counted::Unsafe(path) => panic!("{path:?}"),
        }
    }
}
