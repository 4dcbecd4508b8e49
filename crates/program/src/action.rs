//! What an edge of a control-flow automaton does: one action.
//!
//! An action touches memory at most once, unless it is [`Action::Atomic`], whose steps happen as one.
//!
//! What follows from that is said once, by methods of [`Action`] and [`AtomicStep`] in the modules below: which
//! accesses it makes (`touch`) and which two of them race (`mode`), which registers it uses and assigns (`registers`),
//! its expressions (`expressions`), where values go with it (`flow`), how control passes it (`passing`), and what an
//! update is to people (`operation`).

mod expressions;
mod flow;
mod ghost;
mod mode;
mod operation;
mod passing;
mod registers;
mod touch;

#[cfg(test)]
mod tests;

pub use flow::{Unsettled, ValueFlow};
pub use ghost::{GhostField, GhostType, thread_status};
pub use mode::{AccessKind, AccessMode};
pub use operation::{LockKind, LockMode, Operation};
pub use passing::Transfer;
pub use registers::RegisterUse;
pub use touch::{Accesses, ThreadsTouch, Touch, Touched};

use crate::{CheckId, Expr, FunctionId, RegisterId, SiteId, Undefined};

/// Whether an access takes part in synchronisation. `volatile` does not make an access atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atomicity {
    /// An ordinary access: racing with any conflicting access of another thread.
    Plain,
    /// An atomic access: racing with conflicting plain accesses only.
    Atomic(MemoryOrder),
}

impl Atomicity {
    /// An atomic access of which nobody has said that it may be weaker.
    pub const SEQUENTIAL: Atomicity = Atomicity::Atomic(MemoryOrder::SequentiallyConsistent);

    /// Whether it is an atomic access.
    #[inline]
    pub fn is_atomic(self) -> bool {
        match self {
            Atomicity::Plain => false,
            Atomicity::Atomic(_) => true,
        }
    }
}

/// What an atomic access or a fence orders, in the words of C11. Kept for those who read programs; the concrete
/// semantics and the engines take every order to be sequentially consistent.
///
/// Where an update may write or not (compare and exchange), the write has the order of the update as a whole, and the
/// read the one that counts when nothing is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryOrder {
    /// Nothing. Also where the order is not known before the program runs.
    Relaxed,
    /// What depends on the value comes after.
    Consume,
    /// What follows comes after.
    Acquire,
    /// What precedes comes before.
    Release,
    /// Both.
    AcquireRelease,
    /// Both, and all such accesses are in one order.
    SequentiallyConsistent,
}

impl MemoryOrder {
    /// The order that a number means as an argument of C's atomic operations (`memory_order_…`, `__ATOMIC_…`).
    pub fn of_number(number: u128) -> Option<MemoryOrder> {
        Some(match number {
            0 => MemoryOrder::Relaxed,
            1 => MemoryOrder::Consume,
            2 => MemoryOrder::Acquire,
            3 => MemoryOrder::Release,
            4 => MemoryOrder::AcquireRelease,
            5 => MemoryOrder::SequentiallyConsistent,
            _ => return None,
        })
    }

    /// Its name, after C's.
    pub fn name(self) -> &'static str {
        match self {
            MemoryOrder::Relaxed => "relaxed",
            MemoryOrder::Consume => "consume",
            MemoryOrder::Acquire => "acquire",
            MemoryOrder::Release => "release",
            MemoryOrder::AcquireRelease => "acq_rel",
            MemoryOrder::SequentiallyConsistent => "seq_cst",
        }
    }
}

/// A place that can be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// `size` bytes at an address, which must be a multiple of `align`.
    Memory {
        /// The address of the first byte.
        address: Expr,
        /// How many bytes.
        size: u32,
        /// The alignment that C demands of the address.
        align: u32,
    },
    /// A ghost field kept with the object at an address.
    Ghost {
        /// The address of the lock, thread object, ….
        address: Expr,
        /// Which field.
        field: GhostField,
    },
}

/// An access to memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Where.
    pub place: Place,
    /// Whether it races with others.
    pub atomicity: Atomicity,
}

/// How a load treats bytes that are no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interpretation {
    /// The bytes make a number or a whole pointer; indeterminate bytes take any value.
    Value,
    /// The same, but that a byte which is indeterminate is undefined: where the user asks for it.
    Determinate,
    /// The bytes are only moved to elsewhere, whatever they are: parts of pointers and indeterminate bytes stay so.
    Raw,
}

