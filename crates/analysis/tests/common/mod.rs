//! What several test files need.
#![allow(dead_code, reason = "every test file uses its own part")]

pub mod marks;

use selvedge_frontend::compile::{CompileOptions, compile_text};
use selvedge_program::Program;

/// The declarations that the test programs need, on one line so that lines stay what they are.
const PRELUDE: &str = "typedef unsigned long pthread_t; \
    extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); \
    extern int pthread_join(pthread_t, void **); extern int pthread_detach(pthread_t); \
    extern int pthread_tryjoin_np(pthread_t, void **); extern void pthread_exit(void *); \
    extern pthread_t pthread_self(void); extern int nondet(void); extern void *malloc(unsigned long); ";

/// Compiles a C program.
#[track_caller]
pub fn compiled(source: &str) -> Program {
    let options = CompileOptions::default();
    let source = format!("{PRELUDE}{source}").replace("nondet(", "__VERIFIER_nondet_int(");
    match compile_text("t.c", &source, &options) {
        Ok(compiled) => compiled.program,
        Err(error) => panic!("{error}\n{source}"),
    }
}
