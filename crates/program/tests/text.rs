//! Programs as text, and the names of objects' parts.

mod common;

use selvedge_program::assemble::{Assembly, address, atomic, plain};
use selvedge_program::{
    Access, Action, Atomicity, Base, BinaryOp, Callee, Display, Expr, FunctionId, InitialContents, InitialValue,
    Interpretation, Member, MemoryOrder, ObjectKind, OutputPiece, Program, Shape, Span, Storage, text,
};

fn scalar(size: u32) -> Shape {
    Shape::Scalar { size, display: Display::Signed }
}

fn member(name: &str, offset: u64, shape: Shape) -> Member {
    Member { name: name.to_owned(), offset, shape, bits: None }
}

/// `struct { int id; struct { void *head; char tag[4]; } q[2]; union { int i; char c; }; }`
fn queue() -> Shape {
    let tag = Shape::Array { element: Box::new(scalar(1)), stride: 1, length: 4 };
    let element = Shape::Record(vec![member("head", 0, scalar(8)), member("tag", 8, tag)]);
    let array = Shape::Array { element: Box::new(element), stride: 16, length: 2 };
    let either = Shape::Record(vec![member("i", 0, scalar(4)), member("c", 0, scalar(1))]);
    Shape::Record(vec![member("id", 0, scalar(4)), member("q", 8, array), member("", 40, either)])
}

#[test]
fn parts_have_names() {
    let path = |offset, size| queue().path(offset, size);
    assert_eq!(path(0, 4).as_deref(), Some(".id"));
    assert_eq!(path(8, 8).as_deref(), Some(".q[0].head"));
    assert_eq!(path(34, 1).as_deref(), Some(".q[1].tag[2]"));
    assert_eq!(path(40, 4).as_deref(), Some(".i"));
    assert_eq!(path(40, 1).as_deref(), Some(".c"), "the member of a union that has the size");
    assert_eq!(path(4, 4), None, "padding");
    assert_eq!(path(12, 8), None, "parts of two members");
    assert_eq!(path(0, 0).as_deref(), Some(""), "an address names the outermost part");
    assert_eq!(path(24, 0).as_deref(), Some(".q[1]"));
    assert_eq!(scalar(4).path(0, 4).as_deref(), Some(""));
    assert_eq!(scalar(4).path(0, 2), None);
    let empty = Shape::Array { element: Box::new(Shape::Record(vec![])), stride: 0, length: 3 };
    assert_eq!(empty.path(1, 1), None);
}

fn int(value: i128) -> Expr {
    Expr::signed(32, value)
}

