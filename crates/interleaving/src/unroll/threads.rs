//! The life of threads: starting one, and coming to an end.

use selvedge_evidence::Gap;
use selvedge_logic::Term;
use selvedge_program::semantics::calls::FINISHED;
use selvedge_program::{Access, Callee, Edge, Expr, GhostField, ObjectId, ObjectKind, RegisterId, Undefined};
use selvedge_symbolic::access::{ghost_word, store};
use selvedge_symbolic::step::{arguments, callees};
use selvedge_symbolic::{CellKey, GHOST_WIDTH, Tag, Trouble, Value};

use super::actions::Nexts;
use super::cells::Birth;
use super::claims::Claim;
use super::objects::Object;
use super::round::Start;
use super::run::Run;
use super::state::State;
use super::walk::{Next, Walker};
use crate::skeleton::Parent;

impl Walker<'_, '_> {
    /// Starts a thread with each function that it may be.
    pub(super) fn spawn(
        &mut self,
        mut state: State,
        (target, id): (RegisterId, Option<&Access>),
        entry: &Callee,
        given: &[Expr],
        edge: &Edge,
    ) -> Nexts {
        let spawn = self.stop(&state);
        let mut ready = Vec::new();
        let guided = self.unroller.guide.as_ref().map(|guide| guide.child(self.round.thread));
        let mut entries = callees(&mut Run { walker: self, state: &mut state }, entry);
        match guided.flatten() {
            Some((_, Some(wanted))) => entries.retain(|(function, _)| *function == wanted),
            Some((_, None)) if entries.len() > 1 => {
                entries.clear();
                let yes = self.round.builder.yes;
                let what = "a thread without a path that may be of one of several functions".to_owned();
                self.trouble(yes, Trouble::Unsupported(what));
            }
            _ => {}
        }
        for (function, meant) in entries {
            let passed = self.unroller.program.function(function).started_with(given);
            match arguments(&mut Run { walker: self, state: &mut state }, function, &passed) {
                Some(values) => ready.push((function, meant, values)),
                None => self.trouble(meant, Trouble::Undefined(Undefined::BadCall)),
            }
        }
        let mut nexts = Vec::new();
        for (function, meant, arguments) in ready {
            if guided == Some(None) {
                // Only looked at, at the end of a path.
                if let Some(id) = id {
                    let nobody = self.round.builder.number(self.unroller.program.pointer_width(), 0);
                    let state = &mut state.clone();
                    store(&mut Run { walker: self, state }, id, &Value::Word(nobody), meant);
                }
                continue;
            }
            let whole = self.started_when(guided.is_some(), meant);
            if self.round.builder.is(whole, false) {
                continue;
            }
            let started = self.round.started.entry(function).or_default();
            if let Some(bound) = self.unroller.bounds.threads.filter(|bound| *started >= *bound) {
                let cut = State { guard: whole, ..state.clone() };
                self.gap(&cut, Claim::left_out(Gap::Threads { entry: function, span: edge.span, bound }));
                continue;
            }
            *started += 1;
            let key = self.here.key.clone();
            let place = self.unroller.place(self.round.thread, &key);
            let thread = match guided.flatten() {
                Some((thread, _)) => thread,
                None => self.unroller.thread(place, function),
            };
            let Some(tag) = self.tag(Object::Thread(thread)) else { continue };
            let mut next = State { guard: meant, ..state.clone() };
            let handle = Value::Word(self.round.builder.pointer(tag, self.unroller.program.pointer_width()));
            if let Some(id) = id {
                store(&mut Run { walker: self, state: &mut next }, id, &handle, meant);
            }
            // Where the identity can never be stored, no thread starts.
            let whole = self.started_when(guided.is_some(), meant);
            if self.round.builder.is(whole, false) {
                continue;
            }
            let rank = self.round.next_rank();
            self.round.origins.insert(thread, Birth { parent: self.round.thread, rank });
            self.round.starts.push_back(Start {
                thread,
                function,
                arguments,
                guard: whole,
                memory: next.memory.clone(),
                arrays: next.arrays.clone(),
                parent: Some(Parent { spawn, started: whole }),
            });
            next.add_effect(whole);
            next.assign(target, handle);
            nexts.push((Next::Along(next, edge.target), Some(thread)));
        }
        nexts
    }

    /// When a thread of the function that is meant is started. On a path what the step needs is kept beside it.
    fn started_when(&mut self, on_path: bool, meant: Term) -> Term {
        if on_path {
            return self.round.builder.yes;
        }
        let taken = self.round.builder.and(self.here.pick, self.here.ok);
        let taken = self.round.builder.and(taken, meant);
        self.round.builder.and(self.here.guard, taken)
    }

    /// The thread ends: its result is there, its locals die.
    pub(super) fn end_thread(&mut self, mut state: State, value: Value) -> Nexts {
        self.stop(&state);
        let yes = self.round.builder.yes;
        let value = match value {
            Value::Word(word) => ghost_word(&mut self.round.builder, word, GHOST_WIDTH),
            Value::Pieces(_) => {
                self.trouble(yes, Trouble::Unsupported("a thread's result made of parts of pointers".to_owned()));
                self.round.builder.number(GHOST_WIDTH, 0)
            }
        };
        while let Some(ended) = state.activations.pop() {
            self.end_activation(&mut state, &ended);
        }
        for id in (0..self.unroller.program.objects.len()).map(ObjectId::new) {
            if self.unroller.program.object(id).kind == ObjectKind::ThreadLocal {
                let local = Object::ThreadLocal(id, self.round.thread);
                if let Some(tag) = self.tag(local) {
                    self.kill(&mut state, tag, yes);
                }
            }
        }
        let Some(tag) = self.tag(Object::Thread(self.round.thread)) else { return Vec::new() };
        let ghost = |field| CellKey::Ghost { object: tag, offset: 0, field };
        let finished = self.round.builder.number(GHOST_WIDTH, FINISHED);
        self.write_cell(&mut state, ghost(GhostField::ThreadStatus), yes, finished);
        self.write_cell(&mut state, ghost(GhostField::ThreadResult), yes, value);
        let ends = {
            let taken = self.round.builder.and(self.here.pick, self.here.ok);
            self.round.builder.and(self.here.guard, taken)
        };
        if let Some(thread) = self.round.threads.get_mut(&self.round.thread) {
            thread.ended = self.round.builder.or(thread.ended, ends);
        }
        debug_assert!(tag > Tag::INDETERMINATE);
        vec![(Next::Placed(state), None)]
    }
}
