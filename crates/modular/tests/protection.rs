//! What is protected, and that nothing else is taken to be: against programs in which something races, against the
//! plainest search, and against changed proofs.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use selvedge_analysis::{AbstractObject, Field};
use selvedge_evidence::protection::{
    Addresses, Asked, Guard, Lock, Protection, ProtectionProof, Refusal, certify, protected,
};
use selvedge_evidence::{Subject, recheck};
use selvedge_generate::random::Random;
use selvedge_generate::seeds;
use selvedge_program::{Budget, LockKind, ObjectId, Program};

use common::{compiled, object, program};

fn proof(program: &Program) -> ProtectionProof {
    protected(program, &AbstractObject::all(program).collect(), &Budget::unlimited()).expect("there is no limit")
}

/// What protects each field of an object by itself; what is found is accepted.
fn fields(program: &Program, object: AbstractObject) -> BTreeMap<String, Protection> {
    let all = Field::of(program, object);
    let asked = Asked { objects: BTreeSet::new(), fields: all.iter().map(|(field, _)| (object, *field)).collect() };
    let proof = protected(program, &asked, &Budget::unlimited()).expect("there is no limit");
    let claimed = Asked { objects: BTreeSet::new(), fields: proof.fields.keys().copied().collect() };
    assert_eq!(certify(program, &proof, &claimed, &Budget::unlimited()), Ok(()));
    let named = |(field, name): (Field, String)| Some((name, *proof.fields.get(&(object, field))?));
    all.into_iter().filter_map(named).collect()
}

/// What protects `x`, or what is allocated first if there is no `x`; what is found is accepted.
fn protection(program: &Program) -> Option<Protection> {
    let proof = proof(program);
    let claimed: Asked = proof.objects.keys().copied().collect();
    assert_eq!(certify(program, &proof, &claimed, &Budget::unlimited()), Ok(()));
    let x = program.objects.iter().position(|object| object.name == "x").map(ObjectId::new);
    let asked = x.map_or(AbstractObject::Site(selvedge_program::SiteId(0)), AbstractObject::Static);
    proof.objects.get(&asked).copied()
}

/// The same if it rests on nothing.
fn confirmed(program: &Program) -> Option<Protection> {
    protection(program).filter(|_| proof(program).addresses == Addresses::Made)
}

const MUTEX: &str = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x, *p;
    void with(void) { x++; } void take(void) { pthread_mutex_lock(&m); } void give(void) { pthread_mutex_unlock(&m); }
    void both(void) { take(); x++; give(); } void (*called)(void) = both;";
const READ_WRITE: &str = "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x, y;";
const LOCKED: &str = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";

#[test]
fn what_a_lock_guards_is_protected() {
    let wait = "pthread_cond_t c = PTHREAD_COND_INITIALIZER;";
    let cases = [
        (MUTEX, LOCKED, LOCKED),
        (MUTEX, "take(); with(); give();", LOCKED),
        (MUTEX, "for (;;) { both(); }", "called();"),
        (MUTEX, "int v = x; v++;", "int v = x; v--;"),
        // Numbers that are computed with beside addresses, and a function's address that is moved as those beside it.
        (
            &format!(
                "{MUTEX} struct row {{ long n; int *items[]; }} *row;
                #define START row = malloc(72); row->n = 4; row->items[row->n] = &x;"
            ),
            "take(); long n = row->n * 2; row->n = n - n / 2; row->items[n << 1 & 3] = &x; x++; give();",
            LOCKED,
        ),
        (
            &format!("{MUTEX} void *cells[4]; long k;\n#define START cells[0] = with; cells[1] = &cells[2];"),
            "take(); void **q = cells[k]; q[k] = 0; x++; give();",
            LOCKED,
        ),
        (&format!("{MUTEX}\n#define START x = 1; pthread_mutex_init(&m, 0);"), LOCKED, LOCKED),
        (&format!("{wait} {MUTEX}"), "take(); while (!x) pthread_cond_wait(&c, &m); x = 0; give();", LOCKED),
        (
            READ_WRITE,
            "pthread_rwlock_rdlock(&l); int v = x; pthread_rwlock_unlock(&l); v++;",
            "pthread_rwlock_wrlock(&l); x++; pthread_rwlock_unlock(&l);",
        ),
        (
            "struct { pthread_spinlock_t a, b; } s; int x;\n#define START pthread_spin_init(&s.b, 0);",
            "pthread_spin_lock(&s.b); x++; pthread_spin_unlock(&s.b);",
            "pthread_spin_lock(&s.b); x--; pthread_spin_unlock(&s.b);",
        ),
    ];
    for (shared, one, other) in cases {
        assert!(protection(&program(shared, one, other)).is_some(), "{one} beside {other}");
    }
}

#[test]
fn what_may_race_is_not_protected() {
    let cases = [
        (MUTEX, LOCKED, "x++;"),
        (MUTEX, LOCKED, "int v = x; v++;"),
        (MUTEX, LOCKED, "pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n);"),
        (MUTEX, LOCKED, "take(); give(); x++;"),
        (MUTEX, LOCKED, "take(); x++; give(); x--;"),
        (MUTEX, "take(); with(); give();", "with();"),
        (MUTEX, LOCKED, "called(); x++;"),
        // The address of the object goes elsewhere.
        (MUTEX, LOCKED, "p = &x; *p = 1;"),
        (MUTEX, LOCKED, "int *q = p ? p : &x; *q = 1;"),
        (MUTEX, LOCKED, "memset(&x, 0, sizeof x);"),
        // An address that is computed with, and becomes one again.
        (MUTEX, LOCKED, "*(int *)((unsigned long)&x * 3 / 3) = 1;"),
        (MUTEX, LOCKED, "unsigned long k = (unsigned long)&x * 3; p = (int *)(k / 3); *p = 1;"),
        (MUTEX, LOCKED, "unsigned long k = (unsigned long)&x << 1; *(int *)(k >> 1) = 1;"),
        (MUTEX, LOCKED, "unsigned long k = (unsigned long)&x / 4; *(int *)(k * 4) = 1;"),
        (MUTEX, LOCKED, "unsigned long k = (unsigned long)&x / 4, n = 0; *(int *)(n + k * 4) = 1;"),
        (MUTEX, LOCKED, "unsigned long k = (unsigned long)&x / 4; k = 4 + k * 4; *(int *)(k - 4) = 1;"),
        // The lock is overwritten while others run, or another one is meant.
        (MUTEX, LOCKED, "pthread_mutex_init(&m, 0); both();"),
        (MUTEX, LOCKED, "memcpy(&m, &n, sizeof m); both();"),
        (MUTEX, LOCKED, "pthread_mutex_t *q = p ? &m : &n; pthread_mutex_lock(q); x++; pthread_mutex_unlock(q);"),
        (MUTEX, LOCKED, "if (pthread_mutex_trylock(&m)) x++; else { x++; give(); }"),
        (
            &format!("pthread_cond_t c = PTHREAD_COND_INITIALIZER; {MUTEX}"),
            LOCKED,
            "take(); give(); pthread_cond_signal(&c); x++;",
        ),
        // Written under a lock that is held for reading, and one that is given back by somebody else.
        (
            READ_WRITE,
            "pthread_rwlock_rdlock(&l); x++; pthread_rwlock_unlock(&l);",
            "pthread_rwlock_rdlock(&l); int v = x; pthread_rwlock_unlock(&l); v++;",
        ),
        (
            READ_WRITE,
            "pthread_rwlock_rdlock(&l); int v = x; pthread_rwlock_unlock(&l); v++;",
            "pthread_rwlock_unlock(&l); pthread_rwlock_wrlock(&l); x++; pthread_rwlock_unlock(&l);",
        ),
        // An address out of nothing.
    ];
    for (shared, one, other) in cases {
        assert!(protection(&program(shared, one, other)).is_none(), "{one} beside {other}");
    }
}

