//! What belongs to one thread at a time, and how it is handed over: by flags, states, conditions, results of threads.

use super::{Care, Maker, Protocol};
use crate::random::Random;

pub(super) const MAKERS: [Maker; 6] = [flag, state, condition, atomics, result, semaphore];

/// The first to come writes and then sets a flag.
fn flag(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let claim = match random.below(3) {
        0 => format!("atomic_exchange(&claim{n}, 1) == 0"),
        1 => format!("__sync_bool_compare_and_swap(&word{n}, 0, 1)"),
        _ => format!("atomic_fetch_add(&claim{n}, 1) == 0"),
    };
    let (write, set) = (format!("data{n} = 7;"), format!("atomic_store(&flag{n}, 1);"));
    let produced = if care == Care::Broken && random.chance(40) {
        format!("if ({claim}) {{ {set} {write} }}")
    } else if care == Care::Broken {
        format!("if (!atomic_load(&claim{n}) && !word{n}) {{ {write} {set} }}")
    } else {
        format!("if ({claim}) {{ {write} {set} }}")
    };
    let read = format!("if (atomic_load(&flag{n})) assert(data{n} == 7);");
    Protocol {
        globals: format!("static atomic_int claim{n}, flag{n};\nstatic int word{n}, data{n};\n"),
        uses: vec![produced.clone(), format!("{produced} {read}"), read],
        ..Protocol::default()
    }
}

/// A state that says who may touch the data: nobody's, somebody's, done.
fn state(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let back = if random.chance(50) { 0 } else { 2 };
    let (early, late) = if care == Care::Broken {
        (format!("atomic_store(&state{n}, {back});"), String::new())
    } else {
        (String::new(), format!("atomic_store(&state{n}, {back});"))
    };
    let take = match random.below(2) {
        0 => format!("int none = 0; if (atomic_compare_exchange_strong(&state{n}, &none, 1))"),
        _ => format!("int none = 0; atomic_compare_exchange_strong(&state{n}, &none, 1); if (none == 0)"),
    };
    let mut uses = vec![format!("{take} {{ own{n} = 1; {early} own{n} = 2; {late} }}")];
    if back == 2 {
        uses.push(format!("if (atomic_load(&state{n}) == 2) assert(own{n} == 2);"));
    } else {
        uses.push(format!("{take} {{ assert(own{n} != 1); atomic_store(&state{n}, 0); }}"));
    }
    Protocol { globals: format!("static atomic_int state{n};\nstatic int own{n};\n"), uses, ..Protocol::default() }
}

/// Data that is there when a condition has been signalled.
fn condition(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let again = if care == Care::Broken && random.chance(50) { "if" } else { "while" };
    let outside = care == Care::Broken && again == "while";
    let wake = *random.pick(&["signal", "broadcast"]);
    let (lock, unlock) = (format!("pthread_mutex_lock(&cm{n});"), format!("pthread_mutex_unlock(&cm{n});"));
    let set = if outside {
        format!("{lock} ready{n} = 1; pthread_cond_{wake}(&cv{n}); {unlock} item{n} = 4;")
    } else {
        format!("{lock} item{n} = 4; ready{n} = 1; pthread_cond_{wake}(&cv{n}); {unlock}")
    };
    Protocol {
        globals: format!(
            "static pthread_mutex_t cm{n} = PTHREAD_MUTEX_INITIALIZER;\nstatic pthread_cond_t cv{n} = PTHREAD_COND_INITIALIZER;\nstatic int ready{n}, item{n};\n"
        ),
        uses: vec![
            set,
            format!("{lock} {again} (!ready{n}) pthread_cond_wait(&cv{n}, &cm{n}); assert(item{n} == 4); {unlock}"),
        ],
        ..Protocol::default()
    }
}

/// Atomic numbers within bounds.
fn atomics(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let bound = if care == Care::Broken { 1 } else { 2 };
    let rise = match random.below(3) {
        0 => format!(
            "int seen = atomic_load(&n{n}); while (seen < 2 && !atomic_compare_exchange_weak(&n{n}, &seen, seen + 1)) ;"
        ),
        1 => format!(
            "int seen = atomic_load(&n{n}); if (seen < 2) atomic_compare_exchange_strong(&n{n}, &seen, seen + 1);"
        ),
        _ => format!("atomic_fetch_or(&n{n}, 1); atomic_fetch_or(&n{n}, {});", bound - 1),
    };
    let mut uses = vec![rise, format!("assert(atomic_load(&n{n}) <= {bound});")];
    if care == Care::Broken && random.chance(50) {
        uses.push(format!("if (n{n} < 2) n{n}++; if (n{n} < 2) n{n}++; assert(n{n} <= 2);"));
    }
    Protocol {
        globals: format!("static atomic_int n{n};\n"),
        uses,
        afterwards: format!("assert(n{n} >= 0);"),
        ..Protocol::default()
    }
}

/// What a thread ends with, which whoever joins it gets.
fn result(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let value = if care == Care::Broken { "3" } else { "2" };
    let (globals, compared) = match random.below(4) {
        0 => (format!("static void *job{n}(void *a) {{ return a; }}\n"), "r == (void *)2".to_owned()),
        1 => (
            format!("static void *job{n}(void *a) {{ int *p = malloc(sizeof *p); *p = (int)(long)a; return p; }}\n"),
            "*(int *)r == 2".to_owned(),
        ),
        2 => (
            format!(
                "static int kept{n};\nstatic void *job{n}(void *a) {{ kept{n} = (int)(long)a; pthread_exit(&kept{n}); }}\n"
            ),
            "*(int *)r == 2".to_owned(),
        ),
        _ => (format!("static void *job{n}(void *a) {{ *(int *)a = {value}; return a; }}\n"), String::new()),
    };
    let setup = if compared.is_empty() {
        format!(
            "{{ pthread_t h; int local = 1; pthread_create(&h, 0, job{n}, &local); pthread_join(h, 0); assert(local == 2); }}"
        )
    } else {
        format!(
            "{{ pthread_t h; void *r; pthread_create(&h, 0, job{n}, (void *){value}); pthread_join(h, &r); assert({compared}); }}"
        )
    };
    Protocol { globals, setup, uses: vec![String::from("sched_yield();")], ..Protocol::default() }
}

/// A semaphore that counts what is there.
fn semaphore(random: &mut Random, n: u64, _threads: u64, care: Care) -> Protocol {
    let (write, post) = (format!("full{n} = 9;"), format!("sem_post(&there{n});"));
    let put = if care == Care::Broken { format!("{post} {write}") } else { format!("{write} {post}") };
    let claim = if random.chance(70) {
        format!("if (atomic_exchange(&put{n}, 1) == 0)")
    } else {
        format!("if (atomic_fetch_add(&put{n}, 1) == 0)")
    };
    Protocol {
        globals: format!("static sem_t there{n};\nstatic atomic_int put{n};\nstatic int full{n};\n"),
        setup: format!("sem_init(&there{n}, 0, 0);"),
        uses: vec![format!("{claim} {{ {put} }}"), format!("if (sem_trywait(&there{n}) == 0) assert(full{n} == 9);")],
        ..Protocol::default()
    }
}
