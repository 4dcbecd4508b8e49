//! Output: the `printf` family.
//!
//! A format that is a string literal is taken apart here: its arguments are read as it says, and what goes to the
//! standard output is printed. `sprintf` and `snprintf` write exactly what they do in C, one call of a C model per
//! part; of conversions that are known only roughly (floating-point numbers, addresses, wide characters) any
//! characters, as many as there can be. Wrong arguments are undefined: too few, or a floating-point number where an
//! integer belongs. Writing never fails.

use super::arguments::int;
use super::externals::COMPUTED_BY;
use super::format::{Count, Directive, Length, Piece, parse};
use super::memory::are_different;
use super::{ModelCall, Modelled};
use crate::types::Types;
use selvedge_program::{Action, Atomicity, Base, Display, Expr, ObjectKind, OutputPiece, Undefined};

/// Where output goes.
#[derive(Clone, Debug)]
enum Stream {
    /// The standard output.
    Standard,
    /// The stream that an argument names, perhaps the standard output.
    Argument(usize),
    /// Elsewhere.
    Other,
}

/// A conversion with its arguments.
#[derive(Clone, Debug)]
struct Bound {
    directive: Directive,
    width: Expr,
    precision: Expr,
    value: Expr,
}

/// A part of the output.
#[derive(Clone, Debug)]
enum Segment {
    Text(usize, Vec<u8>),
    Value(Bound),
}

/// `printf`.
pub(super) fn printf(call: &mut ModelCall<'_, '_>) -> Modelled {
    print(call, 0, 1, &Stream::Standard)
}

/// `fprintf`.
pub(super) fn fprintf(call: &mut ModelCall<'_, '_>) -> Modelled {
    print(call, 1, 2, &Stream::Argument(0))
}

/// `dprintf`, `syslog`: printed elsewhere.
pub(super) fn dprintf(call: &mut ModelCall<'_, '_>) -> Modelled {
    print(call, 1, 2, &Stream::Other)
}

/// `err`, `errx`: printed elsewhere; the end of the process.
pub(super) fn err(call: &mut ModelCall<'_, '_>) -> Modelled {
    let status = call.int(0);
    print(call, 1, 2, &Stream::Other);
    call.function.emit_last(Action::Exit { status });
    Modelled::NoReturn
}

/// `warn`, `warnx`.
pub(super) fn warn(call: &mut ModelCall<'_, '_>) -> Modelled {
    print(call, 0, 1, &Stream::Other);
    Modelled::Void
}

fn print(call: &mut ModelCall<'_, '_>, format: usize, first: usize, stream: &Stream) -> Modelled {
    let Some(text) = call.literal(format) else {
        return print_unknown(call, format);
    };
    let parts = bind(call, &text, first);
    read_strings(call, &parts);
    let pieces: Vec<OutputPiece> = parts.iter().map(|part| output_piece(part, call)).collect();
    call.output(pieces, stream);
    if !are_exact(&parts) {
        parts.iter().for_each(|part| store_any_count(call, part));
        return any_length(call, if parts.iter().any(may_fail) { -1 } else { 0 });
    }
    if call.result == Types::VOID && !parts.iter().any(counts) {
        return Modelled::Void;
    }
    let (null, zero) = (call.function.null(), Expr::constant(call.function.pointer_width(), 0));
    let format = call.pointer(format);
    let length = compose(call, &parts, &format, &null, &zero);
    Modelled::Value(length.resize_unsigned(32), Display::Signed)
}

/// How many characters were printed of what is known only roughly: any number that nothing may depend on.
fn any_length(call: &mut ModelCall<'_, '_>, least: i32) -> Modelled {
    if call.result == Types::VOID {
        return Modelled::Void;
    }
    let first = call.function.next_edge();
    let length = call.any_int_between(least, i32::MAX);
    let name = format!("{COMPUTED_BY}{}", call.plain_name());
    call.function.name_choices(first, &name);
    Modelled::Value(length, Display::Signed)
}

/// Reads the strings that are printed.
fn read_strings(call: &mut ModelCall<'_, '_>, parts: &[Segment]) {
    for part in parts {
        if let Segment::Value(bound) = part
            && bound.directive.letter == 's'
        {
            if bound.is_wide() {
                let (text, width) = (bound.value.clone(), call.function.pointer_width());
                call.call_c("__selvedge_read_wide_string", vec![text, bound.precision.clone()], width);
            } else {
                call.read_string(bound.value.clone(), bound.precision.clone());
            }
        }
    }
}

