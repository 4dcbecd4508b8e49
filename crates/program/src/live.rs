//! Live registers: those whose value can still matter at a location. The others need not be kept: engines leave them out of states.

use crate::bitset;
use crate::{Action, Function, LocationId, RegisterId, RegisterUse};

/// The live registers of every location of one function.
#[derive(Clone, Debug)]
pub struct Live {
    /// By location, sorted.
    by_location: Vec<Box<[RegisterId]>>,
}

impl Live {
    /// Solves the backward data-flow equations of a function.
    pub fn of(function: &Function) -> Live {
        let words = function.registers.len().div_ceil(64).max(1);
        let transfers: Vec<Transfer> = function.edges.iter().map(|edge| Transfer::of(&edge.action, words)).collect();
        let mut sets = vec![vec![0u64; words]; function.locations.len()];
        let mut incoming = vec![Vec::new(); function.locations.len()];
        for (index, edge) in function.edges.iter().enumerate() {
            incoming[edge.target.index()].push(index);
        }
        let mut pending: Vec<usize> = (0..function.edges.len()).collect();
        let mut new = vec![0u64; words];
        while let Some(index) = pending.pop() {
            let (edge, transfer) = (&function.edges[index], &transfers[index]);
            for (word, new) in new.iter_mut().enumerate() {
                let after = if transfer.falls_through { sets[edge.target.index()][word] } else { 0 };
                *new = after & !transfer.assigned[word] | transfer.used[word];
            }
            if bitset::add(&mut sets[edge.source.index()], &new) {
                pending.extend_from_slice(&incoming[edge.source.index()]);
            }
        }
        let list = |set: &Vec<u64>| bitset::iter(set).map(RegisterId::new).collect();
        Live { by_location: sets.iter().map(list).collect() }
    }

    /// The live registers of a location.
    pub fn at(&self, location: LocationId) -> &[RegisterId] {
        self.by_location.get(location.index()).map_or(&[], |live| live)
    }
}

/// What an edge does to liveness.
struct Transfer {
    used: Vec<u64>,
    assigned: Vec<u64>,
    falls_through: bool,
}

impl Transfer {
    fn of(action: &Action, words: usize) -> Transfer {
        let falls_through = action.falls_through();
        let mut transfer = Transfer { used: vec![0; words], assigned: vec![0; words], falls_through };
        let Transfer { used, assigned, .. } = &mut transfer;
        action.for_each_register(&mut |register| match register {
            // What the same edge has assigned before is not what comes in.
            RegisterUse::Used(register) if bitset::contains(assigned, register.index()) => {}
            RegisterUse::Used(register) => bitset::insert(used, register.index()),
            RegisterUse::Assigned(register) => bitset::insert(assigned, register.index()),
        });
        transfer
    }
}
