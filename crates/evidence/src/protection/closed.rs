//! Whether what pointers are said to point to is true: kept by every edge, as an invariant is. Who found it is not asked.
//!
//! Said is, of every register and every cell of every object, which objects the addresses in it may be in, and where. An
//! edge keeps that if whatever it moves is among what is said of where it moves it to. What comes out of nothing is left
//! aside ([`super::settled`]). Threads are told apart by the edges that start them.

use rustc_hash::FxHashMap;
use selvedge_analysis::points_to::SharedTargets;
use selvedge_analysis::{AbstractObject, Offset, PointsTo, SpawnSite, Target};
use selvedge_program::{
    Access, Action, AtomicStep, Base, BinaryOp, Budget, Callee, EdgeId, Exhausted, Expr, FunctionId, GhostField,
    ObjectId, Place, Program, RegisterId, Span, UnaryOp,
};

use super::names::is_constant;

/// The first place where it is not; `None` if it is.
///
/// # Errors
/// When the budget is used up.
pub fn broken(program: &Program, points_to: &PointsTo, budget: &Budget) -> Result<Option<Span>, Exhausted> {
    let mut check = Check { program, points_to, covered: FxHashMap::default(), is_closed: true };
    for (index, object) in program.objects.iter().enumerate() {
        for initial in &object.initial {
            let target = Target {
                object: AbstractObject::Static(ObjectId::new(index)),
                offset: Offset { start: initial.offset as i64, stride: 0 },
            };
            check.stored(FunctionId(0), target, initial.size, &initial.value);
        }
        if !check.is_closed {
            return Ok(Some(object.span));
        }
    }
    for (index, function) in program.functions.iter().enumerate() {
        budget.check()?;
        for (position, edge) in function.edges.iter().enumerate() {
            check.edge(FunctionId::new(index), EdgeId::new(position), &edge.action);
            if !check.is_closed {
                return Ok(Some(edge.span));
            }
        }
    }
    Ok(None)
}

/// How far an address is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Shift {
    by: i64,
    /// And by any multiple of this; 0 for none.
    multiples: u64,
}

impl Shift {
    const NONE: Shift = Shift { by: 0, multiples: 0 };
    const ANYWHERE: Shift = Shift { by: 0, multiples: 1 };

    fn then(self, other: Shift) -> Shift {
        let multiples = Offset::common_stride(self.multiples, other.multiples);
        Shift { by: self.by.wrapping_add(other.by), multiples }
    }

    /// Of a function only the start is told of, which stands for all of it: nothing is stored there, and it is called
    /// from there alone.
    fn apply(self, target: Target) -> Target {
        if let AbstractObject::Function(_) = target.object {
            return target;
        }
        let moved = target.offset.plus(self.by);
        Target { offset: if self.multiples == 0 { moved } else { moved.plus_multiples(self.multiples) }, ..target }
    }
}

/// Where the addresses in a value come from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Register(RegisterId),
    Object(AbstractObject),
}

struct Check<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    covered: FxHashMap<(SharedTargets, Shift, SharedTargets), bool>,
    is_closed: bool,
}

