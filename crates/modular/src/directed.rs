//! From an alarm to a schedule, one thread after the other: those that the alarm is about are started, and each is led
//! by the shortest way that values allow to where the alarm wants it, while all others stand still. A loop with a bound
//! is gone through as often as it takes, where an abstract path would leave it at once; and where the shortest way is
//! closed, a thread that comes by again tries what it has not tried yet.
//!
//! What is not tracked of values is anything on the way, so what comes out is a guess, put to [`Feasibility`]. What is
//! not found need not be impossible: a thread may need a step of another one, or a way that is not the shortest.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use selvedge_abstraction::{StepKey, Stop};
use selvedge_evidence::Violation;
use selvedge_interleaving::{End, Path, Question, Start};
use selvedge_logic::{Answer, Cancellation, Limits, Solver, Term};
use selvedge_program::Budget;
use selvedge_symbolic::threads::{Arc, ArcKind, NodeId};

use crate::counterexample::{schedule, step};
use crate::path::{Leg, Thread, Values};
use crate::space::{Alarm, Problem, Space};

/// With more threads than this, longer ways, or more questions where to go, none is looked for.
const MOST_ACTORS: usize = 5;
const LONGEST: usize = 1_500;
const MOST_QUESTIONS: usize = 100;

/// How many conflicts a question may take.
const MOST_CONFLICTS: u32 = 2_000;

/// A thread of the schedule.
struct Actor {
    template: usize,
    node: NodeId,
    steps: Vec<StepKey>,
    thread: Thread,
    /// Who starts it, with which step; nobody starts the first one.
    parent: Option<(usize, usize)>,
}

/// The schedule of an alarm, if leading one thread after the other finds one.
///
/// # Errors
/// When the budget is used up.
pub fn directed(space: &mut Space<'_, '_, '_>, alarm: &Alarm, budget: &Budget) -> Result<Option<Violation>, Stop> {
    let mut ends = vec![alarm.state];
    if let Problem::Race(_, other, _) = &alarm.problem {
        ends.push(*other);
    }
    let ends: Vec<(usize, NodeId)> =
        ends.into_iter().map(|end| (space.state(end).template, space.state(end).node)).collect();
    for order in [vec![0, 1], vec![1, 0]].into_iter().take(ends.len()) {
        let mut stage = Stage::new(space, budget);
        let order: Vec<usize> = order.into_iter().filter(|end| *end < ends.len()).collect();
        let Some(acting) = stage.perform(&ends, &order)? else { continue };
        let end = match alarm.problem {
            Problem::Race(..) => End::Race(acting[0], acting[1]),
            Problem::Violation(_) | Problem::Trouble(_) => End::Fails(acting[0], step(alarm.step)),
        };
        let question = Question { paths: stage.paths(), end };
        if let Some(violation) = schedule(space, alarm, &question, budget) {
            return Ok(Some(violation));
        }
    }
    Ok(None)
}

/// Whether a thread that takes a step could take another one instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    None,
    Some,
}

/// The threads of a schedule, and the values where they stand.
struct Stage<'s, 'a, 'p, 'b> {
    space: &'s mut Space<'a, 'p, 'b>,
    actors: Vec<Actor>,
    values: Values,
    conditions: Vec<Term>,
    /// Keeps what it has learnt of a way that only gets longer.
    solver: Solver,
    questions: usize,
}

impl<'s, 'a, 'p, 'b> Stage<'s, 'a, 'p, 'b> {
    fn new(space: &'s mut Space<'a, 'p, 'b>, budget: &Budget) -> Self {
        let mut solver = Solver::new();
        solver.set_limits(Limits {
            deadline: budget.deadline,
            cancellation: Some(Cancellation::from_flag(budget.cancel.clone())),
            conflicts: Some(MOST_CONFLICTS),
        });
        let values = Values::new(&mut space.on.view, true);
        let thread = Thread::new(&mut space.on.view);
        let node = space.on.view.universe.unfolded(0).first();
        let first = Actor { template: 0, node, steps: Vec::new(), thread, parent: None };
        Stage { space, actors: vec![first], values, conditions: Vec::new(), solver, questions: 0 }
    }

