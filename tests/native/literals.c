// Integer constants: decimal, octal, hex, binary, suffixes, and their types.
// Character constants with every escape, and multi-character constants.
#include <stdio.h>
int main(void) {
    printf("%d %d %d %d\n", 10, 010, 0x10, 0b1010);
    printf("%zu %zu %zu %zu\n", sizeof(1), sizeof(1u), sizeof(1l), sizeof(1ull));
    printf("%zu %zu %zu %zu\n", sizeof(2147483647), sizeof(2147483648), sizeof(0x80000000), sizeof(0xffffffffff));
    printf("%d %d\n", 0x80000000 > -1, 2147483648 > -1);
    printf("%d %d %d\n", -1 < 1u, -1 < 1l, -1 < 1ul);
    printf("%d %d %d %d %d %d %d\n", '\a', '\b', '\f', '\n', '\r', '\t', '\v');
    printf("%d %d %d %d\n", '\\', '\'', '\"', '\?');
    printf("%d %d %d %d\n", '\0', '\7', '\101', '\377');
    printf("%d %d %d\n", '\x41', '\xff', '\e');
    printf("%d %d\n", 'ab', 'abcd');
    printf("%d %zu\n", L'\x20ac', sizeof(L'a'));
    printf("%d %u\n", u'\xffff', U'\xffffffff');
    printf("%zu\n", sizeof('a'));
    printf("%.3f %.3f %.3f %.3f\n", 1.5, 1e3, .25, 0x1.8p1);
    printf("%zu %zu %zu\n", sizeof(1.0f), sizeof(1.0), sizeof(1.0L));
    printf("%lu\n", 18446744073709551615ul);
    return 0;
}
