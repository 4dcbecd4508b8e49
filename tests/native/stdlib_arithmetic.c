// abs, labs, llabs, div, ldiv and their conversions of arguments.
// Struct results are used directly and through variables.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    printf("%d %d %d\n", abs(-5), abs(5), abs(0));
    printf("%ld %lld\n", labs(-5000000000L), llabs(-1LL << 62));
    printf("%d\n", abs((char)200));
    div_t d = div(-17, 5);
    printf("%d %d\n", d.quot, d.rem);
    d = div(17, -5);
    printf("%d %d\n", d.quot, d.rem);
    ldiv_t l = ldiv(10000000000L, 7);
    printf("%ld %ld\n", l.quot, l.rem);
    printf("%d %d\n", div(9, 4).quot, div(9, 4).rem);
    return abs(-3) + div(100, 30).rem;
}
