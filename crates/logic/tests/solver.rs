//! The solver: limits, cancellation, cores, memory of earlier answers, statistics, and proofs that are not believed
//! when wrong.

use std::time::{Duration, Instant};

use selvedge_logic::sat::{Cadical, Sat, Theory};
use selvedge_logic::smtlib::{parse_script, parse_term};
use selvedge_logic::{Answer, Cancellation, Error, Limits, Lit, Solver, Term, Terms, Unknown, proof};

fn declared() -> Terms {
    let mut terms = Terms::new();
    let script = "(declare-const x (_ BitVec 32)) (declare-const y (_ BitVec 32)) (declare-const z (_ BitVec 32))";
    parse_script(&mut terms, script).unwrap();
    terms
}

fn parse(terms: &mut Terms, text: &str) -> Term {
    parse_term(terms, text).unwrap()
}

/// Thirteen holes for fourteen pigeons, if the literal is true: no short refutation by resolution exists, so no solver
/// of this kind finds one in a moment.
fn pigeons(solver: &mut Solver) -> Lit {
    let crowded = solver.new_literal();
    let places: Vec<Vec<Lit>> = (0..14).map(|_| (0..13).map(|_| solver.new_literal()).collect()).collect();
    for (number, place) in places.iter().enumerate() {
        let mut somewhere = place.clone();
        somewhere.push(!crowded);
        solver.add_clause(&somewhere);
        for other in &places[..number] {
            place.iter().zip(other).for_each(|(&a, &b)| solver.add_clause(&[!crowded, !a, !b]));
        }
    }
    crowded
}

#[test]
fn limits_stop_a_hard_question() {
    let terms = declared();
    let mut solver = Solver::new();
    let crowded = pigeons(&mut solver);
    solver.set_limits(Limits { conflicts: Some(10), ..Limits::default() });
    assert_eq!(solver.check_literals(&[crowded]), Ok(Answer::Unknown(Unknown::Conflicts)));
    assert!(matches!(solver.model(&terms), Err(Error::NoModel)));
    solver.set_limits(Limits { deadline: Some(Instant::now() + Duration::from_millis(50)), ..Limits::default() });
    assert_eq!(solver.check_literals(&[crowded]), Ok(Answer::Unknown(Unknown::Deadline)));
    let cancellation = Cancellation::new();
    solver.set_limits(Limits { cancellation: Some(cancellation.clone()), ..Limits::default() });
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        cancellation.cancel();
    });
    assert_eq!(solver.check_literals(&[crowded]), Ok(Answer::Unknown(Unknown::Cancelled)));
    canceller.join().unwrap();
    // And the solver is still good for easier questions.
    solver.set_limits(Limits::default());
    assert_eq!(solver.check_literals(&[!crowded]), Ok(Answer::Satisfiable));
    assert_eq!(solver.statistics().unknown, 3);
}

#[test]
fn cores_are_subsets_and_can_be_minimised() {
    let mut terms = declared();
    let assumptions: Vec<Term> = [
        "(bvult x y)",
        "(bvult z #x00000007)",
        "(bvult y z)",
        "(= z #x00000003)",
        "(bvult z x)",
        "(bvugt y #x00000001)",
    ]
    .map(|text| parse(&mut terms, text))
    .to_vec();
    let mut solver = Solver::new();
    assert!(matches!(solver.core(), Err(Error::NoCore)));
    assert_eq!(solver.check(&terms, &assumptions), Ok(Answer::Unsatisfiable));
    solver.minimise_core().unwrap();
    assert_eq!(solver.core().unwrap(), [assumptions[0], assumptions[2], assumptions[4]]);
    assert_eq!(solver.check(&terms, &[assumptions[0], assumptions[2]]), Ok(Answer::Satisfiable));
    assert!(matches!(solver.core(), Err(Error::NoCore)));
}

#[test]
fn memory_answers_what_follows_from_earlier_answers() {
    let mut terms = declared();
    let mut formula = |text: &str| parse(&mut terms, text);
    let (below, above, equal) = (formula("(bvult x y)"), formula("(bvult y x)"), formula("(= x y)"));
    let mut solver = Solver::new();
    assert_eq!(solver.check(&terms, &[below, above]), Ok(Answer::Unsatisfiable));
    assert_eq!(solver.check(&terms, &[below, equal, above]), Ok(Answer::Unsatisfiable));
    assert_eq!(solver.core().unwrap(), [below, above]);
    assert_eq!(solver.check(&terms, &[below]), Ok(Answer::Satisfiable));
    assert_eq!(solver.check(&terms, &[below]), Ok(Answer::Satisfiable));
    assert_eq!(solver.statistics().recalled, 2);
    // A recalled answer has a model all the same, and it is for this question.
    assert!(solver.model(&terms).unwrap().satisfies(&terms, below).unwrap());
    // What is added later is not forgotten over it.
    solver.add(&terms, above).unwrap();
    assert_eq!(solver.check(&terms, &[below]), Ok(Answer::Unsatisfiable));
    assert_eq!(solver.check(&terms, &[]), Ok(Answer::Satisfiable));
    solver.add(&terms, equal).unwrap();
    assert_eq!(solver.check(&terms, &[]), Ok(Answer::Unsatisfiable));
    assert_eq!(solver.check(&terms, &[below]), Ok(Answer::Unsatisfiable));
}

