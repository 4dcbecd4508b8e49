//! `selvedge check --spec`, task definitions, and witnesses: every task of `integrations/benchexec/` gets the answer that
//! it expects, and every witness has the form that other verifiers read and agrees with the schedule.

use saphyr::{LoadableYamlNode, Scalar, Yaml};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the tasks.
fn tasks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/benchexec/tasks")
}

fn selvedge(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.current_dir(folder).env("SOURCE_DATE_EPOCH", "1700000000").args(arguments).output().expect("selvedge runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// YAML as JSON, which is easier to look into.
fn to_json(yaml: &Yaml<'_>) -> Value {
    match yaml {
        Yaml::Value(Scalar::Null) => Value::Null,
        Yaml::Value(Scalar::Boolean(value)) => json!(value),
        Yaml::Value(Scalar::Integer(value)) => json!(value),
        Yaml::Value(Scalar::FloatingPoint(value)) => json!(value.0),
        Yaml::Value(Scalar::String(value)) => json!(value),
        Yaml::Sequence(elements) => elements.iter().map(to_json).collect(),
        Yaml::Mapping(pairs) => {
            let pair =
                |(key, value): (&Yaml<'_>, &Yaml<'_>)| (key.as_str().expect("a word").to_owned(), to_json(value));
            Value::Object(pairs.iter().map(pair).collect::<Map<_, _>>())
        }
        other => panic!("nobody writes {other:?}"),
    }
}

fn yaml(text: &str) -> Value {
    let documents = Yaml::load_from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(documents.len(), 1, "{text}");
    to_json(&documents[0])
}

/// What the form of violation witnesses allows: for each kind of mapping its keys, with `!` if they must be there, and
/// the kind of what they hold: another mapping, `[…]` for a list of such, or what a scalar must be.
const FORM: &[(&str, &[(&str, &str)])] = &[
    ("entry", &[("entry_type!", "=violation_sequence"), ("metadata!", "metadata"), ("content!", "[step]")]),
    (
        "metadata",
        &[
            ("format_version!", "=2.0 2.2"),
            ("uuid!", "uuid"),
            ("creation_time!", "time"),
            ("producer!", "producer"),
            ("task!", "task"),
        ],
    ),
    ("producer", &[("name!", "text"), ("version!", "text"), ("command_line", "text")]),
    (
        "task",
        &[
            ("input_files!", "[text]"),
            ("input_file_hashes!", "hashes"),
            ("specification!", "text"),
            ("data_model!", "=ILP32 LP64"),
            ("language!", "=C"),
        ],
    ),
    ("step", &[("segment!", "[waypoints]")]),
    ("waypoints", &[("waypoint!", "waypoint")]),
    (
        "waypoint",
        &[
            ("type!", "=assumption target function_enter function_return branching"),
            ("action!", "=follow avoid"),
            ("thread_id", "number"),
            ("constraint", "constraint"),
            ("location!", "location"),
        ],
    ),
    ("constraint", &[("value!", "text"), ("format", "=c_expression acsl_expression")]),
    ("location", &[("file_name!", "text"), ("line!", "number"), ("column", "number"), ("function", "text")]),
];

fn fits(kind: &str, value: &Value, at: &str) {
    if let Some(words) = kind.strip_prefix('=') {
        let word = value.as_str().unwrap_or_else(|| panic!("{at}: {value} is no word"));
        return assert!(words.split(' ').any(|known| known == word), "{at}: {word} is none of {words}");
    }
    if let Some(inner) = kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')) {
        let elements = value.as_array().unwrap_or_else(|| panic!("{at}: {value} is no list"));
        assert!(!elements.is_empty(), "{at}: nothing is in it");
        return elements.iter().enumerate().for_each(|(index, value)| fits(inner, value, &format!("{at}[{index}]")));
    }
    match kind {
        "text" => assert!(value.as_str().is_some_and(|text| !text.is_empty()), "{at}: {value} is no text"),
        "number" => assert!(value.is_u64(), "{at}: {value} is no number"),
        "uuid" => {
            let parts: Vec<usize> = value.as_str().unwrap_or("").split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12], "{at}: {value}");
        }
        "time" => assert_eq!(value, "2023-11-14T22:13:20Z", "{at}"),
        "hashes" => {
            for (file, hash) in value.as_object().unwrap_or_else(|| panic!("{at}: {value}")) {
                let is_hash = hash.as_str().is_some_and(|hash| hash.len() == 64);
                assert!(is_hash && file.ends_with(['c', 'i']), "{at}: {value}");
            }
        }
        kind => {
            let (_, keys) = FORM.iter().find(|(known, _)| *known == kind).unwrap_or_else(|| panic!("no {kind}"));
            let object = value.as_object().unwrap_or_else(|| panic!("{at}: {value} is no {kind}"));
            for key in object.keys() {
                assert!(
                    keys.iter().any(|(known, _)| known.trim_end_matches('!') == key),
                    "{at}: no `{key}` in a {kind}"
                );
            }
            for (key, inner) in *keys {
                let name = key.trim_end_matches('!');
                match object.get(name) {
                    Some(value) => fits(inner, value, &format!("{at}.{name}")),
                    None => assert!(!key.ends_with('!'), "{at}: a {kind} has a `{name}`"),
                }
            }
        }
    }
}

