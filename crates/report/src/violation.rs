//! A violation: what is wrong, where, which threads, the locks they hold, and the schedule that leads there.

use crate::SourceCache;
use crate::history::{History, locks_held};
use crate::model::{Call, Location, Mark, Violation};
use crate::names::Names;
use crate::schedule::Schedule;
use selvedge_program::semantics::{AccessKind, Outcome, PendingAccess, Semantics, Spot, Standing, State};
use selvedge_program::trace::{Replay, Trace, TraceEnd};
use selvedge_program::{Action, Atomicity, Edge, Interference, Program, Span, ThreadIndex};

/// The violation that a replayed trace shows.
pub fn violation(program: &Program, trace: &Trace, replay: &Replay, cache: &mut SourceCache) -> Violation {
    let history = History::of(program, trace, replay);
    let shown = Shown { program, trace, replay, names: &history.names };
    Violation {
        message: shown.headline(),
        marks: shown.places(),
        threads: replay.state.thread_indices().map(|thread| shown.thread_name(thread)).collect(),
        trace: Schedule { program, trace, replay, history: &history }.steps(cache),
        further: Vec::new(),
    }
}

/// The places that the violation of a replayed trace is about.
pub fn marks(program: &Program, trace: &Trace, replay: &Replay) -> Vec<Mark> {
    let history = History::of(program, trace, replay);
    Shown { program, trace, replay, names: &history.names }.places()
}

/// What an access does to its object. A plain update of what the library keeps sets a lock up or destroys it,
/// whatever it looks at on the way.
pub(crate) fn verb(program: &Program, state: &State, access: &PendingAccess) -> &'static str {
    let action = state.frame(access.thread).map(|frame| &program.function(frame.function).edge(access.edge).action);
    match access.spot {
        Spot::Whole(_) => "freed",
        Spot::Ghost(_) if access.atomicity == Atomicity::Plain && matches!(action, Some(Action::Atomic(_))) => {
            "written"
        }
        _ if access.kind == AccessKind::Read => "read",
        _ => "written",
    }
}

/// Whether a thread waits for others, where it does not go round.
pub(crate) fn waits(program: &Program, state: &State, thread: ThreadIndex) -> bool {
    matches!(Semantics::new(program).standing(state, thread), Standing::Waiting | Standing::HeldUp)
}

/// What an access is made to, as seen by a thread.
pub(crate) fn spot_name(names: &Names<'_>, spot: Spot, viewer: Option<ThreadIndex>) -> String {
    match spot {
        Spot::Bytes { object, offset, size } => {
            names.place(object, offset, u32::try_from(size).unwrap_or(u32::MAX), viewer)
        }
        Spot::Whole(object) => names.place(object, 0, 0, viewer),
        Spot::Ghost(key) => match key.object {
            Some(object) => names.lock(object, key.offset, viewer),
            None => "library state".to_owned(),
        },
    }
}

struct Shown<'a> {
    program: &'a Program,
    trace: &'a Trace,
    replay: &'a Replay,
    names: &'a Names<'a>,
}

