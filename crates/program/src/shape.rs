//! The names of an object's parts: from an offset and a size to `.head` or `[3].x`.

use crate::{Display, GhostField, Shape};

impl Shape {
    /// The name of `size` bytes at an offset, to be put after the object's name: `.head`, `[3].x`, or nothing for the whole
    /// of a scalar. A size of 0 asks for an address only: the outermost part that
    /// starts there and is no array.
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

impl GhostField {
    /// Whether it is a thread's; all others are of objects that have bytes, or of the program as a whole.
    pub fn belongs_to_thread(self) -> bool {
        matches!(
            self,
            GhostField::ThreadStatus
                | GhostField::ThreadDetached
                | GhostField::ThreadResult
                | GhostField::WaitingOn
                | GhostField::WaitingWith
                | GhostField::Cancellation
                | GhostField::ThreadSpecific
        )
    }

    /// All of them.
    pub const ALL: [GhostField; 22] = [
        GhostField::MutexOwner,
        GhostField::MutexCount,
        GhostField::MutexKind,
        GhostField::WriteOwner,
        GhostField::Readers,
        GhostField::WaitingWriters,
        GhostField::SpinOwner,
        GhostField::SemaphoreValue,
        GhostField::BarrierThreshold,
        GhostField::BarrierArrived,
        GhostField::OnceState,
        GhostField::ThreadStatus,
        GhostField::ThreadDetached,
        GhostField::ThreadResult,
        GhostField::WaitingOn,
        GhostField::WaitingWith,
        GhostField::Cancellation,
        GhostField::ThreadSpecific,
        GhostField::NextKey,
        GhostField::ObjectSize,
        GhostField::Destroyed,
        GhostField::Attribute,
    ];

    /// Its name in reports and dumps, after the name of the object: `m.owner`.
    pub fn name(self) -> &'static str {
        match self {
            GhostField::MutexOwner => "owner",
            GhostField::MutexCount => "count",
            GhostField::MutexKind => "kind",
            GhostField::WriteOwner => "writer",
            GhostField::Readers => "readers",
            GhostField::WaitingWriters => "waiting_writers",
            GhostField::SpinOwner => "spinner",
            GhostField::SemaphoreValue => "value",
            GhostField::BarrierThreshold => "threshold",
            GhostField::BarrierArrived => "arrived",
            GhostField::OnceState => "once",
            GhostField::ThreadStatus => "status",
            GhostField::ThreadDetached => "detached",
            GhostField::ThreadResult => "result",
            GhostField::WaitingOn => "waiting_on",
            GhostField::WaitingWith => "waiting_with",
            GhostField::Cancellation => "cancellation",
            GhostField::ThreadSpecific => "specific",
            GhostField::NextKey => "next_key",
            GhostField::ObjectSize => "size",
            GhostField::Destroyed => "destroyed",
            GhostField::Attribute => "attribute",
        }
    }
}
