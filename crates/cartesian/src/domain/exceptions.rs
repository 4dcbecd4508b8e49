//! Exception sets: the states of one shared state that are kept exact, as a union of products.
//!
//! The operations of Section 4.3 of the paper. They need the products to be a *maximised antichain*: every product
//! within the union is within one of them. [`ExceptionSet::new`] makes it one by closing the products under consensus,
//! as one computes prime implicants. That can take long in the worst case, so it stops at a limit; what is lost then is
//! precision, never soundness: a product is still only called a part of the exception set when it is.

use std::collections::BTreeSet;

use crate::domain::product::{Count, Fit, Group, Position, Product, included, normalise};
use selvedge_program::bitset::BitSet;

/// No group of a consensus gets more slots than this.
const MOST_SLOTS: usize = 4;
/// A set of more products than this is left as it is.
const MOST_TO_MAXIMISE: usize = 16;
/// A set is not closed any further once it has this many products.
const MOST_PRODUCTS: usize = 64;

/// A union of products of one shape, as far as affordable the maximised antichain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExceptionSet {
    products: Vec<Product>,
}

impl ExceptionSet {
    /// The union of some products. Those that are empty or within others are left out.
    pub fn new(products: impl IntoIterator<Item = Product>, shape: &[Count]) -> ExceptionSet {
        let mut set = ExceptionSet::default();
        for mut product in products {
            if normalise(&mut product, shape) {
                set.add(product, shape);
            }
        }
        set.maximise(shape);
        set.products.sort();
        set
    }

    /// A union of products that are known to be a maximised antichain, in normal form.
    pub fn of_antichain(products: Vec<Product>) -> ExceptionSet {
        ExceptionSet { products }
    }

    /// The products.
    pub fn products(&self) -> &[Product] {
        &self.products
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.products.is_empty()
    }

    /// Whether a product (in normal form, not empty) is within the union (Prop. 7).
    pub fn includes(&self, product: &Product, shape: &[Count]) -> bool {
        self.products.iter().any(|other| included(product, other, shape))
    }

    /// The smallest product that contains a product without this set (Prop. 8); `None` if nothing is left.
    ///
    /// By the paper's claim a local state r stays with thread i unless the product of the other threads' sets lies
    /// within the restriction of the set to r at i (Lemma 6). The restriction's products are those with r at i, with i
    /// left out, so: where a product of the set contains all threads but one, that one loses what the product has for
    /// it.
    pub fn without(&self, product: &Product, shape: &[Count]) -> Option<Product> {
        let mut left = product.clone();
        loop {
            let before = left.clone();
            for exception in &self.products {
                match restriction(&left, exception, shape) {
                    Restriction::Everything => return None,
                    Restriction::Nothing => {}
                    Restriction::Of(component, removals) => {
                        for (position, set) in removals {
                            match position {
                                Position::Slot(slot) => left[component].slots[slot].remove(&set),
                                Position::Rest => left[component].rest.remove(&set),
                            }
                        }
                        if is_empty(&left[component], shape[component]) {
                            return None;
                        }
                    }
                }
            }
            // With a maximised antichain one round is exact; with less, what is gone may let more go.
            if left == before {
                return Some(left);
            }
        }
    }

    /// Adds a product unless it is within another, and drops those within it.
    fn add(&mut self, product: Product, shape: &[Count]) -> bool {
        if self.includes(&product, shape) {
            return false;
        }
        self.products.retain(|other| !included(other, &product, shape));
        self.products.push(product);
        true
    }

    /// Closes the set under consensus, if it is small enough to begin with. The union stays the same: a consensus is
    /// within the union of its two products.
    fn maximise(&mut self, shape: &[Count]) {
        if self.products.len() > MOST_TO_MAXIMISE {
            return;
        }
        let mut closed: BTreeSet<Product> = BTreeSet::new();
        while let Some(product) = self.products.iter().find(|product| !closed.contains(*product)).cloned() {
            let partners: Vec<Product> = closed.iter().filter(|other| self.products.contains(other)).cloned().collect();
            for partner in partners.iter().chain([&product]) {
                for mut found in consensus(&product, partner, shape) {
                    if normalise(&mut found, shape) {
                        self.add(found, shape);
                    }
                }
                if self.products.len() > MOST_PRODUCTS {
                    return;
                }
            }
            closed.insert(product);
        }
    }
}

/// What a product of an exception set takes from a product.
enum Restriction {
    /// All of it.
    Everything,
    /// Nothing that shows in a product.
    Nothing,
    /// Of one component, at these positions.
    Of(usize, Vec<(Position, BitSet)>),
}

