// Hash-like mixing: rotations, xor-shift, multiplication at 32 and 64 bits.
// One round function in the style of a block hash over a small message.
#include <stdint.h>
#include <stdio.h>
#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))
static uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
static void absorb(const uint8_t *p, int n) {
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (int i = 0; i < n; i++) {
        uint32_t f = i & 1 ? (b & c) | (~b & d) : b ^ c ^ d;
        uint32_t t = a + f + p[i] * 0x9e3779b1u + i;
        a = d;
        d = c;
        c = b;
        b += ROTL(t, 5 + i % 7);
    }
    state[0] += a; state[1] ^= b; state[2] -= c; state[3] += d;
}
static uint64_t splitmix(uint64_t *s) {
    uint64_t z = *s += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
int main(void) {
    const char *m[] = {"abc", "message digest", "0123456789012345678901234567890123456789"};
    for (int i = 0; i < 3; i++) {
        int n = 0;
        while (m[i][n]) n++;
        absorb((const uint8_t *)m[i], n);
        printf("%08x%08x%08x%08x\n", state[0], state[1], state[2], state[3]);
    }
    uint64_t s = 42;
    for (int i = 0; i < 4; i++) printf("%016lx\n", splitmix(&s));
    uint32_t x = 2463534242u;
    for (int i = 0; i < 5; i++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; printf("%u ", x); }
    putchar('\n');
    return 0;
}
