//! The command line: its grammar, and the spellings that C compilers have taught people.

mod conform;

pub use conform::{ConformArguments, ContractArguments, Origin};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use selvedge::EngineName;
use selvedge::svcomp::Specification;
use selvedge_contracts::Instances;
use selvedge_evidence::{Replicas, Unwind};
use selvedge_frontend::compile::{CompileOptions, Source};
use selvedge_frontend::lower::{Accepted, Call, Calls, Failures, Start, Uninitialised};
use selvedge_frontend::preprocess::{self, CompileCommands, Lines, Macro, SplitError};
use selvedge_program::DataModel;
use std::ffi::OsString;
use std::path::PathBuf;

/// A verifier for multithreaded C: proofs with certificates, bugs with schedules.
#[derive(Debug, Parser)]
#[command(name = "selvedge", version, about, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 safe, 1 unsafe, 2 usage or input error, 3 unknown or bounded, 4 an internal error left something open."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Take options from FILE instead of the nearest selvedge.toml (docs/project.md)
    #[arg(long, global = true, value_name = "FILE", help_heading = "Project")]
    pub project: Option<PathBuf>,
    /// Take options from the command line alone
    #[arg(long, global = true, conflicts_with = "project", help_heading = "Project")]
    pub no_project: bool,
}

/// What Selvedge can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check a program: can an assertion fail, threads race, deadlock, or do something undefined?
    Check(Box<CheckArguments>),
    /// Check the certificates of a program, as `check --certificate` writes them, without any engine
    Certify(CertifyArguments),
    /// Replay a schedule that `check --schedule` wrote, on the compiled program
    Replay(ReplayArguments),
    /// Show what is known of a program at a glance: its threads and when they run, what they share, its pointers and
    /// checks
    Facts(FactsArguments),
    /// Show what the front end makes of a program
    Dump(DumpArguments),
    /// Abstract a program to a Boolean broadcast program by predicates, and print that
    Abstract(AbstractArguments),
    /// Decide whether an assertion of a Boolean program can fail, for so many threads or for any number
    Boolean(BooleanArguments),
    /// Check that each thread of a program does what a specification of abstract threads says
    Conform(ConformArguments),
    /// Write the specification that a thread-modular proof of a program's assertions, or all its executions, induce
    Contract(ContractArguments),
    /// Check the composition of the abstract threads of a specification: can one go wrong, or all wait for good?
    Compose(Box<ComposeArguments>),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

/// A program as a command is given it.
#[derive(Debug)]
pub struct Given<'a> {
    /// Its files.
    pub input: &'a mut Input,
    /// Whether what is asked may come from a task definition.
    pub takes_its_property: bool,
    /// How to write.
    pub screen: Screen,
    /// Whether errors are wanted as JSON.
    pub is_json: bool,
}

impl Command {
    /// The program that a command is about.
    pub fn program(&mut self) -> Option<Given<'_>> {
        let (takes_its_property, input, screen, is_json) = match self {
            Command::Check(of) => {
                let is_asked = !of.property.is_empty() || of.race_on.is_some();
                let is_asked = is_asked || !of.atomic.is_empty() || !of.exclusive.is_empty();
                (!is_asked, &mut of.input, of.screen, of.reporting.json)
            }
            Command::Certify(of) => (true, &mut of.input, of.screen, of.json),
            Command::Replay(of) => (true, &mut of.input, of.screen, false),
            Command::Facts(of) => (true, &mut of.input, of.screen, of.json),
            Command::Dump(of) => (true, &mut of.input, of.screen, false),
            Command::Abstract(of) => (true, &mut of.input, of.screen, false),
            Command::Contract(of) => (true, &mut of.input, of.screen, false),
            // Its first file is a specification.
            Command::Compose(_) | Command::Conform(_) => return None,
            Command::Boolean(_) | Command::Completions { .. } => return None,
        };
        Some(Given { input, takes_its_property, screen, is_json })
    }
}

/// `selvedge check`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  selvedge check queue.c                        everything, with all engines, for at most a minute
  selvedge check --timeout 30 -Iinclude queue.c lock.c
  selvedge check --property race --race-on head queue.c
  selvedge check --threads 3 server.c           at most 3 threads of each kind at a time
  selvedge check --setup init --concurrent push,pop stack.c
                                                a library: any number of threads call push and pop
  selvedge check --json queue.c | jq .verdict
  selvedge check --sarif queue.sarif --html queue.html queue.c
  selvedge check --spec no-data-race.prp --witness witness.yml queue.yml

