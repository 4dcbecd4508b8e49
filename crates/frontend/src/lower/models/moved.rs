//! Locks in memory that the library moves or overwrites. A lock's state is not in its bytes but with the object it lies
//! in, at its address, and pointers do not show where locks are; so before bytes are moved, what they take along or
//! bury is looked for where the program runs. If a lock is in use there, or is not as a new one is, what becomes of it is
//! known only roughly: overwritten, it is as new, and whoever uses it or its copy without initialising it is perhaps
//! undefined. That this may come is said where the bytes are moved, once for all uses.
//!
//! Only programs that both move memory and use locks pay for this, and only for the state that they use.

use super::ModelCall;
use super::library_use::LibraryUse;
use crate::lower::builder::{FunctionBuilder, ProgramBuilder, ghost_type};
use selvedge_program::{
    Access, AccessKind, Action, AtomicStep, Atomicity, BinaryOp, Callee, Display, Expr, GhostField, Place, Touched,
    Undefined,
};

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

/// Makes every lock that begins in so many bytes as new, plainly, as the bytes are overwritten.
pub(super) fn bury_locks(function: &mut FunctionBuilder<'_>, facts: LibraryUse, at: &Expr, count: u64) {
    let model = function.program.data_model;
    let fields: Vec<GhostField> = fields().filter(|field| facts.moves(*field)).collect();
    let write = |(offset, field): (u64, GhostField)| {
        let place = Place::Ghost { address: at.clone().plus(offset), field };
        let access = Access { place, atomicity: Atomicity::Plain };
        AtomicStep::Write { when: Expr::truth(), access, value: Expr::constant(field.width(model), 0) }
    };
    let places = (0..count).flat_map(|offset| fields.iter().map(move |field| (offset, *field)));
    let steps: Vec<AtomicStep> = places.map(write).collect();
    if !steps.is_empty() {
        function.emit(Action::Atomic(steps));
    }
}

/// Lets a lock be taken by this thread, given back, or changed: what a function that nobody knows may do with it.
pub(super) fn change_lock(function: &mut FunctionBuilder<'_>, facts: LibraryUse, at: &Expr) {
    for field in fields().filter(|field| facts.moves(*field)) {
        let (width, display) = ghost_type(field, function.program.data_model);
        let is_changed = function.havoc(1, Display::Bool);
        let place = Place::Ghost { address: at.clone(), field };
        let access = Access { place, atomicity: Atomicity::SEQUENTIAL };
        let old = function.temporary(width, display);
        let is_owner = matches!(field, GhostField::MutexOwner | GhostField::WriteOwner | GhostField::SpinOwner);
        let value = match is_owner {
            true => {
                let is_taken = function.value(old).is_true();
                Expr::if_then_else(is_taken, Expr::constant(width, 0), function.self_thread())
            }
            false => function.havoc(width, display),
        };
        let read = AtomicStep::Read { target: old, access: access.clone() };
        function.emit(Action::Atomic(vec![read, AtomicStep::Write { when: is_changed, access, value }]));
    }
}

/// What is done with bytes in which locks may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// They are copied to elsewhere.
    Copied,
    /// They are overwritten.
    Overwritten,
}

/// Looks for locks in use that begin in some bytes, before something is done with these.
pub fn move_locks(function: &mut FunctionBuilder<'_>, facts: LibraryUse, at: &Expr, size: &Expr, moved: Moved) {
    function.program.moves_memory = true;
    if facts.telling().next().is_none() {
        return;
    }
    let (found, end) = (function.location(), function.location());
    match size {
        Expr::Constant(size) if size.unsigned() <= SHORT => {
            let size = size.unsigned() as u64;
            for offset in (0..size).step_by(8) {
                let in_use = lock_in_use(function, facts, &at.clone().plus(offset), (size - offset).min(8));
                let next = function.location();
                function.branch(in_use, found, next);
                function.stand_at(next);
            }
            function.jump(end);
        }
        _ => {
            let in_use = call_with_area(function, "__selvedge_locks_in_use", at, size).is_true();
            function.branch(in_use, found, end);
        }
    }
    function.stand_at(found);
    function.inexact("a byte by byte copy or change of a lock that is in use, or not of the default kind");
    let is_used_later = function.havoc(1, Display::Bool);
    function.require(is_used_later.not(), Undefined::UseAfterDestroy);
    // A copy of a lock that is held may never be free.
    let (stuck, next) = (function.location(), function.location());
    let waits_for_ever = function.havoc(1, Display::Bool);
    function.branch(waits_for_ever, stuck, next);
    function.stand_at(stuck);
    function.emit(Action::Atomic(vec![AtomicStep::Guard(Expr::falsehood())]));
    function.jump(next);
    function.stand_at(next);
    if moved == Moved::Overwritten {
        call_with_area(function, "__selvedge_bury_locks", at, size);
    }
    function.jump(end);
    function.stand_at(end);
}

fn call_with_area(function: &mut FunctionBuilder<'_>, name: &'static str, at: &Expr, size: &Expr) -> Expr {
    let target = function.temporary(32, Display::Signed);
    let callee = Callee::Direct(function.program.c_model(name));
    function.emit(Action::Call { target: Some(target), callee, arguments: vec![at.clone(), size.clone()] });
    function.value(target)
}

impl ModelCall<'_, '_> {
    /// A function that nobody knows may use the locks in an object that it is given, unless it is given null.
    pub(in crate::lower) fn change_locks(&mut self, index: usize, size: u64) {
        self.function.program.moves_memory = true;
        if self.facts.moved.is_nothing() {
            return;
        }
        let (at, size) = (self.pointer(index), Expr::constant(self.function.pointer_width(), u128::from(size)));
        self.when(at.clone().is_true(), |call| {
            call_with_area(call.function, "__selvedge_change_locks", &at, &size);
        });
    }

    /// Before the library moves or overwrites memory: what becomes of the locks in it.
    pub fn check_moved_locks(&mut self) {
        use Moved::{Copied, Overwritten};
        match self.plain_name() {
            "memcpy" | "memmove" | "mempcpy" | "__mempcpy" => self.move_locks_at(&[(1, Copied), (0, Overwritten)], 2),
            "bcopy" => self.move_locks_at(&[(0, Copied), (1, Overwritten)], 2),
            "memset" => self.move_locks_at(&[(0, Overwritten)], 2),
            "bzero" | "explicit_bzero" => self.move_locks_at(&[(0, Overwritten)], 1),
            "qsort" | "qsort_r" => {
                let (count, each) = (self.size(1), self.size(2));
                self.move_locks_in(0, &Expr::binary(BinaryOp::Multiply, count, each), Overwritten);
            }
            "realloc" | "reallocarray" => {
                let old = self.pointer(0);
                self.function.program.moves_memory = true;
                if self.facts.telling().next().is_some() {
                    self.when(old.clone().is_true(), |call| {
                        let size = call.load_ghost(old, GhostField::ObjectSize);
                        call.move_locks_in(0, &size, Copied);
                    });
                }
            }
            _ => {}
        }
    }

    fn move_locks_at(&mut self, areas: &[(usize, Moved)], size: usize) {
        let size = self.size(size);
        areas.iter().for_each(|(area, moved)| self.move_locks_in(*area, &size, *moved));
    }

    fn move_locks_in(&mut self, area: usize, size: &Expr, moved: Moved) {
        let at = self.pointer(area);
        move_locks(self.function, self.facts, &at, size, moved);
    }
}
