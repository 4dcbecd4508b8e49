//! The questions of the checker, and who answers them: our solver ([`Asked`]), or any other one, for which they are
//! written as SMT-LIB ([`obligations`]).
//!
//! Most questions are *obligations*: the conditions must not hold together, or the proof is refused. Others are asked to
//! find out: whether there may be several threads of a function, whether two threads can meet as far as one cell tells,
//! whether a few of the conditions are enough. Yes is taken as it is, since it makes more obligations; no must be shown,
//! so it is an obligation too.

use selvedge_analysis::AbstractObject;
use selvedge_logic::smtlib::Refutations;
use selvedge_logic::{Answer, Cancellation, Limits, Questions, Term, Terms};
use selvedge_program::{Budget, CheckId, FunctionId, Program, Span, Undefined};

use super::{ModularProof, Refusal, Shown, check};
use crate::digest::Digest;

/// A thread somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The function that the thread runs.
    pub thread: FunctionId,
    /// The number of the place.
    pub place: u32,
    /// Where in the source its next step is.
    pub span: Span,
}

/// What it means that conditions cannot hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// What is said of the first place holds when the program begins.
    Initially,
    /// A step leads to what is said of the place behind it.
    Step(At),
    /// A thread begins with what is said of its first place.
    Starts(At, FunctionId),
    /// A step does not start a thread of a function of which there may be one already. Asked to find out.
    Several(At, FunctionId),
    /// Nothing is reached that is not modelled.
    Unsupported(At, String),
    /// A step does nothing undefined.
    Undefined(At, Undefined),
    /// An assertion does not fail.
    Assertion(At, CheckId),
    /// What is said of a place is kept by a step of another thread.
    Interference { thread: At, other: At },
    /// What two threads say of a cell cannot be so at the same time. Asked to find out.
    Together,
    /// Two threads are not both about to access a place of an object.
    Race { object: Option<AbstractObject>, first: At, second: At },
}

/// Whether a no to a question is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Without it the proof is refused.
    Obligation,
    /// The checker goes on with either answer.
    Inquiry,
}

impl Question {
    /// What it shows that the conditions cannot hold together.
    pub fn text(&self, program: &Program) -> String {
        let name = |function: FunctionId| &program.function(function).name;
        let at = |at: &At| format!("`{}` at {} (place {})", name(at.thread), program.place(at.span), at.place);
        match self {
            Question::Initially => "initiation: what is said of the first place holds initially".to_owned(),
            Question::Step(by) => format!("step of {}: leads to what is said of the next place", at(by)),
            Question::Starts(by, entry) => {
                format!("step of {}: `{}` begins as is said of its first place", at(by), name(*entry))
            }
            Question::Several(by, entry) => {
                format!("step of {}: does not start `{}` a second time", at(by), name(*entry))
            }
            Question::Unsupported(by, what) => format!("not modelled, at a step of {}: {what}", at(by)),
            Question::Undefined(by, undefined) => format!("undefined, at a step of {}: {undefined}", at(by)),
            Question::Assertion(by, check) => {
                format!("assertion {}, at a step of {}", program.check(*check).description, at(by))
            }
            Question::Interference { thread, other } => {
                format!("interference of {} with {}: what is said there is kept", at(other), at(thread))
            }
            Question::Together => "what two threads say of a cell is not so at the same time".to_owned(),
            Question::Race { object, first, second } => {
                let object = object.map_or("an object without a name".to_owned(), |object| object.name(program));
                format!("race on {object}: {} and {}", at(first), at(second))
            }
        }
    }
}

/// Who answers the checker's questions.
pub trait Answers {
    /// Whether the conditions can hold together.
    ///
    /// # Errors
    /// When there is no answer.
    fn can_hold(&mut self, terms: &Terms, asked: (&Question, Kind), conditions: &[Term]) -> Result<bool, Refusal>;
}

/// Our solver.
pub struct Asked<'b> {
    solver: Questions,
    budget: &'b Budget,
}

impl std::fmt::Debug for Asked<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asked").finish_non_exhaustive()
    }
}

impl<'b> Asked<'b> {
    /// Asked within a budget.
    pub fn new(budget: &'b Budget) -> Self {
        let solver = Questions::new(Limits {
            deadline: budget.deadline,
            cancellation: Some(Cancellation::from_flag(budget.cancel.clone())),
            conflicts: None,
        });
        Asked { solver, budget }
    }
}

impl Answers for Asked<'_> {
    fn can_hold(&mut self, terms: &Terms, _: (&Question, Kind), conditions: &[Term]) -> Result<bool, Refusal> {
        self.budget.check().map_err(Refusal::Exhausted)?;
        match self.solver.check(terms, conditions)? {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Unknown(_) => Err(Refusal::Exhausted(self.budget.stopped_by())),
        }
    }
}

/// What is left to show of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligations {
    /// An SMT-LIB script. The proof shows what it claims if every answer is `unsat`.
    pub script: String,
    /// How many answers there are.
    pub count: usize,
}

/// Writes obligations down, and takes for granted that somebody discharges them.
struct Written<'p, 'b> {
    program: &'p Program,
    asked: Asked<'b>,
    script: Refutations,
}

impl Answers for Written<'_, '_> {
    fn can_hold(
        &mut self,
        terms: &Terms,
        (question, kind): (&Question, Kind),
        conditions: &[Term],
    ) -> Result<bool, Refusal> {
        self.asked.budget.check().map_err(Refusal::Exhausted)?;
        if kind == Kind::Inquiry && self.asked.can_hold(terms, (question, kind), conditions)? {
            return Ok(true);
        }
        self.script.remark(&question.text(self.program));
        self.script.refuted(terms, conditions);
        Ok(false)
    }
}

/// What a solver has to show so that a proof is accepted: every question of the checker that must be answered no.
///
/// # Errors
/// When the proof does not fit the program, or the budget is used up.
pub fn obligations(
    program: &Program,
    proof: &ModularProof,
    shown: &Shown<'_>,
    budget: &Budget,
) -> Result<Obligations, Refusal> {
    let mut script = Refutations::new();
    script.remark(&format!("obligations of a thread-modular proof of the program {}", Digest::of(program)));
    script.remark("it shows what it claims if every answer is unsat");
    let mut written = Written { program, asked: Asked::new(budget), script };
    check(program, proof, shown, budget, &mut written)?;
    let count = written.script.count();
    Ok(Obligations { script: written.script.into_text(), count })
}
