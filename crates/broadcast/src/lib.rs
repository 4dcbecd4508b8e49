//! Boolean broadcast programs as values, and their checking, for a given number of threads and for any number.
//!
//! Paper 004 abstracts n equal threads to a Boolean program in which a step of one thread can update the copies of a
//! local that all others hold. This crate has such programs ([`program`]), their text forms ([`text`]), and what decides whether
//! an assertion in them can fail. It knows nothing of C or of the program model.
//!
//! ```
//! use selvedge_broadcast::counter::{self, Counted};
//! use selvedge_broadcast::coverability::{self, Answer};
//! use selvedge_broadcast::{Instance, System, check, plain, text};
//!
//! // A thread's `b` says that its local variable differs from the shared one, which every thread increments.
//! let program = text::parse("local b = 1; 1: assert b; 2: b := b ? * : 1 notify p {p.b := p.b ? * : 1};").unwrap();
//! assert_eq!(text::parse(&text::print(&program)).unwrap(), program);
//! let system = System::new(program).unwrap();
//!
//! // One thread is safe, with a proof; two are not, with a run.
//! let Counted::Safe(proof) = counter::search(&system, &Instance::of(1), &mut || true).unwrap() else { panic!() };
//! assert_eq!(check::check_counted(&system, &proof), Ok(()));
//! let Answer::Unsafe(path) = coverability::search(&system, &mut || true).unwrap().answer else { panic!() };
//! assert_eq!(path.initial.size(), 2);
//! assert!(plain::accepts(&system, &path.trace()));
//! ```

pub mod basis;
pub mod check;
pub mod configuration;
pub mod counter;
pub mod coverability;
pub mod expr;
pub mod pairs;
pub mod path;
pub mod plain;
pub mod program;
pub mod state;
pub mod step;
pub mod text;
mod valid;

pub use expr::{Expr, Operator, Values, View, When};
pub use program::*;
pub use state::{Instance, LocalState, State, Stopped};
pub use valid::{Invalid, MOST_VARIABLES, System, is_name};