/// A line of a schedule, by thread.
type Lines = BTreeMap<u64, Vec<u64>>;

/// The lines that the threads of a violation run through, in their order.
fn schedule(report: &Value) -> Lines {
    let is_violated = |check: &&Value| check["verdict"] == "unsafe";
    let check = report["checks"].as_array().and_then(|checks| checks.iter().find(is_violated)).expect("a violation");
    let mut lines = Lines::new();
    for step in check["trace"].as_array().expect("a schedule") {
        if let Some(line) = step["location"]["line"].as_u64() {
            lines.entry(step["thread"].as_u64().expect("a number")).or_default().push(line);
        }
    }
    lines
}

/// Whether the lines that a witness names of each thread are lines of its schedule, in the same order.
fn agree(witness: &Lines, schedule: &Lines, at: &str) {
    for (thread, lines) in witness {
        let mut left = schedule.get(thread).unwrap_or_else(|| panic!("{at}: no thread {thread}")).iter();
        for line in lines {
            assert!(left.any(|known| known == line), "{at}: thread {thread} is not on line {line} then: {schedule:?}");
        }
    }
}

/// What a witness in YAML must be beside its form.
fn check_yaml(text: &str, report: &Value, goal: &str, at: &str) {
    let witness = yaml(text);
    fits("[entry]", &witness, at);
    let entry = &witness[0];
    let segments = entry["content"].as_array().expect("a list");
    let mut lines = Lines::new();
    let mut started = 0;
    for (index, segment) in segments.iter().enumerate() {
        let waypoints = segment["segment"].as_array().expect("a list");
        let is_last = index + 1 == segments.len();
        assert!(is_last || waypoints.len() == 1, "{at}: {segment}");
        for waypoint in waypoints.iter().map(|waypoint| &waypoint["waypoint"]) {
            let kind = waypoint["type"].as_str().expect("a word");
            assert_eq!(kind == "target", is_last, "{at}: {segment}");
            let (is_constrained, format) = match kind {
                "assumption" => (true, json!("c_expression")),
                "function_return" => (true, json!("acsl_expression")),
                "branching" => (true, Value::Null),
                _ => (false, Value::Null),
            };
            assert_eq!(waypoint.get("constraint").is_some(), is_constrained, "{at}: {waypoint}");
            assert_eq!(waypoint["constraint"]["format"], format, "{at}: {waypoint}");
            let is_concurrent = entry["metadata"]["format_version"] == "2.2";
            assert_eq!(waypoint.get("thread_id").is_some(), is_concurrent, "{at}: {waypoint}");
            let thread = waypoint["thread_id"].as_u64().unwrap_or(0);
            assert!(thread <= started, "{at}: thread {thread} has not been started");
            started += u64::from(kind == "function_enter");
            assert_eq!(waypoint["location"]["file_name"], entry["metadata"]["task"]["input_files"][0], "{at}");
            lines.entry(thread).or_default().push(waypoint["location"]["line"].as_u64().expect("a number"));
        }
    }
    let ends = segments.last().and_then(|segment| segment["segment"].as_array()).map_or(0, Vec::len);
    assert_eq!(ends, if matches!(goal, "no-data-race" | "no-deadlock") { 2 } else { 1 }, "{at}");
    agree(&lines, &schedule(report), at);
}

