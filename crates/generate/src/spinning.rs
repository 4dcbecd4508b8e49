//! Small programs of threads that poll: flags that others set, clear or forget, locks of their own making and of the
//! library that are tried for again and again, some of them never given back. Many can livelock, some deadlock, and state
//! spaces are small.

use std::fmt::Write;

use crate::random::Random;

const FLAGS: [&str; 3] = ["a", "b", "c"];

/// A random program.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x5b11_0000_0000_0000);
    let mut text = String::from(
        "#include <pthread.h>\n#include <stdatomic.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n\
        atomic_int a, b, c;\natomic_flag f = ATOMIC_FLAG_INIT;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        static void await(atomic_int *flag) { while (!atomic_load(flag)) { } }\n",
    );
    let functions = random.between(1, 2);
    for number in 0..functions {
        let body = statements(&mut random);
        let _ = write!(text, "static void *run{number}(void *arg) {{\n{body}    return 0;\n}}\n");
    }
    text.push_str("int main(void) {\n    pthread_t t[2];\n");
    let threads = random.between(1, 2);
    for thread in 0..threads {
        let _ = writeln!(text, "    pthread_create(&t[{thread}], 0, run{}, 0);", random.below(functions));
    }
    text.push_str(&statements(&mut random));
    for thread in (0..threads).filter(|_| random.chance(70)) {
        let _ = writeln!(text, "    pthread_join(t[{thread}], 0);");
    }
    text.push_str(if random.chance(30) { "    pthread_exit(0);\n}\n" } else { "    return 0;\n}\n" });
    text
}

fn statements(random: &mut Random) -> String {
    let count = random.between(1, 3);
    (0..count).map(|_| format!("    {}\n", statement(random))).collect()
}

fn statement(random: &mut Random) -> String {
    let flag = *random.pick(&FLAGS);
    match random.below(14) {
        0..=2 => format!("atomic_store(&{flag}, 1);"),
        3 => format!("atomic_store(&{flag}, 0);"),
        4..=5 => format!("while (!atomic_load(&{flag})) {{ }}"),
        6 => format!("while (atomic_load(&{flag})) {{ }}"),
        7 => format!("await(&{flag});"),
        8 => "while (atomic_flag_test_and_set(&f)) { }".to_owned(),
        9 => "atomic_flag_clear(&f);".to_owned(),
        10 => "while (pthread_mutex_trylock(&m) != 0) { }".to_owned(),
        11 => "if (pthread_mutex_trylock(&m) == 0 && __VERIFIER_nondet_bool()) pthread_mutex_unlock(&m);".to_owned(),
        12 => format!("while (!atomic_load(&{flag}) && __VERIFIER_nondet_bool()) {{ }}"),
        _ => match random.below(4) {
            0 => "for (;;) { }".to_owned(),
            1 => format!("for (;;) atomic_fetch_xor(&{flag}, 1);"),
            2 => "pthread_mutex_lock(&m);".to_owned(),
            _ => format!("for (int i = 0; i < 3; i++) atomic_store(&{flag}, i & 1);"),
        },
    }
}
