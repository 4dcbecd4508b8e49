//! What is the same in all explorations of a program: which cells the threads of a template have to do with, in which
//! order places are looked at, where others may move, and what is touched where.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use selvedge_abstraction::{Abstraction, StepKey};
use selvedge_symbolic::threads::{NodeId, Unfolded, Who};
use selvedge_symbolic::{CellKey, Note, Tag, Tally};

/// What is the same in all explorations, by template.
#[derive(Debug)]
pub struct Ground {
    /// The cells that the threads of a template look at or change.
    pub looks_at: Vec<FxHashSet<CellKey>>,
    /// In which order the places of a template are looked at: what comes before a place first.
    pub orders: Vec<Vec<u32>>,
    /// At which places other threads may move.
    pub visible: Vec<Vec<bool>>,
    /// Which objects that others can reach are touched at a place.
    pub touched: Vec<Vec<Vec<Tag>>>,
    /// How many steps a place is from where the thread begins.
    pub depths: Vec<Vec<u32>>,
}

impl Ground {
    pub fn of(on: &mut Abstraction<'_, '_>) -> Ground {
        let templates = 0..on.view.universe.templates.len();
        let looks_at = templates.clone().map(|template| looks_at(on, template)).collect();
        let orders = on.view.universe.templates.iter().map(|(_, unfolded)| order(unfolded)).collect();
        let mut visible_in = |template: usize| {
            let nodes = on.view.universe.unfolded(template).nodes.len() as u32;
            (0..nodes).map(|node| on.view.is_visible(template, NodeId(node))).collect()
        };
        let visible = templates.clone().map(&mut visible_in).collect();
        let touched = templates.map(|template| touched(on, template)).collect();
        let depths = on.view.universe.templates.iter().map(|(_, unfolded)| depths(unfolded)).collect();
        Ground { looks_at, orders, visible, touched, depths }
    }

    /// How many places all threads have.
    pub fn places(&self) -> usize {
        self.orders.iter().map(Vec::len).sum()
    }
}

/// The cells that the threads of a template look at or change.
fn looks_at(on: &mut Abstraction<'_, '_>, template: usize) -> FxHashSet<CellKey> {
    let unfolded = on.view.universe.unfolded(template);
    let steps = unfolded.arcs.iter().map(|arc| (unfolded.get(arc.source).function, arc.edge, arc.kind));
    let steps: FxHashSet<StepKey> = steps.collect();
    let mut cells = FxHashSet::default();
    for (function, edge, kind) in steps {
        let moved = on.view.moved(Who::Own, function, edge, kind);
        cells.extend(moved.cells.keys());
        cells.extend(moved.touched.iter().map(|touched| touched.cell));
    }
    let counters: FxHashSet<CellKey> = on.view.universe.counters().filter(|key| cells.contains(key)).collect();
    cells.extend(counters.iter().flat_map(|key| Tally::ALL.into_iter().filter_map(|tally| key.tally(tally))));
    // Of what has a life and a maker, all is of interest to who has to do with any of it.
    let objects: FxHashSet<Tag> = cells.iter().map(|key| key.object()).collect();
    for object in objects {
        cells.extend([CellKey::Alive(object)]);
        cells.extend([Note::Born, Note::Escaped, Note::Maker, Note::Taker].map(|note| CellKey::Note(note, object)));
    }
    cells.insert(CellKey::Unjoined);
    cells
}

/// The objects that others can reach and that are touched at the places of a template.
fn touched(on: &mut Abstraction<'_, '_>, template: usize) -> Vec<Vec<Tag>> {
    let nodes = on.view.universe.unfolded(template).nodes.len() as u32;
    let at = |node: u32| {
        let touches = on.view.touches(template, NodeId(node), Who::Own).into_iter();
        let mut objects: Vec<Tag> = touches.map(|(_, touched)| touched.cell.object()).collect();
        objects.retain(|object| !on.view.universe.is_private(*object));
        objects.sort_unstable();
        objects.dedup();
        objects
    };
    (0..nodes).map(at).collect()
}

/// For each place, how many steps it takes to get there.
fn depths(unfolded: &Unfolded) -> Vec<u32> {
    let mut depths = vec![u32::MAX; unfolded.nodes.len()];
    let mut pending = VecDeque::from([(unfolded.first(), 0)]);
    while let Some((node, depth)) = pending.pop_front() {
        let known = &mut depths[node.0 as usize];
        if *known > depth {
            *known = depth;
            let targets = unfolded.outgoing(node).iter().filter_map(|arc| unfolded.arc(*arc).target);
            pending.extend(targets.map(|target| (target, depth + 1)));
        }
    }
    depths
}

/// How many steps it takes from each place to one of them.
pub fn distances(unfolded: &Unfolded, to: NodeId) -> Vec<u32> {
    let mut coming: Vec<Vec<NodeId>> = vec![Vec::new(); unfolded.nodes.len()];
    for arc in &unfolded.arcs {
        if let Some(target) = arc.target {
            coming[target.0 as usize].push(arc.source);
        }
    }
    let mut left = vec![u32::MAX; unfolded.nodes.len()];
    left[to.0 as usize] = 0;
    let mut pending = VecDeque::from([to]);
    while let Some(node) = pending.pop_front() {
        let next = left[node.0 as usize] + 1;
        for source in &coming[node.0 as usize] {
            if left[source.0 as usize] == u32::MAX {
                left[source.0 as usize] = next;
                pending.push_back(*source);
            }
        }
    }
    left
}

/// For each place, how many come before it if those that lead to a place come first, but for loops.
fn order(unfolded: &Unfolded) -> Vec<u32> {
    let mut order = vec![u32::MAX; unfolded.nodes.len()];
    let mut seen = vec![false; unfolded.nodes.len()];
    let mut next = unfolded.nodes.len() as u32;
    let mut pending = vec![(unfolded.first(), 0)];
    seen[unfolded.first().0 as usize] = true;
    while let Some((node, arc)) = pending.pop() {
        match unfolded.outgoing(node).get(arc) {
            Some(leaving) => {
                pending.push((node, arc + 1));
                if let Some(target) = unfolded.arc(*leaving).target
                    && !std::mem::replace(&mut seen[target.0 as usize], true)
                {
                    pending.push((target, 0));
                }
            }
            None => {
                next -= 1;
                order[node.0 as usize] = next;
            }
        }
    }
    order
}
