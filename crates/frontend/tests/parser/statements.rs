//! Statements and blocks.

use crate::check;
use expect_test::expect;

#[test]
fn control_flow() {
    check(
        "int f(int a) { if (a) b(); else if (c) d(); else { } while (a) a--; do { a++; } while (a < 3); for (;;) break;
           for (a = 0; a < 3; a++) continue; for (int i = 0, *p; ; ) { } switch (a) { case 1: case 2 ... 3: x(); break; default: y(); }
           if (a) if (b) c(); else d(); return; return a; ; goto l; l: return (a); }",
        expect![[r#"
            (define int (f (function (int a)))
              (block
                (if a
                  (call b)
                  (if c
                    (call d)
                    (block)))
                (while a
                  (_-- a))
                (do (block
                  (_++ a)) while (< a 3))
                (for _ _ _
                  break)
                (for (= a 0) (< a 3) (_++ a)
                  continue)
                (for (declare int (i = 0) (p pointer)) _ _
                  (block))
                (switch a
                  (block
                    (case 1 (case 2 to 3 (call x)))
                    break
                    (default (call y))))
                (if a
                  (if b
                    (call c)
                    (call d)))
                (return _)
                (return a)
                empty
                (goto l)
                (label l (return (paren a)))))
        "#]],
    );
}

#[test]
fn labels_where_no_statement_follows() {
    check(
        "void f(void) { __label__ a, b; __label__ c; a: int x; b: { } c: __attribute__((unused)) x = 1; switch (x) { case 1: int y; default: } d: }",
        expect![[r#"
            (define void (f (function))
              (block labels a b c
                (label a (declare int (x)))
                (label b (block))
                (label c [unused] (= x 1))
                (switch x
                  (block
                    (case 1 (declare int (y)))
                    (default empty)))
                (label d empty)))
        "#]],
    );
}

#[test]
fn attributes_on_statements() {
    check(
        "void f(void) { switch (1) { case 1: __attribute__((fallthrough)); case 2: [[fallthrough]]; } [[likely]] if (1) ; __attribute__((unused)) int x;
           if (x) [[unlikely]] { } [[maybe_unused]] int y; __extension__ int z; __extension__ ({ 1; }); }",
        expect![[r#"
            (define void (f (function))
              (block
                (switch 1
                  (block
                    (case 1 empty)
                    (case 2 empty)))
                (if 1
                  empty)
                (declare int [unused] (x))
                (if x
                  (block))
                (declare int [maybe_unused] (y))
                (declare int (z))
                (statement-expression
                  1)))
        "#]],
    );
}

#[test]
fn assembly() {
    check(
        "void f(void) { asm(\"nop\"); __asm__ __volatile__ (\"mov %0, %1\" : \"=r\"(a), [n] \"+m\" (*b) : \"r\" (c) : \"memory\", \"cc\");
           asm volatile (\"\" ::: \"memory\"); asm goto (\"jmp %l0\" : : : : out, in); asm inline (\"\" : : \"i\" (1)); out: in: ; register int r asm(\"eax\"); }",
        expect![[r#"
            (define void (f (function))
              (block
                (asm "nop")
                (asm volatile "mov %0, %1" out "=r" a out "+m" (dereference b) in "r" c clobber "memory" clobber "cc")
                (asm volatile "" clobber "memory")
                (asm goto "jmp %l0")
                (asm "" in "i" 1)
                (label out (label in empty))
                (declare register int (r asm "eax"))))
        "#]],
    );
}

#[test]
fn nested_functions() {
    check(
        "int f(int a) { int g(int b) { return a + b; } auto int h(void); int h(void) { return 1; } return g(h()); }",
        expect![[r#"
            (define int (f (function (int a)))
              (block
                (define int (g (function (int b)))
                  (block
                    (return (+ a b))))
                (declare auto int (h (function)))
                (define int (h (function))
                  (block
                    (return 1)))
                (return (call g (call h)))))
        "#]],
    );
}

#[test]
fn declarations_in_blocks() {
    check(
        "void f(void) { static int a = 1; struct s { int x; } b; typedef int T; T c; _Static_assert(1, \"\"); extern int g(T); T; }",
        expect![[r#"
            (define void (f (function))
              (block
                (declare static int (a = 1))
                (declare (struct s
                  (member int (x))) (b))
                (declare typedef int (T))
                (declare T (c))
                (static-assert 1 "")
                (declare extern int (g (function (T))))
                (declare T)))
        "#]],
    );
}

#[test]
fn digraphs_and_splices() {
    check(
        "int a<:3:>; void f(void) <% in\\\nt x = a<:1:>; x +\\\r\n= 2; /\\\n* comment *\\\n/ \"a\\\nb\"; %>\n%: 1 \"x\"\n",
        expect![[r#"
            (declare int (a (array 3)))
            (define void (f (function))
              (block
                (declare int (x = (index a 1)))
                (+= x 2)
                "ab"))
        "#]],
    );
}
