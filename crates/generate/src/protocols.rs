//! Small programs in which several threads of few functions share things by a protocol: locks of the library and of
//! their own making, ownership that is handed over, objects on the heap with their lock inside, conditions, joins.
//!
//! A program is made of a few protocols ([`locked`], [`handed`], [`heap`], [`counted`]), whose uses are spread over one or two
//! functions that are started once or several times. In many programs one of the protocols may be broken: a lock is
//! forgotten, another is taken, something is used after it was given away or freed. State spaces are small enough for
//! the plainest search, and much of what keeps its protocols can be proved thread by thread: the programs are for
//! looking for wrong proofs.

mod counted;
mod handed;
mod heap;
mod locked;

use std::fmt::Write;

use crate::random::Random;

/// Whether a protocol is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Care {
    #[default]
    Kept,
    /// By some of its uses it is not.
    Broken,
}

/// A protocol in a program.
#[derive(Clone, Debug, Default)]
struct Protocol {
    care: Care,
    /// What it declares, functions included.
    globals: String,
    /// What `main` does before it starts threads.
    setup: String,
    /// What threads may do, any number of times.
    uses: Vec<String>,
    /// What every thread does once, `main` included, at its end.
    everyone: String,
    /// What `main` may do when no other thread is left.
    afterwards: String,
}

/// Makes a protocol with names that end in a number, for so many threads.
type Maker = fn(&mut Random, u64, u64, Care) -> Protocol;

/// All of them.
const MAKERS: [&[Maker]; 4] = [&locked::MAKERS, &handed::MAKERS, &heap::MAKERS, &counted::MAKERS];

/// How `main` gets rid of its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// It joins all.
    Joined,
    /// It joins all but the last.
    AllButOne,
    /// It leaves them alone.
    Left,
    /// It detaches them.
    Detached,
    /// It ends before them.
    Outlived,
}

/// A random program.
pub fn program(seed: u64) -> String {
    program_of(seed ^ 0xe000_0000_0000_0000, &MAKERS.concat())
}

/// A random program whose protocols count holders.
pub fn counting(seed: u64) -> String {
    program_of(seed ^ 0xe100_0000_0000_0000, &counted::MAKERS)
}

fn program_of(seed: u64, makers: &[Maker]) -> String {
    let mut random = Random::new(seed);
    let random = &mut random;
    let starts = starts(random);
    let threads: u64 = starts.iter().sum();
    let count = *random.pick(&[1, 1, 1, 1, 1, 2, 2, 3]);
    let broken = if random.chance(60) { random.below(count) } else { count };
    let mut protocols = Vec::new();
    for number in 0..count {
        let care = if number == broken { Care::Broken } else { Care::Kept };
        let maker = *random.pick(makers);
        protocols.push(Protocol { care, ..maker(random, number, threads + 1, care) });
    }
    let mut text = String::from(
        "#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\
        extern _Bool __VERIFIER_nondet_bool(void);\n",
    );
    for protocol in &protocols {
        text.push_str(&protocol.globals);
    }
    let ending = *random.pick(&[
        Ending::Joined,
        Ending::AllButOne,
        Ending::Detached,
        Ending::Left,
        Ending::Left,
        Ending::Left,
        Ending::Left,
        Ending::Left,
        Ending::Left,
        Ending::Outlived,
        Ending::Outlived,
    ]);
    for function in 0..starts.len() {
        body(random, &mut text, function, &protocols);
    }
    main(random, &mut text, &starts, ending, &protocols);
    text
}

/// How often each function is started: at least a third start one several times.
fn starts(random: &mut Random) -> Vec<u64> {
    match random.below(8) {
        0 => vec![1],
        1..=3 => vec![2],
        4 => vec![3],
        5 | 6 => vec![1, 1],
        _ => vec![2, 1],
    }
}

