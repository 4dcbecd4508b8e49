//! Prints what the solver can do: microseconds per question on a load like predicate abstraction (beside z3 where
//! installed), the order theory beside the naive encoding, and gates per second. Times are of one run on one machine;
//! compare within a run.

mod blasting;
mod implications;
mod ordering;

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|choice| choice == name);
    if wanted("implications") {
        implications::run();
    }
    if wanted("order") {
        ordering::run();
    }
    if wanted("blasting") {
        blasting::run();
    }
}
