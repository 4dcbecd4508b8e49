//! From an alarm to a schedule: the paths that led to its states, one per thread, put to [`Feasibility`]. What can be
//! interleaved is a real violation, whatever the abstraction.
//!
//! An abstract path begins with the program and goes through the threads that start each other; steps of other threads
//! on it come from states of their own, with paths of their own. The paths of one thread that several of these need
//! are made one: the longer one where one begins with the other, else one is led on along the control flow to where the
//! other wants it. So what is asked about is a guess, which costs a question if it is wrong.

use std::collections::{BTreeMap, VecDeque};

use selvedge_abstraction::StepKey;
use selvedge_evidence::{Counterexample, Subject, Violation};
use selvedge_interleaving::{End, Feasibility, Feasible, Path, Question, Start, Step};
use selvedge_program::Budget;
use selvedge_program::trace::TraceEnd;
use selvedge_symbolic::threads::NodeId;

use crate::checks::subject;
use crate::space::{Alarm, Origin, Problem, Space, StateId};

/// With more threads than this, or longer paths, nothing is asked.
const MOST_ACTORS: usize = 6;
const LONGEST: usize = 2_000;

/// A thread of the schedule.
#[derive(Clone, Debug)]
struct Actor {
    template: usize,
    steps: Vec<StepKey>,
    /// Where it stands after them.
    node: NodeId,
    /// Who starts it, with which step; nobody starts the first one.
    parent: Option<(usize, usize)>,
}

/// A path of a thread by itself: its steps, how it began, and whose steps came between.
struct Alone {
    steps: Vec<StepKey>,
    began: Option<(StateId, StepKey)>,
    others: Vec<(StateId, StepKey)>,
}

/// The schedule of an alarm, if the paths that led to it can be interleaved.
pub fn counterexample(space: &Space<'_, '_, '_>, alarm: &Alarm, budget: &Budget) -> Option<Violation> {
    let questions = [Company::OfTheAlarm, Company::OfAllSteps].into_iter();
    let mut questions = questions.filter_map(|company| Cast::question(space, alarm, company));
    questions.find_map(|question| schedule(space, alarm, &question, budget))
}

/// The schedule of an alarm, if the paths of a question can be interleaved.
pub fn schedule(space: &Space<'_, '_, '_>, alarm: &Alarm, question: &Question, budget: &Budget) -> Option<Violation> {
    let program = space.on.view.universe.program;
    let about = subject(space, alarm)?;
    let Ok(Feasible::Yes(trace)) = Feasibility::new(program).ask(question, budget) else { return None };
    // A step may go wrong in another way than the alarm says, and two threads may race on something else.
    let subject = match (about, trace.end) {
        (Subject::Memory(function, edge, _), TraceEnd::Undefined(undefined)) => {
            Subject::Memory(function, edge, undefined)
        }
        _ => about,
    };
    let violation = Violation { subject, trace };
    let is_meant = subject.property() == about.property();
    (is_meant && Counterexample::new(program, violation.clone()).is_ok()).then_some(violation)
}

/// Whose paths are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Company {
    /// Those of the threads that the alarm is about, and of those that start them.
    OfTheAlarm,
    /// And of all whose steps are on these.
    OfAllSteps,
}

/// The threads of a schedule.
struct Cast<'s, 'a, 'p, 'b> {
    space: &'s Space<'a, 'p, 'b>,
    actors: Vec<Actor>,
}

impl<'s, 'a, 'p, 'b> Cast<'s, 'a, 'p, 'b> {
    fn question(space: &'s Space<'a, 'p, 'b>, alarm: &Alarm, company: Company) -> Option<Question> {
        let first =
            Actor { template: 0, steps: Vec::new(), node: space.on.view.universe.unfolded(0).first(), parent: None };
        let mut cast = Cast { space, actors: vec![first] };
        let ends = match &alarm.problem {
            Problem::Race(_, other, _) => vec![alarm.state, *other],
            Problem::Violation(_) | Problem::Trouble(_) => vec![alarm.state],
        };
        // The first thread is led to its end last: until then it starts the others.
        let mut acting: BTreeMap<usize, usize> = BTreeMap::new();
        let order = (0..ends.len()).filter(|end| space.state(ends[*end]).template != 0);
        for end in order.clone() {
            acting.insert(end, cast.enter(ends[end])?);
        }
        if company == Company::OfAllSteps {
            let about = cast.actors.len();
            for end in order {
                for (source, step) in cast.alone(ends[end]).others {
                    cast.perform(source, step, about)?;
                }
            }
        }
        for end in (0..ends.len()).filter(|end| space.state(ends[*end]).template == 0) {
            cast.lead_first_to(ends[end])?;
            acting.insert(end, 0);
        }
        let end = match &alarm.problem {
            Problem::Race(..) => End::Race(*acting.get(&0)?, *acting.get(&1)?),
            Problem::Violation(_) | Problem::Trouble(_) => End::Fails(*acting.get(&0)?, step(alarm.step)),
        };
        Some(Question { paths: cast.actors.iter().map(|actor| cast.path(actor)).collect(), end })
    }

    fn path(&self, actor: &Actor) -> Path {
        Path {
            start: actor.parent.map_or(Start::Main, |(by, at)| Start::Spawned { by, at }),
            function: self.space.on.view.universe.templates[actor.template].0,
            steps: actor.steps.iter().map(|key| step(*key)).collect(),
        }
    }

