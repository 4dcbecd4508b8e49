//! Given one path per thread and an end, is there an interleaving? (Sinha, Wang 2011, put to the paths of other
//! engines: a counterexample of an abstraction is one path per thread, and it is real exactly if they can be
//! interleaved.)
//!
//! The answer is a [`Trace`] that the concrete semantics has taken, or a [core](Feasible::No): steps of the paths whose
//! conditions contradict each other already, whatever the conditions of the other steps. A *condition* of a step is all
//! that it needs to be taken: its guard or assumption holds, nothing is undefined, it goes where the path goes next.
//! What steps *do* is always in force.
//!
//! The paths are executed symbolically by the walker of [`crate::unroll`], each a straight line without joins or
//! bounds; conditions are facts under selectors, one per step, so that one question to the solver gives both answers.
//!
//! Nothing is remembered from one question to the next, on purpose: what other paths have shared or written would make
//! variables of this question shared, and most paths that cannot be walked fail by constants alone, before there is
//! anything to solve.
//!
//! ```
//! use selvedge_interleaving::{End, Feasibility, Path, Question, Start};
//! use selvedge_program::Budget;
//! # use selvedge_frontend::compile::compile_text;
//! # let program = compile_text("empty.c", "int main(void) { return 0; }", &Default::default()).unwrap().program;
//! // Before its first step, the main thread stands at its entry.
//! let main = Path { start: Start::Main, function: program.entries[0], steps: Vec::new() };
//! let question = Question { paths: vec![main], end: End::Nothing };
//! let answer = Feasibility::new(&program).ask(&question, &Budget::unlimited()).unwrap();
//! assert!(matches!(answer, selvedge_interleaving::Feasible::Yes(_)));
//! ```

use selvedge_evidence::{Gap, InternalError};
use selvedge_program::trace::{Trace, replay};
use selvedge_program::{Action, Budget, Callee, Expr, FunctionId, Program, Span};

pub use crate::unroll::guide::Step;

use crate::refine::{Mode, Outcome, RefineOptions, Refiner};
use crate::skeleton::GoalId;
use crate::skeleton::{Goal, ThreadId};
use crate::unroll::Bounds;
use crate::unroll::claims::Claim;
use crate::unroll::guide::{Need, NotWalked, Then, Unmodelled, Walked, Way, follow};
use crate::witness::{self, Finally, Homecoming};

/// How the thread of a path begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// It is the main thread: the first path, and only that.
    Main,
    /// Another path starts it, with this step.
    Spawned { by: usize, at: usize },
}

/// The path of one thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    pub start: Start,
    /// The function that the thread begins with.
    pub function: FunctionId,
    /// Every step, those of calls and returns included.
    pub steps: Vec<Step>,
}

/// What is asked about the ends of the paths. Threads stand still there, all at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Only that all paths can be walked.
    Nothing,
    /// The threads of two paths stand before conflicting accesses, whichever edge they take.
    Race(usize, usize),
    /// The thread of a path can take this step next, and it fails an assertion or is undefined.
    Fails(usize, Step),
    /// This holds of the registers of a path's last activation.
    Holds(usize, Expr),
}

/// One path per thread, and what to ask at their ends. A thread that a step starts and that has no path does not move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    pub paths: Vec<Path>,
    pub end: End,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasible {
    /// An interleaving.
    Yes(Trace),
    /// There is none. The conditions of these steps, by path and step, contradict each other and the end: none of them
    /// could be left out, as far as that was cheap to find out. No steps: the end is impossible whatever the
    /// conditions.
    No { core: Vec<(usize, usize)> },
    /// Why it is not known.
    Unknown(Gap),
}

/// Answers questions about the paths of a program.
#[derive(Debug)]
pub struct Feasibility<'p> {
    program: &'p Program,
    bounds: Bounds,
    mode: Mode,
}

impl<'p> Feasibility<'p> {
    /// The program must be well-formed, see [`Program::validate`].
    pub fn new(program: &'p Program) -> Self {
        let bounds = Bounds { recursion: u32::MAX, places: usize::MAX, ..Bounds::default() };
        Feasibility { program, bounds, mode: Mode::Mixed }
    }

    /// How the abstraction is refined; every mode gives the same answers.
    #[must_use]
    pub fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Whether the paths can be interleaved to that end.
    ///
    /// # Errors
    /// If what is given are not paths of threads of the program, and for mistakes of the engine's own.
    pub fn ask(&mut self, question: &Question, budget: &Budget) -> Result<Feasible, InternalError> {
        self.answer(question, None, budget)
    }

