//! Our versions of the programs of paper 004's Table 1: proved by the engine alone for any number of threads and for
//! given numbers of them, with certificates that the checker accepts; and never proved of their broken twins.

mod common;

use std::path::{Path, PathBuf};
use std::time::Duration;

use common::{ASKED, checked, compile, program, proof_of, told_within};
use selvedge_evidence::{Counterexample, Gap, SymmetricProof};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_program::{Budget, Program, Property};

/// Those for any number of equal threads, with their broken twins.
const PARAMETRIC: [(&str, &str); 14] = [
    ("inc_lock", "no_lock"),
    ("inc_cas", "two_steps"),
    ("inc_dec_lock", "late"),
    ("inc_dec_cas", "late"),
    ("test_and_set", "if"),
    ("ticket", "too_many"),
    ("random_lock", "early"),
    ("random_cas", "above"),
    ("max_lock", "no_lock"),
    ("max_cas", "seen_late"),
    ("max_local_lock", "no_lock"),
    ("max_local_cas", "exchanged"),
    ("mixed", "second"),
    ("spin", "early"),
];

/// Those for a few threads.
const FIXED: [(&str, &str); 11] = [
    ("dekker", "late"),
    ("peterson", "order"),
    ("szymanski", "no_door"),
    ("readers_writer", "late"),
    ("time_varying", "order"),
    ("lamport", "no_look"),
    ("qrcu_2", "no_wait"),
    ("qrcu_3", "no_wait"),
    ("created", "early"),
    ("scull", "no_lock"),
    ("joined", "one"),
];

/// The engine proves all that is asked, and the checker accepts it.
fn prove(name: &str, program: &Program) {
    let (noted, answer) = told_within(program, &ASKED, &Budget::unlimited());
    assert!(noted.violations.is_empty(), "{name}: {:?}", noted.violations);
    for property in ASKED {
        let proof = proof_of(&noted, property).unwrap_or_else(|| panic!("{name}: {property:?}: {:?}", answer.gaps));
        checked(program, &proof, property).unwrap_or_else(|refusal| panic!("{name}: {property:?}: {refusal}"));
    }
}

#[test]
fn any_number_of_threads_is_proved() {
    for (name, _) in PARAMETRIC {
        prove(name, &compile(name));
    }
}

#[test]
fn a_few_threads_are_proved() {
    for (name, _) in FIXED {
        prove(name, &compile(name));
    }
}

/// A program in which `main` starts so many threads.
fn with_threads(folder: &Path, name: &str, threads: u32) -> Program {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/programs/symmetric/{name}.c"));
    let text = std::fs::read_to_string(file).expect("it is there");
    let (before, main) = text.split_once("int main").expect("it has a `main`");
    let main = main.replacen("for (;;)", &format!("for (int i = 0; i < {threads}; i++)"), 1);
    let path = folder.join(format!("{name}{threads}.c"));
    std::fs::write(&path, format!("{before}int main{main}")).expect("the folder is writable");
    let source = Source { path, preprocess: Default::default() };
    compile_sources(&[source], &CompileOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}")).program
}

#[test]
fn a_given_number_of_threads_is_proved() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, _) in PARAMETRIC {
        for threads in 2..=8 {
            prove(&format!("{name} with {threads} threads"), &with_threads(folder.path(), name, threads));
        }
    }
}

/// What the broken twins violate is never proved; what is found is real.
#[test]
fn broken_twins_are_not_proved() {
    for (name, twin) in PARAMETRIC.into_iter().chain(FIXED) {
        let program = compile(&format!("{name}_{twin}_bug"));
        let budget = Budget::unlimited().with_time(Duration::from_secs(1));
        let (noted, _) = told_within(&program, &ASKED, &budget);
        assert!(proof_of(&noted, Property::Assertion).is_none(), "{name}_{twin}_bug");
        for violation in noted.violations {
            Counterexample::new(&program, violation).unwrap_or_else(|error| panic!("{name}_{twin}_bug: {error}"));
        }
    }
}

