//! `selvedge.toml`: what a project says to every run.

use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = "#include <assert.h>\nint main(void) { assert(LIMIT > 3); return 0; }\n";

fn project(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("sub")).expect("a folder in it");
    std::fs::write(folder.path().join("main.c"), PROGRAM).expect("a program");
    std::fs::write(folder.path().join("selvedge.toml"), text).expect("a project");
    folder
}

fn run(folder: &Path, words: &[&str]) -> (Output, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_selvedge")).current_dir(folder).args(words).output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, told)
}

#[test]
fn a_project_names_files_and_flags_once() {
    let folder = project("[check]\nfiles = [\"main.c\"]\ndefines = [\"LIMIT=4\"]\ntimeout = 20\nno-signals = true\n");
    for place in [folder.path().to_owned(), folder.path().join("sub")] {
        let (output, told) = run(&place, &["check"]);
        assert_eq!(output.status.code(), Some(0), "{told}");
        assert!(told.contains("selvedge.toml adds -DLIMIT=4 --no-signals --timeout=20"), "{told}");
    }
}

#[test]
fn the_command_line_counts_instead() {
    let folder = project("[check]\nfiles = [\"main.c\"]\ndefines = [\"LIMIT=4\"]\n[facts]\nfiles = [\"nowhere.c\"]\n");
    let (output, told) = run(folder.path(), &["check", "-DLIMIT=2"]);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(!told.contains("LIMIT=4"), "{told}");
    let (output, told) = run(folder.path(), &["check", "--no-project", "-DLIMIT=2", "main.c"]);
    assert_eq!((output.status.code(), told.contains("adds")), (Some(1), false), "{told}");
    let (output, told) = run(folder.path(), &["check", "--no-project"]);
    assert_eq!(output.status.code(), Some(2), "{told}");
    let (output, told) = run(&folder.path().join("sub"), &["check", "--project", "../selvedge.toml"]);
    assert_eq!(output.status.code(), Some(0), "{told}");
}

#[test]
fn what_a_project_gets_wrong_is_said_with_its_line() {
    let cases = [
        ("[check]\n\ntimeouts = 3\n", ":3: `timeouts` is no option of `selvedge check`"),
        ("[check]\nno-signals = 3\n", ":2: this option is `true` or `false`"),
        ("[check]\ntimeout = [true]\n", ":2: a list of texts or numbers is expected"),
        ("[check]\ntimeout = true\n", ":2: a text, a number, or a list of them is expected"),
        ("timeout = 3\n", ":1: `timeout` stands outside of a command's table, such as `[check]`"),
        ("[chek]\n", ":1: `chek` is no command of `selvedge`"),
        ("[check\n", ":1: "),
    ];
    for (text, expected) in cases {
        let folder = project(text);
        let (output, told) = run(folder.path(), &["check", "main.c"]);
        assert_eq!(output.status.code(), Some(2), "{text}: {told}");
        assert!(told.contains(&format!("selvedge.toml{expected}")), "{text}: {told}");
    }
    let folder = project("");
    let (output, told) = run(folder.path(), &["check", "--project", "nowhere.toml", "main.c"]);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("nowhere.toml: "), "{told}");
}
