//! The examples by this engine alone, within a small bound: every broken twin is found, and nothing is found in the
//! others.

use selvedge_evidence::{Notebook, Task, Unwind};
use selvedge_frontend::compile::{CompileOptions, compile};
use selvedge_interference::{Options, check};
use selvedge_program::{Budget, Quiet};

#[test]
fn every_broken_twin_is_found() {
    let files = selvedge_generate::stored::c_files("examples");
    assert!(files.len() >= 50, "{}", files.len());
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("the example can be read");
        let compiled = compile(&[file], &CompileOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let notebook = Notebook::new();
        let options = Options { task: Task { unwind: Unwind::Exactly(2), ..Task::default() }, ..Options::default() };
        let answer = check(&compiled.program, &options, &Budget::unlimited(), &mut Quiet, &notebook);
        let answer = answer.unwrap_or_else(|error| panic!("{name}: {error}"));
        let noted = notebook.noted();
        let expects_violation = text.lines().any(|line| line.starts_with("// selvedge:") && line.contains("=unsafe"));
        assert_eq!(!noted.violations.is_empty(), expects_violation, "{name}: {:?}", noted.violations);
        assert_eq!(!noted.proofs.is_empty(), answer.is_complete(), "{name}: {:?}", answer.gaps);
    }
}
