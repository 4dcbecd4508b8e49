//! Where the report says that operands are taken from left to right.

use selvedge_frontend::compile::{CompileOptions, compile_text};

/// The lines in which the order is said to be assumed.
fn assumed(source: &str) -> Vec<u32> {
    let compiled = compile_text("test.c", source, &CompileOptions::default()).expect("it compiles");
    let orders = compiled.program.caveats.iter().filter(|caveat| caveat.message.contains("from left to right"));
    orders.map(|caveat| caveat.span.line).collect()
}

const FUNCTIONS: &str = "int g, h, *p; _Atomic int a, b; int pthread_mutex_lock(void *); unsigned long strlen(const char *);
static int set(void) { g = 1; return 0; } static int get(void) { return g; } static int other(void) { return h++; }
static int through(int *q) { return (*q)++; } static int deep(void) { return set(); } static int sum(int x, int y) { return x + y; }
";

#[track_caller]
fn check(statement: &str, is_assumed: bool) {
    let source = format!("{FUNCTIONS}int main(void) {{ int i = 0, l[2] = {{0}};\n{statement}\nreturn i + l[0]; }}");
    assert_eq!(assumed(&source), if is_assumed { vec![5] } else { vec![] }, "{statement}");
}

#[test]
fn calls_that_write_what_another_operand_touches() {
    check("i = set() + get();", true);
    check("i = sum(deep(), g);", true);
    check("g += set();", true);
    check("l[g] = set();", true);
    check("i = through(p) + through(p);", true);
    check("i = through(&i) + i;", true);
    check("i = (g > 0) + through(&g);", true);
    check("i = pthread_mutex_lock(p) + pthread_mutex_lock(l);", true);
    check("i = a - b;", true);
    check("i = g + (i && g++);", true);
}

#[test]
fn calls_whose_order_does_not_matter() {
    check("i = set() + other();", false);
    check("i = get() + get() + g;", false);
    check("i = set() && get();", false);
    check("i = (set(), get());", false);
    check("i = h + through(l);", false);
    check("g = set();", false);
    check("i = strlen(\"ab\") + strlen(\"c\");", false);
    check("a += b;", false);
    check("i = sum(sum(1, i), i + 2);", false);
}
