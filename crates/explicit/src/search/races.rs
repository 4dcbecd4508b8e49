//! Races: which threads of a state are both about to access one place.

use selvedge_analysis::AbstractObject;
use selvedge_program::ThreadIndex;
use selvedge_program::semantics::conflict;
use selvedge_program::trace::TraceEnd;

use super::Search;
use crate::outlook::Outlook;
use crate::parts::{local_at, number_at};
use crate::result::Subject;
use crate::view::View;
use crate::visited::StateIndex;
use crate::world::World;

impl Search<'_, '_> {
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
        let is_known = |object| self.findings.iter().any(|finding| finding.subject == Subject::Race(object));
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
                self.found(subject, index, None, TraceEnd::Race(mine.thread, theirs.thread));
            }
        }
    }
}
