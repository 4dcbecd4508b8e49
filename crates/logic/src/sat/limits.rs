//! How long a question may take, and how to call it off from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::Unknown;

/// A switch that stops the questions it has been given to; clones are one switch, usable from any thread.
#[derive(Debug, Clone, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    pub fn new() -> Self {
        Self::default()
    }

    /// A switch that is also thrown by whoever holds the flag.
    pub fn from_flag(flag: Arc<AtomicBool>) -> Self {
        Cancellation(flag)
    }

    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Limits of a question; none by default.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    pub deadline: Option<Instant>,
    pub cancellation: Option<Cancellation>,
    /// Give up after so many conflicts.
    pub conflicts: Option<u32>,
}

impl Limits {
    /// The limit that has been reached, if one has.
    pub fn reached(&self) -> Option<Unknown> {
        if self.cancellation.as_ref().is_some_and(Cancellation::is_cancelled) {
            return Some(Unknown::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Unknown::Deadline);
        }
        None
    }
}
