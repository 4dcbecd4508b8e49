//! The edges of atomic operations.

use super::name::{Change, Extreme, Family, Name, Operation, Returned, Strength};
use super::{ModelCall, Modelled, record, scales};
use crate::lower::models::ghost::set;
use crate::types::{TypeId, Types};
use selvedge_program::{Atomicity, BinaryOp, Display, Expr, MemoryOrder, UnaryOp};

/// The object that an operation is about.
#[derive(Clone, Debug)]
struct Subject {
    address: Expr,
    ty: TypeId,
    size: u32,
    align: u32,
    display: Display,
}

/// The memory orders of an operation: of it as a whole, and of a comparison that fails.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orders {
    pub success: MemoryOrder,
    pub failure: MemoryOrder,
}

/// The model of one operation.
pub(super) fn operation(call: &mut ModelCall<'_, '_>, name: &Name) -> Modelled {
    call.note_order(name.order);
    let mut orders = name.orders.iter().map(|index| call.order(*index));
    let success = orders.next().unwrap_or(name.order);
    let orders = Orders { success, failure: orders.next().unwrap_or(success) };
    if let Some(modelled) = record::operation(call, name, orders) {
        return modelled;
    }
    let atomic = Atomicity::Atomic(orders.success);
    let Some(subject) = subject(call, name) else {
        return Modelled::Unsupported(format!("`{}` on an object that is no scalar", call.name));
    };
    match name.operation {
        Operation::Init => store(call, name, &subject, Atomicity::Plain),
        Operation::Load => load(call, name, &subject, atomic),
        Operation::Store => store(call, name, &subject, atomic),
        Operation::Release => {
            let zero = Expr::constant(8 * subject.size, 0);
            call.function.store(subject.address, subject.align, zero, atomic);
            Modelled::Void
        }
        Operation::Exchange => exchange(call, name, &subject, orders),
        Operation::CompareExchange(strength) => compare_exchange(call, name, &subject, strength, orders),
        Operation::SwapBool | Operation::SwapValue => swap(call, name, &subject, orders),
        Operation::Fetch(change, returned) => fetch(call, name, &subject, (change, returned), orders),
    }
}

fn subject(call: &mut ModelCall<'_, '_>, name: &Name) -> Option<Subject> {
    let declared = call.pointee(0).filter(|ty| call.types.scalar_size(*ty).is_some());
    let ty = match (name.size, declared) {
        (Some(size), Some(ty)) if call.types.scalar_size(ty) == Some(size) => ty,
        (Some(size), _) => unsigned_of_size(size)?,
        (None, ty) => ty?,
    };
    let size = call.types.scalar_size(ty)?;
    let (align, display) = (call.types.align(ty), call.types.display(ty));
    Some(Subject { address: call.pointer(0), ty, size, align, display })
}

fn unsigned_of_size(size: u32) -> Option<TypeId> {
    Some(match size {
        1 => Types::UNSIGNED_CHAR,
        2 => Types::UNSIGNED_SHORT,
        4 => Types::UNSIGNED_INT,
        8 => Types::UNSIGNED_LONG_LONG,
        16 => Types::UNSIGNED_INT128,
        _ => return None,
    })
}

impl ModelCall<'_, '_> {
    /// A value argument: converted to the object's type, or loaded from where it points.
    fn operand(&mut self, index: usize, name: &Name, subject: &Subject) -> Expr {
        if name.family != Family::GnuByAddress {
            return self.converted(index, subject.ty);
        }
        let address = self.pointer(index);
        self.function.load(address, subject.size, subject.align, Atomicity::Plain, subject.display)
    }
}

fn load(call: &mut ModelCall<'_, '_>, name: &Name, subject: &Subject, atomicity: Atomicity) -> Modelled {
    let Subject { address, size, align, display, .. } = subject.clone();
    let value = call.function.load(address, size, align, atomicity, display);
    if name.family == Family::GnuByAddress {
        let target = call.pointer(1);
        call.function.store(target, align, value, Atomicity::Plain);
        return Modelled::Void;
    }
    Modelled::Value(value, display)
}

fn store(call: &mut ModelCall<'_, '_>, name: &Name, subject: &Subject, atomicity: Atomicity) -> Modelled {
    let value = call.operand(1, name, subject);
    call.function.store(subject.address.clone(), subject.align, value, atomicity);
    Modelled::Void
}

fn exchange(call: &mut ModelCall<'_, '_>, name: &Name, subject: &Subject, orders: Orders) -> Modelled {
    let value = call.operand(1, name, subject);
    let Subject { address, size, align, display, .. } = subject.clone();
    let mut update = call.function.atomic();
    update.order(orders.failure);
    let old = update.read(address.clone(), size, align, display);
    update.order(orders.success);
    update.write_when(Expr::truth(), address, align, value);
    update.commit();
    if name.family == Family::GnuByAddress {
        let target = call.pointer(2);
        call.function.store(target, align, old, Atomicity::Plain);
        return Modelled::Void;
    }
    Modelled::Value(old, display)
}

