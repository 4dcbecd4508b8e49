//! What cells hold before anything is written to them.

use selvedge_logic::{Result, Sort};
use selvedge_program::{Base, Expr, GhostField, InitialContents, ObjectId, Program};

use super::cells::CellKey;
use super::eval::{Eval, Life, Names};
use super::objects::{Object, Objects, Tag};
use super::value::Builder;
use crate::skeleton::Word;

/// Ghost fields are kept in this width, whatever the width they are read in.
pub const GHOST_WIDTH: u32 = 64;

/// The initial value of a cell.
pub fn initial(builder: &mut Builder, objects: &mut Objects, program: &Program, key: CellKey) -> Result<Word> {
    match key {
        CellKey::Alive(_) => Ok(builder.number(1, 1)),
        CellKey::Size(_) | CellKey::Array(_) => Ok(builder.number(program.pointer_width(), 0)),
        CellKey::Ghost { object, offset, field } => Ok(ghost(builder, objects, program, object, offset, field)),
        CellKey::Bytes { object, start, size } => match objects.object(object) {
            Some(Object::Static(id) | Object::ThreadLocal(id, _)) => {
                match bytes(builder, objects, program, id, start, size)? {
                    Some(word) => Ok(word),
                    None => Ok(indeterminate(builder, object, start, size)),
                }
            }
            Some(Object::Allocated(..)) => match objects.allocation(object).map(|allocation| allocation.contents) {
                Some(InitialContents::Zero) => Ok(builder.number(size * 8, 0)),
                _ => Ok(indeterminate(builder, object, start, size)),
            },
            _ => Ok(indeterminate(builder, object, start, size)),
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
struct Constants;

impl Names for Constants {
    fn register(&self, _register: selvedge_program::RegisterId) -> Option<Word> {
        None
    }

    fn base(&self, base: Base) -> Object {
        match base {
            Base::Function(function) => Object::Function(function),
            Base::Object(object) => Object::Static(object),
            Base::Frame(_) | Base::SelfThread => Object::Static(ObjectId(0)),
        }
    }

    fn life(&self, _object: Object, _tag: Tag) -> Life {
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
) -> Result<Option<Word>> {
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
                let word = Eval { builder, objects, program, troubles: &mut troubles }.word(&Constants, value, yes)?;
                match builder.constant(word.bits) {
                    // A number after all, or a part of a pointer, which only whole pointers are.
                    Some(bits) if builder.is_number(word) => bits,
                    _ if (from, to) == (start, end) => return Ok(Some(word)),
                    _ => return Ok(None),
                }
            }
        };
        let shifted = if from >= start { value << (8 * (from - start)) } else { value >> (8 * (start - from)) };
        let (low, high) = (from.max(start) - start, to.min(end) - start);
        let mask = ones(high) & !ones(low);
        known = known & !mask | shifted & mask;
    }
    Ok(Some(builder.number(size * 8, known & ones(u64::from(size)))))
}

/// So many bytes of ones.
fn ones(bytes: u64) -> u128 {
    if bytes >= 16 { u128::MAX } else { (1 << (8 * bytes)) - 1 }
}