/// One step of an atomic update.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AtomicStep {
    /// `target := *access`.
    Read {
        /// The register that takes the value.
        target: RegisterId,
        /// Where from.
        access: Access,
    },
    /// `target := value`.
    Let {
        /// The register.
        target: RegisterId,
        /// The value.
        value: Expr,
    },
    /// The whole update can happen only when this holds; otherwise the thread waits. Guards stand before every write
    /// and every [`AtomicStep::PickThread`] of the update.
    Guard(Expr),
    /// Marks an update that may happen but that nobody can count on, such as a spurious wake-up: a thread that has no
    /// other way on is as good as stuck when deadlocks are looked for.
    Spurious,
    /// Undefined unless this holds.
    Require(Expr, Undefined),
    /// `if (when) *access := value`.
    Write {
        /// The condition, of width 1.
        when: Expr,
        /// Where to.
        access: Access,
        /// The value.
        value: Expr,
    },
    /// `target :=` any thread whose ghost `field` equals a value, or null if there is none.
    PickThread {
        /// The register that takes the thread.
        target: RegisterId,
        /// The field of the thread.
        field: GhostField,
        /// What it must equal.
        equals: Expr,
    },
    /// The ghost `field` of every thread where it equals a value is set to another: notify all.
    WriteThreads {
        /// The field of the threads.
        field: GhostField,
        /// What it must equal.
        equals: Expr,
        /// What it becomes.
        value: Expr,
    },
    /// If a condition holds, the update is this operation on the object at this address. Without effect.
    Mark {
        /// The condition, of width 1.
        when: Expr,
        /// What it is.
        operation: Operation,
        /// The address of the lock, the thread, ….
        object: Expr,
    },
}

/// Whom a call calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A function known by name.
    Direct(FunctionId),
    /// A function pointer.
    Indirect(Expr),
}

/// Where an allocation lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Storage {
    /// Until it is freed.
    Heap,
    /// Until the allocating function returns: `alloca` and variable-length arrays.
    Stack,
}

/// What an object contains when it comes to life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InitialContents {
    /// Zeros.
    Zero,
    /// Nothing in particular: every load may see any value.
    Indeterminate,
}

/// A piece of what `printf` prints.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OutputPiece {
    /// Text as it is.
    Text(Vec<u8>),
    /// A value under a conversion such as `%5.2d` (length modifiers removed), signed or not by its letter.
    Value(String, Expr),
    /// The string at an address under a conversion such as `%-8s`.
    CString(String, Expr),
}

/// What an edge does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Passes only when the condition (of width 1) holds: a branch. Never waits for another thread.
    Assume(Expr),
    /// `target := value`.
    Assign {
        /// The register.
        target: RegisterId,
        /// The value.
        value: Expr,
    },
    /// `target := *access`.
    Load {
        /// The register, as wide as the place.
        target: RegisterId,
        /// Where from.
        access: Access,
        /// What to make of bytes that are no number.
        interpretation: Interpretation,
    },
    /// `*access := value`.
    Store {
        /// Where to.
        access: Access,
        /// The value, as wide as the place.
        value: Expr,
    },
    /// Several reads and writes as one: atomic operations, locks, semaphores.
    Atomic(Vec<AtomicStep>),
    /// `target :=` any value of its width.
    Havoc {
        /// The register.
        target: RegisterId,
    },
    /// The contents of an address-taken local become indeterminate: its declaration is reached. If its life had ended,
    /// it has another one.
    Forget {
        /// The local.
        object: crate::FrameObjectId,
    },
    /// Ends the life of an address-taken local: its block ends.
    EndLife {
        /// The local.
        object: crate::FrameObjectId,
    },
    /// Starts a thread that calls a function.
    Spawn {
        /// Takes the new thread's object (what `pthread_t` holds).
        target: RegisterId,
        /// The function the thread runs.
        entry: Callee,
        /// Its arguments.
        arguments: Vec<Expr>,
        /// Takes the new thread's object as well, before that thread can move: where a pointer is stored.
        id: Option<Access>,
    },
    /// Ends the executing thread, whatever it has called.
    ThreadExit {
        /// What a join gets.
        value: Expr,
    },
    /// Ends the process.
    Exit {
        /// The exit status.
        status: Expr,
    },
    /// `target :=` the address of a new object.
    Allocate {
        /// The register that takes the address.
        target: RegisterId,
        /// The size in bytes.
        size: Expr,
        /// The alignment of its start.
        align: u32,
        /// How long it lives.
        storage: Storage,
        /// What it contains.
        contents: InitialContents,
        /// The place in the program.
        site: SiteId,
    },
    /// Ends the life of a heap object; null is left alone.
    Free {
        /// Its address.
        address: Expr,
    },
    /// A check of a property: the program is wrong if the condition does not hold.
    Assert {
        /// The condition, of width 1.
        condition: Expr,
        /// Which check.
        check: CheckId,
    },
    /// Undefined behaviour unless the condition holds.
    Require {
        /// The condition, of width 1.
        condition: Expr,
        /// What is wrong otherwise.
        otherwise: Undefined,
    },
    /// Calls a function.
    Call {
        /// Takes the result, if any is wanted.
        target: Option<RegisterId>,
        /// Whom.
        callee: Callee,
        /// The arguments, as wide as the parameters.
        arguments: Vec<Expr>,
    },
    /// Returns from the function; from a thread's first function, ends the thread; from `main`'s, the process.
    Return {
        /// The result, if the function has one.
        value: Option<Expr>,
    },
    /// From here on no other thread moves until the matching end.
    AtomicBegin,
    /// Ends what the matching begin began.
    AtomicEnd,
    /// Orders accesses around it; without effect where all are in order already.
    Fence(MemoryOrder),
    /// Prints; for people and tests, without effect on the program's state.
    Output(Vec<OutputPiece>),
    /// Something we do not model; reaching it makes the verdict `unknown`.
    Unsupported(String),
    /// What comes next is known only roughly: an effect that we do not model, taken for more than it can be. A proof
    /// goes on; an execution does not, since from here on it might be none of the program's.
    Inexact(String),
}
