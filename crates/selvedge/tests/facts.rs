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
    let json: serde_json::Value = serde_json::from_slice(&facts(&["--json"]).stdout).expect("is JSON");
    let shared = json["shared"].as_array().expect("an array");
    let counter = shared.iter().find(|object| object["object"] == "counter").expect("counter is shared");
    assert_eq!(counter["guarded"], expected[0]);
    let limited = facts(&["--timeout", "0.000000001"]);
    assert_eq!(limited.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&limited.stderr).contains("the time limit was reached"));
}

/// The `guarded` of every shared object of a program, by name.
fn guards(source: &str) -> std::collections::BTreeMap<String, String> {
    let facts = with_facts(source, summary::json);
    let shared = facts["shared"].as_array().expect("an array").iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("nothing").to_owned();
    shared.map(|object| (text(&object["object"]), text(&object["guarded"]))).collect()
}

#[test]
fn words_are_locks_as_long_as_only_their_holders_give_them_up() {
    let program = |between: &str| {
        format!(
            "extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
            int word, flag, x, y;
            void *worker(void *a) {{
                while (__sync_lock_test_and_set(&word, 1)) ; x++; __sync_lock_release(&word);
                while (!__sync_bool_compare_and_swap(&flag, 0, 7)) ; y++; flag = 0;
                {between}
                return a;
            }}
            int main(void) {{ unsigned long t; word = 0; flag = 0;
                pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0); return 0; }}"
        )
    };
    let good = guards(&program("word = 5;"));
    assert_eq!(good["x"], "guarded by word at 2 of 2 accesses");
    assert_eq!(good["y"], "guarded by flag at 2 of 2 accesses");
    // Given up by one who does not hold it, counted, or overwritten by a pointer that may be its address.
    for bad in ["word = 0;", "__sync_fetch_and_sub(&word, 1);", "int *p = a ? &word : &x; *p = x;"] {
        let found = guards(&program(bad));
        assert!(!found["x"].contains("word"), "{bad}: {}", found["x"]);
        assert_eq!(found["y"], "guarded by flag at 2 of 2 accesses", "{bad}");
    }
}

#[test]
fn locks_lie_beside_what_they_guard() {
    let found = guards(
        "extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
        typedef struct { long space[5]; } pthread_mutex_t;
        extern int pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *);
        extern int __VERIFIER_nondet_int(void);
        struct account { int balance; pthread_mutex_t lock; } accounts[8], single;
        pthread_mutex_t locks[8]; int cells[8];
        static void add(struct account *p, int n) { p->balance += n; }
        static void pay(struct account *p) { pthread_mutex_lock(&p->lock); add(p, 1); pthread_mutex_unlock(&p->lock); }
        void *worker(void *a) {
            unsigned i = __VERIFIER_nondet_int(); if (i >= 8) return 0;
            pthread_mutex_lock(&locks[i]); cells[i]++; pthread_mutex_unlock(&locks[i]);
            pthread_mutex_lock(&accounts[i].lock); accounts[i].balance++; pthread_mutex_unlock(&accounts[i].lock);
            pay(&single);
            return a;
        }
        int main(void) { unsigned long t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0); return 0; }",
    );
    assert_eq!(found["cells"], "guarded by the lock of the same index in locks at 2 of 2 accesses");
    assert_eq!(found["accounts"], "guarded by a lock beside it at 2 of 2 accesses");
    assert_eq!(found["single"], "guarded by a lock beside it at 2 of 2 accesses");
}
