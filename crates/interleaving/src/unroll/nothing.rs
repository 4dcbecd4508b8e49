//! Values out of nothing that may be addresses: a number, or an address of whatever is known to be there. What other
//! threads, or allocations at run time, have brought to life is there only in some executions; that it is one of those
//! is not modelled.

use std::rc::Rc;

use selvedge_logic::{Sort, Term};
use selvedge_program::{FrameObjectId, ObjectId, ObjectKind};
use selvedge_symbolic::{CellKey, Entity, Tag, Trouble, Word};

use super::cells::Class;
use super::objects::Object;
use super::path::{Addressed, Answer};
use super::state::State;
use super::walk::Walker;
use crate::skeleton::ThreadId;

/// With more objects than this, none is tried.
const MOST_OBJECTS: usize = 64;

impl Walker<'_, '_> {
    /// A value with these bits, where it is a number.
    pub(super) fn address_out_of_nothing(&mut self, state: &State, bits: Term) -> (Word, Answer) {
        let (known, has_lost) = self.addressed(state);
        let is_too_many = known.len() > MOST_OBJECTS;
        let mut word = self.round.builder.plain(bits);
        let mut tags = vec![Tag::NUMBER];
        let mut found = Vec::new();
        for (object, addressed) in known.into_iter().take(if is_too_many { 0 } else { MOST_OBJECTS }) {
            let Some(tag) = self.tag(object) else { continue };
            tags.push(tag);
            found.push((tag, addressed));
        }
        word.tag = self.round.builder.fresh_tag(&tags);
        for (tag, _) in &found {
            let meant = self.round.builder.has_tag(word, *tag);
            let offset = self.offset_within(*tag, bits);
            word.bits = self.round.builder.terms.ite(meant, offset, word.bits);
        }
        if is_too_many || has_lost || self.may_be_elsewhere() {
            let elsewhere = self.round.builder.fresh("a", Sort::Bool);
            let what = "a value out of nothing, which may be the address of anything".to_owned();
            self.trouble(elsewhere, Trouble::Unsupported(what));
        }
        (word, Answer::Address(word, Rc::from(found)))
    }

    /// These bits where they are an offset within the object or just past its end, else 0.
    fn offset_within(&mut self, tag: Tag, bits: Term) -> selvedge_logic::Term {
        let entity = self.unroller.objects.entity(self.unroller.program, tag);
        let size = entity.map_or(0, |entity| Entity::extent(entity).most);
        let width = self.round.builder.width(bits);
        let terms = &mut self.round.builder.terms;
        let (zero, last) = (terms.bits(width, 0), terms.bits(width, u128::from(size)));
        let within = terms.ule(bits, last);
        terms.ite(within, bits, zero)
    }

    /// What is there in every execution that comes here, and whether there are locals that may be dead.
    fn addressed(&mut self, state: &State) -> (Vec<(Object, Addressed)>, bool) {
        let program = self.unroller.program;
        let thread = self.round.thread;
        let statics = program.objects.iter().enumerate().map(|(index, object)| {
            let id = ObjectId::new(index);
            match object.kind {
                ObjectKind::ThreadLocal => (Object::ThreadLocal(id, thread), Addressed::ThreadLocal(id)),
                ObjectKind::Global | ObjectKind::Constant => (Object::Static(id), Addressed::Static(id)),
            }
        });
        let functions = program.address_taken.iter().map(|id| (Object::Function(*id), Addressed::Function(*id)));
        let threads = [ThreadId(0), thread].map(|thread| (Object::Thread(thread), Addressed::Thread(thread)));
        let threads = threads.into_iter().skip(usize::from(thread == ThreadId(0)));
        let locals = state.activations.iter().enumerate().flat_map(|(depth, activation)| {
            let local = move |slot| {
                let slot = FrameObjectId::new(slot);
                let object = Object::Frame(activation.place, activation.function, slot);
                (object, Addressed::Local(depth, slot))
            };
            (0..program.function(activation.function).frame.len()).map(local)
        });
        let locals: Vec<(Object, Addressed)> = locals.collect();
        let mut known: Vec<(Object, Addressed)> = statics.chain(functions).chain(threads).collect();
        let mut has_lost = false;
        for (object, addressed) in locals {
            let Some(tag) = self.tag(object) else { continue };
            if self.is_surely_alive(state, tag) {
                known.push((object, addressed));
            } else {
                has_lost = true;
            }
        }
        (known, has_lost)
    }

    fn is_surely_alive(&mut self, state: &State, tag: Tag) -> bool {
        let key = CellKey::Alive(tag);
        let alive = match self.unroller.knowledge.class(key) {
            Class::Constant => return true,
            Class::Shared => return false,
            Class::Private => state.cell(key),
        };
        match alive {
            Some(word) => self.round.builder.constant(word.bits) == Some(1),
            None => true,
        }
    }

    /// Whether there may be more: what this thread has allocated, or whatever belongs to other threads.
    fn may_be_elsewhere(&self) -> bool {
        let thread = self.round.thread;
        if self.round.has_allocated.contains(&thread) {
            return true;
        }
        let is_alone = thread == ThreadId(0) && self.round.origins.is_empty();
        let is_other = |object: &Object| match *object {
            Object::Frame(place, ..) | Object::Allocated(place, _) => {
                self.unroller.place_threads[place.index()] != thread
            }
            Object::ThreadLocal(_, owner) | Object::Thread(owner) => owner != thread && owner != ThreadId(0),
            Object::Static(_) | Object::Function(_) => false,
        };
        !is_alone && self.unroller.objects.all().iter().any(is_other)
    }
}
