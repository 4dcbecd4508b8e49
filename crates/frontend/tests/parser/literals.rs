//! Numbers, characters and strings.

use crate::{check, check_errors};
use expect_test::expect;

#[test]
fn integers() {
    check(
        "int x[] = { 0, 42, 052, 0x2a, 0X2AuL, 0b101010, 1'000'000, 1u, 2l, 3ul, 4LLU, 5ull, 6Lu, 7i, 8z,
           18446744073709551615, 0xffffffffffffffffffffffffffffffff };",
        expect![[r#"
            (declare int (x (array) = (list 0 42 0x2a 0x2a 0x2aul 0x2a 1000000 1u 2l 3ul 4ull 5ull 6ul 7i 8l 18446744073709551615 0xffffffffffffffffffffffffffffffff)))
        "#]],
    );
}

#[test]
fn floats() {
    check(
        "double x[] = { 1.0, .5, 5., 1e10, 1.5e-3f, 0.1f, 0x1p-1, 0x1.8p1, 0x.8p0L, 1e400, 2.0L, 3.0q, 4.0f128, 5.0i, 6.0f32, 7.0F64, 1'0.5,
           0x1.fffffffffffff8p0, 0x1.fffffffffffff7p0, 0x1p-1074, 0x1p-1075, 0x1.8p-1075, 0x1.fffffffffffffp1023, 0x1p1024, 0x1.000001p0f, 0x1.000003p0f,
           0x0.0000000000000000000000001p100, 0x123456789abcdef01234.5p-70, 0x1p99999999999999999999, 0x1p-99999999999999999999 };",
        expect![[r#"
            (declare double (x (array) = (list 1.0 0.5 5.0 10000000000.0 0.001500000013038516f 0.10000000149011612f 0.5 3.0 0.5l inf 2.0l 3.0other 4.0other 5.0other 6.0f 7.0 10.5 2.0 1.9999999999999998 5e-324 0.0 5e-324 1.7976931348623157e308 inf 1.0f 1.000000238418579f 1.0 72.81777777777778 inf 0.0)))
        "#]],
    );
}

#[test]
fn characters() {
    check(
        r"int x[] = { 'a', '\n', '\'', '\\', '\0', '\x41', '\101', '\377', '\e', 'ab', 'abcd', '\xff\xff\xff\xff', 'é', L'é', u'é', U'\U0001F600', u8'a', L'\xffffffff', '\?', '\q', L'ab', '\777', '\xabcd' };",
        expect![[r#"
            (declare int (x (array) = (list '97' '10' '39' '92' '0' '65' '65' '-1' '27' '24930' '1633837924' '-1' '50089' L'233' u'233' U'128512' u8'97' L'-1' '63' '113' L'98' '-1' '-51')))
        "#]],
    );
}

#[test]
fn strings() {
    check(
        r#"char *x[] = { "a" "b", "\x41g\1012\0", "é", "\u00e9", L"é" "\U0001F600", "a" u"\U0001F600", U"x" "é", u8"é", "\"", "tab\t", "", R"x(a\n"()x", L"a" LR"(é)" };"#,
        expect![[r#"
            (declare char (x (array) pointer = (list "ab" "AgA2\u{0}" "\u{c3}\u{a9}" "\u{c3}\u{a9}" L"\u{e9}\u{1f600}" u"a\u{fffd}\u{fffd}" U"x\u{e9}" u8"\u{c3}\u{a9}" "\"" "tab\t" "" "a\\n\"(" L"a\u{e9}")))
        "#]],
    );
}

#[test]
fn identifiers_beyond_ascii() {
    check(
        "int $a, é, \\u00e9t\\u00e9, été, _x1;",
        expect![[r#"
        (declare int ($a) (é) (été) (été) (_x1))
    "#]],
    );
}

#[test]
fn malformed_literals() {
    check_errors(
        "int a = 09;\nint b = 0x;\nint c = 1uu;\nint d = 1.2.3;\nint e = 1e;\nint f = 0x1.8;\nint g = '';\nint h = '\\x';\nint i = \"\\u12\";
int j = L\"a\" u\"b\";\nint l = 0b12;\nint m = 3wb;\nint n = 340282366920938463463374607431768211456;\nint o = 1.0fx;\nint p = 0xe+1;",
        expect![[r#"
            test.c:1:9: error: invalid digit "9" in octal constant
            test.c:2:9: error: invalid suffix "x" on integer constant
            test.c:3:9: error: invalid suffix "uu" on integer constant
            test.c:4:9: error: too many decimal points in number
            test.c:5:9: error: exponent has no digits
            test.c:6:9: error: hexadecimal floating constants require an exponent
            test.c:7:9: error: empty character constant
            test.c:8:10: error: '\x' used with no following hex digits
            test.c:9:10: error: incomplete universal character name \u
            test.c:10:14: error: string literals with different prefixes cannot be joined
            test.c:11:9: error: invalid suffix "2" on integer constant
            test.c:12:9: error: constants of bit-precise integer types are not supported
            test.c:13:9: error: integer constant is too large
            test.c:14:9: error: invalid suffix "fx" on floating constant
            test.c:15:9: error: invalid suffix "+1" on integer constant
            (declare int (a = 0))
            (declare int (b = 0))
            (declare int (c = 0))
            (declare int (d = 0))
            (declare int (e = 0))
            (declare int (f = 0))
            (declare int (g = '0'))
            (declare int (h = '0'))
            (declare int (i = ""))
            (declare int (j = L"ab"))
            (declare int (l = 0))
            (declare int (m = 0))
            (declare int (n = 0))
            (declare int (o = 0))
            (declare int (p = 0))
        "#]],
    );
}
