//! Terms: one index per term, simplification, facts, substitution, both notations, and errors instead of panics.

use selvedge_logic::smtlib::{Refutations, parse_script, parse_term, script_text, term_text};
use selvedge_logic::{Error, Op, Solver, Sort, Substitution, Term, Terms};

/// x, y: 8 bits; i, j: 32 bits; p, q: truth values.
fn declared() -> Terms {
    let mut terms = Terms::new();
    let script = "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const i (_ BitVec 32))
                  (declare-const j (_ BitVec 32)) (declare-const p Bool) (declare-const q Bool)";
    parse_script(&mut terms, script).unwrap();
    terms
}

/// Both texts denote one term.
fn check_same(left: &str, right: &str) {
    let mut terms = declared();
    let (a, b) = (parse_term(&mut terms, left).unwrap(), parse_term(&mut terms, right).unwrap());
    assert_eq!(a, b, "{} and {}", terms.display(a), terms.display(b));
}

#[test]
fn equal_terms_are_one_term() {
    check_same("(bvadd x y)", "(bvadd y x)");
    check_same("(bvsub x (_ bv1 8))", "(bvadd x #xff)");
    check_same("(not (bvult x y))", "(bvule y x)");
    check_same("(bvule x (_ bv5 8))", "(bvult x (_ bv6 8))");
    check_same("(bvsle x (_ bv5 8))", "(not (bvslt (_ bv5 8) x))");
    check_same("(= (bvadd x (_ bv3 8)) (_ bv5 8))", "(= x (_ bv2 8))");
    check_same("(= (bvmul x (_ bv3 8)) (_ bv6 8))", "(= x (_ bv2 8))");
    check_same("(bvsub (bvadd x y) y)", "x");
    check_same("((_ extract 7 0) ((_ sign_extend 24) x))", "x");
    check_same("((_ extract 7 0) (bvadd ((_ sign_extend 24) x) ((_ zero_extend 24) y)))", "(bvadd x y)");
    check_same("(bvslt ((_ sign_extend 24) x) ((_ sign_extend 24) y))", "(bvslt x y)");
    check_same("(ite (not p) x y)", "(ite p y x)");
    check_same("(= (ite p (_ bv1 8) (_ bv0 8)) (_ bv1 8))", "p");
    check_same("(distinct (ite p #x00000001 #x00000000) #x00000000)", "p");
    check_same("(and p (or (not p) q))", "(and p q)");
    check_same("(concat ((_ extract 7 4) x) ((_ extract 3 0) x))", "x");
}

#[test]
fn facts_decide_comparisons() {
    for text in [
        "(bvult ((_ zero_extend 24) x) #x00000100)",
        "(bvsle #x00000000 ((_ zero_extend 24) x))",
        "(bvult (bvurem i #x0000000a) #x0000000a)",
        "(distinct (bvor x #x01) (bvand y #xfe))",
        "(bvule (bvlshr i #x0000001c) #x0000000f)",
        "(bvult (bvadd (bvand x #x0f) (bvand y #x0f)) #x1f)",
        "(=> (and p q) p)",
    ] {
        let mut terms = declared();
        let term = parse_term(&mut terms, text).unwrap();
        assert!(terms.constant_value(term).is_some_and(|value| value.is_true()), "{text}: {}", terms.display(term));
    }
}

#[test]
fn the_same_calls_give_the_same_terms() {
    let build = || {
        let mut terms = declared();
        let text = "(and (bvslt i (bvadd j #x00000001)) (or p (= (bvmul x y) (bvudiv x #x07))))";
        let term = parse_term(&mut terms, text).unwrap();
        (term, terms.len(), term_text(&terms, term))
    };
    assert_eq!(build(), build());
}