    /// The path to a state of the thread that is in it.
    fn alone(&self, state: StateId) -> Alone {
        let mut alone = Alone { steps: Vec::new(), began: None, others: Vec::new() };
        let mut at = state;
        loop {
            match self.space.state(at).origin {
                Origin::Start => break,
                Origin::Started(before, step) => {
                    alone.began = Some((before, step));
                    break;
                }
                Origin::Own(before, step) => {
                    alone.steps.push(step);
                    at = before;
                }
                Origin::Other(before, source, step) => {
                    alone.others.push((source, step));
                    at = before;
                }
            }
        }
        alone.steps.reverse();
        alone.others.reverse();
        alone
    }

    /// A new thread that stands in a state.
    fn enter(&mut self, state: StateId) -> Option<usize> {
        let alone = self.alone(state);
        let parent = match alone.began {
            Some((before, start)) => self.start(before, start)?,
            None => return None,
        };
        if self.actors.len() >= MOST_ACTORS || alone.steps.len() > LONGEST {
            return None;
        }
        let place = self.space.state(state);
        self.actors.push(Actor {
            template: place.template,
            steps: alone.steps,
            node: place.node,
            parent: Some(parent),
        });
        Some(self.actors.len() - 1)
    }

    /// Has a thread take a step that starts another one.
    fn start(&mut self, before: StateId, start: StepKey) -> Option<(usize, usize)> {
        let by = if self.space.state(before).template == 0 { 0 } else { self.enter(before)? };
        if by == 0 && !self.actors[0].steps.contains(&start) {
            self.lead_first_to(before)?;
        }
        let is_taken = |at: usize| self.actors.iter().any(|actor| actor.parent == Some((by, at)));
        let steps = &self.actors[by].steps;
        if let Some(at) = (0..steps.len()).find(|at| steps[*at] == start && !is_taken(*at)) {
            return Some((by, at));
        }
        self.lead_to(by, self.space.state(before).node)?;
        self.take(by, start)?;
        Some((by, self.actors[by].steps.len() - 1))
    }

    /// Has a thread take a step in a state of its own: one of those that are there, if its path is that or, unless it is
    /// among the first, which the alarm is about, leads there.
    fn perform(&mut self, source: StateId, step: StepKey, about: usize) -> Option<()> {
        let mut steps = self.alone(source).steps;
        steps.push(step);
        let template = self.space.state(source).template;
        let does = |actor: &Actor| actor.template == template && actor.steps.starts_with(&steps);
        if self.actors.iter().any(does) {
            return Some(());
        }
        if template == 0 {
            self.lead_first_to(source)?;
            return self.take(0, step);
        }
        let leads = |actor: &Actor| actor.template == template && steps.starts_with(&actor.steps);
        if let Some(further) = self.actors.iter().skip(about).position(leads) {
            let actor = about + further;
            steps.pop();
            (self.actors[actor].steps, self.actors[actor].node) = (steps, self.space.state(source).node);
            return self.take(actor, step);
        }
        let actor = self.enter(source)?;
        self.take(actor, step)
    }

    /// Leads the first thread to a state, by its own path if that begins like what the thread has done.
    fn lead_first_to(&mut self, state: StateId) -> Option<()> {
        let alone = self.alone(state);
        let node = self.space.state(state).node;
        if alone.steps.starts_with(&self.actors[0].steps) && alone.steps.len() <= LONGEST {
            (self.actors[0].steps, self.actors[0].node) = (alone.steps, node);
            return Some(());
        }
        self.lead_to(0, node)
    }

    /// Leads a thread to a place, by the shortest way.
    fn lead_to(&mut self, actor: usize, node: NodeId) -> Option<()> {
        let Actor { template, node: from, .. } = self.actors[actor];
        let unfolded = self.space.on.view.universe.unfolded(template);
        let mut came: BTreeMap<NodeId, (NodeId, StepKey)> = BTreeMap::new();
        let mut pending = VecDeque::from([from]);
        while let Some(at) = pending.pop_front() {
            if at == node {
                break;
            }
            for arc in unfolded.outgoing(at).iter().map(|arc| unfolded.arc(*arc)) {
                let Some(target) = arc.target else { continue };
                if target != from && !came.contains_key(&target) {
                    came.insert(target, (at, (unfolded.get(at).function, arc.edge, arc.kind)));
                    pending.push_back(target);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = node;
        while at != from {
            let (before, step) = *came.get(&at)?;
            way.push(step);
            at = before;
        }
        way.reverse();
        let actor = &mut self.actors[actor];
        actor.steps.extend(way);
        actor.node = node;
        (actor.steps.len() <= LONGEST).then_some(())
    }

    /// Has a thread take a step from where it stands.
    fn take(&mut self, actor: usize, step: StepKey) -> Option<()> {
        let Actor { template, node, .. } = self.actors[actor];
        let unfolded = self.space.on.view.universe.unfolded(template);
        let mut arcs = unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc));
        let arc = arcs.find(|arc| (unfolded.get(node).function, arc.edge, arc.kind) == step)?;
        self.actors[actor].steps.push(step);
        self.actors[actor].node = arc.target?;
        Some(())
    }
}

/// A step as it is put to [`Feasibility`].
pub fn step((function, edge, _): StepKey) -> Step {
    Step { function, edge }
}