    /// The same when only the conditions of some steps count. `Yes` has no trace then, since there need not be one:
    /// `true` says that these conditions contradict each other and the end.
    ///
    /// # Errors
    /// As for [`Feasibility::ask`].
    pub fn contradict(
        &mut self,
        question: &Question,
        steps: &[(usize, usize)],
        budget: &Budget,
    ) -> Result<bool, InternalError> {
        Ok(matches!(self.answer(question, Some(steps), budget)?, Feasible::No { .. }))
    }

    fn answer(
        &mut self,
        question: &Question,
        only: Option<&[(usize, usize)]>,
        budget: &Budget,
    ) -> Result<Feasible, InternalError> {
        let ways = self.ways(question)?;
        let walked = match follow(self.program, ways, &self.bounds, budget) {
            Ok(walked) => walked,
            Err(NotWalked::Exhausted(exhausted)) => return Ok(Feasible::Unknown(Gap::Limit(exhausted))),
            Err(NotWalked::Malformed(what)) => return Err(InternalError::Malformed(what)),
        };
        if let Some(core) = impossible(question, &walked) {
            return Ok(Feasible::No { core });
        }
        let counts = |thread: ThreadId, step: usize| only.is_none_or(|only| only.contains(&(thread.index(), step)));
        let never = |need: &&Need| {
            let constant = walked.skeleton.terms.constant_value(need.condition);
            constant.is_some_and(|value| !value.is_true())
        };
        let dead: Vec<&Need> = walked.needs.iter().filter(never).collect();
        match (dead.iter().find(|need| counts(need.thread, need.step)), walked.unmodelled.first()) {
            (Some(need), None) => return Ok(Feasible::No { core: vec![(need.thread.index(), need.step)] }),
            (_, Some(unmodelled)) if !dead.is_empty() => {
                return Ok(Feasible::Unknown(gap(self.program, question, unmodelled)));
            }
            (None, None) if !walked.is_complete => return Ok(compatible()),
            _ => {}
        }
        let selected = walked.needs.iter().zip(&walked.selectors).filter(|(need, _)| counts(need.thread, need.step));
        let assumptions = selected.map(|(_, selector)| *selector).collect();
        Asking { program: self.program, question, walked, mode: self.mode, budget }.solve(assumptions, only.is_none())
    }

    /// The paths as the walker takes them, and empty ones for threads that do not move.
    fn ways(&self, question: &Question) -> Result<Vec<Way>, InternalError> {
        let malformed = |what: String| Err(InternalError::Malformed(what));
        let mut ways: Vec<Way> = Vec::with_capacity(question.paths.len());
        for path in &question.paths {
            ways.push(Way {
                function: Some(path.function),
                steps: path.steps.clone(),
                children: Vec::new(),
                then: Then::Nothing,
            });
        }
        for (number, path) in question.paths.iter().enumerate() {
            match path.start {
                Start::Main if number == 0 => {}
                Start::Spawned { by, at } if number > 0 && by != number => {
                    let starter = ways.get_mut(by).filter(|way| at < way.steps.len());
                    let Some(starter) = starter else { return malformed(format!("path {number} has no start")) };
                    if starter.children.iter().any(|(step, _)| *step == at) {
                        return malformed(format!("two paths are started by step {at} of path {by}"));
                    }
                    starter.children.push((at, ThreadId::new(number)));
                }
                start => return malformed(format!("path {number} begins with {start:?}")),
            }
        }
        let main = self.program.main();
        if main.is_none() || ways.first().map(|way| way.function) != Some(main) {
            return malformed("the first path is not the main thread's".to_owned());
        }
        self.add_still_threads(&mut ways);
        let ends: Vec<(usize, Then)> = match &question.end {
            End::Nothing => Vec::new(),
            End::Race(a, b) if a == b => return malformed("a path does not race with itself".to_owned()),
            End::Race(a, b) => vec![(*a, Then::Accesses), (*b, Then::Accesses)],
            End::Fails(path, step) => vec![(*path, Then::Fails(*step))],
            End::Holds(path, condition) => vec![(*path, Then::Holds(condition.clone()))],
        };
        for (path, then) in ends {
            if path >= question.paths.len() {
                return malformed(format!("there is no path {path}"));
            }
            ways[path].then = then;
        }
        Ok(ways)
    }

