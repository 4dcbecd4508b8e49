//! Small random concurrent programs: a few threads, shared integers, mutexes, atomics, asserts.
//!
//! Loops are bounded and values small, so the state space is finite and an explicit search is
//! feasible. Most programs keep a locking discipline, some break it: races, failing assertions
//! and deadlocks all occur. There is no oracle here; the programs are for comparing engines.

use std::fmt::Write;

use crate::random::Random;

/// How big a program is and what it is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Threads besides `main`.
    pub threads: u32,
    /// Shared variables that are not atomic, each guarded by a mutex if there is one.
    pub plain: u32,
    /// Shared C11 atomic integers.
    pub atomic: u32,
    pub mutexes: u32,
    /// Condition variables, each with one thread that waits and one that signals.
    pub conditions: u32,
    /// Statements of each thread, not counting nested ones.
    pub statements: u32,
    /// The most rounds that a loop makes; 0 for no loops.
    pub rounds: u32,
    /// How many percent of the accesses to guarded variables forget the lock.
    pub careless: u32,
    /// How many percent of the statements are atomic sections.
    pub sections: u32,
}

impl Shape {
    pub fn random(random: &mut Random) -> Shape {
        Shape {
            threads: random.between(2, 3) as u32,
            plain: random.between(1, 3) as u32,
            atomic: random.below(3) as u32,
            mutexes: random.below(3) as u32,
            conditions: u32::from(random.chance(25)),
            statements: random.between(1, 4) as u32,
            rounds: random.below(4) as u32,
            careless: *random.pick(&[0, 0, 10, 50]),
            sections: 0,
        }
    }
}

/// A program of a random shape.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xc000_0000_0000_0000);
    let shape = Shape::random(&mut random);
    generate(&mut random, shape)
}

/// A program of a random shape, with atomic sections: for verifiers only, since no compiler knows them.
pub fn with_sections(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xc200_0000_0000_0000);
    let shape = Shape { sections: 40, ..Shape::random(&mut random) };
    generate(&mut random, shape)
}

/// A program of the given shape.
pub fn program_of(seed: u64, shape: Shape) -> String {
    generate(&mut Random::new(seed ^ 0xc100_0000_0000_0000), shape)
}

/// A shared variable that is not atomic, and the mutex that should be held to touch it.
#[derive(Clone, Debug)]
struct Plain {
    name: String,
    guard: Option<u32>,
}

struct Writer<'r> {
    random: &'r mut Random,
    shape: Shape,
    plain: Vec<Plain>,
    text: String,
    indent: usize,
    fresh: u32,
}

