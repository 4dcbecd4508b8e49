//! `selvedge contract`: the abstract threads that a thread-modular proof induces, or that all executions of a program with
//! few states suggest. Nothing is printed that the program does not conform to, or that goes wrong when it is composed.

use super::conform::{Contracted, decide};
use super::{UNDECIDED, USAGE, budget, compile_input};
use crate::arguments::{ContractArguments, Origin};
use crate::output;
use selvedge::{CheckOptions, check};
use selvedge_analysis::Facts;
use selvedge_contracts::compose::compose;
use selvedge_contracts::conform::{Outcome, contract};
use selvedge_contracts::infer::{Named, infer, observe};
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
    let origins = match arguments.from {
        Some(origin) => vec![origin],
        None => vec![Origin::Proof, Origin::Executions],
    };
    let mut last = None;
    for (position, origin) in origins.iter().enumerate() {
        // What is tried first leaves time for the rest.
        let own = part_of(&budget, 2 * (origins.len() - position) as u32 - 1);
        let mut why = String::new();
        for written in texts(&compiled.program, *origin, &own) {
            let written = written
                .and_then(|written| text::format("contract.threads", &written).map_err(|refused| told(&refused)));
            match written.and_then(|written| {
                last.get_or_insert_with(|| written.clone());
                checked(compiled.program.clone(), &written, &part_of(&own, 2)).map(|()| written)
            }) {
                Ok(written) => {
                    output::print(&written);
                    return ExitCode::SUCCESS;
                }
                // The first one says most.
                Err(message) if why.is_empty() => why = message,
                Err(_) => {}
            }
        }
        complain(&format!("from {}: {why}", origin.words()));
    }
    if arguments.unchecked {
        output::print(&last.unwrap_or_default());
    }
    ExitCode::from(UNDECIDED)
}

/// What is left of a budget, divided by a number.
fn part_of(budget: &Budget, by: u32) -> Budget {
    let mut own = budget.clone();
    let left = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    if let Some(left) = left {
        own.deadline = Some(Instant::now() + left / by.max(1));
    }
    own
}

/// What to try, or why there is nothing.
fn texts(program: &Program, origin: Origin, budget: &Budget) -> Vec<Result<String, String>> {
    match origin {
        Origin::Proof => match proofs(program, &part_of(budget, 2)) {
            Err(message) => vec![Err(message)],
            Ok(proofs) => {
                let ways = proofs.iter().rev().flat_map(|proof| [(proof, Named::Started), (proof, Named::All)]);
                ways.map(|(proof, named)| infer(program, proof, named)).collect()
            }
        },
        Origin::Executions => vec![observe(program, &part_of(budget, 3))],
    }
}

fn told(refused: &text::Refused) -> String {
    let said: Vec<&str> = refused.diagnostics.iter().map(|said| said.message.as_str()).collect();
    format!("what is known cannot be said in a specification: {}", said.join("; "))
}

/// What the engine `modular` proves of a program's assertions and races, all proofs that say something else.
fn proofs(program: &Program, budget: &Budget) -> Result<Vec<Arc<ModularProof>>, String> {
    let notebook = Notebook::new();
    let properties = vec![Property::Assertion, Property::Race];
    let options =
        selvedge_modular::Options { properties, explores_everything: true, ..selvedge_modular::Options::default() };
    let facts = Facts::new(Arc::new(program.clone()), budget.clone());
    selvedge_modular::check(&facts, &options, budget, &mut Quiet, &notebook).map_err(|error| error.to_string())?;
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
        return Err(format!("what is known of shared variables alone is too weak for conformance: {said}"));
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
        word => Err(format!("what is known of shared variables alone is too weak: its composition is {word}")),
    }
}

fn spec_place(spec: &selvedge_contracts::Specification, span: selvedge_program::Span) -> String {
    if span.is_somewhere() { format!("{}:{}", spec.sources.name(span.file), span.line) } else { "nowhere".to_owned() }
}