#[test]
fn substitution_is_simultaneous() {
    let mut terms = declared();
    let mut parse = |text: &str| parse_term(&mut terms, text).unwrap();
    let (x, y, less, swapped) = (parse("x"), parse("y"), parse("(bvult x y)"), parse("(bvult y x)"));
    let (next, stepped) = (parse("(bvadd x #x01)"), parse("(bvult (bvadd x #x01) y)"));
    let wide = parse("i");
    let mut exchange = Substitution::new();
    exchange.put(&terms, x, y).unwrap();
    exchange.put(&terms, y, x).unwrap();
    assert_eq!(terms.substitute(less, &mut exchange), Ok(swapped));
    let mut step = Substitution::new();
    step.put(&terms, x, next).unwrap();
    assert_eq!(terms.substitute(less, &mut step), Ok(stepped));
    assert!(matches!(step.put(&terms, x, wide), Err(Error::Expected { .. })));
}

#[test]
fn readable_text() {
    for (text, expected) in [
        ("(bvslt (bvadd i #x00000001) j)", "(i + 1) < j"),
        ("(bvult (bvsub i j) #x00000003)", "(i - j) <u 3"),
        ("(not (= i (bvsub j #x00000002)))", "i != (j - 2)"),
        ("(and p (not q))", "p && !q"),
        ("((_ extract 7 0) (bvmul i j))", "(i * j)[7:0]"),
        ("(concat x y)", "{x, y}"),
        ("(ite p ((_ sign_extend 24) x) #xdeadbeef)", "p ? sext32(x) : 0xdeadbeef"),
        ("(bvashr i ((_ zero_extend 24) y))", "i >> zext32(y)"),
    ] {
        let mut terms = declared();
        let term = parse_term(&mut terms, text).unwrap();
        assert_eq!(terms.display(term).to_string(), expected);
    }
}

#[test]
fn shared_subterms_are_printed_once() {
    let mut terms = declared();
    let mut term = parse_term(&mut terms, "(bvmul i j)").unwrap();
    for _ in 0..60 {
        let square = terms.mul(term, term);
        let i = terms.symbol("i", Sort::Bits(32));
        term = terms.bit_xor(square, i);
    }
    let text = term_text(&terms, term);
    assert!(text.len() < 5000);
    assert_eq!(parse_term(&mut terms, &text), Ok(term));
    assert!(terms.display(term).to_string().len() < 5000);
}

#[test]
fn a_script_comes_back() {
    let mut terms = declared();
    let formulas: Vec<Term> =
        ["(bvult x y)", "(or p (= i j))"].map(|text| parse_term(&mut terms, text).unwrap()).to_vec();
    let text = script_text(&terms, &formulas);
    let script = parse_script(&mut terms, &text).unwrap();
    assert_eq!(script.assertions().collect::<Vec<_>>(), formulas);
}

#[test]
fn definitions_and_scopes() {
    check_same("(let ((a x) (b y)) (let ((a b) (b a)) (bvsub a b)))", "(bvsub y x)");
    let mut terms = declared();
    let script = "(define-fun twice ((a (_ BitVec 8))) (_ BitVec 8) (bvadd a a))
                  (define-const c (_ BitVec 8) (twice y))
                  (assert (let ((y x)) (= c (twice (bvmul x y)))))
                  (check-sat-assuming (p (not q))) (exit) (nonsense)";
    let script = parse_script(&mut terms, script).unwrap();
    let expected = parse_term(&mut terms, "(= (bvadd y y) (bvadd (bvmul x x) (bvmul x x)))").unwrap();
    assert_eq!(script.assertions().collect::<Vec<_>>(), [expected]);
    assert_eq!(script.commands.len(), 2);
}

