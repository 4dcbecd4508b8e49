//! Random formulas: against brute force at small widths, and against another SMT solver at widths up to 64 when one is
//! on the machine (z3, cvc5 or bitwuzla on the path).
//!
//! `SELVEDGE_LOGIC_FORMULAS` sets how many formulas are tried and `SELVEDGE_LOGIC_SEED` where the random numbers start;
//! run with `--nocapture` to see the counts.

mod common;

use std::io::Write;
use std::process::{Command, Stdio};

use common::{Shape, Tree};
use selvedge_generate::random::Random;
use selvedge_logic::smtlib::{parse_script, parse_term, term_text};
use selvedge_logic::{Answer, Assignment, Limits, Solver, Term, Terms, proof};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn count(default: u64) -> usize {
    setting("SELVEDGE_LOGIC_FORMULAS", default) as usize
}

fn declared(shape: &Shape) -> Terms {
    let mut terms = Terms::new();
    parse_script(&mut terms, &shape.declarations()).unwrap();
    terms
}

/// Values for all variables of a shape, unpacked from the bits of one number.
struct Values<'a> {
    shape: &'a Shape,
    bits: u64,
}

impl Values<'_> {
    fn word(&self, number: usize, width: u32) -> i128 {
        let before: u32 =
            self.shape.widths.iter().take_while(|&&w| w != width).map(|w| w * self.shape.variables as u32).sum();
        i128::from(self.bits >> (before + number as u32 * width) & ((1 << width) - 1))
    }

    fn truth(&self, number: usize) -> bool {
        let before: u32 = self.shape.widths.iter().map(|w| w * self.shape.variables as u32).sum();
        self.bits >> (before + number as u32) & 1 == 1
    }

    fn total(shape: &Shape) -> u32 {
        shape.widths.iter().map(|w| w * shape.variables as u32).sum::<u32>() + shape.booleans as u32
    }

    fn of(&self, tree: &Tree) -> i128 {
        tree.value(&|number, width| self.word(number, width), &|number| self.truth(number))
    }

    fn assignment(&self, terms: &Terms) -> Assignment {
        let mut assignment = Assignment::new();
        for &width in &self.shape.widths {
            for number in 0..self.shape.variables {
                let symbol = terms.lookup(&format!("v{number}w{width}")).unwrap();
                assignment.set(symbol, self.word(number, width) as u128);
            }
        }
        for number in 0..self.shape.booleans {
            assignment.set(terms.lookup(&format!("p{number}")).unwrap(), u128::from(self.truth(number)));
        }
        assignment
    }
}

#[test]
fn small_formulas_agree_with_brute_force() {
    let shape = Shape { widths: vec![1, 2, 3], variables: 1, booleans: 2 };
    let mut random = Random::new(1);
    let (mut satisfiable, mut unsatisfiable) = (0, 0);
    for _ in 0..count(400) {
        let depth = 3 + random.index(3) as u32;
        let parts: Vec<Tree> = (0..1 + random.index(4)).map(|_| shape.formula(&mut random, depth)).collect();
        let mut terms = declared(&shape);
        let formulas: Vec<Term> = parts.iter().map(|tree| parse_term(&mut terms, &tree.text()).unwrap()).collect();
        let mut possible = false;
        for bits in 0..1u64 << Values::total(&shape) {
            let values = Values { shape: &shape, bits };
            let expected: Vec<i128> = parts.iter().map(|tree| values.of(tree)).collect();
            let actual = terms.evaluate_all(&formulas, &values.assignment(&terms)).unwrap();
            for ((tree, expected), actual) in parts.iter().zip(&expected).zip(actual) {
                assert_eq!(*expected as u128, actual.unsigned(), "{} with {bits:b}", tree.text());
            }
            possible |= expected.iter().all(|&value| value == 1);
        }
        match check_everything(&mut terms, &formulas) {
            Answer::Satisfiable => {
                assert!(possible);
                satisfiable += 1;
            }
            Answer::Unsatisfiable => {
                assert!(!possible);
                unsatisfiable += 1;
            }
            Answer::Unknown(_) => panic!("no limit was set"),
        }
    }
    println!("brute force: {satisfiable} satisfiable, {unsatisfiable} unsatisfiable, no disagreement");
}

