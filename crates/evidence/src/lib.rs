//! Verdicts and what they stand on.
//!
//! **No verdict without evidence.** [`Verdict::Safe`] cannot be built without a [`Certificate`], [`Verdict::Unsafe`] not without a trace
//! that the concrete semantics has replayed ([`Counterexample`]). An engine proposes; what is here checks again, and trusts no engine.

pub mod cartesian;
pub mod certificate;
pub mod recheck;
pub mod verdict;

pub use cartesian::{CartesianProof, ProductGroup, SharedStates};
pub use certificate::Certificate;
pub use recheck::{Recheck, recheck};
pub use verdict::{CheckResult, Counterexample, Judgement, Reason, Verdict};
