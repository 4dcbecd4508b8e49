//! What the front end makes of one construct each: the program model of `tests/programs/lowering/NAME.c` stands beside
//! it as `NAME.program`. Run with `UPDATE_EXPECT=1` to write the snapshots anew, then read the difference.

use expect_test::expect_file;
use selvedge_frontend::compile::{CompileOptions, compile};
use std::path::{Path, PathBuf};

#[test]
fn programs_are_lowered_as_their_snapshots_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/lowering");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder of snapshots is there")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(files.len() >= 20, "{} snapshots", files.len());
    for file in &files {
        let compiled = compile(std::slice::from_ref(file), &CompileOptions::default());
        let compiled = compiled.unwrap_or_else(|error| panic!("{}: {:?}", file.display(), error.diagnostics));
        assert_eq!(compiled.program.validate(), Ok(()), "{}", file.display());
        let folder = format!("{}/", folder.display());
        let text = selvedge_program::text::program(&compiled.program).to_string().replace(&folder, "");
        expect_file![file.with_extension("program")].assert_eq(&text);
    }
    println!("{} programs lowered", files.len());
}
