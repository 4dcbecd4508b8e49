//! The checker of proofs. It shares with the searches what a program is and what one step is ([`crate::step`]), nothing
//! else, and does everything in the most direct way.
//!
//! A proof for given numbers is a set of configurations that has all initial ones, no error, and every successor. A proof for any
//! number is a set of pairs that has all initial ones and is closed under steps, and a basis that covers, among the configurations
//! of such pairs, all errors and all predecessors of itself, and no initial one.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::basis::Minimal;
use crate::configuration::{Configuration, initial_configurations};
use crate::counter::CountProof;
use crate::coverability::CoverProof;
use crate::pairs::Phase;
use crate::program::{Statement, TemplateId, Threads};
use crate::state::{LocalState, initial_locals, initial_shared};
use crate::step::{Change, Step, every_tuple, fails, steps};
use crate::valid::System;

/// Why something is no proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// An initial configuration or pair is missing.
    #[error("the proof leaves out an initial state")]
    Initial,
    /// An error is not excluded.
    #[error("the proof does not exclude an error")]
    Error,
    /// A step leads out of it.
    #[error("a step leads out of the proof")]
    Step,
    /// It allows for executions that it must not leave out.
    #[error("the proof leaves out the start of threads and does not say so")]
    Cut,
    /// The basis covers an initial configuration.
    #[error("an error may be reached from an initial state")]
    Reached,
}

/// Checks a proof for given numbers of threads.
pub fn check_counted(system: &System, proof: &CountProof) -> Result<(), Refused> {
    let known: FxHashSet<&Configuration> = proof.configurations.iter().collect();
    if !initial_configurations(system, &proof.instance).iter().all(|initial| known.contains(initial)) {
        return Err(Refused::Initial);
    }
    for configuration in &proof.configurations {
        for (active, _) in &configuration.threads {
            let Some(others) = configuration.without(*active) else { continue };
            if others.threads.iter().any(|(local, _)| system.is_inside(*local)) {
                continue;
            }
            if can_fail(system, configuration.shared, *active, &others) {
                return Err(Refused::Error);
            }
            for step in steps(system, configuration.shared, *active) {
                if step.started.is_some() && configuration.size() >= proof.instance.most {
                    if !proof.is_cut {
                        return Err(Refused::Cut);
                    }
                    continue;
                }
                let threads = others.state().threads;
                if !every_outcome(&step, &threads, &mut Vec::new(), &mut |after| known.contains(&after)) {
                    return Err(Refused::Step);
                }
            }
        }
    }
    Ok(())
}

fn can_fail(system: &System, shared: u64, active: LocalState, others: &Configuration) -> bool {
    let Some(Statement::Assert(assertion)) = system.statement(active) else { return false };
    let others: Vec<(Change, u32)> = others.threads.iter().map(|(local, count)| ((*local, *local), *count)).collect();
    !every_tuple(&assertion.passive, &others, &mut |passive| {
        let passive: Vec<LocalState> = passive.iter().map(|(local, _)| *local).collect();
        !fails(assertion, shared, active, &passive)
    })
}

/// Whether something holds of every configuration that a step can lead to, with these passive threads after those that
/// have been done. Of equal threads, which are neighbours, a later one never has a lesser outcome.
fn every_outcome(
    step: &Step<'_>,
    threads: &[LocalState],
    done: &mut Vec<Change>,
    holds: &mut dyn FnMut(Configuration) -> bool,
) -> bool {
    let Some((local, rest)) = threads.split_first() else {
        if !joint_constraints_hold(step, done) {
            return true;
        }
        let after = done.iter().map(|(_, next)| *next).chain([step.active.1]).chain(step.started);
        return holds(Configuration::new(step.shared.1, after.map(|local| (local, 1))));
    };
    let least = done.last().filter(|(before, _)| before == local).map(|(_, next)| *next);
    for next in step.passive(*local).into_iter().filter(|next| least.is_none_or(|least| least <= *next)) {
        done.push((*local, next));
        let is_fine = every_outcome(step, rest, done, holds);
        done.pop();
        if !is_fine {
            return false;
        }
    }
    true
}

