//! From a trace to the places that it passes.
//!
//! The trace is followed once more. A statement is passed when its thread takes the first step of a line that the
//! activation was not on before, if the line has that one statement only.

use super::{Path, Place, Point, Target, What, statement};
use crate::SourceCache;
use selvedge_program::semantics::{Answers, Changed, Effects, Event, Instance, Semantics, State, Value};
use selvedge_program::trace::{Replay, Trace, TraceEnd, TraceStep, user_place};
use selvedge_program::{
    Action, Bits, Display, EdgeId, FileId, Function, FunctionId, ObjectId, ObjectKind, Program, Shape, Side, Span,
    ThreadIndex,
};
use std::collections::BTreeMap;

/// Functions that start threads.
const STARTERS: &[&str] = &["pthread_create", "thrd_create"];

/// What functions begin with that may return anything.
const ANYTHING: &str = "__VERIFIER_nondet_";

/// What a replayed trace passes. `calls` is the function that must not be called, where that is what it violates.
pub fn path(
    program: &Program,
    trace: &Trace,
    replay: &Replay,
    calls: Option<&str>,
    cache: &mut SourceCache,
) -> Option<Path> {
    let main = program.main()?;
    let entry = program.function(main);
    let mut walk = Walk { program, cache, points: Vec::new(), threads: BTreeMap::new() };
    walk.threads.insert(ThreadIndex(0), Progress { functions: vec![main], ..Progress::default() });
    let entry = (entry.name.clone(), walk.place(main, entry.span));
    let semantics = Semantics::new(program);
    let mut state = semantics.initial().ok()?;
    for (position, step) in trace.steps.iter().enumerate() {
        let effects = replay.effects.get(position);
        walk.step(&state, step, effects);
        if effects.is_none() {
            break;
        }
        let (after, _) = semantics.step(&state, step.thread, step.edge, &mut Answers::new(&step.choices)).ok()?;
        state = after;
    }
    let targets = walk.targets(trace, replay, calls);
    Some(Path { entry, points: walk.finished(&targets), targets })
}

/// A point in the making.
#[derive(Debug)]
struct Passed {
    point: Point,
    /// Whether others may notice that it is passed.
    is_noticed: bool,
    /// Whether another thread has moved since, while the statement was not at its end.
    is_interrupted: bool,
}

/// A line of a file.
type Line = (FileId, u32);

/// Where a thread is.
#[derive(Debug, Default)]
struct Progress {
    /// For each activation of the user's functions, outermost first, the line that it is on, and the statement that
    /// has begun there.
    lines: Vec<(Option<Line>, Option<usize>)>,
    /// The user's functions that it has entered and not left.
    functions: Vec<FunctionId>,
}

struct Walk<'a> {
    program: &'a Program,
    cache: &'a mut SourceCache,
    points: Vec<Passed>,
    threads: BTreeMap<ThreadIndex, Progress>,
}

