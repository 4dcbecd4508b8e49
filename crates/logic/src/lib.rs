//! Terms over truth values and bit-vectors, and an incremental solver for them that also knows about order. Nothing
//! here knows what a program is.
//!
//! - [`terms`]: hash-consed terms, simplified while they are built; evaluation, substitution, readable text.
//! - [`smtlib`]: the same as SMT-LIB 2 text, out and in.
//! - [`circuit`]: from terms to gates to clauses.
//! - [`sat`]: what we ask of a satisfiability solver, and the embedded one.
//! - [`order`]: strict partial orders over events, inside the search.
//! - [`solver`]: all of it together; questions, models, cores.
//! - [`proof`]: proofs of unsatisfiable answers, and their checker.
//!
//! ```
//! use selvedge_logic::{Answer, Solver, Sort, Terms, proof};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (mut terms, mut solver) = (Terms::new(), Solver::with_proofs());
//! let (x, y) = (terms.symbol("x", Sort::Bits(32)), terms.symbol("y", Sort::Bits(32)));
//! let one = terms.bits(32, 1);
//! let next = terms.add(x, one);
//! let (below, not_above) = (terms.slt(x, y), terms.sle(next, y));
//! let counterexample = terms.not(not_above);
//! assert_eq!(terms.display(counterexample).to_string(), "y < (x + 1)");
//!
//! // x < y implies x + 1 <= y: no counterexample, and a proof of that.
//! assert_eq!(solver.check(&terms, &[below, counterexample])?, Answer::Unsatisfiable);
//! proof::check(&solver.proof()?)?;
//!
//! // Three events in a ring cannot be ordered.
//! let (a, b, c) = (solver.new_event(), solver.new_event(), solver.new_event());
//! let ring = [solver.before(a, b)?, solver.before(b, c)?, solver.before(c, a)?];
//! assert_eq!(solver.check_literals(&ring)?, Answer::Unsatisfiable);
//! assert_eq!(solver.check_literals(&ring[..2])?, Answer::Satisfiable);
//! assert_eq!(solver.linearisation()?, [a, b, c]);
//! # Ok(())
//! # }
//! ```

pub mod circuit;
pub mod error;
pub mod order;
pub mod proof;
pub mod sat;
pub mod smtlib;
pub mod solver;
pub mod terms;

pub use error::{Error, Result};
pub use order::{Event, OrderStatistics};
pub use sat::{Answer, Cancellation, Limits, Lit, Unknown};
pub use solver::{Model, Questions, Solver, Statistics};
pub use terms::{Assignment, Evaluation, Op, Sort, Substitution, SymbolId, Term, Terms, Value};
