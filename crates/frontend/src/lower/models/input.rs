//! Input: the `scanf` family. Any number of the conversions succeeds, each with any value of its type; but `sscanf`
//! reads its string, if its format has conversions only that the model in C knows.

use super::arguments::int;
use super::format::{Length, Scan, parse_scan};
use super::{ModelCall, Modelled};
use selvedge_program::{Atomicity, Base, BinaryOp, Display, Expr, FrameObject, Shape, Undefined};

/// `scanf`.
pub(super) fn scanf(call: &mut ModelCall<'_, '_>) -> Modelled {
    scan(call, 0)
}

/// `getline`.
pub(super) fn getline(call: &mut ModelCall<'_, '_>) -> Modelled {
    let span = call.function.span;
    call.function.program.add_caveat(span, "lines that are read whole are assumed to have at most 15 characters");
    call.in_c("__selvedge_getline", 3)
}

/// `getdelim`.
pub(super) fn getdelim(call: &mut ModelCall<'_, '_>) -> Modelled {
    let span = call.function.span;
    call.function.program.add_caveat(span, "lines that are read whole are assumed to have at most 15 characters");
    call.in_c("__selvedge_getdelim", 4)
}

/// `fscanf`.
pub(super) fn fscanf(call: &mut ModelCall<'_, '_>) -> Modelled {
    let stream = call.pointer(0);
    call.call_c("__selvedge_use_stream", vec![stream], 32);
    scan(call, 1)
}

/// `sscanf`.
pub(super) fn sscanf(call: &mut ModelCall<'_, '_>) -> Modelled {
    let scans = call.literal(1).and_then(|text| parse_scan(&text));
    let is_exact = |scan: &Scan| {
        let is_plain = scan.length == Length::Plain || !"cs[".contains(scan.letter);
        "diuxXocs[n".contains(scan.letter) && is_plain
    };
    let source = call.pointer(0);
    match scans {
        Some(scans) if !scans.iter().all(is_exact) => {
            let width = call.function.pointer_width();
            call.call_c("__selvedge_read_string", vec![source, int(-1)], width);
            scan(call, 1)
        }
        Some(scans) => {
            let stored = scans.iter().filter(|scan| !scan.is_dropped).count();
            scan_string(call, source, stored)
        }
        None => scan_string(call, source, 0),
    }
}

/// Calls the model in C with the pointers after the format, of which so many are needed.
fn scan_string(call: &mut ModelCall<'_, '_>, source: Expr, needed: usize) -> Modelled {
    let size = call.pointer_size();
    let count = call.arguments.len().saturating_sub(2);
    if count < needed {
        call.function.require(Expr::falsehood(), Undefined::BadArgument);
    }
    let object = call.function.frame_object(FrameObject {
        name: "...".to_owned(),
        size: u64::from(size) * count.max(1) as u64,
        align: size,
        shape: Shape::Opaque,
        type_name: "...".to_owned(),
        span: call.function.span,
    });
    let targets = call.function.address(Base::Frame(object));
    for position in 0..count {
        let pointer = call.pointer(2 + position);
        let slot = targets.clone().plus(u64::from(size) * position as u64);
        call.function.store(slot, size, pointer, Atomicity::Plain);
    }
    let format = call.pointer(1);
    Modelled::CallC("__selvedge_sscanf", vec![source, format, targets])
}

fn scan(call: &mut ModelCall<'_, '_>, format: usize) -> Modelled {
    let Some(scans) = call.literal(format).and_then(|text| parse_scan(&text)) else {
        return Modelled::Unsupported(format!("`{}` with a format that is no complete string literal", call.name));
    };
    let stored: Vec<Scan> = scans.into_iter().filter(|scan| !scan.is_dropped).collect();
    if let Some(reason) = stored.iter().find_map(|scan| unsupported(scan, call.plain_name())) {
        return Modelled::Unsupported(reason);
    }
    let count = call.any_int_between(-1, i32::try_from(stored.len()).unwrap_or(i32::MAX));
    for (position, scan) in stored.iter().enumerate() {
        let reached = Expr::binary(BinaryOp::LessSigned, int(position as i32), count.clone());
        let index = format + 1 + position;
        call.when(reached, |call| store_any(call, scan, index));
    }
    Modelled::Value(count, Display::Signed)
}

fn unsupported(scan: &Scan, name: &str) -> Option<String> {
    let is_wide = scan.length != Length::Plain && "cs[".contains(scan.letter);
    match scan.letter {
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'p' | 'c' if !is_wide => None,
        's' | '[' if !is_wide && scan.width.is_some() => None,
        's' | '[' if !is_wide => Some(format!("`%{}` without a width in a format of `{name}`", scan.letter)),
        'f' | 'e' | 'g' | 'a' | 'E' | 'G' if scan.length != Length::LongDouble => None,
        letter => Some(format!("`%{letter}` in a format of `{name}`")),
    }
}

fn store_any(call: &mut ModelCall<'_, '_>, scan: &Scan, index: usize) {
    if call.arguments.get(index).is_none() {
        call.function.require(Expr::falsehood(), Undefined::BadArgument);
        return;
    }
    let (address, pointer_width) = (call.pointer(index), call.function.pointer_width());
    let width = match scan.letter {
        's' | '[' => {
            let size = Expr::constant(pointer_width, u128::from(scan.width.unwrap_or(1)) + 1);
            call.call_c("__selvedge_any_string", vec![address, size], pointer_width);
            return;
        }
        'c' => {
            let count = Expr::constant(pointer_width, u128::from(scan.width.unwrap_or(1)));
            call.call_c("__selvedge_any_bytes", vec![address, count], pointer_width);
            return;
        }
        'p' => pointer_width,
        'f' | 'e' | 'g' | 'a' | 'E' | 'G' if scan.length == Length::Plain => 32,
        'f' | 'e' | 'g' | 'a' | 'E' | 'G' => 64,
        _ => scan.length.width(pointer_width),
    };
    let value = call.function.havoc(width, Display::Signed);
    call.function.store(address, (width / 8).min(pointer_width / 8), value, Atomicity::Plain);
}
