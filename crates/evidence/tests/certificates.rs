//! Certificates are checked again, and wrong ones are noticed.

use selvedge_evidence::{Again, Certificate, Claim, Means, Refusal, Standing, Subject, certify_claims};
use selvedge_logic::{Answer, Solver};
use selvedge_program::assemble::{Assembly, address, plain};
use selvedge_program::{Budget, CheckId, Expr, FunctionId, Program, Property};

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
    Certificate::Exhaustive { states: 9, again: Again::NotYet }
}

/// What a certificate shows of the program, going through so many states.
fn shown(certificate: &Certificate, claim: Claim, states: usize) -> Result<Standing, Refusal> {
    let means = Means { states, budget: &Budget::unlimited(), solver: None };
    certify_claims(&program(), &[claim], certificate, means).remove(0).1
}

const SMALL: Subject = Subject::Assertion(CheckId(0));
const ZERO: Subject = Subject::Assertion(CheckId(1));

#[test]
fn an_exploration_is_repeated() {
    assert_eq!(shown(&exhaustive(), Claim::Of(SMALL), 1000), Ok(Standing::Confirmed));
    assert_eq!(shown(&exhaustive(), Claim::All(Property::Memory), 1000), Ok(Standing::Confirmed));
    let wrong = Err(Refusal::Violated(ZERO));
    assert_eq!(shown(&exhaustive(), Claim::Of(ZERO), 1000), wrong);
    assert_eq!(shown(&exhaustive(), Claim::All(Property::Assertion), 1000), wrong);
    let race = shown(&exhaustive(), Claim::All(Property::Race), 1000);
    assert!(matches!(race, Err(Refusal::Violated(Subject::Race(_)))), "{race:?}");
    let order = shown(&exhaustive(), Claim::All(Property::Atomicity), 1000);
    assert!(matches!(order, Ok(Standing::Unchecked(_))), "{order:?}");
}

#[test]
fn what_is_too_large_is_said_to_be() {
    let standing = shown(&exhaustive(), Claim::Of(SMALL), 1).expect("nothing speaks against it");
    let text =
        "on trust: that all executions were explored, since they were not explored again: it has more than 1 states";
    assert_eq!(standing.to_string(), text);
}

/// Of several claims each is shown or not by itself.
#[test]
fn claims_are_shown_one_by_one() {
    let means = Means { states: 1000, budget: &Budget::unlimited(), solver: None };
    let found = certify_claims(&program(), &[Claim::Of(SMALL), Claim::Of(ZERO)], &exhaustive(), means);
    assert_eq!(found, [(Claim::Of(SMALL), Ok(Standing::Confirmed)), (Claim::Of(ZERO), Err(Refusal::Violated(ZERO)))]);
    let nothing = certify_claims(&program(), &[Claim::All(Property::Assertion)], &Certificate::NothingToCheck, means);
    assert_eq!(nothing[0].1, Err(Refusal::NotVacuous));
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
    Certificate::Refutation { bounds, instances, proof: proof.into(), again: Again::NotYet }
}

#[test]
fn a_refutation_is_followed_and_the_program_explored() {
    let proof = proof();
    assert_eq!(shown(&refutation(&proof), Claim::Of(SMALL), 1000), Ok(Standing::Confirmed));
    let standing = shown(&refutation(&proof), Claim::Of(SMALL), 1);
    assert!(matches!(&standing, Ok(Standing::OnTrust(what)) if what.contains("formula")), "{standing:?}");
    // A right refutation of the wrong formula.
    assert_eq!(shown(&refutation(&proof), Claim::Of(ZERO), 1000), Err(Refusal::Violated(ZERO)));
}

#[test]
fn a_refutation_with_a_gap_is_refused() {
    let broken: String =
        proof().lines().filter(|line| !line.starts_with('t')).map(|line| format!("{line}\n")).collect();
    let refused = shown(&refutation(&broken), Claim::Of(SMALL), 1000);
    assert!(matches!(refused, Err(Refusal::Proof(_))), "{refused:?}");
}
