// Order that C fixes: sequence points of ; , && || ?: full expressions and call entry.
// Values read before and after side effects are printed.
#include <stdio.h>
static int g = 1;
static int add(int d) { g += d; return g; }
static int dbl(void) { g *= 2; return g; }
int main(void) {
    int a = (add(1), dbl());
    printf("%d %d\n", a, g);
    int b = add(2) > 5 && dbl() > 0;
    printf("%d %d\n", b, g);
    int c = (g = 3) ? add(4) : dbl();
    printf("%d %d\n", c, g);
    int i = 0, x[4] = {0};
    x[i] = 5, i++, x[i] = 6;
    printf("%d %d %d\n", x[0], x[1], i);
    i = (i++, i++, i);
    printf("%d\n", i);
    int j = 1;
    j++, j += j * 10;
    printf("%d\n", j);
    int k = 2;
    k += k * k;
    k = k - (k > 3 ? 1 : 2);
    printf("%d\n", k);
    for (int n = 0; n++ < 3;) printf("%d ", n);
    int m = 5;
    while (m-- > 3) printf("%d ", m);
    printf("%d\n", m);
    int *p = x;
    *p++ = 1;
    *p++ = 2;
    *p = *(p - 1) + *(p - 2);
    printf("%d %d %d\n", x[0], x[1], x[2]);
    return 0;
}
