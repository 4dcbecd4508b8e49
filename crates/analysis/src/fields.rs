//! The fields of objects: the members of structs, as stretches of bytes. In an array of structs, and in what an
//! allocation is taken to hold, a field stands for that member of all elements. What shares bytes, as members of a
//! union and bit-fields do, is one field.

use crate::AbstractObject;
use crate::points_to::Offset;
use selvedge_program::{Program, Shape};

/// Some bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field {
    /// Where it begins, in each element.
    pub offset: Offset,
    /// How many bytes it has there.
    pub size: u64,
}

/// What the names of members begin with that only the library uses: those of locks.
const LIBRARY: &str = "__selvedge_";

/// An object with more fields than this is looked at as a whole.
const MOST_FIELDS: usize = 64;

impl Field {
    /// The fields of an object, with their names to be put after the object's (`.count`, `[].count`); none if it has no
    /// members that differ.
    pub fn of(program: &Program, object: AbstractObject) -> Vec<(Field, String)> {
        let mut found = Vec::new();
        match object {
            AbstractObject::Static(id) => collect(&program.object(id).shape, Offset::ZERO, "", &mut found),
            AbstractObject::Frame(function, local) => {
                collect(&program.function(function).frame_object(local).shape, Offset::ZERO, "", &mut found);
            }
            AbstractObject::Site(site) => {
                if let Some((shape, size)) = program.allocated.get(&site) {
                    collect(shape, Offset::ZERO.plus_multiples(*size), "", &mut found);
                }
            }
            AbstractObject::Function(_) | AbstractObject::Thread | AbstractObject::Started(_) => {}
        }
        found.sort();
        let mut fields: Vec<(Field, String)> = Vec::new();
        for (field, name) in found {
            match fields.last_mut() {
                Some((last, names)) if last.overlaps(field.offset, field.size) => {
                    let end = (last.offset.start + last.size as i64).max(field.offset.start + field.size as i64);
                    last.size = end.abs_diff(last.offset.start);
                    names.push_str(&format!(" or {name}"));
                }
                _ => fields.push((field, name)),
            }
        }
        if (2..=MOST_FIELDS).contains(&fields.len()) { fields } else { Vec::new() }
    }

    /// What users call a field of an object, from its name in the object.
    pub fn full_name(program: &Program, object: AbstractObject, name: &str) -> String {
        match object {
            AbstractObject::Static(id) => format!("{}{name}", program.object(id).name),
            AbstractObject::Frame(function, local) => {
                let function = program.function(function);
                format!("{}{name} in {}", function.frame_object(local).name, function.name)
            }
            AbstractObject::Site(_)
            | AbstractObject::Function(_)
            | AbstractObject::Thread
            | AbstractObject::Started(_) => {
                format!("{} of {}", name.trim_start_matches('.'), object.name(program))
            }
        }
    }

    /// The name in its object of what lies so many bytes after the beginning of the field.
    pub fn name_beside(self, program: &Program, object: AbstractObject, distance: i64) -> Option<String> {
        let shape = match object {
            AbstractObject::Static(id) => &program.object(id).shape,
            AbstractObject::Frame(function, local) => &program.function(function).frame_object(local).shape,
            AbstractObject::Site(site) => &program.allocated.get(&site)?.0,
            AbstractObject::Function(_) | AbstractObject::Thread | AbstractObject::Started(_) => return None,
        };
        let at = u64::try_from(self.offset.start.checked_add(distance)?).ok()?;
        shape.member_at(at).filter(|name| !name.is_empty())
    }

    /// Whether so many bytes at an offset may be among them.
    pub fn overlaps(self, offset: Offset, size: u64) -> bool {
        self.offset.may_overlap(self.size, offset, size)
    }
}

fn collect(shape: &Shape, at: Offset, name: &str, found: &mut Vec<(Field, String)>) {
    match shape {
        Shape::Scalar { size, .. } => found.push((Field { offset: at, size: u64::from(*size) }, name.to_owned())),
        Shape::Record(members) => {
            for member in members.iter().filter(|member| !member.name.starts_with(LIBRARY)) {
                let Ok(offset) = i64::try_from(member.offset) else { continue };
                let name = if member.name.is_empty() { name.to_owned() } else { format!("{name}.{}", member.name) };
                collect(&member.shape, at.plus(offset), &name, found);
            }
        }
        Shape::Array { element, stride, .. } if at == Offset::ZERO && name.is_empty() && *stride > 0 => {
            collect(element, at.plus_multiples(*stride), "[]", found);
        }
        Shape::Array { stride, length, .. } => {
            if let Some(size) = stride.checked_mul(*length).filter(|size| *size > 0) {
                found.push((Field { offset: at, size }, name.to_owned()));
            }
        }
        // What the library keeps there has no members of its own.
        Shape::Opaque => {}
    }
}
