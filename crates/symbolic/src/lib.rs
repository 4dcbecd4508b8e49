//! The symbolic twin of the concrete semantics, and predicates over what a thread can see.
//!
//! Values are [`word::Word`]s: terms for what kind of thing a value is and for its bits. [`eval`] gives expressions a
//! meaning, [`place`] and [`access`] loads and stores, [`atomic`] and [`step`] actions, all over a
//! [`machine::Machine`], which says what registers, cells and objects are called and what becomes of accesses. What
//! keeps a step from happening is a condition with a reason.
//!
//! [`predicate`] has the predicates that proofs, certificates and people speak in.

pub mod access;
pub mod atomic;
pub mod builder;
pub mod cell;
pub mod effect;
pub mod entity;
pub mod eval;
pub mod initial;
pub mod machine;
pub mod opaque;
pub mod place;
pub mod predicate;
pub mod step;
pub mod stretch;
pub mod tally;
pub mod threads;
pub mod word;

pub use builder::Builder;
pub use cell::{CellKey, GHOST_WIDTH, Note, Tally};
pub use effect::{Effect, Prestate};
pub use entity::{Entity, Extent, Life, Lifetime};
pub use eval::{Eval, Names, Trouble};
pub use machine::{Allocation, Block, Machine, Many, trouble, under};
pub use opaque::Opaque;
pub use predicate::{Moment, Predicate, Reach, Relation, Root, SyntaxError, Timed, Valuation, Variable};
pub use stretch::{Reading, Residue, Stretch};
pub use word::{Tag, Value, Word};
