// Assignment, initialisation, argument passing and return convert to the target type.
// Values are chosen so that truncation and sign change are visible.
#include <stdio.h>
static unsigned char to_uchar(int x) { return x; }
static signed char to_schar(unsigned x) { return x; }
static short to_short(long x) { return x; }
static _Bool to_bool(double x) { return x; }
static int take_char(char c) { return c; }
static long take_unsigned(unsigned u) { return u; }
int main(void) {
    char c = 300;
    signed char sc = 200;
    unsigned char uc = -1;
    short s = 70000;
    unsigned short us = -2;
    int i = 0x1234567890LL;
    unsigned u = -3L;
    _Bool b = 256;
    printf("%d %d %d %d %d %d %u %d\n", c, sc, uc, s, us, i, u, b);
    printf("%d %d %d %d %d\n", to_uchar(-1), to_schar(511), to_short(98304), to_bool(0.25), to_bool(0.0));
    printf("%d %ld\n", take_char(511), take_unsigned(-1));
    int x;
    x = (uc = 513) + 1;
    printf("%d %d\n", x, uc);
    long y = (sc = 130);
    printf("%ld\n", y);
    return (unsigned char)-4 == 252 ? 7 : 8;
}
