//! What a *safe* stands on.

use crate::cartesian::CartesianProof;
use std::sync::Arc;

/// The ground of a proof. Each kind says how it can be checked again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// Every execution was explored, up to the reductions named; [`crate::recheck`] explores again without any.
    Exhaustive {
        /// How many states were stored.
        states: u64,
        /// The reductions that were used.
        reductions: Vec<&'static str>,
    },
    /// An inductive set of states without an error, as products of local states; one abstract post checks it.
    Cartesian(Arc<CartesianProof>),
}

impl Certificate {
    /// In a few words, for people.
    pub fn describe(&self) -> String {
        match self {
            Certificate::Exhaustive { states, .. } => format!("all executions explored, {states} states"),
            Certificate::Cartesian(proof) => {
                let (products, shared) = (proof.products(), proof.shared.len());
                format!("an inductive invariant of {products} products over {shared} shared states")
            }
        }
    }
}
