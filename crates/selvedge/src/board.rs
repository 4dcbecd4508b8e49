//! Where the engines' findings come together: evidence per subject and engine, and what is still open.
//!
//! Nothing is believed at once. A violation counts when the concrete semantics has replayed it, a proof when its
//! certificate has been accepted (`accept.rs`). A proof and a violation that contradict each other are noticed whichever
//! comes first: one of our judges is wrong, so neither is picked, both are kept, and the run is over.

use crate::accept::{Acceptance, Claimed};
use crate::questions::Questions;
use selvedge_evidence::{
    Answer, AtomicLines, Certificate, Counterexample, Findings, InternalError, Replicas, Scope, Standing, Subject,
    Violation,
};
use selvedge_program::{Budget, Program, Property};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The place of an engine in the order of preference.
pub type Rank = usize;

/// A proof that counts.
#[derive(Clone, Debug)]
pub struct Proof {
    /// What it proves.
    pub scope: Scope,
    /// On what ground.
    pub certificate: Certificate,
    /// What was known to be violated, and is no part of it unless the scope names it.
    pub violated: Arc<BTreeSet<Subject>>,
    /// When it counts.
    pub counts: Counts,
}

/// When a proof counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// At once: nobody needs to look for another.
    AtOnce,
    /// In the end, if nothing better has come.
    InReserve,
}

/// How long an engine that knows of nothing more to be found out waits for the others: what locks and joins protect is
/// proved past what no execution goes past, and whether that is told must not depend on who is faster.
const OTHERS: Duration = Duration::from_secs(1);

/// How many violations of a subject are kept beside the first.
const MOST_FURTHER: usize = 16;

impl Proof {
    /// The less it stands on, the more.
    fn weakness(&self) -> u8 {
        match self.certificate.standing() {
            Standing::Confirmed => 0,
            Standing::OnTrust(_) => 1,
            Standing::Unchecked(_) => 2,
        }
    }
}

/// A proof and a violation of the same, both of which were accepted.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// What is said to hold, and is violated.
    pub subject: Subject,
    /// Who proved it, and on what ground.
    pub proved: (Rank, Certificate),
    /// Who violated it, and how.
    pub violated: (Rank, Arc<Counterexample>),
}

/// What one engine has told.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// What it proved.
    pub proofs: Vec<Proof>,
    /// What it covered within a bound.
    pub bounds: Vec<(Scope, String)>,
    /// About what it said that nothing more can be found out.
    pub closed: Vec<Scope>,
    /// How it ended, once it has.
    pub end: Option<Result<Answer, InternalError>>,
    /// Mistakes that were found in what it told.
    pub mistakes: Vec<InternalError>,
    /// That it did not stop, if it did not. Its evidence stands all the same.
    pub left_behind: Option<InternalError>,
}

impl Told {
    /// Whether its proofs count.
    fn is_trusted(&self) -> bool {
        self.mistakes.is_empty() && !matches!(self.end, Some(Err(_)))
    }

    fn proofs(&self, contains: impl Fn(&Scope) -> bool) -> impl Iterator<Item = &Proof> {
        self.proofs.iter().filter(move |proof| self.is_trusted() && contains(&proof.scope))
    }
}

/// What all engines have told, by their ranks.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The violations of each subject.
    pub violations: BTreeMap<Subject, BTreeMap<Rank, Arc<Counterexample>>>,
    /// What an engine found of a subject after its first violation, such as races of other accesses to the same object.
    pub further: BTreeMap<(Subject, Rank), Vec<Arc<Counterexample>>>,
    /// Schedules that would be violations if somebody unknown did what they guess, by who told them first. They decide
    /// nothing: another schedule may need no guess.
    pub guessed: BTreeMap<Subject, (Rank, Arc<Counterexample>)>,
    /// The rest.
    pub told: Vec<Told>,
    /// What cannot be.
    pub contradictions: Vec<Contradiction>,
}

impl Evidence {
    /// The preferred violation of a subject.
    pub fn violation(&self, subject: Subject) -> Option<(Rank, &Arc<Counterexample>)> {
        let violations = self.violations.get(&subject)?;
        violations.first_key_value().map(|(rank, counterexample)| (*rank, counterexample))
    }