    /// Starts the threads that stand at the end, and leads them there in an order; which ones they are.
    fn perform(&mut self, ends: &[(usize, NodeId)], order: &[usize]) -> Result<Option<Vec<usize>>, Stop> {
        let mut acting = vec![0; ends.len()];
        for &end in order {
            if ends[end].0 != 0 {
                let Some(actor) = self.enter(ends[end].0, 0)? else { return Ok(None) };
                acting[end] = actor;
            }
        }
        for &end in order {
            if !self.lead(acting[end], ends[end].1)? {
                return Ok(None);
            }
        }
        let is_twice = acting.len() == 2 && acting[0] == acting[1];
        Ok((!is_twice).then_some(acting))
    }

    fn paths(&self) -> Vec<Path> {
        let universe = &self.space.on.view.universe;
        let path = |actor: &Actor| Path {
            start: actor.parent.map_or(Start::Main, |(by, at)| Start::Spawned { by, at }),
            function: universe.templates[actor.template].0,
            steps: actor.steps.iter().map(|key| step(*key)).collect(),
        };
        self.actors.iter().map(path).collect()
    }

    /// Starts a thread of a template: by the first thread, if that ever does so.
    fn enter(&mut self, template: usize, depth: usize) -> Result<Option<usize>, Stop> {
        if self.actors.len() >= MOST_ACTORS || depth >= MOST_ACTORS {
            return Ok(None);
        }
        let universe = &self.space.on.view.universe;
        let entry = universe.templates[template].0;
        let mut starting = None;
        for (by, (_, unfolded)) in universe.templates.iter().enumerate() {
            let arcs = unfolded.arcs.iter().filter(|arc| arc.kind == ArcKind::Spawn(entry));
            let depth = |arc: &&Arc| self.space.depth(by, arc.source);
            if let Some(arc) = arcs.min_by_key(depth) {
                starting = Some((by, *arc));
                break;
            }
        }
        let Some((by, arc)) = starting else { return Ok(None) };
        let by = if by == 0 { 0 } else { return self.enter_by(by, arc, template, depth) };
        self.start(by, arc, template)
    }

    /// The same where another thread than the first one does that.
    fn enter_by(&mut self, by: usize, arc: Arc, template: usize, depth: usize) -> Result<Option<usize>, Stop> {
        match self.enter(by, depth + 1)? {
            Some(by) => self.start(by, arc, template),
            None => Ok(None),
        }
    }

    /// Leads a thread to where it starts another one, and has it do so.
    fn start(&mut self, by: usize, arc: Arc, template: usize) -> Result<Option<usize>, Stop> {
        if !self.lead(by, arc.source)? {
            return Ok(None);
        }
        let step = self.key(by, arc);
        let thread = self.on(by, |stage| stage.values.started(stage.space, step))?;
        if !self.take(by, arc, Choice::None)? {
            return Ok(None);
        }
        let parent = Some((by, self.actors[by].steps.len() - 1));
        let node = self.space.on.view.universe.unfolded(template).first();
        self.actors.push(Actor { template, node, steps: Vec::new(), thread, parent });
        Ok(Some(self.actors.len() - 1))
    }

    fn key(&self, actor: usize, arc: Arc) -> StepKey {
        let unfolded = self.space.on.view.universe.unfolded(self.actors[actor].template);
        (unfolded.get(arc.source).function, arc.edge, arc.kind)
    }

    /// Something with the values of a thread.
    fn on<T>(&mut self, actor: usize, run: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        std::mem::swap(&mut self.values.thread, &mut self.actors[actor].thread);
        let found = run(self);
        std::mem::swap(&mut self.values.thread, &mut self.actors[actor].thread);
        found
    }

