//! Threads of pthreads and of C11: creation, joining, detaching, exit, identity, clean-up handlers.
//!
//! A thread's identity is the address of its object. It is stored before the new thread can run: C11 demands that of
//! `thrd_create`; of `pthread_create` POSIX leaves it open, and `--late-thread-id` has it stored later. Creation never
//! fails. Of a thread's attributes only the detach state matters. Joining oneself returns `EDEADLK`. Joining or
//! detaching what is no joinable thread is undefined; where the thread is detached the C library answers `EINVAL`, and
//! there is a way on with that as well.

use super::arguments::{choose, int, int_result};
use super::ghost::set;
use super::mutex::{Codes, set_attribute};
use super::{ModelCall, Modelled, cancel};
use crate::lower::builder::AtomicBuilder;
use selvedge_program::thread_status::{FINISHED, JOINED};
use selvedge_program::{
    Access, Action, Atomicity, Base, Callee, Display, Expr, FrameObject, GhostField, LocationId, Operation, Place,
    RegisterId, Shape, Undefined,
};

/// What a thread starts with that runs destructors at its end.
const START_THREAD: &str = "__selvedge_start_thread";

/// The same for a thread that blocks the signals that its creator blocks.
const START_MASKED: &str = "__selvedge_start_masked_thread";
const START_MASKED_WITH_KEYS: &str = "__selvedge_start_masked_thread_with_keys";

/// `pthread_create`.
pub(super) fn create(call: &mut ModelCall<'_, '_>) -> Modelled {
    let attribute = call.pointer(1);
    let detached = call.attribute_or_zero(attribute);
    let order = if call.latitude.late_thread_id { IdStored::AfterStart } else { IdStored::BeforeStart };
    let thread = call.spawn(2, START_THREAD, order);
    call.when(detached.is_true(), |call| {
        let yes = call.ghost(GhostField::ThreadDetached, 1);
        let mut update = call.function.atomic();
        update.write_ghost(thread.clone(), GhostField::ThreadDetached, yes);
        update.commit();
    });
    int_result(0)
}

/// When a new thread's identity is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdStored {
    /// The thread finds it there.
    BeforeStart,
    /// The thread may run before it is there.
    AfterStart,
}

impl ModelCall<'_, '_> {
    /// What a new thread starts with: the function that an argument points to, with the argument after that. Where more
    /// is to be done before or after that function, the thread starts with a model in C.
    fn start(&mut self, routine: usize, with_destructors: &str) -> (Callee, Vec<Expr>) {
        let span = self.function.span;
        self.function.program.add_caveat(span, "the creation of threads is assumed to succeed");
        let (called, argument) = (self.pointer(routine), self.pointer(routine + 1));
        let is_masked = self.facts.has_signal_handlers && self.facts.sets_signal_mask;
        if is_masked && !self.facts.asks_thread_number && with_destructors == START_THREAD {
            let mask = self.call_c("__selvedge_own_mask", Vec::new(), 64);
            let starts = if self.facts.has_key_destructors { START_MASKED_WITH_KEYS } else { START_MASKED };
            let start = self.function.program.c_model(starts);
            return (Callee::Direct(start), vec![called, argument, mask]);
        }
        if is_masked {
            self.function.unsupported(
                "a thread that takes over which signals are blocked, beside `__VERIFIER_tid` or C11 threads",
            );
        }
        if self.facts.asks_thread_number {
            if self.facts.has_key_destructors || with_destructors != START_THREAD {
                self.function.unsupported("`__VERIFIER_tid` beside C11 threads or destructors of thread-specific data");
            }
            let number = self.call_c("__selvedge_next_thread_number", Vec::new(), 32);
            let start = self.function.program.c_model("__selvedge_start_numbered_thread");
            return (Callee::Direct(start), vec![called, argument, number]);
        }
        if self.facts.has_key_destructors {
            let start = self.function.program.c_model(with_destructors);
            return (Callee::Direct(start), vec![called, argument]);
        }
        (self.callee(routine), vec![argument])
    }

    /// Starts a thread, with the place where its identity is to be stored at the same time; gives that.
    fn spawn_storing(&mut self, (entry, arguments): (Callee, Vec<Expr>), id: Option<Access>) -> Expr {
        if let Callee::Direct(function) = entry {
            self.function.program.spawned.insert(function);
        }
        let target = self.function.temporary(self.function.pointer_width(), Display::Pointer);
        self.function.emit(Action::Spawn { target, entry, arguments, id });
        self.function.value(target)
    }

    /// Starts a thread with the function that an argument points to and the argument after that; stores its identity
    /// through the first argument, and gives it.
    pub(super) fn spawn(&mut self, routine: usize, with_destructors: &str, stored: IdStored) -> Expr {
        let start = self.start(routine, with_destructors);
        let size = self.pointer_size();
        let fits = self.target_size(0, size) == size;
        let id = (fits && stored == IdStored::BeforeStart)
            .then(|| self.pointer(0))
            .map(|address| Access { place: Place::Memory { address, size, align: size }, atomicity: Atomicity::Plain });
        let is_stored = id.is_some();
        let thread = self.spawn_storing(start, id);
        if !is_stored {
            self.store_through(0, size, thread.clone());
        }
        thread
    }
}

