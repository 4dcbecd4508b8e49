//! What is reported, where, and what is still parsed afterwards.

use crate::{check_errors, parsed};
use expect_test::expect;
use selvedge_frontend::syntax::MAX_ERRORS;

#[test]
fn missing_semicolons() {
    check_errors(
        "int x\nint y;\nvoid f(void) {\n  int a = 1\n  int b;\n  a = 2\n  return a\n}\nstruct s { int a }\nint z;",
        expect![[r#"
            test.c:1:6: error: expected ';' after declaration
            test.c:4:12: error: expected ';' after declaration
            test.c:6:8: error: expected ';' after expression
            test.c:7:11: error: expected ';' after 'return'
            test.c:9:19: error: expected ';' after declaration
            (declare int (y))
            (define void (f (function))
              (block
                (declare int (b))))
            (declare int (z))
        "#]],
    );
}

#[test]
fn missing_brackets() {
    check_errors(
        "int x = (1 + 2;\nint y[3;\nvoid f(int a { }\nint z;",
        expect![[r#"
        test.c:1:15: error: expected ')' before ';'
        test.c:1:9: note: to match this '('
        test.c:2:8: error: expected ']' before ';'
        test.c:2:6: note: to match this '['
        test.c:3:14: error: expected ')' before '{'
        test.c:3:7: note: to match this '('
        (declare int (z))
    "#]],
    );
    check_errors(
        "void f(void) {\n  if (1) {\n    g();\n",
        expect![[r#"
        test.c:4:1: error: expected '}' before end of input
        test.c:2:10: note: to match this '{'
    "#]],
    );
}

#[test]
fn expressions() {
    check_errors(
        "typedef int T;\nvoid f(void) {\n  x = ;\n  y = 1 + ;\n  z = T;\n  if () g();\n  a = b c;\n  h(1, );\n  ok();\n}",
        expect![[r#"
            test.c:3:7: error: expected expression before ';'
            test.c:4:11: error: expected expression before ';'
            test.c:5:7: error: expected expression before 'T'
            test.c:6:7: error: expected expression before ')'
            test.c:7:8: error: expected ';' after expression
            test.c:8:8: error: expected expression before ')'
            (declare typedef int (T))
            (define void (f (function))
              (block
                (call ok)))
        "#]],
    );
}

#[test]
fn unknown_types() {
    check_errors(
        "foo x;\nfoo *y;\nint f(bar z, int);\nstatic baz *g(void);\nvoid h(void) { quux w; ok(); }\nint i(int a, qux);",
        expect![[r#"
            test.c:1:1: error: unknown type name 'foo'
            test.c:3:7: error: unknown type name 'bar'
            test.c:4:8: error: unknown type name 'baz'
            test.c:5:16: error: unknown type name 'quux'
            test.c:6:14: error: unknown type name 'qux'
            (declare foo (x))
            (declare foo (y pointer))
            (declare int (f (function (bar z) (int))))
            (declare static baz (g (function) pointer))
            (define void (h (function))
              (block
                (declare quux (w))
                (call ok)))
        "#]],
    );
}

#[test]
fn recovery_at_the_next_declaration() {
    check_errors(
        "int 5;\nint a;\nvoid f(void) { 1 1 { ; } }\nint b;\n}\nint c;\nint d = { 1, ) };\nint e;",
        expect![[r#"
            test.c:1:5: error: expected identifier or '(' before '5'
            test.c:3:17: error: expected ';' after expression
            test.c:5:1: error: expected declaration before '}'
            test.c:7:14: error: expected expression before ')'
            (declare int (a))
            (define void (f (function))
              (block))
            (declare int (b))
            (declare int (c))
            (declare int (e))
        "#]],
    );
    check_errors(
        "void f(void) {\n  int x = @;\n  else g();\n  while 1;\n  return x;\n}\nint after;",
        expect![[r#"
        test.c:2:11: error: stray '@' in program
        test.c:3:3: error: 'else' without a previous 'if'
        test.c:4:9: error: expected '(' before '1'
        (define void (f (function))
          (block
            (return x)))
        (declare int (after))
    "#]],
    );
    check_errors(
        "struct s { int a; int 5; int b; } x;\nenum e { A, 1 };\nint after;",
        expect![[r#"
        test.c:1:23: error: expected identifier or '(' before '5'
        test.c:2:13: error: expected identifier before '1'
        (declare (struct s
          (member int (a))
          (member int (b))) (x))
        (declare int (after))
    "#]],
    );
}

#[test]
fn specifiers() {
    check_errors(
        "static extern int a;\nlong char b;\nint int c;\nshort double d;\nunsigned float e;\nint f;",
        expect![[r#"
            test.c:1:8: error: multiple storage classes in declaration specifiers
            test.c:2:1: error: invalid combination of type specifiers
            test.c:3:5: error: two or more data types in declaration specifiers
            test.c:4:1: error: invalid combination of type specifiers
            test.c:5:1: error: invalid combination of type specifiers
            (declare int (f))
        "#]],
    );
}

#[test]
fn unterminated_literals_and_comments() {
    check_errors(
        "char *s = \"abc;\nint x = 'a;\nint y; /* never closed\nint z;",
        expect![[r#"
        test.c:1:11: error: unterminated string literal
        test.c:1:16: error: expected ';' after declaration
        test.c:2:9: error: unterminated character constant
        test.c:2:12: error: expected ';' after declaration
        test.c:3:8: error: unterminated comment
        (declare int (y))
    "#]],
    );
}

#[test]
fn directives_that_should_be_gone() {
    check_errors(
        "#include <stdio.h>\nint x;\n#if 1\n#error no  good\n_Pragma(\"pack(1)\") int y; _Pragma(\"once\") int z; _Pragma(1) int w;",
        expect![[r#"
            test.c:1:1: error: '#include' in what should be preprocessed text
            test.c:3:1: error: '#if' in what should be preprocessed text
            test.c:4:1: error: #error no  good
            test.c:5:1: error: '_Pragma("pack(…)")' is only supported as '#pragma pack', as the preprocessor writes it
            test.c:5:50: error: '_Pragma' takes a parenthesized string literal
            test.c:5:58: error: expected declaration before '1'
            (declare int (x))
            (declare int (y))
            (declare int (z))
        "#]],
    );
}

#[test]
fn too_many_errors_stop_the_parser() {
    let (_, errors, lines) = parsed("int 1;\n".repeat(100).as_bytes());
    assert_eq!(errors.len(), MAX_ERRORS);
    assert_eq!(
        lines.last().map(String::as_str),
        Some("test.c:20:5: note: too many errors: the rest of the file is not parsed")
    );
}

#[test]
fn nesting_is_bounded_and_what_follows_is_parsed() {
    for (open, close) in
        [("(", ")"), ("-", ""), ("a+(", ")"), ("a?", ":a"), ("f(", ")"), ("(int)", ""), ("sizeof ", ""), ("({", ";})")]
    {
        let deep =
            format!("void f(void) {{ a = {}1{}; }}\nint after;", format!("{open} ").repeat(5000), close.repeat(5000));
        let (tree, _, lines) = parsed(deep.as_bytes());
        assert!(!lines.is_empty(), "{open}");
        assert!(lines.iter().all(|line| line.ends_with("error: nested too deeply")), "{open}: {lines:?}");
        assert!(tree.ends_with("(declare int (after))\n"), "{open}: {tree}");
    }
}

#[test]
fn chains_count_as_depth() {
    for (start, link) in
        [("a", "+ a"), ("a", "* a"), ("a", ", a"), ("a", "= a"), ("a", "[1]"), ("a", ".b"), ("a", "++"), ("a", "?: a")]
    {
        let long = format!("void f(void) {{ {start}{}; }}", link.repeat(5000));
        let (_, _, lines) = parsed(long.as_bytes());
        assert!(lines.len() == 1 && lines[0].ends_with("error: nested too deeply"), "{link}: {lines:?}");
        let short = format!("void f(void) {{ {start}{}; }}", link.repeat(3900));
        assert_eq!(parsed(short.as_bytes()).2, Vec::<String>::new(), "{link}");
    }
}
