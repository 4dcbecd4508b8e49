// va_copy, va_list passed to helpers, and structs as variadic arguments.
// The two lists advance independently.
#include <stdarg.h>
#include <stdio.h>
struct pair { int a, b; };
struct big { long v[5]; };
static int vsum(int n, va_list ap) { int s = 0; while (n--) s += va_arg(ap, int); return s; }
static int vmax(int n, va_list ap) { int m = -1000; while (n--) { int v = va_arg(ap, int); if (v > m) m = v; } return m; }
static void stats(int n, ...) {
    va_list a, b;
    va_start(a, n);
    va_copy(b, a);
    int s = vsum(n, a), m = vmax(n, b);
    va_end(b);
    va_end(a);
    printf("%d %d\n", s, m);
}
static long structs(int n, ...) {
    va_list ap;
    va_start(ap, n);
    long r = 0;
    for (int i = 0; i < n; i++) {
        if (i % 2) { struct big g = va_arg(ap, struct big); r += g.v[0] + g.v[4]; }
        else { struct pair p = va_arg(ap, struct pair); r = r * 10 + p.a - p.b; }
    }
    va_end(ap);
    return r;
}
static int restart(int n, ...) {
    va_list ap;
    int t = 0;
    for (int round = 0; round < 2; round++) {
        va_start(ap, n);
        t = t * 100 + vsum(n, ap);
        va_end(ap);
    }
    return t;
}
int main(void) {
    stats(4, 3, -7, 12, 5);
    stats(1, 0);
    struct pair p = {9, 4};
    struct big g = {{1, 2, 3, 4, 5}};
    printf("%ld\n", structs(4, p, g, (struct pair){3, 1}, g));
    printf("%d\n", restart(3, 1, 2, 3));
    return 0;
}
