//! Arrays with a lock per element, for any index: what is protected, and the traps.

mod common;

use selvedge_evidence::protection::{Addresses, Guard, Protection, protected};
use selvedge_evidence::{Subject, recheck};
use selvedge_program::{Budget, LockKind};

use common::{object, program};

/// How many states the plainest search looks at of each program.
const STATES: usize = 20_000;

const LOCKS: &str = "
    extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
    pthread_mutex_t l[4], k[4]; int x[4]; 
    void lock(int i) { pthread_mutex_lock(&l[i]); } void unlock(int i) { pthread_mutex_unlock(&l[i]); }
    void add(int i) { x[i]++; }
    static int any(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) i = 0; return i; }";
const BY_INDEX: &str = "int i = any(); pthread_mutex_lock(&l[i]); x[i]++; pthread_mutex_unlock(&l[i]);";

const STRUCTS: &str = "
    extern int __VERIFIER_nondet_int(void); struct slot { pthread_mutex_t lock; int value, more; } x[3];
    static int any(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 2) i = 0; return i; }
    void add(struct slot *s) { pthread_mutex_lock(&s->lock); s->value++; pthread_mutex_unlock(&s->lock); }";
const IN_STRUCT: &str =
    "int i = any(); pthread_mutex_lock(&x[i].lock); x[i].value++; pthread_mutex_unlock(&x[i].lock);";

/// What protects `x`, if that rests on nothing.
fn protection(shared: &str, one: &str, other: &str) -> Option<Protection> {
    let program = program(shared, one, other);
    let x = object(&program, "x");
    let proof = protected(&program, &[x].into_iter().collect(), &Budget::unlimited()).expect("there is no limit");
    let found = proof.objects.get(&x).copied().filter(|_| proof.addresses == Addresses::Made);
    if found.is_some() {
        let races = recheck(&program, STATES, 4).subjects;
        assert!(!races.contains(&Subject::Race(x)), "{one} beside {other}");
    }
    found
}

#[test]
fn the_lock_of_the_same_index_guards_an_element() {
    let cases = [
        BY_INDEX,
        "int i = any(); lock(i); add(i); unlock(i);",
        "int i = any(); pthread_mutex_t *p = &l[i]; int *q = &x[i]; pthread_mutex_lock(p); *q = 1; pthread_mutex_unlock(p);",
        "for (int i = 0; i < 4; i++) { lock(i); x[i] = 0; unlock(i); }",
    ];
    for other in cases {
        let found = protection(LOCKS, BY_INDEX, other);
        let is_by_index = matches!(found, Some(Protection::Guarded(Guard::AtIndex(_, LockKind::Mutex))));
        assert!(is_by_index, "{other}: {found:?}");
    }
    // Several elements share a lock, and indices that wrap around do so alike.
    let shared = "int i = any(); lock(i % 2); x[i]++; unlock(i % 2);";
    assert!(protection(LOCKS, shared, shared).is_some());
    let hashed = "unsigned h = __VERIFIER_nondet_uint(); lock(h & 3); x[h & 3]++; unlock(h & 3);";
    assert!(protection(LOCKS, hashed, hashed).is_some());
    let long = "unsigned long z = __VERIFIER_nondet_uint(); z *= z; pthread_mutex_lock(&l[z]); x[z]++; pthread_mutex_unlock(&l[z]);";
    assert!(protection(LOCKS, long, long).is_some());
}

