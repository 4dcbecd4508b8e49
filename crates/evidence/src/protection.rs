//! Proofs by protection: nothing races on an object because, of every two accesses that would, both are never made at
//! once (one thread makes both, or one thread is not there yet or has been joined), one is made to memory that nobody
//! else knows of, or both are made with a common lock held that excludes the other. For any number of threads and
//! programs of any size: nothing is unfolded.
//!
//! A proof only names objects, and fields of objects that are not protected as a whole. The checker finds out by itself
//! what it needs, edge by edge: who runs what ([`life`]), who may be alive beside whom ([`beside`], by what joins wait
//! for, [`handles`], and loops of one course, [`rounds`], by numbers that memory keeps, [`numbers`]), which registers point to memory that is known to one thread
//! ([`fresh`]), which objects ever are ([`private`]), which elements of arrays one thread each was given ([`portions`]), which locks are held ([`held`], of elements by an index [`elements`]), what must have happened where flags are seen
//! raised ([`flags`]), and that no address comes out of nothing ([`settled`], [`written`], [`pieced`]). Each of these is an invariant: it is kept by
//! every edge of the program, in which every call of a small function has a copy of its own ([`cloned`]), without what constants
//! exclude ([`pruned`]), and without what is done with locks that are never found ([`modelled`]). What pointers may point to, `analysis` says, and [`closed`] sees whether it is true; what
//! marks of library functions promise ([`selvedge_program::Operation`]) is taken for granted. Nothing is claimed of a
//! program in which something may be reached that is not modelled ([`modelled`]). Where an address may come out of nothing, what is claimed holds if the program is defined: who uses such a
//! value as an address uses one that may be none ([`Addresses`]).
//!
//! **Why it holds.** An access is made to an object only where its address may point to it. So all accesses are looked
//! at, and it is enough that no two of them can be about to be made at once: by what is said in each of these modules.

mod accesses;
mod beside;
mod bytes;
mod cloned;
mod closed;
mod elements;
mod flags;
mod fresh;
mod handles;
mod held;
mod life;
mod lost;
mod modelled;
mod names;
mod numbers;
mod pieced;
mod portions;
mod private;
mod pruned;
mod rounds;
mod settled;
pub(crate) mod text;
mod tried;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use selvedge_analysis::{AbstractObject, Field, PointsTo};
use selvedge_program::{Budget, Edge, Exhausted, Program, Span};
use thiserror::Error;

pub use accesses::{Asked, Guard, Protection, Protections};
pub use names::Lock;

use accesses::Known;
use beside::Beside;
use cloned::Cloned;
use elements::Elements;
use flags::{Flags, Past};
use fresh::Fresh;
use held::Locksets;
use life::Life;
use names::Names;
use portions::Portions;
use private::Public;
use rounds::Courses;
use settled::Settled;

/// Where the addresses come from that a program uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Addresses {
    /// The program has made them all.
    #[default]
    Made,
    /// Some may come out of nothing: from memory that nobody has written, chosen and never compared with an address, or
    /// overwritten in part.
    /// That it uses none of these is assumed; if it does, it is undefined, since such a value may be no address at all.
    Assumed,
}

/// A proof: what protects objects.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ProtectionProof {
    pub addresses: Addresses,
    pub objects: BTreeMap<AbstractObject, Protection>,
    /// Of objects that are not protected as a whole.
    pub fields: BTreeMap<(AbstractObject, Field), Protection>,
    /// What the checker found, if it was that which made the proof.
    found: Found,
}

/// What [`protected`] answered, with what it was asked: who asks the same again gets the same. Nobody else can make one, and
/// a proof says no more with it than without.
#[derive(Clone, Default)]
struct Found(Option<Arc<Answered>>);

struct Answered {
    program: Program,
    asked: Asked,
    addresses: Addresses,
    found: Protections,
}

impl Found {
    /// The answer for a program, if that was asked for.
    fn answer(&self, program: &Program, claimed: &Asked) -> Option<&Answered> {
        self.0.as_deref().filter(|answered| {
            claimed.objects.is_subset(&answered.asked.objects)
                && claimed.fields.is_subset(&answered.asked.fields)
                && answered.program == *program
        })
    }
}

impl PartialEq for Found {
    fn eq(&self, _: &Found) -> bool {
        true
    }
}

impl Eq for Found {}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "found" } else { "said" })
    }
}

/// Why a proof does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("nothing is said of the object")]
    Unsaid(AbstractObject),
    #[error("the object is not protected like this")]
    Unprotected(AbstractObject),
    #[error("nothing is said of the field, or it is not protected like this")]
    UnprotectedField(AbstractObject, Field),
    #[error("addresses may come from memory that nobody has written")]
    Unsettled,
    #[error("there was no time to check it: {0}")]
    Exhausted(#[from] Exhausted),
}

/// What protects some of the objects and fields; nothing where nothing can be said so.
///
/// # Errors
/// When the budget is used up.
pub fn protected(program: &Program, asked: &Asked, budget: &Budget) -> Result<ProtectionProof, Exhausted> {
    let nothing = |_: Obstacle<'_>| Some(ProtectionProof::default());
    let cloned = Cloned::of(program);
    looked_into(&cloned.program, budget, nothing, |known, addresses| {
        let found = known.protections(&cloned.asked(asked), budget)?;
        let found = cloned.protections(asked, &found);
        let Protections { objects, fields } = found.clone();
        let answered = Answered { program: program.clone(), asked: asked.clone(), addresses, found };
        Ok(ProtectionProof { addresses, objects, fields, found: Found(Some(Arc::new(answered))) })
    })
}

