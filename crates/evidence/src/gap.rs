//! What an engine left out, and why: the reasons behind *bounded* and *unknown*.

use selvedge_program::{Exhausted, FunctionId, Program, Span, Undefined};

/// Why something was not explored. Only [`Gap::Undefined`] and its like leave the other answers complete: C gives such
/// paths no meaning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gap {
    /// A choice with too many possible answers.
    Choice {
        /// Where.
        span: Span,
        /// How many bits of it are free.
        bits: u32,
        /// Whether some answers were tried all the same.
        sampled: bool,
    },
    /// Something that is not modelled was reached.
    Unsupported {
        /// Where.
        span: Span,
        /// What.
        what: String,
    },
    /// Undefined behaviour that nobody asked about ended paths.
    Undefined {
        /// Where.
        span: Span,
        /// What.
        undefined: Undefined,
    },
    /// Undefined behaviour that nobody asked about, and that is not excluded: paths may end there.
    PerhapsUndefined {
        /// Where.
        span: Span,
        /// What.
        undefined: Undefined,
    },
    /// A thread would have been one too many.
    Threads {
        /// Where.
        span: Span,
        /// The thread's function.
        entry: FunctionId,
        /// The bound.
        bound: usize,
    },
    /// A loop would have gone round once too often.
    Unwinding {
        /// Where.
        span: Span,
        /// How often it may go round.
        bound: u32,
    },
    /// A function would have been called by itself once too often.
    Recursion {
        /// Where.
        span: Span,
        /// The function.
        function: FunctionId,
        /// How many calls of it may be active at a time.
        bound: u32,
    },
    /// An allocation would have been one too many.
    Allocation {
        /// Where.
        span: Span,
        /// How many objects may be made here.
        bound: u32,
    },
    /// A limit was reached.
    Limit(Exhausted),
    /// So many states were stored.
    States(u64),
    /// The engine is not made for this program.
    Inapplicable {
        /// Where this shows.
        span: Span,
        /// Why, in a sentence the user can act on.
        message: String,
    },
    /// What concerns one engine alone, in its own words.
    Other {
        /// Where.
        span: Span,
        /// A sentence the user can act on.
        message: String,
    },
}

impl Gap {
    /// The engine is not made for the program.
    pub fn inapplicable(message: impl Into<String>) -> Gap {
        Gap::Inapplicable { span: Span::NOWHERE, message: message.into() }
    }

    /// Whether something that has a meaning was left out.
    pub fn is_incomplete(&self) -> bool {
        !matches!(self, Gap::Undefined { .. } | Gap::PerhapsUndefined { .. })
    }

    /// Whether it is what lies beyond a stated bound, so that everything within the bound may have been covered.
    pub fn is_beyond_a_bound(&self) -> bool {
        matches!(self, Gap::Threads { .. } | Gap::Unwinding { .. } | Gap::Recursion { .. } | Gap::Allocation { .. })
    }

    /// How far an engine came that left this out: the nearer to an answer, the smaller.
    pub fn distance(&self) -> u32 {
        match self {
            Gap::Undefined { .. } | Gap::PerhapsUndefined { .. } => 0,
            gap if gap.is_beyond_a_bound() => 1,
            Gap::Limit(_) | Gap::States(_) => 3,
            Gap::Inapplicable { .. } => 4,
            _ => 2,
        }
    }

    /// Where, if at some place.
    pub fn span(&self) -> Option<Span> {
        match self {
            Gap::Choice { span, .. }
            | Gap::Unsupported { span, .. }
            | Gap::Undefined { span, .. }
            | Gap::PerhapsUndefined { span, .. }
            | Gap::Threads { span, .. }
            | Gap::Unwinding { span, .. }
            | Gap::Recursion { span, .. }
            | Gap::Allocation { span, .. }
            | Gap::Inapplicable { span, .. }
            | Gap::Other { span, .. } => Some(*span),
            Gap::Limit(_) | Gap::States(_) => None,
        }
    }

    /// The reason in words, without the place.
    pub fn message(&self, program: &Program) -> String {
        let name = |function: &FunctionId| program.functions.get(function.index()).map_or("?", |found| &found.name);
        match self {
            Gap::Choice { bits, sampled: true, .. } => {
                format!("of a choice among 2^{bits} values only a few were tried")
            }
            Gap::Choice { bits, sampled: false, .. } => format!("a choice among 2^{bits} values was not explored"),
            Gap::Unsupported { what, .. } => what.clone(),
            Gap::Undefined { undefined, .. } => format!("paths end where the program {undefined}"),
            Gap::PerhapsUndefined { undefined, .. } => format!("paths end where the program perhaps {undefined}"),
            Gap::Threads { entry, bound, .. } => {
                format!("more than {bound} threads running `{}` at a time were not explored", name(entry))
            }
            Gap::Unwinding { bound, .. } => {
                format!("more than {} of this loop were not explored", count(*bound, "iteration"))
            }
            Gap::Recursion { function, bound, .. } => {
                format!(
                    "more than {} of `{}` within each other were not explored",
                    count(*bound, "call"),
                    name(function)
                )
            }
            Gap::Allocation { bound, .. } => {
                format!("more than {} made here were not explored", count(*bound, "object"))
            }
            Gap::Limit(limit) => limit.to_string(),
            Gap::States(states) => format!("the limit of {states} states was reached"),
            Gap::Inapplicable { message, .. } | Gap::Other { message, .. } => message.clone(),
        }
    }
}

fn count(number: u32, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
