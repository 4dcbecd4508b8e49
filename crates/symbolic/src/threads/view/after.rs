//! What the variables of predicates are before and after a step.

use std::collections::BTreeMap;

use selvedge_logic::Term;
use selvedge_program::Base;

use super::{Local, Moved, Slot, View, Who};
use crate::builder::Builder;
use crate::cell::CellKey;
use crate::entity::{Entity, Life};
use crate::predicate::{Moment, Predicate, Relation, Valuation, Variable};
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

/// What variables are that were looked up before; others are what they are called.
struct Given<'a, 'p> {
    words: &'a BTreeMap<Variable, Word>,
    otherwise: After<'a, 'p>,
}

impl Valuation for Given<'_, '_> {
    fn variable(&mut self, builder: &mut Builder, variable: Variable) -> Option<Word> {
        self.words.get(&variable).copied().or_else(|| self.otherwise.variable(builder, variable))
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        self.otherwise.base(builder, base, width)
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.otherwise.entity(tag)
    }

    fn life(&self, tag: Tag) -> Life {
        self.otherwise.life(tag)
    }

    fn is_several(&self, tag: Tag) -> bool {
        self.otherwise.is_several(tag)
    }
}

/// What variables are after a step, of those that a relation speaks of.
struct Known<'a>(&'a BTreeMap<Variable, Word>);

impl Valuation for Known<'_> {
    fn variable(&mut self, _builder: &mut Builder, variable: Variable) -> Option<Word> {
        self.0.get(&variable).copied()
    }

    fn base(&mut self, _builder: &mut Builder, _base: Base, _width: u32) -> Option<Word> {
        None
    }

    fn entity(&self, _tag: Tag) -> Option<Entity> {
        None
    }

    fn life(&self, _tag: Tag) -> Life {
        Life::Unknown
    }
}

impl View<'_> {
    /// That a relation holds between what shared variables are before and after a step of the thread itself.
    pub fn relates(
        &mut self,
        relation: &Relation,
        before: &BTreeMap<Variable, Word>,
        after: &BTreeMap<Variable, Word>,
    ) -> Term {
        let width = self.universe.program.pointer_width();
        let (mut builder, otherwise) = self.valuation(Who::Own, None);
        let mut given = Given { words: before, otherwise };
        let holds = relation.term(&mut builder, &mut given, &mut Known(after), width);
        self.builder = builder;
        holds
    }

    /// That a predicate holds where variables are this.
    pub fn holds_of(&mut self, predicate: &Predicate, words: &BTreeMap<Variable, Word>) -> Term {
        self.relates(&Relation::of(predicate, Moment::Before), words, &BTreeMap::new())
    }
}
