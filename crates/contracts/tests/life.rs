//! Abstract threads that create and join threads: what code conforms to them, and what compositions of them can do, compared with
//! random ones that are executed as they are written. `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write;

use common::{compile, judged, outcome};
use selvedge_contracts::Instances;
use selvedge_contracts::compose::compose;
use selvedge_contracts::conform::{Conformance, Failed, Outcome, contract};
use selvedge_contracts::infer::observe;
use selvedge_contracts::text::{format, read, read_alone};
use selvedge_evidence::recheck;
use selvedge_generate::random::Random;
use selvedge_generate::seeds;
use selvedge_program::{Budget, Program, Property};

/// Two threads that add 1, and what `main` does with them.
fn adding(worker: &str, main: &str) -> Program {
    compile(&format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
         static atomic_int count;\n\
         static void *add(void *unused)\n{{\n    {worker}\n    return unused;\n}}\n\
         static void *other(void *unused) {{ return unused; }}\n\
         int main(void)\n{{\n    pthread_t first, second, third;\n    {main}\n    return 0;\n}}\n"
    ))
}

/// `main` creates two threads, joins both and finds 2.
const BOTH: &str = "
shared int count = 0;
thread main {
    initial state start { to one: create add; }
    state one { to two: create add; }
    state two { to left: join add; }
    state left { to alone: join add; }
    state alone { assert count == 2; }
}
threads add {
    initial state before { to after: count' == count + 1; }
    state after {}
}
";

const ADD: &str = "atomic_fetch_add(&count, 1);";
const START: &str = "pthread_create(&first, 0, add, 0); pthread_create(&second, 0, add, 0);";
const JOIN: &str = "pthread_join(first, 0); pthread_join(second, 0);";
const ASSERT: &str = "assert(atomic_load(&count) == 2);";

fn conformance(mut program: Program, text: &str) -> (Program, Conformance) {
    let read = read("t.threads", text, &mut program).unwrap_or_else(|refused| panic!("{:?}", refused.diagnostics));
    let contract = contract(&read.spec).expect("a contract");
    let found = judged(&program, &contract);
    (program, found)
}

/// What is wrong with a thread; nothing if it conforms.
fn wrong((program, found): &(Program, Conformance), name: &str) -> Option<Failed> {
    match outcome(program, found, name) {
        Outcome::Conforms => None,
        Outcome::Fails(failure) => Some(failure.wrong.clone()),
        Outcome::Unknown(unknown) => panic!("{name}: {unknown:?}"),
    }
}

fn goes_wrong(text: &str) -> (bool, bool) {
    let (read, program) = read_alone("t.threads", text).unwrap_or_else(|refused| panic!("{:?}", refused.diagnostics));
    let composition = compose(&program, &read.spec, &|thread| thread.instances).expect("can be composed");
    composition.program.validate().unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
    let plain = recheck(&composition.program, 100_000, 256);
    assert!(plain.is_complete, "{text}");
    (plain.violated.contains(&Property::Assertion), plain.violated.contains(&Property::Deadlock))
}

#[test]
fn what_holds_after_the_joins_is_shown() {
    let found = conformance(adding(ADD, &format!("{START} {JOIN} {ASSERT}")), BOTH);
    assert!(found.1.is_proved(), "{:?}", found.1);
    assert_eq!(goes_wrong(BOTH), (false, false));
}

#[test]
fn handles_in_an_array_are_joined_too() {
    let main = "pthread_t all[2];\n    for (int i = 0; i < 2; i++)\n        pthread_create(&all[i], 0, add, 0);\n    \
                for (int i = 0; i < 2; i++)\n        pthread_join(all[i], 0);\n    ";
    let found = conformance(adding(ADD, &format!("{main}{ASSERT}")), BOTH);
    assert!(found.1.is_proved(), "{:?}", found.1);
    // Nothing excludes that an element was never written.
    assert!(!found.1.doubts.is_empty());
}

#[test]
fn a_join_that_the_code_does_not_have_is_not_there() {
    let found = conformance(adding(ADD, &format!("{START} pthread_join(first, 0); {ASSERT}")), BOTH);
    assert!(matches!(wrong(&found, "main"), Some(Failed::Assertion(_))));
    // Nor is one that waits for a thread of another function.
    let main =
        "pthread_create(&first, 0, add, 0); pthread_create(&second, 0, add, 0); pthread_create(&third, 0, other, 0);";
    let main = format!("{main} pthread_join(first, 0); pthread_join(third, 0); {ASSERT}");
    let found = conformance(adding(ADD, &main), BOTH);
    assert!(matches!(wrong(&found, "main"), Some(Failed::Assertion(_))));
}

#[test]
fn a_thread_that_is_created_once_more_is_not_matched() {
    let more = "pthread_create(&third, 0, add, 0);";
    let found = conformance(adding(ADD, &format!("{START} {more} {JOIN}")), BOTH);
    assert_eq!(wrong(&found, "main"), Some(Failed::Unmatched));
    // Also if `main` is not named at all.
    let unnamed = "
        shared int count = 0;
        thread add {
            initial state before { to counted: count' == count + 1; }
            state counted { to after: create other; }
            state after {}
        }
        thread other { initial state done {} }";
    let main = "pthread_create(&first, 0, add, 0); pthread_create(&second, 0, other, 0);";
    let found = conformance(adding(ADD, main), unnamed);
    assert_eq!(wrong(&found, "main"), Some(Failed::Unmatched));
}

#[test]
fn a_thread_that_is_joined_ends_where_its_abstract_thread_does() {
    let found = conformance(adding(&format!("if (atomic_load(&count) == 0) {ADD}"), &format!("{START} {JOIN}")), BOTH);
    assert_eq!(wrong(&found, "add"), Some(Failed::Ends));
    // Where nobody waits for it, it may stop anywhere.
    let unjoined = BOTH.replace("to left: join add", "to left").replace("to alone: join add", "to alone");
    let unjoined = unjoined.replace("assert count == 2;", "");
    let worker = format!("if (atomic_load(&count) == 0) {ADD}");
    assert!(conformance(adding(&worker, &format!("{START} {JOIN}")), &unjoined).1.is_proved());
}

#[test]
fn a_thread_that_may_join_itself_joins_nobody() {
    let worker = "pthread_join(pthread_self(), 0); atomic_fetch_add(&count, 1);";
    let text = "
        shared int count = 0;
        thread main { initial state start { to one: create add; } state one {} }
        threads add {
            initial state before { to joined: join add; }
            state joined { to after: count' == count + 1; }
            state after {}
        }";
    let found = conformance(adding(worker, "pthread_create(&first, 0, add, 0);"), text);
    assert_eq!(wrong(&found, "add"), Some(Failed::Unmatched));
}

#[test]
fn what_main_does_before_it_creates_threads_is_its_own() {
    let found = conformance(adding(ADD, &format!("count = 7; count = 0; {START} {JOIN} {ASSERT}")), BOTH);
    assert!(found.1.is_proved(), "{:?}", found.1);
    let found = conformance(adding(ADD, &format!("count = 7; {START} {JOIN}")), BOTH);
    assert_eq!(wrong(&found, "main"), Some(Failed::Initially));
}

#[test]
fn functions_may_be_called_like_words_of_the_language() {
    let text = "shared int x = 0;\nthread release { initial state a { to b: create state; } state b { to c: join state; } \
                state c { assert x == 1; } }\nthread state { initial state a { to b: x' == 1; } state b {} }\n";
    assert_eq!(goes_wrong(text), (false, false));
    let formatted = format("t.threads", text).unwrap_or_else(|refused| panic!("{:?}", refused.diagnostics));
    assert_eq!(format("t.threads", &formatted).ok().as_ref(), Some(&formatted));
    assert_eq!(goes_wrong(&formatted), (false, false));
}

/// What is made of all executions conforms and composes where nothing is too large.
#[test]
fn all_executions_of_a_program_suggest_a_specification() {
    let program = adding(ADD, &format!("{START} {JOIN} {ASSERT}"));
    let text = observe(&program, &Budget::unlimited()).unwrap_or_else(|message| panic!("{message}"));
    let (program, found) = conformance(program, &text);
    assert!(found.is_proved(), "{found:?}");
    let mut again = program.clone();
    let read = read("t.threads", &text, &mut again).expect("is read");
    let composition = compose(&again, &read.spec, &|thread| thread.instances).expect("can be composed");
    let plain = recheck(&composition.program, 100_000, 256);
    assert!(plain.is_complete && !plain.violated.contains(&Property::Assertion));
    // Of one whose assertion fails there is nothing to say.
    let failing = adding(ADD, &format!("{START} {ASSERT}"));
    assert_eq!(observe(&failing, &Budget::unlimited()), Err("an assertion of the program can fail".to_owned()));
}

/// What an edge of a random machine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    /// Sets x.
    Sets(bool),
    /// Waits for x.
    Waits(bool),
    Creates(usize),
    Joins(Option<usize>),
}

/// States with what they assert of x, and edges.
struct Machine {
    assertions: Vec<Option<bool>>,
    edges: Vec<(usize, usize, Does)>,
}

impl Machine {
    /// The first one creates and joins, the others may join.
    fn random(random: &mut Random, is_first: bool) -> Machine {
        let states = if is_first { 4 + random.index(3) } else { 2 + random.index(2) };
        let assertions = (0..states).map(|_| random.chance(20).then(|| random.chance(50))).collect();
        let does = |random: &mut Random, state: usize| match random.below(if is_first { 7 } else { 4 }) {
            _ if is_first && state < 2 => Does::Creates(1 + random.index(2)),
            0 | 1 => Does::Sets(random.chance(50)),
            2 => Does::Waits(random.chance(50)),
            3 if !is_first && random.chance(70) => Does::Sets(random.chance(50)),
            3 | 4 => Does::Joins(None),
            _ => Does::Joins(Some(1 + random.index(2))),
        };
        let mut edges: Vec<_> = (1..states).map(|state| (state - 1, state, does(random, state - 1))).collect();
        if random.chance(40) {
            let from = random.index(states);
            edges.push((from, random.index(states), does(random, 2)));
        }
        Machine { assertions, edges }
    }

    fn text(&self, at: usize) -> String {
        let mut text = format!("thread t{at} {{\n");
        for (state, assertion) in self.assertions.iter().enumerate() {
            let initial = if state == 0 { "initial " } else { "" };
            let assertion = assertion.map(|value| format!("assert x == {value};")).unwrap_or_default();
            let _ = writeln!(text, "    {initial}state s{state} {{ {assertion}");
            for (_, to, does) in self.edges.iter().filter(|edge| edge.0 == state) {
                let label = match does {
                    Does::Sets(value) => format!("x' == {value}"),
                    Does::Waits(value) => format!("x == {value}"),
                    Does::Creates(thread) => format!("create t{thread}"),
                    Does::Joins(Some(thread)) => format!("join t{thread}"),
                    Does::Joins(None) => "join".to_owned(),
                };
                let _ = writeln!(text, "        to s{to}: {label};");
            }
            text.push_str("    }\n");
        }
        text + "}\n"
    }
}

/// A thread: its machine, its state, and whether it was joined.
type Local = (usize, usize, bool);

/// Whether a composition can go wrong, and whether it can deadlock; nothing if that is too large.
fn by_definition(machines: &[Machine], begin: Vec<Local>) -> Option<(bool, bool)> {
    let (mut wrong, mut stuck) = (false, false);
    let mut seen = BTreeSet::from([(false, begin.clone())]);
    let mut work = vec![(false, begin)];
    while let Some((x, locals)) = work.pop() {
        let is_right = |(of, state, _): &Local| machines[*of].assertions[*state].is_none_or(|value| value == x);
        wrong |= locals.iter().any(|local| !local.2 && !is_right(local));
        let ended = |(of, state, _): &Local| !machines[*of].edges.iter().any(|edge| edge.0 == *state);
        let mut can_move = false;
        for (index, (of, state, _)) in locals.iter().enumerate() {
            for (_, to, does) in machines[*of].edges.iter().filter(|edge| edge.0 == *state) {
                let mut moved = locals.clone();
                moved[index].1 = *to;
                let mut next = Vec::new();
                match does {
                    Does::Sets(value) => next.push((*value, moved)),
                    Does::Waits(value) if *value == x => next.push((x, moved)),
                    Does::Waits(_) => {}
                    Does::Creates(thread) => {
                        moved.push((*thread, 0, false));
                        next.push((x, moved));
                    }
                    Does::Joins(which) => {
                        for (other, local) in locals.iter().enumerate() {
                            let is_meant = local.0 != 0 && which.is_none_or(|thread| thread == local.0);
                            if is_meant && !local.2 && ended(local) {
                                let mut moved = moved.clone();
                                moved[other].2 = true;
                                next.push((x, moved));
                            }
                        }
                    }
                }
                can_move |= !next.is_empty();
                for (x, mut locals) in next {
                    locals[1..].sort_unstable();
                    if locals.len() > 6 || seen.len() > 50_000 {
                        return None;
                    }
                    if seen.insert((x, locals.clone())) {
                        work.push((x, locals));
                    }
                }
            }
        }
        stuck |= !can_move && locals.iter().any(|local| !ended(local));
    }
    Some((wrong, stuck))
}

#[test]
fn compositions_create_and_join_as_they_are_written() {
    let (mut compared, mut wrong_ones, mut stuck_ones) = (0, 0, 0);
    for seed in seeds(0..250) {
        let mut random = Random::new(seed);
        let machines: Vec<Machine> = (0..3).map(|at| Machine::random(&mut random, at == 0)).collect();
        let mut text = "shared bool x = false;\n".to_owned();
        for (at, machine) in machines.iter().enumerate() {
            text.push_str(&machine.text(at));
        }
        // What makes no sense is refused before.
        let Ok((read, program)) = read_alone("t.threads", &text) else { continue };
        let created = |thread: usize| {
            machines.iter().any(|machine| machine.edges.iter().any(|edge| edge.2 == Does::Creates(thread)))
        };
        // Whom nobody creates is there from the beginning, and cannot be joined.
        let begin: Vec<Local> = (0..3).filter(|at| !created(*at)).map(|at| (at, 0, false)).collect();
        if begin.len() != 1 {
            continue;
        }
        let Some((wrong, stuck)) = by_definition(&machines, begin) else { continue };
        let composition = compose(&program, &read.spec, &|_| Instances::Exactly(1)).expect("can be composed");
        composition.program.validate().unwrap_or_else(|problems| panic!("seed {seed}: {problems:?}\n{text}"));
        let plain = recheck(&composition.program, 200_000, 256);
        if !plain.is_complete {
            continue;
        }
        assert_eq!(plain.violated.contains(&Property::Assertion), wrong, "seed {seed}: goes wrong\n{text}");
        // After something has gone wrong, it does not matter who waits.
        if !wrong {
            assert_eq!(plain.violated.contains(&Property::Deadlock), stuck, "seed {seed}: deadlock\n{text}");
        }
        compared += 1;
        wrong_ones += u32::from(wrong);
        stuck_ones += u32::from(stuck && !wrong);
    }
    println!("{compared} compared, {wrong_ones} go wrong, {stuck_ones} can deadlock");
    assert!(compared >= 40 && wrong_ones >= 10 && stuck_ones >= 10, "{compared}, {wrong_ones}, {stuck_ones}");
}
