//! Objects that only the thread knows of that made them: locals, allocations and thread-local data whose addresses go
//! nowhere where another thread may find them.
//!
//! What others may find is static memory, what a thread is started with and what it leaves when it ends, what is kept of
//! threads and locks (but for values of thread-specific keys that each thread sets and gets for itself alone), and
//! whatever is stored in what others may find. All else is *private*, and stays so: a thread has the address of a private
//! object in its registers because it made the object, or because it read the address in memory. That memory was
//! private too, since no other holds such an address; so it was the thread's own, and only the thread itself has stored
//! something there. Nobody else has the address to give.

use std::collections::BTreeSet;

use selvedge_analysis::AbstractObject;
use selvedge_program::{
    Access, Action, AtomicStep, Base, BinaryOp, Expr, FunctionId, GhostField, ObjectId, ObjectKind, Place, Touched,
    Transfer,
};

use super::names::Names;

/// The objects that other threads may know of than the one that made them.
#[derive(Debug)]
pub struct Public {
    objects: BTreeSet<AbstractObject>,
}

impl Public {
    /// Finds them.
    pub fn of(names: &Names<'_>) -> Public {
        let program = names.program;
        let mut told = Told { names, keeps_values: keeps_values(names), objects: BTreeSet::new() };
        for (index, object) in program.objects.iter().enumerate() {
            if object.kind != ObjectKind::ThreadLocal {
                told.objects.insert(AbstractObject::Static(ObjectId::new(index)));
            }
        }
        for (index, function) in program.functions.iter().enumerate().filter(|(index, _)| names.life().is_run[*index]) {
            function.edges.iter().for_each(|edge| told.edge(FunctionId::new(index), &edge.action));
        }
        let mut pending: Vec<AbstractObject> = std::mem::take(&mut told.objects).into_iter().collect();
        let mut objects = BTreeSet::new();
        while let Some(object) = pending.pop() {
            if objects.insert(object) && is_memory(object) {
                pending.extend(names.points_to.contents(object).iter().map(|target| target.object));
            }
        }
        Public { objects }
    }

    /// Whether only the thread knows of an object that made it.
    pub fn is_private(&self, object: AbstractObject) -> bool {
        is_memory(object) && !self.objects.contains(&object)
    }
}

fn is_memory(object: AbstractObject) -> bool {
    match object {
        AbstractObject::Static(_) | AbstractObject::Frame(..) | AbstractObject::Site(_) => true,
        AbstractObject::Function(_) | AbstractObject::Thread | AbstractObject::Started(_) => false,
    }
}

/// What is told to other threads.
struct Told<'a, 'p> {
    names: &'a Names<'p>,
    /// Whether the values of thread-specific keys are each thread's own.
    keeps_values: bool,
    objects: BTreeSet<AbstractObject>,
}

impl Told<'_, '_> {
    fn edge(&mut self, id: FunctionId, action: &Action) {
        match action.transfer() {
            Transfer::Spawn { arguments, .. } => arguments.iter().for_each(|argument| self.tell(id, argument)),
            Transfer::ThreadExit { value } => self.tell(id, value),
            Transfer::Return { value: Some(value) } if self.names.life().is_started[id.index()] => {
                self.tell(id, value);
            }
            Transfer::Along
            | Transfer::Call { .. }
            | Transfer::Return { .. }
            | Transfer::Exit { .. }
            | Transfer::AtomicBegin
            | Transfer::AtomicEnd
            | Transfer::Unknown => {}
        }
        if let Action::Store { access, value } = action {
            self.write(id, access, value);
        }
        for step in action.steps() {
            match step {
                AtomicStep::Write { access, value, .. } => self.write(id, access, value),
                AtomicStep::WriteThreads { value, .. } => self.tell(id, value),
                AtomicStep::Read { .. }
                | AtomicStep::Let { .. }
                | AtomicStep::PickThread { .. }
                | AtomicStep::Guard(_)
                | AtomicStep::Spurious
                | AtomicStep::Require(..)
                | AtomicStep::Mark { .. } => {}
            }
        }
    }

    fn write(&mut self, id: FunctionId, access: &Access, value: &Expr) {
        match access.place {
            // Who finds it there is looked at when all is known that others may find.
            Place::Memory { .. } => {}
            Place::Ghost { field: GhostField::ThreadSpecific, .. } if self.keeps_values => {}
            Place::Ghost { .. } => self.tell(id, value),
        }
    }

    fn tell(&mut self, id: FunctionId, value: &Expr) {
        let targets = self.names.targets(id, value);
        self.objects.extend(targets.iter().map(|target| target.object));
    }
}

/// Whether every thread sets and gets the values of thread-specific keys for itself alone.
fn keeps_values(names: &Names<'_>) -> bool {
    let of_others = |action: &Action, id: FunctionId| {
        let writes_all = action
            .steps()
            .iter()
            .any(|step| matches!(step, AtomicStep::WriteThreads { field, .. } if *field == GhostField::ThreadSpecific));
        let touches = action.touches();
        let mut values = touches.iter().filter(|touch| touch.what == Touched::Ghost(GhostField::ThreadSpecific));
        writes_all || values.any(|touch| !is_own_thread(names, id, touch.address))
    };
    let mut functions = names.program.functions.iter().enumerate();
    !functions
        .any(|(index, function)| function.edges.iter().any(|edge| of_others(&edge.action, FunctionId::new(index))))
}

/// Whether an address lies in the executing thread's own object: it and a number.
fn is_own_thread(names: &Names<'_>, id: FunctionId, address: &Expr) -> bool {
    match address {
        Expr::Address(Base::SelfThread, _) => true,
        Expr::Binary(BinaryOp::Add, base, key) => {
            matches!(**base, Expr::Address(Base::SelfThread, _)) && names.targets(id, key).is_empty()
        }
        _ => false,
    }
}
