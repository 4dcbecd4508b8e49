//! `selvedge check`: the main job.

use super::known::{self, Known};
use super::native::{self, Replayed};
use super::svcomp::{told, witness};
use super::{
    Form, INTERNAL, Made, Refused, SAFE, UNDECIDED, UNSAFE, USAGE, budget, compile_within, is_scpl, make_exclusive,
    statistics, to_json,
};
use crate::arguments::{
    AlgorithmChoice, CheckArguments, EnvironmentChoice, LinePair, ModeChoice, PropertyChoice, WeakeningChoice,
};
use crate::output::{self, ProgressLine, Results};
use selvedge::cartesian::{self, text};
use selvedge::interference::Mode;
use selvedge::modular::{Environment, Weakening};
use selvedge::svcomp::{self, Answer, Expected};
use selvedge::{CheckOptions, Checked, Contradicted, EngineName, RunUntil, certificates, check, contradiction};
use selvedge_evidence::file::claim_text;
use selvedge_evidence::{AtomicLines, CheckResult, Claim, Judgement, Reason, Replicas, Task, Verdict};
use selvedge_frontend::lower::Overflow;
use selvedge_program::{Action, Budget, Exhausted, FileId, Program, Property, Span};
use selvedge_report::model::{self, Report, Word};
use selvedge_report::sarif::{self, Invocation};
use selvedge_report::terminal::{self, Detail, Explain};
use selvedge_report::{SourceCache, html};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// `expected` is what a task definition expects of the property that is asked.
pub fn run(mut arguments: CheckArguments, expected: Option<&Expected>) -> ExitCode {
    if let Some(specification) = &arguments.input.specification {
        arguments.property = specification.properties().into_iter().filter_map(choice).collect();
    }
    let arguments = &arguments;
    if arguments.witness.is_some() && arguments.input.specification.is_none() {
        let message = "--witness needs a property file (--spec), or a task definition that names one";
        return Refused::usage(message).report(Form::of(arguments.reporting.json));
    }
    let budget = budget(arguments.timeout, arguments.memory);
    let form = Form::of(arguments.reporting.json);
    let made = Made { overflow: overflow(arguments), threads: arguments.threads.unwrap_or_default() };
    let mut compiled = match compile_within(&arguments.input, arguments.screen, made, &budget) {
        Ok(Ok(compiled)) => compiled,
        Ok(Err(limit)) => return unread(arguments, expected, limit),
        Err(refused) => return refused.report(form),
    };
    let exclusive = make_exclusive(&arguments.exclusive, &mut compiled.program);
    let asked = exclusive.and_then(|()| asked(arguments, &compiled.program));
    let options = match asked {
        Ok(options) => options,
        Err(message) => return Refused::usage(&message).report(form),
    };
    let status = of_program(arguments, &compiled.program, &options, budget, expected);
    std::mem::forget(compiled);
    status
}

/// Checks a program, and reports as the arguments say.
pub fn of_program(
    arguments: &CheckArguments,
    program: &Program,
    options: &CheckOptions,
    budget: Budget,
    expected: Option<&Expected>,
) -> ExitCode {
    let budget = with_time_to_report(left(budget), arguments.timeout);
    let is_for_people = !arguments.reporting.json && !arguments.reporting.quiet;
    let results = if is_for_people { Results::AsTheyCome } else { Results::AtTheEnd };
    let mut progress = ProgressLine::new(results);
    let mut checked = check(program, options, &budget, &mut progress);
    if let Some(specification) = &arguments.input.specification
        && !options.task.properties.contains(&Property::Memory)
        && svcomp::answer(program, specification, &checked).hangs_on_definedness()
    {
        svcomp::look_for_undefined(program, options, &budget, &mut progress, &mut checked);
    }
    progress.clear();
    for mistake in &checked.mistakes {
        output::complain(&format!("selvedge: {mistake}\n"));
    }
    let evidence = write_evidence(arguments, program, &checked, &options.task);
    let replays = native::after_check(arguments, program, &checked.judgement).unwrap_or_else(|message| {
        output::complain(&format!("selvedge: {message}\n"));
        Vec::new()
    });
    let status = answer(arguments, program, &checked, &replays, expected);
    // The process ends; what the schedules hold need not be given back piece by piece.
    std::mem::forget(checked);
    if let Err(message) = evidence {
        output::complain(&format!("selvedge: {message}\n"));
        return ExitCode::from(USAGE);
    }
    status
}

