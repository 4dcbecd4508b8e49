// _Noreturn functions, inline functions, register, restrict and volatile qualifiers.
// The program leaves through exit in a nested call.
#include <stdio.h>
#include <stdlib.h>
static inline int square(int x) { return x * x; }
inline static long cube(long x) { return x * square(x); }
extern inline __attribute__((gnu_inline)) int never(int x) { return x; }
static void add_all(int *restrict to, const int *restrict from, int n) { for (int i = 0; i < n; i++) to[i] += from[i]; }
_Noreturn static void finish(int code) {
    printf("finish %d\n", code);
    exit(code);
}
static int checked(int x) {
    if (x > 100) finish(x % 50);
    return x;
}
int main(void) {
    register int r = 3;
    volatile int v = 4;
    v += r;
    v++;
    const volatile int cv = v;
    int *const cp = (int[]){1, 2};
    cp[1] = 5;
    printf("%d %ld %d %d\n", square(r), cube(-3), v, cv);
    int a[3] = {1, 2, 3};
    const int b[3] = {10, 20, 30};
    add_all(a, b, 3);
    printf("%d %d %d %d\n", a[0], a[1], a[2], cp[1]);
    for (int i = 0;; i += 17) printf("%d ", checked(i));
    printf("unreachable\n");
    return 99;
}
