//! Lowering the typed tree to the program model: evaluation order made explicit, one memory access per edge, library
//! calls replaced by their models.
//!
//! Only what `main` reaches is lowered, by calls and by addresses taken, in the order it is first met: the same input
//! gives the same program. C leaves the order of evaluation open in many places; we take one that C allows: operands
//! and arguments from left to right, for `=` the place before the value (as gcc does in `a[i] = f()`), for `op=` the
//! operand before the place.

mod abi;
mod asm;
mod assign;
mod asynchronous;
mod bitfield;
mod bounds;
pub mod builder;
mod call;
mod callers;
mod command_line;
mod condition;
mod copy;
mod effects;
mod entry;
mod expression;
mod external;
mod function;
mod fuse;
mod given;
mod global;
mod initialize;
mod irrelevant;
mod jumps;
mod library;
mod lifetime;
mod link;
mod lock_copy;
pub mod models;
mod null_check;
mod operator;
mod order;
mod overflow;
mod place;
mod reach;
mod reuse;
mod sequence;
mod shape;
mod signals;
mod statement;
mod switch;
mod tidy;
mod unasked;
mod values;
mod vararg;
mod whole;

pub use callers::{Call, Calls};
pub use external::Accepted;

use crate::hir;
use crate::syntax::SourceText;
use crate::syntax::ast::Span as TextSpan;
use crate::syntax::symbol::Interner;
use crate::types::Types;
use builder::{FunctionBuilder, ProgramBuilder};
use models::LibraryUse;
use selvedge_program::{Diagnostic, Function, Program, Severity, Sources, Span, addresses};
use std::collections::BTreeSet;
use whole::{Job, Whole};

/// One checked translation unit with its text.
#[derive(Debug)]
pub struct LinkedUnit {
    /// The unit.
    pub unit: hir::Unit,
    /// Its text, which says where the user wrote what.
    pub source: SourceText,
}

/// What is lowered.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The units of the program.
    pub units: &'a [LinkedUnit],
    /// The unit of our models in C.
    pub models: &'a LinkedUnit,
    /// The types of all of them.
    pub types: &'a Types,
    /// The names of all of them.
    pub names: &'a Interner,
    /// The files of all of them.
    pub sources: &'a Sources,
}

impl<'a> Input<'a> {
    /// A unit; the models' comes after the program's.
    fn unit(&self, index: usize) -> &'a LinkedUnit {
        self.units.get(index).unwrap_or(self.models)
    }

    fn resolve(&self, unit: usize, span: TextSpan) -> Span {
        self.unit(unit).source.resolve(span)
    }
}

/// What becomes of signed arithmetic whose result its type cannot hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// It wraps.
    #[default]
    Wraps,
    /// It is undefined.
    Undefined,
}

/// What it is to read memory that nobody has written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Uninitialised {
    /// It turns out to be anything, and stays that.
    #[default]
    Anything,
    /// The program is undefined.
    Undefined,
}

/// What fails a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Failures {
    /// Assertions that do not hold, and calls of the functions that stand for an error.
    #[default]
    All,
    /// Calls of these functions alone. An assertion that does not hold ends the program as `abort` does.
    CallsOf(BTreeSet<String>),
}

impl Failures {
    /// Whether a call of a function fails, also where the program defines the function itself.
    pub fn is_call_of(&self, name: &str) -> bool {
        match self {
            Failures::All => models::ERROR_FUNCTIONS.contains(&name),
            Failures::CallsOf(names) => names.contains(name),
        }
    }
}

/// What runs first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// `main`.
    #[default]
    Main,
    /// Functions that the user names, as a library's users would call them.
    Calls(Calls),
}

/// What the user asks of the lowering.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Functions without a definition or model that are taken to have no effect and to return anything.
    pub assume_pure: BTreeSet<String>,
    /// Functions without a definition or model that are taken to touch only what they are given.
    pub assume_externals: Accepted,
    /// The files of models that the user gives, which are the last of the units.
    pub models: Vec<String>,
    /// What runs first.
    pub start: Start,
    /// What the program is run with, besides its name. Without them it is run with any.
    pub arguments: Option<Vec<String>>,
    /// Whether no handler of signals is taken to run.
    pub no_signals: bool,
    /// Whether a single access to a volatile number or pointer is atomic.
    pub volatile_atomic: bool,
    /// What becomes of signed overflow.
    pub overflow: Overflow,
    /// What reading uninitialised memory is.
    pub uninitialised: Uninitialised,
    /// What fails a check.
    pub failures: Failures,
    /// What is taken for granted of the library beyond its standard.
    pub library: models::Latitude,
}

