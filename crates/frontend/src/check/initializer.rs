//! Initialisers (C11 6.7.9), flattened to values at offsets: brace elision, designators, strings, arrays of unknown
//! length.
//!
//! A braced list is walked with a cursor over the parts of its object. A part that is an aggregate and gets an
//! expression of another type takes as many items from the surrounding list as it has parts; so does a part reached by
//! a designator.

mod items;
mod parts;
mod whole;

use super::Checker;
use super::convert::Purpose;
use super::declaration::initializer_span;
use crate::hir::{self, Expr, ExprKind, StaticItem};
use crate::syntax::ast::{self, Designator, Initializer, InitializerItem, Span};
use crate::types::{ArrayLength, BitField, Qualified, Type, TypeId, Types};
use items::{Item, ItemValue, Items, MAX_ITEMS};
use rustc_hash::FxHashMap;
use whole::string;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Storage {
    Static,
    Automatic,
}

/// A part of the object being initialised.
#[derive(Clone, Copy, Debug)]
struct Slot {
    ty: Qualified,
    offset: u64,
    /// Counted from the start of the object.
    bits: Option<BitField>,
}

/// An object being initialised.
struct Init {
    items: Items,
    storage: Storage,
    /// A value that was looked at to decide on brace elision, and belongs to the item at the current position.
    peeked: Option<Expr>,
    /// Which member of each union, by offset and type, has values.
    members: FxHashMap<(u64, TypeId), usize>,
    steps: usize,
    is_stopped: bool,
}

/// Whether a list has braces of its own or takes from the surrounding one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Braces {
    Own,
    Elided,
}

/// The items of a list from a position on.
struct Cursor<'a> {
    list: &'a [InitializerItem],
    position: usize,
}

