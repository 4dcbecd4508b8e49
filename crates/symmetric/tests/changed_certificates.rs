//! Certificates as text, and changed ones: refused, or they stand; and never do they show of a broken program what it
//! violates.

mod common;

use common::{checked, compile, proof_of, read, text, told};
use selvedge_evidence::symmetric::Refusal;
use selvedge_evidence::symmetric::count::Fewer;
use selvedge_evidence::{Digest, SymmetricProof};
use selvedge_program::{Program, Property};

/// What the engine proves, each with a broken twin and what that violates.
const PROVED: [(&str, &str, Property); 7] = [
    ("test_and_set", "if", Property::Assertion),
    ("test_and_set", "if", Property::Race),
    ("spin", "early", Property::Assertion),
    ("peterson", "order", Property::Assertion),
    ("created", "early", Property::Race),
    ("inc_cas", "two_steps", Property::Assertion),
    ("joined", "one", Property::Assertion),
];

fn proved(name: &str, property: Property) -> (Program, SymmetricProof) {
    let program = compile(name);
    let proof = proof_of(&told(&program), property).unwrap_or_else(|| panic!("{name}: {property:?} is not proved"));
    checked(&program, &proof, property).unwrap_or_else(|refusal| panic!("{name}: {property:?}: {refusal}"));
    (program, proof)
}

/// A line about how many threads there are, with one thing changed: turned round, one more, one less, other threads.
fn other_counts(line: &str) -> Vec<String> {
    let turned = if line.contains("fewer than") {
        line.replacen("fewer than", "at least", 1)
    } else {
        line.replacen("at least", "fewer than", 1)
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let number: u32 = words[2].parse().expect("a number of threads");
    let with = |number: u32| line.replacen(&format!(" {} threads", words[2]), &format!(" {number} threads"), 1);
    let mut others = vec![turned, with(number + 1), with(number.saturating_sub(1)), line.replacen(" at 0", " at 1", 1)];
    others.push(match line.strip_suffix(" or ended") {
        Some(running) => running.to_owned(),
        None => format!("{line} or ended"),
    });
    others
}

/// A text with one thing changed: a configuration, a thread or a literal left out, a literal turned round, a thread
/// somewhere else, another number of threads.
fn mutations(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_literal = |line: &str| line.starts_with("  holds ") || line.starts_with("  fails ");
    let joined = |lines: &[&str]| lines.join("\n") + "\n";
    let mut mutations = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let until = |stop: &dyn Fn(&str) -> bool| {
            let rest = lines[at + 1..].iter().position(|line| stop(line));
            rest.map_or(lines.len(), |found| at + 1 + found)
        };
        let replaced = |new: &str| joined(&[&lines[..at], &[new], &lines[at + 1..]].concat());
        let without = |end: usize| joined(&[&lines[..at], &lines[end..]].concat());
        if is_literal(line) {
            mutations.push(without(at + 1));
            let (from, to) = if line.starts_with("  holds ") { ("holds", "fails") } else { ("fails", "holds") };
            mutations.push(replaced(&line.replacen(from, to, 1)));
        } else if line.starts_with("  fewer than ") || line.starts_with("  at least ") {
            mutations.push(without(at + 1));
            mutations.extend(other_counts(line.trim_end()).iter().map(|other| replaced(other)));
        } else if line.starts_with("configuration") {
            mutations.push(without(until(&|line| line.starts_with("configuration") || line == "end")));
        } else if let Some(thread) = line.strip_prefix("thread ")
            && let Some((who, place)) = thread.split_once(" at ")
            && let Ok(place) = place.trim().parse::<u32>()
        {
            mutations.push(without(until(&|line| !is_literal(line))));
            mutations.push(replaced(&format!("thread {who} at {}", place + 1)));
            mutations.push(replaced(&format!("thread {who} at {}", place.saturating_sub(1))));
        }
    }
    mutations
}

/// Some of all mutations, spread evenly.
fn some_mutations(text: &str, count: usize) -> Vec<String> {
    let all = mutations(text);
    let stride = (all.len() / count).max(1);
    all.into_iter().step_by(stride).take(count).collect()
}

