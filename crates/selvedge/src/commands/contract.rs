//! `selvedge contract`: the abstract threads that a thread-modular proof induces. Nothing is printed that the program does not
//! conform to, or that goes wrong when it is composed.

use super::conform::{Contracted, decide};
use super::{UNDECIDED, USAGE, budget, compile_input};
use crate::arguments::ContractArguments;
use crate::output;
use selvedge::{CheckOptions, check};
use selvedge_analysis::Facts;
use selvedge_contracts::compose::compose;
use selvedge_contracts::conform::{Outcome, contract};
use selvedge_contracts::infer::infer;
use selvedge_contracts::text;
use selvedge_evidence::{Certificate, ModularProof, Notebook, Scope};
use selvedge_program::{Budget, Program, Property, Quiet};
use std::process::ExitCode;
use std::sync::Arc;

pub fn run(arguments: &ContractArguments) -> ExitCode {
    let Ok(compiled) = compile_input(&arguments.input, arguments.screen) else { return ExitCode::from(USAGE) };
    let budget = budget(arguments.timeout, arguments.memory);
    let complain = |message: &str| output::complain(&format!("selvedge: no specification: {message}\n"));
    let written = proof(&compiled.program, &budget).and_then(|proof| infer(&compiled.program, &proof));
    let written = match written
        .and_then(|written| text::format("contract.threads", &written).map_err(|refused| told(&refused)))
    {
        Ok(written) => written,
        Err(message) => {
            complain(&message);
            return ExitCode::from(UNDECIDED);
        }
    };
    match checked(compiled.program, &written, &budget) {
        Ok(()) => {
            output::print(&written);
            ExitCode::SUCCESS
        }
        Err(message) => {
            complain(&message);
            if arguments.unchecked {
                output::print(&written);
            }
            ExitCode::from(UNDECIDED)
        }
    }
}

fn told(refused: &text::Refused) -> String {
    let said: Vec<&str> = refused.diagnostics.iter().map(|said| said.message.as_str()).collect();
    format!("what the proof says cannot be said in a specification: {}", said.join("; "))
}

/// The proof of all assertions by the engine `modular`.
fn proof(program: &Program, budget: &Budget) -> Result<Arc<ModularProof>, String> {
    let notebook = Notebook::new();
    let options =
        selvedge_modular::Options { properties: vec![Property::Assertion], ..selvedge_modular::Options::default() };
    let facts = Facts::new(Arc::new(program.clone()), budget.clone());
    selvedge_modular::check(&facts, &options, budget, &mut Quiet, &notebook).map_err(|error| error.to_string())?;
    let is_whole = |scope: &Scope| match scope {
        Scope::Property(Property::Assertion) => true,
        Scope::Each(scopes) => scopes.iter().any(|scope| matches!(scope, Scope::Property(Property::Assertion))),
        _ => false,
    };
    let proofs = notebook.noted().proofs.into_iter();
    let whole = proofs.filter(|(scope, _)| is_whole(scope)).filter_map(|(_, certificate)| match certificate {
        Certificate::Modular(proof) => Some(proof),
        _ => None,
    });
    whole.last().ok_or_else(|| {
        let why = if program.checks.is_empty() { "it has none" } else { "`modular` does not prove all of them" };
        format!("there is no thread-modular proof of the program's assertions: {why}")
    })
}

/// Whether the program conforms to a specification, and that composes.
fn checked(mut program: Program, written: &str, budget: &Budget) -> Result<(), String> {
    let name = "contract.threads";
    let read = text::read(name, written, &mut program).map_err(|refused| told(&refused))?;
    let contract = contract(&read.spec)?;
    let contracted = Contracted { program, spec: read.spec, contract };
    let found = decide(&contracted, budget).map_err(|_| "conformance was not decided".to_owned())?;
    let Contracted { program, spec, .. } = &contracted;
    if let Some((function, _, outcome)) = found.threads.iter().find(|(_, _, outcome)| *outcome != Outcome::Conforms) {
        let said = selvedge_contracts::conform::explain::explain(program, spec, (*function, outcome));
        let said = said.map(|said| format!("{} ({})", said.message, spec_place(spec, said.span))).unwrap_or_default();
        return Err(format!("what the proof says of shared variables alone is too weak for conformance: {said}"));
    }
    let composed = compose(program, spec, &|thread| thread.instances);
    let composed = composed.map_err(|diagnostics| {
        let said: Vec<&str> = diagnostics.iter().map(|said| said.message.as_str()).collect();
        format!("it cannot be composed: {}", said.join("; "))
    })?;
    let mut options = CheckOptions::default();
    options.task.properties = [Property::Assertion].into_iter().collect();
    let verdict = check(&composed.program, &options, budget, &mut Quiet);
    match verdict.judgement.word() {
        "safe" => Ok(()),
        word => Err(format!("what the proof says of shared variables alone is too weak: its composition is {word}")),
    }
}

fn spec_place(spec: &selvedge_contracts::Specification, span: selvedge_program::Span) -> String {
    if span.is_somewhere() { format!("{}:{}", spec.sources.name(span.file), span.line) } else { "nowhere".to_owned() }
}
