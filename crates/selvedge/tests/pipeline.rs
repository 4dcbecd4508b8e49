//! `selvedge abstract`, `selvedge boolean` and programs in SCPL, as they are run.

use expect_test::{Expect, expect};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn selvedge(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(arguments)
        .current_dir(example(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("selvedge runs");
    // A command that does not read its input may have ended already.
    let _ = std::io::Write::write_all(&mut child.stdin.take().expect("there is an input"), input.as_bytes());
    child.wait_with_output().expect("selvedge ends")
}

fn check(arguments: &[&str], input: &str, status: i32, expected: Expect) {
    let output = selvedge(arguments, input);
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    expected.assert_eq(&text);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}");
}

#[test]
fn the_boolean_program_of_the_paper_as_text() {
    check(&["abstract", "mixed_bug.scpl", "--predicates", "mixed_bug.txt"], "", 0, expect![[""]]);
}

#[test]
fn the_pipeline_finds_the_error() {
    let abstracted = selvedge(&["abstract", "mixed_bug.scpl", "--predicates", "mixed_bug.txt"], "");
    let program = String::from_utf8_lossy(&abstracted.stdout).into_owned();
    check(&["boolean", "-", "--threads", "1"], &program, 0, expect![[""]]);
    check(&["boolean", "-"], &program, 1, expect![[""]]);
}

#[test]
fn boolean_programs_are_decided() {
    let lock = "shared lock = 0, busy = 0; 1: lock := 1 constrain !lock; 2: assert !busy; 3: busy := 1; 4: busy := 0; 5: lock := 0;";
    check(&["boolean", "-"], lock, 0, expect![[""]]);
    check(&["boolean", "-", "--threads", "3"], lock, 0, expect![[""]]);
    let slam = "decl g; void main() begin start_thread goto L; g := 1; goto E; L: assert(!g); E: skip; end";
    check(&["boolean", "-"], slam, 1, expect![[""]]);
    let blocked =
        "thread main[1] { local m = 1; } thread worker[n] { 1: assume forall {a, p: main}. !p.m; 2: assert 0; }";
    check(&["boolean", "-"], blocked, 3, expect![[""]]);
    let starts = "thread main[1] { 1: start worker; goto 1; } thread worker[0] { skip; }";
    check(&["boolean", "-", "--threads", "2"], starts, 3, expect![[""]]);
}

#[test]
fn mistakes_are_shown_like_a_compilers() {
    check(&["boolean", "-"], "shared s = 2;", 2, expect![[""]]);
    check(&["boolean", "-"], "decl g; void main() begin h := 1; end", 2, expect![[""]]);
    check(&["check", "nothing.bp"], "", 2, expect![[""]]);
    let folder = tempfile::tempdir().expect("a folder");
    let (file, predicates) = (folder.path().join("t.scpl"), folder.path().join("t.txt"));
    std::fs::write(&file, "shared s = 0;\nlocal l = 0;\n1: s = l + k;\n").expect("writes");
    let shown = |output: Output| {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        text.replace(&folder.path().display().to_string(), "DIR")
    };
    let (file, predicates) = (file.display().to_string(), predicates.display().to_string());
    expect![[""]].assert_eq(&shown(selvedge(&["check", &file], "")));
    std::fs::write(&file, "shared s = 0;\nlocal l = 0;\n1: s = l;\n").expect("writes");
    std::fs::write(&predicates, "b: s == l\n# nothing\nb: s + == 1\nend: s == 0\ns == thread::k\n").expect("writes");
    expect![[""]].assert_eq(&shown(selvedge(&["abstract", &file, "--predicates", &predicates], "")));
}

#[test]
fn engines_check_programs_in_scpl() {
    check(&["check", "mixed_bug.scpl", "--threads", "2", "--engine", "explicit"], "", 1, expect![[""]]);
    check(&["check", "mixed_bug.scpl", "--threads", "1", "-q"], "", 0, expect![[""]]);
    // The portfolio finds it, whatever the number of threads.
    check(&["check", "mixed_bug.scpl", "-q"], "", 1, expect![[""]]);
}

#[test]
fn refinement_decides() {
    let arguments = ["abstract", "ticket.scpl", "--refine", "--threads", "2"];
    let output = selvedge(&arguments, "");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.starts_with("// safe:"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0));
    let output = selvedge(&["abstract", "mixed_bug.scpl", "--refine", "--threads", "2"], "");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.starts_with("// unsafe:"), "{text}");
    assert_eq!(output.status.code(), Some(1));
}
