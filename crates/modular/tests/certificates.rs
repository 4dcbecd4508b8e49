//! Proofs as text and their obligations: read as they were written, discharged by another solver, and of no use when
//! they are changed or claimed of a program that is wrong.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use selvedge_analysis::{AbstractObject, Facts};
use selvedge_evidence::modular::obligations::{Obligations, obligations};
use selvedge_evidence::modular::{Claim, Claims, Unreadable};
use selvedge_evidence::{Certificate, Digest, ModularProof, Notebook, Scope};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_generate::random::Random;
use selvedge_logic::smtlib::{Command as Question, parse_script};
use selvedge_logic::{Answer, Solver, Terms};
use selvedge_modular::{Options, check};
use selvedge_program::{Budget, CheckId, FrameObjectId, FunctionId, ObjectId, Program, Property, Quiet, SiteId};

/// What the engine proves, each with a twin that races or fails an assertion, and how the twin is wrong.
const PROVED: [(&str, &str, Claim); 20] = [
    ("accounts_on_the_heap", "no_lock", Claim::Races),
    ("after_the_join", "one_joined", Claim::Races),
    ("bank", "no_lock", Claim::Races),
    ("bank", "overdrawn", Claim::Assertions),
    ("bank", "early_unlock", Claim::Races),
    ("bounded_queue", "unlocked", Claim::Races),
    ("cas_c11", "one_too_many", Claim::Assertions),
    ("condition_variable", "if", Claim::Assertions),
    ("flag_and_data", "early", Claim::Assertions),
    ("handed_over", "", Claim::Assertions),
    ("lazy_initialisation", "", Claim::Races),
    ("local_of_main", "unset", Claim::Races),
    ("producer_consumer", "", Claim::Races),
    ("quota", "late", Claim::Assertions),
    ("spin_lock", "unlocked", Claim::Races),
    ("state_machine", "left_open", Claim::Assertions),
    ("state_variable", "", Claim::Races),
    ("test_and_set", "", Claim::Races),
    ("thread_local", "shared", Claim::Races),
    ("two_locks", "no_lock", Claim::Races),
];

fn compile(name: &str) -> Program {
    let file = format!("../../tests/programs/modular/{name}.c");
    let source = Source { path: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file), preprocess: Default::default() };
    compile_sources(&[source], &CompileOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}")).program
}

fn twin_of(name: &str, twin: &str) -> Program {
    compile(&if twin.is_empty() { format!("{name}_bug") } else { format!("{name}_{twin}_bug") })
}

/// What the engine tells of a program, with the proofs.
fn told(program: &Program) -> Vec<(Claims, ModularProof)> {
    let notebook = Notebook::new();
    let options = Options { properties: vec![Property::Assertion, Property::Race], race_on: None };
    let facts = Facts::new(Arc::new(program.clone()), Budget::unlimited());
    check(&facts, &options, &Budget::unlimited(), &mut Quiet, &notebook).expect("the engine makes no mistake");
    let proofs = notebook.noted().proofs.into_iter().filter_map(|(scope, certificate)| match certificate {
        Certificate::Modular(proof) => Some((Claims::of(&scope).expect("such proofs are told of"), (*proof).clone())),
        _ => None,
    });
    proofs.collect()
}

/// The last proof, and that it shows all that was asked.
fn proved(program: &Program) -> (Claims, ModularProof) {
    let (_, proof) = told(program).pop().expect("there is a proof");
    (Claims::from_iter([Claim::Assertions, Claim::Races]), proof)
}

fn is_accepted(program: &Program, text: &str) -> bool {
    let read = ModularProof::parse(program, text);
    read.is_ok_and(|(proof, claims)| claims.certify(program, &proof, &Budget::unlimited()).is_ok())
}