/// A lowered program.
#[derive(Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// What deserves a look.
    pub warnings: Vec<Diagnostic>,
}

/// Lowers a program.
///
/// # Errors
/// What a linker would refuse: no `main` (or what else is to run), names defined twice or not at all.
pub fn lower(input: Input<'_>, options: &Options) -> Result<Lowered, Vec<Diagnostic>> {
    let (plain, noted) = lower_with(input, options, LibraryUse::default());
    if noted == LibraryUse::default() { plain } else { lower_with(input, options, noted).0 }
}

/// Lowers a program about which some facts are taken to be known; gives those that it finds. They do not depend on the
/// former.
fn lower_with(
    input: Input<'_>,
    options: &Options,
    facts: LibraryUse,
) -> (Result<Lowered, Vec<Diagnostic>>, LibraryUse) {
    let mut diagnostics = Vec::new();
    let links = link::link(&input, &mut diagnostics);
    let mut whole = Whole::new(input, options, links, facts);
    external::check_names(&mut whole);
    let mut program = ProgramBuilder { data_model: input.types.data_model, ..ProgramBuilder::default() };
    entry::lower_entry(&mut whole, &mut program);
    external::name_models(&whole, &mut program);
    lower_all(&mut whole, &mut program);
    global::fill_external_objects(&mut whole, &mut program);
    lower_all(&mut whole, &mut program);
    whole.noted.moved = models::LockState::of_program(&program);
    whole.noted.varies_mutexes = models::waits_vary(&program.waits);
    let pure = models::pure_functions(&program);
    diagnostics.append(&mut whole.diagnostics);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return (Err(diagnostics), whole.noted);
    }
    let provisos = external::conclude(&mut program, options);
    let handlers = std::mem::take(&mut program.handlers);
    let jumps = std::mem::take(&mut program.jumps);
    let mut program = Program { provisos, ..finish(program, input.sources.clone()) };
    match options.no_signals {
        true => handlers.never_run(&mut program),
        false => handlers.run_anywhere(&mut program),
    }
    jumps.lead(&mut program);
    let relevance = irrelevant::relevance(&program, &pure);
    if !models::looks_at_clocks(&program, &relevance) {
        whole.noted.asks_time = models::Asked::Never;
    }
    relevance.settle(&mut program, &pure);
    addresses::mark(&mut program);
    reuse::note(&mut program);
    (Ok(Lowered { program, warnings: diagnostics }), whole.noted)
}

/// Lowers everything that is referred to.
fn lower_all(whole: &mut Whole<'_>, program: &mut ProgramBuilder) {
    while let Some(job) = whole.next_job(program) {
        match job {
            Job::Function(entity, id) => function::lower_function(whole, program, entity, id),
            Job::Wrapper(entity, id) => library::lower_wrapper(whole, program, entity, id),
            Job::Object(entity, id) => global::fill_object(whole, program, entity, id),
        }
    }
}

/// The finished program.
fn finish(builder: ProgramBuilder, sources: Sources) -> Program {
    let main = selvedge_program::FunctionId(0);
    let mut entries = vec![main];
    entries.extend(builder.spawned.iter().filter(|id| **id != main));
    let functions =
        builder.functions.into_iter().map(|function| fuse::fuse(function.unwrap_or_else(unbuilt))).collect();
    Program {
        data_model: builder.data_model,
        sources,
        objects: builder.objects,
        functions,
        address_taken: builder.address_taken.into_iter().collect(),
        entries,
        checks: builder.checks,
        sites: builder.sites,
        allocated: builder.allocated,
        caveats: builder.caveats,
        restrictions: builder.restrictions,
        provisos: Vec::new(),
        unknowns: builder.unknowns,
    }
}

/// What stands for a function that was reserved and never built: nothing that can be run.
fn unbuilt() -> Function {
    let mut program = ProgramBuilder::default();
    let id = program.reserve_function();
    let mut builder = FunctionBuilder::new(&mut program, id, "<unbuilt>", Span::NOWHERE);
    builder.unsupported("a function that was not lowered");
    builder.into_function()
}
