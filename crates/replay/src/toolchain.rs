//! The system's C compiler, the runtime, and what it takes to link both.

use selvedge_frontend::compile::Source;
use selvedge_frontend::preprocess::{Compiler, Failure, Options, Output, argument_path, native_arguments, run};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use thiserror::Error;

/// The runtime: headers first.
pub const RUNTIME: [(&str, &str); 11] = [
    ("schedule.h", include_str!("../runtime/schedule.h")),
    ("locks.h", include_str!("../runtime/locks.h")),
    ("places.c", include_str!("../runtime/places.c")),
    ("symbols.c", include_str!("../runtime/symbols.c")),
    ("matching.c", include_str!("../runtime/matching.c")),
    ("scheduler.c", include_str!("../runtime/scheduler.c")),
    ("memory.c", include_str!("../runtime/memory.c")),
    ("threads.c", include_str!("../runtime/threads.c")),
    ("locks.c", include_str!("../runtime/locks.c")),
    ("waiting.c", include_str!("../runtime/waiting.c")),
    ("library.c", include_str!("../runtime/library.c")),
];

/// The flags that the user's files are compiled with, beside their own. Without optimisation the accesses of the compiled
/// program are those of its text.
pub const PROGRAM_FLAGS: [&str; 6] = ["-O0", "-g", "-w", "-fno-pie", "-fno-builtin", "-fsanitize=thread"];

/// What clang needs to call the runtime before a read that a write of the same place follows.
pub const CLANG_FLAGS: [&str; 2] = ["-mllvm", "-tsan-instrument-read-before-write"];

/// The flags that the runtime is compiled with.
pub const RUNTIME_FLAGS: [&str; 5] = ["-O2", "-w", "-std=gnu11", "-fno-pie", "-fno-builtin"];

/// The flags that everything is linked with.
pub const LINK_FLAGS: [&str; 3] = ["-no-pie", "-pthread", "-lm"];

/// Time for one run of the compiler.
const PATIENCE: Duration = Duration::from_secs(60);

/// Bytes of output of one run of the compiler.
const OUTPUT: u64 = 16 << 20;

/// What stands behind the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// Nothing: it makes the accesses itself.
    Nothing,
    /// ThreadSanitizer, which sees every access.
    ThreadSanitizer,
}

/// Why nothing was run.
#[derive(Debug, Error)]
pub enum Hindrance {
    #[error("there is no C compiler `{compiler}` ({error}); install one, or name one with CC")]
    NoCompiler { compiler: String, error: io::Error },
    #[error("{what} does not compile: {message}")]
    DoesNotCompile { what: String, message: String },
    #[error("the program does not link: {0}")]
    DoesNotLink(String),
    #[error("{what} does not end within {} seconds", .limit.as_secs())]
    DoesNotEnd { what: String, limit: Duration },
    #[error("{0} prints too much")]
    PrintsTooMuch(String),
    #[error("{what}: {error}")]
    Files { what: String, error: io::Error },
}

/// Runs a command to its end.
pub(crate) fn finish(command: Command, what: &str, limit: Duration) -> Result<Output, Hindrance> {
    let compiler = command.get_program().to_string_lossy().into_owned();
    run(command, limit, OUTPUT).map_err(|failure| match failure {
        Failure::Spawn(error) => Hindrance::NoCompiler { compiler, error },
        Failure::Io(error) => Hindrance::Files { what: what.to_owned(), error },
        Failure::TimedOut => Hindrance::DoesNotEnd { what: what.to_owned(), limit },
        Failure::TooLarge => Hindrance::PrintsTooMuch(what.to_owned()),
    })
}

/// Writes a file.
pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Hindrance> {
    std::fs::write(path, text).map_err(|error| Hindrance::Files { what: path.display().to_string(), error })
}

