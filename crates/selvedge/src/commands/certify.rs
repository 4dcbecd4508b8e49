//! `selvedge certify`: certificates checked against the program that they are about. No engine runs.

use super::conform;
use super::solver::discharge;
use super::{Form, INTERNAL, Made, Refused, UNSAFE, budget, compile_within, make_exclusive, within};
use crate::arguments::CertifyArguments;
use crate::output;
use selvedge_evidence::cartesian::is_for_any_number;
use selvedge_evidence::conformance::is_conformance;
use selvedge_evidence::file::{CertificateFile, Setting, Stated, claim_text};
use selvedge_evidence::modular::obligations::Obligations;
use selvedge_evidence::{Certificate, Claim, Means, Replicas, Standing, certify_claims};
use selvedge_frontend::lower::Overflow;
use selvedge_program::{Budget, Exhausted, Program, Property};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// No file of certificates is larger than this.
const LARGEST_FILE: u64 = 1 << 28;

/// What became of a claim: what it stands on, or why it is refused.
type Looked = Vec<(Claim, Result<(), String>)>;

/// Why nothing was looked at.
enum Unusable {
    /// The file or the program is no use; standard error has not been told.
    Input(String),
    /// There was no time.
    Limit(Exhausted),
    /// A mistake of our own.
    Internal(String),
}

pub fn run(arguments: &CertifyArguments) -> ExitCode {
    let form = Form::of(arguments.json);
    let budget = budget(arguments.timeout, arguments.memory);
    let mut input = arguments.input.clone();
    let file = input.files.pop().unwrap_or_default();
    if input.files.is_empty() {
        return Refused::usage("certify takes the files of a program and, last, that of its certificates").report(form);
    }
    let unusable = |error: String| Refused::usage(&format!("{}: {error}", file.display()));
    let written = read(&file);
    if let Ok(text) = &written
        && is_conformance(text)
    {
        return conform::certified(arguments, &input, text, &budget);
    }
    let (text, setting) = match written.and_then(|text| {
        let setting = CertificateFile::setting_of(&text).map_err(|error| error.to_string())?.1;
        Ok((text, setting))
    }) {
        Ok(read) => read,
        Err(error) => return unusable(error).report(form),
    };
    let asks_overflow = setting.properties.contains(&Property::Overflow);
    let overflow = if asks_overflow { Overflow::Undefined } else { Overflow::Wraps };
    let made = Made { overflow, threads: setting.threads };
    let mut compiled = match compile_within(&input, arguments.screen, made, &budget) {
        Ok(Ok(compiled)) => compiled,
        Ok(Err(limit)) => return Refused::usage(&format!("{limit} while the program was read")).report(form),
        Err(refused) => return refused.report(form),
    };
    if let Err(message) = make_exclusive(&arguments.exclusive, &mut compiled.program) {
        return Refused::usage(&message).report(form);
    }
    let program = Arc::new(compiled.program);
    let solver = arguments.solver.as_ref().map(|words| words.0.clone());
    match look(&program, text, solver, &budget) {
        Ok(looked) => answer(arguments, &program, &looked),
        Err(Unusable::Input(error)) => unusable(error).report(form),
        Err(Unusable::Limit(limit)) => unusable(format!("{limit} while it was read")).report(form),
        Err(Unusable::Internal(message)) => {
            output::complain(&format!("selvedge: internal error: {message}\n"));
            ExitCode::from(INTERNAL)
        }
    }
}

fn read(file: &Path) -> Result<String, String> {
    let size = std::fs::metadata(file).map_err(|error| error.to_string())?.len();
    if size > LARGEST_FILE {
        return Err(format!("a file of {size} bytes; certificates have at most {LARGEST_FILE}"));
    }
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "this is no text".to_owned())
}

