//! What locks are called: by where they are, if they are one lock wherever they are spoken of, by a register that
//! points into the object that they live in, and as elements of arrays by their index.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_analysis::points_to::SharedTargets;
use selvedge_analysis::{AbstractObject, Offset, PointsTo, Target};
use selvedge_program::{
    Accesses, Action, Base, BinaryOp, Bits, Expr, FrameObjectId, FunctionId, LockKind, ObjectKind, Program, RegisterId,
    SiteId, UnaryOp,
};

use super::elements::Element;
use super::life::Life;

/// A lock of the library in an object of which there is one in an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lock {
    pub object: AbstractObject,
    pub offset: i64,
    pub kind: LockKind,
}

/// What a lock is called in a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name {
    /// This very lock.
    Fixed(Lock),
    /// The lock that lies so many bytes behind where a register points to.
    Behind(RegisterId, i64, LockKind),
    /// The lock at an element, by number, whose index is made of registers.
    At(u32, LockKind),
    /// No lock, but that a flag has been raised ([`super::flags`]): who knows that knows it for ever.
    Raised(u32),
}

impl Name {
    /// The kind of the lock; none for what is no lock.
    pub fn kind(self) -> Option<LockKind> {
        match self {
            Name::Fixed(lock) => Some(lock.kind),
            Name::Behind(_, _, kind) | Name::At(_, kind) => Some(kind),
            Name::Raised(_) => None,
        }
    }
}

/// An address as a register and a distance from where it points to, if it has that form.
pub fn behind(address: &Expr) -> Option<(RegisterId, i64)> {
    match origin(address)? {
        (Origin::Register(register), distance) => Some((register, distance)),
        (Origin::Local(_), _) => None,
    }
}

/// Where an address comes from, as far as registers and locals go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Register(RegisterId),
    Local(FrameObjectId),
}

/// A value as an origin and a distance from where that points to, if it has that form.
pub fn origin(value: &Expr) -> Option<(Origin, i64)> {
    match value {
        Expr::Register(register, _) => Some((Origin::Register(*register), 0)),
        Expr::Address(Base::Frame(local), _) => Some((Origin::Local(*local), 0)),
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            let (base, distance) = match (left.as_ref(), right.as_ref()) {
                (base, Expr::Constant(bits)) => (base, distance(*bits)?),
                (Expr::Constant(bits), base) if *op == BinaryOp::Add => (base, distance(*bits)?),
                _ => return None,
            };
            let (origin, before) = origin(base)?;
            let sum = if *op == BinaryOp::Add { before.checked_add(distance) } else { before.checked_sub(distance) };
            Some((origin, sum?))
        }
        _ => None,
    }
}

/// The registers and locals whose addresses a value may be made of.
pub fn carried(value: &Expr, visit: &mut dyn FnMut(Origin)) {
    match value {
        Expr::Address(Base::Frame(local), _) => visit(Origin::Local(*local)),
        Expr::Constant(_) | Expr::Address(..) | Expr::Unary(UnaryOp::IsWithin, _) => {}
        Expr::Register(register, _) => visit(Origin::Register(*register)),
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => carried(operand, visit),
        Expr::Binary(op, ..) if op.is_comparison() => {}
        Expr::Binary(_, left, right) => {
            carried(left, visit);
            carried(right, visit);
        }
        Expr::IfThenElse(_, then, otherwise) => {
            carried(then, visit);
            carried(otherwise, visit);
        }
    }
}

fn distance(bits: Bits) -> Option<i64> {
    i64::try_from(bits.as_signed()).ok()
}

/// What pointers may point to, and what there is one of.
#[derive(Debug)]
pub struct Names<'p> {
    pub program: &'p Program,
    pub points_to: &'p PointsTo,
    life: &'p Life,
    /// By allocation site: whether it allocates at most once.
    is_single_site: Vec<bool>,
    /// By function and local: whether it lives at most once.
    is_single_local: Vec<Vec<bool>>,
    targets: RefCell<FxHashMap<(FunctionId, Name), SharedTargets>>,
    aliases: RefCell<FxHashMap<(SharedTargets, SharedTargets), bool>>,
    elements: RefCell<Numbered>,
}

/// Whether nobody can write to an object: whoever tries is undefined.
pub fn is_constant(program: &Program, object: AbstractObject) -> bool {
    matches!(object, AbstractObject::Static(id) if program.object(id).kind == ObjectKind::Constant)
}

/// Elements, in the order of their numbers.
#[derive(Debug, Default)]
struct Numbered {
    all: Vec<Rc<Element>>,
    numbers: FxHashMap<Rc<Element>, u32>,
}

