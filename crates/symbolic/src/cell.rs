//! Cells: what an access reads or writes as a whole.

use selvedge_program::GhostField;

use crate::word::Tag;

/// Ghost fields are kept in this width, whatever the width they are read in.
pub const GHOST_WIDTH: u32 = 64;

/// A cell by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellKey {
    /// Bytes of an object.
    Bytes { object: Tag, start: u64, size: u32 },
    /// A ghost field; [`Tag::NUMBER`] stands for the program as a whole.
    Ghost { object: Tag, offset: u64, field: GhostField },
    /// Whether an object is alive.
    Alive(Tag),
    /// The size of an object, if that is not a constant.
    Size(Tag),
    /// All bytes of an object that is treated as an array.
    Array(Tag),
}

impl CellKey {
    /// The object that the cell belongs to.
    pub fn object(self) -> Tag {
        match self {
            CellKey::Bytes { object, .. } | CellKey::Ghost { object, .. } => object,
            CellKey::Alive(object) | CellKey::Size(object) | CellKey::Array(object) => object,
        }
    }
}
