//! The exploration that confirms proofs, compared with the plainest search on random programs: it finds the same, and it
//! goes through fewer states. `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default,
//! `SELVEDGE_KINDS=wide,copies` for certain generators.

mod common;

use common::compile;
use selvedge::evidence::exploration::{CHOICES, Explored, explore};
use selvedge::evidence::{Recheck, recheck};
use selvedge::program::Budget;
use selvedge_generate::{GENERATORS, seeds};

/// How far both go.
const STATES: usize = 20_000;

const KINDS: [&str; 10] = [
    "concurrent",
    "sections",
    "threads",
    "protocols",
    "pointers",
    "uninitialised",
    "copies",
    "moved",
    "undefined",
    "edges",
];

#[test]
fn both_find_the_same() {
    let asked = std::env::var("SELVEDGE_KINDS").ok();
    let is_asked = |kind: &str| match &asked {
        Some(asked) => asked.split(',').any(|asked| asked == kind),
        None => KINDS.contains(&kind),
    };
    let (mut programs, mut plain_states, mut states) = (0, 0, 0);
    for seed in seeds(0..15) {
        for (kind, generator) in GENERATORS.into_iter().filter(|(kind, _)| is_asked(kind)) {
            let name = format!("{kind}{seed}.c");
            let text = generator(seed);
            let program = compile(&name, &text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            let plain: Recheck = recheck(&program, STATES, CHOICES);
            let again: Explored = explore(&program, STATES, &Budget::unlimited());
            if plain.is_complete {
                assert_eq!(again.stopped, None, "{name}\n{text}");
                assert_eq!(again.subjects, plain.subjects, "{name}\n{text}");
                assert_eq!(again.violated, plain.violated, "{name}\n{text}");
                assert!(again.states <= plain.states, "{name}: {} of {}\n{text}", again.states, plain.states);
                programs += 1;
                plain_states += plain.states;
                states += again.states;
            } else if again.stopped.is_none() {
                // It got farther; then it has at least what the other one found.
                assert!(again.subjects.is_superset(&plain.subjects), "{name}\n{text}");
            }
        }
    }
    println!("{programs} programs compared, {plain_states} states of the plainest search, {states} of the other");
    assert!(programs > 20, "{programs} programs compared");
}
