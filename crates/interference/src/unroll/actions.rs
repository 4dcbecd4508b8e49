//! What each action does to a symbolic state; the counterpart of the concrete semantics' `step`.

use std::rc::Rc;

use selvedge_logic::{Result, Sort};
use selvedge_program::{
    AccessKind, AccessMode, Action, Atomicity, Callee, Edge, Expr, FrameObjectId, FunctionId, InitialContents,
    OutputPiece, RegisterId, SiteId, Storage, Undefined,
};

use super::cells::CellKey;
use super::claims::{Claim, Gap};
use super::eval::Trouble;
use super::objects::{Allocation, Extent, Object, Tag};
use super::path::{Answer, Choice};
use super::state::{Activation, Section, State};
use super::value::Sym;
use super::walk::{Next, Walker};
use crate::skeleton::{LineId, Word};

/// Where an edge leads, and the thread that it starts.
pub type Nexts = Vec<(Next, Option<LineId>)>;

/// No single allocation is larger.
const LARGEST: u128 = selvedge_program::semantics::LARGEST_OBJECT as u128;

impl Walker<'_, '_> {
    /// Takes an edge from a state whose guard is relative to the place's.
    pub(super) fn take(&mut self, mut state: State, edge: &Edge) -> Result<Nexts> {
        match &edge.action {
            Action::Assume(condition) => {
                let Some(holds) = self.eval(&state, &[], |eval, scope, when| eval.truth(scope, condition, when))?
                else {
                    return Ok(Vec::new());
                };
                let fails = self.round.builder.and_not(self.here.ok, holds);
                self.here.blocked = Some(fails);
                self.here.ok = self.round.builder.and(self.here.ok, holds);
            }
            Action::Assign { target, value } => {
                let value = self.value(&state, value)?;
                state.assign(*target, value);
            }
            Action::Load { target, access, interpretation } => {
                if let Some(register) = self.register(&state, *target) {
                    let value = self.load(&mut state, access, *interpretation, register)?;
                    state.assign(*target, value);
                }
            }
            Action::Store { access, value } => {
                let value = self.value(&state, value)?;
                self.store(&mut state, access, &value)?;
            }
            Action::Atomic(steps) => self.atomic(&mut state, steps)?,
            Action::Havoc { target } => self.havoc(&mut state, *target),
            Action::Forget { object } => self.forget(&mut state, *object)?,
            Action::EndLife { object } => self.end_life(&mut state, *object)?,
            Action::Spawn { target, entry, arguments, id } => {
                return self.spawn(state, (*target, id.as_ref()), entry, arguments, edge);
            }
            Action::ThreadExit { value } => {
                let value = self.value(&state, value)?;
                return self.end_thread(state, value);
            }
            Action::Exit { .. } => return Ok(Vec::new()),
            Action::Allocate { target, size, align, storage, contents, site } => {
                self.allocate(&mut state, *target, size, *align, *storage, *contents, *site)?;
            }
            Action::Free { address } => self.free(&mut state, address)?,
            Action::Assert { condition, check } => {
                let Some(holds) = self.eval(&state, &[], |eval, scope, when| eval.truth(scope, condition, when))?
                else {
                    return Ok(Vec::new());
                };
                let fails = self.round.builder.not(holds);
                self.fails(Claim::Assertion(*check), fails);
                self.here.ok = self.round.builder.and(self.here.ok, holds);
            }
            Action::Require { condition, otherwise } => {
                let Some(holds) = self.eval(&state, &[], |eval, scope, when| eval.truth(scope, condition, when))?
                else {
                    return Ok(Vec::new());
                };
                let fails = self.round.builder.not(holds);
                self.trouble(fails, Trouble::Undefined(*otherwise));
            }
            Action::Call { target, callee, arguments } => return self.call(&state, *target, callee, arguments),
            Action::Return { value } => return self.return_from(state, value.as_ref()),
            Action::AtomicBegin => self.begin_section(&mut state),
            Action::AtomicEnd => self.end_section(&mut state),
            Action::Fence(_) => {}
            Action::Output(pieces) => self.output(&mut state, pieces)?,
            Action::Unsupported(what) => {
                let yes = self.round.builder.yes;
                self.trouble(yes, Trouble::Unsupported(what.clone()));
                return Ok(Vec::new());
            }
        }
        Ok(vec![(Next::Along(state, edge.target), None)])
    }

