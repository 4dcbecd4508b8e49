//! Exception sets as text.

use crate::domain::{Product, Shared};
use crate::program::ProgramSystem;

/// Exception sets that a user has described.
#[derive(Clone, Debug, Default)]
pub struct Described {}

impl Described {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        true
    }

    /// The products at a shared state.
    pub fn products(&self, _system: &ProgramSystem<'_, '_>, _shared: Shared) -> Vec<Product> {
        Vec::new()
    }
}
