//! Paths of threads that can be interleaved, and paths that cannot: by hand, and at random against trying all
//! interleavings.
//!
//! `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default.

mod common;

use std::time::{Duration, Instant};

use common::paths::{Run, before, brute, compile, edge, first_of, mixed, record};
use selvedge_generate::random::Random;
use selvedge_interleaving::{End, Feasibility, Feasible, Mode, Path, Question, Start, Step};
use selvedge_program::trace::{TraceEnd, replay};
use selvedge_program::{Access, Action, Base, Budget, Expr, Place, Program};

/// Asks, replays a trace, and checks a core again.
fn ask(program: &Program, question: &Question) -> Feasible {
    let mut feasibility = Feasibility::new(program);
    let answer =
        feasibility.ask(question, &Budget::unlimited()).unwrap_or_else(|error| panic!("{error}: {question:?}"));
    check(program, &mut feasibility, question, &answer);
    for mode in Mode::ALL {
        let other = Feasibility::new(program).with_mode(mode).ask(question, &Budget::unlimited()).expect("no mistakes");
        assert_eq!(std::mem::discriminant(&answer), std::mem::discriminant(&other), "{mode}: {question:?}");
    }
    answer
}

fn check(program: &Program, feasibility: &mut Feasibility<'_>, question: &Question, answer: &Feasible) {
    match answer {
        Feasible::Yes(trace) => {
            replay(program, trace).expect("the semantics takes these steps");
            let extra = usize::from(matches!(question.end, End::Fails(..)));
            let steps: usize = question.paths.iter().map(|path| path.steps.len()).sum();
            assert_eq!(trace.steps.len(), steps + extra, "exactly the paths are walked");
            let shown = match question.end {
                End::Nothing | End::Holds(..) => trace.end == TraceEnd::Nothing,
                End::Race(..) => matches!(trace.end, TraceEnd::Race(..)),
                End::Fails(..) => matches!(trace.end, TraceEnd::AssertionFailed(_) | TraceEnd::Undefined(_)),
            };
            assert!(shown, "{:?} for {:?}", trace.end, question.end);
        }
        Feasible::No { core } => {
            let again = feasibility.contradict(question, core, &Budget::unlimited()).expect("no mistakes");
            assert!(again, "the core {core:?} does not contradict {question:?}");
        }
        Feasible::Unknown(_) => {}
    }
}

fn run(program: &Program, priorities: &[usize]) -> Run {
    record(program, 1000, first_of(priorities))
}

/// A folder that lives for one test.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

fn stores(program: &Program, name: &str) -> impl Fn(&Action) -> bool {
    let wanted = program.objects.iter().position(|object| object.name == name).expect("there is such a variable");
    move |action| {
        matches!(action, Action::Store { access: Access { place: Place::Memory { address, .. }, .. }, .. }
            if matches!(address, Expr::Address(Base::Object(id), _) if id.index() == wanted))
    }
}

const TAKE: &str = r"
#include <pthread.h>
#include <assert.h>
LOCK
static int taken, owner;
void *thread(void *me) {
    ACQUIRE
    if (!taken) { taken = 1; owner = 7; }
    RELEASE
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(owner == 7);
    return 0;
}
";

fn take(folder: &tempfile::TempDir, locked: bool) -> Program {
    let (lock, acquire, release) = match locked {
        true => (
            "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
            "pthread_mutex_lock(&m);",
            "pthread_mutex_unlock(&m);",
        ),
        false => ("", "", ""),
    };
    let text = TAKE.replace("LOCK", lock).replace("ACQUIRE", acquire).replace("RELEASE", release);
    compile(folder.path(), "take", &text)
}

/// Both threads take what only one can have, if there is a lock.
fn both_take(program: &Program) -> Vec<Path> {
    let (first, second) = (run(program, &[0, 1, 2]), run(program, &[0, 2, 1]));
    let mut paths = first.paths;
    paths[2].steps.clone_from(&second.paths[2].steps);
    paths
}

#[test]
fn whole_runs_are_feasible() {
    let folder = folder();
    for locked in [false, true] {
        let program = take(&folder, locked);
        for priorities in [[0, 1, 2], [0, 2, 1], [1, 2, 0]] {
            let run = run(&program, &priorities);
            for steps in [0, 5, run.order.len() / 2, run.order.len()] {
                let question = Question { paths: run.after(steps), end: End::Nothing };
                assert!(matches!(ask(&program, &question), Feasible::Yes(_)), "{steps} steps");
            }
        }
    }
}

