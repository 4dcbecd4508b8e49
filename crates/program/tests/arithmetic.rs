//! The operators on bit-vectors against 128-bit reference arithmetic, and floating point against the machine's.

use selvedge_generate::random::Random;
use selvedge_program::{BinaryOp, Bits, Conversion, FloatFormat, UnaryOp, Undefined};

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// The signed reading of a number, digit by digit rather than by shifts.
fn signed(width: u32, value: u128) -> i128 {
    if width == 128 {
        value as i128
    } else if value >> (width - 1) == 1 {
        value as i128 - (1i128 << (width - 1)) - (1i128 << (width - 1))
    } else {
        value as i128
    }
}

/// The result by definition; `None` where it is undefined.
fn reference(op: BinaryOp, width: u32, l: u128, r: u128) -> Option<u128> {
    let (sl, sr) = (signed(width, l), signed(width, r));
    let overflows = l == 1 << (width - 1) && r == mask(width);
    Some(match op {
        BinaryOp::Add => l.wrapping_add(r),
        BinaryOp::Subtract => l.wrapping_sub(r),
        BinaryOp::Multiply => l.wrapping_mul(r),
        BinaryOp::DivideUnsigned => l.checked_div(r)?,
        BinaryOp::RemainderUnsigned => l.checked_rem(r)?,
        BinaryOp::DivideSigned if overflows => return None,
        BinaryOp::RemainderSigned if overflows => return None,
        BinaryOp::DivideSigned => sl.checked_div(sr)? as u128,
        BinaryOp::RemainderSigned => sl.checked_rem(sr)? as u128,
        BinaryOp::And => l & r,
        BinaryOp::Or => l | r,
        BinaryOp::Xor => l ^ r,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRightUnsigned | BinaryOp::ShiftRightSigned if r >= u128::from(width) => {
            return None;
        }
        BinaryOp::ShiftLeft => (0..r).fold(l, |value, _| value.wrapping_mul(2)),
        BinaryOp::ShiftRightUnsigned => (0..r).fold(l, |value, _| value / 2),
        BinaryOp::ShiftRightSigned => (0..r).fold(sl, |value, _| value.div_euclid(2)) as u128,
        BinaryOp::Equal => u128::from(l == r),
        BinaryOp::LessUnsigned => u128::from(l < r),
        BinaryOp::LessSigned => u128::from(sl < sr),
        _ => unreachable!("no integer operator"),
    })
}

fn check(op: BinaryOp, width: u32, l: u128, r: u128) {
    let (l, r) = (l & mask(width), r & mask(width));
    let result = op.apply(Bits::new(width, l), Bits::new(width, r));
    let result_width = if op.is_comparison() { 1 } else { width };
    match (result, reference(op, width, l, r)) {
        (Ok(value), Some(expected)) => {
            assert_eq!(value, Bits::new(result_width, expected), "{op:?} {l} {r} at {width}");
        }
        (Err(undefined), None) => {
            assert!(op.can_be_undefined());
            let expected = match op {
                BinaryOp::ShiftLeft | BinaryOp::ShiftRightUnsigned | BinaryOp::ShiftRightSigned => {
                    Undefined::ShiftTooFar
                }
                _ if r == 0 => Undefined::DivisionByZero,
                _ => Undefined::DivisionOverflow,
            };
            assert_eq!(undefined, expected);
        }
        (result, expected) => panic!("{op:?} {l} {r} at {width}: {result:?}, not {expected:?}"),
    }
}

#[test]
fn integer_operators_agree_with_the_reference_at_every_small_width() {
    for op in BinaryOp::on_integers() {
        for width in 1..=5 {
            for l in 0..1 << width {
                for r in 0..1 << width {
                    check(op, width, l, r);
                }
            }
        }
    }
}

#[test]
fn integer_operators_agree_with_the_reference_at_large_widths() {
    let mut random = Random::new(1);
    for _ in 0..2000 {
        for op in BinaryOp::on_integers() {
            let width = *random.pick(&[7, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128]);
            let (l, r) = (random.wide(), random.wide());
            check(op, width, l, r);
            check(op, width, l, u128::from(random.below(u64::from(width) + 2)));
        }
    }
}

