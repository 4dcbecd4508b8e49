//! What one round builds: the parts of a skeleton, and the thread that is being walked.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::{SymbolId, Term};
use selvedge_program::{AccessKind, AccessMode, Budget, Exhausted, FunctionId, Program, Span};
use selvedge_symbolic::{Builder, CellKey, Value};

use super::arrays::Arrays;
use super::cells::Birth;
use super::claims::{Asked, Claim, Claims};
use super::objects::Object;
use super::path::{Node, NodeId, Paths};
use super::state::{ArrayMemory, Memory, State};
use super::walk::Key;
use super::{Unrolled, Unroller};
use crate::skeleton::{
    Cell, CellId, Goal, Moment, Parent, Read, Site, Skeleton, Stop, StopId, Thread, ThreadId, Write,
};

/// A thread that is still to be walked.
#[derive(Debug)]
pub struct Start {
    pub thread: ThreadId,
    pub function: FunctionId,
    pub arguments: Vec<Value>,
    pub guard: Term,
    pub memory: Memory,
    pub arrays: ArrayMemory,
    pub parent: Option<Parent>,
}

#[derive(Debug)]
pub struct Round {
    pub builder: Builder,
    pub arrays: Arrays,
    pub threads: BTreeMap<ThreadId, Thread>,
    pub stops: Vec<Stop>,
    pub events: u32,
    pub cells: Vec<Cell>,
    pub cell_ids: FxHashMap<CellKey, CellId>,
    pub reads: Vec<Read>,
    pub writes: Vec<Write>,
    pub sites: Vec<Site>,
    /// Where the accesses of the sites are in the source.
    pub spans: Vec<Span>,
    /// How many accesses there were.
    pub accesses: u32,
    pub claims: Claims,
    pub nodes: Vec<Node>,
    pub first: BTreeMap<ThreadId, NodeId>,
    pub origins: FxHashMap<ThreadId, Birth>,
    pub starts: VecDeque<Start>,
    /// How many threads were started with each function.
    pub started: FxHashMap<FunctionId, usize>,
    /// The threads that have allocated something so far.
    pub has_allocated: FxHashSet<ThreadId>,
    /// The thread that is being walked, and how far.
    pub thread: ThreadId,
    pub rank: u32,
    pub pending: BTreeMap<Key, (NodeId, State)>,
}

impl Round {
    pub fn new(program: &Program) -> Round {
        let builder = Builder::new();
        let mut starts = VecDeque::new();
        if let Some(main) = program.main() {
            starts.push_back(Start {
                thread: ThreadId(0),
                function: main,
                arguments: Vec::new(),
                guard: builder.yes,
                memory: Memory::default(),
                arrays: ArrayMemory::default(),
                parent: None,
            });
        }
        Round {
            builder,
            arrays: Arrays::default(),
            threads: BTreeMap::new(),
            stops: Vec::new(),
            events: 0,
            cells: Vec::new(),
            cell_ids: FxHashMap::default(),
            reads: Vec::new(),
            writes: Vec::new(),
            sites: Vec::new(),
            spans: Vec::new(),
            accesses: 0,
            claims: Claims::default(),
            nodes: Vec::new(),
            first: BTreeMap::new(),
            origins: FxHashMap::default(),
            starts,
            started: FxHashMap::default(),
            has_allocated: FxHashSet::default(),
            thread: ThreadId(0),
            rank: 0,
            pending: BTreeMap::new(),
        }
    }

    /// The last stop of the thread that is being walked.
    pub fn last_stop(&self) -> Option<StopId> {
        self.threads.get(&self.thread).and_then(|thread| thread.stops.last().copied())
    }

    pub fn next_rank(&mut self) -> u32 {
        self.rank += 1;
        self.rank
    }
}

impl Unroller<'_> {
    /// The skeleton of a round that has seen nothing new.
    pub fn finish(&mut self, mut round: Round, budget: &Budget) -> Result<Unrolled, Exhausted> {
        let racing = racing_cells(&round);
        for (cell, object) in racing {
            round.claims.race(object, cell);
        }
        round.claims.deadlock();
        let asked = std::mem::take(&mut round.claims).into_asked();
        let (gaps, violations): (Vec<&Asked>, Vec<&Asked>) =
            asked.iter().partition(|asked| matches!(asked.claim, Claim::Gap { .. }));
        let wanted = violations.into_iter().chain(gaps).flat_map(|asked| conditions(&asked.goal)).collect();
        let goals = asked.iter().map(|asked| asked.goal.clone()).collect();
        let (skeleton, paths) = self.skeleton(round, Vec::new(), goals, wanted, budget)?;
        Ok(Unrolled { skeleton, asked, paths })
    }

    /// What a round has made, with these facts and goals, as far as it matters to some terms.
    pub(super) fn skeleton(
        &mut self,
        mut round: Round,
        facts: Vec<Term>,
        goals: Vec<Goal>,
        wanted: Vec<Term>,
        budget: &Budget,
    ) -> Result<(Skeleton, Paths), Exhausted> {
        let mut skeleton = Skeleton {
            threads: all_threads(std::mem::take(&mut round.threads), round.builder.no),
            terms: round.builder.terms,
            stops: round.stops,
            events: round.events,
            cells: round.cells,
            reads: round.reads,
            writes: round.writes,
            sites: round.sites,
            facts,
            opaque: round.builder.opaque,
            goals,
        };
        slice(&mut skeleton, wanted, budget)?;
        let mut first = vec![None; skeleton.threads.len()];
        for (thread, node) in round.first {
            if let Some(place) = first.get_mut(thread.index()) {
                *place = Some(node);
            }
        }
        let threads = (0..skeleton.threads.len()).map(ThreadId::new);
        let threads = threads.filter_map(|thread| Some((self.objects.tag(Object::Thread(thread))?, thread))).collect();
        Ok((skeleton, Paths { nodes: round.nodes, first, threads, sites: round.spans }))
    }
}

