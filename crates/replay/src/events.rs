//! From a schedule of the program model to the events that the compiled program is to go through, in order.
//!
//! A trace has a step for every edge; the compiled program stops only where the compiler's instrumentation or the thread
//! library calls the runtime. So of the steps remain the accesses to what several threads of the schedule touch, the
//! operations on locks and threads, and apart from these the values that were chosen. What library functions access of
//! themselves is one event for each call, since the compiled library is not instrumented.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_program::semantics::{
    AccessKind, Answers, Changed, Effects, Event as Happened, Instance, PendingAccess, Semantics, Spot, State, Value,
};
use selvedge_program::trace::{Replay, Trace, TraceEnd, TraceStep, user_place};
use selvedge_program::{Action, FileId, Program, Span, ThreadIndex};

/// What an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A plain read.
    Read,
    /// A plain write.
    Write,
    /// An atomic access.
    Atomic,
    /// A library function that reads or writes what it is given.
    Library,
    /// The end of an allocation.
    Free,
    /// An operation on a lock, a thread, ….
    Lock,
    /// A thread is started.
    Create,
    /// A thread ends.
    Exit,
    /// An atomic section begins.
    Section,
}

/// What is wanted of an event beside its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// One of two accesses that race: the thread stops in front of it.
    pub park: bool,
    /// One of three accesses that show interference.
    pub mark: bool,
    /// What is read was never written, and is the event's value.
    pub fill: bool,
    /// An atomic update that writes nothing.
    pub keep: bool,
}

/// A piece of an object; without bytes, a lock there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Which.
    pub object: Instance,
    /// From this byte on.
    pub offset: u64,
    /// So many.
    pub size: u64,
}

/// Something that the compiled program does when it is its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Who.
    pub thread: ThreadIndex,
    /// What.
    pub kind: Kind,
    /// With what beside.
    pub flags: Flags,
    /// Where.
    pub span: Span,
    /// To what.
    pub pieces: Vec<Piece>,
    /// Of a new thread, its number; of a lock operation, what it answers, or the number of whom it wakes, from 1.
    pub value: u64,
}

/// A value that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// By whom.
    pub thread: ThreadIndex,
    /// Where.
    pub span: Span,
    /// What.
    pub value: u64,
}

/// What is to be seen in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// A thread fails an assertion.
    Assertion(ThreadIndex),
    /// Two threads stand in front of accesses that race.
    Race,
    /// All threads wait.
    Deadlock,
    /// A thread comes between two accesses of another.
    Interference,
    /// A thread does something undefined.
    Undefined(ThreadIndex),
}

/// What the compiled program is to go through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Events {
    /// In order.
    pub events: Vec<Event>,
    /// The values of each thread in order.
    pub values: Vec<Chosen>,
    /// What is to be seen then.
    pub shows: Shows,
    /// Where.
    pub span: Span,
}

impl Events {
    /// The events of a schedule that shows something, with its replay.
    pub fn of(program: &Program, trace: &Trace, replay: &Replay) -> Option<Events> {
        let last = trace.steps.last().map(|step| step.thread);
        let shows = match trace.end {
            TraceEnd::AssertionFailed(_) => Shows::Assertion(last?),
            TraceEnd::Undefined(_) => Shows::Undefined(last?),
            TraceEnd::Race(..) => Shows::Race,
            TraceEnd::Deadlock => Shows::Deadlock,
            TraceEnd::Interfered(_) => Shows::Interference,
            // That something never ends cannot be seen in a running program.
            TraceEnd::Livelock | TraceEnd::Nothing => return None,
        };
        let shared = shared(replay);
        let mut walk = Walk { program, shared, events: Vec::new(), values: Vec::new(), calls: FxHashMap::default() };
        let state = walk.steps(trace)?;
        if let Some(race) = replay.races.first() {
            walk.race([race.first, race.second], &state);
        }
        let span = replay.principal_span(program, trace);
        Some(Events { events: walk.events, values: walk.values, shows, span })
    }

    /// The files that events are in.
    pub fn files(&self) -> Vec<FileId> {
        let spans = self.events.iter().map(|event| event.span).chain(self.values.iter().map(|value| value.span));
        let mut files: Vec<FileId> = spans.chain([self.span]).filter(|s| s.is_somewhere()).map(|s| s.file).collect();
        files.sort_unstable();
        files.dedup();
        files
    }
}

/// The objects that more than one thread touches.
fn shared(replay: &Replay) -> FxHashSet<Instance> {
    let mut first: FxHashMap<Instance, ThreadIndex> = FxHashMap::default();
    let mut shared = FxHashSet::default();
    let pending = replay.races.iter().take(1).flat_map(|race| [race.first, race.second]);
    let made = replay.effects.iter().flat_map(|effects| effects.accesses.iter().copied());
    for access in made.chain(pending) {
        let Some(object) = access.spot.object() else { continue };
        if *first.entry(object).or_insert(access.thread) != access.thread {
            shared.insert(object);
        }
    }
    shared
}