    /// The schedule that would violate a subject by a guess, where none does without.
    pub fn guessed(&self, subject: Subject) -> Option<(Rank, &Arc<Counterexample>)> {
        let (rank, found) = self.guessed.get(&subject).filter(|_| self.violation(subject).is_none())?;
        Some((*rank, found))
    }

    /// Whether something of a property would be violated by a guess, and by nothing better.
    fn is_any_guessed(&self, property: Property) -> bool {
        self.guessed.keys().any(|subject| subject.property() == property && self.guessed(*subject).is_some())
    }

    /// What no proof of all of a property is about, since some schedule violates it, be it by a guess.
    pub fn violated(&self) -> BTreeSet<Subject> {
        self.violations.keys().chain(self.guessed.keys()).copied().collect()
    }

    /// The preferred proof of a subject.
    pub fn proof(&self, subject: Subject) -> Option<(Rank, &Certificate)> {
        if self.guessed.contains_key(&subject) {
            return None;
        }
        self.proof_where(|scope| scope.contains(subject))
    }

    /// The preferred proof that names a subject: one of all of a property leaves out what is violated of an object, and
    /// so says nothing of its fields.
    pub fn named_proof(&self, subject: Subject) -> Option<(Rank, &Certificate)> {
        self.proof_where(|scope| scope.names(&|named| named == subject))
    }

    /// The preferred proof of all that is not violated of a property.
    pub fn proof_of_all(&self, property: Property) -> Option<(Rank, &Certificate)> {
        self.proof_where(|scope| scope.is_all_of(property))
    }

    /// The preferred proof after which nobody needs to look for another.
    fn settling_proof(&self, contains: impl Fn(&Scope) -> bool) -> Option<(Rank, &Certificate)> {
        let told = self.told.iter().enumerate();
        let all = told.flat_map(|(rank, told)| {
            let proofs = told.proofs(&contains).filter(|proof| proof.counts == Counts::AtOnce);
            proofs.map(move |proof| (rank, proof))
        });
        let best = all.min_by_key(|(_, proof)| proof.weakness());
        best.map(|(rank, proof)| (rank, &proof.certificate))
    }

    /// One that was confirmed comes before one on trust, and that before one that could not be checked.
    fn proof_where(&self, contains: impl Fn(&Scope) -> bool) -> Option<(Rank, &Certificate)> {
        let told = self.told.iter().enumerate();
        let all = told.flat_map(|(rank, told)| told.proofs(&contains).map(move |proof| (rank, proof)));
        let best = all.min_by_key(|(_, proof)| proof.weakness());
        best.map(|(rank, proof)| (rank, &proof.certificate))
    }

    /// The preferred bound within which a scope that passes the test is covered.
    pub fn bound(&self, contains: impl Fn(&Scope) -> bool) -> Option<(Rank, &str)> {
        let mut all = self.told.iter().enumerate().filter(|(_, told)| told.is_trusted());
        all.find_map(|(rank, told)| {
            let bound = told.bounds.iter().rev().find(|(scope, _)| contains(scope));
            bound.map(|(_, words)| (rank, words.as_str()))
        })
    }

    /// Who said that nothing more can be found out about a scope that passes the test.
    pub fn closed_by(&self, contains: impl Fn(&Scope) -> bool) -> Option<Rank> {
        self.told.iter().position(|told| told.is_trusted() && told.closed.iter().any(&contains))
    }

    fn settles(&self, subject: Subject) -> Option<Rank> {
        let violated = self.violation(subject).map(|(rank, _)| rank);
        // Who proves all else has found nothing better than a guess.
        let proved = || self.settling_proof(|scope| scope.contains(subject)).map(|(rank, _)| rank);
        violated.or_else(proved).or_else(|| self.closed_by(|scope| scope.contains(subject)))
    }

    fn settles_all(&self, property: Property) -> Option<Rank> {
        let proved = self.settling_proof(|scope| scope.is_all_of(property)).map(|(rank, _)| rank);
        proved.or_else(|| self.closed_by(|scope| scope.is_all_of(property)))
    }

