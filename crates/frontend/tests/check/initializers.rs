//! Initialisers, flattened.

use super::check;
use expect_test::expect;

#[test]
fn braces_may_be_left_out() {
    check(
        "struct in { int a, b; }; struct out { struct in x[2]; int y; };
        struct out full = { { { 1, 2 }, { 3, 4 } }, 5 }, flat = { 1, 2, 3, 4, 5 }, mixed = { { 1, 2, 3 }, 5 }, few = { 1 };
        int m[2][3] = { 1, 2, 3, 4 }, n[][2] = { 1, 2, 3 }, scalar = { 7 };",
        expect![[r#"
            @full: struct out = {0: int 1, 4: int 2, 8: int 3, 12: int 4, 16: int 5}
            @flat: struct out = {0: int 1, 4: int 2, 8: int 3, 12: int 4, 16: int 5}
            @mixed: struct out = {0: int 1, 4: int 2, 8: int 3, 16: int 5}
            @few: struct out = {0: int 1}
            @m: int[2][3] = {0: int 1, 4: int 2, 8: int 3, 12: int 4}
            @n: int[2][2] = {0: int 1, 4: int 2, 8: int 3}
            @scalar: int = {0: int 7}
        "#]],
    );
}

#[test]
fn designators_go_anywhere() {
    check(
        "struct in { int a, b; }; struct out { int k; struct in x[3]; int y; };
        struct out a = { .y = 9, .x[1].b = 4, 5, .k = 1, 6 }, b = { .x = { [2] = { .b = 1 }, [0] = { 3 } } };
        int r[] = { [1 ... 3] = 7, 8, [0] = 1, [2] = 5 }; struct in s[] = { [0 ... 1] = { 1, .b = 2 }, [1].a = 9 };
        struct { union { int u; char c[4]; }; int z; } q = { .c = { 1, 2 }, 3 }, w = { .z = 1, .u = 2 };",
        expect![[r#"
            @a: struct out = {0: int 1, 4: int 6, 16: int 4, 20: int 5, 28: int 9}
            @b: struct out = {4: int 3, 24: int 1}
            @r: int[5] = {0: int 1, 4: int 7, 8: int 5, 12: int 7, 16: int 8}
            @s: struct in[2] = {0: int 1, 4: int 2, 8: int 9, 12: int 2}
            @q: struct <anonymous> = {0: char 1, 1: char 2, 4: int 3}
            @w: struct <anonymous> = {0: int 2, 4: int 1}
        "#]],
    );
}

#[test]
fn later_values_override() {
    check(
        "struct in { int a, b; }; struct { struct in x; } o = { .x = { 1, 2 }, .x.a = 3, .x = { .b = 4 } };
        union { int i; struct { char a, b; } s; } u = { .i = 0x01020304, .s.b = 5 }, v = { 1 };
        struct { char s[6]; } t = { .s = \"abc\", .s[1] = 'x' };",
        expect![[r#"
            @o: struct <anonymous> = {4: int 4}
            @u: union <anonymous> = {1: char 5}
            @v: union <anonymous> = {0: int 1}
            @t: struct <anonymous> = {0: char 97, 1: char 120, 2: char 99, 3: char 0}
        "#]],
    );
}

#[test]
fn strings_fill_arrays() {
    check(
        "char a[] = \"abc\", b[3] = \"abc\", c[6] = { \"ab\" }, d[2][3] = { \"x\", { 'y' } }, e[] = (\"q\"); unsigned char f[] = \"\\xff\";
        int w[] = L\"ab\"; const char *p = \"p\", *q[] = { \"q\", 0 }; struct { char n[4]; int v; } s[] = { \"ab\", 1, { \"c\", 2 } };
        void g(void) { char l[5] = \"hi\"; char m[] = { 'a', 0 }; int k[] = L\"z\"; }",
        expect![[r#"
            @a: char[4] = {0: char "abc\0"}
            @b: char[3] = {0: char "abc"}
            @c: char[6] = {0: char "ab\0"}
            @d: char[2][3] = {0: char "x\0", 3: char 121}
            @e: char[2] = {0: char "q\0"}
            @f: unsigned char[2] = {0: unsigned char "�\0"}
            @w: int[3] = {0: int 97, 4: int 98, 8: int 0}
            @p: const char * = {0: const char * &"p"}
            @q: const char *[2] = {0: const char * &"q", 8: const char * 0}
            @s: struct <anonymous>[2] = {0: char "ab\0", 4: int 1, 8: char "c\0", 12: int 2}
            g() -> void {
              declare l: char[5] = {0: "hi\0", zero};
              declare m: char[2] = {0: 97:char, 1: 0:char, zero};
              declare k: int[2] = {0: 122, 4: 0, zero};
            }
        "#]],
    );
}

#[test]
fn static_addresses() {
    check(
        "struct s { int a[4]; struct s *next; }; struct s x, y[3]; int f(void);
        int *p = &x.a[2], *q = y[1].a + 1, *r = &*y[2].a; char *c = (char *)&x + 4; long n = (long)&x, m = (long)&y[1] + 8;
        struct s z = { .next = &z }; int (*fp)(void) = f, (*fq)(void) = &f; long d = &y[2] - &y[0], o = (long)&((struct s *)0)->next;
        struct s *lit = &(struct s){ .a = { 1 } }; int *arr = (int[]){ 1, 2 }; const char *t = \"abc\" + 1; _Bool b = &x; int *null = 0;
        static const int k = 5; int fromk = k + 1; int cond = 1 ? 2 : f(); double fl = 1 / 2.0f; float g = 0.1; int sh = 1 << 3 | 0x10;
        struct s copy = (struct s){ { 1, 2 } };",
        expect![[r#"
            @x: struct s
            @y: struct s[3]
            @p: int * = {0: int * &@x+8}
            @q: int * = {0: int * &@y+28}
            @r: int * = {0: int * &@y+48}
            @c: char * = {0: char * &@x+4}
            @n: long = {0: long &@x}
            @m: long = {0: long &@y+32}
            @z: struct s = {16: struct s * &@z}
            @fp: int (*)(void) = {0: int (*)(void) &f}
            @fq: int (*)(void) = {0: int (*)(void) &f}
            @d: long = {0: long 2}
            @o: long = {0: long 16}
            @lit: struct s * = {0: struct s * &@14}
            @14: struct s = {0: int 1}
            @arr: int * = {0: int * &@16}
            @16: int[2] = {0: int 1, 4: int 2}
            @t: const char * = {0: const char * &"abc"+1}
            @b: _Bool = {0: _Bool 1}
            @null: int * = {0: int * 0}
            static @k: const int = {0: int 5}
            @fromk: int = {0: int 6}
            @cond: int = {0: int 2}
            @fl: double = {0: double 0.5}
            @g: float = {0: float 0.10000000149011612}
            @sh: int = {0: int 24}
            @copy: struct s = {0: int 1, 4: int 2}
        "#]],
    );
}

#[test]
fn automatic_initialisers() {
    check(
        "struct s { int a; long b : 5; char c[3]; };
        void f(int n, struct s t) {
            struct s x = { n, n + 1, { 'a' } }, y = t, z = { 0 }, w = {}; struct { struct s in; int k; } v = { t, 1 }, u = { n, 2, \"x\", 4 };
            int *p = (int[]){ n, 2 }; struct s *q = &(struct s){ .c[1] = n }; int i = { n }; int a[] = { [2] = n, 1 };
            int arr[3] = (int[3]){ 1 }; f(1, (struct s){ 5 }); static void *table[] = { &&out, 0 };
            int same[] = { [0 ... 2] = n };
            out:;
        }",
        expect![[r#"
            static @table of f: void *[2] = {0: void * 1, 8: void * 0}
            f(n: int, t: struct s) -> void {
              declare x: struct s = {0: n, 4 bits 32+5: (long)(n + 1), 5: 97:char, zero};
              declare y: struct s = {0: t};
              declare z: struct s = {0: 0, zero};
              declare w: struct s = {, zero};
              declare v: struct <anonymous> = {0: t, 8: 1, zero};
              declare u: struct <anonymous> = {0: n, 4 bits 32+5: 2:long, 5: "x\0", 8: 4, zero};
              declare p: int * = {0: decay(literal %9{0: n, 4: 2, zero})};
              declare q: struct s * = {0: &literal %11{6: (char)n, zero}};
              declare i: int = {0: n};
              declare a: int[4] = {8: n, 12: 1, zero};
              declare arr: int[3] = {0: 1, zero};
              f(1, literal %15{0: 5, zero});
              declare same: int[3] = {0: n, 4: n, 8: n, zero};
              out:
            }
        "#]],
    );
}

#[test]
fn flexible_members_of_static_objects() {
    check(
        "struct f { int n; char d[]; } a = { 3, \"abc\" }, b = { 2, { 1, 2 } }; struct g { int n; int d[]; } c = { .d = { 1, [2] = 3 } };",
        expect![[r#"
            @a: struct f = {0: int 3, 4: char "abc\0"}
            @b: struct f = {0: int 2, 4: char 1, 5: char 2}
            @c: struct g = {4: int 1, 12: int 3}
        "#]],
    );
}
