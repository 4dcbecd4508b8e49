//! Loops of a function, whatever gotos made them: a weak topological order (Bourdoncle 1993).
//!
//! Every location gets a position in one linear order and the list of loops it lies in. Along an edge the position
//! grows, unless the edge leads back to the head of a loop that contains it; so walking locations in this order, each
//! loop's iterations one after the other, meets every join after all its branches.

use selvedge_program::{Function, LocationId};

/// A loop of a function, by number.
pub type LoopNumber = u32;

#[derive(Clone, Debug, Default)]
pub struct Nesting {
    positions: Vec<u32>,
    loops: Vec<Vec<LoopNumber>>,
    heads: Vec<LocationId>,
}

impl Nesting {
    pub fn of(function: &Function) -> Nesting {
        let count = function.locations.len();
        let mut nesting = Nesting { positions: vec![0; count], loops: vec![Vec::new(); count], heads: Vec::new() };
        let graph = Graph::of(function);
        let mut next = 0;
        let mut work =
            vec![Piece::Part { members: (0..count).collect(), loops: Vec::new(), entry: function.entry.index() }];
        while let Some(piece) = work.pop() {
            match piece {
                Piece::Single { location, loops } => {
                    nesting.positions[location] = next;
                    nesting.loops[location] = loops;
                    next += 1;
                }
                Piece::Part { members, loops, entry } => {
                    let mut parts = graph.components(&members, entry);
                    // Tarjan's algorithm gives the last component first, and the stack turns the order round once more.
                    for component in parts.drain(..) {
                        nesting.push(component, &loops, &graph, &mut work);
                    }
                }
            }
        }
        nesting
    }

    fn push(&mut self, component: Component, loops: &[LoopNumber], graph: &Graph, work: &mut Vec<Piece>) {
        let Component { members, head, is_loop } = component;
        if !is_loop {
            work.extend(members.into_iter().map(|location| Piece::Single { location, loops: loops.to_vec() }));
            return;
        }
        let mut inner = loops.to_vec();
        inner.push(self.heads.len() as LoopNumber);
        self.heads.push(LocationId::new(head));
        let rest: Vec<usize> = members.into_iter().filter(|member| *member != head).collect();
        if let Some(&first) = graph.targets[head].iter().find(|target| rest.contains(target)) {
            work.push(Piece::Part { members: rest, loops: inner.clone(), entry: first });
        }
        work.push(Piece::Single { location: head, loops: inner });
    }

    /// The place of a location in the order.
    pub fn position(&self, location: LocationId) -> u32 {
        self.positions.get(location.index()).copied().unwrap_or(0)
    }

    /// The loops around a location, the outermost first; its own, if it is the head of one, last.
    pub fn loops(&self, location: LocationId) -> &[LoopNumber] {
        self.loops.get(location.index()).map_or(&[], |loops| loops)
    }

    /// Where a loop starts.
    pub fn head(&self, number: LoopNumber) -> LocationId {
        self.heads.get(number as usize).copied().unwrap_or(LocationId(0))
    }
}

enum Piece {
    Single { location: usize, loops: Vec<LoopNumber> },
    Part { members: Vec<usize>, loops: Vec<LoopNumber>, entry: usize },
}

struct Component {
    members: Vec<usize>,
    /// The member that a depth-first search meets first.
    head: usize,
    is_loop: bool,
}

struct Graph {
    targets: Vec<Vec<usize>>,
}

impl Graph {
    fn of(function: &Function) -> Graph {
        let targets = function
            .locations
            .iter()
            .map(|location| location.outgoing.iter().map(|edge| function.edge(*edge).target.index()).collect());
        Graph { targets: targets.collect() }
    }

