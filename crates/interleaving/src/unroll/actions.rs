//! What each action does to a symbolic state; the counterpart of the concrete semantics' `step`.

use std::rc::Rc;

use selvedge_evidence::Gap;
use selvedge_program::{
    Action, Callee, Edge, Expr, FrameObjectId, FunctionId, RegisterId, Storage, Transfer, Undefined,
};
use selvedge_symbolic::step::{Taken, arguments, callees, take, value};
use selvedge_symbolic::{Allocation, CellKey, Extent, Tag, Trouble, Value, Word};

use super::claims::Claim;
use super::objects::{Allocated, Object};
use super::run::Run;
use super::state::{Activation, Section, State};
use super::walk::{Next, Walker};
use crate::skeleton::ThreadId;

/// Where an edge leads, and the thread that it starts.
pub type Nexts = Vec<(Next, Option<ThreadId>)>;

/// No single allocation is larger.
const LARGEST: u128 = selvedge_program::semantics::LARGEST_OBJECT as u128;

impl<'p> Walker<'_, 'p> {
    /// Takes an edge from a state whose guard is relative to the place's.
    pub(super) fn take(&mut self, mut state: State, edge: &'p Edge) -> Nexts {
        match take(&mut Run { walker: self, state: &mut state }, &edge.action) {
            Taken::Along => {}
            Taken::Nowhere => return Vec::new(),
            Taken::Elsewhere => return self.pass_control(state, edge),
        }
        vec![(Next::Along(state, edge.target), None)]
    }

    /// Takes an edge whose action moves control elsewhere, or begins or ends an atomic section.
    fn pass_control(&mut self, mut state: State, edge: &'p Edge) -> Nexts {
        match edge.action.transfer() {
            Transfer::Spawn { target, entry, arguments, id } => {
                return self.spawn(state, (target, id), entry, arguments, edge);
            }
            Transfer::ThreadExit { value } => {
                let value = self.value(&mut state, value);
                return self.end_thread(state, value);
            }
            Transfer::Call { target, callee, arguments } => return self.call(state, target, callee, arguments),
            Transfer::Return { value } => return self.return_from(state, value),
            Transfer::AtomicBegin => self.begin_section(&mut state),
            Transfer::AtomicEnd => self.end_section(&mut state),
            Transfer::Along | Transfer::Exit { .. } | Transfer::Unknown => {}
        }
        vec![(Next::Along(state, edge.target), None)]
    }

    /// The value of an expression; a register that is only moved keeps its pieces.
    pub(super) fn value(&mut self, state: &mut State, expr: &Expr) -> Value {
        value(&mut Run { walker: self, state }, expr)
    }

    pub(super) fn forget(&mut self, state: &mut State, slot: FrameObjectId) {
        let Some(activation) = state.top() else { return };
        let object = Object::Frame(activation.place, activation.function, slot);
        let function = activation.function;
        let Some(tag) = self.tag(object) else { return };
        let ends = |edge: &Edge| matches!(edge.action, Action::EndLife { object } if object == slot);
        if self.unroller.program.function(function).edges.iter().any(ends) {
            let (yes, alive) = (self.round.builder.yes, self.round.builder.number(1, 1));
            self.write_cell(state, CellKey::Alive(tag), yes, alive);
        }
        self.clear(state, tag)
    }

    /// Every cell of an object becomes what it was initially, except that indeterminate bytes may turn out to be
    /// something else.
    pub(super) fn clear(&mut self, state: &mut State, tag: Tag) {
        let yes = self.round.builder.yes;
        let is_array = self.unroller.knowledge.is_array(tag);
        if is_array {
            self.clear_array(state, tag);
        }
        for key in self.unroller.knowledge.cells_of(tag) {
            if is_array && matches!(key, CellKey::Bytes { .. }) {
                continue;
            }
            let mut word = self.initial(key);
            if self.round.builder.constant(word.tag) == Some(u128::from(Tag::INDETERMINATE.0)) {
                word = self.round.builder.fresh_indeterminate(self.round.builder.width(word.bits));
            }
            self.write_cell(state, key, yes, word);
        }
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

    pub(super) fn allocate(&mut self, state: &mut State, allocation: Allocation) -> Option<Word> {
        let Allocation { size, align, storage, contents, site } = allocation;
        let width = self.unroller.program.pointer_width();
        let yes = self.round.builder.yes;
        let most = self.round.builder.terms.facts(size).high;
        let known = self.round.builder.constant(size);
        let key = self.here.key.clone();
        let place = self.unroller.place(self.round.thread, &key);
        let tag = self.tag(Object::Allocated(place, site))?;
        let extent = Extent { most: most.min(LARGEST) as u64, is_exact: known.is_some() };
        self.unroller.objects.allocated(tag, Allocated { extent, align, storage, contents });
        if !extent.is_exact {
            let size = self.round.builder.plain(size);
            self.write_cell(state, CellKey::Size(tag), yes, size);
        }
        self.round.has_allocated.insert(self.round.thread);
        if storage == Storage::Stack
            && let Some(activation) = state.top_mut()
        {
            activation.allocated.push(tag);
        }
        state.add_effect(yes);
        Some(self.round.builder.pointer(tag, width))
    }

    fn call(&mut self, mut state: State, target: Option<RegisterId>, callee: &Callee, given: &[Expr]) -> Nexts {
        let mut nexts = Vec::new();
        let mut callees = callees(&mut Run { walker: self, state: &mut state }, callee);
        self.keep_to_path(&mut callees);
        for (callee, meant) in callees {
            let program = self.unroller.program;
            let function = program.function(callee);
            let wanted = state.top().and_then(|top| Some(program.function(top.function).register(target?).width));
            let values = self::arguments(&mut Run { walker: self, state: &mut state }, callee, given);
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
                self.gap(&cut, Claim::left_out(Gap::Recursion { function: callee, span, bound }));
                continue;
            }
            if let Some(activation) = state.top_mut() {
                activation.calling = Some((self.here.edge, target));
            }
            let mut key = self.here.key.clone();
            key.push((callee.0, 0));
            let place = self.unroller.place(self.round.thread, &key);
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
        nexts
    }

    /// Leaves only the function that the path goes to. A path that does not say must not go on.
    fn keep_to_path(&mut self, callees: &mut Vec<(FunctionId, selvedge_logic::Term)>) {
        let Some(guide) = self.unroller.guide.as_ref().filter(|guide| guide.on_path()) else { return };
        match guide.callee(self.round.thread) {
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

    fn return_from(&mut self, mut state: State, value: Option<&Expr>) -> Nexts {
        let value = value.map(|value| self.value(&mut state, value));
        if state.activations.len() == 1 {
            if self.round.thread == ThreadId(0) {
                if let Some(Value::Word(status)) = value
                    && !self.round.builder.is_number(status)
                {
                    let number = self.round.builder.has_tag(status, Tag::NUMBER);
                    let other = self.round.builder.not(number);
                    self.trouble(other, Trouble::Unsupported("an exit status that is no number".to_owned()));
                }
                return Vec::new();
            }
            let value = match value {
                Some(value) => value,
                None => self.missing_result(&state),
            };
            return self.end_thread(state, value);
        }
        let Some(ended) = state.activations.pop() else { return Vec::new() };
        self.end_activation(&mut state, &ended);
        let Some(activation) = state.top_mut() else { return Vec::new() };
        let Some((edge, target)) = activation.calling.take() else { return Vec::new() };
        let return_to = self.unroller.program.function(activation.function).edge(edge).target;
        match (target, value) {
            (None, _) => {}
            (Some(target), Some(value)) => state.assign(target, value),
            (Some(_), None) => {
                let yes = self.round.builder.yes;
                self.trouble(yes, Trouble::Undefined(Undefined::MissingReturn));
            }
        }
        vec![(Next::Along(state, return_to), None)]
    }

    /// What a thread's result is when its function returns none.
    fn missing_result(&mut self, state: &State) -> Value {
        let width = state.top().and_then(|top| self.unroller.program.function(top.function).result_width);
        let width = width.unwrap_or(self.unroller.program.pointer_width());
        Value::Word(self.round.builder.fresh_indeterminate(width))
    }

    /// The locals of an activation die.
    pub(super) fn end_activation(&mut self, state: &mut State, ended: &Activation) {
        let yes = self.round.builder.yes;
        let slots = self.unroller.program.function(ended.function).frame.len();
        for slot in 0..slots {
            let object = Object::Frame(ended.place, ended.function, FrameObjectId::new(slot));
            if let Some(tag) = self.tag(object) {
                self.kill(state, tag, yes);
            }
        }
        for tag in &ended.allocated {
            self.kill(state, *tag, yes);
        }
    }

    /// An object dies under a condition; its ghost fields are forgotten with it, since nothing can reach them any more.
    pub(super) fn kill(&mut self, state: &mut State, tag: Tag, when: selvedge_logic::Term) {
        let dead = self.round.builder.number(1, 0);
        self.write_cell(state, CellKey::Alive(tag), when, dead)
    }

    fn begin_section(&mut self, state: &mut State) {
        let key = self.here.key.clone();
        let begun = self.unroller.place(self.round.thread, &key);
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
}
