//! What people and programs read: compiler-like diagnostics for the terminal, JSON for tools.
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

pub mod diagnostic;
pub mod judgement;
pub mod schedule;
pub mod source_cache;
pub mod style;
pub mod summary;
pub mod violation;

pub use source_cache::SourceCache;
pub use style::{Paint, Style};
