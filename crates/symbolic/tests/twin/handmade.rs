//! Programs made of random expressions and actions, on objects of every kind.

use selvedge_generate::random::Random;
use selvedge_program::assemble::{Assembly, Code, Reg};
use selvedge_program::semantics::LARGEST_OBJECT;
use selvedge_program::{
    Access, Action, AtomicStep, Atomicity, Base, BinaryOp, Bits, Callee, CheckId, Conversion, DataModel, Expr,
    FloatFormat, FrameObjectId, FunctionId, GhostField, InitialContents, InitialValue, Interpretation, MemoryOrder,
    ObjectId, ObjectKind, Operation, OutputPiece, Place, Program, RegisterId, Shape, SiteId, Storage, UnaryOp,
    Undefined,
};

use crate::inputs::Inputs;
use crate::scramble::{OF_OBJECTS, OF_THREADS, waiting};

/// How many random actions leave the location where `main` stays.
const ACTIONS: usize = 48;

/// What random expressions are made of.
#[derive(Clone, Debug)]
pub struct Palette {
    pub registers: Vec<(RegisterId, u32)>,
    pub bases: Vec<Base>,
    pub pointer_width: u32,
}

/// What `main` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything.
    Actions,
    /// It only computes.
    Expressions,
}

/// A program whose `main` makes some objects and threads, then takes random actions again and again.
pub fn program(data_model: DataModel, kind: Kind, random: &mut Random) -> Program {
    let mut assembly = Assembly::new();
    assembly.program.data_model = data_model;
    let width = assembly.program.pointer_width();
    objects(&mut assembly, width);
    let check = assembly.check("holds");
    let site = assembly.site();
    assembly.function("main", Some(32), |main| {
        let mut palette = Palette { registers: Vec::new(), bases: bases(), pointer_width: width };
        for bits in [1, 8, 16, 32, 32, 64, 64, 128, width, width, width, width] {
            let register = main.register("", bits);
            if bits >= width {
                main.function.registers[register.0.index()].may_be_address = random.chance(30);
            }
            palette.registers.push((register.0, bits));
        }
        let pointer = Reg(palette.registers[11].0, width);
        main.local("local", 8, 8);
        main.local("larger", 24, 4);
        prepare(main, pointer, width, site);
        let here = main.here();
        for _ in 0..ACTIONS {
            let action = match kind {
                Kind::Actions => action(random, &palette, check, site),
                Kind::Expressions => assignment(random, &palette),
            };
            main.edge(here, here, action);
        }
    });
    assembly.function("worker", Some(width), |worker| {
        let argument = worker.parameter("argument", width);
        let byte = worker.register("", 8);
        worker.then(Action::Havoc { target: byte.0 });
        worker.ret(argument);
    });
    assembly.function("callee", Some(32), |callee| {
        let argument = callee.parameter("argument", 32);
        callee.ret(argument);
    });
    assembly.program.address_taken = vec![FunctionId(1)];
    let program = assembly.program;
    assert_eq!(program.validate(), Ok(()));
    program
}

fn bases() -> Vec<Base> {
    let objects = (0..6).map(|object| Base::Object(ObjectId(object)));
    let frame = (0..2).map(|local| Base::Frame(FrameObjectId(local)));
    let functions = (1..3).map(|function| Base::Function(FunctionId(function)));
    objects.chain(frame).chain(functions).chain([Base::SelfThread]).collect()
}

fn objects(assembly: &mut Assembly, width: u32) {
    let size = u64::from(width / 8);
    assembly.global("number", 4);
    assembly.object("array", ObjectKind::Global, 16, 4, Shape::Opaque);
    let constant = assembly.object("constant", ObjectKind::Constant, 8, 1, Shape::Opaque);
    assembly.object("own", ObjectKind::ThreadLocal, 8, 8, Shape::Opaque);
    let pointers = assembly.object("pointers", ObjectKind::Global, 4 * size, 8, Shape::Opaque);
    assembly.object("unended", ObjectKind::Constant, 2, 1, Shape::Opaque);
    let mut initial = |object: ObjectId, offset: u64, size: u32, value: Expr| {
        assembly.program.objects[object.index()].initial.push(InitialValue { offset, size, value });
    };
    initial(constant, 0, 2, Expr::constant(16, 0x6261));
    initial(ObjectId(5), 0, 2, Expr::constant(16, 0x6261));
    for (at, base) in
        [Base::Object(ObjectId(1)), Base::Function(FunctionId(1)), Base::Object(constant)].iter().enumerate()
    {
        initial(pointers, at as u64 * size, width / 8, Expr::address(*base, width));
    }
}

