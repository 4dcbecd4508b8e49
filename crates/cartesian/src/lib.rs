//! The engine `cartesian`: Cartesian abstraction with exception sets, after Malkis, Podelski and Rybalchenko, *Precise
//! Thread-Modular Verification* (SAS 2007).
//!
//! For every shared state the engine keeps one set of local states per thread; together they stand for all
//! combinations. Where that is too coarse, an *exception set* says which combinations are kept exact. The cost is
//! polynomial in the number of threads, and with interchangeable threads it does not depend on it at all.
//!
//! - [`domain`] has the paper's operations, over transition systems that know nothing of programs ([`table`] writes
//!   them down by hand, [`models`] has the paper's examples).
//! - [`program`] makes a transition system of a program: `split` takes states of the concrete semantics apart, [`step`]
//!   moves one thread by that semantics.
//! - [`analyse()`] runs it: fixpoint, [`alarms`], executions that confirm them, and exception sets inferred from those
//!   that none confirms. [`check()`] is the same as one engine among others. [`text`] reads and prints exception sets.
//! - `proof` hands the sets of states to `selvedge_evidence::cartesian`, which makes certificates of them and checks
//!   these again, with no code of this crate.
//!
//! Beyond the paper: components of any number of interchangeable threads, roles for those that shared data refers to,
//! threads that are started and end, inference. Deadlocks are not looked for.
//!
//! ```
//! use selvedge_cartesian::{Options, analyse};
//! use selvedge_program::assemble::{Assembly, address, atomic, plain};
//! use selvedge_program::{Budget, Expr, FunctionId, Quiet};
//!
//! let program = |access: fn(Expr, u32) -> selvedge_program::Access| {
//!     let mut assembly = Assembly::new();
//!     let counter = assembly.global("counter", 4);
//!     assembly.function("main", Some(32), |main| {
//!         let thread = main.register("thread", 64);
//!         let tmp = main.register("tmp", 32);
//!         main.spawn(thread, FunctionId(1), Expr::constant(64, 0));
//!         main.load(tmp, access(address(counter), 4));
//!         main.ret(Expr::constant(32, 0));
//!     });
//!     assembly.function("worker", Some(64), |worker| {
//!         worker.parameter("arg", 64);
//!         worker.store(access(address(counter), 4), Expr::constant(32, 1));
//!         worker.ret(Expr::constant(64, 0));
//!     });
//!     assembly.program
//! };
//! let racing = analyse(&program(plain), &Options::default(), &Budget::unlimited(), &mut Quiet);
//! assert_eq!(racing.violations.len(), 1);
//! let fine = analyse(&program(atomic), &Options::default(), &Budget::unlimited(), &mut Quiet);
//! assert!(fine.proof.is_some() && fine.open.is_empty());
//! ```

pub mod alarms;
mod analyse;
mod concretise;
pub mod domain;
mod domains;
mod engine;
mod found;
mod infer;
pub mod models;
mod privacy;
pub mod program;
mod proof;
mod split;
pub mod step;
pub mod table;
pub mod text;
mod tuples;

pub use analyse::analyse;
pub use engine::{ABOUT, ExceptionSets, NAME, answers, check, engine};
pub use found::{CheckedBy, Found, Options, Statistics};
