// Usual arithmetic conversions: mixed signedness and rank decide the common type.
// Results are printed in the common type through sizeof and comparisons with zero.
#include <stdio.h>
int main(void) {
    int i = -1;
    unsigned u = 1;
    long l = -1;
    unsigned long ul = 1;
    long long ll = -5;
    unsigned long long ull = 3;
    short s = -2;
    unsigned char uc = 250;
    printf("%d %d %d %d\n", i < u, l < u, l < ul, s < uc);
    printf("%u %ld %lu\n", i + u, l + u, l + ul);
    printf("%lld %llu\n", ll + u, ll + ull);
    printf("%d\n", (i + u - 2) > 0);
    printf("%d\n", (l + u - 2) > 0);
    printf("%d\n", (s * u) > 0);
    printf("%d\n", (ll * ull) > 0);
    printf("%zu %zu %zu\n", sizeof(i + u), sizeof(i + l), sizeof(u + ll));
    printf("%lu\n", ul * i);
    printf("%ld\n", (long)(u * i));
    printf("%ld\n", (long)u * i);
    printf("%d %d\n", -1 == 0xffffffffu, -1L == 0xffffffffu);
    printf("%d %d\n", uc == (char)uc, (unsigned char)(char)uc == uc);
    return 0;
}
