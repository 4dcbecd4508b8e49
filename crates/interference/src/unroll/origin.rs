//! What cells hold before anything is written to them.

use selvedge_logic::Sort;
use selvedge_program::{Base, Expr, GhostField, InitialContents, ObjectId, Program, RegisterId};
use selvedge_symbolic::{Builder, CellKey, Entity, Eval, GHOST_WIDTH, Life, Names, Tag, Word};

use super::objects::{Object, Objects};

/// The initial value of a cell.
pub fn initial(builder: &mut Builder, objects: &mut Objects, program: &Program, key: CellKey) -> Word {
    match key {
        CellKey::Alive(_) => builder.number(1, 1),
        CellKey::Size(_) | CellKey::Array(_) => builder.number(program.pointer_width(), 0),
        CellKey::Ghost { object, offset, field } => ghost(builder, objects, program, object, offset, field),
        CellKey::Bytes { object, start, size } => match objects.object(object) {
            Some(Object::Static(id) | Object::ThreadLocal(id, _)) => bytes(builder, objects, program, id, start, size)
                .unwrap_or_else(|| indeterminate(builder, object, start, size)),
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

fn ghost(
    builder: &mut Builder,
    objects: &Objects,
    program: &Program,
    object: Tag,
    offset: u64,
    field: GhostField,
) -> Word {
    let value = match objects.object(object) {
        Some(Object::Static(id) | Object::ThreadLocal(id, _)) => {
            let ghosts = &program.object(id).initial_ghosts;
            ghosts.iter().rfind(|(at, which, _)| *at == offset && *which == field).map(|(_, _, value)| value.unsigned())
        }
        _ => None,
    };
    builder.number(GHOST_WIDTH, value.unwrap_or(0))
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

    fn base(&mut self, base: Base) -> Option<Tag> {
        match base {
            Base::Function(function) => self.objects.tag(Object::Function(function)),
            Base::Object(object) => self.objects.tag(Object::Static(object)),
            Base::Frame(_) | Base::SelfThread => None,
        }
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.objects.entity(self.program, tag)
    }

    fn life(&self, _tag: Tag) -> Life {
        Life::Lasts
    }
}

/// Some bytes of a static object: zero but for its initial values. `None` if they are parts of pointers.
fn bytes(
    builder: &mut Builder,
    objects: &mut Objects,
    program: &Program,
    id: ObjectId,
    start: u64,
    size: u32,
) -> Option<Word> {
    let end = start + u64::from(size);
    let mut known: u128 = 0;
    for initial in &program.object(id).initial {
        let (from, to) = (initial.offset, initial.offset + u64::from(initial.size));
        if to <= start || end <= from {
            continue;
        }
        let value = match &initial.value {
            Expr::Constant(bits) => bits.unsigned(),
            value => {
                let mut troubles = Vec::new();
                let yes = builder.yes;
                let (pointer_width, troubles) = (program.pointer_width(), &mut troubles);
                let names = &mut Constants { objects, program };
                let word = Eval { builder, names, pointer_width, troubles }.word(value, yes);
                match builder.constant(word.bits) {
                    // A number after all, or a part of a pointer, which only whole pointers are.
                    Some(bits) if builder.is_number(word) => bits,
                    _ if (from, to) == (start, end) => return Some(word),
                    _ => return None,
                }
            }
        };
        let shifted = if from >= start { value << (8 * (from - start)) } else { value >> (8 * (start - from)) };
        let (low, high) = (from.max(start) - start, to.min(end) - start);
        let mask = ones(high) & !ones(low);
        known = known & !mask | shifted & mask;
    }
    Some(builder.number(size * 8, known & ones(u64::from(size))))
}

/// So many bytes of ones.
fn ones(bytes: u64) -> u128 {
    if bytes >= 16 { u128::MAX } else { (1 << (8 * bytes)) - 1 }
}
