//! What the type checker makes of C: typed trees, messages with their places, and agreement with the system's compiler
//! on layouts and constants.

mod builtins;
mod constants;
mod declarations;
mod errors;
mod expressions;
mod image;
mod initializers;
mod layouts;
mod robustness;
mod statements;
mod static_data;

use expect_test::Expect;
use selvedge_frontend::check::{CheckError, check as check_unit, print};
use selvedge_frontend::hir::Unit;
use selvedge_frontend::syntax::{Interner, SourceText, on_big_stack, parse};
use selvedge_frontend::types::Types;
use selvedge_program::{DataModel, Severity, Sources};

/// A checked input.
struct Checked {
    unit: Unit,
    types: Types,
    names: Interner,
    /// The messages with their places, as a compiler prints them.
    messages: Vec<String>,
}

fn checked(input: &str, data_model: DataModel) -> Checked {
    on_big_stack(|| {
        let mut sources = Sources::default();
        let mut names = Interner::default();
        let mut types = Types::new(data_model);
        let text = SourceText::new("test.c", input.as_bytes().to_vec(), &mut sources).expect("a small input");
        let (tree, errors) = parse(&text, &mut names);
        assert!(errors.is_empty(), "{errors:?} in {input}");
        let (unit, errors) = check_unit(&tree, &mut names, &mut types);
        let place = |span| {
            let span = text.resolve(span);
            format!("{}:{}", span.line, span.column)
        };
        let mut messages = Vec::new();
        for CheckError { span, severity, message, notes } in &errors {
            let word = if *severity == Severity::Error { "error" } else { "warning" };
            messages.push(format!("{}: {word}: {message}", place(*span)));
            messages.extend(notes.iter().map(|(span, note)| format!("{}: note: {note}", place(*span))));
        }
        Checked { unit, types, names, messages }
    })
}

/// Checks the typed tree of an input about which there is nothing to say.
fn check(input: &str, expected: Expect) {
    check_on(DataModel::Lp64, input, expected);
}

fn check_on(data_model: DataModel, input: &str, expected: Expect) {
    let checked = checked(input, data_model);
    assert_eq!(checked.messages, Vec::<String>::new(), "in {input}");
    expected.assert_eq(&print(&checked.unit, &checked.types, &checked.names));
}

/// Checks the messages about an input.
fn check_messages(input: &str, expected: Expect) {
    expected.assert_eq(&checked(input, DataModel::Lp64).messages.join("\n"));
}
