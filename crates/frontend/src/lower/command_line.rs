//! What `main` is given: the words that the user names, or any. Any arguments are at most 15 of at most 15 characters,
//! which the verdict says; their number and characters are chosen when something depends on them. The pointers stand at the
//! end of their array, so that the null behind the last is the last that can be read, however many there are.

use super::Uninitialised;
use super::abi::{Abi, ResultPassing};
use super::builder::{FunctionBuilder, ProgramBuilder};
use super::effects;
use super::values::width;
use super::whole::Whole;
use crate::hir::Body;
use selvedge_program::{
    Atomicity, Base, BinaryOp, Display, Expr, FrameObject, FrameObjectId, InitialValue, Object, ObjectKind, Shape, Span,
};

/// How many bytes there are for an argument of any characters, and for how many strings there is room.
pub const TEXT: u64 = 16;
const MOST: u64 = 16;

/// The arguments of `main`; nothing in particular for what it never looks at. `None` if the parameters are not those of
/// a `main`.
pub fn arguments(whole: &Whole<'_>, builder: &mut FunctionBuilder<'_>, body: &Body, abi: &Abi) -> Option<Vec<Expr>> {
    let (types, span) = (whole.types(), builder.span);
    let is_expected = abi.parameters.len() <= 3
        && abi.parameters.first().is_none_or(|ty| types.is_integer(*ty))
        && abi.parameters.iter().skip(1).all(|ty| types.is_pointer(*ty));
    if !is_expected || matches!(abi.result, ResultPassing::Memory(_)) {
        return None;
    }
    let given = whole.options.arguments.as_deref();
    let is_looked_at = |position: usize| {
        body.parameters.get(position).is_some_and(|parameter| effects::body_mentions(body, *parameter))
    };
    let count = match given {
        None if is_looked_at(0) || is_looked_at(1) => {
            let message = "the program is run with at most 15 arguments of at most 15 characters each";
            builder.program.add_caveat(span, message);
            Some(any_count(builder, 1))
        }
        _ => None,
    };
    let mut arguments = Vec::new();
    for (position, ty) in abi.parameters.iter().enumerate() {
        if !is_looked_at(position) {
            arguments.push(Expr::constant(width(types, *ty), 0));
            continue;
        }
        let value = match (position, given, &count) {
            (0, _, Some(count)) => count.clone().resize_unsigned(width(types, *ty)),
            (1, _, Some(count)) => any_list(builder, "argv", count, whole.options.uninitialised),
            (0, given, None) => {
                name_given(builder, given);
                Expr::constant(width(types, *ty), given.map_or(0, <[String]>::len) as u128 + 1)
            }
            (1, given, None) => {
                name_given(builder, given);
                let words = std::iter::once("program").chain(given.into_iter().flatten().map(String::as_str));
                pointer_list(builder.program, "argv", &words.collect::<Vec<_>>(), span)
            }
            _ => {
                let message = "the environment has at most 15 variables of at most 15 characters each";
                builder.program.add_caveat(span, message);
                let count = any_count(builder, 0);
                any_list(builder, "envp", &count, whole.options.uninitialised)
            }
        };
        arguments.push(value);
    }
    Some(arguments)
}

fn name_given(builder: &mut FunctionBuilder<'_>, given: Option<&[String]>) {
    let counted = match given.map_or(0, <[String]>::len) {
        0 => "no arguments".to_owned(),
        1 => "the argument that `--args` gives".to_owned(),
        more => format!("the {more} arguments that `--args` gives"),
    };
    builder.program.add_caveat(builder.span, format!("the program is run with {counted}"));
}

/// Any number of strings that there is room for, `least` or more, as a number of a pointer's width.
fn any_count(builder: &mut FunctionBuilder<'_>, least: u64) -> Expr {
    let (few, width) = (builder.havoc(4, Display::Unsigned), builder.pointer_width());
    let count = few.resize_unsigned(width).plus(least);
    builder.hold(count, Display::Unsigned)
}

