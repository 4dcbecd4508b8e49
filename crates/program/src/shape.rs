//! The names of an object's parts: from an offset and a size to `.head` or `[3].x`.

use crate::{Display, Shape};

impl Shape {
    /// The name of `size` bytes at an offset, to be put after the object's name: `.head`, `[3].x`, or nothing for the
    /// whole of a scalar. A size of 0 asks for an address only: the outermost part that starts there and is no array.
    pub fn path(&self, offset: u64, size: u32) -> Option<String> {
        let mut path = String::new();
        self.find(offset, size, &mut path).map(|_| path)
    }

    /// How to show the scalar at an offset.
    pub fn display(&self, offset: u64, size: u32) -> Option<Display> {
        match self.find(offset, size, &mut String::new())? {
            Shape::Scalar { display, .. } => Some(*display),
            _ => None,
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
