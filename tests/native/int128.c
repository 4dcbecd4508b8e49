// __int128 arithmetic: multiplication, division, shifts and comparison.
// Values are printed as their two 64-bit halves.
#include <stdio.h>
typedef __int128 i128;
typedef unsigned __int128 u128;
static void show(u128 v) { printf("%016lx:%016lx\n", (unsigned long)(v >> 64), (unsigned long)v); }
int main(void) {
    u128 a = 0xffffffffffffffffull;
    show(a * a);
    show(a + 1);
    show((a << 64) | 5);
    i128 m = -1;
    show(m);
    show(m * 3);
    show((u128)m >> 100);
    show(m >> 100);
    i128 big = (i128)1 << 100;
    show(big / 1000000007);
    show(big % 1000000007);
    show(-big / 3);
    show(-big % 7);
    printf("%d %d %d\n", m < 0, (u128)m < 5, big > a);
    printf("%zu %zu\n", sizeof(i128), _Alignof(i128));
    unsigned long f = 1;
    u128 fact = 1;
    for (f = 1; f <= 33; f++) fact *= f;
    show(fact);
    printf("%lu\n", (unsigned long)(fact % 1000000009));
    u128 inc = a;
    inc++;
    show(inc--);
    show(inc);
    show(~(u128)0 ^ a);
    return (int)(fact % 97);
}
