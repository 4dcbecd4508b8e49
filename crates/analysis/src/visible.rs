//! Visible steps: the edges at which a thread may do something that another notices, or notice what another does. All
//! others can be taken in any order with those of other threads.

use crate::points_to::SharedTargets;
use crate::{AbstractObject, PointsTo, Sharing, Threads};
use rustc_hash::FxHashMap;
use selvedge_program::{Action, AtomicStep, EdgeId, Expr, FrameObjectId, FunctionId, Program};

/// The edges that touch something shared.
#[derive(Clone, Debug, Default)]
pub struct Visible {
    /// By function and edge.
    edges: Vec<Vec<bool>>,
}

impl Visible {
    /// Finds them.
    pub fn of(program: &Program, points_to: &PointsTo, threads: &Threads, sharing: &Sharing) -> Visible {
        let entries = threads.entries().into_iter().collect();
        let mut search = Search { points_to, sharing, entries, known: FxHashMap::default() };
        let edges = program.functions.iter().enumerate().map(|(index, function)| {
            let id = FunctionId::new(index);
            let locals = (0..function.frame.len()).map(FrameObjectId::new);
            let has_shared_locals = locals.into_iter().any(|local| search.is_shared_local(id, local));
            let is_visible = |action: &Action| search.is_visible(id, action, has_shared_locals);
            function.edges.iter().map(|edge| &edge.action).map(is_visible).collect()
        });
        Visible { edges: edges.collect() }
    }

    /// Whether an edge is a visible step.
    pub fn is_visible(&self, function: FunctionId, edge: EdgeId) -> bool {
        self.edges.get(function.index()).and_then(|edges| edges.get(edge.index())) == Some(&true)
    }
}

struct Search<'a> {
    points_to: &'a PointsTo,
    sharing: &'a Sharing,
    /// The functions that threads start with.
    entries: Vec<FunctionId>,
    /// Whether something shared is among targets.
    known: FxHashMap<SharedTargets, bool>,
}

impl Search<'_> {
    fn is_shared_object(&self, object: AbstractObject) -> bool {
        object == AbstractObject::Thread
            || self.sharing.shared.contains_key(&object)
            || self.sharing.synchronisation.contains(&object)
    }

    fn is_shared_local(&self, function: FunctionId, local: FrameObjectId) -> bool {
        self.is_shared_object(AbstractObject::Frame(function, local))
    }

    /// Whether an address may be that of something shared. What the library keeps for the program as a whole is at
    /// none.
    fn is_shared(&mut self, function: FunctionId, address: &Expr) -> bool {
        let targets = self.points_to.shared_targets_of(function, address);
        if let Some(known) = self.known.get(&targets) {
            return *known;
        }
        let is_shared = targets.is_empty() || targets.iter().any(|target| self.is_shared_object(target.object));
        self.known.insert(targets, is_shared);
        is_shared
    }

    fn is_visible(&mut self, function: FunctionId, action: &Action, has_shared_locals: bool) -> bool {
        let is_by_itself = match action {
            Action::Spawn { .. }
            | Action::ThreadExit { .. }
            | Action::Exit { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd => true,
            // Others may wait for the end of a thread, and its locals die with a function.
            Action::Return { .. } => has_shared_locals || self.entries.contains(&function),
            Action::Forget { object } | Action::EndLife { object } => self.is_shared_local(function, *object),
            Action::Atomic(steps) => steps.iter().any(|step: &AtomicStep| step.threads_touch().is_some()),
            Action::Assume(_)
            | Action::Assign { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::Havoc { .. }
            | Action::Allocate { .. }
            | Action::Free { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::Call { .. }
            | Action::Fence(_)
            | Action::Output(_)
            | Action::Unsupported(_)
            | Action::Inexact(_) => false,
        };
        is_by_itself || action.touches().iter().any(|touch| self.is_shared(function, touch.address))
    }
}
