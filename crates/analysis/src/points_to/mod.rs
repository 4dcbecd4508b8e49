//! Points-to analysis in the manner of Andersen (1994): inclusion constraints over registers and memory, solved to a fixpoint;
//! flow- and context-insensitive, field-sensitive.
//!
//! A [`Target`] is an abstract object and a congruence class of offsets, so that `q->head`, `q->tail` and `ring[i].sequence` stay
//! apart. What is over-approximated: all activations of a function share one abstract object per local, all runs of an
//! allocation site one, all threads one.

mod constraints;
mod offset;
mod solver;

pub use offset::Offset;

use rustc_hash::FxHashMap;
use selvedge_program::{EdgeId, FrameObjectId, FunctionId, ObjectId, Place, Program, SiteId};

/// A memory object as the analysis sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AbstractObject {
    /// A global, static, string literal or thread-local (all threads' instances).
    Static(ObjectId),
    /// An address-taken local, in all activations of its function.
    Frame(FunctionId, FrameObjectId),
    /// Everything an allocation site allocates.
    Site(SiteId),
    /// A function.
    Function(FunctionId),
    /// All thread objects.
    Thread,
}

impl AbstractObject {
    /// Whether users call the object by a name; a local is called by its own name, whatever its function.
    pub fn is_named(self, program: &Program, name: &str) -> bool {
        match self {
            AbstractObject::Static(id) => program.object(id).name == name,
            AbstractObject::Frame(function, local) => program.function(function).frame_object(local).name == name,
            AbstractObject::Site(_) | AbstractObject::Function(_) | AbstractObject::Thread => false,
        }
    }
}

/// What a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The object.
    pub object: AbstractObject,
    /// Where in it.
    pub offset: Offset,
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct PointsTo {
    solver: solver::Solver,
    calls: FxHashMap<(FunctionId, EdgeId), Vec<FunctionId>>,
}

impl PointsTo {
    /// Analyses a program.
    pub fn of(program: &Program) -> PointsTo {
        let mut solver = solver::Solver::new(program);
        constraints::generate(program, &mut solver);
        solver.solve(program);
        let calls = solver.take_calls();
        PointsTo { solver, calls }
    }

    /// What a place of a function may name, sorted.
    pub fn targets(&self, function: FunctionId, place: &Place) -> Vec<Target> {
        let (Place::Memory { address, .. } | Place::Ghost { address, .. }) = place;
        self.solver.targets_of(function, address)
    }

    /// The functions that a call or spawn edge may enter, sorted; direct ones included.
    pub fn callees(&self, function: FunctionId, edge: EdgeId) -> &[FunctionId] {
        self.calls.get(&(function, edge)).map_or(&[], Vec::as_slice)
    }

    /// Whatever may be stored within an object: the targets of all pointers in its cells.
    pub fn contents(&self, object: AbstractObject) -> Vec<Target> {
        self.solver.contents(object)
    }

    /// What an expression of a function may point to, sorted.
    pub fn targets_of(&self, function: FunctionId, value: &selvedge_program::Expr) -> Vec<Target> {
        self.solver.targets_of(function, value)
    }
}
