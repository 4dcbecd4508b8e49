//! From states of the concrete semantics to shared and local states by number, and back.
//!
//! A *shared state* is a state from which every thread's part has been detached; a *local state* is a part. Threads are
//! either *individuals*, numbered as they are started, each with its own numbering of local states; or members of a
//! *crowd*, the interchangeable threads of one function. A member is told apart only as long as the shared state refers
//! to it (it owns a lock, it waits on a condition, a variable holds its handle): then it has a *role*. Up to renaming,
//! a thread sees in shared data itself, a role, or nobody. In a local state a member calls itself [`SELF`]; of other
//! members a local state knows nothing: their handles can be moved around but not used, which is *unsupported*, never
//! guessed.

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashMap};
use selvedge_program::semantics::{Part, State};
use selvedge_program::{FunctionId, Program, ThreadIndex};

use crate::domain::{Carry, Component, Count, Move, Shared, Start};
use crate::privacy::Privacy;

/// What a member of a crowd calls itself in its local states.
pub const SELF: ThreadIndex = ThreadIndex(u32::MAX);

/// How many individuals there can be; more threads than this must be crowds.
pub const MOST_INDIVIDUALS: usize = 8;

/// How many members of crowds a shared state may refer to.
pub const MOST_ROLES: usize = 5;

/// The local state of a member of a crowd that does not run.
pub const IDLE: u32 = 0;

/// What the threads share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SharedState {
    /// The state without any thread's part: individuals first, then roles.
    pub state: State,
    /// By role: its crowd.
    pub roles: Vec<u32>,
}

impl SharedState {
    /// How many individuals there are.
    pub fn individuals(&self) -> usize {
        self.state.thread_count() - self.roles.len()
    }
}

/// A numbering.
#[derive(Clone, Debug)]
pub struct Numbering<T> {
    numbers: FxHashMap<Arc<T>, u32>,
    values: Vec<Arc<T>>,
}

impl<T: Hash + Eq> Default for Numbering<T> {
    fn default() -> Self {
        Self { numbers: FxHashMap::with_hasher(FxBuildHasher), values: Vec::new() }
    }
}

impl<T: Hash + Eq> Numbering<T> {
    /// The number of a value, a new one if it has none.
    pub fn number(&mut self, value: T) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let number = self.values.len() as u32;
        let value = Arc::new(value);
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }

    /// The value with a number.
    pub fn value(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    /// All values in the order of their numbers.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.values.iter().map(|value| &**value)
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }
}

/// The threads that are not told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crowds {
    /// The function of each crowd.
    pub entries: Vec<FunctionId>,
    /// How many threads each has.
    pub count: Count,
}

impl Crowds {
    fn of(&self, entry: FunctionId) -> Option<u32> {
        self.entries.iter().position(|other| *other == entry).map(|crowd| crowd as u32)
    }
}

/// A state could not be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsplit {
    /// There are more threads than can be kept apart.
    Individuals,
    /// Shared data refers to more members of crowds than can be kept apart.
    Roles,
}

/// Splits and joins states.
#[derive(Debug)]
pub struct Splitter<'a, 'p> {
    program: &'p Program,
    privacy: &'a Privacy<'p>,
    /// Who is not told apart.
    pub crowds: Crowds,
    /// The shared states.
    pub shared: Numbering<SharedState>,
    /// The local states by class: individuals first, then crowds.
    pub locals: Vec<Numbering<Part>>,
}

/// A state put together for one thread.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The state, with that thread's part alone.
    pub state: State,
    /// The thread.
    pub thread: ThreadIndex,
}

impl<'a, 'p> Splitter<'a, 'p> {
    /// For a program with these crowds.
    pub fn new(program: &'p Program, privacy: &'a Privacy<'p>, crowds: Crowds) -> Self {
        let mut locals: Vec<Numbering<Part>> =
            (0..MOST_INDIVIDUALS + crowds.entries.len()).map(|_| Numbering::default()).collect();
        for crowd in &mut locals[MOST_INDIVIDUALS..] {
            crowd.number(Part::default());
        }
        Self { program, privacy, crowds, shared: Numbering::default(), locals }
    }

    /// The components of a shared state: individuals, roles, crowds.
    pub fn components(&self, shared: Shared) -> Vec<Component> {
        let here = self.shared.value(shared.0);
        let one = |class| Component { class, count: Count::Exactly(1) };
        let crowd_class = |crowd: u32| MOST_INDIVIDUALS as u32 + crowd;
        let individuals = (0..here.individuals() as u32).map(one);
        let roles = here.roles.iter().map(|crowd| one(crowd_class(*crowd)));
        let crowds = (0..self.crowds.entries.len() as u32).map(|crowd| {
            let told_apart = here.roles.iter().filter(|role| **role == crowd).count();
            let count = self.crowds.count.minus(told_apart).unwrap_or(Count::Exactly(0));
            Component { class: crowd_class(crowd), count }
        });
        individuals.chain(roles).chain(crowds).collect()
    }

