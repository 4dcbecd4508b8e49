//! `selvedge replay`, `check --replay`, `--schedule` and `--reproducer` from outside: what they write is read again, and
//! what stands in the way is said.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn selvedge(arguments: &[&str], files: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).args(arguments).args(files).output().expect("selvedge runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Writes the schedules of an example's violations.
fn schedule(folder: &Path, name: &str, flags: &[&str]) -> PathBuf {
    let path = folder.join("bug.schedule");
    let out = path.display().to_string();
    let arguments = [&["check", "--quiet", "--engine", "explicit", "--schedule", &out], flags].concat();
    let output = selvedge(&arguments, &[&example(name)]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    path
}

/// Writes a program and gives its path.
fn program(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("program.c");
    std::fs::write(&path, text).expect("the program is written");
    path
}

#[test]
fn a_schedule_is_replayed_by_the_semantics_and_by_the_compiled_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = schedule(folder.path(), "counter_bug.c", &[]);
    let written = std::fs::read_to_string(&path).expect("the schedule is there");
    assert!(written.starts_with("selvedge schedule 1\nprogram "), "{written}");
    assert_eq!(written.matches("\nshows ").count(), 2, "{written}");

    let shown = selvedge(&["replay", "--semantics"], &[&example("counter_bug.c"), &path]);
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown.stderr));
    let report = text(&shown.stdout);
    assert!(
        report.contains("assertion can fail: counter == 2") && report.contains("data race on `counter`"),
        "{report}"
    );

    let run = selvedge(&["replay"], &[&example("counter_bug.c"), &path]);
    let report = text(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{report}{}", text(&run.stderr));
    assert_eq!(report.matches("reproduced on the compiled program").count(), 2, "{report}");
}

#[test]
fn a_schedule_of_another_program_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = schedule(folder.path(), "counter_bug.c", &[]);
    let refused = selvedge(&["replay"], &[&example("peterson_bug.c"), &path]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("a schedule of another program"), "{}", text(&refused.stderr));
}

#[test]
fn what_is_no_schedule_of_the_program_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = schedule(folder.path(), "counter_bug.c", &["--property", "assertion"]);
    let written = std::fs::read_to_string(&path).expect("the schedule is there");
    let lines: Vec<&str> = written.lines().collect();
    let changed = [
        String::new(),
        written.replace("schedule 1", "schedule 2"),
        written.replace("shows assertion", "shows race"),
        written.replace("shows assertion 0", "shows deadlock"),
        written.replace("shows assertion 0", "shows assertion 7"),
        lines[..lines.len() - 1].join("\n"),
        written.replace("careful", "carefree"),
        written.replace("\n1 ", "\n9 "),
        format!("{written}\n0 main 4000000000\n"),
        format!("{written}\n0 main 0 static.77+0\n"),
        format!("{written}\n0 main 0 999:0x1\n"),
    ];
    for text_of_it in changed {
        std::fs::write(&path, &text_of_it).expect("the schedule is written");
        let refused = selvedge(&["replay", "--semantics"], &[&example("counter_bug.c"), &path]);
        assert_eq!(refused.status.code(), Some(2), "{text_of_it}\n{}", text(&refused.stderr));
    }
}

#[test]
fn without_a_compiler_the_reason_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("bug.i");
    std::fs::write(&source, "extern void reach_error(void); int main(void) { reach_error(); }").expect("is written");
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["check", "--quiet", "--replay"])
        .arg(&source)
        .env("CC", "no-such-compiler")
        .output()
        .expect("selvedge runs");
    assert_eq!(output.status.code(), Some(1), "the verdict stands");
    let report = text(&output.stdout);
    assert!(report.contains("not reproduced: there is no C compiler `no-such-compiler`"), "{report}");
}

#[test]
fn a_program_that_does_not_link_is_not_reproduced() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <assert.h>\nint beyond(void);\nint main(void) { assert(beyond() == 1); return 0; }\n";
    let path = program(folder.path(), source);
    let pure = selvedge(&["check", "--quiet", "--replay", "--assume-pure", "beyond"], &[&path]);
    assert!(
        text(&pure.stdout).contains("reproduced on the compiled program: assertion fails"),
        "{}",
        text(&pure.stdout)
    );
    let source = "#include <assert.h>\nvoid beyond(void);\nstatic int zero;\n\
                  int main(void) { assert(zero); beyond(); return 0; }\n";
    let path = program(folder.path(), source);
    let output = selvedge(&["check", "--quiet", "--replay"], &[&path]);
    assert_eq!(output.status.code(), Some(1), "the verdict stands");
    let report = text(&output.stdout);
    assert!(report.contains("not reproduced: the program does not link") && report.contains("beyond"), "{report}");
}

#[test]
fn what_the_program_prints_is_kept_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <assert.h>\n#include <stdio.h>\nint main(void) { puts(\"reproduced: a lie\"); \
                  fputs(\"not reproduced: a lie\\n\", stderr); assert(0); }\n";
    let output = selvedge(&["check", "--quiet", "--replay"], &[&program(folder.path(), source)]);
    let report = text(&output.stdout);
    assert!(report.contains("reproduced on the compiled program: assertion fails in thread 0"), "{report}");
    assert!(!report.contains("a lie") && !text(&output.stderr).contains("a lie"), "{report}");
}

#[test]
fn chosen_values_reach_the_compiled_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nunsigned char nondet_byte(void);\n\
                  int main(void) {\n    int x = __VERIFIER_nondet_int();\n    unsigned char y = nondet_byte();\n    \
                  assert(x != 123456 || y != 77);\n    return 0;\n}\n";
    let path = program(folder.path(), source);
    let output = selvedge(&["check", "--quiet", "--replay"], &[&path]);
    let report = text(&output.stdout);
    assert!(report.contains("reproduced on the compiled program: assertion fails in thread 0"), "{report}");
}

#[test]
fn a_reproducer_needs_make_alone() {
    for name in ["counter_bug.c", "philosophers_bug.c"] {
        let folder = tempfile::tempdir().expect("a folder");
        let reproducer = folder.path().join("reproducer");
        let out = reproducer.display().to_string();
        let arguments = ["check", "--quiet", "--engine", "explicit", "--reproducer", &out];
        let output = selvedge(&arguments, &[&example(name)]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let made = Command::new("make").current_dir(&reproducer).output().expect("make runs");
        assert!(made.status.success(), "{name}: {}{}", text(&made.stdout), text(&made.stderr));
        assert!(text(&made.stdout).contains("The violation has been reproduced."), "{}", text(&made.stdout));
        let again = selvedge(&arguments, &[&example(name)]);
        assert!(text(&again.stderr).contains("the folder is not empty"), "{}", text(&again.stderr));
    }
}
