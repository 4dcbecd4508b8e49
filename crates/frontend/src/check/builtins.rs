//! Compiler builtins by name.
//!
//! Some are settled here: `expect`, `assume_aligned` and `prefetch` are their argument, `constant_p`, `object_size`,
//! `classify_type`, `huge_val`, `inf`, `nan` are constants, `__builtin_memcpy` and its likes call the library's
//! function. What remains is `ExprKind::Builtin` under its own name, with arguments as the tables here and in
//! [`super::atomics`] tell; a `va_list` is passed as its address, `va_start` gets nothing else. Builtins not known at
//! all are `Unsupported`.

use super::Checker;
use super::convert::Purpose;
use super::library::library_name;
use super::place::{Operand, error_value};
use crate::hir::{Constant, Expr, ExprKind, StaticBase};
use crate::syntax::ast::{self, Span};
use crate::syntax::symbol::Symbol;
use crate::types::{Float, Type, TypeId, Types};

/// Builtins with fixed types, as signatures (see `library`).
const FIXED: &[(&str, &str)] = &[
    ("unreachable", "v"),
    ("trap", "v"),
    // With buffers of their own.
    ("setjmp", "ip"),
    ("longjmp", "vpi"),
    ("clz", "iu"),
    ("clzl", "ik"),
    ("clzll", "iK"),
    ("ctz", "iu"),
    ("ctzl", "ik"),
    ("ctzll", "iK"),
    ("popcount", "iu"),
    ("popcountl", "ik"),
    ("popcountll", "iK"),
    ("parity", "iu"),
    ("parityl", "ik"),
    ("parityll", "iK"),
    ("ffs", "ii"),
    ("ffsl", "il"),
    ("ffsll", "iL"),
    ("clrsb", "ii"),
    ("clrsbl", "il"),
    ("clrsbll", "iL"),
    ("bswap16", "hh"),
    ("bswap32", "uu"),
    ("bswap64", "qq"),
    ("bswap128", "QQ"),
];

/// Questions about one floating-point number, answered by an `int`.
const FLOAT_QUESTIONS: &[&str] = &[
    "isnan",
    "isinf",
    "isinf_sign",
    "isfinite",
    "isnormal",
    "signbit",
    "finite",
    "isnanf",
    "isinff",
    "signbitf",
    "signbitl",
];

/// Comparisons of two floating-point numbers, answered by an `int`.
const FLOAT_COMPARISONS: &[&str] =
    &["isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isunordered"];

