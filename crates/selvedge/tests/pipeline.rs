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
    check(
        &["abstract", "mixed_bug.scpl", "--predicates", "mixed_bug.txt"],
        "",
        0,
        expect![[r#"
        // b: s != thread::l (mixed)
        thread thread[n] {
          local b = 1;
          1: goto 2, 4;
          2: assume !a.b;
          3: goto 8;
          4: assume a.b;
          5: havoc {all(b)} constrain !a.b => a.b' constrain forall {a, p}. (!a.b | !p.b) => p.b';
          6: skip;
          7: goto end;
          8: assert 0;
          9: assume 0;
          10: goto 5;
        }
    "#]],
    );
}

#[test]
fn the_pipeline_finds_the_error() {
    let abstracted = selvedge(&["abstract", "mixed_bug.scpl", "--predicates", "mixed_bug.txt"], "");
    let program = String::from_utf8_lossy(&abstracted.stdout).into_owned();
    check(
        &["boolean", "-", "--threads", "1"],
        &program,
        0,
        expect![[r#"
        safe: no assertion can fail with 1 thread (10 configurations, checked)
    "#]],
    );
    check(
        &["boolean", "-"],
        &program,
        1,
        expect![[r#"
        unsafe: an assertion can fail, with 2 threads
          at first: 1.b = 1, 2.b = 1
          thread 1 of `thread` at -:4:6: 1: goto 2, 4;
          thread 1 of `thread` at -:7:6: 4: assume a.b;
          thread 1 of `thread` at -:8:6: 5: havoc {all(b)} constrain !a.b => a.b' constrain forall {a, p}. (!a.b | !p.b) => p.b';
            1.b = 0, 2.b = 0
          thread 2 of `thread` at -:4:6: 1: goto 2, 4;
          thread 2 of `thread` at -:5:6: 2: assume !a.b;
          thread 2 of `thread` at -:6:6: 3: goto 8;
          thread 2 of `thread` at -:11:6: 8: assert 0;
            the assertion can fail here
    "#]],
    );
}

#[test]
fn boolean_programs_are_decided() {
    let lock = "shared lock = 0, busy = 0; 1: lock := 1 constrain !lock; 2: assert !busy; 3: busy := 1; 4: busy := 0; 5: lock := 0;";
    check(
        &["boolean", "-"],
        lock,
        0,
        expect![[r#"
        safe: no assertion can fail with any number of threads (23 minimal configurations, checked)
    "#]],
    );
    check(
        &["boolean", "-", "--threads", "3"],
        lock,
        0,
        expect![[r#"
        safe: no assertion can fail with 3 threads (16 configurations, checked)
    "#]],
    );
    let slam = "decl g; void main() begin start_thread goto L; g := 1; goto E; L: assert(!g); E: skip; end";
    check(
        &["boolean", "-"],
        slam,
        1,
        expect![[r#"
        unsafe: an assertion can fail, with 2 threads
          at first: g = 1
          thread 1 of `main` at -:1:27: decl g; void main() begin start_thread goto L; g := 1; goto E; L: assert(!g); E: skip; end
            thread 2 of `main` is started
          thread 2 of `main` at -:1:67: decl g; void main() begin start_thread goto L; g := 1; goto E; L: assert(!g); E: skip; end
            the assertion can fail here
    "#]],
    );
    let blocked =
        "thread main[1] { local m = 1; } thread worker[n] { 1: assume forall {a, p: main}. !p.m; 2: assert 0; }";
    check(
        &["boolean", "-"],
        blocked,
        3,
        expect![[r#"
        bounded: no assertion can fail with up to 8 of the threads that there can be any number of; for more, it is not known: constraints on passive threads are over-approximated for any number of threads, and what then leads to a failure is forbidden by one of them
    "#]],
    );
    let starts = "thread main[1] { 1: start worker; goto 1; } thread worker[0] { skip; }";
    check(
        &["boolean", "-", "--threads", "2"],
        starts,
        3,
        expect![[r#"
        bounded: no assertion can fail as long as there are at most 3 threads at a time, and more can be started
    "#]],
    );
}

#[test]
fn mistakes_are_shown_like_a_compilers() {
    check(
        &["boolean", "-"],
        "shared s = 2;",
        2,
        expect![[r#"
        -:1:12: error: expected `0`, `1` or `*`, found `2`
          shared s = 2;
                     ^
        selvedge: 1 error in the input
    "#]],
    );
    check(
        &["boolean", "-"],
        "decl g; void main() begin h := 1; end",
        2,
        expect![[r#"
        -:1:27: error: there is no local variable `h`
          decl g; void main() begin h := 1; end
                                    ^
        selvedge: 1 error in the input
    "#]],
    );
    check(
        &["check", "nothing.bp"],
        "",
        2,
        expect![[r#"
        selvedge: nothing.bp: this is a Boolean program: `selvedge boolean nothing.bp` decides it
    "#]],
    );
    let folder = tempfile::tempdir().expect("a folder");
    let (file, predicates) = (folder.path().join("t.scpl"), folder.path().join("t.txt"));
    std::fs::write(&file, "shared s = 0;\nlocal l = 0;\n1: s = l + k;\n").expect("writes");
    let shown = |output: Output| {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        text.replace(&folder.path().display().to_string(), "DIR")
    };
    let (file, predicates) = (file.display().to_string(), predicates.display().to_string());
    expect![[r#"
        error: there is no variable `k`
         --> DIR/t.scpl:3:12
          |
        3 | 1: s = l + k;
          |            ^
        selvedge: 1 error in the input
    "#]]
    .assert_eq(&shown(selvedge(&["check", &file], "")));
    std::fs::write(&file, "shared s = 0;\nlocal l = 0;\n1: s = l;\n").expect("writes");
    std::fs::write(&predicates, "b: s == l\n# nothing\nb: s + == 1\nend: s == 0\ns == thread::k\n").expect("writes");
    expect![[r#"
        error: there are two predicates `b`
         --> DIR/t.txt:3:1
          |
        3 | b: s + == 1
          | ^
        error: a variable is expected here
         --> DIR/t.txt:3:8
          |
        3 | b: s + == 1
          |        ^
        error: `end` cannot be the name of a variable
         --> DIR/t.txt:4:1
          |
        4 | end: s == 0
          | ^
        error: `thread` has no variable `k` in a register, or more than one (then `#5`)
         --> DIR/t.txt:5:14
          |
        5 | s == thread::k
          |              ^
    "#]]
    .assert_eq(&shown(selvedge(&["abstract", &file, "--predicates", &predicates], "")));
}

#[test]
fn engines_check_programs_in_scpl() {
    check(
        &["check", "mixed_bug.scpl", "--threads", "2", "--engine", "explicit"],
        "",
        1,
        expect![[r#"
        error: assertion can fail: s != l
         --> mixed_bug.scpl:5:4
          |
        5 | 1: assert s != l;
          |    ^^^^^^^^^^^^^ in thread 2 (thread), holding no lock
        schedule: this is how it comes about
          thread 1  line 5  1: assert s != l;  s is 0
                    line 6  2: s = s + 1;  s = 1
          thread 2  line 5  1: assert s != l;  s is 1

        assumed: 2 threads execute the program
        unsafe: the assertion can fail, no undefined behaviour
    "#]],
    );
    check(
        &["check", "mixed_bug.scpl", "--threads", "1", "-q"],
        "",
        0,
        expect![[r#"
        safe: the assertion holds, no undefined behaviour
    "#]],
    );
    // The portfolio finds it, whatever the number of threads; and the error of the paper's other program.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("q.scpl");
    let q = "shared int s = 0; shared bool t = 0; local int l = 0;
        1: if (*) { 2: if (t) { 3: assert s != l; } } 4: l = s + 1; 5: t = 1;";
    std::fs::write(&file, q).expect("writes");
    for file in ["mixed_bug.scpl", &file.display().to_string()] {
        let expected = expect![[r#"
            unsafe: the assertion can fail
        "#]];
        check(&["check", file, "-q", "--property", "assertion"], "", 1, expected);
    }
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
