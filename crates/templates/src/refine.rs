//! Transition refinement (paper 004, Section 4.4): a transition of the Boolean program that no step of the program stands
//! for is excluded by a constraint over the threads that show it, whichever threads they are. First the active thread is
//! looked at alone, then with one passive thread, then with two; of the variables only those are named that a proof of
//! its being spurious needs.

use selvedge_abstraction::Stop;
use selvedge_broadcast::{
    Assignment, Constraint, Expr, Index, LocalState, LocalVar, Pc, SharedVar, State, Statement, System, TemplateId,
    When,
};
use selvedge_logic::Term;
use selvedge_symbolic::threads::{ArcId, Who};

use crate::layout::{Abstraction, MOST_PASSIVE, Origin};
use crate::vocabulary::Atom;
use crate::{Form, Refused};

/// A transition that was excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spurious {
    /// How many threads show that it is spurious: the paper's |J|.
    pub threads: u8,
}

/// A variable at a time, and whether it holds, with the term that says so.
type Said = (Term, Expr);

impl Abstraction<'_, '_> {
    /// Excludes the transition between two states by a step of the active thread, if no step of the program with the
    /// values of all predicates of it and of some passive threads stands for it.
    ///
    /// # Errors
    /// If there is no time.
    pub fn refine(&mut self, before: &State, after: &State, active: usize) -> Result<Option<Spurious>, Refused> {
        let LocalState { template, pc, .. } = before.threads[active];
        let (Some(Origin::Step(arc)), true) =
            (self.origin(template, pc).cloned(), before.threads.len() == after.threads.len())
        else {
            return Ok(None);
        };
        if !matches!(self.program.template(template).statement(pc), Some(Statement::Assign(_))) {
            return Ok(None);
        }
        for passive in 0..MOST_PASSIVE {
            for chosen in choices(before, after, active, usize::from(passive)) {
                let threads = [&[active], chosen.as_slice()].concat();
                if let Some(excluded) = self.spurious((before, after), &threads, arc)? {
                    let of: Vec<TemplateId> = chosen.iter().map(|thread| before.threads[*thread].template).collect();
                    self.exclude((template, pc), arc, Constraint { passive: of, condition: excluded.negated() })?;
                    return Ok(Some(Spurious { threads: passive + 1 }));
                }
            }
        }
        Ok(None)
    }

    /// Excludes an error that no state of the program with the values of all predicates of the active thread has.
    ///
    /// # Errors
    /// If there is no time.
    pub fn refine_error(&mut self, state: &State, active: usize) -> Result<bool, Refused> {
        let LocalState { template, pc, .. } = state.threads[active];
        let Some(Origin::Check(arc, cause)) = self.origin(template, pc).cloned() else { return Ok(false) };
        let universe = self.on.vocabulary.templates[template.0 as usize];
        let arc = self.on.arc(universe, arc);
        let errors = self.on.errors(universe, arc);
        let when = errors.iter().find(|(_, known)| *known == cause).map(|(when, _)| *when);
        let Some(when) = when else { return Ok(false) };
        let said = self.said(state, &[active], When::Now, None)?;
        let Some(core) = self.core(&[when], said)? else { return Ok(false) };
        let Some(Statement::Assert(assertion)) =
            self.program.templates[template.0 as usize].statements.get_mut(pc.0 as usize)
        else {
            return Ok(false);
        };
        let condition = std::mem::replace(&mut assertion.condition, Expr::Constant(true));
        assertion.condition = condition.or(Expr::all(core));
        Ok(true)
    }

    /// What cannot be of the variables of some threads before and after a step, if anything.
    fn spurious(
        &mut self,
        (before, after): (&State, &State),
        threads: &[usize],
        arc: ArcId,
    ) -> Result<Option<Expr>, Stop> {
        let universe = self.on.vocabulary.templates[before.threads[threads[0]].template.0 as usize];
        let arc = self.on.arc(universe, arc);
        let moved = self.on.moved(universe, arc);
        let mut base = vec![moved.enabled];
        let there: Vec<Who> = (0..threads.len()).map(|place| crate::vocabulary::who(Index(place as u8))).collect();
        for (place, one) in there.iter().enumerate() {
            for other in &there[place + 1..] {
                base.push(self.on.distinct(*one, *other));
            }
        }
        let mut said = self.said(before, threads, When::Now, None)?;
        said.extend(self.said(after, threads, When::Next, Some(&moved))?);
        Ok(self.core(&base, said)?.map(Expr::all))
    }

