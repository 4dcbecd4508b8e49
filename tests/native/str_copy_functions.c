// strlen, strcpy, strncpy (padding and truncation), strcat, strncat, strdup.
// Buffers are dumped byte by byte where padding matters.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void dump(const char *p, int n) { while (n--) printf("%d ", *p++); putchar('\n'); }
int main(void) {
    char a[12];
    memset(a, '!', sizeof a);
    strncpy(a, "abc", 6);
    dump(a, 8);
    strncpy(a, "abcdef", 3);
    dump(a, 5);
    strcpy(a, "hello");
    printf("%zu\n", strlen(a));
    printf("%s\n", strcat(a, " you"));
    char b[12] = "x";
    strncat(b, "12345", 3);
    strncat(b, "67", 10);
    printf("%s\n", b);
    char *d = strdup(b);
    d[0] = 'D';
    printf("%s %s\n", d, b);
    free(d);
    d = strndup("truncate me", 5);
    printf("%s %zu\n", d, strlen(d));
    free(d);
    printf("%zu %zu\n", strlen(""), strnlen("abcdef", 4));
    char *e = stpcpy(a, "end");
    printf("%td %s\n", e - a, a);
    return 0;
}
