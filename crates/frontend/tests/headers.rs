//! Our headers against the system's: the same functions, types and constants,
//! in every order of inclusion, every C standard and both data models.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Folder, accepts, body, compiles, done};
use selvedge_frontend::preprocess::{ATOMIC_GENERICS, DataModel, Headers, Options};

const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

const STANDARDS: [&str; 10] = [
    "c89", "gnu89", "c99", "gnu99", "c11", "gnu11", "c17", "gnu17", "c2x", "gnu2x",
];

const HEADERS: [&str; 14] = [
    "pthread.h",
    "threads.h",
    "stdatomic.h",
    "semaphore.h",
    "assert.h",
    "stdlib.h",
    "sys/types.h",
    "signal.h",
    "stdio.h",
    "string.h",
    "unistd.h",
    "time.h",
    "errno.h",
    "sched.h",
];

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/headers")
        .join(name)
}

fn options(model: DataModel) -> Options {
    Options {
        data_model: model,
        ..Options::default()
    }
}

/// Has the C compiler check `name` against the system's own headers.
#[cfg(target_arch = "x86_64")]
fn holds_for_the_system(name: &str) {
    let plain = |arguments: &[&str]| {
        let mut compiler = Command::new("cc");
        compiler.args(["-fsyntax-only", "-w"]).args(arguments);
        accepts(compiler.arg(program(name)));
    };
    plain(&[]);
    let multiarch = Command::new("cc").arg("-print-multiarch").output();
    let multiarch = String::from_utf8(multiarch.expect("a C compiler").stdout);
    let own = format!("/usr/include/{}", multiarch.expect("a name").trim());
    let stubs = common::headers().dir().join("fallback");
    let stubs = stubs.to_str().expect("a plain path");
    plain(&["-m32", "-idirafter", &own, "-idirafter", stubs]);
}

fn holds_for_ours(name: &str) {
    for model in MODELS {
        compiles(&program(name), &options(model));
    }
}

#[test]
fn every_function_has_its_type() {
    holds_for_ours("functions.c");
}

