//! The paper's figures as skeletons, with their outcomes.

mod common;

use common::build::Builder;
use common::oracle::{Oracle, all_goals};
use selvedge_interleaving::skeleton::{Goal, Interference, SectionPlace, Skeleton, StopId, ThreadId};
use selvedge_interleaving::{Error, Mode, Outcome, RefineOptions, Refiner};
use selvedge_logic::{Term, proof};
use selvedge_program::{AccessKind, AccessMode, Atomicity};
use selvedge_program::{Budget, Exhausted, Quiet};

/// Asks for all goals at once, in all modes; some goal can hold exactly if `reachable`.
fn check(make: fn() -> Skeleton, reachable: bool) {
    assert_eq!(Oracle::new(&make()).reachable(1_000_000).unwrap().contains(&true), reachable);
    for mode in Mode::ALL {
        let mut skeleton = make();
        let goals = all_goals(&skeleton);
        let mut refiner = Refiner::new(&mut skeleton, RefineOptions { mode }).unwrap();
        match refiner.ask(&goals, &Budget::unlimited(), &mut Quiet).unwrap() {
            Outcome::Execution(execution) => {
                assert!(reachable, "{mode}");
                Oracle::new(refiner.skeleton()).follow(&execution);
            }
            Outcome::Refuted(_) => {
                assert!(!reachable, "{mode}");
                proof::check(&refiner.certificate(&goals, &Budget::unlimited()).unwrap().proof).unwrap();
            }
            Outcome::Unmodelled(_) => panic!("nothing is opaque"),
        }
    }
}

/// Main starts two threads, joins them and looks at x and y.
struct Parallel {
    builder: Builder,
    main: ThreadId,
    threads: [ThreadId; 2],
}

impl Parallel {
    fn new() -> Self {
        let mut builder = Builder::new(3);
        let main = builder.thread("main", None);
        let always = builder.always();
        let threads = ["foo", "bar"].map(|name| {
            let spawn = builder.stop(main, always);
            builder.thread(name, Some((spawn, always)))
        });
        Parallel { builder, main, threads }
    }

    fn join(&mut self) {
        for thread in self.threads {
            let finished = self.builder.finish(thread);
            self.builder.join(self.main, finished);
        }
    }
}

/// foo: `a = y; if (a == 0) { x = 1; a = x; x = a + 1; } else x = 0;` and bar the same with x and y exchanged; then
/// `assert(x != y + difference)`. The figure's numbers are lost; these give it the same shape.
fn exchanged(difference: u128) -> Skeleton {
    let mut program = Parallel::new();
    let zero = program.builder.number(0);
    let (x, y) = (program.builder.cell("x", zero), program.builder.cell("y", zero));
    for (thread, own, other) in [(program.threads[0], x, y), (program.threads[1], y, x)] {
        let builder = &mut program.builder;
        let always = builder.always();
        let (_, seen) = builder.load(thread, other, always);
        let (then, otherwise) = (builder.is(seen, 0), builder.is_not(seen, 0));
        let one = builder.number(1);
        builder.store(thread, own, one, then);
        let (_, again) = builder.load(thread, own, then);
        let sum = builder.terms().add(again, one);
        builder.store(thread, own, sum, then);
        builder.store(thread, own, zero, otherwise);
    }
    program.join();
    let (builder, main) = (&mut program.builder, program.main);
    let always = builder.always();
    let (_, last_x) = builder.load(main, x, always);
    let (stop, last_y) = builder.load(main, y, always);
    let difference = builder.number(difference);
    let shifted = builder.terms().add(last_y, difference);
    let fails = builder.terms().equal(last_x, shifted);
    let moment = builder.after(main, Some(stop), SectionPlace::Outside, fails);
    builder.goal(Goal::Moments(vec![moment]));
    program.builder.skeleton
}

#[test]
fn final_assertion_can_fail() {
    check(|| exchanged(0), true);
    check(|| exchanged(2), true);
}

#[test]
fn final_assertion_holds() {
    check(|| exchanged(1), false);
    check(|| exchanged(3), false);
}

