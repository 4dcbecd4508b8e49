//! From terms to gates to clauses.
//!
//! [`Graph`] holds gates with structural sharing, `words` builds the arithmetic from them, [`Blaster`] turns terms into
//! words of wires, and [`Clauses`] gives a wire its literal in a satisfiability solver. Each layer remembers what it
//! has done: a term is blasted once, a gate becomes clauses once.

mod blast;
mod clauses;
mod division;
mod graph;
mod words;

pub use blast::Blaster;
pub use clauses::Clauses;
pub use graph::{Gate, Graph, Wire};