/// What is read of a thread in one update.
struct Seen {
    is_self: Expr,
    status: Expr,
}

impl Seen {
    /// Reads the thread; undefined unless it can be joined.
    fn read(update: &mut AtomicBuilder<'_, '_>, thread: &Expr, me: Expr) -> Seen {
        let status = update.read_ghost(thread.clone(), GhostField::ThreadStatus);
        let detached = update.read_ghost(thread.clone(), GhostField::ThreadDetached);
        let joined = Expr::equal(status.clone(), Expr::constant(status.width(), JOINED));
        update.require(joined.or(detached.is_true()).not(), Undefined::BadThread);
        Seen { is_self: Expr::equal(thread.clone(), me), status }
    }

    fn is_finished(&self) -> Expr {
        Expr::equal(self.status.clone(), Expr::constant(self.status.width(), FINISHED))
    }
}

fn mark_joined(update: &mut AtomicBuilder<'_, '_>, thread: &Expr, when: Expr, status_width: u32) {
    let joined = Expr::constant(status_width, JOINED);
    update.write_ghost_when(when, thread.clone(), GhostField::ThreadStatus, joined);
}

/// A way on from a call that has to do with a detached thread, beside the one on which that is undefined: the C library
/// answers with an error, and programs go on with it. Sets the status.
fn go_on_if_detached(call: &mut ModelCall<'_, '_>, thread: &Expr, status: RegisterId, end: LocationId) {
    let code = Codes::of(call.name).invalid;
    let mut update = call.function.atomic();
    let detached = update.read_ghost(thread.clone(), GhostField::ThreadDetached);
    update.guard(detached.is_true());
    set(&mut update, status, int(code));
    update.commit_to(end);
}

/// How long a join waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patience {
    Unlimited,
    /// The time can run out whenever the thread has not finished.
    Limited,
    None,
}

/// Waits for a thread; the status register and what the thread returned (if the status is 0).
fn wait_for(call: &mut ModelCall<'_, '_>, patience: Patience) -> (RegisterId, Expr) {
    let (thread, me, codes) = (call.pointer(0), call.function.self_thread(), Codes::of(call.name));
    let (status, end) = (call.status(), call.function.location());
    let result = call.ghost_register(GhostField::ThreadResult);

    let mut update = call.function.atomic();
    let seen = Seen::read(&mut update, &thread, me.clone());
    if patience != Patience::None {
        update.guard(seen.is_finished().or(seen.is_self.clone()));
    }
    let value = update.read_ghost(thread.clone(), GhostField::ThreadResult);
    let joins = if patience == Patience::None { seen.is_finished() } else { seen.is_self.clone().not() };
    update.mark_when(joins, Operation::Join, thread.clone());
    mark_joined(&mut update, &thread, seen.is_finished(), seen.status.width());
    set(&mut update, result, value);
    let otherwise = if patience == Patience::None {
        choose(seen.is_self.clone(), codes.would_deadlock, codes.busy)
    } else {
        int(codes.would_deadlock)
    };
    set(&mut update, status, Expr::if_then_else(seen.is_finished(), int(0), otherwise));
    update.commit_to(end);

    if patience == Patience::Limited {
        let mut update = call.function.atomic();
        let seen = Seen::read(&mut update, &thread, me);
        update.guard(seen.is_finished().or(seen.is_self.clone()).not());
        set(&mut update, status, int(codes.timed_out));
        update.commit_to(end);
    }
    if call.facts.has_detach {
        go_on_if_detached(call, &thread, status, end);
    }
    if patience != Patience::None {
        call.or_be_cancelled();
    }
    call.function.stand_at(end);
    let value = call.function.value(result);
    (status, value)
}

fn join_with(call: &mut ModelCall<'_, '_>, patience: Patience) -> Modelled {
    let (status, value) = wait_for(call, patience);
    let wanted = call.pointer(1);
    if wanted != call.function.null() {
        let usual = if call.name.starts_with("thrd_") { 4 } else { call.pointer_size() };
        let done = Expr::equal(call.function.value(status), int(0));
        let condition = match &wanted {
            Expr::Address(..) => done,
            _ => done.and(wanted.is_true()),
        };
        call.when(condition, |call| call.store_through(1, usual, value));
    }
    call.status_result(status)
}

/// `pthread_join`, `thrd_join`.
pub(super) fn join(call: &mut ModelCall<'_, '_>) -> Modelled {
    join_with(call, Patience::Unlimited)
}

/// `pthread_tryjoin_np`.
pub(super) fn try_join(call: &mut ModelCall<'_, '_>) -> Modelled {
    join_with(call, Patience::None)
}

/// `pthread_timedjoin_np`, `pthread_clockjoin_np`.
pub(super) fn timed_join(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.read_time(call.arguments.len().saturating_sub(1).max(2));
    join_with(call, Patience::Limited)
}

