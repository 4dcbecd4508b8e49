//! Exception sets as text: what users write and what inference prints. `docs/cartesian.md` describes the form.
//!
//! A description is a list of blocks: a condition on shared variables, and products of sets of local states. The sets
//! are predicates on local states, so that a description covers states that have not come up yet; what it says of the
//! number of threads ("exactly one worker …") becomes slots of a product and is never spelt out.

mod parse;
mod print;
mod spots;

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use selvedge_program::bitset::BitSet;
use selvedge_program::semantics::{GhostKey, Instance, Value};
use selvedge_program::{FunctionId, GhostField, ObjectId};

use crate::domain::{Component, Count, Group, Product, Shared};
use crate::program::ProgramSystem;

pub use parse::{SyntaxError, parse};
pub use print::print;
pub use spots::{Comparison, Spot};

/// A condition on shared data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A variable, or a part of one, compares to a number.
    Variable {
        /// The variable.
        object: ObjectId,
        /// Where in it.
        offset: u64,
        /// How many bytes.
        size: u32,
        /// Whether its numbers are signed.
        signed: bool,
        /// How it compares.
        comparison: Comparison,
    },
    /// A mutex is held, or it is not.
    Held(ObjectId, u64, bool),
}

/// Whom a clause is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The thread that was started as the so-manieth; `main` is 0.
    Thread(usize),
    /// The threads that run a function.
    Running(FunctionId, Quantity),
}

/// How many threads of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// All of them.
    Every,
    /// One of them, whatever the others do.
    One,
    /// All that no other clause of the product is about.
    Others,
    /// One is, the others are not.
    ExactlyOne,
    /// No two are.
    AtMostOne,
}

/// Threads, and where they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Who.
    pub who: Who,
    /// Whether they are at the spots, or not.
    pub is_at: bool,
    /// The spots.
    pub spots: Vec<Spot>,
}

/// A condition and the products that are kept exact where it holds.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Block {
    /// All of these must hold.
    pub conditions: Vec<Condition>,
    /// The products.
    pub products: Vec<Vec<Clause>>,
}

type Sets = FxHashMap<(usize, usize, usize, u32), (u32, BitSet)>;

/// Exception sets that a user has described.
#[derive(Clone, Debug, Default)]
pub struct Described {
    blocks: Vec<Block>,
    /// The local states of a class that a clause's spots cover, among those numbered so far.
    sets: RefCell<Sets>,
}

impl Described {
    /// Of blocks.
    pub fn new(blocks: Vec<Block>) -> Self {
        Self { blocks, sets: RefCell::default() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The products at a shared state.
    pub fn products(&self, system: &ProgramSystem<'_, '_>, shared: Shared) -> Vec<Product> {
        let mut found = Vec::new();
        for (block, described) in self.blocks.iter().enumerate() {
            if described.conditions.iter().all(|condition| holds(system, shared, condition)) {
                for (product, clauses) in described.products.iter().enumerate() {
                    let components = system.components_of(shared);
                    let all: Product = components.iter().map(|facts| Group::all(system.all_locals(*facts))).collect();
                    let places = Placing { described: self, system, components: &components, at: (block, product) };
                    found.append(&mut places.place(all, &vec![false; components.len()], clauses, 0));
                }
            }
        }
        found
    }

    /// The local states of a class at a clause's spots.
    fn set(&self, system: &ProgramSystem<'_, '_>, at: (usize, usize), clause: usize, component: Component) -> BitSet {
        let spots = &self.blocks[at.0].products[at.1][clause].spots;
        let mut sets = self.sets.borrow_mut();
        let (done, set) = sets.entry((at.0, at.1, clause, component.class)).or_default();
        let known = system.splitter.locals[component.class as usize].len() as u32;
        for local in *done..known {
            let part = system.splitter.local(component, local);
            if spots.iter().any(|spot| spot.matches(system.semantics().program, part)) {
                set.insert(local);
            }
        }
        *done = known;
        set.clone()
    }
}

/// Puts the clauses of one product to the threads of a shared state.
struct Placing<'a, 's, 'p> {
    described: &'a Described,
    system: &'a ProgramSystem<'s, 'p>,
    components: &'a [Component],
    at: (usize, usize),
}

impl Placing<'_, '_, '_> {
    /// All products that the clauses from the given one on make of one. `taken` are the components that a clause is
    /// about already.
    fn place(&self, product: Product, taken: &[bool], clauses: &[Clause], next: usize) -> Vec<Product> {
        let Some(clause) = clauses.get(next) else { return vec![product] };
        match clause.who {
            Who::Thread(thread) => {
                // A thread that has not been started is nowhere.
                let is_individual = thread < self.components.len() && self.components[thread].class as usize == thread;
                if !is_individual {
                    return Vec::new();
                }
                let mut product = product;
                product[thread] = product[thread].within(&self.meaning(next, clause, thread));
                let taken = marked(taken, thread);
                self.place(product, &taken, clauses, next + 1)
            }
            Who::Running(entry, quantity) => {
                let mine: Vec<usize> = (0..self.components.len()).filter(|index| self.runs(*index, entry)).collect();
                match quantity {
                    Quantity::Every => {
                        let product = self.restrict(product, &mine, |index| self.meaning(next, clause, index));
                        self.place(product, taken, clauses, next + 1)
                    }
                    Quantity::Others => {
                        let others: Vec<usize> = mine.into_iter().filter(|index| !taken[*index]).collect();
                        let mut product = product;
                        for index in others {
                            let set = self.meaning(next, clause, index);
                            product[index].rest.keep(&set);
                            if self.components[index].count == Count::Exactly(1) {
                                product[index].slots.iter_mut().for_each(|slot| slot.keep(&set));
                            }
                        }
                        self.place(product, taken, clauses, next + 1)
                    }
                    Quantity::One | Quantity::ExactlyOne | Quantity::AtMostOne => {
                        self.place_one(&product, taken, clauses, next, &mine, quantity)
                    }
                }
            }
        }
    }

