//! The future of a location: everything that code from there on may do, as sets of numbered things.
//!
//! Callees are included, and so are threads that would be started. A thread's future is the union over its activations.

use selvedge_analysis::PointsTo;
use selvedge_program::{Budget, EdgeId, Exhausted, FunctionId, LocationId, Program};

use selvedge_program::bitset;

/// A set for every location of every function.
#[derive(Clone, Debug)]
pub struct Futures {
    words: usize,
    /// By function: the sets of its locations, one after the other.
    tables: Vec<Vec<u64>>,
}

impl Futures {
    /// From the set of every edge (by function and edge, `words` words each).
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn solve(
        program: &Program,
        points_to: &PointsTo,
        words: usize,
        edges: &[Vec<Vec<u64>>],
        budget: &Budget,
    ) -> Result<Futures, Exhausted> {
        let whole = summaries(program, points_to, words, edges);
        let mut tables = Vec::with_capacity(edges.len());
        for (index, edges) in edges.iter().enumerate() {
            budget.check()?;
            tables.push(table(program, points_to, words, FunctionId::new(index), edges, &whole));
        }
        Ok(Futures { words, tables })
    }

    /// What may be done from a location on, until the activation returns.
    pub fn at(&self, function: FunctionId, location: LocationId) -> &[u64] {
        let start = location.index() * self.words;
        &self.tables[function.index()][start..start + self.words]
    }

    /// How many words a set has.
    pub fn words(&self) -> usize {
        self.words
    }
}

/// The functions that an edge may run, now or in a new thread.
fn entered<'a>(program: &Program, points_to: &'a PointsTo, function: FunctionId, edge: EdgeId) -> &'a [FunctionId] {
    match program.function(function).edge(edge).action.callee() {
        Some(_) => points_to.callees(function, edge),
        None => &[],
    }
}

/// What each function may do, callees and started threads included.
fn summaries(program: &Program, points_to: &PointsTo, words: usize, edges: &[Vec<Vec<u64>>]) -> Vec<Vec<u64>> {
    let mut whole = vec![vec![0u64; words]; program.functions.len()];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.functions.len()];
    for (index, function) in program.functions.iter().enumerate() {
        for (edge, set) in edges[index].iter().enumerate().take(function.edges.len()) {
            bitset::add(&mut whole[index], set);
            for callee in entered(program, points_to, FunctionId::new(index), EdgeId::new(edge)) {
                callers[callee.index()].push(index);
            }
        }
    }
    let mut pending: Vec<usize> = (0..program.functions.len()).collect();
    while let Some(callee) = pending.pop() {
        let set = whole[callee].clone();
        for caller in &callers[callee] {
            if bitset::add(&mut whole[*caller], &set) {
                pending.push(*caller);
            }
        }
    }
    whole
}

fn table(
    program: &Program,
    points_to: &PointsTo,
    words: usize,
    function: FunctionId,
    edges: &[Vec<u64>],
    whole: &[Vec<u64>],
) -> Vec<u64> {
    let definition = program.function(function);
    let mut table = vec![0u64; words * definition.locations.len()];
    let mut incoming: Vec<Vec<usize>> = vec![Vec::new(); definition.locations.len()];
    for (index, edge) in definition.edges.iter().enumerate() {
        let source = &mut table[edge.source.index() * words..][..words];
        bitset::add(source, &edges[index]);
        for callee in entered(program, points_to, function, EdgeId::new(index)) {
            bitset::add(source, &whole[callee.index()]);
        }
        if edge.action.falls_through() {
            incoming[edge.target.index()].push(edge.source.index());
        }
    }
    let mut pending: Vec<usize> = (0..definition.locations.len()).collect();
    let mut set = vec![0u64; words];
    while let Some(location) = pending.pop() {
        set.copy_from_slice(&table[location * words..][..words]);
        for source in &incoming[location] {
            if bitset::add(&mut table[source * words..][..words], &set) {
                pending.push(*source);
            }
        }
    }
    table
}
