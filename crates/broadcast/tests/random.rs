//! Random programs: every search against plain enumeration, every proof against the checker.

mod common;

use common::{PATIENCE, patience, random_system};
use selvedge_broadcast::check::{check_any, check_counted};
use selvedge_broadcast::counter::{self, Counted};
use selvedge_broadcast::coverability::{self, Answer};
use selvedge_broadcast::{Instance, plain, text};

/// As many programs; 2,000 with the environment variable `SELVEDGE_PROGRAMS=2000`.
fn programs() -> u64 {
    std::env::var("SELVEDGE_PROGRAMS").ok().and_then(|number| number.parse().ok()).unwrap_or(300)
}

fn instance(many: u32) -> Instance {
    Instance { many, most: many + 1 }
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
            match counter::search(&system, &instance(many), &mut patience(20 * PATIENCE)).unwrap() {
                Counted::Safe(proof) => {
                    assert!(plain.trace.is_none(), "{many} threads, {}", shown());
                    assert_eq!(proof.is_cut, plain.is_cut, "{}", shown());
                    assert_eq!(check_counted(&system, &proof), Ok(()), "{}", shown());
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

#[test]
fn coverability_agrees_with_counting() {
    let (mut safe, mut failing, mut blocked) = (0, 0, 0);
    for seed in 0..programs() {
        let system = random_system(seed);
        let shown = || format!("seed {seed}\n{}", text::print(system.program()));
        let Ok(covered) = coverability::search(&system, &mut patience(20 * PATIENCE)) else { continue };
        let counted = |many| counter::search(&system, &instance(many), &mut patience(5 * PATIENCE));
        match covered.answer {
            Answer::Safe(proof) => {
                assert_eq!(check_any(&system, &proof), Ok(()), "{}", shown());
                for many in 1..=4 {
                    let Ok(counted) = counted(many) else { break };
                    assert!(matches!(counted, Counted::Safe(_)), "{many} threads, {}", shown());
                }
                safe += 1;
            }
            Answer::Unsafe(path) => {
                assert!(plain::accepts(&system, &path.trace()), "{}", shown());
                let starts = path.steps.iter().any(|step| step.started.is_some());
                let many = path.initial.threads.iter().filter(|(local, _)| local.template.0 == 0);
                let many: u32 = many.map(|(_, count)| count).sum();
                for fewer in 1..many {
                    let Ok(counted) = counted(fewer) else { break };
                    let is_smallest = matches!(counted, Counted::Safe(_)) || starts || !covered.is_exact;
                    assert!(is_smallest, "{fewer} threads of {many} suffice: {}", shown());
                }
                failing += 1;
            }
            Answer::Blocked(..) => {
                assert!(!covered.is_exact, "{}", shown());
                blocked += 1;
            }
        }
    }
    eprintln!("{safe} programs are safe for any number of threads, {failing} are not, {blocked} are blocked");
    assert!(safe > programs() / 10 && failing > programs() / 10, "{safe} safe, {failing} failing");
}
