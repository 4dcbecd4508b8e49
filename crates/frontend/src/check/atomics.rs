//! Atomic operations by name: `__sync_*`, `__atomic_*` and the generics of `<stdatomic.h>`.
//!
//! One table says what each takes and gives. They stay `ExprKind::Builtin` under the name in the table (a size suffix
//! such as `_4` is dropped); values are converted to the type of the object, memory orders to `int`.

use super::Checker;
use super::convert::Purpose;
use super::place::error_value;
use crate::hir::{Expr, ExprKind};
use crate::syntax::ast::{self, Span};
use crate::types::{Type, TypeId, Types};
use selvedge_program::DataModel;

/// The result, then the arguments:
/// `p` the address of the object; `v` a value of its type; `d` a value to add or combine: of its type, for a pointer
/// `ptrdiff_t`; `e` the address of another object of its type; `q` any address; `o` a memory order; `w` a truth value;
/// `T` the object's type, `B` `_Bool`, `V` `void`.
const ATOMICS: &[(&str, &str)] = &[
    ("__sync_fetch_and_add", "Tpd"),
    ("__sync_fetch_and_sub", "Tpd"),
    ("__sync_fetch_and_or", "Tpd"),
    ("__sync_fetch_and_and", "Tpd"),
    ("__sync_fetch_and_xor", "Tpd"),
    ("__sync_fetch_and_nand", "Tpd"),
    ("__sync_fetch_and_max", "Tpd"),
    ("__sync_fetch_and_min", "Tpd"),
    ("__sync_fetch_and_umax", "Tpd"),
    ("__sync_fetch_and_umin", "Tpd"),
    ("__sync_add_and_fetch", "Tpd"),
    ("__sync_sub_and_fetch", "Tpd"),
    ("__sync_or_and_fetch", "Tpd"),
    ("__sync_and_and_fetch", "Tpd"),
    ("__sync_xor_and_fetch", "Tpd"),
    ("__sync_nand_and_fetch", "Tpd"),
    ("__sync_bool_compare_and_swap", "Bpvv"),
    ("__sync_val_compare_and_swap", "Tpvv"),
    ("__sync_lock_test_and_set", "Tpv"),
    ("__sync_lock_release", "Vp"),
    ("__sync_synchronize", "V"),
    ("__atomic_load_n", "Tpo"),
    ("__atomic_load", "Vpeo"),
    ("__atomic_store_n", "Vpvo"),
    ("__atomic_store", "Vpeo"),
    ("__atomic_exchange_n", "Tpvo"),
    ("__atomic_exchange", "Vpeeo"),
    ("__atomic_compare_exchange_n", "Bpevwoo"),
    ("__atomic_compare_exchange", "Bpeewoo"),
    ("__atomic_add_fetch", "Tpdo"),
    ("__atomic_sub_fetch", "Tpdo"),
    ("__atomic_and_fetch", "Tpdo"),
    ("__atomic_xor_fetch", "Tpdo"),
    ("__atomic_or_fetch", "Tpdo"),
    ("__atomic_nand_fetch", "Tpdo"),
    ("__atomic_fetch_add", "Tpdo"),
    ("__atomic_fetch_sub", "Tpdo"),
    ("__atomic_fetch_and", "Tpdo"),
    ("__atomic_fetch_xor", "Tpdo"),
    ("__atomic_fetch_or", "Tpdo"),
    ("__atomic_fetch_nand", "Tpdo"),
    ("__atomic_test_and_set", "Bqo"),
    ("__atomic_clear", "Vqo"),
    ("__atomic_thread_fence", "Vo"),
    ("__atomic_signal_fence", "Vo"),
    ("atomic_init", "Vpv"),
    ("atomic_load", "Tp"),
    ("atomic_load_explicit", "Tpo"),
    ("atomic_store", "Vpv"),
    ("atomic_store_explicit", "Vpvo"),
    ("atomic_exchange", "Tpv"),
    ("atomic_exchange_explicit", "Tpvo"),
    ("atomic_compare_exchange_strong", "Bpev"),
    ("atomic_compare_exchange_strong_explicit", "Bpevoo"),
    ("atomic_compare_exchange_weak", "Bpev"),
    ("atomic_compare_exchange_weak_explicit", "Bpevoo"),
    ("atomic_fetch_add", "Tpd"),
    ("atomic_fetch_add_explicit", "Tpdo"),
    ("atomic_fetch_sub", "Tpd"),
    ("atomic_fetch_sub_explicit", "Tpdo"),
    ("atomic_fetch_or", "Tpd"),
    ("atomic_fetch_or_explicit", "Tpdo"),
    ("atomic_fetch_xor", "Tpd"),
    ("atomic_fetch_xor_explicit", "Tpdo"),
    ("atomic_fetch_and", "Tpd"),
    ("atomic_fetch_and_explicit", "Tpdo"),
    ("atomic_flag_test_and_set", "Bq"),
    ("atomic_flag_test_and_set_explicit", "Bqo"),
    ("atomic_flag_clear", "Vq"),
    ("atomic_flag_clear_explicit", "Vqo"),
    ("atomic_thread_fence", "Vo"),
    ("atomic_signal_fence", "Vo"),
    ("atomic_is_lock_free", "Bp"),
];

