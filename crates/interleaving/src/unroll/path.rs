//! The unrolled control flow, kept so that a model can be turned back into steps of the program.

use std::rc::Rc;

use selvedge_logic::Term;
use selvedge_program::{EdgeId, FrameObjectId, FunctionId, LocationId, ObjectId, Span};
use selvedge_symbolic::{Tag, Word};

use crate::skeleton::{StopId, ThreadId};

selvedge_program::index! {
    /// A place of the unrolling.
    NodeId, "node";
}

/// An answer to a question that a step asks.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Whether the question is asked at all.
    pub asked: Term,
    pub answer: Answer,
}

#[derive(Clone, Debug)]
pub enum Answer {
    Number(Term),
    Thread(Word),
    /// A number, or an address in one of these.
    Address(Word, Rc<[(Tag, Addressed)]>),
}

/// What a value out of nothing may point to, as the thread sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addressed {
    Static(ObjectId),
    Function(FunctionId),
    /// A thread's own object.
    Thread(ThreadId),
    /// Its own instance of a thread-local object.
    ThreadLocal(ObjectId),
    /// A local of its activation, counted from the first.
    Local(usize, FrameObjectId),
}

/// A way on from a node.
#[derive(Clone, Debug)]
pub struct Arc {
    pub edge: EdgeId,
    /// The path condition of going this way.
    pub passes: Term,
    /// Where to; `None` when the path ends there.
    pub target: Option<NodeId>,
    pub choices: Vec<Choice>,
    /// The thread that the step starts.
    pub starts: Option<ThreadId>,
}

/// A place of the unrolling and the ways on.
#[derive(Clone, Debug)]
pub struct Node {
    pub function: FunctionId,
    pub location: LocationId,
    pub stop: Option<StopId>,
    pub arcs: Vec<Arc>,
}

/// The unrolled threads.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    pub nodes: Vec<Node>,
    /// By thread.
    pub first: Vec<Option<NodeId>>,
    /// The thread of every tag that stands for a thread.
    pub threads: Vec<(Tag, ThreadId)>,
    /// Where the accesses of the skeleton's sites are in the source.
    pub sites: Vec<Span>,
}

impl Paths {
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

/// A step that does not lead on, for a moment of a goal.
#[derive(Clone, Debug)]
pub struct Failure {
    pub thread: ThreadId,
    pub node: NodeId,
    pub edge: EdgeId,
    pub choices: Vec<Choice>,
}