#[test]
fn a_lock_keeps_two_threads_from_taking_one_thing() {
    let folder = folder();
    let program = take(&folder, true);
    let paths = both_take(&program);
    let Feasible::No { core } = ask(&program, &Question { paths: paths.clone(), end: End::Nothing }) else {
        panic!("both take it")
    };
    let blamed = |path: usize| core.iter().any(|(other, _)| *other == path);
    assert!(blamed(1) && blamed(2), "each thread is to blame: {core:?}");
    let needed = core.iter().all(|&(path, step)| {
        let action = &edge(&program, paths[path].steps[step]).action;
        matches!(action, Action::Assume(_) | Action::Atomic(_))
    });
    assert!(needed, "only conditions are to blame: {core:?}");
}

#[test]
fn without_a_lock_both_take_it() {
    let folder = folder();
    let program = take(&folder, false);
    let answer = ask(&program, &Question { paths: both_take(&program), end: End::Nothing });
    assert!(matches!(answer, Feasible::Yes(_)), "{answer:?}");
}

#[test]
fn threads_race_unless_they_lock() {
    let folder = folder();
    for locked in [false, true] {
        let program = take(&folder, locked);
        let mut paths = both_take(&program);
        for path in [1, 2] {
            paths[path] = before(&program, &paths[path], stores(&program, "taken")).0;
        }
        paths[0] = before(&program, &paths[0], |action| {
            matches!(action, Action::Atomic(steps) if steps.iter().any(|step| matches!(step, selvedge_program::AtomicStep::Guard(_))))
        }).0;
        let answer = ask(&program, &Question { paths, end: End::Race(1, 2) });
        match answer {
            Feasible::Yes(_) => assert!(!locked),
            Feasible::No { core } => assert!(locked && !core.is_empty()),
            Feasible::Unknown(gap) => panic!("{gap:?}"),
        }
    }
}

#[test]
fn an_assertion_after_joins_cannot_fail() {
    let folder = folder();
    let program = take(&folder, true);
    let mut paths = run(&program, &[0, 1, 2]).paths;
    let (main, fails) = before(&program, &paths[0], |action| matches!(action, Action::Assert { .. }));
    paths[0] = main;
    let question = Question { paths: paths.clone(), end: End::Fails(0, fails) };
    let answer = ask(&program, &question);
    assert!(matches!(answer, Feasible::No { .. }), "{answer:?}");
    // Without the thread that takes it, the path of main does not get there.
    paths[1].steps.truncate(2);
    let answer = ask(&program, &Question { paths, end: End::Nothing });
    let Feasible::No { core } = answer else { panic!("{answer:?}") };
    assert!(core.iter().any(|(path, _)| *path == 0), "main waits: {core:?}");
}

#[test]
fn an_assertion_fails_where_a_flag_is_seen_early() {
    let folder = folder();
    let text = r"
#include <pthread.h>
#include <assert.h>
static int ready, value;
void *producer(void *me) { ready = 1; value = 1; return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, producer, 0);
    if (ready) assert(value == 1);
    return 0;
}
";
    for (text, fails) in
        [(text.to_owned(), true), (text.replace("ready = 1; value = 1;", "value = 1; ready = 1;"), false)]
    {
        let program = compile(folder.path(), "flag", &text);
        let run = record(&program, 1000, |able| {
            // The producer comes as soon as it is there.
            *able.last().expect("someone can move")
        });
        let mut paths = run.paths;
        let (main, assertion) = before(&program, &paths[0], |action| matches!(action, Action::Assert { .. }));
        paths[0] = main;
        let answer = ask(&program, &Question { paths, end: End::Fails(0, assertion) });
        // The producer's whole path has been walked by then, so the load of the value must have come between its
        // stores.
        match answer {
            Feasible::Yes(_) => assert!(fails),
            Feasible::No { .. } => assert!(!fails),
            Feasible::Unknown(gap) => panic!("{gap:?}"),
        }
    }
}

