//! What the tests on random programs share.

use selvedge::frontend::compile::{CompileOptions, Source, compile_sources, compile_text};
use selvedge::program::Program;

/// The program that a text is, or why it is none.
pub fn compile(name: &str, text: &str) -> Result<Program, String> {
    // Only what includes headers needs the preprocessor.
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
