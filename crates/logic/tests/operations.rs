//! Every operation against its meaning on mathematical integers: all operands at widths 1 to 5, through constant
//! folding, through rewriting with one constant operand, and through gates and the solver.

mod common;

use common::{BINARY, COMPARISONS, OVERFLOWS, UNARY, meaning};
use selvedge_logic::smtlib::parse_term;
use selvedge_logic::{Answer, Assignment, Solver, Sort, Term, Terms, Value};

const WIDTHS: std::ops::RangeInclusive<u32> = 1..=5;

fn all_functions() -> Vec<(&'static str, usize)> {
    let unary = UNARY.iter().chain(&["bvnego"]).map(|&name| (name, 1));
    let binary = BINARY.iter().chain(COMPARISONS).chain(OVERFLOWS).chain(&["bvcomp"]).map(|&name| (name, 2));
    unary.chain(binary).collect()
}

fn apply(terms: &mut Terms, name: &str, arity: usize, width: u32, a: &str, b: &str) -> Term {
    terms.symbol("x", Sort::Bits(width));
    terms.symbol("y", Sort::Bits(width));
    let text = if arity == 1 { format!("({name} {a})") } else { format!("({name} {a} {b})") };
    parse_term(terms, &text).unwrap()
}

fn constant(value: i128, width: u32) -> String {
    format!("(_ bv{value} {width})")
}

/// The result's width is 1 for `bvcomp` and truth values, else the operands'.
fn expected(name: &str, width: u32, a: i128, b: i128) -> u128 {
    meaning(name, width, a, b) as u128
}

#[test]
fn constants_fold_to_the_meaning() {
    for (name, arity) in all_functions() {
        for width in WIDTHS {
            for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
                let mut terms = Terms::new();
                let term = apply(&mut terms, name, arity, width, &constant(a, width), &constant(b, width));
                let value = terms.constant_value(term).map(Value::unsigned);
                assert_eq!(value, Some(expected(name, width, a, b)), "{name} {width} {a} {b}");
            }
        }
    }
}

#[test]
fn rewriting_keeps_the_meaning() {
    for (name, arity) in all_functions() {
        for width in WIDTHS {
            let mut terms = Terms::new();
            let (x, y) = (terms.symbol("x", Sort::Bits(width)), terms.symbol("y", Sort::Bits(width)));
            let symbols = terms.symbols_of(&[x, y]);
            for c in 0..1 << width {
                let c_text = constant(c, width);
                let right = apply(&mut terms, name, arity, width, "x", &c_text);
                let left = apply(&mut terms, name, arity, width, &c_text, "x");
                let same = apply(&mut terms, name, arity, width, "x", "x");
                for a in 0..1 << width {
                    let mut assignment = Assignment::new();
                    assignment.set(symbols[0], a as u128);
                    let of = |term| terms.evaluate(term, &assignment).unwrap().unsigned();
                    assert_eq!(of(right), expected(name, width, a, c), "{name} {width} x={a} {c}");
                    assert_eq!(of(left), expected(name, width, c, a), "{name} {width} {c} x={a}");
                    assert_eq!(of(same), expected(name, width, a, a), "{name} {width} x=x={a}");
                }
            }
        }
    }
}

#[test]
fn gates_compute_the_meaning() {
    for (name, arity) in all_functions() {
        for width in WIDTHS {
            let mut terms = Terms::new();
            let term = apply(&mut terms, name, arity, width, "x", "y");
            check_gates(&mut terms, term, width, &|a, b| expected(name, width, a, b), name);
        }
    }
}

#[test]
fn gates_of_indexed_functions_compute_the_meaning() {
    for width in WIDTHS {
        let bits = |value: i128, to: u32| value.rem_euclid(1 << to) as u128;
        let signed = |value: i128| if value >= 1 << (width - 1) { value - (1 << width) } else { value };
        let check = |text: &str, meaning: &dyn Fn(i128, i128) -> u128| {
            let mut terms = Terms::new();
            terms.symbol("x", Sort::Bits(width));
            terms.symbol("y", Sort::Bits(width));
            let term = parse_term(&mut terms, text).unwrap();
            check_gates(&mut terms, term, width, meaning, text);
        };
        for by in 0..4 {
            check(&format!("((_ zero_extend {by}) x)"), &|a, _| a as u128);
            check(&format!("((_ sign_extend {by}) x)"), &|a, _| bits(signed(a), width + by));
            check(&format!("((_ rotate_left {by}) x)"), &|a, _| {
                (0..by).fold(a as u128, |a, _| (a << 1 | a >> (width - 1)) & ((1 << width) - 1))
            });
            check(&format!("((_ rotate_right {by}) x)"), &|a, _| {
                (0..by).fold(a as u128, |a, _| (a >> 1) | (a & 1) << (width - 1))
            });
            check(&format!("((_ repeat {}) x)", by + 1), &|a, _| (0..=by).fold(0, |r, _| r << width | a as u128));
        }
        for (high, low) in (0..width).flat_map(|high| (0..=high).map(move |low| (high, low))) {
            check(&format!("((_ extract {high} {low}) x)"), &|a, _| bits(a >> low, high - low + 1));
        }
        check("(concat x y)", &|a, b| (a << width) as u128 | b as u128);
        check("(ite (bvult x y) x y)", &|a, b| a.min(b) as u128);
        check("(ite (= x y) (bvnot x) (bvadd x y))", &|a, b| bits(if a == b { -a - 1 } else { a + b }, width));
    }
}

/// For all values of x and y the solver finds the term equal to its meaning and refuses every other value.
fn check_gates(terms: &mut Terms, term: Term, width: u32, meaning: &dyn Fn(i128, i128) -> u128, what: &str) {
    let mut solver = Solver::new().without_memory();
    let (x, y) = (terms.symbol("x", Sort::Bits(width)), terms.symbol("y", Sort::Bits(width)));
    let sort = terms.sort(term);
    let result = terms.symbol("result", sort);
    let defined = terms.equal(result, term);
    solver.add(terms, defined).unwrap();
    for (a, b) in (0..1i128 << width).flat_map(|a| (0..1i128 << width).map(move |b| (a, b))) {
        let expected = meaning(a, b);
        let (a_value, b_value) = (terms.bits(width, a as u128), terms.bits(width, b as u128));
        let value = match sort {
            Sort::Bool => terms.bool(expected == 1),
            Sort::Bits(width) => terms.bits(width, expected),
        };
        let (is_a, is_b) = (terms.equal(x, a_value), terms.equal(y, b_value));
        let other = terms.distinct(result, value);
        assert_eq!(solver.check(terms, &[is_a, is_b]).unwrap(), Answer::Satisfiable, "{what} {width} {a} {b}");
        assert_eq!(solver.model(terms).unwrap().value(terms, result).unwrap().unsigned(), expected, "{what} {a} {b}");
        assert_eq!(solver.check(terms, &[is_a, is_b, other]).unwrap(), Answer::Unsatisfiable, "{what} {a} {b}");
    }
}
