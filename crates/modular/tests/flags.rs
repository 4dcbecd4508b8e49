//! Who has seen a flag raised comes after whoever raises it; and nothing else is taken to.

mod common;

use selvedge_analysis::AbstractObject;
use selvedge_evidence::protection::{Asked, Protection, ProtectionProof, certify, protected};
use selvedge_generate::random::Random;
use selvedge_generate::seeds;
use selvedge_program::{Budget, Program};

use common::{Compared, object, whole};

/// A program of an initial thread and what it starts with `run` and `later`.
fn program(run: &str, later: &str, main: &str) -> Program {
    whole(&format!(
        "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; _Atomic int ready, other, set = 1; int x, y, plain;
        struct pool {{ int empty, limit; }} *pool;
        extern _Bool __VERIFIER_nondet_bool(void);
        int is_ready(void) {{ return ready != 0; }}
        void *more(void *a) {{ ready = 1; return 0; }}
        void start(void *(*f)(void *), void *a) {{ pthread_t t; pthread_create(&t, 0, f, a); }}
        void *run(void *a) {{ struct pool *p = a; {run} return 0; }}
        void *later(void *a) {{ struct pool *p = a; {later} return 0; }}
        int main(void) {{ struct pool *p = 0; {main} return 0; }}\n"
    ))
}

fn proof(program: &Program) -> ProtectionProof {
    let all: Asked = AbstractObject::all(program).collect();
    let proof = protected(program, &all, &Budget::unlimited()).expect("there is no limit");
    let claimed: Asked = proof.objects.keys().copied().collect();
    assert_eq!(certify(program, &proof, &claimed, &Budget::unlimited()), Ok(()));
    proof
}

/// What protects `x`.
fn protection(run: &str, later: &str, main: &str) -> Option<Protection> {
    let program = program(run, later, main);
    proof(&program).objects.get(&object(&program, "x")).copied()
}

#[test]
fn who_has_seen_a_flag_raised_comes_later() {
    let cases = [
        ("if (ready) x++;", "", "start(run, 0); x = 1; ready = 1;"),
        ("while (!ready) ; x++;", "", "start(run, 0); x = 1; ready = 1;"),
        ("if (is_ready()) x++;", "", "start(run, 0); x = 1; ready = 1;"),
        ("if (ready == 3) x++;", "", "start(run, 0); x = 1; ready = 2; ready = 3;"),
        ("int r = ready; if (r > 0 && y == 0) x = r;", "", "start(run, 0); x = 1; if (x) ready = 1;"),
        ("if (!set) x++;", "", "start(run, 0); x = 1; set = 0;"),
        // Another thread raises it, which is not there yet; who has seen it raised may raise it again.
        ("if (ready) x++;", "ready = 1;", "start(run, 0); x = 1; start(later, 0);"),
        ("if (ready) { ready = 2; x++; }", "ready = 1;", "start(run, 0); x = 1; start(later, 0);"),
        // Nobody raises it, or only who has seen it raised.
        ("if (other) x = 2;", "", "start(run, 0); x = 1;"),
        ("if (other) x = 2;", "if (ready) other = 1; if (other) ready = 1;", "start(run, 0); start(later, 0); x = 1;"),
    ];
    for (run, later, main) in cases {
        assert!(protection(run, later, main).is_some(), "{run} beside {main}");
    }
}

#[test]
fn what_is_stored_before_others_look_is_kept() {
    let run = "pthread_mutex_lock(&m); if (!p->empty) x = p->limit; pthread_mutex_unlock(&m);";
    let later = "pthread_mutex_lock(&m); p->empty = 0; pthread_mutex_unlock(&m);";
    let made = "p = calloc(1, sizeof *p); p->empty = 1;";
    assert!(protection(run, later, &format!("{made} start(run, p); x = 5; start(later, p);")).is_some());
    let traps = [
        // It is stored too late, or not at all, or somewhere else.
        "p = calloc(1, sizeof *p); start(run, p); p->empty = 1; x = 5; start(later, p);".to_owned(),
        "p = calloc(1, sizeof *p); start(run, p); x = 5; start(later, p);".to_owned(),
        "p = malloc(sizeof *p); start(run, p); x = 5; start(later, p);".to_owned(),
        "p = malloc(sizeof *p); p->limit = 1; start(run, p); x = 5; start(later, p);".to_owned(),
        "p = malloc(sizeof *p); if (__VERIFIER_nondet_bool()) p->empty = 1; start(run, p); x = 5; start(later, p);"
            .to_owned(),
        // Others are made the same way.
        format!("for (int i = 0; i < 2; i++) {{ {made} start(run, p); x = 5; start(later, p); }}"),
        format!("{made} start(later, p); start(run, p); x = 5;"),
        // Some of it is overwritten.
        format!("{made} start(run, p); ((char *)p)[i()] = 0; x = 5; start(later, p);")
            .replace("i()", "__VERIFIER_nondet_bool()"),
        format!("{made} start(run, p); memset(p, 0, sizeof *p); x = 5; start(later, p);"),
    ];
    for main in &traps {
        assert_eq!(protection(run, later, main), None, "{main}");
    }
}

