// Packed bit-fields cross unit boundaries; sizes and bytes are printed.
// Also fields after a plain member and packed unions of bit-fields.
#include <stdio.h>
#include <string.h>
struct __attribute__((packed)) p1 { unsigned a : 30; unsigned b : 4; unsigned c : 9; };
struct __attribute__((packed)) p2 { char c; int a : 17; long b : 35; short d; };
struct __attribute__((packed)) p3 { unsigned char a : 5, b : 5, c : 5; };
struct p4 { char x; unsigned a : 12 __attribute__((packed)); unsigned b : 15; };
union __attribute__((packed)) u1 { unsigned a : 11; unsigned char b : 3; };
static void dump(const char *name, const void *v, unsigned n) {
    const unsigned char *p = v;
    printf("%s %u:", name, n);
    for (unsigned i = 0; i < n; i++) printf(" %02x", p[i]);
    putchar('\n');
}
#define STORE(T, F, X) { T v; memset(&v, 0, sizeof v); v.F = X; dump(#T "." #F, &v, sizeof v); printf("%ld\n", (long)v.F); }
int main(void) {
    STORE(struct p1, a, 0x2aaaaaaa)
    STORE(struct p1, b, 0xd)
    STORE(struct p1, c, 0x155)
    STORE(struct p2, a, -2)
    STORE(struct p2, b, 0x412345678)
    STORE(struct p2, d, -1)
    STORE(struct p3, a, 21)
    STORE(struct p3, b, 21)
    STORE(struct p3, c, 21)
    STORE(struct p4, a, 0xfff)
    STORE(struct p4, b, 0x7fff)
    STORE(union u1, a, 0x7ff)
    STORE(union u1, b, 7)
    struct p1 v;
    memset(&v, 0xff, sizeof v);
    v.b = 0;
    dump("clear b", &v, sizeof v);
    printf("%u %u\n", v.a, v.c);
    return 0;
}
