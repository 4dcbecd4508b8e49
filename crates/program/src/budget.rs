//! What an engine may spend, and whom it tells how far it is.
//!
//! Every engine polls a [`Budget`] often enough to stop within a fraction of a second, and reports through one
//! [`Progress`] sink; neither does any I/O. Work that runs out of its budget says so in one way: it fails with
//! [`Exhausted`], or with an error that has a case for it, so that [`Budget::check`] and `?` are all it takes. Every look at the budget is also one at the memory that the engine's thread
//! holds (`selvedge_meter`), so that both limits hold wherever one is looked at.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits on an engine's run. Clones share the cancellation flag.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When to stop.
    pub deadline: Option<Instant>,
    /// How many bytes the engine may keep: by its own reckoning, and by what its thread holds.
    pub memory: Option<u64>,
    /// Set by anyone to have the engine stop.
    pub cancel: Arc<AtomicBool>,
    /// Set before the other, if it is for want of memory.
    pub full: Arc<AtomicBool>,
}

/// Which limit has been reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exhausted {
    /// The time is up.
    Time,
    /// The memory is used up.
    Memory,
    /// Somebody has cancelled the run.
    Cancelled,
}

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Exhausted::Time => "the time limit was reached",
            Exhausted::Memory => "the memory limit was reached",
            Exhausted::Cancelled => "the run was cancelled",
        })
    }
}

impl std::error::Error for Exhausted {}

impl Budget {
    /// No limits.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// The same, ending so much time from now.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// The same, with so many bytes.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// The same limits, with switches of its own.
    #[must_use]
    pub fn apart(&self) -> Self {
        Budget { deadline: self.deadline, memory: self.memory, ..Budget::default() }
    }

    /// Has the engine stop because there is no memory left.
    pub fn stop_for_memory(&self) {
        self.full.store(true, Ordering::Relaxed);
        self.cancel.store(true, Ordering::Release);
    }

    /// Goes on, unless time is up, the thread holds too much memory, or the run has been cancelled.
    ///
    /// # Errors
    /// The limit that has been reached.
    pub fn check(&self) -> Result<(), Exhausted> {
        self.check_with(0)
    }

    /// The same for an engine that keeps so many bytes.
    ///
    /// # Errors
    /// The limit that has been reached.
    pub fn check_with(&self, bytes: u64) -> Result<(), Exhausted> {
        if self.cancel.load(Ordering::Acquire) {
            let is_full = self.full.load(Ordering::Relaxed);
            return Err(if is_full { Exhausted::Memory } else { Exhausted::Cancelled });
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Exhausted::Time);
        }
        let held = bytes.max(selvedge_meter::held_by_this_thread());
        if self.memory.is_some_and(|limit| held > limit) { Err(Exhausted::Memory) } else { Ok(()) }
    }

    /// The limit that has been reached, for those who tell of it.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.check().err()
    }

    /// The limit for which somebody else stopped who looks at the time and at cancellation, such as a solver.
    pub fn stopped_by(&self) -> Exhausted {
        self.exhausted().unwrap_or(Exhausted::Cancelled)
    }
}

/// How far an engine is. What does not apply to an engine is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The engine's name.
    pub engine: &'static str,
    /// States or other facts that it keeps.
    pub states: u64,
    /// States that it still has to look at.
    pub waiting: u64,
    /// Search depth, bound or iteration.
    pub depth: u64,
    /// Bytes that it keeps, by its own reckoning.
    pub memory: u64,
}

/// Who is told how far an engine is. Called some times a second, from the engine's thread.
pub trait Progress {
    /// Takes a report.
    fn report(&mut self, report: &Report);

    /// Takes a report in words, for what the figures of a [`Report`] do not fit: `bound 4, iteration 12, 31 links`.
    fn say(&mut self, _engine: &'static str, _words: &str) {}
}

/// Nobody is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Progress for Quiet {
    fn report(&mut self, _report: &Report) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_noticed() {
        let budget = Budget::unlimited();
        assert_eq!(budget.check_with(u64::MAX), Ok(()));
        assert_eq!(budget.clone().with_memory(10).check_with(11), Err(Exhausted::Memory));
        assert_eq!(budget.clone().with_time(Duration::ZERO).exhausted(), Some(Exhausted::Time));
        budget.clone().cancel.store(true, Ordering::Relaxed);
        assert_eq!(budget.exhausted(), Some(Exhausted::Cancelled));
        assert_eq!(budget.stopped_by(), Exhausted::Cancelled);
        budget.stop_for_memory();
        assert_eq!(budget.exhausted(), Some(Exhausted::Memory));
        assert_eq!(budget.apart().exhausted(), None);
    }
}
