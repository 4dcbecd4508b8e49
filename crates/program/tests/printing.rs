//! `printf`'s conversions against what C prints, and output in runs.

mod common;

use common::{go, main_only, undefined};
use selvedge_program::assemble::{Assembly, address};
use selvedge_program::semantics::printf::Format;
use selvedge_program::{Action, Bits, Expr, InitialValue, ObjectKind, OutputPiece, Shape, Undefined};

#[track_caller]
fn prints(conversion: &str, value: Bits, expected: &str) {
    let format = Format::parse(conversion).expect("a known conversion");
    assert_eq!(String::from_utf8_lossy(&format.number(value)), expected, "{conversion} of {value:?}");
}

#[track_caller]
fn int(conversion: &str, value: i128, expected: &str) {
    prints(conversion, Bits::signed(32, value), expected);
}

#[track_caller]
fn double(conversion: &str, value: f64, expected: &str) {
    prints(conversion, Bits::from_f64(value), expected);
}

#[test]
fn integers() {
    int("%d", -42, "-42");
    int("%i", 42, "42");
    int("%u", -1, "4294967295");
    int("%5d", 42, "   42");
    int("%-5d", 42, "42   ");
    int("%05d", -42, "-0042");
    int("%+d", 42, "+42");
    int("% d", 42, " 42");
    int("%.5d", 42, "00042");
    int("%8.5d", -42, "  -00042");
    int("%08.5d", 42, "   00042");
    int("%.0d", 0, "");
    int("%x", 255, "ff");
    int("%#X", 255, "0XFF");
    int("%#x", 0, "0");
    int("%#010x", 255, "0x000000ff");
    int("%o", 8, "10");
    int("%#o", 8, "010");
    int("%#.0o", 0, "0");
    int("%c", 65, "A");
    int("%3c", 65, "  A");
    int("%%", 0, "%");
    prints("%d", Bits::smallest(64), "-9223372036854775808");
    prints("%p", Bits::new(64, 0), "(nil)");
    prints("%p", Bits::new(64, 0x1f), "0x1f");
}

#[test]
fn floating_point_numbers() {
    double("%f", 3.25, "3.250000");
    double("%.0f", 0.5, "0");
    double("%.0f", 1.5, "2");
    double("%.0f", 2.5, "2");
    double("%.1f", 0.25, "0.2");
    double("%.1f", 0.35, "0.3");
    double("%.2f", 1e-10, "0.00");
    double("%.3f", 1234567.0005, "1234567.001");
    double("%.20f", 0.1, "0.10000000000000000555");
    double("%010.2f", -3.126, "-000003.13");
    double("%+.1f", 2.0, "+2.0");
    double("%#.0f", 2.0, "2.");
    double("%f", f64::INFINITY, "inf");
    double("%F", f64::NEG_INFINITY, "-INF");
    double("%05f", f64::NAN, "  nan");
    double("%f", -0.0, "-0.000000");
    double("%e", 12345.678, "1.234568e+04");
    double("%.2E", 0.00012345, "1.23E-04");
    double("%e", 0.0, "0.000000e+00");
    double("%.3e", 9.9996e99, "1.000e+100");
    double("%g", 100000.0, "100000");
    double("%g", 1000000.0, "1e+06");
    double("%g", 0.0001, "0.0001");
    double("%g", 0.00001, "1e-05");
    double("%g", 999999.5, "1e+06");
    double("%g", 0.1, "0.1");
    double("%g", 0.0, "0");
    double("%#g", 1.0, "1.00000");
    double("%.3g", 1234.5, "1.23e+03");
    double("%.10g", 1234.5, "1234.5");
    double("%.0g", 5.5, "6");
    double("%G", 1e-7, "1E-07");
    prints("%.1f", Bits::from_f32(0.5), "0.5");
}

#[test]
fn unknown_conversions_are_no_conversions() {
    for conversion in ["%n", "%ld", "%5", "%", "%*d"] {
        assert_eq!(Format::parse(conversion), None, "{conversion}");
    }
}

fn text_object(assembly: &mut Assembly, text: &[u8]) -> selvedge_program::ObjectId {
    let id = assembly.object("text", ObjectKind::Constant, text.len() as u64, 1, Shape::Opaque);
    assembly.program.objects[id.index()].initial = text
        .iter()
        .enumerate()
        .map(|(at, byte)| InitialValue { offset: at as u64, size: 1, value: Expr::constant(8, (*byte).into()) })
        .collect();
    id
}

#[test]
fn strings_are_read_from_memory() {
    let mut assembly = Assembly::new();
    let hello = text_object(&mut assembly, b"hello\0");
    let program = main_only(assembly, |main| {
        let string = |conversion: &str| OutputPiece::CString(conversion.to_owned(), address(hello).plus(1));
        main.then(Action::Output(vec![
            OutputPiece::Text(b"<".to_vec()),
            string("%s"),
            string("%6s"),
            string("%-6.2s"),
            OutputPiece::Text(b"> ".to_vec()),
            OutputPiece::Value("%d".to_owned(), Expr::signed(32, -3)),
            OutputPiece::Value("%p".to_owned(), address(hello).plus(2)),
        ]));
        main.ret(Expr::constant(32, 0));
    });
    assert_eq!(String::from_utf8_lossy(&go(&program).output), "<ello  elloel    > -3&text+2");
}

#[test]
fn strings_without_an_end_are_out_of_bounds() {
    let mut assembly = Assembly::new();
    let open = text_object(&mut assembly, b"abc");
    let print = |conversion: &str| {
        main_only(assembly.clone(), |main| {
            let piece = OutputPiece::CString(conversion.to_owned(), address(open));
            main.then(Action::Output(vec![piece]));
            main.ret(Expr::constant(32, 0));
        })
    };
    assert_eq!(undefined(&print("%s")), Undefined::OutOfBounds);
    assert_eq!(go(&print("%.3s")).output, b"abc", "a precision makes it end");
}
