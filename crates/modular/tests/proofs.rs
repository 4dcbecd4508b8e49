//! Proofs of programs with any number of threads, loops without end and wide data: found, certified, and refused when
//! they are changed or claimed of another program.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use selvedge_analysis::Facts;
use selvedge_evidence::modular::{Shown, certify};
use selvedge_evidence::{
    Answer, Certificate, Counterexample, Findings, Gap, ModularProof, Notebook, Noted, Scope, Subject, Violation,
};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources, compile_text};
use selvedge_generate::random::Random;
use selvedge_modular::{Environment, Options, check};
use selvedge_program::{Budget, EdgeId, FunctionId, Program, Property, Quiet, RegisterId};

const ALL: [Property; 2] = [Property::Assertion, Property::Race];

/// The same, and undefined behaviour.
const ASKED: [Property; 3] = [Property::Assertion, Property::Race, Property::Memory];

fn compile(name: &str) -> Program {
    compile_file(&format!("tests/programs/modular/{name}"))
}

fn compile_file(name: &str) -> Program {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    let source = Source { path, preprocess: Default::default() };
    compile_sources(&[source], &CompileOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}")).program
}

/// What the engine tells of a program.
fn told(program: &Program, environment: Environment) -> Noted {
    told_of(program, &Options { properties: ALL.to_vec(), environment, ..Options::default() }, &Budget::unlimited())
}

fn told_of(program: &Program, options: &Options, budget: &Budget) -> Noted {
    let notebook = Notebook::new();
    let facts = Facts::new(Arc::new(program.clone()), Budget::unlimited());
    check(&facts, options, budget, &mut Quiet, &notebook).expect("the engine makes no mistake");
    notebook.noted()
}

/// What the engine proves of a program, with the last proof.
fn proved(program: &Program) -> (Vec<Property>, Option<ModularProof>) {
    proved_of(program, &ALL, &Budget::unlimited())
}

/// What of certain properties the engine proves within a budget, with the last proof.
fn proved_of(program: &Program, asked: &[Property], budget: &Budget) -> (Vec<Property>, Option<ModularProof>) {
    let options = Options { properties: asked.to_vec(), explores_everything: true, ..Options::default() };
    let noted = told_of(program, &options, budget);
    let proof = noted.proofs.iter().rev().find_map(|(_, certificate)| match certificate {
        Certificate::Modular(proof) => Some((**proof).clone()),
        _ => None,
    });
    (asked.iter().copied().filter(|property| noted.has_proved(*property)).collect(), proof)
}

fn is_accepted(program: &Program, proof: &ModularProof, properties: &[Property]) -> bool {
    let shown = Shown {
        assertions: &|_| properties.contains(&Property::Assertion),
        races: &|_| properties.contains(&Property::Race),
        undefined: &|_| properties.contains(&Property::Memory),
    };
    certify(program, proof, &shown, &Budget::unlimited()).is_ok()
}

#[test]
fn unbounded_programs_are_proved() {
    let programs = [
        "bank.c",
        "producer_consumer.c",
        "state_variable.c",
        "test_and_set.c",
        "quota.c",
        "lazy_initialisation.c",
        "handed_over.c",
        "accounts_on_the_heap.c",
        "after_the_join.c",
        "bounded_queue.c",
        "callbacks.c",
        "cas_c11.c",
        "condition_variable.c",
        "flag_and_data.c",
        "local_of_main.c",
        "out_parameter.c",
        "scratch_memory.c",
        "semaphore_as_lock.c",
        "spin_lock.c",
        "state_machine.c",
        "thread_local.c",
        "simple.c",
        "time_varying.c",
        "try_lock.c",
        "two_locks.c",
    ];
    for name in programs {
        let program = compile(name);
        let (properties, proof) = proved(&program);
        assert_eq!(properties, ALL, "{name}");
        assert!(is_accepted(&program, &proof.expect("a proof is told"), &ALL), "{name}");
    }
}

#[test]
fn their_broken_twins_are_not() {
    for (name, broken) in [
        ("bank_no_lock_bug.c", ALL.to_vec()),
        ("bank_overdrawn_bug.c", vec![Property::Assertion]),
        ("bank_early_unlock_bug.c", ALL.to_vec()),
        ("producer_consumer_bug.c", vec![Property::Race]),
        ("state_variable_bug.c", vec![Property::Race]),
        ("test_and_set_bug.c", vec![Property::Race]),
        ("quota_late_bug.c", ALL.to_vec()),
        ("lazy_initialisation_bug.c", vec![Property::Race]),
        ("handed_over_bug.c", vec![Property::Assertion]),
        ("null_in_array_bug.c", vec![Property::Assertion]),
        ("result_of_thread_bug.c", vec![Property::Assertion]),
        ("readers_writers_shared_bug.c", vec![Property::Race]),
        ("readers_writers_heap_late_bug.c", vec![Property::Race]),
        ("reference_count_revived_bug.c", vec![Property::Race]),
        ("semaphore_as_lock_posted_twice_bug.c", vec![Property::Race]),
    ] {
        let (properties, _) = proved(&compile(name));
        assert!(!properties.iter().any(|property| broken.contains(property)), "{name}: {properties:?}");
    }
}

