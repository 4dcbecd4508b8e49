//! The rules that the annotations of a proof by protection follow, each about one edge. What does not follow them is
//! told, so that who looks for an annotation can begin with everything and take back what is told.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_program::{
    AccessKind, Action, AtomicStep, Callee, Expr, Function, FunctionId, LocationId, LockKind, LockMode, ObjectId,
    Operation, Program, Touched, Transfer,
};

use super::direct::place;
use super::{Held, Lock};

/// Where an annotation does not follow the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Other threads may have been started when a thread is here.
    Company(FunctionId, LocationId),
    /// A lock is held at most like this.
    Held(FunctionId, LocationId, Option<LockMode>),
    /// A function does not keep a lock.
    Lost(FunctionId),
    /// Of this lock nothing can be said: it is given back where it may be somebody else's, or overwritten while others
    /// may hold it.
    Broken,
}

/// What the rules are about.
#[derive(Debug)]
pub struct Rules<'p> {
    program: &'p Program,
    main: FunctionId,
    /// By function and edge: whether it has to do with locks.
    is_about_locks: Vec<Vec<bool>>,
    /// The accesses to bytes of objects that are named: where, and whether they read or write.
    accesses: BTreeMap<ObjectId, Vec<(FunctionId, LocationId, AccessKind)>>,
}

impl<'p> Rules<'p> {
    /// `None` for a program without a beginning.
    pub fn of(program: &'p Program) -> Option<Rules<'p>> {
        let mut rules = Rules { program, main: program.main()?, is_about_locks: Vec::new(), accesses: BTreeMap::new() };
        for (id, function) in rules.functions() {
            let mut is_about_locks = Vec::with_capacity(function.edges.len());
            for edge in &function.edges {
                let mut is_any = !edge.action.steps().is_empty();
                for touch in edge.action.touches() {
                    if let Touched::Ghost(_) = touch.what {
                        is_any = true;
                    } else if let Some((object, _)) = place(touch.address) {
                        rules.accesses.entry(object).or_default().push((id, edge.source, touch.mode.kind));
                    }
                }
                is_about_locks.push(is_any);
            }
            rules.is_about_locks.push(is_about_locks);
        }
        Some(rules)
    }

    /// The locks that are taken by name.
    pub fn locks(&self) -> BTreeSet<Lock> {
        let actions = self.program.functions.iter().flat_map(|function| &function.edges).map(|edge| &edge.action);
        let named = actions.flat_map(Action::steps).filter_map(|step| match step {
            AtomicStep::Mark { operation: Operation::Acquire(kind, _), object, .. } => match place(object)? {
                (object, Some(offset)) => Some(Lock { object, offset, kind: *kind }),
                (_, None) => None,
            },
            _ => None,
        });
        named.collect()
    }

    fn functions(&self) -> impl Iterator<Item = (FunctionId, &'p Function)> + use<'p> {
        self.program.functions.iter().enumerate().map(|(index, function)| (FunctionId::new(index), function))
    }

    /// Whom a call or a start may mean.
    fn meant<'c>(&'c self, callee: &'c Callee) -> &'c [FunctionId] {
        match callee {
            Callee::Direct(function) => std::slice::from_ref(function),
            Callee::Indirect(_) => &self.program.address_taken,
        }
    }

    /// Other threads may have been started after a start and in every thread that was started, and from there on.
    pub fn company(&self, company: &[Vec<bool>], tell: &mut dyn FnMut(Flaw)) {
        let is = |function: FunctionId, location: LocationId| company[function.index()][location.index()];
        let returns: Vec<bool> =
            self.functions().map(|(id, function)| returns(function).any(|location| is(id, location))).collect();
        for (id, function) in self.functions() {
            for edge in &function.edges {
                let mut must = |function: FunctionId, location: LocationId| {
                    if !is(function, location) {
                        tell(Flaw::Company(function, location));
                    }
                };
                let here = is(id, edge.source);
                match edge.action.transfer() {
                    Transfer::Along | Transfer::AtomicBegin | Transfer::AtomicEnd => {
                        if here {
                            must(id, edge.target);
                        }
                    }
                    Transfer::Call { callee, .. } => {
                        for &callee in self.meant(callee) {
                            if here {
                                must(callee, self.program.function(callee).entry);
                            }
                            if here || returns[callee.index()] {
                                must(id, edge.target);
                            }
                        }
                    }
                    Transfer::Spawn { entry, .. } => {
                        must(id, edge.target);
                        for &entry in self.meant(entry) {
                            must(entry, self.program.function(entry).entry);
                        }
                    }
                    Transfer::Return { .. }
                    | Transfer::ThreadExit { .. }
                    | Transfer::Exit { .. }
                    | Transfer::Unknown => {}
                }
            }
        }
    }

    /// Nobody holds a lock in the beginning; what is held after an edge was held before, or is taken there.
    pub fn held(&self, lock: Lock, held: &Held, company: &[Vec<bool>], tell: &mut dyn FnMut(Flaw)) {
        let at = |function: FunctionId, location: LocationId| held.at[function.index()][location.index()];
        let returned: Vec<Option<LockMode>> = self
            .functions()
            .map(|(id, function)| {
                // What never returns leaves anything held.
                returns(function).map(|location| at(id, location)).min().unwrap_or(Some(LockMode::Exclusive))
            })
            .collect();
        let mut at_most = |function: FunctionId, location: LocationId, mode: Option<LockMode>| {
            if at(function, location) > mode {
                tell(Flaw::Held(function, location, mode));
            }
        };
        at_most(self.main, self.program.function(self.main).entry, None);
        let (mut lost, mut is_broken) = (Vec::new(), false);
        for (id, function) in self.functions() {
            for (edge, is_about_locks) in function.edges.iter().zip(&self.is_about_locks[id.index()]) {
                let before = at(id, edge.source);
                match edge.action.transfer() {
                    Transfer::Along | Transfer::AtomicBegin | Transfer::AtomicEnd if !is_about_locks => {
                        at_most(id, edge.target, before);
                    }
                    Transfer::Along | Transfer::AtomicBegin | Transfer::AtomicEnd => {
                        let done = done(lock, &edge.action);
                        at_most(id, edge.target, done.after(before));
                        if !done.keeps {
                            lost.push(id);
                        }
                        let is_another_s = done.gives_back_shared && before.is_none();
                        let is_overwritten = done.overwrites && company[id.index()][edge.source.index()];
                        is_broken |= is_another_s || is_overwritten;
                    }
                    Transfer::Call { callee, .. } => {
                        let mut after = Some(LockMode::Exclusive);
                        for &callee in self.meant(callee) {
                            at_most(callee, self.program.function(callee).entry, before);
                            let keeps = held.keeps[callee.index()];
                            let left = returned[callee.index()];
                            after = after.min(if keeps { left.max(before) } else { left });
                            if !keeps {
                                lost.push(id);
                            }
                        }
                        at_most(id, edge.target, after);
                    }
                    Transfer::Spawn { entry, .. } => {
                        at_most(id, edge.target, before);
                        for &entry in self.meant(entry) {
                            at_most(entry, self.program.function(entry).entry, None);
                        }
                    }
                    Transfer::Return { .. }
                    | Transfer::ThreadExit { .. }
                    | Transfer::Exit { .. }
                    | Transfer::Unknown => {}
                }
            }
        }
        lost.into_iter()
            .filter(|function| held.keeps[function.index()])
            .for_each(|function| tell(Flaw::Lost(function)));
        if is_broken {
            tell(Flaw::Broken);
        }
    }

    /// Whether every access to an object that is made while others may be there is a read, or made with a lock.
    pub fn are_protected(&self, company: &[Vec<bool>], held: Option<&Held>, object: ObjectId) -> bool {
        let at = |function: FunctionId, location: LocationId| match held {
            Some(held) => held.at[function.index()][location.index()],
            None => None,
        };
        self.accesses.get(&object).into_iter().flatten().all(|&(function, location, kind)| {
            let has_company = company[function.index()][location.index()];
            !has_company
                || match (kind, held.is_some(), at(function, location)) {
                    (AccessKind::Read, false, _) => true,
                    (AccessKind::Read, true, mode) => mode.is_some(),
                    (AccessKind::Write, _, mode) => mode == Some(LockMode::Exclusive),
                }
        })
    }
}

/// Where a function returns.
fn returns(function: &Function) -> impl Iterator<Item = LocationId> + '_ {
    let is_return = |action: &Action| matches!(action.transfer(), Transfer::Return { .. });
    function.edges.iter().filter(move |edge| is_return(&edge.action)).map(|edge| edge.source)
}

/// What an action does to a lock.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    /// How it is held afterwards whatever was before.
    taken: Option<LockMode>,
    /// Whether it is held afterwards if it was before.
    keeps: bool,
    gives_back_shared: bool,
    overwrites: bool,
}

