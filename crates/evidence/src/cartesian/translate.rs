//! From an engine's sets of states to a proof that names states by the numbers that the checker gives them. Nothing
//! stands on this: what comes out is checked like what is read from a file.

use super::checker::{Explored, Names, explore, named_in};
use super::private::Private;
use super::system::{Class, System};
use super::{CartesianProof, ProductGroup, Rejected, StateSets};
use rustc_hash::FxHashMap;
use selvedge_analysis::Facts;
use selvedge_program::semantics::{Part, State};
use selvedge_program::{Budget, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl CartesianProof {
    /// The proof that some sets are. States that nobody comes to are left out.
    ///
    /// # Errors
    /// When a step leads out of the sets, or the budget is used up.
    pub fn of(program: &Program, sets: &StateSets, budget: &Budget) -> Result<CartesianProof, Rejected> {
        let facts = Facts::new(Arc::new(program.clone()), budget.clone());
        let private = Private::of(program, &facts)?;
        let system = System::new(program, &private, &sets.crowds, sets.bound, budget);
        let mut sources = Sources::of(sets);
        let Explored { system, .. } = explore(system, &mut sources)?;
        let mut shared = Vec::new();
        for number in 0..system.shared.len() {
            let components = system.components(number);
            let products = sources.find(&system, number).map(|at| sets.shared[at].products.clone());
            let mut translated = Vec::new();
            for product in products.unwrap_or_default() {
                let mut groups = Vec::new();
                for (group, (class, _)) in product.iter().zip(&components) {
                    let slots = group.slots.iter().map(|slot| sources.ours(&system, *class, slot)).collect();
                    groups.push(ProductGroup { slots, rest: sources.ours(&system, *class, &group.rest) });
                }
                translated.push(groups);
            }
            shared.push(translated);
        }
        Ok(CartesianProof { crowds: sets.crowds.clone(), bound: sets.bound, shared })
    }
}

/// Where an engine's states are found.
struct Sources<'s> {
    sets: &'s StateSets,
    by_state: FxHashMap<(&'s State, &'s [u32]), usize>,
    by_part: BTreeMap<Class, FxHashMap<&'s Part, u32>>,
    /// By our number of a shared state: theirs.
    shared: Vec<Option<usize>>,
    /// By our number of a local state: theirs.
    locals: BTreeMap<Class, Vec<Option<u32>>>,
}

impl<'s> Sources<'s> {
    fn of(sets: &'s StateSets) -> Self {
        let numbers = |parts: &'s Vec<Part>| parts.iter().enumerate().map(|(at, part)| (part, at as u32)).collect();
        let individuals =
            sets.individuals.iter().enumerate().map(|(at, parts)| (Class::Individual(at), numbers(parts)));
        let members = sets.members.iter().enumerate().map(|(at, parts)| (Class::Crowd(at), numbers(parts)));
        let states = sets.shared.iter().enumerate().map(|(at, shared)| ((&shared.state, &*shared.roles), at));
        Sources {
            sets,
            by_state: states.collect(),
            by_part: individuals.chain(members).collect(),
            shared: Vec::new(),
            locals: BTreeMap::new(),
        }
    }

    /// Which of their shared states one of ours is.
    fn find(&mut self, system: &System<'_, '_>, shared: usize) -> Option<usize> {
        while self.shared.len() <= shared {
            let here = system.shared.value(self.shared.len() as u32);
            self.shared.push(self.by_state.get(&(&here.state, &*here.roles)).copied());
        }
        self.shared[shared]
    }

    /// Our numbers of those of their local states that we have come to.
    fn ours(&mut self, system: &System<'_, '_>, class: Class, theirs: &BTreeSet<u32>) -> BTreeSet<u32> {
        let (Some(numbers), Some(known)) = (self.by_part.get(&class), system.locals(class)) else {
            return BTreeSet::new();
        };
        let translated = self.locals.entry(class).or_default();
        while translated.len() < known.len() {
            translated.push(numbers.get(known.value(translated.len() as u32)).copied());
        }
        let is_theirs = |number: &u32| translated[*number as usize].is_some_and(|their| theirs.contains(&their));
        (0..known.len() as u32).filter(is_theirs).collect()
    }
}

impl Names for Sources<'_> {
    fn has(&mut self, system: &System<'_, '_>, shared: usize) -> bool {
        self.find(system, shared).is_some()
    }

    fn named(&mut self, system: &System<'_, '_>, shared: usize) -> Vec<BTreeSet<u32>> {
        let Some(at) = self.find(system, shared) else { return Vec::new() };
        let theirs = named_in(&self.sets.shared[at].products);
        let components = system.components(shared);
        let ours = |((class, _), set): (&(Class, _), &BTreeSet<u32>)| self.ours(system, *class, set);
        components.iter().zip(&theirs).map(ours).collect()
    }
}