Exit status: 0 safe, 1 unsafe, 2 usage or input error, 3 unknown or bounded, 4 an internal error left something open.")]
pub struct CheckArguments {
    #[command(flatten)]
    pub input: Input,
    /// Check this property (repeatable; all of them but overflow if none is given)
    #[arg(long, value_enum, value_name = "PROPERTY", conflicts_with = "spec")]
    pub property: Vec<PropertyChoice>,
    /// Report only data races on this object
    #[arg(long, value_name = "NAME", conflicts_with = "spec")]
    pub race_on: Option<String>,
    /// Report interference of another thread from an access on the first line to the same thread's next access to the
    /// same place, on the second (repeatable)
    #[arg(long, value_name = "[FILE:]LINE-LINE", value_parser = lines, conflicts_with = "spec")]
    pub atomic: Vec<LinePair>,
    /// Let at most N threads run the same function at a time; what this cuts off makes the verdict bounded. `any` asks
    /// for verdicts that hold for every number, which the engine cartesian alone gives
    #[arg(long, value_name = "N|any", value_parser = threads)]
    pub threads: Option<Replicas>,
    /// Report two threads at these labels at once: LABEL or FROM..TO, several with commas (repeatable); deadlock is
    /// left out
    #[arg(long, value_name = "LABEL,...", conflicts_with = "spec")]
    pub exclusive: Vec<String>,
    /// Exception sets for the engine `cartesian` (docs/cartesian.md describes the form)
    #[arg(long, value_name = "FILE")]
    pub exceptions: Option<PathBuf>,
    /// Do not let the engine `cartesian` look for exception sets
    #[arg(long)]
    pub no_inference: bool,
    /// Use this engine (repeatable; all of them side by side if none is given)
    #[arg(long, value_name = "ENGINE", value_parser = engines())]
    pub engine: Vec<EngineName>,
    /// Stop after so many seconds with what is known by then; 0 for no limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub timeout: std::time::Duration,
    /// Let the engines keep at most so many MiB together
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
    /// Leave violations that FILE names out of the exit status, and tell them in short; so are those on a line with a
    /// comment `selvedge: expected-race REASON` (or expected-assertion, -deadlock, -memory)
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all violations that are found to the file of --baseline
    #[arg(long, requires = "baseline")]
    pub write_baseline: bool,
    /// Stop at the first violation instead of going on to the other checks
    #[arg(long)]
    pub stop_on_fail: bool,
    /// Let loops go round at most K times where an engine needs a bound (interference); auto: ever more often, until
    /// there is a verdict or no time
    #[arg(long, value_name = "K|auto", value_parser = unwind, default_value = "auto")]
    pub unwind: Unwind,
    /// How the interference engine refines what it knows of other threads
    #[arg(long, value_enum, value_name = "MODE", default_value_t = ModeChoice::Mixed, hide_short_help = true)]
    pub mode: ModeChoice,
    /// What the engine `modular` lets each thread expect of the others
    #[arg(long, value_enum, value_name = "FORM", default_value_t = EnvironmentChoice::Relation, hide_short_help = true)]
    pub environment: EnvironmentChoice,
    /// Write the certificates of all that is safe to FILE (docs/certificates.md describes the form); `selvedge certify`
    /// checks them
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    #[command(flatten)]
    pub schedules: Schedules,
    /// With --spec or a task: write a witness of a violation too, for other verifiers (docs/svcomp.md): in GraphML if OUT
    /// ends in .graphml, else in YAML
    #[arg(long, value_name = "OUT")]
    pub witness: Option<PathBuf>,
    #[command(flatten)]
    pub reporting: Reporting,
    #[command(flatten)]
    pub screen: Screen,
}

