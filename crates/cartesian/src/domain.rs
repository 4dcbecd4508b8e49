//! The abstract domain of the paper, over transition systems that know nothing of programs.

pub mod exceptions;
pub mod fixpoint;
pub mod product;
pub mod system;

pub use exceptions::ExceptionSet;
pub use fixpoint::{Fixpoint, Kept, solve};
pub use product::{Count, Group, Position, Product, included, normalise};
pub use system::{Carry, Component, Move, Shared, Start, System};