    /// The worst rank among those who settled all questions; `None` if one is open.
    pub fn settled_by(&self, questions: &Questions) -> Option<Rank> {
        let subjects = questions.open().map(|subject| self.settles(subject));
        let wholes = questions.open_ended().map(|property| self.settles_all(property));
        subjects.chain(wholes).try_fold(0, |worst, rank| Some(worst.max(rank?)))
    }

    /// How many questions are open, and how many there are.
    pub fn left(&self, questions: &Questions) -> (usize, usize) {
        // A proof in reserve is one, though others look for a better.
        let is_decided = |subject: Subject| self.settles(subject).is_some() || self.proof(subject).is_some();
        let subjects = questions.open().map(is_decided);
        let wholes = questions.open_ended().map(|property| self.settles_all(property).is_some());
        subjects.chain(wholes).fold((0, 0), |(left, all), is_decided| (left + usize::from(!is_decided), all + 1))
    }

    /// Whether something would be violated by a guess, and by nothing better.
    pub fn rests_on_guesses(&self, questions: &Questions) -> bool {
        questions.properties.iter().any(|property| self.is_any_guessed(*property))
    }

    /// Whether nothing that is settled stands on trust, or on a guess that another schedule may not need: who knows
    /// states again does not look at all ways that lead to one.
    pub fn is_confirmed(&self, questions: &Questions) -> bool {
        if self.rests_on_guesses(questions) {
            return false;
        }
        let is_sure = |proof: Option<(Rank, &Certificate)>| {
            proof.is_none_or(|(_, certificate)| certificate.standing() == Standing::Confirmed)
        };
        let subjects = questions.open().filter(|subject| !self.violations.contains_key(subject));
        let proof_of = |subject: Subject| self.settling_proof(|scope| scope.contains(subject));
        subjects.map(proof_of).all(is_sure)
            && questions.open_ended().map(|property| self.proof_of_all(property)).all(is_sure)
    }

    /// The engines' mistakes.
    pub fn mistakes(&self) -> impl Iterator<Item = (Rank, &InternalError)> {
        self.told.iter().enumerate().flat_map(|(rank, told)| {
            let end = told.end.as_ref().and_then(|end| end.as_ref().err());
            told.mistakes.iter().chain(end).chain(&told.left_behind).map(move |error| (rank, error))
        })
    }

    fn add_violation(&mut self, rank: Rank, counterexample: Counterexample) {
        let (subject, counterexample) = (counterexample.subject(), Arc::new(counterexample));
        if !counterexample.guesses().is_empty() {
            self.guessed.entry(subject).or_insert((rank, counterexample));
            return self.compare(subject);
        }
        let violations = self.violations.entry(subject).or_default();
        match violations.entry(rank) {
            Entry::Vacant(entry) => drop(entry.insert(counterexample)),
            Entry::Occupied(_) => {
                let further = self.further.entry((subject, rank)).or_default();
                if further.len() < MOST_FURTHER {
                    further.push(counterexample);
                }
            }
        }
        self.compare(subject);
    }

    /// Adds a proof whose certificate has been accepted.
    pub fn add_proof(&mut self, rank: Rank, proof: Proof) {
        self.told[rank].proofs.push(proof);
        self.violated().into_iter().for_each(|subject| self.compare(subject));
    }

