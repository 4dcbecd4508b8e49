//! All facts about one program, each found once, when it is first asked for, and shared by whoever asks.
//!
//! They have limits of their own: whoever needs a fact that could not be found within them is told which limit it was,
//! and waits for nobody. An engine's own limits do not end the search for what others need too.

use crate::fields::Field;
use crate::locks::{Guarded, guarded, guarded_fields};
use crate::{
    AbstractObject, Cells, Conflicts, Loads, Locksets, Parallel, PointsTo, Reach, Sharing, Threads, Visible, escaped,
    sharing,
};
use selvedge_program::{Budget, Exhausted, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

type Found<T> = OnceLock<Result<T, Exhausted>>;

/// The facts about a program.
#[derive(Debug)]
pub struct Facts {
    program: Arc<Program>,
    budget: Budget,
    points_to: Found<PointsTo>,
    points_to_out_of_nothing: Found<PointsTo>,
    threads: Found<Threads>,
    escaped: Found<BTreeSet<AbstractObject>>,
    parallel: Found<Option<Parallel>>,
    sharing: Found<Sharing>,
    sharing_of_products: Found<Option<Sharing>>,
    conflicts: Found<Conflicts>,
    locksets: Found<Locksets>,
    reach: Found<Reach>,
    cells: Found<Cells>,
    visible: Found<Visible>,
}

impl Facts {
    /// Nothing is looked for yet. The budget is that of all facts together.
    pub fn new(program: Arc<Program>, budget: Budget) -> Facts {
        Facts {
            program,
            budget,
            points_to: OnceLock::new(),
            points_to_out_of_nothing: OnceLock::new(),
            threads: OnceLock::new(),
            escaped: OnceLock::new(),
            parallel: OnceLock::new(),
            sharing: OnceLock::new(),
            sharing_of_products: OnceLock::new(),
            conflicts: OnceLock::new(),
            locksets: OnceLock::new(),
            reach: OnceLock::new(),
            cells: OnceLock::new(),
            visible: OnceLock::new(),
        }
    }

    /// The facts about a program, without limits.
    pub fn of(program: &Program) -> Facts {
        Facts::new(Arc::new(program.clone()), Budget::unlimited())
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What pointers may point to, as long as no indeterminate bytes are loaded as an address.
    ///
    /// # Errors
    /// The limit that was reached, here and below.
    pub fn points_to(&self) -> Result<&PointsTo, Exhausted> {
        self.points_to_with(Loads::Settled)
    }

    /// What pointers may point to.
    ///
    /// # Errors
    /// As above.
    pub fn points_to_with(&self, loads: Loads) -> Result<&PointsTo, Exhausted> {
        let cell = match loads {
            Loads::Settled => &self.points_to,
            Loads::OutOfNothing => &self.points_to_out_of_nothing,
        };
        self.find(cell, || PointsTo::within(&self.program, loads, &self.budget))
    }

    /// The thread templates.
    ///
    /// # Errors
    /// As above.
    pub fn threads(&self) -> Result<&Threads, Exhausted> {
        self.find(&self.threads, || Ok(Threads::of(&self.program, self.points_to()?)))
    }

    /// The objects that another thread than the one that made them may know of.
    ///
    /// # Errors
    /// As above.
    pub fn escaped(&self) -> Result<&BTreeSet<AbstractObject>, Exhausted> {
        self.find(&self.escaped, || Ok(escaped(&self.program, self.points_to()?)))
    }

    /// What may happen in parallel; nothing is said of a program without a `main`.
    ///
    /// # Errors
    /// As above.
    pub fn parallel(&self) -> Result<Option<&Parallel>, Exhausted> {
        self.find(&self.parallel, || Parallel::within(&self.program, self.points_to()?, self.threads()?, &self.budget))
            .map(Option::as_ref)
    }

    /// What several threads may access.
    ///
    /// # Errors
    /// As above.
    pub fn sharing(&self) -> Result<&Sharing, Exhausted> {
        self.find(&self.sharing, || Ok(sharing(&self.program, self.points_to()?, self.threads()?)))
    }

    /// The same on a machine, where addresses that were multiplied may become addresses again: the concrete semantics goes
    /// no further there, so what is asked must not depend on where it gets.
    ///
    /// # Errors
    /// As above.
    pub fn sharing_of_products(&self) -> Result<&Sharing, Exhausted> {
        let more = self.find(&self.sharing_of_products, || {
            let Some(points_to) = self.points_to()?.with_products(&self.program, &self.budget)? else {
                return Ok(None);
            };
            let threads = Threads::of(&self.program, &points_to);
            Ok(Some(sharing(&self.program, &points_to, &threads)))
        })?;
        more.as_ref().map_or_else(|| self.sharing(), Ok)
    }

    /// The accesses that may conflict.
    ///
    /// # Errors
    /// As above.
    pub fn conflicts(&self) -> Result<&Conflicts, Exhausted> {
        self.find(&self.conflicts, || {
            let Some(parallel) = self.parallel()? else { return Ok(Conflicts::default()) };
            Conflicts::of(&self.program, self.points_to()?, parallel, self.sharing()?, &self.budget)
        })
    }

    /// The locks that are certainly held.
    ///
    /// # Errors
    /// As above.
    pub fn locksets(&self) -> Result<&Locksets, Exhausted> {
        self.find(&self.locksets, || {
            let Some(parallel) = self.parallel()? else { return Ok(Locksets::default()) };
            Locksets::of(&self.program, self.points_to()?, parallel, &self.budget)
        })
    }

    /// What cannot be reached.
    ///
    /// # Errors
    /// As above.
    pub fn reach(&self) -> Result<&Reach, Exhausted> {
        self.find(&self.reach, || Ok(Reach::of(&self.program, self.points_to()?)))
    }

    /// The cells of objects.
    ///
    /// # Errors
    /// As above.
    pub fn cells(&self) -> Result<&Cells, Exhausted> {
        self.find(&self.cells, || Ok(Cells::of(&self.program, self.points_to()?)))
    }

    /// The steps that other threads may notice.
    ///
    /// # Errors
    /// As above.
    pub fn visible(&self) -> Result<&Visible, Exhausted> {
        self.find(&self.visible, || Ok(Visible::of(&self.program, self.points_to()?, self.threads()?, self.sharing()?)))
    }

    /// By which locks the accesses to shared objects are guarded.
    ///
    /// # Errors
    /// As above.
    pub fn guarded(&self) -> Result<BTreeMap<AbstractObject, Guarded>, Exhausted> {
        let Some(parallel) = self.parallel()? else { return Ok(BTreeMap::new()) };
        guarded(self, parallel)
    }

    /// By which locks the accesses to fields of shared objects are guarded.
    ///
    /// # Errors
    /// As above.
    pub fn guarded_fields(&self) -> Result<BTreeMap<(AbstractObject, Field), Guarded>, Exhausted> {
        let Some(parallel) = self.parallel()? else { return Ok(BTreeMap::new()) };
        guarded_fields(self, parallel)
    }

    fn find<'a, T>(
        &'a self,
        cell: &'a Found<T>,
        search: impl FnOnce() -> Result<T, Exhausted>,
    ) -> Result<&'a T, Exhausted> {
        cell.get_or_init(|| self.budget.check().and_then(|()| search())).as_ref().map_err(|limit| *limit)
    }
}
