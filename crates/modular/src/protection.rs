//! Round zero for programs of any size: what locks and the lives of threads protect, told before anything is unfolded.
//! What that is, the checker finds out ([`selvedge_evidence::protection`]).

use std::collections::BTreeSet;
use std::sync::Arc;

use selvedge_analysis::{AbstractObject, Facts};
use selvedge_evidence::protection::{Addresses, protected};
use selvedge_evidence::{Certificate, Findings, Gap, Scope, Subject};
use selvedge_program::{Action, AtomicStep, Budget, Exhausted, Expr, Program, Property, Undefined};

use crate::Options;

/// What is told of what is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// What rests on nothing.
    Confirmed,
    /// Also what holds if no address comes out of nothing.
    Everything,
}

/// Tells on which objects nothing races because they are protected; whether there are any.
///
/// # Errors
/// When the budget is used up.
pub fn tell_protected(
    facts: &Facts,
    options: &Options,
    which: Told,
    budget: &Budget,
    findings: &dyn Findings,
) -> Result<bool, Exhausted> {
    if !options.properties.contains(&Property::Race) {
        return Ok(false);
    }
    let program = facts.program();
    let is_wanted = |object: &AbstractObject| {
        let subject = Subject::Race(*object);
        subject.is_meant(program, options.race_on.as_deref()) && findings.is_open(subject)
    };
    let wanted: BTreeSet<AbstractObject> = facts.sharing()?.shared.keys().copied().filter(is_wanted).collect();
    let proof = protected(program, &wanted, budget)?;
    let subjects: Vec<Subject> = proof.objects.keys().map(|object| Subject::Race(*object)).collect();
    let is_told = which == Told::Everything || proof.addresses == Addresses::Made;
    let is_any = is_told && !subjects.is_empty();
    if is_any {
        findings.proved(&Scope::Subjects(subjects), Certificate::Protection(Arc::new(proof)));
    }
    Ok(is_any)
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
