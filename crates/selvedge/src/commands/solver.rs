//! Another solver, asked to discharge obligations: it reads SMT-LIB from its standard input and answers line by line.

use selvedge_evidence::modular::obligations::Obligations;
use selvedge_program::Budget;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How often one looks whether it has ended.
const TICK: Duration = Duration::from_millis(10);

/// Whether a solver answers every question with `unsat`, or what it does instead.
pub fn discharge(words: &[String], written: &Obligations, budget: &Budget) -> Result<(), String> {
    let [command, arguments @ ..] = words else { return Err("--solver: no command is given".to_owned()) };
    let failed = |error: std::io::Error| format!("--solver: {command}: {error}");
    let mut child = Command::new(command)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let (script, stdin, stdout) = (written.script.clone(), child.stdin.take(), child.stdout.take());
    // Both at once: it may answer before it has read everything.
    let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(script.as_bytes())));
    let reader = std::thread::spawn(move || {
        let mut answers = String::new();
        let read = stdout.map(|mut stdout| stdout.read_to_string(&mut answers));
        read.transpose().map(|_| answers)
    });
    loop {
        match child.try_wait().map_err(failed)? {
            Some(_) => break,
            None => std::thread::sleep(TICK),
        }
        if let Err(limit) = budget.check() {
            // Whether it can be ended does not matter to the answer.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("the solver did not answer: {limit}"));
        }
    }
    // A solver that does not read to the end has not answered everything either.
    let _ = writer.join();
    let answers = reader.join().map_err(|_| "--solver: no answer".to_owned())?.map_err(failed)?;
    let answers: Vec<&str> = answers.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if let Some(other) = answers.iter().find(|answer| **answer != "unsat") {
        let other: String = other.chars().take(100).collect();
        return Err(format!("the solver answers `{other}` where `unsat` is needed"));
    }
    if answers.len() != written.count {
        return Err(format!("the solver answers {} of {} questions", answers.len(), written.count));
    }
    Ok(())
}
