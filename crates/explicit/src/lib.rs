//! The explicit-state engine: every schedule and every choice that can be enumerated, state by state.
//!
//! States of the concrete semantics are explored breadth first and remembered by a 128-bit fingerprint of a canonical
//! encoding. Three reductions, each of which can be switched off, keep them few: fusion of private steps ([`world`]),
//! partial-order reduction ([`persistent`]), thread symmetry ([`symmetry`]). Waiting states are rows of numbers of
//! parts, each of which is kept once; a step that has been taken in the same circumstances before is looked up in a
//! table instead of taken again.
//!
//! The engine is exact within its bounds: a violation comes with a trace that the semantics has replayed, and what was
//! not explored is named ([`Gap`]).
//!
//! ```
//! use selvedge_explicit::{Options, explore};
//! use selvedge_program::assemble::{Assembly, address, plain};
//! use selvedge_program::{Budget, Expr, FunctionId, Quiet};
//!
//! let mut assembly = Assembly::new();
//! let counter = assembly.global("counter", 4);
//! assembly.function("main", Some(32), |main| {
//!     let thread = main.register("thread", 64);
//!     let tmp = main.register("tmp", 32);
//!     main.spawn(thread, FunctionId(1), Expr::constant(64, 0));
//!     main.load(tmp, plain(address(counter), 4));
//!     main.ret(Expr::constant(32, 0));
//! });
//! assembly.function("worker", Some(64), |worker| {
//!     worker.parameter("arg", 64);
//!     worker.store(plain(address(counter), 4), Expr::constant(32, 1));
//!     worker.ret(Expr::constant(64, 0));
//! });
//! let exploration = explore(&assembly.program, &Options::default(), &Budget::unlimited(), &mut Quiet).unwrap();
//! assert_eq!(exploration.violations.len(), 1);
//! assert!(exploration.is_complete());
//! ```

mod blind;
mod choices;
mod encode;
mod engine;
mod footprints;
mod future;
mod hash;
mod intervals;
pub mod joins;
mod lookahead;
mod options;
mod outlook;
mod parts;
pub mod persistent;
mod predicted;
mod queue;
mod record;
mod region;
mod result;
mod search;
pub mod symmetry;
mod table;
mod tidy;
mod view;
mod visited;
pub mod world;

pub use engine::{ABOUT, NAME, check, engine};
pub use options::{Options, Reductions, Until};
pub use result::{Answer, Coverage, Exploration, Gap, InternalError, Statistics, Subject, Violation};

use footprints::Footprints;
use selvedge_analysis::{Facts, Loads};
use selvedge_evidence::{Findings, Unheard};
use selvedge_program::semantics::{Outcome, Semantics};
use selvedge_program::{Budget, Program, Progress, Span};

/// Explores a program. It must be well-formed, see [`Program::validate`].
pub fn explore(
    program: &Program,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
) -> Result<Exploration, InternalError> {
    explore_telling(&Facts::of(program), options, budget, progress, &Unheard)
}

fn explore_telling(
    facts: &Facts,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    findings: &dyn Findings,
) -> Result<Exploration, InternalError> {
    match Semantics::new(facts.program()).initial() {
        Ok(first) => {
            let mut explore = |loads, first| match Footprints::of(facts, loads, budget) {
                Ok(footprints) => search::Search::new(&footprints, options, first).run(budget, progress, findings),
                Err(limit) => Ok(Some(Exploration::cut_short(Gap::Limit(limit)))),
            };
            match explore(Loads::Settled, first.clone())? {
                Some(exploration) => Ok(exploration),
                None => explore(Loads::OutOfNothing, first)?
                    .ok_or_else(|| InternalError::Malformed("the facts reckon with every load".to_owned())),
            }
        }
        // An object that is too large for the semantics, not for everybody.
        Err(Outcome::Unsupported(message)) => Ok(Exploration::cut_short(Gap::Other { span: Span::NOWHERE, message })),
        Err(outcome) => Err(InternalError::Malformed(format!("{outcome:?}"))),
    }
}