#[test]
fn what_does_not_come_later_is_not_taken_to() {
    let traps = [
        // The flag is raised too early, or was raised before, or begins like that.
        ("if (ready) x++;", "", "start(run, 0); ready = 1; x = 1;"),
        ("if (ready) x++;", "", "start(run, 0); x = 1; ready = 1; x = 2;"),
        ("if (ready) x++;", "", "ready = 1; start(run, 0); ready = 0; x = 1; ready = 1;"),
        ("if (ready) x++;", "", "start(run, 0); ready = 1; ready = 0; x = 1; ready = 1;"),
        ("if (ready) x++;", "", "start(run, 0); for (int i = 0; i < 2; i++) { ready = 0; x = 1; ready = 1; }"),
        ("if (set) x++;", "", "start(run, 0); x = 1; set = 1;"),
        ("if (set) x++;", "", "set = 0; start(run, 0); x = 1; set = 1;"),
        // It is not looked at, or the other way.
        ("if (!ready) x++;", "", "start(run, 0); x = 1; ready = 1;"),
        ("if (ready || plain) x++;", "plain = 1;", "start(run, 0); start(later, 0); x = 1; ready = 1;"),
        ("int r = ready; r = !r; if (r) x++;", "", "start(run, 0); x = 1; ready = 1;"),
        ("int r = ready; if (__VERIFIER_nondet_bool()) r = 1; if (r) x++;", "", "start(run, 0); x = 1; ready = 1;"),
        ("if (ready >= 0) x++;", "", "start(run, 0); x = 1; ready = 1;"),
        // Others raise it.
        ("ready = 1; if (ready) x++;", "", "start(run, 0); x = 1; ready = 1;"),
        ("if (ready) x++;", "ready = 1;", "start(run, 0); start(later, 0); x = 1;"),
        ("if (ready) x++;", "ready = 1;", "start(later, 0); x = 1; start(run, 0); x = 2;"),
        ("if (ready) x++;", "start(more, 0);", "start(later, 0); start(run, 0); x = 1;"),
        ("if (ready) x++;", "((char *)&ready)[1] = 1;", "start(later, 0); start(run, 0); x = 1; ready = 1;"),
        (
            "if (other) x++;",
            "if (ready) other = 1; if (other) ready = 1; ready = 1;",
            "start(run, 0); start(later, 0); x = 1;",
        ),
        // Between threads that were started, nothing is known.
        ("if (ready) x++;", "x = 1; ready = 1;", "start(run, 0); start(later, 0); start(later, 0);"),
        ("if (ready) x++;", "", "start(run, 0); start(run, 0); ready = 1;"),
    ];
    for (run, later, main) in traps {
        assert_eq!(protection(run, later, main), None, "{run} and {later} beside {main}");
    }
}

/// What waits for a condition has its mutex again, whatever kinds of mutexes there are; who does not hold it is told so.
#[test]
fn who_waits_with_a_mutex_holds_it_again() {
    let program = |kind: &str, run: &str| {
        whole(&format!(
            "#include <pthread.h>\n
            pthread_mutex_t m, n; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int x;
            void *run(void *a) {{ {run} return 0; }}
            int main(void) {{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, {kind});
            pthread_mutex_init(&m, &a); pthread_mutex_init(&n, 0); pthread_t t;
            pthread_create(&t, 0, run, 0); pthread_create(&t, 0, run, 0); return 0; }}\n"
        ))
    };
    let waits = "pthread_mutex_lock(&n); while (!x) pthread_cond_wait(&c, &n); x++; pthread_mutex_unlock(&n);";
    for (kind, run, is_protected) in [
        ("PTHREAD_MUTEX_RECURSIVE", waits, true),
        ("PTHREAD_MUTEX_ERRORCHECK", waits, true),
        ("PTHREAD_MUTEX_ERRORCHECK", "pthread_cond_wait(&c, &m); x++; pthread_mutex_unlock(&m);", false),
        ("PTHREAD_MUTEX_ERRORCHECK", "pthread_mutex_lock(&n); pthread_cond_wait(&c, &m); x++;", true),
        (
            "PTHREAD_MUTEX_ERRORCHECK",
            "pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_cond_wait(&c, &n); x++;",
            false,
        ),
    ] {
        let program = program(kind, run);
        let found = proof(&program).objects.contains_key(&object(&program, "x"));
        assert_eq!(found, is_protected, "{kind}: {run}");
    }
}

