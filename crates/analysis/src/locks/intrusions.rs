//! What may take a lock from a thread that holds it.

use super::flow::{Everywhere, Solver};
use super::names::LockName;
use super::update::{Effect, LockFamily, Update, marked};
use super::{LockId, has_company};
use crate::Parallel;
use crate::points_to::SharedTargets;
use selvedge_program::{CodeLocation, EdgeId, FunctionId, LocationId, LockMode};

impl Solver<'_> {
    /// The updates that may take a lock from a thread that holds it, with whether only from readers.
    pub(super) fn intrusions(
        &mut self,
        parallel: &Parallel,
        at: &[Everywhere],
    ) -> Vec<(SharedTargets, LockFamily, LockMode)> {
        let mut found = Vec::new();
        for (index, function) in self.program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            for (position, edge) in function.edges.iter().enumerate() {
                let others = self.unmarked.get(&(id, EdgeId::new(position)));
                let releases = edge.action.steps().iter().filter_map(marked);
                let updates = releases.chain(others.into_iter().flat_map(|others| others.updates.iter().cloned()));
                let location = edge.source;
                let held = |update: &Update| self.is_held(&at[index], id, location, update);
                let mut intruding: Vec<(SharedTargets, LockFamily, LockMode)> = Vec::new();
                for update in updates {
                    let mode = match &update.effect {
                        Effect::Acquire(..) => continue,
                        Effect::Overwrite => LockMode::Exclusive,
                        // Its owner gives it up, or nothing happens.
                        Effect::Release(LockMode::Exclusive) if update.family != LockFamily::Word => continue,
                        Effect::Release(_) if held(&update) => continue,
                        Effect::Release(mode) => *mode,
                    };
                    let targets = self.points_to.shared_targets_of(id, &update.address);
                    intruding.push((targets, update.family, mode));
                }
                let words = others.into_iter().flat_map(|others| &others.words);
                intruding.extend(words.map(|word| (word.clone(), LockFamily::Word, LockMode::Exclusive)));
                let is_reached = at[index][location.index()].is_some();
                if !intruding.is_empty() && is_reached && has_company(parallel, CodeLocation { function: id, location })
                {
                    found.append(&mut intruding);
                }
            }
        }
        found
    }

    /// Whether the lock that an update is about is held at a location.
    fn is_held(&self, at: &Everywhere, function: FunctionId, location: LocationId, update: &Update) -> bool {
        let name = LockName { function, address: update.address.clone(), family: update.family };
        let lock = self.names.get_index_of(&name).map(|index| LockId(index as u32));
        lock.zip(at[location.index()].as_ref()).is_some_and(|(lock, known)| known.held.contains_key(&lock))
    }

    pub(super) fn is_intruded(
        &mut self,
        lock: LockId,
        mode: LockMode,
        intrusions: &[(SharedTargets, LockFamily, LockMode)],
    ) -> bool {
        let (names, targets, aliases) = (&self.names, &self.targets, &mut self.aliases);
        let index = lock.0 as usize;
        intrusions.iter().any(|(intruded, family, worst)| {
            *family == names[index].family && mode <= *worst && aliases.may_alias(&targets[index], intruded)
        })
    }
}