/// Engines are told to stop a little before the time is over: they take a moment to, and the report takes another.
fn with_time_to_report(mut budget: Budget, timeout: Duration) -> Budget {
    let reserve = (timeout / 20).min(Duration::from_secs(1));
    budget.deadline = budget.deadline.map(|deadline| deadline.checked_sub(reserve).unwrap_or(deadline));
    budget
}

/// Where a property file is asked, what it asks decides.
fn exit_status(checked: &Checked, answered: Option<&Answer>) -> u8 {
    match checked.judgement.word() {
        _ if !checked.contradictions.is_empty() => INTERNAL,
        _ if answered.is_some_and(Answer::holds) => SAFE,
        _ if answered.is_some_and(|answered| answered.violation().is_some()) => UNSAFE,
        "safe" | "unsafe" if answered.is_some() => UNDECIDED,
        "safe" => SAFE,
        "unsafe" => UNSAFE,
        _ if checked.is_spoilt() => INTERNAL,
        _ => UNDECIDED,
    }
}

/// Writes the certificates that are asked for, and both sides of every contradiction, to files.
fn write_evidence(arguments: &CheckArguments, program: &Program, checked: &Checked, task: &Task) -> Result<(), String> {
    for (number, found) in checked.contradictions.iter().enumerate() {
        let name = |ending: &str| format!("selvedge-contradiction-{}.{ending}", number + 1);
        let (proof, schedule) = (name("cert"), name("json"));
        let claim = claim_text(program, Claim::Of(found.subject));
        let (prover, finder) = (found.prover, found.finder);
        output::complain(&format!(
            "selvedge: internal contradiction: the engine {prover} has a proof of \"{claim}\", which was accepted, and \
             the engine {finder} a schedule that violates it, which was replayed; no verdict can be relied upon. The \
             proof is in {proof}, the schedule in {schedule}: please report them\n"
        ));
        let file = contradiction(program, found, task).text(program, &Budget::unlimited());
        write(Path::new(&proof), &file)?;
        write(Path::new(&schedule), &schedule_json(program, found))?;
    }
    let Some(path) = &arguments.certificate else { return Ok(()) };
    match certificates(program, &checked.judgement, task) {
        Some(file) => write(path, &file.text(program, &Budget::unlimited().with_time(COMMENTS))),
        None => {
            let why = if checked.judgement.checks.is_empty() { "there is nothing to check" } else { "nothing is safe" };
            output::complain(&format!("selvedge: {why}, so there is no certificate to write\n"));
            Ok(())
        }
    }
}

/// How long is spent on what certificates say for people.
const COMMENTS: Duration = Duration::from_secs(10);

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The schedule of a contradiction, as the JSON report has violations.
fn schedule_json(program: &Program, found: &Contradicted) -> String {
    let (replay, trace) = (found.counterexample.replay(), found.counterexample.trace());
    let check = CheckResult {
        property: found.subject.property(),
        subject: Some(found.subject),
        object: None,
        description: claim_text(program, Claim::Of(found.subject)),
        span: replay.principal_span(program, trace),
        verdict: Verdict::Unsafe(found.counterexample.clone()),
        engine: found.finder,
    };
    let judgement = Judgement { checks: vec![check], ..Judgement::default() };
    to_json(&model::report(program, &judgement, &mut SourceCache::default()))
}

/// What is left of the memory for the engines when a program has been read: half of it at least.
fn left(budget: Budget) -> Budget {
    let occupied = selvedge_meter::occupied_by_this_process().unwrap_or(0);
    let memory = budget.memory.map(|memory| memory.saturating_sub(occupied).max(memory / 2));
    Budget { memory, ..budget }
}

/// The answer when a limit was reached before there was a program: everything that was asked is open.
fn unread(arguments: &CheckArguments, expected: Option<&Expected>, limit: Exhausted) -> ExitCode {
    let reason = Reason { span: Span::NOWHERE, message: format!("{limit} while the program was read") };
    let check = |property: &Property| CheckResult {
        property: *property,
        subject: None,
        object: None,
        description: model::Property::from(*property).text().to_owned(),
        span: Span::NOWHERE,
        verdict: Verdict::Unknown(vec![reason.clone()]),
        engine: "none",
    };
    let judgement =
        Judgement { checks: options(arguments).task.properties.iter().map(check).collect(), ..Judgement::default() };
    let checked = Checked { judgement, statistics: Vec::new(), mistakes: Vec::new(), contradictions: Vec::new() };
    answer(arguments, &Program::empty(), &checked, &[], expected)
}

