//! One step, as counted threads need it: first what the active thread does, then, given that, what can become of one
//! passive thread, since notifications and constraints with one passive index concern each of them by itself.
//! Constraints with more passive indices are put to tuples of passive threads. Which threads may take a step while one
//! is inside an atomic section is for the caller to see to.

use crate::expr::{Expr, View};
use crate::program::*;
use crate::state::{LocalState, initial_locals, set};
use crate::valid::System;

/// Before a step and after it.
pub type Change = (LocalState, LocalState);

/// What the active thread does in a step.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    /// The shared variables before and after.
    pub shared: (u64, u64),
    /// The active thread before and after.
    pub active: Change,
    /// The thread that it starts.
    pub started: Option<LocalState>,
    statement: &'s Statement,
}

/// Everything that a thread in a local state can do by itself; constraints that name passive threads are still to be met.
pub fn steps(system: &System, shared: u64, local: LocalState) -> Vec<Step<'_>> {
    let Some(statement) = system.statement(local) else { return Vec::new() };
    let next = LocalState { pc: Pc(local.pc.0 + 1), ..local };
    let stay = Step { shared: (shared, shared), active: (local, next), started: None, statement };
    match statement {
        Statement::Goto(targets) => {
            let to = |target: &Pc| Step { active: (local, LocalState { pc: *target, ..local }), ..stay };
            targets.iter().map(to).collect()
        }
        Statement::Assign(assignment) => {
            let view = View { shared: (shared, shared), threads: &[(local, local)] };
            let shared_values = assignment.shared.iter().map(|(variable, value)| (variable.0, value));
            let active_values = assignment.active.iter().map(|(variable, value)| (variable.0, value));
            let mut found = Vec::new();
            for shared_next in choices(shared, shared_values, view) {
                for values in choices(local.values, active_values.clone(), view) {
                    found.push(Step {
                        shared: (shared, shared_next),
                        active: (local, LocalState { values, ..next }),
                        ..stay
                    });
                }
            }
            found.retain(Step::is_allowed);
            found
        }
        Statement::Start(start) => {
            let locals = started(system, start, shared, local);
            locals.into_iter().map(|started| Step { started: Some(started), ..stay }).collect()
        }
        Statement::Assert(_) => Some(stay).filter(Step::is_allowed).into_iter().collect(),
        Statement::AtomicBegin | Statement::AtomicEnd => vec![stay],
    }
}

/// What variables can hold after values have been given to some of them.
fn choices<'e>(before: u64, values: impl Iterator<Item = (u8, &'e Expr)>, view: View<'_>) -> Vec<u64> {
    let mut found = vec![before];
    for (place, value) in values {
        let values = value.values(view);
        found = found.iter().flat_map(|held| values.iter().map(|value| set(*held, place, value))).collect();
    }
    found
}

fn started(system: &System, start: &Start, shared: u64, active: LocalState) -> Vec<LocalState> {
    let view = View { shared: (shared, shared), threads: &[(active, active)] };
    let mut found = Vec::new();
    for initial in initial_locals(system.program(), start.template) {
        let values = start.values.iter().map(|(variable, value)| (variable.0, value));
        let locals = choices(initial.values, values, view);
        found.extend(locals.into_iter().map(|values| LocalState { pc: start.at, values, ..initial }));
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|local| {
        let view = View { shared: (shared, shared), threads: &[(active, active), (*local, *local)] };
        start.condition.values(view).may_be_true
    });
    found
}

impl<'s> Step<'s> {
    fn constraints(&self) -> &'s [Constraint] {
        match self.statement {
            Statement::Assign(assignment) => &assignment.constraints,
            Statement::Assert(constraint) => std::slice::from_ref(constraint),
            Statement::Goto(_) | Statement::Start(_) | Statement::AtomicBegin | Statement::AtomicEnd => &[],
        }
    }

    fn notifications(&self) -> &'s [Notification] {
        match self.statement {
            Statement::Assign(assignment) => &assignment.passive,
            Statement::Goto(_)
            | Statement::Assert(_)
            | Statement::Start(_)
            | Statement::AtomicBegin
            | Statement::AtomicEnd => &[],
        }
    }

    /// Whether the constraints on the active thread alone hold.
    fn is_allowed(&self) -> bool {
        self.constraints()
            .iter()
            .filter(|constraint| constraint.passive.is_empty())
            .all(|constraint| self.meets(constraint, &[]))
    }

    /// Whether a constraint holds of these passive threads.
    pub fn meets(&self, constraint: &Constraint, passive: &[Change]) -> bool {
        let threads = [&[self.active], passive].concat();
        constraint.condition.values(View { shared: self.shared, threads: &threads }).may_be_true
    }

    /// Whether passive threads have a part in it at all. If not, they stay as they are.
    pub fn concerns_passive(&self) -> bool {
        !self.notifications().is_empty() || self.constraints().iter().any(|constraint| !constraint.passive.is_empty())
    }

    /// The constraints on several passive threads together.
    pub fn joint(&self) -> impl Iterator<Item = &'s Constraint> + use<'s> {
        self.constraints().iter().filter(|constraint| constraint.passive.len() > 1)
    }

    /// What can become of a passive thread, as far as constraints on it alone say. If nothing can, no such thread may be there.
    pub fn passive(&self, local: LocalState) -> Vec<LocalState> {
        let before = (self.shared.0, self.shared.0);
        let threads = [(self.active.0, self.active.0), (local, local)];
        let notification = self.notifications().iter().find(|told| told.template == local.template);
        let values =
            notification.into_iter().flat_map(|told| told.values.iter().map(|(local, value)| (local.0, value)));
        let outcomes = choices(local.values, values, View { shared: before, threads: &threads });
        let outcomes = outcomes.into_iter().map(|values| LocalState { values, ..local });
        outcomes.filter(|next| self.allows(local, *next)).collect()
    }

    fn allows(&self, local: LocalState, next: LocalState) -> bool {
        let mut single = self.constraints().iter().filter(|constraint| constraint.passive == [local.template]);
        single.all(|constraint| self.meets(constraint, &[(local, next)]))
    }
}

/// Whether something holds of every tuple of distinct threads of these templates, given how many threads change in
/// which way.
pub fn every_tuple(
    templates: &[TemplateId],
    threads: &[(Change, u32)],
    holds: &mut dyn FnMut(&[Change]) -> bool,
) -> bool {
    fn extend(
        templates: &[TemplateId],
        threads: &mut [(Change, u32)],
        chosen: &mut Vec<Change>,
        holds: &mut dyn FnMut(&[Change]) -> bool,
    ) -> bool {
        let Some((template, rest)) = templates.split_first() else { return holds(chosen) };
        for place in 0..threads.len() {
            let (change, count) = threads[place];
            if count == 0 || change.0.template != *template {
                continue;
            }
            threads[place].1 -= 1;
            chosen.push(change);
            let is_fine = extend(rest, threads, chosen, holds);
            chosen.pop();
            threads[place].1 += 1;
            if !is_fine {
                return false;
            }
        }
        true
    }
    extend(templates, &mut threads.to_vec(), &mut Vec::new(), holds)
}

/// Whether an assertion fails for these passive threads; they are given in the order of its indices.
pub fn fails(assertion: &Constraint, shared: u64, active: LocalState, passive: &[LocalState]) -> bool {
    let threads: Vec<Change> = std::iter::once(&active).chain(passive).map(|local| (*local, *local)).collect();
    assertion.condition.values(View { shared: (shared, shared), threads: &threads }).may_be_false
}
