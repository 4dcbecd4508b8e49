//! From an abstract counterexample to predicates: its steps are taken back once more, and where one is not exact, what
//! decides it is tracked from then on (weakest preconditions, without the numbers of threads). Either nothing leads
//! along these steps any more, or they may be real.

use selvedge_abstraction::Stop;
use selvedge_evidence::symmetric::configuration::{Configuration, Literal};
use selvedge_evidence::symmetric::moves::{At, Move, StepKey};
use selvedge_logic::Term;
use selvedge_symbolic::threads::Who;

use crate::search::{Origin, Reached, Search, Step, Target};
use crate::tracked::{Reason, Tracked};

/// With more configurations than this on the way, it is given up.
const MOST: usize = 400;

/// What came of a refinement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refined {
    /// Nothing leads along these steps.
    Refuted,
    /// Something still does.
    Remains,
}

/// The moves of a counterexample, from the error back.
#[derive(Debug)]
pub struct Counterexample {
    pub target: usize,
    /// With where the threads are afterwards.
    moves: Vec<(Vec<At>, Move)>,
    /// What holds of all threads at the error, and before each move.
    said: Vec<Vec<Literal>>,
}

/// That of an error to which something leads that was reached.
pub fn moves(reached: &[Reached], first: usize) -> Counterexample {
    let mut moves = Vec::new();
    let mut said = Vec::new();
    let mut at = first;
    loop {
        said.push(reached[at].configuration.shared.clone());
        match &reached[at].origin {
            Origin::Target(target) => {
                moves.reverse();
                said.reverse();
                return Counterexample { target: *target, moves, said };
            }
            Origin::Move { to, by } => {
                moves.push((reached[*to].configuration.places(), *by));
                at = *to;
            }
        }
    }
}

/// What of a move does not depend on the order of threads.
fn shape(places: &[At], by: &Move) -> (StepKey, At, [Option<At>; 2], Option<usize>) {
    let place = |thread: Option<usize>| thread.map(|thread| places[thread]);
    (by.step, by.source, [place(by.active), place(by.started)], by.joined)
}

/// Takes the steps of a counterexample back, and tracks what decides them.
///
/// # Errors
/// If there is no time, or what is allowed is spent.
pub fn refine(on: &mut Tracked<'_, '_>, targets: &[Target], counterexample: &Counterexample) -> Result<Refined, Stop> {
    let Counterexample { target, moves, said } = counterexample;
    on.is_eager = true;
    let known = on.len();
    // How many threads there are makes many configurations; one of them is enough for most predicates.
    let mut refined =
        if on.counts_threads() { one_along(on, &targets[*target], moves, said) } else { Ok(Refined::Remains) };
    if refined.is_ok() && on.len() == known {
        refined = along(on, targets, *target, moves);
    }
    on.is_eager = false;
    refined
}

/// The same for one configuration before every step.
fn one_along(
    on: &mut Tracked<'_, '_>,
    Target { there, conditions, steps }: &Target,
    moves: &[(Vec<At>, Move)],
    said: &[Vec<Literal>],
) -> Result<Refined, Stop> {
    let certain = on.stage.certain(there, None, conditions);
    let asked = (&conditions[..], &certain[..]);
    let Some(mut at) = one(on, asked, there, &Reason::Ends(steps), &said[0])? else { return Ok(Refined::Refuted) };
    for ((places, by), said) in moves.iter().zip(&said[1..]) {
        let wanted = shape(places, by);
        let places = at.places();
        let found = on.stage.map.moves(&places).into_iter().find(|by| shape(&places, by) == wanted);
        let Some(by) = found else { return Ok(Refined::Remains) };
        let (there, needed) = (by.before(&places), on.stage.leads(&at, &by));
        let certain = on.stage.certain(&there, Some(&by), &needed);
        let asked = (&needed[..], &certain[..]);
        let before = one(on, asked, &there, &Reason::Leads(&at, &by), said)?;
        let Some(before) = before else { return Ok(Refined::Refuted) };
        at = before;
    }
    Ok(Refined::Remains)
}

fn one(
    on: &mut Tracked<'_, '_>,
    (needed, certain): (&[Term], &[Term]),
    there: &[(Who, At)],
    reason: &Reason<'_>,
    said: &[Literal],
) -> Result<Option<Configuration>, Stop> {
    let mut conditions = [needed, certain].concat();
    conditions.extend(said.iter().map(|literal| on.stage.holds(*literal, Who::Own)));
    if !on.can_hold(reason.step(), &conditions)? {
        return Ok(None);
    }
    let model = on.model()?;
    Ok(Some(on.found((needed, certain), there, &model, reason)?.configuration))
}

fn along(
    on: &mut Tracked<'_, '_>,
    targets: &[Target],
    target: usize,
    moves: &[(Vec<At>, Move)],
) -> Result<Refined, Stop> {
    let mut level: Vec<Reached> = {
        let mut search = Search::new(on);
        if let Step::Began(_) = search.end(target, &targets[target])? {
            return Ok(Refined::Remains);
        }
        search.reached
    };
    for (places, by) in moves {
        let wanted = shape(places, by);
        let mut next: Vec<Reached> = Vec::new();
        for reached in level {
            let places = reached.configuration.places();
            let mut taken = on.stage.map.moves(&places);
            taken.retain(|by| shape(&places, by) == wanted);
            let mut search = Search::new(on);
            search.reached.push(reached.clone());
            search.bad.push(reached.configuration);
            search.bad.remove(0);
            for by in taken {
                if let Step::Began(_) = search.back(0, by)? {
                    return Ok(Refined::Remains);
                }
            }
            for found in search.reached.drain(1..) {
                if next.iter().all(|known| known.configuration != found.configuration) {
                    next.push(found);
                }
            }
            if next.len() > MOST {
                return Ok(Refined::Remains);
            }
        }
        level = next;
    }
    Ok(if level.is_empty() { Refined::Refuted } else { Refined::Remains })
}
