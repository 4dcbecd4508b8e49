//! From an abstract counterexample to a schedule: its steps, one path per thread, put to [`Feasibility`]. What can be
//! interleaved is a real violation, whatever the abstraction.

use selvedge_evidence::symmetric::moves::StepKey;
use selvedge_interleaving::{End, Path, Question, Start, Step};
use selvedge_program::{FunctionId, Program};

use crate::search::{Origin, Reached, Target};

/// A thread of the schedule.
struct Actor {
    entry: FunctionId,
    steps: Vec<StepKey>,
    /// Who starts it, with which step; nobody starts the first one.
    parent: Option<(usize, usize)>,
}

/// The paths of a counterexample, with the end that they are to lead to; `None` if it has no thread of `main`.
pub fn question(program: &Program, reached: &[Reached], first: usize, targets: &[Target]) -> Option<Question> {
    let mut actors = vec![Actor { entry: program.main()?, steps: Vec::new(), parent: None }];
    // Who each thread of a configuration is.
    let mut cast = vec![0; reached[first].configuration.threads.len()];
    let mut at = first;
    loop {
        // Who each of those is that are there before the move or at the error.
        let mut there = vec![0; reached[at].order.iter().max().map_or(0, |last| last + 1)];
        for (thread, place) in reached[at].order.iter().enumerate() {
            there[*place] = cast[thread];
        }
        match &reached[at].origin {
            Origin::Target(target) => {
                let step = |(function, edge, _): StepKey| Step { function, edge };
                let end = match (&there[..], &targets[*target].steps[..]) {
                    ([one], [failing, ..]) => End::Fails(*one, step(*failing)),
                    ([one, other], _) => End::Race(*one, *other),
                    _ => return None,
                };
                let paths = actors.iter().map(|actor| Path {
                    start: actor.parent.map_or(Start::Main, |(by, at)| Start::Spawned { by, at }),
                    function: actor.entry,
                    steps: actor.steps.iter().map(|key| step(*key)).collect(),
                });
                return Some(Question { paths: paths.collect(), end });
            }
            Origin::Move { to, by } => {
                if !reached[at].order.contains(&0) {
                    // Who moves was left out.
                    return None;
                }
                let active = *there.first()?;
                actors[active].steps.push(by.step);
                let next = &reached[*to].configuration;
                let mut passive = there.iter().skip(1);
                let mut following = Vec::with_capacity(next.threads.len());
                for thread in 0..next.threads.len() {
                    following.push(if by.active == Some(thread) {
                        active
                    } else if by.started == Some(thread) {
                        let selvedge_symbolic::threads::ArcKind::Spawn(entry) = by.step.2 else { return None };
                        let parent = Some((active, actors[active].steps.len() - 1));
                        actors.push(Actor { entry, steps: Vec::new(), parent });
                        actors.len() - 1
                    } else {
                        *passive.next()?
                    });
                }
                cast = following;
                at = *to;
            }
        }
    }
}
