//! From evidence to verdicts: each check (this assertion; races on this object) has its own. What no engine decided is
//! *bounded* if one of them covered a stated bound, else *unknown* for the reasons of the engine that came farthest.

use crate::CheckError;
use crate::board::{Evidence, Rank};
use crate::portfolio::RunUntil;
use crate::questions::Questions;
use selvedge_analysis::{AbstractObject, Field};
use selvedge_evidence::{
    Answer, Certificate, CheckResult, Counterexample, FieldResult, Gap, Guess, Judgement, Reason, Scope, Standing,
    Subject, Verdict, unstarted,
};
use selvedge_program::{Caveat, Exhausted, Program, Property, Span, Unknown};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Why there is no verdict on what was both proved and violated.
pub const CONTRADICTION: &str = "internal contradiction: this was proved, and a schedule violates it";

/// What verdicts are made from.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    /// The program.
    pub program: &'a Program,
    /// What was asked.
    pub questions: &'a Questions,
    /// What was told.
    pub evidence: &'a Evidence,
    /// The engines' names, by their ranks.
    pub engines: &'a [&'static str],
    /// When the run was to stop.
    pub until: RunUntil,
    /// What went wrong.
    pub mistakes: &'a [CheckError],
    /// The limit of the whole run that was reached, if one was.
    pub limit: Option<Exhausted>,
}

