//! From a span of the preprocessed text to the file the user wrote.

use selvedge_frontend::syntax::{InputTooLarge, MAX_INPUT, SourceText, ast::Span};
use selvedge_program::Sources;

/// Where the first occurrence of `word` comes from, as `file:line:column+length`, with `system` for system headers.
fn place(text: &str, word: &str) -> String {
    let mut sources = Sources::default();
    let source = SourceText::new("test.i", text.as_bytes().to_vec(), &mut sources).expect("a small input");
    let bytes = source.bytes();
    let start = bytes.windows(word.len()).position(|window| window == word.as_bytes()).expect("the word occurs") as u32;
    let span = Span { start, end: start + word.len() as u32 };
    let found = source.resolve(span);
    let system = if source.is_system(span) { " system" } else { "" };
    format!("{}:{}:{}+{}{system}", sources.name(found.file), found.line, found.column, found.length)
}

#[test]
fn without_markers_the_text_is_its_own_file() {
    assert_eq!(place("int x;\n  int y;", "y"), "test.i:2:7+1");
    assert_eq!(place("int x;\r\nint y;", "y"), "test.i:2:5+1");
}

#[test]
fn markers_change_file_and_line() {
    let text = "# 0 \"a.c\"\n# 0 \"<built-in>\"\n# 1 \"a.c\"\n# 1 \"/usr/include/b.h\" 1 3 4\nint b;\n\nint bb;\n# 2 \"a.c\" 2\nint a;\n#line 100\nint line;\n#line 7 \"dir\\\\c \\\"x\\\".c\"\nint c;\n";
    assert_eq!(place(text, "b;"), "/usr/include/b.h:1:5+2 system");
    assert_eq!(place(text, "bb"), "/usr/include/b.h:3:5+2 system");
    assert_eq!(place(text, "a;"), "a.c:2:5+2");
    assert_eq!(place(text, "line;"), "a.c:100:5+5");
    assert_eq!(place(text, "c;"), "dir\\c \"x\".c:7:5+2");
}

#[test]
fn markers_in_comments_and_strings_do_not_count() {
    let text = "/* a\n# 7 \"no.c\"\n*/ int x; char *s = \"/*\";\n# 9 \"yes.c\"\nint y;";
    assert_eq!(place(text, "x;"), "test.i:3:8+2");
    assert_eq!(place(text, "y;"), "yes.c:9:5+2");
}

#[test]
fn splices_keep_physical_lines() {
    let text = "int a\\\nb = 1; \\\n\\\r\nint c;\n# 5 \"d.c\"\nint d;";
    assert_eq!(place(text, "b = 1"), "test.i:2:1+5");
    assert_eq!(place(text, "c;"), "test.i:4:5+2");
    assert_eq!(place(text, "d;"), "d.c:5:5+2");
}

#[test]
fn spans_are_cut_at_the_end_of_their_line() {
    assert_eq!(place("ab\ncd\n", "b\nc"), "test.i:1:2+1");
    assert_eq!(place("ab\n", "\n"), "test.i:1:3+1");
}

#[test]
fn spans_end_in_their_own_file() {
    let end = |text: &str, span: Span| {
        let mut sources = Sources::default();
        let source = SourceText::new("test.i", text.as_bytes().to_vec(), &mut sources).expect("a small input");
        let end = source.resolve(span).end;
        (end.line, end.column)
    };
    assert_eq!(end("ab\ncde\n", Span { start: 0, end: 2 }), (1, 3));
    assert_eq!(end("ab\ncde\n", Span { start: 1, end: 5 }), (2, 3));
    assert_eq!(end("ab\n# 9 \"b.h\"\ncde\n", Span { start: 0, end: 15 }), (1, 3));
}

#[test]
fn places_outside_the_text_do_no_harm() {
    let mut sources = Sources::default();
    let source = SourceText::new("test.i", b"int".to_vec(), &mut sources).expect("a small input");
    assert_eq!(source.resolve(Span { start: 3, end: 3 }).column, 4);
    assert_eq!(source.resolve(Span { start: 100, end: 90 }).length, 1);
}

#[test]
fn too_large_inputs_are_refused() {
    let result = SourceText::new("test.i", vec![b' '; MAX_INPUT + 1], &mut Sources::default());
    assert_eq!(result.err(), Some(InputTooLarge));
}
