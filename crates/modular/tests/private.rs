//! What threads keep for themselves is protected, and nothing that others may come to know of; and what numbers that were
//! kept in memory say of joins.

mod common;

use selvedge_analysis::AbstractObject;
use selvedge_evidence::protection::{Asked, ProtectionProof, certify, protected};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_generate::random::Random;
use selvedge_generate::seeds;
use selvedge_program::{Action, Budget, Program};

use common::{Compared, program, whole};

fn proof(program: &Program) -> ProtectionProof {
    let all: Asked = AbstractObject::all(program).collect();
    let proof = protected(program, &all, &Budget::unlimited()).expect("there is no limit");
    let claimed: Asked = proof.objects.keys().copied().collect();
    assert_eq!(certify(program, &proof, &claimed, &Budget::unlimited()), Ok(()));
    proof
}

/// Whether what `make` allocates is protected, or the local `v` if there is one.
fn is_protected(program: &Program) -> bool {
    let all = AbstractObject::all(program);
    let is_local =
        |object: &AbstractObject| matches!(object, AbstractObject::Frame(..)) && object.is_named(program, "v");
    let mut meant: Vec<AbstractObject> = all.filter(is_local).collect();
    if meant.is_empty() {
        let making = program.functions.iter().filter(|function| function.name == "make");
        let sites = making.flat_map(|function| &function.edges).filter_map(|edge| match &edge.action {
            Action::Allocate { site, .. } => Some(AbstractObject::Site(*site)),
            _ => None,
        });
        meant.extend(sites.take(1));
    }
    assert!(!meant.is_empty());
    let proof = proof(program);
    meant.iter().all(|object| proof.objects.contains_key(object))
}

const OWN: &str = "int *make(void) { int *n = malloc(4); *n = 0; return n; }
    struct box { int *held; } *boxes; pthread_key_t k; int *g, **at; long hidden; char bytes[8];
    __thread int *own; __thread struct box kept; void bump(int *n) { ++*n; } void put(int **to, int *n) { *to = n; }
    void *sub(void *a) { ++*(int *)a; return a; } void *gives(void *a) { own = make(); ++*own; return own; }";

/// Addresses that stay in registers, in thread-local data, in values of keys and in other such memory.
#[test]
fn what_only_its_maker_knows_of_is_protected() {
    let bodies = [
        "int *n = make(); pthread_setspecific(k, n); ++*(int *)pthread_getspecific(k);",
        "own = make(); bump(own); ++*own;",
        "int *n; put(&n, make()); ++*n; put(&own, n); ++*own;",
        "struct box *b = malloc(8); b->held = make(); kept = *b; ++*kept.held;",
        "int *n = make(); long l = (long)n; own = (int *)l; ++*own;",
        "own = make(); g = rand() ? 0 : g; ++*own;",
        // A local that is passed down.
        "int v = 0; put(&own, &v); bump(own);",
    ];
    for body in bodies {
        assert!(is_protected(&program(OWN, body, body)), "{body}");
    }
}

