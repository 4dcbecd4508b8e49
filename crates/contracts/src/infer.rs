//! Abstract threads from a proof: what a thread-modular proof says of the shared variables at the places of a thread becomes the
//! assertions of states, and what its steps do to them the edges. A state is a place from which the next step has to do
//! with a shared variable; it is called after its line. What the proof says of a thread's own variables is left out, so what comes out
//! may be too weak: whoever prints it checks before that the program conforms to it and that it composes.

mod explore;
mod observed;
mod relation;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use selvedge_evidence::ModularProof;
use selvedge_program::{Expr, FunctionId, GhostField, Program};
use selvedge_symbolic::predicate::variable_name;
use selvedge_symbolic::threads::along::cells_of;
use selvedge_symbolic::threads::{Arc, ArcKind, NodeId, Universe, View, Who};
use selvedge_symbolic::{CellKey, Predicate, Root, Variable};

pub use observed::observe;
use relation::{Change, change};

/// Which threads a specification names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// Those that are started. The initial one is to leave the shared variables alone once it has started another.
    Started,
    /// The initial one, too.
    All,
}

/// The text of a specification that a proof induces.
///
/// # Errors
/// When the proof says nothing of shared variables that a specification can name.
pub fn infer(program: &Program, proof: &ModularProof, named: Named) -> Result<String, String> {
    let universe = Universe::of(program, || true).map_err(|_| "the threads cannot be unfolded".to_owned())?;
    let mut view = View::new(universe.ok_or("there was no time")?);
    let main = view.universe.templates[0].0;
    let mut shared: BTreeSet<Variable> = BTreeSet::new();
    for ((entry, _), said) in &proof.places {
        if *entry != main {
            let literals = said.iter().flat_map(|possible| &possible.literals);
            for (predicate, _) in literals.filter(|(predicate, _)| is_shared(predicate)) {
                shared.extend(predicate.variables());
            }
        }
    }
    if shared.is_empty() {
        return Err("the proof says nothing of shared variables that a specification can name".to_owned());
    }
    let shared: Vec<(Variable, CellKey)> =
        shared.into_iter().filter_map(|variable| Some((variable, view.key(variable)?))).collect();
    let mut text = String::from("// Written by `selvedge contract` from a thread-modular proof.\n\n");
    for (variable, key) in &shared {
        let name = variable_name(program, *variable);
        let initial = view.initial(*key).filter(|word| view.builder.is_number(*word));
        let initial = initial.and_then(|word| view.builder.constant(word.bits));
        // Of what the first thread writes before it starts others, conformance tells what it is.
        let _ = match (variable, initial) {
            (Variable::Cell { .. }, Some(value)) => writeln!(text, "shared {name} = {value};"),
            // A lock is declared, and its fields come with it.
            (Variable::Ghost { .. }, _) => {
                let lock = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(&name);
                writeln!(text, "shared mutex {lock};")
            }
            _ => writeln!(text, "shared {name};"),
        };
    }
    let first = match named {
        Named::Started => 1,
        Named::All => 0,
    };
    for template in first..view.universe.templates.len() {
        let mut writer = Writer { view: &mut view, program, proof, shared: &shared, template };
        text.push('\n');
        text.push_str(&writer.thread());
    }
    Ok(text)
}

/// Whether a predicate speaks of parts of static objects alone.
fn is_shared(predicate: &Predicate) -> bool {
    let is_static = |variable: &Variable| match variable {
        Variable::Cell { object, .. } => matches!(object, Root::Static(_)),
        Variable::Ghost { object, field, .. } => *field == GhostField::MutexOwner && matches!(object, Root::Static(_)),
        _ => false,
    };
    !predicate.variables().is_empty() && predicate.variables().iter().all(is_static)
}

struct Writer<'a, 'p> {
    view: &'a mut View<'p>,
    program: &'p Program,
    proof: &'a ModularProof,
    shared: &'a [(Variable, CellKey)],
    template: usize,
}

impl Writer<'_, '_> {
    fn entry(&self) -> FunctionId {
        self.view.universe.templates[self.template].0
    }

