//! Task definitions: a YAML file that names the program's files, the properties that are asked of it with the answers
//! that are expected, and the data model.

use super::yaml::{self, Node};
use super::{Unusable, beside, read};
use selvedge_program::{DataModel, Diagnostic, Sources, Span};
use std::fmt;
use std::path::{Path, PathBuf};

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The files that make the program.
    pub files: Vec<PathBuf>,
    /// What is asked of it.
    pub properties: Vec<TaskProperty>,
    /// The data model, where the task says it.
    pub data_model: Option<DataModel>,
}

/// A property that a task asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProperty {
    /// Its property file.
    pub file: PathBuf,
    /// What the answer is thought to be.
    pub expected: Option<Expected>,
}

/// What an answer is thought to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Whether the property holds.
    pub holds: bool,
    /// Which part of it does not, as `valid-deref`.
    pub subproperty: Option<String>,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.subproperty {
            Some(part) => write!(f, "{}({part})", self.holds),
            None => write!(f, "{}", self.holds),
        }
    }
}

impl Task {
    /// Whether a file is meant to be a task definition.
    pub fn is_one(path: &Path) -> bool {
        path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml")
    }

    /// Reads a task definition. The files that it names are beside it.
    ///
    /// # Errors
    /// When it is none, or of a program that is not C.
    pub fn load(path: &Path) -> Result<Task, Unusable> {
        Task::parse(path, &read(path)?)
    }

    /// The same of a text that stands in a file.
    ///
    /// # Errors
    /// As [`Task::load`].
    pub fn parse(path: &Path, text: &str) -> Result<Task, Unusable> {
        let mut sources = Sources::default();
        let file = sources.file(&path.to_string_lossy());
        let task = yaml::parse(file, text).and_then(|root| task(path, &root));
        task.map_err(|diagnostic| Unusable::one(diagnostic, sources))
    }

    /// The property that this file states.
    pub fn property(&self, path: &Path) -> Option<&TaskProperty> {
        let canonical = |path: &Path| std::fs::canonicalize(path).ok();
        let is_the_same = |known: &&TaskProperty| {
            known.file == path || canonical(path).is_some_and(|path| canonical(&known.file) == Some(path))
        };
        self.properties.iter().find(is_the_same)
    }
}

fn task(path: &Path, root: &Node) -> Result<Task, Diagnostic> {
    let version = required(root, "format_version")?;
    if !text(version)?.starts_with("2.") && text(version)? != "1.0" {
        let message = format!("version {} of task definitions is not known", text(version)?);
        return Err(Diagnostic::error(version.span, message));
    }
    let options = root.get("options");
    if let Some(language) = options.and_then(|options| options.get("language"))
        && text(language)? != "C"
    {
        return Err(Diagnostic::error(language.span, format!("programs in {} are not supported", text(language)?)));
    }
    let data_model = options.and_then(|options| options.get("data_model")).map(data_model).transpose()?;
    let input = required(root, "input_files")?;
    let files = input.elements().iter().map(|name| Ok(beside(path, text(name)?)));
    let files = files.collect::<Result<Vec<PathBuf>, Diagnostic>>()?;
    if files.is_empty() {
        return Err(Diagnostic::error(input.span, "no file is named"));
    }
    let properties = root.get("properties").map_or(&[][..], Node::elements);
    let properties = properties.iter().map(|node| property(path, node)).collect::<Result<_, _>>()?;
    Ok(Task { files, properties, data_model })
}

fn property(path: &Path, node: &Node) -> Result<TaskProperty, Diagnostic> {
    let file = beside(path, text(required(node, "property_file")?)?);
    let holds = match node.get("expected_verdict") {
        None => None,
        Some(verdict) => match text(verdict)? {
            "true" | "True" | "TRUE" => Some(true),
            "false" | "False" | "FALSE" => Some(false),
            _ => return Err(Diagnostic::error(verdict.span, "expected `true` or `false`")),
        },
    };
    let subproperty = node.get("subproperty").map(text).transpose()?.map(str::to_owned);
    Ok(TaskProperty { file, expected: holds.map(|holds| Expected { holds, subproperty }) })
}

