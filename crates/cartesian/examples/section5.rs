//! The class of Section 5: the paper's Figure 4 beside our times, threads interchangeable and threads told apart, and
//! what happens when the number of threads grows further.

use selvedge_cartesian::domain::{Count, Kept, solve};
use selvedge_cartesian::models::{Threads, critical_sections};
use std::time::Instant;

/// Figure 4: seconds, by critical sections (1, 3, 5, 7, 9) and threads (10 to 100).
const FIGURE_4: [[f64; 10]; 5] = [
    [0.1, 1.2, 5.6, 19.0, 45.0, 88.0, 163.0, 249.0, 452.0, 650.0],
    [0.2, 2.8, 13.0, 40.0, 90.0, 184.0, 370.0, 570.0, 920.0, 1423.0],
    [0.3, 5.0, 26.0, 72.0, 186.0, 359.0, 675.0, 1192.0, 1901.0, 3022.0],
    [0.6, 8.7, 36.0, 131.0, 335.0, 642.0, 1158.0, 1907.0, 3374.0, 5170.0],
    [0.9, 13.9, 60.0, 210.0, 498.0, 1052.0, 1889.0, 3160.0, 4836.0, 7328.0],
];

/// The time in seconds to compute the fixpoint and see that it excludes two threads in critical sections.
fn seconds(threads: Threads, sections: u32) -> f64 {
    let begun = Instant::now();
    let mut table = critical_sections(threads, sections);
    let Ok(fixpoint) = solve(&mut table, Kept::All, |_, _| Ok(()));
    let is_critical = |local: u32| !local.is_multiple_of(3);
    for product in fixpoint.nodes.iter().flat_map(|node| node.products(Kept::All)) {
        let mut inside = 0;
        for group in &product {
            inside += group.slots.iter().filter(|slot| slot.iter().any(is_critical)).count();
            inside += if group.rest.iter().any(is_critical) { 2 } else { 0 };
        }
        assert!(inside <= 1, "mutual exclusion is proved");
    }
    begun.elapsed().as_secs_f64()
}

fn main() {
    println!("seconds: the paper (2.8 GHz, OCaml) | threads told apart | interchangeable threads");
    print!("m \\ n");
    (1..=10).for_each(|tens| print!(" | {:^22}", tens * 10));
    println!();
    for (row, sections) in [1, 3, 5, 7, 9].into_iter().enumerate() {
        print!("{sections:5}");
        for tens in 1..=10u32 {
            let apart = seconds(Threads::Distinct(tens * 10), sections);
            let equal = seconds(Threads::Interchangeable(Count::Exactly(u64::from(tens * 10))), sections);
            print!(" | {:>6} {apart:>7.3} {equal:>7.5}", FIGURE_4[row][tens as usize - 1]);
        }
        println!();
    }
    println!();
    println!("interchangeable threads, 9 critical sections, the best of 20 runs:");
    let best = |count| (0..20).map(|_| seconds(Threads::Interchangeable(count), 9)).fold(f64::INFINITY, f64::min);
    let ten = best(Count::Exactly(10));
    for (name, count) in [
        ("10", Count::Exactly(10)),
        ("1,000", Count::Exactly(1000)),
        ("100,000", Count::Exactly(100_000)),
        ("any", Count::Unbounded),
    ] {
        let time = best(count);
        println!("n = {name:>7}: {:.6} s, {:.2} times n = 10", time, time / ten);
    }
}