    /// One product for every thread that can be the one.
    fn place_one(
        &self,
        product: &Product,
        taken: &[bool],
        clauses: &[Clause],
        next: usize,
        mine: &[usize],
        quantity: Quantity,
    ) -> Vec<Product> {
        let clause = &clauses[next];
        let mut found = Vec::new();
        for chosen in mine.iter().copied().filter(|index| !taken[*index]) {
            let others = if quantity == Quantity::One {
                product.clone()
            } else {
                self.restrict(product.clone(), mine, |index| {
                    self.system.all_locals(self.components[index]).without(&self.meaning(next, clause, index))
                })
            };
            let set = match quantity {
                Quantity::AtMostOne => self.system.all_locals(self.components[chosen]),
                _ => self.meaning(next, clause, chosen),
            };
            let mut product = others;
            let one_thread = self.components[chosen].count == Count::Exactly(1);
            if one_thread {
                product[chosen] = Group::all(set);
            } else {
                product[chosen].slots.push(set);
            }
            let taken = if one_thread { marked(taken, chosen) } else { taken.to_vec() };
            found.append(&mut self.place(product, &taken, clauses, next + 1));
        }
        found
    }

    fn restrict(&self, mut product: Product, mine: &[usize], set: impl Fn(usize) -> BitSet) -> Product {
        for index in mine {
            product[*index] = product[*index].within(&set(*index));
        }
        product
    }

    /// The local states that a clause means, for the threads of a component.
    fn meaning(&self, next: usize, clause: &Clause, component: usize) -> BitSet {
        let facts = self.components[component];
        let set = self.described.set(self.system, self.at, next, facts);
        if clause.is_at { set } else { self.system.all_locals(facts).without(&set) }
    }

    /// Whether a component's threads run a function, as far as its local states tell.
    fn runs(&self, component: usize, entry: FunctionId) -> bool {
        let facts = self.components[component];
        let class = &self.system.splitter.locals[facts.class as usize];
        match self.system.splitter.crowd_of(facts) {
            Some(crowd) => crowd == entry,
            None => {
                class.values().next().and_then(|part| part.thread.frames.first()).is_some_and(|f| f.function == entry)
            }
        }
    }
}

fn marked(taken: &[bool], index: usize) -> Vec<bool> {
    let mut taken = taken.to_vec();
    taken[index] = true;
    taken
}

fn holds(system: &ProgramSystem<'_, '_>, shared: Shared, condition: &Condition) -> bool {
    let state = &system.splitter.shared.value(shared.0).state;
    match condition {
        Condition::Variable { object, offset, size, signed, comparison } => {
            let Some(block) = state.memory().block(Instance::Static(*object)) else { return false };
            let pointer_size = system.semantics().program.data_model.pointer_size();
            match block.contents.load_raw(*offset, *size, pointer_size) {
                Value::Bits(bits) if *signed => comparison.holds(bits.as_signed()),
                Value::Bits(bits) => comparison.holds(i128::try_from(bits.unsigned()).unwrap_or(i128::MAX)),
                _ => false,
            }
        }
        Condition::Held(object, offset, held) => {
            let owners = [GhostField::MutexOwner, GhostField::SpinOwner, GhostField::WriteOwner];
            let object = Some(Instance::Static(*object));
            let is_held =
                owners.iter().any(|field| state.ghost(GhostKey { object, offset: *offset, field: *field }).is_some());
            is_held == *held
        }
    }
}
