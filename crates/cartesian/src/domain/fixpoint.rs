//! The best abstract post with exceptions (Prop. 10) and its least fixpoint (Cor. 11), by a worklist of shared states.
//!
//! For every shared state g the fixpoint has one set of local states per component. It stands for the product of those
//! sets and, besides, for the exception set of g, as in the paper's γ_E ∘ γ_cart. One step of post takes a product of g
//! (that of the sets, or one of the exceptions), lets one thread move to g', takes the exceptions of g' away (Prop. 8),
//! and adds what is left to the sets of g'.

use std::collections::{BTreeSet, VecDeque};

use crate::domain::exceptions::ExceptionSet;
use crate::domain::product::{Count, Group, Position, Product, normalise};
use crate::domain::system::{Carry, Component, Move, Shared, Start, System};
use selvedge_program::bitset::BitSet;

/// Which states of an exception set the fixpoint stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kept {
    /// All of them, as in the paper.
    All,
    /// Those made of local states that some thread has come to at that shared state. This is an exception set too, a
    /// smaller one, and it does not matter then what a generous description says of states that never come up.
    Seen,
}

/// Moves of one component between two shared states.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The component that moves.
    pub from: usize,
    /// The shared state after.
    pub target: Shared,
    /// The component it becomes.
    pub to: usize,
    /// What the others become.
    pub carry: Carry,
    /// The thread it starts.
    pub start: Option<Start>,
    /// Its local states before and after.
    pub pairs: Vec<(u32, u32)>,
}

/// What is known of one shared state.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Its components.
    pub components: Vec<Component>,
    shape: Vec<Count>,
    /// The local states of each component.
    pub sets: Vec<BitSet>,
    /// The local states of each component before exceptions were taken away.
    pub seen: Vec<BitSet>,
    /// The exception set.
    pub exceptions: ExceptionSet,
    /// All moves from here.
    pub transfers: Vec<Transfer>,
    /// The local states of each component whose moves are among the transfers.
    pub expanded: Vec<BitSet>,
    /// The shared states from whose sets (not exceptions) a move has added to the sets here.
    pub sources: BTreeSet<Shared>,
    version: Option<u64>,
    done: Vec<Product>,
    is_waiting: bool,
}

impl Node {
    /// The numbers of threads in the components.
    pub fn shape(&self) -> &[Count] {
        &self.shape
    }

    /// The products whose union the fixpoint stands for here: that of the sets, and the exceptions.
    pub fn products(&self, kept: Kept) -> Vec<Product> {
        if self.components.is_empty() {
            return Vec::new();
        }
        let own: Product = self.sets.iter().cloned().map(Group::all).collect();
        let within = |product: &Product| match kept {
            Kept::All => product.clone(),
            Kept::Seen => product.iter().zip(&self.seen).map(|(group, seen)| group.within(seen)).collect(),
        };
        let exceptions = self.exceptions.products().iter().map(within);
        std::iter::once(own)
            .chain(exceptions)
            .filter_map(|mut product| normalise(&mut product, &self.shape).then_some(product))
            .collect()
    }
}

/// The least fixpoint.
#[derive(Clone, Debug)]
pub struct Fixpoint {
    /// By shared state; states that were never reached have no components.
    pub nodes: Vec<Node>,
    /// Which exceptions count.
    pub kept: Kept,
    /// How many products went through post.
    pub products: u64,
}

/// Computes the least fixpoint (Cor. 11). `poll` is asked now and then whether to go on.
pub fn solve<S: System>(
    system: &mut S,
    kept: Kept,
    mut poll: impl FnMut(&S, &Fixpoint) -> Result<(), S::GivenUp>,
) -> Result<Fixpoint, S::GivenUp> {
    let mut solver =
        Solver { system, fixpoint: Fixpoint { nodes: Vec::new(), kept, products: 0 }, waiting: VecDeque::new() };
    let initial = solver.system.initial()?;
    for (shared, mut product) in initial {
        solver.meet(shared);
        if normalise(&mut product, &solver.fixpoint.nodes[shared.0 as usize].shape) {
            solver.absorb(shared, product, None);
        }
    }
    while let Some(shared) = solver.waiting.pop_front() {
        poll(solver.system, &solver.fixpoint)?;
        solver.post(shared)?;
    }
    Ok(solver.fixpoint)
}

