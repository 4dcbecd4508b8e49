//! The checker of certificates. It proves a set of states inductive and free of errors with one abstract post.
//!
//! It takes nothing from the run that found the certificate but the certificate. Every step of every local state is
//! computed anew by the concrete semantics on states put together from the certificate's parts; and whether what comes
//! of it is covered is decided here, on sorted sets and by going through all ways to pair threads off, not by the
//! domain's own operations.

use std::collections::BTreeSet;
use std::sync::Arc;

use selvedge_analysis::{AbstractObject, Facts};
use selvedge_evidence::subject::object_at;
use selvedge_evidence::{CartesianProof, ProductGroup, SharedStates, Subject};
use selvedge_program::{Budget, Exhausted, FrameObjectId, FunctionId, ObjectId, Program, Property, SiteId};
use thiserror::Error;

use crate::domain::{Count, Fixpoint, Group, Move, Shared};
use crate::privacy::Privacy;
use crate::program::{At, GivenUp, ProgramSystem};
use crate::split::{Crowds, IDLE, SharedState};
use crate::step::Wrong;

/// What a certificate is to prove.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Claims {
    /// The properties. Undefined behaviour is excluded in any case.
    pub properties: Vec<Property>,
    /// Assertions that nothing is claimed about.
    pub but_assertions: BTreeSet<selvedge_program::CheckId>,
    /// Objects of which it is not claimed that there are no races.
    pub but_races: BTreeSet<AbstractObject>,
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejected {
    /// It does not fit the program.
    #[error("the certificate is malformed: {0}")]
    Malformed(String),
    /// A step leads out of the set.
    #[error("the set is not inductive: a step from shared state {from} leads out of it")]
    NotInductive {
        /// From where.
        from: u32,
    },
    /// There was no time to check it.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// The set contains an error.
    #[error("the set contains an error at shared state {at}: {what}")]
    Unsafe {
        /// Where.
        at: u32,
        /// What.
        what: String,
    },
}

/// The objects that there could be races on.
pub fn objects(program: &Program) -> impl Iterator<Item = AbstractObject> {
    let statics = (0..program.objects.len()).map(|index| AbstractObject::Static(ObjectId::new(index)));
    let locals = program.functions.iter().enumerate().flat_map(|(index, function)| {
        let local = move |local| AbstractObject::Frame(FunctionId::new(index), FrameObjectId::new(local));
        (0..function.frame.len()).map(local)
    });
    let sites = (0..program.sites.len()).map(|site| AbstractObject::Site(SiteId::new(site)));
    statics.chain(locals).chain(sites).chain([AbstractObject::Thread])
}

/// The certificate of a fixpoint.
pub fn certificate(system: &ProgramSystem<'_, '_>, fixpoint: &Fixpoint, bound: Option<u64>) -> CartesianProof {
    let group = |group: &Group| ProductGroup {
        slots: group.slots.iter().map(|slot| slot.iter().collect()).collect(),
        rest: group.rest.iter().collect(),
    };
    let shared = (0..system.splitter.shared.len()).map(|index| {
        let SharedState { state, roles } = system.splitter.shared.value(index as u32).clone();
        let products = fixpoint.nodes.get(index).map(|node| node.products(fixpoint.kept)).unwrap_or_default();
        let products = products.iter().map(|product| product.iter().map(group).collect()).collect();
        SharedStates { state, roles, products }
    });
    CartesianProof {
        crowds: system.splitter.crowds.entries.clone(),
        bound,
        shared: shared.collect(),
        locals: system.splitter.locals.iter().map(|class| class.values().cloned().collect()).collect(),
    }
}

/// Why a certificate is not accepted whose states cannot be gone through.
fn given_up(stop: GivenUp) -> Rejected {
    match stop {
        GivenUp::Exhausted(limit) => Rejected::Exhausted(limit),
        stop => Rejected::Malformed(format!("{stop:?}")),
    }
}

