// strcmp, strncmp, strchr, strrchr, strstr, strspn, strcspn, strpbrk.
// Results are printed as signs and offsets.
#include <stdio.h>
#include <string.h>
static int sign(int x) { return (x > 0) - (x < 0); }
static int off(const char *base, const char *p) { return p ? (int)(p - base) : -1; }
int main(void) {
    printf("%d %d %d %d\n", sign(strcmp("abc", "abd")), strcmp("same", "same"), sign(strcmp("b", "abc")), sign(strcmp("ab", "abc")));
    printf("%d %d\n", sign(strcmp("\x80", "a")), sign(strcmp("", "a")));
    printf("%d %d %d\n", strncmp("abcdef", "abcxyz", 3), sign(strncmp("abcdef", "abcxyz", 4)), strncmp("a", "b", 0));
    const char *s = "mississippi";
    printf("%d %d %d %d\n", off(s, strchr(s, 's')), off(s, strrchr(s, 's')), off(s, strchr(s, 'z')), off(s, strchr(s, 0)));
    printf("%d %d %d %d\n", off(s, strstr(s, "ssip")), off(s, strstr(s, "ippi")), off(s, strstr(s, "ippy")), off(s, strstr(s, "")));
    printf("%zu %zu\n", strspn("112233abc", "123"), strspn("abc", "xyz"));
    printf("%zu %zu\n", strcspn("name=value", "=:"), strcspn("none", "=:"));
    printf("%d %d\n", off(s, strpbrk(s, "xps")), off(s, strpbrk(s, "xyz")));
    int n = 0;
    for (const char *p = s; (p = strstr(p, "ss")); p++) n++;
    printf("%d\n", n);
    return 0;
}
