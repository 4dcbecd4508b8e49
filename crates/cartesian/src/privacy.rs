//! What belongs to one thread alone, and so to its local state.
//!
//! Only an estimate is needed: a thread that touches what is thought to be another's private object finds it missing,
//! which is a fault of the step and never goes unnoticed (see `semantics::parts`). So nothing here bears on soundness.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_analysis::{AbstractObject, Facts, PointsTo, Replication, Threads};
use selvedge_program::live::Live;
use selvedge_program::semantics::memory::Block;
use selvedge_program::semantics::{Instance, Part, State};
use selvedge_program::{
    Exhausted, FrameObjectId, FunctionId, LocationId, ObjectId, ObjectKind, Program, RegisterId, ThreadIndex, Touched,
};

/// Facts about a program that say what is private.
#[derive(Debug)]
pub struct Privacy<'p> {
    program: &'p Program,
    escaped: BTreeSet<AbstractObject>,
    /// Static objects that only the one thread of this function uses.
    owners: BTreeMap<ObjectId, FunctionId>,
    live: Vec<Live>,
    /// By function: whether others may know of its locals.
    shows_locals: Vec<bool>,
    /// The functions that several threads may be started with.
    pub replicated: Vec<FunctionId>,
}

impl<'p> Privacy<'p> {
    /// Looks at the program of these facts.
    ///
    /// # Errors
    /// The limit that was reached before they were found.
    pub fn of(facts: &'p Facts) -> Result<Self, Exhausted> {
        let program = facts.program();
        let (points_to, threads) = (facts.points_to()?, facts.threads()?);
        let escaped = facts.escaped()?.clone();
        let shows = |(index, function): (usize, &selvedge_program::Function)| {
            let shown =
                |local| escaped.contains(&AbstractObject::Frame(FunctionId::new(index), FrameObjectId::new(local)));
            (0..function.frame.len()).any(shown)
        };
        let many = |entry: &FunctionId| threads.started_with(*entry).replication == Replication::Many;
        Ok(Self {
            program,
            owners: owners(program, points_to, threads),
            live: program.functions.iter().map(Live::of).collect(),
            shows_locals: program.functions.iter().enumerate().map(shows).collect(),
            replicated: threads.entries().into_iter().filter(many).collect(),
            escaped,
        })
    }

    /// Whether an object belongs to a thread that was started with a function.
    pub fn is_private(&self, thread: ThreadIndex, root: FunctionId, instance: Instance, block: &Block) -> bool {
        let owner = match instance {
            Instance::Static(object) => return self.owners.get(&object) == Some(&root),
            Instance::ThreadLocal(_, owner)
            | Instance::Frame { thread: owner, .. }
            | Instance::Heap { thread: owner, .. } => owner,
            Instance::Thread(_) | Instance::Function(_) => return false,
        };
        owner == thread && !self.escaped.contains(&AbstractObject::of_block(block))
    }

    /// Whether a thread's access to an object is nobody else's business.
    pub fn is_unseen(&self, state: &State, thread: ThreadIndex, root: FunctionId, instance: Instance) -> bool {
        if let Instance::Static(object) = instance
            && self.program.object(object).kind == ObjectKind::Constant
        {
            return true;
        }
        state.memory().block(instance).is_some_and(|block| self.is_private(thread, root, instance, block))
    }

    /// Whether entering or leaving a function is nobody else's business.
    pub fn hides_locals(&self, function: FunctionId) -> bool {
        !self.shows_locals[function.index()]
    }

    /// Whether a register's value can still matter at a location.
    pub fn is_live(&self, function: FunctionId, location: LocationId, register: RegisterId) -> bool {
        self.live[function.index()].at(location).binary_search(&register).is_ok()
    }

    /// Clears the registers whose values cannot matter any more.
    pub fn forget_dead_registers(&self, part: &mut Part) {
        let mut pending = None;
        for frame in part.thread.frames.iter_mut().rev() {
            let live = self.live[frame.function.index()].at(frame.location);
            for (index, register) in frame.registers.iter_mut().enumerate() {
                let id = RegisterId::new(index);
                if Some(id) == pending || live.binary_search(&id).is_err() {
                    *register = None;
                }
            }
            pending = frame.result;
        }
    }
}

/// The static objects that one thread alone uses, with the function it starts with.
fn owners(program: &Program, points_to: &PointsTo, threads: &Threads) -> BTreeMap<ObjectId, FunctionId> {
    let mut users: BTreeMap<ObjectId, BTreeSet<FunctionId>> = BTreeMap::new();
    for template in &threads.templates {
        for function in &template.functions {
            let mut uses = |targets: Vec<selvedge_analysis::Target>| {
                for target in targets {
                    if let AbstractObject::Static(object) = target.object {
                        users.entry(object).or_default().extend(&template.entries);
                    }
                }
            };
            for edge in &program.function(*function).edges {
                // A static object cannot be freed.
                let touches = edge.action.touches().into_iter().filter(|touch| touch.what != Touched::Whole);
                touches.for_each(|touch| uses(points_to.targets_of(*function, touch.address)));
            }
        }
    }
    let once = |entry: &FunctionId| threads.started_with(*entry).replication == Replication::Once;
    let alone = |(object, users): (ObjectId, BTreeSet<FunctionId>)| {
        let user = users.iter().next().copied().filter(|user| users.len() == 1 && once(user))?;
        (program.object(object).kind == ObjectKind::Global).then_some((object, user))
    };
    users.into_iter().filter_map(alone).collect()
}