/// Checks a certificate.
///
/// # Errors
/// When it does not prove what is claimed.
pub fn certify(program: &Program, proof: &CartesianProof, claims: &Claims, budget: &Budget) -> Result<(), Rejected> {
    let facts = Facts::new(Arc::new(program.clone()), budget.clone());
    let privacy = Privacy::of(&facts)?;
    let count = proof.bound.map_or(Count::Unbounded, Count::Exactly);
    let mut system = ProgramSystem::new(program, &privacy, Crowds { entries: proof.crowds.clone(), count }, budget);
    adopt(&mut system, proof)?;
    let mut checker = Checker { system, proof, claims };
    checker.starts()?;
    for from in 0..proof.shared.len() as u32 {
        for product in &proof.shared[from as usize].products {
            budget.check()?;
            checker.races(from, product)?;
            for (component, group) in product.iter().enumerate() {
                let rest = checker.has_rest(from, component, group)?.then_some(group.slots.len());
                for position in (0..group.slots.len()).chain(rest) {
                    for local in group.slots.get(position).unwrap_or(&group.rest) {
                        checker.step(from, product, component, position, *local)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Gives the certificate's states the numbers that they have in it.
fn adopt(system: &mut ProgramSystem<'_, '_>, proof: &CartesianProof) -> Result<(), Rejected> {
    let malformed = |what: &str| Rejected::Malformed(what.to_owned());
    for (index, shared) in proof.shared.iter().enumerate() {
        if shared.roles.len() > shared.state.thread_count() {
            return Err(malformed("more roles than threads"));
        }
        let state = SharedState { state: shared.state.clone(), roles: shared.roles.clone() };
        if system.splitter.shared.number(state) != index as u32 {
            return Err(malformed("a shared state occurs twice"));
        }
    }
    if proof.locals.len() != system.splitter.locals.len() {
        return Err(malformed("the number of classes"));
    }
    for (class, parts) in proof.locals.iter().enumerate() {
        for (index, part) in parts.iter().enumerate() {
            if system.splitter.locals[class].number(part.clone()) != index as u32 {
                return Err(malformed("a local state occurs twice"));
            }
        }
    }
    for (index, shared) in proof.shared.iter().enumerate() {
        let components = system.components_of(Shared(index as u32));
        for product in &shared.products {
            let fits = product.len() == components.len();
            let known = |(group, component): (&ProductGroup, &crate::domain::Component)| {
                let known = proof.locals[component.class as usize].len() as u32;
                group.slots.iter().chain([&group.rest]).flatten().all(|local| *local < known)
            };
            if !fits || !product.iter().zip(&components).all(known) {
                return Err(malformed("a product does not fit its shared state"));
            }
        }
    }
    Ok(())
}

struct Checker<'c, 'a, 'p> {
    system: ProgramSystem<'a, 'p>,
    proof: &'c CartesianProof,
    claims: &'c Claims,
}

type Sets = Vec<ProductGroup>;

impl Checker<'_, '_, '_> {
    fn count(&self, shared: u32, component: usize) -> Count {
        self.system.components_of(Shared(shared))[component].count
    }

    /// Whether a group has threads that are not told apart.
    fn has_rest(&self, shared: u32, component: usize, group: &ProductGroup) -> Result<bool, Rejected> {
        match self.count(shared, component).minus(group.slots.len()) {
            None => Err(Rejected::Malformed("more slots than threads".to_owned())),
            Some(left) => Ok(left != Count::Exactly(0)),
        }
    }

    /// The initial states are in the set, and nothing fails before them.
    fn starts(&mut self) -> Result<(), Rejected> {
        let starts = self.system.starts().map_err(given_up)?;
        let faults: Vec<Wrong> = self.system.initial_faults.iter().map(|(fault, _)| fault.clone()).collect();
        faults.iter().try_for_each(|fault| self.tolerate(0, fault))?;
        for (shared, local) in starts {
            let components = if (shared.0 as usize) < self.proof.shared.len() {
                self.system.components_of(shared)
            } else {
                Vec::new()
            };
            let groups = components.iter().enumerate().map(|(component, facts)| {
                let set = BTreeSet::from([if component == 0 { local } else { IDLE }]);
                match facts.count {
                    Count::Exactly(1) => ProductGroup { slots: vec![set], rest: BTreeSet::new() },
                    _ => ProductGroup { slots: Vec::new(), rest: set },
                }
            });
            let product: Sets = groups.collect();
            if product.is_empty() || !self.is_covered(shared.0, product) {
                return Err(Rejected::NotInductive { from: shared.0 });
            }
        }
        Ok(())
    }

    /// Every step of one thread of a product stays in the set, and none fails.
    fn step(
        &mut self,
        from: u32,
        product: &Sets,
        component: usize,
        position: usize,
        local: u32,
    ) -> Result<(), Rejected> {
        let at = At { shared: Shared(from), component, local };
        let moves = self.system.moves_of(at).map_err(given_up)?.to_vec();
        for fault in self.system.faults.get(&at).cloned().into_iter().flatten() {
            self.tolerate(from, &fault)?;
        }
        for made in moves {
            if made.target.0 as usize >= self.proof.shared.len() {
                return Err(Rejected::NotInductive { from });
            }
            for after in self.after(from, product, component, position, &made)? {
                if !self.is_covered(made.target.0, after) {
                    return Err(Rejected::NotInductive { from });
                }
            }
        }
        Ok(())
    }

    /// A failure is an error unless nothing is claimed about it.
    fn tolerate(&self, at: u32, fault: &Wrong) -> Result<(), Rejected> {
        match fault {
            Wrong::Violation(Subject::Assertion(check))
                if !self.claims.properties.contains(&Property::Assertion)
                    || self.claims.but_assertions.contains(check) =>
            {
                Ok(())
            }
            fault => Err(Rejected::Unsafe { at, what: format!("{fault:?}") }),
        }
    }

    /// The products after a move of the thread at a position, by which idle thread it starts, if it starts one.
    fn after(
        &self,
        from: u32,
        product: &Sets,
        component: usize,
        position: usize,
        made: &Move,
    ) -> Result<Vec<Sets>, Rejected> {
        let mut next: Sets = vec![ProductGroup::default(); self.system.components_of(made.target).len()];
        for (index, group) in product.iter().enumerate() {
            let mut group = group.clone();
            let mut told_apart = group.slots.len();
            if index == component {
                if position < group.slots.len() {
                    group.slots.remove(position);
                } else {
                    told_apart += 1;
                }
            }
            let has_rest = self.count(from, index).minus(told_apart) != Some(Count::Exactly(0));
            if !group.slots.is_empty() || has_rest {
                let into = &mut next[made.carry.of(index)];
                into.slots.append(&mut group.slots);
                if has_rest {
                    into.rest.append(&mut group.rest);
                }
            }
        }
        let mut found = Vec::new();
        match made.start {
            None => found.push(next),
            Some(start) => {
                let mut begin = |mut next: Sets| {
                    next[start.component].slots.push(BTreeSet::from([start.local]));
                    found.push(next);
                };
                match start.pool {
                    None => begin(next),
                    Some((pool, idle)) => {
                        for slot in (0..next[pool].slots.len()).filter(|slot| next[pool].slots[*slot].contains(&idle)) {
                            let mut next = next.clone();
                            next[pool].slots.remove(slot);
                            begin(next);
                        }
                        if next[pool].rest.contains(&idle) {
                            begin(next);
                        }
                    }
                }
            }
        }
        for next in &mut found {
            next[made.component].slots.push(BTreeSet::from([made.local]));
        }
        Ok(found)
    }

    /// Whether a product is within the set at a shared state: within one product of it, or it is after others that
    /// contain all threads but one have taken from that one what they have for it.
    fn is_covered(&self, shared: u32, mut product: Sets) -> bool {
        let counts: Vec<Count> = self.system.components_of(Shared(shared)).iter().map(|facts| facts.count).collect();
        if product.iter().zip(&counts).any(|(group, count)| count.minus(group.slots.len()).is_none()) {
            // More threads than there are: no such state.
            return true;
        }
        loop {
            let mut changed = false;
            for other in &self.proof.shared[shared as usize].products {
                let mut wrong = Vec::new();
                for (index, count) in counts.iter().enumerate() {
                    let fits = fits(&product[index], &other[index], *count);
                    if !fits.iter().any(|fit| fit.is_none()) {
                        wrong.push((index, fits));
                    }
                }
                match wrong.as_slice() {
                    [] => return true,
                    [(index, fits)] => {
                        for (position, set) in fits.iter().flatten() {
                            let group = &mut product[*index];
                            let mine = group.slots.get_mut(*position).unwrap_or(&mut group.rest);
                            let before = mine.len();
                            mine.retain(|local| !set.contains(local));
                            changed |= mine.len() < before;
                            if mine.is_empty() {
                                return true;
                            }
                        }
                    }
                    _ => {}
                }
            }
            if !changed {
                return false;
            }
        }
    }

    /// No two threads of a product race.
    fn races(&mut self, shared: u32, product: &Sets) -> Result<(), Rejected> {
        if !self.claims.properties.contains(&Property::Race) {
            return Ok(());
        }
        let mut threads: Vec<(usize, &BTreeSet<u32>)> = Vec::new();
        for (component, group) in product.iter().enumerate() {
            threads.extend(group.slots.iter().map(|slot| (component, slot)));
            // Two of the rest stand for any two.
            let left = match self.count(shared, component).minus(group.slots.len()) {
                Some(Count::Exactly(left)) => left.min(2) as usize,
                _ => 2,
            };
            threads.extend(std::iter::repeat_n((component, &group.rest), left));
        }
        let mut accesses = Vec::new();
        for (component, locals) in threads {
            let mut mine = BTreeSet::new();
            for local in locals {
                mine.extend(
                    self.system.accesses_of(At { shared: Shared(shared), component, local: *local }).iter().copied(),
                );
            }
            accesses.push(mine);
        }
        let state = &self.proof.shared[shared as usize].state;
        for (position, mine) in accesses.iter().enumerate() {
            for theirs in &accesses[position + 1..] {
                for first in mine {
                    let object = object_at(state, first.spot);
                    if object.is_some_and(|object| self.claims.but_races.contains(&object)) {
                        continue;
                    }
                    if theirs.iter().any(|second| first.races_with(second)) {
                        return Err(Rejected::Unsafe { at: shared, what: format!("a race on {object:?}") });
                    }
                }
            }
        }
        Ok(())
    }
}

/// All ways to take the threads of one group for those of another in which at most one thread is in the wrong set:
/// `None` where none is, otherwise its position (that of the rest is after the slots) and the set it should be in.
fn fits(mine: &ProductGroup, theirs: &ProductGroup, count: Count) -> Vec<Option<(usize, BTreeSet<u32>)>> {
    let told_apart = mine.slots.len() + theirs.slots.len() + 2;
    let threads = match count {
        Count::Exactly(count) => usize::try_from(count).map_or(told_apart, |count| count.min(told_apart)),
        Count::Unbounded => told_apart,
    };
    let mut found = Vec::new();
    pair_off(mine, theirs, threads, 0, &mut vec![false; theirs.slots.len()], None, &mut found);
    found
}

/// Gives the threads from the given one on a slot of theirs, or their rest.
fn pair_off(
    mine: &ProductGroup,
    theirs: &ProductGroup,
    threads: usize,
    thread: usize,
    used: &mut Vec<bool>,
    wrong: Option<(usize, &BTreeSet<u32>)>,
    found: &mut Vec<Option<(usize, BTreeSet<u32>)>>,
) {
    if found.iter().any(Option::is_none) {
        return;
    }
    if thread == threads {
        if used.iter().all(|used| *used) {
            found.push(wrong.map(|(position, set)| (position, set.clone())));
        }
        return;
    }
    let set = mine.slots.get(thread).unwrap_or(&mine.rest);
    for slot in 0..=theirs.slots.len() {
        if slot < theirs.slots.len() && used[slot] {
            continue;
        }
        let their = theirs.slots.get(slot).unwrap_or(&theirs.rest);
        let now = match wrong {
            wrong if set.is_subset(their) => wrong,
            None => Some((thread.min(mine.slots.len()), their)),
            Some(_) => continue,
        };
        if slot < theirs.slots.len() {
            used[slot] = true;
        }
        pair_off(mine, theirs, threads, thread + 1, used, now, found);
        if slot < theirs.slots.len() {
            used[slot] = false;
        }
    }
}
