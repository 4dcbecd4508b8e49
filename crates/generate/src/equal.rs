//! Small programs of equal threads: one function that is started once, twice, three times or any number of times, whose
//! threads compare what they have read with what is there now. Compare-and-swap loops, ticket locks, counters that only
//! grow, maxima, locks of the library and by hand, a word that says whose turn it is, thread-local counters; some kept,
//! some broken in one place. Proofs about them mix what is shared with what a thread has for itself, and state spaces
//! are small enough for the plainest search: the programs are for looking for wrong proofs.

use std::fmt::Write;

use crate::random::Random;

/// A random program.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xe200_0000_0000_0000);
    let (mut text, afterwards) = threads(&mut random);
    main(&mut random, &mut text, &afterwards);
    text
}

/// The program of a seed with as many threads as are asked for, or any number of them, of which none is joined.
pub fn with_threads(seed: u64, threads: Option<u32>) -> String {
    let mut random = Random::new(seed ^ 0xe200_0000_0000_0000);
    let (mut text, _) = self::threads(&mut random);
    let again = match threads {
        Some(threads) => format!("for (int i = 0; i < {threads}; i++)"),
        None => "while (__VERIFIER_nondet_bool())".to_owned(),
    };
    let start = "{ pthread_t t; pthread_create(&t, 0, run, (void *)1); }";
    let _ = write!(text, "int main(void) {{\n    {again} {start}\n    pthread_exit(0);\n}}\n");
    text
}

/// The function of the threads, and what `main` may do when no other thread is left.
fn threads(random: &mut Random) -> (String, String) {
    let mut globals = String::new();
    let mut body = String::new();
    let mut afterwards = String::new();
    let parts = *random.pick(&[1, 1, 1, 1, 2]);
    for number in 0..parts {
        let maker = *random.pick(&PARTS);
        let part = maker(random, number);
        globals.push_str(&part.globals);
        let _ = match random.below(8) {
            0 => writeln!(body, "    for (int i = 0; i < 2; i++) {{ {} }}", part.work),
            1 => writeln!(body, "    if (__VERIFIER_nondet_bool()) {{ {} }}", part.work),
            _ => writeln!(body, "    {{ {} }}", part.work),
        };
        afterwards.push_str(&part.afterwards);
    }
    let mut text = String::from(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n\
        extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n",
    );
    let end = if random.chance(10) { "pthread_exit(0)" } else { "return 0" };
    let _ = write!(text, "{globals}static void *run(void *arg) {{\n{body}    {end};\n}}\n");
    (text, afterwards)
}

/// Starts the threads.
fn main(random: &mut Random, text: &mut String, afterwards: &str) {
    text.push_str("int main(void) {\n");
    let threads = random.between(1, 3);
    match random.below(10) {
        // Any number of them.
        0..=2 => {
            text.push_str(
                "    while (__VERIFIER_nondet_bool()) { pthread_t t; pthread_create(&t, 0, run, (void *)1); }\n",
            );
        }
        3..=5 => {
            let _ = writeln!(
                text,
                "    for (long i = 0; i < {threads}; i++) {{ pthread_t t; pthread_create(&t, 0, run, (void *)i); }}"
            );
        }
        6 => {
            let _ = writeln!(
                text,
                "    pthread_t t[{threads}];\n    for (long i = 0; i < {threads}; i++) pthread_create(&t[i], 0, run, (void *)i);"
            );
            let _ = writeln!(text, "    for (int i = 0; i < {threads}; i++) pthread_join(t[i], 0);\n    {afterwards}");
        }
        kind => {
            for thread in 0..threads {
                let _ =
                    writeln!(text, "    pthread_t t{thread}; pthread_create(&t{thread}, 0, run, (void *){thread});");
            }
            if kind > 7 {
                let left = u64::from(kind == 9 && random.chance(50));
                for thread in left..threads {
                    let _ = writeln!(text, "    pthread_join(t{thread}, 0);");
                }
                let _ = writeln!(text, "    {afterwards}");
            }
        }
    }
    if random.chance(10) {
        text.push_str("    run(0);\n");
    }
    text.push_str(if random.chance(20) { "    pthread_exit(0);\n}\n" } else { "    return 0;\n}\n" });
}

/// What threads do with something that they share.
#[derive(Debug, Default)]
struct Part {
    globals: String,
    work: String,
    /// What `main` may do when no other thread is left.
    afterwards: String,
}

type Maker = fn(&mut Random, u64) -> Part;