/// Some memory, of which one part is freed, and two threads.
fn prepare(main: &mut Code, pointer: Reg, width: u32, site: SiteId) {
    let address = |offset: u64| Expr::address(Base::Object(ObjectId(4)), width).plus(offset);
    let size = width / 8;
    let access = |offset: u64| Access {
        place: Place::Memory { address: address(offset), size, align: size },
        atomicity: Atomicity::Plain,
    };
    for (bytes, storage, contents) in [
        (8, Storage::Heap, InitialContents::Indeterminate),
        (24, Storage::Heap, InitialContents::Zero),
        (12, Storage::Stack, InitialContents::Indeterminate),
        (4, Storage::Heap, InitialContents::Zero),
    ] {
        let bytes = Expr::constant(width, bytes);
        main.then(Action::Allocate { target: pointer.0, size: bytes, align: 8, storage, contents, site });
    }
    main.then(Action::Free { address: pointer.into() });
    for offset in [0, u64::from(size)] {
        main.then(Action::Spawn {
            target: pointer.0,
            entry: Callee::Direct(FunctionId(1)),
            arguments: vec![Expr::constant(width, 0)],
            id: Some(access(offset + 2 * u64::from(size))),
        });
    }
}

const WIDTHS: [u32; 6] = [1, 8, 16, 32, 64, 128];

/// A random expression of a width.
pub fn expression(random: &mut Random, palette: &Palette, width: u32, depth: u32) -> Expr {
    if depth == 0 || random.chance(20) {
        return leaf(random, palette, width);
    }
    let mut below = |random: &mut Random, width: u32| Box::new(expression(random, palette, width, depth - 1));
    if width == 1 && random.chance(60) {
        return condition(random, palette, &mut below);
    }
    match random.below(10) {
        0 => {
            let is_address = width == palette.pointer_width;
            let op = match random.below(4) {
                0 => UnaryOp::Negate,
                1 => UnaryOp::Not,
                2 if is_address => UnaryOp::StartOf,
                _ => float(width).map_or(UnaryOp::Not, UnaryOp::FloatNegate),
            };
            Expr::Unary(op, below(random, width))
        }
        1..=5 => {
            let op = arithmetic(random, width, palette.pointer_width);
            Expr::Binary(op, below(random, width), below(random, width))
        }
        6 | 7 => conversion(random, width, &mut below),
        _ => Expr::IfThenElse(below(random, 1), below(random, width), below(random, width)),
    }
}

fn leaf(random: &mut Random, palette: &Palette, width: u32) -> Expr {
    let registers: Vec<_> = palette.registers.iter().filter(|register| register.1 == width).collect();
    if width == palette.pointer_width && random.chance(30) && !palette.bases.is_empty() {
        return Expr::Address(*random.pick(&palette.bases), width);
    }
    if registers.is_empty() || random.chance(35) {
        return Expr::Constant(Bits::new(width, Inputs::interesting(random, width)));
    }
    Expr::Register(random.pick(&registers).0, width)
}

fn float(width: u32) -> Option<FloatFormat> {
    match width {
        32 => Some(FloatFormat::F32),
        64 => Some(FloatFormat::F64),
        _ => None,
    }
}

type Below<'a> = dyn FnMut(&mut Random, u32) -> Box<Expr> + 'a;

fn condition(random: &mut Random, palette: &Palette, below: &mut Below<'_>) -> Expr {
    if random.chance(12) {
        return Expr::Unary(UnaryOp::IsWithin, below(random, palette.pointer_width));
    }
    let width = if random.chance(50) { palette.pointer_width } else { *random.pick(&WIDTHS) };
    let op = match (random.below(8), float(width)) {
        (0, Some(format)) => BinaryOp::FloatEqual(format),
        (1, Some(format)) => BinaryOp::FloatLess(format),
        (2, Some(format)) => BinaryOp::FloatLessEqual(format),
        (3 | 4, _) => BinaryOp::LessUnsigned,
        (5, _) => BinaryOp::LessSigned,
        _ => BinaryOp::Equal,
    };
    Expr::Binary(op, below(random, width), below(random, width))
}

