//! Schedules on the compiled program: built once, linked and run once for each.

use crate::events::{Events, Shows};
use crate::table::table;
use crate::toolchain::{Hindrance, Toolchain, finish, write};
use selvedge_frontend::compile::Source;
use selvedge_program::Program;
use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::time::Duration;

/// The runtime's exit status when it has shown a race or a deadlock.
const SHOWN: i32 = 90;

/// How much longer we wait for the program than its own alarm.
const GRACE: Duration = Duration::from_secs(5);

/// What a program is made of and run with.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// Its files and how they are compiled.
    pub sources: &'a [Source],
    /// The arguments of `main`.
    pub arguments: &'a [String],
    /// Functions that nobody defines and that give any value.
    pub pure_functions: Vec<String>,
    /// How long a run may take.
    pub limit: Duration,
}

/// What a run has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What it showed, or why it did not.
    pub shown: Result<String, String>,
    /// Where the threads were, and the like.
    pub notes: Vec<String>,
    /// What the program itself printed.
    pub output: Vec<u8>,
    /// What came to standard error: of the program, and of ThreadSanitizer where that is linked in.
    pub errors: Vec<u8>,
}

/// A compiled program, to be linked with one schedule after the other.
#[derive(Debug)]
pub struct Build<'a> {
    toolchain: &'a Toolchain,
    subject: Subject<'a>,
    folder: tempfile::TempDir,
    objects: Vec<PathBuf>,
    stubs: Vec<String>,
}

impl<'a> Build<'a> {
    /// Compiles a program's files.
    ///
    /// # Errors
    /// When one does not compile.
    pub fn new(toolchain: &'a Toolchain, subject: Subject<'a>) -> Result<Build<'a>, Hindrance> {
        let folder = tempfile::Builder::new().prefix("selvedge-replay").tempdir();
        let folder = folder.map_err(|error| Hindrance::Files { what: "a temporary folder".to_owned(), error })?;
        let mut objects = Vec::new();
        for (position, source) in subject.sources.iter().enumerate() {
            let object = folder.path().join(format!("source{position}.o"));
            toolchain.compile_source(source, &object)?;
            objects.push(object);
        }
        let stubs = stubs(&objects, &subject.pure_functions);
        Ok(Build { toolchain, subject, folder, objects, stubs })
    }

    /// The functions that give chosen values and that nobody defines.
    pub fn stubs(&self) -> &[String] {
        &self.stubs
    }

    /// Links the program with a schedule and runs it.
    ///
    /// # Errors
    /// When it does not link, or what it says cannot be read.
    pub fn replay(&self, program: &Program, events: &Events) -> Result<Run, Hindrance> {
        let at = |name: &str| self.folder.path().join(name);
        let options = self.subject.sources.first().map(|source| source.preprocess.clone()).unwrap_or_default();
        write(&at("table.c"), table(program, events, &self.stubs))?;
        let table = self.toolchain.compile_ours(&at("table.c"), "table", &options)?;
        let mut objects = self.objects.clone();
        objects.push(table);
        self.toolchain.link(&objects, &at("program"), &options)?;
        self.run(events)
    }

    fn run(&self, events: &Events) -> Result<Run, Hindrance> {
        let report = self.folder.path().join("report");
        let mut command = Command::new(self.folder.path().join("program"));
        command
            .args(self.subject.arguments)
            .env("SELVEDGE_REPORT", &report)
            .env("SELVEDGE_SECONDS", self.subject.limit.as_secs().max(1).to_string())
            .env("TSAN_OPTIONS", "exitcode=0 halt_on_error=0");
        let output = finish(command, "the compiled program", self.subject.limit + GRACE)?;
        let said = std::fs::read(&report).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).into_owned();
        let notes = said.lines().filter_map(|line| line.strip_prefix("note: ")).map(str::to_owned).collect();
        let shown = shown(events.shows, &said, output.status);
        Ok(Run { shown, notes, output: output.stdout, errors: output.stderr })
    }

    /// Whether ThreadSanitizer has reported a race in a run, at the address that the runtime says.
    pub fn is_confirmed(&self, run: &Run) -> bool {
        let said = run.shown.as_ref().ok().and_then(|what| what.rsplit_once("0x")).and_then(|(_, digits)| hex(digits));
        said.is_some_and(|address| is_reported(&String::from_utf8_lossy(&run.errors), address))
    }
}

