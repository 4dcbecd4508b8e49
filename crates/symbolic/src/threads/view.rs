//! What the steps of a thread do, as terms over what it can name. Two threads are spoken of at a time: the thread itself, and any other one
//! that moves meanwhile; each has registers of its own and a different identity, and both see the same cells.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_logic::Term;
use selvedge_program::{
    Access, AccessMode, Action, Atomicity, Base, CheckId, EdgeId, Expr, FrameObjectId, FunctionId, RegisterId,
    RegisterUse,
};

use super::held::Parts;
use super::standing::{Cells, Locals, Standing, WIDEST, at_birth, identity, initially, life, local, shared};
use super::unfold::{ArcKind, NodeId};
use super::universe::{Kept, Thing, Universe};
use crate::Predicate;
use crate::access::store;
use crate::builder::Builder;
use crate::cell::{CellKey, Note};
use crate::effect::{Counted, Effect, Found, Touched};
use crate::entity::{Entity, Life};
use crate::eval::Trouble;
use crate::machine::{Machine, trouble};
use crate::predicate::{Valuation, Variable};
use crate::step::{arguments, callees, take, value};
use crate::word::{Tag, Value, Word};

/// Of which thread something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Who {
    /// The thread itself.
    Own,
    /// Another one.
    Other,
    /// The one that is started by a step.
    Started,
}

/// What a thread has for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Local {
    /// A register of a function; no function is active twice.
    Register(FunctionId, RegisterId),
    /// A cell of an object that no other thread can reach.
    Cell(CellKey),
}

/// What a variable of predicates is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    Own(Local),
    Shared(CellKey),
}

/// What can be spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Named {
    Local(Who, Local),
    Cell(CellKey),
}

/// What a step does.
#[derive(Clone, Debug)]
pub struct Moved {
    /// Nothing keeps it from happening.
    pub enabled: Term,
    /// What is undefined or not modelled, each under a condition.
    pub troubles: Vec<(Term, Trouble)>,
    pub violations: Vec<(Term, CheckId)>,
    /// What it assigns or writes of the thread's own; of a function that is called, all registers that have a value, and its locals.
    pub locals: BTreeMap<Local, Word>,
    /// What of a called function has no value that is known.
    pub forgotten: Vec<Local>,
    /// What it writes that all threads share.
    pub cells: BTreeMap<CellKey, Word>,
    pub touched: Vec<Touched>,
    /// Choices that are better looked at one by one.
    pub forks: Vec<Term>,
    /// What the thread that it starts begins with.
    pub passed: BTreeMap<Local, Word>,
}

/// The terms of a universe.
#[derive(Debug)]
pub struct View<'p> {
    pub universe: Universe<'p>,
    pub builder: Builder,
    locals: Locals,
    shared: Cells,
    /// What the symbols of names stand for, of as many locals and cells as have been looked at.
    symbols: FxHashMap<Term, Named>,
    looked_at: (usize, usize),
    moved: FxHashMap<(Who, FunctionId, EdgeId, ArcKind), Rc<Moved>>,
}

impl<'p> View<'p> {
    /// The terms of a universe.
    pub fn new(universe: Universe<'p>) -> Self {
        let mut view = View {
            universe,
            builder: Builder::new(),
            locals: Locals::default(),
            shared: Cells::default(),
            symbols: FxHashMap::default(),
            looked_at: (0, 0),
            moved: FxHashMap::default(),
        };
        // Whether an object is alive is asked where nothing new can be named.
        for tag in view.universe.tags().collect::<Vec<_>>() {
            let alive = CellKey::Alive(tag);
            match view.universe.kept(tag) {
                Kept::Own => {
                    for who in [Who::Own, Who::Other, Who::Started] {
                        view.local(who, Local::Cell(alive));
                    }
                }
                Kept::Shared => {
                    view.cell(alive);
                }
                Kept::Nowhere => {}
            }
        }
        view
    }

