// Single precision arithmetic stays single: rounding happens at every operation.
// Raw bits of the results are printed by punning through memcpy.
#include <stdio.h>
#include <string.h>
static unsigned bits(float f) { unsigned u; memcpy(&u, &f, sizeof u); return u; }
static float unbits(unsigned u) { float f; memcpy(&f, &u, sizeof f); return f; }
int main(void) {
    float a = 1.0f / 3, b = 16777216.0f;
    printf("%08x %08x\n", bits(a), bits(b));
    printf("%08x %08x\n", bits(b + 1), bits(b + 2));
    printf("%08x\n", bits(a * a));
    printf("%08x\n", bits(a - 0.33333333f));
    float s = 0;
    for (int i = 0; i < 100; i++) s += 0.01f;
    printf("%08x %.7f\n", bits(s), s);
    printf("%08x %08x\n", bits(-0.0f), bits(0.0f));
    printf("%d\n", -0.0f == 0.0f);
    printf("%.3f %.6f\n", unbits(0x40490fdb), unbits(0x3eaaaaab));
    double d = 1.0f / 3;
    printf("%.10f %.10f\n", d, 1.0 / 3);
    printf("%d\n", (float)0.1 < 0.1);
    float m = 3.4e38f;
    printf("%08x\n", bits(m * 10));
    float t = 1e-38f;
    printf("%08x\n", bits(t / 1024));
    return 0;
}
