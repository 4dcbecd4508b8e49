//! What the tests of certificates share: programs with their proofs and broken twins, and who discharges obligations.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use selvedge_analysis::{AbstractObject, Facts};
use selvedge_evidence::modular::obligations::Obligations;
use selvedge_evidence::modular::{Claim, Claims};
use selvedge_evidence::protection::{Addresses, ProtectionProof};
use selvedge_evidence::{Certificate, ModularProof, Notebook, Subject, recheck};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_logic::smtlib::{Command as Question, parse_script};
use selvedge_logic::{Answer, Solver, Terms};
use selvedge_modular::{Options, check};
use selvedge_program::{Budget, ObjectId, Program, Property, Quiet};

/// What the engine proves, each with a twin that races or fails an assertion, and how the twin is wrong.
pub const PROVED: [(&str, &str, Claim); 21] = [
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
    ("semaphore_as_lock", "posted_twice", Claim::Races),
    ("spin_lock", "unlocked", Claim::Races),
    ("state_machine", "left_open", Claim::Assertions),
    ("state_variable", "", Claim::Races),
    ("test_and_set", "", Claim::Races),
    ("thread_local", "shared", Claim::Races),
    ("two_locks", "no_lock", Claim::Races),
];

/// All that the engine proves.
pub fn proved_programs() -> Vec<&'static str> {
    let mut names: Vec<&str> = PROVED.iter().map(|(name, ..)| *name).collect();
    names.extend(["callbacks", "out_parameter", "scratch_memory", "simple", "time_varying", "try_lock"]);
    names.dedup();
    names
}

/// A program, unless it needs flags of its own.
pub fn compiled(path: &Path) -> Option<Program> {
    let source = Source { path: path.to_owned(), preprocess: Default::default() };
    Some(compile_sources(&[source], &CompileOptions::default()).ok()?.program)
}

/// A program of two threads: what they share, and what each does.
pub fn program(shared: &str, one: &str, other: &str) -> Program {
    let text = format!(
        "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n{shared}\n\
         void *one(void *argument) {{ {one} return 0; }}\n\
         void *other(void *argument) {{ {other} return 0; }}\n\
         int main(void) {{ pthread_t a, b; START\n\
         pthread_create(&a, 0, one, 0); pthread_create(&b, 0, other, 0); return 0; }}\n"
    );
    whole(&if text.contains("#define START") { text } else { text.replace("START", "") })
}

/// A program by its text.
pub fn whole(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("it can be written to");
    compiled(&path).expect("it is right")
}

pub fn object(program: &Program, name: &str) -> AbstractObject {
    let place = program.objects.iter().position(|object| object.name == name);
    AbstractObject::Static(ObjectId::new(place.unwrap_or_else(|| panic!("there is no {name}"))))
}

pub fn compile(name: &str) -> Program {
    let file = format!("../../tests/programs/modular/{name}.c");
    let source = Source { path: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file), preprocess: Default::default() };
    compile_sources(&[source], &CompileOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}")).program
}

pub fn twin_of(name: &str, twin: &str) -> Program {
    compile(&if twin.is_empty() { format!("{name}_bug") } else { format!("{name}_{twin}_bug") })
}

/// What the engine tells of a program, with the proofs.
pub fn told(program: &Program) -> Vec<(Claims, ModularProof)> {
    let notebook = Notebook::new();
    let options = Options { properties: vec![Property::Assertion, Property::Race], ..Options::default() };
    let facts = Facts::new(Arc::new(program.clone()), Budget::unlimited());
    check(&facts, &options, &Budget::unlimited(), &mut Quiet, &notebook).expect("the engine makes no mistake");
    let proofs = notebook.noted().proofs.into_iter().filter_map(|(scope, certificate)| match certificate {
        Certificate::Modular(proof) => Some((Claims::of(&scope).expect("such proofs are told of"), (*proof).clone())),
        _ => None,
    });
    proofs.collect()
}

/// The last proof, and that it shows all that was asked.
pub fn proved(program: &Program) -> (Claims, ModularProof) {
    let (_, proof) = told(program).pop().expect("there is a proof");
    (Claims::from_iter([Claim::Assertions, Claim::Races]), proof)
}

pub fn is_accepted(program: &Program, text: &str) -> bool {
    let read = ModularProof::parse(program, text);
    read.is_ok_and(|(proof, claims)| claims.certify(program, &proof, &Budget::unlimited()).is_ok())
}

/// Whether our solver discharges all obligations, read from the script with our reader, which has no `push`.
pub fn ours(written: &Obligations) -> bool {
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
pub fn z3(script: &str) -> Option<Vec<String>> {
    let mut child = Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let (mut input, script) = (child.stdin.take().expect("it has one"), script.to_owned());
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("nothing panics").expect("it reads to the end");
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// How many objects of random programs were protected, and on how many the plainest search found a race.
#[derive(Debug, Default)]
pub struct Compared {
    protected: usize,
    raced: usize,
}

impl Compared {
    /// Nothing is protected on which the plainest search finds a race.
    #[track_caller]
    pub fn look_at(&mut self, program: &Program, proof: &ProtectionProof, what: &str) {
        if proof.addresses == Addresses::Assumed {
            return;
        }
        self.protected += proof.objects.len();
        for subject in recheck(program, 3_000, 16).subjects {
            if let Subject::Race(object) = subject {
                self.raced += 1;
                assert!(!proof.objects.contains_key(&object), "{object:?} in {what}");
            }
        }
    }

    /// Both are to be found in what was looked at.
    #[track_caller]
    pub fn are_told_apart(&self) {
        assert!(self.protected > 0 && self.raced > 0, "{self:?}");
    }
}
