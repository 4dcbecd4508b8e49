//! Which registers point to memory that no other thread can know of: it was allocated by this thread, and its address
//! has been nowhere but in registers since.
//!
//! A register that takes an allocation's address, or a copy of it, is *fresh* until the address is stored, returned,
//! passed to a thread or to a function that may let it go. A function whose result is fresh wherever it returns gives
//! its caller a fresh one; a parameter is fresh where all calls pass fresh ones.
//!
//! Who keeps the address in memory that only the initial thread ever accesses tells nobody either: it is *hidden* there.
//! It stays fresh until something is read that may be it, unless that is read from where it was just left, or a function
//! is called, which might read it.
//!
//! What is fresh when a thread is started with it is *handed* to that thread. Others may know of it from then on, but it
//! is handed to no other thread: whoever would do that would have to know of it alone. So of two threads that each
//! access what they were handed, none accesses what the other does.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashSet;
use selvedge_analysis::AbstractObject;
use selvedge_program::{
    Access, AccessKind, Action, AtomicStep, Budget, EdgeId, Exhausted, Expr, FunctionId, LocationId, Place, RegisterId,
    Touched, ValueFlow,
};

use super::names::{Names, Origin, behind, carried};

/// Where a fresh address comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tag {
    /// From this edge, which allocates, or calls who does.
    Made(EdgeId),
    /// From the caller.
    Given(usize),
}

/// The addresses that have not gone elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Kept {
    registers: BTreeMap<RegisterId, Tag>,
    /// Where such an address certainly is in memory.
    left: Vec<(Expr, Tag)>,
    /// In what memory they may be: only the initial thread accesses that.
    hidden: BTreeSet<(Tag, AbstractObject)>,
}

impl Kept {
    fn get(&self, register: &RegisterId) -> Option<&Tag> {
        self.registers.get(register)
    }

    fn is_hidden(&self, tag: Tag) -> bool {
        self.hidden.iter().any(|(other, _)| *other == tag)
    }
}

/// Which registers are fresh where.
#[derive(Debug)]
pub struct Fresh {
    /// By function and location; `None` where no thread ever is.
    at: Vec<Vec<Option<Rc<Kept>>>>,
    given: Vec<Vec<bool>>,
    /// By function and parameter: whether it is what the executing thread was handed when it was started.
    handed: Vec<Vec<bool>>,
}

