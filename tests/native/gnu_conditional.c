// GNU a ?: b evaluates its first operand once.
// With integers, pointers and mixed types.
#include <stdio.h>
static int n;
static int next(void) { return ++n; }
static int zero(void) { n += 100; return 0; }
int main(void) {
    int a = next() ?: 50;
    printf("%d %d\n", a, n);
    int b = zero() ?: next();
    printf("%d %d\n", b, n);
    char *p = 0, *q = "fallback";
    printf("%s\n", p ?: q);
    p = "direct";
    printf("%s\n", p ?: q);
    int c = -1;
    printf("%ld\n", (long)(c ?: 1u));
    printf("%d\n", 0 ?: 0 ?: 3);
    double d = 0.0;
    printf("%.2f\n", d ?: 2.5);
    int x = 5;
    int r = x-- ?: 7;
    printf("%d %d\n", r, x);
    return 0;
}
