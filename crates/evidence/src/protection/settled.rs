//! Whether every address that the program uses is one that it has made: no value out of nothing, and no byte that nobody
//! has written, is used as one. Otherwise it might be the address of anything, and nothing could be said.
//!
//! What pointers may point to is known as long as that is so; so it is shown step by step along an execution: as long as
//! no such address has been used, nobody has one to use. A value that is only used as the handle of a thread, or
//! compared, does no harm: no object is accessed with it.

use rustc_hash::FxHashSet;
use selvedge_program::{
    AccessKind, Action, AtomicStep, Budget, Callee, EdgeId, Exhausted, Expr, Function, FunctionId, Interpretation,
    RegisterId, Touched, Transfer, ValueFlow,
};

use super::names::{Names, Origin, carried};
use super::written::{Written, Zeros};

/// Looks where that is not so.
#[derive(Debug)]
pub struct Settled<'a, 'p> {
    names: &'a Names<'p>,
    written: Option<Written<'a, 'p>>,
}

impl<'a, 'p> Settled<'a, 'p> {
    pub fn new(names: &'a Names<'p>) -> Settled<'a, 'p> {
        Settled { names, written: None }
    }

    /// Whether no address comes out of nothing. Choices are looked at first, which takes no time.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn is_all_made(&mut self, budget: &Budget) -> Result<bool, Exhausted> {
        let names = self.names;
        let harmful = Harmful::of(names, &[]);
        let mut functions = names.program.functions.iter().enumerate().filter(|(index, _)| names.life().is_run[*index]);
        let is_chosen = functions.any(|(index, function)| {
            let mut flows = function.edges.iter().map(|edge| edge.action.value_flow());
            flows.any(|flow| match flow {
                ValueFlow::Choose { target } => harmful.may_harm(FunctionId::new(index), function, target),
                _ => false,
            })
        });
        Ok(!is_chosen && self.open(&[], budget)?.is_empty())
    }

    /// The edges that may give an address out of nothing: one that is used, or comes to be in one of some more registers.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn open(
        &mut self,
        more: &[(FunctionId, RegisterId)],
        budget: &Budget,
    ) -> Result<Vec<(FunctionId, EdgeId)>, Exhausted> {
        let names = self.names;
        let harmful = Harmful::of(names, more);
        let mut open = Vec::new();
        let functions = names.program.functions.iter().enumerate();
        for (index, function) in functions.filter(|(index, _)| names.life().is_run[*index]) {
            budget.check()?;
            let id = FunctionId::new(index);
            let may_harm = |register: &RegisterId| harmful.may_harm(id, function, *register);
            for (position, edge) in function.edges.iter().enumerate() {
                let at = (id, EdgeId::new(position));
                if let ValueFlow::Choose { target } = edge.action.value_flow()
                    && may_harm(&target)
                {
                    open.push(at);
                }
                for (target, access) in reads(&edge.action) {
                    if !may_harm(&target) {
                        continue;
                    }
                    if self.written.is_none() {
                        self.written = Some(Written::of(names, Zeros::AreWritten, budget)?);
                    }
                    if self.written.as_ref().is_some_and(|written| !written.is_written(id, edge.source, access)) {
                        open.push(at);
                    }
                }
            }
        }
        Ok(open)
    }
}

/// What an action reads as values, and into which registers.
fn reads(action: &Action) -> Vec<(RegisterId, &selvedge_program::Access)> {
    match action {
        // What is only moved is followed to where it is read ([`Written`]).
        Action::Load { interpretation: Interpretation::Raw, .. } => Vec::new(),
        Action::Load { target, access, .. } => vec![(*target, access)],
        action => action
            .steps()
            .iter()
            .filter_map(|step| match (step, step.access()) {
                (AtomicStep::Read { target, .. }, Some((access, AccessKind::Read))) => Some((*target, access)),
                _ => None,
            })
            .collect(),
    }
}

/// The registers whose values may come to be used as addresses of objects, or to be in some more registers.
struct Harmful {
    registers: FxHashSet<(FunctionId, RegisterId)>,
}

