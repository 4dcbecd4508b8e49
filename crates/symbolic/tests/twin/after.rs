//! What registers, cells and lives are after a step, on both sides.

use std::cell::RefCell;
use std::collections::BTreeSet;

use selvedge_logic::{Evaluation, Term};
use selvedge_program::semantics::{Byte, GhostKey, Instance, Pointer, State, Value};
use selvedge_program::{Action, GhostField, RegisterId};
use selvedge_symbolic::{CellKey, Entity, Prestate, Tag, Value as Symbolic, Word};

use crate::bytes::bytes_of;
use crate::control::Control;
use crate::twins::Step;

pub struct After<'a, 'b, 'c, 'p> {
    step: &'a Step<'b, 'c, 'p>,
    evaluation: RefCell<Evaluation>,
    pointer_size: u32,
}

impl<'a, 'b, 'c, 'p> After<'a, 'b, 'c, 'p> {
    pub fn new(step: &'a Step<'b, 'c, 'p>) -> Self {
        let pointer_size = step.before.program().data_model.pointer_size();
        After { step, evaluation: RefCell::default(), pointer_size }
    }

    /// What is different, if anything.
    pub fn compare(&self) -> Result<(), String> {
        match self.step.control {
            Control::Along | Control::Section => {
                self.registers()?;
                self.memory()
            }
            Control::Into(_) => {
                self.arguments()?;
                self.memory()
            }
            Control::Out(result) => self.result(result.as_ref()),
        }
    }

    fn value(&self, term: Term) -> u128 {
        let assignment = &self.step.before.inputs.assignment;
        let value = self.evaluation.borrow_mut().value(&self.step.builder.terms, term, assignment);
        value.expect("a term of ours").unsigned()
    }

    fn show(&self, word: Word) -> String {
        let tag = Tag(self.value(word.tag) as u32);
        let object = self.step.before.objects.instance(tag);
        format!("{tag:?} ({object:?}) with bits {:#x}", self.value(word.bits))
    }

    /// Whether a word is these bytes.
    fn is_bytes(&self, word: Word, bytes: &[Byte]) -> bool {
        let bits = self.value(word.bits);
        match Tag(self.value(word.tag) as u32) {
            Tag::NUMBER => {
                let known = |(at, byte): (usize, &Byte)| *byte == Byte::Known((bits >> (8 * at)) as u8);
                bytes.iter().enumerate().all(known)
            }
            Tag::INDETERMINATE => bytes.iter().all(|byte| *byte == Byte::Indeterminate),
            tag => self.step.before.objects.instance(tag).is_some_and(|object| {
                let pointer = Pointer { object, offset: bits as u64 };
                bytes == bytes_of(&Value::Pointer(pointer), bytes.len() as u32, self.pointer_size)
            }),
        }
    }

    /// Whether a word is a value, whatever the value's width.
    fn is_value(&self, word: Word, value: &Value) -> bool {
        let bits = self.value(word.bits);
        match (Tag(self.value(word.tag) as u32), value) {
            (Tag::NUMBER, Value::Bits(value)) => value.unsigned() == bits,
            (Tag::INDETERMINATE, Value::Raw(bytes)) => bytes.iter().all(|byte| *byte == Byte::Indeterminate),
            (tag, Value::Pointer(pointer)) => {
                self.step.before.objects.instance(tag) == Some(pointer.object) && u128::from(pointer.offset) == bits
            }
            _ => false,
        }
    }

    /// That what a register of some width holds is a value.
    fn holds(&self, what: &str, symbolic: &Symbolic, value: &Value, width: u32) -> Result<(), String> {
        let agrees = match (symbolic, value) {
            (Symbolic::Word(word), Value::Bits(bits)) => {
                bits.width() == width && self.step.builder.width(word.bits) == width && self.is_value(*word, value)
            }
            (Symbolic::Word(word), Value::Pointer(_) | Value::Raw(_)) => self.is_value(*word, value),
            (Symbolic::Pieces(pieces), value) => {
                let bytes = bytes_of(value, width / 8, self.pointer_size);
                let mut at = 0;
                let mut is_piece = |(size, word): &(u32, Word)| {
                    let from = at;
                    at += *size as usize;
                    bytes.get(from..at).is_some_and(|bytes| self.is_bytes(*word, bytes))
                };
                pieces.iter().all(&mut is_piece) && at == bytes.len()
            }
        };
        if agrees {
            return Ok(());
        }
        let shown = match symbolic {
            Symbolic::Word(word) => self.show(*word),
            Symbolic::Pieces(pieces) => {
                pieces.iter().map(|(size, word)| format!("{size} bytes of {}; ", self.show(*word))).collect()
            }
        };
        Err(format!("{what} is {value:?}, to the twin {shown}"))
    }

