//! Locks that nothing sets up, and what looks like one and is set up somewhere.

mod common;

use common::compiled;
use selvedge_analysis::{PointsTo, unset_locks};

/// What is found in a program whose `main` begins and goes on like this.
fn found(shared: &str, main: &str) -> Vec<String> {
    let program = compiled(&format!("{LIBRARY} {shared} int main(void) {{ {main} return 0; }}"));
    unset_locks(&program, &PointsTo::of(&program)).into_iter().map(|(_, name)| name).collect()
}

const LIBRARY: &str =
    "typedef union { long __selvedge_words[5]; } pthread_mutex_t; typedef union { long __selvedge_words[7]; } pthread_rwlock_t;
    extern int pthread_mutex_init(pthread_mutex_t *, const void *), pthread_mutex_lock(pthread_mutex_t *);
    extern int pthread_mutex_unlock(pthread_mutex_t *), pthread_rwlock_rdlock(pthread_rwlock_t *);
    extern int pthread_rwlock_unlock(pthread_rwlock_t *);
    extern void *calloc(unsigned long, unsigned long), *memset(void *, int, unsigned long);
    extern void *memcpy(void *, const void *, unsigned long);";
const POOL: &str = "struct pool { int count; pthread_mutex_t lock; };
    void use(struct pool *p) { pthread_mutex_lock(&p->lock); p->count++; pthread_mutex_unlock(&p->lock); }";

#[test]
fn locks_that_nothing_sets_up_are_named() {
    let local = "pthread_mutex_t m; pthread_mutex_lock(&m); pthread_mutex_unlock(&m);";
    assert_eq!(found("", local), ["m in main"]);
    let made = "struct pool *p = malloc(sizeof *p); p->count = 0; use(p);";
    assert_eq!(found(POOL, made).len(), 1, "{:?}", found(POOL, made));
    assert!(found(POOL, made)[0].starts_with("lock of memory"), "{:?}", found(POOL, made));
    let read = "pthread_rwlock_t l; pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l);";
    assert_eq!(found("", read), ["l in main"]);
}

#[test]
fn locks_that_may_be_set_up_are_not() {
    let made = |set: &str| format!("struct pool *p = malloc(sizeof *p); p->count = 0; {set} use(p);");
    for set in [
        "pthread_mutex_init(&p->lock, 0);",
        "p->lock = (pthread_mutex_t){ { 0 } };",
        "memset(p, 0, sizeof *p);",
        "if (p->count) memset(&p->lock, 0, sizeof p->lock);",
        "struct pool q = { 1, { { 0 } } }; *p = q;",
        "struct pool q = { 1, { { 0 } } }; memcpy(p, &q, sizeof q);",
    ] {
        assert_eq!(found(POOL, &made(set)), <[&str; 0]>::default(), "{set}");
    }
    assert_eq!(found(POOL, "struct pool *p = calloc(1, sizeof *p); use(p);"), <[&str; 0]>::default());
    assert_eq!(found(POOL, "static struct pool p; use(&p);"), <[&str; 0]>::default());
    assert_eq!(found(POOL, "struct pool p = { 0 }; use(&p);"), <[&str; 0]>::default());
    let given = "void set(pthread_mutex_t *m) { pthread_mutex_init(m, 0); }";
    assert_eq!(found(given, "pthread_mutex_t m; set(&m); pthread_mutex_lock(&m);"), <[&str; 0]>::default());
}