fn arithmetic(random: &mut Random, width: u32, pointer_width: u32) -> BinaryOp {
    if width == pointer_width && random.chance(50) {
        let likely = [BinaryOp::Add, BinaryOp::Subtract, BinaryOp::And, BinaryOp::Or, BinaryOp::Xor];
        return *random.pick(&likely);
    }
    if let Some(format) = float(width).filter(|_| random.chance(25)) {
        let floats = [
            BinaryOp::FloatAdd(format),
            BinaryOp::FloatSubtract(format),
            BinaryOp::FloatMultiply(format),
            BinaryOp::FloatDivide(format),
        ];
        return *random.pick(&floats);
    }
    *random.pick(&BinaryOp::ARITHMETIC)
}

fn conversion(random: &mut Random, width: u32, below: &mut Below<'_>) -> Expr {
    let other = *random.pick(&WIDTHS);
    let integer = match other.cmp(&width) {
        std::cmp::Ordering::Less if random.chance(50) => Conversion::SignExtend,
        std::cmp::Ordering::Less => Conversion::ZeroExtend,
        std::cmp::Ordering::Greater => Conversion::Truncate,
        std::cmp::Ordering::Equal => return *below(random, width),
    };
    let op = match (float(other), float(width)) {
        (Some(from), _) if random.chance(20) => Conversion::FloatToSigned(from),
        (Some(from), _) if random.chance(20) => Conversion::FloatToUnsigned(from),
        (Some(from), Some(_)) if random.chance(30) => Conversion::FloatToFloat(from),
        (_, Some(to)) if random.chance(20) => Conversion::SignedToFloat(to),
        (_, Some(to)) if random.chance(20) => Conversion::UnsignedToFloat(to),
        _ => integer,
    };
    Expr::Convert(op, width, below(random, other))
}

/// An address that is mostly one.
fn address(random: &mut Random, palette: &Palette) -> Expr {
    let width = palette.pointer_width;
    let base = match random.below(10) {
        0..=3 => Expr::Address(*random.pick(&palette.bases), width),
        4..=8 => register(random, palette, width),
        _ => return expression(random, palette, width, 3),
    };
    let plus = |base: Expr, offset: Expr| Expr::Binary(BinaryOp::Add, Box::new(base), Box::new(offset));
    match random.below(6) {
        0 | 1 => base,
        2 | 3 => plus(base, Expr::constant(width, u128::from(4 * random.below(4)))),
        4 => plus(base, Expr::constant(width, u128::from(random.below(20)))),
        _ => {
            let narrow = *random.pick(&[8, 16]);
            let wide = *random.pick(&[Conversion::ZeroExtend, Conversion::SignExtend]);
            let index = Expr::Convert(wide, width, Box::new(register(random, palette, narrow)));
            let factor = Expr::constant(width, *random.pick(&[1, 2, 4, 8, 12, 65537]));
            let scaled = Expr::Binary(BinaryOp::Multiply, Box::new(index), Box::new(factor));
            let first = Expr::constant(width, u128::from(4 * random.below(3)));
            plus(base, Expr::Binary(BinaryOp::Add, Box::new(scaled), Box::new(first)))
        }
    }
}

fn register(random: &mut Random, palette: &Palette, width: u32) -> Expr {
    let registers: Vec<_> = palette.registers.iter().filter(|register| register.1 == width).collect();
    Expr::Register(random.pick(&registers).0, width)
}

fn target(random: &mut Random, palette: &Palette, width: u32) -> RegisterId {
    let registers: Vec<_> = palette.registers.iter().filter(|register| register.1 == width).collect();
    random.pick(&registers).0
}

fn atomicity(random: &mut Random) -> Atomicity {
    *random.pick(&[Atomicity::Plain, Atomicity::SEQUENTIAL, Atomicity::Atomic(MemoryOrder::Relaxed)])
}