    /// The value of an expression; a register that is only moved keeps its pieces.
    pub(super) fn value(&mut self, state: &State, expr: &Expr) -> Result<Sym> {
        if let Expr::Register(register, _) = expr
            && let Some(Some(pieces @ Sym::Pieces(_))) =
                state.top().and_then(|activation| activation.registers.get(register.index()))
        {
            return Ok(pieces.clone());
        }
        let word = self.eval(state, &[], |eval, scope, when| eval.word(scope, expr, when))?;
        match word {
            Some(word) => Ok(Sym::Word(word)),
            None => Ok(Sym::Word(self.round.builder.number(expr.width(), 0))),
        }
    }

    fn havoc(&mut self, state: &mut State, target: RegisterId) {
        let Some(register) = self.register(state, target) else { return };
        let bits = self.round.builder.fresh("n", Sort::Bits(register.width));
        let (word, answer) = if register.may_be_address {
            self.address_out_of_nothing(state, bits)
        } else {
            (self.round.builder.plain(bits), Answer::Number(bits))
        };
        let asked = self.round.builder.yes;
        self.here.choices.push(Choice { asked, answer });
        state.assign(target, Sym::Word(word));
    }

    fn forget(&mut self, state: &mut State, slot: FrameObjectId) -> Result<()> {
        let Some(activation) = state.top() else { return Ok(()) };
        let object = Object::Frame(activation.place, activation.function, slot);
        let function = activation.function;
        let Some(tag) = self.tag(object) else { return Ok(()) };
        let ends = |edge: &Edge| matches!(edge.action, Action::EndLife { object } if object == slot);
        if self.unroller.program.function(function).edges.iter().any(ends) {
            let (yes, alive) = (self.round.builder.yes, self.round.builder.number(1, 1));
            self.write_cell(state, CellKey::Alive(tag), yes, alive)?;
        }
        self.clear(state, tag)
    }

    /// Every cell of an object becomes what it was initially, except that indeterminate bytes may turn out to be something else.
    pub(super) fn clear(&mut self, state: &mut State, tag: Tag) -> Result<()> {
        let yes = self.round.builder.yes;
        let is_array = self.unroller.knowledge.is_array(tag);
        if is_array {
            self.clear_array(state, tag);
        }
        for key in self.unroller.knowledge.cells_of(tag) {
            if is_array && matches!(key, CellKey::Bytes { .. }) {
                continue;
            }
            let mut word = self.initial(key)?;
            if self.round.builder.constant(word.tag) == Some(u128::from(Tag::INDETERMINATE.0)) {
                word = self.round.builder.fresh_indeterminate(self.round.builder.width(word.bits));
            }
            self.write_cell(state, key, yes, word)?;
        }
        Ok(())
    }

    /// The tag of an object, unless there are too many.
    pub(super) fn tag(&mut self, object: Object) -> Option<Tag> {
        let tag = self.unroller.objects.tag(object);
        if tag.is_none() {
            let yes = self.round.builder.yes;
            self.trouble(yes, Trouble::Unsupported("too many objects".to_owned()));
        }
        tag
    }

