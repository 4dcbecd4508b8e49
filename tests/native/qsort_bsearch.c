// qsort with int, string and struct comparators; bsearch for hits and misses.
// Keys are distinct, so the order does not depend on stability.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct rec { const char *name; int age; };
static int by_int(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int down(const void *a, const void *b) { return by_int(b, a); }
static int by_str(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_age(const void *a, const void *b) { return ((const struct rec *)a)->age - ((const struct rec *)b)->age; }
static int key_age(const void *k, const void *r) { return *(const int *)k - ((const struct rec *)r)->age; }
int main(void) {
    int v[] = {5, -3, 99, 0, 42, 17, -8, 3};
    qsort(v, 8, sizeof *v, by_int);
    for (int i = 0; i < 8; i++) printf("%d ", v[i]);
    putchar('\n');
    int k = 42, m = 43;
    int *p = bsearch(&k, v, 8, sizeof *v, by_int);
    printf("%td %d\n", p - v, bsearch(&m, v, 8, sizeof *v, by_int) == NULL);
    qsort(v, 8, sizeof *v, down);
    printf("%d %d\n", v[0], v[7]);
    const char *s[] = {"pear", "apple", "fig", "banana"};
    qsort(s, 4, sizeof *s, by_str);
    for (int i = 0; i < 4; i++) printf("%s ", s[i]);
    putchar('\n');
    struct rec r[] = {{"ann", 40}, {"bob", 7}, {"cid", 23}};
    qsort(r, 3, sizeof *r, by_age);
    for (int i = 0; i < 3; i++) printf("%s:%d ", r[i].name, r[i].age);
    k = 23;
    struct rec *f = bsearch(&k, r, 3, sizeof *r, key_age);
    printf("%s\n", f->name);
    qsort(v, 1, sizeof *v, by_int);
    qsort(v, 0, sizeof *v, by_int);
    return v[0] == 99;
}