impl Fresh {
    /// Finds them.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn of(names: &Names<'_>, budget: &Budget) -> Result<Fresh, Exhausted> {
        let functions = &names.program.functions;
        let parameters = || functions.iter().map(|function| vec![false; function.parameters.len()]).collect();
        let mut known = Known {
            names,
            of_others: of_others(names),
            lets_go: parameters(),
            gives_fresh: functions.iter().map(|function| function.result_width.is_some()).collect(),
        };
        // What a function may let go grows, and who gives fresh addresses shrinks, until nothing changes.
        let at = loop {
            let mut is_changed = false;
            let mut at = Vec::with_capacity(functions.len());
            for function in 0..functions.len() {
                budget.check()?;
                let (kept, changed) = known.follow(FunctionId::new(function));
                is_changed |= changed;
                at.push(kept);
            }
            if !is_changed {
                break at;
            }
        };
        let all = || functions.iter().map(|function| vec![true; function.parameters.len()]).collect();
        let mut fresh = Fresh { at, given: all(), handed: all() };
        fresh.find_given(names);
        fresh.find_handed(names);
        Ok(fresh)
    }

    /// Whether what is at an address is what the executing thread was handed when it was started.
    pub fn is_handed(&self, function: FunctionId, location: LocationId, address: &Expr) -> bool {
        behind(address).is_some_and(|(register, _)| {
            let kept = self.at[function.index()][location.index()].as_ref();
            let tag = kept.and_then(|kept| kept.get(&register));
            matches!(tag, Some(Tag::Given(parameter)) if self.handed[function.index()][*parameter])
        })
    }

    /// Whether what is at an address is known to the executing thread alone.
    pub fn is_own(&self, function: FunctionId, location: LocationId, address: &Expr) -> bool {
        behind(address).is_some_and(|(register, _)| self.is_fresh(function, location, register))
    }

    fn is_fresh(&self, function: FunctionId, location: LocationId, register: RegisterId) -> bool {
        let kept = self.at[function.index()][location.index()].as_ref();
        match kept.and_then(|kept| kept.get(&register)) {
            Some(Tag::Made(_)) => true,
            Some(Tag::Given(parameter)) => self.given[function.index()][*parameter],
            None => false,
        }
    }

    /// A parameter is what was handed to the thread if all starts pass a fresh address, and only once, and all calls
    /// what was handed.
    fn find_handed(&mut self, names: &Names<'_>) {
        if let Some(main) = names.program.main() {
            self.handed[main.index()].fill(false);
        }
        loop {
            let mut is_changed = false;
            for entering in names.life().entering.iter().flatten() {
                let (by, edge) = entering.at;
                let flow = names.program.function(by).edge(edge).action.value_flow();
                let (ValueFlow::Call { arguments, .. } | ValueFlow::Spawn { arguments, .. }) = flow else { continue };
                let Some(kept) = self.at[by.index()][entering.source.index()].clone() else { continue };
                for &entered in &entering.entered {
                    for parameter in 0..self.handed[entered.index()].len() {
                        let argument = arguments.get(parameter);
                        let is_handed = argument.is_some_and(|argument| match entering.is_start {
                            true => {
                                let tag = behind(argument).and_then(|(register, _)| kept.get(&register));
                                self.is_own(by, entering.source, argument)
                                    && tag.is_some_and(|tag| passed(Some(&kept), arguments, *tag) == 1)
                            }
                            false => self.is_handed(by, entering.source, argument),
                        });
                        let known = &mut self.handed[entered.index()][parameter];
                        is_changed |= *known && !is_handed;
                        *known &= is_handed;
                    }
                }
            }
            if !is_changed {
                return;
            }
        }
    }

    /// A parameter is fresh if all calls pass a fresh address, and only once.
    fn find_given(&mut self, names: &Names<'_>) {
        let not = |given: &mut Vec<Vec<bool>>, function: FunctionId| given[function.index()].fill(false);
        if let Some(main) = names.program.main() {
            not(&mut self.given, main);
        }
        let entering = || names.life().entering.iter().flatten();
        for entered in entering().filter(|entering| entering.is_start).flat_map(|entering| &entering.entered) {
            not(&mut self.given, *entered);
        }
        loop {
            let mut is_changed = false;
            for call in entering().filter(|entering| !entering.is_start) {
                let (caller, edge) = call.at;
                let ValueFlow::Call { arguments, .. } = names.program.function(caller).edge(edge).action.value_flow()
                else {
                    continue;
                };
                let kept = self.at[caller.index()][call.source.index()].clone();
                for &callee in &call.entered {
                    for parameter in 0..self.given[callee.index()].len() {
                        let argument = arguments.get(parameter).and_then(behind);
                        let is_fresh = kept.is_none()
                            || argument.is_some_and(|(register, _)| {
                                let tag = kept.as_ref().and_then(|kept| kept.get(&register));
                                let is_hidden = |tag: &Tag| kept.as_ref().is_some_and(|kept| kept.is_hidden(*tag));
                                self.is_fresh(caller, call.source, register)
                                    && tag.is_some_and(|tag| {
                                        passed(kept.as_deref(), arguments, *tag) == 1 && !is_hidden(tag)
                                    })
                            });
                        if !is_fresh && self.given[callee.index()][parameter] {
                            self.given[callee.index()][parameter] = false;
                            is_changed = true;
                        }
                    }
                }
            }
            if !is_changed {
                return;
            }
        }
    }
}

