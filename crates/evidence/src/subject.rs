//! What engines are asked about: each subject has its own verdict.

use selvedge_analysis::{AbstractObject, Field, Offset};
use selvedge_program::semantics::{AccessKind, Spot, State};
use selvedge_program::trace::{Replay, Trace, TraceEnd};
use selvedge_program::{CheckId, EdgeId, FileId, FunctionId, Program, Property, Span, Undefined};

/// Two lines of a file between which no other thread may interfere: from an access on the first line to the same
/// thread's next access to the same place, if that is on the second. Where both are one line, from a read to a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomicLines {
    /// The file.
    pub file: FileId,
    /// The line of the first access.
    pub first: u32,
    /// The line of the second.
    pub second: u32,
}

impl AtomicLines {
    /// Whether these are the places and kinds of two accesses that are to be atomic together.
    pub fn are(self, spans: [Span; 2], kinds: [AccessKind; 2]) -> bool {
        let is_at = |span: Span, line: u32| span.file == self.file && span.line == line;
        let is_one_line = self.first == self.second;
        is_at(spans[0], self.first)
            && is_at(spans[1], self.second)
            && (!is_one_line || kinds == [AccessKind::Read, AccessKind::Write])
    }
}

/// What can be violated by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// This assertion.
    Assertion(CheckId),
    /// Races on this object.
    Race(AbstractObject),
    /// Races on a field of this object. Not asked about where the object as a whole is decided.
    FieldRace(AbstractObject, Field),
    /// Deadlock.
    Deadlock,
    /// Livelock.
    Livelock,
    /// Undefined behaviour at this edge.
    Memory(FunctionId, EdgeId, Undefined),
    /// Interference between two accesses.
    Atomicity(AtomicLines),
}

impl Subject {
    /// The property it belongs to.
    pub fn property(self) -> Property {
        match self {
            Subject::Assertion(_) => Property::Assertion,
            Subject::Race(_) | Subject::FieldRace(..) => Property::Race,
            Subject::Deadlock => Property::Deadlock,
            Subject::Livelock => Property::Livelock,
            Subject::Memory(_, _, undefined) => undefined.property(),
            Subject::Atomicity(_) => Property::Atomicity,
        }
    }

    /// Whether it is meant where only races on the object with a name are, if one is given.
    pub fn is_meant(self, program: &Program, race_on: Option<&str>) -> bool {
        match (self, race_on) {
            (Subject::Race(object) | Subject::FieldRace(object, _), Some(name)) => object.is_named(program, name),
            _ => true,
        }
    }

    /// Whether a trace that was replayed shows a violation of this.
    pub fn is_shown_by(self, trace: &Trace, replay: &Replay) -> bool {
        match (self, trace.end) {
            (Subject::Assertion(check), TraceEnd::AssertionFailed(failed)) => check == failed,
            (Subject::Race(object), TraceEnd::Race(..)) => {
                replay.races.iter().any(|race| object_at(&replay.state, race.first.spot) == Some(object))
            }
            (Subject::FieldRace(object, field), TraceEnd::Race(..)) => replay.races.iter().any(|race| {
                object_at(&replay.state, race.first.spot) == Some(object)
                    && is_in_field(race.first.spot, field)
                    && is_in_field(race.second.spot, field)
            }),
            (Subject::Deadlock, TraceEnd::Deadlock) | (Subject::Livelock, TraceEnd::Livelock) => true,
            (Subject::Memory(function, edge, undefined), TraceEnd::Undefined(found)) => {
                let step = trace.steps.last();
                let place = step.and_then(|step| Some((replay.state.frame(step.thread)?.function, step.edge)));
                place == Some((function, edge)) && undefined == found
            }
            (Subject::Atomicity(lines), TraceEnd::Interfered(interference)) => {
                let span = |step: usize| replay.spans.get(step).copied().unwrap_or(Span::NOWHERE);
                let spans = [span(interference.first), span(interference.second)];
                let ways = interference.ways(&replay.effects);
                ways.iter().any(|[first, _, second]| lines.are(spans, [first.kind, second.kind]))
            }
            _ => false,
        }
    }
}

/// The object that a spot belongs to, as the analysis names it.
pub fn object_at(state: &State, spot: Spot) -> Option<AbstractObject> {
    AbstractObject::of_instance(state, spot.object()?)
}

/// Whether something of a spot is in a field of its object.
pub fn is_in_field(spot: Spot, field: Field) -> bool {
    let at = |offset: u64| Offset { start: i64::try_from(offset).unwrap_or(i64::MAX), stride: 0 };
    match spot {
        Spot::Bytes { offset, size, .. } => field.overlaps(at(offset), size),
        Spot::Ghost(key) => field.overlaps(at(key.offset), 1),
        Spot::Whole(_) => true,
    }
}

/// A violation with the trace that shows it. It becomes evidence when the concrete semantics has replayed it
/// ([`crate::Counterexample`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is violated.
    pub subject: Subject,
    /// How.
    pub trace: Trace,
}
