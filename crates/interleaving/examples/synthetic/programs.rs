//! The programs: threads that are started and joined by main, over locks and plain cells.

use selvedge_interleaving::skeleton::{CellId, Goal, SectionPlace, Skeleton, StopId, ThreadId};

use crate::build::Builder;

pub struct Program {
    pub name: String,
    pub make: Box<dyn Fn() -> Skeleton>,
}

fn program(name: String, make: impl Fn() -> Skeleton + 'static) -> Program {
    Program { name, make: Box::new(make) }
}

pub fn all() -> Vec<Program> {
    let mut programs = Vec::new();
    for (threads, rounds) in [(2, 4), (3, 3), (4, 4), (8, 8)] {
        programs.push(program(format!("counter-{threads}x{rounds}"), move || counter(threads, rounds, usize::MAX)));
        programs
            .push(program(format!("lost-update-{threads}x{rounds}"), move || counter(threads, rounds, threads / 2)));
    }
    for (threads, rounds) in [(4, 10), (8, 10), (16, 10), (16, 30), (16, 100)] {
        programs.push(program(format!("locked-{threads}x{rounds}"), move || locked(threads, rounds, usize::MAX)));
        programs.push(program(format!("unlocked-{threads}x{rounds}"), move || locked(threads, rounds, rounds / 2)));
    }
    for threads in [4, 8, 16] {
        programs.push(program(format!("philosophers-{threads}"), move || philosophers(threads, true)));
        programs.push(program(format!("ordered-forks-{threads}"), move || philosophers(threads, false)));
    }
    for stages in [4, 8, 16] {
        programs.push(program(format!("pipeline-{stages}"), move || pipeline(stages, 4, 0)));
        programs.push(program(format!("pipeline-wrong-{stages}"), move || pipeline(stages, 4, 1)));
    }
    for rounds in [1, 4, 8] {
        programs.push(program(format!("peterson-{rounds}"), move || peterson(rounds, true)));
        programs.push(program(format!("no-turn-{rounds}"), move || peterson(rounds, false)));
    }
    for (threads, rounds) in [(2, 2), (3, 1), (3, 2), (4, 2)] {
        programs.push(program(format!("tickets-{threads}x{rounds}"), move || tickets(threads, rounds, true)));
        programs.push(program(format!("torn-tickets-{threads}x{rounds}"), move || tickets(threads, rounds, false)));
    }
    for (threads, size) in [(4, 20), (8, 40), (16, 60)] {
        programs.push(program(format!("scattered-{threads}x{size}"), move || scattered(threads, size)));
    }
    programs
}

/// Main starts threads, which the caller fills; then it joins them.
fn parallel(width: u32, threads: usize, mut body: impl FnMut(&mut Builder, ThreadId, usize)) -> (Builder, ThreadId) {
    let mut builder = Builder::new(width);
    let main = builder.thread("main", None);
    let always = builder.always();
    let starts: Vec<StopId> = (0..threads).map(|_| builder.stop(main, always)).collect();
    let mut finished: Vec<CellId> = Vec::new();
    for (number, spawn) in starts.into_iter().enumerate() {
        let thread = builder.thread(&format!("t{number}"), Some((spawn, always)));
        body(&mut builder, thread, number);
        finished.push(builder.finish(thread));
    }
    for cell in finished {
        builder.join(main, cell);
    }
    (builder, main)
}

fn cells(builder: &mut Builder, count: usize, known: &mut Vec<CellId>) {
    while known.len() < count {
        let zero = builder.number(0);
        let name = format!("c{}", known.len());
        known.push(builder.cell(&name, zero));
    }
}

