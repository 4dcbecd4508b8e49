//! Boolean broadcast programs as values, and their checking, for a given number of threads and for any number.
//!
//! Paper 004 abstracts n equal threads to a Boolean program in which a step of one thread can update the copies of a
//! local that all others hold. This crate has such programs ([`program`]), their text forms ([`text`]), and what decides whether
//! an assertion in them can fail. It knows nothing of C or of the program model.
//!
//! ```
//! use selvedge_broadcast::text;
//! let program = text::parse("shared s = 0; local b = 1; 1: assert a.b; 2: havoc {s, all(b)};").unwrap();
//! assert_eq!(text::parse(&text::print(&program)).unwrap(), program);
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
pub use valid::{Invalid, MOST_VARIABLES, System};