    /// Looks whether something that is violated has been proved: a mistake of whoever proved it, or of our own.
    fn compare(&mut self, subject: Subject) {
        let Some((finder, counterexample)) = self.violation(subject).or_else(|| self.guessed(subject)) else { return };
        let violated = (finder, counterexample.clone());
        // A race on an object is one on those of its fields that the two accesses touch.
        let every = self.violations.get(&subject).into_iter().flat_map(BTreeMap::values);
        let further = self.further.iter().filter(|((other, _), _)| *other == subject).flat_map(|(_, further)| further);
        let guessed = self.guessed.get(&subject).map(|(_, found)| found);
        let shown: Vec<Arc<Counterexample>> = every.chain(further).chain(guessed).cloned().collect();
        let is_shown = |named: Subject| {
            let is_field = matches!(named, Subject::FieldRace(..));
            is_field && shown.iter().any(|found| named.is_shown_by(found.trace(), found.replay()))
        };
        let contradicts = |proof: &Proof| proof.scope.claims(subject, &proof.violated) || proof.scope.names(&is_shown);
        for (rank, told) in self.told.iter_mut().enumerate() {
            // What holds if the program is defined gives way: it is not.
            told.proofs.retain(|proof| !(proof.certificate.is_provisional() && contradicts(proof)));
            let Some(proof) = told.proofs.iter().find(|proof| contradicts(proof)) else { continue };
            let is_known = |known: &Contradiction| known.subject == subject && known.proved.0 == rank;
            if !self.contradictions.iter().any(is_known) {
                let proved = (rank, proof.certificate.clone());
                self.contradictions.push(Contradiction { subject, proved, violated: violated.clone() });
                let message = format!("{subject:?} is violated, as a replayed schedule shows");
                told.mistakes.push(InternalError::Contradicted(message));
            }
        }
    }
}

/// The evidence of all engines, with who waits for it.
#[derive(Debug)]
pub struct Board {
    evidence: Mutex<Evidence>,
    changed: Condvar,
}

impl Board {
    /// Nothing yet, from so many engines.
    pub fn new(engines: usize) -> Self {
        let evidence = Evidence { told: vec![Told::default(); engines], ..Evidence::default() };
        Board { evidence: Mutex::new(evidence), changed: Condvar::new() }
    }

    /// What has been told so far.
    pub fn evidence(&self) -> MutexGuard<'_, Evidence> {
        self.evidence.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something is told, or a time has passed.
    pub fn wait<'a>(&self, evidence: MutexGuard<'a, Evidence>, time: Duration) -> MutexGuard<'a, Evidence> {
        self.changed.wait_timeout(evidence, time).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Notes how an engine ended.
    pub fn ended(&self, rank: Rank, end: Result<Answer, InternalError>) {
        self.change(|evidence| evidence.told[rank].end = Some(end));
    }

    /// Notes which engines have not ended although they were to.
    pub fn left_behind(&self) {
        self.change(|evidence| {
            for told in evidence.told.iter_mut().filter(|told| told.end.is_none()) {
                told.left_behind = Some(InternalError::Unstoppable);
            }
        });
    }

    /// Has everybody who waits look again, at the board and at what else they wait for.
    pub fn wake(&self) {
        self.change(|_| {});
    }

    fn change(&self, change: impl FnOnce(&mut Evidence)) {
        change(&mut self.evidence());
        self.changed.notify_all();
    }
}

/// The board as one engine sees it.
#[derive(Clone, Copy, Debug)]
pub struct Desk<'a> {
    /// The program that the violations are about.
    pub program: &'a Program,
    /// Where everything comes together.
    pub board: &'a Board,
    /// The engine.
    pub rank: Rank,
    /// The properties that it answers for.
    pub properties: &'a [Property],
    /// Only races on the object with this name were asked for.
    pub race_on: Option<&'a str>,
    /// Between which lines nobody is to interfere.
    pub lines: &'a [AtomicLines],
    /// How many threads were asked about. Where these are only so many, nobody is waited for who looks beyond, and what
    /// takes more does not count.
    pub threads: Replicas,
    /// What the engine may spend, having its proofs checked included.
    pub budget: &'a Budget,
}