/// A function that threads run.
fn body(random: &mut Random, text: &mut String, function: usize, protocols: &[Protocol]) {
    let mut inner = String::new();
    for _ in 0..random.between(1, if protocols.len() > 1 { 2 } else { 1 }) {
        let used = some_use(random, protocols);
        match random.below(10) {
            0 => {
                let _ = writeln!(inner, "    for (int i = 0; i < 2; i++) {{ {used} }}");
            }
            1 => {
                let _ = writeln!(inner, "    if (__VERIFIER_nondet_bool()) {{ {used} }}");
            }
            2 => {
                let _ = writeln!(text, "static void part{function}_{0}(void) {{ {used} }}", inner.len());
                let _ = writeln!(inner, "    part{function}_{}();", inner.len());
            }
            3 => {
                let _ = writeln!(
                    text,
                    "static void called{function}_{0}(void) {{ {used} }}\nstatic void (*const call{function}_{0})(void) = called{function}_{0};",
                    inner.len()
                );
                let _ = writeln!(inner, "    call{function}_{}();", inner.len());
            }
            _ => {
                let _ = writeln!(inner, "    {{ {used} }}");
            }
        }
    }
    for protocol in protocols.iter().filter(|protocol| !protocol.everyone.is_empty()) {
        let _ = writeln!(inner, "    {{ {} }}", protocol.everyone);
    }
    let end = if random.chance(12) { "pthread_exit((void *)1)" } else { "return 0" };
    let _ = writeln!(text, "static void *run{function}(void *arg) {{\n    (void)arg;\n{inner}    {end};\n}}");
}

fn some_use(random: &mut Random, protocols: &[Protocol]) -> String {
    let protocol = random.pick(protocols);
    // The last of a broken protocol is the one that breaks it.
    let breaks = protocol.uses.last().filter(|_| protocol.care == Care::Broken && random.chance(50));
    breaks.unwrap_or_else(|| random.pick(&protocol.uses)).clone()
}

fn main(random: &mut Random, text: &mut String, starts: &[u64], ending: Ending, protocols: &[Protocol]) {
    text.push_str("int main(void) {\n");
    for protocol in protocols.iter().filter(|protocol| !protocol.setup.is_empty()) {
        let _ = writeln!(text, "    {}", protocol.setup);
    }
    let total: u64 = starts.iter().sum();
    let in_array = random.chance(12);
    let _ = writeln!(text, "    pthread_t {};", if in_array { format!("t[{total}]") } else { numbered(total) });
    let mut next = 0;
    for (function, &count) in starts.iter().enumerate() {
        let handle = |thread: u64| if in_array { format!("t[{thread}]") } else { format!("t{thread}") };
        if count > 1 && in_array && next == 0 {
            let _ = writeln!(text, "    for (int i = 0; i < {count}; i++) pthread_create(&t[i], 0, run{function}, 0);");
        } else if count > 1 && ending == Ending::Left && random.chance(50) {
            let _ = writeln!(
                text,
                "    for (int i = 0; i < {count}; i++) {{ pthread_t h; pthread_create(&h, 0, run{function}, 0); }}"
            );
        } else {
            for thread in next..next + count {
                let _ = writeln!(text, "    pthread_create(&{}, 0, run{function}, 0);", handle(thread));
            }
        }
        next += count;
    }
    if random.chance(20) {
        let used = some_use(random, protocols);
        let _ = writeln!(text, "    {{ {used} }}");
    }
    for protocol in protocols.iter().filter(|protocol| !protocol.everyone.is_empty()) {
        let _ = writeln!(text, "    {{ {} }}", protocol.everyone);
    }
    let handles: Vec<String> =
        (0..total).map(|thread| if in_array { format!("t[{thread}]") } else { format!("t{thread}") }).collect();
    match ending {
        Ending::Joined | Ending::AllButOne => {
            let joined = &handles[usize::from(ending == Ending::AllButOne)..];
            if in_array && ending == Ending::Joined {
                let _ = writeln!(text, "    for (int i = 0; i < {total}; i++) pthread_join(t[i], 0);");
            } else {
                for handle in joined {
                    let _ = writeln!(text, "    pthread_join({handle}, 0);");
                }
            }
            // With one that was not waited for, what comes afterwards is a mistake.
            if ending == Ending::Joined || random.chance(30) {
                for protocol in protocols.iter().filter(|protocol| !protocol.afterwards.is_empty()) {
                    let _ = writeln!(text, "    {}", protocol.afterwards);
                }
            }
        }
        Ending::Detached => {
            for handle in &handles {
                let _ = writeln!(text, "    pthread_detach({handle});");
            }
        }
        Ending::Left | Ending::Outlived => {}
    }
    text.push_str(if ending == Ending::Outlived { "    pthread_exit(0);\n}\n" } else { "    return 0;\n}\n" });
}

/// `t0, t1`.
fn numbered(count: u64) -> String {
    (0..count).map(|number| format!("t{number}")).collect::<Vec<_>>().join(", ")
}
