//! States taken apart and put together: what the threads share, and what each has to itself.
//!
//! A thread is an *individual*, or a member of a *crowd*: one of the threads of a function that are not told apart. A
//! member that shared data refers to has a *role* there. A member's local state calls it [`SELF`], and knows no other
//! member: a pointer to one becomes indeterminate, and can be moved but not used.

use super::private::Private;
use super::steps::{Ends, Steps};
use super::{Rejected, SELF};
use crate::Subject;
use rustc_hash::FxHashMap;
use selvedge_program::semantics::{Instance, Part, PendingAccess, Semantics, Spot, State};
use selvedge_program::{Atomicity, Budget, FunctionId, Program, ThreadIndex};
use std::hash::Hash;
use std::sync::Arc;

/// What can be wrong with a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    Violation(Subject),
    Unsupported(String),
}

/// Which local states a component's threads have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    Individual(usize),
    Crowd(usize),
}

/// How many threads a component has: so many, or any number.
pub type Number = Option<u64>;

/// What the threads share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shared {
    pub state: State,
    /// The crowd of each member that it refers to; these are the last threads of the state.
    pub roles: Vec<u32>,
}

/// A move of one thread, from one shared state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub target: usize,
    /// The component of the target that the mover is in, and its local state.
    pub mover: (usize, u32),
    /// What each component becomes.
    pub carry: Vec<usize>,
    pub born: Option<Born>,
}

/// A thread that a move starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Born {
    pub component: usize,
    pub local: u32,
    /// The component of those that wait to be started, if it is one of them.
    pub pool: Option<usize>,
}

/// Where a program begins.
#[derive(Debug)]
pub struct Beginning {
    /// Shared states with the local state of `main`.
    pub states: Vec<(usize, u32)>,
    /// What goes wrong before.
    pub faults: Vec<Fault>,
}

/// Values by number.
#[derive(Debug)]
pub struct Numbered<T> {
    values: Vec<Arc<T>>,
    numbers: FxHashMap<Arc<T>, u32>,
}

impl<T: Hash + Eq> Numbered<T> {
    fn new() -> Self {
        Numbered { values: Vec::new(), numbers: FxHashMap::default() }
    }

    fn number(&mut self, value: T) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let (number, value) = (self.values.len() as u32, Arc::new(value));
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn value(&self, number: u32) -> &T {
        &self.values[number as usize]
    }
}

/// The program as threads that move between shared states.
pub struct System<'a, 'p> {
    program: &'p Program,
    private: &'a Private<'p>,
    steps: Steps<'a, 'p>,
    crowds: Vec<FunctionId>,
    bound: Number,
    pub shared: Numbered<Shared>,
    individuals: Vec<Numbered<Part>>,
    members: Vec<Numbered<Part>>,
}

impl<'a, 'p> System<'a, 'p> {
    pub fn new(
        program: &'p Program,
        private: &'a Private<'p>,
        crowds: &[FunctionId],
        bound: Number,
        budget: &'a Budget,
    ) -> Self {
        let idle = |_: &FunctionId| {
            let mut members = Numbered::new();
            members.number(Part::default());
            members
        };
        System {
            program,
            private,
            steps: Steps { semantics: Semantics::new(program), private, budget },
            crowds: crowds.to_vec(),
            bound,
            shared: Numbered::new(),
            individuals: Vec::new(),
            members: crowds.iter().map(idle).collect(),
        }
    }

    /// The components of a shared state, each with the number of its threads.
    pub fn components(&self, shared: usize) -> Vec<(Class, Number)> {
        let here = self.shared.value(shared as u32);
        let individuals = here.state.thread_count() - here.roles.len();
        let individuals = (0..individuals).map(|thread| (Class::Individual(thread), Some(1)));
        let roles = here.roles.iter().map(|crowd| (Class::Crowd(*crowd as usize), Some(1)));
        let crowds = (0..self.crowds.len()).map(|crowd| {
            let apart = here.roles.iter().filter(|role| **role as usize == crowd).count() as u64;
            (Class::Crowd(crowd), self.bound.map(|bound| bound.saturating_sub(apart)))
        });
        individuals.chain(roles).chain(crowds).collect()
    }

