//! `selvedge check --sarif`: the shape of the log, as the schema of SARIF 2.1.0 wants it, and what is in it. Where
//! `SARIF_SCHEMA` names the schema's file and Python has `jsonschema`, the whole schema is asked too.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The folder of the repository, where the programs have relative names.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn log(arguments: &[&str], status: i32) -> Value {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let out = folder.path().join("log.sarif");
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    let output = command.current_dir(root()).args(["check", "--sarif"]).arg(&out).args(arguments).output();
    let output = output.expect("selvedge runs");
    assert_eq!(output.status.code(), Some(status), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&out).expect("the log was written");
    if let Ok(schema) = std::env::var("SARIF_SCHEMA") {
        let script = "import json, sys, jsonschema\n\
                      log, schema = [json.load(open(path)) for path in sys.argv[1:]]\n\
                      jsonschema.validate(log, schema)";
        let python = Command::new("python3").args(["-c", script]).arg(&out).arg(schema).output().expect("python3 runs");
        assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    }
    serde_json::from_str(&text).expect("the log is JSON")
}

/// The properties that the schema has for the objects we write: name, and the kind of object it holds (`""` for what is
/// no object); those with `!` are required. It allows no others.
const OBJECTS: &[(&str, &[&str])] = &[
    ("log", &["$schema", "version!", "runs!:run"]),
    (
        "run",
        &["tool!:tool", "columnKind", "invocations:invocation", "artifacts:artifact", "results:result", "properties"],
    ),
    ("tool", &["driver!:component"]),
    ("component", &["name!", "version", "semanticVersion", "rules:rule"]),
    (
        "rule",
        &[
            "id!",
            "name",
            "shortDescription:message",
            "fullDescription:message",
            "help:message",
            "defaultConfiguration:configuration",
            "properties",
        ],
    ),
    ("configuration", &["level"]),
    ("message", &["text!"]),
    ("invocation", &["arguments", "exitCode", "executionSuccessful!", "toolExecutionNotifications:notification"]),
    ("notification", &["level", "message!:message", "locations:location"]),
    ("artifact", &["location:uri", "sourceLanguage"]),
    ("uri", &["uri", "uriBaseId", "index"]),
    (
        "result",
        &[
            "ruleId",
            "ruleIndex",
            "level",
            "kind",
            "message!:message",
            "locations:location",
            "relatedLocations:location",
            "codeFlows:flow",
            "partialFingerprints",
            "properties",
        ],
    ),
    ("location", &["id", "physicalLocation:physical", "message:message"]),
    ("physical", &["artifactLocation!:uri", "region:region", "contextRegion:region"]),
    ("region", &["startLine!", "startColumn", "endColumn", "snippet:message"]),
    ("flow", &["message:message", "threadFlows!:thread"]),
    ("thread", &["id", "message:message", "locations!:at"]),
    ("at", &["location:location", "executionOrder", "nestingLevel", "importance", "state", "kinds", "properties"]),
];

fn check_shape(value: &Value, kind: &str) {
    if let Some(all) = value.as_array() {
        return all.iter().for_each(|one| check_shape(one, kind));
    }
    let object = value.as_object().unwrap_or_else(|| panic!("{kind} is an object: {value}"));
    let (_, known) = OBJECTS.iter().find(|(name, _)| *name == kind).expect("a kind of object");
    let name = |property: &str| property.split([':', '!']).next().unwrap_or("").to_owned();
    for property in known.iter().filter(|property| property.contains('!')) {
        assert!(object.contains_key(&name(property)), "{kind} has {property}: {value}");
    }
    for (key, held) in object {
        let property = known.iter().find(|property| name(property) == *key);
        let property = property.unwrap_or_else(|| panic!("{kind} has no {key}"));
        if let Some((_, kind)) = property.split_once(':') {
            check_shape(held, kind);
        }
    }
}

#[test]
fn a_violation_has_a_flow_per_thread_and_the_order_of_time() {
    let log = log(&["--engine", "explicit", "examples/counter_bug.c"], 1);
    check_shape(&log, "log");
    let run = &log["runs"][0];
    assert_eq!((&log["version"], &run["invocations"][0]["exitCode"]), (&"2.1.0".into(), &1.into()));
    let results = run["results"].as_array().expect("results");
    let ids: Vec<&Value> = results.iter().map(|result| &result["ruleId"]).collect();
    assert_eq!(ids, ["selvedge/assertion", "selvedge/race"]);
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("an index") as usize];
        assert_eq!((&rule["id"], &result["level"]), (&result["ruleId"], &"error".into()));
        let flows = result["codeFlows"][0]["threadFlows"].as_array().expect("flows");
        assert_eq!(flows.len(), 3);
        let order = |flow: &Value| -> Vec<u64> {
            let all = flow["locations"].as_array().expect("locations");
            all.iter().map(|at| at["executionOrder"].as_u64().expect("a number")).collect()
        };
        // Each flow goes forward in time, and together they are one schedule.
        assert!(flows.iter().all(|flow| order(flow).is_sorted()));
        let mut all: Vec<u64> = flows.iter().flat_map(order).collect();
        all.sort_unstable();
        assert_eq!(all, (1..=all.len() as u64).collect::<Vec<_>>());
        let place = &result["locations"][0]["physicalLocation"];
        let uri = &place["artifactLocation"];
        assert_eq!((&uri["uri"], &uri["uriBaseId"]), (&"examples/counter_bug.c".into(), &"%SRCROOT%".into()));
        assert_eq!(run["artifacts"][uri["index"].as_u64().expect("an index") as usize]["location"]["uri"], uri["uri"]);
    }
    let race = results.last().expect("a race");
    let related = race["relatedLocations"].as_array().expect("both accesses");
    let lines: Vec<&Value> = related.iter().map(|at| &at["physicalLocation"]["region"]["startLine"]).collect();
    assert_eq!(lines, [14, 21]);
    assert_eq!(race["locations"][0]["physicalLocation"]["region"]["endColumn"], 14);
}

#[test]
fn what_is_open_is_a_note_and_what_is_safe_is_silent() {
    let open = log(&["--engine", "explicit", "crates/selvedge/tests/reports/undefined_function.c"], 3);
    check_shape(&open, "log");
    let results = open["runs"][0]["results"].as_array().expect("results");
    assert!(!results.is_empty() && results.iter().all(|result| result["level"] == "note"), "{open}");
    assert!(results[0]["message"]["text"].as_str().is_some_and(|text| text.contains("mystery")), "{open}");
    let safe = log(&["--engine", "explicit", "crates/selvedge/tests/reports/safe.c"], 0);
    check_shape(&safe, "log");
    assert_eq!(safe["runs"][0]["results"], Value::Array(Vec::new()));
    assert_eq!(safe["runs"][0]["properties"]["verdict"], "safe");
}

#[test]
fn other_kinds_of_violation_have_the_same_shape() {
    for (name, status) in [("deadlock", 1), ("use_after_free", 1), ("heap_race", 1), ("wake_up", 1)] {
        let file = format!("crates/selvedge/tests/reports/{name}.c");
        check_shape(&log(&["--engine", "explicit", &file], status), "log");
    }
}

#[test]
fn a_log_that_cannot_be_written_is_an_error() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.current_dir(root()).args(["check", "--engine", "explicit", "--sarif", "no/such/folder/x.sarif"]);
    let output = command.arg("crates/selvedge/tests/reports/safe.c").output().expect("selvedge runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no/such/folder/x.sarif"));
}
