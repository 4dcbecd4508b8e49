//! The objects of a bounded program and the tags that name them in terms.
//!
//! An object's name says where in the unrolling it comes from, so it is the same in every round; its tag is a number
//! that terms can hold.

use rustc_hash::FxHashMap;
use selvedge_analysis::AbstractObject;
use selvedge_program::{FrameObjectId, FunctionId, InitialContents, ObjectId, ObjectKind, Program, SiteId, Storage};
use selvedge_symbolic::{Entity, Extent, Lifetime, Tag};

use crate::skeleton::ThreadId;

selvedge_program::index! {
    /// A place in the unrolling: a thread, calls, iterations, a location.
    PlaceId, "place";
}

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    Static(ObjectId),
    ThreadLocal(ObjectId, ThreadId),
    /// A local of the activation that was entered at a place.
    Frame(PlaceId, FunctionId, FrameObjectId),
    /// Memory that was allocated at a place.
    Allocated(PlaceId, SiteId),
    Thread(ThreadId),
    Function(FunctionId),
}

/// What is known of an allocated object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocated {
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
    allocations: FxHashMap<Tag, Allocated>,
}

impl Objects {
    /// The tag of an object; `None` when there are too many.
    pub fn tag(&mut self, object: Object) -> Option<Tag> {
        if let Some(tag) = self.tags.get(&object) {
            return Some(*tag);
        }
        let tag = Tag(self.objects.len() as u32 + Tag::FIRST.0);
        if tag.0 >= 1 << Tag::WIDTH {
            return None;
        }
        self.tags.insert(object, tag);
        self.objects.push(object);
        Some(tag)
    }

    /// The object of a tag; `None` for numbers and indeterminate bytes.
    pub fn object(&self, tag: Tag) -> Option<Object> {
        self.objects.get(tag.0.checked_sub(Tag::FIRST.0)? as usize).copied()
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
    pub fn allocated(&mut self, tag: Tag, allocation: Allocated) {
        self.allocations.insert(tag, allocation);
    }

    pub fn allocation(&self, tag: Tag) -> Option<Allocated> {
        self.allocations.get(&tag).copied()
    }

    /// What an object is.
    pub fn entity(&self, program: &Program, tag: Tag) -> Option<Entity> {
        let bytes = |size: u64, align, lifetime| Entity::Bytes { extent: Extent::exactly(size), align, lifetime };
        Some(match self.object(tag)? {
            Object::Static(id) => {
                let object = program.object(id);
                let is_constant = object.kind == ObjectKind::Constant;
                bytes(object.size, object.align, if is_constant { Lifetime::Constant } else { Lifetime::Static })
            }
            Object::ThreadLocal(id, _) => {
                let object = program.object(id);
                bytes(object.size, object.align, Lifetime::Automatic)
            }
            Object::Frame(_, function, slot) => {
                let object = program.function(function).frame_object(slot);
                bytes(object.size, object.align, Lifetime::Automatic)
            }
            Object::Allocated(..) => {
                let Allocated { extent, align, storage, .. } = self.allocation(tag)?;
                let lifetime = match storage {
                    Storage::Heap => Lifetime::Heap,
                    Storage::Stack => Lifetime::Automatic,
                };
                Entity::Bytes { extent, align, lifetime }
            }
            Object::Thread(_) => Entity::Thread,
            Object::Function(function) => Entity::Function(function),
        })
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
