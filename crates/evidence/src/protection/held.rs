//! Which locks a thread certainly holds at each location, and how: the strongest annotation of locations that every edge
//! keeps, found by beginning with everything and taking back what an edge does not bear out.
//!
//! A thread holds a lock after taking it, and until something is given back or overwritten that may be the same lock,
//! by its marks ([`selvedge_program::Operation`]) and by what pointers may point to. A lock by register is forgotten
//! when the register is assigned, a lock by its index when a register of that is. A function is entered with what all its calls hold, in terms of its parameters; what
//! its caller holds after it returns is what it leaves held, and what was held before and is nowhere given back in it.
//! A lock that is tried for is held where a branch shows that it was got ([`super::tried`]). In the same way it is known
//! that flags have been raised ([`super::flags`]). A branch that only who does not hold a lock takes is not taken by who does.
//!
//! **Why others cannot break it.** Whoever takes a lock alone took it from nobody, and only he gives it back. Who takes
//! it for reading adds himself to the readers; that nobody else takes him off them is seen to: of a lock that is given
//! back for reading where it is not known to be held, nothing is known at all ([`Intrusion`]). Likewise of one that is
//! overwritten (initialised, copied) where others may hold it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_analysis::points_to::SharedTargets;
use selvedge_program::{
    Access, AccessKind, Action, AtomicStep, Budget, EdgeId, Exhausted, Expr, FunctionId, GhostField, LocationId,
    LockKind, LockMode, Operation, Place, RegisterId, Touched, Transfer,
};

use super::beside::Beside;
use super::elements::Elements;
use super::flags::{Flags, Seen};
use super::fresh::Fresh;
use super::handles::kept_handles;
use super::lost::{Loss, constant_parameters, further, lost};
use super::names::{Name, Names, behind};
use super::tried::{Failed, Holding, RESULT};

/// The locks that are held, with how.
pub type Held = BTreeMap<Name, LockMode>;

/// A lock of which nothing is known, since somebody interferes with who holds it.
type Intrusion = (LockKind, SharedTargets);

/// What is held where.
#[derive(Debug)]
pub struct Locksets {
    /// By function and location; `None` where no thread ever is.
    at: Vec<Vec<Option<Rc<Holding>>>>,
}

impl Locksets {
    /// Finds what is held.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn of(
        (names, elements, flags): (&Names<'_>, &Elements, &Flags),
        fresh: &Fresh,
        beside: &Beside<'_, '_>,
        budget: &Budget,
    ) -> Result<Locksets, Exhausted> {
        let updates = updates(names);
        let constant = constant_parameters(names);
        let lost = lost(names, &constant, &updates);
        let handles = kept_handles(names);
        let mut intrusions: FxHashSet<Intrusion> = overwritten(names, fresh, beside, &updates).collect();
        loop {
            let mut flow = Flow::new((names, elements, flags), &handles, &updates, &lost, &constant, &intrusions);
            flow.solve(budget)?;
            let new = flow.given_back_by_others();
            let at = flow.at;
            let before = intrusions.len();
            intrusions.extend(new);
            if intrusions.len() == before {
                return Ok(Locksets { at });
            }
        }
    }

    /// Whether some thread may be at a location.
    pub fn is_reached(&self, function: FunctionId, location: LocationId) -> bool {
        self.at[function.index()][location.index()].is_some()
    }

    /// What a thread at a location holds; nothing where it never is.
    pub fn held(&self, function: FunctionId, location: LocationId) -> impl Iterator<Item = (Name, LockMode)> {
        let held = self.at[function.index()][location.index()].as_deref();
        held.into_iter().flat_map(|holding| &holding.held).map(|(name, mode)| (*name, *mode))
    }
}

