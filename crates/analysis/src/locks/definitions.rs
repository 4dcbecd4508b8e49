//! Addresses of elements that are computed into registers: `r := &locks + i * 40`. What `r` names is known by `i` as
//! long as neither is assigned, so that `locks[i]` and `cells[i]` have the index in common though each is in a register
//! of its own.

use super::names::{Foreign, element, rewrite};
use selvedge_program::{Action, Expr, Function, LocationId, RegisterId};
use std::collections::{BTreeMap, BTreeSet};

/// By register, the address that it was computed as.
type Known = BTreeMap<RegisterId, Expr>;

/// What registers hold at the locations of a function.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// `None` where nobody ever is.
    at: Vec<Option<Known>>,
}

impl Definitions {
    /// Finds them; `None` for a function that takes no lock, or computes no such address.
    pub fn of(function: &Function, takes_locks: bool) -> Option<Definitions> {
        let is_definition =
            |action: &Action| matches!(action, Action::Assign { value, .. } if element(value).is_some());
        if !takes_locks || !function.edges.iter().any(|edge| is_definition(&edge.action)) {
            return None;
        }
        let mut at: Vec<Option<Known>> = vec![None; function.locations.len()];
        at[function.entry.index()] = Some(Known::new());
        let mut pending = BTreeSet::from([function.entry]);
        while let Some(location) = pending.pop_first() {
            let Some(known) = at[location.index()].clone() else { continue };
            for edge in function.location(location).outgoing.iter().map(|edge| function.edge(*edge)) {
                if edge.action.falls_through() && meet(&mut at[edge.target.index()], after(&edge.action, &known)) {
                    pending.insert(edge.target);
                }
            }
        }
        Some(Definitions { at })
    }

    /// An address in terms of what its registers were computed from; `None` if it has none that was.
    pub fn expanded(&self, location: LocationId, address: &Expr) -> Option<Expr> {
        let known = self.at.get(location.index())?.as_ref()?;
        let mut is_known = false;
        address.for_each_register(&mut |register| is_known |= known.contains_key(&register));
        let replacement = |part: &Expr| match part {
            Expr::Register(register, _) => Ok(known.get(register).cloned()),
            _ => Ok(None),
        };
        is_known.then(|| rewrite(address, &replacement).unwrap_or_else(|Foreign| address.clone()))
    }
}

fn after(action: &Action, before: &Known) -> Known {
    let mut known = before.clone();
    for register in action.assigned() {
        known.retain(|target, value| *target != register && !value.mentions(&[register]));
    }
    if let Action::Assign { target, value } = action
        && element(value).is_some()
        && !value.mentions(&[*target])
    {
        known.insert(*target, value.clone());
    }
    known
}

/// What is known on both ways; whether this is less than before.
fn meet(there: &mut Option<Known>, other: Known) -> bool {
    let Some(known) = there else {
        *there = Some(other);
        return true;
    };
    let before = known.len();
    known.retain(|register, value| other.get(register) == Some(value));
    known.len() != before
}