const WRITER: &str = "pthread_rwlock_wrlock(&l); x++; pthread_rwlock_unlock(&l);";

/// A lock that is tried for is held where it is known that it was got.
#[test]
fn locks_that_are_tried_for_guard_where_they_were_got() {
    let mutex = format!(
        "{MUTEX} int turn; int attempt(void) {{ return pthread_mutex_trylock(&m); }}
        int wanted(void) {{ if (turn) return 1; return pthread_mutex_trylock(&m) == 0 ? 0 : 2; }}"
    );
    let got = [
        "if (pthread_mutex_trylock(&m) == 0) { x++; give(); }",
        "if (!pthread_mutex_trylock(&m)) { x++; give(); }",
        "while (pthread_mutex_trylock(&m)) ; x++; give();",
        "int r = pthread_mutex_trylock(&m); if (r != 0) return 0; x++; give();",
        "int r; do { r = pthread_mutex_trylock(&m); } while (r == 16); x++; give();",
        "if (pthread_mutex_trylock(&m) != 0) take(); x++; give();",
        "if (attempt() == 0) { x++; give(); }",
    ];
    for one in got {
        assert!(protection(&program(&mutex, one, LOCKED)).is_some(), "{one}");
    }
    let not_got = [
        "if (pthread_mutex_trylock(&m) != 0) { x++; }",
        "pthread_mutex_trylock(&m); x++; give();",
        "int r = pthread_mutex_trylock(&m); r = 0; if (r == 0) { x++; }",
        "int r = pthread_mutex_trylock(&m); if (r == 0) give(); if (r == 0) x++;",
        "int r = pthread_mutex_trylock(&n); if (r == 0) { x++; pthread_mutex_unlock(&n); }",
        "int r = pthread_mutex_trylock(&m), s = pthread_mutex_trylock(&n); if (s == 0) x++; if (r == 0) give();",
        "int r = 0; if (turn) r = pthread_mutex_trylock(&m); if (r == 0) x++;",
        "if (wanted() != 1) { x++; give(); }",
        "attempt(); x++;",
    ];
    for one in not_got {
        assert_eq!(protection(&program(&mutex, one, LOCKED)), None, "{one}");
    }
    let of = |one: &str, other: &str| protection(&program(READ_WRITE, one, other)).is_some();
    let reads = "if (pthread_rwlock_tryrdlock(&l) == 0) { int v = x; v++; pthread_rwlock_unlock(&l); }";
    let writes = "if (pthread_rwlock_trywrlock(&l) == 0) { x++; pthread_rwlock_unlock(&l); }";
    assert!(of(reads, WRITER) && of(reads, writes) && of(writes, writes));
    // Held for reading alone, both would write at once.
    let reads_and_writes = "if (pthread_rwlock_tryrdlock(&l) == 0) { x++; pthread_rwlock_unlock(&l); }";
    assert!(!of(reads_and_writes, reads_and_writes) && !of(reads_and_writes, reads));
    assert!(!of("if (pthread_rwlock_tryrdlock(&l) != 0) { int v = x; v++; }", WRITER));
    // In memory from the heap.
    let heap = "struct cell { pthread_rwlock_t lock; int value; } *cell;
        void write(struct cell *c) { pthread_rwlock_wrlock(&c->lock); c->value++; pthread_rwlock_unlock(&c->lock); }
        int read(struct cell *c) { int v = 0; if (!pthread_rwlock_tryrdlock(&c->lock)) { v = c->value;
          pthread_rwlock_unlock(&c->lock); } return v; }
        struct cell *make(void) { struct cell *c = malloc(sizeof *c); c->value = 0; pthread_rwlock_init(&c->lock, 0); return c; }
        #define START for (int i = 0; i < 3; i++) cell = make();";
    assert_eq!(
        protection(&program(heap, "write(cell);", "read(cell);")),
        Some(Protection::Guarded(Guard::Within(0, LockKind::ReadWrite)))
    );
    assert_eq!(protection(&program(heap, "write(cell);", "cell->value++;")), None);
}

const QUEUE: &str = "struct node { struct node *next; int value; };
    struct queue { pthread_mutex_t lock; struct node *list; int length; } *queue;
    #define START queue = malloc(sizeof *queue); queue->list = 0; queue->length = 0; pthread_mutex_init(&queue->lock, 0);
    void push(struct queue *q, int v) { struct node *n = malloc(sizeof *n); n->value = v;
      pthread_mutex_lock(&q->lock); n->next = q->list; q->list = n; q->length++; pthread_mutex_unlock(&q->lock); }
    int pop(struct queue *q) { int v = 0; pthread_mutex_lock(&q->lock); struct node *n = q->list;
      if (n) { q->list = n->next; v = n->value; q->length--; } pthread_mutex_unlock(&q->lock); return v; }
    #define BARE queue->length++;";