/// What is told of a verdict, and in which forms.
#[derive(Clone, Debug, Args)]
pub struct Reporting {
    /// Print one JSON object instead of text (docs/json.md describes it)
    #[arg(long)]
    pub json: bool,
    /// Write a SARIF 2.1.0 log too, for code hosts and editors (docs/ci.md)
    #[arg(long, value_name = "OUT")]
    pub sarif: Option<PathBuf>,
    /// Write a page for the browser too, with schedules to step through; it needs no network
    #[arg(long, value_name = "OUT")]
    pub html: Option<PathBuf>,
    /// Print the verdict alone
    #[arg(short, long)]
    pub quiet: bool,
    /// Print every step of schedules, also those that no other thread notices
    #[arg(short, long)]
    pub verbose: bool,
    /// Print a line for every shared object and assertion: its verdict, and what that stands on
    #[arg(long)]
    pub explain: bool,
    /// Print what the run took
    #[arg(long)]
    pub statistics: bool,
}

/// `selvedge certify`
#[derive(Debug, Args)]
#[command(
    override_usage = "selvedge certify [OPTIONS] <FILE>... <CERTIFICATES>",
    after_help = "The last FILE holds the certificates, those before it are the program, with the compiler flags that `check` was given.

Examples:
  selvedge check --certificate queue.cert queue.c && selvedge certify queue.c queue.cert
  selvedge certify --solver \"z3 -in\" queue.c queue.cert

Exit status: 0 all that is claimed is accepted, 1 something is refused, 2 usage or input error, 4 an internal error."
)]
pub struct CertifyArguments {
    #[command(flatten)]
    pub input: Input,
    /// Two threads at these labels at once are a race, as for `check`
    #[arg(long, value_name = "LABEL,...")]
    pub exclusive: Vec<String>,
    /// Let CMD answer the questions about thread-modular proofs, in SMT-LIB from its standard input, such as \"z3 -in\"
    #[arg(long, value_name = "CMD", value_parser = words)]
    pub solver: Option<Words>,
    /// Refuse what is not checked after so many seconds; 0 for no limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub timeout: std::time::Duration,
    /// Refuse what takes more than so many MiB to check
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
    /// Print one JSON object instead of text (docs/json.md describes it)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub screen: Screen,
}

/// What becomes of the schedules of violations.
#[derive(Debug, Args)]
pub struct Schedules {
    /// Write the schedules of all violations to OUT, for `selvedge replay`
    #[arg(long, value_name = "OUT")]
    pub schedule: Option<PathBuf>,
    /// Reproduce every violation on the compiled program
    #[arg(long)]
    pub replay: bool,
    /// With --replay, have ThreadSanitizer confirm races
    #[arg(long, requires = "replay")]
    pub tsan: bool,
    /// Write a folder in which `make` reproduces the first violation without Selvedge
    #[arg(long, value_name = "DIR")]
    pub reproducer: Option<PathBuf>,
}

/// `selvedge replay`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  selvedge check --schedule bug.schedule queue.c
  selvedge replay queue.c bug.schedule

Exit status: 0 everything was reproduced, 1 not everything, 2 usage or input error.")]
pub struct ReplayArguments {
    #[command(flatten)]
    pub input: Input,
    /// The schedules, of this very program
    #[arg(required = true, value_name = "SCHEDULE")]
    pub schedule: PathBuf,
    /// Replay through the semantics of the program model alone, and show the violations
    #[arg(long, conflicts_with = "tsan")]
    pub semantics: bool,
    /// Have ThreadSanitizer confirm races
    #[arg(long)]
    pub tsan: bool,
    /// Give a run of the compiled program so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub timeout: std::time::Duration,
    #[command(flatten)]
    pub screen: Screen,
}

/// The properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PropertyChoice {
    /// No assertion fails and no error function is reached
    Assertion,
    /// No two threads access one place at once, one of them writing, not both atomically
    Race,
    /// There are never live threads none of which can move
    Deadlock,
    /// Nothing undefined happens: bad pointers, use after free, division by zero, misuse of locks, ...
    Memory,
    /// No signed arithmetic overflows (only where asked for: otherwise it wraps)
    Overflow,
}

/// How interference is refined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeChoice {
    /// Not at all: everything is there from the start
    Full,
    /// From above: what a spurious execution violates is added
    Over,
    /// From below: what a refutation leaves out is allowed
    Under,
    /// From both sides
    Mixed,
}

/// What threads expect of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EnvironmentChoice {
    /// Each step where it was found to be taken, with its effect
    Relation,
    /// There, anything in what the step writes
    Havoc,
    /// Each step anywhere, with its effect
    Anywhere,
}

