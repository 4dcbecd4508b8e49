mod common;
use common::generate::program;
use common::{go, oracle, summary};
use selvedge_explicit::Reductions;
#[test]
fn stats() {
    let n: u64 = std::env::var("N").unwrap().parse().unwrap();
    let from: u64 = std::env::var("FROM").map_or(0, |x| x.parse().unwrap());
    let mut sums = [0u64; 8]; let mut kinds = std::collections::BTreeMap::new(); let mut oracle_ok=0; let mut viol=[0;5];
    for seed in from..from+n {
        let program = program(seed);
        let Some((expected, uns)) = oracle::violations(&program, 20_000) else { continue };
        oracle_ok+=1;
        for v in &expected { *kinds.entry(format!("{:?}", v.property())).or_insert(0) += 1; }
        viol[expected.len().min(4)]+=1;
        for (i, r) in Reductions::combinations().enumerate() { let e = go(&program, r); sums[i]+=e.statistics.states;
           let (found, cuts) = summary(&e);
           if found != expected || cuts.is_empty() == uns { println!("SEED {seed} {r:?} {found:?} vs {expected:?}"); }
        }
    }
    println!("{oracle_ok} {kinds:?} {viol:?} {sums:?}");
}
#[test]
fn dump() {
    let seed: u64 = std::env::var("SEED").unwrap().parse().unwrap();
    println!("{}", selvedge_program::text::program(&program(seed)));
}
