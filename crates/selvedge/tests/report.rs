//! What `selvedge check` prints: the shape of the JSON report, that certificates hold when checked again, and the help
//! text.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn selvedge(arguments: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).args(arguments).arg(file).output().expect("selvedge runs")
}

fn json(arguments: &[&str], name: &str) -> Value {
    let output = selvedge(arguments, &example(name));
    let stderr = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{name}: {error}: {stderr}"))
}

fn names(value: &Value) -> Vec<&str> {
    value.as_object().map(|object| object.keys().map(String::as_str).collect()).unwrap_or_default()
}

#[test]
fn the_report_has_the_documented_fields() {
    let all = json(&["check", "--json"], "counter.c");
    assert_eq!(
        names(&all["statistics"]["engines"]),
        ["cartesian", "explicit", "interference", "modular", "sampling", "symmetric"]
    );
    let report = json(&["check", "--json", "--engine", "explicit"], "counter.c");
    assert_eq!(
        names(&report),
        ["assumed", "checks", "notes", "statistics", "undefined", "verdict", "version", "warnings"]
    );
    assert_eq!(names(&report["statistics"]), ["engines", "explicit"]);
    let figures = ["depth", "memory", "seconds", "states", "steps", "transitions"];
    assert_eq!(names(&report["statistics"]["engines"]["explicit"]), figures);
    assert_eq!(names(&report["statistics"]["explicit"]), figures);
    let check = &report["checks"][0];
    let fields = ["certificate", "description", "engine", "location", "property", "standing", "verdict"];
    assert_eq!(names(check), fields);
}

#[test]
fn what_is_safe_is_so_as_far_as_the_program_is_defined() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/threadlife/join_twice_then_assert.c");
    for engine in ["explicit", "interference"] {
        let arguments = ["check", "--property", "assertion", "--engine", engine];
        let output = selvedge(&arguments, &file);
        let text = String::from_utf8_lossy(&output.stdout).replace("\n  ", " ");
        let verdict = "safe as far as the program is defined: line 16 joins or detaches what is not a joinable thread; \
                       the assertion holds";
        assert!(text.contains(verdict), "{text}");
        let output = selvedge(&[&arguments[..], &["--json"]].concat(), &file);
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        assert_eq!(report["verdict"], "safe");
        assert_eq!(report["undefined"][0]["location"]["line"], 16);
        assert_eq!(report["checks"][0]["as_far_as_defined"], report["undefined"]);
    }
    // Where undefined behaviour is asked about, the other properties are judged on what remains, and that is said too.
    let output = selvedge(&["check", "--json"], &file);
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let checks = report["checks"].as_array().expect("checks");
    let of = |property: &str| checks.iter().find(|check| check["property"] == property).expect("a check of each");
    assert_eq!((&of("memory")["verdict"], &of("assertion")["verdict"]), (&"unsafe".into(), &"safe".into()));
    assert_eq!(of("assertion")["as_far_as_defined"][0]["location"]["line"], 16);
    assert!(of("memory")["as_far_as_defined"].is_null());
}

#[test]
fn one_engine_can_be_asked_alone() {
    let report = json(&["check", "--json", "--engine", "explicit"], "counter_bug.c");
    assert_eq!(names(&report["statistics"]["engines"]), ["explicit"]);
    assert_eq!(report["verdict"], "unsafe");
    assert!(report["checks"].as_array().is_some_and(|all| all.iter().all(|check| check["engine"] == "explicit")));
}

#[test]
fn a_bounded_verdict_says_what_was_covered() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/bounded/threads_cut_off.c");
    let output = selvedge(&["check", "--json", "--engine", "explicit", "--threads", "2"], &file);
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(report["checks"][0]["verdict"], "bounded");
    assert_eq!(report["checks"][0]["covered"], "at most 2 threads running the same function at a time");
    let output = selvedge(&["check", "--engine", "explicit", "--threads", "2"], &file);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("covered: at most 2 threads running the same function at a time\n"), "{text}");
}

#[test]
fn threads_that_no_execution_starts_are_told() {
    let usage = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/arguments/usage_bug.c");
    let message = "no execution starts the threads that are started here";
    let output = selvedge(&["check", "--json", "--args="], &usage);
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(
        (&report["warnings"][0]["message"], &report["warnings"][0]["location"]["line"]),
        (&message.into(), &23.into())
    );
    let text = String::from_utf8_lossy(&selvedge(&["check", "--args="], &usage).stdout).into_owned();
    assert!(text.contains(&format!("warning: {message}")), "{text}");
    for output in
        [selvedge(&["check", "--json", "--args=2"], &usage), selvedge(&["check", "--json"], &example("counter.c"))]
    {
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        assert_eq!(report["warnings"], Value::Array(Vec::new()));
    }
}

#[test]
fn locks_that_nothing_initialises_are_told() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("unset.c");
    let text = "#include <pthread.h>\nint main(void) {\n    pthread_mutex_t m;\n    pthread_mutex_lock(&m);\n}\n";
    std::fs::write(&path, text).expect("the folder is writable");
    let report: Value = serde_json::from_slice(&selvedge(&["check", "--json"], &path).stdout).expect("a report");
    let message = "`m in main` is locked here, and nothing ever initialises it";
    assert_eq!(
        (&report["warnings"][0]["message"], &report["warnings"][0]["location"]["line"]),
        (&message.into(), &4.into())
    );
}

