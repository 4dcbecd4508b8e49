//! The objects of an execution, those that have died included, and the tags that terms call them by.

use std::collections::BTreeMap;

use selvedge_program::semantics::{Instance, State};
use selvedge_program::{FunctionId, ObjectKind, Program, ThreadIndex};
use selvedge_symbolic::{Entity, Extent, Lifetime, Tag};

/// All objects there have been, in the order in which they were seen first.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    known: Vec<(Instance, u64, u32)>,
    positions: BTreeMap<Instance, usize>,
}

impl Objects {
    /// The objects of a state.
    pub fn of(program: &Program, state: &State) -> Objects {
        let mut objects = Objects::default();
        for function in (0..program.functions.len()).map(FunctionId::new) {
            objects.add(Instance::Function(function), 0, 1);
        }
        objects.note(state);
        objects
    }

    /// Takes in what is new in a state.
    pub fn note(&mut self, state: &State) {
        for thread in state.thread_indices() {
            self.add(Instance::Thread(thread), 0, 1);
        }
        for (instance, block) in state.memory().live() {
            self.add(instance, block.contents.size(), block.align);
        }
    }

    pub fn add(&mut self, instance: Instance, size: u64, align: u32) -> Tag {
        let position = *self.positions.entry(instance).or_insert_with(|| {
            self.known.push((instance, size, align));
            self.known.len() - 1
        });
        tag(position)
    }

    pub fn tag(&self, instance: Instance) -> Option<Tag> {
        self.positions.get(&instance).copied().map(tag)
    }

    pub fn instance(&self, tag: Tag) -> Option<Instance> {
        let position = tag.0.checked_sub(Tag::FIRST.0)?;
        self.known.get(position as usize).map(|known| known.0)
    }

    pub fn instances(&self) -> impl Iterator<Item = Instance> {
        self.known.iter().map(|known| known.0)
    }

    pub fn tags(&self) -> Vec<Tag> {
        (0..self.known.len()).map(tag).collect()
    }

    pub fn size(&self, instance: Instance) -> u64 {
        self.positions.get(&instance).map_or(0, |position| self.known[*position].1)
    }

    /// What a tag names, in a state with so many threads.
    pub fn entity(&self, program: &Program, threads: usize, tag: Tag) -> Option<Entity> {
        let position = tag.0.checked_sub(Tag::FIRST.0)?;
        let (instance, size, align) = *self.known.get(position as usize)?;
        let lifetime = match instance {
            Instance::Function(function) => return Some(Entity::Function(function)),
            Instance::Thread(ThreadIndex(thread)) => return ((thread as usize) < threads).then_some(Entity::Thread),
            Instance::Static(id) if program.object(id).kind == ObjectKind::Constant => Lifetime::Constant,
            Instance::Static(_) => Lifetime::Static,
            Instance::ThreadLocal(..) | Instance::Frame { .. } => Lifetime::Automatic,
            Instance::Heap { .. } => Lifetime::Heap,
        };
        Some(Entity::Bytes { extent: Extent::exactly(size), align, lifetime })
    }
}

fn tag(position: usize) -> Tag {
    Tag(Tag::FIRST.0 + position as u32)
}
