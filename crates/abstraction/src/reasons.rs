//! Why something is known after a step: of what was known before, a part that is enough, made of what costs the least.

use selvedge_logic::Term;
use selvedge_symbolic::threads::Who;

use crate::post::{Abstraction, Cube};
use crate::predicates::{PredicateId, StepKey};
use crate::prover::Stop;

/// How little a predicate is wanted in a reason.
pub type Cost<'c> = &'c dyn Fn(PredicateId) -> u32;

/// A part of what is known to a thread, and to another one.
pub type Reason = (Cube, Cube);

impl Abstraction<'_, '_> {
    /// Why a literal holds after a step of the thread; `None` if it need not.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn why_after(
        &mut self,
        step: StepKey,
        cube: &Cube,
        literal: (PredicateId, bool),
        cost: Cost<'_>,
    ) -> Result<Option<Cube>, Stop> {
        let moved = self.view.moved(Who::Own, step.0, step.1, step.2);
        let term = self.predicates.after(&mut self.view, literal.0, Who::Own, &moved, Who::Own, step);
        let fails = if literal.1 { self.view.builder.not(term) } else { term };
        Ok(self.why((cube, &Cube::new()), vec![moved.enabled, fails], None, cost)?.map(|(own, _)| own))
    }

    /// Why a literal holds in the thread that a step starts; `None` if it need not.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn why_started(
        &mut self,
        step: StepKey,
        cube: &Cube,
        literal: (PredicateId, bool),
        cost: Cost<'_>,
    ) -> Result<Option<Cube>, Stop> {
        let moved = self.view.moved(Who::Own, step.0, step.1, step.2);
        let term = self.predicates.after(&mut self.view, literal.0, Who::Started, &moved, Who::Own, step);
        let fails = if literal.1 { self.view.builder.not(term) } else { term };
        let apart = self.view.two_threads(Who::Own, Who::Started);
        Ok(self.why((cube, &Cube::new()), vec![moved.enabled, fails, apart], None, cost)?.map(|(own, _)| own))
    }

    /// Why a literal holds after a step of another thread; `None` if it need not.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn why_after_other(
        &mut self,
        step: StepKey,
        cubes: (&Cube, &Cube),
        literal: (PredicateId, bool),
        cost: Cost<'_>,
    ) -> Result<Option<Reason>, Stop> {
        let moved = self.view.moved(Who::Other, step.0, step.1, step.2);
        let term = self.predicates.after(&mut self.view, literal.0, Who::Own, &moved, Who::Other, step);
        let fails = if literal.1 { self.view.builder.not(term) } else { term };
        self.why(cubes, vec![moved.enabled, fails], Some((Who::Own, Who::Other)), cost)
    }

    /// Why a condition cannot hold; `None` if it can.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn why_not(&mut self, when: Term, cube: &Cube, cost: Cost<'_>) -> Result<Option<Cube>, Stop> {
        Ok(self.why((cube, &Cube::new()), vec![when], None, cost)?.map(|(own, _)| own))
    }

    /// Why two threads cannot meet, each in its condition; `None` if they can.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn why_apart(
        &mut self,
        conditions: (Term, Term),
        cubes: (&Cube, &Cube),
        cost: Cost<'_>,
    ) -> Result<Option<Reason>, Stop> {
        self.why(cubes, vec![conditions.0, conditions.1], Some((Who::Own, Who::Other)), cost)
    }

    fn why(
        &mut self,
        (own, other): (&Cube, &Cube),
        mut rest: Vec<Term>,
        apart: Option<(Who, Who)>,
        cost: Cost<'_>,
    ) -> Result<Option<Reason>, Stop> {
        let mine = self.literals(own, Who::Own);
        let theirs = self.literals(other, Who::Other);
        if let Some((one, two)) = apart {
            let all: Vec<Term> = mine.iter().chain(&theirs).chain(&rest).copied().collect();
            let apart = self.view.two_threads_where(one, two, &all);
            rest.push(apart);
        }
        let of = |cube: &Cube, terms: &[Term], who: Who| -> Vec<((PredicateId, bool), Term, Who)> {
            cube.iter().zip(terms).map(|(literal, term)| (*literal, *term, who)).collect()
        };
        let mut kept = of(own, &mine, Who::Own);
        kept.extend(of(other, &theirs, Who::Other));
        let all: Vec<Term> = kept.iter().map(|(_, term, _)| *term).chain(rest.iter().copied()).collect();
        let asked = self.prover.asked();
        if self.prover.can_hold(&self.view.builder.terms, &all)? {
            return Ok(None);
        }
        if let Some(core) = self.prover.last_core(asked) {
            kept.retain(|(_, term, _)| core.contains(term));
        }
        // What costs most is left out first.
        let mut order: Vec<(PredicateId, bool)> = kept.iter().map(|(literal, ..)| *literal).collect();
        order.sort_by_key(|(id, _)| std::cmp::Reverse((cost(*id), *id)));
        order.dedup();
        for literal in order {
            let without = kept.iter().filter(|(known, ..)| *known != literal).map(|(_, term, _)| *term);
            let without: Vec<Term> = without.chain(rest.iter().copied()).collect();
            if !self.prover.can_hold(&self.view.builder.terms, &without)? {
                kept.retain(|(known, ..)| *known != literal);
            }
        }
        let part = |who: Who| kept.iter().filter(|(.., of)| *of == who).map(|(literal, ..)| *literal).collect();
        Ok(Some((part(Who::Own), part(Who::Other))))
    }
}