impl Checker<'_> {
    /// A call of a builtin; `None` if the name is none.
    pub(super) fn builtin_call(&mut self, name: Symbol, arguments: &[ast::Expr], span: Span) -> Option<Expr> {
        let spelled = self.spell(name).to_owned();
        if let Some(value) = self.atomic_call(&spelled, arguments, span) {
            return Some(value);
        }
        let word = spelled.strip_prefix("__builtin_")?;
        if let Some((function, drop)) = library_name(&spelled) {
            return Some(self.library_call(function, drop, arguments, span));
        }
        if let Some((_, signature)) = FIXED.iter().find(|(known, _)| *known == word) {
            return Some(self.fixed_call(name, signature, arguments, span));
        }
        if let Some(value) = self.settled_builtin(word, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.va_call(name, word, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.overflow_call(name, word, arguments, span) {
            return Some(value);
        }
        Some(self.float_builtin(name, word, arguments, span).unwrap_or_else(|| {
            for argument in arguments {
                self.unevaluated(argument);
            }
            Expr { kind: ExprKind::Unsupported(format!("`{spelled}`")), ty: Types::INT, span }
        }))
    }

    fn library_call(&mut self, function: &str, drop: &[usize], arguments: &[ast::Expr], span: Span) -> Expr {
        let name = self.names.intern(function);
        let (id, _) = self.function_for_builtin(name, span);
        let kept: Vec<Expr> = arguments
            .iter()
            .enumerate()
            .filter(|(position, _)| !drop.contains(position))
            .map(|(_, argument)| self.value(argument))
            .collect();
        self.call_of(Operand::Function(id, span), kept, span)
    }

    fn fixed_call(&mut self, name: Symbol, signature: &str, arguments: &[ast::Expr], span: Span) -> Expr {
        let mut letters = signature.chars();
        let result = letters.next().map_or(Types::VOID, |letter| self.signature_type(letter));
        let parameters: Vec<TypeId> = letters.map(|letter| self.signature_type(letter)).collect();
        if !self.builtin_count(name, parameters.len(), arguments, span) {
            return error_value(span);
        }
        let mut values = Vec::with_capacity(arguments.len());
        for (position, (argument, ty)) in arguments.iter().zip(parameters).enumerate() {
            let value = self.value(argument);
            values.push(self.assign_convert(value, ty, Purpose::Argument(position + 1)));
        }
        Expr { kind: ExprKind::Builtin(name, values), ty: result, span }
    }

    /// Reports a wrong number of arguments. True if it is right.
    pub(super) fn builtin_count(&mut self, name: Symbol, wanted: usize, given: &[ast::Expr], span: Span) -> bool {
        if given.len() != wanted {
            let arguments = if wanted == 1 { "argument" } else { "arguments" };
            let message = format!("`{}` takes {wanted} {arguments}, not {}", self.spell(name), given.len());
            self.error(span, message);
        }
        given.len() == wanted
    }

    /// Builtins that are a constant or one of their arguments.
    fn settled_builtin(&mut self, word: &str, arguments: &[ast::Expr], span: Span) -> Option<Expr> {
        let integer = |number: i128, ty: TypeId| Expr { kind: ExprKind::Integer(number), ty, span };
        let value = match (word, arguments) {
            ("expect", [value, expected]) | ("expect_with_probability", [value, expected, _]) => {
                let value = self.value(value);
                let expected = self.value(expected);
                let value = self.convert(value, Types::LONG);
                self.after_effect(expected, value)
            }
            ("assume_aligned", [value, ..]) => {
                let value = self.value(value);
                self.convert(value, Types::VOID_POINTER)
            }
            ("prefetch", [value, ..]) => {
                let value = self.value(value);
                self.convert(value, Types::VOID)
            }
            ("ia32_pause", []) => self.convert(integer(0, Types::INT), Types::VOID),
            ("ia32_mfence" | "ia32_lfence" | "ia32_sfence", []) => {
                let fence = self.names.intern("__sync_synchronize");
                Expr { kind: ExprKind::Builtin(fence, Vec::new()), ty: Types::VOID, span }
            }
            ("constant_p", [value]) => {
                let operand = self.unevaluated(value);
                let value = self.decay(operand);
                integer(i128::from(self.is_plain_constant(&value)), Types::INT)
            }
            ("object_size" | "dynamic_object_size", [object, kind]) => {
                self.unevaluated(object);
                let kind = self.value(kind);
                let is_minimum = self.integer_constant(&kind).is_some_and(|kind| kind & 2 != 0);
                let ty = self.types.size_type();
                let unknown = integer(if is_minimum { 0 } else { -1 }, Types::LONG_LONG);
                self.convert(unknown, ty)
            }
            ("classify_type", [value]) => {
                let operand = self.unevaluated(value);
                let value = self.decay(operand);
                integer(self.class_of(value.ty), Types::INT)
            }
            ("huge_val" | "inf", []) => Expr { kind: ExprKind::Float(f64::INFINITY), ty: Types::DOUBLE, span },
            ("huge_valf" | "inff", []) => Expr { kind: ExprKind::Float(f64::INFINITY), ty: Types::FLOAT, span },
            ("huge_vall" | "infl", []) => Expr { kind: ExprKind::Float(f64::INFINITY), ty: Types::LONG_DOUBLE, span },
            ("nan" | "nans", [_]) => Expr { kind: ExprKind::Float(f64::NAN), ty: Types::DOUBLE, span },
            ("nanf" | "nansf", [_]) => Expr { kind: ExprKind::Float(f64::NAN), ty: Types::FLOAT, span },
            ("nanl" | "nansl", [_]) => Expr { kind: ExprKind::Float(f64::NAN), ty: Types::LONG_DOUBLE, span },
            ("return_address" | "frame_address" | "extract_return_addr" | "frob_return_addr", [_]) => {
                let kind = ExprKind::Unsupported(format!("`__builtin_{word}`"));
                Expr { kind, ty: Types::VOID_POINTER, span }
            }
            ("FUNCTION", []) => {
                let name = self.function_name(span);
                self.decay(name)
            }
            ("complex", [part, _]) => {
                let part = self.value(part);
                let float = match self.types.get(part.ty) {
                    Type::Float(float) => *float,
                    _ => Float::Double,
                };
                let ty = self.types.intern(Type::Complex(float));
                Expr { kind: ExprKind::Unsupported("complex arithmetic".to_owned()), ty, span }
            }
            _ => return None,
        };
        Some(Expr { span, ..value })
    }

    /// A value after the effect of another, which is dropped if it is constant.
    fn after_effect(&self, first: Expr, value: Expr) -> Expr {
        if first.ty == Types::ERROR || self.initializer_constant(&first).is_some() {
            return value;
        }
        let (ty, span) = (value.ty, value.span);
        Expr { kind: ExprKind::Comma(Box::new(first), Box::new(value)), ty, span }
    }

    /// What `__builtin_constant_p` calls constant: numbers and string literals.
    fn is_plain_constant(&self, value: &Expr) -> bool {
        match self.initializer_constant(value) {
            Some(Constant::Integer(_) | Constant::Float(_)) => true,
            Some(Constant::Address(StaticBase::Global(id), 0)) => self.unit.globals[id.index()].is_string_literal,
            _ => false,
        }
    }

    fn class_of(&self, ty: TypeId) -> i128 {
        match self.types.get(ty) {
            Type::Void => 0,
            Type::Pointer(_) => 5,
            Type::Float(_) => 8,
            Type::Complex(_) => 9,
            Type::Record(id) if self.types.record(*id).kind == ast::RecordKind::Struct => 12,
            Type::Record(_) => 13,
            _ => 1,
        }
    }

    fn va_call(&mut self, name: Symbol, word: &str, arguments: &[ast::Expr], span: Span) -> Option<Expr> {
        let lists = match (word, arguments) {
            ("va_start" | "c23_va_start" | "va_end", [list, ..]) => vec![self.va_list_address(list)],
            ("va_copy", [to, from]) => vec![self.va_list_address(to), self.va_list_address(from)],
            _ => return None,
        };
        if lists.iter().any(|list| list.ty == Types::ERROR) {
            return Some(error_value(span));
        }
        let name = if word == "c23_va_start" { self.names.intern("__builtin_va_start") } else { name };
        Some(Expr { kind: ExprKind::Builtin(name, lists), ty: Types::VOID, span })
    }

    /// `__builtin_add_overflow` and its likes: operands in their own types, then where the result goes (or, for `_p`, a
    /// value of the type it would have). The variants with a type in their name become the plain ones, their operands
    /// converted.
    fn overflow_call(&mut self, name: Symbol, word: &str, arguments: &[ast::Expr], span: Span) -> Option<Expr> {
        let stem = word.strip_suffix("_p").unwrap_or(word).strip_suffix("_overflow")?;
        let (generic, operand_type) = match stem {
            "add" | "sub" | "mul" => (name, None),
            _ => {
                let (sign, rest) = stem.split_at_checked(1)?;
                let operation = rest.get(..3).filter(|operation| ["add", "sub", "mul"].contains(operation))?;
                let ty = match (sign, rest.get(3..)?) {
                    ("s", "") => Types::INT,
                    ("s", "l") => Types::LONG,
                    ("s", "ll") => Types::LONG_LONG,
                    ("u", "") => Types::UNSIGNED_INT,
                    ("u", "l") => Types::UNSIGNED_LONG,
                    ("u", "ll") => Types::UNSIGNED_LONG_LONG,
                    _ => return None,
                };
                (self.names.intern(&format!("__builtin_{operation}_overflow")), Some(ty))
            }
        };
        if !self.builtin_count(name, 3, arguments, span) {
            return Some(error_value(span));
        }
        let mut values: Vec<Expr> = arguments.iter().map(|argument| self.value(argument)).collect();
        if values.iter().any(|value| value.ty == Types::ERROR) {
            return Some(error_value(span));
        }
        if let Some(ty) = operand_type {
            let result = self.types.pointer_to(ty);
            let third = values.pop()?;
            values = values.into_iter().map(|value| self.assign_convert(value, ty, Purpose::Argument(1))).collect();
            values.push(self.assign_convert(third, result, Purpose::Argument(3)));
        }
        let is_predicate = word.ends_with("_p");
        let result = values.last().map_or(Types::ERROR, |value| value.ty);
        let result = if is_predicate { Some(result) } else { self.types.pointee(result).map(|target| target.ty) };
        let fits = result.is_some_and(|ty| self.types.is_integer(ty))
            && values.iter().take(2).all(|value| self.types.is_integer(value.ty));
        if !fits {
            let message = format!("`{}` works on integers", self.spell(name));
            self.error(span, message);
            return Some(error_value(span));
        }
        Some(Expr { kind: ExprKind::Builtin(generic, values), ty: Types::BOOL, span })
    }

    fn float_builtin(&mut self, name: Symbol, word: &str, arguments: &[ast::Expr], span: Span) -> Option<Expr> {
        if word == "fpclassify" && arguments.len() == 6 {
            let values = arguments.iter().map(|argument| self.value(argument)).collect();
            return Some(Expr { kind: ExprKind::Builtin(name, values), ty: Types::INT, span });
        }
        let is_question = FLOAT_QUESTIONS.contains(&word) && arguments.len() == 1;
        let is_comparison = FLOAT_COMPARISONS.contains(&word) && arguments.len() == 2;
        if !is_question && !is_comparison {
            return None;
        }
        let values: Vec<Expr> = arguments.iter().map(|argument| self.value(argument)).collect();
        let mut common = values.first()?.ty;
        if let Some(other) = values.get(1) {
            common = self.types.usual_conversions(common, other.ty);
        }
        if !self.types.is_float(common) {
            common = Types::DOUBLE;
        }
        let values = values.into_iter().map(|value| self.convert(value, common)).collect();
        Some(Expr { kind: ExprKind::Builtin(name, values), ty: Types::INT, span })
    }
}
