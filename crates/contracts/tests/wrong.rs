//! Wrong specifications, and what is said of them: `wrong.txt` has each with its messages.

use expect_test::expect_file;
use selvedge_contracts::text::{Refused, read, read_alone};
use selvedge_frontend::compile::{CompileOptions, compile_text};
use selvedge_program::Severity;
use selvedge_report::{SourceCache, Style, diagnostic};
use std::fmt::Write;

/// The C program of specifications that need one.
const PROGRAM: &str = "
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int count, limit;
unsigned char small;
double ratio;
const int fixed = 1;
_Thread_local int own;
pthread_mutex_t lock;
struct { int head, tail; } queue;
int table[4];
static void *worker(void *unused) {
    int i = 0;
    i = count + limit + small + fixed + own + queue.head + queue.tail + table[i];
    pthread_mutex_lock(&lock);
    count = i + ratio;
    return unused;
}
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); return pthread_join(t, 0); }
";

/// A thread of two states around an edge.
fn edge(label: &str) -> String {
    format!(
        "shared int x = 0, y = 0;\nshared mutex m;\nthread t {{\n    initial state a {{ to b: {label}; }}\n    state b {{}}\n}}\n"
    )
}

/// The same with something in the first state.
fn state(item: &str) -> String {
    format!("shared int x = 0, y = 0;\nthread t {{\n    initial state a {{ {item} }}\n}}\n")
}

/// A thread of the program, with declarations before it.
fn worker(declarations: &str, assertion: &str) -> String {
    format!("{declarations}\nthreads worker {{\n    initial state a {{ assert {assertion}; }}\n}}\n")
}

fn alone() -> Vec<(&'static str, String)> {
    let nested = format!("{}x == 0{}", "(".repeat(300), ")".repeat(300));
    vec![
        ("nothing", String::new()),
        ("no declaration", "int x;\n".to_owned()),
        ("unknown variable", edge("z' == 1")),
        ("unknown variable in a state", state("assert z == 0;")),
        ("unknown variable in a frame", edge("x' == 1, unchanged except x, z")),
        ("unknown type", "shared float x;\n".to_owned() + &state("")[25..]),
        ("no type", "shared x;\nthread t { initial state a {} }\n".to_owned()),
        ("a value that is too large", "shared uint8_t x = 256;\nthread t { initial state a {} }\n".to_owned()),
        ("a value that is no number", "shared int x = many;\nthread t { initial state a {} }\n".to_owned()),
        ("a truth value of two", "shared bool x = 2;\nthread t { initial state a {} }\n".to_owned()),
        ("a locked mutex", "shared mutex m = 1;\nthread t { initial state a {} }\n".to_owned()),
        ("declared twice", "shared int x;\nshared int x;\nthread t { initial state a {} }\n".to_owned()),
        ("two threads of one name", "thread t { initial state a {} }\nthread t { initial state a {} }\n".to_owned()),
        ("two states of one name", "thread t {\n    initial state a {}\n    state a {}\n}\n".to_owned()),
        ("no initial state", "thread t { state a {} }\n".to_owned()),
        ("no state", "thread t {}\n".to_owned()),
        ("no such state", state("to c;")),
        ("unreachable state", "thread t {\n    initial state a {}\n    state b { to a; }\n}\n".to_owned()),
        ("primed variable in a state", state("assert x' == 0;")),
        ("primed variable in an invariant", "shared int x;\ninvariant x' >= x;\nthread t { initial state a {} }\n".to_owned()),
        ("primed variable in the initial condition", "shared int x;\ninitially x' == 1;\nthread t { initial state a {} }\n".to_owned()),
        ("a primed number", edge("1' == x")),
        ("a primed expression", edge("owner(m)'' == self")),
        ("changed and unchanged", edge("x' == y', unchanged except x")),
        ("nothing changes and something does", edge("x' == x + 1, unchanged")),
        ("contradictory edge", edge("x > 0 && x < 0 && x' == 1")),
        ("contradictory after the step", edge("x' == 1 && x' == 2")),
        (
            "an edge against its state",
            "shared int x = 0;\nthread t {\n    initial state a {\n        assert x == 0;\n        to b: x == 1;\n    }\n    state b {}\n}\n"
                .to_owned(),
        ),
        ("contradictory assertion", state("assert x < y && y < x;")),
        ("contradictory initial condition", "shared int x = 0;\ninitially x == 1;\nthread t { initial state a {} }\n".to_owned()),
        ("creates nobody", edge("create u")),
        ("joins who is not created", edge("join t")),
        ("joins where nobody is created", edge("join")),
        ("creates and changes", edge("create t, x' == 1")),
        ("everybody is created", edge("create t")),
        ("an environment that joins", "thread t {\n    initial state a { to b: create t; }\n    state b {}\n    environment join;\n}\n".to_owned()),
        ("a missing semicolon", state("assert x == 0")),
        ("a missing brace", "shared int x = 0;\nthread t {\n    initial state a {}\n".to_owned()),
        ("a missing operand", edge("x' ==")),
        ("a missing parenthesis", edge("(x' == 1")),
        ("a comment without end", "shared int x = 0; /* for ever\n".to_owned()),
        ("a sign without meaning", state("assert x == $0;")),
        ("a keyword for a name", "thread t { initial state state {} }\n".to_owned()),
        ("an assignment", edge("x' = 1")),
        ("too deeply nested", edge(&nested)),
        ("acquiring what is not declared", edge("acquire(lock)")),
        ("handing over a lock", edge("hand_over(m, 1, 2)")),
        ("handing over what does not fit", edge("hand_over(x, 0, 4294967296)")),
        ("ghost of a number", edge("owner(x)' == self")),
        (
            "an environment that does not let others rest",
            "shared int x = 0;\nthread t {\n    initial state a {}\n    environment x' > x;\n}\n".to_owned(),
        ),
        (
            "an environment of single steps",
            "shared int x = 0;\nthread t {\n    initial state a {}\n    environment x' == x || x' == x + 1;\n}\n".to_owned(),
        ),
        ("several mistakes", "shared int x = 0;\nthread t {\n    initial state a { assert z; to c; }\n    stat b {}\n    state d { to }\n}\n".to_owned()),
    ]
}