fn generate(random: &mut Random, shape: Shape) -> String {
    let mut writer = Writer { random, shape, plain: Vec::new(), text: String::new(), indent: 0, fresh: 0 };
    writer.declarations();
    for thread in 1..=shape.threads {
        writer.thread(thread);
    }
    writer.main();
    writer.text
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", self.indent * 4);
    }

    fn declarations(&mut self) {
        for header in ["assert", "pthread", "stdatomic"] {
            self.line(&format!("#include <{header}.h>"));
        }
        if self.shape.sections > 0 {
            self.line(
                "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);",
            );
            self.line("extern _Bool __VERIFIER_nondet_bool(void);");
        }
        for number in 0..self.shape.plain {
            let name = format!("x{number}");
            let guard = match self.shape.mutexes {
                0 => None,
                mutexes => Some(self.random.below(u64::from(mutexes)) as u32),
            };
            let ty = *self.random.pick(&["int", "int", "signed char", "unsigned char", "short", "unsigned"]);
            let value = self.random.below(2);
            self.line(&format!("static {ty} {name} = {value};"));
            self.plain.push(Plain { name, guard });
        }
        for number in 0..self.shape.atomic {
            let ty = *self.random.pick(&["atomic_int", "_Atomic unsigned char", "atomic_uint"]);
            self.line(&format!("static {ty} n{number};"));
        }
        for number in 0..self.shape.mutexes {
            self.line(&format!("static pthread_mutex_t m{number} = PTHREAD_MUTEX_INITIALIZER;"));
        }
        for number in 0..self.shape.conditions {
            self.line(&format!("static pthread_mutex_t cm{number} = PTHREAD_MUTEX_INITIALIZER;"));
            self.line(&format!("static pthread_cond_t c{number} = PTHREAD_COND_INITIALIZER;"));
            self.line(&format!("static int ready{number};"));
        }
    }

    fn thread(&mut self, thread: u32) {
        self.line(&format!("static void *thread{thread}(void *arg) {{"));
        self.indent += 1;
        self.line("int r = 0;");
        self.line("(void)arg;");
        for condition in 0..self.shape.conditions {
            if thread == 1 + condition % self.shape.threads {
                self.wait(condition);
            }
        }
        for _ in 0..self.shape.statements {
            self.statement(2);
        }
        for condition in 0..self.shape.conditions {
            if thread == 1 + (condition + 1) % self.shape.threads {
                self.signal(condition);
            }
        }
        self.line("(void)r;");
        self.line("return 0;");
        self.indent -= 1;
        self.line("}");
    }

    fn main(&mut self) {
        self.line("int main(void) {");
        self.indent += 1;
        self.line("int r = 0;");
        for thread in 1..=self.shape.threads {
            self.line(&format!("pthread_t t{thread};"));
        }
        for thread in 1..=self.shape.threads {
            self.line(&format!("pthread_create(&t{thread}, 0, thread{thread}, 0);"));
        }
        if self.random.chance(30) {
            self.statement(1);
        }
        for thread in 1..=self.shape.threads {
            self.line(&format!("pthread_join(t{thread}, 0);"));
        }
        for _ in 0..self.random.between(1, 2) {
            let claim = self.claim();
            self.line(&format!("assert({claim});"));
        }
        self.line("return r & 0;");
        self.indent -= 1;
        self.line("}");
    }

    fn wait(&mut self, condition: u32) {
        self.line(&format!("pthread_mutex_lock(&cm{condition});"));
        let again = if self.random.chance(85) { "while" } else { "if" };
        self.line(&format!("{again} (!ready{condition}) pthread_cond_wait(&c{condition}, &cm{condition});"));
        self.line(&format!("assert(ready{condition});"));
        self.line(&format!("pthread_mutex_unlock(&cm{condition});"));
    }

    fn signal(&mut self, condition: u32) {
        let wake = *self.random.pick(&["signal", "broadcast"]);
        self.line(&format!("pthread_mutex_lock(&cm{condition});"));
        self.line(&format!("ready{condition} = 1;"));
        self.line(&format!("pthread_cond_{wake}(&c{condition});"));
        self.line(&format!("pthread_mutex_unlock(&cm{condition});"));
    }

    fn statement(&mut self, depth: u32) {
        if self.shape.sections > 0 && depth > 0 && self.random.chance(u64::from(self.shape.sections)) {
            return self.section();
        }
        match self.random.below(10) {
            0 | 1 if self.shape.atomic > 0 => self.atomic_operation(),
            2 if depth > 0 => self.branch(depth),
            3 if depth > 0 && self.shape.rounds > 0 => self.rounds(depth),
            _ => self.guarded_region(),
        }
    }

    fn atomic(&mut self) -> String {
        format!("n{}", self.random.below(u64::from(self.shape.atomic)))
    }

    fn atomic_operation(&mut self) {
        let (name, other) = (self.atomic(), self.random.below(3));
        let line = match self.random.below(7) {
            0 => format!("atomic_store(&{name}, {other});"),
            1 => format!("r = atomic_load(&{name});"),
            2 => format!("r = atomic_fetch_add(&{name}, 1);"),
            3 => format!("{name}++;"),
            4 => format!("{name} = r;"),
            5 => format!("r = atomic_exchange(&{name}, {other});"),
            _ => {
                self.fresh += 1;
                let expected = format!("e{}", self.fresh);
                self.line(&format!("__typeof__(atomic_load(&{name})) {expected} = {other};"));
                format!("r = atomic_compare_exchange_strong(&{name}, &{expected}, {});", self.random.below(3))
            }
        };
        self.line(&line);
    }

    /// An atomic section; some begin with a branch, some wait for a lock inside, some can never be finished.
    fn section(&mut self) {
        self.line("__VERIFIER_atomic_begin();");
        if self.random.chance(30) {
            self.line("if (__VERIFIER_nondet_bool()) {");
            self.in_section();
            self.line("} else {");
            self.in_section();
            self.line("}");
        }
        for _ in 0..self.random.between(0, 2) {
            self.in_section();
        }
        self.line("__VERIFIER_atomic_end();");
    }

    fn in_section(&mut self) {
        self.indent += 1;
        let x = self.random.pick(&self.plain).name.clone();
        let constant = self.random.below(3);
        match self.random.below(8) {
            0 if self.shape.atomic > 0 => self.atomic_operation(),
            1 => self.guarded_region(),
            2 => self.line(&format!("__VERIFIER_assume({x} != {constant});")),
            3 => self.line(&format!("if ({x} == {constant}) r = 1;")),
            _ => {
                let line = self.access(&x, &x);
                self.line(&line);
            }
        }
        self.indent -= 1;
    }

    fn branch(&mut self, depth: u32) {
        let condition = match self.random.below(3) {
            0 if self.shape.atomic > 0 => format!("{} == {}", self.atomic(), self.random.below(3)),
            1 => format!("r > {}", self.random.below(2)),
            _ => format!("r == {}", self.random.below(3)),
        };
        self.line(&format!("if ({condition}) {{"));
        self.nested(depth);
        if self.random.chance(50) {
            self.line("} else {");
            self.nested(depth);
        }
        self.line("}");
    }

    fn nested(&mut self, depth: u32) {
        self.indent += 1;
        self.statement(depth - 1);
        self.indent -= 1;
    }

    fn rounds(&mut self, depth: u32) {
        self.fresh += 1;
        let counter = format!("i{}", self.fresh);
        let rounds = self.random.between(1, u64::from(self.shape.rounds));
        self.line(&format!("for (int {counter} = 0; {counter} < {rounds}; {counter}++) {{"));
        self.nested(depth);
        self.line("}");
    }

    /// One to three accesses to a plain variable, with its guard held unless carelessly forgotten.
    fn guarded_region(&mut self) {
        if self.plain.is_empty() {
            return self.line("r++;");
        }
        let first = self.random.pick(&self.plain).clone();
        let second = self.random.pick(&self.plain).clone();
        let mut held: Vec<u32> = [first.guard, second.guard].into_iter().flatten().collect();
        // One order for all threads avoids deadlock; the careless take locks as they come.
        if !self.random.chance(u64::from(self.shape.careless)) {
            held.sort_unstable();
        }
        held.dedup();
        if self.random.chance(u64::from(self.shape.careless)) {
            held.pop();
        }
        for mutex in &held {
            self.line(&format!("pthread_mutex_lock(&m{mutex});"));
        }
        for _ in 0..self.random.between(1, 3) {
            let line = self.access(&first.name, &second.name);
            self.line(&line);
        }
        for mutex in held.iter().rev() {
            self.line(&format!("pthread_mutex_unlock(&m{mutex});"));
        }
    }

    fn access(&mut self, x: &str, y: &str) -> String {
        let constant = self.random.below(4);
        match self.random.below(9) {
            0 => format!("{x} = {constant};"),
            1 => format!("{x}++;"),
            2 => format!("{x} = {x} + 1;"),
            3 => format!("r = {x};"),
            4 => format!("{x} = (r + {constant}) % 4;"),
            5 => format!("{x} = {y};"),
            6 => format!("if ({x} == {constant}) {y} = 0;"),
            7 => format!("{x} ^= 1;"),
            _ => format!("assert({x} != {});", constant + 4),
        }
    }

    fn claim(&mut self) -> String {
        let constant = self.random.below(4);
        if self.plain.is_empty() {
            return "r >= 0".into();
        }
        let name = self.random.pick(&self.plain).name.clone();
        match self.random.below(4) {
            0 => format!("{name} <= {}", constant + 3),
            1 => format!("{name} != {constant}"),
            2 => format!("{name} == {constant} || {name} != 7"),
            _ => format!("{name} >= 0"),
        }
    }
}
