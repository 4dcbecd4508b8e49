//! Asking the engines, and turning their answers into verdicts.

use crate::board::Contradiction;
use crate::by_field::prove_fields;
use crate::engines::EngineName;
use crate::judge::Judge;
use crate::portfolio::{self, Outcome, RunUntil};
use selvedge_cartesian::ExceptionSets;
use selvedge_evidence::{
    Certificate, Counterexample, Engine, Figure, InternalError, Judgement, Replicas, Subject, Task,
};
use selvedge_interference::Mode;
use selvedge_modular::{Environment, Weakening};
use selvedge_program::{Budget, Program, Progress};
use std::sync::Arc;
use thiserror::Error;

/// What to check, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// What is asked. Where answers are to hold for every number of threads ([`Replicas::Any`]), only engines for that
    /// run.
    pub task: Task,
    /// The engines that run side by side.
    pub engines: Vec<EngineName>,
    /// When to stop.
    pub until: RunUntil,
    /// How the engine `interference` refines its abstraction.
    pub mode: Mode,
    /// Where the engine `cartesian` takes its exception sets from.
    pub exception_sets: ExceptionSets,
    /// What threads are to expect of others, in the engine `modular`.
    pub environment: Environment,
    /// When that gets more.
    pub weakening: Weakening,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            task: Task::default(),
            engines: EngineName::all().collect(),
            until: RunUntil::Settled,
            mode: Mode::Mixed,
            exception_sets: ExceptionSets::default(),
            environment: Environment::default(),
            weakening: Weakening::default(),
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
    /// Engines that failed. What they claimed to have proved does not count, unless all that is wrong is that they did
    /// not stop.
    pub mistakes: Vec<CheckError>,
    /// Proofs and violations of the same. There is no verdict on that, and none of the others is to be relied upon.
    pub contradictions: Vec<Contradicted>,
}

/// A proof and a violation of the same, both of which were accepted.
#[derive(Clone, Debug)]
pub struct Contradicted {
    /// What is said to hold, and is violated.
    pub subject: Subject,
    /// Who proved it.
    pub prover: &'static str,
    /// On what ground.
    pub certificate: Certificate,
    /// Who violated it.
    pub finder: &'static str,
    /// How.
    pub counterexample: Arc<Counterexample>,
}

impl Checked {
    /// Whether a mistake of Selvedge's own has left something open, or verdicts cannot be relied upon.
    pub fn is_spoilt(&self) -> bool {
        let is_open = !matches!(self.judgement.word(), "safe" | "unsafe");
        !self.contradictions.is_empty() || !self.mistakes.is_empty() && is_open
    }
}

/// A mistake of Selvedge's own. No verdict follows from it, and none of another engine's is lost.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("internal error in the {engine} engine: {error}")]
pub struct CheckError {
    /// Whose; `analysis` for what comes before all engines.
    pub engine: &'static str,
    /// Which.
    pub error: InternalError,
}

/// Checks a program. Whatever goes wrong with an engine costs its own evidence and is among the mistakes.
///
/// It returns soon after the budget is used up ([`PATIENCE`](crate::PATIENCE)), even if an engine does not: that
/// engine's thread is left behind, with a copy of the program, until it ends by itself or the process does.
pub fn check(program: &Program, options: &CheckOptions, budget: &Budget, progress: &mut dyn Progress) -> Checked {
    let mut names = options.engines.clone();
    names.sort_unstable();
    names.dedup();
    let mut engines: Vec<Box<dyn Engine>> = names.into_iter().map(|name| name.with(options)).collect();
    engines.retain(|engine| options.task.threads != Replicas::Any || engine.is_for_any_number());
    // Who answers nothing of what is asked would only take time from the others.
    engines.retain(|engine| !engine.properties().is_empty());
    check_with(program, engines, options, budget, progress)
}

/// Checks a program with these engines, the most preferred first, whatever the options name.
pub fn check_with(
    program: &Program,
    engines: Vec<Box<dyn Engine>>,
    options: &CheckOptions,
    budget: &Budget,
    progress: &mut dyn Progress,
) -> Checked {
    let names: Vec<&'static str> = engines.iter().map(|engine| engine.name()).collect();
    let Outcome { questions, mut evidence, mistake } = portfolio::run(program, engines, options, budget, progress);
    prove_fields(program, &questions, &mut evidence, budget);
    let of_engine = |(rank, error): (usize, &InternalError)| CheckError { engine: names[rank], error: error.clone() };
    let of_analysis = mistake.map(|error| CheckError { engine: "analysis", error });
    let mistakes: Vec<CheckError> = evidence.mistakes().map(of_engine).chain(of_analysis).collect();
    let judge = Judge {
        program,
        questions: &questions,
        evidence: &evidence,
        engines: &names,
        until: options.until,
        mistakes: &mistakes,
        limit: budget.exhausted(),
    };
    let figures = |(engine, end): (&&'static str, &Option<Result<_, _>>)| {
        let answer: &selvedge_evidence::Answer = end.as_ref()?.as_ref().ok()?;
        Some(Statistics { engine, figures: answer.statistics.clone() })
    };
    let ends = evidence.told.iter().map(|told| &told.end);
    let statistics = names.iter().zip(ends).filter_map(figures).collect();
    let judgement = judge.judgement();
    let contradicted = |found: &Contradiction| Contradicted {
        subject: found.subject,
        prover: names[found.proved.0],
        certificate: found.proved.1.clone(),
        finder: names[found.violated.0],
        counterexample: found.violated.1.clone(),
    };
    let contradictions = evidence.contradictions.iter().map(contradicted).collect();
    Checked { judgement, statistics, mistakes, contradictions }
}
