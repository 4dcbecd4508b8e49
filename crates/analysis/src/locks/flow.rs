//! What is held at every location: within functions by intersection over all ways there, across calls by summaries.
//!
//! What is known is shared between the locations where it is the same, and calls are looked at by the list of functions
//! that they may enter, so that code which has nothing to do with locks costs next to nothing.

use super::definitions::Definitions;
use super::known::Known;
use super::names::{LockName, rewrite};
use super::summary::{Releases, releases};
use super::update::{Effect, LockFamily, Update, marked, unmarked};
use super::words::Words;
use super::{Aliases, Held, LockId, Locksets};
use crate::call_graph::CallGraph;
use crate::points_to::SharedTargets;
use crate::{AbstractObject, Parallel, PointsTo};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use selvedge_program::{
    Action, AtomicStep, Budget, CodeLocation, EdgeId, Exhausted, Expr, Function, FunctionId, LockMode, Program,
    RegisterId,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What is known at the locations of a function; `None` where no thread ever is.
pub(super) type Everywhere = Vec<Option<Arc<Known>>>;

/// What an edge does to locks beside what its marks say.
#[derive(Debug, Default)]
pub(super) struct Unmarked {
    pub(super) updates: Vec<Update>,
    /// The words that it may overwrite without being about locks.
    pub(super) words: Vec<SharedTargets>,
}

/// What is known of all functions of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ListState {
    /// Some returns.
    pub(super) returns: bool,
    /// Some returns that leaves nothing held.
    pub(super) gains_nothing: bool,
    /// All are entered where nothing is held.
    pub(super) is_entered_with_nothing: bool,
}

/// The state of the search.
pub(super) struct Solver<'a> {
    pub(super) program: &'a Program,
    pub(super) points_to: &'a PointsTo,
    pub(super) calls: CallGraph<'a>,
    pub(super) words: Words,
    pub(super) names: IndexSet<LockName, FxBuildHasher>,
    /// By lock, what its address may be, and the registers in it.
    pub(super) targets: Vec<SharedTargets>,
    pub(super) registers: Vec<Vec<RegisterId>>,
    pub(super) aliases: Aliases,
    /// By list of functions.
    pub(super) releases: Vec<Releases>,
    pub(super) lists: Vec<ListState>,
    /// By function, what it leaves held when nothing is held at its entry; `None` while it is not known to return.
    pub(super) gains: Vec<Option<Held>>,
    pub(super) unmarked: FxHashMap<(FunctionId, EdgeId), Unmarked>,
    pub(super) definitions: Vec<Option<Definitions>>,
    pub(super) nothing: Arc<Known>,
}

/// Finds what is held everywhere.
pub fn solve(
    program: &Program,
    points_to: &PointsTo,
    parallel: &Parallel,
    budget: &Budget,
) -> Result<Locksets, Exhausted> {
    let (calls, words) = (CallGraph::of(program, points_to), Words::of(program, points_to));
    let releases = releases(program, points_to, &words, &calls);
    let mut solver = Solver {
        program,
        points_to,
        words,
        names: IndexSet::default(),
        targets: Vec::new(),
        registers: Vec::new(),
        aliases: Aliases::default(),
        releases,
        lists: vec![ListState::default(); calls.list_count()],
        calls,
        gains: vec![None; program.functions.len()],
        unmarked: FxHashMap::default(),
        definitions: program.functions.iter().map(definitions).collect(),
        nothing: Arc::new(Known::default()),
    };
    solver.find_unmarked();
    let alone = solver.summarise(budget)?;
    let at = solver.with_entries(parallel, alone, budget)?;
    let intrusions = solver.intrusions(parallel, &at);
    let mut kept: FxHashMap<*const Known, Arc<Held>> = FxHashMap::default();
    let mut keep = |known: &Arc<Known>| {
        let is_kept = |(lock, mode): (&LockId, &LockMode)| {
            (!solver.is_intruded(*lock, *mode, &intrusions)).then_some((*lock, *mode))
        };
        let found = || Arc::new(known.held.iter().filter_map(is_kept).collect());
        kept.entry(Arc::as_ptr(known)).or_insert_with(found).clone()
    };
    let at = at.iter().map(|locations| locations.iter().map(|known| known.as_ref().map(&mut keep)).collect()).collect();
    Ok(Locksets { names: solver.names, at, definitions: solver.definitions })
}

