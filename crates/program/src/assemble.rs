//! Small programs built by hand, for tests and examples: code is added step by step, every step an edge to a new
//! location.

use crate::thread_status::{FINISHED, JOINED};
use crate::{
    Access, Action, AtomicStep, Atomicity, Base, Callee, Check, CheckId, DataModel, Display, Edge, EdgeId, Expr,
    FrameObject, FrameObjectId, Function, FunctionId, GhostField, InitialContents, Interpretation, Location,
    LocationId, LockKind, LockMode, Object, ObjectId, ObjectKind, Operation, Place, Program, Register, RegisterId,
    Shape, SiteId, Sources, Span, Storage, Undefined,
};

/// A program under construction.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The program so far.
    pub program: Program,
}

impl Default for Assembly {
    fn default() -> Self {
        Self::new()
    }
}

impl Assembly {
    /// An empty program for 64-bit pointers. Its first function to be added is `main`'s.
    pub fn new() -> Self {
        let program = Program {
            data_model: DataModel::Lp64,
            sources: Sources::default(),
            objects: Vec::new(),
            functions: Vec::new(),
            address_taken: Vec::new(),
            entries: vec![FunctionId(0)],
            checks: Vec::new(),
            sites: Vec::new(),
            allocated: Default::default(),
            caveats: Vec::new(),
            restrictions: Vec::new(),
            provisos: Vec::new(),
            unknowns: Vec::new(),
        };
        Self { program }
    }

    /// A global scalar that starts at 0.
    pub fn global(&mut self, name: &str, size: u32) -> ObjectId {
        let shape = Shape::Scalar { size, display: Display::Signed };
        self.object(name, ObjectKind::Global, u64::from(size), size, shape)
    }

    /// Any static object, zero for now.
    pub fn object(&mut self, name: &str, kind: ObjectKind, size: u64, align: u32, shape: Shape) -> ObjectId {
        self.program.objects.push(Object {
            name: name.to_owned(),
            kind,
            size,
            align,
            initial: Vec::new(),
            initial_ghosts: Vec::new(),
            shape,
            type_name: format!("{size} bytes"),
            span: Span::NOWHERE,
        });
        ObjectId::new(self.program.objects.len() - 1)
    }

    /// A check, to be used in the function that is added next.
    pub fn check(&mut self, description: &str) -> CheckId {
        let function = FunctionId::new(self.program.functions.len());
        self.program.checks.push(Check { description: description.to_owned(), function, span: Span::NOWHERE });
        CheckId::new(self.program.checks.len() - 1)
    }

    /// A place that allocates.
    pub fn site(&mut self) -> SiteId {
        self.program.sites.push(Span::NOWHERE);
        SiteId::new(self.program.sites.len() - 1)
    }

    /// A function; its code must end in a return or the like.
    pub fn function<R>(
        &mut self,
        name: &str,
        result_width: Option<u32>,
        code: impl FnOnce(&mut Code) -> R,
    ) -> FunctionId {
        let mut body = Code {
            function: Function {
                name: name.to_owned(),
                parameters: Vec::new(),
                result_width,
                registers: Vec::new(),
                frame: Vec::new(),
                locations: vec![Location::default()],
                edges: Vec::new(),
                entry: LocationId(0),
                span: Span::NOWHERE,
            },
            here: LocationId(0),
        };
        code(&mut body);
        self.program.functions.push(body.function);
        FunctionId::new(self.program.functions.len() - 1)
    }

    /// `main` starts so many threads of the next function, `worker`, joins them all and does the rest.
    pub fn with_workers(&mut self, workers: usize, code: impl FnOnce(&mut Code), rest: impl FnOnce(&mut Code)) {
        let null = Expr::constant(64, 0);
        let worker = FunctionId::new(self.program.functions.len() + 1);
        self.function("main", Some(32), |main| {
            let threads: Vec<_> = (0..workers).map(|index| main.register(&format!("t{index}"), 64)).collect();
            for thread in &threads {
                main.spawn(*thread, worker, null.clone());
            }
            for thread in &threads {
                main.join(*thread);
            }
            rest(main);
            main.ret(Expr::constant(32, 0));
        });
        self.function("worker", Some(64), |worker| {
            worker.parameter("arg", 64);
            code(worker);
            worker.ret(null.clone());
        });
    }

