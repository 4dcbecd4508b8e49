//! Thread-modular proofs as annotations of the source: what holds whenever a thread comes to a line.

use super::{ModularProof, Possible};
use selvedge_program::{Budget, FunctionId, LocationId, Program, Span};
use selvedge_symbolic::threads::{NodeId, Universe};
use std::collections::{BTreeMap, BTreeSet};

/// What holds whenever a thread is about to execute what a line begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The function.
    pub function: FunctionId,
    /// The place.
    pub span: Span,
    /// One of these conjunctions holds, in the language of predicates.
    pub alternatives: BTreeSet<String>,
}

impl ModularProof {
    /// What the proof says at lines of the user's, whatever the callers; nothing if the budget does not last.
    pub fn annotations(&self, program: &Program, budget: &Budget) -> Vec<Annotation> {
        let Ok(Some(universe)) = Universe::with_recursion(program, || budget.exhausted().is_none()) else {
            return Vec::new();
        };
        let mut at: BTreeMap<(FunctionId, LocationId), Annotation> = BTreeMap::new();
        for ((entry, node), said) in &self.places {
            let Some(template) = universe.template_of(*entry) else { continue };
            let unfolded = universe.unfolded(template);
            let Some(place) = unfolded.nodes.get(*node as usize) else { continue };
            let Some(arc) = unfolded.outgoing(NodeId(*node)).first() else { continue };
            let span = program.function(place.function).edge(unfolded.arc(*arc).edge).span;
            if !program.is_the_users(span) {
                continue;
            }
            let function = place.function;
            let fresh = || Annotation { function, span, alternatives: BTreeSet::new() };
            let annotation = at.entry((function, place.location)).or_insert_with(fresh);
            annotation.alternatives.extend(said.iter().map(|possible| conjunction(program, possible)));
        }
        // Of the places of a line, the one where it begins.
        let mut by_line: BTreeMap<_, Annotation> = BTreeMap::new();
        for annotation in at.into_values() {
            let Span { file, line, column, .. } = annotation.span;
            match by_line.get(&(file, line)) {
                Some(known) if known.span.column <= column => {}
                _ => drop(by_line.insert((file, line), annotation)),
            }
        }
        by_line.into_values().collect()
    }
}

fn conjunction(program: &Program, possible: &Possible) -> String {
    let literal = |(predicate, truth): &(selvedge_symbolic::Predicate, bool)| {
        let text = predicate.text(program);
        if *truth { text } else { format!("!({text})") }
    };
    let literals: Vec<String> = possible.literals.iter().map(literal).collect();
    if literals.is_empty() { "true".to_owned() } else { literals.join(" && ") }
}
