//! Cheap facts about a program, each an over-approximation: what a pointer may point to, which functions a thread may
//! run, which objects two threads may reach, and where two threads may be at the same time.
//!
//! No counterexample depends on them (the concrete semantics judges those); proofs may, and say so.
//!
//! `main` stores before it starts a thread, while that runs, and after it has joined it:
//!
//! ```
//! use selvedge_analysis::{Facts, TemplateId, ThreadPlace};
//! use selvedge_program::assemble::{Assembly, address, plain};
//! use selvedge_program::{Expr, FunctionId};
//!
//! let mut assembly = Assembly::new();
//! let counter = assembly.global("counter", 4);
//! let mut stores = Vec::new();
//! assembly.function("main", Some(32), |main| {
//!     let thread = main.register("thread", 64);
//!     let mut store = |main: &mut selvedge_program::assemble::Code| {
//!         stores.push(main.here());
//!         main.store(plain(address(counter), 4), Expr::constant(32, 0));
//!     };
//!     store(main);
//!     main.spawn(thread, FunctionId(1), Expr::constant(64, 0));
//!     store(main);
//!     main.join(thread);
//!     store(main);
//!     main.ret(Expr::constant(32, 0));
//! });
//! assembly.function("worker", Some(64), |worker| {
//!     worker.parameter("arg", 64);
//!     worker.store(plain(address(counter), 4), Expr::constant(32, 1));
//!     worker.ret(Expr::constant(64, 0));
//! });
//! let program = assembly.program;
//!
//! let facts = Facts::of(&program);
//! let parallel = facts.parallel().expect("there is no limit").expect("there is a main");
//! let worker = ThreadPlace {
//!     template: TemplateId::new(1),
//!     function: FunctionId(1),
//!     location: program.function(FunctionId(1)).entry,
//! };
//! let beside_the_worker = stores.into_iter().map(|location| {
//!     let main = ThreadPlace { template: TemplateId::MAIN, function: FunctionId(0), location };
//!     parallel.may_happen_in_parallel(main, worker)
//! });
//! assert_eq!(beside_the_worker.collect::<Vec<_>>(), [false, true, false]);
//! ```

mod abstraction;
mod call_graph;
pub mod cells;
pub mod conflicts;
mod facts;
mod fields;
pub mod locks;
pub mod parallel;
pub mod points_to;
mod protection;
mod reach;
pub mod sharing;
pub mod threads;
mod unset_locks;
mod visible;

pub use cells::{CellClass, Cells};
pub use conflicts::{AccessSite, Conflicts};
pub use facts::Facts;
pub use fields::Field;
pub use locks::Locksets;
pub use parallel::{Parallel, ThreadPlace};
pub use points_to::{AbstractObject, Loads, Offset, PointsTo, SpawnSite, Target};
pub use protection::Protection;
pub use reach::Reach;
pub use sharing::{Sharing, escaped, sharing};
pub use threads::{Replication, Template, TemplateId, Threads};
pub use unset_locks::unset_locks;
pub use visible::Visible;
