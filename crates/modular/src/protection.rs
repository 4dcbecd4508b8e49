//! Round zero for programs of any size: what locks and the lives of threads protect, told before anything is unfolded.
//! What that is, the checker finds out ([`selvedge_evidence::protection`]).

use std::sync::Arc;

use selvedge_analysis::{AbstractObject, Facts, Field};
use selvedge_evidence::protection::{Addresses, Asked, protected};
use selvedge_evidence::{Certificate, Findings, Gap, ProtectionProof, Scope, Subject};
use selvedge_program::{Action, AtomicStep, Budget, Exhausted, Expr, Program, Property, Undefined};

use crate::Options;

/// How what rests on something is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnTrust {
    /// For the case that nobody finds anything better.
    InReserve,
    /// At once.
    Settled,
}

/// What is told.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Of these objects and fields.
    pub subjects: Vec<Subject>,
    /// Whether only for the case that nobody finds anything better.
    pub is_reserve: bool,
}

/// Tells on which objects, and on which fields of the others, nothing races because they are protected.
///
/// # Errors
/// When the budget is used up.
pub fn tell_protected(
    facts: &Facts,
    options: &Options,
    on_trust: OnTrust,
    budget: &Budget,
    findings: &dyn Findings,
) -> Result<Told, Exhausted> {
    if !options.properties.contains(&Property::Race) {
        return Ok(Told::default());
    }
    let program = facts.program();
    let is_meant = |object: &AbstractObject| Subject::Race(*object).is_meant(program, options.race_on.as_deref());
    let meant: Vec<AbstractObject> = facts.sharing_of_products()?.shared.keys().copied().filter(is_meant).collect();
    let is_open = |object: &AbstractObject| findings.is_open(Subject::Race(*object));
    // Of what races, some fields may be safe all the same.
    let fields =
        meant.iter().flat_map(|object| Field::of(program, *object).into_iter().map(|field| (*object, field.0)));
    let asked = Asked { fields: fields.collect(), objects: meant.iter().copied().filter(is_open).collect() };
    let mut proof = protected(program, &asked, budget)?;
    let ProtectionProof { objects, fields, .. } = &mut proof;
    fields.retain(|(object, _), _| !objects.contains_key(object));
    let mut subjects: Vec<Subject> = objects.keys().map(|object| Subject::Race(*object)).collect();
    subjects.extend(fields.keys().map(|(object, field)| Subject::FieldRace(*object, *field)));
    let is_reserve = on_trust == OnTrust::InReserve && proof.addresses == Addresses::Assumed;
    if !subjects.is_empty() {
        let (scope, certificate) = (Scope::Subjects(subjects.clone()), Certificate::Protection(Arc::new(proof)));
        match is_reserve {
            true => findings.reserved(&scope, certificate),
            false => findings.proved(&scope, certificate),
        }
    }
    Ok(Told { subjects, is_reserve })
}

/// Where a program may be undefined in a way that nobody asked about, as far as can be seen at sight: what protects
/// objects holds as far as it is defined.
pub fn doubts(program: &Program, options: &Options) -> Vec<Gap> {
    let mut doubts = Vec::new();
    for edge in program.functions.iter().flat_map(|function| &function.edges) {
        let mut doubt = |undefined: Undefined| {
            if !options.properties.contains(&undefined.property()) {
                doubts.push(Gap::PerhapsUndefined { span: edge.span, undefined });
            }
        };
        if let Action::Require { otherwise, .. } = &edge.action {
            doubt(*otherwise);
        }
        for step in edge.action.steps() {
            if let AtomicStep::Require(_, otherwise) = step {
                doubt(*otherwise);
            }
        }
        for touch in edge.action.touches() {
            match touch.address {
                Expr::Address(..) => {}
                Expr::Binary(..) => doubt(Undefined::OutOfBounds),
                _ => doubt(Undefined::InvalidPointer),
            }
        }
    }
    doubts.sort();
    doubts.dedup();
    doubts
}
