//! Selvedge, a verifier for multithreaded C, as a library.
//!
//! The stages are crates of their own; this one puts them together.

pub use selvedge_analysis as analysis;
pub use selvedge_frontend as frontend;
pub use selvedge_program as program;
pub use selvedge_report as report;
