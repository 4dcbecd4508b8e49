// Bit-field layout: packing into units, units not crossed, zero width, unnamed fields.
// The bytes are dumped after storing one marker into each field.
#include <stdio.h>
#include <string.h>
struct s1 { unsigned a : 3, b : 7, c : 22; };
struct s2 { unsigned a : 30; unsigned b : 4; };
struct s3 { char a : 4; int b : 10; char c : 3; };
struct s4 { unsigned a : 5; unsigned : 0; unsigned b : 5; };
struct s5 { unsigned char a : 3; unsigned char : 0; unsigned char b : 3; };
struct s6 { int a : 12; unsigned : 6; int b : 9; char c; };
struct s7 { char c; int a : 9; long b : 20; };
struct s8 { long a : 50; int b : 20; };
struct s9 { short x; unsigned a : 1; unsigned b : 31; };
#define DUMP(T, F)                                              \
    {                                                           \
        T v;                                                    \
        memset(&v, 0, sizeof v);                                \
        v.F = -1;                                               \
        const unsigned char *p = (const unsigned char *)&v;     \
        printf(#T "." #F " %zu:", sizeof v);                    \
        for (unsigned i = 0; i < sizeof v; i++) printf(" %02x", p[i]); \
        putchar('\n');                                          \
    }
int main(void) {
    DUMP(struct s1, a) DUMP(struct s1, b) DUMP(struct s1, c)
    DUMP(struct s2, a) DUMP(struct s2, b)
    DUMP(struct s3, a) DUMP(struct s3, b) DUMP(struct s3, c)
    DUMP(struct s4, a) DUMP(struct s4, b)
    DUMP(struct s5, a) DUMP(struct s5, b)
    DUMP(struct s6, a) DUMP(struct s6, b) DUMP(struct s6, c)
    DUMP(struct s7, c) DUMP(struct s7, a) DUMP(struct s7, b)
    DUMP(struct s8, a) DUMP(struct s8, b)
    DUMP(struct s9, x) DUMP(struct s9, a) DUMP(struct s9, b)
    printf("%zu %zu %zu %zu\n", _Alignof(struct s1), _Alignof(struct s3), _Alignof(struct s5), _Alignof(struct s8));
    return 0;
}