    /// Has a thread take a step, if values allow that. Where it has no choice that is found out later.
    fn take(&mut self, actor: usize, arc: Arc, choice: Choice) -> Result<bool, Stop> {
        let step = self.key(actor, arc);
        let Some(target) = arc.target else { return Ok(false) };
        let is_taken = self.on(actor, |stage| {
            let condition = stage.values.condition(stage.space, Leg::Own(step))?;
            let builder = &stage.space.on.view.builder;
            if builder.is(condition, false) {
                return Ok(false);
            }
            if !builder.is(condition, true) {
                stage.conditions.push(condition);
                if choice == Choice::Some && !stage.is_possible()? {
                    stage.conditions.pop();
                    return Ok(false);
                }
            }
            stage.values.take(stage.space, Leg::Own(step))?;
            Ok(true)
        })?;
        if is_taken {
            self.actors[actor].steps.push(step);
            self.actors[actor].node = target;
        }
        Ok(is_taken)
    }

    /// Whether the ways so far can be gone, as far as is found out with little effort.
    fn is_possible(&mut self) -> Result<bool, Stop> {
        self.questions += 1;
        self.space.on.prover.queries += 1;
        let answer = self.solver.check(&self.space.on.view.builder.terms, &self.conditions)?;
        Ok(answer != Answer::Unsatisfiable)
    }

    /// Leads a thread to a place, by the shortest way that values allow.
    fn lead(&mut self, actor: usize, to: NodeId) -> Result<bool, Stop> {
        let template = self.actors[actor].template;
        let left = self.distances(template, to);
        // Once the shortest way was closed, what has been tried least is tried first: it may open it.
        let (mut is_closed, mut tried) = (false, FxHashMap::default());
        while self.actors[actor].node != to {
            self.space.on.prover.poll()?;
            let Actor { node, ref steps, .. } = self.actors[actor];
            if steps.len() >= LONGEST || self.questions >= MOST_QUESTIONS {
                return Ok(false);
            }
            let unfolded = self.space.on.view.universe.unfolded(template);
            let arcs = unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc));
            let far = |arc: &Arc| arc.target.map_or(u32::MAX, |target| left[target.0 as usize]);
            let mut arcs: Vec<Arc> = arcs.filter(|arc| far(arc) < u32::MAX).collect();
            let times = |arc: &Arc| tried.get(&(arc.edge, arc.kind, node)).copied().unwrap_or(0_u32);
            arcs.sort_by_key(|arc| (if is_closed { times(arc) } else { 0 }, far(arc)));
            let mut is_taken = false;
            let last = arcs.len().saturating_sub(1);
            for (place, arc) in arcs.into_iter().enumerate() {
                // If no other one can be taken, this one can.
                let choice = if place < last { Choice::Some } else { Choice::None };
                is_taken = self.take(actor, arc, choice)?;
                if is_taken {
                    *tried.entry((arc.edge, arc.kind, node)).or_default() += 1;
                    break;
                }
                is_closed = true;
            }
            if !is_taken {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many steps it takes from each place of a template to one of them.
    fn distances(&self, template: usize, to: NodeId) -> Vec<u32> {
        let unfolded = self.space.on.view.universe.unfolded(template);
        let mut coming: Vec<Vec<NodeId>> = vec![Vec::new(); unfolded.nodes.len()];
        for arc in &unfolded.arcs {
            if let Some(target) = arc.target {
                coming[target.0 as usize].push(arc.source);
            }
        }
        let mut left = vec![u32::MAX; unfolded.nodes.len()];
        left[to.0 as usize] = 0;
        let mut pending = VecDeque::from([to]);
        while let Some(node) = pending.pop_front() {
            let next = left[node.0 as usize] + 1;
            for source in &coming[node.0 as usize] {
                if left[source.0 as usize] == u32::MAX {
                    left[source.0 as usize] = next;
                    pending.push_back(*source);
                }
            }
        }
        left
    }
}
