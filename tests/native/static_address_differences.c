// Static initialisers that subtract addresses within one object, and constant expressions over them.
// Pointer differences, offsets by null-pointer arithmetic, and table strides.
#include <stdio.h>
static int a[10];
struct s { char c; long l[3]; };
static struct s v[4];
static long d1 = &a[7] - &a[2];
static long d2 = (char *)&a[7] - (char *)&a[2];
static long d3 = &v[3] - v;
static long off = (long)&((struct s *)0)->l[2];
static int *mid = &a[10] - 5;
static char *byte = (char *)v + sizeof(struct s) * 2 + 8;
static struct { int *from, *to; int stride; } span = {a + 1, &a[sizeof a / sizeof *a - 1], sizeof(int)};
static _Bool set = &a;
static int same = a == &a[0];
int main(void) {
    printf("%ld %ld %ld %ld\n", d1, d2, d3, off);
    *mid = 6;
    v[2].l[0] = 77;
    printf("%d %ld\n", a[5], *(long *)byte);
    printf("%td %d %d %d\n", span.to - span.from, span.stride, set, same);
    return 0;
}