/// Whether a part is `%n`.
fn counts(part: &Segment) -> bool {
    matches!(part, Segment::Value(bound) if bound.directive.letter == 'n')
}

/// `%n` after what has a length that we do not know.
fn store_any_count(call: &mut ModelCall<'_, '_>, part: &Segment) {
    if let Segment::Value(bound) = part
        && counts(part)
    {
        call.function.inexact("`%n` in a format, behind what has a length that is not modelled");
        let count = call.any_int_between(0, i32::MAX);
        store_count(call, bound, count);
    }
}

/// `%n`: stores how many characters came before.
fn store_count(call: &mut ModelCall<'_, '_>, bound: &Bound, count: Expr) {
    let width = bound.directive.length.width(call.function.pointer_width());
    let align = (width / 8).min(call.pointer_size());
    call.function.store(bound.value.clone(), align, count.resize_unsigned(width), Atomicity::Plain);
}

/// Output of which we do not know what it says.
fn print_unknown(call: &mut ModelCall<'_, '_>, format: usize) -> Modelled {
    read_format(call, format);
    any_length(call, 0)
}

/// Reads a format that cannot be taken apart.
fn read_format(call: &mut ModelCall<'_, '_>, format: usize) {
    let (format, span) = (call.pointer(format), call.function.span);
    call.read_string(format, int(-1));
    let message = "what is printed with a format that is no string literal is not read";
    call.function.program.add_caveat(span, message);
}

impl ModelCall<'_, '_> {
    /// Reads a string up to its end, or up to so many characters if that number is not negative.
    fn read_string(&mut self, string: Expr, limit: Expr) {
        let width = self.function.pointer_width();
        self.call_c("__selvedge_read_string", vec![string, limit], width);
    }

    /// A string that has been read, as it is printed.
    fn printed_string(&self, conversion: String, string: Expr) -> OutputPiece {
        let is_known = matches!(&string, Expr::Address(Base::Object(object), _)
            if self.function.program.objects[object.index()].kind == ObjectKind::Constant);
        match self.latitude.silent_strings && !is_known {
            true => OutputPiece::Text("\u{2026}".as_bytes().to_vec()),
            false => OutputPiece::CString(conversion, string),
        }
    }

    /// Prints if the stream is the standard output.
    fn output(&mut self, pieces: Vec<OutputPiece>, stream: &Stream) {
        match stream {
            Stream::Other => {}
            Stream::Standard => {
                self.function.emit(Action::Output(pieces));
            }
            Stream::Argument(index) => {
                let stream = self.pointer(*index);
                let is_standard = self.call_c("__selvedge_is_stdout", vec![stream], 32);
                self.when(is_standard.is_true(), |call| {
                    call.function.emit(Action::Output(pieces));
                });
            }
        }
    }
}

impl Bound {
    /// Whether it prints wide characters.
    fn is_wide(&self) -> bool {
        self.directive.length == Length::Long && matches!(self.directive.letter, 'c' | 's')
    }

    /// Whether `sprintf` can write it exactly.
    fn is_exact(&self) -> bool {
        "diuxXocsn".contains(self.directive.letter) && !self.is_wide()
    }
}

/// Whether `sprintf` can write all parts exactly.
fn are_exact(parts: &[Segment]) -> bool {
    parts.iter().all(|part| match part {
        Segment::Text(..) => true,
        Segment::Value(bound) => bound.is_exact(),
    })
}

/// A format of which C does not say what it means: undefined, but a library may know more.
fn undefined_format(call: &mut ModelCall<'_, '_>) {
    call.function.inexact(format!("a conversion in a format of `{}` that C does not have", call.plain_name()));
    call.function.require(Expr::falsehood(), Undefined::BadArgument);
}

