//! The report of a judgement.

use super::{
    Check, FieldCheck, Figure, Invariant, Location, Mark, Outcome, Property, Refusal, Remark, Report, Statistics,
    Violation, Word,
};
use crate::SourceCache;
use crate::advice::advice;
use crate::summary::shared;
use crate::violation::{marks, violation};
use selvedge_analysis::Field;
use selvedge_evidence::modular::{Annotation, ModularProof};
use selvedge_evidence::{Certificate, CheckResult, FieldResult, Judgement, Reason, Standing, Subject, Verdict};
use selvedge_program::{Budget, Diagnostic, Program, Severity, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// The report of a judgement on a program; `cache` has the lines of its files.
pub fn report(program: &Program, judgement: &Judgement, cache: &mut SourceCache) -> Report {
    let reason = judgement.decisive().and_then(|check| check.verdict.reasons().first());
    Report {
        verdict: judgement.decisive().map_or(Word::Safe, |check| word(&check.verdict)),
        reason: reason.map(|reason| reason.message.clone()),
        advice: advised(judgement),
        checks: judgement.checks.iter().map(|result| check(program, judgement, result, cache)).collect(),
        notes: remarks(program, &judgement.notes),
        warnings: remarks(program, &judgement.warnings),
        undefined: remarks(program, &judgement.undefined),
        assumed: program.caveats.iter().map(|caveat| caveat.message.clone()).collect(),
        invariants: invariants(program, judgement),
        replays: Vec::new(),
        specification: None,
        statistics: Statistics::default(),
        internal_errors: Vec::new(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// What one can do about what is left open, each once.
fn advised(judgement: &Judgement) -> Vec<String> {
    let reasons = judgement.checks.iter().flat_map(|check| check.verdict.reasons());
    let all: BTreeSet<&str> = reasons.filter_map(|reason| advice(&reason.message)).collect();
    all.into_iter().map(str::to_owned).collect()
}

/// Proofs with more places than this are not for reading.
const MOST_PLACES: usize = 2000;

/// What the thread-modular proofs of a judgement say at lines of the user's, each proof once.
fn invariants(program: &Program, judgement: &Judgement) -> Vec<Invariant> {
    let mut proofs: Vec<&Arc<ModularProof>> = Vec::new();
    for check in &judgement.checks {
        if let Verdict::Safe(Certificate::Modular(proof)) = &check.verdict
            && proof.places.len() <= MOST_PLACES
            && !proofs.contains(&proof)
        {
            proofs.push(proof);
        }
    }
    let said = proofs.into_iter().flat_map(|proof| proof.annotations(program, &Budget::unlimited()));
    let invariant = |said: Annotation| Invariant {
        location: Location::of(&program.sources, said.span),
        function: program.function(said.function).name.clone(),
        alternatives: said.alternatives.into_iter().collect(),
    };
    let mut all: Vec<Invariant> = said.map(invariant).filter(|said| said.alternatives != ["true"]).collect();
    all.sort();
    all.dedup();
    all
}

fn word(verdict: &Verdict) -> Word {
    match verdict {
        Verdict::Safe(_) => Word::Safe,
        Verdict::Unsafe(_) => Word::Unsafe,
        Verdict::Bounded { .. } => Word::Bounded,
        Verdict::Unknown(_) => Word::Unknown,
    }
}

/// The further races of an object that are not the one which is shown, each pair of places once and in their order.
fn others(shown: &Violation, all: Vec<Vec<Mark>>) -> Vec<Vec<Mark>> {
    let places = |marks: &[Mark]| {
        let mut places: Vec<Option<Location>> = marks.iter().map(|mark| mark.location.clone()).collect();
        places.sort();
        places
    };
    let mut seen = vec![places(&shown.marks)];
    let mut others: Vec<Vec<Mark>> = Vec::new();
    for marks in all.into_iter().filter(|marks| marks.len() == 2) {
        let place = places(&marks);
        if !seen.contains(&place) {
            seen.push(place);
            others.push(marks);
        }
    }
    others.sort_by_key(|marks| places(marks));
    others
}

fn check(program: &Program, judgement: &Judgement, check: &CheckResult, cache: &mut SourceCache) -> Check {
    let protection = check.protection(judgement).and_then(|known| shared::protection(program, known));
    let outcome = match &check.verdict {
        Verdict::Safe(certificate) => Outcome::Safe {
            certificate: certificate.describe(),
            standing: certificate.standing().to_string(),
            on_trust: match certificate.standing() {
                Standing::Confirmed => None,
                Standing::OnTrust(what) | Standing::Unchecked(what) => Some(what),
            },
            vacuous: *certificate == Certificate::NothingToCheck,
            as_far_as_defined: remarks(program, judgement.undefined_beside(check.property)),
        },
        Verdict::Unsafe(found) => {
            let further = check.subject.and_then(|subject| judgement.further.get(&subject)).into_iter().flatten();
            let own = violation(program, found.trace(), found.replay(), cache);
            let further = others(&own, further.map(|found| marks(program, found.trace(), found.replay())).collect());
            Outcome::Unsafe(Violation { further, ..own })
        }
        Verdict::Bounded { covered, reasons } => {
            Outcome::Bounded { covered: covered.clone(), reasons: remarks(program, reasons) }
        }
        Verdict::Unknown(reasons) => Outcome::Unknown { reasons: remarks(program, reasons) },
    };
    Check {
        property: Property::from(check.property),
        description: check.description.clone(),
        location: Location::of(&program.sources, check.span),
        engine: check.engine.to_owned(),
        object: check.object.clone(),
        protection,
        fields: fields(program, judgement, check),
        outcome,
    }
}

/// The verdicts on the fields of the object that a race is about.
fn fields(program: &Program, judgement: &Judgement, check: &CheckResult) -> Vec<FieldCheck> {
    let Some(Subject::Race(object)) = check.subject else { return Vec::new() };
    let field = |result: &FieldResult| {
        let said = result.protection.as_ref();
        let said = said.and_then(|known| shared::field_protection(program, (object, result.field), known));
        let told = || match &result.verdict {
            Verdict::Safe(_) => Some("no two accesses to it that would race are made at once".to_owned()),
            Verdict::Unsafe(_) | Verdict::Bounded { .. } | Verdict::Unknown(_) => None,
        };
        FieldCheck {
            name: Field::full_name(program, object, &result.name),
            verdict: word(&result.verdict),
            protection: said.or_else(told),
            on_trust: match &result.verdict {
                Verdict::Safe(certificate) => match certificate.standing() {
                    Standing::Confirmed => None,
                    Standing::OnTrust(what) | Standing::Unchecked(what) => Some(what),
                },
                Verdict::Unsafe(_) | Verdict::Bounded { .. } | Verdict::Unknown(_) => None,
            },
        }
    };
    judgement.fields.get(&object).into_iter().flatten().map(field).collect()
}

fn remarks(program: &Program, reasons: &[Reason]) -> Vec<Remark> {
    let remark = |reason: &Reason| Remark {
        message: reason.message.clone(),
        location: Location::of(&program.sources, reason.span),
    };
    reasons.iter().map(remark).collect()
}

impl Refusal {
    /// The report where there is no program to check, because of these errors.
    pub fn of(diagnostics: &[Diagnostic], sources: &Sources) -> Self {
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let remark =
            |error: &Diagnostic| Remark { message: error.message.clone(), location: Location::of(sources, error.span) };
        Refusal {
            verdict: "error".to_owned(),
            errors: errors.map(remark).collect(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

impl Statistics {
    /// Those of engines with their figures.
    pub fn of<'a>(engines: impl Iterator<Item = (&'a str, &'a [(&'static str, selvedge_evidence::Figure)])>) -> Self {
        let figures = |figures: &[(&'static str, selvedge_evidence::Figure)]| -> BTreeMap<String, Figure> {
            figures.iter().map(|(name, figure)| ((*name).to_owned(), Figure::from(figure))).collect()
        };
        let engines: BTreeMap<String, _> = engines.map(|(name, all)| (name.to_owned(), figures(all))).collect();
        Statistics { explicit: engines.get("explicit").cloned(), engines }
    }
}

impl From<&selvedge_evidence::Figure> for Figure {
    fn from(figure: &selvedge_evidence::Figure) -> Self {
        use selvedge_evidence::Figure as Known;
        match figure {
            Known::Count(number) | Known::Level(number) | Known::Bytes(number) => Figure::Count(*number),
            Known::Ratio(ratio) => Figure::Ratio(*ratio),
            Known::Time(time) => Figure::Ratio(Duration::as_secs_f64(time)),
            Known::Words(words) => Figure::Words(words.clone()),
        }
    }
}
