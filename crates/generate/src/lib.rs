//! Random C programs, determined by a seed, for tests.
//!
//! The programs of the first three kinds are deterministic and have no undefined behaviour except signed
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
//! - [`protocols`]: threads of few functions that share things by a protocol, kept or broken. [`equal`]: threads of one
//!   function, once, several times or any number of times, that compare what they have with what is shared.
//! - [`pointers`], [`uninitialised`], [`wide`], [`copies`], [`undefined`]: what is open in C, in small programs with
//!   and without a second thread: pointers from nowhere, memory that nobody has written, choices among 2^64 values,
//!   structs copied whole, undefined paths beside defined ones. [`moved`]: locks in memory that is copied. [`large`]:
//!   an index that may mean many places, sizes that are chosen, floating-point numbers. Like [`concurrent`] and
//!   [`threads`] they have no oracle.
//! - [`recursive`]: threads that call functions which call themselves and each other; [`activations`]: with locals that
//!   the inner calls reach. No oracle either.
//! - [`spinning`]: threads that poll, perhaps for ever. No oracle either.
//! - [`order`], [`edges`], [`sequence`]: in the same way, addresses compared as numbers, pointers about the ends of
//!   arrays, expressions that write and read in one go.
//!
//! Programs for tests that are files are found by [`stored`]. [`shrink`] makes the smallest of one that fails.

pub mod activations;
pub mod aggregate;
pub mod concurrent;
pub mod copies;
pub mod edges;
pub mod equal;
pub mod expression;
pub mod integer;
pub mod large;
pub mod layout;
pub mod moved;
pub mod order;
mod part;
pub mod pointers;
pub mod protocols;
pub mod random;
pub mod recursive;
mod scope;
pub mod sequence;
pub mod sequential;
pub mod shrink;
pub mod spinning;
mod statement;
pub mod stored;
pub mod threads;
pub mod undefined;
pub mod uninitialised;
pub mod wide;

use std::ops::Range;

/// A generator: the program of a seed.
pub type Generator = fn(u64) -> String;

/// All generators of whole programs, by name.
pub const GENERATORS: [(&str, Generator); 22] = [
    ("layout", layout::program),
    ("expression", expression::program),
    ("sequential", sequential::program),
    ("concurrent", concurrent::program),
    ("sections", concurrent::with_sections),
    ("threads", threads::program),
    ("protocols", protocols::program),
    ("counting", protocols::counting),
    ("equal", equal::program),
    ("pointers", pointers::program),
    ("uninitialised", uninitialised::program),
    ("wide", wide::program),
    ("copies", copies::program),
    ("moved", moved::program),
    ("undefined", undefined::program),
    ("large", large::program),
    ("order", order::program),
    ("edges", edges::program),
    ("sequence", sequence::program),
    ("recursive", recursive::program),
    ("activations", activations::program),
    ("spinning", spinning::program),
];

/// The seeds that `SELVEDGE_SEEDS=FIRST..LAST` asks a test for, else these.
pub fn seeds(default: Range<u64>) -> Range<u64> {
    let asked = std::env::var("SELVEDGE_SEEDS").ok();
    let asked = asked.as_deref().and_then(|text| text.split_once(".."));
    match asked.map(|(first, last)| (first.parse(), last.parse())) {
        Some((Ok(first), Ok(last))) => first..last,
        _ => default,
    }
}

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
