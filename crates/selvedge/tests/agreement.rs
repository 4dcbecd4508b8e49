//! Verdicts of the explicit engine on random concurrent C programs against the plainest search over the concrete semantics, which shares no
//! code with it: never a `safe` where there is a violation, never an `unsafe` where there is none.
//!
//! `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default.

use selvedge::evidence::recheck;
use selvedge::frontend::compile::{CompileOptions, compile_sources};
use selvedge::program::{Budget, Property, Quiet};
use selvedge::{CheckOptions, EngineName, check};
use selvedge_frontend::compile::Source;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

fn seeds() -> Range<u64> {
    let asked = std::env::var("SELVEDGE_SEEDS").ok();
    let asked = asked.as_deref().and_then(|text| text.split_once(".."));
    match asked.map(|(first, last)| (first.parse(), last.parse())) {
        Some((Ok(first), Ok(last))) => first..last,
        _ => 0..60,
    }
}

/// What became of one seed.
#[derive(Debug, PartialEq, Eq)]
enum Comparison {
    Agreed,
    /// One of the two did not get to the end.
    Open,
    Differed(String),
}

fn compare(seed: u64, folder: &std::path::Path) -> Comparison {
    let path = folder.join(format!("{seed}.c"));
    // Every fourth program has atomic sections.
    let text = match seed % 4 {
        3 => selvedge_generate::concurrent::with_sections(seed),
        _ => selvedge_generate::concurrent::program(seed),
    };
    std::fs::write(&path, text).expect("the temporary folder is writable");
    let source = Source { path, preprocess: Default::default() };
    let compiled = compile_sources(&[source], &CompileOptions::default());
    let compiled = compiled.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let program = &compiled.program;
    assert_eq!(program.validate(), Ok(()), "seed {seed}");
    let options = CheckOptions { engines: vec![EngineName::Explicit], ..CheckOptions::default() };
    let checked = check(program, &options, &Budget::unlimited(), &mut Quiet);
    let checked = checked.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let plain = recheck(program, 20_000, 256);
    let properties = [Property::Assertion, Property::Race, Property::Deadlock, Property::Memory];
    let word = |property| checked.judgement.of_property(property).map(|check| check.verdict.word()).max();
    let violated: BTreeSet<Property> = properties.into_iter().filter(|p| word(*p) == Some("unsafe")).collect();
    let is_open = properties.iter().any(|property| matches!(word(*property), Some("unknown" | "bounded")));
    let both_whole = plain.is_complete && !is_open;
    let differs =
        if both_whole { violated != plain.violated } else { plain.is_complete && !violated.is_subset(&plain.violated) };
    match (differs, both_whole) {
        (true, _) => Comparison::Differed(format!("seed {seed}: {violated:?}, plainly {:?}", plain.violated)),
        (false, true) => Comparison::Agreed,
        (false, false) => Comparison::Open,
    }
}

#[test]
fn the_engine_agrees_with_the_plainest_search() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let seeds = seeds();
    let next = AtomicU64::new(seeds.start);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if !seeds.contains(&seed) {
                        break;
                    }
                    let result = compare(seed, folder.path());
                    results.lock().expect("no thread panics").push(result);
                }
            });
        }
    });
    let results = results.into_inner().expect("no thread panics");
    let agreed = results.iter().filter(|result| **result == Comparison::Agreed).count();
    let open = results.iter().filter(|result| **result == Comparison::Open).count();
    let differed: Vec<&Comparison> =
        results.iter().filter(|result| matches!(result, Comparison::Differed(_))).collect();
    println!("{agreed} programs agree, {open} are too large for one side, {} differ", differed.len());
    assert!(differed.is_empty(), "{differed:#?}");
    assert!(agreed > open, "most programs are small enough for both: {agreed} against {open}");
}
