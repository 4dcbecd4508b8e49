// Conversions between integers, float, double and long double.
// Truncation toward zero and rounding to nearest even are visible.
#include <stdio.h>
int main(void) {
    double d[] = {0.0, 0.5, -0.5, 1.999, -1.999, 123456789.75, -2147483648.0, 1e10};
    for (int i = 0; i < 7; i++)
        printf("%d %ld ", (int)d[i], (long)d[i]);
    printf("%ld\n", (long)d[7]);
    for (int i = 0; i < 6; i++)
        if (d[i] >= 0) printf("%u %lu ", (unsigned)d[i], (unsigned long)d[i]);
    putchar('\n');
    int big = 16777217;
    float f = big;
    printf("%d %.1f\n", (int)f, f);
    long huge = 9007199254740993L;
    double g = huge;
    printf("%ld %.1f\n", (long)g, g);
    unsigned long ul = 18446744073709551615ul;
    printf("%.1f %.1f\n", (double)ul, (float)ul);
    printf("%.1f\n", (double)(unsigned)-1);
    printf("%lu\n", (unsigned long)1.5e19);
    float tenth = 0.1;
    printf("%d %d\n", tenth == 0.1, tenth == 0.1f);
    printf("%.9f %.17f\n", tenth, 0.1);
    signed char c = 100.7;
    unsigned char u = 200.9f;
    printf("%d %d\n", c, u);
    _Bool b = 0.001f;
    printf("%d\n", b);
    printf("%.3f\n", 7 / 2 + 7 / 2.0 + 7.0f / 2);
    return (int)3.99;
}
