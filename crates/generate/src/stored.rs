//! The programs for tests that are files of the repository, and how they become tests with a name each.

use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The C files below a folder of the repository, in order.
///
/// # Panics
/// If a folder cannot be read.
pub fn c_files(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![root().join(folder)];
    while let Some(folder) = pending.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A file of the repository as its readers call it: `tests/programs/races/plain.c`.
pub fn name(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

/// The `main` of a test whose tests are not functions: runs those that the command line asks for, two at a time unless
/// it says otherwise (a run of a program is more than one thread).
pub fn run(tests: impl IntoIterator<Item = Trial>) -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(2);
    libtest_mimic::run(&arguments, tests.into_iter().collect()).exit_code()
}
