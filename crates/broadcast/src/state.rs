//! What one thread has to itself in a state.

use crate::program::{LocalVar, Pc, TemplateId};

/// A thread's local state: what it executes, where it is, what its locals hold. Threads with the same local state are
/// interchangeable, which is what counting them rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalState {
    /// Its template.
    pub template: TemplateId,
    /// The statement that it executes next.
    pub pc: Pc,
    /// Its locals, one bit each.
    pub values: u64,
}

impl LocalState {
    /// What a local holds.
    pub fn value(self, variable: LocalVar) -> bool {
        self.values >> variable.0 & 1 == 1
    }
}