    fn arcs(&self, node: NodeId) -> Vec<Arc> {
        let unfolded = self.view.universe.unfolded(self.template);
        unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc)).collect()
    }

    /// The shared variables that a step has to do with.
    fn concerned(&mut self, node: NodeId, arc: Arc) -> Vec<Variable> {
        let function = self.view.universe.unfolded(self.template).get(node).function;
        let moved = self.view.moved(Who::Own, function, arc.edge, arc.kind);
        let cells = cells_of(self.view, &moved);
        self.shared.iter().filter(|(_, key)| cells.contains(key)).map(|(variable, _)| *variable).collect()
    }

    /// Where control may be before the next step that has to do with shared variables; `None` for the end of the thread.
    fn next(&mut self, from: NodeId) -> BTreeSet<Option<NodeId>> {
        let (mut found, mut seen, mut pending) = (BTreeSet::new(), BTreeSet::from([from]), vec![from]);
        while let Some(node) = pending.pop() {
            let arcs = self.arcs(node);
            if arcs.is_empty() {
                found.insert(None);
            }
            let mut is_state = false;
            for &arc in &arcs {
                is_state |= !self.concerned(node, arc).is_empty();
            }
            if is_state {
                found.insert(Some(node));
                continue;
            }
            for arc in arcs {
                match arc.target {
                    Some(target) if seen.insert(target) => pending.push(target),
                    Some(_) => {}
                    None => drop(found.insert(None)),
                }
            }
        }
        found
    }

    fn thread(&mut self) -> String {
        let entry = self.entry();
        let first = self.next(self.view.universe.unfolded(self.template).first());
        let mut states: Vec<Option<NodeId>> = Vec::new();
        let mut edges: Vec<(usize, Option<NodeId>, Change)> = Vec::new();
        let mut pending: Vec<Option<NodeId>> = first.iter().copied().collect();
        while let Some(state) = pending.pop() {
            if states.contains(&state) {
                continue;
            }
            let number = states.len();
            states.push(state);
            let Some(node) = state else { continue };
            for arc in self.arcs(node) {
                let relation = change(self.view, self.template, (node, arc), self.shared);
                let targets = match arc.target {
                    Some(target) => self.next(target),
                    None => BTreeSet::from([None]),
                };
                for target in targets {
                    edges.push((number, target, relation.clone()));
                    pending.push(target);
                }
            }
        }
        let names = self.names(&states);
        let word = if self.is_one() { "thread" } else { "threads" };
        let mut text = format!("{word} {} {{\n", self.program.function(entry).name);
        for (number, state) in states.iter().enumerate() {
            let initial = if first.contains(state) { "initial " } else { "" };
            let _ = writeln!(text, "    {initial}state {} {{", names[number]);
            if let Some(assertion) = self.assertion(*state) {
                let _ = writeln!(text, "        assert {};", assertion.text(self.program));
            }
            let mut said: BTreeSet<String> = BTreeSet::new();
            for (_, target, relation) in edges.iter().filter(|(from, ..)| *from == number) {
                let to = states.iter().position(|state| state == target).unwrap_or_default();
                // What the proof says of the next state holds after the step.
                let label = relation.label(self.program, self.assertion(*target).as_ref());
                let edge = match label.as_str() {
                    "" => format!("        to {};", names[to]),
                    label => format!("        to {}: {label};", names[to]),
                };
                // A step that changes nothing and goes nowhere is idle.
                if (to != number || !relation.is_idle()) && said.insert(edge.clone()) {
                    let _ = writeln!(text, "{edge}");
                }
            }
            text.push_str("    }\n");
        }
        text.push_str("}\n");
        text
    }

    /// Whether there is one start of such a thread, and no way back to it.
    fn is_one(&self) -> bool {
        let entry = self.entry();
        let mut starts = 0;
        for template in 0..self.view.universe.templates.len() {
            let unfolded = self.view.universe.unfolded(template);
            for arc in unfolded.arcs.iter().filter(|arc| arc.kind == ArcKind::Spawn(entry)) {
                starts += if template == 0 { 1 } else { 2 };
                let (mut seen, mut pending) = (BTreeSet::new(), vec![arc.target]);
                while let Some(node) = pending.pop() {
                    let Some(node) = node.filter(|node| seen.insert(*node)) else { continue };
                    if node == arc.source {
                        starts += 1;
                    }
                    pending.extend(unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc).target));
                }
            }
        }
        starts <= 1
    }

    /// What the proof says of the shared variables at a state.
    fn assertion(&self, state: Option<NodeId>) -> Option<Predicate> {
        let said = self.proof.places.get(&(self.entry(), state?.0))?;
        let mut all: Option<Predicate> = None;
        let named = |variable: &Variable| self.shared.iter().any(|(known, _)| known == variable);
        let mut alternatives: BTreeMap<String, Predicate> = BTreeMap::new();
        for possible in said {
            let mut one = Predicate::new(&Expr::truth(), &[]);
            for (predicate, truth) in &possible.literals {
                if is_shared(predicate) && predicate.variables().iter().all(named) {
                    one = one.and(&if *truth { predicate.clone() } else { predicate.not() });
                }
            }
            if one.variables().is_empty() {
                return None;
            }
            alternatives.insert(one.text(self.program), one);
        }
        for one in alternatives.into_values() {
            all = Some(match all {
                None => one,
                Some(all) => all.or(&one),
            });
        }
        all
    }

    /// Names of states: the line of the next step, and what that is about.
    fn names(&mut self, states: &[Option<NodeId>]) -> Vec<String> {
        let mut bases: Vec<String> = Vec::new();
        for state in states {
            bases.push(match state {
                None => "done".to_owned(),
                Some(node) => {
                    let arcs = self.arcs(*node);
                    let function = self.view.universe.unfolded(self.template).get(*node).function;
                    let line = arcs.first().map_or(0, |arc| self.program.function(function).edge(arc.edge).span.line);
                    let mut about = String::new();
                    for arc in arcs {
                        if let Some(variable) = self.concerned(*node, arc).first() {
                            about = variable_name(self.program, *variable);
                            break;
                        }
                    }
                    format!("line_{line}_{about}")
                }
            });
        }
        states_named(bases.into_iter())
    }
}

/// Names of states that are words and differ from each other.
fn states_named(bases: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for base in bases {
        let word: String =
            base.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
        let base = word.trim_matches('_');
        let mut name = base.to_owned();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}