/// To how many arguments an address goes.
fn passed(kept: Option<&Kept>, arguments: &[Expr], tag: Tag) -> usize {
    let carries_it = |argument: &&Expr| {
        let mut is_it = false;
        carried_by(argument, &mut |register| is_it |= kept.and_then(|kept| kept.get(&register)) == Some(&tag));
        is_it
    };
    arguments.iter().filter(carries_it).count()
}

/// The registers whose addresses a value may be made of.
fn carried_by(value: &Expr, visit: &mut dyn FnMut(RegisterId)) {
    carried(value, &mut |origin| {
        if let Origin::Register(register) = origin {
            visit(register);
        }
    });
}

/// What is known of functions.
struct Known<'a, 'p> {
    names: &'a Names<'p>,
    /// The memory that others than the initial thread access.
    of_others: FxHashSet<AbstractObject>,
    /// By function and parameter: whether the function may let go what it is given.
    lets_go: Vec<Vec<bool>>,
    /// By function: whether its result is fresh wherever it returns.
    gives_fresh: Vec<bool>,
}

impl Known<'_, '_> {
    /// Follows the addresses of a function; whether something new is known of it.
    fn follow(&mut self, id: FunctionId) -> (Vec<Option<Rc<Kept>>>, bool) {
        let function = self.names.program.function(id);
        let mut at: Vec<Option<Rc<Kept>>> = vec![None; function.locations.len()];
        if !self.names.life().is_run[id.index()] {
            return (at, false);
        }
        let parameters = function.parameters.iter().enumerate();
        let registers = parameters.map(|(position, register)| (*register, Tag::Given(position))).collect();
        at[function.entry.index()] = Some(Rc::new(Kept { registers, ..Kept::default() }));
        let mut gone = vec![false; function.parameters.len()];
        let mut gives_fresh = true;
        let mut pending = vec![function.entry];
        while let Some(location) = pending.pop() {
            let Some(kept) = at[location.index()].clone() else { continue };
            for edge_id in &function.location(location).outgoing {
                let edge = function.edge(*edge_id);
                let mut step = Step { known: self, at: (id, *edge_id), kept: kept.clone(), gone: &mut gone };
                step.overwrite(&edge.action);
                step.take(edge.action.value_flow());
                if let ValueFlow::Return { value } = edge.action.value_flow() {
                    gives_fresh &= match behind(value) {
                        Some((register, _)) => {
                            let tag = kept.get(&register);
                            matches!(tag, Some(tag @ Tag::Made(_)) if !kept.is_hidden(*tag))
                        }
                        None => matches!(value, Expr::Constant(_)),
                    };
                }
                let after = step.kept;
                if edge.action.falls_through() && meet(&mut at[edge.target.index()], &after) {
                    pending.push(edge.target);
                }
            }
        }
        let mut is_changed = false;
        for (lets_go, gone) in self.lets_go[id.index()].iter_mut().zip(gone) {
            is_changed |= gone && !*lets_go;
            *lets_go |= gone;
        }
        is_changed |= self.gives_fresh[id.index()] && !gives_fresh;
        self.gives_fresh[id.index()] &= gives_fresh;
        (at, is_changed)
    }
}

/// Takes back what is not kept on another way; whether that changes anything.
fn meet(known: &mut Option<Rc<Kept>>, other: &Rc<Kept>) -> bool {
    match known {
        None => {
            *known = Some(other.clone());
            true
        }
        Some(known) if Rc::ptr_eq(known, other) => false,
        Some(known) => {
            let both = |(register, tag): &(&RegisterId, &Tag)| other.get(register) == Some(*tag);
            let registers = known.registers.iter().filter(both).map(|(register, tag)| (*register, *tag)).collect();
            let left = known.left.iter().filter(|left| other.left.contains(left)).cloned().collect();
            let met = Kept { registers, left, hidden: &known.hidden | &other.hidden };
            let is_less = met != **known;
            if is_less {
                *known = Rc::new(met);
            }
            is_less
        }
    }
}

