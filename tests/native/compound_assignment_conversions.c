// Compound assignment computes in the common type and converts back.
// Includes char += 300, unsigned char *= -1, short <<= and mixed float operands.
#include <stdio.h>
int main(void) {
    char c = 10;
    c += 300;
    printf("%d\n", c);
    unsigned char uc = 7;
    uc *= -1;
    printf("%d\n", uc);
    uc -= 250;
    printf("%d\n", uc);
    short s = 0x4000;
    s <<= 1;
    printf("%d\n", s);
    s /= 3u;
    printf("%d\n", s);
    int i = -10;
    i /= 3u;
    printf("%d\n", i);
    i = -10;
    i %= 4L;
    printf("%d\n", i);
    i = 7;
    i *= 1.5;
    printf("%d\n", i);
    i -= 0.75;
    printf("%d\n", i);
    unsigned u = 5;
    u -= 6;
    printf("%u\n", u);
    u >>= 28;
    printf("%u\n", u);
    _Bool b = 0;
    b |= 4;
    printf("%d\n", b);
    b += 3;
    printf("%d\n", b);
    b -= 1;
    printf("%d\n", b);
    b ^= 2;
    printf("%d\n", b);
    long l = 1;
    l += (int)0x80000000;
    l ^= 0xffffffffu;
    printf("%ld\n", l);
    c = 100;
    int r = (c += 100) + 1;
    printf("%d %d\n", r, c);
    return 0;
}