/// The engines that can be picked.
fn engines() -> impl TypedValueParser<Value = EngineName> {
    let names = EngineName::all().map(|engine| PossibleValue::new(engine.name()).help(engine.about()));
    PossibleValuesParser::new(names).try_map(|name| EngineName::of(&name).ok_or("no such engine"))
}

fn threads(text: &str) -> Result<Replicas, String> {
    match text.parse::<u32>() {
        _ if text == "any" => Ok(Replicas::Any),
        Ok(0) | Err(_) => Err("neither a number from 1 on nor `any`".to_owned()),
        Ok(most) => Ok(Replicas::AtMost(u64::from(most))),
    }
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    std::time::Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Two lines of a file, or of the only one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinePair {
    /// The file, as in FILE….
    pub file: Option<String>,
    /// The first line.
    pub first: u32,
    /// The second.
    pub second: u32,
}

fn lines(text: &str) -> Result<LinePair, String> {
    let (file, lines) = match text.rsplit_once(':') {
        Some((file, lines)) => (Some(file.to_owned()), lines),
        None => (None, text),
    };
    let numbers = lines.split_once('-').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    let (first, second) = numbers.ok_or("two lines look like 12-15, or queue.c:12-15")?;
    Ok(LinePair { file, first, second })
}

fn unwind(text: &str) -> Result<Unwind, String> {
    match text {
        "auto" => Ok(Unwind::Auto),
        number => number.parse().map(Unwind::Exactly).map_err(|_| "neither a number nor `auto`".to_owned()),
    }
}

/// `selvedge facts`
#[derive(Debug, Args)]
#[command(
    after_help = "Every fact is an over-approximation: what is not shown cannot happen, what is shown may not happen either.
\"beside\" and \"while\" do not take locks into account."
)]
pub struct FactsArguments {
    #[command(flatten)]
    pub input: Input,
    /// Stop after so many seconds; 0 for no limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub timeout: std::time::Duration,
    /// What the engine `modular` lets each thread expect of the others
    #[arg(long, value_enum, value_name = "FORM", default_value_t = EnvironmentChoice::Relation, hide_short_help = true)]
    pub environment: EnvironmentChoice,
    /// Print one JSON object instead of text (docs/json.md describes it)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub screen: Screen,
}

/// `selvedge dump`
#[derive(Debug, Args)]
pub struct DumpArguments {
    #[command(flatten)]
    pub input: Input,
    /// The program model, as objects and control-flow automata (the default)
    #[arg(long)]
    pub program: bool,
    #[command(flatten)]
    pub screen: Screen,
}

/// `selvedge abstract`
#[derive(Debug, Args)]
#[command(
    after_help = "A predicate is a line of the file, such as `s == thread::l` or `b: s == l` with a name for its variable
(docs/predicates.md); what follows # or // is no part of it. docs/broadcast.md describes what is printed.

Examples:
  selvedge abstract ticket.scpl --predicates ticket.txt
  selvedge abstract ticket.c --predicates ticket.txt --cube 2 | selvedge boolean -
  selvedge abstract ticket.scpl --refine --threads 3

Exit status: 0; with --refine 0 safe, 1 unsafe, 3 unknown; 2 usage or input error."
)]
pub struct AbstractArguments {
    #[command(flatten)]
    pub input: Input,
    /// The predicates, one on each line
    #[arg(long, value_name = "FILE", required_unless_present = "refine")]
    pub predicates: Option<PathBuf>,
    /// Check the Boolean program, and refine it by its counterexamples until the program is decided
    #[arg(long)]
    pub refine: bool,
    /// Let so many predicates together say what a step makes of another one; 0: only one that is equivalent to its weakest
    /// precondition
    #[arg(long, value_name = "0|1|2", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=2))]
    pub cube: u8,
    /// Let predicates of one passive thread say what a step makes of those of the active one, too
    #[arg(long)]
    pub witness: bool,
    /// Write values, `b := schoose[...]`, instead of `havoc {...} constrain ...`
    #[arg(long)]
    pub values: bool,
    /// How many threads of a program in SCPL there are; with --refine, how many of any program there are at most at a time,
    /// beside that of `main`
    #[arg(long, value_name = "N|any", value_parser = threads)]
    pub threads: Option<Replicas>,
    /// Leave `main` out, which must do nothing but start threads, and have any number of these (so it is for SCPL)
    #[arg(long, conflicts_with = "refine")]
    pub without_main: bool,
    /// Assert that nothing undefined happens, beside the program's assertions
    #[arg(long)]
    pub undefined: bool,
    /// Stop after so many seconds; 0 for no limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub timeout: std::time::Duration,
    #[command(flatten)]
    pub screen: Screen,
}

