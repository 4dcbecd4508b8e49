//! `selvedge conform` and its certificates, from the command line.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn selvedge(arguments: &[&str]) -> (Option<i32>, String, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_selvedge")).current_dir(root()).args(arguments).output();
    let Output { status, stdout, stderr } = run.expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code(), text(stdout), text(stderr))
}

const SPEC: &str = "examples/contracts/bluetooth.threads";

#[test]
fn a_driver_conforms_and_its_certificate_is_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = folder.path().join("bluetooth.conformance");
    let certificate = certificate.to_str().expect("a name");
    let (code, out, _) = selvedge(&["conform", "--certificate", certificate, SPEC, "examples/bluetooth.c"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("pnp_stop: conforms\npnp_add: conforms\n"), "{out}");
    let (code, out, _) = selvedge(&["certify", "examples/bluetooth.c", certificate]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.starts_with(&format!("accepted: pnp_stop, pnp_add conform to {SPEC}\n")), "{out}");
    // It is about that program.
    let (code, _, said) = selvedge(&["certify", "examples/bluetooth_bug.c", certificate]);
    assert_eq!(code, Some(2));
    assert!(said.contains("it is about another program"), "{said}");
    // And about that specification: with another one in it, it is refused.
    let text = std::fs::read_to_string(certificate).expect("a certificate");
    std::fs::write(certificate, text.replace("stopped' == 1", "stopped' == 2")).expect("is written");
    let (code, out, _) = selvedge(&["certify", "--json", "examples/bluetooth.c", certificate]);
    assert_eq!(code, Some(1), "{out}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["verdict"], "refused");
    let reason = report["claims"][0]["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("examples/bluetooth.c:31 is matched by no abstract step"), "{reason}");
}

#[test]
fn a_broken_driver_does_not() {
    let (code, out, said) = selvedge(&["conform", SPEC, "examples/bluetooth_bug2.c"]);
    assert_eq!(code, Some(1));
    assert!(out.contains("pnp_add: does not conform\n"), "{out}");
    assert!(said.starts_with("error: no abstract step of `pnp_add` does what this step does\n"), "{said}");
    assert!(said.contains("examples/bluetooth_bug2.c:15:9"), "{said}");
    let (code, out, _) = selvedge(&["conform", "--json", SPEC, "examples/bluetooth_bug2.c"]);
    assert_eq!(code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["verdict"], "does not conform");
}

#[test]
fn wrong_input_is_told() {
    let (code, _, said) = selvedge(&["conform", SPEC]);
    assert_eq!(code, Some(2));
    assert!(said.contains("conform takes a specification and then the files of a program"), "{said}");
    let (code, _, said) = selvedge(&["conform", SPEC, "examples/counter.c"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("in the specification"), "{said}");
}
