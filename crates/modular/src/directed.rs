//! From an alarm to a schedule, one thread after the other: those that the alarm is about are started, and each is led
//! by the shortest way that values allow to where the alarm wants it, while all others stand still. A loop with a bound
//! is gone through as often as it takes, where an abstract path would leave it at once; where the shortest way is closed,
//! the thread goes where it has not been yet, and other threads are led to where they write what this depends on.
//!
//! What is not tracked of values is anything on the way, so what comes out is a guess, put to [`Feasibility`]. What is
//! not found need not be impossible: a thread may need a step of another one, or a way that is not the shortest.

use rustc_hash::FxHashSet;
use selvedge_abstraction::{StepKey, Stop};
use selvedge_evidence::Violation;
use selvedge_interleaving::{End, Path, Question, Start};
use selvedge_logic::{Answer, Cancellation, Limits, Solver, Term};
use selvedge_program::{AccessKind, Action, Budget, Callee, EdgeId, FunctionId, RegisterId, RegisterUse};
use selvedge_symbolic::CellKey;
use selvedge_symbolic::threads::{Arc, ArcKind, Kept, NodeId, Who};

use crate::counterexample::{schedule, step};
use crate::ground::distances;
use crate::path::{Leg, Thread, Values};
use crate::space::{Alarm, Problem, Space};

/// With more threads than this, longer ways, or more questions where to go, none is looked for.
const MOST_ACTORS: usize = 5;
const LONGEST: usize = 1_500;
const MOST_QUESTIONS: usize = 60;

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

/// How many steps that may open a closed way are tried, and how many of one cell.
const MOST_OPENERS: usize = 16;
const MOST_OPENERS_OF_CELL: usize = 4;

/// The schedule of an alarm, if leading one thread after the other finds one. Where their way is closed, another thread
/// is first led to where it writes something that this depends on.
///
/// # Errors
/// When the budget is used up.
pub fn directed(space: &mut Space<'_, '_, '_>, alarm: &Alarm, budget: &Budget) -> Result<Option<Violation>, Stop> {
    let mut closed = Vec::new();
    for order in [Order::Given, Order::Turned] {
        if let Some(violation) = attempt(space, alarm, (order, None), &mut closed, budget)? {
            return Ok(Some(violation));
        }
    }
    for opener in openers(space, &closed).into_iter().take(MOST_OPENERS) {
        let play = (Order::Given, Some(opener));
        if let Some(violation) = attempt(space, alarm, play, &mut Vec::new(), budget)? {
            return Ok(Some(violation));
        }
    }
    Ok(None)
}

/// In which order the threads of an alarm are led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Given,
    Turned,
}

/// A thread of a template that is to take a step first.
type Opener = (usize, Arc);

/// Leads the threads of an alarm in an order, perhaps after another one; which steps could not be taken.
fn attempt(
    space: &mut Space<'_, '_, '_>,
    alarm: &Alarm,
    (order, opener): (Order, Option<Opener>),
    closed: &mut Vec<StepKey>,
    budget: &Budget,
) -> Result<Option<Violation>, Stop> {
    let mut ends = vec![alarm.state];
    if let Problem::Race(_, other, _) = &alarm.problem {
        ends.push(*other);
    }
    let ends = ends.into_iter().map(|end| (space.state(end).template, space.state(end).node));
    let ends: Vec<(usize, NodeId)> = ends.collect();
    let mut in_order: Vec<usize> = (0..ends.len()).collect();
    match order {
        Order::Given => {}
        Order::Turned if ends.len() == 1 => return Ok(None),
        Order::Turned => in_order.reverse(),
    }
    let mut stage = Stage::new(space, budget);
    let acting = match opener {
        Some(opener) if !stage.opens(opener)? => None,
        _ => stage.perform(&ends, &in_order)?,
    };
    for step in std::mem::take(&mut stage.closed) {
        if !closed.contains(&step) {
            closed.push(step);
        }
    }
    let Some(acting) = acting else { return Ok(None) };
    let end = match alarm.problem {
        Problem::Race(..) => End::Race(acting[0], acting[1]),
        Problem::Violation(_) | Problem::Trouble(_) => End::Fails(acting[0], step(alarm.step)),
    };
    let question = Question { paths: stage.paths(), end };
    Ok(schedule(space, alarm, &question, budget))
}

/// Steps of threads that write what closed steps depend on, the nearest first.
fn openers(space: &mut Space<'_, '_, '_>, closed: &[StepKey]) -> Vec<Opener> {
    let mut cells: Vec<CellKey> = Vec::new();
    for step in closed {
        for key in cells_behind(space, *step) {
            if !cells.contains(&key) {
                cells.push(key);
            }
        }
    }
    let mut openers: Vec<Opener> = Vec::new();
    for key in cells {
        let mut found = Vec::new();
        for template in 1..space.on.view.universe.templates.len() {
            for arc in space.on.view.universe.unfolded(template).arcs.clone() {
                let function = space.on.view.universe.unfolded(template).get(arc.source).function;
                let moved = space.on.view.moved(Who::Own, function, arc.edge, arc.kind);
                if moved.cells.contains_key(&key) {
                    found.push((space.depth(template, arc.source), function, (template, arc)));
                }
            }
        }
        found.sort_by_key(|(depth, ..)| *depth);
        // One of each step is enough.
        let mut seen = FxHashSet::default();
        found.retain(|(_, function, (template, arc))| seen.insert((*template, *function, arc.edge, arc.kind)));
        openers.extend(found.into_iter().map(|(.., opener)| opener).take(MOST_OPENERS_OF_CELL));
    }
    openers
}