#[test]
fn the_same_questions_get_the_same_models() {
    let ask = || {
        let mut terms = declared();
        let mut solver = Solver::new();
        let formula = parse(&mut terms, "(and (bvult x y) (= (bvmul x z) (bvadd y #x00001234)))");
        solver.add(&terms, formula).unwrap();
        solver.check(&terms, &[]).unwrap();
        let model = solver.model(&terms).unwrap();
        ["x", "y", "z"].map(|name| {
            let term = parse(&mut terms, name);
            model.value(&terms, term).unwrap()
        })
    };
    assert_eq!(ask(), ask());
}

#[test]
fn damaged_proofs_are_rejected() {
    let mut terms = declared();
    let formulas: Vec<Term> =
        ["(= (bvadd x y) #x00000007)", "(= (bvsub x y) #x00000002)"].map(|text| parse(&mut terms, text)).to_vec();
    let mut solver = Solver::with_proofs();
    assert_eq!(solver.check(&terms, &formulas), Ok(Answer::Unsatisfiable));
    let text = solver.proof().unwrap();
    let shown = proof::check(&text).unwrap();
    assert_eq!(shown.assumptions.len(), 2);
    assert!(shown.derived > 0);
    let lines: Vec<&str> = text.lines().collect();
    let derived: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].starts_with('l')).collect();
    let without = |line: usize| {
        lines.iter().enumerate().filter(|&(i, _)| i != line).map(|(_, l)| format!("{l}\n")).collect::<String>()
    };
    assert!(proof::check(&without(lines.len() - 1)).is_err(), "a proof without a claim");
    assert!(proof::check(&without(*derived.last().unwrap())).is_err(), "the last step is missing");
    let unfounded = text.replace(lines[derived[0]], &format!("{} 0 0", lines[derived[0]].split(" 0 ").next().unwrap()));
    assert!(proof::check(&unfounded).is_err(), "a step without hints");
    let claim = lines[lines.len() - 1].split(' ').collect::<Vec<_>>();
    let fewer = text.replace(lines[lines.len() - 1], &format!("{} {} {} 0", claim[0], claim[1], claim[2]));
    assert!(proof::check(&fewer).is_err(), "an assumption is left out of the claim");
    for wrong in [
        "",
        "l 1 0 0\nu 1 0\n",
        "i 1 2 0\nu 1 0\n",
        "i 1 2\n",
        "x 1 0\n",
        "t 1 -1 0 1 0\nu 1 1 0\n",
        "e 1 0 1\nt 1 -1 0 1 0\nu 1 1 0\n",
        "e 1 0 1\ne 2 1 0\nt 1 -1 0 1 2 0\nu 1 1 0\n",
        "e 1 0 1\nt 1 0 0\nu 1 0\n",
        "i 1 1 0\ni 1 -1 0\n",
        "d 4 0\n",
        "l 99999999999999999999 0 0\n",
    ] {
        assert!(proof::check(wrong).is_err(), "{wrong:?}");
    }
    assert!(proof::check("e 1 0 1\ne 2 1 0\nt 1 -1 -2 0 1 2 0\nu 1 1 2 0\n").is_ok());
    assert_eq!(Solver::new().proof(), Err(Error::NoProof));
}

/// A theory that cannot cope with being told anything.
#[derive(Debug)]
struct Fragile;

impl Theory for Fragile {
    fn assign(&mut self, _: Lit) {
        panic!("too much");
    }
    fn push(&mut self) {}
    fn pop_to(&mut self, _: usize) {}
    fn lemma(&mut self) -> Option<Vec<Lit>> {
        None
    }
    fn propagate(&mut self) -> Option<Lit> {
        None
    }
    fn reason(&mut self, literal: Lit) -> Vec<Lit> {
        vec![literal]
    }
}

#[test]
fn a_panic_in_a_theory_is_an_answer_not_an_abort() {
    let mut sat = Cadical::new();
    sat.connect(std::rc::Rc::new(std::cell::RefCell::new(Fragile)));
    let fresh = sat.new_variable();
    let (a, b) = (sat.observe(fresh), sat.new_variable());
    sat.add_clause(&[a, b]);
    sat.add_clause(&[a, !b]);
    assert_eq!(sat.solve(&[], &Limits::default()), Answer::Unknown(Unknown::Failed));
    assert_eq!(sat.failure().as_deref(), Some("too much"));
    assert_eq!(sat.solve(&[!a], &Limits::default()), Answer::Unknown(Unknown::Failed));
}

#[test]
fn equations_under_a_condition() {
    let mut terms = declared();
    let (x, next) = (parse(&mut terms, "x"), parse(&mut terms, "(bvadd y #x00000001)"));
    let small = parse(&mut terms, "(= y #x00000004)");
    let (right, wrong) = (parse(&mut terms, "(= x #x00000005)"), parse(&mut terms, "(= x #x00000006)"));
    for mut solver in [Solver::new(), Solver::with_proofs()] {
        let condition = solver.new_literal();
        solver.add_equal_when(&terms, condition, x, next).unwrap();
        solver.add(&terms, small).unwrap();
        let (right, wrong) = (solver.literal(&terms, right).unwrap(), solver.literal(&terms, wrong).unwrap());
        assert_eq!(solver.check_literals(&[condition, right]), Ok(Answer::Satisfiable));
        assert_eq!(solver.check_literals(&[!condition, wrong]), Ok(Answer::Satisfiable));
        assert_eq!(solver.check_literals(&[condition, wrong]), Ok(Answer::Unsatisfiable));
        let narrow = terms.bits(8, 0);
        assert!(matches!(solver.add_equal_when(&terms, condition, x, narrow), Err(Error::Expected { .. })));
    }
}
