//! Schedules by trial: executions of the concrete semantics with random choices, directed at alarms (Sen: *Race
//! Directed Random Testing of Concurrent Programs*, PLDI 2008). No question is asked of the solver.
//!
//! A thread that an alarm is about goes, mostly, where it comes nearer to the place that the alarm wants it at, and
//! when it is there it waits for the others. Where a step asks for a number, those are tried that the program compares
//! with it. Whatever goes wrong on the way that somebody wants to know of is told, whether it was the goal or not.

mod goals;
mod numbers;
mod random;
mod run;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_analysis::{Facts, Visible};
use selvedge_evidence::{Counterexample, Subject, Violation};
use selvedge_program::semantics::{Semantics, Value};
use selvedge_program::{Budget, EdgeId, Exhausted, FunctionId};
use selvedge_symbolic::threads::{NodeId, Universe};

pub use goals::Goal;
use numbers::Numbers;
use random::Random;
use run::{Manner, Run};

/// A run counts for so many steps at least.
const LEAST: u64 = 32;

/// Runs end when this part of their steps, and at least so many, have led to nothing new.
const PATIENCE: u64 = 4;
const LEAST_PATIENCE: u64 = 40_000;

/// What all runs have in common.
#[derive(Debug)]
pub struct Trials<'p> {
    semantics: Semantics<'p>,
    facts: &'p Facts,
    visible: &'p Visible,
    numbers: Numbers<'p>,
    random: Random,
    /// For a place of a template where a question is asked, and one to get to: how near the best answer led, and which.
    answers: FxHashMap<((usize, NodeId), NodeId), (u32, Value)>,
    /// The edges that some run has passed, and whether the last one has passed a new one.
    passed: FxHashSet<(FunctionId, EdgeId)>,
    is_new: bool,
}

impl<'p> Trials<'p> {
    /// # Errors
    /// When the budget is used up.
    pub fn new(facts: &'p Facts) -> Result<Self, Exhausted> {
        let numbers = Numbers::of(facts.program(), facts.points_to()?);
        let semantics = Semantics::new(facts.program());
        Ok(Trials {
            semantics,
            facts,
            visible: facts.visible()?,
            numbers,
            random: Random::new(1),
            answers: FxHashMap::default(),
            passed: FxHashSet::default(),
            is_new: false,
        })
    }

    /// The functions that an edge may start threads with.
    fn started(&self, function: FunctionId, edge: EdgeId) -> &[FunctionId] {
        self.facts.points_to().map_or(&[], |points_to| points_to.callees(function, edge))
    }

    /// Runs towards goals, until something goes wrong that is wanted, or so many steps were taken; fewer, where a good
    /// part of them leads nowhere that no run has been to.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn run(
        &mut self,
        universe: &Universe<'_>,
        goals: &[&Goal],
        left: &mut u64,
        budget: &Budget,
        is_wanted: &dyn Fn(Subject) -> bool,
    ) -> Result<Option<Violation>, Exhausted> {
        let patience = (*left / PATIENCE).max(LEAST_PATIENCE);
        let mut quiet = 0;
        for number in 1.. {
            budget.check()?;
            let Some(goal) = self.random.pick(goals).copied() else { break };
            let manner = Manner {
                length: goal.least_length() * luby(number),
                switch: [2, 8, 32, 128][self.random.below(4)],
                crowd: [1, 2, 2, 3, 8, 64][self.random.below(6)],
                sent: [1, 1, 2, 8][self.random.below(4)],
                help: [2, 3, 8][self.random.below(3)],
            };
            let Some(run) = Run::new(self, universe, goal, manner) else { break };
            let (taken, violation) = run.go(budget, is_wanted);
            *left = left.saturating_sub(taken.max(LEAST));
            quiet = if std::mem::take(&mut self.is_new) { 0 } else { quiet + taken.max(LEAST) };
            if let Some(violation) = violation
                && Counterexample::new(self.semantics.program, violation.clone()).is_ok()
            {
                return Ok(Some(violation));
            }
            if quiet > patience {
                *left = 0;
            }
            if *left == 0 {
                break;
            }
        }
        Ok(None)
    }
}

/// How long the runs are one after the other: mostly short, and as much time in all goes into each length (Luby,
/// Sinclair, Zuckerman: *Optimal Speedup of Las Vegas Algorithms*, 1993).
fn luby(number: usize) -> u64 {
    let next = (number + 1).next_power_of_two();
    if next == number + 1 { next as u64 / 2 } else { luby(number + 1 - next / 2) }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn lengths_of_runs() {
        let first: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
