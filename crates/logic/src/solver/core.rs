//! Unsatisfiable cores: which assumptions contradict each other (and what was added).

use rustc_hash::FxHashSet;

use super::{Last, Solver};
use crate::error::{Error, Result};
use crate::sat::{Answer, Lit};
use crate::terms::Term;

impl Solver {
    /// The assumptions of the last unsatisfiable question that contradict each other; not always a minimal set.
    pub fn core_literals(&self) -> Result<&[Lit]> {
        match &self.last {
            Last::Refuted(core) => Ok(core),
            _ => Err(Error::NoCore),
        }
    }

    /// The core as terms, in the order in which they were assumed; for questions asked with [`Solver::check`].
    pub fn core(&self) -> Result<Vec<Term>> {
        // A literal stands for one term, the first: assumptions may repeat, and different terms may turn out to be the
        // same gate.
        let mut core: FxHashSet<Lit> = self.core_literals()?.iter().copied().collect();
        let named = self.assumed.iter().zip(&self.assumed_terms);
        Ok(named.filter(|(literal, _)| core.remove(literal)).map(|(_, &term)| term).collect())
    }

    /// Shrinks the core until every assumption in it is needed, by asking again without each of them. A limit that is
    /// reached on the way leaves a core that is correct and may be larger than needed.
    pub fn minimise_core(&mut self) -> Result<()> {
        let mut core = self.core_literals()?.to_vec();
        let mut seen = FxHashSet::default();
        core.retain(|&literal| seen.insert(literal));
        let mut needed = 0;
        while needed < core.len() {
            let candidate: Vec<Lit> =
                core.iter().enumerate().filter(|&(place, _)| place != needed).map(|(_, &literal)| literal).collect();
            match self.ask(&candidate)? {
                Answer::Unsatisfiable => {
                    let smaller: FxHashSet<Lit> = self.core_literals()?.iter().copied().collect();
                    // What has been found necessary is in every core of the rest, and stays in front.
                    core.retain(|literal| smaller.contains(literal));
                }
                _ => needed += 1,
            }
        }
        if self.sat.recorder().is_some() {
            // The proof must end with this core, not with the last attempt.
            self.ask(&core)?;
        }
        self.last = Last::Refuted(core);
        Ok(())
    }
}
