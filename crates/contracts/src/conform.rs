//! Whether the threads of a program conform to a specification (paper 003, Section 3).
//!
//! A thread function is run by itself, with the set F of the abstract states that match so far beside it. Between two
//! of its steps others may change the shared variables to anything; what is assumed of them is only that no matching
//! abstract state is wrong, since there the abstract thread has failed and nothing is left to show. A step must be
//! matched by an abstract one from some state of F (or be idle), and an assertion of the program may fail only where that of
//! a state of F does. By Theorem 2 of the paper that is so if and only if the abstract thread is an abstraction of
//! the thread, but for three things, all on the safe side: the abstract thread moves only where a step of the thread reads or
//! writes a shared variable; of shared variables that the specification does not declare nothing is ever
//! known; and a specification that is too subtle for the invariants that are found is *unknown*.
//! What the other threads of the program do with the shared variables does not matter (they are opened in the
//! [`Universe`]); of the rest of the program only this is taken: what pointers may point to, and what threads are given.
//!
//! [`graph`] cuts a thread at the heads of its loops, [`part`] makes one formula of what is between two cuts, and
//! [`search`] finds out which F and which of the tracked predicates go together at the cuts. A way into something wrong
//! is taken again from the thread's beginning, all parts in a row: either it is real, or predicates are tracked that
//! exclude it ([`refine`]).

pub mod explain;
pub mod graph;
pub mod part;
mod refine;
mod search;

use std::collections::BTreeSet;

use selvedge_evidence::conformance::{
    AbstractEdge, AbstractThread, ConformanceProof, Contract, Life, Lives, MOST_STATES, proviso,
};
use selvedge_program::{Budget, CheckId, EdgeId, Exhausted, FunctionId, Program, Span, Undefined};
use selvedge_symbolic::threads::unfold::Refused;
use selvedge_symbolic::threads::{ArcKind, NodeId, Universe, View};
use selvedge_symbolic::{CellKey, Root, Variable};

use crate::spec::Specification;
use graph::Graph;
use part::{Instrumented, Wrong};

/// What became of a thread function.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Its threads conform.
    Conforms,
    /// They do not: there is an execution of one.
    Fails(Box<Failure>),
    /// That is not known.
    Unknown(Unknown),
}

/// What is known of the threads of a program.
#[derive(Clone, Debug)]
pub struct Conformance {
    /// By the function that threads run, each with whether the specification speaks of it.
    pub threads: Vec<(FunctionId, bool, Outcome)>,
    /// What the threads that conform do so by.
    pub proof: ConformanceProof,
    /// Where they may be undefined: what is found holds as far as they are not.
    pub doubts: BTreeSet<Doubtful>,
}

impl Conformance {
    /// Whether all threads conform.
    pub fn is_proved(&self) -> bool {
        self.threads.iter().all(|(_, _, outcome)| *outcome == Outcome::Conforms)
    }
}

/// An edge and what may be undefined there.
pub type Doubtful = (FunctionId, EdgeId, Undefined);

/// Why nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// In a sentence.
    pub reason: String,
    /// Where, if it is somewhere.
    pub span: Span,
}

/// An execution of a thread that its abstract thread does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// What is wrong with the last step.
    pub wrong: Failed,
    /// The steps of the thread that read or wrote shared variables, up to the last one.
    pub steps: Vec<Step>,
}

/// What is wrong with a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// No abstract step does the same to the shared variables.
    Unmatched,
    /// An assertion fails, and none of the matching abstract states does.
    Assertion(CheckId),
    /// A thread is started where the initial condition does not hold.
    Initially,
    /// A thread ends that others wait for, and none of the matching abstract states is an end.
    Ends,
}

/// A step that has to do with the shared variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Where it is.
    pub span: Span,
    /// The function that it is in.
    pub function: FunctionId,
    /// The abstract states that match before it, by number.
    pub before: Vec<usize>,
    /// And after it.
    pub after: Vec<usize>,
    /// What the shared variables are before and after it, in the order of their declaration; as numbers without a sign.
    pub values: Vec<(u128, u128)>,
}

/// Why a thread cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stuck {
    NotStarted,
    Untracked(Variable),
    StartInSection(FunctionId, EdgeId),
    LoopInSection(FunctionId),
    /// Not modelled, at an edge.
    Unsupported(String, FunctionId, EdgeId),
    /// No predicates are left that would exclude a way to this edge.
    NoInvariant(FunctionId, EdgeId),
    TooMany,
    Exhausted(Exhausted),
    Internal(String),
}