const PARTS: [Maker; 12] =
    [swapped, locked, ticket, maximum, compared, flagged, watched, owned, turned, local, sectioned, entered];

/// A comparison that often holds of what is now and what was before.
fn later(random: &mut Random) -> &'static str {
    const COMPARISONS: [&str; 6] = [">", ">=", ">=", "!=", "==", "<="];
    COMPARISONS[random.index(COMPARISONS.len())]
}

/// Counted up, or up and down, with compare-and-swap.
fn swapped(random: &mut Random, n: u64) -> Part {
    let word = *random.pick(&["unsigned char", "unsigned", "int"]);
    let most = random.between(1, 3);
    let guard = if random.chance(80) { format!("if (v < {most})") } else { String::new() };
    let check = match random.below(4) {
        0 => format!("assert(atomic_load(&value{n}) {} v);", later(random)),
        1 => format!("assert(atomic_load(&value{n}) <= {most});"),
        2 => format!("{word} w = atomic_load(&value{n}); if (w != v) assert(w {} v);", later(random)),
        _ => format!("if (atomic_load(&down{n}) == 0) assert(atomic_load(&value{n}) {} v);", later(random)),
    };
    let down = format!(
        "else {{ atomic_store(&down{n}, 1); {word} d = atomic_load(&value{n}); if (d > 0) \
        atomic_compare_exchange_strong(&value{n}, &d, d - 1); }}"
    );
    let swap = match random.below(6) {
        // Another one may have come between.
        0 => format!("atomic_store(&value{n}, v + 1);"),
        _ => format!("if (atomic_compare_exchange_strong(&value{n}, &v, v + 1)) {{ {check} }}"),
    };
    let up = format!("{{ {word} v = atomic_load(&value{n}); {guard} {{ {swap} }} }}");
    let work = if random.chance(30) { format!("if (__VERIFIER_nondet_bool()) {up} {down}") } else { up };
    Part {
        globals: format!("static _Atomic {word} value{n};\nstatic atomic_int down{n};\n"),
        work,
        afterwards: format!("assert(atomic_load(&value{n}) {} {most});", random.pick(&["<=", "!=", "=="])),
    }
}

/// Taking and giving back a lock, with what it declares.
fn lock(random: &mut Random, n: u64) -> (String, String, String) {
    match random.below(4) {
        0 => (
            format!("static pthread_mutex_t lock{n} = PTHREAD_MUTEX_INITIALIZER;\n"),
            format!("pthread_mutex_lock(&lock{n});"),
            format!("pthread_mutex_unlock(&lock{n});"),
        ),
        1 => (
            format!("static atomic_int lock{n};\n"),
            format!("while (atomic_exchange(&lock{n}, 1)) {{ }}"),
            format!("atomic_store(&lock{n}, 0);"),
        ),
        2 => (
            format!("static atomic_flag lock{n} = ATOMIC_FLAG_INIT;\n"),
            format!("while (atomic_flag_test_and_set(&lock{n})) {{ }}"),
            format!("atomic_flag_clear(&lock{n});"),
        ),
        _ => (
            format!("static atomic_int lock{n};\n"),
            format!("for (int e = 0; !atomic_compare_exchange_strong(&lock{n}, &e, 1); e = 0) {{ }}"),
            format!("atomic_store(&lock{n}, 0);"),
        ),
    }
}

/// Counted up in two steps under a lock; what was written is looked at under the lock or after it.
fn locked(random: &mut Random, n: u64) -> Part {
    let (declared, take, give) = lock(random, n);
    let atomic = if random.chance(50) { "_Atomic " } else { "" };
    let check = format!("assert(value{n} {} v);", later(random));
    let step = format!("unsigned v = value{n}; value{n} = v + 1;");
    let work = match random.below(5) {
        0 => format!("{take} {step} {give} {check}"),
        1 => format!("{take} {step} {check} {give}"),
        2 => format!("{take} {step} assert(value{n} == v + 1); {give}"),
        // It is given back too early, or not taken.
        3 => format!("{take} unsigned v = value{n}; {give} value{n} = v + 1; {check}"),
        _ => format!("if (__VERIFIER_nondet_bool()) {{ {take} {step} {give} }} else {{ {step} }}"),
    };
    Part { globals: format!("{declared}static {atomic}unsigned value{n};\n"), work, ..Part::default() }
}

