//! Locks in memory that the library moves or overwrites. A lock's state is not in its bytes but with the object it lies
//! in, at its address, and pointers do not show where locks are; so before bytes are moved, what they take along or
//! bury is looked for where the program runs. If a lock is in use there, or is not as a new one is, that is not
//! modelled.
//!
//! Only programs that both move memory and use locks pay for this, and only for the state that they use.

use super::ModelCall;
use super::library_use::LibraryUse;
use crate::lower::builder::{FunctionBuilder, ProgramBuilder};
use selvedge_program::{AccessKind, Action, BinaryOp, Callee, Display, Expr, GhostField, Touched};

/// State that a lock or an attribute object has; what is new has 0 in all of it.
fn fields() -> impl Iterator<Item = GhostField> {
    let is_other = |field: &GhostField| matches!(field, GhostField::NextKey | GhostField::ObjectSize);
    GhostField::ALL.into_iter().filter(move |field| !field.belongs_to_thread() && !is_other(field))
}

/// Areas of at most so many bytes are looked at without a loop.
const SHORT: u128 = 64;

/// Some of the state that locks have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LockState(u16);

impl LockState {
    /// Whether it is nothing at all.
    pub fn is_nothing(self) -> bool {
        self == LockState::default()
    }

    /// What locks of a program can have besides their initial state, if memory is moved in it.
    pub fn of_program(program: &ProgramBuilder) -> LockState {
        let edges = program.functions.iter().flatten().flat_map(|function| &function.edges);
        let touches = edges.filter(|_| program.moves_memory).flat_map(|edge| edge.action.touches());
        touches.filter(|touch| touch.mode.kind == AccessKind::Write).fold(LockState::default(), |found, touch| {
            let at = fields().position(|field| touch.what == Touched::Ghost(field));
            LockState(found.0 | at.map_or(0, |at| 1 << at))
        })
    }
}

impl LibraryUse {
    /// Whether locks that are moved can have some state. What only some kinds of locks have is not written before those
    /// are known.
    pub fn moves(self, field: GhostField) -> bool {
        let kinds = self.has_mutex_kinds || self.prefers_writers;
        match field {
            GhostField::MutexCount => self.moves(GhostField::MutexOwner) && self.has_mutex_kinds,
            GhostField::MutexKind => !self.moved.is_nothing() && kinds,
            GhostField::WaitingWriters => self.moves(GhostField::WriteOwner) && self.prefers_writers,
            _ => fields().position(|other| other == field).is_some_and(|at| self.moved.0 >> at & 1 == 1),
        }
    }

    /// The state that tells whether a lock is in use. Destroyed ones are not, and counters are not 0 only where another
    /// field is.
    fn telling(self) -> impl Iterator<Item = GhostField> {
        use GhostField::{BarrierArrived, Destroyed, MutexCount, WaitingWriters};
        let tells = |field: &GhostField| !matches!(field, Destroyed | MutexCount | WaitingWriters | BarrierArrived);
        fields().filter(tells).filter(move |field| self.moves(*field))
    }
}

/// Whether a lock that is in use begins in so many bytes.
pub(super) fn lock_in_use(function: &mut FunctionBuilder<'_>, facts: LibraryUse, at: &Expr, count: u64) -> Expr {
    let mut update = function.atomic();
    let mut in_use = Expr::falsehood();
    for offset in 0..count {
        for field in facts.telling() {
            in_use = in_use.or(update.read_ghost(at.clone().plus(offset), field).is_true());
        }
    }
    update.commit();
    in_use
}

/// Not modelled if a lock that is in use begins in some bytes.
pub fn refuse_locks(function: &mut FunctionBuilder<'_>, facts: LibraryUse, at: &Expr, size: &Expr) {
    function.program.moves_memory = true;
    if facts.telling().next().is_none() {
        return;
    }
    let (moved, end) = (function.location(), function.location());
    match size {
        Expr::Constant(size) if size.unsigned() <= SHORT => {
            let size = size.unsigned() as u64;
            for offset in (0..size).step_by(8) {
                let in_use = lock_in_use(function, facts, &at.clone().plus(offset), (size - offset).min(8));
                let next = function.location();
                function.branch(in_use, moved, next);
                function.stand_at(next);
            }
            function.jump(end);
        }
        _ => {
            let target = function.temporary(32, Display::Signed);
            let callee = Callee::Direct(function.program.c_model("__selvedge_locks_in_use"));
            let arguments = vec![at.clone(), size.clone()];
            function.emit(Action::Call { target: Some(target), callee, arguments });
            let in_use = function.value(target).is_true();
            function.branch(in_use, moved, end);
        }
    }
    function.stand_at(moved);
    function.unsupported("a byte by byte copy or change of a lock that is in use, or not of the default kind");
    function.stand_at(end);
}

impl ModelCall<'_, '_> {
    /// Before the library moves or overwrites memory: not modelled if a lock in it is in use.
    pub fn check_moved_locks(&mut self) {
        match self.plain_name() {
            "memcpy" | "memmove" | "mempcpy" | "__mempcpy" => self.refuse_locks_at(&[1, 0], 2),
            "bcopy" => self.refuse_locks_at(&[0, 1], 2),
            "memset" => self.refuse_locks_at(&[0], 2),
            "bzero" | "explicit_bzero" => self.refuse_locks_at(&[0], 1),
            "qsort" | "qsort_r" => {
                let (count, each) = (self.size(1), self.size(2));
                self.refuse_locks_in(0, &Expr::binary(BinaryOp::Multiply, count, each));
            }
            "realloc" | "reallocarray" => {
                let old = self.pointer(0);
                self.function.program.moves_memory = true;
                if self.facts.telling().next().is_some() {
                    self.when(old.clone().is_true(), |call| {
                        let size = call.load_ghost(old, GhostField::ObjectSize);
                        call.refuse_locks_in(0, &size);
                    });
                }
            }
            _ => {}
        }
    }

    fn refuse_locks_at(&mut self, areas: &[usize], size: usize) {
        let size = self.size(size);
        areas.iter().for_each(|area| self.refuse_locks_in(*area, &size));
    }

    fn refuse_locks_in(&mut self, area: usize, size: &Expr) {
        let at = self.pointer(area);
        refuse_locks(self.function, self.facts, &at, size);
    }
}
