//! Proofs of fields that no engine has told of: where a run ends because everything that was asked is settled, what is
//! known of a struct that races must not depend on who was fastest.

use crate::accept::{Acceptance, Claimed};
use crate::board::{Counts, Evidence, Proof};
use crate::questions::Questions;
use selvedge_evidence::protection::{Asked, protected};
use selvedge_evidence::{Certificate, Scope, Subject};
use selvedge_program::{Budget, Program, Property};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What it may take, where the run has that long to go; large programs are told of by an engine.
const TIME: Duration = Duration::from_secs(2);

/// Adds what protects the fields of objects that are not safe as a whole.
pub fn prove_fields(program: &Program, questions: &Questions, evidence: &mut Evidence, run: &Budget) {
    // What protects them holds as far as the program is defined, which is then a question of its own.
    if !questions.properties.contains(&Property::Memory) || evidence.told.is_empty() {
        return;
    }
    let is_open = |(object, field): &(_, _)| {
        let whole = Subject::Race(*object);
        let is_safe = evidence.violation(whole).is_none() && evidence.proof(whole).is_some();
        !is_safe && evidence.named_proof(Subject::FieldRace(*object, *field)).is_none()
    };
    let fields = questions.fields.keys().copied().filter(is_open).collect();
    let asked = Asked { objects: BTreeSet::new(), fields };
    if asked.fields.is_empty() {
        return;
    }
    let left = run.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let budget = Budget::unlimited().with_time(left.map_or(TIME, |left| left.min(TIME)));
    let Ok(proof) = protected(program, &asked, &budget) else { return };
    let subjects: Vec<Subject> =
        proof.fields.keys().map(|(object, field)| Subject::FieldRace(*object, *field)).collect();
    if subjects.is_empty() {
        return;
    }
    let scopes = [Scope::Subjects(subjects)];
    let violated = BTreeSet::new();
    let claimed = Claimed { program, race_on: None, lines: &[], scopes: &scopes, violated: &violated };
    if let Acceptance::Accepted(certificate) = claimed.accept(Certificate::Protection(Arc::new(proof)), &budget) {
        let [scope] = scopes;
        evidence.add_proof(0, Proof { scope, certificate, violated: Arc::new(violated), counts: Counts::InReserve });
    }
}