/// Reads `*expected`, compares and exchanges, and writes `*expected` if that failed.
fn compare_exchange(
    call: &mut ModelCall<'_, '_>,
    name: &Name,
    subject: &Subject,
    strength: Strength,
    orders: Orders,
) -> Modelled {
    let Subject { address, size, align, display, .. } = subject.clone();
    let target = call.pointer(1);
    let expected = call.function.load(target.clone(), size, align, Atomicity::Plain, display);
    let desired = call.operand(2, name, subject);
    let is_strong = is_strong(call, strength);
    let exchanged = call.function.temporary(1, Display::Bool);
    let seen = call.function.temporary(8 * size, display);
    let (compared, failed, end) = (call.function.location(), call.function.location(), call.function.location());

    let mut update = call.function.atomic();
    update.order(orders.failure);
    let old = update.read(address.clone(), size, align, display);
    update.order(orders.success);
    let same = Expr::equal(old.clone(), expected.clone());
    update.write_when(same.clone(), address.clone(), align, desired);
    set(&mut update, seen, old);
    set(&mut update, exchanged, same);
    update.commit_to(compared);
    if !is_strong {
        let mut update = call.function.atomic();
        update.order(orders.failure);
        let old = update.read(address, size, align, display);
        update.guard(Expr::equal(old.clone(), expected));
        set(&mut update, seen, old);
        set(&mut update, exchanged, Expr::falsehood());
        update.commit_to(compared);
    }
    call.function.stand_at(compared);
    let (exchanged, seen) = (call.function.value(exchanged), call.function.value(seen));
    call.function.branch(exchanged.clone(), end, failed);
    call.function.stand_at(failed);
    call.function.store(target, align, seen, Atomicity::Plain);
    call.function.jump(end);
    call.function.stand_at(end);
    Modelled::Value(exchanged.resize_unsigned(8), Display::Bool)
}

/// Whether a compare-and-exchange fails only where something differs.
pub(super) fn is_strong(call: &mut ModelCall<'_, '_>, strength: Strength) -> bool {
    match strength {
        Strength::Strong => true,
        Strength::Weak => false,
        Strength::Argument => call.int(3) == crate::lower::models::arguments::int(0),
    }
}

/// `__sync_bool_compare_and_swap`, `__sync_val_compare_and_swap`.
fn swap(call: &mut ModelCall<'_, '_>, name: &Name, subject: &Subject, orders: Orders) -> Modelled {
    let (expected, desired) = (call.operand(1, name, subject), call.operand(2, name, subject));
    let Subject { address, size, align, display, .. } = subject.clone();
    let mut update = call.function.atomic();
    update.order(orders.failure);
    let old = update.read(address.clone(), size, align, display);
    update.order(orders.success);
    let same = Expr::equal(old.clone(), expected);
    update.write_when(same.clone(), address, align, desired);
    update.commit();
    match name.operation {
        Operation::SwapBool => Modelled::Value(same.resize_unsigned(8), Display::Bool),
        _ => Modelled::Value(old, display),
    }
}

fn fetch(
    call: &mut ModelCall<'_, '_>,
    name: &Name,
    subject: &Subject,
    (change, returned): (Change, Returned),
    orders: Orders,
) -> Modelled {
    let Subject { address, ty, size, align, display } = subject.clone();
    if call.types.is_float(ty) {
        return Modelled::Unsupported(format!("`{}` on a floating-point number", call.name));
    }
    let mut operand = if call.types.is_pointer(ty) {
        call.converted(1, call.types.difference_type())
    } else {
        call.operand(1, name, subject)
    };
    if scales(name.family, name.operation)
        && let Some(element) = call.types.pointee(ty)
    {
        let Some(bytes) = call.types.size(element.ty) else {
            return Modelled::Unsupported(format!("`{}` on a pointer to an incomplete type", call.name));
        };
        let bytes = Expr::constant(operand.width(), u128::from(bytes));
        operand = Expr::binary(BinaryOp::Multiply, operand, bytes);
    }
    let mut update = call.function.atomic();
    update.order(orders.failure);
    let old = update.read(address.clone(), size, align, display);
    update.order(orders.success);
    let new = changed(change, old.clone(), operand);
    update.write_when(Expr::truth(), address, align, new.clone());
    update.commit();
    Modelled::Value(if returned == Returned::Old { old } else { new }, display)
}

fn changed(change: Change, old: Expr, operand: Expr) -> Expr {
    match change {
        Change::Add => Expr::binary(BinaryOp::Add, old, operand),
        Change::Subtract => Expr::binary(BinaryOp::Subtract, old, operand),
        Change::And => Expr::binary(BinaryOp::And, old, operand),
        Change::Or => Expr::binary(BinaryOp::Or, old, operand),
        Change::Xor => Expr::binary(BinaryOp::Xor, old, operand),
        Change::Nand => Expr::unary(UnaryOp::Not, Expr::binary(BinaryOp::And, old, operand)),
        Change::Extreme(which) => {
            let less = match which {
                Extreme::Minimum | Extreme::Maximum => BinaryOp::LessSigned,
                Extreme::UnsignedMinimum | Extreme::UnsignedMaximum => BinaryOp::LessUnsigned,
            };
            let is_less = Expr::binary(less, old.clone(), operand.clone());
            match which {
                Extreme::Minimum | Extreme::UnsignedMinimum => Expr::if_then_else(is_less, old, operand),
                Extreme::Maximum | Extreme::UnsignedMaximum => Expr::if_then_else(is_less, operand, old),
            }
        }
    }
}
