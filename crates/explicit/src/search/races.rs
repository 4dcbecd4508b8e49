//! Races: which threads of a state are both about to access one place.

use selvedge_analysis::AbstractObject;
use selvedge_program::semantics::{PendingAccess, conflict};
use selvedge_program::trace::TraceEnd;
use selvedge_program::{EdgeId, FunctionId, ThreadIndex};

use super::Search;
use super::traces::{Finding, MOST_AGAIN};
use crate::outlook::Outlook;
use crate::parts::{local_at, number_at};
use crate::result::Subject;
use crate::view::View;
use crate::visited::StateIndex;
use crate::world::World;

/// How often two steps are looked at that stand before races which are known.
const MOST_LOOKS: u32 = 4;

/// How many pairs of accesses are told of one object.
const MOST_PAIRS: usize = 8;

/// Two accesses that race, by where they stand in the program.
pub type Pair = [Option<(FunctionId, EdgeId)>; 2];

impl Search<'_, '_> {
    /// Two threads meet at an object. Every pair of accesses is told of, up to some.
    fn met(&mut self, subject: Subject, state: StateIndex, end: TraceEnd, pair: Pair) {
        let known = self.pairs.entry(subject).or_default();
        if known.contains(&pair) {
            return self.found_again(Finding { subject, state, failing: None, end });
        }
        if known.len() >= MOST_PAIRS {
            return;
        }
        let is_first = known.is_empty();
        known.push(pair);
        if is_first {
            self.found(subject, state, None, end);
        } else if !self.stopped {
            self.further.push(Finding { subject, state, failing: None, end });
        }
    }

    /// Looks for races in the target, a new state, of threads that have moved since the state before with any other.
    /// What a thread that stands still is about to access may have changed too if its outlook does not tell.
    pub(super) fn find_races(&mut self, index: StateIndex, before: &[u32]) {
        let view = View::new(&self.parts, &self.target);
        let known = number_at(before, 0) as usize;
        let may_be_new = |thread: ThreadIndex| {
            let at = local_at(thread);
            thread.index() >= known || before[at] != self.target[at] || !view.outlook(thread).exact
        };
        let mut suspects = Vec::new();
        for first in view.live().filter(|thread| may_be_new(*thread)) {
            for second in view.live().filter(|second| *second != first) {
                if second < first && may_be_new(second) {
                    continue;
                }
                if view.outlook(first).may_race(view.outlook(second)) {
                    suspects.push((first.min(second), first.max(second)));
                }
            }
        }
        if !suspects.is_empty() {
            let world = self.parts.world(&self.target);
            for (first, second) in suspects {
                self.confirm_races(index, &world, first, second);
            }
        }
    }

    fn confirm_races(&mut self, index: StateIndex, world: &World, first: ThreadIndex, second: ThreadIndex) {
        let (mine, theirs) = (world.outlook(first), world.outlook(second));
        // Where the two stand has been looked at often enough: the same steps meet on few objects.
        let places =
            [first, second].map(|thread| world.state.frame(thread).map(|frame| (frame.function, frame.location)));
        let looks = self.looked_at.entry(places).or_default();
        *looks += 1;
        let most = if self.facts.program.unknowns.is_empty() { MOST_LOOKS } else { MOST_AGAIN };
        let is_seen = *looks > most;
        let is_known = |object| is_seen && self.findings.iter().any(|finding| finding.subject == Subject::Race(object));
        let objects = |outlook: &Outlook| {
            outlook.accesses.iter().all(|access| {
                access
                    .spot
                    .object()
                    .and_then(|object| AbstractObject::of_instance(&world.state, object))
                    .is_some_and(is_known)
            })
        };
        if mine.exact && theirs.exact && (objects(mine) || objects(theirs)) {
            return;
        }
        let mine = self.mover.semantics.accesses(&world.state, first);
        let theirs = self.mover.semantics.accesses(&world.state, second);
        for mine in &mine {
            for theirs in theirs.iter().filter(|theirs| conflict(mine, theirs)) {
                let Some(object) =
                    mine.spot.object().and_then(|object| AbstractObject::of_instance(&world.state, object))
                else {
                    continue;
                };
                let subject = Subject::Race(object);
                if !self.options.task.asks_about(self.facts.program, subject) {
                    continue;
                }
                let end = TraceEnd::Race(mine.thread, theirs.thread);
                let step = |access: &PendingAccess| {
                    world.state.frame(access.thread).map(|frame| (frame.function, access.edge))
                };
                let mut pair = [step(mine), step(theirs)];
                pair.sort();
                self.met(subject, index, end, pair);
            }
        }
    }
}
