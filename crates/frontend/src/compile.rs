//! From C files to a program: preprocess, parse, check, lower.
//!
//! All errors of all files are collected; a mistake in the input is a value, never a panic. Trees can be deep, so the
//! work runs on a stack of its own.

use crate::check::{self, CheckError};
use crate::lower::{self, Input, LinkedUnit, Lowered, models};
use crate::preprocess::{self, Headers, Message, PreprocessError, preprocess};
use crate::stack::on_big_stack;
use crate::syntax::{Interner, SourceText, SyntaxError, ast, parse};
use crate::types::Types;
use selvedge_program::{DataModel, Diagnostic, Program, Severity, Sources, Span};
use std::path::{Path, PathBuf};

/// What the user asks of the front end.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Of the preprocessor; its data model is that of the whole compilation.
    pub preprocess: preprocess::Options,
    /// Of the lowering.
    pub lower: lower::Options,
}

/// A file with the settings of its own that it is preprocessed with.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// The settings.
    pub preprocess: preprocess::Options,
}

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// What deserves a look.
    pub warnings: Vec<Diagnostic>,
}

/// Why there is no program.
#[derive(Clone, Debug)]
pub struct CompileError {
    /// What is wrong, warnings included, in the order of the files.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that the diagnostics name.
    pub sources: Sources,
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            let word = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            };
            let separator = if index == 0 { "" } else { "\n" };
            let Span { file, line, column, .. } = diagnostic.span;
            if diagnostic.span.is_somewhere() {
                write!(f, "{separator}{}:{line}:{column}: {word}: {}", self.sources.name(file), diagnostic.message)?;
            } else {
                write!(f, "{separator}{word}: {}", diagnostic.message)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for CompileError {}

/// Compiles C files, each a translation unit, to one program.
///
/// # Errors
/// When a file cannot be read, parsed or typed, or when the files do not link.
pub fn compile(paths: &[PathBuf], options: &CompileOptions) -> Result<Compiled, CompileError> {
    let source = |path: &PathBuf| Source { path: path.clone(), preprocess: options.preprocess.clone() };
    compile_sources(&paths.iter().map(source).collect::<Vec<_>>(), options)
}

/// The same for files that are preprocessed each in its own way, all for one machine.
///
/// # Errors
/// When a file cannot be read, parsed or typed, or when the files do not link.
pub fn compile_sources(sources: &[Source], options: &CompileOptions) -> Result<Compiled, CompileError> {
    let mut session = Session::new(options);
    let headers = match Headers::install() {
        Ok(headers) => headers,
        Err(error) => {
            let message = format!("cannot put our headers where the preprocessor finds them: {error}");
            session.diagnostics.push(Diagnostic::error(Span::NOWHERE, message));
            return Err(session.into_error());
        }
    };
    let mut texts = Vec::new();
    for Source { path, preprocess: settings } in sources {
        if settings.data_model != options.preprocess.data_model {
            let message = format!("{}: is compiled for another machine than the rest", path.display());
            session.diagnostics.push(Diagnostic::error(Span::NOWHERE, message));
            continue;
        }
        match preprocess(path, settings, &headers) {
            Ok(preprocessed) => {
                session.add_messages(&preprocessed.warnings);
                texts.push((name_of(path), preprocessed.text));
            }
            Err(error) => session.add_preprocess_error(error),
        }
    }
    session.written = preprocess::written;
    on_big_stack(|| session.run(texts, options))
}

/// Compiles one translation unit that is preprocessed already.
///
/// # Errors
/// When the text cannot be parsed or typed, or does not link.
pub fn compile_text(name: &str, text: &str, options: &CompileOptions) -> Result<Compiled, CompileError> {
    let session = Session::new(options);
    on_big_stack(|| session.run(vec![(name.to_owned(), text.as_bytes().to_vec())], options))
}

fn name_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn data_model(model: preprocess::DataModel) -> DataModel {
    match model {
        preprocess::DataModel::Lp64 => DataModel::Lp64,
        preprocess::DataModel::Ilp32 => DataModel::Ilp32,
    }
}

/// A compilation under way.
struct Session {
    sources: Sources,
    names: Interner,
    types: Types,
    diagnostics: Vec<Diagnostic>,
    /// The text of a file as the user wrote it, if it can be had.
    written: fn(&str) -> Option<Vec<u8>>,
}

impl Session {
    fn new(options: &CompileOptions) -> Self {
        Session {
            sources: Sources::default(),
            names: Interner::default(),
            types: Types::new(data_model(options.preprocess.data_model)),
            diagnostics: Vec::new(),
            written: |_| None,
        }
    }

    fn run(mut self, texts: Vec<(String, Vec<u8>)>, options: &CompileOptions) -> Result<Compiled, CompileError> {
        let units: Vec<LinkedUnit> = texts.into_iter().filter_map(|(name, text)| self.unit(&name, text)).collect();
        if self.has_errors() {
            return Err(self.into_error());
        }
        let Some(models) = self.unit("<models>", model_text()) else { return Err(self.into_error()) };
        if self.has_errors() {
            return Err(self.into_error());
        }
        let input =
            Input { units: &units, models: &models, types: &self.types, names: &self.names, sources: &self.sources };
        match lower::lower(input, &options.lower) {
            Ok(Lowered { program, warnings }) => {
                self.diagnostics.extend(warnings);
                Ok(Compiled { program, warnings: self.diagnostics })
            }
            Err(errors) => {
                self.diagnostics.extend(errors);
                Err(self.into_error())
            }
        }
    }

    /// Parses and checks one translation unit.
    fn unit(&mut self, name: &str, text: Vec<u8>) -> Option<LinkedUnit> {
        let mut source = match SourceText::new(name, text, &mut self.sources) {
            Ok(source) => source,
            Err(error) => {
                self.diagnostics.push(Diagnostic::error(Span::NOWHERE, format!("{name}: {error}")));
                return None;
            }
        };
        source.find_columns(&self.sources, &self.written);
        let (tree, errors) = parse(&source, &mut self.names);
        let is_parsed = errors.is_empty();
        for SyntaxError { span, message, notes } in errors {
            self.add(&source, Severity::Error, span, message, notes);
        }
        if !is_parsed {
            return None;
        }
        let (unit, errors) = check::check(&tree, &mut self.names, &mut self.types);
        for CheckError { span, severity, message, notes } in errors {
            self.add(&source, severity, span, message, notes);
        }
        Some(LinkedUnit { unit, source })
    }

    fn add(
        &mut self,
        source: &SourceText,
        severity: Severity,
        span: ast::Span,
        message: String,
        notes: Vec<(ast::Span, String)>,
    ) {
        let notes = notes.into_iter().map(|(span, note)| (source.resolve(span), note)).collect();
        self.diagnostics.push(Diagnostic { severity, message, span: source.resolve(span), notes });
    }

    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    fn into_error(self) -> CompileError {
        CompileError { diagnostics: self.diagnostics, sources: self.sources }
    }

    fn add_preprocess_error(&mut self, error: PreprocessError) {
        match error {
            PreprocessError::Rejected { messages, .. } if !messages.is_empty() => {
                self.add_messages(&messages);
                if !self.has_errors() {
                    let message = "the C preprocessor refuses the file";
                    self.diagnostics.push(Diagnostic::error(Span::NOWHERE, message));
                }
            }
            error => self.diagnostics.push(Diagnostic::error(Span::NOWHERE, error.to_string())),
        }
    }

    /// The C compiler's own messages.
    fn add_messages(&mut self, messages: &[Message]) {
        for message in messages {
            let span = message.place.as_ref().map_or(Span::NOWHERE, |place| {
                let file = self.sources.file(&name_of(&place.path));
                Span::on_line(file, place.line, place.column.unwrap_or(1), 1)
            });
            let severity = match message.severity {
                preprocess::Severity::Error => Severity::Error,
                preprocess::Severity::Warning => Severity::Warning,
                preprocess::Severity::Note => Severity::Note,
            };
            self.diagnostics.push(Diagnostic { severity, message: message.text.clone(), span, notes: Vec::new() });
        }
    }
}

/// Our models in C as one text, each file under its own name.
fn model_text() -> Vec<u8> {
    let mut text = String::new();
    for (name, source) in models::C_SOURCES {
        text.push_str(&format!("# 1 \"<models>/{name}\"\n{source}\n"));
    }
    text.into_bytes()
}
