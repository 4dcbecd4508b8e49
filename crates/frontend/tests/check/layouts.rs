//! Layouts against the system's compiler: random records, for both data models.
//!
//! Sizes, alignments and offsets are asserted in a C program made from our answers. A bit-field's place is read off the
//! object file: a variable with only that field set, in a section of its own.

use super::image::{put, section_image};
use super::{Checked, checked};
use selvedge_frontend::types::{BitField, Field, RecordLayout, Type};
use selvedge_generate::random::Random;
use selvedge_program::DataModel;
use std::fmt::Write;

const SCALARS: &[&str] = &[
    "char",
    "signed char",
    "short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "float",
    "double",
    "long double",
    "_Atomic short",
    "__float128",
    "_Complex double",
    "_Bool",
    "char *",
    "enum colour",
    "odd",
    "small",
];
const FIELDS: &[(&str, usize)] = &[
    ("int", 32),
    ("unsigned", 32),
    ("char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum colour", 32),
];
const PRELUDE: &str = "enum colour { RED, BLUE };\ntypedef int odd __attribute__((aligned(8)));\ntypedef long long small __attribute__((aligned(2)));\n";

/// The definition of `struct S{number}`, which may contain earlier ones.
fn record(random: &mut Random, number: usize) -> String {
    let mut text = String::new();
    let pack = if random.index(6) == 0 { Some(random.pick(&["1", "2", "4", "8"])) } else { None };
    if let Some(pack) = pack {
        let _ = writeln!(text, "#pragma pack(push, {pack})");
    }
    let kind = if random.index(5) == 0 { "union" } else { "struct" };
    let attribute = match random.index(8) {
        0 => "__attribute__((packed)) ",
        1 => "__attribute__((aligned(16))) ",
        2 => "__attribute__((packed, aligned(4))) ",
        _ => "",
    };
    let _ = write!(text, "{kind} {attribute}S{number} {{ ");
    members(random, number, &mut text, 0);
    let _ = writeln!(text, "}};\n{kind} S{number} v{number};");
    if pack.is_some() {
        text.push_str("#pragma pack(pop)\n");
    }
    text
}

fn members(random: &mut Random, number: usize, text: &mut String, depth: usize) {
    let count = 1 + random.index(7);
    for member in 0..count {
        let name = format!("m{depth}_{member}");
        match random.index(10) {
            0..=3 => {
                let (ty, width) = FIELDS[random.index(FIELDS.len())];
                let width = 1 + random.index(width);
                match random.index(6) {
                    0 => put(write!(text, "{ty} : {}; ", random.index(width + 1))),
                    1 => put(write!(
                        text,
                        "{ty} {name} : {width} {}; ",
                        random.pick(&["__attribute__((packed))", "__attribute__((aligned(8)))"])
                    )),
                    _ => put(write!(text, "{ty} {name} : {width}; ")),
                }
            }
            4 => {
                put(write!(text, "{} {name}[{}]; ", random.pick(&["char", "short", "int", "double"]), random.index(4)))
            }
            5 if depth < 2 => {
                text.push_str(["struct { ", "union { "][random.index(2)]);
                // Names inside of anonymous records must differ from those outside.
                members(random, number, text, 2 * depth + 1 + 10 * member);
                text.push_str("}; ");
            }
            6 if number > 0 => {
                let other = random.index(number);
                let _ = write!(text, "typeof(v{other}) {name}; ");
            }
            7 => {
                let attribute = random.pick(&[
                    "__attribute__((packed))",
                    "__attribute__((aligned(8)))",
                    "__attribute__((aligned(2)))",
                ]);
                let _ = write!(text, "{} {name} {attribute}; ", random.pick(SCALARS));
            }
            _ => put(write!(text, "{} {name}; ", random.pick(SCALARS))),
        }
    }
}

/// The named members, those of anonymous records included.
fn named(checked: &Checked, layout: &RecordLayout, start: u64, into: &mut Vec<(String, Field)>) {
    for field in &layout.fields {
        let bits = field.bits.map(|bits| BitField { offset: bits.offset + 8 * start, ..bits });
        let field = Field { offset: field.offset + start, bits, ..field.clone() };
        match (field.name, checked.types.get(field.ty.ty)) {
            (Some(name), _) => into.push((checked.names.name(name).to_owned(), field)),
            (None, Type::Record(id)) => {
                let inner = checked.types.record(*id).definition.clone().expect("a member is complete");
                named(checked, &inner, field.offset, into);
            }
            (None, _) => {}
        }
    }
}

/// How far apart the variables with one bit-field set stand.
const STRIDE: usize = 1024;

fn compare(data_model: DataModel, flag: &str, records: &str, count: usize) {
    let checked = checked(&format!("{PRELUDE}{records}"), data_model);
    assert_eq!(checked.messages, Vec::<String>::new());
    let mut program = format!("{PRELUDE}{records}");
    let mut fields = Vec::new();
    for number in 0..count {
        let global = checked
            .unit
            .globals
            .iter()
            .find(|global| global.name.is_some_and(|name| checked.names.name(name) == format!("v{number}")));
        let ty = global.expect("every record has a variable").ty.ty;
        let Type::Record(id) = checked.types.get(ty) else { panic!("v{number} is a record") };
        let layout = checked.types.record(*id).definition.clone().expect("the record is defined");
        let (size, align) = (layout.size, layout.align);
        let _ = writeln!(program, "_Static_assert(sizeof v{number} == {size}, \"size of S{number} is {size}\");");
        let _ = writeln!(
            program,
            "_Static_assert(_Alignof(typeof(v{number})) == {align}, \"alignment of S{number} is {align}\");"
        );
        let mut members = Vec::new();
        named(&checked, &layout, 0, &mut members);
        for (name, field) in members {
            match field.bits {
                None => {
                    let offset = field.offset;
                    let _ = writeln!(
                        program,
                        "_Static_assert(__builtin_offsetof(typeof(v{number}), {name}) == {offset}, \"S{number}.{name} at {offset}\");"
                    );
                }
                Some(bits) => {
                    let _ = writeln!(
                        program,
                        "union {{ typeof(v{number}) s; char room[{STRIDE}]; }} b{} __attribute__((section(\"image\"))) = {{ .s = {{ .{name} = -1 }} }};",
                        fields.len()
                    );
                    fields.push((number, name, bits));
                }
            }
        }
    }
    let image = section_image(&program, flag);
    for (position, (number, name, bits)) in fields.iter().enumerate() {
        let bytes = &image[STRIDE * position..STRIDE * (position + 1)];
        let set: Vec<u64> =
            (0..8 * STRIDE as u64).filter(|bit| bytes[(*bit / 8) as usize] >> (bit % 8) & 1 == 1).collect();
        let ours: Vec<u64> = (bits.offset..bits.offset + u64::from(bits.width)).collect();
        assert_eq!(ours, set, "the bits of S{number}.{name} with {flag} in\n{records}");
    }
}

fn random_records(seed: u64, count: usize) -> String {
    let mut random = Random::new(seed);
    (0..count).map(|number| record(&mut random, number)).collect()
}

#[test]
fn random_records_on_64_bits() {
    for seed in 0..6 {
        compare(DataModel::Lp64, "-m64", &random_records(seed, 40), 40);
    }
}

#[test]
fn random_records_on_32_bits() {
    for seed in 100..106 {
        compare(DataModel::Ilp32, "-m32", &random_records(seed, 40), 40);
    }
}
