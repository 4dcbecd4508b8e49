//! The names of an object's parts, from its C type.

use super::values::display;
use crate::syntax::symbol::Interner;
use crate::types::{ArrayLength, Field, Type, TypeId, Types};
use selvedge_program::{Member, Shape};

/// The shape of a type.
pub fn shape(types: &Types, names: &Interner, ty: TypeId) -> Shape {
    match types.get(ty) {
        Type::Record(id) => match &types.record(*id).definition {
            Some(layout) => Shape::Record(layout.fields.iter().map(|field| member(types, names, field)).collect()),
            None => Shape::Opaque,
        },
        Type::Array { element, length } => {
            let length = match length {
                ArrayLength::Known(length) => *length,
                ArrayLength::Unknown | ArrayLength::Variable(_) => 0,
            };
            let stride = types.size(element.ty).unwrap_or(0);
            Shape::Array { element: Box::new(shape(types, names, element.ty)), stride, length }
        }
        Type::Void | Type::Function(_) | Type::Error | Type::Vector { .. } | Type::Complex(_) => Shape::Opaque,
        Type::Bool | Type::Integer(_) | Type::Float(_) | Type::Pointer(_) | Type::Enum(_) => {
            let size = types.size(ty).and_then(|size| u32::try_from(size).ok()).unwrap_or(1);
            Shape::Scalar { size, display: display(types, ty) }
        }
    }
}

fn member(types: &Types, names: &Interner, field: &Field) -> Member {
    let name = field.name.map_or(String::new(), |name| names.name(name).to_owned());
    let Some(bits) = field.bits else {
        return Member { name, offset: field.offset, shape: shape(types, names, field.ty.ty), bits: None };
    };
    let (offset, size) = super::bitfield::covering_bytes(bits);
    let shape = Shape::Scalar { size, display: display(types, field.ty.ty) };
    Member { name, offset, shape, bits: Some(((bits.offset - 8 * offset) as u32, bits.width)) }
}