/// What keeps some objects from being protected, line by line and for people: an obstacle in the program, or pairs of
/// accesses that nothing keeps apart.
///
/// # Errors
/// When the budget is used up.
pub fn explain(program: &Program, asked: &Asked, budget: &Budget) -> Result<Vec<String>, Exhausted> {
    let mut obstacles = BTreeSet::new();
    let obstacle = |obstacle: Obstacle<'_>| {
        let (line, is_end) = match obstacle {
            Obstacle::NoMain => ("there is no main".to_owned(), true),
            // What else there is should be known too.
            Obstacle::Unmodelled(edge) => {
                (format!("not modelled at {}: {:?}", program.place(edge.span), edge.action), false)
            }
            Obstacle::Broken(span) => (format!("pointers are not known at {}", program.place(span)), true),
        };
        obstacles.insert(line);
        is_end.then(Vec::new)
    };
    let cloned = Cloned::of(program);
    let lines = looked_into(&cloned.program, budget, obstacle, |known, addresses| {
        let mut lines = vec![format!("addresses: {addresses:?}")];
        lines.extend(known.open_pairs(&cloned.asked(asked), budget)?);
        Ok(lines)
    })?;
    Ok(obstacles.into_iter().chain(lines).collect())
}

/// Why nothing can be said of a program.
#[derive(Clone, Copy, Debug)]
enum Obstacle<'p> {
    NoMain,
    /// This may be reached, and is not modelled.
    Unmodelled(&'p Edge),
    /// What pointers are said to point to is not kept here.
    Broken(Span),
}

/// What follows from what is known of a program. Where nothing can be said, whoever is told of that decides whether this is
/// the end: then it is what they answer.
fn looked_into<T: Default>(
    program: &Program,
    budget: &Budget,
    mut refused: impl FnMut(Obstacle<'_>) -> Option<T>,
    work: impl FnOnce(&Known<'_, '_>, Addresses) -> Result<T, Exhausted>,
) -> Result<T, Exhausted> {
    let points_to = PointsTo::for_proofs(program, budget)?;
    let Some(life) = Life::of(program, &points_to) else {
        return Ok(refused(Obstacle::NoMain).unwrap_or_default());
    };
    // What pointers may point to where less is reached is among what they may point to.
    let pruned = modelled::without_unfound(&Names::new(program, &points_to, &life));
    let program = pruned.as_ref().unwrap_or(program);
    let Some(life) = Life::of(program, &points_to) else {
        return Ok(refused(Obstacle::NoMain).unwrap_or_default());
    };
    let names = Names::new(program, &points_to, &life);
    if let Some(end) = modelled::unmodelled(&names).find_map(|edge| refused(Obstacle::Unmodelled(edge))) {
        return Ok(end);
    }
    if let Some(span) = closed::broken(program, &points_to, budget)?
        && let Some(end) = refused(Obstacle::Broken(span))
    {
        return Ok(end);
    }
    let (mut settled, mut courses) = (Settled::new(&names), Courses::new(&names, budget));
    let is_all_made = !pieced::is_any(program, &points_to, budget)? && settled.is_all_made(budget)?;
    let addresses = if is_all_made { Addresses::Made } else { Addresses::Assumed };
    let joins = handles::joins(&names, &mut courses, &mut settled, addresses, budget)?;
    let beside = Beside::of(&names, &mut courses, &joins, budget)?;
    let fresh = Fresh::of(&names, budget)?;
    let elements = Elements::of(&names, budget)?;
    let flags = Flags::of(&names, budget)?;
    let locksets = Locksets::of((&names, &elements, &flags), &fresh, &beside, budget)?;
    let past = Past::of(&names, &flags, &locksets, budget)?;
    let public = Public::of(&names);
    let portions = Portions::of(&names, &mut courses, &beside);
    let (elements, fresh, portions) = (&elements, &fresh, &portions);
    let (beside, locksets) = (&beside, &locksets);
    let known = Known { names: &names, elements, fresh, public: &public, portions, beside, locksets, past: &past };
    work(&known, addresses)
}

/// Checks that a proof shows that nothing races on some objects and fields.
///
/// # Errors
/// When it does not, or the budget is used up.
pub fn certify(program: &Program, proof: &ProtectionProof, claimed: &Asked, budget: &Budget) -> Result<(), Refusal> {
    let again;
    let (addresses, found) = match proof.found.answer(program, claimed) {
        Some(answered) => (answered.addresses, &answered.found),
        None => {
            let ProtectionProof { addresses, objects, fields, .. } = protected(program, claimed, budget)?;
            again = Protections { objects, fields };
            (addresses, &again)
        }
    };
    if proof.addresses == Addresses::Made && addresses == Addresses::Assumed {
        return Err(Refusal::Unsettled);
    }
    for object in &claimed.objects {
        let said = proof.objects.get(object).ok_or(Refusal::Unsaid(*object))?;
        if found.objects.get(object) != Some(said) {
            return Err(Refusal::Unprotected(*object));
        }
    }
    for (object, field) in &claimed.fields {
        let said = proof.fields.get(&(*object, *field));
        if said.is_none() || found.fields.get(&(*object, *field)) != said {
            return Err(Refusal::UnprotectedField(*object, *field));
        }
    }
    Ok(())
}
