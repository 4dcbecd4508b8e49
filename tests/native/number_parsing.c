// strtol, strtoul, atoi and atol: bases, signs, white space, end pointers.
// Prefixes are recognised with base 0.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    printf("%d %d %d %d %d\n", atoi("42"), atoi("  -17abc"), atoi("+5"), atoi("x"), atoi(""));
    printf("%ld\n", atol("9000000000"));
    const char *s = "123 0x1f 077 zz -8";
    char *e;
    long v = strtol(s, &e, 10);
    printf("%ld %td\n", v, e - s);
    v = strtol(e, &e, 0);
    printf("%ld %td\n", v, e - s);
    v = strtol(e, &e, 0);
    printf("%ld %td\n", v, e - s);
    v = strtol(e, &e, 36);
    printf("%ld %td\n", v, e - s);
    v = strtol(e, &e, 16);
    printf("%ld %d\n", v, *e);
    printf("%ld %ld %ld\n", strtol("1010", NULL, 2), strtol("ff", NULL, 16), strtol("0xff", NULL, 16));
    const char *bad = "none";
    v = strtol(bad, &e, 10);
    printf("%ld %td\n", v, e - bad);
    printf("%lu %lu\n", strtoul("4294967295", NULL, 10), strtoul("-1", NULL, 10));
    printf("%ld\n", strtol("99999999999999999999", NULL, 10));
    return atoi("7");
}
