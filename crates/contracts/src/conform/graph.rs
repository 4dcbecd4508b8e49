//! The places of a thread and where its paths are cut: at its beginning and at the heads of loops. Between cuts there is no
//! loop.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_evidence::conformance::Place;
use selvedge_symbolic::threads::{Arc, ArcKind, NodeId, Unfolded};

/// The places that a thread can come to, as far as control tells.
#[derive(Debug)]
pub struct Graph {
    pub places: Vec<Place>,
    /// By place: the steps from there, each with the place that it leads to.
    pub steps: Vec<Vec<(Arc, Option<usize>)>>,
    /// The heads of loops.
    pub heads: BTreeSet<usize>,
}

impl Graph {
    /// The places of a thread; of the first one, which may be alone at first.
    pub fn of(unfolded: &Unfolded, is_alone: bool) -> Graph {
        let mut graph = Graph { places: Vec::new(), steps: Vec::new(), heads: BTreeSet::new() };
        let mut known = BTreeMap::new();
        graph.place(Place { node: unfolded.first().0, is_alone }, &mut known);
        let mut next = 0;
        while next < graph.places.len() {
            let Place { node, is_alone } = graph.places[next];
            for &arc in unfolded.outgoing(NodeId(node)) {
                let arc = unfolded.arc(arc);
                let is_alone = is_alone && !matches!(arc.kind, ArcKind::Spawn(_));
                let target = arc.target.map(|target| graph.place(Place { node: target.0, is_alone }, &mut known));
                graph.steps[next].push((arc, target));
            }
            next += 1;
        }
        graph.find_heads();
        graph
    }

    fn place(&mut self, place: Place, known: &mut BTreeMap<Place, usize>) -> usize {
        *known.entry(place).or_insert_with(|| {
            self.places.push(place);
            self.steps.push(Vec::new());
            self.places.len() - 1
        })
    }

    /// Where steps lead back to a place that they come from, in the order of a depth-first walk.
    fn find_heads(&mut self) {
        let mut state = vec![0_u8; self.places.len()];
        let mut walk = vec![(0, 0)];
        state[0] = 1;
        while let Some((place, step)) = walk.pop() {
            let Some((_, target)) = self.steps[place].get(step) else {
                state[place] = 2;
                continue;
            };
            walk.push((place, step + 1));
            match target {
                Some(target) if state[*target] == 1 => drop(self.heads.insert(*target)),
                Some(target) if state[*target] == 0 => {
                    state[*target] = 1;
                    walk.push((*target, 0));
                }
                _ => {}
            }
        }
    }

    /// The places between a cut and the next ones, each after all from which steps lead to it.
    pub fn part(&self, from: usize) -> Vec<usize> {
        let mut order = Vec::new();
        let mut seen = BTreeSet::from([from]);
        let mut walk = vec![(from, 0)];
        while let Some((place, step)) = walk.pop() {
            let Some((_, target)) = self.steps[place].get(step) else {
                order.push(place);
                continue;
            };
            walk.push((place, step + 1));
            if let Some(target) = target
                && !self.heads.contains(target)
                && seen.insert(*target)
            {
                walk.push((*target, 0));
            }
        }
        order.reverse();
        order
    }
}