/// Solves with the formulas as assumptions, and checks the model, or the core, its minimality and the proofs; then that
/// text and back is the same term, and that plain assertions give the same answer.
fn check_everything(terms: &mut Terms, formulas: &[Term]) -> Answer {
    let mut solver = Solver::with_proofs();
    let answer = solver.check(terms, formulas).unwrap();
    match answer {
        Answer::Satisfiable => {
            let model = solver.model(terms).unwrap();
            assert!(formulas.iter().all(|&formula| model.satisfies(terms, formula).unwrap()));
        }
        Answer::Unsatisfiable => {
            proof::check(&solver.proof().unwrap()).unwrap();
            solver.minimise_core().unwrap();
            proof::check(&solver.proof().unwrap()).unwrap();
            let core = solver.core().unwrap();
            assert!(core.iter().all(|term| formulas.contains(term)));
            let mut fresh = Solver::new();
            assert_eq!(fresh.check(terms, &core).unwrap(), Answer::Unsatisfiable);
            for left_out in 0..core.len() {
                let rest: Vec<Term> =
                    core.iter().enumerate().filter(|&(i, _)| i != left_out).map(|(_, &t)| t).collect();
                assert_eq!(fresh.check(terms, &rest).unwrap(), Answer::Satisfiable);
            }
        }
        Answer::Unknown(_) => {}
    }
    for &formula in formulas {
        let text = term_text(terms, formula);
        assert_eq!(parse_term(terms, &text).unwrap(), formula, "{text}");
    }
    let mut asserted = Solver::with_proofs();
    formulas.iter().for_each(|&formula| asserted.add(terms, formula).unwrap());
    assert_eq!(asserted.check(terms, &[]).unwrap(), answer);
    if answer == Answer::Unsatisfiable {
        let shown = proof::check(&asserted.proof().unwrap()).unwrap();
        assert!(shown.assumptions.is_empty());
    }
    answer
}

/// An SMT solver on the path, and how it is told to read a script from its input with a limit in milliseconds per
/// question.
fn other_solver() -> Option<(&'static str, Vec<&'static str>)> {
    let candidates: [(&str, &[&str]); 3] = [
        ("z3", &["-in", "-t:100"]),
        ("cvc5", &["--incremental", "--tlimit-per=100"]),
        ("bitwuzla", &["--time-limit-per=100"]),
    ];
    candidates.into_iter().find_map(|(name, arguments)| {
        let found = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        found.is_ok_and(|status| status.success()).then(|| (name, arguments.to_vec()))
    })
}

