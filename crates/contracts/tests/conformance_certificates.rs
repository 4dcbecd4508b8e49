//! Certificates of conformance: read as they were written, and refused where they were changed into something that
//! does not hold.

mod common;

use common::{contracted, example, judged, stored};
use selvedge_contracts::conform::contract;
use selvedge_evidence::conformance::{ConformanceFile, Contract, certify};
use selvedge_program::{Budget, Program};
use std::path::PathBuf;

/// A program, its contract and the certificate.
fn certificate(file: PathBuf, spec: PathBuf) -> (Program, Contract, String) {
    let (program, _, contract) = contracted(&file, &spec, &[]);
    let found = judged(&program, &contract);
    assert!(found.is_proved(), "{found:?}");
    let written = std::fs::read_to_string(&spec).expect("a specification");
    let text = ConformanceFile::text(&program, ("x.threads", &written), &contract, &found.proof);
    let read = ConformanceFile::parse(&text).expect("is read");
    assert_eq!(read.contract, written);
    assert_eq!(read.proof(&program, &contract).expect("is read"), found.proof);
    (program, contract, text)
}

fn all() -> [(PathBuf, PathBuf); 3] {
    [
        (stored("figures.c"), stored("figures.threads")),
        (stored("battery.c"), example("contracts/battery.threads")),
        (example("counter.c"), example("contracts/counter.threads")),
        (example("bluetooth.c"), example("contracts/bluetooth.threads")),
    ]
}

/// Whether a text is accepted, as `selvedge certify` looks at it.
fn is_accepted(program: &Program, text: &str) -> bool {
    let Ok(file) = ConformanceFile::parse(text) else { return false };
    let mut program = program.clone();
    let Ok(read) = selvedge_contracts::text::read(&file.name, &file.contract, &mut program) else { return false };
    let Ok(contract) = contract(&read.spec) else { return false };
    let Ok(proof) = file.proof(&program, &contract) else { return false };
    certify(&program, &contract, &proof, &Budget::unlimited()).is_ok()
}

#[test]
fn they_are_accepted_as_they_are() {
    for (file, spec) in all() {
        let (program, _, text) = certificate(file, spec);
        assert!(is_accepted(&program, &text), "{text}");
    }
}

/// Without one of its lines, in turn.
fn without_a_line(text: &str) -> impl Iterator<Item = (String, String)> + '_ {
    let lines: Vec<&str> = text.lines().collect();
    (0..lines.len()).map(move |at| {
        let mut rest = lines.clone();
        let line = rest.remove(at);
        (line.to_owned(), rest.join("\n") + "\n")
    })
}

#[test]
fn what_a_proof_needs_cannot_be_left_out() {
    let (program, _, text) = certificate(stored("figures.c"), stored("figures.threads"));
    for (line, changed) in without_a_line(&text) {
        let begins = line.split_whitespace().next().unwrap_or_default();
        // Without a line that only says more of what is possible the rest may still be a proof.
        let is_needed = ["selvedge", "program", "data", "contract", "end", "place"].contains(&begins);
        assert!(!is_needed || !is_accepted(&program, &changed), "without: {line}");
    }
    assert!(text.contains("fails") || text.contains("holds"), "{text}");
    for (from, to) in [("holds", "fails"), ("fails", "holds")] {
        for (at, _) in text.match_indices(&format!("  {from} ")) {
            let mut changed = text.clone();
            changed.replace_range(at + 2..at + 2 + from.len(), to);
            assert!(!is_accepted(&program, &changed), "{changed}");
        }
    }
}

#[test]
fn a_state_that_does_not_match_cannot_be_said_to() {
    for (file, spec) in all() {
        let (program, contract, text) = certificate(file, spec);
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with("possible ")) {
            // With two, the other one may do.
            let before = lines[..at].iter().rev().take_while(|line| !line.starts_with("place "));
            let after = lines[at + 1..].iter().take_while(|line| !line.starts_with("place "));
            if before.chain(after).any(|line| line.starts_with("possible")) {
                continue;
            }
            for thread in &contract.threads {
                let said: Vec<&str> = line["possible ".len()..].split(", ").collect();
                for name in thread.names.iter().filter(|name| !said.contains(&name.as_str())) {
                    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                    lines[at] = format!("{line}, {name}");
                    assert!(!is_accepted(&program, &(lines.join("\n") + "\n")), "{line}, {name}");
                }
            }
        }
    }
}

#[test]
fn the_contract_in_it_is_the_one_that_is_checked() {
    let changes = [
        (0, "to done: g' > 0;", "to done: g' > 1;"),
        (0, "assert g > 0;\n|         to done", "assert g >= 0;\n|         to done"),
        (1, "to working: worker_active' == 1;", "to working: worker_active' == 0;"),
        (1, "in_use = 2", "in_use = 3"),
        (1, "        to using: in_use' == in_use + 1;\n", ""),
        (2, "stopped' == 1", "stopped' == 2"),
        (2, "assert !stopped;", "assert stopping_flag == 0;"),
        (2, "pending_io = 1", "pending_io = 2"),
    ];
    let certificates = all().map(|(file, spec)| certificate(file, spec));
    for (which, from, to) in changes {
        let (program, _, text) = &certificates[which];
        let from = if text.contains(from) { from.to_owned() } else { format!("| {}", from.trim_start()) };
        let from = if text.contains(&from) { from } else { from.replace("| ", "|         ") };
        assert!(text.contains(&from), "{from}");
        assert!(!is_accepted(program, &text.replacen(&from, to, 1)), "{from} -> {to}");
    }
}

#[test]
fn it_is_about_one_program() {
    let (_, contract, text) = certificate(stored("figures.c"), stored("figures.threads"));
    let (other, ..) = contracted(&stored("figures.c"), &stored("figures.threads"), &["FIRST=-1"]);
    let file = ConformanceFile::parse(&text).expect("is read");
    let error = file.proof(&other, &contract).expect_err("another program");
    assert!(error.to_string().contains("another program"), "{error}");
    // And if somebody changes the digest, the proof is none.
    let digest = selvedge_evidence::Digest::of(&other).to_string();
    let changed = text.replacen(&file.digest.to_string(), &digest, 1);
    assert!(!is_accepted(&other, &changed));
}