/// Gives every conversion its arguments.
fn bind(call: &mut ModelCall<'_, '_>, format: &[u8], first: usize) -> Vec<Segment> {
    let Some(pieces) = parse(format) else {
        undefined_format(call);
        return Vec::new();
    };
    let mut next = first;
    let mut parts = Vec::new();
    for piece in pieces {
        let mut directive = match piece {
            Piece::Text(start, bytes) => {
                parts.push(Segment::Text(start, bytes));
                continue;
            }
            Piece::Directive(directive) => directive,
        };
        if let 'C' | 'S' = directive.letter {
            directive.letter.make_ascii_lowercase();
            directive.length = Length::Long;
        }
        let mut count = |count: Count, absent: i32| match count {
            Count::Absent => int(absent),
            Count::Number(number) => int(i32::try_from(number).unwrap_or(i32::MAX)),
            Count::Argument => {
                next += 1;
                call.int(next - 1)
            }
        };
        let (width, precision) = (count(directive.width, 0), count(directive.precision, -1));
        let value = match directive.letter {
            'm' => int(0),
            _ => {
                next += 1;
                argument(call, &directive, next - 1)
            }
        };
        parts.push(Segment::Value(Bound { directive, width, precision, value }));
    }
    parts
}

/// The argument of a conversion, of the width that the conversion says.
fn argument(call: &mut ModelCall<'_, '_>, directive: &Directive, index: usize) -> Expr {
    let Some(argument) = call.arguments.get(index) else {
        call.function.require(Expr::falsehood(), Undefined::BadArgument);
        return int(0);
    };
    let (value, ty) = (argument.value.clone(), argument.ty);
    let is_float = call.types.is_float(ty);
    match directive.letter {
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'c' | 's' | 'p' if is_float || call.types.scalar_size(ty).is_none() => {
            call.function.require(Expr::falsehood(), Undefined::BadArgument);
            int(0)
        }
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' => {
            let width = directive.length.width(call.function.pointer_width());
            let is_signed = call.types.is_signed(ty);
            if is_signed { value.resize_signed(width) } else { value.resize_unsigned(width) }
        }
        'c' => value.resize_unsigned(if directive.length == Length::Long { 32 } else { 8 }),
        's' | 'p' => call.pointer(index),
        'n' if call.types.is_pointer(ty) => call.pointer(index),
        'n' => {
            call.function.require(Expr::falsehood(), Undefined::BadArgument);
            int(0)
        }
        'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
            let is_long = ty == Types::LONG_DOUBLE;
            if !is_float || is_long != (directive.length == Length::LongDouble) {
                call.function.require(Expr::falsehood(), Undefined::BadArgument);
            }
            // What is printed of it is not computed.
            if is_long || !is_float { int(0) } else { call.converted(index, Types::DOUBLE) }
        }
        _ => {
            undefined_format(call);
            int(0)
        }
    }
}

fn output_piece(part: &Segment, call: &ModelCall<'_, '_>) -> OutputPiece {
    let bound = match part {
        Segment::Text(_, bytes) => return OutputPiece::Text(bytes.clone()),
        Segment::Value(bound) => bound,
    };
    let directive = &bound.directive;
    let Directive { flags, letter, .. } = directive;
    let constant = |value: &Expr| match value {
        Expr::Constant(bits) => Some(bits.as_signed()),
        _ => None,
    };
    let mut conversion = format!("%{flags}");
    if let Some(width) = constant(&bound.width).filter(|width| *width != 0) {
        conversion.push_str(&width.to_string());
    }
    if let Some(precision) = constant(&bound.precision).filter(|precision| *precision >= 0) {
        conversion.push_str(&format!(".{precision}"));
    }
    conversion.push(*letter);
    match letter {
        'n' => OutputPiece::Text(Vec::new()),
        _ if bound.is_wide() || directive.length == Length::LongDouble || !"diuxXocspfFeEgGaA".contains(*letter) => {
            OutputPiece::Text("\u{2026}".as_bytes().to_vec())
        }
        's' => call.printed_string(conversion, bound.value.clone()),
        _ => OutputPiece::Value(conversion, bound.value.clone()),
    }
}

/// Writes the parts into a buffer of a size, one call of a C model each, and a final zero; the length of the whole.
fn compose(call: &mut ModelCall<'_, '_>, parts: &[Segment], format: &Expr, buffer: &Expr, size: &Expr) -> Expr {
    let width = size.width();
    let mut position = Expr::constant(width, 0);
    for part in parts {
        if let Segment::Value(bound) = part
            && counts(part)
        {
            position = call.function.hold(position, Display::Unsigned);
            store_count(call, bound, position.clone());
            continue;
        }
        let so_far = vec![buffer.clone(), size.clone(), position];
        let (name, rest) = match part {
            Segment::Text(start, bytes) => {
                let count = Expr::constant(width, bytes.len() as u128);
                ("__selvedge_put_bytes", vec![format.clone().plus(*start as u64), count])
            }
            Segment::Value(bound) => put(bound, buffer),
        };
        position = call.call_c(name, [so_far, rest].concat(), width);
    }
    let length = call.call_c("__selvedge_put_end", vec![buffer.clone(), size.clone(), position], width);
    for part in parts {
        if let Segment::Value(Bound { directive, precision, value, .. }) = part
            && directive.letter == 's'
            && directive.length != Length::Long
            && may_overlap(buffer, value)
        {
            let rest = vec![length.clone(), value.clone(), precision.clone()];
            call.call_c("__selvedge_put_apart", [vec![buffer.clone(), size.clone()], rest].concat(), width);
        }
    }
    length
}

