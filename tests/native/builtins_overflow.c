// __builtin_{add,sub,mul}_overflow with mixed operand and result types.
// The wrapped result and the flag are both printed.
#include <limits.h>
#include <stdio.h>
#define TRY(op, T, a, b, fmt) { T r; int o = __builtin_##op##_overflow(a, b, &r); printf(#op " " #T " %d " fmt "\n", o, r); }
int main(void) {
    TRY(add, int, INT_MAX, 1, "%d")
    TRY(add, int, 40, 2, "%d")
    TRY(sub, unsigned, 3u, 5u, "%u")
    TRY(sub, int, 3u, 5u, "%d")
    TRY(mul, long, LONG_MAX, 2, "%ld")
    TRY(mul, int, 100000, 100000, "%d")
    TRY(mul, long, 100000, 100000, "%ld")
    TRY(add, unsigned char, 200, 100, "%d")
    TRY(add, signed char, 100, 27, "%d")
    TRY(add, signed char, 100, 28, "%d")
    TRY(sub, unsigned long, 0, 1, "%lu")
    TRY(add, int, -1L, 0x80000000L, "%d")
    TRY(add, unsigned, -5, 10u, "%u")
    TRY(mul, unsigned long, -1, -1, "%lu")
    TRY(mul, short, 300, -200, "%d")
    TRY(sub, long, LONG_MIN, 1, "%ld")
    int r;
    printf("%d\n", __builtin_sadd_overflow(INT_MIN, -1, &r));
    printf("%d\n", r);
    unsigned long u;
    printf("%d\n", __builtin_umull_overflow(1ul << 32, 1ul << 32, &u));
    printf("%lu\n", u);
    return 0;
}
