//! Proofs as text: read as they were written; what is none is refused with a reason.

mod common;

use common::{compile, is_accepted, proved, proved_programs, told};
use selvedge_analysis::AbstractObject;
use selvedge_evidence::modular::{Claim, Claims, Unreadable};
use selvedge_evidence::{Digest, ModularProof, Scope};
use selvedge_generate::random::Random;
use selvedge_program::{Budget, CheckId, FrameObjectId, FunctionId, ObjectId, Program, Property, SiteId};

#[test]
fn proofs_are_read_as_they_were_written() {
    let unlimited = Budget::unlimited();
    // Proofs of the last one speak of floating-point numbers; not all of it is proved.
    for name in proved_programs().into_iter().chain(["../floats/compared"]) {
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
        text.lines().take_while(|line| !line.starts_with("thread ")).map(|l| l.to_owned() + "\n").collect();
    let line = head.lines().count() + 1;
    let refused = |text: &str| ModularProof::parse(&program, text).expect_err(text).to_string();
    let expected_there = |added: &str| {
        let refused = refused(&format!("{head}{added}\nend\n"));
        let there = format!("line {}, ", line + added.lines().count() - 1);
        refused.strip_prefix(&there).unwrap_or_else(|| panic!("{refused}")).to_owned()
    };
    for (added, expected) in [
        ("thraed main", "column 1: `thread`, `place`, `possible`, `holds`, `fails` or `witness` is expected here"),
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
            "column 7: `no assertion fails`, `assertion 3`, `no data race`, `no data race on x`, `no deadlock`, `no livelock`, `nothing undefined` or `no signed overflow` is expected here",
        ),
        ("shows assertion 9999", "column 17: there is no such assertion"),
        ("thread main\nshows no data race", "column 1: what is shown is said before everything else"),
    ] {
        assert_eq!(expected_there(added), expected, "{added}");
    }
    assert_eq!(refused(""), "line 1, column 1: `selvedge certificates 1` is expected here");
    assert_eq!(
        refused(&text.replacen("certificates 1", "certificates 2", 1)),
        "this is version 2 of the form of certificates, and only version 1 is read"
    );
    assert_eq!(
        refused("selvedge certificates 1\nprogram 12"),
        "line 2, column 9: a digest of 32 hexadecimal digits is expected here"
    );
    let other = text.replacen(&Digest::of(&program).to_string(), &Digest::of(&compile("simple")).to_string(), 1);
    assert!(matches!(ModularProof::parse(&program, &other), Err(Unreadable::OtherProgram { .. })));

    // What is read but says something of no place, or nothing of the first one.
    assert!(!is_accepted(&program, &format!("{head}end\n")));
    let body = text.trim_end().strip_suffix("end").expect("it has an end");
    let nowhere = format!("{body}thread main\nplace 4000000000\npossible\nend\n");
    assert!(ModularProof::parse(&program, &nowhere).is_ok() && !is_accepted(&program, &nowhere));
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