/// `selvedge boolean`
#[derive(Debug, Args)]
#[command(after_help = "docs/broadcast.md describes both dialects.

Exit status: 0 safe, 1 unsafe, 2 usage or input error, 3 unknown or bounded, 4 an internal error.")]
pub struct BooleanArguments {
    /// A Boolean program, in the syntax of paper 004 or in the dialect of SLAM and Boppo; - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// With N threads of every template that has [n] of them, and at most as many more as are started; or for every number
    #[arg(long, value_name = "N|any", value_parser = threads, default_value = "any")]
    pub threads: Replicas,
    /// How the program is written; by its first word if this is not given
    #[arg(long, value_enum)]
    pub dialect: Option<DialectChoice>,
    /// Print the program as it is understood, in the syntax of the paper, and decide nothing
    #[arg(long)]
    pub print: bool,
    /// Stop after so many seconds; 0 for no limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub timeout: std::time::Duration,
}

/// `selvedge compose`
#[derive(Debug, Args)]
#[command(
    override_usage = "selvedge compose [OPTIONS] <SPECIFICATION> [FILE]...",
    after_help = "The first FILE is the specification (.threads; docs/contracts.md describes the language). Those after it are the C program whose
variables and functions it names; without one its own declarations count.

Examples:
  selvedge compose bluetooth.threads                       as many threads as the specification says
  selvedge compose --threads pnp_add=2 bluetooth.threads
  selvedge compose --format bluetooth.threads > formatted.threads

Exit status: 0 safe, 1 unsafe, 2 usage or input error, 3 unknown or bounded, 4 an internal error left something open."
)]
pub struct ComposeArguments {
    #[command(flatten)]
    pub input: Input,
    /// How many threads there are of an abstract thread, or of all that the specification has any number of (repeatable)
    #[arg(long, value_name = "[NAME=]N|any", value_parser = count)]
    pub threads: Vec<Count>,
    /// Print the specification in one form, with its comments, and decide nothing
    #[arg(long, conflicts_with_all = ["draw", "promela"])]
    pub format: bool,
    /// Draw the abstract threads, write the picture to OUT (SVG), and decide nothing
    #[arg(long, value_name = "OUT")]
    pub draw: Option<PathBuf>,
    /// Write the composition to OUT as a model for SPIN, and decide nothing
    #[arg(long, value_name = "OUT")]
    pub promela: Option<PathBuf>,
    /// Check this property (repeatable; assertions of states, deadlock and definedness if none is given)
    #[arg(long, value_enum, value_name = "PROPERTY")]
    pub property: Vec<PropertyChoice>,
    /// Use this engine (repeatable; all of them side by side if none is given)
    #[arg(long, value_name = "ENGINE", value_parser = engines())]
    pub engine: Vec<EngineName>,
    /// Stop after so many seconds with what is known by then; 0 for no limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub timeout: std::time::Duration,
    /// Let the engines keep at most so many MiB together
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
    /// Write the certificates of all that is safe to OUT (docs/certificates.md describes the form)
    #[arg(long, value_name = "OUT")]
    pub certificate: Option<PathBuf>,
    #[command(flatten)]
    pub reporting: Reporting,
    #[command(flatten)]
    pub screen: Screen,
}

/// How many threads there are of an abstract thread, or of those that there are any number of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Which abstract thread.
    pub name: Option<String>,
    /// How many.
    pub instances: Instances,
}

fn count(text: &str) -> Result<Count, String> {
    let (name, number) = match text.split_once('=') {
        Some((name, number)) => (Some(name.to_owned()), number),
        None => (None, text),
    };
    let instances = match number.parse() {
        _ if number == "any" => Instances::Any,
        Ok(number) => Instances::Exactly(number),
        Err(_) => return Err("a count looks like `3`, `any`, `worker=3` or `worker=any`".to_owned()),
    };
    Ok(Count { name, instances })
}

/// How Boolean programs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DialectChoice {
    /// As in the paper: shared, local, havoc, constrain, goto
    Paper,
    /// As SLAM, Boppo and Boom have it: decl, begin, end, schoose
    Slam,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColourChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How to write.
