// User variadic functions with int, long long, double and pointer arguments.
// Default promotions widen char, short and float.
#include <stdarg.h>
#include <stdio.h>
static int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = 0;
    for (int i = 0; i < n; i++) s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static double mixed(const char *kinds, ...) {
    va_list ap;
    va_start(ap, kinds);
    double r = 0;
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': r += va_arg(ap, int); break;
        case 'l': r += va_arg(ap, long); break;
        case 'q': r += va_arg(ap, long long); break;
        case 'u': r += va_arg(ap, unsigned); break;
        case 'd': r += va_arg(ap, double); break;
        case 's': { const char *s = va_arg(ap, char *); while (*s) r += *s++ - '0'; break; }
        case 'p': r += *va_arg(ap, int *); break;
        }
    }
    va_end(ap);
    return r;
}
int main(void) {
    printf("%d %d %d\n", sum(0), sum(1, 5), sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    char c = 'a';
    short s = -4;
    float f = 0.5f;
    int x = 1000;
    printf("%.2f\n", mixed("iid", c, s, f));
    printf("%.2f\n", mixed("lqu", -1L, 1LL << 33, 4000000000u));
    printf("%.2f\n", mixed("sps", "123", &x, "9"));
    printf("%.2f\n", mixed("dididididididididi", 1., 1, 2., 2, 3., 3, 4., 4, 5., 5, 6., 6, 7., 7, 8., 8, 9., 9));
    return sum(3, c, s, (_Bool)1);
}