struct Solver<'s, S> {
    system: &'s mut S,
    fixpoint: Fixpoint,
    waiting: VecDeque<Shared>,
}

impl<S: System> Solver<'_, S> {
    /// Makes the node of a shared state if there is none, and brings its exceptions up to date.
    fn meet(&mut self, shared: Shared) {
        let index = shared.0 as usize;
        if self.fixpoint.nodes.len() <= index {
            self.fixpoint.nodes.resize_with(index + 1, Node::default);
        }
        let is_new = self.fixpoint.nodes[index].version.is_none();
        let version = self.system.version();
        if self.fixpoint.nodes[index].version == Some(version) {
            return;
        }
        let exceptions = self.system.exceptions(shared);
        let node = &mut self.fixpoint.nodes[index];
        if is_new {
            node.components = self.system.components(shared);
            node.shape = node.components.iter().map(|component| component.count).collect();
            let empty = vec![BitSet::new(); node.components.len()];
            node.sets.clone_from(&empty);
            node.seen.clone_from(&empty);
            node.expanded = empty;
        }
        node.version = Some(version);
        let changed = node.exceptions != exceptions;
        node.exceptions = exceptions;
        if changed {
            self.wait(shared);
        }
    }

    fn wait(&mut self, shared: Shared) {
        let node = &mut self.fixpoint.nodes[shared.0 as usize];
        if !std::mem::replace(&mut node.is_waiting, true) {
            self.waiting.push_back(shared);
        }
    }

    /// Adds a product (in normal form) to a shared state: what is not an exception goes into the sets. `from` is where
    /// its thread moved from, if it is not from an exception.
    fn absorb(&mut self, shared: Shared, product: Product, from: Option<Shared>) {
        self.fixpoint.products += 1;
        let node = &mut self.fixpoint.nodes[shared.0 as usize];
        let mut changed = false;
        if node.exceptions.is_empty() {
            node.sources.extend(from);
            for (set, group) in node.sets.iter_mut().zip(&product) {
                changed |= set.add(&group.any());
            }
        } else {
            for (seen, group) in node.seen.iter_mut().zip(&product) {
                changed |= seen.add(&group.any());
            }
            if let Some(left) = node.exceptions.without(&product, &node.shape) {
                node.sources.extend(from);
                for (set, group) in node.sets.iter_mut().zip(&left) {
                    changed |= set.add(&group.any());
                }
            }
        }
        if changed {
            self.wait(shared);
        }
    }

    /// Post of everything at a shared state (Prop. 10).
    fn post(&mut self, shared: Shared) -> Result<(), S::GivenUp> {
        self.meet(shared);
        let index = shared.0 as usize;
        self.fixpoint.nodes[index].is_waiting = false;
        let sources = self.fixpoint.nodes[index].products(self.fixpoint.kept);
        let own: Product = self.fixpoint.nodes[index].sets.iter().cloned().map(Group::all).collect();
        for source in &sources {
            let from = is_own(source, &own, &self.fixpoint.nodes[index].shape).then_some(shared);
            if self.fixpoint.nodes[index].done.contains(source) {
                continue;
            }
            self.expand(shared, source)?;
            let transfers = std::mem::take(&mut self.fixpoint.nodes[index].transfers);
            let shape = self.fixpoint.nodes[index].shape.clone();
            for transfer in &transfers {
                self.meet(transfer.target);
                for position in source[transfer.from].positions() {
                    for mut product in moved(source, &shape, transfer, position, &self.fixpoint) {
                        if normalise(&mut product, &self.fixpoint.nodes[transfer.target.0 as usize].shape) {
                            self.absorb(transfer.target, product, from);
                        }
                    }
                }
            }
            self.fixpoint.nodes[index].transfers = transfers;
        }
        self.fixpoint.nodes[index].done = sources;
        Ok(())
    }

    /// Asks for the moves of every local state of a product that has not been asked about.
    fn expand(&mut self, shared: Shared, source: &Product) -> Result<(), S::GivenUp> {
        let index = shared.0 as usize;
        for (component, group) in source.iter().enumerate() {
            let new = group.any().without(&self.fixpoint.nodes[index].expanded[component]);
            for local in new.iter() {
                for made in self.system.moves(shared, component, local)? {
                    add_move(&mut self.fixpoint.nodes[index].transfers, component, local, made);
                }
            }
            self.fixpoint.nodes[index].expanded[component].add(&new);
        }
        Ok(())
    }
}

