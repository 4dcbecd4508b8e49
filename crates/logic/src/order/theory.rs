//! The order theory as the satisfiability solver sees it: literals come and go with the search, cycles become clauses.
//!
//! Assigned literals are only noted down; their edges enter the graph when the solver asks what follows. So a backtrack
//! that comes first costs nothing.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::graph::{Around, Reachability};
use crate::proof::Recorder;
use crate::sat::{Lit, Theory};

/// What the theory has done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OrderStatistics {
    pub events: u64,
    pub edges: u64,
    /// Edges that entered the graph during search.
    pub insertions: u64,
    /// Cycles found.
    pub cycles: u64,
    /// Literals of those cycles' clauses.
    pub cycle_literals: u64,
    /// Edges set to false because they would close a cycle.
    pub forced: u64,
    /// Forced edges whose clause was needed.
    pub explained: u64,
}

#[derive(Debug, Clone, Copy)]
struct Edge {
    /// `None`: always true.
    literal: Option<Lit>,
    from: u32,
    to: u32,
}

/// An edge that can become true, seen from one end: its number and the event at the other end.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    edge: u32,
    other: u32,
}

/// No place in the trail.
const UNASSIGNED: u32 = u32::MAX;

/// Edges that are always true count as older than every assignment.
const ALWAYS: u32 = 0;

#[derive(Debug, Default)]
pub(crate) struct OrderTheory {
    graph: Reachability,
    edges: Vec<Edge>,
    /// For each literal of an edge (by index), its edges.
    edges_of: FxHashMap<Lit, Vec<u32>>,
    /// Edges with a literal, by the event they leave and by the event they arrive at.
    leaving: Vec<Vec<Candidate>>,
    arriving: Vec<Vec<Candidate>>,
    /// The observed literals that are true, in the order of assignment, and where each level starts.
    trail: Vec<Lit>,
    levels: Vec<usize>,
    /// A literal's place in the trail plus one, by its index.
    places: Vec<u32>,
    /// Literals of the trail whose edges are in the graph.
    done: usize,
    /// Edges in the graph because of the trail, in the order of insertion; each with its literal's place plus one.
    inserted: Vec<(u32, u32)>,
    /// For each edge, the place of the literal that brought it into the graph, plus one; [`ALWAYS`] for permanent ones.
    entered: Vec<u32>,
    conflict: Option<Vec<u32>>,
    forced: VecDeque<u32>,
    recorder: Option<Rc<RefCell<Recorder>>>,
    around: Around,
    statistics: OrderStatistics,
}

impl OrderTheory {
    pub fn new(recorder: Option<Rc<RefCell<Recorder>>>) -> Self {
        OrderTheory { recorder, ..OrderTheory::default() }
    }

    pub fn event_count(&self) -> usize {
        self.graph.len()
    }

    pub fn add_event(&mut self) -> u32 {
        self.graph.add_event();
        self.leaving.push(Vec::new());
        self.arriving.push(Vec::new());
        self.statistics.events += 1;
        self.graph.len() as u32 - 1
    }

    pub fn statistics(&self) -> OrderStatistics {
        self.statistics
    }

    /// The events in an order that agrees with all true edges.
    pub fn linearisation(&self) -> Vec<u32> {
        let mut events: Vec<u32> = (0..self.graph.len() as u32).collect();
        events.sort_unstable_by_key(|&event| self.graph.rank(event));
        events
    }

    /// Adds an edge that is true while the literal is.
    pub fn add_edge(&mut self, literal: Lit, from: u32, to: u32) -> u32 {
        let edge = self.new_edge(Some(literal), from, to);
        self.edges_of.entry(literal).or_default().push(edge);
        self.leaving[from as usize].push(Candidate { edge, other: to });
        self.arriving[to as usize].push(Candidate { edge, other: from });
        let reach = literal.index().max((!literal).index()) + 1;
        if self.places.len() < reach {
            self.places.resize(reach, 0);
        }
        if let Some(place) = self.place(literal) {
            self.take_back(place);
        }
        edge
    }

