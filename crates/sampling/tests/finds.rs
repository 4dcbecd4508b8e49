//! What single executions show: violations far from the beginning, and never one that the concrete semantics does not
//! accept.
//!
//! `SELVEDGE_SEEDS=FIRST..LAST` asks for other random programs than the few that run by default.

use selvedge_analysis::Facts;
use selvedge_evidence::{Certificate, Counterexample, Findings, Gap, Notebook, Scope, Subject, Task, Violation};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_generate::{seeds, stored};
use selvedge_program::{Budget, Program, Property, Quiet};
use selvedge_sampling::{Options, check};
use std::collections::BTreeSet;
use std::path::Path;

fn compile(path: &Path) -> Program {
    let source = Source { path: path.to_owned(), preprocess: Default::default() };
    match compile_sources(&[source], &CompileOptions::default()) {
        Ok(compiled) => compiled.program,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

fn written(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("the temporary folder is writable");
    compile(&path)
}

/// What is told about a program, replayed.
fn told(program: &Program, effort: usize) -> Vec<Violation> {
    let (facts, notebook) = (Facts::of(program), Notebook::new());
    let options = Options { task: Task::default(), effort, seed: 0 };
    let answer = check(&facts, &options, &Budget::unlimited(), &mut Quiet, &notebook);
    assert!(!answer.is_complete(), "nothing is proved");
    let violations = notebook.noted().violations;
    for violation in &violations {
        if let Err(error) = Counterexample::new(program, violation.clone()) {
            panic!("{:?}: {error}", violation.subject);
        }
    }
    violations
}

fn properties(violations: &[Violation]) -> BTreeSet<Property> {
    violations.iter().map(|violation| violation.subject.property()).collect()
}

/// A race and a failing assertion behind thousands of steps, before which a search over all states ends.
const FAR: &str = r#"
#include <assert.h>
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
int table[300], sum, guarded;
static void *worker(void *unused) {
    for (int i = 0; i < 300; i++) {
        pthread_mutex_lock(&a);
        guarded += table[i];
        pthread_mutex_unlock(&a);
    }
    sum++;
    return unused;
}
int main(void) {
    for (int i = 0; i < 300; i++)
        table[i] = i;
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, 0);
    pthread_mutex_lock(&a);
    assert(guarded < 44850);
    pthread_mutex_unlock(&a);
    return 0;
}
"#;

/// A listener that wants further violations of what is violated.
struct Collector(Notebook);

impl Findings for Collector {
    fn violation(&self, violation: Violation) {
        self.0.violation(violation);
    }

    fn proved(&self, scope: &Scope, certificate: Certificate) {
        self.0.proved(scope, certificate);
    }

    fn covered(&self, scope: &Scope, bound: &str) {
        self.0.covered(scope, bound);
    }

    fn is_open(&self, subject: Subject) -> bool {
        self.0.is_open(subject)
    }

    fn has_room(&self, _subject: Subject) -> bool {
        true
    }

    fn is_property_open(&self, property: Property) -> bool {
        self.0.is_property_open(property)
    }
}

#[test]
fn further_races_of_an_object_are_told_once_each() {
    let program = written(
        "#include <pthread.h>
        struct pair { int first, second; } pair;
        void *one(void *unused) { pair.first = 1; pair.second = 1; return unused; }
        int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pair.first = 2; pair.second = 2; return 0; }",
    );
    let (facts, collector) = (Facts::of(&program), Collector(Notebook::new()));
    let options = Options { task: Task::default(), effort: 200_000, seed: 0 };
    check(&facts, &options, &Budget::unlimited(), &mut Quiet, &collector);
    let violations = collector.0.noted().violations;
    let lines: Vec<BTreeSet<u32>> = violations
        .iter()
        .map(|violation| {
            let found = Counterexample::new(&program, violation.clone()).expect("it is replayed");
            let raced = found.replay().races.iter().flat_map(|race| [race.first, race.second]);
            raced.map(|access| access.edge.0).collect()
        })
        .collect();
    let each: BTreeSet<&BTreeSet<u32>> = lines.iter().collect();
    assert_eq!((violations.len(), each.len()), (2, 2), "{lines:?}");
    // Who has no room for them is told of one.
    assert_eq!(told(&program, 200_000).len(), 1);
}

