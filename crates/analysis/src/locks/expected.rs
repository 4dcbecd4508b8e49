//! Compare-and-exchange with what is in a register: `if (old == expected) word := 1`. It takes a lock if the register
//! holds 0, as where C11's `atomic_compare_exchange_strong(&word, &expected, 1)` has loaded it from a local that was
//! set to 0.
//!
//! Constants are followed through registers and those locals of a function that nobody writes through a pointer: every
//! write of such a local names it, and is one of the executing activation.

use super::names::{Foreign, rewrite, split};
use crate::{AbstractObject, PointsTo};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_program::{
    Access, AccessKind, Accesses, Action, AtomicStep, Base, BinaryOp, Bits, EdgeId, Expr, FrameObjectId, Function,
    FunctionId, LocationId, Place, Program, RegisterId, ValueFlow,
};
use std::collections::{BTreeMap, BTreeSet};

/// By update that compares with registers, those of them that hold 0 when it is made.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    zeros: FxHashMap<(FunctionId, EdgeId), Vec<RegisterId>>,
}

/// What may hold a constant: a register, or some bytes of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Register(RegisterId),
    Local { object: FrameObjectId, offset: i64, size: u32 },
}

type Constants = BTreeMap<Holder, Bits>;

impl Expected {
    /// Finds them.
    pub fn of(program: &Program, points_to: &PointsTo) -> Expected {
        let mut compared: BTreeMap<FunctionId, Vec<(EdgeId, Vec<RegisterId>)>> = BTreeMap::new();
        for (index, function) in program.functions.iter().enumerate() {
            for (position, edge) in function.edges.iter().enumerate() {
                let registers: Vec<RegisterId> = edge.action.steps().iter().flat_map(compared_registers).collect();
                if !registers.is_empty() {
                    compared.entry(FunctionId::new(index)).or_default().push((EdgeId::new(position), registers));
                }
            }
        }
        let mut expected = Expected::default();
        if compared.is_empty() {
            return expected;
        }
        let exposed = exposed(program, points_to, |function| compared.contains_key(&function));
        for (id, updates) in compared {
            let function = program.function(id);
            let relevant = Relevant::to(function, updates.iter().flat_map(|(_, registers)| registers));
            let search = Search { function, relevant, exposed: exposed.get(&id) };
            let at = search.everywhere();
            for (edge, registers) in updates {
                let Some(known) = &at[function.edge(edge).source.index()] else { continue };
                let is_zero =
                    |register: &RegisterId| known.get(&Holder::Register(*register)).is_some_and(|bits| bits.is_zero());
                // What the update itself assigns is not what it was before.
                let own = function.edge(edge).action.assigned();
                let zeros: Vec<RegisterId> =
                    registers.into_iter().filter(|register| is_zero(register) && !own.contains(register)).collect();
                if !zeros.is_empty() {
                    expected.zeros.insert((id, edge), zeros);
                }
            }
        }
        expected
    }

    /// The registers that hold 0 when an update is made that compares with them.
    pub fn zeros(&self, function: FunctionId, edge: EdgeId) -> &[RegisterId] {
        self.zeros.get(&(function, edge)).map_or(&[], Vec::as_slice)
    }
}

/// The registers that a write of an update compares.
fn compared_registers(step: &AtomicStep) -> Vec<RegisterId> {
    match step {
        AtomicStep::Write { when: Expr::Binary(BinaryOp::Equal, left, right), .. } => match (&**left, &**right) {
            (Expr::Register(left, _), Expr::Register(right, _)) => vec![*left, *right],
            _ => Vec::new(),
        },
        AtomicStep::Write { .. }
        | AtomicStep::Read { .. }
        | AtomicStep::Let { .. }
        | AtomicStep::Guard(_)
        | AtomicStep::Spurious
        | AtomicStep::Require(..)
        | AtomicStep::PickThread { .. }
        | AtomicStep::WriteThreads { .. }
        | AtomicStep::Mark { .. } => Vec::new(),
    }
}

