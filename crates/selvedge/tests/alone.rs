//! Every engine that proves, alone, on the annotated programs in which something is wrong: none says *safe* of that. Together
//! the engines cover for each other: who finds the violation first keeps a wrong proof from being told.
//!
//! `SELVEDGE_ENGINES=modular` asks for certain engines, `SELVEDGE_TIME=20` for so many seconds per program and engine.

#[path = "common/expected.rs"]
mod expected;

use expected::{Expected, array, is_named, summary};
use libtest_mimic::{Failed, Trial};
use selvedge_generate::stored;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Those that prove; the others say *safe* of what they have enumerated with the concrete semantics.
const ENGINES: [&str; 4] = ["cartesian", "interference", "modular", "symmetric"];

fn engines() -> Vec<String> {
    match std::env::var("SELVEDGE_ENGINES") {
        Ok(asked) => asked.split(',').map(str::to_owned).collect(),
        Err(_) => ENGINES.map(str::to_owned).to_vec(),
    }
}

/// What an engine alone wrongly says of a file.
fn wrong_proofs(file: &Path, expected: &Expected, engine: &str) -> Vec<String> {
    let seconds = std::env::var("SELVEDGE_TIME").unwrap_or_else(|_| "1".to_owned());
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .arg("check")
        .args(["--json", "--std=gnu11"])
        .args(&expected.flags)
        .args(["--engine", engine, "--timeout", &seconds])
        .arg(file)
        .output()
        .expect("selvedge runs");
    let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
        // An engine may not be for what the flags ask.
        let said = String::from_utf8_lossy(&output.stderr);
        return if said.starts_with("error: ") { Vec::new() } else { vec![format!("no report: {said}")] };
    };
    let mut found = Vec::new();
    for (property, _) in expected.verdicts.iter().filter(|(_, verdict)| verdict.starts_with("unsafe")) {
        let checks: Vec<&Value> = array(&report["checks"]).filter(|check| check["property"] == **property).collect();
        if !checks.is_empty() && summary(&checks) == "safe" {
            found.push(format!("{engine}: {property} is called safe"));
        }
        for check in checks.into_iter().filter(|check| check["verdict"] == "safe") {
            let line = check["location"]["line"].as_u64().unwrap_or(0);
            let object = check["object"].as_str();
            let is_wrong = match property.as_str() {
                "assertion" => expected.is_marked("FAIL", line),
                // Of what was allocated not every object need race.
                "race" => expected
                    .of("RACE")
                    .any(|mark| mark.text != "heap" && object.is_some_and(|object| is_named(object, &mark.text))),
                _ => false,
            };
            if is_wrong {
                found
                    .push(format!("{engine}: {} is called safe", object.map_or(format!("line {line}"), str::to_owned)));
            }
        }
    }
    found
}

/// The test of one file, if something is wrong with that.
fn test(file: PathBuf) -> Option<Trial> {
    let expected = Expected::read(&fs::read_to_string(&file).expect("the program is readable"));
    let is_wrong = expected.verdicts.iter().any(|(_, verdict)| verdict.starts_with("unsafe"));
    let has_engine = expected.flags.iter().any(|flag| flag.starts_with("--engine"));
    (is_wrong && !has_engine).then(|| {
        Trial::test(stored::name(&file), move || {
            let found: Vec<String> =
                engines().iter().flat_map(|engine| wrong_proofs(&file, &expected, engine)).collect();
            if found.is_empty() { Ok(()) } else { Err(Failed::from(found.join("\n"))) }
        })
    })
}

fn main() -> ExitCode {
    let mut files = stored::c_files("tests/programs");
    files.retain(|file| !file.components().any(|part| part.as_os_str() == "lowering" || part.as_os_str() == "models"));
    files.extend(stored::c_files("examples"));
    let tests: Vec<Trial> = files.into_iter().filter_map(test).collect();
    assert!(tests.len() >= 300, "{} programs in which something is wrong", tests.len());
    stored::run(tests)
}