impl From<selvedge_logic::Error> for Stuck {
    fn from(error: selvedge_logic::Error) -> Self {
        Stuck::Internal(error.to_string())
    }
}

impl From<Exhausted> for Stuck {
    fn from(limit: Exhausted) -> Self {
        Stuck::Exhausted(limit)
    }
}

impl Stuck {
    fn told(self, program: &Program) -> Unknown {
        let edge = |function: FunctionId, edge: EdgeId| program.function(function).edge(edge).span;
        let nowhere = |reason: String| Unknown { reason, span: Span::NOWHERE };
        match self {
            Stuck::NotStarted => nowhere("no thread of the program is started with this function".to_owned()),
            Stuck::Untracked(variable) => {
                let name = selvedge_symbolic::predicate::variable_name(program, variable);
                nowhere(format!(
                    "`{name}` is not kept track of: no access of the program is to just these bytes, or it is an array with an index that means many places"
                ))
            }
            Stuck::StartInSection(function, at) => Unknown {
                reason: "the first thread is started within an atomic section".to_owned(),
                span: edge(function, at),
            },
            Stuck::LoopInSection(function) => {
                nowhere(format!("there is a loop within an atomic section of `{}`", program.function(function).name))
            }
            Stuck::Unsupported(what, function, at) => {
                Unknown { reason: format!("not modelled: {what}"), span: edge(function, at) }
            }
            Stuck::NoInvariant(function, at) => Unknown {
                reason: "no invariant of the loops before it was found that shows what this step does".to_owned(),
                span: edge(function, at),
            },
            Stuck::TooMany => nowhere("too many combinations of predicates at the head of a loop".to_owned()),
            Stuck::Exhausted(limit) => nowhere(format!("{limit}")),
            Stuck::Internal(message) => nowhere(format!("internal error: {message}")),
        }
    }
}

/// What a specification asks of the threads of its program.
///
/// # Errors
/// When an abstract thread has no function or too many states, or a variable is nothing static.
pub fn contract(specification: &Specification) -> Result<Contract, String> {
    let mut threads: Vec<AbstractThread> = Vec::new();
    for thread in &specification.threads {
        let function = thread.function.ok_or_else(|| format!("the program has no function `{}`", thread.name))?;
        if thread.states.len() > MOST_STATES {
            return Err(format!("the abstract thread `{}` has more than {MOST_STATES} states", thread.name));
        }
        let mut edges = Vec::new();
        for edge in &thread.edges {
            let function = |at: usize| {
                let thread = &specification.threads[at];
                thread.function.ok_or_else(|| format!("the program has no function `{}`", thread.name))
            };
            let life = match edge.life {
                Some(crate::spec::Life::Create(thread)) => Some(Life::Create(function(thread)?)),
                Some(crate::spec::Life::Join(Some(thread))) => Some(Life::Join(Some(function(thread)?))),
                Some(crate::spec::Life::Join(None)) => Some(Life::Join(None)),
                None => None,
            };
            let (from, to) = (edge.source.index(), edge.target.index());
            edges.push(AbstractEdge { from, to, relation: specification.relation(edge), life });
        }
        threads.push(AbstractThread {
            function,
            names: thread.states.iter().map(|state| state.name.clone()).collect(),
            assertions: thread.states.iter().map(|state| state.assertion.clone()).collect(),
            initial: thread.initial.iter().map(|state| state.index()).collect(),
            edges,
            environment: thread.environment.clone(),
        });
    }
    let shared: Vec<Variable> = specification.shared.iter().map(|shared| shared.variable).collect();
    let is_static = |variable: &Variable| {
        matches!(
            variable,
            Variable::Cell { object: Root::Static(_), .. } | Variable::Ghost { object: Root::Static(_), .. }
        )
    };
    if let Some(other) = specification.shared.iter().find(|shared| !is_static(&shared.variable)) {
        return Err(format!("`{}` is no part of a static object", other.name));
    }
    Ok(Contract { shared, initially: specification.initial_condition(), threads })
}

