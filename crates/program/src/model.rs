//! The program model that every engine reads.
//!
//! A [`Program`] has memory objects, functions and thread templates. A [`Function`] is a control-flow automaton:
//! locations joined by edges, each edge with one [`Action`]. The branches of a location are edges whose `Assume`
//! conditions exclude each other; a choice that is really free (a time-out, a spurious wake-up) is several edges that
//! can pass at once.

use crate::{
    Action, CheckId, EdgeId, Expr, FrameObjectId, FunctionId, LocationId, ObjectId, RegisterId, SiteId, Sources, Span,
    UnknownId,
};
use std::collections::BTreeMap;

/// Sizes that differ between machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum DataModel {
    /// 64-bit `long` and pointers.
    #[default]
    Lp64,
    /// 32-bit `long` and pointers.
    Ilp32,
}

impl DataModel {
    /// The width of a pointer in bits.
    pub fn pointer_width(self) -> u32 {
        match self {
            DataModel::Lp64 => 64,
            DataModel::Ilp32 => 32,
        }
    }

    /// The size of a pointer in bytes.
    pub fn pointer_size(self) -> u32 {
        self.pointer_width() / 8
    }
}

/// How to show a scalar value to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Display {
    /// As a signed number.
    Signed,
    /// As an unsigned number.
    Unsigned,
    /// As a pointer.
    Pointer,
    /// As a floating-point number.
    Float,
    /// As `true` or `false`.
    Bool,
}

/// A named part of an object, so that reports say `queue.head` and not "offset 8".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A scalar of so many bytes.
    Scalar {
        /// Its size in bytes.
        size: u32,
        /// How to show it.
        display: Display,
    },
    /// A struct or union: members at offsets.
    Record(Vec<Member>),
    /// An array.
    Array {
        /// The shape of an element.
        element: Box<Shape>,
        /// The size of an element in bytes.
        stride: u64,
        /// How many elements; 0 where it is not known.
        length: u64,
    },
    /// No names are known.
    Opaque,
}

/// A member of a struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name; empty for an anonymous struct or union, whose members count as the outer one's.
    pub name: String,
    /// Where it starts, in bytes.
    pub offset: u64,
    /// Its shape; of a bit-field, that of the bytes it touches.
    pub shape: Shape,
    /// Of a bit-field: its first bit, counted from that of its first byte, and how many it has.
    pub bits: Option<(u32, u32)>,
}

/// What an object is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectKind {
    /// A global or static variable.
    Global,
    /// A thread-local variable: every thread has its own instance.
    ThreadLocal,
    /// A string literal or a constant: writing to it is undefined.
    Constant,
}

/// An initial value within an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialValue {
    /// At which byte.
    pub offset: u64,
    /// How many bytes.
    pub size: u32,
    /// A constant expression: a constant, or the address of something static plus an offset.
    pub value: crate::Expr,
}

/// A memory object with static storage. What its initial values do not cover is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name in the source; for a static local, the function's name and its own.
    pub name: String,
    /// What it is for.
    pub kind: ObjectKind,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u32,
    /// What it starts with.
    pub initial: Vec<InitialValue>,
    /// The ghost fields that do not start at zero, by offset: the kind of a recursive mutex.
    pub initial_ghosts: Vec<(u64, crate::GhostField, crate::Bits)>,
    /// The names of its parts.
    pub shape: Shape,
    /// Its C type, for messages.
    pub type_name: String,
    /// Its declaration.
    pub span: Span,
}

impl Object {
    /// Whether a zero ends what stands at its start, as long as nobody writes it.
    pub fn starts_with_string(&self) -> bool {
        let mut zeros = vec![true; self.size.min(super::semantics::LARGEST_OBJECT) as usize];
        for InitialValue { offset, size, value } in &self.initial {
            let first = *offset as usize;
            let covered = zeros.get_mut(first..first + *size as usize).unwrap_or_default();
            for (at, zero) in covered.iter_mut().enumerate() {
                *zero = matches!(value, crate::Expr::Constant(bits) if bits.unsigned() >> (8 * at) & 0xff == 0);
            }
        }
        zeros.contains(&true)
    }
}

/// An address-taken local of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameObject {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u32,
    /// The names of its parts.
    pub shape: Shape,
    /// Its C type, for messages.
    pub type_name: String,
    /// Its declaration.
    pub span: Span,
}

/// A private register of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// The variable it holds; `None` for a temporary.
    pub name: Option<String>,
    /// Its width in bits.
    pub width: u32,
    /// How to show it.
    pub display: Display,
    /// Whether a value that comes out of nothing (a havoc, indeterminate bytes) may be an address in this register; see
    /// [`addresses`](crate::addresses).
    pub may_be_address: bool,
}

/// A control location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The edges that leave it; none after the function's end.
    pub outgoing: Vec<EdgeId>,
    /// The C label at this place, if any.
    pub label: Option<String>,
}

/// A control-flow edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// From here.
    pub source: LocationId,
    /// To there. For a `Return`, `Exit`, `ThreadExit` or `Unsupported` it is never reached.
    pub target: LocationId,
    /// Doing this.
    pub action: Action,
    /// For one of the two ways on from a condition in the source: which. The other leaves the same location.
    pub side: Option<Side>,
    /// On account of this piece of source; with a side, it is the condition.
    pub span: Span,
    /// What it stands for, where no code that anybody knows says it.
    pub stub: Option<Stub>,
}

/// Something that the program uses and nobody defines, models or describes. What it does or gives is a guess, so that
/// nothing is a violation that rests on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unknown {
    /// A function with this name.
    Function(String),
    /// A variable with this name.
    Variable(String),
}

