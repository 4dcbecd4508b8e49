// long double: size, conversion from and to integers, simple arithmetic.
// Only values that are exact in double are printed.
#include <stdio.h>
int main(void) {
    long double a = 1.5L, b = 4;
    printf("%.2f %.2f %.2f %.2f\n", (double)(a + b), (double)(a - b), (double)(a * b), (double)(b / a));
    printf("%d %d %d\n", a < b, a == 1.5, a != 1.5f);
    long big = 9007199254740993L;
    long double exact = big;
    printf("%ld %d\n", (long)exact, exact == (double)big);
    printf("%zu %zu\n", sizeof a, _Alignof(long double));
    printf("%.3Lf\n", a);
    int i = 7;
    i += a;
    printf("%d %d\n", i, (int)-a);
    return 0;
}