#[derive(Clone, Copy, Debug, Args)]
pub struct Screen {
    /// When to use colour
    #[arg(long, value_enum, default_value_t = ColourChoice::Auto, value_name = "WHEN")]
    pub color: ColourChoice,
}

/// The program to look at, as a C compiler would be given it.
#[derive(Clone, Debug, Args)]
pub struct Input {
    /// C files (or preprocessed .i files), which together make one program; or one program in SCPL (.scpl); or one
    /// task definition (.yml), which names them
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Take compiler flags from DIR/compile_commands.json
    #[arg(short = 'p', long = "build", value_name = "DIR", help_heading = "Compiler flags")]
    pub build: Option<PathBuf>,
    /// Search DIR for included files
    #[arg(short = 'I', value_name = "DIR", help_heading = "Compiler flags")]
    pub include_dirs: Vec<PathBuf>,
    /// Search DIR for included files, after all -I
    #[arg(long = "isystem", value_name = "DIR", help_heading = "Compiler flags")]
    pub system_dirs: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Compiler flags")]
    pub defines: Vec<String>,
    /// Undefine a macro (after all -D)
    #[arg(short = 'U', value_name = "NAME", help_heading = "Compiler flags")]
    pub undefines: Vec<String>,
    /// Include FILE first
    #[arg(long = "include", value_name = "FILE", help_heading = "Compiler flags")]
    pub includes: Vec<PathBuf>,
    /// The C standard, such as gnu11
    #[arg(long = "std", value_name = "STANDARD", help_heading = "Compiler flags")]
    pub standard: Option<String>,
    /// The sizes of int, long and pointers
    #[arg(long, value_enum, value_name = "MODEL", help_heading = "Compiler flags", ignore_case = true)]
    pub data_model: Option<DataModelChoice>,
    /// The same as --data-model ILP32
    #[arg(long = "m32", help_heading = "Compiler flags", conflicts_with = "data_model")]
    pub m32: bool,
    /// Assume that an undefined function has no effect and returns anything
    #[arg(long, value_name = "NAME")]
    pub assume_pure: Vec<String>,
    /// Accept that functions which nobody defines or models touch only what they are given: all of them, or those that
    /// are named. Without this what is proved of a program that calls one is `unknown`, with that as the reason
    #[arg(long, value_name = "NAME,...", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub assume_externals: Option<String>,
    /// Take the functions that FILE defines for models of those of the same name, before any model of ours
    #[arg(long = "model", value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// Run the program with these arguments, split into words as a shell does; without them a `main` that looks at its
    /// arguments is run with any: up to 15, of up to 15 characters each
    #[arg(long, value_name = "WORDS", value_parser = words, allow_hyphen_values = true)]
    pub args: Option<Words>,
    /// Let any number of threads call these functions instead of running `main`, any of them at any time, with any
    /// arguments; `f+g` is a call of f and then one of g by the same thread, with what f returned, and `f(_,8)` one with
    /// a given number
    #[arg(long, value_name = "CALL,...", value_parser = calls, help_heading = "Libraries")]
    pub concurrent: Option<CallList>,
    /// Before that, call these functions, one after the other
    #[arg(long, value_name = "CALL,...", value_parser = calls, requires = "concurrent", help_heading = "Libraries")]
    pub setup: Option<CallList>,
    /// Call this function once, with any arguments, instead of running `main`
    #[arg(long, value_name = "CALL", value_parser = calls, conflicts_with_all = ["concurrent", "args"],
        help_heading = "Libraries")]
    pub entry: Option<CallList>,
    /// Take the program's handlers of signals never to run: they are not modelled, and without this what is proved of a
    /// program that has some is `unknown`, with that as the reason
    #[arg(long)]
    pub no_signals: bool,
    /// Take a single access to a volatile number or pointer for atomic, as old code does; `x++` is still two accesses
    #[arg(long)]
    pub volatile_atomic: bool,
    /// Let pthread_create store the thread's id when the new thread may be running already, as POSIX allows
    #[arg(long)]
    pub late_thread_id: bool,
    /// Let reading memory that nobody has written be undefined behaviour (of --property memory); otherwise it turns out
    /// to be any value, and stays that
    #[arg(long)]
    pub uninitialised: bool,
    /// Take rand, srand and random for thread-safe, as glibc promises and no standard does
    #[arg(long)]
    pub thread_safe_libc: bool,
    /// Ask what a property file of the competition on software verification asks (docs/svcomp.md): only calls of the
    /// function that it names are failures, and lines of preprocessed files are their own
    #[arg(long, value_name = "FILE.prp")]
    pub spec: Option<PathBuf>,
    /// What the property file says, once it has been read.
    #[arg(skip)]
    pub specification: Option<Specification>,
}

