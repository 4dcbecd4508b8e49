//! Simplified expressions evaluate as they would have without simplification, and `defined_when` says when they do.

mod common;

use selvedge_generate::random::Random;
use selvedge_program::assemble::Assembly;
use selvedge_program::semantics::eval::Evaluator;
use selvedge_program::semantics::{Answers, Outcome, Pointer, Semantics, State, Value};
use selvedge_program::{
    Base, BinaryOp, Bits, Conversion, EdgeId, Expr, FloatFormat, Program, RegisterId, ThreadIndex, UnaryOp,
};

/// A program whose registers have these widths and take any values, and an object `o0`.
fn program(widths: &[u32]) -> Program {
    let mut assembly = Assembly::new();
    assembly.global("object", 8);
    assembly.function("main", Some(32), |code| {
        for width in widths {
            let register = code.register("", *width);
            code.function.registers[register.0.index()].may_be_address = *width == 64;
            code.then(selvedge_program::Action::Havoc { target: register.0 });
        }
        code.ret(Expr::constant(32, 0));
    });
    assembly.finish()
}

fn state(program: &Program, values: &[Value]) -> State {
    let semantics = Semantics::new(program);
    let mut state = semantics.initial().expect("starts");
    for (position, value) in values.iter().enumerate() {
        let mut answers = Answers::new(std::slice::from_ref(value));
        (state, _) = semantics.step(&state, ThreadIndex(0), EdgeId::new(position), &mut answers).expect("havoc");
    }
    state
}

fn register(position: usize, width: u32) -> Expr {
    Expr::Register(RegisterId::new(position), width)
}

fn raw_binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}

/// Checks one expression in many states: the simplified one has the same value or the same undefinedness, and the
/// conditions of `defined_when` tell which.
fn check(program: &Program, states: &[State], expr: &Expr) {
    let simplified = expr.simplified();
    assert_eq!(simplified.width(), expr.width());
    let conditions = expr.defined_when().unwrap_or_default();
    let simplified_conditions = simplified.defined_when();
    assert!(!simplified.is_always_defined() || simplified_conditions.is_none(), "{simplified:?}");
    for state in states {
        let evaluator = Evaluator::of_thread(program, state, ThreadIndex(0));
        let value = evaluator.eval(expr);
        if matches!(value, Err(Outcome::Unsupported(_))) {
            continue;
        }
        assert_eq!(evaluator.eval(&simplified), value, "{expr:?} became {simplified:?}");
        assert_agrees(&evaluator, &conditions, &value, expr);
        assert_agrees(&evaluator, simplified_conditions.as_deref().unwrap_or_default(), &value, &simplified);
    }
}

fn assert_agrees(
    evaluator: &Evaluator<'_>,
    conditions: &[(Expr, selvedge_program::Undefined)],
    value: &Result<Value, Outcome>,
    expr: &Expr,
) {
    let failing = conditions.iter().find(|(condition, _)| !evaluator.holds(condition).expect("defined so far"));
    match (failing, value) {
        (None, Ok(_)) => {}
        (Some((_, expected)), Err(Outcome::Undefined(undefined, _))) => assert_eq!(undefined, expected, "{expr:?}"),
        (failing, value) => panic!("{expr:?}: {failing:?}, but {value:?}"),
    }
}

fn all_states(program: &Program, widths: &[u32]) -> Vec<State> {
    let total: u32 = widths.iter().sum();
    (0u128..1 << total)
        .map(|valuation| {
            let mut rest = valuation;
            let values: Vec<Value> = widths
                .iter()
                .map(|width| {
                    let value = Value::bits(*width, rest);
                    rest >>= width;
                    value
                })
                .collect();
            state(program, &values)
        })
        .collect()
}

