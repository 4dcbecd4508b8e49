//! Locks that nobody sets up: a mutex in a local, or in memory from `malloc`, that is locked although nothing in the
//! program ever initialises it, assigns to it or clears the memory that it lies in. POSIX leaves open what happens then;
//! elsewhere it counts as initialised by zeros, so this is said to people and decides nothing.
//!
//! What pointers may point to is over-approximated, and so is who may write there: a lock that is named here is never
//! set up by any execution, but for what code does that is not modelled.

use crate::points_to::SharedTargets;
use crate::{AbstractObject, Field, Offset, PointsTo, Target};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_program::{
    AccessKind, Action, AtomicStep, Edge, FunctionId, InitialContents, LockKind, Operation, Program, SiteId, Span,
    Touched,
};
use std::collections::BTreeMap;

/// The names of such locks, with the first place where each is taken.
pub fn unset_locks(program: &Program, points_to: &PointsTo) -> Vec<(Span, String)> {
    let begins_as_nothing = begins_as_nothing(program);
    let mut taken: BTreeMap<Lock, Span> = BTreeMap::new();
    for (index, function) in program.functions.iter().enumerate() {
        for (edge, kind, object) in function.edges.iter().flat_map(acquisitions) {
            let targets = points_to.shared_targets_of(FunctionId::new(index), object);
            // Where it may be one of several locks, others say whether it is set up.
            if let [Target { object, offset }] = *targets
                && begins_as_nothing(object)
            {
                let first = taken.entry(Lock { object, offset, kind }).or_insert(edge.span);
                *first = edge.span.min(*first);
            }
        }
    }
    if !taken.is_empty() {
        let written = Written::of(program, points_to);
        taken.retain(|lock, _| !written.may_set_up(*lock));
    }
    taken.into_iter().map(|(lock, span)| (span, lock.name(program))).collect()
}

/// A lock in memory, as far as it is known where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Lock {
    object: AbstractObject,
    offset: Offset,
    kind: LockKind,
}

impl Lock {
    /// At most so many bytes of it are there.
    fn size(self) -> u64 {
        match self.kind {
            LockKind::Mutex => 40,
            LockKind::Spin => 4,
            LockKind::ReadWrite => 56,
        }
    }

    fn name(self, program: &Program) -> String {
        let at = Field { offset: self.offset, size: 1 };
        let member = at.name_beside(program, self.object, 0).unwrap_or_default();
        // What a lock is made of is the library's business.
        let member = member.split("__selvedge_").next().unwrap_or_default().trim_matches('.');
        match member {
            "" => self.object.name(program),
            member => Field::full_name(program, self.object, &format!(".{member}")),
        }
    }
}

/// Whether an object is one that begins as nothing in particular.
fn begins_as_nothing(program: &Program) -> impl Fn(AbstractObject) -> bool {
    let actions = program.functions.iter().flat_map(|function| &function.edges).map(|edge| &edge.action);
    let zeroed: FxHashSet<SiteId> = actions
        .filter_map(|action| match action {
            Action::Allocate { site, contents: InitialContents::Zero, .. } => Some(*site),
            _ => None,
        })
        .collect();
    move |object| match object {
        AbstractObject::Frame(..) => true,
        AbstractObject::Site(site) => !zeroed.contains(&site),
        AbstractObject::Static(_)
        | AbstractObject::Function(_)
        | AbstractObject::Thread
        | AbstractObject::Started(_) => false,
    }
}

/// The locks that an edge takes.
fn acquisitions(edge: &Edge) -> impl Iterator<Item = (&Edge, LockKind, &selvedge_program::Expr)> {
    edge.action.steps().iter().filter_map(move |step| match step {
        AtomicStep::Mark { operation: Operation::Acquire(kind, _), object, .. } => Some((edge, *kind, object)),
        _ => None,
    })
}

/// What is written in the program, but for the state of locks that are taken and given back.
struct Written {
    of_object: FxHashMap<AbstractObject, Vec<(Offset, Touched)>>,
}

impl Written {
    fn of(program: &Program, points_to: &PointsTo) -> Written {
        let mut seen: FxHashSet<(SharedTargets, Touched)> = FxHashSet::default();
        let mut written = Written { of_object: FxHashMap::default() };
        for (index, function) in program.functions.iter().enumerate() {
            let uses_lock =
                |edge: &&Edge| edge.action.steps().iter().any(|step| matches!(step, AtomicStep::Mark { .. }));
            for touch in function.edges.iter().filter(|edge| !uses_lock(edge)).flat_map(|edge| edge.action.touches()) {
                if touch.mode.kind != AccessKind::Write || touch.what == Touched::Whole {
                    continue;
                }
                let targets = points_to.shared_targets_of(FunctionId::new(index), touch.address);
                if seen.insert((targets.clone(), touch.what)) {
                    for target in targets.iter() {
                        written.of_object.entry(target.object).or_default().push((target.offset, touch.what));
                    }
                }
            }
        }
        written
    }

    /// Whether something is written that may be the lock's first contents.
    fn may_set_up(&self, lock: Lock) -> bool {
        self.of_object.get(&lock.object).into_iter().flatten().any(|(offset, what)| match what {
            Touched::Ghost(field) => *field == lock.kind.owner(),
            Touched::Bytes(size) => offset.may_overlap(*size, lock.offset, lock.size()),
            Touched::CString | Touched::Whole => false,
        })
    }
}