/// A list of so many pointers to any strings that ends with null.
fn any_list(builder: &mut FunctionBuilder<'_>, name: &str, count: &Expr, unwritten: Uninitialised) -> Expr {
    let size = builder.program.data_model.pointer_size();
    let element = Box::new(Shape::Scalar { size, display: Display::Pointer });
    let pointers = builder.frame_object(FrameObject {
        name: name.to_owned(),
        size: (MOST + 1) * u64::from(size),
        align: 16,
        shape: Shape::Array { element, stride: u64::from(size), length: MOST + 1 },
        type_name: "char *[]".to_owned(),
        span: builder.span,
    });
    let address = builder.address(Base::Frame(pointers));
    for position in 0..MOST {
        let text = any_text(builder, &format!("{name}[{position}]"), unwritten);
        let pointer = builder.address(Base::Frame(text));
        builder.store(address.clone().plus(position * u64::from(size)), size, pointer, Atomicity::Plain);
    }
    let null = builder.null();
    builder.store(address.clone().plus(MOST * u64::from(size)), size, null, Atomicity::Plain);
    let width = builder.pointer_width();
    let unused = Expr::binary(BinaryOp::Subtract, Expr::constant(width, u128::from(MOST)), count.clone());
    let bytes = Expr::binary(BinaryOp::Multiply, unused, Expr::constant(width, u128::from(size)));
    let list = Expr::binary(BinaryOp::Add, address, bytes);
    builder.hold(list, Display::Pointer)
}

/// A local with any string in it, whose characters turn out when they are first read.
pub fn any_text(builder: &mut FunctionBuilder<'_>, name: &str, unwritten: Uninitialised) -> FrameObjectId {
    let element = Box::new(Shape::Scalar { size: 1, display: Display::Signed });
    let text = builder.frame_object(FrameObject {
        name: name.to_owned(),
        size: TEXT,
        align: 16,
        shape: Shape::Array { element, stride: 1, length: TEXT },
        type_name: "char []".to_owned(),
        span: builder.span,
    });
    fill_text(builder, text, unwritten);
    text
}

/// Ends the text in a local; its characters are any if nobody has written them.
pub fn fill_text(builder: &mut FunctionBuilder<'_>, text: FrameObjectId, unwritten: Uninitialised) {
    let address = builder.address(Base::Frame(text));
    if unwritten == Uninitialised::Undefined {
        for position in 0..TEXT {
            let character = builder.havoc(8, Display::Signed);
            builder.store(address.clone().plus(position), 1, character, Atomicity::Plain);
        }
    }
    builder.store(address.plus(TEXT - 1), 1, Expr::constant(8, 0), Atomicity::Plain);
}

fn text_object(program: &mut ProgramBuilder, name: &str, text: &[u8], span: Span) -> Expr {
    let initial = text.iter().enumerate().map(|(position, byte)| InitialValue {
        offset: position as u64,
        size: 1,
        value: Expr::constant(8, u128::from(*byte)),
    });
    let element = Box::new(Shape::Scalar { size: 1, display: Display::Signed });
    let object = Object {
        name: name.to_owned(),
        kind: ObjectKind::Global,
        size: text.len() as u64,
        align: 1,
        initial: initial.filter(|value| value.value != Expr::constant(8, 0)).collect(),
        initial_ghosts: Vec::new(),
        shape: Shape::Array { element, stride: 1, length: text.len() as u64 },
        type_name: "char []".to_owned(),
        span,
    };
    let id = program.add_object(object);
    Expr::address(Base::Object(id), program.data_model.pointer_width())
}

/// A list of pointers to given strings that ends with null.
fn pointer_list(program: &mut ProgramBuilder, name: &str, words: &[&str], span: Span) -> Expr {
    let size = program.data_model.pointer_size();
    let length = words.len() as u64 + 1;
    let mut initial = Vec::new();
    for (position, word) in words.iter().enumerate() {
        let text: Vec<u8> = word.bytes().chain([0]).collect();
        let value = text_object(program, &format!("{name}[{position}]"), &text, span);
        initial.push(InitialValue { offset: position as u64 * u64::from(size), size, value });
    }
    let element = Box::new(Shape::Scalar { size, display: Display::Pointer });
    let object = Object {
        name: name.to_owned(),
        kind: ObjectKind::Global,
        size: length * u64::from(size),
        align: size,
        initial,
        initial_ghosts: Vec::new(),
        shape: Shape::Array { element, stride: u64::from(size), length },
        type_name: "char *[]".to_owned(),
        span,
    };
    let id = program.add_object(object);
    Expr::address(Base::Object(id), program.data_model.pointer_width())
}
