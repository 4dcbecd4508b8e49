// Signed overflow wraps (the programs are built with -fwrapv).
// Addition, subtraction, multiplication, negation and increments at the limits.
#include <limits.h>
#include <stdio.h>
int main(void) {
    int i = INT_MAX;
    long l = LONG_MAX;
    long long ll = LLONG_MIN;
    printf("%d %d\n", i + 1, i * 2);
    i++;
    printf("%d %d\n", i, i - 1);
    printf("%d\n", -i);
    printf("%ld %ld\n", l + 1, l * l);
    printf("%lld %lld\n", ll - 1, -ll);
    int h = 17;
    for (int k = 0; k < 10; k++) {
        h = h * 31 + 12345 * k;
        printf("%d ", h);
    }
    putchar('\n');
    short s = SHRT_MAX;
    s++;
    signed char c = SCHAR_MIN;
    c--;
    printf("%d %d\n", s, c);
    return 0;
}