impl Walk<'_> {
    /// A step from a state. One that fails has no effects.
    fn step(&mut self, state: &State, step: &TraceStep, effects: Option<&Effects>) {
        let Some((function, span)) = user_place(self.program, state, step.thread, Some(step.edge)) else { return };
        let depth = self.depth(state, step.thread);
        self.interrupt(step.thread);
        self.arrive(state, step.thread, function, depth, span);
        let Some(effects) = effects else { return };
        let current = self.current(step.thread);
        let is_noticed =
            effects.accesses.iter().any(|access| !matches!(access.spot.object(), Some(Instance::Frame { .. })));
        if let Some(passed) = current.and_then(|index| self.points.get_mut(index)) {
            passed.is_noticed |= is_noticed;
        }
        for change in &effects.changes {
            if let (Changed::Memory { object: Instance::Static(id), offset: 0, size }, Some(index)) =
                (change.what, current)
            {
                self.note_store(index, function, id, size, &change.new);
            }
        }
        let edge = self.program.function(step.function).edge(step.edge);
        if let Action::Havoc { .. } = edge.action {
            self.returns(step, function, span, effects.choices.first().and_then(Value::as_bits));
        }
        if let (Some(side), Some(index)) = (edge.side, current) {
            self.branches(index, side, span);
        }
        for event in &effects.events {
            self.event(step.thread, function, span, event);
        }
    }

    /// How many activations of the user's functions a thread has.
    fn depth(&self, state: &State, thread: ThreadIndex) -> usize {
        let frames = state.thread(thread).map_or(&[][..], |thread| &thread.frames);
        frames.iter().filter(|frame| self.is_the_users(frame.function)).count()
    }

    fn is_the_users(&self, function: FunctionId) -> bool {
        self.program.is_the_users(self.program.function(function).span)
    }

    /// The statement that a thread is in.
    fn current(&self, thread: ThreadIndex) -> Option<usize> {
        self.threads.get(&thread)?.lines.last()?.1
    }

    /// The statements that other threads have begun are interrupted by a step of this one.
    fn interrupt(&mut self, thread: ThreadIndex) {
        for (other, progress) in &self.threads {
            if *other != thread {
                for index in progress.lines.iter().filter_map(|(_, begun)| *begun) {
                    self.points[index].is_interrupted = true;
                }
            }
        }
    }

    /// A thread is about to take a step on a line: perhaps a statement begins.
    fn arrive(&mut self, state: &State, thread: ThreadIndex, function: FunctionId, depth: usize, span: Span) {
        let progress = self.threads.entry(thread).or_default();
        progress.lines.resize(depth.max(1), (None, None));
        let line = (span.file, span.line);
        if progress.lines.last().is_some_and(|(known, _)| *known == Some(line)) {
            return;
        }
        let mut begun = None;
        let file = self.program.sources.name(span.file).to_owned();
        if let Some(column) = statement::start(self.cache, &file, span.line) {
            let before = self.values(state, function, &file, span.line);
            let mut place = self.place(function, span);
            place.column = Some(column);
            begun = Some(self.points.len());
            self.push(thread, place, What::Statement { before, after: Vec::new() });
        }
        if let Some(last) = self.threads.get_mut(&thread).and_then(|progress| progress.lines.last_mut()) {
            *last = (Some(line), begun);
        }
    }

    fn push(&mut self, thread: ThreadIndex, place: Place, what: What) {
        let is_noticed = !matches!(what, What::Statement { .. });
        let point = Point { thread: thread.0, place, what };
        self.points.push(Passed { point, is_noticed, is_interrupted: false });
    }

    /// The line of a place.
    fn place(&self, function: FunctionId, span: Span) -> Place {
        Place {
            file: self.program.sources.name(span.file).to_owned(),
            line: span.line,
            column: None,
            function: self.program.function(function).name.clone(),
        }
    }

    /// The numbers in the global variables that a line mentions, as conditions.
    fn values(&mut self, state: &State, function: FunctionId, file: &str, line: u32) -> Vec<String> {
        let code = statement::code(self.cache.line(file, line).unwrap_or(""));
        let mut conditions: Vec<String> = Vec::new();
        for (_, name) in statement::names(&code) {
            let Some(id) = self.global(function, &name) else { continue };
            let object = self.program.object(id);
            let Shape::Scalar { size, display } = object.shape else { continue };
            let Some(block) = state.memory().block(Instance::Static(id)) else { continue };
            let value = block.contents.load_raw(0, size, self.program.pointer_width() / 8);
            let Some(condition) = value.as_bits().and_then(|bits| condition(&name, bits, display)) else { continue };
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        conditions
    }

    /// A statement stores a number into a global variable that its line mentions.
    fn note_store(&mut self, index: usize, function: FunctionId, id: ObjectId, size: u32, new: &Value) {
        let object = self.program.object(id);
        let place = &self.points[index].point.place;
        let code = statement::code(self.cache.line(&place.file, place.line).unwrap_or(""));
        let is_mentioned = statement::names(&code).iter().any(|(_, name)| *name == object.name);
        let Shape::Scalar { size: whole, display } = object.shape else { return };
        if !is_mentioned || whole != size || self.global(function, &object.name) != Some(id) {
            return;
        }
        let condition = new.as_bits().and_then(|bits| condition(&object.name, bits, display));
        if let What::Statement { after, .. } = &mut self.points[index].point.what {
            let prefix = format!("{} == ", object.name);
            after.retain(|known| !known.starts_with(&prefix));
            after.extend(condition);
        }
    }

    /// The global variable that a name means in a function, where no other can be meant.
    fn global(&self, function: FunctionId, name: &str) -> Option<ObjectId> {
        if hides(self.program.function(function), name) {
            return None;
        }
        let mut known = self.program.objects.iter().enumerate().filter(|(_, object)| object.name == name);
        let (index, object) = known.next()?;
        let is_plain = object.kind == ObjectKind::Global && self.program.is_the_users(object.span);
        (is_plain && known.next().is_none()).then(|| ObjectId::new(index))
    }

    /// A thread has decided a condition: perhaps that of the `if` which it is in.
    fn branches(&mut self, index: usize, side: Side, span: Span) {
        let Point { thread, place, .. } = self.points[index].point.clone();
        let line = self.cache.line(&place.file, place.line).unwrap_or("");
        let is_whole = statement::condition(line) == Some((span.column, span.end.column));
        if is_whole && span.line == place.line && span.end.line == place.line {
            self.push(ThreadIndex(thread), place, What::Branches(side == Side::Yes));
        }
    }

    /// A function that may return anything has returned a number.
    fn returns(&mut self, step: &TraceStep, function: FunctionId, span: Span, bits: Option<Bits>) {
        let mut place = self.place(function, span);
        let is_meant = |name: &str| name.starts_with(ANYTHING);
        let Some((name, line, column)) = statement::call(self.cache, &place.file, place.line, &is_meant) else {
            return;
        };
        (place.line, place.column) = (line, Some(column));
        let display = match &name[ANYTHING.len()..] {
            "bool" | "_Bool" => Display::Bool,
            "float" | "double" | "pointer" => return,
            "char" | "short" | "int" | "long" | "longlong" | "int128" | "loff_t" | "ssize_t" => Display::Signed,
            _ => Display::Unsigned,
        };
        if let Some(value) = bits.and_then(|bits| number(bits, display)) {
            self.push(step.thread, place, What::Returns { function: name, value });
        }
    }

    fn event(&mut self, thread: ThreadIndex, function: FunctionId, span: Span, event: &Event) {
        let place = self.place(function, span);
        match event {
            Event::Started(started, entry) => {
                let mut place = place;
                let is_meant = |name: &str| STARTERS.contains(&name);
                if let Some((_, line, column)) = statement::call(self.cache, &place.file, place.line, &is_meant) {
                    (place.line, place.column) = (line, Some(column));
                }
                self.push(thread, place, What::Starts(started.0));
                let entered = self.program.function(*entry);
                let begin = self.place(*entry, entered.span);
                self.push(*started, begin, What::Enters(entered.name.clone()));
                self.threads.entry(*started).or_default().functions.push(*entry);
            }
            Event::Called(called) if self.is_the_users(*called) => {
                self.push(thread, place, What::Enters(self.program.function(*called).name.clone()));
                self.threads.entry(thread).or_default().functions.push(*called);
            }
            Event::Returned(left) if self.is_the_users(*left) => self.leave(thread, &place, Some(*left)),
            Event::Finished(ended) => self.leave(*ended, &place, None),
            Event::Called(_)
            | Event::Returned(_)
            | Event::Ended(_)
            | Event::Allocated { .. }
            | Event::Freed(_)
            | Event::Forgotten(_) => {}
        }
    }

    /// A thread leaves functions up to this one, or all of them.
    fn leave(&mut self, thread: ThreadIndex, place: &Place, last: Option<FunctionId>) {
        while let Some(left) = self.threads.get_mut(&thread).and_then(|progress| progress.functions.pop()) {
            self.push(thread, place.clone(), What::Leaves(self.program.function(left).name.clone()));
            if Some(left) == last {
                break;
            }
        }
    }

    /// Where the trace ends.
    fn targets(&mut self, trace: &Trace, replay: &Replay, calls: Option<&str>) -> Vec<Target> {
        let ends: Vec<(ThreadIndex, Option<EdgeId>)> = match trace.end {
            TraceEnd::Race(..) => {
                let race = replay.races.first();
                let accesses = race.map(|race| [race.first, race.second]).into_iter().flatten();
                accesses.map(|access| (access.thread, Some(access.edge))).collect()
            }
            TraceEnd::Deadlock | TraceEnd::Livelock => {
                let state = &replay.state;
                state.thread_indices().filter(|thread| state.is_live(*thread)).map(|thread| (thread, None)).collect()
            }
            TraceEnd::AssertionFailed(_) | TraceEnd::Undefined(_) | TraceEnd::Interfered(_) | TraceEnd::Nothing => {
                trace.steps.last().map(|step| (step.thread, Some(step.edge))).into_iter().collect()
            }
        };
        let mut targets = Vec::new();
        for (thread, edge) in ends {
            let Some((function, span)) = user_place(self.program, &replay.state, thread, edge) else { continue };
            let mut place = self.place(function, span);
            place.column = statement::start(self.cache, &place.file, place.line).or_else(|| {
                let code = statement::code(self.cache.line(&place.file, place.line)?);
                let mut named = statement::names(&code).into_iter().filter(|(_, name)| Some(name.as_str()) == calls);
                let (column, _) = named.next()?;
                named.next().is_none().then_some(column)
            });
            targets.push(Target { thread: thread.0, place, calls: calls.map(str::to_owned) });
        }
        targets
    }

    /// The points that say something: statements that others may notice or that have values, but for the one in which
    /// the path ends.
    fn finished(self, targets: &[Target]) -> Vec<Point> {
        let is_last = |point: &Point| {
            let is_there = |target: &Target| target.thread == point.thread && target.place.line == point.place.line;
            targets.iter().any(is_there)
        };
        let last: Vec<Option<usize>> =
            self.threads.values().map(|progress| progress.lines.last().and_then(|(_, begun)| *begun)).collect();
        let mut points = Vec::new();
        for (index, passed) in self.points.into_iter().enumerate() {
            let Passed { mut point, is_noticed, is_interrupted } = passed;
            if !is_noticed || last.contains(&Some(index)) && is_last(&point) {
                continue;
            }
            if let What::Statement { after, .. } = &mut point.what
                && is_interrupted
            {
                after.clear();
            }
            points.push(point);
        }
        points
    }
}

/// Whether a function has a variable or a parameter of its own with a name.
fn hides(function: &Function, name: &str) -> bool {
    let registers = function.registers.iter().filter_map(|register| register.name.as_deref());
    let locals = function.frame.iter().map(|local| local.name.as_str());
    registers.chain(locals).any(|known| known == name)
}

/// `x == 3`
fn condition(name: &str, bits: Bits, display: Display) -> Option<String> {
    number(bits, display).map(|number| format!("{name} == {number}"))
}

/// A number as C writes it.
fn number(bits: Bits, display: Display) -> Option<String> {
    if bits.width() > 64 {
        return None;
    }
    match display {
        Display::Signed if bits.as_signed() == i128::from(i64::MIN) => Some("(-9223372036854775807LL - 1)".to_owned()),
        Display::Signed => Some(bits.as_signed().to_string()),
        Display::Unsigned if bits.unsigned() > i64::MAX as u128 => Some(format!("{}ULL", bits.unsigned())),
        Display::Unsigned | Display::Bool => Some(bits.unsigned().to_string()),
        Display::Pointer if bits.is_zero() => Some("0".to_owned()),
        Display::Pointer | Display::Float => None,
    }
}
