//! Initialisers (C11 6.7.9), flattened to values at offsets: brace elision, designators, strings, arrays of unknown length.
//!
//! A braced list is walked with a cursor over the parts of its object. A part that is an aggregate and gets an expression of
//! another type takes as many items from the surrounding list as it has parts; so does a part reached by a designator.

use super::Checker;
use super::convert::Purpose;
use super::declaration::initializer_span;
use super::declarator::inherited;
use super::items::{Item, ItemValue, Items, MAX_ITEMS};
use crate::hir::{self, Constant, Expr, ExprKind, StaticItem};
use crate::syntax::ast::{self, Designator, Encoding, Initializer, InitializerItem, RecordKind, Span};
use crate::types::{ArrayLength, BitField, Qualified, Type, TypeId, Types};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Storage {
    Static,
    Automatic,
}

/// A part of the object being initialised.
#[derive(Clone, Copy, Debug)]
struct Part {
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
        let whole = Part { ty, offset: 0, bits: None };
        if !self.can_be_initialized(ty, list.is_empty(), span) {
            return (ty.ty, init.items);
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
        let whole = Part { ty, offset: 0, bits: None };
        if !self.can_be_initialized(ty, false, expr.span) {
            self.unevaluated(expr);
            return (ty.ty, init.items, true);
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
    fn braced(&mut self, init: &mut Init, part: Part, list: &[InitializerItem], span: Span) -> u64 {
        match self.types.get(part.ty.ty) {
            Type::Error => 0,
            Type::Array { .. } | Type::Record(_) | Type::Vector { .. } => {
                if let [InitializerItem { designators, value: Initializer::Expr(expr) }] = list {
                    if designators.is_empty() {
                        if let Some(length) = self.string_part(init, part, expr) {
                            return length;
                        }
                    }
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

    fn braced_scalar(&mut self, init: &mut Init, part: Part, list: &[InitializerItem], span: Span) {
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

    /// Initialises the parts of an aggregate from a list. With elided braces the first item's remaining designators are given,
    /// and the next item with designators of its own ends it. Gives the length reached in an array.
    fn fill(
        &mut self,
        init: &mut Init,
        whole: Part,
        cursor: &mut Cursor,
        first_path: &[Designator],
        braces: Braces,
    ) -> u64 {
        let count = self.part_count(whole.ty.ty);
        let mut next = 0_u64;
        let mut length = 0_u64;
        let mut is_first = true;
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
                    if braces == Braces::Own {
                        self.excess(cursor);
                    }
                    break;
                }
                None => (next, next, path),
            };
            let Some(part) = self.part(whole, low, initializer_span(&item.value)) else {
                cursor.position += 1;
                continue;
            };
            self.choose_member(init, whole, low);
            let mark = init.items.mark();
            self.one(init, part, cursor, rest);
            self.repeat(init, whole, mark, low, high);
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

    fn excess(&mut self, cursor: &mut Cursor) {
        let list = cursor.list;
        for (number, item) in list.iter().skip(cursor.position).enumerate() {
            if number == 0 {
                self.warn(initializer_span(&item.value), "there are more values than parts to initialise");
            }
            if let Initializer::Expr(expr) = &item.value {
                self.unevaluated(expr);
            }
        }
        cursor.position = list.len();
    }

    /// How many parts values without designators can go to; `None` for an array of unknown length.
    fn part_count(&self, ty: TypeId) -> Option<u64> {
        match self.types.get(ty) {
            Type::Array { length: ArrayLength::Known(length), .. } => Some(*length),
            Type::Array { length: ArrayLength::Unknown, .. } => None,
            Type::Vector { element, size } => Some(size / self.types.size(*element).unwrap_or(1).max(1)),
            Type::Record(id) => {
                let fields = self.types.fields(ty).map_or(0, |fields| fields.len() as u64);
                Some(if self.types.record(*id).kind == RecordKind::Union { fields.min(1) } else { fields })
            }
            _ => Some(0),
        }
    }

    /// The part that follows another one; after a union's member there is none.
    fn after(&self, ty: TypeId, index: u64) -> u64 {
        match self.types.get(ty) {
            Type::Record(id) if self.types.record(*id).kind == RecordKind::Union => u64::MAX,
            _ => index.saturating_add(1),
        }
    }

    /// A union keeps the values of one member only.
    fn choose_member(&mut self, init: &mut Init, whole: Part, index: u64) {
        let Type::Record(id) = self.types.get(whole.ty.ty) else { return };
        if self.types.record(*id).kind == RecordKind::Union {
            let index = index as usize;
            let old = init.members.insert((whole.offset, whole.ty.ty), index);
            if old.is_some_and(|old| old != index) {
                init.items.clear(whole.offset, self.types.size(whole.ty.ty).unwrap_or(0));
            }
        }
    }

    /// Which parts a designator means: from, to, and whether the member is inside of an anonymous part.
    fn designate(&mut self, whole: Part, designator: &Designator) -> Option<(u64, u64, bool)> {
        match (designator, self.types.get(whole.ty.ty)) {
            (_, Type::Error) => None,
            (Designator::Member(name), Type::Record(id)) => {
                let member = self.member_named(*id, name.name);
                if member.is_none() {
                    let message =
                        format!("`{}` has no member `{}`", self.type_name(whole.ty.ty), self.spell(name.name));
                    self.error(name.span, message);
                }
                member.map(|member| (member.field as u64, member.field as u64, member.is_nested))
            }
            (Designator::Index(index), Type::Array { length, .. }) => {
                let length = *length;
                let index = self.designated_index(index, length)?;
                Some((index, index, false))
            }
            (Designator::Range(first, last), Type::Array { length, .. }) => {
                let length = *length;
                let low = self.designated_index(first, length)?;
                let high = self.designated_index(last, length)?;
                if high < low {
                    self.error(last.span, "the range of the designator is empty");
                    return None;
                }
                Some((low, high, false))
            }
            (Designator::Member(name), _) => {
                let message = format!("`{}` has no members", self.type_name(whole.ty.ty));
                self.error(name.span, message);
                None
            }
            (Designator::Index(index) | Designator::Range(index, _), _) => {
                let message = format!("`{}` has no elements", self.type_name(whole.ty.ty));
                self.error(index.span, message);
                None
            }
        }
    }

    fn designated_index(&mut self, expr: &ast::Expr, length: ArrayLength) -> Option<u64> {
        let operand = self.unevaluated(expr);
        let value = self.decay(operand);
        if value.ty == Types::ERROR {
            return None;
        }
        let Some(index) = self.integer_constant(&value) else {
            self.error(expr.span, "the index of a designator must be an integer constant");
            return None;
        };
        let end = match length {
            ArrayLength::Known(length) => i128::from(length),
            _ => i128::from(i64::MAX),
        };
        if !(0..end).contains(&index) {
            self.error(expr.span, "the index of the designator is out of bounds");
            return None;
        }
        Some(index as u64)
    }

    /// The part of an aggregate with a number.
    fn part(&mut self, whole: Part, index: u64, span: Span) -> Option<Part> {
        let element = match self.types.get(whole.ty.ty) {
            Type::Array { element, .. } => Some(*element),
            Type::Vector { element, .. } => Some((*element).into()),
            _ => None,
        };
        if let Some(ty) = element {
            let offset = index.checked_mul(self.types.size(ty.ty)?).and_then(|start| start.checked_add(whole.offset));
            if offset.is_none_or(|offset| offset > i64::MAX as u64) {
                self.error(span, "the initialised object is too large");
                return None;
            }
            return Some(Part { ty, offset: offset?, bits: None });
        }
        let field = self.types.fields(whole.ty.ty)?.get(usize::try_from(index).ok()?)?.clone();
        let ty = self.qualify(field.ty, inherited(whole.ty.qualifiers));
        let bits = field.bits.map(|bits| BitField { offset: bits.offset + 8 * whole.offset, ..bits });
        Some(Part { ty, offset: whole.offset + field.offset, bits })
    }

    /// Initialises one part from the item at the cursor, and from those after it if it takes several.
    fn one(&mut self, init: &mut Init, part: Part, cursor: &mut Cursor, path: &[Designator]) {
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

    fn one_expr(&mut self, init: &mut Init, part: Part, cursor: &mut Cursor, expr: &ast::Expr) {
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
    fn scalar_part(&mut self, init: &mut Init, part: Part, value: Expr) {
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

    /// A string literal for an array of characters: the number of characters with the final zero. `None` if it is not that.
    fn string_part(&mut self, init: &mut Init, part: Part, expr: &ast::Expr) -> Option<u64> {
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

    /// A compound literal for an array, or for a static struct, counts as its list (GNU): its length. `None` if it is not that.
    fn literal_part(&mut self, init: &mut Init, part: Part, expr: &ast::Expr) -> Option<u64> {
        let ast::ExprKind::CompoundLiteral(name, list) = &unparenthesized(expr).kind else { return None };
        let is_array = self.types.element(part.ty.ty).is_some();
        let is_record = matches!(self.types.get(part.ty.ty), Type::Record(_));
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
        let length = self.braced(init, Part { ty, ..part }, list, expr.span);
        Some(match self.types.get(ty.ty) {
            Type::Array { length: ArrayLength::Known(length), .. } => *length,
            _ => length,
        })
    }

    /// Gives the values of the first part of a designated range to the others.
    fn repeat(&mut self, init: &mut Init, whole: Part, mark: u32, low: u64, high: u64) {
        if low == high {
            return;
        }
        let Some(element) = self.types.element(whole.ty.ty) else { return };
        let size = self.types.size(element.ty).unwrap_or(0);
        let mut pattern = init.items.since(mark);
        for item in &mut pattern {
            if let ItemValue::Expr(expr) = &mut item.value {
                if self.initializer_constant(expr).is_none() && !is_repeatable(expr) {
                    expr.kind = ExprKind::Unsupported("a designated range with a value that has effects".to_owned());
                }
            }
        }
        for index in low + 1..=high {
            for item in &pattern {
                let shift = (index - low).saturating_mul(size);
                let mut item = item.clone();
                item.offset = item.offset.saturating_add(shift);
                item.bits = item.bits.map(|bits| BitField { offset: bits.offset.saturating_add(8 * shift), ..bits });
                if !self.step(init, item.span) {
                    return;
                }
                init.items.insert(item);
            }
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

fn unparenthesized(expr: &ast::Expr) -> &ast::Expr {
    match &expr.kind {
        ast::ExprKind::Parenthesized(inner) => unparenthesized(inner),
        _ => expr,
    }
}

/// The string literal an expression consists of.
fn string(expr: &ast::Expr) -> Option<(&[u32], Encoding)> {
    match &unparenthesized(expr).kind {
        ast::ExprKind::String(units, encoding) => Some((units, *encoding)),
        _ => None,
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
