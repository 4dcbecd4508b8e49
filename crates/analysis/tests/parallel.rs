//! May-happen-in-parallel on small programs: exactly these pairs of marked lines.

mod common;

use common::compiled;
use selvedge_analysis::{Facts, ThreadPlace};
use selvedge_program::{Action, FunctionId, LocationId, Program};
use std::collections::BTreeMap;

/// The pairs of marks that may be parallel, each with its letters in order: `ab` is a with b, `cc` c with itself in
/// two threads. A mark is a capital variable that a statement assigns, `A = 1;`; it stands for the location before
/// the store.
fn parallel(source: &str) -> String {
    let program = compiled(&format!("int A, B, C, D, E, F; {source}"));
    let facts = Facts::of(&program);
    let parallel = facts.parallel().expect("there is no limit").expect("there is a main");
    let marks = marks(&program);
    let mut pairs = Vec::new();
    for (a, at) in &marks {
        for (b, there) in marks.range(a.clone()..) {
            let both = |a: &(FunctionId, LocationId), b: &(FunctionId, LocationId)| {
                let answer = parallel.locations_may_be_parallel(*a, *b);
                assert_eq!(answer, parallel.locations_may_be_parallel(*b, *a), "the relation is symmetric");
                answer
            };
            if at.iter().any(|a| there.iter().any(|b| both(a, b))) {
                pairs.push(format!("{a}{b}").to_lowercase());
            }
        }
    }
    // A place that nobody gets to would make every expectation hold.
    for (mark, places) in &marks {
        let reached = |(function, location): &(FunctionId, LocationId)| {
            parallel.threads().ids().any(|template| {
                parallel.beside(ThreadPlace { template, function: *function, location: *location }).is_some()
            })
        };
        assert!(places.iter().any(reached), "nobody gets to {mark}");
    }
    pairs.join(" ")
}

fn marks(program: &Program) -> BTreeMap<String, Vec<(FunctionId, LocationId)>> {
    let mut marks: BTreeMap<String, Vec<(FunctionId, LocationId)>> = BTreeMap::new();
    for (index, function) in program.functions.iter().enumerate() {
        for edge in &function.edges {
            let Action::Store { access, .. } = &edge.action else { continue };
            let selvedge_program::Place::Memory { address, .. } = &access.place else { continue };
            let selvedge_program::Expr::Address(selvedge_program::Base::Object(object), _) = address else { continue };
            let name = &program.object(*object).name;
            if name.len() == 1 && name.chars().all(char::is_uppercase) {
                marks.entry(name.clone()).or_default().push((FunctionId::new(index), edge.source));
            }
        }
    }
    marks
}

#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(parallel(source), expected);
}

#[test]
fn before_the_spawn_and_after_the_join_the_parent_is_alone() {
    check(
        "void *w(void *a) { D = 1; return 0; }
         int main(void) { pthread_t t; A = 1; pthread_create(&t, 0, w, 0); B = 1; pthread_join(t, 0); C = 1; return 0; }",
        "bd",
    );
}

#[test]
fn without_a_join_the_thread_stays() {
    check(
        "void *w(void *a) { D = 1; return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); B = 1; pthread_detach(t); C = 1; return 0; }",
        "bd cd",
    );
}

#[test]
fn a_conditional_join_is_no_join() {
    check(
        "void *w(void *a) { D = 1; return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); B = 1; if (nondet()) pthread_join(t, 0); C = 1; return 0; }",
        "bd cd",
    );
}

#[test]
fn a_join_that_does_not_wait_is_no_join() {
    check(
        "void *w(void *a) { D = 1; return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_tryjoin_np(t, 0); C = 1; return 0; }",
        "cd",
    );
}

#[test]
fn a_conditional_spawn_with_its_join() {
    check(
        "void *w(void *a) { D = 1; return 0; }
         int main(void) { pthread_t t; int c = nondet(); if (c) pthread_create(&t, 0, w, 0); B = 1;
           if (c) { pthread_join(t, 0); A = 1; } C = 1; return 0; }",
        "bd cd",
    );
}

#[test]
fn two_threads_and_their_joins() {
    check(
        "void *v(void *a) { A = 1; return 0; } void *w(void *a) { B = 1; return 0; }
         int main(void) { pthread_t t, u; pthread_create(&t, 0, v, 0); C = 1; pthread_create(&u, 0, w, 0); D = 1;
           pthread_join(t, 0); E = 1; pthread_join(u, 0); F = 1; return 0; }",
        "ab ac ad bd be",
    );
}