    /// The strongly connected components of a part, the last in topological order first. The search starts at an entry,
    /// so that a loop's head is where control enters it.
    fn components(&self, members: &[usize], entry: usize) -> Vec<Component> {
        let mut search = Tarjan {
            within: vec![false; self.targets.len()],
            index: vec![usize::MAX; self.targets.len()],
            low: vec![0; self.targets.len()],
            on_stack: vec![false; self.targets.len()],
            stack: Vec::new(),
            next: 0,
            found: Vec::new(),
        };
        for &member in members {
            search.within[member] = true;
        }
        for &root in std::iter::once(&entry).chain(members) {
            if search.index[root] == usize::MAX {
                search.visit(&self.targets, root);
            }
        }
        search.found
    }
}

/// Tarjan's algorithm with its own stack.
struct Tarjan {
    within: Vec<bool>,
    index: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
    found: Vec<Component>,
}

impl Tarjan {
    fn visit(&mut self, targets: &[Vec<usize>], root: usize) {
        self.enter(root);
        let mut path = vec![(root, 0)];
        while let Some((node, place)) = path.pop() {
            match targets[node].get(place) {
                Some(&target) => {
                    path.push((node, place + 1));
                    if !self.within[target] {
                        continue;
                    }
                    if self.index[target] == usize::MAX {
                        self.enter(target);
                        path.push((target, 0));
                    } else if self.on_stack[target] {
                        self.low[node] = self.low[node].min(self.index[target]);
                    }
                }
                None => {
                    if self.low[node] == self.index[node] {
                        self.leave(targets, node);
                    }
                    if let Some((parent, _)) = path.last() {
                        self.low[*parent] = self.low[*parent].min(self.low[node]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.index[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn leave(&mut self, targets: &[Vec<usize>], head: usize) {
        let mut members = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member] = false;
            members.push(member);
            if member == head {
                break;
            }
        }
        let is_loop = members.len() > 1 || targets[head].contains(&head);
        self.found.push(Component { members, head, is_loop });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_program::assemble::Assembly;
    use selvedge_program::{Action, Edge, Expr, Span};

    /// A function with these edges between locations, entered at 0.
    fn nesting(count: usize, edges: &[(usize, usize)]) -> Nesting {
        let mut assembly = Assembly::new();
        assembly.function("f", None, |_| {});
        let mut function = assembly.program.functions[0].clone();
        function.locations = vec![Default::default(); count];
        function.edges.clear();
        for &(source, target) in edges {
            let id = selvedge_program::EdgeId::new(function.edges.len());
            function.locations[source].outgoing.push(id);
            function.edges.push(Edge {
                source: LocationId::new(source),
                target: LocationId::new(target),
                action: Action::Assume(Expr::constant(1, 1)),
                side: None,
                stub: None,
                span: Span::NOWHERE,
            });
        }
        function.entry = LocationId(0);
        let nesting = Nesting::of(&function);
        for &(source, target) in edges {
            let (source, target) = (LocationId::new(source), LocationId::new(target));
            let back = nesting.loops(source).iter().any(|l| nesting.head(*l) == target);
            assert!(back || nesting.position(source) < nesting.position(target), "{source} -> {target}");
        }
        nesting
    }

    #[test]
    fn nested_loops_and_their_exits() {
        let nesting = nesting(6, &[(0, 1), (1, 2), (2, 3), (3, 2), (3, 1), (1, 4), (4, 5)]);
        assert_eq!(nesting.loops(LocationId(0)), &[] as &[u32]);
        assert_eq!(nesting.loops(LocationId(1)).len(), 1);
        assert_eq!(nesting.loops(LocationId(3)).len(), 2);
        assert_eq!(nesting.head(nesting.loops(LocationId(3))[1]), LocationId(2));
        assert!(nesting.loops(LocationId(4)).is_empty());
    }

    #[test]
    fn a_loop_with_two_entries() {
        nesting(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
    }

    #[test]
    fn random_graphs_keep_the_order() {
        let mut source = selvedge_generate::random::Random::new(7);
        let mut random = |below: usize| source.index(below);
        for _ in 0..300 {
            let count = 2 + random(8);
            let mut edges: Vec<(usize, usize)> =
                (0..count + random(8)).map(|_| (random(count), random(count))).collect();
            edges.push((0, 1));
            nesting(count, &edges);
        }
    }
}
