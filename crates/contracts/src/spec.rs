//! Specifications as values.
//!
//! A specification speaks of *shared variables*: scalars of global objects and the ghost fields of locks. What a thread
//! may do is an *abstract thread* (paper 003, Section 2): finitely many local states, of which each has an assertion on
//! the shared variables, and edges between them with two-state predicates. A step of the abstract thread takes an edge
//! whose relation holds between the shared variables before and after it; beside that, every state has an idle step,
//! which changes neither the state nor a shared variable and is not written. The abstract thread goes wrong when it is
//! in a state whose assertion does not hold.
//!
//! A thread-modular specification (Appendix A) is an abstract thread whose states are in a row and that has an
//! *environment*: it goes wrong as well when what others have done to the shared variables since its own last step
//! (or since it began) is not in that relation. The appendix asks for the relation's reflexive transitive closure;
//! here the relation has to be closed already, which the reader of specifications has checked.
//!
//! An edge may also create a thread, or join one that was created and has ended, which it has in a state that no edges
//! leave. Threads that no edge creates are there from the beginning.
//!
//! All predicates are over one program: the C program that the specification is about, or the one that declares nothing
//! but the shared variables ([`crate::text::declared`]).

use selvedge_program::{Display, Expr, FunctionId, RegisterId, Sources, Span};
use selvedge_symbolic::{Predicate, Relation, Variable};

/// A state of an abstract thread, by its position among the thread's states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// The state at a position.
    pub fn new(index: usize) -> StateId {
        StateId(index as u32)
    }

    /// Its position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What threads may do to what they share.
#[derive(Clone, Debug, PartialEq)]
pub struct Specification {
    /// The files that spans name: those of the program, and that of the specification.
    pub sources: Sources,
    /// Everything that predicates speak of, in the order of declaration.
    pub shared: Vec<Shared>,
    /// What holds when the threads start, beside the initial values of variables: all of these.
    pub initially: Vec<Predicate>,
    /// The abstract threads.
    pub threads: Vec<Thread>,
}

/// A shared variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// What it is in the program: a cell or a ghost field of a static object.
    pub variable: Variable,
    /// Its name as predicates have it: `pending_io`, `device.refs`, `owner(lock)`.
    pub name: String,
    /// Its width in bits.
    pub width: u32,
    /// How to show its value.
    pub display: Display,
    /// The constant that it holds when the threads start; any value without one.
    pub initial: Option<Expr>,
    /// Its declaration.
    pub span: Span,
}

/// How many threads there are of an abstract thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Instances {
    /// So many.
    Exactly(u32),
    /// Any number.
    Any,
}

/// An abstract thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Thread {
    /// The thread function that it is the specification of.
    pub name: String,
    /// That function; `None` where there is no C program.
    pub function: Option<FunctionId>,
    /// How many threads run it.
    pub instances: Instances,
    /// Its states; at least one is initial.
    pub states: Vec<State>,
    /// The states that it may begin in.
    pub initial: Vec<StateId>,
    /// Its edges, in the order of the text.
    pub edges: Vec<Edge>,
    /// What others may do to the shared variables between two steps of the thread, in any number of steps: a reflexive
    /// and transitive relation. Without one, others may do anything.
    pub environment: Option<Relation>,
    /// Its name in the text.
    pub span: Span,
}

/// A local state of an abstract thread.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Its name.
    pub name: String,
    /// What must hold of the shared variables as long as a thread is here, invariants of the specification included.
    pub assertion: Predicate,
    /// The assertion where it is written, or the state's name.
    pub span: Span,
    /// The state's name in the text.
    pub named: Span,
}

/// A step from one state to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// From here.
    pub source: StateId,
    /// To there.
    pub target: StateId,
    /// What holds of the shared variables that may change, before and after.
    pub relation: Relation,
    /// The shared variables that may change, by position, in increasing order; all others are unchanged.
    pub changes: Vec<usize>,
    /// What it does to another thread; such an edge changes no shared variable.
    pub life: Option<Life>,
    /// The edge in the text.
    pub span: Span,
}

/// What an edge does to another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Starts one of an abstract thread, by position.
    Create(usize),
    /// Waits for the end of one that was created and not been joined: of an abstract thread, or of any.
    Join(Option<usize>),
}

impl Specification {
    /// The whole relation of an edge: its own, and that everything else is unchanged.
    pub fn relation(&self, edge: &Edge) -> Relation {
        self.unchanged_except(&edge.changes).fold(edge.relation.clone(), |all, same| all.and(&same))
    }

    /// The relation of the idle step that every state has: nothing changes.
    pub fn idle(&self) -> Relation {
        self.unchanged_except(&[]).fold(Relation::any(), |all, same| all.and(&same))
    }

    fn unchanged_except<'s>(&'s self, changes: &'s [usize]) -> impl Iterator<Item = Relation> + 's {
        let kept = self.shared.iter().enumerate().filter(|(position, _)| !changes.contains(position));
        kept.map(|(_, shared)| Relation::unchanged(shared.variable, shared.width))
    }

    /// The position of a shared variable.
    pub fn position(&self, variable: Variable) -> Option<usize> {
        self.shared.iter().position(|shared| shared.variable == variable)
    }

    /// The abstract thread of a thread function.
    pub fn thread(&self, name: &str) -> Option<&Thread> {
        self.threads.iter().find(|thread| thread.name == name)
    }

    fn lives(&self) -> impl Iterator<Item = Life> + '_ {
        self.threads.iter().flat_map(|thread| thread.edges.iter().filter_map(|edge| edge.life))
    }

    /// Whether threads of an abstract thread are there only when one has created them.
    pub fn is_created(&self, thread: usize) -> bool {
        self.lives().any(|life| life == Life::Create(thread))
    }

    /// Whether an edge may wait for the end of threads of an abstract thread.
    pub fn is_joined(&self, thread: usize) -> bool {
        let joins = |life: Life| life == Life::Join(None) || life == Life::Join(Some(thread));
        self.is_created(thread) && self.lives().any(joins)
    }

    /// What an edge does to threads, as it is written.
    pub fn life_text(&self, life: Life) -> String {
        match life {
            Life::Create(thread) => format!("create {}", self.threads[thread].name),
            Life::Join(Some(thread)) => format!("join {}", self.threads[thread].name),
            Life::Join(None) => "join".to_owned(),
        }
    }

    /// The initial condition, initial values of variables included.
    pub fn initial_condition(&self) -> Predicate {
        let truth = Predicate::new(&Expr::truth(), &[]);
        let all = self.initially.iter().fold(truth, |all, one| all.and(one));
        self.shared.iter().fold(all, |all, shared| match &shared.initial {
            Some(value) => {
                let held = Expr::register(RegisterId(0), shared.width);
                all.and(&Predicate::new(&Expr::equal(held, value.clone()), &[shared.variable]))
            }
            None => all,
        })
    }
}

impl Thread {
    /// The edges that leave a state.
    pub fn leaving(&self, state: StateId) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.source == state)
    }

    /// A state of the thread.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }
}