impl Shown<'_> {
    /// What is wrong, in one line.
    fn headline(&self) -> String {
        match self.trace.end {
            TraceEnd::AssertionFailed(check) => {
                format!("assertion can fail: {}", self.program.check(check).description)
            }
            TraceEnd::Undefined(undefined) => match self.culprit() {
                Some(name) => format!("undefined behaviour: this {undefined}: {name}"),
                None => format!("undefined behaviour: this {undefined}"),
            },
            TraceEnd::Race(..) => match self.replay.races.first() {
                Some(race) => format!("data race on {}", self.quoted(race.first.spot)),
                None => "data race".to_owned(),
            },
            TraceEnd::Interfered(interference) => match interference.accesses(&self.replay.effects) {
                Some([first, ..]) => {
                    format!("atomicity violation: another thread interferes on {}", self.quoted(first.spot))
                }
                None => "atomicity violation".to_owned(),
            },
            TraceEnd::Deadlock => "deadlock: no thread can move".to_owned(),
            TraceEnd::Livelock => {
                "livelock: threads go round for ever, and nobody is left who would end that".to_owned()
            }
            TraceEnd::Nothing => "an execution".to_owned(),
        }
    }

    /// `` `chan->w_mu`, allocated at line 61 ``
    fn quoted(&self, spot: Spot) -> String {
        let name = spot_name(self.names, spot, None);
        match spot.object().and_then(|object| self.names.allocation_site(object)) {
            Some(site) => format!("`{name}`, allocated at line {}", site.line),
            None => format!("`{name}`"),
        }
    }

    fn places(&self) -> Vec<Mark> {
        let race = self.replay.races.first().filter(|_| matches!(self.trace.end, TraceEnd::Race(..)));
        let threads: Vec<ThreadIndex> = race.map_or_else(Vec::new, |race| vec![race.first.thread, race.second.thread]);
        let mark = |(position, (span, text)): (usize, (Span, String))| Mark {
            location: Location::of(&self.program.sources, span),
            text,
            calls: threads.get(position).map_or_else(Vec::new, |thread| self.calls(*thread)),
        };
        self.marks().into_iter().enumerate().map(mark).collect()
    }

    /// The calls in the user's code that a thread is within, the innermost first, without that which its place is.
    fn calls(&self, thread: ThreadIndex) -> Vec<Call> {
        let frames = self.replay.state.thread(thread).map_or(&[][..], |thread| &thread.frames);
        let inner =
            frames.iter().rposition(|frame| self.program.is_the_users(self.program.function(frame.function).span));
        let outer = frames[..inner.unwrap_or(0)].iter().rev().filter_map(|frame| {
            let function = self.program.function(frame.function);
            let is_call = |edge: &&Edge| edge.target == frame.location && matches!(edge.action, Action::Call { .. });
            let span = function.edges.iter().find(is_call)?.span;
            let location = Location::of(&self.program.sources, span);
            self.program.is_the_users(span).then(|| Call { function: function.name.clone(), location })
        });
        outer.collect()
    }

    /// The places that the violation is about; the first is the principal one.
    fn marks(&self) -> Vec<(Span, String)> {
        match self.trace.end {
            TraceEnd::Race(..) => {
                let race = self.replay.races.first();
                let accesses = race.map(|race| [race.first, race.second]).into_iter().flatten().enumerate();
                accesses.map(|(position, access)| self.access_mark(position + 1, &access)).collect()
            }
            TraceEnd::Interfered(interference) => self.interference_marks(interference),
            TraceEnd::Deadlock | TraceEnd::Livelock => self.waiting_marks(),
            TraceEnd::AssertionFailed(_) | TraceEnd::Undefined(_) | TraceEnd::Nothing => {
                let Some(step) = self.trace.steps.last() else { return Vec::new() };
                let text = format!("in {}{}", self.thread_name(step.thread), self.locks(step.thread));
                vec![(self.replay.user_span(self.program, step.thread, Some(step.edge)), text)]
            }
        }
    }

    fn access_mark(&self, number: usize, access: &PendingAccess) -> (Span, String) {
        let verb = verb(self.program, &self.replay.state, access);
        let atomically = if access.atomicity.is_atomic() { "atomically " } else { "" };
        let who = self.thread_name(access.thread);
        let text = format!("({number}) {atomically}{verb} by {who}{}", self.locks(access.thread));
        (self.replay.user_span(self.program, access.thread, Some(access.edge)), text)
    }

    fn interference_marks(&self, interference: Interference) -> Vec<(Span, String)> {
        let Some([first, between, second]) = interference.accesses(&self.replay.effects) else { return Vec::new() };
        let mark = |step: usize, access: PendingAccess, before: &str| {
            let verb = if access.kind == AccessKind::Read { "read" } else { "written" };
            let span = self.replay.spans.get(step).copied().unwrap_or(Span::NOWHERE);
            (span, format!("{before}{verb} by {}", self.thread_name(access.thread)))
        };
        vec![
            mark(interference.first, first, "(1) "),
            mark(interference.between, between, "(2) then "),
            mark(interference.second, second, "(3) then "),
        ]
    }

    fn waiting_marks(&self) -> Vec<(Span, String)> {
        let state = &self.replay.state;
        let live = state.thread_indices().filter(|thread| state.is_live(*thread));
        live.map(|thread| {
            let does = match waits(self.program, state, thread) {
                true => "waits here",
                false => "goes round here",
            };
            let text = format!("{} {does}{}", self.thread_name(thread), self.locks(thread));
            (self.replay.user_span(self.program, thread, None), text)
        })
        .collect()
    }

    /// `thread 1 (worker)`
    fn thread_name(&self, thread: ThreadIndex) -> String {
        match self.names.entry(thread) {
            Some(function) => format!("thread {} ({function})", thread.0),
            None => format!("thread {}", thread.0),
        }
    }

    fn locks(&self, thread: ThreadIndex) -> String {
        let held = locks_held(&self.replay.state, thread);
        let names: Vec<String> =
            held.iter().map(|(object, offset)| self.names.lock(*object, *offset, Some(thread))).collect();
        match names.as_slice() {
            [] => ", holding no lock".to_owned(),
            locks => format!(", holding `{}`", locks.join("`, `")),
        }
    }

    fn culprit(&self) -> Option<String> {
        let Some(Outcome::Undefined(_, Some(culprit))) = &self.replay.outcome else { return None };
        let pointer = culprit.address.as_pointer()?;
        let size = u32::try_from(culprit.size).ok()?;
        let name = self.names.place(pointer.object, pointer.offset, size, None);
        Some(match self.names.allocation_site(pointer.object) {
            Some(site) => format!("{name}, allocated at line {}", site.line),
            None => name,
        })
    }
}
