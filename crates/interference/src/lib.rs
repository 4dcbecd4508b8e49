//! Bounded checking with interference abstractions, after Sinha and Wang, *On Interference Abstractions*, POPL 2011:
//! executions up to bounds that deepen, each bound one question to [`selvedge_interleaving`].

mod engine;

pub use engine::{ABOUT, NAME, Options, check, engine};
pub use selvedge_interleaving::Mode;
