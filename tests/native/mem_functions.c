// memcpy, memmove (both overlaps), memset, memcmp and memchr.
// Return values are printed as offsets.
#include <stdio.h>
#include <string.h>
static int sign(int x) { return (x > 0) - (x < 0); }
int main(void) {
    char a[20] = "0123456789";
    memmove(a + 3, a, 6);
    printf("%s\n", a);
    memmove(a, a + 2, 7);
    printf("%s\n", a);
    char b[20];
    printf("%d\n", memcpy(b, a, 11) == b);
    memset(b + 2, '#', 3);
    printf("%s %d\n", b, sign(memcmp(a, b, 2)));
    printf("%d %d %d\n", sign(memcmp("a", "b", 1)), sign(memcmp("\xff", "\x01", 1)), memcmp("x", "y", 0));
    const char *h = "haystack";
    printf("%td %d\n", (char *)memchr(h, 'y', 8) - h, memchr(h, 'z', 8) == NULL);
    printf("%d\n", memchr(h, 'k', 7) == NULL);
    int n[4] = {1, 2, 3, 4}, m[4];
    memcpy(m, n + 1, sizeof(int) * 3);
    memset(m + 3, 0xff, sizeof(int));
    printf("%d %d %d %d\n", m[0], m[1], m[2], m[3]);
    struct { short s; int i; } p = {-2, 70000}, q;
    memset(&q, 0, sizeof q);
    memcpy(&q, &p, sizeof q);
    printf("%d %d\n", q.s, q.i);
    double d = 1.5;
    unsigned char raw[8];
    memcpy(raw, &d, 8);
    for (int i = 0; i < 8; i++) printf("%02x", raw[i]);
    putchar('\n');
    unsigned u = 0;
    memset(&u, 0x1a5, 3);
    printf("%x\n", u);
    return 0;
}
