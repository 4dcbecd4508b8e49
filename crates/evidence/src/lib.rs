//! Verdicts and what they stand on.
//!
//! **No verdict without evidence.** [`Verdict::Safe`] cannot be built without a [`Certificate`], [`Verdict::Unsafe`]
//! not without a trace that the concrete semantics has replayed ([`Counterexample`]). An engine proposes; what is here
//! checks again, and trusts no engine.
//!
//! - [`task`]: what is asked; [`engine`]: the shape of those who are asked.
//! - [`subject`]: what has a verdict of its own, and violations of it.
//! - [`findings`]: what engines tell while they work ([`Findings`]) and return in the end ([`Answer`]); [`notebook`]
//!   writes it down.
//! - [`gap`]: what an engine left out, and why.
//! - [`certificate`]: what a proof stands on; [`certify`](mod@certify) checks it again, with a checker for each kind:
//!   [`exploration`], [`cartesian`], [`modular`], [`protection`]. [`file`] writes and reads it, bound to its program by a [`digest`].
//! - [`recheck`](mod@recheck): the plainest search, which the tests compare everybody with.
//! - [`unstarted`](mod@unstarted): whether the threads of a program are ever started.
//! - [`verdict`]: verdicts, per check and for the program.
//!
//! ```
//! use selvedge_evidence::{Again, Certificate, Findings, Notebook, Scope, Subject};
//!
//! // An engine that has explored everything without finding anything tells so in one call.
//! let notebook = Notebook::new();
//! assert!(notebook.is_open(Subject::Deadlock));
//! notebook.proved(&Scope::Rest, Certificate::Exhaustive { states: 12, again: Again::NotYet });
//! assert!(!notebook.is_open(Subject::Deadlock));
//! ```

pub mod alone;
pub mod cartesian;
pub mod certificate;
pub mod certify;
pub mod conformance;
pub mod constants;
pub mod digest;
pub mod engine;
pub mod exploration;
pub mod file;
pub mod findings;
pub mod gap;
pub mod modular;
pub mod notebook;
pub mod protection;
pub mod recheck;
mod shorten;
pub mod subject;
pub mod symmetric;
pub mod task;
mod unknowns;
pub mod unstarted;
pub mod verdict;

pub use cartesian::{CartesianProof, ProductGroup};
pub use certificate::{Again, Certificate, Claim, Standing};
pub use certify::{Goal, Means, Refusal, certify, certify_claims};
pub use constants::likely_numbers;
pub use digest::Digest;
pub use engine::{Engine, Entry};
pub use file::CertificateFile;
pub use findings::{Answer, Figure, Findings, InternalError, Scope, Unheard};
pub use gap::Gap;
pub use modular::ModularProof;
pub use notebook::{Notebook, Noted};
pub use protection::ProtectionProof;
pub use recheck::{Extent, Livelocks, Recheck, recheck, recheck_within};
pub use subject::{AtomicLines, Subject, Violation, is_in_field, object_at};
pub use symmetric::SymmetricProof;
pub use task::{Replicas, Task, Unwind};
pub use unknowns::Guess;
pub use unstarted::unstarted;
pub use verdict::{CheckResult, Counterexample, CounterexampleError, FieldResult, Judgement, Reason, Verdict};