fn sample() -> Program {
    let mut assembly = Assembly::new();
    let file = assembly.program.sources.file("worker.c");
    let counter = assembly.global("counter", 4);
    let mutex = assembly.global("m", 8);
    let queue = assembly.object("queue", ObjectKind::Global, 48, 8, queue());
    let word = Shape::Array { element: Box::new(scalar(1)), stride: 1, length: 3 };
    let string = assembly.object("\"hi\"", ObjectKind::Constant, 3, 1, word);
    let bytes = [(0, b'h'), (1, b'\n')];
    assembly.program.objects[string.index()].initial =
        bytes.map(|(offset, byte)| InitialValue { offset, size: 1, value: Expr::constant(8, byte.into()) }).into();
    assembly.program.objects[queue.index()].initial = vec![
        InitialValue { offset: 0, size: 4, value: int(7) },
        InitialValue { offset: 8, size: 8, value: address(counter) },
    ];
    let check = assembly.check("x < 10");
    let site = assembly.site();
    assembly.function("main", Some(32), |main| {
        let (thread, x, again) = (main.register("t", 64), main.register("x", 32), main.register("x", 32));
        main.spawn(thread, FunctionId(1), Expr::constant(64, 0));
        let head = main.here();
        main.load(x, atomic(address(queue), 4));
        let out = main.branch(Expr::binary(BinaryOp::LessSigned, x.into(), int(10)));
        main.assign(again, Expr::binary(BinaryOp::Subtract, x.into(), int(1)));
        main.goto(head);
        main.at(out);
        main.assert(Expr::equal(x.into(), int(-1)).not(), check);
        main.join(thread);
        let piece = OutputPiece::Value("%d".to_owned(), x.into());
        main.then(Action::Output(vec![OutputPiece::Text(b"x is\n".to_vec()), piece]));
        main.ret(int(0));
        main.function.span = Span::on_line(file, 20, 1, 4);
    });
    assembly.function("worker", Some(64), |worker| {
        let (arg, tmp, pointer) = (worker.parameter("arg", 64), worker.register("", 32), worker.register("p", 64));
        let local = worker.local("node", 16, 8);
        let lock = worker.lock(address(mutex));
        worker.load(tmp, plain(address(counter), 4));
        worker.store(plain(address(counter), 4), Expr::binary(BinaryOp::Add, tmp.into(), int(1)));
        worker.unlock(address(mutex));
        worker.then(Action::Allocate {
            target: pointer.0,
            size: Expr::constant(64, 24),
            align: 16,
            storage: Storage::Heap,
            contents: InitialContents::Zero,
            site,
        });
        worker.store(plain(Expr::from(pointer).plus(8), 8), address(queue).plus(24));
        let access = plain(local, 8);
        worker.then(Action::Load { target: pointer.0, access, interpretation: Interpretation::Raw });
        let otherwise = worker.branch(Expr::equal(pointer.into(), Expr::constant(64, 0)));
        let callee = Callee::Indirect(arg.into());
        worker.then(Action::Call { target: Some(tmp.0), callee, arguments: vec![int(1), pointer.into()] });
        worker.then(Action::Free { address: pointer.into() });
        worker.ret(Expr::constant(64, 0));
        worker.at(otherwise);
        worker.function.locations[otherwise.index()].label = Some("out".to_owned());
        worker.then(Action::ThreadExit { value: Expr::address(Base::SelfThread, 64) });
        worker.function.span = Span::on_line(file, 5, 1, 6);
        worker.function.edges[lock.index()].span = Span::on_line(file, 7, 5, 6);
    });
    assembly.finish()
}

#[test]
fn a_program_reads_like_this() {
    let expected = "\
object o0 counter: 4 bytes, 4 bytes = 0
object o1 m: 8 bytes, 8 bytes = 0
object o2 queue: 48 bytes, 48 bytes = { .id = 7, .q[0].head = &counter }
constant o3 \"hi\": 3 bytes, 3 bytes = \"h\\n\"

function f0 main() -> 32                                          // worker.c:20
  registers t:64 x.r1:32 x.r2:32 r3:8
  L0 -> L1  t := spawn worker(0)
  L1 -> L2  x.r1 := load atomic queue.id:4
  L2 -> L4  if x.r1 < 10
  L2 -> L3  if x.r1 >= 10
  L3 -> L6  assert x.r1 != -1  (check0)
  L4 -> L5  x.r2 := x.r1 - 1
  L5 -> L1  skip
  L6 -> L7  [ r3 := t->status; guard r3 == 1; mark join t; t->status := 2 ]
  L7 -> L8  print \"x is\\n\" %d(x.r1)
  L8        return 0

function f1 worker(arg:64) -> 64                                  // worker.c:5
  registers r1:32 p:64 r3:64 r4:64
  frame s0 node: 16 bytes, 16 bytes
  L0  -> L1   [ r3 := m.owner; guard r3 == null; mark lock &m; m.owner := self ]  // 7:5-11
  L1  -> L2   r1 := load counter:4
  L2  -> L3   store counter:4 := r1 + 1
  L3  -> L4   [ r4 := m.owner; require r4 == self else UnlockNotHeld; mark unlock &m; m.owner := 0 ]
  L4  -> L5   p := new heap object of 24 bytes zeroed, align 16, site0
  L5  -> L6   store *(p + 8):8 := &queue.q[1]
  L6  -> L7   p := load raw node:8
  L7  -> L9   if p == null
  L7  -> L8   if p != null
 out:
  L8          thread_exit self
  L9  -> L10  r1 := call (*arg)(1, p)
  L10 -> L11  free p
  L11         return 0

thread t0 main
check0 x < 10 in main
site0
ghost owner: an address, 64 bits
ghost status: 8 bits
";
    assert_eq!(text::program(&sample()), expected);
    assert_eq!(text::Text(&sample()).to_string(), expected);
}

