//! Small random programs with an index that may mean more places than are tried one by one, objects of a size that is
//! chosen, and floating-point numbers that are computed from choices. What is chosen has few values, so that a plain
//! search can try them all.

use crate::part::{self, Snippet};
use crate::random::Random;

/// A random program.
pub fn program(seed: u64) -> String {
    part::program(&mut Random::new(seed ^ 0xa400_0000_0000_0000), part)
}

/// Elements of arrays, with a member of each that is a small number.
const ELEMENTS: [(&str, &str); 4] = [
    ("int", ""),
    ("unsigned char", ""),
    ("struct { char c; long k; int *p; }", ".k"),
    ("struct { short k; unsigned char c[2]; }", ".k"),
];

pub(crate) fn part(random: &mut Random) -> Snippet {
    let mut part = Snippet::default();
    part.say("unsigned i = __VERIFIER_nondet_bool() + __VERIFIER_nondet_bool(), j = 2 * __VERIFIER_nondet_bool();");
    if random.chance(25) {
        floats(&mut part, random);
    } else {
        array(&mut part, random);
    }
    part
}

fn array(part: &mut Snippet, random: &mut Random) {
    let (element, member) = *random.pick(&ELEMENTS);
    let declared = match random.below(5) {
        0 => "static E@ v[3000];",
        1 => "E@ v[3000];",
        2 => "E@ *v = malloc(3000 * sizeof *v);",
        3 => "E@ *v = malloc((2400 + 100 * j) * sizeof *v);",
        _ => "E@ v[2400 + 300 * i];",
    };
    part.before(format!("typedef {element} E@;"));
    part.say(declared);
    part.say("i *= 1200; j *= 1200;");
    let places = ["i", "j", "i", "j", "1200", "0", "i + 1", "2399"];
    for _ in 0..random.between(2, 4) {
        let (one, other) = (*random.pick(&places), *random.pick(&places));
        let k = random.between(1, 4);
        part.say(match random.below(9) {
            0 | 1 => format!("v[{one}]{member} = {k};"),
            2 => format!("v[{one}]{member} = {k}; v[{other}]{member} = 5; if (v[{one}]{member} == 5) reach_error();"),
            3 => format!("v[{one}]{member} = {k}; if (v[{one}]{member} != {k}) reach_error();"),
            4 => format!("v[{one}] = v[{other}];"),
            5 => format!("memcpy(&v[{one}], &v[{other}], sizeof *v);"),
            6 => format!("if (v[{one}]{member} != v[{other}]{member} && {one} == {other}) reach_error();"),
            7 => format!("if (v[{one}]{member} == {k}) x = 3;"),
            _ => format!("if (i == j) v[{one}]{member} = {k}; else v[{other}]{member} = 2;"),
        });
    }
}

fn floats(part: &mut Snippet, random: &mut Random) {
    let ty = *random.pick(&["double", "float"]);
    part.say(format!("{ty} f = i, g = j * {}.5;", random.below(3)));
    for _ in 0..random.between(1, 3) {
        let k = random.between(0, 4);
        part.say(match random.below(7) {
            0 => format!("f = f * {k} + g;"),
            1 => "f = f / g;".to_owned(),
            2 => format!("if (f - g == {k}) reach_error();"),
            3 => format!("if (f < g && !(g > f)) reach_error(); if (f <= {k} - 1) x = 3;"),
            4 => format!("x = (int)(f + {k}) & 3; if (x == 3 && f >= 0) y = 0;"),
            5 => "if (f != f) y = 0; else if (f != f + 0) reach_error();".to_owned(),
            _ => "g = -f; if (g > 0 && f > 0) reach_error();".to_owned(),
        });
    }
}
