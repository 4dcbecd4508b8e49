// Reading a union through another member reinterprets the bytes (little endian).
// Integers of several widths, float, double and byte arrays.
#include <stdio.h>
union word { unsigned long l; unsigned u[2]; unsigned short s[4]; unsigned char c[8]; double d; float f[2]; signed char sc[8]; };
int main(void) {
    union word w;
    w.l = 0x8877665544332211ul;
    printf("%x %x\n", w.u[0], w.u[1]);
    printf("%x %x %x %x\n", w.s[0], w.s[1], w.s[2], w.s[3]);
    for (int i = 0; i < 8; i++) printf("%02x ", w.c[i]);
    printf("%d %d\n", w.sc[0], w.sc[7]);
    w.d = 1.0;
    printf("%lx\n", w.l);
    w.c[7] = 0xc0;
    printf("%.3f\n", w.d);
    w.f[0] = 0.5f;
    w.f[1] = -2.0f;
    printf("%lx %x %x\n", w.l, w.u[0], w.u[1]);
    w.s[1] = 0x4000;
    printf("%.6f\n", w.f[0]);
    w.l = 0;
    w.u[1] = 0x3ff80000;
    printf("%.2f\n", w.d);
    printf("%zu %zu\n", sizeof w, _Alignof(union word));
    union word copy = w;
    copy.c[0] = 1;
    printf("%d %lx\n", copy.l == w.l, copy.l - w.l);
    union { int i; unsigned char b[4]; } init = {0x01020304};
    union { int i; unsigned char b[4]; } named = {.b = {4, 3, 2, 1}};
    printf("%d %x\n", init.b[0], named.i);
    return init.i == named.i;
}