impl Check<'_> {
    fn edge(&mut self, id: FunctionId, edge: EdgeId, action: &Action) {
        match action {
            Action::Assign { target, value } => self.assigned(id, *target, value),
            Action::Load { target, access, .. } => self.loaded(id, *target, access),
            Action::Store { access, value } => self.written(id, access, value),
            Action::Atomic(steps) => steps.iter().for_each(|step| self.step(id, step)),
            Action::Allocate { target, site, .. } => self.holds(id, *target, AbstractObject::Site(*site)),
            Action::Spawn { target, entry, arguments, id: stored } => {
                self.holds(id, *target, AbstractObject::Started(SpawnSite { function: id, edge }));
                if let Some(access) = stored {
                    let handle = Expr::register(*target, self.program.pointer_width());
                    self.written(id, access, &handle);
                }
                for callee in self.entered(id, edge, entry) {
                    self.passed(id, callee, arguments);
                    self.returned(callee, |check, value| {
                        check.ghost_holds(callee, AbstractObject::Thread, GhostField::ThreadResult, value);
                    });
                }
            }
            Action::Call { target, callee, arguments } => {
                for callee in self.entered(id, edge, callee) {
                    self.passed(id, callee, arguments);
                    if let Some(target) = target {
                        let into = self.of_register(id, *target);
                        self.returned(callee, |check, value| check.flows(callee, value, &into));
                    }
                }
            }
            Action::ThreadExit { value } => {
                self.ghost_holds(id, AbstractObject::Thread, GhostField::ThreadResult, value);
            }
            Action::Return { .. }
            | Action::Havoc { .. }
            | Action::Assume(_)
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::Exit { .. }
            | Action::Free { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Output(_)
            | Action::Unsupported(_)
            | Action::Inexact(_) => {}
        }
    }

    fn step(&mut self, id: FunctionId, step: &AtomicStep) {
        match step {
            AtomicStep::Read { target, access } => self.loaded(id, *target, access),
            AtomicStep::Let { target, value } => self.assigned(id, *target, value),
            AtomicStep::Write { access, value, .. } => self.written(id, access, value),
            AtomicStep::PickThread { target, .. } => self.holds(id, *target, AbstractObject::Thread),
            AtomicStep::WriteThreads { field, value, .. } => {
                self.ghost_holds(id, AbstractObject::Thread, *field, value);
            }
            AtomicStep::Guard(_) | AtomicStep::Spurious | AtomicStep::Require(..) | AtomicStep::Mark { .. } => {}
        }
    }

    fn of_register(&self, function: FunctionId, register: RegisterId) -> SharedTargets {
        let width = self.program.function(function).register(register).width;
        self.points_to.targets_apart(function, &Expr::register(register, width))
    }

    /// The functions that are entered, all of which the list of callees has.
    fn entered(&mut self, id: FunctionId, edge: EdgeId, callee: &Callee) -> Vec<FunctionId> {
        let listed = self.points_to.callees(id, edge);
        let meant = match callee {
            Callee::Direct(function) => vec![*function],
            Callee::Indirect(pointer) => {
                let targets = self.points_to.targets_apart(id, pointer);
                let function = |target: &Target| match target.object {
                    AbstractObject::Function(function) => Some(function),
                    AbstractObject::Static(_)
                    | AbstractObject::Frame(..)
                    | AbstractObject::Site(_)
                    | AbstractObject::Thread
                    | AbstractObject::Started(_) => None,
                };
                targets.iter().filter_map(function).collect()
            }
        };
        self.is_closed &= meant.iter().all(|function| listed.contains(function));
        listed.to_vec()
    }

    fn passed(&mut self, id: FunctionId, callee: FunctionId, arguments: &[Expr]) {
        for (parameter, argument) in self.program.function(callee).parameters.iter().zip(arguments) {
            let into = self.of_register(callee, *parameter);
            self.flows(id, argument, &into);
        }
    }

    fn returned(&mut self, callee: FunctionId, visit: impl Fn(&mut Self, &Expr)) {
        let program = self.program;
        for edge in &program.function(callee).edges {
            if let Action::Return { value: Some(value) } = &edge.action {
                visit(self, value);
            }
        }
    }

    fn assigned(&mut self, id: FunctionId, target: RegisterId, value: &Expr) {
        let into = self.of_register(id, target);
        self.flows(id, value, &into);
    }

    fn holds(&mut self, id: FunctionId, target: RegisterId, object: AbstractObject) {
        let into = self.of_register(id, target);
        self.is_closed &= has(&into, Target { object, offset: Offset::ZERO });
    }

    /// The addresses of a value are among some.
    fn flows(&mut self, id: FunctionId, value: &Expr, into: &SharedTargets) {
        let sources = self.sources(id, value);
        for (source, shift) in sources {
            match source {
                Source::Register(register) => {
                    let from = self.of_register(id, register);
                    self.is_closed &= self.covers(&from, shift, into);
                }
                Source::Object(object) => {
                    self.is_closed &= has(into, shift.apply(Target { object, offset: Offset::ZERO }));
                }
            }
        }
    }

    /// Where the addresses in a value come from.
    fn sources(&self, id: FunctionId, value: &Expr) -> Vec<(Source, Shift)> {
        let may_be_address = |register: RegisterId| !self.of_register(id, register).is_empty();
        let mut sources = Vec::new();
        sources_of((id, &may_be_address), value, Shift::NONE, &mut sources);
        sources
    }

    fn covers(&mut self, from: &SharedTargets, shift: Shift, into: &SharedTargets) -> bool {
        if shift == Shift::NONE && from == into {
            return true;
        }
        let find = || from.iter().all(|target| has(into, shift.apply(*target)));
        *self.covered.entry((from.clone(), shift, into.clone())).or_insert_with(find)
    }

    fn written(&mut self, id: FunctionId, access: &Access, value: &Expr) {
        match &access.place {
            Place::Memory { address, size, .. } => {
                // Writing to a constant is undefined.
                for target in self.points_to.targets_apart(id, address).iter() {
                    if !is_constant(self.program, target.object) {
                        self.stored(id, *target, *size, value);
                    }
                }
            }
            Place::Ghost { address, field } => {
                for target in self.points_to.targets_apart(id, address).iter() {
                    self.ghost_holds(id, target.object, *field, value);
                }
            }
        }
    }

    /// A value is stored at a target: some cell that covers it says so.
    fn stored(&mut self, id: FunctionId, target: Target, size: u32, value: &Expr) {
        let sources = self.sources(id, value);
        let is_number = sources.iter().all(|(source, _)| match source {
            Source::Register(register) => self.of_register(id, *register).is_empty(),
            Source::Object(_) => false,
        });
        if is_number || !self.can_be_written(target, size) {
            return;
        }
        let cells = self.points_to.cells_of(target.object);
        let before = self.is_closed;
        let mut is_said = false;
        for (offset, cell_size, held) in cells {
            if cell_size == size && offset.covers(target.offset) {
                self.is_closed = true;
                self.flows(id, value, &held);
                is_said |= self.is_closed;
            }
        }
        self.is_closed = before && is_said;
    }

    /// Whether so many bytes can be there: not outside of an object.
    fn can_be_written(&self, target: Target, size: u32) -> bool {
        let room = match target.object {
            AbstractObject::Function(_) | AbstractObject::Thread | AbstractObject::Started(_) => return false,
            AbstractObject::Static(id) => self.program.object(id).size,
            AbstractObject::Frame(function, local) => self.program.function(function).frame_object(local).size,
            AbstractObject::Site(_) => return true,
        };
        let Offset { start, stride } = target.offset;
        let end = u64::try_from(start).ok().and_then(|start| start.checked_add(u64::from(size)));
        stride != 0 || end.is_some_and(|end| end <= room)
    }

    fn loaded(&mut self, id: FunctionId, register: RegisterId, access: &Access) {
        let into = self.of_register(id, register);
        match &access.place {
            Place::Memory { address, size, .. } => {
                for target in self.points_to.targets_apart(id, address).iter() {
                    for (offset, cell_size, held) in self.points_to.cells_of(target.object) {
                        let is_met = offset.may_overlap(u64::from(cell_size), target.offset, u64::from(*size));
                        if is_met && self.can_be_read(*target, *size) {
                            self.is_closed &= self.covers(&held, Shift::NONE, &into);
                        }
                    }
                }
            }
            Place::Ghost { address, field } => {
                for target in self.points_to.targets_apart(id, address).iter() {
                    let held = self.points_to.ghost_of(target.object, *field);
                    self.is_closed &= self.covers(&held, Shift::NONE, &into);
                }
            }
        }
    }

    /// Whether reading there is defined, and may give an address.
    fn can_be_read(&self, target: Target, size: u32) -> bool {
        let holds_numbers = is_constant(self.program, target.object)
            && matches!(target.object, AbstractObject::Static(id)
                if self.program.object(id).initial.iter().all(|initial| matches!(initial.value, Expr::Constant(_))));
        !holds_numbers && self.can_be_written(target, size)
    }

    fn ghost_holds(&mut self, id: FunctionId, object: AbstractObject, field: GhostField, value: &Expr) {
        let held = self.points_to.ghost_of(object, field);
        self.flows(id, value, &held);
    }
}

