//! Changed proofs: refused, or they stand; and never do they show of a broken program what it violates.

mod common;

use common::{PROVED, compile, is_accepted, ours, proved, twin_of, z3};
use selvedge_evidence::modular::obligations::obligations;
use selvedge_evidence::modular::{Claims, Refusal};
use selvedge_evidence::{Digest, ModularProof};
use selvedge_generate::random::Random;
use selvedge_program::{Budget, GhostField, Program};

/// Of these, also strange things are said.
const STRANGE: [&str; 5] = ["accounts_on_the_heap", "after_the_join", "bank", "semaphore_as_lock", "thread_local"];

/// What is said of things that have no such value, in widths and of objects that no engine thinks of.
fn strange_predicates(program: &Program) -> Vec<String> {
    let mut roots: Vec<String> = (0..program.objects.len()).map(|object| format!("@{object}")).collect();
    roots.extend((0..program.sites.len()).map(|site| format!("@site{site}")));
    for (index, function) in program.functions.iter().enumerate() {
        roots.extend((0..function.frame.len()).map(|slot| format!("@f{index}::@{slot}")));
    }
    let mut texts = Vec::new();
    for root in &roots {
        let ghosts = GhostField::ALL.into_iter().map(|field| format!("{}({root}) == 0", field.name()));
        texts.extend(ghosts);
        for form in [
            "changer(R) == self",
            "changer(bytes(R, 3, 0)) == 0",
            "added(R) == 0",
            "taken(bytes(R, 3, 0)) < 2",
            "all_added(readers(R)) == added(readers(R))",
            "all_taken(value(R)) == 1099511627775",
            "alive(R)",
            "flt32(bytes(R, 0, 4), fadd32(bytes(R, 0, 4), bytes(R, 0, 4)))",
            "ftos64(32, bytes(R, 0, 8)) == 3",
            "start_of(bytes(R, 0, 8)) == self",
            "is_within(address(R) + 9)",
            "born(R)",
            "escaped(R)",
            "maker(R) == self",
            "address(R) == self",
            "determinate(bytes(R, 0, 4))",
            "determinate(bytes(R, 1, 2))",
            "bytes(R, 1, 2) == 3",
            "bytes(R, 0, 4) < 7",
            "bytes(R, 0, 8) == self",
            "bytes(R, 0, 16) == 0",
            "bytes(R, 0, 3) == 5",
            "udiv(bytes(R, 0, 1), bits(8, 0)) == 0",
            "sdiv(bytes(R, 0, 4), bytes(R, 0, 4)) == 1",
            "zext(128, bytes(R, 0, 4)) == bits(128, 340282366920938463463374607431768211455)",
            "shl(bytes(R, 0, 4), bits(32, 77)) == 0",
            "(alive(R) ? self : bytes(R, 0, 8)) != 0",
            "address(R) < address(R) + 1",
            "address(R) - self > 3",
            "trunc(1, address(R))",
            "bytes(R, 0, 8) * bytes(R, 0, 8) == address(R)",
        ] {
            texts.push(form.replace('R', root));
        }
    }
    for field in GhostField::ALL {
        texts.push(format!("{}(self) == 0", field.name()));
    }
    for (index, function) in program.functions.iter().enumerate() {
        texts.extend((0..function.registers.len().min(12)).map(|register| format!("@f{index}::#{register} != 0")));
        texts.push(format!("&@f{index} == self"));
    }
    texts.extend(
        ["unjoined() < 2", "unjoined() * self == 9", "self == self + 1", "self < 9", "true", "false"]
            .map(str::to_owned),
    );
    texts
}

/// Whatever is read is checked without panicking, and what is said beside a proof of a broken program makes none of it.
#[test]
fn no_predicate_is_too_strange_for_the_checker() {
    let setting = |name: &str, unless: u64| std::env::var(name).ok().and_then(|set| set.parse().ok()).unwrap_or(unless);
    let rounds = setting("SELVEDGE_CERTIFICATE_ROUNDS", 12);
    let mut random = Random::new(setting("SELVEDGE_CERTIFICATE_SEED", 5));
    let (mut checked, mut accepted) = (0, 0);
    for (name, twin, wrong) in PROVED.into_iter().filter(|(name, ..)| STRANGE.contains(name)) {
        let (program, broken) = (compile(name), twin_of(name, twin));
        let (_, proof) = proved(&program);
        let text = proof.text(&program, &Claims::from_iter([wrong]), &Budget::unlimited());
        let strange = strange_predicates(&program);
        for _ in 0..rounds {
            let mut changed = String::new();
            let said: Vec<String> = (0..4).map(|_| random.pick(&strange).clone()).collect();
            let truths: Vec<&str> = said.iter().map(|_| *random.pick(&["holds", "fails"])).collect();
            for line in text.lines() {
                changed += &format!("{line}\n");
                if line.starts_with("possible") {
                    let added = truths.iter().zip(&said).map(|(truth, said)| format!("  {truth} {said}\n"));
                    changed.extend(added.filter(|_| !random.chance(10)));
                }
            }
            let Ok((proof, claims)) = ModularProof::parse(&program, &changed) else { continue };
            checked += 1;
            let is_accepted = claims.certify(&program, &proof, &Budget::unlimited()).is_ok();
            // All questions are built, not only those up to the first that refuses the proof.
            let written = claims.with(|shown| obligations(&program, &proof, shown, &Budget::unlimited()));
            // What a state does not decide is refused before any question.
            let is_shown = match &written {
                Ok(obligations) => ours(obligations),
                Err(Refusal::Foreign) => false,
                Err(refusal) => panic!("{name}: {refusal}\n{changed}"),
            };
            assert_eq!(is_shown, is_accepted, "{name}\n{changed}");
            accepted += usize::from(is_accepted);
            let changed = changed.replacen(&Digest::of(&program).to_string(), &Digest::of(&broken).to_string(), 1);
            assert!(!common::is_accepted(&broken, &changed), "{name} {twin}\n{changed}");
        }
    }
    println!("{checked} proofs with strange predicates, {accepted} of which hold");
    assert!(checked > 40, "{checked} are read");
}

