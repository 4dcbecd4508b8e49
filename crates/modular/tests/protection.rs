//! What is protected, and that nothing else is taken to be: against programs in which something races, against the
//! plainest search, and against changed proofs.

mod common;

use std::path::{Path, PathBuf};

use selvedge_analysis::AbstractObject;
use selvedge_evidence::protection::{Lock, Protection, ProtectionProof, Refusal, certify};
use selvedge_evidence::{Subject, recheck};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources};
use selvedge_modular::protection::protected;
use selvedge_program::{Budget, LockMode, ObjectId, Program};

fn compiled(path: &Path) -> Program {
    let source = Source { path: path.to_owned(), preprocess: Default::default() };
    let compiled = compile_sources(&[source], &CompileOptions::default());
    compiled.unwrap_or_else(|error| panic!("{}: {error}", path.display())).program
}

/// A program of two threads: what they share, and what each does.
fn program(shared: &str, one: &str, other: &str) -> Program {
    let text = format!(
        "#include <pthread.h>\n#include <string.h>\n{shared}\n\
         void *one(void *argument) {{ {one} return 0; }}\n\
         void *other(void *argument) {{ {other} return 0; }}\n\
         int main(void) {{ pthread_t a, b; START\n\
         pthread_create(&a, 0, one, 0); pthread_create(&b, 0, other, 0); return 0; }}\n"
    );
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let path = folder.path().join("program.c");
    let text = if text.contains("#define START") { text } else { text.replace("START", "") };
    std::fs::write(&path, text).expect("it can be written to");
    compiled(&path)
}

fn object(program: &Program, name: &str) -> ObjectId {
    let place = program.objects.iter().position(|object| object.name == name);
    ObjectId::new(place.unwrap_or_else(|| panic!("there is no {name}")))
}

fn proof(program: &Program) -> Option<ProtectionProof> {
    protected(program, &Budget::unlimited()).expect("there is no limit")
}

/// Whether nothing races on `x`, as far as protection shows; what is found is accepted.
fn is_protected(program: &Program) -> bool {
    let Some(proof) = proof(program) else { return false };
    let claimed: Vec<ObjectId> = proof.objects.keys().copied().collect();
    assert_eq!(certify(program, &proof, &claimed, &Budget::unlimited()), Ok(()));
    claimed.contains(&object(program, "x"))
}

const MUTEX: &str = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x, *p;
    void with(void) { x++; } void take(void) { pthread_mutex_lock(&m); } void give(void) { pthread_mutex_unlock(&m); }
    void both(void) { take(); x++; give(); } void (*called)(void) = both;";
const READ_WRITE: &str = "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x, y;";
const LOCKED: &str = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";

#[test]
fn what_a_lock_guards_is_protected() {
    let wait = "pthread_cond_t c = PTHREAD_COND_INITIALIZER;";
    let cases = [
        (MUTEX, LOCKED, LOCKED),
        (MUTEX, "take(); with(); give();", LOCKED),
        (MUTEX, "for (;;) { both(); }", "called();"),
        (MUTEX, "int v = x; v++;", "int v = x; v--;"),
        (&format!("{MUTEX}\n#define START x = 1; pthread_mutex_init(&m, 0);"), LOCKED, LOCKED),
        (&format!("{wait} {MUTEX}"), "take(); while (!x) pthread_cond_wait(&c, &m); x = 0; give();", LOCKED),
        (
            READ_WRITE,
            "pthread_rwlock_rdlock(&l); int v = x; pthread_rwlock_unlock(&l); v++;",
            "pthread_rwlock_wrlock(&l); x++; pthread_rwlock_unlock(&l);",
        ),
        (
            "struct { pthread_spinlock_t a, b; } s; int x;\n#define START pthread_spin_init(&s.b, 0);",
            "pthread_spin_lock(&s.b); x++; pthread_spin_unlock(&s.b);",
            "pthread_spin_lock(&s.b); x--; pthread_spin_unlock(&s.b);",
        ),
    ];
    for (shared, one, other) in cases {
        assert!(is_protected(&program(shared, one, other)), "{one} beside {other}");
    }
}

#[test]
fn what_may_race_is_not_protected() {
    let cases = [
        (MUTEX, LOCKED, "x++;"),
        (MUTEX, LOCKED, "int v = x; v++;"),
        (MUTEX, LOCKED, "pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n);"),
        (MUTEX, LOCKED, "take(); give(); x++;"),
        (MUTEX, LOCKED, "take(); x++; give(); x--;"),
        (MUTEX, "take(); with(); give();", "with();"),
        (MUTEX, LOCKED, "called(); x++;"),
        // The address of the object goes elsewhere.
        (MUTEX, LOCKED, "p = &x; *p = 1;"),
        (MUTEX, LOCKED, "int *q = p ? p : &x; *q = 1;"),
        (MUTEX, LOCKED, "memset(&x, 0, sizeof x);"),
        // The lock is overwritten while others run, or another one is meant.
        (MUTEX, LOCKED, "pthread_mutex_init(&m, 0); both();"),
        (MUTEX, LOCKED, "memcpy(&m, &n, sizeof m); both();"),
        (MUTEX, LOCKED, "pthread_mutex_t *q = p ? &m : &n; pthread_mutex_lock(q); x++; pthread_mutex_unlock(q);"),
        (MUTEX, LOCKED, "if (pthread_mutex_trylock(&m)) x++; else { x++; give(); }"),
        (
            &format!("pthread_cond_t c = PTHREAD_COND_INITIALIZER; {MUTEX}"),
            LOCKED,
            "take(); give(); pthread_cond_signal(&c); x++;",
        ),
        // Written under a lock that is held for reading, and one that is given back by somebody else.
        (
            READ_WRITE,
            "pthread_rwlock_rdlock(&l); x++; pthread_rwlock_unlock(&l);",
            "pthread_rwlock_rdlock(&l); int v = x; pthread_rwlock_unlock(&l); v++;",
        ),
        (
            READ_WRITE,
            "pthread_rwlock_rdlock(&l); int v = x; pthread_rwlock_unlock(&l); v++;",
            "pthread_rwlock_unlock(&l); pthread_rwlock_wrlock(&l); x++; pthread_rwlock_unlock(&l);",
        ),
        // An address out of nothing.
        (
            &format!("extern void *__VERIFIER_nondet_pointer(void); {MUTEX}"),
            LOCKED,
            "p = __VERIFIER_nondet_pointer(); *p = 1;",
        ),
    ];
    for (shared, one, other) in cases {
        assert!(!is_protected(&program(shared, one, other)), "{one} beside {other}");
    }
}

