// Double arithmetic: rounding, order of operations, Newton iteration without libm.
// All results are printed with enough digits to show the last bits.
#include <stdio.h>
static double absolute(double x) { return x < 0 ? -x : x; }
static double root(double x) {
    double r = x > 1 ? x : 1;
    for (int i = 0; i < 60; i++) {
        double n = (r + x / r) / 2;
        if (absolute(n - r) < 1e-15 * r) break;
        r = n;
    }
    return r;
}
int main(void) {
    double a = 0.1, b = 0.2;
    printf("%.17f %d\n", a + b, a + b == 0.3);
    printf("%.17f\n", a * 3 - 0.3);
    double big = 1e16;
    printf("%.1f %.1f\n", big + 1 - big, big - big + 1);
    printf("%.12f %.12f\n", root(2), root(144));
    double sum = 0;
    for (int i = 1; i <= 50; i++) sum += 1.0 / i;
    printf("%.15f\n", sum);
    double p = 1;
    for (int i = 0; i < 64; i++) p *= 2;
    printf("%.1f\n", p);
    double x = 5;
    x -= 0.5;
    x *= x;
    x /= 3;
    printf("%.10f %.10f\n", x, -x);
    printf("%d %d %d\n", a < b, -a > -b, a != b);
    printf("%.6f\n", 1 / 3 + 1 / 3.0);
    return (int)root(50);
}
