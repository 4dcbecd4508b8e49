//! What a failing test shows is small: failures planted in generated programs shrink to a few lines that are C.

use selvedge_generate::shrink::smallest;
use selvedge_generate::{concurrent, sequential, threads};
use std::io::Write;
use std::process::{Command, Stdio};

fn is_c(text: &str) -> bool {
    let compiler = Command::new("cc")
        .args(["-std=gnu11", "-w", "-fsyntax-only", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut compiler = compiler.expect("there is a C compiler");
    let mut input = compiler.stdin.take().expect("its input is ours");
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    compiler.wait().expect("it ends").success()
}

fn check(text: &str, planted: &str, most_lines: usize) {
    let fails = |text: &str| text.contains("int main(void)") && text.contains(planted) && is_c(text);
    assert!(fails(text), "{text}");
    let small = smallest(text, 1500, fails);
    assert!(fails(&small) && small.lines().count() <= most_lines, "{small}");
}

#[test]
fn planted_failures_shrink_to_a_few_lines() {
    let text = sequential::program(1).replace("int main(void) {", "int main(void) {\nint planted = 1 / 0;\n");
    check(&text, "planted", 4);
    let text = concurrent::program(1).replacen("pthread_create(", "int planted = pthread_create(", 1);
    check(&text, "planted", 8);
    let text = threads::program(1).replacen("return", "int planted; return", 1);
    check(&text, "planted", 8);
}