/// One edge.
struct Step<'a, 'k, 'n, 'p> {
    known: &'a Known<'n, 'p>,
    at: (FunctionId, EdgeId),
    kept: Rc<Kept>,
    gone: &'k mut [bool],
}

impl Step<'_, '_, '_, '_> {
    fn take(&mut self, flow: ValueFlow<'_>) {
        match flow {
            ValueFlow::None => {}
            ValueFlow::Assign { target, value } => self.assign(target, value),
            ValueFlow::Choose { target } => self.forget(target),
            ValueFlow::Load { target, access } => self.load(target, access),
            ValueFlow::Store { access, value } => self.store(access, value),
            ValueFlow::Return { value } => {
                self.goes(value);
                self.uncover(|_| true);
            }
            ValueFlow::Allocate { target } => self.make(target),
            ValueFlow::Spawn { target, arguments } => {
                arguments.iter().for_each(|argument| self.goes(argument));
                self.forget(target);
            }
            ValueFlow::Call { target, arguments } => self.call(target, arguments),
            ValueFlow::Update(steps) => {
                for step in steps {
                    match step {
                        AtomicStep::Read { target, access } => {
                            self.read(access);
                            self.forget(*target);
                        }
                        AtomicStep::PickThread { target, .. } => self.forget(*target),
                        AtomicStep::Let { target, value } => self.assign(*target, value),
                        AtomicStep::Write { value, .. } | AtomicStep::WriteThreads { value, .. } => self.goes(value),
                        AtomicStep::Guard(_)
                        | AtomicStep::Spurious
                        | AtomicStep::Require(..)
                        | AtomicStep::Mark { .. } => {}
                    }
                }
            }
        }
    }

    fn tag(&self, register: RegisterId) -> Option<Tag> {
        self.kept.get(&register).copied()
    }

    fn forget(&mut self, register: RegisterId) {
        let is_meant = |(address, _): &(Expr, Tag)| address.mentions(&[register]);
        if self.kept.registers.contains_key(&register) || self.kept.left.iter().any(is_meant) {
            let kept = Rc::make_mut(&mut self.kept);
            kept.registers.remove(&register);
            kept.left.retain(|left| !is_meant(left));
        }
    }

    fn keep(&mut self, register: RegisterId, tag: Tag) {
        self.forget(register);
        Rc::make_mut(&mut self.kept).registers.insert(register, tag);
    }

    fn make(&mut self, register: RegisterId) {
        self.keep(register, Tag::Made(self.at.1));
    }

    /// What is overwritten is no longer where it was left.
    fn overwrite(&mut self, action: &Action) {
        if self.kept.left.is_empty() {
            return;
        }
        let (names, id) = (self.known.names, self.at.0);
        for touch in action.touches().iter().filter(|touch| touch.mode.kind == AccessKind::Write) {
            if let Touched::Ghost(_) = touch.what {
                continue;
            }
            let written = names.targets(id, touch.address);
            let is_meant = |(address, _): &(Expr, Tag)| {
                let there = names.targets(id, address);
                there.iter().any(|at| written.iter().any(|other| at.object == other.object))
            };
            if self.kept.left.iter().any(is_meant) {
                Rc::make_mut(&mut self.kept).left.retain(|left| !is_meant(left));
            }
        }
    }

    /// An address that is stored where only the initial thread accesses anything is hidden there.
    fn store(&mut self, access: &Access, value: &Expr) {
        let (names, id) = (self.known.names, self.at.0);
        let tag = behind(value).and_then(|(register, _)| self.tag(register));
        let (Some(tag), Place::Memory { address, size, .. }) = (tag, &access.place) else { return self.goes(value) };
        let targets = names.targets(id, address);
        let is_known = !targets.is_empty() && targets.iter().all(|at| !self.known.of_others.contains(&at.object));
        if !is_known || !names.life().is_initial_only(id) || 8 * *size != names.program.pointer_width() {
            return self.goes(value);
        }
        let kept = Rc::make_mut(&mut self.kept);
        kept.hidden.extend(targets.iter().map(|at| (tag, at.object)));
        kept.left.push((address.clone(), tag));
    }