fn joint_constraints_hold(step: &Step<'_>, passive: &[Change]) -> bool {
    let threads: Vec<(Change, u32)> = passive.iter().map(|change| (*change, 1)).collect();
    step.joint()
        .all(|constraint| every_tuple(&constraint.passive, &threads, &mut |chosen| step.meets(constraint, chosen)))
}

/// Checks a proof for any number of threads.
pub fn check_any(system: &System, proof: &CoverProof) -> Result<(), Refused> {
    let mut claim = Claim { system, pairs: FxHashMap::default(), basis: FxHashMap::default() };
    for (phase, locals) in &proof.pairs {
        claim.pairs.entry(*phase).or_default().extend(locals);
    }
    for minimal in &proof.basis {
        claim.basis.entry(minimal.phase()).or_default().push(minimal);
    }
    claim.has_initial()?;
    claim.leaves_out_initial(&proof.basis)?;
    for (phase, locals) in &proof.pairs {
        // While a thread is inside an atomic section, it alone takes steps.
        for active in locals.iter().filter(|local| system.is_inside(**local) == phase.is_inside) {
            claim.has_errors(*phase, *active)?;
            for step in steps(system, phase.shared, *active) {
                claim.has_step(*phase, &step)?;
                claim.has_predecessors(*phase, &step)?;
            }
        }
    }
    Ok(())
}

struct Claim<'a> {
    system: &'a System,
    pairs: FxHashMap<Phase, FxHashSet<LocalState>>,
    basis: FxHashMap<Phase, Vec<&'a Minimal>>,
}

