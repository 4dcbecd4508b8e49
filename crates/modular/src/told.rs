//! What an exploration proves, told: everything that is asked and has no alarm, with the explored states as one proof.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use selvedge_analysis::AbstractObject;
use selvedge_evidence::modular::{Possible, abstracted};
use selvedge_evidence::{Certificate, Findings, Gap, ModularProof, Scope, Subject};
use selvedge_program::{CheckId, ObjectId, Property};

use crate::Options;
use crate::checks::{Check, subject};
use crate::space::Space;

/// Tells what has no alarm and is still open; of objects, those on which races were looked for.
pub fn tell(space: &Space<'_, '_, '_>, options: &Options, findings: &dyn Findings) {
    if space.alarms.iter().any(|alarm| Check::of(space, alarm) == Check::Everything) {
        return;
    }
    let alarmed: BTreeSet<Subject> = space.alarms.iter().filter_map(|alarm| subject(space, alarm)).collect();
    let open = options.properties.iter().filter(|property| findings.is_property_open(**property));
    let scopes = open.filter_map(|property| {
        let is_whole = *property != Property::Race || space.left_out.is_empty();
        if is_whole && !alarmed.iter().any(|subject| subject.property() == *property) {
            return Some(Scope::Property(*property));
        }
        let subjects = subjects(space, *property).into_iter();
        let subjects = subjects.filter(|subject| !alarmed.contains(subject) && findings.is_open(*subject));
        let subjects: Vec<Subject> = subjects.collect();
        (!subjects.is_empty()).then_some(Scope::Subjects(subjects))
    });
    let scopes: Vec<Scope> = scopes.collect();
    if !scopes.is_empty() {
        findings.proved(&Scope::Each(scopes), Certificate::Modular(Arc::new(proof(space))));
    }
}

/// Where the program may be undefined in a way that nobody asked about, as far as an exploration says: a proof holds as
/// far as the program is defined.
pub fn doubts(space: &Space<'_, '_, '_>, options: &Options) -> Vec<Gap> {
    let doubt = |alarm| match subject(space, alarm) {
        Some(Subject::Memory(function, edge, undefined)) if !options.properties.contains(&undefined.property()) => {
            let span = space.on.view.universe.program.function(function).edge(edge).span;
            Some(Gap::PerhapsUndefined { span, undefined })
        }
        _ => None,
    };
    let mut doubts: Vec<Gap> = space.alarms.iter().filter_map(doubt).collect();
    doubts.sort();
    doubts.dedup();
    doubts
}

/// What there is of a property that can be proved by itself.
fn subjects(space: &Space<'_, '_, '_>, property: Property) -> BTreeSet<Subject> {
    let universe = &space.on.view.universe;
    match property {
        Property::Assertion => {
            (0..universe.program.checks.len()).map(|check| Subject::Assertion(CheckId::new(check))).collect()
        }
        Property::Race => {
            let objects =
                (0..universe.program.objects.len()).map(|object| AbstractObject::Static(ObjectId::new(object)));
            let left_out = space.left_out.iter().filter_map(|tag| abstracted(universe, *tag));
            let left_out: BTreeSet<AbstractObject> = left_out.collect();
            let objects = objects.chain(universe.tags().filter_map(|tag| abstracted(universe, tag)));
            objects.filter(|object| !left_out.contains(object)).map(Subject::Race).collect()
        }
        Property::Memory | Property::Overflow | Property::Deadlock | Property::Livelock | Property::Atomicity => {
            BTreeSet::new()
        }
    }
}

/// The explored states as a proof.
fn proof(space: &Space<'_, '_, '_>) -> ModularProof {
    let universe = &space.on.view.universe;
    let mut places: BTreeMap<_, Vec<Possible>> = BTreeMap::new();
    for state in space.states.iter().filter(|state| !state.is_covered) {
        let unstarted = (0..universe.templates.len()).filter(|template| state.unstarted & (1 << template) != 0);
        let literals = state.cube.iter().map(|(id, truth)| (space.on.predicates.get(*id).clone(), *truth));
        let possible = Possible {
            unstarted: unstarted.map(|template| universe.templates[template].0).collect(),
            literals: literals.collect(),
        };
        places.entry((universe.templates[state.template].0, state.node.0)).or_default().push(possible);
    }
    let witnesses = space.witnesses.iter().filter_map(|(edge, registers)| Some((*edge, *registers.first()?)));
    ModularProof { places, witnesses: witnesses.collect() }
}
