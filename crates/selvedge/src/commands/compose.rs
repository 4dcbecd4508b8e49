//! `selvedge compose`: the abstract threads of a specification, composed and checked as any program is.

use super::{Refused, USAGE, budget, check, compile_input, show};
use crate::arguments::{Arguments, CheckArguments, Command, ComposeArguments, Count};
use crate::output;
use clap::Parser;
use selvedge_contracts::compose::{Composition, compose};
use selvedge_contracts::text::{self, Read};
use selvedge_contracts::{Instances, Specification, Thread, draw, promela};
use selvedge_program::{Diagnostic, Program, Property, Sources};
use std::path::Path;
use std::process::ExitCode;

/// Why there is nothing to check. Standard error has been told.
struct Wrong;

pub fn run(mut arguments: ComposeArguments) -> ExitCode {
    let file = arguments.input.files.remove(0);
    match decided(&arguments, &file) {
        Ok(Some(code)) => code,
        Ok(None) => ExitCode::SUCCESS,
        Err(Wrong) => ExitCode::from(USAGE),
    }
}

/// The verdict's status; none where only something was to be written.
fn decided(arguments: &ComposeArguments, file: &Path) -> Result<Option<ExitCode>, Wrong> {
    let name = file.to_string_lossy().into_owned();
    let complain = |message: String| {
        output::complain(&format!("selvedge: {message}\n"));
        Wrong
    };
    let source = std::fs::read(file).map_err(|error| complain(format!("{name}: {error}")))?;
    let source = String::from_utf8(source).map_err(|_| complain(format!("{name}: this is no text")))?;
    if arguments.format {
        let formatted =
            text::format(&name, &source).map_err(|refused| told(arguments, refused.diagnostics, &refused.sources))?;
        output::print(&formatted);
        return Ok(None);
    }
    let (spec, program) = read(arguments, &name, &source)?;
    if let Some(out) = &arguments.draw {
        write(out, &draw::svg(&program, &spec))?;
    }
    for count in &arguments.threads {
        if let Some(name) = count.name.as_ref().filter(|name| spec.thread(name).is_none()) {
            return Err(complain(format!("--threads: the specification has no abstract thread `{name}`")));
        }
    }
    let instances = |thread: &Thread| asked(&arguments.threads, thread);
    if let Some(out) = &arguments.promela {
        let model =
            promela::model(&spec, &instances).map_err(|diagnostics| told(arguments, diagnostics, &spec.sources))?;
        write(out, &model)?;
    }
    if arguments.draw.is_some() || arguments.promela.is_some() {
        return Ok(None);
    }
    let composed = compose(&program, &spec, &instances);
    let composition = composed.map_err(|diagnostics| told(arguments, diagnostics, &spec.sources))?;
    Ok(Some(checked(arguments, file, composition)))
}

/// How many threads there are to be of an abstract thread: the last that is said of it.
fn asked(counts: &[Count], thread: &Thread) -> Instances {
    let of_it = |count: &&Count| count.name.as_ref() == Some(&thread.name);
    let of_all = |count: &&Count| count.name.is_none() && thread.instances == Instances::Any;
    let found = counts.iter().rfind(of_it).or_else(|| counts.iter().rfind(of_all));
    found.map_or(thread.instances, |count| count.instances)
}

fn told(arguments: &ComposeArguments, diagnostics: Vec<Diagnostic>, sources: &Sources) -> Wrong {
    show(&diagnostics, sources, arguments.screen);
    let errors = diagnostics.iter().filter(|said| said.severity == selvedge_program::Severity::Error).count();
    let noun = if errors == 1 { "error" } else { "errors" };
    output::complain(&format!("selvedge: {errors} {noun} in the specification\n"));
    Wrong
}

fn write(path: &Path, text: &str) -> Result<(), Wrong> {
    std::fs::write(path, text).map_err(|error| {
        output::complain(&format!("selvedge: {}: {error}\n", path.display()));
        Wrong
    })
}

/// The specification, and the program that its predicates are over.
fn read(arguments: &ComposeArguments, name: &str, source: &str) -> Result<(Specification, Program), Wrong> {
    let read = if arguments.input.files.is_empty() {
        text::read_alone(name, source)
    } else {
        let compiled = compile_input(&arguments.input, arguments.screen).map_err(|_: Refused| Wrong)?;
        let mut program = compiled.program;
        text::read(name, source, &mut program).map(|read| (read, program))
    };
    let (Read { spec, warnings }, program) =
        read.map_err(|refused| told(arguments, refused.diagnostics, &refused.sources))?;
    show(&warnings, &spec.sources, arguments.screen);
    Ok((spec, program))
}

/// Checks a composition as `selvedge check` does a program.
fn checked(arguments: &ComposeArguments, file: &Path, composition: Composition) -> ExitCode {
    let Composition { program, undecided } = composition;
    let mut asked = as_check(arguments, file);
    asked.property.clone_from(&arguments.property);
    let mut options = check::options(&asked);
    // Every step is atomic, so that nothing races.
    options.task.properties.retain(|property| *property != Property::Race);
    if !undecided.is_empty() && options.task.properties.contains(&Property::Deadlock) {
        let warnings: Vec<Diagnostic> =
            undecided.iter().map(|caveat| Diagnostic::warning(caveat.span, &caveat.message)).collect();
        show(&warnings, &program.sources, arguments.screen);
        options.task.properties.retain(|property| *property != Property::Deadlock);
    }
    check::of_program(&asked, &program, &options, budget(arguments.timeout, arguments.memory), None)
}

/// The arguments that `selvedge check` would have.
fn as_check(arguments: &ComposeArguments, file: &Path) -> CheckArguments {
    let words = [Path::new("selvedge"), Path::new("check"), Path::new("--"), file];
    let Command::Check(plain) = Arguments::parse_from(words).command else {
        unreachable!("the word was `check`");
    };
    CheckArguments {
        engine: arguments.engine.clone(),
        timeout: arguments.timeout,
        memory: arguments.memory,
        certificate: arguments.certificate.clone(),
        reporting: arguments.reporting.clone(),
        screen: arguments.screen,
        ..*plain
    }
}
