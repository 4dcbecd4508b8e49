// Old-style function definitions, implicit int, and calls through empty parameter lists.
// Arguments undergo the default promotions and are converted back to the parameter type.
#include <stdio.h>
add(a, b) { return a + b; }
int scale(x, k, c)
    double x;
    int k;
    char c;
{
    return x * k + c;
}
static short narrow(s, uc) short s; unsigned char uc; { return s + uc; }
float half(f) float f; { return f / 2; }
char *after(s, c) char *s; { while (*s && *s != c) s++; return s; }
static counter = 3;
const limit = 7;
int sum_array(a, n) int a[]; int n; { int t = 0; while (n-- > 0) t += a[n]; return t; }
int call(f, x) int (*f)(); int x; { return f(x, x + 1); }
nothing() { return; }
main()
{
    register r = 2;
    auto local = 5;
    printf("%d %d\n", add(2, 3), scale(1.5, 4, 'A'));
    printf("%d\n", narrow((short)1000, (unsigned char)200));
    printf("%.3f\n", half(2.5f));
    printf("%s\n", after("key=value", '='));
    printf("%d %d %d\n", counter + limit, r, local);
    int a[4] = {1, 2, 3, 4};
    printf("%d %d\n", sum_array(a, 4), call(add, 10));
    nothing();
    return 0;
}
