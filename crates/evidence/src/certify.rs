//! Whether a certificate shows what it is to show: one checker for every kind, which runs no engine. The portfolio asks
//! it about every proof before that counts, `selvedge certify` about what is in a file.

use crate::alone;
use crate::cartesian::{self, CartesianProof, Rejected};
use crate::exploration::{Extent, LISTED, Stopped, explore_to};
use crate::modular::obligations::{Obligations, obligations};
use crate::modular::{self, ModularProof};
use crate::protection::{self, Asked, ProtectionProof};
use crate::symmetric::{self, SymmetricProof};
use crate::{Again, AtomicLines, Certificate, Claim, Livelocks, Standing, Subject};
use selvedge_analysis::{AbstractObject, Field};
use selvedge_logic::proof::{self, ProofError};
use selvedge_program::{Budget, Exhausted, Program, Property};
use thiserror::Error;

/// What is to be shown of a program.
#[derive(Clone, Copy)]
pub struct Goal<'a> {
    /// The program.
    pub program: &'a Program,
    /// Whether it is claimed that this holds.
    pub is_claimed: &'a dyn Fn(Subject) -> bool,
    /// The properties of which something is claimed.
    pub properties: &'a [Property],
    /// The fields on which nothing is claimed to race, where that is not claimed of all of their object.
    pub fields: &'a [(AbstractObject, Field)],
    /// Between which lines it is claimed that nobody interferes.
    pub lines: &'a [AtomicLines],
}

impl std::fmt::Debug for Goal<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Goal").field("properties", &self.properties).finish_non_exhaustive()
    }
}

/// Somebody else's solver: whether every answer to a script is `unsat`, or what is wrong.
pub type Solver<'a> = &'a dyn Fn(&Obligations) -> Result<(), String>;

/// What it may take.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// How many states may be met where a program is explored again.
    pub states: usize,
    /// Time and memory.
    pub budget: &'a Budget,
    /// Who answers the questions of the checker of thread-modular proofs, if not our solver.
    pub solver: Option<Solver<'a>>,
}

impl std::fmt::Debug for Means<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Means").field("states", &self.states).finish_non_exhaustive()
    }
}