/// The thread's own lock operations around `counter++`; one thread forgets them. At the end the sum is right.
fn counter(threads: usize, rounds: usize, careless: usize) -> Skeleton {
    let mut shared = Vec::new();
    let mut lock = None;
    let (mut builder, main) = parallel(8, threads, |builder, thread, number| {
        cells(builder, 1, &mut shared);
        let lock = *lock.get_or_insert_with(|| builder.lock("m"));
        let (always, one) = (builder.always(), builder.number(1));
        for _ in 0..rounds {
            if number != careless {
                builder.acquire(thread, lock, always);
            }
            let (_, value) = builder.load(thread, shared[0], always);
            let next = builder.terms().add(value, one);
            builder.store(thread, shared[0], next, always);
            if number != careless {
                builder.release(thread, lock, always);
            }
        }
    });
    let always = builder.always();
    let (stop, sum) = builder.load(main, shared[0], always);
    let wrong = builder.is_not(sum, (threads * rounds) as u128);
    let moment = builder.after(main, Some(stop), SectionPlace::Outside, wrong);
    builder.goal(Goal::Moments(vec![moment]));
    builder.skeleton
}

/// Each round locks one of four locks and works on the cell that belongs to it; races on all cells. In one round of the
/// last thread the lock is another.
fn locked(threads: usize, rounds: usize, wrong: usize) -> Skeleton {
    let mut shared = Vec::new();
    let mut locks: Vec<CellId> = Vec::new();
    let (mut builder, _) = parallel(8, threads, |builder, thread, number| {
        cells(builder, 4, &mut shared);
        while locks.len() < 4 {
            locks.push(builder.lock("m"));
        }
        let (always, one) = (builder.always(), builder.number(1));
        for round in 0..rounds {
            let cell = (number + round) % 4;
            let lock = if number + 1 == threads && round == wrong { (cell + 1) % 4 } else { cell };
            builder.acquire(thread, locks[lock], always);
            let (_, value) = builder.load(thread, shared[cell], always);
            let next = builder.terms().add(value, one);
            builder.store(thread, shared[cell], next, always);
            builder.release(thread, locks[lock], always);
        }
    });
    for &cell in &shared {
        builder.goal(Goal::Race(vec![cell]));
    }
    builder.skeleton
}

/// Each thread takes two neighbouring locks, twice; all the same way round, or the last one the other way.
fn philosophers(threads: usize, round: bool) -> Skeleton {
    let mut forks: Vec<CellId> = Vec::new();
    let (mut builder, _) = parallel(8, threads, |builder, thread, number| {
        while forks.len() < threads {
            forks.push(builder.lock("fork"));
        }
        let always = builder.always();
        let (mut first, mut second) = (number, (number + 1) % threads);
        if !round && second < first {
            (first, second) = (second, first);
        }
        for _ in 0..2 {
            builder.acquire(thread, forks[first], always);
            builder.acquire(thread, forks[second], always);
            builder.release(thread, forks[second], always);
            builder.release(thread, forks[first], always);
        }
    });
    builder.goal(Goal::Deadlock);
    builder.skeleton
}

/// Each stage waits for a token from the one before and hands it on, increased; the last one is checked.
fn pipeline(stages: usize, items: usize, error: u128) -> Skeleton {
    let mut slots = Vec::new();
    let mut full: Vec<CellId> = Vec::new();
    let mut last = None;
    let (mut builder, main) = parallel(8, stages, |builder, thread, number| {
        cells(builder, stages + 1, &mut slots);
        while full.len() < stages + 1 {
            full.push(builder.lock("full"));
        }
        let (always, one, zero) = (builder.always(), builder.number(1), builder.number(0));
        for item in 0..items {
            let mut value = builder.number(item as u128);
            if number > 0 {
                let take = builder.stop(thread, always);
                let ready = builder.read(take, full[number]);
                let is_full = builder.is(ready, 1);
                builder.waits_for(take, is_full);
                (_, value) = builder.load(thread, slots[number], always);
                let given = builder.stop(thread, always);
                builder.write(given, full[number], zero);
            }
            let next = builder.terms().add(value, one);
            if number + 1 == stages {
                last = Some((thread, builder.stop(thread, always), next));
                break;
            }
            let put = builder.stop(thread, always);
            let taken = builder.read(put, full[number + 1]);
            let is_empty = builder.is(taken, 0);
            builder.waits_for(put, is_empty);
            builder.store(thread, slots[number + 1], next, always);
            let done = builder.stop(thread, always);
            builder.write(done, full[number + 1], one);
        }
    });
    let _ = main;
    if let Some((thread, stop, value)) = last {
        let wrong = match error {
            0 => builder.is_not(value, stages as u128),
            _ => builder.is(value, stages as u128),
        };
        let moment = builder.after(thread, Some(stop), SectionPlace::Outside, wrong);
        builder.goal(Goal::Moments(vec![moment]));
    }
    builder.skeleton
}

