//! The names of an object's parts: from an offset and a size to `.head` or `[3].x`.

use crate::{Display, Shape};

impl Shape {
    /// The name of `size` bytes at an offset, to be put after the object's name: `.head`, `[3].x`, or nothing for the
    /// whole of a scalar. A size of 0 asks for an address only: the outermost part that starts there and is no array.
    pub fn path(&self, offset: u64, size: u32) -> Option<String> {
        let mut path = String::new();
        self.find(offset, size, &mut path).map(|_| path)
    }

    /// The name of the innermost member in which an offset lies, as far as the user has named members: those of the
    /// library's types begin with two underscores.
    pub fn member_at(&self, offset: u64) -> Option<String> {
        let Shape::Record(members) = self else { return None };
        let own = members.iter().filter(|member| member.offset <= offset && !member.name.starts_with("__"));
        let member = own.max_by_key(|member| member.offset)?;
        let name = if member.name.is_empty() { String::new() } else { format!(".{}", member.name) };
        Some(name + &member.shape.member_at(offset - member.offset).unwrap_or_default())
    }

    /// The name of a lock, or of another object of the library, at an offset: the innermost part that starts there and
    /// that the user has named.
    pub fn lock_at(&self, offset: u64) -> Option<String> {
        match self {
            Shape::Scalar { .. } | Shape::Opaque => (offset == 0).then(String::new),
            Shape::Array { element, stride, length } => {
                let index = offset.checked_div(*stride)?;
                let is_within = *length == 0 || index < *length;
                is_within.then(|| element.lock_at(offset % stride)).flatten().map(|path| format!("[{index}]{path}"))
            }
            Shape::Record(members) => {
                let own = members.iter().filter(|member| member.offset <= offset && !member.name.starts_with("__"));
                let inner = own.rev().find_map(|member| {
                    let path = member.shape.lock_at(offset - member.offset)?;
                    Some(if member.name.is_empty() { path } else { format!(".{}{path}", member.name) })
                });
                inner.or_else(|| (offset == 0).then(String::new))
            }
        }
    }

    /// How to show the scalar at an offset.
    pub fn display(&self, offset: u64, size: u32) -> Option<Display> {
        match self.find(offset, size, &mut String::new())? {
            Shape::Scalar { display, .. } => Some(*display),
            _ => None,
        }
    }

    /// The bit-fields within `size` bytes at an offset: their names, to be put after the object's, with the first bit
    /// counted from that of the first byte, the width, and how to show them.
    pub fn bit_fields(&self, offset: u64, size: u32) -> Vec<(String, u32, u32, Display)> {
        let mut found = Vec::new();
        self.find_bits(offset, size, "", &mut found);
        found
    }

    fn find_bits(&self, offset: u64, size: u32, path: &str, found: &mut Vec<(String, u32, u32, Display)>) {
        match self {
            Shape::Scalar { .. } | Shape::Opaque => {}
            Shape::Array { element, stride, .. } => {
                if let (Some(index), Some(within)) = (offset.checked_div(*stride), offset.checked_rem(*stride)) {
                    element.find_bits(within, size, &format!("{path}[{index}]"), found);
                }
            }
            Shape::Record(members) => {
                for member in members {
                    let name = if member.name.is_empty() { String::new() } else { format!(".{}", member.name) };
                    let path = format!("{path}{name}");
                    match (member.bits, &member.shape) {
                        (Some((first, width)), Shape::Scalar { size: own, display }) => {
                            let is_within = offset <= member.offset
                                && member.offset + u64::from(*own) <= offset.saturating_add(u64::from(size));
                            if is_within && !member.name.is_empty() {
                                let first = first + 8 * (member.offset - offset) as u32;
                                found.push((path, first, width, *display));
                            }
                        }
                        _ if member.offset <= offset => {
                            member.shape.find_bits(offset - member.offset, size, &path, found);
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    fn find(&self, offset: u64, size: u32, path: &mut String) -> Option<&Shape> {
        if size == 0 && offset == 0 && !matches!(self, Shape::Array { length: 1.., .. }) {
            return Some(self);
        }
        match self {
            Shape::Scalar { size: own, .. } => (offset == 0 && size == *own).then_some(self),
            Shape::Opaque => (offset == 0).then_some(self),
            Shape::Array { element, stride, length } => {
                let index = offset.checked_div(*stride)?;
                if *length != 0 && index >= *length {
                    return None;
                }
                path.push_str(&format!("[{index}]"));
                element.find(offset % stride, size, path)
            }
            Shape::Record(members) => {
                let before = path.len();
                members.iter().filter(|member| member.offset <= offset).find_map(|member| {
                    if !member.name.is_empty() {
                        path.push('.');
                        path.push_str(&member.name);
                    }
                    let found = member.shape.find(offset - member.offset, size, path);
                    if found.is_none() {
                        path.truncate(before);
                    }
                    found
                })
            }
        }
    }
}
