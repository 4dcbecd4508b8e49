//! Programs to try checkers on.

use selvedge_frontend::compile::{CompileOptions, Source, compile_sources, compile_text};
use selvedge_program::Program;

/// The program that a text is. Only what includes headers needs the preprocessor.
pub fn compile(name: &str, text: &str) -> Result<Program, String> {
    let compiled = if text.contains("#include") {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("the temporary folder is writable");
        compile_sources(&[Source { path, preprocess: Default::default() }], &CompileOptions::default())
    } else {
        compile_text(name, text, &CompileOptions::default())
    };
    compiled.map(|compiled| compiled.program).map_err(|error| error.to_string())
}
