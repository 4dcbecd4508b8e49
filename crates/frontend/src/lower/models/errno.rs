//! Error numbers as Linux has them on x86, and `errno`.

use super::arguments::int;
use super::{ModelCall, Modelled};
use crate::types::Types;
use selvedge_program::{Atomicity, Base, BinaryOp, Display, Expr, Object, ObjectId, ObjectKind, Shape, Span};

/// Operation not permitted.
pub const EPERM: i32 = 1;
/// Interrupted by a handler of signals.
pub const EINTR: i32 = 4;
/// Try again.
pub const EAGAIN: i32 = 11;
/// Busy.
pub const EBUSY: i32 = 16;
/// Invalid argument.
pub const EINVAL: i32 = 22;
/// It would deadlock.
pub const EDEADLK: i32 = 35;
/// Too large.
pub const EOVERFLOW: i32 = 75;
/// The owner of a robust mutex has ended.
pub const EOWNERDEAD: i32 = 130;
/// A robust mutex that was not mended.
pub const ENOTRECOVERABLE: i32 = 131;
/// Timed out.
pub const ETIMEDOUT: i32 = 110;

const NAME: &str = "errno";

impl ModelCall<'_, '_> {
    /// The address of the executing thread's `errno`.
    pub(super) fn errno(&mut self) -> Expr {
        let objects = &self.function.program.objects;
        let is_ours = |object: &Object| {
            object.name == NAME && object.kind == ObjectKind::ThreadLocal && !object.span.is_somewhere()
        };
        let known = objects.iter().position(is_ours);
        let object = match known {
            Some(position) => ObjectId::new(position),
            None => self.function.program.add_object(Object {
                name: NAME.to_owned(),
                kind: ObjectKind::ThreadLocal,
                size: 4,
                align: 4,
                initial: Vec::new(),
                initial_ghosts: Vec::new(),
                shape: Shape::Scalar { size: 4, display: Display::Signed },
                type_name: "int".to_owned(),
                span: Span::NOWHERE,
            }),
        };
        self.function.address(Base::Object(object))
    }

    /// `errno = number`
    pub(super) fn set_errno(&mut self, number: i32) {
        let errno = self.errno();
        self.function.store(errno, 4, int(number), Atomicity::Plain);
    }
}

/// `__errno_location()`, which `errno` is a macro for.
pub(super) fn location(call: &mut ModelCall<'_, '_>) -> Modelled {
    Modelled::Value(call.errno(), Display::Pointer)
}

/// The largest error number.
pub const LAST_ERROR: i32 = 133;

/// What shows that a function has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// A result below 0.
    Negative,
    /// 0, or null.
    Zero,
    /// Nothing: it may have done less than it was asked to.
    Any,
}

/// Whether a function that fails says why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// In `errno`.
    Given,
    /// In `errno`, but not at the end of a file, say.
    Perhaps,
}

/// How functions fail whose models know of no reason. Functions of the table of effects say so themselves.
fn failure(name: &str) -> Option<(Sign, Reason)> {
    Some(match name {
        "read" | "recv" | "pread" | "write" | "send" | "pwrite" | "readv" | "writev" | "preadv" | "pwritev"
        | "preadv64" | "pwritev64" | "sendmsg" | "recvmsg" | "close" | "fclose" | "setenv" | "unsetenv" | "putenv"
        | "clearenv" | "epoll_ctl" | "epoll_wait" | "epoll_pwait" | "execl" | "execlp" | "execle" | "execv"
        | "execvp" | "execve" | "execvpe" | "fork" | "signal" | "bsd_signal" | "sysv_signal" | "__sysv_signal"
        | "recvmmsg" | "ftw" | "ftw64" | "sigaction" | "sigaddset" | "sigdelset" | "sigismember" | "mmap"
        | "mmap64" | "munmap" | "nanosleep" | "usleep" => (Sign::Negative, Reason::Given),
        "getline" | "getdelim" | "__getdelim" | "getchar" | "getchar_unlocked" | "getc" | "_IO_getc"
        | "getc_unlocked" | "fgetc" | "fgetc_unlocked" | "ungetc" | "sysconf" | "scanf" | "fscanf" | "sscanf" => {
            (Sign::Negative, Reason::Perhaps)
        }
        "fopen" | "fopen64" | "fdopen" | "freopen" | "freopen64" | "isatty" => (Sign::Zero, Reason::Given),
        "fgets" | "fgets_unlocked" => (Sign::Zero, Reason::Perhaps),
        "fread" | "fread_unlocked" | "fwrite" | "fwrite_unlocked" => (Sign::Any, Reason::Perhaps),
        _ => return None,
    })
}

impl ModelCall<'_, '_> {
    /// Stores any error number where a function has failed, if the program looks at it.
    pub(in crate::lower) fn give_reason(&mut self, result: &Expr) {
        if !self.facts.looks_at_errno {
            return;
        }
        let Some((sign, reason)) = failure(self.plain_name()) else { return };
        let failed = match sign {
            _ if self.result == Types::VOID => self.function.havoc(1, Display::Bool),
            Sign::Any => self.function.havoc(1, Display::Bool),
            Sign::Zero => result.clone().is_true().not(),
            Sign::Negative => Expr::binary(BinaryOp::LessSigned, result.clone(), Expr::constant(result.width(), 0)),
        };
        let failed = match reason {
            Reason::Given => failed,
            Reason::Perhaps => failed.and(self.function.havoc(1, Display::Bool)),
        };
        self.when(failed, |call| {
            let number = call.any_int_between(1, LAST_ERROR);
            let errno = call.errno();
            call.function.store(errno, 4, number, Atomicity::Plain);
        });
    }
}
