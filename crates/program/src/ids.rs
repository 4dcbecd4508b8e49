//! Newtyped indices: a location of one function cannot be taken for an edge or for a register.

/// Makes newtyped indices: `index! { /// What it counts.\n NameId, "prefix"; }`. They print as the prefix and the
/// number.
#[macro_export]
macro_rules! index {
    ($($(#[$doc:meta])* $name:ident, $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the table this index belongs to.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The index of the `position`-th entry.
            #[inline]
            pub fn new(position: usize) -> Self {
                Self(u32::try_from(position).expect("a table holds fewer than 2^32 entries"))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    )*};
}

crate::index! {
    /// A source file of the program.
    FileId, "file";
    /// A memory object with static storage: a global, a static, a string literal, a thread-local.
    ObjectId, "o";
    /// A function of the program.
    FunctionId, "f";
    /// A private register of one function.
    RegisterId, "r";
    /// An address-taken local of one function; each activation has its own instance.
    FrameObjectId, "s";
    /// A control location of one function.
    LocationId, "L";
    /// A control-flow edge of one function.
    EdgeId, "e";
    /// A place in the program that allocates memory.
    SiteId, "site";
    /// One thing to be checked: this assertion, that call of `reach_error`.
    CheckId, "check";
    /// Something that the program uses and nobody defines.
    UnknownId, "unknown";
    /// A thread instance of one execution, in the order of creation; `main` is 0.
    ThreadIndex, "T";
}