/// A step of what stands for something that nobody defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stub {
    /// For what.
    pub of: UnknownId,
    /// That may also change so many bytes where the value points to that the edge assigns, as far as the object goes,
    /// though no edge does.
    pub may_change: u64,
}

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// It does.
    Yes,
    /// It does not.
    No,
}

/// A function as a control-flow automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name in the source.
    pub name: String,
    /// The registers that take the arguments, in order.
    pub parameters: Vec<RegisterId>,
    /// The width of the result; `None` for `void` (and for structs, which go through a hidden first parameter).
    pub result_width: Option<u32>,
    /// Its registers.
    pub registers: Vec<Register>,
    /// Its address-taken locals; each activation has fresh instances with indeterminate contents.
    pub frame: Vec<FrameObject>,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Its edges.
    pub edges: Vec<Edge>,
    /// Where it starts.
    pub entry: LocationId,
    /// Its definition.
    pub span: Span,
}

/// The properties Selvedge can check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// No assertion fails, no error function is reached.
    Assertion,
    /// No two threads are about to access one place, one of them writing, not both atomically.
    Race,
    /// Never are there live threads of which none can move.
    Deadlock,
    /// Nothing undefined happens.
    Memory,
    /// No other thread interferes between two accesses that are named.
    Atomicity,
    /// No signed arithmetic overflows.
    Overflow,
    /// Never do threads go round for ever with nobody left who would end that.
    Livelock,
}

impl Property {
    /// All of them.
    pub const ALL: [Property; 7] = [
        Property::Assertion,
        Property::Race,
        Property::Deadlock,
        Property::Memory,
        Property::Atomicity,
        Property::Overflow,
        Property::Livelock,
    ];
}

/// One assertion of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What is checked, as the user wrote it.
    pub description: String,
    /// In which function.
    pub function: FunctionId,
    /// Where.
    pub span: Span,
}

/// Something the model takes for granted about this program, or leaves out; every verdict must repeat it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Caveat {
    /// In one sentence.
    pub message: String,
    /// The first place it is about.
    pub span: Span,
}

/// A whole program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The machine.
    pub data_model: DataModel,
    /// The files that spans name.
    pub sources: Sources,
    /// Objects with static storage.
    pub objects: Vec<Object>,
    /// Functions.
    pub functions: Vec<Function>,
    /// The functions whose address is taken: what a function pointer can point to.
    pub address_taken: Vec<FunctionId>,
    /// The functions that threads are started with by name; `main` is the first.
    pub entries: Vec<FunctionId>,
    /// Assertions.
    pub checks: Vec<Check>,
    /// How many allocation sites there are, with their places.
    pub sites: Vec<Span>,
    /// What the program takes the memory of a site to be, where it says so at once: the shape of one element, and its
    /// size in bytes. For reports only.
    pub allocated: BTreeMap<SiteId, (Shape, u64)>,
    /// What is taken for granted.
    pub caveats: Vec<Caveat>,
    /// Executions that the model leaves out though the program has them, such as those with arguments: nothing is
    /// claimed of them, so that no verdict is better than *bounded*.
    pub restrictions: Vec<Caveat>,
    /// What is not known of functions that the program calls and nobody defines: what is proved of the model holds of
    /// the program provided that this is so, and is no verdict before the user says that it is.
    pub provisos: Vec<Caveat>,
    /// What it uses and nobody defines, as far as executions go on there.
    pub unknowns: Vec<Unknown>,
}

impl Program {
    /// Whether a span is in a file of the user's, not in a header or model of ours.
    pub fn is_the_users(&self, span: Span) -> bool {
        span.is_somewhere() && !self.sources.name(span.file).starts_with('<')
    }

    /// A place in the source as `file:line`.
    pub fn place(&self, span: Span) -> String {
        if span.is_somewhere() {
            format!("{}:{}", self.sources.name(span.file), span.line)
        } else {
            "added by Selvedge".to_owned()
        }
    }

    /// Nothing, not even a function to start with: what there is before anything has been read.
    pub fn empty() -> Self {
        Program {
            data_model: DataModel::Lp64,
            sources: Sources::default(),
            objects: Vec::new(),
            functions: Vec::new(),
            address_taken: Vec::new(),
            entries: Vec::new(),
            checks: Vec::new(),
            sites: Vec::new(),
            allocated: BTreeMap::new(),
            caveats: Vec::new(),
            restrictions: Vec::new(),
            provisos: Vec::new(),
            unknowns: Vec::new(),
        }
    }

    /// The function that the initial thread starts with; every program that is checked has one.
    pub fn main(&self) -> Option<FunctionId> {
        self.entries.first().copied()
    }

    /// The pointer width in bits.
    pub fn pointer_width(&self) -> u32 {
        self.data_model.pointer_width()
    }

    /// A function of the program.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// An object of the program.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    /// A check of the program.
    pub fn check(&self, id: CheckId) -> &Check {
        &self.checks[id.index()]
    }
}

impl Function {
    /// The arguments that a thread gets which is started with this function and given those: as many as it takes, and
    /// of each as many bits as the parameter has.
    pub fn started_with(&self, given: &[Expr]) -> Vec<Expr> {
        let narrowed = |(parameter, argument): (&RegisterId, &Expr)| {
            let width = self.register(*parameter).width;
            if width < argument.width() { argument.clone().resize_unsigned(width) } else { argument.clone() }
        };
        self.parameters.iter().zip(given).map(narrowed).collect()
    }

    /// A location of the function.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    /// An edge of the function.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// A register of the function.
    pub fn register(&self, id: RegisterId) -> &Register {
        &self.registers[id.index()]
    }

    /// An address-taken local of the function.
    pub fn frame_object(&self, id: FrameObjectId) -> &FrameObject {
        &self.frame[id.index()]
    }
}

impl std::fmt::Display for DataModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        })
    }
}
