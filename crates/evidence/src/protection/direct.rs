//! The static objects whose address is only used to access them. A value out of nothing that may be an address reaches
//! every object, and what is not modelled may do anything: then there are none.

use selvedge_program::addresses::may_come_from_nothing;
use selvedge_program::{
    Action, AtomicStep, Base, BinaryOp, Expr, ObjectId, ObjectKind, Place, Program, RegisterId, ValueFlow,
};

/// By object, whether its address goes nowhere; `None` where that says nothing.
pub fn direct(program: &Program) -> Option<Vec<bool>> {
    let mut edges = program.functions.iter().flat_map(|function| &function.edges);
    if edges.any(|edge| matches!(edge.action, Action::Unsupported(_))) || may_come_from_nothing(program) {
        return None;
    }
    let mut leaks = Leaks { is_direct: vec![true; program.objects.len()], ghosts_go_on: false };
    leaks.find_ghosts(program);
    for object in &program.objects {
        object.initial.iter().for_each(|initial| leaks.goes(&initial.value));
    }
    for function in &program.functions {
        function.edges.iter().for_each(|edge| leaks.action(&edge.action));
    }
    let is_shared = |object: &selvedge_program::Object| object.kind != ObjectKind::ThreadLocal;
    let direct =
        leaks.is_direct.iter().zip(&program.objects).map(|(is_direct, object)| *is_direct && is_shared(object));
    Some(direct.collect())
}

/// The object that an address is in, if it is named, and at which offset, if that is a constant.
pub fn place(address: &Expr) -> Option<(ObjectId, Option<i64>)> {
    match address {
        Expr::Address(Base::Object(object), _) => Some((*object, Some(0))),
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            let (named, distance) = match (place(left), place(right), op) {
                (Some(named), None, _) => (named, right),
                (None, Some(named), BinaryOp::Add) => (named, left),
                _ => return None,
            };
            if mentions_object(distance) {
                return None;
            }
            let constant = match &**distance {
                Expr::Constant(bits) => i64::try_from(bits.as_signed()).ok(),
                _ => None,
            };
            let offset = match (named.1, constant, op) {
                (Some(offset), Some(distance), BinaryOp::Add) => offset.checked_add(distance),
                (Some(offset), Some(distance), _) => offset.checked_sub(distance),
                _ => None,
            };
            Some((named.0, offset))
        }
        _ => None,
    }
}

fn mentions_object(expr: &Expr) -> bool {
    let mut mentioned = false;
    objects(expr, &mut |_| mentioned = true);
    mentioned
}

/// The static objects whose addresses an expression is made of.
fn objects(expr: &Expr, visit: &mut dyn FnMut(ObjectId)) {
    match expr {
        Expr::Address(Base::Object(object), _) => visit(*object),
        Expr::Address(Base::Frame(_) | Base::Function(_) | Base::SelfThread, _)
        | Expr::Constant(_)
        | Expr::Register(..) => {}
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => objects(operand, visit),
        Expr::Binary(_, left, right) => {
            objects(left, visit);
            objects(right, visit);
        }
        Expr::IfThenElse(condition, then, otherwise) => {
            objects(condition, visit);
            objects(then, visit);
            objects(otherwise, visit);
        }
    }
}

/// Where addresses go.
struct Leaks {
    is_direct: Vec<bool>,
    /// Whether what is read from a ghost field goes elsewhere than into conditions and ghost fields.
    ghosts_go_on: bool,
}

impl Leaks {
    /// A value is kept where others find it.
    fn goes(&mut self, value: &Expr) {
        objects(value, &mut |object| self.is_direct[object.index()] = false);
    }

    /// Something is accessed, or is a lock.
    fn accesses(&mut self, address: &Expr) {
        if place(address).is_none() {
            self.goes(address);
        }
    }

    fn action(&mut self, action: &Action) {
        action.touches().iter().for_each(|touch| self.accesses(touch.address));
        for step in action.steps() {
            if let AtomicStep::Mark { object, .. } = step {
                self.accesses(object);
            }
        }
        for_each_value(action, self.ghosts_go_on, &mut |value| self.goes(value));
    }

    /// Finds out whether what ghost fields hold, such as what a thread waits for, is ever more than compared.
    fn find_ghosts(&mut self, program: &Program) {
        for function in &program.functions {
            let read: Vec<RegisterId> = function.edges.iter().flat_map(|edge| ghosts_read(&edge.action)).collect();
            let goes_on = |action: &Action| {
                let mut goes_on = action.touches().iter().any(|touch| touch.address.mentions(&read));
                for_each_value(action, false, &mut |value| goes_on |= value.mentions(&read));
                goes_on
            };
            self.ghosts_go_on |= !read.is_empty() && function.edges.iter().any(|edge| goes_on(&edge.action));
        }
    }
}

/// The registers that take what ghost fields hold.
fn ghosts_read(action: &Action) -> Vec<RegisterId> {
    let is_ghost = |place: &Place| matches!(place, Place::Ghost { .. });
    match action.value_flow() {
        ValueFlow::Load { target, access } if is_ghost(&access.place) => vec![target],
        ValueFlow::Update(steps) => steps
            .iter()
            .filter_map(|step| match step {
                AtomicStep::Read { target, access } if is_ghost(&access.place) => Some(*target),
                AtomicStep::Read { .. }
                | AtomicStep::Let { .. }
                | AtomicStep::Guard(_)
                | AtomicStep::Spurious
                | AtomicStep::Require(..)
                | AtomicStep::Write { .. }
                | AtomicStep::PickThread { .. }
                | AtomicStep::WriteThreads { .. }
                | AtomicStep::Mark { .. } => None,
            })
            .collect(),
        ValueFlow::None
        | ValueFlow::Assign { .. }
        | ValueFlow::Choose { .. }
        | ValueFlow::Load { .. }
        | ValueFlow::Store { .. }
        | ValueFlow::Call { .. }
        | ValueFlow::Spawn { .. }
        | ValueFlow::Return { .. }
        | ValueFlow::Allocate { .. } => Vec::new(),
    }
}

/// The values that an action keeps in registers or memory, or passes on; those that it keeps in ghost fields if wanted.
fn for_each_value(action: &Action, with_ghosts: bool, visit: &mut dyn FnMut(&Expr)) {
    let is_kept = |place: &Place| with_ghosts || matches!(place, Place::Memory { .. });
    match action.value_flow() {
        ValueFlow::None | ValueFlow::Choose { .. } | ValueFlow::Load { .. } | ValueFlow::Allocate { .. } => {}
        ValueFlow::Assign { value, .. } | ValueFlow::Return { value } => visit(value),
        ValueFlow::Store { access, value } => {
            if is_kept(&access.place) {
                visit(value);
            }
        }
        ValueFlow::Call { arguments, .. } | ValueFlow::Spawn { arguments, .. } => arguments.iter().for_each(visit),
        ValueFlow::Update(steps) => {
            for step in steps {
                match step {
                    AtomicStep::Let { value, .. } => visit(value),
                    AtomicStep::Write { access, value, .. } if is_kept(&access.place) => visit(value),
                    AtomicStep::WriteThreads { value, .. } if with_ghosts => visit(value),
                    AtomicStep::Write { .. }
                    | AtomicStep::WriteThreads { .. }
                    | AtomicStep::Read { .. }
                    | AtomicStep::Guard(_)
                    | AtomicStep::Spurious
                    | AtomicStep::Require(..)
                    | AtomicStep::PickThread { .. }
                    | AtomicStep::Mark { .. } => {}
                }
            }
        }
    }
}
