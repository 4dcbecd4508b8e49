// Wide and Unicode literals: L"", u8"", u"", U"" and their element types.
// Code units are printed as numbers.
#include <stddef.h>
#include <stdio.h>
int main(void) {
    wchar_t w[] = L"a\u00e9\u20ac";
    unsigned short s[] = u"a\u00e9\u20ac\U0001f600";
    unsigned u[] = U"a\u00e9\U0001f600";
    char b[] = u8"a\u00e9\u20ac";
    for (unsigned i = 0; i < sizeof w / sizeof *w; i++) printf("%x ", (unsigned)w[i]);
    putchar('\n');
    for (unsigned i = 0; i < sizeof s / sizeof *s; i++) printf("%x ", s[i]);
    putchar('\n');
    for (unsigned i = 0; i < sizeof u / sizeof *u; i++) printf("%x ", u[i]);
    putchar('\n');
    for (unsigned i = 0; i < sizeof b; i++) printf("%x ", (unsigned char)b[i]);
    putchar('\n');
    printf("%zu %zu %zu %zu\n", sizeof(L"ab"), sizeof(u"ab"), sizeof(U"ab"), sizeof(u8"ab"));
    const wchar_t *p = L"wide" L" join";
    int n = 0;
    while (p[n]) n++;
    printf("%d %c\n", n, (char)p[5]);
    printf("%d %d\n", L'z' == 'z', (int)u'\u00e9');
    printf("%d\n", (wchar_t)-1 < 0);
    return 0;
}
