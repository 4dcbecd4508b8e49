// __builtin_memcpy, memset, memcmp, memmove, strlen, strcpy, strcmp and friends.
// They behave as the library functions of the same names.
#include <stdio.h>
int main(void) {
    char a[16], b[16];
    __builtin_memset(a, 'x', sizeof a);
    a[15] = 0;
    printf("%s %lu\n", a, (unsigned long)__builtin_strlen(a));
    __builtin_memcpy(b, "abcdefgh", 9);
    __builtin_memmove(b + 2, b, 6);
    printf("%s\n", b);
    printf("%d %d\n", __builtin_memcmp("abc", "abd", 2), __builtin_memcmp("abc", "abd", 3) < 0);
    __builtin_strcpy(a, "copy");
    printf("%s %d\n", a, __builtin_strcmp(a, "copy"));
    printf("%s\n", __builtin_strchr("find me", 'm'));
    int src[4] = {1, 2, 3, 4}, dst[4] = {0};
    __builtin_memcpy(dst, src, sizeof src);
    printf("%d %d\n", dst[0], dst[3]);
    char *p = __builtin_malloc(8);
    __builtin_memset(p, 0, 8);
    printf("%d\n", p[7]);
    __builtin_free(p);
    char *q = __builtin_alloca(4);
    q[0] = 'k';
    q[1] = 0;
    __builtin_printf("%s\n", q);
    printf("%d\n", __builtin_strncmp("prefix-a", "prefix-b", 7));
    return 0;
}
