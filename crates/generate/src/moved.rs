//! Small random programs about locks that are moved with the memory they lie in: by assignment of a struct, by `memcpy`
//! through pointers that show nothing, by zeros over them; held or free, with another lock or plain data beside them.

use crate::part::{self, Snippet};
use crate::random::Random;

/// A random program.
pub fn program(seed: u64) -> String {
    part::program(&mut Random::new(seed ^ 0xa900_0000_0000_0000), part)
}

/// A kind of lock: its type, how to set it up, to take it, to try it, and to release it.
struct Kind {
    ty: &'static str,
    setup: &'static str,
    take: &'static str,
    attempt: &'static str,
    release: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind {
        ty: "pthread_mutex_t",
        setup: "",
        take: "pthread_mutex_lock(&LOCK);",
        attempt: "pthread_mutex_trylock(&LOCK)",
        release: "pthread_mutex_unlock(&LOCK);",
    },
    Kind {
        ty: "sem_t",
        setup: "sem_init(&LOCK, 0, 1);",
        take: "sem_wait(&LOCK);",
        attempt: "sem_trywait(&LOCK)",
        release: "sem_post(&LOCK);",
    },
    Kind {
        ty: "pthread_spinlock_t",
        setup: "",
        take: "pthread_spin_lock(&LOCK);",
        attempt: "pthread_spin_trylock(&LOCK)",
        release: "pthread_spin_unlock(&LOCK);",
    },
];

pub(crate) fn part(random: &mut Random) -> Snippet {
    let mut part = Snippet::default();
    let kind = random.pick(&KINDS);
    let of = |text: &str, lock: &str| text.replace("LOCK", lock);
    part.before(format!("struct s@ {{ unsigned char m; {} lock; int k; }};", kind.ty));
    part.before("static void move@(void *to, const void *from, unsigned long size) { memcpy(to, from, size); }");
    part.say("struct s@ s = {0}, t = {0};");
    part.say(of(kind.setup, "s.lock"));
    let is_held = random.chance(60);
    if is_held {
        part.say(of(kind.take, "s.lock"));
        part.say(format!("s.m = {};", random.below(3)));
        if random.chance(40) {
            part.say(of(kind.release, "s.lock"));
        }
    }
    part.say(match random.below(6) {
        0 | 1 => "t = s;",
        2 => "struct s@ u = s; t = u;",
        3 => "move@(&t, &s, sizeof t);",
        4 => "move@(&t.k, &s.k, sizeof t.k);",
        _ => "memcpy(&t, &s, sizeof t);",
    });
    let lock = *random.pick(&["t.lock", "t.lock", "s.lock"]);
    let attempt = of(kind.attempt, lock);
    part.say(match random.below(4) {
        0 => format!("if ({attempt} == 0) reach_error();"),
        1 => format!("if ({attempt} != 0) reach_error();"),
        2 => of(kind.take, lock),
        _ => format!("if ({attempt} == 0) c = 7; x = t.m;"),
    });
    part
}
