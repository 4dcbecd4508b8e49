//! Steps of other threads: who can do what to what others see, and what is known afterwards.

use std::rc::Rc;

use selvedge_abstraction::{PredicateSet, StepKey, Stop};
use selvedge_symbolic::threads::Who;

use super::{Environment, Knowledge, Origin, Space, State, StateId, Weakening, Width};

/// Something that a thread can do to what others see.
#[derive(Clone, Debug)]
pub(super) struct Interference {
    source: StateId,
    step: StepKey,
    unstable: Rc<Unstable>,
    starts: Option<usize>,
}

/// What a step of another thread may change of what is known: these predicates where they hold, and these where they do
/// not.
#[derive(Debug, Default)]
pub(super) struct Unstable {
    holding: PredicateSet,
    failing: PredicateSet,
}

impl Space<'_, '_, '_> {
    pub(super) fn make_many(&mut self, template: usize) -> Result<(), Stop> {
        if self.many & (1 << template) != 0 {
            return Ok(());
        }
        self.many |= 1 << template;
        // From now on its threads meet each other.
        for place in 0..self.expected {
            if self.state(self.interferences[place].source).template == template {
                self.interfere_everywhere(place, Some(template))?;
            }
        }
        Ok(())
    }

    pub(super) fn add_interference(
        &mut self,
        source: StateId,
        step: StepKey,
        starts: Option<usize>,
    ) -> Result<(), Stop> {
        let unstable = self.unstable(step)?;
        let State { template, known, unstarted, .. } = self.state(source).clone();
        let is_noticed =
            starts.is_some() || unstable.holding.meets(&self.tracked) || unstable.failing.meets(&self.tracked);
        if !is_noticed || !self.known_steps.insert((template, step, known.number, unstarted)) {
            return Ok(());
        }
        self.interferences.push(Interference { source, step, unstable, starts });
        match self.weakening {
            Weakening::AtOnce => self.weaken(),
            Weakening::InRounds => Ok(()),
        }
    }

    pub(super) fn interfere_everywhere(&mut self, place: usize, only: Option<usize>) -> Result<(), Stop> {
        for id in 0..self.states.len() {
            let State { template, node, is_covered, .. } = self.states[id];
            let is_meant = !is_covered && only.is_none_or(|only| only == template);
            if is_meant && self.is_concerned(StateId(id as u32), place) && self.is_visible(template, node) {
                self.interfere(StateId(id as u32), place)?;
            }
        }
        Ok(())
    }

    /// Whether a step of another thread may change what is known in a state.
    fn is_concerned(&self, id: StateId, place: usize) -> bool {
        let (state, interference) = (self.state(id), &self.interferences[place]);
        let starts = interference.starts.is_some_and(|template| state.unstarted & (1 << template) != 0);
        let Unstable { holding, failing } = &*interference.unstable;
        (starts || state.known.holds.meets(holding) || state.known.fails.meets(failing))
            && !self.state(interference.source).is_covered
    }

    /// Whether threads in these states can be there together.
    pub(super) fn can_meet(&self, one: &State, other: &State) -> bool {
        let of = |template: usize| 1_u64 << template;
        let is_apart = one.unstarted & of(other.template) != 0 || other.unstarted & of(one.template) != 0;
        !is_apart && (one.template != other.template || self.many & of(one.template) != 0)
    }

    /// Lets another thread take a step while the thread stands. What takes a step in a state that another one stands
    /// for takes it there, too.
    pub(super) fn interfere(&mut self, id: StateId, place: usize) -> Result<(), Stop> {
        if !self.is_concerned(id, place) {
            return Ok(());
        }
        let Interference { source, step, starts, .. } = self.interferences[place].clone();
        let (state, other) = (self.state(id).clone(), self.state(source).clone());
        if !self.can_meet(&state, &other) {
            return Ok(());
        }
        if let Some(known) = self.after_other(&state, &other, step)? {
            let started = starts.map_or(0, |template| 1 << template);
            self.add((state.template, state.node), known, state.unstarted & !started, Origin::Other(id, source, step));
        }
        Ok(())
    }

    /// What is known where a thread stands after a step of another one, if that can be taken.
    fn after_other(&mut self, state: &State, other: &State, step: StepKey) -> Result<Option<Rc<Knowledge>>, Stop> {
        let scope = self.scope(state.template, state.node);
        let key = (step, state.known.number, scope.number, other.known.number);
        if let Some(known) = self.interfered.get(&key) {
            return Ok(known.clone());
        }
        let (theirs, said) = match self.environment {
            Environment::Relation | Environment::Havoc => (other.cube.clone(), other.known.said.clone()),
            Environment::Anywhere => (Rc::default(), self.on.said(&Rc::default())),
        };
        let known = if self.on.can_interfere(step, (&state.cube, &state.known.said), (&theirs, &said))? {
            let is_lost = self.environment == Environment::Havoc;
            let affected = self.affected(Who::Other, step);
            let cube = self.each(&scope, |on, predicate| {
                if is_lost && affected.contains(predicate) {
                    return Ok(None);
                }
                on.after_other(step, &state.cube, &theirs, predicate)
            })?;
            Some(self.know(cube))
        } else {
            None
        };
        self.interfered.insert(key, known.clone());
        Ok(known)
    }

    /// What a step of another thread may change. In a large program it is asked of each predicate by itself whether it
    /// stays as it is wherever that thread is.
    fn unstable(&mut self, step: StepKey) -> Result<Rc<Unstable>, Stop> {
        if let Some(unstable) = self.unstable.get(&step) {
            return Ok(Rc::clone(unstable));
        }
        let affected = self.affected(Who::Other, step);
        let mut unstable = Unstable::default();
        for id in self.tracked.iter().filter(|id| affected.contains(*id)).collect::<Vec<_>>() {
            let asks = self.width == Width::Narrow && self.environment != Environment::Havoc;
            if !asks || !self.on.is_stable(step, (id, true))? {
                unstable.holding.insert(id);
            }
            if !self.trimming.holding_only.contains(id) && (!asks || !self.on.is_stable(step, (id, false))?) {
                unstable.failing.insert(id);
            }
        }
        let unstable = Rc::new(unstable);
        self.unstable.insert(step, Rc::clone(&unstable));
        Ok(unstable)
    }
}