/// The locals of some functions that may be written otherwise than by their names.
fn exposed(
    program: &Program,
    points_to: &PointsTo,
    is_asked: impl Fn(FunctionId) -> bool,
) -> FxHashMap<FunctionId, FxHashSet<FrameObjectId>> {
    let mut found: FxHashMap<FunctionId, FxHashSet<FrameObjectId>> = FxHashMap::default();
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(index);
        for touch in function.edges.iter().flat_map(|edge| edge.action.touches()) {
            if touch.mode.kind == AccessKind::Read || matches!(split(touch.address), (Expr::Address(..), _)) {
                continue;
            }
            for target in points_to.shared_targets_of(id, touch.address).iter() {
                if let AbstractObject::Frame(of, object) = target.object
                    && is_asked(of)
                {
                    found.entry(of).or_default().insert(object);
                }
            }
        }
    }
    found
}

/// What constants may come from that are compared with.
#[derive(Default)]
struct Relevant {
    registers: BTreeSet<RegisterId>,
    locals: BTreeSet<FrameObjectId>,
}

impl Relevant {
    fn to<'a>(function: &Function, registers: impl Iterator<Item = &'a RegisterId>) -> Relevant {
        let mut relevant = Relevant { registers: registers.copied().collect(), ..Relevant::default() };
        let count = |relevant: &Relevant| (relevant.registers.len(), relevant.locals.len());
        loop {
            let before = count(&relevant);
            for edge in &function.edges {
                match edge.action.value_flow() {
                    ValueFlow::Assign { target, value } => relevant.computed(target, value),
                    ValueFlow::Load { target, access } => relevant.loaded(target, access),
                    ValueFlow::Store { access, value } => relevant.stored(access, value),
                    ValueFlow::Update(steps) => steps.iter().for_each(|step| match step {
                        AtomicStep::Let { target, value } => relevant.computed(*target, value),
                        AtomicStep::Read { target, access } => relevant.loaded(*target, access),
                        AtomicStep::Write { .. }
                        | AtomicStep::Guard(_)
                        | AtomicStep::Spurious
                        | AtomicStep::Require(..)
                        | AtomicStep::PickThread { .. }
                        | AtomicStep::WriteThreads { .. }
                        | AtomicStep::Mark { .. } => {}
                    }),
                    ValueFlow::None
                    | ValueFlow::Choose { .. }
                    | ValueFlow::Call { .. }
                    | ValueFlow::Spawn { .. }
                    | ValueFlow::Return { .. }
                    | ValueFlow::Allocate { .. } => {}
                }
            }
            if count(&relevant) == before {
                return relevant;
            }
        }
    }

    fn computed(&mut self, target: RegisterId, value: &Expr) {
        if self.registers.contains(&target) {
            value.for_each_register(&mut |register| _ = self.registers.insert(register));
        }
    }

    fn loaded(&mut self, target: RegisterId, access: &Access) {
        if let Some(Holder::Local { object, .. }) = named(access).filter(|_| self.registers.contains(&target)) {
            self.locals.insert(object);
        }
    }

    fn stored(&mut self, access: &Access, value: &Expr) {
        if matches!(named(access), Some(Holder::Local { object, .. }) if self.locals.contains(&object)) {
            value.for_each_register(&mut |register| _ = self.registers.insert(register));
        }
    }

    fn contains(&self, holder: Holder) -> bool {
        match holder {
            Holder::Register(register) => self.registers.contains(&register),
            Holder::Local { object, .. } => self.locals.contains(&object),
        }
    }
}

/// The search for constants in one function.
struct Search<'a> {
    function: &'a Function,
    relevant: Relevant,
    /// The locals of which nothing is known.
    exposed: Option<&'a FxHashSet<FrameObjectId>>,
}