/// t1: lock a, y = 1, unlock a with z inside lock b …: the writes to z are both under lock a, whatever x and y do.
fn locks_alone() -> Skeleton {
    let mut builder = Builder::new(3);
    let always = builder.always();
    let (a, b) = (builder.lock("a"), builder.lock("b"));
    let zero = builder.number(0);
    let [x, y, z] = ["x", "y", "z"].map(|name| builder.cell(name, zero));
    for (name, first) in [("t1", true), ("t2", false)] {
        let thread = builder.thread(name, None);
        builder.acquire(thread, a, always);
        let (_, seen) = builder.load(thread, if first { y } else { x }, always);
        builder.acquire(thread, b, always);
        builder.store(thread, if first { x } else { y }, seen, always);
        builder.release(thread, b, always);
        builder.store(thread, z, seen, always);
        builder.release(thread, a, always);
    }
    builder.goal(Goal::Race(vec![z]));
    builder.skeleton
}

#[test]
fn locks_alone_exclude_a_race() {
    check(locks_alone, false);
    let mut skeleton = locks_alone();
    let mut refiner = Refiner::new(&mut skeleton, RefineOptions::default()).unwrap();
    let goals = all_goals(refiner.skeleton());
    let outcome = refiner.ask(&goals, &Budget::unlimited(), &mut Quiet).unwrap();
    assert!(matches!(outcome, Outcome::Refuted(_)));
    let Outcome::Refuted(refutation) = outcome else { return };
    assert!(refutation.instances.reads <= 4, "only the reads of locks: {}", refutation.instances);
}

/// The lock is released in the branch and again after it.
fn double_unlock() -> Skeleton {
    let mut builder = Builder::new(3);
    let always = builder.always();
    let zero = builder.number(0);
    let (a, x) = (builder.lock("a"), builder.cell("x", zero));
    for name in ["t1", "t2"] {
        let thread = builder.thread(name, None);
        builder.acquire(thread, a, always);
        let (_, seen) = builder.load(thread, x, always);
        let branch = builder.is(seen, 0);
        builder.release(thread, a, branch);
        let last = builder.stop(thread, always);
        let owner = builder.read(last, a);
        let own = builder.is(owner, thread.index() as u128 + 1);
        let free = builder.number(0);
        builder.write(last, a, free);
        builder.skeleton.stops[last.index()].proceeds = own;
        let wrong = builder.terms().not(own);
        let moment = builder.before(thread, last, wrong);
        builder.goal(Goal::Moments(vec![moment]));
    }
    builder.skeleton
}

#[test]
fn double_unlock_is_serial() {
    check(double_unlock, true);
    let mut skeleton = double_unlock();
    let goals = all_goals(&skeleton);
    let mut refiner = Refiner::new(&mut skeleton, RefineOptions { mode: Mode::Under }).unwrap();
    refiner.ask(&goals, &Budget::unlimited(), &mut Quiet).unwrap();
    assert_eq!(refiner.statistics().widened, 0, "no read has to see another thread");
}

/// `if (p != 0) use(*p)`, with and without the two reads in one section, beside `p = 0`.
fn null_dereference(atomic: bool) -> Skeleton {
    let mut builder = Builder::new(3);
    let always = builder.always();
    let one = builder.number(1);
    let p = builder.cell("p", one);
    let user = builder.thread("user", None);
    let (test, seen) = builder.load(user, p, always);
    let branch = builder.is_not(seen, 0);
    let using: StopId;
    let again: Term;
    if atomic {
        using = builder.inside(test, branch);
        again = builder.read(using, p);
        builder.site(using, p, AccessMode { kind: AccessKind::Read, atomicity: Atomicity::SEQUENTIAL }, branch, false);
        builder.inside(test, always);
    } else {
        (using, again) = builder.load(user, p, branch);
    }
    let null = builder.is(again, 0);
    let fails = builder.both(branch, null);
    let section = if atomic { SectionPlace::Inside } else { SectionPlace::Outside };
    let moment = builder.after(user, Some(using), section, fails);
    builder.goal(Goal::Moments(vec![moment]));
    let other = builder.thread("other", None);
    let zero = builder.number(0);
    let between = builder.store(other, p, zero, always);
    let [first, between, second] = [test, between, using].map(|stop| builder.site_of(stop));
    builder.goal(Goal::Atomicity(vec![Interference { first, between, second }]));
    builder.skeleton
}

#[test]
fn null_dereference_through_an_atomicity_violation() {
    check(|| null_dereference(false), true);
    check(|| null_dereference(true), false);
}

/// Two threads, each with a lock/unlock pair: both acquires reading the other's release, or both the initial value,
/// must be refuted.
fn two_pairs() -> Skeleton {
    let mut builder = Builder::new(3);
    let always = builder.always();
    let lock = builder.lock("l");
    let zero = builder.number(0);
    let inside = builder.cell("inside", zero);
    for name in ["t1", "t2"] {
        let thread = builder.thread(name, None);
        builder.acquire(thread, lock, always);
        let stop = builder.stop(thread, always);
        builder.site(stop, inside, AccessMode { kind: AccessKind::Write, atomicity: Atomicity::Plain }, always, false);
        builder.release(thread, lock, always);
    }
    builder.goal(Goal::Race(vec![inside]));
    builder.goal(Goal::Deadlock);
    builder.skeleton
}

