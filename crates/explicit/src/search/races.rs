//! Races: which threads of a state are both about to access one place.

use selvedge_program::ThreadIndex;
use selvedge_program::semantics::{Instance, Spot, conflict};
use selvedge_program::trace::TraceEnd;

use super::Search;
use crate::outlook::{Outlook, abstraction};
use crate::result::Subject;
use crate::visited::StateIndex;
use crate::world::World;

impl Search<'_, '_> {
    /// Looks for races in a new state, of threads that have moved since the state before with any other.
    pub(super) fn find_races(&mut self, index: StateIndex, before: Option<&World>, world: &World) {
        for first in world.live().filter(|thread| world.has_moved(before, *thread)) {
            for second in world.live().filter(|second| *second != first) {
                if second < first && world.has_moved(before, second) {
                    continue;
                }
                if world.outlook(first).may_race(world.outlook(second)) {
                    self.confirm_races(index, world, first.min(second), first.max(second));
                }
            }
        }
    }

    fn confirm_races(&mut self, index: StateIndex, world: &World, first: ThreadIndex, second: ThreadIndex) {
        let (mine, theirs) = (world.outlook(first), world.outlook(second));
        let is_known = |object| self.findings.iter().any(|finding| finding.subject == Subject::Race(object));
        let objects = |outlook: &Outlook| {
            outlook.touches.iter().all(|touch| {
                object_of(touch.spot).and_then(|object| abstraction(&world.state, object)).is_some_and(is_known)
            })
        };
        if mine.exact && theirs.exact && (objects(mine) || objects(theirs)) {
            return;
        }
        let mine = self.mover.semantics.accesses(&world.state, first);
        let theirs = self.mover.semantics.accesses(&world.state, second);
        for mine in &mine {
            for theirs in theirs.iter().filter(|theirs| conflict(mine, theirs)) {
                let Some(object) = object_of(mine.spot).and_then(|object| abstraction(&world.state, object)) else {
                    continue;
                };
                if self.options.race_on.as_ref().is_some_and(|name| !self.facts.is_named(object, name)) {
                    continue;
                }
                self.found(Subject::Race(object), index, None, TraceEnd::Race(mine.thread, theirs.thread));
            }
        }
    }
}

/// The object that a spot belongs to.
fn object_of(spot: Spot) -> Option<Instance> {
    match spot {
        Spot::Bytes { object, .. } => Some(object),
        Spot::Ghost(key) => key.object,
    }
}
