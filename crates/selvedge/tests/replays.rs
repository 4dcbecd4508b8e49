//! The violations of `examples/` and `tests/programs/`, reproduced on the compiled program. Those that are not stand in
//! `tests/not-replayed.txt` with the reason, and a test fails when one of them is reproduced after all.
//!
//! By default some of the examples are replayed; with `SELVEDGE_REPLAY=all` everything is, with ThreadSanitizer's word
//! on the races, and the figures are printed (`docs/replay.md`).

use libtest_mimic::{Failed, Trial};
use selvedge_generate::stored;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, Mutex};

/// What the default run replays: every kind of violation and of synchronisation, quickly found.
const FEW: [&str; 10] = [
    "examples/battery_bug.c",
    "examples/counter_bug.c",
    "examples/counter_cas_bug.c",
    "examples/double_checked_bug.c",
    "examples/lost_wakeup_bug.c",
    "examples/peterson_bug.c",
    "examples/philosophers_bug.c",
    "examples/stack_aba_bug.c",
    "tests/programs/lock/timedlock.c",
    "tests/programs/race/compound_conditions.c",
];

/// How many violations of a kind there are, how many of them were reproduced, and how many ThreadSanitizer confirmed.
type Figures = Arc<Mutex<BTreeMap<String, [usize; 3]>>>;

/// The files with violations that are not reproduced, each with its kind.
fn exceptions() -> Vec<(String, String)> {
    let text = fs::read_to_string(stored::root().join("tests/not-replayed.txt")).expect("the list is readable");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.split_whitespace();
            let file = words.next().expect("a file").to_owned();
            (file, words.next().expect("a kind").trim_end_matches(':').to_owned())
        })
        .collect()
}

/// Whether a file says that something is violated which can be seen in a compiled program.
fn is_unsafe(file: &Path) -> bool {
    let text = fs::read_to_string(file).expect("the program is readable");
    let verdicts = text.lines().find_map(|line| line.strip_prefix("// selvedge:")).unwrap_or_default();
    let seen = ["assertion=unsafe", "race=unsafe", "deadlock=unsafe", "atomicity=unsafe"];
    verdicts.split_whitespace().any(|verdict| seen.contains(&verdict))
}

fn flags(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("the program is readable");
    let flags = text.lines().find_map(|line| line.strip_prefix("// flags:")).unwrap_or_default();
    flags.split_whitespace().map(str::to_owned).collect()
}

/// Checks a file and replays what is found; what is not as expected.
fn differences(file: &Path, all: bool, figures: &Figures) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.args(["check", "--json", "--replay", "--std=gnu11"]).args(all.then_some("--tsan"));
    let output = command.args(flags(file)).arg(file).output().expect("selvedge runs");
    let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
        return vec![format!("no report: {}", String::from_utf8_lossy(&output.stderr))];
    };
    let name = stored::name(file);
    let expected: Vec<String> =
        exceptions().into_iter().filter(|(file, _)| *file == name).map(|(_, kind)| kind).collect();
    let mut found = Vec::new();
    let replays = report["replays"].as_array().cloned().unwrap_or_default();
    let mut failed: Vec<String> = Vec::new();
    for replay in &replays {
        let kind = replay["kind"].as_str().unwrap_or_default().to_owned();
        if kind == "undefined" {
            continue;
        }
        let is_reproduced = replay["reproduced"] == true;
        let mut figures = figures.lock().expect("no test panics while it counts");
        let [all, reproduced, confirmed] = figures.entry(kind.clone()).or_default();
        *all += 1;
        *reproduced += usize::from(is_reproduced);
        *confirmed += usize::from(replay["confirmed"] == true);
        if !is_reproduced {
            if !expected.contains(&kind) {
                found.push(format!("{kind}: {} ({})", replay["reason"], replay["violation"]));
            }
            failed.push(kind);
        }
    }
    let gone = expected.iter().filter(|kind| !failed.contains(kind));
    found.extend(gone.map(|kind| format!("{kind}: is reproduced, and stands in tests/not-replayed.txt")));
    found
}

fn main() -> ExitCode {
    let all = std::env::var_os("SELVEDGE_REPLAY").is_some_and(|value| value == "all");
    let figures = Figures::default();
    let files: Vec<PathBuf> = if all {
        let stored = stored::c_files("examples").into_iter().chain(stored::c_files("tests/programs"));
        stored.filter(|file| is_unsafe(file)).collect()
    } else {
        FEW.iter().map(|name| stored::root().join(name)).collect()
    };
    let counted = Arc::clone(&figures);
    let trials = files.into_iter().map(move |file| {
        let figures = Arc::clone(&counted);
        Trial::test(stored::name(&file), move || {
            let found = differences(&file, all, &figures);
            if found.is_empty() { Ok(()) } else { Err(Failed::from(found.join("\n"))) }
        })
    });
    let status = stored::run(trials);
    for (kind, [all, reproduced, confirmed]) in figures.lock().expect("all tests are over").iter() {
        println!("{kind}: {reproduced} of {all} reproduced on the compiled program");
        if *confirmed > 0 {
            println!("{kind}: {confirmed} of {all} confirmed by ThreadSanitizer");
        }
    }
    status
}
