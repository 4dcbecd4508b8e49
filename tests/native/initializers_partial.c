// Partially initialised objects are zero elsewhere; brace elision and nested braces.
// Automatic and static objects alike.
#include <stdio.h>
struct pair { short a; long b; };
struct mix { struct pair p[2]; char s[4]; double d; void *q; };
static struct mix g = {{{1}}, "x"};
static int ga[4] = {1};
static char gs[6] = "hi";
static struct pair gp[] = {1, 2, 3};
int main(void) {
    struct mix m = {1, 2, 3};
    printf("%d %ld %d %ld [%s] %.1f %d\n", m.p[0].a, m.p[0].b, m.p[1].a, m.p[1].b, m.s, m.d, m.q == 0);
    printf("%d %ld %d [%s] %.1f %d\n", g.p[0].a, g.p[0].b, g.p[1].a, g.s, g.d, g.q == 0);
    printf("%d%d%d%d\n", ga[0], ga[1], ga[2], ga[3]);
    for (int i = 0; i < 6; i++) printf("%d ", gs[i]);
    putchar('\n');
    printf("%zu %d %ld %d %ld\n", sizeof gp / sizeof *gp, gp[0].a, gp[0].b, gp[1].a, gp[1].b);
    int a[3][2] = {1, 2, 3};
    int b[3][2] = {{1}, {2}, {3}};
    for (int i = 0; i < 3; i++) printf("%d%d %d%d ", a[i][0], a[i][1], b[i][0], b[i][1]);
    putchar('\n');
    char c[5] = {};
    struct pair e = {};
    int scalar = {7};
    printf("%d %d %ld %d\n", c[4], e.a, e.b, scalar);
    struct pair p = {5, 6};
    struct mix n = {p, {7}, "abc"};
    printf("%d %ld %d %c\n", n.p[0].a, n.p[0].b, n.p[1].a, n.s[2]);
    union { int i; char c[8]; } u = {.c = {1, 0, 0, 0, 2}};
    printf("%d %d\n", u.i, u.c[4]);
    return 0;
}