impl<'p> Names<'p> {
    pub fn new(program: &'p Program, points_to: &'p PointsTo, life: &'p Life) -> Names<'p> {
        let mut made: Vec<u32> = vec![0; program.sites.len()];
        let mut is_single_site = vec![true; program.sites.len()];
        let mut is_single_local = Vec::with_capacity(program.functions.len());
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            let is_once = |edge: &selvedge_program::Edge| life.is_once(id, edge.source);
            let mut locals = vec![life.is_once(id, function.entry) || function.frame.is_empty(); function.frame.len()];
            for edge in &function.edges {
                if let Action::Allocate { site, .. } = &edge.action {
                    made[site.index()] += 1;
                    is_single_site[site.index()] &= is_once(edge) && made[site.index()] == 1;
                }
                if let Accesses::Local(local) = edge.action.accesses() {
                    locals[local.index()] &= is_once(edge);
                }
            }
            is_single_local.push(locals);
        }
        Names {
            program,
            points_to,
            life,
            is_single_site,
            is_single_local,
            targets: RefCell::default(),
            aliases: RefCell::default(),
            elements: RefCell::default(),
        }
    }

    /// The number of an element: the same number, the same place.
    pub fn number(&self, element: &Element) -> u32 {
        let Numbered { all, numbers } = &mut *self.elements.borrow_mut();
        if let Some(number) = numbers.get(element) {
            return *number;
        }
        let (element, number) = (Rc::new(element.clone()), all.len() as u32);
        all.push(element.clone());
        numbers.insert(element, number);
        number
    }

    /// The element with a number.
    pub fn element(&self, number: u32) -> Rc<Element> {
        self.elements.borrow().all[number as usize].clone()
    }

    /// Whether there is at most one such object in an execution.
    pub fn is_single(&self, object: AbstractObject) -> bool {
        match object {
            AbstractObject::Static(id) => self.program.object(id).kind != ObjectKind::ThreadLocal,
            AbstractObject::Site(SiteId(site)) => self.is_single_site[site as usize],
            AbstractObject::Frame(function, local) => self.is_single_local[function.index()][local.index()],
            AbstractObject::Function(_) | AbstractObject::Thread | AbstractObject::Started(_) => false,
        }
    }

    /// What an address in a function may be.
    pub fn targets(&self, function: FunctionId, address: &Expr) -> SharedTargets {
        self.points_to.shared_targets_of(function, address)
    }

    /// What a lock is called whose address is given.
    pub fn of(&self, function: FunctionId, address: &Expr, kind: LockKind) -> Vec<Name> {
        let mut names = Vec::new();
        if let Some((register, distance)) = behind(address) {
            names.push(Name::Behind(register, distance, kind));
        }
        let targets = self.targets(function, address);
        if let [Target { object, offset: Offset { start, stride: 0 } }] = *targets
            && self.is_single(object)
        {
            names.push(Name::Fixed(Lock { object, offset: start, kind }));
        }
        names
    }

    /// What a name in a function may mean.
    pub fn meant(&self, function: FunctionId, name: Name) -> SharedTargets {
        let find = || match name {
            Name::Fixed(Lock { object, offset, .. }) => {
                SharedTargets::single(Target { object, offset: Offset { start: offset, stride: 0 } })
            }
            Name::Behind(register, distance, _) => {
                let width = self.program.pointer_width();
                let pointer = Box::new(Expr::register(register, width));
                let distance = Box::new(Expr::Constant(Bits::signed(width, i128::from(distance))));
                self.targets(function, &Expr::Binary(BinaryOp::Add, pointer, distance))
            }
            Name::At(element, _) => {
                let address = self.element(element).address(self.program.pointer_width());
                self.targets(function, &address)
            }
            Name::Raised(_) => self.targets(function, &Expr::constant(self.program.pointer_width(), 0)),
        };
        self.targets.borrow_mut().entry((function, name)).or_insert_with(find).clone()
    }

    /// Whether two lists may name one lock.
    pub fn may_alias(&self, a: &SharedTargets, b: &SharedTargets) -> bool {
        let find = || {
            let mut rest = b.iter().peekable();
            a.iter().any(|target| {
                while rest.next_if(|other| other.object < target.object).is_some() {}
                let same = rest.clone().take_while(|other| other.object == target.object);
                same.into_iter().any(|other| target.offset.may_overlap(1, other.offset, 1))
            })
        };
        *self.aliases.borrow_mut().entry((a.clone(), b.clone())).or_insert_with(find)
    }

    /// Whether other threads may be there.
    pub fn life(&self) -> &'p Life {
        self.life
    }
}
