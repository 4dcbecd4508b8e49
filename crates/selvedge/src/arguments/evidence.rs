//! The arguments of what certificates and schedules are for: `selvedge certify`, `selvedge replay`.

use super::input::{Words, words};
use super::{Input, Screen, seconds};
use clap::Args;
use std::path::PathBuf;

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
