//! Cycles of copies: nodes that copy from each other hold the same targets, give or take how far these are moved on
//! the way.
//!
//! Within a strongly connected component every node has a *potential*, how far a pointer is moved on some way from
//! the first node to it. Where another way gives another potential, the difference (or a multiple of a movement's
//! factor) can be added any number of times: the greatest common divisor of these is the component's *stride*. Nodes
//! with the same potential, modulo the stride, are always equal, up to multiples of the stride. So a list that is
//! walked by `container_of` and back has stride 0 and keeps its fields apart, and a pointer that is incremented in a
//! loop gets its stride at once (Pearce, Kelly and Hankin, 2007, have weights but widen to everything).

use super::offset::gcd;
use super::sets::Move;
use super::solver::Node;
use rustc_hash::FxHashMap;

/// The components of a graph.
#[derive(Debug, Default)]
pub struct Found {
    /// Components with more than one node, and single nodes that copy from themselves.
    pub components: Vec<Vec<Node>>,
    /// All nodes, each before those that it copies to unless they are in one component.
    pub order: Vec<Node>,
}

/// Nodes that are always equal.
#[derive(Debug)]
pub struct Class {
    /// The nodes.
    pub members: Vec<Node>,
    /// Up to multiples of this.
    pub stride: u64,
}

const UNSEEN: u32 = u32::MAX;

/// Finds the strongly connected components (Tarjan, 1972; without recursion).
pub fn find<'a>(count: usize, successors: impl Fn(usize) -> &'a [(Node, Move)]) -> Found {
    let mut found = Found::default();
    let mut numbers = vec![UNSEEN; count];
    let mut low = vec![0u32; count];
    let mut is_open = vec![false; count];
    let (mut open, mut path): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    let mut next = 0;
    for start in 0..count {
        if numbers[start] != UNSEEN {
            continue;
        }
        path.push((start, 0));
        while let Some((node, position)) = path.pop() {
            if position == 0 {
                numbers[node] = next;
                low[node] = next;
                next += 1;
                open.push(node);
                is_open[node] = true;
            }
            if let Some((to, _)) = successors(node).get(position) {
                path.push((node, position + 1));
                if numbers[to.index()] == UNSEEN {
                    path.push((to.index(), 0));
                } else if is_open[to.index()] {
                    low[node] = low[node].min(numbers[to.index()]);
                }
                continue;
            }
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == numbers[node] {
                let mut component = Vec::new();
                while let Some(member) = open.pop() {
                    is_open[member] = false;
                    component.push(Node(member as u32));
                    if member == node {
                        break;
                    }
                }
                found.order.extend(&component);
                let copies_to_itself = successors(node).iter().any(|(to, _)| to.index() == node);
                if component.len() > 1 || copies_to_itself {
                    found.components.push(component);
                }
            }
        }
    }
    found.order.reverse();
    found
}

/// The classes of a component.
pub fn classes<'a>(
    component: &[Node],
    successors: impl Fn(Node) -> &'a [(Node, Move)],
    stride_of: impl Fn(Node) -> u64,
) -> Vec<Class> {
    let Some(first) = component.first() else { return Vec::new() };
    let mut potentials: FxHashMap<Node, Option<i64>> = component.iter().map(|node| (*node, None)).collect();
    potentials.insert(*first, Some(0));
    let mut stride = component.iter().fold(0, |stride, node| gcd(stride, stride_of(*node)));
    let mut pending = vec![*first];
    while let Some(node) = pending.pop() {
        let Some(here) = potentials[&node] else { continue };
        for (to, Move { distance, factor }) in successors(node) {
            let Some(known) = potentials.get_mut(to) else { continue };
            stride = gcd(stride, *factor);
            let there = here.wrapping_add(*distance);
            match known {
                Some(known) => stride = gcd(stride, known.abs_diff(there)),
                None => {
                    *known = Some(there);
                    pending.push(*to);
                }
            }
        }
    }
    let mut groups: FxHashMap<i64, Vec<Node>> = FxHashMap::default();
    for node in component {
        let potential = potentials[node].unwrap_or(0);
        let potential =
            i64::try_from(stride).ok().and_then(|stride| potential.checked_rem_euclid(stride)).unwrap_or(potential);
        groups.entry(potential).or_default().push(*node);
    }
    let mut classes: Vec<Class> = groups.into_values().map(|members| Class { members, stride }).collect();
    classes.sort_by_key(|class| class.members.first().copied());
    classes
}