    /// That these are two threads.
    pub fn two_threads(&mut self, one: Who, other: Who) -> Term {
        let (id, other_id) = (self.identity(one), self.identity(other));
        let distinct = self.builder.terms.distinct(id, other_id);
        let counted = if other == Who::Started { None } else { self.cell(CellKey::Unjoined) };
        match counted {
            Some(unjoined) => {
                // A thread that runs has not been joined.
                let width = self.builder.width(unjoined.bits);
                let two = self.builder.terms.bits(width, 2);
                let enough = self.builder.terms.ule(two, unjoined.bits);
                self.builder.and(distinct, enough)
            }
            None => distinct,
        }
    }

    /// What a symbol is a part of.
    pub fn named(&mut self, symbol: Term) -> Option<Named> {
        let locals = self.locals.iter().skip(self.looked_at.0);
        let locals = locals.map(|((who, local), word)| (Named::Local(*who, *local), *word));
        let cells = self.shared.iter().skip(self.looked_at.1).map(|(key, word)| (Named::Cell(*key), *word));
        for (named, word) in locals.chain(cells) {
            let parts = Parts::of(&self.builder, word);
            self.symbols.extend(parts.symbols().map(|symbol| (symbol, named)));
        }
        self.looked_at = (self.locals.len(), self.shared.len());
        self.symbols.get(&symbol).copied()
    }

    /// The word that goes by a name.
    pub fn called(&self, named: Named) -> Option<Word> {
        match named {
            Named::Local(who, local) => self.locals.get(&(who, local)).copied(),
            Named::Cell(key) => self.shared.get(&key).copied(),
        }
    }

    /// The identity of a thread, as the bits of a pointer to it.
    pub fn identity(&mut self, who: Who) -> Term {
        let width = self.universe.program.pointer_width();
        identity(&mut self.builder, who, width)
    }

    /// What a tracked cell is called in predicates.
    pub fn variable(&self, key: CellKey) -> Option<Variable> {
        if key == CellKey::Unjoined {
            return self.universe.has_joins.then_some(Variable::Unjoined);
        }
        let object = self.universe.root(key.object())?;
        match key {
            CellKey::Bytes { start, size, .. } => Some(Variable::Cell { object, offset: start, size }),
            CellKey::Ghost { offset, field, .. } => Some(Variable::Ghost { object, offset, field }),
            CellKey::Changer { start, .. } => Some(Variable::Changer { object, offset: start }),
            CellKey::Alive(_) => Some(Variable::Alive(object)),
            CellKey::Note(note, _) => Some(Variable::Note(note, object)),
            CellKey::Size(_) | CellKey::Array(_) | CellKey::Unjoined => None,
        }
    }

    /// What something of a thread's own is called; `None` if nothing can be known of it.
    pub fn local(&mut self, who: Who, register: Local) -> Option<Word> {
        local(&mut self.builder, &mut self.universe, &mut self.locals, who, register)
    }

    /// What a cell is called; `None` if it is not tracked.
    pub fn cell(&mut self, key: CellKey) -> Option<Word> {
        shared(&mut self.builder, &mut self.universe, &mut self.shared, key)
    }

    /// What a tracked cell holds initially.
    pub fn initial(&mut self, key: CellKey) -> Option<Word> {
        let is_tracked = self.universe.kept_cell(key) != Kept::Nowhere;
        is_tracked.then(|| initially(&mut self.builder, &mut self.universe, key))
    }

    /// What a variable of predicates is, if it is something that is tracked.
    pub fn slot(&mut self, variable: Variable) -> Option<Slot> {
        let key = match variable {
            Variable::Register(function, register) => return Some(Slot::Own(Local::Register(function, register))),
            Variable::Cell { object, offset, size } | Variable::Determinate { object, offset, size } => {
                let object = self.universe.rooted(object)?;
                let key = CellKey::Bytes { object, start: offset, size };
                self.universe.is_cell(key).then_some(key)?
            }
            Variable::Alive(object) => CellKey::Alive(self.universe.rooted(object)?),
            Variable::Note(note, object) => CellKey::Note(note, self.universe.rooted(object)?),
            Variable::Address(_) => return None,
            Variable::Ghost { object, offset, field } => {
                let object = self.universe.rooted(object)?;
                CellKey::Ghost { object, offset, field }
            }
            Variable::Changer { object, offset } => {
                let object = self.universe.rooted(object)?;
                let is_noted = self.universe.updated().any(|key| key == (object, offset));
                is_noted.then_some(CellKey::Changer { object, start: offset })?
            }
            Variable::Unjoined => CellKey::Unjoined,
            Variable::OwnGhost(_) => return None,
        };
        match self.universe.kept_cell(key) {
            Kept::Shared => Some(Slot::Shared(key)),
            Kept::Own => Some(Slot::Own(Local::Cell(key))),
            Kept::Nowhere => None,
        }
    }

