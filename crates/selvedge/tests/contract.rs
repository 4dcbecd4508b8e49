//! What `selvedge contract` writes is a specification like any other: the program conforms to it, and it composes, when
//! both are asked for again by themselves.

use std::path::PathBuf;
use std::process::{Command, Output};

fn selvedge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).args(arguments).output().expect("selvedge runs")
}

/// Programs whose threads a proof says enough of.
const PROVED: &[&str] = &[
    "examples/lost_wakeup.c",
    "tests/programs/modular/callbacks.c",
    "tests/programs/modular/handed_through_queue.c",
    "tests/programs/modular/lazy_initialisation.c",
    "tests/programs/modular/out_parameter.c",
    "tests/programs/modular/producer_consumer.c",
    "tests/programs/modular/simple.c",
    "tests/programs/modular/state_variable.c",
];

/// Programs with few states.
const EXECUTED: &[&str] = &[
    "examples/bluetooth.c",
    "examples/cache.c",
    "examples/counter.c",
    "examples/counter_cas.c",
    "examples/double_checked.c",
    "examples/inc_dec_cas.c",
    "examples/inc_dec_lock.c",
    "examples/lock.c",
    "examples/lost_wakeup.c",
    "examples/once.c",
    "examples/peterson_plain.c",
    "examples/producer_consumer.c",
    "examples/readers_writers.c",
    "examples/tas_lock.c",
    "examples/thread_pool.c",
    "examples/ticket_lock.c",
    "examples/time_varying.c",
];

#[test]
fn what_is_written_of_proofs_conforms_and_composes() {
    all_conform_and_compose("proof", PROVED);
}

#[test]
fn what_is_written_of_executions_conforms_and_composes() {
    all_conform_and_compose("executions", EXECUTED);
}

fn all_conform_and_compose(from: &str, programs: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    for name in programs {
        let program = root.join(name).to_string_lossy().into_owned();
        let written = selvedge(&["contract", "--from", from, "--std=gnu11", "--timeout", "60", &program]);
        let said = String::from_utf8_lossy(&written.stderr);
        assert_eq!(written.status.code(), Some(0), "{name}: {said}");
        let specification = folder.path().join("contract.threads");
        std::fs::write(&specification, &written.stdout).expect("the temporary folder is writable");
        let specification = specification.to_string_lossy().into_owned();
        let certificate = folder.path().join("certificate").to_string_lossy().into_owned();
        for arguments in [
            vec!["conform", "--std=gnu11", "--certificate", &certificate, &specification, &program],
            vec!["certify", "--std=gnu11", &program, &certificate],
            vec!["compose", "--std=gnu11", "--property", "assertion", &specification, &program],
        ] {
            let output = selvedge(&arguments);
            let said = [&output.stdout[..], &output.stderr].concat();
            assert_eq!(output.status.code(), Some(0), "{name}: {arguments:?}: {}", String::from_utf8_lossy(&said));
        }
    }
}

/// Where too little is known of the shared variables, nothing is written, and why is said.
#[test]
fn nothing_is_written_that_does_not_conform() {
    let program = format!("{}/../../examples/battery.c", env!("CARGO_MANIFEST_DIR"));
    let written = selvedge(&["contract", "--std=gnu11", "--timeout", "10", &program]);
    assert_eq!((written.status.code(), written.stdout.len()), (Some(3), 0));
    let said = String::from_utf8_lossy(&written.stderr);
    assert!(said.starts_with("selvedge: no specification: from a thread-modular proof: "), "{said}");
}
