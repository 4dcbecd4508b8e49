//! Symmetry-aware predicate abstraction (Donaldson, Kaiser, Kroening, Tautschnig, Wahl: *Counterexample-guided
//! abstraction refinement for symmetric concurrent programs*, FMSD 2012).
//!
//! A predicate may be about what all threads share, about what a thread has for itself, or mix both; of a mixed one
//! every thread has a copy, and a step that writes something shared changes the copies of all. No thread is told from
//! another of its template, and refinement keeps it so: predicates are discovered without the threads' numbers.
//!
//! The engine goes backwards from errors: which configurations of a few threads, among any number of others, may lead
//! there? Those that are not reached are blocked and made as general as can be (property-directed reachability). It ends
//! when what is blocked is closed under steps backwards, which proves that the error is never reached however many
//! threads there are, or when it meets the beginning of the program.
//!
//! Where we deviate: the Boolean program is not written down but asked for step by step. What a step abstracts to
//! with respect to all threads of a configuration (the paper's transition refinement, with J all of them) is found
//! where the search needs it, and what of it is exact is known, so that only inexact steps suggest predicates.
//!
//! - [`tracked`]: predicates, questions, and what leads into a configuration.
//! - `normal`, `remainders`: one form for equations that say the same.
//! - [`frames`]: the configurations that are not reached, by levels.
//! - [`search`]: errors, and all configurations that lead into another one by a step.
//! - [`refine`]: from an abstract counterexample to predicates; [`schedule`]: to a schedule.
//! - `counting`: which threads are counted; `sample`: assignments that were found; `impossible`: conditions that none
//!   satisfies.
//! - [`checks`]: what is decided by itself; [`identity`]: where threads are told apart.
//! - [`engine`]: one engine among others.

pub mod checks;
mod counting;
pub mod engine;
pub mod frames;
pub mod identity;
mod impossible;
mod normal;
pub mod refine;
mod registered;
mod remainders;
mod sample;
pub mod schedule;
pub mod search;
pub mod tracked;

pub use engine::{Options, answers, check};
pub use registered::{ABOUT, NAME, engine};