/// What protects an object is followed through pointers, parameters and memory from the heap.
#[test]
fn locks_of_objects_on_the_heap_guard_them() {
    let own_lock = |offset| Some(Protection::Guarded(Guard::Within(offset, LockKind::Mutex)));
    let (push, pop) = ("push(queue, 1);", "pop(queue);");
    let both = program(QUEUE, push, pop);
    let found = proof(&both);
    let site_of = |function: &str| {
        let allocates = |edge: &selvedge_program::Edge| match edge.action {
            selvedge_program::Action::Allocate { site, .. } => Some(AbstractObject::Site(site)),
            _ => None,
        };
        let function = both.functions.iter().find(|other| other.name == function);
        function.and_then(|function| function.edges.iter().find_map(allocates)).expect("it allocates")
    };
    let queue = site_of("main");
    // The queue is allocated once, so its lock is one lock wherever it is spoken of.
    let lock = Lock { object: queue, offset: 0, kind: LockKind::Mutex };
    assert_eq!(found.objects.get(&queue), Some(&Protection::Guarded(Guard::Lock(lock))));
    // Nodes are written before anybody else knows of them.
    assert_eq!(found.objects.get(&site_of("push")), Some(&Protection::ReadOnly));
    assert_eq!(found.objects.get(&object(&both, "queue")), Some(&Protection::ReadOnly));
    assert_eq!(protection(&program(QUEUE, push, "BARE")), None);
    // Any number of objects, each with a lock of its own.
    let accounts = "struct account { int id; pthread_mutex_t lock; int balance; } *all[8];
        struct account *open(int id) { struct account *a = malloc(sizeof *a); a->id = id; a->balance = 0;
          pthread_mutex_init(&a->lock, 0); return a; }
        void put(struct account *a, int v) { pthread_mutex_lock(&a->lock); a->balance += v; pthread_mutex_unlock(&a->lock); }
        #define START for (int i = 0; i < 8; i++) all[i] = open(i);";
    assert_eq!(protection(&program(accounts, "put(all[1], 2);", "put(all[1], 3);")), own_lock(8));
    assert_eq!(protection(&program(accounts, "put(all[1], 2);", "all[1]->balance = 3;")), None);
    assert_eq!(
        protection(&program(
            accounts,
            "put(all[1], 2);",
            "struct account *a = all[1]; pthread_mutex_lock(&all[2]->lock); a->balance = 3; pthread_mutex_unlock(&all[2]->lock);"
        )),
        None
    );
    // What is opened while others run is nobody else's until it is stored.
    let later = accounts.replace("START for", "LATER for");
    assert_eq!(
        protection(&program(
            &later,
            "struct account *a = open(1); put(a, 1);",
            "struct account *b = open(2); put(b, 1);"
        )),
        Some(Protection::Apart)
    );
    // A lock that is initialised where others may hold it is none.
    let again = "struct account *a = all[1]; pthread_mutex_init(&a->lock, 0); put(a, 1);";
    assert_eq!(protection(&program(accounts, "put(all[1], 2);", again)), None);
}

/// What is read where nobody has written may be the address of anything.
#[test]
fn addresses_out_of_nothing_protect_nothing() {
    let shared = "struct cell { int *at; int full; } *cell; int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void put(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }";
    let with = |start: &str| program(&format!("{shared}\n#define START {start}"), "put(); *cell->at = 1;", "put();");
    let written = "struct cell *c = malloc(sizeof *c); c->at = malloc(4); *c->at = 0; cell = c;";
    assert!(confirmed(&with(written)).is_some());
    assert!(confirmed(&with("cell = calloc(1, sizeof *cell); if (!cell->at) cell->at = malloc(4);")).is_some());
    assert_eq!(confirmed(&with("cell = malloc(sizeof *cell);")), None);
    assert_eq!(confirmed(&with("cell = malloc(sizeof *cell); if (cell->full) cell->at = malloc(4);")), None);
    assert_eq!(confirmed(&with("struct cell c; cell = malloc(sizeof *cell); *cell = c;")), None);
    assert_eq!(confirmed(&with("struct cell *d = malloc(sizeof *d); cell = d; d->at = malloc(4);")), None);
    let by_function = "cell = malloc(sizeof *cell); fill(cell);";
    let fill = |body: &str| {
        let shared = format!("{shared}\nvoid fill(struct cell *c) {{ {body} }}\n#define START {by_function}");
        confirmed(&program(&shared, "put(); *cell->at = 1;", "put();"))
    };
    // It is stored before it is filled, so others might find it as it was.
    assert_eq!(fill("c->at = malloc(4);"), None);
    let first = by_function
        .replace("cell = malloc(sizeof *cell); fill(cell);", "struct cell *d = malloc(sizeof *d); fill(d); cell = d;");
    let fill = |body: &str| {
        let shared = format!("{shared}\nvoid fill(struct cell *c) {{ {body} }}\n#define START {first}");
        confirmed(&program(&shared, "put(); *cell->at = 1;", "put();"))
    };
    assert!(fill("c->at = malloc(4);").is_some());
    assert_eq!(fill("if (c->full) c->at = malloc(4);"), None);
}

/// A number that is chosen and never compared with an address is none, as far as the program is defined.
#[test]
fn chosen_numbers_are_addresses_where_they_meet_one() {
    let shared =
        "int x, y; void *at[2]; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; long __VERIFIER_nondet_long(void);
        void put(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }";
    let with = |write: &str| {
        let one = format!("put(); at[0] = &y; at[1] = (void *)__VERIFIER_nondet_long(); {write}");
        program(shared, &one, "put();")
    };
    let unseen = with("for (int i = 0; i < 2; i++) *(int *)at[i] = 1;");
    assert!(protection(&unseen).is_some());
    assert_eq!(confirmed(&unseen), None);
    let given = format!("extern void *__VERIFIER_nondet_pointer(void); {MUTEX}");
    let given = |other: &str| program(&given, LOCKED, &format!("p = __VERIFIER_nondet_pointer(); {other}"));
    assert_eq!(confirmed(&given("*p = 1;")), None);
    assert_eq!(protection(&given("if (p == &x) *p = 1;")), None);
    assert_eq!(protection(&with("if (at[1] == &x) *(int *)at[1] = 1;")), None);
    assert_eq!(protection(&with("if ((char *)at[1] - (char *)&x == 0) *(int *)at[1] = 1;")), None);
    // Byte by byte, too.
    assert_eq!(protection(&with("at[0] = &x; if (memcmp(&at[0], &at[1], 8) == 0) *(int *)at[1] = 1;")), None);
    // Who has met another object's address may have that one, and what is found there.
    assert!(protection(&with("if (at[1] == &y) *(int *)at[1] = 1;")).is_some());
    assert_eq!(protection(&with("int *z = &x; if (at[1] == &z) **(int **)at[1] = 1;")), None);
    // What may be that one may meet a third.
    let third = "int *z[2] = { &x, &y }; if (at[1] == &z[0]) at[1] = *(int **)at[1] == &x ? at[1] : 0;";
    assert_eq!(protection(&with(&format!("{third} int *f = *(int **)at[1]; *f = 1;"))), None);
}