/// How many states the plainest search visits of each program.
const STATES: usize = 3_000;

/// The programs that come with the tests, as far as races go.
fn programs() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let folders = ["lock", "modular", "race", "rwlock", "spin", "condition", "threadlife"];
    let mut paths = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(root.join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        paths.extend(entries.map(|entry| entry.expect("the folder can be read").path()));
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    paths
}

#[test]
fn the_plainest_search_finds_no_race_on_what_is_protected() {
    let mut protected = 0;
    for path in programs() {
        let program = compiled(&path);
        let Some(proof) = proof(&program) else { continue };
        protected += proof.objects.len();
        for subject in recheck(&program, STATES, 16).subjects {
            if let Subject::Race(AbstractObject::Static(object)) = subject {
                let name = &program.object(object).name;
                assert!(!proof.objects.contains_key(&object), "{}: {name} is not protected", path.display());
            }
        }
    }
    assert!(protected >= 100, "{protected} objects are protected");
}

#[test]
fn changed_proofs_are_refused() {
    let (mut refused, names) = (0, ["bank", "two_locks", "condition_variable", "bounded_queue", "readers_writers"]);
    for name in names {
        let program = common::compile(name);
        let good = proof(&program).unwrap_or_else(|| panic!("{name} has a proof"));
        let claimed: Vec<ObjectId> = good.objects.keys().copied().collect();
        let mut refuse = |changed: &ProtectionProof, why: &str| {
            refused += 1;
            let accepted = certify(&program, changed, &claimed, &Budget::unlimited());
            assert_eq!(accepted, Err(Refusal::Flaw), "{name}: {why}");
        };
        // The annotation is the strongest one: whatever is stronger does not follow.
        for (function, said) in good.company.iter().enumerate() {
            for location in (0..said.len()).filter(|location| said[*location]) {
                let mut changed = good.clone();
                changed.company[function][location] = false;
                refuse(&changed, "company");
            }
        }
        for (lock, held) in &good.held {
            for (function, said) in held.at.iter().enumerate() {
                for location in (0..said.len()).filter(|location| said[*location] != Some(LockMode::Exclusive)) {
                    let mut changed = good.clone();
                    let stronger = said[location].map_or(LockMode::Shared, |_| LockMode::Exclusive);
                    changed.held.get_mut(lock).expect("it is there").at[function][location] = Some(stronger);
                    refuse(&changed, "held");
                }
            }
            for function in (0..held.keeps.len()).filter(|function| !held.keeps[*function]) {
                let mut changed = good.clone();
                changed.held.get_mut(lock).expect("it is there").keeps[function] = true;
                refuse(&changed, "kept");
            }
        }
    }
    assert!(refused >= 200, "{refused} changed proofs were refused");
}

#[test]
fn what_a_proof_does_not_say_is_not_shown() {
    let program = common::compile("two_locks");
    let good = proof(&program).expect("it has a proof");
    let claimed: Vec<ObjectId> = good.objects.keys().copied().collect();
    let check = |changed: &ProtectionProof| certify(&program, changed, &claimed, &Budget::unlimited());
    assert_eq!(check(&good), Ok(()));
    let left = object(&program, "left");
    let mut changed = good.clone();
    changed.objects.remove(&left);
    assert_eq!(check(&changed), Err(Refusal::Unsaid(left)));
    changed.objects.insert(left, Protection::ReadOnly);
    assert_eq!(check(&changed), Err(Refusal::Unprotected(left)));
    let Protection::Guarded(lock) = good.objects[&left] else { panic!("a lock guards it") };
    changed.objects.insert(left, Protection::Guarded(Lock { offset: lock.offset + 1, ..lock }));
    assert_eq!(check(&changed), Err(Refusal::Unprotected(left)));
    // A lock that nobody takes is held nowhere, whatever is said.
    let invented = Lock { offset: lock.offset + 1, ..lock };
    changed.held.insert(invented, good.held[&lock].clone());
    assert_eq!(check(&changed), Err(Refusal::Flaw));
    let mut changed = good.clone();
    changed.company.pop();
    assert_eq!(check(&changed), Err(Refusal::Foreign));
    let other = common::twin_of("two_locks", "no_lock");
    assert!(certify(&other, &good, &claimed, &Budget::unlimited()).is_err());
}