/// Operands of a width over registers 0 and 1 of that width and the condition in register 2.
fn operands(width: u32) -> Vec<Expr> {
    let (a, b, c) = (register(0, width), register(1, width), register(2, 1));
    let constant = |value| Expr::constant(width, value);
    let boxed = Box::new;
    let mut operands: Vec<Expr> = (0..1 << width).map(constant).collect();
    operands.push(a.clone());
    operands.push(b.clone());
    operands.push(Expr::Unary(UnaryOp::Not, boxed(a.clone())));
    operands.push(Expr::Unary(UnaryOp::Negate, boxed(b.clone())));
    operands.push(raw_binary(BinaryOp::Add, a.clone(), constant(1)));
    operands.push(raw_binary(BinaryOp::Subtract, a.clone(), constant(1)));
    operands.push(raw_binary(BinaryOp::DivideUnsigned, a.clone(), b.clone()));
    operands.push(raw_binary(BinaryOp::DivideSigned, a.clone(), b.clone()));
    operands.push(raw_binary(BinaryOp::ShiftLeft, constant(1), b.clone()));
    let choice = |then, otherwise| Expr::IfThenElse(boxed(c.clone()), boxed(then), boxed(otherwise));
    operands.push(choice(constant(1), constant(0)));
    operands.push(choice(constant(0), constant(1)));
    operands.push(choice(a.clone(), raw_binary(BinaryOp::DivideUnsigned, b.clone(), a.clone())));
    if width > 1 {
        operands.push(Expr::Convert(Conversion::ZeroExtend, width, boxed(c.clone())));
        operands.push(Expr::Convert(Conversion::SignExtend, width, boxed(c)));
        let narrow = Expr::Convert(Conversion::Truncate, width - 1, boxed(a));
        operands.push(Expr::Convert(Conversion::ZeroExtend, width, boxed(narrow.clone())));
        operands.push(Expr::Convert(Conversion::SignExtend, width, boxed(narrow)));
    }
    operands
}

#[test]
fn every_operator_on_every_pair_of_operands() {
    for width in 1..=3 {
        let widths = [width, width, 1];
        let program = program(&widths);
        let states = all_states(&program, &widths);
        let operands = operands(width);
        for left in &operands {
            for right in &operands {
                for op in BinaryOp::on_integers() {
                    check(&program, &states, &raw_binary(op, left.clone(), right.clone()));
                }
            }
        }
    }
}

#[test]
fn every_conversion_of_every_conversion() {
    let widths = [3, 3, 1];
    let program = program(&widths);
    let states = all_states(&program, &widths);
    let convert = |from: &Expr, to: u32| -> Vec<Expr> {
        let conversions = match from.width().cmp(&to) {
            std::cmp::Ordering::Less => vec![Conversion::ZeroExtend, Conversion::SignExtend],
            std::cmp::Ordering::Equal => vec![],
            std::cmp::Ordering::Greater => vec![Conversion::Truncate],
        };
        conversions.into_iter().map(|conversion| Expr::Convert(conversion, to, Box::new(from.clone()))).collect()
    };
    for operand in operands(3) {
        for middle in 1..=6 {
            for first in convert(&operand, middle) {
                for last in 1..=6 {
                    for second in convert(&first, last) {
                        check(&program, &states, &second);
                        for constant in 0..1 << last {
                            let constant = Expr::constant(last, constant);
                            check(&program, &states, &raw_binary(BinaryOp::Equal, second.clone(), constant));
                        }
                    }
                }
            }
        }
    }
}

fn random_expr(random: &mut Random, width: u32, depth: u32) -> Expr {
    let position = [1, 3, 8].iter().position(|known| *known == width).expect("a known width");
    if depth == 0 || random.below(6) == 0 {
        return if random.below(2) == 0 {
            register(2 * position + random.below(2) as usize, width)
        } else {
            Expr::constant(width, random.wide())
        };
    }
    let other = *random.pick(&[1, 3, 8]);
    match random.below(6) {
        0 => {
            let op = *random.pick(&[UnaryOp::Not, UnaryOp::Negate]);
            Expr::Unary(op, Box::new(random_expr(random, width, depth - 1)))
        }
        1 => Expr::IfThenElse(
            Box::new(random_expr(random, 1, depth - 1)),
            Box::new(random_expr(random, width, depth - 1)),
            Box::new(random_expr(random, width, depth - 1)),
        ),
        2 if other != width => {
            let operand = Box::new(random_expr(random, other, depth - 1));
            let extensions = [Conversion::ZeroExtend, Conversion::SignExtend];
            let conversion = if other > width { Conversion::Truncate } else { *random.pick(&extensions) };
            Expr::Convert(conversion, width, operand)
        }
        _ => {
            let op = *random.pick(&BinaryOp::on_integers().collect::<Vec<_>>());
            let operands = if op.is_comparison() {
                if width != 1 {
                    return random_expr(random, width, depth);
                }
                other
            } else {
                width
            };
            let left = random_expr(random, operands, depth - 1);
            raw_binary(op, left, random_expr(random, operands, depth - 1))
        }
    }
}

#[test]
fn random_expressions() {
    let widths = [1, 1, 3, 3, 8, 8];
    let program = program(&widths);
    let mut random = Random::new(4);
    let states: Vec<State> = (0..64)
        .map(|_| {
            let values: Vec<Value> = widths.iter().map(|width| Value::bits(*width, random.wide())).collect();
            state(&program, &values)
        })
        .collect();
    for _ in 0..20_000 {
        let width = *random.pick(&[1, 3, 8]);
        let expr = random_expr(&mut random, width, 5);
        check(&program, &states, &expr);
    }
}