#[test]
fn proofs_of_other_programs_are_refused() {
    for (name, twin) in [
        ("bank.c", "bank_no_lock_bug.c"),
        ("bank.c", "bank_overdrawn_bug.c"),
        ("producer_consumer.c", "producer_consumer_bug.c"),
        ("state_variable.c", "state_variable_bug.c"),
        ("test_and_set.c", "test_and_set_bug.c"),
        ("handed_over.c", "handed_over_bug.c"),
    ] {
        let (_, proof) = proved(&compile(name));
        assert!(!is_accepted(&compile(twin), &proof.expect("there is a proof"), &ALL), "{name} of {twin}");
    }
}

/// A conjunct that is turned round says something of a reachable place that is not so, and a conjunction that is left
/// out was reachable.
#[test]
fn changed_proofs_are_refused() {
    let mut mutations = 0;
    for name in ["bank.c", "producer_consumer.c", "state_variable.c"] {
        let program = compile(name);
        let (_, proof) = proved(&program);
        let proof = proof.expect("there is a proof");
        for (key, possible) in &proof.places {
            for place in 0..possible.len() {
                for literal in 0..possible[place].literals.len() {
                    let mut changed = proof.clone();
                    let at = changed.places.get_mut(key).expect("it is a copy");
                    at[place].literals[literal].1 = !at[place].literals[literal].1;
                    assert!(!is_accepted(&program, &changed, &ALL), "{name}: {key:?} {literal} turned round");
                    mutations += 1;
                }
            }
            let mut changed = proof.clone();
            changed.places.remove(key);
            assert!(!is_accepted(&program, &changed, &ALL), "{name}: {key:?} left out");
            mutations += 1;
        }
    }
    assert!(mutations >= 200, "{mutations} mutations");
}

