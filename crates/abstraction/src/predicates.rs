//! The predicates that are tracked, where each means something, and their terms before and after steps.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use selvedge_logic::Term;
use selvedge_program::live::Live;
use selvedge_program::{EdgeId, FunctionId, LocationId, Program, RegisterId};
use selvedge_symbolic::threads::view::Named;
use selvedge_symbolic::threads::{ArcKind, Local, Moved, NodeId, Slot, Thing, Unfolded, Universe, View, Who};
use selvedge_symbolic::{CellKey, Predicate, Variable};

/// A tracked predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredicateId(pub u32);

/// A set of predicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PredicateSet(Vec<u64>);

impl PredicateSet {
    pub fn of(predicates: impl Iterator<Item = PredicateId>) -> PredicateSet {
        let mut set = PredicateSet::default();
        predicates.for_each(|id| set.insert(id));
        set
    }

    pub fn insert(&mut self, id: PredicateId) {
        let word = id.0 as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (id.0 % 64);
    }

    pub fn contains(&self, id: PredicateId) -> bool {
        self.0.get(id.0 as usize / 64).is_some_and(|word| word & (1 << (id.0 % 64)) != 0)
    }

    /// Those of it, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = PredicateId> + '_ {
        (0..self.0.len() as u32 * 64).map(PredicateId).filter(|id| self.contains(*id))
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|bits| *bits == 0)
    }

    /// Whether all of it is in another one.
    pub fn is_part_of(&self, other: &PredicateSet) -> bool {
        self.0.iter().enumerate().all(|(word, bits)| bits & !other.0.get(word).copied().unwrap_or(0) == 0)
    }

    /// Whether two sets have something in common.
    pub fn meets(&self, other: &PredicateSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}

/// What a predicate speaks of.
#[derive(Clone, Debug)]
struct Tracked {
    predicate: Predicate,
    locals: Vec<Local>,
    /// What its term depends on besides that is the thread's own: the lives of objects that it points to.
    lives: Vec<Local>,
    cells: BTreeSet<CellKey>,
    own: Term,
    other: Term,
}

/// All tracked predicates.
#[derive(Debug, Default)]
pub struct Predicates {
    tracked: Vec<Tracked>,
    known: FxHashMap<Predicate, PredicateId>,
    after: FxHashMap<(PredicateId, Who, Who, FunctionId, EdgeId, ArcKind), Term>,
    live: FxHashMap<FunctionId, Live>,
}

/// A step, by what its effect depends on.
pub type StepKey = (FunctionId, EdgeId, ArcKind);

impl Predicates {
    /// The number of a predicate or of its negation. `None` if it speaks of something that is not tracked or says
    /// nothing.
    pub fn add(&mut self, view: &mut View<'_>, predicate: &Predicate) -> Option<PredicateId> {
        if let Some(known) = self.number(predicate) {
            return Some(known);
        }
        let mut locals = Vec::new();
        let mut cells = BTreeSet::new();
        for &variable in predicate.variables() {
            if let Variable::Address(_) = variable {
                continue;
            }
            match view.slot(variable)? {
                Slot::Own(local) => {
                    view.local(Who::Own, local)?;
                    // What a thread has added is known to be a part of what all have.
                    if let Local::Cell(CellKey::Tally { object, start, field, tally }) = local {
                        cells.insert(CellKey::Tally { object, start, field, tally: tally.of_all() });
                    }
                    locals.push(local);
                }
                Slot::Shared(key) => {
                    view.cell(key)?;
                    cells.insert(key);
                }
            }
        }
        let (own, other) = (view.holds(predicate, Who::Own), view.holds(predicate, Who::Other));
        let mut lives = Vec::new();
        for named in view.names_in(&[own]) {
            match named {
                Named::Cell(key) => drop(cells.insert(key)),
                Named::Local(_, local) if !locals.contains(&local) => lives.push(local),
                Named::Local(..) => {}
            }
        }
        if !says_something(view, predicate) {
            return None;
        }
        let id = PredicateId(self.tracked.len() as u32);
        self.known.insert(predicate.clone(), id);
        self.tracked.push(Tracked { predicate: predicate.clone(), locals, lives, cells, own, other });
        Some(id)
    }

    /// Whether a predicate could be tracked that is not among these.
    pub fn is_new(&self, view: &mut View<'_>, predicate: &Predicate, tracked: &PredicateSet) -> bool {
        !self.number(predicate).is_some_and(|known| tracked.contains(known)) && says_something(view, predicate)
    }

