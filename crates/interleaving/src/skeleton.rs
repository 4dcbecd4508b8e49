//! The interference skeleton (Sinha, Wang 2011, section 3): everything that is left of a bounded program once its
//! threads have been executed symbolically, each by itself. Shared reads have fresh symbolic values; what they may be
//! is for the axioms to say.
//!
//! The unit of order is the [`Event`]; the unit of control is the [`Stop`], a place where a thread touches what others
//! can see. Usually each stop is an event of its own; the stops of one atomic section share one. **The stops of a
//! thread form one chain**: a linear order that agrees with every path, in which stops of different branches stand one
//! after the other and are never both reached. So program order is a list of neighbours, and *how far a thread has
//! come* is one position in its chain: a thread may be cut anywhere, whether it is blocked, bounded, or just not
//! scheduled again.
//!
//! Where we deviate from the paper: one cell per access. An access through a pointer or an index that may mean several
//! cells is several accesses, each under the condition that it is this one, so no address ever has to be compared in an
//! axiom.
//!
//! What the literals mean (built by `encode`):
//! - `passed(k)`: the thread has gone past stop `k` of its chain. `passed` is closed downwards along the chain. For a
//!   stop that is not on the path taken (its `reach` is false) passing means nothing. `passed(k) ∧ reach(k) ⇒
//!   proceeds(k)`.
//! - `at(k)`: the thread stands before stop `k`: `reach(k)`, everything before it in the chain is passed, `k` is not.
//! - `pending(k)`: implies `at(k)`, and says that the reads of `k` are made in the final memory, after everything that
//!   has happened, to see whether `k` could go on and what it would do.
//! - A read happens when `enabled ∧ (passed(k) ∨ pending(k))`; a write has happened when `enabled ∧ passed(k)`.

use selvedge_analysis::AbstractObject;
use selvedge_logic::{Op, Term, Terms};
use selvedge_program::AccessMode;
use selvedge_symbolic::{Opaque, Word};

selvedge_program::index! {
    /// A thread of the bounded program: one spawn of one unrolling.
    ThreadId, "thread";
    /// A stop.
    StopId, "stop";
    /// A moment in the order of events.
    EventId, "event";
    /// A piece of memory, or a ghost field, that is read and written as a whole.
    CellId, "cell";
    /// A read.
    ReadId, "read";
    /// A write.
    WriteId, "write";
    /// A place of an access.
    SiteId, "site";
    /// A goal, by its place in the list.
    GoalId, "goal";
}

/// The choices that give a part of a read's value a constant: its tree of choices has a symbol at every fork and a
/// different constant at every end. `None` if it has no such end.
pub fn choices_for(terms: &Terms, part: Term, value: u128) -> Option<Vec<(Term, bool)>> {
    let mut choices = Vec::new();
    let mut rest = part;
    loop {
        match (terms.op(rest), terms.operands(rest)) {
            (Op::Constant(bits), _) => return (bits == value).then_some(choices),
            (Op::Ite, &[choice, then, otherwise]) => {
                let taken = terms.constant_value(then).is_some_and(|then| then.unsigned() == value);
                choices.push((choice, taken));
                if taken {
                    return Some(choices);
                }
                rest = otherwise;
            }
            _ => return None,
        }
    }
}

/// Where a thread comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    /// The stop that starts it. The thread exists once it is passed with `started`.
    pub spawn: StopId,
    /// The condition under which passing that stop starts this thread.
    pub started: Term,
}

/// A thread of the bounded program.
#[derive(Clone, Debug)]
pub struct Thread {
    /// For people: the name of its first function.
    pub name: String,
    /// `None` for the main thread.
    pub parent: Option<Parent>,
    /// Its stops in chain order.
    pub stops: Vec<StopId>,
    /// Disjunction over ways in which the thread ends: it has ended once this holds and the whole chain is passed.
    pub ended: Term,
    /// Ways in which it stands still because an assumption of the program does not hold.
    pub abandoned: Vec<Moment>,
}

/// Where a stop stands relative to an atomic section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionPlace {
    /// In no section, or the first stop of one.
    Outside,
    /// A later stop of a section, its end included: a thread that stands here keeps all others from moving, so
    /// everything that has happened comes before the section's event.
    Inside,
}

