//! The explicit search as one engine among others: what it finds is told at once, and an exploration of everything is the proof of
//! all the rest.

use selvedge_evidence::{Answer, Certificate, Findings, Scope};
use selvedge_program::{Budget, Program, Progress};

use crate::options::{Options, Reductions};
use crate::result::{Coverage, Cut, Exploration, InternalError};

/// Checks a program. It must be well-formed, see [`Program::validate`].
///
/// # Errors
/// Only for mistakes of the engine's own.
pub fn check(
    program: &Program,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    findings: &dyn Findings,
) -> Result<Answer, InternalError> {
    let exploration = crate::explore_telling(program, options, budget, progress, findings)?;
    if exploration.is_complete() {
        let (states, reductions) = (exploration.statistics.states, names(options.reductions));
        findings.proved(&Scope::Rest, Certificate::Exhaustive { states, reductions });
    } else if let Some(bound) = options.thread_bound.filter(|_| is_bounded_only(&exploration)) {
        let noun = if bound == 1 { "thread" } else { "threads" };
        findings.covered(&Scope::Rest, &format!("at most {bound} {noun} running the same function at a time"));
    }
    Ok(Answer { statistics: exploration.statistics.figures(), gaps: exploration.cuts })
}

/// Whether nothing was left out but what the bound on threads cuts off.
fn is_bounded_only(exploration: &Exploration) -> bool {
    let mut incomplete = exploration.cuts.iter().filter(|cut| cut.is_incomplete());
    exploration.coverage == Coverage::Whole && incomplete.all(|cut| matches!(cut, Cut::Threads { .. }))
}

fn names(reductions: Reductions) -> Vec<&'static str> {
    let all =
        [(reductions.fusion, "fusion"), (reductions.partial_order, "partial order"), (reductions.symmetry, "symmetry")];
    all.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name).collect()
}
