//! What the front end makes of one construct each: the program model of `tests/programs/lowering/NAME.c` stands beside
//! it as `NAME.program`. Run with `UPDATE_EXPECT=1` to write the snapshots anew, then read the difference.

use expect_test::expect_file;
use libtest_mimic::Trial;
use selvedge_frontend::compile::{CompileOptions, compile};
use selvedge_generate::stored;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Panics where a program is not lowered as its snapshot says.
fn compare(file: &Path) {
    let compiled = compile(&[file.to_owned()], &CompileOptions::default());
    let compiled = compiled.unwrap_or_else(|error| panic!("{:?}", error.diagnostics));
    assert_eq!(compiled.program.validate(), Ok(()));
    let folder = format!("{}/", file.parent().unwrap_or(file).display());
    let text = selvedge_program::text::program(&compiled.program).to_string().replace(&folder, "");
    expect_file![file.with_extension("program")].assert_eq(&text);
}

fn main() -> ExitCode {
    let files = stored::c_files("tests/programs/lowering");
    assert!(files.len() >= 20, "{} snapshots", files.len());
    let test = |file: PathBuf| {
        Trial::test(stored::name(&file), move || {
            compare(&file);
            Ok(())
        })
    };
    stored::run(files.into_iter().map(test))
}
