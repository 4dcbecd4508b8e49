//! Running the C compiler: its arguments, and a run that always ends.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::error::{Message, PreprocessError, Severity, Stage};
use super::headers::Headers;
use super::target::{self, Probe};
use super::{DataModel, Macro, Options, Preprocessed, messages, shell};

/// Bytes of the compiler's messages that are kept.
const MESSAGE_LIMIT: u64 = 1 << 20;

/// Stands for a time limit too large to add to the clock.
const FOREVER: Duration = Duration::from_secs(1 << 30);

/// Environment variables that make a compiler write files or change the form
/// of its messages.
const SCRUBBED: &[&str] = &["DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "GCC_COLORS", "GCC_EXTRA_DIAGNOSTIC_OUTPUT"];

/// Runs `path` through the compiler's preprocessor.
pub(super) fn preprocess(path: &Path, options: &Options, headers: &Headers) -> Result<Preprocessed, PreprocessError> {
    let compiler = Compiler::chosen(options);
    let probe = target::probe(&compiler, path, options, headers)?;
    let mut command = compiler.command();
    command.args(arguments(options, headers, &probe));
    command.arg(argument_path(path));
    let output = run(command, options.limits.time, options.limits.preprocessed)
        .map_err(|failure| compiler.error(failure, path, options))?;

    let stderr = headers.rename_in_message(&String::from_utf8_lossy(&output.stderr));
    let said = messages::parse(&stderr);
    if !output.status.success() {
        return Err(compiler.rejection(path, said, &stderr, output.status));
    }
    Ok(Preprocessed { path: path.to_owned(), text: headers.rename_in_markers(&output.stdout), warnings: said })
}

/// Everything between the compiler's name and the input's. Later options win,
/// so the data model follows the extra options, as it did when probed.
fn arguments(options: &Options, headers: &Headers, probe: &Probe) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = ["-E", "-fdiagnostics-color=never"].map(OsString::from).to_vec();
    arguments.extend(program_arguments(options, &probe.arguments, Some(headers.dir())));
    arguments.extend(["-x", "c"].map(OsString::from));
    arguments
}

/// What says which program a file is, with our headers or, for a program that is to run, without them.
fn program_arguments(options: &Options, model: &[OsString], headers: Option<&Path>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec!["-D__SELVEDGE__=1".into()];
    arguments.extend(options.extra.iter().map(OsString::from));
    arguments.extend_from_slice(model);
    if let Some(std) = &options.std {
        arguments.push(format!("-std={std}").into());
    }
    let mut folders = |option: &str, folders: &[PathBuf]| {
        for folder in folders {
            arguments.push(option.into());
            arguments.push(argument_path(folder));
        }
    };
    folders("-iquote", &options.quote_dirs);
    folders("-I", &options.include_dirs);
    folders("-isystem", &headers.map(Path::to_owned).into_iter().collect::<Vec<_>>());
    folders("-isystem", &options.system_dirs);
    for change in &options.macros {
        arguments.push(match change {
            Macro::Define(definition) => format!("-D{definition}").into(),
            Macro::Undefine(name) => format!("-U{name}").into(),
        });
    }
    // The C library's checked variants would hide the functions' own names.
    arguments.push("-U_FORTIFY_SOURCE".into());
    for include in &options.includes {
        arguments.push("-include".into());
        arguments.push(argument_path(include));
    }
    arguments
}

/// The arguments that compile a file as the program it is, with the system's own headers.
pub fn native_arguments(options: &Options) -> Vec<OsString> {
    let model: &[OsString] = match options.data_model {
        DataModel::Lp64 => &[],
        DataModel::Ilp32 => &["-m32".into()],
    };
    program_arguments(options, model, None)
}

/// `path`, spelt so that no compiler takes it for an option or `@file`.
pub fn argument_path(path: &Path) -> OsString {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(path).into_os_string(),
        _ => path.as_os_str().to_owned(),
    }
}

/// The C compiler to run: a program, and arguments that come first (`CC` may
/// hold `ccache gcc`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Compiler {
    program: OsString,
    first: Vec<String>,
}

impl Compiler {
    /// The one that the options or the environment name, or else `cc`.
    pub fn chosen(options: &Options) -> Compiler {
        let program = match &options.compiler {
            Some(path) => path.clone().into_os_string(),
            None => match env::var_os("CC").filter(|value| !value.is_empty()) {
                Some(value) => return Compiler::from_variable(value),
                None => "cc".into(),
            },
        };
        Compiler { program, first: Vec::new() }
    }

    fn from_variable(value: OsString) -> Compiler {
        let words = value.to_str().and_then(|text| shell::split(text).ok());
        match words.as_deref() {
            Some([program, first @ ..]) => Compiler { program: program.into(), first: first.to_vec() },
            _ => Compiler { program: value, first: Vec::new() },
        }
    }

    /// Its name, for messages.
    pub fn name(&self) -> String {
        self.program.to_string_lossy().into_owned()
    }

