//! The program as one thread sees it: its own registers, the cells that all threads share, and the others, of whom
//! nothing is known but what they do to the shared cells. So there are finitely many names, however many threads and
//! objects there are.
//!
//! - [`unfold`]: the places of a thread: functions are inlined where they are called.
//! - [`universe`]: objects, each with a tag of its own or as one of many; what cells and registers may point to; which
//!   bytes are cells.
//! - [`along`]: a thread along a path of its own steps.
//! - `handles`: what matters only as the address of a thread.
//! - [`view`]: what each step does, over these names, for the thread itself and for any other one.

pub mod along;
mod handles;
pub mod held;
mod standing;
pub mod unfold;
pub mod universe;
pub mod view;

pub use along::Along;
pub use unfold::{Arc, ArcId, ArcKind, Node, NodeId, Unfolded};
pub use universe::{Kept, Thing, Universe};
pub use view::{Local, Moved, Slot, View, Who};