    fn number(&self, predicate: &Predicate) -> Option<PredicateId> {
        self.known.get(predicate).or_else(|| self.known.get(&predicate.not())).copied()
    }

    pub fn len(&self) -> usize {
        self.tracked.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tracked.is_empty()
    }

    pub fn get(&self, id: PredicateId) -> &Predicate {
        &self.tracked[id.0 as usize].predicate
    }

    pub fn all(&self) -> impl Iterator<Item = PredicateId> + use<> {
        (0..self.tracked.len() as u32).map(PredicateId)
    }

    /// The cells that it speaks of.
    pub fn cells(&self, id: PredicateId) -> &BTreeSet<CellKey> {
        &self.tracked[id.0 as usize].cells
    }

    /// What it speaks of that is the thread's own.
    pub fn locals(&self, id: PredicateId) -> &[Local] {
        &self.tracked[id.0 as usize].locals
    }

    /// Everything of the thread's own that decides it: what it speaks of, and the lives of what that points to.
    pub fn decided_by(&self, id: PredicateId) -> impl Iterator<Item = Local> + '_ {
        let tracked = &self.tracked[id.0 as usize];
        tracked.locals.iter().chain(&tracked.lives).copied()
    }

    /// Whether it says the same of all threads.
    pub fn is_shared(&self, id: PredicateId) -> bool {
        let tracked = &self.tracked[id.0 as usize];
        tracked.locals.is_empty() && tracked.lives.is_empty() && !tracked.predicate.condition().mentions_self()
    }

    /// The predicate of a thread.
    pub fn term(&self, id: PredicateId, who: Who) -> Term {
        let tracked = &self.tracked[id.0 as usize];
        match who {
            Who::Own | Who::Started => tracked.own,
            Who::Other | Who::Passive(_) => tracked.other,
        }
    }

    /// The predicate of a thread after a step.
    pub fn after(
        &mut self,
        view: &mut View<'_>,
        id: PredicateId,
        who: Who,
        moved: &Moved,
        by: Who,
        step: StepKey,
    ) -> Term {
        let key = (id, who, by, step.0, step.1, step.2);
        if let Some(term) = self.after.get(&key) {
            return *term;
        }
        let term = view.holds_after(&self.tracked[id.0 as usize].predicate, who, moved, by);
        self.after.insert(key, term);
        term
    }

    /// The registers of a function that are live at a location.
    pub fn live_at(&mut self, program: &Program, function: FunctionId, location: LocationId) -> Vec<RegisterId> {
        let live = self.live.entry(function).or_insert_with(|| Live::of(program.function(function)));
        live.at(location).to_vec()
    }

    /// The predicates that mean something at a place.
    pub fn in_scope(&mut self, universe: &Universe<'_>, unfolded: &Unfolded, node: NodeId) -> Vec<PredicateId> {
        self.among(&self.all().collect::<Vec<_>>(), universe, unfolded, node)
    }

    /// Those of some predicates that mean something at a place: their registers are live there, and the functions of
    /// their locals are active.
    pub fn among(
        &mut self,
        some: &[PredicateId],
        universe: &Universe<'_>,
        unfolded: &Unfolded,
        node: NodeId,
    ) -> Vec<PredicateId> {
        let program = universe.program;
        let at = unfolded.get(node);
        let mut active = None;
        let mut is_active = |function: FunctionId| {
            function == at.function || active.get_or_insert_with(|| unfolded.active(node)).contains(&function)
        };
        let live = &mut self.live;
        let mut means = |local: &Local| match local {
            Local::Register(function, register) if *function == at.function => {
                let live = live.entry(*function).or_insert_with(|| Live::of(program.function(*function)));
                live.at(at.location).contains(register)
            }
            Local::Register(function, _) => is_active(*function),
            Local::Cell(CellKey::Tally { .. }) => true,
            Local::Cell(key) => match universe.thing(key.object()) {
                Some(Thing::Frame(function, _)) => is_active(function),
                _ => true,
            },
        };
        let tracked = &self.tracked;
        some.iter().copied().filter(|id| tracked[id.0 as usize].locals.iter().all(&mut means)).collect()
    }
}

/// Whether a predicate is not always the same, and decided by the state: the identity of allocations for which another one
/// stands is not, and their addresses are compared with an answer out of nothing.
fn says_something(view: &mut View<'_>, predicate: &Predicate) -> bool {
    let (term, again) = (view.holds(predicate, Who::Own), view.holds(predicate, Who::Own));
    term == again && !view.builder.is(term, true) && !view.builder.is(term, false)
}