impl Harmful {
    fn of(names: &Names<'_>, more: &[(FunctionId, RegisterId)]) -> Harmful {
        let mut harmful = Harmful { registers: more.iter().copied().collect() };
        loop {
            let before = harmful.registers.len();
            for (index, function) in names.program.functions.iter().enumerate() {
                harmful.look(names, FunctionId::new(index), function);
            }
            if harmful.registers.len() == before {
                return harmful;
            }
        }
    }

    /// Whether a value in a register may be an address, and come to be used as one.
    fn may_harm(&self, id: FunctionId, function: &Function, register: RegisterId) -> bool {
        function.register(register).may_be_address && self.contains(id, register)
    }

    fn contains(&self, function: FunctionId, register: RegisterId) -> bool {
        self.registers.contains(&(function, register))
    }

    fn look(&mut self, names: &Names<'_>, id: FunctionId, function: &Function) {
        for (position, edge) in function.edges.iter().enumerate() {
            for touch in edge.action.touches() {
                let is_of_thread = matches!(touch.what, Touched::Ghost(field) if field.belongs_to_thread());
                if !is_of_thread {
                    touch.address.for_each_register(&mut |register| self.add(id, register));
                }
            }
            match edge.action.transfer() {
                Transfer::Call { callee, arguments, .. } => {
                    self.add_callee(id, callee);
                    let entered = names.life().entered(id, EdgeId::new(position));
                    for (position, argument) in arguments.iter().enumerate() {
                        let is_harmful = |callee: &FunctionId| {
                            let parameter = names.program.function(*callee).parameters.get(position);
                            parameter.is_none_or(|parameter| self.contains(*callee, *parameter))
                        };
                        if entered.iter().any(is_harmful) {
                            self.goes(id, argument);
                        }
                    }
                }
                Transfer::Spawn { entry, arguments, .. } => {
                    self.add_callee(id, entry);
                    arguments.iter().for_each(|argument| self.goes(id, argument));
                }
                Transfer::Along
                | Transfer::Return { .. }
                | Transfer::ThreadExit { .. }
                | Transfer::Exit { .. }
                | Transfer::AtomicBegin
                | Transfer::AtomicEnd
                | Transfer::Unknown => {}
            }
            match edge.action.value_flow() {
                ValueFlow::Assign { target, value } => self.copies(id, target, value),
                ValueFlow::Store { value, .. } | ValueFlow::Return { value } => self.goes(id, value),
                ValueFlow::Update(steps) => steps.iter().for_each(|step| self.step(id, step)),
                ValueFlow::None
                | ValueFlow::Choose { .. }
                | ValueFlow::Load { .. }
                | ValueFlow::Call { .. }
                | ValueFlow::Spawn { .. }
                | ValueFlow::Allocate { .. } => {}
            }
        }
    }

    fn step(&mut self, id: FunctionId, step: &AtomicStep) {
        match step {
            AtomicStep::Let { target, value } => self.copies(id, *target, value),
            AtomicStep::Write { value, .. } | AtomicStep::WriteThreads { value, .. } => self.goes(id, value),
            AtomicStep::Read { .. }
            | AtomicStep::Guard(_)
            | AtomicStep::Spurious
            | AtomicStep::Require(..)
            | AtomicStep::PickThread { .. }
            | AtomicStep::Mark { .. } => {}
        }
    }

    fn add(&mut self, function: FunctionId, register: RegisterId) {
        self.registers.insert((function, register));
    }

    fn add_callee(&mut self, id: FunctionId, callee: &Callee) {
        if let Callee::Indirect(pointer) = callee {
            pointer.for_each_register(&mut |register| self.add(id, register));
        }
    }

    fn copies(&mut self, id: FunctionId, target: RegisterId, value: &Expr) {
        if self.contains(id, target) {
            self.goes(id, value);
        }
    }

    fn goes(&mut self, id: FunctionId, value: &Expr) {
        carried(value, &mut |origin| {
            if let Origin::Register(register) = origin {
                self.add(id, register);
            }
        });
    }
}
