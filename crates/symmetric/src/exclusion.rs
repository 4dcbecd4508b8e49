//! Places at which two threads certainly hold the same lock: they are never there together. Whatever else such a
//! configuration says, it is enough to say where the two are; so all that two threads might do to each other inside
//! a critical section comes down to one configuration for each pair of places. The facts about locks only tell which
//! configurations to make general: that these are never reached is shown like everything else.

use std::collections::BTreeMap;

use selvedge_analysis::Facts;
use selvedge_analysis::locks::LockFamily;
use selvedge_evidence::symmetric::configuration::Configuration;
use selvedge_evidence::symmetric::moves::At;
use selvedge_program::{CodeLocation, Exhausted, Expr, LockMode};
use selvedge_symbolic::threads::{NodeId, Universe};

/// The locks in static memory that are held alone, by place; places without any are left out.
#[derive(Debug, Default)]
pub struct Exclusion {
    held: BTreeMap<At, Vec<usize>>,
}

impl Exclusion {
    /// # Errors
    /// If there is no time.
    pub fn of(facts: &Facts, universe: &Universe<'_>) -> Result<Exclusion, Exhausted> {
        let locksets = facts.locksets()?;
        let mut names: Vec<(&Expr, LockFamily)> = Vec::new();
        let mut held: BTreeMap<At, Vec<usize>> = BTreeMap::new();
        for (template, (_, unfolded)) in universe.templates.iter().enumerate() {
            for (node, place) in unfolded.nodes.iter().enumerate() {
                let at = CodeLocation { function: place.function, location: place.location };
                for (name, mode) in locksets.held(at) {
                    if mode != LockMode::Exclusive || !name.is_global() {
                        continue;
                    }
                    let named = (&name.address, name.family);
                    let number = names.iter().position(|known| *known == named).unwrap_or_else(|| {
                        names.push(named);
                        names.len() - 1
                    });
                    held.entry((template, NodeId(node as u32))).or_default().push(number);
                }
            }
        }
        Ok(Exclusion { held })
    }

    /// Two threads of a configuration that exclude each other, by number.
    pub fn pair(&self, configuration: &Configuration) -> Option<(usize, usize)> {
        let threads = &configuration.threads;
        (0..threads.len()).find_map(|one| {
            let mine = self.held.get(&threads[one].at)?;
            let excludes = |other: &usize| {
                let theirs = self.held.get(&threads[*other].at);
                theirs.is_some_and(|theirs| theirs.iter().any(|lock| mine.contains(lock)))
            };
            (one + 1..threads.len()).find(excludes).map(|other| (one, other))
        })
    }
}
