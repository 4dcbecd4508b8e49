//! Explorations of small programs in which numbers have many values: what is violated is found, what holds is confirmed,
//! and what cannot be said exactly is left open.

use Property::{Assertion, Deadlock, Memory, Race};
use selvedge_evidence::exploration::{Explored, Extent, LISTED, explore, explore_to};
use selvedge_evidence::{AtomicLines, Livelocks, Subject};
use selvedge_frontend::compile::{CompileOptions, compile, compile_text};
use selvedge_generate::stored;
use selvedge_program::{Budget, FunctionId, Property};

const PRELUDE: &str = "
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
double __VERIFIER_nondet_double(void);
void *__VERIFIER_nondet_pointer(void);
void __VERIFIER_assume(int);
void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void pthread_exit(void *);
typedef union { char bytes[32]; long align; } sem_t;
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
void *malloc(unsigned long);
void free(void *);
";

fn explored(text: &str) -> [Explored; 2] {
    let text = format!("{PRELUDE}{text}");
    let compiled = compile_text("t.c", &text, &CompileOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let budget = Budget::unlimited();
    [
        explore(&compiled.program, 20_000, &budget),
        explore_to(
            &compiled.program,
            Extent { states: 20_000, listed: 1, lines: &[], livelocks: Livelocks::Ignored },
            &budget,
        ),
    ]
}

/// That an exploration gets to the end and finds these violated, and nothing else.
fn check(text: &str, violated: &[Property]) {
    for explored in explored(text) {
        assert_eq!(explored.stopped, None, "{text}");
        assert_eq!(explored.violated.iter().copied().collect::<Vec<_>>(), violated, "{text}");
    }
}

/// That it does not get to the end, and finds nothing violated.
fn check_open(text: &str) {
    for explored in explored(text) {
        assert!(explored.stopped.is_some() && explored.violated.is_empty(), "{text}\n{explored:?}");
    }
}

#[test]
fn branches_are_decided() {
    check("int main(void) { int n = __VERIFIER_nondet_int(); if (n > 5 && n < 5) reach_error(); return 0; }", &[]);
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n > 5 && n < 7) reach_error(); return 0; }",
        &[Assertion],
    );
    check("int main(void) { unsigned n = __VERIFIER_nondet_uint(); if (n * n == 3) reach_error(); return 0; }", &[]);
    check("int main(void) { int n = __VERIFIER_nondet_int(); return 7 / n; }", &[Memory]);
    check("int main(void) { int n = __VERIFIER_nondet_int(); return n ? 7 % (n | 1 << 30) : 0; }", &[]);
}

#[test]
fn values_go_through_memory_calls_and_threads() {
    check(
        "struct pair { int first, second; };
         static struct pair swap(struct pair p) { struct pair q = { p.second, p.first }; return q; }
         int main(void) {
             struct pair p = { __VERIFIER_nondet_int(), __VERIFIER_nondet_int() };
             struct pair q = swap(p);
             if (q.first != p.second || *(int *)((char *)&q + sizeof(int)) != p.first) reach_error();
             unsigned char *low = (unsigned char *)&q.second;
             if (low[0] != (unsigned char)p.first) reach_error();
             return 0;
         }",
        &[],
    );
    check(
        "static void *twice(void *given) { return (void *)(2 * (unsigned long)given); }
         int main(void) {
             pthread_t thread;
             unsigned n = __VERIFIER_nondet_uint();
             void *result;
             pthread_create(&thread, 0, twice, (void *)(unsigned long)n);
             pthread_join(thread, &result);
             if ((unsigned long)result != 2ul * n) reach_error();
             return n;
         }",
        &[],
    );
}

#[test]
fn loops_without_end_come_back_to_where_they_were() {
    check(
        "int main(void) {
             int last = 0;
             while (__VERIFIER_nondet_int() != 7) {
                 int n = __VERIFIER_nondet_int();
                 last = n < 0 ? 0 : n;
                 if (last < 0) reach_error();
             }
             return last;
         }",
        &[],
    );
}

