//! Which bytes of memory that begins as nothing in particular (locals, `malloc`) have certainly been written: in a
//! function, of the objects that its registers point into; and of every kind of object, of all those whose address has
//! gone elsewhere.
//!
//! An object is followed from where it is made (*root*) by what registers hold copies of its address. A value that is
//! kept elsewhere, or of which track is lost, is *let go*: what has been written of its object by then is what everybody
//! else can count on. Functions begin with what all their callers know of the arguments, and hand on what they have
//! written of these and of what they return. All this is found like an invariant: by beginning with everything.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_analysis::{AbstractObject, Offset, Target};
use selvedge_program::live::Live;
use selvedge_program::{
    Access, Action, AtomicStep, Budget, EdgeId, Exhausted, Expr, FrameObjectId, Function, FunctionId, InitialContents,
    Interpretation, LocationId, Place, RegisterId,
};

use super::bytes::Bytes;
use super::names::{Names, Origin, carried, origin};

/// What registers of a function point into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    /// What this edge allocates, or a function that it calls returns.
    Made(EdgeId),
    /// What the caller gave.
    Given(usize),
    /// A local of the activation.
    Local(FrameObjectId),
}

/// What is known at a location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    /// Which registers point into which roots, and how far behind their beginnings.
    pointers: BTreeMap<RegisterId, (Root, i64)>,
    /// What has been written of the roots; of others, nothing.
    written: BTreeMap<Root, Bytes>,
    /// The locals whose addresses may have been let go.
    gone: BTreeSet<FrameObjectId>,
}

impl State {
    fn written(&self, root: Root) -> &Bytes {
        static NOTHING: Bytes = Bytes::NONE;
        self.written.get(&root).unwrap_or(&NOTHING)
    }
}

/// Whether zeros that memory begins with count as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeros {
    AreWritten,
    AreNothing,
}

/// What is known of a program.
#[derive(Debug)]
pub struct Written<'a, 'p> {
    names: &'a Names<'p>,
    at: Vec<Vec<Option<Rc<State>>>>,
    /// What has been written of all objects of a kind whose addresses were let go, from where they begin.
    let_go: FxHashMap<AbstractObject, Bytes>,
    /// By function and parameter, behind where that points to: when it is entered, and when it returns.
    given: Vec<Vec<Bytes>>,
    left: Vec<Vec<Bytes>>,
    /// By function, behind where its result points to.
    results: Vec<Bytes>,
    /// The registers that may hold bytes that nobody has written, and where these may be copied to.
    raw: FxHashSet<(FunctionId, RegisterId)>,
    spoiled: FxHashMap<AbstractObject, FxHashSet<(Offset, u64)>>,
    zeros: Zeros,
    /// By site: whether its memory begins as zeros that count.
    is_zero: Vec<bool>,
    /// The functions that are to be followed again: something that they depend on is known to be less.
    pending: Vec<bool>,
    /// By function, who calls it; by kind of object, who looked at what is known of all of these.
    callers: Vec<FxHashSet<usize>>,
    readers: RefCell<FxHashMap<AbstractObject, FxHashSet<usize>>>,
    /// Whether such bytes are handed on in a way that is not followed.
    is_hopeless: bool,
}

