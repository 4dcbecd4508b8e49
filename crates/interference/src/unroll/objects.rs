//! The objects of a bounded program and the tags that name them in terms.
//!
//! An object's name says where in the unrolling it comes from, so it is the same in every round; its tag is a number that terms
//! can hold. Tag 0 stands for a plain number, tag 1 for indeterminate bytes.

use rustc_hash::FxHashMap;
use selvedge_analysis::AbstractObject;
use selvedge_program::{
    FrameObjectId, FunctionId, InitialContents, ObjectId, ObjectKind, Program, SiteId, Storage, Undefined,
};

use crate::skeleton::LineId;

/// The name of an object in terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u32);

impl Tag {
    /// Not an object but a number.
    pub const NUMBER: Tag = Tag(0);
    /// Not an object but bytes that can be anything.
    pub const INDETERMINATE: Tag = Tag(1);
    const FIRST: u32 = 2;
    /// How many bits a tag has in terms.
    pub const WIDTH: u32 = 16;
}

/// A place in the unrolling: a line, calls, iterations, a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(pub u32);

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    Static(ObjectId),
    ThreadLocal(ObjectId, LineId),
    /// A local of the activation that was entered at a place.
    Frame(PlaceId, FunctionId, FrameObjectId),
    /// Memory that was allocated at a place.
    Allocated(PlaceId, SiteId),
    Thread(LineId),
    Function(FunctionId),
}

/// How many bytes an object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// At most so many.
    pub most: u64,
    /// Exactly so many; else a cell says how many.
    pub is_exact: bool,
}

/// What is known of an allocated object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    pub extent: Extent,
    pub align: u32,
    pub storage: Storage,
    pub contents: InitialContents,
}

/// All objects met so far.
#[derive(Debug, Default)]
pub struct Objects {
    tags: FxHashMap<Object, Tag>,
    objects: Vec<Object>,
    allocations: FxHashMap<Tag, Allocation>,
}

impl Objects {
    /// The tag of an object; `None` when there are too many.
    pub fn tag(&mut self, object: Object) -> Option<Tag> {
        if let Some(tag) = self.tags.get(&object) {
            return Some(*tag);
        }
        let tag = Tag(self.objects.len() as u32 + Tag::FIRST);
        if tag.0 >= 1 << Tag::WIDTH {
            return None;
        }
        self.tags.insert(object, tag);
        self.objects.push(object);
        Some(tag)
    }

    /// The object of a tag; `None` for numbers and indeterminate bytes.
    pub fn object(&self, tag: Tag) -> Option<Object> {
        self.objects.get(tag.0.checked_sub(Tag::FIRST)? as usize).copied()
    }

    /// How many objects have been met.
    pub fn count(&self) -> usize {
        self.objects.len()
    }

    /// All of them.
    pub fn all(&self) -> &[Object] {
        &self.objects
    }

    /// Records what is known of an allocated object.
    pub fn allocated(&mut self, tag: Tag, allocation: Allocation) {
        self.allocations.insert(tag, allocation);
    }

    pub fn allocation(&self, tag: Tag) -> Option<Allocation> {
        self.allocations.get(&tag).copied()
    }

    /// The size and alignment of an object that has bytes.
    pub fn extent(&self, program: &Program, tag: Tag) -> Option<(Extent, u32)> {
        let exactly = |size: u64| Extent { most: size, is_exact: true };
        match self.object(tag)? {
            Object::Static(id) | Object::ThreadLocal(id, _) => {
                let object = program.object(id);
                Some((exactly(object.size), object.align))
            }
            Object::Frame(_, function, slot) => {
                let object = program.function(function).frame_object(slot);
                Some((exactly(object.size), object.align))
            }
            Object::Allocated(..) => self.allocation(tag).map(|allocation| (allocation.extent, allocation.align)),
            Object::Thread(_) | Object::Function(_) => None,
        }
    }

    /// Of what power of two the numeric address of an object is a multiple.
    pub fn alignment(&self, program: &Program, tag: Tag) -> u64 {
        self.extent(program, tag).map_or(1, |(_, align)| u64::from(align))
    }

    /// What is wrong with an access to the object when it is dead, or never had bytes.
    pub fn absence(&self, tag: Tag) -> Undefined {
        match self.object(tag) {
            Some(Object::Allocated(..)) => match self.allocation(tag).map(|allocation| allocation.storage) {
                Some(Storage::Stack) => Undefined::UseAfterReturn,
                _ => Undefined::UseAfterFree,
            },
            Some(Object::Frame(..) | Object::ThreadLocal(..)) => Undefined::UseAfterReturn,
            _ => Undefined::InvalidPointer,
        }
    }

    /// Whether writing to the object is undefined.
    pub fn is_constant(&self, program: &Program, tag: Tag) -> bool {
        matches!(self.object(tag), Some(Object::Static(id)) if program.object(id).kind == ObjectKind::Constant)
    }

    /// What the object is called in reports on races.
    pub fn abstracted(&self, tag: Tag) -> Option<AbstractObject> {
        Some(match self.object(tag)? {
            Object::Static(id) | Object::ThreadLocal(id, _) => AbstractObject::Static(id),
            Object::Frame(_, function, slot) => AbstractObject::Frame(function, slot),
            Object::Allocated(_, site) => AbstractObject::Site(site),
            Object::Thread(_) => AbstractObject::Thread,
            Object::Function(function) => AbstractObject::Function(function),
        })
    }
}