    #[allow(clippy::too_many_arguments, reason = "these are the fields of the action")]
    fn allocate(
        &mut self,
        state: &mut State,
        target: RegisterId,
        size: &Expr,
        align: u32,
        storage: Storage,
        contents: InitialContents,
        site: SiteId,
    ) -> Result<()> {
        let Some(size) = self.eval(state, &[], |eval, scope, when| eval.number(scope, size, when))? else {
            return Ok(());
        };
        let width = self.unroller.program.pointer_width();
        let yes = self.round.builder.yes;
        let most = self.round.builder.terms.facts(size).high;
        let known = self.round.builder.constant(size);
        if most > LARGEST {
            let largest = self.round.builder.terms.bits(self.round.builder.width(size), LARGEST);
            let larger = self.round.builder.terms.ult(largest, size);
            let what = match known {
                Some(size) => format!("an allocation of {size} bytes"),
                None => format!("an allocation of more than {LARGEST} bytes"),
            };
            self.trouble(larger, Trouble::Unsupported(what));
        }
        let key = self.here.key.clone();
        let place = self.unroller.place(self.round.line, &key);
        let Some(tag) = self.tag(Object::Allocated(place, site)) else { return Ok(()) };
        let extent = Extent { most: most.min(LARGEST) as u64, is_exact: known.is_some() };
        self.unroller.objects.allocated(tag, Allocation { extent, align, storage, contents });
        if !extent.is_exact {
            let size = self.round.builder.plain(size);
            self.write_cell(state, CellKey::Size(tag), yes, size)?;
        }
        self.round.has_allocated.insert(self.round.line);
        if storage == Storage::Stack
            && let Some(activation) = state.top_mut()
        {
            activation.allocated.push(tag);
        }
        state.add_effect(yes);
        let address = self.round.builder.pointer(tag, width);
        state.assign(target, Sym::Word(address));
        Ok(())
    }

    fn free(&mut self, state: &mut State, address: &Expr) -> Result<()> {
        self.round.accesses += 1;
        let Some(address) = self.eval(state, &[], |eval, scope, when| eval.word(scope, address, when))? else {
            return Ok(());
        };
        let zero = self.round.builder.terms.bits(self.round.builder.width(address.bits), 0);
        let at_start = self.round.builder.terms.equal(address.bits, zero);
        let elsewhere = self.round.builder.not(at_start);
        for tag in self.round.builder.tags(address) {
            let meant = self.round.builder.has_tag(address, tag);
            let storage = self.unroller.objects.allocation(tag).map(|allocation| allocation.storage);
            let wrong = |undefined| Trouble::Undefined(undefined);
            match (tag, storage) {
                (Tag::NUMBER, _) => {
                    let when = self.round.builder.and(meant, elsewhere);
                    self.trouble(when, wrong(Undefined::InvalidFree));
                }
                (Tag::INDETERMINATE, _) => {
                    self.trouble(meant, Trouble::Unsupported("an indeterminate address".to_owned()));
                }
                (_, Some(Storage::Heap)) => {
                    let alive = self.alive(state, tag, meant)?;
                    let dead = self.round.builder.and_not(meant, alive);
                    self.trouble(dead, wrong(Undefined::DoubleFree));
                    let when = self.round.builder.and(meant, elsewhere);
                    self.trouble(when, wrong(Undefined::InvalidFree));
                    let mode = AccessMode { kind: AccessKind::Write, atomicity: Atomicity::Plain };
                    self.site(state, CellKey::Alive(tag), meant, mode)?;
                    self.kill(state, tag, meant)?;
                }
                _ => self.trouble(meant, wrong(Undefined::InvalidFree)),
            }
        }
        Ok(())
    }

    /// The functions that a callee may be, each with the condition that it is.
    pub(super) fn callees(
        &mut self,
        state: &State,
        callee: &Callee,
    ) -> Result<Vec<(FunctionId, selvedge_logic::Term)>> {
        let address = match callee {
            Callee::Direct(function) => return Ok(vec![(*function, self.round.builder.yes)]),
            Callee::Indirect(address) => address,
        };
        let Some(address) = self.eval(state, &[], |eval, scope, when| eval.word(scope, address, when))? else {
            return Ok(Vec::new());
        };
        let zero = self.round.builder.terms.bits(self.round.builder.width(address.bits), 0);
        let at_start = self.round.builder.terms.equal(address.bits, zero);
        let mut found = Vec::new();
        let mut any = self.round.builder.no;
        for tag in self.round.builder.tags(address) {
            if let Some(Object::Function(function)) = self.unroller.objects.object(tag) {
                let meant = self.round.builder.has_tag(address, tag);
                let meant = self.round.builder.and(meant, at_start);
                any = self.round.builder.or(any, meant);
                found.push((function, meant));
            }
        }
        let none = self.round.builder.not(any);
        self.trouble(none, Trouble::Undefined(Undefined::BadCall));
        Ok(found)
    }

