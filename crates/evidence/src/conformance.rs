//! That the threads of a program conform to abstract threads (Lahiri, Malkis, Qadeer, *Abstract Threads*, Sections 2
//! and 3), and the checker of proofs that they do.
//!
//! An abstract thread has finitely many states, each with an assertion on the shared variables, and edges with two-state
//! predicates; idle steps are always there. A thread of the program is run together with the set F of the abstract states that match
//! its steps so far. Before each of its steps that have to do with the shared variables, others may have changed these
//! to anything that the assertions of the states in F allow; where an assertion fails the abstract thread goes wrong, and
//! nothing is to be shown. The step leads to the F of all abstract steps that do the same to the shared variables. F must
//! not become empty, and no assertion of the program may fail. So every execution of the thread among any others is one of the
//! abstract thread up to its first wrong state (Theorem 2), and if the abstract threads together never go wrong, neither does
//! the program (Theorem 1).
//!
//! The first thread, if the contract says nothing of it or has it create threads, runs alone until it starts another one;
//! there the initial condition must hold, and its abstract thread begins. Threads that the contract says nothing of must
//! leave the shared variables alone.
//!
//! **Thread life.** An edge may create a thread, or join one that has ended. Threads that some edge creates are there from
//! then on, so whoever starts one must be matched by such an edge. A join is matched by an edge that joins, if it is
//! certain that the thread runs the function that the edge names, or by none: an abstract thread that forgets a join does
//! more than one that does not. Threads that are joined must end in a state that no edges leave.
//!
//! A proof says for the heads of loops what F and what of the thread's own state may be there. The checker walks all paths
//! from one to the next; it shares the program, its symbolic semantics and the solver with the engine, nothing else.

mod checker;
mod life;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use selvedge_program::{Budget, EdgeId, Exhausted, FunctionId, Program};
use selvedge_symbolic::{Predicate, Relation, Variable};
use thiserror::Error;

pub use checker::certify;
pub use life::{Joined, Lived, Lives, joins};
pub use text::{ConformanceFile, is_conformance};

/// More states than this no abstract thread has.
pub const MOST_STATES: usize = 64;

/// A set of states of an abstract thread, by number.
pub type States = BTreeSet<usize>;

/// What the threads of a program are to conform to.
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    /// The shared variables.
    pub shared: Vec<Variable>,
    /// What holds of them when there is more than one thread for the first time.
    pub initially: Predicate,
    /// The abstract threads, at most one for a function.
    pub threads: Vec<AbstractThread>,
}

/// An abstract thread.
#[derive(Clone, Debug, PartialEq)]
pub struct AbstractThread {
    /// The function whose threads it abstracts.
    pub function: FunctionId,
    /// What its states are called.
    pub names: Vec<String>,
    /// The assertions of its states.
    pub assertions: Vec<Predicate>,
    /// Where it may begin.
    pub initial: States,
    /// Its edges.
    pub edges: Vec<AbstractEdge>,
    /// What others may do to the shared variables between two of its steps: a reflexive and transitive relation.
    pub environment: Option<Relation>,
}

/// An edge of an abstract thread.
#[derive(Clone, Debug, PartialEq)]
pub struct AbstractEdge {
    pub from: usize,
    pub to: usize,
    /// What holds of the shared variables before and after.
    pub relation: Relation,
    /// What it does to another thread; most do nothing.
    pub life: Option<Life>,
}

/// What an edge does to another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Starts one that runs a function.
    Create(FunctionId),
    /// Waits for the end of one that runs a function, or any.
    Join(Option<FunctionId>),
}

impl AbstractThread {
    /// Where it has ended: in the states that no edges leave.
    pub fn ends(&self) -> States {
        let left: States = self.edges.iter().map(|edge| edge.from).collect();
        (0..self.assertions.len()).filter(|state| !left.contains(state)).collect()
    }

    /// Whether it starts threads.
    pub fn creates(&self) -> bool {
        self.edges.iter().any(|edge| matches!(edge.life, Some(Life::Create(_))))
    }

    /// One that never changes a shared variable and relies on nothing: what is asked where a contract says nothing.
    pub fn idle(function: FunctionId) -> AbstractThread {
        AbstractThread {
            function,
            names: vec!["idle".to_owned()],
            assertions: vec![Predicate::new(&selvedge_program::Expr::truth(), &[])],
            initial: States::from([0]),
            edges: Vec::new(),
            environment: None,
        }
    }
}