#[test]
fn threads_that_follow_each_other() {
    check(
        "void *v(void *a) { A = 1; return 0; } void *w(void *a) { B = 1; return 0; }
         int main(void) { pthread_t t, u; pthread_create(&t, 0, v, 0); C = 1; pthread_join(t, 0);
           pthread_create(&u, 0, w, 0); D = 1; pthread_join(u, 0); return 0; }",
        "ac bd",
    );
}

#[test]
fn the_same_function_at_two_spawns() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_join(t, 0);
           B = 1; pthread_create(&u, 0, w, 0); C = 1; pthread_join(u, 0); return 0; }",
        "ac",
    );
}

#[test]
fn one_thread_at_a_time_in_a_loop() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         int main(void) { pthread_t t; while (nondet()) { B = 1; pthread_create(&t, 0, w, 0); C = 1; pthread_join(t, 0); D = 1; }
           E = 1; return 0; }",
        "ac",
    );
}

#[test]
fn all_of_an_array_in_counted_loops() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         int main(void) { pthread_t t[3]; B = 1; for (int i = 0; i < 3; i++) { pthread_create(&t[i], 0, w, 0); C = 1; } D = 1;
           for (int i = 0; i < 3; i++) { pthread_join(t[i], 0); E = 1; } F = 1; return 0; }",
        "aa ac ad ae",
    );
}

#[test]
fn too_few_joins_leave_a_thread() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
           for (int i = 1; i < 3; i++) pthread_join(t[i], 0); F = 1; return 0; }",
        "aa af",
    );
}

#[test]
fn a_break_leaves_threads() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
           for (int i = 0; i < 3; i++) { if (nondet()) break; pthread_join(t[i], 0); } F = 1; return 0; }",
        "aa af",
    );
}

#[test]
fn a_counter_that_the_body_changes_is_not_counted() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
           for (int i = 0; i < 3; i++) { pthread_join(t[i], 0); if (nondet()) i++; } F = 1; return 0; }",
        "aa af",
    );
}

#[test]
fn a_spawn_that_the_body_may_leave_out() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         int main(void) { pthread_t t[3]; int n = 0; for (int i = 0; i < 3; i++) if (nondet()) pthread_create(&t[n++], 0, w, 0);
           for (int i = 0; i < n; i++) pthread_join(t[i], 0); F = 1; return 0; }",
        "aa af",
    );
}

#[test]
fn nested_loops_multiply() {
    check(
        "void *w(void *a) { A = 1; return 0; } pthread_t t[6];
         int main(void) { for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) pthread_create(&t[3 * i + j], 0, w, 0);
           for (int i = 0; i < 5; i++) pthread_join(t[i], 0); E = 1; pthread_join(t[5], 0); F = 1; return 0; }",
        "aa ae",
    );
}

#[test]
fn handles_of_several_spawns_in_one_array() {
    check(
        "void *v(void *a) { A = 1; return 0; } void *w(void *a) { B = 1; return 0; }
         int main(void) { pthread_t t[2]; pthread_create(&t[0], 0, v, 0); pthread_create(&t[1], 0, w, 0); C = 1;
           for (int i = 0; i < 2; i++) { pthread_join(t[i], 0); D = 1; } E = 1; return 0; }",
        "ab ac ad bc bd",
    );
}

#[test]
fn a_child_of_a_child_that_is_joined_there() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         void *v(void *a) { pthread_t u; B = 1; pthread_create(&u, 0, w, 0); pthread_join(u, 0); C = 1; return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, v, 0); D = 1; pthread_join(t, 0); E = 1; return 0; }",
        "ad bd cd",
    );
}

#[test]
fn a_child_of_a_child_that_nobody_joins() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         void *v(void *a) { pthread_t u; B = 1; pthread_create(&u, 0, w, 0); C = 1; return 0; }
         int main(void) { pthread_t t; F = 1; pthread_create(&t, 0, v, 0); D = 1; pthread_join(t, 0); E = 1; return 0; }",
        "ac ad ae bd cd",
    );
}

#[test]
fn an_exit_before_the_join_leaves_the_child() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         void *v(void *a) { pthread_t u; pthread_create(&u, 0, w, 0); if (nondet()) pthread_exit(0); pthread_join(u, 0); C = 1; return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, v, 0); pthread_join(t, 0); E = 1; return 0; }",
        "ae",
    );
}

#[test]
fn a_thread_that_another_thread_joins() {
    check(
        "pthread_t t; void *w(void *a) { A = 1; return 0; }
         void *v(void *a) { B = 1; pthread_join(t, 0); C = 1; return 0; }
         int main(void) { pthread_t u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, v, 0); D = 1; return 0; }",
        "ab ad bd cd",
    );
}

