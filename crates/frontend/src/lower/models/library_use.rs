//! What is known of the whole program before it is lowered, so that models can stay simple where they may.
//!
//! The lowering takes note of every library function that it meets ([`LibraryUse::note_call`]) and of static
//! initialisers ([`LibraryUse::note_mutex_kind`]); if that is more than it knew, it starts again.

use super::moved::LockState;
use super::mutex::Kind;

/// How often a program may ask the library for something that must fit what it was told before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asked {
    /// Nowhere.
    #[default]
    Never,
    /// In one place that is passed once.
    Once,
    /// More often.
    Often,
}

impl Asked {
    fn again(&mut self, context: Context) {
        *self = if *self == Asked::Never && context == Context::Once { Asked::Once } else { Asked::Often };
    }
}

/// Where a library function is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// A call in `main`, outside of loops.
    Once,
    /// Any other place.
    Often,
}

/// What a program asks of the library. The default is a program without any library call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LibraryUse {
    /// Whether any mutex can be of another kind than the default one.
    pub has_mutex_kinds: bool,
    /// Whether any read-write lock can be of the kind that prefers writers.
    pub prefers_writers: bool,
    /// Whether threads can wait for one condition with different mutexes.
    pub varies_mutexes: bool,
    /// Whether the program calls any function that destroys a synchronisation object.
    pub has_destroy: bool,
    /// Whether the program can have detached threads.
    pub has_detach: bool,
    /// How often the program asks who it is.
    pub asks_pid: Asked,
    /// How often it reads a clock.
    pub asks_time: Asked,
    /// How often it looks at its environment.
    pub asks_environment: Asked,
    /// Whether it has variables that nobody defines.
    pub has_external_data: bool,
    /// Whether it looks at error numbers.
    pub looks_at_errno: bool,
    /// Whether the program pushes clean-up handlers.
    pub has_cleanup: bool,
    /// Whether threads can end otherwise than by returning.
    pub has_early_ends: bool,
    /// Whether threads can be cancelled.
    pub has_cancel: bool,
    /// Whether any mutex can be robust.
    pub has_robust: bool,
    /// Whether the program asks for the numbers of threads.
    pub asks_thread_number: bool,
    /// Whether any key of thread-specific data has a destructor.
    pub has_key_destructors: bool,
    /// Whether the program registers handlers for the end of the process.
    pub has_exit_handlers: bool,
    /// Whether the program installs handlers of signals.
    pub has_signal_handlers: bool,
    /// Of which signals, a bit for each.
    pub handled_signals: u64,
    /// Whether threads say which signals they block.
    pub sets_signal_mask: bool,
    /// Whether they say so in ways of which nothing is known.
    pub hides_signal_mask: bool,
    /// Whether the program jumps between functions.
    pub has_jumps: bool,
    /// The state of locks that may be moved with the memory they lie in.
    pub moved: LockState,
}

/// What standards leave to the C library, as the user wants it to be taken. The default is what programs are written
/// for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latitude {
    /// `pthread_create` stores the new thread's identity when that thread may be running already.
    pub late_thread_id: bool,
    /// Functions that need not be thread-safe are, as far as glibc promises it.
    pub thread_safe_libc: bool,
    /// Strings that are printed are read, and their text is left out of the output: nobody looks at it.
    pub silent_strings: bool,
}