#[test]
fn the_lock_of_an_element_guards_it() {
    let pointer = "struct slot *s = &x[any()]; add(s);";
    for (one, other) in [(IN_STRUCT, IN_STRUCT), (pointer, pointer), (IN_STRUCT, pointer)] {
        let found = protection(STRUCTS, one, other);
        assert_eq!(found, Some(Protection::Guarded(Guard::InElement(LockKind::Mutex))), "{one} beside {other}");
    }
    let table = "struct slot { pthread_rwlock_t lock; int value; } x[3]; extern int __VERIFIER_nondet_int(void);";
    let index = "int i = __VERIFIER_nondet_int(); if (i < 0 || i > 2) return 0;";
    let read = format!(
        "{index} pthread_rwlock_rdlock(&x[i].lock); int v = x[i].value; v++; pthread_rwlock_unlock(&x[i].lock);"
    );
    let write = format!("{index} pthread_rwlock_wrlock(&x[i].lock); x[i].value++; pthread_rwlock_unlock(&x[i].lock);");
    assert!(protection(table, &read, &write).is_some());
}

#[test]
fn traps() {
    let cases = [
        // Another element is unlocked, or another one is accessed.
        (LOCKS, "int i = any(), j = any(); lock(i); unlock(j); x[i]++;"),
        (LOCKS, "int i = any(), j = any(); lock(i); x[j]++; unlock(i);"),
        (LOCKS, "int i = any(); lock(i); x[i ^ 1]++; unlock(i);"),
        (LOCKS, "int i = any(); lock(i); add(i > 0 ? i - 1 : 0); unlock(i);"),
        (LOCKS, "int i = any(); lock(i); x[i] = 0; unlock(i); x[i]++;"),
        // The index is changed in between.
        (LOCKS, "int i = any(); lock(i); i = any(); x[i]++; unlock(i);"),
        (LOCKS, "int i = 0; lock(i); while (any()) { x[i]++; i = (i + 1) % 4; } unlock(0);"),
        (
            LOCKS,
            "int i = any(); pthread_mutex_t *p = &l[i]; i = any(); pthread_mutex_lock(p); x[i]++; pthread_mutex_unlock(p);",
        ),
        // Elements of different sizes, and accesses that reach into the next element.
        (LOCKS, "int i = any() / 2; lock(i); *(long *)&x[2 * i] = 1; unlock(i);"),
        (LOCKS, "int i = any(); lock(i); ((short *)x)[i] = 1; unlock(i);"),
        (LOCKS, "int i = any(); lock(i); ((char *)x)[4 * i + 5] = 1; unlock(i);"),
        // Locks of another array, and one lock for another element.
        (LOCKS, "int i = any(); pthread_mutex_lock(&k[i]); x[i]++; pthread_mutex_unlock(&k[i]);"),
        (LOCKS, "int i = any(); lock(3 - i); x[i]++; unlock(3 - i);"),
        (LOCKS, "int i = any(); lock(i % 2); x[i]++; unlock(i % 2);"),
        (LOCKS, "int i = any(); if (pthread_mutex_trylock(&l[i])) x[i]++;"),
        (LOCKS, "int i = any(); lock(0); x[i]++; unlock(0);"),
        (
            STRUCTS,
            "int i = any(); pthread_mutex_lock(&x[i].lock); x[(i + 1) % 3].value++; pthread_mutex_unlock(&x[i].lock);",
        ),
        (STRUCTS, "struct slot *s = x; pthread_mutex_lock(&s->lock); s[1].value++; pthread_mutex_unlock(&s->lock);"),
        (
            STRUCTS,
            "struct slot *s = &x[any()], *t = &x[any()]; pthread_mutex_lock(&s->lock); t->value++; pthread_mutex_unlock(&s->lock);",
        ),
        (STRUCTS, "struct slot *s = &x[any()]; pthread_mutex_lock(&s->lock); s = &x[any()]; s->value++;"),
        // An index so large that what it is multiplied with wraps around to the middle of an element.
        (
            STRUCTS,
            "unsigned long z = __VERIFIER_nondet_int() ? 0xAAAAAAAAAAAAAAABul : 0; pthread_mutex_lock(&x[z].lock); x[z].value++;",
        ),
    ];
    for (shared, other) in cases {
        let good = if shared == LOCKS { BY_INDEX } else { IN_STRUCT };
        let found = protection(shared, good, other);
        assert_eq!(found, None, "{other}");
    }
}
