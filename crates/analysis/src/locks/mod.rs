//! Must-locksets: which locks a thread certainly holds at each location, and how. An under-approximation of what is held.
//!
//! A lock is known by the expression of its address, so that `p->lock` is known beside `p->data`, `locks[i]` beside `data[i]`: as long as
//! no register in it is assigned. A fact `held(a)` says that the owner at address a is the executing thread (or, for a lock that is held for
//! reading, that one of its readers is). What an update does to owners is found in [`update`]; a write to an owner that may be the
//! same lock, by what pointers may point to, ends what is known. Functions have summaries: what they leave held of their parameters
//! and of globals whoever calls them, and what they may release. With these, what is held at a function's entry is what all calls have in
//! common.
//!
//! **Why others cannot break it.** An update by another thread that passes when the lock has an owner leaves the owner alone, which is
//! checked of every update in the program. Those that do not, such as initialisation, count as *intrusions* unless no other thread can be
//! alive: of locks that one may be about, nothing is known. The same goes for giving up a read lock where it is not known to be held.
//! After the end of the object that the lock lives in, nobody can lock it again.

mod flow;
mod guards;
mod names;
mod summary;
mod update;

pub use guards::{Guarded, guarded};
pub use names::LockName;
pub use update::{LockKind, Mode};

use crate::points_to::SharedTargets;
use crate::{ClassId, Offset, Parallel, PointsTo, Target, ThreadPlace};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use selvedge_program::{Base, Budget, Exhausted, Expr, FunctionId, LocationId, ObjectId, Program};
use std::collections::BTreeMap;

/// A lock by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockId(u32);

/// The locks that are held, with how.
type Held = BTreeMap<LockId, Mode>;

/// What is certainly held where.
#[derive(Clone, Debug, Default)]
pub struct Locksets {
    names: IndexSet<LockName, FxBuildHasher>,
    /// By function and location; `None` where no thread ever is.
    at: Vec<Vec<Option<Held>>>,
}

/// A lock as it lies to what it guards, which is the same for all accesses to one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guard {
    /// A lock in a static object, at an offset.
    Static(ObjectId, i64, LockKind),
    /// A lock so many bytes after the place, in the same object.
    Beside(i64, LockKind),
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
    pub fn held(&self, function: FunctionId, location: LocationId) -> impl Iterator<Item = (&LockName, Mode)> {
        let held = self.at.get(function.index()).and_then(|locations| locations.get(location.index())?.as_ref());
        let named = |(lock, mode): (&LockId, &Mode)| Some((self.names.get_index(lock.0 as usize)?, *mode));
        held.into_iter().flatten().filter_map(named)
    }

    /// Whether a thread may ever be at a location, as far as calls and branches without end tell.
    pub fn is_reached(&self, function: FunctionId, location: LocationId) -> bool {
        self.at.get(function.index()).and_then(|locations| locations.get(location.index())).is_some_and(Option::is_some)
    }

    /// The locks that guard an access to an address at a location.
    pub fn guards(&self, function: FunctionId, location: LocationId, address: &Expr) -> Vec<(Guard, Mode)> {
        let (place, at) = names::split(address);
        let guard = |(lock, mode): (&LockName, Mode)| {
            let (base, offset) = names::split(&lock.address);
            match base {
                Expr::Address(Base::Object(object), _) => Some((Guard::Static(*object, offset, lock.kind), mode)),
                base if base == place => Some((Guard::Beside(offset.wrapping_sub(at), lock.kind), mode)),
                _ => None,
            }
        };
        let mut guards: Vec<(Guard, Mode)> = self.held(function, location).filter_map(guard).collect();
        guards.sort_unstable();
        guards.dedup();
        guards
    }
}

/// Whether another thread may be alive while one is at a location.
fn has_company(parallel: &Parallel, function: FunctionId, location: LocationId) -> bool {
    let beside = |class: ClassId| parallel.beside(ThreadPlace { class, function, location });
    parallel.classes().ids().filter_map(beside).any(|others| others.iter().next().is_some())
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
