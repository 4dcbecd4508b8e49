// Plain char is signed on this platform; consequences in comparison, indexing, shifts.
// unsigned char and signed char side by side.
#include <stdio.h>
int main(void) {
    char c = '\xe9';
    unsigned char u = '\xe9';
    signed char s = '\xe9';
    printf("%d %d %d\n", c, u, s);
    printf("%d %d %d\n", c < 0, u < 0, c == s);
    printf("%d %d\n", c == u, (unsigned char)c == u);
    printf("%d %d\n", c >> 4, u >> 4);
    printf("%x %x\n", c, u);
    int counts[256] = {0};
    const char *t = "\x80\xff\x7f\xff";
    for (const char *p = t; *p; p++) counts[(unsigned char)*p]++;
    printf("%d %d %d\n", counts[0x80], counts[0xff], counts[0x7f]);
    char max = 127;
    max++;
    printf("%d\n", max);
    char big = 200;
    printf("%d %d\n", big > 100, (unsigned char)big > 100);
    printf("%d\n", 'a' < 'b' && 'Z' < 'a');
    unsigned x = c;
    unsigned long y = c;
    printf("%u %lu %lu\n", x, y, (unsigned long)u);
    return u % 100;
}
