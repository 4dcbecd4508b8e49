//! Ghost fields: what they are called, what they hold, and whose they are.

use crate::{DataModel, Display};

/// State that the library keeps with an object at an address but that has no bytes of its own: a lock's owner belongs
/// to the object the lock lives in, whatever type the program declares for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GhostField {
    /// A mutex's owner: null, or the thread that holds it.
    MutexOwner,
    /// How often the owner of a recursive mutex has locked it.
    MutexCount,
    /// The kind of a mutex, as `PTHREAD_MUTEX_…`, or of a read-write lock, as `PTHREAD_RWLOCK_…`.
    MutexKind,
    /// The thread that holds a read-write lock for writing, or null.
    WriteOwner,
    /// How many read locks are held.
    Readers,
    /// How many threads wait for a read-write lock that prefers writers, to write.
    WaitingWriters,
    /// A spin lock's owner.
    SpinOwner,
    /// A semaphore's value.
    SemaphoreValue,
    /// How many threads a barrier waits for.
    BarrierThreshold,
    /// How many threads have arrived at a barrier.
    BarrierArrived,
    /// `pthread_once`: 0 not run, 1 running, 2 done.
    OnceState,
    /// Of a thread: one of [`thread_status`].
    ThreadStatus,
    /// Of a thread: 0 joinable, 1 detached.
    ThreadDetached,
    /// Of a thread: what it returned.
    ThreadResult,
    /// Of a thread: the condition variable or barrier it sleeps on, or null.
    WaitingOn,
    /// Of a thread that sleeps on a condition variable: the mutex that it will take again, or null.
    WaitingWith,
    /// Of a thread: 1 if its cancellation has been requested, plus 2 if it has disabled that.
    Cancellation,
    /// Of a thread, at offset k of its object: the value of thread-specific key k.
    ThreadSpecific,
    /// Of the program as a whole (at the null address): the next thread-specific key to give out.
    NextKey,
    /// The size of an object in bytes (read only); at any address within it.
    ObjectSize,
    /// 0 as initialised statically or by the library, 1 destroyed: any further use but initialisation is undefined.
    Destroyed,
    /// A named attribute of an attribute object, such as a mutex attribute's kind.
    Attribute,
}

/// What [`GhostField::ThreadStatus`] holds.
pub mod thread_status {
    /// The thread has not ended.
    pub const RUNNING: u128 = 0;
    /// It has ended.
    pub const FINISHED: u128 = 1;
    /// It has ended and somebody has waited for that.
    pub const JOINED: u128 = 2;
}

/// What a ghost field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GhostType {
    /// The address of a thread or of an object, or null.
    Address,
    /// A size in bytes: as wide as a pointer, without a sign.
    Size,
    /// A number of so many bits, without a sign.
    Number(u32),
}

impl GhostType {
    /// Its width in bits.
    pub fn width(self, model: DataModel) -> u32 {
        match self {
            GhostType::Address | GhostType::Size => model.pointer_width(),
            GhostType::Number(width) => width,
        }
    }

    /// How to show it.
    pub fn display(self) -> Display {
        match self {
            GhostType::Address => Display::Pointer,
            GhostType::Size | GhostType::Number(_) => Display::Unsigned,
        }
    }
}

impl GhostField {
    /// All of them.
    pub const ALL: [GhostField; 22] = [
        GhostField::MutexOwner,
        GhostField::MutexCount,
        GhostField::MutexKind,
        GhostField::WriteOwner,
        GhostField::Readers,
        GhostField::WaitingWriters,
        GhostField::SpinOwner,
        GhostField::SemaphoreValue,
        GhostField::BarrierThreshold,
        GhostField::BarrierArrived,
        GhostField::OnceState,
        GhostField::ThreadStatus,
        GhostField::ThreadDetached,
        GhostField::ThreadResult,
        GhostField::WaitingOn,
        GhostField::WaitingWith,
        GhostField::Cancellation,
        GhostField::ThreadSpecific,
        GhostField::NextKey,
        GhostField::ObjectSize,
        GhostField::Destroyed,
        GhostField::Attribute,
    ];

    /// What it holds.
    pub fn declared(self) -> GhostType {
        use GhostField::*;
        match self {
            MutexOwner | WriteOwner | SpinOwner | ThreadResult | WaitingOn | WaitingWith | ThreadSpecific => {
                GhostType::Address
            }
            ObjectSize => GhostType::Size,
            MutexCount | MutexKind | Readers | WaitingWriters | SemaphoreValue | BarrierThreshold | BarrierArrived
            | NextKey | Attribute => GhostType::Number(32),
            OnceState | ThreadStatus | ThreadDetached | Cancellation | Destroyed => GhostType::Number(8),
        }
    }

    /// Its width in bits.
    pub fn width(self, model: DataModel) -> u32 {
        self.declared().width(model)
    }

    /// Whether threads have it; the others belong to objects with bytes.
    pub fn belongs_to_thread(self) -> bool {
        use GhostField::*;
        match self {
            ThreadStatus | ThreadDetached | ThreadResult | WaitingOn | WaitingWith | Cancellation | ThreadSpecific => {
                true
            }
            MutexOwner | MutexCount | MutexKind | WriteOwner | Readers | WaitingWriters | SpinOwner
            | SemaphoreValue | BarrierThreshold | BarrierArrived | OnceState | NextKey | ObjectSize | Destroyed
            | Attribute => false,
        }
    }

    /// Its name in reports and dumps, after the name of the object: `m.owner`.
    pub fn name(self) -> &'static str {
        match self {
            GhostField::MutexOwner => "owner",
            GhostField::MutexCount => "count",
            GhostField::MutexKind => "kind",
            GhostField::WriteOwner => "writer",
            GhostField::Readers => "readers",
            GhostField::WaitingWriters => "waiting_writers",
            GhostField::SpinOwner => "spinner",
            GhostField::SemaphoreValue => "value",
            GhostField::BarrierThreshold => "threshold",
            GhostField::BarrierArrived => "arrived",
            GhostField::OnceState => "once",
            GhostField::ThreadStatus => "status",
            GhostField::ThreadDetached => "detached",
            GhostField::ThreadResult => "result",
            GhostField::WaitingOn => "waiting_on",
            GhostField::WaitingWith => "waiting_with",
            GhostField::Cancellation => "cancellation",
            GhostField::ThreadSpecific => "specific",
            GhostField::NextKey => "next_key",
            GhostField::ObjectSize => "size",
            GhostField::Destroyed => "destroyed",
            GhostField::Attribute => "attribute",
        }
    }
}
