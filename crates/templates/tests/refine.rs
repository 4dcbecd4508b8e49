//! Transition refinement (paper 004, Section 4.4): transitions that one, two and three threads show to be spurious; and the
//! whole loop on small programs.

use selvedge_broadcast::plain::successors;
use selvedge_broadcast::{LocalState, Pc, State, System, TemplateId, text};
use selvedge_frontend::scpl::{Threads, compile};
use selvedge_program::{Budget, Program};
use selvedge_symbolic::Predicate;
use selvedge_templates::cegar::{self, Answer, Settings, Statistics};
use selvedge_templates::{Cubes, Main, Named, Options, Spurious, abstract_program};

fn scpl(source: &str, threads: Threads) -> Program {
    compile("t.scpl", source, threads).unwrap_or_else(|error| panic!("{error}")).program
}

fn named(program: &Program, predicates: &[(&str, &str)]) -> Vec<Named> {
    let named = |(name, text): &(&str, &str)| Named {
        name: (*name).to_owned(),
        predicate: Predicate::parse(program, text).unwrap_or_else(|error| panic!("{text}: {error}")),
    };
    predicates.iter().map(named).collect()
}

/// That a transition of the active thread, the first, is there, and is spurious by so many threads, and then is not there
/// any more. States are the locals of all threads, from the statement at `pc` to the next.
fn check(source: &str, predicates: &[(&str, &str)], pc: u32, (before, after): (&[u64], &[u64]), threads: Option<u8>) {
    let program = scpl(source, Threads::Any);
    let budget = Budget::unlimited();
    let options = Options { main: Main::LeftOut, ..Options::default() };
    let mut found = abstract_program(&program, &named(&program, predicates), options, &budget).unwrap();
    let local = |values: u64, pc: u32| LocalState { template: TemplateId(0), pc: Pc(pc), values };
    let state = |values: &[u64], first: u32| State {
        shared: 0,
        threads: values
            .iter()
            .enumerate()
            .map(|(thread, values)| local(*values, if thread == 0 { first } else { pc }))
            .collect(),
    };
    let (before, after) = (state(before, pc), state(after, pc + 1));
    let is_there = |program: &selvedge_broadcast::Program| {
        let steps = successors(&System::new(program.clone()).unwrap(), 10, &before).steps;
        steps.contains(&(0, after.clone()))
    };
    assert!(is_there(found.program()), "{}", text::print(found.program()));
    let spurious = found.refine(&before, &after, 0).unwrap();
    assert_eq!(spurious, threads.map(|threads| Spurious { threads }), "{}", text::print(found.program()));
    assert_eq!(is_there(found.program()), threads.is_none(), "{}", text::print(found.program()));
}

// What follows the first statement is there so that nothing is known of the variables before any predicate.
const L_IS_S: &str = "shared s = 0; local l = 0; l = s; s = *; l = *;";
const S_IS_L: &str = "shared s = 0; local l = 0; s = l; s = *; l = *;";
const S_IS_ANY: &str = "shared s = 0; local l = 0; s = *; l = *;";

#[test]
fn one_two_and_three_threads_show_it() {
    // l cannot be two numbers at once.
    let local = [("c", "l == 4"), ("d", "l == 5")];
    check(L_IS_S, &local, 0, (&[0b00], &[0b11]), Some(1));
    check(L_IS_S, &local, 0, (&[0b00], &[0b01]), None);
    // Statement (2) from statement (1): both were s.
    let mixed = [("b", "s == l")];
    check(S_IS_L, &mixed, 0, (&[1, 1], &[1, 0]), Some(2));
    check(S_IS_L, &mixed, 0, (&[0, 0], &[1, 1]), None);
    // Nothing is known of what is written; but two passive threads cannot both have it. (The first step chooses it.)
    let both = [("b", "s == l"), ("c", "l == 4")];
    check(S_IS_ANY, &both, 1, (&[0b00, 0b10, 0b00], &[0b00, 0b11, 0b01]), Some(3));
    check(S_IS_ANY, &both, 1, (&[0b00, 0b10, 0b10], &[0b00, 0b11, 0b11]), None);
}

fn run(source: &str, threads: Option<u32>) -> (Answer, Statistics) {
    let program = scpl(source, threads.map_or(Threads::Any, Threads::Exactly));
    let budget = Budget::unlimited();
    let options = Options { cubes: Cubes::One, ..Options::default() };
    let outcome = cegar::run(&program, &[], Settings { options, threads, iterations: 200 }, &budget).unwrap();
    (outcome.answer, outcome.statistics)
}

#[test]
fn the_loop_finds_predicates_and_proves() {
    let lock = "shared s = 0, lock = 0; local l = 0;
        atomic { assume lock == 0; lock = 1; } l = s; assert l == s; s = s + 1; lock = 0;";
    for threads in [Some(1), Some(2), Some(3)] {
        let (answer, statistics) = run(lock, threads);
        assert!(matches!(answer, Answer::Safe), "{threads:?}: {answer:?} {statistics:?}");
        assert!(statistics.mixed > 0, "{statistics:?}");
    }
}

#[test]
fn the_loop_finds_schedules() {
    let p = "shared int s = 0; local int l = 1; assert s != l; s = s + 1;";
    let (answer, _) = run(p, Some(1));
    assert!(matches!(answer, Answer::Safe), "{answer:?}");
    for threads in [Some(2), None] {
        let (answer, statistics) = run(p, threads);
        assert!(matches!(answer, Answer::Unsafe(_)), "{threads:?}: {answer:?} {statistics:?}");
    }
    let q = "shared int s = 0; shared bool t = 0; local int l = 0;
        if (*) { if (t) { assert s != l; } } l = s + 1; t = 1;";
    let (answer, _) = run(q, Some(1));
    assert!(matches!(answer, Answer::Safe), "{answer:?}");
    let (answer, _) = run(q, Some(2));
    assert!(matches!(answer, Answer::Unsafe(_)), "{answer:?}");
}
