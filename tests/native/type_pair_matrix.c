// The type of a + b for every pair of arithmetic types, by _Generic.
// Printed as a matrix of letters.
#include <stdio.h>
#define LETTER(e) _Generic((e), int: 'i', unsigned: 'u', long: 'l', unsigned long: 'L', long long: 'q', unsigned long long: 'Q', float: 'f', double: 'd', __int128: 'w', unsigned __int128: 'W', default: '?')
#define EACH(a) printf("%c%c%c%c%c%c%c%c%c%c%c%c%c%c\n", LETTER(a + b), LETTER(a + c), LETTER(a + uc), LETTER(a + s), LETTER(a + us), LETTER(a + i), LETTER(a + u), LETTER(a + l), LETTER(a + ul), LETTER(a + q), LETTER(a + uq), LETTER(a + w), LETTER(a + f), LETTER(a + d))
int main(void) {
    _Bool b = 1;
    char c = 1;
    unsigned char uc = 1;
    short s = 1;
    unsigned short us = 1;
    int i = 1;
    unsigned u = 1;
    long l = 1;
    unsigned long ul = 1;
    long long q = 1;
    unsigned long long uq = 1;
    __int128 w = 1;
    float f = 1;
    double d = 1;
    enum { A } e = A;
    enum { M = -1 } m = M;
    EACH(b); EACH(c); EACH(uc); EACH(s); EACH(us); EACH(i); EACH(u); EACH(l); EACH(ul); EACH(q); EACH(uq); EACH(w); EACH(f); EACH(d);
    EACH(e); EACH(m); EACH(A);
    printf("%c%c%c%c%c\n", LETTER(-uc), LETTER(~us), LETTER(+b), LETTER(u << q), LETTER(s << ul));
    return 0;
}
