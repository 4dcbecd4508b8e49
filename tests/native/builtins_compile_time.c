// __builtin_expect, constant_p, types_compatible_p, choose_expr and offsetof.
// Constant folding decides the branches.
#include <stddef.h>
#include <stdio.h>
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect((x), 0)
#define SAME(a, b) __builtin_types_compatible_p(typeof(a), typeof(b))
#define PICK(x) __builtin_choose_expr(__builtin_types_compatible_p(typeof(x), double), (x) * 2, (x) + 100)
struct s { int a; struct { char b; long c[4]; } d; };
int main(void) {
    int n = 0;
    if (likely(n == 0)) n = 5;
    if (unlikely(n == 7)) n = 9;
    printf("%d %ld\n", n, __builtin_expect(n * 3, 1));
    printf("%d %d\n", __builtin_constant_p(3 + 4), __builtin_constant_p("lit"));
    int x = 1;
    long y = 2;
    const int z = 3;
    printf("%d %d %d\n", SAME(x, y), SAME(x, z), SAME(x + y, y));
    printf("%d %d\n", __builtin_types_compatible_p(int[], int[5]), __builtin_types_compatible_p(char *, const char *));
    printf("%d %.1f\n", PICK(x), PICK(1.25));
    printf("%zu %zu %zu\n", __builtin_offsetof(struct s, a), __builtin_offsetof(struct s, d.c[2]), offsetof(struct s, d.b));
    int arr[__builtin_choose_expr(sizeof(int) == 4, 3, 5)];
    printf("%zu\n", sizeof arr / sizeof *arr);
    int k = 2;
    printf("%zu\n", __builtin_offsetof(struct s, d.c[k]));
    switch (n) { case 5: break; default: __builtin_unreachable(); }
    printf("%zu\n", sizeof(__builtin_choose_expr(0, 1, 2LL)));
    return 0;
}