    fn load(&mut self, target: RegisterId, access: &Access) {
        let left = match &access.place {
            Place::Memory { address, size, .. } if 8 * *size == self.known.names.program.pointer_width() => {
                self.kept.left.iter().find(|(at, _)| at == address).map(|(_, tag)| *tag)
            }
            Place::Memory { .. } | Place::Ghost { .. } => None,
        };
        match left {
            Some(tag) => self.keep(target, tag),
            None => {
                self.read(access);
                self.forget(target);
            }
        }
    }

    /// What is read may be anything that is hidden there.
    fn read(&mut self, access: &Access) {
        if let Place::Memory { address, .. } = &access.place
            && !self.kept.hidden.is_empty()
        {
            let targets = self.known.names.targets(self.at.0, address);
            self.uncover(|object| targets.iter().any(|at| at.object == object));
        }
    }

    /// What is hidden in some memory may be known elsewhere from now on.
    fn uncover(&mut self, is_meant: impl Fn(AbstractObject) -> bool) {
        let found: BTreeSet<Tag> =
            self.kept.hidden.iter().filter(|(_, object)| is_meant(*object)).map(|(tag, _)| *tag).collect();
        found.into_iter().for_each(|tag| self.let_go(tag));
    }

    /// A value goes where others may find it.
    fn goes(&mut self, value: &Expr) {
        let mut registers = Vec::new();
        carried_by(value, &mut |register| registers.push(register));
        for register in registers {
            if let Some(tag) = self.tag(register) {
                self.let_go(tag);
            }
        }
    }

    fn let_go(&mut self, tag: Tag) {
        if let Tag::Given(parameter) = tag {
            self.gone[parameter] = true;
        }
        let kept = Rc::make_mut(&mut self.kept);
        kept.registers.retain(|_, other| *other != tag);
        kept.left.retain(|(_, other)| *other != tag);
        kept.hidden.retain(|(other, _)| *other != tag);
    }

    fn assign(&mut self, target: RegisterId, value: &Expr) {
        let copied = behind(value).and_then(|(register, _)| self.tag(register));
        match copied {
            Some(tag) => self.keep(target, tag),
            None => {
                self.goes(value);
                self.forget(target);
            }
        }
    }

    fn call(&mut self, target: Option<RegisterId>, arguments: &[Expr]) {
        self.uncover(|_| true);
        let entered = self.known.names.life().entered(self.at.0, self.at.1);
        let kept = self.kept.clone();
        for (position, argument) in arguments.iter().enumerate() {
            let lets_go =
                |callee: &FunctionId| self.known.lets_go[callee.index()].get(position).copied().unwrap_or(true);
            let tag = behind(argument).and_then(|(register, _)| kept.get(&register).copied());
            let is_kept = tag.is_some_and(|tag| passed(Some(&kept), arguments, tag) == 1);
            if !is_kept || entered.iter().any(lets_go) {
                self.goes(argument);
            }
        }
        if let Some(target) = target {
            self.forget(target);
            if entered.iter().all(|callee| self.known.gives_fresh[callee.index()]) {
                self.make(target);
            }
        }
    }
}

/// The memory that others than the initial thread access.
fn of_others(names: &Names<'_>) -> FxHashSet<AbstractObject> {
    let mut found = FxHashSet::default();
    for (index, function) in names.program.functions.iter().enumerate() {
        let id = FunctionId::new(index);
        if names.life().is_initial_only(id) {
            continue;
        }
        for touch in function.edges.iter().flat_map(|edge| edge.action.touches()) {
            found.extend(names.targets(id, touch.address).iter().map(|at| at.object));
        }
    }
    found
}
