//! No input breaks the checker: deep trees, huge initialisers, mutilated programs.

use super::checked;
use selvedge_frontend::check::check as check_unit;
use selvedge_frontend::syntax::{Interner, SourceText, on_big_stack, parse};
use selvedge_frontend::types::Types;
use selvedge_generate::random::Random;
use selvedge_program::{DataModel, Sources};

#[test]
fn deep_trees() {
    let deep = 1200;
    let cases = [
        format!("int x = {}1{};", "(".repeat(deep), ")".repeat(deep)),
        format!("int f(int a) {{ return {}a; }}", "a + ".repeat(3000)),
        format!("int f(int a) {{ {}return a; }}", "if (a) ".repeat(deep)),
        format!("int f(int a) {{ return {}a; }}", "- ".repeat(deep)),
        format!("int {}a;", "*".repeat(3000)),
        format!("int a{};", "[1]".repeat(3000)),
    ];
    for case in cases {
        assert_eq!(checked(&case, DataModel::Lp64).messages, Vec::<String>::new(), "{}", &case[..40]);
    }
}

#[test]
fn huge_sizes() {
    for case in [
        "int a[1ull << 62]; char b[1ull << 62]; struct { char x[1ull << 62]; char y[1ull << 62]; char z[1ull << 62]; } s;",
        "int a[] = { [0x7fffffffffffffff / 2] = 1 };",
        "struct { } e[1000000000] = { 1 }; int z[0] = { };",
        "struct { char c[1ull << 60]; int : 3; int b : 2; } t = { .b = 1 };",
    ] {
        let _ = checked(case, DataModel::Lp64);
        let _ = checked(case, DataModel::Ilp32);
    }
}

/// Programs with tokens dropped, doubled or swapped, whatever the parser makes of them.
#[test]
fn mutilated_programs() {
    let program = include_str!("sample.c");
    let tokens: Vec<&str> = program.split_inclusive([' ', '\n', ';', ',', '(', ')', '{', '}', '[', ']']).collect();
    let mut random = Random::new(12345);
    let mut next = |below: usize| random.index(below);
    for _ in 0..1000 {
        let mut mutilated = tokens.clone();
        for _ in 0..=next(3) {
            let (at, other) = (next(mutilated.len()), next(mutilated.len()));
            match next(3) {
                0 => drop(mutilated.remove(at)),
                1 => mutilated.insert(at, tokens[other % tokens.len()]),
                _ => mutilated.swap(at, other),
            }
        }
        let text = mutilated.concat();
        on_big_stack(|| {
            let mut sources = Sources::default();
            let mut names = Interner::default();
            let mut types = Types::new(DataModel::Lp64);
            let source = SourceText::new("test.c", text.into_bytes(), &mut sources).expect("a small input");
            let (tree, _) = parse(&source, &mut names);
            check_unit(&tree, &mut names, &mut types)
        });
    }
}
