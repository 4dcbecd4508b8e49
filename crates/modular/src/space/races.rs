//! Two threads about to touch the same.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use selvedge_abstraction::{StepKey, Stop};
use selvedge_logic::Term;
use selvedge_symbolic::Tag;
use selvedge_symbolic::effect::Touched;
use selvedge_symbolic::threads::{Universe, Who};

use super::{Alarm, Problem, Space, State, StateId, Width};

/// How many pairs of accesses that may race are told of for one object: one is enough to refine, but another may be
/// the one that has a schedule.
const MOST_RACES: usize = 4;

impl Space<'_, '_, '_> {
    /// The accesses that a thread may be about to make.
    fn touches(&mut self, id: StateId, who: Who) -> Vec<(StepKey, Touched)> {
        let State { template, node, .. } = *self.state(id);
        self.on.view.touches(template, node, who)
    }

    /// Two threads about to touch the same, which is one of these.
    pub(super) fn find_races(&mut self, is_meant: impl Fn(&Universe<'_>, Tag) -> bool) -> Result<(), Stop> {
        let is_meant =
            |space: &Self, object: Tag| !space.left_out.contains(&object) && is_meant(&space.on.view.universe, object);
        let mut own: BTreeMap<Tag, Vec<(StateId, StepKey, Touched)>> = BTreeMap::new();
        let mut others: BTreeMap<Tag, Vec<(StateId, StepKey, Touched)>> = BTreeMap::new();
        for id in (0..self.states.len()).map(|id| StateId(id as u32)) {
            self.on.prover.poll()?;
            let State { template, node, is_covered, .. } = *self.state(id);
            let touched = &self.ground.touched[template][node.0 as usize];
            if !is_covered && touched.iter().any(|object| is_meant(self, *object)) {
                for (who, all) in [(Who::Own, &mut own), (Who::Other, &mut others)] {
                    for (step, touched) in self.touches(id, who) {
                        all.entry(touched.cell.object()).or_default().push((id, step, touched));
                    }
                }
            }
        }
        own.retain(|object, _| !self.on.view.universe.is_private(*object) && is_meant(self, *object));
        for (object, mine) in own {
            self.on.prover.poll()?;
            let theirs = others.remove(&object).unwrap_or_default();
            self.find_races_on(object, &mine, &theirs)?;
        }
        Ok(())
    }

    /// One of those accesses that threads make who know the same.
    fn one_of_each(&self, accesses: &[(StateId, StepKey, Touched)]) -> Vec<(StateId, StepKey, Touched)> {
        let mut seen = FxHashSet::default();
        let mut is_new = |(id, step, touched): &&(StateId, StepKey, Touched)| {
            let State { template, known, unstarted, .. } = self.state(*id);
            seen.insert((*template, known.number, *unstarted, *step, touched.cell, touched.when, touched.mode))
        };
        accesses.iter().filter(|access| is_new(access)).copied().collect()
    }

    /// The first pairs of accesses to an object that may race.
    fn find_races_on(
        &mut self,
        object: Tag,
        mine: &[(StateId, StepKey, Touched)],
        theirs: &[(StateId, StepKey, Touched)],
    ) -> Result<(), Stop> {
        let mut left = MOST_RACES;
        let (mine, theirs) = (self.one_of_each(mine), self.one_of_each(theirs));
        let mut pairs = Vec::new();
        for (one, step, touch) in &mine {
            self.on.prover.poll()?;
            for (other, their_step, their) in theirs.iter().filter(|(other, ..)| other >= one) {
                let races = touch.cell.overlaps(their.cell) && touch.mode.races_with(their.mode);
                if races && self.can_meet(self.state(*one), self.state(*other)) {
                    pairs.push(((*one, *step, touch.when), (*other, *their_step, their.when)));
                }
            }
        }
        if self.width == Width::Narrow {
            // The shortest ways first: a schedule may be looked for.
            let depth = |id: StateId| self.depth(self.state(id).template, self.state(id).node);
            pairs.sort_by_key(|((one, ..), (other, ..))| depth(*one) + depth(*other));
        }
        for ((one, step, when), (other, their_step, their)) in pairs {
            if self.can_meet_in((one, when), (other, their))? {
                let problem = Problem::Race(object, other, their_step);
                self.alarms.push(Alarm { state: one, step, problem, when });
                left -= 1;
                if left == 0 {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Whether two threads can meet in two conditions.
    fn can_meet_in(&mut self, (one, when): (StateId, Term), (other, their): (StateId, Term)) -> Result<bool, Stop> {
        let (mine, theirs) = (Rc::clone(&self.state(one).known), Rc::clone(&self.state(other).known));
        let key = (mine.number, when, theirs.number, their);
        if let Some(can) = self.meetings.get(&key) {
            return Ok(*can);
        }
        let can = self.on.can_meet((when, &mine.cube), (their, &theirs.cube))?;
        self.meetings.insert(key, can);
        Ok(can)
    }
}
