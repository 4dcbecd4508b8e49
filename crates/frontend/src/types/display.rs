//! Types as C spells them, for messages.

use super::{ArrayLength, Float, Integer, Qualified, Type, Types};
use crate::syntax::ast::{Qualifiers, RecordKind};
use crate::syntax::symbol::Interner;

impl Types {
    /// The type as a C type name: `const char *[3]`.
    pub fn name(&self, ty: impl Into<Qualified>, names: &Interner) -> String {
        self.declare(ty.into(), String::new(), names, 0)
    }

    /// The declaration of `inner` (a name, or a part of a declarator) with a type. Depth is bounded for messages' sake.
    fn declare(&self, ty: Qualified, inner: String, names: &Interner, depth: usize) -> String {
        let qualifiers = qualifier_words(ty.qualifiers);
        if depth > 20 {
            return "…".to_owned();
        }
        match self.get(ty.ty) {
            Type::Pointer(target) => {
                let inner = if qualifiers.is_empty() {
                    format!("*{inner}")
                } else {
                    format!("*{} {inner}", qualifiers.trim_end()).trim_end().to_owned()
                };
                let grouped = matches!(self.get(target.ty), Type::Array { .. } | Type::Function(_));
                let inner = if grouped { format!("({inner})") } else { inner };
                self.declare(*target, inner, names, depth + 1)
            }
            Type::Array { element, length } => {
                let length = match length {
                    ArrayLength::Known(length) => length.to_string(),
                    ArrayLength::Unknown => String::new(),
                    ArrayLength::Variable(_) => "*".to_owned(),
                };
                self.declare(*element, format!("{inner}[{length}]"), names, depth + 1)
            }
            Type::Function(function) => {
                let mut parameters: Vec<String> = function
                    .parameters
                    .iter()
                    .map(|parameter| self.declare(*parameter, String::new(), names, depth + 1))
                    .collect();
                if function.is_variadic {
                    parameters.push("...".to_owned());
                }
                if parameters.is_empty() && function.has_prototype {
                    parameters.push("void".to_owned());
                }
                self.declare(function.result, format!("{inner}({})", parameters.join(", ")), names, depth + 1)
            }
            base => {
                let word = self.base_name(base, names);
                let separator = if inner.is_empty() || inner.starts_with('[') { "" } else { " " };
                format!("{qualifiers}{word}{separator}{inner}")
            }
        }
    }

    fn base_name(&self, ty: &Type, names: &Interner) -> String {
        let tagged = |keyword: &str, tag: Option<crate::syntax::symbol::Symbol>| match tag {
            Some(tag) => format!("{keyword} {}", names.name(tag)),
            None => format!("{keyword} <anonymous>"),
        };
        match ty {
            Type::Void => "void".to_owned(),
            Type::Bool => "_Bool".to_owned(),
            Type::Integer(integer) => integer_name(*integer).to_owned(),
            Type::Float(float) => float_name(*float).to_owned(),
            Type::Complex(float) => format!("_Complex {}", float_name(*float)),
            Type::Vector { element, size } => format!("{} __vector({size})", self.name(*element, names)),
            Type::Record(id) => {
                let record = self.record(*id);
                tagged(if record.kind == RecordKind::Struct { "struct" } else { "union" }, record.tag)
            }
            Type::Enum(id) => tagged("enum", self.enumeration(*id).tag),
            Type::Error => "<error>".to_owned(),
            Type::Pointer(_) | Type::Array { .. } | Type::Function(_) => String::new(),
        }
    }
}

fn qualifier_words(qualifiers: Qualifiers) -> String {
    let mut words = String::new();
    for (present, word) in [
        (qualifiers.is_const, "const "),
        (qualifiers.is_volatile, "volatile "),
        (qualifiers.is_restrict, "restrict "),
        (qualifiers.is_atomic, "_Atomic "),
    ] {
        if present {
            words.push_str(word);
        }
    }
    words
}

fn integer_name(integer: Integer) -> &'static str {
    match integer {
        Integer::Char => "char",
        Integer::SignedChar => "signed char",
        Integer::UnsignedChar => "unsigned char",
        Integer::Short => "short",
        Integer::UnsignedShort => "unsigned short",
        Integer::Int => "int",
        Integer::UnsignedInt => "unsigned int",
        Integer::Long => "long",
        Integer::UnsignedLong => "unsigned long",
        Integer::LongLong => "long long",
        Integer::UnsignedLongLong => "unsigned long long",
        Integer::Int128 => "__int128",
        Integer::UnsignedInt128 => "unsigned __int128",
    }
}

fn float_name(float: Float) -> &'static str {
    match float {
        Float::Float => "float",
        Float::Double => "double",
        Float::LongDouble => "long double",
        Float::Float128 => "_Float128",
        Float::Other => "_Float16",
    }
}
