//! What `main` is given: the words that the user names, or any. Any arguments are at most 15 of at most 15 characters,
//! of others nothing is claimed, so that no verdict is better than *bounded*; their characters are chosen when something depends on them.

use super::Uninitialised;
use super::abi::{Abi, ResultPassing};
use super::builder::{FunctionBuilder, ProgramBuilder};
use super::effects;
use super::values::width;
use super::whole::Whole;
use crate::hir::Body;
use selvedge_program::{
    Access, Action, Atomicity, Base, Display, Expr, FrameObject, FrameObjectId, InitialValue, Interpretation, Object,
    ObjectKind, Place, Shape, Span,
};

/// How many bytes there are for an argument of any characters, and how many there are at most besides those that there
/// must be.
pub const TEXT: u64 = 16;
const ANY: u64 = 15;

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
            builder.program.add_restriction(span, message);
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
            (1, _, Some(count)) => any_list(builder, "argv", count, 1, whole.options.uninitialised),
            (0, given, None) => {
                name_given(builder, given);
                Expr::constant(width(types, *ty), given.map_or(0, <[String]>::len) as u128 + 1)
            }
            (1, given, None) => {
                name_given(builder, given);
                let words = std::iter::once("program").chain(given.into_iter().flatten().map(String::as_str));
                let mut texts = Vec::new();
                for (position, word) in words.enumerate() {
                    let text: Vec<u8> = word.bytes().chain([0]).collect();
                    texts.push(text_object(builder.program, &format!("argv[{position}]"), &text, span));
                }
                pointer_list(builder.program, "argv", &texts, span)
            }
            _ => {
                let message = "the environment has at most 15 variables of at most 15 characters each";
                builder.program.add_restriction(span, message);
                let count = any_count(builder, 0);
                any_list(builder, "envp", &count, 0, whole.options.uninitialised)
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

/// A list of so many pointers to any strings that ends with null: for each number there is one of its own, so that what
/// lies outside of it is that.
fn any_list(builder: &mut FunctionBuilder<'_>, name: &str, count: &Expr, least: u64, unwritten: Uninitialised) -> Expr {
    let (span, most) = (builder.span, least + ANY);
    let names: Vec<String> = (0..most).map(|position| format!("{name}[{position}]")).collect();
    let texts: Vec<Expr> =
        names.iter().map(|name| text_object(builder.program, name, &[0; TEXT as usize], span)).collect();
    fill_texts(builder, &texts, unwritten);
    let mut chosen = pointer_list(builder.program, name, &texts[..least as usize], span);
    for number in least + 1..=most {
        let list = pointer_list(builder.program, name, &texts[..number as usize], span);
        let is_it = Expr::equal(count.clone(), Expr::constant(count.width(), u128::from(number)));
        chosen = Expr::if_then_else(is_it, list, chosen);
    }
    builder.hold(chosen, Display::Pointer)
}

/// Fills the memory of some texts with anything that ends; its characters turn out when they are first read.
fn fill_texts(builder: &mut FunctionBuilder<'_>, texts: &[Expr], unwritten: Uninitialised) {
    let unread = builder.scratch(FrameObject {
        name: "unwritten".to_owned(),
        size: 8,
        align: 8,
        shape: Shape::Opaque,
        type_name: "<library>".to_owned(),
        span: Span::NOWHERE,
    });
    let source = Place::Memory { address: builder.address(Base::Frame(unread)), size: 8, align: 8 };
    let access = Access { place: source, atomicity: Atomicity::Plain };
    let bytes = builder.temporary(64, Display::Unsigned);
    builder.emit(Action::Load { target: bytes, access, interpretation: Interpretation::Raw });
    for text in texts {
        for half in [0, TEXT / 2] {
            let value = match unwritten {
                Uninitialised::Anything => builder.value(bytes),
                Uninitialised::Undefined => builder.havoc(64, Display::Unsigned),
            };
            builder.store(text.clone().plus(half), 1, value, Atomicity::Plain);
        }
        builder.store(text.clone().plus(TEXT - 1), 1, Expr::constant(8, 0), Atomicity::Plain);
    }
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

/// A list of pointers to strings that ends with null.
fn pointer_list(program: &mut ProgramBuilder, name: &str, texts: &[Expr], span: Span) -> Expr {
    let size = program.data_model.pointer_size();
    let length = texts.len() as u64 + 1;
    let initial = texts.iter().enumerate().map(|(position, text)| InitialValue {
        offset: position as u64 * u64::from(size),
        size,
        value: text.clone(),
    });
    let element = Box::new(Shape::Scalar { size, display: Display::Pointer });
    let object = Object {
        name: name.to_owned(),
        kind: ObjectKind::Global,
        size: length * u64::from(size),
        align: size,
        initial: initial.collect(),
        initial_ghosts: Vec::new(),
        shape: Shape::Array { element, stride: u64::from(size), length },
        type_name: "char *[]".to_owned(),
        span,
    };
    let id = program.add_object(object);
    Expr::address(Base::Object(id), program.data_model.pointer_width())
}