/// The most telling line of what a compiler says.
fn complaint(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let tells = ["error:", "undefined reference", "multiple definition", "cannot find"];
    let line = text.lines().find(|line| tells.iter().any(|word| line.contains(word))).or_else(|| text.lines().last());
    line.unwrap_or("no reason given").trim().to_owned()
}

/// A C compiler with the runtime compiled by it.
#[derive(Debug)]
pub struct Toolchain {
    folder: tempfile::TempDir,
    compiler: Compiler,
    is_clang: bool,
    behind: Behind,
}

impl Toolchain {
    /// The compiler that the options name, with a runtime for their data model.
    ///
    /// # Errors
    /// When there is no compiler, or it does not take the runtime.
    pub fn new(options: &Options, behind: Behind) -> Result<Toolchain, Hindrance> {
        let folder = tempfile::Builder::new().prefix("selvedge-replay").tempdir();
        let folder = folder.map_err(|error| Hindrance::Files { what: "a temporary folder".to_owned(), error })?;
        let compiler = Compiler::chosen(options);
        let mut version = compiler.command();
        version.arg("--version");
        let version = finish(version, "the C compiler", PATIENCE)?;
        let is_clang = String::from_utf8_lossy(&version.stdout).contains("clang");
        for (name, text) in RUNTIME {
            write(&folder.path().join(name), text)?;
        }
        let toolchain = Toolchain { folder, compiler, is_clang, behind };
        write(&toolchain.wrapped(), wrapped(behind))?;
        for source in runtime_sources() {
            toolchain.compile_ours(&toolchain.folder.path().join(source), source, options)?;
        }
        Ok(toolchain)
    }

    /// The list of functions that are called instead of others.
    fn wrapped(&self) -> PathBuf {
        self.folder.path().join("wrapped.txt")
    }

    /// Compiles a part of the runtime, or a table for it, beside itself.
    pub(crate) fn compile_ours(&self, path: &Path, what: &str, options: &Options) -> Result<PathBuf, Hindrance> {
        let mut flags: Vec<OsString> = RUNTIME_FLAGS.map(OsString::from).to_vec();
        if options.data_model == selvedge_program::DataModel::Ilp32 {
            flags.push("-m32".into());
        }
        if self.behind == Behind::ThreadSanitizer {
            flags.push("-DSV_TSAN".into());
        }
        flags.push("-I".into());
        flags.push(self.folder.path().into());
        let object = path.with_extension("o");
        self.compile(&flags, path, &object, &format!("the runtime's {what}"))?;
        Ok(object)
    }

    /// Compiles a file of the user's.
    pub(crate) fn compile_source(&self, source: &Source, object: &Path) -> Result<(), Hindrance> {
        let mut flags = native_arguments(&source.preprocess);
        flags.extend(PROGRAM_FLAGS.map(OsString::from));
        if self.is_clang {
            flags.extend(CLANG_FLAGS.map(OsString::from));
        }
        let is_preprocessed = source.path.extension() == Some(OsStr::new("i"));
        flags.extend(["-x", if is_preprocessed { "cpp-output" } else { "c" }].map(OsString::from));
        self.compile(&flags, &source.path, object, &source.path.display().to_string())
    }

    /// A file of the user's as the preprocessor leaves it, with the system's headers.
    pub(crate) fn preprocess_source(&self, source: &Source) -> Result<Vec<u8>, Hindrance> {
        if source.path.extension() == Some(OsStr::new("i")) {
            let what = source.path.display().to_string();
            return std::fs::read(&source.path).map_err(|error| Hindrance::Files { what, error });
        }
        let mut command = self.compiler.command();
        command
            .args(native_arguments(&source.preprocess))
            .args(["-w", "-E", "-x", "c"])
            .arg(argument_path(&source.path));
        let output = finish(command, &source.path.display().to_string(), PATIENCE)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let what = source.path.display().to_string();
        Err(Hindrance::DoesNotCompile { what, message: complaint(&output.stderr) })
    }

