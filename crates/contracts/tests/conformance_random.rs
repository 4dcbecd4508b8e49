//! Random small threads and abstract threads: what conformance says is compared with the paper's conformance checker, executed
//! directly over all values of one shared byte. `SELVEDGE_PROGRAMS` says how many.

mod common;

use std::collections::BTreeSet;

use common::{compile, contract, judged, outcome, thread};
use selvedge_contracts::conform::Outcome;
use selvedge_generate::random::Random;

/// A statement over the shared byte `g` and a local byte `x`.
#[derive(Clone, Copy, Debug)]
enum Statement {
    Load,
    Store,
    Set(u8),
    Add(u8),
    /// One step.
    FetchAdd(u8),
    /// If the condition does not hold, as many statements are left out.
    If(Condition, usize),
    /// As `If`, and back again after them.
    While(Condition, usize),
    Assert(Condition),
}

/// A condition on a byte.
#[derive(Clone, Copy, Debug)]
enum Condition {
    Equal(u8),
    Less(u8),
    Greater(u8),
    Always,
}

impl Condition {
    fn random(random: &mut Random) -> Condition {
        let number = random.below(4) as u8;
        match random.below(4) {
            0 => Condition::Equal(number),
            1 => Condition::Less(number + 1),
            2 => Condition::Greater(number),
            _ => Condition::Always,
        }
    }

    fn holds(self, value: u8) -> bool {
        match self {
            Condition::Equal(number) => value == number,
            Condition::Less(number) => value < number,
            Condition::Greater(number) => value > number,
            Condition::Always => true,
        }
    }

    fn text(self, name: &str) -> String {
        match self {
            Condition::Equal(number) => format!("{name} == {number}"),
            Condition::Less(number) => format!("{name} < {number}"),
            Condition::Greater(number) => format!("{name} > {number}"),
            Condition::Always => format!("{name} >= 0"),
        }
    }
}

/// What an edge asks: of the byte before, and of the byte after.
#[derive(Clone, Copy, Debug)]
enum Change {
    To(Condition),
    By(u8),
    Keeps,
}

#[derive(Clone, Debug)]
struct Abstract {
    assertions: Vec<Condition>,
    edges: Vec<(usize, usize, Condition, Change)>,
}

impl Abstract {
    fn random(random: &mut Random) -> Abstract {
        let states = 1 + random.below(3) as usize;
        let change = |random: &mut Random| match random.below(4) {
            0 => Change::Keeps,
            1 => Change::By(1 + random.below(2) as u8),
            _ => Change::To(Condition::random(random)),
        };
        let mut edges = Vec::new();
        for _ in 0..2 + random.below(5) {
            let (from, to) = (random.below(states as u64) as usize, random.below(states as u64) as usize);
            edges.push((from, to, Condition::random(random), change(random)));
        }
        Abstract { assertions: (0..states).map(|_| Condition::random(random)).collect(), edges }
    }

    fn relates(&self, (_, _, guard, change): &(usize, usize, Condition, Change), before: u8, after: u8) -> bool {
        guard.holds(before)
            && match change {
                Change::To(condition) => condition.holds(after),
                Change::By(number) => u32::from(after) == u32::from(before) + u32::from(*number),
                Change::Keeps => after == before,
            }
    }

    fn text((_, _, guard, change): &(usize, usize, Condition, Change)) -> String {
        let change = match change {
            Change::To(condition) => condition.text("g'"),
            Change::By(number) => format!("g' == g + {number}"),
            Change::Keeps => "g' == g".to_owned(),
        };
        format!("{} && {change}", guard.text("g"))
    }

    fn is_wrong(&self, matching: u8, g: u8) -> bool {
        self.assertions.iter().enumerate().any(|(state, condition)| matching & (1 << state) != 0 && !condition.holds(g))
    }

    fn after(&self, matching: u8, before: u8, after: u8) -> u8 {
        let mut next = if before == after { matching } else { 0 };
        for edge in self.edges.iter().filter(|edge| matching & (1 << edge.0) != 0) {
            if self.relates(edge, before, after) {
                next |= 1 << edge.1;
            }
        }
        next
    }
}

fn statements(random: &mut Random) -> Vec<Statement> {
    let mut all = Vec::new();
    for _ in 0..3 + random.below(5) {
        all.push(match random.below(12) {
            0 | 1 => Statement::Load,
            2..=4 => Statement::Store,
            5 => Statement::Set(random.below(4) as u8),
            6 => Statement::Add(1 + random.below(2) as u8),
            7 => Statement::FetchAdd(1 + random.below(2) as u8),
            8 => Statement::If(Condition::random(random), 1),
            9 | 10 => Statement::While(Condition::random(random), 1 + random.below(2) as usize),
            _ => Statement::Assert(Condition::random(random)),
        });
    }
    all
}

/// How many statements belong to the one at a place, with itself.
fn extent(all: &[Statement], at: usize) -> usize {
    let body = match all[at] {
        Statement::If(_, body) | Statement::While(_, body) => body,
        _ => 0,
    };
    let mut length = 1;
    for _ in 0..body {
        if at + length < all.len() {
            length += extent(all, at + length);
        }
    }
    length
}