/// What an action does to a lock.
#[derive(Clone, Debug)]
pub enum Update<'p> {
    /// Takes it.
    Taken(&'p Expr, LockKind, LockMode),
    /// Takes it if a condition holds.
    Tried(&'p Expr, LockKind, LockMode, &'p Expr),
    /// Gives it back.
    Given(&'p Expr, SharedTargets, LockKind, LockMode),
    /// Overwrites who holds it, without being a lock operation.
    Overwritten(&'p Expr, SharedTargets, LockKind),
}

pub type Updates<'p> = FxHashMap<(FunctionId, EdgeId), Vec<Update<'p>>>;

/// What edges do to locks, as their marks say; a lock without a mark whose state is written is overwritten.
fn updates<'p>(names: &Names<'p>) -> Updates<'p> {
    let mut all = Updates::default();
    for (index, function) in names.program.functions.iter().enumerate() {
        let id = FunctionId::new(index);
        for (position, edge) in function.edges.iter().enumerate() {
            let found = updates_of(names, id, &edge.action);
            if !found.is_empty() {
                all.insert((id, EdgeId::new(position)), found);
            }
        }
    }
    all
}

fn updates_of<'p>(names: &Names<'p>, function: FunctionId, action: &'p Action) -> Vec<Update<'p>> {
    let (mut found, mut marked) = (Vec::new(), Vec::new());
    for step in action.steps() {
        let AtomicStep::Mark { when, operation, object } = step else { continue };
        match operation {
            Operation::Acquire(kind, mode) => {
                marked.push((*kind, object));
                // What the action assigns may not be what the address was made of.
                if !object.mentions(&action.assigned()) {
                    found.push(if *when == Expr::truth() {
                        Update::Taken(object, *kind, *mode)
                    } else {
                        Update::Tried(object, *kind, *mode, when)
                    });
                }
            }
            Operation::Release(kind, mode) => {
                marked.push((*kind, object));
                found.push(Update::Given(object, names.targets(function, object), *kind, *mode));
            }
            Operation::Join
            | Operation::Sleep
            | Operation::Wake
            | Operation::Signal
            | Operation::Broadcast
            | Operation::SemaphoreWait
            | Operation::SemaphorePost
            | Operation::Arrive
            | Operation::Pass => {}
        }
    }
    for touch in action.touches() {
        let Touched::Ghost(field) = touch.what else { continue };
        let Some(kind) = LockKind::of_field(field).filter(|_| touch.mode.kind == AccessKind::Write) else { continue };
        if !marked.contains(&(kind, touch.address)) {
            // Whether the same update takes it before or after that is not looked at.
            found.retain(|update| !matches!(update, Update::Taken(..) | Update::Tried(..)));
            found.push(Update::Overwritten(touch.address, names.targets(function, touch.address), kind));
        }
    }
    found
}

/// The locks that are overwritten where another thread may hold them.
fn overwritten<'a>(
    names: &'a Names<'_>,
    fresh: &'a Fresh,
    beside: &'a Beside<'_, '_>,
    updates: &'a Updates<'_>,
) -> impl Iterator<Item = Intrusion> + 'a {
    updates.iter().flat_map(move |((function, edge), updates)| {
        let source = names.program.function(*function).edge(*edge).source;
        let has_company = !beside.is_alone(*function, source);
        updates.iter().filter_map(move |update| match update {
            Update::Overwritten(address, targets, kind) if has_company && !fresh.is_own(*function, source, address) => {
                Some((*kind, targets.clone()))
            }
            Update::Overwritten(..) | Update::Taken(..) | Update::Tried(..) | Update::Given(..) => None,
        })
    })
}

type LostBy = FxHashMap<(FunctionId, EdgeId, FunctionId), Vec<(LockKind, SharedTargets)>>;

struct Flow<'a, 'p> {
    names: &'a Names<'p>,
    elements: &'a Elements,
    flags: &'a Flags,
    /// The starts that leave a handle where nothing else is ever left.
    handles: &'a FxHashSet<(FunctionId, EdgeId)>,
    updates: &'a Updates<'p>,
    lost: &'a [FxHashSet<Loss>],
    /// By call and callee: what may be lost there.
    lost_by: RefCell<LostBy>,
    intrusions: &'a FxHashSet<Intrusion>,
    at: Vec<Vec<Option<Rc<Holding>>>>,
    /// By function: what is held wherever it returns; `None` as long as it is not known to.
    left: Vec<Option<Rc<Holding>>>,
    /// By function: where it is called.
    calls: Vec<Vec<(FunctionId, LocationId)>>,
    /// By function: the parameters that keep their values.
    constant: &'a [Vec<bool>],
    pending: Vec<(FunctionId, LocationId)>,
    is_pending: FxHashSet<(FunctionId, LocationId)>,
}

