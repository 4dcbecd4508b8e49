//! How fast terms become gates, and gates become clauses.

use std::time::Instant;

use selvedge_logic::circuit::{Blaster, Graph};
use selvedge_logic::{Result, Solver, Sort, Term, Terms};

type Operation = fn(&mut Terms, Term, Term) -> Term;

pub fn run() {
    println!("bit-blasting, 32 bits: an operation on two fresh symbols, compared with a third");
    println!(
        "{:<12} {:>6} {:>10} {:>14} {:>10} {:>14}",
        "operation", "count", "gates", "gates/s", "clauses", "gates+SAT/s"
    );
    let operations: [(&str, Operation, usize); 6] = [
        ("bvadd", Terms::add, 20_000),
        ("bvslt", Terms::slt, 20_000),
        ("bvshl", Terms::shl, 4_000),
        ("bvmul", Terms::mul, 400),
        ("bvudiv", Terms::udiv, 200),
        ("bvsrem", Terms::srem, 200),
    ];
    for (name, operation, count) in operations {
        if let Err(error) = measured(name, operation, count) {
            println!("{name}: failed: {error}");
        }
    }
    println!();
}

fn measured(name: &str, operation: Operation, count: usize) -> Result<()> {
    let mut terms = Terms::new();
    let mut results = Vec::new();
    for number in 0..count {
        let a = terms.symbol(&format!("a{number}"), Sort::Bits(32));
        let b = terms.symbol(&format!("b{number}"), Sort::Bits(32));
        let result = operation(&mut terms, a, b);
        let formula = match terms.sort(result) {
            Sort::Bool => result,
            sort => {
                let c = terms.symbol(&format!("c{number}"), sort);
                terms.equal(result, c)
            }
        };
        results.push(formula);
    }
    let (mut graph, mut blaster) = (Graph::new(), Blaster::new());
    let start = Instant::now();
    for &term in &results {
        blaster.word(&terms, &mut graph, term);
    }
    let blasting = start.elapsed().as_secs_f64();
    let mut solver = Solver::new();
    let start = Instant::now();
    for &term in &results {
        solver.literal(&terms, term)?;
    }
    let whole = start.elapsed().as_secs_f64();
    let gates = graph.len() as f64;
    println!(
        "{name:<12} {count:>6} {:>10} {:>14.0} {:>10} {:>14.0}",
        graph.len(),
        gates / blasting,
        solver.statistics().clauses,
        gates / whole
    );
    Ok(())
}
