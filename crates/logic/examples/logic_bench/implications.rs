//! Twenty predicates over six 32-bit integers; which of them hold after `x := x + 1` in states described by the others?
//! For each state and predicate two questions: can the predicate be true afterwards, can it be false?

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use selvedge_logic::smtlib::term_text;
use selvedge_logic::{Answer, Assignment, Result, Solver, Sort, Substitution, Term, Terms};

use selvedge_generate::random::Random;

const VARIABLES: usize = 6;
const PREDICATES: usize = 20;
const STATES: usize = 500;

struct Load {
    terms: Terms,
    /// The predicates and their negations, then the same after the assignment to each variable.
    formulas: Vec<Term>,
    /// Each question is a list of places in `formulas`.
    questions: Vec<Vec<usize>>,
}

fn predicate(terms: &mut Terms, variables: &[Term], random: &mut Random) -> selvedge_logic::Term {
    let (x, y) = (variables[random.index(VARIABLES)], variables[random.index(VARIABLES)]);
    let constant = terms.bits(32, random.index(10) as u128);
    match random.index(6) {
        0 => terms.slt(x, constant),
        1 => terms.equal(x, constant),
        2 => terms.sle(x, y),
        3 => {
            let shifted = terms.add(y, constant);
            terms.slt(x, shifted)
        }
        4 => {
            let sum = terms.add(x, y);
            terms.sle(sum, constant)
        }
        _ => {
            let shifted = terms.add(y, constant);
            terms.equal(x, shifted)
        }
    }
}

impl Load {
    fn new() -> Result<Load> {
        let mut random = Random::new(7);
        let mut terms = Terms::new();
        let variables =
            (0..VARIABLES).map(|number| terms.symbol(&format!("x{number}"), Sort::Bits(32))).collect::<Vec<Term>>();
        let mut predicates = Vec::new();
        while predicates.len() < PREDICATES {
            let predicate = predicate(&mut terms, &variables, &mut random);
            if terms.constant_value(predicate).is_none() && !predicates.contains(&predicate) {
                predicates.push(predicate);
            }
        }
        let mut formulas = Vec::new();
        let mut versions = vec![predicates.clone()];
        let one = terms.bits(32, 1);
        for &variable in &variables {
            let mut step = Substitution::new();
            let next = terms.add(variable, one);
            step.put(&terms, variable, next)?;
            versions.push(predicates.iter().map(|&p| terms.substitute(p, &mut step)).collect::<Result<Vec<Term>>>()?);
        }
        for version in &versions {
            for &predicate in version {
                formulas.extend([predicate, terms.not(predicate)]);
            }
        }
        let questions = Self::questions(&terms, &predicates, &mut random)?;
        Ok(Load { terms, formulas, questions })
    }

    fn questions(terms: &Terms, predicates: &[Term], random: &mut Random) -> Result<Vec<Vec<usize>>> {
        let mut questions = Vec::new();
        let symbols: Vec<_> = terms.symbols().collect();
        for _ in 0..STATES {
            let mut state = Assignment::new();
            for &symbol in &symbols {
                state.set(symbol, (random.index(16) as u128).wrapping_sub(3));
            }
            let kept = 3 + random.index(PREDICATES - 2);
            let mut cube = Vec::new();
            for (number, &predicate) in predicates.iter().enumerate() {
                if random.index(PREDICATES) < kept {
                    let holds = terms.evaluate(predicate, &state)?.is_true();
                    cube.push(2 * number + usize::from(!holds));
                }
            }
            let changed = 1 + random.index(VARIABLES);
            for after in 0..PREDICATES {
                for negated in 0..2 {
                    let mut question = cube.clone();
                    question.push(2 * (changed * PREDICATES + after) + negated);
                    questions.push(question);
                }
            }
        }
        Ok(questions)
    }

    fn ours(&self, mut solver: Solver) -> Result<(Duration, Vec<bool>, Solver)> {
        let start = Instant::now();
        let mut answers = Vec::with_capacity(self.questions.len());
        let mut assumptions = Vec::new();
        for question in &self.questions {
            assumptions.clear();
            assumptions.extend(question.iter().map(|&place| self.formulas[place]));
            answers.push(solver.check(&self.terms, &assumptions)? == Answer::Satisfiable);
        }
        Ok((start.elapsed(), answers, solver))
    }

    /// The same questions to z3, as assumptions over names for the formulas. What it needs to start and read the
    /// definitions is measured with a script without questions, and taken off.
    fn z3(&self) -> Option<(Duration, Vec<bool>)> {
        let mut head = String::from("(set-logic QF_BV)\n");
        for number in 0..VARIABLES {
            head += &format!("(declare-const x{number} (_ BitVec 32))\n");
        }
        for (place, &formula) in self.formulas.iter().enumerate() {
            head +=
                &format!("(declare-const f{place} Bool)\n(assert (= f{place} {}))\n", term_text(&self.terms, formula));
        }
        let mut script = head.clone();
        for question in &self.questions {
            let names: Vec<String> = question.iter().map(|place| format!("f{place}")).collect();
            script += &format!("(check-sat-assuming ({}))\n", names.join(" "));
        }
        let (idle, _) = timed_z3(head + "(check-sat)\n")?;
        let (busy, answers) = timed_z3(script)?;
        Some((busy.saturating_sub(idle), answers))
    }
}

fn timed_z3(script: String) -> Option<(Duration, Vec<bool>)> {
    let start = Instant::now();
    let mut child = Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut input = child.stdin.take()?;
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    let answers = String::from_utf8_lossy(&output.stdout).lines().map(|line| line == "sat").collect();
    Some((start.elapsed(), answers))
}

pub fn run() {
    println!("predicate abstraction: {PREDICATES} predicates over {VARIABLES} integers of 32 bits");
    if let Err(error) = measured() {
        println!("failed: {error}");
    }
    println!();
}

fn measured() -> Result<()> {
    let load = Load::new()?;
    let count = load.questions.len();
    println!(
        "{:<28} {:>9} {:>12} {:>11} {:>10} {:>8}",
        "", "questions", "unsatisfiable", "us/question", "conflicts", "recalled"
    );
    let mut times = Vec::new();
    let mut first = Vec::new();
    for (name, solver) in [
        ("selvedge", Solver::new()),
        ("selvedge, without memory", Solver::new().without_memory()),
        ("selvedge, with proofs", Solver::with_proofs()),
    ] {
        let (time, answers, solver) = load.ours(solver)?;
        let statistics = solver.statistics();
        println!(
            "{name:<28} {count:>9} {:>13} {:>11.2} {:>10} {:>8}",
            statistics.unsatisfiable,
            micros(time, count),
            statistics.conflicts,
            statistics.recalled
        );
        times.push(time);
        if first.is_empty() {
            first = answers;
        } else if first != answers {
            println!("the answers differ");
        }
    }
    match load.z3() {
        Some((time, answers)) => {
            let unsatisfiable = answers.iter().filter(|&&satisfiable| !satisfiable).count();
            println!("{:<28} {count:>9} {unsatisfiable:>13} {:>11.2}", "z3", micros(time, count));
            println!(
                "z3 takes {:.1} times as long, {:.1} times as long as without memory; answers {}",
                time.as_secs_f64() / times[0].as_secs_f64(),
                time.as_secs_f64() / times[1].as_secs_f64(),
                if answers == first { "agree" } else { "DIFFER" }
            );
        }
        None => println!("z3 is not installed"),
    }
    Ok(())
}

fn micros(time: Duration, count: usize) -> f64 {
    time.as_secs_f64() * 1e6 / count as f64
}
