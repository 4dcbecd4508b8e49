//! Elements of arrays by an index that is no constant: which element a register points to, in terms of other registers,
//! as an annotation of locations that every edge keeps; and when two accesses to one element have made sure of one
//! lock.
//!
//! **One element for all.** A lock and an access whose places both depend on one index are looked at for any value of
//! it. Where two accesses meet, their indices are the same number (as long as no product wraps around and each stays
//! within its element), so what depends on nothing but the index is the same lock.

use std::collections::BTreeMap;
use std::rc::Rc;

use selvedge_program::{
    Action, AtomicStep, Base, BinaryOp, Bits, Budget, Conversion, Exhausted, Expr, Function, FunctionId, LocationId,
    LockKind, ObjectId, ObjectKind, Operation, Program, RegisterId, Transfer,
};

use super::names::{Names, behind};

/// A place in a static object: so many bytes from its beginning, and so many times a stride as an index says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Element {
    pub object: ObjectId,
    pub start: i64,
    pub stride: u64,
    /// Over registers; no address is in it.
    pub index: Expr,
}

impl Element {
    /// An address as that of an element.
    pub fn of(program: &Program, address: &Expr) -> Option<Element> {
        let mut sum = Sum::default();
        sum.add(address)?;
        let object = sum.object.filter(|object| program.object(*object).kind != ObjectKind::ThreadLocal)?;
        let (index, stride) = sum.index?;
        let mut is_number = true;
        let _ = replaced(&index, &mut |part| {
            is_number &= !matches!(part, Expr::Address(..));
            None
        });
        is_number.then_some(Element { object, start: sum.constant, stride, index })
    }

    /// The place so many bytes further on.
    fn further(&self, distance: i64) -> Option<Element> {
        Some(Element { start: self.start.checked_add(distance)?, ..self.clone() })
    }

    /// Its address.
    pub fn address(&self, width: u32) -> Expr {
        let stride = Expr::Constant(Bits::new(width, u128::from(self.stride)));
        let start = Expr::Constant(Bits::signed(width, i128::from(self.start)));
        let binary = |op, left, right| Expr::Binary(op, Box::new(left), Box::new(right));
        let moved = binary(BinaryOp::Multiply, self.index.clone(), stride);
        let base = binary(BinaryOp::Add, Expr::Address(Base::Object(self.object), width), moved);
        binary(BinaryOp::Add, base, start)
    }

    pub fn mentions(&self, register: RegisterId) -> bool {
        self.index.mentions(&[register])
    }

    /// The same in other terms; `None` if a register is left that has none.
    pub fn in_terms(&self, terms: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Option<Element> {
        let mut is_whole = true;
        let index = replaced(&self.index, &mut |part| {
            let term = terms(part);
            is_whole &= term.is_some() || !matches!(part, Expr::Register(..));
            term
        });
        is_whole.then(|| Element { index, ..self.clone() })
    }
}

/// An address as a sum.
#[derive(Default)]
struct Sum {
    object: Option<ObjectId>,
    constant: i64,
    index: Option<(Expr, u64)>,
}

impl Sum {
    /// Adds what an expression is the sum of; `None` if that has another form.
    fn add(&mut self, expr: &Expr) -> Option<()> {
        let number = |bits: Bits| i64::try_from(bits.as_signed()).ok();
        match expr {
            Expr::Constant(bits) => self.constant = self.constant.checked_add(number(*bits)?)?,
            Expr::Address(Base::Object(object), _) if self.object.is_none() => self.object = Some(*object),
            Expr::Binary(BinaryOp::Add, left, right) if self.object.is_none() || self.index.is_none() => {
                // What is added to an index before it is multiplied belongs to the index.
                self.add(left)?;
                self.add(right)?;
            }
            Expr::Binary(BinaryOp::Subtract, left, right) => {
                let Expr::Constant(bits) = **right else { return None };
                self.add(left)?;
                self.constant = self.constant.checked_sub(number(bits)?)?;
            }
            _ if self.index.is_none() => self.index = Some(scaled(expr)?),
            _ => return None,
        }
        Some(())
    }
}

/// An index and what it is multiplied by.
fn scaled(expr: &Expr) -> Option<(Expr, u64)> {
    let factor = |bits: Bits| u64::try_from(bits.as_signed()).ok().filter(|factor| *factor > 0);
    match expr {
        Expr::Binary(BinaryOp::Multiply, left, right) => match (&**left, &**right) {
            (index, Expr::Constant(bits)) | (Expr::Constant(bits), index) => Some((index.clone(), factor(*bits)?)),
            _ => None,
        },
        Expr::Binary(BinaryOp::ShiftLeft, index, amount) => match **amount {
            Expr::Constant(bits) if bits.unsigned() < 32 => Some(((**index).clone(), 1 << bits.unsigned())),
            _ => None,
        },
        Expr::Address(..) => None,
        _ => Some((expr.clone(), 1)),
    }
}

/// An expression with parts replaced, the outermost first.
fn replaced(expr: &Expr, by: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Expr {
    if let Some(other) = by(expr) {
        return other;
    }
    let mut part = |expr: &Expr| Box::new(replaced(expr, by));
    match expr {
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => expr.clone(),
        Expr::Unary(op, operand) => Expr::Unary(*op, part(operand)),
        Expr::Convert(conversion, width, operand) => Expr::Convert(*conversion, *width, part(operand)),
        Expr::Binary(op, left, right) => {
            let left = part(left);
            Expr::Binary(*op, left, part(right))
        }
        Expr::IfThenElse(condition, then, otherwise) => {
            let (condition, then) = (part(condition), part(then));
            Expr::IfThenElse(condition, then, part(otherwise))
        }
    }
}

/// How a lock that is held lies to an access to an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Beside {
    pub lock: Where,
    pub kind: LockKind,
    /// The size of the elements that are accessed.
    stride: u64,
    /// The first byte that is accessed and the one behind the last, from where the lock or the element lies.
    window: (i64, i64),
}

/// Where the lock of an element lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Where {
    /// In the object that is accessed, so far from its beginning but for a multiple of the stride.
    Within(i64),
    /// In an object, at a place that the index alone decides: how, and how the index decides the element, by number.
    Indexed { object: ObjectId, place: u32, element: u32 },
}