    /// Adds an edge that is always true. When that closes a cycle of such edges, gives the cycle.
    pub fn add_permanent(&mut self, from: u32, to: u32) -> Option<Vec<u32>> {
        self.take_back(0);
        let edge = self.new_edge(None, from, to);
        match self.graph.insert(edge, from, to) {
            Ok(()) => {
                self.entered[edge as usize] = ALWAYS;
                None
            }
            Err(_) => self.closed_by(edge, UNASSIGNED),
        }
    }

    fn new_edge(&mut self, literal: Option<Lit>, from: u32, to: u32) -> u32 {
        let edge = self.edges.len() as u32;
        self.edges.push(Edge { literal, from, to });
        self.entered.push(UNASSIGNED);
        self.statistics.edges += 1;
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().edge(literal.map_or(0, Lit::dimacs), from, to);
        }
        edge
    }

    fn place(&self, literal: Lit) -> Option<usize> {
        (*self.places.get(literal.index())? as usize).checked_sub(1)
    }

    fn is_assigned(&self, literal: Lit) -> bool {
        self.place(literal).is_some() || self.place(!literal).is_some()
    }

    /// Takes the edges of the trail from this place on out of the graph.
    fn take_back(&mut self, place: usize) {
        while let Some(&(edge, entered)) = self.inserted.last() {
            if (entered as usize) <= place {
                break;
            }
            self.inserted.pop();
            let Edge { from, to, .. } = self.edges[edge as usize];
            self.graph.remove_last(from, to);
            self.entered[edge as usize] = UNASSIGNED;
        }
        self.done = self.done.min(place);
        self.conflict = None;
        self.forced.clear();
    }

    /// Brings the edges of all assigned literals into the graph, up to the first cycle.
    fn catch_up(&mut self) {
        while self.conflict.is_none() && self.done < self.trail.len() {
            let literal = self.trail[self.done];
            let entered = self.done as u32 + 1;
            let count = self.edges_of.get(&literal).map_or(0, Vec::len);
            for number in 0..count {
                let Some(&edge) = self.edges_of.get(&literal).and_then(|edges| edges.get(number)) else { break };
                // After a conflict that the solver has resolved otherwise, a literal may be taken up a second time.
                if self.entered[edge as usize] != UNASSIGNED {
                    continue;
                }
                let Edge { from, to, .. } = self.edges[edge as usize];
                // An edge that only shortens a path forces nothing new.
                let implied = self.graph.reaches(from, to);
                if self.graph.insert(edge, from, to).is_err() {
                    self.statistics.cycles += 1;
                    self.conflict = self.closed_by(edge, UNASSIGNED);
                    debug_assert!(self.conflict.is_some());
                    return;
                }
                self.statistics.insertions += 1;
                self.entered[edge as usize] = entered;
                self.inserted.push((edge, entered));
                if !implied {
                    self.look_ahead(from, to);
                }
            }
            self.done += 1;
        }
    }

    /// Finds the edges that the new one forces to be false: those from an event it reaches to one that reaches it. All
    /// of them: looking at the nearest ones only was measured to cost far more in conflicts than it saves in search.
    fn look_ahead(&mut self, from: u32, to: u32) {
        let mut around = std::mem::take(&mut self.around);
        self.graph.search_around(from, to, &mut around);
        // The edges are listed at both ends: look through those at the side with fewer events.
        let (listed, candidates) = match around.later.len() <= around.earlier.len() {
            true => (&around.later, &self.leaving),
            false => (&around.earlier, &self.arriving),
        };
        for &event in listed {
            for &Candidate { edge, other } in &candidates[event as usize] {
                if around.is_opposite(other) {
                    let literal = self.edges[edge as usize].literal;
                    if literal.is_some_and(|literal| !self.is_assigned(literal)) {
                        self.forced.push_back(edge);
                    }
                }
            }
        }
        self.around = around;
    }

    /// The edge and a shortest path from its end to its start, over edges that entered the graph before `limit`;
    /// permanent edges count nothing. The edges in the order of the cycle; `None` if there is no such path.
    fn closed_by(&mut self, edge: u32, limit: u32) -> Option<Vec<u32>> {
        let Edge { from, to, .. } = self.edges[edge as usize];
        let search = self.graph.fresh_search();
        let mut came_by: FxHashMap<u32, u32> = FxHashMap::default();
        // The front of the queue is at distance d, the rest at d or d + 1.
        let mut queue = VecDeque::from([(to, None)]);
        while let Some((event, by)) = queue.pop_front() {
            if !self.graph.mark(event, search) {
                continue;
            }
            if let Some(by) = by {
                came_by.insert(event, by);
            }
            if event == from {
                break;
            }
            for arc in self.graph.after(event) {
                if self.graph.found_by(arc.event, search) || self.entered[arc.edge as usize] >= limit {
                    continue;
                }
                match self.edges[arc.edge as usize].literal {
                    None => queue.push_front((arc.event, Some(arc.edge))),
                    Some(_) => queue.push_back((arc.event, Some(arc.edge))),
                }
            }
        }
        let mut cycle = vec![edge];
        let mut event = from;
        while event != to {
            let &by = came_by.get(&event)?;
            cycle.push(by);
            event = self.edges[by as usize].from;
        }
        cycle.reverse();
        Some(cycle)
    }

    /// The clause that denies a cycle, which is written into the proof with it.
    fn clause(&self, cycle: &[u32]) -> Vec<Lit> {
        let mut clause: Vec<Lit> = Vec::with_capacity(cycle.len());
        for &edge in cycle {
            if let Some(literal) = self.edges[edge as usize].literal
                && !clause.contains(&!literal)
            {
                clause.push(!literal);
            }
        }
        self.justify(cycle);
        clause
    }

    /// Announces to the proof that the next clause is there because of this cycle.
    pub fn justify(&self, cycle: &[u32]) {
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().justify(cycle.iter().map(|edge| edge + 1).collect());
        }
    }
}