/// Of an address, a part may be overwritten: it is not known then where it leads to.
#[test]
fn pieces_of_addresses_rest_on_something() {
    let shared =
        "int a[128], x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; union { int *p; char bytes[8]; int number; } u;
        void put(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); } int at;";
    let with = |write: &str| program(shared, &format!("put(); u.p = a; {write} *u.p = 1;"), "put();");
    assert!(confirmed(&with("")).is_some());
    for write in ["u.bytes[0] = 4;", "u.number = 4;", "u.bytes[at] = 4;"] {
        assert!(protection(&with(write)).is_some(), "{write}");
        assert_eq!(confirmed(&with(write)), None, "{write}");
    }
}

/// Who would write to a constant is undefined: what pointers may point to need not say what would be there.
#[test]
fn constants_are_not_written() {
    let shared = "char *name; int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; char **at[2];
        void put(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }";
    let write = "put(); name = \"name of something\"; at[0] = &name; at[1] = (char **)name;
        for (int i = 0; i < 1; i++) *at[i] = name;";
    let guarded = program(shared, write, "put();");
    assert!(protection(&guarded).is_some());
    let literal = |object: &AbstractObject| object.name(&guarded).contains("name of");
    assert!(proof(&guarded).objects.keys().any(literal));
    assert_eq!(protection(&program(shared, write, "x++;")), None);
}

/// Only one thread accesses it, or it is accessed before there are others.
#[test]
fn what_one_thread_has_to_itself_is_protected() {
    let of = |one: &str, other: &str| protection(&program("int x; void touch(void) { x++; }", one, other));
    assert!(of("touch(); x = 2;", "").is_some());
    assert_eq!(of("touch();", "touch();"), None);
    let in_a_loop = "int x; void *again(void *a) { x++; return 0; }
        \n#define START for (int i = 0; i < 3; i++) { pthread_t t; pthread_create(&t, 0, again, 0); }";
    assert_eq!(protection(&program(in_a_loop, "", "")), None);
    let before = "int x; void fill(void) { x = 1; }\n#define START fill(); x++;";
    assert_eq!(protection(&program(before, "int v = x; v++;", "int v = x; v--;")), Some(Protection::ReadOnly));
    // Beside a thread that does not access it, before those are started that do.
    let after = "int x; void *early(void *a) { return a; }
        \n#define START pthread_t t; pthread_create(&t, 0, early, 0); x = 1;";
    assert_eq!(protection(&program(after, "int v = x; v++;", "")), Some(Protection::Excluded));
    let looked_at = after.replace("return a;", "return x ? a : 0;");
    assert_eq!(protection(&program(&looked_at, "int v = x; v++;", "")), None);
}

/// What protects `x`, and rests on nothing, by what `main` does: threads that `work` write it, those that `look` read it.
fn started(main: &str) -> Option<Protection> {
    let text = format!(
        "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\nextern int __VERIFIER_nondet_int(void);
        int x, n, m; pthread_t all[4];
        void *work(void *a) {{ x++; return a; }} void *look(void *a) {{ int v = x; return v ? a : 0; }}
        void *none(void *a) {{ return a; }} void *sets(void *a) {{ n = 2; return a; }}
        void *starts(void *a) {{ pthread_t t; pthread_create(&t, 0, work, 0); return a; }}
        void *joins(void *a) {{ pthread_join(all[0], 0); return a; }}
        void start(pthread_t *t) {{ pthread_create(t, 0, look, 0); }} void end(pthread_t t) {{ pthread_join(t, 0); }}
        int main(int argc, char **argv) {{ pthread_t s, t, u[4], *h = malloc(argc * sizeof *h); {main} return 0; }}"
    );
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("it can be written to");
    confirmed(&compiled(&path).expect("it is right"))
}

/// A thread is not there before it is started, and not after it was joined.
#[test]
fn what_is_joined_is_gone() {
    let cases = [
        "x = 1; pthread_create(&s, 0, work, 0); pthread_join(s, 0); x = 2;",
        "pthread_create(&s, 0, none, 0); x = 1; pthread_create(&t, 0, work, 0);",
        "for (;;) { pthread_create(&s, 0, work, 0); pthread_join(s, 0); x = 2; }",
        "pthread_create(&s, 0, work, 0); pthread_join(s, 0); pthread_create(&t, 0, work, 0); pthread_join(t, 0); x = 1;",
        "start(&s); end(s); x = 2;",
        "start(&s); if (argc > 1) { end(s); x = 1; return 1; } end(s); x = 2;",
        "pthread_create(&s, 0, look, 0); pthread_create(&t, 0, look, 0); pthread_join(t, 0); pthread_join(s, 0); x = 2;",
        // A handle that may be of several starts: these are counted together.
        "pthread_create(&all[0], 0, look, 0); pthread_create(&all[1], 0, look, 0);
         for (int i = 0; i < 2; i++) pthread_join(all[i], 0); x = 2;",
        // Loops over the same range: a constant, a register or memory that nobody writes any more.
        "for (int i = 0; i < 4; i++) pthread_create(&all[i], 0, look, 0); for (int i = 0; i < 4; i++) end(all[i]); x = 2;",
        "for (int i = 0; i < 4; i++) start(&all[i]); for (int i = 3; i >= 0; i--) pthread_join(all[i], 0); x = 2;",
        "for (int i = 0; i < 4; i++) pthread_create(&u[i], 0, look, 0); for (int i = 0; i < 4; i++) pthread_join(u[i], 0);
         x = 2;",
        "for (int i = 0; i < argc; i++) pthread_create(&h[i], 0, look, 0);
         for (int i = 0; i < argc; i++) pthread_join(h[i], 0); x = 2;",
        "n = argc; for (int i = 0; i < n; i++) pthread_create(&all[i], 0, look, 0);
         for (int i = 0; i < n; i++) pthread_join(all[i], 0); x = 2;",
    ];
    for main in cases {
        assert!(started(main).is_some(), "{main}");
    }
}

