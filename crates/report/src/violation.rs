//! A violation for people: what is wrong, where, which threads, the locks they hold, and the schedule that leads there.

use crate::diagnostic::{excerpt, headline};
use crate::schedule;
use crate::{Paint, SourceCache, Style};
use selvedge_program::semantics::{AccessKind, Instance, Outcome, PendingAccess, Spot, Value, names};
use selvedge_program::trace::{Replay, Trace, TraceEnd};
use selvedge_program::{Action, Atomicity, GhostField, Interference, Program, Span, ThreadIndex};

/// A violation with what its trace shows.
#[derive(Clone, Copy, Debug)]
pub struct Violation<'a> {
    /// The program.
    pub program: &'a Program,
    /// The schedule.
    pub trace: &'a Trace,
    /// What the semantics says of it.
    pub replay: &'a Replay,
}

/// A place in the source that a violation points at, with what happens there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where.
    pub span: Span,
    /// What.
    pub text: String,
}

impl Violation<'_> {
    /// What is wrong, in one line.
    pub fn headline(&self) -> String {
        match self.trace.end {
            TraceEnd::AssertionFailed(check) => {
                format!("assertion can fail: {}", self.program.check(check).description)
            }
            TraceEnd::Undefined(undefined) => match self.culprit() {
                Some(name) => format!("undefined behaviour: this {undefined}: {name}"),
                None => format!("undefined behaviour: this {undefined}"),
            },
            TraceEnd::Race(..) => match self.object() {
                Some(name) => format!("data race on `{name}`"),
                None => "data race".to_owned(),
            },
            TraceEnd::Interfered(interference) => match interference.accesses(&self.replay.effects) {
                Some([first, ..]) => {
                    format!("atomicity violation: another thread interferes on `{}`", self.spot_name(first.spot))
                }
                None => "atomicity violation".to_owned(),
            },
            TraceEnd::Deadlock => "deadlock: no thread can move".to_owned(),
            TraceEnd::Nothing => "an execution".to_owned(),
        }
    }

    /// The object that a race is about.
    pub fn object(&self) -> Option<String> {
        let race = self.replay.races.first()?;
        Some(self.spot_name(race.first.spot))
    }

    /// The places that the violation is about; the first is the principal one.
    pub fn marks(&self) -> Vec<Mark> {
        match self.trace.end {
            TraceEnd::Race(..) => {
                let race = self.replay.races.first();
                let accesses = race.map(|race| [race.first, race.second]).into_iter().flatten().enumerate();
                accesses.map(|(position, access)| self.access_mark(position + 1, &access)).collect()
            }
            TraceEnd::Interfered(interference) => self.interference_marks(interference),
            TraceEnd::Deadlock => self.waiting_marks(),
            TraceEnd::AssertionFailed(_) | TraceEnd::Undefined(_) | TraceEnd::Nothing => {
                let Some(step) = self.trace.steps.last() else { return Vec::new() };
                let text = format!("in {}{}", self.thread_name(step.thread), self.locks(step.thread));
                vec![Mark { span: self.replay.user_span(self.program, step.thread, Some(step.edge)), text }]
            }
        }
    }

    fn access_mark(&self, number: usize, access: &PendingAccess) -> Mark {
        let verb = self.verb(access);
        let atomically = if access.atomicity.is_atomic() { "atomically " } else { "" };
        let who = self.thread_name(access.thread);
        let text = format!("({number}) {atomically}{verb} by {who}{}", self.locks(access.thread));
        Mark { span: self.replay.user_span(self.program, access.thread, Some(access.edge)), text }
    }

    /// What an access does to its object. A plain update of what the library keeps sets a lock up or destroys it,
    /// whatever it looks at on the way.
    fn verb(&self, access: &PendingAccess) -> &'static str {
        let frame = self.replay.state.frame(access.thread);
        let action = frame.map(|frame| &self.program.function(frame.function).edge(access.edge).action);
        match access.spot {
            Spot::Whole(_) => "freed",
            Spot::Ghost(_) if access.atomicity == Atomicity::Plain && matches!(action, Some(Action::Atomic(_))) => {
                "written"
            }
            _ if access.kind == AccessKind::Read => "read",
            _ => "written",
        }
    }

    fn interference_marks(&self, interference: Interference) -> Vec<Mark> {
        let Some([first, between, second]) = interference.accesses(&self.replay.effects) else { return Vec::new() };
        let mark = |step: usize, access: PendingAccess, before: &str| {
            let verb = if access.kind == AccessKind::Read { "read" } else { "written" };
            let span = self.replay.spans.get(step).copied().unwrap_or(Span::NOWHERE);
            Mark { span, text: format!("{before}{verb} by {}", self.thread_name(access.thread)) }
        };
        vec![
            mark(interference.first, first, "(1) "),
            mark(interference.between, between, "(2) then "),
            mark(interference.second, second, "(3) then "),
        ]
    }

    fn waiting_marks(&self) -> Vec<Mark> {
        let state = &self.replay.state;
        state
            .thread_indices()
            .filter(|thread| state.is_live(*thread))
            .map(|thread| {
                let text = format!("{} waits here{}", self.thread_name(thread), self.locks(thread));
                Mark { span: self.replay.user_span(self.program, thread, None), text }
            })
            .collect()
    }

    /// `thread 1 (worker)`
    pub fn thread_name(&self, thread: ThreadIndex) -> String {
        let entry = self.replay.state.thread(thread).and_then(|thread| thread.frames.first());
        match entry {
            Some(frame) => format!("thread {} ({})", thread.0, self.program.function(frame.function).name),
            None => format!("thread {}", thread.0),
        }
    }

    /// The names of the locks that a thread holds at the end.
    pub fn locks_held(&self, thread: ThreadIndex) -> Vec<String> {
        let state = &self.replay.state;
        let is_owner = |field| matches!(field, GhostField::MutexOwner | GhostField::WriteOwner | GhostField::SpinOwner);
        let is_thread =
            |value: &Value| value.as_pointer().is_some_and(|pointer| pointer.object == Instance::Thread(thread));
        state
            .ghosts()
            .filter(|(key, value)| is_owner(key.field) && is_thread(value))
            .filter_map(|(key, _)| key.object.map(|object| names::place(self.program, state, object, key.offset, 0)))
            .collect()
    }

    fn locks(&self, thread: ThreadIndex) -> String {
        match self.locks_held(thread).as_slice() {
            [] => ", holding no lock".to_owned(),
            locks => format!(", holding `{}`", locks.join("`, `")),
        }
    }

    fn spot_name(&self, spot: Spot) -> String {
        let state = &self.replay.state;
        match spot {
            Spot::Bytes { object, offset, size } => {
                names::place(self.program, state, object, offset, u32::try_from(size).unwrap_or(u32::MAX))
            }
            Spot::Whole(object) => names::place(self.program, state, object, 0, 0),
            Spot::Ghost(key) => match key.object {
                Some(object) => names::place(self.program, state, object, key.offset, 0),
                None => "library state".to_owned(),
            },
        }
    }

    fn culprit(&self) -> Option<String> {
        let Some(Outcome::Undefined(_, Some(culprit))) = &self.replay.outcome else { return None };
        let pointer = culprit.address.as_pointer()?;
        let size = u32::try_from(culprit.size).ok()?;
        Some(names::place(self.program, &self.replay.state, pointer.object, pointer.offset, size))
    }
}

/// The violation as text: headline, marked places, schedule.
pub fn render(violation: &Violation<'_>, cache: &mut SourceCache, style: &Style) -> String {
    let program = violation.program;
    let mut text = headline("error", Paint::Bad, &violation.headline(), style);
    for (position, mark) in violation.marks().iter().enumerate() {
        let paint = if position == 0 { Paint::Bad } else { Paint::Note };
        text.push_str(&excerpt(mark.span, paint, &program.sources, cache, style, &mark.text));
    }
    let rows = schedule::rows(program, violation.trace, violation.replay);
    if !rows.is_empty() {
        text.push_str(&headline("schedule", Paint::Note, "this is how it comes about", style));
        text.push_str(&schedule::render(program, &rows, cache, style));
    }
    text
}
