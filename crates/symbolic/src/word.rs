//! Symbolic values, and the names of objects in them.

use std::rc::Rc;

use selvedge_logic::Term;

/// The name of an object in terms. Which object that is, those who make the terms know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u32);

impl Tag {
    /// Not an object but a number.
    pub const NUMBER: Tag = Tag(0);
    /// Not an object but bytes that can be anything.
    pub const INDETERMINATE: Tag = Tag(1);
    /// The first tag that can name an object.
    pub const FIRST: Tag = Tag(2);
    /// How many bits a tag has in terms.
    pub const WIDTH: u32 = 16;
}

/// A value: what kind of thing it is, and its bits. For a number the tag is 0; for a pointer the tag names the object
/// and the bits are the offset; tags are terms, so that a value can be one or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    pub tag: Term,
    pub bits: Term,
}

/// What a register holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number, a pointer, or indeterminate bytes.
    Word(Word),
    /// Bytes that are only moved: so many bytes each, least significant first.
    Pieces(Rc<[(u32, Word)]>),
}
