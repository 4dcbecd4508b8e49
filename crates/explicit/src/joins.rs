//! Joins in a row: which of the remaining threads `main` waits for first does not matter.
//!
//! Programs keep their threads' handles in an array and join them one after the other. The order of the handles would tell
//! threads apart that are otherwise the same, and so would how far the joining has got. But while `main` waits in the middle of a
//! row of joins, with nothing in between that another thread could notice, all that counts is which threads it still waits for,
//! and how it goes on after the last of them. So in the encoding of a state in which `main` waits, its activations are replaced
//! by those that it will have after the row, and the threads in the row are marked.
//!
//! Why that is sound: two states with the same encoding have the same threads running, in the row or not, and the same rest of
//! `main`. Whatever the other threads do in one they can do in the other; `main` joins in another order, and arrives at the same
//! place when they all have finished. No other thread looks at the status of threads ([`Facts::row_is_private`]), so nothing
//! tells how far `main` is. What a thread returned is not known beforehand: in its place stand bytes that can only be moved
//! and that name the thread. If they are still there after the row, they tell the threads apart as they should; if they
//! are computed with, the row ends before.
//!
//! [`Facts::row_is_private`]: crate::facts::Facts::row_is_private

use std::sync::Arc;

use rustc_hash::FxHashMap;
use selvedge_program::semantics::calls::FINISHED;
use selvedge_program::semantics::eval::Scope;
use selvedge_program::semantics::{
    Answers, Byte, GhostKey, Instance, Outcome, Pointer, Semantics, Silent, State, Thread, Value,
};
use selvedge_program::{Action, AtomicStep, Callee, EdgeId, GhostField, OutputPiece, Place, ThreadIndex};

use crate::facts::{Facts, Visibility};
use crate::region::waits_for_end;
use crate::world::World;

const MAIN: ThreadIndex = ThreadIndex(0);

/// No row of joins is followed for more steps than this.
const MOST_STEPS: usize = 1000;

/// A row of joins ahead of `main`.
#[derive(Clone, Debug)]
pub struct Row {
    /// The threads in it.
    pub threads: Vec<ThreadIndex>,
    /// What `main` will be after it.
    pub after: Arc<Thread>,
}

/// Finds rows of joins, remembering those found.
#[derive(Debug)]
pub struct Rows<'f, 'p> {
    facts: &'f Facts<'p>,
    semantics: Semantics<'p>,
    /// By the address of `main`'s thread, which is kept so that it is not used again. Everything a row depends on is `main`'s
    /// own and changes only when `main` moves.
    known: FxHashMap<usize, (Arc<Thread>, Option<Row>)>,
}

impl<'f, 'p> Rows<'f, 'p> {
    /// For one program.
    pub fn new(facts: &'f Facts<'p>) -> Self {
        Self { facts, semantics: Semantics::new(facts.program), known: FxHashMap::default() }
    }

    /// The row of joins that `main` waits in, if it does.
    pub fn of(&mut self, world: &World) -> Option<&Row> {
        let [target] = world.outlooks.first()?.watches.as_slice() else { return None };
        if world.state.frame(*target).is_none() || world.state.atomic_section().is_some() {
            return None;
        }
        let thread = world.state.shared_thread(MAIN)?;
        self.joining(&world.state)?;
        if !self.facts.row_is_private(world) {
            return None;
        }
        let address = Arc::as_ptr(thread) as usize;
        if !self.known.contains_key(&address) {
            if self.known.len() > 100_000 {
                self.known.clear();
            }
            let row = self.find(&world.state);
            self.known.insert(address, (Arc::clone(thread), row));
        }
        self.known.get(&address)?.1.as_ref()
    }

    /// The edge and the thread, if `main` stands at a join and at nothing else.
    fn joining(&self, state: &State) -> Option<(EdgeId, ThreadIndex)> {
        let frame = state.frame(MAIN)?;
        let function = self.facts.program.function(frame.function);
        let [edge] = function.location(frame.location).outgoing.as_slice() else { return None };
        let Action::Atomic(steps) = &function.edge(*edge).action else { return None };
        if !waits_for_end(steps) {
            return None;
        }
        let status = steps.iter().find_map(|step| match step {
            AtomicStep::Read { access, .. } => match &access.place {
                Place::Ghost { address, field: GhostField::ThreadStatus } => Some(address),
                _ => None,
            },
            _ => None,
        })?;
        let scope = Scope::of_thread(self.facts.program, state, MAIN);
        match scope.eval(status).ok()? {
            Value::Pointer(Pointer { object: Instance::Thread(thread), offset: 0 }) if thread != MAIN => {
                Some((*edge, thread))
            }
            _ => None,
        }
    }

    fn find(&self, state: &State) -> Option<Row> {
        let mut state = state.clone();
        let mut threads = Vec::new();
        for _ in 0..MOST_STEPS {
            let before = state.clone();
            let result = match self.joining(&state) {
                Some((edge, thread)) if !threads.contains(&thread) => {
                    if is_joined(&state, thread) {
                        break;
                    }
                    state.suppose(key(thread, GhostField::ThreadStatus), Value::bits(32, FINISHED));
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
        Some(Row { threads, after: Arc::clone(state.shared_thread(MAIN)?) })
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
        let scope = Scope::of_thread(self.facts.program, state, MAIN);
        let mut found = None;
        for edge in &function.location(frame.location).outgoing {
            let passes = match &function.edge(*edge).action {
                Action::Assume(condition) => scope.holds(condition).ok()?,
                Action::Assign { .. } | Action::Load { .. } => true,
                Action::Return { .. } => frames.len() > 1,
                Action::Call { callee: Callee::Direct(callee), .. } => {
                    self.facts.program.function(*callee).frame.is_empty()
                }
                Action::Output(pieces) => !pieces.iter().any(|piece| matches!(piece, OutputPiece::CString(..))),
                _ => return None,
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
        Some(Value::Bits(bits)) => bits.unsigned() != FINISHED,
        Some(_) => true,
        None => false,
    }
}

/// Bytes that name a thread, but not in an order that would make them a pointer.
fn unknown(thread: ThreadIndex, size: u32) -> Value {
    let pointer = Pointer { object: Instance::Thread(thread), offset: 0 };
    Value::Raw((0..size).rev().map(|position| Byte::Part(pointer, position as u8)).collect())
}