#[test]
fn long_initial_values_are_cut_off() {
    let mut assembly = Assembly::new();
    for (name, size) in [("numbers", 4), ("text", 1)] {
        let shape = Shape::Array { element: Box::new(scalar(size)), stride: size.into(), length: 100 };
        let id = assembly.object(name, ObjectKind::Global, u64::from(size) * 100, size, shape);
        let value = |at: u64| InitialValue { offset: at * u64::from(size), size, value: Expr::constant(size * 8, 65) };
        assembly.program.objects[id.index()].initial = (0..100).map(value).collect();
    }
    assembly.function("main", Some(32), |main| main.ret(int(0)));
    let text = text::program(&assembly.finish());
    assert!(text.contains("[79] = 65, and 20 more }\n"), "{text}");
    assert!(text.contains("AA\" and 20 more\n"), "{text}");
}

#[test]
fn parentheses_stand_only_where_they_must() {
    let program = sample();
    let x = || Expr::Register(selvedge_program::RegisterId(1), 32);
    let show = |expr: Expr| text::expr(&program, FunctionId(1), &expr);
    let binary = Expr::binary;
    let sum = || binary(BinaryOp::Add, x(), int(2));
    assert_eq!(show(binary(BinaryOp::Multiply, sum(), int(3))), "(r1 + 2) * 3");
    assert_eq!(show(binary(BinaryOp::Add, binary(BinaryOp::Multiply, x(), int(3)), int(2))), "r1 * 3 + 2");
    assert_eq!(show(binary(BinaryOp::Subtract, x(), sum())), "r1 - (r1 + 2)");
    let less = binary(BinaryOp::LessUnsigned, x(), sum());
    assert_eq!(show(less.clone()), "r1 <u r1 + 2");
    assert_eq!(show(less.clone().not()), "r1 >=u r1 + 2");
    assert_eq!(show(less.clone().and(Expr::equal(x(), int(4)).not())), "r1 <u r1 + 2 && r1 != 4");
    assert_eq!(show(Expr::if_then_else(less, x(), int(-5))), "r1 <u r1 + 2 ? r1 : -5");
    assert_eq!(show(x().resize_signed(64)), "sext64(r1)");
    assert_eq!(show(binary(BinaryOp::And, x(), Expr::constant(32, 0xffff))), "r1 & 65535");
    assert_eq!(show(Expr::constant(64, 1 << 40)), "0x10000000000");
    assert_eq!(show(address(selvedge_program::ObjectId(2)).plus(4)), "&queue + 4");
}

#[test]
fn atomic_updates_mark_plain_accesses() {
    let program = sample();
    let mut access = plain(address(selvedge_program::ObjectId(0)), 4);
    let step = |access| {
        let step = selvedge_program::AtomicStep::Read { target: selvedge_program::RegisterId(1), access };
        text::action(&program, FunctionId(1), &Action::Atomic(vec![step]))
    };
    assert_eq!(step(access.clone()), "[ r1 := plain counter:4 ]");
    access.atomicity = Atomicity::SEQUENTIAL;
    assert_eq!(step(access.clone()), "[ r1 := counter:4 ]");
    access.atomicity = Atomicity::Atomic(MemoryOrder::Acquire);
    assert_eq!(step(access), "[ r1 := acquire counter:4 ]");
}

#[test]
fn weak_memory_orders_are_shown() {
    let program = sample();
    let show = |action: Action| text::action(&program, FunctionId(1), &action);
    let store = |atomicity| {
        let place = plain(address(selvedge_program::ObjectId(0)), 4).place;
        Action::Store { access: Access { place, atomicity }, value: Expr::constant(32, 1) }
    };
    assert_eq!(show(store(Atomicity::SEQUENTIAL)), "store atomic counter:4 := 1");
    assert_eq!(show(store(Atomicity::Atomic(MemoryOrder::Release))), "store atomic release counter:4 := 1");
    assert_eq!(show(Action::Fence(MemoryOrder::AcquireRelease)), "fence acq_rel");
}
