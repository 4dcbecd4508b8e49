// _Atomic objects used like ordinary variables: =, op=, ++, conversions.
// Includes _Atomic pointers and _Bool; all in one thread.
#include <stdatomic.h>
#include <stdio.h>
static _Atomic int g = 5;
static _Atomic(unsigned char) uc = 250;
struct s { int plain; _Atomic long a; };
int main(void) {
    int old = g++;
    printf("%d %d\n", old, g);
    g += 10;
    g -= 3;
    g *= 2;
    g |= 1;
    g <<= 1;
    printf("%d\n", g);
    uc += 10;
    printf("%d\n", uc);
    int r = --uc;
    printf("%d %d\n", r, uc);
    struct s v = {1};
    v.a = -7;
    v.a %= 4;
    printf("%ld\n", v.a);
    _Atomic _Bool b = 0;
    b = 2;
    printf("%d\n", b);
    int arr[4] = {1, 2, 3, 4};
    int *_Atomic p = arr;
    p++;
    p += 2;
    printf("%d %d\n", *p, p[-1]);
    _Atomic double d = 1.5;
    d = d + 2;
    d = d * 0.5;
    printf("%.3f\n", d);
    atomic_int ai = 7;
    int copy = ai + g;
    printf("%d %zu\n", copy, sizeof(_Atomic long));
    return ai = 3;
}
