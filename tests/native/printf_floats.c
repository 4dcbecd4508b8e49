// printf %f, %e, %g, %a with precision, width and flags.
// Rounding of ties and special values.
#include <stdio.h>
int main(void) {
    double v[] = {0.0, 1.0, -1.5, 3.14159265358979, 1234567.891, 1e-7, 1e20, 0.5, 2.5};
    for (int i = 0; i < 9; i++) {
        printf("[%f][%.0f][%.2f][%10.3f][%-10.1f][%+.1f][%010.2f]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
        printf("[%e][%.2e][%g][%.3g][%G][%#g]\n", v[i], v[i], v[i], v[i], v[i], v[i]);
    }
    float f = 0.1f;
    printf("%f %.10f\n", f, f);
    double zero = 0;
    printf("%f %F %e %5.1f|%-6f|\n", 1 / zero, 1 / zero, -1 / zero, 1 / zero, 1 / zero);
    printf("%.*f\n", 3, 2.71828);
    printf("%.15g %.17g\n", 0.1, 0.1);
    printf("%g %g %g %g\n", 100000.0, 1000000.0, 0.0001, 0.00001);
    return 0;
}
