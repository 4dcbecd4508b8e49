//! What programs in SCPL mean: small ones, for so many threads, against what is known of them.

mod common;

use selvedge_explicit::Reductions;
use selvedge_frontend::scpl::{Threads, compile};
use selvedge_program::Property;

/// Whether an assertion can fail with one, two and three threads.
fn check(text: &str, expected: [bool; 3]) {
    let fails = [1, 2, 3].map(|threads| {
        let compiled = compile("t.scpl", text, Threads::Exactly(threads));
        let program = compiled.unwrap_or_else(|error| panic!("{error}\n{text}")).program;
        let exploration = common::go(&program, Reductions::ALL);
        assert!(exploration.gaps.is_empty(), "{text}: {:?}", exploration.gaps);
        common::summary(&exploration).0.iter().any(|subject| subject.property() == Property::Assertion)
    });
    assert_eq!(fails, expected, "{text}");
}

/// The two programs of Section 2 of paper 004 that an unsound abstraction takes for safe.
#[test]
fn the_programs_of_the_paper() {
    check("0: shared int s = 0; local int l = 1; 1: assert s != l; 2: s = s + 1;", [false, true, true]);
    check(
        "0: shared int s = 0; shared bool t = 0; local int l = 0;
         1: if (*) { 2: if (t) { 3: assert s != l; } } 4: l = s + 1; 5: t = 1;",
        [false, true, true],
    );
}

#[test]
fn a_statement_is_one_step() {
    // An increment is not torn, so nobody gets a number that another one has got.
    check("shared s = 0; local l = 0; atomic { l = s; s = s + 1; } assert l < 3 && s > l;", [false; 3]);
    check("shared s = 0; local l = 0; s = s + 1; l = s; assert l == s;", [false, true, true]);
    check("shared s = 0; s = s + 1; assert s <= 2;", [false, false, true]);
}

#[test]
fn locals_are_of_each_thread() {
    check("local l = 3; l = l + 1; assert l == 4;", [false; 3]);
    check("shared s = 0; local l = 7; s = l; l = 8; assert s == 7;", [false; 3]);
}

#[test]
fn control_flow() {
    check("local l = 0; 1: l = l + 1; 2: goto 1, 3; 3: assume l == 2; 4: assert 0;", [true; 3]);
    check("local l = 0; while (l < 3) { l = l + 1; } assert l == 3;", [false; 3]);
    check("local l = 0; if (l) { assert 0; } else { l = 5; } assert l == 5;", [false; 3]);
    check("goto end; assert 0;", [false; 3]);
    check("local l = 0; l = *; assume l > 1 && l < 4; assert l == 2 || l == 3;", [false; 3]);
    check("local l = 0; l = *; assume l > 1 && l < 4; assert l == 2;", [true; 3]);
}

#[test]
fn arithmetic_is_that_of_the_machine() {
    check("local l = 2147483647; l = l + 1; assert l == -2147483648;", [false; 3]);
    check("local l = -7; assert l / 2 == -3 && l % 2 == -1 && -l == 7 && !l == 0 && 3 - 2 - 1 == 0;", [false; 3]);
    check("local bool b = 0; b = 6; assert b == 1;", [false; 3]);
    check("local l = 0; assert l == 0 || 1 / l == 7; assert !(l != 0 && 1 / l == 7);", [false; 3]);
}

#[test]
fn waiting_and_locks() {
    let lock = "shared lock = 0, busy = 0; LOCK assert busy == 0; busy = 1; busy = 0; lock = 0;";
    check(&lock.replace("LOCK", "atomic { assume !lock; lock = 1; }"), [false; 3]);
    check(&lock.replace("LOCK", "assume !lock; lock = 1;"), [false, true, true]);
    check(
        "shared go = 0; local l = 0; if (*) { go = 1; } else { assume go; l = go; } assert l == 0 || go;",
        [false; 3],
    );
}
