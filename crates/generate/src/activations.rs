//! Small random programs whose threads call a function that calls itself and has locals in memory: each activation has
//! its own, of which it hands the inner ones the address; some programs leave one where others find it.

use crate::random::Random;
use std::fmt::Write;

/// A random program.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xa7c1_0000_0000_0000);
    let random = &mut random;
    let mut text = String::from(
        "#include <pthread.h>
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int *kept;
",
    );
    let helps = random.chance(40);
    if helps {
        text.push_str("static void h(int *p, int v)\n{\n    int own = v;\n    int *q = &own;\n    *p = *q;\n}\n");
    }
    let _ = write!(text, "static int r(int n, int *up)\n{{\n{}}}\n", body(random, helps));
    let depth = *random.pick(&["1", "2", "__VERIFIER_nondet_int() & 1", "__VERIFIER_nondet_int() & 3"]);
    let first = *random.pick(&["0", "&top", "&top"]);
    let _ = writeln!(text, "static void *w(void *u)\n{{\n    int top = 0;\n    int b = r({depth}, {first});");
    if random.chance(50) {
        let value = random.below(3);
        let what = *random.pick(&["b", "top"]);
        let _ = writeln!(text, "    if ({what} == {value}) reach_error();");
    }
    text.push_str("    return u;\n}\nint main(void)\n{\n    pthread_t t, s;\n    pthread_create(&t, 0, w, 0);\n");
    let is_twice = random.chance(50);
    if is_twice {
        text.push_str("    pthread_create(&s, 0, w, 0);\n");
    }
    if random.chance(40) {
        text.push_str("    int mine = 0;\n    r(1, &mine);\n");
    }
    if random.chance(40) {
        text.push_str("    pthread_join(t, 0);\n");
        let _ = writeln!(text, "    if (x == {}) reach_error();", random.below(4));
    }
    text.push_str("    return 0;\n}\n");
    text
}

/// What the function does: `n` is how deep it may still go, `here` its own, `up` points to that of who called it.
fn body(random: &mut Random, helps: bool) -> String {
    let mut body = String::new();
    let here = *random.pick(&["n", "0", "1", "n > 0"]);
    let _ = match random.chance(85) {
        true => writeln!(body, "    int here = {here};"),
        false => writeln!(body, "    int here;"),
    };
    let array = random.chance(25);
    if array {
        body.push_str("    int both[2] = { 1, 2 };\n    int *second = &both[n & 1];\n");
    }
    let mut leaves = random.chance(20);
    let step = |random: &mut Random, body: &mut String, leaves: &mut bool| {
        let line = match random.below(9) {
            0 => "if (up) *up = n;",
            1 => "if (up) (*up)++;",
            2 => "if (up) here = *up;",
            3 => "pthread_mutex_lock(&m);\n    x = here;\n    pthread_mutex_unlock(&m);",
            4 => "if (here < 3) here++;",
            5 if helps => "h(&here, n);",
            6 if array => "*second = here;",
            7 if array => "here = both[0];",
            _ if *leaves => {
                *leaves = false;
                "pthread_mutex_lock(&m);\n    if (kept) x = *kept;\n    kept = &here;\n    pthread_mutex_unlock(&m);"
            }
            _ => "if (up && up != &here) here = *up + 1;",
        };
        let _ = writeln!(body, "    {line}");
    };
    for _ in 0..random.between(0, 2) {
        step(random, &mut body, &mut leaves);
    }
    let handed = *random.pick(&["&here", "&here", "&here", "up"]);
    let target = *random.pick(&["", "here = ", "here += "]);
    let _ = writeln!(body, "    if (n > 0) {target}r(n - 1, {handed});");
    for _ in 0..random.between(0, 2) {
        step(random, &mut body, &mut leaves);
    }
    for _ in 0..random.between(1, 2) {
        let value = random.below(4);
        let check = match random.below(7) {
            0 => format!("here == {value}"),
            1 => "here != n".to_owned(),
            2 => format!("up && *up == {value}"),
            3 => "up == &here".to_owned(),
            4 => "here > n + 1".to_owned(),
            5 if array => format!("*second == {value}"),
            _ => format!("n > 0 && here != {value}"),
        };
        let _ = writeln!(body, "    if ({check}) reach_error();");
    }
    if random.chance(25) {
        body.push_str("    pthread_mutex_lock(&m);\n    kept = 0;\n    pthread_mutex_unlock(&m);\n");
    }
    let _ = writeln!(body, "    return {};", *random.pick(&["here", "n", "0", "up ? *up : 1"]));
    body
}