    /// The program.
    ///
    /// # Panics
    /// If it is not well-formed.
    pub fn finish(self) -> Program {
        if let Err(problems) = self.program.validate() {
            panic!("{}", problems.join("\n"));
        }
        self.program
    }
}

/// The code of a function under construction.
#[derive(Clone, Debug)]
pub struct Code {
    /// The function so far.
    pub function: Function,
    here: LocationId,
}

/// A register that can be named wherever its value is meant.
#[derive(Clone, Copy, Debug)]
pub struct Reg(pub RegisterId, pub u32);

impl From<Reg> for Expr {
    fn from(register: Reg) -> Expr {
        Expr::register(register.0, register.1)
    }
}

/// The address of a static object.
pub fn address(object: ObjectId) -> Expr {
    Expr::address(Base::Object(object), 64)
}

/// A plain access to as many bytes at an address, aligned to their number.
pub fn plain(address: Expr, size: u32) -> Access {
    Access { place: Place::Memory { address, size, align: size }, atomicity: Atomicity::Plain }
}

/// The same, atomic.
pub fn atomic(address: Expr, size: u32) -> Access {
    Access { atomicity: Atomicity::SEQUENTIAL, ..plain(address, size) }
}

/// A ghost field at an address.
pub fn ghost(address: Expr, field: GhostField) -> Access {
    Access { place: Place::Ghost { address, field }, atomicity: Atomicity::SEQUENTIAL }
}

impl Code {
    /// A new register.
    pub fn register(&mut self, name: &str, width: u32) -> Reg {
        let display = if width == 64 { Display::Pointer } else { Display::Signed };
        let name = (!name.is_empty()).then(|| name.to_owned());
        self.function.registers.push(Register { name, width, display, may_be_address: false });
        Reg(RegisterId::new(self.function.registers.len() - 1), width)
    }

    /// A new register that takes the next argument.
    pub fn parameter(&mut self, name: &str, width: u32) -> Reg {
        let register = self.register(name, width);
        self.function.parameters.push(register.0);
        register
    }

    /// An address-taken local; gives its address.
    pub fn local(&mut self, name: &str, size: u64, align: u32) -> Expr {
        self.function.frame.push(FrameObject {
            name: name.to_owned(),
            size,
            align,
            shape: Shape::Opaque,
            type_name: format!("{size} bytes"),
            span: Span::NOWHERE,
        });
        Expr::address(Base::Frame(FrameObjectId::new(self.function.frame.len() - 1)), 64)
    }

    /// Where the next step will start.
    pub fn here(&self) -> LocationId {
        self.here
    }

    /// A new location that nothing leads to yet.
    pub fn location(&mut self) -> LocationId {
        self.function.locations.push(Location::default());
        LocationId::new(self.function.locations.len() - 1)
    }

    /// Adds an edge between locations.
    pub fn edge(&mut self, source: LocationId, target: LocationId, action: Action) -> EdgeId {
        let id = EdgeId::new(self.function.edges.len());
        self.function.edges.push(Edge { source, target, action, side: None, span: Span::NOWHERE, stub: None });
        self.function.locations[source.index()].outgoing.push(id);
        id
    }

    /// Goes on at a location.
    pub fn at(&mut self, location: LocationId) {
        self.here = location;
    }

    /// Adds a step.
    pub fn then(&mut self, action: Action) -> EdgeId {
        let (source, target) = (self.here, self.location());
        self.here = target;
        self.edge(source, target, action)
    }

    /// Adds a branch, goes on where the condition holds, and gives where it does not.
    pub fn branch(&mut self, condition: Expr) -> LocationId {
        let (source, otherwise) = (self.here, self.location());
        self.then(Action::Assume(condition.clone()));
        self.edge(source, otherwise, Action::Assume(condition.not()));
        otherwise
    }

