//! Joins in a row: which of the remaining threads `main` waits for first does not matter.
//!
//! Programs keep their threads' handles in an array and join them one after the other. The order of the handles would
//! tell threads apart that are otherwise the same, and so would how far the joining has got. But while `main` waits in
//! the middle of a row of joins, with nothing in between that another thread could notice, all that counts is which
//! threads it still waits for, and how it goes on after the last of them. So in the encoding of a state in which `main`
//! waits, its activations are replaced by those that it will have after the row, and the threads in the row are marked.
//!
//! Why that is sound: two states with the same encoding have the same threads running, in the row or not, and the same
//! rest of `main`. Whatever the other threads do in one they can do in the other; `main` joins in another order, and
//! arrives at the same place when they all have finished. No other thread looks at the status of threads
//! ([`Footprints::row_is_private`]), so nothing tells how far `main` is. What a thread returned is not known
//! beforehand: in its place stand bytes that can only be moved and that name the thread. If they are still there after
//! the row, they tell the threads apart as they should; if they are computed with, the row ends before.
//!
//! [`Footprints::row_is_private`]: crate::footprints::Footprints::row_is_private

use std::sync::Arc;

use rustc_hash::FxHashMap;
use selvedge_analysis::AbstractObject;
use selvedge_program::semantics::eval::Evaluator;
use selvedge_program::semantics::{
    Answers, Byte, GhostKey, Instance, Outcome, Pointer, Semantics, Silent, State, Thread, Value,
};
use selvedge_program::thread_status::FINISHED;
use selvedge_program::{Action, Callee, EdgeId, GhostField, ThreadIndex};

use crate::footprints::{Footprints, Visibility};
use crate::parts::{Shared, local_at, number_at, own_at, shared_at};
use crate::view::View;

const MAIN: ThreadIndex = ThreadIndex(0);

/// No row of joins is followed for more steps than this.
const MOST_STEPS: usize = 1000;

/// A row of joins ahead of `main`.
#[derive(Clone, Debug)]
pub struct JoinRow {
    /// The threads in it.
    pub threads: Vec<ThreadIndex>,
    /// What `main` will be after it.
    pub after: Arc<Thread>,
}

/// Finds rows of joins, remembering those found.
#[derive(Debug)]
pub struct JoinRows<'f, 'p> {
    facts: &'f Footprints<'p>,
    semantics: Semantics<'p>,
    /// By the numbers of what a row depends on: where `main` stands, what it owns, the variables that no other thread
    /// uses, and which threads cannot be joined any more.
    known: FxHashMap<Box<[u32]>, Option<JoinRow>>,
    key: Vec<u32>,
}

impl<'f, 'p> JoinRows<'f, 'p> {
    /// For one program.
    pub fn new(facts: &'f Footprints<'p>) -> Self {
        Self { facts, semantics: Semantics::new(facts.program), known: FxHashMap::default(), key: Vec::new() }
    }

    /// Forgets what is remembered by numbers that are about to change.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// The row of joins that `main` waits in, if it does.
    pub fn of(&mut self, view: View<'_, '_, '_>) -> Option<&JoinRow> {
        if view.thread_count() < 2 {
            return None;
        }
        let [target] = view.outlook(MAIN).watches.as_slice() else { return None };
        if view.frames(*target).is_empty() || view.atomic_section().is_some() || !self.facts.row_is_private(view) {
            return None;
        }
        self.find_key(view);
        if !self.known.contains_key(self.key.as_slice()) {
            if self.known.len() > 100_000 {
                self.known.clear();
            }
            let state = view.parts().world(view.row()).state;
            let row = self.joining(&state).and_then(|_| self.find(&state));
            self.known.insert(self.key.as_slice().into(), row);
        }
        self.known.get(self.key.as_slice())?.as_ref()
    }

    fn find_key(&mut self, view: View<'_, '_, '_>) {
        self.key.clear();
        self.key.extend([number_at(view.row(), local_at(MAIN)), number_at(view.row(), own_at(MAIN))]);
        for (position, shared) in view.parts().shared().iter().enumerate() {
            if let Shared::Variable(object, _) = shared
                && !self.facts.contended.contains(&AbstractObject::Static(*object))
            {
                self.key.push(number_at(view.row(), shared_at(view.thread_count(), position)));
            }
        }
        let cannot_be_joined = |thread: &ThreadIndex| {
            view.own(*thread).ghosts.iter().any(|(key, value)| {
                key.object == Some(Instance::Thread(*thread))
                    && (key.field == GhostField::ThreadDetached
                        || key.field == GhostField::ThreadStatus && !is_finished_only(value))
            })
        };
        self.key.extend(view.threads().filter(cannot_be_joined).map(|thread| thread.0));
    }