impl<'a, 'p> Flow<'a, 'p> {
    fn new(
        (names, elements, flags): (&'a Names<'p>, &'a Elements, &'a Flags),
        handles: &'a FxHashSet<(FunctionId, EdgeId)>,
        updates: &'a Updates<'p>,
        lost: &'a [FxHashSet<Loss>],
        constant: &'a [Vec<bool>],
        intrusions: &'a FxHashSet<Intrusion>,
    ) -> Flow<'a, 'p> {
        let functions = &names.program.functions;
        let mut calls = vec![Vec::new(); functions.len()];
        for entering in names.life().entering.iter().flatten().filter(|entering| !entering.is_start) {
            let place = (entering.at.0, entering.source);
            entering.entered.iter().for_each(|callee| calls[callee.index()].push(place));
        }
        Flow {
            names,
            elements,
            flags,
            handles,
            updates,
            lost,
            lost_by: RefCell::default(),
            intrusions,
            at: functions.iter().map(|function| vec![None; function.locations.len()]).collect(),
            left: vec![None; functions.len()],
            calls,
            constant,
            pending: Vec::new(),
            is_pending: FxHashSet::default(),
        }
    }

    fn solve(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let program = self.names.program;
        let nothing = Rc::new(Holding::default());
        if let Some(main) = program.main() {
            self.arrive(main, program.function(main).entry, &nothing);
        }
        let starts = self.names.life().entering.iter().flatten().filter(|entering| entering.is_start);
        for entered in starts.flat_map(|entering| &entering.entered) {
            self.arrive(*entered, program.function(*entered).entry, &nothing);
        }
        while let Some((function, location)) = self.pending.pop() {
            budget.check()?;
            self.is_pending.remove(&(function, location));
            let Some(held) = self.at[function.index()][location.index()].clone() else { continue };
            for edge in &program.function(function).location(location).outgoing {
                self.along(function, *edge, &held);
            }
        }
        Ok(())
    }

    /// A thread may be at a location, holding at least this.
    fn arrive(&mut self, function: FunctionId, location: LocationId, held: &Rc<Holding>) {
        let known = &mut self.at[function.index()][location.index()];
        if meet(known, held) && self.is_pending.insert((function, location)) {
            self.pending.push((function, location));
        }
    }

    fn along(&mut self, id: FunctionId, edge_id: EdgeId, held: &Rc<Holding>) {
        let edge = self.names.program.function(id).edge(edge_id);
        match edge.action.transfer() {
            Transfer::Along if matches!(&edge.action, Action::Assume(condition) if held.excludes(condition)) => {}
            Transfer::Along | Transfer::AtomicBegin | Transfer::AtomicEnd | Transfer::Spawn { .. } => {
                let after = self.after(id, edge_id, &edge.action, held);
                self.arrive(id, edge.target, &after);
            }
            Transfer::Call { target, arguments, .. } => {
                let mut after: Option<Rc<Holding>> = None;
                for &callee in self.names.life().entered(id, edge_id) {
                    let entry = self.names.program.function(callee).entry;
                    let given =
                        Rc::new(Holding { held: self.given(callee, arguments, &held.held), ..Holding::default() });
                    self.arrive(callee, entry, &given);
                    if let Some(left) = self.left[callee.index()].clone() {
                        let returned = Returned { id, edge: edge_id, callee, arguments, target };
                        meet(&mut after, &Rc::new(self.returned(returned, held, &left)));
                    }
                }
                if let Some(mut after) = after {
                    if let Some(target) = target {
                        Rc::make_mut(&mut after).retain(|name| !self.depends_on(name, target));
                    }
                    self.arrive(id, edge.target, &after);
                }
            }
            Transfer::Return { value } => {
                let mut left = Holding { held: held.held.clone(), ..Holding::default() };
                for (tried, failed) in &held.tried {
                    let told = value.and_then(|value| failed.value(value));
                    left.tried.extend(told.map(|value| (*tried, Failed::told_by(RESULT, value))));
                }
                if meet(&mut self.left[id.index()], &Rc::new(left)) {
                    for place in self.calls[id.index()].clone() {
                        if self.at[place.0.index()][place.1.index()].is_some() && self.is_pending.insert(place) {
                            self.pending.push(place);
                        }
                    }
                }
            }
            Transfer::ThreadExit { .. } | Transfer::Exit { .. } | Transfer::Unknown => {}
        }
    }

