//! A schedule for people: one step per source line that a thread runs through, with what it changes.
//!
//! A trace has a step for every edge; a reader thinks in lines of code. Consecutive steps of one thread on one line
//! become one, and only what the user can name is shown: variables, memory, locks. What happens within a model of the
//! library is told as done by the call in the user's code.

use crate::history::{History, Lock, Moment, locks_held};
use crate::model::{Binding, Location, Step};
use crate::words::{Said, describe};
use crate::{SourceCache, stretch};
use selvedge_program::semantics::{Effects, Event, Instance, Outcome, Semantics, Spot};
use selvedge_program::trace::{Replay, Trace, TraceEnd, user_place};
use selvedge_program::{Action, EdgeId, Program, Span, ThreadIndex};
use std::collections::{BTreeMap, BTreeSet};

/// What a schedule is made from.
#[derive(Debug)]
pub struct Schedule<'a> {
    /// The program.
    pub program: &'a Program,
    /// The trace.
    pub trace: &'a Trace,
    /// What the semantics says of it.
    pub replay: &'a Replay,
    /// Where and with which locks.
    pub history: &'a History<'a>,
}

/// A step in the making.
struct Row {
    thread: ThreadIndex,
    span: Span,
    step: Step,
    said: Vec<Said>,
    /// The calls that were entered here and are under way, by how deep they are.
    entered: Vec<usize>,
}

