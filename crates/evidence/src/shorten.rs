//! Schedules as short as they can be made: without steps that the violation does not need, and with few switches from
//! one thread to another.
//!
//! Two neighbouring steps of different threads that have no access in conflict can change places. Steps that do not
//! come before the violation in the order which that leaves (the happens-before order of the trace) can be left out.
//! All of this is only a way to guess: the shorter trace counts when the concrete semantics has replayed it, as any
//! other.

use crate::{Counterexample, Violation};
use selvedge_program::semantics::{AccessKind, Effects, Event};
use selvedge_program::trace::{Replay, Trace, TraceEnd};
use selvedge_program::{Interference, Program, ThreadIndex};
use std::collections::BTreeMap;

/// Traces with more steps than this stay as they are: comparing all pairs of steps would take too long.
const LONGEST: usize = 1500;

/// Orders that the accesses speak against are tried until so many steps have been replayed.
const MOST_REPLAYED: usize = 40_000;

impl Counterexample {
    /// A counterexample to the same with a schedule that is easier to follow; the same if there is none.
    pub fn shortened(&self, program: &Program) -> Counterexample {
        if self.trace().steps.len() > LONGEST {
            return self.clone();
        }
        let mut best = self.clone();
        for way in [needed, calm] {
            let kept = way(best.trace(), best.replay());
            best = kept.and_then(|kept| best.with_steps(program, &kept)).unwrap_or(best);
        }
        let mut left = MOST_REPLAYED;
        while let Some(calmer) = best.calmer(program, &mut left) {
            best = calmer;
        }
        best
    }

    /// The counterexample with the steps at these positions, in this order, if that is one.
    fn with_steps(&self, program: &Program, kept: &[usize]) -> Option<Counterexample> {
        let trace = select(self.trace(), kept)?;
        let found = Counterexample::new(program, Violation { subject: self.subject(), trace }).ok();
        // Without a step that it had, it may rest on what nobody knows.
        found.filter(|found| found.guesses().is_empty() == self.guesses().is_empty())
    }

    /// The same with two stretches of a thread made one, whatever the accesses say: a step that looks at something may
    /// find what it needs at another time too.
    fn calmer(&self, program: &Program, left: &mut usize) -> Option<Counterexample> {
        let all = stretches(self.trace());
        for (early, late, at) in pairs(self.trace(), &all).flat_map(|(a, b)| [(a, b, a), (a, b, b - 1)]) {
            *left = left.checked_sub(self.trace().steps.len())?;
            let calmer = self.with_steps(program, &joined(self.trace(), &all, early, late, at).concat());
            if calmer.is_some() {
                return calmer;
            }
        }
        None
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
        TraceEnd::Deadlock | TraceEnd::Livelock | TraceEnd::Nothing => return None,
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
            let touches = |step: usize| replay.effects.get(step).is_none_or(is_noticed);
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
            let comes_before = |before: &usize| {
                let is_own = trace.steps[*before].thread == trace.steps[step].thread;
                is_own || !fails && !keep[*before] && depends(trace, &replay.effects, *before, step)
            };
            let found: Vec<usize> = (0..step).filter(comes_before).collect();
            found.into_iter().for_each(|before| keep[before] = true);
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
    let mut must = |first: &[usize], second: &[usize]| {
        first.iter().any(|before| second.iter().any(|after| ordered(*before, *after)))
    };
    let mut all = stretches(trace);
    let mut merge = |all: &[Vec<usize>]| {
        pairs(trace, all).find_map(|(early, late)| {
            let between = &all[early + 1..late];
            if !between.iter().any(|stretch| must(stretch, &all[late])) {
                return Some((early, late, early));
            }
            (!between.iter().any(|stretch| must(&all[early], stretch))).then_some((early, late, late - 1))
        })
    };
    while let Some((early, late, at)) = merge(&all) {
        all = joined(trace, &all, early, late, at);
    }
    Some(all.concat())
}

/// The steps of a trace, cut where another thread moves.
fn stretches(trace: &Trace) -> Vec<Vec<usize>> {
    let steps = (0..trace.steps.len()).map(|step| vec![step]);
    steps.fold(Vec::new(), |all, step| followed_by(trace, all, step))
}

fn thread(trace: &Trace, stretch: &[usize]) -> Option<ThreadIndex> {
    stretch.first().map(|step| trace.steps[*step].thread)
}

/// One more stretch; neighbours of one thread are one.
fn followed_by(trace: &Trace, mut all: Vec<Vec<usize>>, mut stretch: Vec<usize>) -> Vec<Vec<usize>> {
    match all.last_mut() {
        Some(last) if thread(trace, last) == thread(trace, &stretch) => last.append(&mut stretch),
        _ => all.push(stretch),
    }
    all
}

/// Stretches of one thread with none of it between.
fn pairs<'a>(trace: &'a Trace, all: &'a [Vec<usize>]) -> impl Iterator<Item = (usize, usize)> + 'a {
    (0..all.len()).filter_map(move |early| {
        let is_next = |late: &usize| thread(trace, &all[*late]) == thread(trace, &all[early]);
        (early + 1..all.len()).find(is_next).map(|late| (early, late))
    })
}

/// Two stretches made one, which comes to stand at a position among the others.
fn joined(trace: &Trace, all: &[Vec<usize>], early: usize, late: usize, at: usize) -> Vec<Vec<usize>> {
    let others = all.iter().enumerate().filter(|(position, _)| ![early, late].contains(position));
    let mut others: Vec<Vec<usize>> = others.map(|(_, stretch)| stretch.clone()).collect();
    others.insert(at, [&all[early][..], &all[late][..]].concat());
    others.into_iter().fold(Vec::new(), |all, stretch| followed_by(trace, all, stretch))
}
