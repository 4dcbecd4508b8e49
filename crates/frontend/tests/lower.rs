//! What C becomes: small functions and their automata, as text.

use expect_test::{Expect, expect};
use selvedge_frontend::compile::{CompileOptions, Compiled, compile, compile_text};
use selvedge_frontend::lower::{Accepted, Call, Calls, Start};
use selvedge_program::text::Text;
use selvedge_program::{Action, Caveat, Program};
use std::path::PathBuf;

fn compiled(source: &str) -> Compiled {
    let compiled = compile_text("t.c", source, &CompileOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(compiled.program.validate(), Ok(()), "{}", Text(&compiled.program));
    compiled
}

/// The functions `f…` of a program, without source places.
fn functions(program: &Program) -> String {
    let mut shown = String::new();
    let mut is_shown = false;
    for line in Text(program).to_string().lines() {
        let line = line.split("//").next().unwrap_or_default().trim_end();
        if let Some(rest) = line.strip_prefix("function ") {
            is_shown = rest.split(' ').nth(1).is_some_and(|name| name.starts_with("f"));
        } else if !line.starts_with(' ') {
            is_shown = false;
        }
        if is_shown {
            shown.push_str(line);
            shown.push('\n');
        }
    }
    shown
}

fn check(source: &str, expected: Expect) {
    expected.assert_eq(&functions(&compiled(source).program));
}

/// The errors and warnings of a text that does not compile.
fn check_errors(source: &str, expected: Expect) {
    let error = compile_text("t.c", source, &CompileOptions::default()).expect_err("the text is wrong");
    expected.assert_eq(&error.to_string());
}

#[test]
fn one_access_per_edge() {
    check(
        "int x, y, z; void f(void) { x = y + z; x++; } int main(void) { f(); }",
        expect![[r#"
            function f1 f()
              registers r0:32 r1:32 r2:32
              L0 -> L1  r0 := load y:4
              L1 -> L2  r1 := load z:4
              L2 -> L3  store x:4 := r0 + r1
              L3 -> L4  r2 := load x:4
              L4 -> L5  store x:4 := r2 + 1
              L5        return
        "#]],
    );
}

#[test]
fn registers_hold_what_later_operands_change() {
    check(
        "int f(int i) { return i + (i = 5, i) * i++; } int main(void) { return f(1); }",
        expect![[r#"
        function f1 f(i:32) -> 32
          registers r1:32 r2:32 r3:32
          L0 -> L1  require false else Unsequenced
          L1 -> L2  r1 := i
          L2 -> L3  require false else Unsequenced
          L3 -> L4  i := 5
          L4 -> L5  r2 := i
          L5 -> L6  r3 := i
          L6 -> L7  i := r3 + 1
          L7        return r1 + r2 * r3
    "#]],
    );
}

#[test]
fn short_circuit_jumps_only_where_it_must() {
    check(
        "int f(int a, int b, int *p) { if (a && b) return 1; if (p && *p) return 2; return a || !*p; }
         int main(void) { int x = 0; return f(1, 2, &x); }",
        expect![[r#"
            function f1 f(a:32, b:32, p:64) -> 32
              registers r3:32 r4:1 r5:32
              L0  -> L1   if a != 0 && b != 0 (yes)
              L0  -> L3   if !(a != 0 && b != 0) (no)
              L1          return 1
              L3  -> L4   if p != null (yes)
              L3  -> L8   if p == null (no)
              L4  -> L5   r3 := load *p:4
              L5  -> L6   if r3 != 0 (yes)
              L5  -> L8   if r3 == 0 (no)
              L6          return 2
              L8  -> L9   if a != 0 (yes)
              L8  -> L12  if a == 0 (no)
              L9  -> L10  r4 := true
              L10         return zext32(r4)
              L12 -> L13  r5 := load *p:4
              L13 -> L14  if r5 != 0 (yes)
              L13 -> L9   if r5 == 0 (no)
              L14 -> L10  r4 := false
        "#]],
    );
}

#[test]
fn atomic_places() {
    check(
        "_Atomic int x; _Atomic(long) y; int f(void) { x += 2; int old = x++; y = old; return x; }
         int main(void) { return f(); }",
        expect![[r#"
            function f1 f() -> 32
              registers old:32 r1:32 r2:32 r3:32 r4:32 r5:32
              L0 -> L1  [ r1 := x:4; r2 := r1 + 2; x:4 := r2 ]
              L1 -> L2  [ r3 := x:4; r4 := r3 + 1; x:4 := r4 ]
              L2 -> L3  old := r3
              L3 -> L4  store atomic y:8 := sext64(old)
              L4 -> L5  r5 := load atomic x:4
              L5        return r5
        "#]],
    );
}

#[test]
fn memory_orders_are_kept() {
    check(
        "int x; void f(int e) { __atomic_store_n(&x, 1, 3); __atomic_load_n(&x, 2); __atomic_fetch_add(&x, 1, 0);
         __atomic_compare_exchange_n(&x, &e, 2, 0, 4, 2); __atomic_thread_fence(4); __atomic_signal_fence(4);
         __sync_lock_release(&x); __sync_synchronize(); }
         int main(void) { f(1); }",
        expect![[r#"
            function f1 f(e.r0:32)
              registers r1:32 r2:32 r3:32 r4:1 r5:32 r6:32
              frame s0 e.s0: int, 4 bytes
              L0  -> L1   store e.s0:4 := e.r0
              L1  -> L2   store atomic release x:4 := 1
              L2  -> L3   r1 := load atomic acquire x:4
              L3  -> L4   [ r2 := relaxed x:4; relaxed x:4 := r2 + 1 ]
              L4  -> L5   r3 := load e.s0:4
              L5  -> L6   [ r6 := acquire x:4; if (r6 == r3) acq_rel x:4 := 2; r5 := r6; r4 := r6 == r3 ]
              L6  -> L7   if r4
              L6  -> L12  if !r4
              L7  -> L8   fence acq_rel
              L8  -> L9   store atomic release x:4 := 0
              L9  -> L10  fence seq_cst
              L10         return
              L12 -> L7   store e.s0:4 := r5
        "#]],
    );
}

#[test]
fn bit_fields() {
    check(
        "struct s { unsigned a : 3; int b : 7; } g; int f(struct s *p) { p->b = p->a; return p->b; }
         int main(void) { return f(&g); }",
        expect![[r#"
            function f1 f(p:64) -> 32
              registers r1:8 r2:16 r3:32 r4:16
              L0 -> L1  r1 := load *p:1
              L1 -> L2  r2 := load *p:2
              L2 -> L3  r3 := zext32(trunc3(r1))
              L3 -> L4  store *p:2 := r2 & -1017 | zext16(trunc7(r3)) << 3
              L4 -> L5  r4 := load *p:2
              L5        return sext32(trunc7(r4 >>u 3))
        "#]],
    );
}

#[test]
fn structs_travel_by_address() {
    check(
        "struct s { int a; char *p; }; struct s f(struct s x) { x.a++; return x; }
         struct s g; int fmain(void) { struct s r = f(g); return r.a; } int main(void) { return fmain(); }",
        expect![[r#"
            function f1 fmain() -> 32
              registers r0:32 r1:64 r2:32
              frame s0 r: struct s, 16 bytes
              frame s1 argument: struct s, 16 bytes
              L0 -> L1  forget argument
              L1 -> L2  r0 := load raw g.a:4
              L2 -> L3  store argument.a:4 := r0
              L3 -> L4  r1 := load raw g.p:8
              L4 -> L5  store argument.p:8 := r1
              L5 -> L6  call f(&r, &argument)
              L6 -> L7  end life of argument
              L7 -> L8  r2 := load r.a:4
              L8        return r2
            function f2 f(result:64, x:64)
              registers r2:32 r3:32 r4:64
              L0 -> L1  r2 := load *x:4
              L1 -> L2  store *x:4 := r2 + 1
              L2 -> L3  r3 := load raw *x:4
              L3 -> L4  store *result:4 := r3
              L4 -> L5  r4 := load raw *(x + 8):8
              L5 -> L6  store *(result + 8):8 := r4
              L6        return
        "#]],
    );
}

#[test]
fn large_objects_move_in_loops() {
    check(
        "struct s { long v[100]; }; void f(struct s *a, struct s *b) { *a = *b; char z[200] = { 1 }; (void)z; }
         struct s x, y; int main(void) { f(&x, &y); }",
        expect![[r#"
            function f1 f(a:64, b:64)
              registers r2:64 r3:64 r4:64
              frame s0 z: char[200], 200 bytes
              L0  -> L1   r2 := 0
              L1  -> L2   if r2 <u 800
              L1  -> L5   if r2 >=u 800
              L2  -> L3   r3 := load raw *(b + r2):8
              L3  -> L4   store *(a + r2):8 := r3
              L4  -> L1   r2 := r2 + 8
              L5  -> L6   r4 := 0
              L6  -> L7   if r4 <u 200
              L6  -> L9   if r4 >=u 200
              L7  -> L8   store *(&z[0] + r4):1 := 0
              L8  -> L6   r4 := r4 + 1
              L9  -> L10  store z[0]:1 := 1
              L10         return
        "#]],
    );
}

#[test]
fn variable_arguments() {
    check(
        "int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int r = __builtin_va_arg(l, int);
         __builtin_va_end(l); return r; } int fcall(void) { return f(1, 2, 3.5); } int main(void) { return fcall(); }",
        expect![[r#"
            function f1 fcall() -> 32
              registers r0:32
              frame s0 ...: ..., 16 bytes
              L0 -> L1  store ...:4 := 2
              L1 -> L2  store ...+8:8 := 0x400c000000000000
              L2 -> L3  r0 := call f(1, &...)
              L3        return r0
            function f2 f(n:32, ...:64) -> 32
              registers r:32 r3:64 r4:32
              frame s0 l: struct __va_list_tag[1], 24 bytes
              L0 -> L1  forget l
              L1 -> L2  store l[0].overflow_arg_area:8 := ...
              L2 -> L3  r3 := load l[0].overflow_arg_area:8
              L3 -> L4  store l[0].overflow_arg_area:8 := r3 + 8
              L4 -> L5  r4 := load *r3:4
              L5 -> L6  r := r4
              L6        return r
        "#]],
    );
}

#[test]
fn variable_lengths() {
    check(
        "int f(int n) { int a[n][3]; a[1][2] = 4; return sizeof a + a[1][2]; } int main(void) { return f(5); }",
        expect![[r#"
            function f1 f(n:32) -> 32
              registers a:64 r2:64 r3:32
              L0 -> L1  r2 := sext64(n)
              L1 -> L2  require 0 < r2 else ArrayLength
              L2 -> L3  a := new stack object of r2 * 12 bytes, align 16, site0
              L3 -> L4  store *(a + 20):4 := 4
              L4 -> L5  r3 := load *(a + 20):4
              L5        return trunc32(r2 * 12 + sext64(r3))
        "#]],
    );
}

#[test]
fn switches() {
    check(
        "int f(unsigned x) { switch (x) { case 1: return 2; case 3 ... 5: x = 7; default: break; } return x; }
         int main(void) { return f(3); }",
        expect![[r#"
            function f1 f(x:32) -> 32
              L0 -> L1  if x == 1
              L0 -> L3  if x >=u 3 && 5 >=u x
              L0 -> L4  if x != 1 && !(x >=u 3 && 5 >=u x)
              L1        return 2
              L3 -> L4  x := 7
              L4        return x
        "#]],
    );
}

#[test]
fn jumps_past_declarations() {
    check(
        "int f(int x) { if (x) goto in; { int y = 3; in: x += y; } return x; } int main(void) { return f(1); }",
        expect![[r#"
            function f1 f(x:32) -> 32
              registers y:32
              L0 -> L1  y := any
              L1 -> L2  if x != 0 (yes)
              L1 -> L5  if x == 0 (no)
             in:
              L2 -> L3  x := x + y
              L3        return x
              L5 -> L2  y := 3
        "#]],
    );
}

#[test]
fn computed_goto() {
    check(
        "int f(int i) { static void *t[] = { &&a, &&b }; goto *t[i]; a: return 1; b: return 2; }
         int main(void) { return f(1); }",
        expect![[r#"
            function f1 f(i:32) -> 32
              registers r1:64
              L0 -> L1  r1 := load *(&f.t[0] + sext64(i) * 8):8
              L1 -> L2  if r1 == 1
              L1 -> L4  if r1 == 2
              L1 -> L6  if r1 != 1 && r1 != 2
             a:
              L2        return 1
             b:
              L4        return 2
              L6        unsupported: a computed goto to something that is no label of this function
        "#]],
    );
}

#[test]
fn atomic_sections_fuse_where_they_are_straight() {
    check(
        "int x; void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
         void f(void) { __VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end(); }
         void fif(void) { __VERIFIER_atomic_begin(); if (x) x = 0; __VERIFIER_atomic_end(); }
         int main(void) { f(); fif(); }",
        expect![[r#"
            function f1 f()
              registers r0:32
              L0 -> L1  [ r0 := x:4; x:4 := r0 + 1 ]
              L1        return
            function f2 fif()
              registers r0:32
              L0 -> L1  atomic_begin
              L1 -> L2  r0 := load x:4
              L2 -> L3  if r0 != 0 (yes)
              L2 -> L4  if r0 == 0 (no)
              L3 -> L4  store x:4 := 0
              L4 -> L5  atomic_end
              L5        return
        "#]],
    );
}

#[test]
fn asynchronous_calls() {
    let program =
        compiled("int x; void g(int a) { x = a; } int main(void) { __CPROVER_ASYNC_1: g(3); return x; }").program;
    let spawns = program.functions[0].edges.iter().filter(|edge| matches!(edge.action, Action::Spawn { .. })).count();
    assert_eq!((spawns, program.entries.len()), (1, 2), "{}", Text(&program));
}

#[test]
fn missing_results_and_noreturn() {
    check(
        "_Noreturn void f_never(void) { for (;;); } int f(int x) { if (x) return 1; }
         int fuse(void) { f(0); int r = f(1); f_never(); return r; } int main(void) { return fuse(); }",
        expect![[r#"
            function f1 fuse() -> 32
              registers r:32
              L0 -> L1  call f(0)
              L1 -> L2  r := call f(1)
              L2 -> L3  call f_never()
              L3 -> L4  require false else Unreachable
            function f2 f(x:32) -> 32
              L0 -> L1  if x != 0 (yes)
              L0 -> L3  if x == 0 (no)
              L1        return 1
              L3        return
            function f3 f_never()
              L0 -> L0  skip
        "#]],
    );
}

#[test]
fn unknown_functions_are_loud() {
    check(
        "int g(int); int f(int x) { return g(x) + 1; } int main(void) { return f(1); }",
        expect![[r#"
        function f1 f(x:32) -> 32
          registers r1:32
          L0 -> L1  r1 := any
          L1        return r1 + 1
    "#]],
    );
    let unknown = compiled("int g(int); int main(void) { return g(1) + g(2); }").program;
    let messages = |remarks: &[Caveat]| remarks.iter().map(|remark| remark.message.clone()).collect::<Vec<_>>();
    assert_eq!(messages(&unknown.provisos), ["`g` (2 calls) touches only what it is given"]);
    let mut options = CompileOptions::default();
    options.lower.assume_pure.insert("g".to_owned());
    let compiled =
        compile_text("t.c", "int g(int); int f(void) { return g(1); } int main(void) { return f(); }", &options)
            .unwrap_or_else(|error| panic!("{error}"));
    expect![[r#"
        function f1 f() -> 32
          registers r0:32
          L0 -> L1  r0 := any
          L1        return r0
    "#]]
    .assert_eq(&functions(&compiled.program));
    let caveats: Vec<&str> = compiled.program.caveats.iter().map(|caveat| caveat.message.as_str()).collect();
    assert_eq!(caveats, ["`g` is assumed to have no effect and to return any value"]);
}

#[test]
fn what_is_taken_for_granted_is_about_functions_that_nobody_knows() {
    let errors = |name: &str| {
        let mut options = CompileOptions::default();
        options.lower.assume_externals = Accepted::Named([name.to_owned()].into());
        let source = "int g(int); int f(void) { return g(1); } int abs(int); int main(void) { return abs(f()); }";
        compile_text("t.c", source, &options).map_or_else(|error| error.to_string(), |_| String::new())
    };
    assert_eq!(errors("g"), "");
    assert_eq!(errors("f"), "error: `--assume-externals f`: the function is defined");
    assert_eq!(errors("abs"), "error: `--assume-externals abs`: the function has a model");
    assert_eq!(errors("h"), "error: `--assume-externals h`: the program declares no such function");
}

#[test]
fn variables_that_nobody_defines_are_named() {
    let program = compiled("extern int nowhere; int main(void) { return nowhere; }").program;
    assert!(program.caveats.iter().any(|caveat| caveat.message.starts_with("`nowhere` is not defined")));
    let start = program.functions.iter().find(|function| function.name == "<external data>").expect("it is there");
    assert!(start.edges.iter().any(|edge| matches!(edge.action, Action::Store { .. })), "it is given contents");
}

#[test]
fn library_functions_have_addresses() {
    check(
        "void free(void *); void (*f_pointer)(void *) = free; void f(void *p) { f_pointer(p); } int main(void) { f(0); }",
        expect![[r#"
            function f1 f(p:64)
              registers r1:64
              L0 -> L1  r1 := load f_pointer:8
              L1 -> L2  call (*r1)(p)
              L2        return
            function f2 free(r0:64)
              L0 -> L1  free r0
              L1        return
        "#]],
    );
}

#[test]
fn inline_assembly() {
    check(
        "void f(int x) { asm volatile(\"\" ::: \"memory\"); asm(\"mfence\"); asm(\"hlt\"); } int main(void) { f(1); }",
        expect![[r#"
            function f1 f(x:32)
              L0 -> L1  fence seq_cst
              L1        unsupported: inline assembly (`asm`): `hlt`
        "#]],
    );
}

#[test]
fn arguments_of_main() {
    let used = compiled("int main(int argc, char **argv) { return argv[argc] == 0; }").program;
    let unused = compiled("int main(int argc, char **argv) { return 0; }").program;
    let discarded = compiled("int main(int argc, char **argv) { (void)argc; (void)argv; return 0; }").program;
    let messages = |remarks: &[Caveat]| remarks.iter().map(|remark| remark.message.clone()).collect::<Vec<_>>();
    let left_out = messages(&used.restrictions);
    assert_eq!(left_out, ["the program is run with at most 15 arguments of at most 15 characters each"]);
    assert_eq!(messages(&unused.restrictions), [""; 0]);
    assert_eq!(messages(&discarded.restrictions), [""; 0]);
    for program in [used, unused, discarded] {
        assert_eq!(messages(&program.caveats), [""; 0]);
    }
}

#[test]
fn kinds_of_static_mutexes() {
    let source =
        "typedef union { struct __pthread_mutex_s { int __lock; unsigned __count; int __owner; unsigned __nusers;
        int __kind; } __data; char __size[40]; } pthread_mutex_t; int pthread_mutex_lock(pthread_mutex_t *);
        struct { int n; pthread_mutex_t m[2]; } s = { 1, { { { 0 } }, { { 0, 0, 0, 0, 1 } } } };
        int main(void) { return pthread_mutex_lock(&s.m[1]); }";
    let program = compiled(source).program;
    let ghosts: Vec<u64> = program.objects[0].initial_ghosts.iter().map(|(offset, ..)| *offset).collect();
    assert_eq!(ghosts, [44]);
}

#[test]
fn a_program_needs_a_main_and_its_names() {
    check_errors(
        "int f(void) { return 1; }",
        expect![
            "error: there is no function `main` (of a library, `--concurrent f,g` says which functions threads call, and \
             `--entry f` which one runs instead of `main`)"
        ],
    );
    check_errors(
        "extern int nowhere[]; int main(void) { return nowhere[1]; }",
        expect!["t.c:1:47: error: undefined reference to `nowhere`, whose size is not known"],
    );
}

/// A file with a text.
fn written(path: PathBuf, text: &str) -> PathBuf {
    std::fs::write(&path, text).expect("the directory can be written");
    path
}

#[test]
fn files_are_linked() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str, text: &str| written(directory.path().join(name), text);
    let main = file(
        "main.c",
        "extern int x; int get(void); static int own(void) { return 1; }\nint main(void) { return x + get() + own(); }",
    );
    let other = file("other.c", "int x = 40; static int own(void) { return 1; } int get(void) { return own(); }");
    let again = file("again.c", "int x = 41; int get(void) { return 2; }");
    let linked = compile(&[main.clone(), other.clone()], &CompileOptions::default()).expect("the files link");
    let names: Vec<&str> = linked.program.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["main", "get", "own", "own"]);
    let error = compile(&[main, other, again], &CompileOptions::default()).expect_err("the names clash");
    let messages: Vec<&str> = error.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(messages, ["multiple definitions of `get`", "multiple definitions of `x`"]);
}

/// A header that two files include declares the same types in both, also those without a tag.
#[test]
fn types_of_a_header_are_the_same_in_all_files() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str, text: &str| written(directory.path().join(name), text);
    let header = "typedef enum { RED, BLUE } colour; typedef struct { int x; colour c; } point; enum kind { K };
        point *move(point *, colour, enum kind); extern point origin;";
    let warnings = |other: &str| {
        let one = file("one.c", &format!("{header}\nint main(void) {{ return move(&origin, RED, K)->x; }}"));
        let two = file("two.c", other);
        let compiled = compile(&[one, two], &CompileOptions::default()).expect("the files link");
        compiled.warnings.iter().map(|warning| warning.message.clone()).collect::<Vec<_>>()
    };
    let defined = "point origin; point *move(point *p, colour c, enum kind k) { p->c = c; return p; }";
    assert_eq!(warnings(&format!("{header}\n{defined}")), [""; 0]);
    let other = header.replace("int x;", "int y;");
    let differ = |name: &str| format!("`{name}` is declared with different types in different files");
    assert_eq!(warnings(&format!("{other}\n{defined}")), [differ("move"), differ("origin")]);
}

/// A library's functions called by threads, or one of them instead of `main`.
fn library(source: &str, setup: &str, concurrent: &str) -> Result<Vec<String>, String> {
    let list = |text: &str| if text.is_empty() { Ok(Vec::new()) } else { Call::list(text) };
    let mut options = CompileOptions::default();
    let calls = Calls { setup: list(setup)?.concat(), concurrent: list(concurrent)? };
    options.lower.start = Start::Calls(calls);
    let compiled = compile_text("t.c", source, &options).map_err(|error| error.to_string())?;
    assert_eq!(compiled.program.validate(), Ok(()));
    Ok(compiled.program.caveats.iter().map(|caveat| caveat.message.clone()).collect())
}

#[test]
fn callers_of_a_library_are_named_with_what_they_give() {
    let stack = "struct stack { int n; }; struct item { struct item *next; }; void init(struct stack *s) { s->n = 0; }
        static void push(struct stack *s, struct item *i, void *data, int (*order)(int)) { s->n++; }
        int name(struct stack *s, const char *text, unsigned long length, int *out) { return s && text[0]; }
        struct item *take(struct stack *s) { return 0; } void give(struct item *i) { } int main(void) { return 1; }";
    assert_eq!(
        library(stack, "init", "push,name,take+give").expect("it compiles"),
        [
            "the creation of threads is assumed to succeed",
            "one thread calls `init`, then any number of threads call `push`, `name`, `take` and then `give`, any of these \
             at any time",
            "calls in a row pass on the pointers that they return or store, and end where one is null",
            "all threads share one `struct stack`",
            "`length` of `name` is less than 16, as it may be the length of `text`, which has 16 bytes",
            "a new `struct item` is all zeros, and given to one call",
            "a pointer is null only where the function handles null, other than by an assertion",
            "functions that are given do nothing and return any number, or null",
            "what is given as `const char *` points to 16 bytes of the calling thread with any contents and a 0 at the end",
            "what is given as `int *` belongs to the calling thread",
            "what is given as `void *` points to new memory of 16 bytes",
        ]
    );
    assert_eq!(
        library(stack, "name(_,_,3)", "").expect("it compiles")[..2],
        ["`name` is called once, by one thread, instead of `main`", "all threads share one `struct stack`"]
    );
    let two =
        "struct account { int n; }; void move(struct account *a, struct account *b, int n) { a->n -= n; b->n += n; }";
    let said = library(two, "", "move").expect("it compiles");
    let shared = "threads share 2 `struct account`s, which are all zeros at first, and give different ones in one call, \
                  or new ones";
    assert!(said.iter().any(|said| said == shared), "{said:?}");
}

#[test]
fn what_cannot_be_called_is_said() {
    let check = |source: &str, concurrent: &str, expected: Expect| {
        expected.assert_eq(&library(source, "", concurrent).expect_err("it is refused"));
    };
    check("int main(void) { return 0; }", "f", expect!["error: the program defines no function `f`"]);
    check(
        "void f(int n, ...) { }",
        "f",
        expect!["t.c:1:6: error: `f` takes any number of arguments: call it from a function of your own"],
    );
    check("void f(int n) { }", "f(1,2)", expect!["t.c:1:6: error: `f` takes fewer arguments"]);
    check(
        "struct s; void f(struct s *s) { }",
        "f",
        expect![
            "t.c:1:16: error: `f` takes `s`, a pointer to what these files do not define: name a function that returns one with `--setup`"
        ],
    );
    check(
        "struct s { int *p; }; void f(struct s s) { }",
        "f",
        expect!["t.c:1:28: error: `f` takes `s`, a struct with pointers in it"],
    );
}

#[test]
fn a_weak_definition_gives_way() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str, text: &str| written(directory.path().join(name), text);
    let weak = file(
        "weak.c",
        "#define WEAK __attribute__((weak))\nWEAK int x = 1; WEAK int get(void) { return x; }\nint main(void) { return get(); }",
    );
    let strong = file("strong.c", "int x = 2; int get(void) { return x + 1; }");
    let also_weak = file("also_weak.c", "__attribute__((weak)) int get(void) { return 5; }");
    for files in [vec![weak.clone(), strong.clone(), also_weak.clone()], vec![also_weak, strong, weak.clone()]] {
        let program = compile(&files, &CompileOptions::default()).expect("the files link").program;
        let text = Text(&program).to_string();
        assert!(text.contains("return r0 + 1") && text.contains("x: int, 4 bytes = 2"), "{text}");
    }
    compile(&[weak], &CompileOptions::default()).expect("it stands alone");
}

#[test]
fn deep_trees_are_lowered() {
    let deep =
        format!("int main(void) {{ unsigned q = 3; q = {}1{}; return q; }}", "(q ^ ".repeat(600), " + 7)".repeat(600));
    compiled(&deep);
    let wide: String = (0..2000).map(|number| format!("case {number}: x++; break;")).collect();
    compiled(&format!("int main(void) {{ int x = 0; switch (x) {{ {wide} }} return x; }}"));
}

#[test]
fn the_same_input_gives_the_same_program() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/native/thread_mutex_kinds.c");
    let program = || compile(std::slice::from_ref(&path), &CompileOptions::default()).expect("it compiles").program;
    assert_eq!(program(), program());
}

/// Where freed memory may be compared with what lies there now, the verdict says that addresses are not given out again.
#[test]
fn addresses_of_freed_memory_are_taken_to_be_given_out_once() {
    let caveats = |text: &str| {
        let compiled = compiled(text);
        let messages = compiled.program.caveats.iter().map(|caveat| (caveat.span.line, caveat.message.clone()));
        messages.filter(|(_, message)| message.contains("given out again")).map(|(line, _)| line).collect::<Vec<_>>()
    };
    let library = "void *malloc(unsigned long); void free(void *); int *a, *b; _Atomic(int *) top;\n";
    let compares = format!("{library}int main(void) {{ a = malloc(4); free(a); b = malloc(4);\nreturn a == b; }}");
    assert_eq!(caveats(&compares), [3]);
    let exchanges = "free(a);\n__sync_bool_compare_and_swap(&a, b, b); return 0;";
    assert_eq!(caveats(&format!("{library}int main(void) {{ {exchanges} }}")), [3]);
    let of_null = format!("{library}int main(void) {{ a = malloc(4); free(a); return a == 0 || b == (int *)&top; }}");
    assert_eq!(caveats(&of_null), [0_u32; 0]);
    assert_eq!(caveats(&format!("{library}int main(void) {{ return a == b; }}")), [0_u32; 0]);
}