impl Solver<'_> {
    fn find_unmarked(&mut self) {
        for (index, function) in self.program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            for (position, edge) in function.edges.iter().enumerate() {
                let updates = unmarked(id, EdgeId::new(position), &edge.action, &self.words);
                let words = self.words.overwritten(self.points_to, id, &edge.action);
                if !updates.is_empty() || !words.is_empty() {
                    self.unmarked.insert((id, EdgeId::new(position)), Unmarked { updates, words });
                }
            }
        }
    }

    pub(super) fn lock(&mut self, name: LockName) -> LockId {
        let (index, is_new) = self.names.insert_full(name);
        if is_new {
            let name = &self.names[index];
            self.targets.push(self.points_to.shared_targets_of(name.function, &name.address));
            let mut registers = Vec::new();
            name.address.for_each_register(&mut |register| registers.push(register));
            self.registers.push(registers);
        }
        LockId(index as u32)
    }

    pub(super) fn name(&self, lock: LockId) -> &LockName {
        &self.names[lock.0 as usize]
    }

    pub(super) fn mentions(&self, lock: LockId, register: RegisterId) -> bool {
        self.registers[lock.0 as usize].contains(&register)
    }

    /// Forgets the locks of a family that one of these targets may be; of all families without one.
    fn forget(&mut self, known: &mut Known, targets: &SharedTargets, family: Option<LockFamily>) {
        let (names, all, aliases) = (&self.names, &self.targets, &mut self.aliases);
        known.retain(|lock| {
            let index = lock.0 as usize;
            family.is_some_and(|family| names[index].family != family) || !aliases.may_alias(&all[index], targets)
        });
    }

    /// Forgets what depends on a register that gets another value.
    fn assign(&self, known: &mut Known, register: RegisterId) {
        known.retain(|lock| !self.mentions(lock, register));
        known.forget_value(register);
    }

    /// What is known after an edge; `None` if it is never passed.
    fn along(&mut self, function: FunctionId, edge: EdgeId, before: &Arc<Known>) -> Option<Arc<Known>> {
        let action = &self.program.function(function).edge(edge).action;
        if !action.falls_through() {
            return None;
        }
        if let Action::Call { target, arguments, .. } = action {
            let mut after = self.after_call(function, edge, arguments, before)?;
            if let Some(target) = target
                && !after.is_nothing()
            {
                self.assign(Arc::make_mut(&mut after), *target);
            }
            return Some(after);
        }
        let is_about_locks = !action.steps().is_empty() || self.unmarked.contains_key(&(function, edge));
        if before.is_nothing() && !is_about_locks {
            return Some(before.clone());
        }
        let mut known = Known::clone(before);
        self.change(function, edge, action, &mut known);
        Some(if known == **before { before.clone() } else { Arc::new(known) })
    }

    /// What an edge within a function changes.
    fn change(&mut self, function: FunctionId, edge: EdgeId, action: &Action, known: &mut Known) {
        match action {
            Action::Atomic(steps) => {
                let location = self.program.function(function).edge(edge).source;
                steps.iter().for_each(|step| self.after_step(CodeLocation { function, location }, step, known));
            }
            Action::Assume(condition) => known.branch(condition),
            Action::Assign { target, value } => self.after_assignment(function, *target, value, known),
            Action::Free { address } => {
                let targets = self.points_to.whole_objects_of(function, address);
                self.forget(known, &targets, None);
            }
            Action::Forget { object } | Action::EndLife { object } => {
                let object = AbstractObject::Frame(function, *object);
                let targets = &self.targets;
                known.retain(|lock| targets[lock.0 as usize].iter().all(|target| target.object != object));
            }
            Action::Load { .. } | Action::Havoc { .. } | Action::Spawn { .. } | Action::Allocate { .. } => {
                action.assigned().into_iter().for_each(|register| self.assign(known, register));
            }
            Action::Store { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Output(_)
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::ThreadExit { .. }
            | Action::Exit { .. }
            | Action::Unsupported(_)
            | Action::Inexact(_) => {}
        }
        let Some(unmarked) = self.unmarked.remove(&(function, edge)) else { return };
        for targets in &unmarked.words {
            self.forget(known, targets, Some(LockFamily::Word));
        }
        unmarked.updates.iter().for_each(|update| self.after_update(function, update, known));
        // What the update computes after its write tells whether it has taken a lock.
        let is_write = |step: &&AtomicStep| matches!(step, AtomicStep::Write { .. });
        for step in action.steps().iter().skip_while(|step| !is_write(step)) {
            self.after_registers(function, step, known);
        }
        self.unmarked.insert((function, edge), unmarked);
    }

    fn after_step(&mut self, at: CodeLocation, step: &AtomicStep, known: &mut Known) {
        let function = at.function;
        if let Some(update) = marked(step) {
            self.after_update(function, &update, known);
            let definitions = self.definitions[function.index()].as_ref();
            let expanded = definitions.and_then(|definitions| definitions.expanded(at.location, &update.address));
            if let (Some(address), Effect::Acquire(..)) = (expanded, &update.effect) {
                self.after_update(function, &Update { address, ..update }, known);
            }
        } else {
            self.after_registers(function, step, known);
        }
    }

    /// What a step does to what is known by its registers.
    fn after_registers(&mut self, function: FunctionId, step: &AtomicStep, known: &mut Known) {
        if let AtomicStep::Let { target, value } = step {
            self.after_assignment(function, *target, value, known);
        } else if let Some(target) = step.assigned() {
            self.assign(known, target);
        }
    }

    fn after_update(&mut self, function: FunctionId, update: &Update, known: &mut Known) {
        let Update { address, family, effect } = update;
        match effect {
            Effect::Acquire(when, mode) => {
                let lock = self.lock(LockName { function, address: address.clone(), family: *family });
                known.acquire(lock, when, *mode);
            }
            Effect::Release(_) | Effect::Overwrite => {
                let targets = self.points_to.shared_targets_of(function, address);
                self.forget(known, &targets, Some(*family));
            }
        }
    }

    fn after_assignment(&mut self, function: FunctionId, target: RegisterId, value: &Expr, known: &mut Known) {
        self.assign(known, target);
        if value.mentions(&[target]) || known.is_nothing() {
            return;
        }
        known.learn_value(target, value);
        // What is held through one register is held through its copy.
        if let Expr::Register(from, width) = value {
            for (lock, mode) in known.held.clone() {
                if self.mentions(lock, *from) {
                    let LockName { address, family, .. } = self.name(lock).clone();
                    let copied = |part: &Expr| Ok((part == value).then(|| Expr::register(target, *width)));
                    if let Ok(address) = rewrite(&address, &copied) {
                        let lock = self.lock(LockName { function, address, family });
                        known.held.insert(lock, mode);
                    }
                }
            }
        }
    }

    /// What is known at all locations of a function, from what is at its entry.
    fn through(&mut self, function: FunctionId, entry: Arc<Known>) -> Everywhere {
        let definition = self.program.function(function);
        let mut at: Everywhere = vec![None; definition.locations.len()];
        at[definition.entry.index()] = Some(entry);
        let mut pending = BTreeSet::from([definition.entry]);
        while let Some(location) = pending.pop_first() {
            let Some(known) = at[location.index()].clone() else { continue };
            for edge in &definition.location(location).outgoing {
                let Some(after) = self.along(function, *edge, &known) else { continue };
                let target = definition.edge(*edge).target;
                if meet(&mut at[target.index()], &after) {
                    pending.insert(target);
                }
            }
        }
        at
    }

    /// Finds what every function leaves held, whoever calls it: the greatest solution, so recursion takes nothing away.
    /// Gives what is known within functions that are entered with nothing.
    fn summarise(&mut self, budget: &Budget) -> Result<Vec<Everywhere>, Exhausted> {
        let count = self.program.functions.len();
        let mut alone: Vec<Everywhere> = vec![Vec::new(); count];
        let mut pending: BTreeSet<FunctionId> = (0..count).map(FunctionId::new).collect();
        while let Some(function) = pending.pop_first() {
            budget.check()?;
            let at = self.through(function, self.nothing.clone());
            let gained = self.left_held(function, &at);
            alone[function.index()] = at;
            if gained != self.gains[function.index()] {
                let gains_nothing = gained.as_ref().is_some_and(Held::is_empty);
                self.gains[function.index()] = gained;
                for list in self.calls.containing(function) {
                    let state = &mut self.lists[list.index()];
                    let is_settled = state.gains_nothing;
                    state.returns = true;
                    state.gains_nothing |= gains_nothing;
                    if !is_settled {
                        pending.extend(self.calls.callers(*list));
                    }
                }
            }
        }
        Ok(alone)
    }

    /// What a function leaves held at its end, in terms of what its callers know.
    fn left_held(&self, function: FunctionId, at: &Everywhere) -> Option<Held> {
        let definition = self.program.function(function);
        let returns = definition.edges.iter().filter(|edge| matches!(edge.action, Action::Return { .. }));
        let mut left: Option<Arc<Known>> = None;
        for known in returns.filter_map(|edge| at[edge.source.index()].as_ref()) {
            meet(&mut left, known);
        }
        let mut held = left?.held.clone();
        if !held.is_empty() {
            let lasting = lasting_parameters(definition);
            held.retain(|lock, _| self.registers[lock.0 as usize].iter().all(|register| lasting.contains(register)));
        }
        Some(held)
    }

    /// What is held everywhere, from the entries of threads.
    fn with_entries(
        &mut self,
        parallel: &Parallel,
        mut alone: Vec<Everywhere>,
        budget: &Budget,
    ) -> Result<Vec<Everywhere>, Exhausted> {
        let mut entries: Vec<Option<Arc<Known>>> = vec![None; self.program.functions.len()];
        let mut pending = BTreeSet::new();
        for entry in parallel.threads().templates.iter().flat_map(|template| &template.entries) {
            entries[entry.index()] = Some(self.nothing.clone());
            pending.insert(*entry);
        }
        let mut found: Vec<Everywhere> = alone.iter().map(|locations| vec![None; locations.len()]).collect();
        while let Some(function) = pending.pop_first() {
            budget.check()?;
            let Some(entry) = entries[function.index()].clone() else { continue };
            let at = match entry.is_nothing() {
                true => std::mem::take(&mut alone[function.index()]),
                false => self.through(function, entry),
            };
            self.pass_on(function, &at, &mut entries, &mut pending);
            found[function.index()] = at;
        }
        Ok(found)
    }

    /// Passes what is held at calls on to those called.
    fn pass_on(
        &mut self,
        function: FunctionId,
        at: &Everywhere,
        entries: &mut [Option<Arc<Known>>],
        pending: &mut BTreeSet<FunctionId>,
    ) {
        let definition = self.program.function(function);
        for (position, edge) in definition.edges.iter().enumerate() {
            let Action::Call { arguments, .. } = &edge.action else { continue };
            let (Some(known), Some(list)) =
                (&at[edge.source.index()], self.calls.list_at(function, EdgeId::new(position)))
            else {
                continue;
            };
            if self.lists[list.index()].is_entered_with_nothing {
                continue;
            }
            for callee in self.calls.functions(list) {
                let entry = &mut entries[callee.index()];
                if entry.as_ref().is_some_and(|entry| entry.is_nothing()) {
                    continue;
                }
                let downwards =
                    |(lock, mode): (&LockId, &LockMode)| Some((self.downwards(*lock, *callee, arguments)?, *mode));
                let passed: Held = known.held.iter().filter_map(downwards).collect();
                let passed = if passed.is_empty() { self.nothing.clone() } else { Arc::new(Known::of(passed)) };
                if meet(entry, &passed) {
                    pending.insert(*callee);
                }
            }
            self.lists[list.index()].is_entered_with_nothing = known.held.is_empty();
        }
    }
}

/// The addresses that a function computes, if it takes locks.
fn definitions(function: &Function) -> Option<Definitions> {
    let is_lock = |step: &AtomicStep| marked(step).is_some();
    Definitions::of(function, function.edges.iter().any(|edge| edge.action.steps().iter().any(is_lock)))
}

/// What is known on both ways to a place; whether this is less than before.
fn meet(there: &mut Option<Arc<Known>>, other: &Arc<Known>) -> bool {
    match there {
        None => {
            *there = Some(other.clone());
            true
        }
        Some(there) if Arc::ptr_eq(there, other) || there.is_nothing() => false,
        Some(there) => {
            let mut both = Known::clone(there);
            let is_less = both.meet(other);
            if is_less {
                *there = Arc::new(both);
            }
            is_less
        }
    }
}

/// The parameters that are never assigned: at the end they are what the caller gave.
fn lasting_parameters(function: &Function) -> BTreeSet<RegisterId> {
    let mut lasting: BTreeSet<RegisterId> = function.parameters.iter().copied().collect();
    for register in function.edges.iter().flat_map(|edge| edge.action.assigned()) {
        lasting.remove(&register);
    }
    lasting
}
