//! The order theory against brute force and against a naive encoding with transitivity clauses, on random instances
//! that grow between questions.
//!
//! `SELVEDGE_LOGIC_ORDERS` multiplies how many; run with `--nocapture` to see the counts.

mod common;

use selvedge_generate::random::Random;
use selvedge_logic::{Answer, Error, Event, Lit, Solver, proof};

fn times() -> usize {
    std::env::var("SELVEDGE_LOGIC_ORDERS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// A variable and its sign.
type Literal = (usize, bool);

/// An edge that holds while its literal does, or always.
type Edge = (Option<Literal>, usize, usize);

/// A random instance, kept beside the solver that is to solve it.
#[derive(Default)]
struct Instance {
    events: usize,
    variables: usize,
    edges: Vec<Edge>,
    clauses: Vec<Vec<Literal>>,
}

impl Instance {
    fn literal(&self, random: &mut Random) -> Literal {
        (random.index(self.variables), random.index(4) != 0)
    }

    fn holds(&self, values: u64, (variable, sign): Literal) -> bool {
        (values >> variable & 1 == 1) == sign
    }

    /// No cycle among the true edges: events without true incoming edges can be taken away until none is left.
    fn acyclic(&self, values: u64) -> bool {
        let active: Vec<(usize, usize)> = self
            .edges
            .iter()
            .filter(|(literal, ..)| literal.is_none_or(|literal| self.holds(values, literal)))
            .map(|&(_, a, b)| (a, b))
            .collect();
        let mut left: Vec<usize> = (0..self.events).collect();
        while !left.is_empty() {
            let before = left.len();
            let minimal: Vec<usize> =
                left.iter().copied().filter(|&e| !active.iter().any(|&(a, b)| b == e && left.contains(&a))).collect();
            left.retain(|event| !minimal.contains(event));
            if left.len() == before {
                return false;
            }
        }
        true
    }

    fn possible(&self, values: u64, assumptions: &[Literal]) -> bool {
        assumptions.iter().all(|&literal| self.holds(values, literal))
            && self.clauses.iter().all(|clause| clause.iter().any(|&literal| self.holds(values, literal)))
            && self.acyclic(values)
    }
}

/// The solver that is tested, and its names for the instance's parts.
struct Tested {
    solver: Solver,
    events: Vec<Event>,
    variables: Vec<Lit>,
}

impl Tested {
    fn new(solver: Solver) -> Self {
        Tested { solver, events: Vec::new(), variables: Vec::new() }
    }

    fn literal(&self, (variable, sign): Literal) -> Lit {
        if sign { self.variables[variable] } else { !self.variables[variable] }
    }

    fn grow(&mut self, instance: &Instance, edges: usize, clauses: usize) {
        while self.events.len() < instance.events {
            self.events.push(self.solver.new_event());
        }
        while self.variables.len() < instance.variables {
            let literal = self.solver.new_literal();
            self.variables.push(literal);
        }
        for &(literal, a, b) in &instance.edges[edges..] {
            let (a, b) = (self.events[a], self.events[b]);
            match literal {
                Some(literal) => self.solver.add_edge(self.literal(literal), a, b).unwrap(),
                None => self.solver.add_before(a, b).unwrap(),
            }
        }
        for clause in &instance.clauses[clauses..] {
            let clause: Vec<Lit> = clause.iter().map(|&literal| self.literal(literal)).collect();
            self.solver.add_clause(&clause);
        }
    }

    /// Asks; checks the model and the linear order, or the proof and the core.
    fn ask(&mut self, instance: &Instance, assumptions: &[Literal], proofs: bool) -> bool {
        let literals: Vec<Lit> = assumptions.iter().map(|&literal| self.literal(literal)).collect();
        match self.solver.check_literals(&literals).unwrap() {
            Answer::Satisfiable => {
                let mut values = 0;
                for (number, &variable) in self.variables.clone().iter().enumerate() {
                    values |= u64::from(self.solver.value(variable).unwrap()) << number;
                }
                assert!(instance.possible(values, assumptions));
                let order = self.solver.linearisation().unwrap();
                let place = |event: usize| order.iter().position(|e| *e == self.events[event]).unwrap();
                for &(literal, a, b) in &instance.edges {
                    if literal.is_none_or(|literal| instance.holds(values, literal)) {
                        assert!(place(a) < place(b));
                    }
                }
                true
            }
            Answer::Unsatisfiable => {
                if proofs {
                    proof::check(&self.solver.proof().unwrap()).unwrap();
                }
                self.solver.minimise_core().unwrap();
                if proofs {
                    proof::check(&self.solver.proof().unwrap()).unwrap();
                }
                let core = self.solver.core_literals().unwrap().to_vec();
                assert!(core.iter().all(|literal| literals.contains(literal)));
                assert_eq!(self.solver.check_literals(&core).unwrap(), Answer::Unsatisfiable);
                false
            }
            Answer::Unknown(reason) => panic!("{reason:?}"),
        }
    }
}

fn grow_randomly(instance: &mut Instance, random: &mut Random, events: usize, variables: usize) {
    instance.events += events;
    instance.variables += variables;
    for _ in 0..random.index(3 * instance.events) {
        let literal = (random.index(8) != 0).then(|| instance.literal(random));
        let (a, b) = (random.index(instance.events), random.index(instance.events));
        // Permanent edges go upwards, or everything would soon be contradictory; now and then one does not.
        let (a, b) = if literal.is_none() && random.index(20) != 0 { (a.min(b), a.max(b)) } else { (a, b) };
        if a != b || random.index(20) == 0 {
            instance.edges.push((literal, a, b));
        }
    }
    for _ in 0..random.index(2 * instance.variables) {
        let clause = (0..1 + random.index(3)).map(|_| instance.literal(random)).collect();
        instance.clauses.push(clause);
    }
}

#[test]
fn small_instances_agree_with_brute_force() {
    let mut random = Random::new(11);
    let (mut satisfiable, mut unsatisfiable) = (0, 0);
    for round in 0..600 * times() {
        let proofs = round % 2 == 0;
        let mut instance = Instance::default();
        let mut tested = Tested::new(if proofs { Solver::with_proofs() } else { Solver::new() });
        for _ in 0..3 {
            let (edges, clauses) = (instance.edges.len(), instance.clauses.len());
            let (events, variables) = (1 + random.index(3), 1 + random.index(3));
            grow_randomly(&mut instance, &mut random, events, variables);
            tested.grow(&instance, edges, clauses);
            for _ in 0..3 {
                let assumptions: Vec<Literal> = (0..random.index(4)).map(|_| instance.literal(&mut random)).collect();
                let expected = (0..1u64 << instance.variables).any(|values| instance.possible(values, &assumptions));
                assert_eq!(tested.ask(&instance, &assumptions, proofs), expected);
                if expected {
                    satisfiable += 1;
                } else {
                    unsatisfiable += 1;
                }
            }
        }
    }
    println!("order, brute force: {satisfiable} satisfiable, {unsatisfiable} unsatisfiable, no disagreement");
    assert!(satisfiable > 500 && unsatisfiable > 500);
}

/// The naive encoding: a variable for every pair of events, transitivity, irreflexivity.
fn naive(instance: &Instance) -> Tested {
    let mut tested = Tested::new(Solver::new());
    tested.variables = (0..instance.variables).map(|_| tested.solver.new_literal()).collect();
    let n = instance.events;
    let pairs: Vec<Vec<Lit>> = (0..n).map(|_| (0..n).map(|_| tested.solver.new_literal()).collect()).collect();
    for a in 0..n {
        tested.solver.add_clause(&[!pairs[a][a]]);
        for b in 0..n {
            for c in 0..n {
                tested.solver.add_clause(&[!pairs[a][b], !pairs[b][c], pairs[a][c]]);
            }
        }
    }
    for &(literal, a, b) in &instance.edges {
        let mut clause = vec![pairs[a][b]];
        clause.extend(literal.map(|literal| !tested.literal(literal)));
        tested.solver.add_clause(&clause);
    }
    for clause in &instance.clauses {
        let clause: Vec<Lit> = clause.iter().map(|&literal| tested.literal(literal)).collect();
        tested.solver.add_clause(&clause);
    }
    tested
}

#[test]
fn larger_instances_agree_with_the_naive_encoding() {
    let mut random = Random::new(12);
    let (mut satisfiable, mut unsatisfiable) = (0, 0);
    for round in 0..60 * times() {
        let n = 8 + random.index(18);
        let mut instance = Instance { events: n, ..Instance::default() };
        // Pairs that must be ordered one way or the other, as interference makes them, and a little program order.
        for _ in 0..n * 2 {
            let (a, b) = (random.index(n), random.index(n));
            if a == b {
                continue;
            }
            let (one, other) = (instance.variables, instance.variables + 1);
            instance.variables += 2;
            instance.edges.push((Some((one, true)), a, b));
            let (c, d) = (random.index(n), random.index(n));
            instance.edges.push((Some((other, true)), if c == d { b } else { c }, if c == d { a } else { d }));
            instance.clauses.push(vec![(one, true), (other, true)]);
        }
        for _ in 0..n / 2 {
            let (a, b) = (random.index(n), random.index(n));
            if a != b {
                instance.edges.push((None, a.min(b), a.max(b)));
            }
        }
        let mut tested = Tested::new(if round % 3 == 0 { Solver::with_proofs() } else { Solver::new() });
        tested.grow(&instance, 0, 0);
        let mut reference = naive(&instance);
        for _ in 0..8 {
            let assumptions: Vec<Literal> = (0..random.index(n)).map(|_| instance.literal(&mut random)).collect();
            let literals: Vec<Lit> = assumptions.iter().map(|&literal| reference.literal(literal)).collect();
            let expected = reference.solver.check_literals(&literals).unwrap() == Answer::Satisfiable;
            let literals: Vec<Lit> = assumptions.iter().map(|&literal| tested.literal(literal)).collect();
            let answer = tested.solver.check_literals(&literals).unwrap();
            assert_eq!(answer, if expected { Answer::Satisfiable } else { Answer::Unsatisfiable });
            if expected {
                satisfiable += 1;
                let order = tested.solver.linearisation().unwrap();
                let place = |event: usize| order.iter().position(|e| *e == tested.events[event]).unwrap();
                for &(literal, a, b) in &instance.edges {
                    let literal = literal.map(|literal| tested.literal(literal));
                    if literal.is_none_or(|literal| tested.solver.value(literal).unwrap()) {
                        assert!(place(a) < place(b));
                    }
                }
            } else {
                unsatisfiable += 1;
                if round % 3 == 0 {
                    let shown = proof::check(&tested.solver.proof().unwrap()).unwrap();
                    assert!(shown.lemmas > 0 || shown.inputs > 0);
                }
            }
        }
    }
    println!("order, naive encoding: {satisfiable} satisfiable, {unsatisfiable} unsatisfiable, no disagreement");
    assert!(satisfiable > 50 && unsatisfiable > 50);
}

#[test]
fn a_cycle_is_refuted_with_its_edges() {
    let mut solver = Solver::with_proofs();
    let events: Vec<Event> = (0..4).map(|_| solver.new_event()).collect();
    let ring: Vec<Lit> = (0..4).map(|i| solver.before(events[i], events[(i + 1) % 4]).unwrap()).collect();
    let idle = solver.before(events[0], events[2]).unwrap();
    let mut assumptions = ring.clone();
    assumptions.push(idle);
    assert_eq!(solver.check_literals(&assumptions).unwrap(), Answer::Unsatisfiable);
    let shown = proof::check(&solver.proof().unwrap()).unwrap();
    assert!(shown.lemmas >= 1);
    solver.minimise_core().unwrap();
    // 0 < 2 makes 0 < 1 < 2 superfluous, or is itself superfluous.
    assert!(solver.core_literals().unwrap().len() <= 4);
    assert_eq!(solver.check_literals(&ring[..3]).unwrap(), Answer::Satisfiable);
    assert_eq!(solver.linearisation().unwrap(), events);
}

#[test]
fn unknown_events_are_errors() {
    let mut solver = Solver::new();
    let mut other = Solver::new();
    let a = solver.new_event();
    other.new_event();
    let b = other.new_event();
    assert_eq!(solver.before(a, b), Err(Error::UnknownEvent(1)));
    assert_eq!(solver.add_before(b, a), Err(Error::UnknownEvent(1)));
}