#[test]
fn what_is_not_joined_may_be_there() {
    let cases = [
        "pthread_create(&s, 0, work, 0); x = 2; pthread_join(s, 0);",
        // Another thread is joined, or one of two, or on one of two ways.
        "pthread_create(&s, 0, work, 0); pthread_create(&t, 0, none, 0); pthread_join(t, 0); x = 2;",
        "pthread_create(&s, 0, look, 0); pthread_create(&t, 0, look, 0); pthread_join(t, 0); x = 2;",
        "pthread_create(&s, 0, work, 0); if (argc > 1) pthread_join(s, 0); x = 2;",
        "pthread_create(&s, 0, work, 0); while (argc-- > 1) pthread_join(s, 0); x = 2;",
        // The handle is overwritten, or never written.
        "pthread_create(&s, 0, look, 0); pthread_create(&s, 0, look, 0); pthread_join(s, 0); x = 2;",
        "pthread_create(&s, 0, work, 0); pthread_create(&t, 0, none, 0); s = t; pthread_join(s, 0); x = 2;",
        "pthread_create(&s, 0, work, 0); pthread_t v; if (argc > 1) v = s; pthread_join(v, 0); x = 2;",
        // Not all of an array, or others than were started.
        "for (int i = 0; i < 4; i++) pthread_create(&all[i], 0, look, 0); for (int i = 0; i < 3; i++) end(all[i]); x = 2;",
        "for (int i = 0; i < 4; i++) pthread_create(&all[i], 0, look, 0); for (int i = 1; i < 4; i++) end(all[i]); x = 2;",
        "for (int i = 0; i < 4; i += 1) pthread_create(&all[i], 0, look, 0);
         for (int i = 0; i < 4; i += 2) pthread_join(all[i], 0); x = 2;",
        "for (int i = 0; i < 4; i++) pthread_create(&all[i], 0, look, 0);
         for (int i = 0; i < 4; i++) { if (n) break; pthread_join(all[i], 0); } x = 2;",
        "for (int i = 0; i < 4; i++) pthread_create(&all[i], 0, look, 0);
         for (int i = 0; i < 4; i++) { if (n) continue; pthread_join(all[i], 0); } x = 2;",
        "for (int i = 0; i < 2; i++) { start(&all[i]); start(&all[i + 2]); } for (int i = 0; i < 2; i++) end(all[i]); x = 2;",
        // The bound is another one, or has become one.
        "for (int i = 0; i < argc; i++) pthread_create(&all[i], 0, look, 0);
         for (int i = 0; i < n; i++) pthread_join(all[i], 0); x = 2;",
        "int k = argc; for (int i = 0; i < k; i++) pthread_create(&all[i], 0, look, 0); k = 1;
         for (int i = 0; i < k; i++) pthread_join(all[i], 0); x = 2;",
        "n = argc; for (int i = 0; i < n; i++) pthread_create(&all[i], 0, look, 0); n = 1;
         for (int i = 0; i < n; i++) pthread_join(all[i], 0); x = 2;",
        "n = argc; pthread_create(&t, 0, sets, 0); for (int i = 0; i < n; i++) pthread_create(&all[i], 0, look, 0);
         for (int i = 0; i < n; i++) pthread_join(all[i], 0); x = 2;",
        "for (int i = 0; i < n; i++) pthread_join(all[i], 0); n = argc;
         for (int i = 0; i < n; i++) pthread_create(&all[i], 0, look, 0); x = 2;",
        // Elements that the first loop has not written, or that somebody has spoiled.
        "for (int i = 0; i < 4; i++) { if (argc > i) pthread_create(&u[i], 0, look, 0); }
         for (int i = 0; i < 4; i++) pthread_join(u[i], 0); x = 2;",
        "for (int i = 0; i < 2; i++) pthread_create(&u[i], 0, look, 0); for (int i = 0; i < 2; i++) pthread_join(u[i + 2], 0);
         x = 2;",
        // What a joined thread has started is still there; and a thread that is started again.
        "pthread_create(&s, 0, starts, 0); pthread_join(s, 0); x = 2;",
        "for (int i = 0; i < 2; i++) { x = 1; pthread_create(&s, 0, work, 0); } pthread_join(s, 0);",
        "pthread_create(&all[0], 0, work, 0); pthread_create(&t, 0, joins, 0); x = 2; pthread_join(t, 0);",
    ];
    for main in cases {
        assert_eq!(started(main), None, "{main}");
    }
}