fn hex(digits: &str) -> Option<u64> {
    u64::from_str_radix(digits.split(|digit: char| !digit.is_ascii_hexdigit()).next()?, 16).ok()
}

/// Whether a report of a race among ThreadSanitizer's is about an address: its accesses are `Write of size 4 at 0x1234
/// by thread T1:`.
fn is_reported(errors: &str, address: u64) -> bool {
    let reports = errors.split("WARNING: ThreadSanitizer: data race").skip(1);
    let mut accesses =
        reports.flat_map(str::lines).filter_map(|line| line.split_once(" of size ")?.1.split_once(" at 0x"));
    accesses.any(|(size, place)| {
        let size: u64 = size.parse().unwrap_or(1);
        hex(place).is_some_and(|start| (start..start.saturating_add(size)).contains(&address))
    })
}

/// What a run shows, by what the runtime says of it and by how the process ended.
fn shown(shows: Shows, said: &str, status: ExitStatus) -> Result<String, String> {
    let line = |word: &str| said.lines().find_map(|line| line.strip_prefix(word)).map(str::to_owned);
    if let Some(reason) = line("not reproduced: ") {
        return Err(reason);
    }
    let Some(what) = line("reproduced: ") else { return Err(format!("the program ends with {status}")) };
    let is_so = match shows {
        Shows::Assertion(_) => status.signal() == Some(6),
        Shows::Undefined(_) => status.signal().is_some(),
        Shows::Race | Shows::Deadlock | Shows::Interference => status.code() == Some(SHOWN),
    };
    if is_so { Ok(what) } else { Err(format!("{what}, but the program ends with {status}")) }
}

/// The functions that objects call, that nobody defines, and that give a chosen value.
fn stubs(objects: &[PathBuf], pure: &[String]) -> Vec<String> {
    let names = |flag: &str| -> Vec<String> {
        let mut command = Command::new("nm");
        command.args(["-P", flag]).args(objects.iter().map(|object| object.as_os_str() as &OsStr));
        let listed = command.output().map(|output| output.stdout).unwrap_or_default();
        let words = String::from_utf8_lossy(&listed).into_owned();
        words.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
    };
    let defined = names("--defined-only");
    let is_nondet = |name: &str| {
        let prefixes = ["__VERIFIER_nondet_", "__CPROVER_nondet_", "nondet_", "__selvedge_nondet_"];
        prefixes.iter().any(|prefix| name.starts_with(prefix)) || pure.iter().any(|pure| pure == name)
    };
    let mut stubs = names("-u");
    stubs.retain(|name| is_nondet(name) && !defined.contains(name));
    stubs.sort_unstable();
    stubs.dedup();
    stubs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confirmation_is_about_the_address() {
        let errors =
            "==\nWARNING: ThreadSanitizer: data race (pid=7)\n  Read of size 4 at 0x000000411418 by thread T1:\n";
        assert!(is_reported(errors, 0x41_1418) && is_reported(errors, 0x41_141b));
        assert!(!is_reported(errors, 0x41_141c) && !is_reported("  Read of size 4 at 0x10 by thread T1:", 0x10));
    }

    #[test]
    fn what_is_shown_is_compared_with_how_the_process_ended() {
        let said = "reproduced: assertion fails\n";
        let thread = selvedge_program::ThreadIndex(0);
        assert!(shown(Shows::Assertion(thread), said, ExitStatus::from_raw(6)).is_ok());
        assert!(shown(Shows::Assertion(thread), said, ExitStatus::from_raw(SHOWN << 8)).is_err());
        assert!(shown(Shows::Race, "reproduced: data race\n", ExitStatus::from_raw(SHOWN << 8)).is_ok());
        assert!(shown(Shows::Race, "", ExitStatus::from_raw(SHOWN << 8)).is_err());
        assert!(shown(Shows::Race, "not reproduced: so\n", ExitStatus::from_raw(SHOWN << 8)).is_err());
    }
}
