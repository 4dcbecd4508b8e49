//! The type checker: from the syntax tree of one translation unit to the typed tree of [`crate::hir`].
//!
//! Mistakes in the input are values ([`CheckError`]); checking always yields a unit, which is to be used only if no
//! error is among them. What was in error has the type `Type::Error`, which goes with everything, so that one mistake
//! is told once.
//!
//! By file: [`scope`] and `linkage` say what names mean, `specifier`, `declarator`, `record`, `enumeration` and
//! `attribute` make types, `declaration` and `function` declare things, `initializer` flattens initialisers, `constant`
//! evaluates, `expression` and its neighbours type expressions, `convert` converts, `statement` does the rest;
//! [`print()`] shows the result.

mod atomics;
mod attribute;
mod bits;
mod builtins;
mod calls;
mod constant;
mod convert;
mod declaration;
mod declarator;
mod enumeration;
mod expression;
mod fold;
mod function;
mod initializer;
mod labels;
mod library;
mod linkage;
mod literal;
mod members;
mod operators;
mod place;
mod pointers;
mod print;
mod queries;
mod record;
mod scope;
mod specifier;
mod statement;
mod switch;

use crate::hir;
use crate::syntax::ast::{self, External, Span, TranslationUnit};
use crate::syntax::symbol::{Interner, Symbol};
use crate::types::{Qualified, RecordId, TypeId, Types, VlaId};
use function::FunctionState;
use linkage::{FunctionNotes, Linked};
use members::MemberIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scopes;
use selvedge_program::DataModel;
pub use selvedge_program::Severity;

pub use print::print;

/// A message about the input, at a stretch of the preprocessed text; the caller resolves spans to files and lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError {
    /// Where.
    pub span: Span,
    /// How much it matters.
    pub severity: Severity,
    /// What is the matter, in one sentence without a final full stop.
    pub message: String,
    /// What belongs to it elsewhere.
    pub notes: Vec<(Span, String)>,
}

/// After so many messages the rest is silence: nobody reads on.
const MAX_MESSAGES: usize = 1000;

/// Checks a translation unit. The unit is fit for use if no message is an error.
pub fn check(unit: &TranslationUnit, names: &mut Interner, types: &mut Types) -> (hir::Unit, Vec<CheckError>) {
    let mut checker = Checker::new(names, types);
    for item in &unit.items {
        checker.external(item);
    }
    checker.finish();
    (checker.unit, checker.errors)
}

/// The state of checking one translation unit.
struct Checker<'a> {
    names: &'a mut Interner,
    types: &'a mut Types,
    unit: hir::Unit,
    errors: Vec<CheckError>,
    scopes: Scopes,
    /// Every name with linkage, wherever it was declared.
    linked: FxHashMap<Symbol, Linked>,
    /// What is known of each function beside its `hir::Function`, by its index.
    function_notes: Vec<FunctionNotes>,
    /// The function being defined.
    function: Option<FunctionState>,
    /// Lengths of variable-length arrays met in types, not yet evaluated anywhere.
    lengths: Vec<(VlaId, hir::Expr)>,
    /// What was met in types since the last declaration and is not modelled.
    unmodelled: Vec<(Span, String)>,
    /// String literals by element type and contents.
    strings: FxHashMap<(TypeId, Vec<u32>), hir::GlobalId>,
    /// Members by name, for records that were looked into.
    members: FxHashMap<RecordId, MemberIndex>,
    /// Unions with the attribute `transparent_union`.
    transparent: FxHashSet<RecordId>,
    /// `__builtin_va_list`, once it is needed.
    va_list: Option<TypeId>,
    /// Undeclared names already complained about in this function.
    undeclared: FxHashSet<Symbol>,
}

impl<'a> Checker<'a> {
    fn new(names: &'a mut Interner, types: &'a mut Types) -> Self {
        Checker {
            names,
            types,
            unit: hir::Unit::default(),
            errors: Vec::new(),
            scopes: Scopes::default(),
            linked: FxHashMap::default(),
            function_notes: Vec::new(),
            function: None,
            lengths: Vec::new(),
            unmodelled: Vec::new(),
            strings: FxHashMap::default(),
            members: FxHashMap::default(),
            transparent: FxHashSet::default(),
            va_list: None,
            undeclared: FxHashSet::default(),
        }
    }

    fn external(&mut self, item: &External) {
        match item {
            External::Function(function) => self.function_definition(function),
            External::Declaration(declaration) => self.file_declaration(declaration),
            External::Asm(asm) => self.unit.file_asm.push(asm.span),
        }
        self.lengths.clear();
        self.unmodelled.clear();
    }

    /// Reports an error.
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.message(Severity::Error, span, message.into(), Vec::new());
    }

    /// Reports an error that has to do with another place.
    fn error_with_note(&mut self, span: Span, message: impl Into<String>, place: Span, note: &str) {
        self.message(Severity::Error, span, message.into(), vec![(place, note.to_owned())]);
    }

    /// Reports what a compiler warns about.
    fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.message(Severity::Warning, span, message.into(), Vec::new());
    }

    /// An error that may go away where types have the sizes that the program was written for.
    fn error_of_size(&mut self, span: Span, message: impl Into<String>) {
        match self.types.data_model {
            DataModel::Lp64 => self.error_with_note(
                span,
                message,
                span,
                "types have the sizes of a 64-bit machine here; `-m32` takes those of a 32-bit machine",
            ),
            DataModel::Ilp32 => self.error(span, message),
        }
    }

    fn message(&mut self, severity: Severity, span: Span, message: String, notes: Vec<(Span, String)>) {
        let is_repeated = self.errors.last().is_some_and(|last| last.span == span && last.message == message);
        let has_room = self.errors.len() < MAX_MESSAGES
            || severity == Severity::Error && self.errors.iter().all(|error| error.severity != Severity::Error);
        if has_room && !is_repeated {
            self.errors.push(CheckError { span, severity, message, notes });
        }
    }

    /// A name as written.
    fn spell(&self, name: Symbol) -> &str {
        self.names.name(name)
    }

    /// A type as C spells it.
    fn type_name(&self, ty: impl Into<Qualified>) -> String {
        self.types.name(ty, self.names)
    }

    /// A condition that must hold at compile time.
    fn static_assert(&mut self, condition: &ast::Expr, message: Option<&str>, span: Span) {
        let mark = self.lengths.len();
        let value = self.value(condition);
        self.lengths.truncate(mark);
        if value.ty == Types::ERROR {
            return;
        }
        match self.integer_constant(&value) {
            Some(0) => {
                let message = message.map_or_else(String::new, |message| format!(": {message}"));
                self.error_of_size(span, format!("static assertion failed{message}"));
            }
            Some(_) => {}
            None => self.error(condition.span, "the condition of a static assertion must be an integer constant"),
        }
    }
}