fn over_the_program() -> Vec<(&'static str, String)> {
    vec![
        ("no such variable", worker("shared total;", "true")),
        ("wrong type", worker("shared long count = 0;", "true")),
        ("wrong sign", worker("shared unsigned count = 0;", "true")),
        ("name of a local", worker("shared int i;", "true")),
        ("name of a local in a predicate", worker("shared int count;", "i == count")),
        ("a global that is not declared", worker("shared int count;", "count <= limit")),
        ("a member that is not there", worker("shared int queue.length;", "true")),
        ("a whole struct", worker("shared queue;", "true")),
        ("a whole array", worker("shared table;", "true")),
        ("an element that is not there", worker("shared int table[4];", "true")),
        ("a mutex as a number", worker("shared int lock;", "true")),
        ("a number as a mutex", worker("shared mutex count;", "true")),
        ("a floating-point number", worker("shared ratio;", "true")),
        ("thread-local", worker("shared own;", "true")),
        ("bytes in common", worker("shared count; shared bytes(count, 0, 2);", "true")),
        ("no such function", "shared count;\nthread helper { initial state a {} }\n".to_owned()),
        ("known in proofs only", worker("shared count;", "added(count) == 0")),
    ]
}

fn said(text: &str, refused: &Refused) -> String {
    let mut cache = SourceCache::default();
    cache.insert("t.threads", text);
    cache.insert("t.c", PROGRAM);
    let style = Style::plain(100);
    refused.diagnostics.iter().map(|one| diagnostic::render(one, &refused.sources, &mut cache, &style)).collect()
}

#[test]
fn every_mistake_is_told() {
    let mut all = String::new();
    let mut number = 0;
    let mut add = |what: &str, text: &str, refused: Option<Refused>| {
        let refused = refused.unwrap_or_else(|| panic!("{what}: nothing is wrong with\n{text}"));
        assert!(refused.diagnostics.iter().any(|one| one.severity == Severity::Error), "{what}");
        let _ = write!(all, "== {what}\n{}\n", said(text, &refused));
        number += 1;
    };
    for (what, text) in alone() {
        add(what, &text, read_alone("t.threads", &text).err());
    }
    let program = compile_text("t.c", PROGRAM, &CompileOptions::default()).expect("compiles").program;
    for (what, text) in over_the_program() {
        add(what, &text, read("t.threads", &text, &mut program.clone()).err());
    }
    assert!(number >= 60, "{number}");
    expect_file!["wrong.txt"].assert_eq(&all);
}

/// Whatever is cut out of a specification, reading it ends, with or without complaint.
#[test]
fn torn_specifications_are_read_to_an_end() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/contracts/bluetooth.threads");
    let whole = std::fs::read_to_string(path).expect("is there");
    for start in (0..whole.len()).step_by(41) {
        for length in [1, 2, 7, 60, 400] {
            let end = (start + length).min(whole.len());
            let (Some(before), Some(after)) = (whole.get(..start), whole.get(end..)) else { continue };
            let _ = read_alone("t.threads", &format!("{before}{after}"));
            let _ = read_alone("t.threads", before);
        }
    }
}
