// strtok splits a string in place; consecutive separators are skipped.
// A second string is split with different separators.
#include <stdio.h>
#include <string.h>
int main(void) {
    char a[] = ",,one,two;three,,four;";
    int n = 0;
    for (char *t = strtok(a, ",;"); t; t = strtok(NULL, ",;")) printf("%d[%s]@%td ", n++, t, t - a);
    putchar('\n');
    char b[] = "k1=v1&k2=v2";
    char *k = strtok(b, "=");
    while (k) {
        char *v = strtok(NULL, "&");
        printf("%s->%s ", k, v ? v : "-");
        k = strtok(NULL, "=");
    }
    putchar('\n');
    char c[] = "   ";
    printf("%d\n", strtok(c, " ") == NULL);
    char d[] = "a b c", *save;
    for (char *t = strtok_r(d, " ", &save); t; t = strtok_r(NULL, " ", &save)) printf("%s/", t);
    putchar('\n');
    return n;
}
