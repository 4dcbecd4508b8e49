//! What expansions lead to, remembered.
//!
//! What a thread does next depends on where it stands, on what it owns, and on little else: the variables it reads, a
//! lock, whether another thread may interfere. So each expansion is run by the semantics once, and what it looked at is
//! recorded ([`record`](crate::record)). The records of a thread at one place make a tree: every node looks at one
//! number of the state's row or asks the other threads something, and has a branch for every answer met so far; at the
//! leaves stand the transitions, as changes of the row. Where a state's answers lead to a leaf, its transitions are
//! known without taking a step. With debug assertions every answer of the table is compared with the semantics.
//!
//! The idea is that of LTSmin's transition caching (Blom, van de Pol, Weber, *Bridging the gap between enumerative and
//! symbolic model checkers*, 2009), with dependencies that are found while running rather than given.

use rustc_hash::FxHashMap;
use selvedge_program::{EdgeId, ThreadIndex};

use crate::outlook::Next;
use crate::parts::{Packed, Parts, local_at, number_at, own_at, shared_at, trim};
use crate::record::{Asked, Relation, Seen};
use crate::view::View;
use crate::world::holds;

/// Where a transition leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// To the end of the process, or to what is cut off.
    Nowhere,
    /// Into an atomic section, which may never end, or to where the thread gives up.
    Stuck,
    /// To where any thread may move.
    Outside,
}

/// Whether a thread can count on a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It can.
    Certain,
    /// It is a spurious wake-up.
    Spurious,
}

/// A transition but for what it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its first edge.
    pub edge: EdgeId,
    /// Which of the interned answers the first step took.
    pub answers: u32,
    /// Where it leads.
    pub end: End,
    /// How many steps it takes.
    pub steps: u32,
    /// Whether the thread can count on it.
    pub certainty: Certainty,
}

/// A transition of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// What is known of it whatever it changes.
    pub outline: Outline,
    /// How many threads it starts.
    started: u32,
    /// The places of the row that change, counted after the start of threads, and their new numbers.
    changes: Box<[(u32, u32)]>,
}

impl Transition {
    /// The transition between two rows.
    pub fn new(outline: Outline, before: &[u32], after: &[u32]) -> Self {
        let mut transition = Transition { outline, started: 0, changes: Box::new([]) };
        if outline.end != End::Nowhere {
            transition.started = number_at(after, 0) - number_at(before, 0);
            let mut shifted = Vec::new();
            transition.apply(before, &mut shifted);
            let places = 1..shifted.len().max(after.len());
            let change = |place: usize| {
                let number = number_at(after, place);
                (number != number_at(&shifted, place)).then_some((place as u32, number))
            };
            transition.changes = places.filter_map(change).collect();
        }
        transition
    }

    /// The row after the transition from a row.
    pub fn apply(&self, before: &[u32], after: &mut Packed) {
        after.clear();
        after.extend_from_slice(before);
        if self.started > 0 {
            let end = shared_at(before[0] as usize, 0);
            after.splice(end..end, std::iter::repeat_n(0, 2 * self.started as usize));
            after[0] += self.started;
        }
        for (place, number) in &self.changes {
            let place = *place as usize;
            if after.len() <= place {
                after.resize(place + 1, 0);
            }
            after[place] = *number;
        }
        trim(after);
    }
}

/// What a node looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Look {
    At(u32),
    Ask(Asked),
}

#[derive(Clone, Debug)]
enum Node {
    Look(Look),
    Leaf(u32),
}

/// The trees.
#[derive(Debug, Default)]
pub struct Table {
    /// By thread, where it stands, what it owns, and how many threads there are.
    roots: FxHashMap<[u32; 4], u32>,
    nodes: Vec<Node>,
    children: FxHashMap<(u32, u32), u32>,
    expansions: Vec<Box<[Transition]>>,
    hits: u64,
    misses: u64,
    bytes: u64,
}

fn root(row: &[u32], thread: ThreadIndex) -> [u32; 4] {
    [thread.0, row[local_at(thread)], row[own_at(thread)], row[0]]
}

/// The answer to a question, as a number; for [`Relation::WaitsFor`] it tells which thread if there is just one.
fn answer(asked: &Asked, view: View<'_, '_, '_>) -> u32 {
    let is_asked = |thread: &ThreadIndex| {
        asked.except.checked_shr(thread.0).unwrap_or(0) & 1 == 0 && view.outlook(*thread).next != Next::Finished
    };
    let holds = |other: &ThreadIndex| holds(asked.relation, asked.thread, &asked.outlook, *other, view.outlook(*other));
    let mut holding = view.threads().filter(is_asked).filter(holds);
    match (asked.relation, holding.next()) {
        (_, None) => 0,
        (Relation::Number, Some(_)) => 1 + holding.count() as u32,
        (Relation::WaitsFor, Some(_)) if holding.next().is_some() => u32::MAX,
        (Relation::WaitsFor, Some(thread)) => 1 + thread.0,
        (_, Some(_)) => 1,
    }
}

impl Table {
    /// The bytes used, estimated.
    pub fn memory(&self) -> u64 {
        self.bytes
    }

    /// Whether looking things up has paid so far: recording what is not known costs more than it saves once.
    pub fn pays(&self) -> bool {
        self.misses < 10_000 || self.hits > 2 * self.misses
    }

