//! A program as a transition system: shared and local states numbered as they come up, moves computed by the concrete
//! semantics.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use selvedge_program::bitset::BitSet;
use selvedge_program::semantics::{Instance, PendingAccess, Semantics, Spot};
use selvedge_program::{Atomicity, Budget, Exhausted, Program, Span};

use crate::domain::{Component, ExceptionSet, Group, Move, Product, Shared, System};
use crate::privacy::Privacy;
use crate::split::{Crowds, IDLE, Splitter, Unsplit};
use crate::step::{Path, Stepper, Steps, Wrong};

/// Why an exploration was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenUp {
    /// The states cannot be split.
    Unsplit(Unsplit, Span),
    /// A limit of the budget.
    Exhausted(Exhausted),
    /// There are too many states.
    TooMany,
    /// The program cannot start.
    Start(String),
}

impl From<Exhausted> for GivenUp {
    fn from(limit: Exhausted) -> Self {
        GivenUp::Exhausted(limit)
    }
}

/// A thread in a local state at a shared state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// The shared state.
    pub shared: Shared,
    /// The component.
    pub component: usize,
    /// The local state.
    pub local: u32,
}

/// A program as a transition system.
#[derive(Debug)]
pub struct ProgramSystem<'a, 'p> {
    stepper: Stepper<'a, 'p>,
    /// Shared and local states.
    pub splitter: Splitter<'a, 'p>,
    initial: Option<Vec<(Shared, u32)>>,
    moves: FxHashMap<At, Vec<Move>>,
    /// What goes wrong from where.
    pub faults: BTreeMap<At, Vec<Wrong>>,
    /// What goes wrong before anything is shared.
    pub initial_faults: Vec<(Wrong, Path)>,
    accesses: FxHashMap<At, Vec<PendingAccess>>,
    /// The exception sets, by shared state.
    pub exceptions: BTreeMap<Shared, Vec<Product>>,
    /// Exception sets described by the user.
    pub described: crate::text::Described,
    /// How many shared and local states there may be.
    pub max_states: usize,
    /// Of how many local states at shared states the moves may be asked for.
    pub max_moves: usize,
}

impl<'a, 'p> ProgramSystem<'a, 'p> {
    /// For a program, to be explored within a budget.
    pub fn new(program: &'p Program, privacy: &'a Privacy<'p>, crowds: Crowds, budget: &Budget) -> Self {
        let (semantics, budget) = (Semantics::new(program), budget.clone());
        Self {
            stepper: Stepper { semantics, privacy, max_choices: 256, budget },
            splitter: Splitter::new(program, privacy, crowds),
            initial: None,
            moves: FxHashMap::default(),
            faults: BTreeMap::new(),
            initial_faults: Vec::new(),
            accesses: FxHashMap::default(),
            exceptions: BTreeMap::new(),
            described: crate::text::Described::default(),
            max_states: usize::MAX,
            max_moves: usize::MAX,
        }
    }

