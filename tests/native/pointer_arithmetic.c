// Pointer arithmetic and comparison within arrays, one past the end included.
// Negative indices, pointer to pointer, void * and char * steps.
#include <stdio.h>
int main(void) {
    int a[6] = {5, 10, 15, 20, 25, 30};
    int *p = a + 2, *end = &a[6];
    printf("%d %d %d %d\n", p[-1], *(p + 1), p[0], 2[p]);
    printf("%td %td\n", end - p, a - end);
    printf("%d %d %d\n", p < end, p == &a[2], end > a + 5);
    p += 3;
    p -= 1;
    printf("%d\n", *p);
    int s = 0;
    for (int *q = a; q != end; q++) s += *q;
    printf("%d\n", s);
    for (int *q = end; q > a;) printf("%d ", *--q);
    putchar('\n');
    int *ptrs[3] = {a, a + 3, a + 5};
    int **pp = ptrs;
    printf("%d %d %d\n", **pp, *pp[1], *(*(pp + 2) - 1));
    *(*++pp + 1) = 99;
    printf("%d\n", a[4]);
    void *v = a;
    v += 4;
    printf("%d\n", *(int *)v);
    struct { char c; double d; } st[4], *sp = st + 3;
    printf("%td %td\n", sp - st, (char *)sp - (char *)st);
    long i = -2;
    unsigned char u = 3;
    printf("%d %d\n", *(a + 4 + i), *(u + a));
    const char *str = "pointer";
    while (*str) str++;
    printf("%c%c\n", str[-1], *(str - 7));
    return end - a;
}
