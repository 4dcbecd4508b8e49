//! Small random programs that move pointers about the edges of arrays: to the last element, one past it, further,
//! before the start; with and without using them there.

use crate::part::{self, Snippet};
use crate::random::Random;

/// A random program.
pub fn program(seed: u64) -> String {
    part::program(&mut Random::new(seed ^ 0xa600_0000_0000_0000), part)
}

/// Arrays: how a pointer to the start is got, the type of an element, and the length.
const ARRAYS: [(&str, &str, u64); 6] = [
    ("int *p = a;", "int", 2),
    ("int l[3]; l[0] = 0; int *p = l;", "int", 3),
    ("int *p = malloc(2 * sizeof(int));", "int", 2),
    ("unsigned char s[4]; unsigned char *p = s;", "unsigned char", 4),
    ("int *p = &x;", "int", 1),
    ("int w[2][2]; int *p = w[1];", "int", 2),
];

pub(crate) fn part(random: &mut Random) -> Snippet {
    let mut part = Snippet::default();
    let (start, ty, length) = *random.pick(&ARRAYS);
    part.say(start);
    part.say(format!("{ty} *end = p + {length};"));
    if random.chance(40) {
        part.say("unsigned char k = __VERIFIER_nondet_uchar() & 3;");
        part.say(*random.pick(&["p += k;", "p = &p[k];", "if (k < 2) p = p + k;", "end = end - k;"]));
    }
    for _ in 0..random.between(1, 3) {
        let line = movement(random, ty, length);
        part.say(format!("{{ {line} }}"));
    }
    if start.contains("malloc") && random.chance(40) {
        part.say("free(end - 2);");
        if random.chance(30) {
            part.say("p++;");
        }
    }
    part
}

fn movement(random: &mut Random, ty: &str, length: u64) -> String {
    let some = random.below(length + 2);
    match random.below(14) {
        0 => "p++;".into(),
        1 => "p--;".into(),
        2 => format!("p += {some};"),
        3 => format!("p -= {some};"),
        4 => format!("p = p + {some};"),
        5 => format!("p = &p[{some}];"),
        6 => "if (p != end) p++;".into(),
        7 => format!("for ({ty} *q = end; q != p; q--) x = 3;"),
        8 => "while (p != end) *p++ = 1;".into(),
        9 => "if (p == end) reach_error();".into(),
        10 => "if (p != end) *p = 5;".into(),
        11 => format!("if (end - p == {some}) x = 3;"),
        12 => format!("{ty} *q = ({ty} *)0 + {some}; if (q == p) reach_error();"),
        _ => format!("char *bytes = (char *)p - {some}; if (bytes == (char *)end) reach_error();"),
    }
}