/// A certificate that does not show what it claims, or was not checked to the end.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// There is a violation of what is claimed.
    #[error("an execution violates it: {0:?}")]
    Violated(Subject),
    /// There is a violation of something without a name.
    #[error("an execution violates it: {0:?}")]
    ViolatedSomehow(Property),
    /// A step of the refutation does not follow.
    #[error("the refutation is wrong: {0}")]
    Proof(#[from] ProofError),
    /// There is something to check after all.
    #[error("the program has something to check")]
    NotVacuous,
    /// Certificates of this kind do not show such things.
    #[error("{0}")]
    Unfit(&'static str),
    /// A set of states is not inductive, or has errors.
    #[error(transparent)]
    Cartesian(Rejected),
    /// A thread-modular proof has a gap.
    #[error(transparent)]
    Modular(modular::Refusal),
    /// Accesses are not protected as is said.
    #[error(transparent)]
    Protection(protection::Refusal),
    /// Configurations may be reached after all.
    #[error(transparent)]
    Symmetric(symmetric::Refusal),
    /// The solver that was given does not agree.
    #[error("{0}")]
    Solver(String),
    /// There was not enough time or memory.
    #[error("it was not checked to the end: {0}")]
    Exhausted(#[from] Exhausted),
}

/// Checks a certificate. What comes back says what it stands on ([`Certificate::standing`]).
///
/// # Errors
/// When it does not show what is claimed, or the budget is used up before that is known.
pub fn certify(goal: Goal<'_>, certificate: Certificate, means: Means<'_>) -> Result<Certificate, Refusal> {
    if !goal.fields.is_empty() && !matches!(certificate, Certificate::Protection(_)) {
        return Err(Refusal::Unfit("only what protects objects says something of their fields"));
    }
    match &certificate {
        Certificate::NothingToCheck => {
            let is_nothing = |property: &Property| Certificate::of_nothing(goal.program, *property).is_some();
            goal.properties.iter().all(is_nothing).then_some(certificate).ok_or(Refusal::NotVacuous)
        }
        Certificate::Exhaustive { .. } => explore_again(goal, means).map(|again| certificate.explored(again)),
        Certificate::Refutation { proof, .. } => {
            follow(proof, means.budget)?;
            explore_again(goal, means).map(|again| certificate.explored(again))
        }
        Certificate::Cartesian(proof) => check_cartesian(goal, proof, means).map(|()| certificate),
        Certificate::Modular(proof) => check_modular(goal, proof, means).map(|()| certificate),
        Certificate::Protection(proof) => check_protection(goal, proof, means).map(|()| certificate),
        Certificate::Symmetric(proof) => check_symmetric(goal, proof, means).map(|()| certificate),
    }
}

/// Checks a certificate of claims, each by itself where not all of them are shown: what it stands on, or why not.
pub fn certify_claims(
    program: &Program,
    claims: &[Claim],
    certificate: &Certificate,
    means: Means<'_>,
) -> Vec<(Claim, Result<Standing, Refusal>)> {
    let together = |claims: &[Claim]| {
        let is_claimed = |subject| claims.iter().any(|claim| claim.contains(subject));
        let properties: Vec<Property> = claims.iter().map(|claim| claim.property()).collect();
        let mut lines: Vec<AtomicLines> = claims.iter().filter_map(|claim| claim.lines()).collect();
        if claims.contains(&Claim::All(Property::Atomicity)) {
            // There may be others.
            lines.clear();
        }
        let field = |claim: &Claim| match claim {
            Claim::Of(Subject::FieldRace(object, field)) => Some((*object, *field)),
            Claim::Of(_) | Claim::All(_) => None,
        };
        let fields: Vec<(AbstractObject, Field)> = claims.iter().filter_map(field).collect();
        let goal = Goal { program, is_claimed: &is_claimed, properties: &properties, fields: &fields, lines: &lines };
        certify(goal, certificate.clone(), means).map(|counts| counts.standing())
    };
    let all = together(claims);
    let by_claim = |claim: &Claim| {
        let own = if all.is_ok() || claims.len() == 1 { all.clone() } else { together(&[*claim]) };
        (*claim, own)
    };
    claims.iter().map(by_claim).collect()
}

/// How many states are met before the paths of a program that starts no thread are followed, which may do instead: to
/// explore on may take all of the time.
const BEFORE_PATHS: usize = 20_000;

/// Explores the program, to the end if need be.
fn explore_again(goal: Goal<'_>, means: Means<'_>) -> Result<Again, Refusal> {
    if goal.properties.contains(&Property::Atomicity) && goal.lines.is_empty() {
        return Ok(Again::Open("it is not said between which lines nobody interferes".to_owned()));
    }
    // Paths that end are followed there, and nobody asks whether others do.
    let is_alone = alone::is_alone(goal.program) && !goal.properties.contains(&Property::Livelock);
    let states = if is_alone { means.states.min(BEFORE_PATHS) } else { means.states };
    let mut stopped = explore(goal, Means { states, ..means })?;
    if stopped.is_some() && is_alone {
        if is_shown_alone(goal, means.budget) {
            return Ok(Again::Confirmed);
        }
        if states < means.states && matches!(stopped, Some(Stopped::States(_) | Stopped::Questions(_))) {
            stopped = explore(goal, means)?;
        }
    }
    let Some(stopped) = stopped else { return Ok(Again::Confirmed) };
    let why = stopped.text(goal.program);
    Ok(match stopped {
        Stopped::States(_) | Stopped::Threads(_) | Stopped::Budget(_) => Again::TooLarge(why),
        _ => Again::Open(why),
    })
}

/// Explores the program: what it was stopped by, if anything. A violation of what is claimed is the end of the claim.
fn explore(goal: Goal<'_>, means: Means<'_>) -> Result<Option<Stopped>, Refusal> {
    let livelocks = match goal.properties.contains(&Property::Livelock) {
        true => Livelocks::LookedFor,
        false => Livelocks::Ignored,
    };
    let extent = Extent { states: means.states, listed: LISTED, lines: goal.lines, livelocks };
    let found = explore_to(goal.program, extent, means.budget);
    if let Some(subject) = found.subjects.iter().find(|subject| (goal.is_claimed)(**subject)) {
        return Err(Refusal::Violated(*subject));
    }
    let has_name = |property: &Property| found.subjects.iter().any(|subject| subject.property() == *property);
    let nameless = found.violated.iter().find(|property| !has_name(property) && goal.properties.contains(property));
    if let Some(property) = nameless {
        return Err(Refusal::ViolatedSomehow(*property));
    }
    if found.stopped == Some(Stopped::Budget(Exhausted::Cancelled)) {
        return Err(Refusal::Exhausted(Exhausted::Cancelled));
    }
    Ok(found.stopped)
}

/// Whether following the paths of a program that starts no thread shows what is claimed. (There is no race then, and
/// nobody interferes.)
fn is_shown_alone(goal: Goal<'_>, budget: &Budget) -> bool {
    let found = alone::follow(goal.program, budget);
    let is_named = |property: &Property| matches!(property, Property::Assertion | Property::Deadlock);
    found.stopped.is_none()
        && !found.subjects.iter().any(|subject| (goal.is_claimed)(*subject))
        && !found.properties.iter().any(|property| !is_named(property) && goal.properties.contains(property))
}

/// Follows a refutation step by step.
fn follow(proof: &str, budget: &Budget) -> Result<(), Refusal> {
    let mut looked = Ok(());
    proof::check_while(proof, || {
        looked = budget.check();
        looked.is_ok()
    })?;
    Ok(looked?)
}

/// What the checkers of invariants are asked to show; these say nothing of deadlocks, of livelocks and of the order of steps.
fn shown<T>(goal: Goal<'_>, work: impl FnOnce(&modular::Shown<'_>) -> T) -> Result<T, Refusal> {
    let is_beyond =
        |property: &Property| matches!(property, Property::Deadlock | Property::Livelock | Property::Atomicity);
    if goal.properties.iter().any(is_beyond) {
        return Err(Refusal::Unfit("an invariant says nothing about deadlocks, livelocks and the order of steps"));
    }
    Ok(work(&modular::Shown {
        assertions: &|check| (goal.is_claimed)(Subject::Assertion(check)),
        races: &|object| (goal.is_claimed)(Subject::Race(object)),
        undefined: &|undefined| goal.properties.contains(&undefined.property()),
    }))
}

fn check_cartesian(goal: Goal<'_>, proof: &CartesianProof, means: Means<'_>) -> Result<(), Refusal> {
    if proof.bound.is_some() {
        return Err(Refusal::Unfit("it holds only for a bounded number of threads"));
    }
    shown(goal, |shown| cartesian::certify(goal.program, proof, shown, means.budget))?.map_err(|error| match error {
        Rejected::Exhausted(limit) => Refusal::Exhausted(limit),
        error => Refusal::Cartesian(error),
    })
}

fn check_modular(goal: Goal<'_>, proof: &ModularProof, means: Means<'_>) -> Result<(), Refusal> {
    let checked = shown(goal, |shown| match means.solver {
        None => modular::certify(goal.program, proof, shown, means.budget).map(|()| None),
        Some(_) => obligations(goal.program, proof, shown, means.budget).map(Some),
    })?;
    let written = checked.map_err(|error| match error {
        modular::Refusal::Exhausted(limit) => Refusal::Exhausted(limit),
        error => Refusal::Modular(error),
    })?;
    match means.solver.zip(written) {
        Some((solver, written)) => solver(&written).map_err(Refusal::Solver),
        None => Ok(()),
    }
}

fn check_symmetric(goal: Goal<'_>, proof: &SymmetricProof, means: Means<'_>) -> Result<(), Refusal> {
    let checked = shown(goal, |shown| symmetric::certify(goal.program, proof, shown, means.budget))?;
    checked.map_err(|error| match error {
        symmetric::Refusal::Exhausted(limit) => Refusal::Exhausted(limit),
        error => Refusal::Symmetric(error),
    })
}

/// What protects objects says nothing about anything else.
fn check_protection(goal: Goal<'_>, proof: &ProtectionProof, means: Means<'_>) -> Result<(), Refusal> {
    if goal.properties.iter().any(|property| *property != Property::Race) {
        return Err(Refusal::Unfit("what protects objects shows nothing but that there is no race on them"));
    }
    let objects = AbstractObject::all(goal.program);
    let objects = objects.filter(|object| (goal.is_claimed)(Subject::Race(*object))).collect();
    let claimed = Asked { objects, fields: goal.fields.iter().copied().collect() };
    protection::certify(goal.program, proof, &claimed, means.budget).map_err(|error| match error {
        protection::Refusal::Exhausted(limit) => Refusal::Exhausted(limit),
        error => Refusal::Protection(error),
    })
}
