//! Words that C11's compare-and-exchange makes locks of: what it expects is in memory, and the lock is taken where that
//! is certainly 0 whenever it is tried.

mod common;

use common::compiled;
use selvedge_analysis::locks::{Guard, Guarded, LockFamily};
use selvedge_analysis::{AbstractObject, Facts};

/// How `x` is guarded in a program whose threads take `word`.
fn guarded(declared: &str, again: &str) -> (Option<LockFamily>, Guarded) {
    let program = compiled(&format!(
        "extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
        int word, x;
        void set(int *to) {{ *to = 1; }}
        void *worker(void *a) {{
            {declared}
            while (!__atomic_compare_exchange_n(&word, &expected, 1, 0, 5, 5)) {{ {again} }}
            x++;
            __atomic_store_n(&word, 0, 5);
            return a;
        }}
        int main(void) {{ unsigned long t;
            pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0); return 0; }}"
    ));
    let facts = Facts::of(&program);
    let all = facts.guarded().expect("there is no limit");
    let is_x = |object: &AbstractObject| object.name(&program) == "x";
    let (_, found) = all.into_iter().find(|(object, _)| is_x(object)).expect("x is shared");
    let family = match found.guard {
        Some(Guard::Static(_, _, family)) => Some(family),
        Some(Guard::Beside(..) | Guard::Alongside { .. }) | None => None,
    };
    (family, found)
}

const ZERO: &str = "int expected = 0;";

#[test]
fn what_is_expected_is_zero() {
    for (declared, again) in [
        (ZERO, "expected = 0;"),
        (ZERO, "int none = 0; expected = none;"),
        ("int expected; expected = 5 - 5;", "expected = 0;"),
    ] {
        let (family, found) = guarded(declared, again);
        assert_eq!(family, Some(LockFamily::Word), "{declared} {again}: {found:?}");
        assert_eq!((found.accesses, found.without.len()), (2, 0), "{declared} {again}: {found:?}");
    }
}

/// What was found is expected next, something else is, or somebody may write it through a pointer.
#[test]
fn what_is_expected_may_be_something_else() {
    for (declared, again) in [
        (ZERO, ""),
        (ZERO, "expected = 1;"),
        ("int expected = 1;", "expected = 0;"),
        ("int expected = a ? 0 : 1;", "expected = 0;"),
        ("int expected = 0; int *p = &expected;", "expected = 0; *p = 1;"),
        (ZERO, "expected = 0; set(&expected);"),
        ("static int expected;", "expected = 0;"),
    ] {
        let (family, found) = guarded(declared, again);
        assert_eq!(family, None, "{declared} {again}: {found:?}");
    }
}
