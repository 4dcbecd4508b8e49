//! Programs about the layout of structs and unions: sizes, alignments, offsets, and the bytes
//! that stores to members change.
//!
//! Bytes are dumped only of objects that `memset` or static initialisation has filled, so that
//! padding is determinate; unions are read through all their members.

use std::fmt::Write;

use crate::PRELUDE;
use crate::aggregate::{Aggregate, Kind, Leaf, aggregate};
use crate::random::Random;

/// A program that defines random types and prints all that can be seen of their layout.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x1000_0000_0000_0000);
    let mut text = String::from(PRELUDE);
    let mut types: Vec<Aggregate> = Vec::new();
    for number in 1..=random.between(2, 4) as u32 {
        let new = aggregate(&mut random, number, &types);
        text.push_str(&new.definition);
        types.push(new);
    }
    for (number, ty) in types.iter().enumerate() {
        let initializer = initializer(ty, &mut random).text;
        let _ = writeln!(text, "static {} g{number} = {initializer};", ty.name);
        pass_by_value(ty, number, &mut text, &mut random);
    }
    text.push_str("int main(void) {\n");
    for (number, ty) in types.iter().enumerate() {
        sizes(ty, &mut text);
        stores(ty, number, &mut text, &mut random);
        copies(ty, number, &mut text, &mut random);
    }
    text.push_str("    return 0;\n}\n");
    text
}

pub(crate) struct Initializer {
    pub text: String,
    /// The leaves with a determinate value: all outside unions, and those that are named.
    determinate: Vec<Leaf>,
}

/// A braced initialiser naming some leaves, at most one in each union.
pub(crate) fn initializer(ty: &Aggregate, random: &mut Random) -> Initializer {
    let mut unions = Vec::new();
    let mut parts = Vec::new();
    let mut determinate = Vec::new();
    for leaf in &ty.leaves {
        let named = random.chance(50) && leaf.union.is_none_or(|u| !unions.contains(&u));
        if named {
            unions.extend(leaf.union);
            parts.push(format!(".{} = {}", leaf.path, leaf.value(random)));
        }
        if named || leaf.union.is_none() {
            determinate.push(leaf.clone());
        }
    }
    Initializer { text: format!("{{{}}}", parts.join(", ")), determinate }
}

fn sizes(ty: &Aggregate, text: &mut String) {
    let name = &ty.name;
    let _ = writeln!(text, "    printf(\"{name} %zu %zu\\n\", sizeof({name}), _Alignof({name}));");
    for leaf in &ty.leaves {
        if !matches!(leaf.kind, Kind::BitField(..)) {
            let path = &leaf.path;
            let _ = writeln!(text, "    printf(\"{name}.{path} at %zu\\n\", offsetof({name}, {path}));");
        }
    }
}

/// Prints every leaf whose bits mean something whichever union member was stored last.
fn print_leaves(ty: &Aggregate, object: &str, text: &mut String) {
    for leaf in &ty.leaves {
        // A byte pattern read as a floating number may be a NaN, whose sign is not portable.
        if leaf.union.is_none() || !matches!(leaf.kind, Kind::Float | Kind::Double) {
            let _ = writeln!(text, "    {}", leaf.print(object));
        }
    }
}

fn stores(ty: &Aggregate, number: usize, text: &mut String, random: &mut Random) {
    let (name, object) = (&ty.name, format!("v{number}"));
    let pattern = random.below(256);
    let _ = writeln!(text, "    {name} {object};\n    memset(&{object}, {pattern}, sizeof {object});");
    for leaf in &ty.leaves {
        let place = format!("{object}.{}", leaf.path);
        let _ = writeln!(text, "    {place} = {};", leaf.value(random));
        if random.chance(40) {
            let _ = writeln!(text, "    {}", update(leaf, &place, random));
        }
        let _ = writeln!(text, "    {}", leaf.print(&object));
        if random.chance(30) {
            let _ = writeln!(text, "    show_bytes(\"{object}\", &{object}, sizeof {object});");
        }
    }
    let _ = writeln!(text, "    show_bytes(\"{object}\", &{object}, sizeof {object});");
    print_leaves(ty, &object, text);
    let _ = writeln!(text, "    show_bytes(\"g{number}\", &g{number}, sizeof g{number});");
    print_leaves(ty, &format!("g{number}"), text);
}

/// A compound assignment or increment of a leaf that was stored before.
fn update(leaf: &Leaf, place: &str, random: &mut Random) -> String {
    if matches!(leaf.kind, Kind::Float | Kind::Double) {
        return format!("{place} {}= 0.5;", random.pick(&["+", "-", "*"]));
    }
    match random.below(7) {
        0 => format!("{place}++;"),
        1 => format!("--{place};"),
        2 => format!("{place} += {};", random.below(100)),
        3 => format!("{place} ^= {};", random.below(100_000)),
        4 => format!("{place} /= 3;"),
        5 => format!("{place} >>= {};", random.below(8)),
        _ => format!("{place} *= -{};", random.between(1, 9)),
    }
}

/// A function that takes and returns the type by value and changes one leaf.
fn pass_by_value(ty: &Aggregate, number: usize, text: &mut String, random: &mut Random) {
    let name = &ty.name;
    let _ = write!(text, "static {name} pass{number}({name} x) {{ ");
    if !ty.leaves.is_empty() {
        let leaf = random.pick(&ty.leaves);
        let _ = write!(text, "x.{} = {}; ", leaf.path, leaf.value(random));
    }
    text.push_str("return x; }\n");
}

fn copies(ty: &Aggregate, number: usize, text: &mut String, random: &mut Random) {
    let name = &ty.name;
    let _ = writeln!(text, "    {name} c{number} = pass{number}(v{number});");
    print_leaves(ty, &format!("c{number}"), text);
    let local = initializer(ty, random);
    let _ = writeln!(text, "    {name} l{number} = {};", local.text);
    for leaf in &local.determinate {
        let _ = writeln!(text, "    {}", leaf.print(&format!("l{number}")));
    }
    let _ = writeln!(text, "    {name} r{number}[2] = {{v{number}, c{number}}};");
    let _ = writeln!(text, "    r{number}[0] = r{number}[1];");
    print_leaves(ty, &format!("r{number}[0]"), text);
}
