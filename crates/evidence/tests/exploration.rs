//! The exploration that confirms proofs, compared with the plainest search on random programs: it finds the same, whether
//! choices are gone through one by one or are symbols, and it goes through fewer states. `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default,
//! `SELVEDGE_KINDS=wide,copies` for certain generators.

mod common;

use common::compile;
use selvedge_evidence::exploration::{CHOICES, Explored, Extent, explore, explore_to};
use selvedge_evidence::{Livelocks, Recheck, recheck};
use selvedge_generate::{GENERATORS, seeds};
use selvedge_program::Budget;

/// How far both go.
const STATES: usize = 20_000;

const KINDS: [&str; 12] = [
    "concurrent",
    "sections",
    "threads",
    "protocols",
    "equal",
    "pointers",
    "uninitialised",
    "copies",
    "moved",
    "undefined",
    "edges",
    "wide",
];

/// Choices of a program, each with one that has 256 answers.
const NARROWER: [(&str, &str); 3] = [
    ("__VERIFIER_nondet_long()", "__VERIFIER_nondet_char()"),
    ("__VERIFIER_nondet_ulong()", "(unsigned long)__VERIFIER_nondet_char()"),
    ("__VERIFIER_nondet_int()", "__VERIFIER_nondet_char()"),
];

fn narrower(text: &str) -> String {
    NARROWER.iter().fold(text.to_owned(), |text, (wide, narrow)| text.replace(wide, narrow))
}

#[test]
fn both_find_the_same() {
    let asked = std::env::var("SELVEDGE_KINDS").ok();
    let is_asked = |kind: &str| match &asked {
        Some(asked) => asked.split(',').any(|asked| asked == kind),
        None => KINDS.contains(&kind),
    };
    let (mut programs, mut plain_states, mut states, mut with_symbols) = (0, 0, 0, 0);
    for seed in seeds(0..15) {
        for (kind, generator) in GENERATORS.into_iter().filter(|(kind, _)| is_asked(kind)) {
            let name = format!("{kind}{seed}.c");
            // The plainest search cannot go through wide choices.
            let text = if kind == "wide" { narrower(&generator(seed)) } else { generator(seed) };
            let program = compile(&name, &text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            let plain: Recheck = recheck(&program, STATES, CHOICES);
            let again: Explored = explore(&program, STATES, &Budget::unlimited());
            let symbolic = explore_to(
                &program,
                Extent { states: STATES, listed: 1, lines: &[], livelocks: Livelocks::Ignored },
                &Budget::unlimited(),
            );
            if plain.is_complete {
                assert_eq!(again.stopped, None, "{name}\n{text}");
                assert_eq!(again.subjects, plain.subjects, "{name}\n{text}");
                assert_eq!(again.violated, plain.violated, "{name}\n{text}");
                assert!(again.states <= plain.states, "{name}: {} of {}\n{text}", again.states, plain.states);
                if symbolic.stopped.is_none() {
                    assert_eq!(symbolic.subjects, plain.subjects, "{name}\n{text}");
                    assert_eq!(symbolic.violated, plain.violated, "{name}\n{text}");
                    with_symbols += 1;
                } else {
                    println!("{name}: {:?}", symbolic.stopped);
                    assert!(symbolic.subjects.is_subset(&plain.subjects), "{name}\n{text}");
                }
                programs += 1;
                plain_states += plain.states;
                states += again.states;
            } else {
                // Who got farther has at least what the other one found.
                for farther in [&again, &symbolic].into_iter().filter(|farther| farther.stopped.is_none()) {
                    assert!(farther.subjects.is_superset(&plain.subjects), "{name}\n{text}");
                }
            }
        }
    }
    println!("{programs} programs compared, {plain_states} states of the plainest search, {states} of the other");
    println!("{with_symbols} of them with every choice a symbol");
    assert!(programs > 20 && with_symbols > 20, "{programs} programs compared, {with_symbols} with symbols");
}