impl Claim<'_> {
    fn has(&self, phase: Phase, local: LocalState) -> bool {
        self.pairs.get(&phase).is_some_and(|locals| locals.contains(&local))
    }

    fn covers(&self, phase: Phase, threads: &Configuration) -> bool {
        let basis = self.basis.get(&phase);
        basis.is_some_and(|elements| elements.iter().any(|minimal| threads.covers(&minimal.least)))
    }

    /// How many threads of a template there are at first; none if any number.
    fn first(&self, template: TemplateId) -> Option<u32> {
        match self.system.program().template(template).threads {
            Threads::Exactly(number) => Some(number),
            Threads::Many => None,
        }
    }

    /// Whether there can never be as many threads of a template as these have.
    fn is_impossible(&self, threads: &[LocalState]) -> bool {
        threads.iter().any(|local| {
            let count = threads.iter().filter(|other| other.template == local.template).count();
            let is_fixed = !self.system.is_started(local.template);
            is_fixed && self.first(local.template).is_some_and(|number| count as u64 > u64::from(number))
        })
    }

    fn has_initial(&self) -> Result<(), Refused> {
        let program = self.system.program();
        for shared in initial_shared(program) {
            for (id, _) in program.numbered().filter(|(id, _)| self.first(*id) != Some(0)) {
                for local in initial_locals(program, id) {
                    if !self.has(Phase { shared, is_inside: false }, local) {
                        return Err(Refused::Initial);
                    }
                }
            }
        }
        Ok(())
    }

    fn leaves_out_initial(&self, basis: &[Minimal]) -> Result<(), Refused> {
        let program = self.system.program();
        for minimal in basis.iter().filter(|minimal| !minimal.is_inside) {
            let threads = minimal.least.state().threads;
            let is_possible = program.numbered().all(|(id, _)| {
                let count = threads.iter().filter(|local| local.template == id).count();
                self.first(id).is_none_or(|number| count as u64 <= u64::from(number))
            });
            if is_possible
                && initial_shared(program).contains(&minimal.least.shared)
                && threads.iter().all(|local| initial_locals(program, local.template).contains(local))
            {
                return Err(Refused::Reached);
            }
        }
        Ok(())
    }

    /// The local states that a passive thread can be in.
    fn passive(&self, phase: Phase) -> impl Iterator<Item = LocalState> + '_ {
        let locals = self.pairs.get(&phase).into_iter().flatten().copied();
        locals.filter(|local| !self.system.is_inside(*local))
    }

    fn has_errors(&self, phase: Phase, active: LocalState) -> Result<(), Refused> {
        let Some(Statement::Assert(assertion)) = self.system.statement(active) else { return Ok(()) };
        let others: Vec<(Change, u32)> = self.passive(phase).map(|local| ((local, local), u32::MAX)).collect();
        let is_fine = every_tuple(&assertion.passive, &others, &mut |passive| {
            let mut threads: Vec<LocalState> = passive.iter().map(|(local, _)| *local).collect();
            if !fails(assertion, phase.shared, active, &threads) {
                return true;
            }
            threads.push(active);
            self.is_impossible(&threads) || self.covers(phase, &configuration(phase, &threads))
        });
        if is_fine { Ok(()) } else { Err(Refused::Error) }
    }

    /// The pairs have what a step makes of the active thread, a started one, and any passive one.
    fn has_step(&self, phase: Phase, step: &Step<'_>) -> Result<(), Refused> {
        let after = self.after(step);
        let passive = self.passive(phase).filter(|local| !self.is_impossible(&[*local, step.active.0]));
        let mut next = passive.flat_map(|local| step.passive(local)).chain([step.active.1]).chain(step.started);
        if next.all(|local| self.has(after, local)) { Ok(()) } else { Err(Refused::Step) }
    }

    fn after(&self, step: &Step<'_>) -> Phase {
        Phase { shared: step.shared.1, is_inside: self.system.is_inside(step.active.1) }
    }

    /// The basis covers everything from which this step leads to something that it covers.
    fn has_predecessors(&self, phase: Phase, step: &Step<'_>) -> Result<(), Refused> {
        for minimal in self.basis.get(&self.after(step)).into_iter().flatten() {
            let wanted = minimal.least.state().threads;
            let parts = Parts { active: true, started: step.started };
            if !self.explain(phase, step, &wanted, parts, &mut Vec::new()) {
                return Err(Refused::Step);
            }
        }
        Ok(())
    }

    /// Goes through every explanation of the threads that are wanted after a step: each is the active one, the started
    /// one, or a passive one that was something before. Whether the basis covers what was there before, for all of them.
    fn explain(
        &self,
        phase: Phase,
        step: &Step<'_>,
        wanted: &[LocalState],
        parts: Parts,
        passive: &mut Vec<Change>,
    ) -> bool {
        let Some((local, rest)) = wanted.split_first() else {
            let mut before: Vec<LocalState> = passive.iter().map(|(before, _)| *before).collect();
            before.push(step.active.0);
            return !joint_constraints_hold(step, passive)
                || self.is_impossible(&before)
                || self.covers(phase, &configuration(phase, &before));
        };
        if parts.active && step.active.1 == *local {
            let parts = Parts { active: false, ..parts };
            if !self.explain(phase, step, rest, parts, passive) {
                return false;
            }
        }
        if parts.started == Some(*local) {
            let parts = Parts { started: None, ..parts };
            if !self.explain(phase, step, rest, parts, passive) {
                return false;
            }
        }
        let origins: Vec<LocalState> =
            self.passive(phase).filter(|before| step.passive(*before).contains(local)).collect();
        origins.into_iter().all(|before| {
            passive.push((before, *local));
            let is_fine = self.explain(phase, step, rest, parts, passive);
            passive.pop();
            is_fine
        })
    }
}

/// Which of the threads after a step have not been taken for one that is wanted.
#[derive(Clone, Copy)]
struct Parts {
    active: bool,
    started: Option<LocalState>,
}

fn configuration(phase: Phase, threads: &[LocalState]) -> Configuration {
    Configuration::new(phase.shared, threads.iter().map(|local| (*local, 1)))
}
