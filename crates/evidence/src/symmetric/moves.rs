//! The steps that may lead into a configuration, and who takes them.
//!
//! Threads of a configuration are those that matter later. Such a thread is at a place that is not *settled* (its next
//! step neither touches nor depends on anything that others can change, or it is in an atomic section) only until its
//! next step: such a step commutes with those of others, fails wherever it fails, and so can be taken at once; and
//! within an atomic section nobody else moves. So while one of them is at such a place, it was that one that moved
//! last. Where a thread begins counts as settled.

use std::collections::BTreeSet;

use selvedge_logic::Term;
use selvedge_program::{EdgeId, FunctionId};
use selvedge_symbolic::threads::{Arc, ArcKind, NodeId, View, Who};

/// A step, by what its effect depends on.
pub type StepKey = (FunctionId, EdgeId, ArcKind);

/// Where a thread is: its template, and the place.
pub type At = (usize, NodeId);

/// A step into a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub step: StepKey,
    /// Where the active thread was before.
    pub source: At,
    /// Which thread of the configuration it is; `None` if it is none of them.
    pub active: Option<usize>,
    /// Where it is afterwards; nowhere, if it has ended.
    pub target: Option<NodeId>,
    /// Which thread of the configuration it starts.
    pub started: Option<usize>,
    /// Of which template it joins a thread, where joins are told apart.
    pub joined: Option<usize>,
    /// Whether it may join a thread, and it is told whether it does.
    pub tells_joins: bool,
}

impl Move {
    /// Who a thread of the configuration is, after the step.
    pub fn who(&self, thread: usize) -> Who {
        if self.active == Some(thread) {
            Who::Own
        } else if self.started == Some(thread) {
            Who::Started
        } else {
            Who::Passive(thread as u8)
        }
    }

    /// The threads that there are before the step, and where; the active one first.
    pub fn before(&self, places: &[At]) -> Vec<(Who, At)> {
        let passive = (0..places.len()).filter(|thread| ![self.active, self.started].contains(&Some(*thread)));
        let passive = passive.map(|thread| (Who::Passive(thread as u8), places[thread]));
        std::iter::once((Who::Own, self.source)).chain(passive).collect()
    }
}

/// The control flow of all templates, backwards.
#[derive(Debug)]
pub struct Map {
    /// The arcs into each place, by template.
    incoming: Vec<Vec<Vec<Arc>>>,
    arcs: Vec<Vec<Arc>>,
    functions: Vec<Vec<FunctionId>>,
    entries: Vec<FunctionId>,
    settled: Vec<Vec<bool>>,
    single: Vec<bool>,
    /// Whether a step that may join a thread is one step for each template that the thread may be of, and one that joins
    /// none. (It is one step that says nothing of that otherwise.)
    pub tells_joins: bool,
    joins: BTreeSet<(FunctionId, EdgeId)>,
}

/// `main`'s template, of which there is one thread.
pub const MAIN: usize = 0;

/// Where every thread begins.
pub const FIRST: NodeId = NodeId(0);

impl Map {
    pub fn new(view: &mut View<'_>) -> Map {
        let mut map = Map {
            incoming: Vec::new(),
            arcs: Vec::new(),
            functions: Vec::new(),
            entries: view.universe.templates.iter().map(|(entry, _)| *entry).collect(),
            settled: Vec::new(),
            single: Vec::new(),
            tells_joins: false,
            joins: BTreeSet::new(),
        };
        for template in 0..map.entries.len() {
            let unfolded = view.universe.unfolded(template);
            debug_assert_eq!(unfolded.first(), FIRST);
            let mut incoming = vec![Vec::new(); unfolded.nodes.len()];
            for arc in &unfolded.arcs {
                if let Some(target) = arc.target {
                    incoming[target.0 as usize].push(*arc);
                }
            }
            let nodes = unfolded.nodes.len();
            map.arcs.push(unfolded.arcs.clone());
            map.functions.push(unfolded.nodes.iter().map(|node| node.function).collect());
            map.incoming.push(incoming);
            let settled = (0..nodes).map(|node| {
                let node = NodeId(node as u32);
                node == FIRST || view.is_visible(template, node) || depends_on_others(view, template, node)
            });
            map.settled.push(settled.collect());
        }
        map.find_single();
        map.find_joins(view);
        map
    }

    /// Finds the steps that may join a thread.
    fn find_joins(&mut self, view: &mut View<'_>) {
        for (_, step) in self.steps().collect::<Vec<_>>() {
            if view.moved(Who::Own, step.0, step.1, step.2).joined.is_some() {
                self.joins.insert((step.0, step.1));
            }
        }
    }

    /// Finds of which templates there is one thread at most: of `main`'s; and of one that only a template of one thread
    /// starts, whose control flow does not lead from where it is started to where it is started.
    fn find_single(&mut self) {
        self.single = (0..self.entries.len()).map(|template| template == MAIN).collect();
        let is_once = |map: &Map, template: usize| !map.single[template] && map.is_started_once(template);
        while let Some(template) = (0..self.entries.len()).find(|template| is_once(self, *template)) {
            self.single[template] = true;
        }
    }