    /// The local state of a thread.
    pub fn local(&self, component: Component, local: u32) -> &Part {
        self.locals[component.class as usize].value(local)
    }

    /// The function of the crowd that a component's threads belong to; `None` for an individual.
    pub fn crowd_of(&self, component: Component) -> Option<FunctionId> {
        let crowd = (component.class as usize).checked_sub(MOST_INDIVIDUALS)?;
        self.crowds.entries.get(crowd).copied()
    }

    /// Puts a shared state together with one thread's local state.
    pub fn join(&self, shared: Shared, component: usize, local: u32) -> Joined {
        let here = self.shared.value(shared.0);
        let class = self.components(shared)[component];
        let part = self.local(class, local);
        let mut state = here.state.clone();
        if component < here.individuals() {
            let thread = ThreadIndex::new(component);
            state.attach(thread, part);
            return Joined { state, thread };
        }
        let thread = if component < state.thread_count() { ThreadIndex::new(component) } else { state.add_detached() };
        let mut part = part.clone();
        part.rename(self.program.data_model.pointer_size(), &|other| Some(if other == SELF { thread } else { other }));
        state.attach(thread, &part);
        Joined { state, thread }
    }

    /// The first split: that of a state in which `main` alone runs.
    pub fn split_initial(&mut self, mut state: State) -> (Shared, u32) {
        let part = self.detach(&mut state, ThreadIndex(0), None);
        let local = self.locals[0].number(part);
        (Shared(self.shared.number(SharedState { state, roles: Vec::new() })), local)
    }

    /// Takes a thread's part out; `before` is its part before the step, if it is not new.
    fn detach(&self, state: &mut State, thread: ThreadIndex, before: Option<&Part>) -> Part {
        let now = state.thread(thread).and_then(|thread| thread.frames.first());
        let root = now.or_else(|| before?.thread.frames.first()).map(|frame| frame.function);
        let known = before.map(|part| part.known).unwrap_or_default();
        let mut part = state.detach(thread, known, &|instance, block| {
            root.is_some_and(|root| self.privacy.is_private(thread, root, instance, block))
        });
        if part.thread.frames.is_empty() {
            return Part::default();
        }
        self.privacy.forget_dead_registers(&mut part);
        part
    }

    /// Splits the state that a thread's steps have led to from a shared state.
    pub fn split(
        &mut self,
        from: Shared,
        component: usize,
        local: u32,
        thread: ThreadIndex,
        mut state: State,
    ) -> Result<Move, Unsplit> {
        let class = self.components(from)[component];
        let before = self.local(class, local);
        let known_threads = self.shared.value(from.0).state.thread_count().max(thread.index() + 1);
        let newborn = (state.thread_count() > known_threads).then(|| ThreadIndex::new(known_threads));
        let born = newborn.map(|newborn| {
            let entry = state.frame(newborn).map(|frame| frame.function);
            (entry.and_then(|entry| self.crowds.of(entry)), self.detach(&mut state, newborn, None))
        });
        let part = self.detach(&mut state, thread, Some(before));
        if self.crowds.entries.is_empty() {
            return self.split_individuals(component, state, part, born.map(|(_, part)| part));
        }
        Crowd { splitter: self, from, component, thread, newborn }.split(state, part, born)
    }

    /// The split where there are individuals only: nothing needs a new name.
    fn split_individuals(
        &mut self,
        component: usize,
        state: State,
        part: Part,
        born: Option<Part>,
    ) -> Result<Move, Unsplit> {
        let newest = state.thread_count() - 1;
        if newest >= MOST_INDIVIDUALS {
            return Err(Unsplit::Individuals);
        }
        let local = self.locals[component].number(part);
        let start = born.map(|part| Start { component: newest, pool: None, local: self.locals[newest].number(part) });
        let target = Shared(self.shared.number(SharedState { state, roles: Vec::new() }));
        Ok(Move { target, component, local, carry: Carry::Same, start })
    }
}

/// A split where there are crowds.
struct Crowd<'s, 'a, 'p> {
    splitter: &'s mut Splitter<'a, 'p>,
    from: Shared,
    component: usize,
    thread: ThreadIndex,
    newborn: Option<ThreadIndex>,
}

/// What a thread of the state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Individual,
    Member(u32),
}