/// Whether a string may lie in the buffer.
fn may_overlap(buffer: &Expr, string: &Expr) -> bool {
    !matches!(buffer, Expr::Constant(_)) && !are_different(buffer, string)
}

/// The C model that writes a conversion, and what it takes besides the buffer.
fn put(bound: &Bound, buffer: &Expr) -> (&'static str, Vec<Expr>) {
    let Bound { directive, width, precision, value } = bound.clone();
    let mut flags = ["-", "0", "+", " ", "#"]
        .iter()
        .enumerate()
        .filter(|(_, flag)| directive.flags.contains(**flag))
        .fold(0, |flags, (bit, _)| flags | 1 << bit);
    if directive.letter == 'X' {
        flags |= 1 << 5;
    }
    let (base, is_signed) = match directive.letter {
        'd' | 'i' => (10, true),
        'u' => (10, false),
        'o' => (8, false),
        _ => (16, false),
    };
    match directive.letter {
        's' if bound.is_wide() => ("__selvedge_put_wide_string", vec![value, width, precision]),
        'c' if bound.is_wide() => ("__selvedge_put_wide_char", vec![width]),
        'p' => ("__selvedge_put_pointer", vec![width, precision]),
        'm' => ("__selvedge_put_message", vec![width, precision]),
        letter @ ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A') => {
            let letter = int(letter.to_ascii_lowercase() as i32);
            let is_long = int(i32::from(directive.length == Length::LongDouble));
            ("__selvedge_put_float", vec![letter, is_long, width, precision])
        }
        's' => {
            let name =
                if may_overlap(buffer, &value) { "__selvedge_put_string_apart" } else { "__selvedge_put_string" };
            (name, vec![value, int(flags), width, precision])
        }
        'c' => ("__selvedge_put_char", vec![value.resize_unsigned(32), int(flags), width]),
        _ if is_signed => ("__selvedge_put_signed", vec![value.resize_signed(64), int(flags), width, precision]),
        _ => {
            let value = value.resize_unsigned(64);
            ("__selvedge_put_unsigned", vec![value, int(base), int(flags), width, precision])
        }
    }
}

/// `sprintf`: without a bound.
pub(super) fn sprintf(call: &mut ModelCall<'_, '_>) -> Modelled {
    let size = Expr::constant(call.function.pointer_width(), u128::MAX);
    write(call, size, 1)
}

/// `snprintf`.
pub(super) fn snprintf(call: &mut ModelCall<'_, '_>) -> Modelled {
    let size = call.size(1);
    write(call, size, 2)
}

/// `asprintf`: as `sprintf`, into memory that fits; by a format that is no literal, any short string.
pub(super) fn asprintf(call: &mut ModelCall<'_, '_>) -> Modelled {
    let Some(text) = call.literal(1) else {
        read_format(call, 1);
        call.function.inexact("text by a format that is no string literal");
        return any_new_string(call);
    };
    let parts = bind(call, &text, 2);
    let (format, null, width) = (call.pointer(1), call.function.null(), call.function.pointer_width());
    let length = compose(call, &parts, &format, &null, &Expr::constant(width, 0));
    let size = call.function.hold(length.plus(1), Display::Unsigned);
    let buffer = call.allocate_heap(size.clone());
    let buffer = call.function.hold(buffer, Display::Pointer);
    let length = compose(call, &parts, &format, &buffer, &size);
    let (target, align) = (call.pointer(0), call.pointer_size());
    call.function.store(target, align, buffer, Atomicity::Plain);
    written(call, &parts, length)
}

