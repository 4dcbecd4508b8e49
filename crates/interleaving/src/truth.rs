//! A condition as the encoding sees it: settled once and for all, or a literal. Clauses are built from these, so that
//! what is settled costs nothing.

use std::ops::Not;

use selvedge_logic::Lit;

/// Always true, never true, or true when a literal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    Always,
    Never,
    When(Lit),
}

impl Not for Truth {
    type Output = Truth;

    fn not(self) -> Truth {
        match self {
            Truth::Always => Truth::Never,
            Truth::Never => Truth::Always,
            Truth::When(literal) => Truth::When(!literal),
        }
    }
}

impl From<Lit> for Truth {
    fn from(literal: Lit) -> Self {
        Truth::When(literal)
    }
}
