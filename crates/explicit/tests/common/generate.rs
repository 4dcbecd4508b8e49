//! Small random programs over every kind of action: up to three threads that share variables, locks, heap objects and
//! locals.

use super::{int, null};
use selvedge_generate::random::Random;
use selvedge_program::assemble::{Assembly, Code, Reg, address, atomic, ghost, plain};
use selvedge_program::{
    Action, AtomicStep, Base, BinaryOp, Callee, CheckId, Expr, FunctionId, GhostField, ObjectId, Program, SiteId,
};

/// What the threads of a program share.
struct Shared {
    variables: Vec<ObjectId>,
    mutexes: Vec<ObjectId>,
    /// Holds a pointer.
    slot: ObjectId,
    checks: Vec<CheckId>,
    sites: Vec<SiteId>,
    helper: FunctionId,
}

struct Author<'a> {
    random: &'a mut Random,
    shared: &'a Shared,
    number: Reg,
    other: Reg,
    pointer: Reg,
    held: Vec<ObjectId>,
    thread: usize,
}

/// The program with a seed.
pub fn program(seed: u64) -> Program {
    let random = &mut Random::new(seed);
    let mut assembly = Assembly::new();
    let variables = ["x", "y", "z"].map(|name| assembly.global(name, 4)).to_vec();
    let mutexes = ["m", "n"].map(|name| assembly.global(name, 8)).to_vec();
    let slot = assembly.global("slot", 8);
    let checks = (0..4).map(|index| assembly.check(&format!("check {index}"))).collect();
    let sites = (0..2).map(|_| assembly.site()).collect();
    let shared = Shared { variables, mutexes, slot, checks, sites, helper: FunctionId(3) };
    let workers = 1 + random.below(3) as usize;
    let joins = random.below(4) != 0;
    let same = random.below(2) == 0;
    let gives_local = random.below(4) == 0;
    let stores_handles = random.below(2) == 0;
    assembly.function("main", Some(32), |main| {
        let local = main.local("own", 4, 4);
        let handles = main.local("handles", 24, 8);
        let threads: Vec<Reg> = (0..workers).map(|index| main.register(&format!("t{index}"), 64)).collect();
        let mut author = Author::new(random, &shared, main, 0);
        main.store(plain(local.clone(), 4), int(0));
        author.statements(main, 1);
        for (index, thread) in threads.iter().enumerate() {
            let entry = if same || index % 2 == 0 { FunctionId(1) } else { FunctionId(2) };
            main.spawn(*thread, entry, if gives_local { local.clone() } else { null() });
            if stores_handles {
                main.store(plain(handles.clone().plus(8 * index as u64), 8), *thread);
            }
        }
        author.statements(main, 1);
        if joins {
            for (index, thread) in threads.iter().enumerate() {
                if stores_handles {
                    main.load(*thread, plain(handles.clone().plus(8 * index as u64), 8));
                }
                main.join(*thread);
            }
            author.statements(main, 2);
        }
        if author.random.below(4) == 0 {
            main.then(Action::ThreadExit { value: null() });
        } else {
            main.ret(int(0));
        }
    });
    for (index, name) in ["left", "right"].into_iter().enumerate() {
        assembly.function(name, Some(64), |worker| {
            let argument = worker.parameter("arg", 64);
            let mut author = Author::new(random, &shared, worker, index + 1);
            if gives_local && author.random.below(2) == 0 {
                author.pointer_step(worker, argument);
            }
            let count = 2 + author.random.below(3);
            author.statements(worker, count);
            worker.ret(null());
        });
    }
    assembly.function("helper", Some(32), |helper| {
        let argument = helper.parameter("value", 32);
        let local = helper.local("local", 4, 4);
        let result = helper.register("result", 32);
        helper.store(plain(local.clone(), 4), argument);
        if random.below(3) == 0 {
            helper.store(plain(address(shared.slot), 8), local.clone());
        }
        helper.load(result, plain(local, 4));
        helper.ret(result);
    });
    assembly.finish()
}