impl LibraryUse {
    /// Takes note of a call, or of any other mention of the function, with those of its arguments that are constants.
    pub fn note_call(&mut self, name: &str, constants: &[Option<i128>], context: Context) {
        let constant = |index: usize| constants.get(index).copied().flatten();
        match name {
            "pthread_mutexattr_settype" | "pthread_mutexattr_setkind_np" => match constant(1) {
                Some(kind) => self.note_mutex_kind(kind),
                None => self.has_mutex_kinds = true,
            },
            "pthread_rwlockattr_setkind_np" => match constant(1) {
                Some(kind) => self.note_rwlock_kind(kind),
                None => self.prefers_writers = true,
            },
            "mtx_init" if constant(1).is_none_or(|kind| kind & super::c11_threads::MTX_RECURSIVE != 0) => {
                self.has_mutex_kinds = true;
            }
            "pthread_mutex_destroy"
            | "pthread_rwlock_destroy"
            | "pthread_cond_destroy"
            | "pthread_barrier_destroy"
            | "pthread_spin_destroy"
            | "sem_destroy"
            | "mtx_destroy"
            | "cnd_destroy" => self.has_destroy = true,
            "__selvedge_cleanup_push"
            | "_pthread_cleanup_push"
            | "_pthread_cleanup_push_defer"
            | "__pthread_register_cancel"
            | "__pthread_register_cancel_defer" => self.has_cleanup = true,
            "pthread_exit" | "thrd_exit" => self.has_early_ends = true,
            "pthread_cancel" => {
                self.has_early_ends = true;
                self.has_cancel = true;
            }
            "pthread_mutexattr_setrobust" | "pthread_mutexattr_setrobust_np" if constant(1) != Some(0) => {
                self.has_robust = true;
                self.has_mutex_kinds = true;
            }
            _ if super::jumps::is_jump(name) => self.has_jumps = true,
            "pthread_detach" | "thrd_detach" => self.has_detach = true,
            "pthread_attr_setdetachstate" if constant(1) != Some(0) => self.has_detach = true,
            "getpid" => self.asks_pid.again(context),
            "getenv" | "secure_getenv" => self.asks_environment.again(context),
            _ if super::time::is_clock(name) => self.asks_time.again(context),
            "pthread_key_create" | "tss_create" if constant(1) != Some(0) => self.has_key_destructors = true,
            "__VERIFIER_tid" => self.asks_thread_number = true,
            "__errno_location" => self.looks_at_errno = true,
            "atexit" => self.has_exit_handlers = true,
            "signal" | "bsd_signal" | "sysv_signal" | "__sysv_signal" if !matches!(constant(1), Some(-1..=1)) => {
                self.note_handled(constant(0))
            }
            "sigaction" if constant(1) != Some(0) => self.note_handled(constant(0)),
            "sigprocmask" | "pthread_sigmask" | "sigsuspend" => self.sets_signal_mask = true,
            "sigblock"
            | "sigsetmask"
            | "siggetmask"
            | "sighold"
            | "sigrelse"
            | "sigignore"
            | "sigpause"
            | "pthread_attr_setsigmask_np" => self.hides_signal_mask = true,
            "ppoll" if constant(3) != Some(0) => self.hides_signal_mask = true,
            "pselect" if constant(5) != Some(0) => self.hides_signal_mask = true,
            "epoll_pwait" | "epoll_pwait2" if constant(4) != Some(0) => self.hides_signal_mask = true,
            _ => {}
        }
    }

    fn note_handled(&mut self, number: Option<i128>) {
        self.has_signal_handlers = true;
        self.handled_signals |= signal_bit(number);
    }

    /// Whether it makes a difference which signals are blocked while a handler runs, beside its own.
    pub fn masks_matter(self) -> bool {
        self.has_signal_handlers && (self.sets_signal_mask || self.handled_signals.count_ones() > 1)
    }

    /// Whether clean-up handlers must be kept with their thread: it may end while they are pushed.
    pub fn keeps_handlers(self) -> bool {
        self.has_cleanup && self.has_early_ends
    }

    /// Takes note of the kind that a static initialiser gives to a mutex.
    pub fn note_mutex_kind(&mut self, kind: i128) {
        if kind == Kind::Recursive as i128 || kind == Kind::ErrorCheck as i128 {
            self.has_mutex_kinds = true;
        }
    }

    /// Takes note of the kind that a static initialiser gives to a read-write lock.
    pub fn note_rwlock_kind(&mut self, kind: i128) {
        if kind == super::rwlock::PREFERS_WRITERS {
            self.prefers_writers = true;
        }
    }
}

/// The bit of a signal; all bits where its number is not known.
fn signal_bit(number: Option<i128>) -> u64 {
    match number {
        Some(number @ 1..=64) => 1 << (number - 1),
        Some(_) => 0,
        None => u64::MAX,
    }
}