/// Two threads with flags and a turn, or with flags read only once and no turn.
fn peterson(rounds: usize, turns: bool) -> Skeleton {
    let mut shared = Vec::new();
    let (mut builder, _) = parallel(8, 2, |builder, thread, number| {
        cells(builder, 4, &mut shared);
        let (always, one, zero) = (builder.always(), builder.number(1), builder.number(0));
        let other = builder.number(1 - number as u128);
        let [own_flag, other_flag, turn, critical] = [shared[number], shared[1 - number], shared[2], shared[3]];
        for _ in 0..rounds {
            builder.store(thread, own_flag, one, always);
            if turns {
                builder.store(thread, turn, other, always);
            }
            let (_, flag) = builder.load(thread, other_flag, always);
            let mut enter = builder.is(flag, 0);
            let (stop, whose) = builder.load(thread, turn, always);
            let mine = builder.is(whose, number as u128);
            enter = builder.terms().or(enter, mine);
            let stays = builder.terms().not(enter);
            let gives_up = builder.after(thread, Some(stop), SectionPlace::Outside, stays);
            builder.skeleton.threads[thread.index()].abandoned.push(gives_up);
            builder.store(thread, critical, one, enter);
            builder.store(thread, own_flag, zero, enter);
        }
    });
    builder.goal(Goal::Race(vec![shared[3]]));
    builder.skeleton
}

/// A ticket lock: take a number, wait until it is served, work, serve the next; taking a number is atomic, or torn in
/// two.
fn tickets(threads: usize, rounds: usize, atomic: bool) -> Skeleton {
    let mut shared = Vec::new();
    let (mut builder, _) = parallel(8, threads, |builder, thread, _| {
        cells(builder, 3, &mut shared);
        let [next, serving, critical] = [shared[0], shared[1], shared[2]];
        let (always, one) = (builder.always(), builder.number(1));
        for _ in 0..rounds {
            let take = builder.stop(thread, always);
            let ticket = builder.read(take, next);
            let following = builder.terms().add(ticket, one);
            let store = if atomic { take } else { builder.stop(thread, always) };
            builder.write(store, next, following);
            let wait = builder.stop(thread, always);
            let served = builder.read(wait, serving);
            let turn = builder.terms().equal(served, ticket);
            builder.waits_for(wait, turn);
            builder.store(thread, critical, one, always);
            let done = builder.stop(thread, always);
            builder.write(done, serving, following);
        }
    });
    builder.goal(Goal::Race(vec![shared[2]]));
    builder.skeleton
}

/// Threads that read and write many cells in different orders without any locks; one assertion over the last thread's
/// reads.
fn scattered(threads: usize, size: usize) -> Skeleton {
    let mut shared = Vec::new();
    let mut seen = Vec::new();
    let (mut builder, main) = parallel(8, threads, |builder, thread, number| {
        cells(builder, size / 4, &mut shared);
        let (always, one) = (builder.always(), builder.number(1));
        for round in 0..size {
            let from = shared[(number * 7 + round * 3) % shared.len()];
            let to = shared[(number * 5 + round) % shared.len()];
            let (stop, value) = builder.load(thread, from, always);
            let next = builder.terms().add(value, one);
            builder.store(thread, to, next, always);
            if number + 1 == threads {
                seen.push((thread, stop, value));
            }
        }
    });
    let _ = main;
    if let Some(&(thread, stop, value)) = seen.last() {
        let high = builder.is(value, 5);
        let moment = builder.after(thread, Some(stop), SectionPlace::Outside, high);
        builder.goal(Goal::Moments(vec![moment]));
    }
    builder.skeleton
}
