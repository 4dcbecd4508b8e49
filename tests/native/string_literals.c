// String literals: escapes, concatenation, embedded zero, sizeof and array initialisation.
// Bytes are printed, so signedness of plain char shows as well.
#include <stdio.h>
#include <string.h>
int main(void) {
    char a[] = "tab\there" "\x41" "B\101\n";
    printf("%zu %s", sizeof a, a);
    char b[8] = "abc";
    for (int i = 0; i < 8; i++) printf("%d ", b[i]);
    putchar('\n');
    char c[3] = "xyz";
    printf("%c%c%c %zu\n", c[0], c[1], c[2], sizeof c);
    const char *z = "one\0two";
    printf("%s %s %zu %zu\n", z, z + 4, sizeof("one\0two"), strlen(z));
    printf("%d %d\n", "\xff"[0], (unsigned char)"\377"[0]);
    printf("%c %c\n", "hello"[1], *("hello" + 4));
    printf("%s\n", "a\\b\"c\'d\?e");
    printf("%zu %zu\n", sizeof "", sizeof("a" "b" "c"));
    char d[] = {"braced"};
    char e[] = {'n', 'o', 't', 0};
    printf("%s %s %zu\n", d, e, sizeof e);
    const char *lines[] = {"first", "second" " half", ""};
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) printf("[%s]", lines[i]);
    putchar('\n');
    printf("%s\n", __func__);
    char grid[2][4] = {"abc", "de"};
    printf("%s %s %d\n", grid[0], grid[1], grid[1][3]);
    d[0] = 'B';
    printf("%s\n", d);
    return 0;
}
