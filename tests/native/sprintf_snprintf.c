// sprintf and snprintf: return values, truncation, zero size, appending.
// Output is built piecewise in a buffer.
#include <stdio.h>
#include <string.h>
int main(void) {
    char b[32];
    int n = sprintf(b, "%d-%s", 42, "abc");
    printf("%d %s\n", n, b);
    n = snprintf(b, 5, "%s", "truncated");
    printf("%d %s\n", n, b);
    n = snprintf(NULL, 0, "%05d|%x", 42, 255);
    printf("%d\n", n);
    b[0] = 'Q';
    n = snprintf(b, 1, "zzz");
    printf("%d %d\n", n, b[0]);
    int at = 0;
    for (int i = 1; i < 5; i++) at += snprintf(b + at, sizeof b - at, "%s%d", i > 1 ? "," : "", i * i);
    printf("%s %d\n", b, at);
    sprintf(b + strlen(b), ";%c", 'e');
    puts(b);
    snprintf(b, sizeof b, "%-6s|%6.2f|%+d", "ab", 1.005, 3);
    puts(b);
    n = snprintf(b, sizeof b, "%s", "");
    printf("%d %d\n", n, b[0]);
    return 0;
}