    /// Goes to a location.
    pub fn goto(&mut self, target: LocationId) {
        self.edge(self.here, target, Action::Assume(Expr::truth()));
    }

    /// `target := value`.
    pub fn assign(&mut self, target: Reg, value: impl Into<Expr>) -> EdgeId {
        self.then(Action::Assign { target: target.0, value: value.into() })
    }

    /// `target := *access`.
    pub fn load(&mut self, target: Reg, access: Access) -> EdgeId {
        self.then(Action::Load { target: target.0, access, interpretation: Interpretation::Value })
    }

    /// `*access := value`.
    pub fn store(&mut self, access: Access, value: impl Into<Expr>) -> EdgeId {
        self.then(Action::Store { access, value: value.into() })
    }

    /// `assert(condition)`.
    pub fn assert(&mut self, condition: Expr, check: CheckId) -> EdgeId {
        self.then(Action::Assert { condition, check })
    }

    /// `return value`.
    pub fn ret(&mut self, value: impl Into<Expr>) -> EdgeId {
        self.then(Action::Return { value: Some(value.into()) })
    }

    /// Starts a thread with one argument.
    pub fn spawn(&mut self, target: Reg, function: FunctionId, argument: Expr) -> EdgeId {
        self.then(Action::Spawn {
            target: target.0,
            entry: Callee::Direct(function),
            arguments: vec![argument],
            id: None,
        })
    }

    /// Waits for a thread to finish.
    pub fn join(&mut self, thread: Reg) -> EdgeId {
        let width = GhostField::ThreadStatus.width(DataModel::Lp64);
        let status = self.register("", width);
        let access = ghost(thread.into(), GhostField::ThreadStatus);
        self.then(Action::Atomic(vec![
            AtomicStep::Read { target: status.0, access: access.clone() },
            AtomicStep::Guard(Expr::equal(status.into(), Expr::constant(width, FINISHED))),
            AtomicStep::Mark { when: Expr::truth(), operation: Operation::Join, object: thread.into() },
            AtomicStep::Write { when: Expr::truth(), access, value: Expr::constant(width, JOINED) },
        ]))
    }

    /// Locks a mutex that is not recursive.
    pub fn lock(&mut self, mutex: Expr) -> EdgeId {
        let owner = self.register("", 64);
        let operation = Operation::Acquire(LockKind::Mutex, LockMode::Exclusive);
        let access = ghost(mutex.clone(), GhostField::MutexOwner);
        self.then(Action::Atomic(vec![
            AtomicStep::Read { target: owner.0, access: access.clone() },
            AtomicStep::Guard(Expr::equal(owner.into(), Expr::constant(64, 0))),
            AtomicStep::Mark { when: Expr::truth(), operation, object: mutex },
            AtomicStep::Write { when: Expr::truth(), access, value: Expr::address(Base::SelfThread, 64) },
        ]))
    }

    /// Unlocks a mutex that this thread must hold.
    pub fn unlock(&mut self, mutex: Expr) -> EdgeId {
        let owner = self.register("", 64);
        let operation = Operation::Release(LockKind::Mutex, LockMode::Exclusive);
        let access = ghost(mutex.clone(), GhostField::MutexOwner);
        let held = Expr::equal(owner.into(), Expr::address(Base::SelfThread, 64));
        self.then(Action::Atomic(vec![
            AtomicStep::Read { target: owner.0, access: access.clone() },
            AtomicStep::Require(held, Undefined::UnlockNotHeld),
            AtomicStep::Mark { when: Expr::truth(), operation, object: mutex },
            AtomicStep::Write { when: Expr::truth(), access, value: Expr::constant(64, 0) },
        ]))
    }

    /// `target := malloc(size)`, of indeterminate contents.
    pub fn malloc(&mut self, target: Reg, size: u64, site: SiteId) -> EdgeId {
        self.then(Action::Allocate {
            target: target.0,
            size: Expr::constant(64, u128::from(size)),
            align: 16,
            storage: Storage::Heap,
            contents: InitialContents::Indeterminate,
            site,
        })
    }
}