impl<'a, 'p> Written<'a, 'p> {
    /// Finds out.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn of(names: &'a Names<'p>, zeros: Zeros, budget: &Budget) -> Result<Written<'a, 'p>, Exhausted> {
        let functions = &names.program.functions;
        let all = || -> Vec<Vec<Bytes>> {
            functions.iter().map(|function| vec![Bytes::All; function.parameters.len()]).collect()
        };
        let mut is_zero = vec![true; names.program.sites.len()];
        for edge in functions.iter().flat_map(|function| &function.edges) {
            if let Action::Allocate { site, contents, .. } = &edge.action {
                is_zero[site.index()] &= zeros == Zeros::AreWritten && *contents == InitialContents::Zero;
            }
        }
        let mut written = Written {
            names,
            at: vec![Vec::new(); functions.len()],
            let_go: FxHashMap::default(),
            given: all(),
            left: all(),
            results: vec![Bytes::All; functions.len()],
            raw: FxHashSet::default(),
            zeros,
            spoiled: FxHashMap::default(),
            is_zero,
            pending: (0..functions.len()).map(|function| names.life().is_run[function]).collect(),
            callers: callers(names),
            readers: RefCell::default(),
            is_hopeless: false,
        };
        if let Some(main) = names.program.main() {
            written.given[main.index()].fill(Bytes::NONE);
        }
        let lives: Vec<Live> = functions.iter().map(Live::of).collect();
        while written.pending.contains(&true) {
            for (function, live) in lives.iter().enumerate() {
                if std::mem::take(&mut written.pending[function]) {
                    budget.check()?;
                    written.follow(FunctionId::new(function), live);
                }
            }
        }
        Ok(written)
    }

    /// Whether all that an access reads at a location has certainly been written.
    pub fn is_written(&self, function: FunctionId, location: LocationId, access: &Access) -> bool {
        let Place::Memory { address, size, .. } = &access.place else { return true };
        let Some(state) = &self.at[function.index()][location.index()] else { return true };
        !self.is_hopeless && self.is_known(function, state, address, u64::from(*size))
    }

    fn is_known(&self, function: FunctionId, state: &State, address: &Expr, size: u64) -> bool {
        let targets = self.names.targets(function, address);
        let is_spoiled = |target: &Target| {
            let mut spoiled = self.spoiled.get(&target.object).into_iter().flatten();
            spoiled.any(|(offset, spoiled)| offset.may_overlap(*spoiled, target.offset, size))
        };
        self.known(function, state, address).covers(0, size) && !targets.iter().any(is_spoiled)
    }

    /// What has been written behind where a value points to.
    fn known(&self, function: FunctionId, state: &State, value: &Expr) -> Bytes {
        if let Some((root, distance)) = rooted(state, value) {
            return state.written(root).seen_from(distance);
        }
        let targets = self.names.targets(function, value);
        targets.iter().fold(Bytes::All, |known, target| {
            let of_all = self.of_all(function, target.object);
            let there = match (of_all, target.offset) {
                (Bytes::All, _) => Bytes::All,
                (bytes, Offset { start, stride: 0 }) => bytes.seen_from(start),
                _ => Bytes::NONE,
            };
            known.meet(&there)
        })
    }

    /// What has been written of all objects of a kind that others know of, for a function that is followed.
    fn of_all(&self, reader: FunctionId, object: AbstractObject) -> Bytes {
        match object {
            AbstractObject::Site(site) if self.is_zero[site.index()] => Bytes::All,
            AbstractObject::Site(_) | AbstractObject::Frame(..) => {
                self.readers.borrow_mut().entry(object).or_default().insert(reader.index());
                self.let_go.get(&object).cloned().unwrap_or(Bytes::All)
            }
            AbstractObject::Static(_)
            | AbstractObject::Function(_)
            | AbstractObject::Thread
            | AbstractObject::Started(_) => Bytes::All,
        }
    }

    /// Makes what is known less, and says whether it was more.
    fn narrow(known: &mut Bytes, to: &Bytes) -> bool {
        let met = known.meet(to);
        let is_changed = met != *known;
        if is_changed {
            *known = met;
        }
        is_changed
    }

    /// Who calls a function is to be followed again.
    fn call_again(&mut self, function: FunctionId) {
        for caller in &self.callers[function.index()] {
            self.pending[*caller] = true;
        }
    }

    /// A register may hold bytes that nobody has written.
    fn is_raw_from_now_on(&mut self, function: FunctionId, register: RegisterId) {
        if self.raw.insert((function, register)) {
            self.pending[function.index()] = true;
        }
    }

    /// Follows a function with what is known of the others.
    fn follow(&mut self, id: FunctionId, live: &Live) {
        let function = self.names.program.function(id);
        let mut entry = State::default();
        for (position, (register, given)) in function.parameters.iter().zip(&self.given[id.index()]).enumerate() {
            entry.pointers.insert(*register, (Root::Given(position), 0));
            entry.written.insert(Root::Given(position), given.clone());
        }
        let mut at: Vec<Option<Rc<State>>> = vec![None; function.locations.len()];
        at[function.entry.index()] = Some(Rc::new(entry));
        let mut pending = vec![function.entry];
        while let Some(location) = pending.pop() {
            let Some(state) = at[location.index()].clone() else { continue };
            for edge_id in &function.location(location).outgoing {
                let edge = function.edge(*edge_id);
                let mut step = Step { all: self, id, edge: *edge_id, state: state.clone() };
                step.take(function, &edge.action);
                if edge.action.falls_through() {
                    let mut after = step.state;
                    let is_live = live.at(edge.target);
                    if after.pointers.keys().any(|register| !is_live.contains(register)) {
                        Rc::make_mut(&mut after).pointers.retain(|register, _| is_live.contains(register));
                    }
                    if self.meet(id, &mut at[edge.target.index()], after) {
                        pending.push(edge.target);
                    }
                }
            }
        }
        self.at[id.index()] = at;
    }

    /// Takes back what is not so on another way; whether that changes anything.
    fn meet(&mut self, id: FunctionId, known: &mut Option<Rc<State>>, other: Rc<State>) -> bool {
        let Some(before) = known else {
            *known = Some(other);
            return true;
        };
        if Rc::ptr_eq(before, &other) || **before == *other {
            return false;
        }
        // Of what a register points to on one way only, track is lost.
        for (one, another) in [(&**before, &*other), (&*other, &**before)] {
            for (register, (root, distance)) in &one.pointers {
                if another.pointers.get(register) != Some(&(*root, *distance)) {
                    self.lose(id, one, *register, *root, *distance);
                }
            }
        }
        let mut met = State::clone(before);
        met.pointers.retain(|register, pointed| other.pointers.get(register) == Some(pointed));
        met.written.iter_mut().for_each(|(root, bytes)| *bytes = bytes.meet(other.written(*root)));
        met.written.retain(|_, bytes| *bytes != Bytes::NONE);
        met.gone.extend(&other.gone);
        let is_less = met != **before;
        if is_less {
            *known = Some(Rc::new(met));
        }
        is_less
    }

    /// The address that a register holds is elsewhere from now on.
    fn lose(&mut self, id: FunctionId, state: &State, register: RegisterId, root: Root, distance: i64) {
        let behind = state.written(root).seen_from(distance);
        let pointer = Expr::register(register, self.names.program.pointer_width());
        for target in self.names.targets(id, &pointer).iter() {
            self.publish(*target, &behind);
        }
    }

    /// An object is known elsewhere, so much of which has been written behind a place in it.
    fn publish(&mut self, target: Target, behind: &Bytes) {
        if !matches!(target.object, AbstractObject::Site(_) | AbstractObject::Frame(..)) {
            return;
        }
        let from_its_beginning = match (behind, target.offset) {
            (Bytes::All, _) => Bytes::All,
            (bytes, Offset { start, stride: 0 }) => bytes.seen_from(start.wrapping_neg()),
            _ => Bytes::NONE,
        };
        let known = self.let_go.entry(target.object).or_insert(Bytes::All);
        if Self::narrow(known, &from_its_beginning) {
            for reader in self.readers.borrow().get(&target.object).into_iter().flatten() {
                self.pending[*reader] = true;
            }
        }
    }
}

