//! Where threads are alone, and what runs at most once.
//!
//! A thread is *alone* at a location if no other thread was ever started when one is there: before the first start, in
//! the initial thread. Other threads may be there after a start, in every thread that was started, and from there on;
//! a call that starts none leaves its caller alone.

use std::collections::BTreeSet;

use selvedge_analysis::PointsTo;
use selvedge_program::{Callee, EdgeId, Function, FunctionId, LocationId, Program, Transfer};

/// A call or a start.
#[derive(Debug)]
pub struct Entering {
    pub at: (FunctionId, EdgeId),
    /// The location that it leaves.
    pub source: LocationId,
    pub is_start: bool,
    /// Whom it may enter.
    pub entered: Vec<FunctionId>,
}

/// What is known of the lives of threads.
#[derive(Debug)]
pub struct Life {
    /// All calls and starts, by function, in the order of edges.
    pub entering: Vec<Vec<Entering>>,
    /// By function: whether some thread may run it.
    pub is_run: Vec<bool>,
    /// By function: whether threads may be started with it.
    pub is_started: Vec<bool>,
    has_company: Vec<Vec<bool>>,
    /// By function: whether it is entered at most once in an execution, and if so, which locations are on no cycle.
    once: Vec<Option<Vec<bool>>>,
    /// The edges that start threads, with the locations that they leave: those of one have its place in the list, and
    /// one more, as their number. The initial thread has the number 0.
    pub starts: Vec<(FunctionId, EdgeId, LocationId)>,
    /// By function: the numbers of the threads that may run it.
    runners: Vec<BTreeSet<u32>>,
}

impl Life {
    /// Finds out; `None` for a program without a beginning.
    pub fn of(program: &Program, points_to: &PointsTo) -> Option<Life> {
        let main = program.main()?;
        let entering: Vec<Vec<Entering>> = program
            .functions
            .iter()
            .enumerate()
            .map(|(index, function)| entering(points_to, FunctionId::new(index), function))
            .collect();
        let mut life = Life {
            is_run: reached(&entering, &[main], Follow::Everything),
            has_company: program.functions.iter().map(|function| vec![false; function.locations.len()]).collect(),
            once: vec![None; program.functions.len()],
            starts: Vec::new(),
            runners: vec![BTreeSet::new(); program.functions.len()],
            is_started: is_started(&entering),
            entering,
        };
        life.find_company(program);
        life.find_once(program, main);
        life.find_runners(main);
        Some(life)
    }

    /// Whether other threads may have been started when a thread is at a location.
    pub fn has_company(&self, function: FunctionId, location: LocationId) -> bool {
        self.has_company[function.index()][location.index()]
    }

    /// The functions that an edge may enter; none if it is no call and no start.
    pub fn entered(&self, function: FunctionId, edge: EdgeId) -> &[FunctionId] {
        let entering = &self.entering[function.index()];
        let position = entering.binary_search_by_key(&edge, |entering| entering.at.1);
        position.map_or(&[], |position| &entering[position].entered)
    }

    /// Whether a location is left at most once in an execution.
    pub fn is_once(&self, function: FunctionId, location: LocationId) -> bool {
        self.once[function.index()].as_ref().is_some_and(|is_straight| is_straight[location.index()])
    }

    /// The numbers of the threads that may run a function.
    pub fn runners(&self, function: FunctionId) -> &BTreeSet<u32> {
        &self.runners[function.index()]
    }

    /// Whether only the initial thread runs a function.
    pub fn is_initial_only(&self, function: FunctionId) -> bool {
        self.runners[function.index()].iter().all(|thread| *thread == 0)
    }

    fn find_company(&mut self, program: &Program) {
        let starts = starting(&self.entering);
        let mut pending: Vec<(FunctionId, LocationId)> = Vec::new();
        let mut has_company = std::mem::take(&mut self.has_company);
        let mut arrive = |pending: &mut Vec<_>, function: FunctionId, location: LocationId| {
            if !std::mem::replace(&mut has_company[function.index()][location.index()], true) {
                pending.push((function, location));
            }
        };
        for entering in self.entering.iter().flatten() {
            let (function, edge) = entering.at;
            if entering.is_start || entering.entered.iter().any(|entered| starts[entered.index()]) {
                arrive(&mut pending, function, program.function(function).edge(edge).target);
            }
            if entering.is_start {
                for entered in &entering.entered {
                    arrive(&mut pending, *entered, program.function(*entered).entry);
                }
            }
        }
        while let Some((id, location)) = pending.pop() {
            let function = program.function(id);
            for edge in &function.location(location).outgoing {
                let target = function.edge(*edge).target;
                if function.edge(*edge).action.falls_through() {
                    arrive(&mut pending, id, target);
                }
                for entered in self.entered(id, *edge) {
                    arrive(&mut pending, *entered, program.function(*entered).entry);
                }
            }
        }
        self.has_company = has_company;
    }

    /// `main` runs once unless it is called; so does what is called at one place that is passed once.
    fn find_once(&mut self, program: &Program, main: FunctionId) {
        let mut entered: Vec<Vec<(FunctionId, LocationId)>> = vec![Vec::new(); program.functions.len()];
        for entering in self.entering.iter().flatten().filter(|entering| self.is_run[entering.at.0.index()]) {
            let place = (entering.at.0, entering.source);
            entering.entered.iter().for_each(|function| entered[function.index()].push(place));
        }
        let mut pending = vec![main];
        while let Some(function) = pending.pop() {
            let is_once = match entered[function.index()].as_slice() {
                [] => function == main,
                [(caller, location)] => function != main && self.is_once(*caller, *location),
                _ => false,
            };
            if is_once && self.once[function.index()].is_none() {
                self.once[function.index()] = Some(straight(program.function(function)));
                let callees = self.entering[function.index()].iter().flat_map(|entering| &entering.entered);
                pending.extend(callees.copied());
            }
        }
    }