/// There is always a way for the other thread to come by the address.
#[test]
fn what_others_may_come_to_know_of_is_not() {
    let cases = [
        ("g = make(); ++*g;", "if (g) ++*g;"),
        ("own = make(); at = &own; ++*own;", "if (at && *at) ++**at;"),
        ("kept.held = make(); boxes = &kept; ++*kept.held;", "if (boxes) ++*boxes->held;"),
        (
            "struct box *b = malloc(8); boxes = b; b->held = make(); ++*b->held;",
            "if (boxes && boxes->held) ++*boxes->held;",
        ),
        ("put(&g, make()); bump(g);", "if (g) bump(g);"),
        ("own = make(); hidden = (long)own; ++*own;", "if (hidden) ++*(int *)hidden;"),
        ("own = make(); hidden = ~(long)own; ++*own;", "if (hidden) ++*(int *)~hidden;"),
        ("own = make(); memcpy(&g, &own, sizeof g); ++*own;", "if (g) ++*g;"),
        (
            "own = make(); for (int i = 0; i < 8; i++) bytes[i] = ((char *)&own)[i]; ++*own;",
            "int *n; memcpy(&n, bytes, sizeof n); if (n) ++*n;",
        ),
        ("own = make(); __atomic_store_n(&g, own, 5); ++*own;", "if (g) ++*g;"),
        ("int *n = __atomic_exchange_n(&g, make(), 5); if (n) ++*n; ++*g;", "if (g) ++*g;"),
        // With a thread's beginning, and its end.
        ("pthread_t t; own = make(); pthread_create(&t, 0, sub, own); ++*own;", ""),
        ("pthread_t t; own = make(); at = &own; pthread_create(&t, 0, sub, *at); ++*own;", ""),
        ("int v = 0; g = &v; ++v; for (;;);", "if (g) ++*g;"),
        ("int v = 0; pthread_t t; pthread_create(&t, 0, sub, &v); ++v; for (;;);", ""),
        // Values of keys that are public already.
        ("g = make(); pthread_setspecific(k, g); ++*(int *)pthread_getspecific(k);", "if (g) ++*g;"),
    ];
    for (one, other) in cases {
        assert!(!is_protected(&program(OWN, one, other)), "{one} beside {other}");
    }
    // What a thread leaves behind is known to who joins it.
    let left = "pthread_t t; void *n; pthread_create(&t, 0, gives, 0); pthread_join(t, &n); g = n; ++*g;";
    assert!(!is_protected(&program(OWN, left, "if (g) ++*g;")));
}

/// What is made for a thread, kept in memory of the initial thread, and filled in from there before the thread starts.
#[test]
fn what_is_hidden_is_fresh() {
    let of = |main: &str| {
        is_protected(&whole(&format!(
            "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n
            struct job {{ int id; pthread_t t; }};
            struct job *make(void) {{ struct job *j = malloc(sizeof *j); return j; }}
            struct job **all, *g; int n;
            void *work(void *a) {{ struct job *j = a; j->id++; return 0; }}
            void *looks(void *a) {{ if (all && all[0]) all[0]->id++; return 0; }}
            void *sees(void *a) {{ if (g) g->id++; return 0; }}
            void tell(struct job **from) {{ g = *from; }} void quiet(struct job **from) {{ n++; }}
            void start(struct job *j) {{ pthread_create(&j->t, 0, work, j); }}
            int main(void) {{ pthread_t t; struct job **p; all = malloc(4 * sizeof *all); {main} return 0; }}"
        )))
    };
    let good = [
        "p = all; for (int i = 0; i < 4; i++) { p[i] = make(); p[i]->id = i; pthread_create(&p[i]->t, 0, work, p[i]); }",
        "p = &all[1]; *p = make(); if (!*p) return 1; (*p)->id = 1; (*p)->id++; pthread_create(&t, 0, work, *p);",
    ];
    for main in good {
        assert!(of(main), "{main}");
    }
    let racing = [
        // Written when the thread is there.
        "p = all; *p = make(); pthread_create(&t, 0, work, *p); (*p)->id = 1;",
        "for (int i = 0; i < 4; i++) { all[i] = make(); pthread_create(&all[i]->t, 0, work, all[i]); all[0]->id = 1; }",
        // Handed to two.
        "p = all; *p = make(); pthread_create(&t, 0, work, *p); pthread_create(&t, 0, work, *p);",
        "p = all; *p = make(); struct job *j = *p; pthread_create(&t, 0, work, j); start(*p);",
        // Others look where it is kept.
        "pthread_create(&t, 0, looks, 0); p = all; *p = make(); (*p)->id = 1; pthread_create(&t, 0, work, *p);",
        // What is read there under another name is told.
        "pthread_create(&t, 0, sees, 0); p = all; *p = make(); struct job **q = all; g = *q; (*p)->id = 1;",
        "pthread_create(&t, 0, sees, 0); p = all; *p = make(); tell(all); (*p)->id = 1;",
        "pthread_create(&t, 0, sees, 0); p = all; *p = make(); memcpy(&g, all, sizeof g); (*p)->id = 1;",
        "pthread_create(&t, 0, sees, 0); p = all; struct job *j = make(); *p = j; g = all[0]; j->id = 1;",
        "pthread_create(&t, 0, sees, 0); p = all; *p = make(); if (rand()) tell(p); (*p)->id = 1;",
        // Something else is there by then.
        "pthread_create(&t, 0, sees, 0); p = all; g = make(); *p = make(); all[0] = g; (*p)->id = 1;",
        "pthread_create(&t, 0, sees, 0); p = &all[1]; g = make(); *p = make(); memcpy(p, &g, sizeof g); (*p)->id = 1;",
        "pthread_create(&t, 0, sees, 0); p = all; g = make(); all[1] = g; *p = make(); p++; (*p)->id = 1;",
    ];
    for main in racing {
        assert!(!of(main), "{main}");
    }
}

