//! What one step of a thread does: an action along an edge, a call, a return, the start or the end of a thread.

use std::collections::BTreeMap;
use std::rc::Rc;

use selvedge_logic::Term;
use selvedge_program::{Access, Action, EdgeId, Expr, FrameObjectId, FunctionId, RegisterId, RegisterUse};

use super::{Local, Moved, View, Who};
use crate::access::store;
use crate::cell::{CellKey, Note, Tally};
use crate::effect::{Counted, Effect, Found};
use crate::eval::Trouble;
use crate::machine::{Machine, trouble};
use crate::step::{arguments, callees, take, value};
use crate::threads::standing::{Standing, WIDEST, at_birth, initially};
use crate::threads::unfold::ArcKind;
use crate::threads::universe::{Kept, Thing};
use crate::word::{Tag, Value, Word};

impl<'p> View<'p> {
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
        let loads_handle = match action {
            Action::Load { target, .. } => self.universe.is_handle((function, *target)),
            _ => false,
        };
        let mut standing = Standing {
            universe: &mut self.universe,
            shared: &mut self.shared,
            locals: &mut self.locals,
            who,
            function,
            registers,
            looks_at_anything: false,
            loads_handle,
            leaves_out: false,
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
    pub(in crate::threads) fn find_callees(&mut self, function: FunctionId, edge: EdgeId) {
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
                self.forget((function, edge, called), &mut moved);
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
                self.forget((caller, call, function), &mut moved);
                moved
            }
            (Action::Spawn { target, entry, arguments: given, id }, ArcKind::Spawn(started)) => {
                self.spawn(who, function, action, (*target, entry, given, id.as_ref()), started)
            }
            (Action::Call { callee, .. } | Action::Spawn { entry: callee, .. }, ArcKind::End) => {
                let (mut effect, _) = self.run(who, function, action, |step| callees(step, callee));
                effect.enabled = self.builder.no;
                self.finish(function, effect)
            }
            (_, ArcKind::End) => {
                let (effect, result) = self.run(who, function, action, |step| match action {
                    Action::Return { value: Some(result) } | Action::ThreadExit { value: result } => {
                        let result = value(step, result);
                        gives(step, &result);
                        Some(result)
                    }
                    // The status is computed, which may be undefined.
                    Action::Exit { .. } => {
                        take(step, action);
                        None
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

    /// A call of a function that may be active already, or the return from it: what is not assigned is not known.
    fn forget(&self, (caller, call, called): (FunctionId, EdgeId, FunctionId), moved: &mut Moved) {
        for (function, register) in self.universe.forgotten(caller, call, called) {
            let register = Local::Register(function, register);
            if !moved.locals.contains_key(&register) {
                moved.forgotten.push(register);
            }
        }
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
        // It has added nothing to any counter, and taken nothing.
        for counter in self.universe.counters().collect::<Vec<_>>() {
            for key in [Tally::Added, Tally::Taken].into_iter().filter_map(|tally| counter.tally(tally)) {
                let none = at_birth(&mut self.builder, program, key);
                moved.passed.insert(Local::Cell(key), none);
            }
        }
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
            joined: effect.joined,
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