impl Judge<'_> {
    /// The verdicts, in the order of properties; within one, violations first.
    pub fn judgement(&self) -> Judgement {
        let properties = self.questions.properties.iter();
        let checks = properties.flat_map(|property| self.property(*property)).collect();
        Judgement {
            checks,
            notes: self.notes(),
            warnings: self.warnings(),
            undefined: self.undefined(),
            protections: self.questions.protections.clone(),
            fields: self.fields(),
            further: self.further(),
        }
    }

    /// The verdicts on the fields of objects that are not safe as a whole.
    fn fields(&self) -> BTreeMap<AbstractObject, Vec<FieldResult>> {
        let mut fields: BTreeMap<AbstractObject, Vec<FieldResult>> = BTreeMap::new();
        for ((object, field), protection) in &self.questions.fields {
            let whole = Subject::Race(*object);
            let is_proved = self.evidence.proof(whole).is_some() && self.evidence.violation(whole).is_none();
            if is_proved || self.is_contradictory(whole) {
                continue;
            }
            let subject = Subject::FieldRace(*object, *field);
            let violations = self.evidence.violations.get(&whole).into_iter().flat_map(BTreeMap::values);
            let further = self.evidence.further.iter().filter(|((other, _), _)| *other == whole);
            let mut shown = violations.chain(further.flat_map(|(_, further)| further));
            let shown = shown.find(|found| subject.is_shown_by(found.trace(), found.replay()));
            let guessed = self.evidence.guessed.get(&whole).map(|(_, found)| found);
            let guessed = guessed.filter(|found| subject.is_shown_by(found.trace(), found.replay()));
            let verdict = match (shown, guessed, self.evidence.named_proof(subject)) {
                (Some(found), _, _) => Verdict::Unsafe(found.clone()),
                (None, Some(found), _) => Verdict::Unknown(vec![self.guess(found)]),
                (None, None, Some((_, certificate))) => self.proved(certificate),
                (None, None, None) => {
                    Verdict::Unknown(vec![nowhere("nothing is known of this field by itself".to_owned())])
                }
            };
            let names = Field::of(self.program, *object).into_iter();
            let Some((_, name)) = names.into_iter().find(|(other, _)| other == field) else { continue };
            let result = FieldResult { field: *field, name, protection: protection.clone(), verdict };
            fields.entry(*object).or_default().push(result);
        }
        fields
    }

    /// What the engine whose violation is shown found beside it: whoever else was as fast makes no difference. Where a run
    /// came to a limit that decides anyway, and all is shown.
    fn further(&self) -> BTreeMap<Subject, Vec<Arc<Counterexample>>> {
        let mut further: BTreeMap<Subject, Vec<Arc<Counterexample>>> = BTreeMap::new();
        for (subject, violations) in &self.evidence.violations {
            for (position, (rank, first)) in violations.iter().enumerate() {
                if position > 0 && self.limit.is_none() {
                    break;
                }
                let others = self.evidence.further.get(&(*subject, *rank)).into_iter().flatten();
                let all = std::iter::once(first).filter(|_| position > 0).chain(others);
                further.entry(*subject).or_default().extend(all.cloned());
            }
        }
        further.retain(|_, found| !found.is_empty());
        further
    }

    /// Where the program is undefined, as far as anybody has told: undefined behaviour that was found, or that ended
    /// paths because nobody asked about it.
    fn undefined(&self) -> Vec<Reason> {
        let told = (0..self.engines.len()).filter_map(|rank| self.answer(rank)).flat_map(|answer| &answer.gaps);
        let ended = told.filter_map(|gap| match gap {
            Gap::Undefined { span, undefined } => Some(Reason { span: *span, message: undefined.to_string() }),
            Gap::PerhapsUndefined { span, undefined } => {
                Some(Reason { span: *span, message: format!("perhaps {undefined}") })
            }
            _ => None,
        });
        let found = self.evidence.violations.keys().filter_map(|subject| match subject {
            Subject::Memory(_, _, undefined) => {
                let (_, counterexample) = self.evidence.violation(*subject)?;
                let span = principal_span(self.program, counterexample);
                Some(Reason { span, message: undefined.to_string() })
            }
            _ => None,
        });
        let guessed = self.evidence.guessed.keys().filter_map(|subject| match subject {
            Subject::Memory(_, _, undefined) => {
                let span = principal_span(self.program, self.evidence.guessed(*subject)?.1);
                Some(Reason { span, message: format!("perhaps {undefined}") })
            }
            _ => None,
        });
        let mut all: Vec<Reason> = ended.chain(found).chain(guessed).collect();
        all.sort();
        all.dedup();
        all
    }

    fn property(&self, property: Property) -> Vec<CheckResult> {
        let known: Vec<Subject> = self.questions.of_property(property).collect();
        let violated = self.evidence.violated().into_iter().filter(|subject| subject.property() == property);
        let (firm, guessed): (Vec<Subject>, Vec<Subject>) =
            violated.partition(|subject| self.evidence.violation(*subject).is_some());
        // Of what no list of subjects exhausts, a guess says nothing beyond itself.
        let is_rest_open = !guessed.is_empty() && firm.is_empty() && self.evidence.proof_of_all(property).is_none();
        let violated: Vec<Subject> = firm.into_iter().chain(guessed).collect();
        let subjects: Vec<Subject> = match property {
            Property::Assertion => known,
            _ => violated.iter().copied().chain(known.into_iter().filter(|known| !violated.contains(known))).collect(),
        };
        let is_listed = self.questions.of_property(property).next().is_some();
        let is_whole = (subjects.is_empty() || is_rest_open && !is_listed) && self.is_worth_a_check(property);
        let whole = is_whole.then(|| self.whole(property));
        subjects.into_iter().map(|subject| self.subject(subject)).chain(whole).collect()
    }

    /// Whether a property without any subject in sight is reported: undefined behaviour always, the others only while
    /// not everything was in sight. All assertions there are, are in sight; that there are none is told if nothing else
    /// was asked.
    fn is_worth_a_check(&self, property: Property) -> bool {
        if self.questions.vacuous.contains(&property) {
            return self.questions.are_none();
        }
        let is_restricted = !(self.program.restrictions.is_empty() && self.program.provisos.is_empty())
            && property != Property::Assertion;
        matches!(property, Property::Memory | Property::Overflow)
            || is_restricted
            || self.evidence.proof_of_all(property).is_none()
    }

    fn subject(&self, subject: Subject) -> CheckResult {
        let (verdict, engine) = if self.is_contradictory(subject) {
            (Verdict::Unknown(vec![nowhere(CONTRADICTION.to_owned())]), "none")
        } else if let Some((rank, counterexample)) = self.evidence.violation(subject) {
            (Verdict::Unsafe(Arc::new(counterexample.shortened(self.program))), self.name(rank))
        } else if let Some((rank, found)) = self.evidence.guessed(subject) {
            (Verdict::Unknown(vec![self.guess(found)]), self.name(rank))
        } else if self.questions.vacuous.contains(&subject.property()) {
            (self.proved(&Certificate::NothingToCheck), "none")
        } else if let Some((rank, certificate)) = self.evidence.proof(subject) {
            (self.proved(certificate), self.name(rank))
        } else {
            self.undecided(|scope| scope.contains(subject))
        };
        let object = match subject {
            Subject::Race(object) => Some(object.name(self.program)),
            _ => None,
        };
        let (property, description) = (subject.property(), self.description(subject));
        let span = self.span(subject, &verdict);
        CheckResult { property, subject: Some(subject), object, description, span, verdict, engine }
    }

    /// Why a schedule shows no violation that rests on what nobody knows.
    fn guess(&self, found: &Counterexample) -> Reason {
        const MOST: usize = 2;
        let known = found.guesses().iter().map(|guess| guess.span).find(|span| self.program.is_the_users(*span));
        let span = known.unwrap_or_else(|| principal_span(self.program, found));
        let one = |guess: &Guess| match &guess.unknown {
            Unknown::Function(name) => format!("`{name}` (line {}) {}", guess.span.line, guess.what),
            Unknown::Variable(name) => format!("`{name}` {}", guess.what),
        };
        let all: Vec<String> = found.guesses().iter().take(MOST).map(one).collect();
        let more = if found.guesses().len() > MOST { ", and so on" } else { "" };
        let name = |guess: &Guess| match &guess.unknown {
            Unknown::Function(name) | Unknown::Variable(name) => format!("`{name}`"),
        };
        let mut names: Vec<String> = found.guesses().iter().map(name).collect();
        names.dedup();
        let them = if names.len() == 1 { "it" } else { "them" };
        let message = format!(
            "would be violated if {}{more}; nobody defines {}, and a model of {them} says whether that can be (--model FILE.c)",
            all.join(" and "),
            names.join(", ")
        );
        Reason { span, message }
    }

    /// Whether something was proved and violated.
    fn is_contradictory(&self, subject: Subject) -> bool {
        self.evidence.contradictions.iter().any(|contradiction| contradiction.subject == subject)
    }

    /// All of a property as one check.
    fn whole(&self, property: Property) -> CheckResult {
        let (verdict, engine) = match self.evidence.proof_of_all(property) {
            _ if self.questions.vacuous.contains(&property) => (self.proved(&Certificate::NothingToCheck), "none"),
            Some((rank, certificate)) => (self.proved(certificate), self.name(rank)),
            None => self.undecided(|scope| scope.is_all_of(property)),
        };
        let description = match property {
            Property::Assertion => "no assertion fails",
            Property::Race => "no data race",
            Property::Deadlock => "no deadlock",
            Property::Memory => "no undefined behaviour",
            Property::Atomicity => "no interference",
            Property::Overflow => "no signed overflow",
            Property::Livelock => "no livelock",
        };
        let (description, span) = (description.to_owned(), Span::NOWHERE);
        CheckResult { property, subject: None, object: None, description, span, verdict, engine }
    }

    /// The verdict on what is proved of the model: safe, unless that rests on what nobody has said of functions that
    /// are not there, or the model leaves out some of the program's executions.
    fn proved(&self, certificate: &Certificate) -> Verdict {
        let provisos = self.provisos();
        if !provisos.is_empty() {
            return Verdict::Unknown(provisos);
        }
        if let Standing::Unchecked(what) = certificate.standing() {
            return Verdict::Unknown(vec![nowhere(format!("there is a proof that could not be checked: {what}"))]);
        }
        let left_out = self.restrictions();
        if left_out.is_empty() {
            return Verdict::Safe(certificate.clone());
        }
        Verdict::Bounded { covered: "every execution but for these".to_owned(), reasons: left_out }
    }

    fn restrictions(&self) -> Vec<Reason> {
        let reason = |left_out: &Caveat| Reason { span: left_out.span, message: left_out.message.clone() };
        self.program.restrictions.iter().map(reason).collect()
    }

    fn provisos(&self) -> Vec<Reason> {
        let reason = |proviso: &Caveat| {
            let message = format!("holds provided that {}", proviso.message);
            Reason { span: proviso.span, message }
        };
        self.program.provisos.iter().map(reason).collect()
    }

    fn name(&self, rank: Rank) -> &'static str {
        self.engines.get(rank).copied().unwrap_or("?")
    }

    fn description(&self, subject: Subject) -> String {
        match subject {
            Subject::Assertion(check) => self.program.check(check).description.clone(),
            Subject::Race(object) => format!("no data race on {}", object.name(self.program)),
            Subject::FieldRace(object, _) => format!("no data race on a field of {}", object.name(self.program)),
            Subject::Deadlock => "no deadlock".to_owned(),
            Subject::Livelock => "no livelock".to_owned(),
            Subject::Memory(_, _, undefined) => undefined.to_string(),
            Subject::Atomicity(lines) => format!("no interference from line {} to line {}", lines.first, lines.second),
        }
    }

    fn span(&self, subject: Subject, verdict: &Verdict) -> Span {
        match (subject, verdict) {
            (Subject::Assertion(check), _) => self.program.check(check).span,
            (Subject::Atomicity(lines), _) => Span::on_line(lines.file, lines.first, 1, 1),
            (_, Verdict::Unsafe(counterexample)) => principal_span(self.program, counterexample),
            (Subject::Memory(..), _) => {
                let guessed = self.evidence.guessed(subject);
                guessed.map_or(Span::NOWHERE, |(_, found)| principal_span(self.program, found))
            }
            (Subject::Race(AbstractObject::Static(id)), _) => self.program.object(id).span,
            (Subject::Race(AbstractObject::Frame(function, frame)), _) => {
                self.program.function(function).frame_object(frame).span
            }
            (Subject::Race(AbstractObject::Site(site)), _) => {
                self.program.sites.get(site.index()).copied().unwrap_or(Span::NOWHERE)
            }
            _ => Span::NOWHERE,
        }
    }

    /// The verdict on what nobody decided.
    fn undecided(&self, contains: impl Fn(&Scope) -> bool) -> (Verdict, &'static str) {
        let closed_by = self.evidence.closed_by(&contains);
        if let Some((rank, covered)) = self.evidence.bound(&contains) {
            let mut reasons = self.answer(rank).map_or_else(Vec::new, |answer| self.reasons(answer));
            if reasons.is_empty() {
                // It did not come to its own end, because of another or because of a limit.
                reasons = closed_by.and_then(|closer| self.answer(closer)).map_or_else(Vec::new, |a| self.reasons(a));
                reasons.extend(self.limit().filter(|_| reasons.is_empty()));
            }
            reasons.extend(self.restrictions());
            reasons.extend(self.provisos());
            return (Verdict::Bounded { covered: covered.to_owned(), reasons }, self.name(rank));
        }
        let ranks = (0..self.engines.len()).filter(|rank| closed_by.is_none_or(|closer| closer == *rank));
        let answers = ranks.filter_map(|rank| Some((rank, self.answer(rank)?)));
        let distance = |answer: &Answer| answer.gaps.iter().map(Gap::distance).max();
        let farthest = answers.filter(|(_, answer)| !answer.is_complete()).min_by_key(|(_, answer)| distance(answer));
        let mut reasons = farthest.map_or_else(Vec::new, |(_, answer)| self.reasons(answer));
        reasons.extend(self.limit().filter(|_| reasons.is_empty()));
        reasons.extend(self.mistakes.iter().map(|mistake| nowhere(mistake.to_string())));
        if reasons.is_empty() {
            reasons.push(nowhere("no engine decides this".to_owned()));
        }
        (Verdict::Unknown(reasons), self.name(farthest.map_or(0, |(rank, _)| rank)))
    }

    /// The limit of the whole run as a reason.
    fn limit(&self) -> Option<Reason> {
        self.limit.map(|limit| nowhere(limit.to_string()))
    }

    fn answer(&self, rank: Rank) -> Option<&Answer> {
        self.evidence.told.get(rank)?.end.as_ref()?.as_ref().ok()
    }

    /// What an engine left out, in words, each once. That it was told to stop is no reason: who asks wants to know why.
    fn reasons(&self, answer: &Answer) -> Vec<Reason> {
        let of = |gap: &Gap| match gap {
            Gap::Limit(Exhausted::Cancelled) => match self.until {
                RunUntil::FirstViolation if !self.evidence.violations.is_empty() => {
                    Some(nowhere("the run was to stop at the first violation".to_owned()))
                }
                _ => self.limit(),
            },
            gap => Some(Reason::of(self.program, gap)),
        };
        let mut reasons: Vec<Reason> = answer.gaps.iter().filter(|gap| gap.is_incomplete()).filter_map(of).collect();
        reasons.sort();
        reasons.dedup();
        reasons
    }

    /// What makes the verdicts say less than they seem to.
    fn warnings(&self) -> Vec<Reason> {
        let message = "no execution starts the threads that are started here".to_owned();
        let unstarted = unstarted(self.program).map(|span| Reason { span, message });
        let unset = self.questions.unset_locks.iter().map(|(span, name)| Reason {
            span: *span,
            message: format!("`{name}` is locked here, and nothing ever initialises it"),
        });
        unstarted.into_iter().chain(unset).collect()
    }

    /// What is to be said with every verdict: undefined behaviour that nobody asked about, which ended paths.
    fn notes(&self) -> Vec<Reason> {
        let answers: Vec<&Answer> = (0..self.engines.len()).filter_map(|rank| self.answer(rank)).collect();
        let complete = answers.iter().copied().find(|answer| answer.is_complete());
        let heard = complete.map_or(answers, |answer| vec![answer]);
        let gaps = heard.into_iter().flat_map(|answer| &answer.gaps).filter(|gap| !gap.is_incomplete());
        let mut notes: Vec<Reason> = gaps.map(|gap| Reason::of(self.program, gap)).collect();
        notes.sort();
        notes.dedup();
        notes
    }
}

fn nowhere(message: String) -> Reason {
    Reason { span: Span::NOWHERE, message }
}

/// The place in the user's code that a counterexample is about.
pub(crate) fn principal_span(program: &Program, counterexample: &Counterexample) -> Span {
    counterexample.replay().principal_span(program, counterexample.trace())
}
