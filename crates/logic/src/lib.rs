//! Terms, bit-blasting, incremental satisfiability and the theory of order.
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
pub use solver::{Model, Solver, Statistics};
pub use terms::{Assignment, Op, Sort, Substitution, SymbolId, Term, Terms, Value};
