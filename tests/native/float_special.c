// Infinity and NaN made by arithmetic, and how they compare.
// NaN is unordered with everything, itself included.
#include <stdio.h>
int main(void) {
    double zero = 0.0, one = 1.0;
    double inf = one / zero, ninf = -one / zero;
    double nan = zero / zero;
    printf("%d %d %d\n", inf > 1e308, ninf < -1e308, inf == inf);
    printf("%d %d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, nan > 1, nan <= nan, nan >= nan);
    printf("%d\n", !(nan < 1) && !(nan >= 1));
    double diff = inf - inf;
    printf("%d\n", diff != diff);
    printf("%d\n", inf + 1 == inf);
    printf("%d\n", 1 / inf == 0);
    printf("%.1f\n", inf);
    printf("%.1f\n", ninf);
    double prod = inf * zero;
    printf("%d\n", prod == prod);
    double big = 1e308;
    printf("%d\n", big * 10 == inf);
    printf("%d\n", nan ? 1 : 0);
    printf("%d\n", !nan);
    double negzero = -zero;
    printf("%d %d\n", negzero == zero, 1 / negzero < 0);
    printf("%d\n", __builtin_isnan(nan) && !__builtin_isnan(inf));
    int count = 0;
    for (double x = 1; x != inf; x *= 1e20) count++;
    printf("%d\n", count);
    return 0;
}
