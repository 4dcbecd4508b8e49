//! The concrete semantics: one step of one thread on one state. It is the judge of every counterexample.
//!
//! The rules, each in the module that implements it:
//! - **Objects** ([`value`]). Objects are named by what made them, never by an address; a pointer is an object and an
//!   offset. Threads are objects too.
//! - **Values** ([`pointers`], [`eval`]). Registers hold numbers, pointers, or raw bytes that can only be moved.
//!   Pointers may stand in integer registers; what would depend on their numeric value is unsupported, never guessed.
//! - **Memory** ([`memory`], [`contents`], [`place`]). Bytes of live objects: numbers, parts of pointers,
//!   indeterminate. Any access outside of a live object, misaligned, or writing to a constant is undefined.
//!   Indeterminate bytes loaded as a value become any value: the step asks for it, and they stay that. A copy of
//!   indeterminate bytes is indeterminate by itself. Allocation never fails; numbers are stored with the least
//!   significant byte first.
//! - **Ghost fields** ([`state`]). What the library knows of an object at an address; 0 until written; gone with the
//!   object.
//! - **Steps** ([`step`], [`atomic`], [`calls`]). A thread takes one edge of its location. An atomic update waits until
//!   its guards hold. While a thread is in an atomic section no other thread moves. The process ends when `main`'s
//!   first function returns, on `Exit`, or with its last thread; then nothing moves.
//! - **Outcomes** ([`outcome`]). A step that fails an assertion, is undefined, or is not modelled leads to no state.
//! - **Parts** ([`parts`]). A state can be taken apart into what one thread has to itself and what the threads share,
//!   and put together again; engines that look at one thread at a time step such states.
//! - **Races, deadlocks and livelocks** ([`accesses`], [`standing`], [`livelock`]) are properties of a state.

pub mod accesses;
pub mod atomic;
pub mod calls;
pub mod contents;
pub mod effects;
pub mod eval;
pub mod guesses;
pub mod livelock;
pub mod memory;
pub mod names;
pub mod outcome;
mod output;
pub mod parts;
pub mod place;
pub mod pointers;
pub mod printf;
mod renumber;
pub mod standing;
pub mod state;
pub mod step;
pub mod value;

pub use crate::AccessKind;
pub use accesses::{PendingAccess, Race, Spot, conflict};
pub use effects::{Change, Changed, Effects, Event, Observer, Silent};
pub use guesses::Guesses;
pub use livelock::Livelock;
pub use outcome::{Answers, Chooser, Culprit, Outcome, Plainest, Question};
pub use parts::Part;
pub use standing::{Enabled, Standing};
pub use state::{AtomicSection, Frame, GhostKey, State, StateParts, Thread};
pub use value::{Byte, Instance, Pointer, Value};

use crate::Program;

/// No object is larger than this.
pub const LARGEST_OBJECT: u64 = 1 << 30;

/// How far the semantics goes; what goes further is unsupported, never cut off silently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// How many activations a thread may have at a time.
    pub recursion: usize,
    /// How many threads there may be at a time.
    pub threads: usize,
    /// The largest allocation in bytes.
    pub allocation: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { recursion: 10_000, threads: 10_000, allocation: LARGEST_OBJECT }
    }
}

/// The semantics of one program.
#[derive(Clone, Copy, Debug)]
pub struct Semantics<'p> {
    /// The program. It must be well-formed, see [`Program::validate`].
    pub program: &'p Program,
    /// How far to go.
    pub limits: Limits,
}

impl<'p> Semantics<'p> {
    /// The semantics of a program with the default limits.
    pub fn new(program: &'p Program) -> Self {
        Self { program, limits: Limits::default() }
    }

    /// The state in which `main`'s thread is about to start.
    pub fn initial(&self) -> Result<State, Outcome> {
        State::initial(self.program)
    }
}