    /// The judge.
    pub fn semantics(&self) -> &Semantics<'p> {
        &self.stepper.semantics
    }

    /// The components of a shared state.
    pub fn components_of(&self, shared: Shared) -> Vec<Component> {
        self.splitter.components(shared)
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.splitter.shared.len() + self.splitter.locals.iter().map(|class| class.len()).sum::<usize>()
    }

    /// Everything a thread can do from where it is.
    pub fn steps(&self, at: At) -> Result<Steps, GivenUp> {
        let joined = self.splitter.join(at.shared, at.component, at.local);
        Ok(self.stepper.steps(&joined.state, joined.thread)?)
    }

    /// What `main` does by itself before anything can be seen.
    pub fn initial_steps(&self) -> Result<Steps, GivenUp> {
        let state = self.stepper.semantics.initial().map_err(|outcome| GivenUp::Start(format!("{outcome:?}")))?;
        let mut steps = Steps::default();
        let first = selvedge_program::ThreadIndex(0);
        self.stepper.go_on(state, first, Path::new(), &mut steps)?;
        Ok(steps)
    }

    /// Where the program starts: shared states with `main`'s local states.
    pub fn starts(&mut self) -> Result<Vec<(Shared, u32)>, GivenUp> {
        if let Some(initial) = &self.initial {
            return Ok(initial.clone());
        }
        let steps = self.initial_steps()?;
        let starts: Vec<(Shared, u32)> =
            steps.ends.into_iter().map(|(state, _)| self.splitter.split_initial(state)).collect();
        self.initial_faults = steps.faults;
        self.initial = Some(starts.clone());
        Ok(starts)
    }

    /// The moves of a thread, and its faults noted.
    pub fn moves_of(&mut self, at: At) -> Result<&[Move], GivenUp> {
        if !self.moves.contains_key(&at) {
            if self.states() > self.max_states || self.moves.len() > self.max_moves {
                return Err(GivenUp::TooMany);
            }
            let joined = self.splitter.join(at.shared, at.component, at.local);
            let steps = self.stepper.steps(&joined.state, joined.thread)?;
            let mut moves = Vec::new();
            for (state, path) in steps.ends {
                let made = self.splitter.split(at.shared, at.component, at.local, joined.thread, state);
                let span = || self.span_of(&path);
                moves.push(made.map_err(|unsplit| GivenUp::Unsplit(unsplit, span()))?);
            }
            moves.sort();
            moves.dedup();
            if !steps.faults.is_empty() {
                let mut faults: Vec<Wrong> = steps.faults.into_iter().map(|(fault, _)| fault).collect();
                faults.sort();
                faults.dedup();
                self.faults.insert(at, faults);
            }
            self.moves.insert(at, moves);
        }
        Ok(&self.moves[&at])
    }

    /// The place in the source of a path's first edge.
    fn span_of(&self, path: &Path) -> Span {
        let program = self.stepper.semantics.program;
        path.first().map_or(Span::NOWHERE, |(function, edge, _)| program.function(*function).edge(*edge).span)
    }

    /// What a thread is about to access that others may too. What the library keeps with a thread is always accessed
    /// atomically.
    pub fn accesses_of(&mut self, at: At) -> &[PendingAccess] {
        let (splitter, stepper) = (&self.splitter, &self.stepper);
        self.accesses.entry(at).or_insert_with(|| {
            let joined = splitter.join(at.shared, at.component, at.local);
            let Some(root) = joined.state.thread(joined.thread).and_then(|thread| thread.frames.first()) else {
                return Vec::new();
            };
            let mut accesses = stepper.semantics.accesses(&joined.state, joined.thread);
            accesses.retain(|access| match access.spot {
                Spot::Bytes { object, .. } | Spot::Whole(object) => {
                    !stepper.privacy.is_unseen(&joined.state, joined.thread, root.function, object)
                }
                Spot::Ghost(key) => {
                    access.atomicity == Atomicity::Plain || !matches!(key.object, None | Some(Instance::Thread(_)))
                }
            });
            accesses.sort();
            accesses.dedup();
            accesses
        })
    }

    /// All local states of a component's class that have come up.
    pub fn all_locals(&self, component: Component) -> BitSet {
        BitSet::below(self.splitter.locals[component.class as usize].len() as u32)
    }
}

impl System for ProgramSystem<'_, '_> {
    type GivenUp = GivenUp;

    fn initial(&mut self) -> Result<Vec<(Shared, Product)>, GivenUp> {
        let starts = self.starts()?;
        let product = |(shared, local): (Shared, u32)| {
            let groups = self
                .splitter
                .components(shared)
                .into_iter()
                .enumerate()
                .map(|(component, _)| Group::all(BitSet::of(if component == 0 { local } else { IDLE })));
            (shared, groups.collect())
        };
        Ok(starts.into_iter().map(product).collect())
    }

    fn components(&self, shared: Shared) -> Vec<Component> {
        self.splitter.components(shared)
    }

    fn moves(&mut self, shared: Shared, component: usize, local: u32) -> Result<Vec<Move>, GivenUp> {
        self.moves_of(At { shared, component, local }).map(<[Move]>::to_vec)
    }

    fn exceptions(&self, shared: Shared) -> ExceptionSet {
        let mut products = self.exceptions.get(&shared).cloned().unwrap_or_default();
        products.extend(self.described.products(self, shared));
        let shape: Vec<_> = self.splitter.components(shared).iter().map(|component| component.count).collect();
        ExceptionSet::new(products, &shape)
    }

    fn version(&self) -> u64 {
        if self.described.is_empty() { 0 } else { self.states() as u64 }
    }
}
