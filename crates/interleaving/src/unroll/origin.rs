//! What cells hold before anything is written to them.

use selvedge_logic::Sort;
use selvedge_program::{Base, InitialContents, Program, RegisterId};
use selvedge_symbolic::initial::bytes;
use selvedge_symbolic::{Builder, CellKey, Entity, GHOST_WIDTH, Life, Names, Tag, Word};

use super::objects::{Object, Objects};

/// The initial value of a cell.
pub fn initial(builder: &mut Builder, objects: &mut Objects, program: &Program, key: CellKey) -> Word {
    match key {
        CellKey::Alive(_) => builder.number(1, 1),
        CellKey::Size(_)
        | CellKey::Array(_)
        | CellKey::Changer { .. }
        | CellKey::Tally { .. }
        | CellKey::Note(..)
        | CellKey::Unjoined => builder.number(program.pointer_width(), 0),
        CellKey::Ghost { object, offset, field } => match objects.object(object) {
            Some(Object::Static(id) | Object::ThreadLocal(id, _)) => {
                selvedge_symbolic::initial::ghost(builder, program, id, offset, field)
            }
            _ => builder.number(GHOST_WIDTH, 0),
        },
        CellKey::Bytes { object, start, size } => match objects.object(object) {
            Some(Object::Static(id) | Object::ThreadLocal(id, _)) => {
                bytes(builder, &mut Constants { objects, program }, program, id, start, size)
                    .unwrap_or_else(|| indeterminate(builder, object, start, size))
            }
            Some(Object::Allocated(..)) => match objects.allocation(object).map(|allocation| allocation.contents) {
                Some(InitialContents::Zero) => builder.number(size * 8, 0),
                _ => indeterminate(builder, object, start, size),
            },
            _ => indeterminate(builder, object, start, size),
        },
    }
}

/// What a cell without a value turns out to be when it is read is a symbol of its own.
fn indeterminate(builder: &mut Builder, object: Tag, start: u64, size: u32) -> Word {
    let bits = builder.terms.symbol(&format!("indeterminate.{}.{start}.{size}", object.0), Sort::Bits(size * 8));
    builder.indeterminate(bits)
}

/// Constants of initial values name static objects and functions only.
struct Constants<'a> {
    objects: &'a mut Objects,
    program: &'a Program,
}

impl Names for Constants<'_> {
    fn register(&self, _register: RegisterId) -> Option<Word> {
        None
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        let tag = match base {
            Base::Function(function) => self.objects.tag(Object::Function(function)),
            Base::Object(object) => self.objects.tag(Object::Static(object)),
            Base::Frame(_) | Base::SelfThread => None,
        };
        tag.map(|tag| builder.pointer(tag, width))
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.objects.entity(self.program, tag)
    }

    fn life(&self, _tag: Tag) -> Life {
        Life::Lasts
    }
}
