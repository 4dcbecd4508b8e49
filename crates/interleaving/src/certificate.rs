//! Certificates: a refutation made again by a solver that writes a proof, from nothing but the encoding and the
//! instances that a valid core may use: Π1 for the reads whose link sets are full (a read outside R may see anything,
//! so leaving the others out only weakens), Π2 and Π3 as far as they were instantiated, and the lock lemmas.

use std::rc::Rc;

use selvedge_logic::{Answer, Cancellation, Limits, Solver, Unknown};
use selvedge_program::Budget;

use crate::abstraction::{Size, Width};
use crate::encode::Encoding;
use crate::error::{Error, Result};
use crate::links::Source;
use crate::refine::Refiner;
use crate::skeleton::GoalId;

/// A proof that none of some goals can hold.
#[derive(Clone, Debug)]
pub struct Certificate {
    pub goals: Vec<GoalId>,
    /// The instances of the axioms among the proof's clauses.
    pub instances: Size,
    /// For [`selvedge_logic::proof::check`].
    pub proof: String,
}

impl Refiner<'_> {
    /// Proves again that none of these goals, which have been refuted, can hold.
    pub fn certificate(&mut self, goals: &[GoalId], budget: &Budget) -> Result<Certificate> {
        let (layout, locks) = (Rc::clone(&self.layout), Rc::clone(&self.locks));
        let mut encoding = Encoding::new(self.skeleton, layout, locks, Solver::with_proofs(), budget)?;
        let instances = self.instantiate_valid(&mut encoding)?;
        let any = encoding.solver.new_literal();
        let mut clause = vec![!any];
        for &goal in goals {
            let described = self.skeleton.goals.get(goal.index()).cloned();
            let described = described.ok_or_else(|| Error::Internal(format!("there is no goal {}", goal.0)))?;
            clause.push(encoding.goal(self.skeleton, &described)?);
        }
        encoding.solver.add_clause(&clause);
        encoding.goes_on()?;
        encoding.solver.set_limits(Limits {
            deadline: budget.deadline,
            cancellation: Some(Cancellation::from_flag(budget.cancel.clone())),
            conflicts: None,
        });
        match encoding.solver.check_literals(&[any])? {
            Answer::Unsatisfiable => {
                Ok(Certificate { goals: goals.to_vec(), instances, proof: encoding.solver.proof()? })
            }
            Answer::Unknown(Unknown::Deadline | Unknown::Cancelled) => Err(budget.stopped_by().into()),
            answer => Err(Error::Internal(format!("a refutation could not be made again: {answer:?}"))),
        }
    }

    /// The instances that hold in every execution.
    fn instantiate_valid(&mut self, encoding: &mut Encoding) -> Result<Size> {
        let abstraction = self.abstraction.clone();
        let mut size = abstraction.size();
        (size.reads, size.links) = (0, 0);
        for reading in abstraction.readings() {
            if abstraction.width(reading) == Some(Width::Full) {
                let sources: Vec<Source> =
                    self.links.sources(reading.0, reading.1).map(|candidate| candidate.source).collect();
                encoding.must_link(self.skeleton, reading, &sources, None)?;
                size.reads += 1;
                size.links += sources.len() as u64;
            }
        }
        for (read, source) in abstraction.ordered.iter() {
            encoding.link_orders(self.skeleton, read, source)?;
        }
        for (read, source) in abstraction.carried.iter() {
            encoding.link_carries(self.skeleton, read, source)?;
        }
        for (read, source, other) in abstraction.triples.iter() {
            encoding.not_between(self.skeleton, read, source, other)?;
        }
        for lock in &self.locks.locks {
            encoding.holders(self.skeleton, lock)?;
        }
        for (lock, read) in abstraction.held.iter() {
            encoding.sees_holder(self.skeleton, &self.locks.locks[lock], read)?;
        }
        for (a, b) in abstraction.blocks.iter() {
            encoding.block_before(self.skeleton, a, b)?;
        }
        size.blocks = encoding.blocks.len() as u64;
        Ok(size)
    }
}