/// Some bytes, as many as a register has.
fn memory(random: &mut Random, palette: &Palette) -> (Access, u32) {
    let pointer = palette.pointer_width / 8;
    let size = *random.pick(&[1, 2, 4, 8, 16, pointer, pointer]);
    let align = if random.chance(70) { 1 } else { size };
    (
        Access {
            place: Place::Memory { address: address(random, palette), size, align },
            atomicity: atomicity(random),
        },
        size * 8,
    )
}

/// Some bytes or a ghost field, with the width of what it holds.
fn access(random: &mut Random, palette: &Palette, kind: Wanted) -> (Access, u32) {
    if random.chance(60) {
        return memory(random, palette);
    }
    let field = match random.below(12) {
        0 => GhostField::NextKey,
        1 if kind == Wanted::Read => GhostField::ObjectSize,
        2..=5 => *random.pick(&OF_THREADS),
        _ => *random.pick(&OF_OBJECTS),
    };
    let model = if palette.pointer_width == 64 { DataModel::Lp64 } else { DataModel::Ilp32 };
    let width = field.width(model);
    let address = if field.belongs_to_thread() && random.chance(60) {
        Expr::Address(Base::SelfThread, palette.pointer_width)
    } else {
        address(random, palette)
    };
    (Access { place: Place::Ghost { address, field }, atomicity: atomicity(random) }, width)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Read,
    Write,
}

fn undefined(random: &mut Random) -> Undefined {
    *random.pick(&[Undefined::UnlockNotHeld, Undefined::OutOfArray, Undefined::Unreachable])
}

/// A random action; those that end the thread or the process are among them.
fn action(random: &mut Random, palette: &Palette, check: CheckId, site: SiteId) -> Action {
    let width = palette.pointer_width;
    let condition = |random: &mut Random| expression(random, palette, 1, 3);
    match random.below(27) {
        0 => Action::Assume(condition(random)),
        1 | 2 => assignment(random, palette),
        3..=6 => {
            let (access, width) = access(random, palette, Wanted::Read);
            let interpretation = *random.pick(&[Interpretation::Value, Interpretation::Raw]);
            Action::Load { target: target(random, palette, width), access, interpretation }
        }
        7..=10 => {
            let (access, width) = access(random, palette, Wanted::Write);
            let depth = random.below(3) as u32;
            Action::Store { access, value: expression(random, palette, width, depth) }
        }
        11..=14 => Action::Atomic(steps(random, palette)),
        15 => {
            let bits = *random.pick(&[8, 32, width]);
            Action::Havoc { target: target(random, palette, bits) }
        }
        16 => Action::Forget { object: FrameObjectId(random.below(2) as u32) },
        17 => Action::EndLife { object: FrameObjectId(random.below(2) as u32) },
        18 => spawn(random, palette),
        19 => allocation(random, palette, site),
        20 if random.chance(50) => Action::Free { address: register(random, palette, width) },
        20 => Action::Free { address: address(random, palette) },
        21 => Action::Assert { condition: condition(random), check },
        22 => Action::Require { condition: condition(random), otherwise: undefined(random) },
        23 | 24 => call(random, palette),
        25 => Action::Output(vec![
            OutputPiece::Value("%d".to_owned(), expression(random, palette, 32, 2)),
            OutputPiece::CString("%s".to_owned(), address(random, palette)),
        ]),
        _ => match random.below(7) {
            0 => Action::Exit { status: expression(random, palette, 32, 2) },
            1 => Action::ThreadExit { value: expression(random, palette, width, 2) },
            2 => Action::Return { value: Some(expression(random, palette, 32, 2)) },
            3 => Action::AtomicBegin,
            4 => Action::AtomicEnd,
            5 => Action::Unsupported("something".to_owned()),
            _ => Action::Fence(MemoryOrder::Acquire),
        },
    }
}

fn assignment(random: &mut Random, palette: &Palette) -> Action {
    let width = *random.pick(&[1, 8, 16, 32, 64, 128, palette.pointer_width, palette.pointer_width]);
    let depth = random.between(1, 5) as u32;
    Action::Assign { target: target(random, palette, width), value: expression(random, palette, width, depth) }
}

fn callee(random: &mut Random, palette: &Palette) -> Callee {
    if random.chance(30) { Callee::Direct(FunctionId(1)) } else { Callee::Indirect(address(random, palette)) }
}

