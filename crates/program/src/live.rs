//! Live registers: those whose value can still matter at a location. The others need not be kept: engines leave them out of states.

use crate::{Action, AtomicStep, Callee, Expr, Function, LocationId, OutputPiece, Place, RegisterId};

/// The live registers of every location of one function.
#[derive(Clone, Debug)]
pub struct Live {
    /// By location, sorted.
    by_location: Vec<Box<[RegisterId]>>,
}

impl Live {
    /// Solves the backward data-flow equations of a function, one register after the other: what that takes is as much as there are
    /// live registers, however many locations and registers there are.
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
        let mut transfer = Transfer { used: Vec::new(), assigned: Vec::new(), falls_through: true };
        match action {
            Action::Assume(condition) | Action::Assert { condition, .. } | Action::Require { condition, .. } => {
                transfer.uses(condition);
            }
            Action::Assign { target, value } => transfer.uses(value).assigns(*target),
            Action::Load { target, access, .. } => transfer.uses(address(&access.place)).assigns(*target),
            Action::Store { access, value } => {
                transfer.uses(address(&access.place)).uses(value);
            }
            Action::Atomic(steps) => steps.iter().for_each(|step| transfer.atomic(step)),
            Action::Havoc { target } => transfer.assigns(*target),
            Action::Spawn { target, entry, arguments, id } => {
                transfer.callee(entry);
                if let Some(id) = id {
                    transfer.uses(address(&id.place));
                }
                arguments.iter().for_each(|argument| {
                    transfer.uses(argument);
                });
                transfer.assigns(*target);
            }
            Action::Allocate { target, size, .. } => transfer.uses(size).assigns(*target),
            Action::Free { address } => {
                transfer.uses(address);
            }
            Action::Call { target, callee, arguments } => {
                transfer.callee(callee);
                arguments.iter().for_each(|argument| {
                    transfer.uses(argument);
                });
                target.iter().for_each(|target| transfer.assigns(*target));
            }
            Action::Return { value } => {
                value.iter().for_each(|value| {
                    transfer.uses(value);
                });
                transfer.falls_through = false;
            }
            Action::ThreadExit { value } | Action::Exit { status: value } => {
                transfer.uses(value);
                transfer.falls_through = false;
            }
            Action::Unsupported(_) => transfer.falls_through = false,
            Action::Output(pieces) => {
                for piece in pieces {
                    match piece {
                        OutputPiece::Text(_) => {}
                        OutputPiece::Value(_, value) | OutputPiece::CString(_, value) => {
                            transfer.uses(value);
                        }
                    }
                }
            }
            Action::Forget { .. } | Action::EndLife { .. } | Action::AtomicBegin | Action::AtomicEnd => {}
        }
        transfer
    }

    /// Marks registers as used, unless the same edge has assigned them before.
    fn uses(&mut self, value: &Expr) -> &mut Self {
        let (used, assigned) = (&mut self.used, &self.assigned);
        value.for_each_register(&mut |register| {
            if !assigned.contains(&register) {
                used.push(register);
            }
        });
        self
    }

    fn assigns(&mut self, register: RegisterId) {
        self.assigned.push(register);
    }

    fn callee(&mut self, callee: &Callee) {
        if let Callee::Indirect(pointer) = callee {
            self.uses(pointer);
        }
    }

    fn atomic(&mut self, step: &AtomicStep) {
        match step {
            AtomicStep::Read { target, access } => self.uses(address(&access.place)).assigns(*target),
            AtomicStep::Let { target, value } => self.uses(value).assigns(*target),
            AtomicStep::Guard(condition) | AtomicStep::Require(condition, _) => {
                self.uses(condition);
            }
            AtomicStep::Spurious => {}
            AtomicStep::Write { when, access, value } => {
                self.uses(when).uses(address(&access.place)).uses(value);
            }
            AtomicStep::PickThread { target, equals, .. } => self.uses(equals).assigns(*target),
            AtomicStep::WriteThreads { equals, value, .. } => {
                self.uses(equals).uses(value);
            }
        }
    }
}

fn address(place: &Place) -> &Expr {
    let (Place::Memory { address, .. } | Place::Ghost { address, .. }) = place;
    address
}
