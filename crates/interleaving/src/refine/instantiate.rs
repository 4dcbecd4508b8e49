//! Growing the abstraction: reads into R, links into W, pairs and triples, each once; as tasks, so that a limit can
//! stop the work between two of them and the next question goes on with it.

use selvedge_logic::Lit;
use selvedge_program::Budget;

use super::{Refiner, Task};
use crate::abstraction::{Reading, Width};
use crate::error::Result;
use crate::links::{Manner, Source};
use crate::skeleton::{ReadId, WriteId};

impl Refiner<'_> {
    /// Does what has still to be instantiated, until a limit is reached.
    pub(super) fn work(&mut self, budget: &Budget) -> Result<()> {
        while let Some(task) = self.tasks.pop() {
            if let Err(limit) = self.check(budget) {
                self.tasks.push(task);
                return Err(limit.into());
            }
            match task {
                Task::Admit(reading) => self.admit(reading)?,
                Task::Links(read, mut sources) => {
                    if let Some(source) = sources.pop() {
                        self.tasks.push(Task::Links(read, sources));
                        self.instantiate_link(read, source)?;
                    }
                }
                Task::Lock(lock) => {
                    self.encoding.holders(self.skeleton, &self.locks.locks[lock])?;
                }
                Task::Held(lock, read) => {
                    if self.encoding.sees_holder(self.skeleton, &self.locks.locks[lock], read)? {
                        self.abstraction.held.insert((lock, read));
                    } else {
                        self.tasks.push(Task::Admit((read, Manner::Pending)));
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes a read into R, with the link set that the mode starts from.
    pub(super) fn admit(&mut self, reading: Reading) -> Result<()> {
        let all: Vec<_> = self.links.sources(reading.0, reading.1).collect();
        let narrow: Vec<Source> = all
            .iter()
            .filter(|candidate| !self.mode.narrows() || candidate.serial)
            .map(|candidate| candidate.source)
            .collect();
        let extension = (narrow.len() < all.len()).then(|| self.encoding.solver.new_literal());
        self.encoding.must_link(self.skeleton, reading, &narrow, extension)?;
        self.abstraction.admit(reading, extension.map_or(Width::Full, Width::Part), narrow.len());
        self.tasks.push(Task::Links(reading.0, narrow));
        Ok(())
    }

    /// Gives a read its full link set.
    pub(super) fn widen(&mut self, reading: Reading, extension: Lit) {
        let all: Vec<_> = self.links.sources(reading.0, reading.1).collect();
        let rest: Vec<Source> =
            all.iter().filter(|candidate| !candidate.serial).map(|candidate| candidate.source).collect();
        self.encoding.extend_links(reading.0, extension, &rest);
        self.abstraction.admit(reading, Width::Full, all.len());
        self.statistics.widened += 1;
        self.tasks.push(Task::Links(reading.0, rest));
    }

    /// What comes with a new link.
    fn instantiate_link(&mut self, read: ReadId, source: Source) -> Result<()> {
        // Waiting with order or values until a model needs them was measured: many more iterations, and little is left
        // out in the end.
        self.add_order(read, source)?;
        self.add_values(read, source)?;
        if !self.mode.waits() {
            let others: Vec<WriteId> = self.links.interferers(read).collect();
            for other in others {
                self.add_triple(read, source, other)?;
            }
        }
        Ok(())
    }

    pub(super) fn add_order(&mut self, read: ReadId, source: Source) -> Result<bool> {
        let new = self.abstraction.ordered.insert((read, source));
        if new {
            self.encoding.link_orders(self.skeleton, read, source)?;
        }
        Ok(new)
    }

    pub(super) fn add_values(&mut self, read: ReadId, source: Source) -> Result<bool> {
        let new = self.abstraction.carried.insert((read, source));
        if new {
            self.encoding.link_carries(self.skeleton, read, source)?;
        }
        Ok(new)
    }

    pub(super) fn add_triple(&mut self, read: ReadId, source: Source, other: WriteId) -> Result<bool> {
        let new = source != Source::Write(other) && self.abstraction.triples.insert((read, source, other));
        if new {
            self.encoding.not_between(self.skeleton, read, source, other)?;
        }
        Ok(new)
    }
}
