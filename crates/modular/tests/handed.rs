//! Memory that a thread is handed when it is started is its own, as far as others leave it alone; and nothing else is
//! taken to be.

mod common;

use selvedge_analysis::AbstractObject;
use selvedge_evidence::protection::{Asked, Protection, ProtectionProof, certify, protected};
use selvedge_generate::random::Random;
use selvedge_generate::seeds;
use selvedge_program::{Budget, Program, SiteId};

use common::{Compared, program};

const SHARED: &str = "struct job { int x, *at; } *kept; int n;
    void use(struct job *j) { j->x++; }
    void *run(void *a) { struct job *j = a; j->x++; use(j); free(j); return 0; }
    void *look(void *a) { struct job *j = a; n = j->x; return 0; }
    void *keeps(void *a) { struct job *j = a; kept = j; j->x++; return 0; }
    void *passes(void *a) { pthread_t t; pthread_create(&t, 0, run, a); return 0; }
    struct job *make(int x) { struct job *j = malloc(sizeof *j); j->x = x; return j; }
    void start(void *(*f)(void *), struct job *j) { pthread_t t; pthread_create(&t, 0, f, j); }";

fn proof(program: &Program) -> ProtectionProof {
    let all: Asked = AbstractObject::all(program).collect();
    let proof = protected(program, &all, &Budget::unlimited()).expect("there is no limit");
    let claimed: Asked = proof.objects.keys().copied().collect();
    assert_eq!(certify(program, &proof, &claimed, &Budget::unlimited()), Ok(()));
    proof
}

/// What protects the jobs, by what one thread does beside another one that starts with some.
fn protection(one: &str, other: &str) -> Option<Protection> {
    let program = program(SHARED, one, other);
    proof(&program).objects.get(&AbstractObject::Site(SiteId(0))).copied()
}

const STARTS: &str = "for (int i = 0; i < 9; i++) start(run, make(i));";

#[test]
fn what_a_thread_is_handed_is_its_own() {
    assert!(protection(STARTS, "").is_some());
    assert!(protection(STARTS, STARTS).is_some());
    assert!(protection("start(run, make(1)); start(look, make(2));", STARTS).is_some());
    assert!(protection("struct job *j = make(1); j->x = 2; start(run, j);", STARTS).is_some());
}

#[test]
fn what_others_know_of_is_not() {
    let traps = [
        // Who started the thread goes on with it, or starts another one.
        ("struct job *j = make(1); start(run, j); j->x = 2;", ""),
        ("struct job *j = make(1); start(run, j); use(j);", ""),
        ("struct job *j = make(1); start(run, j); start(look, j);", ""),
        ("struct job *j = make(1); for (int i = 0; i < 2; i++) start(run, j);", ""),
        ("struct job *j = make(1), *k = j; start(run, j); start(run, k);", ""),
        ("struct job *j = make(1); start(look, j); start(run, j);", ""),
        // It is known to others before, or the thread makes it known.
        ("struct job *j = make(1); kept = j; start(run, j);", "if (kept) kept->x = 3;"),
        ("kept = make(1); start(run, kept);", "if (kept) start(run, kept);"),
        ("start(keeps, make(1));", "if (kept) kept->x = 3;"),
        ("start(keeps, make(1)); start(keeps, make(2));", "if (kept) start(run, kept);"),
        // The thread hands it on, and goes on with it; or its function is called as well.
        ("start(passes, make(1)); kept = make(2); passes(kept); run(kept);", ""),
        ("kept = make(1); run(kept);", "if (kept) start(run, kept); start(run, make(1));"),
        ("struct job *j = make(1); start(look, j); run(j);", ""),
        // One memory with the address of the other in it.
        ("struct job *j = make(1), *k = make(2); j->at = &k->x; start(run, k); start(run, j); *j->at = 1;", ""),
    ];
    for (one, other) in traps {
        assert_eq!(protection(one, other), None, "{one} beside {other}");
    }
}

/// The plainest search finds no race on what is said to be protected.
#[test]
fn random_starts_race_on_nothing_that_is_protected() {
    let shared = format!(
        "extern _Bool __VERIFIER_nondet_bool(void); {SHARED}
        struct job *either(struct job *a, struct job *b) {{ return __VERIFIER_nondet_bool() ? a : b; }}"
    );
    let statements = [
        "start(F, A);",
        "start(F, make(1));",
        "start(look, j);",
        "j = make(2);",
        "k = j;",
        "kept = A;",
        "if (A) use(A);",
        "if (A) A->x = 1;",
        "if (A) j = either(j, A);",
        "start(F, either(j, make(3)));",
    ];
    let mut compared = Compared::default();
    for seed in seeds(0..60) {
        let mut random = Random::new(seed);
        let mut body = || {
            let mut one = || {
                let mut pick = |all: &[&'static str]| *random.pick(all);
                let (statement, place) = (pick(&statements), pick(&["j", "k", "kept"]));
                let function = pick(&["look", "keeps", "passes", "look"]);
                format!("{{ {} }} ", statement.replace('A', place).replace('F', function))
            };
            ["struct job *j = make(0), *k = make(0); ".to_owned(), one(), one(), one()].concat()
        };
        let (one, other) = (body(), body());
        let program = program(&shared, &one, &other);
        compared.look_at(&program, &proof(&program), &format!("{seed}: {one} beside {other}"));
    }
    compared.are_told_apart();
}
