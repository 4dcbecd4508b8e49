// sscanf: what is read from a string, character by character.
#include <stdio.h>
int main(void) {
    int a = -1, b = -1, n = sscanf("12 34", "%d %d", &a, &b);
    printf("%d %d %d\n", n, a, b);
    n = sscanf("0x1f 077 9", "%i %i %i", &a, &b, &n);
    printf("%d %d %d\n", a, b, n);
    char word[16] = "", rest[16] = "", c = '?';
    n = sscanf("  alpha-beta gamma", "%5s-%[a-z] %c", word, rest, &c);
    printf("%d [%s] [%s] %c\n", n, word, rest, c);
    unsigned u = 0;
    long long big = 0;
    short small = 0;
    n = sscanf("ff,-9000000000,17", "%x,%lld,%hd", &u, &big, &small);
    printf("%d %u %lld %d\n", n, u, big, small);
    int at = -1;
    n = sscanf("key=42;", "key=%d%n", &a, &at);
    printf("%d %d %d\n", n, a, at);
    printf("%d ", sscanf("", "%d", &a));
    printf("%d ", sscanf("x", "%d", &a));
    printf("%d ", sscanf("7 x", "%d %d", &a, &b));
    printf("%d ", sscanf("100%", "%*d%%%d", &a));
    printf("%d\n", sscanf("1234", "%2d%2d", &a, &b));
    printf("%d %d\n", a, b);
    return 0;
}
