//! Results as they come in, for people who wait for the end of a run: violations one by one, what is proved in lists.
//! Nothing is told that the report may not say: what is proved with a proviso, or of a part of the executions, is not.

use crate::board::Evidence;
use crate::judge::principal_span;
use crate::questions::Questions;
use selvedge_evidence::{Standing, Subject};
use selvedge_program::Program;
use std::collections::BTreeSet;

/// So many of those that are proved are named at once.
const MOST_NAMED: usize = 4;

/// What has been told.
#[derive(Debug, Default)]
pub struct News {
    told: BTreeSet<Subject>,
}

impl News {
    /// What has been decided since the last call, in lines.
    pub fn since_last(&mut self, program: &Program, questions: &Questions, evidence: &Evidence) -> Vec<String> {
        let mut lines = Vec::new();
        for subject in evidence.violations.keys() {
            if let Some((_, found)) = evidence.violation(*subject).filter(|_| self.told.insert(*subject)) {
                let at = program.place(principal_span(program, found));
                lines.push(format!("violated: {} ({at})", in_words(program, *subject)));
            }
        }
        if program.provisos.is_empty() && program.restrictions.is_empty() {
            let is_proved = |subject: &Subject| {
                let proof = evidence.proof(*subject).filter(|_| evidence.violation(*subject).is_none());
                proof.is_some_and(|(_, certificate)| !matches!(certificate.standing(), Standing::Unchecked(_)))
            };
            let open: Vec<Subject> = questions.open().filter(|subject| !self.told.contains(subject)).collect();
            let proved: Vec<Subject> = open.into_iter().filter(is_proved).collect();
            self.told.extend(&proved);
            if !proved.is_empty() {
                let named = proved.iter().take(MOST_NAMED).map(|subject| in_words(program, *subject));
                let named = named.collect::<Vec<_>>().join(", ");
                let more = proved.len().saturating_sub(MOST_NAMED);
                let more = if more > 0 { format!(", and {more} more") } else { String::new() };
                lines.push(format!("proved: {named}{more}"));
            }
        }
        lines
    }
}

/// What is not to be, in a few words.
fn in_words(program: &Program, subject: Subject) -> String {
    match subject {
        Subject::Assertion(check) => {
            let check = program.check(check);
            format!("{} (line {})", check.description, check.span.line)
        }
        Subject::Race(object) | Subject::FieldRace(object, _) => format!("no data race on {}", object.name(program)),
        Subject::Deadlock => "no deadlock".to_owned(),
        Subject::Livelock => "no livelock".to_owned(),
        Subject::Memory(_, _, undefined) => format!("undefined behaviour, {undefined}"),
        Subject::Atomicity(lines) => format!("no interference from line {} to line {}", lines.first, lines.second),
    }
}