    /// What something is that all threads share, if a variable is that.
    pub fn key(&mut self, variable: Variable) -> Option<CellKey> {
        match self.slot(variable)? {
            Slot::Shared(key) => Some(key),
            Slot::Own(_) => None,
        }
    }

    /// That everything that some predicates speak of is as it is when the program begins.
    pub fn begins<'a>(&mut self, predicates: impl Iterator<Item = &'a Predicate>) -> Vec<Term> {
        let variables: BTreeSet<Variable> = predicates.flat_map(|predicate| predicate.variables()).copied().collect();
        let slots: BTreeSet<Slot> = variables.into_iter().filter_map(|variable| self.slot(variable)).collect();
        let mut conditions = Vec::new();
        for slot in slots {
            let (word, key) = match slot {
                Slot::Shared(key) => (self.cell(key), key),
                Slot::Own(Local::Cell(key)) => (self.local(Who::Own, Local::Cell(key)), key),
                Slot::Own(Local::Register(..)) => continue,
            };
            if let (Some(word), Some(initial)) = (word, self.initial(key)) {
                conditions.push(self.builder.same(word, initial));
            }
        }
        conditions
    }

    /// That a register of the thread points to no allocation for which another one stands.
    pub fn points_to_one(&mut self, (function, register): (FunctionId, RegisterId)) -> Option<Term> {
        let word = self.local(Who::Own, Local::Register(function, register))?;
        let mut all = None;
        for tag in self.builder.tags(word).into_iter().filter(|tag| self.universe.is_represented(*tag)) {
            let meant = self.builder.has_tag(word, tag);
            let other = self.builder.not(meant);
            all = Some(match all {
                Some(all) => self.builder.and(all, other),
                None => other,
            });
        }
        all
    }

    /// A predicate before a step of anyone.
    pub fn holds(&mut self, predicate: &Predicate, who: Who) -> Term {
        let width = self.universe.program.pointer_width();
        let (mut builder, mut valuation) = self.valuation(who, None);
        let holds = predicate.term(&mut builder, &mut valuation, width);
        self.builder = builder;
        holds
    }

    /// A predicate of a thread after a step of its own or of the other one, or of the thread that the step starts.
    pub fn holds_after(&mut self, predicate: &Predicate, who: Who, moved: &Moved, by: Who) -> Term {
        let width = self.universe.program.pointer_width();
        let (mut builder, mut valuation) = self.valuation(who, Some((moved, by)));
        let holds = predicate.term(&mut builder, &mut valuation, width);
        self.builder = builder;
        holds
    }

    fn valuation<'a>(&'a mut self, who: Who, moved: Option<(&'a Moved, Who)>) -> (Builder, After<'a, 'p>) {
        let builder = std::mem::take(&mut self.builder);
        (builder, After { view: self, who, moved })
    }

    fn run<T>(
        &mut self,
        who: Who,
        function: FunctionId,
        action: &Action,
        run: impl FnOnce(&mut crate::effect::Step<'_, Standing<'_, 'p>>) -> T,
    ) -> (Effect, T) {
        let mut used = Vec::new();
        action.for_each_register(&mut |register| match register {
            RegisterUse::Used(register) if self.universe.has_value((function, register)) => used.push(register),
            RegisterUse::Used(_) | RegisterUse::Assigned(_) => {}
        });
        let words = used.into_iter().filter_map(|register| {
            let word = self.local(who, Local::Register(function, register))?;
            Some((register, word))
        });
        let registers = words.collect();
        let mut standing = Standing {
            universe: &mut self.universe,
            shared: &mut self.shared,
            locals: &mut self.locals,
            who,
            function,
            registers,
            looks_at_anything: false,
        };
        let words: Vec<Word> = standing.registers.values().copied().collect();
        Effect::run(&mut self.builder, &mut standing, |step| {
            for word in words {
                step.assume_of(word, Found::Own);
            }
            run(step)
        })
    }

    /// Whom the indirect call or start of an edge may mean.
    pub(super) fn find_callees(&mut self, function: FunctionId, edge: EdgeId) {
        let program = self.universe.program;
        let action = &program.function(function).edge(edge).action;
        let callee = match action {
            Action::Call { callee, .. } | Action::Spawn { entry: callee, .. } => callee,
            _ => return,
        };
        if matches!(callee, selvedge_program::Callee::Indirect(_)) {
            let (_, found) = self.run(Who::Own, function, action, |step| callees(step, callee));
            for (callee, _) in found {
                self.universe.may_call((function, edge), callee);
            }
        }
    }

    /// What a step does.
    pub fn moved(&mut self, who: Who, function: FunctionId, edge: EdgeId, kind: ArcKind) -> Rc<Moved> {
        if let Some(moved) = self.moved.get(&(who, function, edge, kind)) {
            return Rc::clone(moved);
        }
        let moved = Rc::new(self.take(who, function, edge, kind));
        self.moved.insert((who, function, edge, kind), Rc::clone(&moved));
        moved
    }

    fn take(&mut self, who: Who, function: FunctionId, edge: EdgeId, kind: ArcKind) -> Moved {
        let program = self.universe.program;
        let action = &program.function(function).edge(edge).action;
        match (action, kind) {
            (Action::Call { callee, arguments: given, target }, ArcKind::Call(called)) => {
                let wanted = target.map(|target| program.function(function).register(target).width);
                let fits = wanted.is_none() || program.function(called).result_width == wanted;
                let (effect, passed) = self.run(who, function, action, |step| {
                    let meant = callees(step, callee).into_iter().find(|(meant, _)| *meant == called);
                    let passed = arguments(step, called, given).filter(|_| fits);
                    require(step, meant.map(|(_, when)| when), passed)
                });
                let mut moved = self.finish(function, effect);
                let (locals, forgotten) = self.entered(called, passed);
                moved.locals.extend(locals);
                moved.forgotten = forgotten;
                moved
            }
            (Action::Return { value: result }, ArcKind::Return(caller, call)) => {
                let target = match &program.function(caller).edge(call).action {
                    Action::Call { target, .. } => *target,
                    _ => None,
                };
                let (effect, result) = self.run(who, function, action, |step| match (result, target) {
                    (Some(result), _) => Some(value(step, result)),
                    (None, Some(_)) => {
                        let yes = step.builder().yes;
                        trouble(step, yes, Trouble::Undefined(selvedge_program::Undefined::MissingReturn));
                        None
                    }
                    (None, None) => None,
                });
                let mut moved = self.finish(function, effect);
                if let Some(target) = target {
                    match result {
                        Some(Value::Word(word)) => {
                            moved.locals.insert(Local::Register(caller, target), word);
                        }
                        Some(Value::Pieces(_)) => {
                            self.universe.assigns_pieces((caller, target));
                            moved.forgotten.push(Local::Register(caller, target));
                        }
                        None => moved.forgotten.push(Local::Register(caller, target)),
                    }
                }
                moved
            }
            (Action::Spawn { target, entry, arguments: given, id }, ArcKind::Spawn(started)) => {
                self.spawn(who, function, action, (*target, entry, given, id.as_ref()), started)
            }
            (_, ArcKind::End) => {
                let (effect, result) = self.run(who, function, action, |step| match action {
                    Action::Return { value: Some(result) } | Action::ThreadExit { value: result } => {
                        let result = value(step, result);
                        gives(step, &result);
                        Some(result)
                    }
                    _ => None,
                });
                self.ends_with(result);
                let mut moved = self.finish(function, effect);
                if let Action::ThreadExit { .. } = action {
                    self.end_locals(function, &mut moved);
                }
                moved
            }
            _ => {
                let (effect, _) = self.run(who, function, action, |step| take(step, action));
                self.finish(function, effect)
            }
        }
    }

    /// Where other threads may move before the thread goes on: where its next step can touch what is not its own. Not in an atomic section.
    pub fn is_visible(&mut self, template: usize, node: NodeId) -> bool {
        let unfolded = self.universe.unfolded(template);
        let at = unfolded.get(node);
        if at.sections > 0 {
            return false;
        }
        let program = self.universe.program;
        let arcs: Vec<_> = unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc)).collect();
        arcs.into_iter().any(|arc| match &program.function(at.function).edge(arc.edge).action {
            Action::Assume(_)
            | Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Fence(_)
            | Action::Output(_) => false,
            Action::Load { .. } | Action::Store { .. } | Action::Forget { .. } | Action::EndLife { .. } => {
                let moved = self.moved(Who::Own, at.function, arc.edge, arc.kind);
                let is_private = |touched: &Touched| self.universe.is_private(touched.cell.object());
                !moved.cells.is_empty() || !moved.touched.iter().all(is_private)
            }
            Action::Atomic(_)
            | Action::Spawn { .. }
            | Action::ThreadExit { .. }
            | Action::Exit { .. }
            | Action::Allocate { .. }
            | Action::Free { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Unsupported(_) => true,
        })
    }

    /// The accesses that a thread at a place may be about to make, by step.
    pub fn touches(
        &mut self,
        template: usize,
        node: NodeId,
        who: Who,
    ) -> Vec<((FunctionId, EdgeId, ArcKind), Touched)> {
        let unfolded = self.universe.unfolded(template);
        let at = unfolded.get(node);
        let steps: Vec<_> = unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc)).collect();
        let mut touches = Vec::new();
        for arc in steps {
            let step = (at.function, arc.edge, arc.kind);
            for &touched in &self.moved(who, step.0, step.1, step.2).touched {
                // In an atomic section every access is one.
                let atomicity = if at.sections > 0 { Atomicity::SEQUENTIAL } else { touched.mode.atomicity };
                let mode = AccessMode { atomicity, ..touched.mode };
                touches.push((step, Touched { mode, ..touched }));
            }
        }
        touches
    }

    fn spawn(
        &mut self,
        who: Who,
        function: FunctionId,
        action: &Action,
        (target, entry, given, id): (RegisterId, &selvedge_program::Callee, &[Expr], Option<&Access>),
        started: FunctionId,
    ) -> Moved {
        let program = self.universe.program;
        let thread = self.universe.tag(Thing::Thread).unwrap_or(Tag::NUMBER);
        let width = program.pointer_width();
        let new = self.builder.fresh_word(width, &[thread], None);
        let passed = program.function(started).started_with(given);
        let there = if who == Who::Own { vec![Who::Own] } else { vec![Who::Own, Who::Other] };
        let there: Vec<Term> = there.into_iter().map(|who| self.identity(who)).collect();
        let (effect, passed) = self.run(who, function, action, |step| {
            let meant = callees(step, entry).into_iter().find(|(meant, _)| *meant == started);
            let passed = arguments(step, started, &passed);
            let passed = require(step, meant.map(|(_, when)| when), passed);
            passed.iter().flatten().for_each(|value| gives(step, value));
            // It is none of those that are there.
            for known in there {
                let is_new = step.builder().terms.distinct(known, new.bits);
                let ok = *step.ok();
                *step.ok() = step.builder().and(ok, is_new);
            }
            if let Some(id) = id {
                let yes = step.builder().yes;
                store(step, id, &Value::Word(new), yes);
            }
            step.assign(target, Value::Word(new));
            let yes = step.builder().yes;
            step.count_threads(yes, Counted::Started);
            passed
        });
        let mut moved = self.finish(function, effect);
        moved.passed = self.entered(started, passed).0;
        for tag in self.universe.tags().collect::<Vec<_>>() {
            let thing = self.universe.thing(tag);
            if let (Some(Thing::ThreadLocal(_) | Thing::One(_)), Kept::Own) = (thing, self.universe.kept(tag)) {
                let notes = [CellKey::Alive(tag), CellKey::Note(Note::Born, tag)];
                let notes = notes.into_iter().filter(|_| matches!(thing, Some(Thing::One(_))));
                for key in self.universe.cells_of(tag).into_iter().chain(notes) {
                    let initial = initially(&mut self.builder, &mut self.universe, key);
                    moved.passed.insert(Local::Cell(key), initial);
                }
            }
        }
        moved
    }

    /// The locals of `main` that others may reach end with the thread that runs it, where that may have called the function.
    fn end_locals(&mut self, function: FunctionId, moved: &mut Moved) {
        if !self.universe.unfolded(0).nodes.iter().any(|node| node.function == function) {
            return;
        }
        for tag in self.universe.tags().collect::<Vec<_>>() {
            if let (Some(Thing::Frame(..)), Kept::Shared) = (self.universe.thing(tag), self.universe.kept(tag)) {
                let alive = CellKey::Alive(tag);
                let Some(before) = self.cell(alive) else { continue };
                let (dead, is_main) = (self.builder.number(1, 0), self.builder.fresh("m", selvedge_logic::Sort::Bool));
                let after = self.builder.choose(is_main, dead, before);
                moved.cells.insert(alive, after);
            }
        }
    }

    /// What a thread ends with others can get by joining it.
    fn ends_with(&mut self, result: Option<Value>) {
        let words: Vec<Word> = match result {
            Some(Value::Word(word)) => vec![word],
            Some(Value::Pieces(pieces)) => pieces.iter().map(|(_, word)| *word).collect(),
            None => Vec::new(),
        };
        if let Some(threads) = self.universe.tag(Thing::Thread) {
            for word in words {
                self.universe.holds(&self.builder, CellKey::Array(threads), word);
            }
        }
    }

    /// The registers of a function that is entered.
    fn entered(&mut self, called: FunctionId, passed: Option<Vec<Value>>) -> (BTreeMap<Local, Word>, Vec<Local>) {
        let program = self.universe.program;
        let function = program.function(called);
        let passed = passed.unwrap_or_default();
        let mut locals = BTreeMap::new();
        for (parameter, value) in function.parameters.iter().zip(passed) {
            match value {
                Value::Word(word) => {
                    self.universe.assigns(&self.builder, (called, *parameter), word);
                    locals.insert(Local::Register(called, *parameter), word);
                }
                Value::Pieces(_) => self.universe.assigns_pieces((called, *parameter)),
            }
        }
        let all = (0..function.registers.len()).map(|register| Local::Register(called, RegisterId::new(register)));
        let forgotten = all.filter(|register| !locals.contains_key(register)).collect();
        for slot in (0..function.frame.len()).map(FrameObjectId::new) {
            let Some(tag) = self.universe.tag(Thing::Frame(called, slot)) else { continue };
            if self.universe.kept(tag) == Kept::Own {
                for key in self.universe.cells_of(tag).into_iter().chain([CellKey::Alive(tag)]) {
                    let word = at_birth(&mut self.builder, program, key);
                    locals.insert(Local::Cell(key), word);
                }
            }
        }
        (locals, forgotten)
    }

    fn finish(&mut self, function: FunctionId, effect: Effect) -> Moved {
        let mut locals = BTreeMap::new();
        let mut forgotten = Vec::new();
        for (register, value) in effect.registers {
            match value {
                Value::Word(word) if self.builder.width(word.bits) <= WIDEST => {
                    locals.insert(Local::Register(function, register), word);
                }
                Value::Word(_) => forgotten.push(Local::Register(function, register)),
                Value::Pieces(_) => {
                    self.universe.assigns_pieces((function, register));
                    forgotten.push(Local::Register(function, register));
                }
            }
        }
        let is_own = |key: &CellKey| self.universe.kept_cell(*key) == Kept::Own;
        let (own, cells): (BTreeMap<_, _>, BTreeMap<_, _>) = effect.cells.into_iter().partition(|(key, _)| is_own(key));
        locals.extend(own.into_iter().map(|(key, word)| (Local::Cell(key), word)));
        Moved {
            enabled: effect.enabled,
            troubles: effect.troubles,
            violations: effect.violations,
            locals,
            forgotten,
            cells,
            touched: effect.touched,
            forks: effect.forks,
            passed: BTreeMap::new(),
        }
    }
}

