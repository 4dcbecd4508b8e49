//! Tidying a control-flow automaton: edges that do nothing are skipped, unreachable locations dropped, the rest
//! renumbered in depth-first order from the entry, so that equal sources give equal automata.

use selvedge_program::{Action, EdgeId, Expr, Function, Location, LocationId};

/// The same automaton without detours and dead code.
pub fn tidy(function: Function) -> Function {
    let target = ends_of_jumps(&function);
    let mut order: Vec<Option<LocationId>> = vec![None; function.locations.len()];
    let mut locations: Vec<Location> = Vec::new();
    let mut sources: Vec<LocationId> = Vec::new();
    let mut stack = vec![target[function.entry.index()]];
    while let Some(at) = stack.pop() {
        if order[at.index()].is_some() {
            continue;
        }
        order[at.index()] = Some(LocationId::new(locations.len()));
        locations.push(Location { outgoing: Vec::new(), label: function.location(at).label.clone() });
        sources.push(at);
        for edge in function.location(at).outgoing.iter().rev() {
            stack.push(target[function.edge(*edge).target.index()]);
        }
    }
    let mut edges = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        for edge in &function.location(*source).outgoing {
            let mut edge = function.edge(*edge).clone();
            let Some(end) = order[target[edge.target.index()].index()] else { continue };
            edge.source = LocationId::new(at);
            edge.target = end;
            locations[at].outgoing.push(EdgeId::new(edges.len()));
            edges.push(edge);
        }
    }
    Function { locations, edges, entry: LocationId(0), ..function }
}

/// Where one arrives from each location by following unconditional jumps that do nothing; a cycle of such jumps stays
/// at one of its locations, and so does a labelled location, which users may refer to. Every jump is followed once.
fn ends_of_jumps(function: &Function) -> Vec<LocationId> {
    let mut ends: Vec<Option<LocationId>> = vec![None; function.locations.len()];
    let mut path = Vec::new();
    for start in 0..function.locations.len() {
        let mut at = LocationId::new(start);
        let end = loop {
            if let Some(end) = ends[at.index()] {
                break end;
            }
            ends[at.index()] = Some(at);
            path.push(at);
            match jump(function, at) {
                Some(next) => at = next,
                None => break at,
            }
        };
        for passed in path.drain(..) {
            ends[passed.index()] = Some(end);
        }
    }
    ends.into_iter().enumerate().map(|(at, end)| end.unwrap_or(LocationId::new(at))).collect()
}

/// The target of the jump that a location consists of.
fn jump(function: &Function, at: LocationId) -> Option<LocationId> {
    let location = function.location(at);
    let [edge] = location.outgoing.as_slice() else { return None };
    let edge = function.edge(*edge);
    let is_jump =
        location.label.is_none() && matches!(&edge.action, Action::Assume(condition) if *condition == Expr::truth());
    is_jump.then_some(edge.target)
}