/// A ticket lock.
fn ticket(random: &mut Random, n: u64) -> Part {
    let word = *random.pick(&["unsigned char", "unsigned"]);
    let draw = match random.below(6) {
        0 => format!("{word} mine = atomic_load(&next{n}); atomic_store(&next{n}, mine + 1);"),
        _ => format!("{word} mine = atomic_fetch_add(&next{n}, 1);"),
    };
    let wait = match random.below(6) {
        0 => format!("if (atomic_load(&serving{n}) == mine)"),
        1 => format!("while (atomic_load(&serving{n}) < mine) {{ }}"),
        _ => format!("while (atomic_load(&serving{n}) != mine) {{ }}"),
    };
    let inside = match random.below(3) {
        0 => format!("in{n}++; assert(in{n} == 1); in{n}--;"),
        1 => format!("assert(atomic_load(&serving{n}) == mine);"),
        _ => format!("in{n} = 1; assert(mine < atomic_load(&next{n})); in{n} = 0;"),
    };
    let first = if random.chance(10) { 1 } else { 0 };
    Part {
        globals: format!("static _Atomic {word} next{n} = {first}, serving{n} = {first};\nstatic int in{n};\n"),
        work: format!("{draw} {wait} {{ {inside} atomic_fetch_add(&serving{n}, 1); }}"),
        ..Part::default()
    }
}

/// The greatest of what threads have.
fn maximum(random: &mut Random, n: u64) -> Part {
    let own = *random.pick(&[
        "__VERIFIER_nondet_bool()",
        "__VERIFIER_nondet_bool() + __VERIFIER_nondet_bool()",
        "(int)(long)arg",
    ]);
    let (declared, take, give) = lock(random, n);
    let check = format!("assert(most{n} {} own);", random.pick(&[">=", ">=", ">=", ">", "=="]));
    let (kept, work) = match random.below(4) {
        0 => ("int", format!("int own = {own}; {take} if (most{n} < own) most{n} = own; {give} {take} {check} {give}")),
        1 => ("int", format!("int own = {own}; {take} if (most{n} < own) most{n} = own; {check} {give}")),
        2 => (
            "atomic_int",
            format!(
                "int own = {own}, seen = atomic_load(&most{n}); while (seen < own && \
                !atomic_compare_exchange_strong(&most{n}, &seen, own)) {{ }} {check}"
            ),
        ),
        // Another one may have come between.
        _ => ("atomic_int", format!("int own = {own}; if (most{n} < own) most{n} = own; {check}")),
    };
    Part { globals: format!("{declared}static {kept} most{n};\n"), work, ..Part::default() }
}

/// What is shared against a constant of the thread's own: the first example of paper 004.
fn compared(random: &mut Random, n: u64) -> Part {
    let own = random.below(4);
    let step = match random.below(4) {
        0 => format!("shared{n} = shared{n} + 1;"),
        1 => format!("atomic_fetch_add(&shared{n}, 1);"),
        2 => format!("if (shared{n} < own) shared{n} = own;"),
        _ => format!("atomic_fetch_sub(&shared{n}, 1);"),
    };
    Part {
        globals: format!("static _Atomic signed char shared{n};\n"),
        work: format!("int own = {own}; assert(shared{n} {} own); {step}", random.pick(&["!=", "<=", "<"])),
        ..Part::default()
    }
}

/// What is shared equals what a thread has, until a flag is seen: the second example of paper 004.
fn flagged(random: &mut Random, n: u64) -> Part {
    let start = if random.chance(50) { 0 } else { 1 };
    let own = *random.pick(&["0", "shared", "!shared"]);
    let own = own.replace("shared", &format!("shared{n}"));
    let next = random.pick(&["shared + 1", "shared", "!shared"]).replace("shared", &format!("shared{n}"));
    Part {
        globals: format!("static _Atomic _Bool shared{n} = {start};\nstatic _Atomic _Bool seen{n};\n"),
        work: format!(
            "int own = {own}; if (__VERIFIER_nondet_bool()) {{ if (seen{n}) assert(shared{n} {} own); }} own = {next}; seen{n} = 1;",
            random.pick(&["!=", "=="])
        ),
        ..Part::default()
    }
}

/// A counter that only grows, read twice.
fn watched(random: &mut Random, n: u64) -> Part {
    let most = random.between(1, 3);
    let grow = match random.below(4) {
        0 => format!("if (__VERIFIER_nondet_bool()) count{n} = {};", random.below(2)),
        1 => format!("atomic_fetch_add(&count{n}, 1);"),
        _ => {
            format!("unsigned char c = count{n}; if (c < {most}) atomic_compare_exchange_strong(&count{n}, &c, c + 1);")
        }
    };
    Part {
        globals: format!("static _Atomic unsigned char count{n};\n"),
        work: format!("{{ {grow} }} int before = count{n}, after = count{n}; assert(after {} before);", later(random)),
        afterwards: format!("assert(count{n} <= {most});"),
    }
}