    fn compile(&self, flags: &[OsString], path: &Path, object: &Path, what: &str) -> Result<(), Hindrance> {
        let mut command = self.compiler.command();
        command.args(flags).arg("-c").arg(argument_path(path)).arg("-o").arg(object);
        let output = finish(command, what, PATIENCE)?;
        if output.status.success() {
            return Ok(());
        }
        Err(Hindrance::DoesNotCompile { what: what.to_owned(), message: complaint(&output.stderr) })
    }

    /// Links a program.
    pub(crate) fn link(&self, objects: &[PathBuf], program: &Path, options: &Options) -> Result<(), Hindrance> {
        let mut command = self.compiler.command();
        if options.data_model == selvedge_program::DataModel::Ilp32 {
            command.arg("-m32");
        }
        if self.behind == Behind::ThreadSanitizer {
            command.arg("-fsanitize=thread");
        }
        command.args(objects).args(runtime_sources().map(|source| self.folder.path().join(source).with_extension("o")));
        let mut list = OsString::from("-Wl,@");
        list.push(self.wrapped());
        command.arg(list).args(LINK_FLAGS).arg("-o").arg(program);
        let output = finish(command, "the linker", PATIENCE)?;
        if output.status.success() { Ok(()) } else { Err(Hindrance::DoesNotLink(complaint(&output.stderr))) }
    }
}

/// The files of the runtime that are compiled.
pub fn runtime_sources() -> impl Iterator<Item = &'static str> {
    RUNTIME.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c"))
}

/// The linker's options that lead the program's calls to the runtime: every function `__wrap_NAME` that it defines is
/// called instead of NAME.
pub fn wrapped(behind: Behind) -> String {
    let mut names: Vec<String> = Vec::new();
    for (_, text) in RUNTIME {
        for line in text.lines().filter(|line| !line.contains('#')) {
            let ours = line.strip_prefix("OURS(").and_then(|rest| rest.split([',', ')']).nth(1));
            let spelt = line.split_once("__wrap_").and_then(|(_, rest)| rest.split('(').next());
            names.extend(ours.or(spelt).map(|name| name.trim().to_owned()));
        }
    }
    if behind == Behind::ThreadSanitizer {
        names.extend(sanitizer_functions());
    }
    names.sort_unstable();
    names.dedup();
    names.iter().map(|name| format!("--wrap={name}\n")).collect()
}

/// The functions that the compiler calls before accesses.
fn sanitizer_functions() -> Vec<String> {
    let mut names = ["read_range", "write_range", "func_entry"].map(|name| format!("__tsan_{name}")).to_vec();
    names.extend(["__tsan_read1".to_owned(), "__tsan_write1".to_owned()]);
    for size in [2, 4, 8, 16] {
        let accesses = ["read", "write", "unaligned_read", "unaligned_write"];
        names.extend(accesses.iter().map(|access| format!("__tsan_{access}{size}")));
    }
    let operations = [
        "load",
        "store",
        "exchange",
        "fetch_add",
        "fetch_sub",
        "fetch_and",
        "fetch_or",
        "fetch_xor",
        "fetch_nand",
        "compare_exchange_strong",
        "compare_exchange_weak",
        "compare_exchange_val",
    ];
    for bits in [8, 16, 32, 64] {
        names.extend(operations.iter().map(|operation| format!("__tsan_atomic{bits}_{operation}")));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_the_thread_library_lead_to_the_runtime() {
        let own = wrapped(Behind::Nothing);
        for name in ["pthread_create", "pthread_mutex_lock", "cnd_wait", "sem_post", "__assert_fail", "memcpy", "free"]
        {
            assert!(own.lines().any(|line| line == format!("--wrap={name}")), "{name} in {own}");
        }
        assert!(!own.contains("__tsan_") && own.lines().all(|line| !line.contains([' ', '*', '#'])), "{own}");
        assert!(wrapped(Behind::ThreadSanitizer).contains("--wrap=__tsan_atomic32_fetch_add\n"));
    }
}