#[test]
fn proofs_are_read_as_they_were_written() {
    let unlimited = Budget::unlimited();
    let mut names: Vec<&str> = PROVED.iter().map(|(name, ..)| *name).collect();
    names.extend(["callbacks", "out_parameter", "scratch_memory", "simple", "time_varying", "try_lock"]);
    names.dedup();
    for name in names {
        let program = compile(name);
        let told = told(&program);
        for (claims, proof) in &told {
            let text = proof.text(&program, claims, &unlimited);
            let read = ModularProof::parse(&program, &text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            assert_eq!(read, (proof.clone(), claims.clone()), "{name}\n{text}");
        }
        let (claims, proof) = told.last().expect("there is a proof");
        assert!(is_accepted(&program, &proof.text(&program, claims, &unlimited)), "{name}");
    }
}

#[test]
fn claims_are_read_as_they_were_written() {
    for name in ["accounts_on_the_heap", "bank", "local_of_main", "scratch_memory"] {
        check_claims(&compile(name));
    }
    assert_eq!(Claims::of(&Scope::Rest), None);
    assert_eq!(Claims::of(&Scope::Property(Property::Deadlock)), None);
}

/// All that can be claimed of a program.
fn check_claims(program: &Program) {
    let statics = (0..program.objects.len()).map(|object| AbstractObject::Static(ObjectId::new(object)));
    let sites = (0..program.sites.len()).map(|site| AbstractObject::Site(SiteId::new(site)));
    let functions = (0..program.functions.len()).map(|function| AbstractObject::Function(FunctionId::new(function)));
    let locals = program.functions.iter().enumerate().flat_map(|(function, definition)| {
        let function = FunctionId::new(function);
        (0..definition.frame.len()).map(move |slot| AbstractObject::Frame(function, FrameObjectId::new(slot)))
    });
    let objects = statics.chain(sites).chain(functions).chain(locals).chain([AbstractObject::Thread]);
    let mut claims: Claims = objects.map(Claim::RacesOn).collect();
    (0..program.checks.len()).for_each(|check| claims.insert(Claim::Assertion(CheckId::new(check))));
    for claim in [Claim::Assertions, Claim::Races, Claim::Memory, Claim::Overflow] {
        claims.insert(claim);
    }
    let proof = ModularProof::default();
    let text = proof.text(program, &claims, &Budget::unlimited());
    assert_eq!(ModularProof::parse(program, &text), Ok((proof, claims)), "{text}");
}

#[test]
fn what_is_no_proof_of_the_program_is_refused_with_a_reason() {
    let program = compile("bank");
    let (claims, proof) = proved(&program);
    let text = proof.text(&program, &claims, &Budget::unlimited());
    let head: String =
        text.lines().take_while(|line| !line.starts_with("thread")).map(|l| l.to_owned() + "\n").collect();
    let line = head.lines().count() + 1;
    let refused = |text: &str| ModularProof::parse(&program, text).expect_err(text).to_string();
    let expected_there = |added: &str| {
        let refused = refused(&format!("{head}{added}"));
        let there = format!("line {}, ", line + added.lines().count() - 1);
        refused.strip_prefix(&there).unwrap_or_else(|| panic!("{refused}")).to_owned()
    };
    for (added, expected) in [
        (
            "thraed main",
            "column 1: `shows`, `thread`, `place`, `possible`, `holds`, `fails` or `witness` is expected here",
        ),
        ("thread mian", "column 8: there is no function `mian`, or more than one"),
        ("place 3", "column 7: a place is that of a thread: `thread` is expected before"),
        ("thread main\nplace x", "column 7: the number of a place is expected here"),
        ("thread main\nplace 99999999999", "column 7: the number of a place is expected here"),
        ("thread main\nplace 1\nplace 1", "column 7: this place was there already"),
        ("possible", "column 1: this is said of a place: `place` is expected before"),
        ("thread main\nplace 1\npossible after client", "column 10: `before` and functions are expected here"),
        (
            "thread main\nplace 1\npossible before client, clint",
            "column 25: there is no function `clint`, or more than one",
        ),
        (
            "thread main\nplace 1\n  holds balance >= 0",
            "column 3: this is a part of something possible: `possible` is expected before",
        ),
        ("thread main\nplace 1\npossible\n  holds balance >= ", "column 19: an operand is expected here"),
        (
            "thread main\nplace 1\npossible\n  fails ballance >= 0",
            "column 9: there is no variable `ballance`, or more than one",
        ),
        ("thread main\nplace 1\npossible\n  fails owner(@site77) == self", "column 16: there is no such site"),
        ("witness client", "column 9: a witness such as `worker edge 3: worker::p` is expected here"),
        ("witness client edge 9999: client::#0", "column 21: the function has no such edge"),
        ("witness client edge 0: client::#9999", "column 33: there is no such register"),
        ("witness client edge 0: main::#0", "column 24: a register of the same function is expected here"),
        (
            "shows no race",
            "column 7: `no assertion fails`, `assertion 3`, `no data race`, `no data race on x`, `nothing undefined` or `no signed overflow` is expected here",
        ),
        ("shows assertion 9999", "column 17: there is no such assertion"),
        ("thread main\nshows no data race", "column 1: what is shown is said before everything else"),
    ] {
        assert_eq!(expected_there(added), expected, "{added}");
    }
    assert_eq!(refused(""), "line 1, column 1: `selvedge modular proof 1` is expected here");
    assert_eq!(
        refused(&text.replacen("proof 1", "proof 2", 1)),
        "this is version 2 of the form of proofs, and only version 1 is read"
    );
    assert_eq!(
        refused("selvedge modular proof 1\nprogram 12"),
        "line 2, column 9: a digest of 32 hexadecimal digits is expected here"
    );
    let other = text.replacen(&Digest::of(&program).to_string(), &Digest::of(&compile("simple")).to_string(), 1);
    assert!(matches!(ModularProof::parse(&program, &other), Err(Unreadable::OtherProgram { .. })));

    // What is read but says something of no place, or nothing of the first one.
    assert!(!is_accepted(&program, &head));
    assert!(!is_accepted(&program, &format!("{text}\nthread main\nplace 4000000000\npossible\n")));
}

/// Nothing that is done to the characters of a text makes reading it panic.
#[test]
fn no_text_is_too_strange() {
    let program = compile("accounts_on_the_heap");
    let (claims, proof) = proved(&program);
    let text = proof.text(&program, &claims, &Budget::unlimited());
    let characters: Vec<char> = text.chars().collect();
    let digits = text.find("shows").expect("something is shown");
    let mut random = Random::new(17);
    let mut unread = 0;
    for _ in 0..300 {
        let mut changed = characters.clone();
        for _ in 0..=random.index(3) {
            let at = digits + random.index(changed.len() - digits);
            match random.below(3) {
                0 => {
                    let end = (at + random.index(40)).min(changed.len());
                    changed.drain(at..end);
                }
                1 => changed
                    .insert(at, *random.pick(&['(', ')', '@', '#', '9', 'é', '&', '\n', '/', ' ', '-', '[', '!'])),
                _ => {
                    let (from, length) = (random.index(characters.len()), random.index(60));
                    let piece: Vec<char> = characters.iter().skip(from).take(length).copied().collect();
                    changed.splice(at..at, piece);
                }
            }
        }
        let changed: String = changed.into_iter().collect();
        unread += usize::from(ModularProof::parse(&program, &changed).is_err());
    }
    assert!(unread > 100, "only {unread} of 300 texts are not read");
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
    for name in ["bank", "producer_consumer", "state_variable", "thread_local", "test_and_set"] {
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

/// Whether our solver discharges all obligations, read from the script with our reader, which has no `push`.
fn ours(written: &Obligations) -> bool {
    let mut script = String::new();
    let mut assumed: Option<Vec<&str>> = None;
    for line in written.script.lines() {
        match (line, &mut assumed) {
            ("(push 1)", _) => assumed = Some(Vec::new()),
            ("(set-info :status unsat)" | "(check-sat)", _) => {}
            ("(pop 1)", asked) => {
                let asked = asked.take().expect("it was pushed");
                script += &format!("(check-sat-assuming ({}))\n", asked.join(" "));
            }
            (line, Some(asked)) => {
                let formula = line.strip_prefix("(assert ").and_then(|line| line.strip_suffix(")"));
                asked.push(formula.expect("between `push` and `pop` there are assertions only"));
            }
            (line, None) => script += &format!("{line}\n"),
        }
    }
    let mut terms = Terms::new();
    let script = parse_script(&mut terms, &script).unwrap_or_else(|error| panic!("{error}\n{script}"));
    let mut solver = Solver::new();
    let asked = script.commands.iter().filter_map(|command| match command {
        Question::CheckSatAssuming(conditions) => Some(conditions),
        Question::Assert(_) | Question::CheckSat | Question::GetModel => None,
    });
    assert_eq!(asked.clone().count(), written.count);
    asked.into_iter().all(|asked| solver.check(&terms, asked).expect("it is well-sorted") == Answer::Unsatisfiable)
}

/// The answers of z3 to a script; `None` if it is not installed.
fn z3(script: &str) -> Option<Vec<String>> {
    let mut child = Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let (mut input, script) = (child.stdin.take().expect("it has one"), script.to_owned());
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("nothing panics").expect("it reads to the end");
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// All that the engine proves with `SELVEDGE_OBLIGATIONS=all`, else what takes little time.
#[test]
fn obligations_are_discharged_by_another_solver() {
    let mut names: Vec<&str> = PROVED.iter().map(|(name, ..)| *name).collect();
    names.dedup();
    if std::env::var("SELVEDGE_OBLIGATIONS").as_deref() != Ok("all") {
        names.retain(|name| ["bank", "handed_over", "state_variable", "thread_local"].contains(name));
    }
    let kinds = ["; initiation", "; step of ", "; assertion ", "; interference of ", "; race on "];
    let mut kinds = kinds.map(|kind| (kind, 0));
    for name in names {
        let program = compile(name);
        let (claims, proof) = proved(&program);
        let written = claims.with(|shown| obligations(&program, &proof, shown, &Budget::unlimited()));
        let Obligations { script, count } = written.expect("the proof fits");
        for (kind, found) in &mut kinds {
            *found += script.lines().filter(|line| line.starts_with(*kind)).count();
        }
        match z3(&script) {
            Some(answers) => {
                println!("{name}: {count} obligations, {} bytes", script.len());
                assert_eq!(answers.len(), count, "{name}: {answers:?}");
                let open = answers.iter().filter(|answer| *answer != "unsat").count();
                assert_eq!(open, 0, "{name}: {open} of {count} obligations are open");
            }
            None => println!("no z3 on this machine: the {count} obligations of {name} are only counted"),
        }
    }
    assert!(kinds.iter().all(|(_, found)| *found > 0), "{kinds:?}");
}