/// The engine alone has schedules for these, and the concrete semantics accepts them.
#[test]
fn violations_have_schedules() {
    for (name, property) in [
        ("simple_bug.c", Property::Race),
        ("producer_consumer_bug.c", Property::Race),
        ("time_varying_bug.c", Property::Race),
        ("bank_no_lock_bug.c", Property::Race),
        ("bank_overdrawn_bug.c", Property::Assertion),
        ("handed_over_bug.c", Property::Assertion),
        ("state_machine_left_open_bug.c", Property::Assertion),
        ("state_variable_bug.c", Property::Race),
        ("test_and_set_bug.c", Property::Race),
        ("try_lock_ignored_bug.c", Property::Assertion),
    ] {
        let program = compile(name);
        let violations = told(&program, Environment::Relation).violations;
        let mut found = violations.into_iter().filter(|violation| violation.subject.property() == property);
        let violation = found.next().unwrap_or_else(|| panic!("{name}: there is no schedule"));
        Counterexample::new(&program, violation).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// What no abstract path leads to has schedules by trial: with few questions or none.
#[test]
fn violations_have_schedules_by_trial() {
    for (name, property) in [
        ("accounts_on_the_heap_no_lock_bug.c", Property::Race),
        ("after_the_join_one_joined_bug.c", Property::Race),
        ("bounded_queue_full_bug.c", Property::Assertion),
        ("callbacks_one_bug.c", Property::Race),
        ("condition_variable_if_bug.c", Property::Assertion),
        ("destructor_frees_bug.c", Property::Memory),
        ("handed_through_queue_left_bug.c", Property::Race),
        ("local_of_main_left_bug.c", Property::Memory),
        ("lock_per_element_first_only_bug.c", Property::Race),
        ("readers_writers_heap_late_bug.c", Property::Race),
        ("readers_writers_unlocked_twice_bug.c", Property::Race),
        ("result_of_thread_bug.c", Property::Assertion),
        ("semaphore_as_lock_posted_twice_bug.c", Property::Race),
        ("seqlock_late_bug.c", Property::Assertion),
        ("started_by_worker_bug.c", Property::Assertion),
        ("started_by_worker_bug.c", Property::Race),
        ("thread_pool_late_bug.c", Property::Race),
        ("transfer_overdrawn_bug.c", Property::Assertion),
        ("unset_in_array_bug.c", Property::Assertion),
        ("unset_in_one_of_two_bug.c", Property::Assertion),
    ] {
        let program = compile(name);
        let options = Options { properties: vec![property], ..Options::default() };
        let budget = Budget::unlimited();
        let first = First { cancel: budget.cancel.clone(), violation: Mutex::default() };
        let facts = Facts::new(Arc::new(program.clone()), Budget::unlimited());
        check(&facts, &options, &budget, &mut Quiet, &first).expect("the engine makes no mistake");
        let violation = first.violation.into_inner().expect("nobody panics");
        let violation = violation.unwrap_or_else(|| panic!("{name}: there is no schedule"));
        assert_eq!(violation.subject.property(), property, "{name}");
        Counterexample::new(&program, violation).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// Takes the first violation, and has the engine stop.
struct First {
    cancel: Arc<AtomicBool>,
    violation: Mutex<Option<Violation>>,
}

impl Findings for First {
    fn violation(&self, violation: Violation) {
        self.violation.lock().expect("nobody panics").get_or_insert(violation);
        self.cancel.store(true, Ordering::Relaxed);
    }

    fn proved(&self, _scope: &Scope, _certificate: Certificate) {}

    fn covered(&self, _scope: &Scope, _bound: &str) {}

    fn is_open(&self, _subject: Subject) -> bool {
        true
    }

    fn is_property_open(&self, _property: Property) -> bool {
        true
    }
}

/// Paper 000: havoc maps are enough for Examples 1 and 2; where others may step from anywhere (Algorithm B), a lock that
/// anybody could give up is none.
#[test]
fn forms_of_the_environment() {
    use Environment::{Anywhere, Havoc, Relation};
    for (name, environment, is_proved) in [
        ("simple.c", Relation, true),
        ("simple.c", Havoc, true),
        ("producer_consumer.c", Relation, true),
        ("producer_consumer.c", Havoc, true),
        ("producer_consumer.c", Anywhere, true),
        ("test_and_set.c", Relation, true),
        ("test_and_set.c", Anywhere, false),
    ] {
        let program = compile(name);
        let noted = told(&program, environment);
        assert_eq!(noted.has_proved(Property::Race), is_proved, "{name} with {environment:?}");
        let last = noted.proofs.last().filter(|_| is_proved);
        if let Some((_, Certificate::Modular(proof))) = last {
            assert!(is_accepted(&program, proof, &ALL), "{name} with {environment:?}");
        }
    }
}

/// The same of memory from the heap, joins and locals that are shared, for some of the many conjuncts.
#[test]
fn changed_proofs_of_memory_and_joins_are_refused() {
    let mut random = Random::new(7);
    for name in ["accounts_on_the_heap.c", "after_the_join.c", "local_of_main.c", "two_of_a_site.c"] {
        let program = compile(name);
        let (_, proof) = proved(&program);
        let proof = proof.expect("there is a proof");
        for _ in 0..10 {
            let mut changed = proof.clone();
            let keys: Vec<_> = proof.places.keys().copied().collect();
            let key = *random.pick(&keys);
            let at = changed.places.get_mut(&key).expect("it is a copy");
            let place = random.index(at.len());
            let count = at[place].literals.len();
            if count == 0 || random.chance(30) {
                at.remove(place);
            } else {
                let literal = &mut at[place].literals[random.index(count)];
                literal.1 = !literal.1;
            }
            assert!(!is_accepted(&program, &changed, &ALL), "{name}: {key:?} {place}: {:?}", changed.places[&key]);
        }
    }
}

/// The programs of `tests/programs/modular`, by name.
fn stored() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/modular");
    let entries = std::fs::read_dir(folder).expect("the programs are there");
    let names = entries.map(|entry| entry.expect("can be read").file_name().into_string().expect("is text"));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".c")).collect();
    names.sort();
    names
}

/// What the verdict line of a program says to be violated or not decided.
fn not_safe(name: &str) -> Vec<Property> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/modular").join(name);
    let text = std::fs::read_to_string(path).expect("can be read");
    let line = text.lines().next().unwrap_or_default().to_owned();
    let named = [("assertion", ALL[0]), ("race", ALL[1]), ("memory", Property::Memory)];
    let is_wrong = |name: &str| ["unsafe", "unknown"].iter().any(|verdict| line.contains(&format!("{name}={verdict}")));
    named.into_iter().filter(|(name, _)| is_wrong(name)).map(|(_, property)| property).collect()
}

/// How long the engine may look for something to prove of a program that has a mistake.
const TIME: Duration = Duration::from_secs(2);