impl Desk<'_> {
    /// Waits until the other engines have ended, or have had the time for what is proved in no time.
    fn wait_for_others(&self) {
        let until = Instant::now() + OTHERS;
        loop {
            let evidence = self.board.evidence();
            let mut others = evidence.told.iter().enumerate().filter(|(rank, _)| *rank != self.rank);
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || self.budget.check().is_err() || others.all(|(_, told)| told.end.is_some()) {
                return;
            }
            drop(self.board.wait(evidence, left.min(Duration::from_millis(50))));
        }
    }

    /// What a scope means from this engine, in parts: the rest is all that it was asked.
    fn scopes(&self, scope: &Scope) -> Vec<Scope> {
        match scope {
            Scope::Rest => self.properties.iter().map(|property| Scope::Property(*property)).collect(),
            Scope::Each(scopes) => scopes.iter().flat_map(|scope| self.scopes(scope)).collect(),
            Scope::Property(_) | Scope::Subjects(_) => vec![scope.clone()],
        }
    }

    /// Adds a proof if its certificate is accepted.
    fn add(&self, scope: &Scope, certificate: Certificate, counts: Counts) {
        let scopes = self.scopes(scope);
        let violated: Arc<BTreeSet<Subject>> = Arc::new(self.board.evidence().violated());
        let (program, race_on, lines) = (self.program, self.race_on, self.lines);
        let claimed = Claimed { program, race_on, lines, scopes: &scopes, violated: &violated };
        // Checked while the board is not locked: others need not wait.
        let acceptance = claimed.accept(certificate, self.budget);
        self.board.change(|evidence| match acceptance {
            Acceptance::Accepted(certificate) => {
                let is_checked = !matches!(certificate.standing(), Standing::Unchecked(_));
                let counts = if is_checked { counts } else { Counts::InReserve };
                for scope in scopes {
                    let (certificate, violated) = (certificate.clone(), violated.clone());
                    evidence.add_proof(self.rank, Proof { scope, certificate, violated, counts });
                }
            }
            Acceptance::Rejected(error) => evidence.told[self.rank].mistakes.push(error),
            Acceptance::NoTime => {}
        });
    }
}

impl Findings for Desk<'_> {
    fn violation(&self, violation: Violation) {
        if !violation.subject.is_meant(self.program, self.race_on) {
            return;
        }
        // Replayed before the board is locked: others need not wait.
        match Counterexample::new(self.program, violation) {
            Ok(counterexample) if self.threads.bound().is_some_and(|bound| counterexample.alike() > bound) => {}
            Ok(counterexample) => self.board.change(|evidence| evidence.add_violation(self.rank, counterexample)),
            Err(error) => {
                let error = InternalError::Rejected(error.to_string());
                self.board.change(|evidence| evidence.told[self.rank].mistakes.push(error));
            }
        }
    }

    fn proved(&self, scope: &Scope, certificate: Certificate) {
        self.add(scope, certificate, Counts::AtOnce);
    }

    fn reserved(&self, scope: &Scope, certificate: Certificate) {
        self.add(scope, certificate, Counts::InReserve);
    }

    fn covered(&self, scope: &Scope, bound: &str) {
        self.board.change(|evidence| {
            let bounds = &mut evidence.told[self.rank].bounds;
            for scope in self.scopes(scope) {
                bounds.retain(|(known, _)| *known != scope);
                bounds.push((scope, bound.to_owned()));
            }
        });
    }

    fn nothing_more(&self, scope: &Scope) {
        if self.threads.bound().is_none() {
            self.wait_for_others();
        }
        self.board.change(|evidence| evidence.told[self.rank].closed.extend(self.scopes(scope)));
    }

    fn is_open(&self, subject: Subject) -> bool {
        let evidence = self.board.evidence();
        evidence.guessed(subject).is_some() || evidence.settles(subject).is_none()
    }

    fn has_room(&self, subject: Subject) -> bool {
        let evidence = self.board.evidence();
        let further = evidence.further.get(&(subject, self.rank)).map_or(0, Vec::len);
        match evidence.violation(subject) {
            Some(_) => further < MOST_FURTHER,
            None => evidence.guessed(subject).is_some() || evidence.settles(subject).is_none(),
        }
    }

    fn is_property_open(&self, property: Property) -> bool {
        let evidence = self.board.evidence();
        let only = match property {
            Property::Deadlock => Some(Subject::Deadlock),
            Property::Livelock => Some(Subject::Livelock),
            Property::Assertion | Property::Race | Property::Memory | Property::Atomicity | Property::Overflow => None,
        };
        let is_violated = only.is_some_and(|subject| evidence.violation(subject).is_some());
        !is_violated && (evidence.settles_all(property).is_none() || evidence.is_any_guessed(property))
    }
}
