//! What the variables of predicates are before and after a step.

use selvedge_program::Base;

use super::{Local, Moved, Slot, View, Who};
use crate::builder::Builder;
use crate::cell::CellKey;
use crate::entity::{Entity, Life};
use crate::predicate::{Valuation, Variable};
use crate::threads::standing::{identity, life, local, shared};
use crate::threads::universe::Thing;
use crate::word::{Tag, Word};

/// What variables are after a step.
pub(super) struct After<'a, 'p> {
    pub view: &'a mut View<'p>,
    pub who: Who,
    pub moved: Option<(&'a Moved, Who)>,
}

impl After<'_, '_> {
    fn word(&mut self, builder: &mut Builder, slot: Slot) -> Option<Word> {
        let view = &mut *self.view;
        match slot {
            Slot::Own(own) => {
                if let Some((moved, by)) = self.moved
                    && (by == self.who || self.who == Who::Started)
                {
                    let assigned = if self.who == Who::Started { &moved.passed } else { &moved.locals };
                    if let Some(word) = assigned.get(&own) {
                        return Some(*word);
                    }
                    if self.who == Who::Started || moved.forgotten.contains(&own) {
                        // Anything that it can be.
                        let named = local(builder, &mut view.universe, &mut view.locals, self.who, own)?;
                        let (width, tags) = (builder.width(named.bits), builder.tags(named));
                        return Some(builder.fresh_word(width, &tags, None));
                    }
                }
                local(builder, &mut view.universe, &mut view.locals, self.who, own)
            }
            Slot::Shared(key) => {
                if let Some(word) = self.moved.and_then(|(moved, _)| moved.cells.get(&key)) {
                    return Some(*word);
                }
                shared(builder, &mut view.universe, &mut view.shared, key)
            }
        }
    }
}

impl Valuation for After<'_, '_> {
    fn variable(&mut self, builder: &mut Builder, variable: Variable) -> Option<Word> {
        if let Variable::Address(root) = variable {
            let width = self.view.universe.program.pointer_width();
            return self.view.universe.rooted(root).map(|tag| builder.pointer(tag, width));
        }
        let slot = self.view.slot(variable)?;
        let word = self.word(builder, slot)?;
        if let Variable::Determinate { .. } = variable {
            let open = builder.has_tag(word, Tag::INDETERMINATE);
            let known = builder.not(open);
            let bit = builder.bit(known);
            return Some(builder.plain(bit));
        }
        Some(word)
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        let thing = match base {
            Base::Object(id) => Thing::Static(id),
            Base::Function(function) => Thing::Function(function),
            Base::Frame(_) => return None,
            Base::SelfThread => {
                let tag = self.view.universe.tag(Thing::Thread)?;
                let bits = identity(builder, self.who, width);
                return Some(Word { tag: builder.tag(tag), bits });
            }
        };
        self.view.universe.tag(thing).map(|tag| builder.pointer(tag, width))
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.view.universe.entity(tag)
    }

    fn life(&self, tag: Tag) -> Life {
        let alive = CellKey::Alive(tag);
        let after = self.moved.and_then(|(moved, by)| {
            let own = (by == self.who).then(|| moved.locals.get(&Local::Cell(alive))).flatten();
            own.or_else(|| moved.cells.get(&alive))
        });
        match after {
            Some(word) => Life::Is(*word),
            None => life(&self.view.universe, &self.view.shared, &self.view.locals, self.who, tag),
        }
    }

    fn is_several(&self, tag: Tag) -> bool {
        self.view.universe.is_several(tag)
    }
}
