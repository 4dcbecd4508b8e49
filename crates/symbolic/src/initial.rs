//! What static objects hold before anything is written to them.

use selvedge_program::{Expr, GhostField, ObjectId, Program};

use crate::builder::Builder;
use crate::cell::GHOST_WIDTH;
use crate::eval::{Eval, Names};
use crate::word::Word;

/// A ghost field of a static object.
pub fn ghost(builder: &mut Builder, program: &Program, id: ObjectId, offset: u64, field: GhostField) -> Word {
    let ghosts = &program.object(id).initial_ghosts;
    let found = ghosts.iter().rfind(|(at, which, _)| *at == offset && *which == field);
    builder.number(GHOST_WIDTH, found.map_or(0, |(_, _, value)| value.unsigned()))
}

/// Some bytes of a static object before anything is written to them: zero but for its initial values. `None` if they
/// are parts of pointers.
pub fn bytes(
    builder: &mut Builder,
    names: &mut dyn Names,
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
                let word = Eval { builder, names: &mut *names, pointer_width, troubles }.word(value, yes);
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