/// Where an assumption fails a thread stands still, and others do not.
#[test]
fn others_go_on_where_an_assumption_fails() {
    let program = |told: &str| {
        format!(
            "static int told;
             static void *reader(void *unused) {{ if (told < 0) reach_error(); return unused; }}
             int main(void) {{
                 pthread_t thread;
                 int n = __VERIFIER_nondet_int();
                 told = {told};
                 pthread_create(&thread, 0, reader, 0);
                 __VERIFIER_assume(n > 0);
                 pthread_join(thread, 0);
                 return 0;
             }}"
        )
    };
    check(&program("n"), &[Assertion]);
    check(&program("n & 7"), &[]);
}

#[test]
fn an_index_may_be_that_of_another_thread() {
    let program = |condition: &str| {
        format!(
            "static int a[4];
             static void *writer(void *unused) {{ a[2] = 1; return unused; }}
             int main(void) {{
                 pthread_t thread;
                 unsigned n = __VERIFIER_nondet_uint();
                 pthread_create(&thread, 0, writer, 0);
                 if ({condition}) a[n] = 2;
                 pthread_join(thread, 0);
                 return 0;
             }}"
        )
    };
    check(&program("n < 4"), &[Race]);
    check(&program("n < 2"), &[]);
    check(&program("n <= 4 && n != 2"), &[Memory]);
}

#[test]
fn who_waits_for_a_number_may_wait_for_ever() {
    let program = |value: &str| {
        format!(
            "static sem_t s; int main(void) {{ unsigned n = __VERIFIER_nondet_uint(); sem_init(&s, 0, {value}); sem_wait(&s); return 0; }}"
        )
    };
    check(&program("n % 1000"), &[Deadlock]);
    check(&program("n % 1000 + 1"), &[]);
}

/// Another thread's locals are out of reach, unless somebody guesses where they are.
#[test]
fn nothing_is_out_of_reach_of_a_guess() {
    let program = |pointer: &str| {
        format!(
            "static int here;
             static void *worker(void *unused) {{ int own = 0, *p = &own; *p = 0; if (own) reach_error(); return unused; }}
             int main(void) {{
                 pthread_t thread;
                 pthread_create(&thread, 0, worker, 0);
                 int *p = {pointer};
                 if (p) *p = 1;
                 return 0;
             }}"
        )
    };
    check(&program("__VERIFIER_nondet_pointer()"), &[Assertion, Race, Memory]);
    check(&program("&here"), &[]);
}

/// What is not reached any more may still be guessed.
#[test]
fn what_nothing_leads_to_may_be_guessed() {
    let program = |value: &str| {
        format!(
            "int main(void) {{
                 int *lost = malloc(sizeof *lost), *p;
                 *lost = {value};
                 lost = 0;
                 p = __VERIFIER_nondet_pointer();
                 if (p && *p == 5) reach_error();
                 return 0;
             }}"
        )
    };
    check(&program("5"), &[Assertion, Memory]);
    check(&program("4"), &[Memory]);
}

/// What is guessed is an address that there is by then, also of what another thread has made in between.
#[test]
fn a_guess_may_wait_for_others() {
    let text = "void *done(void *a) { return 0; }
         void *guess(void *a) { pthread_t any; pthread_join(any, 0); return 0; }
         int main(void) { pthread_t one, other; pthread_create(&one, 0, guess, 0);
             pthread_create(&other, 0, done, 0); pthread_join(other, 0); return 0; }";
    for explored in explored(text) {
        // Main joins what the other one has joined.
        let is_of_main = |subject: &Subject| matches!(subject, Subject::Memory(FunctionId(0), ..));
        assert!(explored.subjects.iter().any(is_of_main), "{explored:?}");
    }
}

#[test]
fn threads_that_are_gone_are_forgotten() {
    check(
        "static int on;
         static void *toggle(void *unused) { on = !on; return unused; }
         int main(void) {
             for (;;) {
                 pthread_t thread;
                 int before = on;
                 pthread_create(&thread, 0, toggle, 0);
                 pthread_join(thread, 0);
                 if (on == before) reach_error();
             }
         }",
        &[],
    );
}

