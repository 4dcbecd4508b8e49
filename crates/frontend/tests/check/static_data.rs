//! Static initialisers against the system's compiler: the bytes of random ones.

use super::checked;
use super::image::{put, section_image};
use selvedge_frontend::hir::{Constant, Global};
use selvedge_frontend::types::Types;
use selvedge_generate::random::Random;
use selvedge_program::DataModel;
use std::fmt::Write;

/// The shape of a type, to make initialisers for.
enum Shape {
    Scalar,
    Text(usize),
    Array(usize, Box<Shape>),
    Struct(Vec<Shape>),
    Union(Vec<Shape>),
}

/// A type with the name of a member or variable: its declaration, and its shape.
fn declare(random: &mut Random, depth: usize, name: &str) -> (String, Shape) {
    match random.index(if depth == 0 { 6 } else { 11 }) {
        0 => (format!("char {name};"), Shape::Scalar),
        1 => (format!("long {name};"), Shape::Scalar),
        2 => (format!("int {name} : {};", 1 + random.index(31)), Shape::Scalar),
        3 => {
            let length = 2 + random.index(4);
            (format!("char {name}[{length}];"), Shape::Text(length))
        }
        4 => {
            let length = 1 + random.index(3);
            (format!("short {name}[{length}];"), Shape::Array(length, Box::new(Shape::Scalar)))
        }
        5 => (format!("float {name};"), Shape::Scalar),
        6 | 7 => {
            let (inner, shape) = aggregate(random, depth - 1, "struct");
            let length = 1 + random.index(3);
            (format!("{inner} {name}[{length}];"), Shape::Array(length, Box::new(shape)))
        }
        8 => {
            let (inner, shape) = aggregate(random, depth - 1, "union");
            (format!("{inner} {name};"), shape)
        }
        _ => {
            let (inner, shape) = aggregate(random, depth - 1, "struct");
            (format!("{inner} {name};"), shape)
        }
    }
}

fn aggregate(random: &mut Random, depth: usize, kind: &str) -> (String, Shape) {
    let mut text = format!("{kind} {{ ");
    let mut shapes = Vec::new();
    for member in 0..1 + random.index(4) {
        let (declaration, shape) = declare(random, depth, &format!("m{member}"));
        put(write!(text, "{declaration} "));
        shapes.push(shape);
    }
    text.push('}');
    (text, if kind == "union" { Shape::Union(shapes) } else { Shape::Struct(shapes) })
}

fn scalar(random: &mut Random) -> String {
    format!("{}", random.index(200) as i64 - 50)
}

/// A value for a shape: in braces, as a string, or a single number that relies on elided braces.
fn value(random: &mut Random, shape: &Shape, depth: usize) -> String {
    match shape {
        Shape::Scalar => scalar(random),
        Shape::Text(length) if random.index(2) == 0 => format!("\"{}\"", &"abcdefgh"[..random.index(length + 1)]),
        _ if random.index(4) == 0 => scalar(random),
        _ => list(random, shape, depth),
    }
}

fn list(random: &mut Random, shape: &Shape, depth: usize) -> String {
    let count = random.index(5);
    let mut items = Vec::new();
    for _ in 0..count {
        if random.index(3) == 0 {
            let (path, target) = designator(random, shape, 0);
            items.push(format!("{path} = {}", value(random, target, depth + 1)));
        } else if depth > 3 || random.index(2) == 0 {
            items.push(scalar(random));
        } else {
            let part = match shape {
                Shape::Array(_, element) => element,
                Shape::Struct(parts) | Shape::Union(parts) => &parts[items.len().min(parts.len() - 1)],
                Shape::Text(_) | Shape::Scalar => &Shape::Scalar,
            };
            // A list in braces or a string only fits where an aggregate stands, so an elided value comes instead.
            items.push(if items.is_empty() { value(random, part, depth + 1) } else { scalar(random) });
        }
    }
    format!("{{ {} }}", items.join(", "))
}

fn designator<'a>(random: &mut Random, shape: &'a Shape, depth: usize) -> (String, &'a Shape) {
    let (step, part) = match shape {
        Shape::Struct(parts) | Shape::Union(parts) => {
            let member = random.index(parts.len());
            (format!(".m{member}"), &parts[member])
        }
        Shape::Array(length, element) => {
            let index = random.index(*length);
            match random.index(4) {
                0 if depth == 0 => (format!("[{index} ... {}]", index + random.index(length - index)), &**element),
                _ => (format!("[{index}]"), &**element),
            }
        }
        Shape::Text(length) => (format!("[{}]", random.index(*length)), &Shape::Scalar),
        Shape::Scalar => (String::new(), shape),
    };
    let is_range = step.contains("...");
    if !is_range && !matches!(part, Shape::Scalar) && random.index(2) == 0 {
        let (rest, target) = designator(random, part, depth + 1);
        return (format!("{step}{rest}"), target);
    }
    (step, part)
}

const ROOM: usize = 1024;
const SEEDS: u64 = 5;

/// The bytes of a global, as its initial values say.
fn bytes(global: &Global, types: &Types) -> Vec<u8> {
    let mut bytes = vec![0; ROOM];
    for item in &global.initial {
        let size = types.size(item.ty).expect("a part is complete") as usize;
        let at = item.offset as usize;
        match &item.value {
            Constant::Bytes(text) => bytes[at..at + text.len()].copy_from_slice(text),
            Constant::Float(number) => bytes[at..at + size].copy_from_slice(&(*number as f32).to_le_bytes()),
            Constant::Integer(number) => match item.bits {
                None => bytes[at..at + size].copy_from_slice(&number.to_le_bytes()[..size]),
                Some(field) => {
                    for bit in 0..u64::from(field.width) {
                        let (place, mask) = ((field.offset + bit) as usize / 8, 1 << ((field.offset + bit) % 8));
                        let is_set = number >> bit & 1 == 1;
                        bytes[place] = if is_set { bytes[place] | mask } else { bytes[place] & !mask };
                    }
                }
            },
            Constant::Address(..) => panic!("no addresses here"),
        }
    }
    bytes
}

#[test]
fn random_static_initialisers() {
    for seed in 0..SEEDS {
        compare(seed);
    }
}

fn compare(seed: u64) {
    let mut random = Random::new(seed);
    let mut types = String::new();
    let mut ours = String::new();
    let mut theirs = String::new();
    for number in 0..400 {
        let (text, shape) = aggregate(&mut random, 2, "struct");
        let initial = list(&mut random, &shape, 0);
        put(writeln!(types, "typedef {text} T{number};"));
        put(writeln!(ours, "T{number} v{number} = {initial};"));
        put(writeln!(
            theirs,
            "union {{ T{number} s; char room[{ROOM}]; }} v{number} __attribute__((section(\"image\"))) = {{ .s = {initial} }};"
        ));
    }
    let checked = checked(&format!("{types}{ours}"), DataModel::Lp64);
    let errors: Vec<&String> = checked.messages.iter().filter(|message| message.contains("error")).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let image = section_image(&format!("{types}{theirs}"), "-m64");
    let lines: Vec<&str> = ours.lines().collect();
    let type_lines: Vec<&str> = types.lines().collect();
    for (number, global) in checked.unit.globals.iter().enumerate() {
        let theirs = &image[ROOM * number..ROOM * (number + 1)];
        let size = checked.types.size(global.ty.ty).expect("the type is complete") as usize;
        assert_eq!(bytes(global, &checked.types)[..size], theirs[..size], "{}\n{}", type_lines[number], lines[number]);
    }
}
