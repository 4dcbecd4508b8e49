//! Names of cells for people.

use selvedge_symbolic::{CellKey, Tag};

use super::Unroller;
use super::objects::Object;

pub fn cell(unroller: &Unroller<'_>, key: CellKey) -> String {
    let (name, shape) = object(unroller, key.object());
    match key {
        CellKey::Alive(_) => format!("{name} is alive"),
        CellKey::Size(_) => format!("the size of {name}"),
        CellKey::Array(_) => name,
        CellKey::Note(note, _) => format!("{note:?} of {name}"),
        CellKey::Unjoined => "the threads to be joined".to_owned(),
        CellKey::Tally { start, .. } => format!("a tally of {name}+{start}"),
        CellKey::Changer { start, .. } => format!("the last to change {name}+{start}"),
        CellKey::Ghost { offset, field, .. } => {
            let part = shape.and_then(|shape| shape.path(offset, 0)).unwrap_or_default();
            format!("{name}{part}.{}", field.name())
        }
        CellKey::Bytes { start, size, .. } => match shape.and_then(|shape| shape.path(start, size)) {
            Some(part) => format!("{name}{part}"),
            None => format!("{name}+{start}"),
        },
    }
}

fn object<'p>(unroller: &Unroller<'p>, tag: Tag) -> (String, Option<&'p selvedge_program::Shape>) {
    let program = unroller.program;
    match unroller.objects.object(tag) {
        None => (String::new(), None),
        Some(Object::Static(id) | Object::ThreadLocal(id, _)) => {
            let object = program.object(id);
            (object.name.clone(), Some(&object.shape))
        }
        Some(Object::Frame(_, function, slot)) => {
            let object = program.function(function).frame_object(slot);
            (object.name.clone(), Some(&object.shape))
        }
        Some(Object::Allocated(..)) => (format!("object {}", tag.0), None),
        Some(Object::Thread(thread)) => (format!("thread {}", thread.0), None),
        Some(Object::Function(function)) => (program.function(function).name.clone(), None),
    }
}
