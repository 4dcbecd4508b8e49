//! From an abstract counterexample to predicates: its steps are taken back once more, and where one is not exact, what
//! decides it is tracked from then on (weakest preconditions, without the numbers of threads). Either nothing leads
//! along these steps any more, or they may be real.

use selvedge_abstraction::Stop;
use selvedge_evidence::symmetric::moves::{At, Move, StepKey};

use crate::search::{Origin, Reached, Search, Step, Target};
use crate::tracked::Tracked;

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
pub fn moves(reached: &[Reached], first: usize) -> (usize, Vec<(Vec<At>, Move)>) {
    let mut moves = Vec::new();
    let mut at = first;
    loop {
        match &reached[at].origin {
            Origin::Target(target) => {
                moves.reverse();
                return (*target, moves);
            }
            Origin::Move { to, by } => {
                moves.push((reached[*to].configuration.places(), *by));
                at = *to;
            }
        }
    }
}

/// What of a move does not depend on the order of threads.
fn shape(places: &[At], by: &Move) -> (StepKey, At, Option<At>, Option<At>) {
    (by.step, by.source, by.active.map(|thread| places[thread]), by.started.map(|thread| places[thread]))
}

/// Takes the steps of a counterexample back, and tracks what decides them.
///
/// # Errors
/// If there is no time, or what is allowed is spent.
pub fn refine(
    on: &mut Tracked<'_, '_>,
    targets: &[Target],
    (target, moves): (usize, Vec<(Vec<At>, Move)>),
) -> Result<Refined, Stop> {
    on.is_eager = true;
    let refined = along(on, targets, target, &moves);
    on.is_eager = false;
    refined
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
