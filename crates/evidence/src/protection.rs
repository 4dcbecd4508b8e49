//! Proofs by protection, and their checker: no two threads race on an object because every access that is made while
//! other threads may be there is a read, or is made with a certain lock held. For any number of threads and programs of
//! any size: nothing is unfolded, and every edge of every function is looked at once.
//!
//! A proof annotates locations: whether other threads may have been started, and of each lock how the thread at least
//! holds it there. The annotation is checked like an inductive invariant, edge by edge ([`rules`]). Covered are static
//! objects whose address is only used to access them, under locks of the library in such objects ([`direct`]); about
//! everything else nothing is claimed. The checker knows the program and what its marks promise
//! ([`selvedge_program::Operation`]), and nothing of `analysis`.
//!
//! **Why it holds.** An object whose address goes nowhere is accessed only where it is named, if no value comes out of
//! nothing as an address. A lock that such an object holds is changed only where it is named, too. Whoever takes it
//! alone took it from nobody, and only he gives it back. Who takes it for reading adds himself to the readers; that
//! nobody else takes him off them, the rules see to: it is given back for reading only where it is held. Overwritten
//! (initialised, copied) it is only where no other thread was ever started. A static object never dies. So what the
//! annotation says to be held is held, and two accesses that exclude each other's locks are never made at once.

mod direct;
mod rules;
mod text;

use std::collections::BTreeMap;

use selvedge_program::{Budget, Exhausted, LockKind, LockMode, ObjectId, Program};
use thiserror::Error;

pub use rules::Flaw;
use rules::Rules;

/// A lock of the library in a static object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lock {
    pub object: ObjectId,
    pub offset: i64,
    pub kind: LockKind,
}

/// Why nothing races on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    /// It is only read while other threads may be there.
    ReadOnly,
    /// This lock is held at every access while other threads may be there: alone, or for reading where it is read.
    Guarded(Lock),
}

/// Where a lock is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// By function and location: how a thread there at least holds it, if it does.
    pub at: Vec<Vec<Option<LockMode>>>,
    /// By function: whether it gives the lock up nowhere, nor does what it calls.
    pub keeps: Vec<bool>,
}

/// A proof.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ProtectionProof {
    /// By function and location: whether other threads may have been started when a thread is there.
    pub company: Vec<Vec<bool>>,
    pub held: BTreeMap<Lock, Held>,
    pub objects: BTreeMap<ObjectId, Protection>,
}

/// Why a proof does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("it does not fit the program")]
    Foreign,
    #[error("the program has something that is not modelled, or addresses out of nothing")]
    Inapplicable,
    #[error("nothing is said of the object")]
    Unsaid(ObjectId),
    #[error("the address of the object goes elsewhere")]
    Indirect(ObjectId),
    #[error("an access to the object is not protected")]
    Unprotected(ObjectId),
    #[error("what is said of a location does not follow")]
    Flaw,
    #[error("there was no time to check it: {0}")]
    Exhausted(#[from] Exhausted),
}

/// Whether a program can have such proofs at all, and of which objects and locks.
#[derive(Debug)]
pub struct Ground<'p> {
    rules: Rules<'p>,
    is_direct: Vec<bool>,
}

impl<'p> Ground<'p> {
    /// `None` where nothing can be proved so.
    pub fn of(program: &'p Program) -> Option<Ground<'p>> {
        let is_direct = direct::direct(program)?;
        Some(Ground { rules: Rules::of(program)?, is_direct })
    }

    /// Whether an object is accessed only where it is named.
    pub fn is_direct(&self, object: ObjectId) -> bool {
        self.is_direct.get(object.index()).copied().unwrap_or(false)
    }

    /// The locks that are taken by name.
    pub fn locks(&self) -> Vec<Lock> {
        self.rules.locks().into_iter().filter(|lock| self.is_direct(lock.object)).collect()
    }

    /// The rules that annotations are to follow.
    pub fn rules(&self) -> &Rules<'p> {
        &self.rules
    }

    /// How an object is protected, if it is by this, as an annotation says.
    pub fn is_protected(&self, proof: &ProtectionProof, object: ObjectId, by: Protection) -> bool {
        let held = match by {
            Protection::ReadOnly => None,
            Protection::Guarded(lock) => match proof.held.get(&lock) {
                Some(held) if self.is_direct(lock.object) => Some(held),
                _ => return false,
            },
        };
        self.is_direct(object) && self.rules.are_protected(&proof.company, held, object)
    }
}

/// Checks that a proof shows that nothing races on some objects.
///
/// # Errors
/// When it does not, or the budget is used up.
pub fn certify(
    program: &Program,
    proof: &ProtectionProof,
    claimed: &[ObjectId],
    budget: &Budget,
) -> Result<(), Refusal> {
    let ground = Ground::of(program).ok_or(Refusal::Inapplicable)?;
    if !fits(program, &proof.company) {
        return Err(Refusal::Foreign);
    }
    let mut is_flawed = false;
    ground.rules.company(&proof.company, &mut |_| is_flawed = true);
    for (lock, held) in &proof.held {
        budget.check()?;
        if !fits(program, &held.at) || held.keeps.len() != program.functions.len() || !ground.is_direct(lock.object) {
            return Err(Refusal::Foreign);
        }
        ground.rules.held(*lock, held, &proof.company, &mut |_| is_flawed = true);
    }
    if is_flawed {
        return Err(Refusal::Flaw);
    }
    for object in claimed {
        budget.check()?;
        let by = proof.objects.get(object).ok_or(Refusal::Unsaid(*object))?;
        if !ground.is_direct(*object) {
            return Err(Refusal::Indirect(*object));
        }
        if !ground.is_protected(proof, *object, *by) {
            return Err(Refusal::Unprotected(*object));
        }
    }
    Ok(())
}

/// Whether something is said of every location of every function.
fn fits<T>(program: &Program, said: &[Vec<T>]) -> bool {
    let sizes = program.functions.iter().map(|function| function.locations.len());
    said.len() == program.functions.len() && sizes.zip(said).all(|(size, said)| size == said.len())
}
