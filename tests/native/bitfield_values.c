// Bit-field stores truncate, loads sign-extend; expressions promote to int.
// Signed, unsigned, narrow and full-width fields.
#include <stdio.h>
struct s { int a : 3; unsigned b : 3; signed char c : 5; unsigned short d : 9; long e : 40; unsigned long f : 33; unsigned g : 32; };
int main(void) {
    struct s v = {0};
    v.a = 5; v.b = 13; v.c = 31; v.d = 1000; v.e = -1L << 39; v.f = ~0ul; v.g = -1;
    printf("%d %d %d %d %ld %lu %u\n", v.a, v.b, v.c, v.d, (long)v.e, (unsigned long)v.f, v.g);
    printf("%d\n", v.b - 7);
    printf("%d\n", (v.b - 6) < 0);
    printf("%d\n", v.g - 1 > 0);
    int r = (v.a = 7);
    printf("%d\n", r);
    r = (v.b = 9) + 1;
    printf("%d\n", r);
    for (int i = 0; i < 10; i++) {
        printf("%d:", v.a++);
        printf("%d ", v.b++);
    }
    printf("\n%d %d\n", v.a, v.b);
    v.a = -4;
    --v.a;
    printf("%d\n", v.a);
    v.b += 6;
    v.d *= 3;
    v.c >>= 1;
    v.e ^= 1;
    v.f <<= 3;
    printf("%d %d %d %ld %lu\n", v.b, v.d, v.c, (long)v.e, (unsigned long)v.f);
    struct s copy = v;
    copy.b = ~copy.b;
    printf("%d %d\n", v.b, copy.b);
    return v.b;
}
