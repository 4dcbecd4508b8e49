//! Nodes that are always equal made one, and the rest brought in order, so that most nodes send once.

use super::cycles;
use super::sets::{Move, SetId};
use super::solver::{Node, Solver};
use std::cmp::Reverse;

impl Solver {
    /// Makes one of the nodes that are always equal, and brings the rest in order.
    pub(super) fn collapse_cycles(&mut self) {
        for index in 0..self.nodes.len() {
            let node = Node(index as u32);
            let standing = self.find(node);
            self.standing_for[index] = standing;
        }
        let mut copies = 0;
        for index in 0..self.nodes.len() {
            let mut list = std::mem::take(&mut self.nodes[index].copies);
            for (to, _) in &mut list {
                *to = self.standing_for[to.index()];
            }
            list.retain(|(to, movement)| to.index() != index || *movement != Move::NONE);
            list.sort_unstable();
            list.dedup();
            copies += list.len();
            self.nodes[index].copies = list;
        }
        let successors = |node: usize| self.nodes[node].copies.as_slice();
        let found = cycles::find(self.nodes.len(), successors);
        for (position, node) in found.order.iter().enumerate() {
            self.ranks[node.index()] = position as u32;
        }
        for component in &found.components {
            let strides = |node: Node| self.nodes[node.index()].stride;
            let successors = |node: Node| self.nodes[node.index()].copies.as_slice();
            let classes = cycles::classes(component, successors, strides);
            for class in classes {
                self.merge(&class.members, class.stride);
            }
        }
        self.copies = copies;
        self.new_copies = 0;
        let queue = std::mem::take(&mut self.queue);
        for Reverse((_, node)) in queue {
            let node = self.find(node);
            self.nodes[node.index()].is_queued = true;
            self.queue.push(Reverse((self.ranks[node.index()], node)));
        }
    }

    /// Makes one node of several, with a stride.
    fn merge(&mut self, members: &[Node], stride: u64) {
        let Some((first, others)) = members.split_first() else { return };
        let mut whole = std::mem::take(&mut self.nodes[first.index()]);
        for other in others {
            let mut state = std::mem::take(&mut self.nodes[other.index()]);
            self.standing_for[other.index()] = *first;
            whole.set = self.sets.union(whole.set, state.set);
            whole.sent = self.sets.common(whole.sent, state.sent);
            if whole.constraints.is_empty() {
                whole.followed = state.followed;
            } else if !state.constraints.is_empty() {
                whole.followed = self.sets.common(whole.followed, state.followed);
            }
            whole.incoming.append(&mut state.incoming);
            whole.copies.append(&mut state.copies);
            whole.constraints.append(&mut state.constraints);
        }
        if stride != whole.stride {
            whole.set = self.sets.moved(whole.set, Move { distance: 0, factor: stride });
            whole.stride = stride;
        }
        whole.constraints.sort_unstable();
        whole.constraints.dedup();
        (whole.is_queued, whole.is_fresh) = (false, false);
        let is_empty = whole.set == SetId::EMPTY && whole.incoming.is_empty();
        self.nodes[first.index()] = whole;
        if !is_empty {
            self.wake(*first);
        }
    }
}
