//! What is held by several threads at a time, who are counted: read-write locks and semaphores of the library and of
//! their own making, users of something that the last one cleans up.

use super::{Care, Maker, Protocol};
use crate::random::Random;

pub(super) const MAKERS: [Maker; 6] = [read_write, readers_by_hand, semaphore, slots, users, pending];

/// A read-write lock of the library.
fn read_write(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let lock = match random.below(3) {
        0 => format!("&lock{n}.inner"),
        _ => format!("&lock{n}"),
    };
    let declared = if lock.ends_with("inner") {
        format!(
            "static struct {{ int before; pthread_rwlock_t inner; }} lock{n} = {{ 0, PTHREAD_RWLOCK_INITIALIZER }};\n"
        )
    } else {
        format!("static pthread_rwlock_t lock{n} = PTHREAD_RWLOCK_INITIALIZER;\n")
    };
    let (read, write) = (format!("pthread_rwlock_rdlock({lock});"), format!("pthread_rwlock_wrlock({lock});"));
    let unlock = format!("pthread_rwlock_unlock({lock});");
    let mut uses = vec![
        format!("{read} assert(kept{n} == twin{n}); {unlock}"),
        format!("{write} kept{n} = !kept{n}; twin{n} = kept{n}; {unlock}"),
        format!("if (pthread_rwlock_tryrdlock({lock}) == 0) {{ assert(kept{n} == twin{n}); {unlock} }}"),
        format!("{read} {read} {unlock} assert(kept{n} == twin{n}); {unlock}"),
    ];
    if care == Care::Broken {
        uses.push(match random.below(4) {
            0 => format!("{read} {unlock} assert(kept{n} == twin{n}); {write} kept{n} = 1; twin{n} = 1; {unlock}"),
            1 => format!("{read} kept{n} = !kept{n}; twin{n} = kept{n}; {unlock}"),
            // A read lock of somebody else is given back.
            2 => format!("if (atomic_exchange(&once{n}, 1)) {{ {unlock} }} {write} kept{n} = 1; twin{n} = 1; {unlock}"),
            _ => format!("{read} {unlock} {unlock} {write} kept{n} = 0; twin{n} = 0; {unlock}"),
        });
    }
    let globals = format!("{declared}static int kept{n}, twin{n};\nstatic atomic_int once{n};\n");
    Protocol { globals, uses, ..Protocol::default() }
}

/// Readers counted in a word, or a writer, who makes it negative.
fn readers_by_hand(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let word = *random.pick(&["int", "signed char", "short"]);
    let begin = format!(
        "{word} c = atomic_load(&word{n}); if (c >= 0 && c < 3 && atomic_compare_exchange_strong(&word{n}, &c, c + 1))"
    );
    let end = format!("atomic_fetch_sub(&word{n}, 1);");
    let write = format!("{word} z = 0; if (atomic_compare_exchange_strong(&word{n}, &z, -1))");
    let done = format!("atomic_store(&word{n}, 0);");
    let mut uses = vec![
        format!("{begin} {{ assert(one{n} == two{n}); {end} }}"),
        format!("{write} {{ one{n} = !one{n}; two{n} = one{n}; {done} }}"),
    ];
    if care == Care::Broken {
        uses.push(match random.below(5) {
            0 => format!("{begin} {{ {end} assert(one{n} == two{n}); {end} }}"),
            1 => format!("{begin} {{ {done} assert(one{n} == two{n}); }}"),
            2 => format!("atomic_fetch_add(&word{n}, 1); assert(one{n} == two{n}); {end}"),
            3 => format!(
                "{word} z = 0; atomic_compare_exchange_strong(&word{n}, &z, -1); one{n} = 0; two{n} = 0; {done}"
            ),
            _ => format!("atomic_store(&word{n}, atomic_load(&word{n}) + 1); assert(one{n} == two{n}); {end}"),
        });
    }
    Protocol {
        globals: format!("static _Atomic {word} word{n};\nstatic int one{n}, two{n};\n"),
        uses,
        ..Protocol::default()
    }
}