#[test]
fn text_is_read_as_it_was_written() {
    for (name, _, property) in PROVED {
        let (program, proof) = proved(name, property);
        let written = text(&program, &proof, property);
        assert_eq!(read(&program, &written).as_ref(), Some(&proof), "{name}\n{written}");
    }
}

/// A changed proof of a right program may still be one: a literal that nothing needs may go.
#[test]
fn changed_proofs_are_refused_or_stand() {
    let (mut tried, mut refused) = (0, 0);
    for (name, _, property) in PROVED {
        let (program, proof) = proved(name, property);
        for changed in some_mutations(&text(&program, &proof, property), 60) {
            tried += 1;
            let is_refused = match read(&program, &changed) {
                None => true,
                Some(proof) => match checked(&program, &proof, property) {
                    Ok(()) => false,
                    Err(Refusal::Internal(what)) => panic!("{name}: {what}\n{changed}"),
                    Err(_) => true,
                },
            };
            refused += usize::from(is_refused);
        }
    }
    println!("{tried} changed proofs, {refused} refused");
    assert!(refused >= 100, "{tried} changed proofs, {refused} refused");
}

/// No proof of a program, changed or not, shows of its broken twin what the twin violates.
#[test]
fn no_changed_proof_shows_what_is_wrong() {
    let mut tried = 0;
    for (name, twin, property) in PROVED {
        let (program, proof) = proved(name, property);
        let broken = compile(&format!("{name}_{twin}_bug"));
        let text = text(&program, &proof, property);
        let text = text.replacen(&Digest::of(&program).to_string(), &Digest::of(&broken).to_string(), 1);
        for changed in std::iter::once(text.clone()).chain(some_mutations(&text, 30)) {
            if let Some(proof) = read(&broken, &changed) {
                tried += 1;
                assert!(checked(&broken, &proof, property).is_err(), "{name} of its twin {twin}\n{changed}");
            }
        }
    }
    println!("{tried} texts about broken programs");
    assert!(tried >= 50, "{tried} texts fit the twins");
}

/// What a proof says of how many threads there are is part of it: every change of that alone is refused, or shows
/// nothing wrong, and a proof that says nothing of it any more shows nothing.
#[test]
fn the_number_of_threads_counts() {
    let (program, proof) = proved("joined", Property::Assertion);
    let is_counting = |proof: &SymmetricProof| proof.bad.iter().any(|bad| !bad.counts.is_empty());
    assert!(is_counting(&proof));
    let mut silent = proof.clone();
    silent.bad.iter_mut().for_each(|bad| bad.counts.clear());
    assert!(checked(&program, &silent, Property::Assertion).is_err());
    let (mut tried, mut refused) = (0, 0);
    for at in 0..proof.bad.len() {
        for count in 0..proof.bad[at].counts.len() {
            let mut changed = proof.clone();
            changed.bad[at].counts[count].1 ^= true;
            tried += 1;
            refused += u32::from(checked(&program, &changed, Property::Assertion).is_err());
        }
    }
    assert!(tried >= 10 && refused == tried, "{tried} counts turned round, {refused} refused");
    // Numbers beyond those that can be compared, and places that are not there.
    let changes: [fn(&mut Fewer); 3] = [
        |fewer| fewer.than = 0,
        |fewer| fewer.than = u32::MAX,
        |fewer| {
            fewer.group.places.insert(1_000_000);
        },
    ];
    for change in changes {
        let mut changed = proof.clone();
        let bad = changed.bad.iter_mut().find(|bad| !bad.counts.is_empty()).expect("it counts");
        change(&mut bad.counts[0].0);
        assert_eq!(checked(&program, &changed, Property::Assertion), Err(Refusal::Foreign));
    }
}

/// The empty proof shows nothing but what is true of every step by itself.
#[test]
fn an_empty_proof_shows_nothing() {
    for (name, _, property) in PROVED {
        let program = compile(name);
        assert!(checked(&program, &SymmetricProof::default(), property).is_err(), "{name}");
    }
}