    /// A command without arguments of ours, in an environment that keeps its
    /// messages in the form we read.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.first).env("LC_ALL", "C");
        for name in SCRUBBED {
            command.env_remove(name);
        }
        command
    }

    pub(super) fn error(&self, failure: Failure, path: &Path, options: &Options) -> PreprocessError {
        let path = path.to_owned();
        let compiler = self.name();
        match failure {
            Failure::Spawn(source) => PreprocessError::NoCompiler { compiler, source },
            Failure::Io(source) => PreprocessError::Io { what: format!("the C compiler `{compiler}`"), source },
            Failure::TimedOut => PreprocessError::TimedOut { path, compiler, limit: options.limits.time },
            Failure::TooLarge => {
                PreprocessError::TooLarge { path, stage: Stage::Preprocessed, limit: options.limits.preprocessed }
            }
        }
    }

    /// The error for a run that failed: what the compiler said, or, when it
    /// said nothing we can read, how it ended.
    pub(super) fn rejection(
        &self,
        path: &Path,
        mut said: Vec<Message>,
        stderr: &str,
        status: ExitStatus,
    ) -> PreprocessError {
        if !said.iter().any(|m| m.severity == Severity::Error) {
            let name = self.name();
            let ending = match status.signal() {
                Some(signal) => format!("`{name}` was killed by signal {signal}"),
                None => format!("`{name}` failed with {status}"),
            };
            let last = stderr.lines().rev().find(|line| !line.trim().is_empty());
            let text = match last {
                Some(line) => format!("{ending}: {}", line.trim()),
                None => ending,
            };
            said.push(Message { place: None, severity: Severity::Error, text, included_from: Vec::new() });
        }
        PreprocessError::Rejected { path: path.to_owned(), compiler: self.name(), messages: said }
    }
}

/// What a finished run left.
#[derive(Debug)]
pub struct Output {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Why a run did not finish.
#[derive(Debug)]
pub enum Failure {
    Spawn(io::Error),
    Io(io::Error),
    TimedOut,
    TooLarge,
}

/// Runs `command` with nothing on its input, both outputs read at once, and at
/// most `limit` bytes of output within `time`. When a bound is passed, the
/// process and those it started are killed.
pub fn run(mut command: Command, time: Duration, limit: u64) -> Result<Output, Failure> {
    let start = Instant::now();
    let deadline = start.checked_add(time).unwrap_or(start + FOREVER);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(Failure::Spawn)?;
    let result = collect(&mut child, deadline, limit);
    if result.is_err() {
        kill_group(&mut child);
    }
    result
}

fn collect(child: &mut Child, deadline: Instant, limit: u64) -> Result<Output, Failure> {
    let stdout = reader(child.stdout.take(), limit.saturating_add(1), Excess::Refuse);
    let stderr = reader(child.stderr.take(), MESSAGE_LIMIT, Excess::Discard);
    let stdout = receive(&stdout, deadline)?;
    if stdout.len() as u64 > limit {
        return Err(Failure::TooLarge);
    }
    let stderr = receive(&stderr, deadline)?;
    loop {
        if let Some(status) = child.try_wait().map_err(Failure::Io)? {
            return Ok(Output { status, stdout, stderr });
        }
        if Instant::now() >= deadline {
            return Err(Failure::TimedOut);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

type Received = mpsc::Receiver<io::Result<Vec<u8>>>;

/// What happens to bytes beyond a reader's limit.
#[derive(Clone, Copy)]
enum Excess {
    /// The pipe is closed, which stops a compiler that would write for ever.
    Refuse,
    /// They are read and forgotten.
    Discard,
}

/// Reads at most `limit` bytes of a pipe in a thread of its own.
fn reader<R>(pipe: Option<R>, limit: u64, excess: Excess) -> Received
where
    R: Read + Send + 'static,
{
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let read = pipe.map_or(Ok(Vec::new()), |pipe| read_pipe(pipe, limit, excess));
        // The receiver is gone when the run has already been given up.
        let _ = sender.send(read);
    });
    receiver
}

fn read_pipe(mut pipe: impl Read, limit: u64, excess: Excess) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.by_ref().take(limit).read_to_end(&mut bytes)?;
    if let Excess::Discard = excess {
        io::copy(&mut pipe, &mut io::sink())?;
    }
    Ok(bytes)
}

fn receive(receiver: &Received, deadline: Instant) -> Result<Vec<u8>, Failure> {
    let left = deadline.saturating_duration_since(Instant::now());
    match receiver.recv_timeout(left) {
        Ok(read) => read.map_err(Failure::Io),
        Err(mpsc::RecvTimeoutError::Timeout) => Err(Failure::TimedOut),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err(Failure::Io(io::Error::other("the reader thread died"))),
    }
}

/// Kills the child's process group: a compiler driver runs the preprocessor as
/// a process of its own. Failures leave nothing to do.
fn kill_group(child: &mut Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("/bin/sh")
        .args([OsStr::new("-c"), OsStr::new("kill -KILL \"$1\"")])
        .args(["sh", &group])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_variable_may_hold_arguments() {
        let compiler = Compiler::from_variable("ccache 'my gcc' -m64".into());
        assert_eq!(compiler.program, "ccache");
        assert_eq!(compiler.first, ["my gcc", "-m64"]);
        let odd = Compiler::from_variable("it's".into());
        assert_eq!(odd.program, "it's");
        assert!(odd.first.is_empty());
    }

    #[test]
    fn an_option_wins_over_the_environment() {
        let options = Options { compiler: Some("/opt/my cc".into()), ..Options::default() };
        assert_eq!(Compiler::chosen(&options).program, "/opt/my cc");
    }

    #[test]
    fn paths_are_never_options() {
        assert_eq!(argument_path(Path::new("-x.c")), "./-x.c");
        assert_eq!(argument_path(Path::new("@x.c")), "./@x.c");
        assert_eq!(argument_path(Path::new("/a/-x.c")), "/a/-x.c");
        assert_eq!(argument_path(Path::new("x.c")), "x.c");
    }
}
