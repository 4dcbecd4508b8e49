//! Drivers with mistakes put into them: a program in which an assertion can fail never conforms to a contract whose composition
//! does not go wrong. `SELVEDGE_MUTATIONS` says how many that fail are wanted of each (some by default), found by the plainest search.

mod common;

use std::collections::BTreeSet;

use common::{example, read, stored};
use selvedge_contracts::conform::{Outcome, conform};
use selvedge_evidence::{Extent, Livelocks, recheck_within};
use selvedge_generate::random::Random;
use selvedge_program::{Budget, Property};
use std::path::Path;
use std::time::Duration;

/// What one mistake makes of a text.
const REPLACEMENTS: [(&str, &str); 14] = [
    ("fetch_add", "fetch_sub"),
    ("fetch_sub", "fetch_add"),
    ("== 1", "== 2"),
    ("== 1", "!= 1"),
    ("== 0", "!= 0"),
    (", 1)", ", 0)"),
    (", 1)", ", 2)"),
    ("> 0", "< 0"),
    ("> 0", ">= 0"),
    ("!atomic_load", "atomic_load"),
    ("? -1 : 1", "? 1 : 1"),
    ("stopped = 1", "stopped = 0"),
    ("!= 1", "!= 2"),
    ("if (atomic_load", "if (!atomic_load"),
];

/// One mistake: something in a line replaced, a line left out, or two exchanged.
fn mistaken(text: &str, random: &mut Random) -> Option<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let first = lines.iter().position(|line| line == "{")?;
    let last = lines.iter().position(|line| line.starts_with("int main"))?;
    let at = first + random.index(last - first - 1);
    let is_statement =
        |line: &str| line.starts_with("    ") && line.trim_end().ends_with(';') && !line.contains("int ");
    match random.below(4) {
        0 if is_statement(&lines[at]) => lines[at] = "    ;".to_owned(),
        1 if is_statement(&lines[at]) && is_statement(&lines[at + 1]) => lines.swap(at, at + 1),
        _ => {
            let fitting: Vec<_> = REPLACEMENTS.iter().filter(|(from, _)| lines[at].contains(from)).collect();
            let (from, to) = fitting.get(random.index(fitting.len().max(1)))?;
            lines[at] = lines[at].replacen(from, to, 1);
        }
    }
    Some(lines.join("\n") + "\n")
}

/// How many mistakes that break the property are wanted: `SELVEDGE_MUTATIONS` or a few.
fn wanted() -> usize {
    std::env::var("SELVEDGE_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(12)
}

fn refused(file: &Path, spec: &Path) {
    let text = std::fs::read_to_string(file).expect("a program");
    let folder = tempfile::tempdir().expect("a folder");
    let mut known = BTreeSet::from([text.clone()]);
    let (mut broken, mut failing, mut others, mut seed) = (0, 0, 0, 0);
    while broken < wanted() && seed < 4000 {
        let mut random = Random::new(seed);
        seed += 1;
        let mut changed = text.clone();
        for _ in 0..1 + seed / 400 {
            changed = mistaken(&changed, &mut random).unwrap_or(changed);
        }
        if !known.insert(changed.clone()) {
            continue;
        }
        let path = folder.path().join("program.c");
        std::fs::write(&path, &changed).expect("is written");
        let (program, fitted) = read(&path, spec, &[]);
        let extent = Extent { states: 40_000, bytes: 1 << 28, choices: 4, livelocks: Livelocks::Ignored };
        let found = recheck_within(&program, extent, &Budget::unlimited().with_time(Duration::from_secs(20)));
        if !found.violated.contains(&Property::Assertion) {
            others += 1;
            continue;
        }
        broken += 1;
        // A specification may name a variable that nobody is left to use.
        let Ok((_, contract)) = fitted else { continue };
        let judged = conform(&program, &contract, &Budget::unlimited());
        assert!(!judged.is_proved(), "seed {seed}: an assertion fails, and all threads conform\n{changed}");
        let fails = |(_, _, outcome): &(_, _, Outcome)| matches!(outcome, Outcome::Fails(_));
        failing += usize::from(judged.threads.iter().any(fails));
    }
    println!("{}: {broken} mistakes break the property, {failing} with a step that shows it", file.display());
    println!("{others} others were not found to break it");
    assert!(broken >= wanted(), "only {broken}");
}

#[test]
fn mistakes_in_the_bluetooth_driver() {
    refused(&example("bluetooth.c"), &example("contracts/bluetooth.threads"));
}

#[test]
fn mistakes_in_the_battery_driver() {
    refused(&stored("battery.c"), &example("contracts/battery.threads"));
}
