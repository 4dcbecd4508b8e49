//! Declarations: specifiers, declarators, records, scopes of typedef names.

use crate::check;
use expect_test::expect;

#[test]
fn type_words_in_any_order() {
    check(
        "unsigned long int a; long unsigned b; long long int unsigned c; short signed d; signed char e; char f;
         long double g; double _Complex h; _Complex i; __int128 j; unsigned __int128 k; __uint128_t l; _Float32x m;
         _Float128 n; __builtin_va_list o; _Float16 p; __signed__ q; int const long volatile r; _Bool s; __complex__ float t;",
        expect![[r#"
            (declare unsigned-long (a))
            (declare unsigned-long (b))
            (declare unsigned-long-long (c))
            (declare short (d))
            (declare signed-char (e))
            (declare char (f))
            (declare long-double (g))
            (declare complex-double (h))
            (declare complex-double (i))
            (declare __int128 (j))
            (declare unsigned-__int128 (k))
            (declare unsigned-__int128 (l))
            (declare double (m))
            (declare _Float128 (n))
            (declare __builtin_va_list (o))
            (declare other-arithmetic (p))
            (declare int (q))
            (declare const volatile long (r))
            (declare _Bool (s))
            (declare complex-float (t))
        "#]],
    );
}

#[test]
fn storage_and_function_specifiers() {
    check(
        "static __thread int a; extern _Thread_local int b; _Noreturn static inline void f(void); register int r;
         _Alignas(8) _Alignas(double) char c; constexpr int d = 3; static thread_local int e; alignas(16) int g;",
        expect![[r#"
            (declare static _Thread_local int (a))
            (declare extern _Thread_local int (b))
            (declare static inline _Noreturn void (f (function)))
            (declare register int (r))
            (declare alignas 8 alignas (type double) char (c))
            (declare constexpr int (d = 3))
            (declare static _Thread_local int (e))
            (declare alignas 16 int (g))
        "#]],
    );
}

#[test]
fn declarators_read_from_the_inside() {
    check(
        "int *a[3], (*b)[3], *(*c)(int, char *restrict), (*(*d[2])(void))[4];
         void (*signal(int sig, void (*handler)(int)))(int); int f(), g(void), h(int, ...), (x), ((y));
         int m[const static 3], n[*], o[restrict]; char *const volatile p; int k(int [], int (*)(void), int (int), char *[]);",
        expect![[r#"
            (declare int (a (array 3) pointer) (b pointer (array 3)) (c pointer (function (int) (char restrict pointer)) pointer) (d (array 2) pointer (function) pointer (array 4)))
            (declare void (signal (function (int sig) (void handler pointer (function (int)))) pointer (function (int))))
            (declare int (f (function unspecified)) (g (function)) (h (function (int) ...)) (x) (y))
            (declare int (m (array const 3)) (n (array *)) (o (array restrict)))
            (declare char (p const volatile pointer))
            (declare int (k (function (int (array)) (int pointer (function)) (int (function (int))) (char (array) pointer))))
        "#]],
    );
}

#[test]
fn implicit_int_and_old_style_definitions() {
    check(
        "static x; const y = 1; *p; f() { } main(argc, argv) int argc; char **argv; { return argc; }
         int *g(a, b, c) register char a; double b, (*c)(); { } extern h(); (i)(void) { }",
        expect![[r#"
            (declare static implicit-int (x))
            (declare const implicit-int (y = 1))
            (declare implicit-int (p pointer))
            (define implicit-int (f (function unspecified))
              (block))
            (define implicit-int (main (function argc argv))
              (declare int (argc))
              (declare char (argv pointer pointer))
              (block
                (return argc)))
            (define int (g (function a b c) pointer)
              (declare register char (a))
              (declare double (b) (c pointer (function unspecified)))
              (block))
            (declare extern implicit-int (h (function unspecified)))
            (define implicit-int (i (function))
              (block))
        "#]],
    );
}

#[test]
fn records() {
    check(
        "struct s { int a : 3, : 0, b : 2; struct { char c; union { int d; float e; }; }; struct s *next; int flexible[]; };
         union u; struct { } empty; struct t { ;; __extension__ union { int x; }; _Static_assert(1, \"m\"); int y };
         struct p { _Alignas(16) char c; char const *volatile q; } *r, s1 = { 1 };",
        expect![[r#"
            (declare (struct s
              (member int (a : 3) (: 0) (b : 2))
              (member (struct
                (member char (c))
                (member (union
                  (member int (d))
                  (member float (e))))))
              (member (struct s) (next pointer))
              (member int (flexible (array)))))
            (declare (union u))
            (declare (struct empty) (empty))
            (declare (struct t
              (member (union
                (member int (x))))
              (static-assert 1 "m")
              (member int (y))))
            (declare (struct p
              (member alignas 16 char (c))
              (member const char (q volatile pointer))) (r pointer) (s1 = (list 1)))
        "#]],
    );
}

#[test]
fn enums() {
    check(
        "enum e { A, B = 2, C = B + 1, }; enum e x; typedef enum { D } f; enum g : unsigned char { E };
         enum h { F __attribute__((deprecated)), G [[deprecated]] = 3 } __attribute__((packed)); enum { } y;",
        expect![[r#"
            (declare (enum e A (B 2) (C (+ B 1))))
            (declare (enum e) (x))
            (declare typedef (enum D) (f))
            (declare (enum g : (type unsigned-char) E))
            (declare (enum h [packed] F (G 3)))
            (declare (enum) (y))
        "#]],
    );
}

#[test]
fn attributes_anywhere() {
    check(
        "__attribute__((a)) int __attribute__((b, , c(1, x, \"s\"))) * __attribute__((d)) const e __attribute__((f)) = 1,
           __attribute__((g)) h;
         struct __attribute__((__packed__)) s { int x __attribute__((aligned(8))), y : 3 __attribute__((z)); } __attribute__((__may_alias__));
         void f(__attribute__((unused)) int a, int b __attribute__((unused)), int (__attribute__((noinline)) *c)(void));
         int (__attribute__((noinline)) g1)(void) __asm__(\"g2\") __attribute__((cold));
         typedef int v4 __attribute__((vector_size(16))); typedef int di __attribute__((mode(DI)));
         void w(const char *, ...) __attribute__((format(printf, 1, 2))); __attribute__((const)) int k(void);
         [[noreturn]] void n(void); [[gnu::always_inline, clang::foo(anything { at } [all], 1)]] int m [[x]] (int [[y]] a);",
        expect![[r#"
            (declare int [a] [b] [c 1 x "s"] (e const pointer [d] [f] = 1) (h [g]))
            (declare (struct s [packed] [may_alias]
              (member int (x [aligned 8]) (y [z] : 3))))
            (declare void (f (function (int [unused] a) (int b [unused]) (int c pointer (function) [noinline]))))
            (declare int (g1 (function) asm "g2" [noinline] [cold]))
            (declare typedef int (v4 [vector_size 16]))
            (declare typedef int (di [mode DI]))
            (declare void (w (function (const char pointer) ...) [format printf 1 2]))
            (declare int [const] (k (function)))
            (declare void [noreturn] (n (function)))
            (declare int [always_inline] [clang::foo 1] (m (function (int [y] a)) [x]))
        "#]],
    );
}

#[test]
fn attribute_arguments_that_are_no_expressions_are_skipped() {
    check(
        "typedef int byte; int a __attribute__((mode(byte), b(int *, 1), c(struct s), d({ 1 2 }, 3), e(), f(1 + 2)));",
        expect![[r#"
            (declare typedef int (byte))
            (declare int (a [mode byte] [b 1] [c] [d 3] [e] [f (+ 1 2)]))
        "#]],
    );
}

#[test]
fn typedef_names_are_scoped() {
    check(
        "typedef int T; void f(T T) { T = 1; } T g(T); T h(T x) { T T = 2; T * T; }
         void i(void) { { int T; T * 2; } T * p; for (int T = 0; T * 2;) ; T * q; struct { int T; T m; } s; s.T = 1; }
         void j(void) { enum { T }; T * 2; } void k(void) { typedef char T; (T) 1; } void l(void) { (T) + 1; T: goto T; }
         void m(int T, int x[T]) ; void n(U) int U; { typedef int U2; } T o(T (T)); int p(int (T));",
        expect![[r#"
            (declare typedef int (T))
            (define void (f (function (T T)))
              (block
                (= T 1)))
            (declare T (g (function (T))))
            (define T (h (function (T x)))
              (block
                (declare T (T = 2))
                (* T T)))
            (define void (i (function))
              (block
                (block
                  (declare int (T))
                  (* T 2))
                (declare T (p pointer))
                (for (declare int (T = 0)) (* T 2) _
                  empty)
                (declare T (q pointer))
                (declare (struct
                  (member int (T))
                  (member T (m))) (s))
                (= (. s T) 1)))
            (define void (j (function))
              (block
                (declare (enum T))
                (* T 2)))
            (define void (k (function))
              (block
                (declare typedef char (T))
                (cast (type T) 1)))
            (define void (l (function))
              (block
                (cast (type T) (plus 1))
                (label T (goto T))))
            (declare void (m (function (int T) (int x (array T)))))
            (define void (n (function U))
              (declare int (U))
              (block
                (declare typedef int (U2))))
            (declare T (o (function (T (function (T))))))
            (declare int (p (function (int (function (T))))))
        "#]],
    );
}

#[test]
fn soft_keywords_give_way_to_the_program() {
    check(
        "bool a = true; void *n = nullptr; typedef int bool; enum { false, true }; bool b = true; int typeof = 3, asm = typeof;
         void f(void) { int nullptr = asm; nullptr = 1; } struct s { int bool, static_assert; }; int thread_local;
         __float80 c; void g(void) { int __float80, __float128; __float80 = 1; }",
        expect![[r#"
            (declare _Bool (a = (cast (type _Bool) 1)))
            (declare void (n pointer = (cast (type void pointer) 0)))
            (declare typedef int (bool))
            (declare (enum false true))
            (declare bool (b = true))
            (declare int (typeof = 3) (asm = typeof))
            (define void (f (function))
              (block
                (declare int (nullptr = asm))
                (= nullptr 1)))
            (declare (struct s
              (member int (bool) (static_assert))))
            (declare int (thread_local))
            (declare long-double (c))
            (define void (g (function))
              (block
                (declare int (__float80) (__float128))
                (= __float80 1)))
        "#]],
    );
    check(
        "static_assert(1); static_assert(sizeof(int) == 4, \"int\" \" size\"); typedef unsigned char bool;",
        expect![[r#"
            (static-assert 1)
            (static-assert (== (sizeof (type int)) 4) "int size")
            (declare typedef unsigned-char (bool))
        "#]],
    );
}

#[test]
fn typeof_and_atomic() {
    check(
        "__typeof__(1 + 1) a; typeof(int *) b; typeof_unqual(const int) c; _Atomic(int *) d; _Atomic int e; int *_Atomic f;
         void g(void) { __auto_type x = a; auto y = b; }",
        expect![[r#"
            (declare typeof (+ 1 1) (a))
            (declare typeof (type int pointer) (b))
            (declare typeof (type const int) [typeof_unqual] (c))
            (declare atomic (type int pointer) (d))
            (declare _Atomic int (e))
            (declare int (f _Atomic pointer))
            (define void (g (function))
              (block
                (declare __auto_type (x = a))
                (declare auto __auto_type (y = b))))
        "#]],
    );
}

#[test]
fn initializers() {
    check(
        "int a[] = { 1, 2, }, b = { 3 }, c[3] = { [0] = 1, [1 ... 2] = 2 }, d[] = { [2] 5 }; struct s x = { .a.b[3] = 1, c: 2, { } };
         char s[] = \"abc\", t[] = { \"def\" };",
        expect![[r#"
            (declare int (a (array) = (list 1 2)) (b = (list 3)) (c (array 3) = (list (at 0 1) (from 1 to 2 2))) (d (array) = (list (at 2 5))))
            (declare (struct s) (x = (list (.a .b at 3 1) (.c 2) (list))))
            (declare char (s (array) = "abc") (t (array) = (list "def")))
        "#]],
    );
}

#[test]
fn pragma_pack_marks_the_records_defined_under_it() {
    check(
        "struct a { int x; };\n#pragma pack(push, 1)\nstruct b { int x; struct { char y; } z; };\nstruct a c;
#pragma pack(2)\nunion d { int x; };\n#pragma pack(pop)\nstruct e { int x; };\n",
        expect![[r#"
            (declare (struct a
              (member int (x))))
            (declare (struct b [pragma_pack 1]
              (member int (x))
              (member (struct [pragma_pack 1]
                (member char (y))) (z))))
            (declare (struct a) (c))
            (declare (union d [pragma_pack 2]
              (member int (x))))
            (declare (struct e
              (member int (x))))
        "#]],
    );
}

#[test]
fn files_without_declarations() {
    check("", expect![[""]]);
    check(" ;;; \n/* nothing */ // more\n#pragma once\n#ident \"x\"\n", expect![[""]]);
    check(
        "asm(\"nop\"); __asm__ volatile (\"a\" \"b\");",
        expect![[r#"
        (asm "nop")
        (asm volatile "ab")
    "#]],
    );
}
