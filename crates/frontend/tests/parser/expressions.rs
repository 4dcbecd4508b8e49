//! Expressions: precedence, casts, builtins.

use crate::check;
use expect_test::expect;

#[test]
fn precedence_and_associativity() {
    check(
        "int x = a + b * c - d, y = a << 1 < b == c & d ^ e | f && g || h, z = a ? b, c : d ? e : f, w = a = b += c, v = (a, b);
         int u = !a + ~-b * +*c - &d, t = a - b - c, s = a ?: b ?: c, r = a -- - -- b, q = a+++b;",
        expect![[r#"
            (declare int (x = (- (+ a (* b c)) d)) (y = (|| (&& (| (^ (& (== (< (<< a 1) b) c) d) e) f) g) h)) (z = (? a (, b c) (? d e f))) (w = (= a (+= b c))) (v = (paren (, a b))))
            (declare int (u = (- (+ (! a) (* (~ (minus b)) (plus (dereference c)))) (address d))) (t = (- (- a b) c)) (s = (?: a (?: b c))) (r = (- (_-- a) (--_ b))) (q = (+ (_++ a) b)))
        "#]],
    );
}

#[test]
fn postfix() {
    check(
        "int x = f(a, b)(c)[d].e->f++ --, y = (*p)(), z = sizeof f()->x[1], v = \"abc\"[1];",
        expect![[r#"
        (declare int (x = (_-- (_++ (-> (. (index (call (call f a b) c) d) e) f)))) (y = (call (paren (dereference p)))) (z = (sizeof (index (-> (call f) x) 1))) (v = (index "abc" 1)))
    "#]],
    );
}

#[test]
fn casts_and_compound_literals() {
    check(
        "typedef int T; int a = (T) 1, b = (T)(2), c = (a)(2), d = (T) - 1, e = (a) - 1, f = (int (*)[3]) p, g = (struct s) { 1, .x = 2 }.x;
         int h = sizeof(T), i = sizeof(a), j = sizeof(T) { 1 }, k = sizeof (T) * 2, l = (T)(a)++, m = sizeof (a)[1], n = *(T *) &a;
         int o = (int (*)(int, char *)) 0, q = (int (*(*)(void))[3]) 0, r = _Alignof(int), s = __alignof__(a), t = (const T volatile *) 0;",
        expect![[r#"
            (declare typedef int (T))
            (declare int (a = (cast (type T) 1)) (b = (cast (type T) (paren 2))) (c = (call (paren a) 2)) (d = (cast (type T) (minus 1))) (e = (- (paren a) 1)) (f = (cast (type int pointer (array 3)) p)) (g = (. (compound (type (struct s)) 1 (.x 2)) x)))
            (declare int (h = (sizeof (type T))) (i = (sizeof (paren a))) (j = (sizeof (compound (type T) 1))) (k = (* (sizeof (type T)) 2)) (l = (cast (type T) (_++ (paren a)))) (m = (sizeof (index (paren a) 1))) (n = (dereference (cast (type T pointer) (address a)))))
            (declare int (o = (cast (type int pointer (function (int) (char pointer))) 0)) (q = (cast (type int pointer (function) pointer (array 3)) 0)) (r = (alignof (type int))) (s = (alignof (paren a))) (t = (cast (type const volatile T pointer) 0)))
        "#]],
    );
}

#[test]
fn statement_expressions_and_labels() {
    check(
        "void f(void) { int x = ({ int y = 1; y; }) + 1; void *p = &&l; l: goto *p; int z = ({ }), w = a && b; }",
        expect![[r#"
            (define void (f (function))
              (block
                (declare int (x = (+ (statement-expression
                  (declare int (y = 1))
                  y) 1)))
                (declare void (p pointer = (label-address l)))
                (label l (goto-computed p))
                (declare int (z = (statement-expression)) (w = (&& a b)))))
        "#]],
    );
}

#[test]
fn generic_selection() {
    check(
        "int x = _Generic(a, int: 1, char *: f, default: (b, c)), y = _Generic((a), struct s: 1);",
        expect![[r#"
        (declare int (x = (generic a (type int) 1 (type char pointer) f default (paren (, b c)))) (y = (generic (paren a) (type (struct s)) 1)))
    "#]],
    );
}

#[test]
fn builtins_that_take_types() {
    check(
        "int a = __builtin_va_arg(ap, int *), b = __builtin_offsetof(struct s, x.y[2].z), c = __builtin_types_compatible_p(int, char *);
         int d = __builtin_choose_expr(1, a, b), e = __builtin_expect(a, 1), f = __builtin_convertvector(v, int), g = __real__ a + __imag__ b;
         int h = __extension__ (int) 1, i = __builtin_add_overflow(a, b, &c);",
        expect![[r#"
            (declare int (a = (va-arg ap (type int pointer))) (b = (offsetof (type (struct s)) .x .y at 2 .z)) (c = (types-compatible (type int) (type char pointer))))
            (declare int (d = (choose 1 a b)) (e = (call __builtin_expect a 1)) (f = (call __builtin_convertvector v (sizeof (type int)))) (g = (+ (__real__ a) (__imag__ b))))
            (declare int (h = (cast (type int) 1)) (i = (call __builtin_add_overflow a b (address c))))
        "#]],
    );
}