/// The options, if they make sense for the program.
fn asked(arguments: &CheckArguments, program: &Program) -> Result<CheckOptions, String> {
    if let Some(name) = arguments.race_on.as_deref().filter(|name| !is_an_object(program, name)) {
        return Err(format!("--race-on: the program has no variable `{name}`"));
    }
    let mut options = options(arguments);
    let atomic = arguments.atomic.iter().map(|pair| atomic_lines(program, pair)).collect::<Result<_, _>>();
    options.task.atomic = atomic.map_err(|message| format!("--atomic: {message}"))?;
    if !options.task.atomic.is_empty() {
        options.task.properties.push(Property::Atomicity);
    }
    fit_scpl(arguments, &mut options)?;
    fit_exclusive(arguments, &mut options)?;
    fit_cartesian(arguments, program, &mut options)?;
    Ok(options)
}

/// In SCPL every statement is atomic, so that nothing races, and a thread whose `assume` does not hold stops for good,
/// which is no deadlock; there is nothing to compile for a replay.
fn fit_scpl(arguments: &CheckArguments, options: &mut CheckOptions) -> Result<(), String> {
    if !is_scpl(&arguments.input) {
        return Ok(());
    }
    if arguments.schedules.replay || arguments.schedules.reproducer.is_some() {
        return Err("--replay and --reproducer need a program that can be compiled, which SCPL cannot".to_owned());
    }
    if arguments.property.is_empty() && arguments.exclusive.is_empty() {
        options.task.properties.retain(|property| matches!(property, Property::Assertion | Property::Memory));
    }
    Ok(())
}

/// Mutual exclusion is a matter of races. And threads in an exclusive region can always move in the model, which hides
/// deadlocks.
fn fit_exclusive(arguments: &CheckArguments, options: &mut CheckOptions) -> Result<(), String> {
    if arguments.exclusive.is_empty() {
        return Ok(());
    }
    if arguments.property.contains(&PropertyChoice::Deadlock) {
        return Err("--exclusive and --property deadlock do not go together; ask one after the other".to_owned());
    }
    let is_meant = |list: &String| arguments.race_on.as_ref().is_none_or(|name| *name == format!("exclusive({list})"));
    if !options.task.properties.contains(&Property::Race) || !arguments.exclusive.iter().all(is_meant) {
        return Err("--exclusive is a matter of races, which --property or --race-on leave out".to_owned());
    }
    options.task.properties.retain(|property| *property != Property::Deadlock);
    Ok(())
}

/// What concerns the engine `cartesian`.
fn fit_cartesian(arguments: &CheckArguments, program: &Program, options: &mut CheckOptions) -> Result<(), String> {
    let is_any = options.task.threads == Replicas::Any;
    let is_cartesian = |engine: &EngineName| engine.name() == cartesian::NAME;
    let is_for_any = |engine: &EngineName| engine.with(options).is_for_any_number();
    if is_any && !options.engines.iter().all(is_for_any) && !arguments.engine.is_empty() {
        let names: Vec<&str> = EngineName::all().filter(is_for_any).map(EngineName::name).collect();
        let names = names.join(" or ");
        return Err(format!("--threads any: only the engine {names} has answers for every number of threads"));
    }
    let has_its_options = arguments.exceptions.is_some() || arguments.no_inference;
    if has_its_options && !options.engines.iter().any(is_cartesian) {
        return Err("--exceptions and --no-inference are for the engine cartesian".to_owned());
    }
    if let Some(path) = &arguments.exceptions {
        let in_file = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let described = std::fs::read_to_string(path).map_err(|error| in_file(&error))?;
        text::parse(program, &described).map_err(|error| in_file(&error))?;
        options.exception_sets.described = described;
    }
    Ok(())
}

/// The lines that a user names; both must have accesses to memory.
fn atomic_lines(program: &Program, pair: &LinePair) -> Result<AtomicLines, String> {
    let is_the_file =
        |name: &str| pair.file.as_deref().is_none_or(|file| name == file || name.ends_with(&format!("/{file}")));
    let touched = |line: u32| -> BTreeSet<FileId> {
        let edges = program.functions.iter().flat_map(|function| &function.edges);
        let spans = edges.filter(|edge| touches_memory(&edge.action)).map(|edge| edge.span);
        spans.filter(|span| span.line == line && is_the_file(program.sources.name(span.file))).map(|s| s.file).collect()
    };
    let (first, second) = (touched(pair.first), touched(pair.second));
    for (line, files) in [(pair.first, &first), (pair.second, &second)] {
        if files.is_empty() {
            return Err(format!("no statement on line {line} accesses memory"));
        }
    }
    let files: Vec<FileId> = first.intersection(&second).copied().collect();
    match files[..] {
        [file] => Ok(AtomicLines { file, first: pair.first, second: pair.second }),
        [] => Err(format!("lines {} and {} are in different files", pair.first, pair.second)),
        _ => Err(format!("say which file, as in FILE:{}-{}", pair.first, pair.second)),
    }
}

