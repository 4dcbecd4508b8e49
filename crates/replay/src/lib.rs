//! Schedules that travel: as text ([`file`]), on the compiled program ([`native`]), and as a folder in which `make`
//! reproduces the violation without Selvedge ([`reproducer`]).
//!
//! The user's sources are compiled with the compiler's own instrumentation for ThreadSanitizer, which calls a function
//! before every access to memory. We link them not with ThreadSanitizer but with a small runtime in C (`runtime/`), in
//! which these calls, and those of the thread library, wait for their turn in the schedule. What a violation shows is then
//! seen in the real program: the assertion aborts it, two threads stand in front of accesses to one address, or all
//! threads wait.

pub mod events;
pub mod file;
pub mod native;
pub mod reproducer;
pub mod table;
pub mod toolchain;