/// Two threads in an atomic section each, of which one must come first.
#[test]
fn a_section_that_is_under_way_holds_up_the_others() {
    let folder = folder();
    let text = r"
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x, y;
void *thread(void *me) {
    __VERIFIER_atomic_begin();
    x = x + 1;
    if (x < 5) y = x;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    return 0;
}
";
    let program = compile(folder.path(), "section", text);
    // main would end the process.
    let main = record(&program, 1000, first_of(&[1, 2, 0])).paths[0].clone();
    let main = before(&program, &main, |action| matches!(action, Action::Return { .. } | Action::Exit { .. })).0;
    let threads = record(&program, 1000, first_of(&[1, 2, 0])).paths;
    let inside = |path: &Path| {
        let (mut cut, store) =
            before(&program, path, |action| matches!(action, Action::Store { .. } | Action::Atomic(_)));
        cut.steps.push(store);
        assert!(cut.steps.iter().any(|&step| matches!(edge(&program, step).action, Action::AtomicBegin)));
        cut
    };
    let question = |first: Path, second: Path| Question { paths: vec![main.clone(), first, second], end: End::Nothing };
    let both = ask(&program, &question(threads[1].clone(), threads[2].clone()));
    assert!(matches!(both, Feasible::Yes(_)), "{both:?}");
    let one = ask(&program, &question(inside(&threads[1]), threads[2].clone()));
    assert!(matches!(one, Feasible::Yes(_)), "{one:?}");
    let Feasible::No { core } = ask(&program, &question(inside(&threads[1]), inside(&threads[2]))) else {
        panic!("two threads stand inside a section")
    };
    assert_eq!(core.len(), 2, "{core:?}");
}

#[test]
fn what_holds_at_the_end_of_a_path_depends_on_the_others() {
    let folder = folder();
    let text = r"
#include <pthread.h>
static int x;
void *thread(void *me) { x = 1; x = 2; return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, thread, 0);
    int seen = x;
    if (seen == 5) x = seen;
    return 0;
}
";
    let program = compile(folder.path(), "holds", text);
    let mut paths = run(&program, &[1, 0]).paths;
    let loads = |action: &Action| matches!(action, Action::Load { .. });
    let place = paths[0].steps.iter().rposition(|&step| loads(&edge(&program, step).action)).expect("x is read");
    let Action::Load { target, .. } = edge(&program, paths[0].steps[place]).action else { panic!("it is a load") };
    paths[0].steps.truncate(place + 1);
    for value in 0..4 {
        let equals = Expr::Binary(
            selvedge_program::BinaryOp::Equal,
            Box::new(Expr::Register(target, 32)),
            Box::new(Expr::Constant(selvedge_program::Bits::new(32, value))),
        );
        let answer = ask(&program, &Question { paths: paths.clone(), end: End::Holds(0, equals) });
        match answer {
            Feasible::Yes(_) => assert!(value < 3),
            Feasible::No { core } => assert!(value == 3 && core.is_empty(), "{core:?}"),
            Feasible::Unknown(gap) => panic!("{gap:?}"),
        }
    }
}

#[test]
fn what_is_no_path_is_refused() {
    let folder = folder();
    let program = take(&folder, true);
    let whole = run(&program, &[0, 1, 2]);
    let refused = |paths: Vec<Path>, end: End| {
        let answer = Feasibility::new(&program).ask(&Question { paths, end }, &Budget::unlimited());
        assert!(matches!(answer, Err(selvedge_evidence::InternalError::Malformed(_))), "{answer:?}");
    };
    refused(Vec::new(), End::Nothing);
    refused(whole.paths[1..].to_vec(), End::Nothing);
    refused(whole.paths.clone(), End::Race(1, 1));
    refused(whole.paths.clone(), End::Race(1, 7));
    let mut torn = whole.paths.clone();
    torn[1].steps.remove(1);
    refused(torn, End::Nothing);
}

fn seeds() -> std::ops::Range<u64> {
    let asked = std::env::var("SELVEDGE_SEEDS").ok();
    let asked = asked.as_deref().and_then(|text| text.split_once(".."));
    match asked.map(|(first, last)| (first.parse(), last.parse())) {
        Some((Ok(first), Ok(last))) => first..last,
        _ => 0..25,
    }
}

