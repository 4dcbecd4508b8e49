//! What people and programs read: one report as plain types ([`model`]), and from it text for the terminal, JSON, SARIF
//! and a page for the browser; compiler-like diagnostics.
//!
//! Nothing here decides anything; it shows values that others computed. Text is built as a `String`, so that every
//! report can be tested without a terminal.
//!
//! ```
//! use selvedge_program::{Diagnostic, Sources, Span};
//! use selvedge_report::{SourceCache, Style, diagnostic};
//!
//! let mut sources = Sources::default();
//! let file = sources.file("lock.c");
//! let mut cache = SourceCache::default();
//! cache.insert("lock.c", "int x = ;\n");
//! let error = Diagnostic::error(Span::on_line(file, 1, 9, 1), "expected expression before ';'");
//! let text = diagnostic::render(&error, &sources, &mut cache, &Style::plain(80));
//! assert!(text.contains("1 | int x = ;\n"));
//! ```

pub mod advice;
pub mod diagnostic;
pub mod history;
pub mod html;
pub mod model;
pub mod names;
pub mod sarif;
pub mod schedule;
pub mod source_cache;
mod stretch;
pub mod style;
pub mod summary;
pub mod terminal;
pub mod violation;
pub mod witness;
pub mod words;

pub use source_cache::SourceCache;
pub use style::{Paint, Style};

#[cfg(test)]
mod schema;
