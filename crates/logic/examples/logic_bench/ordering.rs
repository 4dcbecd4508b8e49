//! The order theory on the shape that bounded checking gives it: threads of events, reads that must read from some
//! write, and other writes that must stay out of between. Beside it the naive encoding (a variable per pair,
//! transitivity), where it fits.

use std::time::{Duration, Instant};

use selvedge_logic::{Answer, Event, Limits, Lit, Result, Solver};

use selvedge_generate::random::Random;

const THREADS: usize = 8;
const NAIVE_LIMIT: usize = 200;

/// An access: its thread, its variable, and whether it writes.
struct Access {
    thread: usize,
    variable: usize,
    writes: bool,
}

struct Program {
    accesses: Vec<Access>,
    /// In the execution that the program was made from, the write that each read reads from.
    source: Vec<Option<usize>>,
}

impl Program {
    /// From a random execution, so that at least that one exists; so many accesses share a variable.
    fn new(size: usize, sharing: usize, random: &mut Random) -> Program {
        let variables = (size / sharing).max(2);
        let mut accesses: Vec<Access> = Vec::new();
        let mut last = vec![None; variables];
        let mut source = Vec::new();
        for _ in 0..size {
            let variable = random.index(variables);
            let writes = last[variable].is_none() || random.index(2) == 0;
            source.push(if writes { None } else { last[variable] });
            if writes {
                last[variable] = Some(accesses.len());
            }
            accesses.push(Access { thread: random.index(THREADS), variable, writes });
        }
        Program { accesses, source }
    }

    fn writes(&self, variable: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.accesses.len()).filter(move |&a| self.accesses[a].writes && self.accesses[a].variable == variable)
    }

    /// States everything with the given literal for "a before b"; gives each read's links.
    fn state(
        &self,
        solver: &mut Solver,
        before: &mut dyn FnMut(&mut Solver, usize, usize) -> Result<Lit>,
    ) -> Result<Links> {
        let mut links = Vec::new();
        for read in (0..self.accesses.len()).filter(|&a| !self.accesses[a].writes) {
            let writes: Vec<usize> = self.writes(self.accesses[read].variable).collect();
            let candidates: Vec<(usize, Lit)> = writes.iter().map(|&write| (write, solver.new_literal())).collect();
            let some: Vec<Lit> = candidates.iter().map(|&(_, link)| link).collect();
            solver.add_clause(&some);
            for &(write, link) in &candidates {
                let follows = before(solver, write, read)?;
                solver.add_clause(&[!link, follows]);
                for &other in writes.iter().filter(|&&other| other != write) {
                    let (earlier, later) = (before(solver, other, write)?, before(solver, read, other)?);
                    solver.add_clause(&[!link, earlier, later]);
                }
            }
            links.push((read, candidates));
        }
        Ok(links)
    }

    /// Neighbours in program order.
    fn program_order(&self) -> Vec<(usize, usize)> {
        let mut last = [None; THREADS];
        let mut pairs = Vec::new();
        for (number, access) in self.accesses.iter().enumerate() {
            if let Some(before) = last[access.thread].replace(number) {
                pairs.push((before, number));
            }
        }
        pairs
    }
}

type Links = Vec<(usize, Vec<(usize, Lit)>)>;

struct Measured {
    build: Duration,
    times: Vec<Duration>,
    answers: Vec<Answer>,
}

/// Three questions: any execution; the known one; a third of the reads bound to random sources (mostly impossible).
fn questions(program: &Program, solver: &mut Solver, links: &Links, build: Duration) -> Result<Measured> {
    let mut random = Random::new(5);
    let known: Vec<Lit> = links
        .iter()
        .filter_map(|(read, candidates)| candidates.iter().find(|(write, _)| Some(*write) == program.source[*read]))
        .map(|&(_, link)| link)
        .collect();
    let mut bound: Vec<Lit> = Vec::new();
    for (_, candidates) in links {
        if random.index(3) == 0 {
            bound.push(candidates[random.index(candidates.len())].1);
        }
    }
    let mut measured = Measured { build, times: Vec::new(), answers: Vec::new() };
    for assumptions in [Vec::new(), known, bound] {
        solver.set_limits(Limits { deadline: Some(Instant::now() + Duration::from_secs(30)), ..Limits::default() });
        let start = Instant::now();
        measured.answers.push(solver.check_literals(&assumptions)?);
        measured.times.push(start.elapsed());
    }
    Ok(measured)
}

