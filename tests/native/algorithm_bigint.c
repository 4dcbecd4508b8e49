// Big unsigned integers in base 10^4: addition, multiplication by small, printing.
// 30! and the 100th Fibonacci number.
#include <stdio.h>
#include <string.h>
#define LIMBS 12
typedef struct { unsigned short d[LIMBS]; int n; } big;
static big from(unsigned v) { big b = {{0}, 0}; do { b.d[b.n++] = v % 10000; v /= 10000; } while (v); return b; }
static big add(big a, const big *b) {
    unsigned c = 0;
    int n = a.n > b->n ? a.n : b->n;
    for (int i = 0; i < n || c; i++) { c += a.d[i] + b->d[i]; a.d[i] = c % 10000; c /= 10000; if (i >= a.n) a.n = i + 1; }
    return a;
}
static void mul(big *a, unsigned m) {
    unsigned long c = 0;
    for (int i = 0; i < a->n || c; i++) { c += (unsigned long)a->d[i] * m; a->d[i] = c % 10000; c /= 10000; if (i >= a->n) a->n = i + 1; }
}
static void show(const big *a) {
    printf("%d", a->d[a->n - 1]);
    for (int i = a->n - 2; i >= 0; i--) printf("%04d", a->d[i]);
    putchar('\n');
}
int main(void) {
    big f = from(1);
    for (unsigned i = 2; i <= 30; i++) mul(&f, i);
    show(&f);
    big a = from(0), b = from(1);
    for (int i = 0; i < 100; i++) { big t = add(a, &b); a = b; b = t; }
    show(&a);
    big z = from(0);
    show(&z);
    return f.n;
}