    /// What is held after an edge within a function.
    fn after(&self, function: FunctionId, edge: EdgeId, action: &Action, held: &Rc<Holding>) -> Rc<Holding> {
        let updates = self.updates.get(&(function, edge));
        let seen = self.flags.seen.get(&(function, edge)).map(Vec::as_slice).unwrap_or_default();
        let is_start = matches!(action, Action::Spawn { .. });
        if held.is_empty() && updates.is_none() && seen.is_empty() && !is_start {
            return held.clone();
        }
        let mut after = Holding::clone(held);
        if let Action::Assume(condition) = action {
            after.branch(condition);
        }
        let mut tried = Holding::default();
        let at = (function, self.names.program.function(function).edge(edge).source);
        for update in updates.into_iter().flatten() {
            match update {
                Update::Given(_, targets, kind, _) | Update::Overwritten(_, targets, kind) => {
                    after.retain(|name| !self.may_be(function, name, *kind, targets));
                }
                Update::Taken(address, kind, mode) => {
                    self.known_by(at, address, *kind).for_each(|name| after.hold(name, *mode));
                }
                Update::Tried(address, kind, mode, when) => {
                    let failed = || Failed::unless(Expr::clone(when));
                    tried.tried.extend(self.known_by(at, address, *kind).map(|name| ((name, *mode), failed())));
                }
            }
        }
        for register in action.assigned() {
            after.retain(|name| !self.depends_on(name, register));
            after.forget(register);
        }
        match action {
            Action::Assign { target, value } => {
                after.assign(*target, Some(value));
                if let Some((from, distance)) = behind(value)
                    && from != *target
                {
                    // The copy points to the same object.
                    let held = after.held.iter();
                    let renamed: Vec<(Name, LockMode)> = held
                        .filter_map(|(name, mode)| Some((moved(*name, from, *target, distance.checked_neg()?)?, *mode)))
                        .collect();
                    after.held.extend(renamed);
                }
            }
            action => action.assigned().into_iter().for_each(|register| after.assign(register, None)),
        }
        if !tried.is_empty() {
            // What the update computes after it is known what came of the attempt.
            let is_attempt =
                |step: &AtomicStep| matches!(step, AtomicStep::Mark { when, .. } if *when != Expr::truth());
            for step in action.steps().iter().skip_while(|step| !is_attempt(step)) {
                if let AtomicStep::Let { target, value } = step {
                    tried.assign(*target, Some(value));
                } else if let Some(register) = step.assigned() {
                    tried.assign(register, None);
                }
            }
            after.tried.extend(tried.tried);
        }
        self.see(action, seen, &mut after);
        match action {
            Action::Spawn { target, id: Some(Access { place: Place::Memory { address, .. }, .. }), .. } => {
                let is_kept = !address.mentions(&[*target]) && self.handles.contains(&(function, edge));
                after.handle = is_kept.then(|| address.clone());
            }
            Action::Load { target, access: Access { place: Place::Memory { address, size, .. }, .. }, .. }
                if 8 * *size == self.names.program.pointer_width()
                // What is found there has not been assigned to what the address is made of.
                && held.handle.as_ref() == Some(address) =>
            {
                after.handles.insert(*target);
            }
            Action::Forget { .. } | Action::EndLife { .. } => after.handle = None,
            _ => {}
        }
        self.own((function, edge), action, held, &mut after);
        if after == **held { held.clone() } else { Rc::new(after) }
    }

    /// What a register would hold if a flag that it was loaded from had not been raised.
    fn see(&self, action: &Action, seen: &[Seen], after: &mut Holding) {
        for Seen { register, flag, kept } in seen {
            let mut unraised = Failed::told_by(*register, *kept);
            let is_load = |step: &&AtomicStep| step.assigned() != Some(*register);
            for step in action.steps().iter().skip_while(is_load).skip(1) {
                match step {
                    AtomicStep::Let { target, value } => unraised.assign(*target, Some(value)),
                    step => step.assigned().into_iter().for_each(|register| unraised.assign(register, None)),
                }
            }
            after.tried.insert((Name::Raised(*flag), LockMode::Exclusive), unraised);
        }
    }