    /// The local states of a class that have been come to.
    pub fn locals(&self, class: Class) -> Option<&Numbered<Part>> {
        match class {
            Class::Individual(thread) => self.individuals.get(thread),
            Class::Crowd(crowd) => self.members.get(crowd),
        }
    }

    fn number(&mut self, class: Class, part: Part) -> u32 {
        match class {
            Class::Crowd(crowd) => self.members[crowd].number(part),
            Class::Individual(thread) => {
                while self.individuals.len() <= thread {
                    self.individuals.push(Numbered::new());
                }
                self.individuals[thread].number(part)
            }
        }
    }

    /// Where the program begins.
    pub fn begin(&mut self) -> Result<Beginning, Rejected> {
        let wrong = |outcome| Rejected::Malformed(format!("the program does not begin: {outcome:?}"));
        let initial = self.steps.semantics.initial().map_err(wrong)?;
        let (main, mut ends) = (ThreadIndex(0), Ends::default());
        self.steps.go_on(initial, main, &mut ends)?;
        let mut begin = Vec::new();
        for mut state in ends.states {
            let part = self.detach(&mut state, main, None);
            let local = self.number(Class::Individual(0), part);
            begin.push((self.shared.number(Shared { state, roles: Vec::new() }) as usize, local));
        }
        Ok(Beginning { states: begin, faults: ends.faults })
    }

    /// A shared state together with the local state of one thread.
    fn join(&self, shared: usize, component: usize, local: u32) -> Option<(State, ThreadIndex)> {
        let class = self.components(shared).get(component)?.0;
        let mut part = self.locals(class)?.values.get(local as usize)?.as_ref().clone();
        let mut state = self.shared.value(shared as u32).state.clone();
        let thread = if component < state.thread_count() { ThreadIndex::new(component) } else { state.add_detached() };
        if matches!(class, Class::Crowd(_)) {
            let named = |other| Some(if other == SELF { thread } else { other });
            part.rename(self.program.data_model.pointer_size(), &named);
        }
        state.attach(thread, &part);
        Some((state, thread))
    }

    /// All moves of a thread of a component in a local state, and what goes wrong with its steps.
    pub fn moves(&mut self, shared: usize, component: usize, local: u32) -> Result<(Vec<Move>, Vec<Fault>), Rejected> {
        let unknown = || Rejected::Malformed("a local state that nobody comes to".to_owned());
        let (state, thread) = self.join(shared, component, local).ok_or_else(unknown)?;
        let ends = self.steps.from(&state, thread)?;
        let before = state.thread_count();
        let mut moves: Vec<Move> = Vec::new();
        for state in ends.states {
            let made = self.split(shared, (component, local, thread), before, state);
            if !moves.contains(&made) {
                moves.push(made);
            }
        }
        Ok((moves, ends.faults))
    }

    /// What a thread is about to access that others may access too.
    pub fn accesses(&self, shared: usize, component: usize, local: u32) -> Vec<PendingAccess> {
        let Some((state, thread)) = self.join(shared, component, local) else { return Vec::new() };
        let Some(root) = state.thread(thread).and_then(|thread| thread.frames.first()) else { return Vec::new() };
        let mut accesses = self.steps.semantics.accesses(&state, thread);
        accesses.retain(|access| match access.spot {
            Spot::Bytes { object, .. } | Spot::Whole(object) => {
                !self.private.hides(&state, (thread, root.function), object)
            }
            // What the library keeps with a thread is accessed atomically.
            Spot::Ghost(key) => {
                access.atomicity == Atomicity::Plain || !matches!(key.object, None | Some(Instance::Thread(_)))
            }
        });
        accesses
    }

    /// Takes a thread's part out of a state; `before` is what it was before its step.
    fn detach(&self, state: &mut State, thread: ThreadIndex, before: Option<&Part>) -> Part {
        let now = state.thread(thread).and_then(|thread| thread.frames.first()).map(|frame| frame.function);
        let root = now.or_else(|| before?.thread.frames.first().map(|frame| frame.function));
        let known = before.map(|part| part.known).unwrap_or_default();
        let is_own = |object, block: &_| root.is_some_and(|root| self.private.owns((thread, root), object, block));
        let mut part = state.detach(thread, known, &is_own);
        if part.thread.frames.is_empty() {
            return Part::default();
        }
        self.private.forget_unread(&mut part);
        part
    }

