//! `selvedge conform`: whether the threads of a program do what a specification says, each by itself; and certificates of
//! that, for `selvedge certify`.

use super::{Form, INTERNAL, Refused, UNDECIDED, UNSAFE, budget, compile_input, show, within};
use crate::arguments::{CertifyArguments, ConformArguments, Input, Screen};
use crate::output;
use selvedge_contracts::Specification;
use selvedge_contracts::conform::explain::explain;
use selvedge_contracts::conform::{Conformance, Outcome, conform, contract};
use selvedge_contracts::text;
use selvedge_evidence::conformance::{ConformanceFile, Contract, certify};
use selvedge_program::{Budget, Diagnostic, Program, Severity};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// A program with what its threads are to conform to.
pub struct Contracted {
    pub program: Program,
    pub spec: Specification,
    pub contract: Contract,
}

pub fn run(mut arguments: ConformArguments) -> ExitCode {
    let form = Form::of(arguments.json);
    let file = arguments.input.files.remove(0);
    if arguments.input.files.is_empty() {
        return Refused::usage("conform takes a specification and then the files of a program").report(form);
    }
    let name = file.to_string_lossy().into_owned();
    let written = match read(&file) {
        Ok(written) => written,
        Err(refused) => return refused.report(form),
    };
    let contracted = match contracted(&arguments.input, arguments.screen, (&name, &written)) {
        Ok(contracted) => contracted,
        Err(refused) => return refused.report(form),
    };
    let budget = budget(arguments.timeout, arguments.memory);
    let found = match decide(&contracted, &budget) {
        Ok(found) => found,
        Err(code) => return code,
    };
    tell(&arguments, &contracted, &found);
    if found.is_proved()
        && let Some(out) = &arguments.certificate
    {
        let Contracted { program, contract, .. } = &contracted;
        let certificate = ConformanceFile::text(program, (&name, &written), contract, &found.proof);
        if let Err(error) = std::fs::write(out, certificate) {
            return Refused::usage(&format!("{}: {error}", out.display())).report(form);
        }
    }
    status(&found)
}

/// The exit status of what was found.
fn status(found: &Conformance) -> ExitCode {
    let fails = |(_, _, outcome): &(_, _, Outcome)| matches!(outcome, Outcome::Fails(_));
    match () {
        () if found.threads.iter().any(fails) => ExitCode::from(UNSAFE),
        () if found.is_proved() => ExitCode::SUCCESS,
        () => ExitCode::from(UNDECIDED),
    }
}

fn read(file: &Path) -> Result<String, Refused> {
    let bytes = std::fs::read(file).map_err(|error| Refused::usage(&format!("{}: {error}", file.display())))?;
    String::from_utf8(bytes).map_err(|_| Refused::usage(&format!("{}: this is no text", file.display())))
}

/// Compiles a program and reads a specification of its threads; errors and warnings go to standard error.
pub fn contracted(input: &Input, screen: Screen, (name, written): (&str, &str)) -> Result<Contracted, Refused> {
    let mut program = compile_input(input, screen)?.program;
    let read = text::read(name, written, &mut program).map_err(|refused| {
        show(&refused.diagnostics, &refused.sources, screen);
        let errors = refused.diagnostics.iter().filter(|said| said.severity == Severity::Error).count();
        let noun = if errors == 1 { "error" } else { "errors" };
        Refused::usage(&format!("{errors} {noun} in the specification"))
    })?;
    show(&read.warnings, &read.spec.sources, screen);
    let contract = contract(&read.spec).map_err(|message| Refused::usage(&format!("{name}: {message}")))?;
    Ok(Contracted { program, spec: read.spec, contract })
}

/// Finds out whether the threads conform, and has a proof of it checked before it counts.
pub fn decide(contracted: &Contracted, budget: &Budget) -> Result<Conformance, ExitCode> {
    let (program, contract) = (Arc::new(contracted.program.clone()), Arc::new(contracted.contract.clone()));
    let own = budget.clone();
    let work = move || {
        let found = conform(&program, &contract, &own);
        let checked = found.is_proved().then(|| certify(&program, &contract, &found.proof, &own));
        (found, checked)
    };
    let done = within::within(budget, move || catch_unwind(AssertUnwindSafe(work)));
    match done {
        Ok(Ok((found, None | Some(Ok(()))))) => Ok(found),
        Ok(Ok((_, Some(Err(refusal))))) => {
            output::complain(&format!("selvedge: internal error: the proof was refused: {refusal}\n"));
            Err(ExitCode::from(INTERNAL))
        }
        Ok(Err(_)) => {
            output::complain("selvedge: internal error: the search panicked\n");
            Err(ExitCode::from(INTERNAL))
        }
        Err(limit) => {
            output::complain(&format!("selvedge: whether the threads conform is unknown: {limit}\n"));
            Err(ExitCode::from(UNDECIDED))
        }
    }
}