    /// The arguments that a function takes; `None` if they do not fit.
    pub(super) fn arguments(&mut self, state: &State, callee: FunctionId, given: &[Expr]) -> Result<Option<Vec<Sym>>> {
        let function = self.unroller.program.function(callee);
        let widths = function.parameters.iter().map(|parameter| function.register(*parameter).width);
        let fits = given.len() == function.parameters.len()
            && widths.zip(given).all(|(width, argument)| width == argument.width());
        if !fits {
            return Ok(None);
        }
        given.iter().map(|argument| self.value(state, argument)).collect::<Result<Vec<_>>>().map(Some)
    }

    fn call(
        &mut self,
        state: &State,
        target: Option<RegisterId>,
        callee: &Callee,
        arguments: &[Expr],
    ) -> Result<Nexts> {
        let mut nexts = Vec::new();
        let mut callees = self.callees(state, callee)?;
        self.keep_to_path(&mut callees);
        for (callee, meant) in callees {
            let program = self.unroller.program;
            let function = program.function(callee);
            let wanted = state.top().and_then(|top| Some(program.function(top.function).register(target?).width));
            let values = self.arguments(state, callee, arguments)?;
            let fits = target.is_none() || function.result_width == wanted;
            let Some(values) = values.filter(|_| fits) else {
                self.trouble(meant, Trouble::Undefined(Undefined::BadCall));
                continue;
            };
            let depth = state.activations.iter().filter(|activation| activation.function == callee).count();
            let bound = self.unroller.bounds.recursion;
            let mut state = State { guard: meant, ..state.clone() };
            if depth >= bound as usize {
                let top = state.top().map_or(callee, |top| top.function);
                let span = program.function(top).edge(self.here.edge).span;
                let whole = self.round.builder.and(self.here.guard, self.here.pick);
                let whole = self.round.builder.and(whole, meant);
                let cut = State { guard: whole, ..state };
                self.gap(&cut, Gap::Recursion { function: callee, span, bound });
                continue;
            }
            if let Some(activation) = state.top_mut() {
                activation.calling = Some((self.here.edge, target));
            }
            let mut key = self.here.key.clone();
            key.push((callee.0, 0));
            let place = self.unroller.place(self.round.line, &key);
            let mut registers = vec![None; function.registers.len()];
            for (parameter, value) in function.parameters.iter().zip(values) {
                registers[parameter.index()] = Some(value);
            }
            state.activations.push(Rc::new(Activation {
                function: callee,
                place,
                location: function.entry,
                turns: Vec::new(),
                registers,
                calling: None,
                allocated: Vec::new(),
            }));
            nexts.push((Next::Placed(state), None));
        }
        Ok(nexts)
    }

    /// Leaves only the function that the path goes to. A path that does not say must not go on.
    fn keep_to_path(&mut self, callees: &mut Vec<(FunctionId, selvedge_logic::Term)>) {
        let Some(guide) = self.unroller.guide.as_ref().filter(|guide| guide.on_path()) else { return };
        match guide.callee(self.round.line) {
            Some(wanted) => callees.retain(|(callee, _)| *callee == wanted),
            None if callees.len() > 1 => {
                callees.clear();
                let yes = self.round.builder.yes;
                let what = "a path that ends in a call of one of several functions".to_owned();
                self.trouble(yes, Trouble::Unsupported(what));
            }
            None => {}
        }
    }

    fn return_from(&mut self, mut state: State, value: Option<&Expr>) -> Result<Nexts> {
        let value = value.map(|value| self.value(&state, value)).transpose()?;
        if state.activations.len() == 1 {
            if self.round.line == LineId(0) {
                if let Some(Sym::Word(status)) = value
                    && !self.round.builder.is_number(status)
                {
                    let number = self.round.builder.has_tag(status, Tag::NUMBER);
                    let other = self.round.builder.not(number);
                    self.trouble(other, Trouble::Unsupported("an exit status that is no number".to_owned()));
                }
                return Ok(Vec::new());
            }
            let value = match value {
                Some(value) => value,
                None => self.missing_result(&state),
            };
            return self.end_thread(state, value);
        }
        let Some(ended) = state.activations.pop() else { return Ok(Vec::new()) };
        self.end_activation(&mut state, &ended)?;
        let Some(activation) = state.top_mut() else { return Ok(Vec::new()) };
        let Some((edge, target)) = activation.calling.take() else { return Ok(Vec::new()) };
        let return_to = self.unroller.program.function(activation.function).edge(edge).target;
        match (target, value) {
            (None, _) => {}
            (Some(target), Some(value)) => state.assign(target, value),
            (Some(_), None) => {
                let yes = self.round.builder.yes;
                self.trouble(yes, Trouble::Undefined(Undefined::MissingReturn));
            }
        }
        Ok(vec![(Next::Along(state, return_to), None)])
    }