    fn registers(&self) -> Result<(), String> {
        let Step { from, to, function, path, effect, .. } = self.step;
        let (Some(old), Some(new)) = (from.frame(path.thread), to.frame(path.thread)) else { return Ok(()) };
        for (position, register) in function.registers.iter().enumerate() {
            let what = format!("register {position}");
            let value = &new.registers[position];
            match (effect.registers.get(&RegisterId::new(position)), value) {
                (Some(symbolic), Some(value)) => self.holds(&what, symbolic, value, register.width)?,
                (None, value) if *value == old.registers[position] => {}
                (symbolic, value) => return Err(format!("{what} is {value:?}, to the twin {symbolic:?}")),
            }
        }
        Ok(())
    }

    /// That the function that is meant gets the arguments.
    fn arguments(&self) -> Result<(), String> {
        let Step { to, path, control, before, .. } = self.step;
        let Control::Into(into) = control else { return Ok(()) };
        let entered = match self.step.action {
            Action::Spawn { .. } => self.step.from.thread_count(),
            _ => path.thread.index(),
        };
        let frame = to.frame(selvedge_program::ThreadIndex::new(entered)).ok_or("nothing is called")?;
        let meant: Vec<_> = into.iter().filter(|(_, meant, _)| self.value(*meant) == 1).collect();
        let [(function, _, values)] = meant.as_slice() else { return Err(format!("calls {meant:?}")) };
        if *function != frame.function {
            return Err(format!("calls {:?}, the twin {function:?}", frame.function));
        }
        let function = before.program().function(*function);
        for (parameter, symbolic) in function.parameters.iter().zip(values) {
            let value = frame.registers[parameter.index()].as_ref().ok_or("a parameter without a value")?;
            self.holds("an argument", symbolic, value, function.register(*parameter).width)?;
        }
        Ok(())
    }

    /// That the caller, or who joins, gets the result.
    fn result(&self, result: Option<&Symbolic>) -> Result<(), String> {
        let Step { from, to, path, .. } = self.step;
        let (Some(result), Some(old)) = (result, from.thread(path.thread)) else { return Ok(()) };
        let returns = matches!(self.step.action, Action::Return { .. });
        if returns && old.frames.len() > 1 {
            let target = old.frames.last().and_then(|frame| frame.result);
            let Some((target, frame)) = target.zip(to.frame(path.thread)) else { return Ok(()) };
            let value = frame.registers[target.index()].as_ref().ok_or("a result without a value")?;
            let width = self.step.before.program().function(frame.function).register(target).width;
            return self.holds("a result", result, value, width);
        }
        let Symbolic::Word(word) = result else { return Ok(()) };
        if let (true, Some(status)) = (returns && path.thread.index() == 0, to.exit_status()) {
            return self.holds("the exit status", result, &Value::Bits(status), self.step.builder.width(word.bits));
        }
        let object = Some(Instance::Thread(path.thread));
        let key = GhostKey { object, offset: 0, field: GhostField::ThreadResult };
        self.ghost("the thread's result", *word, key)
    }

    fn ghost(&self, what: &str, word: Word, key: GhostKey) -> Result<(), String> {
        let zero = Value::bits(64, 0);
        let value = self.step.to.ghost(key).unwrap_or(&zero);
        if self.is_value(word, value) {
            return Ok(());
        }
        Err(format!("{what} is {value:?}, to the twin {}", self.show(word)))
    }