impl Crowd<'_, '_, '_> {
    fn split(mut self, mut state: State, part: Part, born: Option<(Option<u32>, Part)>) -> Result<Move, Unsplit> {
        let kinds = self.kinds(&state, born.as_ref().map(|(crowd, _)| *crowd));
        let has_ended = part.thread.frames.is_empty();
        if has_ended && kinds[self.thread.index()] != Kind::Individual {
            // That it has finished matters only if somebody knows it.
            let mut without = state.clone();
            without.forget_thread_ghosts(self.thread);
            if !references(&without).contains(&self.thread) {
                state = without;
            }
        }
        let referenced = references(&state);
        let is_individual = |thread: &ThreadIndex| kinds[thread.index()] == Kind::Individual;
        let mut order: Vec<ThreadIndex> = state.thread_indices().filter(is_individual).collect();
        let individuals = order.len();
        if individuals > MOST_INDIVIDUALS {
            return Err(Unsplit::Individuals);
        }
        order.extend(referenced.iter().filter(|thread| !is_individual(thread)));
        if order.len() - individuals > MOST_ROLES {
            return Err(Unsplit::Roles);
        }
        let roles: Vec<u32> = order[individuals..]
            .iter()
            .filter_map(|thread| match kinds[thread.index()] {
                Kind::Member(crowd) => Some(crowd),
                Kind::Individual => None,
            })
            .collect();
        let pointer_size = self.splitter.program.data_model.pointer_size();
        state.renumber(pointer_size, &order);
        let places = Places { order: &order, individuals, kinds: &kinds };
        let local = self.number(part, self.thread, &places, pointer_size);
        let start = match (self.newborn, born) {
            (Some(newborn), Some((crowd, part))) => Some(Start {
                component: places.component(newborn),
                pool: crowd.map(|crowd| (order.len() + crowd as usize, IDLE)),
                local: self.number(part, newborn, &places, pointer_size),
            }),
            _ => None,
        };
        let carry = self.carry(&places);
        let component = places.component(self.thread);
        let target = Shared(self.splitter.shared.number(SharedState { state, roles }));
        Ok(Move { target, component, local, carry, start })
    }

    /// What every thread of the state is, by its number in it.
    fn kinds(&self, state: &State, newborn: Option<Option<u32>>) -> Vec<Kind> {
        let here = self.splitter.shared.value(self.from.0);
        let mut kinds = vec![Kind::Individual; here.individuals()];
        kinds.extend(here.roles.iter().map(|crowd| Kind::Member(*crowd)));
        if self.thread.index() == kinds.len() {
            kinds.push(Kind::Member((self.component - here.state.thread_count()) as u32));
        }
        kinds.extend(newborn.map(|crowd| crowd.map_or(Kind::Individual, Kind::Member)));
        debug_assert_eq!(kinds.len(), state.thread_count());
        kinds
    }

    /// The number of a part in its class, under new names.
    fn number(&mut self, mut part: Part, thread: ThreadIndex, places: &Places<'_>, pointer_size: u32) -> u32 {
        part.rename(pointer_size, &|other| match places.kinds.get(other.index()) {
            Some(Kind::Individual) => Some(ThreadIndex::new(places.component(other))),
            _ if other == thread => Some(SELF),
            _ => None,
        });
        let class = match places.kinds[thread.index()] {
            Kind::Individual => places.component(thread),
            Kind::Member(crowd) => MOST_INDIVIDUALS + crowd as usize,
        };
        self.splitter.locals[class].number(part)
    }

    /// What the components of the shared state before become.
    fn carry(&self, places: &Places<'_>) -> Carry {
        let here = self.splitter.shared.value(self.from.0);
        let threads = here.state.thread_count();
        let map = (0..threads + self.splitter.crowds.entries.len()).map(|component| {
            let to = if component < threads {
                places.component(ThreadIndex::new(component))
            } else {
                places.order.len() + component - threads
            };
            to as u32
        });
        Carry::To(map.collect())
    }
}

/// Where the threads of a state go.
struct Places<'k> {
    /// The threads that stay told apart, in their new order.
    order: &'k [ThreadIndex],
    individuals: usize,
    kinds: &'k [Kind],
}

impl Places<'_> {
    /// The component that a thread belongs to afterwards.
    fn component(&self, thread: ThreadIndex) -> usize {
        let kept = self.order.iter().position(|other| *other == thread);
        kept.unwrap_or_else(|| match self.kinds[thread.index()] {
            Kind::Individual => self.individuals,
            Kind::Member(crowd) => self.order.len() + crowd as usize,
        })
    }
}

/// The threads that shared data refers to, in the order of the first reference.
fn references(state: &State) -> Vec<ThreadIndex> {
    let mut found = Vec::new();
    state.for_each_reference(&mut |thread| {
        if !found.contains(&thread) {
            found.push(thread);
        }
    });
    found
}
