//! Examples with changes put into them, each given to `conform` with the contract of the original, which composes, and to all engines:
//! a program in which an assertion can fail does not conform. `SELVEDGE_MUTATIONS` says how many changes are wanted of each example
//! (a few by default).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use selvedge::{CheckOptions, check};
use selvedge_contracts::compose::compose;
use selvedge_contracts::conform::{conform, contract};
use selvedge_contracts::infer::observe;
use selvedge_contracts::text;
use selvedge_evidence::conformance::certify;
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_generate::random::Random;
use selvedge_program::{Budget, Program, Property, Quiet};

const PROGRAMS: [&str; 10] = [
    "bluetooth.c",
    "counter.c",
    "counter_cas.c",
    "double_checked.c",
    "inc_dec_lock.c",
    "lost_wakeup.c",
    "producer_consumer.c",
    "readers_writers.c",
    "tas_lock.c",
    "ticket_lock.c",
];

/// What one change makes of a text.
const REPLACEMENTS: [(&str, &str); 20] = [
    ("++", "--"),
    ("++;", ";"),
    ("+ 1", "+ 2"),
    ("1 -", "2 -"),
    ("== 0", "!= 0"),
    ("== 1", "!= 1"),
    ("!= 0", "== 0"),
    ("!= 1", "== 1"),
    ("> 0", ">= 0"),
    (">= 0", "> 0"),
    (", 1)", ", 2)"),
    (", 1)", ", 0)"),
    (", 0)", ", 1)"),
    ("= 1;", "= 0;"),
    ("while (!", "while ("),
    ("while (", "while (!"),
    ("if (!", "if ("),
    ("if (", "if (!"),
    ("fetch_add", "fetch_sub"),
    ("fetch_sub", "fetch_add"),
];

/// One change: something in a line replaced, a line left out or doubled, or two exchanged.
fn one_change(text: &str, random: &mut Random) -> Option<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let first = lines.iter().position(|line| line == "{")?;
    let at = first + random.index(lines.len() - first - 2);
    let is_statement = |line: &str| {
        line.starts_with("    ")
            && line.contains(';')
            && !["int ", "pthread_t ", "return", "for ("].iter().any(|word| line.contains(word))
    };
    match random.below(6) {
        0 if is_statement(&lines[at]) => lines[at] = "    ;".to_owned(),
        1 if is_statement(&lines[at]) => lines.insert(at, lines[at].clone()),
        2 if is_statement(&lines[at]) && is_statement(&lines[at + 1]) => lines.swap(at, at + 1),
        _ => {
            let fitting: Vec<_> = REPLACEMENTS.iter().filter(|(from, _)| lines[at].contains(from)).collect();
            let (from, to) = fitting.get(random.index(fitting.len().max(1)))?;
            lines[at] = lines[at].replacen(from, to, 1);
        }
    }
    Some(lines.join("\n") + "\n")
}

fn compiled(path: &Path) -> Option<Program> {
    let source = Source { path: path.to_owned(), preprocess: Default::default() };
    Some(compile_sources(&[source], &CompileOptions::default()).ok()?.program)
}

/// The verdict on assertions.
fn verdict(program: &Program) -> String {
    let mut options = CheckOptions::default();
    options.task.properties = [Property::Assertion].into_iter().collect();
    let budget = Budget::unlimited().with_time(Duration::from_secs(5));
    check(program, &options, &budget, &mut Quiet).judgement.word().to_owned()
}

/// Whether the threads of a program conform to a specification; they do not if that does not fit.
fn conforms(mut program: Program, written: &str) -> bool {
    let Ok(read) = text::read("contract.threads", written, &mut program) else { return false };
    let Ok(contract) = contract(&read.spec) else { return false };
    let budget = Budget::unlimited().with_time(Duration::from_secs(5));
    let found = conform(&program, &contract, &budget);
    found.is_proved() && certify(&program, &contract, &found.proof, &Budget::unlimited()).is_ok()
}

#[test]
fn what_conforms_and_what_the_engines_find_agree() {
    let wanted: usize = std::env::var("SELVEDGE_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(12);
    let folder = tempfile::tempdir().expect("a folder");
    let (mut broken, mut kept, mut conforming, mut open) = (0, 0, 0, 0);
    for name in PROGRAMS {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        let original = compiled(&file).expect("an example");
        let written = observe(&original, &Budget::unlimited()).unwrap_or_else(|message| panic!("{name}: {message}"));
        let mut program = original.clone();
        let read = text::read("contract.threads", &written, &mut program).expect("a specification");
        let composed = compose(&program, &read.spec, &|thread| thread.instances).expect("is composed");
        assert_eq!(verdict(&composed.program), "safe", "{name}");
        assert!(conforms(original, &written), "{name}");
        let text = std::fs::read_to_string(&file).expect("an example");
        let mut known = BTreeSet::from([text.clone()]);
        let (mut found, mut seed) = (0, 0);
        while found < wanted && seed < 4000 {
            seed += 1;
            let mut random = Random::new(seed);
            let mut changed = text.clone();
            for _ in 0..1 + seed / 400 {
                changed = one_change(&changed, &mut random).unwrap_or(changed);
            }
            let path = folder.path().join(name);
            std::fs::write(&path, &changed).expect("is written");
            let Some(program) = known.insert(changed.clone()).then(|| compiled(&path)).flatten() else { continue };
            found += 1;
            let (is_conforming, word) = (conforms(program.clone(), &written), verdict(&program));
            assert!(
                !(is_conforming && word == "unsafe"),
                "{name}, seed {seed}: an assertion can fail, and all threads conform to\n{written}\n{changed}"
            );
            conforming += usize::from(is_conforming);
            match word.as_str() {
                "unsafe" => broken += 1,
                "safe" => kept += 1,
                _ => open += 1,
            }
        }
        assert_eq!(found, wanted, "{name}: too few changes");
    }
    println!("{broken} changes break an assertion, and none of them conforms; {kept} keep all, {open} are undecided");
    println!("{conforming} of those that break nothing conform");
    assert!(broken >= wanted, "only {broken}");
}
