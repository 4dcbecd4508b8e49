//! The engine's entry point: bounds that deepen, one refinement per bound, verdicts as they come.
//!
//! At each bound every violation is looked for at once; then every gap, that is, every place where the unrolling was
//! cut. If neither a violation nor a gap can be reached, the bound covers the whole program, and the refutation of all
//! of them is a proof. Loops whose end can be reached get a larger bound, and only those.

use rustc_hash::FxHashMap;
use selvedge_evidence::engine::from_fn;
use selvedge_evidence::{
    Again, Answer, Certificate, Engine, Figure, Findings, Gap, InternalError, Scope, Subject, Task, Unwind, Violation,
};
use selvedge_program::{Budget, Program, Progress, Property, Report};

use selvedge_interleaving::feasible::opaque;
use selvedge_interleaving::unroll::claims::{Asked, Claim};
use selvedge_interleaving::unroll::path::Paths;
use selvedge_interleaving::unroll::{Bounds, Unrolled, unroll};
use selvedge_interleaving::{Execution, GoalId, Mode, Outcome, RefineOptions, Refiner, Statistics, atomicity, witness};

/// Its name.
pub const NAME: &str = "interference";

/// What it does, in a line.
pub const ABOUT: &str =
    "Executions up to a bound as one formula, with as little interference between threads as the answer needs";

/// What to check and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What is asked.
    pub task: Task,
    /// How the abstraction is refined.
    pub mode: Mode,
}

/// The engine, asked about the threads that the program starts.
pub fn engine(task: &Task, mode: Mode) -> Box<dyn Engine> {
    let task = task.for_threads_as_started().limited_to(|property| property != Property::Livelock);
    let options = Options { task, mode };
    from_fn(NAME, options.task.properties.clone(), move |facts, budget, progress, findings| {
        check(facts.program(), &options, budget, progress, findings)
    })
}

/// Checks a program. It must be well-formed, see [`Program::validate`].
///
/// # Errors
/// Only for mistakes of the engine's own.
pub fn check(
    program: &Program,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    findings: &dyn Findings,
) -> Result<Answer, InternalError> {
    let mut deepening = Deepening {
        program,
        options,
        budget,
        findings,
        bounds: Bounds { threads: options.task.threads.bound(), ..Bounds::default() },
        violated: Vec::new(),
        gaps: Vec::new(),
        rounds: Vec::new(),
    };
    if let Unwind::Exactly(unwind) = options.task.unwind {
        deepening.bounds.unwind = unwind;
        deepening.bounds.recursion = deepening.bounds.recursion.max(unwind);
    }
    while let Next::Deeper = deepening.round(progress)? {}
    Ok(deepening.answer())
}

/// Whether to go on.
enum Next {
    Deeper,
    Done,
}

/// What one bound took.
struct RoundFigures {
    statistics: Statistics,
    goals: usize,
}

/// A check under way.
struct Deepening<'a> {
    program: &'a Program,
    options: &'a Options,
    budget: &'a Budget,
    findings: &'a dyn Findings,
    bounds: Bounds,
    violated: Vec<Subject>,
    /// Of the last bound.
    gaps: Vec<Gap>,
    rounds: Vec<RoundFigures>,
}