struct Walk<'p> {
    program: &'p Program,
    shared: FxHashSet<Instance>,
    events: Vec<Event>,
    values: Vec<Chosen>,
    /// For threads in a library function, how deep its caller is and which event stands for the call.
    calls: FxHashMap<ThreadIndex, (usize, usize)>,
}

impl Walk<'_> {
    /// All steps; gives the state before a failing step, or else after the last.
    fn steps(&mut self, trace: &Trace) -> Option<State> {
        let semantics = Semantics::new(self.program);
        let mut state = semantics.initial().ok()?;
        let marked = match trace.end {
            TraceEnd::Interfered(interference) => vec![interference.first, interference.between, interference.second],
            _ => Vec::new(),
        };
        for (position, step) in trace.steps.iter().enumerate() {
            let mut answers = Answers::new(&step.choices);
            let Ok((next, effects)) = semantics.step(&state, step.thread, step.edge, &mut answers) else { break };
            let before = self.events.len();
            self.step(step, &effects, &state);
            for event in &mut self.events[before..] {
                event.flags.mark = marked.contains(&position);
            }
            state = next;
        }
        Some(state)
    }

    fn step(&mut self, step: &TraceStep, effects: &Effects, state: &State) {
        let TraceStep { thread, function, edge, .. } = *step;
        let edge_of = self.program.function(function).edge(edge);
        let span = user_place(self.program, state, thread, Some(edge)).map_or(Span::NOWHERE, |(_, span)| span);
        let is_written = self.program.is_the_users(edge_of.span);
        let depth = self.user_depth(state, thread);
        if self.calls.get(&thread).is_some_and(|(caller, _)| is_written || depth < *caller) {
            self.calls.remove(&thread);
        }
        let action = &edge_of.action;
        self.choices(action, thread, span, effects);
        let is_filled = matches!(action, Action::Load { .. }) && !effects.choices.is_empty();
        let pieces = self.pieces(&effects.accesses, is_filled);
        let event = |kind, pieces, value| Event { thread, kind, flags: Flags::default(), span, pieces, value };
        match action {
            Action::Spawn { .. } => {
                let started = effects.events.iter().find_map(|event| match event {
                    Happened::Started(thread, _) => Some(u64::from(thread.0)),
                    _ => None,
                });
                self.events.push(event(Kind::Create, Vec::new(), started.unwrap_or(0)));
            }
            Action::AtomicBegin => self.events.push(event(Kind::Section, Vec::new(), 0)),
            Action::Free { .. } => {
                let freed = effects.accesses.first().and_then(|access| access.spot.object());
                let piece = freed.map(|object| Piece { object, offset: 0, size: 1 });
                let shared = piece.filter(|piece| self.shared.contains(&piece.object));
                self.events.extend(shared.map(|piece| event(Kind::Free, vec![piece], 0)));
            }
            Action::Atomic(_) if pieces.is_empty() => {
                let locks = locks(&effects.accesses, thread);
                if !locks.is_empty() {
                    self.events.push(event(Kind::Lock, locks, answer(effects)));
                }
            }
            _ if pieces.is_empty() => {}
            _ if !is_written => self.in_library(event(Kind::Library, pieces, 0), depth),
            Action::Atomic(_) => {
                let keep = effects.accesses.iter().all(|access| access.kind == AccessKind::Read);
                let flags = Flags { keep, ..Flags::default() };
                self.events.push(Event { flags, ..event(Kind::Atomic, pieces, 0) });
            }
            Action::Output(_) => self.events.push(event(Kind::Library, pieces, 0)),
            action => {
                let filled = effects.choices.first().and_then(Value::as_bits).filter(|bits| bits.width() <= 64);
                let flags = Flags { fill: filled.is_some(), ..Flags::default() };
                let value = filled.map_or(0, |bits| bits.unsigned() as u64);
                self.events.push(Event { flags, ..event(kind(action), pieces, value) });
            }
        }
        if effects.events.iter().any(|event| matches!(event, Happened::Finished(_))) {
            self.events.push(event(Kind::Exit, Vec::new(), 0));
        }
    }

    /// How many activations a thread has, up to the innermost of the user's code.
    fn user_depth(&self, state: &State, thread: ThreadIndex) -> usize {
        let frames = state.thread(thread).map_or(&[][..], |thread| &thread.frames[..]);
        let is_written = |frame: &selvedge_program::semantics::Frame| {
            self.program.is_the_users(self.program.function(frame.function).span)
        };
        frames.iter().rposition(is_written).map_or(0, |position| position + 1)
    }

    /// An access within a library function: the call is one event.
    fn in_library(&mut self, event: Event, depth: usize) {
        match self.calls.get(&event.thread) {
            Some((_, call)) => {
                let known = &mut self.events[*call].pieces;
                known.extend(event.pieces.into_iter().filter(|piece| !known.contains(piece)).collect::<Vec<_>>());
            }
            None => {
                self.calls.insert(event.thread, (depth, self.events.len()));
                self.events.push(event);
            }
        }
    }

    /// Values out of nothing. Where memory takes one, the access has it.
    fn choices(&mut self, action: &Action, thread: ThreadIndex, span: Span, effects: &Effects) {
        if let Action::Havoc { .. } = action {
            let numbers =
                effects.choices.iter().map(|choice| choice.as_bits().map_or(0, |bits| bits.unsigned() as u64));
            self.values.extend(numbers.map(|value| Chosen { thread, span, value }));
        }
    }

    /// The bytes of shared objects, and those that nobody has written before they are read.
    fn pieces(&self, accesses: &[PendingAccess], is_filled: bool) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for access in accesses {
            if let Spot::Bytes { object, offset, size } = access.spot
                && (is_filled || self.shared.contains(&object))
            {
                pieces.push(Piece { object, offset, size });
            }
        }
        pieces.dedup();
        pieces
    }

    /// The two accesses that race, which nobody has made yet.
    fn race(&mut self, accesses: [PendingAccess; 2], state: &State) {
        for access in accesses {
            let thread = access.thread;
            let Some(frame) = state.frame(thread) else { continue };
            let edge = self.program.function(frame.function).edge(access.edge);
            let span =
                user_place(self.program, state, thread, Some(access.edge)).map_or(Span::NOWHERE, |(_, span)| span);
            let is_written = self.program.is_the_users(edge.span);
            let (kind, piece) = match access.spot {
                Spot::Bytes { object, offset, size } if is_written && !matches!(edge.action, Action::Spawn { .. }) => {
                    (kind(&edge.action), Piece { object, offset, size })
                }
                Spot::Bytes { object, offset, size } => {
                    let kind = if is_written { Kind::Create } else { Kind::Library };
                    (kind, Piece { object, offset, size })
                }
                Spot::Whole(object) => (Kind::Free, Piece { object, offset: 0, size: 1 }),
                Spot::Ghost(key) => match key.object {
                    Some(object) => (Kind::Lock, Piece { object, offset: key.offset, size: 0 }),
                    None => continue,
                },
            };
            let flags = Flags { park: true, ..Flags::default() };
            // In a library function that the thread has entered already, it stands before the call.
            if let (Kind::Library, Some((_, call))) = (kind, self.calls.get(&thread)) {
                let call = self.events.remove(*call);
                self.events.push(Event { flags, ..call });
            } else {
                self.events.push(Event { thread, kind, flags, span, pieces: vec![piece], value: 0 });
            }
        }
    }
}

