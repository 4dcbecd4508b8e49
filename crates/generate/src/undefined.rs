//! Small random programs with undefined paths beside defined ones: one branch divides by zero, leaves an array, follows
//! null or freed memory, the other does not; and assertions before, after and beside.

use crate::part::{self, Snippet};
use crate::random::Random;

/// A random program.
pub fn program(seed: u64) -> String {
    part::program(&mut Random::new(seed ^ 0xa400_0000_0000_0000), part)
}

pub(crate) fn part(random: &mut Random) -> Snippet {
    let mut part = Snippet::default();
    let bad = undefined(&mut part, random);
    let good = *random.pick(&["x = 3;", "y = 2;", "c = 7;", "x = x + 1;", "reach_error();", ";"]);
    let line = match random.below(7) {
        0 => format!("if (__VERIFIER_nondet_bool()) {{ {bad} }} else {{ {good} }}"),
        1 => format!("if (__VERIFIER_nondet_bool()) {{ {good} }} {bad}"),
        2 => format!("if (x == 1) {{ {bad} }} else {{ {good} }}"),
        3 => format!("if (__VERIFIER_nondet_bool()) {{ {bad} reach_error(); }} {good}"),
        4 => format!("{good} {bad}"),
        5 => format!("for (int i = 0; i < 2; i++) {{ if (i == 1 && __VERIFIER_nondet_bool()) {{ {bad} }} {good} }}"),
        _ => {
            format!("unsigned char k = __VERIFIER_nondet_uchar(); if (k > 250) {{ {bad} }} if (k == 251) {{ {good} }}")
        }
    };
    part.say(line);
    part.say(*random.pick(&["if (x == 4) reach_error();", "if (y == 2) reach_error();", "x = 0;", ";"]));
    part
}

/// A statement that is undefined, or would be if something were a little different.
fn undefined(part: &mut Snippet, random: &mut Random) -> &'static str {
    match random.below(12) {
        0 => "x = 1 / x;",
        1 => "x = 8 % (y - 1);",
        2 => "a[2] = 1;",
        3 => "a[x] = 1;",
        4 => "*(volatile int *)0 = 1;",
        5 => "if (g) x = *g; else *g = 1;",
        6 => {
            part.say("int *p = malloc(sizeof(int)); *p = 0; free(p);");
            "x = *p;"
        }
        7 => {
            part.say("int *p = malloc(sizeof(int)); free(p);");
            "free(p);"
        }
        8 => {
            part.say("unsigned char d = __VERIFIER_nondet_uchar();");
            "x = 6 / (d & 3);"
        }
        9 => {
            part.say("unsigned char d = __VERIFIER_nondet_uchar();");
            "x = a[d & 1];"
        }
        10 => "x = 1 << (x + 31);",
        _ => "x = 6 / (y + 1);",
    }
}