/// A value gets to another thread.
fn gives<'p>(step: &mut crate::effect::Step<'_, Standing<'_, 'p>>, value: &Value) {
    let words = match value {
        Value::Word(word) => vec![*word],
        Value::Pieces(pieces) => pieces.iter().map(|(_, word)| *word).collect(),
    };
    for word in words {
        let yes = step.builder().yes;
        step.escapes(word, None, yes);
    }
}

/// The step is taken where a function is meant and its arguments fit; else the call is not one.
fn require<'p>(step: &mut impl Machine<'p>, meant: Option<Term>, passed: Option<Vec<Value>>) -> Option<Vec<Value>> {
    let meant = meant.unwrap_or(step.builder().no);
    if passed.is_none() {
        trouble(step, meant, Trouble::Undefined(selvedge_program::Undefined::BadCall));
    }
    let ok = *step.ok();
    *step.ok() = step.builder().and(ok, meant);
    passed
}

/// What variables are after a step.
struct After<'a, 'p> {
    view: &'a mut View<'p>,
    who: Who,
    moved: Option<(&'a Moved, Who)>,
}

impl After<'_, '_> {
    fn word(&mut self, builder: &mut Builder, slot: Slot) -> Option<Word> {
        let view = &mut *self.view;
        match slot {
            Slot::Own(own) => {
                if let Some((moved, by)) = self.moved
                    && (by == self.who || self.who == Who::Started)
                {
                    let assigned = if self.who == Who::Started { &moved.passed } else { &moved.locals };
                    if let Some(word) = assigned.get(&own) {
                        return Some(*word);
                    }
                    if self.who == Who::Started || moved.forgotten.contains(&own) {
                        // Anything that it can be.
                        let named = local(builder, &mut view.universe, &mut view.locals, self.who, own)?;
                        let (width, tags) = (builder.width(named.bits), builder.tags(named));
                        return Some(builder.fresh_word(width, &tags, None));
                    }
                }
                local(builder, &mut view.universe, &mut view.locals, self.who, own)
            }
            Slot::Shared(key) => {
                if let Some(word) = self.moved.and_then(|(moved, _)| moved.cells.get(&key)) {
                    return Some(*word);
                }
                shared(builder, &mut view.universe, &mut view.shared, key)
            }
        }
    }
}

impl Valuation for After<'_, '_> {
    fn variable(&mut self, builder: &mut Builder, variable: Variable) -> Option<Word> {
        if let Variable::Address(root) = variable {
            let width = self.view.universe.program.pointer_width();
            return self.view.universe.rooted(root).map(|tag| builder.pointer(tag, width));
        }
        let slot = self.view.slot(variable)?;
        let word = self.word(builder, slot)?;
        if let Variable::Determinate { .. } = variable {
            let open = builder.has_tag(word, Tag::INDETERMINATE);
            let known = builder.not(open);
            let bit = builder.bit(known);
            return Some(builder.plain(bit));
        }
        Some(word)
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        let thing = match base {
            Base::Object(id) => Thing::Static(id),
            Base::Function(function) => Thing::Function(function),
            Base::Frame(_) => return None,
            Base::SelfThread => {
                let tag = self.view.universe.tag(Thing::Thread)?;
                let bits = identity(builder, self.who, width);
                return Some(Word { tag: builder.tag(tag), bits });
            }
        };
        self.view.universe.tag(thing).map(|tag| builder.pointer(tag, width))
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.view.universe.entity(tag)
    }

    fn life(&self, tag: Tag) -> Life {
        let alive = CellKey::Alive(tag);
        let after = self.moved.and_then(|(moved, by)| {
            let own = (by == self.who).then(|| moved.locals.get(&Local::Cell(alive))).flatten();
            own.or_else(|| moved.cells.get(&alive))
        });
        match after {
            Some(word) => Life::Is(*word),
            None => life(&self.view.universe, &self.view.shared, &self.view.locals, self.who, tag),
        }
    }

    fn is_several(&self, tag: Tag) -> bool {
        self.view.universe.is_several(tag)
    }
}