/// A question about the ends of paths.
fn random_end(program: &Program, paths: &mut [Path], runs: &[Run], random: &mut Random) -> End {
    let count = paths.len() as u64;
    match random.below(4) {
        0 | 1 if count > 1 => {
            let a = random.below(count) as usize;
            End::Race(a, (a + 1 + random.below(count - 1) as usize) % paths.len())
        }
        2 => {
            // A path that stops before an assertion, or before any step that some run has taken.
            let number = random.below(count) as usize;
            let asserts = |step: &Step| matches!(edge(program, *step).action, Action::Assert { .. });
            if let Some(place) = paths[number].steps.iter().position(asserts) {
                let step = paths[number].steps[place];
                let needed =
                    |path: &Path| matches!(path.start, Start::Spawned { by, at } if by == number && at >= place);
                if !paths.iter().any(needed) {
                    paths[number].steps.truncate(place);
                    return End::Fails(number, step);
                }
            }
            let whole = random.pick(runs).paths.get(number);
            let next = whole.filter(|whole| whole.steps.starts_with(&paths[number].steps));
            let next = next.filter(|whole| whole.function == paths[number].function);
            match next.and_then(|whole| whole.steps.get(paths[number].steps.len())) {
                Some(step) => End::Fails(number, *step),
                None => End::Nothing,
            }
        }
        _ => End::Nothing,
    }
}

#[derive(Default)]
struct Tally {
    yes: u32,
    no: u32,
    unknown: u32,
    untried: u32,
    time: Duration,
    slowest: Duration,
    steps: usize,
}

#[test]
fn random_paths_are_answered_as_by_trying() {
    let folder = folder();
    let mut tally = Tally::default();
    for seed in seeds() {
        let program = compile(folder.path(), "random", &selvedge_generate::concurrent::program(seed));
        let mut random = Random::new(seed);
        let runs: Vec<Run> = (0..4).map(|_| record(&program, 150, |able| *random.pick(able))).collect();
        let mut feasibility = Feasibility::new(&program);
        for run in &runs {
            let steps = random.below(run.order.len() as u64 + 1) as usize;
            let question = Question { paths: run.after(steps), end: End::Nothing };
            let answer = feasibility.ask(&question, &Budget::unlimited()).expect("no mistakes");
            assert!(!matches!(answer, Feasible::No { .. }), "seed {seed}: a run is not feasible: {question:?}");
            check(&program, &mut feasibility, &question, &answer);
        }
        for _ in 0..12 {
            let mut paths = mixed(&runs, &mut random);
            let end = random_end(&program, &mut paths, &runs, &mut random);
            let question = Question { paths, end };
            compare(&program, seed, &mut feasibility, &question, &mut tally);
        }
    }
    let asked = tally.yes + tally.no + tally.unknown;
    println!(
        "{asked} questions: {} yes, {} no, {} unknown, {} not tried; {} steps and {:.0?} each, at most {:.0?}",
        tally.yes,
        tally.no,
        tally.unknown,
        tally.untried,
        tally.steps / asked.max(1) as usize,
        tally.time / asked.max(1),
        tally.slowest
    );
    assert!(tally.yes > 20 && tally.no > 20, "both answers must occur often");
    assert!(tally.unknown * 5 < asked, "too many questions are left open");
}

fn compare(program: &Program, seed: u64, feasibility: &mut Feasibility<'_>, question: &Question, tally: &mut Tally) {
    let start = Instant::now();
    let answer = match feasibility.ask(question, &Budget::unlimited()) {
        Ok(answer) => answer,
        // A step may not be there after the end of a thread, or a thread may have none.
        Err(selvedge_evidence::InternalError::Malformed(_)) => return,
        Err(error) => panic!("seed {seed}: {error}: {question:?}"),
    };
    let time = start.elapsed();
    tally.time += time;
    tally.slowest = tally.slowest.max(time);
    tally.steps += question.paths.iter().map(|path| path.steps.len()).sum::<usize>();
    check(program, feasibility, question, &answer);
    let expected = brute(program, question, 20_000);
    tally.untried += u32::from(expected.is_none());
    match (&answer, expected) {
        (Feasible::Yes(_), Some(false)) => panic!("seed {seed}: not feasible: {question:?}"),
        (Feasible::No { core }, Some(true)) => panic!("seed {seed}: feasible, in spite of {core:?}: {question:?}"),
        _ => {}
    }
    match answer {
        Feasible::Yes(_) => tally.yes += 1,
        Feasible::No { .. } => tally.no += 1,
        Feasible::Unknown(_) => tally.unknown += 1,
    }
}
