//! Messages, each with its place, each mistake once.

use super::check_messages;
use expect_test::expect;

#[test]
fn names() {
    check_messages(
        "int f(void) { x = y + x; g(1); g(2); return x; }
        void h(void) { x; int a; int a; T(3); }
        typedef int T; int T;
        struct s *p; int k = p->x; int m = sizeof(struct s);",
        expect![[r#"
            1:15: error: `x` is not declared
            1:19: error: `y` is not declared
            1:26: warning: `g` is called without being declared
            2:24: error: `x` is not declared
            2:38: error: `a` is already declared in this block
            2:31: note: it is declared here
            2:41: warning: `T` is called without being declared
            3:28: error: `T` is declared again as something else
            3:21: note: it is declared here
            4:33: error: the type `struct s` is incomplete here
            4:44: error: the type `struct s` is incomplete here"#]],
    );
}

#[test]
fn redeclarations() {
    check_messages(
        "int a; long a; int f(int); int f(char *p) { return 0; } static int s; int s; int t; static int t; int i = 1; int i = 2;
        void g(void) {} void g(void) {} int g; enum { E }; enum { E }; struct s { int x; }; struct s { int y; }; union s u; int v; void v(void);
        extern _Thread_local int tl; int tl;",
        expect![[r#"
            1:13: error: conflicting types for `a`: `long`, but `int` before
            1:5: note: it is declared here
            1:32: error: conflicting types for `f`: `int (char *)`, but `int (int)` before
            1:20: note: it is declared here
            1:75: error: the non-static declaration of `s` follows a static one
            1:68: note: it is declared here
            1:96: error: the static declaration of `t` follows a non-static one
            1:82: note: it is declared here
            1:114: error: `i` is defined twice
            1:103: note: it is declared here
            2:30: error: `g` is defined twice
            2:14: note: the first definition is here
            2:45: error: `g` is declared again as something else
            2:30: note: it is declared here
            2:67: error: `E` is already declared
            2:55: note: it is declared here
            2:100: error: `struct s` is defined twice
            2:79: note: the first definition is here
            2:120: error: the tag `s` means another kind of type
            2:79: note: it is declared here
            2:137: error: `v` is declared again as something else
            2:129: note: it is declared here
            3:42: error: `tl` is thread-local in one declaration and not in another
            3:34: note: it is declared here
            2:122: error: the variable has the incomplete type `union s`"#]],
    );
}

#[test]
fn types() {
    check_messages(
        "void x; int a[-1]; int b[3.5]; int n; int c[n]; void d[3]; int e(void)[3]; struct in { struct in y; }; struct bad { int a; char a; int f : 40; char : 0; int z : 0; float g : 3; };
        struct flex { int a[]; int b; }; int (*fp)(void)(int); struct unknown v; int f(void p);",
        expect![[r#"
            1:15: error: the length of an array cannot be negative
            1:15: note: types have the sizes of a 64-bit machine here; `-m32` takes those of a 32-bit machine
            1:26: error: the length of an array must be an integer, not `double`
            1:45: error: the length of an array at file scope must be constant
            1:54: error: an array of `void` is not possible
            1:64: error: a function cannot return an array
            1:98: error: a member cannot have the incomplete type `struct in`
            1:129: error: there are two members `a`
            1:140: error: the bit-field is wider than its type `int`
            1:162: error: a bit-field of width 0 cannot have a name
            1:171: error: a bit-field must have an integer type, not `float`
            2:27: error: an array of unknown length must be the last member
            2:46: error: a function cannot return a function
            2:93: error: a parameter cannot have type `void`
            1:6: error: a variable cannot have type `void`
            2:79: error: the variable has the incomplete type `struct unknown`"#]],
    );
}

#[test]
fn operators() {
    check_messages(
        "struct s { int x; } s; int *p; double d; void v(void); int arr[3];
        void f(int i) { s + 1; ~d; p * 2; p + p; d % 2; d << 1; *i; &3; &(i + 1); i(3); s.y; p->x; i.x; i->x; 5 = i; arr = p; !s; if (s) ; s ? 1 : 2; i ? s : 1;
            v() + 1; i = v(); i[d]; i++ ++; (struct s)i; (int)s; (float)p; const int k = 1; k = 2; k++; v = 0; \"abc\" = 0; f; &f; sizeof v(); }",
        expect![[r#"
            2:25: error: the operator `+` cannot be applied to `struct s` and `int`
            2:32: error: the operator cannot be applied to a `double`
            2:36: error: the operator `*` cannot be applied to `int *` and `int`
            2:43: error: the operator `+` cannot be applied to `int *` and `int *`
            2:50: error: the operator `%` cannot be applied to `double` and `int`
            2:57: error: the operator `<<` cannot be applied to `double` and `int`
            2:65: error: a value of type `int` cannot be dereferenced
            2:69: error: the address of a value that is no variable cannot be taken
            2:73: error: the address of a value that is no variable cannot be taken
            2:83: error: a value of type `int` cannot be called
            2:91: error: `struct s` has no member `y`
            2:97: error: there is no member `x` in something of type `int`
            2:102: error: there is no member `x` in something of type `int`
            2:105: error: a value of type `int` cannot be dereferenced
            2:111: error: an assignment needs a variable or another place in memory
            2:118: error: an array cannot be assigned to
            2:128: error: a number or pointer is needed, but this has type `struct s`
            2:135: error: a number or pointer is needed, but this has type `struct s`
            2:140: error: a number or pointer is needed, but this has type `struct s`
            2:151: error: the alternatives have types that do not go together: `struct s` and `int`
            3:13: error: the operator `+` cannot be applied to `void` and `int`
            3:26: error: assigning needs a value of type `int`, but this has none
            3:31: error: a `double` cannot be indexed by a `int`
            3:37: error: an increment needs a variable or another place in memory
            3:45: error: a `int` cannot be cast to `struct s`
            3:58: error: a `struct s` cannot be cast to `int`
            3:66: error: a `int *` cannot be cast to `float`
            3:93: error: what is `const` cannot be changed
            3:100: error: what is `const` cannot be changed
            3:105: error: an assignment needs a variable or another place in memory
            3:112: error: an array cannot be assigned to"#]],
    );
}

#[test]
fn conversions() {
    check_messages(
        "struct s { int x; } s; struct t { int x; } t; int *p; char *q; const int *c; void *v; void (*fn)(void);
        int f(void) { p = q; p = 1; int i = p; p = c; p = v; p = 0; s = t; s = 1; p = s; v = fn; q = (char *)p; unsigned char *u = q; return s; }
        void g(int a, int *b) { g(1); g(1, 2, 3); g(1, 2); g(s, p); return 1; } int h(void) { return; }",
        expect![[r#"
            2:27: warning: assigning is done from an incompatible pointer type (`int *` from `char *`)
            2:34: warning: assigning makes a pointer from an integer without a cast (`int *` from `int`)
            2:45: warning: initialising makes an integer from a pointer without a cast (`int` from `int *`)
            2:52: warning: assigning discards a qualifier of what is pointed to (`int *` from `const int *`)
            2:73: error: assigning needs a value of type `struct s`, but this has type `struct t`
            2:80: error: assigning needs a value of type `struct s`, but this has type `int`
            2:87: error: assigning needs a value of type `int *`, but this has type `struct s`
            2:142: error: returning needs a value of type `int`, but this has type `struct s`
            3:33: error: too few arguments: `g` takes 2, not 1
            3:14: note: it is declared here
            3:39: error: too many arguments: `g` takes 2, not 3
            3:14: note: it is declared here
            3:56: warning: passing argument 2 makes a pointer from an integer without a cast (`int *` from `int`)
            3:62: error: passing argument 1 needs a value of type `int`, but this has type `struct s`
            3:76: warning: `return` with a value in a function that returns none
            3:95: warning: `return` without a value in a function that returns one"#]],
    );
}

#[test]
fn initializers() {
    check_messages(
        "int g(void); int x = g(); int y[2] = { 1, 2, 3 }; struct s { int a; } s = { .b = 1 }, t = { [0] = 1 }; int z[] = { [-1] = 1 }; int w[2] = { [5] = 1 };
        char c[2] = \"abc\"; int k = { 1, 2 }; int arr[3] = 5; int v = \"s\"; struct u; struct u un = { 1 }; void f(int n) { int vla[n] = { 1 }; static int st = n; int e[]; int big[] = { [1 << 30 ... 2147483640] = 1 }; }
        int (*fp)(void) = 3.0; int lp = &x; char d[] = { \"a\", \"b\" };",
        expect![[r#"
            1:22: error: the initial value of a static variable must be constant
            1:46: warning: there are more values than parts to initialise
            1:78: error: `struct s` has no member `b`
            1:94: error: `struct s` has no elements
            1:117: error: the index of the designator is out of bounds
            1:142: error: the index of the designator is out of bounds
            2:21: warning: the string is longer than the array
            2:41: warning: there are more values than parts to initialise
            2:59: error: an array is initialised by a list in braces or a string
            2:70: warning: initialising makes an integer from a pointer without a cast (`int` from `char *`)
            2:70: error: the initial value of a static variable must be constant
            2:99: error: the type `struct u` is incomplete and cannot be initialised
            2:135: error: an array of variable length cannot be initialised
            2:158: error: the initial value of a static variable must be constant
            2:165: error: the length of the array is missing
            2:211: error: the initialiser has too many values
            3:27: error: initialising needs a value of type `int (*)(void)`, but this has type `double`
            3:41: warning: initialising makes an integer from a pointer without a cast (`int` from `int *`)
            3:41: error: the initial value of a static variable must be constant
            3:58: warning: initialising makes an integer from a pointer without a cast (`char` from `char *`)
            3:58: error: the initial value of a static variable must be constant
            3:63: warning: initialising makes an integer from a pointer without a cast (`char` from `char *`)
            3:63: error: the initial value of a static variable must be constant"#]],
    );
}

#[test]
fn statements() {
    check_messages(
        "void f(int n, struct s { int x; } s) {
            break; continue; case 1: ; default: ; goto nowhere;
            switch (n) { case 1: case 1: case 2 ... 5: case 4: case n: default: default: ; case 3 ... 1: ; }
            switch (s) { case 1: ; } a: ; a: ;
            goto in; { int vla[n]; in: ; }
            while (s) ;
        }
        _Static_assert(1 == 2, \"numbers\"); _Static_assert(sizeof(int) == 4, \"\");",
        expect![[r#"
            2:13: error: `break` stands outside of any loop or switch
            2:20: error: `continue` stands outside of any loop
            2:30: error: `case` stands outside of any switch
            2:40: error: `default` stands outside of any switch
            3:34: error: the case value occurs twice
            3:26: note: it occurs here first
            3:56: error: the case value occurs twice
            3:42: note: it occurs here first
            3:69: error: a case must be an integer constant
            3:81: error: there are two `default`s in one switch
            3:92: warning: the case range is empty
            4:21: error: `switch` needs an integer, but this has type `struct s`
            4:43: error: the label `a` stands twice
            6:20: error: a number or pointer is needed, but this has type `struct s`
            5:18: error: the jump goes into the scope of a variable-length array
            2:56: error: there is no label `nowhere`
            8:9: error: static assertion failed: numbers
            8:9: note: types have the sizes of a 64-bit machine here; `-m32` takes those of a 32-bit machine"#]],
    );
}

#[test]
fn builtins() {
    check_messages(
        "void f(int i, int *p, void *v) { __sync_fetch_and_add(i, 1); __atomic_load_n(v, 5); atomic_load(); __builtin_clz(); __builtin_add_overflow(1, 2, p); __builtin_add_overflow(1, 2.0, p);
            __builtin_va_start(i, i); __builtin_memcpy(p); __builtin_choose_expr(i, 1, 2); _Generic(i, char: 1); atomic_store(p, v); }",
        expect![[r#"
            1:55: error: the address of an object is needed, but this has type `int`
            1:78: error: there is no atomic access to a `void`
            1:85: error: `atomic_load` takes 1 argument, not 0
            1:100: error: `__builtin_clz` takes 1 argument, not 0
            1:150: error: `__builtin_add_overflow` works on integers
            2:32: error: a `va_list` is needed here
            2:39: error: too few arguments: `memcpy` takes 3, not 1
            2:82: error: the condition of `__builtin_choose_expr` must be an integer constant
            2:101: error: no association of `_Generic` fits the type `int`
            2:130: warning: passing argument 2 makes an integer from a pointer without a cast (`int` from `void *`)"#]],
    );
}

#[test]
fn an_error_is_told_once() {
    check_messages(
        "void f(void) { int x = undeclared + 1; x = x * undeclared.member[3] + (undeclared ? 1 : 2); undeclared(x); }
        struct gone g; int h(void) { return g.a + g.b->c; }",
        expect![[r#"
            1:24: error: `undeclared` is not declared
            2:47: error: the type `struct gone` is incomplete here
            2:53: error: the type `struct gone` is incomplete here
            2:21: error: the variable has the incomplete type `struct gone`"#]],
    );
}