#[test]
fn bad_text_is_an_error_with_its_place() {
    for (text, expected) in [
        ("(assert (bvult x z))", "1:18: unknown symbol `z`"),
        (
            "(assert\n  (bvult x i))",
            "2:3: `bvult` cannot be applied to ((_ BitVec 8), (_ BitVec 32)): bit-vectors of one width are expected",
        ),
        ("(assert x)", "1:9: a formula is expected, but this has sort (_ BitVec 8)"),
        ("(assert (frob x))", "1:10: unknown function"),
        ("(assert (not p q))", "1:9: `not` takes 1 operands, but 2 are given"),
        ("(assert p", "1:1: this parenthesis is never closed"),
        (")", "1:1: a closing parenthesis without an opening one"),
        ("(push 1)", "1:1: the command `push` in this form is not supported"),
        ("(declare-const x Bool)", "1:16: `x` is already declared with sort (_ BitVec 8), not Bool"),
        ("(declare-const w (_ BitVec 0))", "1:28: a width from 1 to 128 is expected"),
        ("(declare-fun f (Bool) Bool)", "1:16: uninterpreted functions are not supported"),
        (
            "(assert (= x #x1))",
            "1:9: `=` cannot be applied to ((_ BitVec 8), (_ BitVec 4)): two operands of one sort are expected",
        ),
        (
            "(assert (= ((_ extract 8 0) x) #x1))",
            "1:12: `extract` cannot be applied to ((_ BitVec 8)): a bit-vector that has those bits is expected",
        ),
        ("(assert (= x (_ bv256 8)))", "1:14: the value 256 does not fit in 8 bits"),
        ("(assert ())", "1:9: an empty list is not a term"),
        ("(assert (let ((a)) p))", "1:15: a binding is a name and a term"),
        ("(assert |p)", "1:9: this quoted symbol is never closed"),
        ("(assert #b2)", "1:9: binary digits follow `#b`"),
        (
            "(assert ((_ zero_extend 4294967295) x))",
            "1:9: `zero_extend` cannot be applied to ((_ BitVec 8)): a narrower bit-vector is expected",
        ),
        ("(assert ((_ repeat 4294967295) x))", "1:9: a bit-vector has a width from 1 to 128, not 34359738360"),
    ] {
        let mut terms = declared();
        let error = parse_script(&mut terms, text).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn nesting_may_be_deep() {
    let mut terms = declared();
    let depth = 200_000;
    let text = format!("{}x{}", "(bvnot (bvmul y ".repeat(depth), "))".repeat(depth));
    let term = parse_term(&mut terms, &text).unwrap();
    let printed = term_text(&terms, term);
    assert_eq!(parse_term(&mut terms, &printed), Ok(term));
    assert!(terms.display(term).to_string().len() > depth);
    let zero = terms.bits(8, 0);
    let formula = terms.equal(term, zero);
    assert!(terms.evaluate(formula, &Default::default()).is_ok());
    assert!(parse_term(&mut terms, &"(".repeat(depth)).is_err());
}

#[test]
fn ill_sorted_and_foreign_terms_are_errors() {
    let mut terms = declared();
    let mut parse = |text: &str| parse_term(&mut terms, text).unwrap();
    let (x, i, p) = (parse("x"), parse("i"), parse("p"));
    for (op, operands) in [(Op::Add, &[x, i][..]), (Op::Ite, &[x, i, i]), (Op::And, &[x, x]), (Op::Neg, &[p])] {
        assert!(matches!(terms.apply(op, operands), Err(Error::Operands { .. })), "{op:?}");
    }
    assert!(matches!(terms.apply(Op::Add, &[x]), Err(Error::Arity { .. })));
    assert!(matches!(terms.apply(Op::Add, &[x; 4]), Err(Error::Arity { .. })));
    assert!(matches!(terms.apply(Op::Constant(3), &[]), Err(Error::Operands { .. })));
    assert_eq!(terms.try_bits(0, 0), Err(Error::Width(0)));
    assert_eq!(terms.try_bits(129, 0), Err(Error::Width(129)));
    assert_eq!(terms.try_bits(4, 16), Err(Error::Value { value: 16, width: 4 }));
    assert_eq!(terms.declare("a|b", Sort::Bool), Err(Error::Name("a|b".to_string())));
    let mut other = Terms::new();
    assert_eq!(other.apply(Op::Not, &[parse_term(&mut terms, "(or p q)").unwrap()]), Err(Error::Foreign));
    let mut solver = Solver::new();
    assert!(matches!(solver.add(&terms, x), Err(Error::Expected { .. })));
    let truth = other.bool(true);
    assert_eq!(solver.add(&other, truth), Err(Error::Foreign));
}

/// A program that builds them is wrong, and hears what does not fit.
#[test]
fn ill_sorted_terms_are_not_built() {
    type Build = fn(&mut Terms, Term, Term, Term) -> Term;
    let wrong: [Build; 7] = [
        |terms, x, i, _| terms.add(x, i),
        |terms, x, _, p| terms.sub(x, p),
        |terms, x, i, _| terms.ite(x, i, i),
        |terms, x, _, _| terms.xor(x, x),
        |terms, _, _, p| terms.compare(p, p),
        |terms, _, _, p| terms.rotate_left(1, p),
        |terms, _, _, _| terms.bits(4, 16),
    ];
    for (number, build) in wrong.into_iter().enumerate() {
        let built = std::panic::catch_unwind(|| {
            let mut terms = declared();
            let mut parse = |text: &str| parse_term(&mut terms, text).unwrap();
            let (x, i, p) = (parse("x"), parse("i"), parse("p"));
            build(&mut terms, x, i, p)
        });
        assert!(built.is_err(), "{number} is built");
    }
    let mut terms = declared();
    for text in ["(bvadd x p)", "(bvsub x i)", "(xor x x)", "(bvcomp p p)", "(not x)", "(and p x)", "(= x p)"] {
        assert!(parse_term(&mut terms, text).is_err(), "{text}");
    }
    for text in ["((_ rotate_left 1) p)", "((_ repeat 0) x)", "((_ repeat 129) x)", "((_ extract 99 0) x)"] {
        assert!(parse_term(&mut terms, text).is_err(), "{text}");
    }
}

#[test]
fn wide_words_work_to_128_bits() {
    let mut terms = Terms::new();
    let script = "(declare-const a (_ BitVec 128)) (declare-const b (_ BitVec 128))
                  (assert (= (bvmul a #x00000000000000000000000000000003) b))
                  (assert (= (bvudiv b #x00000000000000000000000000000003) a))
                  (assert (bvugt a #x40000000000000000000000000000000))";
    let script = parse_script(&mut terms, script).unwrap();
    let mut solver = Solver::new();
    script.assertions().for_each(|formula| solver.add(&terms, formula).unwrap());
    assert_eq!(solver.check(&terms, &[]).unwrap(), selvedge_logic::Answer::Satisfiable);
    let model = solver.model(&terms).unwrap();
    assert!(script.assertions().all(|formula| model.satisfies(&terms, formula).unwrap()));
}

#[test]
fn questions_share_what_they_speak_of() {
    let mut terms = declared();
    let below = parse_term(&mut terms, "(bvult x y)").unwrap();
    let above = parse_term(&mut terms, "(bvult y x)").unwrap();
    let mut questions = Refutations::new();
    questions.remark("one\nand the same");
    questions.refuted(&terms, &[below, above]);
    questions.remark("again");
    questions.refuted(&terms, &[above, below]);
    assert_eq!(questions.count(), 2);
    assert_eq!(
        questions.into_text(),
        "\
(set-logic QF_BV)
; one
; and the same
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(define-fun ?c0 () Bool (bvult x y))
(define-fun ?c1 () Bool (bvult y x))
(push 1)
(assert ?c0)
(assert ?c1)
(set-info :status unsat)
(check-sat)
(pop 1)
; again
(push 1)
(assert ?c1)
(assert ?c0)
(set-info :status unsat)
(check-sat)
(pop 1)
"
    );
}