impl Beside {
    /// A lock in the same object, at a distance from its beginning that is known but for a multiple of a stride; the
    /// access is so far from it.
    pub fn within(kind: LockKind, (start, stride): (i64, u64), distance: i64, size: u64) -> Option<Beside> {
        let stride_of = i64::try_from(stride).ok().filter(|stride| *stride > 0)?;
        let end = distance.checked_add(i64::try_from(size).ok()?)?;
        Some(Beside { lock: Where::Within(start.rem_euclid(stride_of)), kind, stride, window: (distance, end) })
    }

    /// A lock and an access that depend on one index.
    pub fn indexed(names: &Names<'_>, kind: LockKind, lock: &Element, access: &Element, size: u64) -> Vec<Beside> {
        let Element { start, stride, index, .. } = access;
        let width = names.program.pointer_width();
        // Two different indices are never the same element.
        let is_exact = index.magnitude().saturating_mul(u128::from(*stride)) < 1 << (width - 2);
        // Or else they are, and the same lock's too: both products wrap around alike.
        let wraps_alike = lock.index == *index && stride.is_power_of_two() && lock.stride.is_multiple_of(*stride);
        let end = i64::try_from(size).ok().and_then(|size| start.checked_add(size));
        let Some(end) = end.filter(|_| is_exact || wraps_alike) else { return Vec::new() };
        let mut found = Vec::new();
        let core = core(index);
        let hole = Expr::Register(HOLE, core.width());
        let with_hole = |expr: &Expr| replaced(expr, &mut |part| (part == core).then(|| hole.clone()));
        let place = Element { index: with_hole(&lock.index), ..lock.clone() };
        let mut depends_on_more = false;
        place.index.for_each_register(&mut |register| depends_on_more |= register != HOLE);
        if !depends_on_more {
            let element = Element { start: 0, index: with_hole(index), ..access.clone() };
            let (place, element) = (names.number(&place), names.number(&element));
            let lock = Where::Indexed { object: lock.object, place, element };
            found.push(Beside { lock, kind, stride: *stride, window: (*start, end) });
        }
        if lock.object == access.object && lock.stride == *stride && lock.index == *index {
            let distance = start.checked_sub(lock.start);
            found.extend(distance.and_then(|distance| Beside::within(kind, (lock.start, *stride), distance, size)));
        }
        found
    }

    /// Whether two accesses that meet have one lock.
    pub fn is_one_lock(&self, other: &Beside) -> bool {
        let reach = self.window.1.max(other.window.1).checked_sub(self.window.0.min(other.window.0));
        (self.lock, self.kind, self.stride) == (other.lock, other.kind, other.stride)
            && reach.is_some_and(|reach| u64::try_from(reach).is_ok_and(|reach| reach <= self.stride))
    }
}

