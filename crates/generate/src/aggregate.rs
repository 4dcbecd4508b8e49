//! Random struct and union types: bit-fields, packing, alignment, nesting, anonymous members.
//!
//! `_Bool` never shares storage in a union, so that no byte pattern is a trap representation.

use std::fmt::Write;

use crate::integer::Integer;
use crate::random::Random;

/// What a scalar member holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integer(Integer),
    BitField(Integer, u32),
    Float,
    Double,
}

/// A scalar inside an aggregate, by its path from the object.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// As in `object.path`, for example `m1.m2[0]`.
    pub path: String,
    pub kind: Kind,
    /// The outermost union that the leaf lies in, if any: leaves of one union share storage.
    pub union: Option<u32>,
}

/// A struct or union type.
#[derive(Clone, Debug)]
pub struct Aggregate {
    /// With its keyword, as in `struct s1`.
    pub name: String,
    pub definition: String,
    pub leaves: Vec<Leaf>,
}

impl Aggregate {
    fn has_bool(&self) -> bool {
        self.leaves.iter().any(|l| matches!(l.kind, Kind::Integer(Integer::Bool) | Kind::BitField(Integer::Bool, _)))
    }
}

impl Leaf {
    /// The statement that prints this leaf of `object`.
    pub fn print(&self, object: &str) -> String {
        let place = format!("{object}.{}", self.path);
        match self.kind {
            Kind::Integer(ty) => ty.print(&place, &place),
            Kind::BitField(ty, _) => ty.print(&place, &format!("({}){place}", ty.name())),
            Kind::Float | Kind::Double => format!("printf(\"{place} %.4f\\n\", {place});"),
        }
    }

    /// A constant to store.
    pub fn value(&self, random: &mut Random) -> String {
        match self.kind {
            Kind::Integer(ty) | Kind::BitField(ty, _) => ty.literal(random),
            Kind::Float | Kind::Double => format!("{}.{}", random.below(1000), [0, 25, 5][random.below(3) as usize]),
        }
    }
}

/// Whether bytes of the member being made are shared with another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Storage {
    Own,
    InUnion(u32),
}

struct Builder<'a> {
    random: &'a mut Random,
    known: &'a [Aggregate],
    members: u32,
    unions: u32,
}

/// A new type named by `number`, which may contain earlier ones.
pub fn aggregate(random: &mut Random, number: u32, known: &[Aggregate]) -> Aggregate {
    let is_union = random.chance(25);
    let keyword = if is_union { "union" } else { "struct" };
    let mut builder = Builder { random, known, members: 0, unions: 0 };
    let storage = if is_union { builder.new_union() } else { Storage::Own };
    let mut leaves = Vec::new();
    let body = builder.members(storage, "", 2, &mut leaves);
    let attributes = builder.type_attributes();
    let name = format!("{keyword} s{number}");
    let definition = match builder.random.below(2) {
        0 => format!("{keyword} {attributes}s{number} {{\n{body}}};\n"),
        _ => format!("{keyword} s{number} {{\n{body}}} {attributes};\n"),
    };
    Aggregate { name, definition, leaves }
}

