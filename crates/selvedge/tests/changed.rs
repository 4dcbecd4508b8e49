//! Changed certificates, certificates of changed programs, and certificates of other programs: none shows what the
//! plainest search knows to be wrong. `SELVEDGE_SEEDS=FIRST..LAST` asks for other seeds than the few that run by default.

mod common;

use common::compile;
use selvedge::evidence::{CertificateFile, Claim, Digest, Means, Recheck, Standing, Subject, certify_claims, recheck};
use selvedge::program::{Budget, Program, Property, Quiet};
use selvedge::{CheckOptions, EngineName, certificates, check};
use selvedge_generate::random::Random;
use selvedge_generate::{GENERATORS, seeds};
use std::time::Duration;

const STATES: usize = 20_000;
const CHOICES: u128 = 256;
const KINDS: [&str; 2] = ["concurrent", "sections"];

/// How often each text is changed.
const CHANGES: usize = 12;

/// The certificates that each engine has for a program, as text.
fn certificates_of(program: &Program) -> Vec<String> {
    let by = |engine: EngineName| {
        let options = CheckOptions { engines: vec![engine], ..CheckOptions::default() };
        let budget = Budget::unlimited().with_time(Duration::from_millis(500)).with_memory(1 << 30);
        let checked = check(program, &options, &budget, &mut Quiet);
        let file = certificates(program, &checked.judgement, &options.task)?;
        Some(file.text(program, &Budget::unlimited()))
    };
    EngineName::all().filter_map(by).collect()
}

/// What is accepted of a text, as a file about a program.
fn accepted(program: &Program, text: &str) -> Option<Vec<Claim>> {
    let file = CertificateFile::parse(program, text).ok()?;
    let budget = Budget::unlimited().with_time(Duration::from_secs(5)).with_memory(1 << 30);
    let means = Means { states: STATES, budget: &budget, solver: None };
    let mut all = Vec::new();
    for stated in &file.certificates {
        for (claim, result) in certify_claims(program, &stated.claims, &stated.certificate, means) {
            all.extend((result == Ok(Standing::Confirmed)).then_some(claim));
        }
    }
    Some(all)
}

fn is_wrong(claim: Claim, plain: &Recheck) -> bool {
    match claim {
        Claim::Of(subject) => plain.subjects.contains(&subject),
        Claim::All(property) => plain.violated.contains(&property),
    }
}

/// Claims of everything that is wrong with a program.
fn wrong_claims(program: &Program, plain: &Recheck) -> Vec<String> {
    let of_subject = |subject: &Subject| selvedge::evidence::file::claim_text(program, Claim::Of(*subject));
    let of_property = |property: &Property| selvedge::evidence::file::claim_text(program, Claim::All(*property));
    plain.subjects.iter().map(of_subject).chain(plain.violated.iter().map(of_property)).collect()
}

fn changed(text: &str, wrong: &[String], random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let first = lines.iter().position(|line| line.starts_with("certificate")).unwrap_or(0);
    for _ in 0..random.between(1, 3) {
        let at = first + random.index(lines.len() - first);
        match random.below(5) {
            0 => drop(lines.remove(at)),
            1 => {
                let line = lines[first + random.index(lines.len() - first)].clone();
                lines.insert(at, line);
            }
            2 => {
                let digits = lines[at].replace(|c: char| c.is_ascii_digit(), &random.below(4).to_string());
                lines[at] = digits;
            }
            3 => {
                let swapped = lines[at].replace("holds", "FAILS").replace("fails", "holds").replace("FAILS", "fails");
                lines[at] = swapped;
            }
            _ if wrong.is_empty() => {}
            _ => lines.insert(first + 1, format!("shows {}", random.pick(wrong))),
        }
    }
    lines.join("\n") + "\n"
}

/// The same program with something left out or put otherwise.
fn changed_program(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let code: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].trim_end().ends_with(';')).collect();
    for _ in 0..random.between(1, 2) {
        let at = *random.pick(&code);
        if random.chance(50) {
            lines[at] = ";".to_owned();
        } else {
            lines[at] = lines[at].replace("==", "!=").replace(" 1", " 2").replace("unlock", "lock");
        }
    }
    lines.join("\n")
}

#[test]
fn nothing_wrong_is_accepted() {
    let (mut tried, mut read, mut right) = (0, 0, 0);
    let mut texts_before: Vec<String> = Vec::new();
    for seed in seeds(0..7) {
        for (kind, generator) in GENERATORS.into_iter().filter(|(kind, _)| KINDS.contains(kind)) {
            let (name, source) = (format!("{kind}{seed}.c"), generator(seed));
            let mut random = Random::new(seed);
            let program = compile(&name, &source).expect("the generator's programs compile");
            let plain = recheck(&program, STATES, CHOICES);
            let texts = certificates_of(&program);
            let mut cases: Vec<(Program, Recheck, String, String)> = Vec::new();
            for text in &texts {
                let wrong = wrong_claims(&program, &plain);
                for _ in 0..CHANGES {
                    let changed = changed(text, &wrong, &mut random);
                    cases.push((program.clone(), plain.clone(), changed, source.clone()));
                }
            }
            let other = changed_program(&source, &mut random);
            if let Ok(other_program) = compile(&name, &other) {
                let plain = recheck(&other_program, STATES, CHOICES);
                let wrong = wrong_claims(&other_program, &plain);
                for text in texts.iter().chain(&texts_before) {
                    let (mine, digest) = (text.lines().nth(1).unwrap_or_default(), Digest::of(&other_program));
                    let moved = text.replacen(mine, &format!("program {digest}"), 1);
                    cases.push((other_program.clone(), plain.clone(), moved.clone(), other.clone()));
                    let moved = changed(&moved, &wrong, &mut random);
                    cases.push((other_program.clone(), plain.clone(), moved, other.clone()));
                }
            }
            for (program, plain, text, source) in cases {
                tried += 1;
                let Some(claims) = accepted(&program, &text) else { continue };
                read += 1;
                right += claims.len();
                let wrong: Vec<&Claim> = claims.iter().filter(|claim| is_wrong(**claim, &plain)).collect();
                assert!(wrong.is_empty(), "{name}: {wrong:?} is accepted\n{text}\n{source}");
            }
            texts_before = texts;
        }
    }
    println!("{tried} changed certificates and programs, {read} of them read, {right} claims accepted, none wrong");
    let is_default = std::env::var("SELVEDGE_SEEDS").is_err();
    assert!((tried >= 500 || !is_default) && read * 4 > tried, "{tried} tried, {read} read");
}