/// A lock whose bytes are overwritten guards nothing, unless it is not in use then; other locks are not touched.
#[test]
fn bytes_are_moved_where_there_are_no_locks() {
    let shared = format!(
        "struct pair {{ char name[24]; int key; }} a, b; struct kept {{ pthread_mutex_t lock; int v; }} k, *kept_at; {MUTEX}"
    );
    let of = |other: &str| protection(&program(&shared, LOCKED, other));
    assert!(of("take(); memcpy(a.name, b.name, 24); strcpy(b.name, a.name); give(); both();").is_some());
    // So many that a function looks for locks among them.
    assert!(of("take(); memcpy(a.name, b.name, (unsigned)a.key); give(); both();").is_some());
    // Another lock.
    let made = "struct kept *c = malloc(sizeof *c); if (!c) return 0;";
    for body in ["memset(c, 0, sizeof *c);", "memcpy(c, &k, sizeof *c);", "*c = k;"] {
        assert!(
            of(&format!("{made} pthread_mutex_init(&c->lock, 0); pthread_mutex_lock(&c->lock); {body} both();"))
                .is_some()
        );
    }
    assert!(
        of("char *to = a.key ? (char *)&k : a.name; pthread_mutex_lock(&k.lock); memset(to, 0, 8); both();").is_some()
    );
    // Its own.
    for body in [
        "memset(&m, 0, sizeof m);",
        "memcpy(&m, &n, sizeof m);",
        "memmove((char *)&m + 8, &n, 8); memset(&m, 0, 1);",
        "m = n;",
        "memset(a.key ? (void *)&m : (void *)&a, 0, sizeof m);",
        "memset(&m, 0, (unsigned)a.key);",
    ] {
        assert_eq!(of(&format!("{body} both();")), None, "{body}");
    }

    // One that lies beside what it guards, in memory that was just allocated, or was used before.
    let beside = |made: &str, other: &str| {
        let shared = format!(
            "struct kept {{ pthread_mutex_t lock; int v; }} k, *p;
            void *take_new(size_t n) {{ struct kept *new = malloc(n); if (!new) abort(); return new; }}
            #define START struct kept *c; {made} p = c;"
        );
        let count = "pthread_mutex_lock(&p->lock); p->v++; pthread_mutex_unlock(&p->lock);";
        protection(&program(&shared, count, &format!("{other} {count}")))
    };
    let made = "c = take_new(sizeof *c); memset(c, 0, sizeof *c);";
    assert!(beside(made, "").is_some());
    assert!(beside("c = malloc(sizeof *c); if (!c) return 0; memset(c, 0, sizeof *c);", "").is_some());
    assert!(beside("posix_memalign((void **)&c, 64, sizeof *c); memset(c, 0, sizeof *c);", "").is_some());
    for body in ["memset(p, 0, sizeof *p);", "*p = k;", "memset(p, 0, 1);", "memcpy(p, &k, (unsigned)k.v);"] {
        assert_eq!(beside(made, body), None, "{body}");
    }
}

/// A local is another one in each thread, as long as its own function accesses it.
#[test]
fn locals_of_threads_are_apart() {
    let shared = "int *p; void *again(void *a) { int x = 1; p = &x; x = 2; return 0; }
        \n#define START for (int i = 0; i < 3; i++) { pthread_t t; pthread_create(&t, 0, again, 0); }";
    let of = |other: &str| {
        let program = program(shared, "", other);
        let again = program.functions.iter().position(|function| function.name == "again").expect("it is there");
        let local =
            AbstractObject::Frame(selvedge_program::FunctionId::new(again), selvedge_program::FrameObjectId::new(0));
        proof(&program).objects.get(&local).copied()
    };
    assert!(of("").is_some());
    assert_eq!(of("if (p) *p = 3;"), None);
}

/// How many states the plainest search visits of each program.
const STATES: usize = 300;

/// The programs that come with the tests, as far as races go.
fn programs() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let folders = ["lock", "modular", "race", "rwlock", "spin", "condition", "threadlife"];
    let mut paths = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(root.join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        paths.extend(entries.map(|entry| entry.expect("the folder can be read").path()));
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    paths
}

#[test]
fn the_plainest_search_finds_no_race_on_what_is_protected() {
    let (mut protected, mut by_field) = (0, 0);
    for path in programs() {
        let Some(program) = compiled(&path) else { continue };
        let proof = proof(&program);
        if proof.addresses == Addresses::Assumed {
            continue;
        }
        protected += proof.objects.len();
        let found = recheck(&program, STATES, 16);
        let shared: BTreeSet<AbstractObject> = found.raced.iter().map(|(object, _)| *object).collect();
        for object in shared {
            let names: BTreeMap<String, Field> = Field::of(&program, object).into_iter().map(|(a, b)| (b, a)).collect();
            for name in fields(&program, object).keys() {
                let is_hit = |(other, bytes): &(AbstractObject, Field)| {
                    *other == object && names[name].overlaps(bytes.offset, bytes.size)
                };
                assert!(!found.raced.iter().any(is_hit), "{}: {name} is not protected", path.display());
                by_field += 1;
            }
        }
        for subject in found.subjects {
            if let Subject::Race(object) = subject {
                assert!(!proof.objects.contains_key(&object), "{}: {object:?} is not protected", path.display());
            }
        }
    }
    assert!(protected >= 100, "{protected} objects are protected");
    assert!(by_field >= 1, "{by_field} fields of objects with races are protected");
}

/// Functions that take and give back the locks that they are given do so with what each call gives them.
#[test]
fn functions_lock_what_they_are_given() {
    let shared = format!(
        "typedef struct {{ int kind; pthread_mutex_t m; }} lock; lock k, j;
         void get(lock *l) {{ pthread_mutex_lock(&l->m); }} void put(lock *l) {{ pthread_mutex_unlock(&l->m); }}
         void twice(lock *l) {{ get(l); }} int rest(lock *l, int n) {{ return n ? rest(l, n - 1) : (put(l), 0); }} {MUTEX}"
    );
    let of = |one: &str, other: &str| protection(&program(&shared, one, other));
    let locked = "get(&k); x++; put(&k);";
    assert!(of(locked, "twice(&k); x++; put(&k);").is_some());
    assert!(of(locked, "get(&k); get(&j); put(&j); x++; put(&k);").is_some());
    assert_eq!(of(locked, "get(&k); put(&k); x++;"), None);
    assert_eq!(of(locked, "get(&j); x++; put(&j);"), None);
    assert_eq!(of(locked, "get(&k); rest(&k, 2); x++;"), None);
    assert_eq!(of(locked, "lock *l = rand() ? &k : &j; get(&k); put(l); x++;"), None);
}

/// A struct with a lock of its own, of which `count` is always guarded.
const POOL: &str = "struct pool { pthread_mutex_t lock; int count, other; union { int number; char text[4]; };
        unsigned low : 3, high : 5; int seen; } x = { PTHREAD_MUTEX_INITIALIZER };
    int any(void);
    void count(struct pool *p) { pthread_mutex_lock(&p->lock); p->count++; pthread_mutex_unlock(&p->lock); }";

