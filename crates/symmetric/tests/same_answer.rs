//! The same program has the same answer, down to the figures and the text of certificates: in one process, in another
//! one, and when the run is called off as soon as all that was asked is proved.

mod common;

use std::process::Command;
use std::sync::Arc;

use common::{Impatient, compile, program, proof_of, text};
use selvedge_analysis::Facts;
use selvedge_evidence::{Answer, Figure, Findings};
use selvedge_program::{Budget, Program, Property, Quiet};
use selvedge_symmetric::{Options, check};

const ASKED: [Property; 1] = [Property::Assertion];

/// All that the engine says but how long it took: figures, gaps, and the certificate.
fn said(program: &Program, is_impatient: bool) -> String {
    let facts = Facts::new(Arc::new(program.clone()), Budget::unlimited());
    let options = Options { properties: ASKED.to_vec(), ..Options::default() };
    let budget = Budget::unlimited();
    let impatient = Impatient::with(&budget);
    let findings: &dyn Findings = if is_impatient { &impatient } else { &impatient.notebook };
    let Answer { gaps, statistics } =
        check(&facts, &options, &budget, &mut Quiet, findings).expect("the engine makes no mistake");
    let figures: Vec<_> = statistics.iter().filter(|(_, figure)| !matches!(figure, Figure::Time(_))).collect();
    let proof = proof_of(&impatient.notebook.noted(), Property::Assertion).expect("it is proved");
    format!("{figures:?}\n{gaps:?}\n{}", text(program, &proof, Property::Assertion))
}

/// Mixed predicates, several templates, threads that are counted, and behaviour that is perhaps undefined.
fn programs() -> Vec<(&'static str, Program)> {
    let overflowing = program(
        "typedef unsigned long pthread_t;
        int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        void reach_error(void);
        _Atomic int s; int table[4];
        void *run(void *arg) { int own = s; table[own & 7] = 1; int next = own + 1; if (next == own) reach_error(); s = next; return 0; }
        int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, run, 0); } }",
    );
    let named = ["inc_lock", "inc_dec_lock", "random_lock", "mixed", "scull", "joined", "ticket"];
    named.into_iter().map(|name| (name, compile(name))).chain([("overflowing", overflowing)]).collect()
}

#[test]
fn what_is_said_depends_on_the_program_alone() {
    for (name, program) in programs() {
        let first = said(&program, false);
        assert_eq!(first, said(&program, false), "{name}");
        assert_eq!(first, said(&program, true), "{name}: nothing comes after the last proof");
    }
}

/// Where somebody may be undefined is known when the proof is told, not later.
#[test]
fn doubts_come_with_the_proof() {
    let programs = programs();
    let (_, overflowing) = programs.last().expect("there are programs");
    assert!(said(overflowing, true).contains("PerhapsUndefined"), "{}", said(overflowing, true));
}

/// Asks this process, or tells what a process that was started for it is asked.
const OTHER: &str = "SELVEDGE_TELL";

#[test]
fn another_process_says_the_same() {
    let all =
        || programs().iter().map(|(name, program)| format!("{name}:\n{}", said(program, true))).collect::<String>();
    if std::env::var_os(OTHER).is_some() {
        println!("{}", all());
        return;
    }
    let own = all();
    let this = std::env::current_exe().expect("a test knows its file");
    let mut command = Command::new(this);
    command.env(OTHER, "1").args(["--exact", "another_process_says_the_same", "--nocapture"]);
    let other = command.output().expect("it can be started");
    let other = String::from_utf8(other.stdout).expect("it is text");
    assert!(other.contains(&own), "{own}\nbut in another process:\n{other}");
}
