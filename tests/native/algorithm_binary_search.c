// Binary search: first not less, first greater, exact; integer square root by bisection.
// All positions in and around a sorted array with repeats.
#include <stdio.h>
static int lower(const int *a, int n, int v) { int lo = 0; while (n > 0) { int h = n / 2; if (a[lo + h] < v) { lo += h + 1; n -= h + 1; } else n = h; } return lo; }
static int upper(const int *a, int n, int v) { int lo = 0, hi = n; while (lo < hi) { int m = lo + (hi - lo) / 2; if (a[m] <= v) lo = m + 1; else hi = m; } return lo; }
static unsigned isqrt(unsigned x) { unsigned r = 0; for (unsigned b = 1u << 15; b; b >>= 1) if ((r | b) * (r | b) <= x) r |= b; return r; }
int main(void) {
    const int a[] = {1, 3, 3, 3, 5, 8, 8, 13};
    for (int v = 0; v < 15; v++) printf("%d:%d-%d ", v, lower(a, 8, v), upper(a, 8, v));
    putchar('\n');
    unsigned t[] = {0, 1, 2, 3, 4, 99, 100, 65535, 4294836225u, 4294967295u};
    for (int i = 0; i < 10; i++) printf("%u ", isqrt(t[i]));
    putchar('\n');
    return 0;
}