/// Whether a source is the product of the sets.
fn is_own(source: &Product, own: &Product, shape: &[Count]) -> bool {
    let mut own = own.clone();
    normalise(&mut own, shape) && *source == own
}

fn add_move(transfers: &mut Vec<Transfer>, from: usize, local: u32, made: Move) {
    let Move { target, component: to, local: after, carry, start } = made;
    let same = |transfer: &&mut Transfer| {
        transfer.from == from
            && transfer.target == target
            && transfer.to == to
            && transfer.carry == carry
            && transfer.start == start
    };
    match transfers.iter_mut().find(same) {
        Some(transfer) => transfer.pairs.push((local, after)),
        None => transfers.push(Transfer { from, target, to, carry, start, pairs: vec![(local, after)] }),
    }
}

/// The product after the thread at a position has moved; several where it starts a thread and it is open which idle one
/// that is.
fn moved(
    source: &Product,
    shape: &[Count],
    transfer: &Transfer,
    position: Position,
    fixpoint: &Fixpoint,
) -> Vec<Product> {
    let before = source[transfer.from].at(position);
    let after: BitSet =
        transfer.pairs.iter().filter(|(local, _)| before.contains(*local)).map(|(_, after)| *after).collect();
    if after.is_empty() {
        return Vec::new();
    }
    let components = fixpoint.nodes[transfer.target.0 as usize].components.len();
    let mut product: Product = vec![Group::default(); components];
    for (component, group) in source.iter().enumerate() {
        let mut staying = group.slots.clone();
        let mut told_apart = group.slots.len();
        if component == transfer.from {
            match position {
                Position::Slot(slot) => drop(staying.remove(slot)),
                Position::Rest => told_apart += 1,
            }
        }
        if staying.is_empty() && shape[component].minus(told_apart) == Some(Count::Exactly(0)) {
            continue;
        }
        let into = &mut product[transfer.carry.of(component)];
        into.slots.append(&mut staying);
        if shape[component].minus(told_apart) != Some(Count::Exactly(0)) {
            into.rest = group.rest.clone();
        }
    }
    let products = match transfer.start {
        None => vec![product],
        Some(start) => started(product, start),
    };
    let arrive = |mut product: Product| {
        product[transfer.to].slots.push(after.clone());
        product
    };
    products.into_iter().map(arrive).collect()
}

/// The products after a thread has been started, by which thread that may be.
fn started(product: Product, start: Start) -> Vec<Product> {
    let begin = |mut product: Product| {
        product[start.component].slots.push(BitSet::of(start.local));
        product
    };
    let Some((pool, idle)) = start.pool else { return vec![begin(product)] };
    let mut found = Vec::new();
    for (slot, set) in product[pool].slots.iter().enumerate() {
        if set.contains(idle) {
            let mut product = product.clone();
            product[pool].slots.remove(slot);
            found.push(begin(product));
        }
    }
    if product[pool].rest.contains(idle) {
        found.push(begin(product));
    }
    found
}