fn text(all: &[Statement], from: usize, to: usize) -> String {
    let mut text = String::new();
    let mut at = from;
    while at < to {
        let length = extent(all, at);
        let body = || text_of_body(all, at, length);
        text += &match all[at] {
            Statement::Load => "x = g;\n".to_owned(),
            Statement::Store => "g = x;\n".to_owned(),
            Statement::Set(number) => format!("x = {number};\n"),
            Statement::Add(number) => format!("x = x + {number};\n"),
            Statement::FetchAdd(number) => format!("atomic_fetch_add(&g, {number});\n"),
            Statement::If(condition, _) => format!("if ({}) {{\n{}}}\n", condition.text("x"), body()),
            Statement::While(condition, _) => format!("while ({}) {{\n{}}}\n", condition.text("x"), body()),
            Statement::Assert(condition) => format!("assert({});\n", condition.text("x")),
        };
        at += length;
    }
    text
}

fn text_of_body(all: &[Statement], at: usize, length: usize) -> String {
    text(all, at + 1, at + length)
}

/// One step of control: where it goes on.
type Next = (usize, u8);

/// For each place, where control goes: the place of what follows it in the text, and back for loops.
fn follow(all: &[Statement], from: usize, to: usize, then: usize, next: &mut Vec<usize>) {
    let mut at = from;
    while at < to {
        let end = at + extent(all, at);
        let after = if end < to { end } else { then };
        next[at] = after;
        if let Statement::If(..) = all[at] {
            follow(all, at + 1, end, after, next);
        }
        if let Statement::While(..) = all[at] {
            follow(all, at + 1, end, at, next);
        }
        at = end;
    }
}

/// Whether the paper's conformance checker is correct. With `eager`, the abstract thread may move at every statement, as in the
/// paper; else only where the shared byte is read or written or something is asserted.
fn is_correct(all: &[Statement], to: &Abstract, eager: bool) -> bool {
    let mut next = vec![all.len(); all.len()];
    follow(all, 0, all.len(), all.len(), &mut next);
    let mut pending: Vec<(usize, u8, u8)> = vec![(0, 0, 1)];
    let mut seen: BTreeSet<(usize, u8, u8)> = pending.iter().copied().collect();
    while let Some((at, x, matching)) = pending.pop() {
        if matching == 0 {
            return false;
        }
        if at == all.len() {
            continue;
        }
        let has_body = extent(all, at) > 1;
        for g in 0..=255_u8 {
            if to.is_wrong(matching, g) {
                continue;
            }
            let branch = |holds: bool| if holds && has_body { at + 1 } else { next[at] };
            let ((place, value), after, is_visible): (Next, u8, bool) = match all[at] {
                Statement::Load => ((next[at], g), g, true),
                Statement::Store => ((next[at], x), x, true),
                Statement::Set(number) => ((next[at], number), g, false),
                Statement::Add(number) => ((next[at], x.wrapping_add(number)), g, false),
                Statement::FetchAdd(number) => ((next[at], x), g.wrapping_add(number), true),
                Statement::If(condition, _) => ((branch(condition.holds(x)), x), g, false),
                Statement::While(condition, _) => {
                    // An empty loop at the end of the text goes round by itself.
                    let place = if condition.holds(x) { if has_body { at + 1 } else { at } } else { next[at] };
                    ((place, x), g, false)
                }
                Statement::Assert(condition) => {
                    if !condition.holds(x) {
                        return false;
                    }
                    ((next[at], x), g, true)
                }
            };
            let now = if is_visible || eager { to.after(matching, g, after) } else { matching };
            if seen.insert((place, value, now)) {
                pending.push((place, value, now));
            }
        }
    }
    true
}

/// How many: `SELVEDGE_PROGRAMS` or a few.
fn programs() -> u64 {
    std::env::var("SELVEDGE_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(150)
}

#[test]
fn the_checker_agrees_with_direct_execution() {
    let (mut conforming, mut failing, mut unknown) = (0, 0, 0);
    for seed in 0..programs() {
        let mut random = Random::new(seed);
        let all = statements(&mut random);
        let to = Abstract::random(&mut random);
        let body = text(&all, 0, all.len());
        // The byte is written with different values, so that nothing is known of it beside the assertions.
        let source = format!(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
             unsigned char __VERIFIER_nondet_uchar(void);\nstatic _Atomic unsigned char g;\n\
             static void *f(void *unused)\n{{\nunsigned char x = 0;\n{body}return unused;\n}}\n\
             int main(void)\n{{\npthread_t t;\ng = __VERIFIER_nondet_uchar();\npthread_create(&t, 0, f, 0);\nreturn 0;\n}}\n"
        );
        let program = compile(&source);
        let names = ["a", "b", "c"];
        let assertions: Vec<String> = to.assertions.iter().map(|condition| condition.text("g")).collect();
        let states: Vec<(&str, &str)> = names.iter().copied().zip(assertions.iter().map(String::as_str)).collect();
        let edges: Vec<String> = to.edges.iter().map(Abstract::text).collect();
        let edges: Vec<(&str, &str, &str)> =
            to.edges.iter().zip(&edges).map(|(edge, text)| (names[edge.0], names[edge.1], text.as_str())).collect();
        let f = thread(&program, "f", &states, &edges);
        let found = judged(&program, &contract(&program, &["g"], "g >= 0", vec![f]));
        match outcome(&program, &found, "f") {
            Outcome::Conforms => {
                conforming += 1;
                assert!(is_correct(&all, &to, true), "seed {seed}: wrongly said to conform\n{source}\n{to:?}");
            }
            Outcome::Fails(failure) => {
                failing += 1;
                assert!(!is_correct(&all, &to, false), "seed {seed}: wrongly refused\n{source}\n{to:?}\n{failure:?}");
            }
            Outcome::Unknown(_) => unknown += 1,
        }
    }
    println!("{conforming} conform, {failing} do not, {unknown} unknown");
    assert!(conforming >= programs() / 10 && failing >= programs() / 10, "{conforming} {failing} {unknown}");
}