#[test]
fn columns_are_those_of_the_source_in_lines_with_macros() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("columns.c");
    let line = "#define ONE 1\n#include <assert.h>\nint main(void) {\n    int x =   ONE + ONE; assert(x == 1);\n}\n";
    std::fs::write(&path, line).expect("the folder is writable");
    let output = selvedge(&["check", "--json"], &path);
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let place = &report["checks"][0]["location"];
    assert_eq!((&place["line"], &place["column"]), (&4.into(), &26.into()), "{report}");
    let text = String::from_utf8_lossy(&selvedge(&["check"], &path).stdout).into_owned();
    assert!(text.contains(&format!("\n  | {}{} in thread", " ".repeat(25), "^".repeat(14))), "{text}");
}

#[test]
fn errors_in_the_input_are_reported_as_json() {
    let missing = Path::new("there/is/no/such/file.c");
    let unknown = selvedge(&["check", "--json", "--no-such-option"], &example("counter.c"));
    let no_variable = selvedge(&["check", "--json", "--race-on", "nothing"], &example("counter.c"));
    for (output, said) in
        [(selvedge(&["check", "--json"], missing), "file.c"), (unknown, "--no-such-option"), (no_variable, "nothing")]
    {
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        assert_eq!((output.status.code(), names(&report)), (Some(2), vec!["errors", "verdict", "version"]));
        assert_eq!(report["verdict"], "error");
        assert!(report["errors"][0]["message"].as_str().is_some_and(|message| message.contains(said)), "{report}");
    }
}

#[test]
fn the_help_tells_of_every_option() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_selvedge")).args(["check", "--help"]).output().expect("selvedge runs");
    let help = String::from_utf8_lossy(&output.stdout);
    for option in [
        "--property",
        "--race-on",
        "--threads",
        "--engine",
        "--timeout",
        "--memory",
        "--stop-on-fail",
        "--unwind",
        "--mode",
        "--atomic",
        "--args",
        "--json",
        "--quiet",
        "--verbose",
        "--explain",
        "--sarif",
        "--html",
        "--statistics",
    ] {
        assert!(help.contains(option), "{option} in {help}");
    }
    assert!(help.contains("[default: 60]") && help.contains("[default: auto]"), "{help}");
}

/// What no engine decides is unknown, and never left out.
#[test]
fn an_atomic_pair_is_a_check_of_its_own() {
    let file = tempfile::Builder::new().suffix(".c").tempfile().expect("a temporary file can be made");
    std::fs::write(file.path(), "int x;\nint main(void) {\n  int y = x;\n  x = y + 1;\n  return 0;\n}\n")
        .expect("is writable");
    let run = |lines: &str| selvedge(&["check", "--json", "--engine", "explicit", "--atomic", lines], file.path());
    let report: Value = serde_json::from_slice(&run("3-4").stdout).expect("a report");
    let check = report["checks"].as_array().and_then(|checks| checks.last()).expect("there are checks");
    assert_eq!((&check["property"], &check["verdict"]), (&Value::from("atomicity"), &Value::from("unknown")));
    assert_eq!(check["location"]["line"], 3);
    for (lines, message) in [("3-5", "no statement on line 5 accesses memory"), ("y.c:3-4", "no statement on line 3")] {
        let output = run(lines);
        assert_eq!(output.status.code(), Some(2));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(message), "{stderr}");
    }
}

/// What a baseline names, or a comment expects, is told in short and does not decide the exit status.
#[test]
fn known_violations_are_told_in_short() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (file, baseline) = (folder.path().join("t.c"), folder.path().join("known"));
    let known = baseline.display().to_string();
    let text = "#include <pthread.h>\nint x, y;\nvoid *f(void *p) {\nx++;\ny++; // RACE\nreturn 0; }\nint main(void) {\
                pthread_t t; pthread_create(&t, 0, f, 0);\nx = 1;\npthread_join(t, 0); return 0; }\n";
    let run = |text: &str, arguments: &[&str]| {
        std::fs::write(&file, text).expect("the temporary folder is writable");
        let output = selvedge(&[&["check", "--engine", "explicit"], arguments].concat(), &file);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (status, shown) = run(text, &[]);
    assert!(status == Some(1) && shown.contains("schedule:") && !shown.contains("known:"), "{status:?} {shown}");
    let (status, shown) = run(text, &["--baseline", &known]);
    assert_eq!((status, shown.as_str()), (Some(2), ""), "a baseline that is not there");
    assert_eq!(run(text, &["--baseline", &known, "--write-baseline"]).0, Some(0));
    let (status, shown) = run(&format!("\n{text}"), &["--baseline", &known]);
    let is_short = shown.contains("known: data race on `x`") && !shown.contains("schedule:");
    assert!(status == Some(0) && is_short && shown.contains("unsafe: data races on 1 object"), "{status:?} {shown}");
    let more = text.replace("x = 1;", "x = 1; y = 1;");
    let (status, shown) = run(&more, &["--baseline", &known]);
    assert!(status == Some(1) && shown.contains("error: data race on `y`"), "{status:?} {shown}");
    let (status, shown) = run(&text.replace("x = 1;", "x = 1; // selvedge: expected-race a hint is enough"), &[]);
    assert!(status == Some(0) && shown.contains("expected: a hint is enough"), "{status:?} {shown}");
    assert_eq!(run(&text.replace("x = 1;", "x = 1; // selvedge: expected-memory no"), &[]).0, Some(1));
}
