//! Verdicts on the C programs of `bench/cartesian`, and the text form of exception sets.

use selvedge_cartesian::{Found, Options, analyse, text};
use selvedge_evidence::cartesian::{Rejected, certify};
use selvedge_evidence::modular::Shown;
use selvedge_evidence::{CartesianProof, Replicas, Subject};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_program::trace::replay;
use selvedge_program::{Budget, Program, Quiet, Region};
use std::collections::BTreeSet;

fn program(file: &str, exclusive: &[&str]) -> Program {
    let path = format!("{}/../../bench/cartesian/{file}", env!("CARGO_MANIFEST_DIR"));
    compile(&std::fs::read_to_string(path).expect("the program is there"), exclusive)
}

fn compile(source: &str, exclusive: &[&str]) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("program.c");
    std::fs::write(&path, source).expect("the temporary folder is writable");
    let source = Source { path, preprocess: Default::default() };
    let compiled = compile_sources(&[source], &CompileOptions::default());
    let mut program = compiled.unwrap_or_else(|error| panic!("{error}")).program;
    if !exclusive.is_empty() {
        let regions: Vec<Region> = exclusive.iter().map(|region| Region::parse(region)).collect();
        program.make_exclusive(&regions, "critical").expect("there are such labels");
    }
    assert_eq!(program.validate(), Ok(()));
    program
}

fn run(program: &Program, options: &Options) -> Found {
    analyse(program, options, &Budget::unlimited(), &mut Quiet)
}

fn is_proof(findings: &Found) -> bool {
    findings.proof.is_some() && findings.open.is_empty() && findings.violations.is_empty()
}

fn with_threads(threads: Replicas) -> Options {
    let mut options = Options::default();
    options.task.threads = threads;
    options
}

fn without_inference() -> Options {
    Options { infer: false, ..Options::default() }
}

#[test]
fn algorithms_for_mutual_exclusion_are_proved_with_inferred_exceptions() {
    for (file, label) in
        [("peterson.c", "D"), ("dekker.c", "critical"), ("szymanski.c", "critical"), ("bakery.c", "critical")]
    {
        let program = program(file, &[label]);
        let plain = run(&program, &without_inference());
        assert!(!plain.open.is_empty(), "{file}: products alone do not do");
        assert!(plain.violations.is_empty(), "{file}: a false alarm is no violation");
        let inferred = run(&program, &Options::default());
        assert!(is_proof(&inferred), "{file}: {:?} {:?}", inferred.open, inferred.obstacles);
        assert!(inferred.exceptions.contains("when "), "{file}: the exceptions are shown");
    }
}

#[test]
fn readers_and_writers_are_proved() {
    let findings = run(&program("readers_writers.c", &[]), &Options::default());
    assert!(is_proof(&findings), "{:?} {:?}", findings.open, findings.obstacles);
}

#[test]
fn any_number_of_threads_exclude_each_other() {
    let program = program("sections.c", &["critical1"]);
    assert!(!run(&program, &without_inference()).open.is_empty());
    for replicas in [Replicas::AsStarted, Replicas::Any] {
        let findings = run(&program, &with_threads(replicas));
        assert!(is_proof(&findings) && findings.bound.is_none(), "{:?} {:?}", findings.open, findings.obstacles);
    }
    let mut sizes = Vec::new();
    for most in [2, 3, 100_000] {
        let findings = run(&program, &with_threads(Replicas::AtMost(most)));
        assert!(is_proof(&findings) && findings.bound == Some(most), "{:?} {:?}", findings.open, findings.obstacles);
        sizes.push((findings.statistics.shared, findings.statistics.locals));
    }
    assert_eq!(sizes[1], sizes[2], "the states do not depend on the number of threads");
}

#[test]
fn the_owner_of_a_mutex_needs_no_exceptions() {
    let findings = run(&program("owned.c", &["critical"]), &without_inference());
    assert!(is_proof(&findings), "{:?} {:?}", findings.open, findings.obstacles);
}

#[test]
fn exceptions_can_be_described() {
    let program = program("sections.c", &["critical1"]);
    let described = "
        # Whoever has the lock is alone with it.
        when lck == 1:
            exactly one worker in { line 16 | line 17 | line 18 | critical1 | line 22 | line 23 | line 24 }
        when always:
            at most one worker in { line 15 | line 16 | line 17 | line 18 }
    ";
    let lines = text::parse(&program, described);
    assert!(lines.is_ok(), "{lines:?}");
    for (wrong, message) in [
        ("when lk == 1:", "line 1: the program has no shared variable `lk`"),
        ("when lck == 1:\n  exactly one worker at critical7", "line 2: the program has no label `critical7`"),
        ("when lck == 1:\n  exactly one walker at critical1", "line 2: the program has no function `walker`"),
        ("exactly one worker at critical1", "line 1: a product must stand under a line `when …:`"),
        ("when lck = 1:", "line 1: `=` has no meaning here"),
        ("when lck == x:", "line 1: expected a number, found `x`"),
        (
            "when lck == 1:\n  exactly one worker at critical1 with zz == 1",
            "line 2: no function has a local variable `zz` whose address is not taken",
        ),
    ] {
        let error = text::parse(&program, wrong).expect_err(wrong);
        assert_eq!(error.to_string(), message);
    }
}

