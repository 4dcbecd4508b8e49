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
use selvedge_contracts::infer::{Named, infer};
use selvedge_contracts::text;
use selvedge_evidence::{Certificate, ModularProof, Notebook};
use selvedge_program::{Budget, Program, Property, Quiet};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

pub fn run(arguments: &ContractArguments) -> ExitCode {
    let Ok(compiled) = compile_input(&arguments.input, arguments.screen) else { return ExitCode::from(USAGE) };
    let budget = budget(arguments.timeout, arguments.memory);
    let complain = |message: &str| output::complain(&format!("selvedge: no specification: {message}\n"));
    let proofs = match proofs(&compiled.program, &budget) {
        Ok(proofs) => proofs,
        Err(message) => {
            complain(&message);
            return ExitCode::from(UNDECIDED);
        }
    };
    let mut why = String::new();
    let mut last = None;
    let ways = proofs.iter().rev().flat_map(|proof| [(proof, Named::Started), (proof, Named::All)]);
    for (proof, named) in ways {
        let written = infer(&compiled.program, proof, named)
            .and_then(|written| text::format("contract.threads", &written).map_err(|refused| told(&refused)));
        match written.and_then(|written| {
            last.get_or_insert_with(|| written.clone());
            checked(compiled.program.clone(), &written, &budget).map(|()| written)
        }) {
            Ok(written) => {
                output::print(&written);
                return ExitCode::SUCCESS;
            }
            // The last proof says most.
            Err(message) if why.is_empty() => why = message,
            Err(_) => {}
        }
    }
    complain(&why);
    if arguments.unchecked {
        output::print(&last.unwrap_or_default());
    }
    ExitCode::from(UNDECIDED)
}

fn told(refused: &text::Refused) -> String {
    let said: Vec<&str> = refused.diagnostics.iter().map(|said| said.message.as_str()).collect();
    format!("what the proof says cannot be said in a specification: {}", said.join("; "))
}

/// What the engine `modular` proves of a program's assertions and races, all proofs that say something else.
fn proofs(program: &Program, budget: &Budget) -> Result<Vec<Arc<ModularProof>>, String> {
    let notebook = Notebook::new();
    let properties = vec![Property::Assertion, Property::Race];
    let options =
        selvedge_modular::Options { properties, explores_everything: true, ..selvedge_modular::Options::default() };
    let facts = Facts::new(Arc::new(program.clone()), budget.clone());
    // Half of the time is for looking at what comes out.
    let mut own = budget.clone();
    let left = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    if let Some(left) = left {
        own.deadline = Some(Instant::now() + left / 2);
    }
    selvedge_modular::check(&facts, &options, &own, &mut Quiet, &notebook).map_err(|error| error.to_string())?;
    let proofs = notebook.noted().proofs.into_iter();
    let mut different: Vec<Arc<ModularProof>> = Vec::new();
    for (_, certificate) in proofs {
        if let Certificate::Modular(proof) = certificate
            && !different.contains(&proof)
        {
            different.push(proof);
        }
    }
    if different.is_empty() {
        Err("the engine `modular` proves nothing of the program".to_owned())
    } else {
        Ok(different)
    }
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