    fn is_started_once(&self, template: usize) -> bool {
        let starts = ArcKind::Spawn(self.entries[template]);
        let starting = |by: usize| self.arcs[by].iter().filter(move |arc| arc.kind == starts);
        let mut who = (0..self.arcs.len()).filter(|by| starting(*by).next().is_some());
        let Some(by) = who.next() else { return true };
        if who.next().is_some() || !self.single[by] {
            return false;
        }
        let mut after = vec![false; self.functions[by].len()];
        let mut pending: Vec<NodeId> = starting(by).filter_map(|arc| arc.target).collect();
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut after[node.0 as usize], true) {
                let outgoing = self.arcs[by].iter().filter(|arc| arc.source == node);
                pending.extend(outgoing.filter_map(|arc| arc.target));
            }
        }
        !starting(by).any(|arc| after[arc.source.0 as usize])
    }

    /// Whether there is at most one thread of a template.
    pub fn is_single(&self, template: usize) -> bool {
        self.single[template]
    }

    /// The function that threads of a template begin with.
    pub fn entry(&self, template: usize) -> FunctionId {
        self.entries[template]
    }

    /// Whether others may move while a thread that matters later is there.
    pub fn is_settled(&self, (template, node): At) -> bool {
        self.settled[template][node.0 as usize]
    }

    /// All steps of all templates, with where they are taken.
    pub fn steps(&self) -> impl Iterator<Item = (At, StepKey)> + '_ {
        (0..self.arcs.len()).flat_map(move |template| {
            self.arcs[template].iter().map(move |arc| ((template, arc.source), self.step(template, *arc)))
        })
    }

    fn step(&self, template: usize, arc: Arc) -> StepKey {
        (self.functions[template][arc.source.0 as usize], arc.edge, arc.kind)
    }

    /// The steps that may lead into a configuration whose threads are there: none, if there are two of a template of
    /// one thread.
    pub fn moves(&self, places: &[At]) -> Vec<Move> {
        let count = |template: usize| places.iter().filter(|(other, _)| *other == template).count();
        if places.iter().any(|(template, _)| self.single[*template] && count(*template) > 1) {
            return Vec::new();
        }
        let mut moves = Vec::new();
        if let Some(unsettled) = places.iter().position(|at| !self.is_settled(*at)) {
            self.by_thread(places, unsettled, &mut moves);
            return moves;
        }
        for thread in 0..places.len() {
            self.by_thread(places, thread, &mut moves);
        }
        for template in (0..self.arcs.len()).filter(|template| !self.single[*template] || count(*template) == 0) {
            for arc in &self.arcs[template] {
                self.push(places, (template, *arc), None, &mut moves);
            }
        }
        moves
    }

    fn by_thread(&self, places: &[At], thread: usize, moves: &mut Vec<Move>) {
        let (template, node) = places[thread];
        for arc in &self.incoming[template][node.0 as usize] {
            self.push(places, (template, *arc), Some(thread), moves);
        }
    }

    fn push(&self, places: &[At], (template, arc): (usize, Arc), active: Option<usize>, moves: &mut Vec<Move>) {
        let step = self.step(template, arc);
        let source = (template, arc.source);
        let tells_joins = self.tells_joins && self.joins.contains(&(step.0, step.1));
        let plain = Move { step, source, active, target: arc.target, started: None, joined: None, tells_joins };
        moves.push(plain);
        if tells_joins {
            // The only thread of a template has not ended while it is there.
            let is_there = |joined: usize| joined == template || places.iter().any(|(other, _)| *other == joined);
            let joined = (0..self.arcs.len()).filter(|joined| !self.single[*joined] || !is_there(*joined));
            moves.extend(joined.map(|joined| Move { joined: Some(joined), ..plain }));
        }
        if let ArcKind::Spawn(entry) = arc.kind {
            let is_new = |thread: &usize| {
                let (template, node) = places[*thread];
                self.entries[template] == entry && node == FIRST && Some(*thread) != active
            };
            moves.extend((0..places.len()).filter(is_new).map(|thread| Move { started: Some(thread), ..plain }));
        }
    }
}

/// Whether a step from a place outside atomic sections depends on what other threads can change: whether a local of
/// `main` is still alive, if nothing else.
fn depends_on_others(view: &mut View<'_>, template: usize, node: NodeId) -> bool {
    let unfolded = view.universe.unfolded(template);
    let at = unfolded.get(node);
    let arcs: Vec<Arc> = unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc)).collect();
    at.sections == 0
        && arcs.into_iter().any(|arc| {
            let moved = view.moved(Who::Own, at.function, arc.edge, arc.kind);
            let mut terms: Vec<Term> = vec![moved.enabled];
            terms.extend(moved.troubles.iter().map(|(when, _)| *when));
            terms.extend(moved.violations.iter().map(|(when, _)| *when));
            terms.extend(moved.locals.values().flat_map(|word| [word.tag, word.bits]));
            !moved.cells.is_empty() || !view.cells_in(&terms).is_empty()
        })
}
