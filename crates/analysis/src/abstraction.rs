//! The abstract object that stands for an object of a state.

use crate::AbstractObject;
use selvedge_program::semantics::memory::{Block, Origin};
use selvedge_program::semantics::{Instance, State};

impl AbstractObject {
    /// The one that stands for a live object; `None` for a dead one, which stays dead, and for functions.
    pub fn of_instance(state: &State, object: Instance) -> Option<AbstractObject> {
        match object {
            Instance::Static(object) | Instance::ThreadLocal(object, _) => Some(AbstractObject::Static(object)),
            Instance::Thread(_) => Some(AbstractObject::Thread),
            Instance::Function(_) => None,
            Instance::Frame { .. } | Instance::Heap { .. } => {
                Some(AbstractObject::of_block(state.memory().block(object)?))
            }
        }
    }

    /// The one that stands for the object that a block is the memory of.
    pub fn of_block(block: &Block) -> AbstractObject {
        match block.origin {
            Origin::Object(object) => AbstractObject::Static(object),
            Origin::Local(function, local) => AbstractObject::Frame(function, local),
            Origin::Site(site) => AbstractObject::Site(site),
        }
    }
}