/// By function, who calls it.
fn callers(names: &Names<'_>) -> Vec<FxHashSet<usize>> {
    let entering = &names.life().entering;
    let mut callers = vec![FxHashSet::default(); entering.len()];
    for (caller, entering) in entering.iter().enumerate().filter(|(caller, _)| names.life().is_run[*caller]) {
        for callee in entering.iter().flat_map(|entering| &entering.entered) {
            callers[callee.index()].insert(caller);
        }
    }
    callers
}

/// The root that a value points into, and how far behind its beginning.
fn rooted(state: &State, value: &Expr) -> Option<(Root, i64)> {
    match origin(value)? {
        (Origin::Register(register), distance) => {
            let (root, before) = state.pointers.get(&register)?;
            Some((*root, before.checked_add(distance)?))
        }
        (Origin::Local(local), distance) => Some((Root::Local(local), distance)),
    }
}

/// Whether something is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    Always,
    Perhaps,
}

/// One edge.
struct Step<'w, 'a, 'p> {
    all: &'w mut Written<'a, 'p>,
    id: FunctionId,
    edge: EdgeId,
    state: Rc<State>,
}

impl Step<'_, '_, '_> {
    fn take(&mut self, function: &Function, action: &Action) {
        match action {
            Action::Assign { target, value } => self.assign(*target, value),
            Action::Havoc { target } => self.forget(*target),
            Action::Load { target, access, interpretation } => {
                if *interpretation == Interpretation::Raw {
                    self.load_raw(*target, access);
                }
                self.forget(*target);
            }
            Action::Store { access, value } => self.store(access, value, Certainty::Always),
            Action::Atomic(steps) => steps.iter().for_each(|step| self.atomic_step(step)),
            Action::Forget { object } => {
                if self.state.gone.contains(object) {
                    let object = AbstractObject::Frame(self.id, *object);
                    self.all.publish(Target { object, offset: Offset::ZERO }, &Bytes::NONE);
                }
                self.change().written.remove(&Root::Local(*object));
            }
            Action::EndLife { object } => {
                let state = self.change();
                state.written.remove(&Root::Local(*object));
                state.pointers.retain(|_, (root, _)| *root != Root::Local(*object));
                state.gone.remove(object);
            }
            Action::Allocate { target, contents, .. } => {
                let is_zero = self.all.zeros == Zeros::AreWritten && *contents == InitialContents::Zero;
                let written = if is_zero { Bytes::All } else { Bytes::NONE };
                self.make(*target, written);
            }
            Action::Spawn { target, arguments, id, .. } => {
                self.enter(arguments);
                arguments.iter().for_each(|argument| self.goes(argument));
                self.forget(*target);
                if let Some(id) = id {
                    self.store(id, &Expr::register(*target, self.all.names.program.pointer_width()), Certainty::Always);
                }
            }
            Action::Call { target, arguments, .. } => self.call(*target, arguments),
            Action::Return { value } => {
                if let Some(value) = value {
                    self.all.is_hopeless |= self.is_raw(value);
                    let known = self.all.known(self.id, &self.state, value);
                    if Written::narrow(&mut self.all.results[self.id.index()], &known) {
                        self.all.call_again(self.id);
                    }
                    // A caller follows it further; who joins a thread does not.
                    if self.all.names.life().is_started[self.id.index()] || rooted(&self.state, value).is_none() {
                        self.goes(value);
                    }
                }
                for position in 0..function.parameters.len() {
                    let written = self.state.written(Root::Given(position)).clone();
                    if Written::narrow(&mut self.all.left[self.id.index()][position], &written) {
                        self.all.call_again(self.id);
                    }
                }
            }
            Action::ThreadExit { value } => self.goes(value),
            Action::Assume(_)
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::Free { .. }
            | Action::Exit { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Output(_)
            | Action::Unsupported(_)
            | Action::Inexact(_) => {}
        }
    }

    fn atomic_step(&mut self, step: &AtomicStep) {
        match step {
            AtomicStep::Read { target, .. } | AtomicStep::PickThread { target, .. } => self.forget(*target),
            AtomicStep::Let { target, value } => self.assign(*target, value),
            AtomicStep::Write { when, access, value } => {
                let is_certain = *when == Expr::truth();
                self.store(access, value, if is_certain { Certainty::Always } else { Certainty::Perhaps });
            }
            AtomicStep::WriteThreads { value, .. } => self.goes(value),
            AtomicStep::Guard(_) | AtomicStep::Spurious | AtomicStep::Require(..) | AtomicStep::Mark { .. } => {}
        }
    }

    fn change(&mut self) -> &mut State {
        Rc::make_mut(&mut self.state)
    }

    fn forget(&mut self, register: RegisterId) {
        if self.state.pointers.contains_key(&register) {
            self.change().pointers.remove(&register);
        }
    }

    /// A register takes the address of a new root; what this edge made before is lost track of.
    fn make(&mut self, target: RegisterId, written: Bytes) {
        self.forget(target);
        let root = Root::Made(self.edge);
        let state = self.state.clone();
        for (register, (other, distance)) in &state.pointers {
            if *other == root {
                self.all.lose(self.id, &state, *register, root, *distance);
                self.forget(*register);
            }
        }
        let state = self.change();
        state.pointers.insert(target, (root, 0));
        state.written.insert(root, written);
    }

    /// A value is kept where it is not followed.
    fn goes(&mut self, value: &Expr) {
        let mut origins = Vec::new();
        carried(value, &mut |origin| origins.push(origin));
        for origin in origins {
            match origin {
                Origin::Register(register) => {
                    if let Some((root, distance)) = self.state.pointers.get(&register).copied() {
                        let state = self.state.clone();
                        self.all.lose(self.id, &state, register, root, distance);
                        if let Root::Local(local) = root {
                            self.change().gone.insert(local);
                        }
                    }
                }
                Origin::Local(local) => {
                    let written = self.state.written(Root::Local(local)).clone();
                    let object = AbstractObject::Frame(self.id, local);
                    self.all.publish(Target { object, offset: Offset::ZERO }, &written);
                    self.change().gone.insert(local);
                }
            }
        }
    }

    fn assign(&mut self, target: RegisterId, value: &Expr) {
        if self.is_raw(value) {
            self.all.is_raw_from_now_on(self.id, target);
        }
        match rooted(&self.state, value) {
            Some(pointed) => {
                self.change().pointers.insert(target, pointed);
            }
            None => {
                self.goes(value);
                self.forget(target);
            }
        }
    }

    /// Bytes that nobody has written may be in a register, and are moved on with it.
    fn load_raw(&mut self, target: RegisterId, access: &Access) {
        let Place::Memory { address, size, .. } = &access.place else { return };
        if !self.all.is_known(self.id, &self.state, address, u64::from(*size)) {
            self.all.is_raw_from_now_on(self.id, target);
        }
    }

    fn is_raw(&self, value: &Expr) -> bool {
        let mut is_raw = false;
        value.for_each_register(&mut |register| is_raw |= self.all.raw.contains(&(self.id, register)));
        is_raw
    }

    fn store(&mut self, access: &Access, value: &Expr, certainty: Certainty) {
        self.goes(value);
        let Place::Memory { address, size, .. } = &access.place else { return };
        let size = u64::from(*size);
        if self.is_raw(value) {
            for target in self.all.names.targets(self.id, address).iter() {
                let spoiled = self.all.spoiled.entry(target.object).or_default();
                if spoiled.insert((target.offset, size)) {
                    // Whoever copies bytes may have looked there.
                    self.all.pending.clone_from(&self.all.names.life().is_run);
                }
            }
        } else if certainty == Certainty::Always
            && let Some((root, distance)) = rooted(&self.state, address)
        {
            self.change().written.entry(root).or_insert(Bytes::NONE).insert(distance, size);
        }
    }

    /// The functions that are entered begin with what is known of the arguments.
    fn enter(&mut self, arguments: &[Expr]) {
        for &callee in self.all.names.life().entered(self.id, self.edge) {
            for position in 0..self.all.given[callee.index()].len() {
                let known = match arguments.get(position) {
                    Some(argument) => {
                        self.all.is_hopeless |= self.is_raw(argument);
                        self.all.known(self.id, &self.state, argument)
                    }
                    None => Bytes::NONE,
                };
                if Written::narrow(&mut self.all.given[callee.index()][position], &known) {
                    self.all.pending[callee.index()] = self.all.names.life().is_run[callee.index()];
                }
            }
        }
    }

    fn call(&mut self, target: Option<RegisterId>, arguments: &[Expr]) {
        self.enter(arguments);
        let entered = self.all.names.life().entered(self.id, self.edge);
        for (position, argument) in arguments.iter().enumerate() {
            let is_followed = |callee: &FunctionId| position < self.all.left[callee.index()].len();
            let Some((root, distance)) = rooted(&self.state, argument).filter(|_| entered.iter().all(is_followed))
            else {
                self.goes(argument);
                continue;
            };
            // The callee lets go what it lets go of its parameter; the local may be gone then.
            if let Root::Local(local) = root {
                self.change().gone.insert(local);
            }
            let left = entered.iter().map(|callee| &self.all.left[callee.index()][position]);
            let left = left.fold(Bytes::All, |all, left| all.meet(left));
            let written = self.state.written(root).join(&left.seen_from(distance.wrapping_neg()));
            self.change().written.insert(root, written);
        }
        if let Some(target) = target {
            let results = entered.iter().map(|callee| &self.all.results[callee.index()]);
            let known = results.fold(Bytes::All, |all, result| all.meet(result));
            self.make(target, known);
        }
    }
}
