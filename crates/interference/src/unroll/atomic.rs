//! Atomic updates: several reads and writes at one stop; the counterpart of the concrete semantics' `atomic`.

use selvedge_logic::{Result, Term};
use selvedge_program::{AtomicStep, GhostField, Program, Register, RegisterId};

use super::cells::{CellKey, Class};
use super::eval::Trouble;
use super::objects::{Object, Tag};
use super::origin::GHOST_WIDTH;
use super::path::{Answer, Choice};
use super::state::State;
use super::value::Sym;
use super::walk::Walker;
use crate::skeleton::{LineId, Word};

type Pending = Vec<(RegisterId, Word)>;

impl<'p> Walker<'_, 'p> {
    pub(super) fn atomic(&mut self, state: &mut State, steps: &[AtomicStep]) -> Result<()> {
        let mut pending = Pending::new();
        self.here.blocked = Some(self.round.builder.no);
        for step in steps {
            self.atomic_step(state, step, &mut pending)?;
        }
        for (register, word) in pending {
            state.assign(register, Sym::Word(word));
        }
        Ok(())
    }

    fn atomic_step(&mut self, state: &mut State, step: &AtomicStep, pending: &mut Pending) -> Result<()> {
        match step {
            AtomicStep::Spurious | AtomicStep::Mark { .. } => {}
            AtomicStep::Read { target, access } => {
                let word = match self.register(state, *target) {
                    Some(register) => self.read(state, pending, access, register)?,
                    None => return Ok(()),
                };
                pending.push((*target, word));
            }
            AtomicStep::Let { target, value } => {
                if let Some(word) = self.eval(state, pending, |eval, scope, when| eval.word(scope, value, when))? {
                    pending.push((*target, word));
                }
            }
            AtomicStep::Guard(condition) => {
                let Some(holds) = self.eval(state, pending, |eval, scope, when| eval.truth(scope, condition, when))?
                else {
                    return Ok(());
                };
                self.guard(state, holds);
            }
            AtomicStep::Require(condition, otherwise) => {
                let Some(holds) = self.eval(state, pending, |eval, scope, when| eval.truth(scope, condition, when))?
                else {
                    return Ok(());
                };
                let fails = self.round.builder.not(holds);
                self.trouble(fails, Trouble::Undefined(*otherwise));
            }
            AtomicStep::Write { when, access, value } => {
                let Some(when) = self.eval(state, pending, |eval, scope, yes| eval.truth(scope, when, yes))? else {
                    return Ok(());
                };
                if self.round.builder.is(when, false) {
                    return Ok(());
                }
                let value = self.eval(state, pending, |eval, scope, _| eval.word(scope, value, when))?;
                if let Some(value) = value {
                    self.store_when(state, pending, access, &Sym::Word(value), when)?;
                }
            }
            AtomicStep::PickThread { target, field, equals } => {
                let Some(Register { width, .. }) = self.register(state, *target) else { return Ok(()) };
                let word = self.pick_thread(state, pending, *field, equals, *width)?;
                pending.push((*target, word));
            }
            AtomicStep::WriteThreads { field, equals, value } => {
                let Some(value) = self.eval(state, pending, |eval, scope, when| eval.word(scope, value, when))? else {
                    return Ok(());
                };
                let value = self.ghost_word(value, GHOST_WIDTH);
                for (_, key, matches) in self.matching_threads(state, pending, *field, equals)? {
                    self.write_cell(state, key, matches, value)?;
                }
            }
        }
        Ok(())
    }

    /// A register of the running activation.
    pub(super) fn register(&self, state: &State, register: RegisterId) -> Option<&'p Register> {
        let program: &'p Program = self.unroller.program;
        state.top().map(|activation| program.function(activation.function).register(register))
    }

    /// The update can happen only when a condition holds; otherwise the thread waits.
    fn guard(&mut self, state: &State, holds: Term) {
        if self.round.builder.is(holds, true) {
            return;
        }
        self.stop(state);
        let waits = self.round.builder.and_not(self.here.ok, holds);
        let blocked = self.here.blocked.unwrap_or(self.round.builder.no);
        self.here.blocked = Some(self.round.builder.or(blocked, waits));
        self.here.ok = self.round.builder.and(self.here.ok, holds);
    }

    /// The threads whose ghost field may equal a value, each with its cell and the condition that it does.
    fn matching_threads(
        &mut self,
        state: &mut State,
        pending: &Pending,
        field: GhostField,
        equals: &selvedge_program::Expr,
    ) -> Result<Vec<(LineId, CellKey, Term)>> {
        let Some(equals) = self.eval(state, pending, |eval, scope, when| eval.word(scope, equals, when))? else {
            return Ok(Vec::new());
        };
        let equals = self.ghost_word(equals, GHOST_WIDTH);
        let null = self.round.builder.number(GHOST_WIDTH, 0);
        let nothing = self.round.builder.same(equals, null);
        self.trouble(nothing, Trouble::Unsupported("waking threads that wait for nothing".to_owned()));
        let yes = self.round.builder.yes;
        let mut found = Vec::new();
        for line in 0..self.unroller.line_count() {
            let line = LineId::new(line);
            let Some(tag) = self.tag(Object::Thread(line)) else { continue };
            let key = CellKey::Ghost { object: tag, offset: 0, field };
            if self.unroller.knowledge.class(key) == Class::Constant {
                continue;
            }
            let value = self.read_cell(state, key, yes)?;
            let matches = self.round.builder.same(value, equals);
            if !self.round.builder.is(matches, false) {
                found.push((line, key, matches));
            }
        }
        Ok(found)
    }

    /// Any of the threads that match, or null if none does.
    fn pick_thread(
        &mut self,
        state: &mut State,
        pending: &Pending,
        field: GhostField,
        equals: &selvedge_program::Expr,
        width: u32,
    ) -> Result<Word> {
        let matching = self.matching_threads(state, pending, field, equals)?;
        let mut picked = self.round.builder.number(width, 0);
        let (mut any, mut several) = (self.round.builder.no, self.round.builder.no);
        for (line, _, matches) in matching {
            let Some(tag) = self.tag(Object::Thread(line)) else { continue };
            let thread = self.round.builder.pointer(tag, width);
            let again = self.round.builder.and(any, matches);
            several = self.round.builder.or(several, again);
            // The first that matches, or any later one that the choice prefers.
            let preferred = self.round.builder.fresh("p", selvedge_logic::Sort::Bool);
            let first = self.round.builder.not(any);
            let taken = self.round.builder.or(first, preferred);
            let taken = self.round.builder.and(taken, matches);
            picked = self.round.builder.choose(taken, thread, picked);
            any = self.round.builder.or(any, matches);
        }
        debug_assert!(self.round.builder.tags(picked).contains(&Tag::NUMBER));
        if !self.round.builder.is(several, false) {
            self.here.choices.push(Choice { asked: several, answer: Answer::Thread(picked) });
        }
        Ok(picked)
    }
}
