//! What is held at every location: within functions by intersection over all ways there, across calls by summaries.

use super::names::{Foreign, LockName, is_global, mentions, rewrite};
use super::summary::{Releases, releases};
use super::update::{LockKind, Mode, Update, truth, updates};
use super::{Aliases, Held, LockId, Locksets, has_company};
use crate::points_to::SharedTargets;
use crate::{AbstractObject, Parallel, PointsTo};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use selvedge_program::{Action, Budget, EdgeId, Exhausted, Expr, FunctionId, Program, RegisterId};
use std::collections::{BTreeMap, BTreeSet};

/// What is known at a location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    held: Held,
    /// Attempts at locks of which it is not known yet whether they succeeded.
    attempts: Vec<Attempt>,
}

/// An attempt to take a lock, with the registers whose values depend on the owner that it saw.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Attempt {
    lock: LockId,
    update: Update,
    seen: RegisterId,
    values: BTreeMap<RegisterId, Expr>,
}

impl Known {
    /// What is known in both; whether this is less than before.
    fn meet(&mut self, other: &Known) -> bool {
        let before = self.clone();
        self.held.retain(|lock, mode| match other.held.get(lock) {
            Some(there) => {
                *mode = (*mode).min(*there);
                true
            }
            None => false,
        });
        self.attempts.retain(|attempt| other.attempts.contains(attempt));
        *self != before
    }
}

struct Solver<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    names: IndexSet<LockName, FxBuildHasher>,
    /// By lock, what its address may be.
    targets: Vec<SharedTargets>,
    aliases: Aliases,
    releases: Vec<Releases>,
    /// By function, what it leaves held when nothing is held at its entry; `None` while it is not known to return.
    gains: Vec<Option<Held>>,
    updates: FxHashMap<(FunctionId, EdgeId), Vec<Update>>,
}

/// Finds what is held everywhere.
pub fn solve(
    program: &Program,
    points_to: &PointsTo,
    parallel: &Parallel,
    budget: &Budget,
) -> Result<Locksets, Exhausted> {
    let mut solver = Solver {
        program,
        points_to,
        names: IndexSet::default(),
        targets: Vec::new(),
        aliases: Aliases::default(),
        releases: releases(program, points_to),
        gains: vec![None; program.functions.len()],
        updates: FxHashMap::default(),
    };
    solver.find_updates();
    solver.summarise(budget)?;
    let mut at = solver.with_entries(parallel, budget)?;
    let intrusions = solver.intrusions(parallel, &at);
    for held in at.iter_mut().flatten().flatten() {
        held.retain(|lock, mode| !solver.is_intruded(*lock, *mode, &intrusions));
    }
    Ok(Locksets { names: solver.names, at })
}

