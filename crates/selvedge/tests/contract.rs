//! What `selvedge contract` writes is a specification like any other: the program conforms to it, and it composes, when
//! both are asked for again by themselves.

use std::path::PathBuf;
use std::process::{Command, Output};

fn selvedge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).args(arguments).output().expect("selvedge runs")
}

const PROGRAMS: &[&str] = &[
    "examples/lost_wakeup.c",
    "tests/programs/modular/callbacks.c",
    "tests/programs/modular/handed_through_queue.c",
    "tests/programs/modular/lazy_initialisation.c",
    "tests/programs/modular/out_parameter.c",
    "tests/programs/modular/producer_consumer.c",
    "tests/programs/modular/simple.c",
    "tests/programs/modular/state_variable.c",
];

#[test]
fn what_is_written_conforms_and_composes() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    for name in PROGRAMS {
        let program = root.join(name).to_string_lossy().into_owned();
        let written = selvedge(&["contract", "--std=gnu11", "--timeout", "60", &program]);
        let said = String::from_utf8_lossy(&written.stderr);
        assert_eq!(written.status.code(), Some(0), "{name}: {said}");
        let specification = folder.path().join("contract.threads");
        std::fs::write(&specification, &written.stdout).expect("the temporary folder is writable");
        let specification = specification.to_string_lossy().into_owned();
        for arguments in [
            vec!["conform", "--std=gnu11", &specification, &program],
            vec!["compose", "--std=gnu11", "--property", "assertion", &specification, &program],
        ] {
            let output = selvedge(&arguments);
            let said = [&output.stdout[..], &output.stderr].concat();
            assert_eq!(output.status.code(), Some(0), "{name}: {arguments:?}: {}", String::from_utf8_lossy(&said));
        }
    }
}

/// Where the proof says too little of the shared variables, nothing is written, and why is said.
#[test]
fn nothing_is_written_that_does_not_conform() {
    let program = format!("{}/../../examples/counter.c", env!("CARGO_MANIFEST_DIR"));
    let written = selvedge(&["contract", "--std=gnu11", "--timeout", "60", &program]);
    assert_eq!((written.status.code(), written.stdout.len()), (Some(3), 0));
    let said = String::from_utf8_lossy(&written.stderr);
    assert!(said.starts_with("selvedge: no specification: "), "{said}");
}
