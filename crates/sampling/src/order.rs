//! What comes before what in an execution: a step comes after the steps of its thread before it, after the step that
//! started its thread, and after the steps that wrote what it reads. Steps without the others of an execution, if all
//! that comes before one of them is among them, are an execution, since every one reads what it read before.
//!
//! Clocks say it, one number per thread: how many of its steps come before (Fidge, Mattern). Of every piece of memory the
//! last writes and reads are remembered, as in Flanagan, Freund: *FastTrack* (PLDI 2009), but without the order of
//! writes among each other: that is not needed for the steps before two accesses to be an execution, and hides races.

use rustc_hash::FxHashMap;
use selvedge_program::ThreadIndex;
use selvedge_program::semantics::{AccessKind, Event, GhostKey, Instance, PendingAccess, Spot};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Of every thread so many steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock(Vec<u32>);

impl Clock {
    /// How many of a thread's steps.
    pub fn of(&self, thread: ThreadIndex) -> u32 {
        self.0.get(thread.index()).copied().unwrap_or(0)
    }

    fn set(&mut self, thread: ThreadIndex, steps: u32) {
        if self.0.len() <= thread.index() {
            self.0.resize(thread.index() + 1, 0);
        }
        self.0[thread.index()] = steps;
    }

    /// The steps of both.
    fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }
}

/// An access that was made.
#[derive(Clone, Debug)]
struct Made {
    access: PendingAccess,
    /// Which step of its thread it was part of, counted from 1.
    step: u32,
    /// What came before the thread's next step.
    after: Rc<Clock>,
}

/// Two accesses that nothing orders.
#[derive(Clone, Debug)]
pub struct Unordered {
    pub first: PendingAccess,
    pub second: PendingAccess,
    /// What comes before either.
    pub before: Clock,
}

/// The accesses to the bytes of an object, by the byte where they begin.
#[derive(Debug, Default)]
struct Touched {
    writes: BTreeMap<u64, Made>,
    /// The last one of each thread.
    reads: BTreeMap<(u64, ThreadIndex), Made>,
    /// The longest access.
    longest: u64,
}

/// A thread that was started.
#[derive(Debug)]
struct Started {
    by: ThreadIndex,
    step: u32,
    after: Rc<Clock>,
}

/// The order of an execution so far.
#[derive(Debug, Default)]
pub struct Order {
    clocks: Vec<Rc<Clock>>,
    bytes: FxHashMap<Instance, Touched>,
    ghost_writes: FxHashMap<GhostKey, Made>,
    ghost_reads: FxHashMap<GhostKey, BTreeMap<ThreadIndex, Made>>,
    finished: FxHashMap<ThreadIndex, Rc<Clock>>,
    /// Those but the first, in the order in which they were started.
    started: Vec<Started>,
}

impl Order {
    fn clock(&mut self, thread: ThreadIndex) -> Rc<Clock> {
        if self.clocks.len() <= thread.index() {
            self.clocks.resize_with(thread.index() + 1, Rc::default);
        }
        Rc::clone(&self.clocks[thread.index()])
    }

    /// Takes the next step of a thread into account, and tells which of its accesses to what others know of nothing
    /// orders against an earlier one.
    pub fn step(
        &mut self,
        thread: ThreadIndex,
        accesses: &[PendingAccess],
        events: &[Event],
        unordered: &mut Vec<Unordered>,
    ) {
        let before = self.clock(thread);
        let step = before.of(thread) + 1;
        let mut after = (*before).clone();
        after.set(thread, step);
        for access in accesses {
            self.find_unordered(&before, access, unordered);
            if access.kind == AccessKind::Read {
                self.read(access, &mut after);
            }
        }
        let after = Rc::new(after);
        for access in accesses {
            self.remember(Made { access: *access, step, after: Rc::clone(&after) });
        }
        for event in events {
            match event {
                Event::Started(child, _) => {
                    self.clock(*child);
                    self.clocks[child.index()] = Rc::clone(&after);
                    self.started.push(Started { by: thread, step, after: Rc::clone(&after) });
                }
                Event::Finished(ended) => drop(self.finished.insert(*ended, Rc::clone(&after))),
                Event::Freed(object) => drop(self.bytes.remove(object)),
                Event::Allocated { .. }
                | Event::Forgotten(_)
                | Event::Called(_)
                | Event::Returned(_)
                | Event::Ended(_) => {}
            }
        }
        self.clocks[thread.index()] = after;
    }