/// Words of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(pub Vec<String>);

fn words(text: &str) -> Result<Words, SplitError> {
    preprocess::split(text).map(Words)
}

/// Calls of functions by name: each item is some calls in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallList(pub Vec<Vec<Call>>);

fn calls(text: &str) -> Result<CallList, String> {
    Call::list(text).map(CallList)
}

/// The data models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DataModelChoice {
    /// 64-bit long and pointers
    #[value(name = "LP64")]
    Lp64,
    /// 32-bit long and pointers
    #[value(name = "ILP32")]
    Ilp32,
}

impl Input {
    /// The files to compile, and how.
    pub fn sources(&self) -> Result<(Vec<Source>, CompileOptions), String> {
        let mut options = self.options();
        let database = self.build.as_ref().map(|build| CompileCommands::load(build)).transpose();
        let database = database.map_err(|error| error.to_string())?;
        let mut sources = Vec::new();
        for file in self.files.iter().chain(&self.models) {
            let mut preprocess = preprocess::Options::default();
            if let Some(database) = database.as_ref().filter(|_| !self.models.contains(file)) {
                let command = database.entry_for(file).map_err(|error| error.to_string())?;
                if let Some(flag) = command.unsupported.first() {
                    return Err(format!("{} is compiled with {flag}, which is not supported", file.display()));
                }
                preprocess = command.options.clone();
            }
            preprocess.append(&options.preprocess);
            sources.push(Source { path: file.clone(), preprocess });
        }
        if let Some(source) = sources.first() {
            options.preprocess.data_model = source.preprocess.data_model;
        }
        Ok((sources, options))
    }

    /// What runs first.
    fn start(&self) -> Start {
        let in_order = |list: &Option<CallList>| list.iter().flat_map(|list| list.0.concat()).collect();
        match (&self.concurrent, &self.entry) {
            (Some(concurrent), _) => {
                Start::Calls(Calls { setup: in_order(&self.setup), concurrent: concurrent.0.clone() })
            }
            (None, Some(_)) => Start::Calls(Calls { setup: in_order(&self.entry), concurrent: Vec::new() }),
            (None, None) => Start::Main,
        }
    }

    /// The front end's options.
    fn options(&self) -> CompileOptions {
        let mut options = CompileOptions::default();
        options.lower.assume_pure = self.assume_pure.iter().cloned().collect();
        options.lower.assume_externals = match self.assume_externals.as_deref() {
            None => Accepted::None,
            Some("") => Accepted::All,
            Some(names) => Accepted::Named(names.split(',').map(|name| name.trim().to_owned()).collect()),
        };
        options.lower.models = self.models.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        options.lower.arguments = self.args.as_ref().map(|words| words.0.clone());
        options.lower.start = self.start();
        options.lower.no_signals = self.no_signals;
        options.lower.volatile_atomic = self.volatile_atomic;
        if self.uninitialised {
            options.lower.uninitialised = Uninitialised::Undefined;
        }
        if let Some(specification) = &self.specification {
            options.lower.failures = Failures::CallsOf(specification.error_functions());
            options.preprocess.lines = Lines::Own;
        }
        options.lower.library.late_thread_id = self.late_thread_id;
        options.lower.library.thread_safe_libc = self.thread_safe_libc;
        options.lower.library.silent_strings = true;
        let preprocess = &mut options.preprocess;
        preprocess.include_dirs.clone_from(&self.include_dirs);
        preprocess.system_dirs.clone_from(&self.system_dirs);
        preprocess.includes.clone_from(&self.includes);
        preprocess.std.clone_from(&self.standard);
        preprocess.macros.extend(self.defines.iter().cloned().map(Macro::Define));
        preprocess.macros.extend(self.undefines.iter().cloned().map(Macro::Undefine));
        if self.m32 || self.data_model == Some(DataModelChoice::Ilp32) {
            preprocess.data_model = DataModel::Ilp32;
        }
        options
    }
}

