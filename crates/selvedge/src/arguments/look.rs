//! The arguments of what shows a program in another form: `selvedge facts`, `dump`, `abstract` and `boolean`.

use super::{EnvironmentChoice, Input, Screen, seconds, threads};
use clap::{Args, ValueEnum};
use selvedge_evidence::Replicas;
use std::path::PathBuf;

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

/// How Boolean programs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DialectChoice {
    /// As in the paper: shared, local, havoc, constrain, goto
    Paper,
    /// As SLAM, Boppo and Boom have it: decl, begin, end, schoose
    Slam,
}