#[test]
fn fields_are_protected_one_by_one() {
    let of = |one: &str, other: &str| {
        let program = program(POOL, one, other);
        let x = object(&program, "x");
        assert!(!proof(&program).objects.contains_key(&x), "{one} beside {other}: all of it is protected");
        let found = fields(&program, x);
        found.into_keys().filter(|name| name != ".lock").collect::<Vec<_>>().join(" ")
    };
    let count = "count(&x);";
    let bits = ".high or .low";
    let rest = ".number or .text .seen";
    assert_eq!(of(&format!("{count} x.other++;"), &format!("{count} x.other++;")), format!(".count {bits} {rest}"));
    // What others do to all of it, or to any byte of it, is done to each field.
    let all = "struct pool copy = x; x.other = copy.count;";
    assert_eq!(of(&format!("{count} x.other++;"), all), format!("{bits} {rest}"));
    let byte = "((char *)&x)[(unsigned)(long)argument % sizeof x] = 1;";
    let other_fields = format!("{bits} .number or .text .other .seen");
    assert_eq!(of(count, &byte.replace("(long)argument", "rand()")), other_fields);
    // A byte of one field is in that field alone.
    let both = "count(&x); x.other++;";
    assert!(of(both, "((char *)&x.other)[1] = 1; count(&x);").contains(".count"));
    assert!(!of(both, "((char *)&x.count)[1] = 1; count(&x);").contains(".count"));
    // Members of a union, and bit-fields that share a byte, are one field.
    let lock = "pthread_mutex_lock(&x.lock);";
    let give = "pthread_mutex_unlock(&x.lock);";
    let union = of(&format!("{lock} x.number = 1; {give} count(&x);"), "x.text[2] = 1; count(&x);");
    assert_eq!(union, format!(".count {bits} .other .seen"));
    let shared = of(&format!("{lock} x.low = 1; {give} count(&x);"), "x.high = 1; count(&x);");
    assert_eq!(shared, ".count .number or .text .other .seen");
}

#[test]
fn fields_of_elements_and_of_other_objects_are_told_apart() {
    let cells = "struct cell { pthread_mutex_t lock; int n, m; } x[4]; pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;";
    let of = |one: &str, other: &str| {
        let program = program(cells, one, other);
        fields(&program, object(&program, "x")).into_keys().collect::<Vec<_>>().join(" ")
    };
    let of_n = "struct cell *c = &x[rand() % 4]; pthread_mutex_lock(&l); c->n++; pthread_mutex_unlock(&l); c->m++;";
    assert_eq!(of(of_n, of_n), "[].n");
    // A lock of one element says nothing of the others, and neither do accesses to a fixed one.
    let own = "struct cell *c = &x[1], *d = &x[rand() % 4]; pthread_mutex_lock(&c->lock); d->n++; pthread_mutex_unlock(&c->lock); x[2].m++;";
    assert_eq!(of(own, "x[2].m = 1; x[3].n = 1;"), "");
    assert_eq!(of(of_n, "for (int i = 0; i < (int)sizeof x; i++) ((char *)x)[i] = 0;"), "");
    let sites = "struct node { pthread_mutex_t lock; int count, other; } *p, *q;
        struct node *make(void) { struct node *n = malloc(sizeof *n); pthread_mutex_init(&n->lock, 0); n->count = 0;
            n->other = 0; return n; }
        void add(struct node *n, struct node *with) { pthread_mutex_lock(&with->lock); n->count++;
            pthread_mutex_unlock(&with->lock); n->other++; }
        void own(struct node *n) { pthread_mutex_lock(&n->lock); n->count++; pthread_mutex_unlock(&n->lock); n->other++; }
        \n#define START p = make(); q = make();";
    let of = |one: &str, other: &str| {
        let program = program(sites, one, other);
        let site = AbstractObject::Site(selvedge_program::SiteId(0));
        fields(&program, site).into_keys().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of("own(p); own(q);", "own(q);"), ".count");
    assert_eq!(of("add(q, p);", "own(q);"), "");
    // What one call has made is not what another has.
    assert_eq!(of("own(p);", "own(q); p->count = 1;"), ".other");
    assert_eq!(of("own(p); own(q);", "own(q); p->count = 1;"), "");
    assert_eq!(of("own(p);", "struct node *r = q; if (rand()) r = p; r->other = 1; p->count = 1;"), "");
}

const CALLED: &str = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, y; typedef void (*job)(int *); job pending;
    void with(int *p) { pthread_mutex_lock(&m); ++*p; pthread_mutex_unlock(&m); } void bare(int *p) { ++*p; }
    void apply(job f, int *p) { f(p); } void pass(job f, int *p) { apply(f, p); }
    void change(job f, int *p) { if (!rand()) f = bare; f(p); } void later(job f, int *p) { pending = f; pending(p); }
    void deep(job f, int *p, int n) { if (n) deep(bare, p, n - 1); else f(p); }
    void given(job f, int *p) { job *q = &f; *q = bare; f(p); }
    void twice(void *f, int *p) { if (f) ((void (*)(void *, int *))f)(f, p); bare(p); }
    int *either(int *p, int *q) { return rand() ? p : q; } void *entry(void *a) { bare(a); return 0; }";

/// What is said of a function is said of one call of it: whose memory it is given, and which function.
#[test]
fn calls_of_a_function_are_told_apart() {
    let of = |one: &str, other: &str| protection(&program(CALLED, one, other));
    let apart = [
        ("with(&x); bare(&y);", "with(&x);"),
        ("apply(with, &x); apply(bare, &y);", "pass(with, &x);"),
        ("pass(bare, &x); memset(&x, 0, 4);", "pass(bare, &y); memset(&y, 0, 4);"),
        ("*either(&x, &x) = 1;", "*either(&y, &y) = 1;"),
        ("twice(twice, &y);", "with(&x);"),
    ];
    for (one, other) in apart {
        assert!(of(one, other).is_some(), "{one} beside {other}");
    }
    let racing = [
        ("with(&x);", "bare(&x);"),
        ("apply(with, &x);", "apply(bare, &x);"),
        ("pass(with, &x);", "pass(with, &x); pass(bare, &x);"),
        ("apply(with, &x);", "change(with, &x);"),
        ("apply(with, &x);", "later(with, &x); later(bare, &x);"),
        ("apply(with, &x);", "deep(with, &x, 1);"),
        ("apply(with, &x);", "given(with, &x);"),
        ("apply(with, &x);", "job f = with; if (rand()) f = bare; apply(f, &x);"),
        ("apply(with, &x);", "pending = bare; apply(pending, &x);"),
        ("with(&x);", "twice(twice, &x);"),
        ("with(&x);", "twice(with, &x);"),
        ("*either(&y, &x) = 1;", "*either(&x, &y) = 1;"),
        ("with(&x);", "pthread_t t, u; pthread_create(&t, 0, entry, &x); pthread_create(&u, 0, entry, &y);"),
        ("memset(&x, 0, 4);", "memset(rand() ? &x : &y, 0, 4);"),
    ];
    for (one, other) in racing {
        assert_eq!(of(one, other), None, "{one} beside {other}");
    }
    // Memory by who had it made, and what was handed from one to the other.
    let cells =
        "int *p, *q; int *make(void) { int *n = malloc(4); *n = 0; return n; } int **place(int **a) { return a; }
        #define START p = make(); q = make();";
    let of = |one: &str, other: &str| protection(&program(cells, one, other));
    assert!(of("++*p;", "++*q;").is_some() && of("int *n = make(); ++*n;", "++*q;").is_some());
    assert_eq!(of("++*p;", "++*p;"), None);
    assert_eq!(of("++*p;", "*place(&p) = q; ++*q; ++*p;"), None);
    assert_eq!(of("int *n = make(); p = n; ++*n;", "++*p;"), None);
    assert_eq!(of("++**place(&p);", "++**place(rand() ? &p : &q);"), None);
}

