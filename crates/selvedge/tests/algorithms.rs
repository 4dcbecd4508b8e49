//! `--algorithm`: those of paper 000 prove what the paper says they prove, on its Example 1 and on Peterson's algorithm.

use std::path::Path;
use std::process::Command;

/// The verdict on races and assertions of a program among `tests/programs`.
fn verdict(algorithm: &str, program: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(program);
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["check", "--quiet", "--property", "race", "--property", "assertion", "--algorithm", algorithm])
        .arg(file)
        .output()
        .expect("selvedge runs");
    let said = String::from_utf8_lossy(&output.stdout);
    said.split(':').next().unwrap_or_default().to_owned()
}

fn verdicts(program: &str) -> [String; 4] {
    ["a", "b", "tar", "tar-havoc"].map(|algorithm| verdict(algorithm, program))
}

/// Locking is not strongly thread-modular: Algorithm B does not know, TAR does.
#[test]
fn example_1() {
    assert_eq!(verdicts("modular/marked_lock.c"), ["safe", "unknown", "safe", "safe"]);
    assert_eq!(verdicts("modular/marked_lock_bug.c"), ["unsafe"; 4]);
}

/// Not provable thread by thread, but in the product.
#[test]
fn petersons_algorithm() {
    assert_eq!(verdicts("symmetric/peterson.c"), ["safe", "unknown", "unknown", "unknown"]);
}

/// Whoever names an algorithm does not name an engine as well.
#[test]
fn an_algorithm_is_an_engine_with_its_options() {
    for option in [["--engine", "explicit"], ["--environment", "havoc"], ["--weakening", "at-once"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
            .args(["check", "--algorithm", "tar", "any.c"])
            .args(option)
            .output()
            .expect("selvedge runs");
        assert_eq!(output.status.code(), Some(2), "{option:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be used with"), "{option:?}");
    }
}
