//! Expressions: types, conversions, places.

use super::{check, check_on};
use expect_test::expect;
use selvedge_program::DataModel;

#[test]
fn arithmetic_converts_to_the_common_type() {
    check(
        "void f(char c, unsigned u, long l, float x, double d, _Bool b) {
            c + c; u + l; u + c; l * x; x + d; c << l; ~b; -c; !x; l < u; c += 1; c <<= l; x /= d; b++; u %= 3;
        }",
        expect![[r#"
            f(c: char, u: unsigned int, l: long, x: float, d: double, b: _Bool) -> void {
              ((int)c + (int)c);
              ((long)u + l);
              (u + (unsigned int)c);
              ((float)l * x);
              ((double)x + d);
              ((int)c << l);
              ~(int)b;
              -(int)c;
              !x;
              (l < (long)u);
              (c += 1 in int);
              (c <<= l in int);
              (x /= d in double);
              b++;
              (u %= 3:unsigned int);
            }
        "#]],
    );
}

#[test]
fn on_32_bits_unsigned_and_long_make_unsigned_long() {
    check_on(
        DataModel::Ilp32,
        "void f(unsigned u, long l, unsigned long long q) { u + l; l + q; sizeof(void *); }",
        expect![[r#"
            f(u: unsigned int, l: long, q: unsigned long long) -> void {
              ((unsigned long)u + (unsigned long)l);
              ((unsigned long long)l + q);
              4:unsigned int;
            }
        "#]],
    );
}

#[test]
fn pointers_move_by_elements() {
    check(
        "struct s { int a[3]; };
        void f(int *p, struct s *q, unsigned i, char c, void *v) {
            p + i; 2 + p; p - c; p - p; q++; p += i; q->a[1] = *p; i[p]; v + 1; p == 0; p < p; v == p; !p; p && i;
        }",
        expect![[r#"
            f(p: int *, q: struct s *, i: unsigned int, c: char, v: void *) -> void {
              (p + 4*(long)i);
              (p + 4*2:long);
              (p - 4*(long)c);
              ((p - p) / 4);
              q++[12];
              (p += 4*(long)i);
              (*(decay(*q.[0]) + 4*1:long) = *p);
              *(p + 4*(long)i);
              (v + 1*1:long);
              (p == 0:int *);
              (p < p);
              ((int *)v == p);
              !p;
              (p && i);
            }
        "#]],
    );
}

#[test]
fn places_decay_and_addresses_mark_locals() {
    check(
        "int g(int *); int h(void);
        void f(int x, int y) {
            int a[3], (*p)[3] = &a, (*k)(void) = h, (**kk)(void) = &k;
            g(&x); *&y = 1; &*p; **p; (*k)(); (**k)(); k(); (*kk)(); (&h)(); &a[1];
        }",
        expect![[r#"
            f(x: int in memory, y: int in memory) -> void {
              declare a: int[3];
              declare p: int (*)[3] = {0: &a};
              declare k: int (*)(void) in memory = {0: &h};
              declare kk: int (**)(void) = {0: &k};
              g(&x);
              (y = 1);
              p;
              *(int *)p;
              (*k)();
              (*k)();
              (*k)();
              (**kk)();
              h();
              (decay(a) + 4*1:long);
            }
        "#]],
    );
}

#[test]
fn members_and_bit_fields() {
    check(
        "struct s { int a : 3; unsigned b : 20; struct { long c; union { int d; char e[4]; }; }; const int k; };
        struct s make(void);
        void f(struct s *p, volatile struct s v) {
            p->a + 1; p->b << 1; p->b = 7; p->c; p->d; p->e[2]; v.d; make().d; make().e[1]; (*p).a++; p->a += 1L; v.k;
        }",
        expect![[r#"
            f(p: struct s *, v: volatile struct s) -> void {
              (*p.[bits 0+3] + 1);
              ((int)*p.[bits 3+20] << 1);
              (*p.[bits 3+20] = 7:unsigned int);
              *p.[8];
              *p.[16];
              *(decay(*p.[16]) + 1*2:long);
              v!volatile.[16]!volatile;
              temporary(make()).[16];
              *(decay(temporary(make()).[16]) + 1*1:long);
              *p.[bits 0+3]++;
              (*p.[bits 0+3] += 1:long in long);
              v!volatile.[24]!volatile;
            }
        "#]],
    );
}

#[test]
fn conditionals_find_a_common_type() {
    check(
        "struct s { int x; };
        void f(int c, int *p, const int *q, void *v, struct s a, struct s b) {
            c ? 1 : 2L; c ? p : 0; c ? p : (void *)0; c ? p : q; c ? p : v; c ? a : b; (c ? a : b).x; c ?: 2L; p ?: q;
            c ? (void)0 : (void)1; (c, p); (a, b).x;
        }",
        expect![[r#"
            f(c: int, p: int *, q: const int *, v: void *, a: struct s, b: struct s) -> void {
              (c ? 1:long : 2:long);
              (c ? p : 0:int *);
              (c ? p : 0:int *);
              (c ? (const int *)p : q);
              (c ? (void *)p : v);
              (c ? a : b);
              temporary((c ? a : b)).[0];
              (c ?: 2:long);
              (p ?: q);
              (c ? (void)0 : (void)1);
              (c, p);
              temporary((a, b)).[0];
            }
        "#]],
    );
}

#[test]
fn constants_have_the_type_that_holds_them() {
    check(
        "void f(void) {
            1; 2147483648; 0x80000000; 1u; 1l; 0xffffffffffffffff; 9223372036854775808u; 1.0f; 1.0; 1.0l; 'a'; L'a';
            u'a'; 18446744073709551616; 1 + 2 * 3; -1; 2147483647 + 1; 1 / 0; ~0u; 1 << 40; (char)300; (_Bool)0.5; (float)0.1;
        }",
        expect![[r#"
            f() -> void {
              1;
              2147483648:long;
              2147483648:unsigned int;
              1:unsigned int;
              1:long;
              18446744073709551615:unsigned long;
              9223372036854775808:unsigned long;
              1.0:float;
              1.0;
              1.0:long double;
              97;
              97;
              97:unsigned short;
              18446744073709551616:__int128;
              7;
              -1;
              (2147483647 + 1);
              (1 / 0);
              4294967295:unsigned int;
              (1 << 40);
              44:char;
              1:_Bool;
              0.10000000149011612:float;
            }
        "#]],
    );
}

#[test]
fn sizes_alignments_offsets() {
    check(
        "struct s { char c; int x[3]; struct { short y; }; };
        void f(int n) {
            int a[n]; int b[2][n];
            sizeof(struct s); sizeof a; sizeof b; sizeof b[0]; sizeof(int[n + 1]); _Alignof(struct s);
            __builtin_offsetof(struct s, x[2]); __builtin_offsetof(struct s, y); (long)&((struct s *)0)->x[1];
            __builtin_offsetof(struct s, x[n]); sizeof(f(1)); sizeof \"abc\"; sizeof 'a'; sizeof(char){1};
        }",
        expect![[r#"
            f(n: int) -> void {
              length #0 = (unsigned long)n;
              declare a: int[*];
              length #1 = (unsigned long)n;
              declare b: int[2][*];
              20:unsigned long;
              sizeof(4*#0);
              sizeof(8*#1);
              sizeof(4*#1);
              ({length #2 = (unsigned long)(n + 1); => sizeof(4*#2)});
              4:unsigned long;
              12:unsigned long;
              16:unsigned long;
              (long)(decay(*0:struct s *.[4]) + 4*1:long);
              (4:unsigned long + ((unsigned long)n * 4:unsigned long));
              1:unsigned long;
              4:unsigned long;
              4:unsigned long;
              1:unsigned long;
            }
        "#]],
    );
}

#[test]
fn generic_selection_sees_values() {
    check(
        "int h(int);
        void f(const int c, char s[], const char *k, float x) {
            int t[] = {
                _Generic((c), int: 1, default: 7), _Generic((s), char *: 3, default: 7), _Generic((\"a\"), char *: 3, default: 7),
                _Generic((k), const char *: 4, default: 7), _Generic((h), int (*)(int): 6, default: 7),
                _Generic((x), float: 8, default: undeclared),
            };
            __builtin_choose_expr(1, c, undeclared);
            __builtin_types_compatible_p(int, const int); __builtin_types_compatible_p(int[], int[3]);
            __builtin_types_compatible_p(int *, const int *);
        }",
        expect![[r#"
            f(c: const int, s: char *, k: const char *, x: float) -> void {
              declare t: int[6] = {0: 1, 4: 3, 8: 3, 12: 4, 16: 6, 20: 8, zero};
              c;
              1;
              1;
              0;
            }
        "#]],
    );
}

#[test]
fn statement_expressions_and_types_of_expressions() {
    check(
        "struct s { int a; };
        void f(const int n, struct s x) {
            int y = ({ int t = n; t + 1; });
            ({ y; }); ({ x; }).a; ({ int z; }); ({ f(n, x); });
            typeof(n) k = 1; typeof_unqual(n) w = 2; __auto_type v = n; const __auto_type p = &x; typeof(int *) q = &y;
            typeof(({ 1L; })) l = 3;
        }",
        expect![[r#"
            f(n: const int, x: struct s) -> void {
              declare y: int in memory = {0: ({declare t: int = {0: n}; => (t + 1)})};
              ({ => y});
              temporary(({ => x})).[0];
              ({declare z: int; => });
              ({ { } f(n, x); => });
              declare k: const int = {0: 1};
              declare w: int = {0: 2};
              declare v: int = {0: n};
              declare p: struct s *const = {0: &x};
              declare q: int * = {0: &y};
              declare l: long = {0: 3:long};
            }
        "#]],
    );
}

#[test]
fn what_is_not_computed_is_named() {
    check(
        "typedef int v4 __attribute__((vector_size(16)));
        typedef _Complex double cd;
        cd f(cd z, v4 a, v4 b, __float128 q, long double l) {
            a + b; z * 2; q < 1; l + 1; __real__ z; __real__ 1; v4 c = a; c = b; a[1];
            return z;
        }",
        expect![[r#"
            f(z: _Complex double, a: int __vector(16), b: int __vector(16), q: _Float128, l: long double) -> _Complex double {
              unsupported(vector arithmetic):int __vector(16);
              unsupported(complex arithmetic):_Complex double;
              unsupported(arithmetic in `_Float128`):int;
              (l + 1.0:long double);
              *unsupported(complex arithmetic):double *;
              1;
              declare c: int __vector(16) = {0: a};
              (c = b);
              *unsupported(vector arithmetic):int *;
              return z;
            }
        "#]],
    );
}

#[test]
fn variable_lengths_are_evaluated_where_they_stand() {
    check(
        "int f(int n, int m, int a[n][m], void *p) {
            typedef char t[n];
            t x; n++; t y;
            (int (*)[m + 1])p;
            a + 1; ((int (*)[m + 1])p)[1]; sizeof(t); sizeof(typeof(int[n * 2]));
            return a[1][2];
        }",
        expect![[r#"
            f(n: int, m: int, a: int (*)[*], p: void *) -> int {
              length #0 = (unsigned long)m;
              length #1 = (unsigned long)n;
              declare x: char[*];
              n++;
              declare y: char[*];
              ({length #2 = (unsigned long)(m + 1); => (int (*)[*])p});
              (a + 4*#0*1:long);
              (int *)(({length #3 = (unsigned long)(m + 1); => (int (*)[*])p}) + 4*#3*1:long);
              sizeof(1*#1);
              ({length #4 = (unsigned long)(n * 2); => sizeof(4*#4)});
              return *((int *)(a + 4*#0*1:long) + 4*2:long);
            }
        "#]],
    );
}