/// The row of a name, and the size that its suffix asks for.
fn row(name: &str) -> Option<(&'static str, &'static str, Option<u64>)> {
    let find = |name: &str| ATOMICS.iter().find(|(known, _)| *known == name);
    if let Some((known, pattern)) = find(name) {
        return Some((known, pattern, None));
    }
    let (stem, size) = name.rsplit_once('_')?;
    let size = match size {
        "1" | "2" | "4" | "8" | "16" => size.parse().ok()?,
        _ => return None,
    };
    if name.starts_with("__sync_") {
        return find(stem).map(|(known, pattern)| (*known, *pattern, Some(size)));
    }
    let sized = find(&format!("{stem}_n")).or_else(|| find(stem))?;
    name.starts_with("__atomic_").then_some((sized.0, sized.1, Some(size)))
}

impl Checker<'_> {
    /// A call of an atomic operation; `None` if the name is none.
    pub(super) fn atomic_call(&mut self, name: &str, arguments: &[ast::Expr], span: Span) -> Option<Expr> {
        if !(name.starts_with("__sync_") || name.starts_with("__atomic_") || name.starts_with("atomic_")) {
            return None;
        }
        if let "__atomic_always_lock_free" | "__atomic_is_lock_free" = name {
            return Some(self.lock_free(arguments, span));
        }
        let (known, pattern, size) = row(name)?;
        let symbol = self.names.intern(known);
        let (result, parameters) = pattern.split_at_checked(1)?;
        let is_open = name.starts_with("__sync_") && arguments.len() > parameters.len();
        let arguments = if is_open { &arguments[..parameters.len()] } else { arguments };
        if !self.builtin_count(symbol, parameters.len(), arguments, span) {
            return Some(error_value(span));
        }
        let mut object = Types::ERROR;
        let mut values = Vec::with_capacity(arguments.len());
        for (position, (argument, letter)) in arguments.iter().zip(parameters.chars()).enumerate() {
            let mut value = self.value(argument);
            if letter == 'p' {
                (value, object) = self.atomic_object(value, size);
            } else {
                value = self.atomic_argument(value, letter, object, position + 1);
            }
            if value.ty == Types::ERROR {
                return Some(error_value(span));
            }
            values.push(value);
        }
        let ty = match result {
            "T" => object,
            "B" => Types::BOOL,
            _ => Types::VOID,
        };
        let is_atomic = |value: &Expr| match &value.kind {
            ExprKind::Load(place) => self.types.is_aggregate(value.ty) && place.ty.qualifiers.is_atomic,
            _ => false,
        };
        let is_number = parameters.contains('d') || name.starts_with("__sync_");
        let is_known = self.types.is_scalar(object) || (!is_number && self.types.is_aggregate(object));
        if parameters.contains('p') && (!is_known || values.iter().any(is_atomic)) {
            let kind = ExprKind::Unsupported(format!("`{known}` on a `{}`", self.type_name(object)));
            return Some(Expr { kind, ty, span });
        }
        Some(Expr { kind: ExprKind::Builtin(symbol, values), ty, span })
    }

    /// The address of the atomic object, and the object's type without qualifiers.
    fn atomic_object(&mut self, value: Expr, size: Option<u64>) -> (Expr, TypeId) {
        let span = value.span;
        let Some(target) = self.types.pointee(value.ty) else {
            if value.ty != Types::ERROR {
                let message =
                    format!("the address of an object is needed, but this has type `{}`", self.type_name(value.ty));
                self.error(span, message);
            }
            return (error_value(span), Types::ERROR);
        };
        if let Some(size) = size.filter(|size| self.types.size(target.ty) != Some(*size) || target.ty == Types::VOID) {
            let ty = match size {
                1 => Types::UNSIGNED_CHAR,
                2 => Types::UNSIGNED_SHORT,
                4 => Types::UNSIGNED_INT,
                8 => Types::UNSIGNED_LONG_LONG,
                _ => Types::UNSIGNED_INT128,
            };
            let pointer = self.types.pointer_to(ty);
            return (self.convert(value, pointer), ty);
        }
        let is_object = !matches!(self.types.get(target.ty), Type::Void | Type::Function(_) | Type::Array { .. });
        if !is_object || self.types.size(target.ty).is_none() {
            let message = format!("there is no atomic access to a `{}`", self.type_name(target.ty));
            self.error(span, message);
            return (error_value(span), Types::ERROR);
        }
        (value, target.ty)
    }

    fn atomic_argument(&mut self, value: Expr, letter: char, object: TypeId, number: usize) -> Expr {
        let ty = match letter {
            'd' if self.types.is_pointer(object) => self.types.difference_type(),
            'v' | 'd' => object,
            'o' => Types::INT,
            'w' => Types::BOOL,
            'q' | 'e' => {
                if self.types.pointee(value.ty).is_none() && !self.is_null_constant(&value) && value.ty != Types::ERROR
                {
                    let message =
                        format!("the address of an object is needed, but this has type `{}`", self.type_name(value.ty));
                    self.error(value.span, message);
                    return error_value(value.span);
                }
                if letter == 'q' {
                    return value;
                }
                let ty = self.types.pointer_to(object);
                return self.convert(value, ty);
            }
            _ => Types::ERROR,
        };
        if letter == 'd' && self.types.is_pointer(value.ty) {
            return self.convert(value, ty);
        }
        self.assign_convert(value, ty, Purpose::Argument(number))
    }

    /// `__atomic_always_lock_free(size, pointer)`: the sizes a machine word has.
    fn lock_free(&mut self, arguments: &[ast::Expr], span: Span) -> Expr {
        let Some(size) = arguments.first() else {
            self.error(span, "the size is missing");
            return error_value(span);
        };
        let operand = self.unevaluated(size);
        let size = self.decay(operand);
        let largest = if self.types.data_model == DataModel::Lp64 { 8 } else { 4 };
        match self.integer_constant(&size) {
            Some(size) => {
                let is_free = [1, 2, 4, 8].contains(&size) && size <= largest;
                Expr { kind: ExprKind::Integer(i128::from(is_free)), ty: Types::BOOL, span }
            }
            None => {
                let kind = ExprKind::Unsupported("`__atomic_is_lock_free` of an unknown size".to_owned());
                Expr { kind, ty: Types::BOOL, span }
            }
        }
    }
}
