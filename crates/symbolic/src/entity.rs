//! What objects are, as far as accesses to them need to know.

use selvedge_program::{FunctionId, Undefined};

use crate::word::Word;

/// How many bytes an object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// At most so many.
    pub most: u64,
    /// Exactly so many; else a cell says how many.
    pub is_exact: bool,
}

impl Extent {
    /// Exactly so many bytes.
    pub fn exactly(size: u64) -> Self {
        Extent { most: size, is_exact: true }
    }
}

/// How long an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// As long as the program runs.
    Static,
    /// As long as the program runs, and nobody may write to it.
    Constant,
    /// As long as the activation or the thread that it belongs to, or its block.
    Automatic,
    /// Until it is freed.
    Heap,
}

impl Lifetime {
    /// Whether it can end before the program does.
    pub fn ends(self) -> bool {
        match self {
            Lifetime::Static | Lifetime::Constant => false,
            Lifetime::Automatic | Lifetime::Heap => true,
        }
    }

    /// What is wrong with an access after its end.
    pub fn absence(self) -> Undefined {
        match self {
            Lifetime::Static | Lifetime::Constant => Undefined::InvalidPointer,
            Lifetime::Automatic => Undefined::UseAfterReturn,
            Lifetime::Heap => Undefined::UseAfterFree,
        }
    }
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entity {
    /// Memory.
    Bytes { extent: Extent, align: u32, lifetime: Lifetime },
    /// A thread, which has ghost fields only.
    Thread,
    /// A function, which can be called.
    Function(FunctionId),
}

impl Entity {
    /// How many bytes it has.
    pub fn extent(self) -> Extent {
        match self {
            Entity::Bytes { extent, .. } => extent,
            Entity::Thread | Entity::Function(_) => Extent::exactly(0),
        }
    }

    /// Of what power of two its numeric address is a multiple.
    pub fn alignment(self) -> u64 {
        match self {
            Entity::Bytes { align, .. } => u64::from(align),
            Entity::Thread | Entity::Function(_) => 1,
        }
    }
}

/// What is known of an object's life where an expression is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It is alive.
    Lasts,
    /// It is alive if this bit is set.
    Is(Word),
    /// Others may have ended it: what is said of its bounds and alignment held while it was alive.
    Unknown,
}
