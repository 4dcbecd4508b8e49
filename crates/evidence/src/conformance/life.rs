//! What the steps of a program do to the life of threads, as far as a contract speaks of that: whom they start, whom they
//! join, and where threads end that others join. Which threads a handle may name is taken from the points-to analysis of
//! the whole program.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_analysis::{Loads, PointsTo, Threads};
use selvedge_program::{EdgeId, FunctionId, Program, Transfer};
use selvedge_symbolic::threads::{Arc, ArcKind};

use super::{Contract, Life};

/// A join, by what is known of the thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// It runs one of these functions.
    pub functions: BTreeSet<FunctionId>,
    /// Whether that is so even if the handle was never written.
    pub is_settled: bool,
}

/// What a step does to another thread's life, or to its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lived {
    /// Nothing that the contract speaks of.
    Nothing,
    /// Starts a thread that an abstract thread has to create.
    Creates(FunctionId),
    /// Waits for the end of a thread that is not the executing one.
    Joins(Joined),
    /// Ends a thread that an abstract thread may wait for.
    Ends,
}

/// The joins of a program.
#[derive(Clone, Debug, Default)]
pub struct Lives {
    joins: BTreeMap<(FunctionId, EdgeId), Joined>,
}

/// The joins of a program of which it is known what functions the threads run.
pub fn joins(program: &Program) -> BTreeMap<(FunctionId, EdgeId), Joined> {
    let points_to = PointsTo::of(program);
    let out_of_nothing = PointsTo::with(program, Loads::OutOfNothing);
    let threads = Threads::of(program, &points_to);
    let mut joins = BTreeMap::new();
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(index);
        for (index, edge) in function.edges.iter().enumerate() {
            let Some(handle) = edge.action.joined_thread() else { continue };
            let Some(sites) = points_to.threads(id, handle) else { continue };
            let is_settled = out_of_nothing.threads(id, handle).as_ref() == Some(&sites);
            let templates = sites.into_iter().filter_map(|site| threads.of_spawn(site));
            let functions: BTreeSet<FunctionId> =
                templates.flat_map(|template| threads.get(template).entries.clone()).collect();
            if !functions.is_empty() {
                joins.insert((id, EdgeId::new(index)), Joined { functions, is_settled });
            }
        }
    }
    joins
}

impl Lives {
    /// What a contract has to know of the threads of its program.
    pub fn of(program: &Program, contract: &Contract) -> Lives {
        let is_spoken_of = contract.lives().next().is_some();
        Lives { joins: if is_spoken_of { joins(program) } else { BTreeMap::new() } }
    }

    /// What a step does of a thread that runs a function; it is taken in a function that may be another.
    pub fn of_step(
        &self,
        program: &Program,
        contract: &Contract,
        entry: FunctionId,
        (function, arc): (FunctionId, Arc),
    ) -> Lived {
        match arc.kind {
            ArcKind::Spawn(started) if contract.is_created(started) => Lived::Creates(started),
            ArcKind::End => match program.function(function).edge(arc.edge).action.transfer() {
                Transfer::Return { .. } | Transfer::ThreadExit { .. } if contract.is_joined(entry) => Lived::Ends,
                Transfer::Return { .. }
                | Transfer::ThreadExit { .. }
                | Transfer::Call { .. }
                | Transfer::Spawn { .. }
                | Transfer::Exit { .. }
                | Transfer::AtomicBegin
                | Transfer::AtomicEnd
                | Transfer::Along
                | Transfer::Unknown => Lived::Nothing,
            },
            ArcKind::Step => match self.joins.get(&(function, arc.edge)) {
                // A thread that waits for itself does not wait.
                Some(joined) if !joined.functions.contains(&entry) => Lived::Joins(joined.clone()),
                Some(_) | None => Lived::Nothing,
            },
            ArcKind::Spawn(_) | ArcKind::Call(_) | ArcKind::Return(..) => Lived::Nothing,
        }
    }
}

impl Lived {
    /// Whether an edge that does this to threads may match the step.
    pub fn allows(&self, contract: &Contract, life: Option<Life>) -> bool {
        match (life, self) {
            (None, Lived::Creates(_)) => false,
            (None, Lived::Nothing | Lived::Joins(_) | Lived::Ends) => true,
            (Some(Life::Create(wanted)), Lived::Creates(started)) => wanted == *started,
            (Some(Life::Join(Some(wanted))), Lived::Joins(joined)) => {
                joined.functions.iter().all(|function| *function == wanted)
            }
            (Some(Life::Join(None)), Lived::Joins(joined)) => {
                joined.functions.iter().all(|function| contract.is_created(*function))
            }
            (Some(Life::Create(_)), Lived::Nothing | Lived::Joins(_) | Lived::Ends) => false,
            (Some(Life::Join(_)), Lived::Nothing | Lived::Creates(_) | Lived::Ends) => false,
        }
    }
}
