//! Round zero for programs of any size: what locks and the starts of threads protect, told before anything is unfolded.
//!
//! The strongest annotation that follows the rules of [`selvedge_evidence::protection`] is found by beginning with
//! everything (nobody has company, every lock is held everywhere) and taking back what the rules do not allow.

use std::sync::Arc;

use selvedge_analysis::AbstractObject;
use selvedge_evidence::protection::{Flaw, Ground, Held, Protection, ProtectionProof};
use selvedge_evidence::{Certificate, Findings, Gap, Scope, Subject};
use selvedge_program::{Action, AtomicStep, Budget, Exhausted, Expr, LockMode, ObjectId, Program, Property, Undefined};

use crate::Options;

/// Tells on which objects nothing races because they are protected; whether there are any.
///
/// # Errors
/// When the budget is used up.
pub fn tell_protected(
    program: &Program,
    options: &Options,
    budget: &Budget,
    findings: &dyn Findings,
) -> Result<bool, Exhausted> {
    if !options.properties.contains(&Property::Race) {
        return Ok(false);
    }
    let Some(proof) = protected(program, budget)? else { return Ok(false) };
    let subjects = proof.objects.keys().map(|object| Subject::Race(AbstractObject::Static(*object)));
    let is_wanted =
        |subject: &Subject| subject.is_meant(program, options.race_on.as_deref()) && findings.is_open(*subject);
    let subjects: Vec<Subject> = subjects.filter(is_wanted).collect();
    let is_any = !subjects.is_empty();
    if is_any {
        findings.proved(&Scope::Subjects(subjects), Certificate::Protection(Arc::new(proof)));
    }
    Ok(is_any)
}

/// How the objects of a program are protected; `None` where nothing can be said so.
///
/// # Errors
/// When the budget is used up.
pub fn protected(program: &Program, budget: &Budget) -> Result<Option<ProtectionProof>, Exhausted> {
    let Some(ground) = Ground::of(program) else { return Ok(None) };
    let mut proof = ProtectionProof { company: everywhere(program, false), ..ProtectionProof::default() };
    loop {
        budget.check()?;
        let mut flaws = Vec::new();
        ground.rules().company(&proof.company, &mut |flaw| flaws.push(flaw));
        if flaws.is_empty() {
            break;
        }
        for flaw in flaws {
            if let Flaw::Company(function, location) = flaw {
                proof.company[function.index()][location.index()] = true;
            }
        }
    }
    for lock in ground.locks() {
        let all =
            Held { at: everywhere(program, Some(LockMode::Exclusive)), keeps: vec![true; program.functions.len()] };
        let mut held = Some(all);
        while let Some(guess) = &mut held {
            budget.check()?;
            let mut flaws = Vec::new();
            ground.rules().held(lock, guess, &proof.company, &mut |flaw| flaws.push(flaw));
            if flaws.is_empty() {
                break;
            }
            for flaw in flaws.iter().copied() {
                match flaw {
                    Flaw::Held(function, location, mode) => {
                        let known = &mut guess.at[function.index()][location.index()];
                        *known = mode.min(*known);
                    }
                    Flaw::Lost(function) => guess.keeps[function.index()] = false,
                    Flaw::Company(..) | Flaw::Broken => {}
                }
            }
            if flaws.contains(&Flaw::Broken) {
                held = None;
            }
        }
        proof.held.extend(held.map(|held| (lock, held)));
    }
    for object in (0..program.objects.len()).map(ObjectId::new).filter(|object| ground.is_direct(*object)) {
        budget.check()?;
        let locks = proof.held.keys().map(|lock| Protection::Guarded(*lock));
        let by = std::iter::once(Protection::ReadOnly).chain(locks);
        if let Some(by) = by.into_iter().find(|by| ground.is_protected(&proof, object, *by)) {
            proof.objects.insert(object, by);
        }
    }
    Ok(Some(proof))
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

/// The same at every location.
fn everywhere<T: Clone>(program: &Program, what: T) -> Vec<Vec<T>> {
    program.functions.iter().map(|function| vec![what.clone(); function.locations.len()]).collect()
}