#[test]
fn violations_behind_thousands_of_steps_are_found() {
    let program = written(FAR);
    let violations = told(&program, 2_000_000);
    let found = properties(&violations);
    assert!(found.contains(&Property::Race) && found.contains(&Property::Assertion), "{found:?}");
    let race = violations.iter().find(|violation| violation.subject.property() == Property::Race);
    let steps = race.expect("there is one").trace.steps.len();
    assert!(steps > 1_000, "{steps} steps");
}

/// The orders of an execution show the race whatever the schedule: no thread is ever preempted here.
#[test]
fn a_race_shows_in_an_execution_without_preemption() {
    let program = written(
        "#include <pthread.h>\nint x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         static void *f(void *p) { pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m); x = 1; return p; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_mutex_lock(&m); y = 2;\n\
         pthread_mutex_unlock(&m); pthread_join(t, 0); return x; }\n",
    );
    let violations = told(&program, 100);
    let races = violations.iter().filter(|violation| violation.subject.property() == Property::Race);
    assert_eq!(races.map(|race| race.subject).collect::<BTreeSet<Subject>>().len(), 1, "x, and not y: {violations:?}");
}

#[test]
fn threads_without_number_do_not_crowd_an_execution() {
    let program = written(
        "#include <pthread.h>\nint x;\nstatic void *f(void *p) { x++; return p; }\n\
         int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, f, 0); } }\n",
    );
    assert!(properties(&told(&program, 20_000)).contains(&Property::Race));
}

/// What is not modelled is named, with its place.
#[test]
fn what_ends_executions_is_said() {
    let program =
        written("int g;\nint main(void) {\n    __asm__ volatile(\"wrmsr\" ::: \"memory\");\n    return g;\n}\n");
    let options = Options { effort: 1_000, ..Options::default() };
    let answer = check(&Facts::of(&program), &options, &Budget::unlimited(), &mut Quiet, &Notebook::new());
    let named = |gap: &Gap| matches!(gap, Gap::Unsupported { span, what } if span.line == 3 && what.contains("asm"));
    assert!(answer.gaps.iter().any(named), "{:?}", answer.gaps);
}

/// The examples that are right have nothing to tell about; most of those that are wrong do.
#[test]
fn examples_are_told_apart() {
    let (mut wrong, mut found) = (0, 0);
    for file in stored::c_files("examples") {
        let violations = told(&compile(&file), 60_000);
        let is_wrong = |name: &str| name.contains("_bug") || name.contains("_plain");
        if is_wrong(&stored::name(&file)) {
            wrong += 1;
            found += usize::from(!violations.is_empty());
        } else {
            let subjects: Vec<Subject> = violations.iter().map(|violation| violation.subject).collect();
            assert!(subjects.is_empty(), "{}: {subjects:?}", file.display());
        }
    }
    println!("violations of {found} of {wrong} wrong examples are found");
    assert!(found * 10 >= wrong * 7, "{found} of {wrong}");
}

/// On small random programs, nothing is told that the plainest search over all states does not find.
#[test]
fn what_is_told_is_found_by_the_plainest_search() {
    let (mut compared, mut missed, mut all) = (0, 0, 0);
    for seed in seeds(0..60) {
        let program = written(&selvedge_generate::concurrent::program(seed));
        let plain = selvedge_evidence::recheck(&program, 20_000, 256);
        let found: BTreeSet<Subject> = told(&program, 20_000).into_iter().map(|violation| violation.subject).collect();
        if plain.is_complete {
            assert!(found.is_subset(&plain.subjects), "seed {seed}: {found:?}, not {:?}", plain.subjects);
            compared += 1;
            all += plain.subjects.len();
            missed += plain.subjects.difference(&found).count();
        }
    }
    println!("{compared} programs, {missed} of {all} violations not found");
    assert!(compared > 0 && missed * 4 <= all, "{missed} of {all} missed");
}