#[test]
fn pointers_keep_their_meaning() {
    let widths = [64, 64, 1];
    let program = program(&widths);
    let object = selvedge_program::semantics::Instance::Static(selvedge_program::ObjectId(0));
    let at = |offset| Value::Pointer(Pointer { object, offset });
    let values = [at(0), at(3), at(8), Value::bits(64, 0), Value::bits(64, 5), Value::bits(64, u128::MAX)];
    let mut states = Vec::new();
    for a in &values {
        for b in &values {
            for c in 0..2 {
                states.push(state(&program, &[a.clone(), b.clone(), Value::bits(1, c)]));
            }
        }
    }
    let (a, b) = (register(0, 64), register(1, 64));
    let constants = [0, 1, 7, u128::MAX - 7, u128::MAX].map(|value| Expr::constant(64, value));
    let mut operands = vec![a.clone(), b.clone(), Expr::Address(Base::Object(selvedge_program::ObjectId(0)), 64)];
    operands.extend(constants.clone());
    operands.push(raw_binary(BinaryOp::Add, a.clone(), constants[1].clone()));
    operands.push(raw_binary(BinaryOp::And, a, constants[3].clone()));
    for left in &operands {
        for right in &operands {
            for op in BinaryOp::on_integers() {
                check(&program, &states, &raw_binary(op, left.clone(), right.clone()));
                let sum = raw_binary(BinaryOp::Add, left.clone(), right.clone());
                check(&program, &states, &raw_binary(op, sum, Expr::constant(64, 4)));
            }
        }
    }
}

#[test]
fn floating_point_conversions_are_defined_when_said() {
    let widths = [32, 64];
    let program = program(&widths);
    let mut random = Random::new(5);
    let edges = [0.0, -0.0, -0.99, -1.0, 0.5, 127.5, 128.0, -128.5, -129.0, 255.5, 256.0, f64::NAN, f64::INFINITY];
    let mut states = Vec::new();
    for index in 0..400 {
        let value = match edges.get(index) {
            Some(value) => *value,
            None => {
                let near = 2f64.powi(random.below(130) as i32) * if random.below(2) == 0 { 1.0 } else { -1.0 };
                f64::from_bits(near.to_bits().wrapping_add(random.below(3)).wrapping_sub(1))
            }
        };
        let small = Value::Bits(Bits::from_f32(value as f32));
        states.push(state(&program, &[small, Value::Bits(Bits::from_f64(value))]));
    }
    for width in [1, 8, 23, 24, 25, 26, 32, 53, 54, 55, 64, 127, 128] {
        for (format, operand) in [(FloatFormat::F32, register(0, 32)), (FloatFormat::F64, register(1, 64))] {
            for conversion in [Conversion::FloatToSigned(format), Conversion::FloatToUnsigned(format)] {
                check(&program, &states, &Expr::Convert(conversion, width, Box::new(operand.clone())));
            }
        }
    }
}

#[test]
fn what_the_lowering_writes_becomes_small() {
    let flag = register(0, 1);
    let x = register(1, 32);
    let as_int = flag.clone().resize_unsigned(32);
    assert_eq!(as_int.clone().is_true(), flag);
    assert_eq!(Expr::equal(as_int.clone(), Expr::constant(32, 0)), flag.clone().not());
    assert_eq!(Expr::equal(as_int.clone(), Expr::constant(32, 1)), flag);
    assert_eq!(Expr::equal(as_int, Expr::constant(32, 2)), Expr::falsehood());
    assert_eq!(flag.clone().not().not(), flag);
    assert_eq!(x.clone().resize_signed(64).resize_unsigned(32), x);
    let pointer = Expr::address(Base::Object(selvedge_program::ObjectId(0)), 64);
    assert_eq!(pointer.clone().plus(8).plus(4), pointer.plus(12));
    let quotient = Expr::binary(BinaryOp::DivideSigned, x.clone(), register(2, 32));
    let lost = Expr::binary(BinaryOp::Multiply, quotient, Expr::constant(32, 0));
    assert!(lost.defined_when().is_some(), "the division is still there");
    let kept = Expr::binary(BinaryOp::DivideSigned, Expr::constant(32, 1), Expr::constant(32, 0));
    assert!(matches!(kept, Expr::Binary(..)));
    let choice = Expr::if_then_else(flag, x.clone(), x.clone());
    assert_eq!(choice, x);
}
