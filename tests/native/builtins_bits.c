// __builtin_popcount, clz, ctz, ffs, parity, bswap in their int, long and long long forms.
// Compared with loops that compute the same.
#include <stdio.h>
static int pop(unsigned long x) { int n = 0; for (; x; x &= x - 1) n++; return n; }
static int lead(unsigned x) { int n = 0; while (!(x & 0x80000000u)) { x <<= 1; n++; } return n; }
static int trail(unsigned long x) { int n = 0; while (!(x & 1)) { x >>= 1; n++; } return n; }
int main(void) {
    unsigned v[] = {1, 2, 0x80000000u, 0xffffffffu, 0x00ff00f0, 12345};
    for (int i = 0; i < 6; i++) {
        unsigned x = v[i];
        unsigned long y = (unsigned long)x << 17;
        printf("%d %d %d %d %d %x ", __builtin_popcount(x), __builtin_clz(x), __builtin_ctz(x), __builtin_ffs(x), __builtin_parity(x), __builtin_bswap32(x));
        printf("%d %d %d %d %d %lx\n", __builtin_popcountl(y), __builtin_clzl(y), __builtin_ctzl(y), __builtin_ffsl(y), __builtin_parityl(y), __builtin_bswap64(y));
        if (pop(y) != __builtin_popcountll(y) || lead(x) != __builtin_clz(x) || trail(y) != __builtin_ctzll(y)) return 1;
    }
    printf("%d %d\n", __builtin_ffs(0), __builtin_popcount(0));
    printf("%x\n", __builtin_bswap16(0x1234));
    printf("%d %d\n", __builtin_ffsll(1ll << 50), __builtin_clzll(1));
    printf("%d\n", __builtin_clrsb(-1));
    printf("%d %d\n", __builtin_clrsb(1), __builtin_abs(-4));
    printf("%ld\n", __builtin_labs(-5000000000L));
    return 0;
}
