//! Small random programs that choose among 2^32 or 2^64 values of which few matter: each value is compared with a few
//! constants, masked, divided, added to another, or used as an index.

use crate::part::{self, Snippet};
use crate::random::Random;

/// A random program.
pub fn program(seed: u64) -> String {
    part::program(&mut Random::new(seed ^ 0xa200_0000_0000_0000), part)
}

const TYPES: [(&str, &str); 4] = [
    ("long", "__VERIFIER_nondet_long()"),
    ("long", "__VERIFIER_nondet_long()"),
    ("unsigned long", "__VERIFIER_nondet_ulong()"),
    ("int", "__VERIFIER_nondet_int()"),
];

pub(crate) fn part(random: &mut Random) -> Snippet {
    let mut part = Snippet::default();
    let (ty, choice) = *random.pick(&TYPES);
    part.say(format!("{ty} n = {choice};"));
    for _ in 0..random.between(1, 2) {
        part.say("{");
        usage(&mut part, random);
        part.say("}");
    }
    part
}

fn usage(part: &mut Snippet, random: &mut Random) {
    let k = *random.pick(&["0", "1", "2", "42", "-1", "255", "256", "65536", "2147483647"]);
    let line = match random.below(20) {
        0 => format!("if (n == {k}) reach_error();"),
        1 => format!("if (n == {k}) x = 3;"),
        2 => format!("if (n > {k} && n < {k}) reach_error();"),
        3 => format!("if (n == {k} || n == 3) {{ x = n; if (x != {k} && x != 3) reach_error(); }}"),
        4 => "x = n & 3; if (x > 3) reach_error();".into(),
        5 => "x = n & 3; if (x == 3) reach_error();".into(),
        6 => "a[n & 1] = 3; if (a[0] != 3 && a[1] != 3) reach_error();".into(),
        7 => "a[n & 3] = 3;".into(),
        8 => "if (n >= 0 && n < 2) a[n] = 5; if (a[1] == 5 && n != 1) reach_error();".into(),
        9 => "if (n >= 0 && n <= 2) a[n] = 5;".into(),
        10 => format!("switch (n) {{ case 1: x = 1; break; case 7: x = 2; break; default: if (n == {k}) x = 3; }}"),
        11 => "if (n % 2 == 1 && n / 2 * 2 == n) reach_error();".into(),
        12 => format!("if (n + 1 == {k} && n + 2 == 9) reach_error();"),
        13 => {
            part.say("long m = __VERIFIER_nondet_long();");
            format!("if (m == n && n == {k} && m != {k}) reach_error();")
        }
        14 => {
            part.say("int i = __VERIFIER_nondet_int();");
            format!("if (i == n && i == {k}) x = 3;")
        }
        15 => format!("__VERIFIER_assume(n == {k}); if (n != {k}) reach_error();"),
        16 => format!("x = n == {k}; if (x > 1) reach_error();"),
        17 => "c = n; if (c != (n & 255)) reach_error();".into(),
        18 => format!("c = n; if (c == ({k} & 255)) reach_error();"),
        _ => format!("if (n != {k}) y = 0; else y = 12 / (n - {k} + 1); if (n == {k} && y != 12) reach_error();"),
    };
    part.say(line);
}
