//! The theory of order, as part of a solver: events, edges, and the linear order of a model.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Solver;
use crate::error::{Error, Result};
use crate::order::{Event, OrderStatistics, OrderTheory};
use crate::sat::{Lit, SharedTheory};

/// A solver's events and edges.
#[derive(Debug)]
pub(super) struct Order {
    theory: Rc<RefCell<OrderTheory>>,
    literals: FxHashMap<(Event, Event), Lit>,
}

impl Solver {
    /// Connects the theory on first use.
    fn order(&mut self) -> &mut Order {
        let sat = self.sat.as_mut();
        self.order.get_or_insert_with(|| {
            let theory = Rc::new(RefCell::new(OrderTheory::new(sat.recorder())));
            sat.connect(Rc::clone(&theory) as SharedTheory);
            Order { theory, literals: FxHashMap::default() }
        })
    }

    /// A new event, not ordered with any other.
    pub fn new_event(&mut self) -> Event {
        self.changed();
        Event(self.order().theory.borrow_mut().add_event())
    }

    /// The literal of `a` being before `b`: while it is true, so is the order; while it is false, nothing is said. The
    /// same pair always has the same literal.
    pub fn before(&mut self, a: Event, b: Event) -> Result<Lit> {
        self.known_events(a, b)?;
        if let Some(&literal) = self.order().literals.get(&(a, b)) {
            return Ok(literal);
        }
        let literal = self.new_literal();
        self.add_edge(literal, a, b)?;
        self.order().literals.insert((a, b), literal);
        Ok(literal)
    }

    /// From now on `a` is before `b` whenever the literal is true.
    pub fn add_edge(&mut self, literal: Lit, a: Event, b: Event) -> Result<()> {
        self.known_events(a, b)?;
        self.changed();
        let literal = self.sat.observe(literal);
        let theory = Rc::clone(&self.order().theory);
        let edge = theory.borrow_mut().add_edge(literal, a.0, b.0);
        if a == b {
            theory.borrow().justify(&[edge]);
            self.sat.add_clause(&[!literal]);
        }
        Ok(())
    }

    /// From now on `a` is before `b`. Edges that contradict each other make everything unsatisfiable.
    pub fn add_before(&mut self, a: Event, b: Event) -> Result<()> {
        self.known_events(a, b)?;
        self.changed();
        let theory = Rc::clone(&self.order().theory);
        let cycle = theory.borrow_mut().add_permanent(a.0, b.0);
        if let Some(cycle) = cycle {
            theory.borrow().justify(&cycle);
            self.sat.add_clause(&[]);
        }
        Ok(())
    }

    /// All events in a linear order that agrees with the last satisfying assignment.
    pub fn linearisation(&mut self) -> Result<Vec<Event>> {
        self.materialise()?;
        // Without events there is no theory yet, and connecting one would lose the assignment.
        let order = self.order.as_ref();
        Ok(order.map_or_else(Vec::new, |order| order.theory.borrow().linearisation().into_iter().map(Event).collect()))
    }

    pub fn order_statistics(&self) -> OrderStatistics {
        self.order.as_ref().map(|order| order.theory.borrow().statistics()).unwrap_or_default()
    }

    fn known_events(&mut self, a: Event, b: Event) -> Result<()> {
        let count = self.order().theory.borrow().event_count();
        match [a, b].into_iter().find(|event| event.index() >= count) {
            Some(event) => Err(Error::UnknownEvent(event.0)),
            None => Ok(()),
        }
    }
}
