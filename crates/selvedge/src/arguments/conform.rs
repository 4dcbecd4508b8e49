//! The arguments of `selvedge conform` and `selvedge contract`.

use super::{Input, Screen, seconds};
use clap::Args;
use std::path::PathBuf;

/// `selvedge conform`
#[derive(Debug, Args)]
#[command(
    override_usage = "selvedge conform [OPTIONS] <SPECIFICATION> <FILE>...",
    after_help = "The first FILE is the specification (.threads; docs/contracts.md describes the language), those after it are the C program.

Examples:
  selvedge conform bluetooth.threads bluetooth.c
  selvedge conform --certificate bluetooth.conformance bluetooth.threads bluetooth.c
  selvedge certify bluetooth.c bluetooth.conformance

Exit status: 0 all threads conform, 1 one does not, 2 usage or input error, 3 unknown."
)]
pub struct ConformArguments {
    #[command(flatten)]
    pub input: Input,
    /// Write the certificate of threads that all conform to OUT (docs/certificates.md describes the form)
    #[arg(long, value_name = "OUT")]
    pub certificate: Option<PathBuf>,
    /// Stop after so many seconds; 0 for no limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub timeout: std::time::Duration,
    /// Keep at most so many MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub screen: Screen,
}

/// `selvedge contract`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  selvedge contract lock.c > lock.threads
  selvedge conform lock.threads lock.c

Exit status: 0 a specification was printed, 2 usage or input error, 3 there is none: standard error says why.")]
pub struct ContractArguments {
    #[command(flatten)]
    pub input: Input,
    /// Stop after so many seconds; 0 for no limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub timeout: std::time::Duration,
    /// Keep at most so many MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
    /// What to make abstract threads of; without it, one is tried after the other
    #[arg(long, value_name = "WHAT", value_enum)]
    pub from: Option<Origin>,
    /// Print what is written even if the program does not conform to it or it does not compose, which standard error says then
    #[arg(long)]
    pub unchecked: bool,
    #[command(flatten)]
    pub screen: Screen,
}

/// What abstract threads are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Origin {
    /// A thread-modular proof
    Proof,
    /// All executions of a program with few states
    Executions,
}

impl Origin {
    /// What people call it.
    pub fn words(self) -> &'static str {
        match self {
            Origin::Proof => "a thread-modular proof",
            Origin::Executions => "all executions",
        }
    }
}
