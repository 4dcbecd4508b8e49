//! The predicates that are tracked, where each means something, and their terms before and after steps. One that is given
//! up keeps its number: what was found out about it serves again when it is tracked again.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use selvedge_logic::Term;
use selvedge_program::live::Live;
use selvedge_program::{EdgeId, FunctionId, LocationId, Program, RegisterId};
use selvedge_symbolic::threads::{ArcKind, Local, Moved, NodeId, Slot, Thing, Unfolded, Universe, View, Who};
use selvedge_symbolic::{CellKey, Predicate, Variable};

/// A tracked predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredicateId(pub u32);

/// What a predicate speaks of.
#[derive(Clone, Debug)]
struct Tracked {
    predicate: Predicate,
    locals: Vec<Local>,
    cells: BTreeSet<CellKey>,
    own: Term,
    other: Term,
    is_given_up: bool,
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
    /// Tracks a predicate from now on. `None` if it is tracked, speaks of something that is not, or says nothing.
    pub fn add(&mut self, view: &mut View<'_>, predicate: &Predicate) -> Option<PredicateId> {
        if let Some(id) = self.known(predicate) {
            let was_given_up = std::mem::take(&mut self.tracked[id.0 as usize].is_given_up);
            return was_given_up.then_some(id);
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
                    locals.push(local);
                }
                Slot::Shared(key) => {
                    view.cell(key)?;
                    cells.insert(key);
                }
            }
        }
        let (own, other) = (view.holds(predicate, Who::Own), view.holds(predicate, Who::Other));
        cells.extend(view.cells_in(&[own]));
        if !says_something(view, predicate) {
            return None;
        }
        let id = PredicateId(self.tracked.len() as u32);
        self.known.insert(predicate.clone(), id);
        self.tracked.push(Tracked { predicate: predicate.clone(), locals, cells, own, other, is_given_up: false });
        Some(id)
    }

    /// Whether a predicate could be tracked that is not.
    pub fn is_new(&self, view: &mut View<'_>, predicate: &Predicate) -> bool {
        match self.known(predicate) {
            Some(id) => self.tracked[id.0 as usize].is_given_up,
            None => says_something(view, predicate),
        }
    }

    fn known(&self, predicate: &Predicate) -> Option<PredicateId> {
        self.known.get(predicate).or_else(|| self.known.get(&predicate.not())).copied()
    }

    /// Those that are tracked.
    pub fn tracked(&self) -> Vec<PredicateId> {
        let all = (0..self.tracked.len() as u32).map(PredicateId);
        all.filter(|id| !self.tracked[id.0 as usize].is_given_up).collect()
    }

    /// Tracks these and no others.
    pub fn track_only(&mut self, wanted: &[PredicateId]) {
        for tracked in &mut self.tracked {
            tracked.is_given_up = true;
        }
        for id in wanted {
            self.tracked[id.0 as usize].is_given_up = false;
        }
    }

    pub fn get(&self, id: PredicateId) -> &Predicate {
        &self.tracked[id.0 as usize].predicate
    }

    /// The cells that it speaks of.
    pub fn cells(&self, id: PredicateId) -> &BTreeSet<CellKey> {
        &self.tracked[id.0 as usize].cells
    }

    /// What it speaks of that is the thread's own.
    pub fn locals(&self, id: PredicateId) -> &[Local] {
        &self.tracked[id.0 as usize].locals
    }

    /// Whether it says the same of all threads.
    pub fn is_shared(&self, id: PredicateId) -> bool {
        let tracked = &self.tracked[id.0 as usize];
        tracked.locals.is_empty() && !tracked.predicate.condition().mentions_self()
    }

    /// The predicate of a thread.
    pub fn term(&self, id: PredicateId, who: Who) -> Term {
        let tracked = &self.tracked[id.0 as usize];
        match who {
            Who::Own | Who::Started => tracked.own,
            Who::Other => tracked.other,
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

    /// The predicates that mean something at a place: their registers are live there, and the functions of their
    /// locals are active.
    pub fn in_scope(&mut self, universe: &Universe<'_>, unfolded: &Unfolded, node: NodeId) -> Vec<PredicateId> {
        let program = universe.program;
        let active = unfolded.active(node);
        let at = unfolded.get(node);
        let live = &mut self.live;
        self.tracked
            .iter()
            .enumerate()
            .filter(|(_, tracked)| !tracked.is_given_up)
            .filter(|(_, tracked)| {
                tracked.locals.iter().all(|local| match local {
                    Local::Register(function, register) if *function == at.function => {
                        let live = live.entry(*function).or_insert_with(|| Live::of(program.function(*function)));
                        live.at(at.location).contains(register)
                    }
                    Local::Register(function, _) => active.contains(function),
                    Local::Cell(key) => match universe.thing(key.object()) {
                        Some(Thing::Frame(function, _)) => active.contains(&function),
                        _ => true,
                    },
                })
            })
            .map(|(index, _)| PredicateId(index as u32))
            .collect()
    }
}

/// Whether a predicate is not always the same, and decided by the state: the identity of allocations for which another one
/// stands is not, and their addresses are compared with an answer out of nothing.
fn says_something(view: &mut View<'_>, predicate: &Predicate) -> bool {
    let (term, again) = (view.holds(predicate, Who::Own), view.holds(predicate, Who::Own));
    term == again && !view.builder.is(term, true) && !view.builder.is(term, false)
}
