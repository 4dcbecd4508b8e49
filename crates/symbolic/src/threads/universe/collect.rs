//! Every step is taken once, so that the universe sees what it does; until no step adds anything.

use std::collections::BTreeSet;

use selvedge_logic::Op;
use selvedge_program::{Action, EdgeId, FunctionId, RegisterUse};

use super::Universe;
use crate::cell::CellKey;
use crate::threads::unfold::ArcKind;
use crate::threads::view::{Local, Named, View, Who};
use crate::word::Word;

impl Universe<'_> {
    /// Whether everything that an action looks at may hold something.
    fn is_possible(&self, function: FunctionId, action: &Action) -> bool {
        let mut is_possible = true;
        let mut assigned = BTreeSet::new();
        action.for_each_register(&mut |register| {
            if let (RegisterUse::Assigned(register), Action::Atomic(_)) = (register, action) {
                // Later steps of an update see what earlier ones have read.
                assigned.insert(register);
            }
        });
        action.for_each_register(&mut |register| {
            if let RegisterUse::Used(register) = register {
                is_possible &= assigned.contains(&register) || self.has_value((function, register));
            }
        });
        is_possible
    }
}

impl View<'_> {
    /// All steps of threads, each once.
    pub fn steps(&self) -> Vec<(FunctionId, EdgeId, ArcKind)> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut steps = Vec::new();
        for (_, unfolded) in &self.universe.templates {
            for arc in &unfolded.arcs {
                let step = (unfolded.get(arc.source).function, arc.edge, arc.kind);
                if seen.insert(step) {
                    steps.push(step);
                }
            }
        }
        steps
    }

    /// Whether one of the values that are written to a cell is neither a constant nor what was there.
    fn is_computed(&self, key: CellKey, written: Word) -> bool {
        let old = self.called(Named::Cell(key));
        let mut pending = vec![written.bits];
        while let Some(bits) = pending.pop() {
            match (self.builder.terms.op(bits), self.builder.terms.operands(bits)) {
                _ if old.is_some_and(|old| old.bits == bits) || self.builder.constant(bits).is_some() => {}
                (Op::Ite, &[_, then, otherwise]) => pending.extend([then, otherwise]),
                _ => return true,
            }
        }
        false
    }

    /// Takes every step once, so that the universe sees what it does; `false` if that was stopped.
    pub(super) fn collect(&mut self, go_on: &mut impl FnMut() -> bool) -> bool {
        let mut edges = BTreeSet::new();
        for (_, unfolded) in &self.universe.templates {
            for node in &unfolded.nodes {
                let function = self.universe.program.function(node.function);
                edges.extend(function.location(node.location).outgoing.iter().map(|edge| (node.function, *edge)));
            }
        }
        for (function, edge) in edges {
            self.find_callees(function, edge);
        }
        for (function, edge, kind) in self.steps() {
            if !go_on() {
                return false;
            }
            // What looks at a register that has had no value cannot happen, as far as is known.
            if !self.universe.is_possible(function, &self.universe.program.function(function).edge(edge).action) {
                continue;
            }
            let moved = self.moved(Who::Own, function, edge, kind);
            for (local, word) in &moved.locals {
                match local {
                    Local::Register(function, register) => {
                        self.universe.assigns(&self.builder, (*function, *register), *word);
                    }
                    Local::Cell(key) => self.universe.writes(&self.builder, *key, *word),
                }
            }
            if let Action::Atomic(_) = &self.universe.program.function(function).edge(edge).action {
                let computed = moved.cells.iter().filter(|(key, word)| self.is_computed(**key, **word));
                let computed = computed.map(|(key, _)| *key).collect();
                self.universe.updates(&moved.touched, &computed);
            }
            for (local, word) in &moved.passed {
                match local {
                    Local::Register(..) => self.universe.gives(&self.builder, *word),
                    Local::Cell(key) => self.universe.writes(&self.builder, *key, *word),
                }
            }
            for (key, word) in &moved.cells {
                if let CellKey::Unjoined = key {
                    continue;
                }
                self.universe.writes(&self.builder, *key, *word);
            }
        }
        true
    }
}