impl Checker<'_> {
    /// The initial values of a static object, and its type, completed.
    pub(super) fn static_initializer(&mut self, ty: Qualified, initializer: &Initializer) -> (TypeId, Vec<StaticItem>) {
        let (ty, items, _) = self.initialize(ty, initializer, Storage::Static);
        (ty, items.into_static())
    }

    /// As [`Self::static_initializer`], for a compound literal.
    pub(super) fn static_list(
        &mut self,
        ty: Qualified,
        list: &[InitializerItem],
        span: Span,
    ) -> (TypeId, Vec<StaticItem>) {
        let (ty, items) = self.initialize_list(ty, list, span, Storage::Static);
        (ty, items.into_static())
    }

    /// How a local is initialised, and its type, completed.
    pub(super) fn automatic_initializer(
        &mut self,
        ty: Qualified,
        initializer: &Initializer,
    ) -> (TypeId, hir::Initializer) {
        let (ty, items, zero_rest) = self.initialize(ty, initializer, Storage::Automatic);
        (ty, hir::Initializer { zero_rest, items: items.into_automatic() })
    }

    /// As [`Self::automatic_initializer`], for a compound literal.
    pub(super) fn automatic_list(
        &mut self,
        ty: Qualified,
        list: &[InitializerItem],
        span: Span,
    ) -> (TypeId, hir::Initializer) {
        let (ty, items) = self.initialize_list(ty, list, span, Storage::Automatic);
        let items = items.into_automatic();
        let zero_rest = self.types.is_aggregate(ty) || items.is_empty();
        (ty, hir::Initializer { zero_rest, items })
    }

    fn initialize(&mut self, ty: Qualified, initializer: &Initializer, storage: Storage) -> (TypeId, Items, bool) {
        match initializer {
            Initializer::List(list, span) => {
                let (ty, items) = self.initialize_list(ty, list, *span, storage);
                let zero_rest = self.types.is_aggregate(ty) || items.len() == 0;
                (ty, items, zero_rest)
            }
            Initializer::Expr(expr) => self.initialize_whole(ty, expr, storage),
        }
    }

    fn initialize_list(
        &mut self,
        ty: Qualified,
        list: &[InitializerItem],
        span: Span,
        storage: Storage,
    ) -> (TypeId, Items) {
        let mut init = Init::new(storage);
        let whole = Slot { ty, offset: 0, bits: None };
        if !self.can_be_initialized(ty, list.is_empty(), span) {
            return (Types::ERROR, init.items);
        }
        let length = self.braced(&mut init, whole, list, span);
        (self.completed(ty.ty, length), init.items)
    }

    fn can_be_initialized(&mut self, ty: Qualified, is_empty: bool, span: Span) -> bool {
        let message = match self.types.get(ty.ty) {
            Type::Error => return false,
            Type::Array { length: ArrayLength::Variable(_), .. } if !is_empty => {
                "an array of variable length cannot be initialised".to_owned()
            }
            Type::Array { .. } => return true,
            Type::Void | Type::Function(_) => format!("a `{}` cannot be initialised", self.type_name(ty.ty)),
            _ if self.types.size(ty.ty).is_none() => {
                format!("the type `{}` is incomplete and cannot be initialised", self.type_name(ty.ty))
            }
            _ => return true,
        };
        self.error(span, message);
        false
    }

    /// The type of an array of unknown length, once its initialiser is read.
    fn completed(&mut self, ty: TypeId, length: u64) -> TypeId {
        match *self.types.get(ty) {
            Type::Array { element, length: ArrayLength::Unknown } => {
                let size = self.types.size(element.ty).unwrap_or(1);
                match size.checked_mul(length).filter(|size| *size <= i64::MAX as u64) {
                    Some(_) => self.types.array_of(element, length),
                    None => Types::ERROR,
                }
            }
            _ => ty,
        }
    }

    /// An object initialised by one expression. The flag says whether the rest is zero.
    fn initialize_whole(&mut self, ty: Qualified, expr: &ast::Expr, storage: Storage) -> (TypeId, Items, bool) {
        let mut init = Init::new(storage);
        let whole = Slot { ty, offset: 0, bits: None };
        if !self.can_be_initialized(ty, false, expr.span) {
            self.unevaluated(expr);
            return (Types::ERROR, init.items, true);
        }
        if let Some(length) = self.string_part(&mut init, whole, expr) {
            return (self.completed(ty.ty, length), init.items, true);
        }
        if let Some(length) = self.literal_part(&mut init, whole, expr) {
            return (self.completed(ty.ty, length), init.items, true);
        }
        let value = self.value(expr);
        if self.types.element(ty.ty).is_some() {
            if value.ty != Types::ERROR {
                self.error(expr.span, "an array is initialised by a list in braces or a string");
            }
            return (Types::ERROR, init.items, true);
        }
        self.scalar_part(&mut init, whole, value);
        (ty.ty, init.items, false)
    }

    /// A list in braces for a part. Gives the length that it makes an array of unknown length have.
    fn braced(&mut self, init: &mut Init, part: Slot, list: &[InitializerItem], span: Span) -> u64 {
        match self.types.get(part.ty.ty) {
            Type::Error => 0,
            Type::Array { .. } | Type::Record(_) | Type::Vector { .. } => {
                if let [InitializerItem { designators, value: Initializer::Expr(expr) }] = list
                    && designators.is_empty()
                    && let Some(length) = self.string_part(init, part, expr)
                {
                    return length;
                }
                let mut cursor = Cursor { list, position: 0 };
                self.fill(init, part, &mut cursor, &[], Braces::Own)
            }
            _ => {
                self.braced_scalar(init, part, list, span);
                1
            }
        }
    }

    fn braced_scalar(&mut self, init: &mut Init, part: Slot, list: &[InitializerItem], span: Span) {
        let Some((first, rest)) = list.split_first() else { return };
        if !first.designators.is_empty() {
            self.error(span, "a designator needs a struct, union or array");
            return;
        }
        match &first.value {
            Initializer::Expr(expr) => {
                let value = self.value(expr);
                self.scalar_part(init, part, value);
            }
            Initializer::List(inner, span) => self.braced_scalar(init, part, inner, *span),
        }
        if let Some(excess) = rest.first() {
            self.warn(initializer_span(&excess.value), "there are more values than parts to initialise");
        }
    }

    /// Initialises the parts of an aggregate from a list. With elided braces the first item's remaining designators are
    /// given, and the next item with designators of its own ends it. Gives the length reached in an array.
    fn fill(
        &mut self,
        init: &mut Init,
        whole: Slot,
        cursor: &mut Cursor,
        first_path: &[Designator],
        braces: Braces,
    ) -> u64 {
        let count = self.part_count(whole.ty.ty);
        let mut next = 0_u64;
        let mut length = 0_u64;
        let mut is_first = true;
        let mut has_excess = false;
        while let Some(item) = cursor.list.get(cursor.position) {
            if init.is_stopped || !self.step(init, initializer_span(&item.value)) {
                cursor.position = cursor.list.len();
                break;
            }
            let path: &[Designator] = match (braces, is_first) {
                (Braces::Own, _) => &item.designators,
                (Braces::Elided, true) => first_path,
                (Braces::Elided, false) if item.designators.is_empty() => &[],
                (Braces::Elided, false) => break,
            };
            is_first = false;
            let (low, high, rest) = match path.split_first() {
                Some((designator, rest)) => match self.designate(whole, designator) {
                    Some((low, high, is_nested)) => (low, high, if is_nested { path } else { rest }),
                    None => {
                        cursor.position += 1;
                        continue;
                    }
                },
                None if count.is_some_and(|count| next >= count) => {
                    if braces == Braces::Elided {
                        break;
                    }
                    self.excess(&item.value, &mut has_excess);
                    cursor.position += 1;
                    continue;
                }
                None => (next, next, path),
            };
            let Some(part) = self.part(whole, low, initializer_span(&item.value)) else {
                cursor.position += 1;
                continue;
            };
            self.choose_member(init, whole, low);
            match self.part(whole, high, initializer_span(&item.value)) {
                Some(last) if low != high => self.range(init, (part, last), high - low, cursor, rest),
                _ => self.one(init, part, cursor, rest),
            }
            length = length.max(high.saturating_add(1));
            next = self.after(whole.ty.ty, high);
        }
        length
    }

    fn step(&mut self, init: &mut Init, span: Span) -> bool {
        init.steps += 1;
        if init.steps > MAX_ITEMS || init.items.len() > MAX_ITEMS {
            self.error(span, "the initialiser has too many values");
            init.is_stopped = true;
        }
        !init.is_stopped
    }

    /// A value that no part is left for; said once per list.
    fn excess(&mut self, value: &Initializer, has_excess: &mut bool) {
        if !std::mem::replace(has_excess, true) {
            self.warn(initializer_span(value), "there are more values than parts to initialise");
        }
        if let Initializer::Expr(expr) = value {
            self.unevaluated(expr);
        }
    }

    /// Initialises one part from the item at the cursor, and from those after it if it takes several.
    fn one(&mut self, init: &mut Init, part: Slot, cursor: &mut Cursor, path: &[Designator]) {
        let Some(item) = cursor.list.get(cursor.position) else { return };
        if !path.is_empty() {
            if self.types.is_aggregate(part.ty.ty) {
                self.fill(init, part, cursor, path, Braces::Elided);
            } else {
                self.error(initializer_span(&item.value), "a designator needs a struct, union or array");
                cursor.position += 1;
            }
            return;
        }
        match &item.value {
            Initializer::List(inner, span) => {
                if part.bits.is_none() {
                    init.items.clear(part.offset, self.types.size(part.ty.ty).unwrap_or(0));
                }
                self.braced(init, part, inner, *span);
                cursor.position += 1;
            }
            Initializer::Expr(expr) => self.one_expr(init, part, cursor, expr),
        }
    }

    fn one_expr(&mut self, init: &mut Init, part: Slot, cursor: &mut Cursor, expr: &ast::Expr) {
        let is_divisible =
            matches!(self.types.get(part.ty.ty), Type::Array { .. } | Type::Record(_) | Type::Vector { .. });
        if !is_divisible {
            let value = init.peeked.take().unwrap_or_else(|| self.value(expr));
            self.scalar_part(init, part, value);
            cursor.position += 1;
            return;
        }
        if self.string_part(init, part, expr).is_some() || self.literal_part(init, part, expr).is_some() {
            init.peeked = None;
            cursor.position += 1;
            return;
        }
        if string(expr).is_none() {
            let value = init.peeked.take().unwrap_or_else(|| self.value(expr));
            let is_whole = self.types.element(part.ty.ty).is_none() && self.types.compatible(value.ty, part.ty.ty);
            if is_whole || value.ty == Types::ERROR {
                self.scalar_part(init, part, value);
                cursor.position += 1;
                return;
            }
            init.peeked = Some(value);
        }
        self.fill(init, part, cursor, &[], Braces::Elided);
    }

    /// A value for an indivisible part, or a whole struct.
    fn scalar_part(&mut self, init: &mut Init, part: Slot, value: Expr) {
        let span = value.span;
        let value = self.assign_convert(value, part.ty.ty, Purpose::Initialize);
        if value.ty == Types::ERROR {
            return;
        }
        let value = match init.storage {
            Storage::Automatic => ItemValue::Expr(value),
            Storage::Static => match self.initializer_constant(&value) {
                Some(constant) => ItemValue::Constant(constant),
                None => {
                    self.not_constant(&value);
                    return;
                }
            },
        };
        let size = self.types.size(part.ty.ty).unwrap_or(1);
        let (offset, width) = match part.bits {
            Some(bits) => (bits.offset / 8, u64::from(bits.width)),
            None => (part.offset, size.saturating_mul(8)),
        };
        init.items.insert(Item { offset, ty: part.ty, bits: part.bits, width, value, span });
    }

    /// A static value that is not constant: an error, unless it is of a kind that we do not model.
    fn not_constant(&mut self, value: &Expr) {
        match unmodelled(value) {
            Some(ExprKind::Unsupported(what)) => self.unit.unsupported.push((value.span, what.clone())),
            _ => self.error(value.span, "the initial value of a static variable must be constant"),
        }
    }
}

impl Init {
    fn new(storage: Storage) -> Self {
        Init {
            items: Items::default(),
            storage,
            peeked: None,
            members: FxHashMap::default(),
            steps: 0,
            is_stopped: false,
        }
    }
}

/// The part of a value that we do not model or that only exists while a function runs.
fn unmodelled(expr: &Expr) -> Option<&ExprKind> {
    match &expr.kind {
        ExprKind::Unsupported(_) => Some(&expr.kind),
        ExprKind::Convert(inner) | ExprKind::Unary(_, inner) => unmodelled(inner),
        ExprKind::Binary(_, left, right) | ExprKind::PointerDifference { left, right, .. } => {
            unmodelled(left).or_else(|| unmodelled(right))
        }
        ExprKind::PointerOffset { pointer, .. } => unmodelled(pointer),
        _ => None,
    }
}
