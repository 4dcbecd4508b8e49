// Integer promotions of char, signed char, unsigned char, short and _Bool to int.
// The sums and complements would differ if they were computed in the narrow type.
#include <stdio.h>
int main(void) {
    unsigned char a = 200, b = 100;
    signed char c = -128;
    unsigned short d = 65535;
    short e = -32768;
    _Bool f = 1;
    char g = 'A';
    printf("%d %d\n", a + b, (unsigned char)(a + b));
    printf("%d %d\n", -c, (signed char)-c);
    printf("%d %d\n", ~a, (unsigned char)~a);
    printf("%d %d\n", d + 1, (unsigned short)(d + 1));
    printf("%d %d\n", e - 1, (short)(e - 1));
    printf("%d %d %d\n", f + f, -f, ~f);
    printf("%d %d\n", !a, !(a - a));
    printf("%d\n", a << 4);
    printf("%d\n", g + 1);
    printf("%zu %zu %zu %zu %zu\n", sizeof(a + b), sizeof(+c), sizeof(d << 1), sizeof(-f), sizeof(!g));
    return (a * b) % 97;
}