impl Schedule<'_> {
    /// The steps of the trace, and then what is about to happen: the accesses of a race, the waits of a deadlock.
    pub fn steps(&self, cache: &mut SourceCache) -> Vec<Step> {
        let shared = self.shared();
        let focus = self.focus();
        let depths: BTreeMap<ThreadIndex, usize> = self.depths();
        let mut depth: BTreeMap<ThreadIndex, usize> = BTreeMap::new();
        let mut rows: Vec<Row> = Vec::new();
        for (position, step) in self.trace.steps.iter().enumerate() {
            let Some(moment) = self.history.moments.get(position) else { break };
            let effects = self.replay.effects.get(position);
            let edge = self.program.function(step.function).edge(step.edge);
            let said = effects.map_or_else(Vec::new, |effects| {
                describe(self.program, &self.history.names, step.thread, (step.function, edge), effects, &shared)
            });
            let is_noticed = effects.is_none_or(|effects| {
                let is_told =
                    |event: &Event| !matches!(event, Event::Called(_) | Event::Returned(_) | Event::Forgotten(_));
                effects.accesses.iter().any(|access| may_be_noticed(access.spot, &shared))
                    || effects.events.iter().any(is_told)
            });
            let matters = effects.is_none_or(|effects| matters(effects, &focus));
            let entered = effects.and_then(|effects| follow(&mut depth, step.thread, effects));
            if self.continues(rows.last(), step.thread, moment) {
                if let Some(row) = rows.last_mut() {
                    row.said.extend(said);
                    row.step.holds = self.lock_names(&moment.held, step.thread);
                    row.step.internal &= !is_noticed;
                    row.step.matters |= matters;
                    row.entered.extend(entered);
                }
                forget_returned(&mut rows, step.thread, effects, &depth);
                continue;
            }
            let is_declaration = matches!(edge.action, Action::Forget { .. } | Action::Havoc { .. });
            let is_silent =
                said.is_empty() && (is_declaration || effects.is_some() && !self.program.is_the_users(edge.span));
            if moment.span.is_somewhere() && !is_silent {
                let mut row = self.row(step.thread, moment, said, cache);
                row.step.internal = !is_noticed;
                row.step.matters = matters;
                row.entered.extend(entered);
                rows.push(row);
            }
            forget_returned(&mut rows, step.thread, effects, &depth);
        }
        for row in &mut rows {
            row.step.matters |= !row.entered.is_empty() && depths.contains_key(&row.thread);
        }
        drop_arrivals(&mut rows);
        for (thread, edge, words) in self.pending() {
            self.push_pending(&mut rows, thread, edge, words, cache);
        }
        let is_alone = rows.iter().all(|row| row.thread == rows[0].thread);
        rows.into_iter().map(|row| finished(row, is_alone)).collect()
    }

    /// Whether a step goes on where the last row is.
    fn continues(&self, row: Option<&Row>, thread: ThreadIndex, moment: &Moment) -> bool {
        row.is_some_and(|row| row.thread == thread && (!moment.span.is_somewhere() || same_line(row.span, moment.span)))
    }

    fn row(&self, thread: ThreadIndex, moment: &Moment, said: Vec<Said>, cache: &mut SourceCache) -> Row {
        let span = moment.span;
        let function = moment.function.map_or(String::new(), |function| self.program.function(function).name.clone());
        let code = cache.line(self.program.sources.name(span.file), span.line).unwrap_or("").trim().to_owned();
        let step = Step {
            thread: thread.0,
            function,
            location: Location::of(&self.program.sources, span),
            statement: code,
            changes: Vec::new(),
            values: Vec::new(),
            holds: self.lock_names(&moment.held, thread),
            pending: false,
            internal: false,
            in_short: Vec::new(),
            matters: false,
        };
        Row { thread, span, step, said, entered: Vec::new() }
    }

    fn lock_names(&self, locks: &[Lock], viewer: ThreadIndex) -> Vec<String> {
        locks.iter().map(|(object, offset)| self.history.names.lock(*object, *offset, Some(viewer))).collect()
    }

    /// What is about to happen at the end: who, along which edge, and what.
    fn pending(&self) -> Vec<(ThreadIndex, Option<EdgeId>, String)> {
        match self.trace.end {
            TraceEnd::Race(..) => {
                let race = self.replay.races.first();
                let accesses = race.map(|race| [race.first, race.second]).into_iter().flatten().enumerate();
                let words = |(position, access): (usize, selvedge_program::semantics::PendingAccess)| {
                    let verb = match crate::violation::verb(self.program, &self.replay.state, &access) {
                        "read" => "read",
                        "freed" => "free",
                        _ => "write",
                    };
                    let name = crate::violation::spot_name(&self.history.names, access.spot, Some(access.thread));
                    let text = format!("({}) is about to {verb} {name}", position + 1);
                    (access.thread, Some(access.edge), text)
                };
                accesses.map(words).collect()
            }
            TraceEnd::Deadlock | TraceEnd::Livelock => {
                let state = &self.replay.state;
                let live = state.thread_indices().filter(|thread| state.is_live(*thread));
                live.map(|thread| {
                    let does =
                        if crate::violation::waits(self.program, state, thread) { "waits" } else { "goes round" };
                    (thread, None, format!("{does} for ever"))
                })
                .collect()
            }
            TraceEnd::AssertionFailed(_) | TraceEnd::Undefined(_) | TraceEnd::Interfered(_) | TraceEnd::Nothing => {
                Vec::new()
            }
        }
    }

    fn push_pending(
        &self,
        rows: &mut Vec<Row>,
        thread: ThreadIndex,
        edge: Option<EdgeId>,
        words: String,
        cache: &mut SourceCache,
    ) {
        let state = &self.replay.state;
        let Some((function, span)) = user_place(self.program, state, thread, edge) else { return };
        // A thread that has come as far as the line and done nothing there is told of once.
        if let Some(last) = rows.iter().rposition(|row| row.thread == thread)
            && same_line(rows[last].span, span)
            && rows[last].said.is_empty()
            && !rows[last].step.pending
        {
            rows.remove(last);
        }
        let moment = Moment { function: Some(function), span, held: locks_held(state, thread) };
        let mut row = self.row(thread, &moment, vec![Said::words(words)], cache);
        row.step.pending = true;
        rows.push(row);
    }

    /// The objects that the violation is about.
    fn focus(&self) -> BTreeSet<Instance> {
        let races = self.replay.races.iter().flat_map(|race| [race.first.spot, race.second.spot]);
        let culprit = match &self.replay.outcome {
            Some(Outcome::Undefined(_, Some(culprit))) => culprit.address.as_pointer().map(|pointer| pointer.object),
            _ => None,
        };
        let interfering = match self.trace.end {
            TraceEnd::Interfered(interference) => interference.accesses(&self.replay.effects),
            _ => None,
        };
        let interfering = interfering.into_iter().flatten().map(|access| access.spot);
        let waited = match self.trace.end {
            TraceEnd::Deadlock => self.waited(),
            _ => Vec::new(),
        };
        races.chain(interfering).filter_map(Spot::object).chain(culprit).chain(waited).collect()
    }

    /// What threads wait for at the end, and hold meanwhile.
    fn waited(&self) -> Vec<Instance> {
        let (state, semantics) = (&self.replay.state, Semantics::new(self.program));
        let accesses = state.thread_indices().flat_map(|thread| semantics.accesses(state, thread));
        let held = state.thread_indices().flat_map(|thread| locks_held(state, thread)).map(|(object, _)| object);
        accesses.filter_map(|access| access.spot.object()).chain(held).collect()
    }

    /// How many activations the threads have at the end that the violation is about.
    fn depths(&self) -> BTreeMap<ThreadIndex, usize> {
        let state = &self.replay.state;
        let concerned: Vec<ThreadIndex> = match self.trace.end {
            TraceEnd::Race(first, second) => vec![first, second],
            TraceEnd::AssertionFailed(_) | TraceEnd::Undefined(_) => {
                self.trace.steps.last().map(|step| step.thread).into_iter().collect()
            }
            TraceEnd::Deadlock | TraceEnd::Livelock => state.thread_indices().collect(),
            TraceEnd::Interfered(_) | TraceEnd::Nothing => Vec::new(),
        };
        let depth = |thread| state.thread(thread).map(|known| (thread, known.frames.len()));
        concerned.into_iter().filter_map(depth).collect()
    }

    /// The objects that more than one thread accesses in the trace, or is about to.
    fn shared(&self) -> BTreeSet<Instance> {
        let mut accessed: BTreeMap<Instance, BTreeSet<ThreadIndex>> = BTreeMap::new();
        let races = self.replay.races.iter().flat_map(|race| [race.first, race.second]);
        let all = self.replay.effects.iter().flat_map(|effects| effects.accesses.iter().copied()).chain(races);
        for access in all {
            if let Some(object) = access.spot.object() {
                accessed.entry(object).or_default().insert(access.thread);
            }
        }
        accessed.into_iter().filter(|(_, threads)| threads.len() > 1).map(|(object, _)| object).collect()
    }
}