/// Stores a new string through the first argument; its length.
fn any_new_string(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (span, width) = (call.function.span, call.function.pointer_width());
    let message = "strings that the library makes of unknown text are assumed to have at most 15 characters";
    call.function.program.add_caveat(span, message);
    let size = Expr::constant(width, 16);
    let buffer = call.allocate_heap(size.clone());
    let buffer = call.function.hold(buffer, Display::Pointer);
    let length = call.call_c("__selvedge_any_string", vec![buffer.clone(), size], width);
    let (target, align) = (call.pointer(0), call.pointer_size());
    call.function.store(target, align, buffer, Atomicity::Plain);
    Modelled::Value(length.resize_unsigned(32), Display::Signed)
}

/// `strerror_r`, which says 0 or an error number by POSIX, and where the text is by GNU.
pub(super) fn strerror_r(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (buffer, size) = (call.pointer(1), call.size(2));
    if !call.types.is_pointer(call.result) {
        call.write_text(buffer, size);
        return match call.result == Types::VOID {
            true => Modelled::Void,
            false => Modelled::Value(call.any_int_between(0, super::errno::LAST_ERROR), Display::Signed),
        };
    }
    let is_copied = call.function.havoc(1, Display::Bool);
    call.when(is_copied.clone(), |call| call.write_text(buffer.clone(), size));
    let text = call.string_of_the_library();
    Modelled::Value(Expr::if_then_else(is_copied, buffer, text), Display::Pointer)
}

fn write(call: &mut ModelCall<'_, '_>, size: Expr, format: usize) -> Modelled {
    let Some(text) = call.literal(format) else {
        read_format(call, format);
        let buffer = call.pointer(0);
        return match call.plain_name() {
            "snprintf" => {
                let format = call.pointer(format);
                Modelled::CallC("__selvedge_any_snprintf", vec![buffer, size, format])
            }
            _ => Modelled::CallC("__selvedge_any_sprintf", vec![buffer]),
        };
    };
    let parts = bind(call, &text, format + 1);
    let (buffer, format) = (call.pointer(0), call.pointer(format));
    let buffer = call.function.hold(buffer, Display::Pointer);
    let length = compose(call, &parts, &format, &buffer, &size);
    written(call, &parts, length)
}

/// Whether a part may be a wide character that cannot be written.
fn may_fail(part: &Segment) -> bool {
    matches!(part, Segment::Value(bound) if bound.is_wide())
}

/// The result after so many characters, or -1.
fn written(call: &mut ModelCall<'_, '_>, parts: &[Segment], length: Expr) -> Modelled {
    let length = length.resize_unsigned(32);
    let result = match parts.iter().any(may_fail) {
        true => Expr::if_then_else(call.function.havoc(1, Display::Bool), length, int(-1)),
        false => length,
    };
    Modelled::Value(result, Display::Signed)
}

/// `puts`.
pub(super) fn puts(call: &mut ModelCall<'_, '_>) -> Modelled {
    let string = call.pointer(0);
    call.read_string(string.clone(), int(-1));
    let pieces = vec![call.printed_string("%s".to_owned(), string), OutputPiece::Text(b"\n".to_vec())];
    call.output(pieces, &Stream::Standard);
    super::nondet::not_negative(call)
}

/// `fputs`.
pub(super) fn fputs(call: &mut ModelCall<'_, '_>) -> Modelled {
    let string = call.pointer(0);
    call.read_string(string.clone(), int(-1));
    let pieces = vec![call.printed_string("%s".to_owned(), string)];
    call.output(pieces, &Stream::Argument(1));
    super::nondet::not_negative(call)
}

fn put_character(call: &mut ModelCall<'_, '_>, stream: &Stream) -> Modelled {
    let character = call.converted(0, Types::UNSIGNED_CHAR);
    call.output(vec![OutputPiece::Value("%c".to_owned(), character.clone())], stream);
    Modelled::Value(character.resize_unsigned(32), Display::Signed)
}

/// `putchar`.
pub(super) fn putchar(call: &mut ModelCall<'_, '_>) -> Modelled {
    put_character(call, &Stream::Standard)
}

/// `fputc`, `putc`.
pub(super) fn fputc(call: &mut ModelCall<'_, '_>) -> Modelled {
    put_character(call, &Stream::Argument(1))
}

/// `perror`: reads its text and `errno`.
pub(super) fn perror(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (text, errno) = (call.pointer(0), call.errno());
    call.function.load(errno, 4, 4, Atomicity::Plain, Display::Signed);
    call.when(text.clone().is_true(), |call| call.read_string(text, int(-1)));
    Modelled::Void
}
