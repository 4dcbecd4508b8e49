//! Random programs: every search against plain enumeration, every proof against the checker.

mod common;

use common::{PATIENCE, patience, random_system};
use selvedge_broadcast::basis::Minimal;
use selvedge_broadcast::check::{Refused, check_any, check_counted};
use selvedge_broadcast::configuration::Configuration;
use selvedge_broadcast::counter::{self, CountProof, Counted};
use selvedge_broadcast::coverability::{self, Answer, CoverProof};
use selvedge_broadcast::pairs::Phase;
use selvedge_broadcast::{Instance, LocalState, Statement, System, plain, text};
use selvedge_generate::random::Random;

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
            let Ok(plain) = plain::search(&system, &instance(many), &mut patience(PATIENCE / many)) else { break };
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
        let Ok(covered) = coverability::search(&system, &mut patience(5 * PATIENCE)) else { continue };
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
                // What is started may do what one more at first could.
                let mut statements = system.program().templates.iter().flat_map(|template| &template.statements);
                let starts = statements.any(|statement| matches!(statement, Statement::Start(_)));
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

/// Whether an invariant holds of a configuration.
fn holds(system: &System, proof: &CoverProof, configuration: &Configuration) -> bool {
    let is_inside = configuration.threads.iter().any(|(local, _)| system.is_inside(*local));
    let phase = Phase { shared: configuration.shared, is_inside };
    let locals = proof.pairs.iter().filter(|(known, _)| *known == phase).flat_map(|(_, locals)| locals);
    let locals: Vec<&LocalState> = locals.collect();
    configuration.threads.iter().all(|(local, _)| locals.contains(&local))
        && !proof.basis.iter().any(|minimal| minimal.phase() == phase && configuration.covers(&minimal.least))
}

/// A proof with one thing changed, and whether that must be refused: pairs and basis are least, so that nothing in them
/// can be left out.
fn mutated(random: &mut Random, proof: &CoverProof) -> (CoverProof, bool) {
    let mut changed = proof.clone();
    let pair = random.index(changed.pairs.len());
    let element = random.index(changed.basis.len());
    match random.below(5) {
        0 => {
            let place = random.index(changed.pairs[pair].1.len());
            changed.pairs[pair].1.remove(place);
            (changed, true)
        }
        1 if !changed.basis.is_empty() => {
            changed.basis.remove(element);
            (changed, true)
        }
        2 if !changed.basis.is_empty() => {
            let least = &mut changed.basis[element].least;
            let place = random.index(least.threads.len());
            least.threads[place].1 += 1;
            (changed, true)
        }
        3 if !changed.basis.is_empty() => {
            let least = &mut changed.basis[element].least;
            let (local, _) = least.threads[random.index(least.threads.len())];
            *least = least.without(local).unwrap();
            (changed, false)
        }
        _ => {
            // Something new in the basis.
            let (phase, locals) = &changed.pairs[pair];
            let least = Configuration::new(phase.shared, [(*random.pick(locals), 1), (*random.pick(locals), 1)]);
            changed.basis.push(Minimal { is_inside: phase.is_inside, least });
            (changed, false)
        }
    }
}

#[test]
fn changed_proofs_are_refused_unless_they_hold() {
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..programs() {
        let system = random_system(seed);
        let mut random = Random::new(seed);
        let shown = || format!("seed {seed}\n{}", text::print(system.program()));
        if let Ok(Counted::Safe(proof)) = counter::search(&system, &instance(2), &mut patience(PATIENCE)) {
            let mut changed = proof.clone();
            changed.configurations.remove(random.index(proof.configurations.len()));
            assert!(check_counted(&system, &changed).is_err(), "{}", shown());
            if proof.is_cut {
                assert_eq!(check_counted(&system, &CountProof { is_cut: false, ..proof }), Err(Refused::Cut));
            }
            refused += 1;
        }
        let Ok(covered) = coverability::search(&system, &mut patience(PATIENCE)) else { continue };
        let Answer::Safe(proof) = covered.answer else { continue };
        for _ in 0..4 {
            let (changed, must_be_refused) = mutated(&mut random, &proof);
            if check_any(&system, &changed).is_err() {
                refused += 1;
                continue;
            }
            assert!(!must_be_refused, "{changed:?}, {}", shown());
            accepted += 1;
            for many in 1..=3 {
                let Ok(Counted::Safe(reached)) = counter::search(&system, &instance(many), &mut patience(PATIENCE))
                else {
                    break;
                };
                assert!(reached.configurations.iter().all(|reached| holds(&system, &changed, reached)), "{}", shown());
            }
        }
    }
    eprintln!("{refused} changed proofs are refused, {accepted} still hold");
    assert!(refused > programs() && accepted > 0, "{refused} refused, {accepted} accepted");
}
