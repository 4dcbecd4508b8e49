//! Bad input gets a clear error and exit status 2: no panic, no hang, bounded memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs `selvedge check` on a file, with the address space limited to 6 GB (most of which is reserved stack, never
/// touched).
fn check(file: &Path) -> Output {
    Command::new("sh")
        .args(["-c", "ulimit -v 6000000; exec \"$0\" check \"$1\""])
        .arg(env!("CARGO_BIN_EXE_selvedge"))
        .arg(file)
        .output()
        .expect("sh runs")
}

/// A file of this test's own.
fn file(folder: &tempfile::TempDir, name: &str, contents: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, contents).expect("the temporary folder is writable");
    path
}

/// The input is refused with this message, like a compiler would.
fn refused(path: &Path, message: &str) {
    let output = check(path);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let shown: String = stderr.chars().take(2000).collect();
    assert_eq!(output.status.code(), Some(2), "{}: {shown}", path.display());
    assert!(stderr.contains(message), "{}: expected `{message}` in: {shown}", path.display());
    assert!(!stderr.contains("panicked"), "{shown}");
    assert!(stderr.len() < 100_000, "the complaint has {} bytes", stderr.len());
    assert!(output.stdout.is_empty(), "nothing is said of a program that cannot be read");
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

#[test]
fn no_such_file() {
    refused(Path::new("there/is/no/such/file.c"), "file.c");
}

#[test]
fn a_directory() {
    let folder = folder();
    refused(folder.path(), "directory");
}

#[test]
fn binary_junk() {
    let folder = folder();
    let junk: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    refused(&file(&folder, "junk.c", &junk), "not a text file");
    refused(&file(&folder, "junk.i", &junk), "not a text file");
}

#[test]
fn unterminated_comments_and_literals() {
    let folder = folder();
    refused(&file(&folder, "comment.c", b"int main(void) { return 0; } /* for ever"), "unterminated comment");
    refused(&file(&folder, "comment.i", b"int main(void) { return 0; } /* for ever"), "unterminated comment");
    refused(&file(&folder, "string.i", b"char *s = \"abc;\nint main(void) { return 0; }\n"), "string");
}

#[test]
fn ten_megabytes_of_garbage() {
    let folder = folder();
    let text: Vec<u8> = b"@ ) } ] ; ? # while if ( 'a \" 3x \\ \x80 ".iter().copied().cycle().take(10 << 20).collect();
    refused(&file(&folder, "garbage.i", &text), "error");
    refused(&file(&folder, "garbage.c", &text), "error");
}

#[test]
fn deep_nesting() {
    let folder = folder();
    for (open, close) in
        [("(", ")"), ("{", "}"), ("-", ""), ("!", ""), ("a[", "]"), ("f(", ")"), ("if (1) ", ""), ("a=", "")]
    {
        let depth = 300_000;
        let text = format!("int a[9]; int main(void) {{ {}1{}; }}\n", open.repeat(depth), close.repeat(depth));
        refused(&file(&folder, "deep.i", text.as_bytes()), "nested too deeply");
    }
    let declarator = format!("int {}x;\nint main(void) {{ return 0; }}\n", "*".repeat(1_000_000));
    refused(&file(&folder, "pointers.i", declarator.as_bytes()), "nested too deeply");
}

#[test]
fn long_chains_are_no_deep_nesting() {
    let folder = folder();
    let sum = format!("int main(void) {{ return {}0; }}\n", "0 + ".repeat(2_000));
    let output = check(&file(&folder, "sum.i", sum.as_bytes()));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_missing_header() {
    let folder = folder();
    refused(
        &file(&folder, "header.c", b"#include \"nowhere/to/be_found.h\"\nint main(void) { return 0; }\n"),
        "be_found.h",
    );
}

#[test]
fn type_errors_are_reported_with_their_line() {
    let folder = folder();
    let path = file(&folder, "types.c", b"struct s { int x; };\nint main(void) {\n  struct s v;\n  return v.y;\n}\n");
    refused(&path, "types.c:4:");
}

#[test]
fn no_main() {
    let folder = folder();
    refused(&file(&folder, "library.c", b"int f(void) { return 0; }\n"), "main");
    refused(&file(&folder, "empty.c", b""), "main");
}

#[test]
fn wrong_usage() {
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge")).arg("chekc").output().expect("selvedge runs");
    assert_eq!(output.status.code(), Some(2));
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge")).arg("check").output().expect("selvedge runs");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_race_on_nothing() {
    let folder = folder();
    let path = file(&folder, "names.c", b"int good;\nint main(void) { return good; }\n");
    let run = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
        command.args(["check", "--race-on", name]).arg(&path).output().expect("selvedge runs")
    };
    assert_eq!(run("good").status.code(), Some(0));
    let output = run("goood");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no variable `goood`"));
}
