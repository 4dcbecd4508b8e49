//! The arguments of `selvedge check`, and of others that check as it does.

use super::{Input, Schedules, Screen, seconds, threads};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use selvedge::EngineName;
use selvedge_evidence::{Replicas, Unwind};
use std::path::PathBuf;

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
    /// Run one algorithm of thread-modular abstraction refinement alone (docs/modular.md)
    #[arg(long, value_enum, value_name = "NAME", hide_short_help = true)]
    #[arg(conflicts_with_all = ["engine", "environment", "weakening"])]
    pub algorithm: Option<AlgorithmChoice>,
    /// What the engine `modular` lets each thread expect of the others
    #[arg(long, value_enum, value_name = "FORM", default_value_t = EnvironmentChoice::Relation, hide_short_help = true)]
    pub environment: EnvironmentChoice,
    /// When the engine `modular` lets threads expect more of the others
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = WeakeningChoice::AtOnce, hide_short_help = true)]
    pub weakening: WeakeningChoice,
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
    /// Threads never go round for ever with nobody left who would end that (only where asked for)
    Livelock,
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

/// The algorithms of paper 000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmChoice {
    /// Algorithm A: the product of the abstracted threads (the engine `symmetric`)
    A,
    /// Algorithm B: every step of the others, whoever takes it (`modular --environment anywhere`)
    B,
    /// Algorithm TAR (`modular --weakening in-rounds`)
    Tar,
    /// Algorithm TAR with havoc (`modular --environment havoc --weakening in-rounds`)
    TarHavoc,
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

/// When threads expect more of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WeakeningChoice {
    /// As soon as a step is found
    AtOnce,
    /// When all is reached that can be without it, and there is no error (the paper's inner iterations)
    InRounds,
}

/// The engines that can be picked.
pub fn engines() -> impl TypedValueParser<Value = EngineName> {
    let names = EngineName::all().map(|engine| PossibleValue::new(engine.name()).help(engine.about()));
    PossibleValuesParser::new(names).try_map(|name| EngineName::of(&name).ok_or("no such engine"))
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
