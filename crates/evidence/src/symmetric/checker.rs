//! The obligations of a symmetric proof, each a question to the solver.

use std::collections::BTreeMap;

use selvedge_logic::{Answer, Cancellation, Limits, Questions, Term};
use selvedge_program::Budget;
use selvedge_symbolic::effect::Touched;
use selvedge_symbolic::threads::Who;
use selvedge_symbolic::{Tag, Trouble};

use super::configuration::{Bad, Configuration};
use super::moves::{At, Move, StepKey};
use super::stage::{MOST_PASSIVE, Stage};
use super::{Refusal, SymmetricProof};
use crate::modular::{Shown, abstracted};

/// How large the circuits of questions grow together: those about one step differ in what is known to be bad.
const MOST_GATES: usize = 30_000;

/// Checks what a proof says against the steps of the program.
///
/// # Errors
/// When it does not show what it is to show, or there is no answer to a question.
pub fn check(mut stage: Stage<'_>, proof: &SymmetricProof, shown: &Shown<'_>, budget: &Budget) -> Result<(), Refusal> {
    // A proof may depend on whom a join joins and yet count nobody.
    stage.map.tells_joins = true;
    let mut bad = Bad::default();
    for configuration in &proof.bad {
        let read = Configuration::read(&mut stage, configuration).ok_or(Refusal::Foreign)?;
        if read.threads.len() > usize::from(MOST_PASSIVE) {
            return Err(Refusal::Unfit("too many threads in a configuration"));
        }
        bad.push(read);
    }
    let limits = Limits {
        deadline: budget.deadline,
        cancellation: Some(Cancellation::from_flag(budget.cancel.clone())),
        conflicts: None,
    };
    let solver = Questions::keeping(limits, MOST_GATES);
    let mut checker = Checker { stage, solver, budget, bad };
    checker.initially()?;
    checker.errors(shown)?;
    checker.races(shown)?;
    checker.steps()
}

struct Checker<'a, 'p> {
    stage: Stage<'p>,
    solver: Questions,
    budget: &'a Budget,
    bad: Bad,
}

impl Checker<'_, '_> {
    fn can_hold(&mut self, conditions: &[Term]) -> Result<bool, Refusal> {
        self.budget.check().map_err(Refusal::Exhausted)?;
        match self.solver.check(&self.stage.view.builder.terms, conditions)? {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Unknown(_) => Err(Refusal::Exhausted(self.budget.stopped_by())),
        }
    }

    fn all(&self) -> Vec<Configuration> {
        self.bad.iter().map(|(_, configuration)| configuration.clone()).collect()
    }

    /// Nothing bad holds at the beginning.
    fn initially(&mut self) -> Result<(), Refusal> {
        for configuration in self.all() {
            if let Some(conditions) = self.stage.is_first(&configuration)
                && self.can_hold(&conditions)?
            {
                return Err(Refusal::Initially);
            }
        }
        Ok(())
    }

    /// Whether conditions on the threads that are there hold only where something bad holds of these. Which of the bad
    /// configurations are needed for that, the answers tell one by one.
    fn is_bad(&mut self, mut conditions: Vec<Term>, there: &[(Who, At)], by: Option<&Move>) -> Result<bool, Refusal> {
        let certain = self.stage.certain(there, by, &conditions);
        conditions.extend(certain);
        while self.can_hold(&conditions)? {
            let model = self.solver.model(&self.stage.view.builder.terms);
            if model.is_err() {
                // It may have to be found once more, for which there may be no time.
                self.budget.check().map_err(Refusal::Exhausted)?;
            }
            let Some(holds) = self.bad.find(&mut self.stage, &model?, there)? else { return Ok(false) };
            let all = self.stage.view.builder.terms.all(&holds);
            conditions.push(self.stage.view.builder.not(all));
        }
        Ok(true)
    }

    /// Whatever goes wrong at a step and is claimed not to happen is bad, and so is what is not modelled.
    fn errors(&mut self, shown: &Shown<'_>) -> Result<(), Refusal> {
        let steps: Vec<(At, StepKey)> = self.stage.map.steps().collect();
        for (at, step) in steps {
            let moved = self.stage.moved(step);
            for (when, trouble) in &moved.troubles {
                let refusal = match trouble {
                    Trouble::Undefined(undefined) if (shown.undefined)(*undefined) => Refusal::Undefined,
                    Trouble::Undefined(_) => continue,
                    Trouble::Unsupported(what) => Refusal::Unsupported(what.clone()),
                };
                if !self.is_bad(vec![*when], &[(Who::Own, at)], None)? {
                    return Err(refusal);
                }
            }
            for (when, check) in &moved.violations {
                if (shown.assertions)(*check) && !self.is_bad(vec![*when], &[(Who::Own, at)], None)? {
                    return Err(Refusal::Assertion(*check));
                }
            }
        }
        Ok(())
    }

    /// Two threads that are about to touch the same, of what is claimed, are bad.
    fn races(&mut self, shown: &Shown<'_>) -> Result<(), Refusal> {
        let mut places: Vec<At> = self.stage.map.steps().map(|(at, _)| at).collect();
        places.sort_unstable();
        places.dedup();
        let mut own: BTreeMap<Tag, Vec<(At, Touched)>> = BTreeMap::new();
        let mut others: BTreeMap<Tag, Vec<(At, Touched)>> = BTreeMap::new();
        for at in places {
            for (who, touches) in [(Who::Own, &mut own), (Who::Passive(0), &mut others)] {
                for touched in self.stage.touches(at, who) {
                    touches.entry(touched.cell.object()).or_default().push((at, touched));
                }
            }
        }
        for (tag, mine) in own {
            let object = abstracted(&self.stage.view.universe, tag);
            let is_claimed = object.is_none_or(|object| (shown.races)(object));
            if !is_claimed || self.stage.view.universe.is_private(tag) {
                continue;
            }
            for (one, touch) in &mine {
                for (other, their) in others.get(&tag).into_iter().flatten().filter(|(other, _)| other >= one) {
                    let is_race = touch.cell.overlaps(their.cell) && touch.mode.races_with(their.mode);
                    if !is_race || (one.0 == other.0 && self.stage.map.is_single(one.0)) {
                        continue;
                    }
                    let there = [(Who::Own, *one), (Who::Passive(0), *other)];
                    if !self.is_bad(vec![touch.when, their.when], &there, None)? {
                        return Err(Refusal::Race(object));
                    }
                }
            }
        }
        Ok(())
    }

    /// Whatever step leads to something bad came from something bad.
    fn steps(&mut self) -> Result<(), Refusal> {
        for configuration in self.all() {
            let places = configuration.places();
            for by in self.stage.map.moves(&places) {
                if self.stage.is_indifferent(&configuration, &by) {
                    continue;
                }
                let conditions = self.stage.leads(&configuration, &by);
                let there = by.before(&places);
                if !self.is_bad(conditions, &there, Some(&by))? {
                    let function = self.stage.view.universe.program.function(by.step.0);
                    return Err(Refusal::Step(function.name.clone()));
                }
            }
        }
        Ok(())
    }
}
