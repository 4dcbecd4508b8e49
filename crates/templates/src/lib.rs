//! Predicate abstraction of a program, template by template, into a Boolean broadcast program (paper 004, Sections 2
//! and 4).
//!
//! Every predicate is a Boolean variable: a shared one if it speaks of shared state alone, else a local of every thread
//! ([`vocabulary`]). What a step makes of a predicate is its weakest precondition, as far as predicates before the step
//! imply it or its negation ([`cubes`]): of the active thread, and, where the step writes what all share, of every passive
//! thread too, which is the paper's notify-all update ([`statement`]). Control flow is kept, one statement for each step
//! of the program ([`layout`]). A transition that no concrete step stands for is excluded for all threads by a
//! constraint over as few of them as show it ([`refine`]).
//!
//! The abstraction is of every execution: whatever the program can do, the Boolean program can do with the values that
//! the predicates have. So if none of its assertions can fail, none of the program's can, for as many threads as that
//! was shown for. It knows no engine, and is no verdict: what it stands on is not checked by anybody else.
//!
//! ```
//! use selvedge_broadcast::text;
//! use selvedge_frontend::scpl::{self, Threads};
//! use selvedge_program::Budget;
//! use selvedge_symbolic::Predicate;
//! use selvedge_templates::{Cubes, Main, Named, Options, boolean_program};
//!
//! let source = "shared s = 0; local l = 1; 1: assert s != l; 2: s = s + 1;";
//! let program = scpl::compile("p.scpl", source, Threads::Any).unwrap().program;
//! let b = Named { name: "b".to_owned(), predicate: Predicate::parse(&program, "s != l").unwrap() };
//! let options = Options { main: Main::LeftOut, cubes: Cubes::One, ..Options::default() };
//! let printed = text::print(&boolean_program(&program, &[b], options, &Budget::unlimited()).unwrap());
//! assert!(printed.contains("notify p: thread {p.b := schoose[!a.b | !p.b, 0]}"), "{printed}");
//! ```

pub mod cegar;
pub mod cubes;
pub mod layout;
pub mod refine;
pub mod statement;
pub mod vocabulary;

use selvedge_abstraction::Stop;
use selvedge_broadcast::{Invalid, Program as Broadcast};
use selvedge_program::{Budget, Program};
use selvedge_symbolic::threads::unfold;
use selvedge_symbolic::threads::{Universe, View};

pub use layout::{Abstraction, Origin};
pub use refine::Spurious;
pub use vocabulary::{Named, Vocabulary};

/// How precise the abstraction of a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Cubes {
    /// A weakest precondition counts where it is a constant or equivalent to a predicate (the paper's c0).
    #[default]
    None,
    /// Where one predicate implies it (c1).
    One,
    /// Where two do (c2).
    Two,
}

impl Cubes {
    /// The longest conjunction of predicates that is tried.
    pub fn longest(self) -> usize {
        match self {
            Cubes::None => 0,
            Cubes::One => 1,
            Cubes::Two => 2,
        }
    }
}

/// Whose predicates say what a step makes of the active thread and of what all share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Witness {
    /// Its own, as in the paper's tool: statement (3) of Section 2.
    #[default]
    Active,
    /// Those of one passive thread as well: statement (4). What other threads know then restricts the step, which the
    /// proof for any number of threads has to over-approximate.
    OnePassive,
}

/// How an abstract assignment is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    /// Values: `b := schoose[…]`. Fewer outcomes have to be looked at.
    #[default]
    Values,
    /// As in the paper: `havoc {…} constrain …`.
    Constraints,
}

/// What becomes of `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Main {
    /// A template of one thread, which starts the others.
    #[default]
    Kept,
    /// It is left out, and any number of the threads that it starts are there from the start. It must do nothing else.
    LeftOut,
}

/// What is asserted of the Boolean program. What is not modelled always is: it must not be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Errors {
    /// Assertions; nothing undefined is gone on from, but it is no error.
    #[default]
    Assertions,
    /// Undefined behaviour too.
    All,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Options {
    pub cubes: Cubes,
    pub witness: Witness,
    pub form: Form,
    pub main: Main,
    pub errors: Errors,
}

/// Why there is no abstraction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The program is not of the kind that can be abstracted so.
    #[error("the program cannot be abstracted template by template: {0}")]
    Unfit(String),
    /// A predicate cannot be tracked.
    #[error("`{0}` cannot be tracked: {1}")]
    Predicate(String, &'static str),
    /// The Boolean program would not be well-formed, such as with too many variables.
    #[error("{0}")]
    Invalid(String),
    /// There is no time, or the like.
    #[error("{0}")]
    Stopped(String),
}

impl From<Stop> for Refused {
    fn from(stop: Stop) -> Self {
        Refused::Stopped(match stop {
            Stop::Exhausted(limit) => limit.to_string(),
            Stop::Spent => "what was allowed for it is spent".to_owned(),
            Stop::Internal(error) => format!("internal error: {error}"),
        })
    }
}

impl From<Invalid> for Refused {
    fn from(invalid: Invalid) -> Self {
        Refused::Invalid(invalid.to_string())
    }
}

/// Abstracts a program.
///
/// # Errors
/// If the program or a predicate is not of a kind that can be abstracted so, or the budget is used up.
pub fn abstract_program<'p, 'b>(
    program: &'p Program,
    predicates: &[Named],
    options: Options,
    budget: &'b Budget,
) -> Result<Abstraction<'p, 'b>, Refused> {
    let universe = Universe::of(program, || budget.exhausted().is_none());
    let universe = universe.map_err(|refused| {
        let name = |function| program.function(function).name.clone();
        Refused::Unfit(match refused {
            unfold::Refused::Recursion(function) => format!("`{}` calls itself", name(function)),
            unfold::Refused::Section(function) => {
                format!("`{}` ends an atomic section that it did not begin", name(function))
            }
            unfold::Refused::TooLarge => "it is too large".to_owned(),
        })
    })?;
    let universe = universe.ok_or_else(|| Refused::Stopped(budget.stopped_by().to_string()))?;
    layout::build(View::new(universe), predicates, options, budget)
}

/// The Boolean program alone.
///
/// # Errors
/// As for [`abstract_program`].
pub fn boolean_program(
    program: &Program,
    predicates: &[Named],
    options: Options,
    budget: &Budget,
) -> Result<Broadcast, Refused> {
    Ok(abstract_program(program, predicates, options, budget)?.program().clone())
}