/// A proof with something changed: a conjunct turned round, left out, or taken from another place; a conjunction left
/// out; a template said not to have been started; an allocation said to be the one of another register.
fn changed(random: &mut Random, program: &Program, proof: &ModularProof) -> ModularProof {
    let mut changed = proof.clone();
    let some = proof.places.iter().filter(|(_, possible)| !possible.is_empty());
    let keys: Vec<_> = some.map(|(key, _)| *key).collect();
    let literals: Vec<_> = proof.places.values().flatten().flat_map(|possible| possible.literals.clone()).collect();
    let key = *random.pick(&keys);
    let at = changed.places.get_mut(&key).expect("it is a copy");
    let place = random.index(at.len());
    let count = at[place].literals.len();
    match random.below(6) {
        0 if count > 0 => {
            let literal = &mut at[place].literals[random.index(count)];
            literal.1 = !literal.1;
        }
        1 if count > 0 => {
            at[place].literals.remove(random.index(count));
        }
        2 if !literals.is_empty() => at[place].literals.push(random.pick(&literals).clone()),
        3 => {
            at.remove(place);
        }
        4 => {
            let entries: Vec<_> = proof.places.keys().map(|(entry, _)| *entry).collect();
            at[place].unstarted.insert(*random.pick(&entries));
        }
        _ => {
            for (index, function) in program.functions.iter().enumerate() {
                for edge in 0..function.edges.len() {
                    let register = RegisterId::new(random.index(function.registers.len()));
                    changed.witnesses.insert((FunctionId::new(index), EdgeId::new(edge)), register);
                }
            }
        }
    }
    changed
}

/// Neither what the engine has of such a program, however it is changed, nor the proof of another one shows what is not
/// so.
#[test]
fn what_is_not_so_has_no_proof() {
    let mut random = Random::new(13);
    let (mut mutations, mut others) = (0, 0);
    let names = stored();
    for name in names.iter().filter(|name| !not_safe(name).is_empty()) {
        let (program, wrong) = (compile(name), not_safe(name));
        let (properties, proof) = proved_of(&program, &ASKED, &Budget::unlimited().with_time(TIME));
        assert!(!properties.iter().any(|property| wrong.contains(property)), "{name}: {properties:?}");
        for property in wrong {
            for _ in 0..8 {
                let Some(proof) = &proof else { continue };
                assert!(!is_accepted(&program, proof, &[property]), "{name}: {property:?}");
                let mut changed = changed(&mut random, &program, proof);
                for _ in 0..random.below(3) {
                    changed = self::changed(&mut random, &program, &changed);
                }
                assert!(!is_accepted(&program, &changed, &[property]), "{name}: {property:?}: {changed:?}");
                mutations += 1;
            }
            let is_twin = |twin: &&String| name.starts_with(twin.trim_end_matches(".c")) && not_safe(twin).is_empty();
            for twin in names.iter().filter(is_twin) {
                let (_, proof) = proved_of(&compile(twin), &ASKED, &Budget::unlimited().with_time(TIME));
                let Some(proof) = proof else { continue };
                assert!(!is_accepted(&program, &proof, &[property]), "{twin} of {name}");
                others += 1;
            }
        }
    }
    assert!(mutations >= 200, "{mutations} mutations");
    assert!(others >= 20, "{others} proofs of twins");
}

/// What the engine answers.
fn answer(program: &Program) -> Answer {
    let options = Options { properties: ALL.to_vec(), ..Options::default() };
    let facts = Facts::new(Arc::new(program.clone()), Budget::unlimited());
    check(&facts, &options, &Budget::unlimited(), &mut Quiet, &Notebook::new()).expect("the engine makes no mistake")
}

#[test]
fn petersons_algorithm_is_not_provable_thread_by_thread() {
    let answer = answer(&compile_file("examples/peterson.c"));
    let is_said = |gap: &Gap| matches!(gap, Gap::Inapplicable { message, .. } if message.starts_with("not provable thread by thread"));
    assert!(answer.gaps.iter().any(is_said), "{:?}", answer.gaps);
}

#[test]
fn ten_thousand_threads_cost_what_ten_cost() {
    let queries = |threads: u32| {
        let text = format!(
            "typedef union {{ char size[40]; long align; }} pthread_mutex_t;
            int pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *);
            int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
            pthread_mutex_t m; int count;
            void *worker(void *argument) {{
                for (;;) {{ pthread_mutex_lock(&m); count++; pthread_mutex_unlock(&m); }}
            }}
            int main(void) {{
                for (int i = 0; i < {threads}; i++) {{ unsigned long t; pthread_create(&t, 0, worker, 0); }}
                return 0;
            }}"
        );
        let program = compile_text("threads.c", &text, &CompileOptions::default()).expect("compiles").program;
        let (properties, _) = proved(&program);
        assert_eq!(properties, ALL, "{threads} threads");
        let statistics = answer(&program).statistics;
        statistics.into_iter().find(|(name, _)| *name == "prover_queries").expect("it is counted").1
    };
    assert_eq!(queries(10), queries(10_000));
}
