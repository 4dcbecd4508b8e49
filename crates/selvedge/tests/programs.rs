//! Every program of `examples/` and `tests/programs/` gets the verdict that stands in it. `tests/README.md` defines
//! the annotations and what is asserted for each; this file is their reader. Each is a test with its path as its
//! name.

#[path = "common/expected.rs"]
mod expected;

use expected::{Expected, array, is_named, summary};
use libtest_mimic::{Failed, Trial};
use selvedge_generate::stored;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What the tool says of a file, compared with what stands in it: the differences.
fn differences(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("the program is readable");
    let expected = Expected::read(&text);
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .arg("check")
        .args(["--json", "--std=gnu11"])
        .args(&expected.flags)
        .arg(file)
        .output()
        .expect("selvedge runs");
    let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
        return vec![format!("no report: {}", String::from_utf8_lossy(&output.stderr))];
    };
    let mut found = Vec::new();
    for (property, verdict) in &expected.verdicts {
        let checks: Vec<&Value> = array(&report["checks"]).filter(|check| check["property"] == **property).collect();
        let actual = summary(&checks);
        let fits = match verdict.as_str() {
            "safe?" | "unsafe?" => matches!(actual, "bounded" | "unknown"),
            verdict => actual == verdict,
        };
        if !fits {
            let reasons: BTreeSet<String> = checks
                .iter()
                .flat_map(|check| array(&check["reasons"]))
                .map(|reason| format!("{} at line {}", reason["message"], reason["location"]["line"]))
                .collect();
            found.push(format!("{property} is {actual}, not {verdict} {reasons:?}"));
        }
        found.extend(property_differences(&expected, property, verdict, &checks));
    }
    found
}

fn property_differences(expected: &Expected, property: &str, verdict: &str, checks: &[&Value]) -> Vec<String> {
    let violations: Vec<&Value> = checks.iter().copied().filter(|check| check["verdict"] == "unsafe").collect();
    let lines = |check: &Value| -> Vec<u64> {
        array(&check["marks"]).filter_map(|mark| mark["location"]["line"].as_u64()).collect()
    };
    let mut found = Vec::new();
    match (property, verdict) {
        (_, "unknown") => {
            let reasons: Vec<&Value> = checks.iter().flat_map(|check| array(&check["reasons"])).collect();
            for reason in reasons {
                let message = reason["message"].as_str().unwrap_or("");
                let line = reason["location"]["line"].as_u64();
                if !expected
                    .of("UNKNOWN")
                    .any(|mark| message.contains(&mark.text) && line.is_none_or(|at| at == mark.line))
                {
                    found.push(format!("unknown for another reason: {message} at line {line:?}"));
                }
            }
        }
        ("assertion", "unsafe") => {
            let reported: BTreeSet<u64> =
                violations.iter().filter_map(|check| check["location"]["line"].as_u64()).collect();
            let marked: BTreeSet<u64> = expected.of("FAIL").map(|mark| mark.line).collect();
            if reported != marked {
                found.push(format!("assertions fail on lines {reported:?}, not {marked:?}"));
            }
        }
        ("race", "unsafe") => {
            let names: BTreeSet<&str> = expected.of("RACE").map(|mark| mark.text.as_str()).collect();
            let mut reported = BTreeSet::new();
            for check in &violations {
                let object = check["object"].as_str().unwrap_or("");
                let Some(name) = names.iter().find(|name| is_named(object, name)) else {
                    found.push(format!("a race on {object}, which is not marked"));
                    continue;
                };
                reported.insert(*name);
                for line in lines(check) {
                    if !expected.of("RACE").any(|mark| mark.line == line && mark.text == **name) {
                        found.push(format!("a race on {object} at line {line}, which is not marked"));
                    }
                }
            }
            found.extend(names.difference(&reported).map(|name| format!("no race on {name} reported")));
        }
        ("memory" | "overflow", "unsafe") => {
            let kind = property.to_uppercase();
            for check in &violations {
                let message = check["message"].as_str().unwrap_or("");
                let line = check["location"]["line"].as_u64().unwrap_or(0);
                if !expected.of(&kind).any(|mark| mark.line == line && message.contains(&mark.text)) {
                    found.push(format!("line {line}: {message}, which is not marked"));
                }
            }
        }
        ("deadlock" | "livelock", "unsafe") => {
            let kind = property.to_uppercase();
            for check in &violations {
                for line in lines(check).iter().filter(|line| !expected.is_marked(&kind, **line)) {
                    found.push(format!("a thread stays at line {line}, which is not marked"));
                }
            }
        }
        ("atomicity", "unsafe") => {
            for check in &violations {
                if !lines(check).get(1).is_some_and(|between| expected.is_marked("BETWEEN", *between)) {
                    found.push(format!("interference at lines {:?}, the second of which is not marked", lines(check)));
                }
            }
        }
        _ => {}
    }
    found
}

/// The test of one file.
fn test(file: PathBuf) -> Trial {
    Trial::test(stored::name(&file), move || {
        let found = differences(&file);
        if found.is_empty() { Ok(()) } else { Err(Failed::from(found.join("\n"))) }
    })
}

fn main() -> ExitCode {
    let mut files = stored::c_files("tests/programs");
    files.retain(|file| !file.components().any(|part| part.as_os_str() == "lowering" || part.as_os_str() == "models"));
    assert!(files.len() >= 185, "{} programs in tests/programs", files.len());
    let examples = stored::c_files("examples");
    assert!(examples.len() >= 24, "{} examples", examples.len());
    stored::run(examples.into_iter().chain(files).map(test))
}
