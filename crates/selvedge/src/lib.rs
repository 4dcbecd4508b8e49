//! Selvedge, a verifier for multithreaded C, as a library.
//!
//! The stages are crates of their own; this one puts them together: [`check`] asks the engines about a compiled
//! program, side by side, and turns what they answer into verdicts, each with its evidence.
//!
//! ```
//! use selvedge::{CheckOptions, check};
//! use selvedge::frontend::compile::{CompileOptions, compile_text};
//! use selvedge::program::{Budget, Quiet};
//!
//! let text = "int main(void) { int x = 2; if (x * x != 4) __VERIFIER_error(); return 0; }";
//! let compiled = compile_text("square.c", text, &CompileOptions::default()).unwrap();
//! let checked = check(&compiled.program, &CheckOptions::default(), &Budget::unlimited(), &mut Quiet);
//! assert_eq!(checked.judgement.word(), "safe");
//! ```

mod accept;
mod board;
mod by_field;
mod certificates;
mod check;
mod engines;
mod judge;
mod news;
mod portfolio;
mod questions;
pub mod svcomp;

pub use certificates::{certificates, contradiction};
pub use check::{CheckError, CheckOptions, Checked, Contradicted, Statistics, check, check_with};
pub use engines::EngineName;
pub use portfolio::{CHECKS, GRACE, LOAD, PATIENCE, RESERVE_LATE, RESERVE_SOON, RESULT, RunUntil};
pub use selvedge_analysis as analysis;
pub use selvedge_cartesian as cartesian;
pub use selvedge_evidence as evidence;
pub use selvedge_explicit as explicit;
pub use selvedge_frontend as frontend;
pub use selvedge_interference as interference;
pub use selvedge_modular as modular;
pub use selvedge_program as program;
pub use selvedge_report as report;
pub use selvedge_symmetric as symmetric;