    /// Who looks at who owns a mutex that it holds finds itself.
    fn own(&self, (id, edge): (FunctionId, EdgeId), action: &Action, held: &Holding, after: &mut Holding) {
        let at = (id, self.names.program.function(id).edge(edge).source);
        let assigned = action.assigned();
        for (position, step) in action.steps().iter().enumerate() {
            match step {
                AtomicStep::Read { target, access } => {
                    let Place::Ghost { address, field: GhostField::MutexOwner } = &access.place else { continue };
                    let is_held = || {
                        let called = self.called(at, address, LockKind::Mutex);
                        called.iter().any(|name| held.held.contains_key(name))
                    };
                    let is_last = action.steps()[position + 1..].iter().all(|step| step.assigned() != Some(*target));
                    if is_last && !address.mentions(&assigned) && is_held() {
                        after.own.insert(*target);
                    }
                }
                AtomicStep::Write { access, .. } if matches!(access.place, Place::Ghost { .. }) => return,
                _ => {}
            }
        }
    }

    /// What a lock is called at a location.
    fn called(&self, at: (FunctionId, LocationId), address: &Expr, kind: LockKind) -> Vec<Name> {
        let mut names = self.names.of(at.0, address, kind);
        let element = self.elements.at(self.names.program, at.0, at.1, address);
        names.extend(element.map(|element| Name::At(self.names.number(&element), kind)));
        names
    }

    /// What a lock is called that is taken, unless nothing is known of it.
    fn known_by(&self, at: (FunctionId, LocationId), address: &Expr, kind: LockKind) -> impl Iterator<Item = Name> {
        let function = at.0;
        let is_intruded = |name: &Name| {
            let meant = self.names.meant(function, *name);
            let mut intrusions = self.intrusions.iter();
            intrusions.any(|(intruded, by)| *intruded == kind && self.names.may_alias(&meant, by))
        };
        let mut names = self.called(at, address, kind);
        names.retain(|name| !is_intruded(name));
        names.into_iter()
    }

    /// Whether a name means something else when a register is assigned.
    fn depends_on(&self, name: Name, register: RegisterId) -> bool {
        match name {
            Name::Fixed(_) | Name::Raised(_) => false,
            Name::Behind(of, ..) => of == register,
            Name::At(element, _) => self.names.element(element).mentions(register),
        }
    }

    fn may_be(&self, function: FunctionId, name: Name, kind: LockKind, targets: &SharedTargets) -> bool {
        name.kind() == Some(kind) && self.names.may_alias(&self.names.meant(function, name), targets)
    }