/// A text with one thing changed: a literal turned round or left out, a conjunction or a place left out.
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
        let mut without = |end: usize| mutations.push(joined(&[&lines[..at], &lines[end..]].concat()));
        if is_literal(line) {
            without(at + 1);
            let turned = if line.starts_with("  holds ") {
                line.replacen("holds", "fails", 1)
            } else {
                line.replacen("fails", "holds", 1)
            };
            mutations.push(joined(&[&lines[..at], &[turned.as_str()], &lines[at + 1..]].concat()));
        } else if line.starts_with("possible") {
            without(until(&|line| !is_literal(line)));
        } else if line.starts_with("place ") {
            without(until(&|line| ["place ", "thread ", "witness "].iter().any(|word| line.starts_with(word))));
        }
    }
    mutations
}

/// How many changed texts are tried per program; all of them take long.
const MUTATIONS: usize = 20;

/// Some of all mutations, spread evenly.
fn some_mutations(text: &str) -> Vec<String> {
    let all = mutations(text);
    let stride = (all.len() / MUTATIONS).max(1);
    all.into_iter().step_by(stride).take(MUTATIONS).collect()
}

/// A changed proof of a right program may still be one: a conjunct that nothing needs may go. Then it has to stand.
#[test]
fn changed_proofs_are_refused_or_stand() {
    let (mut tried, mut accepted) = (0, 0);
    for name in ["bank", "producer_consumer", "semaphore_as_lock", "state_variable", "thread_local", "test_and_set"] {
        let program = compile(name);
        let (claims, proof) = proved(&program);
        let text = proof.text(&program, &claims, &Budget::unlimited());
        assert!(is_accepted(&program, &text), "{name}");
        for changed in some_mutations(&text) {
            tried += 1;
            let (proof, claims) = ModularProof::parse(&program, &changed).expect("it is well-formed");
            let is_accepted = claims.certify(&program, &proof, &Budget::unlimited()).is_ok();
            accepted += usize::from(is_accepted);
            let written = claims.with(|shown| obligations(&program, &proof, shown, &Budget::unlimited()));
            let written = written.expect("it fits");
            // What another solver is asked is what ours is asked.
            assert_eq!(ours(&written), is_accepted, "{name}\n{changed}");
            let answers = if is_accepted { z3(&written.script) } else { None };
            assert!(answers.is_none_or(|answers| answers.iter().all(|answer| answer == "unsat")), "{name}\n{changed}");
        }
    }
    println!("{tried} changed proofs, {accepted} of which hold");
    assert!(tried >= 80 && accepted < tried, "{tried} changed proofs, {accepted} accepted");
}

/// No proof of a program, changed or not, shows of its broken twin what the twin violates.
#[test]
fn no_changed_proof_shows_what_is_wrong() {
    let (mut tried, mut written_down) = (0, 0);
    for (name, twin, wrong) in PROVED {
        let (program, broken) = (compile(name), twin_of(name, twin));
        let (_, proof) = proved(&program);
        let text = proof.text(&program, &Claims::from_iter([wrong]), &Budget::unlimited());
        let text = text.replacen(&Digest::of(&program).to_string(), &Digest::of(&broken).to_string(), 1);
        for changed in std::iter::once(text.clone()).chain(some_mutations(&text)) {
            tried += 1;
            assert!(!is_accepted(&broken, &changed), "{name} of its twin {twin}\n{changed}");
            if let Ok((proof, claims)) = ModularProof::parse(&broken, &changed)
                && let Ok(written) = claims.with(|shown| obligations(&broken, &proof, shown, &Budget::unlimited()))
            {
                written_down += 1;
                assert!(!ours(&written), "{name} of its twin {twin}\n{changed}");
            }
        }
    }
    println!("{tried} texts, {written_down} of which fit the twin");
    assert!(tried >= 200 && written_down >= 50, "{tried} texts, {written_down} of which fit the twin");
}
