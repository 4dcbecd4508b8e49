//! The program model that every engine reads, and the concrete semantics that judges every counterexample.
//!
//! - [`model`] and [`action`] define programs, [`expr`] and [`bits`] their expressions, [`source`] the places in the
//!   user's files, [`undefined`] what can go wrong; [`Program::validate`] says whether a program is well-formed.
//! - Expressions are built by the constructors of [`Expr`], which simplify them; [`fold`] is the arithmetic beneath.
//! - [`CallString`] is where a thread is.
//! - [`semantics`] is one step of one thread on one state; [`trace`] replays schedules by it, [`run`] runs programs.
//! - [`text`] shows programs; [`assemble`] builds small ones by hand.
//!
//! Two threads that add to a counter without a lock, in the state where both are about to access it:
//!
//! ```
//! use selvedge_program::assemble::{Assembly, address, plain};
//! use selvedge_program::semantics::{Plainest, Semantics};
//! use selvedge_program::{EdgeId, Expr, FunctionId, ThreadIndex};
//!
//! let mut assembly = Assembly::new();
//! let counter = assembly.global("counter", 4);
//! assembly.function("main", Some(32), |main| {
//!     let thread = main.register("thread", 64);
//!     let tmp = main.register("tmp", 32);
//!     main.spawn(thread, FunctionId(1), Expr::constant(64, 0));
//!     main.load(tmp, plain(address(counter), 4));
//!     main.ret(Expr::constant(32, 0));
//! });
//! assembly.function("worker", Some(64), |worker| {
//!     worker.parameter("arg", 64);
//!     worker.store(plain(address(counter), 4), Expr::constant(32, 1));
//!     worker.ret(Expr::constant(64, 0));
//! });
//! let program = assembly.program;
//! program.validate().expect("the program is well-formed");
//!
//! let semantics = Semantics::new(&program);
//! let state = semantics.initial().expect("the program starts");
//! assert!(semantics.races(&state).is_empty());
//! let (state, _) = semantics.step(&state, ThreadIndex(0), EdgeId(0), &mut Plainest).expect("main starts the worker");
//! let races = semantics.races(&state);
//! assert_eq!((races[0].first.thread, races[0].second.thread), (ThreadIndex(0), ThreadIndex(1)));
//! ```

pub mod action;
pub mod addresses;
pub mod assemble;
pub mod bits;
pub mod bitset;
pub mod budget;
mod build;
mod defined;
pub mod exclusive;
pub mod expr;
pub mod fold;
pub mod ids;
pub mod live;
mod magnitude;
pub mod model;
pub mod run;
pub mod semantics;
pub mod serial;
mod shape;
mod simplify;
pub mod source;
pub mod text;
pub mod trace;
pub mod undefined;
mod validate;
mod whereabouts;

pub use action::{
    Access, AccessKind, AccessMode, Accesses, Action, AtomicStep, Atomicity, Callee, GhostField, GhostType,
    InitialContents, Interpretation, LockKind, LockMode, MemoryOrder, Operation, OutputPiece, Place, RegisterUse,
    Storage, ThreadsTouch, Touch, Touched, Transfer, Unsettled, ValueFlow, thread_status,
};
pub use bits::Bits;
pub use budget::{Budget, Exhausted, Progress, Quiet, Report};
pub use exclusive::{Region, RegionError};
pub use expr::{Base, BinaryOp, Conversion, Expr, FloatFormat, UnaryOp};
pub use ids::{
    CheckId, EdgeId, FileId, FrameObjectId, FunctionId, LocationId, ObjectId, RegisterId, SiteId, ThreadIndex,
    UnknownId,
};
pub use model::{
    Caveat, Check, DataModel, Display, Edge, FrameObject, Function, InitialValue, Location, Member, Object, ObjectKind,
    Program, Property, Register, Shape, Side, Stub, Unknown,
};
pub use serial::Interference;
pub use source::{Diagnostic, Position, Severity, SourceFile, Sources, Span};
pub use undefined::Undefined;
pub use whereabouts::{CallString, CodeLocation};
