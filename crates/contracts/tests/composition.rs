//! Compositions against the paper's definition: random specifications over truth values are executed as they are
//! written, step by step, and the program that is made of them is explored by the plainest search. Both must find the
//! same: whether a thread can be in a state whose assertion does not hold, whether all can wait for good.
//!
//! `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default.

use selvedge_contracts::compose::compose;
use selvedge_contracts::text::read_alone;
use selvedge_contracts::{Instances, Thread};
use selvedge_evidence::recheck;
use selvedge_generate::random::Random;
use selvedge_generate::seeds;
use selvedge_program::Property;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The values of x and y.
type Shared = [bool; 2];

#[derive(Clone, Debug)]
enum Formula {
    /// A variable, before or after.
    Variable(usize, bool),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Same(Box<Formula>, Box<Formula>),
}

impl Formula {
    fn random(random: &mut Random, depth: u32, primes: bool) -> Formula {
        let inner = |random: &mut Random| Box::new(Formula::random(random, depth - 1, primes));
        match if depth == 0 { 0 } else { random.below(6) } {
            0 | 1 => Formula::Variable(random.index(2), primes && random.chance(60)),
            2 => Formula::Not(inner(random)),
            3 => Formula::And(inner(random), inner(random)),
            4 => Formula::Or(inner(random), inner(random)),
            _ => Formula::Same(inner(random), inner(random)),
        }
    }

    fn text(&self) -> String {
        match self {
            Formula::Variable(at, after) => format!("{}{}", ["x", "y"][*at], if *after { "'" } else { "" }),
            Formula::Not(inner) => format!("!({})", inner.text()),
            Formula::And(one, other) => format!("({} && {})", one.text(), other.text()),
            Formula::Or(one, other) => format!("({} || {})", one.text(), other.text()),
            Formula::Same(one, other) => format!("(({}) == ({}))", one.text(), other.text()),
        }
    }

    fn holds(&self, before: Shared, after: Shared) -> bool {
        match self {
            Formula::Variable(at, is_after) => {
                if *is_after {
                    after[*at]
                } else {
                    before[*at]
                }
            }
            Formula::Not(inner) => !inner.holds(before, after),
            Formula::And(one, other) => one.holds(before, after) && other.holds(before, after),
            Formula::Or(one, other) => one.holds(before, after) || other.holds(before, after),
            Formula::Same(one, other) => one.holds(before, after) == other.holds(before, after),
        }
    }

    fn primes(&self, found: &mut [bool; 2]) {
        match self {
            Formula::Variable(at, after) => found[*at] |= *after,
            Formula::Not(inner) => inner.primes(found),
            Formula::And(one, other) | Formula::Or(one, other) | Formula::Same(one, other) => {
                one.primes(found);
                other.primes(found);
            }
        }
    }
}

struct Machine {
    assertions: Vec<Option<Formula>>,
    /// From, to, the relation, what may change.
    edges: Vec<(usize, usize, Formula, [bool; 2])>,
    environment: Option<(&'static str, fn(Shared, Shared) -> bool)>,
}

/// Reflexive and transitive relations.
const ENVIRONMENTS: [(&str, fn(Shared, Shared) -> bool); 4] = [
    ("x' == x", |before, after| before[0] == after[0]),
    ("!x || x'", |before, after| !before[0] || after[0]),
    ("unchanged", |before, after| before == after),
    ("(!y || y') && (!x' || x)", |before, after| (!before[1] || after[1]) && (!after[0] || before[0])),
];

impl Machine {
    fn random(random: &mut Random) -> Machine {
        let states = 1 + random.index(3);
        let assertion = |random: &mut Random| random.chance(35).then(|| Formula::random(random, 2, false));
        let assertions = (0..states).map(|_| assertion(random)).collect();
        // In a row, so that all states are reachable, and some more.
        let mut pairs: Vec<(usize, usize)> = (1..states).map(|state| (state - 1, state)).collect();
        for _ in 0..random.below(3) {
            pairs.push((random.index(states), random.index(states)));
        }
        let edges = pairs.into_iter().map(|(from, to)| {
            let relation = Formula::random(random, 2, true);
            let mut changes = [false; 2];
            relation.primes(&mut changes);
            if random.chance(25) {
                changes[random.index(2)] = true;
            }
            (from, to, relation, changes)
        });
        let edges = edges.collect();
        let environment = random.chance(20).then(|| *random.pick(&ENVIRONMENTS));
        Machine { assertions, edges, environment }
    }

    fn text(&self, name: &str) -> String {
        let mut text = format!("thread {name} {{\n");
        if let Some((environment, _)) = self.environment {
            let _ = writeln!(text, "    environment {environment};");
        }
        for (state, assertion) in self.assertions.iter().enumerate() {
            let initial = if state == 0 { "initial " } else { "" };
            let _ = writeln!(text, "    {initial}state s{state} {{");
            if let Some(assertion) = assertion {
                let _ = writeln!(text, "        assert {};", assertion.text());
            }
            for (_, to, relation, changes) in self.edges.iter().filter(|edge| edge.0 == state) {
                let names: Vec<&str> =
                    ["x", "y"].into_iter().zip(changes).filter(|(_, is)| **is).map(|(n, _)| n).collect();
                let except = if names.is_empty() { String::new() } else { format!(" except {}", names.join(", ")) };
                let _ = writeln!(text, "        to s{to}: {}, unchanged{except};", relation.text());
            }
            text.push_str("    }\n");
        }
        text + "}\n"
    }

