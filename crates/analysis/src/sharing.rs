//! Escape: which objects two threads may reach, and who accesses them how.

use crate::points_to::SharedTargets;
use crate::{AbstractObject, Loads, PointsTo, TemplateId, Threads};
use rustc_hash::FxHashSet;
use selvedge_program::{AccessKind, Action, Expr, FunctionId, ObjectKind, Program, RegisterId, Touched, Unsettled};
use std::collections::{BTreeMap, BTreeSet};

/// How the threads use an object's bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// The templates that read it.
    pub readers: BTreeSet<TemplateId>,
    /// The templates that write it.
    pub writers: BTreeSet<TemplateId>,
    /// Whether some access is not atomic.
    pub has_plain_access: bool,
    /// Whether some thread frees it, which is an access of what the library keeps with it as well.
    pub is_freed: bool,
}

/// The objects that two threads may access, with their uses; locks only accessed as locks are apart.
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    /// Objects with bytes that several threads access.
    pub shared: BTreeMap<AbstractObject, Use>,
    /// Objects used by several threads as locks, semaphores, … (ghost state).
    pub synchronisation: BTreeSet<AbstractObject>,
}

/// Finds what is shared.
pub fn sharing(program: &Program, points_to: &PointsTo, threads: &Threads) -> Sharing {
    let escaped = escaped(program, points_to);
    let mut uses: BTreeMap<AbstractObject, Use> = BTreeMap::new();
    let mut ghosts: BTreeMap<AbstractObject, BTreeSet<TemplateId>> = BTreeMap::new();
    let mut runners: BTreeMap<FunctionId, Vec<TemplateId>> = BTreeMap::new();
    for template in threads.ids() {
        let functions = &threads.get(template).functions;
        functions.iter().for_each(|function| runners.entry(*function).or_default().push(template));
    }
    // What many accesses have in common is looked at once.
    let mut seen: FxHashSet<(SharedTargets, Option<FunctionAccess>, &[TemplateId])> = FxHashSet::default();
    for (function, runners) in &runners {
        for (targets, access) in accesses(program, points_to, *function) {
            seen.insert((targets, access, runners));
        }
    }
    for (targets, access, runners) in seen {
        for object in targets.chunk_by(|a, b| a.object == b.object).map(|same| same[0].object) {
            let Some(FunctionAccess { reads, writes, plain, frees }) = access else {
                ghosts.entry(object).or_default().extend(runners);
                continue;
            };
            let used = uses.entry(object).or_default();
            if reads {
                used.readers.extend(runners);
            }
            if writes {
                used.writers.extend(runners);
            }
            used.has_plain_access |= plain;
            used.is_freed |= frees;
        }
    }
    // A function has no bytes that anybody could access: who tries is undefined by that.
    let is_memory = |object: &AbstractObject| !matches!(object, AbstractObject::Function(_));
    let is_shared = |object: &AbstractObject, users: &BTreeSet<TemplateId>| {
        is_memory(object) && escaped.contains(object) && threads.may_be_several(users)
    };
    let users = |object: &AbstractObject, used: &Use| {
        let mut users: BTreeSet<TemplateId> = used.readers.union(&used.writers).copied().collect();
        if used.is_freed {
            users.extend(ghosts.get(object).into_iter().flatten());
        }
        users
    };
    Sharing {
        shared: uses.into_iter().filter(|(object, used)| is_shared(object, &users(object, used))).collect(),
        synchronisation: ghosts
            .iter()
            .filter(|(object, users)| **object != AbstractObject::Thread && is_shared(object, users))
            .map(|(object, _)| *object)
            .collect(),
    }
}

/// How a function accesses the bytes of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct FunctionAccess {
    reads: bool,
    writes: bool,
    plain: bool,
    frees: bool,
}

/// What a function itself accesses, its callees apart; `None` stands for an access to what the library keeps there.
fn accesses<'a>(
    program: &'a Program,
    points_to: &'a PointsTo,
    function: FunctionId,
) -> impl Iterator<Item = (SharedTargets, Option<FunctionAccess>)> + 'a {
    let touches = program.function(function).edges.iter().flat_map(|edge| edge.action.touches());
    touches.map(move |touch| {
        let access = (!matches!(touch.what, Touched::Ghost(_))).then_some(FunctionAccess {
            reads: touch.mode.kind == AccessKind::Read,
            writes: touch.mode.kind == AccessKind::Write,
            plain: !touch.mode.atomicity.is_atomic(),
            frees: touch.what == Touched::Whole,
        });
        (points_to.shared_targets_of(function, touch.address), access)
    })
}

/// The objects that another thread than the one that made them may know of: statics, and whatever is reachable from
/// statics, from the arguments of a spawn, from a thread's result, or from a value out of nothing.
pub fn escaped(program: &Program, points_to: &PointsTo) -> BTreeSet<AbstractObject> {
    let mut pending: Vec<AbstractObject> = vec![AbstractObject::Thread];
    for (index, object) in program.objects.iter().enumerate() {
        if object.kind != ObjectKind::ThreadLocal {
            pending.push(AbstractObject::Static(selvedge_program::ObjectId::new(index)));
        }
    }
    for (index, function) in program.functions.iter().enumerate() {
        let known = |value: &Expr| points_to.targets_of(FunctionId::new(index), value);
        for edge in &function.edges {
            if let Action::Spawn { arguments, .. } = &edge.action {
                pending.extend(arguments.iter().flat_map(known).map(|target| target.object));
            }
            // Out of nothing, every thread knows of everything.
            for target in taken_from_nothing(&edge.action, points_to.loads()) {
                let register = function.register(target);
                if register.may_be_address {
                    let value = Expr::register(target, register.width);
                    pending.extend(known(&value).iter().map(|target| target.object));
                }
            }
        }
    }
    points_to.reachable(pending)
}

/// The registers that may take a value out of nothing along an edge: those of a havoc and, where loads may give such
/// values, of a load. What is stored otherwise is found in the contents of objects, and a thread's result in those of
/// threads.
fn taken_from_nothing(action: &Action, loads: Loads) -> Vec<RegisterId> {
    match action.unsettled() {
        Unsettled::Choice { .. } => action.assigned(),
        Unsettled::Read { .. } | Unsettled::Update if loads == Loads::OutOfNothing => action.assigned(),
        Unsettled::Read { .. } | Unsettled::Update | Unsettled::Condition(_) | Unsettled::Nothing => Vec::new(),
    }
}