    /// Takes apart what a thread's steps have led to from a shared state.
    fn split(
        &mut self,
        from: usize,
        (component, local, thread): (usize, u32, ThreadIndex),
        before: usize,
        mut state: State,
    ) -> Move {
        let here = self.shared.values[from].clone();
        let old = self.components(from);
        let mut classes: Vec<Class> = old.iter().take(here.state.thread_count()).map(|(class, _)| *class).collect();
        if classes.len() == thread.index() {
            classes.push(old[component].0);
        }
        let newborn = (state.thread_count() > before).then(|| ThreadIndex::new(before));
        let born = newborn.map(|newborn| {
            let entry = state.frame(newborn).map(|frame| frame.function);
            let crowd = self.crowds.iter().position(|crowd| Some(*crowd) == entry);
            let individuals = here.state.thread_count() - here.roles.len();
            classes.push(crowd.map_or(Class::Individual(individuals), Class::Crowd));
            self.detach(&mut state, newborn, None)
        });
        let was = self.locals(old[component].0).map(|locals| locals.values[local as usize].clone());
        let part = self.detach(&mut state, thread, was.as_deref());
        if part.thread.frames.is_empty() && matches!(classes[thread.index()], Class::Crowd(_)) {
            // That a member has ended matters as long as somebody can ask.
            let mut without = state.clone();
            without.forget_thread_ghosts(thread);
            if !referred(&without).contains(&thread) {
                state = without;
            }
        }
        let is_member = |thread: &ThreadIndex| matches!(classes[thread.index()], Class::Crowd(_));
        let mut kept: Vec<ThreadIndex> = state.thread_indices().filter(|thread| !is_member(thread)).collect();
        let individuals = kept.len();
        kept.extend(referred(&state).into_iter().filter(|thread| thread.index() < classes.len() && is_member(thread)));
        let place = |thread: ThreadIndex| kept.iter().position(|kept| *kept == thread);
        let component_of = |thread: ThreadIndex| match (place(thread), classes[thread.index()]) {
            (Some(place), _) => place,
            (None, Class::Crowd(crowd)) => kept.len() + crowd,
            // An individual is always kept.
            (None, Class::Individual(_)) => individuals,
        };
        let pointer_size = self.program.data_model.pointer_size();
        let renamed = |mut part: Part, own: ThreadIndex| {
            part.rename(pointer_size, &|other| match classes.get(other.index()) {
                Some(Class::Individual(_)) => place(other).map(ThreadIndex::new),
                _ if other == own => Some(SELF),
                Some(Class::Crowd(_)) | None => None,
            });
            let class = match classes[own.index()] {
                Class::Individual(_) => Class::Individual(component_of(own)),
                crowd => crowd,
            };
            (class, part)
        };
        let (class, part) = renamed(part, thread);
        let local = self.number(class, part);
        let born = newborn.zip(born).map(|(newborn, part)| {
            let (class, part) = renamed(part, newborn);
            let pool = match class {
                Class::Crowd(crowd) => Some(kept.len() + crowd),
                Class::Individual(_) => None,
            };
            Born { component: component_of(newborn), local: self.number(class, part), pool }
        });
        let threads = here.state.thread_count();
        let carry = (0..old.len()).map(|component| match component.checked_sub(threads) {
            None => component_of(ThreadIndex::new(component)),
            Some(crowd) => kept.len() + crowd,
        });
        let (carry, mover) = (carry.collect(), (component_of(thread), local));
        let roles = kept[individuals..].iter().filter_map(|thread| match classes[thread.index()] {
            Class::Crowd(crowd) => Some(crowd as u32),
            Class::Individual(_) => None,
        });
        let roles = roles.collect();
        state.renumber(pointer_size, &kept);
        let target = self.shared.number(Shared { state, roles }) as usize;
        Move { target, mover, carry, born }
    }
}

/// The threads that shared data refers to, in the order in which it does.
fn referred(state: &State) -> Vec<ThreadIndex> {
    let mut found = Vec::new();
    state.for_each_reference(&mut |thread| {
        if !found.contains(&thread) {
            found.push(thread);
        }
    });
    found
}