/// Threads by number; one that this round did not start is there, but never started.
fn all_threads(mut threads: BTreeMap<ThreadId, Thread>, no: Term) -> Vec<Thread> {
    let count = threads.keys().next_back().map_or(0, |last| last.index() + 1);
    let absent = || Thread {
        name: String::new(),
        parent: Some(Parent { spawn: StopId(0), started: no }),
        stops: Vec::new(),
        ended: no,
        abandoned: Vec::new(),
    };
    (0..count).map(|thread| threads.remove(&ThreadId::new(thread)).unwrap_or_else(absent)).collect()
}

/// The cells that two threads touch in conflicting ways, with the object that a race would be on.
pub(super) fn racing_cells(round: &Round) -> Vec<(CellId, selvedge_analysis::AbstractObject)> {
    let mut by_cell: BTreeMap<CellId, Touches> = BTreeMap::new();
    for site in &round.sites {
        by_cell.entry(site.cell).or_default().add(site.mode, round.stops[site.stop.index()].thread);
    }
    let racing = by_cell.into_iter().filter(|(_, touches)| touches.conflict());
    racing.filter_map(|(cell, _)| Some((cell, round.cells[cell.index()].object?))).collect()
}

/// Which threads touch a cell in one way, as far as it matters.
#[derive(Clone, Copy, Debug, Default)]
enum Threads {
    #[default]
    None,
    One(ThreadId),
    Several,
}

impl Threads {
    fn add(&mut self, thread: ThreadId) {
        *self = match *self {
            Threads::None => Threads::One(thread),
            Threads::One(known) if known == thread => return,
            Threads::One(_) | Threads::Several => Threads::Several,
        };
    }

    /// Whether there are two different threads, one of each.
    fn differ(self, other: Threads) -> bool {
        match (self, other) {
            (Threads::None, _) | (_, Threads::None) => false,
            (Threads::One(a), Threads::One(b)) => a != b,
            (Threads::Several, _) | (_, Threads::Several) => true,
        }
    }
}

/// How a cell is touched.
#[derive(Clone, Copy, Debug, Default)]
struct Touches {
    plain_writes: Threads,
    plain: Threads,
    writes: Threads,
    all: Threads,
}

impl Touches {
    fn add(&mut self, mode: AccessMode, thread: ThreadId) {
        self.all.add(thread);
        let (writes, plain) = (mode.kind == AccessKind::Write, !mode.atomicity.is_atomic());
        if writes {
            self.writes.add(thread);
        }
        if plain {
            self.plain.add(thread);
        }
        if writes && plain {
            self.plain_writes.add(thread);
        }
    }

    fn conflict(self) -> bool {
        self.plain_writes.differ(self.all) || self.writes.differ(self.plain)
    }
}

fn conditions(goal: &Goal) -> Vec<Term> {
    match goal {
        Goal::Moments(moments) => moments.iter().map(|moment| moment.condition).collect(),
        Goal::Race(_) | Goal::Deadlock | Goal::Atomicity(_) | Goal::Walked { .. } => Vec::new(),
    }
}

/// Leaves out the reads whose value nothing depends on: no path condition, no value written, no goal.
fn slice(skeleton: &mut Skeleton, mut roots: Vec<Term>, budget: &Budget) -> std::result::Result<(), Exhausted> {
    for stop in &skeleton.stops {
        roots.extend([stop.reach, stop.proceeds, stop.blocked]);
    }
    for thread in &skeleton.threads {
        roots.extend(thread.abandoned.iter().map(|moment: &Moment| moment.condition));
        roots.extend(thread.parent.map(|parent| parent.started));
        roots.push(thread.ended);
    }
    roots.extend(skeleton.reads.iter().map(|read| read.enabled));
    roots.extend(skeleton.writes.iter().flat_map(|write| [write.enabled, write.value.tag, write.value.bits]));
    roots.extend(skeleton.sites.iter().flat_map(|site| [site.condition, site.made]));
    roots.extend(skeleton.operands_of(&roots));
    let used: FxHashSet<SymbolId> = skeleton.terms.symbols_of(&roots).into_iter().collect();
    let terms = &skeleton.terms;
    let mut looked = Ok(());
    skeleton.reads.retain(|read| {
        looked = looked.and_then(|()| budget.check());
        let is_used = |symbol: &SymbolId| used.contains(symbol);
        looked.is_err() || terms.symbols_of(&[read.value.tag, read.value.bits]).iter().any(is_used)
    });
    looked
}