fn data_model(node: &Node) -> Result<DataModel, Diagnostic> {
    match text(node)? {
        "ILP32" => Ok(DataModel::Ilp32),
        "LP64" => Ok(DataModel::Lp64),
        _ => Err(Diagnostic::error(node.span, "expected the data model `ILP32` or `LP64`")),
    }
}

fn required<'n>(node: &'n Node, key: &str) -> Result<&'n Node, Diagnostic> {
    let note = "docs/svcomp.md describes task definitions";
    let missing =
        || Diagnostic::error(node.span, format!("expected the key `{key}` here")).with_note(Span::NOWHERE, note);
    node.get(key).ok_or_else(missing)
}

fn text(node: &Node) -> Result<&str, Diagnostic> {
    node.text().ok_or_else(|| Diagnostic::error(node.span, "expected a word here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Task, (u32, u32, String)> {
        Task::parse(Path::new("c/x.yml"), text).map_err(|unusable| {
            let first = &unusable.diagnostics[0];
            (first.span.line, first.span.column, first.message.clone())
        })
    }

    #[test]
    fn a_task_is_read() {
        let text = "format_version: '2.0'\n\
                    # a comment\n\
                    input_files: 'x.i'\n\
                    properties:\n\
                    \x20 - property_file: ../properties/unreach-call.prp\n\
                    \x20   expected_verdict: true\n\
                    \x20 - property_file: ../properties/valid-memsafety.prp\n\
                    \x20   expected_verdict: false\n\
                    \x20   subproperty: valid-deref\n\
                    \x20 - property_file: p.prp\n\
                    options: {language: C, data_model: ILP32}\n";
        let task = parse(text).expect("it is a task");
        assert_eq!((&task.files[..], task.data_model), (&[PathBuf::from("c/x.i")][..], Some(DataModel::Ilp32)));
        let of = |one: &TaskProperty| (one.file.clone(), one.expected.as_ref().map(ToString::to_string));
        let [reach, memory, plain] = &task.properties[..] else { panic!("three properties: {:?}", task.properties) };
        assert_eq!(of(reach), ("c/../properties/unreach-call.prp".into(), Some("true".to_owned())));
        assert_eq!(of(memory), ("c/../properties/valid-memsafety.prp".into(), Some("false(valid-deref)".to_owned())));
        assert_eq!(of(plain), ("c/p.prp".into(), None));
        let two = parse("format_version: \"2.1\"\ninput_files: [a.c, b.c]\n").expect("it is a task");
        assert_eq!((two.files.len(), two.data_model, two.properties.len()), (2, None, 0));
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let error = |line, column, message: &str| Err((line, column, message.to_owned()));
        assert_eq!(parse("format_version: '2.0'\n"), error(1, 1, "expected the key `input_files` here"));
        let head = "format_version: '2.0'\ninput_files: x.c\n";
        let with = |rest: &str| parse(&format!("{head}{rest}\n"));
        assert_eq!(with("options:\n  language: Java"), error(4, 13, "programs in Java are not supported"));
        assert_eq!(with("options:\n  data_model: LP32"), error(4, 15, "expected the data model `ILP32` or `LP64`"));
        assert_eq!(
            with("properties:\n  - property_file: p\n    expected_verdict: yes"),
            error(5, 23, "expected `true` or `false`")
        );
        assert_eq!(with("a: &x 1\nb: *x"), error(4, 4, "aliases are not supported"));
        assert_eq!(parse("input_files: x.c"), error(1, 1, "expected the key `format_version` here"));
        assert!(parse("input_files: [[[[[[[[").is_err());
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(parse(&nested(40)), error(1, 33, "this is nested too deeply"));
        assert!(parse(&nested(100_000)).is_err());
        assert_eq!(parse(""), error(1, 1, "there is nothing in it"));
        let version = parse("format_version: 9\ninput_files: x.c");
        assert_eq!(version, error(1, 17, "version 9 of task definitions is not known"));
    }
}