/// What a witness in GraphML must be: a path from its entry to its violation, over keys that are declared.
fn check_graphml(text: &str, report: &Value, at: &str) {
    let document = roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{at}: {error}"));
    let named = |name: &'static str| {
        document.descendants().filter(move |node| node.has_tag_name(("http://graphml.graphdrawing.org/xmlns", name)))
    };
    let keys: BTreeMap<&str, &str> = named("key")
        .map(|key| (key.attribute("id").expect("an id"), key.attribute("for").expect("an owner")))
        .collect();
    let data = |node: roxmltree::Node<'_, '_>| -> BTreeMap<String, String> {
        let datum = |datum: roxmltree::Node<'_, '_>| {
            let key = datum.attribute("key").expect("a key");
            assert_eq!(keys.get(key).copied(), Some(node.tag_name().name()), "{at}: {key}");
            (key.to_owned(), datum.text().unwrap_or("").to_owned())
        };
        node.children()
            .filter(|child| child.has_tag_name(("http://graphml.graphdrawing.org/xmlns", "data")))
            .map(datum)
            .collect()
    };
    let graph = named("graph").next().map(data).expect("a graph");
    let said: Vec<&str> = graph.keys().map(String::as_str).collect();
    let wanted = [
        "architecture",
        "creationtime",
        "producer",
        "programfile",
        "programhash",
        "sourcecodelang",
        "specification",
        "witness-type",
    ];
    assert_eq!(said, wanted, "{at}");
    let nodes: Vec<(&str, BTreeMap<String, String>)> =
        named("node").map(|node| (node.attribute("id").expect("an id"), data(node))).collect();
    let marked = |key: &str| {
        nodes
            .iter()
            .filter(|(_, data)| data.get(key).is_some_and(|value| value == "true"))
            .map(|(id, _)| *id)
            .collect::<Vec<_>>()
    };
    let (entries, violations) = (marked("entry"), marked("violation"));
    assert_eq!((entries.len(), violations.len()), (1, 1), "{at}");
    let mut state = entries[0].to_owned();
    let mut lines = Lines::new();
    let mut stacks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for edge in named("edge") {
        assert_eq!(edge.attribute("source"), Some(state.as_str()), "{at}");
        state = edge.attribute("target").expect("a target").to_owned();
        let data = data(edge);
        let thread = data["threadId"].clone();
        if let Some(created) = data.get("createThread") {
            assert!(stacks.insert(created.clone(), Vec::new()).is_none(), "{at}: thread {created} is created twice");
        }
        let stack = stacks.get_mut(&thread).unwrap_or_else(|| panic!("{at}: there is no thread {thread}"));
        stack.extend(data.get("enterFunction").cloned());
        if let Some(left) = data.get("returnFromFunction") {
            assert_eq!(stack.pop().as_ref(), Some(left), "{at}");
        }
        assert_eq!(data.contains_key("assumption.scope"), data.contains_key("assumption"), "{at}");
        // Where functions begin is no line of a schedule.
        if !data.contains_key("enterFunction") && !data.contains_key("returnFromFunction") {
            let line = data["startline"].parse().expect("a number");
            lines.entry(thread.parse().expect("a number")).or_default().push(line);
        }
    }
    assert_eq!(vec![state.as_str()], violations, "{at}");
    agree(&lines, &schedule(report), at);
}

#[test]
fn every_task_gets_its_answer_and_its_witness() {
    let out = tempfile::tempdir().expect("a temporary folder can be made");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(tasks()).expect("the tasks are there").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let mut answers = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "yml")) {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let task = yaml(&std::fs::read_to_string(file).expect("the task can be read"));
        for property in task["properties"].as_array().expect("a list") {
            let spec = property["property_file"].as_str().expect("a name");
            let holds = property["expected_verdict"].as_bool().expect("true or false");
            let goal =
                property["subproperty"].as_str().or_else(|| Path::new(spec).file_stem()?.to_str()).expect("a name");
            let expected = if holds { "true".to_owned() } else { format!("false({goal})") };
            let at = format!("{name} {spec}");
            let witness = |ending: &str| out.path().join(format!("w.{ending}")).to_string_lossy().into_owned();
            let run = |ending: &str| {
                selvedge(&tasks(), &["check", "--json", "--spec", spec, &name, "--witness", &witness(ending)])
            };
            let output = run("yml");
            assert_eq!(output.status.code(), Some(i32::from(!holds)), "{at}: {}", text(&output.stderr));
            let report: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
            assert_eq!(report["specification"]["result"], expected, "{at}");
            let of_task = if holds {
                "true".to_owned()
            } else {
                property["subproperty"].as_str().map_or("false".to_owned(), |part| format!("false({part})"))
            };
            assert_eq!(report["specification"]["expected"], of_task, "{at}");
            if holds {
                assert!(!Path::new(&witness("yml")).exists(), "{at}");
            } else {
                let read = |ending: &str| std::fs::read_to_string(witness(ending)).expect("the witness was written");
                check_yaml(&read("yml"), &report, goal, &at);
                run("graphml");
                check_graphml(&read("graphml"), &report, &at);
                std::fs::remove_file(witness("yml")).expect("the witness is there");
            }
            answers.push(expected);
        }
    }
    let violated = answers.iter().filter(|answer| *answer != "true").count();
    println!("{} answers to tasks, {violated} with a witness in YAML and in GraphML", answers.len());
    assert!(answers.len() >= 15 && violated >= 6);
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("the file can be written");
    }
    folder
}

