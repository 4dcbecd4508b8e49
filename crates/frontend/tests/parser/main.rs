//! What the parser makes of C: trees, errors, places, and that no input breaks it.

mod declarations;
mod errors;
mod expressions;
mod fuzz;
mod literals;
mod places;
mod statements;

use expect_test::Expect;
use selvedge_frontend::syntax::{Interner, SourceText, SyntaxError, on_big_stack, parse, print};
use selvedge_program::Sources;

/// The printed tree and the errors, each with its place.
fn parsed(input: &[u8]) -> (String, Vec<SyntaxError>, Vec<String>) {
    on_big_stack(|| {
        let mut sources = Sources::default();
        let mut interner = Interner::default();
        let text = SourceText::new("test.c", input.to_vec(), &mut sources).expect("a small input");
        let (unit, errors) = parse(&text, &mut interner);
        let place = |span| {
            let span = text.resolve(span);
            format!("{}:{}:{}", sources.name(span.file), span.line, span.column)
        };
        let mut lines = Vec::new();
        for error in &errors {
            lines.push(format!("{}: error: {}", place(error.span), error.message));
            lines.extend(error.notes.iter().map(|(span, note)| format!("{}: note: {note}", place(*span))));
        }
        (print(&unit, &interner), errors, lines)
    })
}

/// Checks the tree of an input without errors.
fn check(input: &str, expected: Expect) {
    let (tree, _, errors) = parsed(input.as_bytes());
    assert_eq!(errors, Vec::<String>::new(), "in {input}");
    expected.assert_eq(&tree);
}

/// Checks the tree and the errors of an input.
fn check_errors(input: &str, expected: Expect) {
    let (tree, _, errors) = parsed(input.as_bytes());
    expected.assert_eq(&format!("{}\n{tree}", errors.join("\n")));
}
