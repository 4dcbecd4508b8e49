//! Statements (1)–(4) and the programs of Section 2 of paper 004, from SCPL and from C.

use expect_test::expect;
use selvedge_broadcast::check::{check_any, check_counted};
use selvedge_broadcast::counter::{self, Counted};
use selvedge_broadcast::coverability::{self, Answer};
use selvedge_broadcast::plain::{self, successors};
use selvedge_broadcast::{Instance, LocalState, Pc, State, Statement, System, TemplateId, text};
use selvedge_frontend::compile::{CompileOptions, compile_text};
use selvedge_frontend::scpl::{Threads, compile};
use selvedge_program::{Budget, Program};
use selvedge_symbolic::Predicate;
use selvedge_templates::{Cubes, Errors, Form, Main, Named, Options, Witness, boolean_program};

fn scpl(source: &str) -> Program {
    compile("t.scpl", source, Threads::Any).unwrap_or_else(|error| panic!("{error}")).program
}

fn named(program: &Program, predicates: &[(&str, &str)]) -> Vec<Named> {
    let named = |(name, text): &(&str, &str)| {
        let predicate = Predicate::parse(program, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        Named { name: (*name).to_owned(), predicate }
    };
    predicates.iter().map(named).collect()
}

const AS_PRINTED: Options = Options {
    cubes: Cubes::Two,
    witness: Witness::Active,
    form: Form::Constraints,
    main: Main::LeftOut,
    errors: Errors::All,
};

fn boolean(program: &Program, predicates: &[(&str, &str)], options: Options) -> selvedge_broadcast::Program {
    boolean_program(program, &named(program, predicates), options, &Budget::unlimited())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The first statement of a program with an assignment in SCPL.
fn first(source: &str, predicates: &[(&str, &str)], options: Options) -> Statement {
    boolean(&scpl(source), predicates, options).templates[0].statements[0].clone()
}

/// A statement over locals b and c as the paper writes it.
fn written(locals: &str, statement: &str) -> Statement {
    let source = format!("thread thread[n] {{ local {locals}; {statement}; }}");
    let program = text::parse(&source).unwrap_or_else(|error| panic!("{}", error.show("t", &source)));
    program.templates[0].statements[0].clone()
}

const VARIABLES: &str = "shared s = 0; local l = 0;";

/// So that nothing is known of the variables before any predicate.
const VARY: &str = "s = *; l = *;";

const S_IS_L: (&str, &str) = ("b", "s == l");
const L_IS_4: (&str, &str) = ("c", "l == 4");

#[test]
fn statement_1() {
    let found = first(&format!("{VARIABLES} s = l; {VARY}"), &[S_IS_L], Options { cubes: Cubes::None, ..AS_PRINTED });
    assert_eq!(found, written("b", "havoc {all(b)} constrain a.b'"));
}

/// What the paper has in one constraint is two here: where there is no passive thread, a constraint on one says nothing,
/// and what is said of the active thread would be lost (Fig. 3).
#[test]
fn statement_2() {
    let found = first(&format!("{VARIABLES} s = l; {VARY}"), &[S_IS_L], AS_PRINTED);
    let printed = "havoc {all(b)} constrain a.b' constrain ∀p ≠ a. (a.b ∧ p.b ⇒ p.b') ∧ (a.b ⊕ p.b ⇒ ¬p.b')";
    assert_eq!(found, written("b", printed));
}

#[test]
fn statement_3() {
    let found = first(&format!("{VARIABLES} l = s; {VARY}"), &[S_IS_L, L_IS_4], AS_PRINTED);
    let printed = "havoc {a.b, a.c} constrain a.b' ∧ (a.b ∧ a.c ⇒ a.c') ∧ (a.b ⊕ a.c ⇒ ¬a.c')";
    assert_eq!(found, written("b, c", printed));
}

/// Every state of so many threads before their first statement.
fn states(threads: usize, locals: u32) -> Vec<State> {
    let each = 1_u64 << locals;
    let all = (0..each.pow(threads as u32)).map(|number| {
        let local = |thread: usize| LocalState {
            template: TemplateId(0),
            pc: Pc(0),
            values: number / each.pow(thread as u32) % each,
        };
        State { shared: 0, threads: (0..threads).map(local).collect() }
    });
    all.collect()
}

/// The steps of a statement, however it is written.
fn steps(locals: &str, statement: &Statement, state: &State) -> Vec<(usize, State)> {
    let mut program = text::parse(&format!("thread thread[n] {{ local {locals}; skip; }}")).unwrap();
    program.templates[0].statements = vec![statement.clone()];
    let mut found = successors(&System::new(program).unwrap(), 10, state).steps;
    found.sort();
    found
}

/// As for (2), what is known without a passive thread is a constraint of its own; with one, it is the statement as
/// printed.
#[test]
fn statement_4() {
    let options = Options { witness: Witness::OnePassive, ..AS_PRINTED };
    let found = first(&format!("{VARIABLES} l = s; {VARY}"), &[S_IS_L, L_IS_4], options);
    let apart = "havoc {a.b, a.c} constrain a.b' ∧ (a.b ∧ a.c ⇒ a.c') ∧ (a.b ⊕ a.c ⇒ ¬a.c')
                 constrain ∀p ≠ a. (p.b ∧ p.c ⇒ a.c') ∧ (p.b ⊕ p.c ⇒ ¬a.c')";
    assert_eq!(found, written("b, c", apart));
    let printed = "havoc {a.b, a.c} constrain ∀p ≠ a. a.b' ∧ (((a.b ∧ a.c) ∨ (p.b ∧ p.c)) ⇒ a.c')
                   ∧ (((a.b ⊕ a.c) ∨ (p.b ⊕ p.c)) ⇒ ¬a.c')";
    let printed = written("b, c", printed);
    for state in [2, 3].into_iter().flat_map(|threads| states(threads, 2)) {
        assert_eq!(steps("b, c", &found, &state), steps("b, c", &printed, &state), "{state:?}");
    }
}

/// How the Boolean program of all forms and all cubes answers for one to three threads, and for any number.
fn check(program: &Program, predicates: &[(&str, &str)], cubes: &[Cubes], options: Options, expected: [bool; 4]) {
    for cubes in cubes {
        for form in [Form::Values, Form::Constraints] {
            let options = Options { cubes: *cubes, form, ..options };
            let system = System::new(boolean(program, predicates, options)).unwrap();
            let shown = text::print(system.program());
            let mut fails: Vec<bool> = (1..=3)
                .map(|many| match counter::search(&system, &Instance::of(many), &mut || true).unwrap() {
                    Counted::Safe(proof) => {
                        assert_eq!(check_counted(&system, &proof), Ok(()), "{shown}");
                        false
                    }
                    Counted::Unsafe(path) => {
                        assert!(plain::accepts(&system, &path.trace()), "{shown}");
                        true
                    }
                })
                .collect();
            fails.push(match coverability::search(&system, &mut || true).unwrap().answer {
                Answer::Safe(proof) => {
                    assert_eq!(check_any(&system, &proof), Ok(()), "{shown}");
                    false
                }
                Answer::Unsafe(path) => {
                    assert!(plain::accepts(&system, &path.trace()), "{shown}");
                    true
                }
                Answer::Blocked(..) => panic!("{shown}"),
            });
            assert_eq!(fails, expected, "{cubes:?} {form:?}\n{shown}");
        }
    }
}

const ALL: [Cubes; 3] = [Cubes::None, Cubes::One, Cubes::Two];

/// An abstraction that keeps a mixed predicate in a plain local or shared variable takes these for safe.
#[test]
fn the_unsound_examples_are_unsafe() {
    let p = scpl("0: shared int s = 0; local int l = 1; 1: assert s != l; 2: s = s + 1;");
    check(&p, &[("b", "s != l")], &ALL, AS_PRINTED, [false, true, true, true]);
    let q = scpl(
        "0: shared int s = 0; shared bool t = 0; local int l = 0;
         1: if (*) { 2: if (t) { 3: assert s != l; } } 4: l = s + 1; 5: t = 1;",
    );
    check(&q, &[("b", "s == l"), ("t", "t")], &ALL, AS_PRINTED, [false, true, true, true]);
}

/// The same two programs in C.
#[test]
fn the_unsound_examples_in_c() {
    let header = "typedef unsigned long pthread_t;
        int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        _Bool __VERIFIER_nondet_bool(void);
        void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
        void __assert_fail(const char *, const char *, unsigned, const char *);
        int s; _Bool t;";
    let main = "int main(void) { pthread_t id; for (;;) pthread_create(&id, 0, thread, 0); }";
    let p = format!(
        "{header} void *thread(void *unused) {{ int l = 1;
            __VERIFIER_atomic_begin(); int r = s; if (r == l) __assert_fail(\"\", \"\", 0, \"\"); __VERIFIER_atomic_end();
            __VERIFIER_atomic_begin(); s = s + 1; __VERIFIER_atomic_end();
            return 0; }} {main}"
    );
    let p = compile_text("p.c", &p, &CompileOptions::default()).unwrap_or_else(|error| panic!("{error}")).program;
    let predicates = [("b", "s == thread::l"), ("r", "thread::r == thread::l"), ("z", "s == 0")];
    let options = Options { main: Main::Kept, errors: Errors::Assertions, ..AS_PRINTED };
    let boolean = boolean(&p, &predicates, options);
    let system = System::new(boolean).unwrap();
    let covered = coverability::search(&system, &mut || true).unwrap();
    match covered.answer {
        Answer::Unsafe(path) => {
            let trace = path.trace();
            assert!(plain::accepts(&system, &trace));
            // `main` and two threads.
            assert_eq!(trace.states.last().unwrap().threads.len(), 3, "{}", text::print(system.program()));
        }
        other => panic!("{other:?}\n{}", text::print(system.program())),
    }
}

/// Without mixed predicates this cannot be shown; with them, Cartesian abstraction does it.
#[test]
fn mixed_predicates_prove() {
    let source = scpl(
        "shared s = 0, lock = 0; local l = 0;
         1: atomic { assume !lock; lock = 1; } 2: l = s; 3: assert l == s; 4: s = s + 1; 5: lock = 0; 6: goto 1, end;",
    );
    let predicates = [("same", "s == l"), ("held", "lock")];
    let program = boolean(&source, &predicates, AS_PRINTED);
    assert_eq!(program.shared.len(), 1);
    // The lock keeps others out, which is a matter of how many threads hold it.
    check(&source, &predicates, &[Cubes::One, Cubes::Two], AS_PRINTED, [false; 4]);
}

#[test]
fn the_whole_program_as_text() {
    let source = scpl("shared s = 0; local l = 0; 1: l = s; 2: s = l + 1; 3: assert l != s; 4: goto 1;");
    let predicates = [("b", "s == l"), ("c", "s == l + 1"), ("z", "s == 0")];
    let program = boolean(&source, &predicates, Options { form: Form::Values, ..AS_PRINTED });
    expect![[r#"
        shared z = 1;
        thread thread[n] {
          local b = 1;
          local c = 0;
          1: a.b, a.c := 1, 0;
          2: z, a.b, a.c := schoose[z & a.c, (z & a.b) | (z != a.c)], 0, 1 notify p: thread {p.b := schoose[a.c & p.b, (a.b & p.b) | (a.b & p.c) | (a.c != p.b) | (a.c & p.c)], p.c := schoose[(a.b & p.b) | (a.c & p.c), (a.b != p.b) | (a.b & p.c) | (a.c & p.b) | (a.c != p.c)]};
          3: goto 4, 6;
          4: assume a.b & !a.c;
          5: goto 9;
          6: assume !a.b;
          7: skip;
          8: goto 1;
          9: assert 0;
          10: assume 0;
          11: goto 7;
        }
    "#]].assert_eq(&text::print(&program));
}