impl Search<'_> {
    /// What is known at every location; `None` where nobody ever is.
    fn everywhere(&self) -> Vec<Option<Constants>> {
        let mut at: Vec<Option<Constants>> = vec![None; self.function.locations.len()];
        at[self.function.entry.index()] = Some(Constants::new());
        let mut pending: BTreeSet<LocationId> = BTreeSet::from([self.function.entry]);
        while let Some(location) = pending.pop_first() {
            let Some(known) = at[location.index()].clone() else { continue };
            for edge in self.function.location(location).outgoing.iter().map(|edge| self.function.edge(*edge)) {
                if edge.action.falls_through() && meet(&mut at[edge.target.index()], self.after(&edge.action, &known)) {
                    pending.insert(edge.target);
                }
            }
        }
        at
    }

    fn after(&self, action: &Action, before: &Constants) -> Constants {
        let mut known = before.clone();
        match action.value_flow() {
            ValueFlow::Assign { target, value } => {
                self.set(&mut known, Holder::Register(target), constant(before, value));
            }
            ValueFlow::Load { target, access } => self.load(&mut known, target, access),
            ValueFlow::Store { access, value } => self.store(&mut known, access, constant(before, value)),
            ValueFlow::Update(steps) => steps.iter().for_each(|step| self.after_step(step, &mut known)),
            ValueFlow::None
            | ValueFlow::Choose { .. }
            | ValueFlow::Call { .. }
            | ValueFlow::Spawn { .. }
            | ValueFlow::Return { .. }
            | ValueFlow::Allocate { .. } => {
                action.assigned().into_iter().for_each(|register| _ = known.remove(&Holder::Register(register)));
            }
        }
        match action.accesses() {
            Accesses::Local(gone) => {
                known.retain(|holder, _| !matches!(holder, Holder::Local { object, .. } if *object == gone));
            }
            // The identity of a new thread.
            Accesses::One(access, AccessKind::Write) if !matches!(action, Action::Store { .. }) => {
                self.store(&mut known, access, None);
            }
            Accesses::One(..) | Accesses::None | Accesses::Update(_) | Accesses::Freed(_) | Accesses::Printed(_) => {}
        }
        known
    }

    fn after_step(&self, step: &AtomicStep, known: &mut Constants) {
        match step {
            AtomicStep::Read { target, access } => self.load(known, *target, access),
            AtomicStep::Let { target, value } => {
                let value = constant(known, value);
                self.set(known, Holder::Register(*target), value);
            }
            AtomicStep::Write { access, .. } => self.store(known, access, None),
            AtomicStep::PickThread { .. }
            | AtomicStep::WriteThreads { .. }
            | AtomicStep::Guard(_)
            | AtomicStep::Spurious
            | AtomicStep::Require(..)
            | AtomicStep::Mark { .. } => {
                step.assigned().into_iter().for_each(|register| _ = known.remove(&Holder::Register(register)));
            }
        }
    }

    fn load(&self, known: &mut Constants, target: RegisterId, access: &Access) {
        let width = self.function.register(target).width;
        let held = self.local(access).and_then(|local| known.get(&local).copied());
        self.set(known, Holder::Register(target), held.filter(|bits| bits.width() == width));
    }

    fn store(&self, known: &mut Constants, access: &Access, value: Option<Bits>) {
        let Some(written @ Holder::Local { object, offset, size }) = self.local(access) else { return };
        known.retain(|holder, _| match holder {
            Holder::Local { object: other, offset: at, size: length } => {
                *other != object || at + i64::from(*length) <= offset || offset + i64::from(size) <= *at
            }
            Holder::Register(_) => true,
        });
        self.set(known, written, value.filter(|bits| bits.width() == 8 * size));
    }

    /// The bytes of a local that an access names, if nobody else writes that local.
    fn local(&self, access: &Access) -> Option<Holder> {
        let local = named(access)?;
        let is_exposed = |object| self.exposed.is_some_and(|exposed| exposed.contains(&object));
        (!matches!(local, Holder::Local { object, .. } if is_exposed(object))).then_some(local)
    }

    fn set(&self, known: &mut Constants, holder: Holder, value: Option<Bits>) {
        match value.filter(|_| self.relevant.contains(holder)) {
            Some(bits) => _ = known.insert(holder, bits),
            None => _ = known.remove(&holder),
        }
    }
}

/// The bytes of a local that an access names.
fn named(access: &Access) -> Option<Holder> {
    let Place::Memory { address, size, .. } = &access.place else { return None };
    match split(address) {
        (Expr::Address(Base::Frame(object), _), offset) => Some(Holder::Local { object: *object, offset, size: *size }),
        _ => None,
    }
}

fn constant(known: &Constants, value: &Expr) -> Option<Bits> {
    let replacement = |part: &Expr| match part {
        Expr::Register(register, _) => {
            known.get(&Holder::Register(*register)).map(|bits| Some(Expr::Constant(*bits))).ok_or(Foreign)
        }
        Expr::Address(..) => Err(Foreign),
        _ => Ok(None),
    };
    match rewrite(value, &replacement).ok()?.simplified() {
        Expr::Constant(bits) => Some(bits),
        _ => None,
    }
}

/// What is known on both ways; whether this is less than before.
fn meet(there: &mut Option<Constants>, other: Constants) -> bool {
    let Some(known) = there else {
        *there = Some(other);
        return true;
    };
    let before = known.len();
    known.retain(|holder, bits| other.get(holder) == Some(bits));
    known.len() != before
}