#[test]
fn inconsistent_matches_of_lock_pairs_are_refuted() {
    check(two_pairs, false);
}

/// Threads that do not touch the same things run one after the other, each as a whole.
#[test]
fn schedules_are_calm() {
    let mut builder = Builder::new(3);
    let always = builder.always();
    let zero = builder.number(0);
    for name in ["t1", "t2", "t3"] {
        let thread = builder.thread(name, None);
        let cell = builder.cell(name, zero);
        for value in 1..6 {
            let value = builder.number(value);
            builder.store(thread, cell, value, always);
        }
    }
    let cell = builder.cell("all", zero);
    for thread in 0..3 {
        builder.store(ThreadId(thread), cell, zero, always);
    }
    builder.goal(Goal::Race(vec![cell]));
    let mut skeleton = builder.skeleton;
    let mut refiner = Refiner::new(&mut skeleton, RefineOptions::default()).unwrap();
    let goals = all_goals(refiner.skeleton());
    let Outcome::Execution(execution) = refiner.ask(&goals, &Budget::unlimited(), &mut Quiet).unwrap() else {
        panic!("two threads race");
    };
    let threads: Vec<ThreadId> = execution.happened.iter().map(|&stop| refiner.skeleton().stop(stop).thread).collect();
    assert!(threads.is_sorted(), "{threads:?}");
}

/// Whatever limit is reached, the question can be asked again.
#[test]
fn limits_are_obeyed() {
    let mut skeleton = exchanged(1);
    let goals = all_goals(&skeleton);
    let mut refiner = Refiner::new(&mut skeleton, RefineOptions::default()).unwrap();
    let cancelled = Budget::unlimited();
    cancelled.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    let limits = [
        (Budget::unlimited().with_time(std::time::Duration::ZERO), Exhausted::Time),
        (Budget::unlimited().with_memory(1), Exhausted::Memory),
        (cancelled, Exhausted::Cancelled),
    ];
    for (budget, expected) in limits {
        let error = refiner.ask(&goals, &budget, &mut Quiet).unwrap_err();
        assert_eq!(error, Error::Exhausted(expected));
    }
    assert!(matches!(refiner.ask(&goals, &Budget::unlimited(), &mut Quiet).unwrap(), Outcome::Refuted(_)));
}

/// What is assumed holds with the values that the reads really see, not only in a model.
#[test]
fn assumptions_hold_in_executions() {
    for mode in Mode::ALL {
        let mut builder = Builder::new(3);
        let always = builder.always();
        let zero = builder.number(0);
        let x = builder.cell("x", zero);
        let thread = builder.thread("main", None);
        let (stop, seen) = builder.load(thread, x, always);
        let (right, wrong) = (builder.is(seen, 0), builder.is(seen, 1));
        let moment = builder.after(thread, Some(stop), SectionPlace::Outside, always);
        builder.goal(Goal::Moments(vec![moment]));
        let mut skeleton = builder.skeleton;
        let goal = all_goals(&skeleton)[0];
        let mut refiner = Refiner::new(&mut skeleton, RefineOptions { mode }).unwrap();
        let outcome = refiner.ask_assuming(goal, &[wrong], &Budget::unlimited()).unwrap();
        assert!(matches!(outcome, Outcome::Refuted(_)), "{mode}: {outcome:?}");
        let outcome = refiner.ask_assuming(goal, &[right], &Budget::unlimited()).unwrap();
        assert!(matches!(outcome, Outcome::Execution(_)), "{mode}: {outcome:?}");
    }
}

/// Two locks taken in opposite orders.
#[test]
fn opposite_locks_deadlock() {
    check(
        || {
            let mut builder = Builder::new(3);
            let always = builder.always();
            let locks = [builder.lock("a"), builder.lock("b")];
            for (name, first) in [("t1", 0), ("t2", 1)] {
                let thread = builder.thread(name, None);
                builder.acquire(thread, locks[first], always);
                builder.acquire(thread, locks[1 - first], always);
                builder.release(thread, locks[1 - first], always);
                builder.release(thread, locks[first], always);
            }
            builder.goal(Goal::Deadlock);
            builder.skeleton
        },
        true,
    );
}
