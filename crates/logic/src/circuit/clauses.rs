//! Gives wires their literals: a gate becomes a variable and its defining clauses (Tseitin) when a literal for it is
//! first asked for. Conjunctions used by nothing else are folded into the conjunction above them.
//!
//! Both directions of every definition are kept, because a wire may be assumed true in one question and false in the
//! next.

use super::graph::{Gate, Graph, Wire};
use crate::sat::{Lit, Sat};

/// Which gate has which variable.
#[derive(Debug, Default)]
pub struct Clauses {
    literals: Vec<Option<Lit>>,
    clauses: u64,
}

impl Clauses {
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of clauses made so far.
    pub fn count(&self) -> u64 {
        self.clauses
    }

    /// The literal of a wire that already has one.
    pub fn known(&self, wire: Wire) -> Option<Lit> {
        let literal = self.literals.get(wire.gate()).copied().flatten()?;
        Some(if wire.is_negated() { !literal } else { literal })
    }

    /// The literal that is true exactly when the wire is.
    pub fn literal(&mut self, graph: &Graph, sat: &mut dyn Sat, wire: Wire) -> Lit {
        if self.literals.len() < graph.len() {
            self.literals.resize(graph.len(), None);
        }
        let mut pending = vec![wire.gate()];
        let mut inputs = Vec::new();
        while let Some(&gate) = pending.last() {
            if self.literals[gate].is_some() {
                pending.pop();
                continue;
            }
            inputs.clear();
            self.inputs_of(graph, gate, &mut inputs);
            let before = pending.len();
            pending.extend(inputs.iter().map(|input| input.gate()).filter(|&gate| self.literals[gate].is_none()));
            if pending.len() == before {
                let output = sat.new_variable();
                self.literals[gate] = Some(output);
                self.define(graph.gate(gate), output, &inputs, sat);
                pending.pop();
            }
        }
        self.of(wire)
    }

    fn of(&self, wire: Wire) -> Lit {
        match self.known(wire) {
            Some(literal) => literal,
            None => unreachable!("inputs get their literals before the gates that use them"),
        }
    }

    /// The wires a gate's clauses will mention.
    fn inputs_of(&self, graph: &Graph, gate: usize, inputs: &mut Vec<Wire>) {
        match graph.gate(gate) {
            Gate::False | Gate::Input(_) => {}
            Gate::And(a, b) => {
                let mut pending = vec![b, a];
                while let Some(wire) = pending.pop() {
                    let folds = !wire.is_negated()
                        && graph.used_once(wire.gate())
                        && self.literals[wire.gate()].is_none()
                        && inputs.len() + pending.len() < 64;
                    match graph.gate(wire.gate()) {
                        Gate::And(x, y) if folds => pending.extend([y, x]),
                        _ => inputs.push(wire),
                    }
                }
            }
            Gate::Xor(a, b) => inputs.extend([a, b]),
            Gate::Choice(a, b, c) | Gate::Majority(a, b, c) => inputs.extend([a, b, c]),
        }
    }

    fn define(&mut self, gate: Gate, output: Lit, inputs: &[Wire], sat: &mut dyn Sat) {
        let lits: Vec<Lit> = inputs.iter().map(|&wire| self.of(wire)).collect();
        let mut add = |clause: &[Lit]| {
            self.clauses += 1;
            sat.add_clause(clause);
        };
        match (gate, lits.as_slice()) {
            (Gate::False, _) => add(&[!output]),
            (Gate::And(..), lits) => {
                let mut whole = vec![output];
                for &lit in lits {
                    add(&[!output, lit]);
                    whole.push(!lit);
                }
                add(&whole);
            }
            (Gate::Xor(..), &[a, b]) => {
                add(&[!output, a, b]);
                add(&[!output, !a, !b]);
                add(&[output, !a, b]);
                add(&[output, a, !b]);
            }
            (Gate::Choice(..), &[c, a, b]) => {
                add(&[!output, !c, a]);
                add(&[output, !c, !a]);
                add(&[!output, c, b]);
                add(&[output, c, !b]);
                // Implied, but they let equal branches decide before the condition is known.
                add(&[output, !a, !b]);
                add(&[!output, a, b]);
            }
            (Gate::Majority(..), &[a, b, c]) => {
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    add(&[output, !x, !y]);
                    add(&[!output, x, y]);
                }
            }
            _ => {}
        }
    }
}