/// `__VERIFIER_spawn`, `__VERIFIER_spawn_symmetric`: gives the thread's identity.
pub(super) fn verifier_spawn(call: &mut ModelCall<'_, '_>) -> Modelled {
    let start = call.start(0, START_THREAD);
    Modelled::Value(call.spawn_storing(start, None), Display::Pointer)
}

/// `__VERIFIER_join`, `__VERIFIER_join_symmetric`: gives what the thread returned.
pub(super) fn verifier_join(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (_, value) = wait_for(call, Patience::Unlimited);
    Modelled::Value(value, Display::Pointer)
}

/// `__VERIFIER_tid`: threads are numbered in the order of their creation, from 0 for the first.
pub(super) fn number(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.in_c("__selvedge_thread_number", 0)
}

/// `pthread_detach`, `thrd_detach`.
pub(super) fn detach(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (thread, me) = (call.pointer(0), call.function.self_thread());
    let yes = call.ghost(GhostField::ThreadDetached, 1);
    let (status, end) = (call.status(), call.function.location());
    let mut update = call.function.atomic();
    Seen::read(&mut update, &thread, me);
    update.write_ghost(thread.clone(), GhostField::ThreadDetached, yes);
    set(&mut update, status, int(0));
    update.commit_to(end);
    go_on_if_detached(call, &thread, status, end);
    call.function.stand_at(end);
    call.status_result(status)
}

/// `pthread_exit`.
pub(super) fn exit(call: &mut ModelCall<'_, '_>) -> Modelled {
    let value = call.pointer(0);
    call.exit_thread(value)
}

impl ModelCall<'_, '_> {
    /// Ends the executing thread.
    pub(super) fn exit_thread(&mut self, value: Expr) -> Modelled {
        if self.facts.has_exit_handlers {
            let reason = "in a program that registers handlers for the end of the process";
            return Modelled::Unsupported(format!("`{}` {reason}", self.name));
        }
        if self.facts.has_cancel {
            let me = self.function.self_thread();
            let mut update = self.function.atomic();
            cancel::note_acting(&mut update, &me);
            update.commit();
        }
        self.end_thread(value);
        Modelled::NoReturn
    }
}

/// `pthread_self`, `thrd_current`.
pub(super) fn current(call: &mut ModelCall<'_, '_>) -> Modelled {
    Modelled::Value(call.function.self_thread(), Display::Pointer)
}

/// `pthread_equal`, `thrd_equal`.
pub(super) fn equal(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (left, right) = (call.pointer(0), call.pointer(1));
    Modelled::Value(Expr::equal(left, right).resize_unsigned(32), Display::Signed)
}

/// `pthread_attr_setdetachstate`.
pub(super) fn set_detach_state(call: &mut ModelCall<'_, '_>) -> Modelled {
    set_attribute(call, 1)
}

impl ModelCall<'_, '_> {
    /// What a function keeps of a clean-up handler that it pushes: three pointers.
    fn cleanup_record(&mut self) -> Expr {
        let size = self.pointer_size();
        let object = self.function.frame_object(FrameObject {
            name: "clean-up handler".to_owned(),
            size: u64::from(3 * size),
            align: size,
            shape: Shape::Opaque,
            type_name: "clean-up handler".to_owned(),
            span: self.function.span,
        });
        self.function.address(Base::Frame(object))
    }
}

/// `pthread_cleanup_push`, as our header spells it.
pub(super) fn push_cleanup(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (routine, argument) = (call.pointer(0), call.pointer(1));
    if call.facts.keeps_handlers() {
        let record = call.cleanup_record();
        call.function.cleanup_handlers.push((record.clone(), argument.clone()));
        return Modelled::CallC("__selvedge_push_cleanup_handler", vec![record, routine, argument]);
    }
    let routine = call.function.hold(routine, Display::Pointer);
    let argument = call.function.hold(argument, Display::Pointer);
    call.function.cleanup_handlers.push((routine, argument));
    Modelled::Void
}

/// `pthread_cleanup_pop`, as our header spells it: both stand in one block, so the innermost handler at this place of
/// the source is the one to pop.
pub(super) fn pop_cleanup(call: &mut ModelCall<'_, '_>) -> Modelled {
    let execute = call.int(0);
    let Some((routine, argument)) = call.function.cleanup_handlers.pop() else {
        return Modelled::Unsupported(
            "`pthread_cleanup_pop` without `pthread_cleanup_push` in the same block".to_owned(),
        );
    };
    if call.facts.keeps_handlers() {
        return Modelled::CallC("__selvedge_pop_cleanup_handler", vec![routine, execute]);
    }
    call.when(execute.is_true(), |call| {
        let callee = match routine {
            Expr::Address(Base::Function(function), _) => Callee::Direct(function),
            pointer => Callee::Indirect(pointer),
        };
        call.function.emit(Action::Call { target: None, callee, arguments: vec![argument] });
    });
    Modelled::Void
}

/// Stores any number where a getter of something we do not keep would store it.
pub(super) fn get_anything(call: &mut ModelCall<'_, '_>) -> Modelled {
    let last = call.arguments.len().saturating_sub(1);
    let value = call.function.havoc(64, Display::Unsigned);
    call.store_through(last, 4, value);
    int_result(0)
}