    /// The earlier accesses that have something in common with a spot: reads only if asked for.
    fn earlier(&self, spot: Spot, with_reads: bool) -> Vec<&Made> {
        match spot {
            Spot::Bytes { object, offset, size } => {
                let Some(touched) = self.bytes.get(&object) else { return Vec::new() };
                let range = offset.saturating_sub(touched.longest)..offset.saturating_add(size);
                let writes = touched.writes.range(range.clone()).map(|(_, made)| made);
                let from = (range.start, ThreadIndex(0))..(range.end, ThreadIndex(0));
                let reads = touched.reads.range(from).map(|(_, made)| made).filter(|_| with_reads);
                writes.chain(reads).collect()
            }
            Spot::Ghost(key) => {
                let reads = self.ghost_reads.get(&key).filter(|_| with_reads).into_iter().flat_map(BTreeMap::values);
                self.ghost_writes.get(&key).into_iter().chain(reads).collect()
            }
            Spot::Whole(object) => {
                let touched = self.bytes.get(&object);
                touched.into_iter().flat_map(|all| all.writes.values().chain(all.reads.values())).collect()
            }
        }
    }

    fn find_unordered(&self, before: &Rc<Clock>, access: &PendingAccess, unordered: &mut Vec<Unordered>) {
        for made in self.earlier(access.spot, access.kind == AccessKind::Write) {
            let is_unordered = made.access.thread != access.thread && before.of(made.access.thread) < made.step;
            if is_unordered && made.access.races_with(access) {
                let mut both = (**before).clone();
                both.join(&made.after);
                both.set(made.access.thread, made.step - 1);
                unordered.push(Unordered { first: made.access, second: *access, before: both });
            }
        }
    }

    /// What comes before a step that reads.
    fn read(&self, access: &PendingAccess, after: &mut Clock) {
        for made in self.earlier(access.spot, false) {
            if made.access.thread != access.thread && made.access.spot.overlaps(access.spot) {
                after.join(&made.after);
            }
        }
        if let Some(Instance::Thread(ended)) = access.spot.object()
            && let Some(clock) = self.finished.get(&ended)
        {
            after.join(clock);
        }
    }

    fn remember(&mut self, made: Made) {
        match (made.access.spot, made.access.kind) {
            (Spot::Bytes { object, offset, size }, kind) => {
                let touched = self.bytes.entry(object).or_default();
                touched.longest = touched.longest.max(size);
                match kind {
                    AccessKind::Read => drop(touched.reads.insert((offset, made.access.thread), made)),
                    AccessKind::Write => drop(touched.writes.insert(offset, made)),
                }
            }
            (Spot::Ghost(key), AccessKind::Read) => {
                self.ghost_reads.entry(key).or_default().insert(made.access.thread, made);
            }
            (Spot::Ghost(key), AccessKind::Write) => drop(self.ghost_writes.insert(key, made)),
            (Spot::Whole(_), _) => {}
        }
    }

    /// The steps of an execution in which two accesses meet, of every thread so many. Threads have the numbers in which
    /// they are started, so with a thread those are started that were before it. `None` if that takes one of the two
    /// accesses themselves.
    pub fn up_to(&self, unordered: &Unordered) -> Option<Clock> {
        let mut clock = unordered.before.clone();
        loop {
            let last = self.started.iter().rposition(|started| clock.of(started.by) >= started.step);
            let needed = &self.started[..last.map_or(0, |last| last + 1)];
            let Some(missing) = needed.iter().find(|started| clock.of(started.by) < started.step) else { break };
            clock.join(&missing.after);
        }
        let [first, second] = [unordered.first.thread, unordered.second.thread];
        let stands = |thread: ThreadIndex| clock.of(thread) == unordered.before.of(thread);
        (stands(first) && stands(second)).then_some(clock)
    }
}
