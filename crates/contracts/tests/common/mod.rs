//! What the tests of conformance share: programs from text, and contracts by hand.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::path::{Path, PathBuf};

use selvedge_contracts::Specification;
use selvedge_contracts::conform::{Conformance, Outcome, conform};
use selvedge_evidence::conformance::{AbstractEdge, AbstractThread, Contract, States, certify};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_frontend::preprocess::Macro;
use selvedge_program::{Budget, Expr, FunctionId, Program};
use selvedge_symbolic::{Predicate, Relation, Variable};

/// A file beside the tests.
pub fn stored(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name)
}

/// A file of the repository.
pub fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// A program and what its threads are to conform to, with macros.
pub fn contracted(file: &Path, spec: &Path, macros: &[&str]) -> (Program, Specification, Contract) {
    let (program, read) = read(file, spec, macros);
    let (spec, contract) = read.unwrap_or_else(|message| panic!("{message}"));
    (program, spec, contract)
}

/// The same, where the specification may not fit the program.
pub fn read(file: &Path, spec: &Path, macros: &[&str]) -> (Program, Result<(Specification, Contract), String>) {
    let mut preprocess = selvedge_frontend::preprocess::Options::default();
    preprocess.macros.extend(macros.iter().map(|text| Macro::Define((*text).to_owned())));
    let source = Source { path: file.to_owned(), preprocess };
    let compiled = compile_sources(&[source], &CompileOptions::default());
    let mut program = compiled.unwrap_or_else(|error| panic!("{}: {error}", file.display())).program;
    let written = std::fs::read_to_string(spec).unwrap_or_else(|error| panic!("{}: {error}", spec.display()));
    let name = spec.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let read = selvedge_contracts::text::read(&name, &written, &mut program);
    let fitted = read.map_err(|refused| format!("{:?}", refused.diagnostics)).and_then(|read| {
        let contract = selvedge_contracts::conform::contract(&read.spec)?;
        Ok((read.spec, contract))
    });
    (program, fitted)
}

/// Compiles a program.
pub fn compile(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("is written");
    let source = Source { path, preprocess: Default::default() };
    compile_sources(&[source], &CompileOptions::default()).unwrap_or_else(|error| panic!("{error}")).program
}

pub fn function(program: &Program, name: &str) -> FunctionId {
    let at = program.functions.iter().position(|function| function.name == name);
    FunctionId::new(at.unwrap_or_else(|| panic!("{name}")))
}

pub fn predicate(program: &Program, text: &str) -> Predicate {
    Predicate::parse(program, text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// A contract over variables, of which all have a condition to begin with.
pub fn contract(program: &Program, shared: &[&str], initially: &str, threads: Vec<AbstractThread>) -> Contract {
    let variable = |name: &&str| -> Variable { predicate(program, &format!("{name} == 0")).variables()[0] };
    Contract { shared: shared.iter().map(variable).collect(), initially: predicate(program, initially), threads }
}

/// An abstract thread: states with assertions, of which the first is initial, and edges; with what an edge does not
/// change said in it.
pub fn thread(program: &Program, name: &str, states: &[(&str, &str)], edges: &[(&str, &str, &str)]) -> AbstractThread {
    let state = |name: &str| states.iter().position(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}"));
    let truth = Predicate::new(&Expr::truth(), &[]);
    let assertion = |text: &str| if text.is_empty() { truth.clone() } else { predicate(program, text) };
    let relation = |text: &str| Relation::parse(program, text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    AbstractThread {
        function: function(program, name),
        names: states.iter().map(|(name, _)| (*name).to_owned()).collect(),
        assertions: states.iter().map(|(_, text)| assertion(text)).collect(),
        initial: States::from([0]),
        edges: edges
            .iter()
            .map(|(from, to, text)| AbstractEdge {
                from: state(from),
                to: state(to),
                relation: relation(text),
                life: None,
            })
            .collect(),
        environment: None,
    }
}

/// Judges, and has every proof checked.
pub fn judged(program: &Program, contract: &Contract) -> Conformance {
    let found = conform(program, contract, &Budget::unlimited());
    if found.is_proved() {
        certify(program, contract, &found.proof, &Budget::unlimited()).unwrap_or_else(|error| panic!("{error}"));
    }
    found
}

/// What became of the threads of a function.
pub fn outcome<'c>(program: &Program, found: &'c Conformance, name: &str) -> &'c Outcome {
    let function = function(program, name);
    &found.threads.iter().find(|(known, ..)| *known == function).unwrap_or_else(|| panic!("{name}")).2
}
