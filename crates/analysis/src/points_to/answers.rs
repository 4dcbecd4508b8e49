//! What the solved graph is asked.

use super::origins::{Origin, origins};
use super::sets::{Move, SetId};
use super::solver::{Node, Solver};
use super::{AbstractObject, Offset, Target};
use rustc_hash::FxHashSet;
use selvedge_program::{Expr, FunctionId, GhostField, RegisterId};

impl Solver {
    pub(super) fn origins(&self, function: FunctionId, value: &Expr) -> Vec<(Origin, Move)> {
        origins(function, value, self.products, &|register| self.holds_anything(function, register))
    }

    /// The set of which an expression is a member, moved, if there is but one, in the solved graph.
    pub fn only_origin(&self, function: FunctionId, value: &Expr) -> Option<(SetId, Move)> {
        match self.origins(function, value).as_slice() {
            [] => Some((SetId::EMPTY, Move::NONE)),
            [(Origin::Register(register), movement)] => {
                let node = self.find(self.register(function, *register));
                Some((self.nodes[node.index()].set, *movement))
            }
            [(Origin::Target(target), movement)] => {
                let node = self.find(*self.constants.get(&movement.apply(*target))?);
                Some((self.nodes[node.index()].set, Move::NONE))
            }
            _ => None,
        }
    }

    /// Whether a register may hold any target, in the solved graph.
    pub fn holds_anything(&self, function: FunctionId, register: RegisterId) -> bool {
        self.held(self.register(function, register)).next().is_some()
    }

    /// The targets of a set.
    pub fn targets(&self, set: SetId) -> &[Target] {
        self.sets.get(set)
    }

    /// What an expression may point to, in the solved graph, sorted.
    pub fn targets_of(&self, function: FunctionId, value: &Expr) -> Vec<Target> {
        let mut targets = Vec::new();
        for (origin, movement) in self.origins(function, value) {
            match origin {
                Origin::Register(register) => {
                    let held = self.held(self.register(function, register));
                    targets.extend(held.map(|target| movement.apply(target)));
                }
                Origin::Target(target) => targets.push(movement.apply(target)),
            }
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    fn held(&self, node: Node) -> impl Iterator<Item = Target> + '_ {
        self.sets.get(self.nodes[self.find(node).index()].set).iter().copied()
    }

    /// The cells of an object that something is stored to: where, how large, and what they hold.
    pub fn cells_of(&self, object: AbstractObject) -> impl Iterator<Item = (Offset, u32, SetId)> {
        let cells = self.objects.get(&object).into_iter().flat_map(|state| &state.cells);
        cells.map(|cell| (cell.offset, cell.size, self.nodes[self.find(cell.node).index()].set))
    }

    /// What a ghost field of an object holds.
    pub fn ghost_of(&self, object: AbstractObject, field: GhostField) -> SetId {
        let node = self.ghosts.get(&(object, field));
        node.map_or(SetId::EMPTY, |node| self.nodes[self.find(*node).index()].set)
    }

    /// What the cells and ghost fields of an object hold.
    pub fn content_sets(&self, object: AbstractObject) -> impl Iterator<Item = SetId> {
        let cells = self.objects.get(&object).into_iter().flat_map(|state| state.cells.iter().map(|cell| cell.node));
        let ghosts = [GhostField::ThreadResult, GhostField::ThreadSpecific];
        let ghosts = ghosts.into_iter().filter_map(move |field| self.ghosts.get(&(object, field)).copied());
        cells.chain(ghosts).map(|cell| self.nodes[self.find(cell).index()].set)
    }

    /// Whatever the cells and ghost fields of an object may point to.
    pub fn contents(&self, object: AbstractObject) -> Vec<Target> {
        let sets: FxHashSet<SetId> = self.content_sets(object).collect();
        let mut targets: Vec<Target> = sets.into_iter().flat_map(|set| self.targets(set)).copied().collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }
}