    fn add_still_threads(&self, ways: &mut Vec<Way>) {
        for number in 0..ways.len() {
            for place in 0..ways[number].steps.len() {
                let step = ways[number].steps[place];
                let function = self.program.functions.get(step.function.index());
                let edge = function.and_then(|function| function.edges.get(step.edge.index()));
                let Some(Action::Spawn { entry, .. }) = edge.map(|edge| &edge.action) else { continue };
                if ways[number].children.iter().any(|(at, _)| *at == place) {
                    continue;
                }
                let function = match entry {
                    Callee::Direct(function) => Some(*function),
                    // Whatever it is: it does not move.
                    Callee::Indirect(_) => None,
                };
                let thread = ThreadId::new(ways.len());
                ways[number].children.push((place, thread));
                ways.push(Way { function, steps: Vec::new(), children: Vec::new(), then: Then::Nothing });
            }
        }
    }
}

/// What contradicts the end, or another step, whatever the conditions: a thread that has ended does nothing more; the
/// process ends once and nothing follows; two threads do not stand inside atomic sections, and none moves while another
/// does.
fn impossible(question: &Question, walked: &Walked) -> Option<Vec<(usize, usize)>> {
    let endings = || walked.endings.iter().enumerate();
    let acting = |path: usize| match question.end {
        End::Nothing | End::Holds(..) => false,
        End::Race(a, b) => path == a || path == b,
        End::Fails(acting, _) => path == acting,
    };
    if let Some((path, last)) = endings().find_map(|(path, ending)| Some((path, ending.last?)).filter(|_| acting(path)))
    {
        return Some(vec![(path, last)]);
    }
    let exits: Vec<_> = endings().filter_map(|(thread, ending)| Some((thread, ending.exit?))).collect();
    let sections: Vec<_> = endings().filter_map(|(thread, ending)| Some((thread, ending.section?.0))).collect();
    let ends_nothing = matches!(question.end, End::Nothing);
    if exits.len() > 1 || sections.len() > 1 {
        return Some(if exits.len() > 1 { exits } else { sections });
    }
    let exit = exits.first().copied();
    if let Some(exit) = exit
        && !ends_nothing
    {
        return Some(vec![exit]);
    }
    let section = *sections.first()?;
    if let Some(exit) = exit.filter(|exit| exit.0 != section.0) {
        return Some(vec![exit, section]);
    }
    let held_up = matches!(question.end, End::Fails(path, _) if path != section.0);
    let started_inside = question.paths.iter().any(|path| {
        matches!(path.start, Start::Spawned { by, at } if (by, at) > section && by == section.0)
            && !path.steps.is_empty()
    });
    (held_up || started_inside).then(|| vec![section])
}

/// A question whose paths have been walked.
struct Asking<'a> {
    program: &'a Program,
    question: &'a Question,
    walked: Walked,
    mode: Mode,
    budget: &'a Budget,
}

/// What the solver says.
enum Said {
    Yes(Box<crate::Execution>),
    No(Vec<selvedge_logic::Term>),
}

