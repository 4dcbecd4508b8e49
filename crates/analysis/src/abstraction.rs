//! The abstract object that stands for an object of a state.

use crate::AbstractObject;
use selvedge_program::semantics::memory::{Block, Origin};
use selvedge_program::semantics::{Instance, State};
use selvedge_program::{Program, Span};

impl AbstractObject {
    /// What users call it.
    pub fn name(self, program: &Program) -> String {
        match self {
            AbstractObject::Static(id) => program.object(id).name.clone(),
            AbstractObject::Frame(function, frame) => {
                let function = program.function(function);
                format!("{} in {}", function.frame_object(frame).name, function.name)
            }
            AbstractObject::Site(site) => {
                let span = program.sites.get(site.index()).copied().unwrap_or(Span::NOWHERE);
                format!("memory allocated at {}", program.place(span))
            }
            AbstractObject::Function(function) => program.function(function).name.clone(),
            AbstractObject::Thread | AbstractObject::Started(_) => "thread state".to_owned(),
        }
    }

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
