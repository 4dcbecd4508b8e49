//! Asking the engines, and turning their answers into verdicts.

use crate::engines::{Engine, EngineName};
use crate::judge::Judge;
use crate::portfolio::{self, Stop};
use selvedge_cartesian::Replicas;
use selvedge_evidence::{AtomicLines, Figure, InternalError, Judgement};
use selvedge_interference::{Mode, Unwind};
use selvedge_program::{Budget, Program, Progress, Property};
use thiserror::Error;

/// What to check, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// The properties.
    pub properties: Vec<Property>,
    /// Only races on the object with this name.
    pub race_on: Option<String>,
    /// How many threads of one function may run at a time. For [`Replicas::Any`], where verdicts are to hold for every number, only
    /// the engine `cartesian` runs.
    pub threads: Replicas,
    /// The engines that run side by side.
    pub engines: Vec<EngineName>,
    /// When to stop.
    pub stop: Stop,
    /// How often loops go round, for engines that need a bound.
    pub unwind: Unwind,
    /// How the interference engine refines its abstraction.
    pub mode: Mode,
    /// Pairs of lines between which no other thread may interfere, if atomicity is among the properties.
    pub atomic: Vec<AtomicLines>,
    /// Exception sets for the engine `cartesian`, as text.
    pub exceptions: Option<String>,
    /// Whether the engine `cartesian` looks for exception sets by itself.
    pub infer: bool,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            properties: vec![Property::Assertion, Property::Race, Property::Deadlock, Property::Memory],
            race_on: None,
            threads: Replicas::AsStarted,
            engines: EngineName::ALL.to_vec(),
            stop: Stop::WhenSettled,
            unwind: Unwind::Auto,
            mode: Mode::Mixed,
            atomic: Vec::new(),
            exceptions: None,
            infer: true,
        }
    }
}

/// What an engine took.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// The engine.
    pub engine: &'static str,
    /// Its figures with their names.
    pub figures: Vec<(&'static str, Figure)>,
}

/// A program with its verdicts.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The verdicts.
    pub judgement: Judgement,
    /// What they took, by engine.
    pub statistics: Vec<Statistics>,
    /// Engines that failed. What they claimed to have proved does not count.
    pub mistakes: Vec<CheckError>,
}

/// A mistake of Selvedge's own. No verdict follows from it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("internal error in the {engine} engine: {error}")]
pub struct CheckError {
    /// Whose.
    pub engine: &'static str,
    /// Which.
    pub error: InternalError,
}

/// Checks a program.
///
/// # Errors
/// Only for mistakes of Selvedge's own, when no engine is left that made none.
pub fn check(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
    progress: &mut dyn Progress,
) -> Result<Checked, CheckError> {
    let mut names = options.engines.clone();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| options.threads != Replicas::Any || *name == EngineName::Cartesian);
    let engines: Vec<Box<dyn Engine>> = names.into_iter().map(|name| name.with(options)).collect();
    check_with(program, &engines, options, budget, progress)
}

/// Checks a program with these engines, the most preferred first, whatever the options name.
///
/// # Errors
/// Only for mistakes of Selvedge's own, when no engine is left that made none.
pub fn check_with(
    program: &Program,
    engines: &[Box<dyn Engine>],
    options: &CheckOptions,
    budget: &Budget,
    progress: &mut dyn Progress,
) -> Result<Checked, CheckError> {
    let (questions, evidence) = portfolio::run(program, engines, options, budget, progress);
    let names: Vec<&'static str> = engines.iter().map(|engine| engine.name()).collect();
    let mistake = |(rank, error): (usize, &InternalError)| CheckError { engine: names[rank], error: error.clone() };
    let mistakes: Vec<CheckError> = evidence.mistakes().map(mistake).collect();
    let answered = evidence.told.iter().any(|told| matches!(told.end, Some(Ok(_))));
    if let Some(error) = mistakes.first().filter(|_| !answered && evidence.violations.is_empty()) {
        return Err(error.clone());
    }
    let judge = Judge { program, questions: &questions, evidence: &evidence, engines: &names, stop: options.stop };
    let figures = |(engine, end): (&&'static str, &Option<Result<_, _>>)| {
        let answer: &selvedge_evidence::Answer = end.as_ref()?.as_ref().ok()?;
        Some(Statistics { engine, figures: answer.statistics.clone() })
    };
    let ends = evidence.told.iter().map(|told| &told.end);
    let statistics = names.iter().zip(ends).filter_map(figures).collect();
    Ok(Checked { judgement: judge.judgement(), statistics, mistakes })
}
