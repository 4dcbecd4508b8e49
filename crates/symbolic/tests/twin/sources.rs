//! C programs of every kind: the annotated programs of this repository, and generated ones.

use std::path::Path;

use selvedge_frontend::compile::{CompileOptions, compile, compile_text};
use selvedge_frontend::preprocess::DataModel;
use selvedge_generate::Generator;
use selvedge_generate::random::Random;
use selvedge_program::Program;

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
