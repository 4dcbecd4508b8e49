//! Small random programs whose threads call functions that call themselves and each other, a few levels deep: with
//! values of their own that outlive the inner calls, results that are used and results that are not, with and without a
//! lock.

use crate::random::Random;
use std::fmt::Write;

/// A random program.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xc500_0000_0000_0000);
    let random = &mut random;
    let functions = random.between(1, 3);
    let mut text = String::from(
        "#include <pthread.h>
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
",
    );
    for function in 0..functions {
        let _ = writeln!(text, "static int r{function}(int n);");
    }
    for function in 0..functions {
        let body = body(random, functions);
        let _ = writeln!(text, "static int r{function}(int n)\n{{\n{body}}}");
    }
    let depth = *random.pick(&["0", "1", "2", "__VERIFIER_nondet_int() & 1", "__VERIFIER_nondet_int() & 3"]);
    let function = random.below(functions);
    let _ = writeln!(text, "static void *w(void *u)\n{{\n    int b = r{function}({depth});");
    if random.chance(40) {
        let _ = writeln!(text, "    if (b == {}) reach_error();", random.below(4));
    }
    text.push_str("    return u;\n}\nint main(void)\n{\n    pthread_t t, s;\n    pthread_create(&t, 0, w, 0);\n");
    let is_twice = random.chance(50);
    if is_twice {
        text.push_str("    pthread_create(&s, 0, w, 0);\n");
    }
    if random.chance(30) {
        let _ = writeln!(text, "    r{}({});", random.below(functions), random.below(3));
    }
    if random.chance(60) {
        text.push_str("    pthread_join(t, 0);\n");
        if is_twice && random.chance(70) {
            text.push_str("    pthread_join(s, 0);\n");
        }
        let _ = writeln!(text, "    if (x == {}) reach_error();", random.below(5));
    }
    text.push_str("    return 0;\n}\n");
    text
}

/// What a function does: `n` is how deep it may still go, `a` and `b` are its own.
fn body(random: &mut Random, functions: u64) -> String {
    let mut body = String::from("    int b = 0;\n");
    let a = *random.pick(&["n", "n + 1", "0", "2", "n > 0"]);
    let _ = writeln!(body, "    int a = {a};");
    let is_locked = random.chance(60);
    let wraps = random.chance(25);
    let (lock, unlock) = match is_locked {
        true => ("    pthread_mutex_lock(&m);\n", "    pthread_mutex_unlock(&m);\n"),
        false => ("", ""),
    };
    let shared = |random: &mut Random, body: &mut String| {
        let line = *random.pick(&["x = a;", "x = n;", "x++; x--;", "y = x;", "if (x < 3) x++;", "a = x;", "x = b;"]);
        let _ = writeln!(body, "{lock}    {line}\n{unlock}");
    };
    if random.chance(60) {
        shared(random, &mut body);
    }
    let target = *random.pick(&["", "b = ", "a = "]);
    let call = format!("{target}r{}(n - 1)", random.below(functions));
    let again = format!("r{}(n - 1)", random.below(functions));
    let calls = match random.below(4) {
        0 => format!("    if (n > 0) {{ {call}; {again}; }}\n"),
        1 => format!("    if (n > 0) {call}; else a = 3;\n"),
        _ => format!("    if (n > 0) {call};\n"),
    };
    if wraps && !is_locked {
        let _ = write!(body, "    x = 1;\n{calls}    x = 0;\n");
    } else {
        body.push_str(&calls);
    }
    for _ in 0..random.between(1, 2) {
        let value = random.below(4);
        let check = match random.below(8) {
            0 => format!("a == {value}"),
            1 => format!("b == {value}"),
            2 => format!("n == {value}"),
            3 => "a != n".to_owned(),
            4 => "a > n + 1".to_owned(),
            5 => format!("b > {value}"),
            6 => "a == b && n > 0".to_owned(),
            _ => format!("n > 0 && b != {value}"),
        };
        let _ = writeln!(body, "    if ({check}) reach_error();");
    }
    if random.chance(50) {
        shared(random, &mut body);
    }
    let result = *random.pick(&["a", "b", "n", "b + 1", "0", "1"]);
    let _ = writeln!(body, "    return {result};");
    body
}