impl Solver<'_> {
    fn find_updates(&mut self) {
        for (index, function) in self.program.functions.iter().enumerate() {
            for (position, edge) in function.edges.iter().enumerate() {
                if let Action::Atomic(steps) = &edge.action {
                    let found = updates(steps);
                    if !found.is_empty() {
                        self.updates.insert((FunctionId::new(index), EdgeId::new(position)), found);
                    }
                }
            }
        }
    }

    fn lock(&mut self, name: LockName) -> LockId {
        let (index, is_new) = self.names.insert_full(name);
        if is_new {
            let name = &self.names[index];
            self.targets.push(self.points_to.shared_targets_of(name.function, &name.address));
        }
        LockId(index as u32)
    }

    fn name(&self, lock: LockId) -> &LockName {
        &self.names[lock.0 as usize]
    }

    /// Forgets the locks of a kind that one of these targets may be.
    fn forget(&mut self, known: &mut Known, targets: &SharedTargets, kind: LockKind) {
        let names = &self.names;
        let (all, aliases) = (&self.targets, &mut self.aliases);
        let mut is_other =
            |lock: LockId| names[lock.0 as usize].kind != kind || !aliases.may_alias(&all[lock.0 as usize], targets);
        known.held.retain(|lock, _| is_other(*lock));
        known.attempts.retain(|attempt| is_other(attempt.lock));
    }

    /// Forgets what depends on a register that gets another value.
    fn assign(&self, known: &mut Known, register: RegisterId) {
        known.held.retain(|lock, _| !self.name(*lock).mentions(register));
        known.attempts.retain(|attempt| attempt.seen != register && !self.name(attempt.lock).mentions(register));
        for attempt in &mut known.attempts {
            attempt.values.retain(|target, value| *target != register && !mentions(value, register));
        }
    }

    /// What is known after an edge; `None` if it is never passed.
    fn along(&mut self, function: FunctionId, edge: EdgeId, before: &Known) -> Option<Known> {
        let mut known = before.clone();
        let action = &self.program.function(function).edge(edge).action;
        match action {
            Action::Call { target, arguments, .. } => {
                known = self.after_call(function, edge, arguments, &known)?;
                target.iter().for_each(|target| self.assign(&mut known, *target));
            }
            Action::Atomic(_) => {
                action.assigned().into_iter().for_each(|register| self.assign(&mut known, register));
                for update in self.updates.get(&(function, edge)).cloned().unwrap_or_default() {
                    self.after_update(function, update, &mut known);
                }
            }
            Action::Assume(condition) => self.after_branch(condition, &mut known),
            Action::Assign { target, value } => self.after_assignment(function, *target, value, &mut known),
            Action::Free { address } => {
                let targets = self.points_to.whole_objects_of(function, address);
                LockKind::ALL.into_iter().for_each(|kind| self.forget(&mut known, &targets, kind));
            }
            Action::Forget { object } | Action::EndLife { object } => {
                let object = AbstractObject::Frame(function, *object);
                let targets = &self.targets;
                let is_other = |lock: LockId| targets[lock.0 as usize].iter().all(|target| target.object != object);
                known.held.retain(|lock, _| is_other(*lock));
                known.attempts.retain(|attempt| is_other(attempt.lock));
            }
            Action::Load { .. } | Action::Havoc { .. } | Action::Spawn { .. } | Action::Allocate { .. } => {
                action.assigned().into_iter().for_each(|register| self.assign(&mut known, register));
            }
            Action::Return { .. } | Action::ThreadExit { .. } | Action::Exit { .. } | Action::Unsupported(_) => {
                return None;
            }
            Action::Store { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Output(_) => {}
        }
        Some(known)
    }

    fn after_update(&mut self, function: FunctionId, update: Update, known: &mut Known) {
        let targets = self.points_to.shared_targets_of(function, &update.address);
        self.forget(known, &targets, update.kind);
        let name = LockName { function, address: update.address.clone(), kind: update.kind };
        if let Some(mode) = update.held() {
            let lock = self.lock(name);
            known.held.insert(lock, mode);
        } else if let Some(seen) = update.seen
            && update.cases.iter().any(|(_, mode)| mode.is_some())
        {
            let lock = self.lock(name);
            known.attempts.push(Attempt { lock, update, seen, values: BTreeMap::new() });
        }
    }

    /// A branch may tell whether an attempt succeeded.
    fn after_branch(&self, condition: &Expr, known: &mut Known) {
        for attempt in &known.attempts {
            let condition = attempt.in_terms_of_owner(condition);
            let mode = attempt.update.held_in(|owner| truth(&condition, attempt.seen, owner) != Some(false));
            if let Some(mode) = mode {
                known.held.insert(attempt.lock, mode);
            }
        }
    }

    fn after_assignment(&mut self, function: FunctionId, target: RegisterId, value: &Expr, known: &mut Known) {
        let is_new = !mentions(value, target);
        self.assign(known, target);
        if !is_new {
            return;
        }
        for attempt in &mut known.attempts {
            let value = attempt.in_terms_of_owner(value);
            if mentions(&value, attempt.seen) {
                attempt.values.insert(target, value);
            }
        }
        // What is held through one register is held through its copy.
        if let Expr::Register(from, width) = value {
            for (lock, mode) in known.held.clone() {
                if self.name(lock).mentions(*from) {
                    let LockName { address, kind, .. } = self.name(lock).clone();
                    let copied = |part: &Expr| Ok((part == value).then(|| Expr::register(target, *width)));
                    if let Ok(address) = rewrite(&address, &copied) {
                        let lock = self.lock(LockName { function, address, kind });
                        known.held.insert(lock, mode);
                    }
                }
            }
        }
    }

    fn after_call(&mut self, function: FunctionId, edge: EdgeId, arguments: &[Expr], before: &Known) -> Option<Known> {
        let mut after: Option<Known> = None;
        for callee in self.points_to.callees(function, edge) {
            let Some(gained) = self.gains[callee.index()].clone() else { continue };
            // Indirect calls have many callees that have nothing to do with locks.
            let has_nothing = |known: &Known| known.held.is_empty() && known.attempts.is_empty();
            if gained.is_empty() && (has_nothing(before) || after.as_ref().is_some_and(has_nothing)) {
                after = Some(Known::default());
                continue;
            }
            let mut known = before.clone();
            let releases = &self.releases[callee.index()];
            let (names, targets, aliases) = (&self.names, &self.targets, &mut self.aliases);
            let mut stays = |lock: LockId| {
                let index = lock.0 as usize;
                !releases.may_release(aliases, &targets[index], names[index].kind)
            };
            known.held.retain(|lock, _| stays(*lock));
            known.attempts.retain(|attempt| stays(attempt.lock));
            for (lock, mode) in gained {
                if let Some(lock) = self.upwards(lock, *callee, function, arguments) {
                    known.held.insert(lock, mode);
                }
            }
            match &mut after {
                Some(after) => _ = after.meet(&known),
                None => after = Some(known),
            }
        }
        after
    }

    /// A lock of a callee, as its caller knows it.
    fn upwards(&mut self, lock: LockId, callee: FunctionId, caller: FunctionId, arguments: &[Expr]) -> Option<LockId> {
        let LockName { address, kind, .. } = self.name(lock).clone();
        let parameters = &self.program.function(callee).parameters;
        let replacement = |part: &Expr| match part {
            Expr::Register(register, _) => {
                let position = parameters.iter().position(|parameter| parameter == register).ok_or(Foreign)?;
                arguments.get(position).cloned().map(Some).ok_or(Foreign)
            }
            Expr::Address(..) if !is_global(part) => Err(Foreign),
            _ => Ok(None),
        };
        let address = rewrite(&address, &replacement).ok()?;
        Some(self.lock(LockName { function: caller, address, kind }))
    }

    /// A lock of a caller, as a callee knows it.
    fn downwards(&mut self, lock: LockId, callee: FunctionId, arguments: &[Expr]) -> Option<LockId> {
        let LockName { address, kind, .. } = self.name(lock).clone();
        let parameters = &self.program.function(callee).parameters;
        let replacement = |part: &Expr| {
            let position =
                arguments.iter().take(parameters.len()).position(|argument| argument == part && !is_global(part));
            match (position, part) {
                (Some(position), _) => Ok(Some(Expr::register(parameters[position], part.width()))),
                (None, Expr::Register(..)) => Err(Foreign),
                (None, Expr::Address(..)) if !is_global(part) => Err(Foreign),
                _ => Ok(None),
            }
        };
        let address = rewrite(&address, &replacement).ok()?;
        Some(self.lock(LockName { function: callee, address, kind }))
    }

    /// What is known at all locations of a function, from what is at its entry.
    fn through(&mut self, function: FunctionId, entry: Known) -> Vec<Option<Known>> {
        let definition = self.program.function(function);
        let mut at: Vec<Option<Known>> = vec![None; definition.locations.len()];
        at[definition.entry.index()] = Some(entry);
        let mut pending = BTreeSet::from([definition.entry]);
        while let Some(location) = pending.pop_first() {
            let Some(known) = at[location.index()].clone() else { continue };
            for edge in &definition.location(location).outgoing {
                let Some(after) = self.along(function, *edge, &known) else { continue };
                let target = definition.edge(*edge).target;
                let changed = match &mut at[target.index()] {
                    Some(there) => there.meet(&after),
                    there => {
                        *there = Some(after);
                        true
                    }
                };
                if changed {
                    pending.insert(target);
                }
            }
        }
        at
    }

    /// What every function leaves held, whoever calls it: the greatest solution, so recursion takes nothing away.
    fn summarise(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let mut callers: Vec<BTreeSet<FunctionId>> = vec![BTreeSet::new(); self.program.functions.len()];
        for (index, function) in self.program.functions.iter().enumerate() {
            for (position, edge) in function.edges.iter().enumerate() {
                if matches!(edge.action, Action::Call { .. }) {
                    for callee in self.points_to.callees(FunctionId::new(index), EdgeId::new(position)) {
                        callers[callee.index()].insert(FunctionId::new(index));
                    }
                }
            }
        }
        let mut pending: BTreeSet<FunctionId> = (0..self.program.functions.len()).map(FunctionId::new).collect();
        while let Some(function) = pending.pop_last() {
            budget.exhausted().map_or(Ok(()), Err)?;
            let definition = self.program.function(function);
            let at = self.through(function, Known::default());
            let returns = definition.edges.iter().filter(|edge| matches!(edge.action, Action::Return { .. }));
            let mut gained: Option<Known> = None;
            for known in returns.filter_map(|edge| at[edge.source.index()].as_ref()) {
                match &mut gained {
                    Some(gained) => _ = gained.meet(known),
                    None => gained = Some(known.clone()),
                }
            }
            let lasting: BTreeSet<RegisterId> = lasting_parameters(definition);
            let gained = gained.map(|known| {
                let mut held = known.held;
                held.retain(|lock, _| {
                    let mut lasts = true;
                    self.name(*lock).address.for_each_register(&mut |register| lasts &= lasting.contains(&register));
                    lasts
                });
                held
            });
            if gained != self.gains[function.index()] {
                self.gains[function.index()] = gained;
                pending.extend(&callers[function.index()]);
            }
        }
        Ok(())
    }

    /// What is held everywhere, from the entries of threads.
    fn with_entries(&mut self, parallel: &Parallel, budget: &Budget) -> Result<Vec<Vec<Option<Held>>>, Exhausted> {
        let mut entries: Vec<Option<Known>> = vec![None; self.program.functions.len()];
        let mut pending = BTreeSet::new();
        for class in &parallel.classes().all {
            for entry in &class.entries {
                entries[entry.index()] = Some(Known::default());
                pending.insert(*entry);
            }
        }
        let mut found: Vec<Vec<Option<Held>>> =
            self.program.functions.iter().map(|function| vec![None; function.locations.len()]).collect();
        while let Some(function) = pending.pop_first() {
            budget.exhausted().map_or(Ok(()), Err)?;
            let Some(entry) = entries[function.index()].clone() else { continue };
            let at = self.through(function, entry);
            let definition = self.program.function(function);
            for (position, edge) in definition.edges.iter().enumerate() {
                let Action::Call { arguments, .. } = &edge.action else { continue };
                let Some(known) = &at[edge.source.index()] else { continue };
                for callee in self.points_to.callees(function, EdgeId::new(position)) {
                    let mut passed = Known::default();
                    for (lock, mode) in &known.held {
                        if let Some(lock) = self.downwards(*lock, *callee, arguments) {
                            passed.held.insert(lock, *mode);
                        }
                    }
                    let changed = match &mut entries[callee.index()] {
                        Some(entry) => entry.meet(&passed),
                        entry => {
                            *entry = Some(passed);
                            true
                        }
                    };
                    if changed {
                        pending.insert(*callee);
                    }
                }
            }
            found[function.index()] = at.into_iter().map(|known| known.map(|known| known.held)).collect();
        }
        Ok(found)
    }

    /// The updates that may take a lock from a thread that holds it, with whether only from readers.
    fn intrusions(&mut self, parallel: &Parallel, at: &[Vec<Option<Held>>]) -> Vec<(SharedTargets, LockKind, Mode)> {
        let mut found = Vec::new();
        for ((function, edge), updates) in &self.updates {
            let location = self.program.function(*function).edge(*edge).source;
            let Some(held) = &at[function.index()][location.index()] else { continue };
            if !has_company(parallel, *function, location) {
                continue;
            }
            for update in updates {
                let is_known = |lock: &LockId| {
                    let name = self.name(*lock);
                    name.kind == update.kind && name.address == update.address
                };
                let mode = match update.intrudes {
                    true => Mode::Exclusive,
                    false if update.gives_up_reading && !held.keys().any(is_known) => Mode::Shared,
                    false => continue,
                };
                found.push((self.points_to.shared_targets_of(*function, &update.address), update.kind, mode));
            }
        }
        found
    }

    fn is_intruded(&mut self, lock: LockId, mode: Mode, intrusions: &[(SharedTargets, LockKind, Mode)]) -> bool {
        let (names, targets, aliases) = (&self.names, &self.targets, &mut self.aliases);
        let index = lock.0 as usize;
        intrusions.iter().any(|(intruded, kind, worst)| {
            *kind == names[index].kind && mode <= *worst && aliases.may_alias(&targets[index], intruded)
        })
    }
}

impl Attempt {
    /// An expression with registers replaced by what they were computed from.
    fn in_terms_of_owner(&self, expr: &Expr) -> Expr {
        let replacement = |part: &Expr| match part {
            Expr::Register(register, _) => Ok(self.values.get(register).cloned()),
            _ => Ok(None),
        };
        rewrite(expr, &replacement).unwrap_or_else(|Foreign| expr.clone())
    }
}

/// The parameters that are never assigned: at the end they are what the caller gave.
fn lasting_parameters(function: &selvedge_program::Function) -> BTreeSet<RegisterId> {
    let mut lasting: BTreeSet<RegisterId> = function.parameters.iter().copied().collect();
    for register in function.edges.iter().flat_map(|edge| edge.action.assigned()) {
        lasting.remove(&register);
    }
    lasting
}