/// How many threads a pool has is said where it is made, and kept in it.
#[test]
fn numbers_that_memory_keeps_count_joins() {
    let of = |pool: &str, main: &str| {
        is_protected(&whole(&format!(
            "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n
            struct pool {{ long n; char few; int x; pthread_t *all; }}; struct pool *g;
            void *look(void *a) {{ struct pool *p = a; int w = p->x; return w ? a : 0; }}
            void *sets(void *a) {{ struct pool *p = a; p->n = 2; return 0; }}
            struct pool *make(long n) {{ struct pool *p = malloc(sizeof *p); p->x = 0; {pool}
                p->all = malloc(n * sizeof *p->all);
                for (int i = 0; i < n; i++) pthread_create(&p->all[i], 0, look, p); return p; }}
            void end(struct pool *p) {{ long n = p->n; for (int i = 0; i < n; i++) pthread_join(p->all[i], 0); }}
            void short_end(struct pool *p) {{ for (int i = 0; i < p->few; i++) pthread_join(p->all[i], 0); }}
            int main(int argc, char **argv) {{ pthread_t t; struct pool *p, *q; int **w = malloc(8); if (argc > 9) **w = 1;
                {main} return 0; }}"
        )))
    };
    for main in ["p = make(4); end(p); p->x = 2;", "p = make(4); end(p); free(p);", "g = make(4); end(g); g->x = 1;"] {
        assert!(of("p->n = n;", main), "{main}");
    }
    assert!(of("p->few = n;", "p = make(4); short_end(p); p->x = 2;"));
    let pools = [
        "",
        "if (n > 4) p->n = n;",
        "p->n = n - 1;",
        "p->n = n; p->n--;",
        "p->n = n; *(char *)&p->n = 1;",
        "g = p; p->n = g ? n : 0;",
    ];
    for pool in pools {
        assert!(!of(pool, "p = make(4); end(p); p->x = 2;"), "{pool}");
    }
    let mains = [
        "p = make(4); p->x = 2; end(p);",
        "p = make(4); p->n = 3; end(p); p->x = 2;",
        "p = make(4); if (argc > 1) p->n = argc; end(p); p->x = 2;",
        "p = make(4); pthread_create(&t, 0, sets, p); end(p); p->x = 2;",
        "p = make(4); memset(p, 0, 8); end(p); p->x = 2;",
        "p = make(4); struct pool other = {2}; *p = other; end(p); p->x = 2;",
        "p = make(4); short_end(p); p->x = 2;",
        "p = make(argc); end(p); p->x = 2;",
        "for (int i = 3; i < 5; i++) { p = make(i); end(p); p->x = 2; }",
    ];
    for main in mains {
        assert!(!of("p->n = n;", main), "{main}");
    }
    // 260 is 4 in a `char`.
    assert!(!of("p->few = n;", "p = make(260); short_end(p); p->x = 2;"));
}