    /// What a state says of the predicates of some threads, the active one first.
    fn said(
        &mut self,
        state: &State,
        threads: &[usize],
        when: When,
        moved: Option<&selvedge_symbolic::threads::Moved>,
    ) -> Result<Vec<Said>, Stop> {
        let mut atoms = Vec::new();
        for (atom, predicate) in self.on.vocabulary.shared_atoms() {
            if let Atom::Shared(SharedVar(place)) = atom {
                atoms.push((atom, predicate, state.shared >> place & 1 == 1));
            }
        }
        for (index, thread) in threads.iter().enumerate() {
            let local = state.threads[*thread];
            for (atom, predicate) in self.on.vocabulary.local_atoms(local.template.0 as usize, Index(index as u8)) {
                if let Atom::Local(_, variable @ LocalVar(_)) = atom {
                    atoms.push((atom, predicate, local.value(variable)));
                }
            }
        }
        let mut said = Vec::new();
        for (atom, predicate, truth) in atoms {
            let term = match moved {
                None => self.on.before(atom, predicate),
                Some(moved) => self.on.after(atom, predicate, moved),
            };
            let term = if truth { term } else { self.on.view.builder.not(term) };
            let expr = atom.expr(when);
            said.push((term, if truth { expr } else { expr.negated() }));
        }
        Ok(said)
    }

    /// What of all that is said contradicts the base, if it does.
    fn core(&mut self, base: &[Term], said: Vec<Said>) -> Result<Option<Vec<Expr>>, Stop> {
        let conditions: Vec<Term> = base.iter().copied().chain(said.iter().map(|(term, _)| *term)).collect();
        let prover = &mut self.on.asking.prover;
        let Some(core) = prover.contradiction(&self.on.view.builder.terms, &conditions)? else { return Ok(None) };
        let mut named = Vec::new();
        for (term, expr) in said {
            // A variable that the step does not change says the same before and after it.
            let is_known = named.iter().any(|(known, _)| *known == term);
            if core.contains(&term) && !is_known {
                named.push((term, expr));
            }
        }
        Ok(Some(named.into_iter().map(|(_, expr)| expr).collect()))
    }

    /// Adds a constraint to the statement of a step.
    pub(crate) fn exclude(
        &mut self,
        (template, pc): (TemplateId, Pc),
        arc: ArcId,
        more: Constraint,
    ) -> Result<(), Refused> {
        self.refined.push((template, arc, more.clone()));
        if let Some(Statement::Assign(Assignment { constraints, .. })) =
            self.program.templates[template.0 as usize].statements.get_mut(pc.0 as usize)
        {
            match constraints.iter_mut().find(|known| known.passive == more.passive) {
                Some(known) if self.on.options.form == Form::Constraints => {
                    let condition = std::mem::replace(&mut known.condition, Expr::Constant(true));
                    known.condition = condition.and(more.condition);
                }
                _ => constraints.push(more),
            }
        }
        System::new(self.program.clone())?;
        Ok(())
    }
}

/// So many passive threads, each choice of local states before and after once.
fn choices(before: &State, after: &State, active: usize, number: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..number {
        let mut longer: Vec<Vec<usize>> = Vec::new();
        for chosen in &found {
            let first = chosen.last().map_or(0, |last| last + 1);
            for thread in (first..before.threads.len()).filter(|thread| *thread != active) {
                longer.push([chosen.as_slice(), &[thread]].concat());
            }
        }
        found = longer;
    }
    let mut seen = Vec::new();
    found.retain(|chosen| {
        let states: Vec<_> = chosen.iter().map(|thread| (before.threads[*thread], after.threads[*thread])).collect();
        let is_new = !seen.contains(&states);
        seen.push(states);
        is_new
    });
    found
}