/// A place where a thread touches what others can see.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    pub thread: ThreadId,
    /// Its place in the thread's chain.
    pub position: u32,
    /// When it happens. Stops of one section share an event, and are neighbours in the chain but for stops of other
    /// branches.
    pub event: EventId,
    pub section: SectionPlace,
    /// The path condition: over symbolic reads of earlier stops of the thread (and of the threads that led to it).
    pub reach: Term,
    /// What must hold for the thread to go past the stop, given that it is reached: guards hold and nothing is
    /// undefined. Over the stop's own reads as well.
    pub proceeds: Term,
    /// Given that the thread stands here: no way on but by a spurious wake-up, because guards do not hold. Over the
    /// stop's own reads. False for a stop that never waits.
    pub blocked: Term,
}

/// What a cell is.
#[derive(Clone, Debug)]
pub struct Cell {
    /// For people: `queue.head`, `m.owner`.
    pub name: String,
    /// What a race on it is a race on.
    pub object: Option<AbstractObject>,
    /// Whether it belongs to a lock, a thread, a condition variable, ….
    pub synchronisation: bool,
    /// What it holds before everything else: an implicit write that precedes all events.
    pub initial: Word,
}

/// A shared read. Each part of `value` is a fresh symbol, or a choice between constants by fresh symbols (see
/// [`choices_for`]).
#[derive(Clone, Copy, Debug)]
pub struct Read {
    pub stop: StopId,
    /// The place among the accesses of its thread: within one event, smaller comes first.
    pub rank: u32,
    pub cell: CellId,
    pub value: Word,
    /// Includes the stop's `reach` and the condition that this cell is meant.
    pub enabled: Term,
}

/// A shared write.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    pub stop: StopId,
    pub rank: u32,
    pub cell: CellId,
    pub value: Word,
    pub enabled: Term,
}

/// An access for the purpose of races: standing before `stop`, the thread is about to touch the cell.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub stop: StopId,
    pub cell: CellId,
    pub mode: AccessMode,
    /// Over the stop's own reads as well.
    pub condition: Term,
    /// Whether `condition` depends on the stop's own reads, so that the stop must be pending and not only at.
    pub needs_pending: bool,
    /// Given that the stop is passed: the access was made.
    pub made: Term,
    /// An access that may be to several cells is a site for each; among the sites of a stop, they share this number.
    pub access: u32,
}

/// Three accesses to one cell: `between`, of another thread, after `first` and before `second` of one; and in between
/// that thread has not touched anything else of what `first` touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interference {
    pub first: SiteId,
    pub between: SiteId,
    pub second: SiteId,
}

/// A moment in the life of one thread, up to which all others may have come any distance.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub thread: ThreadId,
    pub place: MomentPlace,
    pub condition: Term,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MomentPlace {
    /// Somewhere after this stop and before the next (`None`: before the first): all stops of the chain up to this one
    /// are passed. The section, if the place lies within one, is that of the stop: then everything that has happened
    /// comes before its event.
    After(Option<StopId>, SectionPlace),
    /// Before this stop, which is pending.
    Before(StopId),
}

/// Something to be looked for.
#[derive(Clone, Debug)]
pub enum Goal {
    /// Any of these moments: an assertion that fails, something undefined, a bound that is reached.
    Moments(Vec<Moment>),
    /// Two threads stand before conflicting accesses to one of these cells.
    Race(Vec<CellId>),
    /// There are live threads and none can move.
    Deadlock,
    /// Any of these has happened.
    Atomicity(Vec<Interference>),
    /// Each of these threads has passed so many stops of its chain, all of them reached, and no more; and the other
    /// goal holds.
    Walked { passed: Vec<(ThreadId, u32)>, end: Option<Box<Goal>> },
}

/// A bounded program, ready for the axioms.
#[derive(Debug, Default)]
pub struct Skeleton {
    pub terms: Terms,
    pub threads: Vec<Thread>,
    pub stops: Vec<Stop>,
    pub events: u32,
    pub cells: Vec<Cell>,
    /// In the order of threads and ranks.
    pub reads: Vec<Read>,
    pub writes: Vec<Write>,
    pub sites: Vec<Site>,
    /// What holds whatever happens.
    pub facts: Vec<Term>,
    /// Operations whose results are symbols.
    pub opaque: Vec<Opaque>,
    pub goals: Vec<Goal>,
}

impl Skeleton {
    pub fn stop(&self, id: StopId) -> &Stop {
        &self.stops[id.index()]
    }

    pub fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.index()]
    }

    pub fn cell(&self, id: CellId) -> &Cell {
        &self.cells[id.index()]
    }

    pub fn read(&self, id: ReadId) -> &Read {
        &self.reads[id.index()]
    }

    pub fn write(&self, id: WriteId) -> &Write {
        &self.writes[id.index()]
    }

    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.index()]
    }
}
