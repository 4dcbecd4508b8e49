//! What `printf` prints, piece by piece.
//!
//! Addresses have no numbers here: a pointer is printed by its object's name, and what would depend on such a number (a
//! thread's id, shortened) as three dots: nothing else depends on what is printed.

use crate::semantics::eval::Evaluator;
use crate::semantics::outcome::Outcome;
use crate::semantics::printf::Format;
use crate::semantics::value::{Byte, Value};
use crate::semantics::{AccessKind, Spot};
use crate::semantics::{names, place};
use crate::{Display, OutputPiece};

/// The text of a piece, and the memory that had to be read for it.
pub(super) fn piece(evaluator: &Evaluator<'_>, piece: &OutputPiece) -> Result<(Vec<u8>, Option<Spot>), Outcome> {
    match piece {
        OutputPiece::Text(text) => Ok((text.clone(), None)),
        OutputPiece::Value(conversion, value) => {
            let format = Format::parse(conversion);
            let value = match evaluator.eval(value) {
                Err(Outcome::Unsupported(_)) if value.is_always_defined() => return Ok(("\u{2026}".into(), None)),
                value => value?,
            };
            let text = match (&value, format) {
                (Value::Bits(bits), Some(format)) => format.number(*bits),
                (_, Some(format)) => {
                    format.text(names::value(evaluator.program, evaluator.state, &value, Display::Pointer).as_bytes())
                }
                (_, None) => conversion.clone().into_bytes(),
            };
            Ok((text, None))
        }
        OutputPiece::CString(conversion, address) => {
            let address = evaluator.eval(address)?;
            let format = Format::parse(conversion);
            let (text, spot) = c_string(evaluator, &address, format.as_ref().and_then(|format| format.precision))?;
            let text = format.map_or(text.clone(), |format| format.text(&text));
            Ok((text, spot))
        }
    }
}

/// The bytes at an address up to the terminating zero, or as many as the precision allows. An indeterminate byte may be
/// that zero, so the string is cut off there, with a question mark.
fn c_string(
    evaluator: &Evaluator<'_>,
    address: &Value,
    precision: Option<usize>,
) -> Result<(Vec<u8>, Option<Spot>), Outcome> {
    let mut text = Vec::new();
    if precision == Some(0) {
        return Ok((text, None));
    }
    let start = place::bytes(evaluator, address, 1, 1, AccessKind::Read)?;
    let mut at = start;
    loop {
        place::bytes(evaluator, &Value::Pointer(at), 1, 1, AccessKind::Read)?;
        let block = evaluator.state.memory().block(at.object);
        let byte = block.map_or(Byte::Indeterminate, |block| block.contents.byte(at.offset));
        at.offset += 1;
        match byte {
            Byte::Known(0) => break,
            Byte::Known(byte) => text.push(byte),
            Byte::Part(..) | Byte::Indeterminate => {
                text.push(b'?');
                break;
            }
        }
        if precision == Some(text.len()) {
            break;
        }
    }
    let size = at.offset - start.offset;
    Ok((text, Some(Spot::Bytes { object: start.object, offset: start.offset, size })))
}