/// A semaphore that lets one in at a time.
fn semaphore(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let (wait, post) = (format!("sem_wait(&sem{n});"), format!("sem_post(&sem{n});"));
    let first = if care == Care::Broken && random.chance(40) { 2 } else { 1 };
    let mut uses = vec![
        format!("{wait} held{n}++; assert(held{n} == 1); held{n}--; {post}"),
        format!("if (sem_trywait(&sem{n}) == 0) {{ held{n}++; assert(held{n} == 1); held{n}--; {post} }}"),
    ];
    if care == Care::Broken {
        uses.push(match random.below(3) {
            0 => format!("{wait} {post} {post} {wait} held{n}++; held{n}--; {post}"),
            1 => format!("{wait} {post} held{n}++; held{n}--;"),
            _ => format!("if (sem_trywait(&sem{n})) {post}"),
        });
    }
    Protocol {
        globals: format!("static sem_t sem{n};\nstatic int held{n};\n"),
        setup: format!("sem_init(&sem{n}, 0, {first});"),
        uses,
        ..Protocol::default()
    }
}

/// The same by hand: a number of free slots.
fn slots(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let first = if care == Care::Broken && random.chance(30) { 2 } else { 1 };
    let take = format!(
        "unsigned s = atomic_load(&slots{n}); if (s > 0 && atomic_compare_exchange_strong(&slots{n}, &s, s - 1))"
    );
    let give = format!("atomic_fetch_add(&slots{n}, 1);");
    let mut uses = vec![format!("{take} {{ in{n}++; assert(in{n} == 1); in{n}--; {give} }}")];
    if care == Care::Broken {
        uses.push(match random.below(4) {
            0 => format!("{take} {{ {give} in{n}++; in{n}--; }}"),
            1 => format!("atomic_store(&slots{n}, 1); {take} {{ in{n}++; in{n}--; {give} }}"),
            2 => format!("{give} {take} {{ in{n}++; in{n}--; }}"),
            // It wraps around.
            _ => format!("atomic_fetch_sub(&slots{n}, 1); {take} {{ in{n}++; in{n}--; {give} }}"),
        });
    }
    Protocol {
        globals: format!("static atomic_uint slots{n} = {first};\nstatic int in{n};\n"),
        uses,
        ..Protocol::default()
    }
}

/// Users of something, counted; the last one cleans up.
fn users(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let get = format!(
        "unsigned u = atomic_load(&users{n}); if (u != 0 && u < 4 && atomic_compare_exchange_strong(&users{n}, &u, u + 1))"
    );
    let put = format!("if (atomic_fetch_sub(&users{n}, 1) == 1) thing{n} = 0;");
    let mut uses = vec![format!("{get} {{ assert(thing{n} == 1); {put} }}")];
    if care == Care::Broken {
        uses.push(match random.below(3) {
            0 => format!("{get} {{ {put} assert(thing{n} == 1); }}"),
            1 => format!("atomic_fetch_add(&users{n}, 1); assert(thing{n} == 1); {put}"),
            _ => format!("{get} {{ {put} }} {put}"),
        });
    }
    // The first user is whoever comes first.
    let first = format!("if (!atomic_exchange(&left{n}, 1)) {{ {put} }}");
    if random.chance(60) {
        uses.insert(0, first);
    }
    Protocol {
        globals: format!("static atomic_uint users{n} = 1;\nstatic atomic_int left{n};\nstatic int thing{n} = 1;\n"),
        uses,
        ..Protocol::default()
    }
}

/// Requests under way, counted: who stops waits until there are none. In half of the programs the count wraps around.
fn pending(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let first = if care == Care::Broken && random.chance(30) { 255 } else { 0 };
    let (enter, leave) = (format!("atomic_fetch_add(&pending{n}, 1);"), format!("atomic_fetch_sub(&pending{n}, 1);"));
    let work = format!("if (!atomic_load(&stopped{n})) assert(open{n} == 1);");
    let stop = format!("if (!atomic_exchange(&stopped{n}, 1)) if (atomic_load(&pending{n}) == 0) open{n} = 0;");
    let mut uses = vec![format!("{enter} {work} {leave}"), stop.clone()];
    if care == Care::Broken {
        uses.push(match random.below(3) {
            0 => {
                format!("if (!atomic_load(&stopped{n})) {{ {enter} assert(open{n} == 1); {leave} }} else {{ {stop} }}")
            }
            1 => format!("{enter} {leave} {work} {stop}"),
            _ => format!("{leave} {stop} {enter}"),
        });
    }
    Protocol {
        globals: format!(
            "static _Atomic unsigned char pending{n} = {first};\nstatic atomic_int stopped{n};\nstatic int open{n} = 1;\n"
        ),
        uses,
        ..Protocol::default()
    }
}
