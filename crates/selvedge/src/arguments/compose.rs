//! The arguments of `selvedge compose`.

use super::check::engines;
use super::{Input, PropertyChoice, Reporting, Screen, seconds};
use clap::Args;
use selvedge::EngineName;
use selvedge_contracts::Instances;
use std::path::PathBuf;

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