/// The two examples of the paper's Section 2, which would be proved if a mixed predicate were a local or a shared one:
/// the engine alone finds the violations.
#[test]
fn mixed_predicates_are_everyones_and_of_each() {
    let head = "typedef unsigned long pthread_t;
        int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        void reach_error(void);
        _Bool __VERIFIER_nondet_bool(void);";
    let start = "int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, run, 0); } }";
    let first = "_Atomic int s;
        void *run(void *arg) { int l = 1; if (s == l) reach_error(); s = s + 1; return 0; }";
    let second = "_Atomic int s; _Atomic _Bool t;
        void *run(void *arg) {
            int l = 0;
            if (__VERIFIER_nondet_bool()) { if (t) if (s == l) reach_error(); }
            l = s + 1;
            t = 1;
            return 0;
        }";
    for example in [first, second] {
        let program = program(&format!("{head}\n{example}\n{start}"));
        let (noted, answer) = told_within(&program, &ASKED, &Budget::unlimited());
        assert!(proof_of(&noted, Property::Assertion).is_none(), "{example}");
        let [violation] = &noted.violations[..] else { panic!("{example}: {:?}", answer.gaps) };
        assert_eq!(violation.subject.property(), Property::Assertion);
        Counterexample::new(&program, violation.clone()).unwrap_or_else(|error| panic!("{example}: {error}"));
    }
}

const HEAD: &str = "typedef unsigned long pthread_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_join(pthread_t, void **);
    void pthread_exit(void *);
    void reach_error(void);";

/// The engine proves that no assertion of a program fails, and the checker accepts it: the proof.
fn assertions_proved(name: &str, program: &Program) -> SymmetricProof {
    let (noted, answer) = told_within(program, &[Property::Assertion], &Budget::unlimited());
    let proof = proof_of(&noted, Property::Assertion).unwrap_or_else(|| panic!("{name}: {:?}", answer.gaps));
    checked(program, &proof, Property::Assertion).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    proof
}

/// `main` starts so many threads, each of which adds one to a counter, joins them, and finds so many counted.
fn joined(threads: u32, counted: u32) -> Program {
    let each = |text: &dyn Fn(u32) -> String| (0..threads).map(text).collect::<String>();
    program(&format!(
        "{HEAD}
        _Atomic int counter;
        void *run(void *arg) {{ counter++; return 0; }}
        int main(void) {{
            {}{}{}
            if (counter != {counted}) reach_error();
        }}",
        each(&|n| format!("pthread_t t{n};")),
        each(&|n| format!("pthread_create(&t{n}, 0, run, 0);")),
        each(&|n| format!("pthread_join(t{n}, 0);")),
    ))
}

#[test]
fn who_has_joined_all_threads_knows_what_they_have_done() {
    for threads in 1..=3 {
        let proof = assertions_proved(&format!("{threads} threads"), &joined(threads, threads));
        assert!(proof.bad.iter().any(|bad| !bad.counts.is_empty()), "{threads} threads are counted");
        for (others, counted) in [(threads, threads + 1), (threads + 1, threads)] {
            let wrong = joined(others, counted);
            assert!(checked(&wrong, &proof, Property::Assertion).is_err(), "{others} threads, {counted} counted");
        }
    }
    let (noted, _) = told_within(&joined(2, 1), &[Property::Assertion], &Budget::unlimited());
    assert!(proof_of(&noted, Property::Assertion).is_none());
}

/// Whom a join joins may matter to a proof that counts nobody in the end.
#[test]
fn the_only_thread_of_its_kind_is_gone_when_it_has_been_joined() {
    let program = program(&format!(
        "{HEAD}
        int x;
        void *run(void *arg) {{ x = 1; return 0; }}
        int main(void) {{ pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); x; }}"
    ));
    let (noted, answer) = told_within(&program, &[Property::Race], &Budget::unlimited());
    let proof = proof_of(&noted, Property::Race).unwrap_or_else(|| panic!("{:?}", answer.gaps));
    checked(&program, &proof, Property::Race).expect("it is accepted");
}