/// Whether a target is among some, perhaps with others.
fn has(targets: &SharedTargets, target: Target) -> bool {
    let first = targets.partition_point(|other| other.object < target.object);
    let same = targets[first..].iter().take_while(|other| other.object == target.object);
    same.into_iter().any(|other| other.offset.covers(target.offset))
}

/// A function, and which of its registers may hold addresses.
type Here<'a> = (FunctionId, &'a dyn Fn(RegisterId) -> bool);

/// Where the addresses in a value come from, and how far they are moved. Whatever is computed with an address may still
/// be one, somewhere in its object, but for comparisons, and for what is multiplied by the size of an element and
/// added to an address: that is an index, as the sum of two addresses is none.
fn sources_of(at: Here<'_>, value: &Expr, shift: Shift, found: &mut Vec<(Source, Shift)>) {
    match value {
        Expr::Constant(_) | Expr::Unary(UnaryOp::IsWithin, _) => {}
        Expr::Register(register, _) => found.push((Source::Register(*register), shift)),
        Expr::Address(base, _) => {
            let object = match base {
                Base::Object(object) => AbstractObject::Static(*object),
                Base::Frame(local) => AbstractObject::Frame(at.0, *local),
                Base::Function(function) => AbstractObject::Function(*function),
                Base::SelfThread => AbstractObject::Thread,
            };
            found.push((Source::Object(object), shift));
        }
        Expr::Unary(_, operand) if operand.width() == 1 => {}
        Expr::Unary(_, operand) => sources_of(at, operand, shift.then(Shift::ANYWHERE), found),
        Expr::Convert(_, _, operand) => sources_of(at, operand, shift, found),
        Expr::Binary(op, ..) if op.is_comparison() => {}
        Expr::Binary(BinaryOp::Add, left, right) => {
            if !(is_index(left) && is_address(at, right)) {
                sources_of(at, left, shift.then(distance(right, 1)), found);
            }
            if !(is_index(right) && is_address(at, left)) {
                sources_of(at, right, shift.then(distance(left, 1)), found);
            }
        }
        Expr::Binary(BinaryOp::Subtract, left, right) => {
            sources_of(at, left, shift.then(distance(right, -1)), found);
            if !(is_index(right) && is_address(at, left)) {
                sources_of(at, right, shift.then(Shift::ANYWHERE), found);
            }
        }
        Expr::Binary(_, left, right) => {
            sources_of(at, left, shift.then(Shift::ANYWHERE), found);
            sources_of(at, right, shift.then(Shift::ANYWHERE), found);
        }
        Expr::IfThenElse(_, then, otherwise) => {
            sources_of(at, then, shift, found);
            sources_of(at, otherwise, shift, found);
        }
    }
}

