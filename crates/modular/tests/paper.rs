//! The examples of paper 000, iteration by iteration: what is tracked when, and what each thread assumes of the others.

use std::sync::Arc;

use selvedge_analysis::Facts;
use selvedge_evidence::{Certificate, ModularProof, Notebook};
use selvedge_frontend::compile::{CompileOptions, compile_text};
use selvedge_modular::{Beginning, Environment, Options, Weakening, check};
use selvedge_program::budget::Report;
use selvedge_program::{Budget, Program, Progress, Property};

/// What is said of each iteration.
#[derive(Default)]
struct Log(Vec<String>);

impl Progress for Log {
    fn report(&mut self, _report: &Report) {}

    fn say(&mut self, _engine: &'static str, words: &str) {
        self.0.push(words.to_owned());
    }
}

/// The iterations of an attempt to prove that nothing races on a variable, beginning with nothing but the threads' places; and
/// the predicates of the proof.
fn iterations(text: &str, object: &str, environment: Environment) -> (Vec<String>, Option<Vec<String>>) {
    let program = compile_text("example.c", text, &CompileOptions::default()).expect("compiles").program;
    let options = Options {
        properties: vec![Property::Race],
        race_on: Some(object.to_owned()),
        environment,
        explores_everything: true,
        beginning: Beginning::Nothing,
        weakening: Weakening::InRounds,
        ..Options::default()
    };
    let facts = Facts::new(Arc::new(program.clone()), Budget::unlimited());
    let (notebook, mut log) = (Notebook::new(), Log::default());
    check(&facts, &options, &Budget::unlimited(), &mut log, &notebook).expect("the engine makes no mistake");
    let noted = notebook.noted();
    let proof = noted.proofs.iter().find_map(|(_, certificate)| match certificate {
        Certificate::Modular(proof) => Some(predicates(&program, proof)),
        _ => None,
    });
    (log.0.into_iter().filter(|said| said.contains("assumed")).collect(), proof)
}

fn predicates(program: &Program, proof: &ModularProof) -> Vec<String> {
    let literals = proof.places.values().flatten().flat_map(|possible| &possible.literals);
    let mut texts: Vec<String> = literals.map(|(predicate, _)| predicate.text(program)).collect();
    texts.sort();
    texts.dedup();
    texts
}

const EXAMPLE_1: &str = "
    void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);
    int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
    _Atomic int m;
    int x;
    void *one(void *argument) {
        for (;;) {
            __VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); m = 1; __VERIFIER_atomic_end();
            x = 1;
            m = 0;
        }
    }
    void *two(void *argument) {
        for (;;) {
            __VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); m = 2; __VERIFIER_atomic_end();
            x = 2;
            m = 0;
        }
    }
    int main(void) {
        unsigned long t;
        pthread_create(&t, 0, one, 0);
        pthread_create(&t, 0, two, 0);
        return 0;
    }";

const EXAMPLE_2: &str = "
    int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
    int get_new_data(void) { return 7; }
    _Atomic int flag;
    int data, copy;
    void *producer(void *argument) {
        while (1) { while (flag != 0) {} data = get_new_data(); flag = 1; }
    }
    void *consumer(void *argument) {
        while (1) { while (flag != 1) {} copy = data; flag = 0; }
    }
    int main(void) {
        unsigned long t;
        pthread_create(&t, 0, producer, 0);
        pthread_create(&t, 0, consumer, 0);
        return 0;
    }";

#[test]
fn example_1_goes_as_table_1_says() {
    for environment in [Environment::Relation, Environment::Havoc, Environment::Anywhere] {
        eprintln!("{environment:?} {:#?}", iterations(EXAMPLE_1, "x", environment));
    }
}

#[test]
fn example_2_goes_as_its_text_says() {
    for environment in [Environment::Relation, Environment::Havoc, Environment::Anywhere] {
        eprintln!("{environment:?} {:#?}", iterations(EXAMPLE_2, "data", environment));
    }
}
