//! No input makes the parser panic, hang or build a tree that is too deep.
//!
//! Inputs are arbitrary bytes, arbitrary tokens, and mutations of real C: of the snippets below and of the C files
//! among the repository's tests. Everything follows from one seed.

use crate::parsed;
use selvedge_frontend::syntax::{MAX_ERRORS, ast::MAX_DEPTH};
use selvedge_generate::random::Random;
use std::fs;

const ROUNDS: usize = if cfg!(debug_assertions) { 600 } else { 20_000 };

const SNIPPETS: &[&str] = &[
    "typedef int T; struct s { int a : 3; T b[4]; union { char c; } u; } g = { .a = 1, [2 ... 3] = 4 };",
    "int f(int (*p)(void), ...) { for (int i = 0; i < 3; i++) { if (p()) continue; else break; } return ({ int x = 1; x; }); }",
    "static inline __attribute__((noinline, aligned(8))) void *q(const char *restrict s) { asm volatile(\"nop\" : \"=r\"(s) :: \"memory\"); return &&l; l: ; }",
    "main(argc, argv) int argc; char **argv; { switch (argc) { case 1 ... 3: return sizeof(int) * 2; default: goto *argv; } }",
    "# 1 \"a.c\" 3\n#pragma pack(push, 1)\nenum e { A, B = 'x', C = 0x1p3 } v = _Generic(1.5f, float: A, default: B);\n#pragma pack(pop)\n",
    "_Static_assert(sizeof(\"a\" L\"b\") > 0, \"m\"); _Atomic(int) x; __typeof__(x) y = (struct s){ 1 }.a ?: -1; [[noreturn]] void n(void);",
];

const TOKENS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ":",
    "?",
    ".",
    "->",
    "...",
    "*",
    "&",
    "&&",
    "||",
    "=",
    "==",
    "+",
    "-",
    "++",
    "--",
    "<<=",
    "!",
    "~",
    "#",
    "\n",
    "\n#",
    "\\\n",
    "int",
    "unsigned",
    "typedef",
    "struct",
    "union",
    "enum",
    "static",
    "extern",
    "const",
    "_Atomic",
    "__attribute__",
    "((",
    "))",
    "[[",
    "]]",
    "asm",
    "typeof",
    "__typeof__",
    "_Generic",
    "_Static_assert",
    "sizeof",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "goto",
    "return",
    "__label__",
    "__extension__",
    "__builtin_offsetof",
    "__builtin_va_arg",
    "_Alignas",
    "x",
    "y",
    "T",
    "typedef int T;",
    "1",
    "0x",
    "1.5e",
    "'a'",
    "'",
    "\"s\"",
    "\"",
    "L\"",
    "/*",
    "*/",
    "//",
    "@",
    "\\u00e9",
    "\0",
    "R\"(",
    "_Pragma(\"x\")",
    "bool",
    "nullptr",
    "__auto_type",
    "void f(void) {",
    "({",
    "})",
    "int x = ",
];

fn seeds() -> Vec<Vec<u8>> {
    let files = selvedge_generate::stored::c_files("tests");
    let texts = files.iter().filter_map(|path| fs::read(path).ok()).filter(|text| text.len() < 30_000);
    SNIPPETS.iter().map(|snippet| snippet.as_bytes().to_vec()).chain(texts).collect()
}

fn mutate(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut text = seeds[random.index(seeds.len())].clone();
    for _ in 0..=random.index(3) {
        let at = random.index(text.len() + 1);
        let end = (at + random.index(20)).min(text.len());
        match random.index(7) {
            0 => drop(text.drain(at..end)),
            1 => drop(text.splice(at..end, random.pick(TOKENS).bytes())),
            2 => drop(text.splice(at..at, random.pick(TOKENS).bytes())),
            3 => text.insert(at, random.word() as u8),
            4 => text.truncate(at),
            5 => {
                let copied = text[at..end].to_vec();
                let to = random.index(text.len() + 1);
                drop(text.splice(to..to, copied));
            }
            _ => {
                let token = random.pick(TOKENS).repeat(1 + random.index(40));
                drop(text.splice(at..at, token.bytes()));
            }
        }
    }
    text
}

fn input(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    match random.index(10) {
        0 => (0..random.index(200)).map(|_| random.word() as u8).collect(),
        1 => (0..random.index(100)).map(|_| *random.pick(TOKENS)).collect::<Vec<_>>().join(" ").into_bytes(),
        2 if random.index(20) == 0 => {
            let unit = [random.pick(TOKENS), " ", random.pick(TOKENS), " "].concat();
            [random.pick(TOKENS), " ", random.pick(TOKENS), " ", &unit.repeat(5000)].concat().into_bytes()
        }
        _ => mutate(random, seeds),
    }
}

/// How deeply the lists of a printed tree are nested.
fn nesting(tree: &str) -> usize {
    let (mut depth, mut deepest, mut in_string) = (0usize, 0, false);
    let mut bytes = tree.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if in_string => drop(bytes.next()),
            b'"' => in_string = !in_string,
            b'(' if !in_string => depth += 1,
            b')' if !in_string => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[test]
fn any_input_gives_a_bounded_tree_and_bounded_errors() {
    let seeds = seeds();
    let mut random = Random::new(2024);
    let mut with_errors = 0;
    for _ in 0..ROUNDS {
        let input = input(&mut random, &seeds);
        let (tree, errors, _) = parsed(&input);
        let shown = String::from_utf8_lossy(&input[..input.len().min(2000)]);
        assert!(errors.len() <= MAX_ERRORS, "{shown}");
        assert!(nesting(&tree) <= MAX_DEPTH, "{shown}");
        assert!(errors.iter().all(|error| error.span.start as usize <= input.len()), "{shown}");
        with_errors += usize::from(!errors.is_empty());
    }
    println!("{ROUNDS} inputs from {} seeds, {with_errors} with errors", seeds.len());
    assert!(with_errors > ROUNDS / 4 && with_errors < ROUNDS, "mutations should break many inputs, but not all");
}
