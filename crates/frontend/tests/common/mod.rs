//! What the preprocessing tests share: folders, files, and the C compiler.

#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use selvedge_frontend::preprocess::{
    DataModel, Headers, Options, PreprocessError, Preprocessed, preprocess,
};
use tempfile::TempDir;

/// One installation of our headers for a whole test binary.
pub fn headers() -> &'static Headers {
    static HEADERS: OnceLock<Headers> = OnceLock::new();
    HEADERS.get_or_init(|| Headers::install().expect("headers can be installed"))
}

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(TempDir::new().expect("a temporary folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("inside the folder")).expect("folders");
        fs::write(&path, text).expect("a written file");
        path
    }

    /// An executable shell script. A process of its own writes it, so that no
    /// other test's child can inherit it open for writing.
    pub fn script(&self, name: &str, body: &str) -> PathBuf {
        let path = self.path().join(name);
        let status = Command::new("/bin/sh")
            .args(["-c", r#"printf '%s\n' "$1" > "$2" && chmod +x "$2""#, "sh"])
            .arg(format!("#!/bin/sh\n{body}"))
            .arg(&path)
            .status()
            .expect("a shell");
        assert!(status.success());
        path
    }
}

pub fn done(path: &Path, options: &Options) -> Preprocessed {
    match preprocess(path, options, headers()) {
        Ok(preprocessed) => preprocessed,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

pub fn error(path: &Path, options: &Options) -> PreprocessError {
    match preprocess(path, options, headers()) {
        Ok(_) => panic!("{} preprocesses", path.display()),
        Err(error) => error,
    }
}

pub fn with_compiler(compiler: PathBuf) -> Options {
    Options {
        compiler: Some(compiler),
        ..Options::default()
    }
}

/// The preprocessed text without line markers, on one line.
pub fn body(preprocessed: &Preprocessed) -> String {
    let text = String::from_utf8_lossy(&preprocessed.text);
    let words: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .collect();
    words.join(" ")
}

/// Preprocesses `path` and has the C compiler check the result.
pub fn compiles(path: &Path, options: &Options) {
    let preprocessed = done(path, options);
    let folder = Folder::new();
    let text = folder.write("out.i", &preprocessed.text);
    let mut compiler = Command::new("cc");
    compiler.arg("-fsyntax-only");
    if let Some(std) = &options.std {
        compiler.arg(format!("-std={std}"));
    }
    if options.data_model == DataModel::Ilp32 {
        compiler.arg("-m32");
    }
    accepts(compiler.arg(&text));
}

pub fn accepts(compiler: &mut Command) {
    let output = compiler.env("LC_ALL", "C").output().expect("a C compiler");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler:?}\n{said}");
}