/// Whether a step is needed to see how a violation comes about: it touches what that is about, or threads start and end.
fn matters(effects: &Effects, focus: &BTreeSet<Instance>) -> bool {
    let is_about = |spot: Spot| spot.object().is_some_and(|object| focus.contains(&object));
    let is_of_threads = |event: &Event| matches!(event, Event::Started(..) | Event::Finished(_) | Event::Ended(_));
    let is_of_focus = |event: &Event| match event {
        Event::Allocated { object, .. } | Event::Freed(object) => focus.contains(object),
        _ => false,
    };
    effects.accesses.iter().any(|access| is_about(access.spot))
        || effects.events.iter().any(|event| is_of_threads(event) || is_of_focus(event))
}

/// Keeps count of a thread's activations; gives how deep one is that is entered.
fn follow(depth: &mut BTreeMap<ThreadIndex, usize>, thread: ThreadIndex, effects: &Effects) -> Option<usize> {
    let depth = depth.entry(thread).or_insert(1);
    let mut entered = None;
    for event in &effects.events {
        match event {
            Event::Called(_) => {
                *depth += 1;
                entered = Some(*depth);
            }
            Event::Returned(_) => *depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    entered
}

/// What has returned leads nowhere.
fn forget_returned(
    rows: &mut [Row],
    thread: ThreadIndex,
    effects: Option<&Effects>,
    depth: &BTreeMap<ThreadIndex, usize>,
) {
    let has_returned =
        effects.is_some_and(|effects| effects.events.iter().any(|event| matches!(event, Event::Returned(_))));
    let now = depth.get(&thread).copied().unwrap_or(1);
    if has_returned
        && let Some(row) =
            rows.iter_mut().rev().find(|row| row.thread == thread && row.entered.iter().any(|entered| *entered > now))
    {
        row.entered.retain(|entered| *entered <= now);
    }
}

/// Whether another thread may notice an access: to anything but a local that it never reaches.
fn may_be_noticed(spot: Spot, shared: &BTreeSet<Instance>) -> bool {
    match spot {
        Spot::Ghost(_) => true,
        Spot::Bytes { object, .. } | Spot::Whole(object) => {
            !matches!(object, Instance::Frame { .. }) || shared.contains(&object)
        }
    }
}

/// A thread that comes to a line and does nothing there before others move is told of when it does something.
fn drop_arrivals(rows: &mut Vec<Row>) {
    for position in (0..rows.len()).rev() {
        let row = &rows[position];
        let next = rows[position + 1..].iter().find(|next| next.thread == row.thread);
        if row.said.is_empty() && next.is_some_and(|next| same_line(next.span, row.span)) {
            rows.remove(position);
        }
    }
}

fn same_line(a: Span, b: Span) -> bool {
    a.file == b.file && a.line == b.line
}

/// A step with what is said of it; nothing of it is left out where one thread moves alone.
fn finished(row: Row, is_alone: bool) -> Step {
    let Row { mut step, mut said, .. } = row;
    keep_last_of_each(&mut said);
    step.internal &= !is_alone;
    // Of the bit-fields that share bytes, a line reads those that it mentions, and to set one is not to read it.
    let set: Vec<Option<String>> = said.iter().filter(|one| !one.is_read).map(|one| one.name.clone()).collect();
    let is_meant = |said: &Said| is_mentioned(&step.statement, said.last_name()) && !set.contains(&said.name);
    said.retain(|said| !said.is_among_bits || is_meant(said));
    step.in_short = stretch::in_short(&said).unwrap_or_default();
    for one in said {
        step.changes.push(one.text());
        step.values.extend(one.name.map(|name| Binding { name, value: one.what }));
    }
    step
}

/// Whether a word stands in some code.
fn is_mentioned(code: &str, word: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|known| known == word)
}

/// A variable that changes several times in one step is shown once, with its last value.
fn keep_last_of_each(said: &mut Vec<Said>) {
    let keys: Vec<_> = said.iter().map(Said::key).collect();
    let mut position = 0;
    said.retain(|_| {
        position += 1;
        !keys[position..].contains(&keys[position - 1])
    });
}
