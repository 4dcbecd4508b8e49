//! Programs made of parts: each part is a function about one thing, `main` and perhaps a second thread call them, and
//! what they share are a few globals. A part leaves nothing behind but in those, so that a plain search over all states
//! stays feasible although each part makes choices among many values. The programs stand alone, without headers.

use std::fmt::Write;

use crate::random::Random;

/// A function of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snippet {
    /// What stands before it at file scope: types and functions of its own. `@` stands for the number of the part.
    pub before: Vec<String>,
    /// Its statements.
    pub body: Vec<String>,
}

impl Snippet {
    pub fn say(&mut self, line: impl Into<String>) {
        self.body.push(line.into());
    }

    pub fn before(&mut self, line: impl Into<String>) {
        self.before.push(line.into());
    }
}

/// What the parts share; declared where it is used.
const GLOBALS: [(&str, &str); 8] = [
    ("x", "int x;"),
    ("y", "int y = 1;"),
    ("c", "unsigned char c;"),
    ("a", "int a[2];"),
    ("g", "int *g;"),
    ("b", "unsigned char *b;"),
    ("first_lock", "pthread_mutex_t first_lock;"),
    ("second_lock", "pthread_mutex_t second_lock;"),
];

/// What the library declares; declared where it is used.
const LIBRARY: [(&str, &str); 24] = [
    ("__VERIFIER_assume", "void __VERIFIER_assume(int);"),
    ("__VERIFIER_nondet_bool", "_Bool __VERIFIER_nondet_bool(void);"),
    ("__VERIFIER_nondet_uchar", "unsigned char __VERIFIER_nondet_uchar(void);"),
    ("__VERIFIER_nondet_int", "int __VERIFIER_nondet_int(void);"),
    ("__VERIFIER_nondet_long", "long __VERIFIER_nondet_long(void);"),
    ("__VERIFIER_nondet_ulong", "unsigned long __VERIFIER_nondet_ulong(void);"),
    ("__VERIFIER_nondet_pointer", "void *__VERIFIER_nondet_pointer(void);"),
    ("malloc", "void *malloc(unsigned long);"),
    ("free", "void free(void *);"),
    ("memcpy", "void *memcpy(void *, const void *, unsigned long);"),
    ("reach_error", "void reach_error(void);"),
    ("pthread_mutex_t", "typedef union { char bytes[40]; long align; } pthread_mutex_t;"),
    ("pthread_mutex_lock", "int pthread_mutex_lock(pthread_mutex_t *);"),
    ("pthread_mutex_trylock", "int pthread_mutex_trylock(pthread_mutex_t *);"),
    ("pthread_mutex_unlock", "int pthread_mutex_unlock(pthread_mutex_t *);"),
    ("pthread_spinlock_t", "typedef volatile int pthread_spinlock_t;"),
    ("pthread_spin_lock", "int pthread_spin_lock(pthread_spinlock_t *);"),
    ("pthread_spin_trylock", "int pthread_spin_trylock(pthread_spinlock_t *);"),
    ("pthread_spin_unlock", "int pthread_spin_unlock(pthread_spinlock_t *);"),
    ("sem_t", "typedef union { char bytes[32]; long align; } sem_t;"),
    ("sem_init", "int sem_init(sem_t *, int, unsigned);"),
    ("sem_wait", "int sem_wait(sem_t *);"),
    ("sem_trywait", "int sem_trywait(sem_t *);"),
    ("sem_post", "int sem_post(sem_t *);"),
];

/// A program that calls these parts: one or two of them, with or without a second thread beside `main`.
pub(crate) fn program(random: &mut Random, part: impl Fn(&mut Random) -> Snippet) -> String {
    let has_thread = random.chance(40);
    let parts: Vec<Snippet> = (0..random.between(1, 2)).map(|_| part(random)).collect();
    let mut text = String::new();
    for (index, part) in parts.iter().enumerate() {
        let number = (index + 1).to_string();
        for line in &part.before {
            let _ = writeln!(text, "{}", line.replace('@', &number));
        }
        let _ = writeln!(text, "static void part{number}(void) {{");
        for line in &part.body {
            let _ = writeln!(text, "    {}", line.replace('@', &number));
        }
        text.push_str("}\n");
    }
    if has_thread {
        let theirs = match parts.len() {
            2 if random.chance(60) => "part2();",
            _ => *random.pick(&["x = 1;", "x = 1;", "y = 2;", "int r = x; if (r == 3) y = 0;", "c = 1;", "a[1] = 1;"]),
        };
        let _ = writeln!(text, "static void *thread(void *arg) {{ {theirs} return 0; }}");
    }
    text.push_str("int main(void) {\n");
    if has_thread {
        text.push_str("    pthread_t t;\n    pthread_create(&t, 0, thread, 0);\n");
    }
    let is_called_late = has_thread && random.chance(30);
    let join = if has_thread { "    pthread_join(t, 0);\n" } else { "" };
    let calls: String = (1..=parts.len()).map(|number| format!("    part{number}();\n")).collect();
    let _ = write!(text, "{}", if is_called_late { format!("{join}{calls}") } else { format!("{calls}{join}") });
    if random.chance(30) {
        let claim = *random.pick(&["x == 3", "x > 3", "y == 0", "c == 7", "a[1] == 5"]);
        let _ = writeln!(text, "    if ({claim}) reach_error();");
    }
    text.push_str("    return 0;\n}\n");
    let threads = "typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);\n";
    // Declarations mention what is declared before them.
    for (name, declaration) in LIBRARY.iter().chain(&GLOBALS).rev() {
        if mentions(&text, name) {
            text.insert_str(0, &format!("{declaration}\n"));
        }
    }
    String::from(if has_thread { threads } else { "" }) + &text
}

/// Whether a word occurs in a text.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').any(|word| word == name)
}
