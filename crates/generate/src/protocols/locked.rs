//! Data under a lock: the library's locks, and those that programs make of a word.

use super::{Care, Maker, Protocol};
use crate::random::Random;

pub(super) const MAKERS: [Maker; 11] =
    [counter, counter, counter, pair, pair, array, try_lock, readers, once, thread_local, local_of_main];

/// A lock: what declares it, what prepares it, how it is taken and given back, and how it is taken wrongly.
struct Lock {
    globals: String,
    setup: String,
    take: String,
    give: String,
}

/// Some lock.
fn lock(random: &mut Random, n: &str) -> Lock {
    let plain = |globals: String, take: String, give: String| Lock { globals, setup: String::new(), take, give };
    match random.below(11) {
        0..=2 => plain(
            format!("static pthread_mutex_t m{n} = PTHREAD_MUTEX_INITIALIZER;\n"),
            format!("pthread_mutex_lock(&m{n});"),
            format!("pthread_mutex_unlock(&m{n});"),
        ),
        3 => plain(
            format!("static atomic_int m{n};\n"),
            format!("for (;;) {{ int seen = 0; if (atomic_compare_exchange_strong(&m{n}, &seen, 1)) break; }}"),
            format!("atomic_store(&m{n}, 0);"),
        ),
        4 => plain(
            format!("static atomic_int m{n};\n"),
            format!("while (atomic_exchange(&m{n}, 1)) sched_yield();"),
            format!("atomic_store(&m{n}, 0);"),
        ),
        5 => plain(
            format!("static int m{n};\n"),
            format!("while (!__sync_bool_compare_and_swap(&m{n}, 0, 1)) ;"),
            format!("__sync_lock_release(&m{n});"),
        ),
        6 => plain(
            format!("static atomic_flag m{n} = ATOMIC_FLAG_INIT;\n"),
            format!("while (atomic_flag_test_and_set(&m{n})) ;"),
            format!("atomic_flag_clear(&m{n});"),
        ),
        7 => plain(
            format!("static atomic_uint next{n}, now{n};\n"),
            format!("unsigned ticket = atomic_fetch_add(&next{n}, 1); while (atomic_load(&now{n}) != ticket) ;"),
            format!("atomic_fetch_add(&now{n}, 1);"),
        ),
        8 => Lock {
            globals: format!("static sem_t m{n};\n"),
            setup: format!("sem_init(&m{n}, 0, 1);"),
            take: format!("sem_wait(&m{n});"),
            give: format!("sem_post(&m{n});"),
        },
        9 => Lock {
            globals: format!("static pthread_spinlock_t m{n};\n"),
            setup: format!("pthread_spin_init(&m{n}, 0);"),
            take: format!("pthread_spin_lock(&m{n});"),
            give: format!("pthread_spin_unlock(&m{n});"),
        },
        _ => plain(
            format!("static pthread_rwlock_t m{n} = PTHREAD_RWLOCK_INITIALIZER;\n"),
            format!("pthread_rwlock_wrlock(&m{n});"),
            format!("pthread_rwlock_unlock(&m{n});"),
        ),
    }
}

/// What is done under a lock, kept or broken.
fn under(random: &mut Random, lock: &Lock, other: &Lock, first: &str, then: &str, care: Care) -> Vec<String> {
    let Lock { take, give, .. } = lock;
    let mut uses = vec![format!("{take} {first} {then} {give}")];
    if care == Care::Broken {
        uses.push(match random.below(4) {
            0 => format!("{first} {then}"),
            1 => format!("{take} {first} {give} {then}"),
            2 => format!("{} {first} {then} {}", other.take, other.give),
            _ => format!(
                "_Bool held = __VERIFIER_nondet_bool(); if (held) {{ {take} }} {first} {then} if (held) {{ {give} }}"
            ),
        });
    }
    uses
}

/// Two locks, the second for mistakes.
fn two(random: &mut Random, n: u64) -> (Lock, Lock) {
    (lock(random, &n.to_string()), lock(random, &format!("{n}b")))
}

fn counter(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let (lock, other) = two(random, n);
    let ty = *random.pick(&["int", "signed char", "unsigned short", "long"]);
    let then = match random.below(4) {
        0 => format!("assert(x{n} >= 0);"),
        1 => format!("if (x{n} > 1) x{n} = 0;"),
        2 => format!("int now = x{n}; assert(now == x{n});"),
        _ => format!("x{n} ^= 1; x{n} ^= 1;"),
    };
    let first = match random.below(3) {
        0 => format!("if (x{n} < 2) x{n}++;"),
        1 => format!("x{n} = 1;"),
        _ => format!("x{n} = !x{n};"),
    };
    Protocol {
        globals: format!("{}{}static {ty} x{n};\n", lock.globals, other.globals),
        setup: format!("{} {}", lock.setup, other.setup),
        uses: under(random, &lock, &other, &first, &then, care),
        afterwards: format!("assert(x{n} <= 2);"),
        ..Protocol::default()
    }
}