    fn find_runners(&mut self, main: FunctionId) {
        let starts = self.entering.iter().flatten().filter(|entering| entering.is_start);
        let starts: Vec<&Entering> = starts.filter(|start| self.is_run[start.at.0.index()]).collect();
        let first = [main];
        let entries = [first.as_slice()].into_iter().chain(starts.iter().map(|start| start.entered.as_slice()));
        for (number, entries) in (0..).zip(entries) {
            let reached = reached(&self.entering, entries, Follow::Calls);
            for (runners, _) in self.runners.iter_mut().zip(reached).filter(|(_, is_reached)| *is_reached) {
                runners.insert(number);
            }
        }
        self.starts = starts.into_iter().map(|start| (start.at.0, start.at.1, start.source)).collect();
    }
}

/// The calls and starts of a function.
fn entering(points_to: &PointsTo, id: FunctionId, function: &Function) -> Vec<Entering> {
    let entering = |(index, edge): (usize, &selvedge_program::Edge)| {
        let (callee, is_start) = match edge.action.transfer() {
            Transfer::Call { callee, .. } => (callee, false),
            Transfer::Spawn { entry, .. } => (entry, true),
            Transfer::Along
            | Transfer::Return { .. }
            | Transfer::ThreadExit { .. }
            | Transfer::Exit { .. }
            | Transfer::AtomicBegin
            | Transfer::AtomicEnd
            | Transfer::Unknown => return None,
        };
        let at = (id, EdgeId::new(index));
        let entered = match callee {
            Callee::Direct(function) => vec![*function],
            Callee::Indirect(_) => points_to.callees(at.0, at.1).to_vec(),
        };
        Some(Entering { at, source: edge.source, is_start, entered })
    };
    function.edges.iter().enumerate().filter_map(entering).collect()
}

/// By function, whether threads may be started with it.
fn is_started(entering: &[Vec<Entering>]) -> Vec<bool> {
    let mut is_started = vec![false; entering.len()];
    for start in entering.iter().flatten().filter(|entering| entering.is_start) {
        start.entered.iter().for_each(|function| is_started[function.index()] = true);
    }
    is_started
}

/// What is followed from one function to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follow {
    /// Calls.
    Calls,
    /// Calls and starts.
    Everything,
}

/// By function, whether it is reached from some.
fn reached(entering: &[Vec<Entering>], from: &[FunctionId], follow: Follow) -> Vec<bool> {
    let mut is_reached = vec![false; entering.len()];
    let mut pending = from.to_vec();
    while let Some(function) = pending.pop() {
        if !std::mem::replace(&mut is_reached[function.index()], true) {
            let ways = entering[function.index()].iter();
            let ways = ways.filter(|entering| follow == Follow::Everything || !entering.is_start);
            pending.extend(ways.flat_map(|entering| &entering.entered).copied());
        }
    }
    is_reached
}

/// By function, whether a thread that runs it may start others.
fn starting(entering: &[Vec<Entering>]) -> Vec<bool> {
    let mut callers: Vec<Vec<FunctionId>> = vec![Vec::new(); entering.len()];
    let mut pending = Vec::new();
    for entering in entering.iter().flatten() {
        if entering.is_start {
            pending.push(entering.at.0);
        } else {
            entering.entered.iter().for_each(|callee| callers[callee.index()].push(entering.at.0));
        }
    }
    let mut starts = vec![false; entering.len()];
    while let Some(function) = pending.pop() {
        if !std::mem::replace(&mut starts[function.index()], true) {
            pending.extend(&callers[function.index()]);
        }
    }
    starts
}

/// By location of a function, whether it is on no cycle (Tarjan 1972, without recursion).
fn straight(function: &Function) -> Vec<bool> {
    let count = function.locations.len();
    let mut ways = vec![Vec::new(); count];
    for edge in function.edges.iter().filter(|edge| edge.action.falls_through()) {
        ways[edge.source.index()].push(edge.target.index());
    }
    let (mut number, mut low) = (vec![usize::MAX; count], vec![usize::MAX; count]);
    let (mut is_open, mut open, mut next) = (vec![false; count], Vec::new(), 0);
    let mut is_straight = vec![true; count];
    for root in 0..count {
        if number[root] != usize::MAX {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((node, way)) = path.pop() {
            if way == 0 {
                (number[node], low[node]) = (next, next);
                next += 1;
                open.push(node);
                is_open[node] = true;
            }
            if let Some(&target) = ways[node].get(way) {
                path.push((node, way + 1));
                if number[target] == usize::MAX {
                    path.push((target, 0));
                } else if is_open[target] {
                    low[node] = low[node].min(number[target]);
                }
                continue;
            }
            if low[node] == number[node] {
                let first = open.iter().rposition(|other| *other == node).unwrap_or_default();
                let component = open.split_off(first);
                component.iter().for_each(|member| is_open[*member] = false);
                if component.len() > 1 || ways[node].contains(&node) {
                    component.iter().for_each(|member| is_straight[*member] = false);
                }
            }
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    is_straight
}
