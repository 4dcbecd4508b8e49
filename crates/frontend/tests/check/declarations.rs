//! Declarations: scopes, linkage, types from specifiers and attributes, function definitions.

use super::{check, check_on};
use expect_test::expect;
use selvedge_program::DataModel;

#[test]
fn redeclarations_merge() {
    check(
        "extern int a[]; int a[3]; int t; int t; int t = 1; static int s; extern int s; int f(); int f(int); int f(int x) { return s + a[0]; }
        static int g(void); int g(void) { return 0; } extern int only;",
        expect![[r#"
            @a: int[3]
            @t: int = {0: int 1}
            static @s: int
            extern @only: int
            f(x: int) -> int {
              return (@s + *(decay(@a) + 4*0:long));
            }
            static g() -> int {
              return 0;
            }
        "#]],
    );
}

#[test]
fn scopes_nest() {
    check(
        "typedef int T; int x; enum { A = 3 };
        void f(int x) {
            { long x = x; { extern int x; x = A; } }
            T T = 1; T + 1; enum { A = 5 }; struct s { int a; } v; { struct s { char b[A]; } w; sizeof w; } sizeof v;
        }",
        expect![[r#"
            @x: int
            f(x: int) -> void {
               {
                declare x: long = {0: x};
                 {
                  (@x = 3);
                }
              }
              declare T: int = {0: 1};
              (T + 1);
              declare v: struct s;
               {
                declare w: struct s;
                5:unsigned long;
              }
              4:unsigned long;
            }
        "#]],
    );
}

#[test]
fn statics_belong_to_functions_and_names_are_strings() {
    check(
        "int f(void) { static int n = 3; static _Thread_local int t; __func__; __FUNCTION__[0]; return n++ + sizeof \"ab\" + \"ab\"[0]; }",
        expect![[r#"
            static @n of f: int = {0: int 3}
            static thread_local @t of f: int
            f() -> int {
              decay("f");
              *(decay("f") + 1*0:long);
              return (int)(((unsigned long)@n++ + 3:unsigned long) + (unsigned long)*(decay("ab") + 1*0:long));
            }
        "#]],
    );
}

#[test]
fn old_style_definitions_convert_what_is_passed() {
    check(
        "int f(c, x, p, n) char c; float x; char *p; { return c + x + *p + n; }
        int g(char); int g(c) char c; { return c; }
        void h(void) { f('a', 1.0f, \"\", 1); g('a'); int (*k)() = f; k((char)1); }",
        expect![[r#"
            f(%4: int, %5: double, p: char *, n: int) -> int {
              declare c: char = {0: (char)%4};
              declare x: float = {0: (float)%5};
              return (int)((((float)c + x) + (float)*p) + (float)n);
            }
            g(c: char) -> int {
              return (int)c;
            }
            h() -> void {
              f(97, 1.0, decay(""), 1);
              g(97:char);
              declare k: int (*)() = {0: (int (*)())&f};
              (*k)(1);
            }
        "#]],
    );
}

#[test]
fn enums_take_the_type_that_holds_them() {
    check(
        "enum e { A, B = 5, C } x; enum n { M = -1 } y; enum b { BIG = 0x100000000 } z; enum __attribute__((packed)) p { P } w;
        void f(void) { A; BIG; M; sizeof x; sizeof z; sizeof w; x + 1; y + 1u; C; }",
        expect![[r#"
            @x: enum e
            @y: enum n
            @z: enum b
            @w: enum p
            f() -> void {
              0;
              4294967296:unsigned long;
              -1;
              4:unsigned long;
              8:unsigned long;
              1:unsigned long;
              ((unsigned int)@x + 1:unsigned int);
              ((unsigned int)@y + 1:unsigned int);
              6;
            }
        "#]],
    );
}

#[test]
fn attributes_that_matter() {
    check(
        "struct __attribute__((packed)) p { char c; int x; } a; struct q { char c; int x __attribute__((aligned(16))); } b;
        typedef unsigned u64 __attribute__((mode(DI))); u64 c; typedef int big __attribute__((aligned(32))); struct r { char c; big x; } d;
        _Alignas(64) int e; int g __attribute__((aligned)); void die(void) __attribute__((noreturn)); _Noreturn void die2(void);
        int renamed(int) __asm__(\"real_name\");
        void f(void) { sizeof a; sizeof b; sizeof c; sizeof d; _Alignof(big); die(); die2(); renamed(1); }
        __attribute__((constructor)) static void start(void) {}
        void k(int *); void h(void) { int x __attribute__((cleanup(k))) = 1; }",
        expect![[r#"
            @a: struct p
            @b: struct q
            @c: unsigned long
            @d: struct r
            @e: int align 64
            @g: int align 16
            f() -> void {
              5:unsigned long;
              32:unsigned long;
              8:unsigned long;
              64:unsigned long;
              32:unsigned long;
              die();
              die2();
              real_name(1);
            }
            static start() -> void {
            }
            h() -> void {
              declare x: int in memory = {0: 1};
              when left k(&x);
            }
        "#]],
    );
}

#[test]
fn qualifiers_and_atomics_stay_on_places() {
    check(
        "_Atomic int a; _Atomic(long) b; volatile int v; struct { volatile int x; } s;
        void f(_Atomic int *p, const volatile int *q) { a = 1; a++; a += 2; b; v; s.x; *p; *q; volatile int l = 1; l; _Atomic int m; m = a; }",
        expect![[r#"
            @a: _Atomic int
            @b: _Atomic long
            @v: volatile int
            @s: struct <anonymous>
            f(p: _Atomic int *, q: const volatile int *) -> void {
              (@a!atomic = 1);
              @a!atomic++;
              (@a!atomic += 2);
              @b!atomic;
              @v!volatile;
              @s.[0]!volatile;
              *p!atomic;
              *q!volatile;
              declare l: volatile int in memory = {0: 1};
              l!volatile;
              declare m: _Atomic int in memory;
              (m!atomic = @a!atomic);
            }
        "#]],
    );
}

#[test]
fn variadic_functions_pass_lists_by_address() {
    let input = "int f(int n, ...) {
            __builtin_va_list l, m; __builtin_va_start(l, n); __builtin_va_copy(m, l);
            int x = __builtin_va_arg(l, int); __builtin_va_end(l); return x;
        }
        void g(__builtin_va_list l) { __builtin_va_arg(l, char *); }
        int h(void) { return f(1, (char)2, 3.0f, \"s\"); }";
    check(
        input,
        expect![[r#"
        f(n: int) -> int {
          declare l: struct __va_list_tag[1];
          declare m: struct __va_list_tag[1];
          __builtin_va_start(decay(l)):void;
          __builtin_va_copy(decay(m), decay(l)):void;
          declare x: int = {0: va_arg(decay(l), int)};
          __builtin_va_end(decay(l)):void;
          return x;
        }
        g(l: struct __va_list_tag *) -> void {
          va_arg(l, char *);
        }
        h() -> int {
          return f(1, 2, 3.0, decay("s"));
        }
    "#]],
    );
    check_on(
        DataModel::Ilp32,
        input,
        expect![[r#"
        f(n: int) -> int {
          declare l: char * in memory;
          declare m: char * in memory;
          __builtin_va_start(&l):void;
          __builtin_va_copy(&m, &l):void;
          declare x: int = {0: va_arg(&l, int)};
          __builtin_va_end(&l):void;
          return x;
        }
        g(l: char * in memory) -> void {
          va_arg(&l, char *);
        }
        h() -> int {
          return f(1, 2, 3.0, decay("s"));
        }
    "#]],
    );
}

#[test]
fn inline_functions_stay_in_the_unit_unless_declared_otherwise() {
    check(
        "inline int a(void) { return 1; } inline int b(void) { return 1; } extern int b(void);
        extern inline __attribute__((gnu_inline)) int c(void) { return 1; } static inline int d(void) { return 2; }
        extern inline int e(void) { return 3; }",
        expect![[r#"
            static a() -> int {
              return 1;
            }
            b() -> int {
              return 1;
            }
            static c() -> int {
              return 1;
            }
            static d() -> int {
              return 2;
            }
            e() -> int {
              return 3;
            }
        "#]],
    );
}

#[test]
fn transparent_unions_take_their_members() {
    check(
        "typedef union { int *i; const char *s; } arg __attribute__((transparent_union));
        void g(arg a); void f(int *p) { g(p); g(\"x\"); g(0); arg a; g(a); }",
        expect![[r#"
            f(p: int *) -> void {
              g(literal %1{0: p, zero});
              g(literal %2{0: (const char *)decay("x"), zero});
              g(literal %3{0: 0:int *, zero});
              declare a: union <anonymous>;
              g(a);
            }
        "#]],
    );
}

#[test]
fn members_of_variable_length_and_types_of_unknown_size_are_named() {
    check(
        "_Decimal64 d; struct s { _Float16 h; int x; };
        int f(int n, _Complex int z) { struct { int a, b[n]; } v; _BitInt(7) i; return v.b[1] + sizeof(_Decimal32); }",
        expect![[r#"
            @d: _Float16
            f(n: int, z: _Float16) -> int {
              unsupported an object of an unusual arithmetic type;
              unsupported an object of an unusual arithmetic type;
              unsupported a member of variable length;
              declare v: struct <anonymous>;
              declare i: _Float16;
              return (int)((unsigned long)*(decay(v.[4]) + 4*1:long) + 2:unsigned long);
            }
            unsupported an object of an unusual arithmetic type
            unsupported an object of an unusual arithmetic type
        "#]],
    );
}