impl Theory for OrderTheory {
    fn assign(&mut self, literal: Lit) {
        // Assignments that hold for ever may be told more than once.
        if self.place(literal).is_some() {
            return;
        }
        let reach = literal.index().max((!literal).index()) + 1;
        if self.places.len() < reach {
            self.places.resize(reach, 0);
        }
        self.trail.push(literal);
        self.places[literal.index()] = self.trail.len() as u32;
    }

    fn push(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn pop_to(&mut self, level: usize) {
        let Some(&place) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        for literal in self.trail.drain(place..) {
            self.places[literal.index()] = 0;
        }
        self.take_back(place);
    }

    fn lemma(&mut self) -> Option<Vec<Lit>> {
        self.catch_up();
        let cycle = self.conflict.take()?;
        let clause = self.clause(&cycle);
        self.statistics.cycle_literals += clause.len() as u64;
        Some(clause)
    }

    fn propagate(&mut self) -> Option<Lit> {
        self.catch_up();
        if self.conflict.is_some() {
            return None;
        }
        while let Some(edge) = self.forced.pop_front() {
            let literal = self.edges[edge as usize].literal?;
            if !self.is_assigned(literal) {
                self.statistics.forced += 1;
                return Some(!literal);
            }
        }
        None
    }

    fn reason(&mut self, literal: Lit) -> Vec<Lit> {
        self.statistics.explained += 1;
        // Only what was true before the literal explains it.
        let limit = self.place(literal).map_or(UNASSIGNED, |place| place as u32 + 1);
        let edges = self.edges_of.get(&!literal).cloned().unwrap_or_default();
        match edges.into_iter().find_map(|edge| self.closed_by(edge, limit)) {
            Some(cycle) => self.clause(&cycle),
            None => panic!("no cycle explains the literal {}", literal.dimacs()),
        }
    }
}