const NUMBERS: &str = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, y; typedef int (*job)(int); job pending;
    int zero(int n) { return 0; } int either(int n) { if (n) return 0; return 1; } int same(int n) { return n; }
    int bare(int n) { if (n) x++; return 0; } int count(int n) { int i = 0; while (i < n) i++; return i; }
    int deep(int n) { if (n == 3) { x++; return 0; } return deep(n + 1); }
    void with(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
    void *entry(void *a) { if (a) x++; return 0; }";

/// What constants exclude is not there; what they do not exclude is.
#[test]
fn branches_that_constants_exclude_are_never_taken() {
    let of = |other: &str| protection(&program(NUMBERS, "with();", other));
    for other in ["if (zero(1)) x++;", "bare(0);", "int n = 4; if (n != 4) x++;"] {
        assert!(of(other).is_some(), "{other}");
    }
    let racing = [
        "bare(0); bare(1);",
        "bare(same(0)); bare(same(1));",
        "if (either(rand())) x++;",
        "int n = 0; if (rand()) n = 1; if (n) x++;",
        "int n = 0; while (rand()) n++; if (n) x++;",
        "for (int i = 0; i < 2; i++) if (i) x++;",
        "int n = 0; int *p = &n; *p = 1; if (n) x++;",
        "if (count(2) == 2) x++;",
        "deep(0);",
        "pending = bare; pending(1); bare(0);",
        "job f = rand() ? bare : zero; f(1);",
        "y = 1; if (y) x++;",
        "char c = 255; if (c < 0) x++;",
        "unsigned char c = 255; c++; if (!c) x++;",
        "pthread_t t; pthread_create(&t, 0, entry, &y);",
    ];
    for other in racing {
        assert_eq!(of(other), None, "{other}");
    }
}

/// Random calls of functions that call each other, through pointers too, with memory that is made, passed on and locked
/// or not: nothing is protected on which the plainest search finds a race.
#[test]
fn random_calls_race_on_nothing_that_is_protected() {
    let shared = CALLED.replace("rand()", "__VERIFIER_nondet_bool()");
    let shared = format!(
        "extern _Bool __VERIFIER_nondet_bool(void); {shared} int *p = &x, *q = &y;
        int *make(void) {{ int *n = malloc(4); *n = 0; return n; }} int **place(int **a) {{ return a; }}
        #define START p = make();"
    );
    let statements = [
        "with(A);",
        "bare(A);",
        "apply(F, A);",
        "pass(F, A);",
        "change(F, A);",
        "later(F, A);",
        "deep(F, A, 1);",
        "given(F, A);",
        "twice(F, A);",
        "*either(A, B) = 1;",
        "q = A;",
        "*place(&p) = B;",
        "memset(A, 0, 4);",
        "q = make(); bare(B);",
        "int *n = make(); bare(n); q = either(n, A);",
        "pthread_mutex_lock(&m); bare(A); pthread_mutex_unlock(&m);",
        "if (pending) pending(A);",
    ];
    let (mut protected, mut raced) = (0, 0);
    for seed in seeds(0..60) {
        let mut random = Random::new(seed);
        let mut body = || {
            let mut one = || {
                let mut pick = |all: &[&'static str]| *random.pick(all);
                let (statement, a, b) = (pick(&statements), pick(&PLACES), pick(&PLACES));
                let function = pick(&["with", "bare", "with"]);
                format!("{{ {} }} ", statement.replace('A', a).replace('B', b).replace('F', function))
            };
            [one(), one()].concat()
        };
        let (one, other) = (body(), body());
        let program = program(&shared, &one, &other);
        let proof = proof(&program);
        if proof.addresses == Addresses::Assumed {
            continue;
        }
        protected += proof.objects.len();
        for subject in recheck(&program, 3_000, 16).subjects {
            if let Subject::Race(object) = subject {
                raced += 1;
                assert!(!proof.objects.contains_key(&object), "{seed}: {object:?} in {one} beside {other}");
            }
        }
    }
    assert!(protected > 0 && raced > 0, "{protected} objects are protected, {raced} race");
}

const PLACES: [&str; 5] = ["&x", "&y", "p", "q", "*place(&q)"];

#[test]
fn what_a_proof_does_not_say_is_not_shown() {
    let program = common::compile("two_locks");
    let good = proof(&program);
    let claimed: Asked = good.objects.keys().copied().collect();
    let check = |changed: &ProtectionProof| certify(&program, changed, &claimed, &Budget::unlimited());
    assert_eq!(check(&good), Ok(()));
    let left = object(&program, "left");
    let mut changed = good.clone();
    changed.objects.remove(&left);
    assert_eq!(check(&changed), Err(Refusal::Unsaid(left)));
    changed.objects.insert(left, Protection::ReadOnly);
    assert_eq!(check(&changed), Err(Refusal::Unprotected(left)));
    let Protection::Guarded(Guard::Lock(lock)) = good.objects[&left] else { panic!("a lock guards it") };
    changed.objects.insert(left, Protection::Guarded(Guard::Lock(Lock { offset: lock.offset + 1, ..lock })));
    assert_eq!(check(&changed), Err(Refusal::Unprotected(left)));
    let other = common::twin_of("two_locks", "no_lock");
    assert!(certify(&other, &good, &claimed, &Budget::unlimited()).is_err());
}