fn tell(arguments: &ConformArguments, contracted: &Contracted, found: &Conformance) {
    let Contracted { program, spec, .. } = contracted;
    let said = |function, outcome| explain(program, spec, (function, outcome));
    if arguments.json {
        output::print(&format!("{:#}\n", as_json(contracted, found)));
        return;
    }
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut text = String::new();
    for (function, is_named, outcome) in &found.threads {
        let name = &program.function(*function).name;
        let word = match outcome {
            Outcome::Conforms => "conforms",
            Outcome::Fails(_) => "does not conform",
            Outcome::Unknown(_) => "unknown",
        };
        let unnamed =
            if *is_named { "" } else { " (not in the specification: it is to leave the shared variables alone)" };
        text.push_str(&format!("{name}: {word}{unnamed}\n"));
        diagnostics.extend(said(*function, outcome));
    }
    let mut lines: Vec<(String, String)> = Vec::new();
    for (function, edge, undefined) in &found.doubts {
        let span = program.function(*function).edge(*edge).span;
        lines.push((program.place(span), undefined.to_string()));
    }
    lines.dedup();
    for (place, undefined) in lines {
        text.push_str(&format!(
            "as far as the program is defined: it is not excluded that this {undefined} ({place})\n"
        ));
    }
    show(&diagnostics, &spec.sources, arguments.screen);
    output::print(&text);
}

fn as_json(contracted: &Contracted, found: &Conformance) -> Value {
    let Contracted { program, spec, .. } = contracted;
    let thread = |(function, is_named, outcome): &(_, bool, Outcome)| {
        let verdict = match outcome {
            Outcome::Conforms => "conforms",
            Outcome::Fails(_) => "does not conform",
            Outcome::Unknown(_) => "unknown",
        };
        let said = explain(program, spec, (*function, outcome));
        let notes = |said: &Diagnostic| {
            let note = |(span, note): &(_, String)| json!({"place": spec_place(spec, *span), "text": note});
            said.notes.iter().map(note).collect::<Vec<Value>>()
        };
        json!({
            "thread": program.function(*function).name,
            "specified": is_named,
            "verdict": verdict,
            "message": said.as_ref().map(|said| said.message.clone()),
            "place": said.as_ref().map(|said| spec_place(spec, said.span)),
            "notes": said.as_ref().map(notes),
        })
    };
    let doubts: Vec<Value> = found
        .doubts
        .iter()
        .map(|(function, edge, undefined)| {
            let place = program.place(program.function(*function).edge(*edge).span);
            json!({"place": place, "undefined": undefined.to_string()})
        })
        .collect();
    let verdict = match status(found) {
        code if code == ExitCode::SUCCESS => "conforms",
        code if code == ExitCode::from(UNSAFE) => "does not conform",
        _ => "unknown",
    };
    json!({
        "verdict": verdict,
        "threads": found.threads.iter().map(thread).collect::<Vec<Value>>(),
        "as_far_as_defined": doubts,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// A place in a file of the program or of the specification.
fn spec_place(spec: &Specification, span: selvedge_program::Span) -> Option<String> {
    span.is_somewhere().then(|| format!("{}:{}", spec.sources.name(span.file), span.line))
}

/// Checks a certificate that `selvedge conform` wrote: against the program, and the specification that is in it.
pub fn certified(arguments: &CertifyArguments, input: &Input, text: &str, budget: &Budget) -> ExitCode {
    let form = Form::of(arguments.json);
    let file = match ConformanceFile::parse(text) {
        Ok(file) => file,
        Err(error) => return Refused::usage(&error.to_string()).report(form),
    };
    let contracted = match contracted(input, arguments.screen, (&file.name, &file.contract)) {
        Ok(contracted) => contracted,
        Err(refused) => return refused.report(form),
    };
    let proof = match file.proof(&contracted.program, &contracted.contract) {
        Ok(proof) => proof,
        Err(error) => return Refused::usage(&error.to_string()).report(form),
    };
    let doubts = proof.doubts.clone();
    let (program, contract, own) = (contracted.program.clone(), contracted.contract.clone(), budget.clone());
    let work = move || certify(&program, &contract, &proof, &own).map_err(|refusal| refusal.to_string());
    let checked = match within::within(budget, move || catch_unwind(AssertUnwindSafe(work))) {
        Ok(Ok(checked)) => checked,
        Ok(Err(_)) => {
            output::complain("selvedge: internal error: the checker panicked\n");
            return ExitCode::from(INTERNAL);
        }
        Err(limit) => Err(format!("it was not checked to the end: {limit}")),
    };
    let Contracted { program, spec, .. } = &contracted;
    let names: Vec<&str> = spec.threads.iter().map(|thread| thread.name.as_str()).collect();
    let claim = format!("{} conform to {}", names.join(", "), file.name);
    let mut places: Vec<String> =
        doubts.iter().map(|(function, edge)| program.place(program.function(*function).edge(*edge).span)).collect();
    places.sort();
    places.dedup();
    let mut text = match &checked {
        Ok(()) => format!("accepted: {claim}\n"),
        Err(why) => format!("refused: {claim}: {why}\n"),
    };
    if arguments.json {
        let word = if checked.is_ok() { "accepted" } else { "refused" };
        let mut told = json!({"claim": claim, "verdict": word, "as_far_as_defined": places});
        if let Err(why) = &checked {
            told["reason"] = json!(why);
        }
        text = format!("{:#}\n", json!({"verdict": word, "claims": [told], "version": env!("CARGO_PKG_VERSION")}));
    } else if checked.is_ok() && !places.is_empty() {
        text.push_str(&format!("as far as nothing undefined happens at {}\n", places.join(", ")));
    }
    output::print(&text);
    if checked.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(UNSAFE) }
}