    fn is_right(&self, at: &Local, shared: Shared) -> bool {
        self.assertions[at.state].as_ref().is_none_or(|assertion| assertion.holds(shared, shared))
            && self.environment.is_none_or(|(_, allows)| allows(at.copy, shared))
    }

    /// The steps of a thread whose assertion holds.
    fn steps(&self, at: &Local, shared: Shared) -> Vec<(Local, Shared)> {
        let is_right = self.assertions[at.state].as_ref().is_none_or(|assertion| assertion.holds(shared, shared));
        let mut found = Vec::new();
        for (_, to, relation, changes) in self.edges.iter().filter(|edge| is_right && edge.0 == at.state) {
            for after in [[false, false], [false, true], [true, false], [true, true]] {
                let is_framed = (0..2).all(|at| changes[at] || after[at] == shared[at]);
                if is_framed && relation.holds(shared, after) {
                    found.push((Local { state: *to, copy: after }, after));
                }
            }
        }
        found
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Local {
    state: usize,
    /// What was shared after the last own step.
    copy: Shared,
}

/// Whether the composition can go wrong, and whether it can deadlock.
fn by_definition(machines: &[Machine], threads: &[usize], initial: Shared) -> (bool, bool) {
    let begin: Vec<Local> = threads.iter().map(|_| Local { state: 0, copy: initial }).collect();
    let (mut wrong, mut stuck) = (false, false);
    let mut seen = BTreeSet::from([(initial, begin.clone())]);
    let mut work = vec![(initial, begin)];
    while let Some((shared, locals)) = work.pop() {
        wrong |= threads.iter().zip(&locals).any(|(of, at)| !machines[*of].is_right(at, shared));
        let mut can_move = false;
        for (index, of) in threads.iter().enumerate() {
            let mut next: Vec<(Local, Shared)> = machines[*of].steps(&locals[index], shared);
            can_move |= !next.is_empty();
            next.push((Local { copy: shared, ..locals[index].clone() }, shared));
            for (local, after) in next {
                let mut moved = locals.clone();
                moved[index] = local;
                if seen.insert((after, moved.clone())) {
                    work.push((after, moved));
                }
            }
        }
        let waits = |of: usize, at: &Local| machines[of].edges.iter().any(|edge| edge.0 == at.state);
        // Who has ended does not keep the others from waiting for good, whatever its last state asserts.
        let waiting: Vec<(&usize, &Local)> = threads.iter().zip(&locals).filter(|(of, at)| waits(**of, at)).collect();
        let is_right = waiting.iter().all(|(of, at)| machines[**of].is_right(at, shared));
        stuck |= !can_move && is_right && !waiting.is_empty();
    }
    (wrong, stuck)
}

#[test]
fn compositions_do_what_the_paper_says() {
    let (mut compared, mut wrong_ones, mut stuck_ones) = (0, 0, 0);
    for seed in seeds(0..150) {
        let mut random = Random::new(seed);
        let machines: Vec<Machine> = (0..1 + random.index(2)).map(|_| Machine::random(&mut random)).collect();
        let initial = [random.chance(50), random.chance(50)];
        let mut text = format!("shared bool x = {}, y = {};\n", initial[0], initial[1]);
        for (machine, name) in machines.iter().zip(["first", "second"]) {
            text.push_str(&machine.text(name));
        }
        // What can never hold is refused before.
        let Ok((read, program)) = read_alone("t.threads", &text) else { continue };
        let twice = random.chance(30);
        let count = |thread: &Thread| Instances::Exactly(if twice && thread.name == "first" { 2 } else { 1 });
        let composition = compose(&program, &read.spec, &count).expect("can be composed");
        assert!(composition.undecided.is_empty(), "seed {seed}: {text}");
        composition.program.validate().unwrap_or_else(|problems| panic!("seed {seed}: {problems:?}\n{text}"));
        let plain = recheck(&composition.program, 20_000, 256);
        if !plain.is_complete {
            continue;
        }
        let mut threads: Vec<usize> = (0..machines.len()).collect();
        if twice {
            threads.push(0);
        }
        let (wrong, stuck) = by_definition(&machines, &threads, initial);
        let found = (plain.violated.contains(&Property::Assertion), plain.violated.contains(&Property::Deadlock));
        assert_eq!(found, (wrong, stuck), "seed {seed} (goes wrong, deadlock), first twice: {twice}\n{text}");
        assert!(!plain.violated.contains(&Property::Race) && !plain.violated.contains(&Property::Memory), "{text}");
        compared += 1;
        wrong_ones += u32::from(wrong);
        stuck_ones += u32::from(stuck);
    }
    println!("{compared} compared, {wrong_ones} go wrong, {stuck_ones} can deadlock");
    assert!(compared >= 40 && wrong_ones >= 10 && stuck_ones >= 10, "{compared}, {wrong_ones}, {stuck_ones}");
}
