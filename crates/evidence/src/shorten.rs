//! Schedules as short as they can be made: without steps that the violation does not need, and with few switches from
//! one thread to another.
//!
//! Two neighbouring steps of different threads that have no access in conflict can change places. Steps that do not come
//! before the violation in the order which that leaves (the happens-before order of the trace) can be left out. All of
//! this is only a way to guess: the shorter trace counts when the concrete semantics has replayed it, as any other.

use crate::{Counterexample, Violation};
use selvedge_program::semantics::{AccessKind, Effects, Event};
use selvedge_program::trace::{Replay, Trace, TraceEnd};
use selvedge_program::{Interference, Program, ThreadIndex};
use std::collections::BTreeMap;

/// Traces with more steps than this stay as they are: comparing all pairs of steps would take too long.
const LONGEST: usize = 4000;

impl Counterexample {
    /// A counterexample to the same with a schedule that is easier to follow; the same if there is none.
    pub fn shortened(&self, program: &Program) -> Counterexample {
        if self.trace().steps.len() > LONGEST {
            return self.clone();
        }
        let mut best = self.clone();
        for way in [needed, calm] {
            let kept = way(best.trace(), best.replay());
            let Some(trace) = kept.and_then(|kept| select(best.trace(), &kept)) else { continue };
            let violation = Violation { subject: self.subject(), trace };
            if let Ok(shorter) = Counterexample::new(program, violation) {
                best = shorter;
            }
        }
        best
    }
}

/// The steps at these positions, in this order; `None` if that is all of them as they are, or loses what is claimed.
fn select(trace: &Trace, kept: &[usize]) -> Option<Trace> {
    if kept.iter().copied().eq(0..trace.steps.len()) {
        return None;
    }
    let now = |step: usize| kept.iter().position(|known| *known == step);
    let end = match trace.end {
        TraceEnd::Interfered(Interference { first, between, second }) => {
            TraceEnd::Interfered(Interference { first: now(first)?, between: now(between)?, second: now(second)? })
        }
        end => end,
    };
    Some(Trace { steps: kept.iter().map(|step| trace.steps[*step].clone()).collect(), end })
}

/// Whether two steps, the first of which comes before, must stay in this order.
fn depends(trace: &Trace, effects: &[Effects], before: usize, after: usize) -> bool {
    let (a, b) = (&trace.steps[before], &trace.steps[after]);
    if a.thread == b.thread {
        return true;
    }
    // A step that fails has no effects: it may depend on anything.
    let (Some(done), Some(next)) = (effects.get(before), effects.get(after)) else { return true };
    let starts = |event: &Event| match event {
        Event::Started(thread, _) => *thread == b.thread,
        Event::Ended(_) => true,
        _ => false,
    };
    // The numbers of threads are given out in the order of their starts.
    let is_start = |effects: &Effects| effects.events.iter().any(|event| matches!(event, Event::Started(..)));
    let ends = |effects: &Effects| effects.events.iter().any(|event| matches!(event, Event::Ended(_)));
    let conflict = done.accesses.iter().any(|mine| {
        let meets = |theirs: &&selvedge_program::semantics::PendingAccess| mine.spot.overlaps(theirs.spot);
        next.accesses.iter().filter(meets).any(|theirs| [mine.kind, theirs.kind] != [AccessKind::Read; 2])
    });
    conflict || done.events.iter().any(starts) || ends(next) || is_start(done) && is_start(next)
}

