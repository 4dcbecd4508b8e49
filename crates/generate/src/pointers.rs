//! Small random programs about pointers from nowhere: nondeterministic ones, uninitialised ones, ones read from memory
//! that nobody wrote. They are compared with the addresses of objects, tested for null, and followed, with and without
//! having been tested.

use crate::part::{self, Snippet};
use crate::random::Random;

/// A random program.
pub fn program(seed: u64) -> String {
    part::program(&mut Random::new(seed ^ 0xa000_0000_0000_0000), part)
}

/// What a pointer to `int` may be meant to point to: how its address is written, and the object.
const TARGETS: [(&str, &str); 7] =
    [("&x", "x"), ("&x", "x"), ("&y", "y"), ("a", "a[0]"), ("&a[1]", "a[1]"), ("&l", "l"), ("h", "*h")];

pub(crate) fn part(random: &mut Random) -> Snippet {
    let mut part = Snippet::default();
    if random.chance(8) {
        function(&mut part, random);
        return part;
    }
    let (first, second) = (*random.pick(&TARGETS), *random.pick(&TARGETS));
    if first.1 == "l" || second.1 == "l" {
        part.say("int l = 0, *keep = &l;");
        part.say("*keep = 0;");
    }
    if first.0 == "h" || second.0 == "h" {
        part.say("int *h = malloc(sizeof(int));");
        part.say("*h = 0;");
    }
    source(&mut part, random, "p");
    for _ in 0..random.between(1, 2) {
        part.say("{");
        usage(&mut part, random, first, second);
        part.say("}");
    }
    part
}

/// Defines a pointer that may point anywhere.
fn source(part: &mut Snippet, random: &mut Random, p: &str) {
    match random.below(11) {
        0..=2 => part.say(format!("int *{p} = __VERIFIER_nondet_pointer();")),
        3 | 4 => part.say(format!("int *{p};")),
        5 => part.say(format!("int *{p}, **to_{p} = &{p};")),
        6 => {
            part.say(format!("int **cell_{p} = malloc(sizeof(int *));"));
            part.say(format!("int *{p} = *cell_{p};"));
        }
        7 => {
            part.say(format!("int *row_{p}[2];"));
            part.say(format!("int *{p} = row_{p}[{}];", random.below(2)));
        }
        8 => {
            part.say(format!("struct {{ char tag; int *to; }} record_{p};"));
            part.say(format!("record_{p}.tag = 1;"));
            part.say(format!("int *{p} = record_{p}.to;"));
        }
        9 => {
            part.say(format!("unsigned long number_{p} = __VERIFIER_nondet_ulong();"));
            part.say(format!("int *{p} = (int *)number_{p};"));
        }
        _ => {
            part.say(format!("int *{p}, *other_{p};"));
            part.say(format!("memcpy(&{p}, &other_{p}, sizeof {p});"));
        }
    }
}

/// One thing done with the pointer `p`, which may be meant to point to the targets.
fn usage(part: &mut Snippet, random: &mut Random, first: (&str, &str), second: (&str, &str)) {
    let ((t, target), (u, other)) = (first, second);
    let value = random.below(4);
    let line = match random.below(24) {
        0 | 1 => format!("if (p == {t}) reach_error();"),
        2 | 3 => format!("if (p == {t}) *p = {value};"),
        4 => format!("if (p == {t}) {{ *p = {value}; if ({target} != {value}) reach_error(); }}"),
        5 => format!("if (p == {t} && p == {u}) reach_error();"),
        6 => "if (!p) reach_error();".into(),
        7 => format!("if (p) y = {value}; else if (p == {t}) reach_error();"),
        8 => format!("*p = {value};"),
        9 => format!("if (p) *p = {value};"),
        10 => {
            part.say(format!("__VERIFIER_assume(p == {t} || p == {u});"));
            format!("*p = {value}; if ({target} != {value} && {other} != {value}) reach_error();")
        }
        11 => format!("__VERIFIER_assume(p == {t} || !p); if (p) *p = {value};"),
        12 => format!("__VERIFIER_assume(p == {t}); if (p != {t}) reach_error();"),
        13 => "if (p == a + 1) { p--; if (p != a) reach_error(); *p = 1; }".into(),
        14 => "if (p + 1 == a + 1 && p != a) reach_error();".into(),
        15 => format!("if (p == {t}) g = p; if (g && *g == {value}) reach_error();"),
        16 => "if ((unsigned long)p == 0) reach_error();".into(),
        17 => {
            source(part, random, "q");
            format!("if (p == q && q == {t}) reach_error();")
        }
        18 => {
            source(part, random, "q");
            format!("if (p == {t} && q == {u} && p == q) {{ if ({t} != {u}) reach_error(); }}")
        }
        19 => "int **again = &p; if (*again != *again) reach_error();".into(),
        20 => format!("if ((char *)p == (char *){t} + 1) reach_error();"),
        21 => format!("if (p == {t} && *p == {value}) reach_error();"),
        22 => format!("if (p == {t} + 1) reach_error();"),
        _ => format!("g = p; if (g == {t}) {{ *g = {value}; if (*p != *g) reach_error(); }}"),
    };
    part.say(line);
}

/// A pointer to a function.
fn function(part: &mut Snippet, random: &mut Random) {
    part.before("static void first@(void) { x = 2; }");
    part.before("static void second@(void) { y = 3; }");
    part.say(*random.pick(&["void (*f)(void) = __VERIFIER_nondet_pointer();", "void (*f)(void);"]));
    part.say(*random.pick(&[
        "if (f == first@) f();",
        "if (f == first@) { f(); if (x != 2) reach_error(); }",
        "if (f == first@ || f == second@) f(); if (y == 3) reach_error();",
        "if (f) f();",
        "if (f == first@ && f == second@) reach_error();",
    ]));
}