/// The shared cells that the registers that a step looks at may have been loaded from.
fn cells_behind(space: &mut Space<'_, '_, '_>, (function, edge, _): StepKey) -> Vec<CellKey> {
    let program = space.on.view.universe.program;
    let mut pending: Vec<(FunctionId, RegisterId)> = Vec::new();
    used(&program.function(function).edge(edge).action, function, &mut pending);
    let mut seen: FxHashSet<(FunctionId, RegisterId)> = pending.iter().copied().collect();
    let mut cells = Vec::new();
    while let Some((function, register)) = pending.pop() {
        let mut behind = Vec::new();
        for (number, edge) in program.function(function).edges.iter().enumerate() {
            let mut is_assigned = false;
            edge.action.for_each_register(&mut |found| is_assigned |= found == RegisterUse::Assigned(register));
            if !is_assigned {
                continue;
            }
            if let Action::Load { .. } | Action::Atomic(_) = &edge.action {
                let moved = space.on.view.moved(Who::Own, function, EdgeId::new(number), ArcKind::Step);
                let reads = moved.touched.iter().filter(|touched| touched.mode.kind == AccessKind::Read);
                let universe = &space.on.view.universe;
                let shared = reads.filter(|touched| universe.kept_cell(touched.cell) == Kept::Shared);
                cells.extend(shared.map(|touched| touched.cell));
            } else if let Action::Call { callee: Callee::Direct(callee), .. } = &edge.action {
                let returns = program.function(*callee).edges.iter();
                let returns = returns.filter(|edge| matches!(edge.action, Action::Return { .. }));
                returns.for_each(|edge| used(&edge.action, *callee, &mut behind));
            } else {
                used(&edge.action, function, &mut behind);
            }
        }
        pending.extend(behind.into_iter().filter(|register| seen.insert(*register)));
    }
    cells
}

/// Adds the registers that an action looks at.
fn used(action: &Action, function: FunctionId, registers: &mut Vec<(FunctionId, RegisterId)>) {
    action.for_each_register(&mut |register| {
        if let RegisterUse::Used(register) = register {
            registers.push((function, register));
        }
    });
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
    /// Steps that values did not allow.
    closed: Vec<StepKey>,
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
        Stage { space, actors: vec![first], values, conditions: Vec::new(), solver, questions: 0, closed: Vec::new() }
    }

    /// Starts a thread and has it take a step, if it gets there.
    fn opens(&mut self, (template, arc): Opener) -> Result<bool, Stop> {
        let Some(actor) = self.enter(template, 0)? else { return Ok(false) };
        Ok(self.lead(actor, arc.source)? && self.take(actor, arc, Choice::None)?)
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

    /// Leads a thread to a place, by the shortest way that values allow. Whenever that was closed, the thread goes once,
    /// as soon as it can, where it has not been yet: what it does there may open the way.
    fn lead(&mut self, actor: usize, to: NodeId) -> Result<bool, Stop> {
        let template = self.actors[actor].template;
        let left = distances(self.space.on.view.universe.unfolded(template), to);
        let (mut is_to_deviate, mut tried) = (false, FxHashSet::default());
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
            arcs.sort_by_key(far);
            let is_new = |arc: &Arc| !tried.contains(&(arc.edge, arc.kind, node));
            let deviation = if is_to_deviate { arcs.iter().skip(1).position(is_new) } else { None };
            if let Some(place) = deviation {
                arcs[..place + 2].rotate_right(1);
            }
            let Some(taken) = self.take_one(actor, &arcs)? else { return Ok(false) };
            tried.insert((arcs[taken].edge, arcs[taken].kind, node));
            match (deviation, taken) {
                (Some(_), 0) => is_to_deviate = false,
                (None, 1..) => is_to_deviate = true,
                _ => {}
            }
        }
        Ok(true)
    }

    /// Has a thread take the first of some steps that values allow; which one.
    fn take_one(&mut self, actor: usize, arcs: &[Arc]) -> Result<Option<usize>, Stop> {
        let asked = self.questions;
        for (place, arc) in arcs.iter().enumerate() {
            // If no other one can be taken, this one can.
            let choice = if place + 1 < arcs.len() { Choice::Some } else { Choice::None };
            if self.take(actor, *arc, choice)? {
                // What is certain excludes all others.
                let closed = if self.questions == asked { arcs } else { &arcs[..place] };
                for (_, closed) in closed.iter().enumerate().filter(|(other, _)| *other != place) {
                    self.close(actor, *closed);
                }
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Notes that values did not allow a step.
    fn close(&mut self, actor: usize, arc: Arc) {
        let step = self.key(actor, arc);
        if !self.closed.contains(&step) {
            self.closed.push(step);
        }
    }
}