    /// What a called function holds at its entry, in its own terms.
    fn given(&self, callee: FunctionId, arguments: &[Expr], held: &Held) -> Held {
        let parameters = &self.names.program.function(callee).parameters;
        let mut given: Held = held.iter().filter_map(fixed).collect();
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let Some((from, distance)) = behind(argument) else { continue };
            let renamed = held
                .iter()
                .filter_map(|(name, mode)| Some((moved(*name, from, *parameter, distance.checked_neg()?)?, *mode)));
            given.extend(renamed);
        }
        // An index that is given is the parameter.
        for (name, mode) in held {
            let Name::At(element, kind) = name else { continue };
            let passed = self.names.element(*element).in_terms(&mut |part| {
                let place =
                    arguments.iter().position(|argument| argument == part && !matches!(part, Expr::Constant(_)));
                Some(Expr::register(*parameters.get(place?)?, part.width()))
            });
            given.extend(passed.map(|element| (Name::At(self.names.number(&element), *kind), *mode)));
        }
        given
    }

    /// What is held when a function has returned: what it leaves, and what it does not give back.
    fn returned(&self, call: Returned<'_>, before: &Holding, left: &Holding) -> Holding {
        let Returned { id, edge, callee, arguments, target } = call;
        let mut known = self.lost_by.borrow_mut();
        let lost = known.entry((id, edge, callee)).or_insert_with(|| {
            self.lost[callee.index()].iter().map(|loss| loss.meant(self.names, (id, edge), callee)).collect()
        });
        let mut after = before.clone();
        after.retain(|name| !lost.iter().any(|(kind, targets)| self.may_be(id, name, *kind, targets)));
        if let Some(target) = target {
            after.assign(target, None);
            after.forget(target);
        }
        let parameters = &self.names.program.function(callee).parameters;
        let constant = &self.constant[callee.index()];
        // What a lock of the function is called by its caller.
        let renamed = |name: Name| {
            let by_argument = parameters.iter().zip(arguments).zip(constant).filter_map(
                move |((parameter, argument), is_constant)| match name {
                    Name::Behind(register, distance, kind) if register == *parameter && *is_constant => {
                        Some(self.names.of(id, &further(argument, distance), kind))
                    }
                    Name::Behind(..) | Name::Fixed(_) | Name::At(..) | Name::Raised(_) => None,
                },
            );
            // What is made of parameters that keep their values is made of the arguments.
            let by_index = match name {
                Name::At(element, kind) => self
                    .names
                    .element(element)
                    .in_terms(&mut |part| {
                        let Expr::Register(register, _) = part else { return None };
                        let place = parameters.iter().position(|parameter| parameter == register)?;
                        arguments
                            .get(place)
                            .filter(|argument| constant[place] && argument.width() == part.width())
                            .cloned()
                    })
                    .map(|element| Name::At(self.names.number(&element), kind)),
                Name::Fixed(_) | Name::Behind(..) | Name::Raised(_) => None,
            };
            is_known_everywhere(name).then_some(name).into_iter().chain(by_argument.flatten()).chain(by_index)
        };
        for (name, mode) in &left.held {
            renamed(*name).for_each(|name| after.hold(name, *mode));
        }
        for ((name, mode), failed) in &left.tried {
            let told = target.zip(failed.value(&Expr::register(RESULT, 1)));
            if let Some((target, value)) = told.filter(|(target, _)| !self.depends_on(*name, *target)) {
                after.tried.extend(renamed(*name).map(|name| ((name, *mode), Failed::told_by(target, value))));
            }
        }
        after
    }

    /// The locks that are given back for reading where they are not known to be held.
    fn given_back_by_others(&self) -> Vec<Intrusion> {
        let mut found = Vec::new();
        for ((function, edge), updates) in self.updates {
            let source = self.names.program.function(*function).edge(*edge).source;
            let Some(held) = &self.at[function.index()][source.index()] else { continue };
            for update in updates {
                let Update::Given(address, targets, kind, LockMode::Shared) = update else { continue };
                let called = self.called((*function, source), address, *kind);
                let is_held = called.iter().any(|name| held.held.contains_key(name));
                if !is_held {
                    found.push((*kind, targets.clone()));
                }
            }
        }
        found
    }
}

/// Takes back what is not held on another way; whether that changes anything.
fn meet(known: &mut Option<Rc<Holding>>, other: &Rc<Holding>) -> bool {
    match known {
        None => {
            *known = Some(other.clone());
            true
        }
        Some(known) if Rc::ptr_eq(known, other) => false,
        Some(known) => {
            let met = known.meet(other);
            let is_less = met != **known;
            if is_less {
                *known = Rc::new(met);
            }
            is_less
        }
    }
}

/// A call that a function returns from.
#[derive(Clone, Copy, Debug)]
struct Returned<'a> {
    id: FunctionId,
    edge: EdgeId,
    callee: FunctionId,
    arguments: &'a [Expr],
    target: Option<RegisterId>,
}

/// Whether a name means the same in every function.
fn is_known_everywhere(name: Name) -> bool {
    matches!(name, Name::Fixed(_) | Name::Raised(_))
}

fn fixed((name, mode): (&Name, &LockMode)) -> Option<(Name, LockMode)> {
    is_known_everywhere(*name).then_some((*name, *mode))
}

/// A name by one register, by another that points so many bytes further ahead of the lock.
fn moved(name: Name, from: RegisterId, to: RegisterId, further: i64) -> Option<Name> {
    match name {
        Name::Behind(register, distance, kind) if register == from => {
            Some(Name::Behind(to, distance.checked_add(further)?, kind))
        }
        Name::Behind(..) | Name::Fixed(_) | Name::At(..) | Name::Raised(_) => None,
    }
}
