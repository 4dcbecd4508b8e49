//! Every engine alone, and all of them together, on random C programs against the plainest search over the concrete
//! semantics, which shares no code with them: never *safe* where the plain search has a violation, whether or not it
//! got to the end; never *unsafe* where it got to the end and has none.
//!
//! `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default, `SELVEDGE_KINDS=wide,copies` for
//! certain generators, `SELVEDGE_ENGINES=modular` for certain engines, `SELVEDGE_TIME=1000` for so many milliseconds per
//! program and engine.

use selvedge::evidence::{Recheck, Subject, Task, Verdict, recheck};
use selvedge::frontend::compile::{CompileOptions, Source, compile_sources, compile_text};
use selvedge::program::{Budget, Program, Property, Quiet};
use selvedge::{CheckOptions, Checked, EngineName, check};
use selvedge_generate::shrink::smallest;
use selvedge_generate::{GENERATORS, Generator, seeds};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const PROPERTIES: [Property; 4] = [Property::Assertion, Property::Race, Property::Deadlock, Property::Memory];

/// How far the plain search goes: states, and answers to one question.
const STATES: usize = 20_000;
const CHOICES: u128 = 256;

/// How long an engine may take for one program, in milliseconds; what it leaves open is not compared.
const TIME: u64 = 300;

fn time() -> Duration {
    let asked = std::env::var("SELVEDGE_TIME").ok().and_then(|time| time.parse().ok());
    Duration::from_millis(asked.unwrap_or(TIME))
}

/// How many programs are tried to show a smaller one that is answered wrongly.
const ATTEMPTS: usize = 1000;

/// Who is compared with the plain search, on what: each engine alone, on what it answers, and all of them together.
fn asked() -> Vec<(&'static str, CheckOptions)> {
    let all = CheckOptions { task: Task::about(&PROPERTIES), ..CheckOptions::default() };
    let alone = |engine: EngineName| {
        let task = Task::about(engine.with(&all).properties());
        (engine.name(), CheckOptions { engines: vec![engine], task, ..CheckOptions::default() })
    };
    let all = EngineName::all().map(alone).chain([("together", all.clone())]);
    all.filter(|(engine, _)| is_asked("SELVEDGE_ENGINES", engine)).collect()
}

/// Whether a variable of the environment asks for something, by its name in a list; without the variable, for everything.
fn is_asked(variable: &str, name: &str) -> bool {
    std::env::var(variable).ok().is_none_or(|asked| asked.split(',').any(|asked| asked == name))
}

/// The generators of a test, or those of them that are asked for.
fn kinds(all: &[&str]) -> Vec<(&'static str, Generator)> {
    let is_meant = |name: &str| all.contains(&name) && is_asked("SELVEDGE_KINDS", name);
    GENERATORS.into_iter().filter(|(name, _)| is_meant(name)).collect()
}

/// The program that a text is; what is no program is the generator's mistake, or what shrinking came to.
fn compile(name: &str, text: &str, folder: &Path) -> Result<Program, String> {
    // Only what includes headers needs the preprocessor.
    let compiled = if text.contains("#include") {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("the temporary folder is writable");
        compile_sources(&[Source { path, preprocess: Default::default() }], &CompileOptions::default())
    } else {
        compile_text(name, text, &CompileOptions::default())
    };
    let program = compiled.map_err(|error| error.to_string())?.program;
    program.validate().map_err(|problems| problems.join("\n"))?;
    Ok(program)
}

/// What is wrong with verdicts, given what the plain search says.
fn complaints(asked: &[Property], checked: &Checked, plain: &Recheck) -> Vec<String> {
    let mut complaints: Vec<String> = checked.mistakes.iter().map(ToString::to_string).collect();
    for property in asked.iter().copied() {
        let checks: Vec<_> = checked.judgement.of_property(property).collect();
        let is_safe = checks.iter().all(|check| matches!(check.verdict, Verdict::Safe(_)));
        if is_safe && plain.violated.contains(&property) {
            let subjects: Vec<&Subject> = plain.subjects.iter().filter(|s| s.property() == property).collect();
            complaints.push(format!("{property:?} is called safe, but {subjects:?}"));
        }
        for check in checks {
            let Some(subject) = check.subject else { continue };
            match check.verdict {
                Verdict::Safe(_) if plain.subjects.contains(&subject) => {
                    complaints.push(format!("{subject:?} is called safe"));
                }
                Verdict::Unsafe(_) if plain.is_complete && !plain.subjects.contains(&subject) => {
                    complaints.push(format!("{subject:?} is called unsafe"));
                }
                _ => {}
            }
        }
    }
    complaints
}

/// Whether every question has an answer.
fn is_whole(checked: &Checked) -> bool {
    let is_decided = |verdict: &Verdict| matches!(verdict, Verdict::Safe(_) | Verdict::Unsafe(_));
    checked.judgement.checks.iter().all(|check| is_decided(&check.verdict))
}

/// What came out of the programs of one kind.
#[derive(Clone, Debug, Default)]
struct Tally {
    programs: u32,
    /// Those that the plain search explored to the end.
    explored: u32,
    /// Those in which the plain search found no violation, though it got to the end; and those in which it found one.
    safe: u32,
    violated: u32,
    /// Who answered how many in full.
    answered: BTreeMap<&'static str, u32>,
}

/// A wrong answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mistake {
    size: usize,
    engine: &'static str,
    name: String,
    complaint: String,
    text: String,
}

