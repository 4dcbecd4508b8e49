//! Threads that conform to abstract threads, and threads that do not.

mod common;

use common::{compile, contract, judged, outcome, thread};
use selvedge_contracts::conform::{Failed, Outcome};
use selvedge_program::Program;

/// Figure 2 of the paper, with bounds that keep its counters from wrapping around.
fn figure_2(first: &str) -> Program {
    compile(&format!(
        r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
atomic_int g = 1;
void *a(void *unused)
{{
    int x = {first};
    while (__VERIFIER_nondet_int()) {{
        if (__VERIFIER_nondet_int())
            x = g;
        else if (x < 1000)
            x = x + 1;
    }}
    g = x;
    return unused;
}}
void *b(void *unused)
{{
    int y = 1;
    while (__VERIFIER_nondet_int())
        if (y < 1000)
            y = y + 1;
    g = y;
    assert(g > 0);
    return unused;
}}
int main(void)
{{
    pthread_t one, other;
    pthread_create(&one, 0, a, 0);
    pthread_create(&other, 0, b, 0);
    return 0;
}}
"#
    ))
}

/// Figure 3.
fn figure_3(program: &Program) -> selvedge_evidence::conformance::Contract {
    let a = thread(program, "a", &[("X1", "g > 0"), ("X2", "")], &[("X1", "X2", "g' > 0")]);
    let b = thread(program, "b", &[("Y1", ""), ("Y2", "g > 0")], &[("Y1", "Y2", "g' > 0")]);
    contract(program, &["g"], "g > 0", vec![a, b])
}

#[test]
fn figure_2_conforms_to_figure_3() {
    let program = figure_2("1");
    let found = judged(&program, &figure_3(&program));
    assert!(found.is_proved(), "{found:?}");
}

#[test]
fn the_variant_that_begins_with_minus_one_does_not() {
    let program = figure_2("-1");
    let found = judged(&program, &figure_3(&program));
    assert_eq!(*outcome(&program, &found, "b"), Outcome::Conforms);
    let Outcome::Fails(failure) = outcome(&program, &found, "a") else { panic!("{found:?}") };
    assert_eq!(failure.wrong, Failed::Unmatched);
    let last = failure.steps.last().expect("a step");
    assert_eq!((last.span.line, last.before.as_slice(), last.after.as_slice()), (16, &[0][..], &[][..]));
    assert!(last.values[0].1 as i32 <= 0, "{failure:?}");
}