/// Rewrites compiler spellings that clap has no grammar for (`-std=c11`, `-include x`, `-isystem d`, `-m32`, `-m64`),
/// and drops flags that change nothing about what the program means.
pub fn in_our_spelling(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let text = argument.to_str().unwrap_or_default();
        match text {
            "--" => {
                kept.push(argument);
                kept.extend(arguments);
                return kept;
            }
            "--args" => {
                kept.push(argument);
                kept.extend(arguments.next());
            }
            "-m64" => {}
            "-pthread" => kept.push(OsString::from("-D_REENTRANT")),
            _ if is_compiler_spelling(text) => kept.push(OsString::from(format!("-{text}"))),
            _ => match preprocess::harmless_words(text) {
                0 => kept.push(argument),
                words => drop(arguments.by_ref().take(words - 1).count()),
            },
        }
    }
    kept
}

fn is_compiler_spelling(text: &str) -> bool {
    text.starts_with("-std=") || matches!(text, "-include" | "-isystem" | "-m32")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_grammar_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn bounds_and_engines_are_understood() {
        let parse = |line: &str| {
            let arguments = Arguments::try_parse_from(line.split(' '));
            arguments.map(|arguments| match arguments.command {
                Command::Check(check) => check,
                other => panic!("{other:?}"),
            })
        };
        let names = |engines: &[EngineName]| engines.iter().map(|engine| engine.name()).collect::<Vec<_>>();
        let plain = parse("selvedge check x.c").expect("is understood");
        assert_eq!((plain.unwind, plain.engine.len(), plain.timeout.as_secs()), (Unwind::Auto, 0, 60));
        let line = "selvedge check --engine explicit --engine interference --unwind 8 --mode over --timeout 0 x.c";
        let given = parse(line).expect("is understood");
        assert_eq!(names(&given.engine), ["explicit", "interference"]);
        assert_eq!((given.unwind, given.mode, given.timeout.is_zero()), (Unwind::Exactly(8), ModeChoice::Over, true));
        assert!(parse("selvedge check --unwind often x.c").is_err());
        let given =
            parse("selvedge check --engine cartesian --threads any --exclusive a,b..c x.c").expect("is understood");
        assert_eq!((names(&given.engine), given.threads), (vec!["cartesian"], Some(Replicas::Any)));
        assert_eq!(given.exclusive, ["a,b..c"]);
        let given = parse("selvedge check --threads 3 x.c").expect("is understood");
        assert_eq!(given.threads, Some(Replicas::AtMost(3)));
        assert!(parse("selvedge check --threads 0 x.c").is_err());
        let given = parse("selvedge check --atomic 3-5 --atomic d:/q.c:7-7 x.c").expect("is understood");
        let pair = |file: Option<&str>, first, second| LinePair { file: file.map(str::to_owned), first, second };
        assert_eq!(given.atomic, [pair(None, 3, 5), pair(Some("d:/q.c"), 7, 7)]);
        assert!(parse("selvedge check --atomic 3 x.c").is_err());
    }

    #[test]
    fn harmless_flags_are_dropped() {
        let line = "selvedge check -pthread -O2 -Wall -g -c -o x.o -lm -p build --args -O2 x.c -- -O2";
        let kept = "selvedge check -D_REENTRANT -p build --args -O2 x.c -- -O2";
        assert_eq!(in_our_spelling(line.split(' ').map(OsString::from)), kept.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn compiler_spellings_are_understood() {
        let line = "selvedge check -std=c11 -include a.h -isystem d -m32 -Iinc -DX=1 -U Y x.c";
        let arguments = in_our_spelling(line.split(' ').map(OsString::from));
        let Ok(Arguments { command: Command::Check(check) }) = Arguments::try_parse_from(arguments) else {
            panic!("{line} is understood")
        };
        let options = check.input.options();
        assert_eq!(options.preprocess.std.as_deref(), Some("c11"));
        assert_eq!(options.preprocess.data_model, DataModel::Ilp32);
        assert_eq!(options.preprocess.include_dirs, [PathBuf::from("inc")]);
        assert_eq!(options.preprocess.includes, [PathBuf::from("a.h")]);
        let macros = [Macro::Define("X=1".into()), Macro::Undefine("Y".into())];
        assert_eq!(options.preprocess.macros, macros);
    }
}