fn spawn(random: &mut Random, palette: &Palette) -> Action {
    let width = palette.pointer_width;
    let place = Place::Memory { address: address(random, palette), size: width / 8, align: width / 8 };
    let id = random.chance(60).then(|| Access { place, atomicity: atomicity(random) });
    let argument = expression(random, palette, width, 1);
    let entry = callee(random, palette);
    Action::Spawn { target: target(random, palette, width), entry, arguments: vec![argument], id }
}

fn call(random: &mut Random, palette: &Palette) -> Action {
    let width = palette.pointer_width;
    let called = callee(random, palette);
    let (argument, result) = match called {
        Callee::Direct(_) => (width, width),
        Callee::Indirect(_) => *random.pick(&[(width, width), (32, 32), (width, 32)]),
    };
    let target = random.chance(70).then(|| target(random, palette, result));
    Action::Call { target, callee: called, arguments: vec![expression(random, palette, argument, 2)] }
}

fn allocation(random: &mut Random, palette: &Palette, site: SiteId) -> Action {
    let width = palette.pointer_width;
    let size = match random.below(4) {
        0 => Expr::constant(width, u128::from(random.below(20))),
        1 => {
            // Either small or more than there can be: what lies between only costs memory.
            let size = expression(random, palette, width, 2);
            let small = Expr::binary(BinaryOp::LessUnsigned, size.clone(), Expr::constant(width, 4096));
            Expr::if_then_else(small, size, Expr::constant(width, u128::from(LARGEST_OBJECT) + 1))
        }
        _ => Expr::Convert(Conversion::ZeroExtend, width, Box::new(register(random, palette, 8))),
    };
    Action::Allocate {
        target: target(random, palette, width),
        size,
        align: *random.pick(&[1, 8, 16]),
        storage: *random.pick(&[Storage::Heap, Storage::Stack]),
        contents: *random.pick(&[InitialContents::Zero, InitialContents::Indeterminate]),
        site,
    }
}

/// An update: guards first, then the rest in any order.
fn steps(random: &mut Random, palette: &Palette) -> Vec<AtomicStep> {
    let mut steps = Vec::new();
    if random.chance(20) {
        steps.push(AtomicStep::Spurious);
    }
    if random.chance(50) {
        steps.push(read(random, palette));
        steps.push(AtomicStep::Guard(expression(random, palette, 1, 2)));
    }
    if random.chance(20) {
        // Without effect, whatever it promises.
        let (when, object) = (Expr::truth(), address(random, palette));
        steps.push(AtomicStep::Mark { when, operation: Operation::Signal, object });
    }
    for _ in 0..=random.below(3) {
        steps.push(match random.below(8) {
            0 | 1 => read(random, palette),
            2 => {
                let width = *random.pick(&[32, palette.pointer_width]);
                AtomicStep::Let { target: target(random, palette, width), value: expression(random, palette, width, 2) }
            }
            3 => AtomicStep::Require(expression(random, palette, 1, 2), undefined(random)),
            4 | 5 => {
                let (access, width) = access(random, palette, Wanted::Write);
                let when = if random.chance(50) { Expr::truth() } else { expression(random, palette, 1, 2) };
                AtomicStep::Write { when, access, value: expression(random, palette, width, 1) }
            }
            6 => AtomicStep::PickThread {
                target: target(random, palette, palette.pointer_width),
                field: waiting(random),
                equals: equals(random, palette),
            },
            _ => AtomicStep::WriteThreads {
                field: waiting(random),
                equals: equals(random, palette),
                value: equals(random, palette),
            },
        });
    }
    steps
}

fn read(random: &mut Random, palette: &Palette) -> AtomicStep {
    let (access, width) = access(random, palette, Wanted::Read);
    AtomicStep::Read { target: target(random, palette, width), access }
}

/// What a thread's field may well be.
fn equals(random: &mut Random, palette: &Palette) -> Expr {
    match random.below(5) {
        0 => Expr::constant(32, u128::from(random.below(3))),
        1 | 2 => Expr::Address(Base::Object(ObjectId(0)), palette.pointer_width),
        3 => Expr::Address(Base::SelfThread, palette.pointer_width),
        _ => expression(random, palette, palette.pointer_width, 1),
    }
}