/// What stands for an index.
const HOLE: RegisterId = RegisterId(u32::MAX - 1);

/// What of an index decides it and is decided by it.
fn core(index: &Expr) -> &Expr {
    match index {
        Expr::Convert(Conversion::SignExtend | Conversion::ZeroExtend, _, operand) => core(operand),
        Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, operand, by) if matches!(**by, Expr::Constant(_)) => {
            core(operand)
        }
        _ => index,
    }
}

/// The elements that registers point to.
type Pointing = BTreeMap<RegisterId, Rc<Element>>;

/// Which registers point to elements, and where.
#[derive(Debug)]
pub struct Elements {
    /// By function and location; nothing of functions where nothing is known.
    at: Vec<Vec<Option<Rc<Pointing>>>>,
}

impl Elements {
    /// Finds out what registers point to, where locks of elements are taken.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn of(names: &Names<'_>, budget: &Budget) -> Result<Elements, Exhausted> {
        let program = names.program;
        let is_taken = |step: &AtomicStep| matches!(step, AtomicStep::Mark { operation: Operation::Acquire(..), .. });
        let takes = |function: &Function| function.edges.iter().flat_map(|edge| edge.action.steps()).any(is_taken);
        let has_elements = |function: &Function| {
            let is_one = |action: &Action| matches!(action, Action::Assign { value, .. } if Element::of(program, value).is_some());
            function.edges.iter().any(|edge| is_one(&edge.action))
        };
        let is_any = program.functions.iter().any(|function| takes(function) && has_elements(function));
        let mut at = vec![Vec::new(); program.functions.len()];
        for (index, function) in program.functions.iter().enumerate().filter(|_| is_any) {
            budget.check()?;
            if has_elements(function) {
                at[index] = pointing(program, function, budget)?;
            }
        }
        Ok(Elements { at })
    }

    /// The element that an address is at a location.
    pub fn at(&self, program: &Program, function: FunctionId, location: LocationId, address: &Expr) -> Option<Element> {
        let known = self.at[function.index()].get(location.index()).and_then(Option::as_deref);
        element_of(program, known.unwrap_or(&Pointing::new()), address)
    }
}

fn element_of(program: &Program, known: &Pointing, address: &Expr) -> Option<Element> {
    match behind(address) {
        Some((register, distance)) => known.get(&register)?.further(distance),
        None => Element::of(program, address),
    }
}

/// What the registers of a function point to, by location.
fn pointing(program: &Program, function: &Function, budget: &Budget) -> Result<Vec<Option<Rc<Pointing>>>, Exhausted> {
    let mut at: Vec<Option<Rc<Pointing>>> = vec![None; function.locations.len()];
    at[function.entry.index()] = Some(Rc::default());
    let mut pending = vec![function.entry];
    while let Some(location) = pending.pop() {
        budget.check()?;
        let Some(before) = at[location.index()].clone() else { continue };
        for edge in &function.location(location).outgoing {
            let edge = function.edge(*edge);
            match edge.action.transfer() {
                Transfer::Along
                | Transfer::AtomicBegin
                | Transfer::AtomicEnd
                | Transfer::Spawn { .. }
                | Transfer::Call { .. } => {}
                Transfer::Return { .. } | Transfer::ThreadExit { .. } | Transfer::Exit { .. } | Transfer::Unknown => {
                    continue;
                }
            }
            let after = after(program, &before, &edge.action);
            let known = &mut at[edge.target.index()];
            let met = match known {
                None => after,
                Some(known) => {
                    let is_same =
                        |(register, element): &(&RegisterId, &Rc<Element>)| after.get(register) == Some(element);
                    let both = known.iter().filter(is_same);
                    Rc::new(both.map(|(register, element)| (*register, element.clone())).collect())
                }
            };
            if known.as_ref() != Some(&met) {
                *known = Some(met);
                pending.push(edge.target);
            }
        }
    }
    Ok(at)
}

fn after(program: &Program, before: &Rc<Pointing>, action: &Action) -> Rc<Pointing> {
    let assigned = action.assigned();
    if assigned.is_empty() {
        return before.clone();
    }
    let mut after = Pointing::clone(before);
    after.retain(|register, element| !assigned.contains(register) && !element.index.mentions(&assigned));
    if let Action::Assign { target, value } = action
        && let Some(element) = element_of(program, before, value).filter(|element| !element.mentions(*target))
    {
        after.insert(*target, Rc::new(element));
    }
    Rc::new(after)
}
