// Function pointers in every form: &f, f, *f, **f, typedefs, arrays, casts, comparison.
// Passed, returned, stored in unions and compared with null.
#include <stdio.h>
static int twice(int x) { return 2 * x; }
static int inc(int x) { return x + 1; }
static int apply(int f(int), int x) { return f(x); }
static int compose(int (*f)(int), int (*g)(int), int x) { return f(g(x)); }
typedef int (*unary)(int);
static unary choose(int k) { return k ? twice : inc; }
static void nothing(void) { printf("nothing\n"); }
static long wide(long a, char b, short c) { return a + b + c; }
int main(void) {
    int (*f)(int) = twice;
    int (*g)(int) = &inc;
    printf("%d %d %d %d\n", f(3), (*f)(3), (**f)(3), (***f)(3));
    printf("%d %d\n", apply(g, 9), apply(&twice, 9));
    printf("%d %d\n", compose(f, g, 5), compose(g, f, 5));
    printf("%d %d\n", choose(0)(10), choose(1)(10));
    printf("%d %d %d\n", f == twice, f != g, !f);
    f = 0;
    if (!f) f = inc;
    printf("%d\n", f(1));
    void (*n)(void) = nothing;
    n();
    (nothing)();
    (&nothing)();
    void *raw = (void *)twice;
    printf("%d\n", ((int (*)(int))raw)(21));
    unary arr[] = {inc, twice, inc};
    int v = 1;
    for (int i = 0; i < 6; i++) v = arr[i % 3](v);
    printf("%d\n", v);
    printf("%ld\n", wide(-1, 300, 70000));
    long (*w)(long, char, short) = wide;
    printf("%ld\n", w(-1, 300, 70000));
    printf("%d\n", (v > 3 ? twice : inc)(v));
    int (**pp)(int) = &f;
    printf("%d\n", (*pp)(5));
    return 0;
}