fn restriction(product: &Product, exception: &Product, shape: &[Count]) -> Restriction {
    let mut found = None;
    for (component, count) in shape.iter().enumerate() {
        match product[component].fit(&exception[component], *count) {
            Fit::Within => {}
            Fit::But(removals) if found.is_none() && !removals.is_empty() => found = Some((component, removals)),
            Fit::But(_) => return Restriction::Nothing,
        }
    }
    match found {
        None => Restriction::Everything,
        Some((component, removals)) => Restriction::Of(component, removals),
    }
}

fn is_empty(group: &Group, count: Count) -> bool {
    let has_rest = count.minus(group.slots.len()) != Some(Count::Exactly(0));
    group.slots.iter().any(BitSet::is_empty) || has_rest && group.rest.is_empty()
}

/// The products that take one thread's set from either product and all other threads' sets from both.
fn consensus(first: &Product, second: &Product, shape: &[Count]) -> Vec<Product> {
    let meets: Vec<Vec<Group>> = first
        .iter()
        .zip(second)
        .zip(shape)
        .map(|((a, b), count)| alignments(a, b, *count).iter().map(|pairs| combine(pairs, None)).collect())
        .collect();
    let mut found = Vec::new();
    for component in 0..shape.len() {
        let others = (0..shape.len()).filter(|other| *other != component);
        if others.clone().any(|other| meets[other].iter().all(|group| is_empty(group, shape[other]))) {
            continue;
        }
        for pairs in alignments(&first[component], &second[component], shape[component]) {
            for joined in 0..pairs.slots.len() + usize::from(pairs.has_rest) {
                let mut partial = vec![first.clone()];
                partial[0][component] = combine(&pairs, Some(joined));
                for other in others.clone() {
                    let next = |product: &Product| {
                        let with = |group: &Group| {
                            let mut product = product.clone();
                            product[other] = group.clone();
                            product
                        };
                        let fine = |group: &&Group| !is_empty(group, shape[other]);
                        meets[other].iter().filter(fine).map(with).collect::<Vec<_>>()
                    };
                    partial = partial.iter().flat_map(next).take(MOST_PRODUCTS).collect();
                }
                found.append(&mut partial);
            }
        }
    }
    found
}

/// The threads of two groups, one of each: those of slots first, then whether there are others.
struct Pairs {
    slots: Vec<(BitSet, BitSet)>,
    rest: (BitSet, BitSet),
    has_rest: bool,
}

/// All ways to take the threads of one group for those of another.
fn alignments(first: &Group, second: &Group, count: Count) -> Vec<Pairs> {
    let mut found = Vec::new();
    let mut chosen = vec![None; second.slots.len()];
    align(first, second, count, 0, &mut chosen, &mut found);
    found
}

/// Chooses a partner among the first group's slots, or among its rest, for the second's slots from the given one on.
fn align(
    first: &Group,
    second: &Group,
    count: Count,
    slot: usize,
    chosen: &mut Vec<Option<usize>>,
    found: &mut Vec<Pairs>,
) {
    if slot == second.slots.len() {
        let single = (0..first.slots.len()).filter(|mine| !chosen.contains(&Some(*mine)));
        let mut slots: Vec<(BitSet, BitSet)> =
            single.map(|mine| (first.slots[mine].clone(), second.rest.clone())).collect();
        slots.extend(chosen.iter().zip(&second.slots).map(|(mine, theirs)| {
            let mine = mine.map_or(&first.rest, |mine| &first.slots[mine]);
            (mine.clone(), theirs.clone())
        }));
        if let Some(left) = count.minus(slots.len()).filter(|_| slots.len() <= MOST_SLOTS.max(first.slots.len())) {
            let has_rest = left != Count::Exactly(0);
            found.push(Pairs { slots, rest: (first.rest.clone(), second.rest.clone()), has_rest });
        }
        return;
    }
    for mine in (0..first.slots.len()).map(Some).chain([None]) {
        if mine.is_none() || !chosen[..slot].contains(&mine) {
            chosen[slot] = mine;
            align(first, second, count, slot + 1, chosen, found);
            chosen[slot] = None;
        }
    }
}

/// The intersection of every pair, but for the one whose union is taken; that of the rest is of one thread.
fn combine(pairs: &Pairs, joined: Option<usize>) -> Group {
    let meet = |(slot, (a, b)): (usize, &(BitSet, BitSet))| if Some(slot) == joined { a.or(b) } else { a.and(b) };
    let mut slots: Vec<BitSet> = pairs.slots.iter().enumerate().map(meet).collect();
    if joined == Some(pairs.slots.len()) {
        slots.push(pairs.rest.0.or(&pairs.rest.1));
    }
    Group { slots, rest: pairs.rest.0.and(&pairs.rest.1) }
}
