//! Small random programs in which structs are copied whole: by assignment, as arguments and results, by `memcpy`,
//! through pointers; with padding, members that were never written, members that are arrays or pointers, and sizes
//! above what one step moves.

use crate::part::{self, Snippet};
use crate::random::Random;

/// A random program.
pub fn program(seed: u64) -> String {
    part::program(&mut Random::new(seed ^ 0xa300_0000_0000_0000), part)
}

/// Declarations of members, of which `m` and `k` are small integers, and the names of others of the same kind.
const MEMBERS: [(&str, &str); 9] = [
    ("unsigned char m; int k;", "k"),
    ("int k; unsigned char m;", "k"),
    ("unsigned char m, k;", "k"),
    ("short k; unsigned char m; long w;", "k"),
    ("unsigned char r[3], m; int k;", "r[1]"),
    ("struct { unsigned char m; short k; }; int w;", "k"),
    ("union { unsigned char m; int k; };", "m"),
    ("unsigned char m; int *to; int k;", "k"),
    ("unsigned char m; char pad[20]; int k;", "pad[19]"),
];

pub(crate) fn part(random: &mut Random) -> Snippet {
    let mut part = Snippet::default();
    let (members, other) = *random.pick(&MEMBERS);
    part.before(format!("struct s@ {{ {members} }};"));
    let is_shared = random.chance(35);
    if is_shared {
        part.before("static struct s@ whole@;");
        if random.chance(60) {
            part.say("whole@.m = 1;");
        }
    }
    let from = if is_shared { "whole@" } else { "s" };
    part.say(*random.pick(&[
        "struct s@ s, t;",
        "struct s@ s = {0}, t;",
        "struct s@ s = { .m = 1 }, t = {0};",
        "struct s@ s, t; s.m = 2;",
    ]));
    if random.chance(60) {
        part.say(format!("s.m = {};", random.below(3)));
        part.say(format!("s.{other} = {};", random.below(3)));
    }
    if members.contains("*to") {
        part.say(*random.pick(&["s.to = &x;", "s.to = 0;", "s.to = a;"]));
        copy(&mut part, random, "s");
        part.say(*random.pick(&[
            "if (t.to == &x) reach_error();",
            "if (t.to) *t.to = 3;",
            "if (t.to && t.to != s.to) reach_error();",
            "*t.to = 3;",
        ]));
        return part;
    }
    copy(&mut part, random, from);
    for _ in 0..random.between(1, 2) {
        let value = random.below(3);
        let line = match random.below(7) {
            0 => format!("if (t.m != {from}.m) reach_error();"),
            1 => format!("if (t.{other} != {from}.{other}) reach_error();"),
            2 => format!("if (t.m == {value}) reach_error();"),
            3 => format!("t.m = {value}; if ({from}.m != {value}) c = 7;"),
            4 => format!("{from} = t; if ({from}.m != t.m) reach_error();"),
            5 => format!("t.{other} = {value}; {from} = t; if ({from}.{other} != {value}) reach_error();"),
            _ => "if (t.m > 2) x = 3;".into(),
        };
        part.say(line);
    }
    part
}

/// Copies a struct to `t`.
fn copy(part: &mut Snippet, random: &mut Random, from: &str) {
    match random.below(8) {
        0 | 1 => part.say(format!("t = {from};")),
        2 => part.say(format!("memcpy(&t, &{from}, sizeof t);")),
        3 => {
            part.before("static struct s@ same@(struct s@ v) { return v; }");
            part.say(format!("t = same@({from});"));
        }
        4 => {
            part.before("static struct s@ more@(struct s@ v) { v.m = v.m + 1; return v; }");
            part.say(format!("t = more@({from});"));
        }
        5 => part.say(format!("struct s@ *p = &{from}, *q = &t; *q = *p;")),
        6 => {
            part.say("struct s@ *h = malloc(sizeof *h);");
            part.say(format!("*h = {from}; t = *h; free(h);"));
        }
        _ => part.say(format!("struct s@ row[2]; row[1] = {from}; t = row[{}];", random.between(0, 1))),
    }
}