impl Done {
    fn after(self, before: Option<LockMode>) -> Option<LockMode> {
        if self.keeps { self.taken.max(before) } else { self.taken }
    }
}

/// What an action does to a lock, as its marks say; a lock without a mark whose state is written is overwritten.
fn done(lock: Lock, action: &Action) -> Done {
    let may_be = |address: &Expr| {
        place(address)
            .is_some_and(|(object, offset)| object == lock.object && offset.is_none_or(|offset| offset == lock.offset))
    };
    let is = |address: &Expr| place(address) == Some((lock.object, Some(lock.offset)));
    let mut done = Done { keeps: true, ..Done::default() };
    let mut marked: Vec<&Expr> = Vec::new();
    for step in action.steps() {
        let AtomicStep::Mark { when, operation, object } = step else { continue };
        match operation {
            Operation::Acquire(kind, mode) if *kind == lock.kind => {
                marked.push(object);
                if is(object) && *when == Expr::truth() {
                    done.taken = done.taken.max(Some(*mode));
                }
            }
            Operation::Release(kind, mode) if *kind == lock.kind => {
                marked.push(object);
                if may_be(object) {
                    done.keeps = false;
                    done.taken = None;
                    done.gives_back_shared |= *mode == LockMode::Shared;
                }
            }
            Operation::Acquire(..)
            | Operation::Release(..)
            | Operation::Join
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
        let is_state = touch.mode.kind == AccessKind::Write && LockKind::of_field(field) == Some(lock.kind);
        if is_state && may_be(touch.address) && !marked.contains(&touch.address) {
            (done.keeps, done.taken, done.overwrites) = (false, None, true);
        }
    }
    done
}