/// Reads the certificates and has each checked.
fn look(
    program: &Arc<Program>,
    text: String,
    solver: Option<Vec<String>>,
    budget: &Budget,
) -> Result<Looked, Unusable> {
    let reading = program.clone();
    let read = guarded(budget, move || CertificateFile::parse(&reading, &text))?;
    let file = read.map_err(|error| Unusable::Input(error.to_string()))?;
    // What is explored again may take all of the time; the others have theirs before.
    let explores =
        |stated: &Stated| matches!(stated.certificate, Certificate::Exhaustive { .. } | Certificate::Refutation { .. });
    let mut certificates: Vec<(usize, Stated)> = file.certificates.into_iter().enumerate().collect();
    certificates.sort_by_key(|(_, stated)| explores(stated));
    let mut looked = Vec::new();
    for (position, stated) in certificates {
        let claims = stated.claims.clone();
        let (program, setting, solver, own) = (program.clone(), file.setting.clone(), solver.clone(), budget.clone());
        let checked = guarded(budget, move || check(&program, &setting, &stated, solver.as_deref(), &own));
        let found = match checked {
            Ok(found) => found,
            Err(Unusable::Limit(limit)) => {
                let refused = |claim: Claim| (claim, Err(format!("it was not checked to the end: {limit}")));
                claims.into_iter().map(refused).collect()
            }
            Err(error) => return Err(error),
        };
        looked.push((position, found));
    }
    looked.sort_by_key(|(position, _)| *position);
    Ok(looked.into_iter().flat_map(|(_, found)| found).collect())
}

/// Does some work within a budget; a panic is a mistake of ours, and no more than that.
fn guarded<T: Send + 'static>(budget: &Budget, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Unusable> {
    let caught = within::within(budget, move || catch_unwind(AssertUnwindSafe(work)));
    let caught = caught.map_err(Unusable::Limit)?;
    caught.map_err(|_| Unusable::Internal("the checker panicked".to_owned()))
}

fn check(program: &Program, setting: &Setting, stated: &Stated, solver: Option<&[String]>, budget: &Budget) -> Looked {
    let refused = |why: &str| stated.claims.iter().map(|claim| (*claim, Err(why.to_owned()))).collect();
    if let Some(left_out) = program.restrictions.first() {
        return refused(&format!("the model leaves out executions of the program: {}", left_out.message));
    }
    if let Some(proviso) = program.provisos.first() {
        return refused(&format!("it holds provided that {}", proviso.message));
    }
    if setting.threads == Replicas::Any && !is_for_any_number(program, &stated.certificate, budget) {
        return refused("it does not hold for every number of threads");
    }
    let ask = |written: &Obligations| discharge(solver.unwrap_or_default(), written, budget);
    let solver = solver.map(|_| &ask as &dyn Fn(&Obligations) -> Result<(), String>);
    let means = Means { states: usize::MAX, budget, solver };
    let checked = certify_claims(program, &stated.claims, &stated.certificate, means);
    let accepted = |(claim, standing): (Claim, Result<Standing, _>)| match standing {
        Ok(Standing::Confirmed) => (claim, Ok(())),
        Ok(standing @ (Standing::OnTrust(_) | Standing::Unchecked(_))) => (claim, Err(standing.to_string())),
        Err(error) => (claim, Err(selvedge_evidence::Refusal::to_string(&error))),
    };
    checked.into_iter().map(accepted).collect()
}

fn answer(arguments: &CertifyArguments, program: &Program, looked: &Looked) -> ExitCode {
    let is_accepted = looked.iter().all(|(_, result)| result.is_ok());
    let word = if is_accepted { "accepted" } else { "refused" };
    if arguments.json {
        let claims: Vec<Value> = looked
            .iter()
            .map(|(claim, result)| match result {
                Ok(()) => json!({"claim": claim_text(program, *claim), "verdict": "accepted"}),
                Err(why) => json!({"claim": claim_text(program, *claim), "verdict": "refused", "reason": why}),
            })
            .collect();
        let report = json!({"verdict": word, "claims": claims, "version": env!("CARGO_PKG_VERSION")});
        output::print(&format!("{report:#}\n"));
    } else {
        let mut text = String::new();
        for (claim, result) in looked {
            let claim = claim_text(program, *claim);
            text.push_str(&match result {
                Ok(()) => format!("accepted: {claim}\n"),
                Err(why) => format!("refused: {claim}: {why}\n"),
            });
        }
        output::print(&text);
    }
    if is_accepted { ExitCode::SUCCESS } else { ExitCode::from(UNSAFE) }
}
