//! From an execution of the skeleton back to steps of the program, taken by the concrete semantics as they are found.
//! What the semantics does not do is a mistake of ours, and never a verdict.

use selvedge_evidence::Subject;
use selvedge_logic::{Evaluation, Term};
use selvedge_program::semantics::eval::Evaluator;
use selvedge_program::semantics::{Chooser, Instance, Pointer, Question, Semantics, State, Value};
use selvedge_program::trace::{Trace, TraceEnd, TraceStep};
use selvedge_program::{Bits, EdgeId, Expr, Program, ThreadIndex};

use crate::atomicity;
use crate::error::{Error, Result};
use crate::execution::Execution;
use crate::layout::Layout;
use crate::skeleton::{
    CellId, EventId, Goal, Interference, MomentPlace, SectionPlace, Skeleton, Stop, StopId, ThreadId,
};
use crate::unroll::claims::{Asked, Claim};
use crate::unroll::path::{Addressed, Answer, Arc, Choice, Failure, NodeId, Paths};

/// The trace that an execution stands for, up to where a goal holds.
pub fn trace(
    program: &Program,
    skeleton: &Skeleton,
    paths: &Paths,
    asked: &Asked,
    execution: &Execution,
) -> Result<Trace> {
    let mut retrace = Retrace::new(program, skeleton, paths, execution)?;
    // Once a section has begun that stays open, nobody else moves.
    let open = retrace.open_sections()?;
    let mut last =
        execution.happened.last().map(|&stop| skeleton.stop(stop)).filter(|stop| open.contains(&stop.thread));
    for &stop in &execution.happened {
        let Stop { thread, event, .. } = *skeleton.stop(stop);
        if last.is_some_and(|last| last.event == event) {
            last = None;
            retrace.stand_by(thread)?;
        }
        retrace.go_to(thread, |_, node| node == Some(stop))?;
        retrace.positions[stop.index()] = Some(retrace.steps.len());
        retrace.step(thread)?;
    }
    let end = retrace.finish(asked)?;
    Ok(Trace { steps: retrace.steps, end })
}

/// What threads that have followed paths to their ends show there.
pub(crate) enum Finally<'a> {
    Nothing,
    Race(ThreadId, ThreadId),
    Fails(&'a [Asked]),
    Holds(ThreadId, &'a Expr),
}

/// How threads come to the ends of their paths.
pub(crate) struct Homecoming<'a> {
    /// Every thread, in the order in which what is left of their paths is walked.
    pub order: Vec<ThreadId>,
    /// The thread that ends inside an atomic section, and the section's event: all others are done when it begins.
    pub section: Option<(ThreadId, EventId)>,
    pub finally: Finally<'a>,
}

/// The trace of an execution in which every thread walks a path to its end.
pub(crate) fn walk(
    program: &Program,
    skeleton: &Skeleton,
    paths: &Paths,
    execution: &Execution,
    homecoming: &Homecoming<'_>,
) -> Result<Trace> {
    let mut retrace = Retrace::new(program, skeleton, paths, execution)?;
    for &stop in &execution.happened {
        let described = skeleton.stop(stop);
        if homecoming.section == Some((described.thread, described.event)) {
            let others = homecoming.order.iter().filter(|thread| **thread != described.thread);
            others.copied().try_for_each(|thread| retrace.walk_out(thread))?;
        }
        retrace.go_to(described.thread, |_, node| node == Some(stop))?;
        retrace.step(described.thread)?;
    }
    homecoming.order.iter().try_for_each(|&thread| retrace.walk_out(thread))?;
    let number = |thread: ThreadId| {
        let number = retrace.numbers.get(thread.index()).copied().flatten();
        number.ok_or_else(|| unlike(format!("thread {} was never started", thread.0)))
    };
    let end = match homecoming.finally {
        Finally::Nothing => TraceEnd::Nothing,
        Finally::Race(a, b) => TraceEnd::Race(number(a)?, number(b)?),
        Finally::Holds(thread, condition) => {
            match Evaluator::of_thread(program, &retrace.state, number(thread)?).holds(condition) {
                Ok(true) => TraceEnd::Nothing,
                result => return Err(unlike(format!("the condition at the end does not hold: {result:?}"))),
            }
        }
        Finally::Fails(failures) => retrace.fail_one_of(failures)?,
    };
    Ok(Trace { steps: retrace.steps, end })
}

fn unlike(what: String) -> Error {
    Error::Internal(format!("an execution is not one of the program: {what}"))
}

