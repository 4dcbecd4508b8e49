// Compound assignment and increments on float and double with mixed operands.
// Conversions happen in the wider type and round back.
#include <stdio.h>
int main(void) {
    float f = 1.0f;
    f += 1e-8;
    printf("%.9f\n", f);
    f *= 3;
    f /= 7;
    printf("%.9f\n", f);
    f -= 1L;
    printf("%.9f\n", f);
    f++;
    --f;
    printf("%.9f\n", f);
    double d = 10;
    d /= 4;
    d += 'a';
    d -= 0x10u;
    printf("%.6f\n", d);
    int i = 10;
    i += 3.7;
    i *= 0.5f;
    printf("%d\n", i);
    unsigned char c = 100;
    c += 55.9;
    c -= 0.5f;
    printf("%d\n", c);
    long l = 1L << 53;
    l += 1.0;
    printf("%ld\n", l);
    double sum = 0;
    for (float x = 0; x < 1; x += 0.1f) sum += x;
    printf("%.7f\n", sum);
    printf("%d\n", (d = 3.9) == 3.9f);
    _Bool b = (f = 0.0f);
    printf("%d %d\n", b, (int)(d += 0.2));
    return (int)d;
}