fn touches_memory(action: &Action) -> bool {
    matches!(action, Action::Load { .. } | Action::Store { .. } | Action::Atomic { .. })
}

/// Whether a variable of the program has this name.
fn is_an_object(program: &Program, name: &str) -> bool {
    let mut globals = program.objects.iter().map(|object| &object.name);
    let mut locals = program.functions.iter().flat_map(|function| &function.frame).map(|object| &object.name);
    globals.any(|known| known == name) || locals.any(|known| known == name)
}

pub fn options(arguments: &CheckArguments) -> CheckOptions {
    let mut options = CheckOptions {
        until: if arguments.stop_on_fail { RunUntil::FirstViolation } else { RunUntil::Settled },
        mode: mode(arguments.mode),
        environment: environment(arguments.environment),
        weakening: weakening(arguments.weakening),
        ..CheckOptions::default()
    };
    options.task.race_on.clone_from(&arguments.race_on);
    options.task.threads = arguments.threads.unwrap_or_default();
    options.task.unwind = arguments.unwind;
    options.exception_sets.infer = !arguments.no_inference;
    if !arguments.engine.is_empty() {
        options.engines = arguments.engine.clone();
    }
    if let Some(chosen) = arguments.algorithm {
        let engine;
        (engine, options.environment, options.weakening) = algorithm(chosen);
        options.engines = EngineName::of(engine).into_iter().collect();
    }
    if arguments.property.is_empty() && arguments.input.concurrent.is_some() {
        // Whether a caller that waits is let go on is up to the others: nobody need call what it waits for.
        options.task.properties.retain(|property| *property != Property::Deadlock);
    }
    if !arguments.property.is_empty() {
        options.task.properties.retain(|property| arguments.property.iter().any(|choice| is(*choice, *property)));
        if arguments.property.contains(&PropertyChoice::Livelock) {
            options.task.properties.push(Property::Livelock);
        }
        if overflow(arguments) == Overflow::Undefined {
            options.task.properties.push(Property::Overflow);
        }
    }
    options
}

/// What becomes of signed overflow: it is looked for where the user asks.
fn overflow(arguments: &CheckArguments) -> Overflow {
    if arguments.property.contains(&PropertyChoice::Overflow) { Overflow::Undefined } else { Overflow::Wraps }
}

fn mode(choice: ModeChoice) -> Mode {
    match choice {
        ModeChoice::Full => Mode::Full,
        ModeChoice::Over => Mode::Over,
        ModeChoice::Under => Mode::Under,
        ModeChoice::Mixed => Mode::Mixed,
    }
}

/// What an algorithm of paper 000 is here.
fn algorithm(choice: AlgorithmChoice) -> (&'static str, Environment, Weakening) {
    match choice {
        AlgorithmChoice::A => (selvedge::symmetric::NAME, Environment::default(), Weakening::default()),
        AlgorithmChoice::B => (selvedge::modular::NAME, Environment::Anywhere, Weakening::InRounds),
        AlgorithmChoice::Tar => (selvedge::modular::NAME, Environment::Relation, Weakening::InRounds),
        AlgorithmChoice::TarHavoc => (selvedge::modular::NAME, Environment::Havoc, Weakening::InRounds),
    }
}

fn environment(choice: EnvironmentChoice) -> Environment {
    match choice {
        EnvironmentChoice::Relation => Environment::Relation,
        EnvironmentChoice::Havoc => Environment::Havoc,
        EnvironmentChoice::Anywhere => Environment::Anywhere,
    }
}

fn weakening(choice: WeakeningChoice) -> Weakening {
    match choice {
        WeakeningChoice::AtOnce => Weakening::AtOnce,
        WeakeningChoice::InRounds => Weakening::InRounds,
    }
}

