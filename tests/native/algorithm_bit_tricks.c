// Classic bit tricks compared with the plain way of computing the same.
// Absolute value, sign, swap, reverse, isolate, next power of two, gray codes.
#include <stdio.h>
static unsigned reverse(unsigned x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}
static unsigned up(unsigned x) { x--; x |= x >> 1; x |= x >> 2; x |= x >> 4; x |= x >> 8; x |= x >> 16; return x + 1; }
static int count(unsigned x) { x -= x >> 1 & 0x55555555; x = (x & 0x33333333) + (x >> 2 & 0x33333333); return ((x + (x >> 4) & 0xf0f0f0f) * 0x1010101) >> 24; }
int main(void) {
    int v[] = {0, 1, -1, 5, -100, 2147483647, -2147483647};
    for (int i = 0; i < 7; i++) {
        int x = v[i], mask = x >> 31;
        unsigned u = x;
        printf("%d %d %x %d ", (x ^ mask) - mask, (x > 0) - (x < 0), reverse(u), count(u));
        printf("%x %x %x %d\n", u & -u, u & (u - 1), u ^ u >> 1, (u & (u - 1)) == 0);
    }
    for (unsigned n = 1; n < 70; n += 11) printf("%u ", up(n));
    putchar('\n');
    int a = -5, b = 9;
    printf("%d %d\n", b ^ ((a ^ b) & -(a < b)), a ^ ((a ^ b) & -(a < b)));
    unsigned char c = 0xb5;
    unsigned char r = (c * 0x0202020202ULL & 0x010884422010ULL) % 1023;
    printf("%x\n", r);
    printf("%d\n", (5 + 8) / 2 == (5 & 8) + ((5 ^ 8) >> 1));
    return 0;
}
