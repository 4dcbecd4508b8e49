//! Small random programs with expressions that write and read in one go: the same variable or another, through names,
//! pointers and indices, in an order that C fixes or leaves open.

use crate::part::{self, Snippet};
use crate::random::Random;

/// A random program.
pub fn program(seed: u64) -> String {
    part::program(&mut Random::new(seed ^ 0xa700_0000_0000_0000), part)
}

pub(crate) fn part(random: &mut Random) -> Snippet {
    let mut part = Snippet::default();
    part.before("static int next@(void) { return ++y; }");
    part.before("static int sum@(int i, int j) { return i + j; }");
    part.say("int l = 0;");
    part.say(*random.pick(&["int *p = &x, *q = &y;", "int *p = &x, *q = &x;", "int *p = a, *q = a + 1;"]));
    part.say("unsigned char k = __VERIFIER_nondet_bool();");
    for _ in 0..random.between(1, 2) {
        let line = expression(random);
        part.say(line);
    }
    part.say(*random.pick(&["if (x == 3) reach_error();", "if (l == 1) reach_error();", "if (y > 2) reach_error();"]));
    part
}

/// Something that is read, written, or both.
const PLACES: [&str; 9] = ["x", "y", "l", "*p", "*q", "a[0]", "a[1]", "a[k]", "p[0]"];

fn expression(random: &mut Random) -> String {
    let [to, from, other] = [(); 3].map(|()| *random.pick(&PLACES));
    match random.below(12) {
        0 => format!("{to} = {from}++;"),
        1 => format!("{to} = {from}++ + {other};"),
        2 => format!("{to} += {from}--;"),
        3 => format!("{to} = ({from} = 1) + {other};"),
        4 => format!("{to} = ({from}++, {other});"),
        5 => format!("{to} = {from}++ && {other};"),
        6 => format!("{to} = {from} ? {other}++ : 0;"),
        7 => format!("{to} = sum@({from}++, {other});"),
        8 => format!("{to} = sum@({from}, {other});"),
        9 => format!("{to} = next@() + {from};"),
        10 => format!("if ({from}++ == {other}) {to} = 2;"),
        _ => format!("a[k] = k++ + {from};"),
    }
}
