// malloc, calloc, realloc (growing, shrinking, from NULL) and free(NULL).
// Contents are kept by realloc and zero after calloc.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int *a = malloc(4 * sizeof *a);
    for (int i = 0; i < 4; i++) a[i] = i + 1;
    a = realloc(a, 10 * sizeof *a);
    for (int i = 4; i < 10; i++) a[i] = a[i - 1] + a[i - 2];
    for (int i = 0; i < 10; i++) printf("%d ", a[i]);
    putchar('\n');
    a = realloc(a, 2 * sizeof *a);
    printf("%d %d\n", a[0], a[1]);
    long *z = calloc(5, sizeof *z);
    long s = 0;
    for (int i = 0; i < 5; i++) s |= z[i];
    printf("%ld\n", s);
    char *n = realloc(NULL, 6);
    strcpy(n, "fresh");
    printf("%s\n", n);
    free(NULL);
    char **rows = malloc(3 * sizeof *rows);
    for (int i = 0; i < 3; i++) {
        rows[i] = malloc(i + 2);
        memset(rows[i], 'a' + i, i + 1);
        rows[i][i + 1] = '\0';
    }
    for (int i = 0; i < 3; i++) { printf("%s ", rows[i]); free(rows[i]); }
    putchar('\n');
    free(rows);
    struct { char c; double d; } *st = malloc(2 * sizeof *st);
    st[1].d = 2.5;
    st[1].c = 'k';
    st[0] = st[1];
    printf("%c %.1f %d\n", st[0].c, st[0].d, (int)((unsigned long)st % 16));
    free(st);
    free(n);
    free(z);
    free(a);
    return 0;
}