impl Contract {
    /// What the threads that run a function are to conform to, and whether that is written down.
    pub fn thread(&self, function: FunctionId) -> (AbstractThread, bool) {
        match self.threads.iter().find(|thread| thread.function == function) {
            Some(thread) => (thread.clone(), true),
            None => (AbstractThread::idle(function), false),
        }
    }

    fn lives(&self) -> impl Iterator<Item = Life> + '_ {
        self.threads.iter().flat_map(|thread| thread.edges.iter().filter_map(|edge| edge.life))
    }

    /// Whether threads that run a function are there only when an abstract thread has created them. Others are there
    /// from the beginning, so nobody's abstract thread has to do anything when they are started.
    pub fn is_created(&self, function: FunctionId) -> bool {
        self.lives().any(|life| life == Life::Create(function))
    }

    /// Whether an abstract thread waits for the end of threads that run a function: they have to end where theirs does.
    pub fn is_joined(&self, function: FunctionId) -> bool {
        let joins = |life| match life {
            Life::Join(Some(joined)) => joined == function,
            Life::Join(None) => true,
            Life::Create(_) => false,
        };
        self.is_created(function) && self.lives().any(joins)
    }
}

/// A place of a thread: the number of its node, and whether no other thread has been started yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// As [`selvedge_symbolic::threads::Unfolded`] numbers them.
    pub node: u32,
    /// Whether the thread is the first and has started no other: nobody interferes, and nothing is to be matched.
    pub is_alone: bool,
}

/// What may be so at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Possible {
    /// The abstract states that match.
    pub states: States,
    /// Each of these holds of the thread, or does not.
    pub literals: Vec<(Predicate, bool)>,
}

/// An edge at which something undefined is not excluded: what is proved holds as far as that does not happen.
pub type Doubt = (FunctionId, EdgeId);

/// A proof that the threads of a program conform to a contract: by function, what may be so at the heads of loops.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConformanceProof {
    /// By the function that the threads run.
    pub threads: BTreeMap<FunctionId, BTreeMap<Place, Vec<Possible>>>,
    /// What is not excluded.
    pub doubts: BTreeSet<Doubt>,
}

/// Why a proof does not count.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("the threads of the program cannot be unfolded")]
    Unfolding,
    #[error("it speaks of something that is not in the program, or is not kept track of")]
    Foreign,
    #[error("the first function is started as a thread, too")]
    MainTwice,
    #[error("nothing is said of the head of a loop of `{0}`")]
    Unsaid(String),
    #[error("the first step of another thread may come where the initial condition does not hold")]
    Initially,
    #[error("a step of `{0}` at {1} is matched by no abstract step")]
    Unmatched(String, String),
    #[error("a step of `{0}` at {1} leads to what is not said to be possible")]
    Step(String, String),
    #[error("`{0}` ends at {1} where its abstract thread may go on")]
    End(String, String),
    #[error("an assertion of `{0}` at {1} may fail")]
    Assertion(String, String),
    #[error("undefined behaviour of `{0}` at {1} is not excluded and not among the doubts")]
    Undefined(String, String),
    #[error("what is not modelled is not excluded: {0}")]
    Unsupported(String),
    #[error("the model leaves out executions, or takes something for granted: {0}")]
    Proviso(String),
    #[error("there are too many paths between loops")]
    Paths,
    #[error("there was no time to check it: {0}")]
    Exhausted(Exhausted),
    #[error("internal error: {0}")]
    Internal(String),
}

impl From<selvedge_logic::Error> for Refusal {
    fn from(error: selvedge_logic::Error) -> Self {
        Refusal::Internal(error.to_string())
    }
}

/// What keeps a program from being judged at all: executions that the model leaves out, and what it takes for granted.
pub fn proviso(program: &Program) -> Option<&str> {
    let left_out = program.restrictions.first().map(|left_out| left_out.message.as_str());
    left_out.or_else(|| program.provisos.first().map(|proviso| proviso.message.as_str()))
}

/// Looks at a budget.
fn poll(budget: &Budget) -> Result<(), Refusal> {
    budget.check().map_err(Refusal::Exhausted)
}