/// Threads that draw numbers: so many of them, none of which is to draw a number beyond a limit.
fn drawn(threads: u32, limit: u32) -> Program {
    program(&format!(
        "{HEAD}
        _Atomic int count;
        void *run(void *arg) {{ int number = count++; if (number >= {limit}) reach_error(); return 0; }}
        int main(void) {{
            for (int i = 0; i < {threads}; i++) {{ pthread_t t; pthread_create(&t, 0, run, 0); }}
            pthread_exit(0);
        }}"
    ))
}

/// What holds for a number of threads and not for one more is proved for it, and no proof of that is one for more.
#[test]
fn what_depends_on_the_number_of_threads_is_proved_for_that_number() {
    for threads in [2, 4] {
        let proof = assertions_proved(&format!("{threads} threads"), &drawn(threads, threads));
        let more = drawn(threads + 1, threads);
        assert!(checked(&more, &proof, Property::Assertion).is_err(), "{threads}");
        let (noted, _) = told_within(&more, &[Property::Assertion], &Budget::unlimited());
        assert!(proof_of(&noted, Property::Assertion).is_none(), "{threads}");
        assert!(!noted.violations.is_empty(), "{threads}: one more draws a number that is too large");
    }
}

/// One thread after the other is started and joined, with the same program text but for the number.
#[test]
fn a_proof_for_two_threads_is_none_for_three() {
    let one_by_one = |threads: u32| {
        program(&format!(
            "{HEAD}
            _Atomic int counter;
            void *run(void *arg) {{ counter++; return 0; }}
            int main(void) {{
                pthread_t t;
                for (int i = 0; i < {threads}; i++) {{ pthread_create(&t, 0, run, 0); pthread_join(t, 0); }}
                if (counter != 2) reach_error();
            }}"
        ))
    };
    let proof = assertions_proved("two threads", &one_by_one(2));
    assert!(proof.bad.iter().any(|bad| !bad.counts.is_empty()));
    let three = one_by_one(3);
    assert!(checked(&three, &proof, Property::Assertion).is_err());
    let (noted, _) = told_within(&three, &[Property::Assertion], &Budget::unlimited());
    assert!(proof_of(&noted, Property::Assertion).is_none());
}

/// Where threads are told apart, it says so.
#[test]
fn unequal_threads_are_named() {
    let text = "typedef unsigned long pthread_t;
        int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        void reach_error(void);
        _Atomic int flags[64];
        void *run(void *arg) {
            unsigned long own = (unsigned long)arg % 64;
            flags[own] = 1;
            if (flags[own] != 1) reach_error();
            return 0;
        }
        int main(void) { for (unsigned long i = 0;; i++) { pthread_t t; pthread_create(&t, 0, run, (void *)i); } }";
    let program = program(text);
    let (noted, answer) = told_within(&program, &ASKED, &Budget::unlimited().with_time(Duration::from_secs(20)));
    assert!(proof_of(&noted, Property::Assertion).is_none());
    let is_named = answer.gaps.iter().any(|gap| match gap {
        Gap::Inapplicable { span, message } => span.line == 7 && message.contains("told apart"),
        _ => false,
    });
    assert!(is_named, "{:?}", answer.gaps);
}

/// Without time there is a limit to tell of, and no proof.
#[test]
fn the_budget_is_obeyed() {
    for name in ["peterson", "inc_dec_cas", "qrcu_3"] {
        let (noted, answer) = told_within(&compile(name), &ASKED, &Budget::unlimited().with_time(Duration::ZERO));
        assert!(noted.proofs.is_empty() && noted.violations.is_empty(), "{name}");
        assert!(answer.gaps.iter().any(|gap| matches!(gap, Gap::Limit(_))), "{name}: {:?}", answer.gaps);
    }
}