#[derive(Debug, Default)]
struct Results {
    tallies: BTreeMap<&'static str, Tally>,
    mistakes: BTreeSet<Mistake>,
}

/// What some engines say of a program.
fn ask(options: &CheckOptions, program: &Program) -> Checked {
    let budget = Budget::unlimited().with_time(time()).with_memory(1 << 30);
    check(program, options, &budget, &mut Quiet)
}

/// What is wrong with what some engines say of a text.
fn wrong_answers(engine: &str, name: &str, text: &str, folder: &Path) -> Vec<String> {
    let Ok(program) = compile(name, text, folder) else { return Vec::new() };
    let Some((_, options)) = asked().into_iter().find(|(asked, _)| *asked == engine) else { return Vec::new() };
    let checked = ask(&options, &program);
    complaints(&options.task.properties, &checked, &recheck(&program, STATES, CHOICES))
}

fn compare(kind: &'static str, seed: u64, text: &str, folder: &Path, results: &Mutex<Results>) {
    let name = format!("{kind}{seed}.c");
    let program = compile(&name, text, folder).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    let plain = recheck(&program, STATES, CHOICES);
    let mut answered = Vec::new();
    let mut mistakes = Vec::new();
    for (engine, options) in asked() {
        // An engine for finite data has nothing to do with large ones.
        if engine == "cartesian" && plain.states > STATES {
            continue;
        }
        let checked = ask(&options, &program);
        answered.extend(is_whole(&checked).then_some(engine));
        let complaints = complaints(&options.task.properties, &checked, &plain);
        let mistake =
            |complaint| Mistake { size: text.len(), engine, name: name.clone(), complaint, text: text.to_owned() };
        mistakes.extend(complaints.into_iter().map(mistake));
    }
    for Mistake { engine, name, complaint, .. } in &mistakes {
        println!("{name}: {engine}: {complaint}");
    }
    let mut results = results.lock().expect("no thread panics");
    let tally = results.tallies.entry(kind).or_default();
    tally.programs += 1;
    tally.explored += u32::from(plain.is_complete);
    tally.safe += u32::from(plain.is_complete && plain.violated.is_empty());
    tally.violated += u32::from(!plain.violated.is_empty());
    for engine in answered {
        *tally.answered.entry(engine).or_default() += 1;
    }
    results.mistakes.extend(mistakes);
}

fn compare_all(all_kinds: &[&str], default_seeds: Range<u64>) {
    let kinds = kinds(all_kinds);
    if kinds.is_empty() {
        return println!("no program of the kinds asked for");
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let work: Vec<(u64, (&str, Generator))> =
        seeds(default_seeds).flat_map(|seed| kinds.iter().map(move |kind| (seed, *kind))).collect();
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Results::default());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((seed, (kind, program))) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    compare(kind, *seed, &program(*seed), folder.path(), &results);
                }
            });
        }
    });
    let results = results.into_inner().expect("no thread panics");
    for (kind, tally) in &results.tallies {
        let Tally { programs, explored, safe, violated, answered } = tally;
        let engines: Vec<String> = answered.iter().map(|(engine, count)| format!("{engine} {count}")).collect();
        println!(
            "{kind}: {programs} programs, {explored} explored plainly to the end; {safe} safe, {violated} violated; answered in full: {}",
            engines.join(", ")
        );
    }
    if let Some(Mistake { engine, name, complaint, text, .. }) = results.mistakes.first() {
        let count = results.mistakes.len();
        let is_wrong = |text: &str| !wrong_answers(engine, name, text, folder.path()).is_empty();
        let small = smallest(text, ATTEMPTS, is_wrong);
        panic!("{count} wrong answers; the smallest: {name}: {engine}: {complaint}\n{text}\nshrunk:\n{small}");
    }
    // How many an engine answers in its time depends on the machine; that it answers some does not. Only single
    // executions answer nothing in full.
    for (engine, _) in asked().into_iter().filter(|(engine, _)| *engine != "sampling") {
        let answered = results.tallies.values().any(|tally| tally.answered.contains_key(engine));
        assert!(answered, "{engine} answers some in full: {:?}", results.tallies);
    }
    // The plain search does not get to the end where there is a choice among too many values.
    for (kind, tally) in results.tallies.iter().filter(|(_, tally)| tally.explored * 2 >= tally.programs) {
        assert!(tally.safe * 10 >= tally.programs, "{kind}: there are safe programs: {tally:?}");
        assert!(tally.violated * 10 >= tally.programs, "{kind}: there are unsafe programs: {tally:?}");
    }
}

#[test]
fn the_engines_agree_with_the_plainest_search() {
    compare_all(&["concurrent", "sections", "wide", "copies", "moved", "undefined", "large"], 0..24);
}

#[test]
fn the_engines_agree_on_protocols() {
    compare_all(&["protocols"], 0..60);
}

#[test]
fn the_engines_agree_on_counts() {
    compare_all(&["counting"], 0..60);
}

#[test]
fn the_engines_agree_on_equal_threads() {
    // Few of the former are answered in the time of a test; of the latter every engine answers some.
    compare_all(&["equal", "undefined"], 0..40);
}

#[test]
fn the_engines_agree_on_values_from_nowhere() {
    compare_all(&["pointers", "uninitialised"], 0..40);
}

#[test]
fn the_engines_agree_on_addresses_and_orders() {
    compare_all(&["order", "edges", "sequence"], 0..40);
}

#[test]
fn the_engines_agree_on_recursion() {
    // An engine that refuses recursion answers some of the latter.
    compare_all(&["recursive", "activations", "undefined"], 0..40);
}