/// The largest element of an array whose index is taken for one.
const LARGEST_ELEMENT: u64 = 1 << 15;

/// Whether a number is an index times the size of an element.
fn is_index(number: &Expr) -> bool {
    let is_size = |size: &Expr| match size {
        Expr::Constant(bits) => (2..=u128::from(LARGEST_ELEMENT)).contains(&bits.unsigned()),
        _ => false,
    };
    match number {
        Expr::Binary(BinaryOp::Multiply, left, right) => is_size(left) || is_size(right),
        _ => false,
    }
}

/// Whether a value may be an address that no number was multiplied with.
fn is_address((id, may_be_address): Here<'_>, value: &Expr) -> bool {
    match value {
        Expr::Address(..) => true,
        Expr::Register(register, _) => may_be_address(*register),
        Expr::Binary(BinaryOp::Add, left, right) => {
            let at: Here<'_> = (id, may_be_address);
            (is_address(at, left) && !is_index(left)) || (is_address(at, right) && !is_index(right))
        }
        Expr::Binary(BinaryOp::Subtract, left, _) => is_address((id, may_be_address), left),
        _ => false,
    }
}

/// How far adding a number moves an address.
fn distance(number: &Expr, sign: i64) -> Shift {
    match number {
        Expr::Constant(bits) => match i64::try_from(bits.as_signed()) {
            Ok(by) => Shift { by: by.wrapping_mul(sign), multiples: 0 },
            Err(_) => Shift::ANYWHERE,
        },
        number => Shift { by: 0, multiples: divisor(number) },
    }
}

/// Something that divides every value of a number, as C's indices are multiplied by the size of an element; 0 divides
/// 0 alone. Of what does not fit the width, powers of two are still divisors.
fn divisor(number: &Expr) -> u64 {
    let of_all = match number {
        Expr::Constant(bits) => u64::try_from(bits.as_signed().unsigned_abs()).unwrap_or(1),
        Expr::Binary(BinaryOp::Multiply, left, right) => match (&**left, &**right) {
            (Expr::Constant(_), _) => divisor(left),
            (_, Expr::Constant(_)) => divisor(right),
            _ => 1,
        },
        Expr::Binary(BinaryOp::ShiftLeft, _, amount) => match &**amount {
            Expr::Constant(bits) => {
                u32::try_from(bits.unsigned()).ok().and_then(|by| 1u64.checked_shl(by)).unwrap_or(1)
            }
            _ => 1,
        },
        Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) => {
            Offset::common_stride(divisor(left), divisor(right))
        }
        Expr::IfThenElse(_, then, otherwise) => Offset::common_stride(divisor(then), divisor(otherwise)),
        _ => 1,
    };
    match number {
        Expr::Binary(BinaryOp::Multiply | BinaryOp::Add | BinaryOp::Subtract, ..) if number.may_wrap() => {
            if of_all == 0 { 0 } else { 1 << of_all.trailing_zeros() }
        }
        _ => of_all,
    }
}
