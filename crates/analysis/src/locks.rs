//! Must-locksets: which locks a thread certainly holds at each location, and how. An under-approximation of what is
//! held.
//!
//! A lock is known by the expression of its address, so that `p->lock` is known beside `p->data`, `locks[i]` beside
//! `data[i]`: as long as no register in it is assigned. A fact `held(a)` says that the owner at address a is the
//! executing thread (or, for a lock that is held for reading, that one of its readers is). What edges do to locks is
//! told by the marks of the library's models ([`update`]), and for words that the program has made locks of by what is
//! written to them ([`words`]); giving up what may be the same lock, by what pointers may point to, ends what is known.
//! Functions have summaries: what they leave held of their parameters and of globals whoever calls them, and what they
//! may release. With these, what is held at a function's entry is what all calls have in common.
//!
//! **Why others cannot break it.** What is marked takes a lock from nobody ([`selvedge_program::Operation`]). Any other
//! write to who holds a lock, such as initialisation, is an *intrusion* unless no other thread can be alive: of locks
//! that one may be about, nothing is known. The same goes for giving up a read lock, or a word, where it is not known
//! to be held. After the end of the object that the lock lives in, nobody can lock it again.

mod calls;
mod definitions;
mod expected;
mod flow;
mod guards;
mod intrusions;
mod known;
mod names;
mod summary;
mod update;
mod words;

pub use guards::{Guarded, guarded, guarded_fields};
pub use names::LockName;
pub use update::LockFamily;

use crate::points_to::SharedTargets;
use crate::{Offset, Parallel, PointsTo, Target, TemplateId, ThreadPlace};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use selvedge_program::{Base, Budget, CodeLocation, Exhausted, Expr, LockMode, ObjectId, Program, Touch, Touched};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A lock by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockId(u32);

/// The locks that are held, with how.
type Held = BTreeMap<LockId, LockMode>;

/// What is certainly held where.
#[derive(Clone, Debug, Default)]
pub struct Locksets {
    names: IndexSet<LockName, FxBuildHasher>,
    /// By function and location; `None` where no thread ever is.
    at: Vec<Vec<Option<Arc<Held>>>>,
    /// By function, where it has any.
    definitions: Vec<Option<definitions::Definitions>>,
}

/// A lock as it lies to what it guards, which is the same for all accesses to one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guard {
    /// A lock in a static object, at an offset.
    Static(ObjectId, i64, LockFamily),
    /// A lock so many bytes after the place, in the same object.
    Beside(i64, LockFamily),
    /// The lock of the element of an array that has the same index as the one that the place is in.
    Alongside {
        /// The array of locks.
        locks: ObjectId,
        /// Where the lock is in the first element.
        offset: i64,
        /// The size of its elements.
        stride: u64,
        /// The size of the elements that the place is in.
        place_stride: u64,
        /// What makes it a lock.
        family: LockFamily,
    },
}

impl Locksets {
    /// Finds what is held in a program.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn of(
        program: &Program,
        points_to: &PointsTo,
        parallel: &Parallel,
        budget: &Budget,
    ) -> Result<Locksets, Exhausted> {
        flow::solve(program, points_to, parallel, budget)
    }

    /// The locks that a thread holds when it is at a location; nothing where it never is.
    pub fn held(&self, at: CodeLocation) -> impl Iterator<Item = (&LockName, LockMode)> {
        let locations = self.at.get(at.function.index());
        let held = locations.and_then(|locations| locations.get(at.location.index())?.as_deref());
        let named = |(lock, mode): (&LockId, &LockMode)| Some((self.names.get_index(lock.0 as usize)?, *mode));
        held.into_iter().flatten().filter_map(named)
    }

    /// The locks that guard an access at a location.
    pub fn guards(&self, at: CodeLocation, touch: &Touch<'_>) -> Vec<(Guard, LockMode)> {
        let definitions = self.definitions.get(at.function.index()).and_then(Option::as_ref);
        let expanded = definitions.and_then(|definitions| definitions.expanded(at.location, touch.address));
        let expanded = expanded.as_ref().map(|address| Touch { address, ..*touch });
        let guard = |(lock, mode): (&LockName, LockMode)| {
            let guard = guard(lock, touch).or_else(|| guard(lock, expanded.as_ref()?))?;
            Some((guard, mode))
        };
        let mut guards: Vec<(Guard, LockMode)> = self.held(at).filter_map(guard).collect();
        guards.sort_unstable();
        guards.dedup();
        guards
    }
}

/// How a lock that is held lies to a place that is accessed; `None` if it has nothing to do with it.
fn guard(lock: &LockName, touch: &Touch<'_>) -> Option<Guard> {
    let (base, offset) = names::split(&lock.address);
    let (place, at) = names::split(touch.address);
    if let Expr::Address(Base::Object(object), _) = base {
        return Some(Guard::Static(*object, offset, lock.family));
    }
    if base == place {
        return Some(Guard::Beside(offset.wrapping_sub(at), lock.family));
    }
    // An access within one element: where two of these meet, the index is the same.
    let (lock_at, place_at) = (names::element(&lock.address)?, names::element(touch.address)?);
    let Touched::Bytes(size) = touch.what else { return None };
    let is_within = u64::try_from(place_at.offset).is_ok_and(|at| at.saturating_add(size) <= place_at.stride);
    // An index that wraps around in one product does so in the other, or it does not.
    let bits = touch.address.width() - 2;
    let is_exact = place_at.index.magnitude().saturating_mul(u128::from(place_at.stride)) < 1 << bits;
    let wraps_alike = place_at.stride.is_power_of_two() && lock_at.stride % place_at.stride == 0;
    (lock_at.index == place_at.index && is_within && (is_exact || wraps_alike)).then_some(Guard::Alongside {
        locks: lock_at.object,
        offset: lock_at.offset,
        stride: lock_at.stride,
        place_stride: place_at.stride,
        family: lock.family,
    })
}

/// Whether another thread may be alive while one is at a location.
fn has_company(parallel: &Parallel, at: CodeLocation) -> bool {
    let CodeLocation { function, location } = at;
    let beside = |template: TemplateId| parallel.beside(ThreadPlace { template, function, location });
    parallel.threads().ids().filter_map(beside).any(|others| others.iter().next().is_some())
}

/// Which lists of targets may name one lock, each pair looked at once.
#[derive(Debug, Default)]
struct Aliases {
    known: FxHashMap<(SharedTargets, SharedTargets), bool>,
}

impl Aliases {
    fn may_alias(&mut self, a: &SharedTargets, b: &SharedTargets) -> bool {
        if let Some(known) = self.known.get(&(a.clone(), b.clone())) {
            return *known;
        }
        let overlaps = |(a, b): (Offset, Offset)| a.may_overlap(1, b, 1);
        let mut rest = b.iter().peekable();
        let mut found = false;
        for target in a.iter() {
            while rest.next_if(|other| other.object < target.object).is_some() {}
            let same = |other: &&Target| other.object == target.object;
            found |= rest.clone().take_while(same).any(|other| overlaps((target.offset, other.offset)));
        }
        self.known.insert((a.clone(), b.clone()), found);
        found
    }
}
