//! Models of library functions, by name.
//!
//! A model is either a Rust function in the [`table`] that emits edges into the caller (a lock is one edge), or a C
//! function in `models/*.c`, compiled with the program and called like any other (`strlen` is a loop). A function that
//! the program defines itself under a library's name is the program's own: models are asked only for what is not
//! defined. The one exception are functions whose calls fail ([`Failures`]).
//!
//! The C sources are plain C without preprocessing; every external name in them begins with `__selvedge_`, but for the
//! [objects](C_OBJECTS) that programs refer to by name. They call other models and the intrinsics of [`intrinsics`].

mod arguments;
mod atomics;
mod barrier;
mod bits;
mod builtins;
mod c11_threads;
mod cancel;
mod condition;
mod errno;
pub mod externals;
mod floats;
mod format;
mod futex;
mod ghost;
mod input;
mod intrinsics;
mod jumps;
mod keys;
mod library_use;
mod memory;
mod messages;
mod moved;
mod mutex;
mod nondet;
mod once;
mod output;
mod overflow;
mod process;
mod robust;
mod rwlock;
mod semaphore;
mod signal_safe;
mod signals;
mod spin;
pub mod table;
mod threads;
mod time;
mod verifier;

#[cfg(test)]
mod tests;

pub use condition::waits_vary;
pub use floats::pure_functions;
pub use jumps::{JUMP, is_cancel_buffer};
pub use library_use::{Asked, Context, Latitude, LibraryUse};
pub use moved::{LockState, Moved, move_locks};
pub use process::run_exit_handlers;
pub use signal_safe::is_async_signal_safe;
pub use signals::WITHIN_ITSELF;
pub use time::looks_at_clocks;
pub use verifier::{ERROR, ERROR_FUNCTIONS};

use super::builder::FunctionBuilder;
use super::{Failures, Uninitialised};
use crate::types::{TypeId, Types};
use selvedge_program::{Display, Expr};

/// An argument of a library call, after the default promotions (a model converts it as it needs).
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its value: of the type's width; for a struct or union, its address.
    pub value: Expr,
    /// Its C type as declared by the program.
    pub ty: TypeId,
}

/// One call of a library function being lowered.
#[derive(Debug)]
pub struct ModelCall<'b, 'a> {
    /// The function name.
    pub name: &'b str,
    /// The arguments.
    pub arguments: &'b [Argument],
    /// The type of the result as the program declares it; `void` also where nobody uses the result, which lets some
    /// models do less.
    pub result: TypeId,
    /// The types.
    pub types: &'b Types,
    /// What is known of the program.
    pub facts: LibraryUse,
    /// What its standards leave to the library.
    pub latitude: Latitude,
    /// What reading memory that nobody has written is.
    pub uninitialised: Uninitialised,
    /// What fails a check.
    pub failures: &'b Failures,
    /// Where edges go.
    pub function: &'b mut FunctionBuilder<'a>,
}

/// What a model leaves behind.
#[derive(Clone, Debug)]
pub enum Modelled {
    /// A result of any integer, pointer or float width; the lowering converts it to the declared type.
    Value(Expr, Display),
    /// Nothing to use.
    Void,
    /// Control does not come back.
    NoReturn,
    /// The model stands in C under this name: call it with these arguments (converted to its parameters' widths by the
    /// arguments' signedness).
    CallC(&'static str, Vec<Expr>),
    /// This call is known only roughly, for this reason: executions end there, and proofs take it for a call of a
    /// function that nobody knows.
    Rough(&'static str),
    /// This call is not modelled, for this reason; reaching it is `unknown`.
    Unsupported(String),
}

/// A model.
pub type Model = fn(&mut ModelCall<'_, '_>) -> Modelled;

/// The C sources of models, by file name.
pub const C_SOURCES: &[(&str, &str)] = &[
    ("memory.c", include_str!("../../models/memory.c")),
    ("string.c", include_str!("../../models/string.c")),
    ("numbers.c", include_str!("../../models/numbers.c")),
    ("ctype.c", include_str!("../../models/ctype.c")),
    ("sort.c", include_str!("../../models/sort.c")),
    ("format.c", include_str!("../../models/format.c")),
    ("input.c", include_str!("../../models/input.c")),
    ("process.c", include_str!("../../models/process.c")),
    ("threads.c", include_str!("../../models/threads.c")),
    ("math.c", include_str!("../../models/math.c")),
    ("cleanup.c", include_str!("../../models/cleanup.c")),
    ("scan.c", include_str!("../../models/scan.c")),
    ("environment.c", include_str!("../../models/environment.c")),
    ("time.c", include_str!("../../models/time.c")),
    ("keys.c", include_str!("../../models/keys.c")),
    ("order.c", include_str!("../../models/order.c")),
    ("events.c", include_str!("../../models/events.c")),
    ("getopt.c", include_str!("../../models/getopt.c")),
    ("signals.c", include_str!("../../models/signals.c")),
    ("wide.c", include_str!("../../models/wide.c")),
    ("vectors.c", include_str!("../../models/vectors.c")),
    ("sets.c", include_str!("../../models/sets.c")),
    ("addresses.c", include_str!("../../models/addresses.c")),
];

/// Objects that the C sources define under the library's own names, for programs that declare them `extern`: the
/// program's declaration may give them another pointer type.
pub const C_OBJECTS: &[&str] = &["stdin", "stdout", "stderr", "environ", "__environ"];

/// Whether a function has no effect but its answer, if its arguments are null: asking without listening is nothing.
pub fn only_answers(name: &str) -> bool {
    matches!(name, "time" | "clock")
}

/// Whether a model does not look at the values of its arguments.
pub fn ignores_arguments(name: &str) -> bool {
    matches!(name, "srand" | "srandom" | "srand48")
}

/// Whether a library function has a model, or is known not to have one for a stated reason.
pub fn is_known(name: &str) -> bool {
    table::find(name).is_some() || table::roughness(name).is_some()
}