/// The steps that happen before the violation.
fn needed(trace: &Trace, replay: &Replay) -> Option<Vec<usize>> {
    let count = trace.steps.len();
    let mut keep = vec![false; count];
    let last_of = |thread: ThreadIndex| trace.steps.iter().rposition(|step| step.thread == thread);
    match trace.end {
        // Whoever could move would make it none.
        TraceEnd::Deadlock | TraceEnd::Nothing => return None,
        TraceEnd::Race(a, b) => {
            for step in [last_of(a), last_of(b)].into_iter().flatten() {
                keep[step] = true;
            }
        }
        TraceEnd::Interfered(Interference { first, between, second }) => {
            for step in [first, between, second] {
                *keep.get_mut(step)? = true;
            }
        }
        TraceEnd::AssertionFailed(_) => *keep.last_mut()? = true,
        // What is undefined may be so because of what others have done, such as `free`: those who have changed
        // something last are needed too.
        TraceEnd::Undefined(_) => {
            let threads: std::collections::BTreeSet<ThreadIndex> = trace.steps.iter().map(|step| step.thread).collect();
            let touches = |step: usize| replay.effects.get(step).is_none_or(|effects| is_noticed(effects));
            for thread in threads {
                let last = (0..count).rev().find(|step| trace.steps[*step].thread == thread && touches(*step));
                if let Some(step) = last {
                    keep[step] = true;
                }
            }
        }
    }
    for step in (0..count).rev() {
        if keep[step] {
            let fails = step >= replay.effects.len();
            for before in 0..step {
                let is_own = trace.steps[before].thread == trace.steps[step].thread;
                if is_own || !fails && !keep[before] && depends(trace, &replay.effects, before, step) {
                    keep[before] = true;
                }
            }
        }
    }
    // Who has nothing to do with it need not be started by number: threads keep theirs only if no start is left out.
    for step in 0..replay.effects.len() {
        if !keep[step] && replay.effects[step].events.iter().any(|event| matches!(event, Event::Started(..))) {
            let thread = trace.steps[step].thread;
            (0..=step).filter(|before| trace.steps[*before].thread == thread).for_each(|before| keep[before] = true);
        }
    }
    Some((0..count).filter(|step| keep[*step]).collect())
}

fn is_noticed(effects: &Effects) -> bool {
    let is_write = effects.accesses.iter().any(|access| access.kind == AccessKind::Write);
    is_write || effects.events.iter().any(|event| matches!(event, Event::Freed(_) | Event::Finished(_)))
}

/// All steps, in an order with fewer switches: stretches of one thread move next to its others where nothing between
/// depends on them, and they on nothing between.
fn calm(trace: &Trace, replay: &Replay) -> Option<Vec<usize>> {
    let effects = &replay.effects;
    let mut memory: BTreeMap<(usize, usize), bool> = BTreeMap::new();
    let mut ordered = |before: usize, after: usize| {
        *memory.entry((before, after)).or_insert_with(|| depends(trace, effects, before, after))
    };
    let mut stretches: Vec<Vec<usize>> = Vec::new();
    let thread = |stretch: &[usize]| stretch.first().map(|step| trace.steps[*step].thread);
    for step in 0..trace.steps.len() {
        match stretches.last_mut() {
            Some(stretch) if thread(stretch) == Some(trace.steps[step].thread) => stretch.push(step),
            _ => stretches.push(vec![step]),
        }
    }
    let mut must = |first: &[usize], second: &[usize]| {
        first.iter().any(|before| second.iter().any(|after| ordered(*before, *after)))
    };
    while let Some((early, late, at)) = merge(&stretches, thread, &mut must) {
        let mut moved = stretches.remove(late);
        let mut whole = stretches.remove(early);
        whole.append(&mut moved);
        stretches.insert(at, whole);
        // Neighbours that are of one thread now are one stretch.
        stretches = stretches.into_iter().fold(Vec::new(), |mut all: Vec<Vec<usize>>, mut stretch| {
            match all.last_mut() {
                Some(last) if thread(last) == thread(&stretch) => last.append(&mut stretch),
                _ => all.push(stretch),
            }
            all
        });
    }
    Some(stretches.concat())
}

/// Two stretches of one thread that can be one: which, and where that comes to stand when both are taken out.
fn merge(
    stretches: &[Vec<usize>],
    thread: impl Fn(&[usize]) -> Option<ThreadIndex>,
    must: &mut impl FnMut(&[usize], &[usize]) -> bool,
) -> Option<(usize, usize, usize)> {
    for early in 0..stretches.len() {
        let own = thread(&stretches[early]);
        let Some(late) = (early + 1..stretches.len()).find(|late| thread(&stretches[*late]) == own) else { continue };
        let between = &stretches[early + 1..late];
        if !between.iter().any(|stretch| must(stretch, &stretches[late])) {
            return Some((early, late, early));
        }
        if !between.iter().any(|stretch| must(&stretches[early], stretch)) {
            return Some((early, late, late - 1));
        }
    }
    None
}
