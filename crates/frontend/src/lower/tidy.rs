//! Tidying a control-flow automaton: edges that do nothing are skipped, unreachable locations dropped, the rest renumbered in
//! depth-first order from the entry, so that equal sources give equal automata.

use selvedge_program::{Action, EdgeId, Expr, Function, Location, LocationId};

/// The same automaton without detours and dead code.
pub fn tidy(function: Function) -> Function {
    let target: Vec<LocationId> =
        (0..function.locations.len()).map(|at| end_of_jumps(&function, LocationId::new(at))).collect();
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

/// Where one arrives by following unconditional jumps that do nothing; a cycle of such jumps stays where it is, and so does a
/// labelled location, which users may refer to.
fn end_of_jumps(function: &Function, from: LocationId) -> LocationId {
    let mut at = from;
    for _ in 0..function.locations.len() {
        let location = function.location(at);
        match location.outgoing.as_slice() {
            [edge] if location.label.is_none() => match &function.edge(*edge).action {
                Action::Assume(condition) if *condition == Expr::truth() => at = function.edge(*edge).target,
                _ => return at,
            },
            _ => return at,
        }
    }
    from
}
