// Division truncates toward zero and the remainder has the dividend's sign.
// All sign combinations at int, long and mixed unsigned types.
#include <stdio.h>
int main(void) {
    int a[] = {7, -7, 8, -8, 0, 2147483647, -2147483647};
    int b[] = {2, -2, 3, -3, 1, -1};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 6; j++)
            printf("%d/%d=%d r%d%c", a[i], b[j], a[i] / b[j], a[i] % b[j], j == 5 ? '\n' : ' ');
    long x = -9000000000000L;
    printf("%ld %ld\n", x / 7, x % 7);
    unsigned u = 10;
    int m = -3;
    printf("%u %u\n", m / u, m % u);
    printf("%u %u\n", u / m, u % m);
    signed char c = -128;
    printf("%d %d\n", c / -1, c % 10);
    unsigned long ul = 5;
    printf("%lu %lu\n", m / ul, m % ul);
    return 0;
}
