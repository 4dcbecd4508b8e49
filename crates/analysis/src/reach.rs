//! What cannot be reached: functions that no thread runs, and locations behind branches that never pass or calls that
//! never return. No data is looked at.

use crate::PointsTo;
use crate::call_graph::CallGraph;
use selvedge_program::{Action, CodeLocation, EdgeId, Expr, FunctionId, Program};

/// Where threads may be.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// By function and location.
    locations: Vec<Vec<bool>>,
}

impl Reach {
    /// Finds it for a program, from `main` on.
    pub fn of(program: &Program, points_to: &PointsTo) -> Reach {
        let graph = &CallGraph::of(program, points_to);
        let mut search = Search {
            program,
            graph,
            returns: vec![false; graph.list_count()],
            is_pending: vec![false; program.functions.len()],
            pending: Vec::new(),
            reach: Reach {
                locations: program.functions.iter().map(|function| vec![false; function.locations.len()]).collect(),
            },
        };
        program.main().into_iter().for_each(|main| search.enter(main));
        while let Some(function) = search.pending.pop() {
            search.is_pending[function.index()] = false;
            search.go_through(function);
        }
        search.reach
    }

    /// Whether a thread may be at a location.
    pub fn is_reached(&self, at: CodeLocation) -> bool {
        self.locations.get(at.function.index()).and_then(|locations| locations.get(at.location.index())) == Some(&true)
    }

    /// Whether a thread may run a function.
    pub fn is_run(&self, program: &Program, function: FunctionId) -> bool {
        self.is_reached(CodeLocation { function, location: program.function(function).entry })
    }
}

fn passes(action: &Action) -> bool {
    !matches!(action, Action::Assume(condition) if *condition == Expr::falsehood())
}

struct Search<'a> {
    program: &'a Program,
    graph: &'a CallGraph<'a>,
    /// By list of functions, whether one returns.
    returns: Vec<bool>,
    pending: Vec<FunctionId>,
    is_pending: Vec<bool>,
    reach: Reach,
}

impl Search<'_> {
    fn enter(&mut self, function: FunctionId) {
        let entry = self.program.function(function).entry;
        if !self.reach.locations[function.index()][entry.index()] {
            self.reach.locations[function.index()][entry.index()] = true;
            self.look_at(function);
        }
    }

    fn look_at(&mut self, function: FunctionId) {
        if !std::mem::replace(&mut self.is_pending[function.index()], true) {
            self.pending.push(function);
        }
    }

    /// Goes on from all locations of a function that are reached.
    fn go_through(&mut self, function: FunctionId) {
        let definition = self.program.function(function);
        let is_reached = |search: &Self, location: usize| search.reach.locations[function.index()][location];
        let mut here: Vec<usize> =
            (0..definition.locations.len()).filter(|location| is_reached(self, *location)).collect();
        while let Some(location) = here.pop() {
            for id in &definition.locations[location].outgoing {
                let edge = definition.edge(*id);
                let goes_on = passes(&edge.action) && edge.action.falls_through() && self.comes_back(function, *id);
                if matches!(edge.action, Action::Return { .. }) {
                    self.note_return(function);
                }
                let target = edge.target.index();
                if goes_on && !std::mem::replace(&mut self.reach.locations[function.index()][target], true) {
                    here.push(target);
                }
            }
        }
    }

    /// Enters what an edge calls or starts; whether control gets past it, as far as is known.
    fn comes_back(&mut self, function: FunctionId, edge: EdgeId) -> bool {
        let graph = self.graph;
        let started = graph.spawns(function).iter().filter(|site| site.edge == edge);
        started.flat_map(|site| site.callees).for_each(|callee| self.enter(*callee));
        let Some(list) = graph.list_at(function, edge) else { return true };
        graph.functions(list).iter().for_each(|callee| self.enter(*callee));
        self.returns[list.index()]
    }

    fn note_return(&mut self, function: FunctionId) {
        let graph = self.graph;
        for list in graph.containing(function) {
            if !std::mem::replace(&mut self.returns[list.index()], true) {
                graph.callers(*list).iter().for_each(|caller| self.look_at(*caller));
            }
        }
    }
}