/// The other solver's answers to the questions, each a list of assertions.
fn ask_other(command: &(&str, Vec<&str>), declarations: &str, questions: &[Vec<String>]) -> Vec<String> {
    let mut script = format!("(set-option :print-success false)\n(set-logic QF_BV)\n{declarations}");
    for question in questions {
        script += "(push 1)\n";
        question.iter().for_each(|formula| script += &format!("(assert {formula})\n"));
        script += "(check-sat)\n(pop 1)\n";
    }
    script += "(exit)\n";
    let mut child =
        Command::new(command.0).args(&command.1).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let _ = input.write_all(script.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
}

#[derive(Debug, Default)]
struct Counts {
    satisfiable: usize,
    unsatisfiable: usize,
    undecided: usize,
    models: usize,
    cores: usize,
    proofs: usize,
}

#[test]
fn formulas_agree_with_another_solver() {
    let Some(command) = other_solver() else {
        println!("no other SMT solver on this machine: only brute force");
        return;
    };
    let shapes = [
        Shape { widths: vec![4, 8], variables: 3, booleans: 3 },
        Shape { widths: vec![8, 16, 32], variables: 2, booleans: 2 },
        Shape { widths: vec![7, 33, 64], variables: 2, booleans: 2 },
        Shape { widths: vec![1, 32, 64], variables: 3, booleans: 2 },
    ];
    let mut random = Random::new(setting("SELVEDGE_LOGIC_SEED", 2));
    let mut counts = Counts::default();
    let total = count(200);
    let mut done = 0;
    while done < total {
        let shape = &shapes[(done / 100) % shapes.len()];
        let batch = 100.min(total - done);
        compare_batch(&command, shape, &mut random, batch, &mut counts);
        done += batch;
    }
    println!("{total} formulas against {}: {counts:?}, no disagreement", command.0);
    assert!(counts.satisfiable + counts.unsatisfiable > total / 2);
}

fn compare_batch(command: &(&str, Vec<&str>), shape: &Shape, random: &mut Random, batch: usize, counts: &mut Counts) {
    let mut questions: Vec<Vec<String>> = Vec::new();
    let mut answers: Vec<(Answer, String)> = Vec::new();
    for _ in 0..batch {
        let depth = 2 + random.index(if shape.widths.contains(&64) { 2 } else { 3 }) as u32;
        let parts: Vec<Tree> = (0..1 + random.index(6)).map(|_| shape.formula(random, depth)).collect();
        let texts: Vec<String> = parts.iter().map(Tree::text).collect();
        let mut terms = declared(shape);
        let formulas: Vec<Term> = texts.iter().map(|text| parse_term(&mut terms, text).unwrap()).collect();
        let mut solver = Solver::with_proofs();
        solver.set_limits(Limits { conflicts: Some(2_000), ..Limits::default() });
        let answer = solver.check(&terms, &formulas).unwrap();
        answers.push((answer, texts.join("\n")));
        questions.push(texts.clone());
        match answer {
            Answer::Satisfiable => {
                let model = solver.model(&terms).unwrap();
                assert!(formulas.iter().all(|&formula| model.satisfies(&terms, formula).unwrap()), "{texts:?}");
                let mut valued = texts;
                for symbol in terms.symbols_of(&formulas) {
                    let name = terms.symbol_name(symbol).to_string();
                    let term = terms.symbol(&name, terms.symbol_sort(symbol));
                    valued.push(format!("(= {name} {})", model.value(&terms, term).unwrap()));
                }
                questions.push(valued);
                counts.models += 1;
            }
            Answer::Unsatisfiable => {
                proof::check(&solver.proof().unwrap()).unwrap();
                counts.proofs += 1;
                let core = solver.core().unwrap();
                questions.push(core.iter().map(|&term| term_text(&terms, term)).collect());
                counts.cores += 1;
            }
            Answer::Unknown(_) => questions.push(vec!["true".to_string()]),
        }
    }
    let others = ask_other(command, &shape.declarations(), &questions);
    assert_eq!(others.len(), 2 * batch, "{:?}", others.iter().find(|line| line.contains("error")));
    for (pair, (answer, text)) in others.chunks(2).zip(&answers) {
        match (answer, pair[0].as_str()) {
            (Answer::Unknown(_), _) | (_, "unknown" | "timeout") => {
                counts.undecided += 1;
                continue;
            }
            (Answer::Satisfiable, "sat") => counts.satisfiable += 1,
            (Answer::Unsatisfiable, "unsat") => counts.unsatisfiable += 1,
            (answer, other) => panic!("we say {answer:?}, the other solver says {other}:\n{text}"),
        }
        let confirmed = if *answer == Answer::Satisfiable { "sat" } else { "unsat" };
        assert!([confirmed, "unknown", "timeout"].contains(&pair[1].as_str()), "model or core rejected:\n{text}");
    }
}