/// Where the handle of a thread has been left, no zero is found, unless somebody leaves one there.
#[test]
fn who_has_started_a_thread_finds_its_handle() {
    let program = |create: &str, main: &str| {
        whole(&format!(
            "#include <pthread.h>\n#include <stdlib.h>\n
            int sum; pthread_t shared;
            void *run(void *a) {{ int *i = a; int v = *i; free(i); return (void *)(long)v; }}
            void *clears(void *a) {{ *(pthread_t *)a = 0; return 0; }}
            int create(pthread_t *t, int v) {{ int *i = malloc(sizeof *i); *i = v; {create} return 0; }}
            int main(void) {{ pthread_t t[4], u; {main} return 0; }}\n"
        ))
    };
    let create = "if (pthread_create(t, 0, run, i) != 0) *t = 0; if (!*t) { free(i); return 1; }";
    let each = "for (int k = 0; k < 4; k++) create(&t[k], k);";
    let cases = [
        (create, each, true),
        (create, "create(&u, 1); create(&t[1], 2); create(&shared, 3);", true),
        // It is looked for elsewhere, or too early.
        ("pthread_create(t, 0, run, i); t++; if (!*t) free(i);", each, false),
        ("pthread_create(t, 0, run, i); if (!t[1]) free(i);", each, false),
        ("pthread_create(t, 0, run, i); if (*t) free(i);", each, false),
        ("if (!*t) pthread_create(t, 0, run, i); if (!*t) free(i);", each, false),
        // A zero is left there.
        ("pthread_create(t, 0, run, i); *t = 0; if (!*t) free(i);", each, false),
        (create, "pthread_create(&u, 0, clears, &t[1]); create(&t[1], 2);", false),
        (create, "pthread_create(&u, 0, clears, &shared); create(&shared, 2);", false),
        (create, "u = 0; create(&u, 2);", false),
    ];
    for (create, main, is_protected) in cases {
        let program = program(create, main);
        let site = AbstractObject::Site(selvedge_program::SiteId(0));
        assert_eq!(proof(&program).objects.contains_key(&site), is_protected, "{create}: {main}");
    }
}

/// The plainest search finds no race on what is said to be protected.
#[test]
fn random_flags_order_nothing_that_races() {
    let by_started = [
        "if (F) A++;",
        "if (!F) A++;",
        "while (!F) ; A = 2;",
        "F = 1;",
        "A = 3;",
        "if (F) G = 1;",
        "if (is_ready()) A++;",
    ];
    let by_main = ["start(run, 0);", "start(later, 0);", "A = 1;", "F = 1;", "F = 0;", "if (F) A = 2;"];
    let mut compared = Compared::default();
    for seed in seeds(0..150) {
        let mut random = Random::new(seed);
        let mut some = |all: &[&'static str], count: usize| {
            let mut text = String::new();
            for _ in 0..count {
                let mut pick = |all: &[&'static str]| *random.pick(all);
                let statement = pick(all);
                let (flag, another, place) =
                    (pick(&["ready", "other", "set"]), pick(&["ready", "other"]), pick(&["x", "y"]));
                text += &statement.replace('F', flag).replace('G', another).replace('A', place);
                text.push(' ');
            }
            text
        };
        let (run, later) = (some(&by_started, 2), some(&by_started, 2));
        let main = format!("start(run, 0); {}", some(&by_main, 4));
        let program = program(&run, &later, &main);
        compared.look_at(&program, &proof(&program), &format!("{seed}: {run} and {later} beside {main}"));
    }
    compared.are_told_apart();
}