impl<'a> Author<'a> {
    fn new(random: &'a mut Random, shared: &'a Shared, code: &mut Code, thread: usize) -> Self {
        let (number, other) = (code.register("number", 32), code.register("other", 32));
        let pointer = code.register("pointer", 64);
        code.assign(number, int(0));
        code.assign(other, int(1));
        code.assign(pointer, null());
        Self { random, shared, number, other, pointer, held: Vec::new(), thread }
    }

    fn statements(&mut self, code: &mut Code, count: u64) {
        for _ in 0..count {
            self.statement(code, 2);
        }
    }

    fn variable(&mut self) -> Expr {
        let index = self.random.below(self.shared.variables.len() as u64) as usize;
        address(self.shared.variables[index])
    }

    fn condition(&mut self) -> Expr {
        Expr::equal(self.number.into(), int(u128::from(self.random.below(3))))
    }

    fn value(&mut self) -> Expr {
        match self.random.below(3) {
            0 => self.number.into(),
            1 => Expr::binary(BinaryOp::Add, self.number.into(), int(1)),
            _ => int(u128::from(self.random.below(3))),
        }
    }

    fn statement(&mut self, code: &mut Code, depth: u32) {
        match self.random.below(20) {
            0..=2 => {
                let place = plain(self.variable(), 4);
                code.load(self.number, place);
            }
            3..=4 => {
                let (place, value) = (plain(self.variable(), 4), self.value());
                code.store(place, value);
            }
            5 => {
                let place = atomic(self.variable(), 4);
                code.load(self.number, place);
            }
            6 => {
                let (place, value) = (atomic(self.variable(), 4), self.value());
                code.store(place, value);
            }
            7..=8 => self.locked(code, depth),
            9 => {
                let check = self.shared.checks[self.random.below(4) as usize];
                let condition = self.condition();
                let condition = if self.random.below(3) == 0 { condition } else { condition.not() };
                code.assert(condition, check);
            }
            10..=11 if depth > 0 => {
                let condition = self.condition();
                let otherwise = code.branch(condition);
                self.statement(code, depth - 1);
                code.goto(otherwise);
                code.at(otherwise);
            }
            12 => {
                let bit = code.register("", 1);
                code.then(Action::Havoc { target: bit.0 });
                let wide = Expr::from(bit).resize_unsigned(32);
                code.assign(self.number, wide);
            }
            13 if depth > 0 => {
                code.then(Action::AtomicBegin);
                self.statement(code, 0);
                self.statement(code, 0);
                code.then(Action::AtomicEnd);
            }
            14 => self.update(code),
            15 => {
                let value = self.value();
                let action = Action::Call {
                    target: Some(self.number.0),
                    callee: Callee::Direct(self.shared.helper),
                    arguments: vec![value],
                };
                code.then(action);
            }
            16..=17 => self.heap(code),
            18 if depth > 0 => self.spin(code),
            19 if self.random.below(3) == 0 => {
                let condition = self.condition();
                code.then(Action::Assume(condition));
            }
            _ => {
                let value = self.value();
                code.assign(self.number, value);
            }
        }
    }

    fn locked(&mut self, code: &mut Code, depth: u32) {
        let mutex = self.shared.mutexes[self.random.below(2) as usize];
        if self.held.contains(&mutex) && self.random.below(8) != 0 {
            return;
        }
        code.lock(address(mutex));
        self.held.push(mutex);
        self.statement(code, depth.saturating_sub(1));
        if depth > 0 {
            self.statement(code, depth - 1);
        }
        self.held.pop();
        if self.random.below(12) != 0 {
            code.unlock(address(mutex));
        }
    }

    /// An atomic update of a variable: an increment, perhaps guarded.
    fn update(&mut self, code: &mut Code) {
        let access = atomic(self.variable(), 4);
        let guarded = self.random.below(3) == 0;
        let mut steps = vec![AtomicStep::Read { target: self.other.0, access: access.clone() }];
        if guarded {
            steps.push(AtomicStep::Guard(Expr::equal(self.other.into(), int(0))));
        }
        let value = Expr::binary(BinaryOp::Add, self.other.into(), int(1));
        steps.push(AtomicStep::Write { when: Expr::truth(), access, value });
        code.then(Action::Atomic(steps));
    }

