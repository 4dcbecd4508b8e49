//! Programs that start no thread, followed along their paths: what the plainest search and the exploration find is found to be
//! possible. `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default, `SELVEDGE_KINDS=wide,copies` for
//! certain generators.

mod common;

use common::compile;
use selvedge_evidence::alone::{Possible, follow, is_alone};
use selvedge_evidence::exploration::{CHOICES, explore};
use selvedge_evidence::{Subject, recheck};
use selvedge_generate::{GENERATORS, seeds};
use selvedge_program::{Budget, Property};

/// How far the others go.
const STATES: usize = 5_000;

#[test]
fn nothing_is_missed() {
    let asked = std::env::var("SELVEDGE_KINDS").ok();
    let is_asked = |kind: &str| asked.as_deref().is_none_or(|asked| asked.split(',').any(|asked| asked == kind));
    let (mut programs, mut followed, mut violated, mut exact) = (0, 0, 0, 0);
    for seed in seeds(0..12) {
        for (kind, generator) in GENERATORS.into_iter().filter(|(kind, _)| is_asked(kind)) {
            let (name, text) = (format!("{kind}{seed}.c"), generator(seed));
            let program = compile(&name, &text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            if !is_alone(&program) {
                continue;
            }
            programs += 1;
            let possible = follow(&program, &Budget::unlimited());
            if let Some(stopped) = &possible.stopped {
                println!("{name}: {stopped}");
                continue;
            }
            followed += 1;
            let plain = recheck(&program, STATES, CHOICES);
            let explored = explore(&program, STATES, &Budget::unlimited());
            for (subjects, properties) in [(&plain.subjects, &plain.violated), (&explored.subjects, &explored.violated)]
            {
                for subject in subjects {
                    let is_possible = match subject {
                        Subject::Assertion(_) | Subject::Deadlock => possible.subjects.contains(subject),
                        subject => possible.properties.contains(&subject.property()),
                    };
                    assert!(is_possible, "{name}: {subject:?} was missed\n{text}");
                }
                assert!(possible.properties.is_superset(properties), "{name}: {properties:?} {possible:?}\n{text}");
                violated += usize::from(!properties.is_empty());
            }
            exact += usize::from(possible.properties == explored.violated);
        }
    }
    println!("{programs} programs, {followed} followed to the end, {exact} of them as the exploration says");
    assert!(followed > 20 && violated > 20, "{followed} followed, {violated} with a violation");
}

fn followed(text: &str) -> Possible {
    let program = compile("test.c", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    follow(&program, &Budget::unlimited())
}

const PRELUDE: &str = "
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __assert_fail(const char *, const char *, unsigned, const char *);
void *malloc(unsigned long);
void free(void *);
";

/// Follows `main` with a body, beside some declarations; what may be violated.
fn possible(declarations: &str, body: &str) -> Vec<Property> {
    let check = "#define assert(c) if (!(c)) __assert_fail(\"\", \"\", 0, \"\")\n#include <stddef.h>\n";
    let found = followed(&format!("{check}{PRELUDE}{declarations} int main(void) {{ {body} return 0; }}"));
    assert_eq!(found.stopped, None, "{body}");
    found.properties.into_iter().collect()
}

#[test]
fn an_index_may_mean_any_element() {
    let array = "int a[100000]; unsigned i, j;";
    let begin = "i = __VERIFIER_nondet_uint(); j = __VERIFIER_nondet_uint(); if (i >= 100000 || j >= 100000) return 0;";
    assert_eq!(possible(array, &format!("{begin} a[i] = 1; a[j] = 2; assert(a[i] == 1 || i == j);")), []);
    assert_eq!(possible(array, &format!("{begin} a[i] = 1; a[j] = 2; assert(a[i] == 1);")), [Property::Assertion]);
    assert_eq!(possible(array, &format!("{begin} a[i] = 1; assert(a[j] == 0 || i == j);")), []);
    assert_eq!(possible(array, &format!("{begin} a[i] = 1; assert(a[j] == 0);")), [Property::Assertion]);
    assert_eq!(possible(array, &format!("{begin} a[i + 1] = 1;")), [Property::Memory]);
}

#[test]
fn parts_of_what_was_written_are_read() {
    let object = "union { unsigned long whole; unsigned char bytes[8]; } u[50]; unsigned i, k;";
    let begin = "i = __VERIFIER_nondet_uint(); k = __VERIFIER_nondet_uint(); if (i >= 50 || k >= 50) return 0;
         u[i].whole = 0x0807060504030201; u[k].bytes[2] = 9;";
    assert_eq!(possible(object, &format!("{begin} assert(u[i].bytes[3] == 4);")), []);
    assert_eq!(possible(object, &format!("{begin} assert(u[i].bytes[2] == 3 || i == k);")), []);
    assert_eq!(possible(object, &format!("{begin} assert(u[i].bytes[2] == 3);")), [Property::Assertion]);
    assert_eq!(possible(object, &format!("{begin} assert(u[i].whole == 0x0807060504090201 || i != k);")), []);
    assert_eq!(possible(object, &format!("{begin} assert(u[i].whole == 0x0807060504030201);")), [Property::Assertion]);
}

#[test]
fn initial_values_are_found_by_any_index() {
    let table = "int table[3000] = {1, 2, [2000] = 3}; int here, *places[40] = {[7] = &here}; unsigned i;";
    let begin = "i = __VERIFIER_nondet_uint(); if (i >= 3000) return 0;";
    assert_eq!(possible(table, &format!("{begin} assert(table[i] != 3 || i == 2000);")), []);
    assert_eq!(possible(table, &format!("{begin} assert(table[i] != 3);")), [Property::Assertion]);
    assert_eq!(possible(table, &format!("{begin} if (i < 40) assert(places[i] == 0 || i == 7);")), []);
    assert_eq!(possible(table, &format!("{begin} if (i < 40) assert(places[i] == 0);")), [Property::Assertion]);
}

#[test]
fn sizes_may_be_any() {
    let begin = "unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint(); if (n > 1000 || i > n) return 0;
         char *p = malloc(n);";
    assert_eq!(possible("", &format!("{begin} if (i < n) p[i] = 1; free(p);")), []);
    assert_eq!(possible("", &format!("{begin} p[i] = 1; free(p);")), [Property::Memory]);
    assert_eq!(possible("", &format!("{begin} free(p); if (i < n) p[i] = 1;")), [Property::Memory]);
    assert_eq!(possible("", &format!("{begin} free(p); if (i) free(p);")), [Property::Memory]);
    assert_eq!(possible("", &format!("{begin} if (i < n) {{ char c = p[i]; assert(p[i] == c); }} free(p);")), []);
    assert_eq!(possible("", "char *p; { char c = 1; p = &c; } *p = 2;"), [Property::Memory]);
    assert_eq!(
        possible("char *f(void) { char c; char *p = &c; return p; }", "char *p = f(); *p = 2;"),
        [Property::Memory]
    );
}

#[test]
fn what_nobody_tells_is_not_claimed() {
    let threads = "#include <pthread.h>\nvoid *f(void *a) { return a; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }";
    assert!(followed(threads).stopped.is_some());
    assert!(followed("int main(void) { unsigned i = 0; for (;;) i++; }").stopped.is_some());
    assert!(followed("void *__VERIFIER_nondet_pointer(void); int main(void) { char *p = __VERIFIER_nondet_pointer(); return *p; }").stopped.is_some());
}
