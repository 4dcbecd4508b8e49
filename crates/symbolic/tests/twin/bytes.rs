//! Bytes taken together to what terms can say: numbers, whole pointers, indeterminate bytes.

use selvedge_program::Bits;
use selvedge_program::semantics::{Byte, Value};

use crate::inputs::Kind;
use crate::objects::Objects;

/// The longest stretches of one kind; `None` if a part of a pointer is among them.
pub fn kinds(bytes: &[Byte], pointer_size: u32, objects: &Objects) -> Option<Vec<(u32, Kind)>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (length, kind) = match bytes[at] {
            Byte::Indeterminate => (run(&bytes[at..], |byte| byte == Byte::Indeterminate), Kind::Indeterminate),
            Byte::Known(_) => {
                let length = run(&bytes[at..], |byte| matches!(byte, Byte::Known(_))).min(16);
                (length, Kind::Number(number(&bytes[at..at + length])))
            }
            Byte::Part(pointer, 0) => {
                let whole = (0..pointer_size)
                    .all(|part| bytes.get(at + part as usize) == Some(&Byte::Part(pointer, part as u8)));
                let tag = whole.then(|| objects.tag(pointer.object)).flatten()?;
                (pointer_size as usize, Kind::Pointer(tag, pointer.offset))
            }
            Byte::Part(..) => return None,
        };
        found.push((length as u32, kind));
        at += length;
    }
    Some(found)
}

fn run(bytes: &[Byte], is: impl Fn(Byte) -> bool) -> usize {
    bytes.iter().take_while(|byte| is(**byte)).count()
}

fn number(bytes: &[Byte]) -> u128 {
    let byte = |byte: &Byte| if let Byte::Known(byte) = byte { *byte } else { 0 };
    Bits::from_bytes(&bytes.iter().map(byte).collect::<Vec<u8>>()).unsigned()
}

/// The bytes of a value.
pub fn bytes_of(value: &Value, size: u32, pointer_size: u32) -> Vec<Byte> {
    match value {
        Value::Bits(bits) => bits.to_bytes().map(Byte::Known).collect(),
        Value::Pointer(pointer) => {
            let part = |at| if at < pointer_size { Byte::Part(*pointer, at as u8) } else { Byte::Known(0) };
            (0..size).map(part).collect()
        }
        Value::Raw(bytes) => bytes.to_vec(),
    }
}