fn with_theory(program: &Program) -> Result<(Measured, Solver)> {
    let start = Instant::now();
    let mut solver = Solver::new();
    let events: Vec<Event> = program.accesses.iter().map(|_| solver.new_event()).collect();
    for (a, b) in program.program_order() {
        solver.add_before(events[a], events[b])?;
    }
    let links = program.state(&mut solver, &mut |solver, a, b| solver.before(events[a], events[b]))?;
    let measured = questions(program, &mut solver, &links, start.elapsed())?;
    Ok((measured, solver))
}

fn with_clauses(program: &Program) -> Result<Measured> {
    let start = Instant::now();
    let mut solver = Solver::new();
    let n = program.accesses.len();
    let pairs: Vec<Vec<Lit>> = (0..n).map(|_| (0..n).map(|_| solver.new_literal()).collect()).collect();
    for a in 0..n {
        solver.add_clause(&[!pairs[a][a]]);
        for b in 0..n {
            for c in 0..n {
                solver.add_clause(&[!pairs[a][b], !pairs[b][c], pairs[a][c]]);
            }
        }
    }
    for (a, b) in program.program_order() {
        solver.add_clause(&[pairs[a][b]]);
    }
    let links = program.state(&mut solver, &mut |_, a, b| Ok(pairs[a][b]))?;
    questions(program, &mut solver, &links, start.elapsed())
}

pub fn run() {
    println!(
        "order theory: {THREADS} threads, reads from any write of the same variable; three questions (any execution, the known"
    );
    println!("one, a third of the reads bound at random); seconds, s satisfiable, u unsatisfiable, ? not within 30 s");
    println!(
        "{:<8} {:>7} {:>9} {:>8} {:>20} {:>10} {:>8} {:>8}",
        "", "events", "edges", "build", "questions", "insertions", "cycles", "forced"
    );
    let sizes =
        [(100, 20), (200, 20), (500, 20), (1000, 20), (2000, 20), (5000, 20), (1000, 100), (2000, 100), (5000, 100)];
    for (size, sharing) in sizes {
        let program = Program::new(size, sharing, &mut Random::new(size as u64));
        match with_theory(&program) {
            Ok((measured, solver)) => {
                let order = solver.order_statistics();
                print_row("theory", size, order.edges, &measured);
                println!(" {:>10} {:>8} {:>8}", order.insertions, order.cycles, order.forced);
            }
            Err(error) => println!("theory {size}: failed: {error}"),
        }
        if size <= NAIVE_LIMIT {
            match with_clauses(&program) {
                Ok(measured) => {
                    print_row("naive", size, (size * size) as u64, &measured);
                    println!();
                }
                Err(error) => println!("naive {size}: failed: {error}"),
            }
        }
    }
    println!();
}

fn print_row(name: &str, size: usize, edges: u64, measured: &Measured) {
    let answers: Vec<String> = measured
        .times
        .iter()
        .zip(&measured.answers)
        .map(|(time, answer)| {
            let letter = match answer {
                Answer::Satisfiable => 's',
                Answer::Unsatisfiable => 'u',
                Answer::Unknown(_) => '?',
            };
            format!("{:.2}{letter}", time.as_secs_f64())
        })
        .collect();
    print!("{name:<8} {size:>7} {edges:>9} {:>8.2} {:>20}", measured.build.as_secs_f64(), answers.join(" "));
}