impl Asking<'_> {
    fn solve(mut self, assumptions: Vec<selvedge_logic::Term>, with_trace: bool) -> Result<Feasible, InternalError> {
        let walked = &mut self.walked;
        let passed =
            walked.endings.iter().enumerate().map(|(thread, ending)| (ThreadId::new(thread), ending.stops)).collect();
        let end = match &self.question.end {
            End::Nothing | End::Holds(..) => None,
            End::Race(..) => Some(Goal::Race(walked.racing.clone())),
            End::Fails(..) => {
                let moments = walked.failures.iter().filter(|asked| !matches!(asked.claim, Claim::Gap { .. }));
                let moments = moments.flat_map(|asked| match &asked.goal {
                    Goal::Moments(moments) => moments.clone(),
                    _ => Vec::new(),
                });
                Some(Goal::Moments(moments.collect()))
            }
        };
        let impossible = match &end {
            Some(Goal::Race(cells)) => cells.is_empty(),
            Some(Goal::Moments(moments)) => moments.is_empty(),
            _ => false,
        };
        if impossible && walked.unmodelled.is_empty() {
            return Ok(Feasible::No { core: Vec::new() });
        }
        // The last goal is to come to the ends of the paths, for what is not modelled on the way.
        let anyhow = Goal::Walked { passed, end: None };
        let wanted = match &anyhow {
            Goal::Walked { passed, .. } => Goal::Walked { passed: passed.clone(), end: end.map(Box::new) },
            _ => anyhow.clone(),
        };
        let mut skeleton = std::mem::take(&mut walked.skeleton);
        skeleton.goals = vec![wanted, anyhow];
        let said = {
            let mut refiner = match Refiner::within(&mut skeleton, RefineOptions { mode: self.mode }, self.budget) {
                Ok(refiner) => refiner,
                Err(error) => return Ok(Feasible::Unknown(error.gap()?)),
            };
            match refiner.ask_assuming(GoalId(0), &assumptions, self.budget) {
                Err(error) => return Ok(Feasible::Unknown(error.gap()?)),
                Ok(Outcome::Execution(execution)) => Said::Yes(execution),
                Ok(Outcome::Unmodelled(span)) => return Ok(Feasible::Unknown(opaque(span))),
                Ok(Outcome::Refuted(refutation)) => {
                    if let Some(gap) = self.unmodelled(&mut refiner)? {
                        return Ok(Feasible::Unknown(gap));
                    }
                    Said::No(refutation.blamed)
                }
            }
        };
        self.walked.skeleton = skeleton;
        match said {
            Said::Yes(_) if !with_trace => Ok(compatible()),
            Said::Yes(execution) => self.trace(&execution).map(Feasible::Yes),
            Said::No(blamed) => {
                let named = self.walked.needs.iter().zip(&self.walked.selectors);
                let core = named.filter(|(_, selector)| blamed.contains(selector));
                Ok(Feasible::No { core: core.map(|(need, _)| (need.thread.index(), need.step)).collect() })
            }
        }
    }

    /// Something that is not modelled and that the paths may come to: the steps before it in its thread can be taken,
    /// whatever the others do.
    fn unmodelled(&self, refiner: &mut Refiner<'_>) -> Result<Option<Gap>, InternalError> {
        for (unmodelled, meets) in self.walked.unmodelled.iter().zip(&self.walked.meets) {
            let named = self.walked.needs.iter().zip(&self.walked.selectors);
            let before = named.filter(|(need, _)| need.thread == unmodelled.thread && need.step < unmodelled.step);
            let mut assumptions: Vec<_> = before.map(|(_, selector)| *selector).collect();
            assumptions.push(*meets);
            match refiner.ask_assuming(GoalId(1), &assumptions, self.budget) {
                Err(error) => return Ok(Some(error.gap()?)),
                Ok(Outcome::Refuted(_)) => {}
                Ok(Outcome::Unmodelled(span)) => return Ok(Some(opaque(span))),
                Ok(Outcome::Execution(_)) => return Ok(Some(gap(self.program, self.question, unmodelled))),
            }
        }
        Ok(None)
    }

    fn trace(&self, execution: &crate::Execution) -> Result<Trace, InternalError> {
        let endings = &self.walked.endings;
        let last = |thread: &ThreadId| {
            let ending = endings[thread.index()];
            (ending.exit.is_some(), ending.section.is_some())
        };
        let mut order: Vec<ThreadId> = (0..endings.len()).map(ThreadId::new).collect();
        order.sort_by_key(last);
        let section =
            endings.iter().enumerate().find_map(|(thread, end)| Some((ThreadId::new(thread), end.section?.1)));
        let finally = match &self.question.end {
            End::Nothing => Finally::Nothing,
            End::Race(a, b) => Finally::Race(ThreadId::new(*a), ThreadId::new(*b)),
            End::Fails(..) => Finally::Fails(&self.walked.failures),
            End::Holds(path, condition) => Finally::Holds(ThreadId::new(*path), condition),
        };
        let homecoming = Homecoming { order, section, finally };
        let Walked { skeleton, paths, .. } = &self.walked;
        let trace = witness::walk(self.program, skeleton, paths, execution, &homecoming).map_err(failed)?;
        match replay(self.program, &trace) {
            Ok(_) => Ok(trace),
            Err(error) => Err(InternalError::Rejected(error.to_string())),
        }
    }
}

fn gap(program: &Program, question: &Question, unmodelled: &Unmodelled) -> Gap {
    let path = question.paths.get(unmodelled.thread.index());
    let step = path.and_then(|path| path.steps.get(unmodelled.step).or(path.steps.last()));
    let edge = step.map(|step| program.function(step.function).edge(step.edge));
    Gap::Unsupported { span: edge.map_or(Span::NOWHERE, |edge| edge.span), what: unmodelled.what.clone() }
}

/// Some conditions do not contradict each other.
fn compatible() -> Feasible {
    let message = "only some conditions were looked at, and they do not contradict each other".to_owned();
    Feasible::Unknown(Gap::Other { span: Span::NOWHERE, message })
}

/// An operation whose result matters and is not modelled.
pub fn opaque(span: selvedge_program::Span) -> Gap {
    Gap::Unsupported { span, what: "floating-point arithmetic on a value that is not known".to_owned() }
}

fn failed(error: impl std::fmt::Display) -> InternalError {
    InternalError::Failed(error.to_string())
}
