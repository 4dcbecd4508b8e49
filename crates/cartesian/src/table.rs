//! Transition systems written down by hand: shared and local states by number, moves listed per component.
//!
//! For the paper's examples, for benchmarks, and for tests against the definitions.

use std::convert::Infallible;

use crate::domain::{Carry, Component, ExceptionSet, Move, Product, Shared, System};

/// A move: a shared and a local state before, and after.
pub type TableMove = ((u32, u32), (u32, u32));

/// A system whose components are the same in every shared state.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The components.
    pub components: Vec<Component>,
    /// The initial states.
    pub initial: Vec<(Shared, Product)>,
    /// The moves by component.
    pub moves: Vec<Vec<TableMove>>,
    /// The exception sets by shared state; none for states beyond the last.
    pub exceptions: Vec<ExceptionSet>,
}

impl System for Table {
    type GivenUp = Infallible;

    fn initial(&mut self) -> Result<Vec<(Shared, Product)>, Infallible> {
        Ok(self.initial.clone())
    }

    fn components(&self, _shared: Shared) -> Vec<Component> {
        self.components.clone()
    }

    fn moves(&mut self, shared: Shared, component: usize, local: u32) -> Result<Vec<Move>, Infallible> {
        let from_here = self.moves[component].iter().filter(|(before, _)| *before == (shared.0, local));
        let made = from_here.map(|(_, (target, after))| Move {
            target: Shared(*target),
            component,
            local: *after,
            carry: Carry::Same,
            start: None,
        });
        Ok(made.collect())
    }

    fn exceptions(&self, shared: Shared) -> ExceptionSet {
        self.exceptions.get(shared.0 as usize).cloned().unwrap_or_default()
    }
}