impl Deepening<'_> {
    /// Checks at the present bounds, and deepens them where that helps.
    fn round(&mut self, progress: &mut dyn Progress) -> Result<Next, InternalError> {
        let mut unrolled = match unroll(self.program, &self.bounds, self.budget) {
            Ok(unrolled) => unrolled,
            Err(limit) => return Ok(self.stop(Gap::Limit(limit))),
        };
        if self.options.task.asks(Property::Atomicity) {
            atomicity::ask(&mut unrolled, &self.options.task.atomic);
        }
        let Unrolled { mut skeleton, asked, paths } = unrolled;
        let options = RefineOptions { mode: self.options.mode };
        let mut refiner = match Refiner::within(&mut skeleton, options, self.budget) {
            Ok(refiner) => refiner,
            Err(error) => return Ok(self.stop(error.gap()?)),
        };
        let progress = &mut Telling { progress, bound: self.deepest() };
        let (wanted, rest) = self.sort_goals(&asked);
        let goals = wanted.len();
        let mut open = wanted.clone();
        let outcome = self.violations(&mut refiner, &asked, &paths, &mut open, progress)?;
        let reached = match outcome {
            Some(gap) => Err(gap),
            None => self.reached(&mut refiner, rest.clone(), progress)?,
        };
        self.rounds.push(RoundFigures { statistics: refiner.statistics(), goals });
        let reached = match reached {
            Ok(reached) => reached,
            Err(gap) => {
                self.gaps.push(gap);
                return Ok(Next::Done);
            }
        };
        self.gaps = reached.iter().map(|goal| self.gap(&asked[goal.index()].claim)).collect();
        if self.gaps.iter().any(Gap::is_incomplete) {
            return Ok(self.deepen(reached.iter().map(|goal| &asked[goal.index()].claim)));
        }
        let refuted: Vec<GoalId> =
            open.into_iter().chain(rest.into_iter().filter(|goal| !reached.contains(goal))).collect();
        self.prove(&mut refiner, &refuted)
    }

    /// The goals that are violations to look for, and the others: gaps, and what is undefined though nobody asked.
    fn sort_goals(&self, asked: &[Asked]) -> (Vec<GoalId>, Vec<GoalId>) {
        let (mut wanted, mut rest) = (Vec::new(), Vec::new());
        for (place, asked) in asked.iter().enumerate() {
            let goal = GoalId::new(place);
            match asked.claim.subject() {
                Some(subject) if self.is_wanted(subject) => wanted.push(goal),
                Some(Subject::Memory(_, _, undefined)) if !self.options.task.asks(undefined.property()) => {
                    rest.push(goal);
                }
                Some(_) => {}
                None => rest.push(goal),
            }
        }
        (wanted, rest)
    }

    fn is_wanted(&self, subject: Subject) -> bool {
        self.options.task.asks_about(self.program, subject) && !self.violated.contains(&subject)
    }

    /// Looks for violations until there are no more; leaves in `open` the goals that cannot be reached.
    fn violations(
        &mut self,
        refiner: &mut Refiner<'_>,
        asked: &[Asked],
        paths: &Paths,
        open: &mut Vec<GoalId>,
        progress: &mut dyn Progress,
    ) -> Result<Option<Gap>, InternalError> {
        while !open.is_empty() {
            match refiner.ask(open, self.budget, progress) {
                Err(error) => return Ok(Some(error.gap()?)),
                Ok(Outcome::Execution(execution)) => {
                    for goal in &execution.goals {
                        self.tell(refiner, &asked[goal.index()], paths, &execution)?;
                    }
                    open.retain(|goal| !execution.goals.contains(goal));
                }
                Ok(Outcome::Refuted(_)) => return Ok(None),
                Ok(Outcome::Unmodelled(span)) => return Ok(Some(opaque(span))),
            }
        }
        Ok(None)
    }

    fn tell(
        &mut self,
        refiner: &Refiner<'_>,
        asked: &Asked,
        paths: &Paths,
        execution: &Execution,
    ) -> Result<(), InternalError> {
        let Some(subject) = asked.claim.subject() else { return Ok(()) };
        let trace = witness::trace(self.program, refiner.skeleton(), paths, asked, execution).map_err(failed)?;
        if let Err(error) = selvedge_program::trace::replay(self.program, &trace) {
            return Err(InternalError::Rejected(error.to_string()));
        }
        self.violated.push(subject);
        self.findings.violation(Violation { subject, trace });
        Ok(())
    }

    /// Which of these goals can be reached.
    fn reached(
        &mut self,
        refiner: &mut Refiner<'_>,
        mut open: Vec<GoalId>,
        progress: &mut dyn Progress,
    ) -> Result<Result<Vec<GoalId>, Gap>, InternalError> {
        let mut reached = Vec::new();
        while !open.is_empty() {
            match refiner.ask(&open, self.budget, progress) {
                Err(error) => return Ok(Err(error.gap()?)),
                Ok(Outcome::Execution(execution)) => {
                    open.retain(|goal| !execution.goals.contains(goal));
                    reached.extend(execution.goals);
                }
                Ok(Outcome::Refuted(_)) => break,
                Ok(Outcome::Unmodelled(span)) => return Ok(Err(opaque(span))),
            }
        }
        Ok(Ok(reached))
    }

    /// After a bound that does not cover the program.
    fn deepen<'c>(&mut self, reached: impl Iterator<Item = &'c Claim>) -> Next {
        if self.gaps.iter().filter(|gap| gap.is_incomplete()).all(Gap::is_beyond_a_bound) {
            self.findings.covered(&Scope::Rest, &self.bounds_in_words());
        }
        let mut deeper = false;
        let mut loops: FxHashMap<_, u32> = std::mem::take(&mut self.bounds.loops);
        for claim in reached {
            match claim {
                Claim::Gap { gap: Gap::Unwinding { bound, .. }, head: Some(head) } => {
                    loops.insert(*head, longer(*bound));
                    deeper = true;
                }
                Claim::Gap { gap: Gap::Recursion { .. }, .. } => {
                    self.bounds.recursion = longer(self.bounds.recursion);
                    deeper = true;
                }
                _ => {}
            }
        }
        self.bounds.loops = loops;
        let wanted = self.options.task.properties.iter().any(|property| self.findings.is_property_open(*property));
        let automatic = self.options.task.unwind == Unwind::Auto;
        if deeper && automatic && wanted { Next::Deeper } else { Next::Done }
    }

    fn prove(&mut self, refiner: &mut Refiner<'_>, refuted: &[GoalId]) -> Result<Next, InternalError> {
        let refutation = match refiner.certificate(refuted, self.budget) {
            Ok(refutation) => refutation,
            Err(error) => return Ok(self.stop(error.gap()?)),
        };
        let certificate = Certificate::Refutation {
            bounds: self.bounds_in_words(),
            instances: refutation.instances.to_string(),
            proof: refutation.proof.into(),
            again: Again::NotYet,
        };
        self.findings.proved(&Scope::Rest, certificate);
        Ok(Next::Done)
    }

    fn stop(&mut self, gap: Gap) -> Next {
        self.gaps.push(gap);
        Next::Done
    }

    fn gap(&self, claim: &Claim) -> Gap {
        match claim {
            Claim::Gap { gap, .. } => gap.clone(),
            Claim::Violation(Subject::Memory(function, edge, undefined)) => {
                let span = self.program.function(*function).edge(*edge).span;
                Gap::Undefined { span, undefined: *undefined }
            }
            Claim::Violation(subject) => {
                Gap::Other { span: selvedge_program::Span::NOWHERE, message: format!("{subject:?}") }
            }
        }
    }

    /// The largest bound of a loop.
    fn deepest(&self) -> u32 {
        self.bounds.loops.values().copied().max().unwrap_or(0).max(self.bounds.unwind)
    }

    fn bounds_in_words(&self) -> String {
        let most = self.deepest();
        let mut words = format!("loops go round at most {most} {}", if most == 1 { "time" } else { "times" });
        if let Some(threads) = self.bounds.threads {
            words.push_str(&format!(", at most {threads} threads of one function"));
        }
        words
    }

    fn answer(self) -> Answer {
        let mut statistics = vec![("bounds", Figure::Count(self.rounds.len() as u64))];
        if let Some(last) = self.rounds.last() {
            let figures = last.statistics;
            statistics.extend([
                ("goals", Figure::Count(last.goals as u64)),
                ("threads", Figure::Count(figures.threads)),
                ("reads", Figure::Count(figures.reads)),
                ("writes", Figure::Count(figures.writes)),
                ("mean_links", Figure::Ratio(figures.mean_links)),
                ("abstraction", Figure::Words(figures.size.to_string())),
                ("full", Figure::Words(figures.full.to_string())),
                ("iterations", Figure::Count(self.rounds.iter().map(|round| round.statistics.iterations).sum())),
                ("solver", Figure::Time(self.rounds.iter().map(|round| round.statistics.solver).sum())),
            ]);
        }
        Answer::new(self.gaps, statistics)
    }
}

/// Puts the reports of a refinement into words that also tell the bound.
struct Telling<'a> {
    progress: &'a mut dyn Progress,
    bound: u32,
}

impl Progress for Telling<'_> {
    fn report(&mut self, report: &Report) {
        let (iteration, size) = (report.depth, report.states);
        let words = format!("bound {}, iteration {iteration}, abstraction of {size} instances", self.bound);
        self.progress.say("interference", &words);
    }
}

/// The next bound.
fn longer(bound: u32) -> u32 {
    if bound < 4 { bound + 1 } else { bound + bound / 2 }
}

fn failed(error: impl std::fmt::Display) -> InternalError {
    InternalError::Failed(error.to_string())
}