    /// Forgets all expansions.
    pub fn clear(&mut self) {
        *self = Self { hits: self.hits, misses: self.misses, ..Self::default() };
    }

    /// What a thread's expansion leads to, if that is known: the number of the expansion.
    pub fn find(&mut self, view: View<'_, '_, '_>, thread: ThreadIndex) -> Option<usize> {
        let found = self.look_up(view, thread);
        match found {
            Some(_) => self.hits += 1,
            None => self.misses += 1,
        }
        found
    }

    fn look_up(&self, view: View<'_, '_, '_>, thread: ThreadIndex) -> Option<usize> {
        let row = view.row();
        let mut node = *self.roots.get(&root(row, thread))?;
        loop {
            let seen = match &self.nodes[node as usize] {
                Node::Leaf(expansion) => return Some(*expansion as usize),
                Node::Look(Look::At(place)) => number_at(row, *place as usize),
                Node::Look(Look::Ask(asked)) => answer(asked, view),
            };
            node = *self.children.get(&(node, seen))?;
        }
    }

    /// A transition of an expansion.
    pub fn transition(&self, expansion: usize, number: usize) -> Option<&Transition> {
        self.expansions[expansion].get(number)
    }

    /// Remembers what a thread's expansion led to; its number.
    pub fn insert(
        &mut self,
        parts: &mut Parts<'_, '_>,
        row: &[u32],
        thread: ThreadIndex,
        seen: &[Seen],
        transitions: Vec<Transition>,
    ) -> usize {
        let looks = looks(parts, row, thread, seen);
        let view = View::new(parts, row);
        let expansion = self.expansions.len();
        self.bytes += 100 + transitions.iter().map(|transition| 60 + 8 * transition.changes.len() as u64).sum::<u64>();
        self.expansions.push(transitions.into());
        let mut parent: Option<(u32, u32)> = None;
        for look in looks {
            let seen = match &look {
                Look::At(place) => number_at(row, *place as usize),
                Look::Ask(asked) => answer(asked, view),
            };
            let node = self.node(root(row, thread), parent, || Node::Look(look));
            parent = Some((node, seen));
        }
        self.node(root(row, thread), parent, || Node::Leaf(expansion as u32));
        expansion
    }

    /// The node below another, or a root; made if it is not there.
    fn node(&mut self, root: [u32; 4], parent: Option<(u32, u32)>, make: impl FnOnce() -> Node) -> u32 {
        let next = self.nodes.len() as u32;
        let node = match parent {
            None => *self.roots.entry(root).or_insert(next),
            Some(parent) => *self.children.entry(parent).or_insert(next),
        };
        if node == next {
            self.nodes.push(make());
            self.bytes += 120;
        }
        node
    }
}

/// What a tree has to look at for a record, each once.
fn looks(parts: &mut Parts<'_, '_>, row: &[u32], thread: ThreadIndex, seen: &[Seen]) -> Vec<Look> {
    let threads = row[0] as usize;
    let mut looks: Vec<Look> = Vec::new();
    let mut places = vec![local_at(thread), own_at(thread)];
    let mut look_at = |looks: &mut Vec<Look>, place: usize| {
        if !places.contains(&place) {
            places.push(place);
            looks.push(Look::At(place as u32));
        }
    };
    if parts.has_sections() {
        look_at(&mut looks, shared_at(threads, 0));
    }
    for seen in seen {
        let (place, named) = match seen {
            Seen::Asked(asked) => {
                looks.push(Look::Ask(asked.clone()));
                continue;
            }
            Seen::Local(thread) => (Some(local_at(*thread)), false),
            Seen::Own(thread) => (Some(own_at(*thread)), false),
            Seen::OwnAndNamed(thread) => (Some(own_at(*thread)), true),
            Seen::Static(object) => (parts.variable_position(*object).map(|p| shared_at(threads, p)), false),
            Seen::StaticAndNamed(object) => (parts.variable_position(*object).map(|p| shared_at(threads, p)), true),
            Seen::Ghost(key) => (Some(shared_at(threads, parts.ghost_position(*key))), false),
            Seen::GhostAndNamed(key) => (Some(shared_at(threads, parts.ghost_position(*key))), true),
        };
        // What belongs to a thread that was started on the way is not there yet.
        let is_new = matches!(seen, Seen::Local(t) | Seen::Own(t) | Seen::OwnAndNamed(t) if t.index() >= threads);
        let Some(place) = place.filter(|_| !is_new) else { continue };
        look_at(&mut looks, place);
        if named {
            for other in named_in(parts, row, seen) {
                look_at(&mut looks, own_at(other));
            }
        }
    }
    looks
}

/// The threads whose objects a part points to.
fn named_in(parts: &mut Parts<'_, '_>, row: &[u32], seen: &Seen) -> Vec<ThreadIndex> {
    let threads = row[0] as usize;
    let number = |position| number_at(row, shared_at(threads, position));
    match seen {
        Seen::OwnAndNamed(thread) => parts.own(row[own_at(*thread)]).named.to_vec(),
        Seen::StaticAndNamed(object) => parts.named_by_variable(*object, number).map_or(Vec::new(), <[_]>::to_vec),
        Seen::GhostAndNamed(key) => {
            let position = parts.ghost_position(*key);
            parts.ghost(number(position)).map_or(Vec::new(), |ghost| ghost.named.to_vec())
        }
        _ => Vec::new(),
    }
}
