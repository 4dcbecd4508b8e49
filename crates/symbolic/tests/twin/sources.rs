//! C programs of every kind: the annotated programs of this repository, and generated ones.

use std::path::{Path, PathBuf};

use selvedge_frontend::compile::{CompileOptions, compile, compile_text};
use selvedge_frontend::preprocess::DataModel;
use selvedge_generate::Generator;
use selvedge_generate::random::Random;
use selvedge_program::Program;

/// All annotated programs, in order.
pub fn annotated() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of programs").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn options(data_model: DataModel) -> CompileOptions {
    let mut options = CompileOptions::default();
    options.preprocess.data_model = data_model;
    options
}

/// Compiles an annotated program; one of its cases, if it has several. `None` for one that is not meant for the
/// machine.
pub fn compile_file(path: &Path, data_model: DataModel, random: &mut Random) -> Option<Program> {
    let text = std::fs::read_to_string(path).expect("a program");
    let cases = text.matches("CASE ==").count() as u64;
    let mut options = options(data_model);
    options.preprocess.extra.push(format!("-DCASE={}", random.below(cases)));
    compile(&[path.to_owned()], &options).ok().map(|compiled| compiled.program)
}

/// Compiles the program of a seed.
pub fn generated(program: Generator, seed: u64, data_model: DataModel, folder: &Path) -> Option<Program> {
    let text = program(seed);
    let options = options(data_model);
    let compiled = if text.contains("#include") {
        let path = folder.join("program.c");
        std::fs::write(&path, &text).expect("the temporary folder is writable");
        compile(&[path], &options)
    } else {
        compile_text("program.c", &text, &options)
    };
    compiled.ok().map(|compiled| compiled.program)
}