/// Two variables that agree whenever the lock is free.
fn pair(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let (lock, other) = two(random, n);
    let (globals, a, b) = match random.below(5) {
        0 => (format!("static int a{n}, b{n};\n"), format!("a{n}"), format!("b{n}")),
        1 => (format!("static struct {{ int a, b; }} s{n};\n"), format!("s{n}.a"), format!("s{n}.b")),
        2 => (format!("static struct {{ unsigned a : 3, b : 3; }} s{n};\n"), format!("s{n}.a"), format!("s{n}.b")),
        3 => (format!("static int p{n}[2];\n"), format!("p{n}[0]"), format!("p{n}[1]")),
        _ => (
            format!("static int a{n}, b{n}; static int *const pa{n} = &a{n}, *pb{n} = &b{n};\n"),
            format!("*pa{n}"),
            format!("*pb{n}"),
        ),
    };
    let (first, then) = match random.below(3) {
        0 => (format!("{a} = 1;"), format!("{b} = 1;")),
        1 => (format!("{a} = !{a};"), format!("{b} = !{b};")),
        _ => (format!("{a} = {b} = 2;"), format!("{b} = {a} = 1;")),
    };
    let mut uses = under(random, &lock, &other, &first, &then, care);
    let (take, give) = (&lock.take, &lock.give);
    uses.push(format!("{take} assert({a} == {b}); {give}"));
    if globals.contains("} s") && random.chance(40) {
        uses.push(format!("{take} __typeof__(s{n}) copy = s{n}; {give} assert(copy.a == copy.b);"));
    }
    Protocol {
        globals: format!("{}{}{globals}", lock.globals, other.globals),
        setup: format!("{} {}", lock.setup, other.setup),
        uses,
        afterwards: format!("assert({a} == {b});"),
        ..Protocol::default()
    }
}

fn array(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let (lock, other) = two(random, n);
    let bound = if care == Care::Broken && random.chance(40) { 3 } else { 2 };
    let kept = if bound == 3 { Care::Kept } else { care };
    let index = match random.below(3) {
        0 => format!("int at = __VERIFIER_nondet_bool() ? {} : 0;", bound - 1),
        1 => format!("int at = k{n}; k{n} = (k{n} + 1) % {bound};"),
        _ => format!("unsigned char at = k{n} < {bound} ? k{n} : 0;"),
    };
    let mut uses =
        under(random, &lock, &other, &format!("{index} e{n}[at] = 1;"), &format!("assert(e{n}[at] == 1);"), kept);
    let (take, give) = (&lock.take, &lock.give);
    uses.push(format!("{take} {index} k{n} = at; {give}"));
    Protocol {
        globals: format!("{}{}static int e{n}[2]; static int k{n};\n", lock.globals, other.globals),
        setup: format!("{} {}", lock.setup, other.setup),
        uses,
        ..Protocol::default()
    }
}

fn try_lock(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let test = if care == Care::Broken && random.chance(50) { "!= 16 || 1" } else { "== 0" };
    let update = if care == Care::Broken && test == "== 0" { format!("z{n}++;") } else { String::new() };
    let (globals, taken, give, take) = match random.below(3) {
        0 => (
            format!("static pthread_mutex_t y{n} = PTHREAD_MUTEX_INITIALIZER;\n"),
            format!("pthread_mutex_trylock(&y{n}) {test}"),
            format!("pthread_mutex_unlock(&y{n});"),
            format!("pthread_mutex_lock(&y{n});"),
        ),
        1 => (
            format!("static atomic_int y{n};\n"),
            format!("atomic_exchange(&y{n}, 1) {test}"),
            format!("atomic_store(&y{n}, 0);"),
            format!("while (atomic_exchange(&y{n}, 1)) ;"),
        ),
        _ => (
            format!("static pthread_rwlock_t y{n} = PTHREAD_RWLOCK_INITIALIZER;\n"),
            format!("pthread_rwlock_trywrlock(&y{n}) {test}"),
            format!("pthread_rwlock_unlock(&y{n});"),
            format!("pthread_rwlock_rdlock(&y{n}); pthread_rwlock_unlock(&y{n}); pthread_rwlock_wrlock(&y{n});"),
        ),
    };
    Protocol {
        globals: format!("{globals}static int z{n};\n"),
        uses: vec![
            format!("if ({taken}) {{ z{n} = 1; assert(z{n} == 1); z{n} = 0; {give} }} {update}"),
            format!("{take} z{n} = 0; {give}"),
        ],
        ..Protocol::default()
    }
}

