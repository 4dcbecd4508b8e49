//! The theory of strict partial orders over events, as part of the search.
//!
//! An edge is a literal with two events: while the literal is true, the first event is before the second (while it is
//! false, nothing is said; where two events must be ordered one way or the other, give a literal one edge and its
//! negation the opposite one). The true edges describe an order exactly when they have no cycle. `Reachability` keeps a
//! topological numbering of the events under insertion of edges (Pearce and Kelly, *A dynamic topological sort
//! algorithm for directed acyclic graphs*, 2006), so that an edge costs nothing when it agrees with the numbering and a
//! search between its ends when it does not. `OrderTheory` answers the satisfiability solver: a cycle becomes the
//! clause that denies its edges, the shortest one; an edge that would close a cycle is set to false when a short search
//! finds it.
//!
//! Any topological numbering of the true edges is a linear order that contains them, so a model always has one.

mod graph;
mod theory;

pub use theory::OrderStatistics;
pub(crate) use theory::OrderTheory;

/// Something that happens; events of a solver are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event(pub(crate) u32);

impl Event {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
