//! Which objects are a thread's own, as the sets of a proof take states apart. Only an estimate is needed: who touches
//! another's own object finds it missing, which is a fault of that step (`semantics::parts`).

use selvedge_analysis::{AbstractObject, Facts, Replication};
use selvedge_program::live::Live;
use selvedge_program::semantics::memory::Block;
use selvedge_program::semantics::{Instance, Part, State};
use selvedge_program::{Exhausted, FunctionId, ObjectId, ObjectKind, Program, RegisterId, ThreadIndex, Touched};
use std::collections::{BTreeMap, BTreeSet};

/// What is private in a program.
pub struct Private<'p> {
    program: &'p Program,
    escaped: BTreeSet<AbstractObject>,
    /// The only function whose one thread uses a variable.
    user: BTreeMap<ObjectId, FunctionId>,
    live: Vec<Live>,
    /// The functions that are started as threads more than once.
    pub replicated: Vec<FunctionId>,
}

impl<'p> Private<'p> {
    /// By the facts of a program.
    pub fn of(program: &'p Program, facts: &Facts) -> Result<Self, Exhausted> {
        let (points_to, threads) = (facts.points_to()?, facts.threads()?);
        let mut users: BTreeMap<ObjectId, BTreeSet<FunctionId>> = BTreeMap::new();
        for template in &threads.templates {
            for function in &template.functions {
                for edge in &program.function(*function).edges {
                    for touch in edge.action.touches().into_iter().filter(|touch| touch.what != Touched::Whole) {
                        for target in points_to.targets_of(*function, touch.address) {
                            if let AbstractObject::Static(object) = target.object {
                                users.entry(object).or_default().extend(template.entries.iter().copied());
                            }
                        }
                    }
                }
            }
        }
        let is = |entry: FunctionId, replication| threads.started_with(entry).replication == replication;
        let mut user = BTreeMap::new();
        for (object, users) in users {
            let only = users.first().copied().filter(|_| users.len() == 1);
            if let Some(only) = only.filter(|entry| is(*entry, Replication::Once))
                && program.object(object).kind == ObjectKind::Global
            {
                user.insert(object, only);
            }
        }
        Ok(Private {
            program,
            escaped: facts.escaped()?.clone(),
            user,
            live: program.functions.iter().map(Live::of).collect(),
            replicated: threads.entries().into_iter().filter(|entry| is(*entry, Replication::Many)).collect(),
        })
    }

    /// Whether an object is that of a thread that began with a function.
    pub fn owns(&self, (thread, root): (ThreadIndex, FunctionId), object: Instance, block: &Block) -> bool {
        match object {
            Instance::Static(id) => self.user.get(&id) == Some(&root),
            Instance::ThreadLocal(_, of) | Instance::Frame { thread: of, .. } | Instance::Heap { thread: of, .. } => {
                of == thread && !self.escaped.contains(&AbstractObject::of_block(block))
            }
            Instance::Thread(_) | Instance::Function(_) => false,
        }
    }

    /// Whether nobody else notices what a thread does with an object.
    pub fn hides(&self, state: &State, who: (ThreadIndex, FunctionId), object: Instance) -> bool {
        let is_constant = |id: ObjectId| self.program.object(id).kind == ObjectKind::Constant;
        matches!(object, Instance::Static(id) if is_constant(id))
            || state.memory().block(object).is_some_and(|block| self.owns(who, object, block))
    }

    /// Whether others may know of a function's locals.
    pub fn shows_locals(&self, function: FunctionId) -> bool {
        let mut escaped = self.escaped.iter();
        escaped.any(|object| matches!(object, AbstractObject::Frame(of, _) if *of == function))
    }

    /// Whether nobody looks at a register after an edge of a function.
    pub fn is_unread(&self, function: FunctionId, edge: selvedge_program::EdgeId, register: RegisterId) -> bool {
        let target = self.program.function(function).edge(edge).target;
        !self.live[function.index()].at(target).contains(&register)
    }

    /// Clears the registers that nobody will look at, and those that a call is about to assign.
    pub fn forget_unread(&self, part: &mut Part) {
        let results: Vec<Option<RegisterId>> = part.thread.frames.iter().map(|frame| frame.result).collect();
        for (depth, frame) in part.thread.frames.iter_mut().enumerate() {
            let live = self.live[frame.function.index()].at(frame.location);
            let awaited = results.get(depth + 1).copied().flatten();
            for (index, register) in frame.registers.iter_mut().enumerate() {
                let id = RegisterId::new(index);
                if awaited == Some(id) || !live.contains(&id) {
                    *register = None;
                }
            }
        }
    }
}