struct Retrace<'a> {
    semantics: Semantics<'a>,
    state: State,
    skeleton: &'a Skeleton,
    paths: &'a Paths,
    execution: &'a Execution,
    evaluation: Evaluation,
    /// Where each thread is.
    cursors: Vec<Option<NodeId>>,
    /// Which thread it is.
    numbers: Vec<Option<ThreadIndex>>,
    steps: Vec<TraceStep>,
    /// For each stop that was passed, its step.
    positions: Vec<Option<usize>>,
}

impl<'a> Retrace<'a> {
    fn new(
        program: &'a Program,
        skeleton: &'a Skeleton,
        paths: &'a Paths,
        execution: &'a Execution,
    ) -> Result<Retrace<'a>> {
        let semantics = Semantics::new(program);
        let state = semantics.initial().map_err(|outcome| unlike(format!("there is no initial state: {outcome:?}")))?;
        let mut retrace = Retrace {
            semantics,
            state,
            skeleton,
            paths,
            execution,
            evaluation: Evaluation::new(),
            cursors: vec![None; skeleton.threads.len()],
            numbers: vec![None; skeleton.threads.len()],
            steps: Vec::new(),
            positions: vec![None; skeleton.stops.len()],
        };
        retrace.cursors[0] = paths.first.first().copied().flatten();
        retrace.numbers[0] = Some(ThreadIndex(0));
        Ok(retrace)
    }

    /// Walks what is left of a path.
    fn walk_out(&mut self, thread: ThreadId) -> Result<()> {
        while let Some(node) = self.cursors.get(thread.index()).copied().flatten()
            && !self.paths.node(node).arcs.is_empty()
        {
            self.step(thread)?;
        }
        Ok(())
    }

    /// The first of these failures that happens.
    fn fail_one_of(&mut self, failures: &[Asked]) -> Result<TraceEnd> {
        for asked in failures {
            let Goal::Moments(moments) = &asked.goal else { continue };
            for (moment, failure) in moments.iter().zip(&asked.failures) {
                if self.holds(moment.condition)? {
                    return self.fail(failure, &asked.claim);
                }
            }
        }
        Err(unlike("the last step does not fail".to_owned()))
    }

    fn holds(&mut self, term: Term) -> Result<bool> {
        Ok(self.evaluation.value(&self.skeleton.terms, term, &self.execution.values)?.is_true())
    }

    fn value(&mut self, term: Term) -> Result<u128> {
        Ok(self.evaluation.value(&self.skeleton.terms, term, &self.execution.values)?.unsigned())
    }

    /// Takes steps until the thread is at a place, given by its node and stop.
    fn go_to(&mut self, thread: ThreadId, is_there: impl Fn(NodeId, Option<StopId>) -> bool) -> Result<()> {
        loop {
            let cursor = self.cursors.get(thread.index()).copied().flatten();
            let Some(node) = cursor else {
                return Err(unlike(format!("thread {} ends too early", thread.0)));
            };
            if is_there(node, self.paths.node(node).stop) {
                return Ok(());
            }
            self.step(thread)?;
        }
    }

    /// Takes one step of a thread, the way that the values say. Where no condition depended on a read, its value is not
    /// known, and neither is the way between two branches that come to the same: then the way that the semantics can
    /// go.
    fn step(&mut self, thread: ThreadId) -> Result<()> {
        let cursor = self.cursors.get(thread.index()).copied().flatten();
        let Some(node) = cursor else { return Err(unlike(format!("thread {} has ended", thread.0))) };
        let arcs = &self.paths.node(node).arcs;
        let (mut said, mut others) = (Vec::new(), Vec::new());
        for arc in arcs {
            let list = if self.holds(arc.passes)? { &mut said } else { &mut others };
            list.push(arc);
        }
        let mut refused = unlike(format!("thread {} has no way on at {}", thread.0, self.paths.node(node).location));
        said.extend(others);
        for arc in &said {
            let next_thread = ThreadIndex::new(self.state.thread_count());
            match self.take(thread, arc.edge, &arc.choices, None) {
                Ok(step) => {
                    let number = step.thread;
                    self.steps.push(step);
                    let same_edge = said.iter().filter(|other| other.edge == arc.edge);
                    let arrived = same_edge.copied().find(|arc| self.is_at(number, arc.target)).unwrap_or(arc);
                    self.arrive(thread, arrived, next_thread);
                    return Ok(());
                }
                // A refusal leaves the state as it was.
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    /// Whether a thread is at the place of a node, or at its end if there is none.
    fn is_at(&self, number: ThreadIndex, node: Option<NodeId>) -> bool {
        match (self.state.frame(number), node.map(|node| self.paths.node(node))) {
            (Some(frame), Some(node)) => (frame.function, frame.location) == (node.function, node.location),
            (None, None) => true,
            _ => false,
        }
    }

    fn arrive(&mut self, thread: ThreadId, arc: &Arc, next_thread: ThreadIndex) {
        self.cursors[thread.index()] = arc.target;
        if let Some(child) = arc.starts {
            self.numbers[child.index()] = Some(next_thread);
            self.cursors[child.index()] = self.paths.first.get(child.index()).copied().flatten();
        }
    }

    /// Lets the semantics take an edge, and gives the answers that it asked for. A failure is expected if one is given.
    fn take(
        &mut self,
        thread: ThreadId,
        edge: EdgeId,
        choices: &[Choice],
        expected: Option<TraceEnd>,
    ) -> Result<TraceStep> {
        let number = self.numbers.get(thread.index()).copied().flatten();
        let Some(number) = number else { return Err(unlike(format!("thread {} was never started", thread.0))) };
        let mut prepared = Vec::new();
        for choice in choices {
            if self.holds(choice.asked)? {
                prepared.push(self.answer(number, choice)?);
            }
        }
        let Some(function) = self.state.frame(number).map(|frame| frame.function) else {
            return Err(unlike(format!("{number} has ended")));
        };
        let step = |choices| Ok(TraceStep { thread: number, function, edge, choices });
        let mut chooser = Prepared { answers: prepared.into_iter(), given: Vec::new() };
        let result = self.semantics.step(&self.state, number, edge, &mut chooser);
        match (result, expected) {
            (Ok((next, _)), None) => {
                self.state = next;
                step(chooser.given)
            }
            (Err(_), Some(_)) => step(chooser.given),
            (Ok(_), Some(end)) => Err(unlike(format!("{number} takes {edge} without {end:?}"))),
            (Err(outcome), None) => Err(unlike(format!("{number} cannot take {edge}: {outcome:?}"))),
        }
    }

    fn answer(&mut self, number: ThreadIndex, choice: &Choice) -> Result<Value> {
        match &choice.answer {
            Answer::Number(term) => self.number(*term),
            Answer::Thread(word) => {
                let tag = self.value(word.tag)?;
                let thread = self.paths.threads.iter().find(|(known, _)| u128::from(known.0) == tag);
                self.started(thread.map(|(_, thread)| *thread)).map(Value::to_start_of)
            }
            Answer::Address(word, among) => {
                let tag = self.value(word.tag)?;
                match among.iter().find(|(known, _)| u128::from(known.0) == tag) {
                    None => self.number(word.bits),
                    Some((_, addressed)) => {
                        let (object, offset) = (self.addressed(number, *addressed)?, self.value(word.bits)? as u64);
                        Ok(Value::Pointer(Pointer { object, offset }))
                    }
                }
            }
        }
    }

    fn number(&mut self, term: Term) -> Result<Value> {
        let width = self.skeleton.terms.sort(term).width();
        Ok(Value::Bits(Bits::new(width, self.value(term)?)))
    }

    fn started(&self, thread: Option<ThreadId>) -> Result<Instance> {
        let number = thread.and_then(|thread| self.numbers.get(thread.index()).copied().flatten());
        number.map(Instance::Thread).ok_or_else(|| unlike("a thread that was never started is chosen".to_owned()))
    }

    fn addressed(&self, number: ThreadIndex, addressed: Addressed) -> Result<Instance> {
        Ok(match addressed {
            Addressed::Static(object) => Instance::Static(object),
            Addressed::Function(function) => Instance::Function(function),
            Addressed::Thread(thread) => self.started(Some(thread))?,
            Addressed::ThreadLocal(object) => Instance::ThreadLocal(object, number),
            Addressed::Local(depth, local) => {
                let frame = self.state.thread(number).and_then(|thread| thread.frames.get(depth));
                let frame = frame.ok_or_else(|| unlike("a local of no activation is chosen".to_owned()))?;
                frame.local(number, local)
            }
        })
    }

    /// Brings the threads that a goal is about to where it holds.
    fn finish(&mut self, asked: &Asked) -> Result<TraceEnd> {
        match &asked.goal {
            Goal::Moments(moments) => {
                let mut refused = unlike("no moment of the goal holds".to_owned());
                for (moment, failure) in moments.iter().zip(&asked.failures) {
                    let reached = self.cursors.get(moment.thread.index()).copied().flatten().is_some();
                    if !reached || !self.holds(moment.condition)? {
                        continue;
                    }
                    let before = (self.state.clone(), self.cursors.clone(), self.numbers.clone(), self.steps.len());
                    match self.fail(failure, &asked.claim) {
                        Ok(end) => return Ok(end),
                        Err(error) => refused = error,
                    }
                    let steps;
                    (self.state, self.cursors, self.numbers, steps) = before;
                    self.steps.truncate(steps);
                }
                Err(refused)
            }
            Goal::Race(cells) => {
                let (first, second) = self.racing(cells)?;
                self.stand(&[first, second])?;
                let (Some(a), Some(b)) = (self.numbers[first.index()], self.numbers[second.index()]) else {
                    return Err(unlike("a racing thread was never started".to_owned()));
                };
                Ok(TraceEnd::Race(a, b))
            }
            Goal::Deadlock => {
                let threads: Vec<ThreadId> = (0..self.skeleton.threads.len()).map(ThreadId::new).collect();
                self.stand(&threads)?;
                Ok(TraceEnd::Deadlock)
            }
            Goal::Atomicity(interferences) => {
                let layout = Layout::new(self.skeleton);
                for &interference in interferences {
                    if let Some(found) = self.interfered(interference, &layout)? {
                        // What came after does not matter.
                        self.steps.truncate(found.second + 1);
                        return Ok(TraceEnd::Interfered(found));
                    }
                }
                Err(unlike("nothing interferes".to_owned()))
            }
            Goal::Walked { .. } => Ok(TraceEnd::Nothing),
        }
    }

    /// The steps of an interference, if it has happened.
    fn interfered(
        &mut self,
        interference: Interference,
        layout: &Layout,
    ) -> Result<Option<selvedge_program::Interference>> {
        let skeleton = self.skeleton;
        if !atomicity::is_in_order(skeleton, interference, |stop| self.positions[stop.index()]) {
            return Ok(None);
        }
        let Interference { first, between, second } = interference;
        for site in [first, between, second] {
            if !self.holds(skeleton.site(site).made)? {
                return Ok(None);
            }
        }
        for (touched, again) in atomicity::touched_again(skeleton, layout, first, second) {
            if self.holds(skeleton.site(touched).made)? && self.holds(skeleton.site(again).made)? {
                return Ok(None);
            }
        }
        Ok(match [first, between, second].map(|site| self.positions[skeleton.site(site).stop.index()]) {
            [Some(first), Some(between), Some(second)] => {
                Some(selvedge_program::Interference { first, between, second })
            }
            _ => None,
        })
    }

    fn fail(&mut self, failure: &Failure, claim: &Claim) -> Result<TraceEnd> {
        let end = match claim {
            Claim::Violation(Subject::Assertion(check)) => TraceEnd::AssertionFailed(*check),
            Claim::Violation(Subject::Memory(_, _, undefined)) => TraceEnd::Undefined(*undefined),
            Claim::Violation(
                Subject::Race(_)
                | Subject::FieldRace(..)
                | Subject::Deadlock
                | Subject::Livelock
                | Subject::Atomicity(_),
            )
            | Claim::Gap { .. } => TraceEnd::Nothing,
        };
        self.go_to(failure.thread, |node, _| node == failure.node)?;
        if end != TraceEnd::Nothing {
            let step = self.take(failure.thread, failure.edge, &failure.choices, Some(end))?;
            self.steps.push(step);
        }
        Ok(end)
    }

    /// Two threads that stand before conflicting accesses to one of the cells.
    fn racing(&mut self, cells: &[CellId]) -> Result<(ThreadId, ThreadId)> {
        let skeleton = self.skeleton;
        let open = self.open_sections()?;
        let stands = |stop: StopId| {
            let Stop { thread, section, .. } = *skeleton.stop(stop);
            let alone = open.iter().all(|&other| other == thread);
            self.execution.standing.contains(&Some(stop)) && (section == SectionPlace::Outside || alone)
        };
        let near: Vec<_> =
            skeleton.sites.iter().filter(|site| cells.contains(&site.cell) && stands(site.stop)).collect();
        for a in &near {
            for b in &near {
                let (thread, other) = (skeleton.stop(a.stop).thread, skeleton.stop(b.stop).thread);
                let conflict = thread < other && a.cell == b.cell && a.mode.races_with(b.mode);
                if conflict && self.holds(a.condition)? && self.holds(b.condition)? {
                    return Ok((thread, other));
                }
            }
        }
        Err(unlike("no two threads race".to_owned()))
    }

    /// The threads that are inside sections of which something has happened.
    fn open_sections(&mut self) -> Result<Vec<ThreadId>> {
        let skeleton = self.skeleton;
        let begun = |stop: StopId| {
            let event = skeleton.stop(stop).event;
            self.execution.happened.iter().any(|&done| skeleton.stop(done).event == event)
        };
        let standing = self.execution.standing.iter().flatten();
        let inside = standing.filter(|&&stop| skeleton.stop(stop).section == SectionPlace::Inside && begun(stop));
        let mut open: Vec<ThreadId> = inside.map(|&stop| skeleton.stop(stop).thread).collect();
        // Paths that end inside: nothing more happens there.
        let ends = skeleton.goals.iter().flat_map(|goal| match goal {
            Goal::Moments(moments) => &moments[..],
            _ => &[],
        });
        for moment in ends.chain(skeleton.threads.iter().flat_map(|thread| &thread.abandoned)) {
            if let MomentPlace::After(Some(stop), SectionPlace::Inside) = moment.place
                && self.execution.standing[moment.thread.index()].is_none()
                && begun(stop)
                && self.holds(moment.condition)?
            {
                open.push(moment.thread);
            }
        }
        Ok(open)
    }

    /// Brings all threads that have started, but one, to the stops before which they stand. That one is about to begin
    /// a section that it does not end: nobody else will move after that.
    fn stand_by(&mut self, but: ThreadId) -> Result<()> {
        for number in (0..self.cursors.len()).filter(|&number| number != but.index()) {
            // One that stands at the first stop of another section stays in front of that.
            if let (Some(stop), Some(_)) = (self.execution.standing[number], self.cursors[number])
                && self.skeleton.stop(stop).section == SectionPlace::Outside
            {
                self.go_to(ThreadId::new(number), |_, node| node == Some(stop))?;
            }
        }
        Ok(())
    }

    /// Brings threads to the stops before which they stand; one that stands in an atomic section last, since none can
    /// move then. Of several, only one is inside: the one that has begun its section, or else one that is blocked
    /// there. The others are held up.
    fn stand(&mut self, threads: &[ThreadId]) -> Result<()> {
        let skeleton = self.skeleton;
        let stops =
            threads.iter().filter_map(|thread| Some((*thread, self.execution.standing.get(thread.index()).copied()??)));
        let (outside, inside): (Vec<_>, Vec<_>) =
            stops.partition(|(_, stop)| skeleton.stop(*stop).section == SectionPlace::Outside);
        for (thread, stop) in outside {
            self.go_to(thread, |_, node| node == Some(stop))?;
        }
        let begun = |&&(_, stop): &&(ThreadId, StopId)| {
            let event = skeleton.stop(stop).event;
            self.execution.happened.iter().any(|&done| skeleton.stop(done).event == event)
        };
        let mut entered = inside.iter().find(begun).copied();
        for &(thread, stop) in &inside {
            if entered.is_none() && self.holds(skeleton.stop(stop).blocked)? {
                entered = Some((thread, stop));
            }
        }
        match entered.or(inside.first().copied()) {
            Some((thread, stop)) => self.go_to(thread, |_, node| node == Some(stop)),
            None => Ok(()),
        }
    }
}

/// Gives the answers of the model, and plain ones where it has none. What an earlier step has settled is not asked
/// again, so an answer that does not fit the question is one to a question that was not asked.
struct Prepared {
    answers: std::vec::IntoIter<Value>,
    given: Vec<Value>,
}

impl Chooser for Prepared {
    fn choose(&mut self, question: &Question) -> Option<Value> {
        let fits = |answer: &Value| match (question, answer) {
            (Question::Number { known, free }, Value::Bits(bits)) => {
                bits.width() == known.width() && bits.unsigned() & !free.unsigned() == known.unsigned()
            }
            (Question::Address { width }, Value::Bits(bits)) => bits.width() == *width,
            (Question::Address { .. } | Question::Thread(_), Value::Pointer(_)) => true,
            _ => false,
        };
        let answer = self.answers.find(fits).unwrap_or_else(|| question.plainest());
        self.given.push(answer.clone());
        Some(answer)
    }
}
