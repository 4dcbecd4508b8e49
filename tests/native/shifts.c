// Shifts of every integer type: the result has the promoted type of the left operand.
// Right shifts of negative values are arithmetic, as gcc defines them.
#include <stdio.h>
int main(void) {
    signed char sc = -100;
    unsigned char uc = 0x80;
    short s = -1000;
    unsigned short us = 0xf00f;
    int i = -123456;
    unsigned u = 0x80000001u;
    long l = -1234567890123L;
    unsigned long ul = 0x8000000000000001ul;
    for (int n = 0; n < 8; n += 3)
        printf("%d %d %d %d\n", sc >> n, uc << n, s >> n, us << n);
    for (int n = 0; n < 32; n += 7)
        printf("%d %u %u %d\n", i >> n, u >> n, u << n, (int)((unsigned)i << n));
    for (int n = 0; n < 64; n += 13)
        printf("%ld %lu %lu\n", l >> n, ul >> n, ul << n);
    printf("%d %ld\n", 1 << 30, 1L << 62);
    printf("%u\n", 1u << (char)31);
    printf("%zu %zu\n", sizeof(uc << 1L), sizeof(1 << 1ULL));
    printf("%d\n", (unsigned char)(uc << 1));
    uc >>= 3;
    us <<= 5;
    sc >>= 2;
    printf("%d %d %d\n", uc, us, sc);
    return 0;
}