/// A thread that nobody knows of ends when it comes to its end.
#[test]
fn detached_threads_do_not_pile_up() {
    check(
        "static sem_t places;
         int sem_post(sem_t *);
         int pthread_detach(pthread_t);
         static void *worker(void *unused) { sem_post(&places); return unused; }
         int main(void) {
             sem_init(&places, 0, 1);
             for (;;) {
                 pthread_t thread;
                 sem_wait(&places);
                 pthread_create(&thread, 0, worker, 0);
                 pthread_detach(thread);
             }
         }",
        &[],
    );
}

#[test]
fn what_can_be_anything_cannot_be_freed() {
    check("int main(void) { free(__VERIFIER_nondet_pointer()); return 0; }", &[Memory]);
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(); char *p = malloc(8); free(n == 3 ? p : 0); return 0; }",
        &[],
    );
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(); char *p = malloc(8); free(p + (n & 1)); return 0; }",
        &[Memory],
    );
}

#[test]
fn an_index_may_be_any_of_a_large_array() {
    check(
        "static int a[1000];
         int main(void) {
             unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
             if (i < 1000 && j < 1000) {
                 a[i] = 7;
                 if (a[j] != (i == j ? 7 : 0)) reach_error();
             }
             return 0;
         }",
        &[],
    );
}

/// Results of floating-point operations are exact where there are few, and otherwise may be anything.
#[test]
fn floats_are_never_guessed() {
    let program = |condition: &str, check: &str| {
        format!(
            "int main(void) {{
                 int i = __VERIFIER_nondet_int();
                 if ({condition}) return 0;
                 double twice = i * 2.0;
                 if ({check}) reach_error();
                 return 0;
             }}"
        )
    };
    check(&program("i < 0 || i > 10", "twice > 20.0"), &[]);
    check(&program("i < 0 || i > 10", "twice > 19.0"), &[Assertion]);
    check(&program("0", "twice != twice && i != i"), &[]);
    check_open(&program("0", "twice != twice"));
}

#[test]
fn sizes_with_many_values_are_left_open() {
    check_open(
        "int main(void) {
             unsigned n = __VERIFIER_nondet_uint();
             if (n < 4 || n > 100000) return 0;
             int *p = malloc(n);
             *p = 3;
             if (*p != 3) reach_error();
             free(p);
             return 0;
         }",
    );
}

/// The stored programs say in their first lines what is asked and what comes out.
#[test]
fn interference_between_lines_is_found() {
    let mut tried = 0;
    for file in stored::c_files("tests/programs/interference") {
        let text = std::fs::read_to_string(&file).expect("it is readable");
        let mut lines = text.lines();
        let (expected, flags) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let Some((_, verdict)) = expected.split_once("atomicity=") else { continue };
        let name = stored::name(&file);
        let compiled = compile(std::slice::from_ref(&file), &CompileOptions::default());
        let compiled = compiled.unwrap_or_else(|error| panic!("{error}"));
        let id = compiled.program.sources.clone().file(&file.to_string_lossy());
        let pair = |text: &str| {
            let (first, second) = text.trim().split_once('-').expect("two lines");
            let line = |text: &str| text.split_whitespace().next().and_then(|text| text.parse().ok()).expect("a line");
            AtomicLines { file: id, first: line(first), second: line(second) }
        };
        let asked: Vec<AtomicLines> = flags.split("--atomic").skip(1).map(pair).collect();
        let extent = Extent { states: 20_000, listed: LISTED, lines: &asked, livelocks: Livelocks::Ignored };
        let explored = explore_to(&compiled.program, extent, &Budget::unlimited());
        assert_eq!(explored.stopped, None, "{name}");
        let word = if explored.violated.contains(&Property::Atomicity) { "unsafe" } else { "safe" };
        assert_eq!(word, verdict.split_whitespace().next().unwrap_or_default(), "{name}");
        tried += 1;
    }
    assert!(tried >= 7);
}
