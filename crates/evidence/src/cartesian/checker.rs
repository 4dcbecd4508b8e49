//! Whether a set of states is inductive and free of errors: one step of every local state of every product, by the
//! concrete semantics. What comes of it is compared with the set on sorted sets, by going through all ways to pair
//! threads off.

use super::private::Private;
use super::system::{Beginning, Fault, Move, Number, System};
use super::{CartesianProof, IDLE, Product, ProductGroup, Rejected};
use crate::modular::Shown;
use crate::subject::object_at;
use crate::{Certificate, Subject};
use selvedge_analysis::Facts;
use selvedge_program::{Budget, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A thread of a component, in a local state at a shared state.
type At = (usize, usize, u32);

/// Checks a proof: that it shows this of the program, and that nothing undefined happens in any case.
///
/// # Errors
/// When it does not, or the budget is used up.
pub fn certify(program: &Program, proof: &CartesianProof, shown: &Shown<'_>, budget: &Budget) -> Result<(), Rejected> {
    let facts = Facts::new(Arc::new(program.clone()), budget.clone());
    let private = Private::of(program, &facts)?;
    let system = System::new(program, &private, &proof.crowds, proof.bound, budget);
    let Explored { system, begin, moves } = explore(system, &mut ByNumber(proof))?;
    let checker = Checker { system, proof, moves, shown, budget };
    checker.fits()?;
    checker.begins(begin)?;
    for (from, products) in proof.shared.iter().enumerate() {
        for product in products {
            budget.check()?;
            checker.races(from, product)?;
            for (component, group) in product.iter().enumerate() {
                let rest = checker.has_rest(from, component, group.slots.len()).then_some(group.slots.len());
                for position in (0..group.slots.len()).chain(rest) {
                    for local in group.slots.get(position).unwrap_or(&group.rest) {
                        checker.step((from, component, *local), product, position)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Whether a certificate is one that holds for every number of threads: one in which those of a function that is
/// started more than once are not told apart.
pub fn is_for_any_number(program: &Program, certificate: &Certificate, budget: &Budget) -> bool {
    let Certificate::Cartesian(proof) = certificate else { return false };
    let facts = Facts::new(Arc::new(program.clone()), budget.clone());
    let replicated = Private::of(program, &facts).map(|private| private.replicated);
    replicated.is_ok_and(|replicated| {
        !replicated.is_empty() && replicated.iter().all(|function| proof.crowds.contains(function))
    })
}

/// The local states that products name, by component.
pub fn named_in(products: &[Product]) -> Vec<BTreeSet<u32>> {
    let mut named = vec![BTreeSet::new(); products.iter().map(Vec::len).max().unwrap_or(0)];
    for product in products {
        for (group, named) in product.iter().zip(&mut named) {
            group.slots.iter().chain([&group.rest]).for_each(|set| named.extend(set));
        }
    }
    named
}

/// A set of states, as far as one steps through it.
pub trait Names {
    /// Whether it has a shared state.
    fn has(&mut self, system: &System<'_, '_>, shared: usize) -> bool;

    /// The local states that it names there, by component; those that have been come to.
    fn named(&mut self, system: &System<'_, '_>, shared: usize) -> Vec<BTreeSet<u32>>;
}

/// Those of a proof.
struct ByNumber<'c>(&'c CartesianProof);

impl Names for ByNumber<'_> {
    fn has(&mut self, _: &System<'_, '_>, shared: usize) -> bool {
        shared < self.0.shared.len()
    }

    fn named(&mut self, _: &System<'_, '_>, shared: usize) -> Vec<BTreeSet<u32>> {
        self.0.shared.get(shared).map(|products| named_in(products)).unwrap_or_default()
    }
}

/// Everything that the local states named in a set lead to.
pub struct Explored<'a, 'p> {
    pub system: System<'a, 'p>,
    begin: Beginning,
    moves: BTreeMap<At, (Vec<Move>, Vec<Fault>)>,
}

/// Steps from the beginning through the local states that are named at each shared state, in one order for all: this
/// gives shared and local states their numbers.
pub fn explore<'a, 'p>(mut system: System<'a, 'p>, names: &mut dyn Names) -> Result<Explored<'a, 'p>, Rejected> {
    let begin = system.begin()?;
    if begin.states.iter().any(|(shared, _)| !names.has(&system, *shared)) {
        return Err(Rejected::Beginning);
    }
    let mut moves = BTreeMap::new();
    loop {
        let before = moves.len();
        let mut shared = 0;
        while shared < system.shared.len() {
            // Those that have been come to by now, whoever names them.
            let mut here = names.named(&system, shared);
            for ((class, _), locals) in system.components(shared).into_iter().zip(&mut here) {
                let known = system.locals(class).map_or(0, |known| known.len());
                locals.retain(|local| (*local as usize) < known);
            }
            for (component, locals) in here.into_iter().enumerate() {
                for local in locals {
                    let at = (shared, component, local);
                    if moves.contains_key(&at) {
                        continue;
                    }
                    let made = system.moves(shared, component, local)?;
                    if made.0.iter().any(|made| !names.has(&system, made.target)) {
                        return Err(Rejected::NotInductive { from: shared });
                    }
                    moves.insert(at, made);
                }
            }
            shared += 1;
        }
        if moves.len() == before {
            return Ok(Explored { system, begin, moves });
        }
    }
}

struct Checker<'c, 'a, 'p> {
    system: System<'a, 'p>,
    proof: &'c CartesianProof,
    moves: BTreeMap<At, (Vec<Move>, Vec<Fault>)>,
    shown: &'c Shown<'c>,
    budget: &'c Budget,
}

impl Checker<'_, '_, '_> {
    /// Every product is one of the threads of its shared state, in local states that somebody comes to.
    fn fits(&self) -> Result<(), Rejected> {
        let malformed = |what: &str| Err(Rejected::Malformed(what.to_owned()));
        if self.proof.shared.len() > self.system.shared.len() {
            return malformed("a shared state that nobody comes to");
        }
        for (shared, products) in self.proof.shared.iter().enumerate() {
            let components = self.system.components(shared);
            for product in products {
                if product.len() != components.len() {
                    return malformed("a product with more or fewer components than there are");
                }
                for (group, (_, number)) in product.iter().zip(&components) {
                    if left(*number, group.slots.len()).is_none() {
                        return malformed("more sets than threads");
                    }
                }
            }
            for (component, locals) in named_in(products).into_iter().enumerate() {
                if locals.into_iter().any(|local| !self.moves.contains_key(&(shared, component, local))) {
                    return malformed("a local state that nobody comes to");
                }
            }
        }
        Ok(())
    }

    fn number(&self, shared: usize, component: usize) -> Number {
        self.system.components(shared)[component].1
    }

    /// Whether a component has threads beside so many.
    fn has_rest(&self, shared: usize, component: usize, apart: usize) -> bool {
        left(self.number(shared, component), apart) != Some(Some(0))
    }

    /// The initial states are in the set, and nothing fails before them.
    fn begins(&self, Beginning { states, faults }: Beginning) -> Result<(), Rejected> {
        faults.iter().try_for_each(|fault| self.tolerate(0, fault))?;
        for (shared, local) in states {
            let components = self.system.components(shared);
            let group = |(component, (_, number)): (usize, &(_, Number))| {
                let set = BTreeSet::from([if component == 0 { local } else { IDLE }]);
                match number {
                    Some(1) => ProductGroup { slots: vec![set], rest: BTreeSet::new() },
                    _ => ProductGroup { slots: Vec::new(), rest: set },
                }
            };
            if !self.is_covered(shared, components.iter().enumerate().map(group).collect())? {
                return Err(Rejected::Beginning);
            }
        }
        Ok(())
    }

    /// Every step of the thread at a position of a product stays in the set, and none fails.
    fn step(&self, at: At, product: &Product, position: usize) -> Result<(), Rejected> {
        let (moves, faults) = &self.moves[&at];
        faults.iter().try_for_each(|fault| self.tolerate(at.0, fault))?;
        for made in moves {
            for after in self.after(at, product, position, made) {
                if !self.is_covered(made.target, after)? {
                    return Err(Rejected::NotInductive { from: at.0 });
                }
            }
        }
        Ok(())
    }

    /// A failure is an error, unless it is an assertion of which nothing is to be shown.
    fn tolerate(&self, at: usize, fault: &Fault) -> Result<(), Rejected> {
        match fault {
            Fault::Violation(Subject::Assertion(check)) if !(self.shown.assertions)(*check) => Ok(()),
            Fault::Violation(subject) => Err(Rejected::Unsafe { at, what: format!("{subject:?}") }),
            Fault::Unsupported(what) => Err(Rejected::Unsafe { at, what: what.clone() }),
        }
    }

    /// The products after a move of the thread at a position; by which waiting thread it starts, if it starts one.
    fn after(&self, (from, component, _): At, product: &Product, position: usize, made: &Move) -> Vec<Product> {
        let mut next: Product = vec![ProductGroup::default(); self.system.components(made.target).len()];
        for (index, group) in product.iter().enumerate() {
            let mut group = group.clone();
            let mut apart = group.slots.len();
            if index == component {
                if position < group.slots.len() {
                    group.slots.remove(position);
                } else {
                    apart += 1;
                }
            }
            let has_rest = self.has_rest(from, index, apart);
            if !group.slots.is_empty() || has_rest {
                let into = &mut next[made.carry[index]];
                into.slots.append(&mut group.slots);
                if has_rest {
                    into.rest.append(&mut group.rest);
                }
            }
        }
        let mut all = match made.born {
            None => vec![next],
            Some(born) => {
                let begun = |mut next: Product| {
                    next[born.component].slots.push(BTreeSet::from([born.local]));
                    next
                };
                match born.pool {
                    None => vec![begun(next)],
                    Some(pool) => {
                        let waiting =
                            (0..next[pool].slots.len()).filter(|slot| next[pool].slots[*slot].contains(&IDLE));
                        let told_apart = waiting.map(|slot| {
                            let mut next = next.clone();
                            next[pool].slots.remove(slot);
                            begun(next)
                        });
                        let mut all: Vec<Product> = told_apart.collect();
                        all.extend(next[pool].rest.contains(&IDLE).then(|| begun(next.clone())));
                        all
                    }
                }
            }
        };
        for next in &mut all {
            next[made.mover.0].slots.push(BTreeSet::from([made.mover.1]));
        }
        all
    }

    /// Whether a product is within the set at a shared state: within one product of it, or it is after others that
    /// contain all threads but one have taken from that one what they have for it.
    fn is_covered(&self, shared: usize, mut product: Product) -> Result<bool, Rejected> {
        let numbers: Vec<Number> = self.system.components(shared).into_iter().map(|(_, number)| number).collect();
        if product.iter().zip(&numbers).any(|(group, number)| left(*number, group.slots.len()).is_none()) {
            // More threads than there are: no such state.
            return Ok(true);
        }
        loop {
            let mut has_changed = false;
            for other in &self.proof.shared[shared] {
                let mut wrong = Vec::new();
                for (index, number) in numbers.iter().enumerate() {
                    let fits = Pairing::of(&product[index], &other[index], *number, self.budget)?;
                    if !fits.iter().any(Option::is_none) {
                        wrong.push((index, fits));
                    }
                }
                match wrong.as_slice() {
                    [] => return Ok(true),
                    [(index, fits)] => {
                        for (position, set) in fits.iter().flatten() {
                            let group = &mut product[*index];
                            let mine = group.slots.get_mut(*position).unwrap_or(&mut group.rest);
                            let before = mine.len();
                            mine.retain(|local| !set.contains(local));
                            has_changed |= mine.len() < before;
                            if mine.is_empty() {
                                return Ok(true);
                            }
                        }
                    }
                    _ => {}
                }
            }
            if !has_changed {
                return Ok(false);
            }
        }
    }

    /// No two threads of a product race.
    fn races(&self, shared: usize, product: &Product) -> Result<(), Rejected> {
        let mut threads: Vec<(usize, &BTreeSet<u32>)> = Vec::new();
        for (component, group) in product.iter().enumerate() {
            threads.extend(group.slots.iter().map(|slot| (component, slot)));
            // Two of the rest stand for any two.
            let rest = match left(self.number(shared, component), group.slots.len()) {
                Some(Some(rest)) => rest.min(2) as usize,
                _ => 2,
            };
            threads.extend(std::iter::repeat_n((component, &group.rest), rest));
        }
        let accesses: Vec<BTreeSet<_>> = threads
            .into_iter()
            .map(|(component, locals)| {
                locals.iter().flat_map(|local| self.system.accesses(shared, component, *local)).collect()
            })
            .collect();
        let state = &self.system.shared.value(shared as u32).state;
        for (position, mine) in accesses.iter().enumerate() {
            for theirs in &accesses[position + 1..] {
                for first in mine {
                    let object = object_at(state, first.spot);
                    let is_shown = object.is_none_or(|object| (self.shown.races)(object));
                    if is_shown && theirs.iter().any(|second| first.races_with(second)) {
                        return Err(Rejected::Unsafe { at: shared, what: format!("a race on {object:?}") });
                    }
                }
            }
        }
        Ok(())
    }
}

/// How many threads are left when so many are told apart: any number, so many, or there are not as many.
fn left(number: Number, apart: usize) -> Option<Number> {
    match number {
        None => Some(None),
        Some(number) => number.checked_sub(apart as u64).map(Some),
    }
}

/// A way to take threads for others: the thread that is in the wrong set, and the set it should be in, if there is one.
type Fit = Option<(usize, BTreeSet<u32>)>;

/// Taking the threads of one group for those of another.
struct Pairing<'s> {
    mine: &'s ProductGroup,
    theirs: &'s ProductGroup,
    threads: usize,
    used: Vec<bool>,
    found: Vec<Fit>,
    budget: &'s Budget,
}

impl<'s> Pairing<'s> {
    /// All ways in which at most one thread is in the wrong set: `None` where none is, otherwise its position (that of
    /// the rest is after the slots) and the set it should be in.
    fn of(
        mine: &'s ProductGroup,
        theirs: &'s ProductGroup,
        number: Number,
        budget: &'s Budget,
    ) -> Result<Vec<Fit>, Rejected> {
        let apart = mine.slots.len() + theirs.slots.len() + 2;
        let threads = number.and_then(|number| usize::try_from(number).ok()).map_or(apart, |number| number.min(apart));
        let used = vec![false; theirs.slots.len()];
        let mut pairing = Pairing { mine, theirs, threads, used, found: Vec::new(), budget };
        pairing.pair_off(0, None)?;
        Ok(pairing.found)
    }

    /// Gives the threads from the given one on a slot of theirs, or their rest.
    fn pair_off(&mut self, thread: usize, wrong: Option<(usize, &'s BTreeSet<u32>)>) -> Result<(), Rejected> {
        if self.found.iter().any(Option::is_none) {
            return Ok(());
        }
        if thread == self.threads {
            if self.used.iter().all(|used| *used) {
                self.found.push(wrong.map(|(position, set)| (position, set.clone())));
            }
            return Ok(());
        }
        self.budget.check()?;
        let set = self.mine.slots.get(thread).unwrap_or(&self.mine.rest);
        for slot in 0..=self.theirs.slots.len() {
            if self.used.get(slot) == Some(&true) {
                continue;
            }
            let their = self.theirs.slots.get(slot).unwrap_or(&self.theirs.rest);
            let now = match wrong {
                wrong if set.is_subset(their) => wrong,
                None => Some((thread.min(self.mine.slots.len()), their)),
                Some(_) => continue,
            };
            if let Some(used) = self.used.get_mut(slot) {
                *used = true;
            }
            self.pair_off(thread + 1, now)?;
            if let Some(used) = self.used.get_mut(slot) {
                *used = false;
            }
        }
        Ok(())
    }
}
