//! Small random programs about memory that nobody has written: locals with and without their address taken, arrays,
//! variable-length arrays, members of structs, the heap, and what threads share of it. It is read once or twice,
//! compared, branched on, copied.

use crate::part::{self, Snippet};
use crate::random::Random;

/// A random program.
pub fn program(seed: u64) -> String {
    part::program(&mut Random::new(seed ^ 0xa100_0000_0000_0000), part)
}

pub(crate) fn part(random: &mut Random) -> Snippet {
    let mut part = Snippet::default();
    let ty = *random.pick(&["_Bool", "_Bool", "unsigned char", "unsigned char", "signed char", "char", "short", "int"]);
    let (place, other) = storage(&mut part, random, ty);
    for _ in 0..random.between(1, 2) {
        part.say("{");
        usage(&mut part, random, ty, &place, other.as_deref());
        part.say("}");
    }
    if place.starts_with("shared") {
        part.body.insert(0, "pthread_mutex_lock(&first_lock);".into());
        part.say("pthread_mutex_unlock(&first_lock);");
    }
    part
}

/// Declares memory without writing it: a place in it, and perhaps another.
fn storage(part: &mut Snippet, random: &mut Random, ty: &str) -> (String, Option<String>) {
    match random.below(12) {
        0 | 1 => {
            part.say(format!("{ty} u;"));
            ("u".into(), None)
        }
        2 | 3 => {
            part.say(format!("{ty} u, *p = &u;"));
            ("*p".into(), Some("u".into()))
        }
        4 => {
            part.say(format!("{ty} u[2];"));
            if random.chance(40) {
                part.say("u[0] = 1;");
            }
            (format!("u[{}]", random.below(2)), Some("u[0]".into()))
        }
        5 => {
            part.say(format!("int n = {};", random.between(1, 2)));
            part.say(format!("{ty} u[n];"));
            ("u[n - 1]".into(), Some("u[0]".into()))
        }
        6 | 7 => {
            let count = random.between(1, 2);
            part.say(format!("{ty} *p = malloc({count} * sizeof({ty}));"));
            if random.chance(30) {
                part.say("p[0] = 0;");
            }
            (format!("p[{}]", count - 1), Some("*p".into()))
        }
        8 => {
            part.say(format!("struct {{ {ty} first; {ty} second; }} s, *p = &s;"));
            part.say("s.first = 1;");
            ("s.second".into(), Some((*random.pick(&["p->second", "p->first"])).into()))
        }
        9 | 10 => {
            part.before(format!("static struct s@ {{ {ty} first; {ty} second; }} *shared@;"));
            part.before("static struct s@ copied@(void) { return *shared@; }");
            part.say("if (!shared@) shared@ = malloc(sizeof *shared@);");
            ("shared@->second".into(), Some((*random.pick(&["copied@().second", "copied@().first"])).into()))
        }
        _ => {
            part.say("struct { unsigned char low : 2, high : 6; } s;");
            if random.chance(40) {
                part.say("s.high = 1;");
            }
            ("s.low".into(), Some((*random.pick(&["s.low", "s.high"])).into()))
        }
    }
}

fn usage(part: &mut Snippet, random: &mut Random, ty: &str, place: &str, other: Option<&str>) {
    let value = random.below(3);
    let other = other.unwrap_or(place);
    let line = match random.below(15) {
        0 => format!("{{ {ty} r = {place}, r2 = {place}; if (r != r2) reach_error(); }}"),
        1 => format!("{{ {ty} r = {place}, r2 = {other}; if (r != r2) reach_error(); }}"),
        2 => format!("if ({place} == {value}) reach_error();"),
        3 => format!("if ({place} != {place}) reach_error();"),
        4 => format!("if (({place} & 1) && !({other} & 1)) reach_error();"),
        5 => format!("if ({place}) x = 1; else x = 2; if (({place} != 0) != (x == 1)) reach_error();"),
        6 => format!("{place} = {value}; if ({other} != {value}) reach_error();"),
        7 => format!("x = {place} & 1; if (x > 1) reach_error();"),
        8 => format!("{{ {ty} copy; copy = {place}; if (copy == {place} && copy == {value}) c = 1; }}"),
        9 => format!("{{ {ty} r = {place}; {place} = r; if ({place} != r) reach_error(); }}"),
        10 => format!("__VERIFIER_assume({place} == {value}); if ({place} != {value}) reach_error();"),
        11 => format!("a[{place} & 1] = 3; if (a[0] == 3 && a[1] == 3) reach_error();"),
        12 => format!("a[{place} & 3] = 3;"),
        13 => format!("if ({place} < 2) x = {place}; if (x > 1) reach_error();"),
        _ => format!("if ({place} / 2 * 2 + {other} % 2 != {place}) reach_error();"),
    };
    part.say(line);
}
