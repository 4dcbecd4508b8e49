//! Values for whole aggregates: string literals for arrays of characters, compound literals, and designated ranges of
//! parts.

use super::items::{Item, ItemValue};
use super::{Cursor, Init, Slot, Storage};
use crate::check::Checker;
use crate::hir::{self, Constant, Expr, ExprKind};
use crate::syntax::ast::{self, Designator, Encoding, Initializer};
use crate::types::{ArrayLength, BitField, Type, Types};

impl Checker<'_> {
    /// A string literal for an array of characters: the number of characters with the final zero. `None` if it is not
    /// that.
    pub(super) fn string_part(&mut self, init: &mut Init, part: Slot, expr: &ast::Expr) -> Option<u64> {
        let (units, encoding) = string(expr)?;
        let Type::Array { element, length } = *self.types.get(part.ty.ty) else { return None };
        let integer = self.types.as_integer(element.ty).filter(|_| element.ty != Types::BOOL)?;
        let wanted = self.types.size(self.character_type(encoding))?;
        if u64::from(integer.size(self.types.data_model)) != wanted {
            return None;
        }
        let own = units.len() as u64 + 1;
        let room = match length {
            ArrayLength::Known(length) => length,
            _ => own,
        };
        if own > room.saturating_add(1) {
            self.warn(expr.span, "the string is longer than the array");
        }
        init.items.clear(part.offset, room.saturating_mul(wanted));
        for item in self.string_items(units, element.ty, room) {
            let (width, value) = match item.value {
                Constant::Bytes(bytes) => (8 * bytes.len() as u64, ItemValue::Bytes(bytes)),
                constant => (8 * wanted, ItemValue::Constant(constant)),
            };
            let offset = part.offset + item.offset;
            init.items.insert(Item { offset, ty: element, bits: None, width, value, span: expr.span });
        }
        Some(own)
    }

    /// A compound literal for an array, or for a static struct, counts as its list (GNU): its length. `None` if it is
    /// not that.
    pub(super) fn literal_part(&mut self, init: &mut Init, part: Slot, expr: &ast::Expr) -> Option<u64> {
        let ast::ExprKind::CompoundLiteral(name, list) = &unparenthesized(expr).kind else { return None };
        let is_array = self.types.element(part.ty.ty).is_some();
        let is_record = matches!(self.types.get(part.ty.ty), Type::Record(_) | Type::Vector { .. });
        if !(is_array || is_record && init.storage == Storage::Static) {
            return None;
        }
        let mark = self.lengths.len();
        let ty = self.type_of_name(name);
        self.lengths.truncate(mark);
        if !self.types.compatible(ty.ty, part.ty.ty) {
            return None;
        }
        init.items.clear(part.offset, self.types.size(part.ty.ty).unwrap_or(0));
        let length = self.braced(init, Slot { ty, ..part }, list, expr.span);
        Some(match self.types.get(ty.ty) {
            Type::Array { length: ArrayLength::Known(length), .. } => *length,
            _ => length,
        })
    }

    /// A designated range: the item goes to every part from the first to the last, what follows it goes on in the last.
    pub(super) fn range(
        &mut self,
        init: &mut Init,
        (first, last): (Slot, Slot),
        steps: u64,
        cursor: &mut Cursor,
        path: &[Designator],
    ) {
        let mark = init.items.mark();
        let list = cursor.list.get(..=cursor.position).unwrap_or_default();
        let mut single = Cursor { list, position: cursor.position };
        self.one(init, first, &mut single, path);
        init.peeked = None;
        let size = (last.offset - first.offset) / steps;
        let mut pattern = init.items.since(mark, first.offset, size);
        for item in &mut pattern {
            if let ItemValue::Expr(expr) = &mut item.value
                && self.initializer_constant(expr).is_none()
                && !is_repeatable(expr)
            {
                expr.kind = ExprKind::Unsupported("a designated range with a value that has effects".to_owned());
                init.items.insert(item.clone());
            }
        }
        let is_whole = path.is_empty() && cursor.list.get(cursor.position).is_some_and(|item| is_braced(&item.value));
        for step in 1..steps {
            let shift = step.saturating_mul(size);
            if is_whole {
                init.items.clear(first.offset.saturating_add(shift), size);
            }
            for item in &pattern {
                let mut item = item.clone();
                item.offset = item.offset.saturating_add(shift);
                item.bits = item.bits.map(|bits| BitField { offset: bits.offset.saturating_add(8 * shift), ..bits });
                if !self.step(init, item.span) {
                    return;
                }
                init.items.insert(item);
            }
        }
        self.one(init, last, cursor, path);
    }
}

fn unparenthesized(expr: &ast::Expr) -> &ast::Expr {
    match &expr.kind {
        ast::ExprKind::Parenthesized(inner) => unparenthesized(inner),
        _ => expr,
    }
}

/// The string literal an expression consists of.
pub(super) fn string(expr: &ast::Expr) -> Option<(&[u32], Encoding)> {
    match &unparenthesized(expr).kind {
        ast::ExprKind::String(units, encoding) => Some((units, *encoding)),
        _ => None,
    }
}

/// Whether a value replaces a whole aggregate, and not only what it gives values to.
fn is_braced(value: &Initializer) -> bool {
    match value {
        Initializer::List(..) => true,
        Initializer::Expr(expr) => {
            string(expr).is_some() || matches!(unparenthesized(expr).kind, ast::ExprKind::CompoundLiteral(..))
        }
    }
}

/// Whether evaluating an expression twice is the same as once: it only reads plain variables.
fn is_repeatable(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) | ExprKind::Unsupported(_) => true,
        ExprKind::Load(place) => matches!(place.kind, hir::PlaceKind::Local(_)) && !place.ty.qualifiers.is_volatile,
        ExprKind::AddressOf(place) => matches!(place.kind, hir::PlaceKind::Local(_) | hir::PlaceKind::Global(_)),
        ExprKind::Convert(inner) | ExprKind::Unary(_, inner) => is_repeatable(inner),
        ExprKind::Binary(_, left, right) => is_repeatable(left) && is_repeatable(right),
        _ => false,
    }
}