    fn memory(&self) -> Result<(), String> {
        let Step { to, effect, before, .. } = self.step;
        let mut told = BTreeSet::new();
        for (key, word) in &effect.cells {
            let Some(object) = before.objects.instance(key.object()) else {
                if let CellKey::Ghost { offset, field, .. } = *key {
                    told.insert(*key);
                    self.ghost("a ghost field", *word, GhostKey { object: None, offset, field })?;
                }
                continue;
            };
            let block = to.memory().block(object);
            told.insert(*key);
            match *key {
                CellKey::Bytes { start, size, .. } => {
                    let Some(block) = block else { continue };
                    let end = start + u64::from(size);
                    if end > block.contents.size() {
                        continue;
                    }
                    let bytes: Vec<Byte> = (start..end).map(|at| block.contents.byte(at)).collect();
                    if !self.is_bytes(*word, &bytes) {
                        let shown = self.show(*word);
                        return Err(format!(
                            "{size} bytes of {object:?} at {start} are {bytes:?}, to the twin {shown}"
                        ));
                    }
                }
                CellKey::Ghost { offset, field, .. } => {
                    if block.is_some() || matches!(object, Instance::Thread(_)) {
                        let key = GhostKey { object: Some(object), offset, field };
                        self.ghost(&format!("{key:?}"), *word, key)?;
                    }
                }
                CellKey::Alive(_) => {
                    if block.is_some() != (self.value(word.bits) == 1) {
                        return Err(format!("{object:?} is {block:?}, to the twin {}", self.show(*word)));
                    }
                }
                CellKey::Size(_) => {
                    let size = block.map(|block| u128::from(block.contents.size()));
                    if size.is_some_and(|size| size != self.value(word.bits)) {
                        return Err(format!("{object:?} has {size:?} bytes, to the twin {}", self.show(*word)));
                    }
                }
                CellKey::Array(_)
                | CellKey::Changer { .. }
                | CellKey::Tally { .. }
                | CellKey::Note(..)
                | CellKey::Unjoined => {}
            }
        }
        self.unchanged(&told)
    }

    /// That what the twin does not speak of has not changed.
    fn unchanged(&self, told: &BTreeSet<CellKey>) -> Result<(), String> {
        let Step { from, to, before, .. } = self.step;
        let is_told = |object: Instance, at: u64| {
            let Some(tag) = before.objects.tag(object) else { return true };
            before.is_untracked(CellKey::Bytes { object: tag, start: at, size: 1 })
                || told.iter().any(|key| {
                    matches!(key, CellKey::Bytes { object, start, size }
                    if *object == tag && *start <= at && at < start + u64::from(*size))
                })
        };
        for (object, block) in to.memory().live() {
            let old = from.memory().block(object);
            if old == Some(block) {
                continue;
            }
            let byte = |at| old.map(|old| old.contents.byte(at));
            let changed = (0..block.contents.size())
                .find(|at| byte(*at) != Some(block.contents.byte(*at)) && !is_told(object, *at));
            if let Some(at) = changed.filter(|_| before.objects.tag(object).is_some()) {
                return Err(format!("byte {at} of {object:?} has changed, but not to the twin"));
            }
        }
        self.lives()?;
        let ghosts = from.ghosts().chain(to.ghosts()).map(|(key, _)| key);
        for key in ghosts.filter(|key| from.ghost(*key) != to.ghost(*key)) {
            let object = key.object.map_or(Some(Tag::NUMBER), |object| before.objects.tag(object));
            let Some(object) = object else { continue };
            let cell = CellKey::Ghost { object, offset: key.offset, field: key.field };
            let is_gone = key.object.is_some_and(|object| is_gone(to, object));
            if !(told.contains(&cell) || is_gone || before.is_untracked(cell)) {
                return Err(format!("{key:?} has changed, but not to the twin"));
            }
        }
        Ok(())
    }

    /// That objects live or not as before, unless the twin speaks of them.
    fn lives(&self) -> Result<(), String> {
        let Step { from, to, before, effect, .. } = self.step;
        for tag in before.objects.tags() {
            let key = CellKey::Alive(tag);
            let ends = matches!(before.entity(tag), Some(Entity::Bytes { lifetime, .. }) if lifetime.ends());
            let Some(object) = before.objects.instance(tag).filter(|_| ends) else { continue };
            let lived = from.memory().block(object).is_some();
            let lives = to.memory().block(object).is_some();
            if lived != lives && !effect.cells.contains_key(&key) && !before.is_untracked(key) {
                return Err(format!("{object:?} has lived {lived} and lives {lives}, but the twin does not say"));
            }
        }
        Ok(())
    }
}

fn is_gone(state: &State, object: Instance) -> bool {
    !matches!(object, Instance::Thread(_)) && state.memory().block(object).is_none()
}