    /// The edge and the thread, if `main` stands at a join and at nothing else.
    fn joining(&self, state: &State) -> Option<(EdgeId, ThreadIndex)> {
        let frame = state.frame(MAIN)?;
        let function = self.facts.program.function(frame.function);
        let [edge] = function.location(frame.location).outgoing.as_slice() else { return None };
        let joined = function.edge(*edge).action.joined_thread()?;
        let evaluator = Evaluator::of_thread(self.facts.program, state, MAIN);
        match evaluator.eval(joined).ok()? {
            Value::Pointer(Pointer { object: Instance::Thread(thread), offset: 0 }) if thread != MAIN => {
                Some((*edge, thread))
            }
            _ => None,
        }
    }

    fn find(&self, state: &State) -> Option<JoinRow> {
        let mut state = state.clone();
        let mut threads = Vec::new();
        for _ in 0..MOST_STEPS {
            let before = state.clone();
            let result = match self.joining(&state) {
                Some((edge, thread)) if !threads.contains(&thread) => {
                    if is_joined(&state, thread) {
                        break;
                    }
                    let width = GhostField::ThreadStatus.width(self.facts.program.data_model);
                    state.suppose(key(thread, GhostField::ThreadStatus), Value::bits(width, FINISHED));
                    state.suppose(key(thread, GhostField::ThreadResult), unknown(thread, self.pointer_size()));
                    let result = self.step(&mut state, edge);
                    if result.is_ok() {
                        threads.push(thread);
                    }
                    result
                }
                Some(_) => break,
                None => match self.quiet_edge(&state) {
                    Some(edge) => self.step(&mut state, edge),
                    None => break,
                },
            };
            if result.is_err() {
                state = before;
                break;
            }
        }
        if threads.is_empty() {
            return None;
        }
        Some(JoinRow { threads, after: Arc::clone(state.shared_thread(MAIN)?) })
    }

    fn pointer_size(&self) -> u32 {
        self.facts.program.data_model.pointer_size()
    }

    fn step(&self, state: &mut State, edge: EdgeId) -> Result<(), Outcome> {
        self.semantics.apply(state, MAIN, edge, &mut Answers::new(&[]), &mut Silent)
    }

    /// The edge that `main` takes next, if that is certain, touches nothing but its own, and changes no memory.
    fn quiet_edge(&self, state: &State) -> Option<EdgeId> {
        let frames = &state.thread(MAIN)?.frames;
        let frame = frames.last()?;
        if self.facts.visibility(frame.function, frame.location) != Visibility::Private
            && !self.facts.returns_quietly(frame.function, frame.location)
        {
            return None;
        }
        let function = self.facts.program.function(frame.function);
        let evaluator = Evaluator::of_thread(self.facts.program, state, MAIN);
        let mut found = None;
        for edge in &function.location(frame.location).outgoing {
            let passes = match &function.edge(*edge).action {
                Action::Assume(condition) => evaluator.holds(condition).ok()?,
                Action::Assign { .. } | Action::Load { .. } | Action::Fence(_) => true,
                Action::Return { .. } => frames.len() > 1,
                Action::Call { callee: Callee::Direct(callee), .. } => {
                    self.facts.program.function(*callee).frame.is_empty()
                }
                Action::Output(pieces) => pieces.iter().all(|piece| piece.string().is_none()),
                Action::Call { callee: Callee::Indirect(_), .. }
                | Action::Store { .. }
                | Action::Atomic(_)
                | Action::Havoc { .. }
                | Action::Forget { .. }
                | Action::EndLife { .. }
                | Action::Spawn { .. }
                | Action::ThreadExit { .. }
                | Action::Exit { .. }
                | Action::Allocate { .. }
                | Action::Free { .. }
                | Action::Assert { .. }
                | Action::Require { .. }
                | Action::AtomicBegin
                | Action::AtomicEnd
                | Action::Unsupported(_)
                | Action::Inexact(_) => return None,
            };
            if passes && found.replace(*edge).is_some() {
                return None;
            }
        }
        found
    }
}

fn key(thread: ThreadIndex, field: GhostField) -> GhostKey {
    GhostKey { object: Some(Instance::Thread(thread)), offset: 0, field }
}

fn is_joined(state: &State, thread: ThreadIndex) -> bool {
    match state.ghost(key(thread, GhostField::ThreadStatus)) {
        Some(value) => !is_finished_only(value),
        None => false,
    }
}

/// Whether a status says that the thread has ended and has not been joined.
fn is_finished_only(status: &Value) -> bool {
    matches!(status, Value::Bits(bits) if bits.unsigned() == FINISHED)
}

/// Bytes that name a thread, but not in an order that would make them a pointer.
fn unknown(thread: ThreadIndex, size: u32) -> Value {
    let pointer = Pointer { object: Instance::Thread(thread), offset: 0 };
    Value::Raw((0..size).rev().map(|position| Byte::Part(pointer, position as u8)).collect())
}