/// The choice that means a property.
fn choice(property: Property) -> Option<PropertyChoice> {
    match property {
        Property::Assertion => Some(PropertyChoice::Assertion),
        Property::Race => Some(PropertyChoice::Race),
        Property::Deadlock => Some(PropertyChoice::Deadlock),
        Property::Memory => Some(PropertyChoice::Memory),
        Property::Overflow => Some(PropertyChoice::Overflow),
        Property::Livelock => Some(PropertyChoice::Livelock),
        Property::Atomicity => None,
    }
}

fn is(choice: PropertyChoice, property: Property) -> bool {
    matches!(
        (choice, property),
        (PropertyChoice::Assertion, Property::Assertion)
            | (PropertyChoice::Race, Property::Race)
            | (PropertyChoice::Deadlock, Property::Deadlock)
            | (PropertyChoice::Memory, Property::Memory)
    )
}

/// Prints the report, and writes it where else it is wanted.
fn answer(
    arguments: &CheckArguments,
    program: &Program,
    checked: &Checked,
    replays: &[Replayed],
    expected: Option<&Expected>,
) -> ExitCode {
    let specification = arguments.input.specification.as_ref();
    let answered = specification.map(|specification| svcomp::answer(program, specification, checked));
    let mut cache = SourceCache::default();
    let mut report = model::report(program, &checked.judgement, &mut cache);
    report.statistics = statistics::of(checked);
    report.internal_errors = checked.mistakes.iter().map(ToString::to_string).collect();
    report.replays = replays.iter().map(Replayed::told).collect();
    report.specification = answered.as_ref().map(|answered| told(answered, expected));
    let known = match known_violations(arguments, &report, &mut cache) {
        Ok(known) => known,
        Err(message) => return Refused::usage(&message).report(Form::of(arguments.reporting.json)),
    };
    output::print(&printed(arguments, &report, (checked, replays), &known, &mut cache));
    let exit_status = match (exit_status(checked, answered.as_ref()), known::rest(&report, &known)) {
        (status, _) if known.is_empty() || answered.is_some() => status,
        (UNSAFE, Word::Safe) => SAFE,
        (UNSAFE, Word::Bounded | Word::Unknown) => UNDECIDED,
        (status, _) => status,
    };
    let words: Vec<String> = std::env::args().skip(1).collect();
    let invocation = Invocation { arguments: &words, exit_status };
    let sarif =
        arguments.reporting.sarif.as_ref().map(|path| (path, to_json(&sarif::sarif(&report, &invocation, &mut cache))));
    let html = arguments.reporting.html.as_ref().map(|path| (path, html::html(&report, &mut cache)));
    let witness = match (&arguments.witness, &answered) {
        (Some(path), Some(answered)) => match witness(&arguments.input, path, program, answered, &mut cache) {
            Ok(text) => text.map(|text| (path, text)),
            Err(message) => {
                output::complain(&format!("selvedge: {message}\n"));
                return ExitCode::from(USAGE);
            }
        },
        _ => None,
    };
    for (path, text) in sarif.into_iter().chain(html).chain(witness) {
        if let Err(error) = std::fs::write(path, text) {
            output::complain(&format!("selvedge: {}: {error}\n", path.display()));
            return ExitCode::from(USAGE);
        }
    }
    ExitCode::from(exit_status)
}

/// The violations that are known, also those that are written to the baseline now.
fn known_violations(
    arguments: &CheckArguments,
    report: &Report,
    cache: &mut SourceCache,
) -> Result<Vec<Known>, String> {
    if let Some(path) = arguments.baseline.as_deref().filter(|_| arguments.write_baseline) {
        write(path, &known::baseline(report, cache))?;
    }
    known::known(report, arguments.baseline.as_deref(), cache)
}

/// The report as JSON or as text.
fn printed(
    arguments: &CheckArguments,
    report: &Report,
    (checked, replays): (&Checked, &[Replayed]),
    known: &[Known],
    cache: &mut SourceCache,
) -> String {
    if arguments.reporting.json {
        return to_json(report);
    }
    let style = output::stdout_style(arguments.screen);
    let detail = match (arguments.reporting.quiet, arguments.reporting.verbose) {
        (true, _) => Detail::Quiet,
        (false, true) => Detail::Unfolded,
        (false, false) => Detail::Folded,
    };
    let explain = if arguments.reporting.explain { Explain::Everything } else { Explain::Findings };
    let mut text = terminal::render(&known::in_short(report, known), detail, explain, cache, &style);
    text.extend(known.iter().map(|known| known.text.as_str()));
    text.extend(replays.iter().map(Replayed::text));
    if arguments.reporting.statistics {
        text.push_str(&statistics::text(checked));
    }
    text
}
