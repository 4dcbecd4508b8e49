//! Reading the C compiler's messages, so that they can be reported as our own.
//!
//! gcc and clang share the form `file:line:column: severity: text`, preceded
//! by `In file included from …` lines; source excerpts and carets are dropped.

use std::path::PathBuf;

use super::error::{Message, Place, Severity};

const MARKS: &[(&str, Severity)] = &[
    ("fatal error: ", Severity::Error),
    ("error: ", Severity::Error),
    ("warning: ", Severity::Warning),
    ("note: ", Severity::Note),
];

/// The messages in `stderr`, in order.
pub(super) fn parse(stderr: &str) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut included_from = Vec::new();
    for line in stderr.lines() {
        if let Some(place) = inclusion(line) {
            included_from.push(place);
        } else if let Some(mut message) = message(line) {
            message.included_from = std::mem::take(&mut included_from);
            messages.push(message);
        }
    }
    messages
}

/// `In file included from a.h:3,` and its continuation `   from a.c:1:`.
fn inclusion(line: &str) -> Option<Place> {
    let rest = match line.strip_prefix("In file included from ") {
        Some(rest) => rest,
        None if line.starts_with(' ') => line.trim_start().strip_prefix("from ")?,
        None => return None,
    };
    place(rest.trim_end_matches([',', ':']))
}

fn message(line: &str) -> Option<Message> {
    if is_excerpt(line) {
        return None;
    }
    let (at, mark, severity) = MARKS
        .iter()
        .filter_map(|&(mark, severity)| find_mark(line, mark).map(|at| (at, mark, severity)))
        .min_by_key(|&(at, ..)| at)?;
    let before = line[..at].trim_end().trim_end_matches(':');
    Some(Message {
        place: place(before),
        severity,
        text: line[at + mark.len()..].trim().to_owned(),
        included_from: Vec::new(),
    })
}

/// A line of source code shown below a message: ` 12 | code`.
fn is_excerpt(line: &str) -> bool {
    let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(' ') || (after.len() < line.len() && after.starts_with(" | "))
}

/// Where `mark` starts in `line`: at its beginning, or after `: `.
fn find_mark(line: &str, mark: &str) -> Option<usize> {
    if line.starts_with(mark) {
        return Some(0);
    }
    line.match_indices(mark)
        .map(|(at, _)| at)
        .find(|&at| line[..at].ends_with(": "))
}

/// `file:line` or `file:line:column`.
fn place(text: &str) -> Option<Place> {
    let (before, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let (path, line, column) = match before.rsplit_once(':') {
        Some((path, line)) => match line.parse::<u32>() {
            Ok(line) => (path, line, Some(last).filter(|&column| column > 0)),
            Err(_) => (before, last, None),
        },
        None => (before, last, None),
    };
    (line > 0 && !path.is_empty()).then(|| Place {
        path: PathBuf::from(path),
        line,
        column,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(stderr: &str) -> Vec<String> {
        let parsed = parse(stderr);
        parsed.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_missing_header_keeps_its_place_and_chain() {
        let parsed = parse(
            "In file included from dir/b.h:2,\n\
             \x20                from a.c:7:\n\
             dir/c.h:3:10: fatal error: none.h: No such file or directory\n\
             \x20   3 | #include \"none.h\"\n\
             \x20     |          ^~~~~~~~\n\
             compilation terminated.\n",
        );
        assert_eq!(parsed.len(), 1);
        let message = &parsed[0];
        assert_eq!(
            message.to_string(),
            "dir/c.h:3:10: error: none.h: No such file or directory"
        );
        let chain: Vec<_> = message
            .included_from
            .iter()
            .map(|p| p.to_string())
            .collect();
        assert_eq!(chain, ["dir/b.h:2", "a.c:7"]);
    }

    #[test]
    fn the_first_severity_in_a_line_counts() {
        assert_eq!(
            rendered("a.c:1:2: warning: #warning note: error: x [-Wcpp]"),
            ["a.c:1:2: warning: #warning note: error: x [-Wcpp]"]
        );
    }

    #[test]
    fn messages_without_a_place_are_kept() {
        assert_eq!(
            rendered("cc1: error: unrecognized argument\ngcc: fatal error: killed\nerror: bare"),
            [
                "error: unrecognized argument",
                "error: killed",
                "error: bare"
            ]
        );
    }

    #[test]
    fn names_with_colons_and_lines_without_columns() {
        assert_eq!(
            rendered("C:x.c:4: error: bad\nx.c:0:0: error: none\nx.c:5:0: note: here"),
            ["C:x.c:4: error: bad", "error: none", "x.c:5: note: here"]
        );
    }

    #[test]
    fn source_excerpts_are_not_messages() {
        assert!(parse("    3 | puts(\"a: error: x\");\n      | ^~~~\nplain text\n").is_empty());
        assert!(parse("123456 | puts(\"a: error: x\");\n").is_empty());
    }
}
