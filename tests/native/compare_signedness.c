// Comparisons of signed with unsigned operands of each rank.
// A matrix of relations is printed as digits, so a single wrong conversion shows.
#include <stdio.h>
#define ROW(a, b) printf("%d%d%d%d%d%d ", (a) < (b), (a) <= (b), (a) > (b), (a) >= (b), (a) == (b), (a) != (b))
int main(void) {
    signed char sc = -1;
    unsigned char uc = 255;
    short ss = -1;
    unsigned short us = 65535;
    int si = -1;
    unsigned ui = 4294967295u;
    long sl = -1;
    unsigned long ul = 18446744073709551615ul;
    ROW(sc, uc); ROW(sc, us); ROW(sc, ui); ROW(sc, ul); putchar('\n');
    ROW(ss, uc); ROW(ss, us); ROW(ss, ui); ROW(ss, ul); putchar('\n');
    ROW(si, uc); ROW(si, us); ROW(si, ui); ROW(si, ul); putchar('\n');
    ROW(sl, uc); ROW(sl, us); ROW(sl, ui); ROW(sl, ul); putchar('\n');
    ROW(uc, us); ROW(us, ui); ROW(ui, ul); ROW(sc, sl); putchar('\n');
    return 0;
}
