//! Abstract threads (paper 003): a specification says, for every thread function, what its threads may do to the
//! shared state, as a state machine with assertions on its states and two-state predicates on its edges.
//!
//! [`spec`] has a specification as a value, [`text`] reads it from a file, [`conform`] finds out whether the threads of a
//! program do what it says.

pub mod compose;
pub mod conform;
pub mod draw;
pub mod infer;
pub mod promela;
pub mod question;
pub mod spec;
pub mod text;

pub use spec::{Edge, Instances, Life, Shared, Specification, State, StateId, Thread};
