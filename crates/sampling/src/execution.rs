//! One execution, from the beginning until it fails, ends, or has become long.

use crate::order::{Order, Unordered};
use crate::schedule::{Answering, Schedule, Vocabulary};
use selvedge_program::semantics::{AccessKind, Event, Observer, Outcome, PendingAccess, Semantics, State};
use selvedge_program::trace::TraceStep;
use selvedge_program::{Action, EdgeId, ThreadIndex};

/// A thread does not start another while so many run, nor after so many have been started: where threads are started
/// without end, executions would have ever more of them.
const MOST_RUNNING: usize = 16;
const MOST_STARTED: usize = 128;

/// What a step did.
#[derive(Debug, Default)]
struct Heard {
    accesses: Vec<PendingAccess>,
    events: Vec<Event>,
}

impl Observer for Heard {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn access(&mut self, access: PendingAccess) {
        self.accesses.push(access);
    }
}

/// How an attempt of a thread to move went.
#[derive(Debug)]
pub enum Moved {
    /// It did.
    Yes,
    /// It cannot for now.
    No,
    /// The step has no state after it: the last one of the execution's steps.
    Failed(Outcome),
}

/// How an execution stands after one more move.
#[derive(Debug)]
pub enum Standing {
    /// It goes on.
    On,
    /// Its last step failed.
    Failed(Outcome),
    /// No thread can move.
    Still,
}

/// An execution so far.
#[derive(Debug)]
pub struct Execution<'p> {
    semantics: &'p Semantics<'p>,
    state: State,
    schedule: Schedule,
    pub steps: Vec<TraceStep>,
    pub order: Order,
    /// Accesses of the last move that nothing orders against an earlier one.
    pub unordered: Vec<Unordered>,
    likely: &'p Vocabulary,
    /// In so many of eight cases a question is answered plainly.
    plain: u64,
    /// Threads that could not move since anything was written.
    stuck: Vec<ThreadIndex>,
    last: ThreadIndex,
}

impl<'p> Execution<'p> {
    /// At the beginning; `None` where the program has none.
    pub fn new(
        semantics: &'p Semantics<'p>,
        schedule: Schedule,
        likely: &'p Vocabulary,
        plain: u64,
    ) -> Option<Execution<'p>> {
        Some(Execution {
            semantics,
            state: semantics.initial().ok()?,
            schedule,
            steps: Vec::new(),
            order: Order::default(),
            unordered: Vec::new(),
            likely,
            plain,
            stuck: Vec::new(),
            last: ThreadIndex(0),
        })
    }

    /// The state; of no use after a step that failed.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// How many accesses others may have noticed.
    pub fn accesses(&self) -> u64 {
        self.schedule.accesses()
    }

    /// Has the first thread that can move do so. Only accesses to objects that are meant are looked at.
    pub fn go_on(&mut self, is_meant: &dyn Fn(&State, &PendingAccess) -> bool) -> Standing {
        let threads: Vec<ThreadIndex> = self.schedule.by_priority().collect();
        for thread in threads {
            if self.stuck.contains(&thread) {
                continue;
            }
            match self.take(thread, false, is_meant) {
                Moved::Yes => return Standing::On,
                Moved::Failed(outcome) => return Standing::Failed(outcome),
                Moved::No => self.stuck.push(thread),
            }
        }
        // Whom only a spurious wake-up can move is moved by it now and then.
        if !self.stuck.is_empty() && self.schedule.is_in_eight(1) {
            let thread = self.stuck[self.schedule.pick(self.stuck.len())];
            if matches!(self.take(thread, true, is_meant), Moved::Yes) {
                return Standing::On;
            }
        }
        Standing::Still
    }

    /// Has a thread move, by a spurious wake-up or otherwise.
    fn take(
        &mut self,
        thread: ThreadIndex,
        spuriously: bool,
        is_meant: &dyn Fn(&State, &PendingAccess) -> bool,
    ) -> Moved {
        let Some(frame) = self.state.frame(thread).filter(|_| self.state.is_live(thread)) else { return Moved::No };
        let (function, location) = (frame.function, frame.location);
        let code = self.semantics.program.function(function);
        let edges: &[EdgeId] = &code.location(location).outgoing;
        let first = if edges.len() > 1 { self.schedule.pick(edges.len()) } else { 0 };
        for edge in edges[first..].iter().chain(&edges[..first]) {
            let action = &code.edge(*edge).action;
            if action.is_spurious() != spuriously || (matches!(action, Action::Spawn { .. }) && self.is_crowded()) {
                continue;
            }
            let mut heard = Heard::default();
            let mut answering =
                Answering { schedule: &mut self.schedule, likely: self.likely, plain: self.plain, given: Vec::new() };
            let outcome = self.semantics.apply(&mut self.state, thread, *edge, &mut answering, &mut heard);
            let choices = answering.given;
            match outcome {
                Err(Outcome::Disabled) => {}
                Ok(()) => {
                    self.steps.push(TraceStep { thread, function, edge: *edge, choices });
                    self.moved(thread, heard, is_meant);
                    return Moved::Yes;
                }
                Err(outcome) => {
                    self.steps.push(TraceStep { thread, function, edge: *edge, choices });
                    return Moved::Failed(outcome);
                }
            }
        }
        Moved::No
    }

    fn is_crowded(&self) -> bool {
        self.schedule.by_priority().count() > MOST_RUNNING || self.state.thread_count() > MOST_STARTED
    }

    fn moved(&mut self, thread: ThreadIndex, mut heard: Heard, is_meant: &dyn Fn(&State, &PendingAccess) -> bool) {
        let has_written = heard.accesses.iter().any(|access| access.kind == AccessKind::Write);
        if has_written || !heard.events.is_empty() {
            self.stuck.clear();
        }
        let state = &self.state;
        heard.accesses.retain(|access| is_meant(state, access));
        self.unordered.clear();
        self.order.step(thread, &heard.accesses, &heard.events, &mut self.unordered);
        for event in &heard.events {
            match event {
                Event::Started(child, _) => self.schedule.started(*child),
                Event::Finished(ended) => self.schedule.ended(*ended),
                Event::Allocated { .. }
                | Event::Freed(_)
                | Event::Forgotten(_)
                | Event::Called(_)
                | Event::Returned(_)
                | Event::Ended(_) => {}
            }
        }
        self.schedule.moved(thread, heard.accesses.len() as u64, thread == self.last);
        self.last = thread;
    }
}