/// Section 5 of the paper in C, with its exception set in two lines.
#[test]
fn a_described_exception_set_proves_any_number_of_threads() {
    let source = "
        #include <pthread.h>
        #include <stdatomic.h>
        atomic_bool lck;
        void *worker(void *arg) {
            for (;;) {
                while (atomic_exchange(&lck, 1)) { }
            critical:
                lck = 0;
            }
        }
        int main(void) {
            for (;;) { pthread_t t; pthread_create(&t, 0, worker, 0); }
        }";
    let program = compile(source, &["critical"]);
    assert!(!run(&program, &without_inference()).open.is_empty(), "products alone do not do");
    for (described, proves) in [
        ("when lck == 1:\n exactly one worker at critical", true),
        ("when lck != 0:\n at most one worker in { critical }", true),
        ("when always:\n one worker at critical; others worker not at critical\n every worker not at critical", true),
        ("when lck == 0:\n exactly one worker at critical", false),
    ] {
        let exceptions = text::parse(&program, described).expect("it is in the form");
        let findings = run(&program, &Options { exceptions, ..without_inference() });
        assert_eq!(is_proof(&findings), proves, "{described}: {:?} {:?}", findings.open, findings.obstacles);
        assert!(findings.violations.is_empty());
    }
}

#[test]
fn what_is_printed_can_be_read_and_proves_the_same() {
    for (file, label) in
        [("peterson.c", "D"), ("dekker.c", "critical"), ("bakery.c", "critical"), ("sections.c", "critical1")]
    {
        let program = program(file, &[label]);
        let inferred = run(&program, &Options::default());
        let exceptions = text::parse(&program, &inferred.exceptions).unwrap_or_else(|error| panic!("{file}: {error}"));
        let again = run(&program, &Options { exceptions, ..without_inference() });
        assert!(is_proof(&again), "{file}: {:?} {:?}\n{}", again.open, again.obstacles, inferred.exceptions);
    }
}

#[test]
fn a_broken_lock_is_refuted_with_any_number_of_threads() {
    let source = "
        #include <pthread.h>
        #include <stdatomic.h>
        atomic_bool lck;
        void *worker(void *arg) {
            for (;;) {
                while (lck) { }
                lck = 1;
            critical:
                lck = 0;
            }
        }
        int main(void) {
            for (;;) { pthread_t t; pthread_create(&t, 0, worker, 0); }
        }";
    let program = compile(source, &["critical"]);
    let findings = run(&program, &Options::default());
    let violation = findings.violations.iter().find(|violation| matches!(violation.subject, Subject::Race(_)));
    let violation = violation.expect("two threads are in the critical section");
    assert!(replay(&program, &violation.trace).is_ok());
}

#[test]
fn a_domain_too_large_is_named() {
    let source = "
        #include <pthread.h>
        #include <stdatomic.h>
        atomic_uint ticks;
        void *worker(void *arg) { for (;;) ticks++; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, worker, 0);
            for (;;) if (ticks > 1000000000u) __VERIFIER_error();
        }";
    let program = compile(source, &[]);
    let findings = run(&program, &Options { max_states: 3000, search: 3000, ..Options::default() });
    assert!(findings.proof.is_none());
    assert!(
        findings.obstacles.iter().any(|obstacle| obstacle.message(&program).contains("`ticks`")),
        "{:?}",
        findings.obstacles
    );
}

#[test]
fn a_tampered_certificate_is_rejected() {
    let program = program("peterson.c", &["D"]);
    let findings = run(&program, &Options::default());
    let proof = findings.proof.expect("there is a proof");
    let shown = Shown { assertions: &|_| true, races: &|_| true, undefined: &|_| true };
    let certify = |proof: &CartesianProof| certify(&program, proof, &shown, &Budget::unlimited());
    assert_eq!(certify(&proof), Ok(()));
    let mut rejected = 0;
    for shared in 0..proof.shared.len() {
        for product in 0..proof.shared[shared].len() {
            for component in 0..proof.shared[shared][product].len() {
                for local in proof.shared[shared][product][component].slots[0].clone() {
                    let mut less = (*proof).clone();
                    less.shared[shared][product][component].slots[0].remove(&local);
                    rejected += usize::from(certify(&less).is_err());
                }
            }
        }
    }
    assert!(rejected > 10, "taking states away makes it no invariant: {rejected}");
    let mut empty = (*proof).clone();
    empty.shared.iter_mut().for_each(Vec::clear);
    assert!(certify(&empty).is_err());
    let mut too_much = (*proof).clone();
    let all: BTreeSet<u32> = proof.shared.iter().flatten().flatten().flat_map(|group| group.slots[0].clone()).collect();
    for group in too_much.shared.iter_mut().flatten().flatten() {
        group.slots[0] = all.clone();
    }
    let refused = certify(&too_much);
    assert!(
        matches!(refused, Err(Rejected::Unsafe { .. } | Rejected::NotInductive { .. } | Rejected::Malformed(_))),
        "{refused:?}"
    );
}