/// A word that says which thread holds something, by its handle.
fn owned(random: &mut Random, n: u64) -> Part {
    let take = match random.below(4) {
        0 => format!("if (owner{n} == none) {{ owner{n} = pthread_self();"),
        _ => format!("if (atomic_compare_exchange_strong(&owner{n}, &none, pthread_self())) {{"),
    };
    let give = match random.below(4) {
        0 => format!("atomic_store(&owner{n}, (pthread_t)0); assert(owner{n} != pthread_self());"),
        _ => format!("assert(owner{n} == pthread_self()); atomic_store(&owner{n}, (pthread_t)0);"),
    };
    Part {
        globals: format!("static _Atomic pthread_t owner{n};\nstatic int held{n};\n"),
        work: format!("pthread_t none = 0; {take} held{n}++; held{n}--; {give} }}"),
        ..Part::default()
    }
}

/// A word that says whose turn it is, given on by whoever has it.
fn turned(random: &mut Random, n: u64) -> Part {
    let give = match random.below(4) {
        0 => format!("turn{n} = 0;"),
        1 => format!("turn{n} = turn{n} + 1;"),
        _ => format!("turn{n} = mine + 1;"),
    };
    Part {
        globals: format!("static _Atomic unsigned char turn{n};\nstatic int data{n};\n"),
        work: format!(
            "unsigned char mine = (unsigned char)(long)arg; if (turn{n} == mine) {{ data{n}++; assert(turn{n} == mine); {give} }}"
        ),
        ..Part::default()
    }
}

/// Something that every thread has one of.
fn local(random: &mut Random, n: u64) -> Part {
    let storage = if random.chance(75) { "_Thread_local " } else { "" };
    let step = *random.pick(&["mine = mine + 1;", "mine = total;", "mine++; total = mine;"]);
    let check =
        *random.pick(&["assert(mine <= total);", "assert(mine == 1);", "assert(mine <= 1);", "assert(mine <= 2);"]);
    let name = |text: &str| text.replace("mine", &format!("mine{n}")).replace("total", &format!("total{n}"));
    Part {
        globals: format!("static {storage}int mine{n};\nstatic atomic_int total{n};\n"),
        work: format!("total{n}++; {} {}", name(step), name(check)),
        ..Part::default()
    }
}

/// Steps that happen as one.
fn sectioned(random: &mut Random, n: u64) -> Part {
    let (begin, end) = ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();");
    let step = format!("one{n} = !one{n}; two{n} = one{n};");
    let work = match random.below(5) {
        0 => format!("{begin} {step} {end} {begin} assert(one{n} == two{n}); {end}"),
        1 => format!(
            "{begin} int o = one{n}; if (o) {{ one{n} = 0; two{n} = 0; }} else {{ {step} }} {end} {begin} assert(one{n} == two{n}); {end}"
        ),
        2 => format!("int was = one{n}; {begin} if (one{n} == was) {{ {step} assert(one{n} != was); }} {end}"),
        3 => format!("{begin} one{n} = !one{n}; {end} {begin} two{n} = one{n}; assert(one{n} == two{n}); {end}"),
        _ => format!("{begin} {step} {end} assert(one{n} == two{n});"),
    };
    Part { globals: format!("static _Atomic int one{n}, two{n};\n"), work, ..Part::default() }
}

/// Threads that are inside, counted; some go by the count.
fn entered(random: &mut Random, n: u64) -> Part {
    let enter = match random.below(4) {
        0 => format!("unsigned char k = inside{n}; inside{n} = k + 1;"),
        _ => format!("unsigned char k = atomic_fetch_add(&inside{n}, 1);"),
    };
    let act = match random.below(3) {
        0 => format!("if (k == 0) {{ data{n}++; data{n}--; }}"),
        1 => format!("assert(inside{n} > 0);"),
        _ => format!("assert(inside{n} {} k);", later(random)),
    };
    let leave = if random.chance(60) { format!("atomic_fetch_sub(&inside{n}, 1);") } else { String::new() };
    Part {
        globals: format!("static _Atomic unsigned char inside{n};\nstatic int data{n};\n"),
        work: format!("{enter} {act} {leave}"),
        afterwards: format!("assert(inside{n} <= 3);"),
    }
}