#[test]
fn spawns_and_joins_in_functions() {
    check(
        "void *w(void *a) { A = 1; return 0; } pthread_t t;
         void note(void) { B = 1; } void begin(void) { note(); pthread_create(&t, 0, w, 0); } void end(void) { pthread_join(t, 0); }
         int main(void) { begin(); C = 1; end(); D = 1; return 0; }",
        "ac",
    );
}

#[test]
fn a_function_called_before_and_after_keeps_its_callers_apart() {
    check(
        "void *w(void *a) { A = 1; return 0; } int g; void step(void) { g++; }
         int main(void) { pthread_t t; step(); B = 1; pthread_create(&t, 0, w, 0); step(); C = 1; pthread_join(t, 0); step(); D = 1; return 0; }",
        "ac",
    );
}

#[test]
fn a_wrapper_of_the_spawn_called_twice() {
    check(
        "void *w(void *a) { A = 1; return 0; } pthread_t begin(void) { pthread_t t; pthread_create(&t, 0, w, 0); return t; }
         int main(void) { pthread_t t = begin(), u = begin(); B = 1; pthread_join(t, 0); C = 1; pthread_join(u, 0); D = 1; return 0; }",
        "aa ab ac",
    );
}

#[test]
fn entries_through_function_pointers() {
    check(
        "void *v(void *a) { A = 1; return 0; } void *w(void *a) { B = 1; return 0; }
         int main(void) { pthread_t t; void *(*f)(void *) = nondet() ? v : w; pthread_create(&t, 0, f, 0); C = 1; pthread_join(t, 0); D = 1; return 0; }",
        "ac bc",
    );
}

#[test]
fn recursion_spawns_many() {
    check(
        "void *w(void *a) { A = 1; return 0; } pthread_t t[9];
         void start(int n) { if (n) { pthread_create(&t[n], 0, w, 0); start(n - 1); pthread_join(t[n], 0); B = 1; } }
         int main(void) { start(3); C = 1; return 0; }",
        "aa ab",
    );
}

#[test]
fn threads_that_start_themselves() {
    check(
        "void *w(void *a) { pthread_t t; A = 1; if (nondet()) pthread_create(&t, 0, w, 0); B = 1; return 0; }
         int main(void) { pthread_t t; C = 1; pthread_create(&t, 0, w, 0); pthread_join(t, 0); D = 1; return 0; }",
        "aa ab ad bb bd",
    );
}

#[test]
fn a_join_of_oneself_does_not_wait() {
    check(
        "pthread_t t; void join(void) { pthread_join(t, 0); A = 1; } void *w(void *a) { join(); B = 1; return 0; }
         int main(void) { pthread_create(&t, 0, w, 0); D = 1; join(); C = 1; return 0; }",
        "ad bd",
    );
}

#[test]
fn the_initial_thread_may_end_before_the_others() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); B = 1; pthread_create(&u, 0, w, 0); pthread_exit(0); }",
        "aa ab",
    );
}

#[test]
fn a_handle_through_memory() {
    check(
        "struct job { int n; pthread_t handle; }; void *w(void *a) { A = 1; return 0; }
         int main(void) { struct job *j = malloc(sizeof *j); pthread_create(&j->handle, 0, w, j); B = 1;
           pthread_t copy = j->handle; pthread_join(copy, 0); C = 1; return 0; }",
        "ab",
    );
}

#[test]
fn the_wrong_handle_joins_the_wrong_thread() {
    check(
        "void *v(void *a) { A = 1; return 0; } void *w(void *a) { B = 1; return 0; }
         int main(void) { pthread_t t, u; pthread_create(&t, 0, v, 0); pthread_create(&u, 0, w, 0); if (nondet()) t = u;
           pthread_join(t, 0); C = 1; return 0; }",
        "ab ac bc",
    );
}

#[test]
fn children_of_replicated_threads_end_with_them() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         void *v(void *a) { pthread_t u; B = 1; pthread_create(&u, 0, w, 0); C = 1; pthread_join(u, 0); D = 1; return 0; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, v, 0); E = 1;
           for (int i = 0; i < 2; i++) pthread_join(t[i], 0); F = 1; return 0; }",
        "aa ab ac ad ae bb bc bd be cc cd ce dd de",
    );
}

#[test]
fn children_of_replicated_threads_outlive_them() {
    check(
        "void *w(void *a) { A = 1; return 0; }
         void *v(void *a) { pthread_t u; pthread_create(&u, 0, w, 0); if (a) pthread_join(u, 0); return 0; }
         int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, v, 0);
           for (int i = 0; i < 2; i++) pthread_join(t[i], 0); F = 1; return 0; }",
        "aa af",
    );
}
