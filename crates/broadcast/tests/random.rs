//! Random programs: every search against plain enumeration, every proof against the checker.

mod common;

use common::{PATIENCE, patience, random_system};
use selvedge_broadcast::counter::{self, Counted};
use selvedge_broadcast::{Instance, plain, text};

/// As many programs; 2,000 with the environment variable `SELVEDGE_PROGRAMS=2000`.
fn programs() -> u64 {
    std::env::var("SELVEDGE_PROGRAMS").ok().and_then(|number| number.parse().ok()).unwrap_or(300)
}

fn instance(many: u32) -> Instance {
    Instance { many, most: many + 2 }
}

#[test]
fn what_is_printed_is_read() {
    for seed in 0..programs() {
        let system = random_system(seed);
        let printed = text::print(system.program());
        let read = text::parse(&printed).unwrap_or_else(|error| panic!("{}", error.show("random", &printed)));
        assert_eq!(&read, system.program(), "{printed}");
    }
}

#[test]
fn counting_agrees_with_plain_enumeration() {
    let (mut safe, mut failing) = (0, 0);
    for seed in 0..programs() {
        let system = random_system(seed);
        let shown = || format!("seed {seed}\n{}", text::print(system.program()));
        for many in 1..=4 {
            let Ok(plain) = plain::search(&system, &instance(many), &mut patience(PATIENCE)) else { break };
            match counter::search(&system, &instance(many), &mut || true).unwrap() {
                Counted::Safe(proof) => {
                    assert!(plain.trace.is_none(), "{many} threads, {}", shown());
                    assert_eq!(proof.is_cut, plain.is_cut, "{}", shown());
                    safe += 1;
                }
                Counted::Unsafe(path) => {
                    let trace = plain.trace.unwrap_or_else(|| panic!("{many} threads, {}", shown()));
                    assert_eq!(trace.active.len(), path.steps.len(), "both are shortest: {}", shown());
                    assert!(plain::accepts(&system, &path.trace()), "{}", shown());
                    assert!(plain::accepts(&system, &trace), "{}", shown());
                    failing += 1;
                }
            }
        }
    }
    eprintln!("{safe} instances are safe, {failing} are not");
    assert!(safe > programs() / 5 && failing > programs() / 5, "{safe} safe, {failing} failing");
}
