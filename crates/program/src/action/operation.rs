//! What an update is to people: a lock, a join, a wait. The models of the library say so, and nobody has to see it in
//! the reads and writes.
//!
//! A mark has no effect. It is a promise about the update that it stands in, which those who read programs rely on, and
//! which `analysis/tests/soundness.rs` compares with executions: if the mark's condition holds when the update happens,
//! then
//! - after [`Operation::Acquire`] the executing thread holds the lock; before it, no other thread held it alone (and,
//!   if it is taken exclusively, nobody held it in any way but perhaps the executing thread itself);
//! - before [`Operation::Release`] the executing thread held the lock if that was exclusive, and somebody did if it was
//!   shared;
//! - at [`Operation::Join`] the thread has ended and nobody had joined it before.
//!
//! The state of a lock that carries no mark in an update is either left alone by it or overwritten (initialised,
//! copied).

use crate::{Action, AtomicStep, Base, Expr, GhostField, UnaryOp};

/// The families of locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockKind {
    /// A mutex.
    Mutex,
    /// A spin lock.
    Spin,
    /// A read-write lock.
    ReadWrite,
}

/// How a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockMode {
    /// For reading, at least: nobody else holds it alone.
    Shared,
    /// Nobody else holds it at all.
    Exclusive,
}

/// What an update is to the object at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// Takes a lock, or comes back holding it: once more, or as it did before.
    Acquire(LockKind, LockMode),
    /// Gives a lock up, for the last time if it was taken several times.
    Release(LockKind, LockMode),
    /// Waits for the end of a thread.
    Join,
    /// Falls asleep on a condition variable.
    Sleep,
    /// Wakes up from a condition variable.
    Wake,
    /// Wakes one sleeper, if there is any.
    Signal,
    /// Wakes all sleepers.
    Broadcast,
    /// Takes one from a semaphore.
    SemaphoreWait,
    /// Gives one to a semaphore.
    SemaphorePost,
    /// Arrives at a barrier.
    Arrive,
    /// Leaves a barrier.
    Pass,
}

impl LockKind {
    /// All of them.
    pub const ALL: [LockKind; 3] = [LockKind::Mutex, LockKind::Spin, LockKind::ReadWrite];

    /// The field that names the thread that holds it alone.
    pub fn owner(self) -> GhostField {
        match self {
            LockKind::Mutex => GhostField::MutexOwner,
            LockKind::Spin => GhostField::SpinOwner,
            LockKind::ReadWrite => GhostField::WriteOwner,
        }
    }

    /// The lock of which a field says who holds it.
    pub fn of_field(field: GhostField) -> Option<LockKind> {
        match field {
            GhostField::Readers => Some(LockKind::ReadWrite),
            field => LockKind::ALL.into_iter().find(|kind| kind.owner() == field),
        }
    }
}

impl Operation {
    /// Its name in the text of programs.
    pub fn name(self) -> &'static str {
        use LockKind::{Mutex, ReadWrite, Spin};
        use LockMode::{Exclusive, Shared};
        match self {
            Operation::Acquire(Mutex, _) => "lock",
            Operation::Acquire(Spin, _) => "spin lock",
            Operation::Acquire(ReadWrite, Exclusive) => "write lock",
            Operation::Acquire(ReadWrite, Shared) => "read lock",
            Operation::Release(Mutex, _) => "unlock",
            Operation::Release(Spin, _) => "spin unlock",
            Operation::Release(ReadWrite, Exclusive) => "write unlock",
            Operation::Release(ReadWrite, Shared) => "read unlock",
            Operation::Join => "join",
            Operation::Sleep => "sleep",
            Operation::Wake => "wake",
            Operation::Signal => "signal",
            Operation::Broadcast => "broadcast",
            Operation::SemaphoreWait => "semaphore wait",
            Operation::SemaphorePost => "semaphore post",
            Operation::Arrive => "arrive",
            Operation::Pass => "pass",
        }
    }
}

impl Action {
    /// The thread that the action waits for, unless that is the executing thread, if it is such a wait.
    pub fn joined_thread(&self) -> Option<&Expr> {
        self.steps().iter().find_map(|step| match step {
            AtomicStep::Mark { when, operation: Operation::Join, object }
                if is_unless_own(when, object) && !object.mentions(&self.assigned()) =>
            {
                Some(object)
            }
            AtomicStep::Mark { .. }
            | AtomicStep::Read { .. }
            | AtomicStep::Let { .. }
            | AtomicStep::Guard(_)
            | AtomicStep::Spurious
            | AtomicStep::Require(..)
            | AtomicStep::Write { .. }
            | AtomicStep::PickThread { .. }
            | AtomicStep::WriteThreads { .. } => None,
        })
    }
}

/// Whether a condition holds whenever a thread is not the executing one.
fn is_unless_own(condition: &Expr, thread: &Expr) -> bool {
    let is_own = |expr: &Expr| matches!(expr, Expr::Address(Base::SelfThread, _));
    let is_comparison = |expr: &Expr| match expr {
        Expr::Binary(crate::BinaryOp::Equal, left, right) => {
            is_own(left) && **right == *thread || is_own(right) && **left == *thread
        }
        _ => false,
    };
    match condition {
        Expr::Unary(UnaryOp::Not, operand) => is_comparison(operand),
        condition => *condition == Expr::truth(),
    }
}