/// A loop that gives each thread an element, which that fills in alone.
#[test]
fn portions_are_one_threads_each() {
    let of = |main: &str| {
        let program = whole(&format!(
            "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n
            struct part {{ int id, sum; }} x[8]; int n; pthread_t t[8], u[8], one;
            void *work(void *a) {{ struct part *p = a; for (int i = 0; i < p->id; i++) p->sum += i; return 0; }}
            void *next(void *a) {{ struct part *p = a; p[1].sum++; return 0; }}
            void *before(void *a) {{ int *i = a; i[-1]++; return 0; }}
            void *sum(void *a) {{ ++*(int *)a; return 0; }}
            void *wide(void *a) {{ *(long *)a = 1; return 0; }}
            void *any(void *a) {{ struct part *p = a; p[n].sum++; return 0; }}
            void *moves(void *a) {{ struct part *p = a; while (n) p++; p->sum++; return 0; }}
            void *all(void *a) {{ x[0].sum++; return 0; }}
            void start(int k) {{ for (int i = 0; i < k; i++) pthread_create(&t[i], 0, work, &x[i]); }}
            void end(int k) {{ for (int i = 0; i < k; i++) pthread_join(t[i], 0); }}
            int main(int argc, char **argv) {{ {main} return 0; }}"
        ));
        proof(&program).objects.contains_key(&common::object(&program, "x"))
    };
    let good = [
        "start(8);",
        "start(8); end(8); x[0].sum = 1;",
        "start(argc);",
        "for (int i = 0; i < 8; i++) { x[i].id = i; x[i].sum = 0; pthread_create(&t[i], 0, work, &x[i]); }",
        "for (unsigned i = 0; i < 8; i++) { struct part p = {i, 0}; x[i] = p; pthread_create(&t[i], 0, work, x + i); }",
        "for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, sum, &x[i].sum);",
        "for (int k = 0; k < 2; k++) { start(8); end(8); }",
    ];
    for main in good {
        assert!(of(main), "{main}");
    }
    let racing = [
        // After the thread has begun, to another element, and from elsewhere.
        "for (int i = 0; i < 8; i++) { pthread_create(&t[i], 0, work, &x[i]); x[i].sum = 0; }",
        "for (int i = 0; i < 8; i++) { x[0].id = i; pthread_create(&t[i], 0, work, &x[i]); }",
        "for (int i = 1; i < 8; i++) { x[i - 1].id = i; pthread_create(&t[i], 0, work, &x[i]); }",
        "for (int i = 0; i < 8; i++) { x[7 - i].id = i; pthread_create(&t[i], 0, work, &x[i]); }",
        "start(8); x[0].sum = 1; end(8);",
        "pthread_create(&one, 0, all, 0); start(8);",
        // The threads of before are still there.
        "start(4); start(4);",
        "for (int k = 0; k < 2; k++) { start(8); end(7); }",
        "for (int k = 0; k < 2; k++) start(4);",
        // Elements that are not one thread's.
        "for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, work, &x[n]);",
        "for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, work, &x[i % 4]);",
        "for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, work, &x[i / 2]);",
        "for (int i = 0; i < 8; i++) { int j = i; if (n) j = 0; pthread_create(&t[i], 0, work, &x[j]); }",
        "struct part *p = x; for (int i = 0; i < 8; i++) { pthread_create(&t[i], 0, work, &p[i]); if (n) p--; }",
        "for (int i = 0; i < 4; i++) { pthread_create(&t[i], 0, work, &x[i]); pthread_create(&u[i], 0, work, &x[i]); }",
        "for (int i = 0; i < 4; i++) for (int j = 0; j < 2; j++) pthread_create(&t[i], 0, work, &x[i]);",
        "for (unsigned char i = 0; i < 8; i++) { pthread_create(&one, 0, work, &x[i]); if (n) i = 0; }",
        "for (unsigned char i = 0; i != 8; i += 3) pthread_create(&one, 0, work, &x[i & 7]);",
        "int i = 0; for (;;) { pthread_create(&one, 0, work, &x[i]); i++; if (i == 8) i = 0; }",
        // What reaches beyond the element.
        "for (int i = 0; i < 7; i++) { x[i].sum = 0; pthread_create(&t[i], 0, next, &x[i]); x[i + 1].sum = 0; }",
        "for (int i = 0; i < 7; i++) { x[i].sum = 0; x[i + 1].sum = 1; pthread_create(&t[i], 0, next, &x[i]); }",
        "for (int i = 1; i < 8; i++) { x[i].sum = 0; pthread_create(&t[i], 0, before, &x[i].id); pthread_create(&u[i], 0, before, &x[i].sum); }",
        "for (int i = 0; i < 7; i++) { pthread_create(&t[i], 0, wide, &x[i].sum); pthread_create(&u[i], 0, wide, &x[i].id); }",
        "start(4); end(3); start(4);",
        "for (int i = 0; i < 4; i++) pthread_create(&u[i], 0, work, &x[i]); for (int i = 0; i < 3; i++) pthread_join(u[i], 0);
         for (int i = 0; i < 4; i++) { x[i].id = i; pthread_create(&u[i], 0, work, &x[i]); }",
        "start(4); if (argc > 1) end(4); start(4);",
        "start(4); for (int k = 0; k < argc; k++) { end(4); start(4); start(4); }",
        "for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, any, &x[i]);",
        "for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, moves, &x[i]);",
        // Somebody else is given it, too.
        "pthread_create(&one, 0, work, &x[0]); start(8);",
        "start(8); work(&x[0]);",
    ];
    for main in racing {
        assert!(!of(main), "{main}");
    }
}