/// Finds out whether the threads of a program conform to a contract.
pub fn conform(program: &Program, contract: &Contract, budget: &Budget) -> Conformance {
    let written: Vec<FunctionId> = contract.threads.iter().map(|thread| thread.function).collect();
    let unknown = |reason: String| {
        let unknown = Unknown { reason, span: Span::NOWHERE };
        let outcome =
            |function: &FunctionId| (*function, written.contains(function), Outcome::Unknown(unknown.clone()));
        let threads: Vec<FunctionId> = program.main().into_iter().chain(written.iter().copied()).collect();
        Conformance {
            threads: threads.iter().map(outcome).collect(),
            proof: ConformanceProof::default(),
            doubts: BTreeSet::new(),
        }
    };
    if let Some(message) = proviso(program) {
        return unknown(format!("what is found would hold provided that {message}"));
    }
    let universe = match Universe::open(program, &contract.shared, || budget.exhausted().is_none()) {
        Ok(Some(universe)) => universe,
        Ok(None) => return unknown(format!("{}", budget.stopped_by())),
        Err(Refused::Recursion(function)) => {
            return unknown(format!("`{}` calls itself, and calls are inlined", program.function(function).name));
        }
        Err(Refused::Section(function)) => {
            let name = &program.function(function).name;
            return unknown(format!("`{name}` ends an atomic section that it has not begun"));
        }
        Err(Refused::TooLarge) => return unknown("a thread has too many places when calls are inlined".to_owned()),
    };
    let mut view = View::new(universe);
    let lives = Lives::of(program, contract);
    let main = view.universe.templates[0].0;
    if starts(&view, main) {
        return unknown(format!("`{}` is started as a thread, too", program.function(main).name));
    }
    let mut result = Conformance { threads: Vec::new(), proof: ConformanceProof::default(), doubts: BTreeSet::new() };
    for template in 0..view.universe.templates.len() {
        let entry = view.universe.templates[template].0;
        let (to, is_written) = contract.thread(entry);
        let judged = judge(&mut view, (contract, &lives), (template, &to, is_written), budget, &mut result);
        let outcome = judged.unwrap_or_else(|stuck| Outcome::Unknown(stuck.told(program)));
        result.threads.push((entry, is_written, outcome));
    }
    for function in written {
        if !result.threads.iter().any(|(known, ..)| *known == function) {
            result.threads.push((function, true, Outcome::Unknown(Stuck::NotStarted.told(program))));
        }
    }
    result
}

/// Whether a thread is started with a function.
fn starts(view: &View<'_>, function: FunctionId) -> bool {
    let mut templates = (0..view.universe.templates.len()).map(|template| view.universe.unfolded(template));
    templates.any(|unfolded| unfolded.arcs.iter().any(|arc| arc.kind == ArcKind::Spawn(function)))
}

fn judge(
    view: &mut View<'_>,
    (contract, lives): (&Contract, &Lives),
    (template, to, is_written): (usize, &AbstractThread, bool),
    budget: &Budget,
    result: &mut Conformance,
) -> Result<Outcome, Stuck> {
    let mut shared: Vec<(Variable, CellKey)> = Vec::new();
    for &variable in &contract.shared {
        let key = view.key(variable).ok_or(Stuck::Untracked(variable))?;
        view.cell(key).ok_or(Stuck::Untracked(variable))?;
        shared.push((variable, key));
    }
    let is_alone = template == 0 && (!is_written || to.creates());
    let graph = Graph::of(view.universe.unfolded(template), is_alone);
    for &head in &graph.heads {
        let place = graph.places[head];
        let node = view.universe.unfolded(template).get(NodeId(place.node));
        if node.sections > 0 && !place.is_alone {
            return Err(Stuck::LoopInSection(node.function));
        }
    }
    let thread = Instrumented { template, graph, contract, lives, to: to.clone(), shared };
    let mut doubts: BTreeSet<Doubtful> = BTreeSet::new();
    match search::search(view, &thread, budget, &mut doubts)? {
        search::Found::Failure(failure) => Ok(Outcome::Fails(Box::new(failure))),
        search::Found::Invariant(places) => {
            result.proof.threads.insert(to.function, places);
            result.proof.doubts.extend(doubts.iter().map(|(function, edge, _)| (*function, *edge)));
            result.doubts.extend(doubts);
            Ok(Outcome::Conforms)
        }
    }
}

impl Wrong {
    fn failed(&self) -> Option<Failed> {
        match self {
            Wrong::Unmatched => Some(Failed::Unmatched),
            Wrong::Assertion(check) => Some(Failed::Assertion(*check)),
            Wrong::Initially => Some(Failed::Initially),
            Wrong::Ends => Some(Failed::Ends),
            Wrong::Unsupported(_) => None,
        }
    }
}
