//! The examples of paper 000, iteration by iteration: what is tracked when, and what each thread assumes of the others.

use std::sync::Arc;

use selvedge_analysis::Facts;
use selvedge_evidence::Notebook;
use selvedge_frontend::compile::{CompileOptions, compile_text};
use selvedge_modular::{Beginning, Environment, Options, Weakening, check};
use selvedge_program::budget::Report;
use selvedge_program::{Budget, Progress, Property};

/// What is said of each iteration.
#[derive(Default)]
struct Log(Vec<String>);

impl Progress for Log {
    fn report(&mut self, _report: &Report) {}

    fn say(&mut self, _engine: &'static str, words: &str) {
        self.0.push(words.to_owned());
    }
}

/// The iterations of an attempt to prove that nothing races on a variable, beginning with nothing but the threads' places, and
/// whether it ends with a proof.
fn iterations(text: &str, object: &str, environment: Environment) -> (Vec<String>, bool) {
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
    let facts = Facts::new(Arc::new(program), Budget::unlimited());
    let (notebook, mut log) = (Notebook::new(), Log::default());
    check(&facts, &options, &Budget::unlimited(), &mut log, &notebook).expect("the engine makes no mistake");
    let is_proved = notebook.noted().has_proved(Property::Race);
    (log.0.into_iter().filter(|said| said.contains("assumed")).collect(), is_proved)
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

/// Table 1: nothing is tracked first, and the race is there before anything is assumed of the others. (That `main` starts the
/// two threads is a step of another thread here, so there is one round before.) Both paths together show what to track;
/// then there is no race before any step of the others is assumed but the starts, and with these steps there is none
/// either: one outer iteration more, of two inner ones.
#[test]
fn example_1_goes_as_table_1_says() {
    let (log, is_proved) = iterations(EXAMPLE_1, "x", Environment::Relation);
    assert_eq!(
        log,
        [
            "everything, iteration 1, 0 predicates, 2 environment steps assumed in 1 inner iterations",
            "races on x, iteration 1, 0 predicates, 2 environment steps assumed in 1 inner iterations",
            "races on x, iteration 2, 9 predicates, 24 environment steps assumed in 2 inner iterations",
        ]
    );
    assert!(is_proved);
}

/// The text on Figure 1: without predicates there is a race at once, whose two paths show all that is to be tracked; that
/// suffices as long as nobody else changes the flag, and also when the others do. Other than there, the assumptions grow
/// once more before they cover all steps.
#[test]
fn example_2_goes_as_its_text_says() {
    let (log, is_proved) = iterations(EXAMPLE_2, "data", Environment::Relation);
    assert_eq!(
        log,
        [
            "everything, iteration 1, 0 predicates, 2 environment steps assumed in 1 inner iterations",
            "races on data, iteration 1, 0 predicates, 2 environment steps assumed in 1 inner iterations",
            "races on data, iteration 2, 4 predicates, 6 environment steps assumed in 3 inner iterations",
        ]
    );
    assert!(is_proved);
}

/// Havoc maps take more iterations; where others may step from anywhere, too.
#[test]
fn forms_of_the_environment_differ_in_iterations_alone() {
    for (text, object) in [(EXAMPLE_1, "x"), (EXAMPLE_2, "data")] {
        for environment in [Environment::Relation, Environment::Havoc] {
            assert!(iterations(text, object, environment).1, "{object} with {environment:?}");
        }
    }
}