/// There is room for the dispositions of as many signals as a program names.
#[test]
fn dispositions_of_signals_are_in_nobodys_way() {
    let of = |number: &str| {
        let body =
            format!("signal({number}, handle); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0;");
        let text = format!(
            "#include <pthread.h>\n#include <signal.h>\nint x, n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            void handle(int s) {{}} void *work(void *a) {{ {body} }}
            int main(void) {{ pthread_t t; n = 3; pthread_create(&t, 0, work, 0); {body} }}"
        );
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let path = folder.path().join("program.c");
        std::fs::write(&path, text).expect("it can be written to");
        let mut options = CompileOptions::default();
        options.lower.no_signals = true;
        let source = Source { path, preprocess: Default::default() };
        let program = compile_sources(&[source], &options).expect("it is right").program;
        proof(&program).objects.contains_key(&common::object(&program, "x"))
    };
    assert!(of("SIGUSR1") && of("SIGINT") && of("n"));
}

/// Random steps with memory that is made, kept, told and handed over: nothing is protected on which the plainest search
/// finds a race.
#[test]
fn random_secrets_race_on_nothing_that_is_protected() {
    let statements = [
        "own = make();",
        "if (own) ++*own;",
        "if (own) bump(own);",
        "pthread_setspecific(k, own);",
        "int *n = pthread_getspecific(k); if (n) ++*n;",
        "g = own;",
        "own = g;",
        "if (g) ++*g;",
        "at = &own;",
        "if (at && *at) ++**at;",
        "put(&own, make());",
        "put(&g, make());",
        "kept.held = own; if (kept.held) ++*kept.held;",
        "boxes = &kept;",
        "if (boxes && boxes->held) ++*boxes->held;",
        "pthread_t t; if (own) pthread_create(&t, 0, sub, own);",
        "pthread_t t; void *n; pthread_create(&t, 0, gives, 0); pthread_join(t, &n); own = n;",
        "int v = 0; put(&own, &v); ++*own; own = 0;",
    ];
    let mut compared = Compared::default();
    for seed in seeds(0..60) {
        let mut random = Random::new(seed);
        let mut body = || (0..3).map(|_| format!("{{ {} }} ", random.pick(&statements))).collect::<String>();
        let (one, other) = (body(), body());
        let program = program(OWN, &one, &other);
        compared.look_at(&program, &proof(&program), &format!("{seed}: {one} beside {other}"));
    }
    compared.are_told_apart();
}
