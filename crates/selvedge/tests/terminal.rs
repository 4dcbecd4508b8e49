//! What the terminal shows for every kind of violation and verdict: the programs are in `reports/`, each with the text
//! beside it. Set `UPDATE_EXPECT=1` to write the texts anew, and read what has changed.

use selvedge::frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge::frontend::lower::Overflow;
use selvedge::program::{Budget, Property, Quiet};
use selvedge::{CheckOptions, EngineName, check};
use selvedge_evidence::{AtomicLines, Replicas};
use selvedge_report::model::{self, Report};
use selvedge_report::terminal::{Detail, Explain, render};
use selvedge_report::{SourceCache, Style};
use std::path::{Path, PathBuf};

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports").join(format!("{name}.c"))
}

/// What is asked; by the engine `explicit` alone, so that there is one answer.
fn options() -> CheckOptions {
    CheckOptions { engines: vec![engine("explicit")], ..CheckOptions::default() }
}

fn engine(name: &str) -> EngineName {
    EngineName::of(name).expect("there is that engine")
}

/// What is asked about programs that read input, which has too many values to go through one by one.
fn options_for_input() -> CheckOptions {
    let mut options = CheckOptions { engines: vec![engine("interference")], ..CheckOptions::default() };
    options.task.properties = vec![Property::Assertion];
    options
}

/// The report on a program and the lines of its file, which is called by its last name.
fn report(name: &str, options: &CheckOptions, atomic: Option<(u32, u32)>) -> (Report, SourceCache) {
    let (path, mut options) = (program(name), options.clone());
    let mut compile = CompileOptions::default();
    if options.task.properties.contains(&Property::Overflow) {
        compile.lower.overflow = Overflow::Undefined;
    }
    let source = Source { path: path.clone(), preprocess: Default::default() };
    let mut program = compile_sources(&[source], &compile).expect("the program compiles").program;
    if let Some((first, second)) = atomic {
        let file = program.sources.file(&path.display().to_string());
        options.task.atomic = vec![AtomicLines { file, first, second }];
        options.task.properties = vec![Property::Atomicity];
        options.engines = vec![engine("interference")];
    }
    let checked = check(&program, &options, &Budget::unlimited(), &mut Quiet);
    assert_eq!(checked.mistakes, []);
    let mut cache = SourceCache::default();
    let report = model::report(&program, &checked.judgement, &mut cache);
    // Where the repository lies is no matter of the report.
    let folder = format!("{}/", path.parent().expect("it lies in a folder").display());
    let text = serde_json::to_string(&report).expect("a report is JSON").replace(&folder, "");
    cache.insert(&format!("{name}.c"), &std::fs::read_to_string(&path).expect("the program can be read"));
    (serde_json::from_str(&text).expect("what was written is read"), cache)
}

fn show(name: &str, options: &CheckOptions, atomic: Option<(u32, u32)>) {
    let (report, mut cache) = report(name, options, atomic);
    let text = render(&report, Detail::Folded, Explain::Findings, &mut cache, &Style::plain(100));
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    expect_test::expect_file![program(name).with_extension("txt")].assert_eq(&text);
}

#[test]
fn every_kind_of_violation_is_shown_as_the_programmer_knows_it() {
    for name in [
        "assertion",
        "heap_race",
        "destroy_race",
        "deadlock",
        "dead_local",
        "use_after_free",
        "wake_up",
        "bit_fields",
        "folded",
        "first_member",
        "arguments",
        "in_a_row",
        "long",
    ] {
        show(name, &options(), None);
    }
    show("models", &options_for_input(), None);
    let mut overflow = options();
    overflow.task.properties = vec![Property::Overflow];
    show("overflow", &overflow, None);
    show("atomicity", &options(), Some((8, 11)));
}

#[test]
fn what_is_open_says_why_and_what_holds_within_bounds() {
    show("undefined_function", &options(), None);
    let mut bounded = options();
    bounded.task.threads = Replicas::AtMost(2);
    show("bounded", &bounded, None);
}

#[test]
fn no_name_of_the_models_is_in_any_report() {
    let names = ["wake_up", "destroy_race", "heap_race"].map(|name| (name, options()));
    for (name, options) in names.into_iter().chain([("models", options_for_input())]) {
        let (report, mut cache) = report(name, &options, None);
        let text = render(&report, Detail::Unfolded, Explain::Everything, &mut cache, &Style::plain(100));
        for internal in ["<models>", "__selvedge", "heap0", "local0", "length ="] {
            assert!(!text.contains(internal), "{internal} in {text}");
        }
    }
}

#[test]
fn steps_that_nobody_notices_are_folded() {
    let (report, mut cache) = report("folded", &options(), None);
    let mut text = |detail| render(&report, detail, Explain::Findings, &mut cache, &Style::plain(100));
    let (folded, unfolded) = (text(Detail::Folded), text(Detail::Unfolded));
    assert!(folded.contains("4 lines that no other thread notices (-v shows them)"), "{folded}");
    assert!(!folded.contains("int c = b + a;"), "{folded}");
    assert!(unfolded.contains("int c = b + a;  c = 3"), "{unfolded}");
    assert_eq!(text(Detail::Quiet).lines().count(), 1);
}

#[test]
fn a_long_schedule_has_a_short_form() {
    let (report, mut cache) = report("long", &options(), None);
    let mut text = |detail| render(&report, detail, Explain::Findings, &mut cache, &Style::plain(100));
    let (short, all) = (text(Detail::Folded), text(Detail::Unfolded));
    assert!(short.contains("steps left out (-v shows all)") && short.lines().count() < 40, "{short}");
    assert!(!all.contains("left out") && all.lines().count() > 400, "{}", all.lines().count());
}

#[test]
fn every_check_is_explained() {
    let (report, mut cache) = report("safe", &options(), None);
    let text = render(&report, Detail::Folded, Explain::Everything, &mut cache, &Style::plain(400));
    assert!(text.contains("safe: assertion total == 2 (safe.c:20): all executions explored"), "{text}");
    let race = "safe: no data race on total (safe.c:4): guarded by lock at 2 of 2 accesses; all executions explored";
    assert!(text.contains(race), "{text}");
    assert!(text.contains("safe: no deadlock: all executions explored"), "{text}");
}

#[test]
fn a_narrow_screen_and_a_pipe_are_kept_to() {
    for name in ["heap_race", "deadlock", "bounded"] {
        let (report, mut cache) = report(name, &options(), None);
        for width in [60, 40] {
            let text = render(&report, Detail::Unfolded, Explain::Everything, &mut cache, &Style::plain(width));
            let long = text.lines().find(|line| line.chars().count() > width && line.trim().contains(' '));
            assert_eq!(long, None, "{text}");
            assert!(!text.contains('\x1b'));
        }
    }
}

/// Two threads that take turns only as often as they must.
#[test]
fn schedules_are_as_short_as_they_can_be_made() {
    let (report, _) = report("assertion", &options(), None);
    let violation = report.checks.iter().find_map(|check| check.violation()).expect("the assertion fails");
    let threads: Vec<u32> = violation.trace.iter().map(|step| step.thread).collect();
    let switches = threads.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(switches <= 4, "{switches} switches: {threads:?}");
}