fn readers(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let write = if care == Care::Broken { "rdlock" } else { "wrlock" };
    let mut uses = vec![
        format!("pthread_rwlock_rdlock(&w{n}); assert(v{n} == u{n}); pthread_rwlock_unlock(&w{n});"),
        format!("pthread_rwlock_{write}(&w{n}); v{n} = !v{n}; u{n} = !u{n}; pthread_rwlock_unlock(&w{n});"),
    ];
    if random.chance(30) {
        uses.push(format!("pthread_rwlock_wrlock(&w{n}); v{n} = u{n} = 1; pthread_rwlock_unlock(&w{n});"));
    }
    Protocol {
        globals: format!("static pthread_rwlock_t w{n} = PTHREAD_RWLOCK_INITIALIZER;\nstatic int v{n}, u{n};\n"),
        uses,
        afterwards: format!("assert(v{n} == u{n});"),
        ..Protocol::default()
    }
}

fn once(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let late = care == Care::Broken;
    if random.chance(50) {
        let (before, after) = if late { (format!("if (o{n}) "), "") } else { (String::new(), "") };
        return Protocol {
            globals: format!(
                "static pthread_once_t f{n} = PTHREAD_ONCE_INIT;\nstatic int o{n};\nstatic void first{n}(void) {{ o{n} = 1; }}\n"
            ),
            uses: vec![
                format!("{before}pthread_once(&f{n}, first{n});{after} assert(o{n} == 1);"),
                format!("pthread_once(&f{n}, first{n});"),
            ],
            ..Protocol::default()
        };
    }
    let check = if late { format!("o{n} == 0") } else { format!("atomic_load(&f{n}) == 0") };
    Protocol {
        globals: format!(
            "static pthread_mutex_t g{n} = PTHREAD_MUTEX_INITIALIZER;\nstatic atomic_int f{n};\nstatic int o{n};\n"
        ),
        uses: vec![format!(
            "if ({check}) {{ pthread_mutex_lock(&g{n}); if (!atomic_load(&f{n})) {{ o{n} = 5; atomic_store(&f{n}, 1); }} pthread_mutex_unlock(&g{n}); }} assert(o{n} == 5);"
        )],
        ..Protocol::default()
    }
}

fn thread_local(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let shared = random.chance(30) || care == Care::Broken;
    let mut uses = vec![
        format!("c{n} = 1; assert(c{n} == 1);"),
        format!("int old = c{n}; c{n}++; assert(c{n} == old + 1);"),
        format!("int mine = 3; int *p = &mine; *p = c{n}; assert(mine == c{n});"),
    ];
    let mut globals = format!("static _Thread_local int c{n};\n");
    if shared {
        globals.push_str(&format!("static _Atomic(int *) q{n};\n"));
        uses.push(if care == Care::Broken {
            format!("int *p = atomic_load(&q{n}); if (p) *p = 2; atomic_store(&q{n}, &c{n}); c{n} = 1;")
        } else {
            format!("int *p = &c{n}; *p = 2; assert(c{n} == 2);")
        });
    }
    Protocol { globals, uses, ..Protocol::default() }
}

/// A local of `main`, with its lock beside it.
fn local_of_main(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let take = format!("pthread_mutex_lock(&l{n}->lock);");
    let give = format!("pthread_mutex_unlock(&l{n}->lock);");
    let mut uses = vec![
        format!("{take} l{n}->value = 1; assert(l{n}->value); {give}"),
        format!("{take} assert(l{n}->value >= 0); {give}"),
    ];
    let mut setup = format!(
        "struct frame{n} frame{n}; pthread_mutex_init(&frame{n}.lock, 0); frame{n}.value = 0; l{n} = &frame{n};"
    );
    if care == Care::Broken {
        match random.below(3) {
            0 => uses.push(format!("l{n}->value = 0;")),
            1 => uses.push(format!("{take} {give} assert(l{n}->value == 0);")),
            _ => setup = format!("{setup} {{ int inner = 0; in{n} = &inner; }}"),
        }
        if setup.contains("inner") {
            uses.push(format!("{take} *in{n} = 1; {give}"));
        }
    }
    Protocol {
        globals: format!(
            "struct frame{n} {{ pthread_mutex_t lock; int value; }};\nstatic struct frame{n} *l{n};\nstatic int *in{n};\n"
        ),
        setup,
        uses,
        ..Protocol::default()
    }
}
