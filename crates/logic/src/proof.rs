//! Proofs of unsatisfiability: written down while the solver works ([`Recorder`]), checked by a module of its own
//! ([`check`]) that shares no code with the solver.
//!
//! A proof is text, one step per line; numbers are DIMACS literals, clause numbers, events and edges:
//!
//! ```text
//! e LITERAL BEFORE AFTER           if the literal is true, so is the order BEFORE < AFTER (literal 0: always);
//!                                  edges count from 1
//! i ID LITERALS 0                  a clause of the question
//! t ID LITERALS 0 EDGES 0          a clause of the order theory: the edges form a cycle, the clause denies one of them
//! l ID LITERALS 0 IDS 0            a clause that follows by unit propagation in the named clauses, in that order
//! d ID 0                           a clause that is not needed any more
//! u ID LITERALS 0                  the claim: the clause ID denies some of these assumptions and nothing else
//! ```
//!
//! Lines `l` and `d` are those of LRAT.

mod check;
mod record;

pub use check::{Checked, ProofError, check, check_while};
pub use record::Recorder;