/// The kind of an access that the user's code makes itself.
fn kind(action: &Action) -> Kind {
    match action {
        Action::Load { access, .. } | Action::Store { access, .. } if access.atomicity.is_atomic() => Kind::Atomic,
        Action::Store { .. } => Kind::Write,
        Action::Atomic(_) => Kind::Atomic,
        Action::Output(_) => Kind::Library,
        _ => Kind::Read,
    }
}

/// The locks, condition variables and threads that an operation touches. What it notes of its own thread is left out,
/// unless there is nothing else.
fn locks(accesses: &[PendingAccess], thread: ThreadIndex) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for access in accesses {
        if let Spot::Ghost(key) = access.spot
            && let Some(object) = key.object
        {
            let piece = Piece { object, offset: key.offset, size: 0 };
            if !pieces.contains(&piece) {
                pieces.push(piece);
            }
        }
    }
    if pieces.iter().any(|piece| piece.object != Instance::Thread(thread)) {
        pieces.retain(|piece| piece.object != Instance::Thread(thread));
    }
    // Sleepers that are woken are not what the operation is called with.
    if pieces.iter().any(|piece| !matches!(piece.object, Instance::Thread(_))) {
        pieces.retain(|piece| !matches!(piece.object, Instance::Thread(_)));
    }
    pieces
}

/// Whom an operation wakes, from 1, or what it answers.
fn answer(effects: &Effects) -> u64 {
    let woken = effects.choices.iter().find_map(|choice| match choice.as_pointer()?.object {
        Instance::Thread(thread) => Some(u64::from(thread.0) + 1),
        _ => None,
    });
    let answered = effects.changes.iter().rev().find_map(|change| match change.what {
        Changed::Register(..) => change.new.as_bits().map(|bits| bits.unsigned() as u64),
        Changed::Memory { .. } | Changed::Ghost(_) => None,
    });
    woken.or(answered).unwrap_or(0)
}
