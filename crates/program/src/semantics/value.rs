//! Values: numbers, pointers, and bytes that are only moved.

use std::sync::Arc;

use crate::{Bits, FunctionId, ObjectId, ThreadIndex};

/// An object of one execution. Its name does not depend on how threads interleave: serial numbers count the allocations
/// of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Instance {
    /// A global, static or string literal.
    Static(ObjectId),
    /// A thread's own instance of a thread-local object.
    ThreadLocal(ObjectId, ThreadIndex),
    /// An address-taken local, or memory from `alloca`.
    Frame {
        /// The thread that called the function.
        thread: ThreadIndex,
        /// How many such objects the thread had made before.
        serial: u64,
    },
    /// Memory from `malloc` and the like.
    Heap {
        /// The thread that allocated it.
        thread: ThreadIndex,
        /// How many heap objects the thread had made before.
        serial: u64,
    },
    /// What stands for a thread.
    Thread(ThreadIndex),
    /// A function.
    Function(FunctionId),
}

/// A pointer: an object and an offset into it, which wraps at the pointer width and may lie outside of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer {
    /// The object that the pointer was made from.
    pub object: Instance,
    /// The distance from its start in bytes.
    pub offset: u64,
}

/// A byte of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Byte {
    /// A number.
    Known(u8),
    /// The so-manieth byte of a pointer, counted from the least significant.
    Part(Pointer, u8),
    /// Nothing in particular.
    Indeterminate,
}

/// What a register or a ghost field holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A number. The null pointer is the number 0.
    Bits(Bits),
    /// A pointer, in a register of at least pointer width; in a wider one, the address extended with zeros.
    Pointer(Pointer),
    /// Bytes of which some are parts of pointers or indeterminate, least significant first. They can be moved, nothing
    /// else.
    Raw(Arc<[Byte]>),
}

impl Value {
    /// A number of a width.
    pub fn bits(width: u32, value: u128) -> Value {
        Value::Bits(Bits::new(width, value))
    }

    /// A pointer to the start of an object.
    pub fn to_start_of(object: Instance) -> Value {
        Value::Pointer(Pointer { object, offset: 0 })
    }

    /// The number, if it is one.
    pub fn as_bits(&self) -> Option<Bits> {
        match self {
            Value::Bits(bits) => Some(*bits),
            Value::Pointer(_) | Value::Raw(_) => None,
        }
    }

    /// The pointer, if it is one.
    pub fn as_pointer(&self) -> Option<Pointer> {
        match self {
            Value::Pointer(pointer) => Some(*pointer),
            Value::Bits(_) | Value::Raw(_) => None,
        }
    }

    /// Whether it is the number 0, of whatever width.
    pub fn is_zero(&self) -> bool {
        matches!(self, Value::Bits(bits) if bits.is_zero())
    }
}

impl From<Bits> for Value {
    fn from(bits: Bits) -> Self {
        Value::Bits(bits)
    }
}

impl From<Pointer> for Value {
    fn from(pointer: Pointer) -> Self {
        Value::Pointer(pointer)
    }
}