    fn heap(&mut self, code: &mut Code) {
        match self.random.below(4) {
            0 => {
                let site = self.shared.sites[self.random.below(2) as usize];
                code.malloc(self.pointer, 4, site);
                code.store(plain(self.pointer.into(), 4), int(1));
                code.store(atomic(address(self.shared.slot), 8), self.pointer);
            }
            1 => {
                code.load(self.pointer, atomic(address(self.shared.slot), 8));
                self.pointer_step(code, self.pointer);
            }
            2 => {
                code.load(self.pointer, plain(address(self.shared.slot), 8));
                self.pointer_step(code, self.pointer);
            }
            _ => {
                code.load(self.pointer, atomic(address(self.shared.slot), 8));
                if self.random.below(2) == 0 {
                    code.store(atomic(address(self.shared.slot), 8), null());
                }
                code.then(Action::Free { address: self.pointer.into() });
            }
        }
    }

    /// An access through a pointer unless it is null, mostly.
    fn pointer_step(&mut self, code: &mut Code, pointer: Reg) {
        let checked = self.random.below(8) != 0;
        let otherwise = checked.then(|| code.branch(Expr::equal(pointer.into(), null()).not()));
        match self.random.below(3) {
            0 => code.load(self.number, plain(pointer.into(), 4)),
            1 => code.store(plain(pointer.into(), 4), int(2)),
            _ => code.load(self.number, atomic(pointer.into(), 4)),
        };
        if let Some(otherwise) = otherwise {
            code.goto(otherwise);
            code.at(otherwise);
        }
    }

    /// Waits until a variable is not 0, or announces oneself through a ghost field and goes on.
    fn spin(&mut self, code: &mut Code) {
        if self.random.below(2) == 0 {
            let start = code.here();
            let place = atomic(self.variable(), 4);
            code.load(self.other, place);
            let zero = Expr::equal(self.other.into(), int(0));
            let out = code.branch(zero);
            code.goto(start);
            code.at(out);
        } else if self.thread == 0 {
            let field = GhostField::WaitingOn;
            let queue = address(self.shared.slot);
            code.then(Action::Atomic(vec![
                AtomicStep::PickThread { target: self.pointer.0, field, equals: queue },
                AtomicStep::Write {
                    when: Expr::equal(self.pointer.into(), null()).not(),
                    access: ghost(self.pointer.into(), field),
                    value: null(),
                },
            ]));
        } else {
            self.sleep(code);
        }
    }

    fn sleep(&mut self, code: &mut Code) {
        let field = GhostField::WaitingOn;
        let me = || Expr::address(Base::SelfThread, 64);
        let queue = address(self.shared.slot);
        let asleep = ghost(me(), field);
        code.then(Action::Atomic(vec![AtomicStep::Write {
            when: Expr::truth(),
            access: asleep.clone(),
            value: queue,
        }]));
        let (before, after) = (code.here(), code.location());
        let woken = |steps: &mut Vec<AtomicStep>, target: Reg| {
            steps.push(AtomicStep::Read { target: target.0, access: asleep.clone() });
        };
        let mut steps = Vec::new();
        woken(&mut steps, self.pointer);
        steps.push(AtomicStep::Guard(Expr::equal(self.pointer.into(), null())));
        code.edge(before, after, Action::Atomic(steps));
        let mut steps = vec![AtomicStep::Spurious];
        woken(&mut steps, self.pointer);
        steps.push(AtomicStep::Guard(Expr::equal(self.pointer.into(), null()).not()));
        steps.push(AtomicStep::Write { when: Expr::truth(), access: asleep.clone(), value: null() });
        code.edge(before, after, Action::Atomic(steps));
        code.at(after);
    }
}
