//! Prints what the solver can do: microseconds per question on a load like predicate abstraction (beside z3 where installed), the
//! order theory beside the naive encoding, and gates per second. Times are of one run on one machine; compare within a run.

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

/// SplitMix64.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit as u64) as usize
    }
}
