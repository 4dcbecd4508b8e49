// <math.h>: rounding, remainders and roots, of numbers that the compiler does not know.
#include <math.h>
#include <stdio.h>
static double numbers[] = {0.0, -0.5, 0.5, 1.5, 2.5, -2.5, 3.7, -3.2, 1e18, 2.0, 4.0, 10.0};
int main(void) {
    for (int i = 0; i < 12; i++) {
        volatile double x = numbers[i], part;
        double whole;
        part = modf(x, &whole);
        printf("%g: %g %g %g %g %g %g %g\n", x, floor(x), ceil(x), trunc(x), round(x), rint(x), part, whole);
        printf("%ld %.17g %g\n", lround(x), x >= 0 ? sqrt(x) : 0.0, (double)floorf((float)x));
        printf("%g %g %g %g\n", fmod(x, 0.75), fmax(x, 1), fmin(x, 1), fdim(x, 1));
    }
    return sqrt(numbers[10]) == 2.0 ? 0 : 1;
}
