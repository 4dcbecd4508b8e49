//! Live registers: those whose value can still matter at a location. The others need not be kept: engines leave them
//! out of states.

use crate::{Action, Function, LocationId, RegisterId, RegisterUse};

/// The live registers of every location of one function.
#[derive(Clone, Debug)]
pub struct Live {
    /// By location, sorted.
    by_location: Vec<Box<[RegisterId]>>,
}

impl Live {
    /// Solves the backward data-flow equations of a function, one register after the other: what that takes is as much
    /// as there are live registers, however many locations and registers there are.
    pub fn of(function: &Function) -> Live {
        let transfers: Vec<Transfer> = function.edges.iter().map(|edge| Transfer::of(&edge.action)).collect();
        let mut incoming = vec![Vec::new(); function.locations.len()];
        let mut used_by = vec![Vec::new(); function.registers.len()];
        for (index, (edge, transfer)) in function.edges.iter().zip(&transfers).enumerate() {
            incoming[edge.target.index()].push(index);
            for register in &transfer.used {
                used_by[register.index()].push(edge.source);
            }
        }
        let mut by_location: Vec<Vec<RegisterId>> = vec![Vec::new(); function.locations.len()];
        for (index, mut pending) in used_by.into_iter().enumerate() {
            let register = RegisterId::new(index);
            while let Some(location) = pending.pop() {
                let live = &mut by_location[location.index()];
                if live.last() == Some(&register) {
                    continue;
                }
                live.push(register);
                let passing =
                    |edge: &&usize| transfers[**edge].falls_through && !transfers[**edge].assigned.contains(&register);
                let before = incoming[location.index()].iter().filter(passing);
                pending.extend(before.map(|edge| function.edges[*edge].source));
            }
        }
        Live { by_location: by_location.into_iter().map(Vec::into_boxed_slice).collect() }
    }

    /// The live registers of a location.
    pub fn at(&self, location: LocationId) -> &[RegisterId] {
        self.by_location.get(location.index()).map_or(&[], |live| live)
    }
}

/// What an edge does to liveness.
struct Transfer {
    used: Vec<RegisterId>,
    assigned: Vec<RegisterId>,
    falls_through: bool,
}

impl Transfer {
    fn of(action: &Action) -> Transfer {
        let falls_through = action.falls_through();
        let mut transfer = Transfer { used: Vec::new(), assigned: Vec::new(), falls_through };
        let Transfer { used, assigned, .. } = &mut transfer;
        action.for_each_register(&mut |register| match register {
            // What the same edge has assigned before is not what comes in.
            RegisterUse::Used(register) if assigned.contains(&register) => {}
            RegisterUse::Used(register) => used.push(register),
            RegisterUse::Assigned(register) => assigned.push(register),
        });
        transfer
    }
}