    /// What a thread's result is when its function returns none.
    fn missing_result(&mut self, state: &State) -> Sym {
        let width = state.top().and_then(|top| self.unroller.program.function(top.function).result_width);
        let width = width.unwrap_or(self.unroller.program.pointer_width());
        Sym::Word(self.round.builder.fresh_indeterminate(width))
    }

    /// A local of the running activation dies.
    fn end_life(&mut self, state: &mut State, slot: FrameObjectId) -> Result<()> {
        let Some(activation) = state.top() else { return Ok(()) };
        let object = Object::Frame(activation.place, activation.function, slot);
        let yes = self.round.builder.yes;
        match self.tag(object) {
            Some(tag) => self.kill(state, tag, yes),
            None => Ok(()),
        }
    }

    /// The locals of an activation die.
    pub(super) fn end_activation(&mut self, state: &mut State, ended: &Activation) -> Result<()> {
        let yes = self.round.builder.yes;
        let slots = self.unroller.program.function(ended.function).frame.len();
        for slot in 0..slots {
            let object = Object::Frame(ended.place, ended.function, FrameObjectId::new(slot));
            if let Some(tag) = self.tag(object) {
                self.kill(state, tag, yes)?;
            }
        }
        for tag in &ended.allocated {
            self.kill(state, *tag, yes)?;
        }
        Ok(())
    }

    /// An object dies under a condition; its ghost fields are forgotten with it, since nothing can reach them any more.
    pub(super) fn kill(&mut self, state: &mut State, tag: Tag, when: selvedge_logic::Term) -> Result<()> {
        let dead = self.round.builder.number(1, 0);
        self.write_cell(state, CellKey::Alive(tag), when, dead)
    }

    fn begin_section(&mut self, state: &mut State) {
        let key = self.here.key.clone();
        let begun = self.unroller.place(self.round.line, &key);
        state.section = Some(match state.section {
            Some(section) => Section { depth: section.depth + 1, ..section },
            None => Section { event: self.new_event(), begun, depth: 1 },
        });
    }

    fn end_section(&mut self, state: &mut State) {
        match state.section {
            None => {
                let what = "the end of an atomic section that was not begun".to_owned();
                let yes = self.round.builder.yes;
                self.trouble(yes, Trouble::Unsupported(what));
            }
            Some(section) if section.depth > 1 => {
                state.section = Some(Section { depth: section.depth - 1, ..section });
            }
            Some(_) => {
                self.stop(state);
                state.section = None;
            }
        }
    }

    /// Printing matters only for the memory that it reads.
    fn output(&mut self, state: &mut State, pieces: &[OutputPiece]) -> Result<()> {
        for piece in pieces {
            let (OutputPiece::Value(_, value) | OutputPiece::CString(_, value)) = piece else { continue };
            let Some(word) = self.eval(state, &[], |eval, scope, when| eval.word(scope, value, when))? else {
                continue;
            };
            if let OutputPiece::CString(..) = piece {
                self.printed_string(word);
            }
        }
        Ok(())
    }

    /// A string that is printed must be constant: what other strings do is not modelled.
    fn printed_string(&mut self, address: Word) {
        for tag in self.round.builder.tags(address) {
            let constant = self.unroller.objects.is_constant(self.unroller.program, tag);
            let at_start = self.round.builder.constant(address.bits) == Some(0);
            if !(constant && at_start) {
                let meant = self.round.builder.has_tag(address, tag);
                let what = "printing a string that is not a constant".to_owned();
                self.trouble(meant, Trouble::Unsupported(what));
            }
        }
    }
}