impl Builder<'_> {
    fn new_union(&mut self) -> Storage {
        self.unions += 1;
        Storage::InUnion(self.unions)
    }

    fn type_attributes(&mut self) -> String {
        let aligned = *self.random.pick(&[2, 4, 8, 16, 32]);
        match self.random.below(10) {
            0 | 1 => "__attribute__((packed)) ".into(),
            2 => format!("__attribute__((aligned({aligned}))) "),
            3 => format!("__attribute__((packed, aligned({aligned}))) "),
            _ => String::new(),
        }
    }

    fn members(&mut self, storage: Storage, prefix: &str, depth: u32, leaves: &mut Vec<Leaf>) -> String {
        let mut text = String::new();
        for position in 0..self.random.between(2, 6) {
            // The first member is named, because a type needs one.
            let first = position == 0;
            let member = match self.random.below(20) {
                0..=6 => self.scalar(storage, prefix, leaves),
                7..=12 => self.bit_field(storage, prefix, leaves),
                13 if !first => self.unnamed_bit_field(),
                14 => self.floating(storage, prefix, leaves),
                15 => self.array(storage, prefix, leaves),
                16 | 17 if !self.known.is_empty() => self.nested(storage, prefix, leaves),
                18 | 19 if depth > 0 => self.inline(storage, prefix, depth - 1, leaves),
                _ => self.scalar(storage, prefix, leaves),
            };
            let _ = writeln!(text, "    {member};");
        }
        text
    }

    fn name(&mut self) -> String {
        self.members += 1;
        format!("m{}", self.members)
    }

    fn integer(&mut self, storage: Storage) -> Integer {
        match Integer::any(self.random) {
            Integer::Bool if storage != Storage::Own => Integer::Unsigned,
            ty => ty,
        }
    }

    fn leaf(&mut self, path: String, kind: Kind, storage: Storage, leaves: &mut Vec<Leaf>) {
        let union = match storage {
            Storage::Own => None,
            Storage::InUnion(number) => Some(number),
        };
        leaves.push(Leaf { path, kind, union });
    }

    fn scalar(&mut self, storage: Storage, prefix: &str, leaves: &mut Vec<Leaf>) -> String {
        let (ty, name) = (self.integer(storage), self.name());
        self.leaf(format!("{prefix}{name}"), Kind::Integer(ty), storage, leaves);
        match self.random.below(12) {
            0 => format!("{} {name} __attribute__((aligned({})))", ty.name(), self.random.pick(&[2, 4, 8, 16])),
            1 => format!("_Alignas({}) {} {name}", self.random.pick(&[16, 32]), ty.name()),
            2 => format!("{} {name} __attribute__((packed))", ty.name()),
            _ => format!("{} {name}", ty.name()),
        }
    }

    fn bit_field(&mut self, storage: Storage, prefix: &str, leaves: &mut Vec<Leaf>) -> String {
        let ty = match self.integer(storage) {
            Integer::Int128 | Integer::UnsignedInt128 => Integer::Long,
            ty => ty,
        };
        let bits = match self.random.below(4) {
            0 => u64::from(ty.bits()),
            1 => self.random.between(1, u64::from(ty.bits().min(8))),
            _ => self.random.between(1, u64::from(ty.bits())),
        } as u32;
        let name = self.name();
        self.leaf(format!("{prefix}{name}"), Kind::BitField(ty, bits), storage, leaves);
        let packed = if self.random.chance(5) { " __attribute__((packed))" } else { "" };
        format!("{} {name} : {bits}{packed}", ty.name())
    }

    fn unnamed_bit_field(&mut self) -> String {
        let ty = self.random.pick(&[Integer::Char, Integer::Short, Integer::Unsigned, Integer::Long]);
        let bits = if self.random.chance(50) { 0 } else { self.random.between(1, u64::from(ty.bits())) };
        format!("{} : {bits}", ty.name())
    }

    fn floating(&mut self, storage: Storage, prefix: &str, leaves: &mut Vec<Leaf>) -> String {
        let name = self.name();
        let path = format!("{prefix}{name}");
        match self.random.below(4) {
            0 => {
                self.leaf(path, Kind::Float, storage, leaves);
                format!("float {name}")
            }
            1 => {
                self.leaf(path, Kind::Double, storage, leaves);
                format!("double {name}")
            }
            2 => format!("long double {name}"),
            _ => format!("void *{name}"),
        }
    }

    fn array(&mut self, storage: Storage, prefix: &str, leaves: &mut Vec<Leaf>) -> String {
        let (ty, name, length) = (self.integer(storage), self.name(), self.random.between(1, 4));
        for index in 0..length {
            self.leaf(format!("{prefix}{name}[{index}]"), Kind::Integer(ty), storage, leaves);
        }
        format!("{} {name}[{length}]", ty.name())
    }

    /// A member of an earlier type.
    fn nested(&mut self, storage: Storage, prefix: &str, leaves: &mut Vec<Leaf>) -> String {
        let known = self.known;
        let inner = self.random.pick(known);
        if storage != Storage::Own && inner.has_bool() {
            return self.scalar(storage, prefix, leaves);
        }
        let name = self.name();
        let first = self.unions;
        for leaf in &inner.leaves {
            let storage = match (storage, leaf.union) {
                (Storage::Own, Some(number)) => Storage::InUnion(first + number),
                (storage, _) => storage,
            };
            self.unions = self.unions.max(first + leaf.union.unwrap_or(0));
            self.leaf(format!("{prefix}{name}.{}", leaf.path), leaf.kind, storage, leaves);
        }
        format!("{} {name}", inner.name)
    }

    /// A struct or union defined in place, anonymous or named.
    fn inline(&mut self, storage: Storage, prefix: &str, depth: u32, leaves: &mut Vec<Leaf>) -> String {
        let is_union = self.random.chance(50);
        let keyword = if is_union { "union" } else { "struct" };
        let inner = if is_union && storage == Storage::Own { self.new_union() } else { storage };
        let attributes = if self.random.chance(20) { self.type_attributes() } else { String::new() };
        if self.random.chance(50) {
            let body = self.members(inner, prefix, depth, leaves);
            return format!("{keyword} {attributes}{{\n{body}    }}");
        }
        let name = self.name();
        let body = self.members(inner, &format!("{prefix}{name}."), depth, leaves);
        format!("{keyword} {attributes}{{\n{body}    }} {name}")
    }
}
