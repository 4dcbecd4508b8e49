//! Floating-point functions: signs, classes and comparisons here, the others in C.

use super::arguments::{choose, int};
use super::{ModelCall, Modelled};
use crate::lower::builder::ProgramBuilder;
use crate::lower::irrelevant::Pure;
use crate::types::{TypeId, Types};
use selvedge_program::{BinaryOp, Display, Expr, FloatFormat, UnaryOp};

/// The sign bit and the rest of a format.
fn masks(format: FloatFormat) -> (Expr, Expr) {
    let width = format.width();
    let sign = Expr::constant(width, 1 << (width - 1));
    (sign.clone(), Expr::unary(UnaryOp::Not, sign))
}

fn infinity(format: FloatFormat) -> Expr {
    match format {
        FloatFormat::F32 => Expr::constant(32, u128::from(f32::INFINITY.to_bits())),
        FloatFormat::F64 => Expr::constant(64, u128::from(f64::INFINITY.to_bits())),
    }
}

impl ModelCall<'_, '_> {
    /// The floating type that the function works in: `float` by its last letter, or else what the argument is.
    fn float_argument(&mut self, index: usize, ty: TypeId) -> (Expr, FloatFormat) {
        let format = self.types.float_format(ty).unwrap_or(FloatFormat::F64);
        (self.converted(index, ty), format)
    }

    fn own_type(&self) -> TypeId {
        match self.arguments.first() {
            Some(argument) if argument.ty == Types::FLOAT => Types::FLOAT,
            _ => Types::DOUBLE,
        }
    }
}

fn type_of_name(name: &str) -> TypeId {
    if name.ends_with('f') && !name.ends_with("inf") { Types::FLOAT } else { Types::DOUBLE }
}

/// `fabs`, `fabsf`.
pub(super) fn fabs(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (value, format) = call.float_argument(0, type_of_name(call.name));
    Modelled::Value(Expr::binary(BinaryOp::And, value, masks(format).1), Display::Float)
}

/// `copysign`, `copysignf`.
pub(super) fn copysign(call: &mut ModelCall<'_, '_>) -> Modelled {
    let ty = type_of_name(call.name);
    let ((value, format), (sign, _)) = (call.float_argument(0, ty), call.float_argument(1, ty));
    let (sign_mask, rest) = masks(format);
    let magnitude = Expr::binary(BinaryOp::And, value, rest);
    let sign = Expr::binary(BinaryOp::And, sign, sign_mask);
    Modelled::Value(Expr::binary(BinaryOp::Or, magnitude, sign), Display::Float)
}

fn class(call: &mut ModelCall<'_, '_>, test: fn(Expr, FloatFormat) -> Expr) -> Modelled {
    let ty = call.own_type();
    let (value, format) = call.float_argument(0, ty);
    Modelled::Value(test(value, format).resize_unsigned(32), Display::Signed)
}

fn same(value: &Expr, format: FloatFormat) -> Expr {
    Expr::binary(BinaryOp::FloatEqual(format), value.clone(), value.clone())
}

/// `isnan`.
pub(super) fn isnan(call: &mut ModelCall<'_, '_>) -> Modelled {
    class(call, |value, format| same(&value, format).not())
}

fn magnitude(value: Expr, format: FloatFormat) -> Expr {
    Expr::binary(BinaryOp::And, value, masks(format).1)
}

/// `isinf`, as the C library has it: 1, or -1 for the negative one.
pub(super) fn isinf_sign(call: &mut ModelCall<'_, '_>) -> Modelled {
    let ty = call.own_type();
    let (value, format) = call.float_argument(0, ty);
    let is_infinite = Expr::equal(magnitude(value.clone(), format), infinity(format));
    let is_negative = Expr::binary(BinaryOp::And, value, masks(format).0).is_true();
    let sign = choose(is_negative, -1, 1);
    Modelled::Value(Expr::if_then_else(is_infinite, sign, int(0)), Display::Signed)
}

/// `__builtin_isinf`: 1 for either sign.
pub(super) fn isinf(call: &mut ModelCall<'_, '_>) -> Modelled {
    class(call, |value, format| Expr::equal(magnitude(value, format), infinity(format)))
}

/// `isfinite`.
pub(super) fn isfinite(call: &mut ModelCall<'_, '_>) -> Modelled {
    class(call, |value, format| Expr::binary(BinaryOp::LessUnsigned, magnitude(value, format), infinity(format)))
}

/// `signbit`.
pub(super) fn signbit(call: &mut ModelCall<'_, '_>) -> Modelled {
    class(call, |value, format| Expr::binary(BinaryOp::And, value, masks(format).0).is_true())
}

/// `__builtin_isless` and its like: comparisons that raise no exception.
pub(super) fn comparison(call: &mut ModelCall<'_, '_>) -> Modelled {
    let ((left, format), (right, _)) = (call.float_argument(0, Types::DOUBLE), call.float_argument(1, Types::DOUBLE));
    let less = |a: &Expr, b: &Expr| Expr::binary(BinaryOp::FloatLess(format), a.clone(), b.clone());
    let at_most = |a: &Expr, b: &Expr| Expr::binary(BinaryOp::FloatLessEqual(format), a.clone(), b.clone());
    let truth = match call.name.trim_start_matches("__builtin_") {
        "isless" => less(&left, &right),
        "islessequal" => at_most(&left, &right),
        "isgreater" => less(&right, &left),
        "isgreaterequal" => at_most(&right, &left),
        "islessgreater" => less(&left, &right).or(less(&right, &left)),
        _ => same(&left, format).and(same(&right, format)).not(),
    };
    Modelled::Value(truth.resize_unsigned(32), Display::Signed)
}

/// `__builtin_inf`, `__builtin_huge_val` and their `float` variants.
pub(super) fn infinite(call: &mut ModelCall<'_, '_>) -> Modelled {
    let is_float = matches!(call.name, "__builtin_inff" | "__builtin_huge_valf");
    let format = if is_float { FloatFormat::F32 } else { FloatFormat::F64 };
    Modelled::Value(infinity(format), Display::Float)
}

/// A function of so many numbers that is modelled in C.
pub(super) fn in_c(call: &mut ModelCall<'_, '_>, name: &'static str, arity: usize) -> Modelled {
    let arguments = (0..arity).map(|index| call.converted(index, Types::DOUBLE)).collect();
    Modelled::CallC(name, arguments)
}

/// `modf`.
pub(super) fn modf(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (value, whole) = (call.converted(0, Types::DOUBLE), call.pointer(1));
    Modelled::CallC("__selvedge_modf", vec![value, whole])
}

/// Models in C that have no effect but their result, are never undefined, and compute that from their arguments.
const EXACT: &[&str] = &["ceil", "fdim", "floor", "fmax", "fmin", "fmod", "rint", "round", "sqrt", "trunc", "difftime"];

/// The same with any result within a range.
const RANGES: &[&str] = &[
    "acos", "asin", "atan", "atan2", "cbrt", "cosh", "exp", "expm1", "hypot", "log", "log1p", "pow", "sin", "sinh",
    "tan", "tanh",
];

/// The functions of a program that have no effect but their result.
pub fn pure_functions(program: &ProgramBuilder) -> Pure {
    let find = |names: &[&str]| {
        names.iter().filter_map(|name| program.c_models.get(&format!("__selvedge_{name}")).copied()).collect()
    };
    Pure { exact: find(EXACT), any: find(RANGES) }
}
