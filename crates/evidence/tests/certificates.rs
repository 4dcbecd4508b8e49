//! Certificates are checked again, and wrong ones are noticed.

use selvedge_evidence::{Again, Certificate, CertificateError, Claim, Standing, Subject};
use selvedge_logic::{Answer, Solver};
use selvedge_program::assemble::{Assembly, address, plain};
use selvedge_program::{CheckId, Expr, FunctionId, Program, Property};

/// `main` starts a thread that writes a variable, and asserts what it reads of it.
fn program() -> Program {
    let mut assembly = Assembly::new();
    let variable = assembly.global("variable", 4);
    let (small, zero) = (assembly.check("variable <= 1"), assembly.check("variable == 0"));
    assembly.function("main", Some(32), |main| {
        let thread = main.register("thread", 64);
        let seen = main.register("seen", 32);
        main.spawn(thread, FunctionId(1), Expr::constant(64, 0));
        main.load(seen, plain(address(variable), 4));
        let is = |value| Expr::equal(seen.into(), Expr::constant(32, value));
        let one_of = Expr::binary(selvedge_program::BinaryOp::Or, is(0), is(1));
        main.assert(one_of, small);
        main.assert(is(0), zero);
        main.ret(Expr::constant(32, 0));
    });
    assembly.function("worker", Some(64), |worker| {
        worker.parameter("arg", 64);
        worker.store(plain(address(variable), 4), Expr::constant(32, 1));
        worker.ret(Expr::constant(64, 0));
    });
    assembly.program.validate().expect("the program is well-formed");
    assembly.program
}

fn exhaustive() -> Certificate {
    Certificate::Exhaustive { states: 9, reductions: vec!["fusion"], again: Again::NotYet }
}

const SMALL: Subject = Subject::Assertion(CheckId(0));
const ZERO: Subject = Subject::Assertion(CheckId(1));

#[test]
fn an_exploration_is_repeated() {
    let program = program();
    assert_eq!(exhaustive().check(&program, Claim::Of(SMALL), 1000), Ok(Standing::Confirmed));
    assert_eq!(exhaustive().check(&program, Claim::All(Property::Memory), 1000), Ok(Standing::Confirmed));
    let wrong = Err(CertificateError::Violated(ZERO));
    assert_eq!(exhaustive().check(&program, Claim::Of(ZERO), 1000), wrong);
    assert_eq!(exhaustive().check(&program, Claim::All(Property::Assertion), 1000), wrong);
    let race = exhaustive().check(&program, Claim::All(Property::Race), 1000);
    assert!(matches!(race, Err(CertificateError::Violated(Subject::Race(_)))), "{race:?}");
}

#[test]
fn what_is_too_large_is_said_to_be() {
    let standing = exhaustive().check(&program(), Claim::Of(SMALL), 1);
    assert_eq!(standing, Ok(Standing::Partly("the program is too large to be explored again without reductions")));
}

/// The refutation of a ring of events.
fn proof() -> String {
    let mut solver = Solver::with_proofs();
    let (a, b) = (solver.new_event(), solver.new_event());
    let ring = [solver.before(a, b), solver.before(b, a)].map(|literal| literal.expect("events can be ordered"));
    assert_eq!(solver.check_literals(&ring), Ok(Answer::Unsatisfiable));
    solver.proof().expect("there is a proof")
}

fn refutation(proof: &str) -> Certificate {
    let (bounds, instances) = ("2 threads".to_owned(), "1 of 3 links".to_owned());
    Certificate::Refutation { bounds, instances, proof: proof.into() }
}

#[test]
fn a_refutation_is_followed() {
    let (program, proof) = (program(), proof());
    assert_eq!(refutation(&proof).check(&program, Claim::Of(SMALL), 1000), Ok(Standing::Confirmed));
    let standing = refutation(&proof).check(&program, Claim::Of(SMALL), 1);
    assert_eq!(standing, Ok(Standing::Partly("that the refuted formula says what the program does")));
    // A right refutation of the wrong formula.
    let wrong = refutation(&proof).check(&program, Claim::Of(ZERO), 1000);
    assert_eq!(wrong, Err(CertificateError::Violated(ZERO)));
}

#[test]
fn a_refutation_with_a_gap_is_refused() {
    let broken: String =
        proof().lines().filter(|line| !line.starts_with('t')).map(|line| format!("{line}\n")).collect();
    let refused = refutation(&broken).check(&program(), Claim::Of(SMALL), 1000);
    assert!(matches!(refused, Err(CertificateError::Proof(_))), "{refused:?}");
}
