//! The kinds of undefined behaviour the concrete semantics knows.

use crate::Property;
use thiserror::Error;

/// Why a step is undefined. Its text completes "this …".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Error)]
pub enum Undefined {
    /// The null pointer, or null plus an offset.
    #[error("dereferences a null pointer")]
    NullDereference,
    /// A number that is no object's address.
    #[error("dereferences a value that points to no object")]
    InvalidPointer,
    /// Outside the object that the pointer was made from.
    #[error("accesses memory outside of its object")]
    OutOfBounds,
    /// Beyond an array that is a member of a struct, even if within the struct.
    #[error("indexes an array beyond its bounds")]
    OutOfArray,
    /// Pointer arithmetic that leaves its object by more than the one place past the end.
    #[error("moves a pointer out of the object that it points to")]
    PointerOutOfObject,
    /// Two accesses of one scalar in one expression, one a write, in no particular order.
    #[error("writes what the same expression accesses in an order that C leaves open")]
    Unsequenced,
    /// A variable-length array of no elements, or of a negative number.
    #[error("declares an array whose length is not positive")]
    ArrayLength,
    /// A heap object after its release.
    #[error("accesses memory that has been freed")]
    UseAfterFree,
    /// A local after the end of its block or function.
    #[error("accesses a local variable whose block or function has ended")]
    UseAfterReturn,
    /// Memory that nobody has written; looked for only where the user asks.
    #[error("reads memory that has not been initialised")]
    Uninitialised,
    /// An address that is not a multiple of the type's alignment.
    #[error("accesses memory at a misaligned address")]
    Misaligned,
    /// A string literal or a constant object.
    #[error("writes to a constant")]
    WriteToConstant,
    /// `free` of something already freed.
    #[error("frees memory that has been freed already")]
    DoubleFree,
    /// `free` of something that `malloc` did not return.
    #[error("frees what was not allocated, or not from its start")]
    InvalidFree,
    /// Division or remainder.
    #[error("divides by zero")]
    DivisionByZero,
    /// The smallest number divided by -1.
    #[error("divides the smallest number by -1")]
    DivisionOverflow,
    /// Signed arithmetic whose result its type cannot hold; looked for only where the user asks.
    #[error("overflows a signed integer")]
    SignedOverflow,
    /// A shift by a negative amount or by at least the width.
    #[error("shifts by at least the width of the operand, or by a negative amount")]
    ShiftTooFar,
    /// A floating-point number that the integer type cannot hold.
    #[error("converts a floating-point number to an integer type that cannot hold it")]
    FloatOutOfRange,
    /// A call through a pointer to no function, or to one of another type.
    #[error("calls through a pointer that is no function of a fitting type")]
    BadCall,
    /// `__builtin_unreachable`.
    #[error("reaches a place marked unreachable")]
    Unreachable,
    /// The end of a function with a result that its caller uses.
    #[error("uses the result of a function that returned none")]
    MissingReturn,
    /// An unlock without a lock.
    #[error("unlocks what this thread does not hold")]
    UnlockNotHeld,
    /// Use of a destroyed lock, condition variable, barrier or semaphore.
    #[error("uses a synchronisation object that has been destroyed")]
    UseAfterDestroy,
    /// Destruction of a lock in use.
    #[error("destroys a synchronisation object that is in use")]
    DestroyInUse,
    /// `pthread_join` or `pthread_detach` of what is no joinable thread.
    #[error("joins or detaches what is not a joinable thread")]
    BadThread,
    /// Threads sleep on one condition variable with different mutexes.
    #[error("waits for a condition with another mutex than a thread that waits for it already")]
    OtherMutex,
    /// Overlapping `memcpy`, `strcpy`, `sprintf` and the like.
    #[error("copies between areas of memory that overlap")]
    Overlap,
    /// A number of conversions that does not fit the arguments, a character out of range, and the like.
    #[error("passes arguments that the library function does not allow")]
    BadArgument,
    /// `longjmp` with a buffer that another thread's `setjmp` has filled, or none.
    #[error("jumps to no `setjmp` of this thread")]
    NoJumpTarget,
}

impl Undefined {
    /// The property that it is a matter of.
    pub fn property(self) -> Property {
        if self == Undefined::SignedOverflow { Property::Overflow } else { Property::Memory }
    }
}
