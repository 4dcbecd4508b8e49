//! Random C programs, determined by a seed, for tests.
//!
//! The generated programs are deterministic and have no undefined behaviour except signed
//! overflow, which is meant to wrap (`-fwrapv`), and no result that depends on an unspecified
//! evaluation order. So gcc's binary is an oracle: its output and exit status are the program's
//! meaning on LP64 little-endian machines.
//!
//! ```
//! let text = selvedge_generate::sequential::program(7);
//! assert_eq!(text, selvedge_generate::sequential::program(7));
//! assert!(text.contains("int main(void)"));
//! ```
//!
//! - [`expression`]: integer expressions over all types, conversions, side effects.
//! - [`layout`]: sizes, offsets, alignments, bit-fields, raw bytes of structs and unions.
//! - [`sequential`]: both of these with functions, loops, arrays and pointers.
//! - [`concurrent`]: small racy or synchronised pthread programs with finite state spaces.
//! - [`threads`]: threads that start and join each other in every way.

pub mod aggregate;
pub mod concurrent;
pub mod expression;
pub mod integer;
pub mod layout;
pub mod random;
mod scope;
pub mod sequential;
mod statement;
pub mod threads;

/// Declarations that every generated program starts with.
pub(crate) const PRELUDE: &str = "\
#include <stddef.h>
#include <stdio.h>
#include <string.h>
enum positive { P0, P1 = 5, P2 = 200 };
enum negative { N0 = -3, N1, N2 = 70 };
static void show_wide(const char *name, unsigned __int128 v) {
    printf(\"%s %lx:%lx\\n\", name, (unsigned long)(v >> 64), (unsigned long)v);
}
static void show_bytes(const char *name, const void *object, unsigned long size) {
    const unsigned char *byte = object;
    printf(\"%s\", name);
    for (unsigned long i = 0; i < size; i++) printf(\" %02x\", byte[i]);
    printf(\"\\n\");
}
";