#[test]
fn every_type_and_constant_is_there() {
    holds_for_ours("types.c");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn the_system_agrees_on_functions_types_and_constants() {
    holds_for_the_system("functions.c");
    holds_for_the_system("types.c");
}

#[test]
fn the_kind_of_a_lock_lies_where_the_front_end_looks() {
    holds_for_ours("ours.c");
}

/// A program that includes the headers in this order and uses every thread
/// type it has got.
fn including(order: &[&str]) -> String {
    let mut text = String::new();
    for header in order {
        text.push_str(&format!("#include <{header}>\n"));
    }
    text.push_str(
        "#ifdef _BITS_PTHREADTYPES_COMMON_H\n\
         pthread_t thread; pthread_key_t key; pthread_once_t once;\n\
         pthread_attr_t attr; pthread_mutexattr_t mutexattr;\n\
         pthread_mutex_t zero = {{0}}, *mutex = &zero; pthread_cond_t cond;\n\
         int *kind(void) { return &mutex->__selvedge_kind; }\n\
         #endif\n\
         #ifdef _PTHREAD_H\n\
         pthread_mutex_t init = PTHREAD_MUTEX_INITIALIZER;\n\
         pthread_cond_t cinit = PTHREAD_COND_INITIALIZER;\n\
         int lock(void) { return pthread_mutex_lock(&init); }\n\
         #endif\n\
         #ifdef _SEMAPHORE_H\n\
         sem_t sem; int post(void) { return sem_post(&sem); }\n\
         #endif\n\
         #ifdef _THREADS_H\n\
         mtx_t mtx; cnd_t cnd; int block(void) { return cnd_wait(&cnd, &mtx); }\n\
         #endif\n\
         #ifdef _STDATOMIC_H\n\
         atomic_int counter; extern int atomic_load(atomic_int *);\n\
         int get(void) { return atomic_load(&counter); }\n\
         #endif\n\
         #ifdef _ASSERT_H\n\
         void check(int x) { assert(x > 0); }\n\
         #endif\n",
    );
    text
}

#[test]
fn every_pair_of_headers_in_both_orders() {
    let folder = Folder::new();
    for first in HEADERS {
        for second in HEADERS {
            let path = folder.write("pair.c", including(&[first, second]));
            compiles(&path, &Options::default());
        }
    }
}

/// Each header first, then all others, in every standard.
fn all_headers_in_every_standard(model: DataModel) {
    let folder = Folder::new();
    for std in STANDARDS {
        for start in 0..HEADERS.len() {
            let mut order = HEADERS;
            order.rotate_left(start);
            let path = folder.write("all.c", including(&order));
            let options = Options {
                std: Some(std.to_owned()),
                ..options(model)
            };
            compiles(&path, &options);
        }
    }
}

#[test]
fn all_headers_in_every_standard_lp64() {
    all_headers_in_every_standard(DataModel::Lp64);
}

#[test]
fn all_headers_in_every_standard_ilp32() {
    all_headers_in_every_standard(DataModel::Ilp32);
}

#[test]
fn headers_that_mention_thread_types_in_passing() {
    let folder = Folder::new();
    let others = [
        "mqueue.h",
        "aio.h",
        "netdb.h",
        "limits.h",
        "setjmp.h",
        "sys/time.h",
        "sys/wait.h",
        "fcntl.h",
        "math.h",
        "stdint.h",
        "inttypes.h",
        "stdbool.h",
        "stdarg.h",
        "ctype.h",
        "locale.h",
        "wchar.h",
        "sys/mman.h",
        "sys/socket.h",
        "poll.h",
        "semaphore.h",
        "spawn.h",
    ];
    for other in others {
        for gnu in ["", "#define _GNU_SOURCE 1\n"] {
            for order in [[other, "pthread.h"], ["pthread.h", other]] {
                let path = folder.write("other.c", format!("{gnu}{}", including(&order)));
                compiles(&path, &Options::default());
            }
        }
    }
}

#[test]
fn nothing_of_the_system_is_behind_our_names() {
    let folder = Folder::new();
    let path = folder.write(
        "all.c",
        "#define _GNU_SOURCE 1\n#include <pthread.h>\n#include <threads.h>\n\
         #include <semaphore.h>\n#include <stdatomic.h>\n#include <assert.h>\n\
         #include <stdlib.h>\n#include <signal.h>\n#include <limits.h>\n\
         long least = PTHREAD_STACK_MIN;\n",
    );
    for model in MODELS {
        let text = body(&done(&path, &options(model)));
        assert!(text.contains("long least = 16384"));
        for internal in [
            "__pthread",
            "__data",
            "__sysconf",
            "__sigsetjmp",
            "__jmp_buf",
        ] {
            assert!(!text.contains(internal), "{internal}");
        }
    }
}

#[test]
fn generic_atomics_stay_calls() {
    let folder = Folder::new();
    let mut text = String::from("#include <stdatomic.h>\n");
    for name in ATOMIC_GENERICS {
        text.push_str(&format!(
            "#ifdef {name}\n#error \"{name} is a macro\"\n#endif\n{name}(&x);\n"
        ));
    }
    let path = folder.write("atomics.c", text);
    let text = body(&done(&path, &Options::default()));
    let header = Headers::source("<selvedge>/stdatomic.h").expect("our header");
    for name in ATOMIC_GENERICS {
        assert!(text.contains(&format!("{name}(&x);")), "{name}");
        assert_eq!(text.matches(&format!("{name}(")).count(), 1, "{name}");
        assert!(header.contains(name), "{name} is not listed");
    }
}

#[test]
fn assertions_carry_condition_and_text() {
    let folder = Folder::new();
    let path = folder.write(
        "assert.c",
        "#include <assert.h>\n\
         void on(int x) { assert(x == \"a\"[0]); }\n\
         #define NDEBUG\n#include <assert.h>\n\
         void off(int x) { assert(no such thing); }\n\
         #undef NDEBUG\n#include <assert.h>\n\
         void again(int x) { assert(x); }\n",
    );
    let text = body(&done(&path, &Options::default()));
    assert!(
        text.contains(r#"__selvedge_assert (( x == "a"[0] ), "x == \"a\"[0]" ) ;"#),
        "{text}"
    );
    assert!(text.contains("off(int x) { ((void) 0) ; }"), "{text}");
    assert!(
        text.contains("__selvedge_assert (( x ), \"x\" ) ;"),
        "{text}"
    );
    compiles(&path, &Options::default());
}