#[test]
fn unary_operators_and_integer_conversions_agree_with_the_reference() {
    let mut random = Random::new(2);
    for _ in 0..5000 {
        let width = 1 + random.below(128) as u32;
        let value = random.wide() & mask(width);
        let bits = Bits::new(width, value);
        assert_eq!(bits.as_signed(), signed(width, value));
        assert_eq!(UnaryOp::Negate.apply(bits), Bits::new(width, 0u128.wrapping_sub(value)));
        assert_eq!(UnaryOp::Not.apply(bits).unsigned(), mask(width) - value);
        let wider = width + random.below(u64::from(129 - width)) as u32;
        let narrower = 1 + random.below(u64::from(width)) as u32;
        assert_eq!(Conversion::ZeroExtend.apply(wider, bits), Ok(Bits::new(wider, value)));
        assert_eq!(Conversion::SignExtend.apply(wider, bits).map(Bits::as_signed), Ok(bits.as_signed()));
        assert_eq!(
            Conversion::Truncate.apply(narrower, bits).map(Bits::unsigned),
            Ok(value.checked_rem(1u128.checked_shl(narrower).unwrap_or(0)).unwrap_or(value))
        );
    }
}

#[test]
fn binary32_arithmetic_is_the_machines() {
    let mut random = Random::new(3);
    let format = FloatFormat::F32;
    for _ in 0..20_000 {
        let (l, r) = (f32::from_bits(random.word() as u32), f32::from_bits(random.word() as u32));
        let (left, right) = (Bits::from_f32(l), Bits::from_f32(r));
        for (op, expected) in [
            (BinaryOp::FloatAdd(format), l + r),
            (BinaryOp::FloatSubtract(format), l - r),
            (BinaryOp::FloatMultiply(format), l * r),
            (BinaryOp::FloatDivide(format), l / r),
        ] {
            let result = op.apply(left, right).expect("floating-point arithmetic is total");
            let result = f32::from_bits(result.unsigned() as u32);
            assert!(result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan(), "{op:?} {l} {r}");
        }
        assert_eq!(BinaryOp::FloatLess(format).apply(left, right), Ok(Bits::bool(l < r)));
        assert_eq!(BinaryOp::FloatLessEqual(format).apply(left, right), Ok(Bits::bool(l <= r)));
        assert_eq!(BinaryOp::FloatEqual(format).apply(left, right), Ok(Bits::bool(l == r)));
    }
}

#[test]
fn floating_point_corner_cases() {
    let format = FloatFormat::F64;
    let bits = Bits::from_f64;
    let nan = BinaryOp::FloatDivide(format).apply(bits(0.0), bits(0.0)).expect("total");
    assert_eq!(nan.unsigned(), 0x7ff8_0000_0000_0000, "the one NaN");
    assert_eq!(BinaryOp::FloatEqual(format).apply(nan, nan), Ok(Bits::bool(false)));
    assert_eq!(BinaryOp::FloatEqual(format).apply(bits(0.0), bits(-0.0)), Ok(Bits::bool(true)));
    assert_eq!(UnaryOp::FloatNegate(format).apply(bits(0.0)), bits(-0.0));
    assert_eq!(Conversion::FloatToFloat(format).apply(32, bits(0.1)), Ok(Bits::from_f32(0.1)));
    assert_eq!(Conversion::FloatToFloat(FloatFormat::F32).apply(64, Bits::from_f32(1.5)), Ok(bits(1.5)));
    assert_eq!(Conversion::SignedToFloat(format).apply(64, Bits::signed(32, -7)), Ok(bits(-7.0)));
    assert_eq!(Conversion::UnsignedToFloat(format).apply(64, Bits::signed(32, -1)), Ok(bits(4294967295.0)));
}

#[test]
fn floating_point_to_integer_truncates_or_is_undefined() {
    let convert = |conversion: Conversion, width, value| conversion.apply(width, Bits::from_f64(value));
    let signed = Conversion::FloatToSigned(FloatFormat::F64);
    let unsigned = Conversion::FloatToUnsigned(FloatFormat::F64);
    let out = Err(Undefined::FloatOutOfRange);
    assert_eq!(convert(signed, 8, -128.9), Ok(Bits::signed(8, -128)));
    assert_eq!(convert(signed, 8, -129.0), out);
    assert_eq!(convert(signed, 8, 127.9), Ok(Bits::signed(8, 127)));
    assert_eq!(convert(signed, 8, 128.0), out);
    assert_eq!(convert(unsigned, 8, -0.9), Ok(Bits::new(8, 0)));
    assert_eq!(convert(unsigned, 8, -1.0), out);
    assert_eq!(convert(unsigned, 8, 255.9), Ok(Bits::new(8, 255)));
    assert_eq!(convert(unsigned, 8, 256.0), out);
    assert_eq!(convert(signed, 64, 9223372036854775808.0), out);
    assert_eq!(convert(signed, 64, -9223372036854775808.0), Ok(Bits::smallest(64)));
    assert_eq!(convert(unsigned, 128, f64::NAN), out);
    assert_eq!(convert(signed, 128, f64::INFINITY), out);
}
