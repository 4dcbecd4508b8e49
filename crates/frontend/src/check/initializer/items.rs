//! The initial values of one object while its initialiser is read: by place, a later one overriding what it covers
//! (C11 6.7.9p19).

use crate::hir::{Constant, Expr, ExprKind, InitializerItem, InitializerValue, StaticItem};
use crate::syntax::ast::Span;
use crate::types::{BitField, Qualified, Types};
use std::collections::BTreeMap;

/// More initial values than this in one object are refused.
pub(super) const MAX_ITEMS: usize = 4 << 20;

/// A value for one part of the object.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub offset: u64,
    pub ty: Qualified,
    pub bits: Option<BitField>,
    /// How many bits it covers.
    pub width: u64,
    pub value: ItemValue,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum ItemValue {
    Expr(Expr),
    Constant(Constant),
    Bytes(Vec<u8>),
}

impl Item {
    fn start(&self) -> u64 {
        self.bits.map_or(self.offset.saturating_mul(8), |bits| bits.offset)
    }

    fn end(&self) -> u64 {
        self.start().saturating_add(self.width)
    }
}

/// All values so far, by their first bit and the order they were given in.
#[derive(Debug, Default)]
pub(super) struct Items {
    by_place: BTreeMap<(u64, u32), Item>,
    next: u32,
}

impl Items {
    pub(super) fn len(&self) -> usize {
        self.by_place.len()
    }

    /// The order of the next item.
    pub(super) fn mark(&self) -> u32 {
        self.next
    }

    /// Adds a value, dropping those that it covers.
    pub(super) fn insert(&mut self, item: Item) {
        let (start, end) = (item.start(), item.end());
        self.split_bytes_at(start);
        let covered: Vec<(u64, u32)> = self
            .by_place
            .range((start, 0)..(end, 0))
            .filter(|(_, old)| old.end() <= end)
            .map(|(key, _)| *key)
            .collect();
        for key in covered {
            self.by_place.remove(&key);
        }
        self.by_place.insert((start, self.next), item);
        self.next = self.next.saturating_add(1);
    }

    /// A string that reaches over a place becomes single characters, which can be overridden one by one.
    fn split_bytes_at(&mut self, start: u64) {
        let Some((key, item)) = self.by_place.range(..(start, 0)).next_back() else { return };
        if item.end() <= start || !matches!(item.value, ItemValue::Bytes(_)) {
            return;
        }
        let key = *key;
        let Some(item) = self.by_place.remove(&key) else { return };
        let ItemValue::Bytes(bytes) = item.value else { return };
        for (position, byte) in (0_u64..).zip(bytes) {
            let number = if item.ty.ty == Types::UNSIGNED_CHAR { i128::from(byte) } else { i128::from(byte as i8) };
            let single = Item {
                offset: item.offset + position,
                ty: item.ty,
                bits: None,
                width: 8,
                value: ItemValue::Constant(Constant::Integer(number)),
                span: item.span,
            };
            self.by_place.insert((single.start(), key.1), single);
        }
    }

    /// Forgets the values that start in some bytes.
    pub(super) fn clear(&mut self, offset: u64, size: u64) {
        let (start, end) = (offset.saturating_mul(8), offset.saturating_add(size).saturating_mul(8));
        let covered: Vec<(u64, u32)> = self.by_place.range((start, 0)..(end, 0)).map(|(key, _)| *key).collect();
        for key in covered {
            self.by_place.remove(&key);
        }
    }

    /// The values given since a mark to some bytes, in the order given.
    pub(super) fn since(&self, mark: u32, offset: u64, size: u64) -> Vec<Item> {
        let (start, end) = (offset.saturating_mul(8), offset.saturating_add(size).saturating_mul(8));
        let inside = self.by_place.range((start, 0)..(end, 0));
        let mut items: Vec<_> = inside.filter(|((_, order), _)| *order >= mark).collect();
        items.sort_by_key(|((_, order), _)| *order);
        items.into_iter().map(|(_, item)| item.clone()).collect()
    }

    /// The values of a static object, by place.
    pub(super) fn into_static(self) -> Vec<StaticItem> {
        let items = self.by_place.into_values();
        items
            .filter_map(|item| {
                let value = match item.value {
                    ItemValue::Constant(constant) => constant,
                    ItemValue::Bytes(bytes) => Constant::Bytes(bytes),
                    ItemValue::Expr(_) => return None,
                };
                Some(StaticItem { offset: item.offset, ty: item.ty.ty, bits: item.bits, value })
            })
            .collect()
    }

    /// The values of an automatic object, in the order given.
    pub(super) fn into_automatic(self) -> Vec<InitializerItem> {
        let mut items: Vec<((u64, u32), Item)> = self.by_place.into_iter().collect();
        items.sort_by_key(|((_, order), _)| *order);
        items
            .into_iter()
            .filter_map(|(_, item)| {
                let literal = |kind| InitializerValue::Expr(Expr { kind, ty: item.ty.ty, span: item.span });
                let value = match item.value {
                    ItemValue::Expr(expr) => InitializerValue::Expr(expr),
                    ItemValue::Bytes(bytes) => InitializerValue::Bytes(bytes),
                    ItemValue::Constant(Constant::Integer(number)) => literal(ExprKind::Integer(number)),
                    ItemValue::Constant(Constant::Float(number)) => literal(ExprKind::Float(number)),
                    ItemValue::Constant(Constant::Address(..) | Constant::Bytes(_)) => return None,
                };
                Some(InitializerItem { offset: item.offset, ty: item.ty, bits: item.bits, value })
            })
            .collect()
    }
}
