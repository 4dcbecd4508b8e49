//! Random skeletons against an oracle that enumerates their executions: all modes give its answers, every execution is
//! one, every refutation has a proof.
//!
//! `SELVEDGE_INTERFERENCE_SKELETONS` says how many; run with `--nocapture` to see the counts.

mod common;

use common::build::show;
use common::oracle::{Oracle, all_goals};
use common::random;
use selvedge_interleaving::{GoalId, Mode, Outcome, RefineOptions, Refiner};
use selvedge_logic::proof;
use selvedge_program::{Budget, Quiet};

fn count() -> u64 {
    std::env::var("SELVEDGE_INTERFERENCE_SKELETONS").ok().and_then(|text| text.parse().ok()).unwrap_or(600)
}

#[derive(Default)]
struct Counts {
    skeletons: u64,
    skipped: u64,
    executions: u64,
    refutations: u64,
    iterations: [u64; 4],
}

/// Which goals can hold, found by asking for all that are left until none is.
fn all_reachable(refiner: &mut Refiner<'_>, check: &mut dyn FnMut(&Refiner<'_>, &Outcome)) -> Vec<bool> {
    let mut left = all_goals(refiner.skeleton());
    let mut reachable = vec![false; left.len()];
    while !left.is_empty() {
        let outcome = refiner.ask(&left, &Budget::unlimited(), &mut Quiet).unwrap();
        check(refiner, &outcome);
        match outcome {
            Outcome::Execution(execution) => {
                for goal in &execution.goals {
                    reachable[goal.index()] = true;
                }
                left.retain(|goal| !execution.goals.contains(goal));
            }
            Outcome::Refuted(_) => break,
            Outcome::Unmodelled(_) => panic!("nothing is opaque"),
        }
    }
    reachable
}

fn agree(seed: u64, counts: &mut Counts) {
    let skeleton = random::skeleton(seed);
    let Some(expected) = Oracle::new(&skeleton).reachable(20_000) else {
        counts.skipped += 1;
        return;
    };
    counts.skeletons += 1;
    for (number, mode) in Mode::ALL.into_iter().enumerate() {
        let mut own = random::skeleton(seed);
        let mut refiner = Refiner::new(&mut own, RefineOptions { mode }).unwrap();
        let found = all_reachable(&mut refiner, &mut |refiner, outcome| match outcome {
            Outcome::Execution(execution) => {
                counts.executions += 1;
                Oracle::new(refiner.skeleton()).follow(execution);
            }
            _ => counts.refutations += 1,
        });
        let refuted: Vec<GoalId> = (0..found.len()).filter(|&number| !found[number]).map(GoalId::new).collect();
        if !refuted.is_empty() {
            let certificate = refiner.certificate(&refuted, &Budget::unlimited()).unwrap();
            proof::check(&certificate.proof).unwrap();
        }
        assert_eq!(found, expected, "seed {seed}, mode {mode}, all goals at once\n{}", show(refiner.skeleton()));
        counts.iterations[number] += refiner.statistics().iterations;

        let mut own = random::skeleton(seed);
        let mut refiner = Refiner::new(&mut own, RefineOptions { mode }).unwrap();
        for (number, &expected) in expected.iter().enumerate() {
            let goal = GoalId::new(number);
            match refiner.ask(&[goal], &Budget::unlimited(), &mut Quiet).unwrap() {
                Outcome::Execution(execution) => {
                    assert!(expected, "seed {seed}, mode {mode}, goal {number} cannot hold");
                    Oracle::new(refiner.skeleton()).follow(&execution);
                    assert_eq!(execution.goals, [goal]);
                    counts.executions += 1;
                }
                Outcome::Refuted(_) => {
                    assert!(
                        !expected,
                        "seed {seed}, mode {mode}, goal {number} can hold\n{}",
                        show(refiner.skeleton())
                    );
                    let certificate = refiner.certificate(&[goal], &Budget::unlimited()).unwrap();
                    let checked = proof::check(&certificate.proof).unwrap();
                    assert!(checked.assumptions.len() <= 1, "the proof needs the goal and nothing else");
                    counts.refutations += 1;
                }
                Outcome::Unmodelled(_) => panic!("nothing is opaque"),
            }
        }
    }
}

#[test]
fn all_modes_agree_with_the_oracle() {
    let mut counts = Counts::default();
    let first = std::env::var("SELVEDGE_INTERFERENCE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    for seed in first..first + count() {
        agree(seed, &mut counts);
    }
    println!(
        "{} skeletons ({} too large), {} executions followed, {} refutations; iterations {:?}",
        counts.skeletons, counts.skipped, counts.executions, counts.refutations, counts.iterations
    );
    assert!(counts.skeletons > counts.skipped * 10);
}
