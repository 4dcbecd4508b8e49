//! What `selvedge facts` says of a program, word for word.

use expect_test::{Expect, expect};
use selvedge_analysis::Facts;
use selvedge_frontend::compile::{CompileOptions, compile_text};
use selvedge_report::summary::Summary;
use selvedge_report::{Style, summary};

const PROGRAM: &str = "\
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
struct node { int value; struct node *next; } first, second, *head = &first;
int total, hits;
static void twice(int *x) { *x += 2; }
static void once(int *x) { *x += 1; }
void (*step)(int *) = once;
void *count(void *argument) {
    struct node *node = argument;
    node->value++;
    step(&total);
    return 0;
}
void *log(void *unused) { hits = 1; return 0; }
int main(void) {
    pthread_t counters[2], logger;
    first.next = &second;
    for (int i = 0; i < 2; i++)
        pthread_create(&counters[i], 0, count, head);
    step = twice;
    for (int i = 0; i < 2; i++)
        pthread_join(counters[i], 0);
    pthread_create(&logger, 0, log, 0);
    pthread_join(logger, 0);
    return total + hits;
}
";

fn with_facts<T>(source: &str, look: impl FnOnce(&Summary<'_>) -> T) -> T {
    let compiled = compile_text("t.c", source, &CompileOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let facts = Facts::of(&compiled.program);
    look(&Summary::of(&facts).expect("there are no limits"))
}

#[track_caller]
fn check(width: usize, expected: &Expect) {
    let text = with_facts(PROGRAM, |facts| summary::render(facts, &Style::plain(width)));
    assert!(text.lines().all(|line| line.chars().count() <= width), "a line is too long:\n{text}");
    expected.assert_eq(&text);
}

#[test]
fn on_a_terminal() {
    check(
        80,
        &expect![[r#"
        threads     main
                    count, started in line 20, perhaps several times
                    log, started in line 24
        parallel    main   17-18, 24, 26  alone
                           19-23          beside count
                           25             beside log
                    count  throughout     beside main, count
                    log    throughout     beside main
        shared      first  written by main, count, read by count
                           line 11 writes while 11 reads or writes
                    step   written by main, read by count
                           line 21 writes while 12 reads
                    total  written by count, read by main, count
                           line 6 writes while 6 reads or writes, 7 reads or writes
                           line 7 writes while 6 reads, 7 reads or writes
                    hits   written by log, read by main
                           never in parallel with a write
        pointers    first              to second
                    head               to first
                    step               to once, twice
                    counters in main   to threads started in line 20
                    logger in main     to threads started in line 24
                    argument in count  to first
                    node in count      to first
                    x in twice         to total
                    x in once          to total
        calls       line 12  calls once, twice
        assumed     the creation of threads is assumed to succeed
    "#]],
    );
}

#[test]
fn on_a_narrow_terminal() {
    check(
        60,
        &expect![[r#"
        threads     main
                    count, started in line 20, perhaps several times
                    log, started in line 24
        parallel    main   17-18, 24, 26  alone
                           19-23          beside count
                           25             beside log
                    count  throughout     beside main, count
                    log    throughout     beside main
        shared      first  written by main, count, read by count
                           line 11 writes while 11 reads or writes
                    step   written by main, read by count
                           line 21 writes while 12 reads
                    total  written by count, read by main, count
                           line 6 writes while 6 reads or writes, 7
                           reads or writes
                           line 7 writes while 6 reads, 7 reads or
                           writes
                    hits   written by log, read by main
                           never in parallel with a write
        pointers    first             to second
                    head              to first
                    step              to once, twice
                    counters in main  to threads started in line 20
                    logger in main    to threads started in line 24
                    argument in count  to first
                    node in count     to first
                    x in twice        to total
                    x in once         to total
        calls       line 12  calls once, twice
        assumed     the creation of threads is assumed to succeed
    "#]],
    );
}

#[test]
fn long_lists_are_cut() {
    let variables: String = (0..200).map(|number| format!("int v{number};\n")).collect();
    let accesses: String = (0..200).map(|number| format!("v{number}++;\n")).collect();
    let prototype = "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);";
    let source = format!(
        "{prototype}\n{variables}void *w(void *a) {{ {accesses} return 0; }}
        int main(void) {{ unsigned long t; while (1) pthread_create(&t, 0, w, 0); }}"
    );
    let text = with_facts(&source, |facts| summary::render(facts, &Style::plain(80)));
    assert!(text.lines().count() < 60, "{text}");
    assert!(text.contains("more"), "{text}");
}

#[test]
fn as_json() {
    let facts = with_facts(PROGRAM, summary::json);
    let names = |value: &serde_json::Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
    };
    let shared = |name: &str| {
        let all = facts["shared"].as_array().expect("an array").iter();
        all.clone().find(|object| object["object"] == name).cloned().unwrap_or_else(|| panic!("{name} is shared"))
    };
    assert_eq!(shared("total")["may_race"], true);
    assert_eq!(shared("hits")["may_race"], false);
    assert_eq!(shared("hits")["conflicts"], serde_json::json!([]));
    let pointers = facts["pointers"].as_array().expect("an array");
    let step = pointers.iter().find(|pointer| pointer["name"] == "step").expect("step is a pointer");
    assert_eq!(names(&step["targets"]), ["once", "twice"]);
    let threads = facts["threads"].as_array().expect("an array");
    assert_eq!(threads.len(), 3);
    assert_eq!(threads.iter().filter(|thread| thread["replicated"] == true).count(), 1);
}

#[test]
fn accesses_say_by_which_lock_they_are_guarded() {
    let source = r"
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int counter, table, open;
void *worker(void *argument) {
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
    pthread_rwlock_rdlock(&rw);
    open = table;
    pthread_rwlock_unlock(&rw);
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    counter = 2;
    pthread_rwlock_wrlock(&rw);
    table = open;
    pthread_rwlock_unlock(&rw);
    pthread_join(thread, 0);
    return counter;
}
";
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("t.c");
    std::fs::write(&path, source).expect("the temporary folder is writable");
    let facts = |more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_selvedge"));
        command.arg("facts").args(more).arg(&path).output().expect("selvedge runs")
    };
    let text = String::from_utf8(facts(&[]).stdout).expect("is text");
    let guards: Vec<&str> = text.lines().map(str::trim).filter(|line| line.contains("guarded")).collect();
    // A lock that is held for reading guards no write.
    let expected = [
        "guarded by m at 2 of 3 accesses, not at line 18",
        "guarded by rw at 1 of 2 accesses, not at line 11",
        "guarded by rw at 2 of 2 accesses",
    ];
    for line in expected {
        assert!(guards.contains(&line), "`{line}` is not in\n{text}");
    }
    let limited = facts(&["--timeout", "0.000000001"]);
    assert_eq!(limited.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&limited.stderr).contains("the time limit was reached"));
}
