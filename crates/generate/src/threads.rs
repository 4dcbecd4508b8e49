//! Small random programs about the life of threads: who starts whom, who waits for whom, and through which handle.
//!
//! Threads start threads, in loops, in functions and in recursion; handles are globals, locals, elements of arrays and
//! copies; joins are forgotten, conditional, of the wrong thread, or of oneself. Many executions end in undefined
//! behaviour or deadlock, which is as good as any other end: the programs are for comparing what an analysis says of
//! places with the places threads get to. They stand alone, without headers.

use std::fmt::Write;

use crate::random::Random;

/// Functions that threads run; each may start those after it.
const WORKERS: u64 = 3;
/// Functions that are called.
const HELPERS: u64 = 2;
/// Handles in the array.
const HANDLES: u64 = 3;

/// A random program.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xd000_0000_0000_0000);
    let mut writer = Writer {
        random: &mut random,
        text: String::new(),
        fresh: 0,
        inside: Inside::Helper,
        worker: WORKERS,
        helper: 0,
    };
    writer.text.push_str(
        "typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_tryjoin_np(pthread_t, void **);
int pthread_detach(pthread_t);
void pthread_exit(void *);
pthread_t pthread_self(void);
int __VERIFIER_nondet_int(void);
pthread_t h[3], g;
int x, fuel = 3;
",
    );
    let heads: Vec<String> = (0..WORKERS).map(|worker| format!("void *w{worker}(void *);\n")).collect();
    writer.text.push_str(&heads.concat());
    for helper in (0..HELPERS).rev() {
        writer.helper = helper;
        let _ = writeln!(writer.text, "void c{helper}(int n, pthread_t *p) {{");
        writer.body(2);
        if writer.random.chance(25) {
            let _ = writeln!(writer.text, "if (n > 0) c{helper}(n - 1, p);");
            writer.statement(0);
        }
        writer.text.push_str("}\n");
    }
    writer.inside = Inside::Entry;
    writer.helper = 0;
    for worker in (0..WORKERS).rev() {
        writer.worker = worker + 1;
        let _ = writeln!(writer.text, "void *w{worker}(void *a) {{ pthread_t *p = a ? a : &g; int n = 1; pthread_t l;");
        writer.body(2);
        writer.text.push_str("return 0; }\n");
    }
    writer.worker = 0;
    writer.text.push_str("int main(void) { pthread_t *p = h; int n = 1; pthread_t l;\n");
    writer.body(5);
    let end = if writer.random.chance(20) { "pthread_exit(0); }\n" } else { "return 0; }\n" };
    writer.text.push_str(end);
    writer.text
}

/// What kind of function is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// One that is called, and has no handle of its own.
    Helper,
    /// One that a thread starts with.
    Entry,
}

struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    fresh: u32,
    inside: Inside,
    /// The first function that may be started from here.
    worker: u64,
    /// The first function that may be called from here.
    helper: u64,
}

impl Writer<'_> {
    fn body(&mut self, most: u64) {
        for _ in 0..self.random.between(1, most + 1) {
            self.statement(2);
        }
        self.text.push_str("x = 1;\n");
    }

    /// Where a handle is.
    fn place(&mut self) -> String {
        let locals = if self.inside == Inside::Helper { 4 } else { 5 };
        match self.random.below(locals) {
            0 => "g".into(),
            1 | 2 => format!("h[{}]", self.random.below(HANDLES)),
            3 => "(*p)".into(),
            _ => "l".into(),
        }
    }

    fn started(&mut self) -> Option<String> {
        if self.inside == Inside::Helper {
            return Some(format!("w{}", WORKERS - 1));
        }
        if self.worker >= WORKERS {
            return None;
        }
        let worker = self.random.between(self.worker, WORKERS - 1);
        Some(if self.random.chance(10) { format!("(x ? w{worker} : w{})", WORKERS - 1) } else { format!("w{worker}") })
    }

    fn create(&mut self, place: &str) {
        let argument = *self.random.pick(&["0", "0", "&g", "&h[1]"]);
        match self.started() {
            Some(worker) => {
                let _ = writeln!(self.text, "pthread_create(&{place}, 0, {worker}, {argument});");
            }
            None if self.random.chance(20) => {
                let _ = writeln!(
                    self.text,
                    "if (fuel > 0) {{ fuel--; pthread_create(&{place}, 0, w{}, {argument}); }}",
                    WORKERS - 1
                );
            }
            None => self.text.push_str("x = 2;\n"),
        }
    }

    fn statement(&mut self, depth: u32) {
        let place = self.place();
        match self.random.below(16) {
            0..=3 => self.create(&place),
            4..=6 => {
                let _ = writeln!(self.text, "pthread_join({place}, 0);");
            }
            7 => {
                self.create(&place);
                if self.random.chance(20) {
                    self.text.push_str("if (__VERIFIER_nondet_int()) pthread_exit(0);\n");
                } else if depth > 0 {
                    self.statement(depth - 1);
                }
                let _ = writeln!(self.text, "pthread_join({place}, 0);");
            }
            8 | 9 => self.rounds(),
            10 if depth > 0 => {
                self.text.push_str("if (__VERIFIER_nondet_int()) {\n");
                self.statement(depth - 1);
                self.text.push_str("} else {\n");
                self.statement(depth - 1);
                self.text.push_str("}\n");
            }
            11 if depth > 0 => {
                self.fresh += 1;
                let _ = writeln!(self.text, "for (int k{0} = 0; k{0} < 2; k{0}++) {{", self.fresh);
                self.statement(depth - 1);
                if self.random.chance(30) {
                    self.text.push_str("if (__VERIFIER_nondet_int()) break;\n");
                }
                self.text.push_str("}\n");
            }
            12 | 13 if self.helper < HELPERS && !(self.inside == Inside::Helper && self.helper + 1 >= HELPERS) => {
                let first = if self.inside == Inside::Helper { self.helper + 1 } else { self.helper };
                let helper = self.random.between(first, HELPERS - 1);
                let _ = writeln!(self.text, "c{helper}({}, &{place});", self.random.below(2));
            }
            14 => {
                let other = self.place();
                let line = match self.random.below(6) {
                    0 => format!("pthread_tryjoin_np({place}, 0);"),
                    1 => format!("pthread_detach({place});"),
                    2 => "if (__VERIFIER_nondet_int()) pthread_exit(0);".into(),
                    3 => format!("{place} = pthread_self();"),
                    _ => format!("{place} = {other};"),
                };
                self.text.push_str(&line);
                self.text.push('\n');
            }
            _ => self.text.push_str("x = 3;\n"),
        }
    }

    /// Starts several threads in a loop, and perhaps waits for as many, or one less.
    fn rounds(&mut self) {
        self.fresh += 1;
        let counter = format!("i{}", self.fresh);
        let rounds = self.random.between(1, HANDLES);
        if self.started().is_some() && self.random.chance(80) {
            let _ = write!(self.text, "for (int {counter} = 0; {counter} < {rounds}; {counter}++) ");
            self.create(&format!("h[{counter}]"));
        }
        self.text.push_str("x = 4;\n");
        if self.random.chance(70) {
            let first = u64::from(self.random.chance(25));
            let _ = writeln!(
                self.text,
                "for (int {counter} = {first}; {counter} < {rounds}; {counter}++) pthread_join(h[{counter}], 0);"
            );
        }
    }
}