const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

#[test]
fn what_cannot_be_asked_is_an_error_like_a_compilers() {
    let folder = folder(&[
        ("x.c", "int main(void) { return 0; }\n"),
        ("end.prp", "CHECK( init(main()), LTL(F end) )\n"),
        ("reach.prp", REACH),
        ("x.yml", "format_version: '2.0'\ninput_files: x.c\noptions: {language: C, data_model: ILP32}\n"),
        (
            "two.yml",
            "format_version: '2.0'\ninput_files: x.c\nproperties:\n  - property_file: a.prp\n  - property_file: b.prp\n",
        ),
    ]);
    let error = |arguments: &[&str]| {
        let output = selvedge(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stdout));
        text(&output.stderr)
    };
    let end = error(&["check", "--spec", "end.prp", "x.c"]);
    assert!(end.contains("error: whether programs end is not checked\n --> end.prp:1:26\n"), "{end}");
    assert!(end.contains("1 | CHECK( init(main()), LTL(F end) )\n"), "{end}");
    assert!(error(&["check", "--spec", "none.prp", "x.c"]).contains("none.prp: No such file"));
    assert!(error(&["check", "--witness", "w.yml", "x.c"]).contains("--witness needs a property file"));
    assert!(error(&["check", "--spec", "reach.prp", "--property", "race", "x.c"]).contains("cannot be used with"));
    assert!(error(&["check", "--data-model", "LP64", "x.yml"]).contains("x.yml: the task has another data model"));
    assert!(error(&["check", "two.yml"]).contains("two.yml: say with --spec which is asked: a.prp, b.prp"));
    let output = selvedge(folder.path(), &["check", "--json", "--spec", "end.prp", "x.c"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    assert_eq!((&report["verdict"], &report["errors"][0]["location"]["line"]), (&json!("error"), &json!(1)));
}

/// The last line of a run.
fn answer(folder: &Path, arguments: &[&str]) -> String {
    let output = selvedge(folder, arguments);
    text(&output.stdout).lines().last().unwrap_or_else(|| panic!("{}", text(&output.stderr))).to_owned()
}

#[test]
fn only_what_is_asked_is_answered() {
    let program = "#include <assert.h>\n\
                   int main(void)\n{\n  long x = sizeof(long);\n  int zero = 0;\n\
                   #ifdef ERROR\n  error();\n#endif\n\
                   #ifdef DIVIDE\n  return 1 / zero;\n#endif\n\
                   #ifdef SHIFT\n  return 1 << (31 + zero);\n#endif\n\
                   #ifdef LEAK\n  __builtin_malloc(4);\n#endif\n\
                   #ifdef NARROW\n  if (x == 4) reach_error();\n#endif\n\
                   assert(zero == 1);\n  return 0;\n}\n";
    let program = format!("void reach_error(void) {{}}\nvoid error(void) {{}}\n{program}");
    let memory = ["free", "deref", "memtrack"].map(|part| format!("CHECK( init(main()), LTL(G valid-{part}) )\n"));
    let folder = folder(&[
        ("x.c", &program),
        ("reach.prp", REACH),
        ("error.prp", "CHECK( init(main()), LTL(G ! call(error())) )\n"),
        ("memory.prp", &memory.concat()),
        ("cleanup.prp", "CHECK( init(main()), LTL(G valid-memcleanup) )\n"),
        ("overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n"),
        (
            "x.yml",
            "format_version: '2.0'\ninput_files: [x.c]\nproperties: [{property_file: reach.prp}]\noptions: {data_model: ILP32}\n",
        ),
    ]);
    let ask = |spec: &str, flag: &str| answer(folder.path(), &["check", "-q", "--spec", spec, flag, "x.c"]);
    assert_eq!(ask("reach.prp", "-DNOTHING"), "result: true");
    assert_eq!(ask("reach.prp", "-DERROR"), "result: true");
    assert_eq!(ask("error.prp", "-DERROR"), "result: false(unreach-call)");
    assert_eq!(ask("memory.prp", "-DNOTHING"), "result: true");
    // Undefined, but no matter of memory: neither `true` nor `false` can be said.
    assert_eq!(ask("memory.prp", "-DDIVIDE"), "result: unknown");
    assert_eq!(ask("reach.prp", "-DDIVIDE"), "result: unknown");
    assert_eq!(ask("memory.prp", "-DLEAK"), "result: unknown");
    assert_eq!(ask("cleanup.prp", "-DLEAK"), "result: unknown");
    assert_eq!(ask("cleanup.prp", "-DNOTHING"), "result: true");
    assert_eq!(ask("overflow.prp", "-DSHIFT"), "result: false(no-overflow)");
    assert_eq!(ask("overflow.prp", "-DNOTHING"), "result: true");
    // The data model comes with the task, and so does the property.
    assert_eq!(answer(folder.path(), &["check", "-DNARROW", "x.yml"]), "result: false(unreach-call)");
    assert_eq!(ask("reach.prp", "-DNARROW"), "result: true");
}

/// A preprocessed file was made from another, of which other verifiers know nothing.
#[test]
fn witnesses_name_lines_of_the_file_that_was_given() {
    let program = "# 100 \"made/from.c\"\nvoid reach_error(void) {}\nint __VERIFIER_nondet_int(void);\nint x;\n\
                   # 7 \"made/from.h\" 1\nint main(void)\n{\n  x = __VERIFIER_nondet_int();\n  if (x == -3)\n    reach_error();\n  \
                   return 0;\n}\n";
    let folder = folder(&[("x.i", program), ("reach.prp", REACH)]);
    let output = selvedge(folder.path(), &["check", "--spec", "reach.prp", "x.i", "--witness", "w.yml"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("--> x.i:10:5"), "{}", text(&output.stdout));
    let read = || std::fs::read_to_string(folder.path().join("w.yml")).expect("the witness was written");
    let first = read();
    let witness = yaml(&first);
    let at = |index: usize| witness[0]["content"][index]["segment"][0]["waypoint"].clone();
    let place =
        |line: u64, column: u64| json!({"file_name": "x.i", "line": line, "column": column, "function": "main"});
    assert_eq!(witness[0]["metadata"]["format_version"], "2.0");
    assert_eq!(at(0)["constraint"], json!({"value": "x == 0", "format": "c_expression"}));
    assert_eq!(at(0)["location"], place(8, 3));
    assert_eq!(at(1)["constraint"], json!({"value": "\\result == -3", "format": "acsl_expression"}));
    assert_eq!(at(1)["location"], place(8, 29));
    assert_eq!((&at(2)["constraint"]["value"], &at(2)["location"]), (&json!("x == -3"), &place(9, 3)));
    assert_eq!((&at(3)["constraint"], &at(3)["location"]), (&json!({"value": "true"}), &place(9, 3)));
    assert_eq!((&at(4)["type"], &at(4)["location"]), (&json!("target"), &place(10, 5)));
    // The same run makes the same witness.
    selvedge(folder.path(), &["check", "--spec", "reach.prp", "x.i", "--witness", "w.yml"]);
    assert_eq!(read(), first);
}

/// What was found for a property file can be certified and replayed with it.
#[test]
fn evidence_travels_with_the_property_file() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (certificate, schedules) = (path("x.cert"), path("x.schedule"));
    let spec = ["--spec", "properties/unreach-call.prp"];
    let run = |arguments: &[&str], status: i32| {
        let output = selvedge(&tasks(), &[arguments, &spec].concat());
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?}: {}{}",
            text(&output.stdout),
            text(&output.stderr)
        );
    };
    run(&["check", "--certificate", &certificate, "assertion_is_no_error.yml"], 0);
    run(&["certify", "assertion_is_no_error.yml", &certificate], 0);
    run(&["check", "--schedule", &schedules, "counter_lost.yml"], 1);
    run(&["replay", "--semantics", "counter_lost.yml", &schedules], 0);
}
